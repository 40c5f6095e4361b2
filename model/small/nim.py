"""Nim: take from one heap; the last one wins, or loses.

Solved by Bouton ("Nim, a game with a complete mathematical theory", 1901): the player to
move loses exactly where the exclusive or of the heaps is 0 - in the misere form, as long as
some heap has two or more; with heaps of one only, where their number is odd.
"""

from __future__ import annotations

from collections.abc import Sequence

from monjudge.model.language import Game, RuleSet, all_of, as_int, gain, put


def nim(heaps: Sequence[int] = (3, 4, 5), misere: bool = False) -> RuleSet:
    """The rule set; ``misere``: whoever takes the last counter loses instead of winning.

    Raises ValueError where no heap has a counter, or a heap is negative.
    """
    most = max(heaps, default=0)
    if most < 1 or min(heaps) < 0:
        raise ValueError(f"nim needs heaps of 0 or more counters, and one counter at least, not {list(heaps)}")
    g = Game("nim", players=2, en="Nim", ja="ニム")
    heap = g.field("heap", len(heaps), values=range(most + 1), init=heaps)
    turn = g.field("turn", values=range(2))

    take = g.action("take", by=turn, en="take counters", ja="石を取る")
    which, count = take.param("heap", range(len(heaps))), take.param("count", range(1, most + 1))
    take.clause(
        "NIM.enough", count <= heap[which],
        en="A player takes from one heap, and no more than it has.", ja="石は一つの山から取り、その山にある数を超えない。",
    )  # fmt: skip
    take.effect(gain(heap[which], -count), put(turn, 1 - turn))

    empty = all_of(len(heaps), lambda h: heap[h] == 0)
    g.over(empty, id="NIM.end", en="The game ends when every counter is taken.", ja="石がすべてなくなったら終わる。")
    winner = turn if misere else 1 - turn
    for player in range(2):
        g.goal(
            "win", player, empty & (winner == player),
            en="leave the last counter to the opponent" if misere else "take the last counter",
            ja="最後の石を相手に取らせる" if misere else "最後の石を取る",
        )  # fmt: skip
    first = as_int(winner == 0) - as_int(winner == 1)
    g.payoff(first, -first)
    for h in range(len(heaps) - 1):
        swap = (*range(h), h + 1, h, *range(h + 2, len(heaps)))
        g.symmetry(f"heaps {h} and {h + 1}", axes={"heap": {0: swap}}, params={("take", "heap"): swap})
    return g.build()
