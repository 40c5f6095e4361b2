"""The whole turns that a player can make: how many, which, and the best by a measure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Asked, MoveWords, Voice, in_both, joined
from monjudge.solvers.verdict import Verdict

__all__ = ["BestPlan", "PlanWords", "PlansAnswer"]

_ENDS = {
    "done": Sentence("the turn ends", "ここまで"),
    "chance": Sentence("chance decides", "続きは偶然による"),
    "reveal": Sentence("something hidden is seen", "隠れていたものが見える"),
}


@dataclass(frozen=True)
class PlanWords:
    """One plan: its moves, why it ends there, the position after it, and how many orders come to the same (None: no end of them)."""

    moves: tuple[MoveWords, ...]
    end: str
    line: str
    orders: int | None

    def data(self) -> dict[str, Any]:
        return {"moves": [move.data() for move in self.moves], "end": self.end, "line": self.line, "orders": self.orders}

    def text(self, voice: Voice) -> Iterator[str]:
        yield from (f"    {move.text}  {voice(move.said)}" for move in self.moves)

    def heading(self, voice: Voice) -> str:
        same = "" if self.orders in (None, 1) else voice(Sentence(f", {self.orders} orders", f"、{self.orders}通りの順序"))
        return f"{voice(_ENDS[self.end])}{same}"

    @property
    def line_of_moves(self) -> str:
        return " / ".join(move.text for move in self.moves)


@dataclass(frozen=True)
class BestPlan:
    """The greatest value of a measure, exact (``7/2``), with the plan to begin with."""

    measure: Sentence
    value: str
    plan: PlanWords

    def data(self) -> dict[str, Any]:
        return {"measure": in_both(self.measure), "value": self.value, "plan": self.plan.data()}


@dataclass(frozen=True)
class PlansAnswer:
    """How many plans there are (``count``), in how many orders (``sequences``); some of them, or the best.

    Where ``limit`` is set the counts are lower bounds, and the best is the best of what was seen.
    """

    kind: ClassVar[str] = "plans"
    player: Sentence
    count: int
    sequences: int | None
    states: int
    listed: tuple[PlanWords, ...] = ()
    best: BestPlan | None = None
    limit: Sentence | None = None
    asked: Asked | None = None

    @property
    def verdict(self) -> Verdict:
        """Whether there is a plan; unknown where a limit was reached."""
        return Verdict.UNKNOWN if self.limit is not None else Verdict.YES if self.count else Verdict.NO

    def text(self, voice: Voice) -> Iterator[str]:
        least = "" if self.limit is None else voice(_AT_LEAST)
        orders = "" if self.sequences is None else voice(Sentence(f", in {self.sequences} orders", f"（順序まで区別すると{self.sequences}通り）"))
        yield voice(Sentence(f"{self.player.en}: {least}{self.count} plans{orders}", f"{self.player.ja}：{least}{self.count}通りの計画{orders}"))
        if self.limit is not None:
            yield f"  {voice(self.limit)}"
        for number, plan in enumerate(self.listed, 1):
            yield f"  {number}. {plan.heading(voice)}"
            yield from plan.text(voice)
        if self.best is not None:
            yield f"{voice(_BEST)}{voice(self.best.measure)}{joined(voice)}{self.best.value}"
            yield f"  {self.best.plan.heading(voice)}"
            yield from self.best.plan.text(voice)
            yield f"  {voice(_POSITION)}{joined(voice)}{self.best.plan.line}"

    def brief(self, voice: Voice) -> Iterator[str]:
        yield f"{self.count}"
        if self.best is not None:
            yield f"{self.best.value} {self.best.plan.line_of_moves}"
        yield from (plan.line_of_moves for plan in self.listed)

    def data(self) -> dict[str, Any]:
        return {
            "player": in_both(self.player), "count": self.count, "sequences": self.sequences, "states": self.states,
            "plans": [plan.data() for plan in self.listed], "best": None if self.best is None else self.best.data(),
            "limit": None if self.limit is None else in_both(self.limit),
        }  # fmt: skip

    def records(self) -> Iterator[dict[str, Any]]:
        whole = self.data()
        yield from whole.pop("plans")
        yield whole


_AT_LEAST = Sentence("at least ", "少なくとも")
_BEST = Sentence("best by ", "最善：")
_POSITION = Sentence("position", "局面")
