"""The pages and pictures that are made from the program are those that it makes now; ``make docs`` renews them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pictures import pictures
from reference import LANGUAGES, reference
from verdicts import digest, written

from monjudge.model.games import WITH_SCENES
from monjudge.model.language.export import content_hash
from monjudge.model.properties import Setting
from monjudge.verify.question import read_properties

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


@pytest.mark.parametrize("game", WITH_SCENES)
def test_the_verdicts_are_on_the_properties_and_the_rules_as_they_are(game: str) -> None:
    found, setting = written()[game], Setting(game)
    renew = "python docs/renew verdicts takes over new ones"
    assert {id: told["asked"] for id, told in found["verdicts"].items()} == {p.id: digest(p) for p in read_properties(setting.properties)}, renew
    assert found["rules"] == content_hash(setting.scene.rules), renew
