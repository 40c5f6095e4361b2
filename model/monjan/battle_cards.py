"""Battle cards (BCARD.*): +3, +6, +7, +8 for an attack or a defence, and Kill, at any time of the battle turn."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from monjudge.model.language import (
    TRUE,
    ActionBuilder,
    Effect,
    Expr,
    Table,
    any_of,
    both,
    either,
    eq,
    gain,
    ite,
    lift,
    lookup,
    maximum,
    member,
    put,
)
from monjudge.model.monjan.battle import heal, lose_guard, source_card, taken_by_flame
from monjudge.model.monjan.budget import BATTLE, SKILL_SOURCE, budget
from monjudge.model.monjan.extra import lose_extra
from monjudge.model.monjan.match import OUTSIDE, SOURCE, STEP, WAITING, Match, possible
from monjudge.model.monjan.piles import put_away_bosses
from monjudge.model.monjan.toughness import lose_attack
from monjudge.model.monjan.windows import answer, engaged, first_word, in_window, other, passing

__all__ = ["LISTED_BONUS", "add_battle_cards", "after_destruction", "killable"]

LISTED_BONUS = (3, 6, 7, 8)
"""BCARD.8: the formulas with a use in battle."""

_FROM_HAND = SKILL_SOURCE.index("hand")
_ATTACK, _DEFENCE, _FOE = 0, 1, 4
"""What a card that waits is aimed at (A34 STACK): the attack, an own defence by column, an opposing card by source."""


def add_battle_cards(m: Match, speaks: list[Callable[[Any], Expr]], beside: list[Callable[[Any], Expr]]) -> None:
    """The cards and the pass. ``speaks`` are further reasons for a player to be asked in a window.

    ``beside`` are those that count for a player on neither side, too (BOARD.FLEHEIM.L: anybody's defence).
    """
    _bonus(m)
    _heal(m)
    _kill(m)
    _answered(m)
    _pass(m, speaks, beside)


def _speaking(m: Match, a: ActionBuilder, card: Expr, *windows: str) -> None:
    a.clause("BCARD.6", in_window(m, *windows) & engaged(m, m.me))
    a.clause("SKILL.13", _not_yet(m, m.me, card))


def _not_yet(m: Match, p: Any, card: Any) -> Expr:
    """A31: battle cards are no skills, or each counts as the battle skill of the turn, or each sort is for once a turn."""
    return m.pick(
        "A31", otherwise=lambda: TRUE,
        IS_BATTLE_SKILL=lambda: budget(m, p, BATTLE, _FROM_HAND),
        AUX_ONCE_EACH=lambda: ~m.played[p, _sort(m, card)],
    )  # fmt: skip


def _sort(m: Match, card: Any) -> Expr:
    """Which of the sorts of battle cards this is: a listed bonus by its place, any other one, Kill."""
    sorts = [LISTED_BONUS.index(c.value) if c.value in LISTED_BONUS else len(LISTED_BONUS) for c in m.cards.cards]
    sorts = [len(LISTED_BONUS) + 1 if c.kind == "KILL" else n for c, n in zip(m.cards.cards, sorts, strict=True)]
    return lookup(Table.of("battle_card_sort", (len(sorts),), sorts, len(LISTED_BONUS)), card)


def _usable_bonus(m: Match, card: Any) -> Expr:
    return m.is_kind(card, "PLUS") & (member(m.value(card), LISTED_BONUS) | m.reading("A30", "ANY_PLUS"))


def _bonus(m: Match) -> None:
    if not (cards := m.cards.numbers("PLUS")):
        return
    a = m.game.action("bonus", by=m.word, en="add to the attack", ja="攻撃に添える", tags=["battle card"])
    card, me = a.param("card", cards), m.me
    _speaking(m, a, card, "W_DECLARED", "W_GUARDED")
    in_time = m.reading("A35", "YES") | m.is_step("W_DECLARED")
    a.clause("BCARD.8", (me == m.active) & (m.source >= 0) & in_time)
    a.clause("BCARD.4", (m.hand[me, card] > 0) & _usable_bonus(m, card))
    _plays(m, a, card, lift(_ATTACK), lambda when: _adds(m, card, when))


def _plays(m: Match, a: ActionBuilder, card: Expr, aim: Expr, does: Callable[[Expr], list[Effect]]) -> None:
    """Effects: the card is played; what it does comes at once, or after the answers to it (A34 STACK)."""
    me, waits = m.me, m.reading("A34", "STACK")
    a.effect(gain(m.hand[me, card], -1), gain(m.discard[me, card], 1), answer(m), does(~waits))
    if possible(m.reading("A31", "IS_BATTLE_SKILL")):
        a.effect(put(m.skill_used[me, BATTLE, _FROM_HAND], True, when=m.reading("A31", "IS_BATTLE_SKILL")))
    if possible(m.reading("A31", "AUX_ONCE_EACH")):
        a.effect(put(m.played[me, _sort(m, card)], True))
    if possible(waits):
        a.limit(
            "LIMIT.waiting", ~waits | (m.waiting < WAITING),
            en="The model holds no more battle cards that wait for answers.", ja="この模型では応酬を待つバトルカードをこれ以上持てない。",
        )  # fmt: skip
        for cells, value in ((m.waiting_by, me), (m.waiting_card, card), (m.waiting_aim, aim)):
            a.effect(put(cells[m.waiting], value, when=waits))
        a.effect(gain(m.waiting, 1, when=waits))


def _answered(m: Match) -> None:
    """A34 STACK: when both have passed, the card that was played last takes effect; then the words begin anew."""
    if not possible(m.reading("A34", "STACK")):
        return
    last = m.waiting - 1
    by, card, aim = m.waiting_by[last], m.waiting_card[last], m.waiting_aim[last]
    column, at, foe = aim - _DEFENCE, aim - _FOE, other(m, by)
    adds = both(aim == _ATTACK, by == m.active, m.source >= 0)
    recovers = both(aim >= _DEFENCE, aim < _FOE, _may_recover(m, by, column))
    destroys = both(aim >= _FOE, foe != by, killable(m, foe, at))
    m.game.trigger(
        "BCARD.6:answered",
        m.answered & m.nothing_pending(),
        [
            put(m.answered, False), put(m.passed, False), put(m.word, first_word(m, m.active, m.target)), gain(m.waiting, -1),
            *(put(cells[last], 0) for cells in (m.waiting_by, m.waiting_card, m.waiting_aim)),
            *_adds(m, card, adds), *_recovers(m, by, card, column, recovers), *_destroys(m, by, at, destroys),
        ],
        en="Of the cards that wait the last one takes effect first.", ja="応酬を待つカードは後に出したものから効果を発揮する。",
    )  # fmt: skip


def _adds(m: Match, card: Any, when: Any) -> list[Effect]:
    return [put(m.power, m.power + m.value(card), when=when)]


def _heal(m: Match) -> None:
    if not (cards := m.cards.numbers("PLUS")):
        return
    a = m.game.action("heal", by=m.word, en="recover a defence", ja="防御を回復する", tags=["battle card", "heal"])
    card, column, me = a.param("card", cards), a.param("column", range(3)), m.me
    _speaking(m, a, card)
    a.clause("BCARD.4", (m.hand[me, card] > 0) & _usable_bonus(m, card))
    a.clause("BCARD.9", _may_recover(m, me, column))
    _plays(m, a, card, column + _DEFENCE, lambda when: _recovers(m, me, card, column, when))


def _may_recover(m: Match, p: Any, column: Any) -> Expr:
    """Whether a battle card may recover this defence (BCARD.9; A36, A38)."""
    at_zero = m.is_step("W_RESCUE") & (m.defence[p, column] > 0)
    raised = m.reading("A38", "YES") & m.fallen[p, column] & (m.defence[p, column] == 0) & (lift(column) != 1)
    return m.living(p, column) | at_zero | raised


def _recovers(m: Match, p: Any, card: Any, column: Any, when: Any) -> list[Effect]:
    reduces = both(m.reading("A36", "REDUCE"), eq(p, m.target), m.is_step("W_GUARDED"), m.guard == column)
    recovery = heal(m, p, column, m.value(card))
    effects = [dataclasses.replace(recovery, when=lift(when) & ~reduces)]
    if possible(reduces):
        effects.append(put(m.power, maximum(0, m.power - m.value(card)), when=lift(when) & reduces))
    return effects


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
    _speaking(m, a, card)
    a.clause("BCARD.5", (m.hand[me, card] > 0) & m.reading("A29", "USABLE"))
    a.clause("BCARD.7", (other(m, me) != me) & killable(m, other(m, me), at))
    _plays(m, a, card, at + _FOE, lambda when: _destroys(m, me, at, when))


def _destroys(m: Match, by: Any, at: Any, when: Any) -> list[Effect]:
    foe = other(m, by)
    outside, above = lift(when) & (at >= 4) & (at < 4 + OUTSIDE), lift(when) & (at >= 4 + OUTSIDE)
    return [
        *lose_attack(m, foe, at, when=lift(when) & (at < 3)),
        *put_away_bosses(m, [(foe, m.outside[foe, at - 4], outside)]),
        put(m.outside[foe, at - 4], 0, when=outside),
        gain(m.discard[foe, m.above[foe, at - 4 - OUTSIDE]], 1, when=above),
        put(m.above[foe, at - 4 - OUTSIDE], 0, when=above),
        *(lose_extra(m, foe, when=lift(when) & (at == 3)) if possible(m.reading("A40", "ALL_ATTACKERS")) else []),
        *after_destruction(m, by, at, when),
    ]


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
    spent = attacking & m.is_step("W_GUARDED") & ~taken_by_flame(m, m.guard) & m.reading("A160", "SPENT")
    off = attacking | (guarding & m.reading("A41b", "ABSORBED"))
    exposed = m.reading("A41b", "NO_GUARD")
    return [
        *(lose_guard(m, m.target, m.guard, when=spent) if possible(spent) else []),
        put(m.step, ite(off, STEP["W_BEFORE"], ite(guarding & ~exposed, STEP["GUARD"], m.step))),
        put(m.word, first_word(m, m.active, m.target), when=attacking | guarding),
        put(m.passed, False, when=attacking | guarding),
        put(m.source, -1, when=off),
        put(m.guard, ite(guarding & exposed, 1, -1), when=attacking | guarding),
    ]


def _pass(m: Match, speaks: list[Callable[[Any], Expr]], beside: list[Callable[[Any], Expr]]) -> None:
    passes = passing(m, beside)
    a = m.game.action("pass", by=m.word, en="pass", ja="パスする", tags=["pass"])
    a.clause("BCARD.6", in_window(m))
    a.effect(passes)

    def something(p: Any) -> Expr:
        bonus = any_of(m.cards.numbers("PLUS"), lambda k: (m.hand[p, k] > 0) & _usable_bonus(m, k) & _not_yet(m, p, k))
        foe = other(m, p)
        target = any_of(SOURCE.size, lambda s: killable(m, foe, s)) & (foe != p) & m.reading("A29", "USABLE")
        kill = any_of(m.cards.numbers("KILL"), lambda k: (m.hand[p, k] > 0) & _not_yet(m, p, k)) & target
        return m.alive[p] & either(bonus, kill, *(reason(p) for reason in speaks))

    m.game.trigger("BCARD.6", in_window(m) & ~something(m.word), passes)
