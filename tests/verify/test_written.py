"""Every defect of every property of a file is told at once, where it stands in the file, however its formula is written."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monjudge.model.notation.defects import DataError
from monjudge.model.notation.source import Form, read, write
from monjudge.model.properties import Setting
from monjudge.verify.question import FORMAT
from monjudge.verify.written import _reached, is_properties, unaskable, written

NIM = Setting("nim")
HEAD = f"format: {FORMAT}\ngame: nim\nproperties:\n"


def told(text: str) -> list[tuple[str, str, str]]:
    """Every defect: its path, the words of the text to which it points, and its sentence."""
    with pytest.raises(DataError) as raised:
        written(text, "own.yaml" if text.startswith("format") else "own.json").check(NIM)
    lines = text.splitlines()
    found = []
    for defect in raised.value.defects:
        assert defect.place is not None
        start = defect.place.column - 1
        found.append((defect.path, lines[defect.place.line - 1][start : start + defect.place.length], defect.text.en))
    return found


def test_all_defects_of_all_properties_are_told_in_the_order_of_the_file() -> None:
    text = HEAD + """\
- id: a
  kind: move
  on: tak
  formula: "`count` <= 4"
  lemmas: ["heap[0] <= 5", "heap[9] <= 5"]
  en: A.
  ja: あ。
- {id: v, kind: forced, goal: turn == 0, formula: forced, starts: [start], vary: [{cell: "hap[0]", least: 0, most: 1}], en: V., ja: ぶ。}
- {id: o, kind: invariant, formula: turn <= 1, open: [A25], en: O., ja: お。}
- {id: b, kind: step, formula: "next heap[0] <= nothing and hap[1] <= 4", premise: "hap[1] <= 4", en: B., ja: い。}
- {id: c, kind: invariant, formula: "turn <= 1", en: C., ja: う。}
"""
    assert told(text) == [
        ("properties[0].on", "tak", "there is no action 'tak'; did you mean take?"),
        ("properties[0].lemmas[1]", "heap", "the field 'heap' is counted 0..2 there, not 9"),
        ("properties[1].vary[0].cell", "hap", "there is no field 'hap'; did you mean 'heap'?"),
        ("properties[2].open", "[A25]", "'A25' cannot be left open; there are *, CARDS, NORMS"),
        ("properties[3].formula", "nothing", "there is no name 'nothing' (known: heap, turn, player 1, player 2)"),
        ("properties[3].premise", "hap", "there is no field 'hap'; did you mean 'heap'?"),
    ]


@pytest.mark.parametrize(
    "formula",
    [
        "heap[0] <= 3 and hap[1] <= 4", '"heap[0] <= 3 and hap[1] <= 4"', "'heap[0] <= 3 and hap[1] <= 4'", "heap[0] <= 3\n    and   hap[1] <= 4",
        ">-\n    heap[0] <= 3\n    and hap[1] <= 4", "|\n    heap[0] <= 3\n    and hap[1] <= 4", '"heap[0] <= 3\n    and hap[1] <= 4"',
    ],
)  # fmt: skip
def test_a_fault_in_a_formula_is_found_in_whatever_way_the_formula_is_written(formula: str) -> None:
    text = HEAD + f"- id: a\n  kind: invariant\n  formula: {formula}\n  en: A.\n  ja: あ。\n"
    assert [words for _, words, _ in told(text)] == ["hap"]


@settings(max_examples=200, deadline=None)
@given(st.text("ab01 []<=+'\"\\#:あ\n", min_size=1, max_size=40), st.sampled_from(["json", "yaml"]), st.data())
def test_the_place_that_is_reached_holds_the_sign_that_is_meant(text: str, form: Form, data: st.DataObject) -> None:
    document = read(write({"formula": text}, form), f"own.{form}")
    start, end = document.places.values["formula"]
    shape, at = document.text[start:end], data.draw(st.integers(0, len(text) - 1))
    reached = _reached(shape, text, at)
    if reached is not None and text[at].strip():
        assert shape[reached] == text[at]
    plain = not set(text) & set("'\"\\\n")
    assert not plain or not text[at].strip() or reached is not None


def test_where_a_text_is_written_otherwise_than_it_is_read_the_whole_value_is_meant() -> None:
    text = json.dumps({"format": FORMAT, "properties": [{"id": "a", "kind": "invariant", "formula": "heap[0] <= 3\n and hap[1] <= 4", "en": "A", "ja": "あ"}]})
    assert [words for _, words, _ in told(text)] == [json.dumps("heap[0] <= 3\n and hap[1] <= 4")]


def test_a_reading_that_is_closed_is_told_with_the_key_that_opens_it() -> None:
    entry = {"id": "c", "kind": "invariant", "formula": "turn <= 99 and A25 == LT", "en": "C", "ja": "う"}
    with pytest.raises(DataError, match=re.escape("A25 is a reading, and a name only where it is left open: open: [A25]")):
        written(json.dumps({"format": FORMAT, "properties": [entry]})).check(Setting("monjan"))
    written(json.dumps({"format": FORMAT, "properties": [entry | {"open": ["A25"]}]})).check(Setting("monjan"))


def test_a_file_says_of_which_game_it_is() -> None:
    entry = "- {id: c, kind: invariant, formula: 'turn <= 1', en: C., ja: う。}\n"
    assert written(HEAD + entry).game == "nim" and written(HEAD.replace("game: nim\n", "") + entry).game == ""
    assert is_properties({"format": FORMAT}) and not is_properties({"format": "monjudge-state/1"}) and not is_properties("nim1")


def test_what_can_be_asked_in_the_usual_setting_is_no_defect_of_the_file() -> None:
    entry = {"id": "c", "kind": "reachable", "formula": "turn == 2", "starts": ["FLEHEIM-ATELIER"], "en": "C", "ja": "う"}
    own, three = written(json.dumps({"format": FORMAT, "properties": [entry]})), Setting("monjan", players=3)
    own.check(three)
    why = unaskable(own.properties[0], three)
    assert why is not None and "there is no position 'FLEHEIM-ATELIER'" in why.en
    assert unaskable(own.properties[0], Setting("monjan")) is None
