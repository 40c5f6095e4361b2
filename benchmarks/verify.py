"""The prover: every shipped property with its evidence, the slowest ten, and bit-vectors beside integers on bounded checks.

Times are of the processor, of one process. A bounded check asks for a line of so many plies that there is not: z3 has to
go through all of them, so many that integers take about a second, where that can be: less tells how long it takes to begin. Of the
large game, all actions and all fields are looked at first, then slices: the fields that a question turns out to need. There it takes
as long to write the plies down, whatever the numbers; where a slice is small nearly all of the time goes into that, and into making lines again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from monjudge.model.games import WITH_SCENES
from monjudge.model.language import Expr, RuleSet, State, parse_expr
from monjudge.model.properties import Scene, Setting
from monjudge.model.small.connect_four import connect_four
from monjudge.model.small.duel import duel
from monjudge.model.small.nim import nim
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines.native import Dense, Native
from monjudge.solvers.engines.smt.plies import Plies
from monjudge.solvers.verdict import Verdict
from monjudge.verify.bounded import reference
from monjudge.verify.prove import Limits
from monjudge.verify.queries import Clock
from monjudge.verify.question import read_properties
from monjudge.verify.running import Run
from monjudge.verify.slices import sought

LIMIT = 120.0
"""Seconds for one check; one that takes longer counts with these."""

Row = dict[str, Any]


def row(name: str, ours: float, goal: str | None, peer: float | None = None, note: str = "", unit: str = "s") -> Row:
    return {"name": name, "ours": ours, "peer": peer, "ratio": peer / ours if peer else None, "goal": goal, "unit": unit, "note": note}


def rows(quick: bool) -> list[Row]:
    """All properties under the default readings (a tenth of them when ``quick``), then bounded checks."""
    found = []
    for boards in ("printed",) if quick else ("printed", "all"):
        found += _properties(boards, 10 if quick else 1)
    return [*found, *_bounded_checks(quick), _exhausted(quick)]


def _properties(boards: str, every: int) -> list[Row]:
    setting = Setting(WITH_SCENES[0], boards)
    asked = read_properties(setting.properties)[::every]
    times, undecided = dict[str, float](), list[str]()
    for answered in Run(asked, setting, Limits(), flips=False):
        times[answered.found.prop.id] = answered.found.seconds
        if answered.found.verdict is Verdict.UNKNOWN:
            undecided.append(answered.found.prop.id)
    slowest = sorted(times, key=times.__getitem__, reverse=True)[:10]
    note = f"undecided: {', '.join(undecided)}" if undecided else ""
    whole = row(f"{len(times)} properties, {boards} boards, on two processors", sum(times.values()) / 2, "< 180", note=note)
    return [whole, *(row(f"  {id}, {boards} boards", times[id], "< 20") for id in slowest)]


def _exhausted(quick: bool) -> Row:
    """A cone of some 10^7 states that are numbered, each looked at; beside it the walk that writes them down and hashes them."""
    rules = duel(30, 200) if quick else duel(100, 160)
    formula = parse_expr("life[0] + life[1] <= 2 * 200", Scene(rules, rules.start).scope())
    swept, hashed = Dense(rules, formula), Native(rules, memory=1 << 31)
    states, ours = _timed(lambda: swept.sweep(rules.start).states)
    again, peer = _timed(lambda: hashed.reachable(rules.start, 2 * states))
    assert states == again, f"{states} states are swept, {again} hashed"
    return row(f"dice duel: {states:,} states exhausted, swept and hashed", ours, "< 1", peer)


def _timed(work: Callable[[], int]) -> tuple[int, float]:
    """The result of the second run (the first compiles) and its seconds."""
    work()
    began = time.process_time()
    return work(), time.process_time() - began


def _bounded_checks(quick: bool) -> list[Row]:
    """Games of all sorts, whichever of the two wins: where the question is about sums over the board, the numbers matter."""
    four, heaps = connect_four(4, 4, 3), nim((5, 7, 9))
    marks = "(count s in 0..8: cell[s] == {0})"
    discs = " + ".join(f"(count c in 0..3: cell[c, {row}] == {{0}})" for row in range(4))
    ahead = "{0} == 2 + {1}"
    asked: list[tuple[str, RuleSet, State, str, int]] = [
        ("tic-tac-toe: two marks ahead", tic_tac_toe(), tic_tac_toe().start, ahead.format(marks.format(1), marks.format(2)), 5 if quick else 7),
        ("connect four, 4 x 4: two discs ahead", four, four.start, ahead.format(discs.format(1), discs.format(2)), 4 if quick else 6),
        ("nim, heaps of 5, 7, 9: one move and nothing taken", heaps, heaps.start, "turn == 1 and (sum h in 0..2: heap[h]) == 21", 8 if quick else 21),
        ("dice duel: one life left after losing few", duel(), duel().start, "life[0] == 33 and life[1] == 1", 8 if quick else 16),
    ]  # fmt: skip
    small = [_bounded(name, Scene(rules, start), text, plies) for name, rules, start, text, plies in asked]
    return [*small, *(_large(*asked, quick) for asked in LARGE)]


LARGE: list[tuple[str, str, int, Collection[str] | None]] = [
    ("battle-0", "turn >= 4 and extra[1] == 0", 5, None),
    ("edit-mana", "turn >= 4 and extra[1] == 0", 2, None),
    ("start", "turn >= 1 and hand[0, 41] > hand[0, 42] + 5", 5, None),
    ("edit-mana", "any p in player: did_total[p] > 3", 3, ()),
    ("battle-0", "any p in player: did_total[p] > 3", 4, ()),
    ("battle-0", "any p in player: any c in column: table is_NUMBER[attack[p, c]] and table card_value[attack[p, c]] > cap[p, c]", 4, ()),
    ("edit-mana", "any p in player: (count k in 0..7: skill_used[p, 1, k]) > 1", 20, ()),
    ("battle-0", "any p in player: extra[p] != 0 and not table is_EXTRA[extra[p]]", 20, ()),
]
"""Questions about the large game: where they begin, what is never so, how deep, and the fields to begin with (None: all)."""

PASSES = 2
"""After each move of the large game: its triggers rest after the first, but where a battle passes through windows."""


def _large(name: str, text: str, plies: int, kept: Collection[str] | None, quick: bool) -> Row:
    scene = Setting(WITH_SCENES[0], "printed").scene
    begin = replace(scene, start={"start": scene.start, **scene.made}[name])
    what = "all fields" if kept is None else "a slice"
    return _bounded(f"large game from {name}: {text}, {what}", begin, text, min(plies, 2) if quick else plies, kept, PASSES)


def _bounded(name: str, scene: Scene, text: str, plies: int, kept: Collection[str] | None = None, passes: int | None = None) -> Row:
    formula = parse_expr(text, scene.scope())
    bits, integers = (_seconds(scene, formula, plies, kept, passes, numbers) for numbers in ("bv", "int"))
    return row(f"{name}, up to ply {plies}: bit-vectors, integers", bits, ">= 5 x", integers, _written(scene, plies, passes) if kept is None else "")


def _written(scene: Scene, plies: int, passes: int | None) -> str:
    """How much of the time goes into writing the plies down."""
    began, made = time.process_time(), Plies(scene.rules, reference(scene.rules).settle(scene.start), passes=passes or scene.rules.passes)
    for _ in range(plies):
        made.ply()
    return f"{time.process_time() - began:.2f} s to write the plies down"


def _seconds(scene: Scene, formula: Expr, plies: int, kept: Collection[str] | None, passes: int | None, numbers: str) -> float:
    began = time.process_time()
    found = sought(scene, formula, plies, Clock(LIMIT), passes=passes, kept=kept, numbers=numbers)
    assert found.line is None, "there is such a line"
    return time.process_time() - began if found.plies == plies else LIMIT
