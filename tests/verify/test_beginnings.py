"""Where readings are open, one under which a property breaks is found and named; the envelope tells how it was found."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest

from monjudge.model.language import field
from monjudge.model.properties import Scene, Setting
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.beginnings import readings
from monjudge.verify.bounded import Walk
from monjudge.verify.nearby import shortened
from monjudge.verify.prove import Finding, Limits, prove
from monjudge.verify.queries import Clock
from monjudge.verify.question import Property, read_properties
from monjudge.verify.recheck import recheck

TANK = Setting("tank", plugin=str(Path(__file__).with_name("leaky.py")))
OPEN = TANK.opened(TANK.switches).scene
PROPERTIES = {p.id: p for p in read_properties(TANK.properties)}
LIMITS = Limits(seconds=60, states=500, lines=10)


def refuted(id: str, scene: Scene = OPEN) -> tuple[Finding, Evidence]:
    found = prove(PROPERTIES[id], scene, LIMITS)
    assert found.verdict is Verdict.NO and found.evidence is not None
    return found, found.evidence


@pytest.mark.parametrize(
    ("id", "needs"), [("low", {"LID": "AJAR"}), ("dry", {"PUMP": "STRONG", "VALVE": "BAD"}), ("three", {})]
)
def test_a_line_is_told_with_just_the_readings_that_it_needs(id: str, needs: dict[str, str]) -> None:
    found, evidence = refuted(id)
    assert readings(OPEN, tuple(evidence.claim["from"])) == needs
    assert all(f"{switch}={value}" in found.why.en for switch, value in needs.items()) and ("under" in found.why.en) is bool(needs)
    assert recheck(Evidence.from_json(evidence.to_json()), OPEN).moves == len(evidence.witness)


def test_play_does_not_begin_with_a_reading_under_which_the_text_says_nothing_or_with_what_is_not_given() -> None:
    _, evidence = refuted("low")
    begin, at = list(evidence.claim["from"]), OPEN.rules.offset
    for name, value in (("LID", 2), ("LID", 3), ("level", 1), ("wet", 1)):
        other = [*begin]
        other[at[name]] = value
        with pytest.raises(Refused, match="begins elsewhere"):
            recheck(replace(evidence, claim={**evidence.claim, "from": other}), OPEN)
    shut = OPEN.rules.family_named["LID"]
    given = replace(OPEN, given=field(shut, ()) == 0)
    with pytest.raises(Refused, match="begins elsewhere"):
        recheck(replace(evidence, claim={**evidence.claim, "given": repr(given.given)}), given)


def test_a_witness_is_confirmed_and_its_horizon_told() -> None:
    found, evidence = refuted("three", TANK.scene)
    assert evidence.certificate == {"confirmed": True} and found.bounds["horizon"] == len(evidence.witness) == 4
    with pytest.raises(Refused, match="confirmed"):
        recheck(replace(evidence, certificate={"confirmed": False}), TANK.scene)
    with pytest.raises(Refused):
        recheck(replace(evidence, witness=evidence.witness[:-1]), TANK.scene)


def test_the_engines_that_were_used_are_named_with_their_versions() -> None:
    proved = prove(PROPERTIES["low"], TANK.scene, LIMITS)
    assert proved.evidence is not None and proved.bounds["horizon"] == "unlimited" and proved.bounds["players"] == 1
    assert all(f"{name} {version(name)}" in proved.evidence.engine for name in ("z3-solver", "ortools"))
    walked = prove(Property("some", "reachable", "level == 0"), TANK.scene, LIMITS)
    assert walked.evidence is not None and "z3" not in walked.evidence.engine and "ortools" not in walked.evidence.engine


def test_the_seed_of_a_line_at_random_brings_it_back() -> None:
    scene = Setting("connect-four").scene
    prop = Property("high", "invariant", "not (height[0] == 4 and height[1] == 4)")
    found = prove(prop, scene, Limits(seconds=60, states=50, lines=200))
    assert found.verdict is Verdict.NO and found.evidence is not None
    offset = scene.rules.offset["height"]
    walk, high = Walk(scene.rules, Clock()), lambda s: s[offset] == s[offset + 1] == 4
    again = walk.at_random(scene.start, high, [int(found.bounds["seed"])]).line
    assert again is not None and shortened(walk, again, high).moves == found.evidence.witness
