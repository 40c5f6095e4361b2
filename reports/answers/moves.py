"""The legal moves of a position, grouped by what is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Asked, ClauseWords, MoveWords, Voice, in_both, joined, summary_of
from monjudge.solvers.verdict import Verdict

__all__ = ["Group", "Moves", "Undecided"]


@dataclass(frozen=True)
class Group:
    """The moves of one kind, with the rules that every one of them satisfies.

    ``certain`` is False where the one who looks cannot know whether they are legal; what he cannot know of them is ``?``.
    """

    action: str
    title: Sentence
    clauses: tuple[ClauseWords, ...]
    moves: tuple[MoveWords, ...]
    certain: bool = True

    def data(self) -> dict[str, Any]:
        return {
            "action": self.action, "title": in_both(self.title), "certain": self.certain,
            "clauses": [clause.data() for clause in self.clauses], "moves": [move.data() for move in self.moves],
        }  # fmt: skip


@dataclass(frozen=True)
class Undecided:
    """A move that no rule forbids and that is not certainly legal: the text is silent, or a bound of the model is passed."""

    verdict: Verdict
    limit: Sentence
    move: MoveWords

    def data(self) -> dict[str, Any]:
        return {"verdict": str(self.verdict), "limit": in_both(self.limit), "move": self.move.data()}


@dataclass(frozen=True)
class Moves:
    """All legal moves, and those of which it is not certain whether they are.

    ``viewer`` is the player as whom one looks, if not everything is shown. ``over`` says why there is no move.
    """

    kind: ClassVar[str] = "moves"
    groups: tuple[Group, ...]
    viewer: Sentence | None = None
    over: ClauseWords | None = None
    asked: Asked | None = None
    undecided: tuple[Undecided, ...] = ()

    @property
    def count(self) -> int:
        return sum(len(group.moves) for group in self.groups)

    @property
    def verdict(self) -> Verdict:
        """Whether there is a move."""
        return Verdict.YES if self.groups else self.undecided[0].verdict if self.undecided else Verdict.NO

    def text(self, voice: Voice) -> Iterator[str]:
        if self.viewer is not None:
            yield voice(Sentence(f"As {self.viewer.en} sees it:", f"{self.viewer.ja}から見た局面："))
        for group in self.groups:
            unsure = "" if group.certain else voice(_POSSIBLE)
            yield f"{voice.strong(voice(group.title))}{unsure}  ({len(group.moves)})"
            yield voice.faint(f"  {voice(_BY)}{joined(voice)}{summary_of(group.clauses)}")
            width = max(len(move.text) for move in group.moves)
            yield from (f"  {move.text:{width}}  {voice(move.said)}" for move in group.moves)
        for one in self.undecided:
            yield f"{voice.verdict(one.verdict)}{joined(voice)}{one.move.text}  {voice(one.move.said)}"
            yield f"  {voice(one.limit)}"
        yield self._sum(voice)

    def _sum(self, voice: Voice) -> str:
        if self.groups:
            return voice(Sentence(f"Legal moves: {self.count}", f"合法手：{self.count}"))
        if self.over is not None:
            return voice(Sentence(f"No move: {self.over.said.en} ({self.over.id})", f"手はない：{self.over.said.ja}（{self.over.id}）"))
        if self.undecided:
            return voice(Sentence("No move is certainly legal.", "確かに合法といえる手はない。"))
        return voice(Sentence("There is no legal move.", "合法手はない。"))

    def brief(self, voice: Voice) -> Iterator[str]:
        for group in self.groups:
            yield from (move.text for move in group.moves)

    def data(self) -> dict[str, Any]:
        return {
            "count": self.count,
            "groups": [group.data() for group in self.groups],
            "over": None if self.over is None else self.over.data(),
            "undecided": [one.data() for one in self.undecided],
            "viewer": None if self.viewer is None else in_both(self.viewer),
        }

    def records(self) -> Iterator[dict[str, Any]]:
        for group in self.groups:
            clauses = [clause.id for clause in group.clauses]
            yield from ({**move.data(), "certain": group.certain, "clauses": clauses} for move in group.moves)


_BY = Sentence("granted by", "根拠")
_POSSIBLE = Sentence(" - perhaps", "（できるとは限らない）")
