"""Forms: what people write becomes canonical data, every defect is told, a line is read back to its last character."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monjudge.model.notation.cursor import Cursor
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.forms import (
    ABSENT,
    Choice,
    Flag,
    Keyed,
    Line,
    ListOf,
    Part,
    Record,
    Text,
    Whole,
    document_schema,
)
from monjudge.model.notation.reading import Reading, meant
from monjudge.model.notation.sentence import Sentence

COLOUR = Choice(Sentence("colour", "色"), ("RED", "BLUE"), {"赤": "RED", "青": "BLUE"})
SIDE = Choice(Sentence("side", "側"), ("L", "R"), {"左": "L", "右": "R"})
FORM = Record("game", (
    Part("turn", Whole(0, 99), "t", ja=("ターン",), needed=True), Part("over", Flag(), "o", ja=("終わり",)),
    Part("colour", COLOUR, "c", otherwise="RED"), Part("name", Text(20), "n"),
    Part("heap", ListOf(Whole(0, 9), 4, ordered=False, key=int), "h"),
    Part("side", Keyed(SIDE, ListOf(Whole(0, 9), 3)), "s", ja=("側",)),
))  # fmt: skip
LINE = Line("ga", 1, FORM)


def canonical(value: Any) -> Any:
    reading = Reading()
    data = FORM.read(value, "", reading)
    reading.finish()
    return data


@pytest.mark.parametrize(
    ("written", "data"),
    [
        ({"turn": 3}, {"turn": 3}),
        ({"ターン": "３", "終わり": False, "colour": "赤"}, {"turn": 3}),
        ({"heap": [3, 1, 2], "TURN": 0}, {"turn": 0, "heap": [1, 2, 3]}),
        ({"turn": 1, "側": {"右": [2, 1], "l": []}}, {"turn": 1, "side": {"R": [2, 1]}}),
        ({"turn": 1, "name": None, "over": True, "colour": "blue"}, {"turn": 1, "over": True, "colour": "BLUE"}),
    ],
)
def test_what_is_written_becomes_canonical(written: Any, data: Any) -> None:
    assert canonical(written) == data == canonical(data)


def test_all_defects_are_told_at_once_with_their_paths() -> None:
    with pytest.raises(DataError) as caught:
        canonical({"turm": 3, "colour": "bleu", "heap": [1, 22, "x", 3, 4], "side": {"M": [1]}, "over": "yes", "name": ""})
    told = {(d.path, d.code) for d in caught.value.defects}
    assert told == {
        ("turm", "unknown-key"), ("", "missing-key"), ("colour", "unknown-word"), ("heap[1]", "out-of-range"), ("heap[2]", "wrong-value"),
        ("heap", "too-many"), ("side.M", "unknown-key"), ("over", "wrong-value"), ("name", "out-of-range"),
    }  # fmt: skip
    said = {d.path: d.text for d in caught.value.defects}
    assert "did you mean turn" in said["turm"].en and "turn のことか" in said["turm"].ja
    assert "did you mean BLUE" in said["colour"].en


def test_a_word_of_three_signs_with_a_wrong_one_is_still_known() -> None:
    assert meant("ボート", ["ボード", "手札"], "there are", "使えるのは") == ("; did you mean ボード?", "。ボード のことか")
    assert meant("マナー板", ["ボード", "手札"], "there are", "使えるのは")[1] == "。使えるのは ボード, 手札"


@pytest.mark.parametrize("nothing", [{}, {"turn": None}, {"ターン": None}])
def test_what_is_needed_must_be_said(nothing: Any) -> None:
    with pytest.raises(DataError, match="turn is missing"):
        canonical(nothing)


def test_a_key_and_its_alias_are_one_key() -> None:
    with pytest.raises(DataError, match="turn stands twice"):
        canonical({"turn": 3, "ターン": 4})


DATA = st.fixed_dictionaries(
    {"turn": st.integers(0, 99)},
    optional={
        "over": st.just(True), "colour": st.just("BLUE"), "name": st.text(min_size=1, max_size=20).filter(lambda t: t.strip()),
        "heap": st.lists(st.integers(0, 9), min_size=1, max_size=4).map(sorted),
        "side": st.dictionaries(st.sampled_from("LR"), st.lists(st.integers(0, 9), min_size=1, max_size=3), min_size=1),
    },
)  # fmt: skip


@given(DATA)
def test_a_line_is_read_back_and_every_document_fits_its_schema(data: Any) -> None:
    data = canonical(data)
    assert canonical(LINE.read(LINE.write(data))) == data
    jsonschema.validate(data, document_schema(FORM, Sentence("game", "ゲーム"), "urn:test"))


@pytest.mark.parametrize(
    ("line", "column", "says"),
    [
        ("ga1/t=3/t=4", 9, "another part than t"),
        ("ga1/t=300", 7, "a number 0..99"),
        ("ga1/q=3", 5, "t= or o or c="),
        ("ga1/t=3x", 8, "a / or the end"),
        ("ga2/t=3", 1, "version 1"),
        ("gb1/t=3", 1, "ga1"),
        ("ga1t=3", 4, "a /"),
        ("ga1/t=3/n=!!", 11, "packed data"),
        ("ga1/t=3/c=GREEN", 11, "RED or BLUE"),
    ],
)
def test_a_line_tells_the_first_character_that_will_not_do(line: str, column: int, says: str) -> None:
    with pytest.raises(DataError) as caught:
        LINE.read(line)
    [defect] = caught.value.defects
    assert defect.place is not None and defect.place.column == column
    assert says in defect.text.en and f"{column}文字目" in defect.text.ja


def test_packed_data_that_would_grow_beyond_all_measure_is_refused() -> None:
    import base64
    import zlib

    bomb = base64.urlsafe_b64encode(zlib.compress(b'"' + b"x" * 10**7 + b'"')).decode().rstrip("=")
    with pytest.raises(DataError, match="packed data"):
        Text().scan(Cursor(bomb))


def test_what_says_nothing_is_absent() -> None:
    reading = Reading()
    assert Flag().read(False, "", reading) is ABSENT
    assert ListOf(Whole(0, 9), 3).read([], "", reading) is ABSENT
    assert not reading.defects
