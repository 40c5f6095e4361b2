"""``monjudge apply``, ``deal`` and ``play``: moves are made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from monjudge.cli.asking import STATE, About, about, given, named, question
from monjudge.cli.output import Reply, Talk
from monjudge.cli.toolkit import argument, click, option
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Asked
from monjudge.reports.answers.applied import Applied

if TYPE_CHECKING:
    from monjudge.judge import Position
    from monjudge.reports.answers.why import Checked

__all__ = ["apply", "deal", "play"]


@question("apply", Sentence("Make moves, one after the other, and show the next position and what fired.",
                            "手を順に進め、次の局面と、自動的に起きたことを示す。"), STATE)  # fmt: skip
@about
@argument("state")
@argument("moves", nargs=-1)
@option("--seed", type=int, said=Sentence("Draw chance that is due with this seed.", "起こるべき偶然を、この種の乱数で決める。"))
def apply(talk: Talk, about: About, state: str, moves: tuple[str, ...], seed: int | None) -> Reply:
    position = about.position(state)
    inputs = [*given(position), *({"kind": "move", "text": move} for move in moves)]
    return Reply([_made(position, moves, seed)], position.readings, inputs)


def _made(position: Position, moves: Sequence[str], seed: int | None, at_random: int = 0) -> Applied | Checked:
    """What the moves do; or which of them is the first that is not legal."""
    from monjudge.judge import IllegalMove

    try:
        return position.apply(*moves, seed=seed, at_random=at_random)
    except IllegalMove:
        return position.check(*moves, seed=seed)


@question("deal", Sentence("Deal a new game; chance is drawn until somebody has to decide.",
                           "新しい対戦を配る。誰かが決める番になるまで偶然を引く。"))  # fmt: skip
@about
@option("--mode", said=Sentence("Mode of the game.", "モード。"))
@option("--players", type=int, said=Sentence("Number of players.", "人数。"))
@option("--board", "--deck", "boards", multiple=True, metavar="NAME|FILE",
        said=Sentence("Board or deck of a player, in order of seats; may be repeated.", "席順のボードかデッキ。人数分繰り返す。"))  # fmt: skip
@option("--pack", metavar="FILE", said=Sentence("Pack of cards of which the decks are made, besides the default one.",
                                                "デッキに使う、標準以外のカードパック。"))  # fmt: skip
@option("--seed", type=int, default=0, show_default=True, said=Sentence("Seed of chance.", "乱数の種。"))
def deal(talk: Talk, about: About, mode: str | None, players: int | None, boards: tuple[str, ...], pack: str | None, seed: int) -> Reply:
    position = about.dealt(mode, players, boards, pack)
    answer = position.dealt(seed, Asked(("deal", *_words(position, mode, players, boards, pack), f"--seed={seed}")))
    return Reply([answer], position.readings, [{"kind": "deal", "game": position.written.kit.name, "seed": seed}])


def _words(position: Position, mode: str | None, players: int | None, boards: tuple[str, ...], pack: str | None) -> list[str]:
    found = [f"--game={position.written.kit.name}"]
    found += [] if mode is None else [f"--mode={mode}"]
    found += [] if players is None else [f"--players={players}"]
    found += [f"--board={board}" for board in boards]
    found += [] if pack is None else [f"--pack={pack}"]
    return found + [f"--reading={switch}={value}" for switch, value in position.readings.items()]


@question("play", Sentence("Play on: with the moves of a script, at random, or step by step in the terminal.",
                           "続きを進める：台本の手、無作為、または端末で一手ずつ。"),
          Sentence(f"{STATE.en} Without MOVES, --script or --random, moves are asked for one by one.",
                   f"{STATE.ja} MOVES も --script も --random もなければ、一手ずつ尋ねる。"))  # fmt: skip
@about
@argument("state")
@argument("moves", nargs=-1)
@option("--script", type=click.Path(path_type=Path), said=Sentence("File with one move a line.", "一行に一手を書いたファイル。"))
@option("--random", "at_random", is_flag=True, said=Sentence("Choose every move at random.", "手を無作為に選ぶ。"))
@option("--seed", type=int, default=0, show_default=True, said=Sentence("Seed of chance and of random moves.", "乱数の種。"))
@option("--most", type=click.IntRange(0, 1_000_000), default=10_000, show_default=True,
        said=Sentence("Stop after so many random moves.", "無作為な手はこの数まで。"))  # fmt: skip
@option("--log", type=click.Path(path_type=Path), said=Sentence("File to write the game to.", "記録を書くファイル。"))
def play(
    talk: Talk, about: About, state: str, moves: tuple[str, ...], script: Path | None, at_random: bool, seed: int, most: int, log: Path | None
) -> Reply:  # fmt: skip
    position = about.position(state)
    line = list(moves)
    if script is not None:
        line += _script(script)
    if not line and not at_random:
        from monjudge.cli.steps import walk

        line = walk(talk, position, seed)
    answer = _made(position, line, seed, most if at_random else 0)
    if log is not None and isinstance(answer, Applied):
        _write_log(talk, position, [done.move.text for done in answer.done], log)
    return Reply([answer], position.readings, given(position))


def _script(file: Path) -> list[str]:
    """The moves of a file, one a line; what stands behind # is a comment. Raises DataError, OSError."""
    from monjudge.model.notation.source import content, decoded

    try:
        text = decoded(content(file))
    except DataError as error:
        raise named(error, str(file)) from None
    return [move for row in text.splitlines() if (move := row.partition("#")[0].strip())]


def _write_log(talk: Talk, position: Position, moves: list[str], log: Path) -> None:
    from monjudge.cli.output import write_file
    from monjudge.model.notation.kit import Log
    from monjudge.model.notation.source import write

    data = position.written.kit.log_data(Log(position.written, tuple(moves)))
    text = write(data, "json" if log.suffix == ".json" else "yaml")
    if str(log) == "-":
        talk.put([text])
    else:
        write_file(log, text.encode())
