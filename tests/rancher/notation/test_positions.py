"""Positions of whole games: state to data to line and back, without losing a cell; nothing is wrong with them; they can be drawn."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema
import pytest

from monjudge.model.games import kit
from monjudge.model.language import RuleSet
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.source import read, write
from monjudge.model.rancher.catalogue.packs import default_pack
from monjudge.model.rancher.decks import shipped_decks
from monjudge.model.rancher.notation.fields import KNOWN
from monjudge.model.rancher.readings import LIVE
from monjudge.model.rancher.rules import rancher
from monjudge.model.rancher.set_up import table
from monjudge.model.rancher.texts import switch_texts

KIT = kit("rancher")
URL_SAFE = re.compile(r"[A-Za-z0-9\-._~!$&'()*+,;=:@/?]*")
"""What may stand in the fragment of an address as it is (RFC 3986)."""
LOTS = range(5)
Games = Callable[[int, int, int], Iterator[tuple[Any, Any]]]


@pytest.mark.parametrize("lot", LOTS)
def test_no_cell_of_a_game_is_lost_in_one_line(lot: int, games: Games) -> None:
    positions = [position for position, _ in games(lot, lot + 1, 240)]
    assert len(positions) > 30
    for position in positions[::6]:
        line = KIT.line(position)
        again = KIT.position(line)
        assert again.state == position.state, line
        assert KIT.line(again) == line
        assert URL_SAFE.fullmatch(line)


@pytest.mark.parametrize("lot", LOTS)
def test_line_yaml_and_json_say_the_same(lot: int, games: Games) -> None:
    schema = jsonschema.Draft202012Validator(KIT.schema("state"))
    for number, (position, _) in enumerate(games(lot, lot + 11, 200)):
        if number % 9 == 0:
            data = KIT.data(position)
            assert KIT.canonical("state", KIT.line(position)) == data
            assert KIT.canonical("state", data) == data
            assert [e.message for e in schema.iter_errors(data)] == []
        if number % 45 == 0:
            assert read(write(data, "yaml")).data == data
            assert json.loads(write(data, "json")) == data


@pytest.mark.parametrize("lot", LOTS)
def test_nothing_is_wrong_with_a_position_that_was_played_and_it_can_be_drawn(lot: int, games: Games) -> None:
    for number, (position, _) in enumerate(games(lot, lot + 21, 200)):
        if number % 4 == 0:
            assert [str(d) for d in KIT.defects(position)] == [], KIT.line(position)
            for viewer in (None, 0, 1):
                assert len(list(KIT.picture(position, viewer).areas)) == 3


def test_a_viewer_sees_the_other_hand_by_its_number_only(games: Games) -> None:
    position = next(p for p, moves in games(0, 1, 300) if moves and moves[0].action == "order")
    secret = KIT.picture(position, 0)
    hands = {zone.key: zone for zone in secret.zones() if zone.key.endswith("hand")}
    assert all(not piece.hidden for piece in hands["1.hand"].pieces)
    assert all(piece.hidden for piece in hands["2.hand"].pieces) and hands["2.hand"].size
    arena = next(zone for zone in secret.zones() if zone.key == "arena")
    assert [piece.suit for piece in arena.pieces] == ["1", "", "", "", "2"]


def test_every_field_of_every_reading_has_a_key() -> None:
    decks, texts = shipped_decks(), switch_texts()
    cards = (decks["MEADOW"].cards, decks["QUARRY"].cards)

    def fields(rules: RuleSet) -> set[str]:
        return {family.name for family in rules.families if not family.config}

    seen = fields(rancher(table(cards, open=LIVE)))
    for id in LIVE:
        for value in texts[id].values:
            if value not in texts[id].undetermined:
                seen |= fields(rancher(table(cards, {id: value})))
    assert seen <= KNOWN
    assert {"waiting", "covered", "away", "pending", "rounds", "lost", "faster"} <= seen


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("プレイヤー: {先手: {手札: [灰の猟犬, lifting], モンスター: [蛙仙人]}}\ngame: rancher", "mr1/1=h=ASH_HOUND.LIFTING;m=FROG_SAGE"),
        ("game: rancher\nplayers: {1: {library: {LIFTING: 2}, damage: 1.5}}", "mr1/1=l=2LIFTING;w=1.5"),
        ("game: rancher\nplayers: {2: {monsters: ['-', {card: IRON_RAM, gear: [ITCH_POWDER], injured: true}], active: null}}",
         "mr1/2=m=-:IRON_RAM*g=ITCH_POWDER*i"),
        ("game: rancher\nreadings: {amb_aid: before}\nstep: ACTIVE\nturn: 3\nword: 2", "mr1/p=ACTIVE/t=3/w=2/R=AMB_AID.BEFORE"),
    ],
)  # fmt: skip
def test_what_people_write_is_read(text: str, line: str) -> None:
    assert KIT.line(KIT.position(read(text).data)) == line
    assert KIT.canonical("state", line) == KIT.canonical("state", read(text).data)


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        ("mr1/1=h=2LIFTING;l=2LIFTING", "R.DECK.2"), ("mr1/1=d=MEADOW;h=PEAK_WYRM", "R.COMP.1"),
        ("mr1/1=m=ASH_HOUND:ASH_HOUND:ASH_HOUND:LAMP_MOTH:LAMP_MOTH:LAMP_MOTH", "R.MON.3"), ("mr1/1=m=ASH_HOUND;a=2", "R.MON.4"),
        ("mr1/1=m=ASH_HOUND*i;a=1", "R.INJ.1"), ("mr1/1=m=ASH_HOUND_TOY", "R.PM.2"), ("mr1/1=m=ASH_HOUND*g=WHISTLE", "R.ATT.3"),
        ("mr1/1=m=ASH_HOUND*g=SPIKED_COLLAR.CHARM_COLLAR", "R.ATT.5"), ("mr1/1=m=-*r=LIFTING", "R.TRAIN.2"),
        ("mr1/p=MOVE/1=m=ASH_HOUND;a=1;s=1/2=m=LAMP_MOTH;a=1", "R.ARENA.2"),
        ("mr1/p=MOVE/1=m=ASH_HOUND;a=1;s=2/2=m=LAMP_MOTH;a=1;s=2", "R.MOVE.11"),
        ("mr1/b=LIFTING", "R.BAT.2"), ("mr1/p=JUDGE/tr=1/co=TAILWIND/1=m=ASH_HOUND", "R.TRAIN.7"), ("mr1/1=f=3/2=f=4", "R.WIN.2"),
    ],
)  # fmt: skip
def test_what_cannot_lie_on_a_table_is_told_with_its_clause(line: str, clause: str) -> None:
    found = [d.clause for d in KIT.defects(KIT.position(line))]
    assert [c for c in found if c != "R.SETUP.1"] == [clause]  # most of these lines name the monsters of one player only


def test_a_player_without_any_monster_is_told_so_past_the_set_up_only() -> None:
    assert [(d.path, d.clause) for d in KIT.defects(KIT.position("mr1/1=m=ASH_HOUND*i"))] == [("players.2", "R.SETUP.1")]
    assert KIT.defects(KIT.position("mr1/p=CHOOSE/t=0")) == []


def test_three_fame_counters_of_both_end_the_game_unless_victory_waits_for_the_end_of_the_turn() -> None:
    fields = "1=m=ASH_HOUND;f=3/2=m=LAMP_MOTH;f=3"
    assert KIT.defects(KIT.position(f"mr1/p=CLEAR/{fields}")) == []
    assert KIT.defects(KIT.position(f"mr1/R=AMB_WINTIE.END_OF_TURN/{fields}")) == []


def test_too_many_copies_in_one_place_are_counted_with_their_card() -> None:
    with pytest.raises(DataError, match="4 cards SPRINTS, at most 3 can lie in one place"):
        KIT.position("mr1/1=h=4SPRINTS")


def test_an_empty_pile_is_said_once() -> None:
    position = KIT.position("mr1/1=h=LIFTING;m=ASH_HOUND/2=m=LAMP_MOTH")
    kinds = range(len(position.about.setting.catalogue))
    assert {KIT.fact(position, "library", (0, kind), 0) for kind in kinds} == {("Player 1's library is empty", "プレイヤー1の山札は空")}
    assert KIT.fact(position, "hand", (0, 0), 0) is None


@pytest.mark.parametrize(
    ("line", "column"), [("mr1/1=h=NOBODY", 9), ("mr1/p=NOW", 7), ("mr2/t=3", 1), ("mr1/1=h=ASH_HOUND;q=3", 19), ("mr1/1=m=LIFTING", 9)]
)
def test_a_line_is_refused_at_the_character_that_will_not_do(line: str, column: int) -> None:
    with pytest.raises(DataError) as caught:
        KIT.position(line)
    assert [d.place.column for d in caught.value.defects if d.place] == [column]


def test_cards_of_ones_own_are_known_in_the_document_and_in_its_line() -> None:
    gust = {"id": "GUST", "name": {"en": "Gust", "ja": "突風"}, "pull": 2, "icon": "charge", "deeds": [{"do": "draw", "amount": 1}]}
    position = KIT.position({"game": "rancher", "cards": {"events": [gust]}, "players": {"1": {"hand": ["突風", "LIFTING"]}}})
    again = KIT.position(KIT.line(position))
    assert again.state == position.state and KIT.data(again) == KIT.data(position)
    assert KIT.data(position)["players"] == {"1": {"hand": ["LIFTING", "GUST"]}}


def test_a_position_knows_more_cards_when_a_move_or_everything_is_asked_about() -> None:
    position = KIT.position("mr1/1=h=LIFTING;m=FROG_SAGE")
    wider = KIT.knowing(position, "1:place 苔亀")
    assert KIT.line(wider) == KIT.line(position)
    assert KIT.move(wider, "1:place 苔亀").action == "place"
    assert len(KIT.whole(position).about.setting.catalogue.cards) == len(default_pack().cards) + 1
