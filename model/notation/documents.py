"""Forms that documents of several games have in common: seats, readings, piles, packed cards, profiles, lines of play."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from monjudge.model.language import State
from monjudge.model.notation.cells import REST
from monjudge.model.notation.cursor import Cursor, packed, unpacked
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.forms import ABSENT, Choice, Form, ListOf, Part, Record, Schemas, Text, Whole
from monjudge.model.notation.kit import SwitchWords
from monjudge.model.notation.places import Places, at
from monjudge.model.notation.reading import Reading, fold, meant, quoted
from monjudge.model.notation.sentence import Sentence

__all__ = [
    "TITLE", "Origin", "Own", "Pile", "Readings", "Seat", "Within", "format_part", "log_document", "log_form", "log_line", "profile_document", "profile_form",
    "unknown_kind",
]  # fmt: skip

TITLE = Record("title", [Part("en", Text(), "e", needed=True), Part("ja", Text(), "j", needed=True)], ",")
"""A text in both languages."""


def format_part(name: str) -> Part:
    """The key by which a file says of which form it is."""
    return Part("format", Choice(Sentence("format", "形式"), (name,)), "format", needed=True)


@dataclass(frozen=True)
class Seat:
    """A player, from 1 to ``most``, or 先手 and 後手 for the first two."""

    most: int

    @property
    def word(self) -> Choice:
        """The same as a key."""
        also = {"先手": "1", "後手": "2", "先攻": "1", "後攻": "2", "first": "1", "second": "2"}
        return Choice(Sentence("player", "プレイヤー"), tuple(map(str, range(1, self.most + 1))), also)

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        return int(self.word.read(value, path, reading))

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"enum": [*range(1, self.most + 1), "先手", "後手"]}

    def line(self, value: Any) -> str:
        return str(value)

    def scan(self, cursor: Cursor) -> Any:
        return int(self.word.scan(cursor))


@dataclass(frozen=True)
class Readings:
    """How the ambiguities of a text are read, ``{A43: ANY}``; in a line ``A43.ANY:A06.NO``. Only the ``live`` switches can be chosen."""

    texts: Callable[[], Mapping[str, SwitchWords]]
    live: Collection[str]

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, dict):
            reading.no_record(value, path)
            return ABSENT
        texts, found = self.texts(), {}
        ids = {fold(id): id for id in texts}
        for name, given in value.items():
            id = ids.get(fold(str(name)), "")
            if not id:
                en, ja = meant(str(name), texts, "there are", "あるのは", most=8)
                reading.fault(at(path, name), f"{quoted(name)} is no reading switch{en}", f"{quoted(name)}という読みの切り替えはない{ja}", "unknown-key")
                continue
            words = Choice(Sentence(f"reading of {id}", f"{id}の読み方"), tuple(texts[id].values))
            word = words.read({True: "ON", False: "OFF"}.get(given, given) if isinstance(given, bool) else given, at(path, name), reading)
            if id not in self.live and word != texts[id].default:
                reading.fault(at(path, name), f"{id} is fixed at {texts[id].default} in this version",
                              f"この版では{id}は{texts[id].default}に固定されている", "fixed-reading")  # fmt: skip
            elif word != texts[id].default:
                found[id] = word
        return {id: found[id] for id in texts if id in found} or ABSENT

    def schema(self, shared: Schemas) -> dict[str, Any]:
        if "readings" not in shared:
            texts = self.texts()
            shared["readings"] = {
                "type": "object", "additionalProperties": False,
                "properties": {id: {"enum": list(texts[id].values), "default": texts[id].default,
                                    "description": f"{texts[id].title.en} / {texts[id].title.ja}"} for id in self.live},
            }  # fmt: skip
        return {"$ref": "#/$defs/readings"}

    def line(self, value: Any) -> str:
        return ":".join(f"{id}.{word}" for id, word in value.items())

    def scan(self, cursor: Cursor) -> Any:
        found = {}
        while True:
            word = cursor.match(r"([A-Za-z0-9_]+)\.([A-Za-z0-9_]+)")
            if not word:
                id, text = next(iter(self.texts().items()))
                cursor.fail(f"a reading such as {id}.{text.default}", f"{id}.{text.default} のような読み方")
            found[word[1]] = word[2]
            if not cursor.takes(":"):
                return found


@dataclass(frozen=True)
class Pile:
    """The cards of a pile in any order: a list, or how many of each (at most ``most``); ``rest`` stands for those that lie nowhere else."""

    cards: ListOf
    most: int
    rest: bool = False

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if isinstance(value, dict):
            copies = {name: Whole(0, self.most).read(n, at(path, name), reading) for name, n in value.items()}
            value = [name for name, n in copies.items() for _ in range(n)]
        items = [value] if isinstance(value, str) else value
        if not (self.rest and isinstance(items, list) and any(map(_is_rest, items))):
            return self.cards.read(items, path, reading)
        named = self.cards.read([item for item in items if not _is_rest(item)], path, reading)
        return REST if named is ABSENT else [REST, *named]

    def schema(self, shared: Schemas) -> dict[str, Any]:
        counts = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0, "maximum": self.most}}
        rest = [{"enum": [REST, "残り"]}] if self.rest else []
        return {"anyOf": [*rest, self.cards.schema(shared), counts]}

    def line(self, value: Any) -> str:
        named = [item for item in value if item != REST] if isinstance(value, list) else []
        rest = REST if named != value else ""
        return ".".join(part for part in (rest, self.cards.line(named)) if part)

    def scan(self, cursor: Cursor) -> Any:
        if not (self.rest and cursor.takes(REST)):
            return self.cards.scan(cursor)
        return [REST, *self.cards.scan(cursor)] if cursor.takes(".") else REST


def _is_rest(item: Any) -> bool:
    return isinstance(item, str) and fold(item) in (REST, "残り")


@dataclass(frozen=True)
class Own:
    """Cards of one's own as in a pack, by the lists of the pack where they would stand; packed in a line."""

    lists: Sequence[str]

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        record = reading.record(value, path, (), self.lists)
        return {key: record.fields[key] for key in self.lists if record.fields.get(key)} or ABSENT

    def schema(self, shared: Schemas) -> dict[str, Any]:
        entries = {"type": "array", "items": {"type": "object"}}
        return {"type": "object", "properties": dict.fromkeys(self.lists, entries), "additionalProperties": False}

    def line(self, value: Any) -> str:
        return packed(value)

    def scan(self, cursor: Cursor) -> Any:
        return unpacked(cursor)


@dataclass(frozen=True)
class Origin:
    """Where a state was read: by which paths its parts are written there, and in a line at which places."""

    state: State
    as_written: Callable[[str], str]
    places: Places | None = None

    def located(self, defects: Iterable[Defect]) -> list[Defect]:
        """Defects of canonical data brought to what was written."""
        return [replace(d, path=self.as_written(d.path), place=self.places.of(d) if self.places else None) for d in defects]


# -- reading profiles --------------------------------------------------------------------------------------


def profile_form(readings: Readings) -> Record:
    """A profile of readings: what it does not name is read as by the profile that it extends."""
    return Record("profile", (
        format_part("monjudge-readings/1"), Part("name", TITLE, "name", ja=("名前",), needed=True),
        Part("version", Whole(1, 10**6), "version", ja=("版",), needed=True),
        Part("extends", Choice(Sentence("profile", "プロファイル"), ("default",), {"標準": "default"}), "extends", ja=("元",), otherwise="default"),
        Part("note", TITLE, "note"),
        Part("readings", readings, "readings", ja=("読み", "読み方"), about=Sentence("what is read otherwise than by default", "標準と違う読み方")),
    ))  # fmt: skip


def profile_document(form: Record, document: Any) -> dict[str, Any]:
    """The canonical form of a profile. Raises DataError with every defect."""
    reading = Reading()
    data: dict[str, Any] = form.read(document, "", reading)
    reading.finish()
    return data


# -- lines of play -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Within:
    """A position within a document: its object, or its line; ``canonical`` reads both, ``form`` describes the object."""

    canonical: Callable[[Any], dict[str, Any]]
    form: Callable[[], Form]
    prefix: str

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        try:
            return self.canonical(value)
        except DataError as error:
            for d in error.defects:
                reading.defects.append(replace(d, path=at(path, d.path) if d.path else path))
            return ABSENT

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"anyOf": [self.form().schema(shared), {"type": "string", "pattern": f"^{self.prefix}(/|$)"}]}

    def line(self, value: Any) -> str:
        return packed(value)

    def scan(self, cursor: Cursor) -> Any:
        return unpacked(cursor)


def log_form(game: str, table: Form, start: Within) -> Record:
    """A line of play: a table or a position, and the moves."""
    return Record("log", (
        Part("game", Choice(Sentence("game", "ゲーム"), (game,)), "game", ja=("ゲーム",)),
        Part("table", table, "table", ja=("卓",), about=Sentence("where a whole match begins", "最初から始まる対戦の卓")),
        Part("start", start, "start", ja=("初期局面", "局面"), about=Sentence("or the position before the first move", "または最初の手の前の局面")),
        Part("moves", ListOf(Text(400), 100_000), "moves", ja=("手", "手順"), needed=True),
    ))  # fmt: skip


def log_document(game: str, form: Record, document: Any) -> dict[str, Any]:
    """The canonical form of a line of play, its moves as they are written. Raises DataError with every defect."""
    if isinstance(document, str):  # its position, //, and the moves with ~ for spaces
        start, _, moves = document.strip().partition("//")
        document = {"start": start, "moves": [move.replace("~", " ") for move in moves.split("/") if move]}
    reading = Reading()
    data: dict[str, Any] = form.read(document, "", reading)
    if isinstance(document, Mapping) and isinstance(data, dict) and ("table" in data) == ("start" in data) and not reading.defects:
        reading.fault("", "a line of play has a table or a start", "記録には table か start のどちらかが要る", "missing-key")
    reading.finish()
    return {"game": game, **data, "moves": data.get("moves", [])}


def log_line(start: str, moves: Sequence[str]) -> str:
    """A line of play in one line, as ``log_document`` reads it, from the line of its position.

    >>> log_line("mc1/t=3", ["1:mana F3 L", "1:end"])
    'mc1/t=3//1:mana~F3~L/1:end'
    """
    return f"{start}//{'/'.join(move.replace(' ', '~') for move in moves)}"


def unknown_kind(kind: str, kinds: Sequence[str]) -> DataError:
    """The error of a kind of documents that a game does not have."""
    known = ", ".join(kinds)
    return DataError([Defect("", Sentence(f"no kind of documents is called {kind!r}; there are {known}",
                                          f"{kind!r}という種類の文書はない。あるのは {known}"), "unknown-word")])  # fmt: skip
