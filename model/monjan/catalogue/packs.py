"""Card packs: the cards of a match as data, with every defect of a file told by its path.

A pack is one JSON object (or the same in YAML, see ``convert``):

```
{"format": "monjudge-pack/1", "name": {"en": ..., "ja": ...},
 "numbers":   [{"elements": ["fire", ...], "numbers": [1, ...], "count": 1}, ...],
 "battle":    [{"card": "plus" | "kill" | "plain", "bonus": 3, "element": "water", "count": 1}, ...],
 "boss":      [{"card": "boss" | "assassin", "strength": 22, "count": 1}, ...],
 "extra":     [{"id": "TIDE", "name": {...}, "pair": ["none", "water"], "numbers": [6, 7, 8], "value": 7,
                "skills": [SKILL, ...], "initial": false, "count": 1}, ...],
 "toughness": [{"id": "RAM", "short": "ra", "name": {...}, "cost": 3, "attack": 7, "skills": [...], ...}, ...]}
```

``short`` is how the one-line notation of positions calls the card; it never changes meaning.

A SKILL has ``time`` (edit or battle) and ``effect`` (see ``card_skills``), and as its effect
needs them ``amount``, ``release`` (mana), ``die`` (succeeds up to this face), ``magic`` (from
the hand; Extra cards only), ``needs`` (the id of a card on the own field) and ``text``. An effect that the
vocabulary lacks is carried as opaque, with a warning. Every entry may say its ``origin`` and a ``note``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from monjudge.model.monjan.cards import EFFECT, MOST_SKILLS, Card, CardSkill, Catalogue
from monjudge.model.monjan.texts import Text
from monjudge.model.notation.defects import Defect
from monjudge.model.notation.reading import Reading, Record, decode

__all__ = ["ELEMENTS", "FORMAT", "ORIGINS", "Entry", "Pack", "default_pack", "entry_data", "load_pack", "own_cards", "own_data", "read_pack"]

FORMAT = "monjudge-pack/1"

ELEMENTS = ("fire", "water", "ground", "wind", "none")
"""The names of the elements, in the order of ``cards.ELEMENT``."""

ORIGINS = ("user", "document", "inferred", "project")
"""Where an entry comes from; ``user`` unless the file says otherwise."""

COPIES = range(1, Catalogue.MOST + 1)
NUMBERS = range(1, 17)  # CARD.1
STRENGTHS = range(1, 64)
ATTACKS = range(1, 33)
COSTS = range(1, 10)
AMOUNTS = {
    **dict.fromkeys(("damage", "heal", "boost", "revive"), range(1, 17)),
    **dict.fromkeys(("draw", "draw_et"), range(1, 6)),
}
"""What ``amount`` may be; an effect that is not named here has none."""

MONJAN, BOSS, ET = ("NUMBER", "PLUS", "KILL", "PLAIN"), ("BOSS", "ASSASSIN"), ("EXTRA", "TOUGHNESS")

_ID = re.compile(r"[A-Z]{2}[A-Z0-9_]{0,21}[A-Z0-9]")
_SHORT = re.compile(r"[a-z][a-z0-9]{0,5}")
_COMMON = ("count", "origin", "note")


@dataclass(frozen=True, slots=True)
class Entry:
    """A kind of card with the number of its copies; ``name`` and the ``words`` of its skills where the file gives them."""

    card: Card
    count: int
    origin: str
    name: Text | None = None
    words: tuple[Text | None, ...] = ()
    short: str = ""


@dataclass(frozen=True)
class Pack:
    """All cards of a box. ``hash`` names its content; ``warnings`` are what the reader should know."""

    name: Text
    entries: tuple[Entry, ...]
    warnings: tuple[Defect, ...]
    hash: str

    def copies(self, kinds: Collection[str], initial: bool = False) -> Counter[Card]:
        """The number of copies of each card of these kinds; with ``initial`` only the yellow ones (MODE.1p)."""
        found: Counter[Card] = Counter()
        for entry in self.entries:
            if entry.card.kind in kinds and (entry.card.initial or not initial):
                found[entry.card] += entry.count
        return found

    def named(self, id: str) -> Card:
        """The Extra or Toughness card with this id. Raises KeyError where the pack has none."""
        for entry in self.entries:
            if entry.card.name == id:
                return entry.card
        raise KeyError(f"the pack {self.name.en!r} has no card {id!r}")


@cache
def default_pack() -> Pack:
    """The pack that comes with the project: the inferred Monjan pile, everything else of its own design.

    >>> sum(default_pack().copies(("NUMBER",)).values())
    80
    """
    return load_pack(Path(__file__).with_name("default_pack.json").read_bytes())


def load_pack(data: str | bytes) -> Pack:
    """The pack of a JSON file. Raises DataError listing every defect; what is merely odd is a warning of the pack."""
    return read_pack(decode(data))


def read_pack(value: Any) -> Pack:
    """The pack of plain data; else as ``load_pack``."""
    reading = Reading()
    pack = _Cards(reading).pack(value)
    reading.finish()
    return pack


def own_cards(value: Any, path: str, reading: Reading) -> tuple[Entry, ...]:
    """The entries of ``{extra: [...], toughness: [...]}``, the cards of a document of one's own; defects go to the reading."""
    cards = _Cards(reading)
    record = reading.record(value, path, (), ("extra", "toughness"))
    for key, read in (("extra", cards._extra), ("toughness", cards._toughness)):
        for item, place in record.take(key, iter(()), reading.items, 300):
            cards.entries += read(item, place)
    return tuple(cards.entries)


def own_data(entries: Iterable[Entry]) -> dict[str, Any]:
    """What ``own_cards`` reads."""
    found: dict[str, Any] = {"extra": [], "toughness": []}
    for entry in entries:
        found[entry.card.kind.lower()].append(entry_data(entry))
    return {key: rows for key, rows in found.items() if rows}


def entry_data(entry: Entry) -> dict[str, Any]:
    """An Extra or Toughness card as an entry of a file, without what is so anyway."""
    card, name = entry.card, entry.name
    row: dict[str, Any] = {"id": card.name, "short": entry.short, "name": {"en": name.en, "ja": name.ja} if name else None}
    if card.kind == "EXTRA":
        pair = [ELEMENTS[e] for e in card.pair] if card.pair else None
        row |= {"pair": pair, "numbers": list(card.numbers), "value": card.value}
    else:
        row |= {"cost": card.cost, "attack": card.value}
    words = entry.words or (None,) * len(card.skills)
    row["skills"] = [_skill_data(skill, text) for skill, text in zip(card.skills, words, strict=True)]
    row |= {"initial": card.initial, "count": entry.count if entry.count > 1 else None}
    return {key: held for key, held in row.items() if held}


def _skill_data(skill: CardSkill, text: Text | None) -> dict[str, Any]:
    row = {"time": skill.time, "effect": skill.effect, "amount": skill.amount, "release": skill.release, "die": skill.die,
           "magic": skill.magic, "needs": skill.needs, "text": {"en": text.en, "ja": text.ja} if text else None}  # fmt: skip
    return {key: held for key, held in row.items() if held}


class _Cards:
    """One pack being read."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.entries: list[Entry] = []
        self.places: dict[tuple[str, str], str] = {}
        self.needed: list[tuple[str, str]] = []

    def pack(self, value: Any) -> Pack:
        r = self.reading
        parts = {"numbers": self._grid, "battle": self._battle, "boss": self._boss,
                 "extra": self._extra, "toughness": self._toughness}  # fmt: skip
        record = r.record(value, "", ("format", "name", "numbers"), ("note", *parts))
        record.take("format", FORMAT, r.choice, (FORMAT,))
        record.take("note", None, r.text)
        name = record.take("name", Text("?", "?"), r.text)
        for key, part in parts.items():
            for item, path in record.take(key, iter(()), r.items, 300):
                self.entries += part(item, path)
        self._whole()
        canonical = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return Pack(name, tuple(self.entries), tuple(r.warnings), hashlib.sha256(canonical.encode()).hexdigest())

    # -- one entry of each part -------------------------------------------------------------------

    def _entry(
        self, row: Record, card: Card, name: Text | None = None, words: tuple[Text | None, ...] = (), short: str = ""
    ) -> Entry:
        r = self.reading
        row.take("note", None, r.text)
        count = row.take("count", 1, r.whole, COPIES)
        return Entry(card, count, row.take("origin", "user", r.choice, ORIGINS), name, words, short)

    def _element(self, value: Any, path: str) -> int:
        return ELEMENTS.index(self.reading.choice(value, path, ELEMENTS))

    def _numbers(self, value: Any, path: str) -> tuple[int, ...]:
        """Different numbers 1..16 (CARD.1)."""
        found: list[int] = []
        for item, place in self.reading.items(value, path, len(NUMBERS)):
            number = self.reading.whole(item, place, NUMBERS)
            if number in found and number == item:
                self.reading.fault(place, f"{number} stands there twice", f"{number} が二度ある")
            found.append(number)
        return tuple(found)

    def _grid(self, value: Any, path: str) -> Iterator[Entry]:
        row = self.reading.record(value, path, ("elements", "numbers"), _COMMON)
        elements = [self._element(v, at) for v, at in row.take("elements", iter(()), self.reading.items, 5)]
        for element in elements:
            for number in row.take("numbers", (), self._numbers):
                yield self._entry(row, Card("NUMBER", element, number))

    def _battle(self, value: Any, path: str) -> Iterator[Entry]:
        r = self.reading
        row = r.record(value, path, ("card", "element"), ("bonus", *_COMMON))
        kind = row.take("card", "plain", r.choice, ("plus", "kill", "plain"))
        bonus = row.take("bonus", 0, r.whole, NUMBERS)
        if (kind == "plus") != ("bonus" in row.fields):
            r.fault(path, "a plus card has a bonus, and no other has one", "bonusを持つのはplusのカードだけで、必ず要る")
        yield self._entry(row, Card(kind.upper(), row.take("element", 0, self._element), bonus))

    def _boss(self, value: Any, path: str) -> Iterator[Entry]:
        r = self.reading
        row = r.record(value, path, ("card", "strength"), _COMMON)
        kind = row.take("card", "boss", r.choice, ("boss", "assassin"))
        yield self._entry(row, Card(kind.upper(), value=row.take("strength", 1, r.whole, STRENGTHS)))

    def _extra(self, value: Any, path: str) -> Iterator[Entry]:
        r = self.reading
        row = r.record(value, path, ("id", "name", "value"), ("short", "pair", "numbers", "skills", "initial", *_COMMON))
        pair = row.take("pair", None, self._pair)
        numbers = row.take("numbers", (), self._numbers)
        if pair is None and not numbers:
            r.fault(path, "without a pair and numbers it can never be summoned", "pairもnumbersもないと召喚できない")
        attack = row.take("value", 1, r.whole, ATTACKS)
        yield self._et(row, Card("EXTRA", value=attack, pair=pair, numbers=numbers))

    def _pair(self, value: Any, path: str) -> tuple[int, int] | None:
        panels = [self._element(v, at) for v, at in self.reading.items(value, path, 2)]
        if len(panels) == 2:
            return panels[0], panels[1]
        self.reading.fault(path, f"a pair has two elements, not {len(panels)}", f"pairは二つ。{len(panels)}個ある")
        return None

    def _toughness(self, value: Any, path: str) -> Iterator[Entry]:
        r = self.reading
        row = r.record(value, path, ("id", "name", "cost", "attack"), ("short", "skills", "initial", *_COMMON))
        cost, attack = row.take("cost", 1, r.whole, COSTS), row.take("attack", 1, r.whole, ATTACKS)
        yield self._et(row, Card("TOUGHNESS", value=attack, cost=cost))

    def _et(self, row: Record, card: Card) -> Entry:
        r = self.reading
        id = row.take("id", "??", self._id)
        name = row.take("name", Text("?", "?"), r.text)
        for text in (name.en, name.ja):
            if text != "?":
                self._once("name", text, row.at("name"))
        skills = [self._skill(v, at, card.kind) for v, at in row.take("skills", iter(()), r.items, MOST_SKILLS)]
        initial = row.take("initial", False, r.truth)
        whole = Card(
            card.kind, value=card.value, cost=card.cost, pair=card.pair, numbers=card.numbers,
            skills=tuple(s for s, _ in skills), name=id, initial=initial,
        )  # fmt: skip
        return self._entry(row, whole, name, tuple(words for _, words in skills), row.take("short", "", self._short))

    def _id(self, value: Any, path: str) -> str:
        id = self.reading.string(value, path)
        if id != "?" and not _ID.fullmatch(id):
            self.reading.fault(path, f"{id!r} is no id: two capitals, then A-Z 0-9 and _ inside", f"{id!r} は不可。大文字二つのあとA-Z 0-9、途中に _")
        self._once("id", id, path)
        return id

    def _short(self, value: Any, path: str) -> str:
        short = self.reading.string(value, path)
        if not _SHORT.fullmatch(short):
            self.reading.fault(path, f"{short!r} is no short name: a-z, then a-z 0-9, at most six", f"{short!r} は不可。小文字と数字で六文字まで")
        self._once("short name", short, path)
        return short

    def _once(self, what: str, name: str, path: str) -> None:
        first = self.places.setdefault((what, name), path)
        if first != path:
            self.reading.fault(path, f"{name!r} stands already at {first}", f"{name!r} は {first} に既にある")

    # -- skills -----------------------------------------------------------------------------------

    def _skill(self, value: Any, path: str, kind: str) -> tuple[CardSkill, Text | None]:
        r = self.reading
        row = r.record(value, path, ("time", "effect"), ("amount", "release", "die", "magic", "needs", "text"))
        effect = row.take("effect", "opaque", self._effect)
        needs = row.take("needs", "", r.string)
        if needs:
            self.needed.append((needs, row.at("needs")))
        skill = CardSkill(
            row.take("time", "edit", r.choice, ("edit", "battle")), effect, row.take("amount", 0, self._amount, effect),
            release=row.take("release", 0, r.whole, range(10)), magic=row.take("magic", False, r.truth),
            die=row.take("die", 0, r.whole, range(1, 6)), needs=needs,
        )  # fmt: skip
        if effect in AMOUNTS and "amount" not in row.fields:
            r.fault(path, f"{effect} needs an amount", f"{effect} には amount が要る")
        self._sense(skill, path, kind)
        return skill, row.take("text", None, r.text)

    def _effect(self, value: Any, path: str) -> str:
        effect = self.reading.string(value, path)
        if effect in EFFECT.labels[1:-1]:
            return effect
        known = ", ".join(EFFECT.labels[1:-1])
        self.reading.warn(
            path, f"{effect!r} is carried as opaque; known effects are {known}",
            f"{effect!r} は内容不明として扱う。既知の効果は {known}",
        )  # fmt: skip
        return "opaque"

    def _amount(self, value: Any, path: str, effect: str) -> int:
        if effect in AMOUNTS or effect == "opaque":
            return self.reading.whole(value, path, AMOUNTS.get(effect, range(100)))
        self.reading.fault(path, f"{effect} has no amount", f"{effect} に amount はない")
        return 0

    def _sense(self, skill: CardSkill, path: str, kind: str) -> None:
        """What no card can have: a boost outside a battle, magic on a Toughness card, a summon without its condition."""
        r = self.reading
        if skill.effect == "boost" and skill.time == "edit":
            r.fault(path, "there is no attack to boost in the edit turn", "編集ターンに強める攻撃はない")
        if skill.magic and kind != "EXTRA":
            r.fault(path, "magic is for Extra cards (EXTRA.13)", "魔法はエキストラカードだけ（EXTRA.13）")
        other = skill.release or skill.die or skill.magic or skill.time != "edit" or not skill.needs
        if skill.effect == "summon" and (kind != "TOUGHNESS" or other):
            r.fault(
                path, "summon is an edit skill of a Toughness card with needs and nothing else (TOUGH.8)",
                "summon はタフネスカードの編集スキルで needs だけを持つ（TOUGH.8）",
            )  # fmt: skip

    # -- the pack as a whole ------------------------------------------------------------------------

    def _whole(self) -> None:
        r = self.reading
        ids = {e.card.name for e in self.entries if e.card.kind in ET}
        for needs, path in self.needed:
            if needs not in ids:
                r.fault(path, f"no card of the pack has the id {needs!r}", f"id {needs!r} のカードがない")
        copies: Counter[Card] = Counter()
        for entry in self.entries:
            copies[entry.card] += entry.count
        for card, count in copies.items():
            if count not in COPIES:
                r.fault("", f"{count} copies of {card}, at most {COPIES[-1]}", f"{card} が{count}枚ある。最大{COPIES[-1]}枚")
        for clause, kinds, least, en, ja in _COMPONENTS:
            count = sum(n for card, n in copies.items() if card.kind in kinds)
            if count < least or (count > least and clause in ("COMP.1", "COMP.2")):
                r.warn("", f"{clause}: {count} {en}, the document has {least}", f"{clause}：{ja}が{count}枚。文書では{least}枚")


_COMPONENTS = (
    ("COMP.1", MONJAN, 100, "Monjan cards", "モンジャンカード"),
    ("COMP.2", BOSS, 15, "boss and assassin cards", "ボスアサカード"),
    ("COMP.6", ("EXTRA",), 9, "Extra cards", "エキストラカード"),
    ("COMP.7", ("TOUGHNESS",), 6, "Toughness cards", "タフネスカード"),
)
