"""A guard over columns: one array for each cell and parameter, many states and moves at once.

The clauses are computed without any branch in the narrowest registers that their
intervals allow, so that LLVM's loop vectoriser puts 64 checks of bytes into one
instruction. Cells and table entries at a computed place are chosen from all that can be
meant, which is cheaper there than to gather them.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import Any

from monjudge.model.language import (
    ME,
    Expr,
    RuleSet,
    Table,
    both,
    children,
    const,
    maximum,
    minimum,
    rebuild,
    var,
    walk,
)
from monjudge.solvers.engines.native.expressions import literal, spread
from monjudge.solvers.engines.native.ir import Function, Module, bits_for, cut
from monjudge.solvers.engines.native.llvm import Code

__all__ = ["Batch"]

CHOICES = 64
"""Up to so many places are chosen from; more are read from memory one by one."""

LARGEST = 20_000
"""Nodes of a guard with its quantifiers written out."""

_FORMATS = {8: "bB", 16: "hH", 32: "iIlL"}


class Batch:
    """The clauses of one action over columns.

    ``bits`` names the columns that the guard reads: ``me``, parameters, and families (all
    cells one after another, each ``count`` numbers long), with the bits of a number.
    Raises ValueError when the guard is too large to be written out.
    """

    def __init__(self, rules: RuleSet, action: str) -> None:
        self.action = rules.by_name[action]
        guard = _written_out(both(*(c.expr for c in self.action.clauses)), {})
        self._cells = {n.args[0].name: n.args[0].size for n in walk(guard) if n.op == "field"}
        choices = [var(ME, 0, rules.players - 1), *(p.var for p in self.action.params)]
        self.bits = {v.args[0]: bits_for(v.lo, v.hi) for v in choices if v.args[0] in guard.free}
        for name in self.bits.keys() & self._cells.keys():
            raise ValueError(f"in {action} both a parameter and a field are called {name!r}: columns need one name each")
        self.bits |= {f.name: bits_for(f.lo, f.hi) for f in rules.families if f.name in self._cells}
        self.code = Code(_text(guard, self.bits), level=2, columns=True)
        pointers = [ctypes.c_void_p] * (len(self.bits) + 1)
        self._check = ctypes.CFUNCTYPE(None, ctypes.c_int64, *pointers)(self.code.address("check"))

    def __call__(self, columns: Mapping[str, Any], count: int) -> bytearray:
        """One byte for each row, 1 where all clauses hold (turn and end of the game are not asked).

        ``columns`` holds writable buffers (arrays) of numbers as wide as ``bits`` says.
        Raises ValueError naming a column that is missing, too short or of another width.
        """
        given = [self._column(name, columns, count) for name in self.bits]
        out = bytearray(count)
        whole = (ctypes.c_char * count).from_buffer(out)
        self._check(count, *(ctypes.addressof(c) for c in given), ctypes.addressof(whole))
        return out

    def _column(self, name: str, columns: Mapping[str, Any], count: int) -> Any:
        if name not in columns:
            raise ValueError(f"{self.action.name} reads the column {name!r}, which is missing")
        view, bits = memoryview(columns[name]), self.bits[name]
        if view.format not in _FORMATS[bits] or view.itemsize * 8 != bits:
            raise ValueError(f"the column {name!r} holds numbers of {bits} bits, not of the format {view.format!r}")
        needed = count * self._cells.get(name, 1)
        if view.nbytes * 8 < needed * bits:
            raise ValueError(f"the column {name!r} needs {needed} numbers, not {view.nbytes * 8 // bits}")
        return (ctypes.c_char * view.nbytes).from_buffer(view)


def _written_out(node: Expr, memo: dict[int, Expr]) -> Expr:
    """The condition without quantifiers."""
    found = memo.get(node.uid)
    if found is None:
        if node.op in ("all", "any", "sum"):
            found = _written_out(spread(node), memo)
        elif node.depth == 0 or not children(node):
            found = node
        else:
            found = rebuild(node, [_written_out(a, memo) if isinstance(a, Expr) else a for a in node.args])
        memo[node.uid] = found
        if len(memo) > LARGEST:
            raise ValueError(f"a guard of more than {LARGEST:,} nodes is too large to be checked in columns")
    return found


def _text(guard: Expr, bits: Mapping[str, int]) -> str:
    """``check(count, columns..., out)`` as LLVM text."""
    module, names = Module(), {name: f"%c{n}" for n, name in enumerate(bits)}
    params = ", ".join(f"ptr noalias readonly {p}" for p in names.values())
    f = Function(f"void @check(i64 %count, {params + ', ' if params else ''}ptr noalias %out)")
    loop, done, row = f.label(), f.label(), "%row"
    f.branch(f.op("icmp sgt i64 %count, 0"), loop, done)
    f.begin(loop)
    f.do(f"{row} = phi i64 [0, %entry], [%next, %{loop}]")
    result = _Lanes(module, f, names, bits).value(guard)
    f.put("i8", f.op(f"zext i1 {result} to i8"), f.past("%out", row))
    f.do(f"%next = add nsw i64 {row}, 1")
    f.branch(f.op("icmp slt i64 %next, %count"), loop, done)
    f.begin(done)
    f.ret("void")
    module.add(f)
    return module.text()


class _Lanes:
    """Expressions of one row; a value has the bits that its interval needs, a truth value one."""

    def __init__(self, module: Module, f: Function, columns: Mapping[str, str], bits: Mapping[str, int]) -> None:
        self.module, self.f, self.columns, self.bits = module, f, columns, bits
        self._memo: dict[int, str] = {}

    @staticmethod
    def width(*nodes: Expr) -> int:
        """The bits that hold the values of all these numbers."""
        return bits_for(min(n.lo for n in nodes), max(n.hi for n in nodes))

    def value(self, node: Expr, bits: int | None = None) -> str:
        """The register of a value, widened or cut to some bits if they are given."""
        if node.lo == node.hi:
            return literal(node.lo if bits is None else cut(node.lo, bits), node.is_bool)
        found = self._memo.get(node.uid)
        if found is None:
            found = self._memo[node.uid] = self._value(node)
        return found if node.is_bool else self._fit(found, self.width(node), bits)

    def _fit(self, register: str, have: int, bits: int | None) -> str:
        if bits is None or bits == have:
            return register
        return self.f.op(f"{'trunc' if have > bits else 'sext'} i{have} {register} to i{bits}")

    def _value(self, node: Expr) -> str:
        op, args, f = node.op, node.args, self.f
        match op:
            case "var":
                return self._load(node.args[0], 0, node.is_bool)
            case "field":
                return self._cell(node)
            case "table":
                return self._entry(node)
            case "and" | "or":
                return f.fold(f"{op} i1", [self.value(a) for a in args])
            case "not":
                return f.op(f"xor i1 {self.value(args[0])}, true")
            case "eq" | "lt" | "le":
                return self._compare(op, args[0], args[1])
            case "in":
                return self._member(args[0], args[1])
            case "ite":
                kind = "i1" if node.is_bool else f"i{self.width(node)}"
                parts = [self.value(a, self.width(node)) for a in args[1:]]
                return f.op(f"select i1 {self.value(args[0])}, {kind} {parts[0]}, {kind} {parts[1]}")
            case "min" | "max":
                bits = self.width(*args)
                parts = [self.value(a, bits) for a in args]
                return self._fit(reduce(partial(f.extreme, op, bits), parts), bits, self.width(node))
        # Sums and products are right in the bits of their result, whatever the parts need.
        bits = self.width(node)
        if op == "mul":
            return f.op(f"mul i{bits} {self.value(args[1], bits)}, {cut(args[0], bits)}")
        return f.fold(f"add i{bits}", [self.value(a, bits) for a in args])

    def _compare(self, op: str, a: Expr, b: Expr) -> str:
        if a.is_bool:
            return self.f.op(f"icmp eq i1 {self.value(a)}, {self.value(b)}")
        if a.op == "table" and b.is_const and len(a.args) == 2:
            return self._listed(a.args[0], a.args[1], op, b.value)
        bits = self.width(a, b)
        relation = {"eq": "eq", "lt": "slt", "le": "sle"}[op]
        return self.f.op(f"icmp {relation} i{bits} {self.value(a, bits)}, {self.value(b, bits)}")

    def _listed(self, table: Table, index: Expr, op: str, number: int) -> str:
        """Whether an entry compares with a number: whether the index is one of those for which it does."""
        holds = {"eq": operator.eq, "lt": operator.lt, "le": operator.le}[op]
        near = index if index.hi - index.lo <= 4 * table.dims[0] else minimum(maximum(index, -1), table.dims[0])
        return self._member(near, [i for i in range(near.lo, near.hi + 1) if holds(table.at(i), number)])

    def _member(self, node: Expr, numbers: Sequence[int]) -> str:
        """Membership by runs of consecutive numbers."""
        f, bits, runs = self.f, self.width(node), list[list[int]]()
        for n in numbers:
            if runs and runs[-1][-1] == n - 1:
                runs[-1].append(n)
            else:
                runs.append([n])
        found = ["false"]
        for run in runs:
            above = f.op(f"sub i{bits} {self.value(node)}, {run[0]}")
            found.append(f.op(f"icmp ult i{bits} {above}, {len(run)}"))
        return f.fold("or i1", found)

    # -- places ---------------------------------------------------------------------------

    def _load(self, name: str, cell: int | str, is_bool: bool) -> str:
        """The number of the row in one cell of a column."""
        f, bits = self.f, self.bits[name]
        at = cell if isinstance(cell, int) else f.op(f"sext i32 {cell} to i64")
        place = f.op(f"add i64 {f.op(f'mul i64 %count, {at}')}, %row")
        raw = f.get(f"i{bits}", f.op(f"getelementptr inbounds i{bits}, ptr {self.columns[name]}, i64 {place}"))
        return f.op(f"icmp ne i{bits} {raw}, 0") if is_bool else raw

    def _place(self, dims: Sequence[int], indices: Sequence[Expr]) -> tuple[Expr, list[int], str]:
        """The row-major place (a good one in any case), all it can be, and whether the indices lie inside."""
        place, places, inside = const(0), [0], ["true"]
        for index, dim in zip(indices, dims, strict=True):
            if index.lo < 0 or index.hi >= dim:
                bits = bits_for(min(index.lo, 0), max(index.hi, dim))
                inside.append(self.f.op(f"icmp ult i{bits} {self.value(index, bits)}, {dim}"))
                index = minimum(maximum(index, 0), dim - 1)
            place = place * dim + index
            places = [p * dim + i for p in places for i in range(index.lo, index.hi + 1)]
        return place, places, self.f.fold("and i1", inside) if len(inside) > 1 else "true"

    def _cell(self, node: Expr) -> str:
        family, own = node.args[0], self.width(node)

        def read(at: int | str) -> str:
            value = self._load(family.name, at, node.is_bool)
            return value if node.is_bool else self._fit(value, self.bits[family.name], own)

        return self._chosen(node, self._place(family.dims, node.args[2:]), read)

    def _entry(self, node: Expr) -> str:
        table, own = node.args[0], self.width(node)

        def read(at: int | str) -> str:
            if isinstance(at, int):
                return literal(table.values[at], node.is_bool)
            name, bits = self.module.table(table)
            raw = self.f.get(f"i{bits}", self.f.op(f"getelementptr inbounds i{bits}, ptr {name}, i32 {at}"))
            return self.f.op(f"icmp ne i{bits} {raw}, 0") if node.is_bool else self._fit(raw, bits, own)

        return self._chosen(node, self._place(table.dims, node.args[1:]), read)

    def _chosen(self, node: Expr, where: tuple[Expr, list[int], str], read: Callable[[int | str], str]) -> str:
        """What is read at a place, or the default outside."""
        f, (place, places, inside) = self.f, where
        kind = "i1" if node.is_bool else f"i{self.width(node)}"
        if len(places) > CHOICES:
            value = read(self.value(place, 32))
        else:
            bits, value = self.width(place), read(places[0])
            for other in places[1:]:
                here = f.op(f"icmp eq i{bits} {self.value(place)}, {other}")
                value = f.op(f"select i1 {here}, {kind} {read(other)}, {kind} {value}")
        if inside == "true":
            return value
        return f.op(f"select i1 {inside}, {kind} {value}, {kind} {literal(node.args[0].default, node.is_bool)}")
