"""Where the values of a text stand: lines and columns by path, and defects brought to their places."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from monjudge.model.notation.defects import Defect, Place

__all__ = ["DEEPEST", "Places", "at"]

DEEPEST = 40
"""So deep may lists and objects be nested in a file."""

_OF_KEYS = ("unknown-key", "duplicate-key")
"""The defects that speak of a key and not of what it holds."""


def at(path: str, key: object) -> str:
    """The path of a key below a path.

    >>> at("players", 1), at("", "turn")
    ('players.1', 'turn')
    """
    return f"{path}.{key}" if path else str(key)


class Places:
    """The places of all values and keys of one text, by path; offsets count characters from 0."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.values: dict[str, tuple[int, int]] = {}
        self.keys: dict[str, tuple[int, int]] = {}

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(n + 1 for n, sign in enumerate(self.text) if sign == "\n")]

    def value(self, path: str, start: int, end: int) -> None:
        self.values[path] = start, end

    def key(self, path: str, start: int, end: int) -> None:
        self.keys[path] = start, end

    def place(self, start: int, end: int) -> Place:
        """The place of a stretch; one that goes on to another line ends with its first."""
        line = bisect_right(self._lines, start) - 1
        stop = self.text.find("\n", start)
        return Place(line + 1, start - self._lines[line] + 1, max(1, min(end, stop if stop >= 0 else end) - start))

    def of(self, defect: Defect) -> Place | None:
        """Where a defect stands: at its key or value, or at the nearest thing around it.

        A place that the defect brings along counts within its value, which is then a text.
        """
        path = defect.path
        first, second = (self.keys, self.values) if defect.code in _OF_KEYS else (self.values, self.keys)
        while path not in first and path not in second and path:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        span = first.get(path) or second.get(path)
        if span is None:
            return defect.place
        if defect.place is None:
            return self.place(*span)
        start = span[0] + defect.place.column - 1 + (self.text[span[0] : span[0] + 1] in ("'", '"'))
        return self.place(start, start + defect.place.length)
