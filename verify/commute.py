"""Order independence: moves of different players, and firings of triggers, taken in both orders.

Two moves commute where each stays legal after the other and both orders end in the same state; this is asked for all
states at once, pair by pair. A pair that is never legal together, or of which neither reads what the other writes,
needs no second look. What is proved is about the effects alone; a fault is sought among states that are reached, with
the triggers firing in between.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from monjudge.model.language import Action, LimitReached, Move, RuleSet, State, Trigger
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.engines.smt.terms import same, z3
from monjudge.verify.footprint import Footprint, footprint
from monjudge.verify.invariants import LIMIT, Breach, Inductive, conditions, firings, may_use
from monjudge.verify.queries import Condition, Queries, Refuted
from monjudge.verify.question import Question

if TYPE_CHECKING:
    from monjudge.verify.implications import Implications

__all__ = ["commute", "commute_again", "confluence", "confluence_again", "differ", "orders", "turned"]

NEVER = "never both"
"""Noted of a pair of moves that are never legal together."""


def pairs_of_actions(rules: RuleSet, among: Sequence[str], apart: Collection[tuple[str, str]]) -> Iterator[tuple[int, Action, int, Action]]:
    """Two different players, and which actions of theirs are to commute."""
    chosen = [a for a in rules.actions if not a.is_chance and (not among or a.name in among)]
    for p, q in itertools.combinations(range(rules.players), 2):
        for a, b in itertools.product(chosen, chosen):
            if (a.name, b.name) not in apart and (b.name, a.name) not in apart:
                yield p, a, q, b


def called(p: int, a: Action, q: int, b: Action) -> str:
    """What a pair is called in a certificate."""
    return f"pair {a.name} {p}, {b.name} {q}"


def commute(queries: Queries, question: Question) -> Inductive | Breach:
    """All pairs of moves of different players commute, as far as both are legal; asked cell by cell and clause by clause."""
    game, now, prop, used = queries.game, queries.now, question.prop, dict[str, tuple[str, ...]]()
    premise = game.expr(question.premise, now)
    made: dict[tuple[int, str], Any] = {}

    def moved(p: int, a: Action, which: str) -> Any:
        if (p, a.name) not in made:
            args = game.choice(a.name, which)[1]
            legal = [(f"{p} {id}", term) for id, term in conditions(queries, a, p, args)]
            made[p, a.name] = args, legal, game.apply(a.name, now, p, args)
        return made[p, a.name]

    for p, a, q, b in pairs_of_actions(queries.scene.rules, prop.among, prop.apart):
        (args, legal, after), (brgs, begal, bfter) = moved(p, a, f"player {p}"), moved(q, b, f"player {q}")
        goals = _goals(queries, (p, a, args, after), (q, b, brgs, bfter))
        if not goals:
            used[called(p, a, q, b)] = ()
            continue
        both = [game.domain(a.name, p, args), game.domain(b.name, q, brgs), premise]
        may: list[Condition] = [*legal, *begal, *may_use(queries, question)]
        found = queries.refute(both, may)
        if isinstance(found, Refuted):
            used[called(p, a, q, b)] = (*found.used, NEVER)
            continue
        limits = [after.limit, bfter.limit]
        within: Condition = (LIMIT, lambda limits=limits: z3.Not(z3.Or(limits)))  # type: ignore[misc]
        needed: set[str] = set()
        for goal in goals:
            found = queries.refute([*both, goal], [within, *may])
            if not isinstance(found, Refuted):
                return Breach(game.model_state(found, now), game.model_move(found, a.name, p, args), ())
            needed |= set(found.used)
        used[called(p, a, q, b)] = tuple(sorted(needed))
    return Inductive(used)


def _goals(queries: Queries, one: Any, two: Any) -> list[Any]:
    """What tells the orders apart, one by one: a condition that is another after the other move, a cell that ends otherwise.

    What is the same term either way needs no question.
    """
    game, now, (p, a, args, after), (q, b, brgs, bfter) = queries.game, queries.now, one, two
    goals = []
    for me, action, own, then in ((q, b, brgs, after.state), (p, a, args, bfter.state)):
        pairs = zip(game.conditions(action.name, now, me, own), game.conditions(action.name, then, me, own), strict=True)
        goals += [z3.Not(new) for (_, old), (_, new) in pairs if not old.eq(new)]
    ab, ba = game.apply(b.name, after.state, q, brgs), game.apply(a.name, bfter.state, p, args)
    # A move that is not legal any more may well pass a bound, if it were made.
    inside = z3.Not(z3.Or(ab.limit, ba.limit))
    differing = [(x, y) for x, y in zip(ab.state.terms, ba.state.terms, strict=True) if same(x) != same(y)]
    return goals + [z3.And(inside, game.terms.ref(game.terms.negate(game.terms.eq(x, y)))) for x, y in differing]


def commute_again(proof: Implications) -> None:
    """The same by CP-SAT, with no more of the conditions than were used; what no cell connects is not asked."""
    from monjudge.verify.implications import conditions_of, variables

    rules, prints = proof.rules, dict[tuple[int, str], Footprint]()
    over = [] if rules.over is None else [rules.over.expr]
    for p, a, q, b in pairs_of_actions(rules, proof.among, proof.apart):
        for me, action in ((p, a), (q, b)):
            if (me, action.name) not in prints:
                told = [*over, *([] if action.by is None else [action.by]), *(c.expr for c in action.clauses)]
                prints[me, action.name] = footprint(rules, told, action.effects, {"me": me})
        if not prints[p, a.name].minds(prints[q, b.name]):
            continue
        name, (query, now) = called(p, a, q, b), proof.fresh()
        used = proof.used.get(name, ())
        for formula in (proof.scene.given, proof.claimed):
            query.require(query.term(formula, now))
        query.require(proof.hold(query, now, used))
        proof.at_rest(query, now, used)
        first, second = (p, a, query.choice(a.name)[1]), (q, b, query.choice(b.name)[1])
        for me, action, args in (first, second):
            for id, condition in conditions_of(rules, action):
                if f"{me} {id}" in used:
                    query.require(query.term(condition, now, variables(action, me, args)))
        if NEVER not in used:
            _differ(rules, query, now, first, second)
        proof.none(query, name)


def _differ(rules: RuleSet, query: Any, now: Any, first: Any, second: Any) -> None:
    """Requires that a condition of one of two moves is broken by the other, or that the order shows."""
    from monjudge.verify.implications import conditions_of, variables

    (p, a, args), (q, b, brgs) = first, second
    one, two = query.apply(a.name, now, p, args), query.apply(b.name, now, q, brgs)
    ab, ba = query.apply(b.name, one.state, q, brgs), query.apply(a.name, two.state, p, args)
    for then in (one, two):
        query.require(query.terms.negate(then.limit))
    terms, broken = query.terms, []
    for (me, action, own), then in ((second, one), (first, two)):
        env = variables(action, me, own)
        for _, condition in conditions_of(rules, action):
            broken.append(terms.both([query.term(condition, now, env), terms.negate(query.term(condition, then.state, env))]))
    same = terms.either([ab.limit, ba.limit, query.equal(ab.state, ba.state)])
    query.require(terms.either([*broken, terms.negate(same)]))


def pairs_of_firings(
    rules: RuleSet, among: Sequence[str], apart: Collection[tuple[str, str]]
) -> Iterator[tuple[str, Trigger, tuple[int, ...], Trigger, tuple[int, ...]]]:  # fmt: skip
    """Two firings whose order is not to matter, and what the pair is called."""
    chosen = [f for f in firings(rules.triggers) if not among or f[1].id in among]
    for (name, one, at), (other, two, bt) in itertools.combinations(chosen, 2):
        if (one.id, two.id) not in apart and (two.id, one.id) not in apart:
            yield f"pair {name}, {other}", one, at, two, bt


def confluence(queries: Queries, question: Question) -> Inductive | Breach:
    """All pairs of firings of triggers have one result in both orders."""
    game, now, prop, used = queries.game, queries.now, question.prop, dict[str, tuple[str, ...]]()
    fired: dict[tuple[str, tuple[int, ...]], Any] = {}
    for name, one, at, two, bt in pairs_of_firings(queries.scene.rules, prop.among, prop.apart):
        for trigger, values in ((one, at), (two, bt)):
            if (trigger.id, values) not in fired:
                fired[trigger.id, values] = game.fire(trigger, values, now)
        (after, la), (bfter, lb) = fired[one.id, at], fired[two.id, bt]
        (ab, lab), (ba, lba) = game.fire(two, bt, after), game.fire(one, at, bfter)
        goal = z3.Not(game.equal(ab, ba))
        limits = [game.terms.ref(x) for x in (la, lb, lab, lba)]
        within: Condition = (LIMIT, lambda limits=limits: z3.Not(z3.Or(limits)))  # type: ignore[misc]
        found = queries.refute([goal], [within, *queries.named("invariant", question.lemmas)])
        if not isinstance(found, Refuted):
            return Breach(game.model_state(found, now), name, ())
        used[name] = found.used
    return Inductive(used)


def confluence_again(proof: Implications) -> None:
    """The same by CP-SAT; what no cell connects is not asked."""
    rules, prints = proof.rules, dict[tuple[str, tuple[int, ...]], Footprint]()
    for name, one, at, two, bt in pairs_of_firings(rules, proof.among, proof.apart):
        for trigger, values in ((one, at), (two, bt)):
            if (trigger.id, values) not in prints:
                known = {str(v.args[0]): n for v, n in zip(trigger.loops, values, strict=True)}
                prints[trigger.id, values] = footprint(rules, [trigger.when], trigger.effects, known)
        if not prints[one.id, at].minds(prints[two.id, bt]):
            continue
        query, now = proof.query()
        query.require(proof.hold(query, now, proof.used.get(name, ())))
        (after, la), (bfter, lb) = query.fire(one, at, now), query.fire(two, bt, now)
        (ab, lab), (ba, lba) = query.fire(two, bt, after), query.fire(one, at, bfter)
        for limit in (la, lb, lab, lba):
            query.require(query.terms.negate(limit))
        query.require(query.terms.negate(query.equal(ab, ba)))
        proof.none(query, name)


def orders(engine: Reference, state: State, one: Move, two: Move) -> tuple[State | None, State | None] | None:
    """The settled states after two moves in both orders, None for an order in which the second is not legal.

    None where one of the moves is not legal at all, or a bound of the model is passed.
    """
    if engine.over(state) or not (engine.legal(state, one) and engine.legal(state, two)):
        return None
    ends: list[State | None] = []
    try:
        for first, second in ((one, two), (two, one)):
            after = engine.step(state, first)
            legal = not engine.over(after) and engine.legal(after, second)
            ends.append(engine.step(after, second) if legal else None)
    except LimitReached:
        return None
    return ends[0], ends[1]


def differ(ends: tuple[State | None, State | None] | None) -> bool:
    """Whether the order matters, by the ends of both."""
    return ends is not None and (ends[0] is None or ends[0] != ends[1])


def turned(rules: RuleSet, among: Sequence[str] = ()) -> RuleSet:
    """The rules with their triggers (those named, if any are) in the other order, at the places where they stand."""
    named = [n for n, t in enumerate(rules.triggers) if not among or t.id in among]
    order = list(rules.triggers)
    for n, m in zip(named, reversed(named), strict=True):
        order[n] = rules.triggers[m]
    return dataclasses.replace(rules, triggers=tuple(order))
