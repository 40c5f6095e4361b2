"""What a kind of question that answers for itself hands back, before it is put into the common envelope; or that it asks nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from monjudge.model.language import Move
from monjudge.model.notation.sentence import Sentence
from monjudge.solvers.verdict import Verdict

__all__ = ["Outcome", "Vacuous"]


class Vacuous(ValueError):
    """The property says nothing: what it assumes contradicts itself, or is never met. ``text`` in both languages."""

    def __init__(self, en: str, ja: str) -> None:
        self.text = Sentence(en, ja)
        super().__init__(en)


@dataclass(frozen=True)
class Outcome:
    """A verdict and why, with what is claimed (None where nothing is decided) and what shows it.

    ``bounds`` say of what it speaks; ``engines`` are the packages that were asked, for the envelope to name.
    """

    verdict: Verdict
    why: Sentence
    claim: Mapping[str, Any] | None = None
    witness: tuple[Move, ...] = ()
    certificate: Mapping[str, Any] = field(default_factory=dict)
    bounds: Mapping[str, Any] = field(default_factory=dict)
    engines: tuple[str, ...] = ()
