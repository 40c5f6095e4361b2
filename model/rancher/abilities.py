"""Abilities of monsters (R.MON.10): while active, before an own decision and after each step of the turn.

In a window the first player may speak, then the other, until both pass in a row; nothing is answered
(AMB_TIMING). An ability is used as often as its card says in a turn, else once a window.
"""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Effect, Expr, both, eq, gain, ite, put
from monjudge.model.rancher.effects import happens, opaque
from monjudge.model.rancher.match import WINDOW, Match

__all__ = ["IN_ARENA", "add_abilities"]

IN_ARENA = ("step", "soothe")
"""Effects that mean something in the arena only."""


def add_abilities(m: Match) -> None:
    """Using an ability, and passing; a player with nothing to use is passed over."""
    if not m.has_abilities:
        return
    _use(m)
    _pass(m)


def _open(m: Match) -> Expr:
    return both(m.window > WINDOW["NONE"], m.quiet)


def _usable(m: Match, p: Any) -> Expr:
    """Whether the active monster of the player has an ability that may be used now."""
    card = m.monster[p, m.active[p]]
    there = m.has_active(p) & m.which("able", lambda c: c.type == "MONSTER" and bool(c.deeds), card)
    times = m.number("times", lambda c: c.times, card)
    in_time = ite(times > 0, m.used[p] < times, ~m.used_here[p])
    fights = m.which("fights", lambda c: any(deed.do in IN_ARENA for deed in c.deeds), card)
    return both(there, in_time, ~fights | (m.at[p] > 0))


def _use(m: Match) -> None:
    a = m.game.action("ability", by=m.asked, en="use the active monster's ability", ja="固有能力を使う", tags=["ability"])
    me = m.me
    card = m.monster[me, m.active[me]]
    a.clause("R.FLOW.1", _open(m))
    a.clause("R.MON.10", _usable(m, me))
    a.unsaid("CARD.text", ~opaque(m, card))
    counted = m.number("times", lambda c: c.times, card) > 0
    a.effect(happens(m, card, m.monsters, me), gain(m.used[me], 1, counted), put(m.used_here[me], True), _next(m, me, False))


def _pass(m: Match) -> None:
    a = m.game.action("wait", by=m.asked, en="use no ability", ja="固有能力を使わない", tags=["ability"])
    a.clause("R.FLOW.1", _open(m))
    a.effect(_next(m, m.me, True))
    m.trigger("R.MON.10:none", _open(m) & ~_usable(m, m.asked), _next(m, m.asked, True))


def _next(m: Match, p: Any, passes: bool) -> list[Effect]:
    """Effects: the other is asked, or the window closes."""
    alone = eq(m.window, WINDOW["OWN"])
    if not passes:
        return [put(m.asked, ite(alone, p, 1 - p)), put(m.waited, False)]
    closes = alone | m.waited
    return [put(m.window, WINDOW["NONE"], closes), put(m.asked, 1 - p, ~closes), put(m.waited, ~closes)]


