"""The picture of a game that draws none of its own: every field as squares or a figure, under its own name.

A board game says with ``Squares`` how its field lies on the table; nothing is guessed from its size.

>>> from monjudge.model.small import GAMES
>>> rules = GAMES["tic-tac-toe"]()
>>> drawn = plain_picture(rules, rules.state({"cell": [1, 0, 2, 0, 0, 0, 0, 0, 0]}), board=Squares("cell", 3))
>>> [piece.suit for piece in drawn.areas[0].zones[0].pieces][:3]
['1', '', '2']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from monjudge.model.language import Family, RuleSet, State, evaluate
from monjudge.model.notation.picture import NOTHING, Area, Counter, Picture, Piece, Suit, Zone
from monjudge.model.notation.sentence import Sentence
from monjudge.model.notation.sight import seen

__all__ = ["Squares", "plain_picture"]

PLAYERS = (
    Suit("1", Sentence("Player 1", "先手"), "X", "X", "#b3402a", "rising"),
    Suit("2", Sentence("Player 2", "後手"), "O", "O", "#2a6fc9", "dots"),
    Suit("3", Sentence("Player 3", "3人目"), "Y", "Y", "#3f7d3a", "waves"),
    Suit("4", Sentence("Player 4", "4人目"), "Z", "Z", "#8a6d1f", "bricks"),
)


@dataclass(frozen=True, slots=True)
class Squares:
    """How a field of owners (0 nobody, 1 the first player, ...) lies as a board.

    ``width`` breaks a field of one axis into rows, from the top; of two axes, ``columns_first`` says
    that the first one runs across, ``upwards`` that row 0 is the lowest.
    """

    field: str
    width: int = 0
    columns_first: bool = False
    upwards: bool = False

    def order(self, dims: Sequence[int]) -> tuple[int, list[tuple[int, ...]]]:
        """The squares in a row, and the indices of all of them row by row from the top. Raises ValueError for other axes."""
        if len(dims) == 1:
            return self.width or dims[0], [(n,) for n in range(dims[0])]
        if len(dims) != 2:
            raise ValueError(f"a board has one axis or two, not {len(dims)}")
        across, down = dims if self.columns_first else (dims[1], dims[0])
        rows = range(down - 1, -1, -1) if self.upwards else range(down)
        return across, [(c, r) if self.columns_first else (r, c) for r in rows for c in range(across)]


def plain_picture(rules: RuleSet, state: State, viewer: int | None = None, board: Squares | None = None) -> Picture:
    """What the ``viewer`` (a seat from 0) may know of a state; without one, all of it.

    With a ``board`` that field alone is drawn, for it says where everything lies; else every field that may change.
    """
    drawn = _Fields(rules, state, viewer)
    title = Sentence(rules.en or rules.name, rules.ja or rules.name)
    if board is not None:
        zones = [drawn.board(rules.family_named[board.field], board)]
        return Picture(title, (Area("table", NOTHING, tuple(zones)),), PLAYERS[: rules.players], tuple(drawn.header()))
    fields = [family for family in rules.families if not family.config]
    zones = [drawn.cells(family, row) for row, family in enumerate(f for f in fields if f.dims)]
    counters = [drawn.figure(family) for family in fields if not family.dims]
    return Picture(title, (Area("table", NOTHING, tuple(zones), tuple(counters)),), (), tuple(drawn.header()))


@dataclass(frozen=True)
class _Fields:
    """One position being drawn."""

    rules: RuleSet
    state: State
    viewer: int | None

    def value(self, family: Family, indices: Sequence[int] = ()) -> int | None:
        """What a cell holds; None where the viewer may not know it."""
        return seen(self.rules, self.state, self.viewer, family.name, *indices)

    def header(self) -> Iterator[Sentence]:
        """Whether the game is over, else who has to decide if that is one player."""
        if self.rules.over is not None and evaluate(self.rules.over.expr, self.state, {}, self.rules.offset):
            yield Sentence("The game is over", "終局")
            return
        who = {None if a.by is None else evaluate(a.by, self.state, {}, self.rules.offset)
               for a in self.rules.actions if not a.is_chance}  # fmt: skip
        if len(who) == 1 and (player := who.pop()) is not None and 0 <= player < self.rules.players:
            yield Sentence(f"Player {player + 1} to move", f"プレイヤー{player + 1}の番")

    def figure(self, family: Family) -> Counter:
        text = _word(family, self.value(family))
        return Counter(family.name, Sentence(family.name, family.name), Sentence(text, text))

    def cells(self, family: Family, row: int) -> Zone:
        """A field as rows of figures, the last axis across."""
        pieces = tuple(self.piece(family, indices) for indices in product(*map(range, family.dims)))
        return Zone(family.name, Sentence(family.name, family.name), row, 0, "grid", pieces, width=family.dims[-1])

    def piece(self, family: Family, indices: tuple[int, ...]) -> Piece:
        value = self.value(family, indices)
        key, text = _key(family, indices), _word(family, value)
        return Piece(key, Sentence(f"{key}: {text}", f"{key}：{text}"), text, hidden=value is None)

    def board(self, family: Family, squares: Squares) -> Zone:
        """The field of owners as squares; an empty one is labelled with its index, as a move would name it."""
        width, order = squares.order(family.dims)
        pieces = []
        for indices in order:
            key, value = _key(family, indices), self.value(family, indices)
            label = ",".join(map(str, indices))
            if value:
                who = PLAYERS[value - 1]
                pieces.append(Piece(key, Sentence(f"{label}: {who.name.en}", f"{label}：{who.name.ja}"), suit=who.key))
            else:
                hidden = value is None
                name = Sentence(f"{label}: {'?' if hidden else 'empty'}", f"{label}：{'?' if hidden else '空き'}")
                pieces.append(Piece(key, name, label=Sentence(label, label), hidden=hidden))
        return Zone(family.name, NOTHING, 0, 0, "grid", tuple(pieces), width=width)


def _key(family: Family, indices: Sequence[int]) -> str:
    return ".".join((family.name, *map(str, indices)))


def _word(family: Family, value: int | None) -> str:
    if value is None:
        return "?"
    return family.labels.labels[value] if family.labels is not None else str(value)
