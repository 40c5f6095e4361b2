"""The benchmark of reasons: MARCO and the masks find the same sets, and the masks are ahead."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def test_marco_finds_the_same_reasons_and_repairs_in_many_times_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    why = importlib.import_module("why")
    cards = list(why.instances())
    assert len(cards) > 100
    # The longest questions first: fifteen reasons down to a single one.
    cards.sort(key=lambda card: -len(card.ask().reasons))
    for card in cards[:: len(cards) // 4]:
        ours = card.ask()
        assert why.Marco(card).sets() == why.sets(ours)
        assert ours.reasons and ours.relaxations
