"""From the YAML that people write to the JSON that the project reads.

``python -m monjudge.model.rancher.catalogue.convert`` writes the JSON twins of this folder anew; it needs
ruamel.yaml (``pip install "monjudge[yaml]"``).
"""

from __future__ import annotations

from pathlib import Path

from monjudge.model.notation.source import read, write

__all__ = ["TWINS", "to_json"]

TWINS = ("decks", "default_pack")
"""The files of this folder that exist as YAML and as JSON."""


def to_json(source: str) -> str:
    """A YAML text as JSON with the same content. Raises DataError where it is no plain YAML."""
    return write(read(source, "twin.yaml").data, "json")


if __name__ == "__main__":
    for twin in TWINS:
        here = Path(__file__).with_name(f"{twin}.yaml")
        here.with_suffix(".json").write_text(to_json(here.read_text("utf-8")), "utf-8")
