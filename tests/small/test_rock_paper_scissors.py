"""Rock, paper, scissors: what stays hidden, who beats whom, and that a third each cannot be beaten."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from monjudge.model.language import Move, evaluate
from monjudge.model.small.rock_paper_scissors import HAND, rock_paper_scissors
from monjudge.solvers.engines.reference import Reference

ROCK, PAPER, SCISSORS = range(3)


def after_round(engine, state, first, second):
    state = engine.step(state, Move("choose", 0, (first,)))
    return engine.step(state, Move("choose", 1, (second,)))


@pytest.mark.parametrize(
    ("first", "second", "points"),
    [
        (ROCK, SCISSORS, [1, 0]), (PAPER, ROCK, [1, 0]), (SCISSORS, PAPER, [1, 0]),
        (SCISSORS, ROCK, [0, 1]), (ROCK, PAPER, [0, 1]), (PAPER, SCISSORS, [0, 1]),
        (ROCK, ROCK, [0, 0]), (PAPER, PAPER, [0, 0]), (SCISSORS, SCISSORS, [0, 0]),
    ],
)  # fmt: skip
def test_a_round_is_scored_and_shown_when_both_have_chosen(first, second, points):
    rules = rock_paper_scissors()
    state = after_round(Reference(rules), rules.start, first, second)
    assert rules.view(state) == {"hand": [-1, -1], "shown": [first, second], "points": points, "played": 1}


def sees(rules, viewer, name, index, state):
    """Whether the viewer may see the cell: a field without a rule of its own is open."""
    rule = rules.visible.get(name)
    return rule is None or bool(evaluate(rule, state, {"viewer": viewer, "x0": index}, rules.offset))


def test_a_chosen_hand_is_seen_by_its_owner_alone_and_all_else_by_both():
    rules = rock_paper_scissors()
    chosen = Reference(rules).step(rules.start, Move("choose", 1, (PAPER,)))
    for viewer in (0, 1):
        seen = {player for player in (0, 1) if sees(rules, viewer, "hand", player, chosen)}
        assert seen == {viewer}
        for name in ("shown", "points"):
            assert all(sees(rules, viewer, name, player, chosen) for player in (0, 1))


def test_the_second_to_choose_knows_no_more_than_the_first():
    rules = rock_paper_scissors()
    engine = Reference(rules)

    def knowledge(viewer, state):
        view = rules.view(state)
        hands = [h for p, h in enumerate(view.pop("hand")) if sees(rules, viewer, "hand", p, state)]
        return hands, view

    states = [engine.step(rules.start, Move("choose", 0, (hand,))) for hand in range(HAND.size)]
    assert len(set(states)) == 3
    assert all(knowledge(1, state) == knowledge(1, states[0]) for state in states)
    assert knowledge(0, states[0]) != knowledge(0, states[1])


def test_who_chooses_first_makes_no_difference_and_nobody_chooses_twice():
    rules = rock_paper_scissors()
    engine = Reference(rules)
    one = after_round(engine, rules.start, ROCK, PAPER)
    other = engine.step(engine.step(rules.start, Move("choose", 1, (PAPER,))), Move("choose", 0, (ROCK,)))
    assert one == other
    chosen = engine.step(rules.start, Move("choose", 0, (ROCK,)))
    assert [c.id for c in engine.failing(chosen, Move("choose", 0, (PAPER,)))] == ["RPS.once"]
    assert {m.me for m in engine.moves(chosen)} == {1}


def test_against_a_third_each_no_hand_is_better_than_another():
    rules = rock_paper_scissors(rounds=4)
    engine = Reference(rules)

    @cache
    def value(state):
        """What player 0 gets at best from here when player 1 takes each hand with a third."""
        if engine.over(state):
            return Fraction(engine.payoff(state)[0])
        replies = {first: sum(value(after_round(engine, state, first, s)) for s in range(3)) / 3 for first in range(3)}
        assert len(set(replies.values())) == 1
        return max(replies.values())

    assert value(rules.start) == 0


@pytest.mark.parametrize(
    ("points", "played", "over"), [([2, 0], 2, True), ([1, 1], 2, False), ([1, 0], 2, False), ([1, 1], 3, True)]
)
def test_the_match_ends_with_its_rounds_or_when_it_is_decided(points, played, over):
    rules = rock_paper_scissors(rounds=3)
    assert Reference(rules).over(rules.state({"points": points, "played": played})) == over
