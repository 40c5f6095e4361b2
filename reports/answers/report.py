"""A report of a game: its sheets as tables, in a terminal and as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from monjudge.model.report import Cell, Report, Sheet
from monjudge.reports.answers.answer import Asked, Single, Voice, in_both
from monjudge.reports.glyphs import width
from monjudge.solvers.verdict import Verdict

__all__ = ["Listed", "Reported"]


@dataclass(frozen=True)
class Listed(Single):
    """A report that there is: its game and name, and its sheets without their rows."""

    kind: ClassVar[str] = "reports"
    game: str
    report: Report
    asked: Asked | None = None

    @property
    def verdict(self) -> Verdict:
        return Verdict.YES

    def text(self, voice: Voice) -> Iterator[str]:
        yield f"{voice.strong(self.report.id)}  {voice(self.report.title)} ({self.game})"
        yield from (f"  {sheet.id} ({len(sheet.rows)})  {voice(sheet.title)}" for sheet in self.report.sheets)

    def brief(self, voice: Voice) -> Iterator[str]:
        yield f"{self.game} {self.report.id} {voice(self.report.title)}"

    def data(self) -> dict[str, Any]:
        sheets = [{"id": sheet.id, "title": in_both(sheet.title), "count": len(sheet.rows)} for sheet in self.report.sheets]
        return {"game": self.game, "report": self.report.id, "title": in_both(self.report.title), "sheets": sheets}


@dataclass(frozen=True)
class Reported(Single):
    """Some sheets of a report, whole."""

    kind: ClassVar[str] = "report"
    game: str
    report: Report
    sheets: tuple[Sheet, ...]
    asked: Asked | None = None

    @property
    def verdict(self) -> Verdict:
        return Verdict.YES

    def text(self, voice: Voice) -> Iterator[str]:
        yield voice.strong(voice(self.report.title))
        yield voice(self.report.about)
        for sheet in self.sheets:
            yield ""
            yield voice.strong(f"{voice(sheet.title)} [{sheet.id}]")
            yield from _table(sheet, voice)

    def brief(self, voice: Voice) -> Iterator[str]:
        for sheet in self.sheets:
            for row in sheet.rows:
                yield " ".join((sheet.id, *map(_shown, row)))

    def data(self) -> dict[str, Any]:
        return {
            "game": self.game, "report": self.report.id, "title": in_both(self.report.title), "about": in_both(self.report.about),
            "sheets": [_data(sheet) for sheet in self.sheets],
        }  # fmt: skip


def _data(sheet: Sheet) -> dict[str, Any]:
    columns = [{"id": column.id, "title": in_both(column.title)} for column in sheet.columns]
    rows = [[list(cell) if isinstance(cell, tuple) else cell for cell in row] for row in sheet.rows]
    return {"id": sheet.id, "title": in_both(sheet.title), "columns": columns, "rows": rows}


def _table(sheet: Sheet, voice: Voice) -> Iterator[str]:
    """The rows under their headings, in columns as wide as they need."""
    rows = [[voice(column.title) for column in sheet.columns], *([_shown(cell) for cell in row] for row in sheet.rows)]
    wide = [max(width(row[at]) for row in rows) for at in range(len(sheet.columns))]
    for number, row in enumerate(rows):
        line = "  ".join(text + " " * (wide[at] - width(text)) for at, text in enumerate(row)).rstrip()
        yield f"  {line if number else voice.faint(line)}"


def _shown(cell: Cell) -> str:
    if isinstance(cell, tuple):
        return "-".join(map(str, cell))
    return "-" if cell is None else str(cell)
