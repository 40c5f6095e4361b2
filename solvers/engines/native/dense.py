"""Exhaustion of games whose states can be numbered without many gaps: a bit for each number, no queue and no hashes.

The number of a state has a digit for each cell that some effect may write, in mixed radix: as many values as its interval
has. What is still to be visited is a second bit for each; the numbers are swept in order until none is left. The states
of a cone stand close together in that order, so that the bits which are read lie in the nearest caches.
"""

from __future__ import annotations

import ctypes
import itertools
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from monjudge.model.language import FALSE, TRUE, Expr, RuleSet, State
from monjudge.solvers.engines.native.breath import breathe, told
from monjudge.solvers.engines.native.engine import Native
from monjudge.solvers.engines.native.ir import Function, Module
from monjudge.solvers.engines.native.layout import Layout
from monjudge.solvers.engines.native.llvm import Code
from monjudge.solvers.engines.native.memory import Room
from monjudge.solvers.engines.native.program import program, root

__all__ = ["Dense", "Swept", "numbers", "written"]

MOST = 1 << 28
"""Numbers up to which the bits are swept: two times 32 MiB, some milliseconds for a sweep that finds nothing."""


@dataclass(frozen=True)
class Swept:
    """How many states can be reached, and one of them in which the formula does not hold, where there is one."""

    states: int
    bad: State | None


def written(rules: RuleSet) -> list[int]:
    """The places in a state of the cells that some effect may write, as the intervals of its indices tell."""
    found: set[int] = set()
    effects = [*(e for a in rules.actions for e in a.effects), *(e for t in rules.triggers for e in t.effects)]
    for e in effects:
        spans = [range(max(0, i.lo), min(size - 1, i.hi) + 1) for i, size in zip(e.indices, e.family.dims, strict=True)]
        if e.when is not FALSE:
            found |= {rules.offset[e.family.name] + (e.family.place(at) or 0) for at in itertools.product(*spans)}
    return sorted(found)


def numbers(rules: RuleSet) -> int:
    """How many states there could be by the intervals of the cells that change."""
    return prod(hi - lo + 1 for lo, hi in (rules.bounds[place] for place in written(rules)))


class Dense(Native):
    """A rule set whose states are numbered, and a formula that is looked at in each that is reached.

    Raises ValueError where they are more than ``MOST``.
    """

    def __init__(self, rules: RuleSet, formula: Expr = TRUE, *, memory: int = 1 << 30) -> None:
        super().__init__(rules, memory=memory)
        self.digits = [(place, *rules.bounds[place]) for place in written(rules)]
        self.numbers, self.formula = numbers(rules), formula
        if not self.fits(rules):
            raise ValueError(f"the game {rules.name!r} has {self.numbers:,} states by its intervals, more than {MOST:,}")

    @staticmethod
    def fits(rules: RuleSet) -> bool:
        """Whether the numbers of all states are few enough to be swept."""
        return numbers(rules) <= MOST

    def sweep(self, state: State) -> Swept:
        """All states that can be reached from a settled one. Raises LimitReached where a bound is passed."""
        words = self.numbers // 64 + 1

        def walk(room: Room) -> tuple[tuple[int, int], int]:
            bits, status, bad = Room(16 * words), (ctypes.c_int64 * 3)(*told()), ctypes.c_int64(-1)
            count = self._sweep(room.start, room.end, bits.start, bits.start + 8 * words, words, ctypes.byref(bad), status)
            return (count, bad.value), status[0]

        count, bad = self._walked(state, walk)
        return Swept(count, None if bad < 0 else self._numbered(state, bad))

    def _numbered(self, state: State, number: int) -> State:
        """The state with a number, where the cells that nothing writes are as in another."""
        cells = list(state)
        for place, lo, hi in self.digits:
            number, digit = divmod(number, hi - lo + 1)
            cells[place] = lo + digit
        return tuple(cells)

    @cached_property
    def code(self) -> Code:
        """The compiled module."""
        return Code(program(self.rules, self.layout, self._functions))

    @cached_property
    def _sweep(self) -> Any:
        kinds = (ctypes.c_void_p,) * 4 + (ctypes.c_int64,) + (ctypes.c_void_p,) * 2
        return self._long_walk("sweep", ctypes.c_int64, *kinds)

    def _functions(self, module: Module) -> None:
        root(module, self.layout, "internal i1 @holds", self.formula)
        places = _places(self.layout)
        cells = [(*places[at], lo, hi - lo + 1) for at, lo, hi in self.digits]
        for function in (_number(cells), _write(cells), _sweep(self.layout)):
            module.add(function)


def _places(layout: Layout) -> list[tuple[int, int]]:
    """Of each cell the byte at which it lies in a slot, and its bits."""
    return [
        (layout.offset[f.uid] + n * layout.bits[f.uid] // 8, layout.bits[f.uid]) for f in layout.rules.families for n in range(f.size)
    ]


Cells = list[tuple[int, int, int, int]]
"""Byte, bits, least value and number of values of each digit, the lowest digit first."""


def _number(cells: Cells) -> Function:
    """``number(state)``: the number of a state."""
    f, total, weight = Function("internal i64 @number(ptr readonly %s)"), "0", 1
    for at, bits, lo, span in cells:
        value = f.get(f"i{bits}", f.past("%s", at))
        wide = value if bits == 64 else f.op(f"sext i{bits} {value} to i64")
        digit = f.op(f"sub i64 {wide}, {lo}")
        total = f.op(f"add i64 {total}, {f.op(f'mul i64 {digit}, {weight}')}")
        weight *= span
    f.ret(f"i64 {total}")
    return f


def _write(cells: Cells) -> Function:
    """``write(state, number)``: the state becomes the one with this number."""
    f = Function("internal void @write(ptr %s, i64 %number)")
    rest = "%number"
    for at, bits, lo, span in cells:
        over = f.op(f"udiv i64 {rest}, {span}")
        digit = f.op(f"sub i64 {rest}, {f.op(f'mul i64 {over}, {span}')}")
        value = f.op(f"add i64 {digit}, {lo}")
        f.put(f"i{bits}", value if bits == 64 else f.op(f"trunc i64 {value} to i{bits}"), f.past("%s", at))
        rest = over
    f.ret("void")
    return f


def _sweep(layout: Layout) -> Function:
    """``sweep(state, end, seen, todo, words, bad, status)``: how many states can be reached.

    ``seen`` and ``todo`` have a bit for each number, in so many words. The last state that was visited in which the
    formula does not hold leaves its number in ``bad``.
    """
    f = Function("i64 @sweep(ptr %s, ptr %end, ptr noalias %seen, ptr noalias %todo, i64 %words, ptr noalias %bad, ptr noalias %status)")
    count, at, behind = f.variable("i64", 0), f.variable("i64", 0), f.variable("i64", "%words")
    _enter(f, "%s", at, behind)
    with f.forever() as sweep:
        word = f.get("i64", at)
        end, inside, empty, some = (f.label() for _ in range(4))
        f.branch(f.op(f"icmp uge i64 {word}, %words"), end, inside)
        f.begin(end)
        back = f.get("i64", behind)
        with f.when(f.op(f"icmp uge i64 {back}, %words")):
            f.ret(f"i64 {f.get('i64', count)}")
        f.put("i64", back, at)
        f.put("i64", "%words", behind)
        f.jump(sweep.again)
        f.begin(inside)
        address = f.op(f"getelementptr i64, ptr %todo, i64 {word}")
        bits = f.get("i64", address)
        f.branch(f.op(f"icmp eq i64 {bits}, 0"), empty, some)
        f.begin(empty)
        f.put("i64", f.op(f"add i64 {word}, 1"), at)
        f.jump(sweep.again)
        f.begin(some)
        f.put("i64", f.op(f"and i64 {bits}, {f.op(f'sub i64 {bits}, 1')}"), address)
        bit = f.call("i64", "llvm.cttz.i64", f"i64 {bits}", "i1 true")
        number = f.op(f"or i64 {f.op(f'shl i64 {word}, 6')}, {bit}")
        f.put("i64", f.op(f"add i64 {f.get('i64', count)}, 1"), count)
        _visit(f, layout, number, sweep.again, at, behind)
    f.ret("i64 0")
    return f


def _visit(f: Function, layout: Layout, number: str, again: str, at: str, behind: str) -> None:
    """Looks at the state with a number and enters its children."""
    breathe(f, "%status", "i64 0")
    f.do(f"call void @write(ptr %s, i64 {number})")
    with f.when(f.op(f"xor i1 {f.call('i1', 'holds', 'ptr %s')}, true")):
        f.put("i64", number, "%bad")
    top, some = f.past("%s", layout.slot), f.label()
    after = f.call("ptr", "children", "ptr %s", f"ptr {top}", "ptr %end", "ptr %status")
    with f.when(f.op(f"icmp ne i32 {f.get('i32', '%status')}, 0")):
        f.ret("i64 0")
    f.branch(f.op(f"icmp eq ptr {after}, {top}"), again, some)
    f.begin(some)
    with f.each(top, after, layout.slot) as child:
        _enter(f, child.index, at, behind)


def _enter(f: Function, state: str, at: str, behind: str) -> None:
    """What is new is to be visited: in this sweep, or (``behind`` is the first word of it) in the next one."""
    number = f.call("i64", "number", f"ptr {state}")
    word = f.op(f"lshr i64 {number}, 6")
    bit = f.op(f"shl i64 1, {f.op(f'and i64 {number}, 63')}")
    seen, todo = (f.op(f"getelementptr i64, ptr {bits}, i64 {word}") for bits in ("%seen", "%todo"))
    known = f.get("i64", seen)
    with f.when(f.op(f"icmp eq i64 {f.op(f'and i64 {known}, {bit}')}, 0")):
        f.put("i64", f.op(f"or i64 {known}, {bit}"), seen)
        f.put("i64", f.op(f"or i64 {f.get('i64', todo)}, {bit}"), todo)
        with f.when(f.op(f"icmp ult i64 {word}, {f.get('i64', at)}")):
            first = f.op(f"call i64 @llvm.umin.i64(i64 {f.get('i64', behind)}, i64 {word})")
            f.put("i64", first, behind)
