"""Conditions about many cells at once: one bit for each value of the bound variables.

``any r: any c: cell[r, c] == p and cell[r, c + 1] == p`` compares the whole board with
``p`` in one vector instruction, and what the body asks of neighbours is a shift of the
bits. This works where every cell of the body moves with the variables as the bits do;
where it does not, there is no plan and the caller writes a loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from monjudge.model.language import FALSE, Expr, const
from monjudge.solvers.engines.native.layout import lanes
from monjudge.solvers.engines.native.plans import COUNTED, LOOKED_UP, Cells, Plan, Planner, Tree, atom

if TYPE_CHECKING:
    from monjudge.solvers.engines.native.expressions import Translator

__all__ = ["Sets"]



FEW = 4
"""Values of a parameter that are asked one by one, unless many cells are compared with one instruction."""

ALONE = 3
"""Cells that are read one by one where one was just written: a vector load waits for a narrow store."""

_PREDICATE = {"eq": "eq", "lt": "slt", "le": "sle"}


class Sets:
    """The set conditions of one translator."""

    def __init__(self, translator: Translator) -> None:
        self.t = translator
        self._plans: dict[int, Plan | None] = {}

    def can_compare(self, cells: Cells) -> bool:
        """Whether the family fits one vector and the value fits its cells."""
        bits = self.t.layout.bits[cells.family.uid]
        lo, hi = self.t.facts.interval(cells.value)
        size = lanes(cells.count or cells.family.size)
        if cells.words:
            return size is not None and size <= LOOKED_UP
        return size is not None and size * bits <= 1024 and -(1 << bits - 1) <= lo and hi < 1 << bits - 1

    def cost(self, node: Expr) -> int | None:
        """About how many instructions a condition takes as a set, or None where it is none."""
        if node.op in ("all", "any", "sum"):
            plan = self._plan(node)
            return None if plan is None else 3 + 3 * (plan.cells + plan.words)
        if node.op in ("and", "or"):
            groups, rest = self._groups(node)
            return 3 * len(groups) + sum(1 + self.t.cost(part) for part in rest)
        return None

    # -- quantifiers and parameters -------------------------------------------------------

    def covers(self, node: Expr) -> bool:
        """Whether a quantifier is computed as a set."""
        return self._plan(node) is not None

    def _plan(self, node: Expr) -> Plan | None:
        if node.uid not in self._plans:
            axes, body = [], node
            while body.op == node.op:
                axes.append(body.args[0])
                body = body.args[1]
            if node.op == "sum":
                counts = body.op == "ite" and body.args[1] is const(1) and body.args[2] is const(0)
                body = body.args[0] if counts else FALSE
            plan = self._planned(axes, body)
            if plan is not None and self.t.fresh and plan.domain.bit_count() <= ALONE:
                plan = None
            self._plans[node.uid] = plan if plan is not None and (plan.cells or plan.words or plan.tree[0] == "mask") else None
        return self._plans[node.uid]

    def _planned(self, axes: Sequence[Expr], body: Expr) -> Plan | None:
        return Planner(axes, self.t.facts, self.t.spread_out, self.can_compare).plan(body)

    def quantifier(self, node: Expr) -> str | None:
        """The value of a quantifier, or None where it is not a set."""
        plan, f = self._plan(node), self.t.f
        if plan is None:
            return None
        bits = f.op(f"and i64 {self._emit(plan.tree)}, {plan.domain}")
        if node.op == "any":
            return f.op(f"icmp ne i64 {bits}, 0")
        if node.op == "all":
            return f.op(f"icmp eq i64 {bits}, {plan.domain}")
        return f.op(f"trunc i64 {f.call('i64', 'llvm.ctpop.i64', f'i64 {bits}')} to i32")

    def members(self, axes: Sequence[Expr], conditions: Sequence[Expr]) -> tuple[str, list[Expr]] | None:
        """The values of parameters that pass those of the conditions which can be sets, or None.

        Returns the mask, with a bit for each binding in lexicographic order, and the
        conditions it stands for. None also where a condition is a set of fewer parameters only, or all are.
        """
        planned = []
        for condition in conditions:
            own = [a for a in axes if str(a.args[0]) in condition.free]
            plan = self._of_members(axes, condition) if own else None
            if plan is not None:
                planned.append((condition, plan))
            elif own and own[-1] is not axes[-1]:
                return None
        if not any(str(axes[-1].args[0]) in condition.free for condition, _ in planned):
            return None
        mask = ""
        for _, plan in planned:
            mask = self.t.f.op(f"and i64 {mask or plan.domain}, {self._emit(plan.tree)}")
        return mask, [condition for condition, _ in planned]

    def is_cheap(self, axes: Sequence[Expr], condition: Expr) -> bool:
        """Whether a condition on parameters is a set of many cells at once, or one that the parameters alone decide."""
        plan = self._of_members(axes, condition)
        return plan is not None and (plan.cells > 0 or not plan.words)

    def _of_members(self, axes: Sequence[Expr], condition: Expr) -> Plan | None:
        """The plan of a condition on parameters, where it is better than asking for each of them."""
        plan = self._planned(axes, condition)
        if plan is None or not plan.in_order or (plan.words and not plan.cells and plan.domain.bit_count() <= FEW):
            return None
        return plan

    def _emit(self, tree: Tree) -> str:
        """The bits of a plan; those outside its domain are arbitrary."""
        f = self.t.f
        match tree:
            case ("whole", Expr() as condition):
                return f.op(f"sext i1 {self.t.value(condition)} to i64")
            case ("mask", int(bits)):
                return str(bits)
            case ("cells", Cells() as cells, int(shift), moving, int(inside), int(outside)):
                if cells.count:
                    found = self._shifted(self._window(cells, moving), shift, ())
                else:
                    found = self._shifted(self.mask(cells), shift, moving)
                return self._defaults(cells, found, inside, outside) if outside else found
            case ("masks", Expr() as number, *bits):
                return self._looked_up(number, bits)
            case ("counted", Plan() as plan, words, relation, Expr() as number, at):
                return self._counted(plan, words, _PREDICATE[relation], number, number_first=at == 1)
            case ("not", part):
                return f.op(f"xor i64 {self._emit(part)}, -1")
            case ("same", a, b):
                return f.op(f"xor i64 {f.op(f'xor i64 {self._emit(a)}, {self._emit(b)}')}, -1")
        return f.fold(f"{tree[0]} i64", [self._emit(part) for part in tree[1:]])

    def _looked_up(self, number: Expr, bits: Sequence[int]) -> str:
        f = self.t.f
        place = f.op(f"sub i32 {self.t.value(number)}, {number.lo}")
        return f.get("i64", f.op(f"getelementptr inbounds i64, ptr {self.t.module.words(bits)}, i32 {place}"))

    def _counted(self, plan: Plan, words: Sequence[int], relation: str, number: Expr, *, number_first: bool) -> str:
        """One bit for each word: how the number of members of a set that are in the word compares with a number."""
        f, lane, vector = self.t.f, f"i{COUNTED}", f"<{COUNTED} x i{COUNTED}>"

        def splat(value: str) -> str:
            first = f.op(f"insertelement {vector} poison, {lane} {value}, i32 0")
            return f.op(f"shufflevector {vector} {first}, {vector} poison, <{COUNTED} x i32> zeroinitializer")

        members = f.op(f"trunc i64 {f.op(f'and i64 {self._emit(plan.tree)}, {plan.domain}')} to {lane}")
        entries = ", ".join(f"{lane} {word}" for word in (*words, *(COUNTED - len(words)) * (0,)))
        chosen = f.op(f"and {vector} {splat(members)}, <{entries}>")
        counts = f.call(vector, f"llvm.ctpop.v{COUNTED}i{COUNTED}", f"{vector} {chosen}")
        value = self.t.value(number)
        bound = splat(f.op(f"trunc i32 {value} to {lane}") if value.startswith("%") else value)
        sides = f"{bound}, {counts}" if number_first else f"{counts}, {bound}"
        bits = f.op(f"bitcast <{COUNTED} x i1> {f.op(f'icmp {relation} {vector} {sides}')} to {lane}")
        return f.op(f"zext {lane} {bits} to i64")

    def _shifted(self, bits: str, shift: int, moving: Sequence[tuple[Expr, int]]) -> str:
        f = self.t.f
        if moving:
            by = f.fold("add i32", [f.op(f"mul i32 {self.t.value(rest)}, {stride}") for rest, stride in moving])
            bits = f.op(f"lshr i64 {bits}, {f.op(f'zext i32 {by} to i64')}")
        if shift == 0:
            return bits
        return f.op(f"lshr i64 {bits}, {shift}" if shift > 0 else f"shl i64 {bits}, {-shift}")

    def _defaults(self, cells: Cells, bits: str, inside: int, outside: int) -> str:
        """The bits with the default of the family where the cells lie outside."""
        f = self.t.f
        bits = f.op(f"and i64 {bits}, {inside}")
        default = cells.holds(cells.family.default)
        if default is FALSE:
            return bits
        whole = f.op(f"sext i1 {self.t.value(default)} to i64")
        return f.op(f"or i64 {bits}, {f.op(f'and i64 {whole}, {outside}')}")

    # -- many fixed cells -----------------------------------------------------------------

    def junction(self, node: Expr) -> str | None:
        """A conjunction or disjunction with several fixed cells of a family in one relation, or None."""
        groups, rest = self._groups(node)
        if not groups:
            return None
        f, values = self.t.f, []
        for cells, wanted in groups:
            bits = f.op(f"and i64 {self.mask(cells)}, {wanted}")
            values.append(f.op(f"icmp eq i64 {bits}, {wanted}" if node.op == "and" else f"icmp ne i64 {bits}, 0"))
        return f.fold(f"{node.op} i1", [*values, *(self.t.value(part) for part in rest)])

    def _groups(self, node: Expr) -> tuple[list[tuple[Cells, int]], list[Expr]]:
        """The cells that are compared alike, two or more with a bit each, and the other parts."""
        alike: dict[object, tuple[Cells, dict[int, Expr]]] = {}
        rest = []
        for part in node.args:
            found = atom(part)
            place = None
            small = found is not None and lanes(found[0].family.size) is not None
            if found is not None and small and all(i.is_const for i in found[1]) and self.can_compare(found[0]):
                place = found[0].family.place([i.value for i in found[1]])
            if found is None or place is None:
                rest.append(part)
            else:
                alike.setdefault(found[0].key, (found[0], {}))[1][place] = part
        single = [parts for _, parts in alike.values() if len(parts) == 1]
        rest += [part for parts in single for part in parts.values()]
        groups = [(cells, sum(1 << place for place in parts)) for cells, parts in alike.values() if len(parts) > 1]
        return groups, rest

    # -- comparing a family ---------------------------------------------------------------

    def mask(self, cells: Cells) -> str:
        """One bit for each cell of the family, row-major from bit 0; bits above are arbitrary."""
        return self.t.once(cells.key, lambda: self._compare(cells, None))

    def _window(self, cells: Cells, moving: Sequence[tuple[Expr, int]]) -> str:
        """One bit for each cell of a part of the family, which begins where ``moving`` says."""
        f = self.t.f
        key = (*cells.key, *((rest.uid, stride) for rest, stride in moving))
        parts = [f.op(f"mul i32 {self.t.value(rest)}, {stride}") for rest, stride in moving]
        return self.t.once(key, lambda: self._compare(cells, f.fold("add i32", parts) if parts else None))

    def _compare(self, cells: Cells, moving: str | None) -> str:
        f, width, size = self.t.f, self.t.layout.bits[cells.family.uid], lanes(cells.count or cells.family.size)
        vector = f"<{size} x i{width}>"
        loaded = f.op(f"load {vector}, ptr {self.t.address(cells.family, cells.first, moving)}, align {width // 8}")
        if cells.words:
            return self._among(cells, loaded, size or 0, width)
        value = self.t.value(cells.value)
        splat = self._splat(value, size or 0, self.t.facts.interval(cells.value)[0] < 0, width) if value.startswith("%") else f"splat (i{width} {value})"
        compared = f.op(f"icmp {cells.relation} {vector} {loaded}, {splat}")
        bits = f.op(f"bitcast <{size} x i1> {compared} to i{size}")
        return bits if size == 64 else f.op(f"zext i{size} {bits} to i64")

    def _among(self, cells: Cells, loaded: str, size: int, width: int) -> str:
        """One bit for each loaded cell that is among the numbers of a word."""
        f, wide = self.t.f, f"<{size} x i64>"
        word = str(cells.words[0]) if len(cells.words) == 1 else self._looked_up(cells.value, cells.words)
        first = f.op(f"insertelement {wide} poison, i64 {word}, i32 0")
        splat = f.op(f"shufflevector {wide} {first}, {wide} poison, <{size} x i32> zeroinitializer")
        # Lanes beyond the cells hold anything: cut off, so that every shift has a value.
        places = f.op(f"and {wide} {f.op(f'zext <{size} x i{width}> {loaded} to {wide}')}, splat (i64 63)")
        truths = f.op(f"trunc {wide} {f.op(f'lshr {wide} {splat}, {places}')} to <{size} x i1>")
        bits = f.op(f"bitcast <{size} x i1> {truths} to i{size}")
        return f.op(f"zext i{size} {bits} to i64")

    def _splat(self, value: str, size: int, signed: bool, width: int) -> str:
        """A vector of one value. Bytes are multiplied up in 32 bits: on its own, the
        narrow arithmetic that LLVM makes of a truncation waits for the register's last use.
        """
        f, each = self.t.f, max(width, 32)
        if width < 32:
            if signed:
                value = f.op(f"and i32 {value}, {(1 << width) - 1}")
            value = f.op(f"mul i32 {value}, {0x01010101 if width == 8 else 0x00010001}")
        elif width == 64:
            value = f.op(f"sext i32 {value} to i64")
        count = size * width // each
        vector = f"<{count} x i{each}>"
        first = f.op(f"insertelement {vector} poison, i{each} {value}, i32 0")
        splat = f.op(f"shufflevector {vector} {first}, {vector} poison, <{count} x i32> zeroinitializer")
        return splat if each == width else f.op(f"bitcast {vector} {splat} to <{size} x i{width}>")
