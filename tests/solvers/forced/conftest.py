"""Games made of a random graph: one rule set, whose configuration cells say where each move leads and whose it is."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from monjudge.model.language import Game, RuleSet, State, either, gain, put

PLACES, WAYS, TURNS = 10, 3, 6
ANYBODY, CHANCE, NOBODY = 3, 4, 5


@pytest.fixture(scope="session")
def graph() -> RuleSet:
    """A token on places with up to three ways on; circles, dead ends, bounds of the model and mixed deciders occur."""
    g = Game("graph", players=3)
    at = g.field("at", values=range(PLACES))
    turn = g.field("turn", values=range(TURNS + 1))
    owner = g.field("owner", PLACES, values=range(6), config=True)
    leads = g.field("leads", PLACES, WAYS, values=range(-1, PLACES), config=True)
    beyond = g.field("beyond", PLACES, WAYS, values=range(3), config=True)
    only = g.field("only", PLACES, WAYS, values=range(4), config=True)
    ticks = g.field("ticks", PLACES, values=bool, config=True)
    aim = g.field("aim", PLACES, values=bool, config=True)
    ended = g.field("ended", PLACES, values=bool, config=True)

    for name, weight in (("move", None), ("luck", 1)):
        action = g.action(name, weight=weight)
        way, me = action.param("way", range(WAYS)), action.me
        whose = owner[at] == CHANCE if weight else either(owner[at] == me, owner[at] == ANYBODY)
        action.clause("G.whose", whose)
        action.clause("G.way", leads[at, way] >= 0)
        if weight is None:
            action.clause("G.only", either(only[at, way] == me, only[at, way] == ANYBODY))
        action.limit("G.known", beyond[at, way] != 1)
        action.effect(put(at, leads[at, way]), gain(turn, 1, ticks[at]), gain(turn, TURNS + 1, beyond[at, way] == 2))
    g.over(ended[at])
    for player in range(3):
        g.goal("win", player, aim[at])
    g.turn_structure(turn, {"move": "move", "luck": "chance"})
    return g.build()


@pytest.fixture(scope="session")
def random_graph(graph: RuleSet) -> Callable[[int], State]:
    """``random_graph(seed)``: a state with its graph."""

    def draw(seed: int) -> State:
        r = Random(seed)
        several = r.choice((0.3, 0.6, 0.9))

        def lead(way: int) -> int:
            return r.randrange(PLACES) if way == 0 or r.random() < several else -1

        bounds = (0,) if r.random() < 0.6 else (0, 0, 0, 0, 0, 1, 2)
        deciders = r.choice(((0, 1), (ANYBODY,), (0, 1, 2), (0, 1, ANYBODY), (0, 1, CHANCE), (0, 1, 2, ANYBODY, CHANCE, NOBODY)))
        every = range(PLACES)
        whose = [r.choice(deciders) for _ in every]
        return graph.state({
            "at": 0, "turn": r.choice((0, 1)),
            "owner": whose,
            "leads": [lead(way) for _ in every for way in range(WAYS)],
            "beyond": [r.choice(bounds) for _ in range(PLACES * WAYS)],
            "only": [r.choice((0, 1, ANYBODY, ANYBODY)) if whose[n // WAYS] == ANYBODY else ANYBODY for n in range(PLACES * WAYS)],
            "ticks": [r.random() < 0.3 for _ in every],
            "aim": [n > 0 and r.random() < 0.2 for n in every],
            "ended": [n > 0 and r.random() < 0.15 for n in every],
        })  # fmt: skip

    return draw
