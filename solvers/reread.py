"""A proof found under one reading of the text, followed under others by the reference alone.

The rule set has its switches open. The walk tells which of them were consulted: what was not cannot change the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from monjudge.model.language import Expr, LimitReached, RuleSet, State
from monjudge.model.language.export import content_hash
from monjudge.solvers.certificate import Evidence, Refused, Successors, check
from monjudge.solvers.consulted import Consulted
from monjudge.solvers.strict import strict_state

__all__ = ["Reread", "moved"]


def moved(proof: Evidence, rules: RuleSet, state: State, goal: Expr) -> Evidence:
    """The same decisions as evidence about another rule set."""
    claim = {**proof.claim, "state": list(state), "goal": repr(goal)}
    return replace(proof, rules=content_hash(rules), witness=(), claim=claim)


@dataclass
class Reread:
    """A state and a goal in a rule set whose switches are open; ``within`` may wrap the moves that a walk asks for."""

    rules: RuleSet
    state: State
    goal: Expr
    within: Callable[[Successors], Successors] = lambda successors: successors

    def follow(self, proof: Evidence, changed: Mapping[str, str]) -> set[str] | None:
        """The readings consulted when the same decisions prove the same claim with these readings changed; None where they do not."""
        if self.blind & changed.keys():
            return None
        state = list(self.state)
        for switch in self.plain.switches:
            if switch.id in changed:
                state[self.plain.offset[switch.family.name]] = switch.values.index(changed[switch.id])
        self.watched.read.clear()
        try:
            begun = self.watched.settle(strict_state(self.plain, tuple(state)))[: self.plain.size]
            check(moved(proof, self.plain, begun, self.goal), self.plain, self.goal, self.within(self.watched.steps))
        except (Refused, LimitReached):
            return None
        return self.watched.read | self.always

    @cached_property
    def plain(self) -> RuleSet:
        """The rules without blind decisions: whether there are some, ``blind`` tells."""
        return replace(self.rules, simultaneous=())

    @cached_property
    def watched(self) -> Consulted:
        return Consulted(self.plain)

    @cached_property
    def blind(self) -> set[str]:
        """Readings that may make decisions blind; a proof is never followed where one of them is changed."""
        return self.watched.mentioned(s.open for s in self.rules.simultaneous)

    @cached_property
    def always(self) -> set[str]:
        """Readings that are consulted in any case, whatever the walk does."""
        rules, ends = self.watched.rules, [] if self.watched.rules.over is None else [self.watched.rules.over.expr]
        turns = [] if rules.turns is None else [rules.turns.number]
        return self.blind | self.watched.mentioned([*ends, *turns, self.goal])
