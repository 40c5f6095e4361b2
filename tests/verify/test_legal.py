"""What the rules promise to allow, and what a move makes of a state: proved, or refused with a line to a fault."""

from __future__ import annotations

import dataclasses

import pytest

from monjudge.model.language import Clause, parse_expr
from monjudge.model.notation.defects import DataError
from monjudge.model.properties import Scene
from monjudge.model.small.nim import nim
from monjudge.solvers.certificate import Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck

RULES = nim((3, 4))
SCENE = Scene(RULES, RULES.start)
ALLOWED = Property("p", "legal", premise="me == turn and `count` <= heap[heap]", on="take")
TAKEN = Property("p", "move", "next heap[heap] == heap[heap] - `count` and next turn != turn", on="take")


def narrowed() -> Scene:
    """The scene with a clause too many: a heap of three or less is taken from by ones and twos only."""
    take = RULES.by_name["take"]
    clause = Clause("NIM.wrong", parse_expr("`count` < 3 or heap[heap] > 3", SCENE.scope("take")))
    return dataclasses.replace(SCENE, rules=dataclasses.replace(RULES, actions=(dataclasses.replace(take, clauses=(*take.clauses, clause)),)))


def test_what_is_allowed_wherever_the_premise_holds_is_proved_twice() -> None:
    found = prove(ALLOWED, SCENE)
    assert found.verdict is Verdict.YES and found.evidence is not None
    assert recheck(found.evidence, SCENE).implications >= 1


def test_a_clause_too_many_is_noticed_and_the_move_that_it_bars_is_shown() -> None:
    wrong = narrowed()
    found = prove(ALLOWED, wrong)
    assert found.verdict is Verdict.NO and found.evidence is not None
    assert found.evidence.claim["barred"][3] == 3
    other = dataclasses.replace(found.evidence, claim={**found.evidence.claim, "barred": ["take", 0, 1, 1]})
    with pytest.raises(Refused, match="legal"):
        recheck(other, wrong)


def test_a_premise_that_is_too_wide_fails() -> None:
    assert prove(dataclasses.replace(ALLOWED, premise="me == turn"), SCENE).verdict is Verdict.NO


def test_a_move_may_be_related_to_what_its_effects_make_of_the_state() -> None:
    found = prove(TAKEN, SCENE)
    assert found.verdict is Verdict.YES and found.evidence is not None
    assert recheck(found.evidence, SCENE).implications >= 1


def test_a_wrong_claim_about_the_state_just_after_a_move_has_a_line_to_it() -> None:
    found = prove(dataclasses.replace(TAKEN, formula="next heap[heap] > 0 or heap[0] == 3"), SCENE)
    assert found.verdict is Verdict.NO and found.evidence is not None
    assert len(found.evidence.witness) == 2
    with pytest.raises(Refused, match="it breaks nothing"):
        recheck(dataclasses.replace(found.evidence, claim={**found.evidence.claim, "formula": TAKEN.formula}), SCENE)


def test_the_next_state_has_no_meaning_in_what_is_promised_to_be_legal() -> None:
    with pytest.raises(DataError):
        prove(dataclasses.replace(ALLOWED, premise="next turn != turn"), SCENE)
    with pytest.raises(DataError):
        prove(dataclasses.replace(ALLOWED, on=""), SCENE)
