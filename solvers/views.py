"""What a player knows of a state, and which states look the same to him.

A cell is known where the rules show it (``RuleSet.visible``); of declared pieces (``RuleSet.pieces``) it is also
known how many lie in a place. Both the solver and the checker of certificates rest on this, as on the rules.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from monjudge.model.language import Expr, Family, RuleSet, State, evaluate, lift, substitute
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.verdict import Sentence

__all__ = ["Assignments", "View", "assignments"]

Known = tuple[int | None, ...]
"""All cells, None for one that is not seen, then how many pieces lie in each place of which not all is seen."""


class View:
    """The eyes of player ``viewer``; fields named in ``shown`` lie open whatever the rules say.

    Raises ValueError for a player or a field that does not exist.
    """

    def __init__(self, rules: RuleSet, viewer: int, shown: Collection[str] = ()) -> None:
        if not 0 <= viewer < rules.players:
            raise ValueError(f"{rules.name} has the players 0..{rules.players - 1}, not {viewer}")
        unknown = sorted(set(shown) - set(rules.family_named))
        if unknown:
            raise ValueError(f"the rule set {rules.name!r} has no field {unknown[0]!r}")
        self.rules, self.viewer = rules, viewer
        self._hidden: list[int] = []
        self._sometimes: dict[Expr, list[int]] = {}
        for name, condition in rules.visible.items():
            if name not in shown:
                self._add(rules.family_named[name], condition)
        self._rows = list(_rows(rules))

    def _add(self, family: Family, condition: Expr) -> None:
        """Sorts the cells by when they are seen; what the viewer and the indices decide is decided now."""
        for place, at in enumerate(itertools.product(*map(range, family.dims))):
            names = {"viewer": lift(self.viewer), **{f"x{n}": lift(i) for n, i in enumerate(at)}}
            seen = substitute(condition, names)
            cell = self.rules.offset[family.name] + place
            if not seen.is_const:
                self._sometimes.setdefault(seen, []).append(cell)
            elif not seen.value:
                self._hidden.append(cell)

    @property
    def always(self) -> Sequence[int]:
        """The cells that are never seen."""
        return self._hidden

    @property
    def conditions(self) -> Sequence[Expr]:
        """When those cells are seen that are seen at times."""
        return list(self._sometimes)

    def hidden(self, state: State) -> list[int]:
        """The cells that are not seen, in order."""
        found = list(self._hidden)
        for condition, cells in self._sometimes.items():
            if not evaluate(condition, state, None, self.rules.offset):
                found += cells
        return sorted(found)

    def known(self, state: State) -> Known:
        """What the player knows: two states look the same to him if this is equal."""
        cells: list[int | None] = list(state)
        for cell in self.hidden(state):
            cells[cell] = None
        counts = (sum(state[c] for c in row) for row in self._rows if any(cells[c] is None for c in row))
        holders = (int(state[c] > 0) for c in _holders(self.rules) if cells[c] is None)
        return (*cells, *counts, *holders)


def _rows(rules: RuleSet) -> Iterator[range]:
    """The cells that count the pieces of one place."""
    for name in rules.pieces.counts if rules.pieces is not None else ():
        kinds, first = rules.family_named[name].dims[-1], rules.offset[name]
        yield from (range(at, at + kinds) for at in range(first, first + rules.family_named[name].size, kinds))


def _holders(rules: RuleSet) -> Iterator[int]:
    for name in rules.pieces.holders if rules.pieces is not None else ():
        yield from range(rules.offset[name], rules.offset[name] + rules.family_named[name].size)


LATE = Sentence("there was no time to count how the hidden cards may lie", "伏せられたカードの置かれ方を数える時間がなかった")
ASTRAY = Sentence("a hidden card lies where no card of its kind is expected", "伏せられたカードが、その種類のあるはずのない所にある")


@dataclass(frozen=True)
class Assignments:
    """The settled states that look to a player like the one asked about, in order; all of them unless ``limit`` says why not."""

    states: tuple[State, ...]
    limit: Sentence | None = None


def assignments(rules: RuleSet, state: State, view: View, most: int = 100_000, until: float | None = None) -> Assignments:
    """All ways in which what the player does not see may lie: declared pieces exchanged, any other cell at any value.

    At most so many are tried, and not after the moment ``until`` (of ``time.monotonic``); none where a piece lies where none of its kind is declared to, so that not all would be found.
    """
    engine, found = Reference(rules), set[State]()
    known = view.known(state)
    try:
        deal = _Deal(rules, state, view.hidden(state))
    except _Astray:
        return Assignments((state,), ASTRAY)
    for tried, cells in enumerate(deal.all()):
        if tried >= most:
            limit = Sentence(f"there are more than {most:,} ways in which the hidden cards may lie", f"伏せられたカードの配置が{most:,}通りを超える")
            return Assignments(tuple(sorted(found)), limit)
        if until is not None and not tried % 64 and time.monotonic() > until:
            return Assignments(tuple(sorted(found)), LATE)
        if engine.settle(cells) == cells and view.known(cells) == known:
            found.add(cells)
    return Assignments(tuple(sorted(found)))


class _Astray(ValueError):
    """A piece lies where none of its kind may."""


@dataclass(frozen=True)
class _Place:
    """Cells that share ``count`` pieces of these kinds; ``cells`` by kind (one and the same cell where it holds the kind)."""

    count: int
    kinds: tuple[int, ...]
    cells: Mapping[int, int]
    holds: bool


class _Deal:
    """Deals the unseen pieces to the places where they may lie."""

    def __init__(self, rules: RuleSet, state: State, hidden: Sequence[int]) -> None:
        self.rules, self.state = rules, state
        self.pool = Counter[int]()
        self.free: list[int] = []
        places: list[_Place] = []
        unseen = set(hidden)
        pieces = rules.pieces
        if pieces is not None:
            kinds_of = {row[0]: pieces.counts[name] for name in pieces.counts for row in _rows(rules) if self._in(name, row[0])}
            for row in _rows(rules):
                cells = {kind: cell for kind, cell in enumerate(row) if cell in unseen}
                unseen -= set(cells.values())
                places.append(self._place(cells, kinds_of[row[0]], {k: state[c] for k, c in cells.items()}, False))
            for name, kinds in pieces.holders.items():
                for cell in range(rules.offset[name], rules.offset[name] + rules.family_named[name].size):
                    if cell in unseen:
                        unseen.remove(cell)
                        places.append(self._place(dict.fromkeys(kinds, cell), kinds, {state[cell]: 1} if state[cell] else {}, True))
        self.free = sorted(unseen)
        self.places = sorted((p for p in places if p.count), key=lambda p: len(p.kinds) ** min(p.count, 4))

    def _in(self, name: str, cell: int) -> bool:
        return self.rules.offset[name] <= cell < self.rules.offset[name] + self.rules.family_named[name].size

    def _place(self, cells: Mapping[int, int], kinds: Sequence[int], held: Mapping[int, int], holds: bool) -> _Place:
        wrong = [kind for kind, n in held.items() if n and kind not in kinds]
        if wrong:
            raise _Astray(f"a piece of kind {wrong[0]}")
        self.pool.update(held)
        return _Place(sum(held.values()), tuple(k for k in kinds if k in cells), cells, holds)

    def all(self) -> Iterator[State]:
        """Every state, some perhaps not settled."""
        cells = list(self.state)
        for place in self.places:
            for cell in place.cells.values():
                cells[cell] = 0
        for dealt in self._deal(0, self.pool, cells):
            spans = [range(self.rules.bounds[c][0], self.rules.bounds[c][1] + 1) for c in self.free]
            for values in itertools.product(*spans):
                whole = list(dealt)
                for cell, value in zip(self.free, values, strict=True):
                    whole[cell] = value
                yield tuple(whole)

    def _deal(self, number: int, pool: Counter[int], cells: list[int]) -> Iterator[list[int]]:
        if number == len(self.places):
            yield cells
            return
        place = self.places[number]
        for hand in self._hands(place, place.kinds, place.count, pool):
            after = list(cells)
            for kind, n in hand.items():
                after[place.cells[kind]] = kind if place.holds else n
            yield from self._deal(number + 1, pool - Counter(hand), after)

    def _hands(self, place: _Place, kinds: Sequence[int], count: int, pool: Counter[int]) -> Iterator[dict[int, int]]:
        """Every choice of so many pieces from the pool."""
        if not count:
            yield {}
        elif kinds and sum(pool[k] for k in kinds) >= count:
            kind, most = kinds[0], 1 if place.holds else self.rules.bounds[place.cells[kinds[0]]][1]
            for n in range(min(count, pool[kind], most) + 1):
                for rest in self._hands(place, kinds[1:], count - n, pool):
                    yield {kind: n, **rest} if n else rest
