"""Code that several folders of tests share stands in ``tests/fuzz``: random expressions, rule sets and states."""

from __future__ import annotations

import os
import sys
from pathlib import Path

# Tests leave the caches of the user alone; from one run to the next machine code is found again here.
os.environ.setdefault("MONJUDGE_CACHE", str(Path(__file__).parents[1] / ".pytest_cache" / "monjudge"))
sys.path.insert(0, str(Path(__file__).parent / "fuzz"))
