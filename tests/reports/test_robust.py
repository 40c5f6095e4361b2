"""Whether a forced goal hangs on how the text is read: what flips it is named, what no proof consults is left alone."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pytest

from monjudge.model.language import FALSE, TRUE, Expr, Game, RuleSet, put, reads
from monjudge.model.notation.kit import Position as Written
from monjudge.model.notation.plain import Plain
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.judge import Position
from monjudge.reports.robust import over_readings
from monjudge.reports.running import Solving
from monjudge.solvers.verdict import Verdict

SWITCHES = {"KEY": ("ONE", "TWO"), "LUCK": ("NO", "YES"), "MOON": ("NEW", "FULL")}
"""Each with its readings, the default first."""


def door(readings: Mapping[str, str], open: Collection[str] = ()) -> RuleSet:
    """Who has enough keys gets in: 2 or more do, 1 does under one reading of KEY, 0 unless KEY and LUCK are both read otherwise."""
    g = Game("door", players=2, en="The door", ja="扉")
    cells = {id: g.switch(id, values, readings.get(id, values[0])) for id, values in SWITCHES.items() if id in open}

    def read(id: str, value: str) -> Expr:
        if id in open:
            return reads(cells[id], value)
        return TRUE if readings.get(id, SWITCHES[id][0]) == value else FALSE

    keys, inside, shine = g.field("keys", values=range(4)), g.field("inside", values=bool), g.field("shine", values=bool)
    enter = g.action("enter", by=0, en="enter", ja="入る")
    enter.clause(
        "D.1", (keys >= 2) | ((keys == 1) & ~read("KEY", "TWO")) | ((keys == 0) & ~(read("KEY", "TWO") & read("LUCK", "YES"))),
        en="Whoever has keys may enter.", ja="鍵があれば入れる。",
    )  # fmt: skip
    enter.effect(put(inside, True), put(shine, True, when=(keys == 3) & read("MOON", "FULL")))
    g.over(inside, id="D.end", en="Inside, the game ends.", ja="入れば終わる。")
    g.goal("win", 0, inside, en="get in", ja="入る")
    return g.build()


class Words:
    """What is said about a switch."""

    undetermined: frozenset[str] = frozenset()
    clauses: tuple[str, ...] = ()
    severity = ""

    def __init__(self, id: str) -> None:
        self.id = self.name = id
        self.default = SWITCHES[id][0]
        self.title = self.why = self.reason = Sentence(id, id)
        self.values = {value: Sentence(value, value) for value in SWITCHES[id]}


class Door(Plain):
    """The kit of the game, with readings."""

    def __init__(self, readings: Mapping[str, str] = MappingProxyType({}), open: Collection[str] = ()) -> None:
        super().__init__("door", door(readings, open))
        self.readings = dict(readings)

    def position(self, document: Any, *, readings: Mapping[str, str] | None = None, open: Collection[str] = ()) -> Written:
        chosen = {**document.get("readings", {}), **(readings or {})}
        plain = Door(chosen, open)
        return Plain.position(plain, {key: value for key, value in document.items() if key != "readings"})

    def data(self, position: Written) -> dict[str, Any]:
        data = {key: value for key, value in super().data(position).items() if key not in SWITCHES}
        return data | ({"readings": self.readings} if self.readings else {})

    def switches(self) -> Mapping[str, Any]:
        return {id: Words(id) for id in SWITCHES}

    def fixed(self) -> Collection[str]:
        return ()


def at(keys: int, **readings: str) -> Position:
    return Position(Door().position({"game": "door", "keys": keys, "readings": readings}))


def everywhere(keys: int) -> Iterator[tuple[dict[str, str], Verdict]]:
    """The verdict under every combination of readings, each asked for itself."""
    for values in itertools.product(*SWITCHES.values()):
        readings = dict(zip(SWITCHES, values, strict=True))
        yield readings, Solving(at(keys, **readings)).run()[0].verdict


@pytest.mark.parametrize("keys", range(4))
def test_an_answer_is_robust_exactly_where_every_combination_gives_the_same(keys: int) -> None:
    found = over_readings(at(keys))
    assert found.robust is (len({verdict for _, verdict in everywhere(keys)}) == 1)
    assert found.limit is None


@pytest.mark.parametrize("keys", range(4))
def test_every_change_that_is_named_gives_the_verdict_it_says(keys: int) -> None:
    asked = {tuple(readings.items()): verdict for readings, verdict in everywhere(keys)}
    defaults = {id: values[0] for id, values in SWITCHES.items()}
    for change in over_readings(at(keys)).changes:
        assert asked[tuple({**defaults, **dict(change.readings)}.items())] is change.verdict is not Verdict.YES


def test_one_reading_that_flips_a_win_is_named() -> None:
    found = over_readings(at(1))
    assert found.verdict is Verdict.DEPENDS and [c.text for c in found.changes] == ["KEY=TWO"]


def test_two_readings_that_flip_it_only_together_are_found_or_the_answer_is_open() -> None:
    found = over_readings(at(0))
    assert found.verdict is Verdict.DEPENDS and [set(c.readings) for c in found.changes] == [{("KEY", "TWO"), ("LUCK", "YES")}]
    short = over_readings(at(0), combinations=0)
    assert short.verdict is Verdict.UNKNOWN and short.limit is not None and not short.robust


def test_readings_that_the_proof_never_consults_are_not_tried() -> None:
    found = over_readings(at(2))
    assert found.robust and (found.unread, found.tried) == (2, 1)
    assert over_readings(at(1)).unread < 3


def test_a_refutation_hangs_on_readings_too() -> None:
    found = over_readings(at(1, KEY="TWO"))
    assert found.base.verdict is Verdict.NO and [(c.text, c.verdict) for c in found.changes] == [("KEY=ONE", Verdict.YES)]
