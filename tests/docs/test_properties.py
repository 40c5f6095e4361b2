"""The guide to writing properties tells every kind of claim and every key, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from monjudge.model.notation.source import read
from monjudge.verify.question import KINDS, Property, canonical

DOCS = Path(__file__).resolve().parents[2] / "docs"
ROW = re.compile(r"^\| (`.*?) \|", re.MULTILINE)
FILE = re.compile(r"^```yaml (?!wrong)[\w.]+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def page(lang: str) -> str:
    return (DOCS / lang / "properties.md").read_text("utf-8")


def names(rows: list[str]) -> list[str]:
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_kind_and_every_key_has_its_row(lang: str) -> None:
    _, _, kinds, _, keys, *_ = re.split("^## ", page(lang).partition("\n## ")[2].partition("\n## ")[2], flags=re.MULTILINE)
    assert sorted(names(ROW.findall(kinds))) == sorted(KINDS)
    assert sorted(names(ROW.findall(keys))) == sorted(Property.__dataclass_fields__)


def test_both_languages_show_the_same_files_and_have_as_many_lines() -> None:
    english, japanese = map(page, ("en", "ja"))
    assert FILE.findall(english) == FILE.findall(japanese)
    assert len(english.splitlines()) == len(japanese.splitlines())


def test_the_examples_are_of_nearly_every_kind() -> None:
    shown = {entry["kind"] for text in FILE.findall(page("en")) for entry in canonical(read(text, "own.yaml"))["properties"]}
    assert set(KINDS) - shown == {"joint", "hopeless"}  # which are too long for a page that is run
