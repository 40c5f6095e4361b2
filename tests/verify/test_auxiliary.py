"""Where induction alone fails Spacer finds the lemma, and two other engines prove it; what is false is not helped."""

from __future__ import annotations

import dataclasses

import pytest

from monjudge.model.language import Game, gain, put
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Limits, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck

APART = Property("p", "unreachable", "left == 3 and right == 17")
FEW = Limits(seconds=20, states=20, lines=2)


def ladder(fault: bool = False) -> Scene:
    """Two climbers on one rope: they go up and down together, and a flag follows the first one."""
    g = Game("ladder", players=1)
    left, right = g.field("left", values=range(31)), g.field("right", values=range(31))
    flag = g.field("flag", values=bool)
    for name, by in (("up", 1), ("down", -1)):
        move = g.action(name, by=0)
        move.clause(f"LADDER.{name}", (left < 30) & (right < 30) if by > 0 else (left > 0) & (right > 0))
        move.effect(gain(left, by), gain(right, by if by > 0 or not fault else 0))
    g.trigger("LADDER.flag", (left > 9) & ~flag, [put(flag, True)])
    g.over(left == 30)
    rules = g.build()
    return Scene(rules, rules.start)


def test_a_claim_that_is_not_inductive_is_proved_with_a_lemma_that_nobody_gave() -> None:
    found = prove(APART, ladder(), FEW)
    assert found.verdict is Verdict.YES and found.evidence is not None and found.prop == APART
    assert len(found.evidence.certificate["invariants"]) == 2
    evidence = Evidence.from_json(found.evidence.to_json())
    assert recheck(evidence, ladder()).implications >= 3
    without = {**evidence.certificate, "invariants": evidence.certificate["invariants"][1:]}
    with pytest.raises(Refused, match="CP-SAT finds a counterexample"):
        recheck(dataclasses.replace(evidence, certificate=without), ladder())


def test_a_claim_that_is_false_is_not_helped() -> None:
    assert prove(APART, ladder(fault=True), FEW).verdict is not Verdict.YES


def test_a_lemma_that_is_no_invariant_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from monjudge.verify import prove as module

    monkeypatch.setattr(module, "auxiliary", lambda scene, claims, clock: claims[-1])
    assert prove(APART, ladder(), FEW).verdict is Verdict.UNKNOWN
