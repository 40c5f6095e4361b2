"""The pictures of the documents, drawn by the command from the examples that are shipped."""

from __future__ import annotations

from collections.abc import Mapping

from monjudge.judge import read
from monjudge.model.examples import examples
from monjudge.reports.svg import svg

__all__ = ["pictures"]


def pictures() -> Mapping[str, str]:
    """Every picture by its name in ``docs/pictures``."""
    summon = read(examples()["summon"])
    return {"summon.en.svg": svg(summon.picture(), "en"), "summon.ja.svg": svg(summon.picture(), "ja")}
