"""Toughness cards (TOUGH.*): summoned on an attack field for mana from anywhere."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Effect, Expr, gain, ite, lift, minimum, put
from monjudge.model.monjan.edit import count, edits, is_listed_order, within_limits
from monjudge.model.monjan.hiding import face_down
from monjudge.model.monjan.mana import has_room
from monjudge.model.monjan.match import Match, possible
from monjudge.model.monjan.payment import Payment
from monjudge.model.monjan.piles import put_away_bosses

__all__ = ["add_toughness", "attack_value", "field_for_toughness", "lay_on_attack", "lose_attack"]


def attack_value(m: Match, p: Any, c: Any) -> Expr:
    """The attack of what stands in the attack row (CARD.5, TOUGH.6, BOSS.14; A07, A26)."""
    card, under = m.attack[p, c], m.under[p, c]
    value = m.value(card) + ite(m.reading("A07", "STACK") & m.is_kind(card, "NUMBER"), m.value(under), 0)
    return ite(m.reading("A26", "CLIP"), minimum(value, m.cap(p, c)), value)


def may_lie(m: Match, p: Any, c: Any, card: Any) -> Expr:
    """A26 ALL_ROW: whether the maximum of the field binds this card too."""
    return ~m.reading("A26", "ALL_ROW") | (m.value(card) <= m.cap(p, c))


def field_for_toughness(m: Match, p: Any, c: Any) -> Expr:
    """Whether a Toughness card may be laid on the field (TOUGH.13; A120: also on a standing card)."""
    return m.attack_free(p, c) | ((m.attack[p, c] > 0) & m.reading("A120", "MAY_REPLACE", "MAY_STACK"))


def lay_on_attack(m: Match, p: Any, c: Any, card: Any) -> list[Effect]:
    """Effects: the card stands on the field; what stood there lies beneath it or is discarded (A120)."""
    old = m.attack[p, c]
    stacks = m.reading("A120", "MAY_STACK") & (m.under[p, c] == 0)
    return [
        put(m.attack[p, c], card),
        put(m.under[p, c], old, when=(old > 0) & stacks),
        gain(m.discard[p, old], 1, when=(old > 0) & ~stacks),
    ]


def lose_attack(m: Match, p: Any, c: Any, when: Any = True) -> list[Effect]:
    """Effects: the card of the field is discarded; one that lay beneath it stands again.

    A permanent boss is one card on two fields: its life goes with it, without a fall.
    """
    boss = m.permanent_boss(p, c)
    beneath = boss & m.reading("A93", "BOTTOM")
    return [
        gain(m.discard[p, m.attack[p, c]], 1, when=lift(when) & ~beneath),
        *(put_away_bosses(m, [(p, m.attack[p, c], lift(when) & beneath)]) if possible(beneath) else []),
        put(m.attack[p, c], m.under[p, c], when=when),
        put(m.under[p, c], 0, when=when),
        put(m.defence[p, c], 0, when=lift(when) & boss),
        put(m.life[p, c], 0, when=lift(when) & boss),
    ]


def add_toughness(m: Match) -> None:
    """The act "summon a Toughness card"; ``left`` and ``centre`` of its cost come from there, the rest from the right."""
    if not (cards := m.cards.numbers("TOUGHNESS")):
        return
    a = m.game.action(
        "toughness", en="summon a Toughness card", ja="タフネスカードを召喚する", tags=["placement", "summon"]
    )
    card, column, me = a.param("card", cards), a.param("column", range(3)), m.me
    most = m.cost(card).hi
    left, centre = a.param("left", range(most + 1)), a.param("centre", range(most + 1))
    edits(m, a)
    a.clause("EDIT.9", within_limits(m, me, "toughness"))
    a.clause("EDIT.5", is_listed_order(m, me, "toughness"))
    a.clause("TOUGH.1", m.hand[me, card] > 0)
    a.clause("TOUGH.13", field_for_toughness(m, me, column))
    a.clause("ATK.4", may_lie(m, me, column, card))
    a.clause("OVER.3", m.reading("A121", "NO") | has_room(m, me, column, card))
    cost = m.cost(card)
    payment = Payment(m, me, "toughness", cost, (left, centre, cost - left - centre), laid=column)
    payment.clauses(a, enough="TOUGH.2", place="TOUGH.4")
    a.effect(put(m.attack_down[me, column], face_down(m, a)))
    a.effect(
        gain(m.hand[me, card], -1), lay_on_attack(m, me, column, card), count(m, me, "toughness"), payment.effects()
    )
