"""Saying something of many numbers: quantifiers, sums, extremes and tables, over Python functions."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakValueDictionary

from monjudge.model.language.expr import (
    TRUE,
    Expr,
    ExpressionError,
    add,
    as_int,
    bind,
    const,
    le,
    lift,
    lookup,
    maximum,
    minimum,
    var,
)
from monjudge.model.language.family import Table

__all__ = ["all_of", "any_of", "at_least", "count_of", "max_of", "min_of", "sum_of", "tabulate"]


class _Nesting(threading.local):
    """How many bodies of quantifiers are being written just now, one in another."""

    level = 0


_nesting = _Nesting()
_bound: WeakValueDictionary[tuple[str, int, int], Expr] = WeakValueDictionary()


def _over(op: str, span: range | int, body: Callable[[Expr], Any]) -> Expr:
    numbers = range(span) if isinstance(span, int) else span
    if numbers.step != 1:
        raise ExpressionError(f"a quantifier runs over consecutive numbers, not over {numbers}")
    # Named by its level until ``bind`` names it: what is said again is the same object, and bound only once.
    temporary = var(f"?q{_nesting.level}", numbers.start, numbers.stop - 1)
    if not numbers:
        return bind(op, temporary, const(0) if op == "sum" else TRUE)
    _nesting.level += 1
    try:
        node = lift(body(temporary))
    finally:
        _nesting.level -= 1
    key = (op, temporary.uid, node.uid)
    found = _bound.get(key)
    if found is None:
        found = _bound[key] = bind(op, temporary, node)
    return found


def all_of(span: range | int, body: Callable[[Expr], Any]) -> Expr:
    """Whether the body holds for every number of the span."""
    return _over("all", span, body)


def any_of(span: range | int, body: Callable[[Expr], Any]) -> Expr:
    """Whether the body holds for some number of the span."""
    return _over("any", span, body)


def sum_of(span: range | int, body: Callable[[Expr], Any]) -> Expr:
    """The sum of the body over the span."""
    return _over("sum", span, body)


def count_of(span: range | int, body: Callable[[Expr], Any]) -> Expr:
    """For how many numbers of the span the body holds."""
    return _over("sum", span, lambda i: as_int(body(i)))


def max_of(span: range | int, body: Callable[[Expr], Any]) -> Expr:
    """The greatest value of the body over the (small) span."""
    return maximum(*(body(const(n)) for n in (range(span) if isinstance(span, int) else span)))


def min_of(span: range | int, body: Callable[[Expr], Any]) -> Expr:
    """The least value of the body over the (small) span."""
    return minimum(*(body(const(n)) for n in (range(span) if isinstance(span, int) else span)))


def at_least(k: int, terms: Sequence[Any]) -> Expr:
    """Whether at least ``k`` of the terms hold."""
    return le(k, add(*(as_int(t) for t in terms)))


def tabulate(fn: Callable[[int], int | bool], value: Any, name: str = "") -> Expr:
    """``fn`` of the value as a table over its interval, e.g. a division.

    >>> from monjudge.model.language import evaluate, var
    >>> half = tabulate(lambda d: d // 2, var("d", 0, 38))
    >>> evaluate(half, (), {"d": 7})
    3
    """
    node = lift(value)
    entries = tuple(fn(n) for n in range(node.lo, node.hi + 1))
    return lookup(Table.of(name, (len(entries),), entries, entries[0]), node - node.lo)
