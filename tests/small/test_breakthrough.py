"""Breakthrough against the counts of another implementation, and its moves one by one."""

from __future__ import annotations

import pytest

from monjudge.model.language import Move
from monjudge.model.small.breakthrough import breakthrough
from monjudge.solvers.engines.reference import Reference

# (rows, columns, ranks) -> perft nodes by ply, and different positions by ply. All from
# OpenSpiel 2.0, game "breakthrough", walked through its Python interface.
BY_PLY = {
    (5, 4, 1): ([1, 10, 100, 840, 6988, 57278, 455070, 3523818], [1, 10, 100, 400, 1600, 4644, 14118, 34326]),
    (6, 3, 2): ([1, 7, 49, 375, 2763, 22102], [1, 7, 49, 189, 762, 2348]),
    (8, 8, 2): ([1, 22, 484, 11132], [1, 22, 484, 5544]),
    (4, 2, 1): (
        [1, 4, 16, 40, 84, 216, 396, 508, 368, 128],
        [1, 4, 16, 20, 31, 58, 58, 47, 16, 6],
    ),
    (4, 3, 1): (
        [1, 7, 49, 256, 1230, 5940, 23938, 84444, 228252, 549138, 1049540, 1552018, 1109428, 556672],
        [1, 7, 49, 126, 357, 896, 1647, 2282, 2001, 1940, 1201, 678, 220, 80],
    ),
}
WHOLE = {(4, 2, 1): -1, (4, 3, 1): 1}  # boards walked to the end, with the value for the first player


@pytest.mark.parametrize("board", BY_PLY, ids=str)
def test_nodes_and_positions_by_ply_are_those_of_openspiel(levels, board):
    nodes, positions = BY_PLY[board]
    depth = 10**6 if board in WHOLE else len(nodes) - 1
    plies = levels(breakthrough(*board), depth)
    assert [ply.total() for ply in plies] == nodes
    assert [len(ply) for ply in plies] == positions


def test_five_by_four_has_the_known_perft_numbers():
    nodes, _ = BY_PLY[5, 4, 1]
    assert sum(nodes[:6]) == 65_217
    assert sum(nodes) == 4_044_105


@pytest.mark.parametrize("board", WHOLE, ids=str)
def test_small_boards_have_the_value_that_openspiel_finds(best_play, board):
    rules = breakthrough(*board)
    assert best_play(rules)(rules.start) == WHOLE[board]


@pytest.fixture
def position():
    """The engine and a position with player 0's pawns at ``ours`` and player 1's at ``theirs``, (row, column) each."""
    rules = breakthrough(5, 3, 1)
    engine = Reference(rules)

    def put(ours, theirs, turn=0):
        cells = [1 if (r, c) in ours else 2 if (r, c) in theirs else 0 for r in range(5) for c in range(3)]
        return engine, rules.state({"cell": cells, "pawns": [len(ours), len(theirs)], "turn": turn})

    return put


@pytest.mark.parametrize(
    ("ours", "theirs", "move", "failing"),
    [
        ({(1, 1)}, {(4, 0)}, (1, 1, 0), []),
        ({(1, 1)}, {(4, 0)}, (1, 1, 1), []),
        ({(1, 1)}, {(2, 2)}, (1, 1, 1), []),
        ({(1, 1)}, {(2, 1)}, (1, 1, 0), ["BT.straight"]),
        ({(1, 1), (2, 1)}, {(4, 0)}, (1, 1, 0), ["BT.free", "BT.straight"]),
        ({(1, 1), (2, 2)}, {(4, 0)}, (1, 1, 1), ["BT.free"]),
        ({(1, 2)}, {(4, 0)}, (1, 2, 1), ["BT.board"]),
        ({(1, 1)}, {(4, 0)}, (4, 0, 0), ["BT.own"]),
        ({(1, 1)}, {(4, 0)}, (2, 1, 0), ["BT.own"]),
    ],
)
def test_a_move_fails_exactly_the_clauses_it_breaks(position, ours, theirs, move, failing):
    engine, state = position(ours, theirs)
    assert [clause.id for clause in engine.failing(state, Move("go", 0, move))] == failing


@pytest.mark.parametrize(
    ("ours", "theirs", "turn", "move", "payoff"),
    [
        ({(3, 1)}, {(3, 0), (4, 2)}, 0, (3, 1, 0), (1, -1)),
        ({(0, 1), (3, 1)}, {(1, 0)}, 1, (1, 0, 0), (-1, 1)),
        ({(1, 1)}, {(2, 2)}, 0, (1, 1, 1), (1, -1)),
        ({(1, 1)}, {(2, 2), (4, 0)}, 0, (1, 1, 1), None),
    ],
    ids=["far row", "far row of the other side", "last pawn taken", "another pawn is left"],
)
def test_the_far_row_or_the_last_pawn_wins(position, ours, theirs, turn, move, payoff):
    engine, state = position(ours, theirs, turn)
    after = engine.step(state, Move("go", turn, move))
    assert engine.over(after) == (payoff is not None)
    assert payoff is None or engine.payoff(after) == payoff


@pytest.mark.parametrize("board", [(4, 1, 1), (4, 3, 2), (5, 3, 0)], ids=str)
def test_boards_on_which_the_game_cannot_be_played_are_refused(board):
    with pytest.raises(ValueError, match=r"do not fit|fewer than 2"):
        breakthrough(*board)
