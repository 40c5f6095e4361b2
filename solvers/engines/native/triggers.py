"""Rules that fire by themselves: passes over the triggers until one changes nothing.

A trigger runs only when something it reads or writes has changed since it last ran:
otherwise it would do what it did then, which is nothing. One bit a trigger says so.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from monjudge.model.language import (
    FALSE,
    TRUE,
    Effect,
    Expr,
    Family,
    RuleSet,
    Trigger,
    any_of,
    both,
    children,
    const,
    either,
    eq,
    field,
    substitute,
    walk,
)
from monjudge.solvers.engines.native.effects import copy, write
from monjudge.solvers.engines.native.expressions import Translator
from monjudge.solvers.engines.native.facts import Facts, Scalars, parts
from monjudge.solvers.engines.native.ir import APART, Function, Module
from monjudge.solvers.engines.native.layout import Layout
from monjudge.solvers.engines.native.writes import may_collide

__all__ = ["BOUND", "CALM", "RESTED", "Watch", "settle"]

CALM, RESTED, BOUND = 0, 1, 2
"""How settling ended: with all triggers idle; with a pass whose changes cancel out; beyond a bound."""

NEAR = 8
"""Conditions on where an effect writes up to this cost are asked: else it may be anywhere."""

NECESSARY = 40
"""Conditions up to this cost (about instructions) are asked before a trigger is called."""

IDLE, CHANGED = 0, 1
"""What a trigger did, unless it ended with ``BOUND``."""


APIECE = 2
"""Values of a trigger's first loop that get a bit each."""


@dataclass(frozen=True, slots=True)
class Part:
    """A trigger, or what it does for one value of its first loop; ``whole`` is the number of the trigger."""

    whole: int
    trigger: Trigger


def apart(triggers: Sequence[Trigger]) -> list[Part]:
    """The triggers, those with a short first loop in parts: a pass takes the bindings in this order anyway."""
    found = []
    for number, trigger in enumerate(triggers):
        first = trigger.loops[0] if trigger.loops else None
        if first is None or not 0 < first.hi - first.lo + 1 <= APIECE:
            found.append(Part(number, trigger))
            continue
        for value in range(first.lo, first.hi + 1):
            found.append(Part(number, _bound(trigger, {str(first.args[0]): value})))
    return found


def _bound(trigger: Trigger, values: Mapping[str, int]) -> Trigger:
    """A trigger without its first loop, whose variable has a value."""

    def at(node: Expr) -> Expr:
        return substitute(node, values)

    effects = tuple(
        dataclasses.replace(e, indices=tuple(map(at, e.indices)), value=at(e.value), when=at(e.when)) for e in trigger.effects
    )
    return dataclasses.replace(trigger, loops=trigger.loops[1:], when=at(trigger.when), effects=effects)


class Watch:
    """Which triggers must run when what was written; a bit for each of their ``parts``, ``kind`` the type for all bits.

    Some triggers may undo within a pass what another, or an earlier binding, did: a pass
    that leaves the state as it was may still contain their changes. ``restless`` are these
    and those that touch what they write: even in a settled state they need not be idle.
    The others are: nobody else writes what they write, so they changed nothing in the
    last pass, and saw in it what the settled state holds.
    """

    def __init__(self, triggers: Sequence[Trigger]) -> None:
        self.parts = apart(triggers)
        self.kind = f"i{max(1, len(self.parts))}"
        self._touched = [_touched(part.trigger) for part in self.parts]
        undo = [_may_undo_itself(t) for t in triggers]
        self.undo_themselves = [undo[part.whole] for part in self.parts]
        written = [_written(t.effects) for t in triggers]
        shared: frozenset[int] = frozenset()
        for n, families in enumerate(written):
            if undo[n] or any(families & others for m, others in enumerate(written) if m != n):
                shared |= families
        concerned = [set(touched) | written[part.whole] for part, touched in zip(self.parts, self._touched, strict=True)]
        self.restless = sum(1 << n for n, families in enumerate(concerned) if families & shared)

    def woken_from(
        self, t: Translator, conditions: Sequence[Expr], effects: Sequence[Effect]
    ) -> tuple[int, list[tuple[int, Expr]]]:
        """``woken``, and apart from it each trigger that needs a condition on what these effects do not write."""
        bits, written, always, maybe = self.woken(conditions, effects), _written(effects), 0, []
        for n, (part, touched) in enumerate(zip(self.parts, self._touched, strict=True)):
            if bits >> n & 1:
                here = either(*(_meets(e, touched) for e in effects))
                needed = both(_necessary(part.trigger, t, written), here if t.cost(here) <= NEAR else TRUE)
                if needed is TRUE:
                    always |= 1 << n
                else:
                    maybe.append((1 << n, needed))
        return always, maybe

    def woken_by(self, number: int) -> int:
        """The triggers that one wakes when it fires; itself, too, where its condition may still hold."""
        trigger = self.parts[number].trigger
        conditions = parts(trigger.when)
        scalars = Scalars(conditions, trigger.effects)
        itself = 1 << number if all(scalars.allow(part) for part in conditions) else 0
        return self.woken(conditions, trigger.effects) | itself

    def woken(self, conditions: Sequence[Expr], effects: Sequence[Effect]) -> int:
        """Of the triggers that were idle those that these effects, where the conditions held before, may make fire."""
        scalars, facts, bits = Scalars(conditions, effects), Facts(conditions), 0
        for n, (part, touched) in enumerate(zip(self.parts, self._touched, strict=True)):
            near = [e for e in effects if _meets(e, touched) is not FALSE]
            if near and all(scalars.allow(c) for c in parts(part.trigger.when)):
                fires_if_it_holds = _always_changes(part.trigger)
                if not fires_if_it_holds or _may_enable(near, facts, part.trigger.when):
                    bits |= 1 << n
        return bits


def _written(effects: Iterable[Effect]) -> frozenset[int]:
    return frozenset(e.family.uid for e in effects)


Rows = frozenset[int] | None
"""The first indices of cells of a family; None for any."""


def _touched(trigger: Trigger) -> dict[int, Rows]:
    """The families, and of which first indices, whose change may make an idle trigger fire.

    Where firing always changes something, the condition of an idle trigger is false, so only what it reads counts.
    Else it may hold, and what the effects read and write counts too.
    """
    roots, cells = [trigger.when], list[tuple[Family, Sequence[Expr]]]()
    if not _always_changes(trigger):
        roots += [part for e in trigger.effects for part in (e.when, e.value, *e.indices)]
        cells += [(e.family, e.indices) for e in trigger.effects]
    cells += [(n.args[0], n.args[2:]) for n in walk(*roots) if n.op == "field"]
    found: dict[int, Rows] = {}
    for family, indices in cells:
        rows = frozenset({indices[0].value}) if indices and indices[0].is_const else None
        before = found.get(family.uid, frozenset())
        found[family.uid] = None if rows is None or before is None else before | rows
    return found


def _meets(effect: Effect, touched: Mapping[int, Rows]) -> Expr:
    """Where an effect may write one of the cells that are touched, as far as the first index says."""
    rows = touched.get(effect.family.uid, frozenset())
    if rows is None:
        return TRUE
    first = effect.indices[0] if rows else TRUE
    inner = {str(v.args[0]) for v in effect.loops}
    return either(*(TRUE if first.free & inner else eq(first, row) for row in rows))


def _may_enable(effects: Sequence[Effect], facts: Facts, condition: Expr, wanted: bool = True) -> bool:
    """Whether effects may make a condition true (or false, if that is ``wanted``) that was not."""
    op, written = condition.op, _written(effects)
    if not any(n.op == "field" and n.args[0].uid in written for n in walk(condition)):
        return False
    if op in ("and", "or", "all", "any"):
        return any(_may_enable(effects, facts, c, wanted) for c in children(condition))
    if op == "not":
        return _may_enable(effects, facts, condition.args[0], not wanted)
    return any(e.family.uid in written and _may_lead_to(e, facts, condition, wanted) for e in effects)


def _may_lead_to(effect: Effect, facts: Facts, condition: Expr, wanted: bool) -> bool:
    """Whether a comparison of one cell with a constant may be true (or false) of what the effect writes."""
    cells = [n for n in walk(condition) if n.op == "field"]
    if all(cell.args[0] is not effect.family for cell in cells):
        return False
    if effect.adds or len(cells) > 1 or condition.op not in ("field", "eq", "lt", "le", "in"):
        return True
    lo, hi = facts.also(effect.when).interval(effect.value)
    if hi - lo >= 64 or any(c.op == "field" for index in cells[0].args[2:] for c in walk(index)):
        return True

    def truth(number: int) -> Expr:
        value = const(bool(number)) if effect.value.is_bool else const(number)
        return substitute(condition, {}, lambda family, at, indices: value)

    return any(truth(n) is not const(not wanted) for n in range(lo, hi + 1))


def _always_changes(trigger: Trigger) -> bool:
    """Whether some cell surely becomes another value than the condition allows it to have."""
    facts = Facts([trigger.when])
    for effect in trigger.effects:
        if effect.when is not TRUE or effect.loops or may_collide([e for e in trigger.effects if e.family is effect.family]):
            continue
        places = zip((facts.interval(index) for index in effect.indices), effect.family.dims, strict=True)
        lo, hi = facts.interval(effect.value)
        before = (0, 0) if effect.adds else facts.interval(field(effect.family, effect.indices))
        if all(0 <= least and most < dim for (least, most), dim in places) and (hi < before[0] or before[1] < lo):
            return True
    return False


def _may_undo_itself(trigger: Trigger) -> bool:
    """Whether two bindings of the trigger may write one cell."""
    bound = [dataclasses.replace(e, loops=(*trigger.loops, *e.loops)) for e in trigger.effects]
    families = {e.family.uid: e.family for e in bound}.values()
    return bool(trigger.loops) and any(may_collide([e for e in bound if e.family is family]) for family in families)


def settle(module: Module, layout: Layout, rules: RuleSet, watch: Watch) -> None:
    """Adds ``settle(state, awake)``: settles in place, beginning with the triggers whose bits are set; how it ended.

    And ``settle_all(state)``, which begins with all.
    """
    _same(module, layout)
    for number, part in enumerate(watch.parts):
        _trigger(module, layout, number, part.trigger)
    f = Function(f"internal i32 @settle(ptr noalias %s, {watch.kind} %first)")
    start, awake = f.place(f"[{layout.slot} x i8]", 64), f.variable(watch.kind, "%first")
    with f.counted(1, rules.passes):
        changes = f.variable("i32", 0)
        for number in range(len(watch.parts)):
            _visit(Translator(module, f, layout, "%s", fresh=True), watch, number, (start, awake, changes))
        with f.when(f.op(f"icmp eq i32 {f.get('i32', changes)}, 0")):
            f.ret(f"i32 {CALM}")
        if watch.restless:
            with (
                f.when(f.op(f"icmp ugt i32 {f.get('i32', changes)}, 1")),
                f.when(f.call("i1", "same", f"ptr {start}", "ptr %s")),
            ):
                f.ret(f"i32 {RESTED}")
    f.ret(f"i32 {BOUND}")
    module.add(f)
    f = Function("i32 @settle_all(ptr noalias %s)")
    f.ret(f"i32 {f.call('i32', 'settle', 'ptr %s', f'{watch.kind} -1')}")
    module.add(f)


def _visit(t: Translator, watch: Watch, number: int, places: tuple[str, str, str]) -> None:
    """One trigger in a pass, if it is awake: puts it to sleep, and what its changes concern awake."""
    (start, awake, changes), kind, f = places, watch.kind, t.f
    bits, asleep = f.get(kind, awake), f.label()
    with f.when(f.op(f"icmp ne {kind} {f.op(f'and {kind} {bits}, {1 << number}')}, 0")):
        f.put(kind, f.op(f"and {kind} {bits}, {~(1 << number)}"), awake)
        with t.aside():
            t.require(_necessary(watch.parts[number].trigger, t), asleep)
        did = f.call("i32", f"trigger_{number}", "ptr %s", f"ptr {start}", f"i32 {f.get('i32', changes)}")
        with f.when(f.op(f"icmp eq i32 {did}, {BOUND}")):
            f.ret(f"i32 {BOUND}")
        with f.when(f.op(f"icmp eq i32 {did}, {CHANGED}")):
            f.put(kind, f.op(f"or {kind} {f.get(kind, awake)}, {watch.woken_by(number)}"), awake)
            # Only changes of two triggers, or of two bindings, can cancel out.
            weight = 2 if watch.undo_themselves[number] else 1
            f.put("i32", f.op(f"add i32 {f.get('i32', changes)}, {weight}"), changes)
    f.jump(asleep)
    f.begin(asleep)


def _necessary(trigger: Trigger, t: Translator, without: frozenset[int] = frozenset()) -> Expr:
    """What must hold of some binding for the trigger to fire, as far as it takes few instructions.

    Conditions that read one of the families ``without`` are left out.
    """
    found, kept = TRUE, TRUE
    for part in sorted(parts(trigger.when), key=t.cost):
        if without & {n.args[0].uid for n in walk(part) if n.op == "field"}:
            continue
        some = both(kept, part)
        whole = some
        for v in reversed(trigger.loops):
            whole = any_of(range(v.lo, v.hi + 1), lambda n, v=v, body=whole: substitute(body, {v.args[0]: n}))  # type: ignore[misc]
        if t.cost(whole) <= NECESSARY:
            found, kept = whole, some
    return found


def _trigger(module: Module, layout: Layout, number: int, trigger: Trigger) -> None:
    """Adds ``trigger_N(state, start, changes)``: one trigger with all its bindings, in place; what it did.

    Before the first change in a pass (``changes`` is 0) the state is kept at ``start``.
    """
    f = Function(f"internal i32 @trigger_{number}(ptr noalias %s, ptr noalias %start, i32 %changes) {APART}")
    before, did, done = f.place(f"[{layout.slot} x i8]", 64), f.variable("i32", IDLE), f.label()
    env: dict[str, str] = {}
    waiting = _Waiting(trigger)
    with ExitStack() as loops:
        skip = done
        for v in trigger.loops:
            if v.hi < v.lo:
                f.ret(f"i32 {IDLE}")
            _require(Translator(module, f, layout, "%s", env), waiting.ready(env), skip)
            loop = loops.enter_context(f.counted(v.lo, v.hi))
            env[str(v.args[0])], skip = loop.index, loop.again
        _require(Translator(module, f, layout, "%s", env), waiting.ready(env), skip)
        so_far = f.op(f"or i32 %changes, {f.get('i32', did)}")
        with f.when(f.op(f"icmp eq i32 {so_far}, 0")):
            copy(f, layout, "%start", "%s", often=False)
        held = _held(trigger)
        for family in held:
            start, size = layout.offset[family.uid], family.size * layout.bits[family.uid] // 8
            ends = f"ptr {f.past(before, start)}, ptr {f.past('%s', start)}"
            f.do(f"call void @llvm.memcpy.p0.p0.i64({ends}, i64 {size}, i1 false)")
        t = Translator(module, f, layout, "%s", env, Facts([trigger.when]), held={g.uid: before for g in held})
        limit = write(t, "%s", trigger.effects, changed=did)
        if limit != "false":
            with f.when(limit):
                f.ret(f"i32 {BOUND}")
    f.jump(done)
    f.begin(done)
    f.ret(f"i32 {f.get('i32', did)}")
    module.add(f)


def _held(trigger: Trigger) -> list[Family]:
    """The families whose cells are needed as they were before the effects, when some are written already."""
    families = {e.family.uid: e.family for e in trigger.effects}.values()
    read = {n.args[0] for e in trigger.effects for n in walk(e.when, e.value, *e.indices) if n.op == "field"}
    return [g for g in families if g in read or may_collide([e for e in trigger.effects if e.family is g])]


def _require(t: Translator, conditions: Sequence[Expr], no: str) -> None:
    for condition in sorted(conditions, key=t.cost):
        t.require(condition, no)


class _Waiting:
    """The parts of a trigger's condition, each asked as soon as its loops are bound.

    A part that fails stops the loops inside: nothing fires there, so nothing changes it.
    A part that holds is asked again further in where the trigger itself may change it.
    """

    def __init__(self, trigger: Trigger) -> None:
        self._parts = parts(trigger.when)
        self._written = _written(trigger.effects)

    def ready(self, env: Mapping[str, str]) -> list[Expr]:
        found = [p for p in self._parts if p.free <= env.keys()]
        kept = [p for p in found if any(n.op == "field" and n.args[0].uid in self._written for n in walk(p))]
        self._parts = [p for p in self._parts if not p.free <= env.keys()] + kept
        return found


def _same(module: Module, layout: Layout) -> None:
    """Adds ``same(a, b)``: whether two states are equal."""
    f = Function("internal i1 @same(ptr readonly %a, ptr readonly %b)")
    words = min(8, layout.size // 8)
    vector, differences = f"<{words} x i64>", []
    # The last vector may overlap the one before: comparing a word twice does no harm.
    for at in [*range(0, layout.size - 64, 64), layout.size - 8 * words]:
        one, other = (f.op(f"load {vector}, ptr {f.past(p, at)}, align 8") for p in ("%a", "%b"))
        differences.append(f.op(f"xor {vector} {one}, {other}"))
    all_of_them = f.fold(f"or {vector}", differences)
    differs = f.call("i64", f"llvm.vector.reduce.or.v{words}i64", f"{vector} {all_of_them}")
    f.ret(f"i1 {f.op(f'icmp eq i64 {differs}, 0')}")
    module.add(f)
