"""Ctrl-C ends the long walks of the native engine."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable

import pytest

from monjudge.model.small.breakthrough import breakthrough
from monjudge.model.small.connect_four import connect_four
from monjudge.solvers.engines.native import Native
from monjudge.solvers.forced import Search

FOUR, BREAK = Native(connect_four()), Native(breakthrough(6, 6, 2))

WALKS: dict[str, Callable[[], object]] = {
    "perft": lambda: FOUR.perft(FOUR.rules.start, 40),
    "reachable": lambda: FOUR.reachable(FOUR.rules.start, 15_000_000),
    "solve": lambda: FOUR.solve(FOUR.rules.start),
    "forced": lambda: Search(BREAK.rules).answer(),
}


@pytest.mark.parametrize("walk", WALKS.values(), ids=WALKS)
def test_an_interrupt_ends_a_walk_at_once(walk: Callable[[], object]) -> None:
    FOUR.perft(FOUR.rules.start, 1)  # compiles
    Search(BREAK.rules).prover.ending(BREAK.layout.pack(BREAK.rules.start))
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)  # what Ctrl-C calls
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            walk()
        assert time.monotonic() - begin < 5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_walk_in_another_thread_does_not_hold_up_this_one() -> None:
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(FOUR.perft(FOUR.rules.start, 9)))
    thread.start()
    ticks = 0
    while thread.is_alive():
        time.sleep(0.001)
        ticks += 1
    assert found == [FOUR.perft(FOUR.rules.start, 9)] and ticks > 3
