"""The JSON Schemas that ship with the project, for editors: ``python -m monjudge.model.monjan.notation.schemas`` writes them."""

from __future__ import annotations

import json
from pathlib import Path

from monjudge.model.monjan.notation.kit import KIT

__all__ = ["path", "text"]


def path(kind: str) -> Path:
    """Where the schema of a kind of documents lies."""
    return Path(__file__).with_name(f"{kind}.schema.json")


def text(kind: str) -> str:
    """The schema of a kind of documents as it ships."""
    return json.dumps(KIT.schema(kind), ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    for each in KIT.kinds:
        path(each).write_text(text(each), "utf-8")
