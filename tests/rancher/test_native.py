"""The native engine and the reference count the same positions of this game."""

from __future__ import annotations

from random import Random

import pytest

from monjudge.model.language import State
from monjudge.model.rancher.decks import shipped_decks
from monjudge.model.rancher.match import STEP
from monjudge.model.rancher.set_up import start, table
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.native import Native
from monjudge.solvers.play import Play


@pytest.fixture(scope="module")
def engines() -> tuple[Native, Play]:
    decks = shipped_decks()
    rules = start(table((decks["MEADOW"].cards, decks["QUARRY"].cards)))
    return Native(rules), Play(rules)


def one_of_each_step(play: Play) -> dict[str, State]:
    """A state of each step that random games come to, by name."""
    found: dict[str, State] = {}
    moves, at = Enumerator(play.rules), play.rules.offset["step"]
    for seed in range(3):
        rng, state = Random(seed), play.start
        while choices := moves.moves(state):
            found.setdefault(STEP.labels[state[at]], state)
            state = play.reference.step(state, rng.choice(choices))
    return found


def test_both_count_the_same_positions_two_moves_deep(engines: tuple[Native, Play]) -> None:
    native, play = engines
    states = one_of_each_step(play)
    assert states.keys() >= {"CHOOSE", "REFILL", "ACTIVE", "EVENT", "SELECT", "MOVE", "ATTACK", "ADD", "PARRY", "PLAY", "AID"}
    for step, state in states.items():
        assert native.perft(state, 2) == play.perft(state, 2), step


def test_the_ways_to_begin_are_as_many_as_by_hand(engines: tuple[Native, Play]) -> None:
    """Six kinds have a pull number of at most four (1 1 2 2 2 4); after the five small ones there are six moves, after the large one one."""
    native, play = engines
    by_hand = [1, 1 + 6, 1 + 6 + 5 * 6 + 1]
    assert [native.perft(play.start, depth) for depth in range(3)] == by_hand
    assert [play.perft(play.start, depth) for depth in range(3)] == by_hand
    assert native.perft(play.start, 4) == play.perft(play.start, 4)
