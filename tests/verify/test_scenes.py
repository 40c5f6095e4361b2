"""Properties of a whole game, for all boards at once: what holds is proved, and a clause that is left out is missed."""

from __future__ import annotations

import dataclasses

import pytest

from monjudge.model.games import WITH_SCENES, properties_of, scene_of
from monjudge.model.language import Action
from monjudge.model.properties import Scene, Setting
from monjudge.solvers.certificate import Evidence
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Limits, prove
from monjudge.verify.question import Property, ask, read_properties
from monjudge.verify.recheck import recheck

GAME, *_ = WITH_SCENES
PROPERTIES = {p.id: p for p in read_properties(properties_of(GAME))}
LITTLE = Limits(seconds=60, states=50, lines=12)


def without(scene: Scene, action: str, clause: str) -> Scene:
    """The scene with a fault: a clause of an action is forgotten."""

    def kept(rules_action: Action) -> Action:
        if rules_action.name != action:
            return rules_action
        clauses = tuple(c for c in rules_action.clauses if c.id != clause)
        assert len(clauses) < len(rules_action.clauses)
        return dataclasses.replace(rules_action, clauses=clauses)

    return dataclasses.replace(scene, rules=dataclasses.replace(scene.rules, actions=tuple(map(kept, scene.rules.actions))))


@pytest.mark.parametrize("boards", ["printed", "all"])
def test_every_shipped_property_can_be_asked(boards: str) -> None:
    setting = Setting(GAME, boards)
    assert all(ask(prop, prop.within(setting).scene).formula.is_bool for prop in PROPERTIES.values())


def test_a_proof_about_all_designs_is_checked_by_the_second_engine() -> None:
    scene = scene_of(GAME, "all")
    found = prove(PROPERTIES["P42"], scene, LITTLE)
    assert found.verdict is Verdict.YES and found.evidence is not None
    assert found.bounds["boards"] == "all designs"
    assert recheck(Evidence.from_json(found.evidence.to_json()), scene).implications > 5


@pytest.mark.parametrize(
    ("id", "action", "clause"),
    [("P56.cap", "attack", "ATK.1"), ("P23.skills", "laser", "SKILL.13"), ("P23.total", "mana", "EDIT.7"),
     ("P13.boss", "boss", "BOSS.5"), ("P13.toughness", "toughness", "RELEASE.4"), ("P56", "attack", "MANA.6")],
)  # fmt: skip
def test_a_clause_that_is_forgotten_is_missed(id: str, action: str, clause: str) -> None:
    scene = scene_of(GAME)
    assert prove(PROPERTIES[id], scene, LITTLE).verdict is Verdict.YES
    assert prove(PROPERTIES[id], without(scene, action, clause), dataclasses.replace(LITTLE, seconds=20)).verdict is not Verdict.YES


def test_a_promise_about_a_move_that_is_broken_has_a_line_to_it() -> None:
    wrong = Property("p", "move", "mana_height[me, column] >= 2", on="attack")
    found = prove(wrong, scene_of(GAME), Limits(seconds=60, states=50, lines=60))
    assert found.verdict is Verdict.NO and found.evidence is not None
    assert found.evidence.witness[-1].action == "attack"


def test_printed_boards_differ_in_priority_and_a_dominated_one_is_shown() -> None:
    scene = scene_of(GAME)
    assert prove(PROPERTIES["P02"], scene, LITTLE).verdict is Verdict.YES
    dominated = prove(PROPERTIES["P39"], scene, LITTLE)
    assert dominated.verdict is Verdict.NO and dominated.evidence is not None
    seen = scene.rules.view(tuple(dominated.evidence.claim["state"]))
    assert sorted((seen["cap"][:3], seen["cap"][3:])) == [[6, 4, 6], [6, 5, 6]]  # type: ignore[index]
    assert prove(PROPERTIES["P02"], scene_of(GAME, "all"), LITTLE).verdict is Verdict.NO


FAILS = {"P05", "P05.eight", "P07", "P08", "P16", "P17", "P20", "P21.empty", "P31", "P33", "P35.draws", "P37", "P38.least", "P39", "P39.over", "P39.under",
         "P40.strict", "P44", "P46", "P58", "P59", "P60", *(id for id in PROPERTIES if id.startswith("U"))}  # fmt: skip
"""The claims that are wrong, and the sets of sentences that contradict each other or rule out what one of them permits."""

OPEN = {"P34.turns", "P65.turns"}
"""What is counted out as far as two turns, and so counts as undecided."""

COUNTED = Limits(seconds=None, states=10_000, lines=16)
"""Bounds that count, so that no verdict hangs on how busy the machine is."""


@pytest.mark.slow
def test_the_verdicts_on_the_shipped_properties_for_printed_boards() -> None:
    found = {id: prove(prop, prop.within(Setting(GAME)).scene, COUNTED).verdict for id, prop in PROPERTIES.items()}
    assert {id for id, verdict in found.items() if verdict is Verdict.NO} == FAILS
    assert {id for id, verdict in found.items() if verdict is Verdict.UNKNOWN} == OPEN


@pytest.mark.slow
def test_a_card_that_is_lost_where_an_attack_card_is_laid_is_missed() -> None:
    scene = scene_of(GAME)
    lost = [dataclasses.replace(a, effects=tuple(e for e in a.effects if e.family.name != "hand")) if a.name == "attack" else a for a in scene.rules.actions]
    wrong = dataclasses.replace(scene, rules=dataclasses.replace(scene.rules, actions=tuple(lost)))
    assert prove(PROPERTIES["P34"], wrong, Limits(seconds=None, states=50, lines=4)).verdict is not Verdict.YES


@pytest.mark.parametrize(("players", "states"), [(2, 4488), pytest.param(3, 24357, marks=pytest.mark.slow)])
def test_two_whole_turns_of_a_small_position_are_counted_out_by_two_engines(players: int, states: int) -> None:
    for id in ("P34.turns", "P65.turns"):
        found = prove(PROPERTIES[id], Setting(GAME, players=players).scene, dataclasses.replace(LITTLE, states=states))
        assert (found.verdict, found.bounds["states"], found.bounds["turns"]) == (Verdict.UNKNOWN, states, 2), found.why.en
        assert "two engines" in found.why.en


def test_a_card_that_is_lost_within_two_turns_is_found_in_a_small_position() -> None:
    scene = Setting(GAME).scene
    mana = scene.rules.by_name["mana"]
    lost = dataclasses.replace(mana, effects=tuple(e for e in mana.effects if e.family.name != "mana_height"))
    rules = dataclasses.replace(scene.rules, actions=tuple(lost if a is mana else a for a in scene.rules.actions))
    found = prove(PROPERTIES["P34.turns"], dataclasses.replace(scene, rules=rules), LITTLE)
    assert found.verdict is Verdict.NO and found.evidence is not None and found.bounds["from"] == "edit-few"
    assert found.evidence.witness[-1].action == "mana"


@pytest.mark.slow
def test_what_holds_at_rest_is_missed_where_the_trigger_that_sees_to_it_is_forgotten() -> None:
    id, scene, few = "P24.pair", Setting(GAME).scene, Limits(seconds=60, states=50, lines=1)
    good = prove(PROPERTIES[id], scene, few)
    assert good.verdict is Verdict.YES and good.evidence is not None
    assert not any("settled" in used for used in good.evidence.certificate["used"].values()), "no whole pass was needed"
    left = tuple(t for t in scene.rules.triggers if t.id not in good.evidence.certificate["used"]["at rest 0"][0])
    assert len(left) == len(scene.rules.triggers) - 1
    faulty = dataclasses.replace(scene, rules=dataclasses.replace(scene.rules, triggers=left))
    assert prove(PROPERTIES[id], faulty, few).verdict is not Verdict.YES
