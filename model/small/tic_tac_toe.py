"""Tic-tac-toe: three in a row on three by three. Known: 549,946 perft nodes, 5,478 states, a draw."""

from __future__ import annotations

from monjudge.model.language import Expr, Game, RuleSet, any_of, as_int, both, either, put

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
MIRROR = (2, 1, 0, 5, 4, 3, 8, 7, 6)
QUARTER = (2, 5, 8, 1, 4, 7, 0, 3, 6)


def tic_tac_toe() -> RuleSet:
    """The rule set. Squares are 0..8 from the upper left; a cell is empty (0) or a player's (1, 2)."""
    g = Game("tic-tac-toe", players=2, en="Tic-tac-toe", ja="三目並べ")
    cell = g.field("cell", 9, values=range(3))
    turn = g.field("turn", values=range(2))

    def row(owner: int) -> Expr:
        return either(*(both(*(cell[i] == owner for i in line)) for line in LINES))

    place = g.action("place", by=turn, en="place a mark", ja="印を置く")
    at = place.param("at", range(9))
    place.clause("TTT.empty", cell[at] == 0, en="A mark goes on an empty square.", ja="印は空いたマスに置く。")
    place.effect(put(cell[at], place.me + 1), put(turn, 1 - turn))

    full = ~any_of(9, lambda i: cell[i] == 0)
    g.over(
        row(1) | row(2) | full, id="TTT.end",
        en="The game ends with three in a row or a full board.", ja="三つ並ぶか、盤が埋まれば終わる。",
    )  # fmt: skip
    g.goal("win", 0, row(1), en="three in a row", ja="三つ並べる")
    g.goal("win", 1, row(2), en="three in a row", ja="三つ並べる")
    first = as_int(row(1)) - as_int(row(2))
    g.payoff(first, -first)
    for name, image in (("mirror", MIRROR), ("quarter turn", QUARTER)):
        g.symmetry(name, axes={"cell": {0: image}}, params={("place", "at"): image})
    return g.build()
