"""``verify`` and ``certify`` show what a verdict rests on, and say in words why evidence is refused."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main
from monjudge.reports.answers.schema import ANSWERS

OWN = """
format: monjudge-properties/1
properties:
- {id: low, kind: invariant, formula: "all h in 0..2: heap[h] >= 1", en: Never empty., ja: 空にならない。}
- {id: one, kind: move, on: take, formula: "`count` <= 1", en: One at a time., ja: 一つずつ。}
- {id: few, kind: invariant, formula: "heap[0] <= 3", en: Few., ja: 少ない。}
"""
PLUGIN = str(Path(__file__).parents[1] / "verify" / "leaky.py")
LAST = ["    1. take 0 3  Player 1: take counters (heap 0, count 3).", "  claimed: heap[0] >= 1", "  there is: heap[0] = 0"]
DRAWN = ["  position at the end: nim1/heap=0,4,5/turn=1", "Nim, Player 2 to move", "     turn 1", "  heap", "+---+---+---+", "| 0 | 4 | 5 |", "+---+---+---+"]


def run(*words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(main, list(words), env={"MONJUDGE_LANG": lang, "NO_COLOR": "1"})


@pytest.fixture
def own(tmp_path: Path) -> str:
    file = tmp_path / "own.yaml"
    file.write_text(OWN, "utf-8")
    return str(file)


def asked(own: str, *words: str, lang: str = "en") -> Result:
    return run("verify", "--game", "nim", own, "--no-flips", "--no-cache", *words, lang=lang)


def test_a_property_that_is_named_tells_the_last_move_and_on_request_the_whole_line(own: str) -> None:
    assert asked(own).stdout.splitlines()[2:5] == LAST
    lines = asked(own, "--show", "--ascii").stdout.splitlines()
    assert lines[2:13] == ["  from: nim1", LAST[0], *DRAWN, *LAST[1:]] and lines[13] == "  played again by: monjudge check nim1 'take 0 3'"
    assert "最後の局面：nim1/heap=0,4,5/turn=1" in asked(own, "--show", lang="ja").stdout


def test_a_whole_table_tells_no_moves_unless_that_is_asked_for() -> None:
    table = ("verify", "--plugin", PLUGIN)
    moved = "    4. fill  Player 1: fill."
    assert moved not in run(*table).stdout.splitlines() and moved in run(*table, "--show").stdout.splitlines()


def test_programs_get_the_line_in_notation_where_it_is_shown(own: str) -> None:
    told, brief = (json.loads(asked(own, "--format", "json", *more).stdout) for more in (("--show",), ()))
    for found in (told, brief):
        jsonschema.Draft202012Validator(ANSWERS).validate(found)
    assert [move["move"] for move in told["results"][0]["witness"]["moves"]] == ["take 0 3"]
    assert told["results"][2]["witness"] is None and all(result["witness"] is None for result in brief["results"])


def test_certify_shows_what_a_file_of_evidence_shows(own: str, tmp_path: Path) -> None:
    asked(own, "--evidence", str(tmp_path))
    done = run("certify", "--show", "--ascii", str(tmp_path / "low.json"))
    assert done.exit_code == 0 and "\n".join(["  from: nim1", LAST[0], *DRAWN, *LAST[1:]]) in done.stdout
    assert "from:" not in run("certify", str(tmp_path / "low.json")).stdout
    found = json.loads(run("certify", "--show", "--format", "json", str(tmp_path / "low.json"), str(tmp_path / "few.json")).stdout)
    jsonschema.Draft202012Validator(ANSWERS).validate(found)
    assert [result["witness"] is None for result in found["results"]] == [False, True]


def test_a_file_that_is_no_proof_is_refused_with_a_number_that_can_be_explained(tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text("{}", "utf-8")
    done = run("certify", str(file))
    assert done.exit_code == 2 and "MJ132[other-file] this is no proof" in done.output
    assert run("explain", "MJ132").stdout.startswith("MJ132")
