"""The shipped mid-game positions: settled, of the size they claim, and the same to every engine."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from monjudge.model.language import State
from monjudge.model.monjan.cases import answers
from monjudge.model.monjan.cases.scene import Scene
from monjudge.model.monjan.match import PHASE
from monjudge.model.monjan.positions import LARGE, midgame, on_its_boards
from monjudge.solvers.cases import CaseEngine
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.native import Native
from monjudge.solvers.engines.reference import Reference

ROOT = Path(__file__).parents[2]
SCENES = dict(midgame(Reference))
DEPTHS = dict(zip(SCENES, (1, 1, 2, 3, 2, 3, 2, 2, 2, 4), strict=True))
QUICK = ("an-extra-card-on-each-side", "a-battle-with-assassins")
"""An edit turn and a battle; machine code for all the other positions takes half a minute to compile."""


def _positions(engine: Any, state: State, depth: int) -> int:
    if depth == 0 or engine.over(state):
        return 1
    return 1 + sum(_positions(engine, engine.step(state, move), depth - 1) for move in engine.moves(state))


def _hands(scene: Scene) -> list[int]:
    return [scene.counted("hand", p).total() for p in range(2)]


def test_there_are_six_large_positions_two_with_ten_cards_and_three_battles() -> None:
    large = list(SCENES.values())[:LARGE]
    assert len(SCENES) == 10
    assert all(6 <= held <= 10 for scene in large for held in _hands(scene))
    assert sum(10 in _hands(scene) for scene in large) == 2
    assert sum(scene.cell("phase") == PHASE["BATTLE"] for scene in large) == 3


@pytest.mark.parametrize("name", SCENES)
def test_a_position_is_settled_and_shows_all_that_was_written(name: str) -> None:
    scene = SCENES[name]
    assert scene.engine.settle(scene.state) == scene.state
    assert not scene.engine.over(scene.state)
    for key, value in scene.position.cells.items():
        if key[0] in ("extra", "extra_by", "attack", "defence", "mana"):
            assert scene.put({key: value}).state == scene.state, key


@pytest.mark.parametrize("name", SCENES)
def test_the_enumerator_finds_the_moves_of_the_reference(name: str) -> None:
    scene = SCENES[name]
    assert Enumerator(scene.rules).moves(scene.state) == scene.engine.moves(scene.state)


@pytest.mark.parametrize("name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SCENES])
def test_native_code_finds_the_moves_and_positions_of_the_reference(name: str) -> None:
    scene = SCENES[name]
    native, moves = Native(scene.rules), scene.engine.moves(scene.state)
    assert native.successors(scene.state) == (moves, [scene.engine.step(scene.state, m) for m in moves])
    assert native.perft(scene.state, DEPTHS[name]) == _positions(scene.engine, scene.state, DEPTHS[name])


def _benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_monjan", ROOT / "benchmarks" / "monjan.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_ends_of_an_edit_turn_are_as_many_as_cases_count() -> None:
    benchmark, ask = _benchmark(), answers(CaseEngine)
    state = {"turn": 5, "A": {"board": "FLEHEIM", "mana": {"L": ["f3"], "M": ["w5", "n7"]}, "def": {"M": ["w9", 9]},
             "hand": ["f2", "w4", "n6", "T1/3", {"pair": ["f", "n"], "nums": [3], "v": 4}]}}  # fmt: skip
    scene = on_its_boards(state, Reference)
    engine = Native(benchmark.one_edit_turn(scene.rules, 0))
    counted = ask({"state": state, "query": {"op": "edit_turn_count", "who": "A"}})["count"]
    assert benchmark.ends(scene.rules, engine, scene.state, 0) == counted > 50
