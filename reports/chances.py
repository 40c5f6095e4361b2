"""How probable a goal is, and whether it is forced for a player who does not see everything."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from monjudge.model.language import LimitReached, Move
from monjudge.reports.answers.answer import Asked, MoveWords
from monjudge.reports.answers.odds import Mixture, OddsAnswer, WeighedWords
from monjudge.reports.answers.solved import Solved, ThenWords, Unseen
from monjudge.reports.running import COMPILING, INTERRUPTED, Means, Solving, unfit
from monjudge.solvers.verdict import Verdict

if TYPE_CHECKING:
    from monjudge.reports.judge import Position
    from monjudge.reports.solving import Proof
    from monjudge.solvers.concealed import Concealed
    from monjudge.solvers.forced.ledger import Ledger
    from monjudge.solvers.odds import Weighed
    from monjudge.solvers.unseen import Answer
    from monjudge.solvers.worths import Worths

__all__ = ["Rest", "hidden", "odds"]

TOLD = 150
"""So many places of a strategy are told."""


@dataclass(frozen=True)
class Rest:
    """What a question leaves behind to go on from, if it can, and whether it was interrupted."""

    settled: Ledger | Worths | None = None
    interrupted: bool = False


Kept = TypeVar("Kept", "Ledger", "Worths")


def _resume(rest: Kept, found: Sequence[Kept], means: Means) -> None:
    """Adds what earlier runs settled. Raises DataError for what is about another question."""
    from monjudge.solvers.forced.ledger import Damaged

    try:
        rest.add(found)
        if len(found) < len(means.ledgers):
            raise Damaged("it is about a question of another kind", "別の種類の問いについてのもの")
    except Damaged as damaged:
        raise unfit(damaged.text) from damaged


def odds(
    position: Position, goal: str = "win", *, player: int = 1, turns: int | None = None, at_least: Fraction | None = None,
    means: Means | None = None, prove: bool = False,
) -> tuple[OddsAnswer, Proof | None, Rest]:  # fmt: skip
    """The probability of the goal under best play of both, chance as it is weighted, all cards open.

    Where decisions are taken without seeing one another the plans may be mixed. With ``prove`` the value of every
    position as well, where it is known. Raises as ``Solving``; LimitReached where the limits do not allow a proof.
    """
    from monjudge.solvers.engines.native import patience

    asking = Solving(position, goal, player=player, turns=turns, means=means)
    asked = _asked(asking, "--odds" if at_least is None else f"--at-least={at_least}")
    try:
        with patience.until(asking.means.until):
            return _odds(asking, asked, at_least, prove)
    except patience.Late:
        named = position.player(player), asking.goal.said, turns
        return OddsAnswer(*named, Fraction(0), Fraction(1), 0, at_least, limit=COMPILING, asked=asked), None, Rest()
    except KeyboardInterrupt:  # before anything was settled
        named = position.player(player), asking.goal.said, turns
        return OddsAnswer(*named, Fraction(0), Fraction(1), 0, at_least, limit=INTERRUPTED, asked=asked), None, Rest(interrupted=True)


def _asked(asking: Solving, *words: str) -> Asked:
    turns = [f"--turns={asking.turns}"] if asking.turns else []
    return asking.position.asked("solve", f"--goal={asking.goal.text}", f"--player={asking.player}", *turns, *words)


def _odds(asking: Solving, asked: Asked, at_least: Fraction | None, prove: bool) -> tuple[OddsAnswer, Proof | None, Rest]:
    position, player, turns, means = asking.position, asking.player, asking.turns, asking.means
    rules, state, when = position.rules, position.state, asking.goal_or_name
    named = position.player(player), asking.goal.said, turns
    if rules.simultaneous:
        from monjudge.solvers.stage import Values

        values = Values(rules, when, player - 1, turns, means.left, means.watch)
        mixed = values.value(state)
        low, high = (Fraction(0), Fraction(1)) if mixed.exact is None else (mixed.exact, mixed.exact)
        answer = OddsAnswer(*named, low, high, mixed.nodes, at_least, _each(position, mixed.moves), _mixture(position, mixed.plans),
                            _mixture(position, mixed.replies), mixed.limit, asked)  # fmt: skip
        return answer, asking.written_down(values.evidence(mixed)) if prove and mixed.exact is not None else None, Rest()
    from monjudge.solvers.cache import key
    from monjudge.solvers.forced.ledger import question_of
    from monjudge.solvers.odds import INTERRUPTED as ENDED
    from monjudge.solvers.odds import evidence
    from monjudge.solvers.odds import odds as worked_out
    from monjudge.solvers.worths import Worths

    rest = Worths(key("odds", question_of(asking.search, state), turns))
    _resume(rest, [one for one in means.ledgers if isinstance(one, Worths)], means)
    found = worked_out(rules, state, when, player - 1, turns, means.left, means.watch, means.main, rest)
    answer = OddsAnswer(*named, found.low, found.high, found.nodes, at_least, _each(position, found.moves), limit=found.limit, asked=asked,
                        line=tuple(_line(position, found.line)))  # fmt: skip
    proof, interrupted = None, found.limit is ENDED
    if prove and found.exact is not None:
        try:
            proof = asking.written_down(evidence(found, means.left, means.watch))
        except KeyboardInterrupt:  # the answer stands without its proof
            interrupted = True
    return answer, proof, Rest(rest, interrupted)


def hidden(
    position: Position, goal: str = "win", *, player: int = 1, turns: int | None = None, means: Means | None = None,
    prove: bool = False, opened: Solved | None = None,
) -> tuple[Unseen, Proof | None, Rest]:  # fmt: skip
    """Whether one strategy that uses only what the player sees forces the goal, however the hidden cards lie.

    ``opened`` is the answer with all cards open, where it is known: what cannot be forced then cannot be at all.
    With ``prove`` a proof of a yes or a no as well. Raises as ``odds``.
    """
    from monjudge.solvers.engines.native import patience

    asking = Solving(position, goal, player=player, turns=turns, means=means)
    asked = _asked(asking, "--hidden")
    if opened is not None and opened.verdict is not Verdict.YES and not (prove and opened.verdict is Verdict.NO):
        return Unseen(opened.verdict, opened.player, opened.goal, opened.turns, None, opened.nodes, limit=opened.limit, asked=asked), None, Rest()
    try:
        with patience.until(asking.means.until):
            return _hidden(asking, asked, prove, opened)
    except patience.Late:
        return Unseen(Verdict.UNKNOWN, position.player(player), asking.goal.said, turns, None, 0, limit=COMPILING, asked=asked), None, Rest()
    except KeyboardInterrupt:  # before anything was settled
        unsettled = Unseen(Verdict.UNKNOWN, position.player(player), asking.goal.said, turns, None, 0, limit=INTERRUPTED, asked=asked)
        return unsettled, None, Rest(interrupted=True)


def _hidden(asking: Solving, asked: Asked, prove: bool, opened: Solved | None) -> tuple[Unseen, Proof | None, Rest]:
    from monjudge.solvers.concealed import Concealed
    from monjudge.solvers.engines.native.prover import Stopped
    from monjudge.solvers.forced.ledger import EVER, Ledger
    from monjudge.solvers.odds import INTERRUPTED as ENDED

    position, player, turns, means = asking.position, asking.player, asking.turns, asking.means
    search = Concealed(position.rules, asking.goal_or_name, player - 1, limits=means.left, watch=means.watch)
    rest = search.ledger_of(position.state)
    _resume(rest, [one for one in means.ledgers if isinstance(one, Ledger)], means)
    won = None if opened is None or opened.verdict is not Verdict.YES else opened.turns or EVER
    if won and opened is not None and opened.fewest and not position.rules.simultaneous:
        for number in range(1, won):  # lost with open cards
            rest.settle(number, Verdict.NO)
    found = search.answer(position.state, turns, ledger=rest, won=won)
    proof, told, interrupted = None, list[ThenWords](), found.limit is ENDED
    try:
        proof = _proof(asking, search, found, means) if prove and found.verdict in (Verdict.YES, Verdict.NO) else None
        search.hidden.limits = means.left
        for place in itertools.islice(search.strategy(found), TOLD + 1) if found.verdict is Verdict.YES else ():
            replies = dict.fromkeys(position.at(state).words(move) for state, move in place.replies)
            move = None if place.move is None else position.at(place.move[0]).words(place.move[1])
            told.append(ThenWords(place.depth, tuple(replies), move, place.again))
    except Stopped:
        pass  # the answer stands; only less of the strategy is told
    except KeyboardInterrupt:
        interrupted = True
    answer = Unseen(
        found.verdict, position.player(player), asking.goal.said, found.turns, len(found.states) if found.how == "beliefs" else None, found.nodes,
        tuple(position.words(move) for move in found.moves), found.limit, asked,
        tuple(told[:TOLD]), len(told) > TOLD,
    )  # fmt: skip
    return answer, proof, Rest(rest, interrupted)


def _proof(asking: Solving, search: Concealed, found: Answer, means: Means) -> Proof | None:
    """A proof; None where what settled it is known from an earlier run only. Raises LimitReached."""
    from monjudge.solvers.concealed import evidence
    from monjudge.solvers.engines.native.prover import Stopped

    if found.how == "before":
        return None
    search.hidden.limits = means.left
    try:
        return asking.written_down(evidence(search, found))
    except Stopped as stopped:
        raise LimitReached("the limits do not allow a proof", "上限のため証明を作れない") from stopped


def _each(position: Position, moves: Iterable[tuple[Move, Fraction]]) -> tuple[tuple[MoveWords, Fraction], ...]:
    return tuple((position.words(move), value) for move, value in moves)


def _line(position: Position, line: Iterable[Weighed]) -> Iterator[WeighedWords]:
    for move, value, outcomes in line:
        yield WeighedWords(position.words(move), value, _each(position, outcomes))
        position = position.at(position.legality.reference.step(position.state, move))


def _mixture(position: Position, mix: Iterable[tuple[tuple[Move, ...], Fraction]]) -> Mixture:
    """Plans in words; each is told from the position in which it is made."""
    return tuple((tuple(position.words(move) for move in plan), value) for plan, value in mix)
