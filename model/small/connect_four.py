"""Connect four on a board of any size: drop discs, a line of four wins.

Known for 7 columns and 6 rows: 137,257 perft nodes at depth 6 and 6,634,027 at depth 8
(the start, interior and leaves; OpenSpiel's count).
"""

from __future__ import annotations

from monjudge.model.language import Expr, Game, RuleSet, add, all_of, as_int, both, either, gain, ite, put

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def connect_four(columns: int = 7, rows: int = 6, length: int = 4) -> RuleSet:
    """The rule set; a line of ``length`` wins. Row 0 is the lowest; a cell is empty (0) or a player's (1, 2)."""
    g = Game("connect-four", players=2, en="Connect four", ja="四目並べ")
    cell = g.field("cell", columns, rows, values=range(3))
    height = g.field("height", columns, values=range(rows + 1))
    turn = g.field("turn", values=range(2))
    winner = g.field("winner", values=range(3))

    drop = g.action("drop", by=turn, en="drop a disc", ja="駒を落とす")
    column = drop.param("column", range(columns))
    row, mine = height[column], drop.me + 1
    drop.clause("C4.room", row < rows, en="A disc goes into a column that is not full.", ja="駒を入れる列には空きが要る。")

    def run(right: int, up: int) -> Expr:
        """How many discs of the player follow the new one without a gap, that way."""
        own = [cell[column + k * right, row + k * up] == mine for k in range(1, length)]
        return add(0, *(as_int(both(*own[: k + 1])) for k in range(len(own))))

    # Only a line through the new disc can be new; nothing is ever above it.
    lines = [run(r, u) + (run(-r, -u) if r else run(0, -1)) for r, u in DIRECTIONS]
    made = either(*(line >= length - 1 for line in lines))
    drop.effect(
        put(cell[column, row], mine), gain(height[column], 1), put(turn, 1 - turn), put(winner, ite(made, mine, 0))
    )

    g.over(
        (winner != 0) | all_of(columns, lambda c: height[c] == rows), id="C4.end",
        en="The game ends with a line of the required length, or with a full board.",
        ja="決められた数だけ一列に並ぶか、盤がすべて埋まったら終わる。",
    )  # fmt: skip
    for player in range(2):
        g.goal("win", player, winner == player + 1, en="make a line", ja="一列に並べる")
    first = as_int(winner == 1) - as_int(winner == 2)
    g.payoff(first, -first)
    mirror = tuple(reversed(range(columns)))
    g.symmetry("mirror", axes={"cell": {0: mirror}, "height": {0: mirror}}, params={("drop", "column"): mirror})
    return g.build()
