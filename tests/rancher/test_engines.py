"""Every engine says the same about a small table of this game: the legal moves of a state of each step, and what a move does."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from monjudge.model.language import RuleSet, State
from monjudge.model.rancher.cards import Catalogue
from monjudge.model.rancher.catalogue.packs import default_pack
from monjudge.model.rancher.match import STEP, Setting
from monjudge.model.rancher.rules import rancher
from monjudge.solvers.engines.cpsat import Cpsat
from monjudge.solvers.engines.csp import Csp
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.native import Native
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.engines.smt.engine import Smt

KINDS = ("ASH_HOUND", "CROW_WITCH", "LIFTING", "SPIKED_COLLAR", "FEED_BAG", "HERB_DOCTOR", "TAILWIND", "VILLAGE_BOUT")


@cache
def small() -> RuleSet:
    """Eight kinds, three of each in both decks; one of the monsters has an ability."""
    cards = [default_pack().named(name) for name in KINDS]
    return rancher(Setting(Catalogue(cards), (dict.fromkeys(cards, 3), dict.fromkeys(cards, 3)), slots=4))


@cache
def states() -> dict[str, State]:
    """A state of each step that two random games come to, by name."""
    engine, moves, found = Reference(small()), Enumerator(small()), dict[str, State]()
    for seed in (1, 2):
        rng, state = Random(seed), engine.settle(small().start)
        while choices := moves.moves(state):
            found.setdefault(STEP.labels[state[small().offset["step"]]], state)
            state = engine.step(state, rng.choice(choices))
    return found


def test_the_states_are_of_most_steps() -> None:
    assert states().keys() >= {"CHOOSE", "REFILL", "ACTIVE", "EVENT", "SELECT", "MOVE", "ATTACK", "ADD", "PARRY", "PLAY", "AID"}


@pytest.mark.parametrize("engine", [Enumerator, Csp, Cpsat, Smt, Native], ids=lambda e: e.__name__)
def test_the_legal_moves_are_the_same(engine: type[Enumerator]) -> None:
    reference, other = Reference(small()), engine(small())
    for step, state in states().items():
        assert sorted(other.moves(state)) == sorted(reference.moves(state)), step


@pytest.mark.parametrize("engine", [Cpsat, Smt, Native], ids=lambda e: e.__name__)
def test_a_move_leads_to_the_same_state(engine: type[Native]) -> None:
    reference, other = Reference(small()), engine(small())
    for step, state in list(states().items())[::3]:
        for move in reference.moves(state)[:1]:
            assert other.step(state, move) == reference.step(state, move), step
