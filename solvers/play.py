"""Playing by the reference: deal, step with a trace, random and scripted play, replay, perft, reachable states.

>>> from monjudge.model.language import Move
>>> from monjudge.model.small.tic_tac_toe import tic_tac_toe
>>> play = Play(tic_tac_toe())
>>> step = play.apply(play.rules.start, Move("place", 0, (4,)))
>>> [str(change) for change in step.changes]
['cell[4]: 0 -> 1', 'turn: 0 -> 1']
>>> len(play.random(seed=1).moves), play.perft(depth=3)
(9, 586)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Literal

from monjudge.model.language import NATURE, Clause, LimitReached, Move, RuleSet, State
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.verdict import Sentence

__all__ = ["Change", "Count", "IllegalMove", "Play", "Record", "Step"]


@dataclass(frozen=True)
class Change:
    """A cell that a move changed."""

    field: str
    indices: tuple[int, ...]
    before: int
    after: int

    def __str__(self) -> str:
        place = f"[{', '.join(map(str, self.indices))}]" if self.indices else ""
        return f"{self.field}{place}: {self.before} -> {self.after}"


@dataclass(frozen=True)
class Step:
    """A move with the settled state after it, the cells that changed and the triggers that fired, by id in order."""

    move: Move
    state: State
    changes: tuple[Change, ...]
    triggers: tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """A line of play. It ended because the game was ``over``, nobody could move (``stuck``),
    a number of moves was reached (``limit``), or nothing more was asked (``open``).
    """

    start: State
    moves: tuple[Move, ...]
    states: tuple[State, ...]
    end: Literal["over", "stuck", "limit", "open"]

    @property
    def final(self) -> State:
        return self.states[-1] if self.states else self.start


@dataclass(frozen=True)
class Count:
    """So many were found; all of them unless ``limit`` says what stopped the count."""

    count: int
    limit: Sentence | None = None


class IllegalMove(ValueError):
    """A move that is not legal where it was made; ``number`` counts from 1, ``clauses`` fail."""

    def __init__(self, number: int, move: Move, clauses: Iterable[Clause]) -> None:
        self.number, self.move, self.clauses = number, move, tuple(clauses)
        args, ids = ", ".join(map(str, move.args)), ", ".join(c.id for c in self.clauses)
        who_en, who_ja = ("chance", "偶然") if move.me == NATURE else (f"player {move.me}", f"プレイヤー{move.me}")
        why_en, why_ja = (" ".join(getattr(c, lang) for c in self.clauses) for lang in ("en", "ja"))
        self.text = Sentence(
            f"move {number}, {move.action}({args}) by {who_en}, is not legal: {ids} ({why_en})",
            f"{number}手目、{who_ja}の{move.action}({args})はできない：{ids}（{why_ja}）",
        )
        super().__init__(self.text.en)


class Play:
    """One rule set, played by the reference; where any move will do, the enumerator lists them. States given must be settled."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.reference = Reference(rules)
        self.enumerator = Enumerator(rules)
        self._cells = [
            (family.name, _indices(place, family.dims)) for family in rules.families for place in range(family.size)
        ]

    @property
    def start(self) -> State:
        """The settled start state, before any chance move."""
        return self.reference.settle(self.rules.start)

    def apply(self, state: State, move: Move) -> Step:
        """The move with everything it does.

        Raises IllegalMove, or LimitReached where a bound of the model is passed.
        """
        self._demand(state, move, 1)
        after, fired = self.reference.trace(state, move)
        changes = (
            Change(name, indices, old, new)
            for (name, indices), old, new in zip(self._cells, state, after, strict=True)
            if old != new
        )
        return Step(move, after, tuple(changes), tuple(fired))

    def deal(self, seed: int, state: State | None = None) -> Record:
        """Chance moves with their exact weights until somebody has to decide."""
        return self._play(Random(seed), state, most=None, decide=False)

    def random(self, seed: int, state: State | None = None, most: int | None = 10_000) -> Record:
        """Decisions uniformly from all legal ones, chance by its weights, up to ``most`` moves."""
        return self._play(Random(seed), state, most, decide=True)

    def script(self, moves: Iterable[Move], seed: int | None = None, state: State | None = None) -> Record:
        """The moves in order; with a seed, chance that is due and not in the script is drawn.

        Raises IllegalMove for the first move that is not legal, with its number in the script;
        ValueError, also with the number, for an action or a parameter that does not exist.
        """
        rng = Random(seed) if seed is not None else None
        begin = self.start if state is None else state
        made: list[Move] = []
        states = [begin]
        for number, move in enumerate(moves, 1):
            if rng is not None and move.me != NATURE:
                dealt = self._play(rng, states[-1], most=None, decide=False)
                made += dealt.moves
                states += dealt.states
            self._demand(states[-1], move, number)
            made.append(move)
            states.append(self.reference.step(states[-1], move))
        return Record(begin, tuple(made), tuple(states[1:]), "over" if self.reference.over(states[-1]) else "open")

    def replay(self, log: Iterable[Move], state: State | None = None) -> Record:
        """A log with every chance outcome in it. Raises IllegalMove as ``script`` does."""
        return self.script(log, None, state)

    def perft(self, state: State | None = None, depth: int | None = None) -> int:
        """The number of positions met: this one and every one reached by a move, up to ``depth`` moves away.

        Interior and leaves, each as often as there are lines to it; chance outcomes are moves.
        """
        here = self.start if state is None else state
        if depth == 0:
            return 1
        deeper = None if depth is None else depth - 1
        reference = self.reference
        return 1 + sum(self.perft(reference.step(here, move), deeper) for move in reference.moves(here))

    def reachable(self, state: State | None = None, limit: int = 1_000_000) -> Count:
        """How many distinct states can be reached, this one included; at most ``limit`` are remembered."""
        begin = self.start if state is None else state
        seen, front = {begin}, [begin]
        while front:
            here = front.pop()
            for move in self.reference.moves(here):
                try:
                    after = self.reference.step(here, move)
                except LimitReached as reached:
                    return Count(len(seen), Sentence(str(reached), f"モデルの上限を超えた：{reached.ja}"))
                if after not in seen:
                    if len(seen) == limit:
                        return Count(limit, Sentence(f"there are more than {limit:,} states", f"状態が{limit:,}個を超える"))
                    seen.add(after)
                    front.append(after)
        return Count(len(seen))

    def _demand(self, state: State, move: Move, number: int) -> None:
        try:
            clauses = [] if self.reference.legal(state, move) else self.reference.failing(state, move)
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from error
        if clauses:
            raise IllegalMove(number, move, clauses)

    def _play(self, rng: Random, state: State | None, most: int | None, decide: bool) -> Record:
        begin = self.start if state is None else state
        moves: list[Move] = []
        states = [begin]
        end: Literal["over", "stuck", "limit", "open"] | None = None
        while end is None:
            choices = self.enumerator.moves(states[-1])
            if not choices:
                end = "over" if self.reference.over(states[-1]) else "stuck"
            elif not decide and any(move.me != NATURE for move in choices):
                end = "open"
            elif most is not None and len(moves) == most:
                end = "limit"
            else:
                moves.append(self._choice(rng, states[-1], choices))
                states.append(self.reference.step(states[-1], moves[-1]))
        return Record(begin, tuple(moves), tuple(states[1:]), end)

    def _choice(self, rng: Random, state: State, choices: list[Move]) -> Move:
        if any(move.me != NATURE for move in choices):
            return rng.choice(choices)
        outcomes = [(move, self.reference.weight(state, move)) for move in choices]
        # A whole number below the sum of the weights: no rounding, so the odds are exact.
        drawn = rng.randrange(sum(weight for _, weight in outcomes))
        for move, weight in outcomes:
            drawn -= weight
            if drawn < 0:
                return move
        raise AssertionError("the weights of the outcomes add up to their sum")


def _indices(place: int, dims: tuple[int, ...]) -> tuple[int, ...]:
    """The indices of a row-major place."""
    found: list[int] = []
    for dim in reversed(dims):
        place, index = divmod(place, dim)
        found.insert(0, index)
    return tuple(found)
