"""Packs and decks: what is shipped will do, and every defect of a file is told at its path with its clause."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest

from monjudge.model.notation.defects import DataError
from monjudge.model.rancher.cards import STAT, Card, Catalogue
from monjudge.model.rancher.catalogue.convert import TWINS, to_json
from monjudge.model.rancher.catalogue.packs import FORMAT, default_pack, load_pack
from monjudge.model.rancher.decks import FORMAT as DECK
from monjudge.model.rancher.decks import deck_defects, load_deck, shipped_decks
from monjudge.model.rancher.set_up import table

FOLDER = files("monjudge.model.rancher.catalogue")


@pytest.mark.parametrize("twin", TWINS)
def test_the_json_twins_say_what_the_yaml_says(twin: str) -> None:
    source = FOLDER.joinpath(f"{twin}.yaml").read_text("utf-8")
    assert to_json(source) == FOLDER.joinpath(f"{twin}.json").read_text("utf-8")


def test_the_default_pack_is_large_enough_and_marked_as_own_design() -> None:
    pack = default_pack()
    count = Counter(card.type for card in pack.cards)
    assert count["MONSTER"] >= 12 and count["TRAINING"] == 10 and count["ATTACHMENT"] == 8
    assert count["EVENT"] == 8 and count["BATTLE"] == 6
    assert all(len(card.techniques) >= 2 for card in pack.cards if card.type == "MONSTER")
    assert {entry.origin for entry in pack.entries} == {"project"}
    assert "own design" in pack.name.en and "独自案" in pack.name.ja
    assert pack.warnings == ()


def test_every_card_of_the_default_pack_has_names_that_differ() -> None:
    names = [text for entry in default_pack().entries for text in entry.name]
    assert len(names) == len(set(names))


def test_every_technique_of_the_default_pack_has_a_name_in_each_language() -> None:
    techniques = [name for entry in default_pack().entries for name in entry.techniques]
    assert len(techniques) > 24
    assert all(re.search("[ぁ-んァ-ヶ一-龥]", name.ja) and name.en.isascii() for name in techniques)
    assert all(len(entry.techniques) == len(entry.card.techniques) for entry in default_pack().entries)


def test_a_technique_may_have_one_name_for_both_languages() -> None:
    monster = card("CAT", align="goody", stats={**STATS}, techniques=[{"name": "Paw", "range": 1, "damage": 1}, {"name": {"en": "x"}, "range": 2, "damage": 1}])
    with pytest.raises(DataError, match=r"monsters\[0\].techniques\[1\].name: ja is missing"):
        load_pack(pack(monsters=[monster]))
    del monster["techniques"][1]
    [entry] = load_pack(pack(monsters=[monster])).entries
    assert entry.techniques == (("Paw", "Paw"),)


def test_the_shipped_decks_are_legal_and_can_play_each_other() -> None:
    decks = list(shipped_decks().values())
    assert len(decks) == 2
    assert [deck_defects(deck.cards) for deck in decks] == [[], []]
    assert len(table((decks[0].cards, decks[1].cards)).catalogue) > 40


def pack(**parts: Any) -> str:
    return json.dumps({"format": FORMAT, "name": {"en": "Pack", "ja": "パック"}, **parts})


def card(id: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "name": {"en": id, "ja": f"札{id}"}, "pull": 3, "icon": "hold", **more}


STATS = dict.fromkeys(STAT.labels, 1)


@pytest.mark.parametrize(
    ("parts", "path", "says"),
    [
        ({"battles": [card("BOUT", pull=7)]}, "battles[0].pull", "7 lies outside 1..6"),
        ({"battles": [card("BOUT", icon="jump")]}, "battles[0].icon", '"jump" is not one of charge, retreat, hold, shove'),
        ({"battles": [card("BOUT"), card("BOUT")]}, "battles[1].id", "'BOUT' stands already at battles[0].id"),
        ({"battles": [card("bout")]}, "battles[0].id", "'bout' is no id"),
        ({"battles": [{"id": "BOUT"}]}, "battles[0]", "pull is missing"),
        ({"monsters": [card("CAT", align="goody", stats={**STATS, "life": 0}, techniques=[])]}, "monsters[0].stats", "a life of at least 1"),
        ({"monsters": [card("CAT", align="goody", stats={"power": 1}, techniques=[])]}, "monsters[0].stats", "life is missing"),
        ({"monsters": [card("CAT", align="goody", stats=STATS, techniques=[{"name": "x", "range": 5, "damage": 1}])]},
         "monsters[0].techniques[0].range", "5 lies outside 1..4"),
        ({"monsters": [card("CAT", align="goody", stats=STATS, techniques=[{"name": "x", "range": 1, "damage": "1.3"}])]},
         "monsters[0].techniques[0].damage", '"1.3" is not a multiplier'),
        ({"events": [card("RAIN", deeds=[{"do": "boost", "amount": 1}])]}, "events[0].deeds[0]", "boost has a stat"),
        ({"events": [card("RAIN", deeds=[{"do": "step", "amount": 1}])]}, "events[0].deeds[0]", "step cannot stand on a card of this type"),
        ({"events": [card("RAIN", deeds=[{"do": "draw", "amount": 1}, {"do": "speed", "amount": 1}])]}, "events[0]", "for one purpose only"),
        ({"attachments": [card("HAT", on="player", needs={"power": 1})]}, "attachments[0]", "of a player only fame"),
        ({"jokers": []}, "jokers", "unknown key"),
    ],
)  # fmt: skip
def test_every_defect_of_a_pack_is_told_at_its_path_in_both_languages(parts: dict[str, Any], path: str, says: str) -> None:
    with pytest.raises(DataError) as caught:
        load_pack(pack(**parts))
    found = [d for d in caught.value.defects if d.path == path and says in d.text.en]
    assert found, [str(d) for d in caught.value.defects]
    assert re.search("[ぁ-んァ-ヶ一-龥]", found[0].text.ja)


def test_an_effect_that_nobody_knows_is_carried_as_opaque_with_a_warning() -> None:
    read = load_pack(pack(events=[card("RAIN", deeds=[{"do": "flood"}])]))
    assert read.named("RAIN").is_opaque
    assert [w.path for w in read.warnings] == ["events[0].deeds[0]"]
    assert "'flood' is carried as opaque" in str(read.warnings[0])


def deck(**changes: int) -> str:
    cards = {card.name: count for card, count in shipped_decks()["MEADOW"].cards.items()} | changes
    return json.dumps({"format": DECK, "id": "MINE", "name": {"en": "Mine", "ja": "私の"}, "cards": cards})


def test_a_legal_deck_is_read() -> None:
    assert load_deck(deck(), default_pack()).cards == shipped_decks()["MEADOW"].cards


def test_a_deck_file_gets_every_defect_with_its_clause() -> None:
    with pytest.raises(DataError) as caught:
        load_deck(deck(ASH_HOUND=4, VILLAGE_BOUT=0, CUP_MATCH=0, NIGHT_MATCH=0, ASH_HOUND_TOY=1, DRAGON=1), default_pack())
    assert [(d.path, d.clause) for d in caught.value.defects] == [
        ("cards.DRAGON", ""), ("cards", "R.DECK.1"), ("cards.ASH_HOUND", "R.DECK.2"), ("cards", "R.DECK.3"), ("cards.ASH_HOUND_TOY", "R.PM.2"),
    ]  # fmt: skip


def test_a_deck_that_cannot_be_set_up_is_refused_although_every_clause_of_decks_holds() -> None:
    heavy = {Card(f"M{n}", "MONSTER", 5, "HOLD"): 3 for n in range(19)} | {Card("B", "BATTLE", 1, "HOLD"): 3}
    assert [(d.clause, d.text.en) for d in deck_defects(heavy)] == [
        ("R.SETUP.1", "R.SETUP.1: it cannot be set up: no monster with a pull number of at most four")
    ]


def test_a_table_refuses_illegal_decks_and_names_which() -> None:
    good = shipped_decks()["MEADOW"].cards
    with pytest.raises(DataError) as caught:
        table((good, {}))
    assert {d.path for d in caught.value.defects} == {"decks[1]"}
    assert [d.clause for d in caught.value.defects] == ["R.DECK.1", "R.DECK.3", "R.SETUP.1"]


def test_two_kinds_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two kinds have one name: CAT"):
        Catalogue([Card("CAT", "MONSTER", 1, "HOLD"), Card("CAT", "MONSTER", 2, "HOLD")])


def test_how_three_play_is_undetermined_by_the_text() -> None:
    good = shipped_decks()["MEADOW"].cards
    with pytest.raises(DataError, match=r"R\.META\.4: how 3 play is undetermined by the text") as caught:
        table((good, good, good))
    assert caught.value.defects[0].clause == "R.META.4"
