"""All keys: every first move with its verdict, and what refutes those that lose."""

from __future__ import annotations

from dataclasses import dataclass

from monjudge.model.language import Move, State
from monjudge.solvers.forced.proof import line
from monjudge.solvers.forced.search import Search
from monjudge.solvers.verdict import Verdict

__all__ = ["Key", "keys"]


@dataclass(frozen=True)
class Key:
    """A first move of the player: ``YES`` keeps the win, ``NO`` loses it to the ``refutation``, which begins after it."""

    move: Move
    verdict: Verdict
    refutation: tuple[Move, ...] = ()


def keys(search: Search, state: State, turns: int | None = None) -> list[Key]:
    """Every first move of the player, in canonical order, with whether it still wins within so many turns.

    Where the others may move first, too, a key is a move that wins unless they do. Raises Stopped where the memory
    of the search does not suffice.
    """
    from monjudge.solvers.engines.native.prove import NO, YES

    question, packed = search.question(state, turns), search.pack(state)
    deadline = None if turns is None else question.first + turns
    found = []
    for child in search.prover.children(packed):
        if child.move.me != search.player:
            continue
        result = None if child.packed is None else search.prover.prove(child.packed, deadline)
        if child.packed is not None and result == NO:
            found.append(Key(child.move, Verdict.NO, line(search, child.packed, deadline, Verdict.NO)))
        else:
            found.append(Key(child.move, Verdict.YES if result == YES else Verdict.UNKNOWN))
    return found
