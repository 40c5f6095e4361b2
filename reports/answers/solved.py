"""Whether a player can force a goal, with a line of play to look at; and whether a proof of it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import COLOURS, Asked, MoveWords, Single, Voice, in_both, joined
from monjudge.solvers.verdict import Verdict

__all__ = ["Certified", "Solved"]


@dataclass(frozen=True)
class Solved(Single):
    """Whether the goal is forced: ``turns`` is the fewest of a win, or those within which there is none (None: ever).

    ``line`` is the strategy against the longest resistance, or the refutation of a try.
    """

    kind: ClassVar[str] = "solve"
    verdict: Verdict
    player: Sentence
    goal: Sentence
    turns: int | None
    nodes: int
    line: tuple[MoveWords, ...] = ()
    limit: Sentence | None = None
    asked: Asked | None = None

    def text(self, voice: Voice) -> Iterator[str]:
        yield f"{voice.verdict(self.verdict)}{joined(voice)}{voice(self.sentence)}"
        if self.limit is not None:
            yield f"  {voice(self.limit)}"
        yield from (f"  {number:3}. {move.text}  {voice(move.said)}" for number, move in enumerate(self.line, 1))
        yield voice.faint(voice(Sentence(f"positions expanded: {self.nodes:,}", f"調べた局面：{self.nodes:,}")))

    @property
    def sentence(self) -> Sentence:
        """What is answered."""
        who, what = self.player, self.goal
        en, ja = "", ""
        if self.turns is not None:
            en, ja = f" within {self.turns} turn{'s' * (self.turns != 1)}", f"{self.turns}ターン以内に"
        if self.verdict is Verdict.YES:
            return Sentence(f"{who.en} can force it{en}: {what.en}.", f"{who.ja}は{ja}必ず達成できる（{what.ja}）。")
        if self.verdict is Verdict.NO:
            return Sentence(f"{who.en} cannot force it{en}: {what.en}.", f"{who.ja}は{ja}必ず達成できるわけではない（{what.ja}）。")
        return Sentence(f"whether {who.en} can force it{en}: {what.en}.", f"{who.ja}が{ja}必ず達成できるかどうか（{what.ja}）。")

    def brief(self, voice: Voice) -> Iterator[str]:
        turns = "" if self.turns is None else f" {self.turns}"
        yield f"{self.verdict}{turns} {' / '.join(move.text for move in self.line)}".rstrip()

    def data(self) -> dict[str, Any]:
        return {
            "player": in_both(self.player), "goal": in_both(self.goal), "turns": self.turns, "nodes": self.nodes,
            "line": [move.data() for move in self.line], "limit": None if self.limit is None else in_both(self.limit),
        }  # fmt: skip


@dataclass(frozen=True)
class Certified(Single):
    """Whether a proof shows what it claims; ``refused`` says why not."""

    kind: ClassVar[str] = "certify"
    claim: Sentence
    positions: int = 0
    decisions: int = 0
    refused: Sentence | None = None
    asked: Asked | None = None

    @property
    def verdict(self) -> Verdict:
        return Verdict.YES if self.refused is None else Verdict.NO

    def text(self, voice: Voice) -> Iterator[str]:
        judged = _RIGHT if self.refused is None else _NOT_RIGHT
        yield f"{voice.painted(voice(judged), COLOURS[self.verdict])}{joined(voice)}{voice(self.claim)}"
        if self.refused is not None:
            yield f"  {voice(_REFUSED)}{joined(voice)}{voice(self.refused)}"
        else:
            yield voice.faint("  " + voice(Sentence(f"positions checked: {self.positions:,}, decisions: {self.decisions:,}",
                                                    f"検査した局面：{self.positions:,}、決定：{self.decisions:,}")))  # fmt: skip

    def brief(self, voice: Voice) -> Iterator[str]:
        yield f"{self.verdict} {voice(self.claim if self.refused is None else self.refused)}"

    def data(self) -> dict[str, Any]:
        return {
            "claim": in_both(self.claim), "positions": self.positions, "decisions": self.decisions,
            "refused": None if self.refused is None else in_both(self.refused),
        }  # fmt: skip


_RIGHT, _NOT_RIGHT = Sentence("The certificate is right", "証明は正しい"), Sentence("The certificate is not right", "証明は正しくない")
_REFUSED = Sentence("why", "理由")
