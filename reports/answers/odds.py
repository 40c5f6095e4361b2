"""With what probability a goal is reached under best play of both sides, exactly, and by which moves or mixtures of plans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Asked, MoveWords, Single, Voice, if_told, in_both, joined
from monjudge.solvers.verdict import Verdict

__all__ = ["Mixture", "OddsAnswer", "WeighedWords"]

Mixture = tuple[tuple[tuple[MoveWords, ...], Fraction], ...]
"""Plans with their probabilities."""


@dataclass(frozen=True)
class WeighedWords:
    """A move of a line with the probability after it; where chance decides all ``outcomes`` with theirs."""

    move: MoveWords
    value: Fraction
    outcomes: tuple[tuple[MoveWords, Fraction], ...] = ()

    def data(self) -> dict[str, Any]:
        return {
            "move": self.move.data(), "probability": str(self.value),
            "outcomes": [{"move": move.data(), "probability": str(value)} for move, value in self.outcomes],
        }  # fmt: skip

    def text(self, number: int, voice: Voice) -> Iterator[str]:
        yield f"  {number:3}. {self.move.text}  {voice(self.move.said)}" + (f"  {self.value}" if len(self.outcomes) > 1 else "")
        others: dict[Fraction, list[str]] = {}
        for move, value in self.outcomes:
            if move.text != self.move.text:
                others.setdefault(value, []).append(move.text)
        for value, moves in others.items():
            yield f"       {voice(_ELSE)}{joined(voice)}{' | '.join(moves)}  {value}"


@dataclass(frozen=True)
class OddsAnswer(Single):
    """The probability lies in ``low..high``; ``limit`` says why the two differ, if they do.

    With ``at_least`` the verdict says whether it is at least so much, else whether it is known. ``moves`` are the
    player's first moves with their probabilities; ``plans`` and ``replies`` the mixtures of a blind beginning. ``line`` is best play where chance is kind.
    """

    kind: ClassVar[str] = "odds"
    player: Sentence
    goal: Sentence
    turns: int | None
    low: Fraction
    high: Fraction
    nodes: int
    at_least: Fraction | None = None
    moves: tuple[tuple[MoveWords, Fraction], ...] = ()
    plans: Mixture = ()
    replies: Mixture = ()
    limit: Sentence | None = None
    asked: Asked | None = None
    rolls: tuple[MoveWords, ...] = ()
    line: tuple[WeighedWords, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Decided with fractions, never with rounded numbers."""
        if self.at_least is None:
            return Verdict.YES if self.low == self.high else Verdict.UNKNOWN
        if self.low >= self.at_least:
            return Verdict.YES
        return Verdict.NO if self.high < self.at_least else Verdict.UNKNOWN

    @property
    def sentence(self) -> Sentence:
        """What is answered."""
        en = "" if self.turns is None else f" within {self.turns} turn{'s' * (self.turns != 1)}"
        ja = "" if self.turns is None else f"{self.turns}ターン以内に"
        told = if_told(self.rolls)
        odds = f"{self.low}" if self.low == self.high else f"{self.low}..{self.high}"
        return Sentence(
            f"{self.player.en} reaches it{en} with probability {odds} under best play of both{told.en}: {self.goal.en}.",
            f"{told.ja}双方が最善を尽くすと、{self.player.ja}が{ja}達成する確率は{odds}（{self.goal.ja}）。",
        )

    def text(self, voice: Voice) -> Iterator[str]:
        yield f"{voice.verdict(self.verdict)}{joined(voice)}{voice(self.sentence)}"
        if self.at_least is not None:
            yield f"  {voice(Sentence(f'asked: at least {self.at_least}', f'問い：{self.at_least}以上か'))}"
        if self.limit is not None:
            yield f"  {voice(self.limit)}"
        best = max((value for _, value in self.moves), default=None)
        for move, value in self.moves:
            yield f"  {voice.sign('*', '★') if value == best else ' '} {value}  {move.text}  {voice(move.said)}"
        for title, mixture in ((_PLANS, self.plans), (_REPLIES, self.replies)):
            if mixture:
                yield voice(title)
                yield from (f"  {value}  {' / '.join(move.text for move in plan)}" for plan, value in mixture)
        if self.line:
            yield voice(_LINE)
            for number, one in enumerate(self.line, 1):
                yield from one.text(number, voice)
        yield voice.faint(voice(Sentence(f"positions worked out: {self.nodes:,}", f"計算した局面：{self.nodes:,}")))

    def brief(self, voice: Voice) -> Iterator[str]:
        yield f"{self.verdict} {self.low}" + ("" if self.low == self.high else f"..{self.high}")
        yield from (f"{value} {move.text}" for move, value in self.moves)

    def data(self) -> dict[str, Any]:
        def written(mixture: Mixture) -> list[dict[str, Any]]:
            return [{"probability": str(value), "moves": [move.data() for move in plan]} for plan, value in mixture]

        return {
            "player": in_both(self.player), "goal": in_both(self.goal), "turns": self.turns, "low": str(self.low), "high": str(self.high),
            "at_least": None if self.at_least is None else str(self.at_least), "nodes": self.nodes,
            "moves": [{"probability": str(value), "move": move.data()} for move, value in self.moves],
            "plans": written(self.plans), "replies": written(self.replies), "limit": None if self.limit is None else in_both(self.limit),
            "rolls": [move.data() for move in self.rolls], "line": [one.data() for one in self.line],
        }  # fmt: skip


_LINE = Sentence("Best play where chance is kind:", "運がよいときの最善の手順：")
_ELSE = Sentence("else", "ほかの結果")
_PLANS = Sentence("The player mixes these plans:", "解く側はこれらの計画を混ぜる：")
_REPLIES = Sentence("The others mix these:", "相手側はこれらを混ぜる：")
