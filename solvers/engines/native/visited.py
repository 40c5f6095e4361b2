"""The positions that a walk came upon, kept whole: a plain set with a value for each.

An entry is a hash (64 bits), a value (32 bits in 64), then the cells. A place of the index holds the upper half of a hash
and 1 + the number of the entry, from the place of its hash on, so that most strangers are told without a look at an entry. Hashes only
save comparisons: no position is ever taken for another one.
"""

from __future__ import annotations

from collections.abc import Iterator

from monjudge.solvers.engines.native.ir import Function
from monjudge.solvers.engines.native.layout import FULL, Layout

__all__ = ["CELLS", "HEAD", "OPEN", "cell", "load", "more", "op", "store", "visited"]

CELLS = (
    "status", "pace", "ask", "children", "over", "late", "player", "answer", "tried", "left", "choices", "given", "read",
    "decide", "pool", "entries", "capacity", "index", "mask", "most", "last", "settled", "known", "deepest", "move",
)  # fmt: skip
"""The cells of the control block, 64 bits each; the first three are those of ``breath``."""

HEAD = 16
"""Bytes of an entry before the cells."""

OPEN = 0
"""The value of an entry that has none yet."""

_AT = {name: 8 * n for n, name in enumerate(CELLS)}
_FACTOR = 0x9E3779B97F4A7C15
"""2**64 over the golden ratio, odd (Knuth 6.4)."""


def op(f: Function, operation: str, *operands: str | int) -> str:
    """The result of an instruction such as ``add i64`` of some operands."""
    return f.op(f"{operation} {', '.join(map(str, operands))}")


def cell(f: Function, name: str) -> str:
    return f.past("%ctl", _AT[name])


def load(f: Function, name: str, kind: str = "i64") -> str:
    return f.get(kind, cell(f, name))


def store(f: Function, name: str, value: str | int) -> None:
    f.put("i64", value, cell(f, name))


def more(f: Function, name: str, by: int | str = 1) -> str:
    """Adds to a cell; what it held before."""
    before = load(f, name)
    store(f, name, op(f, "add i64", before, by))
    return before


def visited(layout: Layout) -> Iterator[Function]:
    """``hash(state)``, ``known(state)``, ``enter(state, hash)``, ``set(entry, value)`` and what they need; ``%ctl`` is the control block."""
    yield _hash(layout)
    yield _same(layout)
    yield _find(layout)
    yield _place()
    yield _spread(layout)
    yield _enter(layout)
    yield _set()
    yield _known()


def _hash(layout: Layout) -> Function:
    """``hash(state)``: the sum of the products of its words two by two, each with its place mixed in."""
    f, parts = Function("internal i64 @hash(ptr readonly %s)"), list[str]()
    words = [f.get("i64", f.past("%s", at)) for at in range(0, layout.size, 8)]
    for n, word in enumerate(words):
        words[n] = f.op(f"zext i64 {op(f, 'xor i64', word, _signed((2 * n + 1) * _FACTOR))} to i128")
    for n in range(0, len(words), 2):
        product = op(f, "mul i128", words[n], words[n + 1] if n + 1 < len(words) else _FACTOR)
        high = f.op(f"trunc i128 {op(f, 'lshr i128', product, 64)} to i64")
        parts.append(op(f, "xor i64", high, f.op(f"trunc i128 {product} to i64")))
    total = op(f, "mul i64", f.fold("add i64", parts), _signed(_FACTOR))
    f.ret(f"i64 {op(f, 'xor i64', total, op(f, 'lshr i64', total, 32))}")
    return f


def _signed(number: int) -> int:
    """The signed number of the lowest 64 bits."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def _same(layout: Layout) -> Function:
    """``same(a, b)``: whether two positions have the same cells."""
    f = Function("internal i1 @same(ptr readonly %a, ptr readonly %b)")
    words = min(8, layout.size // 8)
    vector, parts = f"<{words} x i64>", list[str]()
    for at in [*range(0, layout.size - 8 * words, 8 * words), layout.size - 8 * words]:
        a, b = (f.op(f"load {vector}, ptr {f.past(p, at)}, align 8") for p in ("%a", "%b"))
        parts.append(op(f, f"xor {vector}", a, b))
    differs = f.call("i64", f"llvm.vector.reduce.or.v{words}i64", f"{vector} {f.fold(f'or {vector}', parts)}")
    f.ret(f"i1 {op(f, 'icmp eq i64', differs, 0)}")
    return f


def _entry(f: Function, number: str, layout: Layout) -> str:
    return f.past(load(f, "pool", "ptr"), op(f, "mul i64", number, HEAD + layout.size))


def _find(layout: Layout) -> Function:
    """``find(state, hash)``: its entry, or null."""
    f = Function("internal ptr @find(ptr readonly %s, i64 %hash, ptr noalias readonly %ctl)")
    index, mask, at = load(f, "index", "ptr"), load(f, "mask"), f.variable("i64", "%hash")
    with f.forever():
        place = op(f, "and i64", f.get("i64", at), mask)
        held = f.get("i64", f.op(f"getelementptr i64, ptr {index}, i64 {place}"))
        with f.when(op(f, "icmp eq i64", held, 0)):
            f.ret("ptr null")
        strange = op(f, "lshr i64", op(f, "xor i64", held, "%hash"), 32)
        with f.when(op(f, "icmp eq i64", strange, 0)):
            entry = _entry(f, op(f, "sub i64", op(f, "and i64", held, 0xFFFFFFFF), 1), layout)
            with f.when(f.call("i1", "same", "ptr %s", f"ptr {f.past(entry, HEAD)}")):
                f.ret(f"ptr {entry}")
        f.put("i64", op(f, "add i64", place, 1), at)
    f.ret("ptr null")
    return f


def _place() -> Function:
    """``place(hash, number)``: puts an entry that is not there into the index."""
    f = Function("internal void @place(i64 %hash, i64 %number, ptr noalias readonly %ctl)")
    index, mask, at = load(f, "index", "ptr"), load(f, "mask"), f.variable("i64", "%hash")
    tag = op(f, "and i64", "%hash", -(1 << 32))
    with f.forever():
        place = op(f, "and i64", f.get("i64", at), mask)
        address = f.op(f"getelementptr i64, ptr {index}, i64 {place}")
        with f.when(op(f, "icmp eq i64", f.get("i64", address), 0)):
            f.put("i64", op(f, "or i64", tag, op(f, "add i64", "%number", 1)), address)
            f.ret("void")
        f.put("i64", op(f, "add i64", place, 1), at)
    f.ret("void")
    return f


def _enter(layout: Layout) -> Function:
    """``enter(state, hash)``: its entry, a new one if there is none; null where there is no room for it."""
    f = Function("internal ptr @enter(ptr readonly %s, i64 %hash, ptr noalias %ctl)")
    found = f.call("ptr", "find", "ptr %s", "i64 %hash", "ptr %ctl")
    with f.when(op(f, "icmp ne ptr", found, "null")):
        f.ret(f"ptr {found}")
    with f.when(op(f, "icmp uge i64", load(f, "entries"), load(f, "capacity"))):
        f.put("i32", FULL, "%ctl")
        f.ret("ptr null")
    number = more(f, "entries")
    entry = _entry(f, number, layout)
    f.put("i64", "%hash", entry)
    f.put("i32", OPEN, f.past(entry, 8))
    f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {f.past(entry, HEAD)}, ptr %s, i64 {layout.size}, i1 false)")
    f.do(f"call void @place(i64 %hash, i64 {number}, ptr %ctl)")
    with f.when(op(f, "icmp ugt i64", op(f, "shl i64", load(f, "entries"), 1), load(f, "mask"))):
        f.do("call void @spread(ptr %ctl)")
    f.ret(f"ptr {entry}")
    return f


def _spread(layout: Layout) -> Function:
    """``spread()``: the index twice as large. It has room for twice as many places as there can be entries."""
    f = Function("internal void @spread(ptr noalias %ctl)")
    mask = op(f, "or i64", op(f, "shl i64", load(f, "mask"), 1), 1)
    store(f, "mask", mask)
    size = op(f, "shl i64", op(f, "add i64", mask, 1), 3)
    f.do(f"call void @llvm.memset.p0.i64(ptr {load(f, 'index', 'ptr')}, i8 0, i64 {size}, i1 false)")
    number = f.variable("i64", 0)
    with f.forever() as loop:
        here, more = f.get("i64", number), f.label()
        f.branch(op(f, "icmp ult i64", here, load(f, "entries")), more, loop.done)
        f.begin(more)
        f.do(f"call void @place(i64 {f.get('i64', _entry(f, here, layout))}, i64 {here}, ptr %ctl)")
        f.put("i64", op(f, "add i64", here, 1), number)
    f.ret("void")
    return f


def _set() -> Function:
    """``set(entry, value)``; counts the entries that are not open."""
    f = Function("internal void @set(ptr %e, i32 %value, ptr noalias %ctl)")
    at = f.past("%e", 8)
    was, is_ = (f.op(f"zext i1 {op(f, 'icmp ne i32', value, OPEN)} to i64") for value in (f.get("i32", at), "%value"))
    more(f, "known", op(f, "sub i64", is_, was))
    f.put("i32", "%value", at)
    f.ret("void")
    return f


def _known() -> Function:
    """``known(state)``: the value of its entry; ``OPEN`` without one."""
    f = Function("internal i32 @known(ptr readonly %s, ptr noalias readonly %ctl)")
    found = f.call("ptr", "find", "ptr %s", f"i64 {f.call('i64', 'hash', 'ptr %s')}", "ptr %ctl")
    with f.when(op(f, "icmp eq ptr", found, "null")):
        f.ret(f"i32 {OPEN}")
    f.ret(f"i32 {f.get('i32', f.past(found, 8))}")
    return f
