"""Numbers that no move and no trigger changes, proved summand by summand.

A number is a sum, as a rule over many cells, of which a step changes few: what is the same term before and after
cancels, and only the rest is asked about. Where all cells of a field are summed an increment counts as what it adds,
whichever cell it goes to (``sums``). Who moves and the parameters are taken one value after another where these are few,
so that the cells that are written are known, unless a number counts wherever it goes.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any

from monjudge.model.language import FALSE, ME, TRUE, Action, Effect, Expr, RuleSet, Trigger, walk
from monjudge.solvers.engines.smt.terms import z3
from monjudge.verify.footprint import reads
from monjudge.verify.invariants import LIMIT, WITHIN, Breach, Inductive, bounds, conditions, firings, may_use
from monjudge.verify.queries import Condition, Queries, Refuted
from monjudge.verify.question import Question
from monjudge.verify.sums import ZERO, change_of, summands, whole

if TYPE_CHECKING:
    from monjudge.verify.implications import Implications

__all__ = ["again", "constant"]

CASES = 64
"""So many values of the parameters are taken one by one."""


def cases(rules: RuleSet, action: Action, telling: Collection[str]) -> Iterator[tuple[int | None, tuple[int | None, ...]]]:
    """Who moves and the parameters, value by value; None where a value is left open: one that is not ``telling``, or since
    there are too many."""
    who: Sequence[int | None] = range(rules.players) if ME in telling and not action.is_chance else [None]
    spans: list[Sequence[int | None]] = [who, *(p.values if p.name in telling else [None] for p in action.params)]
    while prod(map(len, spans)) > CASES:
        widest = max(range(len(spans)), key=lambda n: len(spans[n]))
        spans[widest] = [None]
    for me, *args in itertools.product(*spans):
        yield me, tuple(args)


def telling(numbers: Sequence[tuple[Expr, ...]], effects: Sequence[Effect]) -> frozenset[str]:
    """The variables that say which cell is written, of what the numbers read and do not count as a whole."""
    read = [{n.args[0].uid for n in walk(*parts) if n.op == "field"} for parts in numbers]
    places = {i for e in effects for i in e.indices if any(e.family.uid in r and not (e.adds and e.family.uid in whole(parts)) for r, parts in zip(read, numbers, strict=True))}
    return frozenset(str(n.args[0]) for n in walk(*places) if n.op == "var")


def constant(queries: Queries, question: Question) -> Inductive | Breach:
    """No move and no trigger changes any number of the measure."""
    game, now, used = queries.game, queries.now, dict[str, tuple[str, ...]]()
    numbers = [summands(number) for number in question.measure]
    for action in queries.scene.rules.actions:
        any_me, any_args = game.choice(action.name, "now")
        needed: set[str] = set()
        for given_me, given_args in cases(queries.scene.rules, action, telling(numbers, action.effects)):
            me = any_me if given_me is None else given_me
            args = [a if g is None else g for a, g in zip(any_args, given_args, strict=True)]
            then = game.apply(action.name, now, me, args)
            may = [*conditions(queries, action, me, args), *may_use(queries, question)]
            env = {ME: me, **{p.name: a for p, a in zip(action.params, args, strict=True)}}
            step = _Step(queries, then.state, then.limit, [game.domain(action.name, me, args)], may, env)
            model = step.changes(numbers, action.effects)
            if model is not None and not isinstance(model, Refuted):
                return Breach(game.model_state(model, now), game.model_move(model, action.name, me, args), ())
            needed |= set(model.used if model is not None else ())
        used[f"action {action.name}"] = tuple(sorted(needed))
    for name, trigger, values in firings(queries.scene.rules.triggers):
        after, limit = game.fire(trigger, values, now)
        env = {str(v.args[0]): n for v, n in zip(trigger.loops, values, strict=True)}
        step = _Step(queries, after, limit, [], queries.named("invariant", question.lemmas), env)
        model = step.changes(numbers, trigger.effects, trigger.when)
        if model is not None and not isinstance(model, Refuted):
            return Breach(game.model_state(model, now), trigger.id, ())
        if model is not None:
            used[name] = model.used
    return Inductive(used)


@dataclass(frozen=True)
class _Step:
    """A move or a firing: the state after it, whether it passes a bound, what is asked for and may be used, and the variables."""

    queries: Queries
    after: Any
    limit: Any
    goal: Sequence[Any]
    may: Sequence[Condition]
    env: Mapping[str, Any]

    def changes(self, numbers: Sequence[tuple[Expr, ...]], effects: tuple[Effect, ...], when: Expr = TRUE) -> Refuted | Any:
        """Whether the step keeps every number; None where it changes no summand."""
        game, now, differ, used = self.queries.game, self.queries.now, list[Any](), set[str]()
        happens = game.expr(when, now, self.env)
        for parts in numbers:
            change, exact = (change_of(parts, effects, when, assigns) for assigns in (False, True))
            if change.never is not FALSE and not (exact.rest or exact.added is not ZERO):
                change = exact
            if change.never is not FALSE:
                found = self._none(numbers, game.expr(change.never, now, self.env))
                change = change if isinstance(found, Refuted) else exact
                used |= set(found.used if isinstance(found, Refuted) else ())
            pairs = [(part, game.expr(part, now), game.expr(part, self.after)) for part in change.rest]
            left = [(part, old, new) for part, old, new in pairs if not old.eq(new)]
            added = [] if change.added is ZERO else [(part, game.expr(part, now, self.env)) for part in summands(change.added)]
            if left or added:
                differ.append(_differ([*((p, new) for p, _, new in left), *added], [(p, old) for p, old, _ in left], happens))
        if not differ:
            return Refuted(tuple(sorted(used))) if used else None
        found = self._none(numbers, z3.And(happens, z3.Or(differ)))
        return Refuted(tuple(sorted({*found.used, *used}))) if isinstance(found, Refuted) else found

    def _none(self, numbers: Sequence[tuple[Expr, ...]], wrong: Any) -> Refuted | Any:
        read, all_bounds = bounds(self.queries, self.after, self.limit, *(part for parts in numbers for part in parts))
        return self.queries.refute([*self.goal, wrong], [read, *self.may, all_bounds], at_once=False)


def _differ(one: Sequence[tuple[Expr, Any]], other: Sequence[tuple[Expr, Any]], given: Any) -> Any:
    """That two sums are not the same, in a width that holds both; what is one term in both, where this is given, cancels."""
    width = 2 + sum(max(abs(p.lo), abs(p.hi)) for p, _ in (*one, *other)).bit_length()
    width = max([width, *(term.size() for _, term in (*one, *other))])
    terms = dict[int, Any]()
    times = Counter[int]()
    for side, sign in ((one, 1), (other, -1)):
        for _, term in side:
            # The same number is the same object once both are simplified.
            simple = z3.simplify(z3.substitute(z3.SignExt(width - term.size(), term), (given, z3.BoolVal(True))))
            terms[simple.get_id()] = simple
            times[simple.get_id()] += sign
    totals = {sign: sum((n * sign * terms[id] for id, n in times.items() if n * sign > 0), start=z3.BitVecVal(0, width)) for sign in (1, -1)}
    return totals[1] != totals[-1]


def again(proof: Implications) -> None:
    """The same by CP-SAT, of every rule that writes a field which the measure reads, all parameters open."""
    read = {n.args[0].uid for number in proof.measure for n in walk(number) if n.op == "field"}
    for action in proof.rules.actions:
        if effects := tuple(e for e in action.effects if e.family.uid in read):
            name = f"action {action.name}"

            def moving(effects: tuple[Effect, ...], action: Action = action, name: str = name) -> Any:
                query, now, me, args = proof.moving(action, proof.used.get(name, ()), effects)
                env = {ME: me, **{p.name: a for p, a in zip(action.params, args, strict=True)}}
                return query, now, env, query.apply(action.name, now, me, args, within=True).state

            _differs(proof, moving, effects, name)
    for name, trigger, values in firings(proof.rules.triggers):
        if effects := tuple(e for e in trigger.effects if e.family.uid in read):
            env = {str(v.args[0]): n for v, n in zip(trigger.loops, values, strict=True)}

            def firing(effects: tuple[Effect, ...], trigger: Trigger = trigger, values: Any = values, env: Any = env) -> Any:
                query, now = proof.query()
                return query, now, env, query.fire(replace(trigger, effects=effects), values, now, within=True)[0]

            _differs(proof, firing, effects, name)


def _differs(proof: Implications, step: Callable[[tuple[Effect, ...]], Any], effects: tuple[Effect, ...], what: str) -> None:
    """No such step changes a number, nor makes an assignment that the reckoning of increments leaves out."""
    used = proof.used.get(what, ())
    for parts in map(summands, proof.measure):
        change, exact = (change_of(parts, effects, TRUE, assigns) for assigns in (False, True))
        is_exact = not exact.rest and exact.added is ZERO
        if change.never is not FALSE and (is_exact or not _is_barred(proof, step, change.never, what)):
            change = exact
        # The cells of what is counted as a whole tell nothing, unless their bounds do.
        compared = {n.args[0].uid for n in walk(*change.rest) if n.op == "field"}
        query, now, env, after = step(effects if {LIMIT, WITHIN} & {*used} else tuple(e for e in effects if e.family.uid in compared))
        query.require(proof.hold(query, now, used))
        left = [p for p in change.rest if any(now.terms[n] is not after.terms[n] for n in reads(proof.rules, p))]
        if not left and change.added is ZERO:
            continue
        terms = query.terms
        new = terms.add([query.term(change.added, now, env), *(query.term(p, after) for p in left)])
        old = terms.add([query.term(ZERO, now), *(query.term(p, now) for p in left)])
        query.require(terms.negate(terms.eq(old, new)))
        proof.none(query, what, relaxed=True)


def _is_barred(proof: Implications, step: Callable[[tuple[Effect, ...]], Any], never: Expr, what: str) -> bool:
    """Whether the conditions exclude an assignment."""
    query, now, env, _ = step(())
    query.require(proof.hold(query, now, proof.used.get(what, ())))
    query.require(query.term(never, now, env))
    return query.solve() is None
