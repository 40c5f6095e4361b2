"""Every question on small games: what is answered, in both languages and all forms, and the exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import COMMANDS, main
from monjudge.reports.answers.schema import ANSWERS

BOARD = "tic-tac-toe1/cell=1,0,2,0,1,0,0,0,0/turn=1"
OVER = "tic-tac-toe1/cell=1,1,1,2,2,0,0,0,0/turn=1"
HAND = "rock-paper-scissors1"
SCHEMA = jsonschema.Draft202012Validator(ANSWERS)


def run(*words: str, lang: str = "en", typed: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, list(words), input=typed, env={"MONJUDGE_LANG": lang, "NO_COLOR": "1", "LANG": "C"})


def answer(*words: str) -> dict[str, Any]:
    """The one document that is printed, checked against its schema."""
    done = run(*words, "--format", "json")
    found: dict[str, Any] = json.loads(done.stdout, parse_float=lambda text: pytest.fail(f"a float: {text}"))
    SCHEMA.validate(found)
    assert [*found] == sorted(found)
    return found


QUESTIONS = {
    "moves": (("moves", BOARD), 0, "Legal moves: 6", "合法手：6"),
    "moves when the game is over": (("moves", OVER), 1, "No move: The game ends", "手はない：三つ並ぶ"),
    "moves of nobody": (("moves", BOARD, "--player", "1"), 1, "There is no legal move", "合法手はない"),
    "moves as one player sees them": (("moves", HAND, "--as", "1"), 0, "As Player 1 sees it", "プレイヤー1から見た局面"),
    "a legal move": (("why", BOARD, "place 1"), 0, "Legal: Player 2: place a mark", "できる：プレイヤー2：印を置く"),
    "an illegal move": (("why", BOARD, "place 0"), 1, "A mark goes on an empty square.", "印は空いたマスに置く。"),
    "a move after the end": (("why", OVER, "place 8"), 1, "The game ends with three", "三つ並ぶか、盤が埋まれば"),
    "a card that can be played": (("why", HAND, "--card", "rock"), 0, "can put rock into play", "rockを場に出せる"),
    "a card after the end": (("why", f"{HAND}/points=2,0", "--card", "rock"), 1, "Minimal reasons", "最小の理由"),
    "moves that are legal": (("check", BOARD, "place 1", "place 3"), 0, "all 2 moves are legal", "2手すべてできる"),
    "moves that are not": (("check", BOARD, "place 1", "place 1"), 1, "Move 2 is the first", "最初にできなくなるのは2手目"),
    "what moves do": (("apply", BOARD, "place 1"), 0, "Position: tic-tac-toe1/cell=1,2,2,0,1", "局面：tic-tac-toe1/cell=1,2,2,0,1"),
    "moves that cannot be made": (("apply", BOARD, "place 0"), 1, "Not legal", "できない"),
    "a deal": (("deal", "--game", "pig"), 0, "Position: pig1", "局面：pig1"),
    "a script": (("play", BOARD, "place 1", "place 7"), 0, "Position: tic-tac-toe1/cell=1,2,2,0,1,0,0,1,0", "局面："),
    "a random game": (("play", BOARD, "--random"), 0, "The game ends", "三つ並ぶか、盤が埋まれば終わる。"),
    "a board": (("show", BOARD), 0, "│ X │ 1 │ O │", "│ X │ 1 │ O │"),
    "a clause": (("rules", "TTT.empty", "--game", "tic-tac-toe"), 0, "A mark goes on an empty square.", "印は空いたマスに置く。"),
    "the reports that there are": (("report",), 0, "arena  The arena, exactly", "arena  アリーナの正確な結果"),
    "a sheet of a report": (("report", "arena", "--sheet", "step"), 0, "squares  distance", "マス  距離"),
    "a code": (("explain", "MJ115"), 0, "This is no card", "カードとして読めない"),
    "a valid text": (("validate", BOARD), 0, "valid (state)", "問題なし (state)"),
    "an example": (("moves", "example:threatened-square"), 0, "Legal moves: 6", "合法手：6"),
    "a canonical line": (("convert", "example:threatened-square"), 0, BOARD, BOARD),
    "a completion script": (("completion", "bash"), 0, "_MONJUDGE_COMPLETE", "_MONJUDGE_COMPLETE"),
}


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_an_answer_has_its_words_and_its_exit_code(name: str, lang: str) -> None:
    words, code, en, ja = QUESTIONS[name]
    done = run(*words, lang=lang)
    assert done.exit_code == code, done.output
    assert (ja if lang == "ja" else en) in done.stdout
    assert run(*words, "--lang", lang, lang="en" if lang == "ja" else "ja").stdout == done.stdout


REPRODUCED = [name for name, (words, *_) in QUESTIONS.items() if words[0] in ("moves", "why", "check", "apply", "deal", "play", "show")]


@pytest.mark.parametrize("name", [name for name in REPRODUCED if "--as" not in QUESTIONS[name][0]])
def test_the_last_line_asks_the_same_again(name: str) -> None:
    import shlex

    words, code, *_ = QUESTIONS[name]
    first = run(*words)
    label, command = first.stdout.splitlines()[-1].split(": ", 1)
    tool, *again = shlex.split(command)
    assert (label, tool) == ("Reproduce", "monjudge")
    second = run(*again)
    assert (second.stdout, second.exit_code) == (first.stdout, code)


@pytest.mark.parametrize("name", [name for name in QUESTIONS if QUESTIONS[name][0][0] not in ("convert", "completion")])
def test_json_is_one_document_that_its_schema_admits(name: str) -> None:
    words, code, *_ = QUESTIONS[name]
    found = answer(*words)
    assert (found["schema"], found["tool"]) == ("monjudge-answer/1", "monjudge")
    assert found["results"]
    assert (found["results"][0]["verdict"] == "yes") == (code == 0)


def test_the_schema_refuses_what_no_answer_has() -> None:
    found = answer("why", BOARD, "place 0")
    for spoil in ({"verdict": "maybe"}, {"extra": 1}, {"broken": [{}]}):
        spoilt = {**found, "results": [{**found["results"][0], **spoil}]}
        assert not SCHEMA.is_valid(spoilt)


def test_json_lines_have_a_head_and_a_record_for_each_move() -> None:
    head, *records = map(json.loads, run("moves", BOARD, "--format", "jsonl").stdout.splitlines())
    assert head["inputs"] == [{"kind": "state", "line": BOARD}]
    assert [record["move"] for record in records] == [f"place {n}" for n in (1, 3, 5, 6, 7, 8)]


def test_the_concise_form_is_a_line_for_each_thing() -> None:
    assert run("moves", BOARD, "--format", "concise").stdout.splitlines()[0] == "place 1"
    [line] = run("why", BOARD, "place 0", "--format", "concise").stdout.splitlines()
    assert line == "no place 0 TTT.empty: needed cell[at] == 0, have at = 0, cell[at] = 1"


@pytest.mark.parametrize("engine", ["reference", "enumerator", "csp", "cpsat", "smt", "native"])
def test_every_engine_lists_the_same_moves(engine: str) -> None:
    words = ("moves", BOARD, "--engine", engine, "--format", "concise")
    assert run(*words).stdout == run("moves", BOARD, "--format", "concise").stdout


def test_what_a_player_may_know_is_all_that_is_said() -> None:
    states = [f"{HAND}/hand=-1,{n}" for n in range(-1, 3)]
    for form in ("text", "concise", "json", "jsonl"):
        said = {run("moves", state, "--as", "1", "--format", form).stdout for state in states}
        assert len(said) == 1
        assert len({run("show", state, "--as", "1", "--format", form).stdout for state in states}) == 1


def test_a_log_is_checked_as_a_whole(tmp_path: Path) -> None:
    log = tmp_path / "game.json"
    done = run("play", BOARD, "--random", "--seed", "4", "--log", str(log))
    assert done.exit_code == 0
    assert run("check", str(log)).exit_code == 0
    data = json.loads(log.read_text("utf-8"))
    data["moves"][2] = data["moves"][0]
    log.write_text(json.dumps(data), "utf-8")
    checked = run("check", str(log))
    assert checked.exit_code == 1 and "Move 3 is the first" in checked.stdout


def test_step_by_step_moves_are_listed_made_explained_and_taken_back() -> None:
    done = run("play", BOARD, typed="2\n? place 0\nu\nplace 8\nq\n")
    assert done.exit_code == 0
    assert "Position: tic-tac-toe1/cell=1,0,2,0,1,0,0,0,2" in done.stdout
    assert "TTT.empty" in done.stderr and "1  place 1" in done.stderr


def test_a_position_comes_from_a_file_standard_input_or_the_line_itself(tmp_path: Path) -> None:
    said = run("moves", BOARD).stdout
    for suffix in ("yaml", "json"):
        file = tmp_path / f"board.{suffix}"
        assert run("convert", BOARD, "-o", str(file)).exit_code == 0
        assert run("moves", str(file)).stdout == said
        assert run("moves", "-", typed=file.read_bytes()).stdout == said
        assert run("fmt", str(file), "--check").exit_code == 0
    assert run("moves", "-", typed=BOARD).stdout == said


def test_pictures_are_written_whole(tmp_path: Path) -> None:
    for name, begin in (("x.svg", b"<svg"), ("x.png", b"\x89PNG")):
        file = tmp_path / name
        assert run("render", BOARD, "-o", str(file)).exit_code == 0
        assert file.read_bytes().startswith(begin)
    assert run("render", BOARD).stdout.startswith("<svg")
    assert run("render", BOARD, "-o", str(tmp_path / "no" / "x.svg")).exit_code == 2
    other = run("render", BOARD, "-o", str(tmp_path / "x.pgn"))
    assert other.exit_code == 2 and "a picture is .svg or .png, not .pgn" in other.stderr and not (tmp_path / "x.pgn").exists()


def test_a_deal_is_told_in_a_few_lines_with_every_draw_in_json() -> None:
    for lang in ("en", "ja"):
        said = run("deal", lang=lang).stdout
        assert len(said.splitlines()) == 4 and "monjudge show" in said
    assert len(answer("deal")["results"][0]["done"]) > 20


def test_ascii_is_ascii() -> None:
    assert run("show", BOARD, "--ascii").stdout.isascii()
    assert run("why", BOARD, "place 0", "--ascii").stdout.isascii()


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_in_both_languages(name: str, lang: str) -> None:
    done = run(name, "--help", lang=lang)
    assert done.exit_code == 0
    japanese = any("぀" <= sign <= "ヿ" for sign in done.output)
    assert japanese == (lang == "ja")


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_list_of_commands_says_what_each_does(lang: str) -> None:
    done = run("--help", lang=lang).output
    assert all(name in done for name in COMMANDS)
    assert ("局面を端末に描く。" in done) == (lang == "ja")
    assert ("130 中断" in done) == (lang == "ja") == ("バージョンを表示" in done)
    assert run("--lang", lang, "--help", lang="en").output == done


def test_without_rich_click_help_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "rich_click", None)
    done = run("why", "--help", lang="ja")
    assert done.exit_code == 0 and "使い方" in done.output and "最小の理由" in done.output
    assert "合法手を並べる。" in run("--help", lang="ja").output


def test_the_canonical_form_keeps_the_line_for_editors_and_loses_no_comment_unasked(tmp_path: Path) -> None:
    file = tmp_path / "board.yaml"
    head, body = "# yaml-language-server: $schema=../state.json\n", "turn: 1\ngame: tic-tac-toe\n"
    file.write_text(head + body, "utf-8")
    assert run("fmt", str(file), "--check").exit_code == 1
    assert run("fmt", str(file), "--write").exit_code == 0
    assert file.read_text("utf-8") == head + "game: tic-tac-toe\nturn: 1\n"
    file.write_text(body + "# the second player begins\n", "utf-8")
    for lang, said in (("en", "has comments"), ("ja", "コメントが失われる")):
        done = run("fmt", str(file), "--write", lang=lang)
        assert done.exit_code == 1 and said in done.stderr and "second player" in file.read_text("utf-8")
    assert run("fmt", str(file), "--write", "--drop-comments").exit_code == 0
    assert file.read_text("utf-8") == "game: tic-tac-toe\nturn: 1\n"
