"""Moves: what people may write for each, what is told of a text that is none, and that every action has its words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from monjudge.model.games import kit
from monjudge.model.language import NATURE, Action, Family, Move, RuleSet
from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.catalogue.packs import default_pack
from monjudge.model.monjan.notation.fields import KNOWN
from monjudge.model.monjan.notation.moves import SPELLED
from monjudge.model.monjan.notation.position import written
from monjudge.model.monjan.notation.said import TEMPLATES
from monjudge.model.monjan.readings import LIVE
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.set_up import table
from monjudge.model.monjan.texts import switch_texts
from monjudge.model.notation.defects import DataError

KIT = kit("monjan")
HERE = KIT.position(
    "mc1/t=3/1=b=FLEHEIM;h=F3W2N4F+6.sl.tc;m=F3N7N5,W5,E2;d=,W11:9;a=F4/2=b=HUNTERS;h=F9;d=,N13:9/D=rest"
)


@pytest.mark.parametrize(
    ("text", "canonical", "en", "ja"),
    [
        ("先手：マナ 火3 左", "1:mana F3 L", "Player 1 lays fire 3 as mana on the left.", "プレイヤー1は左のマナに火3を置く。"),
        ("1: MANA f3 l", "1:mana F3 L", "Player 1 lays fire 3 as mana on the left.", "プレイヤー1は左のマナに火3を置く。"),
        ("1:attack W2 中央", "1:attack W2 C", "Player 1 places water 2 on attack in the centre.", "プレイヤー1は中央の攻撃に水2を置く。"),
        ("1:summon Tide Caller pair", "1:summon TIDE_CALLER pair", "Player 1 summons Tide Caller by its pair of elements.",
         "プレイヤー1は属性で「潮を呼ぶ者」を召喚する。"),
        ("先手:召喚 潮を呼ぶ者 属性", "1:summon TIDE_CALLER pair", "Player 1 summons Tide Caller by its pair of elements.",
         "プレイヤー1は属性で「潮を呼ぶ者」を召喚する。"),
        ("1:attack water 2 C", "1:attack W2 C", "Player 1 places water 2 on attack in the centre.", "プレイヤー1は中央の攻撃に水2を置く。"),
        ("1:召喚 投石手 右 払う L1", "1:summon SLINGER R pay L1", "Player 1 summons Slinger on the right, paying 1 mana from the left.",
         "プレイヤー1は左から1枚のマナを払って右に「投石手」を召喚する。"),
        ("1:boss pay L1M1R1", "1:boss pay L1C1R1",
         "Player 1 turns up a boss card for this turn, paying 1 mana from the left, 1 from the centre and 1 from the right.",
         "プレイヤー1は左から1枚、中央から1枚、右から1枚のマナを払ってこのターンだけのボスアサカードをめくる。"),
        ("2:エンド", "2:end", "Player 2 ends the edit turn.", "プレイヤー2は編集ターンを終える。"),
        ("drawn F3", "drawn F3", "Fire 3 is drawn.", "火3が引かれる。"),
        ("roll 4", "roll 4", "The die shows 4.", "サイコロの目は4。"),
        ("1:skill tide_caller 1", "1:skill TIDE_CALLER 1", "Player 1 uses the first skill of Tide Caller.", "プレイヤー1は「潮を呼ぶ者」の1番目のスキルを使う。"),
        ("1:skill TINKER 1 右", "1:skill TINKER 1 R", "Player 1 uses the first skill of Tinker on their own right.",
         "プレイヤー1は「いかけ屋」の1番目のスキルを自分の右に使う。"),
        ("1:skill JABBERWOCK 2 L pay C2", "1:skill JABBERWOCK 2 L pay C2",
         "Player 1 uses the second skill of Jabberwock on the opponent's left, paying 2 mana from the centre.",
         "プレイヤー1は中央から2枚のマナを払って「ジャバウォック」の2番目のスキルを相手の左に使う。"),
        ("1:strike al", "1:strike AL", "Player 1 attacks with the left attack card.", "プレイヤー1は左の攻撃カードで攻撃する。"),
    ],
)  # fmt: skip
def test_what_people_write_is_a_move_and_a_sentence(text: str, canonical: str, en: str, ja: str) -> None:
    move = KIT.move(HERE, text)
    assert KIT.move_text(HERE, move) == canonical
    assert KIT.said(HERE, move) == (en, ja)


@pytest.mark.parametrize(
    ("text", "code", "column", "says"),
    [
        ("1:fly F3", "unreadable-move", 3, "a verb"),
        ("1:mulligan", "no-part", 3, "a verb of this position"),
        ("1:mana F3 Q", "unreadable-move", 11, "a column, L C or R"),
        ("1:mana F3", "unreadable-move", 10, "a column"),
        ("1:mana", "unreadable-card", 7, "a card"),
        ("1:mana X9 L", "unreadable-card", 8, "is no card"),
        ("1:mana W9 L C", "unreadable-move", 13, "the end"),
        ("mana F3 L", "whose-move", 1, "the player in front"),
        ("3:mana F3 L", "unreadable-move", 1, "a player, 1..2"),
        ("1:summon SLINGER L pay L2", "wrong-payment", 24, "a payment of 1 mana"),
        ("1:summon SLINGER L pay X", "unreadable-move", 24, "L2C1"),
        ("1:summon TIDE_CALLER L", "unreadable-move", 22, "pair or number"),
        ("1:strike AX", "unreadable-move", 10, "AL or AC"),
        ("1:skill TIDE_CALLER 9 L", "out-of-range", 21, "1..3"),
        ("1:skill TINKER 1", "unreadable-move", 17, "a column"),
        ("", "unreadable-move", 1, "a verb"),
    ],
)
def test_a_text_that_is_no_move_is_told_at_its_character(text: str, code: str, column: int, says: str) -> None:
    with pytest.raises(DataError) as caught:
        KIT.move(HERE, text)
    [defect] = caught.value.defects
    assert defect.place is not None
    assert (defect.code, defect.place.column) == (code, column)
    assert says in defect.text.en and defect.text.ja


def rule_sets() -> Iterator[RuleSet]:
    """Small tables under every value of every live reading, several at once: the first value of each, then the second, ..."""
    texts = switch_texts()
    boards = [PRINTED["FLEHEIM"], PRINTED["MANAST"], PRINTED["HUNTERS"]]
    most = max(len(texts[id].values) for id in LIVE)
    for n in range(most):
        readings = {id: list(texts[id].values)[min(n, len(texts[id].values) - 1)] for id in LIVE}
        readings |= {"A46": "DIE", "A138": texts["A138"].default, "A149": texts["A149"].default} if n % 2 else {}
        yield monjan(table(default_pack(), "INIT", boards, readings, hiding=True, slots=4))


RULES = list(itertools.islice(rule_sets(), 6))


def actions() -> dict[str, Action]:
    return {action.name: action for rules in RULES for action in rules.actions}


def test_every_action_has_a_verb_and_a_sentence_in_both_languages() -> None:
    assert len(actions()) > 38
    assert actions().keys() - SPELLED.keys() == set()
    assert actions().keys() - TEMPLATES.keys() == set()
    for en, ja in TEMPLATES.values():
        assert set(re.findall(r"\{\w+\}", en)) == set(re.findall(r"\{\w+\}", ja)) and ja.endswith("。")


def test_every_parameter_of_an_action_has_words() -> None:
    wordless = {
        (action.name, param.name) for rules in RULES for action in rules.actions for param in action.params
        if param.name not in {p for piece in SPELLED[action.name].pieces for p in piece.params}
    }  # fmt: skip
    assert wordless == set()


def test_every_field_of_a_state_has_a_key() -> None:
    fields = {f.name for rules in RULES for f in rules.families if not f.config}
    assert len(fields) > 100
    assert fields - KNOWN == set()


def test_a_state_with_a_field_that_has_no_key_is_refused() -> None:
    weather = Family.of("weather", (), 0, 2, is_bool=False, default=0, init=(0,), config=False, axes=(), labels=None)
    rules = replace(HERE.rules, families=(*HERE.rules.families, weather))
    assert written(rules, (*HERE.state, 0), HERE.about) == KIT.data(HERE)
    with pytest.raises(LookupError, match="no key for the field 'weather'"):
        written(rules, (*HERE.state, 1), HERE.about)


def test_moves_that_are_not_legal_can_be_written_and_said_too() -> None:
    rng = Random(9)
    for action in HERE.rules.actions:
        for _ in range(30):
            move = Move(action.name, NATURE if action.is_chance else rng.randrange(2), tuple(rng.choice(p.values) for p in action.params))
            assert KIT.move_text(HERE, move) and KIT.said(HERE, move).en and KIT.said(HERE, move).ja


def test_damaged_moves_are_read_or_told() -> None:
    rng = Random(10)
    texts = ["1:summon SLINGER R pay L1", "先手:マナ 火3 左", "1:skill JABBERWOCK 2 L pay C2", "2:strike AL", "drawn F3", "1:tea F3 for W2"]
    read = 0
    for _ in range(3000):
        text = rng.choice(texts)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(["", " ", ":", "1", "L", "-", "X", "火", "\x00", "9999999", "　", "~", "down"]) + text[at + rng.randint(0, 2) :]
        try:
            KIT.move_text(HERE, KIT.move(HERE, text))
            read += 1
        except DataError as error:
            assert all(d.place is not None and d.text.en and d.text.ja and d.label for d in error.defects)
    assert 50 < read < 2900
