"""Decks, packs, profiles and lines of play: how they are told apart, their one form, and everything that is wrong with one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import monjudge.model.rancher.catalogue as catalogue
from monjudge.model import schemas
from monjudge.model.games import kit, kit_of
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.source import read, write
from monjudge.model.rancher.catalogue.packs import FORMAT as PACK
from monjudge.model.rancher.catalogue.packs import default_pack, load_pack
from monjudge.model.rancher.decks import FORMAT as DECK
from monjudge.solvers.play import Play

KIT = kit("rancher")


def shipped(name: str) -> Any:
    return json.loads(Path(catalogue.__file__).with_name(name).read_text("utf-8"))


MEADOW = {"format": DECK, **shipped("decks.json")["decks"][0]}
PROFILE = {"format": "monjudge-readings/1", "name": {"en": "Ours", "ja": "うち"}, "version": 1, "readings": {"AMB_AID": "BEFORE"}}
LOG = {"game": "rancher", "table": {"decks": ["MEADOW", "quarry"], "youngest": "後手"}, "moves": ["2:choose ASH_HOUND"]}
DOCUMENTS = [("deck", MEADOW), ("pack", shipped("default_pack.json")), ("readings", PROFILE), ("log", LOG), ("state", {"game": "rancher", "turn": 3})]


@pytest.mark.parametrize(("kind", "document"), DOCUMENTS, ids=[kind for kind, _ in DOCUMENTS])
def test_a_document_is_told_by_its_content_and_its_canonical_form_stays_what_it_is(kind: str, document: Any) -> None:
    assert KIT.kind(document) == kind
    data = KIT.canonical(kind, document)
    assert KIT.canonical(kind, data) == data
    assert read(write(data)).data == data
    jsonschema.validate(data, KIT.schema(kind))


def test_a_file_says_its_game_by_its_format() -> None:
    assert kit_of(MEADOW).name == kit_of({"format": PACK}).name == kit_of("mr1/t=3").name == kit_of({"ゲーム": "rancher"}).name == "rancher"


def test_the_canonical_default_pack_means_the_same_as_the_one_shipped() -> None:
    assert load_pack(json.dumps(KIT.canonical("pack", shipped("default_pack.json")))).entries == default_pack().entries


@pytest.mark.parametrize("kind", KIT.kinds)
def test_the_schemas_that_ship_are_those_of_the_forms(kind: str) -> None:
    assert schemas.path("rancher", kind).read_text("utf-8") == schemas.text("rancher", kind)
    jsonschema.Draft202012Validator.check_schema(json.loads(schemas.text("rancher", kind)))


def wrong(kind: str, document: Any) -> list[tuple[str, str, str]]:
    with pytest.raises(DataError) as caught:
        KIT.canonical(kind, document)
    return [(d.path, d.code, d.clause) for d in caught.value.defects]


def test_a_deck_is_told_all_its_defects_where_they_are_written() -> None:
    deck = {"format": DECK, "id": "MINE", "name": {"en": "Mine", "ja": "私の"}, "カード": {"峰竜": 4, "SUN_LION": 3, "ASH_HOUND_TOY": 1, "NOBODY": 2, "CUP_MATCH": 2}}
    assert sorted(wrong("deck", deck)) == sorted([
        ("カード.NOBODY", "unreadable-card", ""), ("カード", "deck-forbidden", "R.DECK.1"), ("カード.峰竜", "deck-forbidden", "R.DECK.2"),
        ("カード", "deck-forbidden", "R.DECK.3"), ("カード.ASH_HOUND_TOY", "deck-forbidden", "R.PM.2"),
    ])  # fmt: skip


@pytest.mark.parametrize("count", ["2", "２", True, 2.0])
def test_what_is_no_whole_number_is_no_number_of_cards(count: object) -> None:
    assert ("cards.CUP_MATCH", "wrong-value", "") in wrong("deck", {**MEADOW, "cards": {**MEADOW["cards"], "CUP_MATCH": count}})


def test_a_deck_that_cannot_be_set_up_is_told_so() -> None:
    cards = {card.name: 3 for card in default_pack().cards if card.type != "MONSTER"}
    heavy = {**MEADOW, "cards": {**dict(list(cards.items())[-18:]), "PEAK_WYRM": 3, "TIDE_EEL": 3}}
    assert wrong("deck", heavy) == [("cards", "deck-forbidden", "R.SETUP.1")]


def test_a_deck_may_bring_cards_of_its_own() -> None:
    gust = {"id": "GUST", "name": {"en": "Gust", "ja": "突風"}, "pull": 2, "icon": "charge", "deeds": [{"do": "draw", "amount": 1}]}
    cards = {**MEADOW["cards"], "GUST": 2}
    del cards["TAILWIND"]
    data = KIT.canonical("deck", {**MEADOW, "cards": cards, "own": {"events": [gust]}})
    assert data["cards"]["GUST"] == 2
    assert wrong("deck", {**MEADOW, "cards": cards})[0][0] == "cards.GUST"


def test_a_pack_is_told_its_defects_at_their_paths() -> None:
    lame = {"id": "LAME", "name": {"en": "Lame", "ja": "弱"}, "pull": 9, "icon": "fly", "align": "goody", "stats": {"power": 1}}
    assert [path for path, _, _ in wrong("pack", {"format": PACK, "name": {"en": "P", "ja": "P"}, "monsters": [lame]})] == [
        "monsters[0].pull", "monsters[0].icon"]  # fmt: skip
    lame |= {"pull": 1, "icon": "hold"}
    assert "monsters[0].stats" in [p for p, _, _ in wrong("pack", {"format": PACK, "name": {"en": "P", "ja": "P"}, "monsters": [lame]})]


def test_a_match_is_dealt_with_named_decks_or_documents_of_decks() -> None:
    assert KIT.line(KIT.deal()) == "mr1/p=CHOOSE/t=0/1=d=MEADOW/2=d=QUARRY"
    assert KIT.line(KIT.deal(boards=["quarry", MEADOW])) == "mr1/p=CHOOSE/t=0/1=d=QUARRY/2=d=MEADOW"
    changed = {**MEADOW["cards"], "SPRINTS": 3, "LIFTING": 1}
    own = KIT.deal(boards=[{**MEADOW, "cards": changed}, "QUARRY"])
    assert KIT.position(KIT.line(own)).state == own.state
    with pytest.raises(DataError, match=r"R\.META\.4"):
        KIT.deal(players=3)
    with pytest.raises(DataError, match="two decks are needed"):
        KIT.deal(boards=[MEADOW])


def test_a_line_of_play_that_begins_at_a_table_is_replayed() -> None:
    log = KIT.log(LOG)
    play = Play(log.position.rules)
    after = play.reference.step(play.reference.settle(log.position.state), KIT.move(log.position, log.moves[0]))
    assert KIT.line(log.position.at(after)) == "mr1/p=CHOOSE/t=0/f=2/y=2/1=d=MEADOW/2=d=QUARRY;m=ASH_HOUND*n"
    again = KIT.log(KIT.log_data(log))
    assert again.position.state == log.position.state and again.moves == log.moves
