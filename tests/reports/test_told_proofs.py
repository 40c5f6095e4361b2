"""Proofs of positions in which the outcomes of chance are told: the outcomes are part of the proof."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from monjudge.judge import read
from monjudge.reports.judge import Position
from monjudge.reports.solving import Proof, certify, solve
from monjudge.solvers.certificate import Refused
from monjudge.solvers.given import Rolls, given, given_state
from monjudge.solvers.verdict import Verdict

LINE = "mc1/t=8/1=b=MANAST;h=E16.mw;m=,F9,F15;d=,A14:4,W9:7;a=,N4,A2/2=b=ATELIER;m=,,F11F12;d=E8:6,A8:1;a=,,N3;z"
"""A skill does what is missing if the die shows three or less."""
ROLLS: dict[Verdict, Rolls] = {Verdict.YES: (("roll", (3,)),), Verdict.NO: (("roll", (4,)),)}


def told(position: Position, rolls: Rolls) -> Position:
    here = position.written
    return Position(replace(here, rules=given(here.rules, rolls), state=given_state(here.rules, here.state, rolls)))


def proof_of(position: Position, rolls: Rolls) -> tuple[Verdict, Proof]:
    solved, proof = solve(told(position, rolls), turns=1, prove=True)
    assert proof is not None
    return solved.verdict, replace(proof, position=position.line, rolls=rolls)


@pytest.mark.parametrize("right", ROLLS)
def test_a_proof_keeps_the_outcomes_that_were_told(right: Verdict) -> None:
    position = read(LINE)
    verdict, proof = proof_of(position, ROLLS[right])
    assert verdict is right
    again = Proof.from_json(proof.to_json())
    assert again == proof
    done = certify(read(again.position), again)
    assert done.refused is None
    assert done.claim.en.startswith("Where chance brings ") and done.claim.ja.startswith("偶然の結果が")
    other = ROLLS[Verdict.NO if right is Verdict.YES else Verdict.YES]
    for rolls in ((), other, (*proof.rolls, ("roll", (2,))), (("roll", (9,)),), (("nothing", ()),)):
        assert certify(position, replace(proof, rolls=rolls)).refused is not None


@pytest.mark.parametrize("rolls", ["roll", [1], [["roll"]], [["roll", [True]]], [["roll", ["6"]]], [[6, [6]]], {"roll": [6]}])
def test_outcomes_that_are_none_are_refused(rolls: object) -> None:
    _, proof = proof_of(read(LINE), ROLLS[Verdict.NO])
    with pytest.raises(Refused):
        Proof.from_json(json.dumps({**json.loads(proof.to_json()), "rolls": rolls}))
