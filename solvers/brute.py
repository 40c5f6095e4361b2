"""The obvious exhaustive solver: write the whole graph of positions down, then work its values out from the ends.

Short enough to be read in one sitting, so that the clever solvers can be held against it.
What it computes, for one player against all others together (a coalition; with two
players that is the opponent):

* ``forced``: can the player bring a goal about whatever the others do and chance brings?
* ``odds``: with what probability, if chance has its weights and the others resist?
* ``value``: what payoff can the player be sure to expect?

Who decides where several may is the others' choice. All cards lie open, except in a
simultaneous group: there ``forced`` lets the player choose without seeing what is hidden
and lets the others see the choice, so a plan that is *forced* wins against every reply.
Where the player could do better only by seeing what is hidden the answer is *unknown*;
``odds`` and ``value``, where mixing strategies may pay, are *unknown* in a game with such
a group.

Going round in circles brings no goal about: a goal counts only when it is reached. Where
circles leave a probability or a payoff undefined, the answer is *unknown*.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter

from monjudge.model.language import NATURE, Expr, LimitReached, Move, RuleSet, State, const, evaluate
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.verdict import Sentence, Verdict

__all__ = ["Brute", "Value"]

Node = tuple[State, int | None]
"""A state, and how many more decisions may be taken (None: as many as you like)."""
BEYOND: Node = ((), None)
"""Stands for every position beyond a bound of the model or of the search."""
Options = dict[int, list[tuple[Move, int, Node]]]
"""For each who may decide (NATURE for chance): the moves, their weights and where they lead."""
CIRCLES = Sentence("play can go round in circles", "同じ局面を巡り続けることができる")
STUCK = Sentence("nobody can move although the game is not over", "終わっていないのに誰も動けない局面がある")
SIMULTANEOUS = Sentence("decisions are taken without seeing one another", "互いに見ずに決める手がある")


@dataclass(frozen=True)
class Value:
    """The value lies in ``low..high``; ``limit`` says why the two differ, if they do. ``nodes`` were visited."""

    low: Fraction
    high: Fraction
    nodes: int
    limit: Sentence | None = None

    @property
    def exact(self) -> Fraction | None:
        """The value, if it is known."""
        return self.low if self.low == self.high else None

    @property
    def verdict(self) -> Verdict:
        """For ``forced``: ``YES`` for the value 1, ``NO`` for 0, else ``UNKNOWN``."""
        return Verdict.YES if self.low == 1 else Verdict.NO if self.high == 0 else Verdict.UNKNOWN


class Brute:
    """One rule set. States given must be settled; at most ``nodes`` positions are written down, in ``seconds`` from now."""

    def __init__(self, rules: RuleSet, nodes: int = 200_000, seconds: float | None = None) -> None:
        self.rules, self.nodes, self.seconds = rules, nodes, seconds
        self.until = None if seconds is None else time.monotonic() + seconds
        self.reference = Reference(rules)

    def forced(
        self, player: int, goal: str | Expr = "win", state: State | None = None,
        plies: int | None = None, turns: int | None = None,
    ) -> Value:  # fmt: skip
        """1 if the player can bring the goal about against every play and every outcome of chance, else 0.

        Within so many decisions of all players (``plies``), or before the number of the turn
        has risen by ``turns``. Raises ValueError for an unknown goal, or turns in a game that
        declares none.
        """
        begin, end = self._goal(player, goal, state, plies, turns)
        return self._solve(player, begin, end, False)

    def odds(
        self, player: int, goal: str | Expr = "win", state: State | None = None,
        plies: int | None = None, turns: int | None = None,
    ) -> Value:  # fmt: skip
        """The probability with which the player can bring the goal about, chance as it is weighted. Raises as ``forced``."""
        begin, end = self._goal(player, goal, state, plies, turns)
        return self._solve(player, begin, end, True)

    def value(self, player: int, state: State | None = None) -> Value:
        """The payoff that the player can expect for certain. Raises ValueError for a game without payoffs."""
        if not self.rules.payoffs:
            raise ValueError(f"the game {self.rules.name!r} declares no payoffs")
        payoff = self.rules.payoffs[player]

        def end(node: Node) -> Fraction | None:
            return Fraction(self.reference.payoff(node[0])[player]) if self.reference.over(node[0]) else None

        return self._solve(player, (self._start(state), None), end, True, (payoff.lo, payoff.hi), stuck=None)

    def _start(self, state: State | None) -> State:
        return self.reference.settle(self.rules.start) if state is None else state

    def _read(self, expr: Expr, state: State, env: Mapping[str, int] | None = None) -> int:
        return evaluate(expr, state, env, self.rules.offset)

    def _goal(
        self, player: int, goal: str | Expr, state: State | None, plies: int | None, turns: int | None
    ) -> tuple[Node, Callable[[Node], Fraction | None]]:
        """Where to begin, and the value of a position that is an end of the question."""
        found = [goal] if isinstance(goal, Expr) else []
        found += [g.when for g in self.rules.goals if not found and g.name == goal and g.player == player]
        if not found:
            raise ValueError(f"the game {self.rules.name!r} has no goal {goal!r} for player {player}")
        if turns is not None and self.rules.turns is None:
            raise ValueError(f"the game {self.rules.name!r} does not declare what a turn is")
        number = self.rules.turns.number if self.rules.turns is not None else const(0)
        begin = self._start(state)
        first = self._read(number, begin)

        def end(node: Node) -> Fraction | None:
            if self._read(found[0], node[0]):
                return Fraction(1)
            late = turns is not None and self._read(number, node[0]) >= first + turns
            return Fraction(0) if late else None

        return (begin, plies), end

    def _solve(
        self, player: int, begin: Node, end: Callable[[Node], Fraction | None], average: bool,
        bounds: tuple[int, int] = (0, 1), stuck: Fraction | None = Fraction(0),
    ) -> Value:  # fmt: skip
        """The value between bounds; ``stuck`` is that of a position where nobody can move (None: it has none)."""
        floor, ceiling = map(Fraction, bounds)
        if average and self.rules.simultaneous:
            return Value(floor, ceiling, 0, SIMULTANEOUS)
        graph = self._explore(begin, end, stuck)
        try:
            order = list(TopologicalSorter(graph.children()).static_order())
        except CycleError:
            if average:
                return Value(floor, ceiling, len(graph.options), CIRCLES)
            order = list(reversed(graph.options))
        blind = self._blind(graph, player)
        low = graph.least(order, player, average, floor, floor, blind)[begin]
        high = graph.least(order, player, average, floor, ceiling, {})[begin]
        limit = graph.limit or (SIMULTANEOUS if blind else None)
        return Value(low, high, len(graph.options), None if low == high else limit)

    def _explore(self, begin: Node, end: Callable[[Node], Fraction | None], stuck: Fraction | None) -> _Graph:
        """Every position from here on, up to the limit."""
        graph = _Graph()
        front = [begin]
        while front:
            node = front.pop()
            if node in graph.options or node in graph.ends:
                continue
            value = end(node)
            if value is None and self.until is not None and time.monotonic() > self.until:
                graph.limit = Sentence(f"only {self.seconds} seconds were allowed", f"{self.seconds}秒までしか調べていない")
            elif value is None and len(graph.options) >= self.nodes:
                graph.limit = Sentence(f"only {self.nodes:,} positions were visited", f"{self.nodes:,}局面までしか調べていない")
            elif value is None:
                options = self._options(graph, node)
                if options:
                    graph.options[node] = options
                    front += [child for choices in options.values() for _, _, child in choices]
                    continue
                value = stuck
                graph.limit = graph.limit or (STUCK if stuck is None else None)
            graph.ends[node] = value
        return graph

    def _options(self, graph: _Graph, node: Node) -> Options:
        """The moves by who decides; none where no more decisions may be taken."""
        state, left = node
        moves = self.reference.moves(state)
        if left == 0 and any(move.me != NATURE for move in moves):
            return {}
        weights = dict(self.reference.outcomes(state))
        options: Options = {}
        for move in moves:
            try:
                after = self.reference.step(state, move)
                child = after, left if move.me == NATURE or left is None else left - 1
            except LimitReached as reached:
                graph.limit = Sentence(str(reached), f"モデルの上限を超えた：{reached.ja}")
                child = BEYOND
            options.setdefault(move.me, []).append((move, weights.get(move, 1), child))
        return options

    def _blind(self, graph: _Graph, player: int) -> dict[Node, list[Node]]:
        """For a position where the player decides without seeing everything: all that look the same."""
        hidden = [self.rules.family_named[name] for group in self.rules.simultaneous for name in group.hidden]
        same: dict[tuple[object, ...], list[Node]] = {}
        for node, options in graph.options.items():
            if hidden and player in options:
                looks: list[int | None] = list(node[0])
                for family in hidden:
                    for place, indices in enumerate(itertools.product(*map(range, family.dims))):
                        env = {"viewer": player, **{f"x{n}": i for n, i in enumerate(indices)}}
                        if not self._read(self.rules.visible[family.name], node[0], env):
                            looks[self.rules.offset[family.name] + place] = None
                moves = tuple(move for move, _, _ in options[player])
                same.setdefault((*looks, node[1], moves), []).append(node)
        return {node: nodes for nodes in same.values() if len(nodes) > 1 for node in nodes}


@dataclass
class _Graph:
    """The positions in the order they were found; an end has a value, or None if it is unknown."""

    options: dict[Node, Options] = field(default_factory=dict)
    ends: dict[Node, Fraction | None] = field(default_factory=lambda: {BEYOND: None})
    limit: Sentence | None = None

    def children(self) -> dict[Node, list[Node]]:
        return {
            node: [child for choices in options.values() for _, _, child in choices]
            for node, options in self.options.items()
        }

    def least(
        self, order: Sequence[Node], player: int, average: bool, floor: Fraction, unknown: Fraction,
        blind: Mapping[Node, Sequence[Node]],
    ) -> dict[Node, Fraction]:  # fmt: skip
        """The least values that agree with one another: what is only kept in circles stays at the floor."""
        values = {node: unknown if value is None else value for node, value in self.ends.items()}
        values |= dict.fromkeys(self.options, floor)
        changed = True
        while changed:
            changed = False
            for node in order:
                if node in self.options:
                    worth = self._worth(node, player, average, values, blind.get(node, (node,)))
                    changed = changed or worth != values[node]
                    values[node] = worth
        return values

    def _worth(
        self, node: Node, player: int, average: bool, values: Mapping[Node, Fraction], alike: Sequence[Node]
    ) -> Fraction:
        """The value of a position from those after it: whoever decides next is the worst for the player."""
        worths = []
        for decider, choices in self.options[node].items():
            if decider == player:
                # One choice for all positions that look the same, and the worst of them.
                columns = zip(*(self.options[other][player] for other in alike), strict=True)
                worths.append(max(min(values[child] for _, _, child in column) for column in columns))
            elif decider == NATURE and average:
                whole = sum(weight for _, weight, _ in choices)
                worths.append(sum((weight * values[child] for _, weight, child in choices), Fraction()) / whole)
            else:
                worths.append(min(values[child] for _, _, child in choices))
        return min(worths)
