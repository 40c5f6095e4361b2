"""Decks (R.DECK.1-3, R.PM.2): sixty cards, and everything that forbids one, each with its clause.

A deck is one JSON object: ``{"format": "monjudge-rancher-deck/1", "id": ..., "name": {...}, "cards": {"BITE": 3, ...}}``;
cards are named by the ids of a pack.

>>> [defect.clause for defect in deck_defects({})]
['R.DECK.1', 'R.DECK.3', 'R.SETUP.1']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from monjudge.model.notation.defects import Defect
from monjudge.model.notation.reading import Reading, decode
from monjudge.model.notation.sentence import Sentence
from monjudge.model.rancher.cards import Card
from monjudge.model.rancher.catalogue.packs import Pack, default_pack
from monjudge.model.rancher.preparation import MOST_PULL

__all__ = ["BATTLES", "FORMAT", "SAME", "SIZE", "Deck", "deck_defects", "load_deck", "shipped_decks"]

FORMAT = "monjudge-rancher-deck/1"
SIZE, SAME, BATTLES = 60, 3, 3
"""R.DECK.1, R.DECK.2, R.DECK.3."""


@dataclass(frozen=True)
class Deck:
    """A deck: its kinds with their copies."""

    id: str
    name: Sentence
    cards: Mapping[Card, int]


@cache
def shipped_decks() -> Mapping[str, Deck]:
    """The decks that come with the project, of its own design, by id.

    >>> list(shipped_decks())
    ['MEADOW', 'QUARRY']
    """
    data = decode(Path(__file__).parent.joinpath("catalogue", "decks.json").read_bytes())
    decks = [_read({"format": FORMAT, **entry}, default_pack()) for entry in data["decks"]]
    return MappingProxyType({deck.id: deck for deck in decks})


def load_deck(data: str | bytes, pack: Pack) -> Deck:
    """The deck of a JSON file. Raises DataError listing every defect of the file and of the deck."""
    return _read(decode(data), pack)


def _read(value: Any, pack: Pack) -> Deck:
    r = Reading()
    record = r.record(value, "", ("format", "id", "name", "cards"), ("note",))
    record.take("format", FORMAT, r.choice, (FORMAT,))
    record.take("note", None, r.text)
    id, name = record.take("id", "?", r.string), record.take("name", Sentence("?", "?"), r.text)
    known = {card.name: card for card in pack.cards}
    cards = record.take("cards", r.record({}, "cards", ()), r.record, (), tuple(known))
    copies = {known[key]: cards.take(key, 0, r.whole, range(SIZE + 1)) for key in cards.fields if key in known}
    deck = {card: count for card, count in copies.items() if count}
    r.defects += [Defect(f"cards{d.path}", d.text, d.code, clause=d.clause) for d in deck_defects(deck)]
    r.finish()
    return Deck(id, name, MappingProxyType(deck))


def deck_defects(deck: Mapping[Card, int]) -> list[Defect]:
    """Everything that forbids the deck, each with its clause: those of R.DECK, those that follow, promotional cards."""
    found: list[Defect] = []

    def fault(clause: str, path: str, en: str, ja: str) -> None:
        found.append(Defect(path, Sentence(f"{clause}: {en}", f"{clause}：{ja}"), clause=clause))

    size = sum(deck.values())
    if size != SIZE:
        fault("R.DECK.1", "", f"{size} cards, {SIZE} are needed", f"{size}枚ある。ちょうど{SIZE}枚要る")
    for card, count in deck.items():
        if count > SAME:
            fault("R.DECK.2", f".{card}", f"{count} cards of one name, at most {SAME}", f"同じ名前が{count}枚ある。最大{SAME}枚")
    battles = sum(count for card, count in deck.items() if card.type == "BATTLE")
    if battles < BATTLES:
        fault("R.DECK.3", "", f"{battles} Battle cards, at least {BATTLES}", f"バトルカードが{battles}枚。最低{BATTLES}枚")
    monsters = [card for card, count in deck.items() if count and card.type == "MONSTER"]
    if not any(card.pull <= MOST_PULL for card in monsters):
        en = "no monster" if not monsters else "no monster with a pull number of at most four"
        ja = "モンスターがない" if not monsters else "プルナンバー4以下のモンスターがない"
        fault("R.SETUP.1", "", f"it cannot be set up: {en}", f"開始準備ができない：{ja}")
    for card in deck:
        if card.playmates:
            fault("R.PM.2", f".{card}", "a Playmates card cannot be used as it is", "プレイメイト版のカードはそのままでは使えない")
    return found


