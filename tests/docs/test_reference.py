"""The pages and pictures that are made from the program are those that it makes now; ``make docs`` renews them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pictures import pictures
from reference import LANGUAGES, reference

DOCS = Path(__file__).resolve().parents[2] / "docs"
REFERENCE, PICTURES = reference(), pictures()


@pytest.mark.parametrize("name", REFERENCE)
def test_a_reference_page_is_current(name: str) -> None:
    assert (DOCS / "reference" / name).read_text("utf-8") == REFERENCE[name]


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_current(name: str) -> None:
    assert (DOCS / "pictures" / name).read_text("utf-8") == PICTURES[name]


def test_no_page_or_picture_is_left_over() -> None:
    pages = {str(path.relative_to(DOCS / "reference")) for path in (DOCS / "reference").rglob("*.md")}
    assert pages == REFERENCE.keys()
    assert {path.name for path in (DOCS / "pictures").iterdir()} == PICTURES.keys()


def test_every_reference_page_exists_in_both_languages_with_the_same_headings() -> None:
    for name in {name.partition("/")[2] for name in REFERENCE}:
        english, japanese = (REFERENCE[f"{lang}/{name}"].splitlines() for lang in LANGUAGES)
        assert [line.split()[0] for line in english if line[:1] == "#"] == [line.split()[0] for line in japanese if line[:1] == "#"]
        assert len(english) == len(japanese)
