"""The texts of Monjan Colosseum are whole: nothing twice, nothing missing, nothing untranslated."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from monjudge.model.monjan.texts import CLAUSE_KINDS, SwitchText, Text, clause_texts, switch_texts

CLAUSES_OF_THE_DOCUMENT = 392
LINES_OF_THE_DOCUMENT = 574
AMBIGUITIES = 162

JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]")
"""Kana, kanji and full-width forms. English texts have none of them: terms are translated, never quoted."""


def rows(name: str) -> list[dict[str, Any]]:
    """The entries of a text file as they are written, before a mapping could hide a second one."""
    found: list[dict[str, Any]] = json.loads(
        files("monjudge.model.monjan.texts").joinpath(name).read_text(encoding="utf-8")
    )
    return found


def texts_of(switch: SwitchText) -> Iterator[tuple[str, Text]]:
    """All texts of a switch, each with its place."""
    yield from (("title", switch.title), ("why", switch.why), ("reason", switch.reason))
    yield from switch.values.items()


def faults_of_translation(en: str, ja: str) -> list[str]:
    """What is wrong with a text and its translation."""
    found = []
    if not en.strip() or not ja.strip():
        found.append("a text is missing")
    if en == ja:
        found.append("the two texts are identical")
    if JAPANESE.search(en):
        found.append("the English text has Japanese characters")
    if not JAPANESE.search(ja):
        found.append("the Japanese text has no Japanese characters")
    return found


@pytest.mark.parametrize(
    ("en", "ja", "fault"),
    [
        ("Ten cards.", "", "a text is missing"),
        ("", "10枚。", "a text is missing"),
        ("Ten cards.", "Ten cards.", "the two texts are identical"),
        ("Ten カード.", "10枚。", "the English text has Japanese characters"),
        ("Ten cards.", "10 cards", "the Japanese text has no Japanese characters"),
    ],
)
def test_a_fault_of_translation_is_found(en: str, ja: str, fault: str) -> None:
    assert fault in faults_of_translation(en, ja)
    assert faults_of_translation("Ten cards.", "10枚。") == []


def test_every_clause_of_the_document_is_there_once() -> None:
    ids = [row["id"] for row in rows("clauses.json")]
    assert len(ids) == len(set(ids)) == CLAUSES_OF_THE_DOCUMENT
    assert list(clause_texts()) == ids


def test_every_clause_has_an_english_and_a_japanese_sentence() -> None:
    faults = {c.id: faults_of_translation(c.en, c.ja) for c in clause_texts().values()}
    assert {id: fault for id, fault in faults.items() if fault} == {}
    assert [c.id for c in clause_texts().values() if not (c.en.endswith(".") and c.ja.endswith("。"))] == []


def test_clauses_stand_in_the_order_of_the_document() -> None:
    lines = [c.line for c in clause_texts().values()]
    assert lines == sorted(lines)
    assert lines[0] >= 1 and lines[-1] <= LINES_OF_THE_DOCUMENT


def test_every_clause_is_of_known_kinds() -> None:
    wrong = {c.id: c.kind for c in clause_texts().values() if not c.kind or set(c.kind) - set(CLAUSE_KINDS)}
    assert wrong == {}


def test_an_unknown_clause_is_refused_with_a_sentence() -> None:
    with pytest.raises(KeyError, match=r"'SETUP\.66' is no clause of Monjan Colosseum; the closest ids are SETUP\.6"):
        clause_texts()["SETUP.66"]
    assert "SETUP.66" not in clause_texts()
    assert clause_texts().get("SETUP.66") is None


def test_every_ambiguity_of_the_rulebook_is_there_once_and_the_mode_apart() -> None:
    ids = [row["id"] for row in rows("switches.json")]
    assert len(ids) == len(set(ids))
    assert list(switch_texts()) == ids
    names = [switch.name for switch in switch_texts().values()]
    assert len(names) == len(set(names))
    ambiguities = [switch.id for switch in switch_texts().values() if not switch.mode]
    assert len(ambiguities) == AMBIGUITIES
    parts = {41: "ab", 128: "ab"}
    assert ambiguities == [f"A{n:02}{part}" for n in range(1, 161) for part in parts.get(n, ("",))]
    assert set(ids) - set(ambiguities) == {"SEQ"}


def test_every_text_of_every_switch_has_an_english_and_a_japanese_form() -> None:
    faults = {
        (switch.id, place): faults_of_translation(text.en, text.ja)
        for switch in switch_texts().values()
        for place, text in texts_of(switch)
    }
    assert {place: fault for place, fault in faults.items() if fault} == {}


def test_every_switch_has_readings_that_differ_and_a_default_among_them() -> None:
    for switch in switch_texts().values():
        assert len(switch.values) >= 2, switch.id
        assert switch.default in switch.values, switch.id
        for language in ("en", "ja"):
            meanings = [getattr(text, language) for text in switch.values.values()]
            assert len(meanings) == len(set(meanings)), switch.id


def test_every_clause_that_a_switch_names_is_a_clause_of_the_document() -> None:
    for switch in switch_texts().values():
        assert switch.clauses, switch.id
        assert len(switch.clauses) == len(set(switch.clauses)), switch.id
        assert [clause for clause in switch.clauses if clause not in clause_texts()] == [], switch.id


def test_a_reading_without_executable_meaning_is_a_reading_but_no_default() -> None:
    open_readings = {switch.id: switch.undetermined for switch in switch_texts().values() if switch.undetermined}
    assert open_readings == {"A34": {"FASTEST_CLAIM"}, "A81": {"UNDEFINED"}}
    for id, readings in open_readings.items():
        assert readings < set(switch_texts()[id].values) - {switch_texts()[id].default}


def test_every_ambiguity_has_a_severity_and_a_mode_has_none() -> None:
    wrong = {
        switch.id: switch.severity
        for switch in switch_texts().values()
        if switch.severity not in (("",) if switch.mode else ("S1", "S2", "S3"))
    }
    assert wrong == {}


def test_an_unknown_switch_is_refused_with_a_sentence() -> None:
    with pytest.raises(KeyError, match=r"'A161' is no reading switch of Monjan Colosseum; the closest ids are A"):
        switch_texts()["A161"]
