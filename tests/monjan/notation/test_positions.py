"""Positions of whole matches: state to data to line and back, without losing a cell; nothing is wrong with them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

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
    assert len(positions) > 60
    for position in positions[7 :: len(positions) // 5]:
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


def midgame() -> list[dict[str, Any]]:
    import monjudge.model.monjan.positions as folder

    lines = (Path(folder.__file__).with_name("midgame.jsonl")).read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]
