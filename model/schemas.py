"""The JSON Schemas that ship with the project, for editors: ``python -m monjudge.model.schemas`` writes them."""

from __future__ import annotations

import json
from pathlib import Path

from monjudge.model.games import WITH_WORDS, kit

__all__ = ["path", "text"]


def path(game: str, kind: str) -> Path:
    """Where the schema of a kind of documents of a game lies."""
    return Path(__file__).parent / game / "notation" / f"{kind}.schema.json"


def text(game: str, kind: str) -> str:
    """The schema of a kind of documents as it ships."""
    return json.dumps(kit(game).schema(kind), ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    for each in WITH_WORDS:
        for kind in kit(each).kinds:
            path(each, kind).write_text(text(each, kind), "utf-8")
