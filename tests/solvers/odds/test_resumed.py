"""Odds that are broken off keep what is settled: bounds now, and nothing twice later."""

from __future__ import annotations

from fractions import Fraction

import pytest

from monjudge.model.small.duel import duel
from monjudge.solvers import odds as module
from monjudge.solvers.forced import Limits
from monjudge.solvers.forced.ledger import Damaged, sealed
from monjudge.solvers.odds import odds
from monjudge.solvers.worths import FORMAT, Worths

RIGHT = Fraction(27851, 110592)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PROBE", 100)
    monkeypatch.setattr(module, "APART", 20)


def test_a_question_that_is_taken_apart_has_the_same_odds() -> None:
    found = odds(duel())
    assert found.exact == RIGHT and [move.args for move in found.best] == [(2,)]


def test_a_limit_leaves_bounds_that_hold_and_come_nearer_when_it_is_taken_up_again() -> None:
    worths, least, most, rounds = Worths("duel"), Fraction(0), Fraction(1), 0
    while least != most and rounds < 40:
        found = odds(duel(), limits=Limits(nodes=45_000), worths=worths)
        assert least <= found.low <= RIGHT <= found.high <= most
        assert (found.limit is None) is (found.low == found.high)
        least, most, rounds = found.low, found.high, rounds + 1
        worths = Worths.from_json(worths.to_json())
    assert least == most == RIGHT and rounds > 1


def test_an_interrupt_is_told_and_what_was_settled_is_not_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, value = list[bytes](), module._Walk.value

    def interrupted(walk: module._Walk, packed: bytes) -> Fraction:
        if len(asked) == 3:
            raise KeyboardInterrupt
        asked.append(packed)
        return value(walk, packed)

    worths = Worths("duel")
    with monkeypatch.context() as patched:
        patched.setattr(module._Walk, "value", interrupted)
        broken = odds(duel(), worths=worths)
    assert broken.limit is not None and broken.limit.en == "interrupted" and broken.low <= RIGHT <= broken.high
    assert worths.values.keys() == {packed.hex() for packed in asked}
    again = odds(duel(), worths=worths)
    assert again.exact == RIGHT and len(worths.values) > 3
    worths.values = dict.fromkeys(worths.values, Fraction(0))  # what is written down is believed
    assert odds(duel(), worths=worths).exact == 0


def test_what_was_not_written_to_be_resumed_is_refused() -> None:
    text = Worths("duel", {"00": Fraction(1, 3)}).to_json()
    for wrong in ("{}", "x", text.replace("1/3", "1/2"), text.replace("1/3", "4/3")):
        with pytest.raises(Damaged):
            Worths.from_json(wrong)
    for other in (Worths("other"), Worths("duel", {"00": Fraction(1, 2)})):
        with pytest.raises(Damaged):
            Worths.from_json(text).add([other])


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 0.5, True, None, "1e-99999", "2/1", "1/0", "-1/2", "٢/٣"])
def test_a_file_with_what_is_no_probability_is_damaged(value: object) -> None:
    data = {"schema": FORMAT, "question": "duel", "values": {"00": value}}
    with pytest.raises(Damaged):
        Worths.from_json(sealed(data))
