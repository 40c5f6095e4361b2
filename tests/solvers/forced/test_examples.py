"""The examples in the documentation of the solvers run."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["certificate", "decisions", "odds", "forced.search"])
def test_the_examples_of_a_module_run(name: str) -> None:
    found = doctest.testmod(importlib.import_module(f"monjudge.solvers.{name}"))
    assert found.attempted > 1 and found.failed == 0
