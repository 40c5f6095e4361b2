"""A picture as SVG: one self-contained drawing with titles for screen readers, stable ids and nothing fetched.

``svg(picture)`` is what a notebook shows. An id is the key of a place behind the ``id`` of the
drawing: ``board-1.L.attack``. PNG is drawn from it (see ``png``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal

from monjudge.model.notation.picture import Arrow, Picture, Suit
from monjudge.reports import told
from monjudge.reports.glyphs import fit, printable, width
from monjudge.reports.layout import Box, Layout, PlacedPiece, lay_out
from monjudge.reports.told import Lang

try:
    import jinja2
    from markupsafe import Markup
except ImportError as missing:
    raise ImportError(
        'pictures need jinja2: pip install "monjudge[svg]" / 図を描くには jinja2 が必要です：pip install "monjudge[svg]"'
    ) from missing

__all__ = ["FONTS", "Lang", "Look", "svg"]

Look = Literal["colour", "print"]

FONTS = (
    "Noto Sans JP", "Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic", "Meiryo", "IPAexGothic", "IPAGothic",
    "DejaVu Sans", "Arial",
)  # fmt: skip
"""Families that show Japanese, the common systems' in turn, and two that are nearly everywhere."""

_TONES: Mapping[Look, Mapping[str, str]] = {
    "colour": {"paper": "#f4f1ea", "board": "#e6dfd0", "far": "#d9dfe6", "mid": "#ece9e2", "ground": "#fbfaf6",
               "lost": "#c9c4ba", "ink": "#1c1b19", "soft": "#55514a", "rim": "#8d867a", "back": "#39546e",
               "weave": "#8fa9c2", "token": "#1f7a4d", "gone": "#d5d0c5", "arrow": "#b3261e", "mark": "#d96b00",
               "acts": "#1f7a4d"},
    "print": {"paper": "#ffffff", "board": "#ffffff", "far": "#ffffff", "mid": "#ffffff", "ground": "#ffffff",
              "lost": "#d0d0d0", "ink": "#000000", "soft": "#222222", "rim": "#444444", "back": "#ffffff",
              "weave": "#444444", "token": "#000000", "gone": "#ffffff", "arrow": "#000000", "mark": "#000000",
              "acts": "#000000"},
}  # fmt: skip

_HATCH = {
    "plain": "",
    "rising": "M-2 2L2 -2M0 8L8 0M6 10L10 6",
    "falling": "M-2 6L2 10M0 0L8 8M6 -2L10 2",
    "waves": "M0 2Q2 0 4 2T8 2M0 6Q2 4 4 6T8 6",
    "bricks": "M0 0H8M0 4H8M2 0V4M6 4V8",
    "dots": "M2 2h.01M6 6h.01",
}


def svg(
    picture: Picture, lang: Lang = "en", *, bottom: int = 0, look: Look = "colour", scale: float = 1.0, id: str = "board"
) -> str:
    """The drawing in a language, seen from the seat ``bottom`` (from 0), ``scale`` times its natural size.

    The look ``print`` is black on white and tells suits apart by letter and hatch. ``id`` keeps drawings
    on one page apart. Raises ValueError for a seat that nobody has, a scale that is not above 0, or an id that is no
    XML name.
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", id):
        raise ValueError(f"{id!r} is no id: a letter, then letters, digits, - or _")
    if not 0 < scale <= 20:
        raise ValueError(f"a scale is above 0 and at most 20, not {scale}")
    layout = lay_out(picture, bottom)
    template = _environment().get_template("picture.svg.jinja")
    drawn = template.render(
        picture=picture, layout=layout, lang=lang, en=lang == "en", id=id, fonts=", ".join(f'"{f}"' for f in FONTS) + ", sans-serif",
        palette=picture.palette, suits=picture.suits(), tones=_TONES[look], look=look, rules=_styles(_TONES[look]),
        pixels=(round(layout.width * scale), round(layout.height * scale)),
        described=told.described(picture, lang),
        header=" · ".join(told.words(s, lang) for s in picture.header),
        marks=[(key, layout.boxes[key]) for key in sorted(picture.highlights)],
        arrows=[_arrow(arrow, layout) for arrow in picture.arrows],
    )  # fmt: skip
    return drawn + "\n"


def _styles(t: Mapping[str, str]) -> dict[str, str]:
    """The CSS classes of a look."""
    return {
        "paper": f"fill: {t['paper']}",
        "board": f"fill: {t['board']}; stroke: {t['rim']}; stroke-width: 1.5",
        "far": f"fill: {t['far']}",
        "mid": f"fill: {t['mid']}; stroke: none",
        "acts": f"stroke: {t['acts']}; stroke-width: 4",
        "ground": f"fill: {t['ground']}; stroke: {t['rim']}; stroke-width: 1",
        "lost": f"fill: {t['lost']}; stroke-dasharray: 5 4",
        "empty": f"fill: none; stroke: {t['rim']}; stroke-width: 1; stroke-dasharray: 3 4",
        "face": f"fill: #ffffff; stroke: {t['ink']}; stroke-width: 1.6",
        "band": f"fill: {t['ink']}",
        "back": f"stroke: {t['ink']}; stroke-width: 1.6",
        "linked": f"fill: none; stroke: {t['ink']}; stroke-width: 1.6; stroke-dasharray: 6 4",
        "plate": "fill: #ffffff",
        "cell": f"fill: {t['ground']}; stroke: {t['rim']}; stroke-width: 1",
        "rim": f"stroke: {t['ink']}; stroke-width: 1.6",
        "thin": f"stroke: {t['ink']}; stroke-width: 0.6",
        "line": f"fill: none; stroke: {t['ink']}; stroke-width: 3",
        "ink": f"fill: {t['ink']}",
        "soft": f"fill: {t['soft']}",
        "strong": f"fill: {t['ink']}; font-weight: bold",
        "index": f"fill: {t['ink']}; font-weight: bold",
        "number": f"fill: {t['ink']}; font-weight: bold",
        "halo": "fill: #000000; font-weight: bold; stroke: #ffffff; stroke-width: 2.5; paint-order: stroke",
        "badge": f"fill: {t['ink']}",
        "onbadge": "fill: #ffffff; font-weight: bold",
        "token": f"fill: {t['token']}; stroke: {t['ink']}; stroke-width: 1.6",
        "ontoken": "fill: #ffffff; font-weight: bold",
        "life": f"fill: {t['token']}",
        "gone": f"fill: {t['gone']}; stroke: {t['rim']}; stroke-width: 0.6",
        "veil": "fill: #ffffff; opacity: 0.4",
        "cross": f"stroke: {t['ink']}; stroke-width: 3; opacity: 0.7",
        "mark": f"fill: none; stroke: {t['mark']}; stroke-width: 5; stroke-dasharray: 12 4",
        "shaft": f"fill: none; stroke: {t['arrow']}; stroke-width: 5; opacity: 0.9",
        "onarrow": f"fill: #ffffff; stroke: {t['arrow']}; stroke-width: 3",
    }


def _arrow(arrow: Arrow, layout: Layout) -> dict[str, Any]:
    """A bent shaft from rim to rim, and where its label stands."""
    start, end = layout.boxes[arrow.start], layout.boxes[arrow.end]
    x, y = _rim(start, end)
    far_x, far_y = _rim(end, start)
    bend_x, bend_y = (x + far_x) // 2 + (far_y - y) // 8, (y + far_y) // 2 - (far_x - x) // 8
    return {
        "path": f"M{x} {y}Q{bend_x} {bend_y} {far_x} {far_y}",
        "x": (x + 2 * bend_x + far_x) // 4, "y": (y + 2 * bend_y + far_y) // 4,
        "label": printable(arrow.label), "said": printable(f"{arrow.start} → {arrow.end} {arrow.label}".strip()),
    }  # fmt: skip


def _rim(box: Box, other: Box) -> tuple[int, int]:
    """A point just inside the side of a box that faces the other."""
    (x, y), (far_x, far_y) = box.middle, other.middle
    if abs(far_y - y) > box.h // 2:
        return x, y + (box.h // 2 - 6) * (1 if far_y > y else -1)
    return x + (box.w // 2 - 6) * (1 if far_x > x else -1), y


# -- the words of the template -------------------------------------------------------------------------


def _in_context(of: Callable[..., str]) -> Callable[..., str]:
    """A filter whose first argument is the drawing's own context."""
    return jinja2.pass_context(of)


@cache
def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("monjudge.reports"), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.filters |= {
        "clean": printable, "plate": lambda text: 8 + 10 * width(text), "size": _size, "cut": _cut,
        "text": _in_context(lambda c, sentence: told.words(sentence, c["lang"])),
        "letter": _in_context(lambda c, suit: told.letter(suit, c["lang"])),
        "index": _in_context(lambda c, piece: told.code(piece, c["suits"], c["lang"])),
        "said": _in_context(lambda c, piece: told.said(piece, c["lang"])),
        "said_zone": _in_context(lambda c, placed: told.said_zone(placed.zone, c["lang"])),
        "counters": _in_context(lambda c, area: told.figures(area, c["lang"])),
        "id": _in_context(_id), "hatch": _in_context(_hatch), "ground": _in_context(_ground),
    }  # fmt: skip
    return made


def _size(text: str, wanted: float, room: float) -> float:
    """A font size at which the text fits the room, but no less than two thirds of what is wanted."""
    # A narrow letter is at most 0.62 of its height wide in most fonts, a wide one 1.0.
    needed = max(width(text), 1) * 0.62
    return round(max(wanted * 2 / 3, min(wanted, room / needed)), 1)


def _cut(text: str, wanted: float, room: float) -> str:
    return fit(text, max(1, int(room / (0.62 * _size(text, wanted, room)))))


def _id(context: Mapping[str, Any], placed: PlacedPiece) -> str:
    """The key of the piece, behind the id of the drawing; ``card`` where its zone has the same key."""
    zones = {zone.key for zone in context["picture"].zones()}
    key = printable(placed.piece.key)
    return f"{context['id']}-{key}" + ("-card" if placed.piece.key in zones else "")


def _hatch(context: Mapping[str, Any], suit: Suit) -> Markup:
    """The strokes of a suit's pattern: dark on a light ground, light on a dark one."""
    stroke = "#000000" if context["look"] == "print" or _light(suit.colour) else "#ffffff"
    thick = 2.4 if suit.hatch == "dots" else 1.4
    return Markup(
        '<path d="{}" fill="none" stroke="{}" stroke-width="{}" stroke-linecap="round" opacity="0.75"/>'
    ).format(_HATCH[suit.hatch], stroke, thick)


def _ground(context: Mapping[str, Any], suit: Suit) -> str:
    return "#ffffff" if context["look"] == "print" else suit.colour


def _light(colour: str) -> bool:
    """Whether black stands out on the colour better than white."""
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return 299 * red + 587 * green + 114 * blue > 150_000
