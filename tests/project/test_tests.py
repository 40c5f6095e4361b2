"""Tests can fail: every file asserts something, and none is skipped."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py"))
EXCUSES = {"skip", "skipif", "importorskip", "xfail"}


def assertions(source: str) -> int:
    """How many assert statements and expected errors a test file has."""
    return sum(
        isinstance(node, ast.Assert) or (isinstance(node, ast.Attribute) and node.attr == "raises")
        for node in ast.walk(ast.parse(source))
    )


def excuses(source: str) -> set[str]:
    """The ways in which a test file lets a test not run or not count."""
    found = (node.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute))
    return EXCUSES.intersection(found)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_every_test_file_asserts_something_and_skips_nothing(path: Path) -> None:
    source = (ROOT / path).read_text("utf-8")
    assert assertions(source) > 0
    assert excuses(source) == set()


def test_an_empty_test_and_a_skipped_one_are_caught() -> None:
    assert assertions("def test_nothing():\n    print('assert True')") == 0
    assert excuses("import pytest\npytestmark = pytest.mark.skipif(True, reason='')") == {"skipif"}
