"""What is wrong with a file, a position or a move: each defect with its code, its place and both languages.

>>> Defect("mana.L[2]", Sentence("no card", "カードではない"), "unreadable-card").label
'MJ115[unreadable-card]'
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from monjudge.model.notation.sentence import Sentence

__all__ = ["Code", "DataError", "Defect", "Place", "codes"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a text: line and column from 1, and how many characters it is long."""

    line: int
    column: int
    length: int = 1


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of defect: its number (``MJ101``, never used again for another), its name, and what it means.

    ``good`` and ``bad`` are examples in notation, ``""`` where there is nothing to show.
    """

    number: str
    name: str
    title: Sentence
    explanation: Sentence
    bad: str = ""
    good: str = ""

    @property
    def label(self) -> str:
        return f"{self.number}[{self.name}]"


@cache
def codes() -> Mapping[str, Code]:
    """Every code by its name, in the order of the numbers: MJ1xx cannot be read, MJ2xx cannot be, MJ3xx is not allowed."""
    rows = json.loads(Path(__file__).with_name("codes.json").read_text("utf-8"))
    found = {
        row["name"]: Code(row["code"], row["name"], Sentence(**row["title"]), Sentence(**row["explanation"]),
                          row.get("bad", ""), row.get("good", ""))
        for row in rows
    }  # fmt: skip
    return MappingProxyType(found)


@dataclass(frozen=True, slots=True)
class Defect:
    """What is wrong at a path such as ``extra[3].numbers[1]``; ``""`` is the whole.

    ``code`` is the name of a ``Code``; ``place`` is known where the value came from a text;
    ``clause`` is the rule that forbids it, where one does.
    """

    path: str
    text: Sentence
    code: str = "wrong-value"
    place: Place | None = None
    clause: str = ""

    def __str__(self) -> str:
        return f"{self.path}: {self.text.en}" if self.path else self.text.en

    @property
    def label(self) -> str:
        """The code as it is printed, e.g. ``MJ101[duplicate-key]``."""
        return codes()[self.code].label


class DataError(ValueError):
    """Something that will not do, with all its defects in the order of the text; ``file`` and ``source`` where they are known."""

    def __init__(self, defects: Sequence[Defect], file: str = "", source: str = "") -> None:
        self.defects = tuple(defects)
        self.file, self.source = file, source
        super().__init__("\n".join(map(str, defects)))
