"""Leaving the match (WIN.2, COMP.8): what becomes of the cards of a player who is out while others play on (A77)."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Effect, each, gain, lift, put
from monjudge.model.monjan.match import ABOVE, OUTSIDE, Match, possible

__all__ = ["leaves"]


def leaves(m: Match, p: Any) -> list[Effect]:
    """Effects: the player is out; with three or four players the table is cleared of the player's cards."""
    return [put(m.alive[p], False), *(_clear_away(m, p) if m.players > 2 else [])]


def _clear_away(m: Match, p: Any) -> list[Effect]:
    """A77: the cards of a player who is out go to the discard pile, out of the game, or stay."""
    stay = m.reading("A77", "STAY")
    goes = m.reading("A77", "TO_DISCARD")
    fields = [*((field[p, c]) for field in (m.attack, m.under, m.defence) for c in range(3)), m.extra[p],
              *(m.outside[p, i] for i in range(OUTSIDE)), *(m.above[p, i] for i in range(ABOVE))]  # fmt: skip
    if possible(m.reading("A07", "STACK")):
        fields += [m.beneath_defence(p, c) for c in range(3)]
    effects: list[Effect] = [put(m.extra_by[p], 0, when=~stay)]
    for n, cell in enumerate(fields):
        twice = m.permanent_boss(p, n) & m.living(p, n) if n < 3 else lift(False)
        effects += [gain(m.discard[p, cell], 1, when=goes & (cell > 0) & ~twice), put(cell, 0, when=~stay)]
    for c in range(3):
        effects += each(m.slots, lambda s, c=c: [  # type: ignore[misc]
            gain(m.discard[p, m.mana[p, c, s]], 1, when=goes & m.in_stack(p, c, s)),
            put(m.mana[p, c, s], 0, when=~stay), put(m.spent[p, c, s], 0, when=~stay),
            put(m.down[p, c, s], False, when=~stay)])  # fmt: skip
        gone = (m.height, m.elements, m.life, m.witness)
        effects += [put(cells[p, c], 0, when=~stay) for cells in gone]
    effects += each(range(1, len(m.cards)), lambda k: [
        gain(m.discard[p, k], m.hand[p, k], when=goes), put(m.hand[p, k], 0, when=~stay)])  # fmt: skip
    return effects
