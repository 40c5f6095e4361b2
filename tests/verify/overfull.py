"""A tank that one reading lets be filled past what the model can hold, as a plugin: ``scene(boards, readings, open)``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from monjudge.model.language import Game, gain, lift, reads
from monjudge.model.properties import Scene

SWITCHES = ("LID",)


def scene(boards: Any, readings: Mapping[str, str], open: Collection[str]) -> Scene:
    """Ajar the lid lets it be filled for ever, shut up to two; the model counts to three."""
    g = Game("overfull", players=1)
    level, chosen = g.field("level", values=range(4)), readings.get("LID", "AJAR")
    ajar = reads(g.switch("LID", ("AJAR", "SHUT"), chosen), "AJAR") if "LID" in open else lift(chosen == "AJAR")
    fill = g.action("fill", by=0)
    fill.clause("TANK.fill", (level < 2) | ajar)
    fill.effect(gain(level, 1))
    rules = g.build()
    return Scene(rules, rules.start)
