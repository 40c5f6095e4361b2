"""A breath in a long walk: every so often native code lets Python look for signals, so that Ctrl-C ends it.

Signals reach the main thread only. There a walk runs with the lock of the interpreter held and asks
``PyErr_CheckSignals`` itself; elsewhere it runs without the lock and asks nobody.
"""

from __future__ import annotations

import ctypes
import threading
from typing import Any

from monjudge.solvers.engines.native.ir import Function

__all__ = ["STOPPED", "breathe", "caller", "told"]

STOPPED = 5
"""The status of a walk that was told to stop."""

PACE = 1 << 20
"""Positions between two breaths: some tens of milliseconds at most."""


def breathe(f: Function, status: str, result: str) -> None:
    """Counts a position in a walk whose ``status`` lies in a block of ``told``; returns ``result`` when told to stop."""
    breath = f.past(status, 8)
    left = f.op(f"sub i64 {f.get('i64', breath)}, 1")
    f.put("i64", left, breath)
    with f.when(f.op(f"icmp slt i64 {left}, 0")):
        f.put("i64", PACE, breath)
        ask = f.get("ptr", f.past(status, 16))
        with f.when(f.op(f"icmp ne ptr {ask}, null")):
            stop = f.op(f"call i32 {ask}()")
            with f.when(f.op(f"icmp ne i32 {stop}, 0")):
                f.put("i32", STOPPED, status)
                f.ret(result)


def told() -> tuple[int, int, int]:
    """Three 64-bit numbers for a walk in this thread: its status, the positions to the next breath, whom to ask then."""
    ask = ctypes.cast(ctypes.pythonapi.PyErr_CheckSignals, ctypes.c_void_p).value if _is_main() else 0
    return 0, PACE, ask or 0


def caller(address: int, result: Any, *arguments: Any) -> Any:
    """A function of native code that may ask for signals: a signal that raises does so when it returns."""
    free, held = ctypes.CFUNCTYPE(result, *arguments)(address), ctypes.PYFUNCTYPE(result, *arguments)(address)

    def call(*given: Any) -> Any:
        return (held if _is_main() else free)(*given)

    return call


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()
