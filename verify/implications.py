"""The implications of a proof, asked anew of CP-SAT, with no more of the rules than the certificate says were used.

A proof by induction is three implications: the invariants hold where play begins; no move and no trigger breaks
them; the claim follows from them. Which rules need no question is worked out here by the names of fields.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from monjudge.model.language import (
    ME,
    TRUE,
    Action,
    Effect,
    Expr,
    LimitReached,
    RuleSet,
    Trigger,
    parse_expr,
    var,
    walk,
)
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.cpsat import Opaque, Query
from monjudge.solvers.engines.cpsat.terms import SymbolicState, Truth
from monjudge.verify import constant, firing, idle, legal, limit
from monjudge.verify.commute import commute_again, confluence_again
from monjudge.verify.footprint import reads, says_next
from monjudge.verify.invariants import LIMIT
from monjudge.verify.obligations import LEFT, restored
from monjudge.verify.queries import INVARIANT, SETTLED
from monjudge.verify.sums import lower

__all__ = ["Implications", "conditions_of", "variables"]

_ID = re.compile(r"[\w.-]+")
"""How ids of rules look; what else a certificate names has words in front."""

OPAQUE = 20.0
"""So much of CP-SAT's own time is spent without what hangs on open readings, where no bound is set."""


def _firings(rules: RuleSet) -> Iterator[tuple[str, Trigger, tuple[int, ...]]]:
    """Every trigger with all values of its loops, and what the prover calls that step."""
    for trigger in rules.triggers:
        for values in itertools.product(*(range(v.lo, v.hi + 1) for v in trigger.loops)):
            yield f"trigger {trigger.id}{list(values) if values else ''}", trigger, values


class Implications:
    """The implications of a proof, asked one by one.

    Readings that are given are known. What hangs on those that are open is taken for any number at first: a proof that
    needs none of them needs nothing of it, and the question stays small. Only where that does not do they are looked at.
    """

    def __init__(self, evidence: Evidence, scene: Scene, effort: float | None, carried: Collection[str] = ()) -> None:
        self.scene, self.rules, self.effort, self.carried = scene, scene.rules, effort, carried
        claim, certificate = evidence.claim, evidence.certificate
        self.kind, self.on = claim["kind"], claim["on"]
        self.measure = [parse_expr(text, scene.scope()) for text in claim["measure"]]
        self.claimed = parse_expr(claim["formula"], scene.scope(self.on or None))
        self.invariants = [parse_expr(text, scene.scope()) for text in certificate["invariants"]]
        if (certificate["settled"] and self.kind not in ("invariant", "unreachable")) or (self.kind == "fact" and self.invariants):
            raise Refused("it assumes what is no part of a proof of this kind", "この種類の証明にはない前提を用いている")
        self.rests = [self.claimed] if certificate["settled"] else []
        self.left = parse_expr(claim.get("left", "true"), scene.scope())
        self.used: Mapping[str, Sequence[str]] = certificate["used"]
        self.among: Sequence[str] = claim.get("among", ())
        self.apart = {(a, b) for a, b in claim.get("apart", ())}
        self.read = {n.args[0].uid for n in walk(*self.invariants) if n.op == "field"}
        self._cells = [reads(self.rules, f) for f in self.invariants]
        self.ids = {LIMIT, SETTLED, *(id for a in self.rules.actions for id, _ in conditions_of(self.rules, a)), *(t.id for t in self.rules.triggers)}
        self.asked = 0
        hidden = [s.family.uid for s in scene.rules.switches if s.family.name not in scene.held]
        self._hiding = Opaque(hidden) if hidden else None
        self._opaque: Opaque | None = None

    def all(self) -> int:
        """How many questions CP-SAT has answered. Raises Refused where it finds a counterexample, LimitReached where it gives up."""
        own = {"move": self._legal, "step": self._relation, "deadlock": self._deadlock, "termination": self._termination}
        self._ask(partial(_AGAIN[self.kind], self) if self.kind in _AGAIN else own.get(self.kind, self._follows))
        self._ask(partial(idle.again, self))
        if "start" not in self.carried:
            self._ask(self._begins)
        for action in self.rules.actions:
            if (name := f"action {action.name}") not in self.carried and (effects := self.relevant(action.effects, name, self.read)):
                self._ask(partial(self._move, action, effects))
        for name, trigger, values in _firings(self.rules):
            if name not in self.carried and (effects := self.relevant(trigger.effects, name, self.read)):
                self._ask(partial(self._firing, replace(trigger, effects=tuple(effects)), values, name))
        return self.asked

    def _ask(self, question: Callable[[], None]) -> None:
        """Asks without what hangs on open readings, and with it where that does not do."""
        asked, self._opaque = self.asked, self._hiding
        if self._opaque is not None:
            try:
                return question()
            except (Refused, LimitReached):
                self.asked, self._opaque = asked, None
        return question()

    def fresh(self, rules: RuleSet | None = None) -> tuple[Query, SymbolicState]:
        """A new question with a state of which nothing is known but what is held."""
        # What is opaque may have no end, where the question itself is answered soon.
        query = Query(rules or self.rules, OPAQUE if self.effort is None and self._opaque is not None else self.effort, self._opaque)
        cells = list(query.state().terms)
        for n, family in ((self.rules.offset[name], self.rules.family_named[name]) for name in self.scene.held):
            cells[n : n + family.size] = map(query.terms.known, self.scene.start[n : n + family.size], [family.is_bool] * family.size)
        return query, SymbolicState(cells)

    def relevant(self, effects: Sequence[Effect], step: str, read: Collection[int]) -> Sequence[Effect]:
        """The effects on what is read; all of them where the proof needed that none of them passes a bound."""
        relevant = [e for e in effects if e.family.uid in read]
        return effects if relevant and LIMIT in self.used.get(step, ()) else relevant

    def wanted(self, effects: Sequence[Effect], step: str, read: Collection[int]) -> Sequence[Effect]:
        """The same of a step that is asked about even where it writes nothing which is read."""
        return effects if LIMIT in self.used.get(step, ()) else self.relevant(effects, step, read)

    def query(self) -> tuple[Query, SymbolicState]:
        query, now = self.fresh()
        query.require(query.term(self.scene.given, now))
        return query, now

    def none(self, query: Query, what: str, relaxed: bool = False) -> None:
        self.asked += 1
        if query.solve(relaxed) is not None:
            lost = ", ".join(name for name in self.used.get(what, ()) if _ID.fullmatch(name) and name not in self.ids)
            en, ja = (f"; the certificate names {lost}, which the rules do not have", f"。証明が挙げる{lost}はルールにない") if lost else ("", "")
            raise Refused(f"CP-SAT finds a counterexample: {what}{en}", f"CP-SAT が反例を見つけた：{what}{ja}")

    def hold(self, query: Query, state: SymbolicState, used: Collection[str]) -> Truth:
        """The invariants that were used."""
        return query.terms.both([query.term(f, state) for n, f in enumerate(self.invariants) if f"{INVARIANT} {n}" in used])

    def _begins(self) -> None:
        query, now = self.query()
        cells, at = list(now.terms), 0
        for family in self.rules.families:
            if not (family.config or family.name in self.scene.free):
                for n in range(at, at + family.size):
                    cells[n] = query.terms.known(self.scene.start[n], family.is_bool)
            at += family.size
        first = SymbolicState(cells)
        query.require(query.terms.negate(query.terms.both([query.term(f, first) for f in self.invariants])))
        self.none(query, "start")

    def _breaks(self, query: Query, now: SymbolicState, after: SymbolicState, what: str) -> None:
        """Every invariant that may read a cell which the step writes holds after it, where these and those that were used hold before."""
        touched = [f for f, cells in zip(self.invariants, self._cells, strict=True) if any(now.terms[n] is not after.terms[n] for n in cells)]
        query.require(self.hold(query, now, self.used.get(what, ())))
        query.require(query.terms.both([query.term(f, now) for f in touched]))
        query.require(query.terms.negate(query.terms.both([query.term(f, after) for f in touched])))
        self.none(query, what)

    def _move(self, action: Action, effects: Sequence[Effect]) -> None:
        name = f"action {action.name}"
        query, now, me, args = self.moving(action, self.used.get(name, ()), effects)
        if any(used.startswith("at rest") for used in self.used.get(name, ())):
            for formula in self.rests:
                query.require(query.term(formula, now))
        self._breaks(query, now, query.apply(action.name, now, me, args, within=True).state, name)

    def moving(
        self, action: Action, used: Collection[str], effects: Sequence[Effect]
    ) -> tuple[Query, SymbolicState, Any, Sequence[Any]]:
        """A move of the action with these effects, of whose conditions those that were used hold."""
        query, now = self.fresh(replace(self.rules, actions=(replace(action, effects=tuple(effects)),)))
        query.require(query.term(self.scene.given, now))
        me, args = query.choice(action.name)
        for id, condition in conditions_of(self.rules, action):
            if id in used:
                query.require(query.term(condition, now, variables(action, me, args)))
        self.at_rest(query, now, used)
        return query, now, me, args

    def _firing(self, trigger: Trigger, values: Sequence[int], name: str) -> None:
        query, now = self.query()
        self._breaks(query, now, query.fire(trigger, values, now, within=True)[0], name)

    def at_rest(self, query: Query, now: SymbolicState, used: Collection[str]) -> None:
        """Requires of rest what was used: that triggers are idle, or that a whole pass changes nothing."""
        for trigger in self.rules.triggers:
            for _, env in idle.bindings(trigger) if idle.IDLE + trigger.id in used else ():
                query.require(query.terms.negate(query.term(trigger.when, now, env)))
        if SETTLED in used:
            after, limit = query.one_pass(now)
            query.require(query.equal(now, after))
            query.require(query.terms.negate(limit))

    def _legal(self) -> None:
        """Wherever the move is legal, the claim holds."""
        if f"move {self.on}" in self.carried:
            return
        action = self.rules.by_name[self.on]
        speaks = says_next(self.claimed)
        query, now, me, args = self.moving(action, self.used.get(f"move {self.on}", ()), action.effects if speaks else ())
        query.require(self.hold(query, now, self.used.get(f"move {self.on}", ())))
        then = query.apply(self.on, now, me, args, within=True) if speaks else None
        query.require(query.terms.negate(query.term(self.claimed, now, variables(action, me, args), then and then.state)))
        self.none(query, f"move {self.on}")

    def _relation(self) -> None:
        """The claim holds of a state and itself, of what is related over a third, and of every step."""
        query, now = self.query()
        query.require(query.terms.negate(query.term(self.claimed, now, None, now)))
        self.none(query, "reflexive")
        query, now = self.query()
        second, third = query.state(), query.state()
        query.require(query.term(self.claimed, now, None, second))
        query.require(query.term(self.claimed, second, None, third))
        query.require(query.terms.negate(query.term(self.claimed, now, None, third)))
        self.none(query, "transitive")
        read = {n.args[0].uid for n in walk(self.claimed) if n.op == "field"}
        for action in self.rules.actions:
            name = f"action {action.name}"
            if name not in self.carried and (effects := self.relevant(action.effects, name, read)):
                query, now, me, args = self.moving(action, self.used.get(name, ()), effects)
                self._related(query, now, query.apply(action.name, now, me, args, within=True).state, name)
        for name, trigger, values in _firings(self.rules):
            if name not in self.carried and (effects := self.relevant(trigger.effects, name, read)):
                query, now = self.query()
                self._related(query, now, query.fire(replace(trigger, effects=tuple(effects)), values, now, within=True)[0], name)

    def _related(self, query: Query, now: SymbolicState, after: SymbolicState, what: str) -> None:
        query.require(self.hold(query, now, self.used.get(what, ())))
        query.require(query.terms.negate(query.term(self.claimed, now, None, after)))
        self.none(query, what)

    def _termination(self) -> None:
        """Every move lowers the measure, and no trigger raises it."""
        read = {n.args[0].uid for n in walk(self.claimed, *self.measure) if n.op == "field"}
        for action in self.rules.actions:
            if (name := f"action {action.name}") in self.carried:
                continue
            query, now, me, args = self.moving(action, self.used.get(name, ()), self.wanted(action.effects, name, read))
            after = query.apply(action.name, now, me, args, within=True).state
            self._lowers(query, now, after, lower(self.measure, action.effects, TRUE, False), variables(action, me, args), name)
        for name, trigger, values in _firings(self.rules):
            if name in self.carried:
                continue
            query, now = self.query()
            env = {str(v.args[0]): n for v, n in zip(trigger.loops, values, strict=True)}
            effects = tuple(self.wanted(trigger.effects, name, read))
            after = query.fire(replace(trigger, effects=effects), values, now, within=True)[0]
            self._lowers(query, now, after, lower(self.measure, trigger.effects, TRUE, True), env, name)
        self._premise_stays_lost()

    def _premise_stays_lost(self) -> None:
        """Where the premise of a termination does not hold between a move and rest, no trigger restores it."""
        said = self.claimed, self.left
        read = {n.args[0].uid for n in walk(*said) if n.op == "field"} if self.claimed is not TRUE else set[int]()
        for action in self.rules.actions:
            step = f"{LEFT}action {action.name}"
            if step not in self.carried and (effects := self.relevant(action.effects, step, read)):
                query, now, me, args = self.moving(action, self.used.get(step, ()), effects)
                after = query.apply(action.name, now, me, args, within=True).state
                query.require(query.term(self.claimed, now))
                query.require(query.terms.negate(query.term(self.claimed | self.left, after)))
                query.require(self.hold(query, now, self.used.get(step, ())))
                self.none(query, step)
        for name, trigger, values in _firings(self.rules):
            if (step := LEFT + name) not in self.carried and (effects := self.relevant(trigger.effects, step, read)):
                query, now = self.query()
                after = query.fire(replace(trigger, effects=tuple(effects)), values, now, within=True)[0]
                query.require(query.term(restored(*said), now, None, after))
                query.require(self.hold(query, now, self.used.get(step, ())))
                self.none(query, step)

    def _lowers(self, query: Query, now: SymbolicState, after: SymbolicState, lowers: Expr, env: Mapping[str, Any], what: str) -> None:
        """No such step, from and to states with the premise, leaves a measure that is not lower as it is to be."""
        query.require(query.term(self.claimed, now))
        query.require(query.term(self.claimed, after))
        query.require(self.hold(query, now, self.used.get(what, ())))
        query.require(query.terms.negate(query.term(lowers, now, env, after)))
        self.none(query, what)

    def _deadlock(self) -> None:
        """In every state where the claim asks for it, one of the moves of the certificate is legal."""
        if "deadlock" in self.carried:
            return
        used = self.used["deadlock"]
        query, now = self.query()
        query.require(self.hold(query, now, used))
        query.require(query.terms.negate(query.over(now)))
        query.require(query.term(self.claimed, now))
        self.at_rest(query, now, used)
        for written in (json.loads(text) for text in used if text.startswith("[")):
            name, me, *args = written
            query.require(query.terms.negate(query.legal(name, now, me, args)))
        self.none(query, "deadlock")

    def _follows(self) -> None:
        """The claim follows from the invariants used and rest, or is one of the invariants."""
        if "at rest 0" in self.carried:
            return
        query, now = self.query()
        used = self.used.get("at rest 0", ()) if self.rests else [f"{INVARIANT} {n}" for n, f in enumerate(self.invariants) if f is self.claimed]
        query.require(self.hold(query, now, used))
        self.at_rest(query, now, used)
        query.require(query.terms.negate(query.term(self.claimed, now)))
        self.none(query, "the claim follows")


def variables(action: Action, me: Any, args: Sequence[Any]) -> dict[str, Any]:
    return {ME: me, **{p.name: a for p, a in zip(action.params, args, strict=True)}}


def conditions_of(rules: RuleSet, action: Action) -> list[tuple[str, Expr]]:
    """What makes a move legal, each with its name in a certificate."""
    found = [] if rules.over is None else [(rules.over.id, ~rules.over.expr)]
    if action.weight is not None:
        found.append(("GAME.turn", action.weight > 0))
    elif action.by is not None:
        found.append(("GAME.turn", action.by == var(ME, 0, rules.players - 1)))
    return found + [(c.id, c.expr) for c in action.clauses]


_AGAIN: Mapping[str, Callable[[Implications], None]] = {
    "commute": commute_again, "confluence": confluence_again, "constant": constant.again, "limit": limit.again, "legal": legal.again,
    "firing": firing.again,
}  # fmt: skip
"""Kinds that have a file of their own."""
