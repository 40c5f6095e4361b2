"""Which ambiguities of the document the rules can be read in several ways, and which are held at their default.

A switch is live when the rules ask for it and every one of its values is shown to change an answer
(``tests/rancher/test_readings.py``). All others are fixed.

>>> dict(SWITCHES.profile({"AMB_SPEED_VALUE": "SORTED"}))
{'AMB_SPEED_VALUE': 'SORTED'}
"""

from __future__ import annotations

from monjudge.model.rancher.texts import switch_texts
from monjudge.model.readings import Switches

__all__ = ["LIVE", "SWITCHES"]

LIVE: tuple[str, ...] = (
    "AMB_FIRST_THIS", "AMB_FIRST_NEXT", "AMB_SPEED_VALUE", "AMB_SPEED_TIE", "AMB_SPEED_TYPES", "AMB_ORDER", "AMB_ACTIVE",
    "AMB_NOACT", "AMB_HAND", "AMB_DECKOUT_WHEN", "AMB_DECKOUT_BOTH", "AMB_EVTTIE", "AMB_EVTTIME", "AMB_BATTIE_SCOPE",
    "AMB_BATTIE_TIE", "AMB_NOBATTLE", "AMB_MOVEORD", "AMB_MOVECARD", "AMB_MUSTMOVE", "AMB_ROUND", "AMB_ATK_WHO",
    "AMB_ATK_CARDS", "AMB_ATK_OPEN", "AMB_MUSTATK", "AMB_KIND", "AMB_DMG_FORMULA", "AMB_DMG_FRACTION", "AMB_DMG_EQUAL",
    "AMB_DMGACC", "AMB_SIMUL", "AMB_BATEND", "AMB_SIDE_SOURCE", "AMB_SIDE_TAKEN", "AMB_SIDE_REST", "AMB_FAME", "AMB_WINTIE",
    "AMB_TIMING", "AMB_TRAINFAIL", "AMB_AID", "AMB_ATTLIM", "AMB_HEAL", "AMB_HEALED", "AMB_PLAYPHASE",
)  # fmt: skip
"""The switches of which every value changes the rules."""

SWITCHES = Switches(switch_texts(), LIVE)
