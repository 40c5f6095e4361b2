"""The report about the arena against the rules as they are played: every position, pair of orders, reading and first player."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from monjudge.model.games import games, reports_of
from monjudge.model.rancher.cases.scene import Scene
from monjudge.model.rancher.reports import arena
from monjudge.model.report import Report, Sheet

Build = Callable[..., Scene]
Squares = tuple[int, int]

ORDERS = ("OPEN", "SECRET_IN_ORDER", "SECRET_AT_ONCE")
POSITIONS = list(itertools.permutations(range(1, 6), 2))
FIGHTER = {"power": 1, "life": 9, "name": "fighter", "techniques": [[n, 1] for n in range(1, 5)]}
"""A monster with a technique for every distance: after the orders it is asked whether it attacks."""


@pytest.fixture(scope="module")
def report() -> Report:
    return arena()


def sheet(report: Report, id: str) -> Sheet:
    return next(sheet for sheet in report.sheets if sheet.id == id)


def rows(report: Report, id: str) -> list[dict[str, Any]]:
    found = sheet(report, id)
    return [{column.id: cell for column, cell in zip(found.columns, row, strict=True)} for row in found.rows]


def played(scene: Build, order: str, first: str, squares: Squares, icons: str) -> Squares:
    """Where both monsters are when both have ordered, by the rules; what follows the orders is the attack step."""
    sides = {name: {"field": [FIGHTER], "active": 1, "square": at, "hand": [f"{icon}3"]} for name, at, icon in zip("AB", squares, icons, strict=True)}
    state = {"step": "MOVE", "battle": "B3", "battled": True, "first": first, "word": first, **sides}
    now = scene(state, {"AMB_MOVEORD": order})
    for _ in range(2):
        assert now.facts()["step"] == "MOVE"
        who = now.facts()["who"]
        now = now.after(now.read_move(f"{who} order {icons['AB'.index(who)]}3"))
    assert now.facts()["step"] == "ATTACK"
    a, b = now.facts()["squares"]
    return a, b


@pytest.fixture(scope="module")
def outcomes(scene: Build) -> Mapping[tuple[Any, ...], Squares]:
    return {
        (order, first, at, one + two): played(scene, order, first, at, one + two)
        for order, first, at, one, two in itertools.product(ORDERS, "AB", POSITIONS, "CRHS", "CRHS")
    }


def test_every_result_of_the_report_is_what_the_rules_do(report: Report, outcomes: Mapping[tuple[Any, ...], Squares]) -> None:
    found = {
        (order, first, row["squares"], row["icons"]): row[f"{order.lower()}_{first.lower()}"]
        for row in rows(report, "orders") for order, first in itertools.product(ORDERS, "AB")
    }  # fmt: skip
    assert found == outcomes
    assert len(found) == 3 * 2 * 20 * 16


def test_what_depends_on_who_is_first_is_what_differs_when_it_is_played(report: Report, outcomes: Mapping[tuple[Any, ...], Squares]) -> None:
    for order in ("OPEN", "SECRET_IN_ORDER"):
        differs = {(at, icons) for _, _, at, icons in outcomes if outcomes[order, "A", at, icons] != outcomes[order, "B", at, icons]}
        assert {(row["squares"], row["icons"]) for row in rows(report, "first")} == differs
    assert {(*at, icons) for o, f, at, icons in outcomes if o == "SECRET_AT_ONCE" and outcomes[o, f, at, icons] != outcomes[o, "A", at, icons]} == set()


def forced(outcomes: Mapping[tuple[Any, ...], Squares], side: str, order: str, first: str, wanted: int, at: Squares, rounds: int) -> bool:
    """Whether the side can bring the distance about within the rounds, by the plain recursion over what was played."""
    if rounds == 0:
        return False

    def done(own: str, other: str) -> bool:
        after = outcomes[order, first, at, own + other if side == "A" else other + own]
        return abs(after[0] - after[1]) == wanted or forced(outcomes, side, order, first, wanted, after, rounds - 1)

    if order == "OPEN" and first != side:  # the side sees the other's order before it gives its own
        return all(any(done(own, other) for own in "CRHS") for other in "CRHS")
    return any(all(done(own, other) for other in "CRHS") for own in "CRHS")


@pytest.mark.parametrize("side", "AB")
def test_what_can_be_forced_is_what_the_plain_recursion_over_played_rounds_finds(
    report: Report, outcomes: Mapping[tuple[Any, ...], Squares], side: str
) -> None:
    for row in rows(report, "force"):
        if row["side"] == side:
            for a, b in POSITIONS:
                said = row[f"{a}-{b}"]
                for rounds in range(1, 4 if said is None else said + 1):
                    found = forced(outcomes, side, row["reading"], row["first"], row["distance"], (a, b), rounds)
                    assert found == (said is not None and rounds >= said), (row, a, b, rounds)


def test_the_summary_counts_the_rows_of_the_whole(report: Report) -> None:
    for short, whole in zip(rows(report, "summary"), rows(report, "force"), strict=True):
        rounds = [whole[f"{a}-{b}"] for a, b in POSITIONS if whole[f"{a}-{b}"] is not None]
        assert (short["positions"], short["rounds"]) == (len(rounds), max(rounds, default=None))
        assert all(short[key] == whole[key] for key in ("side", "reading", "first", "distance"))


def test_every_report_of_every_game_has_words_in_both_languages_and_keys_of_its_own() -> None:
    for game in games():
        for name, made in reports_of(game).items():
            told = made()
            assert told.id == name
            assert len({s.id for s in told.sheets}) == len(told.sheets)
            for part in (told, *told.sheets, *(c for s in told.sheets for c in s.columns)):
                assert part.title.en and part.title.ja
            assert all(len({c.id for c in s.columns}) == len(s.columns) and s.rows for s in told.sheets)
            json.dumps([s.rows for s in told.sheets])


def test_a_row_of_another_length_is_refused(report: Report) -> None:
    step = sheet(report, "step")
    with pytest.raises(ValueError, match="1 cells under 6 columns"):
        Sheet(step.id, step.title, step.columns, ((1,),))
