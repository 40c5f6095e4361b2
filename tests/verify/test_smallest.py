"""The counterexample that is shown is the smallest: held against all states of a small game, and against what z3 finds."""

from __future__ import annotations

import itertools

import pytest

from monjudge.model.language import Game, Move, evaluate, gain, parse_expr, put
from monjudge.model.properties import Scene
from monjudge.solvers.verdict import Verdict
from monjudge.verify import slices
from monjudge.verify.invariants import Breach, Induction
from monjudge.verify.prove import Limits, prove
from monjudge.verify.queries import Clock, Queries
from monjudge.verify.question import Property
from monjudge.verify.smallest import changed, smallest_breach, smallest_state


def shelf() -> Scene:
    """Boxes on three shelves, of which any number is lifted at once; how many fit is a matter of the design."""
    g = Game("shelf", players=1)
    fits = g.field("fits", 2, values=range(1, 4), init=1, config=True)
    boxes = g.field("boxes", 3, values=range(4))
    shut = g.field("shut", values=bool)
    lift = g.action("lift", by=0)
    to = lift.param("to", range(3))
    lift.clause("SHELF.lift", (boxes[to] < 3) & (fits[0] > 1))
    lift.effect(gain(boxes[to], 1))
    close = g.action("close", by=0)
    close.clause("SHELF.close", boxes[0] + boxes[1] > 3)
    close.effect(put(shut, True))
    rules = g.build()
    return Scene(rules, rules.start)


def sizes(scene: Scene, text: str) -> list[int]:
    """How many cells of its own every counterexample has."""
    formula = parse_expr(text, scene.scope())
    states = itertools.product(*(range(lo, hi + 1) for lo, hi in scene.rules.bounds))
    return [sum(a != b for a, b in zip(s, scene.start, strict=True)) for s in states if not evaluate(formula, s, None, scene.rules.offset)]


def test_no_counterexample_has_fewer_cells_of_its_own() -> None:
    scene = shelf()
    for text in ("fits[0] + fits[1] < 5", "fits[0] == fits[1]", "boxes[0] + boxes[1] + boxes[2] < 8", "fits[0] < 2 or not shut"):
        found = smallest_state(scene, parse_expr(text, scene.scope()))
        assert found is not None and found[1]
        assert sum(a != b for a, b in zip(found[0], scene.start, strict=True)) == min(sizes(scene, text)), text


def test_a_fact_that_fails_is_shown_by_the_smallest_design() -> None:
    found = prove(Property("p", "fact", "fits[0] + fits[1] < 4"), shelf())
    assert found.verdict is Verdict.NO and found.evidence is not None and found.bounds["fewest cells"] == 1
    assert found.why.en == "it fails with fits[1] = 3" or found.why.en.endswith("fits[0] = 3")


def test_the_step_that_stands_in_the_way_of_a_proof_is_told_with_a_small_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "DEEPEST", -1)  # else z3 finds the fault
    scene, formula = shelf(), "not shut or boxes[2] > 0"
    claim = parse_expr(formula, scene.scope())
    breach = Induction(Queries(scene, Clock()), [claim]).prove()
    assert isinstance(breach, Breach)
    found = smallest_breach(scene, [claim], breach)
    assert found is not None and found[1] and found[0].by == Move("close", 0)
    assert evaluate(claim, found[0].state, None, scene.rules.offset)
    assert changed(scene, found[0].state).count(" = ") == 2
    told = prove(Property("p", "invariant", formula, lemmas=("fits[0] >= 1",)), scene, Limits(states=1, lines=0))
    assert told.verdict is Verdict.UNKNOWN and "in the way stands close where boxes[0] = " in told.why.en
