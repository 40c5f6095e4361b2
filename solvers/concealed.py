"""Hidden cards as a question is asked of them: by whatever settles it first, the cheap ways before the dear ones.

For each number of turns: with all cards open as they lie (a "no" is one however the player sees less), with the cards
dealt as they are played (``dealing``: a "yes" holds against every deal), with open cards as a refutation of that search
has them dealt, and over beliefs (``unseen``), which settles both but takes every deal one by one.

>>> from monjudge.model.small.rock_paper_scissors import rock_paper_scissors
>>> answer = Concealed(rock_paper_scissors(1)).answer()
>>> str(answer.verdict), answer.how
('no', 'open')
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any

from monjudge import __version__
from monjudge.model.language import Expr, RuleSet, State
from monjudge.model.language.export import content_hash
from monjudge.solvers.cache import key
from monjudge.solvers.certificate import Evidence
from monjudge.solvers.dealing import Dealing, Fixed
from monjudge.solvers.forced.ledger import EVER, Ledger, question_of
from monjudge.solvers.forced.question import Question
from monjudge.solvers.forced.search import MODEL, Limits, stopped
from monjudge.solvers.odds import INTERRUPTED
from monjudge.solvers.strategy import Then, strategy
from monjudge.solvers.strict import strict_state
from monjudge.solvers.unseen import ASSIGNMENTS, Answer, Belief, Hidden, Run
from monjudge.solvers.unseen import evidence as belief_evidence
from monjudge.solvers.verdict import Sentence, Verdict
from monjudge.solvers.views import assignments

__all__ = ["Concealed", "evidence"]

FIRST, GROWTH = 300_000, 4
"""Positions that a way may expand before another has its turn, and by how many times more in each round."""

STATE = 100
"""So many positions of a search take as long as one state of a belief."""

FEW = 100
"""With at most so many deals beliefs come first: they tell all moves that win."""

DEALS = 32
"""So many deals are taken from refutations and tried with open cards."""

Settled = tuple[Verdict, str, "Sentence | None"]
"""The verdict, which way settled it, and why it is unknown where going on would not help."""

Way = Callable[["int | None", int], Settled]

NO_ONE_STRATEGY = Sentence("no strategy was found that wins however the hidden cards lie", "伏せたカードがどうであっても勝てる戦略は見つからなかった")


class Concealed:
    """A goal of a player who does not see everything; see ``unseen.Hidden``, whose arguments these are, and what it raises."""

    def __init__(
        self, rules: RuleSet, goal: str | Expr = "win", player: int = 0, *, shown: Collection[str] = (), limits: Limits | None = None,
        watch: Callable[[int], None] | None = None,
    ) -> None:  # fmt: skip
        self.limits = limits or Limits()
        # The search with open cards, what follows from states of beliefs, and the search that deals share the memory.
        self.share = replace(self.limits, memory=self.limits.memory // 3)
        self.hidden = Hidden(rules, goal, player, shown=shown, limits=self.share, watch=watch)
        self.dealing: Dealing | None = None
        self.fixed: Sentence | None = None

    def answer(
        self, state: State | None = None, turns: int | None = None, *, most: int = ASSIGNMENTS, ledger: Ledger | None = None, won: int | None = None,
    ) -> Answer:  # fmt: skip
        """As ``Hidden.answer``; over beliefs where there are at most so many deals.

        ``ledger`` has which numbers of turns are settled already (see ``ledger_of``), and what is settled now; an
        interrupt ends the search, and the answer says so. ``won``: within so many turns (``EVER``: any) it is known to be
        won with open cards as they lie.
        """
        question = self.hidden.search.question(state, turns)
        self.dealing, self.fixed = None, None
        try:
            hidden = self.hidden
            self.dealing = Dealing(hidden.rules, question.state, question.goal, question.player, shown=hidden.shown, limits=self.share, watch=hidden.watch)
        except Fixed as fixed:
            self.fixed = fixed.text
        return _Asked(self, question, most, ledger or self.ledger_of(state), won).run()

    def ledger_of(self, state: State | None = None) -> Ledger:
        """Where nothing is settled of the question about this state."""
        begin = self.hidden.search.question(state).state
        return Ledger(key("hidden", question_of(self.hidden.search, begin), list(self.hidden.shown)))

    def strategy(self, answer: Answer) -> Iterator[Then]:
        """What the player does in a win of these, depth first. Raises Stopped by a limit."""
        if answer.how == "undealt" and self.dealing is not None:
            return self.dealing.told(None if answer.turns is None else answer.question.first + answer.turns)
        return strategy(self.hidden, answer)


def evidence(asked: Concealed, answer: Answer) -> Evidence:
    """The evidence for an answer of these. Raises ValueError for an answer that is none (unknown), Stopped by a limit."""
    question, deadline = answer.question, None if answer.turns is None else answer.question.first + answer.turns
    if answer.how == "beliefs":
        return belief_evidence(asked.hidden, answer)
    certificate: dict[str, Any]
    if answer.how == "undealt" and asked.dealing is not None:
        states, certificate = 0, {"undealt": asked.dealing.choices(deadline)}
    elif answer.how == "open" and answer.loses is not None:
        root = (strict_state(asked.hidden.rules, answer.loses),)
        states, certificate = 1, {"choices": Run(asked.hidden, question).choices(root, deadline, Verdict.NO), "deals": [list(answer.loses)]}
    else:
        raise ValueError(f"there is no certificate for {answer.verdict}")
    claim = {
        "question": "hidden", "goal": question.name, "player": question.player, "state": list(question.state),
        "turns": answer.turns, "answer": str(answer.verdict), "shown": list(answer.shown), "states": states,
    }  # fmt: skip
    return Evidence(claim, content_hash(question.rules), f"deals {__version__}", {"nodes": answer.nodes}, (), certificate)


class _Asked:
    """One question: one turn, two turns, ... up to the number asked about."""

    def __init__(self, asked: Concealed, question: Question, most: int, ledger: Ledger, won: int | None) -> None:
        self.asked, self.question, self.most, self.ledger, self.won = asked, question, most, ledger, won
        self.hidden, self.dealing, self.limits = asked.hidden, asked.dealing, asked.limits
        self.until = None if self.limits.seconds is None else time.monotonic() + self.limits.seconds
        self.clock, self.before = time.process_time(), self.hidden.search.prover.counts.nodes
        self.run_over = Run(self.hidden, question)
        self.run_over.until, self.run_over.limits = self.until, Limits(None, self.limits.seconds)
        self.belief: Belief | None = None
        self.too_many: Sentence | None = None
        self.few = False
        self.loses: State | None = None

    def run(self) -> Answer:
        from monjudge.solvers.engines.native.prover import Stopped

        turns = self.question.turns
        verdict, how, limit = Verdict.UNKNOWN, "", None
        for number in (None,) if turns is None else range(1, turns + 1):
            if self.ledger.whole.get(number or EVER) is Verdict.NO:
                verdict, how, limit = Verdict.NO, "before", None
                continue
            try:
                verdict, how, limit = self._within(number, None if number is None else self.question.first + number)
            except (Stopped, KeyboardInterrupt) as reason:
                ended = INTERRUPTED if isinstance(reason, KeyboardInterrupt) else stopped(str(reason), self.limits)
                verdict, how, limit = Verdict.UNKNOWN, "", ended
                break
            self.ledger.settle(number or EVER, verdict)
            if verdict is Verdict.YES:
                break
        states = {"beliefs": self.belief or (), "open": () if self.loses is None else (self.loses,)}.get(how, ())
        keys = tuple(self.run_over.keys)
        if how == "undealt" and self.dealing is not None:
            keys = tuple(self.dealing.keys(None if number is None else self.question.first + number))
        return Answer(self.question, self.hidden.shown, verdict, number, states, self._nodes(), time.process_time() - self.clock,
                      self.loses if verdict is Verdict.NO else None, keys if verdict is Verdict.YES else (), limit, how)  # fmt: skip

    def _within(self, number: int | None, deadline: int | None) -> tuple[Verdict, str, Sentence | None]:
        """The verdict for so many turns, which way settled it, and why it is unknown. Raises Stopped by a limit of the question."""
        known = self.won is not None and (number is None or self.won <= number)
        if not known and self._lost(self.question.state, deadline, None):
            return Verdict.NO, "open", None
        self.few = self.few or (self.belief is None and self.too_many is None and self._count(min(FEW, self.most)) is None)
        ways: dict[str, Way] = {"beliefs": self._believed} if self.few else {}
        ways |= {"undealt": self._undealt, "beliefs": self._believed}
        budget, limit = FIRST, None
        while ways:
            for name, way in list(ways.items()):
                verdict, how, over = self._tried(way, deadline, budget)
                if verdict in (Verdict.YES, Verdict.NO):
                    return verdict, how, None
                if over is not None:
                    del ways[name]
                    limit = limit or over
            budget *= GROWTH
        return Verdict.UNKNOWN, "", limit

    def _tried(self, way: Way, deadline: int | None, budget: int) -> Settled:
        """What a way finds within so many positions; no sentence where it could go on. Raises Stopped by a limit of the question."""
        from monjudge.solvers.engines.native.prover import Stopped

        try:
            return way(deadline, budget)
        except Stopped as reason:
            if str(reason) == "time" or (str(reason) == "nodes" and self._left(None) == 0):
                raise
            return Verdict.UNKNOWN, "", None if str(reason) == "nodes" else stopped(str(reason), self.limits)

    # -- the ways -------------------------------------------------------------------------

    def _lost(self, state: State, deadline: int | None, budget: int | None) -> bool:
        """Whether a deal is lost with open cards."""
        from monjudge.solvers.engines.native.prove import NO

        search = self.hidden.search
        lost = search.prover.prove(search.pack(state), deadline, nodes=self._left(budget), seconds=self._seconds()) == NO
        self.loses = state if lost else self.loses
        return lost

    def _undealt(self, deadline: int | None, budget: int) -> Settled:
        """With the cards dealt as they are played; where that is lost, with open cards as its refutations have them."""
        if self.dealing is None:
            return Verdict.UNKNOWN, "", self.asked.fixed
        verdict, wrong = self.dealing.prove(deadline, self._left(budget), self._seconds())
        if verdict is Verdict.YES:
            return verdict, "undealt", None
        if verdict is Verdict.NO:
            for state in itertools.islice(self.dealing.refuting(deadline), DEALS):
                if self.hidden.is_like(self.question.state, state) and self._lost(state, deadline, budget):
                    return Verdict.NO, "open", None
        return Verdict.UNKNOWN, "", wrong or (NO_ONE_STRATEGY if verdict is Verdict.NO else MODEL)

    def _believed(self, deadline: int | None, budget: int) -> Settled:
        """Over beliefs, deal by deal."""
        rules, run = self.hidden.rules, self.run_over
        if self.belief is None and self.too_many is None:
            self.too_many = self._count(self.most)
        if self.belief is None:
            return Verdict.UNKNOWN, "", self.too_many
        run.most = run.states + max(1, (self._left(budget) or budget) // STATE)
        run.path.clear()
        verdict = run._begin(tuple(strict_state(rules, s) for s in self.belief), deadline)
        self.loses = run.loses if verdict is Verdict.NO else None
        return verdict, "beliefs", MODEL if verdict is Verdict.UNKNOWN else None

    def _count(self, most: int) -> Sentence | None:
        """Finds the deals, if there are at most so many; else says why not."""
        found = assignments(self.hidden.rules, self.question.state, self.hidden.view, most, self.until)
        if found.limit is None:
            self.run_over.most = None
            self.belief = self.hidden.alike(found.states, self.question.state)
        return found.limit

    # -- limits ---------------------------------------------------------------------------

    def _nodes(self) -> int:
        """Positions expanded so far, a state of a belief for as many as take its time."""
        undealt = 0 if self.dealing is None else self.dealing.search.prover.counts.nodes
        return self.hidden.search.prover.counts.nodes - self.before + undealt + STATE * self.run_over.states

    def _left(self, budget: int | None) -> int | None:
        left = None if self.limits.nodes is None else max(0, self.limits.nodes - self._nodes())
        return min((n for n in (budget, left) if n is not None), default=None)

    def _seconds(self) -> float | None:
        return None if self.until is None else max(0.0, self.until - time.monotonic())
