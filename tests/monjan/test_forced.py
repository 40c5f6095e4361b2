"""Forced goals in battles and edit turns: the search and the exhaustive solver over the plain engines say the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from monjudge.model.language import Expr, Move, RuleSet, State, add, eq, field, lt
from monjudge.model.monjan.cases.scene import Scene
from monjudge.model.monjan.positions import midgame
from monjudge.solvers.brute import Brute
from monjudge.solvers.certificate import check
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.native import Native
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.forced import Search, evidence
from monjudge.solvers.forced.search import Options
from monjudge.solvers.strict import strict, strict_state
from monjudge.solvers.verdict import Verdict

SCENES = dict(midgame(Native))
FAST = ("the-last-attack-step", "elements-alone-pay")


@cache
def plain(rules: RuleSet) -> tuple[RuleSet, Enumerator, Reference]:
    whole = strict(rules)
    return whole, Enumerator(whole), Reference(whole)


def goals(scene: Scene, player: int) -> Iterator[Expr]:
    """To win, to bring a defence down, to take some life, and more than four lives in all."""
    life, foe = scene.rules.family_named["life"], 1 - player
    yield next(g.when for g in scene.rules.goals if g.player == player and g.name == "win")
    left = [scene.cell("life", foe, c) for c in range(3)]
    yield from (eq(field(life, (foe, c)), 0) for c in range(3) if left[c])
    yield from (lt(add(*(field(life, (foe, c)) for c in range(3))), sum(left) - n) for n in (0, 4))


def late_states(scene: Scene, random: Random) -> Iterator[State]:
    """States of random play in this turn, so late in it that little is left to be searched."""
    engine: Native = scene.engine  # type: ignore[assignment]
    while True:
        state, states = scene.state, []
        while moves := engine.moves(state):
            state = engine.step(state, random.choice(moves))
            if state[scene.rules.cell("turn")] != scene.cell("turn"):
                break
            states.append(state)
        yield from random.sample(states[-14:], min(2, len(states)))


def agreements(name: str, seed: int, wanted: int, nodes: int) -> Counter[Verdict]:
    """Asks until so many questions were small enough for the exhaustive solver; how often each verdict was found."""
    scene, random, found = SCENES[name], Random(f"{name} {seed}"), Counter[Verdict]()
    whole, enumerator, _ = plain(scene.rules)
    searches: dict[tuple[int, int, bool], Search] = {}
    for state in late_states(scene, random):
        player = random.randrange(2)
        for goal in goals(Scene(scene.rules, scene.engine, scene.catalogue, scene.position, state), player):
            brute = Brute(whole, nodes=nodes)
            brute.reference.moves = enumerator.moves  # type: ignore[method-assign]  # found faster, and tested to be the same
            right = brute.forced(player, goal, strict_state(scene.rules, state), turns=1)
            if right.limit is not None:
                break
            found[right.verdict] += 1
            for ordering in (True, False):
                key = goal.uid, player, ordering
                if key not in searches:
                    searches[key] = Search(scene.rules, goal, player, memory=1 << 24, options=Options(ordering=ordering))
                assert searches[key].answer(state, 1).verdict is right.verdict, (state, player, goal)
        if found.total() >= wanted:
            return found
    raise AssertionError


@pytest.mark.parametrize("name", FAST)
def test_the_search_agrees_with_the_exhaustive_solver_late_in_a_turn(name: str) -> None:
    assert agreements(name, 1, 5, 100).total() >= 5


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_the_search_agrees_with_the_exhaustive_solver_in_every_position(name: str) -> None:
    assert agreements(name, 2, 60, 1500).total() >= 60


def test_wins_and_refutations_late_in_a_turn_are_certified_by_the_plain_engines() -> None:
    scene, certified = SCENES["elements-alone-pay"], Counter[Verdict]()
    _, enumerator, reference = plain(scene.rules)

    def successors(state: State) -> list[tuple[Move, State | None]]:
        return [(move, reference.step(state, move)) for move in enumerator.moves(state)]

    player = 0
    searches = [(goal, Search(scene.rules, goal, player, memory=1 << 24)) for goal in goals(scene, player)]
    for state in late_states(scene, Random(3)):
        for goal, search in searches:
            answer = search.answer(state, 1)
            found = evidence(search, answer)
            if certified[answer.verdict] < 3 and 0 < len(found.certificate["choices"]) < 30:
                assert check(found, scene.rules, goal, successors).positions > 1
                certified[answer.verdict] += 1
        if certified[Verdict.YES] == certified[Verdict.NO] == 3:
            return
