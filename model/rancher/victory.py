"""Fame and victory (R.WIN.1-2, R.GAME.1, R.INIT.1): three counters or more win, at once (AMB_WINTIE)."""

from __future__ import annotations

from monjudge.model.language import Expr, as_int
from monjudge.model.rancher.match import Match, possible

__all__ = ["add_victory", "leads"]


def leads(m: Match, p: int) -> Expr:
    """Whether the player has won a game that is over: more fame, or the other has lost."""
    more = m.fame[p] > m.fame[1 - p]
    if not possible(m.reading("AMB_NOACT", "LOSES")):
        return more
    lost = m.lost[0] | m.lost[1]
    return (lost & m.lost[1 - p] & ~m.lost[p]) | (~lost & more)


def add_victory(m: Match) -> None:
    """The end of the game and what it is worth: one for the winner, nothing where nobody leads."""
    ref, en, ja = m.game.texts["R.WIN.2"]
    m.game.over(m.ended, id="R.WIN.2", en=en, ja=ja, ref=ref)
    value = as_int(leads(m, 0)) - as_int(leads(m, 1))
    for p in range(2):
        m.game.goal("win", p, m.ended & leads(m, p), en="have three fame counters first", ja="先に名声カウンターを三つ得る")
    m.game.payoff(value, -value)
