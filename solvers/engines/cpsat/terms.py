"""Terms of CP-SAT: linear expressions with intervals, literals, and the operations of the rule language on them.

Each operation posts constraints that fix its result from its operands **in both
directions**, so a term has exactly one value for every assignment of the variables below
it, and may stand under any connective. Sums and products with constants stay linear
expressions and cost nothing; what the intervals decide is never posted.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

try:
    from ortools.sat.python import cp_model as cp
except ImportError as missing:
    raise ImportError(
        'the engine "cpsat" needs OR-Tools: pip install "monjudge[cpsat]" / '
        'エンジン cpsat には OR-Tools が必要です：pip install "monjudge[cpsat]"'
    ) from missing

__all__ = ["Number", "SymbolicState", "Term", "Terms", "Truth", "cp"]

Truth = Any
"""A literal of CP-SAT, or ``True`` or ``False`` where it is known."""

Term = Any
"""A ``Number`` or a ``Truth``."""


class Number:
    """A linear expression whose value lies in ``lo..hi``; where the two are equal it is that number."""

    __slots__ = ("hi", "linear", "lo")

    def __init__(self, lo: int, hi: int, linear: Any = None) -> None:
        self.lo, self.hi = lo, hi
        self.linear = lo if lo == hi else linear

    @property
    def is_known(self) -> bool:
        return self.lo == self.hi


class SymbolicState:
    """One term for each cell, in the order of ``State``; what was translated in it is remembered."""

    __slots__ = ("memo", "terms")

    def __init__(self, terms: Iterable[Term]) -> None:
        self.terms: tuple[Term, ...] = tuple(terms)
        self.memo: dict[Any, Term] = {}


class Terms:
    """A model of CP-SAT in the making."""

    def __init__(self) -> None:
        self.model = cp.CpModel()
        self._variables: dict[Number, Any] = {}
        self._equal: dict[tuple[Number, int], Any] = {}

    def known(self, value: int, is_bool: bool = False) -> Term:
        return bool(value) if is_bool else Number(value, value)

    def variable(self, lo: int, hi: int, is_bool: bool = False) -> Term:
        """A variable of the model (a known term where the interval holds one value)."""
        if lo == hi or not is_bool:
            return self.known(lo, is_bool) if is_bool else self.number(lo, hi)
        return self.model.new_bool_var("")

    def number(self, lo: int, hi: int) -> Number:
        """A new variable with these values, or the number where there is one."""
        return Number(lo, hi, None if lo == hi else self.model.new_int_var(lo, hi, ""))

    def require(self, truth: Truth) -> None:
        """Posts that the truth value holds."""
        if truth is not True:
            self.model.add_bool_or([] if truth is False else [truth])

    def pin(self, term: Term, value: int) -> None:
        """Posts that the term has this value (0 or 1 for a truth value)."""
        if term.__class__ is Number and term.lo < term.hi and term.lo <= value <= term.hi:
            self.model.add(term.linear == value)
        else:
            self.require(self.eq(term, self.known(value, term.__class__ is not Number)))

    def linear(self, term: Term) -> Any:
        """The term as a linear expression or a number; a truth value is 0 or 1."""
        if term.__class__ is Number:
            return term.linear
        return int(term) if term.__class__ is bool else term

    def add(self, terms: Sequence[Number]) -> Number:
        lo, hi = sum(t.lo for t in terms), sum(t.hi for t in terms)
        return Number(lo, hi, None if lo == hi else cp.LinearExpr.sum([t.linear for t in terms]))

    def scale(self, k: int, n: Number) -> Number:
        lo, hi = sorted((k * n.lo, k * n.hi))
        return Number(lo, hi, None if lo == hi else k * n.linear)

    def least(self, terms: Sequence[Number]) -> Number:
        result = self.number(min(t.lo for t in terms), min(t.hi for t in terms))
        if not result.is_known:
            self.model.add_min_equality(result.linear, [t.linear for t in terms])
        return result

    def greatest(self, terms: Sequence[Number]) -> Number:
        result = self.number(max(t.lo for t in terms), max(t.hi for t in terms))
        if not result.is_known:
            self.model.add_max_equality(result.linear, [t.linear for t in terms])
        return result

    def eq(self, a: Term, b: Term) -> Truth:
        """Equality of two numbers or of two truth values."""
        if a.__class__ is not Number:
            return self._same_truth(a, b)
        if a.hi < b.lo or b.hi < a.lo:
            return False
        if a.is_known:
            a, b = b, a
        if a.is_known or a is b:
            return True
        if not b.is_known:
            return self._decide(a.linear == b.linear, a.linear != b.linear)
        found = self._equal.get((a, b.lo))
        if found is None:
            found = self._equal[a, b.lo] = self._decide(a.linear == b.lo, a.linear != b.lo)
        return found

    def _same_truth(self, a: Truth, b: Truth) -> Truth:
        if a.__class__ is bool:
            a, b = b, a
        if b.__class__ is bool:
            return self.negate(a) if not b else a
        return self._decide(a == b, a + b == 1)

    def le(self, a: Number, b: Number) -> Truth:
        if a.hi <= b.lo:
            return True
        if a.lo > b.hi:
            return False
        return self._decide(a.linear <= b.linear, a.linear >= b.linear + 1)

    def lt(self, a: Number, b: Number) -> Truth:
        return self.negate(self.le(b, a))

    def member(self, n: Number, values: Iterable[int]) -> Truth:
        kept = [v for v in values if n.lo <= v <= n.hi]
        if n.is_known or not kept:
            return bool(kept)
        domain, literal = cp.Domain.from_values(kept), self.model.new_bool_var("")
        self.model.add_linear_expression_in_domain(n.linear, domain).only_enforce_if(literal)
        self.model.add_linear_expression_in_domain(n.linear, domain.complement()).only_enforce_if(~literal)
        return literal

    def _decide(self, holds: Any, fails: Any) -> Any:
        """The literal that holds with the first constraint and fails with the second, its opposite."""
        literal = self.model.new_bool_var("")
        self.model.add(holds).only_enforce_if(literal)
        self.model.add(fails).only_enforce_if(~literal)
        return literal

    def negate(self, truth: Truth) -> Truth:
        return not truth if truth.__class__ is bool else ~truth

    def both(self, truths: Iterable[Truth]) -> Truth:
        """The conjunction; of nothing, ``True``."""
        kept = []
        for t in truths:
            if t is False:
                return False
            if t is not True:
                kept.append(t)
        if len(kept) < 2:
            return kept[0] if kept else True
        literal = self.model.new_bool_var("")
        self.model.add_bool_and(kept).only_enforce_if(literal)
        self.model.add_bool_or([literal, *(~t for t in kept)])
        return literal

    def either(self, truths: Iterable[Truth]) -> Truth:
        """The disjunction; of nothing, ``False``."""
        return self.negate(self.both([self.negate(t) for t in truths]))

    def ite(self, c: Truth, a: Term, b: Term) -> Term:
        """``a`` where ``c`` holds, else ``b``; both numbers or both truth values."""
        if c.__class__ is bool:
            return a if c else b
        if a is b:
            return a
        if a.__class__ is not Number:
            return self._ite_truth(c, a, b)
        lo, hi = min(a.lo, b.lo), max(a.hi, b.hi)
        if a.is_known and b.is_known:
            return Number(lo, hi, None if lo == hi else (a.lo - b.lo) * c + b.lo)
        result = self.number(lo, hi)
        self.model.add(result.linear == a.linear).only_enforce_if(c)
        self.model.add(result.linear == b.linear).only_enforce_if(~c)
        return result

    def _ite_truth(self, c: Any, a: Truth, b: Truth) -> Any:
        result = self.model.new_bool_var("")
        for condition, value in ((c, a), (~c, b)):
            value = self.linear(value)
            self.model.add(result == value).only_enforce_if(condition)
        return result

    def confined(self, n: Number, lo: int, hi: int) -> tuple[Number, Truth]:
        """The number as one in ``lo..hi``, and whether it lies there; where it does not, the first is ``lo``."""
        if lo <= n.lo and n.hi <= hi:
            return n, True
        inside = self.both((self.le(Number(lo, lo), n), self.le(n, Number(hi, hi))))
        if inside is False:
            return Number(lo, lo), False
        result = self.number(lo, hi)
        self.model.add(result.linear == n.linear).only_enforce_if(inside)
        self.model.add(result.linear == lo).only_enforce_if(~inside)
        return result, inside

    def kept(self, n: Number, lo: int, hi: int) -> Number:
        """The number, of which is posted that it lies in ``lo..hi``."""
        low, high = max(lo, n.lo), min(hi, n.hi)
        if low > high:
            self.require(False)
            return Number(lo, lo)
        if (low, high) != (n.lo, n.hi):
            self.model.add_linear_constraint(n.linear, low, high)
        return Number(low, high, n.linear)

    def select(self, indices: Sequence[Number], dims: Sequence[int], leaf: Callable[[int], Term], default: Term) -> Term:
        """The leaf at a row-major place, ``default`` outside."""
        axes = [self._reach(i, d) for i, d in zip(indices, dims, strict=True)]
        leaves = []
        for place in itertools.product(*(range(i.lo, i.hi + 1) for i in axes)):
            position, inside = 0, True
            for k, size in zip(place, dims, strict=True):
                position, inside = position * size + k, inside and 0 <= k < size
            leaves.append(leaf(position) if inside else default)
        if all(each is leaves[0] for each in leaves):
            return leaves[0]
        lo, hi = min(map(_least, leaves)), max(map(_greatest, leaves))
        result = self.variable(lo, hi, default.__class__ is not Number)
        if lo == hi:
            return result
        if all(_least(each) == _greatest(each) for each in leaves):
            self._tabulate(axes, result, [self.linear(each) for each in leaves])
        else:
            self._pick(axes, result, leaves)
        return result

    def _reach(self, index: Number, size: int) -> Number:
        """The index, with everything that lies outside the axis drawn to its two neighbours."""
        lo, hi = max(index.lo, -1), min(index.hi, size)
        if (lo, hi) == (index.lo, index.hi):
            return index
        if lo >= hi:
            return Number(size, size) if index.lo >= size else Number(-1, -1) if index.hi < 0 else Number(lo, lo)
        return self.greatest([self.least([index, Number(size, size)]), Number(-1, -1)])

    def _tabulate(self, axes: Sequence[Number], result: Term, values: Sequence[int]) -> None:
        open_axes = [i for i in axes if not i.is_known]
        if len(open_axes) == 1:
            self._sort(open_axes[0], result, values)
            return
        rows = itertools.product(*(range(i.lo, i.hi + 1) for i in open_axes))
        variables = [*(self.single(i) for i in open_axes), self.linear(result)]
        self.model.add_allowed_assignments(variables, [(*row, v) for row, v in zip(rows, values, strict=True)])

    def _sort(self, index: Number, result: Term, values: Sequence[int]) -> None:
        """Posts that the result is the value at the index, value by value: a table is taken apart into a literal for each place."""
        places: dict[int, list[int]] = {}
        for place, value in enumerate(values, index.lo):
            places.setdefault(value, []).append(place)
        literals = [self.eq(result, self.known(value, result.__class__ is not Number)) for value in places]
        for literal, where in zip(literals, places.values(), strict=True):
            self.model.add_linear_expression_in_domain(index.linear, cp.Domain.from_values(where)).only_enforce_if(literal)
        self.model.add_exactly_one(literals)

    def _pick(self, axes: Sequence[Number], result: Term, leaves: Sequence[Term]) -> None:
        place = Number(0, 0)
        for i in axes:
            begin = self.add([i, Number(-i.lo, -i.lo)])
            place = self.add([self.scale(i.hi - i.lo + 1, place), begin])
        self.model.add_element(self.single(place), [self.single(t) for t in leaves], self.linear(result))

    def single(self, term: Term) -> Any:
        """The term as one variable, literal or number, where CP-SAT takes no sums."""
        if term.__class__ is not Number or term.is_known or isinstance(term.linear, cp.IntVar):
            return self.linear(term)
        if term not in self._variables:
            self._variables[term] = self.model.new_int_var(term.lo, term.hi, "")
            self.model.add(self._variables[term] == term.linear)
        return self._variables[term]


def _least(term: Term) -> int:
    return term.lo if term.__class__ is Number else int(term is True)


def _greatest(term: Term) -> int:
    return term.hi if term.__class__ is Number else int(term is not False)
