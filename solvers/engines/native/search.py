"""Walks over the states of a game that the solvers build on: reachability, playouts, plain alpha-beta.

The same for every game, around ``children``. States lie in slots in memory that the
caller provides. Every walk has a status: 0, or what made it stop; where it may take long, in a block of ``told``.
"""

from __future__ import annotations

from collections.abc import Iterator

from monjudge.model.language import NATURE
from monjudge.solvers.engines.native.breath import breathe
from monjudge.solvers.engines.native.ir import Function
from monjudge.solvers.engines.native.layout import CALM_BIT, FULL, MIXED, STUCK, Layout

__all__ = ["children", "playout", "reach", "solve"]


def children() -> Function:
    """``children(state, out, end, status)``: writes the slots of all moves from ``out`` on; none where the game is over.

    Returns the end of what was written, or null with status FULL. The status may also be
    LIMIT: then some slot has the note of it, and the others are good.
    """
    f = Function("ptr @children(ptr noalias readonly %s, ptr %out, ptr %end, ptr noalias %status)")
    with f.when(f.call("i1", "over", "ptr %s")):
        f.ret("ptr %out")
    after = f.call("ptr", "expand", "ptr %s", "ptr %out", "ptr %end", "ptr %status")
    with f.when(f.op(f"icmp eq ptr {after}, null")):
        f.put("i32", FULL, "%status")
    f.ret(f"ptr {after}")
    return f


def _stop_unless_fine(f: Function, result: str) -> None:
    with f.when(f.op(f"icmp ne i32 {f.get('i32', '%status')}, 0")):
        f.ret(result)


def reach(layout: Layout) -> Iterator[Function]:
    """``reach(first, end, table, mask, status)``: how many distinct states can be reached.

    The states found stand one after another from ``first`` on and are at once the queue
    of a breadth-first walk. ``table`` holds ``mask + 1`` (a power of two) 32-bit places:
    1 + the number of a state, or 0; it is searched from the hash of the cells on.
    """
    yield _hash(layout)
    yield _is_new(layout)
    f = Function("i64 @reach(ptr %first, ptr %end, ptr %table, i64 %mask, ptr noalias %status)")
    f.call("i1", "is_new", "ptr %first", "ptr %first", "ptr %table", "i64 %mask", "i64 0")
    state, top = f.variable("ptr", "%first"), f.variable("ptr", f.past("%first", layout.slot))
    count = f.variable("i64", 1)
    with f.forever() as visit:
        s, out = f.get("ptr", state), f.get("ptr", top)
        with f.when(f.op(f"icmp eq ptr {s}, {out}")):
            f.ret(f"i64 {f.get('i64', count)}")
        breathe(f, "%status", "i64 0")
        after = f.call("ptr", "children", f"ptr {s}", f"ptr {out}", "ptr %end", "ptr %status")
        _stop_unless_fine(f, "i64 0")
        f.put("ptr", f.past(s, layout.slot), state)
        some = f.label()
        f.branch(f.op(f"icmp eq ptr {after}, {out}"), visit.again, some)
        f.begin(some)
        with f.each(out, after, layout.slot) as child:
            known = ("ptr %first", "ptr %table", "i64 %mask", f"i64 {f.get('i64', count)}")
            with f.when(f.call("i1", "is_new", f"ptr {child.index}", *known)):
                to = f.get("ptr", top)  # what is new moves down over what was known
                f.do(f"call void @llvm.memmove.p0.p0.i64(ptr {to}, ptr {child.index}, i64 {layout.slot}, i1 false)")
                f.put("ptr", f.past(to, layout.slot), top)
                f.put("i64", f.op(f"add i64 {f.get('i64', count)}, 1"), count)
    f.ret("i64 0")
    yield f


def _hash(layout: Layout) -> Function:
    """``hash(state)``: 64 bits, by multiplication with an odd constant (Fibonacci hashing, Knuth 6.4)."""
    f = Function("internal i64 @hash(ptr readonly %s)")
    total = f.variable("i64", 0)
    with f.each("%s", f.past("%s", layout.size), 8) as word:
        mixed = f.op(f"xor i64 {f.get('i64', total)}, {f.get('i64', word.index)}")
        product = f.op(f"mul i64 {mixed}, {0x9E3779B97F4A7C15 - (1 << 64)}")
        f.put("i64", f.op(f"xor i64 {product}, {f.op(f'lshr i64 {product}, 32')}"), total)
    f.ret(f"i64 {f.get('i64', total)}")
    return f


def _is_new(layout: Layout) -> Function:
    """``is_new(state, first, table, mask, number)``: enters a state under its number unless it is known."""
    f = Function("internal i1 @is_new(ptr readonly %s, ptr %first, ptr %table, i64 %mask, i64 %number)")
    at = f.variable("i64", f.call("i64", "hash", "ptr %s"))
    with f.forever():
        place = f.op(f"and i64 {f.get('i64', at)}, %mask")
        address = f.op(f"getelementptr i32, ptr %table, i64 {place}")
        found = f.get("i32", address)
        with f.when(f.op(f"icmp eq i32 {found}, 0")):
            f.put("i32", f.op(f"add i32 {f.op('trunc i64 %number to i32')}, 1"), address)
            f.ret("i1 true")
        number = f.op(f"sub i64 {f.op(f'zext i32 {found} to i64')}, 1")
        other = f.past("%first", f.op(f"mul i64 {number}, {layout.slot}"))
        with f.when(f.call("i1", "same", "ptr %s", f"ptr {other}")):
            f.ret("i1 false")
        f.put("i64", f.op(f"add i64 {place}, 1"), at)
    f.ret("i1 false")
    return f


def playout(layout: Layout) -> Iterator[Function]:
    """``playout(state, end, seed, moves, most, status)``: random moves until the end; how many were made.

    ``state`` is changed in place; the numbers of the moves go to ``moves``, at most
    ``most`` of them. All decisions are equally likely; where there are chance outcomes
    one of them happens, by weight.
    """
    yield _weight(layout)
    f = Function("i64 @playout(ptr %s, ptr %end, i64 %seed, ptr noalias %moves, i64 %most, ptr noalias %status)")
    top, made, random = f.past("%s", layout.slot), f.variable("i64", 0), f.variable("i64", "%seed")
    with f.forever():
        done = f.get("i64", made)
        after = f.call("ptr", "children", "ptr %s", f"ptr {top}", "ptr %end", "ptr %status")
        _stop_unless_fine(f, f"i64 {done}")
        with f.when(f.op(f"icmp eq ptr {after}, {top}")):
            f.ret(f"i64 {done}")
        with f.when(f.op(f"icmp eq i64 {done}, %most")):
            f.put("i32", FULL, "%status")
            f.ret(f"i64 {done}")
        chosen = _choose(f, layout, top, after, _random(f, random))
        signed = f.get("i32", f.past(chosen, layout.size))
        address = f.op(f"getelementptr i32, ptr %moves, i64 {done}")
        f.put("i32", f.op(f"and i32 {signed}, {~CALM_BIT}"), address)
        f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr {chosen}, i64 {layout.slot}, i1 false)")
        f.put("i64", f.op(f"add i64 {done}, 1"), made)
    f.ret("i64 0")
    yield f


def _weight(layout: Layout) -> Function:
    """``weight(slot)``: the weight of a chance outcome, 0 for a decision."""
    f = Function("internal i64 @weight(ptr readonly %c)")
    note = f.get("i32", f.past("%c", layout.size + 4))
    weight = f.op(f"call i32 @llvm.smax.i32(i32 {f.op(f'sub i32 0, {note}')}, i32 0)")
    f.ret(f"i64 {f.op(f'zext i32 {weight} to i64')}")
    return f


def _random(f: Function, state: str) -> str:
    """The next 64 random bits: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    z = f.op(f"add i64 {f.get('i64', state)}, {0x9E3779B97F4A7C15 - (1 << 64)}")
    f.put("i64", z, state)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 0)):
        z = f.op(f"xor i64 {z}, {f.op(f'lshr i64 {z}, {shift}')}")
        if factor:
            z = f.op(f"mul i64 {z}, {factor - (1 << 64)}")
    return z


def _choose(f: Function, layout: Layout, first: str, last: str, bits: str) -> str:
    """A slot drawn with random bits: by weight where there are weights, else all alike."""
    total, slots = f.variable("i64", 0), f.variable("i64", 0)
    with f.each(first, last, layout.slot) as child:
        weight = f.call("i64", "weight", f"ptr {child.index}")
        f.put("i64", f.op(f"add i64 {f.get('i64', total)}, {weight}"), total)
        f.put("i64", f.op(f"add i64 {f.get('i64', slots)}, 1"), slots)
    alike = f.op(f"icmp eq i64 {f.get('i64', total)}, 0")
    whole = f.op(f"select i1 {alike}, i64 {f.get('i64', slots)}, i64 {f.get('i64', total)}")
    product = f.op(f"mul i128 {f.op(f'zext i64 {bits} to i128')}, {f.op(f'zext i64 {whole} to i128')}")
    left = f.variable("i64", f.op(f"trunc i128 {f.op(f'lshr i128 {product}, 64')} to i64"))
    chosen = f.variable("ptr", first)
    with f.each(first, last, layout.slot) as child:
        f.put("ptr", child.index, chosen)
        weight = f.op(f"select i1 {alike}, i64 1, i64 {f.call('i64', 'weight', f'ptr {child.index}')}")
        rest, further = f.get("i64", left), f.label()
        f.branch(f.op(f"icmp ult i64 {rest}, {weight}"), child.done, further)
        f.begin(further)
        f.put("i64", f.op(f"sub i64 {rest}, {weight}"), left)
    return f.get("ptr", chosen)


def solve(layout: Layout) -> Function:
    """``solve(state, alpha, beta, depth, top, end, status)``: the payoff of player 0 under best play.

    For a state in which the game is not over. Alpha-beta without a table (Knuth and Moore
    1975), moves that end the game first; player 0 seeks the most, the other the least.
    The value is exact inside ``alpha..beta``, else a bound.
    """
    f = Function("i32 @solve(ptr %s, i32 %alpha, i32 %beta, i32 %depth, ptr %top, ptr %end, ptr noalias %status)")
    breathe(f, "%status", "i32 0")
    _stop(f, f.op("icmp eq i32 %depth, 0"), FULL)
    after = f.call("ptr", "expand", "ptr %s", "ptr %top", "ptr %end", "ptr %status")
    _stop(f, f.op(f"icmp eq ptr {after}, null"), FULL)
    _stop_unless_fine(f, "i32 0")
    _stop(f, f.op(f"icmp eq ptr {after}, %top"), STUCK)
    me = f.get("i32", f.past("%top", layout.size + 4))
    _stop(f, f.op(f"icmp slt i32 {me}, 0"), MIXED)
    bounds = f.variable("i32", "%alpha"), f.variable("i32", "%beta")
    ends = f.label()
    with f.each("%top", after, layout.slot) as child:
        note = f.past(child.index, layout.size + 4)
        _stop(f, f.op(f"icmp ne i32 {f.get('i32', note)}, {me}"), MIXED)
        with f.when(f.call("i1", "over", f"ptr {child.index}")):
            f.put("i32", NATURE, note)  # nobody moves there, so it is not visited again
            _narrow(f, me, bounds, f.call("i32", "first_payoff", f"ptr {child.index}"), ends)
    less = f.op("sub i32 %depth, 1")
    with f.each("%top", after, layout.slot) as child:
        who = f.get("i32", f.past(child.index, layout.size + 4))
        with f.when(f.op(f"icmp ne i32 {who}, {NATURE}")):
            window = (f"i32 {f.get('i32', bounds[0])}", f"i32 {f.get('i32', bounds[1])}", f"i32 {less}")
            memory = (f"ptr {after}", "ptr %end", "ptr %status")
            value = f.call("i32", "solve", f"ptr {child.index}", *window, *memory)
            _stop_unless_fine(f, "i32 0")
            _narrow(f, me, bounds, value, ends)
    f.jump(ends)
    f.begin(ends)
    best = f.op(f"icmp eq i32 {me}, 0"), f.get("i32", bounds[0]), f.get("i32", bounds[1])
    f.ret(f"i32 {f.op(f'select i1 {best[0]}, i32 {best[1]}, i32 {best[2]}')}")
    return f


def _stop(f: Function, condition: str, status: int) -> None:
    with f.when(condition):
        f.put("i32", status, "%status")
        f.ret("i32 0")


def _narrow(f: Function, me: str, bounds: tuple[str, str], value: str, ends: str) -> None:
    """Puts the value of a child into the bounds of the player who moves; jumps to ``ends`` when they meet."""
    for player, (bound, better) in enumerate(zip(bounds, ("smax", "smin"), strict=True)):
        with f.when(f.op(f"icmp {'ne' if player else 'eq'} i32 {me}, 0")):
            before = f.get("i32", bound)
            f.put("i32", f.op(f"call i32 @llvm.{better}.i32(i32 {before}, i32 {value})"), bound)
    more = f.label()
    f.branch(f.op(f"icmp sge i32 {f.get('i32', bounds[0])}, {f.get('i32', bounds[1])}"), ends, more)
    f.begin(more)
