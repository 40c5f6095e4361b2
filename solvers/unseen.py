"""Hidden cards: is there one strategy that uses only what the player sees, and reaches the goal however they lie?

A *belief* is the set of states that look the same to the player after all he has seen. He knows the cells that the
rules show him and how many pieces lie in each place (``views``), his own moves, which moves are legal for him, and that
somebody moved. The others see everything and act as one, chance is against him, and where several may move the others
choose who does. So *yes* is one strategy against every consistent assignment of what is hidden; *no* means that no
strategy of this kind exists, after exhaustion, and mostly that already one assignment is lost with open cards.

>>> from monjudge.model.small.rock_paper_scissors import rock_paper_scissors
>>> str(forced(rock_paper_scissors(1)).verdict)
'no'
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from monjudge import __version__
from monjudge.model.language import Expr, Move, RuleSet, State, evaluate
from monjudge.model.language.export import content_hash
from monjudge.solvers.certificate import WAIT, Evidence
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.forced.question import Question
from monjudge.solvers.forced.search import MODEL, Limits, Search, stopped
from monjudge.solvers.strict import strict_state
from monjudge.solvers.verdict import Sentence, Verdict
from monjudge.solvers.views import Assignments, View, assignments

if TYPE_CHECKING:
    from monjudge.solvers.certificate import Step

__all__ = ["ASSIGNMENTS", "Answer", "Belief", "Hidden", "Run", "evidence", "forced"]

ASSIGNMENTS = 20_000
"""So many ways in which the hidden cards may lie are tried where nothing else is said."""

BESIDE = 200
"""Bytes that a state and a move take beside the cells."""

DEEPEST = 150
"""Decisions of one line of play."""

Belief = tuple[State, ...]
"""States that look the same, in order."""
LOST: Belief = ()
"""Stands for play that has ended without the goal."""
BEYOND: Belief = ((),)
"""Stands for play beyond a bound of the model."""


@dataclass(frozen=True)
class Answer:
    """``YES`` with the fewest ``turns`` and the first ``moves`` that keep the win, ``NO`` after exhaustion, ``UNKNOWN`` with the ``limit``.

    ``states`` are the assignments that were consistent with what the player saw; ``loses`` is one of them that is
    lost even with open cards, where one was found. ``nodes`` beliefs were expanded. ``how``: over ``beliefs``, or as
    ``concealed`` says (then ``states`` are only those that the answer rests on, and ``moves`` may be only some of them).
    """

    question: Question
    shown: tuple[str, ...]
    verdict: Verdict
    turns: int | None
    states: tuple[State, ...]
    nodes: int
    seconds: float
    loses: State | None = None
    moves: tuple[Move, ...] = ()
    limit: Sentence | None = None
    how: str = "beliefs"


class Hidden:
    """A goal of a player who does not see everything. What one question settled is remembered for the next.

    ``shown`` names fields that lie open although the rules hide them (a hand that a puzzle shows); ``watch(beliefs)``
    is called as they are expanded. Raises ValueError for what the rule set does not declare, ImportError without the
    native engine.
    """

    def __init__(
        self, rules: RuleSet, goal: str | Expr = "win", player: int = 0, *,
        shown: Collection[str] = (), limits: Limits | None = None, look_ahead: bool = True,
        watch: Callable[[int], None] | None = None,
    ) -> None:  # fmt: skip
        self.rules, self.player, self.shown, self.watch = rules, player, tuple(sorted(shown)), watch
        self.limits, self.look_ahead = limits or Limits(), look_ahead
        self.search = Search(rules, goal, player, memory=self.limits.memory, watch=watch)
        self.view = View(rules, player, shown)
        self.strict = self.search.engine.rules
        self._sight = View(self.strict, player, shown)
        self._steps: dict[State, list[Step]] = {}
        self._bytes = 0
        self.pace: Callable[[], None] = lambda: None
        self.memo: dict[tuple[Belief, int | None], Verdict] = {}

    def answer(
        self, state: State | None = None, turns: int | None = None, *,
        states: Iterable[State] | None = None, most: int = ASSIGNMENTS,
    ) -> Answer:  # fmt: skip
        """Whether one strategy reaches the goal within so many turns, whatever is hidden in the settled state.

        ``states``, if given, are all the ways in which the hidden cards may lie; else those consistent with what the
        player sees, at most ``most``. Raises ValueError where the state does not fit the rules, or those given do not
        look the same.
        """
        question, begun = self.search.question(state, turns), time.process_time()
        found = assignments(self.rules, question.state, self.view, most) if states is None else Assignments(tuple(sorted(set(states))))
        if (question.state not in found.states and found.limit is None) or len({self.view.known(s) for s in found.states}) > 1:
            raise ValueError("the states do not look the same to the player, or the one asked about is not among them")
        run, verdict, limit, reached, belief = Run(self, question), Verdict.UNKNOWN, found.limit, turns, found.states
        if limit is None:
            belief = self.alike(found.states, question.state)
            verdict, limit, reached = run.deepen(belief)
        loses = run.loses if verdict is Verdict.NO else None
        seconds = time.process_time() - begun
        return Answer(question, self.shown, verdict, reached, belief, run.nodes, seconds, loses, tuple(run.keys), limit)

    # -- what follows from a belief --------------------------------------------------------

    def alike(self, states: Iterable[State], state: State) -> Belief:
        """Those of the states in which the player may make the same moves as in this one: he knows which he may."""
        mine = self._may(state)
        return tuple(s for s in states if self._may(s) == mine)

    def _may(self, state: State) -> list[Move]:
        """The moves of the player in a state of the plain rule set; where they lead is not kept."""
        self.pace()
        return [move for move in self.search.engine.moves(strict_state(self.rules, state)) if move.me == self.player]

    def is_like(self, state: State, other: State) -> bool:
        """Whether a state with the same pieces, lying otherwise, could be the settled one that the player sees."""
        inside = all(lo <= n <= hi for n, (lo, hi) in zip(other, self.rules.bounds, strict=True))
        if not inside or self.view.known(other) != self.view.known(state) or Reference(self.rules).settle(other) != other:
            return False
        return bool(self.alike([other], state))

    def after(self, state: State) -> list[Step]:
        """All legal moves with where they lead, in canonical order."""
        if state not in self._steps:
            self.pace()
            self._steps[state] = found = self.search.engine.steps(state)
            self._bytes += (1 + len(found)) * (BESIDE + 8 * len(state))
            if self._bytes > self.limits.memory:
                self._forget()
        return self._steps[state]

    def _forget(self) -> None:
        """Raises Stopped: what was found about beliefs is given up with the memory that it took."""
        from monjudge.solvers.engines.native.prover import Stopped

        self._steps.clear()
        self.memo.clear()
        self._bytes = 0
        raise Stopped("memory")

    def mine(self, state: State) -> tuple[Move, ...]:
        return tuple(move for move, _ in self.after(state) if move.me == self.player)

    def options(self, belief: Belief, deadline: int | None) -> tuple[list[tuple[Move, list[Belief]]], list[Belief]]:
        """For each move of the player the beliefs it may lead to, and those that the others and chance may bring about."""
        own: dict[Move, list[State | None]] = {}
        others: list[State | None] = []
        for state in belief:
            for move, after in self.after(state):
                (own.setdefault(move, []) if move.me == self.player else others).append(after)
        return [(move, self.split(after, deadline)) for move, after in own.items()], self.split(others, deadline)

    def split(self, states: Iterable[State | None], deadline: int | None) -> list[Belief]:
        """The states by what the player then knows, as they are met; last of all ``LOST`` and ``BEYOND``."""
        groups: dict[object, set[State]] = {}
        ends = set[Belief]()
        for state in dict.fromkeys(states):
            if state is None:
                ends.add(BEYOND)
            elif self._read(self.search.goal, state):
                continue
            elif self._late(state, deadline) or not self.after(state):
                ends.add(LOST)
            else:
                groups.setdefault((self._sight.known(state), self.mine(state)), set()).add(state)
        return [tuple(sorted(group)) for group in groups.values()] + [end for end in (LOST, BEYOND) if end in ends]

    def _late(self, state: State, deadline: int | None) -> bool:
        return deadline is not None and self.strict.turns is not None and self._read(self.strict.turns.number, state) >= deadline

    def _read(self, expr: Expr, state: State) -> int:
        return evaluate(expr, state, None, self.strict.offset)


def evidence(hidden: Hidden, answer: Answer) -> Evidence:
    """The evidence for an answer of these. Raises ValueError for an answer that is none (unknown), Stopped by a limit."""
    question = answer.question
    if answer.verdict not in (Verdict.YES, Verdict.NO):
        raise ValueError(f"there is no certificate for {answer.verdict}")
    deadline = None if answer.turns is None else question.first + answer.turns
    root = tuple(strict_state(hidden.rules, s) for s in answer.states)
    choices = Run(hidden, question).choices(root, deadline, answer.verdict)
    claim = {
        "question": "hidden", "goal": question.name, "player": question.player, "state": list(question.state),
        "turns": answer.turns, "answer": str(answer.verdict), "shown": list(answer.shown), "states": len(answer.states),
    }  # fmt: skip
    return Evidence(claim, content_hash(hidden.rules), f"beliefs {__version__}", {"nodes": answer.nodes}, (), {"choices": choices})


class Run:
    """One question: one turn, two turns, ... up to the number asked about."""

    def __init__(self, hidden: Hidden, question: Question) -> None:
        self.hidden, self.question, self.limits = hidden, question, hidden.limits
        self.until = None if self.limits.seconds is None else time.monotonic() + self.limits.seconds
        self.nodes = self.states = 0
        self.most: int | None = None
        self.loses: State | None = None
        self.keys: list[Move] = []
        self.path: dict[Belief, int] = {}
        hidden.pace = self._state

    def _state(self) -> None:
        """One more state of a belief is looked at; ``most`` bounds how many."""
        from monjudge.solvers.engines.native.prover import Stopped

        self.states += 1
        if self.most is not None and self.states > self.most:
            raise Stopped("nodes")
        if self.until is not None and not self.states % 64 and time.monotonic() > self.until:
            raise Stopped("time")

    def deepen(self, belief: Belief) -> tuple[Verdict, Sentence | None, int | None]:
        """The verdict, the limit, and the turns it is about."""
        from monjudge.solvers.engines.native.prover import Stopped

        root = tuple(strict_state(self.hidden.rules, s) for s in belief)
        turns = self.question.turns
        for number in (None,) if turns is None else range(1, turns + 1):
            deadline = None if number is None else self.question.first + number
            self.path.clear()
            try:
                verdict = self._begin(root, deadline)
            except Stopped as reason:
                return Verdict.UNKNOWN, stopped(str(reason), self.limits), number
            if verdict is Verdict.YES:
                break
        return verdict, MODEL if verdict is Verdict.UNKNOWN else None, number

    def _begin(self, root: Belief, deadline: int | None) -> Verdict:
        """A belief whose states may be ends already: what is lost in one of them with open cards is lost."""
        from monjudge.solvers.engines.native.prove import NO

        for state in root:
            if self._open(state, deadline) == NO:
                self.loses = state[: self.hidden.rules.size]
                return Verdict.NO
        branches = self.hidden.split(root, deadline)
        verdict = self._all(branches, deadline)[0]
        if verdict is Verdict.YES and branches:
            mine, _ = self.hidden.options(branches[0], deadline)
            self.keys = [move for move, below in mine if self._all(below, deadline)[0] is Verdict.YES]
        return verdict

    def choices(self, root: Belief, deadline: int | None, wanted: Verdict) -> list[int]:
        """The decisions of a proof: depth first, each belief once (see ``certified``)."""
        found: list[int] = []
        front = self._kept(self.hidden.split(root, deadline), deadline, wanted, found)
        front.reverse()
        seen: set[Belief] = set()
        while front:
            belief = front.pop()
            if belief in seen or belief is LOST:
                continue
            seen.add(belief)
            mine, others = self.hidden.options(belief, deadline)
            if wanted is Verdict.YES:
                chosen = next((n for n, (_, below) in enumerate(mine) if self._all(below, deadline)[0] is wanted), None)
                found += [chosen] if chosen is not None and len(mine) > 1 else []
                below = others + (mine[chosen][1] if chosen is not None else [])
            else:
                below = self._refuted(mine, others, deadline, found)
            front.extend(reversed(below))
        return found

    def _refuted(
        self, mine: Sequence[tuple[Move, list[Belief]]], others: list[Belief], deadline: int | None, found: list[int]
    ) -> list[Belief]:
        """What the others bring about, or where they wait what becomes of each move of the player."""
        brought = [b for b in others if b is not BEYOND]
        chosen = self._first(brought, deadline)
        if brought:
            found.append(WAIT if chosen is None else chosen)
        if chosen is not None:
            return [brought[chosen]]
        return [belief for _, branches in mine for belief in self._kept(branches, deadline, Verdict.NO, found)]

    def _kept(self, branches: Sequence[Belief], deadline: int | None, wanted: Verdict, found: list[int]) -> list[Belief]:
        """All branches of a win; of a refutation the one that is lost."""
        if wanted is Verdict.YES:
            return list(branches)
        known = [b for b in branches if b is not BEYOND]
        chosen = self._first(known, deadline)
        assert chosen is not None
        found += [chosen] if len(known) > 1 else []
        return [known[chosen]]

    def _first(self, branches: Sequence[Belief], deadline: int | None) -> int | None:
        return next((n for n, belief in enumerate(branches) if self._all([belief], deadline)[0] is Verdict.NO), None)

    def _open(self, state: State, deadline: int | None) -> int:
        """With all cards open; not asked where the search does not look ahead, and not known where that takes too many positions."""
        from monjudge.solvers.engines.native.prove import UNKNOWN
        from monjudge.solvers.engines.native.prover import Stopped

        search = self.hidden.search
        packed = search.engine.layout.pack(state)
        if not self.hidden.look_ahead:
            return search.prover.ending(packed, deadline)
        left = None if self.until is None else max(0.0, self.until - time.monotonic())
        try:
            return search.prover.prove(packed, deadline, nodes=self.limits.nodes, seconds=left)
        except Stopped as reason:
            if str(reason) == "time":
                raise
            return UNKNOWN

    def _all(self, branches: Sequence[Belief], deadline: int | None) -> tuple[Verdict, int]:
        """Whether every belief is won, and the depth of the path on which a "not" rests."""
        verdict, rests = Verdict.YES, DEEPEST
        if LOST in branches:
            return Verdict.NO, rests
        for belief in branches:
            one, on = (Verdict.UNKNOWN, DEEPEST) if belief is BEYOND else self._won(belief, deadline)
            if one is Verdict.NO:
                return one, on
            if one is Verdict.UNKNOWN:
                verdict, rests = one, min(rests, on)
        return verdict, rests

    def _won(self, belief: Belief, deadline: int | None) -> tuple[Verdict, int]:
        """A belief met again on its own path is not won by going round (least fixpoint); what rests on that is not remembered."""
        memo, depth = self.hidden.memo, len(self.path)
        if (belief, deadline) in memo:
            return memo[belief, deadline], DEEPEST
        if belief in self.path:
            return Verdict.NO, self.path[belief]
        if depth == DEEPEST:
            return Verdict.UNKNOWN, 0
        self._breathe()
        self.path[belief] = depth
        verdict, rests = self._expand(belief, deadline)
        del self.path[belief]
        if verdict is Verdict.YES or rests >= depth:
            memo[belief, deadline], rests = verdict, DEEPEST
        return verdict, rests

    def _expand(self, belief: Belief, deadline: int | None) -> tuple[Verdict, int]:
        from monjudge.solvers.engines.native.prove import NO

        if self.hidden.look_ahead and any(self._open(state, deadline) == NO for state in belief):
            return Verdict.NO, DEEPEST
        mine, others = self.hidden.options(belief, deadline)
        verdict, rests = self._all(others, deadline)
        if verdict is Verdict.NO or not mine:
            return verdict, rests
        best, on = Verdict.NO, DEEPEST
        for _, branches in sorted(mine, key=lambda pair: self._hopeless(pair[1], deadline)):
            one, low = self._all(branches, deadline)
            if one is Verdict.YES:
                return verdict, rests
            on = min(on, low)
            best = Verdict.UNKNOWN if one is Verdict.UNKNOWN else best
        # A "not" of the player rests on all his moves; an open answer of the others makes it no surer.
        return (best, on) if best is Verdict.NO or verdict is Verdict.YES else (best, min(on, rests))

    def _hopeless(self, branches: Sequence[Belief], deadline: int | None) -> bool:
        """Whether a branch is lost with open cards, so that the move comes last (and fails at once)."""
        from monjudge.solvers.engines.native.prove import NO

        return LOST in branches or any(
            self._open(state, deadline) == NO for belief in branches if belief is not BEYOND for state in belief
        )

    def _breathe(self) -> None:
        from monjudge.solvers.engines.native.prover import Stopped

        self.nodes += 1
        if self.limits.nodes is not None and self.nodes > self.limits.nodes:
            raise Stopped("nodes")
        if self.until is not None and time.monotonic() > self.until:
            raise Stopped("time")
        if self.hidden.watch is not None:
            self.hidden.watch(self.hidden.search.prover.counts.nodes + self.nodes)


def forced(
    rules: RuleSet, state: State | None = None, goal: str | Expr = "win", player: int = 0, turns: int | None = None,
    limits: Limits | None = None, *, shown: Collection[str] = (), most: int = ASSIGNMENTS,
) -> Answer:  # fmt: skip
    """Whether the player has one strategy for every way in which the hidden cards may lie. Raises as ``Hidden``."""
    return Hidden(rules, goal, player, shown=shown, limits=limits).answer(state, turns, most=most)
