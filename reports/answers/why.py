"""Whether a move is legal and why not; why a card cannot be put into play at all; where a line of play breaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import (
    COLOURS,
    VERDICTS,
    Asked,
    ClauseWords,
    MoveWords,
    Single,
    Voice,
    in_both,
    joined,
    summary_of,
)
from monjudge.solvers.verdict import Verdict

if TYPE_CHECKING:
    from monjudge.reports.answers.depends import Flips
    from monjudge.solvers.legality import Finding

__all__ = ["LONGEST", "Broken", "Card", "Checked", "Remedy", "Why", "finding_data", "values_read"]


LONGEST = 100
"""A condition longer than this is left to the text of its rule; JSON has it all."""


@dataclass(frozen=True)
class Broken:
    """A rule that a move breaks, with what would be needed and what is there instead.

    ``facts`` is that in the game's words; where there are any, a person reads them and the text of the rule, and
    the condition itself, which is in the words of the rule language, is left to JSON.
    """

    clause: ClauseWords
    findings: tuple[Finding, ...]
    facts: tuple[Sentence, ...] = ()

    def data(self) -> dict[str, Any]:
        return {
            "clause": self.clause.data(), "findings": [finding_data(finding) for finding in self.findings],
            "facts": [in_both(fact) for fact in self.facts],
        }  # fmt: skip

    def lines(self, voice: Voice) -> Iterator[str]:
        yield f"  {voice.painted(voice.sign('x', '✗'), '31')} {self.clause.line(voice)}"
        width = max(len(voice(_NEEDED)), len(voice(_HAVE)))
        for finding in self.findings:
            if not finding.have and not finding.facts:
                continue  # the rule can never hold here, which its text says
            if len(finding.needed) <= LONGEST and not self.facts:
                yield f"      {voice.faint(voice(_NEEDED).ljust(width))}  {finding.needed}"
            if not self.facts:
                yield f"      {voice.faint(voice(_HAVE).ljust(width))}  {values_read(finding, voice)}"
        if self.facts:
            listed = ("、" if voice.lang == "ja" else "; ").join(map(voice, self.facts))
            yield f"      {voice.faint(voice(_HAVE).ljust(width))}  {listed}"

    def brief(self, voice: Voice) -> str:
        """The same in one line."""
        short = [] if self.facts else [f"{voice(_NEEDED)} {f.needed}" for f in self.findings if len(f.needed) <= LONGEST]
        have = [*map(voice, self.facts)] or [values_read(finding, voice) for finding in self.findings]
        return ", ".join([*short, f"{voice(_HAVE)} {'; '.join(have)}"])


def finding_data(finding: Finding) -> dict[str, Any]:
    """A finding as JSON values."""
    have = [{"term": r.term, "value": r.value, "label": r.label} for r in finding.have]
    return {"needed": finding.needed, "have": have, "more": finding.more}


def values_read(finding: Finding, voice: Voice) -> str:
    """The values that a finding read, in one line."""
    more = Sentence(f", and {finding.more} more", f"、ほか{finding.more}件") if finding.more else Sentence("", "")
    listed = ("、" if voice.lang == "ja" else ", ").join(map(str, finding.have))
    return f"{listed or voice(_NOTHING)}{voice(more)}"


_NEEDED, _HAVE = Sentence("needed", "必要"), Sentence("have", "現状")
_NOTHING = Sentence("nothing to read", "読む値がない")


@dataclass(frozen=True)
class Why(Single):
    """A move judged, with every rule that it breaks and the nearest legal moves.

    ``flips`` are the readings of the text that would change the verdict, None where nobody asked for them;
    ``granted`` are the rules that a legal move satisfies; ``nearest`` is None where nobody asked for it; ``limit``
    says why the verdict is neither yes nor no, ``cut`` why there may be nearer moves.
    """

    kind: ClassVar[str] = "why"
    verdict: Verdict
    move: MoveWords
    broken: tuple[Broken, ...] = ()
    granted: tuple[ClauseWords, ...] = ()
    nearest: tuple[MoveWords, ...] | None = None
    limit: Sentence | None = None
    cut: Sentence | None = None
    flips: Flips | None = None
    asked: Asked | None = None

    def text(self, voice: Voice) -> Iterator[str]:
        said = voice(self.move.said).rstrip(".。")
        yield f"{voice.painted(voice(_JUDGED[self.verdict]), COLOURS[self.verdict])}{joined(voice)}{said}  ({self.move.text})"
        if self.limit is not None:
            yield f"  {voice(self.limit)}"
        for broken in self.broken:
            yield from broken.lines(voice)
        if self.granted:
            yield f"  {voice(_GRANTED)}{joined(voice)}{summary_of(self.granted)}"
        if self.broken and self.nearest is not None:
            yield from _near(self.nearest, self.cut, voice)
        if self.flips is not None:
            yield from self.flips.lines(voice)

    def brief(self, voice: Voice) -> Iterator[str]:
        if not self.broken:
            yield f"{self.verdict} {self.move.text}"
        for broken in self.broken:
            yield f"{self.verdict} {self.move.text} {broken.clause.id}: {broken.brief(voice)}"

    def data(self) -> dict[str, Any]:
        return {
            "move": self.move.data(),
            "broken": [broken.data() for broken in self.broken],
            "granted": [clause.data() for clause in self.granted],
            "nearest": None if self.nearest is None else [move.data() for move in self.nearest],
            "limit": None if self.limit is None else in_both(self.limit),
            "cut": None if self.cut is None else in_both(self.cut),
            "flips": None if self.flips is None else self.flips.data(),
        }


_GRANTED = Sentence("granted by", "根拠")


_JUDGED = {
    **VERDICTS,
    Verdict.YES: Sentence("Legal", "できる"),
    Verdict.NO: Sentence("Not legal", "できない"),
}


def _near(moves: tuple[MoveWords, ...], cut: Sentence | None, voice: Voice) -> Iterator[str]:
    if moves:
        yield f"{voice(_NEAREST)}{joined(voice).rstrip()}"
        width = max(len(move.text) for move in moves)
        yield from (f"  {move.text:{width}}  {voice(move.said)}" for move in moves)
    else:
        yield voice(_NONE_NEAR)
    if cut is not None:
        yield f"  ({voice(cut)})"


_NEAREST = Sentence("Nearest legal moves", "最も近い合法手")
_NONE_NEAR = Sentence("No move of this kind is legal.", "この種類の手は一つもできない。")


@dataclass(frozen=True)
class Remedy:
    """A smallest set of rules without which the card could be put into play, by a move that breaks just these."""

    clauses: tuple[ClauseWords, ...]
    move: MoveWords
    broken: tuple[Broken, ...]

    def data(self) -> dict[str, Any]:
        return {"without": [clause.id for clause in self.clauses], "move": self.move.data(), "broken": [b.data() for b in self.broken]}


@dataclass(frozen=True)
class Card(Single):
    """Why a card cannot be put into play by any action: every minimal reason, every minimal repair.

    ``legal`` are moves that do put it into play. ``actions`` are the ways that were looked at.
    """

    kind: ClassVar[str] = "card"
    verdict: Verdict
    card: str
    said: Sentence
    player: Sentence
    actions: tuple[Sentence, ...]
    legal: tuple[MoveWords, ...] = ()
    reasons: tuple[tuple[ClauseWords, ...], ...] = ()
    remedies: tuple[Remedy, ...] = ()
    limit: Sentence | None = None
    asked: Asked | None = None

    def text(self, voice: Voice) -> Iterator[str]:
        yield f"{voice.verdict(self.verdict)}{joined(voice)}{voice(self._sentence)}"
        if self.limit is not None:
            yield f"  {voice(self.limit)}"
        ways = ("、" if voice.lang == "ja" else ", ").join(voice(action) for action in self.actions)
        yield f"  {voice(_LOOKED)}{joined(voice)}{ways}"
        yield from (f"  {move.text}  {voice(move.said)}" for move in self.legal)
        if self.reasons:
            yield voice(_REASONS)
            for number, reason in enumerate(self.reasons, 1):
                yield f"  {number}. {summary_of(reason)}"
                yield from (f"       {clause.line(voice)}" for clause in reason)
        if self.remedies:
            yield voice(_REMEDIES)
            for number, remedy in enumerate(self.remedies, 1):
                yield f"  {number}. {remedy.move.text}  {voice(remedy.move.said)}"
                for broken in remedy.broken:
                    yield from (f"  {line}" for line in broken.lines(voice))

    @property
    def _sentence(self) -> Sentence:
        if self.verdict is Verdict.YES:
            return Sentence(f"{self.player.en} can put {self.said.en} into play.", f"{self.player.ja}は{self.said.ja}を場に出せる。")
        if self.verdict is Verdict.NO:
            return Sentence(f"{self.player.en} cannot put {self.said.en} into play.", f"{self.player.ja}は{self.said.ja}を場に出せない。")
        return Sentence(f"whether {self.player.en} can put {self.said.en} into play.", f"{self.player.ja}が{self.said.ja}を場に出せるかどうか。")

    def brief(self, voice: Voice) -> Iterator[str]:
        if self.legal:
            yield from (f"{self.verdict} {self.card} {move.text}" for move in self.legal)
        for reason in self.reasons:
            yield f"{self.verdict} {self.card} {voice(_REASON)}{joined(voice)}{summary_of(reason)}"
        for remedy in self.remedies:
            yield f"{self.verdict} {self.card} {voice(_WITHOUT)}{joined(voice)}{summary_of(remedy.clauses)} -> {remedy.move.text}"

    def data(self) -> dict[str, Any]:
        return {
            "card": self.card,
            "said": in_both(self.said),
            "player": in_both(self.player),
            "actions": [in_both(action) for action in self.actions],
            "legal": [move.data() for move in self.legal],
            "reasons": [[clause.data() for clause in reason] for reason in self.reasons],
            "remedies": [remedy.data() for remedy in self.remedies],
            "limit": None if self.limit is None else in_both(self.limit),
        }


_LOOKED = Sentence("ways looked at", "調べた出し方")
_REASONS = Sentence("Minimal reasons (each is enough by itself):", "最小の理由（どれも一つで十分）：")
_REMEDIES = Sentence("Minimal repairs (the move breaks these rules only):", "最小の直し方（この手が満たさないのは次のものだけ）：")
_REASON, _WITHOUT = Sentence("reason", "理由"), Sentence("without", "除けば可")


@dataclass(frozen=True)
class Checked(Single):
    """Whether a line of ``asked_of`` moves is legal throughout: how many were, and what is wrong with the next one."""

    kind: ClassVar[str] = "check"
    verdict: Verdict
    moves: int
    end: Sentence
    fault: Why | None = None
    line: str = ""
    flips: Flips | None = None
    asked_of: int = 0
    asked: Asked | None = None

    def text(self, voice: Voice) -> Iterator[str]:
        if self.fault is None:
            yield f"{voice.verdict(self.verdict)}{joined(voice)}{voice(_all_legal(self.moves))} {voice(self.end)}".rstrip()
            if self.flips is not None:
                yield from self.flips.lines(voice)
            return
        number = self.moves + 1
        if self.asked_of > 1:
            yield voice(Sentence(f"Move {number} is the first that will not do:", f"最初にできなくなるのは{number}手目："))
        yield from self.fault.text(voice)

    def brief(self, voice: Voice) -> Iterator[str]:
        if self.fault is None:
            yield f"{self.verdict} {self.moves}"
        else:
            yield from (f"{self.moves + 1}: {line}" for line in self.fault.brief(voice))

    def data(self) -> dict[str, Any]:
        fault = None if self.fault is None else {"verdict": str(self.fault.verdict), **self.fault.data()}
        return {"legal_moves": self.moves, "end": in_both(self.end), "fault": fault, "line": self.line,
                "flips": None if self.flips is None else self.flips.data()}  # fmt: skip


def _all_legal(moves: int) -> Sentence:
    if moves == 1:
        return Sentence("the move is legal.", "この手はできる。")
    return Sentence(f"all {moves} moves are legal.", f"{moves}手すべてできる。")
