"""Small games get their words from their rule sets: what is written is read back, what will not do is told."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from monjudge.model.games import games, kit, kit_of
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.source import read, write
from monjudge.model.small import GAMES
from monjudge.solvers.play import Play


@pytest.mark.parametrize("game", GAMES)
def test_every_position_and_move_of_a_random_play_is_written_and_read_back(game: str) -> None:
    words = kit(game)
    play = Play(words.deal().rules)
    record = play.random(seed=3, most=40)
    schema = words.schema("state")
    for state, move in zip((record.start, *record.states), record.moves, strict=False):
        here = words.deal().at(state)
        assert words.position(words.line(here)).state == state
        assert words.position(read(write(words.data(here))).data).state == state
        assert kit_of(words.line(here)) is words and kit_of(words.data(here)) is words
        assert words.move(here, words.move_text(here, move)) == move
        assert words.said(here, move).en.endswith(".") and words.said(here, move).ja.endswith("。")
        jsonschema.validate(words.data(here), schema)


@pytest.mark.parametrize("game", GAMES)
def test_the_schemas_of_a_small_game_are_schemas(game: str) -> None:
    for kind in kit(game).kinds:
        jsonschema.Draft202012Validator.check_schema(kit(game).schema(kind))


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"game": "nim", "heap": [9, 0, 0]}, "heap[0]: 9 is not one of 0..5"),
        ({"game": "nim", "heap": [1, 2]}, "heap: a list of 3 is needed"),
        ({"game": "nim", "heaps": [1, 2, 3]}, "heaps: unknown key"),
        ({"game": "chess"}, "no game is called 'chess'"),
        ("nim1/heap=1,2", "a list of 3 is needed"),
        ("nim2/heap=1,2,3", "character 1: 'nim2/heap=1,', where nim1 would do"),
        ("chess1/turn=1", "no game is called 'chess'"),
        ("nim12", "where nim1 would do"),
        ("nim1/heep=1,2,3", "character 6: 'heep=1,2,3', where heap= or turn= would do"),
        ("nim1/turn=1/turn=0", "character 13"),
        ("nim1 turn=1", "character 5"),
        ("nim1/turn=7", "turn: 7 is not one of 0..1"),
        ({"game": "tic-tac-toe", "turn": True}, "True is not one of 0..1"),
        ([1], "a state is an object"),
    ],
)
def test_a_state_that_will_not_do_is_told(document: Any, says: str) -> None:
    with pytest.raises(DataError) as caught:
        kit_of(document if not isinstance(document, list) else "nim1").position(document)
    assert says in str(caught.value)
    assert all(defect.text.ja for defect in caught.value.defects)


@pytest.mark.parametrize(
    ("game", "text", "says"),
    [
        ("nim", "take 0 9", "count is one of 1..5"),
        ("nim", "take 1", "take heap count"),
        ("nim", "grab 1 1", "a move begins with take"),
        ("rock-paper-scissors", "choose rock", "say who moves"),
        ("rock-paper-scissors", "3:choose rock", "say who moves"),
        ("rock-paper-scissors", "1:choose lizard", "what is one of rock, paper, scissors"),
    ],
)
def test_a_text_that_is_no_move_is_told_what_would_do(game: str, text: str, says: str) -> None:
    with pytest.raises(DataError) as caught:
        kit(game).move(kit(game).deal(), text)
    assert says in str(caught.value)


def test_a_log_keeps_its_start_and_its_moves() -> None:
    words = kit("nim")
    document = {"game": "nim", "start": {"heap": [2, 1, 0]}, "moves": ["take 0 2", "take 1 1"]}
    assert words.kind(document) == "log"
    assert words.canonical("log", document) == document
    assert words.log(document).position.state == words.position("nim1/heap=2,1,0").state


def test_the_first_game_is_meant_where_none_is_named() -> None:
    assert kit_of({"turn": 3}).name == kit_of("anything").name == games()[0]
