"""From turn to turn (TURN.*, FLOW.*, ORDER.*, BOSS.9, RELEASE.8): dealing, the clean-up and the next edit turn."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Expr, add, all_of, any_of, as_int, both, each, ite, lift, minimum, put
from monjudge.model.monjan.edit import clear_counters
from monjudge.model.monjan.falls import any_gone, beaten, supply
from monjudge.model.monjan.match import OUTSIDE, PENDING, PHASE, STEP, Match, possible
from monjudge.model.monjan.piles import put_away_bosses

__all__ = ["add_turns"]

def add_turns(m: Match) -> None:
    """The triggers that deal, clean up after a battle turn and begin the next edit turn."""
    _deal(m)
    _next_turn(m)
    _clean_up(m)


def _deal(m: Match) -> None:
    """The players get what is due to them, one after the other; then the first edit turn begins."""
    waiting = [m.due[p] > 0 for p in range(m.players)]
    someone = any_of(m.players, lambda p: m.due[p] > 0)
    first: Expr = lift(m.players - 1)
    for p in reversed(range(m.players)):
        first = ite(waiting[p], p, first)
    m.game.trigger(
        "SETUP.1",
        m.is_phase("DEAL") & m.nothing_pending(),
        [
            put(m.pending, PENDING["DRAW"], when=someone),
            put(m.pending_player, first, when=someone),
            put(m.phase, PHASE["EDIT"], when=~someone),
            *(put(m.due[p], ite(someone, m.due[p], 1)) for p in range(m.players)),
        ],
    )


def _clean_up(m: Match) -> None:
    """CLEANUP: committed mana is marked to go, but never the bottom Elements (BOSS.9, FALL.2); one-turn cards go."""
    effects: list[Any] = [put(m.step, STEP["NONE"])]
    used: list[tuple[Any, Any, Any]] = []
    for p in range(m.players):
        for c in range(3):
            protected = (m.elements[p, c] > 0) & ~m.bottom_goes[p, c]
            effects.append(put(m.spent[p, c, 0], ite(protected, 0, 2), when=m.spent[p, c, 0] > 0))
            effects.append(each(range(1, m.slots), lambda s, p=p, c=c: put(m.spent[p, c, s], 2, when=m.spent[p, c, s] > 0)))  # type: ignore[misc]
        for i in range(OUTSIDE):
            card, stays = m.outside[p, i], m.reused[p, i] == 1
            goes = (card > 0) & ~stays
            used.append((p, card, goes))
            effects += [
                put(m.outside[p, i], 0, when=goes),
                put(m.reused[p, i], ite(stays, 2, 0)),
            ]
    effects += put_away_bosses(m, used)
    begins = m.is_phase("CLEANUP") & m.is_step("STEP_OVER") & m.nothing_pending()
    if possible(m.reading("A69", "END_OF_BATTLE")):
        begins = begins & ~(m.reading("A69", "END_OF_BATTLE") & _some_beaten(m))
    m.game.trigger("BOSS.9", begins, effects)


def _some_beaten(m: Match) -> Expr:
    """Whether a side defence without life has not fallen yet (A69)."""
    return any_of(m.players, lambda p: any_of(2, lambda side: beaten(m, p, 2 * side)))


def _next_turn(m: Match) -> None:
    """TURN.4: the next edit turn, with its draw (EDIT.6; FALL.4: three instead after a fall)."""
    settled = all_of(m.players, lambda p: all_of(3, lambda c: ~any_gone(m, p, c)))
    if possible(m.reading("A69", "NEXT_EDIT")):
        settled = settled & ~_some_beaten(m)
    normal, et = supply(m)
    effects: list[Any] = [
        put(m.phase, PHASE["EDIT"]),
        put(m.turn, minimum(99, m.turn + 1)),
        put(m.last_fall, 0),
        put(m.source, -1),
        put(m.guard, -1),
        put(m.power, 0),
    ]
    for p in range(m.players):
        fresh = [m.fell[p, c] & ~m.supplied[p, c] for c in (0, 2)]
        falls = add(*(as_int(f) for f in fresh))
        some, two = falls > 0, falls > 1
        normally = ite(some, normal + ite(two, normal, 0), 1)
        effects += [
            put(m.due[p], ite(m.alive[p], normally, 0)),
            put(m.due_et[p], ite(m.alive[p] & some, et + ite(two, et, 0), 0)),
            *(put(m.supplied[p, c], True, when=m.fell[p, c]) for c in (0, 2)),
            *(put(m.fell[p, c], False) for c in range(3)),
            put(m.done[p], False),
            put(m.drawn[p], False),
            put(m.laid[p], 0),
            put(m.before[p], m.place[p]),
            put(m.lot[p], 0),
            clear_counters(m, p, edit=True),
            clear_counters(m, p, edit=False),
        ]
    m.game.trigger("TURN.4", both(m.is_phase("CLEANUP"), m.is_step("NONE"), m.nothing_pending(), settled), effects)
