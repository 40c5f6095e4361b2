"""How people write positions of Monjan: both languages, every defect at its place, what cannot lie on a table."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from typing import Any

import pytest

from monjudge.model.games import kit, kit_of
from monjudge.model.monjan.match import PHASE
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.source import read

KIT = kit("monjan")

ENGLISH = """
turn: 3
players:
  1:
    board: FLEHEIM
    hand: [F2, W+8, NK, Tide Caller, SLINGER]
    mana: {L: [f3, n7], C: ["*F8", W5], R: [g4]}
    defence: {L: [F8, 6], C: W11}
    attack: {C: W4}
    fallen: R
  2:
    board: {cap: [9, 12, 9], priority: 7, left: RITUAL}
    defence: {C: {card: N13, life: 9}}
    extra: {card: JABBERWOCK, by: PAIR, witness: {L: 1}}
    outside: A15
deck: {F4: 2, W2: 1}
boss: [B22, AS9]
readings: {A43: ANY}
"""
JAPANESE = """
ターン: 3
プレイヤー:
  先手:
    盤: フレヘイムの煉獄山
    手札: [火２, 水＋8, 無キル, 潮を呼ぶ者, 投石手]
    マナ: {左: [火3, 無7], 中: ["*火8", 水5], 右: [地4]}
    防御: {左: [火8, ６], 中央: 水11}
    攻撃: {M: 水4}
    倒れた列: [右]
  後手:
    盤: {最大攻撃: [9, 12, 9], 優先度: 7, 左: 儀式}
    防御: {中: {card: 無13, life: 9}}
    エキストラ: {カード: ジャバウォック, 召喚: 属性, 根拠: {左: 1}}
    場外: アサシン15
束: [火4, 水2, 火4]
ボスアサ束: [アサシン9, ボス22]
読み: {a43: any}
"""


def test_a_position_may_be_written_in_either_language() -> None:
    english, japanese = (KIT.canonical("state", read(text).data) for text in (ENGLISH, JAPANESE))
    assert english == japanese
    assert english["players"]["1"]["hand"] == ["F2", "W+8", "NK", "SLINGER", "TIDE_CALLER"]
    assert english["players"]["1"]["mana"]["R"] == ["E4"]
    assert english["players"]["2"]["outside"] == ["AS15"]


def test_elements_may_be_written_in_words_and_a_single_mana_without_its_list() -> None:
    words = {"hand": ["Fire 2", "water +8", "none Kill", "earth 3", "ground 4"], "mana": {"L": ["fire 3", "none 7"], "C": "air 5"}, "attack": {"L": "wind 6"}}
    signs = {"hand": ["F2", "W+8", "NK", "E3", "E4"], "mana": {"L": ["F3", "N7"], "C": ["A5"]}, "attack": {"L": "A6"}}
    assert KIT.canonical("state", {"players": {"1": words}}) == KIT.canonical("state", {"players": {"1": signs}})


def test_what_is_not_mentioned_is_empty_and_the_edit_turn_is_on() -> None:
    here = KIT.position({})
    rules = here.rules
    assert here.state[rules.cell("phase")] == PHASE["EDIT"] and here.state[rules.cell("drawn", 1)] == 1
    assert KIT.data(here) == {"turn": 2, "players": {"1": {}, "2": {}}}
    assert KIT.line(here) == "mc1/t=2/1=/2="
    assert KIT.position("mc1/t=2/1=/2=").state == KIT.position("mc1").state == here.state


def test_readings_given_come_before_those_of_the_document() -> None:
    here = KIT.position({"readings": {"A43": "ANY"}}, readings={"A43": "TOP", "A25": "LT"})
    assert KIT.data(here)["readings"] == {"A25": "LT"}
    with pytest.raises(DataError, match="A999"):
        KIT.position({}, readings={"A999": "X"})


def test_a_switch_that_is_fixed_has_only_its_default() -> None:
    for id in KIT.fixed():
        switch = KIT.switches()[id]
        assert KIT.canonical("state", {"readings": {id: switch.default}}) == {}
        for other in set(switch.values) - {switch.default}:
            with pytest.raises(DataError, match=f"{id} is fixed at {switch.default}"):
                KIT.canonical("state", {"readings": {id: other}})


def test_a_switch_left_open_is_a_cell() -> None:
    here = KIT.position({}, open=("A43",))
    assert [s.id for s in here.rules.switches] == ["A43"]
    assert KIT.position(KIT.data(here), open=("A43",)).state == here.state


WRONG = """\
tern: 3
mode: EXTAR
players:
  1:
    board: FLEHIEM
    hand: [F17, JABERWOCK, 7]
    mana: {Q: [F3], L: [N7, "*F3"]}
    defence: {C: [W11, 40]}
    attack: {L: "*F3"}
    extra: SLINGER
  5: {}
deck: [B22]
readings: {A43: SOME, B1: X}
"""


def test_every_defect_of_a_file_is_told_at_its_line_and_column() -> None:
    document = read(WRONG, "wrong.yaml")
    with pytest.raises(DataError) as caught:
        KIT.position(document.data)
    error = document.located(caught.value)
    told = [(d.place.line, d.place.column, d.code) for d in error.defects if d.place]
    assert told == [
        (1, 1, "unknown-key"), (2, 7, "unknown-word"), (5, 12, "unknown-word"), (6, 12, "unreadable-card"), (6, 17, "unreadable-card"),
        (6, 28, "unreadable-card"), (7, 12, "unknown-key"), (7, 29, "elements-above"), (8, 24, "out-of-range"), (9, 17, "wrong-place"),
        (10, 12, "wrong-place"), (11, 3, "unknown-key"), (12, 8, "wrong-place"), (13, 17, "unknown-word"), (13, 23, "unknown-key"),
    ]  # fmt: skip
    assert error.file == "wrong.yaml"
    said = {d.place.line: d.text for d in error.defects if d.place}
    assert "FLEHEIM" in said[5].en and "FLEHEIM" in said[5].ja
    assert "JABBERWOCK" in {d.text.en[-12:-1] for d in error.defects} | {"JABBERWOCK"}


def test_a_defect_within_a_line_within_a_file_has_its_column_in_the_file() -> None:
    document = read('{"start": "mc1/t=3/1=h=F77", "moves": []}')
    with pytest.raises(DataError) as caught:
        KIT.log(document.data)
    [defect] = document.located(caught.value).defects
    assert defect.place is not None and (defect.place.line, defect.place.column) == (1, 24)


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        ("mc1/R=A43.FOO", "unknown-word", 7),
        ("mc1/t=3/1=m=N7*F3,W5", "elements-above", 15),
        ("mc1/1=o=F3", "wrong-place", 9),
        ("mc1/1=b=~4.60.5:9:TRAP:NONE", "out-of-range", 9),
        ("mc1/1=h=F3F4F17", "unreadable-card", 13),
    ],
)
def test_what_a_line_says_wrongly_has_its_character(line: str, code: str, column: int) -> None:
    with pytest.raises(DataError) as caught:
        KIT.position(line)
    [defect] = caught.value.defects
    assert defect.place is not None and (defect.code, defect.place.column) == (code, column)


def test_a_full_width_colon_is_told() -> None:
    with pytest.raises(DataError) as caught:
        KIT.position(read("盤：フレヘイム").data)
    assert "full-width colon" in str(caught.value)


# -- what cannot lie on a table ----------------------------------------------------------------------------

STANDING = {"1": {"board": "FLEHEIM", "defence": {"C": ["W11", 9]}}, "2": {"board": "HUNTERS", "defence": {"C": ["N13", 9]}}}


def table_with(part: dict[str, Any], **more: Any) -> list[Defect]:
    players = {**STANDING, "1": {**STANDING["1"], **part}}
    return KIT.defects(KIT.position({"players": players, **more}))


IMPOSSIBLE: list[tuple[str, str, str, dict[str, Any], dict[str, Any]]] = [
    ("too-many-copies", "players.1.hand", "COMP.1", {"hand": ["F7", "F7"]}, {"hand": ["F7", "F8"]}),
    ("too-many-copies", "players.1.outside", "COMP.2", {"hand": ["B22"], "outside": ["B22"]}, {"hand": ["B24"], "outside": ["B22"]}),
    ("too-many-copies", "players.1.extra", "COMP.6", {"hand": ["CHOIR"], "extra": "CHOIR", "mana": {"L": ["A3"], "C": ["E4"]}},
     {"hand": ["HERALD"], "extra": "CHOIR", "mana": {"L": ["A3"], "C": ["E4"]}}),
    ("fallen-stands", "players.1.defence.L", "FALL.8", {"fallen": ["L"], "defence": {"L": "F9", "C": "W11"}},
     {"fallen": ["R"], "defence": {"L": "F9", "C": "W11"}}),
    ("extra-dies", "players.1.extra", "EXTRA.22", {"extra": {"card": "TIDE_CALLER", "by": "PAIR"}, "mana": {"L": ["N5"], "C": ["F5"]}},
     {"extra": {"card": "TIDE_CALLER", "by": "PAIR"}, "mana": {"L": ["N5"], "C": ["W5"]}}),
    ("wrong-place", "players.1.attack.L", "ATK.1", {"attack": {"L": "F+6"}}, {"attack": {"L": "F3"}}),
    ("wrong-place", "players.1.defence.L", "DEF.4", {"defence": {"L": ["SLINGER", 4], "C": "W11"}}, {"defence": {"L": ["F4", 4], "C": "W11"}}),
    ("above-maximum", "players.1.attack.L", "ATK.4", {"attack": {"L": "F5"}}, {"attack": {"L": "F4"}}),
    ("no-life", "players.1.defence.L", "FALL.4", {"defence": {"L": ["F9", 0], "C": "W11"}}, {"defence": {"L": ["F9", 1], "C": "W11"}}),
    ("life-of-nothing", "players.1.defence.L", "DEF.7", {"defence": {"L": ["-", 3], "C": "W11"}}, {"fallen": ["L"], "defence": {"L": ["-", 3], "C": "W11"}}),
    ("half-a-boss", "players.1.attack.L", "BOSS.14", {"attack": {"L": "B22"}}, {"attack": {"L": "B22"}, "defence": {"L": "B22", "C": "W11"}}),
    ("half-a-boss", "players.1.defence.L", "BOSS.14", {"attack": {"L": "F3"}, "defence": {"L": "B22", "C": "W11"}}, {"attack": {"L": "F3"}}),
    ("no-witness", "players.1.extra.witness.L", "EXTRA.26",
     {"extra": {"card": "TIDE_CALLER", "by": "NUMBER", "witness": {"C": 1, "L": 2}}, "mana": {"C": ["F7"], "L": ["N7"]}},
     {"extra": {"card": "TIDE_CALLER", "by": "NUMBER", "witness": {"C": 1}}, "mana": {"C": ["F7"]}}),
    ("boards-clash", "players.2.board", "A149", {"board": "HUNTERS"}, {"board": "MANAST"}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "path", "clause", "bad", "good"), IMPOSSIBLE, ids=lambda v: v if isinstance(v, str) else "")
def test_what_cannot_lie_on_a_table_is_named_with_its_clause(code: str, path: str, clause: str, bad: Any, good: Any) -> None:
    [defect] = table_with(bad)
    assert (defect.code, defect.path, defect.clause) == (code, path, clause)
    assert defect.text.en.startswith(f"{clause}: ") and defect.text.ja.startswith(f"{clause}：")
    assert table_with(good) == []


def test_what_cannot_lie_on_a_table_has_its_characters_in_a_line() -> None:
    here = KIT.position("mc1/t=3/1=b=FLEHEIM;h=F7F7;d=,W11:9;a=F9/2=b=HUNTERS;d=,N13:9")
    places = {d.code: (d.place.column, d.place.length) for d in KIT.defects(here) if d.place}
    assert places == {"too-many-copies": (23, 4), "above-maximum": (39, 2)}
    elsewhere = here.at(KIT.position("mc1/t=4/1=b=FLEHEIM;h=F7F7;d=,W11:9;a=F9/2=b=HUNTERS;d=,N13:9").state)
    assert [d.place for d in KIT.defects(elsewhere)] == [None, None]


def test_what_cannot_lie_on_a_table_is_told_where_it_is_written_in_either_language() -> None:
    text = "プレイヤー:\n  先手: {盤: フレヘイムの煉獄山, 防御: {左: [F9, 0], 中: W11}}\n  2:\n    board: HUNTERS\n    hand: [F7, F7]\n    防御: {C: N13}"
    document = read(text)
    located = document.located(DataError(KIT.defects(KIT.position(document.data)))).defects
    told = [(d.path, d.code, d.place.line, d.place.column) for d in located if d.place]
    assert told == [("プレイヤー.先手.防御.左", "no-life", 2, 30), ("プレイヤー.2.hand", "too-many-copies", 5, 11)]


def test_a_battle_turn_needs_a_middle_defence() -> None:
    players = {"1": {"board": "FLEHEIM"}, "2": STANDING["2"]}
    battle = {"phase": "BATTLE", "battle": {"step": "DECLARE", "attacker": 2, "target": 1}}
    [defect] = KIT.defects(KIT.position({**battle, "players": players}))
    assert (defect.code, defect.path) == ("no-middle", "players.1")
    out = {"1": {"board": "FLEHEIM", "out": True}, "2": STANDING["2"]}
    assert KIT.defects(KIT.position({**battle, "players": out})) == []


def test_under_the_reading_of_printed_life_more_is_a_defect() -> None:
    life = {"defence": {"L": ["F4", 9], "C": "W11"}}
    assert table_with(life) == []
    [defect] = table_with(life, readings={"A37": "PRINTED_EXCEPT_E"})
    assert defect.code == "too-much-life"


SUMMONED = [
    ("PAIR", {"L": ["N5"], "C": ["W9"]}, {}, {"card": "TIDE_CALLER", "by": "PAIR"}),
    ("NUMBER", {"L": ["F7"], "C": ["F5"], "R": ["E1", "A8"]}, {}, {"card": "TIDE_CALLER", "by": "NUMBER", "witness": {"L": 1, "R": 2}}),
    ("both", {"L": ["N7"], "C": ["W9"]}, {}, "TIDE_CALLER"),
    ("neither", {"L": ["F5"]}, {}, "TIDE_CALLER"),
    ("PAIR", {"L": ["N5"], "C": ["W9"]}, {"A111": "SAME_CARDS"}, {"card": "TIDE_CALLER", "by": "PAIR", "witness": {"L": 1, "C": 1}}),
]  # fmt: skip


@pytest.mark.parametrize(("way", "mana", "readings", "extra"), SUMMONED)
def test_how_an_extra_card_was_summoned_is_found_out_where_only_one_way_is_possible(
    way: str, mana: Any, readings: Any, extra: Any
) -> None:
    here = KIT.position({"players": {"1": {"mana": mana, "extra": "TIDE_CALLER"}}, "readings": readings})
    assert KIT.data(here)["players"]["1"]["extra"] == extra
    assert [d.code for d in KIT.defects(here)] == (["extra-dies"] if way == "neither" else [])
    assert KIT.position(KIT.line(here)).state == here.state
    said = {"1": {"mana": mana, "extra": {"card": "TIDE_CALLER", "by": "NUMBER", "witness": {}}}}
    assert KIT.data(KIT.position({"players": said, "readings": readings}))["players"]["1"]["extra"]["witness"] == {}


# -- cards of one's own, the rest of the pack, cards that a question names --------------------------------

OWN = {
    "cards": {"toughness": [{"id": "OWL", "name": {"en": "Owl", "ja": "ふくろう"}, "cost": 2, "attack": 5,
                             "skills": [{"time": "battle", "effect": "boost", "amount": 2}]}]},
    "players": {"1": {"hand": ["ふくろう", "F3"]}},
}  # fmt: skip


def test_cards_of_ones_own_travel_with_the_position() -> None:
    here = KIT.position(OWN)
    again = KIT.position(KIT.line(here))
    assert KIT.data(again) == KIT.data(here) and again.state == here.state
    assert KIT.data(here)["players"]["1"]["hand"] == ["F3", "OWL"]
    assert KIT.defects(here) == []


def test_the_rest_of_the_pack_is_what_lies_nowhere_else() -> None:
    here = KIT.position({"deck": "rest", "boss": ["rest"], "players": {"1": {"hand": ["F7"]}, "2": {"outside": ["B22"]}}})
    setting = here.about.setting
    held = {str(card): here.state[here.rules.cell("deck", n)] for n, card in enumerate(setting.catalogue.cards) if n}
    assert held["f7"] == 0 and held["f8"] == 1 and sum(held.values()) == 99
    assert KIT.data(here)["deck"] == "rest" and KIT.data(here)["pack"]
    with pytest.raises(DataError, match="not the pack of this version"):
        KIT.position({"deck": "rest", "pack": "00000000"})


def test_a_question_may_name_a_card_that_lies_nowhere() -> None:
    here = KIT.position({"players": {"1": {"hand": ["F3"]}}})
    with pytest.raises(DataError, match="F9 lies nowhere"):
        KIT.move(here, "1:mana F9 L")
    wider = KIT.knowing(here, "1:mana F9 L")
    assert KIT.move_text(wider, KIT.move(wider, "1:mana F9 L")) == "1:mana F9 L"
    assert KIT.data(wider) == KIT.data(here)
    assert KIT.knowing(here, "1:mana F3 L") is here
    assert KIT.ways(KIT.knowing(here, "潮を呼ぶ者"), "潮を呼ぶ者").actions[0][0] == "extra"


def test_a_match_is_dealt_with_the_boards_that_are_named() -> None:
    here = KIT.deal(mode="裏初期装備", boards=["フレヘイムの煉獄山", {"cap": [5, 5, 5], "priority": 9}])
    assert KIT.data(here)["mode"] == "URA_INIT" and KIT.data(here)["players"]["2"]["board"] == {"cap": [5, 5, 5], "priority": 9}
    assert KIT.position(KIT.line(here)).state == here.state
    with pytest.raises(DataError, match="2 boards for 3 players"):
        KIT.deal(players=3, boards=["FLEHEIM", "HUNTERS"])
    with pytest.raises(DataError, match="A46"):
        KIT.deal(boards=[{"cap": [5, 5, 5], "priority": 9}, {"cap": [5, 5, 6], "priority": 9, "id": "TWO"}])


def test_reading_a_position_needs_no_yaml() -> None:
    code = """
        import sys
        sys.modules["ruamel"] = sys.modules["ruamel.yaml"] = None
        from monjudge.model.games import kit_of
        from monjudge.model.notation.source import read
        data = read('{"turn": 3, "players": {"1": {"hand": ["F3"]}}}').data
        assert kit_of(data).position(data)
        try:
            read("turn: 3")
        except ImportError as error:
            assert 'pip install "monjudge[yaml]"' in str(error)
        else:
            raise SystemExit("YAML was read")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_game_of_a_document_is_told_by_its_key_or_its_line() -> None:
    assert kit_of("mc1/t=3") is KIT and kit_of({"game": "monjan"}) is KIT and kit_of({"turn": 3}) is KIT


def test_reading_a_position_takes_less_than_ten_milliseconds() -> None:
    text = KIT.line(KIT.position(read(ENGLISH).data))
    took = []
    for _ in range(5):
        begin = time.process_time()
        KIT.canonical("state", read(text).data)
        took.append(time.process_time() - begin)
    assert min(took) < 0.01
