"""A run that is told to end gives what it has, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

ASKED = ["--game", "monjan", "P01", "P46", "P34", "P08", "--no-flips", "--no-cache", "--jobs", "2", "--lang", "en"]


def children(of: int) -> Iterator[int]:
    """The processes that this one has started, and those that they have."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                parent = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == of:
            yield int(name)
            yield from children(int(name))


def alive(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_what_is_told_to_end_gives_what_it_has_and_leaves_no_process_behind(sent: signal.Signals) -> None:
    # As a shell starts what stands in front: a process in the background does not hear an interrupt.
    run = subprocess.Popen([sys.executable, "-m", "monjudge.cli", "verify", *ASKED], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))  # fmt: skip
    assert run.stdout is not None
    first = run.stdout.readline()
    workers = list(children(run.pid))
    run.send_signal(sent)
    rest, _ = run.communicate(timeout=60)
    assert first.startswith("holds P01") and workers
    if sent is not signal.SIGKILL:
        assert run.returncode == 130 and rest.count("interrupted") == 6 and "7 properties: 1 hold, 0 fail, 6 undecided" in rest
    end = time.monotonic() + 20
    while any(map(alive, workers)) and time.monotonic() < end:
        time.sleep(0.2)
    assert not any(map(alive, workers))
