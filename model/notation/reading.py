"""Taking values out of plain data strictly: every defect is collected with its path.

Where a value will not do, a ``Reading`` notes a defect and goes on with a harmless one, so
that one run tells everything that is wrong.
"""

from __future__ import annotations

import difflib
import json
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Concatenate, NoReturn, ParamSpec, TypeVar

from monjudge.model.notation import json_text
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.places import at
from monjudge.model.notation.sentence import Sentence
from monjudge.model.notation.source import CONTROL, MOST_BYTES

__all__ = ["Reading", "Record", "below", "decode", "fold", "meant", "quoted"]

T = TypeVar("T")
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Record:
    """An object of the data, at its path."""

    path: str
    fields: Mapping[str, Any]

    def take(
        self, key: str, otherwise: T, read: Callable[Concatenate[Any, str, P], T], *args: P.args, **more: P.kwargs
    ) -> T:
        """What the key holds, read and checked; ``otherwise`` where there is no such key."""
        return read(self.fields[key], at(self.path, key), *args, **more) if key in self.fields else otherwise

    def at(self, key: str) -> str:
        """The path of a key."""
        return at(self.path, key)


class Reading:
    """Plain data being read: ``defects`` stop it, ``warnings`` are told and carried along."""

    def __init__(self) -> None:
        self.defects: list[Defect] = []
        self.warnings: list[Defect] = []
        self._canonical: dict[str, str] = {}

    def calls(self, path: str, name: str, key: str) -> None:
        """Remembers that what is written as ``name`` at a path is the key ``key``."""
        if name != key:
            self._canonical[at(path, name)] = at(_moved(path, self._canonical), key)

    def as_written(self, path: str) -> str:
        """The path by which something canonical is written."""
        return _moved(path, {canonical: written for written, canonical in self._canonical.items()})

    def fault(self, path: str, en: str, ja: str, code: str = "wrong-value", clause: str = "") -> None:
        self.defects.append(Defect(path, Sentence(en, ja), code, clause=clause))

    def warn(self, path: str, en: str, ja: str) -> None:
        self.warnings.append(Defect(path, Sentence(en, ja)))

    def finish(self) -> None:
        """Raises DataError if anything was wrong."""
        if self.defects:
            raise DataError(self.defects)

    def record(self, value: Any, path: str, needed: Collection[str], optional: Collection[str] = ()) -> Record:
        """An object with these keys and no others; what is missing is a defect at the object."""
        if not isinstance(value, dict):
            self.no_record(value, path)
            return Record(path, {})
        for key in value:
            if key not in needed and key not in optional:
                self.unknown_key(path, key, (*needed, *optional))
        for key in needed:
            if key not in value:
                self.fault(path, f"{key} is missing", f"{key} がない", "missing-key")
        return Record(path, value)

    def no_record(self, value: Any, path: str) -> None:
        if isinstance(value, str) and "\uff1a" in value:
            self.fault(path, f"{quoted(value)} has a full-width colon; YAML needs a plain one and a space",
                       f"{quoted(value)} のコロンが全角。YAMLでは半角のコロンと空白を書く")  # fmt: skip
        else:
            self.wrong(value, path, "an object", "オブジェクト")

    def unknown_key(self, path: str, key: str, known: Iterable[str], shown: Iterable[str] = ()) -> None:
        en, ja = meant(key, known, "there are", "使えるのは", shown)
        self.fault(at(path, key), f"unknown key{en}", f"未知のキー{ja}", "unknown-key")

    def items(self, value: Any, path: str, most: int) -> Iterator[tuple[Any, str]]:
        """The entries of a list with their paths, none beyond ``most``."""
        if not isinstance(value, list):
            self.wrong(value, path, "a list", "リスト")
            return
        if len(value) > most:
            self.fault(path, f"{len(value)} entries, at most {most} are read", f"{len(value)}個ある。最大{most}個", "too-many")
        yield from ((item, f"{path}[{n}]") for n, item in enumerate(value[:most]))

    def whole(self, value: Any, path: str, values: range) -> int:
        """A whole number of the range; the least one instead of a wrong one."""
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong(value, path, "a whole number", "整数")
        elif value in values:
            return value
        else:
            span = f"{values[0]}..{values[-1]}"
            self.fault(path, f"{quoted(value)} lies outside {span}", f"{quoted(value)} は {span} の外", "out-of-range")
        return values[0]

    def truth(self, value: Any, path: str) -> bool:
        if not isinstance(value, bool):
            self.wrong(value, path, "true or false", "true か false")
        return value is True

    def string(self, value: Any, path: str) -> str:
        """A text of 1..200 characters."""
        if not isinstance(value, str):
            self.wrong(value, path, "a text", "文字列")
            return "?"
        if not 1 <= len(value.strip()) <= len(value) <= 200:
            self.fault(path, f"a text of 1..200 characters, not {len(value)}", f"1～200文字。{len(value)}文字ある", "out-of-range")
        if found := CONTROL.search(value):  # written with an escape, for else the file is not read at all
            code = f"U+{ord(found[0]):04X}"
            self.fault(path, f"the control character {code}", f"制御文字{code}がある", "control-character")
        return value

    def choice(self, value: Any, path: str, names: Sequence[str]) -> str:
        """One of the names; the first one instead of a wrong one."""
        if isinstance(value, str) and value in names:
            return value
        self.wrong(value, path, "one of " + ", ".join(names), "次のどれか： " + ", ".join(names), "unknown-word")
        return names[0]

    def text(self, value: Any, path: str) -> Sentence:
        """A text in both languages, ``{"en": ..., "ja": ...}``."""
        record = self.record(value, path, ("en", "ja"))
        return Sentence(record.take("en", "?", self.string), record.take("ja", "?", self.string))

    def wrong(self, value: Any, path: str, en: str, ja: str, code: str = "wrong-value") -> None:
        self.fault(path, f"{quoted(value)} is not {en}", f"{quoted(value)} は不可。必要なのは{ja}", code)


def below(path: str, read: Callable[P, T], *args: P.args, **words: P.kwargs) -> T:
    """What a reader makes of data that stand at a path of a greater whole: its defects are told below that path."""
    try:
        return read(*args, **words)
    except DataError as error:
        raise DataError([replace(d, path=at(path, d.path) if d.path else path) for d in error.defects]) from None


def _moved(path: str, names: Mapping[str, str]) -> str:
    """A path with the longest beginning that has another name called by it."""
    here = path
    while here and here not in names:
        here = here[: max(here.rfind("."), here.rfind("["), 0)]
    return names[here] + path[len(here) :] if here else path


def fold(text: str) -> str:
    """A word as it is compared: full-width signs plain, no space around, capitals small.

    >>> fold("　Ｆ７ ")
    'f7'
    """
    return unicodedata.normalize("NFKC", text).strip().casefold()


def meant(word: str, known: Iterable[str], en: str, ja: str, shown: Iterable[str] = (), most: int = 40) -> tuple[str, str]:
    """The tails of two sentences: which known word is close, or else which there are; ``shown`` where not all are to be listed."""
    names = list(known)
    folded = {fold(name): name for name in reversed(names)}
    near = [folded[key] for key in difflib.get_close_matches(fold(word[:100]), folded, n=2, cutoff=0.66)]
    if near:
        return f"; did you mean {' or '.join(near)}?", f"。{'、'.join(near)} のことか"
    names = list(shown) or names
    listed = ", ".join(names[:most]) + (", ..." if len(names) > most else "")
    return f"; {en} {listed}", f"。{ja} {listed}"


def quoted(value: Any) -> str:
    """A value as it would be written, cut short."""
    try:
        written = json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:  # read, but from further up the stack
        written = "[" * 40 if isinstance(value, list) else "{" * 40
    return written if len(written) <= 40 else written[:37] + "..."


def decode(data: str | bytes) -> Any:
    """The value of a JSON file. Raises DataError for size, encoding, syntax, depth or a repeated key."""
    if len(data) > MOST_BYTES:
        _refuse("too-large", f"{len(data)} bytes, at most {MOST_BYTES} are read", f"{len(data)}バイトある。最大{MOST_BYTES}バイト")
    if isinstance(data, bytes):
        try:
            data = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            _refuse("not-utf8", f"the file is not UTF-8 text: {error}", f"UTF-8の文字列ではない：{error}")
    return json_text.decode(data)


def _refuse(code: str, en: str, ja: str) -> NoReturn:
    raise DataError([Defect("", Sentence(en, ja), code)])
