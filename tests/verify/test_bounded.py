"""What a walk is told of lines: they are as short as they can be, and are made again by the reference."""

from __future__ import annotations

import pytest

from monjudge.model.games import kit
from monjudge.model.language import parse_expr
from monjudge.model.properties import Scene
from monjudge.verify.bounded import Walk, replay
from monjudge.verify.queries import Clock


@pytest.mark.parametrize(("game", "text", "moves"), [("nim", "heap[0] == 1 and heap[2] == 2", 2), ("tic-tac-toe", "cell[4] == 2 and cell[0] == 2", 4)])
def test_the_line_of_a_walk_is_the_shortest_and_is_made_again(game: str, text: str, moves: int) -> None:
    position = kit(game).deal()
    formula, walk = parse_expr(text, Scene(position.rules, position.state).scope()), Walk(position.rules, Clock())
    line = walk.breadth_first(position.state, lambda state: bool(walk.moves.value(formula, state)), 20_000).line
    assert line is not None and len(line.moves) == moves
    assert replay(position.rules, position.state, line.moves) == line.state and walk.moves.value(formula, line.state)
    with pytest.raises(ValueError, match="move 1 is not legal"):
        replay(position.rules, position.state, [line.moves[-1], *line.moves[:1], *line.moves])
