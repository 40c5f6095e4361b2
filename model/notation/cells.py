"""The common ways in which cells of a state are written, each for both directions: numbers, words, cards, piles.

A game has cards of its own: here a card is whatever the ``names`` of the game make of a word, and its
number is its place in the ``catalogue``, which has the tuple ``cards``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from monjudge.model.language import RuleSet, State
from monjudge.model.notation.forms import ABSENT
from monjudge.model.notation.reading import Reading

__all__ = [
    "NOTHING", "REST", "Cells", "Field", "Heap", "Is", "Members", "Number", "OneCard", "Sparse", "View", "Word", "check_all_said",
    "check_fitting", "filled", "moved", "said",
]  # fmt: skip

NOTHING = "-"
"""A place without a card, where the place counts."""
REST = "rest"
"""A pile that holds every card that lies nowhere else."""

Cells = dict[tuple[Any, ...], Any]
"""Cells by field and indices; a card stands for its number in the catalogue, as an index and as a value."""


@dataclass(frozen=True)
class View:
    """A state as it is read for writing: numbers and cards by field; what the rules do not have is 0."""

    rules: RuleSet
    state: State
    catalogue: Any
    names: Any

    def number(self, family: str, *at: int) -> int:
        found = self.rules.family_named.get(family)
        place = found.place(at) if found is not None else None
        return self.state[self.rules.offset[family] + place] if place is not None else 0

    def word(self, family: str, *at: int) -> str:
        """The card in a cell, ``-`` for none."""
        number = self.number(family, *at)
        return str(self.names.word(self.catalogue.cards[number])) if number else NOTHING

    def pile(self, family: str, *at: int) -> list[str]:
        """The cards of a multiset, in the order of the catalogue."""
        if family not in self.rules.offset:
            return []
        cards = self.catalogue.cards
        return [self.names.word(card) for number, card in enumerate(cards) for _ in range(self.number(family, *at, number))]


class Field(Protocol):
    """One key of a record and the cells behind it; ``at`` are the indices in front, the player or none."""

    @property
    def families(self) -> tuple[str, ...]:
        """The fields of the state that it speaks of."""

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        """What is written; ABSENT where the cells are as they are when nothing is written."""

    def cells(self, data: Any, at: tuple[int, ...], names: Any) -> Cells:
        """The cells of what is written."""


@dataclass(frozen=True)
class Number:
    """A number; ``less`` is what the written number is smaller by than the cell."""

    family: str
    absent: int = 0
    less: int = 0

    @property
    def families(self) -> tuple[str, ...]:
        return (self.family,)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        number = view.number(self.family, *at) if self.family in view.rules.offset else self.absent
        return ABSENT if number == self.absent else number - self.less

    def cells(self, data: Any, at: tuple[int, ...], names: Any) -> Cells:
        return {(self.family, *at): data + self.less}


@dataclass(frozen=True)
class Is:
    """Whether a cell has a value."""

    family: str
    value: int = 1

    @property
    def families(self) -> tuple[str, ...]:
        return (self.family,)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        return True if self.family in view.rules.offset and view.number(self.family, *at) == self.value else ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Any) -> Cells:
        return {(self.family, *at): self.value}


@dataclass(frozen=True)
class Word:
    """A value by its name; ``less`` as for numbers."""

    family: str
    labels: Sequence[str]
    absent: int = 0
    less: int = 0

    @property
    def families(self) -> tuple[str, ...]:
        return (self.family,)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        number = view.number(self.family, *at) if self.family in view.rules.offset else self.absent
        return ABSENT if number == self.absent else self.labels[number - self.less]

    def cells(self, data: Any, at: tuple[int, ...], names: Any) -> Cells:
        return {(self.family, *at): self.labels.index(data) + self.less}


@dataclass(frozen=True)
class Members:
    """Which of some truth values hold, by their names."""

    family: str
    labels: Sequence[str]

    @property
    def families(self) -> tuple[str, ...]:
        return (self.family,)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        return [name for n, name in enumerate(self.labels) if view.number(self.family, *at, n)] or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Any) -> Cells:
        return {(self.family, *at, self.labels.index(name)): 1 for name in data}


@dataclass(frozen=True)
class Sparse:
    """The cells of a row that are not as they begin, each by its label; their values as numbers, words or cards."""

    family: str
    keys: Sequence[str]
    less: int = 0
    words: Sequence[str] = ()
    absent: int = 0
    of_cards: bool = False

    @property
    def families(self) -> tuple[str, ...]:
        return (self.family,)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        if self.family not in view.rules.offset:
            return ABSENT
        numbers = {key: view.number(self.family, *at, n) for n, key in enumerate(self.keys)}
        said = {key: n for key, n in numbers.items() if n != self.absent}
        if self.of_cards:
            return {key: view.word(self.family, *at, self.keys.index(key)) for key in said} or ABSENT
        return {key: self.words[n] if self.words else n - self.less for key, n in said.items()} or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Any) -> Cells:
        found: Cells = {}
        for key, item in data.items():
            value = names.card(item) if self.of_cards else self.words.index(item) if self.words else item + self.less
            found[self.family, *at, self.keys.index(key)] = value
        return found


@dataclass(frozen=True)
class OneCard:
    """A card, or none."""

    family: str

    @property
    def families(self) -> tuple[str, ...]:
        return (self.family,)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        word = view.word(self.family, *at)
        return ABSENT if word == NOTHING else word

    def cells(self, data: Any, at: tuple[int, ...], names: Any) -> Cells:
        return {(self.family, *at): names.card(data)}


@dataclass(frozen=True)
class Heap:
    """Cards in no order."""

    family: str

    @property
    def families(self) -> tuple[str, ...]:
        return (self.family,)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        return view.pile(self.family, *at) or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Any) -> Cells:
        words = [] if data == REST else data
        return {(self.family, *at, names.card(word)): copies for word, copies in Counter(words).items() if word != REST}


# -- all cells of a position -------------------------------------------------------------------------------

Numbered = Callable[[str, Any], int]
"""The number of a part of a key, or of a value, of a field: a card's, or itself."""


def check_fitting(rules: RuleSet, parts: Iterable[tuple[str, Mapping[tuple[Any, ...], Any]]], number: Numbered) -> None:
    """Raises DataError for every part, at its path, that the rules of this position have no place for, or not for this value."""
    reading = Reading()
    for path, cells in parts:
        for (name, *at), item in cells.items():
            family, value = rules.family_named.get(name), number(name, item)
            if value if family is None else family.place(tuple(number(name, part) for part in at)) is None:
                reading.fault(path, "this plays no part in the mode, with the players and under the readings of this position",
                              "この局面のモード、人数、読みでは使われない", "no-part")  # fmt: skip
                break
            if family is not None and not family.lo <= value <= family.hi:
                card = next((part for part in at if not isinstance(part, int)), None)
                if card is None:
                    reading.fault(path, "this position cannot hold such a value", "この局面では扱えない値", "out-of-range")
                else:
                    reading.fault(path, f"{value} cards {card}, at most {family.hi} can lie in one place",
                                  f"{card}が{value}枚ある。一か所に最大{family.hi}枚", "out-of-range")  # fmt: skip
                break
    reading.finish()


def filled(rules: RuleSet, cells: Mapping[tuple[Any, ...], Any], number: Numbered) -> State:
    """The start of the rules with these cells; what the rules do not have is left out."""
    state = list(rules.start)
    for (name, *at), value in cells.items():
        if name in rules.family_named:
            state[rules.cell(name, *(number(name, part) for part in at))] = number(name, value)
    return tuple(state)


def moved(rules: RuleSet, state: State, other: RuleSet) -> State:
    """The state in the fields of other rules; what these have alone is as it begins. Raises LookupError for a field of another size."""
    cells = list(other.start)
    for family in other.families:
        if (known := rules.family_named.get(family.name)) is not None:
            if known.size != family.size:
                raise LookupError(f"the field {family.name!r} has another size")
            here, there = rules.offset[family.name], other.offset[family.name]
            cells[there : there + family.size] = state[here : here + family.size]
    return tuple(cells)


def check_all_said(rules: RuleSet, state: State, known: Collection[str]) -> None:
    """Raises LookupError for a field that has no key and is not as it begins."""
    for family in rules.families:
        at = rules.offset[family.name]
        if not family.config and family.name not in known and state[at : at + family.size] != family.init:
            raise LookupError(f"the notation has no key for the field {family.name!r}")


def said(fields: Mapping[str, Field], view: View, at: tuple[int, ...] = ()) -> dict[str, Any]:
    """What is written of a state, by key."""
    return {key: found for key, held in fields.items() if (found := held.data(view, at)) is not ABSENT}
