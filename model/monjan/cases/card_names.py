"""How cases call cards: short names, records of Extra cards, and stand-ins that say the one property that matters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from monjudge.model.monjan.cards import Card, CardSkill
from monjudge.model.monjan.catalogue.packs import default_pack

__all__ = ["CaseError", "attack_of", "is_elements", "read_card", "read_cards", "unknown", "whole"]

STRONGEST = 99
"""The highest attack that a card may have in a case."""


class CaseError(ValueError):
    """What is wrong with a case, in both languages."""

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en)
        self.en, self.ja = en, ja


def unknown(what: str, given: Any, would_do: str) -> CaseError:
    return CaseError(f"{given!r} is no {what}: {would_do} would do", f"{given!r}は{what}として読めない（{would_do}など）")


def _stand_in(text: str) -> Card | None:
    """The card of a name that says its property, or None."""
    if found := re.fullmatch(r"(assassin|boss) [AB]?([0-9]{1,2}) \(this turn\)", text):
        return Card(found[1].upper(), value=int(found[2]))
    if found := re.fullmatch(r"E with release ([0-9])", text):
        return Card("EXTRA", value=5, skills=_skills(release=[int(found[1])]), name=text)
    if text == "E with magic":
        return Card("EXTRA", value=5, skills=_skills(magic=True), name=text)
    if text == "T(jabber-skill)":
        return Card("TOUGHNESS", value=9, cost=4, skills=(CardSkill("edit", "summon", needs="Jabberwock"),), name=text)
    if found := re.fullmatch(r"X\((?:([fwgan]),?([fwgan])|[-–])\|([0-9,]*)\|v?([0-9]{1,2})\)", text):
        pair = [found[1], found[2]] if found[1] else None
        return _extra_card({"pair": pair, "nums": [int(n) for n in found[3].split(",") if n], "v": int(found[4])})
    if found := re.fullmatch(r"X(?:\(v([0-9]{1,2})\))?(?: alive)?", text):
        return Card("EXTRA", value=int(found[1] or 5), name=text)
    if found := re.fullmatch(r"(?:any E|E)(?: alive)?|(?:(Jabberwock)|(\w+) \(alive\))", text):
        return Card("EXTRA", value=5, name=found[1] or found[2] or text)
    return None


def _skills(release: Sequence[int] = (), magic: bool = False, needs: str = "") -> tuple[CardSkill, ...]:
    """Skills of no matter which effect: a draw from a pile that is empty."""
    of_release = tuple(CardSkill("edit", "draw", 1, release=n, needs=needs) for n in release)
    return (*of_release, *((CardSkill("edit", "draw", 1, magic=True, needs=needs),) if magic else ()))


def is_elements(given: Any) -> bool:
    """Whether a mana is Elements: ``*``, or ``*f12`` where it matters which card it was."""
    return isinstance(given, str) and given.startswith("*")


def attack_of(value: int) -> Card:
    """An attack card of which only the attack matters. Raises CaseError beyond what the model holds."""
    whole("attack", value, 0, STRONGEST)
    return Card("TOUGHNESS", value=value, name=str(value))


def whole(what: str, given: Any, least: int, most: int) -> int:
    """A whole number within bounds. Raises CaseError."""
    if type(given) is not int or not least <= given <= most:
        raise unknown(what, given, f"{least}..{most}")
    return given


def read_card(given: Any) -> Card:
    """The card of a text, of the id of a card of the default pack, or of a record {pair, nums, v}.

    Raises CaseError saying what was read.
    """
    if isinstance(given, Mapping):
        return _extra_card(given)
    if isinstance(given, str):
        try:
            return _stand_in(given) or Card.parse(given)
        except ValueError:
            pass
        if re.fullmatch(r"[A-Z][A-Z_]+", given):
            try:
                return default_pack().named(given)
            except KeyError:
                pass
    raise unknown("card", given, "f7, w+8, nK, gB, T4/9, B22, *, m, {pair, nums, v}")


_EXTRA = {"pair", "nums", "v", "name", "release", "magic", "needs"}


def _is_extra(node: Any) -> bool:
    """Whether this part of a case is the record of an Extra card."""
    return isinstance(node, Mapping) and ("nums" in node or ("v" in node and node.keys() <= _EXTRA))


def _extra_card(given: Mapping[str, Any]) -> Card:
    if strange := given.keys() - _EXTRA:
        raise unknown("property of an Extra card", sorted(strange)[0], ", ".join(sorted(_EXTRA)))
    pair, magic = given.get("pair"), given.get("magic", False)
    name, needs = (_name(given.get(key, "")) for key in ("name", "needs"))
    if pair is not None and (not isinstance(pair, list) or len(pair) != 2):
        raise unknown("pair of elements", pair, '["n", "w"]')
    left_right = None if pair is None else (_element(pair[0]), _element(pair[1]))
    numbers = tuple(sorted(_wholes("number of a card", given.get("nums"), range(1, 17))))
    if not isinstance(magic, bool):
        raise unknown("truth value", magic, "true")
    skills = _skills(_wholes("cost of a release", given.get("release"), range(10)), magic, needs)
    value = whole("attack", given.get("v", 0), 0, STRONGEST)
    return Card("EXTRA", value=value, pair=left_right, numbers=numbers, skills=skills, name=name)


def _name(given: Any) -> str:
    if not isinstance(given, str):
        raise unknown("name", given, '"Jabberwock"')
    return given


def _wholes(what: str, given: Any, values: range) -> list[int]:
    if given is not None and not isinstance(given, list):
        raise unknown("list", given, "[1, 2]")
    return [whole(what, n, values[0], values[-1]) for n in given or ()]


def _element(letter: Any) -> int:
    try:
        return Card.parse(f"{letter}B").element
    except ValueError:
        raise unknown("element", letter, "f, w, g, a or n") from None


def read_cards(node: Any) -> Iterator[Card]:
    """Every card that is named anywhere in a part of a case."""
    if _is_extra(node):
        node = [node]
    elif isinstance(node, Mapping):
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            try:
                yield read_card(part)
            except CaseError:
                if not _is_extra(part):
                    yield from read_cards(part)
    elif isinstance(node, str):
        for word in (node, *node.split()):
            try:
                yield read_card(word[1:] if word[:1] == "*" and word != "*" else word)
            except CaseError:
                continue
