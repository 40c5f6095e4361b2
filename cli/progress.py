"""How far a search is, for whoever watches: one line that changes on a terminal, else a line now and then."""

from __future__ import annotations

import os
import sys
import time

from monjudge.cli.output import Talk
from monjudge.model.notation.sentence import Sentence

__all__ = ["Progress"]

SELDOM, OFTEN = 10.0, 0.5
"""Seconds between two lines (``MONJUDGE_PROGRESS`` may say other ones), and between two changes of a line on a terminal."""


class Progress:
    """Tells on standard error; in silence where that is no terminal, unless it is ``wanted``."""

    def __init__(self, talk: Talk, wanted: bool) -> None:
        self.talk, self.is_terminal = talk, sys.stderr.isatty()
        self.shown = wanted or self.is_terminal
        self.pause = OFTEN if self.is_terminal else _seconds(os.environ.get("MONJUDGE_PROGRESS", ""))
        self.turns, self.begun, self.last, self.written = 0, time.monotonic(), time.monotonic(), False

    def told(self, turns: int) -> None:
        """The search goes on to so many turns (0: any number)."""
        self.turns = turns

    def watch(self, nodes: int) -> None:
        """So many positions have been expanded."""
        now = time.monotonic()
        if not self.shown or now - self.last < self.pause:
            return
        self.last = now
        seconds = now - self.begun
        turns = Sentence(f"turn {self.turns}: ", f"{self.turns}ターン：") if self.turns else Sentence("", "")
        said = Sentence(f"{turns.en}{nodes:,} positions, {seconds:.0f} s", f"{turns.ja}{nodes:,}局面、{seconds:.0f}秒")
        if self.is_terminal and sys.__stderr__ is not None:
            # What steers the cursor is ours; texts from outside never come here.
            sys.__stderr__.write(f"\r\x1b[K{self.talk.voice(said)}")
            sys.__stderr__.flush()
            self.written = True
        else:
            self.talk.say(said)

    def end(self) -> None:
        """Takes the line away."""
        if self.written and sys.__stderr__ is not None:
            sys.__stderr__.write("\r\x1b[K")
            sys.__stderr__.flush()


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return SELDOM
