"""What positions near the beginning are worth, in a form that can be written down and taken up again.

Only exact values are written down, never what a limit left open.

>>> worths = Worths("question", {"00": Fraction(1, 3)})
>>> Worths.from_json(worths.to_json()) == worths
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from monjudge.solvers.forced.ledger import Damaged, sealed, unsealed

__all__ = ["FORMAT", "Worths"]

FORMAT = "monjudge-resume-odds/1"


@dataclass
class Worths:
    """Probabilities of one question by position (packed, in hexadecimal digits)."""

    question: str
    values: dict[str, Fraction] = field(default_factory=dict)

    def add(self, others: Iterable[Worths]) -> None:
        """What others have settled. Raises Damaged for another question, or where two say something else."""
        for other in others:
            if other.question != self.question:
                raise Damaged("it is about another question, other rules or another version", "別の問い、別のルール、または別の版についてのもの")
            for position, value in other.values.items():
                if self.values.setdefault(position, value) != value:
                    raise Damaged("two files say the opposite", "二つのファイルの内容が矛盾している")

    def to_json(self) -> str:
        """One JSON document, sealed with a hash of itself."""
        return sealed({"schema": FORMAT, "question": self.question, "values": {at: str(value) for at, value in sorted(self.values.items())}})

    @staticmethod
    def from_json(text: str | bytes) -> Worths:
        """The values of a text. Raises Damaged."""
        try:
            data = unsealed(text, FORMAT)
            return Worths(str(data["question"]), {at: _probability(text) for at, text in data["values"].items()})
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ZeroDivisionError) as error:
            raise Damaged("it was not written to be resumed, or it is damaged", "再開用のファイルでないか、壊れている") from error


def _probability(text: str) -> Fraction:
    """Raises ValueError, or TypeError, for what is none as it is written down."""
    if not re.fullmatch("[0-9]+(/[0-9]+)?", text, re.ASCII) or not 0 <= (found := Fraction(text)) <= 1:
        raise ValueError(text)
    return found
