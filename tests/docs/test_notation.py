"""The tables of the page on notation: every move that they show is read, and printed as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from monjudge.model.games import kit
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.kit import Position

KIT = kit("monjan")
TABLES = (["FLEHEIM", "HUNTERS"], ["MANAST", "ATELIER"])
"""The boards of the tables at which the moves are read: a move may need its skill."""
DOCS = Path(__file__).resolve().parents[2] / "docs"
MOVE = re.compile(r"`([1-4]:[^`]+|(?:drawn|turn-up|roll|lot|mix|equipment) [^`]+)`")
ROW = re.compile(r"^\| (`.*?) \|", re.MULTILINE)


def shown(lang: str) -> list[str]:
    """The moves in the first column of the tables."""
    page = (DOCS / lang / "notation.md").read_text("utf-8")
    return [move for row in ROW.findall(page) for move in MOVE.findall(row)]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_move_of_the_tables_is_read_and_printed_as_it_stands_there(lang: str) -> None:
    tables = [KIT.deal(mode="INIT", boards=boards) for boards in TABLES]
    moves = shown(lang)
    assert len(moves) > 30
    assert [text for text in moves if not any(printed(table, text) == text for table in tables)] == []


def printed(table: Position, text: str) -> str:
    """The move as it is printed; empty where it cannot be read."""
    try:
        return KIT.move_text(table, KIT.move(table, text))
    except DataError:
        return ""


def test_both_languages_show_the_same_moves() -> None:
    assert shown("en") == shown("ja")
