"""The texts of the Monster Rancher Collectible Card Game: its clauses, and the readings of its ambiguities.

``clauses.json`` restates every sentence of the document in the project's own words, with its line
there; ``switches.json`` has one entry for each ambiguity (AMB_*). Anything in the project may read this folder.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from monjudge.model.texts import ClauseText, SwitchText, TextRegistry, read_clauses, read_switches

__all__ = ["clause_texts", "switch_texts"]

_HERE = Path(__file__).parent
_GAME = "the Monster Rancher Collectible Card Game"


@cache
def clause_texts() -> TextRegistry[ClauseText]:
    """All clauses of the document by id, in its order.

    >>> clause_texts()["R.DECK.1"].en
    'A deck has exactly sixty cards.'
    """
    return read_clauses(_HERE / "clauses.json", _GAME)


@cache
def switch_texts() -> TextRegistry[SwitchText]:
    """All reading switches by id.

    >>> switch_texts()["AMB_MUSTATK"].default
    'OPTIONAL'
    """
    return read_switches(_HERE / "switches.json", _GAME)
