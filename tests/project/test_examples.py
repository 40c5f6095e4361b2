"""The examples in the documentation of the modules run."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("model", "solvers", "verify", "puzzles", "reports", "cli")
SOURCES = [Path("src/monjudge/judge.py"), *(file.relative_to(ROOT) for part in PARTS for file in sorted((ROOT / part).rglob("*.py")))]
FILES = [file for file in SOURCES if ">>>" in (ROOT / file).read_text("utf-8")]


@pytest.mark.parametrize("file", FILES, ids=str)
def test_the_examples_of_a_module_run(file: Path) -> None:
    name = ".".join(("monjudge", *file.with_suffix("").parts)).replace("monjudge.src.monjudge", "monjudge").removesuffix(".__init__")
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted and not found.failed
