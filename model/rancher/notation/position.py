"""Positions between their written form and the rules: the catalogue of the named cards, the setting, the state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from monjudge.model.language import RuleSet, State
from monjudge.model.notation.cells import NOTHING, Cells, View, check_all_said, check_fitting, filled, said
from monjudge.model.notation.cursor import Cursor, unpacked
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.documents import Origin
from monjudge.model.notation.places import Places
from monjudge.model.notation.reading import Reading
from monjudge.model.rancher.cards import Card, Catalogue
from monjudge.model.rancher.catalogue.packs import default_pack, own_cards
from monjudge.model.rancher.decks import shipped_decks
from monjudge.model.rancher.match import STEP, Setting
from monjudge.model.rancher.notation.fields import KNOWN, OF_TYPE, PLAYER, TABLE
from monjudge.model.rancher.notation.form import line_form, state_form
from monjudge.model.rancher.notation.names import Names
from monjudge.model.rancher.rules import rancher
from monjudge.model.rancher.texts import switch_texts

__all__ = ["SEATS", "SLOTS", "Table", "belonging", "canonical", "line", "read_line", "read_state", "with_cards", "written"]

SLOTS = 8
"""Places for monsters of a player, unless a position says otherwise or has fewer monsters."""
SEATS = ("1", "2")


@dataclass(frozen=True)
class Table:
    """What a position remembers: the setting of its rules, names of cards, own cards as written, and shipped decks by seat."""

    setting: Setting
    names: Names
    cards: Mapping[str, Any] = field(default_factory=dict)
    decks: tuple[str, str] = ("", "")
    origin: Origin | None = field(default=None, compare=False)


def canonical(document: Any, reading: Reading | None = None) -> dict[str, Any]:
    """A written position in its one form; ``reading`` then knows what was called how. Raises DataError with every defect of the writing."""
    reading = reading or Reading()
    data: dict[str, Any] = state_form(_names(document, reading)).read(document, "", reading)
    for seat, part in data.get("players", {}).items() if isinstance(data, dict) else ():
        if "deck" in part and "library" in part:
            reading.fault(f"players.{seat}.library", "the library is what is left of the deck, and is not written beside it",
                          "山札はデッキの残りなので、デッキと並べては書かない")  # fmt: skip
    reading.finish()
    return _said(data)


def _said(data: dict[str, Any]) -> dict[str, Any]:
    """Data with the name of the game, and without the players of whom nothing is said."""
    players = {seat: part for seat, part in data.get("players", {}).items() if part}
    return {"game": "rancher"} | {key: item for key, item in (data | {"players": players}).items() if item != {}}


def _names(document: Any, reading: Reading) -> Names:
    given = next((document[key] for key in ("cards", "カード") if key in document), None) if isinstance(document, Mapping) else None
    return Names(own_cards(given, "cards", reading) if isinstance(given, dict) else ())


def read_line(text: str) -> tuple[dict[str, Any], Places]:
    """The canonical data of a line, with the places of what was read. Raises DataError at the character that will not do."""
    reading = Reading()
    if "\uff1a" in text:
        reading.no_record(text, "")
    packed = re.search("/C=([A-Za-z0-9_-]+)", text)
    names = _names({"cards": unpacked(Cursor(text, packed.start(1)))}, reading) if packed else Names(())
    reading.finish()
    cursor = Cursor(text.strip())
    data = line_form(names).scan(cursor)
    try:
        return canonical(data), cursor.places
    except DataError as error:
        raise DataError([replace(d, place=cursor.places.of(d)) for d in error.defects]) from None


def line(data: dict[str, Any]) -> str:
    """The line of canonical data."""
    return line_form(_names(data, Reading())).write({key: item for key, item in data.items() if key != "game"})


# -- whose cards -------------------------------------------------------------------------------------------


def belonging(data: Mapping[str, Any], p: int, names: Names) -> Counter[str]:
    """The cards of a player, wherever they lie; the library only where it is written."""
    own, foe = (data.get("players", {}).get(SEATS[q], {}) for q in (p, 1 - p))
    found = Counter(word for pile in ("hand", "library", "discard", "removed", "away", "covered", "shown", "side_cards")
                    for word in own.get(pile, ()) if word != NOTHING)  # fmt: skip
    for part, for_foe in ((own, False), (foe, True)):
        records = [item for item in part.get("monsters", ()) if isinstance(item, Mapping)]
        attached = [*part.get("kit", ()), *(word for record in records for word in record.get("gear", ()))]
        found.update(word for word in attached if names.card(word).place.startswith("foe") == for_foe)
    for item in own.get("monsters", ()):
        record = item if isinstance(item, Mapping) else {"card": item}
        found.update(word for word in (record["card"], *record.get("training", ())) if word != NOTHING)
    decides = data.get("word", data.get("first", 1)) - 1
    trainer = 1 - decides if data.get("step") == "AID" else decides
    for key, owner in (("battle", data.get("owner", 1) - 1), ("course", trainer), ("judged", trainer)):
        if key in data and owner == p:
            found[data[key]] += 1
    return found


def _deck(data: Mapping[str, Any], p: int) -> str:
    return str(data.get("players", {}).get(SEATS[p], {}).get("deck", ""))


def _copies(deck: str) -> Counter[str]:
    """How many cards of each name a shipped deck has; none of no deck."""
    return Counter({card.name: n for card, n in shipped_decks()[deck].cards.items()} if deck else {})


def _slots(data: Mapping[str, Any], names: Names) -> int:
    """As many as a player has monsters, up to the usual number, and those that are written."""
    owned = [_copies(_deck(data, p)) or belonging(data, p, names) for p in range(2)]
    most = max(sum(n for word, n in cards.items() if names.card(word).type == "MONSTER") for cards in owned)
    used = [int(max(len(part.get("monsters", ())), part.get("active", 1))) for part in data.get("players", {}).values()]
    return max(min(SLOTS, most), *used, 1)


# -- from data to a state ----------------------------------------------------------------------------------


def read_state(
    data: Mapping[str, Any], readings: Mapping[str, str], open: Collection[str], cards: Iterable[Card] = ()
) -> tuple[RuleSet, State, Table]:
    """The rules and the state of canonical data; ``cards`` are in the catalogue besides those that are named.

    Raises DataError for readings that do not exist or are fixed in this version, and for what plays no part under these.
    """
    names = _names(data, Reading())
    parts = list(_parts(data, names))
    cells: Cells = {key: value for _, found in parts for key, value in found.items()}
    decks = (_deck(data, 0), _deck(data, 1))
    named = {names.card(word) for deck in decks for word in _copies(deck)}
    for key, value in cells.items():
        named |= {part for part in (*key, *(value if isinstance(value, tuple) else (value,))) if isinstance(part, Card)}
    chosen = {**data.get("readings", {}), **readings}
    defaults = {id: text.default for id, text in switch_texts().items()}
    known = {*named, *cards} or {default_pack().cards[0]}  # rules speak of cards, also on a table on which none is named
    setting = Setting(
        Catalogue(known), youngest=data.get("youngest", 1) - 1, open=frozenset(open), slots=data.get("slots", _slots(data, names)),
        begun=cells["step",] != STEP.CHOOSE,
        readings={id: word for id, word in chosen.items() if word != defaults.get(id)},
    )  # fmt: skip
    for p, deck in enumerate(decks):
        cells |= {("library", p, names.card(word)): n for word, n in (_copies(deck) - belonging(data, p, names)).items()}
    rules = rancher(setting)

    def number(family: str, part: Any) -> int:
        return _number(setting.catalogue, family, part)

    check_fitting(rules, parts, number)
    return rules, filled(rules, cells, number), Table(setting, names, data.get("cards", {}), decks)


def _number(catalogue: Catalogue, family: str, part: Any) -> int:
    """The number of a card in a field, of a technique, or a number itself."""
    if isinstance(part, Card):
        start: int = catalogue.numbers(OF_TYPE[family]).start if family in OF_TYPE else 0
        return int(catalogue[part] - start)
    if isinstance(part, tuple):
        card, place = part
        return next(n for n, (owner, _) in enumerate(catalogue.techniques) if owner == catalogue[card]) + int(place) - 1
    return int(part)


def _parts(data: Mapping[str, Any], names: Names) -> Iterator[tuple[str, Cells]]:
    """The cells of each key of a position, by its path; those of a later part take the place of earlier ones."""
    first = data.get("first", 1) - 1
    yield "", {("step",): STEP.PLAY, ("turn",): 1, ("first",): first, ("word",): first}
    for p, seat in enumerate(SEATS):
        part = data.get("players", {}).get(seat, {})
        yield from ((f"players.{seat}.{key}", held.cells(part[key], (p,), names)) for key, held in PLAYER.items() if key in part)
    yield from ((key, held.cells(data[key], (), names)) for key, held in TABLE.items() if key in data)


def with_cards(data: Mapping[str, Any], table: Table, cards: Iterable[Card]) -> tuple[RuleSet, State, Table]:
    """The same position with more cards in its catalogue."""
    setting = table.setting
    return read_state(data, setting.readings, setting.open, {*setting.catalogue.cards[1:], *cards})


# -- from a state to data ----------------------------------------------------------------------------------


def written(rules: RuleSet, state: State, table: Table) -> dict[str, Any]:
    """The canonical data of a state. Raises LookupError for a field that has no key and is not as it begins."""
    setting, names = table.setting, table.names
    check_all_said(rules, state, KNOWN)
    view = View(rules, state, setting.catalogue, names)
    data = said(TABLE, view)
    if data["word"] == data["first"]:
        del data["word"]
    data |= {"youngest": setting.youngest + 1, "readings": dict(setting.readings), "cards": table.cards}
    data["players"] = {seat: said(PLAYER, view, (p,)) for p, seat in enumerate(SEATS)}
    for p, part in enumerate(data["players"].values()):
        if table.decks[p] and belonging(data, p, names) == _copies(table.decks[p]):
            part["deck"] = table.decks[p]
            part.pop("library", None)
    if setting.slots != _slots(data, names):
        data["slots"] = setting.slots
    reading = Reading()
    result = state_form(names).read(_said(data), "", reading)
    reading.finish()
    return _said(result)
