"""Variations answer every reply that the line leaves out, each with play that keeps the win; a line that lets it go is none."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from monjudge.model.language import Move, RuleSet, State
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.puzzles import read
from monjudge.puzzles.library import library
from monjudge.solvers.brute import Brute
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.forced import Search
from monjudge.solvers.forced.variations import Variation, keeps, variations
from monjudge.solvers.strict import strict, strict_state
from monjudge.solvers.verdict import Verdict

RULES = tic_tac_toe()
FORK = RULES.state({"cell": [1, 2, 0, 0, 0, 0, 0, 0, 0]})


def after(rules: RuleSet, state: State, moves: Sequence[Move]) -> State:
    reference = Reference(rules)
    for move in moves:
        assert reference.legal(state, move)
        state = reference.step(state, move)
    return state


def others(rules: RuleSet, state: State, line: Sequence[Move], player: int) -> set[tuple[int, Move]]:
    """Every reply that is not in the line, with its place."""
    reference, found = Reference(rules), set[tuple[int, Move]]()
    for at, move in enumerate(line):
        if move.me != player:
            found |= {(at, reply) for reply in reference.moves(state) if reply.me != player and reply != move}
        state = reference.step(state, move)
    return found


def told(found: Sequence[Variation]) -> list[tuple[int, Move]]:
    return [(one.at, reply) for one in found for reply in one.replies]


def test_every_other_reply_is_answered_once_by_play_that_keeps_the_win() -> None:
    search = Search(RULES)
    line = search.answer(FORK).line
    found = list(variations(search, FORK, None, line))
    assert sorted(told(found)) == sorted(others(RULES, FORK, line, 0)) and found
    solver = Brute(strict(RULES))
    for one in found:
        for reply in one.replies:
            end = after(RULES, FORK, [*line[: one.at], reply, *one.answer])
            assert solver.forced(0, "win", strict_state(RULES, end)).verdict is Verdict.YES
            assert one.reached == Reference(RULES).over(end)
            assert one.same == (one.answer == line[one.at + 1 :][: len(one.answer)])


@pytest.mark.parametrize("name", ["the-column-that-may-fall", "stand-still", "one-more-than-they-can-stop"])
def test_the_replies_of_an_endgame_are_answered_to_its_end(name: str) -> None:
    puzzle = read(library()[name])
    rules, state, line = puzzle.played.rules, puzzle.replay().states[0], puzzle.line_of_play
    search = Search(rules, puzzle.wanted.when, puzzle.player - 1)
    deadline = search.question(state, 1).first + 1
    found = list(variations(search, state, deadline, line))
    assert sorted(told(found)) == sorted(others(rules, state, line, puzzle.player - 1)) and found
    for one in found:
        for reply in one.replies:
            end = after(rules, state, [*line[: one.at], reply, *one.answer])
            assert puzzle.reached(end) == one.reached
            assert one.reached or search.answer(end, 1).verdict is Verdict.YES


def test_a_threat_is_the_answer_to_most_of_the_first_replies() -> None:
    puzzle = read(library()["stand-still"])
    search = Search(puzzle.played.rules, puzzle.wanted.when)
    found = list(variations(search, puzzle.replay().states[0], None, puzzle.line_of_play))
    assert [(one.at, len(one.replies), one.same) for one in found if one.threat] == [(1, 1, True)]


def test_a_line_is_told_only_if_it_reaches_the_goal_and_never_lets_the_win_go() -> None:
    search = Search(RULES)
    line = search.answer(FORK).line
    assert keeps(search, FORK, None, line)
    assert not keeps(search, FORK, None, line[:-1])
    assert not keeps(search, FORK, None, [*line[:1], line[0]])
    lost = next(move for move in Reference(RULES).moves(FORK) if search.answer(after(RULES, FORK, [move])).verdict is Verdict.NO)
    assert not keeps(search, FORK, None, [lost, *line[1:]])
