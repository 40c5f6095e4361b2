"""What comes from outside: unusable input, other encodings, a closed pipe, an interruption, a fault of the program."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from monjudge.cli import moves as moves_module
from monjudge.cli.main import main
from monjudge.model.language import LimitReached
from monjudge.model.notation.defects import codes

BOARD = "tic-tac-toe1/cell=1,0,2,0,1,0,0,0,0/turn=1"
COMMAND = [sys.executable, "-m", "monjudge.cli"]


def run(*words: str, typed: bytes | None = None, **environment: str) -> Result:
    return CliRunner().invoke(main, list(words), input=typed, env={"LANG": "C", "LC_ALL": "", "MONJUDGE_LANG": "", **environment})


def start(*words: str, **environment: str) -> subprocess.Popen[bytes]:
    env = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "MONJUDGE_LANG", "PYTHONIO", "PYTHONUTF8"))}
    return subprocess.Popen([*COMMAND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**env, **environment})


@pytest.mark.parametrize(
    ("words", "en", "ja"),
    [
        (("sing",), "No such command 'sing'", "'sing' というコマンドはありません"),
        (("moves",), "Missing argument 'STATE'", "引数がありません"),
        (("moves", BOARD, "--engin", "x"), "No such option", "というオプションはありません"),
        (("moves", BOARD, "--engine", "x"), "'x' is not one of", "'x' は使えません"),
        (("moves", BOARD, "--player", "x"), "'x' is not a valid integer", "として読めません"),
        (("moves", BOARD, "more"), "unexpected extra argument", "余分な引数"),
        (("why", BOARD), "give either a MOVE or --card", "どちらか一つ"),
        (("why", BOARD, "place 1", "--nearest", "99"), "not in the range", "範囲"),
    ],
)
def test_a_usage_error_is_said_in_the_language_and_is_status_two(words: tuple[str, ...], en: str, ja: str) -> None:
    english, japanese = run(*words, LANG="en_GB.UTF-8"), run(*words, LANG="ja_JP.UTF-8")
    assert (english.exit_code, japanese.exit_code) == (2, 2)
    assert en in english.output and ja in japanese.output
    assert ja in run(*words, "--lang", "ja").output


@pytest.mark.parametrize(
    ("words", "en", "ja"),
    [
        (("moves", "no-such-file.yaml"), "neither a file nor a position", "ファイルはなく"),
        (("moves", "mc1/1=h=F3 F5"), "character 11: ' F5'", "11文字目：「 F5」"),
        (("moves", "."), "Is a directory", "読み書きできない"),
        (("moves", "example:nothing"), "no example is called 'nothing'", "という例はない"),
        (("moves", BOARD, "--game", "chess"), "no game is called 'chess'", "'chess'というゲームはない"),
        (("moves", "tic-tac-toe1/cell=9,0,0,0,0,0,0,0,0"), "9 is not one of 0..2", "9 は不可"),
        (("moves", BOARD, "--kind", "sing"), "no kind of moves 'sing'", "'sing'という種類の手はない"),
        (("moves", BOARD, "--player", "3"), "the players 1..2, not 3", "3はいない"),
        (("moves", BOARD, "--as", "0"), "the players 1..2, not 0", "0はいない"),
        (("moves", BOARD, "--reading", "A43"), "not like A43=ANY", "A43=ANY の形でない"),
        (("why", BOARD, "sing 3"), "'sing 3' is no move", "'sing 3'は手として読めない"),
        (("why", BOARD, "place 99"), "at is one of 0..8", "0..8"),
        (("why", BOARD, "--card", "ace"), "no card 'ace'", "'ace'はない"),
        (("explain", "MJ999"), "there is no 'MJ999'", "'MJ999'はない"),
        (("schema", "pack", "--game", "nim"), "nim has no pack", "nimに pack はない"),
    ],
)
def test_unusable_input_is_a_sentence_and_status_two(words: tuple[str, ...], en: str, ja: str) -> None:
    english, japanese = run(*words), run(*words, LANG="ja_JP.UTF-8")
    assert (english.exit_code, japanese.exit_code) == (2, 2)
    assert en in english.stderr and ja in japanese.stderr
    assert english.stdout == japanese.stdout == ""


HOSTILE = [
    b"", b"\x00", b"\xff\xfe\x00", b"{", b"[" * 5000, b'{"game": "nim", "game": "pig"}', b"null", b"[]", b"42", b'"x"', b"game: [", b"&a [*a]",
    b"a: &a [x]\nb: &b [*a,*a]\nc: [*b,*b]", b"!!python/object:os.system x", b"- " * 3000, "游戲：三目".encode("utf-16"), b"\xed\xa0\x80",
    b"tic-tac-toe1/" + b"cell=" * 3000, b"tic-tac-toe1/cell=" + b"9" * 10_000, b"nim1/heap=1e9", b'{"game": {"a": 1}}', b"x" * 1_100_000,
    b'{"game": "nim", "moves": {"a": 1}}', b'{"moves": [1, null]}', b'{"game": "tic-tac-toe", "turn": 1e400}',
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(HOSTILE)))
@pytest.mark.parametrize("command", ["moves", "check", "validate", "fmt", "show"])
def test_hostile_input_never_ends_in_a_fault(number: int, command: str) -> None:
    done = run(command, "-", typed=HOSTILE[number])
    assert done.exit_code in (0, 1, 2), done.output
    assert "Traceback" not in done.output and "internal error" not in done.output


@pytest.mark.parametrize("text", ["\x00", "é" * 500, "--", "0" * 5000, "place \ud800", "place １", "1:" * 50, "𝟙"])
def test_a_hostile_move_never_ends_in_a_fault(text: str) -> None:
    for words in (("why", BOARD, "--", text), ("check", BOARD, "--", text), ("why", BOARD, f"--card={text}"), ("explain", "--", text)):
        assert run(*words).exit_code in (0, 1, 2)


def test_a_defect_names_its_place_and_its_code(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    file.write_text('{\n "game": "tic-tac-toe",\n "turn": 7, "row": 1\n}\n', "utf-8")
    done = run("validate", str(file), "--format", "concise")
    assert done.exit_code == 2
    assert [line.removeprefix(f"{file}:").split(" ")[0] for line in done.stdout.splitlines()] == ["3:10:", "3:13:"]
    shown = run("validate", str(file)).stdout.splitlines()
    assert shown[1:3] == ['  3 |  "turn": 7, "row": 1', "    |          ^"]


def test_colours_are_for_a_terminal_only() -> None:
    assert "\x1b" not in run("why", BOARD, "place 0").stdout
    assert "\x1b" in run("why", BOARD, "place 0", FORCE_COLOR="1").stdout
    assert "\x1b" not in run("why", BOARD, "place 0", FORCE_COLOR="1", NO_COLOR="1").stdout


STEERING = ["\x1b]0;title\x07", "\x1b[8m", "\x9b2J", "\x08", "\r", "\x7f", "\u202e", "\u200f", "\u2066", "\u2028"]
"""What would make a terminal do something else than show a sign."""


@pytest.mark.parametrize("sign", STEERING)
@pytest.mark.parametrize("colour", ["", "1"])
def test_a_name_from_outside_never_steers_the_terminal(sign: str, colour: str, tmp_path: Path) -> None:
    file = tmp_path / f"a{sign}b.json"
    file.write_text('{"game": "tic-tac-toe", "turn": 7}', "utf-8")
    case = tmp_path / "cases.jsonl"
    case.write_text(json.dumps({"id": sign, "state": {}, "query": {"op": "speed"}, "expect": {"speed": 0}}) + "\n", "utf-8")
    for words in (("validate", str(file)), ("validate", str(file), "--format", "json"), ("moves", f"x{sign}"), ("explain", sign), ("cases", str(case)),
                  ("moves", BOARD, "--reading", f"{sign}=ANY"), ("deal", "--mode", sign), (f"--{sign}",)):  # fmt: skip
        done = run(*words, FORCE_COLOR=colour)
        shown = re.sub(r"\x1b\[[0-9;]*m", "", done.output) if colour else done.output
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]", shown), (words, shown)
    assert json.loads(run("validate", str(file), "--format", "json").stdout)["inputs"] == [{"kind": "file", "file": str(file)}]


def test_a_control_character_that_is_written_with_an_escape_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "boards.json"
    for sign in (r"\u001b[2J", r"\u202e", r"\u009b"):
        board = '{"id": "A", "name": {"en": "' + sign + '", "ja": "y"}, "cap": [5, 5, 5], "priority": 1}'
        file.write_text('{"format": "monjudge-boards/1", "boards": [' + board + "]}", "utf-8")
        done = run("validate", str(file), "--format", "concise")
        assert done.exit_code == 2 and "MJ109[control-character]" in done.stdout


def test_what_is_no_file_is_written_to_and_never_exchanged(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    assert run("moves", BOARD, "-o", str(pipe)).exit_code == 0
    assert b"Legal moves" in reader.communicate(timeout=30)[0] and pipe.is_fifo()


def test_a_link_stays_a_link_and_a_file_keeps_its_rights(tmp_path: Path) -> None:
    kept, link = tmp_path / "kept.svg", tmp_path / "link.svg"
    kept.write_text("old", "utf-8")
    kept.chmod(0o600)
    link.symlink_to(kept)
    assert run("render", BOARD, "-o", str(link)).exit_code == 0
    assert link.is_symlink() and kept.read_text("utf-8").startswith("<svg") and kept.stat().st_mode & 0o777 == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {"kept.svg", "link.svg"}


@pytest.mark.parametrize("words", [("moves", BOARD, "-o"), ("render", BOARD, "-o"), ("convert", BOARD, "-o"), ("play", BOARD, "place 1", "--log"),
                                   ("solve", "nim1/heap=1,2,3", "--proof")])  # fmt: skip
def test_a_file_that_cannot_be_written_is_named(words: tuple[str, ...], tmp_path: Path) -> None:
    for name in (tmp_path, tmp_path / "no" / "file", tmp_path / ("a" * 300)):
        done = run(*words, str(name))
        assert done.exit_code == 2 and str(name) in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [("moves",), ("validate",), ("why", BOARD, "place 1", "--readings"), ("cases",), ("certify",), ("play", BOARD, "--script")])
def test_an_endless_file_is_not_read_to_its_end(words: tuple[str, ...]) -> None:
    assert run(*words, "/dev/zero").exit_code in (1, 2)


def test_an_endless_standard_input_is_not_read_to_its_end() -> None:
    with open("/dev/zero", "rb") as endless:
        process = subprocess.run([*COMMAND, "validate", "-"], stdin=endless, capture_output=True, timeout=60, check=False)
    assert process.returncode == 2 and b"too-large" in process.stdout


def test_a_limit_is_unknown_and_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def reach(*anything: object, **more: object) -> None:
        raise LimitReached("the stack is full")

    monkeypatch.setattr("monjudge.judge.Position.moves", reach)
    for lang, said in (("en", "unknown (limit)"), ("ja", "不明（上限）")):
        done = run("moves", BOARD, "--lang", lang)
        assert done.exit_code == 4 and said in done.stderr


def test_a_fault_of_the_program_leaves_a_bundle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*anything: object, **more: object) -> None:
        raise ZeroDivisionError("one by nothing")

    monkeypatch.setattr("monjudge.judge.Position.moves", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    done = run("moves", BOARD, "--lang", "ja")
    assert done.exit_code == 3 and "Traceback" not in done.output and "内部エラー" in done.stderr
    [bundle] = tmp_path.glob("monjudge-report-*.json")
    assert str(bundle) in done.stderr
    found = json.loads(bundle.read_text("utf-8"))
    assert found["command"] == ["moves", BOARD, "--lang", "ja"] and "ZeroDivisionError" in "".join(found["traceback"])


def test_the_module_of_a_command_is_imported_when_it_is_asked_for() -> None:
    code = "import sys, monjudge.cli.main as m; m.main(['moves', sys.argv[1]], standalone_mode=False)"
    listed = "; print([n for n in sys.modules if n.startswith(('rich', 'ruamel', 'jinja2', 'z3', 'monjudge.cli.playing'))], file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", f"import atexit, sys{listed.replace('; print', '; atexit.register(lambda: print', 1)}); {code}", BOARD],
                          capture_output=True, text=True)  # fmt: skip
    assert done.stderr.strip() == "[]"
    assert moves_module.__doc__


@pytest.mark.parametrize(
    ("typed", "at", "found"),
    [("monjudge wh", "1", "plain,why"), ("monjudge moves --engine nat", "3", "plain,native"), ("monjudge show --as", "2", "plain,--as\nplain,--ascii")],
)
def test_a_shell_completes_commands_options_and_values(typed: str, at: str, found: str) -> None:
    done = run(_MONJUDGE_COMPLETE="bash_complete", COMP_WORDS=typed, COMP_CWORD=at)
    assert done.stdout.strip() == found


def test_zsh_shows_what_a_command_does_in_the_language() -> None:
    for lang, said in (("en", "Why is a move legal or not?"), ("ja", "なぜできるか")):
        assert said in run(_MONJUDGE_COMPLETE="zsh_complete", COMP_WORDS="monjudge wh", COMP_CWORD="1", MONJUDGE_LANG=lang).stdout


def test_japanese_goes_through_any_code_page_and_pipe() -> None:
    for coding in ("cp932", "cp1252", "ascii", "latin-1"):
        process = start("why", BOARD, "place 0", LANG="ja_JP.UTF-8", PYTHONIOENCODING=coding)
        out, err = process.communicate()
        assert process.returncode == 1 and err == b""
        assert "印は空いたマスに置く。" in out.decode("utf-8")


def test_a_pipe_that_nobody_reads_is_left_in_silence() -> None:
    process = start("rules")
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141


def test_an_interrupted_run_says_so_and_is_status_130(tmp_path: Path) -> None:
    case = '{"id": "%s", "state": {"A": {"mana": {"L": ["f7"]}}}, "query": {"op": "speed"}, "expect": {"speed": 7}}'
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(case % n for n in range(20_000)), "utf-8")
    process = start("cases", str(file))
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline() == b"pass 0\n"
    process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    process.stdout.read()
    assert process.wait() == 130
    assert process.stderr.read().decode().split() == ["interrupted"]


@pytest.mark.parametrize("module", ["click", "monjudge.cli.main", "monjudge.judge", "monjudge.model.monjan.rules"])
def test_an_interruption_while_the_program_is_loaded_is_no_traceback(module: str) -> None:
    code = textwrap.dedent("""
        import sys
        from monjudge.cli.__main__ import run

        class Interrupting:
            def find_spec(self, name, *rest):
                if name == module:
                    raise KeyboardInterrupt

        module = sys.argv[1]
        sys.meta_path.insert(0, Interrupting())
        sys.argv[1:] = ["moves", "mc1/1=h=F3"]
        run()
    """)
    done = subprocess.run([sys.executable, "-c", code, module], capture_output=True, text=True, check=False)
    assert done.returncode in (130, -signal.SIGINT) and "Traceback" not in done.stderr


def test_without_click_the_extra_is_named_and_nothing_else() -> None:
    code = "import sys; sys.modules['click'] = None; from monjudge.cli.__main__ import run; run()"
    done = subprocess.run([sys.executable, "-c", code, "rules"], capture_output=True, check=False)
    said = done.stderr.decode("utf-8", "backslashreplace")
    assert done.returncode == 2 and 'pip install "monjudge[cli]"' in said and "Traceback" not in said


def test_every_code_that_a_command_gives_is_explained() -> None:
    root = Path(__file__).resolve().parents[2]
    sources = [path.read_text("utf-8") for folder in ("cli", "reports") for path in (root / folder).rglob("*.py")]
    given = {code for source in sources for code in re.findall(r'"([a-z]+(?:-[a-z]+)+)"\)\]\)', source)}
    assert "no-such-file" in given and given <= set(codes())
