"""Files of properties are read strictly, and every defect is told with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from monjudge.model.notation.defects import DataError
from monjudge.model.properties import Scene
from monjudge.model.small.nim import nim
from monjudge.verify.keys import ABOUT
from monjudge.verify.question import FORMAT, Property, ask, properties_schema, read_properties

SCENE = Scene(nim(), nim().start)


def file(**changes: Any) -> str:
    entry = {"id": "few", "kind": "invariant", "formula": "heap[0] <= 3", "en": "Few.", "ja": "少ない。", **changes}
    return json.dumps({"format": FORMAT, "properties": [{k: v for k, v in entry.items() if v is not None}]})


def test_the_same_property_is_read_from_json_and_from_yaml() -> None:
    yaml = f"format: {FORMAT}\nproperties:\n- id: few\n  kind: invariant\n  formula: heap[0] <= 3\n  en: Few.\n  ja: 少ない。\n"
    assert read_properties(yaml) == read_properties(file()) == (Property("few", "invariant", "heap[0] <= 3", en="Few.", ja="少ない。"),)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"kind": "invariance"}, "did you mean invariant"),
        ({"formla": "true"}, "did you mean formula"),
        ({"ja": None}, "ja is missing"),
        ({"lemmas": "true"}, "not a list"),
        ({"settled": "yes"}, "not true or false"),
    ],
)
def test_a_file_that_is_wrong_says_where(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=said) as raised:
        read_properties(file(**changes))
    assert raised.value.defects[0].place is not None


def test_one_id_stands_for_one_property() -> None:
    whole = json.loads(file())
    whole["properties"] *= 2
    with pytest.raises(DataError, match="stands twice"):
        read_properties(json.dumps(whole))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"formula": "heaps[0] <= 3"}, "did you mean 'heap'"),
        ({"formula": "heap[0]"}, "a truth value is needed"),
        ({"formula": "next heap[0] == 1"}, "only in a step"),
        ({"kind": "move"}, "there are take"),
        ({"on": "take"}, "does not speak of the moves of one action$"),
        ({"kind": "limit", "formula": "true", "on": "take"}, "does not speak of the moves of one action; actions are named in among"),
        ({"kind": "limit", "formula": "true", "among": ("takes",)}, "did you mean take"),
        ({"kind": "move", "on": "give"}, "there is no action 'give'; there are take"),
        ({"kind": "move", "on": "takes"}, "there is no action 'takes'; did you mean take"),
        ({"formula": "all p in players: turn == p"}, "no domain 'players'; did you mean 'player'"),
        ({"kind": "explore", "starts": ("begin",)}, "there is no position 'begin'; there are start"),
        ({"kind": "forced", "goal": "turn == 0", "vary": (("hap[0]", 0, 1),)}, r"x.vary.0..cell: there is no field 'hap'"),
        ({"kind": "forced", "goal": "turn == 0", "vary": (("heap[0] + 1", 0, 1),)}, "a cell of a field is needed"),
        ({"kind": "forced", "goal": "turn == 0", "change": (("heap[0]", "nothing"),)}, r"x.change.0..to: there is no name 'nothing'"),
        ({"kind": "draw", "formula": "hits > 0", "pile": "heaps", "of": "card > 0", "cards": 1}, "'heaps' is no field; did you mean heap"),
        ({"kind": "same", "formula": "true", "among": ("A", "B")}, "sentences are named only where the text is taken literally: open: .NORMS."),
        ({"kind": "deadlock", "formula": "turn == 0"}, "a property of the kind deadlock has no formula"),
        ({"kind": "fact", "lemmas": ("turn == 0",)}, "a property of the kind fact has no lemmas"),
        ({"kind": "explore", "settled": True}, "a property of the kind explore has no settled"),
        ({"measure": ("heap[0]",)}, "a measure belongs to termination"),
        ({"kind": "termination", "measure": ("heap[0] > 1",)}, "a number is needed"),
    ],
)
def test_a_property_that_does_not_fit_the_rules_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=said):
        ask(Property(**{"id": "x", "kind": "invariant", **changes}), SCENE)


def test_player_names_all_players_and_a_move_has_its_parameters() -> None:
    assert ask(Property("x", "invariant", "any p in player: turn == p"), SCENE).formula.is_bool
    assert ask(Property("x", "move", "`count` >= 1", on="take"), SCENE).formula.is_bool


def test_the_schema_names_every_key_of_a_property() -> None:
    shared = properties_schema()["$defs"]
    assert set(shared["property"]["properties"]) == set(Property.__dataclass_fields__) == set(ABOUT)
    assert all(" / " in key["description"] for key in shared["property"]["properties"].values())


def test_a_file_without_properties_has_none() -> None:
    assert read_properties(json.dumps({"format": FORMAT, "properties": []})) == ()
