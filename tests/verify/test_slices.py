"""Bounded checks on slices: lines as short as those of a walk, and none where a walk finds none; planted faults are noticed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from monjudge.model.games import kit
from monjudge.model.language import Expr, Game, RuleSet, gain, parse_expr, put
from monjudge.model.properties import Scene
from monjudge.solvers.engines.smt.plies import Plies
from monjudge.verify import slices
from monjudge.verify.bounded import Walk, replay
from monjudge.verify.queries import Clock
from monjudge.verify.slices import Sought, sliced, sought


def mill() -> Scene:
    """Grain is ground and carried away by itself, bell after bell; how the miller is clad matters to nobody, a key only to the lock."""
    g = Game("mill", players=2)
    grain, flour, bells, coat = (g.field(name, values=range(9)) for name in ("grain", "flour", "bells", "coat"))
    locked, turn = g.field("locked", values=bool, init=True), g.field("turn", values=range(2))
    for name, wears in (("fill", 0), ("dress", 1)):
        a = g.action(name, by=turn)
        many = a.param("many", range(1, 3))
        if wears:
            a.clause("MILL.coat", coat + many <= 8)
            a.effect(gain(coat, many), put(turn, 1 - a.me))
        else:
            a.clause("MILL.lock", ~locked)
            a.clause("MILL.full", grain + many <= 8)
            a.effect(gain(grain, many), put(turn, 1 - a.me))
    key = g.action("unlock", by=0)
    key.clause("MILL.key", coat >= 2)
    key.effect(put(locked, False))
    g.trigger("MILL.ring", (flour >= 2) & (bells < 8), [gain(flour, -2), gain(bells, 1)])
    g.trigger("MILL.grind", (grain >= 1) & (flour <= 7), [gain(grain, -1), gain(flour, 1)])
    rules = replace(g.build(), passes=12)
    return Scene(rules, rules.start)


def shipped(game: str) -> Scene:
    position = kit(game).deal()
    return Scene(position.rules, position.state)


ASKED = [
    ("mill", "bells == 2"), ("mill", "flour == 1 and bells == 1"), ("mill", "grain >= 1"), ("mill", "not locked and coat == 3"), ("mill", "bells == 1 and locked"),
    ("nim", "heap[0] == 1 and heap[2] == 2"), ("nim", "turn == 0 and heap[0] == 2"), ("tic-tac-toe", "cell[4] == 2 and cell[0] == 2"),
    ("tic-tac-toe", "(count s in 0..8: cell[s] == 2) > (count s in 0..8: cell[s] == 1)"), ("duel", "life[1] <= 35"), ("duel", "life[0] < 30 and life[1] < 40"),
]  # fmt: skip
DEEP = 5


def walked(scene: Scene, formula: Expr) -> tuple[int | None, int]:
    """The length of the shortest line, if one is not longer than ``DEEP``, and how far a walk sees that there is none."""
    walk, front, seen = Walk(scene.rules, Clock()), {Walk(scene.rules, Clock()).engine.settle(scene.start)}, set[Any]()
    for plies in range(DEEP + 1):
        if any(walk.moves.value(formula, state) for state in front):
            return plies, plies - 1
        seen |= front
        steps = (walk.step(state, move) for state in front for move in walk.moves.moves(state))
        front = {state for state in steps if state is not None} - seen
    return None, DEEP


def asked(game: str, text: str, **how: Any) -> tuple[Scene, Expr, Sought]:
    scene = mill() if game == "mill" else shipped(game)
    formula = parse_expr(text, scene.scope())
    return scene, formula, sought(scene, formula, DEEP, Clock(120), **how)


@pytest.mark.parametrize("how", [{}, {"kept": None}, {"kept": None, "numbers": "int"}, {"numbers": "int"}], ids=["slice", "all", "all-int", "slice-int"])
@pytest.mark.parametrize(("game", "text"), ASKED)
def test_the_shortest_line_and_none_are_those_of_a_walk(game: str, text: str, how: dict[str, Any]) -> None:
    scene, formula, found = asked(game, text, **how)
    assert (found.line and len(found.line.moves), found.plies) == walked(scene, formula)
    if found.line is not None:
        assert replay(scene.rules, scene.start, found.line.moves) == found.line.state


def test_a_slice_leaves_out_what_the_question_does_not_need() -> None:
    assert asked("mill", "grain >= 1")[2].kept < {f.name for f in mill().rules.families}
    assert asked("duel", "life[1] <= 35")[2].kept == {"life", "pending"}


def test_every_beginning_is_meant_where_that_is_asked() -> None:
    scene = mill()
    opened = replace(scene, free=frozenset({"coat"}), given=scene.given)
    formula = parse_expr("not locked", scene.scope())
    near, far = sought(opened, formula, DEEP, Clock(60), beginnings=True), sought(opened, formula, DEEP, Clock(60))
    assert near.line is not None and far.line is not None and (len(near.line.moves), len(far.line.moves)) == (1, 2)
    assert near.line.start[scene.rules.cell("coat")] >= 2


def test_what_needs_more_passes_than_are_looked_at_is_no_line() -> None:
    assert asked("mill", "bells == 1 and not locked", passes=1)[2].plies >= 3
    few, all = (asked("mill", "bells == 1", passes=n)[2] for n in (1, None))
    assert all.line is not None and few.passes == 1 and all.passes == mill().rules.passes
    assert few.line is None and few.plies == DEEP


def test_triggers_that_undo_one_another_are_at_rest() -> None:
    g = Game("blinker", players=1)
    lit, steps = g.field("lit", values=bool), g.field("steps", values=range(9))
    g.action("step", by=0).effect(gain(steps, 1))
    g.trigger("BLINK.on", ~lit, [put(lit, True)])
    g.trigger("BLINK.off", lit, [put(lit, False)])
    scene = Scene(g.build(), g.build().start)
    for kept in ((), None):
        found = sought(scene, parse_expr("steps == 3 and not lit", scene.scope()), DEEP, Clock(60), kept=kept)
        assert found.line is not None and len(found.line.moves) == 3


def test_without_time_nothing_is_claimed() -> None:
    scene = mill()
    assert sought(scene, parse_expr("bells == 2", scene.scope()), 3, Clock(1e-9)).plies == -1


def missing(found: str, text: str) -> bool:
    scene, formula, answer = asked(found, text)
    return (answer.line and len(answer.line.moves), answer.plies) != walked(scene, formula)


def test_an_effect_that_is_dropped_though_it_is_kept_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(rules: RuleSet, kept: Any) -> RuleSet:
        made = sliced(rules, kept)
        return replace(made, actions=tuple(replace(a, effects=a.effects[1:]) for a in made.actions))

    assert not missing("mill", "bells == 1")
    monkeypatch.setattr(slices, "sliced", careless)
    assert missing("mill", "bells == 1")


def test_a_trigger_that_is_ignored_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(rules: RuleSet, kept: Any) -> RuleSet:
        return replace(sliced(rules, kept), triggers=())

    monkeypatch.setattr(slices, "sliced", careless)
    assert missing("mill", "flour == 1 and bells == 1")


def test_a_free_field_that_is_read_as_what_it_was_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(*args: Any) -> Plies:
        return Plies(*args[:5], frozenset())

    monkeypatch.setattr("monjudge.solvers.engines.smt.plies.Plies", careless)
    assert missing("mill", "not locked and coat == 3") or missing("mill", "bells == 1") or missing("mill", "bells == 2")
