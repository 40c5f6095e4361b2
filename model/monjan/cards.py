"""Cards and the catalogue of kinds that are in play: what a card is, written as data.

A card is a kind; a position holds numbers of kinds, and the catalogue says what each
number means. Kind 0 is "no card". Notation (see ``Card.parse``): ``f7`` a number card,
``w+8`` ``nK`` ``gB`` battle cards, ``T4/9`` a Toughness card, ``B22`` a boss, ``A15`` an
assassin, ``*`` an Elements card and ``m`` a mana card of no matter which kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from monjudge.model.language import Domain

__all__ = ["EFFECT", "ELEMENT", "KIND", "MOST_SKILLS", "NO_ELEMENT", "Card", "CardSkill", "Catalogue"]

ELEMENT = Domain("element", ("F", "W", "E", "A", "N"))
NO_ELEMENT = ELEMENT.size
"""The element number of a card that has none, and of a missing panel."""

KIND = Domain("card kind", ("NONE", "NUMBER", "PLUS", "KILL", "PLAIN", "EXTRA", "TOUGHNESS", "BOSS", "ASSASSIN", "ANY"))
EFFECT = Domain(
    "effect", ("none", "damage", "heal", "draw", "draw_et", "destroy", "return", "boost", "revive", "summon", "opaque")
)
"""What a skill does (see ``card_skills``)."""

MOST_SKILLS = 3
"""Skills on one card, at most."""

_LETTERS = {"f": 0, "w": 1, "g": 2, "e": 2, "a": 3, "n": 4}
_LETTER = "fwgan"


@dataclass(frozen=True, slots=True)
class CardSkill:
    """One skill of an Extra or Toughness card, in the effect vocabulary (see ``skills``)."""

    time: str  # "edit" or "battle"
    effect: str
    amount: int = 0
    release: int = 0  # mana to release, 0 for a free skill
    magic: bool = False  # from the hand, the card is gone afterwards
    die: int = 0  # succeeds on a roll of at most this, 0 for no roll
    needs: str = ""  # the name of a card that must be on the own field
    auxiliary: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """One kind of card. ``value`` is number, bonus, attack or strength by kind."""

    kind: str
    element: int = NO_ELEMENT
    value: int = 0
    cost: int = 0
    pair: tuple[int, int] | None = None
    numbers: tuple[int, ...] = ()
    skills: tuple[CardSkill, ...] = ()
    name: str = ""
    initial: bool = False  # yellow: initial equipment

    @staticmethod
    def parse(text: str) -> Card:
        """The card of the notation. Raises ValueError with what was read and what would do.

        >>> Card.parse("w+8").value
        8
        """
        if text in ("*", "m"):
            return Card("ANY", name=text)
        if found := re.fullmatch(r"([fwgean])([0-9]{1,2})", text):
            number = int(found[2])
            if 1 <= number <= 16:
                return Card("NUMBER", _LETTERS[found[1]], number)
        if found := re.fullmatch(r"([fwgean])\+([0-9]{1,2})", text):
            return Card("PLUS", _LETTERS[found[1]], int(found[2]))
        if found := re.fullmatch(r"([fwgean])([KB])", text):
            return Card("KILL" if found[2] == "K" else "PLAIN", _LETTERS[found[1]])
        if found := re.fullmatch(r"T([0-9]{1,2})/([0-9]{1,2})", text):
            return Card("TOUGHNESS", value=int(found[2]), cost=int(found[1]))
        if found := re.fullmatch(r"([BA])([0-9]{1,2})p?", text):
            return Card("BOSS" if found[1] == "B" else "ASSASSIN", value=int(found[2]))
        raise ValueError(f"{text!r} is no card: f7, w+8, nK, gB, T4/9, B22, A15, * or m would do")

    def __str__(self) -> str:
        letter = _LETTER[self.element] if self.element < NO_ELEMENT else ""
        match self.kind:
            case "NUMBER":
                return f"{letter}{self.value}"
            case "PLUS":
                return f"{letter}+{self.value}"
            case "KILL":
                return f"{letter}K"
            case "PLAIN":
                return f"{letter}B"
            case "TOUGHNESS":
                return self.name or f"T{self.cost}/{self.value}"
            case "BOSS":
                return f"B{self.value}"
            case "ASSASSIN":
                return f"A{self.value}"
            case "EXTRA":
                panels = "".join(_LETTER[e] for e in self.pair) if self.pair else "-"
                return self.name or f"X({panels}|{','.join(map(str, self.numbers))}|{self.value})"
        return self.name


_ORDER = {
    name: n
    for n, name in enumerate(("PLUS", "KILL", "NUMBER", "PLAIN", "ANY", "EXTRA", "TOUGHNESS", "BOSS", "ASSASSIN"))
}


class Catalogue:
    """The kinds in play, numbered from 1, battle cards first, so that each sort is one range.

    ``MOST`` copies of one kind is the bound of the model for hands and piles.
    """

    MOST = 100

    def __init__(self, cards: Iterable[Card]) -> None:
        unique = sorted(set(cards), key=lambda c: (_ORDER[c.kind], c.value, c.element, str(c), repr(c)))
        self.cards: tuple[Card, ...] = (Card("NONE", name="-"), *unique)
        self._number = {card: n for n, card in enumerate(self.cards)}
        self.token = next((n for n, card in enumerate(self.cards) if card.name == "token"), 0)
        """The marker of a ritual that takes no card (A124 TOKEN); 0 where the catalogue has none."""

    def __len__(self) -> int:
        return len(self.cards)

    def __getitem__(self, card: Card | str) -> int:
        """The number of a card. Raises ValueError naming a card that is not in play."""
        wanted = Card.parse(card) if isinstance(card, str) else card
        number = self._number.get(wanted)
        if number is None:
            raise ValueError(f"the card {wanted} is not in the catalogue of this position")
        return number

    def numbers(self, *kinds: str) -> range:
        """The numbers of the cards of neighbouring sorts, as one range (empty when there is none)."""
        found = [n for n, card in enumerate(self.cards) if card.kind in kinds]
        return range(found[0], found[-1] + 1) if found else range(1, 1)

    def column(self, of: str) -> list[int]:
        """One property of every kind, as a table column."""
        values: dict[str, Callable[[Card], int]] = {
            "kind": lambda c: KIND[c.kind],
            "element": lambda c: c.element,
            "value": lambda c: c.value,
            "cost": lambda c: c.cost,
            "left": lambda c: c.pair[0] if c.pair else NO_ELEMENT,
            "right": lambda c: c.pair[1] if c.pair else NO_ELEMENT,
        }
        return [values[of](c) for c in self.cards]

    def listed(self) -> list[bool]:
        """Whether a kind's number list holds n, for every kind and n in 0..16, row-major."""
        return [n in c.numbers for c in self.cards for n in range(17)]
