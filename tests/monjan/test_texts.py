"""The texts of Monjan Colosseum are whole: nothing twice, nothing missing, nothing untranslated."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

import pytest

from monjudge.model.monjan.texts import CLAUSE_KINDS, clause_texts

CLAUSES_OF_THE_DOCUMENT = 392
LINES_OF_THE_DOCUMENT = 574

JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]")
"""Kana, kanji and full-width forms. English texts have none of them: terms are translated, never quoted."""


def rows(name: str) -> list[dict[str, Any]]:
    """The entries of a text file as they are written, before a mapping could hide a second one."""
    found: list[dict[str, Any]] = json.loads(
        files("monjudge.model.monjan.texts").joinpath(name).read_text(encoding="utf-8")
    )
    return found


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
