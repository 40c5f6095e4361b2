"""Lemmas of other properties: a proof that breaks without them is made with them, and only with what is itself proved."""

from __future__ import annotations

import dataclasses

import pytest

from monjudge.model.language import Game, gain
from monjudge.model.properties import Scene, Setting
from monjudge.solvers.verdict import Verdict
from monjudge.verify import prove as module
from monjudge.verify.prove import Limits, prove
from monjudge.verify.question import Property

APART = Property("p", "unreachable", "left == 3 and right == 17")
FEW = Limits(seconds=20, states=20, lines=2)
TRUE, FALSE, STRANGE = "left == right", "left < 2 or right > 20", "nobody == 1"


@pytest.fixture(autouse=True)
def _nobody_else_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "auxiliary", lambda scene, claims, clock: None)


def rope(*aids: tuple[str, ...]) -> Scene:
    """Two climbers on one rope: they go up and down together."""
    g = Game("rope", players=1)
    left, right = g.field("left", values=range(31)), g.field("right", values=range(31))
    for name, by in (("up", 1), ("down", -1)):
        move = g.action(name, by=0)
        move.clause(f"ROPE.{name}", (left < 30) & (right < 30) if by > 0 else (left > 0) & (right > 0))
        move.effect(gain(left, by), gain(right, by))
    rules = g.build()
    return Scene(rules, rules.start, aids=aids)


def lemmas(scene: Scene) -> list[str] | None:
    """What the claim was proved with besides; None where it was not."""
    found = prove(APART, scene, FEW)
    assert found.prop == APART
    return found.evidence.certificate["invariants"][:-1] if found.verdict is Verdict.YES and found.evidence is not None else None


def test_a_proof_that_breaks_is_made_with_the_lemma_of_another_property() -> None:
    assert lemmas(rope()) is None
    assert lemmas(rope((TRUE,))) == [TRUE]


def test_what_does_not_stand_itself_is_dropped_and_what_speaks_of_other_fields_is_not_read() -> None:
    assert lemmas(rope((FALSE,), (STRANGE,), (TRUE, STRANGE))) is None
    assert lemmas(rope((FALSE,), (FALSE, TRUE), (TRUE,))) == [TRUE]


def test_a_property_of_a_game_needs_no_lemmas_that_the_game_has() -> None:
    scene = Setting("monjan").scene
    prop = Property("own", "invariant", "all p in player: all c in column: elements[p, c] <= mana_height[p, c]")
    assert prove(prop, scene).verdict is Verdict.YES
    assert prove(prop, dataclasses.replace(scene, aids=()), Limits(seconds=10)).verdict is Verdict.UNKNOWN


def test_a_reading_under_which_a_proof_needs_more_is_proved_with_more() -> None:
    scene = Setting("monjan", readings={"A102": "PAYER_CHOOSES"}).scene
    prop = Property("own", "invariant", "all p in player: all c in column: elements[p, c] <= mana_height[p, c]",
                    lemmas=("all p in player: all c in column: all s in 0..7: s < mana_height[p, c] or spent[p, c, s] == 0",))  # fmt: skip
    assert prove(prop, scene).verdict is Verdict.YES
