"""What shows a verdict of the prover, to be looked at: a line of play with the position where it breaks, or a single position."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from monjudge.model.language import NATURE
from monjudge.model.notation.picture import Picture
from monjudge.model.notation.sentence import Sentence
from monjudge.model.notation.yaml_text import in_one_line
from monjudge.reports.answers.answer import Asked, MoveWords, Voice, in_both, joined
from monjudge.reports.answers.why import LONGEST, finding_data, values_read
from monjudge.reports.terminal import terminal
from monjudge.solvers.legality import Finding

__all__ = ["Looked", "Witness"]

FEW = 3
"""So many moves of chance in a row are told one by one."""

WIDTH = 110

_WHOLE = "\N{NO-BREAK SPACE}"
"""Stands for the spaces in a move while lines are broken."""

_NOTHING = Sentence("", "")


@dataclass(frozen=True)
class Looked:
    """A position that matters: why, in one line, and drawn unless it is beside the point."""

    title: Sentence
    line: str
    picture: Picture | None = None

    def data(self) -> dict[str, Any]:
        return {"title": in_both(self.title), "line": self.line}

    def text(self, voice: Voice, columns: int) -> Iterator[str]:
        yield f"  {voice(self.title)}{joined(voice)}{self.line}"
        if self.picture is not None:
            yield from terminal(self.picture, voice.lang, columns=columns, colour=voice.colour, ascii=voice.ascii).splitlines()


@dataclass(frozen=True)
class Witness:
    """The line from ``start``, a position in one line; its ``moves`` from ``stem`` on lead round in a circle (None: they do not).

    ``boards`` are as a designer writes them, ``readings`` those that are not the default. ``then`` are moves that are not made, and
    ``said`` what there is to say of them. ``findings`` are the parts of the formula that do not hold, or that do if ``met``,
    with the values that they read, and ``facts`` what these say in the words of the game. ``asked`` plays the line again. ``is_line``: it is a line of play, perhaps without a move, and no single state.
    """

    start: str
    moves: tuple[MoveWords, ...]
    looked: tuple[Looked, ...]
    boards: Sequence[Any] = ()
    readings: Mapping[str, str] = field(default_factory=dict)
    stem: int | None = None
    said: Sentence = _NOTHING
    then: tuple[MoveWords, ...] = ()
    findings: tuple[Finding, ...] = ()
    facts: tuple[Sentence, ...] = ()
    met: bool = False
    asked: Asked | None = None
    columns: int = 80
    is_line: bool = True

    def text(self, voice: Voice) -> Iterator[str]:
        """All of it."""
        if self.boards:
            yield f"  {voice(_BOARDS)}{joined(voice)}{', '.join(map(written, self.boards))}"
        if self.readings:
            yield f"  {voice(_READINGS)}{joined(voice)}{', '.join(f'{switch}={value}' for switch, value in self.readings.items())}"
        if self.moves:
            yield f"  {voice(_FROM)}{joined(voice)}{self.start}"
        yield from self._told(voice)
        yield from self._then(voice)
        for looked in self.looked:
            yield from looked.text(voice, self.columns)
        yield from self._found(voice)
        if self.asked is not None and self.moves:
            yield f"  {voice(_AGAIN)}{joined(voice)}{self.asked}"

    def short(self, voice: Voice) -> Iterator[str]:
        """The last move of a line, and what of the formula does not hold."""
        if self.is_line and self.stem is None:
            if self.moves:
                yield _numbered(len(self.moves), self.moves[-1], voice)
            yield from self._then(voice)
            yield from self._found(voice, LONGEST)

    def _told(self, voice: Voice) -> Iterator[str]:
        """The moves by number; what chance does in a row is told together."""
        moves = list(enumerate(self.moves, 1))
        parts = [moves] if self.stem is None else [moves[: self.stem], moves[self.stem :]]
        for n, part in enumerate(parts):
            if n:
                yield f"  {voice(_ROUND)}"
            for chance, group in groupby(part, lambda item: item[1].player == NATURE):
                run = list(group)
                if chance and len(run) > FEW:
                    texts = " / ".join(move.text.replace(" ", _WHOLE) for _, move in run)
                    first = f"  {run[0][0]:3}.-{run[-1][0]}. "
                    wrapped = textwrap.wrap(texts, WIDTH, initial_indent=first, subsequent_indent=" " * 7, break_on_hyphens=False, break_long_words=False)
                    yield from (row.replace(_WHOLE, " ") for row in wrapped)
                else:
                    yield from (_numbered(number, move, voice) for number, move in run)

    def _then(self, voice: Voice) -> Iterator[str]:
        if self.said.en:
            yield f"  {voice(self.said)}"
        yield from (f"       {move.text}  {voice(move.said)}" for move in self.then)

    def _found(self, voice: Voice, longest: int | None = None) -> Iterator[str]:
        for finding in self.findings:
            brief = longest is None or len(finding.needed) <= longest
            if brief:
                yield f"  {voice(_MET if self.met else _NEEDED)}{joined(voice)}{finding.needed}"
            if brief or not self.facts:
                yield f"  {voice(_HAVE)}{joined(voice)}{values_read(finding, voice)}"
        if self.facts:
            yield f"  {voice(_IN_WORDS)}{joined(voice)}{voice(Sentence('; ', '、')).join(map(voice, self.facts))}"

    def data(self) -> dict[str, Any]:
        return {
            "boards": list(self.boards), "readings": dict(self.readings), "start": self.start, "moves": [move.data() for move in self.moves],
            "stem": self.stem, "said": in_both(self.said), "then": [move.data() for move in self.then],
            "positions": [looked.data() for looked in self.looked], "met": self.met, "findings": [*map(finding_data, self.findings)],
            "facts": [*map(in_both, self.facts)],
        }  # fmt: skip


def written(board: Any) -> str:
    """A board by its name, or as one line of a file of boards."""
    return board if isinstance(board, str) else in_one_line(board)


def _numbered(number: int, move: MoveWords, voice: Voice) -> str:
    return f"  {number:3}. {move.text}  {voice(move.said)}"


_BOARDS, _READINGS = Sentence("boards", "ボード"), Sentence("readings", "読み")
_FROM, _AGAIN = Sentence("from", "始まり"), Sentence("played again by", "再現")
_IN_WORDS = Sentence("in words", "つまり")
_ROUND = Sentence("and round again:", "ここから循環：")
_NEEDED, _HAVE, _MET = Sentence("claimed", "主張"), Sentence("there is", "実際"), Sentence("holds", "成立")
