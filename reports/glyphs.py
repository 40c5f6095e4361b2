"""Text in cells and boxes: what may be shown of a text from a file, and how wide it is."""

from __future__ import annotations

import unicodedata

__all__ = ["fit", "pad", "printable", "width"]

_CONTROL = ("Cc", "Cs", "Cf", "Co", "Cn", "Zl", "Zp")
"""Control characters, halves of pairs, invisible formatting (it can turn a line around), unassigned ones, line breaks."""


def printable(text: str) -> str:
    """The text with every character that steers a terminal, a line or an XML parser replaced by U+FFFD.

    >>> printable("a\\x1b[31m")
    'a\\ufffd[31m'
    """
    return "".join("\ufffd" if unicodedata.category(c) in _CONTROL else c for c in text)


def width(text: str) -> int:
    """The cells that a text fills in a terminal: two for wide characters, none for combining ones.

    >>> width("火7")
    3
    """
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def fit(text: str, cells: int, more: str = "…") -> str:
    """The text cut to at most so many cells, ``more`` at the end where something is missing.

    >>> fit("エキストラ", 7)
    'エキス…'
    """
    if width(text) <= cells:
        return text
    kept = ""
    for c in text:
        if width(kept + c) > cells - width(more):
            break
        kept += c
    return (kept + more)[: max(cells, 0)]


def pad(text: str, cells: int, at: str = "<") -> str:
    """The text cut or filled with blanks to exactly so many cells; ``at`` is ``<``, ``^`` or ``>``."""
    text = fit(text, cells)
    free = cells - width(text)
    before = {"<": 0, "^": free // 2, ">": free}[at]
    return " " * before + text + " " * (free - before)
