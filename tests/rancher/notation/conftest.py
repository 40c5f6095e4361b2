"""Positions of whole games played at random, under the default readings and under others by lot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import pytest

from monjudge.model.games import kit
from monjudge.model.language import Move
from monjudge.model.notation.kit import Position
from monjudge.model.rancher.readings import LIVE
from monjudge.model.rancher.texts import switch_texts
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference

STEADY = {"train": 3.0, "attach": 2.0, "place": 3.0, "attack": 4.0, "end": 0.5, "decline": 0.2}
"""What keeps a game going; all other kinds of moves have 1."""


@cache
def table(lot: int) -> tuple[Position, Reference, Enumerator]:
    """The beginning of a game with its engines: lot 0 has the default readings, others have readings by lot."""
    rng, texts = Random(lot), switch_texts()
    drawn = {id: rng.choice([value for value in texts[id].values if value not in texts[id].undetermined]) for id in LIVE}
    start = kit("rancher").deal(readings=drawn if lot else {})
    return start, Reference(start.rules), Enumerator(start.rules)


def walk(lot: int, seed: int, most: int) -> Iterator[tuple[Position, list[Move]]]:
    """The positions of one game with their legal moves."""
    start, reference, enumerator = table(lot)
    rng, state = Random(seed), reference.settle(start.state)
    for _ in range(most):
        moves = enumerator.moves(state)
        yield start.at(state), moves
        if not moves:
            return
        kinds = sorted({move.action for move in moves})
        kind = rng.choices(kinds, [STEADY.get(k, 1.0) for k in kinds])[0]
        state = reference.step(state, rng.choice([move for move in moves if move.action == kind]))


@pytest.fixture(scope="session")
def games() -> Callable[[int, int, int], Iterator[tuple[Position, list[Move]]]]:
    """``games(lot, seed, most)``: the positions of one game with their legal moves."""
    return walk
