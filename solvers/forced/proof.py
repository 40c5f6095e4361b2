"""What proves an answer: for every position that matters, the one decision that settles it.

Of a win the moves of the player, of a "no" the moves of the others (or an outcome of chance, or that they wait).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from monjudge import __version__
from monjudge.model.language import Move
from monjudge.model.language.export import content_hash
from monjudge.solvers.certificate import WAIT, Evidence
from monjudge.solvers.verdict import Verdict

if TYPE_CHECKING:
    from monjudge.solvers.engines.native.prover import Child
    from monjudge.solvers.forced.search import Answer, Search

__all__ = ["evidence", "line", "proof"]


def evidence(search: Search, answer: Answer) -> Evidence:
    """The evidence for an answer of this search. Raises ValueError for an answer that is none (unknown).

    Raises Stopped where the memory of the search does not suffice.
    """
    question, verdict = answer.question, answer.verdict
    if verdict not in (Verdict.YES, Verdict.NO) or question.rules.simultaneous:
        raise ValueError(f"there is no certificate for {verdict}" + " in a game of hidden decisions" * bool(question.rules.simultaneous))
    deadline = None if answer.turns is None else question.first + answer.turns
    choices = proof(search, search.pack(question.state), deadline, verdict)
    claim = {
        "question": "forced", "goal": question.name, "player": question.player, "state": list(question.state),
        "turns": answer.turns, "answer": str(verdict),
    }  # fmt: skip
    bounds = {"nodes": answer.statistics.nodes}
    return Evidence(claim, content_hash(question.rules), f"native {__version__}", bounds, answer.line, {"choices": choices})


def proof(search: Search, packed: bytes, deadline: int | None, verdict: Verdict) -> list[int]:
    """The decisions of a proof in canonical order: depth first, the moves of a position in their order.

    One number for each position with a choice, when it is met first. Of a win: which of the player's moves, where
    there are several. Of a "no": which of the moves of the others and chance, or ``WAIT``, where there are several
    of these. Raises Stopped where the memory of the search does not suffice.
    """
    decide = _Decide(search, deadline, verdict)
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
    return choices


class _Decide:
    """The decision at a position whose value is known to be the verdict."""

    def __init__(self, search: Search, deadline: int | None, verdict: Verdict) -> None:
        from monjudge.solvers.engines.native.prove import NO, UNKNOWN, YES

        self.search, self.prover, self.deadline = search, search.prover, deadline
        self.wanted, self.open = (YES if verdict is Verdict.YES else NO), UNKNOWN
        self.winning = verdict is Verdict.YES

    def is_end(self, here: bytes) -> bool:
        return self.prover.ending(here, self.deadline) != self.open

    def _holds(self, child: Child) -> bool:
        return child.packed is not None and self.prover.prove(child.packed, self.deadline) == self.wanted

    def _first(self, children: list[Child], best: Move | None) -> int | None:
        """Which of the children has the verdict, the one that the search found before the others."""
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
            return (chosen if len(mine) > 1 else None), _states(kept)
        chosen = self._first(others, best)
        if chosen is None:
            assert mine or not children
            return (WAIT if others else None), _states(mine)
        return (chosen if mine or len(others) > 1 else None), _states([others[chosen]])


def _states(children: list[Child]) -> list[bytes]:
    found = [c.packed for c in children]
    assert None not in found
    return [packed for packed in found if packed is not None]


def line(search: Search, packed: bytes, deadline: int | None, verdict: Verdict) -> tuple[Move, ...]:
    """One line of a proof: the strategy against the longest resistance, or the refutation of the first try."""
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
            reply = decide._first(others, best)
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
