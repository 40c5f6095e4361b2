"""Shapes made of plain fields: a bounded stack, a multiset, an optional.

Engines see only the fields; a shape is a way to write the same few expressions and
effects once. A push that does not fit, or a count beyond its bound, leaves the interval
of a cell and is therefore *unknown (limit)*, never *illegal*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from monjudge.model.language.expr import TRUE, Expr, ite
from monjudge.model.language.family import Domain
from monjudge.model.language.game import Cells, Game, each, gain, put
from monjudge.model.language.quantify import sum_of
from monjudge.model.language.rules import Effect

__all__ = ["Multiset", "Optional", "Stack"]


class Stack:
    """Slots from the bottom (0) up and a height; slots above the height hold 0.

    The values of a slot must contain 0. ``at`` addresses one stack of an indexed family:
    ``Stack(g, "mana", player, column, slots=6, values=card)`` has stacks ``(p, c)``.
    """

    def __init__(self, game: Game, name: str, *axes: int | Domain, slots: int, values: Any) -> None:
        self.slots = slots
        self.cells: Cells = game.field(name, *axes, slots, values=values, init=0)
        self._height: Any = game.field(f"{name}_height", *axes, values=range(slots + 1))

    def height(self, *at: Any) -> Expr:
        """The number of cards of the stack."""
        height: Expr = self._height[at] if at else self._height
        return height

    def slot(self, *at_and_slot: Any) -> Expr:
        """The card of one slot; 0 above the height."""
        return self.cells[at_and_slot]

    def top(self, *at: Any) -> Expr:
        """The uppermost card; the default of the family when the stack is empty."""
        return self.cells[(*at, self.height(*at) - 1)]

    def push(self, *at: Any, card: Any, when: Any = TRUE) -> list[Effect]:
        """Effects: the card on top. One push for each stack and move."""
        height = self.height(*at)
        return [put(self.cells[(*at, height)], card, when), gain(height, 1, when)]

    def pop(self, *at: Any, count: Any = 1, when: Any = TRUE) -> list[Effect]:
        """Effects: the uppermost ``count`` cards are gone (at most the height)."""
        height = self.height(*at)
        cut = height - count
        gone = each(self.slots, lambda s: put(self.cells[(*at, s)], 0, (s >= cut) & when))
        return [*gone, gain(height, -1 * count if isinstance(count, int) else -count, when)]


class Multiset:
    """A count for each kind, e.g. a hand of cards."""

    def __init__(self, game: Game, name: str, *axes: int | Domain, kinds: int | Domain, most: int) -> None:
        self.kinds = kinds.size if isinstance(kinds, Domain) else kinds
        self.cells: Cells = game.field(name, *axes, kinds, values=range(most + 1))

    def count(self, *at_and_kind: Any) -> Expr:
        """How many of one kind."""
        return self.cells[at_and_kind]

    def size(self, *at: Any) -> Expr:
        """How many in all."""
        return sum_of(self.kinds, lambda k: self.cells[(*at, k)])

    def add(self, *at_and_kind: Any, by: Any = 1, when: Any = TRUE) -> Effect:
        """Effect: more of one kind; several draws of the same kind add up."""
        return gain(self.cells[at_and_kind], by, when)

    def remove(self, *at_and_kind: Any, by: Any = 1, when: Any = TRUE) -> Effect:
        """Effect: fewer of one kind."""
        return gain(self.cells[at_and_kind], -by if isinstance(by, int) else -1 * by, when)


class Optional:
    """A value or nothing. Nothing is one below the least value, so the cell stays one number."""

    def __init__(self, game: Game, name: str, *axes: int | Domain, values: range, init: Sequence[int] | int | None = None) -> None:
        self.none = values.start - 1
        start = self.none if init is None else init
        self.cells: Any = game.field(name, *axes, values=range(self.none, values.stop), init=start, default=self.none)

    def get(self, *at: Any) -> Expr:
        """The value, or ``none``."""
        cell: Expr = self.cells[at] if at else self.cells
        return cell

    def present(self, *at: Any) -> Expr:
        """Whether there is a value."""
        return self.get(*at) != self.none

    def or_else(self, *at: Any, other: Any) -> Expr:
        """The value, or ``other`` where there is none."""
        return ite(self.present(*at), self.get(*at), other)

    def put(self, *at: Any, value: Any, when: Any = TRUE) -> Effect:
        return put(self.get(*at), value, when)

    def clear(self, *at: Any, when: Any = TRUE) -> Effect:
        return put(self.get(*at), self.none, when)
