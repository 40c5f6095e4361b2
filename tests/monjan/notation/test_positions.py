"""Positions of whole matches: state to data to line and back, without losing a cell; nothing is wrong with them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import monjudge.model.monjan.positions as positions
from monjudge.model.games import kit
from monjudge.model.notation.kit import Position
from monjudge.model.notation.source import read, write

KIT = kit("monjan")
URL_SAFE = re.compile(r"[A-Za-z0-9\-._~!$&'()*+,;=:@/?]*")
"""What may stand in the fragment of an address as it is (RFC 3986)."""
MATCHES = range(7)


@pytest.mark.parametrize("match", MATCHES)
def test_no_cell_of_a_match_is_lost_in_one_line(
    match: int, matches: Callable[..., Iterator[Any]], cells: Callable[[Position], Any]
) -> None:
    positions = [position for position, _ in matches(match, seed=match + 1, most=300)]
    assert len(positions) > 30
    for position in positions[9 :: len(positions) // 3]:
        line = KIT.line(position)
        again = KIT.position(line)
        assert cells(again) == cells(position), line
        assert KIT.line(again) == line
        assert URL_SAFE.fullmatch(line)


@pytest.mark.parametrize("match", MATCHES)
def test_line_yaml_and_json_say_the_same_at_every_step(match: int, matches: Callable[..., Iterator[Any]]) -> None:
    for number, (position, _) in enumerate(matches(match, seed=match + 11, most=100)):
        data = KIT.data(position)
        line = KIT.line(position)
        assert KIT.canonical("state", line) == data
        assert KIT.canonical("state", data) == data
        if number % 20 == 0:
            assert read(write(data, "yaml")).data == data
            assert json.loads(write(data, "json")) == data


@pytest.mark.parametrize("match", MATCHES)
def test_nothing_is_wrong_with_a_position_that_was_played(match: int, matches: Callable[..., Iterator[Any]]) -> None:
    for position, _ in matches(match, seed=match + 21, most=150):
        assert [str(d) for d in KIT.defects(position)] == [], KIT.line(position)


@pytest.mark.parametrize("match", MATCHES)
def test_every_legal_move_is_read_back_from_its_text(match: int, matches: Callable[..., Iterator[Any]]) -> None:
    for position, moves in matches(match, seed=match + 31, most=100):
        for move in moves[:25]:
            text = KIT.move_text(position, move)
            assert KIT.move(position, text) == move, text
            assert KIT.move(position, text.upper()) == move
            sentence = KIT.said(position, move)
            assert sentence.en.endswith(".") and sentence.ja.endswith("。")
            assert not re.search(r"[{}]", sentence.en + sentence.ja)


def test_a_position_in_the_middle_of_a_game_takes_about_two_hundred_characters() -> None:
    lengths = sorted(len(KIT.line(KIT.position(document))) for document in midgame())
    assert lengths[len(lengths) // 2] <= 220
    assert lengths[-1] <= 320


def midgame() -> Iterator[dict[str, Any]]:
    """The shipped positions of two players, rewritten from the form of cases to that of documents."""
    for row in Path(positions.__file__).with_name("midgame.jsonl").read_text("utf-8").splitlines():
        state = json.loads(row)["state"]
        players = {seat: player(state[name]) for seat, name in (("1", "A"), ("2", "B"))}
        known = {key: state[key] for key in ("turn", "mode", "deck", "et", "deck_top", "et_top") if key in state}
        players["1"]["discard"] = [card(word) for word in state.get("discard", ())]
        yield {**known, "players": players, "boss": [card(word) for word in state.get("ba", ())]}


def player(part: dict[str, Any]) -> dict[str, Any]:
    names = {"mana": "mana", "def": "defence", "atk": "attack", "hand": "hand", "fallen": "fallen", "supplied": "supplied", "board": "board"}
    found = {new: part[old] for old, new in names.items() if old in part}
    if isinstance(part.get("ex"), dict) and "card" in part["ex"]:
        found["extra"] = part["ex"]["card"]
    elif isinstance(part.get("ex"), str):
        found["extra"] = part["ex"]
    return found


def card(word: str) -> str:
    """Cases call an assassin A15, which is a wind card here."""
    return re.sub("^A([0-9]+)$", r"AS\1", word)
