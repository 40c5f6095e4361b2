"""Hidden cards in Monjan: every card lies where the declaration says that its kind may."""

from __future__ import annotations

from random import Random

from monjudge.model.monjan.positions import midgame
from monjudge.solvers.engines.native import Native
from monjudge.solvers.views import View, assignments

SCENES = dict(midgame(Native))


def test_every_card_lies_where_its_kind_may_in_any_play() -> None:
    random = Random(4)
    for scene in SCENES.values():
        engine, state = Native(scene.rules), scene.state
        views = [View(scene.rules, p) for p in range(2)]
        for n in range(60):
            moves = engine.moves(state)
            if not moves:
                break
            state = engine.step(state, random.choice(moves))
            if n % 10 == 9:
                for view in views:
                    assert assignments(scene.rules, state, view, most=1) is not None
