"""Examples of a made-up text: readings under which all hold are found; where there are none all combinations were tried."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from monjudge.model.games import scene_of
from monjudge.model.language import Game, Move, RuleSet, gain, reads
from monjudge.model.notation.defects import DataError
from monjudge.model.properties import Examples, Scene
from monjudge.solvers.cases import CaseEngine
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify import joint
from monjudge.verify.prove import Finding, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck


def tank() -> RuleSet:
    """A tank for five litres, six where its LID is AJAR, none at all where it is SEALED; two are poured where the JUG is BIG."""
    g = Game("tank", players=1)
    level = g.field("level", values=range(10))
    lid = g.switch("LID", ("SHUT", "AJAR", "SEALED", "LOST"), "SHUT", undetermined={"LOST"})
    jug = g.switch("JUG", ("SMALL", "BIG"), "SMALL")
    fill = g.action("fill", by=0)
    fill.clause("TANK.fill", ~reads(lid, "SEALED") & ((level < 5) | (reads(lid, "AJAR") & (level < 6))))
    fill.effect(gain(level, 1), gain(level, 1, when=reads(jug, "BIG")))
    return g.build()


def answers(engine: Callable[[RuleSet], Any], cases: Iterable[Mapping[str, Any]]) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    judge: CaseEngine = engine(tank())

    def answer(case: Mapping[str, Any]) -> Mapping[str, Any]:
        labels = {f.name: f.labels for f in tank().families}
        readings = {switch: labels[switch][value] for switch, value in case["readings"].items()}  # type: ignore[index]
        state, move = tank().state({"level": case["state"]["level"], **readings}), Move("fill", 0)
        legal = judge.legal(state, move)
        return {"legal": legal, "level": judge.step(state, move)[0] if legal else None}

    return answer


def scene(*examples: tuple[int, bool, int | None]) -> Scene:
    """Examples: a level, whether one may fill, and the level after it where that is said."""
    cases = tuple({"id": f"EX{n}", "state": {"level": level}, "query": {"op": "fill"},
                   "expect": {"legal": legal, **({} if after is None else {"level": after})}} for n, (level, legal, after) in enumerate(examples))  # fmt: skip
    return Scene(tank(), tank().start, examples=Examples(cases, answers))


def finding(*examples: tuple[int, bool, int | None]) -> Finding:
    return prove(Property("p", "joint"), scene(*examples))


GOOD = ((4, True, 6), (5, True, None), (6, False, None))
BAD = (*GOOD, (3, True, 4))


def test_readings_under_which_all_examples_hold_are_told_and_where_there_are_none_that_is_said() -> None:
    good, bad = finding(*GOOD), finding(*BAD)
    assert (good.verdict, bad.verdict) == (Verdict.YES, Verdict.NO)
    assert good.evidence is not None and bad.evidence is not None
    assert good.evidence.claim["readings"] == {"LID": "AJAR", "JUG": "BIG"}
    assert "6 combinations" in bad.why.en and "EX1" in bad.why.en
    recheck(Evidence.from_json(good.evidence.to_json()), scene(*GOOD))
    recheck(Evidence.from_json(bad.evidence.to_json()), scene(*BAD))


def test_where_they_are_many_the_search_goes_where_fewer_examples_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joint, "FEW", 1)
    good, bad = finding(*GOOD), finding(*BAD)
    assert good.verdict is Verdict.YES and good.evidence is not None
    assert good.evidence.claim["readings"] == {"LID": "AJAR", "JUG": "BIG"}
    assert bad.verdict is Verdict.UNKNOWN


def test_the_readings_as_they_stand_come_first() -> None:
    assert finding((0, True, 1)).why.en.startswith("all 1 examples hold under the readings as they stand")


def test_evidence_of_other_examples_or_readings_is_refused() -> None:
    good, bad = finding(*GOOD).evidence, finding(*BAD).evidence
    assert good is not None and bad is not None
    for wrong in (
        dataclasses.replace(good, claim={**good.claim, "readings": {"LID": "SHUT", "JUG": "BIG"}}), dataclasses.replace(good, claim={**good.claim, "readings": {}}),
        dataclasses.replace(good, claim={**good.claim, "readings": {"LID": "LOST", "JUG": "BIG"}}), dataclasses.replace(good, claim={**good.claim, "question": "not joint"}),
        bad,
    ):  # fmt: skip
        with pytest.raises(Refused):
            recheck(wrong, scene(*GOOD))


@pytest.mark.parametrize("fault", [True, False])
def test_a_fault_in_one_engine_gives_no_wrong_verdict(fault: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CaseEngine, "legal", lambda self, state, move: fault)
    for examples, verdict in ((GOOD, Verdict.YES), (BAD, Verdict.NO)):
        try:
            found = finding(*examples)
        except Refused:
            continue
        assert found.verdict is verdict


def test_a_text_without_examples_cannot_be_asked() -> None:
    with pytest.raises(DataError, match="no examples"):
        prove(Property("p", "joint"), scene_of("nim"))
