"""Dependencies run one way, the core needs the standard library only, and no solver knows a game."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAYER = {"model": 0, "solvers": 1, "verify": 2, "puzzles": 2, "reports": 3, "cli": 4}
MODULES = sorted(path.relative_to(ROOT) for folder in LAYER for path in (ROOT / folder).rglob("*.py"))

NEEDS_AN_EXTRA = re.compile(r"monjudge\.solvers\.engines\.(csp|smt|cpsat|native)\b")
"""The engines over a foreign solver; every other module of ``model`` and ``solvers`` is pure Python."""

GAMES = re.compile(r"monjan|rancher|モンじゃん|モンジャン|ファーム", re.IGNORECASE)
NEUTRAL = ("language", "norms", "notation", "properties", "readings", "report", "texts")
"""The parts of ``model`` that are not a game."""


def imported(source: str) -> Iterator[str]:
    """The names of all modules that a source imports anywhere, absolute."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def against_the_current(folder: str, source: str) -> set[str]:
    """What a module of a top-level folder imports although it may not."""
    parts = [name.split(".") for name in imported(source)]
    used = {p[1] for p in parts if p[0] == "monjudge" and len(p) > 1 and p[1] in LAYER}
    return {other for other in used if other != folder and LAYER[other] >= LAYER[folder]}


def games_known(source: str) -> set[str]:
    """The games that a source imports or names."""
    parts = [name.split(".") for name in imported(source)]
    used = {p[2] for p in parts if p[:2] == ["monjudge", "model"] and len(p) > 2}
    return {other for other in used if other not in NEUTRAL} | set(GAMES.findall(source))


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_dependencies_run_one_way(path: Path) -> None:
    assert against_the_current(path.parts[0], (ROOT / path).read_text("utf-8")) == set()


@pytest.mark.parametrize(
    ("folder", "line", "caught"),
    [
        ("model", "from monjudge.solvers.play import deal", {"solvers"}),
        ("model", "def f():\n    import monjudge.cli", {"cli"}),
        ("solvers", "from monjudge import verify", {"verify"}),
        ("verify", "import monjudge.puzzles.check", {"puzzles"}),
        ("puzzles", "from monjudge.solvers.play import deal", set()),
        ("cli", "from monjudge import model, reports", set()),
    ],
)
def test_an_import_against_the_current_is_caught(folder: str, line: str, caught: set[str]) -> None:
    assert against_the_current(folder, line) == caught


@pytest.mark.parametrize("path", [p for p in MODULES if p.parts[0] not in ("model", "cli")], ids=str)
def test_no_solver_check_puzzle_or_report_knows_a_game(path: Path) -> None:
    by_name = {"games"} if path.parts[0] == "puzzles" else set()  # a puzzle says of which game it is, and is read by that game's words
    assert games_known((ROOT / path).read_text("utf-8")) - by_name == set()


@pytest.mark.parametrize("path", [p for p in MODULES if p.parts[0] == "cli"], ids=str)
def test_no_command_names_a_game(path: Path) -> None:
    assert GAMES.findall((ROOT / path).read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("source", "caught"),
    [
        ("from monjudge.model.small import nim", {"small"}),
        ("TITLE = 'Monjan'", {"Monjan"}),
        ("from monjudge.model.language import Game", set()),
    ],
)
def test_a_solver_that_knows_a_game_is_caught(source: str, caught: set[str]) -> None:
    assert games_known(source) == caught


IMPORT_EACH = """
import importlib, json, sys
sys.path.insert(0, sys.argv[1])
failed = {}
for name in json.load(sys.stdin):
    try:
        importlib.import_module(name)
    except ImportError as error:
        failed[name] = str(error)
print(json.dumps(failed))
"""


def test_without_any_extra_the_core_imports_and_an_engine_says_which_extra_is_missing() -> None:
    names = [".".join(("monjudge", *p.with_suffix("").parts)).removesuffix(".__init__") for p in MODULES]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", IMPORT_EACH, str(ROOT / "src")],
        input=json.dumps(names), capture_output=True, text=True, check=True,
    )  # fmt: skip
    failed = json.loads(done.stdout)
    core = {n: why for n, why in failed.items() if n.startswith(("monjudge.model", "monjudge.solvers"))}
    assert {n for n in core if not NEEDS_AN_EXTRA.match(n)} == set()
    assert {n: why for n, why in failed.items() if not re.search(r'pip install "monjudge\[\w+\]"', why)} == {}
