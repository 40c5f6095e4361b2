"""Every shipped example runs, and says what is known of its game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_demo_judges_a_move_and_finds_the_known_figures_of_tic_tac_toe() -> None:
    demo = [sys.executable, ROOT / "examples" / "demo.py"]
    done = subprocess.run(demo, capture_output=True, text=True, encoding="utf-8", check=True)
    assert "TTT.empty" in done.stdout
    assert "549,946" in done.stdout
    assert "5,478" in done.stdout
    assert "a draw / 引き分け" in done.stdout
