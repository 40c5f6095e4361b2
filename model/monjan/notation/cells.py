"""How cells of a column, and cards that may lie face down, are written; each for both directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from monjudge.model.monjan.cards import Card
from monjudge.model.monjan.match import COLUMN, PHASE
from monjudge.model.monjan.notation.cards import Marked, Names
from monjudge.model.notation.cells import NOTHING, View
from monjudge.model.notation.forms import ABSENT

__all__ = ["Cells", "PerColumn", "Placed", "Row", "View", "is_edit", "lying"]

Cells = dict[tuple[Any, ...], "int | Card"]
"""Cells by field and indices; a card stands for its number in the catalogue, as an index and as a value."""


def is_edit(view: View) -> bool:
    """Whether it is an edit turn."""
    return view.number("phase") == PHASE["EDIT"]


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
