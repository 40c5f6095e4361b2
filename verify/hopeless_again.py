"""That what is declared hopeless is so, proved again by CP-SAT, which knows of the first proof only what it used.

What a step leaves as it is is any number at first, the same before and after: most steps hang on little else than what
they change. Where that does not do, it is looked at; and where that is too hard, case by case. A trigger that does not
fire changes nothing, so that it is asked about where it fires.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import Any

from monjudge.model.language import (
    Action,
    Effect,
    Expr,
    Hopeless,
    LimitReached,
    RuleSet,
    Trigger,
    add,
    both,
    either,
    substitute,
    walk,
)
from monjudge.model.language.expr import rebuild
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Refused
from monjudge.verify.footprint import reads
from monjudge.verify.hopeless import called, general, goal_of, number_of, silent
from monjudge.verify.invariants import firings
from monjudge.verify.queries import SETTLED
from monjudge.verify.sums import summands

__all__ = ["Again", "unrolled"]

CASES = 20
"""So many values of a field or a parameter are taken one by one."""

def unrolled(node: Expr) -> Expr:
    """The expression without quantifiers: their bodies for each value, side by side."""
    done: dict[int, Expr] = {}
    for part in walk(node):
        args = [done[a.uid] if isinstance(a, Expr) and a.uid in done else a for a in part.args]
        if part.op in ("all", "any", "sum") and not part.free:
            variable, body = args[0], args[1]
            each = [unrolled(substitute(body, {str(variable.args[0]): n})) for n in range(variable.lo, variable.hi + 1)]
            done[part.uid] = {"all": both, "any": either, "sum": add}[part.op](*each)
        else:
            done[part.uid] = part if part.op in ("const", "var") or part.free else rebuild(part, args)
    return done[node.uid]


def _fired(trigger: Trigger, values: Sequence[int]) -> Trigger:
    """The trigger with these values of its loops: where its condition is spoken of elsewhere, it is the same expression."""
    known = {str(v.args[0]): n for v, n in zip(trigger.loops, values, strict=True)}
    effects = (replace(e, indices=tuple(substitute(i, known) for i in e.indices), value=substitute(e.value, known), when=substitute(e.when, known))
               for e in trigger.effects)  # fmt: skip
    return replace(trigger, loops=(), when=unrolled(substitute(trigger.when, known)), effects=tuple(effects))


def _read_by(rules: RuleSet, roots: Sequence[Expr]) -> dict[int, set[int]]:
    """The cells that each closed part reads."""
    return {node.uid: reads(rules, node) for node in walk(*roots) if not node.free}


Known = Mapping[str, int]
"""What is known in a case: single fields and parameters, by their names."""

TRY = 12.0
"""So much of CP-SAT's own time is spent on a question before it is asked case by case."""

VEILED, SOON = 8.0, 2.0
"""So much before what a step leaves as it is is looked at, and so much of this before another relaxation is tried."""

BROAD = 2
"""A number that is made of more cells is not looked at first."""

_SEEN_THROUGH = ("const", "and", "or", "not", "eq", "lt", "le", "in", "ite")
"""What tells how numbers hang together."""


class Again:
    """The steps for one declaration, of the rules that write a field which is read, with the replies that were found.

    What CP-SAT does not settle soon is asked for each value of a field or parameter that says which cell is written, and
    of further fields with a single number: what is known is built into the question, which becomes small.
    The numbers that a step leaves as they are can be any at first, the same before and after.
    """

    def __init__(self, scene: Scene, declared: Hopeless, used: Mapping[str, Sequence[str]], effort: float | None) -> None:
        self.scene, self.rules, self.declared, self.used, self.effort = scene, scene.rules, declared, used, effort
        self.number, self.asked = number_of(scene.rules), 0
        self.when, self.between, self.after = map(unrolled, (declared.when, declared.between, declared.after))
        self.cells = _read_by(scene.rules, [self.between, self.after, self.number])
        numbers = [n for n in walk(self.between, self.after, self.number) if n.uid in self.cells and n.op not in _SEEN_THROUGH]
        self.broad, self.veiled = [n for n in numbers if len(self.cells[n.uid]) > BROAD], False
        self.shown = list[tuple[Set[Expr], Set[str]]]()
        comparisons = (n for n in walk(self.between) if n.op in ("le", "lt") and any(a.op == "add" for a in n.args))
        self.compared = [(n, list(summands(n.args[0] - n.args[1]))) for n in comparisons]
        read = [n.args[0] for n in walk(declared.between, declared.after, self.number) if n.op == "field"]
        self.read = {family.uid for family in read}
        self.single = tuple(dict.fromkeys(f.name for f in read if not f.dims and not f.config and not f.is_bool and f.hi - f.lo < CASES))

    def all(self) -> None:
        goal = goal_of(self.rules, self.declared)
        when, between, after = self.when, self.between, self.after
        self._follows("declared", lambda q, s: [q.term(when, s), q.terms.negate(q.term(between, s))])
        self._follows("back", lambda q, s: [q.term(between, s), q.terms.negate(q.over(s)), q.terms.negate(q.term(when, s))])
        self._follows("goal", lambda q, s: [q.terms.either([q.term(between, s), q.term(after, s)]), q.term(goal, s)])
        for action in self.rules.actions:
            if effects := self._relevant(action.effects):
                self._keeps(f"action {action.name}", partial(self._action, replace(action, effects=effects)), self._splits(effects, action))
            if silent(action):
                self._none(f"silence {action.name}", partial(self._silence, action), self._splits((), action))
        for name, trigger, values in firings(self.rules.triggers):
            if effects := self._relevant(trigger.effects):
                firing = _fired(replace(trigger, effects=effects), values)
                for part, holds in (("", between), (" after", after)):
                    self._keeps(f"{name}{part}", partial(self._firing, firing, holds), self._splits(firing.effects))
        replying = replace(self.rules, actions=tuple(replace(a, effects=self._relevant(a.effects)) for a in self.rules.actions))
        for action in self.rules.actions:
            if not action.is_chance and not self._is_shown(action):
                self._none(f"reply {action.name}", partial(self._replies, replying, action), self._splits((), action))

    def _of(self, step: str) -> Sequence[str]:
        return self.used.get(f"{called(self.declared)}: {step}", ())

    def _relevant(self, effects: Sequence[Effect]) -> tuple[Effect, ...]:
        return tuple(e for e in effects if e.family.uid in self.read)

    def _splits(self, effects: Sequence[Effect], action: Action | None = None) -> list[tuple[str, range]]:
        """What cases may be told apart by: what says where the effects go comes first."""
        spans = {name: range(f.lo, f.hi + 1) for name in self.single for f in [self.rules.family_named[name]]}
        spans |= {p.name: p.values for p in (action.params if action else ()) if not p.var.is_bool and len(p.values) <= CASES}
        told = [str(n.args[0].name if n.op == "field" else n.args[0]) for n in walk(*(i for e in effects for i in e.indices)) if n.op in ("field", "var")]
        return [(name, spans[name]) for name in dict.fromkeys((*told, *self.single)) if name in spans]

    def _is_shown(self, action: Action) -> bool:
        """Whether no more was used for the replies to another action: then it is the same question, or one that asks for less."""
        used = self._of(f"reply {action.name}")
        needed = {c: id for c, id in general(self.rules, action).items() if id in used}
        replies = {text for text in used if text.startswith("[")}
        if any(conditions <= needed.keys() and known <= replies for conditions, known in self.shown):
            self.asked += 1
            return True
        if set(used) == {*needed.values(), *replies}:
            self.shown.append((needed.keys(), replies))
        return False

    def _keeps(self, step: str, made: Callable[[Known, float | None], Any], splits: Sequence[tuple[str, range]]) -> None:
        """Asks with any numbers for what the step leaves as it is, and with these very ones where that does not do."""
        self.veiled = True
        try:
            if made({}, min(VEILED, self.effort or VEILED)).solve() is None:
                self.asked += 1
                return
        except LimitReached:
            pass
        finally:
            self.veiled = False
        self._none(step, made, splits)

    def _none(self, step: str, made: Callable[[Known, float | None], Any], splits: Sequence[tuple[str, range]], known: Known | None = None) -> None:
        """Asks whether there is no model, case by case if need be. Raises Refused where there is one."""
        what, soon = f"{called(self.declared)}: {step}", self.effort if not splits else min(TRY, self.effort or TRY)
        self.asked += 1
        try:
            if made(known or {}, soon).solve() is not None:
                raise Refused(f"CP-SAT finds a counterexample: {what}", f"CP-SAT が反例を見つけた：{what}")
        except LimitReached:
            if not splits:
                raise
            (name, span), *rest = splits
            for value in span:
                self._none(step, made, rest, {**(known or {}), name: value})

    def _query(self, rules: RuleSet, known: Known, effort: float | None) -> tuple[Any, Any]:
        from monjudge.solvers.engines.cpsat import Query
        from monjudge.solvers.engines.cpsat.terms import SymbolicState

        query = Query(rules, effort, easy=SOON) if self.veiled else Query(rules, effort)
        cells = list(query.state().terms)
        for name, value in known.items():
            if name in rules.offset:
                cells[rules.offset[name]] = query.terms.known(value)
        now = SymbolicState(cells)
        query.require(query.term(self.scene.given, now))
        return query, now

    def _follows(self, step: str, goal: Callable[[Any, Any], list[Any]]) -> None:
        def made(known: Known, effort: float | None) -> Any:
            query, now = self._query(self.rules, known, effort)
            if SETTLED in self._of(step):
                after, limit = query.one_pass(now)
                query.require(query.equal(now, after))
                query.require(query.terms.negate(limit))
            for truth in goal(query, now):
                query.require(truth)
            return query

        self._none(step, made, self._splits(()))

    def _move(self, query: Any, now: Any, action: Action, me: Any, known: Known, step: str) -> tuple[Any, Sequence[Any]]:
        """A move of the action of whose conditions those that were used hold."""
        from monjudge.verify.implications import conditions_of, variables

        any_me, any_args = query.choice(action.name)
        me = any_me if me is None else me
        args = [query.terms.known(known[p.name]) if p.name in known else a for p, a in zip(action.params, any_args, strict=True)]
        for id, condition in conditions_of(self.rules, action):
            if id in self._of(step) and id not in silent(action):
                query.require(query.term(condition, now, variables(action, me, args)))
        return me, args

    def _action(self, action: Action, known: Known, effort: float | None) -> Any:
        query, now = self._query(replace(self.rules, actions=(action,)), known, effort)
        me, args = self._move(query, now, action, self._mover(query, action), known, f"action {action.name}")
        return self._breaks(query, now, query.apply(action.name, now, me, args, within=True).state, self.between)

    def _silence(self, action: Action, known: Known, effort: float | None) -> Any:
        from monjudge.verify.implications import variables

        query, now = self._query(replace(self.rules, actions=(action,)), known, effort)
        me, args = self._move(query, now, action, self._mover(query, action), known, f"silence {action.name}")
        query.require(query.term(self.between, now))
        held = [query.term(c.expr, now, variables(action, me, args)) for c in action.clauses if c.id in silent(action)]
        query.require(query.terms.negate(query.terms.both(held)))
        return query

    def _mover(self, query: Any, action: Action) -> Any:
        return None if action.is_chance else query.terms.known(self.declared.player)

    def _firing(self, trigger: Trigger, holds: Expr, known: Known, effort: float | None) -> Any:
        query, now = self._query(self.rules, known, effort)
        return self._breaks(query, now, query.fire(trigger, (), now, within=True)[0], holds)

    def _breaks(self, query: Any, now: Any, then: Any, holds: Expr) -> Any:
        if self.veiled:
            self._veil(query, now, then)
        query.require(query.term(holds, now))
        kept = self._stays(query, now, then) if holds is self.between else self._begun(query, now, then, later=False)
        query.require(query.terms.negate(kept))
        return query

    def _stays(self, query: Any, now: Any, then: Any) -> Any:
        self._carry_over(query, now, then)
        terms, same = query.terms, query.terms.eq(query.term(self.number, now), query.term(self.number, then))
        self._differ(query, now, then)
        return terms.either([terms.both([query.term(self.between, then), same]), self._begun(query, now, then, later=True)])

    def _veil(self, query: Any, now: Any, then: Any) -> None:
        """Any number, the same before and after, for what reads only cells that a step leaves as they are: what holds of any holds of this one."""
        changed = _changed(now, then)
        for node in self.broad:
            if (node.uid,) not in now.memo and changed.isdisjoint(self.cells[node.uid]):
                now.memo[node.uid,] = then.memo[node.uid,] = query.terms.variable(node.lo, node.hi, node.is_bool)

    def _carry_over(self, query: Any, now: Any, then: Any) -> None:
        """What reads only cells that a step leaves as they are is one term before and after."""
        changed = _changed(now, then)
        for uid, cells in self.cells.items():
            if (uid,) in now.memo and changed.isdisjoint(cells):
                then.memo[uid,] = now.memo[uid,]

    def _differ(self, query: Any, now: Any, then: Any) -> None:
        """Where a comparison of sums held before and does not after, the changes of the summands tell it: a search that counts both sums finds it late."""
        terms = query.terms
        for node, parts in self.compared:
            before, after = query.term(node, now), query.term(node, then)
            if before is not after:
                grown = [n for part in parts for n in _growth(query, part, now, then)]
                terms.require(terms.either([terms.negate(before), after, terms.lt(terms.known(0), terms.add(grown))]))

    def _begun(self, query: Any, now: Any, then: Any, later: bool) -> Any:
        terms, first, second = query.terms, query.term(self.number, now), query.term(self.number, then)
        return terms.both([query.term(self.after, then), (terms.lt if later else terms.le)(first, second)])

    def _replies(self, rules: RuleSet, action: Action, known: Known, effort: float | None) -> Any:
        step = f"reply {action.name}"
        query, now = self._query(rules, known, effort)
        terms = query.terms
        query.require(query.term(self.between, now))
        me, _ = self._move(query, now, action, None, known, step)
        query.require(terms.negate(terms.eq(me, terms.known(self.declared.player))))
        for name, who, *values in (json.loads(text) for text in self._of(step) if text.startswith("[")):
            if who == self.declared.player or rules.by_name[name].is_chance:
                raise Refused(f"{name} is no reply of the others", f"{name} は相手の応手ではない")
            then = query.apply(name, now, who, values)
            query.require(terms.negate(terms.both([query.legal(name, now, who, values), terms.negate(then.limit), self._stays(query, now, then.state)])))
        return query


def _changed(now: Any, then: Any) -> set[int]:
    """The cells of which a step makes another term."""
    return {n for n, (a, b) in enumerate(zip(now.terms, then.terms, strict=True)) if a is not b}


def _growth(query: Any, part: Expr, now: Any, then: Any) -> list[Any]:
    """Numbers whose sum is how much a summand has grown; what is 0 or 1 grows or shrinks by a literal of its own."""
    factor, node = part.args if part.op == "mul" else (1, part)
    terms, before, after = query.terms, query.term(node, now), query.term(node, then)
    if before is after:
        return []
    if (node.lo, node.hi) != (0, 1):
        return [terms.scale(factor, terms.add([after, terms.scale(-1, before)]))]
    none, one = terms.known(0), terms.known(1)
    was, will = terms.eq(before, one), terms.eq(after, one)
    up, down = (terms.ite(terms.both([a, terms.negate(b)]), one, none) for a, b in ((will, was), (was, will)))
    return [terms.scale(factor, up), terms.scale(-factor, down)]
