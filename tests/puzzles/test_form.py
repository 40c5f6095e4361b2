"""The written form of puzzles: round trips, the schema, and every defect at its line and column."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from monjudge import puzzles
from monjudge.model.games import games
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.source import write
from monjudge.puzzles.form import schema

FORK = """\
format: monjudge-puzzle/1
game: tic-tac-toe
title: {en: Fork, ja: 両取り}
author: somebody
start:
  game: tic-tac-toe
  cell: [1, 2, 0, 0, 0, 0, 0, 0, 0]
solution:
  moves: [place 4, place 8, place 3, place 6, place 5]
  variations: [{at: 2, moves: [place 2, place 8], ends: reached}]
"""


def test_a_puzzle_is_the_same_in_every_form() -> None:
    one = puzzles.read(FORK)
    assert list(one.defects()) == []
    for text in (one.line, write(dict(one.data), "json"), write(dict(one.data), "yaml")):
        again = puzzles.read(text)
        assert again == one and again.line == one.line
    assert write(dict(one.data), "yaml") == FORK


@pytest.mark.parametrize("game", games())
def test_there_is_a_schema_for_the_puzzles_of_every_game(game: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(game))


def test_the_schema_admits_what_is_read_and_refuses_what_is_not() -> None:
    admits = jsonschema.Draft202012Validator(schema("tic-tac-toe"))
    data: dict[str, Any] = dict(puzzles.read(FORK).data)
    assert admits.is_valid(data)
    assert not admits.is_valid({**data, "tittle": "x"}) and not admits.is_valid({**data, "turns": 0})


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "column"),
    [
        ("author: somebody", "autor: somebody", "unknown-key", 4, 1),
        ("author: somebody\n", "", "missing-key", 1, 1),
        ("game: tic-tac-toe\ntitle", "game: tictactoe\ntitle", "unknown-word", 2, 7),
        ("cell: [1", "cel: [1", "unknown-key", 7, 3),
        ("ends: reached", "ends: maybe", "unknown-word", 10, 57),
        ("at: 2", "at: 0", "out-of-range", 10, 21),
        ("author: somebody", "author: somebody\nplayer: 5", "unknown-word", 5, 9),
        ("author: somebody", "author: somebody\nchance: luck", "unknown-word", 5, 9),
    ],
)
def test_what_cannot_be_read_is_told_at_its_place(old: str, new: str, code: str, line: int, column: int) -> None:
    assert old in FORK
    with pytest.raises(DataError) as error:
        puzzles.read(FORK.replace(old, new, 1))
    found = [(d.code, d.place.line, d.place.column) for d in error.value.defects if d.place]
    assert (code, line, column) in found


@pytest.mark.parametrize(
    ("old", "new", "path", "said"),
    [
        ("place 5]", "place 4]", "solution.moves[4]", "not legal"),
        ("place 5]", "place]", "solution.moves[4]", ""),
        (", place 5]", "]", "solution.moves", "not reached"),
        ("at: 2, moves: [place 2, place 8]", "at: 2, moves: [place 2]", "solution.variations[0].moves", "not reached"),
        ("at: 2", "at: 7", "solution.variations[0].at", "5 moves"),
        ("author: somebody", "author: somebody\ngoal: beauty", "goal", "beauty"),
        ("author: somebody", "author: somebody\nplayer: 3", "player", "2 players"),
        ("author: somebody", "author: somebody\nturns: 1", "turns", "does not declare"),
        ("author: somebody", "author: somebody\ntold: [A1]", "told[0]", "no reading switch"),
    ],
)
def test_what_is_not_so_is_told_at_its_path(old: str, new: str, path: str, said: str) -> None:
    assert old in FORK
    found = list(puzzles.read(FORK.replace(old, new, 1)).defects())
    assert any(d.path == path and said in d.text.en and d.text.ja for d in found)


def test_a_twin_is_a_puzzle_with_a_small_change() -> None:
    twin = "twins:\n- {name: b, text: {en: Player 2 has the centre., ja: 中央は相手。}, change: {cell: [1, 0, 0, 0, 2, 0, 0, 0, 0]}}\n"
    one = puzzles.read(FORK + twin)
    other = one.twins["b"]
    assert other.data["start"]["cell"][4] == 2 and other.solution == () and other.title == one.title
    with pytest.raises(DataError) as error:
        puzzles.read(FORK + twin.replace("cell: [1, 0", "sell: [1, 0"))
    assert [d.path for d in error.value.defects] == ["twins[0].change"]
