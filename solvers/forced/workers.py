"""First moves shared out among processes, each with a search of its own over the same compiled rules.

Processes are forked, so that nothing is compiled again and nothing but numbers goes between them.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from monjudge.model.language import Move
from monjudge.solvers.forced.ledger import Tried
from monjudge.solvers.forced.search import LINE, Search
from monjudge.solvers.verdict import Verdict

__all__ = ["Done", "Workers", "cores", "prove_one"]


class Done(NamedTuple):
    """What came of a first move: settled, or ``why`` not (see ``Stopped``; ``process``: the process ended), with positions expanded."""

    number: int
    tried: Tried
    why: str
    nodes: int


def cores() -> int:
    """How many processes can run at once; 1 where a system does not fork."""
    if "fork" not in multiprocessing.get_all_start_methods():
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def prove_one(search: Search, packed: bytes, deadline: int | None, nodes: int | None, seconds: float | None) -> tuple[Tried, str]:
    """A position settled with a line of play, or why it is not."""
    from monjudge.solvers.engines.native.prove import MODEL, NO, YES
    from monjudge.solvers.engines.native.prover import Stopped
    from monjudge.solvers.forced.proof import line

    try:
        result = search.prover.prove(packed, deadline, nodes=nodes, seconds=seconds)
    except Stopped as reason:
        return Tried(Verdict.UNKNOWN), str(reason)
    if result not in (YES, NO):
        return Tried(Verdict.UNKNOWN), "model" if search.prover.limits & MODEL else "deep"
    verdict = Verdict.YES if result == YES else Verdict.NO
    try:
        with search.prover.within(LINE, seconds):
            return Tried(verdict, line(search, packed, deadline, verdict)), ""
    except Stopped:
        return Tried(verdict), ""


class Workers:
    """So many processes, each with so many bytes for positions. ``close`` ends them."""

    def __init__(self, search: Search, jobs: int, memory: int) -> None:
        self.search, self.jobs, self.memory = search, jobs, memory
        self.ends: list[Connection] = []
        self.processes: list[Any] = []

    def _begin(self) -> None:
        fork = multiprocessing.get_context("fork")
        for _ in range(self.jobs):
            here, there = fork.Pipe()
            process = fork.Process(target=_serve, args=(there, [*self.ends, here], self.search, self.memory), daemon=True)
            process.start()
            there.close()
            self.ends.append(here)
            self.processes.append(process)

    def prove(
        self, positions: Sequence[tuple[int, bytes]], deadline: int | None, nodes: int | None, until: float | None
    ) -> Iterator[Done]:
        """What comes of each numbered position, in the order in which it comes; each may expand so many positions."""
        if not self.processes:
            self._begin()
        waiting, busy, limits = list(reversed(positions)), dict[Connection, int](), (deadline, nodes, until)
        try:
            for end in self.ends:
                _give(end, waiting, busy, limits)
            while busy:
                ready = wait(list(busy))
                for end in [end for end in busy if end in ready]:
                    number = busy.pop(end)
                    try:
                        found = json.loads(end.recv_bytes())
                    except (EOFError, OSError):
                        yield Done(number, Tried(Verdict.UNKNOWN), "process", 0)
                        continue
                    _give(end, waiting, busy, limits)
                    yield Done(number, Tried(Verdict(found["verdict"]), tuple(map(_move, found["line"]))), found["why"], found["nodes"])
            yield from (Done(number, Tried(Verdict.UNKNOWN), "process", 0) for number, _ in waiting)
        finally:
            if busy:  # nobody waits for these answers any more
                self.close()

    def close(self) -> None:
        """Whatever they do, they end."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.join()
        for end in self.ends:
            end.close()
        self.processes, self.ends = [], []


def _give(end: Connection, waiting: list[tuple[int, bytes]], busy: dict[Connection, int], limits: tuple[Any, Any, float | None]) -> None:
    if not waiting:
        return
    deadline, nodes, until = limits
    seconds = None if until is None else max(0.0, until - time.monotonic())
    number, packed = waiting[-1]
    try:
        end.send_bytes(json.dumps([packed.hex(), deadline, nodes, seconds]).encode("ascii"))
    except OSError:  # the process has ended; another may take it
        return
    busy[end] = number
    waiting.pop()


def _move(data: Any) -> Move:
    action, me, *args = data
    return Move(action, me, tuple(args))


def _serve(there: Connection, others: Sequence[Connection], search: Search, memory: int) -> None:
    """Answers until nobody asks any more. An interrupt is for the process that asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for end in others:
        end.close()
    own = Search(search.rules, search.goal, search.player, memory=memory, options=search.options)
    while True:
        try:
            packed, deadline, nodes, seconds = json.loads(there.recv_bytes())
        except EOFError:
            return
        before = own.prover.counts.nodes
        tried, why = prove_one(own, bytes.fromhex(packed), deadline, nodes, seconds)
        line = [[m.action, m.me, *m.args] for m in tried.line]
        found = {"verdict": str(tried.verdict), "line": line, "why": why, "nodes": own.prover.counts.nodes - before}
        there.send_bytes(json.dumps(found).encode("ascii"))
