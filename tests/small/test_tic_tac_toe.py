"""Tic-tac-toe against its published counts."""

from __future__ import annotations

import pytest

from monjudge.model.language import Move
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines.reference import Reference

PLAYS = 255_168  # OEIS A061526: complete games of n x n tic-tac-toe, n = 3
PLAYS_BY_END = {1: 131_184, -1: 77_904, 0: 46_080}  # H. Bottomley, "How many tic-tac-toe games are possible?", 2001
NODES = 549_946  # OpenSpiel 2.0: every node of the tree, the start and the ends included
STATES = 5_478  # OpenSpiel 2.0: different positions that occur in play
ORBITS = [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]  # OEIS A008907: positions by ply, up to rotation and reflection
WON_FOR_FIRST = [0, 0, 7, 9, 85, 67, 139, 70, 23, 12]  # OEIS A317573, third row, of these orbits
WON_FOR_SECOND = [0, 0, 0, 8, 5, 72, 38, 56, 23, 0]  # OEIS A317574, third row


@pytest.fixture
def orbit(image):
    """The positions that are the same up to rotation and reflection, by the declared symmetries."""
    rules = tic_tac_toe()
    maps = [image(rules, symmetry)[0] for symmetry in rules.symmetries]

    def spread(state):
        seen, front = {state}, [state]
        while front:
            fresh = {f(s) for s in front for f in maps} - seen
            seen |= fresh
            front = list(fresh)
        return min(seen)

    return spread


def test_the_tree_has_the_published_nodes_states_and_plays(levels):
    engine, plies = Reference(tic_tac_toe()), levels(tic_tac_toe())
    assert sum(ply.total() for ply in plies) == NODES
    assert sum(len(ply) for ply in plies) == STATES
    ends = dict.fromkeys(PLAYS_BY_END, 0)
    for ply in plies:
        for state, ways in ply.items():
            if engine.over(state):
                ends[engine.payoff(state)[0]] += ways
    assert ends == PLAYS_BY_END
    assert sum(ends.values()) == PLAYS


def test_positions_up_to_symmetry_and_who_wins_them_are_as_published(levels, best_play, orbit):
    value = best_play(tic_tac_toe())
    classes = [{orbit(state) for state in ply} for ply in levels(tic_tac_toe())]
    assert [len(ply) for ply in classes] == ORBITS
    assert [sum(value(state) == 1 for state in ply) for ply in classes] == WON_FOR_FIRST
    assert [sum(value(state) == -1 for state in ply) for ply in classes] == WON_FOR_SECOND
    assert value(tic_tac_toe().start) == 0


def test_a_taken_square_is_refused_by_its_clause_and_an_empty_one_is_not():
    rules = tic_tac_toe()
    engine = Reference(rules)
    state = engine.step(rules.start, Move("place", 0, (4,)))
    assert [clause.id for clause in engine.failing(state, Move("place", 1, (4,)))] == ["TTT.empty"]
    assert engine.failing(state, Move("place", 1, (0,))) == []
