"""Chance as it is told: the rule set in which the first outcomes of an action of chance come out as given.

>>> from monjudge.model.small.duel import duel
>>> given(duel(), [("die", (6,)), ("curse", (0,)), ("die", (1,))]).families[-2:]
(<field given_die: 0..2>, <field given_curse: 0..1>)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from monjudge.model.language import (
    Action,
    Clause,
    Effect,
    Expr,
    Family,
    RuleSet,
    State,
    any_of,
    both,
    const,
    either,
    eq,
    field,
    ite,
    lift,
    lt,
    negate,
    substitute,
)

__all__ = ["Rolls", "given", "given_state"]

Rolls = Sequence[tuple[str, Sequence[int]]]
"""Outcomes: the action and its parameters. Those of one action come in this order."""


def given(rules: RuleSet, rolls: Rolls) -> RuleSet:
    """The rule set with a counter for each action told of, whose n-th outcome is the n-th that is told of it.

    What is not told is chance as before. Where what is told cannot come although the action is due, play passes a
    bound of the model, so that whatever is asked there is unknown. The rule set itself where nothing is told.
    Raises ValueError for what is no outcome of an action of chance.
    """
    told: dict[str, list[tuple[int, ...]]] = {}
    for name, args in rolls:
        action = rules.by_name.get(name)
        if action is None or not action.is_chance or not _fits(action, args):
            raise ValueError(f"{name}{tuple(args)} is no outcome of an action of chance of the game {rules.name!r}")
        told.setdefault(name, []).append(tuple(args))
    counters = {name: _counter(rules, name, len(outcomes)) for name, outcomes in told.items()}
    actions = [_told(a, counters[a.name], told[a.name]) if a.name in told else a for a in rules.actions]
    off = [_off(rules.by_name[name], counters[name], outcomes) for name, outcomes in told.items()]
    return dataclasses.replace(rules, families=(*rules.families, *counters.values()), actions=(*actions, *off)) if told else rules


def given_state(rules: RuleSet, state: State, rolls: Rolls) -> State:
    """A state of the rule set as that of given outcomes has it, where none of them has come yet."""
    return (*state, *(0 for _ in {name for name, _ in rolls}))


def _counter(rules: RuleSet, name: str, count: int) -> Family:
    name = f"given_{name}"
    while name in rules.family_named:
        name += "_"
    return Family.of(name, (), 0, count)


def _fits(action: Action, roll: Sequence[int]) -> bool:
    return len(roll) == len(action.params) and all(n in p.values for n, p in zip(roll, action.params, strict=True))


def _conditions(action: Action) -> Expr:
    assert action.weight is not None
    return both(*(c.expr for c in action.clauses), lt(0, action.weight))


def _due(action: Action) -> Expr:
    """Whether any outcome of the action can come."""
    found = _conditions(action)
    for p in action.params:

        def one(number: Expr, p: Expr = p.var, body: Expr = found) -> Expr:
            return substitute(body, {p.args[0]: eq(number, 1) if p.is_bool else number})

        found = any_of(range(p.var.lo, p.var.hi + 1), one)
    return found


def _as(variable: Expr, number: int) -> Expr:
    return lift(bool(number)) if variable.is_bool else const(number)


def _told(action: Action, counter: Family, outcomes: Sequence[Sequence[int]]) -> Action:
    """The action, whose outcome is the one told as long as something is told; it counts."""
    at = field(counter, ())
    beyond = eq(at, len(outcomes))
    right = (
        both(eq(at, n), *(eq(p.var, _as(p.var, number)) for p, number in zip(action.params, roll, strict=True)))
        for n, roll in enumerate(outcomes)
    )
    clause = Clause("GIVEN", either(beyond, *right), en="The outcome is the one that is told.", ja="指定されたとおりの結果になる。")
    count = Effect(counter, (), ite(beyond, 0, const(1)), adds=True)
    return dataclasses.replace(action, clauses=(*action.clauses, clause), effects=(*action.effects, count))


def _off(action: Action, counter: Family, outcomes: Sequence[Sequence[int]]) -> Action:
    """An outcome of chance that passes a bound, for the counter has no such number: what is told cannot come."""
    at, possible = field(counter, ()), _conditions(action)
    comes = (
        both(eq(at, n), substitute(possible, {p.name: _as(p.var, number) for p, number in zip(action.params, roll, strict=True)}))
        for n, roll in enumerate(outcomes)
    )
    holds = both(lt(at, len(outcomes)), _due(action), negate(either(*comes)))
    clause = Clause("GIVEN.off", holds, en="What is told cannot come here.", ja="ここでは指定された結果にならない。")
    passed = Effect(counter, (), const(len(outcomes) + 1), adds=True)
    return Action(f"{counter.name}_off", None, (), (clause,), (passed,), const(1))
