"""Cards and the catalogue of kinds in play: what a card is, written as data (R.PULL.2-3, R.MOVE.2, R.CARD.1).

A card is a kind; a position holds numbers of kinds, and the catalogue says what each number
means. Kind 0 is "no card". The kinds of one type are neighbours, so that each type is one range.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from monjudge.model.language import Domain

__all__ = [
    "ALIGNMENT", "EFFECT", "ICON", "MOST_TECHNIQUES", "NEED", "PLACE", "STAT", "TYPE", "Card", "Catalogue", "Deed", "Technique",
]  # fmt: skip

TYPE = Domain("card type", ("NONE", "MONSTER", "TRAINING", "ATTACHMENT", "EVENT", "BATTLE"))
ICON = Domain("icon", ("CHARGE", "RETREAT", "HOLD", "SHOVE"))
ALIGNMENT = Domain("alignment", ("GOODY", "BADDY"))
STAT = Domain("statistic", ("power", "intelligence", "speed", "defence", "life"))
NEED = Domain("need", (*STAT.labels, "loyalty", "fame"))
PLACE = Domain("attachment place", ("monster", "player", "foe_monster", "foe_player"))
EFFECT = Domain("effect", ("draw", "discard", "speed", "heal", "fame", "boost", "step", "soothe", "opaque"))
"""What the text of a card does (see ``effects``)."""

MOST_TECHNIQUES = 4
"""Techniques printed on one card, at most."""

Items = tuple[tuple[str, int], ...]
"""Names with numbers, e.g. what a technique needs."""


@dataclass(frozen=True, slots=True)
class Technique:
    """One technique (R.TECH.1): ``halves`` is the multiplier times two, ``needs`` name statistics, loyalty or fame."""

    name: str
    range: int
    halves: int = 2
    mental: bool = False
    needs: Items = ()


@dataclass(frozen=True, slots=True)
class Deed:
    """One effect of a text (see ``effects``): what, how much, on whom (own, foe, both), on which statistic."""

    do: str
    amount: int = 0
    who: str = "own"
    stat: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """One kind of card. What its type does not have is empty.

    ``stats`` are a monster's in the order of ``STAT``; ``target`` is the number that a training must not exceed;
    ``gives`` what a training or an attachment adds; ``place`` and ``category`` are an attachment's, ``needs`` and
    ``only`` its condition on the target; ``deeds`` are an Event's, a Battle card's or a monster's ability, which may
    be used ``times`` a turn (0: once a window); ``fame`` and ``side`` are numbers on a Battle card, -1 where it has none.
    """

    name: str
    type: str
    pull: int
    icon: str
    alignment: str = ""
    stats: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    techniques: tuple[Technique, ...] = ()
    target: int = 0
    gives: Items = ()
    place: str = ""
    category: str = ""
    needs: Items = ()
    only: str = ""
    deeds: tuple[Deed, ...] = ()
    times: int = 0
    fame: int = -1
    side: int = -1
    playmates: bool = False

    @property
    def is_opaque(self) -> bool:
        """Whether a part of its text is not in the vocabulary."""
        return any(deed.do == "opaque" for deed in self.deeds)

    def __str__(self) -> str:
        return self.name


class Catalogue:
    """The kinds in play, numbered from 1 by type and name. Raises ValueError for two kinds of one name."""

    MOST = 3
    """R.DECK.2: copies of one kind that a player can have."""

    def __init__(self, cards: Iterable[Card]) -> None:
        unique = sorted(set(cards), key=lambda c: (TYPE[c.type], c.name))
        self.cards: tuple[Card, ...] = (Card("-", "NONE", 0, "HOLD"), *unique)
        self._number = {card.name: n for n, card in enumerate(self.cards)}
        if len(self._number) < len(self.cards):
            names = [card.name for card in self.cards]
            raise ValueError(f"two kinds have one name: {', '.join(sorted({n for n in names if names.count(n) > 1}))}")
        self.techniques: tuple[tuple[int, Technique], ...] = tuple(
            (number, technique) for number, card in enumerate(self.cards) for technique in card.techniques
        )
        """Every technique with the kind that has it: a position names techniques by their place here."""

    def __len__(self) -> int:
        return len(self.cards)

    def __getitem__(self, card: Card | str) -> int:
        """The number of a kind. Raises ValueError naming one that is not in play."""
        name = card if isinstance(card, str) else card.name
        if name not in self._number:
            raise ValueError(f"the card {name} is not in the catalogue of this position")
        return self._number[name]

    def numbers(self, *types: str) -> range:
        """The kinds of neighbouring types as one range (empty when there is none)."""
        found = [n for n, card in enumerate(self.cards) if card.type in types]
        return range(found[0], found[-1] + 1) if found else range(1, 1)

    def technique(self, card: Card | str, name: str) -> int:
        """The number of a technique. Raises ValueError where the card has no such one."""
        kind = self[card]
        for number, (owner, technique) in enumerate(self.techniques):
            if owner == kind and technique.name == name:
                return number
        raise ValueError(f"{self.cards[kind]} has no technique {name!r}")
