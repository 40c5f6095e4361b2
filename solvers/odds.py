"""How probable a goal is under best play, as an exact fraction, with the best first moves.

>>> from monjudge.model.small.duel import duel
>>> found = odds(duel())
>>> found.exact, [str(move.args) for move in found.best]
(Fraction(27851, 110592), ['(2,)'])
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from monjudge.model.language import NATURE, Expr, LimitReached, Move, RuleSet, State
from monjudge.solvers.brute import CIRCLES, SIMULTANEOUS
from monjudge.solvers.certificate import Evidence
from monjudge.solvers.forced.question import Question, find_goal
from monjudge.solvers.forced.search import MODEL, Limits, engine_of, stopped
from monjudge.solvers.strict import strict_state
from monjudge.solvers.verdict import Sentence, Verdict
from monjudge.solvers.worths import Worths

if TYPE_CHECKING:
    from monjudge.solvers.engines.native.prover import Child, Weigher

__all__ = ["Odds", "Weighed", "evidence", "odds"]

LONGEST = 200
"""Moves of a line that are told."""


class Weighed(NamedTuple):
    """A move of a line with the probability after it, and where chance decides all outcomes with theirs."""

    move: Move
    value: Fraction
    outcomes: tuple[tuple[Move, Fraction], ...] = ()


@dataclass(frozen=True)
class Odds:
    """The probability lies in ``low..high``; ``limit`` says why the two differ, if they do.

    ``moves`` are the player's first moves, each with its probability, in canonical order, where the player is to
    move; ``line`` is best play of both sides where chance is kind; ``nodes`` positions were visited.
    """

    question: Question
    low: Fraction
    high: Fraction
    nodes: int
    seconds: float
    moves: tuple[tuple[Move, Fraction], ...] = ()
    limit: Sentence | None = None
    line: tuple[Weighed, ...] = ()

    @property
    def exact(self) -> Fraction | None:
        """The probability, if it is known."""
        return self.low if self.low == self.high else None

    @property
    def best(self) -> tuple[Move, ...]:
        """The first moves that reach it."""
        return tuple(move for move, value in self.moves if value == self.exact)

    def at_least(self, threshold: Fraction) -> Verdict:
        """Whether it is at least so much: decided with fractions, never with rounded numbers."""
        if self.low >= threshold:
            return Verdict.YES
        return Verdict.NO if self.high < threshold else Verdict.UNKNOWN


def odds(
    rules: RuleSet, state: State | None = None, goal: str | Expr = "win", player: int = 0, turns: int | None = None,
    limits: Limits | None = None, watch: Callable[[int], None] | None = None, main: Sequence[Move] = (),
    worths: Worths | None = None,
) -> Odds:  # fmt: skip
    """With what probability the player brings the goal about within so many turns, if all others resist.

    All cards lie open; among equally good moves the line takes those of ``main``; ``watch(positions)`` is called as they
    are visited. ``worths`` has what is settled of this question already, and what is settled now, also after a limit or
    an interrupt. Raises ValueError for what the game does not declare, ImportError without the native engine.
    """
    from monjudge.solvers.engines.native.prover import Stopped, Weigher

    condition, name = find_goal(rules, goal, player)
    engine, allowed = engine_of(rules), limits or Limits()
    begin = engine.settle(engine.rules.start)[: rules.size] if state is None else state
    question = Question(rules, begin, player, condition, name, turns)
    if rules.simultaneous:
        return Odds(question, Fraction(0), Fraction(1), 0, 0.0, limit=SIMULTANEOUS)
    whole = strict_state(rules, begin)
    engine.layout.check(whole)
    packed, deadline = engine.layout.pack(whole), None if turns is None else question.first + turns
    weigher, clock = Weigher(engine, condition, player, memory=allowed.memory, watch=watch), time.process_time()
    walk = _Walk(weigher, player, deadline, allowed)
    low, high, limit, moves = Fraction(0), Fraction(1), None, list[tuple[Move, Fraction]]()
    line: tuple[Weighed, ...] = ()
    kept = Worths("") if worths is None else worths
    try:
        low = high = walk.whole(packed, kept)
        for child in weigher.children(packed) if weigher.is_open(packed, deadline) else ():
            if child.move.me == player and child.packed is not None:
                moves.append((child.move, walk.value(child.packed)))
        line = tuple(itertools.islice(walk.line(packed, main), LONGEST))
    except (Stopped, KeyboardInterrupt) as reason:
        limit = INTERRUPTED if isinstance(reason, KeyboardInterrupt) else _REASONS.get(str(reason)) or stopped(str(reason), allowed)
        if low != high and limit not in _REASONS.values():
            low, high = walk.between(packed, kept)
        elif low == high:  # only the moves and the line are not all worked out: none is told
            limit, moves, line = None, [], ()
    return Odds(question, low, high, weigher.counts.nodes + walk.nodes, time.process_time() - clock, tuple(moves), limit, line)


INTERRUPTED = Sentence("interrupted", "中断した")

APART, PROBE = 64, 300_000
"""A question that is not settled with so many positions is taken apart into so many positions at least, one after the other."""

_REASONS = {
    "model": MODEL,
    "circles": CIRCLES,
}
"""Why a probability is not known, by what the walk says."""


class _Walk:
    """Natively, or where 62 bits do not hold the fractions, with those of Python."""

    def __init__(self, weigher: Weigher, player: int, deadline: int | None, limits: Limits) -> None:
        self.weigher, self.player, self.deadline, self.limits = weigher, player, deadline, limits
        self.until = None if limits.seconds is None else time.monotonic() + limits.seconds
        self.known: dict[bytes, Fraction] | None = None
        self.near: list[bytes] = []

    @property
    def nodes(self) -> int:
        return 0 if self.known is None else len(self.known)

    def value(self, packed: bytes) -> Fraction:
        """Raises Stopped as ``weigh`` does."""
        from monjudge.solvers.engines.native.prover import Stopped

        if self.known is None:
            try:
                return self.weigher.weigh(packed, self.deadline, nodes=self._left, seconds=self._seconds)
            except Stopped as reason:
                if str(reason) != "fractions":
                    raise
                self.known = {}
        return self._by_fractions(packed, self.known)

    @property
    def _left(self) -> int | None:
        return None if self.limits.nodes is None else max(0, self.limits.nodes - self.weigher.counts.nodes)

    @property
    def _seconds(self) -> float | None:
        return None if self.until is None else max(0.0, self.until - time.monotonic())

    def whole(self, packed: bytes, worths: Worths) -> Fraction:
        """The value of where the question begins, by that of positions near to it where it takes long. Raises Stopped as ``value``."""
        from monjudge.solvers.engines.native.prover import Stopped

        left = self._left
        try:
            if not worths.values:
                return self.weigher.weigh(packed, self.deadline, nodes=PROBE if left is None else min(PROBE, left), seconds=self._seconds)
        except Stopped as reason:
            if str(reason) not in ("nodes", "fractions") or self._left == 0:
                raise
        self.near = self._near(packed)
        for position in self.near:
            if position.hex() not in worths.values:
                worths.values[position.hex()] = self.value(position)
        return self._by_fractions(packed, {position: worths.values[position.hex()] for position in self.near})

    def between(self, packed: bytes, worths: Worths) -> tuple[Fraction, Fraction]:
        """The least and the most that it may be worth, by what is settled of the positions near to it."""
        if not any(position.hex() in worths.values for position in self.near):
            return Fraction(0), Fraction(1)
        self.until, self.limits = None, Limits()
        ends = [{p: worths.values.get(p.hex(), Fraction(end)) for p in self.near} for end in (0, 1)]
        return self._by_fractions(packed, ends[0]), self._by_fractions(packed, ends[1])

    def _near(self, packed: bytes) -> list[bytes]:
        """Positions at which play goes on, all within as few moves as make enough of them; none comes after another on every way."""
        from monjudge.solvers.engines.native.prover import Stopped

        level, seen = [packed], {packed}
        while level and len(level) < APART:
            after = [c.packed for position in level for c in self.weigher.children(position)]
            if None in after:
                raise Stopped("model")
            below = dict.fromkeys(p for p in after if p is not None and p not in seen and self.weigher.is_open(p, self.deadline))
            seen |= below.keys()
            if not below:
                break
            level = list(below)
        return level

    def line(self, packed: bytes, main: Sequence[Move]) -> Iterator[Weighed]:
        """Best play from here as long as something is to be won. Raises Stopped as ``value``."""
        here, meant = packed, list(main)
        while self.weigher.is_open(here, self.deadline) and (worth := self.value(here)):
            after = {child.move: child.packed for child in self.weigher.children(here) if child.packed is not None}
            values = {move: self.value(state) for move, state in after.items()}
            mine, others, chance = (self._best(values, worth, me) for me in (True, False, None))
            equal = mine or others or chance
            if not meant or meant[0] not in equal:
                meant = equal[:1]
            chosen = meant.pop(0)
            outcomes = {} if mine or others else values
            yield Weighed(chosen, values[chosen], tuple(outcomes.items()))
            here = after[chosen]

    def _best(self, values: Mapping[Move, Fraction], worth: Fraction, mine: bool | None) -> list[Move]:
        """The moves of the player, of the others, or of chance (None) that are best for who makes them, if they settle what the position is worth."""
        side = {move: value for move, value in values.items() if (None if move.me == NATURE else move.me == self.player) is mine}
        best = worth if mine is not None else max(side.values(), default=worth)
        return [move for move, value in side.items() if value == best]

    def _by_fractions(self, packed: bytes, known: dict[bytes, Fraction]) -> Fraction:
        """From the ends back. There are no circles: the native walk would have said so, or met no end of them."""
        front, waiting = [packed], dict[bytes, "list[Child]"]()
        while front:
            here = front[-1]
            if here in known:
                front.pop()
            elif here in waiting:
                known[here] = self._worth(waiting.pop(here), known)
                front.pop()
            else:
                self._breathe(len(known))
                ending = self.weigher.ending(here, self.deadline)
                children = self.weigher.children(here) if self.weigher.is_open(here, self.deadline) else []
                if not children:
                    known[here] = Fraction(ending == 1)
                    continue
                waiting[here] = children
                front.extend(self._after(children, waiting, known))
        return known[packed]

    def _after(
        self, children: list[Child], waiting: dict[bytes, list[Child]], known: dict[bytes, Fraction]
    ) -> list[bytes]:
        from monjudge.solvers.engines.native.prover import Stopped

        if any(child.packed is None for child in children):
            raise Stopped("model")
        if any(child.packed in waiting for child in children):
            raise Stopped("circles")
        return [child.packed for child in children if child.packed is not None and child.packed not in known]

    def _breathe(self, nodes: int) -> None:
        from monjudge.solvers.engines.native.prover import Stopped

        if self.limits.nodes is not None and nodes >= self.limits.nodes:
            raise Stopped("nodes")
        if self.until is not None and time.monotonic() > self.until:
            raise Stopped("time")

    def _worth(self, children: list[Child], known: dict[bytes, Fraction]) -> Fraction:
        """The least over who may decide; the player takes the most, the others the least, chance its mean."""
        mine, others, whole, mean = list[Fraction](), list[Fraction](), 0, Fraction(0)
        for child in children:
            value = known[child.packed or b""]
            if child.move.me == NATURE:
                whole, mean = whole + child.weight, mean + child.weight * value
            else:
                (mine if child.move.me == self.player else others).append(value)
        sides = [max(mine)] if mine else []
        return min(sides + others + ([mean / whole] if whole else []))


def evidence(found: Odds, limits: Limits | None = None, watch: Callable[[int], None] | None = None) -> Evidence:
    """The evidence for odds that are known: the value of every position (see ``certified``).

    The search kept none that could be written down, so they are worked out once more. Raises ValueError where the odds
    are not known, LimitReached where they are not within the limits a second time.
    """
    from monjudge.solvers.stage import Values

    question = found.question
    values = Values(question.rules, question.goal if question.name == repr(question.goal) else question.name, question.player, question.turns, limits, watch)
    again = values.value(question.state)
    if again.limit is not None and found.exact is not None:
        raise LimitReached(*again.limit)
    if again.exact != found.exact:
        raise ValueError(f"the odds are {found.exact}, and {again.exact} by the plain walk")
    return values.evidence(again)
