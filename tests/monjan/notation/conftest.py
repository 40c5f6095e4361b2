"""States of whole matches of Monjan played at random, in every mode, for two to four players, under readings that add fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

import pytest

from monjudge.model.language import LimitReached, Move
from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.catalogue.packs import default_pack
from monjudge.model.monjan.notation.cards import Names
from monjudge.model.monjan.notation.kit import KIT
from monjudge.model.monjan.notation.position import Table
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.set_up import first_state, table
from monjudge.model.notation.kit import Position
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference

STEADY = {"draw": 3.0, "mana": 2.0, "strike": 3.0, "end": 0.3, "stop": 0.1, "pass": 0.5}
"""What keeps a match going; other kinds of moves get a weight by lot, so that rare ones are reached."""

MATCHES: tuple[tuple[str, str, Mapping[str, str], bool], ...] = (
    ("BASIC", "FLEHEIM HUNTERS", {"A34": "STACK", "A54": "DEFENDER", "A01": "MULLIGAN"}, False),
    ("LM", "ATELIER MANAST", {"A124": "OWN_HAND_CARD", "A125": "IN_SLOTS"}, False),
    ("INIT", "HUNTERS MANAST FLEHEIM", {"A53": "SIMULT_REGUARD", "A46": "DIE", "A36": "RESCUE_AT_ZERO"}, True),
    ("EXTRA", "FLEHEIM ATELIER", {}, False),
    ("URA_LM", "ATELIER HUNTERS FLEHEIM", {"A124": "TOKEN", "A77": "TO_DISCARD"}, True),
    ("URA_INIT", "MANAST HUNTERS", {"SEQ": "ON", "A93": "BOTTOM"}, True),
    ("URA_EXTRA", "FLEHEIM ATELIER MANAST HUNTERS",
     {"A102": "PAYER_CHOOSES", "A101": "FREE_CHOICE", "A116": "ATTACK_SLOT", "A07": "STACK", "A119": "SHOW_ON_CLAIM"}, True),
)  # fmt: skip


@cache
def engines(match: int) -> tuple[Table, Reference, Enumerator]:
    mode, boards, readings, hiding = MATCHES[match]
    setting = table(default_pack(), mode, [PRINTED[name] for name in boards.split()], dict(readings), hiding=hiding)
    rules = monjan(setting)
    return Table(setting, Names(())), Reference(rules), Enumerator(rules)


def walk(match: int, seed: int, most: int) -> Iterator[tuple[Position, list[Move]]]:
    """The positions of one match with their legal moves."""
    about, reference, enumerator = engines(match)
    rng = Random(seed)
    rules = reference.rules
    weights = {a.name: rng.random() for a in rules.actions} | STEADY
    state = reference.settle(first_state(rules, about.setting, default_pack(), by_lot=seed % 2 == 0))
    for _ in range(most):
        moves = enumerator.moves(state)
        yield Position(KIT, rules, state, about), moves
        if not moves:
            return
        kinds = sorted({move.action for move in moves})
        kind = rng.choices(kinds, [weights[k] for k in kinds])[0]
        try:
            state = reference.step(state, rng.choice([move for move in moves if move.action == kind]))
        except LimitReached:
            return


@pytest.fixture(scope="session")
def matches() -> Callable[..., Iterator[tuple[Position, list[Move]]]]:
    """``matches(number, seed, most)``: see ``walk``; the numbers are those of ``MATCHES``."""
    return walk


CARDS = {"mana", "attack", "under", "defence", "extra", "outside", "above", "deck_top", "et_top", "ba_top", "ba_bottom",
         "beneath_defence", "pending_card", "last_card"}  # fmt: skip
"""Fields whose values are cards; the piles have cards as their last index."""
PILES = {"hand", "deck", "et", "ba", "discard", "pool"}
TURNED = {"attack_down": "attack", "outside_down": "outside", "extra_down": "extra"}
"""That the card of a place lies face down; the rules leave the mark where the card is gone, and there it means nothing."""


@pytest.fixture(scope="session")
def cells() -> Callable[[Position], dict[tuple[Any, ...], Any]]:
    """``cells(position)``: every cell that is not 0, its cards by what they are, whatever their numbers."""

    def of(position: Position) -> dict[tuple[Any, ...], Any]:
        rules, catalogue = position.rules, position.about.setting.catalogue
        found: dict[tuple[Any, ...], Any] = {}
        for family in rules.families:
            for place in range(family.size):
                value: Any = position.state[rules.offset[family.name] + place]
                indices: list[Any] = []
                rest = place
                for dim in reversed(family.dims):
                    rest, index = divmod(rest, dim)
                    indices.insert(0, index)
                gone = family.name in TURNED and not position.state[rules.cell(TURNED[family.name], *indices)]
                if value and not gone:
                    if family.name in PILES:
                        indices[-1] = catalogue.cards[indices[-1]]
                    found[(family.name, *indices)] = catalogue.cards[value] if family.name in CARDS else value
        return found

    return of
