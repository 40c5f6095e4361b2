"""When a defence becomes zero (FALL.*, WIN.*, SUPPLY.*): Elements, draws, skills unlocked, the middle and the end."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import (
    Effect,
    Expr,
    any_of,
    as_int,
    both,
    count_of,
    each,
    eq,
    gain,
    ite,
    lift,
    maximum,
    put,
    sum_of,
    tabulate,
)
from monjudge.model.monjan.elimination import leaves
from monjudge.model.monjan.match import MODE, PENDING, STEP, Match, possible
from monjudge.model.monjan.modes import MODES
from monjudge.model.monjan.speed import level

__all__ = ["add_falls", "any_gone", "beaten", "supply"]


def add_falls(m: Match) -> None:
    """A side column falls, the middle falls, spent mana is discarded: all by themselves."""
    _side(m)
    _middle(m)
    _discard(m)


def supply(m: Match) -> tuple[Expr, Expr]:
    """How many normal and ET cards one fall gives (FALL.4, MODE.4b, MODE.5b, MODE.6b; A73, A145)."""
    normal = tabulate(lambda n: MODES[MODE.labels[n]].normal, m.mode)
    et = tabulate(lambda n: MODES[MODE.labels[n]].et, m.mode)
    both_draws = m.reading("A73", "BOTH") & (et > 0)
    return normal + ite(both_draws, 3, 0), et


def _falls(m: Match, p: Any, side: Any) -> Expr:
    """Whether the left (0) or right (1) defence of the player falls now (FALL.1; A69)."""
    c = 2 * lift(side)
    return beaten(m, p, c) & (m.reading("A69", "IMMEDIATE") | _later(m, p, c)) & ~_may_be_rescued(m)


def _may_be_rescued(m: Match) -> Expr:
    """A36 RESCUE_AT_ZERO: a battle card may still bring a defence back from zero."""
    return m.reading("A36", "RESCUE_AT_ZERO") & m.is_phase("BATTLE") & m.is_step("W_RESCUE")


def _side(m: Match) -> None:
    m.game.trigger(
        "FALL.1",
        lambda p, side: _falls(m, p, side),
        lambda p, side: _gather(m, p, 2 * side),
        over=(m.players, 2),
    )


def beaten(m: Match, p: Any, c: Any) -> Expr:
    """Whether the defence of a side column has no life left and has not fallen yet."""
    return both(m.defence[p, c] > 0, m.life[p, c] == 0, ~m.fallen[p, c])


def _later(m: Match, p: Any, c: Any) -> Expr:
    """A69: at the end of the battle turn before the clean-up, or after it, when the next edit turn begins."""
    cleaned = m.is_step("NONE") & ~any_gone(m, p, c)
    return m.is_phase("CLEANUP") & (m.reading("A69", "END_OF_BATTLE") | (m.reading("A69", "NEXT_EDIT") & cleaned))


def _gather(m: Match, p: Any, c: Any) -> list[Effect]:
    """FALL.1: the cards of the column are turned face down, gathered, and are Elements from then on."""
    card, height = m.defence[p, c], m.height[p, c]
    boss = m.permanent_boss(p, c)
    with_defence = m.reading("A67", "DEF_AND_MANA", "SINGLE")
    single = m.reading("A67", "SINGLE")
    takes_attack = m.reading("A68", "GATHERED") & (m.attack[p, c] > 0) & ~boss
    beneath = m.beneath_defence(p, c)
    shift = as_int(with_defence) + as_int(with_defence & (beneath > 0))
    total = ite(single, 1, height + shift + as_int(takes_attack))

    def slot(s: Expr) -> list[Effect]:
        old = m.mana[p, c, s - shift]
        lies = (s >= shift) & (s < height + shift) & ~single
        from_row = ite(takes_attack & ~single & (s == height + shift), m.attack[p, c], 0)
        kind = ite(with_defence & (s == 0), card, ite(lies, old, ite((s < shift) & ~single, beneath, from_row)))
        return [
            put(m.mana[p, c, s], kind),
            put(m.spent[p, c, s], ite(lies, _spent_after(m, p, c, s - shift), 0)),
            put(m.down[p, c, s], s < total),
        ]

    normal, et = supply(m)
    at_once = m.reading("A72", "IMMEDIATE") & ~m.supplied[p, c]
    gone = m.reading("A68", "DISCARDED") & (m.attack[p, c] > 0)
    thrown = (gone & ~boss) | (takes_attack & single)
    return [
        *each(m.slots, slot),
        put(m.height[p, c], total),
        put(m.elements[p, c], total),
        put(m.fallen[p, c], True),
        put(m.fell[p, c], True, when=~at_once),
        put(m.supplied[p, c], True, when=at_once),
        put(m.defence[p, c], 0),
        put(m.attack[p, c], 0, when=boss | gone | takes_attack),
        gain(m.discard[p, card], 1, when=m.reading("A67", "MANA_ONLY")),
        gain(m.discard[p, m.attack[p, c]], 1, when=thrown),
        *_cards_beneath(m, p, c, gone | takes_attack, ~with_defence | single),
        *each(m.slots, lambda s: gain(m.discard[p, m.mana[p, c, s]], 1, when=single & m.in_stack(p, c, s))),
        put(m.last_fall, 3 * p + c + 1),
        put(m.last_card, card),
        gain(m.due[p], normal, when=at_once),
        gain(m.due_et[p], et, when=at_once),
        put(m.pending, PENDING["DRAW"], when=at_once),
        put(m.pending_player, p, when=at_once),
    ]


def _cards_beneath(m: Match, p: Any, c: Any, attack: Expr, defence: Expr) -> list[Effect]:
    """Effects: cards beneath the attack or defence card (A07, A120) go where no Elements are made of them."""
    if not possible(m.reading("A07", "STACK") | m.reading("A120", "MAY_STACK")):
        return []
    under, beneath = m.under[p, c], m.beneath_defence(p, c)
    effects = [gain(m.discard[p, under], 1, when=attack & (under > 0)), put(under, 0, when=attack)]
    if possible(m.reading("A07", "STACK")):
        effects += [gain(m.discard[p, beneath], 1, when=defence & (beneath > 0)), put(beneath, 0)]
    return effects


def _spent_after(m: Match, p: Any, c: Any, s: Expr) -> Expr:
    """What becomes of a debt whose column falls (A105)."""
    mark = m.spent[p, c, s]
    debts = count_of(m.slots, lambda t: m.spent[p, c, t] > 0)
    from_top = m.in_stack(p, c, s) & (s >= m.height[p, c] - debts)
    return ite(
        m.reading("A105", "VOID"), 0,
        ite(m.reading("A105", "SAME_NUMBER"), as_int(from_top), ite(m.reading("A105", "BEFORE_FALL") & (mark > 0), 2, mark)),
    )  # fmt: skip


def _middle(m: Match) -> None:
    """WIN.1-3, DEF.5: who loses the middle is out, at once or when the battle turn ends (A75)."""
    at_end = m.reading("A75", "END_OF_BATTLE") & m.is_phase("BATTLE")

    def out(p: Expr) -> Expr:
        return both(m.alive[p], m.defence[p, 1] > 0, m.life[p, 1] == 0, ~at_end, ~_strikes_yet(m, p), ~_may_be_rescued(m))

    def effects(p: Expr) -> list[Effect]:
        ends_step = (m.active == p) | (m.target == p)
        return [
            *leaves(m, p),
            put(m.fallen[p, 1], True),
            put(m.last_fall, 3 * p + 2),
            put(m.last_card, m.defence[p, 1]),
            put(m.step, STEP["STEP_OVER"], when=m.is_phase("BATTLE") & ends_step),
            *(_others_go_on(m, p) if m.players > 2 else []),
        ]

    m.game.trigger("WIN.2", out, effects, over=(m.players,))


def _others_go_on(m: Match, p: Any) -> list[Effect]:
    """With three or four players: the attack is done with, and there is a word after it while its attacker lives."""
    hit = m.is_phase("BATTLE") & eq(m.target, p)
    return [
        put(m.step, STEP["W_DAMAGE"], when=hit),
        put(m.source, -1, when=hit),
        put(m.guard, -1, when=hit),
        put(m.word, m.active, when=hit),
        put(m.passed, False, when=hit),
    ]


def _strikes_yet(m: Match, p: Any) -> Expr:
    """A46 SIMULTANEOUS: who is level with another player still has the own attack step."""
    waits = ~m.stepped[p] | (eq(m.active, p) & ~m.is_step("STEP_OVER"))
    levelled = any_of(m.players, lambda q: level(m, p, q))
    return m.reading("A46", "SIMULTANEOUS") & m.is_phase("BATTLE") & waits & levelled


def _discard(m: Match) -> None:
    """RELEASE.8, BOSS.9: the cards marked to go leave the stack; what lies above sinks down."""

    def goes(p: Expr, c: Expr) -> Expr:
        return any_gone(m, p, c) & ~m.owes(p)

    def effects(p: Expr, c: Expr) -> list[Effect]:

        def stays(s: Any) -> Expr:
            return m.in_stack(p, c, s) & (m.spent[p, c, s] != 2)

        def below(s: Any) -> Expr:
            return sum_of(m.slots, lambda t: as_int((t < s) & stays(t)))

        # The condition says that there is one: a change for sure.
        gone = maximum(1, count_of(m.slots, lambda s: m.in_stack(p, c, s) & (m.spent[p, c, s] == 2)))
        witness = m.witness[p, c]
        kept = (witness > 0) & stays(witness - 1)
        return [
            *each(m.slots, lambda s: [put(m.mana[p, c, s], 0), put(m.spent[p, c, s], 0), put(m.down[p, c, s], False)]),
            *each(m.slots, lambda s: [
                put(m.mana[p, c, below(s)], m.mana[p, c, s], when=stays(s)),
                put(m.spent[p, c, below(s)], m.spent[p, c, s], when=stays(s)),
                put(m.down[p, c, below(s)], m.down[p, c, s], when=stays(s)),
                gain(m.discard[p, m.mana[p, c, s]], 1, when=m.in_stack(p, c, s) & (m.spent[p, c, s] == 2)),
            ]),
            gain(m.height[p, c], -gone),
            put(m.elements[p, c], count_of(m.slots, lambda s: stays(s) & m.is_elements(p, c, s))),
            put(m.witness[p, c], ite(kept, below(witness - 1) + 1, ite(witness > 0, m.slots, 0))),
            put(m.bottom_goes[p, c], False),
        ]  # fmt: skip

    m.game.trigger("RELEASE.8", goes, effects, over=(m.players, 3))


def any_gone(m: Match, p: Any, c: Any) -> Expr:
    """Whether a card of the column is marked to be discarded now."""
    return any_of(m.slots, lambda s: m.spent[p, c, s] == 2)
