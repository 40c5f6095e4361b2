"""A picture as text for a terminal: boxes, the letters of the suits, and colour where it is wanted.

Inside the boxes stand only characters whose width no terminal disputes, so that the lines meet in
Japanese too; ``ascii`` draws the boxes with ``+-|`` as well. Colour never says anything alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from monjudge.model.notation.picture import Area, Picture, Piece, Suit, Zone
from monjudge.model.notation.sentence import Sentence
from monjudge.reports import told
from monjudge.reports.glyphs import fit, printable, width
from monjudge.reports.layout import seated
from monjudge.reports.told import Lang, words

__all__ = ["terminal"]

_MORE = ".."
_LIFE = Sentence("life", "ライフ")
_FALLEN = Sentence("FALLEN", "倒された")
_OUT = Sentence("out", "脱落")
_MARKS = {
    "down": Sentence("[ ] face down", "[ ] 裏向き"),
    "wild": Sentence("[*] every element", "[*] 全属性"),
    "spent": Sentence("~ ~ spent", "~ ~ 消費済み"),
    "holds": Sentence("<E the Extra card depends on it", "<E エキストラの召喚条件"),
    "marked": Sentence("> < marked", "> < 注目"),
    "open": Sentence("! skill may be used", "! スキル使用可"),
}
"""What the marks on cards mean; the picture explains those that it uses."""

_BOXES = {False: "─│┌┬┐├┼┤└┴┘", True: "-|+++++++++"}

Ink = tuple[str, str]
"""A run of text with its colour code, empty for none."""

Line = list[Ink]


def terminal(
    picture: Picture, lang: Lang = "en", *, bottom: int = 0, columns: int = 80, colour: bool = False, ascii: bool = False
) -> str:
    """The picture in at most ``columns`` (from 40) cells across, seen from the seat ``bottom`` (from 0), a line break at the end.

    ``colour`` adds ANSI colours. Raises ValueError for a seat that nobody has or fewer columns.
    """
    if columns < 40:
        raise ValueError(f"a picture needs at least 40 columns, not {columns}")
    sheet = _Sheet(picture, lang, columns, _BOXES[ascii], picture.suits())
    lines = [_plain(line) if not colour else "".join(_inked(ink) for ink in line) for line in sheet.lines(bottom)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _plain(line: Line) -> str:
    return "".join(text for text, _ in line)


def _inked(ink: Ink) -> str:
    text, code = ink
    return f"\x1b[{code}m{text}\x1b[0m" if code and text.strip() else text


def _cells(line: Line) -> int:
    return width(_plain(line))


def _padded(line: Line, cells: int) -> Line:
    """The line cut or filled to exactly so many cells."""
    done: Line = []
    room = cells
    if _cells(line) > cells:
        room -= len(_MORE)
        for text, code in line:
            kept = fit(text, room, "")
            done.append((kept, code))
            room -= width(kept)
            if kept != text:
                break
        done.append((_MORE, ""))
        room = cells - _cells(done)
    else:
        done, room = list(line), cells - _cells(line)
    return [*done, (" " * room, "")]


@dataclass
class _Sheet:
    """One picture being written."""

    picture: Picture
    lang: Lang
    columns: int
    box: str
    suits: Mapping[str, Suit]

    def lines(self, bottom: int) -> Iterator[Line]:
        far, shared, near = seated(self.picture.areas, bottom)
        header = [words(s, self.lang) for s in (self.picture.title, *self.picture.header)]
        yield [(fit(", ".join(header), self.columns, _MORE), "1")]
        for area in far:
            yield from self.player(area, far=True)
        for area in shared:
            yield from self.table(area)
        for area in near:
            yield from self.player(area, far=False)
        for arrow in self.picture.arrows:
            power = f" ({printable(arrow.label)})" if arrow.label else ""
            yield from self.wrapped("", [[(f"{self.place(arrow.start)} -> {self.place(arrow.end)}{power}", "1")]])
        for caption in self.picture.captions:
            yield [(fit(words(caption, self.lang), self.columns, _MORE), "")]
        yield from self.legend()

    def place(self, key: str) -> str:
        """What a place is called: the player and the zone."""
        for area in self.picture.areas:
            who = words(area.title, self.lang)
            if key == area.key:
                return who
            for zone in area.zones:
                if key == zone.key or any(piece.key == key for piece in zone.pieces):
                    return f"{who} {words(zone.title, self.lang)}"
        return printable(key)

    def legend(self) -> Iterator[Line]:
        """The suits, and the marks that occur."""
        letters = ((s, told.letter(s, self.lang), words(s.name, self.lang)) for s in self.picture.palette)
        suits = [[(f" {sign} ", _code(s)), (f" {name}" if name != sign else "", "")] for s, sign, name in letters]
        pieces = list(self.picture.pieces())
        used = set().union(*(p.tags for p in pieces), *(z.tags for z in self.picture.zones()))
        used |= {"down"} if any(p.down and "wild" not in p.tags for p in pieces) else set()
        used |= {"marked"} if self.picture.highlights else set()
        marks: list[Line] = [[(words(text, self.lang), "")] for name, text in _MARKS.items() if name in used]
        yield from self.wrapped("", suits, "  ")
        yield from self.wrapped("", marks, "   ")

    # -- areas -------------------------------------------------------------------------------------

    def player(self, area: Area, far: bool) -> Iterator[Line]:
        """A player's plate, hand and heaps, and board; for who sits opposite from the far edge inwards."""
        board = list(self.board(area, far))
        wide = [list(self.wide(zone)) for zone in area.zones if _is_wide(zone)]
        plate = [self.plate(area)]
        parts = [plate, *reversed(wide), board] if far else [board, *wide, plate]
        for part in parts:
            yield from part

    def plate(self, area: Area) -> Line:
        """The name, marked where the player has to decide."""
        out = f" ({words(_OUT, self.lang)})" if "out" in area.tags else ""
        figures = ", ".join(f"{words(c.title, self.lang)} {words(c.value, self.lang)}" for c in area.counters)
        about = [words(area.subtitle, self.lang), figures]
        name = f"{'>' if 'turn' in area.tags else ' '} {words(area.title, self.lang)}{out}"
        code = "1;7" if area.key in self.picture.highlights else "1"
        return [(fit("   ".join(filter(None, (name, *about))), self.columns, _MORE), code)]

    def table(self, area: Area) -> Iterator[Line]:
        """What belongs to nobody."""
        piles = [z for z in area.zones if z.style == "pile"]
        items: list[Line] = []
        for zone in piles:
            known: Line = [ink for p in zone.pieces for ink in (("  ", ""), *self.piece(p))]
            items.append([(f"{words(zone.title, self.lang)} {'?' if zone.size is None else zone.size}", ""), *known])
        yield from self.wrapped("  ", items, "    ")
        if area.counters:
            yield self.plate(area)
        for zone in area.zones:
            if zone.style == "grid":
                yield from self.grid(zone)
            elif zone.style != "pile":
                yield from self.wide(zone)

    def wide(self, zone: Zone) -> Iterator[Line]:
        """A hand or a heap on lines of its own."""
        size = "" if not zone.size else f" {zone.size}"
        title = f"  {words(zone.title, self.lang)}{size}: "
        note = [[(words(zone.note, self.lang), "")]] if zone.note.en else []
        if zone.pieces or "screened" in zone.tags:
            items = [self.piece(p, named=True) for p in zone.pieces] or [[("?", "")]]
            yield from self.wrapped(title, [*items, *note])

    def wrapped(self, title: str, items: Sequence[Line], gap: str = "  ") -> Iterator[Line]:
        """Items side by side, on as many lines as they need, behind the title."""
        line: Line = [(title, "")]
        start = True
        for item in items:
            if not start and _cells(line) + len(gap) + _cells(item) > self.columns:
                yield line
                line, start = [(" " * width(title), "")], True
            line = [*line, *([] if start else [(gap, "")]), *item]
            start = False
        if not start:
            yield _padded(line, self.columns) if _cells(line) > self.columns else line

    def board(self, area: Area, far: bool) -> Iterator[Line]:
        """The zones of the grid in boxes; turned round for who sits opposite."""
        zones = [z for z in area.zones if not _is_wide(z)]
        grids = [z for z in zones if z.style == "grid"]
        for zone in grids:
            yield from self.grid(zone)
        boxed = [z for z in zones if z.style != "grid"]
        if not boxed:
            return
        across = sorted({z.column for z in boxed}, reverse=far)
        down = sorted({z.row for z in boxed}, reverse=far)
        wide = self.widths(boxed, across)
        flat, wall = self.box[0], self.box[1]

        def rule(left: str, cross: str, right: str) -> Line:
            return [(left + cross.join(flat * wide[c] for c in across) + right, "")]

        yield rule(*self.box[2:5])
        for row in down:
            if row != down[0]:
                yield rule(*self.box[5:8])
            cells = [[line for z in boxed if (z.row, z.column) == (row, c) for line in self.zone(z, wide[c], far)] for c in across]
            for n in range(max(map(len, cells))):
                line: Line = [(wall, "")]
                for c, cell in zip(across, cells, strict=True):
                    line += [*_padded([(" ", ""), *cell[n]] if n < len(cell) else [], wide[c]), (wall, "")]
                yield line
        yield rule(*self.box[8:11])

    def widths(self, zones: Sequence[Zone], across: Sequence[int]) -> dict[int, int]:
        """The cells of each column of a grid, all together as wide as the sheet; columns with stacks get a little more."""
        free = self.columns - len(across) - 1
        share = [c for c in across if any(z.column == c and z.style == "stack" for z in zones)] or list(across)
        side = min(13, free // len(across))
        wide = dict.fromkeys(across, side)
        left = free - side * len(across)
        return wide | {c: side + left // len(share) + (n < left % len(share)) for n, c in enumerate(share)}

    # -- zones and pieces --------------------------------------------------------------------------

    def zone(self, zone: Zone, room: int, far: bool) -> Iterator[Line]:
        """The lines of a zone: its title, its cards as they lie seen from the middle of the table, its skill."""
        note = words(zone.note, self.lang)
        title = words(zone.title, self.lang)
        marked = zone.key in self.picture.highlights and not any(p.key == zone.key for p in zone.pieces)
        title = f">{title}<" if marked else title
        beside = bool(note) and not zone.most and width(f" {title} {note}") <= room
        yield [(title + (f" {note}" if beside else ""), "7" if marked else "2")]
        if "screened" in zone.tags:
            yield [("?", "")]
        if "fallen" in zone.tags:
            yield [(f"= {words(_FALLEN, self.lang)} =", "7")]
        pieces = list(zone.pieces)
        # A stack grows from its player towards the middle, which is below for who sits opposite.
        yield from (self.piece(piece, named=True) for piece in (pieces if far else reversed(pieces)))
        if zone.life is not None:
            yield [(f"{words(_LIFE, self.lang)} ", ""), (str(zone.life), "1")]
        if note and not beside:
            yield [(("! " if "open" in zone.tags else "") + note, "1" if "open" in zone.tags else "2")]

    def piece(self, piece: Piece, named: bool = False) -> Line:
        """A card in a few letters, in the colour of its suit."""
        text = told.code(piece, self.suits, self.lang)
        label = words(piece.label, self.lang) if named and not piece.hidden else ""
        if "wild" in piece.tags:
            text, label = "*", words(piece.note, self.lang)
        if "linked" in piece.tags:
            text = f"^ {text}"
        if piece.down:
            text = f"[{text}]"
        if "spent" in piece.tags:
            text = f"~{text}~"
        marked = piece.key in self.picture.highlights
        code = "7" if marked else _code(self.suits[piece.suit]) if piece.suit and not piece.hidden else "1"
        line: Line = [(f">{text}<" if marked else text, code)]
        line += [(f"x{piece.count}", "")] if piece.count > 1 else []
        line += [(" <E", "1")] if "holds" in piece.tags else []
        return [*line, (f" {label}", "")] if label else line

    def grid(self, zone: Zone) -> Iterator[Line]:
        """Squares row by row; an empty one shows its label, where it has one."""
        flat, wall = self.box[0], self.box[1]
        rows = [zone.pieces[at : at + zone.width] for at in range(0, len(zone.pieces), zone.width)]
        texts = [[self.piece(p) if p.face or p.suit or p.hidden else [(words(p.label, self.lang), "2")] for p in row] for row in rows]
        wide = max((_cells(t) for row in texts for t in row), default=1) + 2
        if zone.title.en:
            yield [(f"  {words(zone.title, self.lang)}", "")]
        for n, row in enumerate(texts):
            left, cross, right = tuple(self.box[2:5] if n == 0 else self.box[5:8])
            yield [(left + cross.join(flat * wide for _ in row) + right, "")]
            line: Line = [(wall, "")]
            for text in row:
                before = (wide - _cells(text)) // 2
                line += [(" " * before, ""), *_padded(text, wide - before), (wall, "")]
            yield line
        if rows:
            left, cross, right = tuple(self.box[8:11])
            yield [(left + cross.join(flat * wide for _ in rows[-1]) + right, "")]


def _is_wide(zone: Zone) -> bool:
    return zone.span > 1 or zone.style == "list"


def _code(suit: Suit) -> str:
    """The suit's colour as a background of the 256-colour palette, with the lighter or darker ink on it."""
    red, green, blue = (int(suit.colour[n : n + 2], 16) for n in (1, 3, 5))
    number = 16 + sum(round(part / 255 * 5) * base for part, base in ((red, 36), (green, 6), (blue, 1)))
    return f"48;5;{number};38;5;{16 if 299 * red + 587 * green + 114 * blue > 128_000 else 231}"
