"""Which cells effects may write, and how far a cell may go before its interval is checked."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod

from monjudge.model.language import Effect, Expr, ExpressionError, Family, RuleSet, add, mul, substitute, var

__all__ = ["factor", "may_collide", "reach"]


def may_collide(effects: Sequence[Effect]) -> bool:
    """Whether one cell may be written by two of these effects of one family, or twice by one of them."""
    return any(_hits_itself(e) for e in effects) or any(
        _may_meet(a, b) for n, a in enumerate(effects) for b in effects[:n]
    )


def _hits_itself(effect: Effect) -> bool:
    """Whether two rounds of the effect's loops may write one cell.

    They do not if every loop has an axis of its own, whose index moves with that loop alone.
    """
    names = {str(loop.args[0]) for loop in effect.loops}
    own = set()
    for index in effect.indices:
        inside = index.free & names
        if len(inside) == 1 and factor(index, name := next(iter(inside))):
            own.add(name)
    return own != names


def factor(node: Expr, name: str) -> int | None:
    """The factor of a variable in a linear expression; None if it is not linear in it."""
    if name not in node.free:
        return 0
    if node.op == "var":
        return 1
    if node.op == "mul":
        inner = factor(node.args[1], name)
        return None if inner is None else int(node.args[0] * inner)
    if node.op == "add":
        parts = [factor(a, name) for a in node.args]
        return None if None in parts else sum(p for p in parts if p is not None)
    return None


def _may_meet(a: Effect, b: Effect) -> bool:
    renamed = {loop.args[0]: var(f"?{n}", loop.lo, loop.hi) for n, loop in enumerate(b.loops)}
    return not any(_never_equal(i, substitute(j, renamed)) for i, j in zip(a.indices, b.indices, strict=True))


def _never_equal(a: Expr, b: Expr) -> bool:
    if a is b:
        return False
    if a.hi < b.lo or b.hi < a.lo:
        return True
    try:
        difference = add(a, mul(-1, b))
    except ExpressionError:  # beyond 32 bits, so nothing is known
        return False
    if difference.lo > 0 or difference.hi < 0:
        return True
    parts = difference.args if difference.op == "add" else (difference,)
    step = gcd(*(p.args[0] if p.op == "mul" else 1 for p in parts if not p.is_const))
    constant = sum(p.value for p in parts if p.is_const)
    return bool(constant % step) if step else constant != 0


def reach(rules: RuleSet, family: Family) -> tuple[int, int]:
    """The numbers a cell may hold in memory, before its interval is checked.

    Where effects cannot meet in a cell, each is checked before it is stored. Elsewhere
    only the sum of all is, so the cell must be wide enough for every sum on the way.
    """
    lo, hi = family.lo, family.hi
    for effects in (*(a.effects for a in rules.actions), *(t.effects for t in rules.triggers)):
        here = [e for e in effects if e.family is family]
        if any(e.may_overflow for e in here) and may_collide(here):
            puts = [e.value for e in here if not e.adds]
            gains = [(e.value, prod(v.hi - v.lo + 1 for v in e.loops)) for e in here if e.adds]
            low = min([family.lo, *(v.lo for v in puts)]) + sum(min(0, v.lo) * n for v, n in gains)
            high = max([family.hi, *(v.hi for v in puts)]) + sum(max(0, v.hi) * n for v, n in gains)
            lo, hi = min(lo, low), max(hi, high)
    return lo, hi
