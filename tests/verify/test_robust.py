"""A reading that forbids what the chosen one allows is shown on a line; that none does is proved for every state."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from monjudge.model.language import Game, gain, reads
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.cpsat import Query
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.engines.smt import Symbolic
from monjudge.solvers.verdict import Verdict
from monjudge.verify import robust
from monjudge.verify.prove import Finding, Limits, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck


def tank(lid: str = "SHUT", deep: bool = False) -> Scene:
    """A tank that is filled up to five, or six where its LID is AJAR; where its TAP is CHILDPROOF only player 0 drains it,
    or (``deep``) everybody, but not from a level that is never reached.
    """
    g = Game("tank", players=2)
    level, turn = g.field("level", values=range(9)), g.field("turn", values=range(2))
    ajar = reads(g.switch("LID", ("SHUT", "AJAR", "NONE"), lid, undetermined={"NONE"}), "AJAR")
    childproof = reads(g.switch("TAP", ("PLAIN", "CHILDPROOF"), "PLAIN"), "CHILDPROOF")
    fill = g.action("fill", by=turn)
    much = fill.param("much", range(1, 3))
    fill.clause("TANK.fill", (level + much <= 5) | (ajar & (level + much == 6)))
    fill.effect(gain(level, much), gain(turn, 1 - 2 * turn))
    drain = g.action("drain", by=turn)
    drain.clause("TANK.drain", ~childproof | ((level < 8) if deep else (drain.me == 0)))
    drain.clause("TANK.empty", level > 0)
    drain.effect(gain(level, -1), gain(turn, 1 - 2 * turn))
    rules = g.build()
    return Scene(rules, rules.start)


def finding(scene: Scene, **parts: Any) -> Finding:
    return prove(Property("p", "robust", **parts), scene, Limits(seconds=20))


def test_what_no_reading_forbids_is_proved_and_what_one_does_is_shown() -> None:
    good, bad = finding(tank(), among=("fill",)), finding(tank())
    assert (good.verdict, bad.verdict) == (Verdict.YES, Verdict.NO)
    assert good.evidence is not None and bad.evidence is not None
    assert recheck(Evidence.from_json(good.evidence.to_json()), tank()).implications == 1
    assert bad.evidence.claim["broken"] == [["TAP", "CHILDPROOF"]]
    assert recheck(Evidence.from_json(bad.evidence.to_json()), tank()).moves >= 1


def test_the_reading_that_stands_is_what_the_others_are_compared_with() -> None:
    found = finding(tank("AJAR"), among=("fill",))
    assert found.verdict is Verdict.NO and found.evidence is not None
    assert found.evidence.claim["broken"] == [["LID", "SHUT"]]


def test_the_premise_says_where_it_is_claimed() -> None:
    assert finding(tank(), premise="turn == 0").verdict is Verdict.YES
    assert finding(tank(), premise="turn == 1").verdict is Verdict.NO


def test_a_state_that_is_not_reached_decides_nothing() -> None:
    found = finding(tank(deep=True))
    assert found.verdict is Verdict.UNKNOWN and "TAP=CHILDPROOF" in found.why.en


def test_evidence_of_readings_that_forbid_nothing_is_refused() -> None:
    bad, good = finding(tank()).evidence, finding(tank(), among=("fill",)).evidence
    assert bad is not None and good is not None
    ((switch, value, line, made, *move),) = bad.certificate["barred"]
    for claim, certificate in (
        ({**bad.claim, "broken": []}, bad.certificate), ({**bad.claim, "among": ["fill"]}, bad.certificate), ({**bad.claim, "formula": "turn == 0"}, bad.certificate),
        (bad.claim, {**bad.certificate, "barred": [[switch, value, line, made, "drain", 0]]}),
        ({**bad.claim, "broken": [["LID", "AJAR"]]}, {**bad.certificate, "barred": [["LID", "AJAR", line, made, *move]]}),
        ({**good.claim, "among": []}, {}), ({**good.claim, "start": [0, 0, 1, 0]}, {}),
    ):  # fmt: skip
        with pytest.raises(Refused):
            recheck(dataclasses.replace(bad, claim=claim, certificate=certificate), tank())


@pytest.mark.parametrize(("owner", "method", "fault"), [
    (robust, "forbids", lambda whole: lambda *parts: not whole(*parts)), (Symbolic, "legal", lambda whole: lambda self, name, state, me, args: whole(self, name, state, 0, args)),
    (Query, "legal", lambda whole: lambda self, name, state, me, args: True), (Reference, "legal", lambda whole: lambda self, state, move: True)])  # fmt: skip
def test_a_fault_in_one_engine_gives_no_wrong_verdict(owner: Any, method: str, fault: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    right = {among: finding(tank(), among=among).verdict for among in ((), ("fill",))}
    monkeypatch.setattr(owner, method, fault(getattr(owner, method)))
    for among, verdict in right.items():
        try:
            found = finding(tank(), among=among).verdict
        except (Refused, AssertionError):
            continue
        assert found in (verdict, Verdict.UNKNOWN)
