"""The board in a terminal: aligned in both languages, plain where asked, and without a name's control characters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from monjudge.model.games import kit
from monjudge.model.monjan.picture import picture
from monjudge.model.notation.picture import Arrow, Picture
from monjudge.model.notation.plain_picture import Squares
from monjudge.reports.glyphs import fit, pad, printable, width
from monjudge.reports.svg import svg
from monjudge.reports.terminal import terminal

EDGES = "│┌├└|+"
TABLES = [("EXTRA", "FLEHEIM HUNTERS", 3), ("INIT", "MANAST FLEHEIM HUNTERS ATELIER", 8)]


@pytest.fixture
def middle(written: Callable[..., Any]) -> Picture:
    scene = written()["ten-cards-after-a-fall"]
    return picture(scene.rules, scene.state, scene.catalogue, ("Akira", "Hanako"), boards=scene.position.boards)


def test_a_player_recognises_the_board(middle: Picture) -> None:
    lines = terminal(middle, ascii=True).splitlines()
    assert lines[0] == "Monjan Colosseum, Turn 5, Edit turn"
    board = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|")]
    far, near = board[:9], board[9:]
    assert [row[1] for row in far] == ["Mana R", "[*] E11", "F13", "Defence R", "= FALLEN =", "! Recycling", "", "Attack R max 6", ""]
    assert [row[2] for row in near] == ["Attack C max 4", "E4", "Defence C", "E12", "life 7", "", "Mana C", "A2", "E10", "E7"]
    assert [line.strip() for line in lines if "Discard" in line] == ["Discard 3: F11  E8  A4"]


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("table", TABLES)
def test_every_line_fits_and_the_boxes_meet(table: tuple[Any, ...], columns: int, lang: Any, played: Callable[..., Any]) -> None:
    setting, rules, states = played(*table)
    for state in states[:: max(1, len(states) // 8)]:
        whole = picture(rules, state, setting.catalogue, (), 0, boards=setting.boards)
        lines = terminal(whole, lang, columns=columns).splitlines()
        assert max(map(width, lines)) <= columns
        assert {width(line) for line in lines if line[:1] in EDGES} == {columns}


def test_ascii_is_ascii_and_colour_is_only_added(middle: Picture) -> None:
    plain = terminal(middle)
    assert terminal(middle, ascii=True).isascii()
    assert not plain.isascii()
    coloured = terminal(middle, colour=True)
    assert "\x1b[" in coloured and "\x1b" not in plain
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in stripped.splitlines()] == plain.splitlines()


def test_marks_and_arrows_are_written_out(middle: Picture) -> None:
    text = terminal(middle.marked(["2.C.defence", "1.L.attack"], [Arrow("1.C.attack", "2.C.defence", "4")]), ascii=True)
    for written in (">N16<", ">Attack L<", "Akira Attack C -> Hanako Defence C (4)", "> < marked"):
        assert written in text
    assert "> < marked" not in terminal(middle)


def test_a_name_cannot_steer_the_terminal(written: Callable[..., Any]) -> None:
    scene = written()["a-boss-for-good"]
    whole = picture(scene.rules, scene.state, scene.catalogue, ("\x1b[2J\x07\n\u202eevil", "花子"), boards=scene.position.boards)
    text = terminal(whole)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)
    assert "evil" in text and "花子" in text


def test_fewer_columns_than_a_board_needs_are_refused(middle: Picture) -> None:
    assert max(map(width, terminal(middle, columns=40).splitlines())) <= 40
    with pytest.raises(ValueError, match="at least 40"):
        terminal(middle, columns=39)


# -- games without a picture of their own -------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("tic-tac-toe1/cell=1,0,2,0,1,0,0,0,0", ["X 1 O", "3 X 5", "6 7 8"]),
        ("connect-four1/cell=1,2,0,0,0,0,2" + ",0" * 35 + "/height=2,1,0,0,0,0,0", ["O 1,1 2,1 3,1 4,1 5,1 6,1", "X O 2,0 3,0 4,0 5,0 6,0"]),
        ("breakthrough1", ["X X X X X X X X"] * 2),
        ("nim1/heap=1,4,2", ["1 4 2"]),
    ],
)
def test_a_small_game_is_drawn_from_its_rule_set(line: str, rows: list[str]) -> None:
    words = kit(line.partition("1")[0])
    whole = words.picture(words.position(line))
    cells = [" ".join(row.replace("|", " ").split()) for row in terminal(whole, ascii=True).splitlines() if row[0] == "|"]
    assert cells[-len(rows) :] == rows
    drawn = svg(whole)
    assert all(f'id="board-{piece.key}"' in drawn for piece in whole.pieces())
    assert "– :" not in drawn


def test_a_small_game_keeps_a_hidden_choice_from_the_other_player() -> None:
    words = kit("rock-paper-scissors")
    here = words.position("rock-paper-scissors1/hand=2,-1")
    faces = {seat: [p.face for p in words.picture(here, seat).pieces() if p.key.startswith("hand")] for seat in (0, 1, None)}
    assert faces == {0: ["2", "?"], 1: ["?", "-1"], None: ["2", "-1"]}


def test_a_board_with_three_axes_is_refused() -> None:
    with pytest.raises(ValueError, match="not 3"):
        Squares("cell").order((2, 2, 2))


# -- text in cells --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "cells"), [("火7", 3), ("ｶﾞ", 2), ("e\u0301", 1), ("", 0), ("Ａ", 2)])
def test_the_width_is_that_of_a_terminal(text: str, cells: int) -> None:
    assert width(text) == cells


@pytest.mark.parametrize("cells", range(12))
@pytest.mark.parametrize("at", "<^>")
def test_a_padded_text_fills_its_cells_exactly(cells: int, at: str) -> None:
    for text in ("エキストラ", "Battering Ram", "a火b水", ""):
        assert width(pad(text, cells, at)) == cells
        assert width(fit(text, cells)) <= cells


def test_every_control_character_is_replaced_and_nothing_else() -> None:
    assert printable("a\nb\x7f\u2028\ud800\ufeff") == "a\ufffdb\ufffd\ufffd\ufffd\ufffd"
    assert printable("地獄の復活儀式 é☃") == "地獄の復活儀式 é☃"
