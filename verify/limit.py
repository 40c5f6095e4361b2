"""That no bound of the model is ever hit: nothing that the rules allow leads out of what can be written down."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from monjudge.model.language import Action, LimitReached, Move, Restless, RuleSet, State
from monjudge.solvers.engines.smt.terms import z3
from monjudge.verify.bounded import reference
from monjudge.verify.invariants import Breach, Inductive, conditions, firings, may_use
from monjudge.verify.queries import Queries, Refuted
from monjudge.verify.question import Question

if TYPE_CHECKING:
    from monjudge.verify.implications import Implications

__all__ = ["again", "limit", "unbounded"]


def _without_bounds(action: Action) -> Action:
    return replace(action, clauses=tuple(c for c in action.clauses if c.kind != "limit"))


def unbounded(rules: RuleSet) -> RuleSet:
    """The rules without the clauses that state a bound of the model only."""
    return replace(rules, actions=tuple(map(_without_bounds, rules.actions)))


def hits(rules: RuleSet, among: Collection[str], state: State, move: Move) -> bool:
    """Whether a move that is legal without the bounds passes one: by its effects, or by those of the triggers after it, where all are asked about.

    That triggers never rest is no bound of a value.
    """
    if not reference(rules).legal(state, move):
        return True
    try:
        (reference(without_triggers(rules)) if among else reference(rules)).step(state, move)
    except Restless:
        return False
    except LimitReached:
        return True
    return False


@lru_cache(maxsize=4)
def without_triggers(rules: RuleSet) -> RuleSet:
    return replace(rules, triggers=())


def limit(queries: Queries, question: Question) -> Inductive | Breach:
    """No move that the rules allow meets a bound, neither as a clause nor by its effects, and no trigger does."""
    game, now, used, among = queries.game, queries.now, dict[str, tuple[str, ...]](), question.prop.among
    for action in queries.scene.rules.actions:
        if among and action.name not in among:
            continue
        me, args = game.choice(action.name, "now")
        legal = conditions(queries, action, me, args)
        first = len(legal) - len(action.clauses)
        bounds = {first + n for n, c in enumerate(action.clauses) if c.kind == "limit"}
        hit = [z3.Not(legal[n][1]()) for n in bounds]
        goal = z3.simplify(z3.Or(game.apply(action.name, now, me, args).limit, *hit))
        if z3.is_false(goal):
            continue
        may = [*(pair for n, pair in enumerate(legal) if n not in bounds), *may_use(queries, question)]
        model = queries.refute([game.domain(action.name, me, args), game.expr(question.premise, now), goal], may)
        if not isinstance(model, Refuted):
            return Breach(game.model_state(model, now), game.model_move(model, action.name, me, args), ())
        used[f"action {action.name}"] = model.used
    for name, trigger, values in firings(queries.scene.rules.triggers):
        if among and trigger.id not in among:
            continue
        goal = z3.simplify(game.terms.ref(game.fire(trigger, values, now)[1]))
        if z3.is_false(goal):
            continue
        model = queries.refute([goal], queries.named("invariant", question.lemmas))  # the move may have broken the premise by then
        if not isinstance(model, Refuted):
            return Breach(game.model_state(model, now), trigger.id, ())
        used[name] = model.used
    return Inductive(used)


def again(proof: Implications) -> None:
    """The same by CP-SAT."""
    among, premise = proof.among, proof.claimed
    for action in proof.rules.actions:
        if among and action.name not in among:
            continue
        name = f"action {action.name}"
        query, now, me, args = proof.moving(_without_bounds(action), proof.used.get(name, ()), action.effects)
        env = {"me": me, **{p.name: a for p, a in zip(action.params, args, strict=True)}}
        hit: list[Any] = [query.terms.negate(query.term(c.expr, now, env)) for c in action.clauses if c.kind == "limit"]
        query.require(query.terms.either([query.apply(action.name, now, me, args).limit, *hit]))
        query.require(proof.hold(query, now, proof.used.get(name, ())))
        query.require(query.term(premise, now))
        proof.none(query, name)
    for name, trigger, values in firings(proof.rules.triggers):
        if among and trigger.id not in among:
            continue
        query, now = proof.query()
        query.require(query.fire(trigger, values, now)[1])
        query.require(proof.hold(query, now, proof.used.get(name, ())))
        proof.none(query, name)
