"""A line that was recorded goes under every other reading as plain replay says: the same state, or the same complaint."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from monjudge.model.language import LimitReached, Move, State
from monjudge.model.properties import Scene, Setting
from monjudge.verify.bounded import Walk, record, reference, replay
from monjudge.verify.queries import Clock
from monjudge.verify.replaying import Recording, follow

TANK = Setting("tank", plugin=str(Path(__file__).with_name("leaky.py")))


def plain(scene: Scene, start: State, moves: Sequence[Move]) -> State | str:
    engine = reference(scene.rules)
    try:
        return follow(engine, engine.settle(start), moves)
    except (ValueError, LimitReached) as error:
        return str(error)


def recorded(recording: Recording, start: State, moves: Sequence[Move]) -> State | str | None:
    try:
        return recording.replay(start, moves)
    except (ValueError, LimitReached) as error:
        return str(error)


def others(scene: Scene, names: Sequence[str]) -> list[State]:
    """The start with every combination of the readings of these switches."""
    found = []
    families = [scene.rules.family_named[name] for name in names]
    for values in itertools.product(*(range(f.lo, f.hi + 1) for f in families)):
        cells = list(scene.start)
        for family, value in zip(families, values, strict=True):
            cells[scene.rules.offset[family.name]] = value
        found.append(tuple(cells))
    return found


def test_a_recorded_line_goes_as_plain_replay_says_under_every_combination_of_readings() -> None:
    scene = TANK.opened(TANK.switches).scene
    moves = [Move("fill", 0)] * 5
    recording, came = Recording(reference(scene.rules), scene.start, moves), set()
    for start in others(scene, TANK.switches):
        for count in range(6):
            assert recorded(recording, start, moves[:count]) == plain(scene, start, moves[:count])
        came.add(recorded(recording, start, moves))
    assert len(came) == 2 * 3 * 2 * 2  # every reading is in the state


def test_a_reading_that_bars_a_move_of_the_line_is_noticed_and_named_as_plain_replay_names_it() -> None:
    scene = TANK.opened(TANK.switches).scene
    wide = {s.id: scene.rules.offset[s.id] for s in scene.rules.switches}
    leaking = tuple(1 if n in (wide["PUMP"], wide["VALVE"]) else value for n, value in enumerate(scene.start))
    moves = [Move("fill", 0), Move("drip", 0), Move("fill", 0)]
    recording = Recording(reference(scene.rules), leaking, moves)
    complaints = [recorded(recording, start, moves) for start in others(scene, ["PUMP", "VALVE"])]
    assert complaints.count(f"move 2 of the line is not legal: {moves[1].action}") == 3 and leaking not in complaints


def test_what_is_no_part_of_the_line_is_not_answered_from_it() -> None:
    scene = TANK.opened(TANK.switches).scene
    recording = Recording(reference(scene.rules), scene.start, [Move("fill", 0)] * 3)
    fuller = scene.rules.state({"level": 2}, scene.start)
    assert recording.replay(fuller, [Move("fill", 0)]) is None
    assert recording.replay(scene.start, [Move("drip", 0)]) is None
    record(scene.rules, scene.start, [Move("fill", 0)] * 3)
    assert replay(scene.rules, fuller, [Move("fill", 0)]) == scene.rules.state({"level": 3, "red": 1}, scene.start)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_line_of_the_large_game_goes_as_plain_replay_says_under_every_single_reading(seed: int) -> None:
    setting = Setting("monjan")
    scene = setting.opened(setting.switches).scene
    walk, random, moves = Walk(scene.rules, Clock()), Random(seed), list[Move]()
    state = walk.engine.settle(scene.start)
    while len(moves) < 90:
        move = walk.one_of(state, walk.moves.moves(state), random)
        after = None if move is None else walk.step(state, move)
        if move is None or after is None:
            break
        moves.append(move)
        state = after
    recording = Recording(walk.engine, scene.start, moves)
    ends = [(recorded(recording, start, moves), plain(scene, start, moves)) for s in scene.rules.switches for start in others(scene, [s.id])[1:]]
    assert all(one == other for one, other in ends) and any(isinstance(one, str) for one, _ in ends)
