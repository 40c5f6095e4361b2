"""The Python interface: the same words as the command, answers that can be asked for their verdict, words and data."""

from __future__ import annotations

from pathlib import Path

import pytest

from monjudge.judge import DataError, Exit, IllegalMove, Verdict, read, say
from monjudge.model.language import Move

BOARD = "tic-tac-toe1/cell=1,0,2,0,1,0,0,0,0/turn=1"


def test_a_position_is_read_from_a_line_data_text_bytes_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    text = '{"game": "tic-tac-toe", "cell": [1, 0, 2, 0, 1, 0, 0, 0, 0], "turn": 1}'
    file.write_text(text, "utf-8")
    sources = (BOARD, read(BOARD).data, text, text.encode(), file)
    assert {read(source).line for source in sources} == {BOARD}


def test_what_cannot_be_read_says_where_in_which_file(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    file.write_text('{"game": "tic-tac-toe",\n "turn": 7}', "utf-8")
    with pytest.raises(DataError) as caught:
        read(file)
    [defect] = caught.value.defects
    assert caught.value.file == str(file) and defect.place is not None
    assert (defect.path, defect.place.line, defect.place.column) == ("turn", 2, 10)


def test_moves_are_given_as_text_or_as_moves() -> None:
    position = read(BOARD)
    assert position.why("place 1").move == position.why(Move("place", 1, (1,))).move
    assert position.after("place 1", Move("place", 0, (3,))).line == "tic-tac-toe1/cell=1,2,2,1,1,0,0,0,0/turn=1"


def test_an_illegal_move_in_a_line_says_its_number_and_why() -> None:
    with pytest.raises(IllegalMove) as caught:
        read(BOARD).apply("place 1", "place 1")
    assert caught.value.number == 2
    assert [broken.clause.id for broken in caught.value.why.broken] == ["TTT.empty"]


def test_a_verdict_has_an_exit_code_and_no_truth_value() -> None:
    answer = read(BOARD).why("place 0")
    assert answer.verdict is Verdict.NO and Exit.of(answer.verdict) == 1
    assert [Exit.of(verdict).value for verdict in Verdict] == [0, 1, 5, 6, 4]
    with pytest.raises(TypeError):
        bool(answer.verdict)


def test_an_answer_is_said_in_both_languages_and_as_data() -> None:
    answer = read(BOARD).moves(kind="place")
    assert "Legal moves: 6" in say(answer) and "合法手：6" in say(answer, "ja")
    assert answer.data()["count"] == 6


def test_chance_that_is_due_is_drawn_by_its_seed() -> None:
    start = read("pig1")
    assert start.apply("roll", "roll", seed=5) == start.apply("roll", "roll", seed=5)
    lines = {start.apply("roll", "roll", seed=seed).line for seed in range(20)}
    assert len(lines) > 3


def test_a_position_draws_itself() -> None:
    position = read(BOARD)
    assert "│ X │ 1 │ O │" in position.show()
    assert position._repr_svg_().startswith("<svg")


def test_whole_turns_and_forced_goals_are_asked_for_with_the_same_words() -> None:
    answer = read("nim1").solve()
    assert answer.verdict is Verdict.YES and len(answer.line) > 1
    with pytest.raises(DataError, match="turn"):
        read(BOARD).plans()
    assert read(BOARD).flips("place 1") is None


@pytest.mark.parametrize("theirs", ["F7E2A5A8", "N9W3F12E8"])
def test_what_a_player_sees_is_the_same_whatever_the_others_hold(theirs: str) -> None:
    """The catalogue of a position has the hidden cards in it: not even the names of places may come from there."""
    line = "mc1/t=3/1=b=FLEHEIM;h=F2W6N12.tc;m=F3N7,W5,E4;d=F8:6,W11:11;c=W7E6/2=b=HUNTERS;h={};m=A4,N6,F9;d=,N13:9,F10:10"
    mine, other = read(line.format("A2A3A6A7")), read(line.format(theirs))
    assert mine.svg(viewer=1) == other.svg(viewer=1)
    assert mine.show(viewer=1) == other.show(viewer=1)
    seen, same = mine.moves(viewer=1), other.moves(viewer=1)
    assert say(seen) == say(same)
