"""From the YAML that people write to the JSON that the project reads.

``python -m monjudge.model.monjan.catalogue.convert`` writes the JSON twins of this folder
anew. Only this module needs ruamel.yaml (``pip install "monjudge[yaml]"``).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from monjudge.model.monjan.catalogue.reading import MOST_BYTES, DataError, Defect
from monjudge.model.monjan.texts import Text

__all__ = ["TWINS", "to_json"]

TWINS = ("boards", "default_pack")
"""The files of this folder that exist as YAML and as JSON."""


def to_json(source: str) -> str:
    """A YAML text as JSON with the same content, one line for each entry of a list at the top.

    Raises DataError for a text that is no plain YAML (anchors included) or too large, and
    ImportError naming the extra when ruamel.yaml is missing.
    """
    try:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import YAMLError
        from ruamel.yaml.events import AliasEvent
    except ImportError as missing:
        raise ImportError(
            'reading YAML needs ruamel.yaml: pip install "monjudge[yaml]" / '
            'YAMLを読むには ruamel.yaml が必要です：pip install "monjudge[yaml]"'
        ) from missing
    if len(source) > MOST_BYTES:
        raise DataError([Defect("", Text(f"more than {MOST_BYTES} characters", f"{MOST_BYTES}文字を超える"))])
    try:
        # An alias could make a small file stand for a huge one.
        if any(isinstance(event, AliasEvent) for event in YAML(typ="safe", pure=True).parse(source)):
            raise DataError([Defect("", Text("anchors are not allowed", "アンカーは使えない"))])
        return _written(YAML(typ="safe", pure=True).load(source))
    except (YAMLError, RecursionError, TypeError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError([Defect("", Text(f"the file is not plain YAML: {error}", f"YAMLではない：{error}"))]) from error


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
