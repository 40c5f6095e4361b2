"""A table of the Monster Rancher Collectible Card Game for tests: positions as cases write them, under any readings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from monjudge.model.rancher.cases.card_names import read_cards
from monjudge.model.rancher.cases.questions import Tables
from monjudge.model.rancher.cases.scene import Scene
from monjudge.solvers.cases import CaseEngine


@pytest.fixture(scope="session")
def scene() -> Callable[..., Scene]:
    """``scene(state, readings={})``: the position of a case's state under the readings."""
    tables = Tables(CaseEngine)

    def build(state: Mapping[str, Any], readings: Mapping[str, str] | None = None) -> Scene:
        return tables.scene(state, readings or {}, list(read_cards(state)))

    return build
