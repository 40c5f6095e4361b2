"""The exact value of a goal where decisions are taken without seeing one another: mixed strategies, stage by stage.

What is played: one player wants the goal, all others together do not. All cards lie open, except that in a *stage* (``blind``) each
side sees only what the rules show it. Both may mix their plans, and the value of a stage is that of the matrix of all
plans against all plans, whose entries are the values of what follows (backward induction; a subgame-perfect
equilibrium of a zero-sum game). Chance has its weights, and where several may decide outside a stage the opponent
chooses who does. A value of 1 is a win that is *forced*: a plan wins even if the reply sees it. A value of 0 is
*impossible*: a reply refutes every plan, seen or not.

>>> from monjudge.model.small.rock_paper_scissors import rock_paper_scissors
>>> found = value(rock_paper_scissors(1))
>>> found.exact, [str(p) for _, p in found.plans]
(Fraction(1, 3), ['1/3', '1/3', '1/3'])
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from monjudge import __version__
from monjudge.model.language import NATURE, Expr, Move, RuleSet, State, evaluate
from monjudge.model.language.export import content_hash
from monjudge.solvers.blind import SEEN, Blind, Plan, Replies, Unclear
from monjudge.solvers.brute import CIRCLES
from monjudge.solvers.certificate import Evidence
from monjudge.solvers.forced.question import Question, find_goal
from monjudge.solvers.forced.search import MODEL, TOO_DEEP, Limits, engine_of, stopped
from monjudge.solvers.matrix import solve
from monjudge.solvers.strict import strict_state
from monjudge.solvers.verdict import Sentence, Verdict

__all__ = ["Stage", "Value", "Values", "value"]

Mix = tuple[tuple[Plan, Fraction], ...]
"""Plans with their probabilities, those of probability 0 left out."""


@dataclass(frozen=True)
class Stage:
    """The value of a stage, with an optimal mixture of each side."""

    value: Fraction
    plans: Mix
    replies: Mix


@dataclass(frozen=True)
class Value:
    """The probability of the goal under best play of both: ``exact``, or None with the ``limit``.

    ``plans`` and ``replies`` are the mixtures where the question begins with a stage, else empty. ``moves`` are the
    player's first moves with their values where he is to move. ``nodes`` positions were worked out.
    """

    question: Question
    exact: Fraction | None
    nodes: int
    seconds: float
    plans: Mix = ()
    replies: Mix = ()
    moves: tuple[tuple[Move, Fraction], ...] = ()
    limit: Sentence | None = None

    @property
    def kind(self) -> Literal["forced", "impossible", "mixed", "unknown"]:
        """How certain the goal is."""
        return "unknown" if self.exact is None else "forced" if self.exact == 1 else "impossible" if not self.exact else "mixed"

    def at_least(self, threshold: Fraction) -> Verdict:
        """Whether it is at least so much, decided with fractions."""
        if self.exact is None:
            return Verdict.UNKNOWN
        return Verdict.YES if self.exact >= threshold else Verdict.NO


def value(
    rules: RuleSet, state: State | None = None, goal: str | Expr = "win", player: int = 0, turns: int | None = None,
    limits: Limits | None = None,
) -> Value:  # fmt: skip
    """The value of the goal within so many turns from a settled state.

    Raises ValueError for what the game does not declare, ImportError without the native engine.
    """
    return Values(rules, goal, player, turns, limits).value(state)


class Values:
    """The values of one goal of one player within so many turns; ``evidence`` writes down what proves them.

    ``watch(positions)`` is called as they are worked out.
    """

    def __init__(
        self, rules: RuleSet, goal: str | Expr = "win", player: int = 0, turns: int | None = None, limits: Limits | None = None,
        watch: Callable[[int], None] | None = None,
    ) -> None:  # fmt: skip
        self.plain, self.player, self.turns, self.limits, self.watch = rules, player, turns, limits or Limits(), watch
        self.goal, self.name = find_goal(rules, goal, player)
        self.engine = engine_of(rules)
        self.rules = self.engine.rules
        self.blind = Blind(self.rules, player, self._steps)
        self.stages: dict[State, Stage] = {}
        self.known: dict[State, Fraction] = {}
        self._after: dict[State, list[tuple[Move, State | None]]] = {}
        self._path: set[State] = set()
        self._until: float | None = None
        self._late: int | None = None

    def value(self, state: State | None = None) -> Value:
        """The value from a settled state (the start unless given)."""
        begin = self.engine.settle(self.rules.start)[: self.plain.size] if state is None else state
        question, clock = Question(self.plain, begin, self.player, self.goal, self.name, self.turns), time.process_time()
        root = strict_state(self.plain, begin)
        self.engine.layout.check(root)
        late = None if self.turns is None else question.first + self.turns
        if late != self._late:
            self.known.clear()
            self.stages.clear()
        self._late = late
        self._until = None if self.limits.seconds is None else time.monotonic() + self.limits.seconds
        exact, limit, moves = None, None, list[tuple[Move, Fraction]]()
        try:
            exact = self.at(root)
            if self.ends(root) is None and root not in self.stages:
                moves = [(m, self.at(after)) for m, after in self._steps(root) if m.me == self.player and after is not None]
        except Unclear as unclear:
            limit = unclear.text
        except RecursionError:
            limit = TOO_DEEP
        self._path.clear()
        stage = self.stages.get(root)
        mixes = (stage.plans, stage.replies) if stage is not None and exact is not None else ((), ())
        return Value(question, exact, len(self.known), time.process_time() - clock, *mixes, tuple(moves), limit)

    def _steps(self, state: State) -> list[tuple[Move, State | None]]:
        if state not in self._after:
            self._after[state] = self.engine.steps(state)
        return self._after[state]

    def ends(self, state: State) -> Fraction | None:
        """1 where the goal is reached, 0 where it cannot be any more, else None."""
        if evaluate(self.goal, state, None, self.rules.offset):
            return Fraction(1)
        turns = self.rules.turns
        late = turns is not None and self._late is not None and evaluate(turns.number, state, None, self.rules.offset) >= self._late
        return Fraction(0) if late or not self._steps(state) else None

    def at(self, state: State) -> Fraction:
        """The value of a position that both know. Raises Unclear where there is none, or a limit was reached."""
        if state in self.known:
            return self.known[state]
        end = self.ends(state)
        if end is not None:
            return end
        if state in self._path:
            raise Unclear(CIRCLES)
        self._breathe()
        self._path.add(state)
        if self.blind.begins(state):
            self.stages[state] = self._stage(state)
            found = self.stages[state].value
        else:
            found = self._alternate(state)
        self._path.discard(state)
        self.known[state] = found
        return found

    def _alternate(self, state: State) -> Fraction:
        """Whoever decides is the worst for the player; he takes the most, the opponent the least, chance its mean."""
        weights = dict(self.engine.outcomes(state))
        mine, others, whole, mean = list[Fraction](), list[Fraction](), 0, Fraction(0)
        for move, after in self._steps(state):
            if after is None:
                raise Unclear(MODEL)
            worth = self.at(after)
            if move.me == NATURE:
                whole, mean = whole + weights[move], mean + weights[move] * worth
            else:
                (mine if move.me == self.player else others).append(worth)
        return min(([max(mine)] if mine else []) + others + ([mean / whole] if whole else []))

    def _stage(self, root: State) -> Stage:
        """Double oracle (McMahan, Gordon, Blum 2003): the plans so far are solved, then the best answers of both come in."""
        some = self.blind.some(root)
        rows, columns = {some[True]: self._replies(root, True, some[True])}, {some[False]: self._replies(root, False, some[False])}
        while True:
            self._breathe()
            for replies in (rows, columns):
                first, *rest = replies.values()
                if any(other.sights != first.sights or other.leaves.keys() != first.leaves.keys() for other in rest):
                    raise Unclear(SEEN)
            found, x, y = solve([[self.at(rows[i].leaves[j]) for j in columns] for i in rows])
            plans = tuple((i, p) for i, p in zip(rows, x, strict=True) if p)
            answers = tuple((j, p) for j, p in zip(columns, y, strict=True) if p)
            low, reply = min((self._mean(plans, rows, j), j) for j in rows[plans[0][0]].leaves)
            high, plan = max((self._mean(answers, columns, i), i) for i in columns[answers[0][0]].leaves)
            if low == high == found:
                return Stage(found, plans, answers)
            rows.setdefault(plan, self._replies(root, True, plan))
            columns.setdefault(reply, self._replies(root, False, reply))

    def _replies(self, root: State, side: bool, plan: Plan) -> Replies:
        return self.blind.replies(root, side, plan)

    def _mean(self, mix: Mix, replies: dict[Plan, Replies], other: Plan) -> Fraction:
        return sum((p * self.at(replies[plan].leaves[other]) for plan, p in mix), Fraction(0))

    def _breathe(self) -> None:
        if self.limits.nodes is not None and len(self.known) >= self.limits.nodes:
            raise Unclear(stopped("nodes", self.limits))
        if self._until is not None and time.monotonic() > self._until:
            raise Unclear(stopped("time", self.limits))
        if self.watch is not None:
            self.watch(len(self.known))

    # -- what proves it --------------------------------------------------------------------

    def evidence(self, found: Value) -> Evidence:
        """The evidence for a value of these. Raises ValueError where it is not known."""
        if found.exact is None:
            raise ValueError("there is no certificate for what is not known")
        kind = "mixed" if self.plain.simultaneous else "odds"
        claim = {
            "question": kind, "goal": self.name, "player": self.player, "state": list(found.question.state),
            "turns": self.turns, "answer": str(found.exact),
        }  # fmt: skip
        values: list[str] = []
        mixes: list[list[Any]] = []
        seen: set[State] = set()
        front = [strict_state(self.plain, found.question.state)]
        while front:
            state = front.pop()
            if state in seen or self.ends(state) is not None:
                continue
            seen.add(state)
            values.append(str(self.known[state]))
            if state in self.stages:
                mixes.append([_written(mix) for mix in (self.stages[state].plans, self.stages[state].replies)])
            front.extend(reversed(list(self._below(state))))
        certificate = {"values": values, "mixes": mixes} if mixes or kind == "mixed" else {"values": values}
        return Evidence(claim, content_hash(self.plain), f"values {__version__}", {"nodes": found.nodes}, (), certificate)

    def _below(self, state: State) -> Iterator[State]:
        """The positions on which the value rests, in the order of the certificate."""
        if state not in self.stages:
            yield from (after for _, after in self._steps(state) if after is not None)
            return
        for side, mix in ((True, self.stages[state].plans), (False, self.stages[state].replies)):
            for plan, _ in mix:
                yield from self.blind.replies(state, side, plan).leaves.values()


def _written(mix: Mix) -> list[list[Any]]:
    return [[str(p), [[m.action, m.me, *m.args] for m in plan]] for plan, p in mix]
