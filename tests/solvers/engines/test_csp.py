"""python-constraint, reading the same rules through its own translation, finds the moves of the reference."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from monjudge.model.language import Game, Move, RuleSet, all_of, evaluate
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines import csp
from monjudge.solvers.engines.csp import Csp
from monjudge.solvers.engines.reference import Reference


def same_moves(rules: RuleSet, states: Any) -> bool:
    reference, engine = Reference(rules), Csp(rules)
    return all(engine.moves(state) == reference.moves(state) for state in states)


def test_every_state_of_random_games_of_tic_tac_toe_has_the_moves_of_the_reference() -> None:
    rules, rng = tic_tac_toe(), random.Random(7)
    reference, engine = Reference(rules), Csp(rules)
    for _ in range(15):
        state = rules.start
        while moves := reference.moves(state):
            assert engine.moves(state) == moves
            state = reference.step(state, rng.choice(moves))
        assert engine.over(state) and engine.moves(state) == []


def test_rule_sets_made_by_hand_have_the_moves_of_the_reference(made: RuleSet, random_states: Callable[..., Any]) -> None:
    assert same_moves(made, random_states(made, 20))


def test_a_single_move_is_judged_as_the_reference_judges_it(made: RuleSet, random_states: Callable[..., Any]) -> None:
    reference, engine = Reference(made), Csp(made)
    candidates = list(reference.candidates())
    rng = random.Random(0)
    for state in random_states(made, 4):
        for move in rng.sample(candidates, min(10, len(candidates))):
            assert engine.legal(state, move) == reference.legal(state, move)


def test_a_move_by_nobody_or_outside_the_domains_is_not_legal_and_an_unknown_one_is_an_error() -> None:
    rules = tic_tac_toe()
    engine = Csp(rules)
    assert engine.legal(rules.start, Move("place", 0, (8,)))
    assert not engine.legal(rules.start, Move("place", 0, (9,)))
    assert not engine.legal(rules.start, Move("place", 2, (8,)))
    with pytest.raises(ValueError, match="no move like"):
        engine.legal(rules.start, Move("take", 0, (1,)))


def test_the_summon_example_has_the_moves_of_the_reference(summon: ModuleType) -> None:
    rules = summon.summon()
    assert same_moves(rules, [summon.position(rules, seed) for seed in range(3)])


def test_a_condition_without_parameters_that_partial_evaluation_does_not_fold_is_still_asked() -> None:
    g = Game("closed", players=1)
    on = g.field("on", values=bool)
    a = g.action("a", by=0)
    a.clause("C.same", all_of(range(-1, 7), lambda i: (4 * i).__lt__(9)) == on)
    rules = g.build()
    assert Csp(rules).moves((0,)) == [Move("a", 0)]
    assert Csp(rules).moves((1,)) == []


def test_an_expression_has_the_value_of_its_definition(all_made: list[RuleSet], random_states: Callable[..., Any]) -> None:
    rng = random.Random(3)
    for rules in all_made:
        engine = Csp(rules)
        for state in random_states(rules, 3):
            for action in rules.actions:
                env = {p.name: rng.choice(p.values) for p in action.params} | {"me": rng.randrange(rules.players)}
                for clause in action.clauses:
                    expected = evaluate(clause.expr, state, env, rules.offset)
                    assert engine.value(clause.expr, state, env) == expected


FAULTS = {
    "less than read as at most": ("lt", lambda a, b: a <= b),
    "at most read as less than": ("le", lambda a, b: a < b),
    "equal read as different": ("eq", lambda a, b: a != b),
    "and read as or": ("and", lambda a, b: a or b),
    "the least read as the first": ("min", lambda a, b: a),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_planted_in_the_translation_is_caught(
    fault: str, monkeypatch: pytest.MonkeyPatch, all_made: list[RuleSet], random_states: Callable[..., Any]
) -> None:
    right = csp._operation
    op, bad = FAULTS[fault]

    def wrong(name: str, parts: Any) -> Any:
        return (lambda env: int(bad(parts[0](env), parts[-1](env)))) if name == op else right(name, parts)

    monkeypatch.setattr(csp, "_operation", wrong)
    assert not all(same_moves(rules, random_states(rules, 20)) for rules in all_made)
