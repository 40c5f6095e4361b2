"""Invariants by induction: they hold where play begins, and no move and no trigger breaks them.

One query an action and one a trigger (with each value of its loops), each about the effects alone: an invariant
holds between the triggers, too. A rule that writes nothing which a formula reads needs no query: the formula is the
same term before and after. A ``settled`` property is what the invariants say of states whose triggers are at rest.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from monjudge.model.language import Action, Expr, Move, State, Trigger, walk
from monjudge.solvers.engines.smt import SymbolicState
from monjudge.solvers.engines.smt.terms import z3
from monjudge.verify.footprint import writes
from monjudge.verify.idle import resting
from monjudge.verify.queries import SETTLED, Condition, Queries, Refuted
from monjudge.verify.question import Question

__all__ = ["LIMIT", "WITHIN", "Breach", "Induction", "Inductive", "bounds", "conditions", "firings", "may_use"]

LIMIT, WITHIN = "limit", "within"
"""The names of the conditions that no value leaves its interval, and that none does of what the formulas read."""


@dataclass(frozen=True)
class Breach:
    """A counterexample to induction: a state (reached or not) in which ``by`` breaks the formulas of these numbers.

    ``by`` is a move, the id of a trigger, or empty where play begins or the formula does not follow from the others.
    """

    state: State
    by: Move | str
    broken: tuple[int, ...]


@dataclass(frozen=True)
class Inductive:
    """What each step of the proof used, for every rule that writes something which the formulas read."""

    used: Mapping[str, tuple[str, ...]]


def firings(triggers: Sequence[Trigger]) -> Iterator[tuple[str, Trigger, tuple[int, ...]]]:
    """Every trigger with all values of its loops, and what the step is called."""
    for trigger in triggers:
        for values in itertools.product(*(range(v.lo, v.hi + 1) for v in trigger.loops)):
            yield f"trigger {trigger.id}{list(values) if values else ''}", trigger, values


def conditions(queries: Queries, action: Action, me: Any, args: Sequence[Any]) -> list[Condition]:
    """That the move is legal in ``now``: over, who decides and every clause, by their ids."""
    return [(id, lambda term=term: term) for id, term in queries.game.conditions(action.name, queries.now, me, args)]  # type: ignore[misc]


def bounds(queries: Queries, after: SymbolicState, limit: Any, *read: Expr) -> tuple[Condition, Condition]:
    """That a step leaves no cell of the fields that are read out of its interval, and none at all: few proofs need the latter,
    which is a large term. ``limit`` is that the step does."""
    fields, terms = {n.args[0].uid for n in walk(*read) if n.op == "field"}, queries.game.terms

    def none(truth: Any) -> Any:
        return z3.Not(terms.ref(truth))

    return (WITHIN, lambda: none(terms.either(t for uid, t in after.limits.items() if uid in fields))), (LIMIT, lambda: none(limit))


def may_use(queries: Queries, question: Question) -> list[Condition]:
    """The lemmas, and rest where the property speaks of it."""
    rest = at_rest(queries, question.lemmas) if question.prop.settled else []
    return [*queries.named("invariant", question.lemmas), *rest]


def at_rest(queries: Queries, lemmas: Sequence[Expr]) -> list[Condition]:
    """That the triggers are at rest: that a trigger is idle, and last that a whole pass changes nothing, which is a large term."""
    return [*resting(queries, lemmas), (SETTLED, queries.settled)]


class Induction:
    """Formulas as an inductive invariant of a scene; moves are made in settled states, where ``resting`` hold too."""

    def __init__(self, queries: Queries, formulas: Sequence[Expr], resting: Sequence[Expr] = ()) -> None:
        self.queries, self.formulas, self.resting = queries, tuple(formulas), tuple(resting)
        self.game, self.now = queries.game, queries.now
        self.before = [self.game.expr(f, self.now) for f in self.formulas]
        self.held = queries.named("invariant", self.formulas)
        # Rest is looked at only where something is claimed of it.
        self.at_rest = [*queries.named("at rest", self.resting), *(at_rest(queries, self.formulas) if self.resting else [])]

    def prove(self) -> Inductive | Breach:
        """The proof, or the first counterexample to it. Raises LimitReached."""
        found: dict[str, tuple[str, ...]] = {}
        for name, outcome in self._steps():
            if isinstance(outcome, Breach):
                return outcome
            found[name] = outcome.used
        return Inductive(found)

    def _steps(self) -> Iterator[tuple[str, Refuted | Breach]]:
        before = self.queries.before
        yield "start", before("start") or self._start()
        for action in self.queries.scene.rules.actions:
            name = f"action {action.name}"
            outcome = before(name) or self._action(action)
            if outcome is not None:
                yield name, outcome
        for name, trigger, values in firings(self.queries.scene.rules.triggers):
            outcome = before(name) or self._firing(trigger, values)
            if outcome is not None:
                yield name, outcome
        for n, formula in enumerate(self.resting):
            yield f"at rest {n}", before(f"at rest {n}") or self.follows(formula, n)

    def _start(self) -> Refuted | Breach:
        first = self.queries.first()
        terms = [self.game.expr(f, first) for f in self.formulas]
        model = self.queries.refute([z3.Not(z3.And(terms))])
        if isinstance(model, Refuted):
            return model
        broken = tuple(n for n, term in enumerate(terms) if not z3.is_true(model.eval(term, model_completion=True)))
        return Breach(self.game.model_state(model, first), "", broken)

    def _action(self, action: Action) -> Refuted | Breach | None:
        game = self.game
        if not writes(action.effects, *self.formulas):
            return None
        me, args = game.choice(action.name, "now")
        then = game.apply(action.name, self.now, me, args)
        legal = conditions(self.queries, action, me, args)
        may_use = [*self.held, *legal, *self.at_rest]
        domain = [game.domain(action.name, me, args)]
        return self._after(then.state, then.limit, domain, may_use, lambda model: game.model_move(model, action.name, me, args))

    def _firing(self, trigger: Trigger, values: Sequence[int]) -> Refuted | Breach | None:
        if not writes(trigger.effects, *self.formulas):
            return None
        after, limit = self.game.fire(trigger, values, self.now)
        return self._after(after, limit, [], self.held, trigger.id)

    def _after(self, after: SymbolicState, limit: Any, goal: list[Any], may_use: list[Condition], by: Any) -> Refuted | Breach | None:
        """Whether the step keeps the formulas; None where it writes nothing that they read."""
        terms = [self.game.expr(f, after) for f in self.formulas]
        changed = [n for n, (a, b) in enumerate(zip(self.before, terms, strict=True)) if not a.eq(b)]
        if not changed:
            return None
        read, all_bounds = bounds(self.queries, after, limit, *self.formulas)
        model = self.queries.refute([*goal, z3.Not(z3.And([terms[n] for n in changed]))], [read, *may_use, all_bounds])
        if isinstance(model, Refuted):
            return model
        broken = tuple(n for n in changed if not z3.is_true(model.eval(terms[n], model_completion=True)))
        return Breach(self.game.model_state(model, self.now), by if isinstance(by, str) else by(model), broken)

    def follows(self, formula: Expr, number: int = 0) -> Refuted | Breach:
        """Whether the formula holds in every settled state in which the invariants do."""
        model = self.queries.refute([z3.Not(self.game.expr(formula, self.now))], [*self.held, *at_rest(self.queries, self.formulas)])
        return model if isinstance(model, Refuted) else Breach(self.game.model_state(model, self.now), "", (number,))
