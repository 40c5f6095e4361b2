"""``monjudge show`` and ``monjudge render``: the position as it lies on the table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from monjudge.cli.asking import STATE, About, about, given, question
from monjudge.cli.output import Reply, Talk, columns, write_file
from monjudge.cli.toolkit import argument, click, option
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.shown import Drawn, Shown

if TYPE_CHECKING:
    from monjudge.judge import Position

__all__ = ["render", "show"]

_VIEWER = option("--as", "viewer", type=int,
                 said=Sentence("Show only what this player may know, from 1.", "このプレイヤー（1から）が知りうることだけを示す。"))  # fmt: skip
_BOTTOM = option("--bottom", type=int, default=1, show_default=True,
                 said=Sentence("Which player sits at the bottom.", "下側に座るプレイヤー。"))  # fmt: skip


_SUFFIXES = ("", ".svg", ".png")


@question("show", Sentence("Draw the position in the terminal.", "局面を端末に描く。"), STATE)
@about
@argument("state")
@_VIEWER
@_BOTTOM
@option("--width", type=click.IntRange(40, 400), said=Sentence("Columns to draw in.", "描く幅（桁数）。"))
def show(talk: Talk, about: About, state: str, viewer: int | None, bottom: int, width: int | None) -> Reply:
    from monjudge.reports.terminal import terminal

    position = about.position(state)
    picture = position.picture(viewer)
    board = terminal(picture, talk.lang, bottom=_seat(position, bottom), columns=width or columns(), colour=talk.voice.colour, ascii=talk.ascii)
    secret, asked = viewer is not None, [] if width is None else [f"--width={width}"]
    answer = Shown(board, "" if secret else position.line, None if secret else position.asked("show", *_bottom(bottom), *asked))
    return Reply([answer], position.readings, () if secret else given(position))


@question("render", Sentence("Draw the position as a picture, SVG or PNG.", "局面を SVG か PNG の画像に描く。"),
          Sentence(f"{STATE.en} -o names the picture; its suffix says which kind it is, and - is SVG on standard output.",
                   f"{STATE.ja} -o で画像のファイルを指定する。種類は拡張子で決まり、- は標準出力への SVG。"))  # fmt: skip
@about
@argument("state")
@_VIEWER
@_BOTTOM
@option("--look", type=click.Choice(["colour", "print"]), default="colour", show_default=True,
        said=Sentence("In colours, or for print in black and white.", "カラーか、白黒印刷用か。"))  # fmt: skip
@option("--scale", type=click.IntRange(1, 8), default=2, show_default=True, said=Sentence("Pixels of a PNG for each unit.", "PNG の倍率。"))
def render(talk: Talk, about: About, state: str, viewer: int | None, bottom: int, look: str, scale: int) -> int:
    from monjudge.reports.svg import svg

    if talk.output is not None and talk.output.suffix.lower() not in _SUFFIXES:
        raise click.UsageError(talk.voice(Sentence(f"a picture is .svg or .png, not {talk.output.suffix}", f"画像は .svg か .png で、{talk.output.suffix} ではない")))
    position = about.position(state)
    picture, seat = position.picture(viewer), _seat(position, bottom)
    if talk.output is None:
        talk.put([svg(picture, talk.lang, bottom=seat, look=look)])  # type: ignore[arg-type]
        return 0
    file, screen = talk.output, replace(talk, output=None)
    if file.suffix.lower() == ".png":
        from monjudge.reports.png import png

        drawn = png(picture, talk.lang, bottom=seat, look=look, scale=scale)  # type: ignore[arg-type]
        write_file(file, drawn.data)
        for note in drawn.notes:
            screen.say(note)
    else:
        write_file(file, svg(picture, talk.lang, bottom=seat, look=look).encode())  # type: ignore[arg-type]
    more = [*_bottom(bottom), *([] if look == "colour" else [f"--look={look}"]), *([] if scale == 2 else [f"--scale={scale}"]), f"--output={file}"]
    return screen.give(Reply([Drawn(str(file), position.asked("render", *more) if viewer is None else None)], position.readings))


def _bottom(player: int) -> list[str]:
    return [] if player == 1 else [f"--bottom={player}"]


def _seat(position: Position, player: int) -> int:
    position.check_player(player)
    return player - 1
