"""Laws of expressions: building and simplifying never changes a value, and intervals hold every value."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_exprs import FAMILIES, OFFSET, TABLES, VARIABLES, Trees, build, case

from monjudge.model.language import (
    FALSE,
    TRUE,
    Expr,
    ExpressionError,
    Family,
    add,
    all_of,
    any_of,
    bind,
    both,
    const,
    count_of,
    either,
    eq,
    evaluate,
    field,
    ite,
    lookup,
    lt,
    max_of,
    maximum,
    member,
    min_of,
    minimum,
    mul,
    negate,
    rebuild,
    substitute,
    sum_of,
    tabulate,
    var,
    walk,
)

SEEDS = st.integers(0, 2**32)
CELL = {f.name: f for f in FAMILIES}
X = var("x", -3, 9)
P, Q = var("p", 0, 1, True), var("q", 0, 1, True)
FLAG = CELL["flag"]


@settings(max_examples=400, deadline=None)
@given(SEEDS)
def test_a_built_expression_has_the_value_of_what_was_written(seed: int) -> None:
    c = case(seed, next_state=True)
    assert c.value() == c.meaning()


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_every_value_lies_in_the_interval_of_its_expression(seed: int) -> None:
    c = case(seed)
    for node in walk(c.expr):
        if node.free <= c.env.keys():
            assert node.lo <= evaluate(node, c.state, c.env, OFFSET) <= node.hi


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_an_expression_rebuilt_from_its_parts_is_itself(seed: int) -> None:
    for node in walk(case(seed, next_state=True).expr):
        assert node.op in ("const", "var") or rebuild(node, node.args) is node


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_putting_values_for_variables_commutes_with_evaluation(seed: int) -> None:
    c = case(seed)
    names = sorted(c.env)[: seed % 6]
    truths = {name for name, v in VARIABLES.items() if v.is_bool}
    known = substitute(c.expr, {n: bool(c.env[n]) if n in truths else c.env[n] for n in names})
    assert known.free <= c.env.keys() - set(names)
    assert evaluate(known, c.state, c.env, OFFSET) == c.value()


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_putting_expressions_for_variables_commutes_with_evaluation(seed: int) -> None:
    """The expressions put have quantifiers and variables of their own, also the names they replace."""
    c, random = case(seed), Random(f"put {seed}")
    trees = Trees(random)
    try:
        put = {name: build(trees.truth(3) if v.is_bool else trees.number(1), VARIABLES) for name, v in VARIABLES.items()}
        put |= {"slot": sum_of(3, lambda i: ite(field(FLAG, [i]) | VARIABLES["ready"], i, 1)), "me": VARIABLES["slot"]}
        whole = substitute(c.expr, put)
    except ExpressionError:
        return  # the expression put has a wider interval than the variable, and a sum leaves 32 bits
    inner = {name: evaluate(e, c.state, c.env, OFFSET) for name, e in put.items()}
    assert evaluate(whole, c.state, c.env, OFFSET) == evaluate(c.expr, c.state, inner, OFFSET)


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_putting_constants_for_cells_commutes_with_evaluation(seed: int) -> None:
    c = case(seed)

    def known(family: Family, at: int, indices: tuple[Expr, ...]) -> Expr | None:
        place = family.place([i.value for i in indices]) if all(i.is_const for i in indices) else None
        if place is None or family.name not in ("life", "flag", "turn"):
            return None
        value = c.state[OFFSET[family.name] + place]
        return const(bool(value)) if family.is_bool else const(value)

    assert evaluate(substitute(c.expr, {}, known), c.state, c.env, OFFSET) == c.value()


def test_a_variable_put_under_a_quantifier_is_not_captured() -> None:
    inside = any_of(3, lambda i: both(field(FLAG, [i]), eq(i, X)))
    swapped = substitute(inside, {"x": sum_of(2, lambda i: ite(field(FLAG, [i]), 1, 0))})
    for cells in itertools.product((0, 1), repeat=3):
        state = [0] * OFFSET["flag"] + list(cells)
        count = cells[0] + cells[1]
        assert evaluate(swapped, state, {}, OFFSET) == cells[count]


def test_a_binder_that_comes_to_need_another_name_takes_none_that_is_in_use() -> None:
    """A sum put into the inner quantifier makes that one deeper, up to the name of the outer one."""
    mana = CELL["mana"]
    both_ = all_of(2, lambda i: any_of(3, lambda j: field(mana, [i, j]) + i == X + j))
    whole = substitute(both_, {"x": sum_of(3, lambda k: ite(field(FLAG, [k]), 1, 0))})
    for seed in range(50):
        state = case(seed).state
        count = sum(state[OFFSET["flag"] :][:3])
        assert evaluate(whole, state, {}, OFFSET) == evaluate(both_, state, {"x": count}, OFFSET)


def test_a_bound_variable_is_no_variable_to_put_something_for() -> None:
    inside = any_of(3, lambda i: both(field(FLAG, [i]), eq(i, X)))
    assert substitute(inside, {"x": 2, "i0": 1}) is substitute(inside, {"x": 2})


def test_expressions_that_differ_only_in_bound_names_are_one_object() -> None:
    first = all_of(2, lambda i: any_of(3, lambda j: field(CELL["mana"], [i, j]) == j))
    u, w = var("u", 0, 1), var("w", 0, 2)
    second = bind("all", u, bind("any", w, field(CELL["mana"], [u, w]) == w))
    assert first is second
    assert {n.args[0].args[0] for n in walk(first) if n.op in ("all", "any")} == {"i0", "i1"}


OUTSIDE: list[tuple[str, Callable[[Expr], Expr], Callable[[int], int]]] = [
    ("a cell", lambda x: field(CELL["life"], [x]), lambda n: (20, 7)[n] if n in (0, 1) else -5),
    ("a truth cell", lambda x: field(FLAG, [x]), lambda n: (1, 0, 1)[n] if n in (0, 1, 2) else 1),
    ("a cell of two axes", lambda x: field(CELL["mana"], [0, x]), lambda n: (3, 2, 1)[n] if n in (0, 1, 2) else 0),
    ("a table", lambda x: lookup(TABLES[0], x), lambda n: (0, 0, 1, 1, 2)[n] if 0 <= n < 5 else 0),
    ("a table with a default", lambda x: lookup(TABLES[1], 1, x), lambda n: (9, 2, 2)[n] if 0 <= n < 3 else -7),
    ("a truth table", lambda x: lookup(TABLES[2], x), lambda n: (1, 0, 0, 1)[n] if 0 <= n < 4 else 1),
    ("a tabulated function", lambda x: tabulate(lambda n: n // 3, x), lambda n: n // 3),
]


@pytest.mark.parametrize(("name", "make", "expected"), OUTSIDE, ids=[o[0] for o in OUTSIDE])
def test_every_operation_has_a_value_also_outside_its_range(
    name: str, make: Callable[[Expr], Expr], expected: Callable[[int], int]
) -> None:
    cells = {"life": [20, 7], "flag": [1, 0, 1], "mana": [3, 2, 1, 0, 0, 0]}
    state = [n for f in FAMILIES for n in cells.get(f.name, [0] * f.size)]
    for n in range(X.lo, X.hi + 1):
        assert evaluate(make(X), state, {"x": n}, OFFSET) == expected(n)
        assert evaluate(make(const(n)), state, {}, OFFSET) == expected(n)


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_not_equal_and_not_less_are_the_opposites_in_every_state(seed: int) -> None:
    trees = Trees(Random(seed))
    try:
        a, b = (build(trees.number(3), VARIABLES) for _ in range(2))
        pairs = [(negate(eq(a, b)), a != b), (negate(a < b), a >= b), (negate(a <= b), a > b)]
    except ExpressionError:
        return
    for opposite, written in pairs:
        assert opposite is written
    assert negate(negate(eq(a, b))) is eq(a, b)


def test_equal_expressions_are_one_object_and_different_intervals_are_not() -> None:
    assert add(X, 1, X) is add(mul(2, X), 1)
    assert minimum(X, minimum(5, P_INT)) is minimum(X, P_INT, 5)
    assert both(P, both(Q, P)) is both(P, Q)
    other = Family.of("life", (2,), -3, 21, default=-5)
    assert field(other, [0]) is not field(CELL["life"], [0])
    assert var("x", 0, 9) is not X


P_INT = var("n", 0, 8)


def test_an_expression_that_nobody_holds_is_forgotten() -> None:
    first = add(var("once", 0, 3), 17)
    uid = first.uid
    del first
    gc.collect()
    assert add(var("once", 0, 3), 17).uid != uid


SIMPLE: list[tuple[str, Any, Any]] = [
    ("x - x", X - X, 0),
    ("0 * x", X * 0, 0),
    ("2 * (x + 1) - 2", 2 * (X + 1) - 2, 2 * X),
    ("x == x", eq(X, X), TRUE),
    ("x < x", X < X, FALSE),
    ("x <= 9 always", X <= 9, TRUE),
    ("x > 9 never", X > 9, FALSE),
    ("x == 12 never", eq(X, 12), FALSE),
    ("p and not p", both(P, negate(P)), FALSE),
    ("p or not p", either(P, negate(P)), TRUE),
    ("p == true", eq(P, True), P),
    ("p == false", eq(P, False), negate(P)),
    ("if p then x else x", ite(P, X, X), X),
    ("if not p", ite(negate(P), X, 1), ite(P, 1, X)),
    ("(if p then 1 else 0) == 1", eq(ite(P, 1, 0), 1), P),
    ("min(x, 20)", minimum(X, 20), X),
    ("max(x, -3, 4, 2)", maximum(X, 2, 4, -3), maximum(X, 4)),
    ("x in all its values", member(X, range(-3, 10)), TRUE),
    ("x in {5}", member(X, [5, 5, 100]), eq(X, 5)),
    ("all of nothing", all_of(0, lambda i: P), TRUE),
    ("any of nothing", any_of(range(4, 4), lambda i: P), FALSE),
    ("sum of nothing", sum_of(range(2, 1), lambda i: i), 0),
    ("a sum without its variable", sum_of(3, lambda i: X), 3 * X),
    ("a quantifier over one number", any_of(range(2, 3), lambda i: eq(X, i)), eq(X, 2)),
    ("the count of true", count_of(4, lambda i: TRUE), 4),
    ("the least of a span", min_of(range(1, 3), lambda i: X + i), minimum(X + 1, X + 2)),
    ("the greatest of a span", max_of(2, lambda i: X + i), maximum(X, X + 1)),
    ("a cell outside", field(CELL["life"], [2]), -5),
    ("a constant entry", lookup(TABLES[0], 4), 2),
]


@pytest.mark.parametrize(("name", "built", "expected"), SIMPLE, ids=[s[0] for s in SIMPLE])
def test_what_needs_no_operation_is_simplified(name: str, built: Expr, expected: Any) -> None:
    assert built is (expected if isinstance(expected, Expr) else const(expected))


SORTS: list[tuple[str, Callable[[], Any], str]] = [
    ("number and truth", lambda: eq(X, P), "between a number and a truth value"),
    ("a sum of truth values", lambda: P + 1, "needs a number"),
    ("and of numbers", lambda: both(X, P), "needs a truth value"),
    ("not of a number", lambda: ~X, "needs a truth value"),
    ("if on a number", lambda: ite(X, 1, 2), "needs a truth value"),
    ("branches of two sorts", lambda: ite(P, X, Q), "two sorts"),
    ("a product of two expressions", lambda: X * P_INT, "must be a constant"),
    ("too few indices", lambda: field(CELL["mana"], [0]), "takes 2 indices"),
    ("a truth value as index", lambda: field(CELL["life"], [P]), "needs a number"),
    ("too many table indices", lambda: lookup(TABLES[0], 0, 0), "takes 1 index, not 2"),
    ("the least of nothing", lambda: minimum(), "of nothing"),
    ("not an expression", lambda: X + "1", "neither an expression nor a whole number"),
    ("a fraction", lambda: X + 0.5, "neither an expression nor a whole number"),
    ("as a condition of Python", lambda: X if X else 0, "no truth value of its own"),
    ("a step", lambda: all_of(range(0, 4, 2), lambda i: P), "consecutive numbers"),
    ("the value of a variable", lambda: X.value, "not a constant"),
]


@pytest.mark.parametrize(("name", "make", "words"), SORTS, ids=[s[0] for s in SORTS])
def test_what_has_no_meaning_is_refused_by_a_sentence(name: str, make: Callable[[], Any], words: str) -> None:
    with pytest.raises(ExpressionError, match=words):
        make()


BIG = var("big", -(2**31) + 1, 2**31 - 1)


def test_an_interval_that_does_not_fit_32_bits_is_refused_and_the_widest_that_does_is_not() -> None:
    assert (-BIG).hi == 2**31 - 1
    for make in (lambda: BIG + 1, lambda: BIG - 1, lambda: BIG - BIG_TOO, lambda: 2 * BIG, lambda: const(2**31), lambda: sum_of(2, lambda i: BIG + 0 * i + i)):
        with pytest.raises(ExpressionError, match="does not fit 32 bits"):
            make()
    assert lt(BIG, BIG_TOO).is_bool


BIG_TOO = var("big2", -(2**31) + 1, 2**31 - 1)


@pytest.mark.parametrize(
    "given",
    [
        {"is_bool": True, "lo": 0, "hi": 2}, {"is_bool": True, "lo": 0, "hi": 1, "default": 5}, {"lo": 3, "hi": 2},
        {"lo": 0, "hi": 2**31}, {"lo": 0, "hi": 1, "default": -(2**31)}, {"lo": 0, "hi": 1, "init": [0, 2]},
        {"lo": 0, "hi": 1, "init": [0]}, {"lo": 0, "hi": 1, "dims": (2, 0)},
    ],
    ids=str,
)  # fmt: skip
def test_a_field_that_cannot_be_is_refused(given: dict[str, Any]) -> None:
    dims, lo, hi = given.pop("dims", (2,)), given.pop("lo"), given.pop("hi")
    with pytest.raises(ValueError, match="field odd"):
        Family.of("odd", dims, lo, hi, **given)
