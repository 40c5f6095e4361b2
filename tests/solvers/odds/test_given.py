"""Outcomes that are told: held against a recursion over the plain rules with the told outcomes in a list."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from monjudge.model.language import NATURE, LimitReached, RuleSet, State, evaluate
from monjudge.model.small.duel import duel
from monjudge.model.small.nim import nim
from monjudge.solvers.brute import Brute
from monjudge.solvers.certificate import Evidence, check
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.given import given, given_state
from monjudge.solvers.odds import evidence, odds
from monjudge.solvers.strict import strict


def told(rules: RuleSet, state: State, rolls: tuple[tuple[str, tuple[int, ...]], ...], average: bool) -> Fraction | None:
    """The value for player 0, chance averaged or against him; None where what is told cannot come."""
    engine = Reference(rules)
    if evaluate(rules.goals[0].when, state, None, rules.offset):
        return Fraction(1)
    worth: dict[int, list[tuple[int, Fraction]]] = {}
    moves = engine.moves(state)
    for action in {m.action for m in moves}:
        outcome = next((args for name, args in rolls if name == action), None)
        here = [m for m in moves if m.action == action and (outcome is None or m.args == outcome)]
        if not here:
            return None
        for move in here:
            left = list(rolls)
            if outcome is not None:
                left.remove((action, outcome))
            value = told(rules, engine.step(state, move), tuple(left), average)
            if value is None:
                return None
            worth.setdefault(move.me, []).append((engine.weight(state, move) if move.me == NATURE else 1, value))
    sides = []
    for me, values in worth.items():
        numbers = [v for _, v in values]
        if me == NATURE and average:
            sides.append(sum((w * v for w, v in values), Fraction()) / sum(w for w, _ in values))
        else:
            sides.append(max(numbers) if me == 0 else min(numbers))
    return min(sides, default=Fraction(0))


def test_told_outcomes_come_and_the_rest_is_chance() -> None:
    random, rules, seen = Random(2), duel(2, 6), Counter[bool]()
    outcomes = [("die", (n,)) for n in range(1, 7)] + [("gamble", (n,)) for n in (0, 1)] + [("curse", (n,)) for n in range(4)]
    for n in range(14):
        rolls = tuple(random.choice(outcomes) for _ in range(n % 4))
        right = told(rules, rules.start, rolls, True)
        known = given(rules, rolls)
        found = odds(known, given_state(rules, rules.start, rolls))
        assert found.exact == right
        if right is not None:  # else the exhaustive solver may know that what is beyond does not matter
            assert Brute(strict(known), nodes=10**6).odds(0).exact == right
        sure = Brute(strict(known), nodes=10**6).forced(0)
        worst = told(rules, rules.start, rolls, False)
        assert worst is None or sure.exact == worst
        seen[right is None] += 1
        if right is not None and n < 6:
            check(Evidence.from_json(evidence(found).to_json()), known)
    assert min(seen.values()) > 1


def test_what_is_told_must_be_an_outcome_of_chance() -> None:
    for wrong in (("die", (7,)), ("die", ()), ("strike", (1,)), ("attack", (0,))):
        with pytest.raises(ValueError, match="no outcome"):
            given(duel(), [wrong])
    assert given(nim((1, 2)), []).families == nim((1, 2)).families
    with pytest.raises(LimitReached):  # what cannot come passes a bound
        rules = given(duel(1, 9), [("curse", (2,))])
        engine = Reference(rules)
        state = engine.step(engine.step(rules.start, engine.moves(rules.start)[1]), engine.moves(engine.step(rules.start, engine.moves(rules.start)[1]))[0])
        engine.step(state, engine.moves(state)[0])


def test_odds_are_certified_and_the_duel_too() -> None:
    rules = duel(4, 12)
    found = odds(rules)
    shown = evidence(found)
    assert shown.claim["answer"] == str(found.exact) and check(shown, rules).positions == len(shown.certificate["values"])
