"""The judge: read a position, and ask about it. The command line says the same with the same words.

==================================  ===================================================
``read(source)``                    a ``Position`` from a line, a file, or plain data
``position.moves()``                the legal moves; ``viewer=1``: as player 1 may know them
``position.check(move, ...)``       whether a line of play is legal, and where it breaks
``position.why(move)``              every rule a move breaks, and the nearest legal moves
``position.card(name)``             why a card cannot be put into play: all minimal reasons and repairs
``position.flips(move)``            which single reading of the text would change the verdict
``position.depends(move)``          the verdict under all readings, and on which it depends
``position.plans(player)``          whole turns: how many, which, the best by a measure
``position.solve(goal)``            can the goal be forced, whatever the others do
``position.apply(move, ...)``       what moves do; ``position.after(move, ...)`` is the next position
``position.show()``                 the board as text; in a notebook a position is its picture
``position.line``, ``.data``        the position in one line, and as plain data
``answer.verdict``, ``.data()``     what was found; ``say(answer, "ja")`` is what a person reads
==================================  ===================================================

>>> position = read("tic-tac-toe1/cell=1,0,0,0,0,0,0,0,0/turn=1")
>>> position.moves().count
8
>>> answer = position.why("place 0")
>>> answer.verdict is Verdict.NO, answer.broken[0].clause.id
(True, 'TTT.empty')
>>> position.after("place 4").line
'tic-tac-toe1/cell=1,0,0,0,2,0,0,0,0'
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from monjudge.model.games import kit, kit_of
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.source import content
from monjudge.model.notation.source import read as read_source
from monjudge.reports.answers.answer import Answer, Exit, Language, Voice, lines_of
from monjudge.reports.judge import ENGINES, IllegalMove, Position
from monjudge.solvers.verdict import Verdict

__all__ = ["ENGINES", "Answer", "DataError", "Exit", "IllegalMove", "Position", "Verdict", "read", "say"]


def read(
    source: str | bytes | Path | Mapping[str, Any], *, game: str | None = None, readings: Mapping[str, str] | None = None,
    open: Collection[str] = (),
) -> Position:  # fmt: skip
    """The position of a one-line text, a file (``Path``), the text or the bytes of a file, or plain data.

    ``readings`` choose how ambiguous places of the text are read (by switch, e.g. ``{"A43": "ANY"}``); those in
    ``open`` stay open. Raises DataError with every defect and its place; OSError for a file that cannot be opened.
    """
    if isinstance(source, Mapping):
        words = kit_of(source) if game is None else kit(game)
        return Position(words.position(source, readings=readings, open=open))
    name = str(source) if isinstance(source, Path) else ""
    document = read_source(content(source) if isinstance(source, Path) else source, name)
    try:
        words = kit_of(document.data) if game is None else kit(game)
        return Position(words.position(document.data, readings=readings, open=open))
    except DataError as error:
        raise document.located(error) from None


def say(answer: Answer, lang: Language = "en") -> str:
    """What a person reads, in English or Japanese."""
    return "\n".join(lines_of(answer, Voice(lang)))
