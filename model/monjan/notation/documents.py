"""The other documents of Monjan Colosseum: board designs, card packs, reading profiles, and lines of play."""

from __future__ import annotations

from typing import Any

from monjudge.model.monjan.boards import FORMAT as BOARDS
from monjudge.model.monjan.boards import Board, board_data, read_board
from monjudge.model.monjan.cards import EFFECT, MOST_SKILLS
from monjudge.model.monjan.catalogue.packs import (
    AMOUNTS,
    ATTACKS,
    COPIES,
    COSTS,
    ELEMENTS,
    NUMBERS,
    ORIGINS,
    STRENGTHS,
    read_pack,
)
from monjudge.model.monjan.catalogue.packs import FORMAT as PACK
from monjudge.model.monjan.notation.cards import Names
from monjudge.model.monjan.notation.form import READINGS, state_form
from monjudge.model.monjan.notation.position import canonical, read_line
from monjudge.model.monjan.notation.words import BOARD, BOARD_PARTS, MODE_WORD, SEAT
from monjudge.model.notation.documents import TITLE, Within, format_part, log_form, profile_form
from monjudge.model.notation.forms import Choice, Flag, Form, ListOf, Part, Record, Text, Whole
from monjudge.model.notation.reading import Reading
from monjudge.model.notation.sentence import Sentence

__all__ = ["BOARDS_FORM", "LOG", "PACK_FORM", "PROFILE", "boards", "pack_document"]


def _range(values: range) -> Whole:
    return Whole(values[0], values[-1])


# -- boards ------------------------------------------------------------------------------------------------

_DESIGN = Record("design", tuple(Part(p.key, p.form, p.code, p.ja, needed=p.key not in ("left", "right"), about=p.about) for p in BOARD_PARTS))
BOARDS_FORM = Record("boards", (format_part(BOARDS), Part("boards", ListOf(_DESIGN, 200), "boards", ja=("ボード",), needed=True)))
"""A file of board designs."""


def boards(document: Any) -> tuple[dict[str, Any], tuple[Board, ...]]:
    """The canonical form of a file of boards with the boards in it. Raises DataError with every defect."""
    reading = Reading()
    data = BOARDS_FORM.read(document, "", reading)
    reading.finish()
    found = [read_board(reading, item, f"boards[{n}]") for n, item in enumerate(data.get("boards", ()))]
    for n, board in enumerate(found):
        if board.name in [other.name for other in found[:n]]:
            reading.fault(f"boards[{n}].id", f"there are two boards {board.name!r}", f"ボード{board.name!r}が二つある", "duplicate-id")
    reading.finish()
    return {"format": BOARDS, "boards": [board_data(board) for board in found]}, tuple(found)


# -- packs -------------------------------------------------------------------------------------------------

_ELEMENT = Choice(Sentence("element", "属性"), ELEMENTS, {"火": "fire", "水": "water", "地": "ground", "風": "wind", "無": "none",
                  "F": "fire", "W": "water", "E": "ground", "A": "wind", "N": "none", "earth": "ground", "air": "wind"})  # fmt: skip
_ORIGIN = Choice(Sentence("origin", "出どころ"), ORIGINS)
_COMMON = (Part("count", _range(COPIES), "c", ja=("枚数",), otherwise=1), Part("origin", _ORIGIN, "o", otherwise="user"), Part("note", TITLE, "n"))
_SKILL = Record("skill", (
    Part("time", Choice(Sentence("time", "時"), ("edit", "battle"), {"編集": "edit", "バトル": "battle"}), "t", ja=("時",), needed=True),
    Part("effect", Text(), "e", ja=("効果",), needed=True, about=Sentence("one of " + ", ".join(EFFECT.labels[1:-1]), "効果の種類")),
    Part("amount", Whole(0, max(v[-1] for v in AMOUNTS.values())), "a", ja=("量",)),
    Part("release", Whole(0, 9), "r", ja=("解放",), otherwise=0), Part("die", Whole(1, 5), "d", ja=("サイコロ",)),
    Part("magic", Flag(), "m", ja=("魔法",)), Part("needs", Text(40), "n", ja=("必要",)), Part("text", TITLE, "x", ja=("文面",)),
))  # fmt: skip
_NAMED = (
    Part("id", Text(24), "i", needed=True), Part("short", Text(6), "s", ja=("略号",), about=Sentence("for one-line notation", "一行記法での呼び名")),
    Part("name", TITLE, "n", ja=("名前",), needed=True),
)  # fmt: skip
_SKILLS = (Part("skills", ListOf(_SKILL, MOST_SKILLS), "k", ja=("スキル",)), Part("initial", Flag(), "y", ja=("黄色",)))
_NUMBER_LIST = ListOf(_range(NUMBERS), len(NUMBERS))
_GRID = Record("numbers", (Part("elements", ListOf(_ELEMENT, 5), "e", needed=True), Part("numbers", _NUMBER_LIST, "n", needed=True), *_COMMON))
_BATTLE = Record("battle", (
    Part("card", Choice(Sentence("battle card", "バトルカード"), ("plus", "kill", "plain")), "k", needed=True),
    Part("bonus", _range(NUMBERS), "b"), Part("element", _ELEMENT, "e", ja=("属性",), needed=True), *_COMMON))  # fmt: skip
_BOSS = Record("boss", (
    Part("card", Choice(Sentence("boss card", "ボスアサカード"), ("boss", "assassin")), "k", needed=True),
    Part("strength", _range(STRENGTHS), "s", ja=("強さ",), needed=True), *_COMMON))  # fmt: skip
EXTRA_ENTRY = Record("extra", (
    *_NAMED, Part("pair", ListOf(_ELEMENT, 2), "p", ja=("属性",)), Part("numbers", _NUMBER_LIST, "u", ja=("数字",)),
    Part("value", _range(ATTACKS), "v", ja=("攻撃力",), needed=True), *_SKILLS, *_COMMON))  # fmt: skip
TOUGHNESS_ENTRY = Record("toughness", (
    *_NAMED, Part("cost", _range(COSTS), "m", ja=("コスト",), needed=True), Part("attack", _range(ATTACKS), "a", ja=("攻撃力",), needed=True),
    *_SKILLS, *_COMMON))  # fmt: skip


def _several(form: Form) -> ListOf:
    return ListOf(form, 300)


PACK_FORM = Record("pack", (
    format_part(PACK), Part("name", TITLE, "name", ja=("名前",), needed=True), Part("note", TITLE, "note"),
    Part("numbers", _several(_GRID), "numbers", ja=("数字",), needed=True), Part("battle", _several(_BATTLE), "battle", ja=("バトル",)),
    Part("boss", _several(_BOSS), "boss", ja=("ボスアサ",)), Part("extra", _several(EXTRA_ENTRY), "extra", ja=("エキストラ",)),
    Part("toughness", _several(TOUGHNESS_ENTRY), "toughness", ja=("タフネス",)),
))  # fmt: skip
"""A pack of cards."""


def pack_document(document: Any) -> dict[str, Any]:
    """The canonical form of a pack. Raises DataError with every defect of its form, or else of its content."""
    reading = Reading()
    data: dict[str, Any] = PACK_FORM.read(document, "", reading)
    reading.finish()
    read_pack(data)
    return data


# -- reading profiles and lines of play --------------------------------------------------------------------

PROFILE = profile_form(READINGS)
"""A profile of readings."""

TABLE = Record("table", (
    Part("mode", MODE_WORD, "mode", ja=("モード",), otherwise="EXTRA"),
    Part("boards", ListOf(BOARD, 4), "boards", ja=("ボード", "盤"), needed=True),
    Part("readings", READINGS, "readings", ja=("読み", "読み方")), Part("hidden", Flag(), "hidden", ja=("伏せ札あり",)),
    Part("first_pick", SEAT, "first", ja=("最初に選ぶ",), otherwise=1),
))  # fmt: skip
"""A table at which a match begins."""


def _start(value: Any) -> dict[str, Any]:
    return read_line(value)[0] if isinstance(value, str) else canonical(value)


LOG = log_form("monjan", TABLE, Within(_start, lambda: state_form(Names(())), "mc1"))
"""A line of play: a table or a position, and the moves."""
