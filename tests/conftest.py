"""Code that several folders of tests share stands in ``tests/fuzz``: random expressions, rule sets and states.

What a symmetry makes of a state and of a move is a fixture here: the laws of small games and of all games ask for it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from monjudge.model.language import Move, RuleSet, State, Symmetry

# Tests leave the caches of the user alone; from one run to the next machine code is found again here.
os.environ.setdefault("MONJUDGE_CACHE", str(Path(__file__).parents[1] / ".pytest_cache" / "monjudge"))
sys.path.insert(0, str(Path(__file__).parent / "fuzz"))


@pytest.fixture
def image() -> Callable[[RuleSet, Symmetry], tuple[Callable[[State], State], Callable[[Move], Move]]]:
    """``image(rules, symmetry)``: what it makes of a state and of a move, taken from its definition."""

    def maps(rules: RuleSet, symmetry: Symmetry) -> tuple[Callable[[State], State], Callable[[Move], Move]]:
        def of_state(state: State) -> State:
            cells = list(state)
            for family in rules.families:
                axes = symmetry.axes.get(family.name, {})
                values = symmetry.values.get(family.name, {})
                for place in range(family.size):
                    rest, indices = place, []
                    for dim in reversed(family.dims):
                        rest, index = divmod(rest, dim)
                        indices.insert(0, index)
                    target = [axes[n][i] if n in axes else i for n, i in enumerate(indices)]
                    value = state[rules.offset[family.name] + place]
                    cells[rules.cell(family.name, *target)] = values.get(value, value)
            return tuple(cells)

        def of_move(move: Move) -> Move:
            params = rules.by_name[move.action].params
            args = tuple(
                symmetry.params[move.action, p.name][p.values.index(a)] if (move.action, p.name) in symmetry.params else a
                for a, p in zip(move.args, params, strict=True)
            )
            moved = symmetry.players and move.me >= 0  # chance stays chance
            return Move(move.action, symmetry.players[move.me] if moved else move.me, args)

        return of_state, of_move

    return maps
