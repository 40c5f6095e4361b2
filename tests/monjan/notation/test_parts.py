"""What a position says although its mode, its players or its readings have no use for it, is told and never brings the reader down."""

from __future__ import annotations

from typing import Any

import pytest

from monjudge.model.games import kit
from monjudge.model.notation.defects import DataError

KIT = kit("monjan")

FOREIGN: list[tuple[dict[str, Any], str, dict[str, Any]]] = [
    ({"players": {"1": {"beneath": {"C": "F3"}}}}, "players.1.beneath", {"readings": {"A07": "STACK"}}),
    ({"players": {"先手": {"防御の下": {"C": "F3"}}}}, "players.先手.防御の下", {"readings": {"A07": "STACK"}}),
    ({"players": {"1": {"picks": 2}}}, "players.1.picks", {"phase": "DRAFT"}),
    ({"first_pick": 2}, "first_pick", {"phase": "DRAFT"}),
    ({"players": {"1": {"played": ["+6"]}}}, "players.1.played", {"readings": {"A31": "AUX_ONCE_EACH"}}),
    ({"battle": {"attacker": 3}}, "battle.attacker", {"players": {"3": {}}}),
    ({"pending": {"player": 4}}, "pending.player", {"players": {"4": {}}}),
    ({"players": {"1": {"place": 3}}}, "players.1.place", {"players": {"1": {"place": 3}, "4": {}}}),
]  # fmt: skip
"""A document, the path of what plays no part in it, and what must be added for it to play one."""


@pytest.mark.parametrize(("document", "path", "more"), FOREIGN)
def test_what_plays_no_part_is_told_at_its_key(document: dict[str, Any], path: str, more: dict[str, Any]) -> None:
    with pytest.raises(DataError) as told:
        KIT.position(document)
    assert [(d.path, d.code in ("no-part", "out-of-range")) for d in told.value.defects] == [(path, True)]
    assert KIT.position({**document, **more})


def test_a_line_names_the_place_of_what_plays_no_part() -> None:
    with pytest.raises(DataError) as told:
        KIT.position("mc1/1=n=,F3/2=b=ATELIER")
    [defect] = told.value.defects
    assert defect.place is not None and defect.place.column == 9


def test_everything_that_plays_no_part_is_told_at_once() -> None:
    with pytest.raises(DataError) as told:
        KIT.position({"first_pick": 2, "players": {"1": {"beneath": {"C": "F3"}, "picks": 1}, "2": {"lot": 4}}})
    assert [d.path for d in told.value.defects] == ["players.1.beneath", "players.1.picks", "players.2.lot", "first_pick"]


@pytest.mark.parametrize("mode", ["BASIC", "INIT", "URA_EXTRA"])
@pytest.mark.parametrize("players", ["2", "3", "4"])
@pytest.mark.parametrize("more", [{}, {"hidden": True}, {"readings": {"A01": "MULLIGAN"}}])
def test_a_table_on_which_no_card_lies_is_a_position(mode: str, players: str, more: dict[str, Any]) -> None:
    position = KIT.position({"mode": mode, "players": {players: {}}, **more})
    assert KIT.position(KIT.line(position)).state == position.state
    assert KIT.defects(position) == []
