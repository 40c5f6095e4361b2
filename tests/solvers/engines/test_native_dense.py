"""States that are numbered and swept: the same ones as by the obvious walk of the reference, and none that is left out."""

from __future__ import annotations

import dataclasses

import pytest

from monjudge.model.language import Game, LimitReached, RuleSet, State, evaluate, field, gain, lift, put
from monjudge.model.small.connect_four import connect_four
from monjudge.model.small.duel import duel
from monjudge.model.small.nim import nim
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines.native import Dense
from monjudge.solvers.engines.native.dense import numbers, written
from monjudge.solvers.engines.reference import Reference


def walked(rules: RuleSet) -> set[State]:
    """All states that can be reached, by the reference."""
    engine = Reference(rules)
    seen, front = {engine.settle(rules.start)}, [engine.settle(rules.start)]
    while front:
        state = front.pop()
        new = {engine.step(state, move) for move in ([] if engine.over(state) else engine.moves(state))} - seen
        seen |= new
        front += new
    return seen


def ladder(fault: str = "") -> RuleSet:
    """Up and down on rungs below nothing (-3..4), with a lamp that a trigger lights at the top and a label that nothing writes."""
    g = Game("ladder", players=1)
    label, rung = g.field("label", 2, values=range(5, 200), init=[7, 199]), g.field("rung", values=range(-3, 5), init=-1)
    lamp, wide = g.field("lamp", 3, values=bool), g.field("wide", values=range(0, 90000, 1), init=40000)
    for name, by in (("up", 1), ("down", -1)):
        move = g.action(name, by=0)
        move.clause(f"LADDER.{name}", (rung + by <= 4) & (rung + by >= -3) | (lift(name == "up") & lift(fault == "no top")))
        move.effect(gain(rung, by), put(wide, 40000 + label[0]))
    g.over(wide == 3)
    g.trigger("LADDER.top", rung == 4, [put(lamp[1], True)])
    return g.build()


@pytest.mark.parametrize("rules", [nim(), nim(misere=True), tic_tac_toe(), duel(4, 8), ladder()], ids=lambda r: r.name)
def test_the_states_that_are_swept_are_those_of_the_reference(rules: RuleSet) -> None:
    states = walked(rules)
    assert Dense(rules).sweep(Reference(rules).settle(rules.start)).states == len(states)


def test_a_formula_is_looked_at_in_every_state_that_is_reached() -> None:
    rules = duel(3, 6)
    life, states = rules.family_named["life"], walked(rules)
    together = field(life, (0,)) + field(life, (1,))
    for n in range(14):
        formula = together != n
        broken = {s for s in states if not evaluate(formula, s, None, rules.offset)}
        bad = Dense(rules, formula).sweep(rules.start).bad
        assert (bad in broken) if broken else bad is None


def test_only_the_cells_that_an_effect_may_write_are_numbered() -> None:
    rules = ladder()
    names = [family.name for family in rules.families for _ in range(family.size)]
    assert [names[n] for n in written(rules)] == ["rung", "lamp", "wide"]
    assert numbers(rules) == 8 * 2 * 90000


def test_a_bound_that_is_passed_and_too_many_numbers_are_told() -> None:
    rules = ladder("no top")
    with pytest.raises(LimitReached, match="bound"):
        Dense(rules).sweep(rules.start)
    assert not Dense.fits(connect_four())
    with pytest.raises(ValueError, match="states by its intervals"):
        Dense(connect_four())


def test_a_write_that_the_numbers_forget_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ladder()
    states = len(walked(rules))
    monkeypatch.setattr("monjudge.solvers.engines.native.dense.written", lambda rules: [rules.cell("rung")])
    assert Dense(dataclasses.replace(rules)).sweep(rules.start).states != states
