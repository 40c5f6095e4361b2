"""What can be reached by walking over states, up to a stated bound.

A walk makes moves by the enumerator and steps by the reference; ``replay`` makes a line again by the reference alone. z3 looks
for lines, too (see ``slices``), and shares nothing with the walk. Many properties are asked about the same states from the same
start, and about the same random lines: these are walked once in a process, and looked at for each.
"""

from __future__ import annotations

import heapq
import itertools
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Generic, NamedTuple, TypeVar

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


class Reached(NamedTuple):
    """A state, packed, whose turn comes when all are looked at: the number of the one before it, the move from there, how many
    ``states`` were seen by then and how many whole ``plies``, and whether some move passed a bound."""

    packed: bytes
    before: int
    move: Move | None
    states: int
    plies: int
    beyond: bool


T = TypeVar("T")


class Once(Generic[T]):
    """What an iterator gives, made once however often it is gone through, and no further than somebody went."""

    def __init__(self, more: Iterator[T]) -> None:
        self._more, self._made = more, list[T]()

    def __iter__(self) -> Iterator[T]:
        number = 0
        while number < len(self._made) or self._went_on():
            yield self._made[number]
            number += 1

    def __getitem__(self, number: int) -> T:
        return self._made[number]

    def _went_on(self) -> bool:
        for one in self._more:
            self._made.append(one)
            return True
        return False


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
        outward, last = _outward(self.rules, self.engine.settle(start), most), Walked(None, 0, 0, False)
        try:
            for at in outward:
                if isinstance(at, Walked):
                    return at
                last = Walked(None, at.states, at.plies, False, at.beyond)
                if found(_unpacked(at.packed)):
                    return replace(last, line=_line_to(outward, at))
                self.clock.left()
        except LimitReached:
            pass
        return last

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
            made = list[Move]()
            try:
                for state, move in self.line(first, seed, most):
                    states += 1
                    made += [] if move is None else [move]
                    if found(state):
                        return Walked(Line(first, tuple(made), state), states, len(made), False)
            except LimitReached:
                break
        return Walked(None, states, 0, False)

    def line(self, start: State, seed: int, most: int) -> Iterator[tuple[State, Move | None]]:
        """The states of one line of random play, so many at most, each with the move that led there. Raises LimitReached where the time is over."""
        for packed, move in itertools.islice(_played(self.rules, self.engine.settle(start), seed), most):
            self.clock.left()
            yield _unpacked(packed), move

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


def _line_to(outward: Once[Reached | Walked], reached: Reached) -> Line:
    moves, at = list[Move](), reached
    while at.move is not None:
        moves.append(at.move)
        before = outward[at.before]
        assert isinstance(before, Reached)
        at = before
    return Line(_unpacked(at.packed), tuple(reversed(moves)), _unpacked(reached.packed))


@lru_cache(maxsize=2)
def _outward(rules: RuleSet, start: State, most: int) -> Once[Reached | Walked]:
    """All states from a settled one in the order of their distance, until ``most`` were seen; what that comes to is last."""
    return Once(_breadth_first(Walk(rules, Clock()), start, most))


def _breadth_first(walk: Walk, start: State, most: int) -> Iterator[Reached | Walked]:
    came: dict[State, tuple[int, Move | None]] = {start: (-1, None)}
    front, plies, number, beyond = [start], 0, 0, False
    while front:
        after: list[State] = []
        for state in front:
            yield Reached(_packed(state), *came[state], len(came), plies, beyond)
            for move in walk.moves.moves(state):
                next = walk.step(state, move)
                beyond |= next is None
                if next is not None and next not in came:
                    came[next] = (number, move)
                    after.append(next)
            number += 1
            if len(came) > most:
                yield Walked(None, len(came), plies, False, beyond)
                return
        front, plies = after, plies + 1
    yield Walked(None, len(came), plies, not beyond, beyond)


@lru_cache(maxsize=512)
def _played(rules: RuleSet, start: State, seed: int) -> Once[tuple[bytes, Move | None]]:
    """The states of the line of random play with this seed from a settled one, each with the move that led there."""
    return Once(_at_random(Walk(rules, Clock()), start, Random(seed)))


def _at_random(walk: Walk, start: State, random: Random) -> Iterator[tuple[bytes, Move | None]]:
    state: State | None = start
    move: Move | None = None
    while state is not None:
        yield _packed(state), move
        move = walk.one_of(state, walk.moves.moves(state), random)
        state = None if move is None else walk.step(state, move)


def _packed(state: State) -> bytes:
    """A state of a large game takes a fiftieth of the memory."""
    return zlib.compress(array("i", state).tobytes(), 1)


def _unpacked(packed: bytes) -> State:
    return tuple(array("i", zlib.decompress(packed)))
