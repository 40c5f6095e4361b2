"""The line that reproduces an answer: asked again, word for word, it gives the same answer, whatever options were given."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main

BOARD = "tic-tac-toe1/cell=1,0,2,0,1,0,0,0,0/turn=1"
LINE = "mc1/1=b=FLEHEIM;h=W4.tc;m=N9,W2F5;d=,W11:11/2=b=ATELIER;d=,W14:14"
TOO_MANY = "mc1/1=b=FLEHEIM;h=F3.F3;d=,W11:11/2=b=ATELIER;d=,W14:14"

QUESTIONS = {
    "moves of a kind": (("moves", LINE, "--kind", "mana", "--player", "1"), 0),
    "moves by another engine": (("moves", BOARD, "--engine", "reference"), 0),
    "moves of what cannot lie on a table": (("moves", TOO_MANY, "--anyway"), 0),
    "moves under another reading": (("moves", LINE, "--reading", "A43=ANY"), 0),
    "a reason with readings": (("why", LINE, "1:attack W4 R", "--flips"), 1),
    "a reason with more moves": (("why", LINE, "1:attack W4 R", "--nearest", "1"), 1),
    "a reason without moves": (("why", LINE, "1:attack W4 R", "--nearest", "0"), 1),
    "a reason under all readings": (("why", LINE, "1:attack W4 R", "--readings", "all"), None),
    "a card": (("why", LINE, "--card", "TIDE_CALLER"), 1),
    "a card of a player": (("why", LINE, "--card", "TIDE_CALLER", "--player", "2"), 1),
    "a line of moves": (("check", LINE, "1:mana W4 C"), 0),
    "a line of moves without readings": (("check", LINE, "1:mana W4 C", "1:mana W4 C", "--no-flips"), 1),
    "no moves at all": (("check", LINE), 0),
    "chance that is drawn": (("check", "pig1", "1:roll", "--seed", "3"), None),
    "moves made": (("apply", LINE, "1:mana W4 C", "--seed", "3"), 0),
    "moves that cannot be made": (("apply", LINE, "1:mana W4 C", "1:mana W4 C", "--seed", "3"), 1),
    "moves made of what cannot lie on a table": (("apply", TOO_MANY, "1:mana F3 C", "--anyway"), 0),
    "a script": (("play", BOARD, "place 1", "place 7"), 0),
    "a script that cannot be played": (("play", BOARD, "place 1", "place 1"), 1),
    "a walk that ends at once": (("play", BOARD), 0),
    "a random game": (("play", BOARD, "--random", "--seed", "5", "--most", "3"), 0),
    "a deal": (("deal", "--players", "2", "--mode", "EXTRA", "--seed", "3"), 0),
    "a deal under another reading": (("deal", "--reading", "A43=ANY"), 0),
    "plans": (("plans", LINE, "--best", "attack", "--list", "2"), 0),
    "few states of plans": (("plans", LINE, "--states", "5", "--list", "2"), 4),
    "a goal": (("solve", BOARD, "--player", "2"), None),
    "a goal within few positions": (("solve", "tic-tac-toe1", "--max-nodes", "3"), 4),
    "a drawing": (("show", LINE, "--bottom", "2", "--width", "60"), 0),
}


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words), env={"MONJUDGE_LANG": "en", "NO_COLOR": "1", "LANG": "C"})


def again(answer: str) -> list[str]:
    label, command = answer.splitlines()[-1].split(": ", 1)
    tool, *words = shlex.split(command)
    assert (label, tool) == ("Reproduce", "monjudge")
    return words


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_line_asks_the_same_again(name: str) -> None:
    words, code = QUESTIONS[name]
    first = run(*words)
    assert code in (None, first.exit_code), first.output
    second = run(*again(first.stdout))
    # The second may come from what is kept of the first, and says so.
    assert (_fresh(second.stdout), second.exit_code) == (_fresh(first.stdout), first.exit_code)


def _fresh(answer: str) -> str:
    return answer.replace(" (found before)", "")


def test_a_log_is_asked_again_as_its_moves(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps({"start": LINE, "moves": ["1:mana W4 C", "1:mana W4 C"]}), "utf-8")
    first = run("check", str(file), "--no-flips")
    assert first.exit_code == 1 and run(*again(first.stdout)).stdout == first.stdout


def test_a_picture_is_drawn_again_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "x.svg"
    first = run("render", LINE, "--bottom", "2", "--look", "print", "-o", str(file))
    drawn = file.read_bytes()
    file.unlink()
    assert run(*again(first.stdout)).stdout == first.stdout and file.read_bytes() == drawn
    secret = run("render", LINE, "--as", "1", "-o", str(file))
    assert "Reproduce" not in secret.stdout
