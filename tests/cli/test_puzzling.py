"""``monjudge puzzles``, and puzzles where positions are taken: listed, shown, validated, solved."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main
from monjudge.puzzles.library import library

COLUMN = "the-column-that-may-fall"


def run(*words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(main, list(words), env={"MONJUDGE_LANG": lang, "NO_COLOR": "1"})


def test_the_library_is_listed() -> None:
    listed = run("puzzles", "--format", "concise").stdout.splitlines()
    assert [line.partition(" ")[0] for line in listed] == list(library())


@pytest.mark.parametrize(("lang", "title", "why"), [("en", "The column that may fall", "Let the left defence fall"), ("ja", "倒れてよい列", "わざと倒す")])
def test_a_puzzle_is_shown_and_its_solution_only_when_wanted(lang: str, title: str, why: str) -> None:
    shown, solved = run("puzzles", COLUMN, lang=lang).stdout, run("puzzles", COLUMN, "--solution", lang=lang).stdout
    assert shown.startswith(title) and "1:guard DL" not in shown and why not in shown
    assert "1:guard DL" in solved and why in solved
    assert "solution" not in json.loads(run("puzzles", COLUMN, "--format", "json").stdout)[0]


def test_a_puzzle_is_taken_where_a_position_is() -> None:
    assert "1:guard DL" in run("moves", f"puzzle:{COLUMN}").stdout
    assert run("validate", f"puzzle:{COLUMN}").exit_code == 0
    assert run("fmt", f"puzzle:{COLUMN}", "--check").exit_code == 0
    assert run("solve", f"puzzle:{COLUMN}", "--format", "concise").stdout.startswith("yes 1 1:guard DL")


@pytest.mark.parametrize("words", [("solve", "puzzle:nowhere"), ("puzzles", "nowhere")])
def test_a_puzzle_that_is_not_there_is_named(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert done.exit_code == 2 and "nowhere" in done.output
