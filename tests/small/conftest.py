"""Two ways to look at a small game as a whole, written as plainly as possible over the reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest

from monjudge.model.language import NATURE, RuleSet, State
from monjudge.solvers.engines.reference import Reference


@pytest.fixture
def levels() -> Callable[..., list[Counter[State]]]:
    """``levels(rules, depth)``: for each ply the states reached, each with the number of ways to it.

    The sum of all these numbers is the perft count of nodes (start, interior and leaves);
    equal states are walked on from only once, which makes the counts affordable here.
    """

    def count(rules: RuleSet, depth: int = 10**6) -> list[Counter[State]]:
        engine = Reference(rules)
        found = [Counter({engine.settle(rules.start): 1})]
        while len(found) <= depth:
            after: Counter[State] = Counter()
            for state, ways in found[-1].items():
                for move in engine.moves(state):
                    after[engine.step(state, move)] += ways
            if not after:
                break
            found.append(after)
        return found

    return count


@pytest.fixture
def best_play() -> Callable[[RuleSet], Callable[[State], Fraction]]:
    """``best_play(rules)(state)``: what player 0 gets under best play of both, exactly.

    Backward induction for two players with opposite payoffs who move in turn; chance is averaged.
    """

    def solve(rules: RuleSet) -> Callable[[State], Fraction]:
        engine = Reference(rules)
        known: dict[State, Fraction] = {}

        def value(state: State) -> Fraction:
            if state not in known:
                known[state] = work(state)
            return known[state]

        def work(state: State) -> Fraction:
            moves = engine.moves(state)
            if not moves:
                return Fraction(engine.payoff(state)[0])
            if moves[0].me == NATURE:
                outcomes = engine.outcomes(state)
                mass = sum(weight for _, weight in outcomes)
                return sum((weight * value(engine.step(state, move)) for move, weight in outcomes), Fraction()) / mass
            choose = max if moves[0].me == 0 else min
            return choose(value(engine.step(state, move)) for move in moves)

        return value

    return solve
