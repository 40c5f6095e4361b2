"""The enumerator finds exactly the moves of the reference, in canonical order."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from monjudge.model.language import Game, Move, RuleSet, add, evaluate
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines import enumerator, enumerator_text
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference


def same_moves(rules: RuleSet, states: Any) -> bool:
    reference, engine = Reference(rules), Enumerator(rules)
    return all(engine.moves(state) == reference.moves(state) for state in states)


def test_every_state_of_random_games_of_tic_tac_toe_has_the_moves_of_the_reference() -> None:
    rules, rng = tic_tac_toe(), random.Random(5)
    reference, engine = Reference(rules), Enumerator(rules)
    for _ in range(60):
        state = rules.start
        while moves := reference.moves(state):
            assert engine.moves(state) == moves
            state = reference.step(state, rng.choice(moves))
        assert engine.over(state) and engine.moves(state) == []


def test_rule_sets_made_by_hand_have_the_moves_of_the_reference(made: RuleSet, random_states: Callable[..., Any]) -> None:
    states = list(random_states(made, 60))
    assert same_moves(made, states)
    assert any(Reference(made).moves(state) for state in states), "the states must say something"


def test_a_single_move_is_judged_as_the_reference_judges_it(made: RuleSet, random_states: Callable[..., Any]) -> None:
    reference, engine = Reference(made), Enumerator(made)
    candidates = list(reference.candidates())
    rng = random.Random(0)
    for state in random_states(made, 10):
        for move in rng.sample(candidates, min(40, len(candidates))):
            assert engine.legal(state, move) == reference.legal(state, move)


def test_a_move_by_nobody_or_outside_the_domains_is_not_legal_and_an_unknown_one_is_an_error() -> None:
    rules = tic_tac_toe()
    engine = Enumerator(rules)
    assert engine.legal(rules.start, Move("place", 0, (8,)))
    assert not engine.legal(rules.start, Move("place", 0, (9,)))
    assert not engine.legal(rules.start, Move("place", -1, (8,)))
    assert not engine.legal(rules.start, Move("place", 2, (8,)))
    with pytest.raises(ValueError, match="no move like"):
        engine.legal(rules.start, Move("place", 0, ()))
    with pytest.raises(ValueError, match="no move like"):
        engine.legal(rules.start, Move("take", 0, (1,)))


def test_an_expression_has_the_value_of_its_definition(all_made: list[RuleSet], random_states: Callable[..., Any]) -> None:
    rng = random.Random(3)
    for rules in all_made:
        engine = Enumerator(rules)
        for state in random_states(rules, 3):
            for action in rules.actions:
                env = {p.name: rng.choice(p.values) for p in action.params} | {"me": rng.randrange(rules.players)}
                for clause in action.clauses:
                    expected = evaluate(clause.expr, state, env, rules.offset)
                    assert engine.value(clause.expr, state, env) == expected


def test_more_parameters_than_python_nests_loops_are_enumerated() -> None:
    g = Game("switches", players=1)
    most = g.field("most", values=range(3))
    a = g.action("set", by=0)
    params = [a.param(f"p{n}", range(2)) for n in range(22)]
    a.clause("S.most", add(*params) <= most)
    a.clause("S.last", params[0] + params[21] <= 1)
    engine = Enumerator(g.build())
    found = engine.moves((2,))
    chosen = [{n for n, value in enumerate(move.args) if value} for move in found]
    assert len(found) == 1 + 22 + 22 * 21 // 2 - 1
    assert all(len(c) <= 2 and c != {0, 21} for c in chosen)
    assert found == sorted(found)


def test_the_summon_example_has_the_size_of_the_goal_and_the_moves_of_the_reference(summon: ModuleType) -> None:
    rules = summon.summon()
    action = rules.actions[0]
    reference, engine = Reference(rules), Enumerator(rules)
    assert (rules.size, len(action.params), len(action.clauses)) == (39, 6, 10)
    assert sum(1 for _ in reference.candidates()) == 10_368
    for seed in range(4):
        state = summon.position(rules, seed)
        moves = reference.moves(state)
        assert engine.moves(state) == moves
        assert summon.by_python_constraint(rules, state)() == len(moves) > 0


def test_the_generated_text_can_be_read_and_derives_what_an_equation_leaves(summon: ModuleType) -> None:
    text = Enumerator(summon.summon()).source("summon")
    assert text.startswith("def moves(s, found):")
    assert "for p4 in" in text and "for p5 in" not in text.replace("for p3, p4, p5,", "")


FAULTS = {
    "less than read as at most": ("lt", "<", "<="),
    "at most read as less than": ("le", "<=", "<"),
    "equal read as different": ("eq", "==", "!="),
    "a cell outside read as another": ("field", "else 2", "else 1"),
    "and read as or": ("and", " and ", " or "),
    "a sum that takes a term twice": ("add", "(", "(1+"),
    "a longer quantifier taken for true": ("all", "f", "1 or f"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_planted_in_the_translation_is_caught(
    fault: str, monkeypatch: pytest.MonkeyPatch, all_made: list[RuleSet], random_states: Callable[..., Any]
) -> None:
    right = enumerator_text.Function._text
    op, good, bad = FAULTS[fault]

    def wrong(self: Any, node: Any) -> str:
        text = right(self, node)
        return text.replace(good, bad, 1) if node.op == op else text

    monkeypatch.setattr(enumerator_text.Function, "_text", wrong)
    assert not all(same_moves(rules, random_states(rules, 60)) for rules in all_made)


@pytest.mark.parametrize("made", ["payment"], indirect=True)
def test_a_bound_of_a_loop_that_is_off_by_one_is_caught(
    monkeypatch: pytest.MonkeyPatch, made: RuleSet, random_states: Callable[..., Any]
) -> None:
    right = enumerator._isolated

    def wrong(*args: Any) -> Any:
        bounds = right(*args)
        return bounds if bounds is None or bounds[1] is None else (bounds[0], bounds[1] - 1)

    monkeypatch.setattr(enumerator, "_isolated", wrong)
    assert not same_moves(made, random_states(made, 60))
