"""Battle cards (BCARD.*): +3, +6, +7, +8 for an attack or a defence, and Kill, at any time of the battle turn."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from monjudge.model.language import (
    ActionBuilder,
    Effect,
    Expr,
    any_of,
    both,
    either,
    gain,
    ite,
    lift,
    maximum,
    member,
    put,
)
from monjudge.model.monjan.battle import heal, lose_guard, source_card
from monjudge.model.monjan.extra import lose_extra
from monjudge.model.monjan.match import OUTSIDE, SOURCE, STEP, Match, possible
from monjudge.model.monjan.piles import put_away_bosses
from monjudge.model.monjan.toughness import lose_attack
from monjudge.model.monjan.windows import answer, engaged, in_window, other, passing

__all__ = ["LISTED_BONUS", "add_battle_cards", "after_destruction", "killable"]

LISTED_BONUS = (3, 6, 7, 8)
"""BCARD.8: the formulas with a use in battle."""


def add_battle_cards(
    m: Match, speaks: list[Callable[[Any], Expr]], beside: list[Callable[[Any], Expr]], falling: Expr
) -> None:
    """The cards and the pass. ``speaks`` are further reasons for a player to be asked in a window.

    ``beside`` are those that count for a player on neither side, too (BOARD.FLEHEIM.L: anybody's defence);
    ``falling`` says whether a defence falls at this moment.
    """
    _bonus(m)
    _heal(m)
    _kill(m)
    _pass(m, speaks, beside, falling)


def _speaking(m: Match, a: ActionBuilder, *windows: str) -> None:
    a.clause("BCARD.6", in_window(m, *windows) & engaged(m, m.me))


def _usable_bonus(m: Match, card: Any) -> Expr:
    return m.is_kind(card, "PLUS") & (member(m.value(card), LISTED_BONUS) | m.reading("A30", "ANY_PLUS"))


def _bonus(m: Match) -> None:
    if not (cards := m.cards.numbers("PLUS")):
        return
    a = m.game.action("bonus", by=m.word, en="add to the attack", ja="攻撃に添える", tags=["battle card"])
    card, me = a.param("card", cards), m.me
    _speaking(m, a, "W_DECLARED", "W_GUARDED")
    in_time = m.reading("A35", "YES") | m.is_step("W_DECLARED")
    a.clause("BCARD.8", (me == m.active) & (m.source >= 0) & in_time)
    a.clause("BCARD.4", (m.hand[me, card] > 0) & _usable_bonus(m, card))
    a.effect(_play(m, card), put(m.power, m.power + m.value(card)), answer(m))


def _play(m: Match, card: Any) -> list[Effect]:
    return [gain(m.hand[m.me, card], -1), gain(m.discard[m.me, card], 1)]


def _heal(m: Match) -> None:
    if not (cards := m.cards.numbers("PLUS")):
        return
    a = m.game.action("heal", by=m.word, en="recover a defence", ja="防御を回復する", tags=["battle card", "heal"])
    card, column, me = a.param("card", cards), a.param("column", range(3)), m.me
    _speaking(m, a)
    a.clause("BCARD.4", (m.hand[me, card] > 0) & _usable_bonus(m, card))
    at_zero = m.is_step("W_RESCUE") & (m.defence[me, column] > 0)
    raised = m.reading("A38", "YES") & m.fallen[me, column] & (m.defence[me, column] == 0) & (column != 1)
    a.clause("BCARD.9", m.living(me, column) | at_zero | raised)
    reduces = both(m.reading("A36", "REDUCE"), me == m.target, m.is_step("W_GUARDED"), m.guard == column)
    recovery = heal(m, me, column, m.value(card))
    a.effect(_play(m, card), dataclasses.replace(recovery, when=~reduces), answer(m))
    if possible(reduces):
        a.effect(put(m.power, maximum(0, m.power - m.value(card)), when=reduces))


def killable(m: Match, p: Any, source: Any) -> Expr:
    """Whether Kill may destroy the card at this source (BCARD.5; A40)."""
    attack = m.attack[p, source]
    row = m.pick(
        "A40", otherwise=lambda: (attack > 0) & ~m.permanent_boss(p, source),
        NUMBER_ONLY=lambda: m.is_kind(attack, "NUMBER", "ANY"),
        ALL_ATTACKERS=lambda: attack > 0,
    )  # fmt: skip
    least = ite(m.reading("A40", "ALL_ATTACKERS"), 3, 4)
    beside = (source >= least) & (source_card(m, p, source) > 0) & ~m.reading("A40", "NUMBER_ONLY")
    return ite(source < 3, row, beside)


def _kill(m: Match) -> None:
    if not (cards := m.cards.numbers("KILL")):
        return
    a = m.game.action("kill", by=m.word, en="destroy an attack card", ja="攻撃カードを破壊する", tags=["battle card"])
    card, at, me = a.param("card", cards), a.param("at", SOURCE), m.me
    foe = other(m, me)
    _speaking(m, a)
    a.clause("BCARD.5", (m.hand[me, card] > 0) & m.reading("A29", "USABLE"))
    a.clause("BCARD.7", (foe != me) & killable(m, foe, at))
    outside, above = (at >= 4) & (at < 4 + OUTSIDE), at >= 4 + OUTSIDE
    a.effect(
        _play(m, card),
        lose_attack(m, foe, at, when=at < 3),
        put_away_bosses(m, [(foe, m.outside[foe, at - 4], outside)]),
        put(m.outside[foe, at - 4], 0, when=outside),
        gain(m.discard[foe, m.above[foe, at - 4 - OUTSIDE]], 1, when=above),
        put(m.above[foe, at - 4 - OUTSIDE], 0, when=above),
        *(lose_extra(m, foe, when=at == 3) if possible(m.reading("A40", "ALL_ATTACKERS")) else []),
        answer(m),
        after_destruction(m, me, at),
    )


def after_destruction(m: Match, by: Any, at: Any, when: Any = True) -> list[Effect]:
    """Effects: the player destroyed the opposing card at this source, which may attack or guard just now.

    A41a CANCELS: the attack is off, its bonus lost (A160: its guard, if one was named, is spared or spent);
    TOO_LATE: it goes on. A41b REGUARD: the defender chooses again; NO_GUARD: the middle takes the attack;
    ABSORBED: the attack is spent.
    """
    place = ite(at < 4, at + 3, at + 7 - 4 - OUTSIDE)
    declared = m.is_step("W_DECLARED", "W_GUARDED") & m.reading("A41a", "CANCELS")
    attacking = lift(when) & (by == m.target) & (at == m.source) & declared
    has_place = (at < 4) | (at >= 4 + OUTSIDE)
    guarding = lift(when) & (by == m.active) & m.is_step("W_GUARDED") & (place == m.guard) & has_place
    spent = attacking & m.is_step("W_GUARDED") & (m.flame != m.guard + 1) & m.reading("A160", "SPENT")
    off = attacking | (guarding & m.reading("A41b", "ABSORBED"))
    exposed = m.reading("A41b", "NO_GUARD")
    return [
        *(lose_guard(m, m.target, m.guard, when=spent) if possible(spent) else []),
        put(m.step, ite(off, STEP["W_BEFORE"], ite(guarding & ~exposed, STEP["GUARD"], m.step))),
        put(m.word, m.active, when=attacking | guarding),
        put(m.source, -1, when=off),
        put(m.guard, ite(guarding & exposed, 1, -1), when=attacking | guarding),
    ]


def _pass(
    m: Match, speaks: list[Callable[[Any], Expr]], beside: list[Callable[[Any], Expr]], falling: Expr
) -> None:
    passes = passing(m, beside)
    a = m.game.action("pass", by=m.word, en="pass", ja="パスする", tags=["pass"])
    a.clause("BCARD.6", in_window(m))
    a.effect(passes)

    def something(p: Any) -> Expr:
        bonus = any_of(m.cards.numbers("PLUS"), lambda k: (m.hand[p, k] > 0) & _usable_bonus(m, k))
        foe = other(m, p)
        target = any_of(SOURCE.size, lambda s: killable(m, foe, s)) & (foe != p) & m.reading("A29", "USABLE")
        kill = any_of(m.cards.numbers("KILL"), lambda k: m.hand[p, k] > 0) & target
        return m.alive[p] & either(bonus, kill, *(reason(p) for reason in speaks))

    # A fall comes first: it may give a skill something to do in the window.
    m.game.trigger("BCARD.6", in_window(m) & ~falling & ~something(m.word), passes)
