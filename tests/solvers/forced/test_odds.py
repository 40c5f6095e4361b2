"""Exact probabilities under best play: the known value of the dice duel, and those of the exhaustive solver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest

from monjudge.model.language import Game, RuleSet, State, as_int, gain, ite, put
from monjudge.model.small.duel import duel
from monjudge.model.small.nim import nim
from monjudge.model.small.pig import pig
from monjudge.model.small.rock_paper_scissors import rock_paper_scissors
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.brute import CIRCLES, SIMULTANEOUS, Brute
from monjudge.solvers.forced import Limits
from monjudge.solvers.odds import odds
from monjudge.solvers.strict import strict, strict_state
from monjudge.solvers.verdict import Verdict


def test_the_dice_duel_has_its_known_value() -> None:
    found = odds(duel())
    assert found.exact == Fraction(27851, 110592)
    assert max(value for _, value in found.moves) == found.exact
    assert [move.args for move in found.best] == [(2,)]  # the gamble
    assert odds(duel(), player=1).exact == 1 - Fraction(27851, 110592)


@pytest.mark.parametrize("rules", [duel(3, 9), nim((1, 2)), tic_tac_toe(), pig(6)], ids=lambda r: r.name)
def test_small_games_have_the_odds_of_the_exhaustive_solver(rules: RuleSet) -> None:
    for player in range(2):
        right, found = Brute(rules, nodes=10**6).odds(player), odds(rules, player=player)
        assert found.exact == right.exact and (found.low, found.high) == (right.low, right.high)


def test_random_graphs_have_the_odds_of_the_exhaustive_solver(graph: RuleSet, random_graph: Callable[[int], State]) -> None:
    whole, seen = strict(graph), Counter[str]()
    for seed in range(600):
        state, turns = random_graph(seed), (None, 2)[seed % 2]
        if seed % 4:  # only onward: no circles
            leads = graph.view(state)["leads"]
            assert isinstance(leads, list)
            state = graph.state({"leads": [lead if lead < 0 else min(9, n // 3 + 1 + lead % 4) for n, lead in enumerate(leads)]}, state)
        right = Brute(whole).odds(seed % 3, "win", strict_state(graph, state), turns=turns)
        found = odds(graph, state, "win", seed % 3, turns)
        assert right.low >= found.low and found.high >= right.high
        if found.exact is not None:
            assert found.exact == right.exact
            seen["between" if 0 < found.exact < 1 else "certain"] += 1
    assert seen["between"] > 5 and seen["certain"] > 30


def test_a_threshold_is_decided_exactly() -> None:
    found, value = odds(duel(3, 9)), Brute(duel(3, 9)).odds(0).exact
    assert value is not None
    assert found.at_least(value) is Verdict.YES and found.at_least(value + Fraction(1, 10**30)) is Verdict.NO
    nothing = odds(duel(), limits=Limits(nodes=5))
    assert nothing.exact is None and nothing.limit is not None and "5" in nothing.limit.en
    assert nothing.at_least(Fraction(1, 2)) is Verdict.UNKNOWN


def test_circles_and_hidden_decisions_have_no_odds() -> None:
    g = Game("round", players=1)
    at = g.field("at", values=range(3))
    step = g.action("step", by=0)
    step.effect(put(at, ite(at == 1, 0, at + 1)))
    stay = g.action("stay", by=0)
    stay.clause("R.0", at == 0)
    stay.effect(put(at, at))
    g.over(at == 2)
    g.goal("win", 0, at == 2)
    assert odds(g.build()).limit == CIRCLES
    assert odds(rock_paper_scissors(1)).limit == SIMULTANEOUS


def coins(tosses: int) -> RuleSet:
    """A coin that falls on its edge once in 2**31 - 1 times, tossed again and again."""
    g = Game("coins", players=1)
    left, fell = g.field("left", values=range(tosses + 1), init=tosses), g.field("fell", values=range(tosses + 1))
    toss = g.action("toss")
    heads = toss.param("heads", bool)
    toss.outcome(ite(heads, 1, 2**31 - 2))
    toss.effect(gain(left, -1), gain(fell, as_int(heads)))
    g.over(left == 0)
    g.goal("win", 0, fell > 0)
    return g.build()


def test_fractions_too_fine_for_the_machine_are_worked_out_all_the_same() -> None:
    miss = 1 - Fraction(1, 2**31 - 1)
    for tosses in (1, 2, 3, 6):
        assert odds(coins(tosses)).exact == 1 - miss**tosses
