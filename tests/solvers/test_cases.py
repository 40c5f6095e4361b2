"""Files of cases: what cannot be read is said with its place, and nothing that goes wrong in a case is passed over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from monjudge.model.language import LimitReached
from monjudge.model.small import GAMES
from monjudge.solvers import cases
from monjudge.solvers.cases import Case, CaseEngine, CaseFileError, agrees, read_cases, run_cases
from monjudge.solvers.engines.reference import Reference

GOOD = '{"id": "a", "query": {"op": "sum"}, "expect": {"n": 3}}'


def written(folder: Path, *lines: str | bytes) -> Path:
    path = folder / "cases.jsonl"
    path.write_bytes(b"\n".join(line.encode() if isinstance(line, str) else line for line in lines))
    return path


def test_cases_are_read_in_order_and_empty_lines_are_none(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeff" + GOOD, "", GOOD.replace('"a"', '"b"'), "")
    assert [case["id"] for case in read_cases([path])] == ["a", "b"]


@pytest.mark.parametrize(
    ("line", "place", "sentence"),
    [
        ("not JSON", ":2:1", "is not JSON"),
        ('{"id": "b", 1}', ":2:13", "is not JSON"),
        ("[1]", ":2", "a case is a JSON object"),
        ('{"query": {"op": "sum"}, "expect": {"n": 1}}', ":2", "'id'"),
        ('{"id": "b", "expect": {"n": 1}}', ":2", "'query'"),
        ('{"id": "b", "query": {}, "expect": {"n": 1}}', ":2", "'op'"),
        ('{"id": "b", "query": {"op": "sum"}}', ":2", "expects something"),
        ('{"id": "b", "query": {"op": "sum"}, "expect": {"n": 1}, "state": []}', ":2", "'state' is a JSON object"),
        (GOOD, ":2", "the id 'a' stands already at"),
        (b'{"id": "\xff"}', ":2", "is not UTF-8 (byte 9)"),
        ("[" * 100_000, ":2", "nested too deeply"),
        (GOOD.replace("3", "[" * 50 + "]" * 50), ":2", "nested too deeply"),
        (GOOD.replace("3", "9" * 5000), ":2", "too many digits"),
        (GOOD.replace("3", "NaN"), ":2", "NaN is no JSON number"),
        (GOOD.replace("3", "-Infinity"), ":2", "-Infinity is no JSON number"),
        (GOOD.replace('"a"', '"\\ud800"'), ":2", "half of a surrogate pair"),
        (GOOD.replace("{", '{"expect": {"n": 4}, ', 1), ":2", "the key 'expect' stands twice"),
        (GOOD.replace("{", '{"wrong": 1, ', 1), ":2", "'wrong' says why"),
    ],
)
def test_what_is_no_case_is_said_with_its_line(tmp_path: Path, line: str | bytes, place: str, sentence: str) -> None:
    path = written(tmp_path, GOOD, line)
    with pytest.raises(CaseFileError) as error:
        read_cases([path])
    assert error.value.sentence.en.startswith(f"{path}{place}: ")
    assert sentence in error.value.sentence.en
    assert error.value.sentence.ja != error.value.sentence.en


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(CaseFileError, match=r"none\.jsonl: cannot be read"):
        read_cases([tmp_path / "none.jsonl"])


def test_sizes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, GOOD, GOOD.replace('"a"', '"b"'))
    monkeypatch.setattr(cases, "LARGEST_LINE", len(GOOD))
    assert len(read_cases([path])) == 2
    monkeypatch.setattr(cases, "LARGEST_LINE", len(GOOD) - 1)
    with pytest.raises(CaseFileError, match="line is longer"):
        read_cases([path])
    monkeypatch.setattr(cases, "LARGEST_FILE", path.stat().st_size - 1)
    with pytest.raises(CaseFileError, match="is larger"):
        read_cases([path])


def test_an_id_stands_once_in_all_files(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with pytest.raises(CaseFileError, match="stands already at"):
        read_cases([written(tmp_path, GOOD), written(tmp_path / "other", GOOD)])


def answer(case: Case) -> Mapping[str, Any]:
    """A toy: sums, and everything that may go wrong."""
    match case["query"]["op"]:
        case "sum":
            return {"n": sum(case["state"]["of"]), "of": case["state"]["of"]}
        case "limit":
            raise LimitReached("a stack of nine")
        case other:
            raise KeyError(f"no operation {other}")


def a_case(**parts: Any) -> Case:
    return {"id": "c", "state": {"of": [1, 2]}, "query": {"op": "sum"}, "expect": {"n": 3}, **parts}


def test_only_what_is_asserted_is_compared_and_reported() -> None:
    [result] = run_cases([a_case()], answer)
    assert result.passed
    assert result.record() == {"id": "c", "passed": True, "expected": {"n": 3}, "got": {"n": 3}}


def test_a_wrong_value_fails_with_expected_and_got() -> None:
    [result] = run_cases([a_case(expect={"n": 4})], answer)
    assert result.fails and result.expected == {"n": 4} and result.got == {"n": 3}


def test_a_fact_that_the_answer_lacks_fails() -> None:
    [result] = run_cases([a_case(expect={"product": None})], answer)
    assert result.fails and result.got == {}


@pytest.mark.parametrize(
    ("op", "en", "ja"),
    [("sing", "no operation sing", "KeyError"), ("limit", "unknown (limit): a stack of nine", "不明（上限）：a stack of nine")],
)
def test_what_goes_wrong_in_a_case_is_its_failure_and_the_others_are_run(op: str, en: str, ja: str) -> None:
    results = list(run_cases([a_case(query={"op": op}), a_case()], answer))
    assert [result.passed for result in results] == [False, True]
    assert results[0].error is not None and en in results[0].error.en and ja in results[0].error.ja
    assert results[0].record()["got"] == {"error": results[0].error.en}


def test_information_is_not_compared() -> None:
    case = a_case(expect={"n": 3, "remark": "no fact"})
    assert [r.passed for r in run_cases([case], answer)] == [False]
    assert [r.passed for r in run_cases([case], answer, {"sum": {"remark"}})] == [True]


def test_a_case_held_to_be_wrong_is_run_and_told_apart() -> None:
    [result] = run_cases([a_case(expect={"n": 4}, wrong="a misprint: 3 is the sum")], answer)
    assert not result.passed and not result.fails
    assert result.record()["wrong"] == "a misprint: 3 is the sum"


@pytest.mark.parametrize(
    ("expected", "got", "agree"),
    [
        ({"a": {"x": 1}}, {"a": {"x": 1, "y": 2}, "b": 3}, True),
        ({"a": {"x": 1}}, {"a": {"y": 1}}, False),
        ([1, 2], [1, 2], True),
        ([1, 2], [2, 1], False),
        ([1, 2], [1, 2, 3], False),
        (["b", "a", "b"], Counter({"b": 2, "a": 1}), True),
        (["b", "a"], Counter({"b": 2, "a": 1}), False),
        (True, 1, False),
        (1, True, False),
        (None, False, False),
        (None, None, True),
        ({"a": 1}, [1], False),
    ],
)
def test_expected_and_got_agree_or_not(expected: Any, got: Any, agree: bool) -> None:
    assert agrees(expected, got) is agree


def test_the_engine_for_cases_lists_the_moves_of_the_reference() -> None:
    rules = GAMES["tic-tac-toe"]()
    engine, reference = CaseEngine(rules), Reference(rules)
    moves = [move for action in rules.actions for move in engine.moves_of(rules.start, action.name)]
    assert moves == reference.moves(rules.start) and len(moves) == 9
