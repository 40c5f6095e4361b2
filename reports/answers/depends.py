"""On which readings of the text an answer hangs: single changes that flip it, or all smallest sets that decide it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import COLOURS, VERDICTS, Asked, Single, Voice, in_both, joined
from monjudge.solvers.verdict import Verdict

__all__ = ["Depends", "FlipWords", "Flips", "SwitchWords"]


@dataclass(frozen=True)
class SwitchWords:
    """A switch with its title, and what each of its readings means."""

    id: str
    title: Sentence
    values: Mapping[str, Sentence]

    def data(self) -> dict[str, Any]:
        return {"id": self.id, "title": in_both(self.title)}


@dataclass(frozen=True)
class FlipWords:
    """One switch read in another way, and the verdict then."""

    switch: SwitchWords
    value: str
    verdict: Verdict

    def data(self) -> dict[str, Any]:
        return {"switch": self.switch.data(), "value": self.value, "verdict": str(self.verdict)}


@dataclass(frozen=True)
class Flips:
    """Every single change of a reading that changes the answer; ``asked`` switches were looked at."""

    asked: int
    flips: tuple[FlipWords, ...] = ()
    limit: Sentence | None = None

    def lines(self, voice: Voice) -> Iterator[str]:
        if self.limit is not None:
            yield voice(Sentence(f"Which readings would change this is unknown: {self.limit.en}", f"どの読みで変わるかは不明：{self.limit.ja}"))
        elif self.flips:
            yield voice(Sentence("Under another reading:", "別の読みでは："))
            for flip in self.flips:
                meaning = voice(flip.switch.values.get(flip.value, Sentence("", "")))
                verdict = voice.painted(voice(VERDICTS[flip.verdict]), COLOURS[flip.verdict])
                yield f"  {flip.switch.id}={flip.value}{joined(voice)}{verdict}  {voice.faint(meaning)}"
        else:
            yield voice(Sentence(f"No other reading of any one of {self.asked} switches changes this.",
                                 f"{self.asked}個の読みのどれか一つを変えても、答えは変わらない。"))  # fmt: skip

    def data(self) -> dict[str, Any]:
        return {
            "asked": self.asked, "flips": [flip.data() for flip in self.flips], "limit": None if self.limit is None else in_both(self.limit)
        }


Part = tuple[str, tuple[str, ...]]
"""A switch and the readings of it that will do."""


@dataclass(frozen=True)
class Depends(Single):
    """The answer for all readings; ``when`` has for each verdict that occurs all smallest sets of readings that give it."""

    kind: ClassVar[str] = "depends"
    verdict: Verdict
    text_of: str
    said: Sentence
    when: tuple[tuple[Verdict, tuple[tuple[Part, ...], ...]], ...] = ()
    switches: tuple[SwitchWords, ...] = ()
    limit: Sentence | None = None
    asked: Asked | None = None

    def text(self, voice: Voice) -> Iterator[str]:
        said = voice(self.said).rstrip(".。")
        yield f"{voice.verdict(self.verdict)}{joined(voice)}{said}  ({self.text_of})"
        if self.limit is not None:
            yield f"  {voice(self.limit)}"
        if not self.when:
            if self.limit is None:
                yield f"  {voice(_ALWAYS)}"
            return
        for verdict, implicants in self.when:
            yield f"  {voice.painted(voice(VERDICTS[verdict]), COLOURS[verdict])}{voice(_IF)}"
            yield from (f"    - {self._conjunction(parts, voice)}" for parts in implicants)
        yield from (f"  {switch.id}  {voice(switch.title)}" for switch in self.switches)

    def _conjunction(self, parts: tuple[Part, ...], voice: Voice) -> str:
        joined_values = "、" if voice.lang == "ja" else " or "
        said = [f"{switch} = {joined_values.join(values)}" for switch, values in parts]
        return ("、かつ " if voice.lang == "ja" else ", and ").join(said)

    def brief(self, voice: Voice) -> Iterator[str]:
        yield f"{self.verdict} {self.text_of}"
        for verdict, implicants in self.when:
            yield from (f"{verdict} {self.text_of} {' & '.join(f'{s}={chr(124).join(v)}' for s, v in parts)}" for parts in implicants)

    def data(self) -> dict[str, Any]:
        when = [
            {"verdict": str(verdict), "readings": [[{"switch": s, "values": list(v)} for s, v in parts] for parts in implicants]}
            for verdict, implicants in self.when
        ]
        return {
            "question": self.text_of, "said": in_both(self.said), "when": when, "switches": [s.data() for s in self.switches],
            "limit": None if self.limit is None else in_both(self.limit),
        }  # fmt: skip


_ALWAYS = Sentence("Under every reading of the text.", "文面をどう読んでも同じ。")
_IF = Sentence(", if", "（次のどれかのとき）")
