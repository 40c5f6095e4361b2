"""How long machine code may take to make: LLVM cannot be interrupted, so where time is short it works in a process of its own."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from multiprocessing.connection import Connection

__all__ = ["Late", "made", "until"]

_moment: ContextVar[float | None] = ContextVar("moment", default=None)


class Late(Exception):
    """The time allowed passed while machine code was made."""


@contextmanager
def until(moment: float | None) -> Iterator[None]:
    """Inside, code that is not made by this moment (of ``time.monotonic``; None: however long it takes) raises Late."""
    before = _moment.set(moment)
    try:
        yield
    finally:
        _moment.reset(before)


def made(work: Callable[[], bytes]) -> bytes:
    """What the work makes; where a moment is set and a process can be forked, in a process that is ended when it has come."""
    moment = _moment.get()
    if moment is None or "fork" not in multiprocessing.get_all_start_methods() or threading.active_count() > 1:
        return work()
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe(duplex=False)
    process = fork.Process(target=_send, args=(there, work), daemon=True)
    process.start()
    there.close()
    try:
        if not here.poll(max(0.0, moment - time.monotonic())):
            raise Late
        return here.recv_bytes()
    except EOFError:  # it has failed: the failure is told where it can be seen
        return work()
    finally:
        process.kill()
        process.join()
        here.close()


def _send(there: Connection, work: Callable[[], bytes]) -> None:
    there.send_bytes(work())
