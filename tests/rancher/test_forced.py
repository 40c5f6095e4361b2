"""The forced-win solver says of small battles what the cases say: with two fame counters, an injury wins the game."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from monjudge.model.games import kit
from monjudge.model.language import State
from monjudge.model.language.export import content_hash
from monjudge.model.rancher.cards import Catalogue
from monjudge.model.rancher.cases.card_names import read_card, read_cards
from monjudge.model.rancher.cases.scene import Scene
from monjudge.model.rancher.match import Setting
from monjudge.model.rancher.rules import rancher
from monjudge.solvers.cases import Case, CaseEngine, read_cases
from monjudge.solvers.forced import Limits, Search

CASES = [
    case for case in read_cases([Path(__file__).resolve().parents[1] / "corpus" / "rancher.jsonl"]) if case["query"]["op"] == "injure"
]


@pytest.fixture(scope="module")
def table() -> Iterator[tuple[Search, Any]]:
    """The solver over all cards of the cases, and a function from a case to its state."""
    cards = Catalogue({*read_cards([case["state"] for case in CASES]), read_card("M1"), read_card("T4"), read_card("A")})
    rules = rancher(Setting(cards))
    engine = CaseEngine(rules)

    def state(case: Case) -> State:
        given = {**case["state"], "A": {**case["state"]["A"], "fame": 2}}
        return Scene.of(rules, engine, cards, given, {}).state

    yield Search(rules, "win", 0), state


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_solver_agrees_with_the_case_worked_out_by_hand(table: tuple[Search, Any], case: Case) -> None:
    search, state = table
    answer = search.answer(state(case), 1, Limits())
    assert str(answer.verdict) == ("yes" if case["expect"]["forced"] else "no")


def test_there_are_puzzles_of_both_answers() -> None:
    assert len(CASES) >= 6
    assert {case["expect"]["forced"] for case in CASES} == {True, False}


def test_nothing_is_decided_blind_once_the_set_up_is_over_and_all_else_is_the_same() -> None:
    players = {"1": {"library": ["IRON_RAM", "LIFTING"]}, "2": {"library": ["ASH_HOUND"]}}
    before, after = (kit("rancher").position({"game": "rancher", "step": step, "slots": 2, "players": players}).rules for step in ("CHOOSE", "ACTIVE"))
    assert [group.name for group in before.simultaneous] == ["set-up"] and not after.simultaneous
    assert set(before.visible) - set(after.visible) == {"monster"}
    assert content_hash(dataclasses.replace(before, simultaneous=(), visible=after.visible)) == content_hash(after)
