"""What breaks a property of moves in one state that is reached: a move, a pair of them, or that there is none."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from monjudge.model.language import NATURE, Expr, LimitReached, Move, State, both, eq, evaluate, primed
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.verify.bounded import Line, Walk
from monjudge.verify.commute import differ, orders, turned
from monjudge.verify.footprint import says_next
from monjudge.verify.legal import barred, just_after, names
from monjudge.verify.limit import hits, unbounded
from monjudge.verify.question import Question

__all__ = ["Fault", "Faults"]

Fault = tuple[tuple[Move, ...], Mapping[str, Any]]
"""The moves with which the line goes on, and what the claim says besides."""


class Faults:
    """Faults of one question, state by state; ``claim`` is what is to hold where the premise does."""

    def __init__(self, question: Question, walk: Walk, claim: Expr) -> None:
        self.question, self.walk, self.claim = question, walk, claim
        self.prop, self.rules = question.prop, walk.rules
        kinds = {"move": self._moves, "legal": self._barred, "step": self._steps, "constant": self._steps, "deadlock": self._stuck,
                 "limit": self._hits, "commute": self._pairs, "confluence": self._firings}  # fmt: skip
        self._of = kinds.get(self.prop.kind)
        if self.prop.kind == "constant":
            self.claim = both(*(eq(primed(number), number) for number in question.measure))

    @property
    def sought(self) -> bool:
        """Whether a state can show a fault of this kind at all."""
        return self._of is not None

    def of(self, state: State) -> Iterator[Fault]:
        """The faults of a settled state."""
        if self._of is not None:
            yield from self._of(state)

    def of_move(self, state: State, formula: Expr) -> Iterator[Move]:
        """The legal moves ``on`` for which the formula holds, also of what their effects make of the state."""
        of = names(self.rules.by_name[self.prop.on])
        for move in self.walk.moves.moves_of(state, self.prop.on):
            env = dict(zip(of, (move.me, *move.args), strict=True))
            if not says_next(formula):
                if self.walk.moves.value(formula, state, env) and self.walk.step(state, move) is not None:
                    yield move
            elif self.walk.step(state, move) is not None and evaluate(formula, state, env, self.rules.offset, just_after(self.rules, state, move)):
                yield move

    def together(self, state: State) -> Iterator[tuple[Move, Move]]:
        """Legal moves of different players that are claimed to commute."""
        if not self.walk.moves.value(self.question.premise, state):
            return
        apart = {frozenset(pair) for pair in self.prop.apart}
        moves = [m for m in self.walk.moves.moves(state) if m.me != NATURE and (not self.prop.among or m.action in self.prop.among)]
        for n, one in enumerate(moves):
            for two in moves[n + 1 :]:
                if one.me != two.me and {one.action, two.action} not in apart:
                    yield one, two

    def _moves(self, state: State) -> Iterator[Fault]:
        for move in self.of_move(state, ~self.claim):
            yield (move,), {}

    def _barred(self, state: State) -> Iterator[Fault]:
        action = self.rules.by_name[self.prop.on]
        if self.walk.moves.over(state) or (self.prop.settled and self.walk.engine.settle(state) != state):
            return
        for move in barred(self.rules, action, self.question.premise, state, set(self.walk.moves.moves_of(state, action.name))):
            yield (), {"barred": [move.action, move.me, *move.args]}

    def _steps(self, state: State) -> Iterator[Fault]:
        for move in self.walk.moves.moves(state):
            after = self.walk.step(state, move)
            if after is not None and not evaluate(self.claim, state, None, self.rules.offset, after):
                yield (move,), {"formula": repr(self.claim)}

    def unrelated(self, starts: Iterable[State], seeds: Iterable[int], most: int = 100) -> tuple[Line, int] | None:
        """A line of random play to a state that is not related to an earlier one, and how many moves led to that; None where none is met.

        For a relation that need not hold of two steps if it holds of each.
        """
        for seed, start in itertools.product(seeds, starts):
            states, moves = list[State](), list[Move]()
            for state, move in self.walk.line(start, seed, most):
                moves += [] if move is None else [move]
                for number, before in enumerate(states):
                    if not evaluate(self.claim, before, None, self.rules.offset, state):
                        return Line(states[0], tuple(moves), state), number
                states.append(state)
        return None

    def _stuck(self, state: State) -> Iterator[Fault]:
        if self.walk.moves.value(self.claim, state) and not self.walk.moves.over(state) and not self.walk.moves.moves(state):
            yield (), {}

    @cached_property
    def _unbounded(self) -> Enumerator:
        return Enumerator(unbounded(self.rules))

    def _hits(self, state: State) -> Iterator[Fault]:
        if self.walk.moves.over(state) or not self.walk.moves.value(self.question.premise, state):
            return
        for move in self._unbounded.moves(state):
            if (not self.prop.among or move.action in self.prop.among) and hits(self.rules, self.prop.among, state, move):
                yield (move,), {"among": list(self.prop.among)}

    def _pairs(self, state: State) -> Iterator[Fault]:
        for one, two in self.together(state):
            ends = orders(self.walk.engine, state, one, two)
            if ends is not None and differ(ends):
                pair = [[m.action, m.me, *m.args] for m in (one, two)]
                named = {"among": list(self.prop.among), "apart": [list(pair) for pair in self.prop.apart]}
                yield (), {"pair": pair, "ends": [end and list(end) for end in ends], **named}

    @cached_property
    def _turned(self) -> Reference:
        return Reference(turned(self.rules, self.prop.among))

    def _firings(self, state: State) -> Iterator[Fault]:
        if self.prop.apart:
            return  # the order of a pair for which nothing is claimed would be turned, too
        for move in self.walk.moves.moves(state):
            after = self.walk.step(state, move)
            try:
                if after is not None and self._turned.step(state, move) != after:
                    yield (move,), {"among": list(self.prop.among)}
            except LimitReached:
                continue
