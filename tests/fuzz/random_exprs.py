"""Random expressions as plain trees, with a meaning of their own.

A tree is a tuple ``(operation, part, ...)``. ``build`` makes the expression of it with the
constructors of the language, which simplify; ``meaning`` says its value without them, so
that one can be held against the other. Everything follows from the random source given.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from monjudge.model.language import (
    Domain,
    Expr,
    ExpressionError,
    Family,
    Scope,
    Table,
    all_of,
    any_of,
    as_int,
    at_least,
    bind,
    both,
    children,
    const,
    count_of,
    either,
    eq,
    evaluate,
    field,
    ite,
    lookup,
    maximum,
    member,
    minimum,
    mul,
    negate,
    sum_of,
    tabulate,
    var,
)

Tree = tuple[Any, ...]
Read = Callable[[Family, int, tuple[int, ...]], int]

COLUMN = Domain("column", ("L", "C", "R"))
COLOUR = Domain("colour", ("none", "red", "dark blue", "in"))
FAMILIES = (
    Family.of("turn", (), 0, 1),
    Family.of("open", (), 0, 1, is_bool=True),
    Family.of("life", (2,), -3, 20, default=-5),
    Family.of("mana", (2, 3), 0, 3, axes=(None, COLUMN)),
    Family.of("grid", (2, 2, 3), -1, 1, default=1),
    Family.of("flag", (3,), 0, 1, is_bool=True, default=1),
    Family.of("gold", (2,), -200, 3000),
    Family.of("score", (), -(10**9), 10**9),
    Family.of("colour", (), 0, 3, labels=COLOUR),
    Family.of("wall", (3,), 0, 2, config=True),
    Family.of("board", (3, 4), 0, 2),
    Family.of("row", (9,), 0, 1, is_bool=True),
)
TABLES = (
    Table.of("half", (5,), (0, 0, 1, 1, 2)),
    Table.of("", (2, 3), (5, -5, 0, 9, 2, 2), default=-7),
    Table.of("can", (4,), (True, False, False, True), default=True),
    Table.of("of two", (2, 2), (1, 0, 300, 1), default=1),
)
OFFSET = dict(zip((f.name for f in FAMILIES), itertools.accumulate((f.size for f in FAMILIES), initial=0), strict=False))
VARIABLES = {
    "me": var("me", 0, 1),
    "slot": var("slot", -1, 3),
    "colour": var("colour", 0, 3),
    "ready": var("ready", 0, 1, True),
    "if": var("if", 2, 4),
}
SCOPE = Scope(
    {f.name: f for f in FAMILIES}, VARIABLES, {"big": 16}, {d.name: d for d in (COLUMN, COLOUR)},
    {t.name: t for t in TABLES if t.name}, {"colour": COLOUR},
)  # fmt: skip
NUMBERS = (0, 1, 1, 2, 3, -1, -2, 7, 127, 128, -129, 40_000, 70_000)


@dataclass(frozen=True)
class Case:
    """A random tree, its expression, and a state to ask for its value."""

    tree: Tree
    expr: Expr
    state: tuple[int, ...]
    after: tuple[int, ...]
    env: Mapping[str, int]

    def value(self) -> int:
        return evaluate(self.expr, self.state, self.env, OFFSET, self.after)

    def meaning(self) -> int:
        def read(family: Family, at: int, indices: tuple[int, ...]) -> int:
            place = family.place(indices)
            assert place is not None
            return (self.after if at else self.state)[OFFSET[family.name] + place]

        return meaning(self.tree, read, self.env)


@lru_cache(2000)
def case(seed: int | str, depth: int = 6, *, next_state: bool = False) -> Case:
    """The case of a seed; what does not fit 32 bits, and most of what comes out simple, is passed over."""
    for attempt in itertools.count():
        random = Random(f"{seed}/{attempt}")
        trees = Trees(random, next_state=next_state)
        tree = random.choice((trees.number, trees.truth))(random.randint(2, depth))
        with suppress(ExpressionError):
            expr = build(tree, VARIABLES)
            if not children(expr) and random.random() < 0.9:
                continue
            state, after = (tuple(random.choice(_likely(f)) for f in FAMILIES for _ in f.init) for _ in range(2))
            env = {name: random.randint(v.lo, v.hi) for name, v in VARIABLES.items()}
            return Case(tree, expr, state, after, env)
    raise AssertionError


def _likely(family: Family) -> tuple[int, ...]:
    return (family.lo, family.hi, *range(family.lo, min(family.hi, family.lo + 4) + 1), max(0, family.lo))


class Trees:
    """A source of random trees over some families, tables and variables."""

    def __init__(
        self, random: Random, families: Sequence[Family] = FAMILIES, tables: Sequence[Table] = TABLES,
        variables: Mapping[str, Expr] = VARIABLES, *, next_state: bool = False,
    ) -> None:  # fmt: skip
        self.random, self.tables, self.next_state = random, tables, next_state
        self.families = {kind: [f for f in families if f.is_bool == kind] for kind in (False, True)}
        self.variables = {kind: [n for n, v in variables.items() if v.is_bool == kind] for kind in (False, True)}
        self.used: list[tuple[frozenset[str], bool, Tree]] = []
        self.names = 0

    def number(self, depth: int, bound: Sequence[str] = ()) -> Tree:
        return self._again(False, depth, bound, self._number)

    def truth(self, depth: int, bound: Sequence[str] = ()) -> Tree:
        return self._again(True, depth, bound, self._truth)

    def _again(self, is_bool: bool, depth: int, bound: Sequence[str], make: Callable[[int, Sequence[str]], Tree]) -> Tree:
        """Now and then a tree that stood elsewhere, so that expressions share parts."""
        if self.random.random() < 0.12:
            fitting = [t for names, kind, t in self.used if kind == is_bool and names <= set(bound)]
            if fitting:
                return self.random.choice(fitting)
        tree = make(depth, bound)
        self.used.append((frozenset(bound), is_bool, tree))
        return tree

    def _number(self, depth: int, bound: Sequence[str]) -> Tree:
        r = self.random
        if depth <= 0 or r.random() < 0.25 / depth:
            return self._leaf(bound)
        match r.choice(("add", "add", "sub", "neg", "mul", "min", "max", "ite", "cell", "cell", "table", "tabulate",
                        "as_int", "sum", "count", "scan")):  # fmt: skip
            case "add" | "min" | "max" as op:
                return (op, *(self.number(depth - 1, bound) for _ in range(r.choice((2, 2, 3)))))
            case "sub":
                return ("sub", self.number(depth - 1, bound), self.number(depth - 1, bound))
            case "neg":
                return ("neg", self.number(depth - 1, bound))
            case "mul":
                return ("mul", r.choice((-3, -1, 0, 1, 2, 2, 5)), self.number(depth - 1, bound))
            case "ite":
                return ("ite", self.truth(depth - 1, bound), self.number(depth - 1, bound), self.number(depth - 1, bound))
            case "cell":
                return self._cell(False, depth, bound)
            case "table":
                return self._table(False, depth, bound)
            case "tabulate":
                return ("tabulate", r.choice((2, 3)), self._leaf(bound))
            case "as_int":
                return ("as_int", self.truth(depth - 1, bound))
            case "sum":
                return self._quantifier("sum", self.number, depth, bound)
            case "count":
                return self._quantifier("count", self.truth, depth, bound)
            case "scan":
                return self._scan("count", depth, bound)
        raise AssertionError

    def _truth(self, depth: int, bound: Sequence[str]) -> Tree:
        r = self.random
        if depth <= 0 or r.random() < 0.15 / depth:
            return self._flag(bound)
        match r.choice(("compare", "compare", "compare", "in", "and", "or", "not", "same", "ite", "cell", "table",
                        "all", "any", "scan", "scan", "line", "at_least")):  # fmt: skip
            case "compare":
                op = r.choice(("eq", "ne", "lt", "le", "gt", "ge"))
                return (op, self.number(depth - 1, bound), self.number(depth - 1, bound))
            case "in":
                return ("in", self.number(depth - 1, bound), tuple(r.randint(-3, 9) for _ in range(r.randint(0, 5))))
            case "and" | "or" as op:
                return (op, *(self.truth(depth - 1, bound) for _ in range(r.choice((2, 2, 3)))))
            case "not":
                return ("not", self.truth(depth - 1, bound))
            case "same":
                return (r.choice(("eq", "ne")), self.truth(depth - 1, bound), self.truth(depth - 1, bound))
            case "ite":
                return ("ite", self.truth(depth - 1, bound), self.truth(depth - 1, bound), self.truth(depth - 1, bound))
            case "cell":
                return self._cell(True, depth, bound)
            case "table":
                return self._table(True, depth, bound)
            case "all" | "any" as op:
                return self._quantifier(op, self.truth, depth, bound)
            case "scan":
                return self._scan(r.choice(("all", "any")), depth, bound)
            case "line":
                return self._line(bound)
            case "at_least":
                return ("at_least", r.randint(0, 3), *(self.truth(depth - 1, bound) for _ in range(3)))
        raise AssertionError

    def _leaf(self, bound: Sequence[str]) -> Tree:
        r = self.random
        names = [*bound, *bound, *self.variables[False]]
        if names and r.random() < 0.35:
            return ("var", r.choice(names))
        if self.families[False] and r.random() < 0.6:
            return self._cell(False, 0, bound)
        return ("const", r.choice(NUMBERS) if r.random() < 0.3 else r.randint(-2, 4))

    def _flag(self, bound: Sequence[str]) -> Tree:
        r = self.random
        if self.variables[True] and r.random() < 0.3:
            return ("var", r.choice(self.variables[True]))
        if self.families[True] and r.random() < 0.6:
            return self._cell(True, 0, bound)
        if r.random() < 0.2:
            return ("const", r.random() < 0.5)
        return (r.choice(("eq", "le", "lt")), self._leaf(bound), self._leaf(bound))

    def index(self, size: int, depth: int, bound: Sequence[str]) -> Tree:
        r = self.random
        choice = r.random()
        if bound and choice < 0.4:
            return ("var", r.choice(bound))
        if choice < 0.8 or depth <= 0:
            names = self.variables[False]
            return ("var", r.choice(names)) if names and choice < 0.6 else ("const", r.randint(-1, size) if r.random() < 0.3 else r.randrange(size))
        return self.number(min(depth - 1, 1), bound)

    def _cell(self, is_bool: bool, depth: int, bound: Sequence[str]) -> Tree:
        if not self.families[is_bool]:
            return self._flag(bound) if is_bool else ("const", 1)
        family = self.random.choice(self.families[is_bool])
        at = int(self.next_state and self.random.random() < 0.3)
        return ("cell", family, at, *(self.index(d, depth, bound) for d in family.dims))

    def _table(self, is_bool: bool, depth: int, bound: Sequence[str]) -> Tree:
        tables = [t for t in self.tables if t.is_bool == is_bool]
        if not tables:
            return self._flag(bound) if is_bool else self._leaf(bound)
        table = self.random.choice(tables)
        return ("table", table, *(self.index(d, depth, bound) for d in table.dims))

    def _quantifier(self, op: str, body: Callable[[int, Sequence[str]], Tree], depth: int, bound: Sequence[str]) -> Tree:
        self.names += 1
        name = f"u{self.names}"
        lo = self.random.choice((0, 0, 0, -1, 1))
        size = self.random.choice((0, 1, 2, 3, 3))
        return (op, name, lo, lo + size - 1, body(depth - 1, (*bound, name)))

    def _scan(self, op: str, depth: int, bound: Sequence[str]) -> Tree:
        """A quantifier along an axis of a field, as rules have them: its cells, and cells a fixed way off."""
        r = self.random
        families = [f for kind in self.families.values() for f in kind if f.dims]
        if not families:
            return self._quantifier(op, self.truth, depth, bound)
        family = r.choice(families)
        axis = r.randrange(len(family.dims))
        self.names += 1
        name = f"u{self.names}"
        lo, hi = r.choice((0, 0, 0, -1, 1)), family.dims[axis] - r.choice((1, 1, 1, 0, 2))
        others = [self.index(d, depth, bound) for d in family.dims]

        def one() -> Tree:
            place = ("add", ("var", name), ("const", r.choice((0, 0, 0, 0, 1, -1, 2))))
            return self._about(("cell", family, 0, *others[:axis], place, *others[axis + 1 :]), family, (*bound, name))

        body = (r.choice(("and", "or")), one(), one()) if r.random() < 0.4 else one()
        return (op, name, lo, hi, body)

    def _line(self, bound: Sequence[str]) -> Tree:
        """Several cells of one field held against the same."""
        r = self.random
        family = r.choice([f for kind in self.families.values() for f in kind])
        cells = [("cell", family, 0, *(("const", r.randint(0, d - 1)) for d in family.dims)) for _ in range(r.randint(2, 4))]
        value = ("const", r.randint(family.lo, min(family.hi, family.lo + 3))) if r.random() < 0.7 else self._leaf(bound)
        op = r.choice(("eq", "eq", "ne"))
        return (r.choice(("and", "or")), *(c if family.is_bool else (op, c, value) for c in cells))

    def _about(self, cell: Tree, family: Family, bound: Sequence[str]) -> Tree:
        r = self.random
        if family.is_bool:
            return cell if r.random() < 0.6 else ("not", cell)
        value = ("const", r.randint(family.lo, min(family.hi, family.lo + 3))) if r.random() < 0.7 else self._leaf(bound)
        if r.random() < 0.15:
            return ("in", cell, tuple(r.randint(family.lo, min(family.hi, family.lo + 5)) for _ in range(3)))
        return (r.choice(("eq", "eq", "ne", "lt", "ge")), cell, value)


def build(tree: Tree, env: Mapping[str, Any]) -> Expr:
    """The expression, with ``env`` for its variables. Raises ExpressionError when an interval is too wide."""
    op, *rest = tree
    match op:
        case "const":
            return const(rest[0])
        case "var":
            return env[rest[0]]  # type: ignore[no-any-return]
        case "cell":
            return field(rest[0], [build(t, env) for t in rest[2:]], rest[1])
        case "table":
            return lookup(rest[0], *(build(t, env) for t in rest[1:]))
        case "tabulate":
            return tabulate(lambda n: n // rest[0], maximum(-20, minimum(20, build(rest[1], env))))
        case "in":
            return member(build(rest[0], env), rest[1])
        case "mul":
            return mul(rest[0], build(rest[1], env))
        case "at_least":
            return at_least(rest[0], [build(t, env) for t in rest[1:]])
        case "all" | "any" | "sum" | "count":
            return _bound(op, rest[0], range(rest[1], rest[2] + 1), rest[3], env)
    parts = [build(t, env) for t in rest]
    match op:
        case "add":
            return sum(parts[1:], parts[0])
        case "sub":
            return parts[0] - parts[1]
        case "neg":
            return -parts[0]
        case "lt" | "gt":
            return parts[0] < parts[1] if op == "lt" else parts[0] > parts[1]
        case "le" | "ge":
            return parts[0] <= parts[1] if op == "le" else parts[0] >= parts[1]
        case "ne":
            return parts[0] != parts[1]  # type: ignore[return-value]
    make: dict[str, Callable[..., Expr]] = {
        "min": minimum, "max": maximum, "eq": eq, "and": both, "or": either, "not": negate, "ite": ite, "as_int": as_int,
    }  # fmt: skip
    return make[op](*parts)


def _bound(op: str, name: str, span: range, body: Tree, env: Mapping[str, Any]) -> Expr:
    if len(span) > 1 and op in ("all", "any", "sum") and len(name) % 2:  # both ways to bind a name
        variable = var(name, span.start, span.stop - 1)
        return bind(op, variable, build(body, {**env, name: variable}))
    over = {"all": all_of, "any": any_of, "sum": sum_of, "count": count_of}[op]
    return over(span, lambda i: build(body, {**env, name: i}))


def meaning(tree: Tree, read: Read, env: Mapping[str, int]) -> int:
    """The value of a tree, straight from the words of the language; a truth value is 0 or 1."""
    op, *rest = tree
    if op in ("const", "var"):
        return int(rest[0] if op == "const" else env[rest[0]])
    if op == "cell":
        family, at, *indices = rest
        place = tuple(meaning(t, read, env) for t in indices)
        inside = all(0 <= i < d for i, d in zip(place, family.dims, strict=True))
        return read(family, at, place) if inside else family.default
    if op == "table":
        table, *indices = rest
        position = 0
        for t, dim in zip(indices, table.dims, strict=True):
            index = meaning(t, read, env)
            if index < 0 or index >= dim:
                return int(table.default)
            position = position * dim + index
        return int(table.values[position])
    if op in ("all", "any", "sum", "count"):
        name, lo, hi, body = rest
        values = [meaning(body, read, {**env, name: i}) for i in range(lo, hi + 1)]
        return int({"all": all, "any": any, "sum": sum, "count": sum}[op](values))
    if op == "tabulate":
        return int(max(-20, min(20, meaning(rest[1], read, env))) // rest[0])
    if op == "in":
        return int(meaning(rest[0], read, env) in rest[1])
    if op == "mul":
        return int(rest[0] * meaning(rest[1], read, env))
    if op == "at_least":
        return int(sum(meaning(t, read, env) for t in rest[1:]) >= rest[0])
    a, *more = (meaning(t, read, env) for t in rest)
    match op:
        case "add":
            return a + sum(more)
        case "sub":
            return a - more[0]
        case "neg":
            return -a
        case "min" | "max":
            return min(a, *more) if op == "min" else max(a, *more)
        case "eq" | "ne":
            return int((a == more[0]) == (op == "eq"))
        case "lt" | "gt":
            return int(a < more[0] if op == "lt" else a > more[0])
        case "le" | "ge":
            return int(a <= more[0] if op == "le" else a >= more[0])
        case "and" | "or":
            return int(all((a, *more)) if op == "and" else any((a, *more)))
        case "not":
            return 1 - a
        case "as_int":
            return a
    assert op == "ite"
    return more[0] if a else more[1]
