"""What proves an answer: for every position that matters, the one decision that settles it.

Of a win the moves of the player, of a "no" the moves of the others (or an outcome of chance, or that they wait).
What the search took for hopeless is proved move by move all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from monjudge import __version__
from monjudge.model.language import Move
from monjudge.model.language.export import content_hash
from monjudge.solvers.certificate import WAIT, Evidence
from monjudge.solvers.decisions import Writer
from monjudge.solvers.verdict import Verdict

if TYPE_CHECKING:
    from monjudge.solvers.engines.native.prover import Child
    from monjudge.solvers.forced.search import Answer, Search

__all__ = ["Decisions", "evidence", "line", "proof"]

LONG = 1_000
"""More decisions than these are written down as runs."""

TRIED = 300
"""So many positions may be searched to see whether the decision that is foretold holds."""

FAILURES = 1_000
"""So often such a search may fail in one proof."""


class Decisions(NamedTuple):
    """The decisions of a proof one by one, and the same in runs (see ``solvers.decisions``)."""

    choices: list[int]
    runs: list[int]


def evidence(search: Search, answer: Answer) -> Evidence:
    """The evidence for an answer of this search. Raises ValueError for an answer that is none (unknown).

    Raises Stopped where the memory of the search does not suffice.
    """
    question, verdict = answer.question, answer.verdict
    if verdict not in (Verdict.YES, Verdict.NO) or question.rules.simultaneous:
        raise ValueError(f"there is no certificate for {verdict}" + " in a game of hidden decisions" * bool(question.rules.simultaneous))
    deadline = None if answer.turns is None else question.first + answer.turns
    with search.prover.by_moves_alone():
        found = proof(search, search.pack(question.state), deadline, verdict)
    certificate = {"choices": found.choices} if len(found.choices) <= LONG else {"runs": found.runs}
    claim = {
        "question": "forced", "goal": question.name, "player": question.player, "state": list(question.state),
        "turns": answer.turns, "answer": str(verdict),
    }  # fmt: skip
    bounds = {"nodes": answer.statistics.nodes}
    return Evidence(claim, content_hash(question.rules), f"native {__version__}", bounds, answer.line, certificate)


def proof(search: Search, packed: bytes, deadline: int | None, verdict: Verdict) -> Decisions:
    """The decisions of a proof in canonical order: depth first, the moves of a position in their order.

    One number for each position with a choice, when it is met first. Of a win: which of the player's moves, where
    there are several. Of a "no": which of the moves of the others and chance, or ``WAIT``, where there are several
    of these. Where it is soon seen that the decision that runs foretell holds, too, it is taken. Raises Stopped where
    the memory of the search does not suffice.
    """
    decide = _Decide(search, deadline, verdict, foretold=True)
    choices: list[int] = []
    seen: set[bytes] = set()
    front = [packed]
    while front:
        here = front.pop()
        if here in seen or decide.is_end(here):
            continue
        seen.add(here)
        choice, below = decide.at(here)
        if choice is not None:
            choices.append(choice)
        front.extend(reversed(below))
    return Decisions(choices, decide.writer.numbers)


class _Decide:
    """The decision at a position whose value is known to be the verdict."""

    def __init__(self, search: Search, deadline: int | None, verdict: Verdict, *, foretold: bool = False) -> None:
        from monjudge.solvers.engines.native.prove import NO, UNKNOWN, YES
        from monjudge.solvers.engines.native.prover import Stopped

        self.stopped = Stopped
        self.search, self.prover, self.deadline = search, search.prover, deadline
        self.wanted, self.open = (YES if verdict is Verdict.YES else NO), UNKNOWN
        self.winning = verdict is Verdict.YES
        self.writer, self.failures = Writer(), 0
        # A strategy must come nearer to the goal with each move, a refutation may go round.
        self.foretold = foretold and not self.winning

    def is_end(self, here: bytes) -> bool:
        return self.prover.ending(here, self.deadline) != self.open

    def _holds(self, child: Child) -> bool:
        return child.packed is not None and self.prover.prove(child.packed, self.deadline) == self.wanted

    def _holds_soon(self, child: Child) -> bool:
        """Whether it needs no long search to see that the child has the verdict."""
        if child.packed is None:
            return False
        known = self.prover.known(child.packed, self.deadline)
        if known != self.open or self.failures >= FAILURES:
            return known == self.wanted
        try:
            return self.prover.prove(child.packed, self.deadline, nodes=TRIED) == self.wanted
        except self.stopped:
            self.failures += 1
            return False

    def _first(self, children: list[Child], best: Move | None, least: int = 0) -> int | None:
        """Which of the children has the verdict: the one foretold, or the one that the search found before the others."""
        if children and self.foretold:
            foretold = self.writer.habit.foretell([c.move for c in children], least)
            if foretold >= 0 and self._holds_soon(children[foretold]):
                return foretold
        order = sorted(range(len(children)), key=lambda n: children[n].move != best)
        return next((n for n in order if self._holds(children[n])), None)

    def at(self, here: bytes) -> tuple[int | None, list[bytes]]:
        """The choice (None where there is none) and the positions that have to have the verdict, too."""
        children, best = self.prover.children(here), self.prover.best(here)
        mine = [c for c in children if c.move.me == self.search.player]
        others = [c for c in children if c.move.me != self.search.player]
        if self.winning:
            chosen = self._first(mine, best)
            assert chosen is not None or not mine
            kept = [*others, *([mine[chosen]] if chosen is not None else [])]
            return self._write(mine, 0, chosen if len(mine) > 1 else None), _states(kept)
        chosen = self._first(others, best, WAIT if mine else 0)
        if chosen is None:
            assert mine or not children
            return self._write(others, WAIT, WAIT if others else None), _states(mine)
        needed = bool(mine) or len(others) > 1
        return self._write(others, WAIT if mine else 0, chosen if needed else None), _states([others[chosen]])

    def _write(self, children: list[Child], least: int, chosen: int | None) -> int | None:
        if chosen is not None:
            self.writer.write([c.move for c in children], least, chosen)
        return chosen


def _states(children: list[Child]) -> list[bytes]:
    found = [c.packed for c in children]
    assert None not in found
    return [packed for packed in found if packed is not None]


def line(search: Search, packed: bytes, deadline: int | None, verdict: Verdict) -> tuple[Move, ...]:
    """One line of a proof: the strategy against the longest resistance, or the refutation of the first try."""
    with search.prover.by_moves_alone():
        return tuple(_line(_Decide(search, deadline, verdict), packed))


def _line(decide: _Decide, here: bytes) -> Iterator[Move]:
    seen = set()
    while not decide.is_end(here) and here not in seen:
        seen.add(here)
        children, best = decide.prover.children(here), decide.prover.best(here)
        mine = [c for c in children if c.move.me == decide.search.player]
        others = [c for c in children if c.move.me != decide.search.player]
        if not children:
            return
        if decide.winning:
            chosen = mine[decide._first(mine, best) or 0] if mine else _longest(decide, others)
        else:
            reply = decide._first(others, best, WAIT if mine else 0)
            chosen = others[reply] if reply is not None else mine[0]
        yield chosen.move
        assert chosen.packed is not None
        here = chosen.packed


def _longest(decide: _Decide, others: list[Child]) -> Child:
    """The move after which the win takes all the turns allowed, if there is one."""
    if decide.deadline is None:
        return others[0]
    for child in others:
        assert child.packed is not None
        if decide.prover.prove(child.packed, decide.deadline - 1) != decide.wanted:
            return child
    return others[0]
