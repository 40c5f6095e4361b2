"""Connect four against its published counts and values."""

from __future__ import annotations

import pytest

from monjudge.model.language import Move
from monjudge.model.small.connect_four import connect_four
from monjudge.solvers.engines.reference import Reference

# OEIS A212693: positions on 7 x 6 after n plies (J. Tromp; S. Edelkamp and P. Kissmann).
POSITIONS = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]
NODES = {4: 2_801, 6: 137_257, 8: 6_634_027}  # OpenSpiel 2.0, perft with the start, interior and leaves

# (columns, rows, length) -> value for the first player, positions in play. P. Kirlin,
# "Project 2: Connect Four", cs.rhodes.edu/~kirlinp/courses/ai/f14/projects/proj2/parta.html.
SOLVED = {
    (3, 3, 3): (0, 694),
    (4, 3, 3): (1, 7_157),
    (3, 4, 3): (0, 2_715),
    (3, 4, 4): (0, 6_000),
    (4, 3, 4): (0, 12_031),
    (4, 4, 4): (0, 161_029),
}
PLAYS_4_BY_3 = 356_232  # OEIS A342329: different games on 4 columns and 3 rows


def play(columns_played, **board):
    """The engine, and the state after these columns from the start."""
    rules = connect_four(**board)
    engine, state = Reference(rules), rules.start
    for n, column in enumerate(columns_played):
        move = Move("drop", n % 2, (column,))
        assert engine.failing(state, move) == []
        state = engine.step(state, move)
    return engine, state


def test_positions_by_ply_and_perft_nodes_are_as_published(levels):
    plies = levels(connect_four(), depth=8)
    assert [len(ply) for ply in plies] == POSITIONS
    for depth, nodes in NODES.items():
        assert sum(ply.total() for ply in plies[: depth + 1]) == nodes


@pytest.mark.parametrize("board", SOLVED, ids=str)
def test_small_boards_have_the_published_positions_and_value(levels, best_play, board):
    value, positions = SOLVED[board]
    rules = connect_four(*board)
    assert sum(len(ply) for ply in levels(rules)) == positions
    assert best_play(rules)(rules.start) == value


def test_four_columns_and_three_rows_have_the_published_number_of_plays(levels):
    rules = connect_four(4, 3)
    engine = Reference(rules)
    assert sum(n for ply in levels(rules) for state, n in ply.items() if engine.over(state)) == PLAYS_4_BY_3


@pytest.mark.parametrize(
    ("line", "before", "last"),
    [
        ("upright", [0, 1, 0, 1, 0, 1], 0),
        ("flat, closed in the middle", [0, 0, 1, 1, 3, 3], 2),
        ("rising", [0, 1, 1, 2, 2, 3, 2, 3, 3, 6], 3),
        ("falling", [6, 5, 5, 4, 4, 3, 4, 3, 3, 0], 3),
    ],
)
def test_a_line_wins_in_every_direction_and_not_before_its_last_disc(line, before, last):
    engine, state = play(before)
    assert not engine.over(state), line
    state = engine.step(state, Move("drop", 0, (last,)))
    assert engine.over(state)
    assert engine.payoff(state) == (1, -1)


def test_a_line_does_not_run_around_the_edge_of_the_board():
    engine, state = play([5, 5, 6, 6, 0, 0, 1])
    assert not engine.over(state)


def test_a_full_column_is_refused_and_the_next_one_is_not():
    engine, state = play([0, 0, 0, 0, 0, 0])
    assert [clause.id for clause in engine.failing(state, Move("drop", 0, (0,)))] == ["C4.room"]
    assert engine.legal(state, Move("drop", 0, (1,)))
