"""The norms of the Monster Rancher Collectible Card Game: sentences of the document taken literally, one file for each part.

A norm says what its sentence says and no more; the chapters of the rule set say what happens. ``claimed``
names the readings under which the rule set realises a sentence. ``reasons`` are the clauses without a norm, and why.
The rule set reads this folder; so may anything that asks about the text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from monjudge.model.norms import Writer
from monjudge.model.rancher.match import Match
from monjudge.model.rancher.norms import battle, play, turn
from monjudge.model.texts import Text

__all__ = ["add_norms", "reasons"]


def add_norms(m: Match) -> None:
    """Adds the norms of the document to the game (its actions must have been added before)."""
    writer = Writer(m.game)
    for part in (turn, battle, play):
        part.add(m, writer)


@cache
def reasons() -> Mapping[str, Text]:
    """Why a clause that is no mere flavour has no norm, by the id of the clause."""
    rows = json.loads(Path(__file__).with_name("reasons.json").read_text(encoding="utf-8"))
    return MappingProxyType({id: Text(row["en"], row["ja"]) for row in rows for id in row["clauses"]})
