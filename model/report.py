"""What a game can say of itself for good: named reports, each in a few sheets of rows.

A report depends on no position and no reading; where readings differ, they are columns or rows.
"""

from __future__ import annotations

from dataclasses import dataclass

from monjudge.model.notation.sentence import Sentence

__all__ = ["Cell", "Column", "Report", "Sheet"]

Cell = int | str | tuple[int, ...] | None
"""A number, a word of the game, some numbers (e.g. squares); None where there is nothing to say."""


@dataclass(frozen=True)
class Column:
    """What stands in one place of every row: its key in JSON, and its heading."""

    id: str
    title: Sentence


@dataclass(frozen=True)
class Sheet:
    """Rows under columns. Raises ValueError for a row of another length."""

    id: str
    title: Sentence
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.id}: {len(row)} cells under {len(self.columns)} columns")


@dataclass(frozen=True)
class Report:
    """Some sheets under a title; the first sheet sums up the others."""

    id: str
    title: Sentence
    about: Sentence
    sheets: tuple[Sheet, ...]
