"""Other moves that keep a win: keys that are only another order of the same moves, and duals along the main line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from monjudge.model.language import Move, State
from monjudge.solvers.forced.search import Search

if TYPE_CHECKING:
    from monjudge.solvers.engines.native.prover import Child

__all__ = ["Dual", "duals", "orders"]


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
