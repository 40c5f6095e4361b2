"""Forms of written data: one declaration reads what people write, describes itself, and packs it into one line.

A form takes plain data to *canonical* data - the words of the game for every alias, keys in
their order, nothing that says only what is so anyway - and canonical data to themselves. It
gives its JSON Schema, and prints and scans the short form that a one-line notation is made of.

>>> turn = Record("a turn", [Part("turn", Whole(1, 99), "t", ja=("ターン",)), Part("over", Flag(), "o")])
>>> reading = Reading()
>>> turn.read({"ターン": 3, "over": False}, "", reading), turn.line({"turn": 3, "over": True})
({'turn': 3}, 't=3/o')
>>> turn.scan(Cursor("t=3/o"))
{'turn': 3, 'over': True}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Protocol

from monjudge.model.notation.cursor import Cursor, packed, unpacked
from monjudge.model.notation.places import at
from monjudge.model.notation.reading import Reading, fold, meant, quoted
from monjudge.model.notation.sentence import Sentence

__all__ = [
    "ABSENT", "Choice", "Flag", "Form", "Keyed", "Line", "ListOf", "Part", "Record", "Text", "Whole",
    "document_schema",
]  # fmt: skip

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "ABSENT"})()
"""What a form reads that says nothing: the part is left out."""

Schemas = dict[str, dict[str, Any]]


class Form(Protocol):
    """How one thing is written."""

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        """The canonical data, or ABSENT; defects go to the reading."""

    def schema(self, shared: Schemas) -> dict[str, Any]:
        """The JSON Schema; named parts go to ``shared``."""

    def line(self, value: Any) -> str:
        """The short form of canonical data."""

    def scan(self, cursor: Cursor) -> Any:
        """What the short form says, as data that ``read`` will do again."""


@dataclass(frozen=True)
class Whole:
    """A whole number; full-width digits and digits in quotes are read too."""

    least: int
    most: int

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if isinstance(value, str) and re.fullmatch("-?[0-9]{1,18}", fold(value)):
            value = int(fold(value))
        return reading.whole(value, path, range(self.least, self.most + 1))

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}

    def line(self, value: Any) -> str:
        return str(value)

    def scan(self, cursor: Cursor) -> Any:
        start, found = cursor.here, cursor.match("-?[0-9]{1,18}")
        if not found or not self.least <= int(found[0]) <= self.most:
            cursor.fail(f"a number {self.least}..{self.most}", f"{self.least}～{self.most}の数", start=start)
        return int(found[0])


@dataclass(frozen=True)
class Flag:
    """Something that is so or is not; only what is so is written."""

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        return True if reading.truth(value, path) else ABSENT

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"type": "boolean"}

    def line(self, value: Any) -> str:
        return ""

    def scan(self, cursor: Cursor) -> Any:
        return True


@dataclass(frozen=True)
class Text:
    """A text of people's own."""

    most: int = 200

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, str):
            reading.wrong(value, path, "a text", "文字列")
        elif not 1 <= len(value.strip()) <= len(value) <= self.most:
            reading.fault(path, f"a text of 1..{self.most} characters, not {len(value)}",
                          f"1～{self.most}文字。{len(value)}文字ある", "out-of-range")  # fmt: skip
        return value

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"type": "string", "minLength": 1, "maxLength": self.most}

    def line(self, value: Any) -> str:
        return packed(value)

    def scan(self, cursor: Cursor) -> Any:
        return unpacked(cursor)


@dataclass(frozen=True)
class Choice:
    """One of some words, each with other words that are read for it; case and full width do not matter."""

    what: Sentence
    words: Sequence[str]
    aliases: Mapping[str, str] = field(default_factory=dict)

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if isinstance(value, str | int) and not isinstance(value, bool):
            word = fold(str(value))
            for name in self.words:
                if fold(name) == word:
                    return name
            for alias, name in self.aliases.items():
                if fold(alias) == word:
                    return name
            en, ja = meant(str(value), (*self.words, *self.aliases), "there are", "使えるのは", self.words)
            reading.fault(path, f"{quoted(value)} is no {self.what.en}{en}", f"{quoted(value)}という{self.what.ja}はない{ja}", "unknown-word")
        else:
            reading.wrong(value, path, f"a {self.what.en}", self.what.ja)
        return self.words[0]

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"enum": [*self.words, *self.aliases]}

    def line(self, value: Any) -> str:
        return str(value)

    def scan(self, cursor: Cursor) -> Any:
        for word in sorted(self.words, key=len, reverse=True):
            if cursor.takes(word):
                return word
        return cursor.fail(" or ".join(self.words), "、".join(self.words))


@dataclass(frozen=True)
class ListOf:
    """A list; ``ordered`` says whether the order has a meaning, else it is written sorted."""

    item: Form
    most: int
    ordered: bool = True
    key: Callable[[Any], Any] = str
    separator: str = "."
    single: bool = False
    """Whether one entry may be written without the list."""

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if self.single and not isinstance(value, list):
            value = [value]
        found = [self.item.read(item, place, reading) for item, place in reading.items(value, path, self.most)]
        if not found:
            return ABSENT
        return found if self.ordered else sorted(found, key=self.key)

    def schema(self, shared: Schemas) -> dict[str, Any]:
        item = self.item.schema(shared)
        several = {"type": "array", "items": item, "maxItems": self.most}
        return {"anyOf": [several, item]} if self.single else several

    def line(self, value: Any) -> str:
        words = [self.item.line(item) for item in value]
        pairs = pairwise(words)
        return "".join(words[:1]) + "".join((self.separator if _runs_on(word, after) else "") + after for word, after in pairs)

    def scan(self, cursor: Cursor) -> Any:
        found = [cursor.inside("[0]", self.item)]
        while cursor.here < len(cursor.text) and cursor.text[cursor.here] not in "/;,:":
            cursor.takes(self.separator)
            found.append(cursor.inside(f"[{len(found)}]", self.item))
        return found


_LONG = re.compile(r"(?!AS[0-9])[A-Z]{2}[A-Z0-9_]+")


def _runs_on(word: str, after: str) -> bool:
    """Whether two words would be read as one, or as two others."""
    return after[0].islower() or after[0].isdigit() or word[-1] == "*" or _LONG.fullmatch(word) is not None


@dataclass(frozen=True)
class Keyed:
    """Something for each of some keys, e.g. for each column; a list in their order is read too where ``listed``."""

    keys: Choice
    item: Form

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, dict):
            reading.no_record(value, path)
            return ABSENT
        found: dict[str, Any] = {}
        for key, item in value.items():
            before = len(reading.defects)
            name = self.keys.read(key, at(path, key), reading)
            if len(reading.defects) > before:
                reading.defects[-1] = replace(reading.defects[-1], code="unknown-key")
                continue
            reading.calls(path, str(key), name)
            if name in found:
                reading.fault(at(path, key), f"{name} stands twice", f"{name} が二度ある", "duplicate-key")
            if item is not None and (data := self.item.read(item, at(path, key), reading)) is not ABSENT:
                found[name] = data
        return {name: found[name] for name in self.keys.words if name in found} or ABSENT

    def schema(self, shared: Schemas) -> dict[str, Any]:
        item = {"anyOf": [self.item.schema(shared), {"type": "null"}]}
        return {"type": "object", "propertyNames": self.keys.schema(shared), "additionalProperties": item}

    def line(self, value: Any) -> str:
        return ",".join(self.item.line(value[k]) if k in value else "" for k in self.keys.words).rstrip(",")

    def scan(self, cursor: Cursor) -> Any:
        found: dict[str, Any] = {}
        for n, name in enumerate(self.keys.words):
            if n and not cursor.takes(","):
                break
            if cursor.here < len(cursor.text) and cursor.text[cursor.here] not in "/;,":
                found[name] = cursor.inside(name, self.item)
        return found


@dataclass(frozen=True)
class Part:
    """One key of a record: its form, its code in a line, what it is otherwise, and how else it may be called."""

    key: str
    form: Form
    code: str
    ja: Sequence[str] = ()
    also: Sequence[str] = ()
    otherwise: Any = ABSENT
    about: Sentence | None = None
    needed: bool = False


@dataclass(frozen=True)
class Record:
    """An object with these parts and no others; in a line they are divided by ``separator``.

    ``spread`` names a part whose own keys stand in the line as if they were parts.
    """

    name: str
    parts: Sequence[Part]
    separator: str = "/"
    spread: str = ""
    title: Sentence | None = None

    def _keys(self) -> dict[str, Part]:
        return {fold(name): part for part in self.parts for name in (part.key, *part.ja, *part.also)}

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, dict):
            reading.no_record(value, path)
            return ABSENT
        keys, found = self._keys(), {}
        nothing = {str(name) for name, item in value.items() if item is None}
        for name, item in value.items():
            part = keys.get(fold(str(name)))
            if part is None:
                known = [k for p in self.parts for k in (p.key, *p.ja, *p.also)]
                reading.unknown_key(path, str(name), known, [p.key for p in self.parts])
            elif part.key in found:
                reading.fault(at(path, name), f"{part.key} stands twice", f"{part.key} が二度ある", "duplicate-key")
            else:
                reading.calls(path, str(name), part.key)
                found[part.key] = ABSENT if item is None else part.form.read(item, at(path, name), reading)
        for part in self.parts:
            if part.needed and (part.key not in found or nothing.intersection((part.key, *part.ja, *part.also))):
                reading.fault(path, f"{part.key} is missing", f"{part.key} がない", "missing-key")
        kept = {p.key: found[p.key] for p in self.parts if p.key in found}
        otherwise = {p.key: p.otherwise for p in self.parts}
        return {key: data for key, data in kept.items() if data is not ABSENT and data != otherwise[key]}

    def schema(self, shared: Schemas) -> dict[str, Any]:
        if self.name not in shared:
            shared[self.name] = {}
            properties: dict[str, Any] = {}
            for part in self.parts:
                form = part.form.schema(shared)
                about = f"{part.about.en} / {part.about.ja}" if part.about else ""
                properties[part.key] = {"description": about, **form} if about else form
                same = {"$ref": f"#/$defs/{self.name}/properties/{part.key}"}
                properties |= dict.fromkeys((*part.ja, *part.also), same)
            needed = [p.key for p in self.parts if p.needed and not (p.ja or p.also)]
            shared[self.name] = {"type": "object", "properties": properties, "additionalProperties": False,
                                 **({"required": needed} if needed else {})}  # fmt: skip
        return {"$ref": f"#/$defs/{self.name}"}

    def line(self, value: Any) -> str:
        words = []
        for part in self.parts:
            if part.key in value and part.key == self.spread:
                assert isinstance(part.form, Keyed)
                words += [f"{key}={part.form.item.line(item)}" for key, item in value[part.key].items()]
            elif part.key in value:
                text = part.form.line(value[part.key])
                words.append(part.code if isinstance(part.form, Flag) else f"{part.code}={text}")
        return self.separator.join(words)

    def scan(self, cursor: Cursor) -> Any:
        found: dict[str, Any] = {}
        if cursor.text[cursor.here : cursor.here + 1] in ("", "/", ";"):
            return found
        while True:
            self._scan_part(cursor, found)
            if not cursor.takes(self.separator):
                return found

    def _scan_part(self, cursor: Cursor, found: dict[str, Any]) -> None:
        start = cursor.here
        word = cursor.match("[A-Za-z0-9]*")
        code = word[0] if word else ""
        part = next((p for p in self.parts if p.code == code and p.key != self.spread), None)
        spread = next((p for p in self.parts if p.key == self.spread), None)
        ends = cursor.takes("=") or (part is not None and isinstance(part.form, Flag))
        if part is not None and ends:
            held, key, path = found, part.key, part.key
        elif spread is not None and isinstance(spread.form, Keyed) and ends and code in spread.form.keys.words:
            held, key, part = found.setdefault(self.spread, {}), code, Part(code, spread.form.item, code)
            path = at(self.spread, code)
        else:
            codes = [p.code + ("" if isinstance(p.form, Flag) else "=") for p in self.parts if p.key != self.spread]
            cursor.fail(" or ".join(codes), "、".join(codes), start=start)
        if key in held:
            cursor.fail(f"another part than {code}", f"{code} 以外の部分", start=start)
        held[key] = cursor.inside(path, part.form)


@dataclass(frozen=True)
class Line:
    """The one-line notation over a form: its prefix with the version, and the parts."""

    letters: str
    version: int
    form: Record

    @property
    def prefix(self) -> str:
        return f"{self.letters}{self.version}"

    def write(self, value: Any) -> str:
        """The line of canonical data."""
        text = self.form.line(value)
        return f"{self.prefix}/{text}" if text else self.prefix

    def read(self, text: str) -> Any:
        """The data of a line. Raises DataError at the first character that will not do."""
        return self.scan(Cursor(text.strip()))

    def scan(self, cursor: Cursor) -> Any:
        """The same, the places left to the cursor."""
        found = cursor.match(rf"{self.letters}([0-9]+)")
        if not found:
            cursor.fail(self.prefix, self.prefix)
        if int(found[1]) != self.version:
            cursor.fail(f"version {self.version} of the notation ({self.prefix})", f"記法の版{self.version}（{self.prefix}）", "other-version", 0)
        if cursor.here == len(cursor.text):
            return {}
        if not cursor.takes("/"):
            cursor.fail("a /", "/")
        value = self.form.scan(cursor)
        if cursor.here < len(cursor.text):
            cursor.fail("a / or the end", "/ か終わり")
        return value


def document_schema(form: Form, title: Sentence, address: str) -> dict[str, Any]:
    """The whole JSON Schema (2020-12) of documents of a form."""
    shared: Schemas = {}
    root = form.schema(shared)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": address,
            "title": f"{title.en} / {title.ja}", **root, "$defs": dict(sorted(shared.items()))}  # fmt: skip
