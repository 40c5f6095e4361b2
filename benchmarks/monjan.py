"""The whole two-player model of Monjan on the shipped mid-game positions (``model/monjan/positions/midgame.jsonl``).

A node is the start and every position reached by an applied move, interior and leaves, each made
for itself; the reference walks the same tree. Times are of the processor, in one run; a time to
compile is that of code that no cache knows.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable
from typing import Any

from monjudge.model.language import Clause, RuleSet, State, eq, var
from monjudge.model.monjan.cases.scene import Scene
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.positions import LARGE, midgame
from monjudge.model.monjan.rules import monjan
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.native import Native
from monjudge.solvers.engines.native.llvm import Code
from monjudge.solvers.engines.native.program import program
from monjudge.solvers.engines.reference import Reference

DEPTHS = (4, 4, 5, 8, 8, 8)
"""How deep native perft goes from each large position: some million nodes."""

REFERENCE_DEPTHS = (2, 2, 2, 4, 3, 4)
"""How deep the reference goes: some thousand nodes."""

ENDS = ("mana", "elements", "spent", "attack", "defence", "life", "extra", "extra_by", "outside", "hand", "witness", "pending")
"""The fields by which ends of an edit turn differ."""


def rows(quick: bool) -> list[dict[str, Any]]:
    """The time to build and to compile, all moves of a state, nodes a second, and the ends of an edit turn."""
    scenes = list(midgame(Reference))[:LARGE]
    (_, first), rounds = scenes[0], 2 if quick else 5
    found = [_build(first, rounds), *_compile(first), _moves(first, 20 * rounds)]
    rates = []
    for (name, scene), *depths in zip(scenes, DEPTHS, REFERENCE_DEPTHS, strict=True):
        native, nodes = _rate(scene, depths[0] - quick, rounds)
        peer = _reference_rate(scene.engine, scene.state, depths[1])
        note = f"depth {depths[0] - quick}, {nodes:,} nodes; the peer is the reference, depth {depths[1]}"
        found += [
            row(f"perft {name}", native, None, ">= 4e7", "nodes/s", note),
            row(f"perft {name} / reference", native, peer, ">= 100 x", "nodes/s"),
        ]
        rates.append(native)
    mean = math.exp(sum(map(math.log, rates)) / len(rates))
    found.append(row("perft, geometric mean of the six", mean, None, ">= 4e7", "nodes/s"))
    return [*found, _ends(first, rounds)]


def row(name: str, ours: float, peer: float | None, goal: str | None, unit: str, note: str = "") -> dict[str, Any]:
    return {"name": name, "ours": ours, "peer": peer, "ratio": ours / peer if peer else None, "goal": goal, "unit": unit, "note": note}


def _best(work: Callable[[], object], rounds: int) -> float:
    """The least time of the processor for one call."""
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def _build(scene: Scene, rounds: int) -> dict[str, Any]:
    setting = Setting(scene.catalogue, scene.position.boards, slots=scene.position.slots)
    note = f"{len(scene.rules.actions)} actions, {len(scene.rules.triggers)} triggers, {scene.rules.size} cells"
    return row("build the rules of two players", _best(lambda: monjan(setting), rounds), None, "< 0.1", "s", note)


def _compile(scene: Scene) -> list[dict[str, Any]]:
    """Everything from the rules to machine code; and again with the code on the disk, the text included or not."""
    engine = Native(scene.rules)
    text, fresh = "", f"; measured at {time.time_ns()}\n"  # a comment, so that no cache knows it

    def compiled() -> None:
        nonlocal text
        text = program(scene.rules, engine.layout) + fresh
        Code(text)

    first, again = _best(compiled, 1), _best(compiled, 3)
    return [
        row("compile the rules natively", first, None, "< 2", "s", f"{text.count(chr(10)):,} lines of LLVM"),
        row("machine code from disk", 1000 * _best(lambda: Code(text), 3), None, "< 10", "ms", "the text is there"),
        row("text, and machine code from disk", again, None, None, "s"),
    ]


def _moves(scene: Scene, rounds: int) -> dict[str, Any]:
    engine = Enumerator(scene.rules)
    found = engine.moves(scene.state)
    assert found == scene.engine.moves(scene.state)
    note = f"{len(found)} moves"
    return row("all legal moves with ten hand cards, enumerator", 1000 * _best(lambda: engine.moves(scene.state), rounds), None, "< 5", "ms", note)


def _rate(scene: Scene, depth: int, rounds: int) -> tuple[float, int]:
    engine = Native(scene.rules)
    nodes = engine.perft(scene.state, depth)
    return nodes / _best(lambda: engine.perft(scene.state, depth), rounds), nodes


def _reference_rate(engine: Any, state: State, depth: int) -> float:
    def count(state: State, depth: int) -> int:
        if depth == 0 or engine.over(state):
            return 1
        return 1 + sum(count(engine.step(state, move), depth - 1) for move in engine.moves(state))

    begin = time.process_time()
    nodes = count(state, depth)
    seconds = time.process_time() - begin
    assert nodes == Native(engine.rules).perft(state, depth)
    return nodes / seconds


def one_edit_turn(rules: RuleSet, player: int) -> RuleSet:
    """The rules of one player's placements, with what chance reveals for them, and nothing else."""
    mine = Clause("EDIT.4:mine", eq(var("me", 0, rules.players - 1), player), "", "One's own edit turn.", "自分の編集ターン。")
    placements = (a for a in rules.actions if "placement" in a.tags or a.is_chance)
    actions = tuple(a if a.is_chance else dataclasses.replace(a, clauses=(*a.clauses, mine)) for a in placements)
    return dataclasses.replace(rules, actions=actions, turns=None)


def ends(rules: RuleSet, engine: Native, state: State, player: int) -> int:
    """How many ends one edit turn has that differ in what lies on the table and in the hand.

    ``engine`` is that of ``one_edit_turn``. By which column a number was shown tells two ends apart.
    """
    at, sizes = {}, [(name, rules.family_named[name].size) for name in ENDS]
    for name, size in sizes:
        at[name] = sum(s for _, s in sizes[: ENDS.index(name)]), size
    found = set()
    for cells in engine.reachable_cells(state, 1_000_000, ENDS):
        part = {name: cells[begin : begin + size] for name, (begin, size) in at.items()}
        if part["pending"] == (0,):
            shown = tuple(n > 0 for n in part["witness"]) if part["extra_by"][player] == 2 else ()
            found.add((cells[: at["witness"][0]], shown))
    return len(found)


def _ends(scene: Scene, rounds: int) -> dict[str, Any]:
    engine = Native(one_edit_turn(scene.rules, 0))
    count = ends(scene.rules, engine, scene.state, 0)
    seconds = _best(lambda: ends(scene.rules, engine, scene.state, 0), rounds)
    return row("all distinct ends of one edit turn with ten hand cards", seconds, None, "< 0.2", "s", f"{count:,} ends")
