"""A table of Monjan Colosseum for the tests of its readings: positions as cases write them, under any readings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from monjudge.model.language import Move, RuleSet
from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.cards import Card, Catalogue
from monjudge.model.monjan.cases.card_names import read_card
from monjudge.model.monjan.cases.notation import read_position
from monjudge.model.monjan.cases.scene import Scene
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.texts import switch_texts
from monjudge.solvers.cases import CaseEngine

A, L = 0, 0

Readings = tuple[tuple[str, str], ...]


@cache
def engine_of(
    cards: frozenset[Card], readings: Readings, players: int, slots: int, hiding: bool, left_open: tuple[str, ...]
) -> tuple[RuleSet, CaseEngine, Catalogue]:
    catalogue = Catalogue(cards)
    setting = Setting(catalogue, (PRINTED["FLEHEIM"],) * players, readings=dict(readings), hiding=hiding,
                      open=frozenset({"BOARDS", "MODE", *left_open}), slots=slots)  # fmt: skip
    rules = monjan(setting)
    return rules, CaseEngine(rules), catalogue


def scene_of(
    state: Mapping[str, Any], readings: Mapping[str, str], more: Iterable[str | Card] = (), *,
    hiding: bool = False, left_open: tuple[str, ...] = (),
) -> Scene:  # fmt: skip
    """The position of a case's state under the readings; ``more`` are further cards of the catalogue.

    A switch that is ``left_open`` is read by a cell of the state, so that one rule set serves all its readings.
    """
    position = read_position(state, {s: value for s, value in readings.items() if s not in left_open})
    cards = position.cards | {read_card(card) if isinstance(card, str) else card for card in more}
    cards |= {Card("ANY", name="token")}
    other = tuple(sorted((s, value) for s, value in position.readings.items() if value != switch_texts()[s].default))
    built = engine_of(frozenset(cards), other, len(position.names), position.slots, hiding, left_open)
    chosen = {(s,): list(switch_texts()[s].values).index(value) for s, value in readings.items() if s in left_open}
    now = Scene.of(*built, position)
    return now.put(chosen).settled() if chosen else now


@pytest.fixture(scope="session")
def scene() -> Callable[..., Scene]:
    """``scene(state, readings, more=(), hiding=False, left_open=())``: see ``scene_of``."""
    return scene_of


def stacks_after(now: Scene, moves: list[Move]) -> set[tuple[str, ...]]:
    """What can be left of a column of A after the battle turn, by any of these moves and every choice in it."""
    return {tuple(end.cleaned_up().stack(A, L)) for move in moves for end in choices(now.after(move))}


def choices(now: Scene) -> Iterator[Scene]:
    """Every scene after the payer has named the cards that go."""
    spends = now.moves("spend", A)
    if not spends:
        yield now.rolled()
    for move in spends:
        yield from choices(now.after(move))


@pytest.fixture(scope="session")
def left() -> Callable[[Scene, list[Move]], set[tuple[str, ...]]]:
    """``left(scene, moves)``: see ``stacks_after``."""
    return stacks_after
