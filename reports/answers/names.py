"""The names that formulas about a game may use: what each stands for, and how it is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Asked, Single, Voice, in_both
from monjudge.solvers.verdict import Verdict

__all__ = ["Name", "Names", "Span"]

SHOWN = 48
"""So many characters of the labels of a name are shown in a whole list."""
_WIDTH = 34


@dataclass(frozen=True)
class Span:
    """The whole numbers ``least..most`` of an index, a parameter or a value: what it is called, and what they are called, if anything."""

    least: int
    most: int
    name: str = ""
    domain: str = ""
    labels: tuple[str, ...] = ()
    truth: bool = False

    @property
    def written(self) -> str:
        """The domain, the numbers, or the truth values."""
        return self.domain or ("true/false" if self.truth else f"{self.least}..{self.most}")

    def told(self, voice: Voice, whole: bool) -> str:
        """The values; of many labels the first ones unless the ``whole`` is wanted."""
        if self.truth:
            return voice(_TRUTH)
        if not self.labels:
            return f"{self.least}..{self.most}" if self.least < self.most else str(self.least)
        text = ", ".join(self.labels)
        return text if whole or len(text) <= SHOWN else f"{text[: text.rfind(',', 0, SHOWN)]}, ... ({len(self.labels)})"

    def data(self) -> dict[str, Any]:
        return {"name": self.name, "least": self.least, "most": self.most, "domain": self.domain, "labels": list(self.labels), "truth": self.truth}


_TRUTH = Sentence("true or false", "真偽")
_NOTHING = Sentence("", "")


@dataclass(frozen=True)
class Name:
    """A name as it stands in a formula, its indices or parameters, its values, what it means, and further lines, for where nothing is cut short."""

    name: str
    of: tuple[Span, ...] = ()
    values: Span | None = None
    said: Sentence = _NOTHING
    more: tuple[Sentence, ...] = ()

    def data(self) -> dict[str, Any]:
        return {
            "name": self.name, "of": [span.data() for span in self.of], "values": None if self.values is None else self.values.data(),
            "text": in_both(self.said), "more": [in_both(line) for line in self.more],
        }  # fmt: skip


@dataclass(frozen=True)
class Names(Single):
    """The names of one sort; ``whole``: nothing is cut short."""

    kind: ClassVar[str] = "names"
    sort: str
    title: Sentence
    names: tuple[Name, ...]
    whole: bool = False
    asked: Asked | None = None

    @property
    def verdict(self) -> Verdict:
        return Verdict.YES

    def text(self, voice: Voice) -> Iterator[str]:
        yield f"{voice.strong(voice(self.title))}  ({len(self.names)})"
        for name in self.names:
            told = "" if name.values is None else name.values.told(voice, self.whole)
            parts = (f"{self._head(name):{_WIDTH}}", f"{told:16}" if name.values is not None else "", voice(name.said))
            yield f"  {'  '.join(part for part in parts if part)}".rstrip()
            if self.whole:
                yield from (f"      {voice(line)}" for line in name.more)

    def _head(self, name: Name) -> str:
        if self.sort == "action":
            return f"{name.name}({', '.join(f'{span.name} {span.written}' for span in name.of)})"
        return f"{name.name}[{', '.join(span.written for span in name.of)}]" if name.of else name.name

    def brief(self, voice: Voice) -> Iterator[str]:
        for name in self.names:
            told = "" if name.values is None else f" {name.values.told(voice, True)}"
            yield f"{self.sort} {self._head(name)}{told}"

    def data(self) -> dict[str, Any]:
        return {"sort": self.sort, "title": in_both(self.title), "names": [name.data() for name in self.names]}
