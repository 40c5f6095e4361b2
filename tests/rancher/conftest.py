"""Tables of the Monster Rancher Collectible Card Game for tests: positions named by cards, under any readings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import pytest

from monjudge.model.language import Move, RuleSet, State
from monjudge.model.rancher.cards import Catalogue
from monjudge.model.rancher.catalogue.packs import default_pack
from monjudge.model.rancher.match import Setting
from monjudge.model.rancher.rules import rancher
from monjudge.solvers.engines.reference import Reference

Readings = tuple[tuple[str, str], ...]

HALL = ("ASH_HOUND", "BRAWN_APE", "CLAY_GUARD", "CROW_WITCH", "FROG_SAGE", "IRON_RAM", "THORN_CAT", "TIDE_EEL", "LIFTING", "SPRINTS",
        "FIRE_TRICK", "SPIKED_COLLAR", "CHARM_COLLAR", "FEED_BAG", "WHISTLE", "ITCH_POWDER", "TAILWIND", "HERB_DOCTOR", "WINDFALL",
        "SPILT_CART", "VILLAGE_BOUT", "CUP_MATCH", "ALLEY_SCRAP", "NIGHT_MATCH")  # fmt: skip
"""The kinds of a table on which most questions can be asked."""


class Table:
    """One rule set with its engine, and states of it by name."""

    def __init__(self, cards: Iterable[str], readings: Mapping[str, str], slots: int = 6, open: Iterable[str] = ()) -> None:
        self.cards = Catalogue(default_pack().named(name) for name in cards)
        self.rules: RuleSet = rancher(Setting(self.cards, readings=dict(readings), slots=slots, open=frozenset(open)))
        self.engine = Reference(self.rules)

    def state(self, cells: Mapping[tuple[Any, ...], int], base: State | None = None) -> State:
        """The start (or ``base``) with these cells, then settled; a text among the indices is a kind of card."""
        state = list(self.rules.start if base is None else base)
        for (name, *indices), value in cells.items():
            family = self.rules.family_named[name]
            where = [self._index(name, i) if isinstance(i, str) else i for i in indices]
            number = self.cards[value] if isinstance(value, str) and value in self.cards_named else value
            if isinstance(number, str):
                assert family.labels is not None
                number = family.labels[number]
            state[self.rules.cell(name, *where)] = number
        return self.engine.settle(tuple(state))

    @property
    def cards_named(self) -> set[str]:
        return {card.name for card in self.cards.cards}

    def _index(self, field: str, card: str) -> int:
        first = {"training": self.cards.numbers("TRAINING").start, "gear": self.cards.numbers("ATTACHMENT").start,
                 "kit": self.cards.numbers("ATTACHMENT").start}  # fmt: skip
        return self.cards[card] - first.get(field, 0)

    def value(self, state: State, name: str, *indices: Any) -> int:
        where = [self._index(name, i) if isinstance(i, str) else i for i in indices]
        return state[self.rules.cell(name, *where)]

    def moves(self, state: State, action: str) -> list[Move]:
        return [move for move in self.engine.moves(state) if move.action == action]

    def step_name(self, state: State) -> str:
        labels = self.rules.family_named["step"].labels
        assert labels is not None
        return labels.labels[self.value(state, "step")]


@cache
def _table(cards: tuple[str, ...], readings: Readings, slots: int, open: tuple[str, ...]) -> Table:
    return Table(cards, dict(readings), slots, open)


@pytest.fixture(scope="session")
def table() -> Callable[..., Table]:
    """``table(cards=HALL, readings={}, slots=6, open=())``: a table, built once for each choice."""

    def build(cards: Iterable[str] = HALL, readings: Mapping[str, str] | None = None, slots: int = 6, open: Iterable[str] = ()) -> Table:
        return _table(tuple(cards), tuple(sorted((readings or {}).items())), slots, tuple(open))

    return build
