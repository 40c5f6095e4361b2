"""The battle turn (BATTLE.*, GUARD.*, ATK.3): attack by attack, guard by guard.

The steps of one attack: before it, its declaration, after it, the guard, after the guard,
the hit, after the damage (A36 RESCUE_AT_ZERO: and one before a fall). In the windows between
them battle cards are played (see ``windows`` and ``battle_cards``).
"""

from __future__ import annotations

from typing import Any

from monjudge.model.language import (
    Domain,
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
    maximum,
    minimum,
    put,
)
from monjudge.model.monjan.extra import lose_extra
from monjudge.model.monjan.hiding import reveal_source
from monjudge.model.monjan.match import OUTSIDE, PHASE, SOURCE, STEP, Match, possible
from monjudge.model.monjan.speed import next_player
from monjudge.model.monjan.toughness import attack_value, lose_attack
from monjudge.model.monjan.volley import add_volley, announced, announces, at_once, attacks_end, forgets
from monjudge.model.monjan.windows import first_word, opened

__all__ = ["GUARD", "NO_CARD", "add_battle", "add_hits", "attack_power", "guard_stands", "heal", "lose_guard", "source_card", "taken_by_flame"]

GUARD = Domain("guard", ("DL", "DC", "DR", "AL", "AC", "AR", "EX", "U0", "U1", "U2", "U3"))
"""What may take an attack: defences, attack row, Extra card, ritual cards."""

NO_CARD = GUARD.size
"""The place of no card at all (A127 NULLIFY_IF_NONE)."""


def add_battle(m: Match) -> None:
    """Attack steps, declarations and guards; ``add_hits`` follows the windows."""
    _begin_step(m)
    _declare(m)
    _stop(m)
    _extra_heals(m)
    _guard(m)
    add_volley(
        m,
        lambda source: (source_card(m, m.active, source) == 0) & m.reading("A41a", "CANCELS"),
        lambda p, place: guard_stands(m, p, place),
    )


# -- attack steps and declarations --------------------------------------------------------------------


def _begin_step(m: Match) -> None:
    """SPEED.4-5: the next player in the order begins an attack step; after the last one the turn is cleaned up."""
    over = both(m.is_phase("BATTLE"), m.is_step("STEP_OVER"), m.nothing_pending())
    first = all_of(m.players, lambda q: ~m.stepped[q])
    # A56 ONCE_EACH counts over the whole turn: with several attackers, over all their steps.
    again = first | ~m.reading("A56", "ONCE_EACH")
    effects: list[Any] = [each(GUARD.size, lambda g, p=p: put(m.guarded[p, g], False, when=again)) for p in range(m.players)]  # type: ignore[misc]
    nobody = lift(True)
    for p in range(m.players):
        next_one = next_player(m, p)
        nobody = nobody & ~next_one
        rival = lift(1 - p) if m.players == 2 else lift(-1)
        effects += [
            put(m.active, p, when=next_one),
            put(m.word, first_word(m, p, rival), when=next_one),
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
        *([put(m.waiting, 0)] if possible(m.reading("A34", "STACK")) else []),
        *forgets(m),
    ]
    m.game.trigger("SPEED.5", over, effects)


def _flame_goes_out(m: Match, when: Any = True) -> list[Effect]:
    """Effects: the card that took all attacks of the step is gone (GUARD.6), if nothing destroyed it before."""
    late = m.reading("A56", "ATTACK_SAME_INSTANT") & (m.flame <= 6)
    owner = ite(m.reading("A127", "OPPONENTS_CARD"), m.active, m.target)
    stands = lift(when) & (m.flame > 0) & guard_stands(m, owner, m.flame - 1) & ~late
    return lose_guard(m, owner, m.flame - 1, when=stands)


def taken_by_flame(m: Match, place: Any) -> Expr:
    """Whether this own guard takes every attack of the step (BOARD.FLEHEIM.R2), and goes only at its end."""
    return eq(m.flame, place + 1) & ~m.reading("A127", "OPPONENTS_CARD")


def _nobody_guards(m: Match) -> Expr:
    """A127: a card of the attacker takes every attack, or nothing at all does (``NO_CARD``)."""
    theirs = m.reading("A127", "OPPONENTS_CARD") & (m.flame > 0) & guard_stands(m, m.active, m.flame - 1)
    return theirs | (m.reading("A127", "NULLIFY_IF_NONE") & (m.flame == NO_CARD + 1))


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
    power, now = attack_power(m, me, source), ~announced(m)
    a.effect(
        put(m.source, source, when=now), put(m.power, power, when=now), put(m.target, target),
        put(m.attacked[source], True), reveal_source(m, me, source), opened(m, "W_DECLARED", target, now),
        announces(m, source, power, target),
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
    a.effect(attacks_end(m))


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
    a.effect(heal(m, me, column, m.value(m.extra[me]), by_extra=True), put(m.attacked[3], True), opened(m, "W_BEFORE"))


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
    absorbs = (m.flame > 0) & guard_stands(m, me, m.flame - 1) & ~m.reading("A127", "OPPONENTS_CARD")
    a.clause("BOARD.FLEHEIM.R2", ~absorbs | (place == m.flame - 1))
    a.effect(put(m.guard, place), put(m.guarded[me, place], True), opened(m, "W_GUARDED"))
    if possible(_nobody_guards(m)):
        waits = both(m.is_phase("BATTLE"), m.is_step("GUARD"), m.nothing_pending())
        m.game.trigger(
            "BOARD.FLEHEIM.R:taken", waits & _nobody_guards(m), [put(m.guard, -1), *opened(m, "W_DAMAGE")],
            en="The attack is taken by the Flame of anger.", ja="攻撃は怒りの炎に受けとめられる。",
        )  # fmt: skip
    if possible(m.reading("A75", "END_OF_BATTLE") | m.reading("A46", "SIMULTANEOUS")):
        # Where the match goes on after the middle has fallen; any other attack without a guard is a hole of the rules.
        felled = both(m.is_phase("BATTLE"), m.is_step("GUARD"), m.defence[m.target, 1] > 0, ~m.living(m.target, 1))
        alone = ~any_of(GUARD.size, lambda g: guard_stands(m, m.target, g))
        m.game.trigger(
            "GUARD.4:none", felled & m.nothing_pending() & alone, [put(m.guard, -1), *opened(m, "W_DAMAGE")],
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


def add_hits(m: Match) -> None:
    """ATK.3: the guard takes the attack; more than it can take is lost, or goes on (A55).

    Added after the windows, so that a fall, which may give a skill something to do, comes before the next one.
    """
    at, place = m.target, m.guard
    hit = both(m.is_phase("BATTLE"), m.is_step("HIT"), ~at_once(m) | m.striking)
    instant = m.reading("A56", "ATTACK_SAME_INSTANT") & (place >= 3) & (place < 6)
    zero = (place < 3) & (m.power >= m.life[at, place])
    m.game.trigger(
        "ATK.3",
        hit,
        [
            put(m.life[at, place], maximum(0, m.life[at, place] - m.power), when=place < 3),
            lose_guard(m, at, place, when=~instant & ~taken_by_flame(m, place)),
            put(m.last_fall, 0),
            *_remembered(m, at, place),
            opened(m, "W_DAMAGE"),
            put(m.step, STEP["W_RESCUE"], when=zero & m.reading("A36", "RESCUE_AT_ZERO")),
            *_spill(m, at, place, when=zero & (m.power > m.life[at, place])),
        ],
    )


def _remembered(m: Match, at: Any, place: Any) -> list[Effect]:
    """Effects: what the Dragon trap may look back on (A135)."""
    effects = []
    if possible(m.reading("A135", "LIFE_LOST_ONE_ATTACK")):
        effects.append(put(m.lost, ite(place < 3, minimum(m.power, m.life[at, place]), 0)))
    if possible(m.reading("A135", "TOTAL_THIS_TURN")):
        effects.append(gain(m.taken[at], m.power, when=place < 3))
    return effects


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
