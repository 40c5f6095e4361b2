"""Breakthrough on a board of any size: pawns that take diagonally race for the far row.

By Dan Troyka, 2000. Known for 5 rows and 4 columns with one rank each: 65,217 perft nodes
at depth 5 and 4,044,105 at depth 7 (the start, interior and leaves; OpenSpiel's count).
"""

from __future__ import annotations

from monjudge.model.language import Game, RuleSet, as_int, either, gain, put


def breakthrough(rows: int = 8, columns: int = 8, ranks: int = 2) -> RuleSet:
    """The rule set, with ``ranks`` rows of pawns each. Player 0 starts on row 0 and goes up.

    A cell is empty (0) or a player's (1, 2). Raises ValueError where the armies would
    overlap, or on a single column, where they could block one another for good.
    """
    if ranks < 1 or rows <= 2 * ranks or columns < 2:
        raise ValueError(f"{ranks} ranks each do not fit {rows} rows, or there are fewer than 2 columns ({columns})")
    g = Game("breakthrough", players=2, en="Breakthrough", ja="ブレイクスルー")
    army = ranks * columns
    start = [1] * army + [0] * (rows * columns - 2 * army) + [2] * army
    cell = g.field("cell", rows, columns, values=range(3), init=start)
    pawns = g.field("pawns", 2, values=range(army + 1), init=army)
    turn = g.field("turn", values=range(2))
    winner = g.field("winner", values=range(3))

    go = g.action("go", by=turn, en="move a pawn", ja="駒を進める")
    row, column, way = go.param("row", range(rows)), go.param("column", range(columns)), go.param("way", range(-1, 2))
    me, foe = go.me, 1 - go.me
    ahead, beside = row + 1 - 2 * me, column + way
    target = cell[ahead, beside]

    go.clause("BT.own", cell[row, column] == me + 1, en="Players move pawns of their own.", ja="動かせるのは自分の駒だけである。")
    go.clause("BT.board", (beside >= 0) & (beside < columns), en="A pawn stays on the board.", ja="駒は盤の外へ出られない。")
    go.clause("BT.free", target != me + 1, en="A pawn does not enter a square of its own side.", ja="味方の駒がいるマスには入れない。")
    go.clause(
        "BT.straight", either(way != 0, target == 0),
        en="Straight ahead a pawn moves only onto an empty square; it takes diagonally.",
        ja="まっすぐ進めるのは空いたマスだけで、相手の駒は斜めにだけ取れる。",
    )  # fmt: skip

    takes = target == foe + 1
    wins = either(ahead == (rows - 1) * (1 - me), takes & (pawns[foe] == 1))
    go.effect(put(cell[row, column], 0), put(cell[ahead, beside], me + 1), gain(pawns[foe], -1, takes))
    go.effect(put(turn, 1 - turn), put(winner, me + 1, wins))

    g.over(
        winner != 0, id="BT.end",
        en="The first to reach the far row, or to take every enemy pawn, has won.",
        ja="先に相手の一番奥の段に着くか、相手の駒をすべて取った側の勝ちで、そこで終わる。",
    )  # fmt: skip
    for player in range(2):
        g.goal("win", player, winner == player + 1, en="break through", ja="突破する")
    first = as_int(winner == 1) - as_int(winner == 2)
    g.payoff(first, -first)
    mirror = tuple(reversed(range(columns)))
    g.symmetry("mirror", axes={"cell": {1: mirror}}, params={("go", "column"): mirror, ("go", "way"): (1, 0, -1)})
    return g.build()
