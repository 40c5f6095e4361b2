"""Decisions of a long proof in few numbers: those that a rule of thumb foretells are only counted.

The rule: among the same options the same is chosen as the last time; where they are new, of all moves chosen so far
the one chosen last; where none of them can be, the first move. Whoever reads the numbers applies the same rule, so that nothing is lost. Whether a decision is a
good one is not for this rule to say: the checker of a proof looks at where it leads all the same.

>>> a, b = Move("a", 0), Move("b", 0)
>>> writer = Writer()
>>> for options, chosen in (([a, b], 1), ([a, b], 1), ([b], 0), ([a, b], 0)):
...     writer.write(options, 0, chosen)
>>> writer.numbers
[0, 1, 2, 0, 0]
>>> reader = Reader(writer.numbers)
>>> [reader.read(options, 0) for options in ([a, b], [a, b], [b], [a, b])], reader.is_done
([1, 1, 0, 0], True)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from monjudge.model.language import Move

__all__ = ["Habit", "Reader", "Writer"]


class Habit:
    """The rule of thumb. Options are numbered from ``least`` on: -1 is to let the other side move, 0 the first move."""

    def __init__(self) -> None:
        self._last: dict[Move | None, int] = {}
        self._made = 0
        self._same: dict[tuple[int, Sequence[Move]], int] = {}

    def foretell(self, moves: Sequence[Move], least: int) -> int:
        """The number of the option that the rule chooses. Raises ValueError where there is none."""
        if (same := self._same.get((least, tuple(moves)))) is not None:
            return same
        return max(range(least, len(moves)), key=lambda n: (self._last.get(_option(moves, n), 0), -n))

    def learn(self, moves: Sequence[Move], least: int, chosen: int) -> None:
        self._same[least, tuple(moves)] = chosen
        self._made += 1
        self._last[_option(moves, chosen)] = self._made


def _option(moves: Sequence[Move], number: int) -> Move | None:
    return None if number < 0 else moves[number]


class Writer:
    """``numbers``: how many decisions were foretold, then one that was not, and so on; the last is how many were."""

    def __init__(self) -> None:
        self.habit, self.numbers = Habit(), [0]

    def write(self, moves: Sequence[Move], least: int, chosen: int) -> None:
        if chosen == self.habit.foretell(moves, least):
            self.numbers[-1] += 1
        else:
            self.numbers += [chosen, 0]
        self.habit.learn(moves, least, chosen)


class Reader:
    """Reads the numbers of a ``Writer``."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._habit, self._numbers = Habit(), iter(numbers)
        self._run = next(self._numbers, -1)

    def read(self, moves: Sequence[Move], least: int) -> int | None:
        """The option chosen; None where no number is left, or one that is no count."""
        if self._run > 0:
            chosen: int | None = self._habit.foretell(moves, least)
            self._run -= 1
        else:
            chosen, run = next(self._numbers, None), next(self._numbers, None)
            if self._run < 0 or run is None:
                return None
            self._run = run
        if chosen is not None and least <= chosen < len(moves):
            self._habit.learn(moves, least, chosen)
        return chosen

    @property
    def is_done(self) -> bool:
        """Whether no decision is left."""
        return self._run == 0 and next(self._numbers, None) is None
