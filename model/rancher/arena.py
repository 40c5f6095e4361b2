"""The arena (R.ARENA.1-6, R.MOVE.1-12): five squares in a column, and orders given with cards of the hand.

The functions at the top speak of squares only, so that a report can ask them about every position.

>>> charge(1, 3).value, charge(2, 3).value, retreat(1, 3).value
(2, 2, 1)
>>> [e.value for e in ordered(ICON.SHOVE, 2, 3)], [e.value for e in ordered(ICON.SHOVE, 4, 5)]
([2, 4], [4, 5])
"""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Effect, Expr, both, each, eq, gain, ite, lift, put
from monjudge.model.rancher.cards import ICON
from monjudge.model.rancher.match import SQUARES, Match, possible

__all__ = ["add_arena", "at_once", "charge", "distance", "ordered", "pushed", "retreat"]


def distance(a: Any, b: Any) -> Expr:
    """How far apart two squares are (R.TECH.3)."""
    return ite(lift(a) < b, lift(b) - a, lift(a) - b)


def charge(a: Any, b: Any) -> Expr:
    """Where a monster on square ``a`` is after a step towards ``b``, which it cannot enter (R.MOVE.5, R.MOVE.11)."""
    ahead = ite(lift(a) < b, lift(a) + 1, lift(a) - 1)
    return ite(ahead == b, a, ahead)


def retreat(a: Any, b: Any) -> Expr:
    """Where it is after a step away from ``b``, which cannot lead outside (R.MOVE.6, R.MOVE.10)."""
    behind = ite(lift(a) < b, lift(a) - 1, lift(a) + 1)
    return ite((behind < 1) | (behind > SQUARES), a, behind)


def pushed(a: Any, b: Any, squares: int) -> Expr:
    """Where it is after so many steps forward, or back where negative, each that is possible (R.MOVE.12)."""
    for _ in range(abs(squares)):
        a = charge(a, b) if squares > 0 else retreat(a, b)
    return lift(a)


def ordered(icon: Any, a: Any, b: Any) -> tuple[Expr, Expr]:
    """Both squares after the order of an icon to the monster on ``a`` (R.MOVE.5-9, R.MOVE.12)."""
    shoves = eq(icon, ICON.SHOVE) & (distance(a, b) == 1)
    goes = eq(icon, ICON.CHARGE) | (eq(icon, ICON.SHOVE) & ~shoves)
    own = ite(goes, charge(a, b), ite(eq(icon, ICON.RETREAT), retreat(a, b), a))
    return own, ite(shoves, retreat(b, a), b)


def at_once(one: Any, other: Any, a: Any, b: Any) -> tuple[Expr, Expr]:
    """Both squares after two orders carried out at the same time (AMB_MOVEORD SECRET_AT_ONCE).

    Orders clash when both monsters would enter one square, or when one monster would be moved by both;
    then neither is carried out.
    """
    a1, b1 = ordered(one, a, b)
    b2, a2 = ordered(other, b, a)
    same_square = (a1 != a) & (b2 != b) & (a1 == b2)
    same_monster = ((a1 != a) & (a2 != a)) | ((b1 != b) & (b2 != b))
    clash = same_square | same_monster
    return ite(clash, a, ite(a1 != a, a1, a2)), ite(clash, b, ite(b1 != b, b1, b2))


def add_arena(m: Match) -> None:
    """Orders: the first player, then the other; the card is shown and returns (AMB_MOVEORD, AMB_MOVECARD, AMB_MUSTMOVE)."""
    _order(m)
    _no_order(m)
    _secret(m)


def _icon(m: Match, card: Any) -> Expr:
    return m.number("icon", lambda c: ICON[c.icon], card)


def _secret_orders(m: Match) -> Expr:
    return m.reading("AMB_MOVEORD", "SECRET_IN_ORDER", "SECRET_AT_ONCE")


def _order(m: Match) -> None:
    a = m.game.action("order", by=m.word, en="order a move by showing", ja="移動を指示する", tags=["move"])
    card, me = a.param("card", range(1, len(m.cards))), m.me
    a.clause("R.FLOW.1", m.now("MOVE"))
    a.clause("R.MOVE.3", m.hand[me, card] > 0)
    openly = ~_secret_orders(m)
    own, other = ordered(_icon(m, card), m.at[me], m.at[1 - me])
    a.effect(put(m.at[me], own, openly), put(m.at[1 - me], other, openly), _moved(m, me))
    if possible(_secret_orders(m)):
        a.effect(put(m.ordered[me], card, ~openly))
    stays_out = m.reading("AMB_MOVECARD", "END_OF_ROUND", "END_OF_BATTLE")
    if possible(stays_out):
        a.effect(gain(m.hand[me, card], -1, stays_out), gain(m.away[me, card], 1, stays_out))


def _no_order(m: Match) -> None:
    """R.MOVE.3: without a card there is no order; with one there must be, unless AMB_MUSTMOVE is OPTIONAL."""
    optional = m.reading("AMB_MUSTMOVE", "OPTIONAL")
    empty = m.hand_size(m.word) == 0
    if possible(optional):
        a = m.game.action("no_order", by=m.word, en="give no order", ja="指示しない", tags=["move"])
        a.clause("R.FLOW.1", m.now("MOVE"))
        a.clause("R.MOVE.1", optional & (m.hand_size(m.me) > 0))
        a.effect(_moved(m, m.me))
    m.trigger("R.MOVE.3:none", m.now("MOVE") & empty, _moved(m, m.word))


def _moved(m: Match, p: Any) -> list[Effect]:
    """Effects: the next order, or the attacks (AMB_ROUND: the player's own attack follows each order)."""
    own_attack = m.reading("AMB_ROUND", "MAMA") & ~_secret_orders(m)
    last = eq(p, m.second)
    return [
        *m.to("ATTACK", own_attack, word=p),
        *m.hand_over(m.second, "MOVE", ~own_attack & ~last),
        *(m.on("MOVED", last & _secret_orders(m)) if possible(_secret_orders(m)) else []),
        *m.to("ATTACK", both(~own_attack, last, ~_secret_orders(m))),
    ]


def _secret(m: Match) -> None:
    """Orders given blind are shown together, and carried out one after the other or at the same time."""
    if not possible(_secret_orders(m)):
        return
    shows: Any = lambda p: m.ordered[p] > 0  # noqa: E731
    icon: Any = lambda p: ite(shows(p), _icon(m, m.ordered[p]), ICON.HOLD)  # noqa: E731
    squares = [m.at[m.first], m.at[m.second]]
    own, pushed_back = ordered(icon(m.first), *squares)
    answer, pushed_first = ordered(icon(m.second), pushed_back, own)
    together = at_once(icon(m.first), icon(m.second), *squares)
    one_by_one = m.reading("AMB_MOVEORD", "SECRET_IN_ORDER")
    m.trigger("R.MOVE.12", m.now("MOVED"), [
        put(m.at[m.first], ite(one_by_one, pushed_first, together[0])),
        put(m.at[m.second], ite(one_by_one, answer, together[1])),
        each(2, lambda p: put(m.ordered[p], 0)),
        *m.to("ATTACK"),
    ])  # fmt: skip
    m.game.simultaneous("orders", ("order",), [m.ordered], ~m.is_step("MOVE", "MOVED"))


