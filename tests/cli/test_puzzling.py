"""``monjudge puzzles``, and puzzles where positions are taken: listed, shown, validated, solved."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main
from monjudge.puzzles import read
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


def test_only_the_puzzles_of_a_game_are_listed() -> None:
    listed = [line.partition(" ")[0] for line in run("puzzles", "--game", "rancher").stdout.splitlines()]
    assert "stand-still" in listed and COLUMN not in listed
    assert set(listed) < set(library())
    assert run("puzzles", COLUMN, "--game", "rancher").exit_code == 2 == run("puzzles", "--game", "nix").exit_code
    assert run("puzzles", COLUMN, "--game", "monjan").exit_code == 0


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", ("Other replies", "5. 2:guard DC: the goal is reached", "First moves that keep it: 1 of 5", "refuted by", "loses at once")),
        ("ja", ("ほかの応手", "5. 2:guard DC：目標達成", "目標を保つ最初の手：5手のうち1手", "反証", "その場で負け")),
    ],
)
def test_a_puzzle_is_solved_with_keys_variations_and_refutations(lang: str, told: tuple[str, ...]) -> None:
    whole, short = (run("solve", f"puzzle:{COLUMN}", *words, lang=lang).stdout for words in ((), ("--no-keys",)))
    assert all(words in whole for words in told) and not any(words in short for words in told)
    moves = read(library()[COLUMN]).solution
    assert all(f"{n:3}. {move}  " in whole for n, move in enumerate(moves, 1))


def test_the_solution_of_a_puzzle_as_data_has_its_variations() -> None:
    found = json.loads(run("solve", "puzzle:stand-still", "--format", "json").stdout)["results"][0]
    assert [(one["at"], len(one["replies"]), one["same"], one["threat"]) for one in found["variations"]] == [
        (2, 1, True, True), (2, 1, False, False), (5, 3, True, False),
    ]  # fmt: skip
    assert json.loads(run("solve", "puzzle:stand-still", "--no-keys", "--format", "json").stdout)["results"][0]["variations"] is None


def test_odds_of_a_puzzle_are_told_with_a_line_and_the_other_outcomes() -> None:
    shown = run("solve", "puzzle:three-or-less").stdout
    assert "5. roll 3  The die shows 3.  1" in shown and "else: roll 4 | roll 5 | roll 6  0" in shown
    assert "ほかの結果：roll 4 | roll 5 | roll 6  0" in run("solve", "puzzle:three-or-less", lang="ja").stdout


def test_what_a_puzzle_hides_is_told_nowhere_in_its_answer() -> None:
    """The line that asks again had the hidden hand in it."""
    hidden = read(library()["whatever-they-hold"]).position
    for words in ((), ("--format", "json"), ("--lang", "ja")):
        assert "h=NK" in run("solve", "puzzle:whatever-they-hold", "--open", *words).stdout
        shown = run("solve", "puzzle:whatever-they-hold", *words).stdout
        assert "h=NK" not in shown and hidden.kit.line(hidden) not in shown and "solve puzzle:whatever-they-hold" in shown


def test_a_hidden_strategy_is_a_tree_in_which_moves_without_a_reply_share_a_line() -> None:
    shown = run("solve", "puzzle:whatever-they-hold").stdout
    assert "    1:summon PIT_DRAGON number / 1:end / 1:pass\n" in shown and "\n      (2:kill NK AL) 1:heal" in shown
