"""What is wrong with a file, a position or a move: where it stands, what was read, what would do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from monjudge.model.notation.defects import DataError, Defect, codes
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Asked, Voice, in_both, joined
from monjudge.solvers.verdict import Verdict

__all__ = ["Defective", "Sound"]

SHOWN = 80
"""So many characters of a line are shown."""


@dataclass(frozen=True)
class Defective:
    """All defects of one file or text. ``file`` is its name, ``source`` its text, both empty where there is none."""

    kind: ClassVar[str] = "defects"
    defects: tuple[Defect, ...]
    file: str = ""
    source: str = ""
    asked: Asked | None = None

    @classmethod
    def of(cls, error: DataError, file: str = "") -> Defective:
        return cls(error.defects, error.file or file, error.source)

    @property
    def verdict(self) -> Verdict:
        return Verdict.NO

    def text(self, voice: Voice) -> Iterator[str]:
        shown = self.source.splitlines()
        for defect in self.defects:
            yield self._line(defect, voice)
            if defect.place is not None and defect.place.line <= len(shown):
                yield from _excerpt(shown[defect.place.line - 1], defect, voice)
            known = codes().get(defect.code)
            if known is not None:
                yield voice.faint(f"  {voice(_MORE)}{joined(voice)}monjudge explain {known.number}")
        yield voice(Sentence(f"{len(self.defects)} found", f"{len(self.defects)}件"))

    def brief(self, voice: Voice) -> Iterator[str]:
        yield from (self._line(defect, voice) for defect in self.defects)

    def _line(self, defect: Defect, voice: Voice) -> str:
        return located(self.file, defect, voice.strong(_label(defect)), voice)

    def data(self) -> dict[str, Any]:
        return {"file": self.file, "defects": list(self.records())}

    def records(self) -> Iterator[dict[str, Any]]:
        return _records(self.file, self.defects)


def located(file: str, defect: Defect, label: str, voice: Voice) -> str:
    """One line: file, line and column, what it is, the path, the sentence."""
    place = f"{defect.place.line}:{defect.place.column}:" if defect.place is not None else ""
    where = f"{file}:{place}" if file else place
    path = f" {defect.path}:" if defect.path else ""
    clause = f" ({defect.clause})" if defect.clause not in voice(defect.text) else ""
    return f"{where}{' ' if where else ''}{label}{path} {voice(defect.text)}{clause}"


def _records(file: str, defects: Iterable[Defect]) -> Iterator[dict[str, Any]]:
    for defect in defects:
        known, place = codes().get(defect.code), defect.place
        yield {
            "code": known.number if known else "", "name": defect.code, "path": defect.path, "clause": defect.clause,
            "file": file, "text": in_both(defect.text),
            "place": None if place is None else {"line": place.line, "column": place.column, "length": place.length},
        }  # fmt: skip


_MORE = Sentence("more", "詳しくは")


def _label(defect: Defect) -> str:
    known = codes().get(defect.code)
    return known.label if known is not None else f"[{defect.code}]"


def _excerpt(line: str, defect: Defect, voice: Voice) -> Iterator[str]:
    """The line with what is meant underlined; of a long line the part around it."""
    assert defect.place is not None
    number, begin = str(defect.place.line), defect.place.column - 1
    cut = max(0, begin - SHOWN // 2)
    part = line[cut : cut + SHOWN].replace("\t", " ")
    under = "".join("　" if _is_wide(sign) else " " for sign in part[: begin - cut])
    marked = "".join("＾" if _is_wide(sign) else "^" for sign in part[begin - cut : begin - cut + defect.place.length])
    yield f"  {number} | {part}"
    yield f"  {' ' * len(number)} | {under}{voice.painted(marked or '^', '31')}"


def _is_wide(sign: str) -> bool:
    from unicodedata import east_asian_width

    return east_asian_width(sign) in "WF"


@dataclass(frozen=True)
class Sound:
    """A file without a defect, with the kind of what it holds, and what is odd about it all the same."""

    kind: ClassVar[str] = "sound"
    file: str
    holds: str
    remarks: tuple[Defect, ...] = ()
    asked: Asked | None = None

    @property
    def verdict(self) -> Verdict:
        return Verdict.YES

    def text(self, voice: Voice) -> Iterator[str]:
        for remark in self.remarks:
            yield located(self.file, remark, voice.strong(voice(_NOTE)), voice)
        yield f"{self.file}: {voice(_FINE)} ({self.holds})"

    def brief(self, voice: Voice) -> Iterator[str]:
        yield from self.text(voice)

    def data(self) -> dict[str, Any]:
        return {"file": self.file, "holds": self.holds, "remarks": list(_records(self.file, self.remarks))}

    def records(self) -> Iterator[dict[str, Any]]:
        yield self.data()


_FINE = Sentence("valid", "問題なし")
_NOTE = Sentence("note:", "注意：")
