"""The modules that renew the documents stand in ``docs/renew``, where people call them."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "docs" / "renew"))
