"""Files are read by their content: what YAML, JSON and lines say, and what is refused, where and why."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monjudge.model.notation.defects import DataError
from monjudge.model.notation.source import MOST_BYTES, read, write


@pytest.mark.parametrize(
    ("text", "form", "data"),
    [
        ('{"turn": 3}', "json", {"turn": 3}),
        ("{turn: 3}", "yaml", {"turn": 3}),
        ("turn: 3", "yaml", {"turn": 3}),
        ("  mc1/t=3\n", "line", "mc1/t=3"),
        ("nim1", "line", "nim1"),
        ('"mc1/t=3"', "json", "mc1/t=3"),
        ("\ufeffturn: 3\r\nmode: LM\r\n", "yaml", {"turn": 3, "mode": "LM"}),
        ("１: ３", "yaml", {"1": 3}),
        ("a: no\nb: on\nc: Y", "yaml", {"a": "no", "b": "on", "c": "Y"}),
        ("a: 1:2\nb: 12:30:45", "yaml", {"a": "1:2", "b": "12:30:45"}),
        ("a: 0o17\nb: 1_000\nc: 007", "yaml", {"a": "0o17", "b": "1_000", "c": "007"}),
        ("%YAML 1.1\n---\na: yes", "yaml", {"a": "yes"}),
        ("a: true\nb: null\nc: ~", "yaml", {"a": True, "b": None, "c": None}),
        ("a: 2026-11-30", "yaml", {"a": "2026-11-30"}),
        ("a: [F3, ?, F4]\nb: [?]", "yaml", {"a": ["F3", "?", "F4"], "b": ["?"]}),
        ("a: &x [1]\nb: *x", "yaml", {"a": [1], "b": [1]}),
        ("a: '12'\nb: \"true\"", "yaml", {"a": "12", "b": "true"}),
        ("a: |\n  x\n  y\n", "yaml", {"a": "x\ny\n"}),
    ],
)
def test_a_text_is_read_by_what_it_is(text: str, form: str, data: Any) -> None:
    document = read(text)
    assert (document.form, document.data) == (form, data)


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("turn: 3\nturn: 4", "duplicate-key", 2, 1),
        ('{"turn": 3,\n "turn": 4}', "duplicate-key", 2, 2),
        ('{"turn": 3,}', "not-json", 1, 12),
        ('{"turn": 03}', "not-json", 1, 11),
        ('{"turn": "3}', "not-json", 1, 10),
        ('{"turn": NaN}', "not-json", 1, 10),
        ('{"turn" 3}', "not-json", 1, 9),
        ("mana: [F3, N7", "not-yaml", 1, 14),
        ("a: b: c", "not-yaml", 1, 5),
        ("\ta: 1", "not-yaml", 1, 1),
        ("a: 1\n---\nb: 2", "several-documents", 2, 1),
        ("mana: [*F3, N7]", "alias", 1, 8),
        ("mana: [*, N7]", "alias", 1, 9),
        ("a: &x {b: *x}", "alias", 1, 4),
        ("a: !!python/object:os.system x", "tag", 1, 4),
        ("? [a]: b", "wrong-value", 1, 3),
        ("　turn: 3", "wide-space", 1, 1),
        ("a: 1\n b\x00: 2", "control-character", 2, 3),
        ("a: \u202e1", "control-character", 1, 4),
        (b"a: 1\nb: \xff", "not-utf8", 2, 4),
        (b"\xff\xfea\x00", "not-utf8", 1, 1),
        ('a: "\\ud83d"', "not-utf8", 1, 4),
        ("", "empty", 1, 1),
        ("# only a comment\n", "empty", 1, 1),
        (b"\xef\xbb\xbf \n", "empty", 1, 1),
        ("[" * 60 + "]" * 60, "too-deep", 1, 42),
        ("- " * 60 + "a", "too-deep", 1, 83),
        ('{"a": ' + "9" * 40 + "}", "out-of-range", 1, 7),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str | bytes, code: str, line: int, column: int) -> None:
    with pytest.raises(DataError) as caught:
        read(text)
    [defect] = caught.value.defects
    assert defect.place is not None
    assert (defect.code, defect.place.line, defect.place.column) == (code, line, column)
    assert defect.text.en and defect.text.ja


def test_all_repeated_keys_of_a_file_are_told_at_once() -> None:
    with pytest.raises(DataError) as caught:
        read("a: 1\nb: 1\na: 2\nb: 2\n")
    assert [d.place.line for d in caught.value.defects if d.place] == [3, 4]


def test_an_alias_bomb_is_refused_and_not_expanded() -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for name, before in zip("bcdefgh", "abcdefg", strict=True):
        bomb += f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
    with pytest.raises(DataError, match="more than 20000 values"):
        read(bomb)


@pytest.mark.parametrize("size", [MOST_BYTES + 1, 200_001])
def test_a_file_beyond_the_size_is_refused(size: int) -> None:
    with pytest.raises(DataError, match="at most"):
        read(b"a: " + b"x" * (size - 3))


def test_the_suffix_settles_what_the_content_leaves_open() -> None:
    assert read("{}", "x.yaml").form == "yaml"
    with pytest.raises(DataError, match="JSON"):
        read("turn: 3", "x.json")


def test_a_path_has_its_place_in_json_and_in_yaml() -> None:
    for text, line, column in (('{"a":\n {"b": [1, 22]}}', 2, 12), ("a:\n  b:\n  - 1\n  - 22\n", 4, 5)):
        span = read(text).places.values["a.b[1]"]
        place = read(text).places.place(*span)
        assert (place.line, place.column, place.length) == (line, column, 2)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.text(max_size=12).filter(lambda t: "\x85" not in t),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.from_regex(r"[a-zA-Z一-龥]{1,8}", fullmatch=True), inside, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150)
@given(PLAIN)
def test_what_is_written_as_yaml_or_json_is_read_as_the_same(data: Any) -> None:
    for form in ("yaml", "json"):
        text = write({"data": data}, form)  # type: ignore[arg-type]
        assert read(text, f"x.{form}").data == {"data": data}


def test_yaml_is_written_to_be_read() -> None:
    text = write({"turn": 3, "players": {"1": {"mana": {"L": ["F3", "*F8"]}, "hand": []}}, "word": "no"}, schema="s.json")
    assert text == (
        "# yaml-language-server: $schema=s.json\n"
        "turn: 3\nplayers:\n  1:\n    mana:\n      L: [F3, \"*F8\"]\n    hand: []\nword: \"no\"\n"
    )


def test_a_formula_with_a_colon_is_quoted_and_the_error_says_so() -> None:
    with pytest.raises(DataError, match="a text with a colon and a space in it is quoted"):
        read("formula: all p in player: life[p] > 0", "own.yaml")
    assert read('formula: "all p in player: life[p] > 0"', "own.yaml").data == {"formula": "all p in player: life[p] > 0"}
