"""Rules that fire by themselves: passes over the triggers until one changes nothing.

A trigger runs only when something it reads or writes has changed since it last ran:
otherwise it would do what it did then, which is nothing. One bit a trigger says so.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack

from monjudge.model.language import Effect, Expr, RuleSet, Trigger, walk
from monjudge.solvers.engines.native.effects import copy, write
from monjudge.solvers.engines.native.expressions import Translator
from monjudge.solvers.engines.native.facts import Facts
from monjudge.solvers.engines.native.ir import APART, Function, Module
from monjudge.solvers.engines.native.layout import Layout
from monjudge.solvers.engines.native.writes import may_collide

__all__ = ["BOUND", "CALM", "RESTED", "Watch", "settle"]

CALM, RESTED, BOUND = 0, 1, 2
"""How settling ended: with all triggers idle; with a pass whose changes cancel out; beyond a bound."""

IDLE, CHANGED = 0, 1
"""What a trigger did, unless it ended with ``BOUND``."""


class Watch:
    """Which triggers must run when what was written; a bit a trigger, ``kind`` the type for all bits.

    Some triggers may undo within a pass what another, or an earlier binding, did: a pass
    that leaves the state as it was may still contain their changes. ``restless`` are these
    and those that touch what they write: even in a settled state they need not be idle.
    The others are: nobody else writes what they write, so they changed nothing in the
    last pass, and saw in it what the settled state holds.
    """

    def __init__(self, triggers: Sequence[Trigger]) -> None:
        self.kind = f"i{max(1, len(triggers))}"
        self._touched = [_touched(t) for t in triggers]
        self.undo_themselves = [_may_undo_itself(t) for t in triggers]
        written = [_written(t.effects) for t in triggers]
        shared: frozenset[int] = frozenset()
        for n, families in enumerate(written):
            if self.undo_themselves[n] or any(families & others for m, others in enumerate(written) if m != n):
                shared |= families
        self.restless = sum(1 << n for n, touched in enumerate(self._touched) if touched & shared)

    def woken(self, effects: Iterable[Effect]) -> int:
        """The triggers that touch what these effects write."""
        written = _written(effects)
        return sum(1 << n for n, touched in enumerate(self._touched) if touched & written)


def _written(effects: Iterable[Effect]) -> frozenset[int]:
    return frozenset(e.family.uid for e in effects)


def _touched(trigger: Trigger) -> frozenset[int]:
    """The families a trigger reads or writes: a change of any of them may make it fire."""
    roots = [trigger.when]
    for e in trigger.effects:
        roots += [e.when, e.value, *e.indices]
    return frozenset(n.args[0].uid for n in walk(*roots) if n.op == "field") | _written(trigger.effects)


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
    for number in range(len(rules.triggers)):
        _trigger(module, layout, rules, number)
    f = Function(f"internal i32 @settle(ptr noalias %s, {watch.kind} %first)")
    start, awake = f.place(f"[{layout.slot} x i8]", 64), f.variable(watch.kind, "%first")
    with f.counted(1, rules.passes):
        changes = f.variable("i32", 0)
        for number, trigger in enumerate(rules.triggers):
            _visit(f, watch, number, trigger, (start, awake, changes))
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


def _visit(f: Function, watch: Watch, number: int, trigger: Trigger, places: tuple[str, str, str]) -> None:
    """One trigger in a pass, if it is awake: puts it to sleep, and what its changes concern awake."""
    (start, awake, changes), kind = places, watch.kind
    bits = f.get(kind, awake)
    with f.when(f.op(f"icmp ne {kind} {f.op(f'and {kind} {bits}, {1 << number}')}, 0")):
        f.put(kind, f.op(f"and {kind} {bits}, {~(1 << number)}"), awake)
        did = f.call("i32", f"trigger_{number}", "ptr %s", f"ptr {start}", f"i32 {f.get('i32', changes)}")
        with f.when(f.op(f"icmp eq i32 {did}, {BOUND}")):
            f.ret(f"i32 {BOUND}")
        with f.when(f.op(f"icmp eq i32 {did}, {CHANGED}")):
            f.put(kind, f.op(f"or {kind} {f.get(kind, awake)}, {watch.woken(trigger.effects)}"), awake)
            # Only changes of two triggers, or of two bindings, can cancel out.
            weight = 2 if watch.undo_themselves[number] else 1
            f.put("i32", f.op(f"add i32 {f.get('i32', changes)}, {weight}"), changes)


def _trigger(module: Module, layout: Layout, rules: RuleSet, number: int) -> None:
    """Adds ``trigger_N(state, start, changes)``: one trigger with all its bindings, in place; what it did.

    Before the first change in a pass (``changes`` is 0) the state is kept at ``start``.
    """
    trigger = rules.triggers[number]
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
            copy(f, layout, "%start", "%s")
        copy(f, layout, before, "%s")
        t = Translator(module, f, layout, before, env, Facts([trigger.when]))
        limit = write(t, "%s", trigger.effects, changed=did)
        if limit != "false":
            with f.when(limit):
                f.ret(f"i32 {BOUND}")
    f.jump(done)
    f.begin(done)
    f.ret(f"i32 {f.get('i32', did)}")
    module.add(f)


def _require(t: Translator, conditions: Sequence[Expr], no: str) -> None:
    for condition in sorted(conditions, key=t.cost):
        t.require(condition, no)


class _Waiting:
    """The parts of a trigger's condition, each asked as soon as its loops are bound.

    A part that fails stops the loops inside: nothing fires there, so nothing changes it.
    A part that holds is asked again further in where the trigger itself may change it.
    """

    def __init__(self, trigger: Trigger) -> None:
        self._parts = list(trigger.when.args) if trigger.when.op == "and" else [trigger.when]
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
