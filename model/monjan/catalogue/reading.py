"""Reading data files strictly, as ``model.notation`` does it for every game."""

from __future__ import annotations

from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.reading import Reading, Record, decode
from monjudge.model.notation.source import MOST_BYTES

__all__ = ["MOST_BYTES", "DataError", "Defect", "Reading", "Record", "decode"]
