"""The summon benchmark measures engines that agree, against peers that solve the same problem."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def test_every_row_has_figures_and_the_enumerator_is_ahead_of_its_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    rows = importlib.import_module("summon").rows(quick=True)
    assert [row["goal"] for row in rows] == [None, ">= 10 x", ">= 10 x", ">= 50 x", None]
    assert all(row["ours"] > 0 and row["unit"] == "ms" for row in rows)
    assert all(row["ratio"] == pytest.approx(row["peer"] / row["ours"]) and row["ratio"] > 1 for row in rows[1:4])
