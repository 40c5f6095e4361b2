"""Attacks that are announced in advance, and attacks that strike at the same time (BATTLE.5, GUARD.3; A53, A54).

By default the active player attacks card by card and sees every result. Under ATTACKER_FIXED
and DEFENDER all attacks are announced first; then they come in that order, or as the
defender takes them on. Under SIMULT_WASTE and SIMULT_REGUARD (and A54 NONE) every attack gets
its guard first, and all strike afterwards.
"""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Cells, Effect, Expr, all_of, any_of, both, each, gain, ite, lift, put
from monjudge.model.monjan.match import SOURCE, STEP, Match, possible
from monjudge.model.monjan.windows import opened

__all__ = ["add_volley", "announced", "announces", "at_once", "attacks_end", "forgets"]


def announced(m: Match) -> Expr:
    """Whether all attacks are announced before the first one is guarded."""
    return m.reading("A54", "ATTACKER_FIXED", "DEFENDER")


def at_once(m: Match) -> Expr:
    """Whether an attack that has its guard waits for the others before it strikes."""
    return m.reading("A53", "SIMULT_WASTE", "SIMULT_REGUARD") | m.reading("A54", "NONE")


def announces(m: Match, source: Any, power: Any, target: Any) -> list[Effect]:
    """Effects: this attack comes after those that were announced before."""
    if not possible(announced(m)):
        return []
    when = announced(m)
    return [
        put(m.called[source], m.calls + 1, when=when),
        put(m.called_power[source], power, when=when),
        put(m.called_at[source], target, when=when),
        gain(m.calls, 1, when=when),
    ]


def attacks_end(m: Match) -> list[Effect]:
    """Effects: no more attacks are declared; what was announced or waits comes now."""
    effects = [put(m.step, _then(m))]
    if possible(announced(m)):
        effects.append(put(m.facing, announced(m) & (m.calls > 0)))
    if possible(at_once(m)):
        effects.append(put(m.striking, at_once(m) & _some(m.held)))
    return effects


def _then(m: Match) -> Expr:
    """The step in which the next attack comes: one that was announced, else one that waits, else none."""
    step: Expr = lift(STEP["STEP_OVER"])
    if possible(at_once(m)):
        step = ite(at_once(m) & _some(m.held), STEP["STRIKE"], step)
    if possible(announced(m)):
        step = ite(announced(m) & ~m.facing & (m.calls > 0), STEP["CALL"], step)
    return step


def _some(order: Cells) -> Expr:
    return any_of(SOURCE.size, lambda s: order[s] > 0)


def _first(order: Cells, source: Any) -> Expr:
    """Whether this is the earliest of the attacks that are still to come."""
    return (order[source] > 0) & all_of(SOURCE.size, lambda s: (order[s] == 0) | (order[s] >= order[source]))


def forgets(m: Match) -> list[Effect]:
    """Effects: an attack step begins without attacks."""
    effects: list[Effect] = []
    if possible(announced(m)):
        effects += [put(m.calls, 0), put(m.facing, False), *each(SOURCE.size, lambda s: [put(m.called[s], 0)])]
    if possible(at_once(m)):
        effects += [put(m.holds, 0), put(m.striking, False), *each(SOURCE.size, lambda s: [put(m.held[s], 0)])]
    return effects


def add_volley(m: Match, gone: Any, stands: Any) -> None:
    """``gone(source)``: an attack is off because its card is gone; ``stands(player, place)``: a card can guard."""
    if possible(announced(m)):
        _faced(m, gone)
    if possible(at_once(m)):
        _holds(m)
        _strikes(m, gone, stands)


def _here(m: Match, step: str) -> Expr:
    return both(m.is_phase("BATTLE"), m.is_step(step), m.nothing_pending())


def _faced(m: Match, gone: Any) -> None:
    """A54 ATTACKER_FIXED, DEFENDER: the next of the announced attacks."""

    def comes(source: Any) -> list[Effect]:
        target = m.called_at[source]
        return [
            put(m.called[source], 0), put(m.source, source), put(m.power, m.called_power[source]),
            put(m.target, target), *opened(m, "W_DECLARED", target),
        ]  # fmt: skip

    here = _here(m, "CALL")
    m.game.trigger(
        "BATTLE.5:off", lambda s: here & (m.called[s] > 0) & gone(s), lambda s: [put(m.called[s], 0)], over=(SOURCE.size,),
        en="An announced attack is off when its card is gone.", ja="宣言した攻撃は、そのカードがなくなれば行われない。",
    )  # fmt: skip
    m.game.trigger(
        "BATTLE.5:over", here & ~_some(m.called), attacks_end(m),
        en="All announced attacks are done with.", ja="宣言した攻撃がすべて終わる。",
    )  # fmt: skip
    m.game.trigger(
        "BATTLE.5:next",
        lambda s: here & m.reading("A54", "ATTACKER_FIXED") & _first(m.called, s) & ~gone(s),
        comes, over=(SOURCE.size,),
        en="The attacks come in the order in which they were announced.", ja="攻撃は宣言した順に行われる。",
    )  # fmt: skip
    if possible(m.reading("A54", "DEFENDER")):
        a = m.game.action("take_on", by=m.target, en="take on the attack of", ja="次に受ける攻撃を選ぶ", tags=["guard"])
        source = a.param("source", SOURCE)
        a.clause("GUARD.3", here & m.reading("A54", "DEFENDER"))
        a.clause("BATTLE.5", m.called[source] > 0)
        a.effect(comes(source))


def _holds(m: Match) -> None:
    """A53: an attack that has its guard waits."""
    m.game.trigger(
        "GUARD.3:waits",
        _here(m, "HIT") & at_once(m) & ~m.striking,
        [
            put(m.held[m.source], m.holds + 1), put(m.held_power[m.source], m.power), put(m.held_at[m.source], m.target),
            put(m.held_guard[m.source], m.guard), gain(m.holds, 1), put(m.source, -1), put(m.guard, -1), *opened(m, "W_BEFORE"),
        ],
        en="All attacks get their guards before the first one strikes.", ja="すべての攻撃のガードを決めてから打撃を行う。",
    )  # fmt: skip


def _strikes(m: Match, gone: Any, stands: Any) -> None:
    """A53: the attacks that wait strike one after the other; a guard that is no more takes them (WASTE) or not."""

    def comes(source: Any) -> list[Effect]:
        target, guard = m.held_at[source], m.held_guard[source]
        there = stands(target, guard)
        again = ~there & m.reading("A53", "SIMULT_REGUARD")
        return [
            put(m.held[source], 0), put(m.source, source), put(m.power, m.held_power[source]), put(m.target, target),
            put(m.guard, ite(there, guard, -1)), *opened(m, "W_DAMAGE", target),
            put(m.step, ite(there, STEP["HIT"], ite(again, STEP["GUARD"], STEP["W_DAMAGE"]))),
        ]  # fmt: skip

    here = _here(m, "STRIKE")
    m.game.trigger(
        "GUARD.3:off", lambda s: here & (m.held[s] > 0) & (gone(s) | ~m.alive[m.held_at[s]]),
        lambda s: [put(m.held[s], 0)], over=(SOURCE.size,),
        en="An attack that waits is off when its card or its target is gone.", ja="待っている攻撃は、カードか相手がいなくなれば行われない。",
    )  # fmt: skip
    m.game.trigger(
        "GUARD.3:over", here & ~_some(m.held), [put(m.step, STEP["STEP_OVER"])],
        en="All attacks have struck.", ja="すべての攻撃が終わる。",
    )  # fmt: skip
    m.game.trigger(
        "GUARD.3:strikes", lambda s: here & _first(m.held, s) & ~gone(s), comes, over=(SOURCE.size,),
        en="The attacks strike at the same time.", ja="攻撃は同時に命中する。",
    )  # fmt: skip
