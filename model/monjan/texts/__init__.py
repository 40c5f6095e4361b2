"""The texts of Monjan Colosseum in English and Japanese: its clauses, and the readings of its ambiguities.

``clauses.json`` restates every sentence of the document in the project's own words, with
its line there; rules and norms name their clauses by these ids. ``switches.json`` has one
entry for each ambiguity: why the text leaves it open, what each reading means, and why one
of them is the default. Anything in the project may read this folder.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from monjudge.model.texts import (
    CLAUSE_KINDS,
    ClauseKind,
    ClauseText,
    SwitchText,
    Text,
    TextRegistry,
    read_clauses,
    read_switches,
)

__all__ = [
    "CLAUSE_KINDS", "ClauseKind", "ClauseText", "SwitchText", "Text", "TextRegistry", "clause_texts", "switch_texts",
]  # fmt: skip

_HERE = Path(__file__).parent


@cache
def clause_texts() -> TextRegistry[ClauseText]:
    """All clauses of the document by id, in its order.

    >>> clause_texts()["SETUP.1"].en
    'At first ten cards are dealt from the pile to each player.'
    """
    return read_clauses(_HERE / "clauses.json", "Monjan Colosseum")


@cache
def switch_texts() -> TextRegistry[SwitchText]:
    """All reading switches by id, A01 to A160, and last the mode SEQ.

    >>> switch_texts()["A25"].values["LE"].en
    'The number may be at most the maximum.'
    """
    return read_switches(_HERE / "switches.json", "Monjan Colosseum")
