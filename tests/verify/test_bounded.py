"""What a walk is told of lines: they are as short as they can be, and are made again by the reference."""

from __future__ import annotations

import pytest

from monjudge.model.games import kit
from monjudge.model.language import Move, State, parse_expr
from monjudge.model.properties import Scene
from monjudge.verify.bounded import Walk, _outward, _played, replay
from monjudge.verify.queries import Clock


@pytest.mark.parametrize(("game", "text", "moves"), [("nim", "heap[0] == 1 and heap[2] == 2", 2), ("tic-tac-toe", "cell[4] == 2 and cell[0] == 2", 4)])
def test_the_line_of_a_walk_is_the_shortest_and_is_made_again(game: str, text: str, moves: int) -> None:
    position = kit(game).deal()
    formula, walk = parse_expr(text, Scene(position.rules, position.state).scope()), Walk(position.rules, Clock())
    line = walk.breadth_first(position.state, lambda state: bool(walk.moves.value(formula, state)), 20_000).line
    assert line is not None and len(line.moves) == moves
    assert replay(position.rules, position.state, line.moves) == line.state and walk.moves.value(formula, line.state)
    with pytest.raises(ValueError, match="move 1 of the line is not legal: "):
        replay(position.rules, position.state, [line.moves[-1], *line.moves[:1], *line.moves])


def never(state: State) -> bool:
    return False


def test_what_was_walked_for_one_property_is_only_looked_at_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    position = kit("nim").deal()
    walk, start = Walk(position.rules, Clock()), position.state
    tests = [lambda state, n=n: sum(state) % 5 == n for n in range(5)]
    fresh = []
    for test in tests:
        _outward.cache_clear()
        _played.cache_clear()
        fresh.append((walk.breadth_first(start, test, 20_000), walk.at_random(start, test, range(4))))
    assert walk.breadth_first(start, never, 20_000).complete and walk.at_random(start, never, range(4)).line is None

    def made(self: Walk, state: State, move: Move) -> State:
        raise AssertionError("a step is made again")

    monkeypatch.setattr(Walk, "step", made)
    assert [(walk.breadth_first(start, test, 20_000), walk.at_random(start, test, range(4))) for test in tests] == fresh


def test_a_walk_that_was_broken_off_is_not_taken_to_have_seen_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    position = kit("nim").deal()
    walk, right, left = Walk(position.rules, Clock()), Walk.step, iter(range(20))
    _outward.cache_clear()

    def broken_off(self: Walk, state: State, move: Move) -> State | None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return right(self, state, move)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Walk, "step", broken_off)
        walk.breadth_first(position.state, never, 20_000)
    assert not walk.breadth_first(position.state, never, 20_000).complete
    _outward.cache_clear()
    assert walk.breadth_first(position.state, never, 20_000).complete
