"""One expression as LLVM code: numbers in 32-bit registers, truth values in one bit.

Small conditions are computed without branches; large ones as jumping code that stops at
the first part that decides. Quantifiers are sets where every value fits one bit
(``sets``), written out where tiny, else loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from monjudge.model.language import TRUE, Expr, Family, Table, add, both, children, either, substitute
from monjudge.solvers.engines.native.facts import Facts
from monjudge.solvers.engines.native.ir import Function, Module
from monjudge.solvers.engines.native.layout import Layout
from monjudge.solvers.engines.native.sets import Sets

__all__ = ["Translator", "literal", "spread"]

STRAIGHT = 96
"""Conditions up to this cost (about instructions) are computed without branches: a wrong guess costs as much."""

TINY = 12
"""Quantifiers up to this cost are written out."""

_COMPARE = {"lt": "slt", "le": "sle", "eq": "eq"}


def literal(number: int, is_bool: bool) -> str:
    """A constant as LLVM writes it."""
    return str(bool(number)).lower() if is_bool else str(number)


def spread(node: Expr) -> Expr:
    """A quantifier written out over the values of its variable."""
    variable, body = node.args
    parts = (substitute(body, {variable.args[0]: n}) for n in range(variable.lo, variable.hi + 1))
    return {"all": both, "any": either, "sum": add}[node.op](*parts)


def _span(node: Expr) -> int:
    variable = node.args[0]
    return int(variable.hi - variable.lo + 1)


class Translator:
    """Writes expressions over one packed state into one function.

    ``base`` points to the state (for some families ``held`` does), ``after`` to the next one
    where expressions may speak of it; ``env`` holds the registers of the free variables; ``fresh`` says that cells were
    just written. What was computed is used again where it dominates: see ``aside``.
    """

    def __init__(
        self, module: Module, function: Function, layout: Layout, base: str,
        env: Mapping[str, str] | None = None, facts: Facts | None = None, after: str | None = None,
        held: Mapping[int, str] | None = None, fresh: bool = False,
    ) -> None:  # fmt: skip
        self.module, self.f, self.layout, self.base, self.after = module, function, layout, base, after
        self.env, self.facts, self.held = dict(env or {}), facts or Facts(), held or {}
        self.fresh = fresh
        self.sets = Sets(self)
        self._memo: dict[object, str] = {}
        self._costs: dict[int, int] = {}
        self._spread: dict[int, Expr] = {}

    def cost(self, node: Expr) -> int:
        """About how many instructions an evaluation takes."""
        found = self._costs.get(node.uid)
        if found is None:
            found = 0 if node.op in ("const", "var") else self.sets.cost(node)
            if found is None:
                found = sum(self.cost(c) for c in children(node)) + (2 if node.op in ("field", "table") else 1)
                if node.op in ("all", "any", "sum"):
                    found *= _span(node)
            self._costs[node.uid] = found
        return found

    # -- what is known where --------------------------------------------------------------

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Code that may be jumped over: what it computes is not known afterwards."""
        kept = dict(self._memo)
        yield
        self._memo = kept

    @contextmanager
    def bound(self, name: str, register: str) -> Iterator[None]:
        """A variable with a value, for code that may be run many times or never."""
        before = self.env.get(name)
        with self.aside():
            self.env[name] = register
            yield
        if before is None:
            del self.env[name]
        else:
            self.env[name] = before

    @contextmanager
    def assuming(self, condition: Expr) -> Iterator[None]:
        """Code that runs only where a condition holds."""
        before = self.facts, self.sets
        self.facts = self.facts.also(condition)
        self.sets = Sets(self)  # what can be a set depends on the intervals
        yield
        self.facts, self.sets = before

    def once(self, key: object, make: Callable[[], str]) -> str:
        """The register known under a key here, else a new one."""
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = make()
        return found

    # -- values ---------------------------------------------------------------------------

    def value(self, node: Expr) -> str:
        """The register (or literal) that holds the value here."""
        lo, hi = self.facts.interval(node)
        if lo == hi:
            return literal(lo, node.is_bool)
        if node.op == "var":
            return self.env[node.args[0]]
        return self.once(node.uid, lambda: self._value(node))

    def _value(self, node: Expr) -> str:
        op, args, f = node.op, node.args, self.f
        match op:
            case "all" | "any" | "sum":
                return self._quantifier(node)
            case "field":
                if args[1] and self.after is None:
                    raise ValueError(f"only a norm may speak of the next state ({node!r})")
                return self._cell(args[0], args[2:], self.after if args[1] else None)
            case "table":
                return self._entry(args[0], args[1:])
            case "and" | "or":
                return self._junction(node)
            case "ite":
                return self._choice(node)
            case "in":
                return self._member(args[0], args[1])
            case "mul":
                return f.op(f"mul nsw i32 {self.value(args[1])}, {args[0]}")
        parts = [self.value(a) for a in args]
        if op == "not":
            return f.op(f"xor i1 {parts[0]}, true")
        if op in _COMPARE:
            return f.op(f"icmp {_COMPARE[op]} {'i1' if args[0].is_bool else 'i32'} {parts[0]}, {parts[1]}")
        total = parts[0]
        for part in parts[1:]:
            # No nsw: a sum on the way may leave the 32 bits that the whole stays within.
            total = f.op(f"add i32 {total}, {part}") if op == "add" else f.extreme(op, 32, total, part)
        return total

    def _member(self, node: Expr, numbers: Sequence[int]) -> str:
        f, value, first = self.f, self.value(node), numbers[0]
        if len(numbers) == numbers[-1] - first + 1:
            return f.op(f"icmp ult i32 {f.op(f'sub i32 {value}, {first}')}, {len(numbers)}")
        lo, hi = self.facts.interval(node)
        if hi - lo < 64:
            mask = sum(1 << n - lo for n in numbers if lo <= n <= hi)
            shift = f.op(f"zext i32 {f.op(f'sub i32 {value}, {lo}')} to i64")
            return f.op(f"trunc i64 {f.op(f'lshr i64 {mask}, {shift}')} to i1")
        return f.fold("or i1", [f.op(f"icmp eq i32 {value}, {number}") for number in numbers])

    def _junction(self, node: Expr) -> str:
        found = self.sets.junction(node)
        if found is not None:
            return found
        if self.cost(node) > STRAIGHT:
            return self._decided(node)
        return self.f.fold(f"{node.op} i1", [self.value(a) for a in node.args])

    def _choice(self, node: Expr) -> str:
        condition, then, other = node.args
        kind, f = "i1" if node.is_bool else "i32", self.f
        if self.cost(then) + self.cost(other) <= STRAIGHT:
            parts = self.value(condition), self.value(then), self.value(other)
            return f.op(f"select i1 {parts[0]}, {kind} {parts[1]}, {kind} {parts[2]}")
        yes, no, end = f.label(), f.label(), f.label()
        edges = []
        with self.aside():
            self.decide(condition, yes, no)
        for label, branch in ((yes, then), (no, other)):
            f.begin(label)
            with self.aside():
                value = self.value(branch)
            edges.append((value, f.block))
            f.jump(end)
        f.begin(end)
        return f.phi(kind, *edges)

    def _decided(self, node: Expr) -> str:
        """A truth value by jumping code."""
        f = self.f
        yes, no, end = f.label(), f.label(), f.label()
        with self.aside():
            self.decide(node, yes, no)
        for label in (yes, no):
            f.begin(label)
            f.jump(end)
        f.begin(end)
        return f.phi("i1", ("true", yes), ("false", no))

    def _quantifier(self, node: Expr) -> str:
        found = self.sets.quantifier(node)
        if found is not None:
            return found
        if self._is_tiny(node):
            return self.value(self.spread_out(node))
        if node.op != "sum":
            return self._decided(node)
        f, (variable, body) = self.f, node.args
        total = f.variable("i32", 0)
        with f.counted(variable.lo, variable.hi) as loop, self.bound(variable.args[0], loop.index):
            term = self.value(body)
            f.put("i32", f.op(f"add i32 {f.get('i32', total)}, {term}"), total)
        return f.get("i32", total)

    def _is_tiny(self, node: Expr) -> bool:
        return _span(node) <= 2 or self.cost(node) <= TINY

    def spread_out(self, node: Expr) -> Expr:
        """``spread``, remembered."""
        found = self._spread.get(node.uid)
        if found is None:
            found = self._spread[node.uid] = spread(node)
        return found

    # -- memory ---------------------------------------------------------------------------

    def index(self, dims: Sequence[int], indices: Sequence[Expr]) -> tuple[int, str | None, str]:
        """The row-major place as a constant and a register, and whether all indices lie inside."""
        f, fixed, stride = self.f, 0, 1
        moving: list[str] = []
        inside: list[str] = []
        for node, dim in zip(reversed(indices), reversed(dims), strict=True):
            lo, hi = self.facts.interval(node)
            if hi < 0 or lo >= dim:
                return 0, None, "false"
            value = self.value(node)
            if lo < 0 or hi >= dim:
                inside.append(f.op(f"icmp ult i32 {value}, {dim}"))
            if lo == hi:
                fixed += lo * stride
            else:
                moving.append(value if stride == 1 else f.op(f"mul i32 {value}, {stride}"))
            stride *= dim
        place = f.fold("add i32", moving) if moving else None
        return fixed, place, f.fold("and i1", inside) if inside else "true"

    def address(self, family: Family, fixed: int, moving: str | None, base: str | None = None) -> str:
        """A pointer to the cell at a place inside the family, in the state at ``base``."""
        bits, start = self.layout.bits[family.uid], base or self.held.get(family.uid, self.base)
        offset = self.layout.offset[family.uid] + fixed * bits // 8
        near = self.once(("address", start, offset), lambda: self.f.past(start, offset))
        return near if moving is None else self.f.op(f"getelementptr inbounds i{bits}, ptr {near}, i32 {moving}")

    def _cell(self, family: Family, indices: Sequence[Expr], base: str | None) -> str:
        """The value of a cell; outside, the default of the family."""
        fixed, moving, inside = self._safe(family.dims, indices)
        if inside == "false":
            return literal(family.default, family.is_bool)
        bits = self.layout.bits[family.uid]
        raw = self.f.get(f"i{bits}", self.address(family, fixed, moving, base))
        return self._read(raw, bits, family, inside, family.lo >= 0)

    def _entry(self, table: Table, indices: Sequence[Expr]) -> str:
        """The entry of a table; outside, its default."""
        fixed, moving, inside = self._safe(table.dims, indices)
        if inside == "false":
            return literal(table.default, table.is_bool)
        name, bits = self.module.table(table)
        place = str(fixed) if moving is None else self.f.op(f"add i32 {moving}, {fixed}")
        raw = self.f.get(f"i{bits}", self.f.op(f"getelementptr inbounds i{bits}, ptr {name}, i32 {place}"))
        return self._read(raw, bits, table, inside, False)

    def _safe(self, dims: Sequence[int], indices: Sequence[Expr]) -> tuple[int, str | None, str]:
        """``index`` for a load that happens in any case: outside, the place is the first one."""
        fixed, moving, inside = self.index(dims, indices)
        if inside not in ("true", "false"):
            moving = self.f.op(f"select i1 {inside}, i32 {moving}, i32 {-fixed}")
        return fixed, moving, inside

    def _read(self, raw: str, bits: int, owner: Family | Table, inside: str, unsigned: bool) -> str:
        """What was loaded as a number of 32 bits or a truth value, or the default outside."""
        f, kind, default = self.f, "i1" if owner.is_bool else "i32", literal(owner.default, owner.is_bool)
        if owner.is_bool:
            value = f.op(f"icmp ne i{bits} {raw}, 0")
        elif bits == 32:
            value = raw
        else:
            value = f.op(f"{'trunc' if bits > 32 else 'zext' if unsigned else 'sext'} i{bits} {raw} to i32")
        return value if inside == "true" else f.op(f"select i1 {inside}, {kind} {value}, {kind} {default}")

    # -- jumping code ---------------------------------------------------------------------

    def require(self, node: Expr, no: str) -> None:
        """Goes on where the condition holds, else jumps to ``no``."""
        if node is TRUE:
            return
        yes = self.f.label()
        self.decide(node, yes, no)
        self.f.begin(yes)

    def decide(self, node: Expr, yes: str, no: str) -> None:
        """Jumps to one of two labels. What was computed is known at ``yes`` if nothing else leads there."""
        op, args, f, known = node.op, node.args, self.f, node.uid in self._memo
        if op in ("all", "any") and not known and not self.sets.covers(node):
            if self._is_tiny(node):
                self.decide(self.spread_out(node), yes, no)
            else:
                self._loop(node, yes, no)
        elif op not in ("and", "or", "not", "ite") or known or self.cost(node) <= STRAIGHT:
            f.branch(self.value(node), yes, no)
        elif op == "and":
            *first, last = sorted(args, key=self.cost)
            for part in first:
                self.require(part, no)
            self.decide(last, yes, no)
        else:
            with self.aside():
                self._decide_aside(op, args, yes, no)

    def _decide_aside(self, op: str, args: Sequence[Expr], yes: str, no: str) -> None:
        """``decide`` where several ways lead to ``yes``."""
        f = self.f
        if op == "not":
            self.decide(args[0], no, yes)
        elif op == "or":
            *first, last = sorted(args, key=self.cost)
            for part in first:
                further = f.label()
                with self.aside():
                    self.decide(part, yes, further)
                f.begin(further)
            self.decide(last, yes, no)
        else:
            then, other = f.label(), f.label()
            self.decide(args[0], then, other)
            for label, branch in ((then, args[1]), (other, args[2])):
                f.begin(label)
                with self.aside():
                    self.decide(branch, yes, no)

    def _loop(self, node: Expr, yes: str, no: str) -> None:
        variable, body = node.args
        with self.f.counted(variable.lo, variable.hi) as loop, self.bound(variable.args[0], loop.index):
            further = self.f.label()
            self.decide(body, *((further, no) if node.op == "all" else (yes, further)))
            self.f.begin(further)
        self.f.jump(yes if node.op == "all" else no)
