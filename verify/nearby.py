"""Lines near a line that is known, under rules where not all of its moves are legal, or they are written otherwise.

A move is looked for by the names that its rules have for it: the action, who makes it, and as many of its parameters as can be.
What is found is a line like any other; that there is none near says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from monjudge.model.language import LimitReached, Move, RuleSet, State
from monjudge.verify.bounded import Line, Test, Walk

__all__ = ["Wanted", "nearby", "shortened", "wanted"]

TRIES, FURTHER, AHEAD, STRAY = 100, 30, 12, 0.2
"""How many lines are tried, how many moves of each may be none of the known line, how many of those that are left are looked for, and how often one strays."""


@dataclass(frozen=True)
class Wanted:
    """A move by names: its action, who makes it, and its parameters with their values."""

    action: str
    me: int
    args: frozenset[tuple[str, str]]


def wanted(rules: RuleSet, moves: Sequence[Move]) -> tuple[Wanted, ...]:
    """Moves by the names that these rules have for them."""
    return tuple(_named(rules, move) for move in moves)


def _named(rules: RuleSet, move: Move) -> Wanted:
    params = rules.by_name[move.action].params
    values = (str(n) if p.labels is None else p.labels.labels[n] for p, n in zip(params, move.args, strict=True))
    return Wanted(move.action, move.me, frozenset(zip((p.name for p in params), values, strict=True)))


def _meant(rules: RuleSet, like: Wanted) -> Move | None:
    """The move of just these names; None where the rules have none."""
    action, values = rules.by_name.get(like.action), dict(like.args)
    if action is None or values.keys() != {p.name for p in action.params}:
        return None
    try:
        args = tuple(int(values[p.name]) if p.labels is None else p.labels.labels.index(values[p.name]) for p in action.params)
    except ValueError:
        return None
    return Move(like.action, like.me, args)


def nearby(walk: Walk, start: State, line: Sequence[Wanted], found: Test, tries: int = TRIES) -> Line | None:
    """A line that goes along the known one as far as it can, until something is found; else one of those that leave it somewhere.

    Raises LimitReached where the time of the walk is over.
    """
    first = walk.engine.settle(start)
    along = _Way(walk, found, Random(0), 0.0)
    if along.go(first, (), line):
        return Line(first, tuple(along.made), along.state)
    for number in range(tries):
        random = Random(number)
        # The further back the rarer: what is to come out otherwise mostly does so by the last moves.
        back = min(int(random.expovariate(1 / 6)), along.last)
        state, count, left = along.points[along.last - back]
        stray = _Way(walk, found, random, STRAY)
        if stray.go(state, along.made[:count], left):
            return Line(first, tuple(stray.made), stray.state)
    return None


class _Way:
    """One line, which makes known moves where it can, but for as many as ``stray`` says."""

    def __init__(self, walk: Walk, found: Test, random: Random, stray: float) -> None:
        self.walk, self.found, self.random, self.stray = walk, found, random, stray
        self.made: list[Move] = []
        self.points: list[tuple[State, int, Sequence[Wanted]]] = []
        """The states on the way, how many moves led to each, and the known ones that were left; the ``last`` is where the last known one led to."""
        self.last = 0

    def go(self, state: State, made: Sequence[Move], left: Sequence[Wanted]) -> bool:
        """Whether something is found on the way from a state, to which these moves led; then ``state`` and ``made`` tell where."""
        self.made, strange, known = list(made), 0, True
        while not self.found(state):
            self.walk.clock.left()
            self.points.append((state, len(self.made), left))
            if known:
                self.last = len(self.points) - 1
            move = None
            if self.random.random() >= self.stray:
                move, left = self._known(state, left)
            known = move is not None
            if not known:
                strange += 1
                move = self.walk.one_of(state, self.walk.moves.moves(state), self.random)
            next = None if move is None or strange > FURTHER else self.walk.step(state, move)
            if move is None or next is None:
                return False
            self.made.append(move)
            state = next
        self.state = state
        return True

    def _known(self, state: State, left: Sequence[Wanted]) -> tuple[Move | None, Sequence[Wanted]]:
        """The first known move that is left and legal, else a legal one of its action and player that is most like it; and what is left then."""
        for n, like in enumerate(left[:AHEAD]):
            move = _meant(self.walk.rules, like)
            if move is not None and self.walk.engine.legal(state, move):
                return move, (*left[:n], *left[n + 1 :])
        named = [(_named(self.walk.rules, move), move) for move in self.walk.moves.moves(state)]
        for n, like in enumerate(left[:AHEAD]):
            near = [(len(like.args & name.args), move) for name, move in named if (name.action, name.me) == (like.action, like.me)]
            if near:
                most = max(count for count, _ in near)
                return self.random.choice([move for count, move in near if count == most]), (*left[:n], *left[n + 1 :])
        return None, left


def shortened(walk: Walk, line: Line, found: Test) -> Line:
    """The line without moves that can be left out, long pieces first, as in delta debugging (Zeller and Hildebrandt, TSE 2002).

    Most pieces end at once, with a move that is not legal. What is found after it need not be the same. Where the time of the walk is over it is as short as it is by then.
    """
    moves, states = list(line.moves), [line.start]
    for move in moves:
        states.append(walk.engine.step(states[-1], move))
    size = len(moves) // 2
    try:
        while size:
            at = 0
            while at < len(moves):
                walk.clock.left()
                after = _played(walk, states[at], moves[at + size :], found)
                if after is None:
                    at += 1
                else:
                    moves[at:], states[at + 1 :] = moves[at + size : at + size + len(after)], after
            size //= 2
    except LimitReached:
        pass
    return Line(line.start, tuple(moves), states[-1])


def _played(walk: Walk, state: State, moves: Sequence[Move], found: Test) -> list[State] | None:
    """The states after each of these moves until something is found; None where one is not legal, or nothing is."""
    states: list[State] = []
    for move in moves:
        if walk.engine.over(state) or not walk.engine.legal(state, move):
            return None
        next = walk.step(state, move)
        if next is None:
            return None
        state = next
        states.append(state)
        if found(state):
            return states
    return None
