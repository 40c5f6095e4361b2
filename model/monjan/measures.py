"""By what a player may compare edit turns: the attack, the speed and the life that they leave on the board."""

from __future__ import annotations

from monjudge.model.language import ite, sum_of
from monjudge.model.monjan.battle import attack_power, source_card
from monjudge.model.monjan.match import SOURCE, Match
from monjudge.model.monjan.speed import speed_now

__all__ = ["add_measures"]


def add_measures(m: Match) -> None:
    """For each player the attack of all cards that may attack, the speed (SPEED.1) and the life of all defences."""
    for p in range(m.players):
        attack = sum_of(SOURCE.size, lambda s, p=p: ite(source_card(m, p, s) > 0, attack_power(m, p, s), 0))  # type: ignore[misc]
        m.game.measure("attack", p, attack, en="the attack of all cards together", ja="攻撃の合計")
        m.game.measure("speed", p, speed_now(m, p), en="the speed of the mana", ja="マナの速さ")
        life = sum_of(3, lambda c, p=p: m.life[p, c])  # type: ignore[misc]
        m.game.measure("life", p, life, en="the life of all defences together", ja="防御の残りの合計")
