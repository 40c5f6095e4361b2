"""Readings that turn a verdict about Monjan, of which the right answer is known; the evidence for the other verdict is right."""

from __future__ import annotations

import pytest

from monjudge.model.games import properties_of
from monjudge.model.properties import Setting
from monjudge.solvers.verdict import Verdict
from monjudge.verify.flips import answer
from monjudge.verify.prove import Limits
from monjudge.verify.question import read_properties
from monjudge.verify.recheck import recheck

MONJAN = Setting("monjan")
PROPERTIES = {p.id: p for p in read_properties(properties_of("monjan"))}


@pytest.mark.parametrize("id", ["P02", "P04", "P05", "P05.seven"])
def test_a_fact_about_boards_hangs_on_no_reading(id: str) -> None:
    found = answer(PROPERTIES[id], MONJAN, Limits())
    assert found.flips == () and found.unasked == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "readings"),
    [
        ("P13.toughness", {"A97=FREE", "A104=REUSE"}),  # lone Elements pay; mana is spent twice
        ("P13.boss", {"A97=FREE+A87=ACROSS", "A104=REUSE"}),  # a boss costs too much for Elements of one column
        ("P06", {"A15=BLIND_COMMIT", "SEQ=ON"}),  # both have chosen, or it is the other's turn to edit
    ],
)
def test_the_readings_that_turn_a_proof_are_found_with_a_line_that_shows_it(id: str, readings: set[str]) -> None:
    found = answer(PROPERTIES[id], MONJAN, Limits())
    assert found.found.verdict is Verdict.YES
    turned = {"+".join(map("=".join, f.readings)): f for f in found.flips if f.verdict is Verdict.NO}
    assert readings <= turned.keys()
    for flip in turned.values():
        assert flip.evidence is not None and recheck(flip.evidence, flip.setting.scene).moves
