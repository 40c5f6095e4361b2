"""The play step (R.MON.1-3, R.FIELD.1, R.FLOW.1): all own actions of the first player, then of the other."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import ActionBuilder, Effect, Expr, all_of, eq, gain, ite, lift, put
from monjudge.model.rancher.match import MOST_TURNS, MOST_UNINJURED, Match, possible
from monjudge.model.rancher.turns import to_naming

__all__ = ["acted", "add_play", "eligible", "plays"]


def add_play(m: Match) -> None:
    """Placing monsters, and the end of a player's part (AMB_ORDER, AMB_PLAYPHASE)."""
    _place(m)
    _end(m)


def plays(m: Match, a: ActionBuilder, monsters: bool = False) -> None:
    """The act belongs to the play step (AMB_PLAYPHASE: an early step for everything, or for monsters only)."""
    only_monsters = m.reading("AMB_PLAYPHASE", "MONSTERS_EARLY")
    a.clause("R.FLOW.1", m.now("PLAY") & (~only_monsters | (m.early if monsters else ~m.early)))


def acted(m: Match, p: Any) -> list[Effect]:
    """Effects after an act of the play step: the player goes on, or the other under AMB_ORDER ALTERNATE."""
    return m.hand_over(ite(m.reading("AMB_ORDER", "ALTERNATE"), 1 - p, p), "PLAY")


def eligible(m: Match, p: Any, s: Any) -> Expr:
    """R.TRAIN.4, R.ATT.6: there since the start of the turn, and not in battle this turn."""
    return m.present[p, s] & ~m.fought[p, s]


def _place(m: Match) -> None:
    if not m.monsters:
        return
    a = m.game.action("place", by=m.word, en="place a monster", ja="モンスターを場に出す", tags=["monster"])
    card, me = a.param("card", m.monsters), m.me
    plays(m, a, monsters=True)
    a.clause("R.MON.2", m.hand[me, card] > 0)
    a.clause("R.MON.3", m.standing(me) < MOST_UNINJURED)
    free: Any = lambda s: m.monster[me, s] == 0  # noqa: E731
    first_free: Any = lambda s: free(s) & all_of(m.slots, lambda r: (r >= s) | ~free(r))  # noqa: E731
    a.limit("LIMIT.slots", ~all_of(m.slots, lambda s: ~free(s)))
    a.effect(gain(m.hand[me, card], -1))
    for s in range(m.slots):
        fills = first_free(lift(s))
        a.effect(put(m.monster[me, s], card, fills), put(m.injured[me, s], False, fills), put(m.present[me, s], False, fills))
    a.effect(acted(m, me))


def _end(m: Match) -> None:
    a = m.game.action("end", by=m.word, en="do nothing more", ja="行動を終える", tags=["end"])
    me, early = m.me, m.early
    a.clause("R.FLOW.1", m.now("PLAY"))
    a.limit("LIMIT.turns", m.turn < MOST_TURNS)
    alternate = m.reading("AMB_ORDER", "ALTERNATE")
    last = ite(alternate, m.passed, eq(me, m.second))
    a.effect(m.hand_over(1 - me, "PLAY", ~last), put(m.passed, True, ~last & alternate), m.on("START", last & ~early))
    if possible(early):
        a.effect(to_naming(m, last & early), put(early, False, last))
