"""Expressions: total, typed by interval, hash-consed, simplified when they are built.

Two sorts, integers and truth values. An integer expression carries the interval
``lo..hi`` that its value cannot leave; engines choose their widths from it. Equal
expressions are one object, so identity is equality and ``uid`` is a memo key.

**Every operation is total**: an index outside its range has a stated value (the
default of the family or table), so no engine ever needs to know whether a
sub-expression "may be evaluated". A partial operation would make ``~(a == b)`` and
``a != b`` differ in exactly the states where a rule has a gap.

Operations and their ``args``:

====================  =====================================================
``const``             (value,)
``var``               (name,) - a parameter, ``me``, or a bound variable
``field``             (family, at, index, ...) - ``at`` 1 is the next state
``add``               integers, two or more
``mul``               (whole number, integer expression)
``min`` ``max``       integers, two or more
``eq``                two integers or two truth values
``lt`` ``le``         two integers
``in``                (integer, sorted tuple of whole numbers)
``and`` ``or``        truth values, two or more
``not``               (truth value,)
``ite``               (truth value, then, else) - of one sort
``table``             (Table, index, ...)
``all`` ``any``       (variable, truth value)
``sum``               (variable, integer)
====================  =====================================================
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn
from weakref import WeakValueDictionary

from monjudge.model.language.family import LIMIT, ExpressionError, Family, Table

__all__ = [
    "FALSE", "LIMIT", "TRUE", "Expr", "ExpressionError", "Operand", "add", "as_int", "bind", "both", "children",
    "const", "either", "eq", "field", "ite", "le", "lift", "lookup", "lt", "make", "maximum", "member", "minimum",
    "mul", "negate", "rebuild", "substitute", "var", "walk",
]  # fmt: skip

Operand = "Expr | int | bool"


class Expr:
    """One node. Build nodes with the functions of this module or with operators.

    ``lo`` and ``hi`` bound the value (0 and 1 for a truth value); ``free`` holds the
    names of the variables that occur free; ``depth`` counts nested quantifiers.
    """

    __slots__ = ("__weakref__", "args", "depth", "free", "hi", "is_bool", "lo", "op", "uid")

    op: str
    args: tuple[Any, ...]
    lo: int
    hi: int
    is_bool: bool
    free: frozenset[str]
    depth: int
    uid: int

    def __bool__(self) -> NoReturn:
        raise ExpressionError("an expression has no truth value of its own: write & | ~ instead of and, or, not")

    def __repr__(self) -> str:
        from monjudge.model.language.text import print_expr

        return print_expr(self)

    __hash__ = object.__hash__

    def __eq__(self, other: Any) -> Expr:  # type: ignore[override]
        return eq(self, other)

    def __ne__(self, other: Any) -> Expr:  # type: ignore[override]
        return negate(eq(self, other))

    def __lt__(self, other: Any) -> Expr:
        return lt(self, other)

    def __le__(self, other: Any) -> Expr:
        return le(self, other)

    def __gt__(self, other: Any) -> Expr:
        return lt(other, self)

    def __ge__(self, other: Any) -> Expr:
        return le(other, self)

    def __add__(self, other: Any) -> Expr:
        return add(self, other)

    def __radd__(self, other: Any) -> Expr:
        return add(other, self)

    def __sub__(self, other: Any) -> Expr:
        return add(self, mul(-1, other))

    def __rsub__(self, other: Any) -> Expr:
        return add(other, mul(-1, self))

    def __neg__(self) -> Expr:
        return mul(-1, self)

    def __mul__(self, other: Any) -> Expr:
        return mul(other, self)

    __rmul__ = __mul__

    def __and__(self, other: Any) -> Expr:
        return both(self, other)

    def __rand__(self, other: Any) -> Expr:
        return both(other, self)

    def __or__(self, other: Any) -> Expr:
        return either(self, other)

    def __ror__(self, other: Any) -> Expr:
        return either(other, self)

    def __invert__(self) -> Expr:
        return negate(self)

    @property
    def is_const(self) -> bool:
        """Whether the value is the same in every state."""
        return self.op == "const"

    @property
    def value(self) -> int:
        """The value of a constant; a truth value is 0 or 1."""
        if self.op != "const":
            raise ExpressionError(f"{self!r} is not a constant")
        return int(self.args[0])


_interned: WeakValueDictionary[tuple[Any, ...], Expr] = WeakValueDictionary()
_uids = itertools.count()
_fresh = itertools.count()
_NOTHING: frozenset[str] = frozenset()


def _node(op: str, args: tuple[Any, ...], key: tuple[Any, ...], lo: int, hi: int, is_bool: bool) -> Expr:
    found = _interned.get(key)
    if found is not None:
        return found
    if lo < -LIMIT or hi > LIMIT:
        raise ExpressionError(f"the interval {lo}..{hi} of a value under '{op}' does not fit 32 bits", f"「{op}」の値の範囲{lo}～{hi}が32ビットに収まらない")
    node = object.__new__(Expr)
    node.op, node.args, node.lo, node.hi, node.is_bool = op, args, lo, hi, is_bool
    node.uid = next(_uids)
    free, depth = _NOTHING, 0
    for child in args:
        if child.__class__ is Expr:
            depth = max(depth, child.depth)
            if child.free:
                free = free | child.free if free else child.free
    if op in ("all", "any", "sum"):
        free, depth = free - {args[0].args[0]}, depth + 1
    elif op == "var":
        free = frozenset(args)
    node.free, node.depth = free, depth
    _interned[key] = node
    return node


def const(value: int | bool) -> Expr:
    """The constant: a truth value for ``True`` and ``False``, else an integer."""
    flag = isinstance(value, bool)
    number = int(value)
    return _node("const", (value if flag else number,), ("const", flag, number), number, number, flag)


TRUE = const(True)
FALSE = const(False)


def lift(value: Any) -> Expr:
    """A Python number or truth value as an expression; an expression as it is."""
    if value.__class__ is Expr:
        return value
    if isinstance(value, (bool, int)):
        return const(value)
    raise ExpressionError(f"{value!r} is neither an expression nor a whole number")


def _int(value: Any, where: str) -> Expr:
    node = lift(value)
    if node.is_bool:
        raise ExpressionError(f"'{where}' needs a number, but {node!r} is a truth value", f"「{where}」には数が要るが、{node!r} は真偽")
    return node


def _bool(value: Any, where: str) -> Expr:
    node = lift(value)
    if not node.is_bool:
        raise ExpressionError(f"'{where}' needs a truth value, but {node!r} is a number", f"「{where}」には真偽が要るが、{node!r} は数")
    return node


def _indices(name: str, takes: int, given: int) -> ExpressionError:
    return ExpressionError(f"{name} takes {takes} {'index' if takes == 1 else 'indices'}, not {given}", f"{name} の添字は{takes}個で、{given}個ではない")


def var(name: str, lo: int, hi: int, is_bool: bool = False) -> Expr:
    """A variable with values ``lo..hi``; its name is its identity inside one scope."""
    return _node("var", (name,), ("var", name, lo, hi, is_bool), lo, hi, is_bool)


def field(family: Family, indices: Sequence[Any], at: int = 0) -> Expr:
    """The cell of a family; ``at=1`` speaks of the next state.

    An index outside its axis gives ``family.default``.
    """
    if len(indices) != len(family.dims):
        raise _indices(family.name, len(family.dims), len(indices))
    nodes = tuple(_int(i, f"{family.name}[...]") for i in indices)
    inside = True
    for node, size in zip(nodes, family.dims, strict=True):
        if node.hi < 0 or node.lo >= size:
            return const(bool(family.default) if family.is_bool else family.default)
        inside = inside and 0 <= node.lo and node.hi < size
    lo, hi = family.lo, family.hi
    if not inside:
        lo, hi = min(lo, family.default), max(hi, family.default)
    key = ("field", family.uid, at, *(n.uid for n in nodes))
    return _node("field", (family, at, *nodes), key, lo, hi, family.is_bool)


def add(*terms: Any) -> Expr:
    """The sum; equal terms are collected and constants come last."""
    total = 0
    order: list[Expr] = []
    factor: dict[int, int] = {}

    def take(node: Expr, times: int) -> None:
        nonlocal total
        if node.op == "add":
            for child in node.args:
                take(child, times)
        elif node.op == "mul":
            take(node.args[1], times * node.args[0])
        elif node.op == "const":
            total += times * node.value
        else:
            if node.uid not in factor:
                order.append(node)
                factor[node.uid] = 0
            factor[node.uid] += times

    for term in terms:
        take(_int(term, "+"), 1)
    parts = [_scaled(factor[node.uid], node) for node in order if factor[node.uid]]
    if total or not parts:
        parts.append(const(total))
    if len(parts) == 1:
        return parts[0]
    key = ("add", *(p.uid for p in parts))
    return _node("add", tuple(parts), key, sum(p.lo for p in parts), sum(p.hi for p in parts), False)


def _scaled(k: int, node: Expr) -> Expr:
    if k == 1:
        return node
    lo, hi = sorted((k * node.lo, k * node.hi))
    return _node("mul", (k, node), ("mul", k, node.uid), lo, hi, False)


def mul(k: Any, value: Any) -> Expr:
    """A product with a constant. A product of two fields is a table, by design."""
    factor, node = _int(k, "*"), _int(value, "*")
    if not factor.is_const:
        factor, node = node, factor
    if not factor.is_const:
        raise ExpressionError(f"one side of '*' must be a constant: {factor!r} * {node!r}", f"「*」の片方は定数でなければならない：{factor!r} * {node!r}")
    n = factor.value
    if n == 0:
        return const(0)
    if node.op in ("add", "mul", "const"):
        if node.op == "const":
            return const(n * node.value)
        if node.op == "mul":
            return _scaled(n * node.args[0], node.args[1])
        return add(*(mul(n, child) for child in node.args))
    return _scaled(n, node)


def _extreme(op: str, terms: Sequence[Any]) -> Expr:
    flat: list[Expr] = []
    for term in terms:
        node = _int(term, op)
        flat.extend(node.args if node.op == op else (node,))
    if not flat:
        raise ExpressionError(f"'{op}' of nothing", f"「{op}」の中身がない")
    best = min(n.hi for n in flat) if op == "min" else max(n.lo for n in flat)
    kept: dict[int, Expr] = {}
    for node in flat:
        # A term that can never be the strict extreme is dropped, unless it is the bound itself.
        beaten = node.lo > best if op == "min" else node.hi < best
        if not beaten:
            kept[node.uid] = node
    nodes = tuple(kept.values())
    if len(nodes) == 1:
        return nodes[0]
    numbers = [n for n in nodes if n.is_const]
    if len(numbers) > 1 or (numbers and nodes[-1] is not numbers[0]):
        pick = min if op == "min" else max
        rest = [n for n in nodes if not n.is_const]
        return _extreme(op, [*rest, pick(n.value for n in numbers)])
    lo = min(n.lo for n in nodes) if op == "min" else max(n.lo for n in nodes)
    hi = min(n.hi for n in nodes) if op == "min" else max(n.hi for n in nodes)
    return _node(op, nodes, (op, *(n.uid for n in nodes)), lo, hi, False)


def minimum(*terms: Any) -> Expr:
    """The least of the terms."""
    return _extreme("min", terms)


def maximum(*terms: Any) -> Expr:
    """The greatest of the terms."""
    return _extreme("max", terms)


def eq(a: Any, b: Any) -> Expr:
    """Equality of two numbers or of two truth values."""
    a, b = lift(a), lift(b)
    if a.is_bool != b.is_bool:
        raise ExpressionError(f"'==' between a number and a truth value: {a!r} and {b!r}", f"数と真偽を「==」で比べている：{a!r} と {b!r}")
    if a is b:
        return TRUE
    if a.hi < b.lo or b.hi < a.lo:
        return FALSE
    if a.is_const:
        a, b = b, a
    if b.is_const:
        if a.is_const:
            return const(a.value == b.value)
        if a.is_bool:
            return a if b.value else negate(a)
        if a.op == "ite" and a.args[1].is_const and a.args[2].is_const:
            condition, then, other = a.args
            return ite(condition, const(then.value == b.value), const(other.value == b.value))
    return _node("eq", (a, b), ("eq", a.uid, b.uid), 0, 1, True)


def lt(a: Any, b: Any) -> Expr:
    """Strictly less."""
    a, b = _int(a, "<"), _int(b, "<")
    if a.hi < b.lo:
        return TRUE
    if a is b or a.lo >= b.hi:
        return FALSE
    return _node("lt", (a, b), ("lt", a.uid, b.uid), 0, 1, True)


def le(a: Any, b: Any) -> Expr:
    """Less or equal."""
    a, b = _int(a, "<="), _int(b, "<=")
    if a is b or a.hi <= b.lo:
        return TRUE
    if a.lo > b.hi:
        return FALSE
    return _node("le", (a, b), ("le", a.uid, b.uid), 0, 1, True)


def member(value: Any, numbers: Iterable[int]) -> Expr:
    """Whether the value is one of the numbers."""
    node = _int(value, "in")
    kept = tuple(sorted({int(n) for n in numbers if node.lo <= n <= node.hi}))
    if not kept:
        return FALSE
    if len(kept) == node.hi - node.lo + 1:
        return TRUE
    if len(kept) == 1:
        return eq(node, kept[0])
    return _node("in", (node, kept), ("in", node.uid, kept), 0, 1, True)


def _junction(op: str, terms: Sequence[Any]) -> Expr:
    absorbing, neutral = (FALSE, TRUE) if op == "and" else (TRUE, FALSE)
    kept: dict[int, Expr] = {}

    def take(node: Expr) -> bool:
        if node.op == op:
            return all(take(child) for child in node.args)
        if node is absorbing:
            return False
        if node is not neutral:
            opposite = node.args[0] if node.op == "not" else None
            if opposite is not None and opposite.uid in kept:
                return False
            kept[node.uid] = node
        return True

    for term in terms:
        if not take(_bool(term, op)):
            return absorbing
    nodes = tuple(kept.values())
    if not nodes:
        return neutral
    if len(nodes) == 1:
        return nodes[0]
    return _node(op, nodes, (op, *(n.uid for n in nodes)), 0, 1, True)


def both(*terms: Any) -> Expr:
    """All of the terms (conjunction)."""
    return _junction("and", terms)


def either(*terms: Any) -> Expr:
    """At least one of the terms (disjunction)."""
    return _junction("or", terms)


def negate(value: Any) -> Expr:
    """The opposite truth value."""
    node = _bool(value, "not")
    if node.op == "const":
        return FALSE if node.value else TRUE
    if node.op == "not":
        return node.args[0]  # type: ignore[no-any-return]
    if node.op == "lt":
        return le(node.args[1], node.args[0])
    if node.op == "le":
        return lt(node.args[1], node.args[0])
    return _node("not", (node,), ("not", node.uid), 0, 1, True)


def ite(condition: Any, then: Any, other: Any) -> Expr:
    """``then`` where the condition holds, else ``other``."""
    c, a, b = _bool(condition, "if"), lift(then), lift(other)
    if a.is_bool != b.is_bool:
        raise ExpressionError(f"the branches of 'if' are of two sorts: {a!r} and {b!r}", f"「if」の二つの枝の種類が違う：{a!r} と {b!r}")
    if c.is_const:
        return a if c.value else b
    if a is b:
        return a
    if c.op == "not":
        c, a, b = c.args[0], b, a
    if a.is_bool:
        if a is TRUE:
            return either(c, b)
        if a is FALSE:
            return both(negate(c), b)
        if b is FALSE:
            return both(c, a)
        if b is TRUE:
            return either(negate(c), a)
    key = ("ite", c.uid, a.uid, b.uid)
    return _node("ite", (c, a, b), key, min(a.lo, b.lo), max(a.hi, b.hi), a.is_bool)


def as_int(condition: Any) -> Expr:
    """1 where the condition holds, else 0."""
    return ite(condition, 1, 0)


def lookup(table: Table, *indices: Any) -> Expr:
    """The entry of a constant table; an index outside gives ``table.default``."""
    if len(indices) != len(table.dims):
        raise _indices(f"table {table.name}", len(table.dims), len(indices))
    nodes = tuple(_int(i, f"table {table.name}") for i in indices)
    key = ("table", table.uid, *(n.uid for n in nodes))
    found = _interned.get(key)
    if found is not None:
        return found
    reach: list[range] = []
    inside = True
    for node, size in zip(nodes, table.dims, strict=True):
        inside = inside and 0 <= node.lo and node.hi < size
        reach.append(range(max(0, node.lo), min(size - 1, node.hi) + 1))
    whole = all(len(span) == size for span, size in zip(reach, table.dims, strict=True))
    values = set(table.values) if whole else {table.at(*place) for place in itertools.product(*reach)}
    if not inside:
        values.add(table.default)
    if len(values) == 1:
        value = values.pop()
        return const(bool(value) if table.is_bool else value)
    return _node("table", (table, *nodes), key, min(values), max(values), table.is_bool)


def bind(op: str, variable: Expr, body: Any) -> Expr:
    """A quantifier (``all``, ``any``) or ``sum`` over the interval of a variable."""
    node = _int(body, op) if op == "sum" else _bool(body, op)
    name, size = variable.args[0], variable.hi - variable.lo + 1
    if size <= 0:
        return const(0) if op == "sum" else const(op == "all")
    if name not in node.free:
        return mul(size, node) if op == "sum" else node
    if size == 1:
        return substitute(node, {name: variable.lo})
    # Names by depth make expressions that differ only in a bound name one object.
    canonical = f"i{node.depth}"
    if name != canonical:
        renamed = var(canonical, variable.lo, variable.hi)
        node, variable = substitute(node, {name: renamed}), renamed
        if node.is_const:
            return bind(op, variable, node)
    lo, hi = (size * node.lo, size * node.hi) if op == "sum" else (0, 1)
    return _node(op, (variable, node), (op, variable.uid, node.uid), lo, hi, op != "sum")


def children(node: Expr) -> tuple[Expr, ...]:
    """The expressions directly below a node (a bound variable is not one)."""
    if node.op in ("all", "any", "sum"):
        return (node.args[1],)
    return tuple(a for a in node.args if a.__class__ is Expr)


def walk(*roots: Expr, seen: set[int] | None = None) -> Iterator[Expr]:
    """Every distinct node below the roots, children before parents.

    With ``seen``, what an earlier walk has entered there is left out, with all below it.
    """
    seen = set() if seen is None else seen
    stack = [(root, False) for root in reversed(roots)]
    while stack:
        node, done = stack.pop()
        if done:
            yield node
        elif node.uid not in seen:
            seen.add(node.uid)
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(children(node)))


_BUILD: dict[str, Callable[..., Expr]] = {
    "add": add, "mul": mul, "min": minimum, "max": maximum, "eq": eq, "lt": lt, "le": le,
    "in": member, "and": both, "or": either, "not": negate, "ite": ite, "table": lookup,
}  # fmt: skip


def make(op: str, args: Sequence[Any]) -> Expr:
    """The expression of an operation (not ``const`` or ``var``) with its ``args``, simplified."""
    if op == "field":
        return field(args[0], args[2:], args[1])
    if op in ("all", "any", "sum"):
        return bind(op, args[0], args[1])
    return _BUILD[op](*args)


def rebuild(node: Expr, args: Sequence[Any]) -> Expr:
    """The node of the same operation with other arguments, simplified anew."""
    return make(node.op, args)


Replace = Callable[[Family, int, tuple[Expr, ...]], "Expr | None"]


def substitute(node: Expr, variables: Mapping[str, Any], fields: Replace | None = None) -> Expr:
    """Partial evaluation: put values or expressions for variables and field cells.

    ``fields`` is asked for every cell, with its indices already substituted, and
    answers an expression or None to leave the cell. An expression put under a
    quantifier must not mention bound variables of the place it goes to.
    """
    return _substitute(node, {k: lift(v) for k, v in variables.items()}, fields, {})


def _substitute(node: Expr, variables: dict[str, Expr], fields: Replace | None, memo: dict[int, Expr]) -> Expr:
    if fields is None and not any(name in node.free for name in variables):
        return node
    found = memo.get(node.uid)
    if found is not None:
        return found
    if node.op == "var":
        result = variables.get(node.args[0], node)
    elif node.op == "const":
        result = node
    elif node.op in ("all", "any", "sum"):
        bound, name = node.args[0], node.args[0].args[0]
        if fields is None and all(v.depth == 0 and name not in v.free for v in variables.values()):
            # Nothing can be captured, and no binder below can come to need this name.
            inner = {k: v for k, v in variables.items() if k != name}
        else:
            bound = var(f"?{next(_fresh)}", bound.lo, bound.hi)
            inner = {**variables, name: bound}
        result = bind(node.op, bound, _substitute(node.args[1], inner, fields, {}))
    else:
        args: tuple[Any, ...] = tuple(
            _substitute(a, variables, fields, memo) if a.__class__ is Expr else a for a in node.args
        )
        replaced = fields(args[0], args[1], args[2:]) if fields is not None and node.op == "field" else None
        result = rebuild(node, args) if replaced is None else replaced
    memo[node.uid] = result
    return result
