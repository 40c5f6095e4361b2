"""Texts to read: a clause, a code, an ambiguous place of the text with its readings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Asked, Single, Voice, in_both, joined
from monjudge.solvers.verdict import Verdict

__all__ = ["Entry", "SwitchEntry"]


_NONE = Sentence("", "")


@dataclass(frozen=True)
class Entry(Single):
    """A clause or a code: its id, what it says, and further paragraphs."""

    kind: ClassVar[str] = "text"
    id: str
    said: Sentence
    ref: str = ""
    title: Sentence = _NONE
    more: tuple[Sentence, ...] = ()
    asked: Asked | None = None

    @property
    def verdict(self) -> Verdict:
        return Verdict.YES

    def text(self, voice: Voice) -> Iterator[str]:
        ref = voice.faint(f" [{self.ref}]") if self.ref else ""
        title = voice(self.title)
        yield f"{voice.strong(self.id)}  {title or voice(self.said)}{ref}"
        if title:
            yield f"  {voice(self.said)}"
        yield from (f"  {voice(part)}" for part in self.more)

    def brief(self, voice: Voice) -> Iterator[str]:
        yield f"{self.id} {voice(self.title) or voice(self.said)}"

    def data(self) -> dict[str, Any]:
        return {
            "id": self.id, "ref": self.ref, "title": in_both(self.title), "text": in_both(self.said),
            "more": [in_both(part) for part in self.more],
        }  # fmt: skip


@dataclass(frozen=True)
class SwitchEntry(Single):
    """An ambiguous place of the text: its readings, which of them is the default, and whether another can be chosen."""

    kind: ClassVar[str] = "switch"
    id: str
    name: str
    title: Sentence
    why: Sentence
    reason: Sentence
    default: str
    fixed: bool
    values: Mapping[str, Sentence] = field(default_factory=dict)
    clauses: tuple[str, ...] = ()
    severity: str = ""
    whole: bool = True
    asked: Asked | None = None

    @property
    def verdict(self) -> Verdict:
        return Verdict.YES

    def text(self, voice: Voice) -> Iterator[str]:
        held = voice(_FIXED) if self.fixed else ""
        yield f"{voice.strong(self.id)}  {voice(self.title)}{held}"
        if not self.whole:
            return
        if self.why.en:
            yield f"  {voice(self.why)}"
        width = max(map(len, self.values))
        for value, said in self.values.items():
            mark = "*" if value == self.default else " "
            yield f"  {mark} {value:{width}}  {voice(said)}"
        if self.reason.en:
            yield f"  {voice(_WHY)}{joined(voice)}{voice(self.reason)}"
        if self.clauses:
            yield f"  {voice(_CLAUSES)}{joined(voice)}{', '.join(self.clauses)}"

    def brief(self, voice: Voice) -> Iterator[str]:
        yield f"{self.id}={self.default} {voice(self.title)}"

    def data(self) -> dict[str, Any]:
        return {
            "id": self.id, "name": self.name, "title": in_both(self.title), "why": in_both(self.why), "reason": in_both(self.reason),
            "default": self.default, "fixed": self.fixed, "values": {k: in_both(v) for k, v in self.values.items()},
            "clauses": list(self.clauses), "severity": self.severity,
        }  # fmt: skip


_FIXED = Sentence("  (fixed in this version)", "（この版では固定）")
_WHY = Sentence("why * is the default", "* が既定の理由")
_CLAUSES = Sentence("clauses", "条項")
