"""Code that several folders of tests share stands in ``tests/fuzz``: random expressions, rule sets and states."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "fuzz"))
