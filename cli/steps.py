"""Playing step by step in the terminal: the board, the legal moves by number, undo."""

from __future__ import annotations

import sys
from random import Random
from typing import TYPE_CHECKING

from monjudge.cli.output import Talk
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import lines_of
from monjudge.reports.answers.defects import Defective
from monjudge.solvers.verdict import Verdict

if TYPE_CHECKING:
    from monjudge.judge import Position

__all__ = ["walk"]

_HELP = Sentence(
    "a number or a move, u undo, ? which rules a move breaks (? MOVE), s the board, r a random move, q quit",
    "番号か手を入力。u 一手戻す、? 手 でその手が満たさない規則、s 盤面、r 無作為な手、q 終わる",
)
_PROMPT = Sentence("move", "手")
_END = Sentence("No move is left.", "もう手がない。")
_NOTHING_TO_UNDO = Sentence("This is the beginning.", "ここが始まり。")


def walk(talk: Talk, position: Position, seed: int) -> list[str]:
    """The moves that were made. Standard input may be a file; its end is the end."""
    random = Random(seed)
    past: list[tuple[Position, list[str]]] = []
    here, made, shown = position, list[str](), True
    while True:
        here, drawn = _draw(here, random)
        made += drawn
        if shown:
            _show(talk, here)
        word = _asked(talk, here, len(made))
        shown = False
        if word in ("", "q", "quit"):
            return made
        if word in ("u", "undo"):
            if past:
                here, made = past.pop()
                shown = True
            else:
                talk.say(_NOTHING_TO_UNDO)
        elif word == "s":
            shown = True
        elif word.startswith("?"):
            _explain(talk, here, word[1:].strip())
        else:
            move = _chosen(here, word, random)
            after = _made(talk, here, move)
            if after is not None:
                past.append((here, list(made)))
                here, made, shown = after, [*made, move], True


def _draw(here: Position, random: Random) -> tuple[Position, list[str]]:
    """Chance that is due, drawn."""
    made = here.dealt(random.randrange(1 << 32)).done
    moves = [done.move.text for done in made]
    return (here.after(*moves) if moves else here), moves


def _show(talk: Talk, here: Position) -> None:
    print(here.show(talk.lang, ascii=talk.ascii), file=sys.stderr)
    listed = [move for group in here.moves().groups for move in group.moves]
    for number, move in enumerate(listed, 1):
        print(f"{number:4}  {move.text}  {talk.voice(move.said)}", file=sys.stderr)
    if not listed:
        talk.say(_END)
    talk.say(_HELP)


def _asked(talk: Talk, here: Position, number: int) -> str:
    """What is typed next; empty at the end of the input."""
    print(f"{number + 1} {talk.voice(_PROMPT)}> ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    while line.strip() == "" and line:
        line = sys.stdin.readline()
    return line.strip()


def _chosen(here: Position, word: str, random: Random) -> str:
    """The notation of what was typed: a number of the list, ``r``, or itself."""
    listed = [move.text for group in here.moves().groups for move in group.moves]
    if word == "r" and listed:
        return random.choice(listed)
    if word.isascii() and word.isdecimal() and 1 <= int(word) <= len(listed):
        return listed[int(word) - 1]
    return word


def _made(talk: Talk, here: Position, move: str) -> Position | None:
    """The position after the move; None, with the reason said, if it cannot be made."""
    try:
        judged = here.why(move)
        if judged.verdict is Verdict.YES:
            return here.after(move)
    except DataError as error:
        print("\n".join(Defective.of(error).text(talk.voice)), file=sys.stderr)
        return None
    print("\n".join(judged.text(talk.voice)), file=sys.stderr)
    return None


def _explain(talk: Talk, here: Position, move: str) -> None:
    if not move:
        talk.say(_HELP)
        return
    try:
        print("\n".join(lines_of(here.why(move), talk.voice)), file=sys.stderr)
    except DataError as error:
        print("\n".join(Defective.of(error).text(talk.voice)), file=sys.stderr)
