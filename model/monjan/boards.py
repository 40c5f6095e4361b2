"""Status boards: three attack maxima, a priority and two skills. A board is data, so any design can be loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from monjudge.model.language import Domain

__all__ = ["PRINTED", "SKILL", "Board"]

SKILL = Domain("board skill", ("NONE", "RITUAL", "FLAME", "TEA", "RECYCLE", "LASER", "GRAVITY", "CASTLE", "TRAP"))
"""The library of board skills (BOARD.*); a board names two of them."""


@dataclass(frozen=True, slots=True)
class Board:
    """A board design: ``cap`` for the columns L C R (1..16), a priority (smaller acts first), skills left and right."""

    name: str
    cap: tuple[int, int, int]
    priority: int
    left: str = "NONE"
    right: str = "NONE"
    en: str = ""
    ja: str = ""


PRINTED: Mapping[str, Board] = MappingProxyType(
    {
        board.name: board
        for board in (
            Board("FLEHEIM", (4, 6, 5), 40, "RITUAL", "FLAME", "Purgatory Mountain of Fleheim", "フレヘイムの煉獄山"),
            Board("ATELIER", (6, 5, 6), 25, "TEA", "RECYCLE", "Ryoko's Atelier", "リョウコのアトリエ"),
            Board("MANAST", (6, 4, 6), 30, "LASER", "GRAVITY", "Mana Station", "マナステーション"),
            Board("HUNTERS", (4, 5, 7), 20, "CASTLE", "TRAP", "High-Speed Hunters", "ハイスピード ハンターズ"),
        )
    }
)
"""The four printed boards (BOARD.FLEHEIM, BOARD.ATELIER, BOARD.MANAST, BOARD.HUNTERS)."""
