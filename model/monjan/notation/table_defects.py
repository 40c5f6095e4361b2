"""What cannot lie on a table although it can be written: each with the clause that forbids it."""

from __future__ import annotations

from typing import Any

from monjudge.model.monjan.notation.position import Table
from monjudge.model.notation.defects import Defect

__all__ = ["table_defects"]


def table_defects(data: dict[str, Any], table: Table) -> list[Defect]:
    """Every defect of a position, at the path of its canonical data."""
    return []
