"""What single firings of triggers do: a formula about the state before and after the effects of one, wherever it fires."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from monjudge.model.language import Trigger, walk
from monjudge.solvers.engines.smt.terms import z3
from monjudge.verify.invariants import Breach, Inductive, bounds, firings
from monjudge.verify.queries import Queries, Refuted
from monjudge.verify.question import Question

if TYPE_CHECKING:
    from monjudge.verify.implications import Implications

__all__ = ["again", "firing"]


def _among(triggers: tuple[Trigger, ...], among: tuple[str, ...]) -> Iterator[tuple[str, Trigger, tuple[int, ...]]]:
    return (step for step in firings(triggers) if not among or step[1].id in among)


def firing(queries: Queries, question: Question) -> Inductive | Breach:
    """Wherever such a trigger fires, the claim relates the states before and after its effects."""
    game, now, used = queries.game, queries.now, dict[str, tuple[str, ...]]()
    for name, trigger, values in _among(queries.scene.rules.triggers, question.prop.among):
        after, limit = game.fire(trigger, values, now)
        env = {str(v.args[0]): n for v, n in zip(trigger.loops, values, strict=True)}
        goal = [game.expr(trigger.when, now, env), z3.Not(game.expr(question.claim, now, None, after))]
        read, all_bounds = bounds(queries, after, limit, question.claim)
        model = queries.before(name) or queries.refute(goal, [read, *queries.named("invariant", question.lemmas), all_bounds])
        if not isinstance(model, Refuted):
            return Breach(game.model_state(model, now), trigger.id, ())
        used[name] = model.used
    return Inductive(used)


def again(proof: Implications) -> None:
    """The same by CP-SAT."""
    read = {n.args[0].uid for n in walk(proof.claimed) if n.op == "field"}
    for name, trigger, values in _among(proof.rules.triggers, tuple(proof.among)):
        if name in proof.carried:
            continue
        query, now = proof.query()
        effects = tuple(proof.wanted(trigger.effects, name, read))
        after, _ = query.fire(replace(trigger, effects=effects), values, now, within=True)
        query.require(proof.hold(query, now, proof.used.get(name, ())))
        query.require(query.terms.negate(query.term(proof.claimed, now, None, after)))
        proof.none(query, name)
