"""What a puzzle says that the solver found is held against the position and its solution, and with ``--solve`` against the solver."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from monjudge import puzzles
from monjudge.cli.main import main
from monjudge.model.notation.sentence import Sentence
from monjudge.model.notation.source import write
from monjudge.puzzles import facts
from monjudge.puzzles.library import library
from monjudge.puzzles.stored import contradictions, differences, stale

COLUMN = dict(puzzles.read(library()["the-column-that-may-fall"]).data)
ODDS = dict(puzzles.read(library()["four-of-five"]).data)


def changed(data: dict[str, Any], **parts: Any) -> puzzles.Puzzle:
    return puzzles.read({**data, "computed": {**data["computed"], **parts}})


def validate(*words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(main, ["validate", *words], env={"MONJUDGE_LANG": lang})


@pytest.mark.parametrize("name", library())
def test_a_shipped_puzzle_contradicts_nothing_and_was_computed_under_the_rules_of_today(name: str) -> None:
    one = puzzles.read(library()[name])
    assert [*contradictions(one), *stale(one)] == []


@pytest.mark.parametrize(
    ("part", "path"),
    [
        ({"verdict": "no"}, "computed.verdict"),
        ({"tries": 5}, "computed.tries"),
        ({"keys": ["1:guard DC"]}, "computed.keys"),
        ({"keys": ["1:guard DL", "1:guard EX"], "tries": 3}, "computed.keys[1]"),
    ],
)
def test_what_cannot_be_is_told_without_solving(part: dict[str, Any], path: str) -> None:
    assert [d.path for d in contradictions(changed(COLUMN, **part))] == [path]


def test_what_the_solver_finds_otherwise_is_told() -> None:
    assert list(differences(changed(COLUMN, nodes=1, decisions=1))) == []
    assert [(d.path, d.text.en) for d in differences(changed(COLUMN, turns=2))] == [("computed.turns", "the solver finds 1")]
    assert [d.path for d in differences(changed(COLUMN, odds="1/2"))] == ["computed.odds"]
    assert [d.path for d in differences(changed(ODDS, odds="3/5"))] == ["computed.odds"]


def test_validate_solves_only_when_wanted(tmp_path: Path) -> None:
    file = tmp_path / "puzzle.yaml"
    file.write_text(write(dict(changed(COLUMN, turns=2, rules="0" * 64).data), "yaml"), "utf-8")
    cheap, whole = validate(str(file)), validate(str(file), "--solve", lang="ja")
    assert cheap.exit_code == 0 and "other rules" in cheap.output
    assert whole.exit_code == 1 and "computed.turns: ソルバーの答えは1" in whole.output


def test_what_is_not_solved_is_unknown_and_not_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(puzzle: puzzles.Puzzle, readings: bool = False) -> None:
        raise facts.Unsolved(Sentence("only 5 positions", "5局面まで"))

    monkeypatch.setattr("monjudge.puzzles.stored.computed", stopped)
    done = validate("puzzle:the-column-that-may-fall", "--solve")
    assert done.exit_code == 4 and "not solved: only 5 positions" in done.output
    assert "解けなかった：5局面まで" in validate("puzzle:the-column-that-may-fall", "--solve", lang="ja").output
