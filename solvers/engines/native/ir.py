"""LLVM text, written block by block: a function, its loops, and a module of functions and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from monjudge.model.language import Table

__all__ = ["APART", "Function", "Loop", "Module", "bits_for", "cut"]

APART = "noinline"
"""For functions of large rule sets: one function of everything takes LLVM half as long again, and is no faster."""


def bits_for(lo: int, hi: int) -> int:
    """The least of 8, 16, 32, 64 bits that holds every signed number of ``lo..hi``."""
    return next(bits for bits in (8, 16, 32, 64) if -(1 << bits - 1) <= lo and hi < 1 << bits - 1)


def cut(number: int, bits: int) -> int:
    """The signed number that is left in so many bits."""
    return (number + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop: its number (if it counts), the label of the next round and of the way out."""

    index: str
    again: str
    done: str


class Function:
    """One function. Registers and labels are numbered in order, so the text depends on nothing else.

    After a jump or return nothing is written until the next block begins.
    """

    def __init__(self, head: str) -> None:
        self.block = "entry"
        self._head, self._places, self._lines = head, list[str](), list[str]()
        self._count, self._ended = 0, False

    def text(self) -> str:
        return "\n".join([f"define {self._head} {{", "entry:", *self._places, *self._lines, "}"])

    # -- instructions ---------------------------------------------------------------------

    def op(self, text: str) -> str:
        """Appends an instruction with a result; returns the register."""
        self._count += 1
        name = f"%v{self._count}"
        self.do(f"{name} = {text}")
        return name

    def do(self, text: str) -> None:
        """Appends an instruction without a result."""
        if not self._ended:
            self._lines.append(f" {text}")

    def call(self, kind: str, name: str, *arguments: str) -> str:
        """The result of a function; an argument is its type and value."""
        return self.op(f"call {kind} @{name}({', '.join(arguments)})")

    def extreme(self, op: str, bits: int, a: str, b: str) -> str:
        """The ``min`` or ``max`` of two signed numbers."""
        return self.call(f"i{bits}", f"llvm.s{op}.i{bits}", f"i{bits} {a}", f"i{bits} {b}")

    def fold(self, operation: str, parts: Sequence[str]) -> str:
        """An operation such as ``add i32`` over one value or more."""
        total = parts[0]
        for part in parts[1:]:
            total = self.op(f"{operation} {total}, {part}")
        return total

    def past(self, pointer: str, offset: int | str) -> str:
        """The address some bytes past a pointer."""
        return self.op(f"getelementptr inbounds i8, ptr {pointer}, i64 {offset}")

    def get(self, kind: str, address: str) -> str:
        return self.op(f"load {kind}, ptr {address}")

    def put(self, kind: str, value: str | int, address: str) -> None:
        self.do(f"store {kind} {value}, ptr {address}")

    def ret(self, value: str) -> None:
        """Returns a value, given with its type."""
        self.do(f"ret {value}")
        self._ended = True

    def place(self, kind: str, align: int = 0) -> str:
        """Memory of the function itself, made once on entry."""
        self._count += 1
        name = f"%m{self._count}"
        self._places.append(f" {name} = alloca {kind}{f', align {align}' if align else ''}")
        return name

    def variable(self, kind: str, value: str | int) -> str:
        """A place with a first value; LLVM turns it into registers."""
        name = self.place(kind)
        self.put(kind, value, name)
        return name

    # -- blocks ---------------------------------------------------------------------------

    def label(self) -> str:
        """A new label; ``begin`` says where it stands."""
        self._count += 1
        return f"b{self._count}"

    def begin(self, label: str) -> None:
        """Starts the block of a label. The block before must have ended."""
        self._lines.append(f"{label}:")
        self.block, self._ended = label, False

    def jump(self, label: str) -> None:
        self.do(f"br label %{label}")
        self._ended = True

    def branch(self, condition: str, yes: str, no: str) -> None:
        self.do(f"br i1 {condition}, label %{yes}, label %{no}")
        self._ended = True

    def phi(self, kind: str, *edges: tuple[str, str]) -> str:
        """The value of the edge (value, block) by which this block was reached."""
        return self.op(f"phi {kind} {', '.join(f'[{value}, %{block}]' for value, block in edges)}")

    @contextmanager
    def when(self, condition: str) -> Iterator[None]:
        """Code for where a condition holds."""
        yes, end = self.label(), self.label()
        self.branch(condition, yes, end)
        self.begin(yes)
        yield
        self.jump(end)
        self.begin(end)

    @contextmanager
    def forever(self) -> Iterator[Loop]:
        """A loop that is left by a jump."""
        loop = Loop("", self.label(), self.label())
        self.jump(loop.again)
        self.begin(loop.again)
        yield loop
        self.jump(loop.again)
        self.begin(loop.done)

    @contextmanager
    def counted(self, lo: int, hi: int) -> Iterator[Loop]:
        """A loop over ``lo..hi`` (not empty), both constants."""
        number, head = self.variable("i32", lo), self.label()
        self.jump(head)
        self.begin(head)
        loop = Loop(self.get("i32", number), self.label(), self.label())
        yield loop
        self.jump(loop.again)
        self.begin(loop.again)
        after = self.op(f"add nsw i32 {loop.index}, 1")
        self.put("i32", after, number)
        self.branch(self.op(f"icmp sle i32 {after}, {hi}"), head, loop.done)
        self.begin(loop.done)

    @contextmanager
    def members(self, mask: str) -> Iterator[Loop]:
        """A loop over the numbers of the set bits of a 64-bit mask."""
        rest, head, body = self.variable("i64", mask), self.label(), self.label()
        self.jump(head)
        self.begin(head)
        left, again, done = self.get("i64", rest), self.label(), self.label()
        self.branch(self.op(f"icmp ne i64 {left}, 0"), body, done)
        self.begin(body)
        bit = self.op(f"trunc i64 {self.call('i64', 'llvm.cttz.i64', f'i64 {left}', 'i1 true')} to i32")
        yield Loop(bit, again, done)
        self.jump(again)
        self.begin(again)
        self.put("i64", self.op(f"and i64 {left}, {self.op(f'sub i64 {left}, 1')}"), rest)
        self.jump(head)
        self.begin(done)

    @contextmanager
    def each(self, first: str, last: str, step: int) -> Iterator[Loop]:
        """A loop over the addresses from ``first`` to before ``last`` (not the same), ``step`` bytes apart."""
        at, head = self.variable("ptr", first), self.label()
        self.jump(head)
        self.begin(head)
        loop = Loop(self.get("ptr", at), self.label(), self.label())
        yield loop
        self.jump(loop.again)
        self.begin(loop.again)
        after = self.past(loop.index, step)
        self.put("ptr", after, at)
        self.branch(self.op(f"icmp eq ptr {after}, {last}"), loop.done, head)
        self.begin(loop.done)


class Module:
    """The text of one module: functions and the constant tables they look up."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._tables: dict[int, tuple[str, int]] = {}
        self._arrays: dict[tuple[int, tuple[int, ...]], str] = {}

    def add(self, function: Function) -> None:
        self._parts.append(function.text())

    def table(self, table: Table) -> tuple[str, int]:
        """The name of the constant array of a table, and the bits of an entry."""
        found = self._tables.get(table.uid)
        if found is None:
            name, bits = f"@table{len(self._tables)}", bits_for(min(table.values), max(table.values))
            found = self._tables[table.uid] = name, bits
            entries = ", ".join(f"i{bits} {v}" for v in table.values)
            self._parts.append(f"{name} = private unnamed_addr constant [{len(table.values)} x i{bits}] [{entries}]")
        return found

    def words(self, numbers: Sequence[int]) -> str:
        """The name of a constant array of 64-bit numbers."""
        return self.numbers(numbers, 64)

    def numbers(self, numbers: Sequence[int], bits: int) -> str:
        """The name of a constant array of numbers of so many bits."""
        key = bits, tuple(numbers)
        name = self._arrays.get(key)
        if name is None:
            name = self._arrays[key] = f"@numbers{len(self._arrays)}"
            entries = ", ".join(f"i{bits} {n}" for n in numbers)
            self._parts.append(f"{name} = private unnamed_addr constant [{len(numbers)} x i{bits}] [{entries}]")
        return name

    def text(self) -> str:
        return "\n".join(self._parts) + "\n"
