"""``monjudge puzzles``: the endgames that are shipped, and one of them with its picture, its solution and why it works."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator

from monjudge.cli.asking import About, question, shipped_puzzle
from monjudge.cli.output import Talk
from monjudge.cli.toolkit import argument, option
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.sentence import Sentence
from monjudge.puzzles import Puzzle, read
from monjudge.puzzles.library import library

__all__ = ["puzzles"]


@question("puzzles", Sentence("List the endgames that are shipped, or show PUZZLE.", "収録した詰め問題を並べる。PUZZLE を指定すればその問題を示す。"),
          Sentence("PUZZLE is a name of the list, or a file. The solution is shown with --solution only; solve finds it: monjudge solve puzzle:NAME.",
                   "PUZZLE は一覧の名前かファイル。解答は --solution を付けたときだけ示す。解かせるには monjudge solve puzzle:名前。"))  # fmt: skip
@argument("puzzle", required=False)
@option("--game", said=Sentence("Only those of this game.", "このゲームの問題だけ。"))
@option("--solution", is_flag=True, said=Sentence("Show the solution and the explanation, too.", "解答と解説も示す。"))
def puzzles(talk: Talk, puzzle: str | None, game: str | None, solution: bool) -> int:
    from monjudge.model.games import kit

    only = None if game is None else kit(game).name
    if puzzle is None:
        found = {name: one for name, path in library().items() if (one := read(path)).kit.name == only or only is None}
    elif puzzle in library():
        found = {puzzle: read(shipped_puzzle(puzzle))}
    else:
        found = {puzzle: _named(puzzle)}
    other = next((one.kit for one in found.values() if only not in (None, one.kit.name)), None)
    if other is not None:
        raise DataError([Defect("--game", Sentence(f"the puzzle is of {other.name}", f"この問題のゲームは {other.name}"))])
    if talk.form in ("json", "jsonl"):
        rows = [{"name": name, **_data(one, solution)} for name, one in found.items()]
        talk.put([json.dumps(rows, ensure_ascii=False, indent=1) + "\n"] if talk.form == "json" else [json.dumps(row, ensure_ascii=False) + "\n" for row in rows])
    elif puzzle is None:
        widest = max(map(len, found), default=0)
        talk.put(f"{name:{widest}}  {talk.voice(one.title)}{'' if talk.form == 'concise' else f' ({talk.voice(_asked(one))})'}\n" for name, one in found.items())
    else:
        talk.put(f"{line}\n" for name, one in found.items() for line in _shown(talk, one, solution))
    return 0


def _named(name: str) -> Puzzle:
    """The puzzle of a file. Raises DataError; for what is no file with the names of those that are shipped."""
    try:
        asked = About().asked(name)[1]
    except DataError as error:
        if error.defects[0].code == "no-such-file":
            shipped_puzzle(name)
        raise
    return asked if asked is not None else read(shipped_puzzle(name))


def _data(puzzle: Puzzle, solution: bool) -> dict[str, object]:
    kept = ("solution", "explanation", "computed")
    return {key: part for key, part in puzzle.data.items() if solution or key not in kept}


def _asked(puzzle: Puzzle) -> Sentence:
    """What the puzzle asks for, in a sentence."""
    who, goal, turns = puzzle.kit.player(puzzle.position, puzzle.player - 1), puzzle.wanted.said, puzzle.turns
    en = "" if turns is None else f" within {turns} turn{'s' * (turns != 1)}"
    ja = "" if turns is None else f"{turns}ターン以内に"
    if puzzle.chance == "odds":
        return Sentence(f"{who.en}, with the best odds{en}: {goal.en}", f"{who.ja}、確率を最大に：{ja}{goal.ja}")
    if puzzle.chance == "given":
        rolls = ", ".join(puzzle.data["rolls"])
        return Sentence(f"{who.en}{en}, if chance brings {rolls}: {goal.en}", f"{who.ja}、出目は {rolls}：{ja}{goal.ja}")
    return Sentence(f"{who.en}{en}: {goal.en}", f"{who.ja}：{ja}{goal.ja}")


def _shown(talk: Talk, puzzle: Puzzle, solution: bool) -> Iterator[str]:
    from monjudge.reports.judge import Position
    from monjudge.reports.terminal import terminal

    voice, switches = talk.voice, puzzle.kit.switches()
    yield voice.strong(voice(puzzle.title))
    yield voice(_asked(puzzle))
    position = Position(puzzle.position)
    picture = position.picture(puzzle.player - 1 if puzzle.hidden else None)
    columns = max(40, min(shutil.get_terminal_size().columns, 200))
    yield terminal(picture, talk.lang, bottom=puzzle.player - 1, columns=columns, colour=voice.colour, ascii=talk.ascii)
    for id in puzzle.data.get("told", ()):
        value = position.readings.get(id, switches[id].default)
        yield f"{id} {value}: {voice(switches[id].values[value])}"
    for twin in puzzle.data.get("twins", ()):
        yield voice(Sentence(f"Twin {twin['name']}: {twin['text']['en']}", f"双子 {twin['name']}：{twin['text']['ja']}"))
    if solution:
        yield from _solved(talk, puzzle)


def _solved(talk: Talk, puzzle: Puzzle) -> Iterator[str]:
    voice = talk.voice
    played = puzzle.replay()
    here = puzzle.played
    for number, (move, state) in enumerate(zip(played.moves, played.states, strict=False), 1):
        yield f"  {number:3}. {puzzle.kit.move_text(here.at(state), move)}  {voice(puzzle.kit.said(here.at(state), move))}"
    for variation in puzzle.data.get("solution", {}).get("variations", ()):
        sign = "+" if variation["ends"] == "reached" else "-"
        yield f"  {variation['at']:3}{sign} {' / '.join(variation['moves'])}"
    if puzzle.explanation is not None:
        yield voice(puzzle.explanation)
