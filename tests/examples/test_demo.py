"""The shipped example ends in a judged position of a real game, in the language of the reader."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAID = {
    "en_GB.UTF-8": ("Turn 6", "Not legal: Player 1 summons Tide Caller", "left panel of Tide Caller: none", "Yes: all 2 moves are legal."),
    "ja_JP.UTF-8": ("6ターン目", "できない：プレイヤー1は属性で「潮を呼ぶ者」を召喚する", "「潮を呼ぶ者」の左のパネル：無", "はい：2手すべてできる。"),
}  # fmt: skip


@pytest.mark.parametrize("locale", SAID)
def test_the_demo_shows_a_table_and_judges_a_summon_in_the_language_of_the_reader(locale: str) -> None:
    around = {name: text for name, text in os.environ.items() if not name.startswith(("LC_", "MONJUDGE_LANG"))}
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "demo.py"], env=around | {"LANG": locale}, capture_output=True, encoding="utf-8", check=True
    )
    assert [text for text in ("EXTRA.17", "┌──────", *SAID[locale]) if text not in done.stdout] == []
    assert done.stderr == ""
