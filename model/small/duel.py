"""The dice duel: a sure blow or a chance, round after round, until one falls or time is up.

With 40 lives each and 12 rounds the first player wins with probability 27851/110592 under
best play of both: exact, by backward induction over lives, rounds and who acts.
"""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Domain, Effect, Game, RuleSet, as_int, either, gain, ite, maximum, minimum, put

ATTACK = Domain("attack", ("die", "strike", "gamble"))
ANSWER = Domain("answer", ("curse", "rest"))
PENDING = Domain("pending", ("nothing", "die", "gamble", "curse"))


def duel(rounds: int = 12, lives: int = 40) -> RuleSet:
    """The rule set. Player 0 gets 1 for a win and else 0, player 1 the negative of that."""
    g = Game("duel", players=2, en="Dice duel", ja="サイコロの決闘")
    life = g.field("life", 2, values=range(lives + 1), init=lives)
    left = g.field("rounds", values=range(rounds + 1), init=rounds)
    answering = g.field("answering", values=bool)
    pending = g.field("pending", values=PENDING)

    def hurt(player: int, damage: Any, when: Any = True) -> Effect:
        return put(life[player], maximum(0, life[player] - damage), when)

    def round_over(when: Any = True) -> list[Effect]:
        return [put(answering, False, when), gain(left, -1, when)]

    g.rule("DUEL.wait", "What was thrown is read before anything else happens.", "振ったものの結果を見るまで、ほかのことはできない。")
    g.rule("DUEL.read", "A result is read only where something was thrown for it.", "結果が出るのは、そのために何かを振ったときだけである。")

    attack = g.action("attack", by=0, en="attack", ja="攻撃する")
    how = attack.param("how", ATTACK)
    attack.clause("DUEL.attack", ~answering, en="A round begins with an attack.", ja="ラウンドは攻撃から始まる。")
    attack.clause("DUEL.wait", pending == PENDING.nothing)
    strike = how == ATTACK.strike
    attack.effect(hurt(1, 3, strike), put(answering, True, strike))
    attack.effect(put(pending, ite(how == ATTACK.die, PENDING.die, PENDING.gamble), ~strike))

    answer = g.action("answer", by=1, en="answer", ja="応じる")
    what = answer.param("what", ANSWER)
    answer.clause("DUEL.answer", answering, en="The other player answers an attack.", ja="攻撃されたほうは、それに応じる。")
    answer.clause("DUEL.wait", pending == PENDING.nothing)
    rest = what == ANSWER.rest
    answer.effect(put(life[1], minimum(lives, life[1] + 2), rest), round_over(rest), put(pending, PENDING.curse, ~rest))

    die = g.action("die", weight=1, en="the die shows its face", ja="サイコロの目が出る")
    face = die.param("face", range(1, 7))
    die.clause("DUEL.read", pending == PENDING.die)
    die.effect(hurt(1, face), put(answering, True), put(pending, PENDING.nothing))

    gamble = g.action("gamble", weight=1, en="the gamble is decided", ja="賭けの結果が出る")
    works = gamble.param("works", bool)
    gamble.clause("DUEL.read", pending == PENDING.gamble)
    gamble.effect(hurt(1, 8, works), hurt(0, ite(works, 2, 1)), put(answering, True), put(pending, PENDING.nothing))

    curse = g.action("curse", en="the curse takes effect", ja="呪いの結果が出る")
    damage = curse.param("damage", range(4))
    curse.outcome(as_int(damage != 2))
    curse.clause("DUEL.read", pending == PENDING.curse)
    curse.effect(hurt(0, damage), round_over(), put(pending, PENDING.nothing))

    ended = either(life[0] == 0, life[1] == 0, left == 0)
    won = (life[1] == 0) & (life[0] > 0)
    g.over(
        ended, id="DUEL.end",
        en="The duel ends when a player has no life left, or after the last round.",
        ja="どちらかのライフがなくなるか、最後のラウンドが済んだら終わる。",
    )  # fmt: skip
    g.goal("win", 0, won, en="bring the opponent down and stay alive", ja="自分は倒れずに相手を倒す")
    g.goal("win", 1, ended & ~won, en="hold out to the end", ja="最後まで持ちこたえる")
    g.payoff(as_int(won), -as_int(won))
    return g.build()
