"""What belongs to a solution besides its line: keys that are only another order of the same moves, duals along the line, and variations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from monjudge.model.language import Move, State
from monjudge.solvers.forced.search import Search
from monjudge.solvers.verdict import Verdict

if TYPE_CHECKING:
    from monjudge.solvers.engines.native.prover import Child

__all__ = ["Dual", "Variation", "duals", "keeps", "orders", "variations"]

LONGEST = 60
"""Moves of the answer to a reply that are told."""


@dataclass(frozen=True)
class Dual:
    """At the ``at``-th move (from 0) of a line another ``move`` of the player wins as well.

    ``order``: it only comes before the move of the line, and both together lead to the same position either way.
    """

    at: int
    move: Move
    order: bool


def orders(search: Search, state: State, moves: Sequence[Move]) -> list[list[Move]]:
    """First moves of the player in groups: two are in one where either may come before the other with the same result.

    Raises Stopped where the memory does not hold the moves of a position.
    """
    after = {child.move: child for child in search.prover.children(search.pack(state)) if child.move in moves}
    group = {move: n for n, move in enumerate(moves)}
    for n, first in enumerate(moves):
        for second in moves[n + 1 :]:
            if group[first] != group[second] and _commute(search, after[first], after[second]):
                old, new = group[second], group[first]
                group = {move: new if number == old else number for move, number in group.items()}
    return [[move for move in moves if group[move] == number] for number in dict.fromkeys(group.values())]


def _commute(search: Search, first: Child, second: Child) -> bool:
    """Whether each of two moves can be made after the other, and both orders lead to the same position."""
    one, other = _child(search, first, second.move), _child(search, second, first.move)
    return one is not None and other is not None and one.packed is not None and one.packed == other.packed


def _child(search: Search, at: Child, move: Move) -> Child | None:
    if at.packed is None:
        return None
    return next((child for child in search.prover.children(at.packed) if child.move == move), None)


def duals(search: Search, state: State, deadline: int | None, line: Sequence[Move]) -> Iterator[Dual]:
    """The duals of a line that wins: at each decision of the player after the first move, in the order of the line.

    Raises Stopped where a limit is reached (see ``Prover.within``).
    """
    from monjudge.solvers.engines.native.prove import YES

    here = search.pack(state)
    for at, move in enumerate(line):
        children = search.prover.children(here)
        played = next(child for child in children if child.move == move)
        if at and move.me == search.player:
            for child in children:
                if child.move.me != search.player or child.move == move or child.packed is None:
                    continue
                if search.prover.prove(child.packed, deadline) == YES:
                    yield Dual(at, child.move, _commute(search, child, played))
        if played.packed is None:
            return
        here = played.packed


def keeps(search: Search, state: State, deadline: int | None, line: Sequence[Move]) -> bool:
    """Whether a line reaches the goal and no move of the player in it lets the win go.

    Raises Stopped where a limit is reached (see ``Prover.within``).
    """
    from monjudge.solvers.engines.native.prove import YES

    here = search.pack(state)
    for move in line:
        child = next((child for child in search.prover.children(here) if child.move == move), None)
        if child is None or child.packed is None or search.prover.prove(child.packed, deadline) != YES:
            return False
        here = child.packed
    return search.prover.ending(here, deadline) == YES


@dataclass(frozen=True)
class Variation:
    """At the ``at``-th move (from 0) of a line the others, or chance, may make one of these ``replies`` as well.

    ``answer`` is how play goes on after each of them, against the longest resistance, until the others decide anew after
    a choice of the player, or until the goal is ``reached``. ``same``: it is what follows in the line. ``threat``: where the
    others decide for the first time, it does for more replies than any other answer, and for two at least.
    """

    at: int
    replies: tuple[Move, ...]
    answer: tuple[Move, ...]
    reached: bool
    same: bool = False
    threat: bool = False


def variations(search: Search, state: State, deadline: int | None, line: Sequence[Move]) -> Iterator[Variation]:
    """The variations of a line that wins, in its order; where an answer does for several replies they are told together.

    Raises Stopped where a limit is reached (see ``Prover.within``).
    """
    here, told, first = search.pack(state), _Answers(search, deadline), True
    for at, move in enumerate(line):
        children = search.prover.children(here)
        played = next(child for child in children if child.move == move)
        if move.me != search.player:
            others = [child for child in children if child.move.me != search.player and child.move != move]
            main = told.after(played, [line[at + 1 :]]) if others else ((), False)
            found: dict[tuple[tuple[Move, ...], bool], list[Move]] = {main: []}
            for child in others:
                found.setdefault(told.after(child, [line[at + 1 :], *(answer for answer, _ in found)]), []).append(child.move)
            count = {key: len(replies) + (key == main) for key, replies in found.items()}
            most = [key for key in count if count[key] == max(count.values())]
            threat = most[0] if first and len(most) == 1 and len(count) > 1 else None
            yield from (Variation(at, tuple(replies), *key, key == main, key == threat) for key, replies in found.items() if replies)
            first = first and not others
        if played.packed is None:
            return
        here = played.packed


class _Answers:
    """How a win goes on after a reply, as it went on after others wherever that wins, too."""

    def __init__(self, search: Search, deadline: int | None) -> None:
        from monjudge.solvers.forced.proof import Decide

        self.search, self.prover, self.deadline = search, search.prover, deadline
        self.decide = Decide(search, deadline, Verdict.YES)

    def after(self, reply: Child, known: Sequence[Sequence[Move]]) -> tuple[tuple[Move, ...], bool]:
        """The moves after a reply, and whether they reach the goal."""
        found: list[Move] = []
        here, chosen = reply.packed, False
        while here is not None and not self.decide.is_end(here) and len(found) < LONGEST:
            children = self.prover.children(here)
            mine = [child for child in children if child.move.me == self.search.player]
            if not mine and chosen and len(children) > 1:
                return tuple(found), False
            meant = [line[len(found)] for line in known if list(line[: len(found)]) == found and len(line) > len(found)]
            child = self._mine(here, mine, meant) if mine else self.resisting(children, meant)
            chosen = chosen or len(mine) > 1
            found.append(child.move)
            here = child.packed
        return tuple(found), here is not None and self.decide.is_end(here)

    def _mine(self, here: bytes, mine: list[Child], meant: Sequence[Move]) -> Child:
        """A move that wins: one that is meant, else the one that the search found."""
        for child in sorted((c for c in mine if c.move in meant), key=lambda c: meant.index(c.move)):
            if self.decide._holds(child):
                return child
        return mine[self.decide._first(mine, self.prover.best(here)) or 0]

    def resisting(self, others: list[Child], meant: Sequence[Move]) -> Child:
        from monjudge.solvers.forced.proof import resisting

        return next((child for move in meant for child in others if child.move == move), None) or resisting(self.decide, others)
