"""The exhaustive solver against values that are known, and against what must not be answered."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from monjudge.model.language import NATURE, Game, RuleSet, State, as_int, both, either, gain, ite, put
from monjudge.model.small.duel import duel
from monjudge.model.small.nim import nim
from monjudge.model.small.rock_paper_scissors import rock_paper_scissors
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.brute import CIRCLES, SIMULTANEOUS, STUCK, Brute
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.verdict import Verdict


def test_tic_tac_toe_is_a_draw() -> None:
    brute = Brute(tic_tac_toe())
    assert brute.value(0).exact == brute.value(1).exact == 0
    assert brute.forced(0).verdict is brute.forced(1).verdict is Verdict.NO


def test_a_win_is_forced_within_the_plies_it_takes_and_not_sooner() -> None:
    brute = Brute(tic_tac_toe())
    fork = brute.rules.state({"cell": [1, 0, 0, 0, 2, 0, 2, 0, 1], "turn": 0})  # 2 blocks, then two rows are open
    answers = [brute.forced(0, state=fork, plies=n).verdict for n in range(5)]
    assert answers == [Verdict.NO, Verdict.NO, Verdict.NO, Verdict.YES, Verdict.YES]
    assert brute.forced(0, state=fork).verdict is Verdict.YES
    assert brute.value(0, fork).exact == 1 and brute.value(1, fork).exact == -1


@pytest.mark.parametrize("heaps", [(1,), (1, 1), (1, 2), (1, 2, 3), (2, 2, 1), (3, 4, 7), (3, 4, 5)])
def test_nim_is_won_by_its_theory(heaps: tuple[int, ...]) -> None:
    """Bouton 1901: whoever moves wins unless the exclusive or of the heaps is 0."""
    total = 0
    for heap in heaps:
        total ^= heap
    brute = Brute(nim(heaps))
    assert brute.forced(0).verdict is (Verdict.YES if total else Verdict.NO)
    assert brute.forced(1).verdict is (Verdict.NO if total else Verdict.YES)


def test_the_odds_of_the_duel_are_exact() -> None:
    rules = duel(rounds=3, lives=9)
    engine = Reference(rules)

    @cache
    def value(state: State) -> Fraction:
        moves = engine.moves(state)
        if not moves:
            return Fraction(engine.payoff(state)[0])
        if moves[0].me == NATURE:
            outcomes = engine.outcomes(state)
            whole = sum(weight for _, weight in outcomes)
            return sum((weight * value(engine.step(state, m)) for m, weight in outcomes), Fraction()) / whole
        return (max if moves[0].me == 0 else min)(value(engine.step(state, m)) for m in moves)

    expected = value(rules.start)
    brute = Brute(rules)
    assert 0 < expected < 1
    assert brute.value(0).exact == brute.odds(0).exact == expected
    assert brute.odds(1).exact == 1 - expected
    assert brute.forced(0).verdict is brute.forced(1).verdict is Verdict.NO


def gamble(sides: int) -> RuleSet:
    """Player 0 stops with a coin, or rolls for more; reaching 3 wins."""
    g = Game("gamble", players=2)
    coins = g.field("coins", values=range(4))
    rolling, stopped = g.field("rolling", values=bool), g.field("stopped", values=bool)
    rounds = g.field("rounds", values=range(10))
    take = g.action("take", by=0)
    safe = take.param("safe", bool)
    take.clause("G.wait", ~rolling)
    take.effect(gain(coins, as_int(safe)), put(rolling, ~safe), gain(rounds, 1))
    die = g.action("die", weight=1)
    face = die.param("face", range(sides))
    die.clause("G.due", rolling)
    die.effect(put(coins, ite(face == 0, 0, 3)), put(rolling, False))
    g.over(either(coins == 3, stopped, rounds == 2))
    g.goal("win", 0, coins == 3)
    g.goal("some", 0, (coins > 0) & ~rolling)
    g.turn_structure(rounds, {"take": "turn", "die": "turn"})
    return g.build()


def test_chance_must_always_come_right_for_a_forced_win_and_is_weighed_for_the_odds() -> None:
    brute = Brute(gamble(sides=4))
    assert brute.forced(0).verdict is Verdict.NO
    assert brute.odds(0).exact == Fraction(3, 4)  # the game ends with the second round, before its die is read
    assert brute.forced(0, goal="some").verdict is Verdict.YES


def test_the_die_after_the_last_decision_still_counts() -> None:
    brute = Brute(gamble(sides=4))
    assert brute.odds(0, plies=1).exact == Fraction(3, 4)
    assert brute.odds(0, plies=0).exact == 0


def test_turns_are_counted_by_the_counter_that_the_game_declares() -> None:
    brute = Brute(gamble(sides=4))
    assert brute.forced(0, goal="some", turns=1).verdict is Verdict.YES
    assert brute.odds(0, turns=1).exact == 0
    assert brute.odds(0, turns=2).exact == Fraction(3, 4)
    with pytest.raises(ValueError, match="what a turn is"):
        Brute(tic_tac_toe()).forced(0, turns=1)


def ring(length: int, *, guard: bool) -> RuleSet:
    """A token on a ring, moved either way by player 0 (and, with a guard, by both in turn) towards place 1."""
    g = Game("ring", players=2)
    at = g.field("at", values=range(length), init=length - 1)
    turn = g.field("turn", values=range(2))
    step = g.action("step", by=turn)
    ahead = step.param("ahead", bool)
    there = ite(ahead, ite(at == length - 1, 0, at + 1), ite(at == 0, length - 1, at - 1))
    step.effect(put(at, there), put(turn, 1 - turn if guard else turn))
    g.over(at == 1)
    g.goal("win", 0, at == 1)
    g.goal("never", 1, at == length + 1)
    g.payoff(as_int(at == 1), -as_int(at == 1))
    return g.build()


def test_going_round_in_circles_is_neither_a_win_nor_mistaken_for_one() -> None:
    alone = Brute(ring(5, guard=False))
    assert alone.forced(0).verdict is Verdict.YES
    assert [alone.forced(0, plies=n).verdict for n in (1, 2, 3)] == [Verdict.NO, Verdict.YES, Verdict.YES]
    guarded = Brute(ring(6, guard=True))
    assert guarded.forced(0).verdict is Verdict.NO
    assert guarded.forced(0, state=(0, 0)).verdict is Verdict.YES
    assert guarded.forced(1, goal="never").verdict is Verdict.NO


def test_a_payoff_or_a_probability_that_circles_leave_open_is_unknown() -> None:
    for value in (Brute(ring(5, guard=True)).value(0), Brute(ring(5, guard=True)).odds(0)):
        assert value.exact is None and (value.low, value.high) == (0, 1) and value.limit == CIRCLES


def test_a_bound_on_the_positions_gives_unknown_but_never_a_wrong_answer() -> None:
    whole = Brute(nim((3, 4, 5)))
    answers = {Brute(whole.rules, nodes=n).forced(0).verdict for n in range(0, 260, 5)}
    assert answers == {Verdict.UNKNOWN, Verdict.YES}
    short = Brute(whole.rules, nodes=10).forced(0)
    assert short.verdict is Verdict.UNKNOWN and short.limit is not None and "10" in short.limit.en


def test_a_move_beyond_a_bound_of_the_model_makes_unknown_only_what_rests_on_it() -> None:
    g = Game("cup", players=2)
    drops, turn = g.field("drops", values=range(4), init=1), g.field("turn", values=range(2))
    pour = g.action("pour", by=turn)
    much = pour.param("much", range(1, 3))
    pour.effect(gain(drops, much), put(turn, 1 - turn))
    g.over(drops == 3)
    g.goal("last", 0, both(drops == 3, turn == 1))
    g.goal("last", 1, both(drops == 3, turn == 0))
    g.goal("spare", 0, both(drops == 3, turn == 0))
    brute = Brute(g.build())
    assert brute.forced(0, "last").verdict is Verdict.YES
    assert brute.forced(1, "last").verdict is Verdict.NO
    assert brute.forced(0, "last", state=(2, 1)).verdict is Verdict.NO
    open_end = brute.forced(0, "spare", state=(2, 0))
    assert open_end.verdict is Verdict.UNKNOWN and open_end.limit is not None and "drops" in open_end.limit.en


def test_all_others_together_resist_the_player_of_the_goal() -> None:
    g = Game("three", players=3)
    votes, turn = g.field("votes", values=range(4)), g.field("turn", values=range(4))
    vote = g.action("vote", by=turn)
    yes = vote.param("yes", bool)
    vote.effect(gain(votes, as_int(yes)), gain(turn, 1))
    g.over(turn == 3)
    for p in range(3):
        g.goal("two", p, both(turn == 3, votes >= 2))
        g.goal("one", p, both(turn == 3, votes >= 1))
    g.payoff(votes, votes, 3 - votes)
    brute = Brute(g.build())
    assert [brute.forced(p, "one").verdict for p in range(3)] == [Verdict.YES] * 3
    assert [brute.forced(p, "two").verdict for p in range(3)] == [Verdict.NO] * 3
    assert [brute.value(p).exact for p in range(3)] == [1, 1, 1]


def test_where_several_may_decide_the_others_choose_who_does() -> None:
    g = Game("race", players=2)
    flag = g.field("flag", values=range(3))
    grab = g.action("grab")
    grab.clause("R.free", flag == 0)
    grab.effect(put(flag, grab.me + 1))
    for p in range(2):
        g.goal("win", p, flag == p + 1)
    brute = Brute(g.build())
    assert brute.forced(0).verdict is brute.forced(1).verdict is Verdict.NO


def blind(first: int, *, beaten: bool) -> RuleSet:
    """Both hide a coin, in an order the game fixes; player 0 wins if the coins differ (or, unless beaten, with a 2)."""
    g = Game("blind", players=2)
    coin = g.field("coin", 2, values=range(4))
    turn = g.field("turn", values=range(3))
    hide = g.action("hide", by=ite(turn == 0, first, 1 - first))
    what = hide.param("what", range(1, 3 if beaten else 4))
    hide.clause("B.two", turn < 2)
    hide.clause("B.own", (what < 3) | (hide.me == 0))
    hide.effect(put(coin[hide.me], what), gain(turn, 1))
    shown = turn == 2
    g.simultaneous("hide", ["hide"], hidden=[coin], open=shown)
    g.over(shown)
    g.goal("win", 0, shown & (coin[0] != coin[1]))
    g.payoff(as_int(shown & (coin[0] != coin[1])), as_int(shown & (coin[0] == coin[1])))
    return g.build()


def test_a_plan_is_forced_only_if_it_wins_against_replies_that_see_it() -> None:
    rps = Brute(rock_paper_scissors(1))
    assert rps.forced(0).verdict is rps.forced(1).verdict is Verdict.NO
    assert Brute(blind(0, beaten=True)).forced(0).verdict is Verdict.NO
    assert Brute(blind(0, beaten=False)).forced(0).verdict is Verdict.YES


def test_what_the_player_does_not_see_is_not_used_for_a_win() -> None:
    hidden = Brute(blind(1, beaten=True)).forced(0)
    assert (hidden.low, hidden.high, hidden.limit) == (0, 1, SIMULTANEOUS)
    assert Brute(blind(1, beaten=False)).forced(0).verdict is Verdict.YES


def test_mixed_strategies_are_not_answered() -> None:
    for value in (Brute(blind(0, beaten=True)).odds(0), Brute(rock_paper_scissors(1)).value(0)):
        assert value.exact is None and value.limit == SIMULTANEOUS


def test_a_game_where_nobody_can_move_reaches_no_goal_and_pays_nothing_known() -> None:
    g = Game("stuck", players=1)
    stone = g.field("stone", values=range(3))
    put_it = g.action("put", by=0)
    put_it.clause("S.once", stone == 0)
    put_it.effect(put(stone, 1))
    g.over(stone == 2)
    g.goal("win", 0, stone == 2)
    g.payoff(stone)
    brute = Brute(g.build())
    assert brute.forced(0).verdict is Verdict.NO
    assert brute.value(0).exact is None and brute.value(0).limit == STUCK


def test_questions_that_the_game_does_not_declare_are_errors() -> None:
    with pytest.raises(ValueError, match="no goal 'lose' for player 0"):
        Brute(tic_tac_toe()).forced(0, "lose")
    with pytest.raises(ValueError, match="declares no payoffs"):
        Brute(gamble(2)).value(0)
