"""``monjudge solve`` on long questions: parts, files to resume from, interruption, what is kept, progress, readings, engines."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main
from monjudge.model.language import Move
from monjudge.reports.answers.schema import ANSWERS
from monjudge.solvers.forced.ledger import Ledger

LONG = "connect-four1"
"""Far more positions than a test has time for."""

PUZZLE = """
turn: 7
players:
  1:
    board: HUNTERS
    mana: {C: [W12]}
    defence: {C: [W13, 6]}
    attack: {C: W4, R: Spear Line}
  2:
    board: ATELIER
    mana: {L: [F3]}
    defence: {C: [E13, 3]}
    attack: {L: F4}
    fallen: [L, R]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("MONJUDGE_CACHE", str(tmp_path / "cache"))
    yield tmp_path / "cache"


def run(*words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(main, ["solve", *words], env={"MONJUDGE_LANG": lang, "NO_COLOR": "1"})


def data(*words: str) -> dict[str, object]:
    done = run(*words, "--format", "json")
    found = json.loads(done.stdout)
    jsonschema.Draft202012Validator(ANSWERS).validate(found)
    result: dict[str, object] = found["results"][0]
    return result


# -- parts, and files to resume from ----------------------------------------------------------------------------------


def test_parts_of_a_no_are_unknown_and_their_files_together_say_no(tmp_path: Path) -> None:
    files = [str(tmp_path / f"{n}.json") for n in (1, 2)]
    for n, file in enumerate(files, 1):
        done = run("tic-tac-toe1", "--split", f"{n}/2", "--resume", file)
        assert done.exit_code == 4 and f"part {n} of 2" in done.output
    alone = run("tic-tac-toe1", "--resume", files[0], "--max-nodes", "1")
    assert alone.exit_code == 4
    both = data("tic-tac-toe1", "--resume", files[0], "--resume", files[1], "--max-nodes", "1")
    assert both["verdict"] == "no" and both["nodes"] == 0


def test_a_part_that_wins_is_enough(tmp_path: Path) -> None:
    answers = [run("nim1", "--split", f"{n}/3").exit_code for n in (1, 2, 3)]
    assert sorted(answers) == [0, 4, 4]


@pytest.mark.parametrize("split", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2"])
def test_what_is_no_part_is_refused(split: str) -> None:
    for lang, said in (("en", "K/N"), ("ja", "と書く")):
        done = run("nim1", "--split", split, lang=lang)
        assert done.exit_code == 2 and said in done.output


def test_a_damaged_file_or_one_of_another_question_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "settled.json"
    assert run("nim1", "--split", "1/3", "--resume", str(file)).exit_code in (0, 4)
    written = file.read_text("utf-8")
    for content in ("", "{", written[:-30], written.replace('"no"', '"yes"', 1), "\0"):
        file.write_text(content, "utf-8")
        done = run("nim1", "--resume", str(file))
        assert done.exit_code == 2 and "damaged" in done.output and file.read_text("utf-8") == content
    file.write_text(written, "utf-8")
    for words in (("nim1", "--player", "2"), ("nim1/heap=1,2,3",), ("tic-tac-toe1",)):
        done = run(*words, "--resume", str(file))
        assert done.exit_code == 2 and "another question" in done.output
    assert run("nim1", "--resume", str(file), "--resume", str(tmp_path / "none.json")).exit_code == 2


@pytest.mark.parametrize("line", [[["nonsense", 0]], [["take", 0, 9, 9]], [["take", 0, 0, 1], ["take", 0, 0, 1]]])
def test_a_line_in_a_file_that_cannot_be_played_is_refused(line: list[list[object]], tmp_path: Path) -> None:
    file = tmp_path / "settled.json"
    run("nim1", "--split", "1/1", "--resume", str(file))
    ledger = Ledger.from_json(file.read_bytes())
    moves = next(iter(ledger.moves.values()))
    first, tried = next(iter(moves.items()))
    moves[first] = tried._replace(line=tuple(Move(str(action), int(str(me)), tuple(map(int, map(str, args)))) for action, me, *args in line))
    file.write_text(ledger.to_json(), "utf-8")
    for lang, said in (("en", "cannot be played"), ("ja", "指せない")):
        done = run("nim1", "--resume", str(file), lang=lang)
        assert done.exit_code == 2 and said in done.output


def test_options_that_do_not_go_together_are_refused() -> None:
    for words in (("--engine", "brute", "--keys"), ("--split", "1/2", "--proof", "x"), ("--readings", "all", "--keys")):
        for lang in ("en", "ja"):
            done = run("nim1", *words, lang=lang)
            assert done.exit_code == 2 and "internal" not in done.output


# -- interruption ----------------------------------------------------------------------------------------------------


def started(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "monjudge.cli", "solve", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "MONJUDGE_LANG": "en"})


def interrupted(process: subprocess.Popen[str], told: str) -> tuple[str, str]:
    """What it says when it is interrupted in its search, of which it tells first."""
    assert process.stderr is not None
    line = process.stderr.readline()
    assert told in line, line
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return out, err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_gives_what_is_known_and_a_file_to_go_on_from(jobs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONJUDGE_PROGRESS", "0.2")
    file = tmp_path / "settled.json"
    process = started(LONG, "--progress", "--jobs", jobs, "--resume", str(file))
    out, err = interrupted(process, "positions")
    assert process.returncode == 130
    assert out.startswith("Unknown") and "interrupted" in out and f"--resume {file}" in err
    assert "Traceback" not in err
    assert json.loads(file.read_text("utf-8"))["schema"] == "monjudge-resume/1"
    assert run(LONG, "--resume", str(file), "--max-nodes", "1000").exit_code == 4


def test_without_a_name_the_file_lies_with_what_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONJUDGE_PROGRESS", "0.2")
    process = started(LONG, "--progress", "--jobs", "1")
    _, err = interrupted(process, "positions")
    assert process.returncode == 130
    (file,) = folder.glob("resume-*.json")
    assert str(file) in err


# -- what is kept ----------------------------------------------------------------------------------------------------


def test_an_answer_is_found_again_unless_that_is_not_wanted(folder: Path) -> None:
    first, second = data("nim1", "--keys"), data("nim1", "--keys")
    assert not first["kept"] and second["kept"]
    assert {**first, "kept": True} == second
    assert "found before" in run("nim1", "--keys").stdout
    assert not data("nim1", "--keys", "--no-cache")["kept"]
    for other in (("nim1",), ("nim1", "--player", "2"), ("nim1/heap=1,2,3", "--keys"), ("nim1", "--keys", "--max-nodes", "100000")):
        assert not data(*other)["kept"]


def test_what_a_limit_left_open_is_not_kept() -> None:
    for _ in range(2):
        assert not data("tic-tac-toe1", "--max-nodes", "3")["kept"]


def test_a_damaged_cache_costs_a_warning_and_no_answer(folder: Path) -> None:
    run("nim1")
    file = folder / "found.sqlite"
    with sqlite3.connect(file) as changed:
        changed.execute("UPDATE found SET value = replace(value, 'yes', 'no')")
    assert data("nim1")["verdict"] == "yes"
    file.write_bytes(b"no database" * 1000)
    done = run("nim1")
    assert done.exit_code == 0 and str(file) in done.stderr
    assert file.with_name("found.sqlite.damaged").read_bytes() == b"no database" * 1000
    assert data("nim1")["kept"]


# -- engines, limits, progress ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("state", "player"), [("nim1", "1"), ("nim1", "2"), ("tic-tac-toe1", "1"), ("duel1/", "1")])
def test_both_engines_say_the_same(state: str, player: str) -> None:
    words = (state.rstrip("/"), "--player", player)
    crossed, brute = data(*words, "--cross-check"), data(*words, "--engine", "brute")
    assert crossed["verdict"] == brute["verdict"]
    assert crossed["compared"]["agrees"] and crossed["compared"]["engine"] == "brute"  # type: ignore[index]
    assert "says the same" in run(*words, "--cross-check").stdout and "同じ答え" in run(*words, "--cross-check", lang="ja").stdout


def test_what_the_other_engine_could_not_confirm_is_said() -> None:
    done = run("tic-tac-toe1", "--cross-check", "--max-nodes", "3000")
    assert done.exit_code == 1 and "could not confirm" in done.stdout


def test_engines_that_disagree_are_an_error_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    from monjudge.solvers.forced import obvious
    from monjudge.solvers.verdict import Verdict

    honest = obvious.obvious

    def lying(*words: object, **more: object) -> object:
        from dataclasses import replace

        return replace(honest(*words, **more), verdict=Verdict.NO, turns=None)  # type: ignore[arg-type]

    monkeypatch.setattr(obvious, "obvious", lying)
    done = run("nim1", "--cross-check")
    assert done.exit_code == 3 and "Contradiction" in done.output


def test_little_memory_is_obeyed() -> None:
    assert run("tic-tac-toe1", "--max-memory", "8").exit_code == 1
    assert run("tic-tac-toe1", "--max-memory", "8", "--engine", "brute").exit_code == 4


def test_without_a_terminal_nothing_is_told_unless_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONJUDGE_PROGRESS", "0")
    words = (LONG, "--max-nodes", "200000")
    assert run(*words).stderr == ""
    assert "positions" in run(*words, "--progress").stderr and "局面" in run(*words, "--progress", lang="ja").stderr


# -- keys, duals, goals, readings -----------------------------------------------------------------------------------------


def test_all_first_moves_are_told_with_what_refutes_the_others() -> None:
    found = data("nim1/heap=1,2,0", "--keys")
    by_verdict = {key["move"]["move"]: (key["verdict"], len(key["refutation"])) for key in found["keys"]}  # type: ignore[attr-defined]
    assert by_verdict == {"take 1 1": ("yes", 0), "take 0 1": ("no", 1), "take 1 2": ("no", 1)}
    said = run("nim1/heap=1,2,0", "--keys").stdout
    assert "First moves that keep it: 1 of 3" in said and "refuted by: take 1 2" in said
    assert "目標を保つ最初の手：3手のうち1手" in run("nim1/heap=1,2,0", "--keys", lang="ja").stdout


def test_a_goal_by_name_is_solved_proved_and_certified(tmp_path: Path) -> None:
    file, proof = tmp_path / "puzzle.yaml", tmp_path / "proof.json"
    file.write_text(PUZZLE, "utf-8")
    for goal, code in (("deal:1", 0), ("deal:3", 0), ("survive", 0), ("destroy:C", 0), ("life[1,C] == 0", 0), ("turn == 9", 1)):
        assert run(str(file), "--turns", "1", "--goal", goal, "--proof", str(proof)).exit_code == code
        done = CliRunner().invoke(main, ["certify", str(proof)], env={"MONJUDGE_LANG": "en"})
        assert done.exit_code == 0 and "The certificate is right" in done.stdout
        written = json.loads(proof.read_text("utf-8"))
        proof.write_text(json.dumps({**written, "goal": "deal:2"}), "utf-8")
        assert CliRunner().invoke(main, ["certify", str(proof)]).exit_code == 1


@pytest.mark.slow
def test_a_win_hangs_on_readings_that_are_named(tmp_path: Path) -> None:
    file = tmp_path / "puzzle.yaml"
    file.write_text(PUZZLE, "utf-8")
    found = data(str(file), "--turns", "1", "--readings", "all")
    changes = {(c["readings"][0]["switch"], c["readings"][0]["value"]): c["verdict"] for c in found["changes"]}  # type: ignore[attr-defined]
    assert found["verdict"] == "depends" and changes[("A54", "NONE")] == "no"
    for (switch, value), verdict in changes.items():
        assert run(str(file), "--turns", "1", "--reading", f"{switch}={value}").exit_code == {"yes": 0, "no": 1}[verdict]


def test_a_game_with_one_reading_has_no_others() -> None:
    assert run("nim1", "--readings", "all").exit_code == 2


def test_a_try_that_ends_the_game_is_told_to_lose_at_once() -> None:
    words = ("puzzle:the-column-that-may-fall", "--keys")
    told = [line for line in run(*words).stdout.splitlines() if "✗ 1:guard DC" in line]
    assert len(told) == 1 and told[0].endswith("loses at once")
    assert "その場で負け" in run(*words, lang="ja").stdout
    keys = data(*words)["keys"]
    assert isinstance(keys, list) and [key["move"]["move"] for key in keys if key["at_once"]] == ["1:guard DC"]
