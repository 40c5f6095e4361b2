"""Verdicts on the document that take circles of play, several readings, cases or orders of firing; each with its evidence."""

from __future__ import annotations

import pytest

from monjudge.model.games import properties_of
from monjudge.model.properties import Setting
from monjudge.solvers.certificate import Evidence
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Limits, prove
from monjudge.verify.question import read_properties
from monjudge.verify.recheck import recheck

PROPERTIES = {p.id: p for p in read_properties(properties_of("monjan"))}

HOLD = ("P40.low", "P40.high", "P47", "P50.initial", "P50.extra", "P50.last", "P50.laser", "P50.gravity", "P50.once", "P50.one")
FAIL = ("P20", "P37", "P40.strict", "P46", "P59")
QUICK = ("P20", "P47", "P50.once", "P59")


@pytest.mark.parametrize(
    ("id", "verdict"),
    [pytest.param(id, verdict, marks=() if id in QUICK else pytest.mark.slow) for ids, verdict in ((HOLD, Verdict.YES), (FAIL, Verdict.NO)) for id in ids],
)  # fmt: skip
def test_the_verdict_is_found_and_its_evidence_is_right(id: str, verdict: Verdict) -> None:
    scene = PROPERTIES[id].within(Setting("monjan")).scene
    found = prove(PROPERTIES[id], scene, Limits(seconds=300))
    assert found.verdict is verdict and found.evidence is not None
    recheck(Evidence.from_json(found.evidence.to_json()), scene)


def test_what_fails_against_expectation_says_why_in_both_languages() -> None:
    assert all(note is not None and all(note) for note in (PROPERTIES[id].note for id in FAIL))
