"""The numbered examples of payments in the document, under every reading of a payment and every two of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from monjudge.model.language import Move
from monjudge.model.monjan.cases.scene import Scene
from monjudge.model.monjan.texts import switch_texts

A = 0
Left = Callable[[Scene, list[Move]], set[tuple[str, ...]]]
Contradicted = Callable[[Mapping[str, str]], set[str]]

RELEASES: Mapping[str, Any] = {"pair": None, "nums": [], "v": 5, "release": [1, 2, 3], "name": "three releases"}
"""An Extra card with a release of each cost."""

EXAMPLES: Mapping[str, tuple[list[str], str, int, tuple[str, ...] | None]] = {
    "RELEASE.ex1a": (["m", "m"], "release", 3, None),
    "RELEASE.ex1b": (["m", "m"], "release", 2, ()),
    "RELEASE.ex1c": (["m", "m"], "release", 1, ("m",)),
    "RELEASE.ex2a": (["*", "m", "m"], "release", 3, ("*",)),
    "RELEASE.ex2b": (["*", "m", "m"], "release", 2, ("*",)),
    "RELEASE.ex2c": (["*", "m", "m"], "release", 1, ("*", "m")),
    "RELEASE.ex3a": (["*", "m"], "release", 3, None),
    "RELEASE.ex3b": (["*", "m"], "release", 2, ("*",)),
    "RELEASE.ex3c": (["*", "m"], "release", 1, ("*",)),
    "FALL.9": (["*", "*", "m"], "boss", 3, ("*",)),
    "TOUGH.ex1": (["*", "m", "m", "m"], "toughness", 4, ("*",)),
}
"""The numbered examples of the document: the stack, what is paid for, the cost, and what is left (None: impossible)."""

PAYING = ("A87", "A88", "A89", "A96", "A97", "A98", "A99", "A100", "A101", "A102", "A103", "A104", "A106", "A107", "A158")
CONTRADICTED = {
    ("A97", "NOT_COUNTED"): {"RELEASE.ex2a", "RELEASE.ex3b", "FALL.9", "TOUGH.ex1"},
    ("A98", "PROTECTED"): {"FALL.9"},
    ("A101", "FREE_CHOICE"): {"RELEASE.ex2b"},
}
"""The readings under which the document contradicts its own examples."""

READ = [(switch, value) for switch in PAYING for value in switch_texts()[switch].values]


@pytest.fixture(scope="module")
def contradicted(scene: Callable[..., Scene], left: Left) -> Contradicted:
    """The examples that do not come out as the document says under these readings."""

    def all_left(stack: list[str], action: str, cost: int, readings: Mapping[str, str]) -> set[tuple[str, ...]]:
        fallen = ["L"] if "*" in stack else []
        player = {"mana": {"L": stack}, "fallen": fallen, "hand": ["T4/9"], "ex": {"card": RELEASES}}
        now = scene({"A": player, "ba_top": "B10"}, readings, ("*", "m"), left_open=PAYING)
        if action == "release":
            return left(now, now.moves("edit_skill", A, left=cost, skill=cost - 1))
        return left(now, now.moves(action, A, left=cost))

    return lambda readings: {id for id, e in EXAMPLES.items() if all_left(*e[:3], readings) != {e[3]} - {None}}


@pytest.mark.parametrize(("switch", "value"), READ)
def test_the_examples_of_the_document_hold_under_every_reading_but_those_that_contradict_them(
    contradicted: Contradicted, switch: str, value: str
) -> None:
    assert contradicted({switch: value}) == CONTRADICTED.get((switch, value), set())


PAIRED = {
    # A lone Elements that pays and counts whenever the payer likes.
    frozenset({("A97", "FREE"), ("A101", "FREE_CHOICE")}): {"RELEASE.ex2b", "RELEASE.ex2c", "RELEASE.ex3c"},
    # There is nothing to choose where Elements never count.
    frozenset({("A97", "NOT_COUNTED"), ("A101", "FREE_CHOICE")}): CONTRADICTED["A97", "NOT_COUNTED"],
}
"""The pairs of readings that contradict more or fewer examples than each of them alone."""


@pytest.mark.slow
def test_two_readings_of_a_payment_contradict_what_each_of_them_does(contradicted: Contradicted) -> None:
    other = [(switch, value) for switch, value in READ if value != switch_texts()[switch].default]
    found = {}
    for one, two in itertools.combinations(other, 2):
        together = CONTRADICTED.get(one, set()) | CONTRADICTED.get(two, set())
        if one[0] != two[0] and (both := contradicted(dict([one, two]))) != together:
            found[frozenset({one, two})] = both
    assert found == PAIRED
