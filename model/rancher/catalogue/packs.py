"""Card packs: the cards of the game as data, with every defect of a file told by its path.

A pack is one JSON object (or the same in YAML, see ``convert``). Every card has ``id``, ``name`` in both
languages, ``pull`` 1..6 and ``icon``; and besides, by the list in which it stands:

```
monsters     align, stats {power, intelligence, speed, defence, life}, techniques [TECHNIQUE, ...];
             ability {deeds: [DEED, ...], times}; playmates: true for a promotional card (R.PM.1-2)
training     target (R.TRAIN.7), gives {statistic: change}, techniques
attachments  on (monster, player, foe_monster, foe_player), category, needs {...}, only (goody, baddy), gives
events       deeds
battles      fame, side (numbers on the card), deeds
TECHNIQUE    name (a text, or one in both languages), range 1..4, damage (the multiplier: 2 or "1.5"), mental, needs {statistic, loyalty or fame: least value}
DEED         do (see ``effects``), amount, who (own, foe, both), stat
```

An effect that the vocabulary lacks is carried as opaque, with a warning. Every card may say its ``origin``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from monjudge.model.notation.defects import Defect
from monjudge.model.notation.reading import Reading, Record, decode
from monjudge.model.notation.sentence import Sentence
from monjudge.model.rancher.cards import (
    ALIGNMENT,
    EFFECT,
    ICON,
    MOST_TECHNIQUES,
    NEED,
    PLACE,
    STAT,
    Card,
    Deed,
    Technique,
)

__all__ = ["FORMAT", "LISTS", "ORIGINS", "Entry", "Pack", "default_pack", "load_pack", "own_cards"]

FORMAT = "monjudge-rancher-pack/1"

LISTS = ("monsters", "training", "attachments", "events", "battles")
"""The lists of cards of a pack."""

ORIGINS = ("user", "document", "project")
"""Where a card comes from; ``user`` unless the file says otherwise."""

_ID = re.compile(r"[A-Z][A-Z0-9_]{1,30}")
_DAMAGE = re.compile(r"([0-9])(?:\.([05]))?")
_COMMON = ("id", "name", "pull", "icon")
_DRAWS = ("draw", "speed")


@dataclass(frozen=True, slots=True)
class Entry:
    """A kind of card with its name in both languages, where it comes from, and what its techniques are called."""

    card: Card
    name: Sentence
    origin: str
    techniques: tuple[Sentence, ...] = ()


@dataclass(frozen=True)
class Pack:
    """All cards of a box. ``hash`` names its content; ``warnings`` are what the reader should know."""

    name: Sentence
    entries: tuple[Entry, ...]
    warnings: tuple[Defect, ...]
    hash: str

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(entry.card for entry in self.entries)

    def named(self, id: str) -> Card:
        """The card with this id. Raises KeyError where the pack has none."""
        for entry in self.entries:
            if entry.card.name == id:
                return entry.card
        raise KeyError(f"the pack {self.name.en!r} has no card {id!r}")


@cache
def default_pack() -> Pack:
    """The pack that comes with the project, of its own design.

    >>> len(default_pack().cards)
    45
    """
    return load_pack(Path(__file__).with_name("default_pack.json").read_bytes())


def load_pack(data: str | bytes) -> Pack:
    """The pack of a JSON file. Raises DataError listing every defect; what is merely odd is a warning of the pack."""
    value = decode(data)
    reading = Reading()
    pack = _Cards(reading).pack(value)
    reading.finish()
    return pack


def own_cards(value: Any, path: str, reading: Reading) -> tuple[Entry, ...]:
    """The cards of a document of one's own, in the lists of a pack; defects go to the reading."""
    return _Cards(reading).entries(reading.record(value, path, (), LISTS))


class _Cards:
    """One pack being read."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.places: dict[str, str] = {}

    def pack(self, value: Any) -> Pack:
        r = self.reading
        record = r.record(value, "", ("format", "name"), ("note", *LISTS))
        record.take("format", FORMAT, r.choice, (FORMAT,))
        record.take("note", None, r.text)
        name = record.take("name", Sentence("?", "?"), r.text)
        entries = self.entries(record)
        canonical = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return Pack(name, entries, tuple(r.warnings), hashlib.sha256(canonical.encode()).hexdigest())

    def entries(self, record: Record) -> tuple[Entry, ...]:
        """The cards of all lists."""
        read: Sequence[Callable[[Any, str], Entry]] = (self._monster, self._training, self._attachment, self._event, self._battle)
        lists = zip(LISTS, read, strict=True)
        return tuple(part(item, path) for key, part in lists for item, path in record.take(key, iter(()), self.reading.items, 400))

    # -- one card of each type ----------------------------------------------------------------------

    def _entry(self, row: Record, type: str, **more: Any) -> Entry:
        r = self.reading
        row.take("note", None, r.text)
        techniques = row.take("techniques", (), self._techniques)
        card = Card(
            row.take("id", "??", self._id), type, row.take("pull", 1, r.whole, range(1, 7)),
            row.take("icon", "hold", r.choice, _small(ICON.labels)).upper(),
            techniques=tuple(technique for technique, _ in techniques), **more,
        )  # fmt: skip
        origin = row.take("origin", "user", r.choice, ORIGINS)
        return Entry(card, row.take("name", Sentence("?", "?"), r.text), origin, tuple(name for _, name in techniques))

    def _monster(self, value: Any, path: str) -> Entry:
        r = self.reading
        row = r.record(value, path, (*_COMMON, "align", "stats", "techniques"), ("ability", "playmates", "origin", "note"))
        stats = row.take("stats", {}, self._numbers, STAT.labels, range(16))
        if "stats" in row.fields and isinstance(row.fields["stats"], dict):
            for name in STAT.labels:
                if name not in row.fields["stats"]:
                    r.fault(row.at("stats"), f"{name} is missing", f"{name} がない", "missing-key")
        if stats.get("life", 1) < 1:
            r.fault(row.at("stats"), "a monster has a life of at least 1 (R.LIFE.1)", "ライフは1以上（R.LIFE.1）", "out-of-range")
        deeds, times = row.take("ability", ((), 0), self._ability)
        return self._entry(
            row, "MONSTER", alignment=row.take("align", "goody", r.choice, _small(ALIGNMENT.labels)).upper(),
            stats=tuple(stats.get(name, 0) for name in STAT.labels), deeds=deeds, times=times, playmates=row.take("playmates", False, r.truth),
        )  # fmt: skip

    def _training(self, value: Any, path: str) -> Entry:
        r = self.reading
        row = r.record(value, path, (*_COMMON, "target"), ("gives", "techniques", "deeds", "origin", "note"))
        return self._entry(
            row, "TRAINING", target=row.take("target", 0, r.whole, range(-6, 13)), gives=row.take("gives", (), self._gives),
            deeds=row.take("deeds", (), self._deeds, ()),
        )  # fmt: skip

    def _attachment(self, value: Any, path: str) -> Entry:
        r = self.reading
        row = r.record(value, path, (*_COMMON, "on"), ("category", "needs", "only", "gives", "deeds", "origin", "note"))
        place = row.take("on", "monster", r.choice, PLACE.labels)
        needs = row.take("needs", {}, self._numbers, NEED.labels, range(16))
        only = row.take("only", "", r.choice, _small(ALIGNMENT.labels)).upper()
        if "player" in place and (only or set(needs) - {"fame"}):
            r.fault(path, "of a player only fame can be demanded", "プレイヤーに求められるのは名声だけ")
        return self._entry(
            row, "ATTACHMENT", place=place, category=row.take("category", "", r.string), needs=tuple(needs.items()), only=only,
            gives=row.take("gives", (), self._gives), deeds=row.take("deeds", (), self._deeds, ()),
        )  # fmt: skip

    def _event(self, value: Any, path: str) -> Entry:
        row = self.reading.record(value, path, (*_COMMON, "deeds"), ("origin", "note"))
        known = ("draw", "discard", "speed", "heal", "fame", "boost")
        deeds = row.take("deeds", (), self._deeds, known)
        if sum(deed.do in _DRAWS for deed in deeds) > 1:
            self.reading.fault(path, "an Event draws cards for one purpose only", "イベントで引くカードの目的は一つだけ")
        return self._entry(row, "EVENT", deeds=deeds)

    def _battle(self, value: Any, path: str) -> Entry:
        r = self.reading
        row = r.record(value, path, _COMMON, ("fame", "side", "deeds", "origin", "note"))
        return self._entry(
            row, "BATTLE", fame=row.take("fame", -1, r.whole, range(4)), side=row.take("side", -1, r.whole, range(6)),
            deeds=row.take("deeds", (), self._deeds, ("boost",)),
        )  # fmt: skip

    # -- parts ----------------------------------------------------------------------------------------

    def _id(self, value: Any, path: str) -> str:
        id = self.reading.string(value, path)
        if id != "?" and not _ID.fullmatch(id):
            self.reading.fault(path, f"{id!r} is no id: a capital, then A-Z 0-9 _", f"{id!r} は不可。大文字で始まるA-Z 0-9 _")
        first = self.places.setdefault(id, path)
        if first != path:
            self.reading.fault(path, f"{id!r} stands already at {first}", f"{id!r} は {first} に既にある")
        return id

    def _numbers(self, value: Any, path: str, names: Sequence[str], values: range) -> dict[str, int]:
        row = self.reading.record(value, path, (), names)
        return {name: row.take(name, 0, self.reading.whole, values) for name in names if name in row.fields}

    def _gives(self, value: Any, path: str) -> tuple[tuple[str, int], ...]:
        return tuple(self._numbers(value, path, STAT.labels, range(-5, 6)).items())

    def _techniques(self, value: Any, path: str) -> tuple[tuple[Technique, Sentence], ...]:
        return tuple(self._technique(item, at) for item, at in self.reading.items(value, path, MOST_TECHNIQUES))

    def _technique(self, value: Any, path: str) -> tuple[Technique, Sentence]:
        r = self.reading
        row = r.record(value, path, ("name", "range", "damage"), ("mental", "needs"))
        name = row.take("name", Sentence("?", "?"), self._called)
        technique = Technique(
            name.en, row.take("range", 1, r.whole, range(1, 5)), row.take("damage", 2, self._damage),
            row.take("mental", False, r.truth), tuple(row.take("needs", {}, self._numbers, NEED.labels, range(16)).items()),
        )  # fmt: skip
        return technique, name

    def _called(self, value: Any, path: str) -> Sentence:
        """A name in both languages, or one that is the same in both."""
        if isinstance(value, dict):
            return self.reading.text(value, path)
        name = self.reading.string(value, path)
        return Sentence(name, name)

    def _damage(self, value: Any, path: str) -> int:
        """A multiplier in halves."""
        found = _DAMAGE.fullmatch(str(value)) if not isinstance(value, bool) else None
        if found is None:
            self.reading.wrong(value, path, 'a multiplier such as 2 or "1.5"', '2や"1.5"のような乗数')
            return 2
        return 2 * int(found[1]) + (found[2] == "5")

    def _ability(self, value: Any, path: str) -> tuple[tuple[Deed, ...], int]:
        row = self.reading.record(value, path, ("deeds",), ("times",))
        deeds = row.take("deeds", (), self._deeds, ("discard", "fame", "boost", "step", "soothe"))
        return deeds, row.take("times", 0, self.reading.whole, range(1, 8))

    def _deeds(self, value: Any, path: str, known: Sequence[str]) -> tuple[Deed, ...]:
        return tuple(self._deed(item, at, known) for item, at in self.reading.items(value, path, 4))

    def _deed(self, value: Any, path: str, known: Sequence[str]) -> Deed:
        r = self.reading
        row = r.record(value, path, ("do",), ("amount", "who", "stat", "text"))
        row.take("text", None, r.text)
        do = row.take("do", "opaque", r.string)
        if do in EFFECT.labels and do != "opaque" and do not in known:
            r.fault(path, f"{do} cannot stand on a card of this type", f"この種類のカードに {do} は書けない")
        if do not in EFFECT.labels:
            en = ", ".join(known) or "none"
            r.warn(
                path, f"{do!r} is carried as opaque; known effects here: {en}",
                f"{do!r} は内容不明として扱う。ここで既知の効果： {en}",
            )  # fmt: skip
            return Deed("opaque")
        least = -5 if do in ("boost", "step") else 1
        stat = row.take("stat", "", r.choice, STAT.labels)
        if (do == "boost") != bool(stat):
            r.fault(path, "boost has a stat, and no other effect has one", "statを持つのはboostだけで、必ず要る")
        amount = row.take("amount", 0, r.whole, range(least, 6))
        return Deed(do, amount, row.take("who", "own", r.choice, ("own", "foe", "both")), stat)


def _small(labels: Sequence[str]) -> tuple[str, ...]:
    return tuple(label.lower() for label in labels)


