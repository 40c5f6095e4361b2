"""A picture of a position as data, whatever the game: areas, zones and pieces, each with the key of its place.

A game says what lies where; ``reports`` draws it as SVG, PNG or text. A **zone** stands in the
grid of its **area**: row 0 is the row nearest to the middle of the table, columns run from the left
hand of the player who sits there. The key of a place (``1.L.attack``) is what highlights and arrows
refer to. Colour never says anything alone: a suit has a letter, a character and a hatch as well.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from monjudge.model.notation.sentence import Sentence

__all__ = ["HATCHES", "NOTHING", "Area", "Arrow", "Counter", "Picture", "Piece", "Style", "Suit", "Zone"]

NOTHING = Sentence("", "")

HATCHES = ("plain", "rising", "falling", "waves", "bricks", "dots")
"""The patterns that can tell suits apart where there is no colour."""

Style = Literal["slot", "stack", "fan", "pile", "list", "grid"]
"""One card; overlapping cards from the bottom; a hand; a face-down pile; an open heap; squares row by row from the top."""


@dataclass(frozen=True, slots=True)
class Suit:
    """An element or colour of pieces: ``letter`` in English, ``kanji`` in Japanese, ``colour`` as ``#rrggbb``."""

    key: str
    name: Sentence
    letter: str
    kanji: str
    colour: str
    hatch: str = "plain"


@dataclass(frozen=True, slots=True)
class Piece:
    """A card, disc or pawn. ``name`` says it in full; ``face`` is the large text on it (a number, ``+8``).

    ``mark`` is the sort of a piece without suit, ``label`` its printed name, ``note`` the small print,
    ``panels`` the suits printed on it. ``down`` lies face down but may be known here; of what is
    ``hidden`` nothing is told. ``count`` equal pieces lie together. Tags: spent, used, wild (of every suit),
    holds (another card stands by it), linked (one card with that above it).
    """

    key: str
    name: Sentence
    face: str = ""
    suit: str = ""
    mark: Sentence = NOTHING
    label: Sentence = NOTHING
    note: Sentence = NOTHING
    panels: tuple[str, ...] = ()
    count: int = 1
    down: bool = False
    hidden: bool = False
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Zone:
    """A place for pieces. ``size`` is the number of cards of a pile, None where nobody may know it.

    ``life`` is a counter on the zone, 0..``most``; ``width`` the squares in a row of a grid;
    ``span`` the columns that it fills. Tags: fallen, open (a skill may be used), screened.
    """

    key: str
    title: Sentence
    row: int
    column: int
    style: Style = "slot"
    pieces: tuple[Piece, ...] = ()
    note: Sentence = NOTHING
    size: int | None = None
    life: int | None = None
    most: int = 0
    width: int = 1
    span: int = 1
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Counter:
    """A figure beside the board."""

    key: str
    title: Sentence
    value: Sentence


@dataclass(frozen=True, slots=True)
class Area:
    """What belongs to one player (``seat`` from 0), or to the table (None). Tags: turn (has to decide), out."""

    key: str
    title: Sentence
    zones: tuple[Zone, ...]
    counters: tuple[Counter, ...] = ()
    seat: int | None = None
    subtitle: Sentence = NOTHING
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Arrow:
    """From one place to another, with a short text on it."""

    start: str
    end: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole position. Raises ValueError for a key that stands twice, an unknown suit, hatch or colour, and an arrow or highlight
    to nowhere."""

    title: Sentence
    areas: tuple[Area, ...]
    palette: tuple[Suit, ...] = ()
    header: tuple[Sentence, ...] = ()
    captions: tuple[Sentence, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    highlights: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        tally = Tally(self.keys())
        if twice := [key for key, n in tally.items() if n > 1]:
            raise ValueError(f"these keys stand twice in the picture: {', '.join(twice)}")
        ends = {end for arrow in self.arrows for end in (arrow.start, arrow.end)}
        if nowhere := sorted((ends | self.highlights) - tally.keys()):
            raise ValueError(f"the picture has no place called {', '.join(nowhere)}")
        used = {s for piece in self.pieces() for s in (piece.suit, *piece.panels)} - {""}
        if strange := sorted(used - {suit.key for suit in self.palette}):
            raise ValueError(f"the palette has no suit {', '.join(strange)}")
        if odd := sorted({s.colour for s in self.palette if not re.fullmatch("#[0-9a-fA-F]{6}", s.colour)}):
            raise ValueError(f"a colour is written #rrggbb, not {', '.join(odd)}")
        if odd := sorted({suit.hatch for suit in self.palette} - set(HATCHES)):
            raise ValueError(f"there is no hatch {', '.join(odd)}; there are {', '.join(HATCHES)}")

    def zones(self) -> Iterator[Zone]:
        for area in self.areas:
            yield from area.zones

    def pieces(self) -> Iterator[Piece]:
        for zone in self.zones():
            yield from zone.pieces

    def keys(self) -> Iterator[str]:
        """The key of every place; a piece that fills its zone alone may share the zone's key."""
        for area in self.areas:
            yield area.key
            for zone in area.zones:
                yield zone.key
                yield from (piece.key for piece in zone.pieces if piece.key != zone.key)
            yield from (counter.key for counter in area.counters)

    def suits(self) -> dict[str, Suit]:
        return {suit.key: suit for suit in self.palette}

    def changed(self, before: Picture) -> frozenset[str]:
        """The keys of the zones that hold something else than they did in an earlier picture.

        >>> zone = Zone("1.hand", Sentence("Hand", "手札"), 0, 0, "fan", (Piece("a", NOTHING),))
        >>> one, other = (Picture(NOTHING, (Area("1", NOTHING, zones),)) for zones in ((zone,), (dataclasses.replace(zone, pieces=()),)))
        >>> sorted(one.changed(other)), sorted(one.changed(one))
        (['1.hand'], [])
        """
        was = {zone.key: (zone.pieces, zone.life, zone.size) for zone in before.zones()}
        return frozenset(zone.key for zone in self.zones() if was.get(zone.key) != (zone.pieces, zone.life, zone.size))

    def marked(self, highlights: Iterable[str] = (), arrows: Iterable[Arrow] = ()) -> Picture:
        """The picture with more highlights and arrows. Raises ValueError for a place that it does not have.

        >>> zone = Zone("1.L.attack", Sentence("Attack", "攻撃"), 0, 0)
        >>> table = Picture(NOTHING, (Area("1", NOTHING, (zone,)),))
        >>> sorted(table.marked(["1.L.attack"]).highlights)
        ['1.L.attack']
        """
        return dataclasses.replace(
            self, highlights=self.highlights | set(highlights), arrows=(*self.arrows, *arrows)
        )
