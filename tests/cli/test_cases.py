"""``monjudge cases``: what it prints, and its exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main

PASSES = '{"id": "p", "state": {"A": {"mana": {"L": ["f7"]}}}, "query": {"op": "speed"}, "expect": {"speed": 7}}'
FAILS = PASSES.replace('"p"', '"f"').replace('"speed": 7', '"speed": 8')
UNKNOWN = PASSES.replace('"p"', '"u"').replace('"op": "speed"', '"op": "sing"')


def run(folder: Path, lines: list[str], *options: str) -> Result:
    path = folder / "cases.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    return CliRunner().invoke(main, ["cases", str(path), *options])


def test_all_pass(tmp_path: Path) -> None:
    done = run(tmp_path, [PASSES])
    assert done.exit_code == 0
    assert done.output.splitlines() == ["pass p", "1 cases: 1 pass, 0 fail, 0 held to be wrong"]


def test_a_failure_is_printed_with_expected_and_got(tmp_path: Path) -> None:
    done = run(tmp_path, [PASSES, FAILS])
    assert done.exit_code == 1
    assert ["FAIL f", '  expected: {"speed": 8}', '  got: {"speed": 7}'] == done.output.splitlines()[1:4]


def test_an_unknown_operation_fails_by_its_name_and_is_not_skipped(tmp_path: Path) -> None:
    done = run(tmp_path, [UNKNOWN])
    assert done.exit_code == 1
    assert "there is no operation 'sing'" in done.output
    assert "1 cases: 0 pass, 1 fail" in done.output


def test_a_case_held_to_be_wrong_does_not_fail_the_run(tmp_path: Path) -> None:
    done = run(tmp_path, [FAILS[:-1] + ', "wrong": "a misprint"}'])
    assert done.exit_code == 0
    assert "held to be wrong f" in done.output and "  a misprint" in done.output


@pytest.mark.parametrize(("lines", "status"), [([PASSES], 0), ([PASSES, FAILS, UNKNOWN], 1)])
def test_json_has_a_record_for_each_case(tmp_path: Path, lines: list[str], status: int) -> None:
    done = run(tmp_path, lines, "--format", "json")
    assert done.exit_code == status
    results = json.loads(done.output)["results"]
    assert results[0] == {
        "kind": "case", "verdict": "yes", "id": "p", "passed": True, "expected": {"speed": 7}, "got": {"speed": 7},
    }  # fmt: skip
    assert [result["passed"] for result in results] == [True, False, False][: len(lines)]


def test_an_unreadable_file_is_status_two(tmp_path: Path) -> None:
    done = run(tmp_path, [PASSES, "no JSON"])
    assert done.exit_code == 2
    assert "cases.jsonl:2:1: is not JSON" in done.output
    assert CliRunner().invoke(main, ["cases", str(tmp_path / "none")]).exit_code == 2


def test_the_messages_exist_in_japanese(tmp_path: Path) -> None:
    done = run(tmp_path, [PASSES, FAILS, UNKNOWN], "--lang", "ja")
    assert done.exit_code == 1
    lines = done.output.splitlines()
    assert lines[0] == "合格 p" and lines[1] == "不合格 f"
    assert "'sing'という問いはない" in done.output
    assert lines[-1] == "3件：合格1、不合格2、誤りとされるケース0"
    assert "JSONとして読めない" in run(tmp_path, ["no JSON"], "--lang", "ja").output


def test_files_without_a_case_are_no_success(tmp_path: Path) -> None:
    """A check that reads the wrong file must not pass."""
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n", encoding="utf-8")
    for lang, said in (("en", "hold no case"), ("ja", "ケースがない")):
        result = CliRunner().invoke(main, ["cases", str(empty), "--lang", lang])
        assert result.exit_code == 2
        assert said in result.output


def test_cases_come_from_standard_input(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["cases", "-"], input=f"{PASSES}\n{FAILS}\n")
    assert (done.exit_code, done.output.splitlines()[0]) == (1, "pass p")
