"""The small forms of Monjan: a seat, a card, a card that lies somewhere, a defence with its life, an Extra card, a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from monjudge.model.monjan.boards import PRINTED, SKILL
from monjudge.model.monjan.match import COLUMN, MODE
from monjudge.model.monjan.modes import MODES
from monjudge.model.monjan.notation.cards import EXAMPLES, Marked, Names
from monjudge.model.notation.cells import NOTHING
from monjudge.model.notation.cursor import Cursor
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.documents import TITLE, Seat
from monjudge.model.notation.forms import ABSENT, Choice, Form, Keyed, ListOf, Part, Record, Schemas, Text, Whole
from monjudge.model.notation.places import at
from monjudge.model.notation.reading import Reading, fold, quoted
from monjudge.model.notation.sentence import Sentence

__all__ = [
    "BOARD", "BOARD_PARTS", "COLUMNS", "COLUMN_WORD", "MODE_WORD", "NOTHING", "SEAT", "SKILL_WORD", "Board", "CardWord", "Columns",
    "Defence", "Extra", "Sparse", "Stack", "by_column",
]  # fmt: skip


COLUMN_WORD = Choice(
    Sentence("column", "列"), COLUMN.labels,
    {"M": "C", "左": "L", "中": "C", "右": "R", "中央": "C", "真ん中": "C", "left": "L", "centre": "C", "center": "C", "middle": "C", "right": "R"},
)  # fmt: skip
MODE_WORD = Choice(
    Sentence("mode", "モード"), MODE.labels, {text: name for name, mode in MODES.items() for text in (mode.en, mode.ja)}
)
SKILL_WORD = Choice(
    Sentence("board skill", "ボードのスキル"), SKILL.labels,
    {"儀式": "RITUAL", "炎": "FLAME", "茶会": "TEA", "リサイクル": "RECYCLE", "レーザー": "LASER", "グラビティ": "GRAVITY",
     "一夜城": "CASTLE", "トラップ": "TRAP"},
)  # fmt: skip


def by_column(item: Form) -> Keyed:
    """Something for each of the columns L C R."""
    return Keyed(COLUMN_WORD, item)


SEAT = Seat(4)


@dataclass(frozen=True)
class Columns:
    """Some of the columns: ``[L, R]`` or ``LR``."""

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if isinstance(value, str) and fold(value) not in map(fold, COLUMN_WORD.aliases):
            value = list(fold(value))
        items = [value] if isinstance(value, str) else value
        found = {COLUMN_WORD.read(item, place, reading) for item, place in reading.items(items, path, 3)}
        return [name for name in COLUMN.labels if name in found] or ABSENT

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"anyOf": [{"type": "array", "items": COLUMN_WORD.schema(shared), "maxItems": 3}, {"type": "string"}]}

    def line(self, value: Any) -> str:
        return "".join(value)

    def scan(self, cursor: Cursor) -> Any:
        found = cursor.match("[LCR]{1,3}")
        return list(found[0]) if found else cursor.fail("L, C or R", "L、C、R")


COLUMNS = Columns()
_CARD = Sentence("card", "カード")


@dataclass(frozen=True)
class CardWord:
    """A card of some kinds; with ``marks`` as it lies, with ``gap`` also ``-`` for none."""

    names: Names
    what: Sentence = _CARD
    kinds: Sequence[str] = ()
    marks: str = ""
    """Which of the marks ``*`` (Elements), ``-`` (turned) and ``_`` (spent) a card may have here."""
    gap: bool = False

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if self.gap and value in (NOTHING, None):
            return NOTHING
        if not isinstance(value, str):
            reading.wrong(value, path, f"a {self.what.en}: {EXAMPLES}", f"{self.what.ja}：{EXAMPLES}", "unreadable-card")
            return "?"
        try:
            found = self.names.mark(value, self.kinds)
        except DataError as error:
            reading.defects += [replace(d, path=path) for d in error.defects]
            return "?"
        self._fits(found, value, path, reading)
        return str(found)

    def _fits(self, found: Marked, value: str, path: str, reading: Reading) -> None:
        kind = self.names.card(found.word).kind
        if self.kinds and kind not in (*self.kinds, "ANY"):
            reading.fault(path, f"{quoted(value)} is no {self.what.en}", f"{quoted(value)} は{self.what.ja}ではない", "wrong-place")
        for sign, there, en, ja in (("*", found.elements and found.word != "*", "Elements lie in a mana stack only", "エレメンツはマナの列にだけある"),
                                    ("-", found.turned, "no card is turned over here", "ここに裏返しのカードはない"),
                                    ("_", found.spent, "mana only is spent", "消費されるのはマナだけ")):  # fmt: skip
            if there and sign not in self.marks:
                reading.fault(path, f"{quoted(value)}: {en}", f"{quoted(value)}：{ja}", "wrong-place")

    def schema(self, shared: Schemas) -> dict[str, Any]:
        shared["card"] = {"type": "string", "minLength": 1, "description": f"{EXAMPLES} / 火7、風+8、無キル、ボス22、アサシン15、カード名"}
        return {"$ref": "#/$defs/card"}

    def line(self, value: Any) -> str:
        if value == NOTHING:
            return NOTHING
        found = self.names.mark(value)
        return str(found._replace(word=self.names.short(found.word)))

    def scan(self, cursor: Cursor) -> Any:
        if self.gap and cursor.takes(NOTHING):
            return NOTHING
        start = cursor.here
        elements = cursor.takes("*")
        found = self.names.in_line(cursor.text, cursor.here)
        word = found[0] if found else ""
        if found:
            cursor.here = found.end()
        elif not elements:
            cursor.fail(EXAMPLES, EXAMPLES)
        marks = cursor.match("-?_{0,2}")
        assert marks is not None
        text = ("*" if elements else "") + word + marks[0]
        try:
            return str(self.names.mark(text, self.kinds))
        except DataError as error:
            return cursor.fail(EXAMPLES, EXAMPLES, error.defects[0].code, start)


@dataclass(frozen=True)
class Stack:
    """The mana of a column from the bottom, Elements lowest (FALL.6)."""

    mana: ListOf

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        before = len(reading.defects)
        found = self.mana.read(value, path, reading)
        if found is not ABSENT and len(reading.defects) == before:
            plain = next((n for n, word in enumerate(found) if word[0] != "*"), len(found))
            for n in range(plain, len(found)):
                if found[n][0] == "*":
                    reading.fault(f"{path}[{n}]", "FALL.6: Elements lie at the bottom of a stack, not above plain mana",
                                  "FALL.6：エレメンツは列の一番下にある。ふつうのマナの上には置かれない", "elements-above", "FALL.6")  # fmt: skip
        return found

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return self.mana.schema(shared)

    def line(self, value: Any) -> str:
        return self.mana.line(value)

    def scan(self, cursor: Cursor) -> Any:
        return self.mana.scan(cursor)


@dataclass(frozen=True)
class Defence:
    """A defence with its life: ``[W11, 9]``; the card alone has all its life."""

    card: CardWord

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if isinstance(value, dict):
            record = reading.record(value, path, ("card",), ("life",))
            value = [record.fields.get("card"), record.fields["life"]] if "life" in value else record.fields.get("card")
        if not isinstance(value, list):
            word = self.card.read(value, path, reading)
            return [word, min(16, self.card.names.card(word).value) if word != NOTHING else 0]
        if len(value) != 2:
            reading.wrong(value, path, "a defence with its life: [W11, 9]", "防御とライフ：[W11, 9]")
            return ABSENT
        return [self.card.read(value[0], f"{path}[0]", reading), _LIFE.read(value[1], f"{path}[1]", reading)]

    def schema(self, shared: Schemas) -> dict[str, Any]:
        card = self.card.schema(shared)
        pair = {"type": "array", "prefixItems": [card, _LIFE.schema(shared)], "minItems": 2, "maxItems": 2}
        record = {"type": "object", "properties": {"card": card, "life": _LIFE.schema(shared)}, "required": ["card"],
                  "additionalProperties": False}  # fmt: skip
        return {"anyOf": [pair, card, record]}

    def line(self, value: Any) -> str:
        return f"{self.card.line(value[0])}:{value[1]}"

    def scan(self, cursor: Cursor) -> Any:
        word = self.card.scan(cursor)
        return [word, _LIFE.scan(cursor)] if cursor.takes(":") else word


_LIFE = Whole(0, 16)


@dataclass(frozen=True)
class Extra:
    """The Extra card on the field: its word, or a record that also says how it was summoned."""

    record: Record

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, dict):
            return self.record.parts[0].form.read(value, path, reading)
        found = self.record.read(value, path, reading)
        return found["card"] if found.keys() == {"card"} else found

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"anyOf": [self.record.parts[0].form.schema(shared), self.record.schema(shared)]}

    def line(self, value: Any) -> str:
        return self.record.line(value if isinstance(value, dict) else {"card": value})

    def scan(self, cursor: Cursor) -> Any:
        return self.record.scan(cursor)


@dataclass(frozen=True)
class Board:
    """A board: the id of a printed one or its name, or a design of one's own."""

    record: Record

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, dict):
            return _PRINTED.read(value, path, reading)
        found = self.record.read(value, path, reading)
        if isinstance(found, dict) and isinstance(found.get("cap"), list) and len(found["cap"]) != 3:
            reading.fault(at(path, "cap"), "three maxima, for L C R", "最大攻撃はL C Rの三つ")
        return found

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"anyOf": [_PRINTED.schema(shared), self.record.schema(shared)]}

    def line(self, value: Any) -> str:
        return value if isinstance(value, str) else _OWN_BOARD.line(value)

    def scan(self, cursor: Cursor) -> Any:
        return _OWN_BOARD.scan(cursor) if cursor.text.startswith("~", cursor.here) else _PRINTED.scan(cursor)


_PRINTED = Choice(
    Sentence("printed board", "印刷されたボード"), tuple(PRINTED),
    {text: board.name for board in PRINTED.values() for text in (board.en, board.ja)},
)  # fmt: skip


@dataclass(frozen=True)
class _Maxima:
    """The attack maxima of the three columns."""

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        return [Whole(1, 16).read(item, place, reading) for item, place in reading.items(value, path, 3)]

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 16}, "minItems": 3, "maxItems": 3}

    def line(self, value: Any) -> str:
        return ".".join(map(str, value))

    def scan(self, cursor: Cursor) -> Any:
        found = cursor.match(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{1,2})")
        return [int(n) for n in found.groups()] if found else cursor.fail("three maxima: 4.6.5", "三つの最大攻撃：4.6.5")


@dataclass(frozen=True)
class Sparse:
    """Something for some of many keys: ``{AL: 2}``, in a line ``AL.2:AC.3``."""

    keys: Choice
    item: Form

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        return Keyed(self.keys, self.item).read(value, path, reading)

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return Keyed(self.keys, self.item).schema(shared)

    def line(self, value: Any) -> str:
        return ":".join(f"{key}.{self.item.line(item)}" for key, item in value.items())

    def scan(self, cursor: Cursor) -> Any:
        found: dict[str, Any] = {}
        while True:
            key = self.keys.scan(cursor)
            if not cursor.takes("."):
                cursor.fail(".", ".")
            found[key] = self.item.scan(cursor)
            if not cursor.takes(":"):
                return found


BOARD_PARTS = (
    Part("id", Text(40), "i", ja=("名前",), about=Sentence("what it is called", "呼び名")),
    Part("name", TITLE, "n", about=Sentence("its title in both languages", "両方の言語での名前")),
    Part("cap", _Maxima(), "c", ja=("最大攻撃",), needed=True, about=Sentence("attack maxima of L C R, 1..16", "列L C Rの最大攻撃、1～16")),
    Part("priority", Whole(0, 9999), "p", ja=("優先度",), needed=True, about=Sentence("the smaller acts first", "小さいほど先")),
    Part("left", SKILL_WORD, "l", ja=("左",), otherwise="NONE", about=Sentence("skill of the left side", "左のスキル")),
    Part("right", SKILL_WORD, "r", ja=("右",), otherwise="NONE", about=Sentence("skill of the right side", "右のスキル")),
)
BOARD = Board(Record("board", BOARD_PARTS, ","))


@dataclass(frozen=True)
class _OwnBoard:
    """``~4.6.5:40:RITUAL:FLAME``, or packed where it has a name."""

    def line(self, value: Any) -> str:
        if value.keys() & {"id", "name"}:
            return "~~" + Text().line(value)
        skills = (value.get("left", "NONE"), value.get("right", "NONE"))
        return f"~{_Maxima().line(value['cap'])}:{value['priority']}:{skills[0]}:{skills[1]}"

    def scan(self, cursor: Cursor) -> Any:
        if cursor.takes("~~"):
            return Text().scan(cursor)
        cursor.takes("~")
        value = {"cap": _Maxima().scan(cursor)}
        for key, form in (("priority", Whole(0, 9999)), ("left", SKILL_WORD), ("right", SKILL_WORD)):
            if not cursor.takes(":"):
                cursor.fail(":", ":")
            value[key] = form.scan(cursor)
        return value


_OWN_BOARD = _OwnBoard()
