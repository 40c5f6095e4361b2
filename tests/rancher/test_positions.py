"""Positions by lot, which no game need come to: cards stay, engines agree, norms hold."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from rancher_positions import scattered

from monjudge.model.language import State
from monjudge.model.rancher.decks import shipped_decks
from monjudge.model.rancher.rules import rancher
from monjudge.model.rancher.set_up import table
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.native import Native
from monjudge.solvers.engines.reference import Reference
from monjudge.verify.norms import NormReport, Norms

SETTING = table([deck.cards for deck in shipped_decks().values()])
POSITIONS = 150


@cache
def rules():
    return rancher(SETTING, norms=True)


@cache
def positions() -> tuple[State, ...]:
    engine = Reference(rules())
    return tuple(engine.settle(scattered(rules(), SETTING, seed)) for seed in range(POSITIONS))


def held(state: State) -> list[int]:
    """How many cards of each kind there are in all zones."""
    cards, view, total = SETTING.catalogue, rules().view(state), [0] * len(SETTING.catalogue)
    for name in ("library", "hand", "discard", "removed"):
        for n, count in enumerate(view[name]):
            total[n % len(cards)] += count
    for name in ("monster", "shown", "side_card"):
        for kind in view[name]:
            total[kind] += 1
    for name in ("battle", "course", "judged"):
        total[view[name]] += 1
    for name, span in (("training", cards.numbers("TRAINING")), ("gear", cards.numbers("ATTACHMENT")), ("kit", cards.numbers("ATTACHMENT"))):
        for n, count in enumerate(view[name]):
            total[span[n % len(span)]] += count
    return total[1:]


def test_all_cards_of_both_decks_are_somewhere_before_and_after_every_move() -> None:
    engine, moves, rng = Reference(rules()), Enumerator(rules()), Random(1)
    for state in positions():
        assert sum(held(state)) == 120
        legal = moves.moves(state)
        for move in rng.sample(legal, min(6, len(legal))):
            assert held(engine.step(state, move)) == held(state), move


def test_the_engines_see_the_same_moves_and_the_same_states_after_them() -> None:
    engine, moves, native = Reference(rules()), Enumerator(rules()), Native(rules())
    for state in positions():
        legal = moves.moves(state)
        assert sorted(native.moves(state)) == sorted(legal)
        found, states = native.successors(state)
        assert dict(zip(found, states, strict=True)) == {move: engine.step(state, move) for move in legal}


def test_a_move_is_legal_exactly_when_no_clause_fails() -> None:
    engine, moves, rng = Reference(rules()), Enumerator(rules()), Random(2)
    candidates = list(engine.candidates())
    for state in positions()[::4]:
        legal = set(moves.moves(state))
        for move in [*legal, *rng.sample(candidates, 60)]:
            assert (move in legal) == (engine.failing(state, move) == [])


def test_chance_and_decisions_never_meet_and_somebody_can_always_move() -> None:
    engine, moves = Reference(rules()), Enumerator(rules())
    for state in positions():
        legal = moves.moves(state)
        assert legal or engine.over(state)
        assert len({move.me for move in legal}) <= 1


def test_norms_hold_where_no_game_has_been() -> None:
    engine, moves, norms, report = Reference(rules()), Enumerator(rules()), Norms(rules()), NormReport(rules().norms)
    rng = Random(3)
    for state in positions():
        norms.hold(report, state, None, None)
        legal = moves.moves(state)
        for move in rng.sample(legal, min(5, len(legal))):
            norms.hold(report, state, move, engine.step(state, move))
    assert {breach.norm for breach in report.breaches} == set()


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_seed_makes_the_same_position(seed: int) -> None:
    assert scattered(rules(), SETTING, seed) == scattered(rules(), SETTING, seed)
