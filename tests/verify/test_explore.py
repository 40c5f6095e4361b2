"""Bounded exploration counts what it saw and proves nothing by it; a line is found along the way that is told."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from monjudge.model.language import Game, RuleSet, gain, put
from monjudge.model.notation.defects import DataError
from monjudge.model.properties import Scene
from monjudge.model.small import GAMES
from monjudge.model.small.duel import duel
from monjudge.solvers.certificate import Refused
from monjudge.solvers.engines.native import Dense, Native
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Finding, Limits, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck


def climb(fault: bool = False) -> RuleSet:
    """A day on a mountain of a hundred steps: up, aside or rest, three moves a day; a path leads aside only at the top."""
    g = Game("climb", players=1)
    height, side, day = g.field("height", values=range(101)), g.field("side", values=range(40)), g.field("day", values=range(60))
    tired = g.field("tired", values=range(4))
    for name, cell, legal in (("up", height, height < 100), ("aside", side, (side < 39) & ((height == 100) | fault))):
        move = g.action(name, by=0)
        move.clause(f"CLIMB.{name}", legal & (tired < 3))
        move.effect(gain(cell, 1), gain(tired, 1))
    rest = g.action("rest", by=0)
    rest.clause("CLIMB.rest", day < 59)
    rest.effect(put(tired, 0), gain(day, 1))
    g.turn_structure(day, {"up": "day", "aside": "day", "rest": "day"})
    g.over((day == 59) & (tired == 3))
    return g.build()


def scene(rules: RuleSet) -> Scene:
    return Scene(rules, rules.start, positions={"top": rules.state({"height": 100})})


def finding(prop: Property, rules: RuleSet, **limits: Any) -> Finding:
    return prove(prop, scene(rules), Limits(**{"seconds": 30, "states": 300, "lines": 3, **limits}))


def test_what_holds_within_some_turns_is_not_called_proved_and_a_fault_within_them_is_reached() -> None:
    prop = Property("p", "explore", "side == 0", turns=2)
    good, bad = finding(prop, climb()), finding(prop, climb(fault=True))
    assert (good.verdict, bad.verdict) == (Verdict.UNKNOWN, Verdict.NO)
    # The first day 0..3 steps, the second as many from each of four heights; where the third begins at one of seven it is cut.
    assert good.bounds["states"] == 4 + 4 * 4 + 7
    assert "holds up to 2 turns" in good.why.en
    assert bad.evidence is not None and recheck(bad.evidence, scene(climb(fault=True))).moves == 1


def test_a_position_is_named_to_look_from() -> None:
    assert finding(Property("p", "explore", "side <= 2", turns=1, starts=("top",)), climb()).verdict is Verdict.NO
    assert finding(Property("p", "explore", "side <= 3", turns=1, starts=("top",)), climb()).verdict is Verdict.UNKNOWN
    with pytest.raises(DataError, match="top"):
        finding(Property("p", "explore", "side <= 3", turns=1, starts=("bottom",)), climb())


def test_a_position_that_is_no_beginning_breaks_no_invariant() -> None:
    closed = dataclasses.replace(scene(climb()), positions={"top": climb().state({"height": 100})})
    found = prove(Property("p", "unreachable", "height > 99", starts=("top",)), closed, Limits(seconds=5, states=100, lines=1))
    assert found.verdict is Verdict.UNKNOWN


def test_a_whole_game_that_was_seen_by_two_engines_is_proved() -> None:
    rules = GAMES["nim"]()
    found = prove(Property("p", "explore", "heap[0] + heap[1] != 9"), Scene(rules, rules.start))
    assert found.verdict is Verdict.YES and found.evidence is not None
    assert found.evidence.claim["states"] == 232


def test_a_line_deep_in_the_game_is_found_by_the_guide_and_along_the_way_and_not_without() -> None:
    deep = Property("p", "reachable", "side == 30")
    low = dataclasses.replace(scene(climb()), positions={})
    limits = Limits(seconds=30, states=2000, lines=3)
    assert prove(deep, low, limits).verdict is Verdict.UNKNOWN
    for help in ({"way": ("height == 100",), "guide": ("0 - height - side", "day")}, {"guide": ("130 - height - side",)}):
        found = prove(dataclasses.replace(deep, **help), low, limits)
        assert found.verdict is Verdict.YES and found.evidence is not None
        assert recheck(found.evidence, low).moves == len(found.evidence.witness) >= 130


def test_a_cone_too_large_to_be_written_down_is_swept() -> None:
    rules = duel(20, 100)
    fine = Property("p", "explore", "life[0] + life[1] <= 200")
    found = prove(fine, Scene(rules, rules.start), Limits(seconds=30, states=100, lines=1))
    assert found.verdict is Verdict.UNKNOWN and found.bounds["states"] == Native(rules).reachable(rules.start, 10**6) > 10_000
    bad = dataclasses.replace(fine, formula="life[1] != 95")
    found = prove(bad, Scene(rules, rules.start), Limits(seconds=30, states=100, lines=1))
    assert found.verdict is Verdict.NO and found.evidence is not None and len(found.evidence.witness) == 2


def test_a_line_from_a_position_that_was_set_up_says_so_and_is_refused_where_it_does_not() -> None:
    rules = climb()
    made = dataclasses.replace(scene(rules), made={"high": rules.state({"height": 90})}, positions={})
    found = prove(Property("p", "explore", "height < 91", turns=1, starts=("high",)), made, Limits(seconds=30, states=300, lines=3))
    assert found.verdict is Verdict.NO and found.evidence is not None and found.bounds["from"] == "high"
    assert recheck(found.evidence, made).moves == len(found.evidence.witness)
    silent = dataclasses.replace(found.evidence, claim={k: v for k, v in found.evidence.claim.items() if k != "made"})
    with pytest.raises(Refused, match="begins elsewhere"):
        recheck(silent, made)


def test_a_cone_is_counted_by_two_engines_and_a_count_that_differs_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    prop = Property("p", "explore", "side == 0", turns=2)
    assert "27 states were looked at, by two engines" in finding(prop, climb()).why.en
    assert "two engines" not in finding(prop, climb(), states=0).why.en  # too many for the reference
    monkeypatch.setattr(Dense, "fits", lambda rules: False)
    count = Native.reachable
    for more in (-1, 1):
        monkeypatch.setattr(Native, "reachable", lambda self, state, most, more=more: count(self, state, most) + more)
        with pytest.raises(AssertionError, match="the reference finds"):
            finding(prop, climb())


def test_a_fault_that_native_code_does_not_see_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Dense, "fits", lambda rules: False)
    monkeypatch.setattr(Native, "reachable_cells", lambda self, state, most, names: set())
    with pytest.raises(AssertionError, match="has not seen"):
        finding(Property("p", "explore", "height < 3", turns=1), climb())


def test_what_is_never_reached_is_proved_so_where_the_game_is_too_large_to_be_exhausted() -> None:
    prop = Property("p", "reachable", "side > 0 and height < 100")
    never, once = (prove(prop, dataclasses.replace(scene(climb(fault)), positions={}), Limits(seconds=20, states=50, lines=2)) for fault in (False, True))
    assert (never.verdict, once.verdict) == (Verdict.NO, Verdict.YES)
    assert never.evidence is not None and recheck(never.evidence, scene(climb())).implications > 0
    with pytest.raises(Refused):
        recheck(dataclasses.replace(never.evidence, claim={**never.evidence.claim, "formula": "not (side > 0 and height <= 100)"}), scene(climb()))
