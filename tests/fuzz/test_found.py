"""What the fuzz has found, each as the smallest rule set that shows it; every engine is asked."""

from __future__ import annotations

import pytest
from agreement import ENGINES, Engine, outcome
from plain import Plain

from monjudge.model.language import Game, Move, RuleSet, State, Table, gain, lookup, put


def nobody_decides() -> tuple[RuleSet, list[State]]:
    """The enumerator looked a table up by the player before it asked whether there is such a player."""
    g = Game("nobody", players=3)
    chief = g.field("chief", values=range(-1, 8))
    act = g.action("act", by=chief)
    act.clause("F.1", lookup(Table.of("may", (3,), (True, False, True)), act.me))
    return g.build(), [(n,) for n in range(-1, 8)]


def a_truth_parameter() -> tuple[RuleSet, list[State]]:
    """CP-SAT took every number but 0 for true, also one that is no value of the parameter."""
    g = Game("truth", players=1)
    done = g.field("done", values=bool)
    act = g.action("act", by=0)
    act.clause("F.1", act.param("how", bool) | done)
    return g.build(), [(0,), (1,)]


def triggers_that_undo_each_other() -> tuple[RuleSet, list[State]]:
    """Native let a trigger sleep that always changes something, though another one undoes it in every pass."""
    g = Game("undo", players=1)
    height, other = g.field("height", values=range(4)), g.field("other", values=range(3))
    g.action("act", by=0).effect(put(other, 1))
    g.trigger("T.1", True, [gain(height, -1, height > 0)])
    g.trigger("T.2", True, [gain(height, 1)])
    return g.build(), [(n, k) for n in range(1, 4) for k in range(3)]


def a_large_cell() -> tuple[RuleSet, list[State]]:
    """Native listed all values of a cell to find out that they are many."""
    g = Game("large", players=1)
    gold, seen = g.field("gold", values=range(-(2**31) + 1, 2**31)), g.field("seen", values=bool)
    act = g.action("act", by=0)
    act.effect(put(gold, act.param("much", range(-1, 2)) * 10**9))
    g.trigger("T.1", gold > 5, [put(gold, 5), put(seen, True)])
    return g.build(), [(0, 0), (5, 1), (-7, 0)]


@pytest.mark.parametrize("made", [nobody_decides, a_truth_parameter, triggers_that_undo_each_other, a_large_cell])
@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_what_was_found_once_stays_right(engine: Engine, made: object) -> None:
    rules, states = made()  # type: ignore[operator]
    plain, tested = Plain(rules), engine.make(rules)
    odd = [Move("act", 0, tuple(7 for _ in rules.actions[0].params)), Move("act", 3, (1,) * len(rules.actions[0].params))]
    for state in states:
        assert plain.settle(state) == state
        moves = plain.moves(state)
        assert outcome(tested.moves, state) == moves
        for move in (*moves, *odd):
            assert tested.legal(state, move) == plain.legal(state, move)
        for move in moves if engine.steps else ():
            assert tested.step(state, move) == plain.step(state, move)
