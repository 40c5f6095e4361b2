"""How a condition on bound variables becomes bit operations, if it can: analysis only, no code.

The bit of a binding stands where the first cell of the body that moves with all variables
lies in its family. Every other cell must lie a constant number of bits away from there.
What the bindings decide against a number that they do not move is a word of bits looked up
by that number, and so is what a table says about a cell of few values.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from monjudge.model.language import (
    Expr,
    ExpressionError,
    Family,
    add,
    both,
    const,
    either,
    eq,
    evaluate,
    ite,
    le,
    lookup,
    lt,
    member,
    mul,
    negate,
    rebuild,
    substitute,
    walk,
)
from monjudge.solvers.engines.native.facts import Facts, parts
from monjudge.solvers.engines.native.layout import lanes
from monjudge.solvers.engines.native.writes import factor

__all__ = ["COUNTED", "LOOKED_UP", "Cells", "Plan", "Planner", "Tree", "atom"]

MOST = 64
"""Bits of a set."""

LOOKED_UP = 16
"""Cells whose entries in a table are looked up at once."""

COUNTED = 8
"""Bits of a set of which several parts are counted at once."""

Tree = tuple[Any, ...]
"""One of ``("whole", condition)``, ``("mask", bits)``, ``("not", tree)``, ``("same", tree, tree)``,
``("and", tree...)``, ``("or", tree...)``, ``("masks", number, bits...)`` (the bits for each value of the number,
from its least on) and ``("cells", cells, shift, moving, inside, outside)``: the
bits of the cells shifted right by ``shift`` and the values ``moving`` times their strides; ``inside``
and ``outside`` are the bits whose cells lie in the family or not."""


@dataclass(frozen=True, slots=True)
class Cells:
    """The bits of a family whose cells stand in a relation to a value: an LLVM predicate, or ``in``.

    ``in``: the cell is among the numbers whose bits are set in the word of the value (``words``, from the value's least on).
    """

    family: Family
    relation: str
    value: Expr
    first: int = 0
    count: int = 0
    """Of a family that is too large for a set: the cells from this place (and what moves it) on."""
    words: tuple[int, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        return self.family.uid, self.relation, self.value.uid, self.first, self.count, self.words

    def holds(self, number: int) -> Expr:
        """Whether the relation holds for a number instead of a cell."""
        x = const(number)
        match self.relation:
            case "in":
                return member(self.value, [self.value.lo + n for n, word in enumerate(self.words) if word >> number & 1])
            case "eq":
                return eq(x, self.value)
            case "ne":
                return ~eq(x, self.value)
            case "slt":
                return lt(x, self.value)
            case "sle":
                return le(x, self.value)
            case "sgt":
                return lt(self.value, x)
        return le(self.value, x)


def atom(node: Expr) -> tuple[Cells, tuple[Expr, ...]] | None:
    """A comparison of one cell with a value, and the indices of the cell; None if it is none."""
    if _is_cell(node):
        return Cells(node.args[0], "ne", const(0)), node.args[2:]
    if node.op not in ("eq", "lt", "le") or node.args[0].is_bool:
        return None
    left, right = node.args
    if _is_cell(left):
        return Cells(left.args[0], {"eq": "eq", "lt": "slt", "le": "sle"}[node.op], right), left.args[2:]
    if _is_cell(right):
        return Cells(right.args[0], {"eq": "eq", "lt": "sgt", "le": "sge"}[node.op], left), right.args[2:]
    return None


def _is_cell(node: Expr) -> bool:
    return node.op == "field" and not node.args[1]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a condition is computed: the bits of all bindings, a tree, how many cells it compares and words it looks up.

    ``in_order`` says that the bits of the bindings, in lexicographic order, are 0, 1, 2, ...
    """

    domain: int
    tree: Tree
    cells: int
    words: int
    in_order: bool


class Planner:
    """Plans conditions on some axes (bound variables), with what is known of intervals there."""

    def __init__(
        self, axes: Sequence[Expr], facts: Facts, spread: Callable[[Expr], Expr], can_compare: Callable[[Cells], bool]
    ) -> None:  # fmt: skip
        self.axes, self.facts, self.spread, self.can_compare = axes, facts, spread, can_compare
        self.names = [str(a.args[0]) for a in axes]
        self.bindings: list[Mapping[str, int]] = []
        self.bits: list[int] = []
        self.cells = self.words = 0

    def plan(self, body: Expr) -> Plan | None:
        """The plan, or None where there is none."""
        if prod(a.hi - a.lo + 1 for a in self.axes) > MOST or not self._lay_out(body):
            return None
        tree = self._tree(body)
        if tree is None:
            return None
        in_order = self.bits == list(range(len(self.bits)))
        return Plan(self._mask([True] * len(self.bits)), tree, self.cells, self.words, in_order)

    def _lay_out(self, body: Expr) -> bool:
        """Where the bits of the bindings stand: as a cell of the body moves, in order if none does; whether they fit."""
        values = itertools.product(*(range(a.lo, a.hi + 1) for a in self.axes))
        self.bindings = [dict(zip(self.names, v, strict=True)) for v in values]
        self.bits = list(range(len(self.bindings)))
        if self._is_fixed(body):
            return True
        for node in walk(body):
            if not _is_cell(node):
                continue
            strides = [_stride(node.args[0].dims, node.args[2:], name) for name in self.names]
            if all(strides):
                places = [sum(v * s for v, s in zip(b.values(), strides, strict=True) if s) for b in self.bindings]
                self.bits = [p - min(places) for p in places]
                return len(set(self.bits)) == len(self.bits) and max(self.bits) < MOST
        return True

    def _mask(self, members: Sequence[bool]) -> int:
        return sum(1 << bit for bit, member in zip(self.bits, members, strict=True) if member)

    def _tree(self, node: Expr) -> Tree | None:
        names = node.free & set(self.names)
        if not names:
            return "whole", node
        found = atom(node)
        cells = self._cells(*found) if found is not None else self._entries(node)
        if cells is not None:
            return cells
        if node.op in ("and", "or", "not") or (node.op == "eq" and node.args[0].is_bool):
            parts = [self._tree(a) for a in node.args]
            return None if None in parts else ({"eq": "same"}.get(node.op, node.op), *parts)
        if node.op == "ite" and node.is_bool:
            condition, then, other = node.args
            return self._tree(either(both(condition, then), both(negate(condition), other)))
        if node.op in ("all", "any") and node.args[0].hi - node.args[0].lo < 8:
            return self._tree(self.spread(node))
        if node.op == "in" and _is_cell(node.args[0]):
            cell, numbers = node.args
            return self._tree(either(*(both(le(run[0], cell), le(cell, run[-1])) for run in runs(numbers))))
        if self._is_fixed(node):
            return "mask", self._fixed(node)
        if node.op in ("eq", "lt", "le"):
            return self._masks(node) or self._counted(node) or self._by_cases(node)
        return None

    def _is_fixed(self, node: Expr) -> bool:
        """Whether the bindings alone decide."""
        return node.free <= set(self.names) and not any(n.op == "field" for n in walk(node))

    def _fixed(self, node: Expr) -> int:
        return self._mask([bool(evaluate(node, (), binding)) for binding in self.bindings])

    def _masks(self, node: Expr) -> Tree | None:
        """A comparison of what the bindings decide with what they do not move."""
        try:
            gap = add(node.args[1], mul(-1, node.args[0]))
        except ExpressionError:  # beyond 32 bits
            return None
        terms = gap.args if gap.op == "add" else (gap,)
        fixed = add(*(t for t in terms if self._is_fixed(t)))
        rest = add(*(t for t in terms if not self._is_fixed(t)))
        if rest.free & set(self.names) or rest.hi - rest.lo >= MOST:
            return None
        ours = [evaluate(fixed, (), binding) for binding in self.bindings]
        test = {"eq": int.__eq__, "lt": int.__lt__, "le": int.__le__}[node.op]
        self.words += 1
        return "masks", rest, *(self._mask([test(0, n + our) for our in ours]) for n in range(rest.lo, rest.hi + 1))

    def _by_cases(self, node: Expr) -> Tree | None:
        """A comparison with one of two numbers as two comparisons."""
        for at, choice in enumerate(node.args):
            if choice.op == "ite":
                one, other = ([value, node.args[1]] if at == 0 else [node.args[0], value] for value in choice.args[1:])
                return self._tree(ite(choice.args[0], rebuild(node, one), rebuild(node, other)))
        return None

    def _counted(self, node: Expr) -> Tree | None:
        """A count over another variable, some conditions on which the bindings decide, compared with a number."""
        for at, count in enumerate(node.args):
            number = node.args[1 - at]
            if count.op != "sum" or number.free & set(self.names) or number.lo < -128 or number.hi > 127:
                continue
            (variable, body), in_order = count.args, self.bits == list(range(len(self.bits)))
            size = variable.hi - variable.lo + 1
            counts = body.op == "ite" and body.args[1] is const(1) and body.args[2] is const(0)
            if not counts or size > COUNTED or len(self.bits) > COUNTED or not in_order:
                continue
            name = str(variable.args[0])
            decided: list[Expr] = []
            others: list[Expr] = []
            for p in parts(body.args[0]):
                fixed = p.free <= {*self.names, name} and not any(n.op == "field" for n in walk(p))
                (decided if fixed else others).append(p)
            rest = both(*others)
            plan = Planner([variable], self.facts, self.spread, self.can_compare).plan(rest)
            if plan is None or not plan.in_order or rest.free & set(self.names):
                continue
            self.cells += 1 + plan.cells
            words = (
                sum(1 << n for n in range(size) if all(evaluate(p, (), {**b, name: variable.lo + n}) == 1 for p in decided))
                for b in self.bindings
            )
            return "counted", plan, tuple(words), node.op, number, at
        return None

    def _entries(self, node: Expr) -> Tree | None:
        """What a table says about one cell of few values: a truth, or a number compared with one that does not move."""
        if node.op == "table":
            looked_up, number, order = node, const(0), 0
        elif node.op in ("eq", "lt", "le") and not node.args[0].is_bool:
            order = 0 if node.args[0].op == "table" else 1
            looked_up, number = node.args[order], node.args[1 - order]
        else:
            return None
        if looked_up.op != "table" or len(looked_up.args) != 2 or not _is_cell(looked_up.args[1]):
            return None
        table, cell = looked_up.args
        family = cell.args[0]
        if family.lo < 0 or family.hi >= MOST or number.free & set(self.names) or number.hi - number.lo >= MOST:
            return None
        entries = [evaluate(lookup(table, v), ()) for v in range(family.hi + 1)]
        numbers = range(number.lo, number.hi + 1)
        if node is looked_up:
            truths = [[bool(e) for e in entries]]
        else:
            test = {"eq": int.__eq__, "lt": int.__lt__, "le": int.__le__}[node.op]
            truths = [[test(e, n) if order == 0 else test(n, e) for e in entries] for n in numbers]
        words = tuple(sum(1 << v for v, truth in enumerate(row) if truth) for row in truths)
        return self._cells(Cells(family, "in", number, words=words), cell.args[2:])

    def _cells(self, cells: Cells, indices: Sequence[Expr]) -> Tree | None:
        """The cells of all bindings, if one shift leads to them."""
        moving = self._moving(cells.family, indices)
        if moving is None or cells.value.free & set(self.names):
            return None
        places = [cells.family.place([_fixed_part(i, binding, self.names) for i in indices]) for binding in self.bindings]
        inside = [place is not None for place in places]
        shifts = {place - bit for bit, place in zip(self.bits, places, strict=True) if place is not None}
        if (lanes(cells.family.size) is None or (cells.words and cells.family.size > LOOKED_UP)) and shifts:
            first = min(place for place in places if place is not None)
            cells = replace(cells, first=first, count=max(self.bits) + 1)
            shifts = {shift - first for shift in shifts}
        if not self.can_compare(cells):
            return None
        if cells.count:
            self.cells += 1
            fits = len(shifts) == 1 and (not moving or all(inside))
            return ("cells", cells, min(shifts), moving, self._mask(inside), self._mask([not i for i in inside])) if fits else None
        if len(shifts) > 1 or sum(self.facts.interval(rest)[0] * stride for rest, stride in moving) < 0:
            return None
        self.cells += 1
        return "cells", cells, min(shifts, default=0), moving, self._mask(inside), self._mask([not i for i in inside])

    def _moving(self, family: Family, indices: Sequence[Expr]) -> list[tuple[Expr, int]] | None:
        """The parts of the indices that no binding fixes, with their strides; None if they may lie outside."""
        found, stride = [], 1
        for index, dim in zip(reversed(indices), reversed(family.dims), strict=True):
            factors = [factor(index, name) for name in self.names]
            if None in factors:
                return None
            rest = substitute(index, dict.fromkeys(self.names, 0))
            if not rest.is_const:
                ends = [[k * a.lo, k * a.hi] for k, a in zip(factors, self.axes, strict=True) if k is not None]
                lo, hi = self.facts.interval(rest)
                if lo + sum(map(min, ends)) < 0 or hi + sum(map(max, ends)) >= dim:
                    return None
                found.append((rest, stride))
            stride *= dim
        return found


def runs(numbers: Sequence[int]) -> list[list[int]]:
    """Sorted numbers in runs of consecutive ones."""
    found: list[list[int]] = []
    for n in numbers:
        if found and found[-1][-1] == n - 1:
            found[-1].append(n)
        else:
            found.append([n])
    return found


def _stride(dims: Sequence[int], indices: Sequence[Expr], name: str) -> int | None:
    """How far a cell moves when a variable grows by one; None if not evenly."""
    total, stride = 0, 1
    for index, dim in zip(reversed(indices), reversed(dims), strict=True):
        k = factor(index, name)
        if k is None:
            return None
        total += k * stride
        stride *= dim
    return total


def _fixed_part(index: Expr, binding: Mapping[str, int], names: Sequence[str]) -> int:
    """The value of a linear index without what no binding fixes."""
    rest = substitute(index, dict.fromkeys(names, 0))
    return (rest.value if rest.is_const else 0) + sum((factor(index, n) or 0) * v for n, v in binding.items())
