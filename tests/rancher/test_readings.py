"""Readings as configuration: every live switch is asked by the rules, and every value of it changes an answer."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from monjudge.model.notation.defects import DataError
from monjudge.model.rancher.cards import Card, Catalogue
from monjudge.model.rancher.cases import answers
from monjudge.model.rancher.match import Setting
from monjudge.model.rancher.readings import LIVE, SWITCHES
from monjudge.model.rancher.rules import rancher
from monjudge.model.rancher.texts import switch_texts
from monjudge.solvers.cases import Case, CaseEngine, read_cases, run_cases

CASES = read_cases([Path(__file__).resolve().parents[1] / "corpus" / "rancher-readings.jsonl"])
CARDS = Catalogue([Card("BOUT", "BATTLE", 3, "HOLD")])


def of(case: Case) -> tuple[str, str]:
    """The switch of a case, and the reading of it."""
    switch = case["id"].split("-")[0]
    return switch, case["readings"][switch]


@pytest.mark.parametrize("open", [LIVE, pytest.param((), marks=pytest.mark.slow)], ids=["all switches open", "readings chosen"])
def test_the_answer_under_each_reading_is_the_right_one(open: tuple[str, ...]) -> None:
    answer = answers(CaseEngine, CASES, open)
    assert [(r.id, r.expected, r.got, r.error) for r in run_cases(CASES, answer) if r.fails] == []


SEEN = {("AMB_ACTIVE", "SECRET")}
"""Readings that change only what a player sees (``test_a_secret_choice_is_seen_by_its_player_only``)."""


def test_every_two_values_of_every_live_switch_differ_in_some_position() -> None:
    """For every two readings some case of one of them has another answer under the other."""
    answer, texts = answers(CaseEngine, CASES, open=LIVE), switch_texts()
    apart: set[tuple[str, frozenset[str]]] = set()
    for case in CASES:
        switch, value = of(case)
        for other in texts[switch].values:
            pair = switch, frozenset((value, other))
            if other != value and other not in texts[switch].undetermined and pair not in apart:
                changed = {**case, "readings": {**case["readings"], switch: other}}
                if next(run_cases([changed], answer)).fails:
                    apart.add(pair)
    wanted = {
        (switch, frozenset(pair))
        for switch in LIVE
        for pair in itertools.combinations([v for v in texts[switch].values if v not in texts[switch].undetermined], 2)
        if not any((switch, value) in SEEN for value in pair)
    }
    assert wanted - apart == set()


def test_a_secret_choice_is_seen_by_its_player_only() -> None:
    for readings, field in (({"AMB_ACTIVE": "SECRET"}, "active"), ({"AMB_MOVEORD": "SECRET_AT_ONCE"}, "ordered"), ({"AMB_ATK_OPEN": "FACE_DOWN"}, "covered")):
        rules = rancher(Setting(CARDS, readings=readings))
        assert field in rules.visible
    assert not {"active", "ordered", "covered"} & set(rancher(Setting(CARDS)).visible)


def test_a_reading_without_meaning_is_answered_only_where_the_others_agree() -> None:
    case = next(c for c in CASES if c["readings"].get("AMB_FAME") == "COMPARISON")
    got = answers(CaseEngine, CASES)(case)
    assert got["fame"] == "undetermined"
    assert got["injured"] == {"A": [], "B": [1]}


def test_every_switch_is_either_live_or_fixed_at_its_default() -> None:
    texts = switch_texts()
    assert sorted((*LIVE, *SWITCHES.fixed())) == sorted(texts)
    assert list(SWITCHES.fixed()) == ["AMB_MULTI"]
    assert list(LIVE) == [switch for switch in texts if switch in LIVE]


@pytest.mark.parametrize(
    ("readings", "says"),
    [
        ({"AMB_NOTHING": "YES"}, "'AMB_NOTHING' is no reading switch"),
        ({"AMB_HAND": "UP"}, "AMB_HAND has no reading 'UP': BOTH, ONLY_UP, DISCARD_FIRST would do"),
        ({"AMB_MULTI": "MORE"}, "AMB_MULTI is fixed at TWO in this version"),
    ],
)
def test_readings_that_cannot_be_are_refused_with_a_sentence_in_both_languages(readings: dict[str, str], says: str) -> None:
    with pytest.raises(DataError, match=re.escape(says)) as caught:
        Setting(CARDS, readings=readings)
    [defect] = caught.value.defects
    assert re.search("[ぁ-ん]", defect.text.ja)


@pytest.mark.parametrize(("name", "says"), [("AMB_MULTI", "AMB_MULTI cannot be left open"), ("A43", "'A43' is no reading switch")])
def test_only_a_live_switch_can_be_left_open(name: str, says: str) -> None:
    with pytest.raises(DataError, match=says):
        Setting(CARDS, open=frozenset({name}))
