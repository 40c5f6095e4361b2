"""The tables of the page on notation: every move that they show is read, and printed as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from monjudge.model.games import kit
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.kit import Position
from monjudge.model.rancher.notation.form import state_form
from monjudge.model.rancher.notation.names import Names

BOARDS = (["FLEHEIM", "HUNTERS"], ["MANAST", "ATELIER"])
"""The boards of the tables at which the moves are read: a move may need its skill."""
READINGS = {"AMB_HAND": "DISCARD_FIRST", "AMB_HEAL": "OVER_FIVE", "AMB_MUSTMOVE": "OPTIONAL", "AMB_SIDE_SOURCE": "HAND"}
"""Readings under which every act of the second game exists."""
SECOND = {"en": "## Monster Rancher\n", "ja": "## モンスターファーム\n"}
"""Where its section begins; it ends with the next."""
DOCS = Path(__file__).resolve().parents[2] / "docs"
MOVE = re.compile(r"`([1-4]:[^`]+|(?:drawn|turn-up|roll|lot|mix|equipment) [^`]+)`")
ROW = re.compile(r"^\| (`.*?) \|", re.MULTILINE)


def section(lang: str, game: str) -> str:
    """What the page says of one game."""
    before, heading, rest = (DOCS / lang / "notation.md").read_text("utf-8").partition(SECOND[lang])
    assert heading
    second, _, after = rest.partition("\n## ")
    return second if game == "rancher" else before + after


def shown(lang: str, game: str) -> list[str]:
    """The moves in the first column of the tables."""
    return [move for row in ROW.findall(section(lang, game)) for move in MOVE.findall(row)]


def tables(game: str) -> list[Position]:
    """Tables at which every move can be read."""
    if game == "monjan":
        return [kit(game).deal(mode="INIT", boards=boards) for boards in BOARDS]
    return [kit(game).position({"game": "rancher", "readings": READINGS, "players": {"1": {"deck": deck}, "2": {"deck": "QUARRY"}}}) for deck in ("MEADOW", "QUARRY")]


@pytest.mark.parametrize("game", ["monjan", "rancher"])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_move_of_the_tables_is_read_and_printed_as_it_stands_there(lang: str, game: str) -> None:
    moves = shown(lang, game)
    assert len(moves) > 25
    assert [text for text in moves if not any(printed(table, text) == text for table in tables(game))] == []


def printed(table: Position, text: str) -> str:
    """The move as it is printed; empty where it cannot be read."""
    try:
        return table.kit.move_text(table, table.kit.move(table, text))
    except DataError:
        return ""


@pytest.mark.parametrize("game", ["monjan", "rancher"])
def test_both_languages_show_the_same_moves(game: str) -> None:
    assert shown("en", game) == shown("ja", game)


def test_every_act_of_the_second_game_is_shown() -> None:
    verbs = {move.partition(":")[2].partition(" ")[0] or "draw" for move in shown("en", "rancher")} | {"draw"}
    assert {action.name.replace("_", "-") for table in tables("rancher") for action in table.rules.actions} <= verbs


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_keys_of_the_second_game_are_those_of_its_form(lang: str) -> None:
    form: Any = state_form(Names(()))
    player = next(part.form.item for part in form.parts if part.key == "players")
    monster = next(part.form.item for part in player.parts if part.key == "monsters")._record
    said = re.findall(r"^\| `(\w+)` \| `([^`]+)` \| (?:`(\w+)`)? *\|", section(lang, "rancher"), re.MULTILINE)
    parts = [*(part for part in form.parts if part.key not in ("game", "format")), *player.parts, *monster.parts]
    assert said == [(part.key, part.ja[0], part.code if part.code != part.key else "") for part in parts]
