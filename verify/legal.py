"""That a move is legal wherever a premise holds of the state and of its parameters: what the rules promise to allow."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from monjudge.model.language import NATURE, Action, Expr, Move, RuleSet, State, evaluate
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.engines.smt.terms import z3
from monjudge.verify.invariants import Breach, Inductive, may_use
from monjudge.verify.queries import Queries, Refuted
from monjudge.verify.question import Question

if TYPE_CHECKING:
    from monjudge.verify.implications import Implications

__all__ = ["again", "barred", "just_after", "legal", "names"]


def names(action: Action) -> tuple[str, ...]:
    """Who moves and the parameters, as formulas name them."""
    return ("me", *(p.name for p in action.params))


def legal(queries: Queries, question: Question) -> Inductive | Breach:
    """Wherever the premise holds, the move ``on`` is legal."""
    game, name = queries.game, question.prop.on
    known = queries.before(f"legal {name}")
    if known is not None:
        return Inductive({f"legal {name}": known.used})
    action = queries.scene.rules.by_name[name]
    me, args = game.choice(name, "now")
    env = dict(zip(names(action), (me, *args), strict=True))
    goal = [game.domain(name, me, args), game.expr(question.premise, queries.now, env), z3.Not(game.legal(name, queries.now, me, args))]
    model = queries.refute(goal, may_use(queries, question))
    if isinstance(model, Refuted):
        return Inductive({f"legal {name}": model.used})
    return Breach(game.model_state(model, queries.now), game.model_move(model, name, me, args), ())


def again(proof: Implications) -> None:
    """The same by CP-SAT."""
    if f"legal {proof.on}" in proof.carried:
        return
    action, (query, now) = proof.rules.by_name[proof.on], proof.query()
    me, args = query.choice(action.name)
    used = proof.used.get(f"legal {action.name}", ())
    query.require(proof.hold(query, now, used))
    proof.at_rest(query, now, used)
    query.require(query.term(proof.claimed, now, dict(zip(names(action), (me, *args), strict=True))))
    query.require(query.terms.negate(query.legal(action.name, now, me, args)))
    proof.none(query, f"legal {action.name}")


def barred(rules: RuleSet, action: Action, premise: Expr, state: State, legal: set[Move]) -> Iterator[Move]:
    """The moves of which the premise holds in a state, none of the ``legal`` ones."""
    players = [NATURE] if action.is_chance else range(rules.players)
    for me, *args in itertools.product(players, *(p.values for p in action.params)):
        move = Move(action.name, me, tuple(args))
        if move not in legal and evaluate(premise, state, dict(zip(names(action), (me, *args), strict=True)), rules.offset):
            yield move


def just_after(rules: RuleSet, state: State, move: Move) -> State:
    """The state after the effects of a legal move, before any trigger. Raises LimitReached."""
    return Reference(replace(rules, triggers=())).step(state, move)
