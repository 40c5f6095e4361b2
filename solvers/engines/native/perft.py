"""Counting positions: every one that at most some number of moves lead to.

The children of a state are written on top of a stack of slots in memory that the caller
provides, and are visited when some kilobytes of them have gathered. Reading a state long
after it was written is what a processor likes best: a vector load waits for the narrow
stores that lie just before it.
"""

from __future__ import annotations

from monjudge.solvers.engines.native.breath import breathe
from monjudge.solvers.engines.native.ir import Function
from monjudge.solvers.engines.native.layout import FULL, Layout

__all__ = ["perft"]

CHUNK = 16384
"""Bytes of children that are visited at once: enough for distance, little enough for the nearest caches."""


def perft(layout: Layout) -> Function:
    """``perft(first, last, depth, top, end, tally)``: the positions below some states, to a depth.

    Counts interior positions and leaves one by one. ``tally`` holds 64-bit numbers: the
    positions in which the game is over, and what ``told`` gives.

    Every leaf is a position like any other: its move is applied, all its cells are written
    to the caller's stack, and whether the game has ended in it is worked out from them and
    counted in ``tally``, which the caller reads. The stack outlives the call, so that no
    store of a cell can be left out as unread.
    """
    f = Function("i64 @perft(ptr %first, ptr %last, i32 %depth, ptr %top, ptr %end, ptr noalias %tally)")
    status = f.past("%tally", 8)
    with f.when(f.op("icmp eq i32 %depth, 0")):
        ended = f.variable("i64", f.get("i64", "%tally"))
        with f.each("%first", "%last", layout.slot) as leaf:
            _count_if_over(f, leaf.index, ended)
        f.put("i64", f.get("i64", ended), "%tally")
        f.ret("i64 0")
    free, nodes, less = f.variable("ptr", "%top"), f.variable("i64", 0), f.op("sub i32 %depth, 1")
    with f.each("%first", "%last", layout.slot) as state:
        _grow(f, state.index, free, status)
        top = f.get("ptr", free)
        made = f.op(f"sub i64 {f.op(f'ptrtoint ptr {top} to i64')}, {f.op('ptrtoint ptr %top to i64')}")
        is_last = f.op(f"icmp eq ptr {f.past(state.index, layout.slot)}, %last")
        visit = f.op(f"or i1 {is_last}, {f.op(f'icmp uge i64 {made}, {CHUNK}')}")
        with f.when(f.op(f"and i1 {visit}, {f.op(f'icmp ne i64 {made}, 0')}")):
            below = f.call("i64", "perft", "ptr %top", f"ptr {top}", f"i32 {less}", f"ptr {top}", "ptr %end", "ptr %tally")
            here = f.op(f"udiv exact i64 {made}, {layout.slot}")
            both = f.op(f"add i64 {here}, {below}")
            f.put("i64", f.op(f"add i64 {both}, {f.get('i64', nodes)}"), nodes)
            f.put("ptr", "%top", free)
            with f.when(f.op(f"icmp ne i32 {f.get('i32', status)}, 0")):
                f.ret("i64 0")
    f.ret(f"i64 {f.get('i64', nodes)}")
    return f


def _count_if_over(f: Function, state: str, ended: str) -> None:
    over = f.op(f"zext i1 {f.call('i1', 'over', f'ptr {state}')} to i64")
    f.put("i64", f.op(f"add i64 {f.get('i64', ended)}, {over}"), ended)


def _grow(f: Function, state: str, free: str, status: str) -> None:
    """Appends the children of a state at ``free``, or counts it where the game is over."""
    over, grow, end = f.label(), f.label(), f.label()
    f.branch(f.call("i1", "over", f"ptr {state}"), over, grow)
    f.begin(over)
    f.put("i64", f.op(f"add i64 {f.get('i64', '%tally')}, 1"), "%tally")
    f.jump(end)
    f.begin(grow)
    breathe(f, status, "i64 0")
    after = f.call("ptr", "expand", f"ptr {state}", f"ptr {f.get('ptr', free)}", "ptr %end", f"ptr {status}")
    with f.when(f.op(f"icmp eq ptr {after}, null")):
        f.put("i32", FULL, status)
        f.ret("i64 0")
    f.put("ptr", after, free)
    f.jump(end)
    f.begin(end)
