"""The pictures of the documents, drawn by the command from the examples that are shipped."""

from __future__ import annotations

from collections.abc import Mapping

from pages import command

__all__ = ["pictures"]


def pictures() -> Mapping[str, str]:
    """Every picture by its name in ``docs/pictures``."""
    return {f"summon.{lang}.svg": command(["render", "example:summon", "--lang", lang])[0] for lang in ("en", "ja")}
