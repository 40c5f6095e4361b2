"""Whether a forced goal hangs on how the text is read: single readings changed first, then several at once.

A proof found under one reading is followed under another by the reference alone, which also tells which readings were
consulted on the way: those that were not need not be tried. Only where a proof does not hold is the question searched
again. What cannot be tried within the limit makes the answer unknown, never "robust".
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from monjudge.model.language import LimitReached, Move
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.solved import Changed, OverReadings
from monjudge.reports.running import Means, Solving
from monjudge.solvers.certificate import Refused, check
from monjudge.solvers.consulted import Consulted
from monjudge.solvers.reread import Reread, moved
from monjudge.solvers.verdict import Verdict

if TYPE_CHECKING:
    from monjudge.model.language import State
    from monjudge.reports.answers.solved import Solved
    from monjudge.reports.judge import Position
    from monjudge.reports.solving import Proof
    from monjudge.solvers.certificate import Successors

__all__ = ["COMBINATIONS", "over_readings"]

COMBINATIONS = 64
"""So many combinations of readings are tried beside the single changes."""

Readings = tuple[tuple[str, str], ...]


class _TimeOver(Exception):
    """The time allowed ended while a proof was followed."""


def over_readings(
    position: Position, goal: str = "win", *, player: int = 1, turns: int | None = None, means: Means | None = None,
    combinations: int = COMBINATIONS,
) -> OverReadings:  # fmt: skip
    """The answer under the readings of the position, and every reading that changes it. Raises as ``Solving``.

    DEPENDS where one does; robust where every combination of the readings that play consults gives the same answer.
    """
    chosen = replace(means or Means(), keys=False, part=None, ledgers=(), cross_check=False, engine="native", cache=None)
    return _Trial(position, goal, player, turns, chosen, combinations).run()


@dataclass
class _Trial:
    position: Position
    goal: str
    player: int
    turns: int | None
    means: Means
    most: int

    def run(self) -> OverReadings:
        if self.position.opened is None:
            name = self.position.written.kit.title
            raise DataError([Defect("--readings", Sentence(f"the text of {name.en} has one reading", f"{name.ja}の文面の読み方は一つしかない"), "unknown-word")])
        self.until = None if self.means.seconds is None else time.monotonic() + self.means.seconds
        self.base, self.proof = self._asked(self.position).run(prove=True, whole=True)
        self.tried, self.unread = 0, 0
        found, limit = list[Changed](), None
        if self.base.verdict in (Verdict.YES, Verdict.NO):
            try:
                limit = self._try(found)
            except _TimeOver:
                limit = self._too_late
        return self._answer(found, limit or self.base.limit)

    @cached_property
    def opened(self) -> Position:
        assert self.position.opened is not None
        return self.position.opened

    @cached_property
    def others(self) -> Mapping[str, list[str]]:
        """For each switch of the rules the readings that are not those of the position and have a meaning."""
        words, here = self.position.written.kit.switches(), self.position.readings
        return {
            id: [v for v in words[id].values if v != here.get(id, words[id].default) and v not in words[id].undetermined]
            for id in (switch.id for switch in self.opened.rules.switches)
        }

    @property
    def _over(self) -> bool:
        return self.until is not None and time.monotonic() > self.until

    @property
    def _too_late(self) -> Sentence:
        return Sentence(f"only {self.means.seconds} seconds were allowed", f"{self.means.seconds}秒までしか調べていない")

    def _within_time(self, successors: Successors) -> Successors:
        """The same moves as long as there is time; raises _TimeOver after that."""

        def steps(state: State) -> list[tuple[Move, State | None]]:
            if self._over:
                raise _TimeOver
            return successors(state)

        return steps

    def _asked(self, position: Position) -> Solving:
        left = None if self.until is None else max(0.001, self.until - time.monotonic())
        return Solving(position, self.goal, player=self.player, turns=self.turns, means=replace(self.means, seconds=left, jobs=1, begun=time.monotonic()))

    def _try(self, found: list[Changed]) -> Sentence | None:
        """Adds the changes that matter; why not all were tried, if so.

        All ways to read the text are parted by the readings that were consulted: an entry stands for all that agree
        with it on ``settled``, and what its walk did not consult makes no difference to them.
        """
        consulted = self._follow((), self.proof)
        waiting = deque(self._parted({}, (), consulted))
        self.follows, self.unread = consulted is not None, 0 if consulted is None else len(self.others) - len(consulted)
        several = 0
        while waiting:
            settled, changed = waiting.popleft()
            if self._over:
                return self._too_late
            if len(changed) > 1 and found:
                return None
            several += len(changed) > 1
            if several > self.most:
                return Sentence(f"no single reading changes it; of combinations only {self.most} were tried",
                                f"一つの読みだけでは変わらない。読みの組み合わせは{self.most}通りしか試していない")  # fmt: skip
            verdict, consulted = self._under(changed)
            self.tried += 1
            if verdict is not self.base.verdict:
                found.append(Changed(changed, verdict))
            else:
                waiting += self._parted(settled, changed, consulted)
        return None

    def _parted(self, settled: Mapping[str, str | None], changed: Readings, consulted: set[str] | None) -> list[tuple[dict[str, str | None], Readings]]:
        """What is left of an entry: the first consulted switch read otherwise, or that one as it is and the second otherwise, ..."""
        parts, kept = list[tuple[dict[str, str | None], Readings]](), dict(settled)
        for id, values in self.others.items():
            if id not in kept and (consulted is None or id in consulted):
                parts += [({**kept, id: value}, (*changed, (id, value))) for value in values]
                kept[id] = None
        return parts

    def _under(self, changed: Readings) -> tuple[Verdict, set[str] | None]:
        """The verdict where these are read otherwise, and what was consulted (None: not known)."""
        from monjudge.reports.judge import Position

        consulted = self._follow(changed, self.proof) if self.follows else None
        if consulted is not None:
            return self.base.verdict, consulted
        try:
            position = Position(self.position.written.kit.position(self.position.data, readings=self._readings(changed)))
            if self.proof is not None and self._still_holds(position, self.proof):
                return self.base.verdict, None
            answer, proof = self._asked(position).run(prove=True, whole=True)
        except DataError:  # what the goal speaks of is not there when the text is read so
            return Verdict.UNDETERMINED, None
        except LimitReached:
            return Verdict.UNKNOWN, None
        return answer.verdict, self._follow(changed, proof) if self.follows else None

    def _readings(self, changed: Readings) -> dict[str, str]:
        return {**self.position.readings, **dict(changed)}

    # -- a proof under other readings ------------------------------------------------------

    def _still_holds(self, position: Position, proof: Proof) -> bool:
        """Whether the same decisions prove the same claim by the rules of one reading."""
        try:
            goal = position.written.kit.goal(position.written.at(position.state), self.goal, self.player - 1, self.turns).when
            by = self._within_time(Consulted(position.rules).steps)
            check(moved(proof.evidence, position.rules, position.state, goal), position.rules, goal, by)
        except (Refused, DataError):
            return False
        return True

    @cached_property
    def reread(self) -> Reread:
        """The position and the goal with all readings open. Raises DataError as the goal is read."""
        written = self.opened.written
        goal = written.kit.goal(written.at(self.opened.state), self.goal, self.player - 1, self.turns).when
        return Reread(self.opened.rules, written.state, goal, self._within_time)

    def _follow(self, changed: Readings, proof: Proof | None) -> set[str] | None:
        """The readings that were consulted when the same decisions proved the same claim; None where they do not."""
        try:
            return None if proof is None else self.reread.follow(proof.evidence, dict(changed))
        except DataError:
            return None

    def _answer(self, found: list[Changed], limit: Sentence | None) -> OverReadings:
        base: Solved = self.base
        certain = any(change.verdict in (Verdict.YES, Verdict.NO) for change in found)
        verdict = Verdict.DEPENDS if certain else Verdict.UNKNOWN if found or limit is not None else base.verdict
        words = self.position.written.kit.switches()
        titles = {id: words[id].title for change in found for id, _ in change.readings}
        asked = [f"--goal={self.goal}", f"--player={self.player}", *([f"--turns={self.turns}"] if self.turns else []), "--readings=all"]
        return OverReadings(verdict, replace(base, asked=None), tuple(found), titles, self.tried, self.unread, limit, self.position.asked("solve", *asked))

