"""Before the first turn (R.SETUP.1-5): each player secretly picks monsters whose pull numbers make at most four."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Expr, gain, lift, put, sum_of
from monjudge.model.rancher.match import STEP, Match

__all__ = ["MOST_PULL", "add_preparation"]

MOST_PULL = 4
"""R.SETUP.1."""


def add_preparation(m: Match) -> None:
    """Picking, face down; when both are done all is turned up and the first turn begins."""
    if not m.monsters:
        return
    _choose(m)
    _ready(m)
    # Nobody sees what the other picks: the youngest going first gives nothing away (R.SETUP.2, R.SETUP.4).
    if not m.setting.begun:
        m.game.simultaneous("set-up", ("choose", "ready"), [m.monster], ~m.is_step("CHOOSE"))


def _chosen(m: Match, p: Any) -> Expr:
    return sum_of(MOST_PULL, lambda s: m.pull(m.monster[p, s]))


def _choose(m: Match) -> None:
    a = m.game.action("choose", by=m.word, en="choose a monster to begin with", ja="最初のモンスターを選ぶ", tags=["set-up"])
    card, me = a.param("card", m.monsters), m.me
    a.clause("R.SETUP.5", m.is_step("CHOOSE"))
    a.clause("R.DECK.1", m.library[me, card] > 0)
    a.clause("R.SETUP.1", _chosen(m, me) + m.pull(card) <= MOST_PULL)
    number = m.standing(me)
    a.effect(gain(m.library[me, card], -1), put(m.monster[me, number], card))


def _ready(m: Match) -> None:
    a = m.game.action("ready", by=m.word, en="have chosen", ja="選び終える", tags=["set-up"])
    a.clause("R.SETUP.5", m.is_step("CHOOSE"))
    a.clause("R.SETUP.1", lift(m.monster[m.me, 0]) > 0)
    both_done = m.me != m.first
    a.effect(put(m.word, m.second, when=~both_done), put(m.step, STEP["START"], when=both_done), put(m.word, m.first, when=both_done))
