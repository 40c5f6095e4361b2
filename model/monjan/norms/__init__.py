"""The norms of Monjan Colosseum: every clause of the document taken literally, one file for each part of it.

A norm says what its sentence says and no more; the chapters of the rule set say what
happens. ``claimed`` names the readings under which the rule set realises a sentence that
another one contradicts. ``reasons`` are the clauses without a norm, and why. The rule set
reads this folder; so may anything that asks about the text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from monjudge.model.monjan.match import Match
from monjudge.model.monjan.norms import battle, boards, edit, extra, falls, modes, payment, summons, table
from monjudge.model.monjan.norms.writer import Writer
from monjudge.model.monjan.texts import Text

__all__ = ["add_norms", "reasons"]


def add_norms(m: Match) -> None:
    """Adds the norms of the whole document to the game (their actions must have been added before)."""
    writer = Writer(m)
    for part in (table, edit, summons, battle, falls, modes, extra, payment, boards):
        part.add(writer)


@cache
def reasons() -> Mapping[str, Text]:
    """Why a clause that is no mere flavour has no norm, by the id of the clause."""
    rows = json.loads(Path(__file__).with_name("reasons.json").read_text(encoding="utf-8"))
    return MappingProxyType({id: Text(row["en"], row["ja"]) for row in rows.values() for id in row["clauses"]})
