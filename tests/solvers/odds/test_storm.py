"""Storm in exact mode: one side plays what the certificate says, the rest is a Markov decision process, both ways."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import stormpy
from stormpy import Rational, datastructures, models

from monjudge.model.language import NATURE, RuleSet, State, evaluate
from monjudge.model.small.duel import duel
from monjudge.model.small.nim import nim
from monjudge.model.small.pig import pig
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.odds import evidence, odds


class Process:
    """All positions of a game without circles, written down by the reference; ``fixed`` plays as ``values`` says, if given."""

    def __init__(self, rules: RuleSet, player: int = 0) -> None:
        self.rules, self.engine, self.player = rules, Reference(rules), player
        self.goal = next(g.when for g in rules.goals if g.name == "win" and g.player == player)
        self.order: list[State] = []
        self.after: dict[State, list[tuple[int, int, State]]] = {}
        front = [rules.start]
        while front:  # depth first in canonical order, as certificates have it
            state = front.pop()
            if state in self.after:
                continue
            won = self.won(state)
            moves = [] if won else self.engine.moves(state)
            self.after[state] = [
                (m.me, self.engine.weight(state, m) if m.me == NATURE else 1, self.engine.step(state, m)) for m in moves
            ]
            if moves:
                self.order.append(state)
            front.extend(after for _, _, after in reversed(self.after[state]))

    def won(self, state: State) -> bool:
        return bool(evaluate(self.goal, state, None, self.rules.offset))

    def storm(self, values: dict[State, Fraction], fixed: int) -> Any:
        """The process in which player ``fixed`` always makes a move of the value of the position."""
        number = {state: n for n, state in enumerate(sorted(self.after))}
        builder = datastructures.SparseMatrixBuilder[Rational](0, len(number), 0, False, True)
        labels = models.StateLabeling(len(number))
        labels.add_label("init")
        labels.add_label("won")
        labels.add_label_to_state("init", number[self.rules.start])
        row = 0
        for state, here in number.items():
            builder.new_row_group(row)
            if self.won(state):
                labels.add_label_to_state("won", here)
            for choice in self.choices(state, values, fixed):
                whole, sums = sum(w for w, _ in choice), dict[int, Fraction]()
                for weight, after in choice:
                    sums[number[after]] = sums.get(number[after], Fraction(0)) + Fraction(weight, whole)
                for column in sorted(sums):
                    builder.add_next_value(row, column, Rational(f"{sums[column].numerator}/{sums[column].denominator}"))
                row += 1
        components = models.SparseModelComponents[Rational](builder.build(row, len(number), len(number)), labels)
        return models.SparseMdp[Rational](components)

    def choices(self, state: State, values: dict[State, Fraction], fixed: int) -> list[list[tuple[int, State]]]:
        lots = [(w, after) for me, w, after in self.after[state] if me == NATURE]
        if lots:
            return [lots]
        free = [[(1, after)] for me, _, after in self.after[state]]
        deciders = {me for me, _, _ in self.after[state]}
        if deciders == {fixed}:
            return [next(c for c in free if values[c[0][1]] == values[state])]
        return free or [[(1, state)]]


def storms(model: Any, formula: str) -> Fraction:
    result = stormpy.model_checking(model, stormpy.parse_properties(formula)[0], only_initial_states=True)
    return Fraction(str(result.get_value(model.initial_states[0])))


@pytest.mark.parametrize(
    "rules", [pytest.param(duel(), marks=pytest.mark.slow), duel(5, 15), pig(8, 2), nim((1, 2, 3))],
    ids=["duel", "short duel", "pig", "nim"],
)
def test_the_certified_strategies_hold_against_storm_both_ways(rules: RuleSet) -> None:
    found = odds(rules)
    certificate = evidence(found).certificate["values"]
    process = Process(rules)
    values = dict(zip(process.order, map(Fraction, certificate), strict=True))
    values |= {state: Fraction(process.won(state)) for state in process.after if state not in values}
    # The player as certified, the other as bad as he can for him; and the other way round.
    assert storms(process.storm(values, 0), 'Pmin=? [F "won"]') == found.exact
    assert storms(process.storm(values, 1), 'Pmax=? [F "won"]') == found.exact


@pytest.mark.parametrize("rules", [duel(3, 9), pig(8, 2)], ids=["duel", "pig"])
def test_the_translation_itself_is_exact(rules: RuleSet) -> None:
    """Where nobody is held, the player does better than the value as both play for him, and worse as both play against."""
    process = Process(rules)
    best, worst = storms(process.storm({}, 9), 'Pmax=? [F "won"]'), storms(process.storm({}, 9), 'Pmin=? [F "won"]')
    found = odds(rules).exact
    assert found is not None and worst < found < best
    known: dict[State, dict[bool, Fraction]] = {}

    def walk(state: State, most: bool) -> Fraction:
        if process.won(state) or not process.after[state]:
            return Fraction(process.won(state))
        kept = known.setdefault(state, {})
        if most not in kept:
            worth = [(w, walk(after, most)) for _, w, after in process.after[state]]
            chance = process.after[state][0][0] == NATURE
            mean = sum((w * v for w, v in worth), Fraction(0)) / sum(w for w, _ in worth)
            kept[most] = mean if chance else (max if most else min)(v for _, v in worth)
        return kept[most]

    assert (best, worst) == (walk(rules.start, True), walk(rules.start, False))
