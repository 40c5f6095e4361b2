"""The battle turn (BATTLE.*, GUARD.*, BCARD.*, ATK.3): attack by attack, guard by guard, battle cards in five windows.

The steps of one attack: before it, its declaration, after it, the guard, after the guard,
the hit, after the damage (A36 RESCUE_AT_ZERO: and one before a fall). In each window the active player has the first word, then the
words alternate; a card takes effect at once; two passes close the window (A34 ALTERNATE).
A player who has nothing to play passes without being asked.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from monjudge.model.language import (
    FALSE,
    ActionBuilder,
    Domain,
    Effect,
    Expr,
    Table,
    all_of,
    any_of,
    both,
    each,
    either,
    eq,
    gain,
    ite,
    lift,
    lookup,
    maximum,
    member,
    minimum,
    put,
)
from monjudge.model.monjan.extra import lose_extra
from monjudge.model.monjan.hiding import reveal_source
from monjudge.model.monjan.match import OUTSIDE, PHASE, SOURCE, STEP, Match, possible
from monjudge.model.monjan.piles import put_away_bosses
from monjudge.model.monjan.speed import next_player
from monjudge.model.monjan.toughness import attack_value, lose_attack

__all__ = [
    "GUARD",
    "LISTED_BONUS",
    "add_battle",
    "after_destruction",
    "attack_power",
    "engaged",
    "guard_stands",
    "heal",
    "in_window",
    "killable",
    "lose_guard",
]

GUARD = Domain("guard", ("DL", "DC", "DR", "AL", "AC", "AR", "EX", "U0", "U1", "U2", "U3"))
"""What may take an attack: defences, attack row, Extra card, ritual cards."""

LISTED_BONUS = (3, 6, 7, 8)
"""BCARD.8: the formulas with a use in battle."""

WINDOWS = ("W_START", "W_BEFORE", "W_DECLARED", "W_GUARDED", "W_RESCUE", "W_DAMAGE")
_AFTER = {
    "W_START": "W_BEFORE",
    "W_BEFORE": "DECLARE",
    "W_DECLARED": "GUARD",
    "W_GUARDED": "HIT",
    "W_RESCUE": "W_DAMAGE",
    "W_DAMAGE": "W_BEFORE",
}


def in_window(m: Match, *names: str) -> Expr:
    """Whether a window is open (or one of the named ones) and nothing is pending."""
    return m.is_phase("BATTLE") & m.is_step(*(names or WINDOWS)) & m.nothing_pending()


def other(m: Match, p: Any) -> Expr:
    """The player on the other side of this attack step; the same one while no target is named."""
    return ite(p == m.active, ite(m.target >= 0, m.target, m.active), m.active)


def engaged(m: Match, p: Any) -> Expr:
    """Whether the player is on one of the two sides of this attack step."""
    return lift(m.players == 2) | eq(p, m.active) | eq(p, m.target)


def add_battle(
    m: Match, speaks: list[Callable[[Any], Expr]], beside: list[Callable[[Any], Expr]], falling: Expr
) -> None:
    """All of the battle turn. ``speaks`` are further reasons for a player to be asked in a window.

    ``beside`` are those that count for a player on neither side, too (BOARD.FLEHEIM.L: anybody's defence);
    ``falling`` says whether a defence falls at this moment.
    """
    _begin_step(m)
    _declare(m)
    _stop(m)
    _extra_heals(m)
    _guard(m)
    _hit(m)
    _bonus(m)
    _heal(m)
    _kill(m)
    _pass(m, speaks, beside, falling)


# -- attack steps and declarations --------------------------------------------------------------------


def _begin_step(m: Match) -> None:
    """SPEED.4-5: the next player in the order begins an attack step; after the last one the turn is cleaned up."""
    over = both(m.is_phase("BATTLE"), m.is_step("STEP_OVER"), m.nothing_pending())
    first = all_of(m.players, lambda q: ~m.stepped[q])
    # A56 ONCE_EACH counts over the whole turn: with several attackers, over all their steps.
    again = first | ~m.reading("A56", "ONCE_EACH")
    effects: list[Any] = [put(m.guarded[p, g], False, when=again) for p in range(m.players) for g in range(GUARD.size)]
    nobody = lift(True)
    for p in range(m.players):
        next_one = next_player(m, p)
        nobody = nobody & ~next_one
        rival = lift(1 - p) if m.players == 2 else lift(-1)
        effects += [
            put(m.active, p, when=next_one),
            put(m.word, p, when=next_one),
            put(m.target, rival, when=next_one),
            put(m.stepped[p], True, when=next_one),
        ]
    effects += [
        put(m.step, ite(first, STEP["W_START"], STEP["W_BEFORE"]), when=~nobody),
        put(m.passed, False),
        put(m.source, -1),
        put(m.guard, -1),
        put(m.power, 0),
        put(m.flame, 0),
        each(SOURCE.size, lambda s: put(m.attacked[s], False)),
        put(m.phase, PHASE["CLEANUP"], when=nobody),
        *_late_guards(m),
        *_flame_goes_out(m),
    ]
    m.game.trigger("SPEED.5", over, effects)


def _flame_goes_out(m: Match, when: Any = True) -> list[Effect]:
    """Effects: the card that took all attacks of the step is gone (GUARD.6), if nothing destroyed it before."""
    late = m.reading("A56", "ATTACK_SAME_INSTANT") & (m.flame <= 6)
    stands = lift(when) & (m.flame > 0) & guard_stands(m, m.target, m.flame - 1) & ~late
    return lose_guard(m, m.target, m.flame - 1, when=stands)


def _late_guards(m: Match) -> list[Effect]:
    """A56 ATTACK_SAME_INSTANT: attack cards that guarded go only now."""
    instant = m.reading("A56", "ATTACK_SAME_INSTANT")

    def goes(p: int, c: int) -> Expr:
        return instant & m.guarded[p, 3 + c] & (m.attack[p, c] > 0)

    return [e for p in range(m.players) for c in range(3) for e in lose_attack(m, p, c, when=goes(p, c))]


def source_card(m: Match, p: Any, source: Any) -> Expr:
    """The card that stands at a source; 0 for none."""
    row = m.attack[p, source]
    return ite(
        source < 3,
        row,
        ite(
            source == 3,
            m.extra[p],
            ite(source < 4 + OUTSIDE, m.outside[p, source - 4], m.above[p, source - 4 - OUTSIDE]),
        ),
    )


def attack_power(m: Match, p: Any, source: Any) -> Expr:
    """The attack of the card at a source (CARD.5, EXTRA.8, BOSS.3; a ritual card has 1)."""
    ritual = source >= 4 + OUTSIDE
    return ite(source < 3, attack_value(m, p, source), ite(ritual, 1, m.value(source_card(m, p, source))))


def _to(m: Match, step: str) -> list[Effect]:
    """Effects: the step begins, with the first word for the active player."""
    return [put(m.step, STEP[step]), put(m.word, m.active), put(m.passed, False)]


def _declare(m: Match) -> None:
    a = m.game.action("strike", by=m.active, en="attack with", ja="攻撃する", tags=["attack"])
    source, me = a.param("source", SOURCE), m.me
    a.clause("BATTLE.1", _declaring(m))
    target: Expr = m.target
    if m.players > 2:
        target = a.param("target", range(m.players))
        a.clause("BATTLE.5", (target != me) & m.alive[target])
        a.clause("GUARD.3", (m.target == -1) | (m.target == target) | m.reading("A52", "PER_CARD"))
    a.clause("BATTLE.4", source_card(m, me, source) > 0)
    a.clause("OVER.6", ~m.attacked[source])
    a.effect(
        put(m.source, source), put(m.power, attack_power(m, me, source)), put(m.target, target),
        put(m.attacked[source], True), reveal_source(m, me, source), _to(m, "W_DECLARED"),
    )  # fmt: skip
    turns = (m.target >= 0) & (m.target != target)
    if m.players > 2 and possible(m.reading("A52", "PER_CARD")):
        a.effect(_flame_goes_out(m, turns), put(m.flame, 0, when=turns))


def _declaring(m: Match) -> Expr:
    return m.is_phase("BATTLE") & m.is_step("DECLARE") & m.nothing_pending()


def _stop(m: Match) -> None:
    a = m.game.action("stop", by=m.active, en="attack no more", ja="攻撃を終える", tags=["end"])
    a.clause("BATTLE.1", _declaring(m))
    if possible(m.reading("A14", "MANDATORY_ATTACK")):
        ready = any_of(SOURCE.size, lambda s: (source_card(m, m.me, s) > 0) & ~m.attacked[s])
        a.clause("FLOW.7", ~m.reading("A14", "MANDATORY_ATTACK") | ~ready)
    a.effect(put(m.step, STEP["STEP_OVER"]))


def heal(m: Match, p: Any, c: Any, amount: Any, *, by_extra: bool = False) -> Effect:
    """The effect of recovering a defence (EXTRA.9, BOSS.16: never above 16; A37: only the Extra card above the number)."""
    life = m.life[p, c]
    healed = minimum(16, life + amount)
    if by_extra:
        return put(life, healed)
    printed = ite(m.defence[p, c] > 0, m.value(m.defence[p, c]) + m.value(m.beneath_defence(p, c)), 16)
    return put(life, ite(m.reading("A37", "PRINTED_EXCEPT_E"), maximum(life, minimum(printed, healed)), healed))


def _extra_heals(m: Match) -> None:
    """EXTRA.8-9: in its owner's attack step the Extra card may recover a defence in place of attacking."""
    if not m.cards.numbers("EXTRA"):
        return
    a = m.game.action(
        "extra_heal", by=m.active, en="recover with the Extra card", ja="エキストラカードで回復する", tags=["heal"]
    )
    column, me = a.param("column", range(3)), m.me
    a.clause("BATTLE.1", _declaring(m))
    a.clause("EXTRA.4", (m.extra[me] > 0) & ~m.attacked[3])
    a.clause("EXTRA.8", m.living(me, column))
    a.effect(heal(m, me, column, m.value(m.extra[me]), by_extra=True), put(m.attacked[3], True), _to(m, "W_BEFORE"))


# -- guard and hit -------------------------------------------------------------------------------------


def guard_stands(m: Match, p: Any, place: Any) -> Expr:
    """Whether the card at the place may guard (GUARD.2-7, EXTRA.27, TOUGH.9; A92)."""
    column = place - 3
    row = (m.attack[p, column] > 0) & (~m.permanent_boss(p, column) | m.reading("A92", "TWO_HALVES", "WHOLE_CARD"))
    return either(
        (place < 3) & m.living(p, place),
        (place >= 3) & (place < 6) & row,
        (place == 6) & (m.extra[p] > 0),
        (place >= 7) & (m.above[p, place - 7] > 0),
    )


def _guard(m: Match) -> None:
    a = m.game.action("guard", by=m.target, en="guard with", ja="ガードする", tags=["guard"])
    place, me = a.param("by", GUARD), m.me
    a.clause("GUARD.3", m.is_phase("BATTLE") & m.is_step("GUARD") & m.nothing_pending())
    a.clause("GUARD.4", guard_stands(m, me, place))
    a.clause("EXTRA.27b", ~m.reading("A56", "ONCE_EACH") | ~m.guarded[me, place])
    absorbs = (m.flame > 0) & guard_stands(m, me, m.flame - 1)
    a.clause("BOARD.FLEHEIM.R2", ~absorbs | (place == m.flame - 1))
    a.effect(put(m.guard, place), put(m.guarded[me, place], True), _to(m, "W_GUARDED"))
    if possible(m.reading("A75", "END_OF_BATTLE") | m.reading("A46", "SIMULTANEOUS")):
        # Where the match goes on after the middle has fallen; any other attack without a guard is a hole of the rules.
        felled = both(m.is_phase("BATTLE"), m.is_step("GUARD"), m.defence[m.target, 1] > 0, ~m.living(m.target, 1))
        alone = ~any_of(GUARD.size, lambda g: guard_stands(m, m.target, g))
        m.game.trigger(
            "GUARD.4:none", felled & m.nothing_pending() & alone, [put(m.guard, -1), *_to(m, "W_DAMAGE")],
            en="An attack on a player without any guard is lost.", ja="ガードできるカードのない相手への攻撃は無駄になる。",
        )  # fmt: skip


def lose_guard(m: Match, p: Any, place: Any, when: Any = True) -> list[Effect]:
    """Effects: a guard that is no defence is gone after one attack (GUARD.6, EXTRA.27b, TOUGH.9)."""
    column, slot = place - 3, place - 7
    row = lift(when) & (place >= 3) & (place < 6)
    boss = m.permanent_boss(p, column)
    half = m.reading("A92", "TWO_HALVES") & boss
    ritual = lift(when) & (place >= 7)
    return [
        *lose_attack(m, p, column, when=row & ~half),
        put(m.attack[p, column], 0, when=row & half),
        *lose_extra(m, p, when=lift(when) & (place == 6) & (m.extra[p] > 0)),
        gain(m.discard[p, m.above[p, slot]], 1, when=ritual),
        put(m.above[p, slot], 0, when=ritual),
    ]


def _hit(m: Match) -> None:
    """ATK.3: the guard takes the attack; more than it can take is lost, or goes on (A55)."""
    at, place = m.target, m.guard
    hit = both(m.is_phase("BATTLE"), m.is_step("HIT"))
    instant = m.reading("A56", "ATTACK_SAME_INSTANT") & (place >= 3) & (place < 6)
    zero = (place < 3) & (m.power >= m.life[at, place])
    m.game.trigger(
        "ATK.3",
        hit,
        [
            put(m.life[at, place], maximum(0, m.life[at, place] - m.power), when=place < 3),
            lose_guard(m, at, place, when=~instant & (m.flame != place + 1)),
            put(m.last_fall, 0),
            _to(m, "W_DAMAGE"),
            put(m.step, STEP["W_RESCUE"], when=zero & m.reading("A36", "RESCUE_AT_ZERO")),
            *_spill(m, at, place, when=zero & (m.power > m.life[at, place])),
        ],
    )


def _spill(m: Match, at: Any, place: Any, when: Expr) -> list[Effect]:
    """Effects: where the rest of the damage goes (A55): to another guard, the middle, or the attack card in front."""
    rest = maximum(0, m.power - m.life[at, place])
    again = when & m.reading("A55", "REGUARD_REST") & (place != 1)
    middle = when & m.reading("A55", "TO_MIDDLE") & (place != 1)
    in_front = when & m.reading("A55", "TO_SAME_COLUMN_ATTACK") & (m.attack[at, place] > 0) & ~m.permanent_boss(at, place)
    effects = [
        put(m.step, STEP["GUARD"], when=again),
        put(m.power, rest, when=again),
        put(m.guard, -1, when=again),
        put(m.life[at, 1], maximum(0, m.life[at, 1] - rest), when=middle),
        *lose_attack(m, at, place, when=in_front),
    ]
    return [e for e in effects if possible(e.when)]


# -- battle cards ----------------------------------------------------------------------------------------


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
    a.effect(_play(m, card), put(m.power, m.power + m.value(card)), _answer(m))


def _play(m: Match, card: Any) -> list[Effect]:
    return [gain(m.hand[m.me, card], -1), gain(m.discard[m.me, card], 1)]


def _answer(m: Match) -> list[Effect]:
    """Effects: the word goes to the other side."""
    return [put(m.word, other(m, m.me)), put(m.passed, False)]


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
    a.effect(_play(m, card), dataclasses.replace(recovery, when=~reduces), _answer(m))
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
        _answer(m),
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


# -- windows -----------------------------------------------------------------------------------------------


def _pass(
    m: Match, speaks: list[Callable[[Any], Expr]], beside: list[Callable[[Any], Expr]], falling: Expr
) -> None:
    passing = _passing(m, beside)
    a = m.game.action("pass", by=m.word, en="pass", ja="パスする", tags=["pass"])
    a.clause("BCARD.6", in_window(m))
    a.effect(passing)

    def something(p: Any) -> Expr:
        bonus = any_of(m.cards.numbers("PLUS"), lambda k: (m.hand[p, k] > 0) & _usable_bonus(m, k))
        foe = other(m, p)
        target = any_of(SOURCE.size, lambda s: killable(m, foe, s)) & (foe != p) & m.reading("A29", "USABLE")
        kill = any_of(m.cards.numbers("KILL"), lambda k: m.hand[p, k] > 0) & target
        return m.alive[p] & either(bonus, kill, *(reason(p) for reason in speaks))

    # A fall comes first: it may give a skill something to do in the window.
    m.game.trigger("BCARD.6", in_window(m) & ~falling & ~something(m.word), passing)


def _passing(m: Match, beside: list[Callable[[Any], Expr]]) -> list[Effect]:
    """Effects of a pass: the word goes to the other side, or the window closes."""
    following = Table.of("step_after", (STEP.size,), [STEP[_AFTER[s]] if s in _AFTER else STEP[s] for s in STEP.labels])
    asked = _bystander(m, beside)
    waits = asked >= 0
    closes = m.passed & ~waits
    lost = (m.target >= 0) & ~m.alive[m.target] if m.players > 2 else FALSE
    goes_on = m.reading("A52", "PER_CARD")
    return [
        put(m.step, ite(lost & ~goes_on, STEP["STEP_OVER"], lookup(following, m.step)), when=closes),
        put(m.target, -1, when=closes & lost),
        put(m.word, ite(m.passed, ite(waits, asked, m.active), other(m, m.word))),
        put(m.passed, ~closes),
    ]


def _bystander(m: Match, beside: list[Callable[[Any], Expr]]) -> Expr:
    """Who on neither side is asked next when both sides have passed; -1 for nobody."""
    asked: Expr = lift(-1)
    if m.players > 2:
        for p in reversed(range(m.players)):
            next_one = engaged(m, m.word) | (m.word < p)
            asked = ite(m.alive[p] & ~engaged(m, p) & next_one & either(*(reason(p) for reason in beside)), p, asked)
    return asked
