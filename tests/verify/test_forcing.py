"""Claims about what can be forced, over a whole family of positions: decided with a certificate for each."""

from __future__ import annotations

import dataclasses
import json

import pytest

from monjudge.model.language import LimitReached
from monjudge.model.notation.defects import DataError
from monjudge.model.properties import Scene
from monjudge.model.small.nim import nim
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.native.prover import Prover
from monjudge.solvers.verdict import Verdict
from monjudge.verify.outcome import Vacuous
from monjudge.verify.prove import Limits, prove
from monjudge.verify.question import Property, read_properties
from monjudge.verify.recheck import recheck

RULES = nim((4, 4))
SCENE = Scene(RULES, RULES.start)
WON = "heap[0] == 0 and heap[1] == 0 and turn == 1"
ALL = Property("p", "forced", "forced == (heap[0] != heap[1])", goal=WON, starts=("start",),
               vary=(("heap[0]", 0, 4), ("heap[1]", 0, 4)))  # fmt: skip


def test_bouton_s_theorem_holds_in_every_position_of_two_heaps_and_each_has_its_certificate() -> None:
    found = prove(ALL, SCENE)
    assert found.verdict is Verdict.YES and found.evidence is not None
    assert found.bounds["positions"] == 24  # all but the end
    assert recheck(Evidence.from_json(found.evidence.to_json()), SCENE).implications == 24


def test_more_counters_may_hurt_and_the_pair_of_positions_is_shown() -> None:
    found = prove(dataclasses.replace(ALL, formula="not forced or changed", change=(("heap[0]", "heap[0] + 1"),)), SCENE)
    assert found.verdict is Verdict.NO and found.evidence is not None
    (state, other) = found.evidence.claim["fault"]
    assert state[0] != state[1] and other[0] == other[1] == state[0] + 1
    assert recheck(found.evidence, SCENE).implications == 2


def test_a_premise_narrows_the_family_and_one_that_is_never_met_is_an_error() -> None:
    won = dataclasses.replace(ALL, formula="forced", premise="heap[0] < heap[1]")
    assert prove(won, SCENE).verdict is Verdict.YES
    assert prove(dataclasses.replace(won, premise="heap[0] <= heap[1]"), SCENE).verdict is Verdict.NO
    with pytest.raises(Vacuous):
        prove(dataclasses.replace(won, premise="heap[0] > 3 and turn == 1"), SCENE)


def test_a_position_that_the_solver_does_not_decide_leaves_the_claim_undecided() -> None:
    assert prove(ALL, SCENE, Limits(states=0)).verdict is Verdict.UNKNOWN


def test_a_certificate_that_is_missing_or_of_another_question_is_refused() -> None:
    found = prove(ALL, SCENE).evidence
    assert found is not None
    answers = found.certificate["answers"]
    with pytest.raises(Refused, match="no certificate"):
        recheck(dataclasses.replace(found, certificate={"answers": answers[1:]}), SCENE)
    with pytest.raises(Refused, match="another question"):
        recheck(dataclasses.replace(found, claim={**found.claim, "player": 1}), SCENE)
    with pytest.raises(Refused, match="breaks the claim"):
        recheck(dataclasses.replace(found, claim={**found.claim, "formula": "forced == (heap[0] == heap[1])"}), SCENE)


def test_a_claim_about_no_position_is_refused() -> None:
    found = prove(ALL, SCENE)
    assert found.evidence is not None
    for change in ({"vary": [["heap[0]", 3, 2]]}, {"premise": "heap[0] == 1 and heap[0] == 2"}):
        with pytest.raises(Refused, match="about none"):
            recheck(dataclasses.replace(found.evidence, claim={**found.evidence.claim, **change, "formula": "false"}), SCENE)
    with pytest.raises(LimitReached, match="positions"):
        recheck(dataclasses.replace(found.evidence, claim={**found.evidence.claim, "vary": [["heap[0]", -(10**12), 10**12]]}), SCENE)


def test_a_fault_in_the_solver_is_caught_by_the_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    from monjudge.solvers.engines.native.prove import YES

    whole = Prover.prove

    def boasts(self: Prover, packed: bytes, *args: object, **more: object) -> int:
        whole(self, packed, *args, **more)  # type: ignore[arg-type]
        return YES

    monkeypatch.setattr(Prover, "prove", boasts)
    with pytest.raises(Exception):  # noqa: B017 - the strategy cannot even be written down, or is refused
        prove(dataclasses.replace(ALL, formula="forced"), SCENE)


def test_a_family_is_written_as_data() -> None:
    data = {"format": "monjudge-properties/1", "properties": [{
        "id": "p", "kind": "forced", "formula": ALL.formula, "goal": WON, "player": 0, "starts": ["start"],
        "vary": [{"cell": "heap[0]", "least": 0, "most": 4}, {"cell": "heap[1]", "least": 0, "most": 4}],
        "change": [{"cell": "heap[0]", "to": "heap[0] + 1"}], "en": "x", "ja": "x",
    }]}  # fmt: skip
    (prop,) = read_properties(json.dumps(data))
    assert prop == dataclasses.replace(ALL, change=(("heap[0]", "heap[0] + 1"),), en="x", ja="x")


@pytest.mark.parametrize("wrong", [{"goal": ""}, {"formula": "forces"}, {"vary": (("turn + 1", 0, 1),)}, {"player": 2}, {"goal": "heap[0]"}])
def test_what_cannot_be_read_is_told(wrong: dict[str, object]) -> None:
    with pytest.raises(DataError):
        prove(dataclasses.replace(ALL, **wrong), SCENE)  # type: ignore[arg-type]


def test_where_decisions_are_hidden_nothing_is_decided() -> None:
    from monjudge.model.properties import Setting

    scene = Setting("rock-paper-scissors").scene
    prop = Property("p", "forced", "not forced", goal=repr(scene.rules.over.expr) if scene.rules.over else "true", starts=("start",))
    found = prove(prop, scene, Limits(seconds=20))
    assert found.verdict is Verdict.UNKNOWN and "decisions are hidden" in found.why.en
