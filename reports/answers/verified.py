"""What the prover says of a property: for people, for programs, and in the forms of test reports and of annotations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar
from xml.sax.saxutils import escape, quoteattr

from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import COLOURS, Asked, Single, Voice, in_both, joined
from monjudge.reports.answers.bounds import bounds_said
from monjudge.reports.answers.witness import Witness
from monjudge.solvers.certificate import Evidence
from monjudge.solvers.verdict import Verdict
from monjudge.verify.flips import Answered, Flip

__all__ = ["COUNTED", "PROPERTIES", "WORD", "Verified", "github", "junit"]

WORD = {
    Verdict.YES: Sentence("holds", "成立"), Verdict.NO: Sentence("fails", "不成立"), Verdict.UNKNOWN: Sentence("undecided", "未決"),
    Verdict.UNDETERMINED: Sentence("says nothing", "無内容"),
}  # fmt: skip
PROPERTIES = Sentence("properties", "件の性質")
COUNTED = {Verdict.YES: Sentence("hold", "成立"), Verdict.NO: Sentence("fail", "不成立"), Verdict.UNKNOWN: WORD[Verdict.UNKNOWN]}
_FLIPS = Sentence("other readings", "ほかの読み")
_NOTE = Sentence("note", "注")
_UNASKED = Sentence("not worked out for", "調べていない読み")
_TOGETHER = Sentence("readings taken together", "読みの組み合わせ")
_OPEN = Sentence("readings left open", "開いておいた読み")
_NAMES = 6
"""So many switches are named to a person."""


@dataclass(frozen=True)
class Verified(Single):
    """The verdict on one property, with what shows it: told as a ``whole``, or the last move of a line alone."""

    kind: ClassVar[str] = "verify"
    answered: Answered
    asked: Asked | None = None
    witness: Witness | None = None
    whole: bool = False

    @property
    def verdict(self) -> Verdict:
        return self.answered.found.verdict

    @property
    def id(self) -> str:
        return self.answered.found.prop.id

    @property
    def claim(self) -> Sentence:
        return Sentence(self.answered.found.prop.en, self.answered.found.prop.ja)

    @property
    def note(self) -> Sentence | None:
        """Why the verdict is another than one would expect, where the property says so."""
        note = self.answered.found.prop.note
        return None if note is None else Sentence(*note)

    def text(self, voice: Voice) -> Iterator[str]:
        found = self.answered.found
        word = voice.painted(voice(WORD[self.verdict]), COLOURS[self.verdict])
        yield f"{word} {voice.strong(self.id)}{joined(voice)}{voice(self.claim)}"
        yield voice.faint(f"  {voice(found.why)}{self._within(voice)}")
        if self.note is not None:
            yield f"  {voice(_NOTE)}{joined(voice)}{voice(self.note)}"
        yield from self._turned(voice)
        if self.witness is not None:
            yield from self.witness.text(voice) if self.whole else self.witness.short(voice)

    def _within(self, voice: Voice) -> str:
        """The bounds, in brackets."""
        open = len(self.answered.setting.left)
        parts = [bounds_said(self.answered.found.bounds, voice), *([f"{voice(_OPEN)}{joined(voice)}{open}"] if open else [])]
        told = voice(Sentence("; ", "。")).join(filter(None, parts))
        return voice(Sentence(f" ({told})", f"（{told}）")) if told else ""

    def _turned(self, voice: Voice) -> Iterator[str]:
        """What turns the verdict, and of what that is not known."""
        if self.answered.flips:
            flips = ", ".join(f"{_written(f)} {voice(WORD[f.verdict])}" for f in self.answered.flips)
            yield f"  {voice(_FLIPS)}{joined(voice)}{flips}"
        if unasked := self.answered.unasked:
            rest = f" … ({len(unasked)})" if len(unasked) > _NAMES else ""
            yield voice.faint(f"  {voice(_UNASKED)}{joined(voice)}{', '.join(_left(name, voice) for name in unasked[:_NAMES])}{rest}")

    def brief(self, voice: Voice) -> Iterator[str]:
        flips = "".join(f" {_written(f)}:{voice(WORD[f.verdict])}" for f in self.answered.flips)
        yield f"{voice(WORD[self.verdict])} {self.id} {voice(self.answered.found.why)}{flips}"

    def data(self) -> dict[str, Any]:
        found = self.answered.found
        evidence = _shown(found.evidence)
        return {
            "id": self.id, "verdict": WORD[self.verdict].en, "claim": in_both(self.claim), "why": in_both(found.why),
            "note": None if self.note is None else in_both(self.note),
            "bounds": dict(found.bounds), "open": list(self.answered.setting.left),
            "flips": [{"readings": dict(f.readings), "verdict": WORD[f.verdict].en, "evidence": _shown(f.evidence)} for f in self.answered.flips],
            "unasked": list(self.answered.unasked), "used": _used(evidence), "milliseconds": round(1000 * found.seconds), "evidence": evidence,
            "witness": None if self.witness is None or not self.whole else self.witness.data(),
        }  # fmt: skip


def _left(name: str, voice: Voice) -> str:
    return voice(_TOGETHER) if name.endswith("=..., ...") else name


def _written(flip: Flip) -> str:
    return "+".join(f"{switch}={value}" for switch, value in flip.readings)


def _shown(evidence: Evidence | None) -> Any:
    return None if evidence is None else json.loads(evidence.to_json())


def _used(evidence: Any) -> list[str]:
    """What the rules were needed for a proof: ids of clauses, and the lemmas by number."""
    steps = {} if evidence is None else evidence["certificate"].get("used", {})
    return sorted({name for used in steps.values() for name in used if not name.startswith("[")}) if isinstance(steps, dict) else []


def junit(name: str, answers: Iterable[Verified], voice: Voice) -> Iterator[str]:
    """A test report in the form of JUnit: what fails is a failure, what is undecided was skipped."""
    cases, counts, seconds = list[str](), dict.fromkeys(Verdict, 0), 0.0
    for answer in answers:
        counts[answer.verdict] += 1
        seconds += answer.answered.found.seconds
        why = voice(answer.answered.found.why)
        said = "\n".join(answer.text(Voice(voice.lang, voice.ascii)))
        inner = {Verdict.YES: f"<system-out>{_xml(said)}</system-out>", Verdict.NO: f"<failure message={_attribute(why)}>{_xml(said)}</failure>"}
        cases.append(f"  <testcase classname={_attribute(name)} name={_attribute(answer.id)} time=\"{answer.answered.found.seconds:.3f}\">"
                     f"{inner.get(answer.verdict, f'<skipped message={_attribute(why)}/>')}</testcase>")  # fmt: skip
    undecided = len(cases) - counts[Verdict.YES] - counts[Verdict.NO]
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (f"<testsuite name={_attribute(name)} tests=\"{len(cases)}\" failures=\"{counts[Verdict.NO]}\" errors=\"0\" "
           f"skipped=\"{undecided}\" time=\"{seconds:.3f}\">")  # fmt: skip
    yield from cases
    yield "</testsuite>"


def github(answers: Iterable[Verified], voice: Voice) -> Iterator[str]:
    """Annotations as GitHub's workflows read them: an error for what fails, a warning for what is undecided."""
    for answer in answers:
        level = {Verdict.YES: "notice", Verdict.NO: "error"}.get(answer.verdict, "warning")
        title = f"{answer.id} {voice(WORD[answer.verdict])}"
        said = "\n".join([f"{voice(answer.claim)}", *list(answer.text(Voice(voice.lang, voice.ascii)))[1:]])
        yield f"::{level} title={_command(title).replace(':', '%3A').replace(',', '%2C')}::{_command(said)}"


def _command(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _legal(text: str) -> str:
    """Without the characters that XML has no way to write."""
    return "".join(c if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" else "\ufffd" for c in text)


def _xml(text: str) -> str:
    return escape(_legal(text))


def _attribute(text: str) -> str:
    return quoteattr(_legal(text))
