"""Readings of an ambiguous text as configuration, for any game that has ``switches`` (see ``texts``).

``Switches`` knows which of them the rules can be read in several ways; ``Ambiguities`` is what the
chapters of a rule set ask.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from monjudge.model.language import Expr, Game, RuleSet, State, const, ite, lift, reads
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.texts import SwitchText, Text

__all__ = ["Ambiguities", "Profile", "Switches", "chosen"]

Profile = Mapping[str, str]
"""Readings by switch; a switch that is not named is read at its default."""


def chosen(rules: RuleSet, state: State, readings: Profile, texts: Mapping[str, SwitchText]) -> dict[str, str]:
    """These readings with those of a state, for the switches that are fields of its rules; defaults are left out."""
    read = {switch.id: switch.values[state[rules.offset[switch.family.name]] - switch.family.lo] for switch in rules.switches}
    return {id: value for id, value in {**readings, **read}.items() if value != texts[id].default}


class Switches:
    """The switches of a game; those that are ``live`` can be chosen, all others are fixed at their defaults."""

    def __init__(self, texts: Mapping[str, SwitchText], live: Sequence[str]) -> None:
        self.texts, self.live = texts, tuple(live)

    def fixed(self) -> Profile:
        """All switches that are not live, each with its default, in the order of the document."""
        return MappingProxyType({id: text.default for id, text in self.texts.items() if id not in self.live})

    def profile(self, readings: Profile) -> Profile:
        """The readings, unchangeable and in the order of the document.

        Raises DataError listing every switch or value that does not exist, and every fixed switch that is not at
        its default.
        """
        if defects := list(self.defects(readings)):
            raise DataError(defects)
        return MappingProxyType({id: readings[id] for id in self.texts if id in readings})

    def defects(self, readings: Profile) -> Iterator[Defect]:
        """What is wrong with the readings, at the path of each switch."""
        for switch, value in readings.items():
            if switch not in self.texts:
                yield self._unknown(switch)
                continue
            text = self.texts[switch]
            if not isinstance(value, str) or value not in text.values:
                ways = ", ".join(text.values)
                yield _defect(switch, f"{switch} has no reading {value!r}: {ways} would do", f"{switch}に{value!r}という読み方はない（{ways}）")
            elif switch not in self.live and value != text.default:
                yield _defect(switch, f"{switch} is fixed at {text.default} in this version", f"この版では{switch}は{text.default}に固定されている")

    def determined(self, readings: Profile) -> list[Profile]:
        """The profiles that a profile may stand for: every other value in place of one without executable meaning.

        A question that they answer alike is answered; any other is undetermined.
        """
        profiles: list[Profile] = [readings]
        for switch, value in readings.items():
            text = self.texts[switch]
            if value in text.undetermined:
                others = [v for v in text.values if v not in text.undetermined]
                profiles = [{**chosen, switch: other} for chosen in profiles for other in others]
        return profiles

    def check_open(self, names: Iterable[str]) -> None:
        """Raises DataError for a switch that cannot be left open: it is fixed, or does not exist."""
        defects = []
        for name in sorted(names):
            if name not in self.texts:
                defects.append(self._unknown(name))
            elif name not in self.live:
                default = self.texts[name].default
                defects.append(_defect(name, f"{name} cannot be left open: it is fixed at {default} in this version",
                                       f"{name}は開いておけない。この版では{default}に固定されている"))  # fmt: skip
        if defects:
            raise DataError(defects)

    def _unknown(self, name: str) -> Defect:
        near = difflib.get_close_matches(name, self.texts, n=3)
        en = f"; the closest are {', '.join(near)}" if near else ""
        ja = f"（近いのは{'、'.join(near)}）" if near else ""
        return _defect(name, f"{name!r} is no reading switch{en}", f"{name!r}という読みの切り替えはない{ja}")


def _defect(switch: str, en: str, ja: str) -> Defect:
    return Defect(f"readings.{switch}", Text(en, ja))


class Ambiguities:
    """The switches as the rules of one game ask them: constants, but for those left ``open`` or without meaning."""

    def __init__(self, game: Game, texts: Mapping[str, SwitchText], chosen: Profile, open: Collection[str]) -> None:
        self.game, self.texts, self.chosen, self.open = game, texts, chosen, open
        self._cells: dict[str, Expr | str] = {}

    def reading(self, switch: str, *values: str) -> Expr:
        """Whether the ambiguity is read in one of these ways. Raises KeyError for a reading that does not exist."""
        text = self.texts[switch]
        for value in values:
            if value not in text.values:
                raise KeyError(f"the switch {switch} has no reading {value!r}")
        cell = self._cells.get(switch)
        if cell is None:
            cell = self.chosen.get(switch, text.default)
            # A reading without executable meaning stays in sight of whoever has to say "undetermined".
            if switch in self.open or cell in text.undetermined:
                cell = self.game.switch(
                    switch, tuple(text.values), cell, clauses=text.clauses, undetermined=text.undetermined,
                    severity=text.severity, en=text.title.en, ja=text.title.ja,
                )  # fmt: skip
            self._cells[switch] = cell
        return const(cell in values) if isinstance(cell, str) else reads(cell, *values)

    def pick(self, switch: str, otherwise: Callable[[], Any], **ways: Callable[[], Any]) -> Expr:
        """The expression under each reading; only those that can apply are built."""
        rest = [v for v in self.texts[switch].values if v not in ways]
        result: Expr | None = None
        for reading, way in [*ways.items(), *([("", otherwise)] if rest else [])]:
            applies = self.reading(switch, *(rest if not reading else (reading,)))
            if applies.is_const and not applies.value:
                continue
            result = lift(way()) if result is None or applies.is_const else ite(applies, way(), result)
        assert result is not None, f"a way for every reading of {switch}"
        return result
