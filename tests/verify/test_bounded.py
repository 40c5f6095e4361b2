"""z3 finds lines as short as a walk does, with numbers of either sort; and none where there is none."""

from __future__ import annotations

import pytest

from monjudge.model.games import kit
from monjudge.model.language import LimitReached, parse_expr
from monjudge.model.properties import Scene
from monjudge.verify.bounded import Walk, replay, unrolled
from monjudge.verify.queries import Clock


@pytest.mark.parametrize("numbers", ["bv", "int"])
@pytest.mark.parametrize(
    ("game", "text"),
    [("nim", "heap[0] == 1 and heap[2] == 2"), ("tic-tac-toe", "cell[4] == 2 and cell[0] == 2"), ("duel", "life[1] <= 35")],
)
def test_the_shortest_line_is_as_long_as_that_of_a_walk(game: str, text: str, numbers: str) -> None:
    position = kit(game).deal()
    scene = Scene(position.rules, position.state)
    formula, walk = parse_expr(text, scene.scope()), Walk(scene.rules, Clock())
    walked = walk.breadth_first(scene.start, lambda state: bool(walk.moves.value(formula, state)), 20_000).line
    line = unrolled(scene, formula, 5, Clock(), scene.rules.passes, numbers)
    assert walked is not None and line is not None and len(line.moves) == len(walked.moves)
    assert replay(scene.rules, scene.start, line.moves) == line.state and walk.moves.value(formula, line.state)
    assert unrolled(scene, formula, len(line.moves) - 1, Clock(), scene.rules.passes, numbers) is None


def test_without_time_nothing_is_said() -> None:
    position = kit("nim").deal()
    scene = Scene(position.rules, position.state)
    with pytest.raises(LimitReached):
        unrolled(scene, parse_expr("heap[0] == 1", scene.scope()), 3, Clock(0.0))
