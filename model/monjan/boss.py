"""Boss and assassin cards (BOSS.*): three mana for one turn outside the board, five for good in an empty column."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Expr, any_of, as_int, gain, ite, lift, minimum, put
from monjudge.model.monjan.edit import count, edits, is_listed_order, within_limits
from monjudge.model.monjan.match import OUTSIDE, PENDING, Match
from monjudge.model.monjan.payment import Payment
from monjudge.model.monjan.piles import draw_weight, pile_empty, take

__all__ = ["add_boss"]


def add_boss(m: Match) -> None:
    """The two summons and the turning up of the card."""
    if not m.cards.numbers("BOSS", "ASSASSIN"):
        return
    _once(m)
    _stay(m)
    _reveal(m)


def _supply(m: Match) -> Expr:
    """Whether there is a card to turn up (A93)."""
    used = any_of(m.players, lambda p: any_of(m.cards.numbers("BOSS", "ASSASSIN"), lambda k: m.discard[p, k] > 0))
    return ~pile_empty(m, "ba") | (m.reading("A93", "RESHUFFLE") & used)


def _once(m: Match) -> None:
    a = m.game.action(
        "boss",
        en="summon a boss card for one turn",
        ja="ボスアサカードを一ターン召喚する",
        tags=["placement", "summon"],
    )
    left, centre, me = a.param("left", range(4)), a.param("centre", range(4)), m.me
    edits(m, a)
    counted = m.reading("A11", "COUNTED")
    a.clause("EDIT.11", within_limits(m, me, "boss", on_board=counted))
    a.clause("EDIT.5", is_listed_order(m, me, "boss"))
    payment = Payment(m, me, "once", 3, (left, centre, 3 - left - centre))
    payment.clauses(a, enough="BOSS.5", place="BOSS.2")
    a.clause("BOSS.1", _supply(m))
    a.limit(
        "LIMIT.outside", any_of(OUTSIDE, lambda i: m.outside[me, i] == 0),
        en="The model holds no more boss cards outside the board.", ja="この模型では場外にこれ以上ボスアサカードを置けない。",
    )  # fmt: skip
    a.effect(
        count(m, me, "boss", on_board=counted), payment.effects(),
        put(m.pending, PENDING["BOSS_ONCE"]), put(m.pending_player, me),
    )  # fmt: skip


def _stay(m: Match) -> None:
    a = m.game.action(
        "boss_stay", en="summon a boss card for good", ja="ボスアサカードを永続召喚する", tags=["placement", "summon"]
    )
    column, left, centre = a.param("column", range(3)), a.param("left", range(6)), a.param("centre", range(6))
    me = m.me
    edits(m, a)
    counted = ~m.reading("A11", "NEVER")
    a.clause("EDIT.11", within_limits(m, me, "boss", on_board=counted))
    a.clause("EDIT.5", is_listed_order(m, me, "boss"))
    a.clause("BOSS.11", m.attack_free(me, column) & (m.defence[me, column] == 0))
    a.clause("BOSS.10", ~m.fallen[me, column] | m.reading("A91", "ATTACK_ONLY"))
    parts = (left, centre, 5 - left - centre)
    here = lift(False)
    for c, part in enumerate(parts):
        here = here | ((column == c) & (part == 5))
    payment = Payment(m, me, "stay", 5, parts)
    payment.clauses(a, enough="BOSS.5", place="BOSS.2")
    a.clause("BOSS.12", here | m.reading("A156", "ANY_COLUMN"))
    a.clause("BOSS.1", _supply(m))
    top = m.known["ba"][0]
    a.clause("ATK.4", ~m.reading("A26", "ALL_ROW") | (top == 0) | (m.value(top) <= m.cap(me, column)))
    a.effect(
        count(m, me, "boss", on_board=counted), payment.effects(), put(m.pending, PENDING["BOSS_STAY"]),
        put(m.pending_player, me), put(m.pending_place, column),
    )  # fmt: skip


def _reveal(m: Match) -> None:
    """BOSS.2: the uppermost card of the pile is turned up."""
    card_range = m.cards.numbers("BOSS", "ASSASSIN")
    a = m.game.action("turn_up", weight=1, en="turn up a boss card", ja="ボスアサカードをめくる", tags=["chance"])
    card = a.param("card", card_range)
    p, column = m.pending_player, m.pending_place
    once = m.is_pending("BOSS_ONCE")
    a.clause("BOSS.2", once | m.is_pending("BOSS_STAY"))
    again = m.reading("A93", "RESHUFFLE") & pile_empty(m, "ba")
    a.outcome(ite(again, _used(m, card), draw_weight(m, "ba", card)))
    first = ite(m.outside[p, 0] == 0, 0, 1)
    stands = ~once & ~m.fallen[p, column]
    a.effect(
        take(m, "ba", card, when=~again),
        (gain(m.discard[q, card], -as_int(_owner(m, card) == q), when=again) for q in range(m.players)),
        put(m.pending, PENDING["NONE"]),
        put(m.outside[p, first], card, when=once),
        put(m.attack[p, column], card, when=~once),
        put(m.defence[p, column], card, when=stands),
        put(m.life[p, column], minimum(16, m.value(card)), when=stands),
    )
    if m.setting.hiding:
        # A face-down card may have been lost here before.
        a.effect(put(m.attack_down[p, column], False, when=~once))


def _used(m: Match, card: Any) -> Expr:
    total: Expr = lift(0)
    for p in range(m.players):
        total = total + m.discard[p, card]
    return total


def _owner(m: Match, card: Any) -> Expr:
    """The first player in whose part of the discard pile the card lies."""
    owner: Expr = lift(m.players - 1)
    for p in reversed(range(m.players)):
        owner = ite(m.discard[p, card] > 0, p, owner)
    return owner
