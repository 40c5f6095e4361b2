"""The memory of a search: positions already settled, stored whole, so that two can never be taken for one another.

An entry is a head and the key of its position. The key is the bits of the state that may differ from the position
the search began with (see ``squeeze``); that all others are as they were is checked for every position
(``memo_frozen``). The index holds 32 bits of the hash and the
number of the entry, so that most misses touch one cache line only. When all entries are taken those that cost
least to find are given up; a position on the path of the search stays.
"""

from __future__ import annotations

from collections.abc import Iterator

from monjudge.solvers.engines.native.ir import Function
from monjudge.solvers.engines.native.layout import Layout
from monjudge.solvers.engines.native.squeeze import STEP

__all__ = ["BEST", "CONTROL", "HEAD", "LOST", "NEVER", "PLY", "RESTS", "SEEDS", "UNSURE", "WON", "WORK", "calc", "control", "load", "memo", "store"]

CONTROL = (
    "status", "nodes", "pace", "callback", "goal", "player", "deadline", "turns", "assumed", "deepest",
    "limits", "history", "root", "frozen", "words", "steps", "steps_end", "key", "pool", "stride", "next", "capacity",
    "free", "count", "index", "mask", "most", "floor", "hits", "swept", "thaw", "thawed",
    "remembers", "ordered", "replies", "held", "holding", "signals",
    "numerator", "denominator", "hopeless",
)  # fmt: skip
"""The cells of the control block, 64 bits each: what the caller and the search tell one another."""

HEAD = 40
"""Bytes before the key of an entry: hash, best move (32 bits), ply on the path or -1 (32), the fewest turns in which
it is won (32), the most in which it is not (32), the nodes it took, the ply of a position on which the result rests,
or -1 (32), and the turns for which it is unknown (32)."""

NEVER = 1 << 20
"""More turns than any search asks about."""

BEST, PLY, WON, LOST, WORK, RESTS, UNSURE = 8, 12, 16, 20, 24, 32, 36
"""Where the parts of an entry lie."""

_AT = {name: 8 * n for n, name in enumerate(CONTROL)}


def _signed(number: int) -> int:
    return number - (1 << 64) if number >= 1 << 63 else number


def _seeds(count: int) -> tuple[int, ...]:
    """Random 64-bit numbers: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    found, state, whole = [], 0, (1 << 64) - 1
    for _ in range(count):
        state = z = (state + 0x9E3779B97F4A7C15) & whole
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            z = ((z ^ (z >> shift)) * factor) & whole
        found.append(_signed(z ^ (z >> 31)))
    return tuple(found)


SEEDS = _seeds(512)
"""One for each word of a key."""


def control(f: Function, name: str) -> str:
    """The address of a cell of the control block."""
    return f.past("%ctl", _AT[name])


def load(f: Function, name: str, kind: str = "i64") -> str:
    """What a cell of the control block holds."""
    return f.get(kind, control(f, name))


def store(f: Function, name: str, value: str | int, kind: str = "i64") -> None:
    f.put(kind, value, control(f, name))


def calc(f: Function, operation: str, *operands: str | int) -> str:
    """The result of an instruction such as ``add i64`` of some operands."""
    return f.op(f"{operation} {', '.join(map(str, operands))}")


def memo(layout: Layout) -> Iterator[Function]:
    """The functions of the memory; ``%ctl`` is the control block."""
    yield _frozen(layout)
    yield _key()
    yield _same()
    yield _find()
    yield _place()
    yield _rebuild()
    yield _sweep()
    yield _enter()
    yield _off_path()
    yield _rekey(layout)
    yield _hold()
    yield _drop()
    yield _promote()


def _key() -> Function:
    """``memo_key(state)``: writes the key to where ``key`` points; its hash."""
    f = Function("internal i64 @memo_key(ptr readonly %s, ptr noalias %ctl)")
    out, total, word = f.variable("ptr", load(f, "key", "ptr")), f.variable("i64", 0), f.variable("i64", 0)
    with f.each(load(f, "steps", "ptr"), load(f, "steps_end", "ptr"), STEP.size) as step:
        offset, mask, turn, seed = (f.get("i64", f.past(step.index, 8 * n)) for n in range(4))
        bits = calc(f, "and i64", f.get("i64", f.past("%s", offset)), mask)
        turned = f.call("i64", "llvm.fshl.i64", f"i64 {bits}", f"i64 {bits}", f"i64 {turn}")
        value = calc(f, "or i64", turned, f.get("i64", word))
        f.put("i64", value, word)
        with f.when(calc(f, "icmp ne i64", seed, 0)):
            to = f.get("ptr", out)
            f.put("i64", value, to)
            f.put("ptr", f.past(to, 8), out)
            f.put("i64", 0, word)
            f.put("i64", calc(f, "add i64", _folded(f, calc(f, "xor i64", value, seed)), f.get("i64", total)), total)
    h = f.get("i64", total)
    h = calc(f, "mul i64", calc(f, "xor i64", h, calc(f, "lshr i64", h, 29)), _signed(0xBF58476D1CE4E5B9))
    h = calc(f, "xor i64", h, calc(f, "lshr i64", h, 32))
    f.ret(f"i64 {h}")
    return f


def _folded(f: Function, value: str) -> str:
    """Both halves of a product, one over the other."""
    product = calc(f, "mul i128", f.op(f"zext i64 {value} to i128"), 0x9E3779B97F4A7C15)
    high = f.op(f"trunc i128 {calc(f, 'lshr i128', product, 64)} to i64")
    return calc(f, "xor i64", high, f.op(f"trunc i128 {product} to i64"))


def _frozen(layout: Layout) -> Function:
    """``memo_frozen(state)``: whether all bits that are in no key are those of the root; if not, which ones goes to ``thaw``."""
    f = Function("internal i1 @memo_frozen(ptr readonly %s, ptr noalias %ctl)")
    root, frozen = load(f, "root", "ptr"), load(f, "frozen", "ptr")
    words = min(8, layout.size // 8)
    vector, parts = f"<{words} x i64>", {}
    for at in [*range(0, layout.size - 8 * words, 8 * words), layout.size - 8 * words]:
        here, there, kept = (f.op(f"load {vector}, ptr {f.past(p, at)}, align 8") for p in ("%s", root, frozen))
        parts[at] = calc(f, f"and {vector}", calc(f, f"xor {vector}", here, there), kept)
    differs = f.call("i64", f"llvm.vector.reduce.or.v{words}i64", f"{vector} {f.fold(f'or {vector}', [*parts.values()])}")
    with f.when(calc(f, "icmp eq i64", differs, 0)):
        f.ret("i1 true")
    for at, part in parts.items():
        to = f.past(load(f, "thaw", "ptr"), at)
        more = calc(f, f"or {vector}", part, f.op(f"load {vector}, ptr {to}, align 8"))
        f.do(f"store {vector} {more}, ptr {to}, align 8")
    store(f, "thawed", calc(f, "add i64", load(f, 'thawed'), 1))
    f.ret("i1 false")
    return f


def _same() -> Function:
    f = Function("internal i1 @memo_same(ptr readonly %a, ptr readonly %b, i64 %words)")
    other = f.variable("ptr", "%b")
    with f.each("%a", f.past("%a", f.op("shl i64 %words, 3")), 8) as word:
        at = f.get("ptr", other)
        with f.when(calc(f, "icmp ne i64", f.get('i64', word.index), f.get('i64', at))):
            f.ret("i1 false")
        f.put("ptr", f.past(at, 8), other)
    f.ret("i1 true")
    return f


def _entry(f: Function, number: str) -> str:
    return f.past(load(f, "pool", "ptr"), calc(f, "mul i64", number, load(f, 'stride')))


def _find() -> Function:
    """``memo_find(hash)``: the entry whose key is the one just written, or null."""
    f = Function("internal ptr @memo_find(i64 %hash, ptr noalias readonly %ctl)")
    index, mask, at = load(f, "index", "ptr"), load(f, "mask"), f.variable("i64", "%hash")
    with f.forever():
        place = calc(f, "and i64", f.get('i64', at), mask)
        cell = f.get("i64", f.op(f"getelementptr i64, ptr {index}, i64 {place}"))
        with f.when(calc(f, "icmp eq i64", cell, 0)):
            f.ret("ptr null")
        differs = calc(f, "lshr i64", calc(f, "xor i64", cell, "%hash"), 32)
        with f.when(calc(f, "icmp eq i64", differs, 0)):
            entry = _entry(f, calc(f, "sub i64", calc(f, "and i64", cell, 0xFFFFFFFF), 1))
            key = load(f, "key", "ptr")
            with f.when(f.call("i1", "memo_same", f"ptr {f.past(entry, HEAD)}", f"ptr {key}", f"i64 {load(f, 'words')}")):
                f.ret(f"ptr {entry}")
        f.put("i64", calc(f, "add i64", place, 1), at)
    f.ret("ptr null")
    return f


def _place() -> Function:
    """``memo_place(hash, number)``: puts an entry into the index."""
    f = Function("internal void @memo_place(i64 %hash, i64 %number, ptr noalias readonly %ctl)")
    index, mask, at = load(f, "index", "ptr"), load(f, "mask"), f.variable("i64", "%hash")
    tag = calc(f, "and i64", "%hash", -(1 << 32))
    with f.forever():
        place = calc(f, "and i64", f.get('i64', at), mask)
        address = f.op(f"getelementptr i64, ptr {index}, i64 {place}")
        with f.when(calc(f, "icmp eq i64", f.get('i64', address), 0)):
            f.put("i64", calc(f, "or i64", tag, f.op('add i64 %number, 1')), address)
            f.ret("void")
        f.put("i64", calc(f, "add i64", place, 1), at)
    f.ret("void")
    return f


def _rebuild() -> Function:
    """``memo_rebuild()``: the index anew, from the entries that are in use (their hash is not 0)."""
    f = Function("internal void @memo_rebuild(ptr noalias readonly %ctl)")
    size = calc(f, "shl i64", calc(f, "add i64", load(f, "mask"), 1), 3)
    f.do(f"call void @llvm.memset.p0.i64(ptr {load(f, 'index', 'ptr')}, i8 0, i64 {size}, i1 false)")
    with _numbers(f) as (number, entry, _):
        value = f.get("i64", entry)
        with f.when(calc(f, "icmp ne i64", value, 0)):
            f.do(f"call void @memo_place(i64 {value}, i64 {number}, ptr %ctl)")
    f.ret("void")
    return f


class _numbers:
    """A loop over all entries that were ever taken: their number and address, and the label of the next round."""

    def __init__(self, f: Function) -> None:
        self.f, self.number = f, f.variable("i64", 0)
        self.loop = f.forever()

    def __enter__(self) -> tuple[str, str, str]:
        f, loop = self.f, self.loop.__enter__()
        number, more = f.get("i64", self.number), f.label()
        f.branch(calc(f, "icmp ult i64", number, load(f, 'next')), more, loop.done)
        f.begin(more)
        f.put("i64", calc(f, "add i64", number, 1), self.number)
        return number, _entry(f, number), loop.again

    def __exit__(self, *error: object) -> None:
        self.loop.__exit__(None, None, None)


def _sweep() -> Function:
    """``memo_sweep()``: gives up at least a quarter of the entries, the cheapest, if so many are off the path."""
    f = Function("internal void @memo_sweep(ptr noalias %ctl)")
    with f.forever() as again:
        floor = load(f, "floor")
        with _numbers(f) as (number, entry, _):
            used = calc(f, "icmp ne i64", f.get('i64', entry), 0)
            # Both are negative only off the path and resting on nothing there.
            both = calc(f, "and i32", f.get("i32", f.past(entry, PLY)), f.get("i32", f.past(entry, RESTS)))
            off = calc(f, "icmp slt i32", both, 0)
            cheap = calc(f, "icmp ule i64", f.get('i64', f.past(entry, WORK)), floor)
            with f.when(f.fold("and i1", [used, off, cheap])):
                f.put("i64", 0, entry)
                f.put("i64", load(f, "free"), f.past(entry, WORK))
                store(f, "free", calc(f, "add i64", number, 1))
                store(f, "count", calc(f, "sub i64", load(f, 'count'), 1))
        enough = calc(f, "icmp ule i64", calc(f, "mul i64", load(f, "count"), 4), calc(f, "mul i64", load(f, "capacity"), 3))
        highest = calc(f, "icmp ugt i64", floor, 1 << 50)
        more = f.label()
        f.branch(calc(f, "or i1", enough, highest), again.done, more)
        f.begin(more)
        store(f, "floor", calc(f, "mul i64", floor, 4))
    store(f, "floor", calc(f, "udiv i64", calc(f, "add i64", load(f, "floor"), 3), 4))
    store(f, "swept", calc(f, "add i64", load(f, 'swept'), 1))
    f.do("call void @memo_rebuild(ptr %ctl)")
    f.ret("void")
    return f


def _enter() -> Function:
    """``memo_enter(hash)``: a new entry for the key just written; null where there is no room."""
    f = Function("internal ptr @memo_enter(i64 %given, ptr noalias %ctl)")
    hash = f.op(f"select i1 {f.op('icmp eq i64 %given, 0')}, i64 1, i64 %given")
    unused = calc(f, "icmp ult i64", load(f, 'next'), load(f, 'capacity'))
    none = calc(f, "and i1", calc(f, "icmp eq i64", load(f, "free"), 0), calc(f, "xor i1", unused, "true"))
    with f.when(none):
        f.do("call void @memo_sweep(ptr %ctl)")
        with f.when(calc(f, "icmp eq i64", load(f, 'free'), 0)):
            f.ret("ptr null")
    number = f.variable("i64", load(f, "next"))
    free, fresh, found = load(f, "free"), f.label(), f.label()
    reuse = f.label()
    f.branch(calc(f, "icmp ne i64", free, 0), reuse, fresh)
    f.begin(reuse)
    f.put("i64", calc(f, "sub i64", free, 1), number)
    store(f, "free", f.get("i64", f.past(_entry(f, f.get("i64", number)), WORK)))
    f.jump(found)
    f.begin(fresh)
    store(f, "next", calc(f, "add i64", f.get('i64', number), 1))
    f.jump(found)
    f.begin(found)
    store(f, "count", calc(f, "add i64", load(f, 'count'), 1))
    entry = _entry(f, f.get("i64", number))
    f.put("i64", hash, entry)
    for at, value in ((BEST, -1), (PLY, -1), (WON, NEVER), (LOST, 0), (RESTS, -1), (UNSURE, 0)):
        f.put("i32", value, f.past(entry, at))
    f.put("i64", 0, f.past(entry, WORK))
    _copy_key(f, entry)
    crowded = calc(f, "icmp ugt i64", calc(f, "shl i64", load(f, "count"), 1), load(f, 'mask'))
    can_grow = calc(f, "icmp ult i64", load(f, 'mask'), load(f, 'most'))
    grow, insert, end = f.label(), f.label(), f.label()
    f.branch(calc(f, "and i1", crowded, can_grow), grow, insert)
    f.begin(grow)
    store(f, "mask", calc(f, "or i64", calc(f, "shl i64", load(f, "mask"), 1), 1))
    f.do("call void @memo_rebuild(ptr %ctl)")
    f.jump(end)
    f.begin(insert)
    f.do(f"call void @memo_place(i64 {hash}, i64 {f.get('i64', number)}, ptr %ctl)")
    f.jump(end)
    f.begin(end)
    f.ret(f"ptr {entry}")
    return f


def _off_path() -> Function:
    """``memo_off_path()``: after a search that stopped in the middle, no position is on its path."""
    f = Function("void @memo_off_path(ptr noalias %ctl)")
    with _numbers(f) as (_, entry, _again):
        f.put("i32", -1, f.past(entry, PLY))
        f.put("i32", -1, f.past(entry, RESTS))
    store(f, "holding", 0)
    f.ret("void")
    return f


def _rekey(layout: Layout) -> Function:
    """``memo_rekey(steps, end, stride, scratch)``: entries with keys written by these steps get those of the steps of today.

    What more is in the keys now was in all of them as in the root. Entries do not become shorter, so the last moves first.
    """
    f = Function("void @memo_rekey(ptr %steps, ptr %end, i64 %stride, ptr %scratch, ptr noalias %ctl)")
    left, pool, root = f.variable("i64", load(f, "next")), load(f, "pool", "ptr"), load(f, "root", "ptr")
    old, state = "%scratch", f.past("%scratch", layout.size + 64)
    f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {state}, ptr {root}, i64 {layout.size}, i1 false)")
    with f.forever() as loop:
        count, more = f.get("i64", left), f.label()
        f.branch(calc(f, "icmp ne i64", count, 0), more, loop.done)
        f.begin(more)
        number = calc(f, "sub i64", count, 1)
        f.put("i64", number, left)
        entry = f.past(pool, calc(f, "mul i64", number, "%stride"))
        f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {old}, ptr {entry}, i64 %stride, i1 false)")
        entry = _entry(f, number)
        f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {entry}, ptr {old}, i64 {HEAD}, i1 false)")
        with f.when(calc(f, "icmp ne i64", f.get("i64", old), 0)):
            _unkey(f, f.past(old, HEAD), state)
            hash = f.call("i64", "memo_key", f"ptr {state}", "ptr %ctl")
            f.put("i64", f.op(f"select i1 {calc(f, 'icmp eq i64', hash, 0)}, i64 1, i64 {hash}"), entry)
            _copy_key(f, entry)
    f.do("call void @memo_rebuild(ptr %ctl)")
    f.ret("void")
    return f


def _unkey(f: Function, key: str, state: str) -> None:
    """Puts the bits of a key, written by the steps from ``%steps`` to ``%end``, back into a state."""
    word = f.variable("ptr", key)
    with f.each("%steps", "%end", STEP.size) as step:
        offset, mask, turn, seed = (f.get("i64", f.past(step.index, 8 * n)) for n in range(4))
        value, to = f.get("i64", f.get("ptr", word)), f.past(state, offset)
        bits = calc(f, "and i64", f.call("i64", "llvm.fshr.i64", f"i64 {value}", f"i64 {value}", f"i64 {turn}"), mask)
        others = calc(f, "and i64", f.get("i64", to), calc(f, "xor i64", mask, -1))
        f.put("i64", calc(f, "or i64", others, bits), to)
        with f.when(calc(f, "icmp ne i64", seed, 0)):
            f.put("ptr", f.past(f.get("ptr", word), 8), word)


def _copy_key(f: Function, entry: str) -> None:
    """Puts the key that was just written into an entry."""
    size = calc(f, "shl i64", load(f, "words"), 3)
    f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {f.past(entry, HEAD)}, ptr {load(f, 'key', 'ptr')}, i64 {size}, i1 false)")


# What is not won, or unknown, only because a position on the path counts as not won is held until that one is settled.


def _held(f: Function, number: str) -> str:
    return f.op(f"getelementptr ptr, ptr {load(f, 'held', 'ptr')}, i64 {number}")


def _hold() -> Function:
    """``memo_hold(entry, ply)``: its result holds as long as the positions on the path from this ply on are not won."""
    f = Function("internal void @memo_hold(ptr %e, i32 %ply, ptr noalias %ctl)")
    f.put("i32", "%ply", f.past("%e", RESTS))
    f.put("ptr", "%e", _held(f, load(f, "holding")))
    store(f, "holding", calc(f, "add i64", load(f, "holding"), 1))
    f.ret("void")
    return f


def _drop() -> Function:
    """``memo_drop(mark)``: forgets what was held since there were ``mark`` of them."""
    f = Function("internal void @memo_drop(i64 %mark, ptr noalias %ctl)")
    with f.forever() as loop:
        count, more = load(f, "holding"), f.label()
        f.branch(calc(f, "icmp ugt i64", count, "%mark"), more, loop.done)
        f.begin(more)
        last = calc(f, "sub i64", count, 1)
        entry = f.get("ptr", _held(f, last))
        f.put("i32", -1, f.past(entry, RESTS))
        f.put("i32", 0, f.past(entry, UNSURE))
        store(f, "holding", last)
    f.ret("void")
    return f


def _promote() -> Function:
    """``memo_promote(mark, ply, lost)``: what was held and rests on nothing above this ply, whose position is not won
    (``lost``), or unknown: then only what is unknown as well is certain.
    """
    f = Function("internal void @memo_promote(i64 %mark, i32 %ply, i1 %lost, ptr noalias %ctl)")
    at, kept, end = f.variable("i64", "%mark"), f.variable("i64", "%mark"), load(f, "holding")
    turns = load(f, "turns", "i32")
    with f.forever() as loop:
        number, more = f.get("i64", at), f.label()
        f.branch(calc(f, "icmp ult i64", number, end), more, loop.done)
        f.begin(more)
        f.put("i64", calc(f, "add i64", number, 1), at)
        entry = f.get("ptr", _held(f, number))
        stays, sure = f.label(), f.label()
        f.branch(calc(f, "icmp slt i32", f.get("i32", f.past(entry, RESTS)), "%ply"), stays, sure)
        f.begin(stays)
        f.put("ptr", entry, _held(f, f.get("i64", kept)))
        f.put("i64", calc(f, "add i64", f.get("i64", kept), 1), kept)
        f.jump(loop.again)
        f.begin(sure)
        f.put("i32", -1, f.past(entry, RESTS))
        is_no = calc(f, "icmp ne i32", f.get("i32", f.past(entry, UNSURE)), turns)
        with f.when(calc(f, "and i1", "%lost", is_no)):
            f.put("i32", turns, f.past(entry, LOST))
    store(f, "holding", f.get("i64", kept))
    f.ret("void")
    return f
