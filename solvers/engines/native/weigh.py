"""How probable a goal is under best play, exactly: values are fractions of 64-bit numbers.

The player seeks the most, the others the least (and choose who moves where several may), chance weighs its
outcomes. No bounds cut anything off: every position is visited once. Denominators grow by the weights and are
reduced when they get large; where 62 bits do not hold one, the walk ends with WIDE and nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator

from monjudge.solvers.engines.native.ir import Function
from monjudge.solvers.engines.native.layout import FULL, LIMIT, Layout
from monjudge.solvers.engines.native.memo import BEST, PLY, RESTS, WON, calc, control, load, store
from monjudge.solvers.engines.native.prove import ABORTED, NO, THAWED, UNKNOWN, abort, breathe, number_of

__all__ = ["CIRCLES", "WIDE", "weigh"]

WIDE, CIRCLES = 7, 8
"""Why a walk ends without a value, besides those of every search: fractions too fine; play goes round in circles."""

_NUMERATOR, _DENOMINATOR = WON, RESTS
"""Entries hold the value where those of a proof hold turns; a denominator of 0 says that there is none yet."""

_FINE, _MOST = 1 << 31, 1 << 62
_MINE, _FOE, _CHANCE = 0, 1, 2
_THAWS = 64


def weigh(layout: Layout) -> Iterator[Function]:
    """``weigh(state, free, end, control, ply)``: 0, with the value in ``numerator`` and ``denominator``, or ABORTED."""
    yield _gcd()
    yield _less()
    yield _reduce()
    yield _add()
    yield _weigh(layout)


def _gcd() -> Function:
    f = Function("internal i64 @gcd(i64 %a, i64 %b)")
    a, b = f.variable("i64", "%a"), f.variable("i64", "%b")
    with f.forever():
        one, other = f.get("i64", a), f.get("i64", b)
        with f.when(calc(f, "icmp eq i64", other, 0)):
            f.ret(f"i64 {one}")
        f.put("i64", other, a)
        f.put("i64", calc(f, "urem i64", one, other), b)
    f.ret("i64 1")
    return f


def _wide(f: Function, number: str) -> str:
    return f.op(f"zext i64 {number} to i128")


def _less() -> Function:
    """``less(n, d, m, e)``: whether n / d < m / e."""
    f = Function("internal i1 @less(i64 %n, i64 %d, i64 %m, i64 %e)")
    left, right = (calc(f, "mul i128", _wide(f, a), _wide(f, b)) for a, b in (("%n", "%e"), ("%m", "%d")))
    f.ret(f"i1 {calc(f, 'icmp ult i128', left, right)}")
    return f


def _reduce() -> Function:
    """``reduce(value)``: in lowest terms, if the denominator has become large."""
    f = Function("internal void @reduce(ptr %value)")
    numerator, denominator = f.get("i64", "%value"), f.get("i64", f.past("%value", 8))
    with f.when(calc(f, "icmp ugt i64", denominator, _FINE)):
        common = f.call("i64", "gcd", f"i64 {denominator}", f"i64 {numerator}")
        f.put("i64", calc(f, "udiv i64", numerator, common), "%value")
        f.put("i64", calc(f, "udiv i64", denominator, common), f.past("%value", 8))
    f.ret("void")
    return f


def _add() -> Function:
    """``add(value, weight, n, d)``: value += weight * n / d; whether it still fits."""
    f = Function("internal i1 @add(ptr %value, i64 %weight, i64 %n, i64 %d)")
    at = f.past("%value", 8)
    a, b = f.get("i64", "%value"), f.get("i64", at)
    left, right = f.variable("i64", 1), f.variable("i64", 1)  # what the two fractions are expanded by
    with f.when(calc(f, "icmp ne i64", b, "%d")):
        common = f.call("i64", "gcd", f"i64 {b}", "i64 %d")
        f.put("i64", calc(f, "udiv i64", "%d", common), left)
        f.put("i64", calc(f, "udiv i64", b, common), right)
    expand, other = _wide(f, f.get("i64", left)), _wide(f, f.get("i64", right))
    share = calc(f, "mul i128", calc(f, "mul i128", _wide(f, "%weight"), _wide(f, "%n")), other)
    numerator = calc(f, "add i128", calc(f, "mul i128", _wide(f, a), expand), share)
    denominator = calc(f, "mul i128", _wide(f, b), expand)
    largest = f.op(f"call i128 @llvm.umax.i128(i128 {numerator}, i128 {denominator})")
    # The weight has 31 bits and the numbers 62, so a share within 128 bits needs a factor below 35.
    fits = calc(f, "and i1", calc(f, "icmp ult i128", largest, _MOST), calc(f, "icmp ult i64", f.get("i64", right), 1 << 34))
    f.put("i64", f.op(f"trunc i128 {numerator} to i64"), "%value")
    f.put("i64", f.op(f"trunc i128 {denominator} to i64"), at)
    f.do("call void @reduce(ptr %value)")
    f.ret(f"i1 {fits}")
    return f


def _result(f: Function, numerator: str | int, denominator: str | int) -> None:
    store(f, "numerator", numerator)
    store(f, "denominator", denominator)
    f.ret("i32 0")


def _weigh(layout: Layout) -> Function:
    f = Function("i32 @weigh(ptr %state, ptr %free, ptr %end, ptr noalias %ctl, i32 %ply)")
    known = f.call("i32", "ending", "ptr %state", "ptr %ctl")
    with f.when(calc(f, "icmp ne i32", known, UNKNOWN)):
        _result(f, f.op(f"zext i32 {known} to i64"), 1)
    with f.when(calc(f, "icmp sge i32", "%ply", load(f, "deepest", "i32"))):
        abort(f, FULL)
    entry = _remember(f)
    breathe(f)
    after = f.call("ptr", "expand", "ptr %state", "ptr %free", "ptr %end", f"ptr {control(f, 'status')}")
    with f.when(calc(f, "icmp eq ptr", after, "null")):
        abort(f, FULL)
    with f.when(calc(f, "icmp ne i32", load(f, "status", "i32"), 0)):
        abort(f, LIMIT)
    best, move = f.place("[2 x i64]"), f.variable("i32", -1)
    f.put("i64", NO, best)
    f.put("i64", 1, f.past(best, 8))
    some = f.label()
    end = f.label()
    f.branch(calc(f, "icmp eq ptr", after, "%free"), end, some)
    f.begin(some)
    _children(f, layout, after, best, move)
    f.jump(end)
    f.begin(end)
    numerator, denominator, kept = f.get("i64", best), f.get("i64", f.past(best, 8)), f.get("ptr", entry)
    with f.when(calc(f, "icmp ne ptr", kept, "null")):
        f.put("i32", -1, f.past(kept, PLY))
        f.put("i32", f.get("i32", move), f.past(kept, BEST))
        f.put("i64", numerator, f.past(kept, _NUMERATOR))
        f.put("i64", denominator, f.past(kept, _DENOMINATOR))
    _result(f, numerator, denominator)
    return f


def _remember(f: Function) -> str:
    """Returns the value that is known of the position; else the variable with its entry."""
    entry, ready, known = f.variable("ptr", "null"), f.label(), f.label()
    strange = f.label()
    f.branch(f.call("i1", "memo_frozen", "ptr %state", "ptr %ctl"), known, strange)
    f.begin(strange)
    with f.when(calc(f, "icmp ugt i64", load(f, "thawed"), _THAWS)):
        abort(f, THAWED)
    f.jump(ready)
    f.begin(known)
    hash = f.call("i64", "memo_key", "ptr %state", "ptr %ctl")
    found = f.call("ptr", "memo_find", f"i64 {hash}", "ptr %ctl")
    old, new = f.label(), f.label()
    f.branch(calc(f, "icmp eq ptr", found, "null"), new, old)
    f.begin(old)
    with f.when(calc(f, "icmp sge i32", f.get("i32", f.past(found, PLY)), 0)):
        abort(f, CIRCLES)
    store(f, "hits", calc(f, "add i64", load(f, "hits"), 1))
    _result(f, f.get("i64", f.past(found, _NUMERATOR)), f.get("i64", f.past(found, _DENOMINATOR)))
    f.begin(new)
    made = f.call("ptr", "memo_enter", f"i64 {hash}", "ptr %ctl")
    with f.when(calc(f, "icmp eq ptr", made, "null")):
        abort(f, FULL)
    f.put("ptr", made, entry)
    f.put("i32", "%ply", f.past(made, PLY))
    f.put("i64", 0, f.past(made, _DENOMINATOR))
    f.jump(ready)
    f.begin(ready)
    return entry


def _children(f: Function, layout: Layout, after: str, best: str, move: str) -> None:
    """Puts the value of a position with moves where ``best`` points, and the player's best one into ``move``."""
    value = {kind: f.place("[2 x i64]") for kind in (_MINE, _FOE, _CHANCE)}
    seen = {kind: f.variable("i32", 0) for kind in value}
    whole = f.variable("i64", 0)
    f.put("i64", 0, value[_CHANCE])
    f.put("i64", 1, f.past(value[_CHANCE], 8))
    player = load(f, "player", "i32")
    with f.each("%free", after, layout.slot) as child:
        note = f.get("i32", f.past(child.index, layout.size + 4))
        number = number_of(f, layout, child.index)
        below = calc(f, "add i32", "%ply", 1)
        got = f.call("i32", "weigh", f"ptr {child.index}", f"ptr {after}", "ptr %end", "ptr %ctl", f"i32 {below}")
        with f.when(calc(f, "icmp ne i32", got, 0)):
            f.ret(f"i32 {ABORTED}")
        numerator, denominator = load(f, "numerator"), load(f, "denominator")
        chance, decision = f.label(), f.label()
        f.branch(calc(f, "icmp slt i32", note, 0), chance, decision)
        f.begin(chance)
        weight = f.op(f"zext i32 {calc(f, 'sub i32', 0, note)} to i64")
        f.put("i64", calc(f, "add i64", f.get("i64", whole), weight), whole)
        f.put("i32", 1, seen[_CHANCE])
        fits = f.call("i1", "add", f"ptr {value[_CHANCE]}", f"i64 {weight}", f"i64 {numerator}", f"i64 {denominator}")
        with f.when(calc(f, "xor i1", fits, "true")):
            abort(f, WIDE)
        f.jump(child.again)
        f.begin(decision)
        for kind in (_MINE, _FOE):
            other, this = f.label(), f.label()
            f.branch(calc(f, f"icmp {'eq' if kind == _MINE else 'ne'} i32", note, player), this, other)
            f.begin(this)
            held = value[kind]
            old = f"i64 {f.get('i64', held)}", f"i64 {f.get('i64', f.past(held, 8))}"
            new = f"i64 {numerator}", f"i64 {denominator}"
            better = f.call("i1", "less", *(old + new if kind == _MINE else new + old))
            first = calc(f, "icmp eq i32", f.get("i32", seen[kind]), 0)
            with f.when(calc(f, "or i1", better, first)):
                f.put("i64", numerator, held)
                f.put("i64", denominator, f.past(held, 8))
                if kind == _MINE:
                    f.put("i32", number, move)
            f.put("i32", 1, seen[kind])
            f.jump(child.again)
            f.begin(other)
    _average(f, value[_CHANCE], seen[_CHANCE], whole)
    chosen = f.variable("i32", 0)
    for kind, held in value.items():
        now = f"i64 {f.get('i64', held)}", f"i64 {f.get('i64', f.past(held, 8))}"
        before = f"i64 {f.get('i64', best)}", f"i64 {f.get('i64', f.past(best, 8))}"
        less = calc(f, "or i1", f.call("i1", "less", *now, *before), calc(f, "icmp eq i32", f.get("i32", chosen), 0))
        with f.when(calc(f, "and i1", less, calc(f, "icmp ne i32", f.get("i32", seen[kind]), 0))):
            f.put("i64", f.get("i64", held), best)
            f.put("i64", f.get("i64", f.past(held, 8)), f.past(best, 8))
            f.put("i32", 1, chosen)


def _average(f: Function, value: str, seen: str, whole: str) -> None:
    """Divides the sum over the outcomes of chance by all their weights."""
    with f.when(calc(f, "icmp ne i32", f.get("i32", seen), 0)):
        at = f.past(value, 8)
        product = calc(f, "mul i128", _wide(f, f.get("i64", at)), _wide(f, f.get("i64", whole)))
        with f.when(calc(f, "icmp uge i128", product, _MOST)):
            abort(f, WIDE)
        f.put("i64", f.op(f"trunc i128 {product} to i64"), at)
        f.do(f"call void @reduce(ptr {value})")
