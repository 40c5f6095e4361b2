"""Which ambiguities of the document the rules can be read in several ways, and which are held at their default.

``texts`` has all switches with what each reading means. A switch is live when the rules ask
for it and every one of its values is shown to change an answer (``tests/corpus/readings*.jsonl``
and ``tests/monjan/test_readings*.py``). All others are fixed.

>>> profile({"A43": "ANY"})["A43"]
'ANY'
>>> profile({"A18": "TEN"})
Traceback (most recent call last):
monjudge.model.notation.defects.DataError: readings.A18: A18 is fixed at NONE in this version
"""

from __future__ import annotations

from monjudge.model.monjan.texts import switch_texts
from monjudge.model.readings import Profile, Switches

__all__ = ["BATTLE", "LIVE", "SWITCHES", "Profile", "check_open", "determined", "fixed", "profile", "reading_defects"]

LIVE: tuple[str, ...] = (
    "A01", "A02", "A03", "A04", "A05", "A06", "A07", "A08", "A09", "A10",
    "A11", "A12", "A13", "A14", "A15", "A17", "A19", "A20", "A21", "A22", "A23", "A25", "A26", "A29", "A30", "A31",
    "A34", "A35", "A36", "A37", "A38", "A40", "A41a", "A41b", "A43", "A44", "A45", "A46", "A47", "A48", "A49", "A52",
    "A53", "A54", "A55", "A56", "A67", "A68", "A69", "A72", "A73", "A75", "A77", "A78", "A79", "A81", "A85", "A87", "A88", "A89", "A91", "A92", "A93", "A95",
    "A96", "A97", "A98", "A99", "A100", "A101", "A102", "A103", "A104", "A105", "A106", "A107", "A108", "A109",
    "A110", "A111", "A112", "A113", "A114", "A115", "A116", "A117", "A118", "A119", "A120", "A121", "A122", "A124", "A125", "A127", "A135",
    "A138", "A139", "A140", "A141", "A142", "A143", "A146", "A147", "A148", "A149", "A150", "A152", "A156", "A158", "A159", "A160",
    "SEQ",
)  # fmt: skip
"""The switches of which every value changes the rules, in the order of the document."""

BATTLE: tuple[str, ...] = ("A31", "A34", "A35", "A36", "A37", "A38", "A40", "A41a", "A41b", "A53", "A54", "A55", "A127", "A135")
"""Those of them that speak of the order of events in the battle turn."""


SWITCHES = Switches(switch_texts(), LIVE)

fixed = SWITCHES.fixed
profile = SWITCHES.profile
reading_defects = SWITCHES.defects
determined = SWITCHES.determined
check_open = SWITCHES.check_open
