"""What can be reached by walking over states, up to a stated bound.

A walk makes moves by the enumerator and steps by the reference; ``replay`` makes a line again by the reference alone. z3 looks
for lines, too (see ``slices``), and shares nothing with the walk.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from monjudge.model.language import NATURE, LimitReached, Move, RuleSet, State
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.verify.queries import Clock
from monjudge.verify.replaying import Recording, follow

__all__ = ["Line", "Test", "Walk", "Walked", "enumerator", "record", "reference", "replay"]

Test = Callable[[State], bool]


@dataclass(frozen=True)
class Line:
    """A line of play from a state; what was looked for holds after it."""

    start: State
    moves: tuple[Move, ...]
    state: State


@dataclass(frozen=True)
class Walked:
    """What a walk found. ``complete``: there is nothing else to reach; else it ended after ``plies`` whole plies.

    ``beyond``: some move passes a bound of the model, so nothing is known of what follows it.
    """

    line: Line | None
    states: int
    plies: int
    complete: bool
    beyond: bool = False


@lru_cache(maxsize=8)
def reference(rules: RuleSet) -> Reference:
    """The reference for a rule set, which compiles each of its functions once."""
    return Reference(rules)


@lru_cache(maxsize=8)
def enumerator(rules: RuleSet) -> Enumerator:
    """The enumerator for a rule set, likewise."""
    return Enumerator(rules)


@lru_cache(maxsize=8)
def _recorded(rules: RuleSet) -> list[Recording]:
    """The line that was recorded last, where one was."""
    return []


def record(rules: RuleSet, start: State, moves: Sequence[Move]) -> None:
    """Takes down a line, so that it is soon replayed with other configurations. Raises ValueError as ``replay`` does."""
    _recorded(rules)[:] = [Recording(reference(rules), start, moves)]


def replay(rules: RuleSet, start: State, moves: Sequence[Move]) -> State:
    """The state after these moves, each legal, by the reference alone. Raises ValueError for a move that is not."""
    for known in _recorded(rules):
        state = known.replay(start, moves)
        if state is not None:
            return state
    engine = reference(rules)
    return follow(engine, engine.settle(start), moves)


class Walk:
    """Walks over the states of a rule set."""

    def __init__(self, rules: RuleSet, clock: Clock) -> None:
        self.rules, self.clock = rules, clock
        self.engine, self.moves = reference(rules), enumerator(rules)

    def breadth_first(self, start: State, found: Test, most: int) -> Walked:
        """All states in the order of their distance, until one is found, none are left or ``most`` were seen."""
        state = self.engine.settle(start)
        came: dict[State, tuple[State, Move] | None] = {state: None}
        front, plies, beyond = [state], 0, False
        try:
            while front:
                after: list[State] = []
                for state in front:
                    if found(state):
                        return Walked(self._line(came, state), len(came), plies, False, beyond)
                    if len(came) % 256 == 0:
                        self.clock.left()
                    for move in self.moves.moves(state):
                        next = self.step(state, move)
                        beyond |= next is None
                        if next is not None and next not in came:
                            came[next] = (state, move)
                            after.append(next)
                    if len(came) > most:
                        return Walked(None, len(came), plies, False, beyond)
                front, plies = after, plies + 1
        except LimitReached:
            return Walked(None, len(came), plies, False, beyond)
        return Walked(None, len(came), plies, not beyond, beyond)

    def guided(self, start: State, stages: Sequence[Test], guide: Callable[[State], tuple[int, ...]], most: int) -> Walked:
        """A line that meets all stages in order: the state whose ``guide`` is least comes first.

        At most ``most`` states are seen for a stage. What is not found says nothing.
        """
        state, made, seen = self.engine.settle(start), list[Move](), 0
        for stage in stages:
            came: dict[State, tuple[State, Move] | None] = {state: None}
            front, number, reached = [(guide(state), 0, state)], 0, None
            while front and reached is None and len(came) <= most:
                state = heapq.heappop(front)[-1]
                reached = state if stage(state) else None
                for move in self.moves.moves(state) if reached is None else ():
                    self.clock.left()
                    next = self.step(state, move)
                    if next is not None and next not in came:
                        came[next], number = (state, move), number + 1
                        heapq.heappush(front, (guide(next), number, next))
            seen += len(came)
            if reached is None:
                return Walked(None, seen, 0, False)
            made += self._line(came, reached).moves
            state = reached
        return Walked(Line(self.engine.settle(start), tuple(made), state), seen, len(made), False)

    def at_random(self, start: State, found: Test, seeds: Sequence[int], most: int = 400) -> Walked:
        """One line of at most ``most`` moves for each seed: decisions alike, chance by its weights."""
        first, states = self.engine.settle(start), 0
        for seed in seeds:
            state, made, random = first, list[Move](), Random(seed)
            for _ in range(most):
                try:
                    self.clock.left()
                except LimitReached:
                    return Walked(None, states, 0, False)
                states += 1
                if found(state):
                    return Walked(Line(first, tuple(made), state), states, len(made), False)
                move = self.one_of(state, self.moves.moves(state), random)
                next = None if move is None else self.step(state, move)
                if move is None or next is None:
                    break
                made.append(move)
                state = next
        return Walked(None, states, 0, False)

    def one_of(self, state: State, moves: Sequence[Move], random: Random) -> Move | None:
        """One of the legal moves, decisions alike and chance by its weights; None where there are none."""
        chance = [m for m in moves if m.me == NATURE]
        if chance:
            return random.choices(chance, [self.engine.weight(state, m) for m in chance])[0]
        # By action first: a card that can be laid in a hundred ways is not a hundred times as likely.
        kinds = sorted({m.action for m in moves})
        chosen = random.choice(kinds) if kinds else ""
        return random.choice([m for m in moves if m.action == chosen]) if moves else None

    def step(self, state: State, move: Move) -> State | None:
        """The settled state after a legal move; None where a bound of the model is passed."""
        try:
            return self.engine.step(state, move)
        except LimitReached:
            return None

    def _line(self, came: dict[State, tuple[State, Move] | None], state: State) -> Line:
        moves, at = list[Move](), state
        while (step := came[at]) is not None:
            at, move = step
            moves.append(move)
        return Line(at, tuple(reversed(moves)), state)
