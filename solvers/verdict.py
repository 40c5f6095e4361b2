"""What an answer may be. An answer is never a bare truth value, so that "gave up" is never read as "no"."""

from __future__ import annotations

from enum import Enum
from typing import NoReturn

from monjudge.model.notation.sentence import Sentence

__all__ = ["Sentence", "Verdict"]


class Verdict(Enum):
    """The five answers to a question about the rules.

    ``DEPENDS`` means on a reading of an ambiguous place of the text, ``UNDETERMINED``
    that the text says nothing, ``UNKNOWN`` that a limit was reached.

    >>> str(Verdict.YES)
    'yes'
    """

    YES = "yes"
    NO = "no"
    DEPENDS = "depends"
    UNDETERMINED = "undetermined"
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        return self.value

    def __bool__(self) -> NoReturn:
        raise TypeError(f"a verdict is not a truth value: compare it, e.g. `verdict is Verdict.YES` (it is {self})")
