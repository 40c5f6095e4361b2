"""The rule language itself: import, build, and checks of one guard (``summon.W`` of card_battle.py)."""

from __future__ import annotations

import gc
import itertools
import random
import statistics
import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from typing import Any

from card_battle import DECKED, GUARD, card_battle

from monjudge.model.language import ME, RuleSet, State
from monjudge.solvers.engines.reference import Reference

IMPORT = """
import time
wall, cpu = time.perf_counter(), time.process_time()
import monjudge.model.language
print(time.perf_counter() - wall, time.process_time() - cpu)
"""


def rows(quick: bool) -> list[dict[str, Any]]:
    """The best of several runs, in time of the processor, which other work on the machine disturbs least."""
    rules = card_battle()
    return [*imports(5 if quick else 25), build(3 if quick else 15), *guard(rules, 0.2 if quick else 1.0, 4 if quick else 16)]


def row(name: str, ours: float | None, unit: str, goal: str | None, note: str = "") -> dict[str, Any]:
    return {"name": name, "ours": ours, "peer": None, "ratio": None, "goal": goal, "unit": unit, "note": note}


def imports(runs: int) -> list[dict[str, Any]]:
    def once() -> tuple[float, float]:
        done = subprocess.run([sys.executable, "-I", "-c", IMPORT], capture_output=True, text=True, check=True)
        wall, processor = map(float, done.stdout.split())
        return 1000 * wall, 1000 * processor

    once()  # compiles the modules
    walls, processors = zip(*(once() for _ in range(runs)), strict=True)
    fresh = f"{runs} fresh interpreters"
    return [
        row("import of the core, best", min(processors), "ms", "< 50", fresh),
        row("import of the core, median", statistics.median(processors), "ms", None, fresh),
        row("import of the core, best by the clock", min(walls), "ms", None, fresh),
    ]


def build(runs: int) -> dict[str, Any]:
    def once() -> float:
        gc.collect()  # with the last rule set gone, its expressions are built anew
        begin = time.process_time()
        card_battle()
        return time.process_time() - begin

    clauses = sum(len(action.clauses) for action in card_battle().actions)
    return row(f"build and check of {clauses} clauses", min(once() for _ in range(runs)), "s", "< 0.05", "card_battle.py")


def guard(rules: RuleSet, seconds: float, states: int) -> list[dict[str, Any]]:
    """Checks a second of one guard: every candidate move of a state, only the legal (the dearest) ones, and columns."""
    action = rules.by_name[GUARD]
    state = rules.state(DECKED)
    check = Reference(rules).guard(GUARD)
    candidates = list(itertools.product(*(p.values for p in action.params)))
    legal = [move for move in candidates if check(state, 0, *move)]
    what = f"{len(action.clauses)} clauses, {GUARD} of card_battle.py"
    one_by_one = rate(lambda: _each(check, state, candidates), len(candidates), seconds)
    only_legal = rate(lambda: _each(check, state, legal), len(legal), seconds)
    return [
        row(f"reference guard, all {len(candidates):,} moves", one_by_one, "checks/s", ">= 1e6", what),
        row(f"reference guard, the {len(legal)} legal moves", only_legal, "checks/s", None, what),
        columns(rules, check, [(s, move) for s in _states(rules, state, states) for move in candidates], seconds, what),
    ]


def columns(
    rules: RuleSet, check: Callable[..., bool], checks: list[tuple[State, tuple[int, ...]]], seconds: float, what: str
) -> dict[str, Any]:
    """The native batch form over all moves of several states; each answer is that of the reference."""
    name = f"native batch guard, {len(checks):,} moves"
    try:
        from monjudge.solvers.engines.native.columns import Batch
    except ImportError as error:
        return row(name, None, "checks/s", ">= 1e8", str(error))
    batch = Batch(rules, GUARD)
    given = {}
    for column, bits in batch.bits.items():
        given[column] = array({8: "b", 16: "h", 32: "i"}[bits], _column(rules, column, checks))
    count = len(checks)
    if list(batch(given, count)) != [check(state, 0, *move) for state, move in checks]:
        raise AssertionError("the native batch form and the reference disagree")
    return row(name, rate(lambda: batch(given, count), count, seconds), "checks/s", ">= 1e8", what)


def _column(rules: RuleSet, name: str, checks: list[tuple[State, tuple[int, ...]]]) -> list[int]:
    family = rules.family_named.get(name)
    if family is not None:
        at = rules.offset[name]
        return [state[cell] for cell in range(at, at + family.size) for state, _ in checks]
    if name == ME:
        return [0] * len(checks)
    place = [p.name for p in rules.by_name[GUARD].params].index(name)
    return [move[place] for _, move in checks]


def _states(rules: RuleSet, first: State, count: int) -> list[State]:
    """The first state, and others drawn cell by cell."""
    rng = random.Random(0)
    return [first, *(tuple(rng.randint(lo, hi) for lo, hi in rules.bounds) for _ in range(count - 1))]


def _each(check: Callable[..., bool], state: State, moves: list[tuple[int, ...]]) -> None:
    for move in moves:
        check(state, 0, *move)


def rate(work: Callable[[], object], checks: int, seconds: float) -> float:
    """Checks a second, the best of five parts of the time; one call of ``work`` does so many checks."""
    best = 0.0
    for _ in range(5):
        done, begin = 0, time.process_time()
        while time.process_time() - begin < seconds / 5:
            work()
            done += checks
        best = max(best, done / (time.process_time() - begin))
    return best
