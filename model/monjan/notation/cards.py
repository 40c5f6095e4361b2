"""How a card is written: ``F7`` ``W+8`` ``NK`` ``EB``, ``B22`` ``AS15``, ``TIDE_CALLER``, ``*`` and ``?``.

An element is its letter (F W E A N), in capitals or not, full-width, its word, or its kanji (火水地風無);
the rulebook's ``g`` is E. A named card is called by its id, by its name in either language, or by
the short name that the pack gives it, which is how it stands in a line. In front of a card ``*``
says that it lies as Elements; behind it ``-`` says that it is turned (face down, an Elements
card face up), ``_`` that it is spent, ``__`` that it is spent and goes at once.

>>> names = Names(())
>>> names.card("火＋８"), names.word(names.card("tide caller")), str(names.mark("*F8_"))
(Card(kind='PLUS', element=0, value=8, cost=0, pair=None, numbers=(), skills=(), name='', initial=False), 'TIDE_CALLER', '*F8_')
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from monjudge.model.monjan.cards import NO_ELEMENT, Card
from monjudge.model.monjan.catalogue.packs import Entry, default_pack
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.reading import fold, meant
from monjudge.model.notation.sentence import Sentence

__all__ = ["ELEMENTS", "EXAMPLES", "TOKEN", "UNKNOWN", "Marked", "Names", "sort_key"]

LETTERS = "FWEAN"
ELEMENTS = Card("ANY", name="*")
"""An Elements card of which it does not matter, or is not known, what it was."""
UNKNOWN = Card("ANY", name="m")
"""A card that is not known, or does not matter."""
TOKEN = Card("ANY", name="token")
"""The marker of a ritual that takes no card (A124 TOKEN)."""

EXAMPLES = 'F7, W+8, NK, EB, B22, AS15, TIDE_CALLER, "*", "?"'

_KANJI = str.maketrans({"火": "F", "水": "W", "地": "E", "土": "E", "風": "A", "無": "N"})
_ENGLISH = {"FIRE": "F", "WATER": "W", "EARTH": "E", "GROUND": "E", "AIR": "A", "WIND": "A", "NONE": "N"}
_IN_WORDS = re.compile(r"([A-Z]+)(\+?[0-9]{1,2}|K(?=ILL$))(ILL)?")
_WORDS = (("キル", "K"), ("エレメンツ", "*"), ("アサシン", "AS"), ("ボス", "B"), ("？", "?"), ("×", "*"))
_PLAIN = re.compile(r"([FWEANG])(?:(\+)?([0-9]{1,2})|([KB]))")
_BOSS = re.compile(r"(B|AS|A)([0-9]{1,2})P?")
_STAND_IN = re.compile(r"T([0-9]{1,2})[/-]([0-9]{1,2})")
_ANY = {"*": ELEMENTS, "?": UNKNOWN, "M": UNKNOWN, "TOKEN": TOKEN}
_MARKS = re.compile(r"(\*?)(.+?)(-?)(_{0,2})")
_IN_LINE = re.compile(r"AS[0-9]+|TOKEN|[FWEAN](?:\+?[0-9]+|[KB])|B[0-9]+|T[0-9]+-[0-9]+|[*?]|[a-z][a-z0-9]*|[A-Z]{2}[A-Z0-9_]*[A-Z0-9]")


class Marked(NamedTuple):
    """A card as it lies: as Elements, turned over, and spent (1) or about to go (2)."""

    word: str
    elements: bool = False
    turned: bool = False
    spent: int = 0

    def __str__(self) -> str:
        return "*" * (self.elements and self.word != "*") + self.word + "-" * self.turned + "_" * self.spent


@dataclass(frozen=True)
class Names:
    """The names of all cards: those of the default pack, and ``own`` entries of a document."""

    own: tuple[Entry, ...]

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The named cards by id; an own card takes the place of one of the pack."""
        return {e.card.name: e for e in (*default_pack().entries, *self.own) if e.card.name}

    @cached_property
    def _ids(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for id, entry in self.entries.items():
            texts = (*(entry.name or ()), entry.short, id.replace("_", " "), id)
            found |= {fold(text): id for text in texts if text}
        return found

    @cached_property
    def _read(self) -> dict[tuple[str, bool], Card]:
        return {}

    def card(self, text: str, kinds: Iterable[str] = ()) -> Card:
        """The card of a word; where only ``kinds`` can lie, ``A15`` may mean an assassin. Raises DataError."""
        key = (text, "ASSASSIN" in kinds)
        if key not in self._read:
            self._read[key] = self._card(*key)
        return self._read[key]

    def _card(self, text: str, assassins: bool) -> Card:
        word = unicodedata.normalize("NFKC", text).strip()
        if id := self._ids.get(fold(word)):
            return self.entries[id].card
        for said, sign in _WORDS:
            word = word.replace(said, sign)
        word = word.translate(_KANJI).replace(" ", "").upper()
        if word in _ANY:
            return _ANY[word]
        if found := _STAND_IN.fullmatch(word):
            return Card("TOUGHNESS", value=int(found[2]), cost=int(found[1]))
        if (found := _BOSS.fullmatch(word)) and (found[1] != "A" or assassins):
            return Card("BOSS" if found[1] == "B" else "ASSASSIN", value=int(found[2]))
        if (found := _IN_WORDS.fullmatch(word)) and found[1] in _ENGLISH:
            word = _ENGLISH[found[1]] + found[2]
        if found := _PLAIN.fullmatch(word):
            element = LETTERS.index("E" if found[1] == "G" else found[1])
            if found[4]:
                return Card("KILL" if found[4] == "K" else "PLAIN", element)
            if found[2] or 1 <= int(found[3]) <= 16:
                return Card("PLUS" if found[2] else "NUMBER", element, int(found[3]))
            boss = f", AS{found[3]}" if found[1] == "A" else ""
            raise _no_card(text, f"numbers are 1..16{boss}", f"数字は1～16{boss}")
        if len(word) >= 3:
            raise _no_card(text, *(part.strip("; 。") for part in meant(text, self.entries, EXAMPLES + ", or", EXAMPLES + "、または", most=3)))
        raise _no_card(text, f"{EXAMPLES} would do", f"書けるのは {EXAMPLES} など")

    def word(self, card: Card) -> str:
        """The canonical word of a card."""
        letter = LETTERS[card.element] if card.element < NO_ELEMENT else ""
        match card.kind:
            case "NUMBER":
                return f"{letter}{card.value}"
            case "PLUS":
                return f"{letter}+{card.value}"
            case "KILL":
                return f"{letter}K"
            case "PLAIN":
                return f"{letter}B"
            case "BOSS":
                return f"B{card.value}"
            case "ASSASSIN":
                return f"AS{card.value}"
            case "ANY":
                return {"m": "?", "token": "TOKEN"}.get(card.name, card.name)
        return card.name or f"T{card.cost}-{card.value}"

    def mark(self, text: str, kinds: Iterable[str] = ()) -> Marked:
        """A card with its marks. Raises DataError."""
        word = unicodedata.normalize("NFKC", text).strip()
        found = _MARKS.fullmatch(word)
        if not found:
            raise _no_card(text, f"{EXAMPLES} would do", f"書けるのは {EXAMPLES} など")
        if word[0] == "*" and found[2][:1] in "-_":
            return Marked("*", True, found[2][0] == "-", word.count("_"))
        card = self.card(found[2], kinds)
        elements = bool(found[1]) or card == ELEMENTS
        return Marked(self.word(card), elements, bool(found[3]), len(found[4]))

    # -- in a line --------------------------------------------------------------------------------

    def short(self, word: str) -> str:
        """A canonical word as it stands in a line."""
        entry = self.entries.get(word)
        return entry.short if entry is not None and entry.short else word

    def in_line(self, text: str, here: int) -> re.Match[str] | None:
        """The word that begins at a character of a line."""
        return _IN_LINE.match(text, here)

    def is_known(self, id: str) -> bool:
        """Whether a card has this id."""
        return id in self.entries




def sort_key(word: str) -> tuple[int, str, int, str]:
    """The order in which cards are listed where the order has no meaning: by element and number, then the named ones."""
    found = re.fullmatch(r"([FWEAN])(\+?)([0-9]+|[KB])", word)
    if found:
        rank = LETTERS.index(found[1])
        return (rank, "+" if found[2] else "!" if found[3].isdigit() else found[3], int(found[3]) if found[3].isdigit() else 0, word)
    numbered = re.fullmatch(r"(B|AS)([0-9]+)", word)
    return (5, numbered[1], int(numbered[2]), word) if numbered else (6, word, 0, word)


def _no_card(text: str, en: str, ja: str) -> DataError:
    said = text if len(text) <= 40 else text[:37] + "..."
    return DataError([Defect("", Sentence(f"{said!r} is no card: {en}", f"「{said}」というカードはない：{ja}"), "unreadable-card")])
