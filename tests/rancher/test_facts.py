"""What follows from the document: facts of the rules page and what a reader would ask, each by exhaustion where it is small."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from monjudge.model.language import NATURE, State
from monjudge.model.rancher.cases import answers
from monjudge.model.rancher.cases.scene import Scene
from monjudge.solvers.cases import CaseEngine

Build = Callable[..., Scene]

STRIKER = {"power": 3, "life": 9, "name": "striker", "techniques": [[1, 1]]}
HELPLESS = {"power": 3, "life": 9, "name": "helpless", "techniques": [[1, 1, {"power": 9}]]}


def battle(card: dict[str, Any], hands: tuple[list[str], list[str]], squares: tuple[int, int] = (2, 3), **more: Any) -> dict[str, Any]:
    sides = {name: {"field": [card], "active": 1, "square": at, "hand": hand} for name, hand, at in zip("AB", hands, squares, strict=True)}
    return {"step": "MOVE", "battle": "B3", "battled": True, **sides, **more}


def walk(start: Scene, until: str) -> dict[State, list[Scene]]:
    """Every state that can follow, up to the step, with its successors."""
    found: dict[State, list[Scene]] = {}
    front = [start]
    while front:
        here = front.pop()
        if here.state in found:
            continue
        ends = here.facts()["step"] == until
        found[here.state] = [] if ends else [here.after(move) for move in here.moves()]
        front += found[here.state]
    return found


def has_loop(graph: dict[State, list[Scene]]) -> bool:
    """Whether some line comes back to a state: what cannot be put in order by removing states without successors."""
    following = {state: {s.state for s in after} for state, after in graph.items()}
    while True:
        ends = {state for state, after in following.items() if not after}
        if not ends:
            return bool(following)
        following = {state: after - ends for state, after in following.items() if state not in ends}


def injuries(scene: Scene) -> int:
    return sum(map(len, scene.facts()["injured"].values()))


def test_a_monster_without_a_technique_that_it_can_use_ends_the_battle_without_injury(scene: Build) -> None:
    """FCT-13: under the default the battle is over; if only an injury ended it, it would never be."""
    start = battle(HELPLESS, (["C1", "R2"], ["H1", "S4"]))
    graph = walk(scene(start), "PLAY")
    ends = [after for successors in graph.values() for after in successors if after.facts()["step"] == "PLAY"]
    assert ends and all(injuries(end) == 0 for end in ends)
    assert not has_loop(graph)
    endless = walk(scene(start, {"AMB_BATEND": "INJURY"}), "PLAY")
    assert has_loop(endless)
    assert all(after.facts()["step"] != "PLAY" for successors in endless.values() for after in successors)


@pytest.mark.parametrize(("reading", "endless"), [("STANDSTILL", False), ("ROUNDS", False), ("SIDE_OUT", True), ("INJURY", True)])
def test_two_players_who_do_not_attack_have_an_endless_battle_under_some_readings(scene: Build, reading: str, endless: bool) -> None:
    assert has_loop(walk(scene(battle(STRIKER, (["H1"], ["H3"])), {"AMB_BATEND": reading}), "PLAY")) == endless


@pytest.mark.parametrize(
    ("reading", "loops"), [("DISCARDED", False), ("DISCARDED_COUNTS", False), ("RETURNS_COUNTS", False), ("RETURNS_RETRY", True)]
)
def test_a_training_that_comes_back_can_be_tried_for_ever(scene: Build, reading: str, loops: bool) -> None:
    start = {"A": {"field": ["M1"], "hand": ["T4"], "library": ["H5"]}, "B": {"field": ["M1"]}}
    now = scene(start, {"AMB_TRAINFAIL": reading})
    seen: list[State] = []
    for _ in range(6):
        acts = now.facts()["options"]
        if "A train T4 1" not in acts:
            break
        now = now.after(now.read_move("A train T4 1")).drawn()
        seen.append(now.state)
    assert (len(set(seen)) < len(seen)) == loops


@pytest.mark.parametrize("hindered", [False, True])
def test_training_succeeds_for_sure_from_a_loyalty_that_the_number_gives(hindered: bool) -> None:
    """FCT-7: from 6 less the number on, or 7 less it against one hindrance; and more loyalty never hurts."""
    ask = answers(CaseEngine)
    for target in (0, 3, 5):
        success = {
            (loyalty, drawn): ask({"query": {"op": "training", "drawn": drawn, "loyalty": loyalty, "target": target, "hinder": int(hindered)}})["success"]
            for loyalty, drawn in itertools.product(range(7), range(1, 7))
        }  # fmt: skip
        sure = [loyalty for loyalty in range(7) if all(success[loyalty, drawn] for drawn in range(1, 7))]
        assert sure == list(range(6 - target + hindered, 7))
        assert all(not success[n, drawn] or success[n + 1, drawn] for n in range(6) for drawn in range(1, 7))


def plays(now: Scene, seed: int, most: int) -> Iterator[Scene]:
    rng = Random(seed)
    for _ in range(most):
        moves = list(now.moves())
        if not moves:
            return
        now = now.after(rng.choice(moves))
        yield now


def test_without_battle_cards_nobody_gains_fame_and_nothing_ends_the_game(scene: Build) -> None:
    """FCT-6: all Battle cards have left the game, both players are below three fame counters, and the turns go on."""
    few = ["H1", "H1", "C1", "R2", "R2"]
    start = {"A": {"field": ["M1"], "library": few, "fame": 2, "removed": ["B3"] * 3}, "B": {"field": ["M1"], "library": few, "fame": 2}}
    turn = 1
    for now in plays(scene({**start, "step": "START", "turn": 1}), 1, 250):
        facts = now.facts()
        assert facts["fame"] == {"A": 2, "B": 2} and not facts["over"] and facts["options"]
        turn = facts["turn"]
    assert turn > 5


def test_side_cards_that_nobody_has_seen_are_drawn_with_the_weights_of_what_is_left(scene: Build) -> None:
    start = battle(HELPLESS, ([], []), (1, 5))
    start["A"] |= {"side": 2, "library": ["C1", "C1", "R2"]}
    start["B"] |= {"side": 0}
    now = scene(start)
    outcomes = {now.act_text(m): now.engine._call("weight", m, now.state) for m in now.moves() if m.me == NATURE}  # type: ignore[attr-defined]
    assert outcomes == {"draw C1": 2, "draw R2": 1}
    assert now.facts()["library_size"]["A"] == 3


def test_a_player_does_not_see_the_hand_or_the_library_of_the_other(scene: Build) -> None:
    rules = scene({}).rules
    assert {"hand", "library", "monster", "side_card"} <= set(rules.visible)
    assert not {"discard", "removed", "fame", "square"} & set(rules.visible)
