"""The rule language itself: import, build, and checks of one guard (``summon.W`` of card_battle.py)."""

from __future__ import annotations

import gc
import itertools
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from card_battle import DECKED, GUARD, card_battle

from monjudge.model.language import RuleSet
from monjudge.solvers.engines.reference import Reference

IMPORT = "import time; t = time.perf_counter(); import monjudge.model.language; print(time.perf_counter() - t)"

Moves = Sequence[tuple[int, ...]]


def rows(quick: bool) -> list[dict[str, Any]]:
    """Seconds and milliseconds are the best of several runs in one process or of several processes."""
    rules = card_battle()
    return [*imports(5 if quick else 25), build(3 if quick else 15), *guard(rules, 0.2 if quick else 1.0)]


def row(name: str, ours: float, unit: str, goal: str | None, note: str = "") -> dict[str, Any]:
    return {"name": name, "ours": ours, "peer": None, "ratio": None, "goal": goal, "unit": unit, "note": note}


def imports(runs: int) -> list[dict[str, Any]]:
    def once() -> float:
        done = subprocess.run([sys.executable, "-I", "-c", IMPORT], capture_output=True, text=True, check=True)
        return 1000 * float(done.stdout)

    once()  # compiles the modules
    times = [once() for _ in range(runs)]
    fresh = f"{runs} fresh interpreters"
    return [
        row("import of the core, best", min(times), "ms", "< 50", fresh),
        row("import of the core, median", statistics.median(times), "ms", None, fresh),
    ]


def build(runs: int) -> dict[str, Any]:
    def once() -> float:
        gc.collect()  # with the last rule set gone, its expressions are built anew
        begin = time.perf_counter()
        card_battle()
        return time.perf_counter() - begin

    clauses = sum(len(action.clauses) for action in card_battle().actions)
    return row(f"build and check of {clauses} clauses", min(once() for _ in range(runs)), "s", "< 0.05", "card_battle.py")


def guard(rules: RuleSet, seconds: float) -> list[dict[str, Any]]:
    """Checks a second of one guard: every candidate move of a state, and (the dearest) only the legal ones."""
    reference = Reference(rules)
    action = rules.by_name[GUARD]
    state = rules.state(DECKED)
    check = reference.guard(GUARD)
    candidates = list(itertools.product(*(p.values for p in action.params)))
    legal = [move for move in candidates if check(state, 0, *move)]
    what = f"{len(action.clauses)} clauses, {GUARD} of card_battle.py"
    return [
        row(
            f"reference guard, all {len(candidates):,} moves", rate(check, state, candidates, seconds),
            "checks/s", ">= 1e6", what,
        ),
        row(f"reference guard, the {len(legal)} legal moves", rate(check, state, legal, seconds), "checks/s", None, what),
    ]  # fmt: skip


def rate(check: Callable[..., bool], state: tuple[int, ...], moves: Moves, seconds: float) -> float:
    """Checks a second, the best of five parts of the time."""
    best = 0.0
    for _ in range(5):
        done, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < seconds / 5:
            for move in moves:
                check(state, 0, *move)
            done += len(moves)
        best = max(best, done / (time.perf_counter() - begin))
    return best
