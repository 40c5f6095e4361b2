"""Lines near a known one are lines of play that end as is asked, and a line loses the moves that it does not need."""

from __future__ import annotations

import pytest

from monjudge.model.games import kit
from monjudge.model.language import Game, Move, RuleSet, gain
from monjudge.verify.bounded import Line, Walk, replay
from monjudge.verify.nearby import nearby, shortened, wanted
from monjudge.verify.queries import Clock


def stairs(*, by: bool, barred: int = -1) -> RuleSet:
    """Steps up to nine, each of a size where ``by``; none goes on from one that is barred, but a leap does."""
    g = Game("stairs", players=1)
    level, idle = g.field("level", values=range(10)), g.field("idle", values=range(10))
    up = g.action("up", by=0)
    size = up.param("by", range(1, 3)) if by else None
    up.clause("STAIRS.barred", level != barred)
    up.effect(gain(level, 1 if size is None else size))
    leap = g.action("leap", by=0)
    leap.clause("STAIRS.leap", level == barred)
    leap.effect(gain(level, 2))
    wait = g.action("wait", by=0)
    wait.clause("STAIRS.wait", idle < 9)
    wait.effect(gain(idle, 1))
    return g.build()


@pytest.mark.parametrize(("by", "barred"), [(False, -1), (True, -1), (False, 1), (True, 1), (True, 2)])
def test_a_line_is_found_where_moves_of_the_known_one_are_barred_or_written_otherwise(by: bool, barred: int) -> None:
    known = wanted(stairs(by=False), [Move("up", 0), Move("wait", 0), Move("up", 0), Move("up", 0)])
    walk = Walk(stairs(by=by, barred=barred), Clock())
    line = nearby(walk, walk.rules.start, known, lambda state: state[0] == 3)
    assert line is not None and line.state[0] == 3
    assert replay(walk.rules, walk.rules.start, line.moves) == line.state


def test_what_cannot_be_reached_is_not_found() -> None:
    walk = Walk(stairs(by=False), Clock())
    assert nearby(walk, walk.rules.start, wanted(walk.rules, [Move("up", 0)] * 3), lambda state: state[0] > 9) is None


def test_a_known_line_is_made_again_move_for_move() -> None:
    rules = kit("tic-tac-toe").deal().rules
    walk = Walk(rules, Clock())
    line = walk.at_random(rules.start, walk.moves.over, [3]).line
    assert line is not None and nearby(walk, rules.start, wanted(rules, line.moves), walk.moves.over) == line


def test_moves_that_a_line_does_not_need_are_left_out_and_none_else_can_be() -> None:
    walk = Walk(stairs(by=False), Clock())
    up, wait = Move("up", 0), Move("wait", 0)
    moves = (wait, up, wait, wait, up, up, wait, up)
    line = shortened(walk, Line(walk.rules.start, moves, replay(walk.rules, walk.rules.start, moves)), lambda state: state[0] == 4)
    assert line.moves == (up,) * 4 and line.state[0] == 4


@pytest.mark.parametrize("seed", range(4))
def test_a_line_that_is_shortened_still_ends_as_is_asked(seed: int) -> None:
    rules = kit("duel").deal().rules
    walk = Walk(rules, Clock())
    line = walk.at_random(walk.rules.start, walk.moves.over, [seed]).line
    assert line is not None
    short = shortened(walk, line, walk.moves.over)
    assert len(short.moves) <= len(line.moves) and replay(rules, short.start, short.moves) == short.state and walk.moves.over(short.state)
    for n in range(len(short.moves)):
        rest = (*short.moves[:n], *short.moves[n + 1 :])
        try:
            assert not walk.moves.over(replay(rules, short.start, rest))
        except ValueError:
            continue
