"""The text that the reference writes means what the rule set says, whatever its names and shapes."""

from __future__ import annotations

import pytest

from monjudge.model.language import (
    FALSE,
    Expr,
    Game,
    Move,
    RuleSet,
    Table,
    any_of,
    evaluate,
    gain,
    lookup,
    maximum,
    minimum,
    put,
)
from monjudge.solvers.engines.reference import Reference


@pytest.mark.parametrize("name", ["from", "s", "n", "v0", "min", "failed", "table_0", "k0", "LimitReached", "a.b", "数", "n²", "①"])
def test_a_parameter_may_have_any_name_and_hides_nothing_of_the_generated_text(name: str) -> None:
    g = Game("names", players=1)
    cell = g.field("cell", 4, values=range(4))
    act = g.action("act", by=0)
    choice = act.param(name, range(4))
    table = Table.of("t", (3,), (1, 0, 1))
    known = lookup(table, choice)
    act.clause("N.1", (known == 1) & (minimum(known, cell[choice]) + known < 2))
    act.effect(put(cell[choice], choice), gain(cell[0], 1))
    rules = g.build()
    reference = Reference(rules)
    assert [m.args for m in reference.moves(rules.start)] == [(0,), (2,)]
    assert reference.step(rules.start, Move("act", 0, (2,))) == (1, 0, 2, 0)


def test_names_that_python_takes_for_one_are_two() -> None:
    g = Game("names", players=1)
    act = g.action("act", by=0)
    one, other = act.param("ﬁ", range(3)), act.param("fi", range(3))
    act.clause("N.1", one < other)
    rules = g.build()
    assert [m.args for m in Reference(rules).moves(rules.start)] == [(0, 1), (0, 2), (1, 2)]


def ladder(node: Expr, steps: int) -> Expr:
    for n in range(steps):
        node = minimum(node + 1, 3) if n % 2 else maximum(node - 1, 1)
    return node


def one_clause(g: Game, condition: Expr) -> RuleSet:
    g.action("act", by=0).clause("D.1", condition)
    return g.build()


@pytest.mark.parametrize("steps", [1, 14, 40])
def test_a_deep_expression_under_a_quantifier_is_written_whole(steps: int) -> None:
    g = Game("deep", players=1)
    cell = g.field("cell", 4, values=range(5))
    condition = any_of(4, lambda i: ladder(cell[i], steps) == 2)
    rules = one_clause(g, condition)
    for state in (rules.start, (4, 4, 4, 4), (0, 3, 0, 0)):
        expected = evaluate(condition, state, offset=rules.offset)
        assert Reference(rules).legal(state, Move("act", 0)) == bool(expected)


def test_an_expression_shared_many_times_over_is_written_in_the_size_of_its_graph() -> None:
    g = Game("shared", players=1)
    node = g.field("cell", 2, values=range(3))[0]
    for _ in range(60):
        node = minimum(node + 1, maximum(node, 2))
    rules = one_clause(g, node == 2)
    assert len(Reference(rules).source) < 10_000


def test_an_effect_that_never_applies_changes_nothing() -> None:
    g = Game("never", players=1)
    cell = g.field("cell", 2, values=range(3))
    act = g.action("act", by=0)
    act.clause("F.1", cell[0] == 0)
    act.effect(put(cell[0], 2, FALSE), gain(cell[1], 1, FALSE), gain(cell[1], 1))
    rules = g.build()
    assert Reference(rules).step(rules.start, Move("act", 0)) == (0, 1)


def test_an_index_outside_reads_the_default_of_its_field_or_table() -> None:
    g = Game("outside", players=1)
    cell = g.field("cell", 2, values=range(5), default=3, init=[0, 1])
    act = g.action("act", by=0)
    at = act.param("at", range(-1, 4))
    act.clause("O.1", (cell[at] == 3) & (lookup(Table.of("t", (2,), (0, 0), default=4), at) == 4))
    rules = g.build()
    assert [m.args for m in Reference(rules).moves(rules.start)] == [(-1,), (2,), (3,)]
