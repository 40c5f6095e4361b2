"""The value of a matrix game and an optimal strategy of each side, in exact fractions.

>>> value, rows, columns = solve([[Fraction(0), Fraction(1)], [Fraction(2), Fraction(0)]])
>>> value, rows, columns
(Fraction(2, 3), [Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)])
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

__all__ = ["solve"]


def solve(payoffs: Sequence[Sequence[Fraction]]) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """The value for the player of the rows, who maximises, his strategy, and that of the columns.

    The simplex method on ``max sum y, A y <= 1, y >= 0`` with every payoff raised above 0; the least number is
    chosen where several would do (Bland 1977), so that it ends.
    """
    lift = 1 - min(min(row) for row in payoffs)
    rows, columns = len(payoffs), len(payoffs[0])
    table = [[p + lift for p in row] + [Fraction(n == k) for k in range(rows)] + [Fraction(1)] for n, row in enumerate(payoffs)]
    prices = [Fraction(-1)] * columns + [Fraction(0)] * (rows + 1)
    basis = list(range(columns, columns + rows))
    while (enter := next((c for c in range(rows + columns) if prices[c] < 0), None)) is not None:
        # Every payoff is above 0: the column that enters always bounds something.
        _, _, leave = min((row[-1] / row[enter], basis[n], n) for n, row in enumerate(table) if row[enter] > 0)
        pivot = [entry / table[leave][enter] for entry in table[leave]]
        for n, row in enumerate(table):
            table[n] = pivot if n == leave else _without(row, pivot, enter)
        prices, basis[leave] = _without(prices, pivot, enter), enter
    value, weights = 1 / prices[-1], [Fraction(0)] * (rows + columns)
    for n, row in zip(basis, table, strict=True):
        weights[n] = row[-1]
    return value - lift, [p * value for p in prices[columns:-1]], [w * value for w in weights[:columns]]


def _without(row: list[Fraction], pivot: list[Fraction], column: int) -> list[Fraction]:
    factor = row[column]
    return [entry - factor * other for entry, other in zip(row, pivot, strict=True)] if factor else row
