"""Certificates: how long they are beside the positions that were searched, and what their check takes beside the search.

Times are of the processor, machine code is made before. The check is that of ``monjudge certify`` without reading the
file and the hash of the rules: by the native engine, and by the reference in Python.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from endgames import Row, row

from monjudge.judge import read
from monjudge.model.language import RuleSet, State
from monjudge.model.small.breakthrough import breakthrough
from monjudge.puzzles.library import library, proof_of
from monjudge.reports import solving
from monjudge.solvers import walk
from monjudge.solvers.certificate import Evidence, check, compiled
from monjudge.solvers.engines.native import Native, walker
from monjudge.solvers.forced import Search, evidence

Seen = TypeVar("Seen")


def rows(quick: bool) -> list[Row]:
    """A whole game whose search takes millions of positions, and the shipped proofs of forced wins."""
    return [*_game(5, 4 if quick else 5), *_shipped(quick)]


def _timed(work: Callable[[], Seen], rounds: int = 1) -> tuple[float, Seen]:
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        seen = work()
        times.append(time.process_time() - begin)
    return min(times), seen


class _Clock:
    """How long the walks inside a check take."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.whole = walker.follow, walk.Walk.run

    def __enter__(self) -> _Clock:
        for place, name, function in ((walker, "follow", self.whole[0]), (walk.Walk, "run", self.whole[1])):
            setattr(place, name, self._counting(function))
        return self

    def __exit__(self, *error: object) -> None:
        walker.follow, walk.Walk.run = self.whole  # type: ignore[method-assign]

    def _counting(self, function: Callable[..., Seen]) -> Callable[..., Seen]:
        def counted(*given: object, **named: object) -> Seen:
            seconds, seen = _timed(lambda: function(*given, **named))
            self.seconds = seconds
            return seen

        return counted


def _game(ranks: int, files: int) -> list[Row]:
    rules = breakthrough(ranks, files, 1)
    search = Search(rules, "win", 0, memory=1 << 30)
    searched, answer = _timed(search.answer)
    written, found = _timed(lambda: evidence(search, answer))
    native = compiled(rules)
    seen, walked = check(found, rules, by=native), _walked(found, rules, native)
    name, nodes = f"breakthrough, {ranks} rows, {files} columns", answer.statistics.nodes
    numbers = len(found.certificate["choices"])
    return [
        row(f"certificate of a {answer.verdict}: {name}", numbers / nodes, None, "<= 0.001" if nodes > 10**6 else None, "a position",
            f"{numbers:,} numbers for {nodes:,} positions searched; written in {written:.1f} s"),
        row(f"compiled check: {name}", walked, searched, ">= 1 x", "s", f"{seen.positions:,} positions; the peer is our search"),
    ]  # fmt: skip


def _shipped(quick: bool) -> list[Row]:
    """The ratio of search and compiled check over the shipped proofs of forced goals, and the slowest check in Python."""
    ratios, slowest = [], (0.0, "")
    for name in [*library()][:: 5 if quick else 1]:
        proof = solving.Proof.from_json(proof_of(name).read_bytes())
        claim = proof.evidence.claim
        if claim["question"] != "forced" or proof.goal:
            continue
        position = solving._as_told(read(proof.position), proof.rolls)
        rules, state = position.rules, position.state
        native = compiled(rules)
        walked = min(_walked(proof.evidence, rules, native) for _ in range(5))
        ratios.append(_asked(rules, state, claim["goal"], claim["player"], claim["turns"]) / walked)
        with _Clock() as clock:
            check(proof.evidence, rules)
        slowest = max(slowest, (clock.seconds, name))
    note = f"of {len(ratios)} shipped proofs; the least is {min(ratios):.1f}"
    return [
        row("compiled check of a shipped proof, search over check, median", 1, statistics.median(ratios), ">= 1 x", "of its time", note),
        row("slowest check of a shipped proof in Python", slowest[0], None, "< 60", "s", slowest[1]),
    ]


def _asked(rules: RuleSet, state: State, goal: str, player: int, turns: int | None) -> float:
    """Seconds of a search with an empty memory, the best of some."""
    searches = [Search(rules, goal, player) for _ in range(5)]
    return min(_timed(partial(search.answer, state, turns))[0] for search in searches)


def _walked(found: Evidence, rules: RuleSet, native: Native) -> float:
    with _Clock() as clock:
        check(found, rules, by=native)
    return clock.seconds
