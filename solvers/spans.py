"""Bounds of an expression some of whose cells are not known: what it is at least, and at most.

Of a truth value the bounds are whether it must hold and whether it may. Both are expressions over what is known, so
that a rule set can be rewritten with them; where nothing unknown is read both are the expression itself. They are
bounds, not always the narrowest (interval arithmetic: what is read twice may count as two different values).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from monjudge.model.language import Expr, Family, add, both, either, eq, ite, le, lookup, lt, member
from monjudge.model.language.expr import FALSE, TRUE, bind, const, field, maximum, minimum, mul, negate, rebuild, walk

__all__ = ["Span", "Spans"]


class Span(NamedTuple):
    """A value lies in ``least..most``; of a truth value whether it must hold, and whether it may."""

    least: Expr
    most: Expr

    @property
    def exact(self) -> bool:
        """Whether nothing unknown makes a difference."""
        return self.least is self.most


Cell = Callable[[Family, tuple[Expr, ...]], "Span | None"]
"""The bounds of a cell of a family, its indices known; None where every cell of the family is known."""

Row = Callable[[Family, tuple[Expr, ...], Expr], "Expr | None"]
"""How many pieces lie in a row of a family (its indices but the last) as long as the variable runs over all kinds; None if it does not."""


class Spans:
    """The bounds of expressions of one rule set, each worked out once."""

    def __init__(self, cell: Cell, row: Row) -> None:
        self.cell, self.row = cell, row
        self._known: dict[int, Span] = {}
        self._kept: list[Expr] = []

    def of(self, node: Expr) -> Span:
        """The bounds of an expression over the state before a move."""
        for below in walk(node):
            if below.uid not in self._known:
                self._known[below.uid] = self._of(below)
                self._kept.append(below)  # a number is given anew when its expression is gone
        return self._known[node.uid]

    def _of(self, node: Expr) -> Span:
        if node.op in ("const", "var"):
            return Span(node, node)
        if node.op == "field":
            return self._field(node)
        if node.op in ("all", "any", "sum"):
            return self._bound(node)
        args = [self._known[a.uid] if isinstance(a, Expr) else a for a in node.args]
        if all(a.exact for a in args if isinstance(a, Span)):
            same = rebuild(node, [a.least if isinstance(a, Span) else a for a in args])
            return Span(same, same)
        found: Span = getattr(self, f"_{node.op}")(*args)
        return found

    def _field(self, node: Expr) -> Span:
        family, at, *indices = node.args
        places = [self._known[i.uid] for i in indices]
        if not all(p.exact for p in places):
            return _widest(node)
        where = tuple(p.least for p in places)
        found = self.cell(family, where) if not at else None
        same = field(family, where, at)
        return found or Span(same, same)

    # -- numbers --------------------------------------------------------------------------

    def _add(self, *terms: Span) -> Span:
        return Span(add(*(t.least for t in terms)), add(*(t.most for t in terms)))

    def _mul(self, factor: int, term: Span) -> Span:
        low, high = mul(factor, term.least), mul(factor, term.most)
        return Span(low, high) if factor >= 0 else Span(high, low)

    def _min(self, *terms: Span) -> Span:
        return Span(minimum(*(t.least for t in terms)), minimum(*(t.most for t in terms)))

    def _max(self, *terms: Span) -> Span:
        return Span(maximum(*(t.least for t in terms)), maximum(*(t.most for t in terms)))

    def _table(self, table: object, *indices: Span) -> Span:
        return _widest(lookup(table, *(i.most for i in indices)), table)  # type: ignore[arg-type]

    # -- truth values ---------------------------------------------------------------------

    def _eq(self, a: Span, b: Span) -> Span:
        if a.least.is_bool:
            return Span(
                either(both(a.least, b.least), both(negate(a.most), negate(b.most))),
                either(both(a.most, b.most), both(negate(a.least), negate(b.least))),
            )
        return Span(both(le(b.most, a.least), le(a.most, b.least)), both(le(a.least, b.most), le(b.least, a.most)))

    def _lt(self, a: Span, b: Span) -> Span:
        return Span(lt(a.most, b.least), lt(a.least, b.most))

    def _le(self, a: Span, b: Span) -> Span:
        return Span(le(a.most, b.least), le(a.least, b.most))

    def _in(self, value: Span, numbers: tuple[int, ...]) -> Span:
        sure = both(eq(value.least, value.most), member(value.least, numbers))
        return Span(sure, either(*(both(le(value.least, n), le(n, value.most)) for n in numbers)))

    def _and(self, *terms: Span) -> Span:
        return Span(both(*(t.least for t in terms)), both(*(t.most for t in terms)))

    def _or(self, *terms: Span) -> Span:
        return Span(either(*(t.least for t in terms)), either(*(t.most for t in terms)))

    def _not(self, term: Span) -> Span:
        return Span(negate(term.most), negate(term.least))

    def _ite(self, condition: Span, then: Span, other: Span) -> Span:
        if then.least.is_bool:
            return Span(
                ite(condition.least, then.least, both(other.least, either(negate(condition.most), then.least))),
                ite(condition.least, then.most, either(other.most, both(condition.most, then.most))),
            )
        open_low, open_high = minimum(then.least, other.least), maximum(then.most, other.most)
        return Span(
            ite(condition.least, then.least, ite(condition.most, open_low, other.least)),
            ite(condition.least, then.most, ite(condition.most, open_high, other.most)),
        )

    # -- quantifiers ----------------------------------------------------------------------

    def _bound(self, node: Expr) -> Span:
        variable, body = node.args
        whole = self._whole(node.op, variable, body)
        if whole is not None:
            return Span(whole, whole)
        span = self._known[body.uid]
        return Span(bind(node.op, variable, span.least), bind(node.op, variable, span.most))

    def _whole(self, op: str, variable: Expr, body: Expr) -> Expr | None:
        """What is asked of a whole row: how many pieces lie there, whether there is one, whether there is none."""
        cell, least = body, 0
        if op == "any" and body.op == "lt" and body.args[0].is_const and body.args[0].value == 0:
            cell, least = body.args[1], 1
        elif op == "all" and body.op == "eq" and body.args[1].is_const and body.args[1].value == 0:
            cell = body.args[0]
        elif op != "sum":
            return None
        if cell.op != "field" or cell.args[1] or cell.args[-1] is not variable:
            return None
        places = [self._known[i.uid] for i in cell.args[2:-1]]
        if not all(p.exact and variable.args[0] not in p.least.free for p in places):
            return None
        count = self.row(cell.args[0], tuple(p.least for p in places), variable)
        if count is None:
            return None
        return count if op == "sum" else lt(0, count) if least else eq(count, 0)


def _widest(node: Expr, table: object = None) -> Span:
    """All values that an expression, or an entry of a table, may have."""
    if node.is_bool:
        values = set(table.values) | {table.default} if table is not None else {False, True}  # type: ignore[attr-defined]
        return Span(TRUE if values == {True} else FALSE, FALSE if values == {False} else TRUE)
    if table is None:
        return Span(const(node.lo), const(node.hi))
    numbers = (*table.values, table.default)  # type: ignore[attr-defined]
    return Span(const(min(numbers)), const(max(numbers)))
