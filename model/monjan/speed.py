"""Speed and order (SPEED.*, FLOW.7-8, BATTLE.3, MANA.3): who attacks before whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from monjudge.model.language import (
    FALSE,
    Effect,
    Expr,
    add,
    all_of,
    any_of,
    both,
    count_of,
    eq,
    ite,
    lift,
    maximum,
    put,
    sum_of,
)
from monjudge.model.monjan.hiding import reveal_tops
from monjudge.model.monjan.match import PENDING, PHASE, STEP, Match, once, possible

__all__ = ["add_order", "faster", "level", "next_player", "speed_now"]


@once
def _number(m: Match, p: Any, c: Any, s: Any) -> Expr:
    """The number that the mana in a slot has for speed (SPEED.8: a battle card has none; A45, A47, A106)."""
    card = m.mana[p, c, s]
    hidden = m.is_elements(p, c, s) & ~m.reading("A45", "ORIGINAL")
    down = m.down[p, c, s] & m.reading("A47", "FACE_DOWN_IS_ZERO")
    gone = (m.spent[p, c, s] > 0) & m.reading("A106", "GONE_FOR_ALL")
    counts = m.in_stack(p, c, s) & m.is_kind(card, "NUMBER") & ~hidden & ~down & ~gone
    return ite(counts, m.value(card), 0)


@once
def speed_now(m: Match, p: Any) -> Expr:
    """The speed of the player's mana (A43: largest top number; A44: no mana at all)."""
    gone = m.reading("A106", "GONE_FOR_ALL")

    def top(c: Any) -> Expr:
        return _number(m, p, c, m.shown_slot(p, c, gone))

    speed = m.pick(
        "A43",
        otherwise=lambda: maximum(*(top(c) for c in range(3))),
        ANY=lambda: maximum(*(_number(m, p, c, s) for c in range(3) for s in range(m.slots))),
        SUM_TOP=lambda: add(*(top(c) for c in range(3))),
        SUM_ALL=lambda: sum_of(3, lambda c: sum_of(m.slots, lambda s: _number(m, p, c, s))),
    )
    bare = all_of(3, lambda c: m.height[p, c] == 0)
    return m.pick("A44", otherwise=lambda: speed, BELOW_ZERO=lambda: ite(bare, -1, speed))


def _earlier(m: Match, p: Any, q: Any, speed: Callable[[Any], Expr]) -> Expr:
    """Whether p acts before q by speed, then priority, then (A46) the order before; the number of the seat ends it."""
    tie = speed(p) == speed(q)
    by_rank = m.rank(p) < m.rank(q)
    same = m.rank(p) == m.rank(q)
    before = m.pick("A46", otherwise=lambda: lift(p) < q, PREV_ORDER=lambda: m.before[p] < m.before[q], DIE=lambda: m.lot[p] < m.lot[q])
    return (speed(p) > speed(q)) | (tie & (by_rank | (same & before)))


def faster(m: Match, p: Any, q: Any) -> Expr:
    """Whether p is the faster player (A48: at the start of the battle turn; A49: a tie is neither)."""
    by_order = m.reading("A49", "ORDER")
    fixed = ite(by_order, m.place[p] < m.place[q], m.speed[p] > m.speed[q])

    def live() -> Expr:
        return ite(by_order, _earlier(m, p, q, lambda x: speed_now(m, x)), speed_now(m, p) > speed_now(m, q))

    return m.pick("A48", otherwise=lambda: fixed, DYNAMIC=live)


def next_player(m: Match, p: Any) -> Expr:
    """Whether p is the next living player without an attack step in this battle turn."""

    def waits(q: Any) -> Expr:
        return m.alive[q] & ~m.stepped[q]

    first = m.pick(
        "A48",
        otherwise=lambda: all_of(m.players, lambda q: ~waits(q) | (m.place[p] <= m.place[q])),
        DYNAMIC=lambda: all_of(
            m.players, lambda q: ~waits(q) | (q == p) | _earlier(m, p, q, lambda x: speed_now(m, x))
        ),
    )
    return waits(p) & first


def level(m: Match, p: Any, q: Any) -> Expr:
    """Whether neither speed nor priority decides between two living players (A46)."""
    return both(m.alive[p], m.alive[q], ~eq(p, q), m.speed[p] == m.speed[q], m.rank(p) == m.rank(q))


def _draw_lots(m: Match) -> None:
    """A46 DIE: players equal in speed and priority draw lots for their order, one after the other."""
    if not possible(m.reading("A46", "DIE")):
        return
    a = m.game.action("lot", weight=1, en="draw a lot for the order", ja="順番をくじで決める", tags=["chance"])
    player = a.param("player", range(m.players))
    a.clause("SPEED.6", m.is_pending("LOT") & m.alive[player] & (m.lot[player] == 0))
    drawn = count_of(m.players, lambda q: m.lot[q] > 0)
    living = count_of(m.players, lambda q: m.alive[q])
    a.effect(put(m.lot[player], drawn + 1), put(m.pending, PENDING["NONE"], when=drawn + 1 >= living))


def _needs_lots(m: Match) -> Expr:
    same = any_of(m.players, lambda p: any_of(m.players, lambda q: both(
        ~eq(p, q), m.alive[p], m.alive[q], speed_now(m, p) == speed_now(m, q), m.rank(p) == m.rank(q))))  # fmt: skip
    undrawn = all_of(m.players, lambda q: m.lot[q] == 0)
    return m.pick("A46", otherwise=lambda: FALSE, DIE=lambda: same & undrawn)


def add_order(m: Match) -> None:
    """The battle turn begins when every player has ended the edit turn: speeds and order are fixed (SPEED.4)."""
    _draw_lots(m)
    ready = both(
        m.is_phase("EDIT"),
        m.nothing_pending(),
        all_of(m.players, lambda p: ~m.alive[p] | m.done[p]),
        any_of(m.players, lambda p: m.alive[p]),
    )
    needs_lots = _needs_lots(m)
    if possible(needs_lots):
        m.game.trigger("SPEED.6:lots", ready & needs_lots, [put(m.pending, PENDING["LOT"])],
                       en="Lots decide between equals.", ja="同じ者どうしはくじで決める。")  # fmt: skip
    everybody = ready & ~needs_lots
    effects: list[Effect] = [
        put(m.phase, PHASE["BATTLE"]),
        put(m.step, STEP["STEP_OVER"]),
        put(m.last_fall, 0),
    ]
    for p in range(m.players):
        earlier = count_of(m.players, lambda q, p=p: (q != p) & _earlier(m, q, p, lambda x: speed_now(m, x)))  # type: ignore[misc]
        effects += [put(m.speed[p], speed_now(m, p)), put(m.place[p], earlier), put(m.stepped[p], False)]
        effects += reveal_tops(m, p)
    m.game.trigger("FLOW.6", everybody, effects)
