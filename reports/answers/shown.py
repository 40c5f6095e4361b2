"""A position drawn, and where a picture was written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Asked, Single, Voice, joined
from monjudge.solvers.verdict import Verdict

__all__ = ["Drawn", "Shown"]


@dataclass(frozen=True)
class Shown(Single):
    """The board as text, and the position in one line where that gives nothing away."""

    kind: ClassVar[str] = "show"
    board: str
    line: str
    asked: Asked | None = None

    @property
    def verdict(self) -> Verdict:
        return Verdict.YES

    def text(self, voice: Voice) -> Iterator[str]:
        yield self.board.rstrip("\n")

    def brief(self, voice: Voice) -> Iterator[str]:
        yield self.line or self.board.rstrip("\n")

    def data(self) -> dict[str, Any]:
        return {"board": self.board, "line": self.line}


@dataclass(frozen=True)
class Drawn(Single):
    """The name of the file that a picture was written to."""

    kind: ClassVar[str] = "render"
    file: str
    asked: Asked | None = None

    @property
    def verdict(self) -> Verdict:
        return Verdict.YES

    def text(self, voice: Voice) -> Iterator[str]:
        yield f"{voice(_WRITTEN)}{joined(voice)}{self.file}"

    def brief(self, voice: Voice) -> Iterator[str]:
        yield self.file

    def data(self) -> dict[str, Any]:
        return {"file": self.file}


_WRITTEN = Sentence("written", "書き出し先")
