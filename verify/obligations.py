"""What is claimed of moves, not of states: one query to z3 for each rule that it speaks of.

Every check gives what its steps used, or a counterexample: a state, reached or not, and a move.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from monjudge.model.language import TRUE, Expr, State, primed
from monjudge.solvers.engines.smt.terms import z3
from monjudge.verify.commute import commute, confluence
from monjudge.verify.constant import constant
from monjudge.verify.firing import firing
from monjudge.verify.footprint import says_next, writes
from monjudge.verify.invariants import LIMIT, Breach, Inductive, bounds, conditions, firings, may_use
from monjudge.verify.legal import legal
from monjudge.verify.limit import limit
from monjudge.verify.queries import Condition, Queries, Refuted
from monjudge.verify.question import Question
from monjudge.verify.sums import lower

__all__ = ["LEFT", "OBLIGATIONS", "restored"]

LEFT = "left by "
"""Before the name of a step: that it restores no premise which did not hold at the end of another in the same move."""


def moves(queries: Queries, question: Question) -> Inductive | Breach:
    """Wherever the move ``on`` is legal, the claim holds of the state, the parameters and what its effects make of it."""
    game, name = queries.game, question.prop.on
    known = queries.before(f"move {name}")
    if known is not None:
        return Inductive({f"move {name}": known.used})
    action = queries.scene.rules.by_name[name]
    me, args = game.choice(name, "now")
    env = {"me": me, **{p.name: a for p, a in zip(action.params, args, strict=True)}}
    then = game.apply(name, queries.now, me, args) if says_next(question.claim) else None
    within: list[Condition] = [] if then is None else [(LIMIT, lambda: z3.Not(then.limit))]
    goal = [game.domain(name, me, args), game.expr(~question.claim, queries.now, env, then and then.state)]
    model = queries.refute(goal, [*within, *conditions(queries, action, me, args), *may_use(queries, question)])
    if isinstance(model, Refuted):
        return Inductive({f"move {name}": model.used})
    return Breach(game.model_state(model, queries.now), game.model_move(model, name, me, args), ())


def steps(queries: Queries, question: Question) -> Inductive | Breach:
    """The claim relates a state to every later one: itself, what any move or trigger makes of it, and so on."""
    game, now, used = queries.game, queries.now, dict[str, tuple[str, ...]]()
    same = game.expr(question.claim, now, None, now)
    for name, goal in (("reflexive", z3.Not(same)), ("transitive", _chain(queries, question.claim))):
        model = queries.before(name) or queries.refute([goal])
        if not isinstance(model, Refuted):
            return Breach(game.model_state(model, now), name, ())
        used[name] = model.used
    for action in queries.scene.rules.actions:
        if not writes(action.effects, question.claim):
            continue
        me, args = game.choice(action.name, "now")
        then = game.apply(action.name, now, me, args)
        may = [*conditions(queries, action, me, args), *may_use(queries, question)]
        model = queries.before(f"action {action.name}") or _relates(queries, question.claim, same, then.state, then.limit, [game.domain(action.name, me, args)], may)
        if model is not None and not isinstance(model, Refuted):
            return Breach(game.model_state(model, now), game.model_move(model, action.name, me, args), ())
        if model is not None:
            used[f"action {action.name}"] = model.used
    for name, trigger, values in firings(queries.scene.rules.triggers):
        if not writes(trigger.effects, question.claim):
            continue
        after, limit = game.fire(trigger, values, now)
        model = queries.before(name) or _relates(queries, question.claim, same, after, limit, [], queries.named("invariant", question.lemmas))
        if model is not None and not isinstance(model, Refuted):
            return Breach(game.model_state(model, now), trigger.id, ())
        if model is not None:
            used[name] = model.used
    return Inductive(used)


def _chain(queries: Queries, claim: Expr) -> Any:
    """Three states of which the first two and the last two are related, but not the first and the last."""
    game, now = queries.game, queries.now
    second, third = game.state("second"), game.state("third")
    inside = [game.inside(second), game.inside(third)]
    related = [game.expr(claim, now, None, second), game.expr(claim, second, None, third)]
    return z3.And(*inside, *related, z3.Not(game.expr(claim, now, None, third)))


def _relates(
    queries: Queries, claim: Expr, same: Any, after: Any, limit: Any, goal: Sequence[Any], may_use: Sequence[Condition]
) -> Refuted | Any:  # fmt: skip
    """Whether a step stays in the relation; None where it writes nothing that the claim reads."""
    term = queries.game.expr(claim, queries.now, None, after)
    if term.eq(same):
        return None
    read, all_bounds = bounds(queries, after, limit, claim)
    return queries.refute([*goal, z3.Not(term)], [read, *may_use, all_bounds])


def deadlock(queries: Queries, question: Question) -> Inductive | Breach:
    """In every state where the premise holds and the game is not over, somebody can move.

    The moves that are enough are found one by one: each state without one of them that z3 knows is asked of the
    enumerator, and what can be moved there is added.
    """
    from monjudge.solvers.engines.enumerator import Enumerator

    game, now, engine = queries.game, queries.now, Enumerator(queries.scene.rules)
    stuck = [z3.Not(game.over(now)), game.expr(question.premise, now)]
    cover: list[str] = []
    known = queries.before("deadlock")
    if known is not None:
        return Inductive({"deadlock": known.used})
    while True:
        model = queries.refute(stuck, may_use(queries, question))
        if isinstance(model, Refuted):
            return Inductive({"deadlock": (*model.used, *cover)})
        state: State = game.model_state(model, now)
        moves = engine.moves(state)
        if not moves:
            return Breach(state, "", ())
        move = moves[0]
        cover.append(json.dumps([move.action, move.me, *move.args]))
        stuck.append(z3.Not(game.legal(move.action, now, move.me, move.args)))


def termination(queries: Queries, question: Question) -> Inductive | Breach:
    """Every move lowers the measure (the first number that changes, of several), and no trigger raises it.

    The numbers have intervals, so that no play goes on for ever; with a premise only steps between states for which it
    holds are asked about, so that no play stays among these for ever. Where it does not hold for a while before the triggers
    rest, ``left`` holds, and then no trigger restores it: else what happens in between would count.
    """
    game, now, used = queries.game, queries.now, dict[str, tuple[str, ...]]()
    left = () if question.premise is TRUE else (question.premise, question.left)
    for action in queries.scene.rules.actions:
        me, args = game.choice(action.name, "now")
        then = game.apply(action.name, now, me, args)
        env = {"me": me, **{p.name: a for p, a in zip(action.params, args, strict=True)}}
        stays = [game.expr(question.premise, now), game.expr(question.premise, then.state)]
        goal = [game.domain(action.name, me, args), *stays, z3.Not(game.expr(lower(question.measure, action.effects, TRUE, False), now, env, then.state))]
        read, all_bounds = bounds(queries, then.state, then.limit, question.premise, *question.measure)
        model = queries.before(f"action {action.name}") or queries.refute(goal, [read, *conditions(queries, action, me, args), *may_use(queries, question), all_bounds])
        if not isinstance(model, Refuted):
            return Breach(game.model_state(model, now), game.model_move(model, action.name, me, args), ())
        used[f"action {action.name}"] = model.used
        if writes(action.effects, *left):
            goal = [game.domain(action.name, me, args), game.expr(question.premise, now), game.expr(~question.premise & ~question.left, then.state)]
            read, all_bounds = bounds(queries, then.state, then.limit, *left)
            step = f"{LEFT}action {action.name}"
            model = queries.before(step) or queries.refute(goal, [read, *conditions(queries, action, me, args), *may_use(queries, question), all_bounds])
            if not isinstance(model, Refuted):
                return Breach(game.model_state(model, now), game.model_move(model, action.name, me, args), ())
            used[step] = model.used
    for name, trigger, values in firings(queries.scene.rules.triggers):
        after, limit = game.fire(trigger, values, now)
        if writes(trigger.effects, *left):
            broken = restored(question.premise, question.left)
            read, all_bounds = bounds(queries, after, limit, *left)
            step = f"{LEFT}{name}"
            model = queries.before(step) or queries.refute([game.expr(broken, now, None, after)], [read, *queries.named("invariant", question.lemmas), all_bounds])
            if not isinstance(model, Refuted):
                return Breach(game.model_state(model, now), trigger.id, ())
            used[step] = model.used
        read, all_bounds = bounds(queries, after, limit, question.premise, *question.measure)
        fired = {str(v.args[0]): n for v, n in zip(trigger.loops, values, strict=True)}
        stays = [game.expr(question.premise, now), game.expr(question.premise, after)]
        goal = [*stays, z3.Not(game.expr(lower(question.measure, trigger.effects, trigger.when, True), now, fired, after))]
        model = queries.before(name) or queries.refute(goal, [read, *queries.named("invariant", question.lemmas), all_bounds])
        if not isinstance(model, Refuted):
            return Breach(game.model_state(model, now), trigger.id, ())
        used[name] = model.used
    return Inductive(used)


def restored(premise: Expr, left: Expr) -> Expr:
    """Of two states, that what is ``left`` where the premise holds no longer is lost, or the premise is back."""
    there = ~premise & left
    return (premise & primed(~premise & ~left)) | (there & primed(~there))


OBLIGATIONS: Mapping[str, Callable[[Queries, Question], Inductive | Breach]] = {
    "move": moves, "legal": legal, "step": steps, "deadlock": deadlock, "termination": termination, "constant": constant,
    "commute": commute, "confluence": confluence, "limit": limit, "firing": firing,
}  # fmt: skip
"""The kinds of properties that speak of moves, with their checks."""
