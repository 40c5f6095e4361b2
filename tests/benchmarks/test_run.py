"""The table of figures judges by its goals, says what is missing, and measures what it claims to."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from monjudge.solvers.engines.reference import Reference

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Imports a benchmark as ``run.py`` does."""

    def module(name: str) -> ModuleType:
        monkeypatch.syspath_prepend(str(BENCHMARKS))
        monkeypatch.delitem(sys.modules, name, raising=False)
        return importlib.import_module(name)

    return module


@pytest.mark.parametrize(
    ("ours", "ratio", "goal", "result"),
    [
        (12.0, None, "< 50", "met"),
        (50.0, None, "< 50", "MISSED"),
        (2e6, None, ">= 1e6", "met"),
        (2e5, None, ">= 1e6", "MISSED"),
        (1.0, 41.0, ">= 40 x", "met"),
        (1.0, 39.0, ">= 40 x", "MISSED"),
        (1.0, 39.0, 40, "MISSED"),
        (1.0, 0.7, 0.7, "met"),
        (1.0, None, ">= 40 x", "not judged"),
        (1.0, None, None, ""),
    ],
)
def test_a_goal_is_judged_by_the_ratio_or_by_our_figure(
    load: Any, ours: float, ratio: float | None, goal: str | float | None, result: str
) -> None:
    row = {"name": "row", "ours": ours, "peer": None, "ratio": ratio, "goal": goal, "unit": "ms"}
    assert load("run").judged(row)["result"] == result


def test_a_goal_that_cannot_be_read_is_an_error_that_quotes_it(load: Any) -> None:
    with pytest.raises(ValueError, match="'about 40'"):
        load("run").judged({"name": "row", "ours": 1.0, "goal": "about 40"})


def test_a_missing_extra_is_a_row_that_names_it_and_other_rows_are_measured(
    load: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent, present = ModuleType("absent"), ModuleType("present")

    def rows(quick: bool) -> list[dict[str, Any]]:
        raise ImportError('pip install "monjudge[bench]"')

    absent.rows = rows  # type: ignore[attr-defined]
    present.rows = lambda quick: [{"name": "row", "ours": 1.0, "goal": None}]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "absent", absent)
    monkeypatch.setitem(sys.modules, "present", present)
    run = load("run")
    shown = run.table(run.collect("absent", True) + run.collect("present", True))
    assert 'pip install "monjudge[bench]"' in shown
    assert "not run" in shown
    assert "row" in shown.splitlines()[-1]


def test_the_synthetic_battle_has_about_200_clauses_and_a_guard_of_about_ten_with_legal_moves(load: Any) -> None:
    battle = load("card_battle")
    rules = battle.card_battle()
    reference = Reference(rules)
    state = rules.state(battle.DECKED)
    legal = [m for m in reference.moves(state) if m.action == battle.GUARD]
    assert 180 <= sum(len(a.clauses) for a in rules.actions) <= 220
    assert 9 <= len(rules.by_name[battle.GUARD].clauses) <= 12
    assert legal
    assert reference.settle(state) == state
