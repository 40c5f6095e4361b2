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

import difflib
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from monjudge.model.monjan.texts import Text, switch_texts
from monjudge.model.notation.defects import DataError, Defect

__all__ = ["BATTLE", "LIVE", "Profile", "check_open", "determined", "fixed", "profile", "reading_defects"]

Profile = Mapping[str, str]
"""Readings by switch; a switch that is not named is read at its default."""

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


def fixed() -> Profile:
    """All other switches, each with the default at which it is held, in the order of the document."""
    return MappingProxyType({id: text.default for id, text in switch_texts().items() if id not in LIVE})


def profile(readings: Profile) -> Profile:
    """The readings, unchangeable and in the order of the document.

    Raises DataError listing every switch or value that does not exist, and every fixed switch that is not at
    its default.
    """
    if defects := list(reading_defects(readings)):
        raise DataError(defects)
    return MappingProxyType({id: readings[id] for id in switch_texts() if id in readings})


def reading_defects(readings: Profile) -> Iterator[Defect]:
    """What is wrong with the readings, at the path of each switch."""
    texts = switch_texts()
    for switch, value in readings.items():
        if switch not in texts:
            yield _no_switch(switch, texts)
            continue
        text = texts[switch]
        if not isinstance(value, str) or value not in text.values:
            ways = ", ".join(text.values)
            yield _defect(switch, f"{switch} has no reading {value!r}: {ways} would do", f"{switch}に{value!r}という読み方はない（{ways}）")
        elif switch not in LIVE and value != text.default:
            yield _defect(switch, f"{switch} is fixed at {text.default} in this version", f"この版では{switch}は{text.default}に固定されている")


def determined(readings: Profile) -> list[Profile]:
    """The profiles that a profile may stand for: every other value in place of one without executable meaning.

    A question that they answer alike is answered; any other is undetermined.
    """
    profiles: list[Profile] = [readings]
    for switch, value in readings.items():
        text = switch_texts()[switch]
        if value in text.undetermined:
            others = [v for v in text.values if v not in text.undetermined]
            profiles = [{**chosen, switch: other} for chosen in profiles for other in others]
    return profiles


def check_open(names: Iterable[str]) -> None:
    """Raises DataError for a switch that cannot be left open because the rules never ask for it, or that does not exist."""
    texts, defects = switch_texts(), []
    for name in sorted(names):
        if name not in texts:
            defects.append(_no_switch(name, texts))
        elif name not in LIVE:
            default = texts[name].default
            defects.append(_defect(name, f"{name} cannot be left open: it is fixed at {default} in this version",
                                   f"{name}は開いておけない。この版では{default}に固定されている"))  # fmt: skip
    if defects:
        raise DataError(defects)


def _no_switch(name: str, known: Iterable[str]) -> Defect:
    near = difflib.get_close_matches(name, known, n=3)
    en = f"; the closest are {', '.join(near)}" if near else ""
    ja = f"（近いのは{'、'.join(near)}）" if near else ""
    return _defect(name, f"{name!r} is no reading switch{en}", f"{name!r}という読みの切り替えはない{ja}")


def _defect(switch: str, en: str, ja: str) -> Defect:
    return Defect(f"readings.{switch}", Text(en, ja))
