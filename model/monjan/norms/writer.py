"""How the norms of this game are written: ``monjudge.model.norms``, with the table that they speak of."""

from __future__ import annotations

from monjudge.model import norms
from monjudge.model.monjan.match import Match
from monjudge.model.norms import UNREALISED, Of, Said, after

__all__ = ["UNREALISED", "Of", "Said", "Writer", "after"]


class Writer(norms.Writer):
    """Writes the norms of one match."""

    def __init__(self, match: Match) -> None:
        super().__init__(match.game)
        self.match = match
