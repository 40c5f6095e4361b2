"""The dice duel against its exact value and a recursion that knows nothing of the rule language."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from monjudge.model.language import NATURE, Move
from monjudge.model.small.duel import ANSWER, ATTACK, PENDING, duel
from monjudge.solvers.engines.reference import Reference


def win_chance(rounds, lives):
    """The first player's best chance, and the number of states between decisions, from the rules of the game."""

    @cache
    def chance(a, b, left, answering):
        if a == 0 or b == 0 or left == 0:
            return Fraction(int(b == 0 and a > 0))

        def then(a, b, left, answering):
            return chance(max(0, a), min(lives, max(0, b)), left, answering)

        if answering:
            curse = sum(then(a - hurt, b, left - 1, False) for hurt in (1, 3, 0)) / 3
            return min(curse, then(a, b + 2, left - 1, False))
        die = sum(then(a, b - face, left, True) for face in range(1, 7)) / 6
        gamble = (then(a - 2, b - 8, left, True) + then(a - 1, b, left, True)) / 2
        return max(die, then(a, b - 3, left, True), gamble)

    return chance(lives, lives, rounds, False), chance.cache_info().currsize


def test_the_known_value_and_number_of_states_come_out_of_the_plain_recursion():
    assert win_chance(12, 40) == (Fraction(27851, 110592), 22_811)


@pytest.mark.parametrize(("rounds", "lives"), [(1, 3), (1, 8), (2, 7), (3, 10), (4, 9)])
def test_the_value_is_that_of_the_plain_recursion(best_play, rounds, lives):
    rules = duel(rounds, lives)
    assert best_play(rules)(rules.start) == win_chance(rounds, lives)[0]


def test_the_full_duel_has_the_known_value(best_play):
    rules = duel()
    assert best_play(rules)(rules.start) == Fraction(27851, 110592)


@pytest.mark.parametrize(
    ("pending", "outcomes"),
    [
        (PENDING.die, {("die", (face,)): Fraction(1, 6) for face in range(1, 7)}),
        (PENDING.gamble, {("gamble", (0,)): Fraction(1, 2), ("gamble", (1,)): Fraction(1, 2)}),
        (PENDING.curse, {("curse", (hurt,)): Fraction(1, 3) for hurt in (0, 1, 3)}),
    ],
)
def test_what_was_thrown_has_its_outcomes_with_their_chances(pending, outcomes):
    rules = duel()
    found = Reference(rules).outcomes(rules.state({"pending": pending}))
    mass = sum(weight for _, weight in found)
    assert {(move.action, move.args): Fraction(weight, mass) for move, weight in found} == outcomes


def test_both_falling_in_one_gamble_is_no_win():
    rules = duel()
    engine = Reference(rules)
    state = rules.state({"life": [2, 8], "pending": PENDING.gamble})
    after = engine.step(state, Move("gamble", NATURE, (1,)))
    assert engine.over(after) and engine.payoff(after) == (0, 0)
    safe = engine.step(rules.state({"life": [3, 8], "pending": PENDING.gamble}), Move("gamble", NATURE, (1,)))
    assert engine.over(safe) and engine.payoff(safe) == (1, -1)


def test_life_stays_between_nothing_and_what_it_was_at_the_start():
    rules = duel(lives=10)
    engine = Reference(rules)
    rested = engine.step(rules.state({"life": [10, 9], "answering": 1}), Move("answer", 1, (ANSWER.rest,)))
    assert rules.view(rested)["life"] == [10, 10]
    struck = engine.step(rules.state({"life": [10, 2]}), Move("attack", 0, (ATTACK.strike,)))
    assert rules.view(struck)["life"] == [10, 0]
