"""Every state within some turns of named positions, looked at by native code: what is bounded is said to be.

The cone is cut where the number of the turn has risen by so many. Where the states can be numbered without many gaps,
native code looks at each as it sweeps over the numbers; else it writes all of them down once, and only the cells that the
formula reads are looked at. A line to a fault is made again by the reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from monjudge.model.language import FALSE, Clause, Expr, LimitReached, Move, RuleSet, State, evaluate, lift, walk
from monjudge.verify.bounded import Line, Walk
from monjudge.verify.queries import Clock

if TYPE_CHECKING:
    from monjudge.solvers.engines.native import Native

__all__ = ["Cone", "counted_again", "explored", "within"]


@dataclass(frozen=True)
class Cone:
    """What was seen: ``states`` in all, and a line to one in which the formula does not hold, where there is one."""

    states: int
    line: Line | None


def within(rules: RuleSet, start: State, turns: int) -> RuleSet:
    """The rules with play cut after so many turns from a state. Raises ValueError for a game that declares no turns."""
    if rules.turns is None:
        raise ValueError(f"the game {rules.name!r} does not declare what a turn is")
    last = evaluate(rules.turns.number, start, None, rules.offset) + turns
    over = rules.over or Clause("GAME.over", FALSE)
    return replace(rules, over=replace(over, expr=over.expr | lift(rules.turns.number >= last)))


def explored(rules: RuleSet, starts: Mapping[str, State], formula: Expr, turns: int | None, most: int) -> Cone:
    """All states that can be reached, or those within so many turns of each start.

    Raises LimitReached where there are more than ``most`` from one that cannot be numbered densely, where no line to a
    fault is found among as many, or a bound of the model is passed; ValueError as ``within``.
    """
    from monjudge.solvers.engines.native import Dense, Native

    read = [f for f in rules.families if any(n.op == "field" and n.args[0].uid == f.uid for n in walk(formula))] or rules.families[:1]
    seen = 0
    for start in starts.values():
        cut = rules if turns is None else within(rules, start, turns)
        native = Dense(cut, formula) if Dense.fits(cut) else Native(cut)
        first = native.settle(start)
        if isinstance(native, Dense):
            swept = native.sweep(first)
            seen += swept.states
            if swept.bad is not None:
                return Cone(seen, _line(native, first, formula, rules.offset, most))
            continue
        seen += native.reachable(first, most)
        small, at = dict[str, int](), 0
        for f in read:
            small[f.name], at = at, at + f.size
        bad = {cells for cells in native.reachable_cells(first, most, [f.name for f in read]) if not evaluate(formula, cells, None, small)}
        if bad:
            return Cone(seen, _line(native, first, formula, rules.offset, most))
    return Cone(seen, None)


def counted_again(rules: RuleSet, starts: Mapping[str, State], formula: Expr, turns: int | None, states: int, clock: Clock) -> bool:
    """Whether the reference sees as many states, and no fault; not, where the time is over or a bound of the model is passed.

    Raises AssertionError where it sees others than native code did.
    """
    seen = 0
    for start in starts.values():
        walk = Walk(rules if turns is None else within(rules, start, turns), clock)
        walked = walk.breadth_first(start, lambda state: not walk.moves.value(formula, state), states)  # noqa: B023
        assert walked.line is None, "the reference finds a fault that native code has not seen"
        seen += walked.states
        if not walked.complete and seen <= states:
            return False
    assert seen == states, f"the reference finds {seen} states, native code {states}"
    return True


def _line(native: Native, start: State, formula: Expr, offset: Mapping[str, int], most: int) -> Line:
    """The shortest line to a state in which the formula does not hold, which native code has seen."""
    came: dict[State, tuple[State, Move] | None] = {start: None}
    front = [start]
    while front:
        after: list[State] = []
        for state in front:
            if not evaluate(formula, state, None, offset):
                return Line(start, _back(came, state), state)
            for move, following in native.steps(state):
                if following is not None and following not in came:
                    came[following] = (state, move)
                    after.append(following)
        if len(came) > most:
            raise LimitReached(f"a fault is reached, but no line to it was found among {len(came)} states")
        front = after
    raise AssertionError("native code has seen a fault that no line leads to")


def _back(came: Mapping[State, tuple[State, Move] | None], state: State) -> tuple[Move, ...]:
    moves: list[Move] = []
    while (step := came[state]) is not None:
        state, move = step
        moves.append(move)
    return tuple(reversed(moves))
