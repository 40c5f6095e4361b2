"""A question taken apart by its first moves: so it can be interrupted and resumed, divided among runs, and shared by processes.

Each number of turns is tried as a whole first; what is not settled soon is settled move by move. What several first
moves together say is what the rules of the question say (``decided``); a part of them says "no" only where a
single move of the others does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from monjudge.model.language import LimitReached, Move, State
from monjudge.solvers.forced.keys import Key
from monjudge.solvers.forced.ledger import EVER, Ledger, Tried, question_of
from monjudge.solvers.forced.search import LINE, MODEL, TOO_DEEP, Answer, Limits, Search, Statistics, stopped
from monjudge.solvers.forced.workers import Workers, prove_one
from monjudge.solvers.verdict import Sentence, Verdict

if TYPE_CHECKING:
    from monjudge.solvers.engines.native.prover import Child

__all__ = ["Course", "Part", "decided"]

PROBE = 300_000
"""So many positions are expanded before a question is taken apart, and for a first move before another has its turn."""

GROWTH = 4
"""By this a first move may expand more positions in each round."""


_PASSABLE = ("", "model", "deep", "part")
"""Why a number of turns may be left unsettled although a larger one is tried."""


@dataclass(frozen=True)
class Part:
    """The ``number``-th (from 1) of ``of`` parts of the first moves. Raises ValueError for what is none."""

    number: int
    of: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.of:
            raise ValueError(f"there is no part {self.number} of {self.of}")


def decided(mine: Sequence[Verdict], others: Sequence[Verdict]) -> Verdict:
    """What the first moves of the player and those of everybody else say together; the others choose who moves.

    >>> str(decided([Verdict.NO, Verdict.UNKNOWN], []))
    'unknown'
    """
    if Verdict.NO in others or (mine and all(v is Verdict.NO for v in mine)) or not (mine or others):
        return Verdict.NO
    won = (not mine or Verdict.YES in mine) and all(v is Verdict.YES for v in others)
    return Verdict.YES if won else Verdict.UNKNOWN


class Course:
    """One question about a settled state, answered as far as the limits go; ``ledger`` has what is settled, also after an interrupt.

    ``late``: the goal can only hold when all the turns are over, so that fewer are not tried. With a ``part`` only
    those first moves are searched. With several ``jobs`` a long question is shared by so many processes (one if
    positions are limited). The seconds count from now, unless they are over at a moment ``until`` of ``time.monotonic``.
    ``told(turns)`` is called when a number of turns (0: any) is begun.
    """

    def __init__(
        self, search: Search, state: State | None = None, turns: int | None = None, limits: Limits | None = None, *,
        ledger: Ledger | None = None, part: Part | None = None, jobs: int = 1, late: bool = False,
        told: Callable[[int], None] | None = None, probe: int = PROBE, until: float | None = None,
    ) -> None:  # fmt: skip
        self.search, self.question, self.limits = search, search.question(state, turns), limits or Limits()
        if search.rules.simultaneous and part is not None:
            raise ValueError("a question with hidden decisions cannot be divided")
        self.ledger = ledger or Ledger(question_of(search, self.question.state))
        self.part, self.late, self.told, self.probe = part, late, told, probe
        self.jobs = 1 if self.limits.nodes is not None else jobs
        self.packed = search.pack(self.question.state)
        self.begun, self.clock, self.elsewhere = search.prover.counts, time.process_time(), 0
        self.until = until
        if until is None and self.limits.seconds is not None:
            self.until = time.monotonic() + self.limits.seconds
        self.workers: Workers | None = None
        self.by_turns: list[int] = []

    # -- the answer -----------------------------------------------------------------------

    def run(self) -> Answer:
        """The answer, as of ``Search.answer``."""
        try:
            return self._run()
        finally:
            self._end()

    def _run(self) -> Answer:
        if self.search.rules.simultaneous:
            return self.search.answer(self.question.state, self.question.turns, self.limits)
        verdict, why, number = Verdict.UNKNOWN, "", EVER
        for number in self._numbers():
            verdict, why = self._within(number)
            if verdict is Verdict.YES or why not in _PASSABLE:
                break
        limit = self._limit(why) if verdict is Verdict.UNKNOWN else None
        return self._answer(verdict, number, limit, self._line(verdict, number))

    def so_far(self, limit: Sentence) -> Answer:
        """The answer of a search that was broken off: unknown, with the limit; what is settled stands in the ledger."""
        return self._answer(Verdict.UNKNOWN, self.question.turns or EVER, limit, ())

    def _answer(self, verdict: Verdict, number: int, limit: Sentence | None, line: tuple[Move, ...]) -> Answer:
        return Answer(self.question, verdict, number or None, self._statistics(), limit, line)

    def _numbers(self) -> Iterable[int]:
        turns = self.question.turns
        if turns is None:
            return (EVER,)
        return (turns,) if self.late else range(1, turns + 1)

    def deadline(self, number: int) -> int | None:
        """The first turn that is too late."""
        return self.question.first + number if number else None

    def _within(self, number: int) -> tuple[Verdict, str]:
        """The verdict, and why it is unknown if it is."""
        if self.told is not None:
            self.told(number)
        if number in self.ledger.whole:
            return self.ledger.whole[number], ""
        before = self._nodes()
        try:
            verdict, why = Verdict.UNKNOWN, "nodes"
            taken_apart = self.part is not None or number in self.ledger.moves
            if not taken_apart:
                verdict, why = self._at_once(number)
                taken_apart = why == "nodes" and self._nodes_left() != 0
            if taken_apart:
                verdict, why = self._apart(number, every=False)
        finally:
            self.by_turns.append(self._nodes() - before)
        self.ledger.settle(number, verdict)
        return verdict, why

    def _limit(self, why: str) -> Sentence:
        if why == "part":
            part = self.part or Part(1, 1)
            return Sentence(f"only part {part.number} of {part.of} of the first moves was searched", f"最初の手の{part.of}分の{part.number}だけを調べた")
        if why == "process":
            return Sentence("a process of the search ended too early", "探索プロセスが途中で終わった")
        return {"model": MODEL, "deep": TOO_DEEP}.get(why) or stopped(why, self.limits)

    # -- as a whole, and move by move -----------------------------------------------------

    def _at_once(self, number: int) -> tuple[Verdict, str]:
        from monjudge.solvers.engines.native.prove import MODEL as PASSED
        from monjudge.solvers.engines.native.prove import NO, YES
        from monjudge.solvers.engines.native.prover import Stopped

        prover, left = self.search.prover, self._nodes_left()
        nodes = self.probe if left is None else min(self.probe, left)
        try:
            result = prover.prove(self.packed, self.deadline(number), nodes=nodes, seconds=self._seconds_left())
        except Stopped as reason:
            return Verdict.UNKNOWN, str(reason)
        if result in (YES, NO):
            return (Verdict.YES if result == YES else Verdict.NO), ""
        return Verdict.UNKNOWN, "model" if prover.limits & PASSED else "deep"

    def _apart(self, number: int, *, every: bool) -> tuple[Verdict, str]:
        """By first moves, until they decide; with ``every`` all of them that are the player's own."""
        from monjudge.solvers.engines.native.prover import Stopped

        if not self.search.prover.is_open(self.packed, self.deadline(number)):
            return self._at_once(number)
        try:
            children = self.search.prover.children(self.packed)
        except Stopped as reason:
            return Verdict.UNKNOWN, str(reason)
        known = self.ledger.moves.setdefault(number, {})
        why = ""
        verdict = self._together(children, known)
        if every or verdict is Verdict.UNKNOWN:
            for child, tried, left_open in self._settling(self._pending(children, known), number):
                self.ledger.settle_move(number, child.move, tried)
                why = why or left_open
                verdict = self._together(children, known)
                if (verdict is not Verdict.UNKNOWN and not every) or left_open in ("time", "nodes"):
                    break
        if verdict is Verdict.UNKNOWN and not why:
            why = "part" if self.part is not None else "model"
        return verdict, why

    def _together(self, children: Iterable[Child], known: dict[Move, Tried]) -> Verdict:
        mine, others = list[Verdict](), list[Verdict]()
        for child in children:
            verdict = known[child.move].verdict if child.move in known else Verdict.UNKNOWN
            (mine if child.move.me == self.search.player else others).append(verdict)
        return decided(mine, others)

    def _pending(self, children: Sequence[Child], known: dict[Move, Tried]) -> list[tuple[int, Child]]:
        """Those that are to be searched: of this part, not settled, none behind a bound; the most promising first."""
        best = self.search.prover.best(self.packed)
        part = self.part
        chosen = [
            (n, child) for n, child in enumerate(children)
            if child.packed is not None and child.move not in known and (part is None or n % part.of == part.number - 1)
        ]  # fmt: skip
        return sorted(chosen, key=lambda entry: entry[1].move != best)

    def _settling(self, pending: Sequence[tuple[int, Child]], number: int) -> Iterator[tuple[Child, Tried, str]]:
        """In rounds of growing budgets, so that no first move holds up another that is settled sooner.

        The first round needs no other process: what it settles is told the same way each time.
        """
        by_number, budget = dict(pending), self.probe
        while by_number:
            again: dict[int, Child] = {}
            alone = len(by_number) == 1
            jobs = 1 if alone or budget == self.probe else min(self.jobs, len(by_number))
            for n, tried, why in self._round(by_number, self.deadline(number), None if alone else budget, jobs):
                if why == "nodes" and self._nodes_left() != 0:
                    again[n] = by_number[n]
                else:
                    yield by_number[n], tried, why
            by_number, budget = dict(sorted(again.items())), GROWTH * budget

    def _round(
        self, children: dict[int, Child], deadline: int | None, budget: int | None, jobs: int
    ) -> Iterator[tuple[int, Tried, str]]:
        if jobs == 1:
            for n, child in children.items():
                left = self._nodes_left()
                nodes = min((limit for limit in (left, budget) if limit is not None), default=None)
                yield n, *prove_one(self.search, child.packed or b"", deadline, nodes, self._seconds_left())
            return
        positions = [(n, child.packed or b"") for n, child in children.items()]
        for done in self._shared(jobs).prove(positions, deadline, budget, self.until):
            self.elsewhere += done.nodes
            if self.search.prover.watch is not None:
                self.search.prover.watch(self._nodes())
            yield done.number, done.tried, done.why

    def _shared(self, jobs: int) -> Workers:
        """The processes, begun when the first is needed."""
        if self.workers is None:
            self.workers = Workers(self.search, jobs, self.limits.memory // (jobs + 1))
        return self.workers

    def _end(self) -> None:
        if self.workers is not None:
            self.workers.close()
        self.workers = None

    # -- all first moves ------------------------------------------------------------------

    def keys(self, number: int) -> list[Key]:
        """Every first move of the player in canonical order, settled within so many turns as far as the limits go."""
        if self.search.rules.simultaneous or not self.search.prover.is_open(self.packed, self.deadline(number)):
            return []
        try:
            self._apart(number, every=True)
        finally:
            self._end()
        known = self.ledger.moves.get(number, {})
        found = []
        for child in self.search.prover.children(self.packed):
            if child.move.me == self.search.player:
                tried = known.get(child.move, Tried(Verdict.UNKNOWN))
                found.append(Key(child.move, tried.verdict, tried.line if tried.verdict is Verdict.NO else ()))
        return found

    # -- a line to look at, and what it took ----------------------------------------------

    def _line(self, verdict: Verdict, number: int) -> tuple[Move, ...]:
        """As of ``Search.answer``; where the question was taken apart, from the first move that decided it."""
        from monjudge.solvers.engines.native.prover import Stopped
        from monjudge.solvers.forced.proof import line

        if verdict is Verdict.UNKNOWN:
            return ()
        found = self._decisive(self.ledger.moves.get(number, {}), verdict)
        if found is not None:
            return found
        left = self._nodes_left()
        try:
            with self.search.prover.within(None if left is None else max(left, LINE), self._seconds_left()):
                return line(self.search, self.packed, self.deadline(number), verdict)
        except (Stopped, LimitReached):
            return ()

    def _decisive(self, known: dict[Move, Tried], verdict: Verdict) -> tuple[Move, ...] | None:
        mine = [(move, tried) for move, tried in known.items() if move.me == self.search.player]
        others = [(move, tried) for move, tried in known.items() if move.me != self.search.player]
        order = (*mine, *others) if verdict is Verdict.YES else (*others, *mine)
        chosen = next(((move, tried) for move, tried in order if tried.verdict is verdict), None)
        return None if chosen is None else (chosen[0], *chosen[1].line)

    def _nodes(self) -> int:
        return self.search.prover.counts.nodes - self.begun.nodes + self.elsewhere

    def _nodes_left(self) -> int | None:
        return None if self.limits.nodes is None else max(0, self.limits.nodes - self._nodes())

    def _seconds_left(self) -> float | None:
        return None if self.until is None else max(0.0, self.until - time.monotonic())

    def _statistics(self) -> Statistics:
        now = self.search.prover.counts
        return Statistics(
            self._nodes(), tuple(self.by_turns), now.hits - self.begun.hits, now.entries,
            now.sweeps - self.begun.sweeps, time.process_time() - self.clock,
        )  # fmt: skip
