"""Positions that are shipped, one file each, called by the file's name: for a first try, documents and tests.

Any part of the project may read them; they are data, and nothing here knows a game.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["examples"]


def examples() -> dict[str, Path]:
    """The file of each example by its name, in alphabetical order."""
    found = (path for path in Path(__file__).parent.iterdir() if path.suffix in (".yaml", ".json"))
    return {path.stem: path for path in sorted(found)}
