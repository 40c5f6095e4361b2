"""Positions a second: the native engine beside OpenSpiel's C++ and beside C written by hand (``peers/``).

A node is the start and every position reached by an applied move, interior and leaves, one
thread, each made for itself. Ours and C look whether the game has ended in every one of
them; so does OpenSpiel, called as ``pyspiel.expected_returns`` with the uniform policy.
Times are of the processor, alternating in rounds; a ratio is that of the medians.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from card_battle import card_battle

from monjudge.model.language import RuleSet
from monjudge.model.small.breakthrough import breakthrough
from monjudge.model.small.connect_four import connect_four
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines.native import Native
from monjudge.solvers.engines.native.llvm import Code
from monjudge.solvers.engines.native.program import program

PEERS = Path(__file__).parent / "peers"

OPENSPIEL_SOLVES_IN = 0.90
"""Milliseconds of OpenSpiel's C++ alpha-beta for tic-tac-toe; it cannot be called from Python, so this is no row's peer."""


@dataclass(frozen=True)
class Game:
    name: str
    rules: RuleSet
    depth: int
    nodes: int
    openspiel: str
    goal: str
    peer: str


GAMES = (
    Game("connect four, depth 8", connect_four(), 8, 6_634_027, "connect_four", ">= 40 x", "connect_four"),
    Game("tic-tac-toe, whole", tic_tac_toe(), 9, 549_946, "tic_tac_toe", ">= 10 x", "tic_tac_toe"),
    Game("breakthrough 5 x 4, depth 7", breakthrough(5, 4, 1), 7, 4_044_105, "breakthrough(rows=5,columns=4)", ">= 10 x", "breakthrough"),
)  # fmt: skip


def rows(quick: bool) -> list[dict[str, Any]]:
    """Nodes a second of three games, the time to solve one, and the time to compile a large rule set."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for game in GAMES:
            found += _game(game, 3 if quick else 7, Path(folder))
    return [*found, _solve(100 if quick else 1000), *_compile()]


def row(name: str, ours: float, peer: float | None, goal: str | None, unit: str, note: str = "") -> dict[str, Any]:
    ratio = ours / peer if peer else None
    return {"name": name, "ours": ours, "peer": peer, "ratio": ratio, "goal": goal, "unit": unit, "note": note}


def _game(game: Game, rounds: int, folder: Path) -> list[dict[str, Any]]:
    engine = Native(game.rules)
    engine.perft(game.rules.start, 0)  # compiles
    openspiel, why_no_openspiel = _openspiel(game)
    by_hand, why_no_c = _c(game, folder)
    runs: dict[str, list[float]] = {"ours": [], "openspiel": [], "c": []}
    for _ in range(rounds):
        runs["ours"].append(_seconds(lambda: engine.perft(game.rules.start, game.depth), game.nodes))
        if openspiel:
            runs["openspiel"].append(openspiel())
        if by_hand:
            runs["c"].append(by_hand())
    ours, theirs, c = (game.nodes / statistics.median(times) if times else None for times in runs.values())
    assert ours is not None
    return [
        row(f"perft {game.name} / OpenSpiel", ours, theirs, game.goal, "nodes/s", why_no_openspiel),
        row(f"perft {game.name} / C, cc -O2", ours, c, ">= 0.7 x", "nodes/s", why_no_c),
    ]


def _seconds(work: Callable[[], int], result: int) -> float:
    """The time of the processor for one call, several where it is short. Raises AssertionError for a wrong result."""
    calls, begin = 0, time.process_time()
    while time.process_time() - begin < 0.05:
        assert work() == result
        calls += 1
    return (time.process_time() - begin) / calls


def _openspiel(game: Game) -> tuple[Callable[[], float] | None, str]:
    try:
        import pyspiel
    except ImportError:
        return None, 'needs OpenSpiel: pip install "monjudge[bench]"'
    state, policy = pyspiel.load_game(game.openspiel).new_initial_state(), pyspiel.UniformPolicy()

    def once() -> float:
        begin = time.process_time()
        pyspiel.expected_returns(state, policy, game.depth, False)
        return time.process_time() - begin

    return once, ""


def _c(game: Game, folder: Path) -> tuple[Callable[[], float] | None, str]:
    compiler = shutil.which("cc")
    if compiler is None:
        return None, "needs a C compiler (cc)"
    program = folder / game.peer
    subprocess.run([compiler, "-O2", "-o", program, PEERS / f"{game.peer}.c"], check=True)

    def once() -> float:
        done = subprocess.run([program, str(game.depth), "3"], check=True, capture_output=True, text=True)
        nodes, _, seconds = done.stdout.split()
        assert int(nodes) == game.nodes
        return float(seconds)

    return once, ""


def _solve(runs: int) -> dict[str, Any]:
    engine = Native(tic_tac_toe())
    start = engine.rules.start
    assert engine.solve(start) == 0
    best = min(_one(lambda: [engine.solve(start) for _ in range(10)]) for _ in range(runs)) / 10
    goal = f"< {OPENSPIEL_SOLVES_IN / 5:.2f}"
    return row("full solve of tic-tac-toe", 1000 * best, None, goal, "ms", "a fifth of OpenSpiel's C++ alpha-beta")


def _one(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def _compile() -> list[dict[str, Any]]:
    """Of the large rule set: the text, the text made machine code, and both when the code is on the disk."""
    rules = card_battle()
    engine = Native(rules)
    texts = [_one(lambda: program(rules, engine.layout)) for _ in range(5)]
    text = program(rules, engine.layout)
    fresh = f"{text}; measured at {time.time_ns()}\n"  # a comment, so that no cache knows it
    first, again = (_one(lambda: Code(fresh)) for _ in range(2))
    what = f"{len(rules.actions)} actions, {text.count(chr(10)):,} lines of LLVM"
    return [
        row("compile card_battle.py: text", 1000 * min(texts), None, None, "ms", what),
        row("compile card_battle.py: machine code", 1000 * first, None, "< 2000", "ms", "nearly all LLVM at level 1"),
        row("compile card_battle.py: machine code from disk", 1000 * again, None, None, "ms"),
    ]
