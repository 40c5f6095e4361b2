"""Where everything of a picture stands on paper: boxes in pixels for areas, zones and pieces.

The player at the bottom is shown as the table is seen from that seat; whoever sits opposite is
turned round, so that the first rows of both meet in the middle and each left hand is where it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from monjudge.model.notation.picture import Area, Picture, Piece, Zone

__all__ = ["Box", "Layout", "PlacedArea", "PlacedPiece", "PlacedZone", "lay_out", "seated"]

CARD, TALL = 68, 98
STRIP = 24
"""How much of a card is seen under the next one in a stack."""
SHRUNK = 5
"""Stacks that are higher show less of each card."""
PAD, HEAD, FOOT, PLATE, GAP = 6, 17, 14, 34, 10
TOKEN = 46
CHIP = (44, 18)
SQUARE = 52
PILE = (64, 52)
TOP = 44
NARROWEST = 420
"""A drawing has room for its heading."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels."""

    x: int
    y: int
    w: int
    h: int

    @property
    def middle(self) -> tuple[int, int]:
        return self.x + self.w // 2, self.y + self.h // 2


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    piece: Piece
    box: Box
    backs: int = 0
    """Face-down cards that are seen behind it."""


@dataclass(frozen=True, slots=True)
class PlacedZone:
    zone: Zone
    box: Box
    pieces: tuple[PlacedPiece, ...]
    left_out: int = 0
    """Pieces of a heap for which there is no room."""


@dataclass(frozen=True, slots=True)
class PlacedArea:
    area: Area
    box: Box
    plate: Box
    zones: tuple[PlacedZone, ...]
    far: bool


@dataclass(frozen=True)
class Layout:
    """The whole drawing, ``width`` by ``height`` pixels, and the box of every key."""

    width: int
    height: int
    areas: tuple[PlacedArea, ...]
    boxes: Mapping[str, Box]


def seated(areas: Sequence[Area], bottom: int) -> tuple[list[Area], list[Area], list[Area]]:
    """The areas on the far side, in the middle (nobody's), and on the near side, each from left to right.

    ``bottom`` is the seat at the lower left; the others follow clockwise. Raises ValueError for a seat nobody has.
    """
    sitting = sorted((a for a in areas if a.seat is not None), key=lambda a: a.seat or 0)
    shared = [a for a in areas if a.seat is None]
    if not sitting:
        return [], shared, []
    seats = [a.seat for a in sitting]
    if bottom not in seats:
        raise ValueError(f"there is no seat {bottom}; there are {', '.join(map(str, seats))}")
    at = seats.index(bottom)
    round_ = sitting[at:] + sitting[:at]
    near = [round_[0], *round_[3:]]
    return round_[1:3], shared, near


def lay_out(picture: Picture, bottom: int = 0) -> Layout:
    """The boxes of a picture, seen from the seat ``bottom`` (from 0)."""
    far, shared, near = seated(picture.areas, bottom)
    columns = _columns([*far, *near])
    # As wide on the left as on the right, so that a board meets the one turned round opposite.
    columns = [max(pair) for pair in zip(columns, reversed(columns), strict=True)]
    placed: list[PlacedArea] = []
    y = TOP
    for row, turned in ((far, True), (shared, False), (near, False)):
        x, tallest = GAP, 0
        for area in row:
            one = _area(area, x, y, columns if area.seat is not None else _columns([area]), turned)
            placed.append(one)
            x, tallest = x + one.box.w + GAP, max(tallest, one.box.h)
        y += tallest + GAP if row else 0
    right = max((a.box.x + a.box.w for a in placed), default=0) + GAP
    right = max(right, NARROWEST)
    placed = _centred(placed, right)
    boxes = {key: box for area in placed for key, box in _keyed(area)}
    foot = 22 * (len(picture.captions) + bool(picture.palette)) + GAP
    return Layout(right, y + foot, tuple(placed), boxes)


def _keyed(area: PlacedArea) -> Iterator[tuple[str, Box]]:
    yield area.area.key, area.box
    for counter in area.area.counters:
        yield counter.key, area.plate
    for placed in area.zones:
        yield from ((p.piece.key, p.box) for p in placed.pieces)
        yield from ((p.key, placed.box) for p in placed.zone.pieces[len(placed.pieces) :])
        yield placed.zone.key, placed.box


def _centred(areas: list[PlacedArea], right: int) -> list[PlacedArea]:
    """Rows that are narrower than the drawing stand in its middle."""
    rows: dict[int, int] = {}
    for area in areas:
        rows[area.box.y] = max(rows.get(area.box.y, 0), area.box.x + area.box.w + GAP)
    return [_moved(area, (right - rows[area.box.y]) // 2) for area in areas]


def _moved(area: PlacedArea, by: int) -> PlacedArea:
    def move(box: Box) -> Box:
        return Box(box.x + by, box.y, box.w, box.h)

    zones = tuple(
        PlacedZone(z.zone, move(z.box), tuple(PlacedPiece(p.piece, move(p.box), p.backs) for p in z.pieces), z.left_out)
        for z in area.zones
    )
    return PlacedArea(area.area, move(area.box), move(area.plate), zones, area.far)


# -- the grid of an area -----------------------------------------------------------------------------


def _columns(areas: Sequence[Area]) -> list[int]:
    """The widths of the columns: the same for all players; columns with stacks are one board and equally wide."""
    zones = [zone for area in areas for zone in area.zones]
    count = max((zone.column + zone.span for zone in zones), default=1)
    widths = [0] * count
    for zone in zones:
        if zone.span == 1:
            widths[zone.column] = max(widths[zone.column], _wide(zone))
    board = [c for c in range(count) if any(z.column == c and z.style == "stack" for z in zones)]
    widest = max((widths[c] for c in board), default=0)
    return [widest if c in board else w for c, w in enumerate(widths)]


def _wide(zone: Zone) -> int:
    """The width that a zone asks for."""
    match zone.style:
        case "pile":
            return PILE[0] + 2 * PAD + max(70, (CHIP[0] + 3) * -(-len(zone.pieces) // 2) + 12)
        case "list":
            return 3 * CHIP[0] + 4 * PAD
        case "fan":
            return 2 * CARD + 3 * PAD
        case "grid":
            return zone.width * SQUARE + 2 * PAD
    return CARD + 2 * PAD + (TOKEN if zone.most else 40)


def _tall(zone: Zone) -> int:
    """The height that a zone asks for."""
    match zone.style:
        case "pile":
            return HEAD + PILE[1] + 2 * PAD
        case "list":
            return HEAD + 2 * PAD + 4 * (CHIP[1] + 3)
        case "grid":
            return HEAD + 2 * PAD + SQUARE * -(-len(zone.pieces) // zone.width)
        case "stack":
            return HEAD + TALL + 2 * PAD + _strip(zone) * (max(len(zone.pieces), 2) - 1)
    return HEAD + TALL + 2 * PAD + (FOOT if zone.most else 0)


def _strip(zone: Zone) -> int:
    return STRIP if len(zone.pieces) <= SHRUNK else max(14, STRIP * (SHRUNK - 1) // (len(zone.pieces) - 1))


def _area(area: Area, x: int, y: int, columns: Sequence[int], far: bool) -> PlacedArea:
    count = max((zone.row for zone in area.zones), default=0) + 1
    rows = [max((_tall(z) for z in area.zones if z.row == r), default=0) for r in range(count)]
    plate_high = PLATE if area.seat is not None or area.counters else 0
    w = sum(columns) + PAD * (len(columns) + 1)
    h = sum(rows) + PAD * (count + 1) + plate_high
    inside = y + (plate_high if far else 0) + PAD
    zones = []
    for zone in area.zones:
        across = sum(columns[: zone.column]) + PAD * (zone.column + 1)
        wide = sum(columns[zone.column : zone.column + zone.span]) + PAD * (zone.span - 1)
        down = sum(rows[: zone.row]) + PAD * zone.row
        high = rows[zone.row]
        if far:
            across, down = w - across - wide, sum(rows) + PAD * (count - 1) - down - high
        zones.append(_zone(zone, Box(x + across, inside + down, wide, high), far))
    plate = Box(x, y if far else y + h - plate_high, w, plate_high)
    return PlacedArea(area, Box(x, y, w, h), plate, tuple(zones), far)


# -- the pieces of a zone ----------------------------------------------------------------------------


def _zone(zone: Zone, box: Box, far: bool) -> PlacedZone:
    match zone.style:
        case "stack":
            pieces = _stack(zone, box, far)
        case "fan":
            pieces = _fan(zone, box)
        case "list":
            return _list(zone, box)
        case "grid":
            pieces = [
                PlacedPiece(p, Box(box.x + (box.w - zone.width * SQUARE) // 2 + SQUARE * (n % zone.width),
                                   box.y + HEAD + PAD + SQUARE * (n // zone.width), SQUARE, SQUARE))
                for n, p in enumerate(zone.pieces)
            ]  # fmt: skip
        case "pile":
            # The cards of which it is known that they come next stand beside the pile, in columns of two.
            left, top = box.x + PILE[0] + 3 * PAD, box.y + HEAD + PAD
            pieces = [
                PlacedPiece(p, Box(left + (n // 2) * (CHIP[0] + 3), top + (n % 2) * (CHIP[1] + 6), *CHIP))
                for n, p in enumerate(zone.pieces)
            ]
        case _:
            left = box.x + (box.w - CARD - (TOKEN if zone.most else 0)) // 2
            pieces = [
                PlacedPiece(p, Box(left - 7 * (len(zone.pieces) - 1 - n), box.y + HEAD + PAD, CARD, TALL))
                for n, p in enumerate(zone.pieces)
            ]
    return PlacedZone(zone, box, tuple(pieces))


def _stack(zone: Zone, box: Box, far: bool) -> list[PlacedPiece]:
    """From the bottom card, which lies nearest to its player, towards the middle of the table."""
    strip = _strip(zone)
    left = box.x + (box.w - CARD) // 2
    lowest = box.y + HEAD + PAD if far else box.y + box.h - PAD - TALL
    step = strip if far else -strip
    return [PlacedPiece(p, Box(left, lowest + step * n, CARD, TALL)) for n, p in enumerate(zone.pieces)]


def _fan(zone: Zone, box: Box) -> list[PlacedPiece]:
    """Side by side, overlapping where there is no room; many face-down cards lie closely behind one another."""
    backs = [min(p.count, 10) - 1 if p.hidden else 0 for p in zone.pieces]
    room = box.w - 2 * PAD - CARD - 12 * sum(backs)
    step = min(CARD + 5, room // max(1, len(zone.pieces) - 1))
    x, placed = box.x + PAD, []
    for piece, behind in zip(zone.pieces, backs, strict=True):
        x += 12 * behind
        placed.append(PlacedPiece(piece, Box(x, box.y + HEAD + PAD, CARD, TALL), behind))
        x += step
    return placed


def _list(zone: Zone, box: Box) -> PlacedZone:
    """Small chips in rows, as many as there is room for."""
    across = max(1, (box.w - 2 * PAD) // (CHIP[0] + 3))
    down = max(1, (box.h - HEAD - PAD) // (CHIP[1] + 3))
    room = across * down
    shown = zone.pieces if len(zone.pieces) <= room else zone.pieces[: room - 1]
    placed = tuple(
        PlacedPiece(p, Box(box.x + PAD + (n % across) * (CHIP[0] + 3), box.y + HEAD + 2 + (n // across) * (CHIP[1] + 3), *CHIP))
        for n, p in enumerate(shown)
    )
    return PlacedZone(zone, box, placed, sum(p.count for p in zone.pieces[len(shown) :]))
