"""Readings as configuration: which switches are live, and what a profile of readings refuses."""

from __future__ import annotations

import re
from typing import Any

import pytest

from monjudge.model.monjan.cards import Card, Catalogue
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.readings import LIVE, fixed, profile
from monjudge.model.monjan.texts import switch_texts
from monjudge.model.notation.defects import DataError

CARDS = Catalogue([Card.parse("f2")])


def test_every_switch_is_either_live_or_fixed_at_its_default() -> None:
    texts = switch_texts()
    assert sorted((*LIVE, *fixed())) == sorted(texts)
    assert all(value == texts[switch].default for switch, value in fixed().items())


def test_the_live_switches_stand_in_the_order_of_the_document() -> None:
    assert list(LIVE) == [switch for switch in switch_texts() if switch in LIVE]


def test_all_switches_that_change_ordinary_play_are_live() -> None:
    assert {text.id for text in switch_texts().values() if text.severity == "S1"} <= set(LIVE)


@pytest.mark.parametrize(
    ("readings", "says"),
    [
        ({"A999": "YES"}, "'A999' is no reading switch"),
        ({"A43": "TOPP"}, "A43 has no reading 'TOPP': TOP, ANY, SUM_TOP, SUM_ALL would do"),
        ({"A18": "TEN"}, "A18 is fixed at NONE in this version"),
    ],
)
def test_readings_that_cannot_be_are_refused_with_a_sentence_in_both_languages(readings: dict[str, str], says: str) -> None:
    for read in (profile, lambda r: Setting(CARDS, readings=r)):
        with pytest.raises(DataError, match=re.escape(says)) as caught:
            read(readings)
        [defect] = caught.value.defects
        assert defect.path == f"readings.{next(iter(readings))}"
        assert re.search("[ぁ-ん]", defect.text.ja)


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(DataError) as caught:
        profile({"A18": "TEN", "A43": "ANY", "A32": "ONE_PER_ATTACK"})
    assert [d.path for d in caught.value.defects] == ["readings.A18", "readings.A32"]


def test_a_fixed_switch_may_be_named_at_its_default() -> None:
    assert dict(profile({"A32": "UNLIMITED", "A43": "ANY", "A01": "LOSE"})) == {"A01": "LOSE", "A32": "UNLIMITED", "A43": "ANY"}


def test_a_profile_cannot_be_changed() -> None:
    chosen: Any = profile({"A43": "ANY"})
    with pytest.raises(TypeError):
        chosen["A43"] = "TOP"


@pytest.mark.parametrize(("name", "says"), [("A18", "A18 cannot be left open"), ("A999", "'A999' is no reading switch")])
def test_only_a_live_switch_can_be_left_open(name: str, says: str) -> None:
    with pytest.raises(DataError, match=says):
        Setting(CARDS, open=frozenset({name, "BOARDS"}))
    assert Setting(CARDS, open=frozenset({"A43", "BOARDS", "MODE"})).open
