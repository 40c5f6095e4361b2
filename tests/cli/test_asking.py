"""What a question is asked about and under: logs with defects, readings that contradict one another, moves that cannot be read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main

LINE = "mc1/1=b=FLEHEIM;h=W4.tc;m=N9,W2F5;d=,W11:11/2=b=ATELIER;d=,W14:14"
BURIED = "mc1/1=b=FLEHEIM;h=tc;m=N9,W2F5;d=,W11:11/2=b=ATELIER;d=,W14:14"
CLEAR = "1:summon TIDE_CALLER pair"


def run(*words: str, typed: Any = None) -> Result:
    data = None if typed is None else json.dumps(typed).encode()
    return CliRunner().invoke(main, list(words), input=data, env={"LANG": "C", "LC_ALL": "", "MONJUDGE_LANG": ""})


@pytest.mark.parametrize(
    ("log", "code", "said"),
    [
        ({"start": {"players": {"1": {"hand": ["F3", "F3"]}}}, "moves": []}, 1, "start.players.1.hand: COMP.1"),
        ({"start": {"players": {"1": {"beneath": {"C": "F3"}}}}, "moves": []}, 2, "no-part"),
        ({"table": {"boards": ["FLEHEIM", "FLEHEIM"]}, "moves": []}, 2, "FLEHEIM is taken already"),
        ({"table": {"boards": ["FLEHEIM", "HUNTERS"]}, "moves": []}, 0, "valid (log)"),
    ],
)
def test_a_log_is_valid_only_if_its_start_can_lie_on_a_table(log: dict[str, Any], code: int, said: str) -> None:
    done = run("validate", "-", typed=log)
    assert done.exit_code == code and said in done.stdout
    asked = run("check", "-", "--no-flips", typed=log)
    assert asked.exit_code == (2 if code else 0), asked.output


def test_a_move_of_a_log_that_cannot_be_read_is_told_at_its_place() -> None:
    done = run("check", "-", "--no-flips", "--format", "concise", typed={"start": LINE, "moves": ["1:mana W4 C", "1:sing"]})
    text = json.dumps({"start": LINE, "moves": ["1:mana W4 C", "1:sing"]})
    assert done.exit_code == 2 and done.stderr.startswith(f"1:{text.index('sing') + 1}: MJ118[unreadable-move] moves[1]: ")
    assert "moves[1]: " in run("check", LINE, "1:mana W4 C", "1:sing").stderr


def test_a_log_is_written_in_one_line_and_read_from_it() -> None:
    moves = ["1:mana W4 C", CLEAR]
    line = run("convert", "-", "--to", "line", typed={"start": LINE, "moves": moves}).stdout.strip()
    assert line.endswith("//1:mana~W4~C/1:summon~TIDE_CALLER~pair")
    assert json.loads(run("convert", line, "--to", "json").stdout)["moves"] == moves
    assert run("convert", line, "--to", "line").stdout.strip() == line


def test_a_log_is_checked_under_the_readings_that_are_asked_for() -> None:
    log = {"start": BURIED, "moves": [CLEAR]}
    assert run("check", "-", "--no-flips", typed=log).exit_code == 1
    assert run("check", "-", "--no-flips", "--reading", "A109=ANY_IN_STACK", typed=log).exit_code == 0


@pytest.mark.parametrize("words", [("moves", LINE), ("plans", LINE), ("apply", LINE, "1:end"), ("play", LINE, "1:end"), ("deal",), ("check", "-")])
def test_what_needs_one_reading_refuses_open_ones_and_never_takes_the_default(words: tuple[str, ...]) -> None:
    done = run(*words, "--readings", "all", typed={"start": LINE, "moves": ["1:end"]})
    assert done.exit_code == 2 and "needs one reading" in done.stderr


def test_a_solver_that_is_asked_about_open_readings_never_gives_the_answer_of_the_default_for_all() -> None:
    done = run("solve", LINE, "--turns", "1", "--readings", "all", "--max-time", "12")
    assert done.exit_code == 4 and "under the readings of the position: No" in done.stdout
    assert "only 12.0 seconds were allowed" in done.stdout


@pytest.mark.parametrize("more", [("--readings", "all", "--reading", "A43=ANY"), ("--reading", "A43=ANY", "--reading", "A43=TOP")])
def test_readings_that_contradict_one_another_are_refused(more: tuple[str, ...]) -> None:
    assert run("why", LINE, "1:end", *more).exit_code == 2
    assert run("why", LINE, "1:end", "--reading", "A43=ANY", "--reading", "A43=ANY").exit_code == 0


def test_a_line_of_moves_under_open_readings_breaks_where_it_is_not_legal() -> None:
    done = run("check", LINE, "1:mana W4 C", "1:mana W4 C", CLEAR, "--readings", "all", "--no-flips")
    assert done.exit_code == 1 and "Move 2" in done.stdout
    assert run("check", LINE, "1:mana W4 C", CLEAR, "--readings", "all").exit_code == 5
