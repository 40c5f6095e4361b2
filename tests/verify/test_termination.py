"""Stretches of play that come to an end although the whole game need not: proved, and a move that goes round is missed."""

from __future__ import annotations

import dataclasses

import pytest

from monjudge.model.language import Game, RuleSet, gain, put
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Limits, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck

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


HERE = Property("here", "termination", premise="stage == 0", measure=("n",))
BETWEEN = "stage == 1 or stage == 2 and not done"


def stages(fault: bool = False) -> Scene:
    """A stage that is left for good within a move; with a fault the triggers come back to it before they rest."""
    g = Game("stages", players=1)
    stage, n, done = g.field("stage", values=range(3)), g.field("n", values=range(6), init=5), g.field("done", values=bool)
    play, leave, finish = g.action("play", by=0), g.action("leave", by=0), g.action("finish", by=0)
    play.clause("STAGE.play", (stage == 0) & (n > 0))
    play.effect(gain(n, -1))
    leave.clause("STAGE.leave", stage == 0)
    leave.effect(put(stage, 1))
    finish.clause("STAGE.finish", stage == 2)
    finish.effect(put(done, True))
    g.trigger("STAGE.next", stage == 1, [put(stage, 2), put(n, 5), put(done, fault)])
    g.trigger("STAGE.back", (stage == 2) & done, [put(stage, 0)])
    rules = g.build()
    return Scene(rules, rules.start)


def test_a_premise_that_triggers_break_and_restore_proves_nothing_unless_it_is_said_what_holds_in_between() -> None:
    told = dataclasses.replace(HERE, left=BETWEEN)
    assert prove(HERE, stages(), Limits(seconds=30, states=300)).verdict is Verdict.UNKNOWN
    found = prove(told, stages(), Limits(seconds=30, states=300))
    assert found.verdict is Verdict.YES and found.evidence is not None
    assert prove(Property("loop", "loop", premise="stage == 0"), stages(fault=True)).verdict is Verdict.NO
    assert prove(told, stages(fault=True), Limits(seconds=30, states=300)).verdict is Verdict.UNKNOWN
    for left in ("true", "stage == 1", "stage == 2"):
        forged = dataclasses.replace(found.evidence, claim={**found.evidence.claim, "left": left})
        with pytest.raises(Refused, match="CP-SAT finds a counterexample: left by"):
            recheck(forged, stages())


def test_a_move_that_passes_a_bound_although_it_writes_nothing_that_is_read_is_told_by_both_engines() -> None:
    g = Game("bound", players=1)
    n, other = g.field("n", values=range(4), init=3), g.field("other", values=range(4), init=3)
    g.action("down", by=0).effect(gain(n, -1))
    never = g.action("never", by=0)
    never.effect(gain(other, 4))
    rules = g.build()
    assert prove(Property("end", "termination", measure=("n",)), Scene(rules, rules.start)).verdict is Verdict.YES
