"""A rule set in which what a model cannot hold, or a text does not say, is met instead of passed over.

A move that fails no ``rule`` but a clause of kind ``limit`` or ``open`` is neither legal nor illegal. An engine does
not list it; a search that must not overlook it asks about the strict rule set, where it is a move that passes a
bound of the model.
"""

from __future__ import annotations

import dataclasses

from monjudge.model.language import Action, Effect, Family, RuleSet, State, both, lift

__all__ = ["strict", "strict_state"]


def strict(rules: RuleSet) -> RuleSet:
    """The rule set with one more field, which such a move would make 1 although it holds 0 only; itself if there is none."""
    if not any(_vague(a) for a in rules.actions):
        return rules
    name = "beyond"
    while name in rules.family_named:
        name += "_"
    beyond = Family.of(name, (), 0, 0)

    def seen(action: Action) -> Action:
        if not _vague(action):
            return action
        holds = both(*(c.expr for c in action.clauses if c.kind != "rule"))
        passed = Effect(beyond, (), lift(1), when=~holds)
        clauses = tuple(c for c in action.clauses if c.kind == "rule")
        return dataclasses.replace(action, clauses=clauses, effects=(*action.effects, passed))

    return dataclasses.replace(rules, families=(*rules.families, beyond), actions=tuple(map(seen, rules.actions)))


def _vague(action: Action) -> bool:
    return any(c.kind != "rule" for c in action.clauses)


def strict_state(rules: RuleSet, state: State) -> State:
    """A state of the rule set as the strict one has it."""
    return (*state, 0) if any(_vague(a) for a in rules.actions) else state
