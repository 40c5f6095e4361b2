"""Whether a forced goal hangs on how the text is read: first every single reading changed, then several at once.

A proof found under one reading is tried under another by the reference alone; only where it does not hold is the
question searched again. What cannot be tried within the limit makes the answer unknown, never "robust".
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from monjudge.model.language.export import content_hash
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.solved import Changed, OverReadings
from monjudge.reports.running import Means, Solving
from monjudge.solvers.certificate import Refused, check
from monjudge.solvers.verdict import Verdict

if TYPE_CHECKING:
    from monjudge.reports.answers.solved import Solved
    from monjudge.reports.judge import Position
    from monjudge.reports.solving import Proof

__all__ = ["COMBINATIONS", "over_readings"]

COMBINATIONS = 64
"""So many combinations of readings are tried beside the single changes."""

Readings = tuple[tuple[str, str], ...]


def over_readings(
    position: Position, goal: str = "win", *, player: int = 1, turns: int | None = None, means: Means | None = None,
    combinations: int = COMBINATIONS,
) -> OverReadings:  # fmt: skip
    """The answer under the readings of the position, and every reading that changes it. Raises as ``Solving``.

    DEPENDS where one does; robust where every combination of the readings that the rules consult gives the same answer.
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
        opened = self.position.opened
        if opened is None:
            name = self.position.written.kit.title
            raise DataError([Defect("--readings", Sentence(f"the text of {name.en} has one reading", f"{name.ja}の文面の読み方は一つしかない"), "unknown-word")])
        self.until = None if self.means.seconds is None else time.monotonic() + self.means.seconds
        self.base, self.proof = self._asked(self.position).run(prove=True)
        self.tried = 0
        others = self._others([switch.id for switch in opened.rules.switches])
        found, limit = list[Changed](), None
        if self.base.verdict in (Verdict.YES, Verdict.NO):
            singles: list[Readings] = [((id, value),) for id, values in others.items() for value in values]
            several = _several(others)
            limit = self._try(singles, found) or (None if found else self._try(itertools.islice(several, self.most), found))
            if limit is None and not found and next(several, None) is not None:
                limit = Sentence(f"no single reading changes it; of combinations only {self.most} were tried",
                                 f"一つの読みだけでは変わらない。読みの組み合わせは{self.most}通りしか試していない")  # fmt: skip
        return self._answer(found, limit or self.base.limit)

    def _asked(self, position: Position) -> Solving:
        left = None if self.until is None else max(0.001, self.until - time.monotonic())
        return Solving(position, self.goal, player=self.player, turns=self.turns, means=replace(self.means, seconds=left, jobs=1))

    def _others(self, ids: list[str]) -> Mapping[str, list[str]]:
        """For each switch that the rules consult the readings that are not those of the position and have a meaning."""
        words, here = self.position.written.kit.switches(), self.position.readings
        return {
            id: [v for v in words[id].values if v != here.get(id, words[id].default) and v not in words[id].undetermined]
            for id in ids
        }

    def _try(self, changes: Iterable[Readings], found: list[Changed]) -> Sentence | None:
        """Adds the changes that matter; why not all were tried, if so."""
        for readings in changes:
            if self.until is not None and time.monotonic() > self.until:
                return Sentence(f"only {self.means.seconds} seconds were allowed", f"{self.means.seconds}秒までしか調べていない")
            verdict = self._under(readings)
            self.tried += 1
            if verdict is not self.base.verdict:
                found.append(Changed(readings, verdict))
        return None

    def _under(self, readings: Readings) -> Verdict:
        """The verdict where these are read otherwise."""
        from monjudge.reports.judge import Position

        position = Position(self.position.written.kit.position(self.position.data, readings=dict(readings)))
        if self.proof is not None and self._still_holds(position, self.proof):
            return self.base.verdict
        try:
            return self._asked(position).run()[0].verdict
        except DataError:  # what the goal speaks of is not there when the text is read so
            return Verdict.UNDETERMINED

    def _still_holds(self, position: Position, proof: Proof) -> bool:
        """Whether the same decisions prove the same claim under other rules."""
        evidence = replace(
            proof.evidence, rules=content_hash(position.rules), witness=(),
            claim={**proof.evidence.claim, "state": list(position.state)},
        )  # fmt: skip
        try:
            goal = position.written.kit.goal(position.written.at(position.state), self.goal, self.player - 1, self.turns)
            declared = any(g.name == goal.text for g in position.rules.goals)
            if not declared:
                evidence = replace(evidence, claim={**evidence.claim, "goal": repr(goal.when)})
            check(evidence, position.rules, None if declared else goal.when)
        except (Refused, DataError):
            return False
        return True

    def _answer(self, found: list[Changed], limit: Sentence | None) -> OverReadings:
        base: Solved = self.base
        certain = any(change.verdict in (Verdict.YES, Verdict.NO) for change in found)
        verdict = Verdict.DEPENDS if certain else Verdict.UNKNOWN if found or limit is not None else base.verdict
        words = self.position.written.kit.switches()
        titles = {id: words[id].title for change in found for id, _ in change.readings}
        asked = [f"--goal={self.goal}", f"--player={self.player}", *([f"--turns={self.turns}"] if self.turns else []), "--readings=all"]
        return OverReadings(verdict, replace(base, asked=None), tuple(found), titles, self.tried, limit, self.position.asked("solve", *asked))


def _several(others: Mapping[str, list[str]]) -> Iterator[Readings]:
    """Two readings changed at once, then three, and so on."""
    for size in range(2, len(others) + 1):
        for ids in itertools.combinations(others, size):
            for values in itertools.product(*(others[id] for id in ids)):
                yield tuple(zip(ids, values, strict=True))
