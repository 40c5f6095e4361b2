"""A rule set with its configuration fixed agrees with the open one under that configuration."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_rules import random_cells, rule_set, states

from monjudge.model.language import Game, LimitReached, RuleSet, State, put, reads
from monjudge.solvers.engines.reference import Reference


def without(rules: RuleSet, state: State) -> State:
    """The state without its configuration cells."""
    config = [f.config for f in rules.families for _ in range(f.size)]
    return tuple(n for n, fixed in zip(state, config, strict=True) if not fixed)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_the_fixed_rule_set_has_the_moves_and_steps_of_the_open_one(seed: int) -> None:
    rules = rule_set(seed)
    config = random_cells(rules, Random(seed))
    values = {f.name: config[rules.offset[f.name] :][: f.size] for f in rules.families if f.config}
    fixed = rules.fixed(values)
    assert not any(f.config for f in fixed.families)
    opened, closed = Reference(rules), Reference(fixed)
    for state in states(rules, seed, 6):
        try:
            state = opened.settle(rules.state(values, state))
        except LimitReached:
            with pytest.raises(LimitReached):
                closed.settle(without(rules, rules.state(values, state)))
            continue
        own = without(rules, state)
        assert closed.settle(own) == own
        assert closed.over(own) == opened.over(state)
        assert closed.payoff(own) == opened.payoff(state)
        moves = opened.moves(state)
        assert closed.moves(own) == moves
        for move in moves[:4]:
            try:
                after = without(rules, opened.step(state, move))
            except LimitReached:
                with pytest.raises(LimitReached):
                    closed.step(own, move)
            else:
                assert closed.step(own, move) == after


def readings() -> RuleSet:
    g = Game("readings", players=1)
    board = g.field("board", 3, values=range(5), init=[1, 2, 3], config=True, default=4)
    open_ = g.field("open", values=bool, config=True)
    at = g.field("at", values=range(-1, 5))
    how = g.switch("R.1", ("literal", "loose"), "literal")
    go = g.action("go", by=0)
    go.clause("F.1", reads(how, "loose") | open_)
    go.effect(put(at, board[at], ~open_ | reads(how, "loose")), put(at, 0, reads(how, "literal")))
    return g.build()


def test_a_reading_is_fixed_by_its_name_and_vanishes_from_the_rules() -> None:
    rules = readings().fixed({"R.1": "loose"})
    assert [f.name for f in rules.families] == ["board", "open", "at"]
    assert rules.switches == ()
    assert rules.by_name["go"].clauses[0].expr.is_const
    assert [e.when.is_const for e in rules.by_name["go"].effects] == [True]
    again = rules.fixed({"board": [4, 4, 2], "open": 0})
    assert Reference(again).step((2,), Reference(again).moves((2,))[0]) == (2,)
    assert Reference(again).step((-1,), Reference(again).moves((-1,))[0]) == (4,)
    closed = readings().fixed({"R.1": "literal", "open": 0})
    assert Reference(closed).moves(closed.start) == []


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"at": 1}, "'at' is not a configuration field of 'readings'"),
        ({"far": 1}, "'far' is not a configuration field of 'readings'"),
        ({"R.1": "exact"}, "R.1 has no value 'exact'; it has literal, loose"),
        ({"open": "yes"}, "open has no value 'yes'; it has numbers"),
        ({"board": [1, 2]}, r"board needs 3 values within 0\.\.4"),
        ({"board": 5}, r"board needs 3 values within 0\.\.4"),
    ],
)
def test_what_cannot_be_fixed_is_told(values: dict[str, int | str | list[int]], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        readings().fixed(values)
