"""What is proved of the game: the verdicts on the shipped properties, and faults in the rules that they notice."""

from __future__ import annotations

import dataclasses

import pytest

from monjudge.model.games import properties_of, scene_of
from monjudge.model.language import TRUE, Clause, RuleSet
from monjudge.model.notation.defects import DataError
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Limits, prove
from monjudge.verify.question import read_properties
from monjudge.verify.recheck import recheck

PROPERTIES = {p.id: p for p in read_properties(properties_of("rancher"))}
FAILS = {"FCT-3"}
"""A deck without a monster that can begin cannot be set up."""
OPEN = {"FCT-4"}
"""That no card is lost is proved for what is removed only; whole games at random keep it (``test_games``)."""
SLOW = {"FCT-4"}
"""What takes more than ten seconds."""
LITTLE = Limits(seconds=600, states=200, lines=30)
"""Bounded by counts, so that a busy machine changes no verdict."""


@pytest.fixture(scope="module")
def scene() -> Scene:
    return scene_of("rancher")


@pytest.mark.parametrize("id", [pytest.param(id, marks=pytest.mark.slow) if id in SLOW else id for id in PROPERTIES])
def test_the_verdict_on_a_property_is_that_of_the_record(scene: Scene, id: str) -> None:
    found = prove(PROPERTIES[id], scene, dataclasses.replace(LITTLE, lines=2) if id in OPEN else LITTLE)
    assert found.verdict is (Verdict.NO if id in FAILS else Verdict.UNKNOWN if id in OPEN else Verdict.YES), found.why.en
    if found.evidence is not None:
        recheck(Evidence.from_json(found.evidence.to_json()), scene)


def without(rules: RuleSet, action: str, clause: str) -> RuleSet:
    """The rules with a clause of an action forgotten."""

    def kept(part: Clause) -> Clause:
        return dataclasses.replace(part, expr=TRUE) if part.id == clause else part

    changed = [dataclasses.replace(a, clauses=tuple(map(kept, a.clauses))) if a.name == action else a for a in rules.actions]
    assert any(a is not b for a, b in zip(changed, rules.actions, strict=True))
    return dataclasses.replace(rules, actions=tuple(changed))


@pytest.mark.parametrize(
    ("id", "action", "clause"),
    [
        pytest.param("FCT-1", "choose", "R.SETUP.1", marks=pytest.mark.slow), ("FCT-1.one", "ready", "R.SETUP.1"), ("FCT-7.once", "aid", "R.TRAIN.9"),
        ("FCT-13.range", "attack", "R.TECH.2"), ("TRAIN.fought", "train", "R.TRAIN.4"),
    ],
)  # fmt: skip
def test_a_clause_that_is_forgotten_is_missed(scene: Scene, id: str, action: str, clause: str) -> None:
    faulty = dataclasses.replace(scene, rules=without(scene.rules, action, clause))
    assert prove(PROPERTIES[id], faulty, dataclasses.replace(LITTLE, seconds=30)).verdict is not Verdict.YES


def test_the_game_has_no_boards_to_ask_about() -> None:
    with pytest.raises(DataError, match="no boards"):
        scene_of("rancher", "all")
