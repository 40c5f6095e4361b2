"""Exact answers about the arena (R.ARENA.1-5, R.MOVE.5-12): every position, every pair of orders, every reading.

All of it comes from the functions of ``arena`` that the rules use. A position is two squares, A's and B's.

>>> results((2, 4))["C", "C"]["OPEN", "A"], results((2, 4))["C", "C"]["SECRET_AT_ONCE", "A"]
((3, 4), (2, 4))
>>> rounds_to_force(1, first="B")[1, 5]
3
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from monjudge.model.rancher.arena import at_once, distance, ordered
from monjudge.model.rancher.cards import ICON
from monjudge.model.rancher.match import SQUARES

__all__ = [
    "LETTERS", "ORDERS", "POSITIONS", "Position", "depending_on_first", "differing", "report", "results", "rounds_to_force", "step",
]  # fmt: skip

Position = tuple[int, int]

LETTERS: Mapping[str, int] = MappingProxyType({label[0]: number for number, label in enumerate(ICON.labels)})
"""The icons by their first letters: C, R, H, S."""

ORDERS = ("OPEN", "SECRET_IN_ORDER", "SECRET_AT_ONCE")
"""The readings of AMB_MOVEORD."""

POSITIONS: tuple[Position, ...] = tuple(itertools.permutations(range(1, SQUARES + 1), 2))
"""All positions: the monsters are never on one square (R.MOVE.11)."""


@cache
def step(icon: str, own: int, other: int) -> Position:
    """Both squares after one order to the monster on ``own``; ``icon`` is a letter."""
    one, two = ordered(LETTERS[icon], own, other)
    return one.value, two.value


@cache
def _result(order: str, first: str, one: str, other: str, position: Position) -> Position:
    a, b = position
    if order == "SECRET_AT_ONCE":
        both = at_once(LETTERS[one], LETTERS[other], a, b)
        return both[0].value, both[1].value
    if first == "A":
        a, b = step(one, a, b)
        b, a = step(other, b, a)
    else:
        b, a = step(other, b, a)
        a, b = step(one, a, b)
    return a, b


def results(position: Position) -> Mapping[tuple[str, str], Mapping[tuple[str, str], Position]]:
    """By A's and B's icon, and by reading of AMB_MOVEORD and first player: where both are after a round's orders."""
    ways = list(itertools.product(ORDERS, "AB"))
    return {
        (one, other): {way: _result(*way, one, other, position) for way in ways} for one, other in itertools.product(LETTERS, repeat=2)
    }


def depending_on_first() -> list[tuple[Position, str, str]]:
    """Positions and pairs of icons for which it matters who orders first (orders carried out one after the other)."""
    return [
        (position, *icons) for position in POSITIONS for icons, by in results(position).items() if by["OPEN", "A"] != by["OPEN", "B"]
    ]


def differing() -> list[tuple[Position, str, str]]:
    """Positions and pairs of icons for which moving at the same time differs from both orders one after the other."""
    return [
        (position, *icons)
        for position in POSITIONS
        for icons, by in results(position).items()
        if by["SECRET_AT_ONCE", "A"] not in (by["OPEN", "A"], by["OPEN", "B"])
    ]


def rounds_to_force(
    wanted: int, *, first: str, order: str = "OPEN", own: Iterable[str] = LETTERS, other: Iterable[str] = LETTERS
) -> Mapping[Position, int | None]:
    """In how many rounds A can bring the distance to ``wanted`` at the end of a round's orders, whatever B does.

    ``own`` and ``other`` are the icons that A and B hold all the time (R.MOVE.4: cards return); a player without
    icons gives no order. None where A cannot force it at all.
    """
    mine, theirs = tuple(own) or ("H",), tuple(other) or ("H",)
    reached: dict[Position, int] = {}

    def good(position: Position) -> bool:
        return distance(*position).value == wanted or position in reached

    def forced(position: Position) -> bool:
        def result(one: str, two: str) -> bool:
            return good(_result(order, first, one, two, position))

        if order == "OPEN" and first == "B":
            return all(any(result(one, two) for one in mine) for two in theirs)
        return any(all(result(one, two) for two in theirs) for one in mine)

    for rounds in range(1, len(POSITIONS) + 1):
        new = [position for position in POSITIONS if position not in reached and forced(position)]
        if not new:
            break
        reached.update(dict.fromkeys(new, rounds))
    return {position: reached.get(position) for position in POSITIONS}


def report() -> dict[str, Any]:
    """All of it as plain data: the orders, those that depend on who is first, and the distances that A can force.

    What B can force is the same with the squares seen from the other end (6 less the square) and the first player exchanged.
    """
    orders = [
        {"squares": list(position), "icons": one + other, "results": [
            {"reading": order, "first": first, "squares": list(after)} for (order, first), after in by.items()]}
        for position in POSITIONS for (one, other), by in results(position).items()
    ]  # fmt: skip
    forced = [
        {"reading": order, "first": first, "distance": wanted, "rounds": [
            {"squares": list(p), "rounds": n} for p, n in rounds_to_force(wanted, first=first, order=order).items() if n is not None]}
        for order, first, wanted in itertools.product(ORDERS, "AB", range(1, SQUARES))
    ]  # fmt: skip
    depending, at_once = (
        [{"squares": list(p), "icons": one + other} for p, one, other in found] for found in (depending_on_first(), differing())
    )
    return {"orders": orders, "depending_on_first": depending, "at_once_differs": at_once, "forced": forced}
