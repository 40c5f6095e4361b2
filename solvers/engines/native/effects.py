"""The effects of a move or trigger, as LLVM code."""

from __future__ import annotations

from collections.abc import Container, Sequence
from contextlib import ExitStack, nullcontext

from monjudge.model.language import FALSE, Effect, Expr, Family, both, field, substitute
from monjudge.solvers.engines.native.expressions import Translator
from monjudge.solvers.engines.native.facts import implied, parts
from monjudge.solvers.engines.native.ir import Function, cut
from monjudge.solvers.engines.native.layout import LANES, Layout
from monjudge.solvers.engines.native.writes import factor, may_collide

__all__ = ["copy", "write"]

MOST = 2048
"""Bytes that are copied register by register; more are left to a library."""


def copy(f: Function, layout: Layout, target: str, source: str, *, often: bool = True) -> None:
    """Copies a whole state; what lies behind it in the slot is overwritten."""
    size = layout.copied
    if size > (MOST if often else 64):
        f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr align 8 {target}, ptr align 8 {source}, i64 {size}, i1 false)")
        return
    # Whole registers: what processors do for a copy of some hundred bytes takes longer to begin.
    width = min(size, 64)
    for at in range(0, size, width):
        whole = f.op(f"load <{width} x i8>, ptr {f.past(source, at)}, align 8")
        f.do(f"store <{width} x i8> {whole}, ptr {f.past(target, at)}, align 8")


def write(t: Translator, target: str, effects: Sequence[Effect], changed: str | None = None) -> str:
    """Writes the effects into the copy of the translator's state at ``target``.

    Returns the register that says whether a cell left its interval, or ``false``. Where a
    cell becomes another value, 1 is stored in the 32-bit variable ``changed``, if given.
    """
    writer = _Writer(t, target, changed)
    live = [e for e in effects if e.when is not FALSE and all(v.hi >= v.lo for v in e.loops)]
    for family in {e.family.uid: e.family for e in live}.values():
        here = [e for e in live if e.family is family]
        if may_collide(here):
            writer.shared[family.uid] = here
    # Assignments in order, then increments: all read the state before, none the target.
    for group in _groups(sorted(live, key=lambda e: e.adds), writer.shared):
        writer.effects(group)
    for here in writer.shared.values():
        writer.look_again(here)
    return writer.limit()


def _groups(effects: Sequence[Effect], shared: Container[int]) -> list[list[Effect]]:
    """Effects with the same loops and condition together, where the order does not matter."""
    groups: list[list[Effect]] = []
    alike: dict[object, list[Effect]] = {}
    for effect in effects:
        if effect.family.uid in shared:
            groups.append([effect])
            continue
        key = (effect.when.uid, tuple(v.uid for v in effect.loops))
        if key not in alike:
            groups.append(alike.setdefault(key, []))
        alike[key].append(effect)
    return groups


class _Writer:
    """Writes effects. Each is checked at once, except where several may meet in a cell of a ``shared`` family."""

    def __init__(self, t: Translator, target: str, changed: str | None) -> None:
        self.t, self.f, self.target, self.changed = t, t.f, target, changed
        self.shared: dict[int, list[Effect]] = {}
        self._flag, self._checks = t.f.variable("i1", "false"), False

    def limit(self) -> str:
        return self.f.get("i1", self._flag) if self._checks else "false"

    def _check(self, family: Family, value: str, bits: int) -> None:
        """Takes note when a value does not fit the family."""
        f, self._checks = self.f, True
        above = f.op(f"sub i{bits} {value}, {family.lo}")
        outside = f.op(f"icmp ugt i{bits} {above}, {family.hi - family.lo}")
        f.put("i1", f.op(f"or i1 {outside}, {f.get('i1', self._flag)}"), self._flag)

    def _note(self, changes: Sequence[str]) -> None:
        """Takes note whether anything changed."""
        if changes and self.changed:
            f = self.f
            more = f.op(f"zext i1 {f.fold('or i1', changes)} to i32")
            f.put("i32", f.op(f"or i32 {more}, {f.get('i32', self.changed)}"), self.changed)

    def effects(self, group: Sequence[Effect]) -> None:
        """Effects with the same loops and condition."""
        t, f, when, end = self.t, self.f, group[0].when, self.f.label()
        with t.aside():
            with ExitStack() as loops:
                skip, tested = end, set[int]()
                for v in group[0].loops:
                    t.require(implied(when, t.env.keys()), skip)
                    name = str(v.args[0])
                    found = t.sets.members([v], [p for p in parts(when) if p.free <= t.env.keys() | {name}])
                    if found and self._all_at_once(group, v, *found):
                        f.jump(end)
                        f.begin(end)
                        return
                    tested |= {part.uid for part in found[1]} if found else set()
                    skip = self._loop(loops, v, found[0] if found else None)
                t.require(both(*(p for p in parts(when) if p.uid not in tested)), skip)
                with t.assuming(when):
                    changes = [self._store(effect) for effect in group]
                self._note([c for c in changes if c])
            f.jump(end)
            f.begin(end)

    def _loop(self, loops: ExitStack, variable: Expr, mask: str | None) -> str:
        """Begins a loop over the values of a variable, or those in a mask; returns the label of the next round."""
        t, f, name = self.t, self.f, str(variable.args[0])
        loop = loops.enter_context(f.counted(0, variable.hi - variable.lo) if mask is None else f.members(mask))
        loops.enter_context(t.bound(name, f.op(f"add nsw i32 {loop.index}, {variable.lo}")))
        return loop.again

    def _all_at_once(self, group: Sequence[Effect], variable: Expr, mask: str, used: Sequence[Expr]) -> bool:
        """Writes one value into all cells of a mask, if that is all there is to do and they fill a vector; whether it did."""
        t, f, name, effect = self.t, self.f, str(variable.args[0]), group[0]
        family, count, width = effect.family, variable.hi - variable.lo + 1, t.layout.bits[effect.family.uid]
        done = {p.uid for p in used}
        left = [p for p in parts(effect.when) if p.uid not in done and name in p.free]
        if len(group) > 1 or len(effect.loops) > 1 or effect.adds or left or count not in LANES or count * width > 512:
            return False
        *others, last = effect.indices
        ends = t.facts.interval(last)
        if factor(last, name) != 1 or any(name in i.free for i in (*others, effect.value)) or ends[0] < 0 or ends[1] >= family.dims[-1]:
            return False
        with t.assuming(both(*(p for p in parts(effect.when) if name not in p.free))):
            lo, hi = t.facts.interval(effect.value)
            fixed, moving, inside = t.index(family.dims, (*others, substitute(last, {name: variable.lo})))
            if inside != "true" or lo < family.lo or hi > family.hi:
                return False
            value = t.value(effect.value)
        vector = f"<{count} x i{width}>"
        if effect.value.is_bool and value.startswith("%"):
            value = f.op(f"zext i1 {value} to i32")
        one = self._fit({"true": "1", "false": "0"}.get(value, value), 32, width)
        first = f.op(f"insertelement {vector} poison, i{width} {one}, i32 0")
        splat = f.op(f"shufflevector {vector} {first}, {vector} poison, <{count} x i32> zeroinitializer")
        bits = mask if count == 64 else f.op(f"trunc i64 {mask} to i{count}")
        chosen = f.op(f"bitcast i{count} {bits} to <{count} x i1>")
        address = t.address(family, fixed, moving, self.target)
        old = f.op(f"load {vector}, ptr {address}, align {width // 8}")
        new = f.op(f"select <{count} x i1> {chosen}, {vector} {splat}, {vector} {old}")
        f.do(f"store {vector} {new}, ptr {address}, align {width // 8}")
        if self.changed and family.uid not in self.shared:
            differs = f.op(f"bitcast <{count} x i1> {f.op(f'icmp ne {vector} {old}, {new}')} to i{count}")
            self._note([f.op(f"icmp ne i{count} {differs}, 0")])
        return True

    def _store(self, effect: Effect) -> str:
        """One effect whose condition holds, where its target is a cell; whether it changed it, if that is asked."""
        t, f, end = self.t, self.f, self.f.label()
        fixed, moving, inside = t.index(effect.family.dims, effect.indices)
        if inside == "false":
            return ""
        if inside == "true":
            return self._store_at(effect, fixed, moving)
        here, before = f.label(), f.block
        f.branch(inside, here, end)
        f.begin(here)
        with t.aside():
            changed = self._store_at(effect, fixed, moving)
        last = f.block
        f.jump(end)
        f.begin(end)
        return f.phi("i1", ("false", before), (changed, last)) if changed else ""

    def _store_at(self, effect: Effect, fixed: int, moving: str | None) -> str:
        t, f, family = self.t, self.f, effect.family
        bits, shared = t.layout.bits[family.uid], family.uid in self.shared
        address = t.address(family, fixed, moving, self.target)
        tracked, before = bool(self.changed) and not shared, ""
        if effect.adds or tracked:
            before = f.get(f"i{bits}", address if shared else t.address(family, fixed, moving))
        value, width = self._result(effect, before, bits)
        stored = self._fit(value, width, bits)
        f.put(f"i{bits}", stored, address)
        return f.op(f"icmp ne i{bits} {before}, {stored}") if tracked else ""

    def _result(self, effect: Effect, before: str, bits: int) -> tuple[str, int]:
        """What the cell becomes, checked unless it is shared, and the bits of the register."""
        t, f, family, shared = self.t, self.f, effect.family, effect.family.uid in self.shared
        value, (lo, hi), width = t.value(effect.value), t.facts.interval(effect.value), 32
        if effect.value.is_bool:
            return f.op(f"zext i1 {value} to i32"), width
        if effect.adds:
            least, most = t.facts.interval(field(family, effect.indices))
            lo, hi = lo + max(least, family.lo), hi + min(most, family.hi)
            width = max(bits, 32) if shared else 32 if -(2**31) <= lo and hi < 2**31 else 64
            value = f.op(f"add i{width} {self._fit(before, bits, width)}, {self._fit(value, 32, width)}")
        if not shared and (lo < family.lo or hi > family.hi):
            self._check(family, value, width)
        return value, width

    def _fit(self, value: str, have: int, bits: int) -> str:
        """A number of some bits in other bits; what is cut off was checked or is checked later."""
        if not value.startswith("%"):
            return str(cut(int(value), bits))
        if have == bits:
            return value
        return self.f.op(f"{'trunc' if have > bits else 'sext'} i{have} {value} to i{bits}")

    def look_again(self, effects: Sequence[Effect]) -> None:
        """Looks at the cells of a shared family after all its effects: each that one writes, or the whole family."""
        t, family, limited = self.t, effects[0].family, any(e.may_overflow for e in effects)
        if not limited and not self.changed:
            return
        if any(e.loops for e in effects):
            with self.f.counted(0, family.size - 1) as loop:
                self._look(family, 0, loop.index, limited)
            return
        for indices in {tuple(i.uid for i in e.indices): e.indices for e in effects}.values():
            # Where the effect did not take place the cell is as it was, or as another left it: looking does no harm.
            fixed, moving, inside = t.index(family.dims, indices)
            if inside == "false":
                continue
            with t.aside(), self.f.when(inside) if inside != "true" else nullcontext():
                self._look(family, fixed, moving, limited)

    def _look(self, family: Family, fixed: int, moving: str | None, limited: bool) -> None:
        """Takes note of what became of one cell."""
        t, f, bits = self.t, self.f, self.t.layout.bits[family.uid]
        after = f.get(f"i{bits}", t.address(family, fixed, moving, self.target))
        if limited:
            self._check(family, after, bits)
        if self.changed:
            before = f.get(f"i{bits}", t.address(family, fixed, moving))
            self._note([f.op(f"icmp ne i{bits} {before}, {after}")])
