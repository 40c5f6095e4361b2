"""What proves an answer: a list of decisions, as the walk of ``solvers.walk`` asks for them.

Of a win the moves of the player, of a "no" the moves of the others (or an outcome of chance, or that they wait).
What the search took for hopeless is proved move by move all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from monjudge import __version__
from monjudge.model.language import LimitReached, Move
from monjudge.model.language.export import content_hash
from monjudge.solvers.certificate import WAIT, Evidence
from monjudge.solvers.verdict import Verdict
from monjudge.solvers.walk import Claim

if TYPE_CHECKING:
    from monjudge.solvers.engines.native.prover import Child
    from monjudge.solvers.forced.search import Answer, Search

__all__ = ["Decide", "decisions", "evidence", "line", "resisting"]

SHORT = 10_000
"""Of a search of so many positions at most ``FEW`` may do; of a win none at all is tried first, so that all of the strategy can be read."""

FEW, MANY = (30, 100, 300, 1_000), (3_000, 30_000, 300_000)
"""So many positions are tried in place of a decision, the more the shorter the proof."""


def evidence(search: Search, answer: Answer, *, whole: bool = False) -> Evidence:
    """The evidence for an answer of this search; ``whole``: with every decision, however many there are.

    Raises ValueError for an answer that is none (unknown), Stopped or LimitReached where the memory of the search does
    not suffice.
    """
    question, verdict = answer.question, answer.verdict
    if verdict not in (Verdict.YES, Verdict.NO) or question.rules.simultaneous:
        raise ValueError(f"there is no certificate for {verdict}" + " in a game of hidden decisions" * bool(question.rules.simultaneous))
    claim = {
        "question": "forced", "goal": question.name, "player": question.player, "state": list(question.state),
        "turns": answer.turns, "answer": str(verdict),
    }  # fmt: skip
    bounds = {"nodes": answer.statistics.nodes}
    with search.prover.by_moves_alone():
        certificate = _certificate(decisions(search, answer), 0) if whole else _short(search, answer)
    return Evidence(claim, content_hash(question.rules), f"native {__version__}", bounds, answer.line, certificate)


def _certificate(choices: list[int], tried: int) -> dict[str, list[int] | int]:
    return {"choices": choices, "tried": tried} if tried else {"choices": choices}


def _short(search: Search, answer: Answer) -> dict[str, list[int] | int]:
    """The certificate with the fewest positions tried that is no longer than is allowed; if none is, the last one."""
    nodes, winning = answer.statistics.nodes, answer.verdict is Verdict.YES
    allowed = max(1_000, nodes // 1_000) if winning else max(10, nodes // 100)
    for tried in (0, *FEW, *MANY) if nodes <= SHORT else (0, *MANY) if winning else MANY:
        # With more tried there may be fewer positions, so that a memory that did not suffice does.
        with suppress(_TooMany, *([LimitReached] if tried != MANY[-1] else [])):
            return _certificate(decisions(search, answer, tried, most=None if tried == MANY[-1] else allowed), tried)
    raise AssertionError("the last certificate has no bound")


class _TooMany(Exception):
    """A proof has more decisions than are allowed."""


def decisions(search: Search, answer: Answer, tried: int = 0, *, most: int | None = None) -> list[int]:
    """The decisions of a proof in the order of the walk, where so many positions are tried before each.

    One number for each position with a choice that these do not settle. Of a win: which of the player's moves. Of a
    "no": which of the moves of the others and chance, or ``WAIT``. Raises as ``evidence``, and _TooMany beyond ``most``.
    """
    from monjudge.solvers.engines.native.compiled import Compiled
    from monjudge.solvers.engines.native.walker import follow

    question = answer.question
    deadline = None if answer.turns is None else question.first + answer.turns
    winning = answer.verdict is Verdict.YES
    claim = Claim(search.engine.rules, search.engine.layout.unpack(search.pack(question.state)), search.player, search.goal, deadline, winning)
    decide, choices = Decide(search, deadline, answer.verdict), list[int]()

    def choose(packed: bytes) -> int:
        if most is not None and len(choices) >= most:
            raise _TooMany
        choices.append(decide.at(packed))
        return choices[-1]

    follow(claim, search.engine, choose, tried, moves=Compiled.of(search.engine).code, memory=search.prover.memory)
    return choices


class Decide:
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
        """Which of the children has the verdict: the one that the search found, before the others."""
        order = sorted(range(len(children)), key=lambda n: children[n].move != best)
        return next((n for n in order if self._holds(children[n])), None)

    def at(self, here: bytes) -> int:
        """Which move is followed of those of the side that chooses, or ``WAIT``."""
        children, best = self.prover.children(here), self.prover.best(here)
        chosen = self._first([c for c in children if (c.move.me == self.search.player) is self.winning], best)
        assert chosen is not None or not self.winning
        return WAIT if chosen is None else chosen


def line(search: Search, packed: bytes, deadline: int | None, verdict: Verdict) -> tuple[Move, ...]:
    """One line of a proof: the strategy against the longest resistance, or the refutation of the first try."""
    with search.prover.by_moves_alone():
        return tuple(_line(Decide(search, deadline, verdict), packed))


def _line(decide: Decide, here: bytes) -> Iterator[Move]:
    seen = set()
    while not decide.is_end(here) and here not in seen:
        seen.add(here)
        children, best = decide.prover.children(here), decide.prover.best(here)
        mine = [c for c in children if c.move.me == decide.search.player]
        others = [c for c in children if c.move.me != decide.search.player]
        if not children:
            return
        if decide.winning:
            chosen = mine[decide._first(mine, best) or 0] if mine else resisting(decide, others)
        else:
            reply = decide._first(others, best)
            chosen = others[reply] if reply is not None else mine[0]
        yield chosen.move
        assert chosen.packed is not None
        here = chosen.packed


def resisting(decide: Decide, others: list[Child]) -> Child:
    """The move after which the win takes all the turns allowed, if there is one."""
    if decide.deadline is None:
        return others[0]
    for child in others:
        assert child.packed is not None
        if decide.prover.prove(child.packed, decide.deadline - 1) != decide.wanted:
            return child
    return others[0]
