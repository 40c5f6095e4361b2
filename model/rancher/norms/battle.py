# ruff: noqa: E731  (a part of a sentence is a named lambda)
"""Norms of Battle cards, the arena, orders, techniques and injury."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from monjudge.model.language import Expr, any_of, both, eq, ite, le, lookup, sum_of
from monjudge.model.language import Table as Numbers
from monjudge.model.norms import Of, Writer, after
from monjudge.model.rancher.cards import ICON, NEED, STAT
from monjudge.model.rancher.match import DRAW, LAID, ROW, SQUARES, Match
from monjudge.model.rancher.norms.turn import every_player

__all__ = ["add"]


def add(m: Match, n: Writer) -> None:
    """What is said of battles, from the card to the injury."""
    _cards(m, n)
    _arena(m, n)
    _orders(m, n)
    _attacks(m, n)
    _side(m, n)


def _cards(m: Match, n: Writer) -> None:
    is_battle: Of = lambda p, i: m.is_type(m.shown[p, i], "BATTLE")
    shown: Of = lambda card: any_of(2, lambda p: any_of(LAID, lambda i: m.shown[p, i] == card))
    higher: Of = lambda card: any_of(2, lambda p: any_of(LAID, lambda i: is_battle(p, i) & (m.pull(m.shown[p, i]) > m.pull(card))))
    n.must("R.BAT.2", "fight", lambda a: shown(a.card))
    n.does("R.BAT.2", "fight", lambda a: after(m.is_step("SIDE", "STAND", "MOVE", "ATTACK") | m.battled))
    n.never("R.BAT.3", "fight", lambda a: higher(a.card))
    n.does("R.BAT.3", "fight", lambda a: after(~any_of(2, lambda p: any_of(LAID, lambda i: is_battle(p, i)))),
           claimed=m.reading("AMB_BATTIE_SCOPE", "ONE"))  # fmt: skip
    over: Of = lambda a: (m.battle > 0) & after(m.battle == 0)
    for id in ("R.BAT.4", "R.ZONE.2"):
        n.does(id, None, lambda a: after(m.removed[m.owner, m.battle]) == m.removed[m.owner, m.battle] + 1, when=over)
    fighting = m.is_step("MOVE", "ATTACK", "ADD", "PARRY")
    for id in ("R.META.9", "R.BAT.1"):
        n.means(id, lambda a: every_player(m.has_active), when=lambda a: fighting)


def _arena(m: Match, n: Writer) -> None:
    inside = m.at[0] > 0
    fighting = m.is_step("MOVE", "ATTACK", "ADD", "PARRY")
    for id in ("R.ARENA.1", "R.ARENA.4", "R.MOVE.10"):
        n.means(id, lambda a: every_player(lambda p: (m.at[p] >= 1) & (m.at[p] <= SQUARES)), when=lambda a: fighting)
    for id in ("R.ARENA.5", "R.MOVE.11"):
        n.never(id, None, lambda a: m.at[0] == m.at[1], when=lambda a: inside)
    for id in ("R.COMP.4", "R.ARENA.3"):
        n.means(id, lambda a: every_player(lambda p: (m.at[p] > 0) == (m.at[0] > 0)))
    side = ite(m.at[0] < m.at[1], 1, 0)
    n.does("R.ARENA.5", None, lambda a: ite(after(m.at[0]) < after(m.at[1]), 1, 0) == side, when=lambda a: inside & after(inside))
    n.does("R.ARENA.2", "fight", lambda a: (after(m.at[m.first]) == 1) & (after(m.at[m.second]) == SQUARES),
           when=lambda a: after(m.is_step("MOVE")))  # fmt: skip
    n.means("R.META.7", lambda a: every_player(lambda p: (m.damage[p] == 0) & (m.at[p] == 0)), when=lambda a: m.is_step("ACTIVE", "PLAY"))


def _distance(m: Match) -> Expr:
    return ite(m.at[0] < m.at[1], m.at[1] - m.at[0], m.at[0] - m.at[1])


def _orders(m: Match, n: Writer) -> None:
    icon: Of = lambda card: m.number("icon", lambda c: ICON[c.icon], card)
    d, then = _distance(m), after(_distance(m))
    # While the battle goes on, an order is carried out as it is given.
    openly = m.reading("AMB_MOVEORD", "OPEN")
    goes_on: Callable[[str], Of] = lambda name: lambda a: (icon(a.card) == ICON[name]) & after(m.at[0] > 0)
    own_stays: Of = lambda a: after(m.at[a.me]) == m.at[a.me]
    other_stays: Of = lambda a: after(m.at[1 - a.me]) == m.at[1 - a.me]
    stay: Of = lambda a: own_stays(a) & other_stays(a)
    at_wall: Of = lambda p, q: m.at[p] == ite(m.at[p] < m.at[q], 1, SQUARES)
    forward: Of = lambda a: other_stays(a) & (then == d - 1)
    does: dict[str, tuple[tuple[str, ...], Any]] = {
        "CHARGE": (("R.MOVE.5",), lambda a: ite(d == 1, stay(a), forward(a))),
        "RETREAT": (("R.MOVE.6",), lambda a: ite(at_wall(a.me, 1 - a.me), stay(a), other_stays(a) & (then == d + 1))),
        "HOLD": (("R.MOVE.7",), stay),
        "SHOVE": (("R.MOVE.8", "R.MOVE.9"), lambda a: ite(
            d == 1, ite(at_wall(1 - a.me, a.me), stay(a), own_stays(a) & (then == 2)), forward(a))),
    }  # fmt: skip
    for name, (ids, says) in does.items():
        n.does((*ids, "R.MOVE.12"), "order", says, when=goes_on(name), claimed=openly)
        n.may("R.MOVE.1", "order", lambda a, name=name: icon(a.card) == ICON[name])
    n.must("R.MOVE.3", "order", lambda a: m.hand[a.me, a.card] > 0)
    # It may be joined by a side card when the round ends with the order.
    n.does("R.MOVE.4", "order", lambda a: after(m.hand[a.me, a.card]) >= m.hand[a.me, a.card],
           claimed=m.reading("AMB_MOVECARD", "AT_ONCE"))  # fmt: skip


def _of(m: Match, name: str, of: Any, t: Any) -> Expr:
    values = [of(technique) for _, technique in m.cards.techniques] or [0]
    return lookup(Numbers.of(f"literal_{name}", (len(values),), values, 0), t)


def _attacks(m: Match, n: Writer) -> None:
    for id in ("R.TECH.2", "R.TECH.3"):
        n.must(id, "attack", lambda a: _of(m, "range", lambda q: q.range, a.technique) == _distance(m))
    def need(a: Any, x: int, name: str) -> Expr:
        value = m.fights_with(a.me, x) if x < STAT.size else m.fame[a.me] if name == "fame" else m.loyalty(a.me, m.active[a.me])
        return le(_of(m, name, lambda q: dict(q.needs).get(name, 0), a.technique), value)

    n.must("R.TECH.5", "attack", lambda a: both(*(need(a, x, name) for x, name in enumerate(NEED.labels))))
    n.does("R.TECH.5", "attack", lambda a: after(m.fame[a.me]) >= m.fame[a.me])
    n.must("R.PULL.9", "add", lambda a: m.hand[a.me, a.card] > 0)
    n.does("R.PULL.9", "add", lambda a: after(m.hand[a.me, a.card]) == m.hand[a.me, a.card] - 1,
           when=lambda a: after(m.is_step("ADD", "PARRY", "ATTACK")))  # fmt: skip
    going = m.is_step("MOVE", "ATTACK", "ADD", "PARRY")
    n.means("R.LIFE.1", lambda a: every_player(lambda p: m.damage[p] < 2 * m.fights_with(p, STAT.life)), when=lambda a: going,
            claimed=m.reading("AMB_DMGACC", "ACCUMULATES"))  # fmt: skip
    injured: Of = lambda p: sum_of(m.slots, lambda s: ite((m.monster[p, s] > 0) & m.injured[p, s], 1, 0))
    hurt: Of = lambda a: any_of(2, lambda p: after(injured(p)) > injured(p))
    for id in ("R.LIFE.1", "R.INJ.2"):
        n.does(id, None, lambda a: m.is_step("ATTACK", "ADD", "PARRY", "HIT", "TAKE"), when=hurt)
    n.does("R.WIN.1", None, lambda a: m.is_step("ATTACK", "ADD", "PARRY", "HIT", "TAKE", "FAME", "EVENT", "SELECT") | after(m.is_step("CLEAR")),
           when=lambda a: any_of(2, lambda p: after(m.fame[p]) > m.fame[p]))  # fmt: skip


def _side(m: Match, n: Writer) -> None:
    for id in ("R.ARENA.7", "R.ARENA.8"):
        n.means(id, lambda a: every_player(lambda p: m.side[p] <= ROW))
    drawer = ite(m.due[m.first] > 0, m.first, m.second)
    n.does("R.ARENA.9", "draw", lambda a: both(after(m.side[drawer]) == m.side[drawer] - 1, after(m.hand[drawer, a.card]) == m.hand[drawer, a.card] + 1),
           when=lambda a: eq(m.purpose, DRAW["TAKE"]), claimed=~m.reading("AMB_SIDE_REST", "HAND"))  # fmt: skip
