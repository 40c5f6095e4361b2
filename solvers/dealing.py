"""One strategy against every deal, found by a search in which the cards are dealt as they are played (``undealt``).

A strategy of that search is followed once more before it is believed: from what the player sees he has to be able to
tell which pieces are unseen still, and where he cannot move somebody else must be able to under every deal.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from monjudge.model.language import Expr, Move, RuleSet, State
from monjudge.solvers.forced.search import LINE, Limits, Search
from monjudge.solvers.strategy import Then
from monjudge.solvers.undealt import Fixed, Undealt
from monjudge.solvers.verdict import Sentence, Verdict

if TYPE_CHECKING:
    from monjudge.solvers.engines.native.prover import Child

__all__ = ["Dealing", "Fixed"]

UNTOLD = Sentence("which card has gone the player could not tell from what he sees", "どのカードがなくなったのか、見えるものからは分からないことがある")
STUCK = Sentence("with some cards nobody could move", "持っているカードによっては誰も動けないことがある")


class Dealing:
    """The search for one settled state, goal and player. Raises Fixed where the cards cannot be dealt as they are played."""

    def __init__(
        self, rules: RuleSet, state: State, goal: Expr, player: int, *, shown: Collection[str] = (), limits: Limits | None = None,
        watch: Callable[[int], None] | None = None,
    ) -> None:  # fmt: skip
        self.undealt = Undealt(rules, state, goal, player, shown)
        self.search = Search(self.undealt.rules, self.undealt.goal, player, memory=(limits or Limits()).memory, watch=watch)
        self.root = self.search.pack(self.undealt.state(state))
        layout, pool = self.search.engine.layout, self.undealt.unseen
        at = layout.offset[pool.uid]
        self._pool = slice(at, at + pool.size * layout.bits[pool.uid] // 8)

    def prove(self, deadline: int | None, nodes: int | None, seconds: float | None) -> tuple[Verdict, Sentence | None]:
        """YES with a strategy that has been followed; NO only of this search, that is not known; why it is UNKNOWN, if it is not a limit.

        Raises Stopped.
        """
        from monjudge.solvers.engines.native.prove import NO, YES
        from monjudge.solvers.engines.native.prover import Stopped

        until = None if seconds is None else time.monotonic() + seconds
        with self.search.prover.within(nodes, seconds):
            found = self.search.prover.prove(self.root, deadline)
            if found != YES:
                return (Verdict.NO if found == NO else Verdict.UNKNOWN), None
            for _, _, wrong in self.walk(deadline):
                if wrong is not None:
                    return Verdict.UNKNOWN, wrong
                if until is not None and time.monotonic() > until:
                    raise Stopped("time")
        return Verdict.YES, None

    def walk(self, deadline: int | None) -> Iterator[tuple[bytes, Move | None, Sentence | None]]:
        """Every position of the strategy with the player's move there, if he has one, and what is wrong with it, if anything is."""
        prover, seen, front = self.search.prover, set[bytes](), [self.root]
        while front:
            here = front.pop()
            if here in seen or not prover.is_open(here, deadline):
                continue
            seen.add(here)
            children = prover.children(here)
            mine = [c for c in children if c.move.me == self.search.player]
            others = [c for c in children if c.move.me != self.search.player]
            chosen = self.chosen(here, mine, deadline)
            yield here, None if chosen is None else chosen.move, self._wrong(here, mine, others)
            front.extend(c.packed for c in reversed([*others, *([chosen] if chosen is not None else [])]) if c.packed is not None)

    def chosen(self, here: bytes, mine: Sequence[Child], deadline: int | None) -> Child | None:
        """The player's move that wins, the one that the search found before the others."""
        from monjudge.solvers.engines.native.prove import YES

        best = self.search.prover.best(here)
        order = sorted(mine, key=lambda c: c.move != best)
        return next((c for c in order if c.packed is not None and self.search.prover.prove(c.packed, deadline) == YES), None)

    def _wrong(self, here: bytes, mine: Sequence[Child], others: Sequence[Child]) -> Sentence | None:
        looks = dict[bytes, bytes]()
        for child in others:
            after = child.packed or b""
            seen = after[: self._pool.start] + after[self._pool.stop :]
            if looks.setdefault(seen, after) != after:
                return UNTOLD
        return None if mine or self.undealt.is_never_stuck(self.state(here)) else STUCK

    def state(self, packed: bytes) -> State:
        """The position as the undealt rule set has it."""
        return self.search.unpack(packed)

    def choices(self, deadline: int | None) -> list[int]:
        """The strategy as numbers: which of the moves of the player, where he has several, position by position (see ``certified_deals``)."""
        found, player = list[int](), self.search.player
        for here, move, _ in self.walk(deadline):
            mine = [c.move for c in self.search.prover.children(here) if c.move.me == player] if move is not None else []
            found += [mine.index(move)] if move is not None and len(mine) > 1 else []
        return found

    def told(self, deadline: int | None) -> Iterator[Then]:
        """The strategy place by place; moves are told in positions in which nothing hidden lies."""
        size, seen = self.undealt.plain.size, set[bytes]()
        front: list[tuple[int, tuple[tuple[State, Move], ...], bytes]] = [(0, (), self.root)]
        while front:
            depth, replies, here = front.pop()
            if not self.search.prover.is_open(here, deadline):
                continue
            if here in seen:
                yield Then(depth, replies, None, again=True)
                continue
            seen.add(here)
            children, state = self.search.prover.children(here), self.state(here)[:size]
            chosen = self.chosen(here, [c for c in children if c.move.me == self.search.player], deadline)
            if chosen is not None or replies:
                yield Then(depth, replies, None if chosen is None else (state, chosen.move))
                depth += 1
            after = dict[bytes, list[tuple[State, Move]]]()
            for child in children:
                if child.move.me != self.search.player and child.packed is not None:
                    made = after.setdefault(child.packed, [])
                    made += [(state, child.move)] if child.move.action in self.undealt.plain.by_name else []
            below = [(depth, (), chosen.packed)] if chosen is not None and chosen.packed is not None else []
            front.extend(reversed([*below, *((depth, tuple(made), packed) for packed, made in after.items())]))

    def keys(self, deadline: int | None) -> list[Move]:
        """The first moves of the player after which the search wins."""
        from monjudge.solvers.engines.native.prove import YES

        prover = self.search.prover
        children = prover.children(self.root) if prover.is_open(self.root, deadline) else []
        mine = [c for c in children if c.move.me == self.search.player and c.packed is not None]
        return [c.move for c in mine if prover.prove(c.packed or b"", deadline) == YES]

    def refuting(self, deadline: int | None) -> Iterator[State]:
        """Deals of the plain rule set in which what refutes the first moves can be played, after a NO of the search."""
        from monjudge.solvers.engines.native.prover import Stopped
        from monjudge.solvers.forced.proof import line

        prover, met = self.search.prover, set[State]()
        children = [c for c in prover.children(self.root) if c.move.me == self.search.player] if prover.is_open(self.root, deadline) else []
        for first in [None, *children]:
            start = self.root if first is None else first.packed
            if start is None or not prover.is_open(start, deadline):
                continue
            try:
                with prover.within(LINE, None):
                    moves = line(self.search, start, deadline, Verdict.NO)
            except Stopped:
                continue
            deal = self.undealt.deal(self.state(self.root), self._followed(start, moves))
            if deal is not None and deal not in met:
                met.add(deal)
                yield deal

    def _followed(self, start: bytes, moves: Sequence[Move]) -> Iterator[tuple[State, State]]:
        """The positions before and after each move."""
        here = start
        for move in moves:
            after = next(c.packed for c in self.search.prover.children(here) if c.move == move)
            assert after is not None
            yield self.state(here), self.state(after)
            here = after
