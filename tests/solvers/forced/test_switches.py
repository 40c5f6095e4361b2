"""What only saves work changes no verdict: endgames of every game, with every combination of the switches."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from random import Random

import pytest

from monjudge import puzzles
from monjudge.model.language import RuleSet, State
from monjudge.model.monjan.cases.scene import Scene
from monjudge.model.monjan.positions import midgame
from monjudge.model.small.breakthrough import breakthrough
from monjudge.model.small.connect_four import connect_four
from monjudge.model.small.duel import duel
from monjudge.model.small.nim import nim
from monjudge.model.small.pig import pig
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.puzzles.library import library
from monjudge.solvers.engines.native import Native
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.forced import Limits, Search
from monjudge.solvers.forced.search import Options, engine_of
from monjudge.solvers.verdict import Verdict

COMBINATIONS = [Options(*chosen) for chosen in itertools.product((True, False), repeat=len(fields(Options)))]

SMALL = (tic_tac_toe(), nim((1, 2, 3)), breakthrough(4, 3, 1), connect_four(4, 3, 3), duel(3, 8), pig(8))
FAST_PUZZLES = ("the-column-that-may-fall", "one-more-than-they-can-stop", "back-to-the-wall", "stand-still", "one-short")
OPEN = tuple(name for name, path in library().items() if not (p := puzzles.read(path)).hidden and p.chance == "worst")


def verdicts(rules: RuleSet, state: State, player: int, turns: int | None, nodes: int) -> Counter[Verdict]:
    """What each combination of the switches says within so many positions; those that know it say the same."""
    limits, found = Limits(nodes=nodes), Counter[Verdict]()
    for options in COMBINATIONS:
        search = Search(rules, "win", player, memory=1 << 26, options=options)
        found[search.answer(state, turns, limits, line=False).verdict] += 1
    assert not (found[Verdict.YES] and found[Verdict.NO]), (state, player, turns)
    return found


def positions(rules: RuleSet, count: int) -> Iterator[State]:
    """The start, and positions of random play."""
    engine, random = engine_of(rules), Random(rules.name)
    yield engine.settle(rules.start)
    for seed in range(count):
        state = engine.settle(rules.start)
        for move in engine.random_playout(state, seed)[0][: random.randrange(1, 8)]:
            state = engine.step(state, move)
        yield state


@pytest.mark.parametrize("rules", SMALL, ids=lambda r: r.name)
def test_no_switch_changes_a_verdict_in_a_small_game(rules: RuleSet) -> None:
    found = Counter[Verdict]()
    for state in positions(rules, 6):
        for player in range(rules.players):
            found += verdicts(rules, state, player, None, 20_000)
    assert found[Verdict.YES] + found[Verdict.NO] > 0.8 * found.total()


def of_puzzle(name: str, nodes: int) -> Counter[Verdict]:
    """The question of a puzzle, and the same of the other players."""
    puzzle, found = puzzles.read(library()[name]), Counter[Verdict]()
    here = puzzle.played
    state = Reference(here.rules).settle(here.state)
    for player in range(here.rules.players):
        if any((g.name, g.player) == ("win", player) for g in here.rules.goals):
            found += verdicts(here.rules, state, player, puzzle.turns, nodes)
    return found


@pytest.mark.parametrize("name", FAST_PUZZLES)
def test_no_switch_changes_a_verdict_in_a_puzzle(name: str) -> None:
    found = of_puzzle(name, 3_000)
    assert found[Verdict.YES] + found[Verdict.NO] > 0.5 * found.total()


@pytest.mark.slow
@pytest.mark.parametrize("name", OPEN)
def test_no_switch_changes_a_verdict_in_any_puzzle_with_open_cards(name: str) -> None:
    found = of_puzzle(name, 100_000)
    assert found[Verdict.YES] + found[Verdict.NO] >= 2


@cache
def scenes() -> dict[str, Scene]:
    return dict(midgame(Native))


def late(scene: Scene, count: int) -> Iterator[State]:
    """Positions of random play in this turn, so late in it that little is left to be searched."""
    engine, random, turn = scene.engine, Random(7), scene.cell("turn")
    assert isinstance(engine, Native)
    for _ in range(count):
        state, states = scene.state, list[State]()
        while (moves := engine.moves(state)) and state[scene.rules.cell("turn")] == turn:
            states.append(state)
            state = engine.step(state, random.choice(moves))
        yield from random.sample(states[-25:], 2)


@pytest.mark.parametrize("name", ["elements-alone-pay", "the-last-attack-step"])
def test_no_switch_changes_a_verdict_late_in_a_turn(name: str) -> None:
    scene, found = scenes()[name], Counter[Verdict]()
    for state in late(scene, 3):
        for player in range(2):
            found += verdicts(scene.rules, state, player, 1, 3_000)
    assert found[Verdict.YES] + found[Verdict.NO] > 0.5 * found.total()


@pytest.mark.slow
@pytest.mark.parametrize("name", [
    "ten-cards-on-both-hands", "ten-cards-after-a-fall", "an-extra-card-on-each-side", "the-middle-of-a-battle", "a-battle-with-assassins",
    "a-battle-for-the-middle", "a-boss-for-good", "the-draw-is-still-due", "elements-alone-pay", "the-last-attack-step",
])  # fmt: skip
def test_no_switch_changes_a_verdict_in_any_position(name: str) -> None:
    scene, found = scenes()[name], Counter[Verdict]()
    for state in late(scene, 20):
        for player in range(2):
            found += verdicts(scene.rules, state, player, 1, 30_000)
    assert found[Verdict.YES] + found[Verdict.NO] > 0.5 * found.total()
