"""The prover: every shipped property with its evidence, the slowest ten, and bit-vectors beside integers on bounded checks.

Times are of the processor, of one process. A bounded check asks for a line of so many plies that there is not: z3 has to
go through all of them.
"""

from __future__ import annotations

import time
from typing import Any

from monjudge.model.games import WITH_SCENES
from monjudge.model.language import Expr, RuleSet, parse_expr
from monjudge.model.properties import Scene, Setting
from monjudge.model.small.duel import duel
from monjudge.solvers.engines.smt import Symbolic
from monjudge.solvers.engines.smt.terms import z3
from monjudge.solvers.verdict import Verdict
from monjudge.verify.bounded import _ply
from monjudge.verify.prove import Limits
from monjudge.verify.question import read_properties
from monjudge.verify.running import Run

LIMIT = 120.0
"""Seconds for one check over integers; what takes longer is counted as that long."""

Row = dict[str, Any]


def row(name: str, ours: float, goal: str | None, peer: float | None = None, note: str = "", unit: str = "s") -> Row:
    return {"name": name, "ours": ours, "peer": peer, "ratio": peer / ours if peer else None, "goal": goal, "unit": unit, "note": note}


def rows(quick: bool) -> list[Row]:
    """All properties under the default readings (a tenth of them when ``quick``), then bounded checks."""
    found = []
    for boards in ("printed",) if quick else ("printed", "all"):
        found += _properties(boards, 10 if quick else 1)
    plies = 4 if quick else 10
    found.append(_bounded(f"duel: {plies} plies, one life left after losing few", duel(), "life[0] == 33 and life[1] == 1", plies))
    return found


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


def _bounded(name: str, rules: RuleSet, text: str, plies: int) -> Row:
    formula = parse_expr(text, Scene(rules, rules.start).scope())
    bits, integers = (_seconds(rules, formula, plies, numbers) for numbers in ("bv", "int"))
    return row(f"{name}: bit-vectors, integers", bits, ">= 5 x", integers)


def _seconds(rules: RuleSet, formula: Expr, plies: int, numbers: str) -> float:
    began = time.process_time()
    game = Symbolic(rules, numbers)
    state, solver = game.known(rules.start), z3.SolverFor("QF_BV") if numbers == "bv" else z3.Solver()
    solver.set("timeout", int(1000 * LIMIT))
    for ply in range(plies):
        which, options, after, unsettled = _ply(game, state, ply, rules.passes if rules.triggers else 1)
        solver.add(z3.ULT(which, len(options)), *after[1], z3.Not(unsettled))
        state = after[0]
        answer = solver.check(game.expr(formula, state))
        assert answer != z3.sat, "there is no such line"
        if answer == z3.unknown:
            break
    return time.process_time() - began
