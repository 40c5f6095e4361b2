"""The scene in which the sentences of the document are taken literally: any state and any mode, few cards.

Two boards whose skills the contradictions are about; hidden cards; no cards of three of the elements, since every
kind of card costs the provers time and one stands for another.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.cards import NO_ELEMENT, Catalogue
from monjudge.model.monjan.catalogue.packs import default_pack
from monjudge.model.monjan.properties import card_tables
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.set_up import table
from monjudge.model.properties import Scene

__all__ = ["literal"]

SLOTS = 6

ELEMENTS = (0, 4, NO_ELEMENT)
"""Fire, none, and cards without an element."""

def literal(readings: Mapping[str, str] | None = None, open: Collection[str] = ()) -> Scene:
    """The scene, with these readings left open. Raises DataError as ``table`` does."""
    boards = [PRINTED["FLEHEIM"], PRINTED["ATELIER"]]
    setting = table(default_pack(), "INIT", boards, readings, open={"MODE", *open}, hiding=True, slots=SLOTS)
    cards = Catalogue(c for c in setting.catalogue.cards[1:] if c.element in ELEMENTS)
    rules = monjan(replace(setting, catalogue=cards), norms=True)
    bounds: dict[str, int | str] = {"players": 2, "slots": SLOTS, "cards": len(cards) - 1, "boards": "FLEHEIM, ATELIER", "mode": "any"}
    return Scene(rules, rules.start, bounds=bounds, tables=card_tables(cards))
