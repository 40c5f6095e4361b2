"""Stretches of play that come to an end although the whole game need not: proved, and a move that goes round is missed."""

from __future__ import annotations

from monjudge.model.language import Game, RuleSet, gain, put
from monjudge.model.properties import Scene
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Limits, prove
from monjudge.verify.question import Property

ROUND = Property("round", "termination", premise="stage == 1", measure=("sum h in 0..3: hand[h]", "1 - done"))


def rounds(fault: bool = False) -> RuleSet:
    """Rounds without end; within a round cards are played, and with a fault taken back."""
    g = Game("rounds", players=1)
    stage, hand, done = g.field("stage", values=range(2)), g.field("hand", 4, values=range(3)), g.field("done", values=range(2))
    begin = g.action("begin", by=0)
    begin.clause("ROUND.begin", stage == 0)
    begin.effect(put(stage, 1), put(done, 0), *(put(hand[h], 2) for h in range(4)))
    play = g.action("play", by=0)
    card = play.param("card", range(4))
    play.clause("ROUND.play", (stage == 1) & (hand[card] > 0) & (done == 0))
    play.effect(gain(hand[card], -1), put(done, 1))
    again = g.action("again", by=0)
    again.clause("ROUND.again", (stage == 1) & (done == 1) & (hand[0] > 0))
    again.effect(put(done, 0), gain(hand[0], 0 if fault else -1))
    leave = g.action("leave", by=0)
    leave.clause("ROUND.leave", (stage == 1) & (done == 1))
    leave.effect(put(stage, 0))
    return g.build()


def test_a_stretch_of_play_ends_although_the_game_need_not() -> None:
    rules = rounds()
    found = prove(ROUND, Scene(rules, rules.start), Limits(seconds=30, states=300))
    assert found.verdict is Verdict.YES
    whole = Property("whole", "termination", measure=ROUND.measure)
    assert prove(whole, Scene(rules, rules.start), Limits(seconds=30, states=300)).verdict is Verdict.UNKNOWN


def test_a_move_that_goes_round_is_missed() -> None:
    rules = rounds(fault=True)
    assert prove(ROUND, Scene(rules, rules.start), Limits(seconds=30, states=300)).verdict is Verdict.UNKNOWN
