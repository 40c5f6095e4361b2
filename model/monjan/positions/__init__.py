"""Mid-game positions of two players, own composition, in the written form of cases: for tests and benchmarks.

``midgame.jsonl`` holds one position a line: ``state`` as in a case, and for the middle of a
battle turn ``battle``, the attacking and the defending player. The first six are large, with
six to ten cards on each hand. The engine comes from outside.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from monjudge.model.language import RuleSet
from monjudge.model.monjan.cards import Catalogue
from monjudge.model.monjan.cases.notation import read_position
from monjudge.model.monjan.cases.scene import Engine, Scene
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.rules import monjan

__all__ = ["LARGE", "midgame", "on_its_boards"]

LARGE = 6
"""How many of the positions are large; they come first."""

_OF_BOARDS = ("cap", "rank", "board_skill")


def on_its_boards(state: Mapping[str, Any], engine: Callable[[RuleSet], Engine]) -> Scene:
    """A written state on the whole rules of its players, its boards fixed; settled. Raises CaseError.

    Only the cards that the state names are in the catalogue of the rule set.
    """
    position = read_position(state, {})
    cells = {key: value for key, value in position.cells.items() if key[0] not in _OF_BOARDS}
    position, catalogue = dataclasses.replace(position, cells=cells), Catalogue(position.cards)
    rules = monjan(Setting(catalogue, position.boards, slots=position.slots))
    return Scene.of(rules, engine(rules), catalogue, position)


def midgame(engine: Callable[[RuleSet], Engine]) -> Iterator[tuple[str, Scene]]:
    """The id of each position with its scene, settled."""
    for line in Path(__file__).with_name("midgame.jsonl").read_text("utf-8").splitlines():
        given = json.loads(line)
        scene = on_its_boards(given["state"], engine)
        if "battle" in given:
            scene = scene.battle(*(scene.seat(name) for name in given["battle"]))
        yield given["id"], scene
