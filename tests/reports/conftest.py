"""Tables to draw: written mid-game positions, and states of games played at random with cards face down."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from monjudge.model.language import LimitReached, RuleSet, State
from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.cases.scene import Scene
from monjudge.model.monjan.catalogue.packs import default_pack
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.positions import midgame
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.set_up import first_state, table
from monjudge.solvers.cases import CaseEngine
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference

RARELY = {"end": 0.2, "stop": 0.1, "pass": 0.5, "boss": 5.0, "boss_stay": 5.0, "extra": 5.0, "toughness": 5.0}
"""Weights of kinds of moves that bring many cards to the table; any other has 2."""

Table = tuple[Setting, RuleSet, list[State]]


@cache
def game(mode: str, boards: str, seed: int, readings: tuple[tuple[str, str], ...] = ()) -> Table:
    """The states of a game at random in which cards may be set face down."""
    setting = table(default_pack(), mode, [PRINTED[name] for name in boards.split()], dict(readings), hiding=True)
    rules = monjan(setting)
    reference, moves, rng = Reference(rules), Enumerator(rules), Random(seed)
    states = [reference.settle(first_state(rules, setting, default_pack()))]
    while (choices := moves.moves(states[-1])) and len(states) < 400:
        move = rng.choices(choices, [RARELY.get(m.action, 2.0) for m in choices])[0]
        try:
            states.append(reference.step(states[-1], move))
        except LimitReached:
            break
    return setting, rules, states


@cache
def positions() -> dict[str, Scene]:
    return dict(midgame(CaseEngine))


@pytest.fixture(scope="session")
def played() -> Callable[..., Table]:
    """``played(mode, boards, seed, readings=())``: see ``game``."""
    return game


@pytest.fixture(scope="session")
def written() -> Callable[[], dict[str, Scene]]:
    """``written()``: the mid-game positions by id, settled."""
    return positions
