"""A tank whose rules can be read in several ways, as a plugin: ``scene(boards, readings, open)``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from monjudge.model.language import Expr, Game, gain, lift, put, reads
from monjudge.model.properties import Scene

SWITCHES = ("LID", "PUMP", "VALVE", "COLOUR")
VALUES = {"LID": ("SHUT", "AJAR", "NONE"), "PUMP": ("WEAK", "STRONG"), "VALVE": ("GOOD", "BAD"), "COLOUR": ("RED", "BLUE")}

PROPERTIES = """
format: monjudge-properties/1
properties:
- {id: low, kind: invariant, formula: "level <= 5", en: It stays low., ja: 低いまま。}
- {id: dry, kind: invariant, formula: "not wet", en: It stays dry., ja: 濡れない。}
- {id: full, kind: reachable, formula: "level == 5", en: It fills., ja: 満ちる。}
- {id: brim, kind: reachable, formula: "level == 6", en: It brims over., ja: あふれる。}
- {id: three, kind: invariant, formula: "level <= 3", en: It is never fuller than three., ja: 三を超えない。}
"""


def scene(boards: Any, readings: Mapping[str, str], open: Collection[str]) -> Scene:
    """LID says how high the tank fills; only PUMP and VALVE together wet the floor; COLOUR is asked for in vain."""
    g = Game("tank", players=1)

    def reading(switch: str, value: str) -> Expr:
        chosen = readings.get(switch, VALUES[switch][0])
        if switch not in open:
            return lift(chosen == value)
        if switch not in cells:
            cells[switch] = g.switch(switch, VALUES[switch], chosen, undetermined={"NONE"} & {*VALUES[switch]})
        return reads(cells[switch], value)

    cells: dict[str, Expr] = {}
    level, wet, red = g.field("level", values=range(10)), g.field("wet", values=bool), g.field("red", values=bool)
    fill = g.action("fill", by=0)
    fill.clause("TANK.fill", (level < 5) | ((level < 6) & reading("LID", "AJAR")))
    fill.effect(gain(level, 1), put(red, reading("COLOUR", "RED")))
    drip = g.action("drip", by=0)
    drip.clause("TANK.drip", reading("PUMP", "STRONG") & reading("VALVE", "BAD"))
    drip.effect(put(wet, True))
    rules = g.build()
    return Scene(rules, rules.start)
