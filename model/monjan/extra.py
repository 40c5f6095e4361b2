"""Extra cards (EXTRA.*): the two summon conditions, one on the field, and when the card dies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from monjudge.model.language import (
    FALSE,
    TRUE,
    ActionBuilder,
    Effect,
    Expr,
    all_of,
    any_of,
    both,
    each,
    either,
    eq,
    gain,
    ite,
    lift,
    max_of,
    member,
    put,
)
from monjudge.model.monjan.cards import NO_ELEMENT
from monjudge.model.monjan.edit import count, edits, is_listed_order, within_limits
from monjudge.model.monjan.hiding import face_down, supports_hidden
from monjudge.model.monjan.match import COLUMN, Match, once, possible

__all__ = ["PAIR", "add_extra", "add_survival", "lose_extra", "number_holds", "pair_holds"]

PAIR, NUMBER = 1, 2
_PAIRS = ((0, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1))


def _gone(m: Match) -> Expr:
    """Whether committed mana no longer serves a condition (A106)."""
    return m.reading("A106", "COUNTS_AS_GONE", "GONE_FOR_ALL")


@once
def _shown(m: Match, p: Any, c: Any) -> Expr:
    """The plain card that a condition sees on top of the column, or 0 (EXTRA.24: Elements never count)."""
    excluded = m.reading("A113", "FALLEN_COLUMN_EXCLUDED") & m.fallen[p, c]
    slot = m.shown_slot(p, c, _gone(m))
    return ite(excluded | ~supports_hidden(m, p, c, slot), 0, m.shown(p, c, _gone(m)))


@once
def _plain(m: Match, p: Any, c: Any, s: Any) -> Expr:
    """Whether the slot holds a plain card that a condition may see, wherever it lies in the stack."""
    there = m.in_stack(p, c, s) & ~m.is_elements(p, c, s) & ((m.spent[p, c, s] == 0) | ~_gone(m))
    excluded = m.reading("A113", "FALLEN_COLUMN_EXCLUDED") & m.fallen[p, c]
    return there & ~excluded & supports_hidden(m, p, c, s)


@once
def _has_element(m: Match, card: Any, element: Any) -> Expr:
    battle = m.is_kind(card, "PLUS", "KILL", "PLAIN") & m.reading("A114", "NONE")
    return (lift(card) > 0) & eq(m.element(card), element) & (lift(element) != NO_ELEMENT) & ~battle


@once
def _has_number(m: Match, card: Any, extra: Any) -> Expr:
    counts = m.is_kind(card, "NUMBER") | (m.is_kind(card, "PLUS") & m.reading("A114", "NUMBER_YES"))
    return counts & m.listed(extra, m.value(card))


@once
def shows_element(m: Match, p: Any, c: Any, element: Any) -> Expr:
    """Whether the column shows the element (A109: the top card, or any card of the stack)."""

    def buried() -> Expr:
        return any_of(m.slots, lambda s: _plain(m, p, c, s) & _has_element(m, m.mana[p, c, s], element))

    return m.pick(
        "A109", otherwise=lambda: _has_element(m, _shown(m, p, c), element),
        ANY_IN_STACK=buried, PAIR_ANY_NUMBER_TOP=buried,
    )  # fmt: skip


@once
def shows_number(m: Match, p: Any, c: Any, extra: Any) -> Expr:
    """Whether the column shows a number of the card's list (EXTRA.21)."""
    return m.pick(
        "A109",
        otherwise=lambda: _has_number(m, _shown(m, p, c), extra),
        ANY_IN_STACK=lambda: any_of(m.slots, lambda s: _plain(m, p, c, s) & _has_number(m, m.mana[p, c, s], extra)),
    )


def _witness(m: Match, p: Any, c: Any, shows: Callable[[Any], Expr], *buried: str) -> Expr:
    """The slot, from 1, of the card by which the column shows it: the top, or the uppermost such card (A109)."""

    def uppermost() -> Expr:
        return max_of(m.slots, lambda s: ite(_plain(m, p, c, s) & shows(m.mana[p, c, s]), s + 1, 0))

    return m.pick(
        "A109", otherwise=lambda: m.shown_slot(p, c, _gone(m)) + 1, **dict.fromkeys(buried, uppermost)
    )


def _allowed(m: Match, i: int, j: int) -> Expr:
    """Whether left panel on column i and right panel on column j is a pattern (A108)."""
    ordered = m.reading("A108", "ANY_ORDERED")
    return either(
        m.reading("A108", "ANY_UNORDERED"),
        ordered & lift(i < j),
        m.reading("A108", "ADJ_ORDERED") & lift(j == i + 1),
        m.reading("A108", "LM_ONLY") & lift((i, j) == (0, 1)),
        m.reading("A108", "LR_ONLY") & lift((i, j) == (0, 2)),
    )


@once
def _pattern(m: Match, p: Any, extra: Any, i: int, j: int) -> Expr:
    left, right = m.panels(extra)
    if not possible(_allowed(m, i, j)):
        return FALSE
    return _allowed(m, i, j) & shows_element(m, p, i, left) & shows_element(m, p, j, right)


def pair_holds(m: Match, p: Any, extra: Any) -> Expr:
    """Whether the element pair of the card stands on two columns (EXTRA.6, EXTRA.15-19)."""
    return either(*(_pattern(m, p, extra, i, j) for i, j in _PAIRS))


def number_holds(m: Match, p: Any, extra: Any) -> Expr:
    """Whether some column shows a number of the card's list (EXTRA.7, EXTRA.20-21)."""
    return any_of(3, lambda c: shows_number(m, p, c, extra))


def lose_extra(m: Match, p: Any, when: Any = True) -> list[Effect]:
    """Effects: the Extra card leaves the field for the discard pile."""
    return [
        gain(m.discard[p, m.extra[p]], 1, when=when),
        put(m.extra[p], 0, when=when),
        put(m.extra_by[p], 0, when=when),
        put(m.extra_down[p], False, when=when),
        *([put(m.extra_at[p], 0, when=when)] if m.extra_may_fill else []),
        *each(3, lambda c: put(m.witness[p, c], 0, when=when)),
    ]


def add_extra(m: Match) -> None:
    """EXTRA.5-21, EXTRA.28: summoning by either condition, face down, at any place."""
    if not (cards := m.cards.numbers("EXTRA")):
        return
    a = m.game.action("extra", en="summon an Extra card", ja="エキストラカードを召喚する", tags=["placement", "summon"])
    card, how, me = a.param("card", cards), a.param("by", range(PAIR, NUMBER + 1)), m.me
    edits(m, a)
    a.clause("EDIT.9", within_limits(m, me, "extra"))
    a.clause("EDIT.5", is_listed_order(m, me, "extra"))
    a.clause("EXTRA.5", m.hand[me, card] > 0)
    elsewhere = any_of(m.players, lambda q: (q != me) & (m.extra[q] > 0))
    a.clause("EXTRA.14", (m.extra[me] == 0) & ~(m.reading("A115", "GLOBAL") & elsewhere))
    a.clause("EXTRA.28", _lie(m, a))
    pair, number = pair_holds(m, me, card), number_holds(m, me, card)
    needs_both = m.reading("A110", "AND")
    a.clause("EXTRA.17", (how != PAIR) | (pair & (~needs_both | number)))
    a.clause("EXTRA.21", (how != NUMBER) | (number & (~needs_both | pair)))
    a.effect(put(m.extra_down[me], face_down(m, a)))
    pattern = _first_pattern(m, me, card)
    keeps_pair = m.reading("A111", "SAME_COLUMNS", "SAME_CARDS")
    a.effect(gain(m.hand[me, card], -1), put(m.extra[me], card), put(m.extra_by[me], how), *count(m, me, "extra"))
    for c in range(3):
        number_slot = _witness(m, me, c, lambda k: _has_number(m, k, card), "ANY_IN_STACK")
        by_number = ite(shows_number(m, me, c, card), number_slot, 0)
        by_pair = ite(keeps_pair, pattern[c], 0)
        a.effect(put(m.witness[me, c], ite(how == NUMBER, by_number, by_pair)))


def _lie(m: Match, a: ActionBuilder) -> Expr:
    """Where the card is laid (A116): at a place of its own, or on an attack field, which it fills."""
    if not m.extra_may_fill:
        return TRUE
    at = a.param("at", range(4))
    a.effect(put(m.extra_at[m.me], at))
    field = any_of(3, lambda c: (at == c + 1) & m.attack_free(m.me, c))
    beside = (at == 0) & ~m.reading("A116", "ATTACK_SLOT")
    return beside | (field & ~m.reading("A116", "OWN_ZONE"))


def _first_pattern(m: Match, p: Any, extra: Any) -> list[Expr]:
    """The slot, from 1, that each column has in the first pattern that matches; 0 for none."""
    slots: list[Expr] = [lift(0)] * len(COLUMN.labels)
    before: Expr = lift(False)
    for i, j in _PAIRS:
        here = _pattern(m, p, extra, i, j) & ~before
        for c, panel in zip((i, j), m.panels(extra), strict=True):
            slot = _witness(m, p, c, lambda k, e=panel: _has_element(m, k, e), "ANY_IN_STACK", "PAIR_ANY_NUMBER_TOP")  # type: ignore[misc]
            slots[c] = ite(here, slot, slots[c])
        before = before | here
    return slots


def add_survival(m: Match) -> None:
    """EXTRA.22-26: what keeps the card alive depends on how it was summoned."""
    if not m.cards.numbers("EXTRA"):
        return

    def dies(p: Expr) -> Expr:
        extra, by = m.extra[p], m.extra_by[p]
        pair, number = pair_holds(m, p, extra), number_holds(m, p, extra)
        printed = ite(m.reading("A110", "AND"), pair & number, pair | number)

        def same_columns() -> Expr:
            return either(
                *(_pattern(m, p, extra, i, j) & (m.witness[p, i] > 0) & (m.witness[p, j] > 0) for i, j in _PAIRS)
            )

        lives_by_pair = m.pick(
            "A111",
            otherwise=lambda: printed,
            SAME_KIND=lambda: pair,
            SAME_COLUMNS=same_columns,
            SAME_CARDS=lambda: all_of(
                3, lambda c: (m.witness[p, c] == 0) | _stands(m, p, c, "ANY_IN_STACK", "PAIR_ANY_NUMBER_TOP")
            ),
        )
        lives_by_number = m.pick(
            "A112",
            otherwise=lambda: any_of(3, lambda c: (m.witness[p, c] > 0) & _stands(m, p, c, "ANY_IN_STACK")),
            NUMBER_STILL_SHOWN=lambda: number,
            ANY_PRINTED=lambda: printed,
        )
        return both(member(by, (PAIR, NUMBER)), _checked(m, p), ~ite(by == PAIR, lives_by_pair, lives_by_number))

    m.game.trigger("EXTRA.22", dies, lambda p: lose_extra(m, p), over=(m.players,))
    _bury(m)


def _bury(m: Match) -> None:
    """EXTRA.26: a number that was covered or consumed no longer bears the card, even if it comes to the top again."""
    m.game.trigger(
        "EXTRA.26",
        lambda p, c: both(m.extra_by[p] == NUMBER, m.witness[p, c] > 0, _checked(m, p), ~_stands(m, p, c, "ANY_IN_STACK")),
        lambda p, c: put(m.witness[p, c], 0),
        over=(m.players, 3),
    )


def _checked(m: Match, p: Any) -> Expr:
    """Whether this is a moment at which the condition of the card is looked at (A117)."""
    return m.reading("A117", "CONTINUOUS") | m.is_phase("CLEANUP") | (m.is_phase("EDIT") & m.done[p])


def _stands(m: Match, p: Any, c: Any, *buried: str) -> Expr:
    """Whether the card by which the Extra card was summoned still shows, and is no Elements (A109: from the top, or buried)."""
    slot = m.witness[p, c] - 1
    on_top = (slot == m.shown_slot(p, c, _gone(m))) & ~m.is_elements(p, c, slot)
    return m.pick("A109", otherwise=lambda: on_top, **dict.fromkeys(buried, lambda: _plain(m, p, c, slot)))
