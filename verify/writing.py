"""Which readings, once they are open, change how moves are written: a card more shifts the numbers of others, a choice more is a parameter.

They are found by comparing the rule sets that are built, halving the switches.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from monjudge.model.properties import Setting

__all__ = ["CHOSEN", "Writing", "writing"]

CHOSEN = "chosen before play"
"""Names the cells that are chosen before play among what is written."""

FIELD = "field "
"""Begins the name of a field there."""


class Writing:
    """How the moves of a setting are written, and which switches were found to change that when they are open."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.closed = setting, _form(json.dumps(setting.data()))
        self.changes: dict[str, frozenset[str]] = {}

    def along(self, switches: Sequence[str], names: Collection[str]) -> list[str]:
        """The switches that can be open together so that these actions, and ``CHOSEN``, are written as they are."""
        along = list[str]()
        front = [[switch for switch in switches if self.changes.get(switch, frozenset()).isdisjoint(names)]]
        for group in front:  # which grows
            if self._changed([*along, *group]).isdisjoint(names):
                along += group
            elif len(group) > 1:
                front += [group[: len(group) // 2], group[len(group) // 2 :]]
            else:
                self.changes[group[0]] = self._changed(group)
        return along

    def bringing(self, switches: Sequence[str], field: str) -> list[str]:
        """The switches that bring a field with them when they are open."""
        along = {*self.along(switches, {FIELD + field})}
        return [switch for switch in switches if switch not in along]

    def _changed(self, open: Iterable[str]) -> frozenset[str]:
        """What is written otherwise where these switches are open, too."""
        (had, chosen), (has, choose) = self.closed, _form(json.dumps(self.setting.opened((*self.setting.left, *open)).data()))
        actions = {name for name in {*had, *has} if had.get(name) != has.get(name)}
        return frozenset(actions | {CHOSEN} if any(choose.get(name) != form for name, form in chosen.items()) else actions)


@lru_cache(maxsize=1024)
def _form(setting: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The parameters of each action, and the fields, under the rules of a setting, and the cells that are chosen before play."""
    rules = Setting.of(json.loads(setting)).made().rules
    moves: dict[str, Any] = {a.name: [(p.name, p.var.lo, p.var.hi) for p in a.params] for a in rules.actions}
    moves |= {FIELD + f.name: (f.dims, f.lo, f.hi) for f in rules.families if not f.config}
    return moves, {f.name: (f.dims, f.lo, f.hi) for f in rules.families if f.config}


def writing(setting: Setting) -> Writing:
    """The writing of a setting; what was found of it is kept."""
    return _writing(json.dumps(setting.data()))


@lru_cache(maxsize=4)
def _writing(setting: str) -> Writing:
    return Writing(Setting.of(json.loads(setting)))
