"""Abilities of monsters (R.MON.10): while active, before an own decision and after each step of the turn.

In a window the first player may speak, then the other, until both pass in a row; one ability answers another only under
one reading of AMB_TIMING. An ability is used as often as its card says in a turn, else once a window.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from monjudge.model.language import FALSE, Effect, Expr, both, count_of, eq, gain, ite, put
from monjudge.model.rancher.effects import happens, opaque
from monjudge.model.rancher.match import STACK, WINDOW, Match, possible

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
    return both(m.window > WINDOW["NONE"], m.quiet, ~_resolving(m))


def _stacked(m: Match) -> Expr:
    """AMB_TIMING STACK: whether abilities wait for their effect."""
    stack = m.reading("AMB_TIMING", "STACK")
    return stack & (m.waiting[0] > 0) if possible(stack) else FALSE


def _resolving(m: Match) -> Expr:
    return m.resolves if possible(m.reading("AMB_TIMING", "STACK")) else FALSE


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
    stack = m.reading("AMB_TIMING", "STACK")
    a.effect([dataclasses.replace(e, when=e.when & ~stack) for e in happens(m, card, m.monsters, me)])
    a.effect(gain(m.used[me], 1, counted), put(m.used_here[me], True), put(m.asked, _after_use(m, me)), put(m.waited, False))
    if possible(stack):
        height = count_of(STACK, lambda i: m.waiting[i] > 0)
        a.limit("LIMIT.stack", ~stack | (height < STACK))
        a.effect(put(m.waiting[height], me + 1, stack))
        _resolve(m, height)


def _after_use(m: Match, p: Any) -> Expr:
    """Who is asked next: the other, who may answer under AMB_TIMING STACK, or again the first player (PRECEDENCE)."""
    alone = eq(m.window, WINDOW["OWN"]) & ~m.reading("AMB_TIMING", "STACK")
    return ite(alone, p, ite(m.reading("AMB_TIMING", "PRECEDENCE"), m.first, 1 - p))


def _resolve(m: Match, height: Expr) -> None:
    """AMB_TIMING STACK: when both have passed, the ability that was used last takes effect."""
    user = m.waiting[height - 1] - 1
    effects: list[Effect] = []
    for p in range(2):
        card = m.monster[p, m.active[p]]
        effects += [dataclasses.replace(e, when=e.when & (user == p)) for e in happens(m, card, m.monsters, p)]
    again = ite(eq(m.window, WINDOW["OWN"]), m.word, m.first)
    m.trigger("R.MON.10:resolves", m.resolves, [
        *effects, put(m.waiting[height - 1], 0), put(m.resolves, False), put(m.asked, again), put(m.waited, False)])  # fmt: skip


def _pass(m: Match) -> None:
    a = m.game.action("wait", by=m.asked, en="use no ability", ja="固有能力を使わない", tags=["ability"])
    a.clause("R.FLOW.1", _open(m))
    a.effect(_passed(m, m.me))
    m.trigger("R.MON.10:none", _open(m) & ~_usable(m, m.asked), _passed(m, m.asked))


def _passed(m: Match, p: Any) -> list[Effect]:
    """Effects: the other is asked, or after two passes in a row what waits takes effect, or the window closes."""
    over = (eq(m.window, WINDOW["OWN"]) & ~_stacked(m)) | m.waited
    closes = over & ~_stacked(m)
    effects = [put(m.window, WINDOW["NONE"], closes), put(m.asked, 1 - p, ~over), put(m.waited, ~over)]
    if possible(m.reading("AMB_TIMING", "STACK")):
        effects.append(put(m.resolves, True, over & _stacked(m)))
    return effects
