"""Sums over many cells, and how effects change them without a look at the single cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from monjudge.model.language import (
    FALSE,
    TRUE,
    Effect,
    Expr,
    bind,
    both,
    const,
    either,
    field,
    ite,
    mul,
    primed,
    substitute,
    walk,
)

__all__ = ["ZERO", "Change", "change_of", "lower", "summands", "whole"]


@lru_cache(maxsize=256)
def summands(number: Expr) -> tuple[Expr, ...]:
    """The numbers of which a number is the sum, with every sum over a range written out."""
    return tuple(_summands(number))


def _summands(number: Expr) -> Iterator[Expr]:
    if number.op == "add":
        for part in number.args:
            yield from _summands(part)
    elif number.op == "sum":
        variable, body = number.args
        for n in range(variable.lo, variable.hi + 1):
            yield from _summands(substitute(body, {str(variable.args[0]): const(n)}))
    elif number.op == "mul":
        yield from (number.args[0] * part for part in _summands(number.args[1]))
    else:
        yield number


ZERO = const(0)


@dataclass(frozen=True)
class Change:
    """What effects do to a sum: the summands ``rest`` may change and have to be compared, ``added`` is what becomes of all the others.

    That is right where ``never`` does not hold (an assignment to a cell that is not among the rest) and no bound is passed.
    """

    rest: tuple[Expr, ...]
    added: Expr = ZERO
    never: Expr = FALSE


@lru_cache(maxsize=256)
def change_of(parts: tuple[Expr, ...], effects: tuple[Effect, ...], when: Expr = TRUE, assigns: bool = False) -> Change:
    """How a sum changes by effects that happen where ``when`` holds: the variables of the rule are free in it.

    Where all cells of a field are summands with one factor, an increment adds its value times the factor, wherever it goes.
    That an effect assigns to such a field is what ``never`` excludes; where such effects are to be reckoned with (``assigns``),
    one that writes no cell twice puts its value in the place of what was there, and of fields with others the cells are compared one by one.
    """
    assigning = [e for e in effects if assigns and not e.adds]
    often = {e.family.uid for e in assigning if not _writes_once(e) or sum(other.family is e.family for other in assigning) > 1}
    counted = {uid: factor for uid, factor in whole(parts).items() if uid not in often}
    added, never = list[Expr](), list[Expr]()
    for e in effects:
        if e.family.uid in counted:
            inside = both(when, e.when, *(t for i, size in zip(e.indices, e.family.dims, strict=True) for t in (i >= 0, i < size)))
            if not e.adds and not assigns:
                never.append(_over(e.loops, "any", inside))
                continue
            put, was = (counted[e.family.uid], e.value), (-counted[e.family.uid], field(e.family, e.indices))
            added += [mul(factor, _over(e.loops, "sum", ite(inside, value, 0))) for factor, value in ([put] if e.adds else [put, was])]
    written = {e.family.uid for e in effects}
    rest = (p for p in parts if _place(p)[0] not in counted and any(n.op == "field" and n.args[0].uid in written for n in walk(p)))
    return Change(tuple(rest), sum(added, start=ZERO), either(*never))


def _over(loops: Sequence[Expr], op: str, what: Expr) -> Expr:
    for loop in reversed(loops):
        what = bind(op, loop, what)
    return what


def _writes_once(effect: Effect) -> bool:
    """Whether other values of the loops are other cells, as the indices show: each is a loop itself, or moved by a number."""
    moved = [i.args[0] if i.op == "add" and len(i.args) == 2 and i.args[1].is_const else i for i in effect.indices]
    return all(any(loop is i for i in moved) for loop in effect.loops)


def lower(measure: Sequence[Expr], effects: tuple[Effect, ...], when: Expr, or_equal: bool) -> Expr:
    """That these effects make the measure lower (or leave it the same), in lexicographic order; ``next`` is after them."""
    result = const(int(or_equal)) == 1
    for number in reversed(measure):
        parts = summands(number)
        change = change_of(parts, effects, when)
        if change.never is not FALSE:
            change = change_of(parts, effects, when, assigns=True)
        difference = sum((primed(part) - part for part in change.rest), start=change.added)
        result = (difference < 0) | ((difference == 0) & result)
    return result


def _place(part: Expr) -> tuple[int, int, int]:
    """The field (-1 for none), the place in it and the factor of a summand that is a cell."""
    factor, node = part.args if part.op == "mul" else (1, part)
    place = None
    if node.op == "field" and not node.args[1] and all(i.is_const for i in node.args[2:]):
        place = node.args[0].place([i.value for i in node.args[2:]])
    return (-1, 0, factor) if place is None else (node.args[0].uid, place, factor)


@lru_cache(maxsize=256)
def whole(parts: tuple[Expr, ...]) -> Mapping[int, int]:
    """The fields of which every cell is a summand once, all with one factor, with the factor."""
    found: dict[int, list[tuple[int, int]]] = {}
    size: dict[int, int] = {}
    for part in parts:
        uid, place, factor = _place(part)
        if uid >= 0:
            found.setdefault(uid, []).append((place, factor))
            size[uid] = (part.args[1] if part.op == "mul" else part).args[0].size
    return {
        uid: cells[0][1] for uid, cells in found.items()
        if len(cells) == len({place for place, _ in cells}) == size[uid] and len({factor for _, factor in cells}) == 1
    }  # fmt: skip
