"""Pig against a recursion that knows nothing of the rule language."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from monjudge.model.language import NATURE, Move
from monjudge.model.small.pig import pig
from monjudge.solvers.engines.reference import Reference


def expected(goal, turns):
    """The first player's expected result (win 1, loss -1) under best play, written from the rules of the game."""

    @cache
    def mine(me, other, pot, left):
        """For the player about to roll or hold; ``left`` turns are to come, this one included."""
        if left == 0:
            return Fraction((me > other) - (me < other))
        hold = Fraction(1) if me + pot >= goal else -mine(other, me + pot, 0, left - 1)
        if me + pot >= goal:
            return hold
        roll = (-mine(other, me, 0, left - 1) + sum(mine(me, other, pot + face, left) for face in range(2, 7))) / 6
        return max(hold, roll) if pot else roll

    return mine(0, 0, 0, 2 * turns)


@pytest.mark.parametrize(("goal", "turns"), [(2, 1), (2, 3), (6, 1), (7, 2), (10, 2), (12, 3)])
def test_the_value_is_that_of_the_independent_recursion(best_play, goal, turns):
    rules = pig(goal, turns)
    assert best_play(rules)(rules.start) == expected(goal, turns)


def test_one_roll_to_two_points_wins_with_five_in_six():
    # One turn each, anything but a one wins: 5/6 first, else level with 1/6 of 1/6, else lost.
    assert expected(2, 1) == Fraction(5, 6) - Fraction(1, 6) * Fraction(5, 6)


def test_a_one_loses_what_was_gathered_and_the_turn_but_not_the_score():
    rules = pig(goal=20)
    engine = Reference(rules)
    state = rules.state({"score": [7, 3], "pot": 9, "rolling": 1})
    assert rules.view(engine.step(state, Move("land", NATURE, (1,)))) == {
        "score": [7, 3], "pot": 0, "taken": 1, "turn": 1, "rolling": 0,
    }  # fmt: skip
    assert rules.view(engine.step(state, Move("land", NATURE, (5,)))) == {
        "score": [7, 3], "pot": 14, "taken": 0, "turn": 0, "rolling": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("values", "action", "failing"),
    [
        ({"pot": 0}, "hold", ["PIG.some"]),
        ({"pot": 4}, "hold", []),
        ({"pot": 4}, "roll", []),
        ({"score": [15, 0], "pot": 5}, "roll", ["PIG.enough"]),
        ({"pot": 4, "rolling": 1}, "roll", ["PIG.die"]),
        ({"pot": 4, "rolling": 1}, "hold", ["PIG.die"]),
    ],
)
def test_a_decision_fails_exactly_the_clauses_it_breaks(values, action, failing):
    rules = pig(goal=20)
    assert [c.id for c in Reference(rules).failing(rules.state(values), Move(action, 0))] == failing
