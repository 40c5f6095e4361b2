"""How many answers there were of each sort: what a person reads last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Answer, Asked, Single, Voice, joined
from monjudge.solvers.verdict import Verdict

__all__ = ["Count", "counted"]


@dataclass(frozen=True)
class Count(Single):
    """Numbers of answers, each with what they are: an English word that follows it and a Japanese one that it follows."""

    kind: ClassVar[str] = "count"
    of: Sentence
    parts: Sequence[tuple[Sentence, int]]
    asked: Asked | None = None
    verdict: Verdict = Verdict.YES

    def text(self, voice: Voice) -> Iterator[str]:
        total = sum(number for _, number in self.parts)
        told = Sentence(", ".join(f"{number} {word.en}" for word, number in self.parts), "、".join(f"{word.ja}{number}" for word, number in self.parts))
        whole = Sentence(f"{total} {self.of.en}", f"{total}{self.of.ja}")
        yield f"{voice(whole)}{joined(voice)}{voice(told)}"

    def brief(self, voice: Voice) -> Iterator[str]:
        yield from self.text(voice)

    def data(self) -> dict[str, Any]:
        return {word.en: number for word, number in self.parts}


def counted(answers: Iterable[Answer], of: Sentence, words: Mapping[Verdict, Sentence]) -> Iterator[Answer]:
    """The answers, and after several of them how many there were of each verdict; one without a word counts as unknown."""
    found = Counter[Verdict]()
    for answer in answers:
        found[answer.verdict if answer.verdict in words else Verdict.UNKNOWN] += 1
        yield answer
    if found.total() > 1:
        yield Count(of, [(word, found[verdict]) for verdict, word in words.items()])
