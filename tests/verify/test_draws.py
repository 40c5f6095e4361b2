"""Draws are counted exactly, in two ways that agree with going through every draw there is."""

from __future__ import annotations

import dataclasses
import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monjudge.model.language import Game, RuleSet, put
from monjudge.model.notation.defects import DataError
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.draws import Draw, counted, distribution
from monjudge.verify.prove import prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck


def urn(*balls: int) -> RuleSet:
    """Balls of some colours, that many of each."""
    g = Game("urn", players=1)
    ball, done = g.field("ball", len(balls), values=range(10), init=balls), g.field("done", values=bool)
    look = g.action("look", by=0)
    look.clause("URN.look", ball[0] >= 0)
    look.effect(put(done, True))
    g.over(done)
    return g.build()


def scene(rules: RuleSet) -> Scene:
    return Scene(rules, rules.start)


RED = Property("p", "draw", "hits >= 1", pile="ball", of="card == 0", cards=3)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=4), st.integers(1, 4))
def test_both_ways_of_counting_are_those_of_going_through_every_draw(kinds: list[tuple[int, bool]], cards: int) -> None:
    each = [hit for copies, hit in kinds for _ in range(copies)]
    if len(each) >= cards:
        draws = [sum(drawn) for drawn in itertools.combinations(each, cards)]
        obvious = {k: Fraction(draws.count(k), len(draws)) for k in sorted(set(draws))}
        draw = Draw([c for c, _ in kinds], [h for _, h in kinds], cards)
        assert distribution(draw) == counted(draw) == obvious


def test_a_red_ball_is_always_among_three_or_the_exact_chance_that_none_is_is_told() -> None:
    good, bad = prove(RED, scene(urn(4, 1, 1))), prove(RED, scene(urn(4, 2, 1)))
    assert (good.verdict, bad.verdict) == (Verdict.YES, Verdict.NO)
    assert bad.evidence is not None and bad.evidence.claim["broken"] == {"start": {"0": "1/35"}}
    assert "1/35" in bad.why.en
    recheck(bad.evidence, scene(urn(4, 2, 1)))
    with pytest.raises(Refused, match="other probabilities"):
        recheck(dataclasses.replace(bad.evidence, claim={**bad.evidence.claim, "broken": {}}), scene(urn(4, 2, 1)))


@pytest.mark.parametrize("wrong", [{"pile": "done"}, {"pile": ""}, {"cards": 9}, {"of": "hits > 0"}, {"formula": "card == 0"}])
def test_a_draw_that_makes_no_sense_is_told(wrong: dict[str, object]) -> None:
    with pytest.raises(DataError):
        prove(dataclasses.replace(RED, **wrong), scene(urn(4, 2, 1)))  # type: ignore[arg-type]
