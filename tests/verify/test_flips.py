"""What turns a verdict is found, and only that: held against asking under every reading, and under every combination."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from monjudge.model.properties import Scene, Setting
from monjudge.solvers.verdict import Verdict
from monjudge.verify import flips
from monjudge.verify.flips import Answered, answer
from monjudge.verify.prove import Finding, Limits, prove
from monjudge.verify.question import Property, read_properties
from monjudge.verify.recheck import recheck

PLUGIN = str(Path(__file__).with_name("leaky.py"))
TANK = Setting("tank", plugin=PLUGIN)
PROPERTIES = {p.id: p for p in read_properties(TANK.properties)}
LIMITS = Limits(seconds=60, states=500, lines=10)
VALUES = {"LID": ("SHUT", "AJAR"), "PUMP": ("WEAK", "STRONG"), "VALVE": ("GOOD", "BAD"), "COLOUR": ("RED", "BLUE")}


def answered(id: str, **readings: str) -> Answered:
    return answer(PROPERTIES[id], TANK.read(**readings), LIMITS)


def verdict(id: str, **readings: str) -> Verdict:
    return prove(PROPERTIES[id], TANK.read(**readings).scene, LIMITS).verdict


@pytest.mark.parametrize("id", PROPERTIES)
@pytest.mark.parametrize("pump", ["WEAK", "STRONG"])
@pytest.mark.parametrize("wide", [True, False])
def test_the_flips_are_those_of_asking_under_all_readings_together(id: str, pump: str, wide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not wide:  # no proof is found with all of them open
        monkeypatch.setattr(flips._Asking, "loosely", lambda asking: None)
    found = answered(id, PUMP=pump)
    own = verdict(id, PUMP=pump)
    free = [switch for switch in VALUES if switch != "PUMP"]
    turned: dict[frozenset[tuple[str, str]], Verdict] = {}
    for values in sorted(itertools.product(*(VALUES[s] for s in free)), key=lambda vs: sum(v != VALUES[s][0] for s, v in zip(free, vs, strict=True))):
        changed = frozenset((s, v) for s, v in zip(free, values, strict=True) if v != VALUES[s][0])
        other = verdict(id, PUMP=pump, **dict(changed))
        if other is not own and not any(changed >= fewer for fewer in turned):
            turned[changed] = other
    assert found.found.verdict is own and not found.unasked
    assert {frozenset(f.readings): f.verdict for f in found.flips} == turned
    for flip in found.flips:
        assert flip.evidence is not None
        recheck(flip.evidence, flip.setting.scene)
        assert dict(flip.readings).items() <= dict(flip.setting.readings).items()


def test_a_proof_holds_in_every_combination_of_the_readings_that_it_leaves_open() -> None:
    for id in ("low", "dry"):
        found = answered(id)
        assert {"COLOUR"} < {*found.setting.left} < {*VALUES}
        assert found.found.evidence is not None and recheck(found.found.evidence, found.setting.scene).implications
        for values in itertools.product(*(VALUES[switch] for switch in found.setting.left)):
            assert verdict(id, **dict(zip(found.setting.left, values, strict=True))) is Verdict.YES


def test_what_only_two_readings_together_turn_is_found_though_one_of_them_is_left_open() -> None:
    found = answered("dry")
    assert len({"PUMP", "VALVE"} & {*found.setting.left}) == 1
    assert [({*f.readings}, f.verdict) for f in found.flips] == [({("PUMP", "STRONG"), ("VALVE", "BAD")}, Verdict.NO)]


def test_readings_that_leave_every_step_as_it_is_may_turn_a_proof_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flips._Asking, "loosely", lambda asking: None)
    assert [({*f.readings}, f.verdict) for f in answered("dry").flips] == [({("PUMP", "STRONG"), ("VALVE", "BAD")}, Verdict.NO)]


def test_combinations_for_which_there_is_no_room_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flips, "ASKED", 1)
    assert answered("dry").flips == () and [len(left.split(", ")) for left in answered("dry").unasked] == [2]
    assert "LID=..., COLOUR=..., ..." in answered("brim").unasked


def test_a_reading_that_was_chosen_is_no_more_in_question() -> None:
    assert [f.readings for f in answered("low").flips] == [(("LID", "AJAR"),)]
    assert answered("low", LID="AJAR").flips == ()


def test_where_nothing_is_decided_nothing_is_said_of_other_readings() -> None:
    found = answer(PROPERTIES["low"], TANK, Limits(seconds=0.0))
    assert found.found.verdict is Verdict.UNKNOWN and set(found.unasked) == {*VALUES} and not found.flips


def test_flips_are_worked_out_only_where_they_are_asked_for() -> None:
    found = answer(PROPERTIES["low"], TANK, LIMITS, flips=False)
    assert (found.found.verdict, found.flips, found.setting.left) == (Verdict.YES, (), ())


NUMBERED = """
from monjudge.model.language import Game, gain, lift, reads
from monjudge.model.properties import Scene

SWITCHES = ("STEP", "COLOUR", "TOP")
PROPERTIES = "{format: monjudge-properties/1, properties: [{id: three, kind: reachable, formula: level == 3, en: Three., ja: 三。}]}"


def scene(boards, readings, open):
    g = Game("steps", players=1)
    level = g.field("level", values=range(5))
    reading = {s: g.switch(s, ("A", "B"), readings.get(s, "A")) for s in SWITCHES if s in open}

    def stands(switch):
        return reads(reading[switch], "B") if switch in open else lift(readings.get(switch) == "B")

    up = g.action("up", by=0)
    if "STEP" in open or readings.get("STEP") == "B":
        by = up.param("by", range(1, 3))
        up.clause("STEPS.by", (by == 1) | stands("STEP"))
        up.effect(gain(level, by))
    else:
        up.effect(gain(level, 1))
    up.clause("STEPS.top", ~stands("TOP") | (level < 1))
    up.clause("STEPS.colour", (level < 9) | stands("COLOUR"))
    rules = g.build()
    return Scene(rules, rules.start)
"""


def test_a_reading_under_which_moves_are_written_otherwise_is_asked_apart_and_spoils_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "numbered.py"
    file.write_text(NUMBERED, "utf-8")
    setting, asked = Setting("steps", plugin=str(file)), []
    prop, *_ = read_properties(setting.properties)

    def spied(prop: Property, scene: Scene, *given: Any) -> Finding:
        asked.append({s.id: s.values[scene.start[scene.rules.offset[s.family.name]] - s.family.lo] for s in scene.rules.switches})
        return prove(prop, scene, *given)

    monkeypatch.setattr(flips, "prove", spied)
    found = answer(prop, setting, LIMITS)
    assert (found.found.verdict, found.unasked) == (Verdict.YES, ())
    assert [(f.readings, f.verdict) for f in found.flips] == [((("TOP", "B"),), Verdict.NO)]
    # Closed, and under TOP; not under COLOUR, where the line is replayed, nor under STEP, where one like it is found.
    assert len(asked) == 2


STORED = """
from monjudge.model.language import Game, gain, lift, put, reads
from monjudge.model.properties import Scene

SWITCHES = ("STORE", "COLOUR")
PROPERTIES = "{format: monjudge-properties/1, properties: [{id: low, kind: invariant, formula: level <= 3, en: Low., ja: 低い。}]}"


def scene(boards, readings, open):
    g = Game("stored", players=1)
    level = g.field("level", values=range(9))
    reading = {s: g.switch(s, ("NO", "YES"), readings.get(s, "NO")) for s in SWITCHES if s in open}

    def stands(switch):
        return reads(reading[switch], "YES") if switch in open else lift(readings.get(switch) == "YES")

    up = g.action("up", by=0)
    if "STORE" in open or readings.get("STORE") == "YES":
        stored = g.field("stored", values=range(3))
        store = g.action("store", by=0)
        store.clause("STORED.store", stands("STORE") & (stored < 2))
        store.effect(gain(stored, 1))
        up.clause("STORED.up", (level < 3) | (stored > 0))
    else:
        up.clause("STORED.up", level < 3)
    up.clause("STORED.colour", (level < 8) | stands("COLOUR"))
    up.effect(gain(level, 1))
    rules = g.build()
    return Scene(rules, rules.start)
"""


def test_a_field_that_only_an_open_switch_brings_spoils_no_proof_that_the_closed_rules_have(tmp_path: Path) -> None:
    file = tmp_path / "stored.py"
    file.write_text(STORED, "utf-8")
    setting = Setting("stored", plugin=str(file))
    prop, *_ = read_properties(setting.properties)
    found = answer(prop, setting, LIMITS)
    assert (found.found.verdict, found.unasked, found.setting.left) == (Verdict.YES, (), ("COLOUR",))
    assert [(f.readings, f.verdict) for f in found.flips] == [((("STORE", "YES"),), Verdict.NO)]
    assert found.found.evidence is not None and recheck(found.found.evidence, found.setting.scene).implications
    assert found.found.prop == prop


SEVEN = """
from monjudge.model.language import Game, gain, lift, reads
from monjudge.model.properties import Scene

SWITCHES = tuple(f"S{n}" for n in range(7))
PROPERTIES = "{format: monjudge-properties/1, properties: [{id: low, kind: invariant, formula: level <= 3, en: Low., ja: 低い。}]}"


def scene(boards, readings, open):
    g = Game("seven", players=1)
    level = g.field("level", values=range(9))
    chosen = {s: readings.get(s, "LESS") for s in SWITCHES}
    cells = {s: g.switch(s, ("LESS", "SAME", "MORE"), chosen[s]) for s in SWITCHES if s in open}
    for s in SWITCHES:
        up = g.action(f"up{s}", by=0)
        for value, least in (("LESS", 1), ("SAME", 3), ("MORE", 5)):
            holds = reads(cells[s], value) if s in open else lift(chosen[s] == value)
            up.clause(f"SEVEN.{s}.{value}", ~holds | (level < least))
        up.effect(gain(level, 1))
    rules = g.build()
    return Scene(rules, rules.start)
"""


def test_readings_of_a_proof_that_turn_nothing_are_settled_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "seven.py"
    file.write_text(SEVEN, "utf-8")
    setting, asked = Setting("seven", plugin=str(file)), []
    prop, *_ = read_properties(setting.properties)

    def spied(*given: Any) -> Finding:
        asked.append(given)
        return prove(*given)

    monkeypatch.setattr(flips, "prove", spied)
    found = answer(prop, setting, LIMITS)
    assert found.found.verdict is Verdict.YES and not found.unasked
    assert {f.readings for f in found.flips} == {((f"S{n}", "MORE"),) for n in range(7)}
    # Of 2,187 combinations: all as usual, each single reading, and those that turn nothing together.
    assert len(asked) <= 1 + 14 + 1


BARE = '''
from monjudge.model.language import Game, gain
from monjudge.model.properties import Scene

SWITCHES = ("LAMP",)
PROPERTIES = '{"format": "monjudge-properties/1", "properties": [{"id": "dark", "kind": "invariant", "formula": "lit <= 3", "en": "Dark.", "ja": "暗い。"}]}'


def scene(boards, readings, open):
    g = Game("lamp", players=1)
    reading = g.switch("LAMP", ("THERE", "GONE"), "THERE") if "LAMP" in open else None
    level = g.field("level", values=range(5))
    lamp = g.field("lit", values=range(5)) if reading is not None or readings.get("LAMP", "THERE") == "THERE" else level
    light = g.action("light", by=0)
    light.clause("LAMP.light", lamp < 3)
    light.effect(gain(lamp, 1))
    rules = g.build()
    return Scene(rules, rules.start)
'''


def test_a_reading_under_which_there_is_nothing_to_speak_of_leaves_the_property_undetermined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = tmp_path / "lamp.py"
    plugin.write_text(BARE, "utf-8")
    monkeypatch.setattr(flips._Asking, "loosely", lambda asking: None)
    setting = Setting("lamp", plugin=str(plugin))
    (dark,) = read_properties(setting.properties)
    found = answer(dark, setting, LIMITS)
    assert found.found.verdict is Verdict.YES
    assert [(f.readings, f.verdict) for f in found.flips] == [((("LAMP", "GONE"),), Verdict.UNDETERMINED)]
