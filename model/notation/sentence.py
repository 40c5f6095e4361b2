"""One message in both languages."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Sentence"]


class Sentence(NamedTuple):
    """One message in both languages."""

    en: str
    ja: str
