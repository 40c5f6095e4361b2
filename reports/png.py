"""A picture as PNG, drawn from its SVG by resvg; a machine that has no Japanese font gets the English drawing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from monjudge.model.notation.picture import Picture
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.svg import FONTS, Look, svg
from monjudge.reports.told import Lang

try:
    import resvg_py
except ImportError as missing:
    raise ImportError(
        'PNG pictures need resvg-py: pip install "monjudge[png]" / '
        'PNGの図を描くには resvg-py が必要です：pip install "monjudge[png]"'
    ) from missing

__all__ = ["Png", "png", "shows_japanese"]


_NO_FONT = Sentence(
    f"No font was found, so the picture has no text. Install one ({', '.join(FONTS[-2:])}) or name a font file.",
    f"フォントが見つからないため、図に文字がありません。フォント（{'、'.join(FONTS[:2])}など）を入れるか、フォントファイルを指定してください。",
)
_NO_JAPANESE = Sentence(
    f"No font here shows Japanese, so the picture is in English. Install one ({', '.join(FONTS[:2])}) or name a font file.",
    f"日本語を表示できるフォントがないため、図は英語になりました。フォント（{'、'.join(FONTS[:2])}など）を入れるか、フォントファイルを指定してください。",
)


class Png(NamedTuple):
    """The bytes of the file, and what the reader has to know about the drawing."""

    data: bytes
    notes: tuple[Sentence, ...]


def png(
    picture: Picture, lang: Lang = "en", *, bottom: int = 0, look: Look = "colour", scale: float = 1.0,
    fonts: Sequence[str | Path] = (),
) -> Png:  # fmt: skip
    """The drawing of ``svg`` as PNG; ``fonts`` are further font files. Raises ValueError as ``svg``, FileNotFoundError for a font.

    Without a Japanese font it is drawn in English with letters, and a note says so; names that are
    Japanese only stay, and show as boxes.
    """
    files = tuple(str(path) for path in fonts)
    for path in files:
        if not Path(path).is_file():
            raise FileNotFoundError(f"there is no font file {path!r}")
    notes = []
    if not _tells_apart("A", "B", files):
        notes.append(_NO_FONT)
    elif lang == "ja" and not shows_japanese(files):
        lang = "en"
        notes.append(_NO_JAPANESE)
    return Png(_drawn(svg(picture, lang, bottom=bottom, look=look, scale=scale), files), tuple(notes))


def shows_japanese(fonts: tuple[str, ...] = ()) -> bool:
    """Whether the fonts of this machine, with these files, have Japanese characters."""
    return _tells_apart("火", "水", fonts)


@cache
def _tells_apart(one: str, other: str, fonts: tuple[str, ...]) -> bool:
    """Whether two characters look different: a font that lacks both shows the same box, or nothing, for either."""
    families = ", ".join(FONTS)
    drawn = {
        _drawn(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" font-family="{families}">'
               f'<text y="16" font-size="16">{c}</text></svg>', fonts)
        for c in (one, other)
    }  # fmt: skip
    return len(drawn) == 2


def _drawn(drawing: str, fonts: tuple[str, ...]) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, font_files=list(fonts) or None))
