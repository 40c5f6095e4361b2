"""Rock, paper, scissors, best of n: both choose without seeing one another.

No player can force anything: the only equilibrium of a round is a third each, value 0.
"""

from __future__ import annotations

from monjudge.model.language import Domain, Game, Optional, RuleSet, as_int, both, either, gain, tabulate

HAND = Domain("hand", ("rock", "paper", "scissors"))


def rock_paper_scissors(rounds: int = 3) -> RuleSet:
    """The rule set: whoever won more of the rounds wins; level is a draw. A drawn round counts as played."""
    g = Game("rock-paper-scissors", players=2, en="Rock, paper, scissors", ja="じゃんけん")
    hand = Optional(g, "hand", 2, values=range(HAND.size))
    shown = Optional(g, "shown", 2, values=range(HAND.size))
    points = g.field("points", 2, values=range(rounds + 1))
    played = g.field("played", values=range(rounds + 1))

    choose = g.action("choose", en="choose a hand", ja="手を決める")
    what = choose.param("what", HAND)
    choose.clause(
        "RPS.once", ~hand.present(choose.me),
        en="Each player chooses once a round, and not again.", ja="手を決めるのは一回につき一度だけで、変えられない。",
    )  # fmt: skip
    choose.effect(hand.put(choose.me, value=what))

    chosen = both(hand.present(0), hand.present(1))
    g.simultaneous("round", ["choose"], hidden=[hand.cells], open=chosen)

    # Rock, paper, scissors stand in a circle: each beats the one before it.
    won = [
        tabulate(lambda ahead: ahead % 3 == 1, hand.get(player) - hand.get(1 - player), "one ahead")
        for player in range(2)
    ]
    g.trigger(
        "RPS.reveal", chosen,
        [
            *(shown.put(player, value=hand.get(player)) for player in range(2)),
            *(gain(points[player], 1, won[player]) for player in range(2)),
            *(hand.clear(player) for player in range(2)),
            gain(played, 1),
        ],
        en="When both have chosen, the hands are shown; paper beats rock, scissors paper, rock scissors.",
        ja="二人とも決めたら手を見せる。パーはグーに、チョキはパーに、グーはチョキに勝つ。",
    )  # fmt: skip

    ended = either(played == rounds, points[0] > rounds // 2, points[1] > rounds // 2)
    g.over(
        ended, id="RPS.end",
        en="The game ends after the last round, or when a player has won more than half of the rounds.",
        ja="最後の回が済むか、誰かが半分より多くの回に勝ったら終わる。",
    )  # fmt: skip
    for player in range(2):
        ahead = points[player] > points[1 - player]
        g.goal("win", player, ended & ahead, en="win more rounds", ja="より多くの回に勝つ")
    first = as_int(points[0] > points[1]) - as_int(points[1] > points[0])
    g.payoff(first, -first)
    return g.build()
