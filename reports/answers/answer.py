"""What all answers share: a verdict with its exit code, and a form for people, for a line, and for programs.

>>> document([], readings={}, inputs=[])["schema"]
'monjudge-answer/1'
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar, Literal, Protocol

from monjudge import __version__
from monjudge.model.language import Clause
from monjudge.model.language.rules import Trigger
from monjudge.model.notation.sentence import Sentence
from monjudge.solvers.verdict import Verdict

__all__ = [
    "COLOURS",
    "FORMAT",
    "VERDICTS",
    "Answer",
    "Asked",
    "ClauseWords",
    "Exit",
    "Language",
    "MoveWords",
    "Single",
    "Voice",
    "document",
    "if_told",
    "in_both",
    "joined",
    "lines",
    "lines_of",
    "packed",
    "summary_of",
]

FORMAT = "monjudge-answer/1"

Language = Literal["en", "ja"]


class Exit(IntEnum):
    """What the command says to whoever started it."""

    HOLDS = 0
    FAILS = 1
    UNREADABLE = 2
    INTERNAL = 3
    UNKNOWN = 4
    DEPENDS = 5
    UNDETERMINED = 6
    INTERRUPTED = 130

    @classmethod
    def of(cls, verdict: Verdict) -> Exit:
        """The exit code of a verdict.

        >>> Exit.of(Verdict.UNKNOWN).value
        4
        """
        return _EXIT[verdict]


_EXIT = {
    Verdict.YES: Exit.HOLDS,
    Verdict.NO: Exit.FAILS,
    Verdict.UNKNOWN: Exit.UNKNOWN,
    Verdict.DEPENDS: Exit.DEPENDS,
    Verdict.UNDETERMINED: Exit.UNDETERMINED,
}

VERDICTS = {
    Verdict.YES: Sentence("Yes", "はい"),
    Verdict.NO: Sentence("No", "いいえ"),
    Verdict.UNKNOWN: Sentence("Unknown (a limit was reached)", "不明（上限に達した）"),
    Verdict.DEPENDS: Sentence("It depends on how the text is read", "文面の読み方による"),
    Verdict.UNDETERMINED: Sentence("The text does not determine it", "文面からは決まらない"),
}


@dataclass(frozen=True)
class Voice:
    """How an answer is said to a person: in which language, in ASCII signs only, with colours."""

    lang: Language = "en"
    ascii: bool = False
    colour: bool = False

    def __call__(self, sentence: tuple[str, str]) -> str:
        """The sentence in this language."""
        return sentence[self.lang == "ja"]

    def verdict(self, verdict: Verdict) -> str:
        return self.painted(self(VERDICTS[verdict]), COLOURS[verdict])

    def sign(self, plain: str, drawn: str) -> str:
        return plain if self.ascii else drawn

    def painted(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text

    def faint(self, text: str) -> str:
        return self.painted(text, "2")

    def strong(self, text: str) -> str:
        return self.painted(text, "1")


COLOURS = {Verdict.YES: "32", Verdict.NO: "31", Verdict.UNKNOWN: "33", Verdict.DEPENDS: "33", Verdict.UNDETERMINED: "33"}


@dataclass(frozen=True)
class Asked:
    """The question as a command that asks it again."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        """For a POSIX shell, quoted."""
        import shlex

        return shlex.join(("monjudge", *self.words))


class Answer(Protocol):
    """One answer. ``kind`` names its form in JSON; ``asked`` brings it back, where that gives nothing away."""

    kind: ClassVar[str]

    @property
    def verdict(self) -> Verdict: ...

    @property
    def asked(self) -> Asked | None: ...

    def text(self, voice: Voice) -> Iterator[str]:
        """The lines for a person."""

    def brief(self, voice: Voice) -> Iterator[str]:
        """One line for each thing that is said."""

    def data(self) -> dict[str, Any]:
        """The answer as JSON values: texts, whole numbers and truth values, no floats."""

    def records(self) -> Iterator[dict[str, Any]]:
        """The answer in pieces, for whoever reads one line after the other."""


class Single(ABC):
    """An answer in one piece."""

    @abstractmethod
    def data(self) -> dict[str, Any]: ...

    def records(self) -> Iterator[dict[str, Any]]:
        yield self.data()


_REPRODUCE = Sentence("Reproduce", "再現")


def lines_of(answer: Answer, voice: Voice) -> Iterator[str]:
    """What a person reads, the line that asks again last."""
    yield from answer.text(voice)
    if answer.asked is not None:
        yield f"{voice.faint(voice(_REPRODUCE))}{joined(voice)}{answer.asked}"


def if_told(rolls: Sequence[MoveWords]) -> Sentence:
    """The condition that chance comes out so, as an English sentence ends and a Japanese one begins; empty where nothing is told."""
    words = [move.text for move in rolls]
    return Sentence(f" if chance brings {', '.join(words)}", f"出目が{'、'.join(words)}なら、") if words else Sentence("", "")


def joined(voice: Voice) -> str:
    """What stands between a heading and what follows it."""
    return "：" if voice.lang == "ja" else ": "


def document(answers: Iterable[Answer], *, readings: Mapping[str, str], inputs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The answers in one envelope; a program reads this and nothing else (see ``schema``)."""
    return {**_head(readings, inputs), "results": [_result(answer) for answer in answers]}


def _result(answer: Answer) -> dict[str, Any]:
    found = {"kind": answer.kind, "verdict": str(answer.verdict), **answer.data()}
    return found if answer.asked is None else {**found, "reproduce": str(answer.asked)}


def lines(answers: Iterable[Answer], *, readings: Mapping[str, str], inputs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The same as JSON lines: the head of the envelope, then one line for each record."""
    yield packed(_head(readings, inputs))
    for answer in answers:
        for record in answer.records():
            yield packed({"kind": answer.kind, "verdict": str(answer.verdict), **record})


def _head(readings: Mapping[str, str], inputs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "schema": FORMAT, "tool": "monjudge", "version": __version__,
        "readings": dict(readings), "inputs": [dict(given) for given in inputs],
    }  # fmt: skip


def packed(value: Any) -> str:
    """One line of JSON with sorted keys."""
    import json

    return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(", ", ": "))


# -- words -------------------------------------------------------------------------------------------------


def in_both(sentence: tuple[str, str]) -> dict[str, str]:
    """A sentence as JSON values."""
    return {"en": sentence[0], "ja": sentence[1]}


@dataclass(frozen=True)
class MoveWords:
    """A move in notation and as a sentence, with who takes it (-1 for chance, else from 0)."""

    text: str
    said: Sentence
    action: str
    player: int

    def data(self) -> dict[str, Any]:
        return {"move": self.text, "said": in_both(self.said), "action": self.action, "player": self.player + 1}


@dataclass(frozen=True)
class ClauseWords:
    """A rule of the text, with where it stands there."""

    id: str
    ref: str
    said: Sentence
    kind: str = "rule"

    @classmethod
    def of(cls, clause: Clause | Trigger) -> ClauseWords:
        return cls(clause.id, clause.ref, Sentence(clause.en, clause.ja), getattr(clause, "kind", "trigger"))

    def data(self) -> dict[str, Any]:
        return {"id": self.id, "ref": self.ref, "kind": self.kind, **in_both(self.said)}

    def line(self, voice: Voice) -> str:
        """The id, the text and the place in the source."""
        ref = f" [{self.ref}]" if self.ref else ""
        return f"{voice.strong(self.id)}  {voice(self.said)}{voice.faint(ref)}"


def summary_of(clauses: Iterable[ClauseWords]) -> str:
    """The ids, each once."""
    return ", ".join(dict.fromkeys(clause.id for clause in clauses))
