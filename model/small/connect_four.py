"""Connect four on a board of any size: drop discs, a line of four wins.

Known for 7 columns and 6 rows: 137,257 perft nodes at depth 6 and 6,634,027 at depth 8
(the start, interior and leaves; OpenSpiel's count).
"""

from __future__ import annotations

from monjudge.model.language import Expr, Game, RuleSet, all_of, any_of, as_int, both, either, gain, put

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def connect_four(columns: int = 7, rows: int = 6, length: int = 4) -> RuleSet:
    """The rule set; a line of ``length`` wins. Row 0 is the lowest; a cell is empty (0) or a player's (1, 2)."""
    g = Game("connect-four", players=2, en="Connect four", ja="四目並べ")
    cell = g.field("cell", columns, rows, values=range(3))
    height = g.field("height", columns, values=range(rows + 1))
    turn = g.field("turn", values=range(2))

    drop = g.action("drop", by=turn, en="drop a disc", ja="駒を落とす")
    column = drop.param("column", range(columns))
    row = height[column]
    drop.clause("C4.room", row < rows, en="A disc goes into a column that is not full.", ja="駒を入れる列には空きが要る。")
    drop.effect(put(cell[column, row], drop.me + 1), gain(height[column], 1), put(turn, 1 - turn))

    def line(owner: Expr | int, right: int, up: int) -> Expr:
        """Whether the discs of an owner stand in a line that way; beyond the board a cell reads as empty."""
        return any_of(columns, lambda c: any_of(rows, lambda r: both(
            *(cell[c + k * right, r + k * up] == owner for k in range(length))
        )))  # fmt: skip

    def won(owner: Expr | int) -> Expr:
        return either(*(line(owner, *direction) for direction in DIRECTIONS))

    full = all_of(columns, lambda c: height[c] == rows)
    g.over(
        won(2 - turn) | full, id="C4.end",  # only the player who moved last can have made a line
        en="The game ends with a line of the required length, or with a full board.",
        ja="決められた数だけ一列に並ぶか、盤がすべて埋まったら終わる。",
    )  # fmt: skip
    for player in range(2):
        g.goal("win", player, won(player + 1), en="make a line", ja="一列に並べる")
    first = as_int(won(1)) - as_int(won(2))
    g.payoff(first, -first)
    mirror = tuple(reversed(range(columns)))
    g.symmetry("mirror", axes={"cell": {0: mirror}, "height": {0: mirror}}, params={("drop", "column"): mirror})
    return g.build()
