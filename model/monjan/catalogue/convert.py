"""From the YAML that people write to the JSON that the project reads.

``python -m monjudge.model.monjan.catalogue.convert`` writes the JSON twins of this folder
anew, for which it needs ruamel.yaml (``pip install "monjudge[yaml]"``).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from monjudge.model.notation import yaml_text

__all__ = ["TWINS", "to_json"]

TWINS = ("boards", "default_pack")
"""The files of this folder that exist as YAML and as JSON."""


def to_json(source: str) -> str:
    """A YAML text as JSON with the same content, one line for each entry of a list at the top.

    Raises DataError for a text that is no plain YAML or too large, and ImportError naming the extra when
    ruamel.yaml is missing.
    """
    return _written(yaml_text.decode(source)[0])


def _written(value: Any) -> str:
    def line(item: Any) -> str:
        return json.dumps(item, ensure_ascii=False, allow_nan=False)

    if not isinstance(value, dict):
        return line(value) + "\n"
    parts = []
    for key, held in value.items():
        entries = ",\n  ".join(map(line, held)) if isinstance(held, list) else ""
        parts.append(f" {line(str(key))}: " + (f"[\n  {entries}\n ]" if entries else line(held)))
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    for twin in TWINS:
        here = Path(__file__).with_name(f"{twin}.yaml")
        here.with_suffix(".json").write_text(to_json(here.read_text("utf-8")), "utf-8")
