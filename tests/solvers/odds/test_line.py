"""The line that is told with a probability: best play of both sides where chance is kind, with the probability after every move."""

from __future__ import annotations

import pytest

from monjudge.model.language import NATURE
from monjudge.model.small.duel import duel
from monjudge.puzzles import read
from monjudge.puzzles.library import library
from monjudge.solvers.engines.native.prover import Stopped, Weigher
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.forced.search import engine_of
from monjudge.solvers.odds import odds
from monjudge.solvers.strict import strict_state


def test_the_line_is_best_play_with_the_probability_after_every_move() -> None:
    rules = duel()
    reference, found = Reference(rules), odds(rules)
    state, before = found.question.state, found.exact
    assert len(found.line) > 5 and any(step.outcomes for step in found.line)
    for step in found.line:
        legal = reference.moves(state)
        if step.outcomes:
            assert {move for move, _ in step.outcomes} == {move for move in legal if move.me == NATURE}
            assert step.value == max(value for _, value in step.outcomes)
        else:
            assert step.value == before
        state, before = reference.step(state, step.move), step.value
        assert odds(rules, state).exact == step.value
    assert before == 1


def test_among_equally_good_moves_the_line_takes_those_that_are_meant() -> None:
    rules = duel()
    plain = odds(rules).line
    roll = next(n for n, step in enumerate(plain) if len([v for _, v in step.outcomes if v == step.value]) > 1)
    other = next(move for move, value in plain[roll].outcomes if value == plain[roll].value and move != plain[roll].move)
    meant = [*(step.move for step in plain[:roll]), other]
    assert [step.move for step in odds(rules, main=meant).line][: roll + 1] == meant


def test_odds_are_the_same_after_a_walk_that_was_broken_off() -> None:
    """A position that a walk left unfinished was taken for one that is settled, with a value out of thin air."""
    rules = duel()
    engine = engine_of(rules)
    packed = engine.layout.pack(strict_state(rules, rules.start))
    weigher = Weigher(engine, rules.goals[0].when, 0)
    whole = Weigher(engine, rules.goals[0].when, 0).weigh(packed)
    for nodes in (100, 1_000, 10_000):
        with pytest.raises(Stopped):
            weigher.weigh(packed, nodes=nodes)
    assert weigher.weigh(packed) == whole == odds(rules).exact


def test_odds_are_the_same_where_more_differs_than_the_keys_held() -> None:
    asked = read(library()["four-of-five"])
    here = asked.replay().states[0]
    assert str(odds(asked.position.rules, here, asked.goal, 0, asked.turns).exact) == asked.computed["odds"]
