"""The other documents of the Monster Rancher game: decks, card packs, reading profiles, and lines of play."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from monjudge.model.language import Domain
from monjudge.model.notation.cursor import Cursor, packed, unpacked
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.documents import TITLE, Own, Within, format_part, log_form, profile_form
from monjudge.model.notation.forms import ABSENT, Choice, Flag, Form, Keyed, ListOf, Part, Record, Schemas, Text, Whole
from monjudge.model.notation.places import at
from monjudge.model.notation.reading import Reading, below
from monjudge.model.notation.sentence import Sentence
from monjudge.model.rancher.cards import ALIGNMENT, EFFECT, ICON, MOST_TECHNIQUES, NEED, PLACE, STAT, Card
from monjudge.model.rancher.catalogue.packs import FORMAT as PACK
from monjudge.model.rancher.catalogue.packs import LISTS, ORIGINS, load_pack, own_cards
from monjudge.model.rancher.decks import FORMAT as DECK_FORMAT
from monjudge.model.rancher.decks import SIZE, deck_defects, shipped_decks
from monjudge.model.rancher.notation.form import DECK, READINGS, SEAT, Points, state_form
from monjudge.model.rancher.notation.names import CardWord, Names
from monjudge.model.rancher.notation.position import canonical, read_line

__all__ = ["DECK_FORM", "LOG", "PACK_FORM", "PROFILE", "deck_cards", "deck_document", "pack_document", "together"]

# -- decks -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counts:
    """How many of each card: ``{ASH_HOUND: 3}``."""

    names: Names

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, dict):
            reading.no_record(value, path)
            return ABSENT
        found: dict[str, int] = {}
        for name, count in value.items():
            word = CardWord(self.names).read(str(name), at(path, name), reading)
            if word in found:
                reading.fault(at(path, name), f"{word} stands twice", f"{word} が二度ある", "duplicate-key")
            reading.calls(path, str(name), word)
            if (n := reading.whole(count, at(path, name), range(SIZE + 1))) and word != "?":  # a text is no number here
                found[word] = n
        return found

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0, "maximum": SIZE}}

    def line(self, value: Any) -> str:
        return packed(value)

    def scan(self, cursor: Cursor) -> Any:
        return unpacked(cursor)


def _deck_form(names: Names) -> Record:
    return Record("deck", (
        format_part(DECK_FORMAT), Part("id", Text(24), "id", needed=True), Part("name", TITLE, "name", ja=("名前",), needed=True),
        Part("note", TITLE, "note"), Part("cards", Counts(names), "cards", ja=("カード",), needed=True),
        Part("own", Own(LISTS), "own", ja=("自作のカード",), about=Sentence("cards of one's own, as in a pack", "カードパックと同じ形の自作のカード")),
    ))  # fmt: skip


DECK_FORM = _deck_form(Names(()))
"""A deck of sixty cards."""


def deck_document(document: Any) -> dict[str, Any]:
    """The canonical form of a deck. Raises DataError with every defect of the file and everything that forbids the deck."""
    return _deck(document, {})[0]


def _deck(document: Any, pack: Mapping[str, Any]) -> tuple[dict[str, Any], dict[Card, int]]:
    """The canonical form of a deck of the default cards, those of a pack, and its own; and its cards with their copies."""
    reading = Reading()
    own = next((document[key] for key in ("own", "自作のカード") if key in document), None) if isinstance(document, Mapping) else None
    entries = own_cards(own, "own", reading) if isinstance(own, dict) else ()
    names = Names((*own_cards(pack, "pack", Reading()), *entries))
    data: dict[str, Any] = _deck_form(names).read(document, "", reading)
    cards = {names.card(word): n for word, n in data.get("cards", {}).items()} if isinstance(data, dict) else {}
    if isinstance(document, Mapping):
        forbids = deck_defects(cards)
        reading.defects += [Defect(reading.as_written(f"cards{d.path}"), d.text, "deck-forbidden", clause=d.clause) for d in forbids]
    reading.finish()
    return data, cards


def deck_cards(deck: Any, path: str, pack: Mapping[str, Any]) -> tuple[Mapping[Card, int], Mapping[str, Any]]:
    """The cards of a shipped deck by its name, or of the document of one; and those of them that are not in the default pack, by list.

    ``pack`` has the lists of a pack of one's own. Raises DataError with every defect, below the path.
    """
    if not isinstance(deck, Mapping):
        reading = Reading()
        id = DECK.read(deck, path, reading)
        reading.finish()
        return shipped_decks()[id].cards, {}
    data, cards = below(path, _deck, deck, pack)
    ids = {card.name for card in cards}
    lists = [(key, entry) for given in (data.get("own", {}), pack) for key in LISTS for entry in given.get(key, ())]
    used: dict[str, dict[str, Any]] = {}
    for key, entry in lists:
        if entry["id"] in ids:
            used.setdefault(key, {}).setdefault(entry["id"], entry)
    return cards, {key: list(entries.values()) for key, entries in used.items()}


def together(decks: Sequence[tuple[Mapping[Card, int], Mapping[str, Any]]]) -> dict[str, Any]:
    """Cards of one's own of several decks as those of one position. Raises DataError for two of one id that differ."""
    found: dict[str, dict[str, Any]] = {}
    kinds: dict[str, Card] = {}
    for n, (cards, given) in enumerate(decks):
        for key, entries in given.items():
            for entry in entries:
                if found.setdefault(key, {}).setdefault(entry["id"], entry) != entry:
                    id = entry["id"]
                    text = Sentence(f"another card {id} is in a deck before", f"先のデッキに別の{id}がある")
                    raise DataError([Defect(f"boards[{n}].own.{key}", text, "duplicate-id")])
        for card in cards:  # the card of the default pack, where another deck has one of its own in its place
            if kinds.setdefault(card.name, card) != card:
                text = Sentence(f"another card {card.name} is in a deck before", f"先のデッキに別の{card.name}がある")
                raise DataError([Defect(f"boards[{n}]", text, "duplicate-id")])
    return {key: list(entries.values()) for key, entries in found.items()}


# -- packs -------------------------------------------------------------------------------------------------


def _small(domain: Domain) -> Choice:
    return Choice(Sentence(domain.name, domain.name), tuple(label.lower() for label in domain.labels))


def _numbers(domain: Domain, least: int, most: int) -> Keyed:
    return Keyed(_small(domain), Whole(least, most))


def _several(form: Form, most: int = 400) -> ListOf:
    return ListOf(form, most)


_DEED = Record("deed", (
    Part("do", Text(), "d", ja=("効果",), needed=True, about=Sentence("one of " + ", ".join(EFFECT.labels[:-1]), "効果の種類")),
    Part("amount", Whole(-5, 5), "a", ja=("量",)), Part("who", Choice(Sentence("whom", "対象"), ("own", "foe", "both")), "w", ja=("対象",), otherwise="own"),
    Part("stat", _small(STAT), "s", ja=("能力値",)), Part("text", TITLE, "x", ja=("文面",)),
))  # fmt: skip


@dataclass(frozen=True)
class Called:
    """A name that is the same in both languages, or one in each."""

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        return (TITLE if isinstance(value, dict) else Text()).read(value, path, reading)

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"anyOf": [Text().schema(shared), TITLE.schema(shared)]}

    def line(self, value: Any) -> str:
        return packed(value)

    def scan(self, cursor: Cursor) -> Any:
        return unpacked(cursor)


_TECHNIQUE = Record("technique", (
    Part("name", Called(), "n", ja=("名前",), needed=True), Part("range", Whole(1, 4), "r", ja=("距離",), needed=True),
    Part("damage", Points(), "d", ja=("倍率",), needed=True), Part("mental", Flag(), "m", ja=("賢さ技",)), Part("needs", _numbers(NEED, 0, 15), "e", ja=("条件",)),
))  # fmt: skip
_ID = (
    Part("id", Text(31), "i", needed=True), Part("name", TITLE, "n", ja=("名前",), needed=True),
    Part("origin", Choice(Sentence("origin", "出どころ"), ORIGINS), "o", otherwise="user"), Part("note", TITLE, "x"),
    Part("pull", Whole(1, 6), "p", ja=("プルナンバー",), needed=True), Part("icon", _small(ICON), "c", ja=("アイコン",), needed=True),
)  # fmt: skip
_GIVES = Part("gives", _numbers(STAT, -5, 5), "g", ja=("増減",))
_TECHNIQUES = Part("techniques", ListOf(_TECHNIQUE, MOST_TECHNIQUES), "t", ja=("技",))
_DEEDS = Part("deeds", ListOf(_DEED, 4), "d", ja=("効果",))
_ABILITY = Record("ability", (_DEEDS, Part("times", Whole(1, 7), "t", ja=("回数",))))
_ALIGN = _small(ALIGNMENT)

PACK_FORM = Record("pack", (
    format_part(PACK), Part("name", TITLE, "name", ja=("名前",), needed=True), Part("note", TITLE, "note"),
    Part("monsters", _several(Record("monster_entry", (
        *_ID, Part("align", _ALIGN, "a", ja=("属性",), needed=True), Part("stats", _numbers(STAT, 0, 15), "s", ja=("能力値",), needed=True),
        _TECHNIQUES, Part("ability", _ABILITY, "y", ja=("固有能力",)), Part("playmates", Flag(), "m")))), "monsters", ja=("モンスター",)),
    Part("training", _several(Record("training_entry", (*_ID, Part("target", Whole(-6, 12), "r", ja=("目標",), needed=True), _GIVES, _TECHNIQUES, _DEEDS))),
         "training", ja=("トレーニング",)),
    Part("attachments", _several(Record("attachment_entry", (
        *_ID, Part("on", _small(PLACE), "w", ja=("対象",), needed=True), Part("category", Text(), "k", ja=("種類",)),
        Part("needs", _numbers(NEED, 0, 15), "e", ja=("条件",)), Part("only", _ALIGN, "a", ja=("属性",)), _GIVES, _DEEDS))),
         "attachments", ja=("アタッチメント",)),
    Part("events", _several(Record("event_entry", (*_ID, _DEEDS))), "events", ja=("イベント",)),
    Part("battles", _several(Record("battle_entry", (
        *_ID, Part("fame", Whole(0, 3), "f", ja=("名声",)), Part("side", Whole(0, 5), "s", ja=("脇",)), _DEEDS))), "battles", ja=("バトル",)),
))  # fmt: skip
"""A pack of cards."""


def pack_document(document: Any) -> dict[str, Any]:
    """The canonical form of a pack. Raises DataError with every defect of its form, or else of its content."""
    reading = Reading()
    data: dict[str, Any] = PACK_FORM.read(document, "", reading)
    reading.finish()
    for monster in data.get("monsters", ()):
        monster.setdefault("techniques", [])
    try:
        load_pack(json.dumps(data))
    except DataError as error:
        raise DataError([Defect(reading.as_written(d.path), d.text, d.code, clause=d.clause) for d in error.defects]) from None
    return data


# -- reading profiles and lines of play --------------------------------------------------------------------

PROFILE = profile_form(READINGS)
"""A profile of readings."""

TABLE = Record("table", (
    Part("decks", ListOf(DECK, 2), "decks", ja=("デッキ",), needed=True), Part("youngest", SEAT, "youngest", ja=("年少",), otherwise=1),
    Part("readings", READINGS, "readings", ja=("読み", "読み方")),
))  # fmt: skip
"""A table at which a match begins."""


def _start(value: Any) -> dict[str, Any]:
    return read_line(value)[0] if isinstance(value, str) else canonical(value)


LOG = log_form("rancher", TABLE, Within(_start, lambda: state_form(Names(())), "mr1"))
"""A line of play: a table or a position, and the moves."""
