"""How cases call cards: ids of the default pack, short stand-ins that say what matters, and records of monsters.

========================== =================================================================
``C4`` ``R1`` ``H6`` ``S2``  a card for no other use: icon Charge, Retreat, Hold or Shove, and pull number
``M3``                     a monster of pull number 3 with every statistic 1 and no technique
``T4`` ``T4:power+1``       a training with that number, and what it gives
``A`` ``A:defence+1@armour`` an attachment on monsters, what it gives, its category; ``A?`` an unknown text
``E5`` ``E5:foe-draw2``     an Event of pull number 5, and its effect (own unless foe or both); ``E5?`` an unknown text
``B5`` ``B5+2`` ``B5/3`` ``B5?`` a Battle card of pull number 5; the fame, the side cards it says; an unknown text
``{"life": 4, ...}``        a monster: ``pull``, ``icon``, ``align``, statistics (else 1), ``techniques`` ([range, multiplier,
                           {needs}, "mental"], ...), ``ability`` ("own boost power 1"), ``times``
========================== =================================================================

>>> read_card("E5:foe-discard1").deeds[0].who
'foe'
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from monjudge.model.rancher.cards import ALIGNMENT, ICON, STAT, Card, Deed, Technique
from monjudge.model.rancher.catalogue.packs import default_pack

__all__ = ["CaseError", "read_card", "read_cards"]

_ICONS = {"C": "CHARGE", "R": "RETREAT", "H": "HOLD", "S": "SHOVE"}
_DEED = re.compile(r"(?:(foe|both)-)?(draw|discard|speed|heal|fame|boost)(-?[0-9])?(?:\.(\w+))?")


class CaseError(ValueError):
    """What is wrong with a case, in both languages."""

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en)
        self.en, self.ja = en, ja


def read_card(given: Any) -> Card:
    """The card of a name or record. Raises CaseError for anything else."""
    if isinstance(given, Mapping):
        return _monster(json.dumps(given, sort_keys=True))
    card = _stand_in(given) if isinstance(given, str) else None
    if card is None:
        raise CaseError(
            f"{given!r} is no card: C4, M3, T4, E5, B5+2 or an id of the pack would do",
            f"{given!r}はカードとして読めない（C4、M3、T4、E5、B5+2、パックのidなど）",
        )
    return card


def read_cards(node: Any) -> Iterator[Card]:
    """Every card that stands anywhere in plain data."""
    if isinstance(node, Mapping):
        if any(name in node for name in (*STAT.labels, "techniques")):
            yield read_card(node)
        else:
            for value in node.values():
                yield from read_cards(value)
    elif isinstance(node, str):
        for word in node.split():
            card = _stand_in(word)
            if card is not None:
                yield card
    elif isinstance(node, Sequence):
        for value in node:
            yield from read_cards(value)


@cache
def _stand_in(text: str) -> Card | None:
    if found := re.fullmatch(r"([CRHS])([1-6])", text):
        return Card(text, "ATTACHMENT", int(found[2]), _ICONS[found[1]], place="player")
    if found := re.fullmatch(r"M([1-6])", text):
        return Card(text, "MONSTER", int(found[1]), "HOLD", "GOODY", (1, 1, 1, 1, 1))
    if found := re.fullmatch(r"T([0-9])(?::(.+))?", text):
        return Card(text, "TRAINING", 3, "HOLD", target=int(found[1]), gives=_gives(found[2]))
    if found := re.fullmatch(r"A(?::([^@?]+))?(?:@(\w+))?(\?)?", text):
        deeds = (Deed("opaque"),) if found[3] else ()
        return Card(text, "ATTACHMENT", 3, "HOLD", place="monster", gives=_gives(found[1]), category=found[2] or "", deeds=deeds)
    if found := re.fullmatch(r"E([1-6])(?::(.+)|(\?))?", text):
        deeds = (Deed("opaque"),) if found[3] else (_deed(found[2]),) if found[2] else ()
        return Card(text, "EVENT", int(found[1]), "HOLD", deeds=deeds)
    if found := re.fullmatch(r"B([1-6])(?:\+([0-9]))?(?:/([0-5]))?(\?)?", text):
        fame, side = int(found[2] or -1), int(found[3] or -1)
        return Card(text, "BATTLE", int(found[1]), "HOLD", fame=fame, side=side, deeds=(Deed("opaque"),) if found[4] else ())
    return next((card for card in default_pack().cards if card.name == text), None)


def _gives(text: str | None) -> tuple[tuple[str, int], ...]:
    return tuple((name, int(change)) for name, change in re.findall(r"([a-z]+)([+-][0-9])", text or ""))


def _deed(text: str) -> Deed:
    found = _DEED.fullmatch(text)
    if found is None:
        raise CaseError(f"{text!r} is no effect", f"{text!r}は効果として読めない")
    return Deed(found[2], int(found[3] or 1), found[1] or "own", found[4] or "")


@cache
def _monster(written: str) -> Card:
    given = json.loads(written)
    stats = tuple(int(given.get(name, 1)) for name in STAT.labels)
    techniques = []
    for number, (distance, multiplier, *more) in enumerate(given.get("techniques", []), 1):
        needs = next((tuple(part.items()) for part in more if isinstance(part, dict)), ())
        techniques.append(Technique(f"t{number}", distance, int(2 * multiplier), "mental" in more, needs))
    who, do, stat, amount = [*given.get("ability", "own opaque x 0").split(), ""][:4]
    deeds = (Deed(do, int(amount), who, stat if do == "boost" else ""),) if "ability" in given else ()
    alignment = str(given.get("align", "goody")).upper()
    if alignment not in ALIGNMENT.labels:
        raise CaseError(f"{alignment!r} is no alignment", f"{alignment!r}という属性はない")
    name = str(given.get("name", written))
    icon = str(given.get("icon", "hold")).upper()
    assert icon in ICON.labels
    return Card(name, "MONSTER", int(given.get("pull", 1)), icon, alignment, stats, tuple(techniques),  # type: ignore[arg-type]
                deeds=deeds, times=int(given.get("times", 0)))  # fmt: skip
