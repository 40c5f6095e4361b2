"""Whole turns of one player: every plan, those with the same result as one, and the best by a measure.

A *plan* is the trace of one player's decisions within a segment of the declared turn structure, up to the
end of the player's part of it, or to the first draw, roll or reveal; from there it goes on conditionally,
once for each outcome (``Planner.outcomes``). The decisions of the others are not part of it.

Two sequences whose decisions commute end in the same state. That they do is not assumed but seen: the
graph of the states is written down, each state once, and the plans that reach one end are a class. Its
canonical plan is the shortest, and of these the first in the order of the moves; how many sequences
there are is counted along the graph, without listing them.

>>> from monjudge.model.language import Game, gain, put
>>> g = Game("camp", players=1)
>>> wood, fed, done = g.field("wood", values=range(3)), g.field("fed", values=range(2)), g.field("done", values=bool)
>>> for name, cell in (("cut", wood), ("eat", fed)):
...     act = g.action(name, by=0)
...     act.clause(name, ~done & (cell < 1))
...     act.effect(gain(cell, 1))
>>> rest = g.action("rest", by=0)
>>> rest.clause("rest", ~done)
>>> rest.effect(put(done, True))
>>> g.turn_structure(0, {"cut": "day", "eat": "day", "rest": "day"})
>>> rules = g.build()
>>> found = Planner(rules, 0, rules.start).plans()
>>> [(" ".join(move.action for move in plan.moves), plan.orders) for plan in found], found.sequences
([('rest', 1), ('cut rest', 1), ('eat rest', 1), ('cut eat rest', 2)], 5)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from graphlib import CycleError, TopologicalSorter
from typing import Literal, NamedTuple

from monjudge.model.language import (
    ME,
    NATURE,
    Expr,
    LimitReached,
    Measure,
    Move,
    RuleSet,
    State,
    add,
    as_int,
    substitute,
)
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.verdict import Sentence

__all__ = ["Best", "Outcome", "Plan", "Planner", "Plans", "Successors", "by_native", "by_reference", "measure"]

STATES = 50_000
"""So many states are written down for one question."""

BITS = 30
"""So many truth values fit into one number of the rule language."""

End = Literal["done", "chance", "reveal"]
"""Where a trace ends: the player decides nothing more, chance has to settle something, or something hidden is seen."""


_Step = tuple[Move, Fraction, Callable[[], State]]
"""A move, its probability (1 for a decision), and what gives the state after it."""

Successors = Callable[[State], Iterable[tuple[Move, Callable[[], State]]]]
"""The legal moves of a state in canonical order, each with what gives the settled state after it, or raises LimitReached."""


def by_reference(rules: RuleSet) -> Successors:
    """By generated Python: ready at once."""
    moves, reference = Enumerator(rules), Reference(rules)
    return lambda state: ((move, partial(reference.step, state, move)) for move in moves.moves(state))


def by_native(rules: RuleSet) -> Successors:
    """By machine code, which has to be compiled first: for turns of very many states."""
    from monjudge.solvers.engines.native import Native

    native, slow = Native(rules), by_reference(rules)

    def successors(state: State) -> Iterable[tuple[Move, Callable[[], State]]]:
        try:
            moves, states = native.successors(state)
        except LimitReached:
            return slow(state)  # only some of the moves pass a bound
        return ((move, partial(_same, after)) for move, after in zip(moves, states, strict=True))

    return successors


def _same(state: State) -> State:
    return state


@dataclass(frozen=True)
class Plan:
    """The canonical plan of a class: its decisions, the settled state after them, and why it ends there.

    ``orders`` is the number of sequences of decisions with this very result; None where play can go round in circles.
    """

    moves: tuple[Move, ...]
    state: State
    end: End
    orders: int | None


class Outcome(NamedTuple):
    """What chance may bring, with its probability and the settled state after it."""

    move: Move
    probability: Fraction
    state: State


@dataclass(frozen=True)
class Best:
    """The greatest expected value of a measure, and the plan to begin with; only a lower bound where ``limit`` says so."""

    value: Fraction | None
    plan: Plan | None
    limit: Sentence | None = None


class _Graph:
    """The states in the order in which they were found, each with an end or with the states after it."""

    def __init__(self) -> None:
        self.states: list[State] = []
        self.ends: list[End | None] = []
        self.first: list[tuple[int, Move] | None] = []
        """From where and by which move a state was reached first."""
        self.after: list[list[tuple[Move, Fraction, int]]] = []
        """By state: the moves that were followed, with the probability (1 for a decision) and where they lead."""
        self.known: dict[tuple[State, End | None], int] = {}

    def enter(self, state: State, end: End | None, step: tuple[int, Move] | None) -> int:
        """The number of the state, new or known."""
        number = self.known.setdefault((state, end), len(self.states))
        if number == len(self.states):
            self.states.append(state)
            self.ends.append(end)
            self.first.append(step)
            self.after.append([])
        return number


class Plans:
    """All plans from one state: iterable as classes, fewest decisions first; ``len`` counts them.

    Where ``limit`` is set, not all was written down (``states`` were) and the counts are lower bounds.
    """

    def __init__(self, graph: _Graph, limit: Sentence | None) -> None:
        self.limit, self.states, self._graph = limit, len(graph.states), graph
        self._ends = [n for n, end in enumerate(graph.ends) if end is not None]

    def __len__(self) -> int:
        return len(self._ends)

    def __iter__(self) -> Iterator[Plan]:
        for n in self._ends:
            end = self._graph.ends[n]
            assert end is not None
            yield Plan(self._trace(n), self._graph.states[n], end, None if self._orders is None else self._orders[n])

    @property
    def sequences(self) -> int | None:
        """The number of all sequences of decisions; None where play can go round in circles."""
        return None if self._orders is None else sum(self._orders[n] for n in self._ends)

    @cached_property
    def _orders(self) -> list[int] | None:
        """By state, the number of ways to it."""
        before: dict[int, list[int]] = {n: [] for n in range(self.states)}
        for n, after in enumerate(self._graph.after):
            for _, _, later in after:
                before[later].append(n)
        ways = [0] * self.states
        try:
            for n in TopologicalSorter(before).static_order():
                ways[n] = sum(ways[earlier] for earlier in before[n]) if before[n] else 1
        except CycleError:
            return None
        return ways

    def _trace(self, n: int) -> tuple[Move, ...]:
        moves = []
        while (step := self._graph.first[n]) is not None:
            n, move = step
            moves.append(move)
        return tuple(reversed(moves))


class Planner:
    """The plans of one player from a settled state on, in one segment of the turn of that state.

    The segment is by default that of the player's moves in the state. At most ``states`` states are written
    down for a question. Raises ValueError for a game without a turn structure, for a player or segment that it
    does not have, and where the player's moves do not say which segment is meant.
    """

    def __init__(
        self, rules: RuleSet, player: int, state: State, segment: str | None = None,
        successors: Successors | None = None, states: int = STATES,
    ) -> None:  # fmt: skip
        if rules.turns is None:
            raise ValueError(f"the game {rules.name!r} does not declare what a turn is")
        if not 0 <= player < rules.players:
            raise ValueError(f"the game {rules.name!r} has no player {player}")
        self.rules, self.player, self.state, self.states = rules, player, state, states
        self.successors = successors or by_reference(rules)
        self.segments = rules.turns.segments
        self.segment = self._segment() if segment is None else segment
        if self.segment not in self.segments.values():
            known = ", ".join(sorted(set(self.segments.values())))
            raise ValueError(f"the game {rules.name!r} has no segment {self.segment!r}, only {known}")
        self.value = Enumerator(rules).value
        self.turn = self.value(rules.turns.number, state)
        self._reference = Reference(rules)

    def plans(self, state: State | None = None) -> Plans:
        """All plans from the beginning, or from a later state of the same turn (see ``outcomes``)."""
        return Plans(*self._explore(self.state if state is None else state, onward=False))

    def outcomes(self, plan: Plan) -> list[Outcome]:
        """How a plan that ends at a draw or roll may go on. Raises LimitReached for an outcome beyond a bound of the model."""
        return [Outcome(move, odds, follow()) for move, odds, follow in self._chances(plan.state, self.successors(plan.state))]

    def best(self, quantity: Expr) -> Best:
        """The best plan by a quantity of the state at its end; of equals the shortest, and of these the first.

        What chance brings is averaged, and after it the player goes on as is best for the outcome. At a reveal
        the quantity is taken as it is there. The plan is replayed by the reference.
        """
        graph, limit = self._explore(self.state, onward=True)
        worth = _Worth(graph, partial(self.value, quantity))
        if not worth.is_ordered:
            return Best(None, None, Sentence("play can go round in circles", "同じ局面を巡り続けることができる"))
        if worth.values[0] is None:
            return Best(None, None, limit)
        moves, n = worth.line()
        self._replay(moves, graph.states[n])
        end = graph.ends[n]
        assert end is not None
        return Best(worth.values[0], Plan(moves, graph.states[n], end, None), limit)

    def _replay(self, moves: Iterable[Move], end: State) -> None:
        now = self.state
        for move in moves:
            assert self._reference.legal(now, move), f"{move} of a plan is not legal"
            now = self._reference.step(now, move)
        assert now == end, "a plan leads elsewhere when it is replayed"

    def _segment(self) -> str:
        names = {self.segments.get(m.action) for m, _ in self.successors(self.state) if m.me == self.player} - {None}
        if len(names) != 1:
            raise ValueError(f"player {self.player} has moves of {len(names)} segments: say which is meant")
        return str(names.pop())

    def _explore(self, state: State, *, onward: bool) -> tuple[_Graph, Sentence | None]:
        """The states from here on, if ``onward`` also those behind chance, and why some were left out."""
        graph, limits, n = _Graph(), dict[Sentence, None](), 0
        graph.enter(state, None, None)
        while n < len(graph.states):
            now = graph.states[n]
            if graph.ends[n] is None:
                graph.ends[n], steps = self._steps(now, onward)
                for move, odds, follow in steps:
                    try:
                        after = follow()
                    except LimitReached as reached:
                        limits[Sentence(str(reached), f"モデルの上限を超えた：{reached.ja}")] = None
                        continue
                    end: End | None = "reveal" if move.me != NATURE and self._reveals(now, after) else None
                    if (after, end) in graph.known or len(graph.states) < self.states:
                        graph.after[n].append((move, odds, graph.enter(after, end, (n, move))))
                    else:
                        limits[Sentence(f"only {self.states:,} states were written down", f"{self.states:,}局面までしか調べていない")] = None
            n += 1
        return graph, next(iter(limits), None)

    def _steps(self, state: State, onward: bool) -> tuple[End | None, list[_Step]]:
        """Whether and why plans end here, and what may follow: the player's decisions, or ``onward`` what chance brings."""
        if self.value(self.rules.turns.number, state) != self.turn:  # type: ignore[union-attr]
            return "done", []
        after = list(self.successors(state))
        if any(move.me == NATURE for move, _ in after):
            return "chance", self._chances(state, after) if onward else []
        mine = [(m, Fraction(1), s) for m, s in after if m.me == self.player and self.segments.get(m.action) == self.segment]
        return None if mine else "done", mine

    def _chances(self, state: State, after: Iterable[tuple[Move, Callable[[], State]]]) -> list[_Step]:
        found = [(move, self._weight(state, move), follow) for move, follow in after if move.me == NATURE]
        whole = sum(weight for _, weight, _ in found)
        return [(move, Fraction(weight, whole), follow) for move, weight, follow in found]

    def _weight(self, state: State, move: Move) -> int:
        action = self.rules.by_name[move.action]
        assert action.weight is not None, "chance is an action with a weight"
        env = {ME: NATURE, **{p.name: value for p, value in zip(action.params, move.args, strict=True)}}
        return self.value(action.weight, state, env)

    def _reveals(self, before: State, after: State) -> bool:
        """Whether the player sees a cell that was hidden before."""
        return any(self.value(sight, after) & ~self.value(sight, before) for sight in self._sight)

    @cached_property
    def hidden(self) -> list[Expr]:
        """For the cells that are not always, and not never, in sight: when the player sees them."""
        found: dict[int, Expr] = {}
        for name, seen in self.rules.visible.items():
            for place in itertools.product(*map(range, self.rules.family_named[name].dims)):
                here = substitute(seen, {"viewer": self.player, **{f"x{n}": at for n, at in enumerate(place)}})
                if not here.is_const:
                    found[here.uid] = here
        return list(found.values())

    @cached_property
    def _sight(self) -> list[Expr]:
        """The same as numbers, one bit for each: few values to work out for a state."""
        chunks = (self.hidden[n : n + BITS] for n in range(0, len(self.hidden), BITS))
        return [add(*((1 << n) * as_int(seen) for n, seen in enumerate(chunk))) for chunk in chunks]


class _Worth:
    """What the states of a graph are worth, from the ends backwards; None where that was left out of the graph."""

    def __init__(self, graph: _Graph, quantity: Callable[[State], int]) -> None:
        self.graph = graph
        self.values: list[Fraction | None] = [None] * len(graph.states)
        self._length = [0] * len(graph.states)
        self._choice: list[tuple[Move, int] | None] = [None] * len(graph.states)
        children = {n: [later for _, _, later in after] for n, after in enumerate(graph.after)}
        try:
            order = list(TopologicalSorter(children).static_order())
        except CycleError:
            order = []
        self.is_ordered = bool(order)
        for n in order:
            if graph.ends[n] == "chance":
                parts = [None if (value := self.values[later]) is None else odds * value for _, odds, later in graph.after[n]]
                known = [part for part in parts if part is not None]
                complete = known and sum((odds for _, odds, _ in graph.after[n]), Fraction()) == 1 and len(known) == len(parts)
                self.values[n] = sum(known, Fraction()) if complete else None
            elif graph.ends[n] is not None:
                self.values[n] = Fraction(quantity(graph.states[n]))
            else:
                self._choose(n)

    def _choose(self, n: int) -> None:
        for move, _, later in self.graph.after[n]:
            value, best = self.values[later], self.values[n]
            longer = self._length[later] + 1
            if value is not None and (best is None or value > best or (value == best and longer < self._length[n])):
                self.values[n], self._length[n], self._choice[n] = value, longer, (move, later)

    def line(self) -> tuple[tuple[Move, ...], int]:
        """The best decisions from the first state on, up to an end, and the number of that state."""
        moves, n = [], 0
        while (choice := self._choice[n]) is not None:
            move, n = choice
            moves.append(move)
        return tuple(moves), n


def measure(rules: RuleSet, name: str, player: int) -> Measure:
    """The declared measure. Raises ValueError naming those that there are."""
    for found in rules.measures:
        if (found.name, found.player) == (name, player):
            return found
    known = ", ".join(sorted({m.name for m in rules.measures if m.player == player})) or "none"
    raise ValueError(f"the game {rules.name!r} has no measure {name!r} for player {player}, only {known}")
