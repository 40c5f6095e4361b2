"""Codes of defects: numbered once, explained in both languages, and every code that the program speaks of is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from monjudge.model.notation.defects import DataError, Defect, codes
from monjudge.model.notation.sentence import Sentence

ROOT = Path(__file__).resolve().parents[2]
USED = {"Defect": 2, "_defect": 1, "fault": 3, "wrong": 4, "fail": 2, "refuse": 0, "_refuse": 0}
"""Which argument is the code, for every function that takes one."""


def spoken_of(source: str) -> set[str]:
    """The codes that a source names where a function takes one."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
            given = [*node.args[USED[name] : USED[name] + 1], *(k.value for k in node.keywords if k.arg == "code")] if name in USED else []
            found |= {a.value for a in given if isinstance(a, ast.Constant) and isinstance(a.value, str)}
    return {code for code in found if re.fullmatch("[a-z]+(-[a-z0-9]+)+|tag|alias|empty", code)}


def test_numbers_and_names_are_given_once_and_in_order() -> None:
    numbers = [code.number for code in codes().values()]
    assert numbers == sorted(set(numbers))
    assert all(re.fullmatch("MJ[123][0-9]{2}", number) for number in numbers)
    assert len(codes()) == len(numbers)


@pytest.mark.parametrize("name", codes())
def test_a_code_is_explained_in_both_languages(name: str) -> None:
    code = codes()[name]
    for text in (code.title, code.explanation):
        assert text.en and text.ja and not re.search("[ぁ-ん]", text.en) and re.search("[ぁ-んァ-ン一-龥]", text.ja)
    assert code.explanation.en.endswith(".") and code.explanation.ja.endswith("。")
    assert not code.bad or code.good


def test_every_code_that_the_model_speaks_of_is_registered() -> None:
    spoken = {code for path in (ROOT / "model").rglob("*.py") for code in spoken_of(path.read_text("utf-8"))}
    assert len(spoken) > 20
    assert spoken - codes().keys() == set()


def test_a_code_that_is_not_registered_is_caught() -> None:
    assert spoken_of('Defect("", text, "no-such-code")') - codes().keys() == {"no-such-code"}


def test_an_error_tells_all_its_defects() -> None:
    first, second = (Defect(path, Sentence(f"wrong {path}", "違う")) for path in ("a", "b"))
    assert str(DataError([first, second])) == "a: wrong a\nb: wrong b"
    assert first.label == "MJ110[wrong-value]"
