"""Moves: every legal one is read back and is a sentence, what people may write, and what is told of a text that is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from monjudge.model.games import kit
from monjudge.model.notation.defects import DataError
from monjudge.model.rancher.decks import shipped_decks
from monjudge.model.rancher.notation.moves import SENTENCES
from monjudge.model.rancher.readings import LIVE
from monjudge.model.rancher.rules import rancher
from monjudge.model.rancher.set_up import table

KIT = kit("rancher")
HERE = KIT.position("mr1/1=h=LIFTING.ASH_HOUND.CUP_MATCH.ITCH_POWDER.WHISTLE.LAMP_MOTH;m=MOSS_TURTLE:IRON_RAM;a=2/2=h=SPRINTS;m=FROG_SAGE")


@pytest.mark.parametrize("lot", range(5))
def test_every_legal_move_is_read_back_from_its_text_and_is_a_sentence(
    lot: int, games: Callable[[int, int, int], Iterator[tuple[Any, Any]]]
) -> None:
    for position, moves in games(lot, lot + 31, 200):
        for move in moves[:12]:
            text = KIT.move_text(position, move)
            assert KIT.move(position, text) == move, text
            assert KIT.move(position, text.lower()) == move
            sentence = KIT.said(position, move)
            assert sentence.en.endswith(".") and sentence.ja.endswith("。")
            assert not re.search(r"[{}]", sentence.en + sentence.ja)


def test_every_action_of_every_reading_has_a_sentence() -> None:
    decks = shipped_decks()
    rules = rancher(table((decks["MEADOW"].cards, decks["QUARRY"].cards), open=LIVE))
    assert {action.name for action in rules.actions} - SENTENCES.keys() == set()


@pytest.mark.parametrize(
    ("text", "canonical", "en", "ja"),
    [
        ("先手：訓練 重量挙げ ２", "1:train LIFTING 2", "Player 1 trains Iron Ram with Lifting.", "プレイヤー1は「鉄羊」に「重量挙げ」のトレーニングを試みる。"),
        ("1:place ash hound", "1:place ASH_HOUND", "Player 1 places Ash Hound on the field.", "プレイヤー1は「灰の猟犬」を場に出す。"),
        ("attach itch_powder 1", "1:attach ITCH_POWDER 1", "Player 1 attaches Itching powder to Frog Sage.", "プレイヤー1は「蛙仙人」に「かゆみ粉」を付ける。"),
        ("1:equip whistle", "1:equip WHISTLE", "Player 1 attaches Trainer's whistle to Player 1.", "プレイヤー1はプレイヤー1に「調教の笛」を付ける。"),
        ("1:attack running horn", "1:attack IRON_RAM.2", "Player 1 attacks with Running Horn.", "プレイヤー1は「走り角」で攻撃する。"),
        ("1:攻撃 走り角", "1:attack IRON_RAM.2", "Player 1 attacks with Running Horn.", "プレイヤー1は「走り角」で攻撃する。"),
        ("2:order sprints", "2:order SPRINTS", "Player 2 shows Sprints: Charge.", "プレイヤー2は「走り込み」を見せて指示する：前進。"),
        ("draw lifting", "draw LIFTING", "Lifting is drawn.", "「重量挙げ」が引かれる。"),
    ],
)  # fmt: skip
def test_what_people_write_is_a_move_and_a_sentence(text: str, canonical: str, en: str, ja: str) -> None:
    move = KIT.move(HERE, text)
    assert KIT.move_text(HERE, move) == canonical
    assert KIT.said(HERE, move) == (en, ja)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1:fly", "unreadable-move"), ("1:train LIFTING", "unreadable-move"), ("1:train LIFTING 9", "out-of-range"), ("1:place X", "unreadable-card"),
        ("1:place SUN_LION", "card-not-there"), ("1:attack Fang", "unreadable-move"), ("1:end 3", "unreadable-move"), ("3:end", "unreadable-move"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_move_is_refused(text: str, code: str) -> None:
    with pytest.raises(DataError) as caught:
        KIT.move(HERE, text)
    assert caught.value.defects[0].code == code


def test_a_card_comes_into_play_by_the_actions_of_its_type() -> None:
    names = {card: [name for name, _ in KIT.ways(HERE, card).actions] for card in ("LIFTING", "ASH_HOUND", "WHISTLE", "ITCH_POWDER", "CUP_MATCH")}
    assert names == {"LIFTING": ["train"], "ASH_HOUND": ["choose", "place"], "WHISTLE": ["equip"], "ITCH_POWDER": ["attach"], "CUP_MATCH": ["fight"]}


def test_facts_are_said_in_both_languages_and_bookkeeping_is_not() -> None:
    cards = HERE.about.setting.catalogue
    assert KIT.fact(HERE, "hand", (0, cards["LIFTING"]), 1) == ("Player 1's hand: Lifting ×1", "プレイヤー1の手札：「重量挙げ」1枚")
    assert KIT.fact(HERE, "injured", (1, 0), 1) == ("monster 1 of Player 2 is injured", "プレイヤー2の1番目のモンスターは負傷している")
    assert KIT.fact(HERE, "damage", (0,), 3) == ("damage of Player 1's monster: 1.5", "プレイヤー1のモンスターのダメージ：1.5")
    assert KIT.fact(HERE, "waited", (), 1) is None
