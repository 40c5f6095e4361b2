"""What single firings of triggers do: proved by two engines, and a fault planted in a rule or in the claim is missed."""

from __future__ import annotations

import dataclasses

import pytest

from monjudge.model.language import Game, RuleSet, gain, put
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Finding, Limits, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck

POUR = Property("pour", "firing", "all n in 0..1: next jug[n] <= jug[n] or next jug[1 - n] < jug[1 - n]", among=("JUG.pour",))


def jugs(fault: bool = False) -> RuleSet:
    """Two jugs; one that is full loses one measure to the other by itself, or with a fault to nobody and gains it."""
    g = Game("jugs", players=1)
    jug = g.field("jug", 2, values=range(5))
    fill = g.action("fill", by=0)
    which = fill.param("which", range(2))
    fill.clause("JUG.fill", jug[which] < 4)
    fill.effect(gain(jug[which], 1))
    g.trigger("JUG.pour", lambda n: (jug[n] == 4) & (jug[1 - n] < 4),
              lambda n: [gain(jug[n], 0 if fault else -1), gain(jug[1 - n], 1)], over=(2,))  # fmt: skip
    g.trigger("JUG.spill", (jug[0] == 4) & (jug[1] == 4), [put(jug[0], 0)])
    return g.build()


def found(prop: Property, rules: RuleSet) -> Finding:
    return prove(prop, Scene(rules, rules.start), Limits(seconds=30, states=100))


def test_what_a_firing_does_is_proved_by_both_engines() -> None:
    answer = found(POUR, jugs())
    assert answer.verdict is Verdict.YES and answer.evidence is not None
    assert recheck(answer.evidence, Scene(jugs(), jugs().start)).implications == 3  # one for each jug, and where play begins


def test_a_rule_that_does_something_else_is_missed() -> None:
    assert found(POUR, jugs(fault=True)).verdict is Verdict.UNKNOWN


def test_the_second_engine_refuses_a_claim_about_triggers_for_which_it_does_not_hold() -> None:
    answer = found(POUR, jugs())
    assert answer.evidence is not None
    wrong = dataclasses.replace(answer.evidence, claim={**answer.evidence.claim, "formula": "all n in 0..1: next jug[n] == jug[n]"})
    with pytest.raises(Refused):
        recheck(wrong, Scene(jugs(), jugs().start))


def test_a_lemma_that_is_no_invariant_proves_nothing() -> None:
    rules = jugs()
    apart = Property("apart", "firing", "next jug[0] + next jug[1] == jug[0] + jug[1] and jug[0] + jug[1] >= 4", among=("JUG.pour",))
    assert found(apart, rules).verdict is Verdict.YES
    never = Property("never", "firing", "false", among=("JUG.spill",))
    assert found(never, rules).verdict is Verdict.UNKNOWN
    rests = "jug[0] < 4 or jug[1] < 4"
    assert found(dataclasses.replace(never, lemmas=(rests, "jug[0] + jug[1] <= 7")), rules).verdict is Verdict.UNKNOWN  # no invariant
