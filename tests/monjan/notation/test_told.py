"""What a judge is told where a position or a move is well written and yet cannot be: never silence, never only that it is unreadable."""

from __future__ import annotations

import pytest

from monjudge.judge import read
from monjudge.model.games import kit
from monjudge.model.notation.defects import DataError

KIT = kit("monjan")
LINE = "mc1/1=b=FLEHEIM;h=W4.tc;m=N9,W2F5;d=,W11:11/2=b=ATELIER;d=,W14:14"
BATTLE = "mc1/p=BATTLE/1=b=FLEHEIM;d=,W11:11;a=F3/2=b=HUNTERS;d=,N13:13"


def test_a_battle_turn_without_a_step_is_a_defect_and_its_beginning_can_be_written() -> None:
    [defect] = KIT.defects(KIT.position(BATTLE))
    assert (defect.code, defect.path) == ("no-step", "phase") and "done: true" in defect.text.en and "done: true" in defect.text.ja
    begins = read("mc1/1=b=FLEHEIM;d=,W11:11;a=F3;z/2=b=HUNTERS;d=,N13:13;z")
    assert begins.defects == [] and begins.moves().count


@pytest.mark.parametrize("move", ["1:boss pay L3", "1:ボス 払う L3", "1:boss-stay L pay L5"])
def test_a_boss_where_no_boss_card_lies_is_illegal_with_its_reasons(move: str) -> None:
    assert "BOSS.1" in [broken.clause.id for broken in read(LINE).why(move, nearest=0).broken]


def test_a_guard_by_a_boss_for_one_turn_is_told_with_its_clause() -> None:
    with pytest.raises(DataError) as caught:
        read(LINE).move("2:guard O0")
    [defect] = caught.value.defects
    assert defect.code == "illegal-move" and "GUARD.7" in defect.text.en and "GUARD.7" in defect.text.ja


def test_a_board_skill_is_read_by_the_name_under_which_it_is_said() -> None:
    here = read("mc1/1=b=ATELIER;h=F3;d=,W11:11;c=W+4/2=b=HUNTERS;d=,N13:13")
    assert here.move("1:ティーパーティー F3 for W+4") == here.move("1:茶会 F3 for W+4") == here.move("1:tea F3 for W+4")
