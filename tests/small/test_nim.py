"""Nim against its theory (C. L. Bouton, 1901), over every position of three heaps."""

from __future__ import annotations

import itertools
from functools import reduce
from operator import xor

import pytest

from monjudge.model.language import Move
from monjudge.model.small.nim import nim
from monjudge.solvers.engines.reference import Reference

MOST = 4
POSITIONS = [heaps for heaps in itertools.product(range(MOST + 1), repeat=3) if any(heaps)]


def mover_loses(heaps, misere):
    """Bouton's theorem: the exclusive or decides; misere turns it round when only ones are left."""
    balanced = reduce(xor, heaps) == 0
    return not balanced if misere and max(heaps) < 2 else balanced


@pytest.mark.parametrize("misere", [False, True], ids=["normal", "misere"])
def test_every_position_has_the_value_of_the_theory_whoever_moves(best_play, misere):
    rules = nim((MOST,) * 3, misere)
    value = best_play(rules)
    for heaps in POSITIONS:
        for player in (0, 1):
            mine = value(rules.state({"heap": heaps, "turn": player})) * (1 if player == 0 else -1)
            assert (mine == -1) == mover_loses(heaps, misere), heaps


def test_the_winning_moves_are_those_that_leave_exclusive_or_zero(best_play):
    rules = nim((3, 4, 5))
    engine, value = Reference(rules), best_play(rules)
    winning = {m.args for m in engine.moves(rules.start) if value(engine.step(rules.start, m)) == 1}
    assert winning == {(0, 2)}


def test_no_more_is_taken_than_the_heap_has():
    rules = nim((2, 3))
    engine = Reference(rules)
    assert [c.id for c in engine.failing(rules.start, Move("take", 0, (0, 3)))] == ["NIM.enough"]
    assert engine.failing(rules.start, Move("take", 0, (0, 2))) == []


@pytest.mark.parametrize("heaps", [(), (0, 0), (2, -1)], ids=str)
def test_heaps_without_a_counter_are_refused_in_a_sentence(heaps):
    with pytest.raises(ValueError, match="one counter at least"):
        nim(heaps)
