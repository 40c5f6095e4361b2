"""What the clauses of an action, being true, say about the intervals of its expressions.

``height[c] < 6`` among the clauses bounds the cell ``height[c]``, so the effect
``height[c] += 1`` needs no check. Facts hold where they were assumed to hold: for the
effects of a move, which read the same state as its clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from functools import cache
from math import prod

from monjudge.model.language import (
    FALSE,
    TRUE,
    Effect,
    Expr,
    ExpressionError,
    Family,
    add,
    both,
    const,
    either,
    ite,
    le,
    lt,
    mul,
    substitute,
    walk,
)

__all__ = ["Facts", "Scalars", "implied", "parts"]

Interval = tuple[int, int]


CASES = 8
"""Values of parameters not known yet, for which a condition on parameters alone is written out."""

FEW = 64
"""Values of a scalar that are looked at one by one."""


def parts(condition: Expr) -> list[Expr]:
    """The conditions that together make this one."""
    return list(condition.args) if condition.op == "and" else [condition]


def implied(condition: Expr, known: Set[str]) -> Expr:
    """A condition on the known variables only that holds wherever this one does; TRUE where nothing is found."""
    if condition.free <= known:
        return condition
    if condition.op in ("and", "or"):
        return {"and": both, "or": either}[condition.op](*(implied(part, known) for part in condition.args))
    if condition.op == "ite":
        test, *ways = condition.args
        then, other = (implied(way, known) for way in ways)
        return ite(test, then, other) if test.free <= known else either(then, other)
    cases = _cases(condition, known)
    if cases is not None:
        return either(*cases)
    if condition.op not in ("lt", "le"):
        return TRUE
    try:
        gap = add(condition.args[1], mul(-1, condition.args[0]))
    except ExpressionError:  # beyond 32 bits
        return TRUE
    terms = gap.args if gap.op == "add" else (gap,)
    most = add(*(term if term.free <= known else term.hi for term in terms))
    return lt(0, most) if condition.op == "lt" else le(0, most)


def _cases(condition: Expr, known: Set[str]) -> list[Expr] | None:
    """A condition on parameters alone for every value of the unknown ones, if those are few."""
    if any(n.op in ("field", "all", "any", "sum") for n in walk(condition)):
        return None
    unknown = {n.uid: n for n in walk(condition) if n.op == "var" and n.args[0] not in known}.values()
    if prod(v.hi - v.lo + 1 for v in unknown) > CASES:
        return None
    found = [condition]
    for v in unknown:
        values = [const(bool(n) if v.is_bool else n) for n in range(v.lo, v.hi + 1)]
        found = [substitute(one, {v.args[0]: value}) for one in found for value in values]
    return found


@cache
def _scalar(condition: Expr) -> tuple[Family, frozenset[int]] | None:
    """The family of one cell that alone decides a condition, and for which values it holds; None if there is none."""
    families = {n.args[0] for n in walk(condition) if n.op == "field"}
    if condition.free or len(families) != 1 or any(n.op == "field" and n.args[1] for n in walk(condition)):
        return None
    family = families.pop()
    if family.dims or family.hi - family.lo >= FEW:
        return None
    holds = {
        v: substitute(condition, {}, lambda f, at, i, v=v: _value(f, v))  # type: ignore[misc]
        for v in range(family.lo, family.hi + 1)
    }
    return family, frozenset(v for v, truth in holds.items() if truth is not FALSE)


def _value(family: Family, number: int) -> Expr:
    return const(bool(number) if family.is_bool else number)


class Scalars:
    """Which values the families of one cell may have after effects, where conditions held before."""

    def __init__(self, conditions: Sequence[Expr], effects: Sequence[Effect]) -> None:
        self._values: dict[int, frozenset[int]] = {}
        for condition in conditions:
            known = _scalar(condition)
            if known is not None:
                family, values = known
                self._values[family.uid] = self._values.get(family.uid, values) & values
        for family in {e.family for e in effects if not e.family.dims}:
            here = [e for e in effects if e.family is family]
            if family.hi - family.lo >= FEW or any(e.adds for e in here):
                self._values.pop(family.uid, None)
                continue
            every = frozenset(range(family.lo, family.hi + 1))
            kept = frozenset[int]() if any(e.when is TRUE for e in here) else self._values.get(family.uid, every)
            self._values[family.uid] = kept.union(*(_results(e.value, every) for e in here))

    def allow(self, condition: Expr) -> bool:
        """Whether the condition may hold then."""
        known = _scalar(condition)
        return condition is not FALSE and (
            known is None or not self._values.get(known[0].uid, known[1]).isdisjoint(known[1])
        )


def _results(value: Expr, every: frozenset[int]) -> frozenset[int]:
    """Those of some values that an expression may have."""
    if value.op == "ite":
        return _results(value.args[1], every) | _results(value.args[2], every)
    return frozenset(n for n in every if value.lo <= n <= value.hi)


class Facts:
    """Intervals of expressions, narrowed by conditions known to hold."""

    def __init__(self, conditions: Iterable[Expr] = ()) -> None:
        self._known: dict[int, Interval] = {}
        self._found: dict[int, Interval] = {}
        for condition in conditions:
            self.assume(condition)

    def also(self, condition: Expr) -> Facts:
        """These facts and one more."""
        facts = Facts()
        facts._known = dict(self._known)
        facts.assume(condition)
        return facts

    def assume(self, condition: Expr) -> None:
        """Takes note that a condition holds."""
        op, args = condition.op, condition.args
        self._narrow(condition, 1, 1)
        if op == "and":
            for part in args:
                self.assume(part)
        elif op == "not":
            self._narrow(args[0], 0, 0)
            if args[0].op == "eq" and args[0].args[1].is_const:
                self._exclude(args[0].args[0], args[0].args[1].value)
        elif op in ("lt", "le"):
            gap = 1 if op == "lt" else 0
            self._narrow(args[0], args[0].lo, self.interval(args[1])[1] - gap)
            self._narrow(args[1], self.interval(args[0])[0] + gap, args[1].hi)
        elif op == "eq":
            for one, other in (args, args[::-1]):
                self._narrow(one, *self.interval(other))
        elif op == "in":
            self._narrow(args[0], args[1][0], args[1][-1])

    def _exclude(self, node: Expr, number: int) -> None:
        lo, hi = self.interval(node)
        self._narrow(node, lo + (lo == number), hi - (hi == number))

    def _narrow(self, node: Expr, lo: int, hi: int) -> None:
        was = self._known.get(node.uid, (node.lo, node.hi))
        lo, hi = max(lo, was[0]), min(hi, was[1])
        if lo > hi:  # the conditions contradict each other: nothing runs here, so nothing is learnt
            return
        self._known[node.uid] = lo, hi
        self._found.clear()
        if node.op == "add":
            constant = sum(a.value for a in node.args if a.is_const)
            rest = [a for a in node.args if not a.is_const]
            if len(rest) == 1:
                self._narrow(rest[0], lo - constant, hi - constant)
        elif node.op == "mul":
            k, inner = node.args
            low, high = (lo, hi) if k > 0 else (-hi, -lo)
            self._narrow(inner, -(-low // abs(k)), high // abs(k))

    def interval(self, node: Expr) -> Interval:
        """Bounds of the value wherever the facts hold; within ``node.lo..node.hi``."""
        found = self._found.get(node.uid)
        if found is None:
            lo, hi = self._structure(node)
            known = self._known.get(node.uid, (node.lo, node.hi))
            lo, hi = max(lo, known[0], node.lo), min(hi, known[1], node.hi)
            found = self._found[node.uid] = (lo, hi) if lo <= hi else (node.lo, node.hi)
        return found

    def _chosen(self, condition: Expr, number: Expr) -> Interval:
        """Bounds of a number that is taken where a condition holds, which may be about it: ``x if x >= 0``."""
        about = condition.op in ("lt", "le") and any(side is number for side in condition.args)
        return (self.also(condition) if about else self).interval(number)

    def _structure(self, node: Expr) -> Interval:
        op, args = node.op, node.args
        if not self._known and op != "ite":
            return node.lo, node.hi
        if op in ("add", "min", "max"):
            parts = [self.interval(a) for a in args]
            lows, highs = [p[0] for p in parts], [p[1] for p in parts]
            return (sum(lows), sum(highs)) if op == "add" else (min(lows), min(highs)) if op == "min" else (max(lows), max(highs))
        if op == "mul":
            ends = [args[0] * end for end in self.interval(args[1])]
            return min(ends), max(ends)
        if op == "ite":
            low, high = self.interval(args[0])
            taken = [self._chosen(args[0], args[1])] if high else []
            taken += [self.interval(args[2])] if not low else []
            return min(t[0] for t in taken), max(t[1] for t in taken)
        return node.lo, node.hi
