"""Pig: roll on or hold; a one costs everything gathered in this turn.

The folk game analysed by Neller and Presser ("Optimal play of the dice game Pig", 2004),
here with a stated number of turns, after which the higher score wins: so every play ends
and every chance of winning is a fraction that simple recursion finds.
"""

from __future__ import annotations

from monjudge.model.language import Game, RuleSet, as_int, either, gain, ite, put

FACES = 6


def pig(goal: int = 100, turns: int = 20) -> RuleSet:
    """The rule set: first to ``goal`` points, or ahead after ``turns`` turns each; level is a draw."""
    g = Game("pig", players=2, en="Pig", ja="ピッグ")
    score = g.field("score", 2, values=range(goal + FACES))
    pot = g.field("pot", values=range(goal + FACES))
    taken = g.field("taken", values=range(2 * turns + 1))
    turn = g.field("turn", values=range(2))
    rolling = g.field("rolling", values=bool, init=0)

    g.rule("PIG.die", "A die in the air comes to rest first.", "振ったサイコロの目が出るまで、次のことはできない。")
    roll = g.action("roll", by=turn, en="roll the die", ja="サイコロを振る")
    roll.clause("PIG.die", ~rolling)
    roll.clause(
        "PIG.enough", score[roll.me] + pot < goal,
        en="A player who has the goal in hand does not roll again.", ja="目標に届くだけの点を持った人は、もう振らない。",
    )  # fmt: skip
    roll.effect(put(rolling, True))

    hold = g.action("hold", by=turn, en="hold", ja="やめる")
    hold.clause("PIG.die", ~rolling)
    hold.clause(
        "PIG.some", pot > 0,
        en="A turn begins with at least one roll.", ja="自分の番では一度は振らなければならない。",
    )  # fmt: skip
    hold.effect(gain(score[hold.me], pot), put(pot, 0), gain(taken, 1), put(turn, 1 - turn))

    land = g.action("land", weight=1, en="the die comes to rest", ja="サイコロの目が出る")
    face = land.param("face", range(1, FACES + 1))
    land.clause("PIG.rolled", rolling, en="Only a die that was rolled shows a face.", ja="目が出るのは、サイコロを振ったときだけである。")
    bust = face == 1
    land.effect(
        put(rolling, False), put(pot, ite(bust, 0, pot + face)), gain(taken, 1, bust), put(turn, 1 - turn, bust)
    )

    ended = either(score[0] >= goal, score[1] >= goal, taken == 2 * turns)
    g.over(
        ended, id="PIG.end",
        en="The game ends when a player has reached the goal, or when all turns are over.",
        ja="誰かが目標の点に届くか、すべての番が終わったら終わる。",
    )  # fmt: skip
    for player in range(2):
        ahead = score[player] > score[1 - player]
        g.goal("win", player, ended & ahead, en="have more points at the end", ja="終わったとき相手より点が多い")
    first = as_int(score[0] > score[1]) - as_int(score[1] > score[0])
    g.payoff(first, -first)
    return g.build()
