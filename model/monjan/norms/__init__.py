"""The norms of Monjan Colosseum: every clause of the document taken literally, one file for each part of it.

A norm says what its sentence says and no more; the chapters of the rule set say what
happens. ``claimed`` names the readings under which the rule set realises a sentence that
another one contradicts. ``reasons`` lists the clauses without a norm, and why.
"""

from __future__ import annotations

from monjudge.model.monjan.match import Match
from monjudge.model.monjan.norms import battle, boards, edit, extra, falls, payment, summons, table
from monjudge.model.monjan.norms.writer import Writer

__all__ = ["add_norms"]


def add_norms(m: Match) -> None:
    """Adds the norms of the whole document to the game (their actions must have been added before)."""
    writer = Writer(m)
    for part in (table, edit, summons, battle, falls, extra, payment, boards):
        part.add(writer)
