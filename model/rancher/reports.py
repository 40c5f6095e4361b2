"""What can be said of the game for good: the arena, exactly (R.ARENA.1-5, R.MOVE.5-12).

>>> [(sheet.id, len(sheet.rows)) for sheet in arena().sheets]
[('summary', 48), ('step', 20), ('orders', 320), ('first', 58), ('at_once', 22), ('force', 48)]
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping

from monjudge.model.notation.sentence import Sentence
from monjudge.model.rancher.match import SQUARES
from monjudge.model.rancher.squares import (
    LETTERS,
    ORDERS,
    POSITIONS,
    Position,
    depending_on_first,
    differing,
    results,
    rounds_to_force,
    step,
)
from monjudge.model.report import Cell, Column, Report, Sheet

__all__ = ["REPORTS", "arena"]

_DISTANCES = range(1, SQUARES)
_SIDES = {"A": "B", "B": "A"}

Row = tuple[Cell, ...]


def arena() -> Report:
    """Every position and every pair of orders under each reading, and the distances that each side can force.

    A position is A's square and B's; icons are C(harge), R(etreat), H(old), S(hove). For what can be forced both hold all four icons.
    """
    return Report("arena", Sentence("The arena, exactly", "アリーナの正確な結果"), _ABOUT, (_summary(), _steps(), _orders(), _first(), _at_once(), _force()))


_ABOUT = Sentence(
    "A position is two squares of five, A's and B's. C charge, R retreat, H hold, S shove: A's icon, then B's. OPEN, SECRET_IN_ORDER and "
    "SECRET_AT_ONCE are the readings of AMB_MOVEORD; first is who orders first. What a side can force is said for hands with all four icons "
    "(cards return), whatever the other does: rounds of orders until that distance is reached, - if it cannot be forced.",
    "位置は5マスのうちAとBの2マス。Cは前進、Rは後退、Hは停止、Sは押し。Aのアイコン、Bのアイコンの順。OPEN・SECRET_IN_ORDER・SECRET_AT_ONCEは"
    "AMB_MOVEORDの読み。firstは先に指示する側。必ず作れる距離は、双方が4種のアイコンを持ち続ける（カードは手札に戻る）場合で、相手が何をしても"
    "その距離になるまでのラウンド数。-は作れないことを示す。",
)
_SQUARES = Column("squares", Sentence("squares", "マス"))
_ICONS = Column("icons", Sentence("icons", "アイコン"))
_SIDE = Column("side", Sentence("side", "側"))
_READING = Column("reading", Sentence("reading", "読み"))
_FIRST = Column("first", Sentence("first", "先"))
_DISTANCE = Column("distance", Sentence("distance", "距離"))
_BY = {"A": Column("first_a", Sentence("A first", "Aが先")), "B": Column("first_b", Sentence("B first", "Bが先"))}


def _summary() -> Sheet:
    title = Sentence("In short: from how many of the twenty positions a side can force a distance, and in how many rounds at most",
                     "要約：20の位置のうち何か所から、その側が距離を必ず作れるか。最長何ラウンドか")  # fmt: skip
    columns = (_SIDE, _READING, _FIRST, _DISTANCE, Column("positions", Sentence("from", "位置の数")), Column("rounds", Sentence("rounds", "ラウンド")))
    rows: list[Row] = [(*key, len(found := [n for n in rounds.values() if n is not None]), max(found, default=None)) for key, rounds in _forced()]
    return Sheet("summary", title, columns, tuple(rows))


def _steps() -> Sheet:
    title = Sentence("One order to A's monster", "Aのモンスターへの一つの指示")
    columns = (_SQUARES, _DISTANCE, *(Column(icon.lower(), Sentence(icon, icon)) for icon in LETTERS))
    return Sheet("step", title, columns, tuple((p, abs(p[0] - p[1]), *(step(icon, *p) for icon in LETTERS)) for p in POSITIONS))


def _orders() -> Sheet:
    title = Sentence("A round's orders: where both are afterwards", "一ラウンドの指示の結果")
    ways = list(itertools.product(ORDERS, "AB"))
    columns = tuple(Column(f"{order.lower()}_{first.lower()}", Sentence(f"{order} {first}", f"{order} {first}")) for order, first in ways)
    rows: list[Row] = [(p, one + other, *(by[way] for way in ways)) for p in POSITIONS for (one, other), by in results(p).items()]
    return Sheet("orders", title, (_SQUARES, _ICONS, *columns), tuple(rows))


def _first() -> Sheet:
    title = Sentence("What depends on who orders first, one after the other", "順に指示するとき、どちらが先かによるもの")
    rows: list[Row] = [(p, a + b, *(results(p)[a, b]["OPEN", first] for first in _BY)) for p, a, b in depending_on_first()]
    return Sheet("first", title, (_SQUARES, _ICONS, *_BY.values()), tuple(rows))


def _at_once() -> Sheet:
    title = Sentence("What differs from both orders if the monsters move at the same time", "同時に動くと、どちらが先の結果とも違うもの")
    at_once = Column("at_once", Sentence("at once", "同時"))
    rows: list[Row] = [(p, a + b, *(results(p)[a, b]["OPEN", first] for first in _BY), results(p)[a, b]["SECRET_AT_ONCE", "A"]) for p, a, b in differing()]
    return Sheet("at_once", title, (_SQUARES, _ICONS, *_BY.values(), at_once), tuple(rows))


def _force() -> Sheet:
    title = Sentence("In how many rounds a side can force a distance from each position", "各位置から距離を必ず作れるまでのラウンド数")
    columns = (_SIDE, _READING, _FIRST, _DISTANCE, *(Column(f"{a}-{b}", Sentence(f"{a}-{b}", f"{a}-{b}")) for a, b in POSITIONS))
    return Sheet("force", title, columns, tuple((*key, *(rounds[p] for p in POSITIONS)) for key, rounds in _forced()))


def _forced() -> Iterator[tuple[Row, Mapping[Position, int | None]]]:
    """By side, reading, first player and distance: the rounds from each position. B sees the arena from the other end."""
    for side, order, first, wanted in itertools.product(_SIDES, ORDERS, "AB", _DISTANCES):
        if side == "A":
            rounds = rounds_to_force(wanted, first=first, order=order)
        else:
            seen = rounds_to_force(wanted, first=_SIDES[first], order=order)
            rounds = {(a, b): seen[b, a] for a, b in POSITIONS}
        yield (side, order, first, wanted), rounds


REPORTS: Mapping[str, Callable[[], Report]] = {"arena": arena}
"""The reports by name."""
