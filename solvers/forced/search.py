"""The search: deeper turn by turn, so that the first win found is the shortest in turns."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

from monjudge.model.language import Expr, LimitReached, Move, RuleSet, State, either
from monjudge.solvers.brute import SIMULTANEOUS, Brute
from monjudge.solvers.forced.question import Question, find_goal
from monjudge.solvers.strict import strict, strict_state
from monjudge.solvers.verdict import Sentence, Verdict

if TYPE_CHECKING:
    from monjudge.solvers.engines.native import Native
    from monjudge.solvers.engines.native.prover import Prover

__all__ = ["Answer", "Limits", "Options", "Search", "Statistics", "engine_of", "forced", "stopped"]

DEFAULT_MEMORY = 1 << 29

LINE = 2_000
"""So many positions may be expanded to find the line of an answer, however many the search has left."""

MODEL = Sentence("a bound of the model or a silent place of the text was met", "モデルの上限か、文書が何も定めない所に達した")
TOO_DEEP = Sentence("a line of play goes too deep", "手順が深すぎる")


@dataclass(frozen=True)
class Limits:
    """What a search may use: positions expanded and seconds (None: no limit), and bytes for positions.

    ``of`` is what is told of the seconds where these are what is left of more.
    """

    nodes: int | None = None
    seconds: float | None = None
    memory: int = DEFAULT_MEMORY
    of: float | None = None


@dataclass(frozen=True)
class Options:
    """Switches of what only saves work; the verdict is the same with each of them on or off."""

    memory: bool = True
    """Positions settled before are remembered. (Without it play in circles is found out only by its depth.)"""
    ordering: bool = True
    """Moves that settled other positions come first."""
    replies: bool = True
    """Where both sides may move, the moves of the others are tried first: one of them may refute all of the player's."""
    hopeless: bool | Literal["trusted"] = True
    """In the last turn allowed, what the game declares hopeless is not searched (see ``model.language.Hopeless``).

    Only what is proved of these very rules; with "trusted" whatever is declared.
    """


@dataclass(frozen=True)
class Statistics:
    """What the search did: positions expanded in all and for each number of turns tried, answers from memory,
    positions kept, how often cheap ones were given up, and seconds of the processor.
    """

    nodes: int = 0
    by_turns: tuple[int, ...] = ()
    hits: int = 0
    entries: int = 0
    sweeps: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Answer:
    """The verdict: ``YES`` with the fewest ``turns`` (None where turns do not count), ``NO`` after exhaustion,
    ``UNKNOWN`` with the ``limit``.

    ``line`` is a principal variation: the strategy against the longest resistance, or the refutation of a try.
    """

    question: Question
    verdict: Verdict
    turns: int | None
    statistics: Statistics
    limit: Sentence | None = None
    line: tuple[Move, ...] = field(default=())


class Search:
    """A goal of a player in a rule set. What one question settled is remembered for the next.

    ``watch(nodes)`` is called some times a second with the positions expanded so far. Raises ValueError for an
    unknown goal, ImportError where the native engine is not installed.
    """

    def __init__(
        self, rules: RuleSet, goal: str | Expr = "win", player: int = 0, *,
        memory: int = DEFAULT_MEMORY, options: Options | None = None, watch: Callable[[int], None] | None = None,
    ) -> None:  # fmt: skip
        from monjudge.solvers.engines.native.prover import Prover

        self.rules, self.player = rules, player
        self.goal, self.name = find_goal(rules, goal, player)
        self.options = chosen = options or Options()
        self.engine = engine_of(rules)
        self._beyond = self.engine.rules.start[rules.size :]
        self.prover: Prover = Prover(
            self.engine, self.goal, player, memory=memory, watch=watch, remember=chosen.memory, ordered=chosen.ordering,
            replies=chosen.replies, hopeless=_hopeless(rules, self.goal, player, chosen.hopeless),
        )

    def question(self, state: State | None = None, turns: int | None = None) -> Question:
        """The question about a settled state (the start unless given). Raises as ``Question``."""
        if state is None:
            state = self.engine.settle(self.engine.rules.start)[: self.rules.size]
        return Question(self.rules, state, self.player, self.goal, self.name, turns)

    def answer(
        self, state: State | None = None, turns: int | None = None, limits: Limits | None = None, *, line: bool = True
    ) -> Answer:  # fmt: skip
        """Whether the goal is forced within so many turns; never a "no" from a limit. Without ``line`` none is found.

        Raises ValueError for a state outside the intervals of the rule set.
        """
        return _Deepening(self, self.question(state, turns), limits or Limits()).run(line)

    def pack(self, state: State) -> bytes:
        """The state as the search has it. Raises ValueError where a cell lies outside its interval."""
        return self.engine.packed((*state, *self._beyond))

    def unpack(self, packed: bytes) -> State:
        return self.engine.layout.unpack(packed)[: self.rules.size]


def _hopeless(rules: RuleSet, goal: Expr, player: int, asked: bool | Literal["trusted"]) -> Expr:
    """Where the player can no longer force this goal within the turn, as far as the rule set says it."""
    names = {g.name for g in rules.goals if g.when is goal and g.player == player}
    declared = rules.hopeless if asked == "trusted" else rules.proved if asked else ()
    return either(*(h.when for h in declared if h.goal in names and h.player == player))


_engines: WeakKeyDictionary[RuleSet, Native] = WeakKeyDictionary()


def engine_of(rules: RuleSet) -> Native:
    """The native engine of the strict rule set, made once for each rule set."""
    from monjudge.solvers.engines.native import Native

    if rules not in _engines:
        _engines[rules] = Native(strict(rules))
    return _engines[rules]


class _Deepening:
    """One question: one turn, two turns, ... up to the number asked about."""

    def __init__(self, search: Search, question: Question, limits: Limits) -> None:
        self.search, self.question, self.limits = search, question, limits
        self.packed = search.pack(question.state)
        self.begun, self.clock = search.prover.counts, time.process_time()
        self.until = None if limits.seconds is None else time.monotonic() + limits.seconds
        self.by_turns: list[int] = []

    def run(self, shows_line: bool) -> Answer:
        turns = self.question.turns
        for number in (None,) if turns is None else range(1, turns + 1):
            verdict, limit = self._within(number)
            if verdict is Verdict.YES and self.search.rules.simultaneous:
                verdict, limit = self._blind(number)
            if verdict is Verdict.YES or limit not in (None, MODEL, TOO_DEEP, SIMULTANEOUS):
                break
        line = self._line(verdict, number) if shows_line else ()
        return Answer(self.question, verdict, number, self._statistics(), limit, line)

    def deadline(self, turns: int | None) -> int | None:
        return None if turns is None else self.question.first + turns

    def _within(self, turns: int | None) -> tuple[Verdict, Sentence | None]:
        from monjudge.solvers.engines.native.prove import MODEL as PASSED
        from monjudge.solvers.engines.native.prove import NO, YES
        from monjudge.solvers.engines.native.prover import Stopped

        prover, before = self.search.prover, self.search.prover.counts.nodes
        try:
            result = prover.prove(self.packed, self.deadline(turns), nodes=self._nodes_left(), seconds=self._seconds_left())
        except Stopped as reason:
            return Verdict.UNKNOWN, stopped(str(reason), self.limits)
        finally:
            self.by_turns.append(prover.counts.nodes - before)
        if result in (YES, NO):
            return (Verdict.YES if result == YES else Verdict.NO), None
        return Verdict.UNKNOWN, MODEL if prover.limits & PASSED else TOO_DEEP

    def _blind(self, turns: int | None) -> tuple[Verdict, Sentence | None]:
        """Where decisions are hidden, a win with open cards may use what the player must not see."""
        brute = Brute(strict(self.search.rules))
        state = strict_state(self.search.rules, self.question.state)
        value = brute.forced(self.search.player, self.search.goal, state, turns=turns)
        return value.verdict, None if value.verdict is not Verdict.UNKNOWN else value.limit or SIMULTANEOUS

    def _line(self, verdict: Verdict, turns: int | None) -> tuple[Move, ...]:
        from monjudge.solvers.engines.native.prover import Stopped
        from monjudge.solvers.forced.proof import line

        if verdict is Verdict.UNKNOWN or self.search.rules.simultaneous:
            return ()
        left = self._nodes_left()
        try:
            with self.search.prover.within(None if left is None else max(left, LINE), self._seconds_left()):
                return line(self.search, self.packed, self.deadline(turns), verdict)
        except (Stopped, LimitReached):
            return ()

    def _nodes_left(self) -> int | None:
        if self.limits.nodes is None:
            return None
        return max(0, self.limits.nodes - (self.search.prover.counts.nodes - self.begun.nodes))

    def _seconds_left(self) -> float | None:
        return None if self.until is None else max(0.0, self.until - time.monotonic())

    def _statistics(self) -> Statistics:
        now = self.search.prover.counts
        return Statistics(
            now.nodes - self.begun.nodes, tuple(self.by_turns), now.hits - self.begun.hits, now.entries,
            now.sweeps - self.begun.sweeps, time.process_time() - self.clock,
        )  # fmt: skip


def stopped(why: str, limits: Limits) -> Sentence:
    """Which limit a search was stopped by, from the reason it gives."""
    if why == "nodes":
        return Sentence(f"only {limits.nodes:,} positions were expanded", f"{limits.nodes:,}局面までしか調べていない")
    if why == "time":
        seconds = limits.of or limits.seconds
        return Sentence(f"only {seconds} seconds were allowed", f"{seconds}秒までしか調べていない")
    return Sentence("the memory allowed does not hold one line of play", "許されたメモリーには一つの手順も収まらない")


def forced(
    rules: RuleSet, state: State | None = None, goal: str | Expr = "win", player: int = 0, turns: int | None = None,
    limits: Limits | None = None, options: Options | None = None, watch: Callable[[int], None] | None = None,
) -> Answer:  # fmt: skip
    """Whether the player can force the goal within so many turns (None: ever) from a settled state.

    Chance is against the player, all others act as one. Raises ValueError for what the game does not declare.

    >>> from monjudge.model.small.nim import nim
    >>> answer = forced(nim((1, 2)))
    >>> str(answer.verdict), answer.line[0].args
    ('yes', (1, 1))
    """
    chosen = limits or Limits()
    search = Search(rules, goal, player, memory=chosen.memory, options=options, watch=watch)
    return search.answer(state, turns, chosen)
