"""The language loads in milliseconds and needs the standard library only."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULES = sorted(
    path.stem for path in (Path(__file__).parents[2] / "model" / "language").glob("*.py") if path.stem != "__init__"
)
SLOW_MACHINE = 6
"""Factor over the 50 ms of a quiet machine that a test on a busy one allows."""


def fresh(script: str) -> str:
    """What a new interpreter prints; it may keep the compiled modules."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=env).stdout


def test_the_language_loads_in_milliseconds() -> None:
    script = "import time; t = time.process_time(); import monjudge.model.language; print(time.process_time() - t)"
    fresh(script)
    seconds = min(float(fresh(script)) for _ in range(3))
    print(f"import monjudge.model.language: {1000 * seconds:.0f} ms of processor time")
    assert seconds < 0.05 * SLOW_MACHINE


@pytest.mark.parametrize("module", MODULES)
def test_a_module_of_the_language_needs_the_standard_library_only(module: str) -> None:
    script = (
        "import sys; before = set(sys.modules); "
        f"import monjudge.model.language.{module}; print(*sorted(set(sys.modules) - before))"
    )
    loaded = {name.split(".")[0] for name in fresh(script).split()}
    assert loaded - {"monjudge"} <= sys.stdlib_module_names
    assert "monjudge.model.small" not in fresh(script).split()
