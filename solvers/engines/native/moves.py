"""All moves of a state with the states they lead to: one function for each action.

Parameters are bound one after another in their canonical order, and every part of a
clause is tested as soon as its parameters are known, cheap parts first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, contextmanager
from itertools import takewhile
from math import prod

from monjudge.model.language import FALSE, ME, NATURE, TRUE, Action, Expr, RuleSet, lt, walk
from monjudge.solvers.engines.native.effects import copy, write
from monjudge.solvers.engines.native.expressions import Translator
from monjudge.solvers.engines.native.facts import implied, parts
from monjudge.solvers.engines.native.ir import APART, Function, Module
from monjudge.solvers.engines.native.layout import CALM_BIT, LIMIT, LIMIT_NOTE, Layout
from monjudge.solvers.engines.native.triggers import BOUND, CALM, Watch

__all__ = ["candidates", "expand_all"]

FEW = 4
"""Actions that are expanded in one function; more are called one by one."""

HEAD = 12
"""Conditions on the state alone up to this cost (about instructions) are tested before an action is called."""


def candidates(rules: RuleSet, action: Action) -> int:
    """How many moves an action has in all, legal or not."""
    players = 1 if action.is_chance else rules.players
    return players * prod(p.var.hi - p.var.lo + 1 for p in action.params)


def expand_all(module: Module, layout: Layout, rules: RuleSet, watch: Watch) -> None:
    """Adds ``expand(state, start, end, status)``: appends every move of a state from ``start`` on.

    Returns the end of what was written, or null when ``end`` was reached. A move that
    passes a bound of the model sets ``status``; its slot holds the state before it.
    """
    f = Function("internal ptr @expand(ptr noalias readonly %s, ptr %start, ptr %end, ptr noalias %status)")
    t = Translator(module, f, layout, "%s")
    possible = {n: action for n, action in enumerate(rules.actions) if all(c is not FALSE for c in _conditions(action))}
    heads = {number: _head(action, t) for number, action in possible.items()}
    for number, head in heads.items():
        _Expansion(module, layout, rules, number, watch, list(head.values())).write()
    out = f.variable("ptr", "%start")
    _dispatch(t, out, heads)
    f.ret(f"ptr {f.get('ptr', out)}")
    module.add(f)


def _conditions(action: Action) -> list[Expr]:
    """All that must hold for a move of the action, in parts."""
    found = [part for c in action.clauses for part in parts(c.expr) if part is not TRUE]
    return found if action.weight is None else [*found, lt(0, action.weight)]


def _head(action: Action, t: Translator) -> dict[int, Expr]:
    """What an action asks of the state alone, if it takes few instructions, cheap conditions first."""
    cheap = [c for c in _conditions(action) if not c.free and t.cost(c) <= HEAD]
    return {c.uid: c for c in sorted(cheap, key=t.cost)}


def _dispatch(t: Translator, out: str, heads: Mapping[int, Mapping[int, Expr]]) -> None:
    """Expands the actions in order; a condition that several neighbours share is tested once for all of them."""
    f, rest = t.f, list(heads)
    while rest:
        head = heads[rest[0]]
        if not head:
            after = f.call("ptr", f"expand_{rest.pop(0)}", "ptr %s", f"ptr {f.get('ptr', out)}", "ptr %end", "ptr %status")
            f.put("ptr", after, out)
            with f.when(f.op(f"icmp eq ptr {after}, null")):
                f.ret("ptr null")
            continue
        shared = {uid: [*takewhile(lambda n, uid=uid: uid in heads[n], rest)] for uid in head}  # type: ignore[misc]
        chosen = max(shared, key=lambda uid: len(shared[uid]))
        members, skip = shared[chosen], f.label()
        rest = rest[len(members) :]
        with t.aside():
            t.require(head[chosen], skip)
            _dispatch(t, out, {n: {uid: c for uid, c in heads[n].items() if uid != chosen} for n in members})
        f.jump(skip)
        f.begin(skip)


class _Expansion:
    """``expand_N``: one action, in a state where its ``head`` holds."""

    def __init__(
        self, module: Module, layout: Layout, rules: RuleSet, number: int, watch: Watch, head: Sequence[Expr]
    ) -> None:  # fmt: skip
        self.rules, self.layout, self.action, self.watch = rules, layout, rules.actions[number], watch
        self.first = sum(candidates(rules, a) for a in rules.actions[:number])
        apart = APART if len(rules.actions) > FEW else ""
        self.f = Function(
            f"internal ptr @expand_{number}"
            f"(ptr noalias readonly %s, ptr %start, ptr %end, ptr noalias %status) {apart}"
        )  # fmt: skip
        self.module, self.t = module, Translator(module, self.f, layout, "%s")
        self.full = self.f.label()
        self.waiting = sorted(_conditions(self.action), key=self.t.cost)
        self.tested = {TRUE.uid}
        self.always, self.maybe = watch.woken_from(self.t, self.waiting, self.action.effects)
        self._drop(head)
        for condition in head:
            self.t.facts.assume(condition)

    def write(self) -> None:
        f = self.f
        out, done = f.variable("ptr", "%start"), f.label()
        with ExitStack() as loops:
            skip, unbound = self._who(loops, done), [p.var for p in self.action.params]
            while unbound:
                self._test(skip)
                bound, skip = loops.enter_context(self._values(unbound))
                unbound = unbound[bound:]
            self._test(skip)
            self._child(out)
        f.jump(done)
        f.begin(done)
        f.ret(f"ptr {f.get('ptr', out)}")
        f.begin(self.full)
        f.ret("ptr null")
        self.module.add(f)

    # -- which moves ----------------------------------------------------------------------

    def _who(self, loops: ExitStack, done: str) -> str:
        """Binds the acting player; returns the label for when nothing is legal with it."""
        f, by, most = self.f, self.action.by, self.rules.players - 1
        self._test(done)
        if self.action.is_chance:
            self.t.env[ME] = str(NATURE)
            return done
        if by is None:
            loop = loops.enter_context(f.counted(0, most))
            loops.enter_context(self.t.bound(ME, loop.index))
            return loop.again
        self.t.env[ME] = self.t.value(by)
        if by.lo < 0 or by.hi > most:
            good = f.label()
            f.branch(f.op(f"icmp ule i32 {self.t.env[ME]}, {most}"), good, done)
            f.begin(good)
        return done

    def _test(self, no: str) -> None:
        """Tests what can be tested with the parameters bound so far."""
        known = self.t.env.keys()
        ready = [c for c in self.waiting if c.free <= known]
        self._drop(ready)
        early = self._early(known)
        self.tested |= {c.uid for c in early}
        for condition in (*ready, *early):
            self.t.require(condition, no)
            self.t.facts.assume(condition)

    def _early(self, known: Set[str]) -> list[Expr]:
        """What the conditions that wait for more parameters say of the known ones, unless it was tested."""
        found = {c.uid: c for c in (implied(c, known) for c in self.waiting if not c.free <= known)}
        return [c for uid, c in found.items() if uid not in self.tested]

    def _drop(self, done: Sequence[Expr]) -> None:
        uids = {c.uid for c in done}
        self.waiting = [c for c in self.waiting if c.uid not in uids]

    @contextmanager
    def _values(self, unbound: Sequence[Expr]) -> Iterator[tuple[int, str]]:
        """Binds the next parameters to each of the values that may be legal; how many, and the label to skip one.

        Several at once where conditions on all of them are a set, else one.
        """
        first = unbound[:1]
        early = [c for c in self._early({*self.t.env, str(first[0].args[0])}) if self.t.sets.is_cheap(first, c)]
        for count in range(len(unbound), 0, -1):
            axes = unbound[:count]
            names = self.t.env.keys() | {str(v.args[0]) for v in axes}
            found = self.t.sets.members(axes, [*(c for c in self.waiting if c.free <= names), *early])
            if found is not None:
                mask, used = found
                self._drop(used)
                self.tested |= {c.uid for c in used}
                with self.f.when(self.f.op(f"icmp ne i64 {mask}, 0")), self.t.aside():
                    self._prepare()
                    with self.f.members(mask) as loop, self._bound(axes, loop.index):
                        for condition in used:
                            self.t.facts.assume(condition)
                        yield count, loop.again
                return
        variable = unbound[0]
        self._prepare()
        with self.f.counted(0, variable.hi - variable.lo) as loop, self._bound([variable], loop.index):
            yield 1, loop.again

    def _prepare(self) -> None:
        """Computes before a loop what the same would come of in every round: sets, and which triggers a move wakes."""
        for node in walk(*self.waiting):
            if node.op in ("all", "any", "sum") and node.free <= self.t.env.keys() and self.t.sets.covers(node):
                self.t.value(node)
        for _, condition in self.maybe:
            if condition.free <= self.t.env.keys():
                self.t.value(condition)

    @contextmanager
    def _bound(self, axes: Sequence[Expr], index: str) -> Iterator[None]:
        """Binds parameters to the values of a number in lexicographic order."""
        f = self.f
        with ExitStack() as bindings:
            for n, variable in enumerate(reversed(axes), 1):
                size, place = variable.hi - variable.lo + 1, index
                if n < len(axes):
                    place, index = f.op(f"urem i32 {index}, {size}"), f.op(f"udiv i32 {index}, {size}")
                value = f.op(f"add nsw i32 {place}, {variable.lo}")
                if variable.is_bool:
                    value = f.op(f"icmp ne i32 {value}, 0")
                bindings.enter_context(self.t.bound(str(variable.args[0]), value))
            yield

    # -- what becomes of one --------------------------------------------------------------

    def _child(self, out: str) -> None:
        """Writes the state after the move, and which move it was."""
        f, layout = self.f, self.layout
        child = f.get("ptr", out)
        after, room = f.past(child, layout.slot), f.label()
        f.branch(f.op(f"icmp ugt ptr {after}, %end"), self.full, room)
        f.begin(room)
        f.put("ptr", after, out)
        record, note = f.past(child, layout.size), f.past(child, layout.size + 4)
        copy(f, layout, child, "%s")
        f.put("i32", self._number(), record)
        f.put("i32", self._note(), note)
        passed, fine = f.label(), f.label()
        self._stop_if(write(self.t, child, self.action.effects), passed)
        self._settle(child, record, passed)
        f.jump(fine)
        f.begin(passed)
        f.put("i32", LIMIT, "%status")
        copy(f, layout, child, "%s", often=False)
        f.put("i32", self._number(), record)
        f.put("i32", LIMIT_NOTE, note)
        f.jump(fine)
        f.begin(fine)

    def _settle(self, child: str, record: str, passed: str) -> None:
        """Lets the triggers fire that the move may have woken, and in a state that is not calm the restless ones."""
        f, kind, uneasy = self.f, self.watch.kind, self.watch.restless
        if not self.always and not self.maybe and not uneasy:
            return
        awake = str(self.always)
        for bit, condition in self.maybe:
            awake = f.op(f"or {kind} {awake}, {f.op(f'select i1 {self.t.value(condition)}, {kind} {bit}, {kind} 0')}")
        if uneasy:
            is_calm = f.op(f"icmp slt i32 {f.get('i32', f.past('%s', self.layout.size))}, 0")
            awake = f.op(f"select i1 {is_calm}, {kind} {awake}, {kind} {f.op(f'or {kind} {awake}, {uneasy}')}")
        ended = f.variable("i32", CALM)
        with f.when(f.op(f"icmp ne {kind} {awake}, 0")):
            f.put("i32", f.call("i32", "settle", f"ptr {child}", f"{kind} {awake}"), ended)
        self._stop_if(f.op(f"icmp eq i32 {f.get('i32', ended)}, {BOUND}"), passed)
        if uneasy:
            calm = f.op(f"icmp eq i32 {f.get('i32', ended)}, {CALM}")
            calm = f.op(f"select i1 {calm}, i32 {CALM_BIT}, i32 0")
            f.put("i32", f.op(f"or i32 {f.get('i32', record)}, {calm}"), record)

    def _stop_if(self, limit: str, passed: str) -> None:
        if limit != "false":
            further = self.f.label()
            self.f.branch(limit, passed, further)
            self.f.begin(further)

    def _note(self) -> str:
        if self.action.weight is None:
            return self.t.env[ME]
        return self.f.op(f"sub i32 0, {self.t.value(self.action.weight)}")

    def _number(self) -> str:
        """The place of the move among all candidates, in canonical order."""
        f, stride, parts = self.f, 1, [str(self.first)]
        players = [] if self.action.is_chance else [(ME, 0, self.rules.players, False)]
        axes = [(str(p.name), p.var.lo, p.var.hi - p.var.lo + 1, p.var.is_bool) for p in self.action.params]
        for name, lo, size, is_bool in reversed(players + axes):
            value = self.t.env[name]
            if is_bool:
                value = f.op(f"zext i1 {value} to i32")
            parts.append(f.op(f"mul i32 {f.op(f'sub i32 {value}, {lo}')}, {stride}"))
            stride *= size
        return f.fold("add i32", parts)
