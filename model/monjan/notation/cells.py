"""The common ways in which cells of a state are written, each for both directions: numbers, words, cards, piles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from monjudge.model.language import RuleSet, State
from monjudge.model.monjan.cards import Card, Catalogue
from monjudge.model.monjan.match import COLUMN, PHASE
from monjudge.model.monjan.notation.cards import Marked, Names, sort_key
from monjudge.model.monjan.notation.form import REST
from monjudge.model.monjan.notation.words import NOTHING
from monjudge.model.notation.forms import ABSENT

__all__ = [
    "Cells", "Field", "Heap", "Is", "Members", "Number", "OneCard", "PerColumn", "Placed", "Row", "Sparse", "View", "Word", "lying",
]  # fmt: skip

Cells = dict[tuple[Any, ...], "int | Card"]
"""Cells by field and indices; a card stands for its number in the catalogue, as an index and as a value."""


@dataclass(frozen=True)
class View:
    """A state as it is read for writing: numbers and cards by field; what the rules do not have is 0."""

    rules: RuleSet
    state: State
    catalogue: Catalogue
    names: Names

    def number(self, family: str, *at: int) -> int:
        found = self.rules.family_named.get(family)
        place = found.place(at) if found is not None else None
        return self.state[self.rules.offset[family] + place] if place is not None else 0

    def word(self, family: str, *at: int) -> str:
        """The card in a cell, ``-`` for none."""
        number = self.number(family, *at)
        return self.names.word(self.catalogue.cards[number]) if number else NOTHING

    def pile(self, family: str, *at: int) -> list[str]:
        """The cards of a multiset, sorted."""
        found: list[str] = []
        if family in self.rules.offset:
            start = self.rules.cell(family, *at, 0)
            for number, copies in enumerate(self.state[start : start + len(self.catalogue)]):
                found += [self.names.word(self.catalogue.cards[number])] * copies
        return sorted(found, key=sort_key)

    @property
    def edits(self) -> bool:
        """Whether it is an edit turn."""
        return self.number("phase") == PHASE["EDIT"]

    @property
    def slots(self) -> int:
        return self.rules.family_named["mana"].dims[2]


class Field(Protocol):
    """One key of a record and the cells behind it; ``at`` are the indices in front, the player or none."""

    @property
    def families(self) -> tuple[str, ...]:
        """The fields of the state that it speaks of."""

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        """What is written; ABSENT where the cells are as they are when nothing is written."""

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
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

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
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

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
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
        number = view.number(self.family, *at)
        return ABSENT if number == self.absent else self.labels[number - self.less]

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
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

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
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

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        found: Cells = {}
        for key, item in data.items():
            value = names.card(item) if self.of_cards else self.words.index(item) if self.words else item + self.less
            found[self.family, *at, self.keys.index(key)] = value
        return found


@dataclass(frozen=True)
class PerColumn:
    """A number for each column."""

    family: str

    @property
    def families(self) -> tuple[str, ...]:
        return (self.family,)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        numbers = {name: view.number(self.family, *at, c) for c, name in enumerate(COLUMN.labels)}
        return {name: n for name, n in numbers.items() if n} or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        return {(self.family, *at, COLUMN[name]): n for name, n in data.items()}


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

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        return {(self.family, *at): names.card(data)}


@dataclass(frozen=True)
class Placed:
    """A card in each column, or none; ``down`` is the field that says which lie face down."""

    family: str
    down: str = ""

    @property
    def families(self) -> tuple[str, ...]:
        return (self.family, self.down) if self.down else (self.family,)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        return {
            name: str(Marked(view.word(self.family, *at, c), turned=bool(self.down and view.number(self.down, *at, c))))
            for c, name in enumerate(COLUMN.labels)
            if view.number(self.family, *at, c)
        } or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        found: Cells = {}
        for name, word in data.items():
            found |= lying(names, word, (self.family, *at, COLUMN[name]), (self.down, *at, COLUMN[name]))
        return found


@dataclass(frozen=True)
class Row:
    """Cards at numbered places, ``-`` where there is none before the last."""

    family: str
    length: int
    down: str = ""

    @property
    def families(self) -> tuple[str, ...]:
        return (self.family, self.down) if self.down else (self.family,)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        words = [
            str(Marked(view.word(self.family, *at, n), turned=bool(self.down and view.number(self.down, *at, n))))
            if view.number(self.family, *at, n) else NOTHING
            for n in range(self.length)
        ]  # fmt: skip
        while words and words[-1] == NOTHING:
            words.pop()
        return words or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        found: Cells = {}
        for n, word in enumerate(data):
            if word != NOTHING:
                found |= lying(names, word, (self.family, *at, n), (self.down, *at, n))
        return found


def lying(names: Names, word: str, place: tuple[Any, ...], down: tuple[Any, ...]) -> Cells:
    """The cells of a card that lies at a place, perhaps face down."""
    marked = names.mark(word)
    return {place: names.card(marked.word)} | ({down: 1} if marked.turned else {})


@dataclass(frozen=True)
class Heap:
    """Cards in no order."""

    family: str

    @property
    def families(self) -> tuple[str, ...]:
        return (self.family,)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        return view.pile(self.family, *at) or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        words = [] if data == REST else data
        return {(self.family, *at, names.card(word)): copies for word, copies in Counter(words).items() if word != REST}
