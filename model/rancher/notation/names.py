"""How a card is written: its id (``ASH_HOUND``), or its name in either language; and techniques, ``ASH_HOUND.1``.

>>> names = Names(())
>>> names.word(names.card("ash hound")), names.word(names.card("灰の猟犬")), names.said(names.card("LIFTING"))
('ASH_HOUND', 'ASH_HOUND', Sentence(en='Lifting', ja='「重量挙げ」'))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any

from monjudge.model.notation.cursor import Cursor
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.forms import ListOf, Schemas
from monjudge.model.notation.reading import Reading, fold, meant, quoted
from monjudge.model.notation.sentence import Sentence
from monjudge.model.rancher.cards import TYPE, Card, Catalogue
from monjudge.model.rancher.catalogue.packs import Entry, default_pack

__all__ = ["Apart", "CardWord", "Names", "pile_of", "sort_key"]

EXAMPLES = "ASH_HOUND, LIFTING, CUP_MATCH"
_CARD = Sentence("card", "カード")


@dataclass(frozen=True)
class Names:
    """The names of all cards: those of the default pack, and ``own`` entries of a document."""

    own: tuple[Entry, ...]

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The cards by id; an own card takes the place of one of the pack."""
        return {entry.card.name: entry for entry in (*default_pack().entries, *self.own)}

    @cached_property
    def _ids(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for id, entry in self.entries.items():
            found |= {fold(text): id for text in (*entry.name, id.replace("_", " "), id)}
        return found

    def card(self, text: str) -> Card:
        """The card of a word. Raises DataError."""
        id = self._ids.get(fold(text))
        if id is None:
            en, ja = (part.strip("; 。") for part in meant(text, self.entries, "there are", "あるのは", most=6))
            said = quoted(text)
            raise DataError([Defect("", Sentence(f"{said} is no card: {en}", f"{said} というカードはない：{ja}"), "unreadable-card")])
        return self.entries[id].card

    def word(self, card: Card) -> str:
        """The canonical word of a card."""
        return card.name

    def technique(self, catalogue: Catalogue, number: int) -> str:
        """The word of a technique of the catalogue: its card, and its number there."""
        owner, _ = catalogue.techniques[number]
        first = next(n for n, (card, _) in enumerate(catalogue.techniques) if card == owner)
        return f"{self.word(catalogue.cards[owner])}.{number - first + 1}"

    def technique_said(self, catalogue: Catalogue, number: int) -> Sentence:
        """What a technique of the catalogue is called."""
        owner, technique = catalogue.techniques[number]
        entry = self.entries.get(catalogue.cards[owner].name)
        if entry is None:
            return Sentence(technique.name, technique.name)
        return entry.techniques[int(self.technique(catalogue, number).rpartition(".")[2]) - 1]

    def said(self, card: Card) -> Sentence:
        """A card as it is called in a sentence."""
        entry = self.entries.get(card.name)
        return Sentence(entry.name.en, f"「{entry.name.ja}」") if entry else Sentence(card.name, card.name)


def sort_key(names: Names) -> Any:
    """The order in which cards are listed: by type, then by id, as in a catalogue."""
    return lambda word: (TYPE[names.entries[word].card.type], word) if word in names.entries else (0, word)


@dataclass(frozen=True)
class CardWord:
    """A card of some types; with ``gap`` also ``-`` for none."""

    names: Names
    types: Sequence[str] = ()
    what: Sentence = _CARD
    gap: bool = False

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if self.gap and value in ("-", None):
            return "-"
        if not isinstance(value, str):
            reading.wrong(value, path, f"a {self.what.en}: {EXAMPLES}", f"{self.what.ja}：{EXAMPLES}", "unreadable-card")
            return "?"
        try:
            card = self.names.card(value)
        except DataError as error:
            reading.defects += [replace(d, path=path) for d in error.defects]
            return "?"
        if self.types and card.type not in self.types:
            reading.fault(path, f"{quoted(value)} is no {self.what.en}", f"{quoted(value)} は{self.what.ja}ではない", "wrong-place")
        return card.name

    def schema(self, shared: Schemas) -> dict[str, Any]:
        shared["card"] = {"type": "string", "minLength": 1, "description": EXAMPLES}
        return {"$ref": "#/$defs/card"}

    def line(self, value: Any) -> str:
        return str(value)

    def scan(self, cursor: Cursor) -> Any:
        found = cursor.match("-|[A-Z][A-Z0-9_]*")
        return found[0] if found else cursor.fail(EXAMPLES, EXAMPLES, "unreadable-card")


@dataclass(frozen=True)
class Apart(ListOf):
    """A list whose entries are divided in a line whatever they are; equal ones after another are counted: ``2ASH_HOUND.LIFTING``."""

    def line(self, value: Any) -> str:
        words = [(word, len(list(same))) for word, same in groupby(map(self.item.line, value))]
        return self.separator.join(f"{count if count > 1 else ''}{word}" for word, count in words)

    def scan(self, cursor: Cursor) -> Any:
        found: list[Any] = []
        while not found or cursor.takes(self.separator):
            count = cursor.match("[1-9][0-9]{0,2}")
            found += [cursor.inside(f"[{len(found)}]", self.item)] * (int(count[0]) if count else 1)
        return found


def pile_of(names: Names, types: Sequence[str] = (), what: Sentence = _CARD) -> Apart:
    """The form of some cards in no order."""
    return Apart(CardWord(names, types, what), 400, ordered=False, key=sort_key(names))
