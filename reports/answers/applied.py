"""What moves do: the position after them, what changed, and which rules fired by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Asked, ClauseWords, MoveWords, Voice, in_both, joined
from monjudge.solvers.verdict import Verdict

if TYPE_CHECKING:
    from monjudge.solvers.play import Change

__all__ = ["Applied", "Done"]

FEW = 8
"""So many moves are told even briefly."""


@dataclass(frozen=True)
class Done:
    """One move, the cells that changed and the rules that fired, in order; ``facts`` is what there is now in the game's words."""

    move: MoveWords
    changes: tuple[Change, ...]
    fired: tuple[ClauseWords, ...]
    facts: tuple[Sentence, ...] = ()

    def data(self) -> dict[str, Any]:
        changes = [{"field": c.field, "indices": list(c.indices), "before": c.before, "after": c.after} for c in self.changes]
        return {"move": self.move.data(), "changes": changes, "fired": [clause.data() for clause in self.fired],
                "facts": [in_both(fact) for fact in self.facts]}  # fmt: skip

    def text(self, voice: Voice) -> Iterator[str]:
        yield f"{self.move.text}  {voice(self.move.said)}"
        if self.facts:
            yield voice.faint(f"  {('、' if voice.lang == 'ja' else '; ').join(map(voice, self.facts))}")
        else:
            yield from (f"  {voice.faint(str(change))}" for change in self.changes)
        yield from (f"  {voice.sign('>', '→')} {clause.line(voice)}" for clause in self.fired)


@dataclass(frozen=True)
class Applied:
    """A line of play that was made. ``line`` is the position after it in one line; ``briefly`` leaves many moves to JSON."""

    kind: ClassVar[str] = "apply"
    done: tuple[Done, ...]
    line: str
    end: Sentence
    start: str = ""
    seed: int | None = None
    asked: Asked | None = None
    briefly: bool = False

    @property
    def verdict(self) -> Verdict:
        return Verdict.YES

    def text(self, voice: Voice) -> Iterator[str]:
        if self.briefly and len(self.done) > FEW:
            yield voice(Sentence(f"Chance decided {len(self.done)} times (monjudge show draws the position, --format json says every draw).",
                                 f"偶然による決定：{len(self.done)}回（局面は monjudge show で描け、引かれたものは --format json にすべてある）"))  # fmt: skip
        else:
            for done in self.done:
                yield from done.text(voice)
        yield f"{voice(_POSITION)}{joined(voice)}{self.line}"
        if self.end.en:
            yield voice(self.end)
        if self.seed is not None:
            yield f"{voice(_SEED)}{joined(voice)}{self.seed}"

    def brief(self, voice: Voice) -> Iterator[str]:
        yield self.line

    def data(self) -> dict[str, Any]:
        return {
            "done": [done.data() for done in self.done], "start": self.start, "line": self.line,
            "end": in_both(self.end), "seed": self.seed,
        }  # fmt: skip

    def records(self) -> Iterator[dict[str, Any]]:
        yield from (done.data() for done in self.done)
        yield {"line": self.line, "end": in_both(self.end)}


_POSITION, _SEED = Sentence("Position", "局面"), Sentence("Seed", "乱数の種")
