"""Machine code that takes too long to make is given up, and the command says so."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from monjudge.cli.main import main
from monjudge.solvers.engines.native import patience


def slow() -> bytes:
    time.sleep(30)
    return b""


def test_what_is_made_in_time_is_what_the_work_makes() -> None:
    assert patience.made(lambda: b"code") == b"code"
    with patience.until(time.monotonic() + 20):
        assert patience.made(lambda: b"code" * 10**6) == b"code" * 10**6
        with pytest.raises(ZeroDivisionError):
            patience.made(lambda: bytes(1 // 0))


def test_work_that_takes_longer_is_ended() -> None:
    begin = time.monotonic()
    with patience.until(begin + 0.05), pytest.raises(patience.Late):
        patience.made(slow)
    assert time.monotonic() - begin < 10
    assert patience.made(lambda: b"after") == b"after"


@pytest.mark.parametrize("words", [(), ("--odds",), ("--hidden",)])
def test_seconds_that_pass_while_rules_are_compiled_are_told(words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONJUDGE_CACHE", str(tmp_path))
    monkeypatch.setattr("monjudge.solvers.forced.search._engines", {})
    game = "duel1" if words else "nim1"
    for lang, said in (("en", "while the rules were compiled"), ("ja", "機械語にする間")):
        done = CliRunner().invoke(main, ["solve", game, *words, "--max-time", "0.0001"], env={"MONJUDGE_LANG": lang, "NO_COLOR": "1"})
        assert done.exit_code == 4 and said in done.stdout
