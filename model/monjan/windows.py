"""The windows of a battle turn, in which battle cards and battle skills are used (BCARD.6-7; A34).

In each window the active player has the first word, then the words alternate, and two passes
close the window (ALTERNATE, and STACK where cards wait for one another, see ``battle_cards``).
Under LAST_WORD_DEFENDER and LAST_WORD_ATTACKER one side says all it has to say, then the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from monjudge.model.language import FALSE, Effect, Expr, Table, either, eq, ite, lift, lookup, put
from monjudge.model.monjan.match import STEP, Match, possible

__all__ = ["answer", "engaged", "first_word", "in_window", "opened", "other", "passing"]

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
    return m.is_phase("BATTLE") & m.is_step(*(names or WINDOWS)) & m.nothing_pending() & ~m.answered


def other(m: Match, p: Any) -> Expr:
    """The player on the other side of this attack step; the same one while no target is named."""
    return ite(p == m.active, ite(m.target >= 0, m.target, m.active), m.active)


def engaged(m: Match, p: Any) -> Expr:
    """Whether the player is on one of the two sides of this attack step."""
    return lift(m.players == 2) | eq(p, m.active) | eq(p, m.target)


def first_word(m: Match, active: Any, target: Any) -> Expr:
    """Who speaks first in a window: the active player, under LAST_WORD_ATTACKER the other side if there is one."""
    return ite(m.reading("A34", "LAST_WORD_ATTACKER") & (lift(target) >= 0), target, active)


def opened(m: Match, step: str, target: Any = None, when: Any = True) -> list[Effect]:
    """Effects: the step begins. ``target`` is the one who is attacked, if that changes just now."""
    word = first_word(m, m.active, m.target if target is None else target)
    return [put(m.step, STEP[step], when=when), put(m.word, word, when=when), put(m.passed, False, when=when)]


def answer(m: Match) -> list[Effect]:
    """Effects: the word goes to the other side, which may answer; not where one side has the last word."""
    answers = ~m.reading("A34", "LAST_WORD_DEFENDER", "LAST_WORD_ATTACKER")
    return [put(m.word, other(m, m.me), when=answers), put(m.passed, False, when=answers)]


def passing(m: Match, beside: list[Callable[[Any], Expr]]) -> list[Effect]:
    """Effects of a pass: the word goes to the other side, or the window closes."""
    following = Table.of("step_after", (STEP.size,), [STEP[_AFTER[s]] if s in _AFTER else STEP[s] for s in STEP.labels])
    asked = _bystander(m, beside)
    waits = asked >= 0
    answered = m.passed & ~waits & (m.waiting > 0)
    closes = m.passed & ~waits & ~answered
    lost = (m.target >= 0) & ~m.alive[m.target] if m.players > 2 else FALSE
    goes_on = m.reading("A52", "PER_CARD")
    return [
        put(m.step, ite(lost & ~goes_on, STEP["STEP_OVER"], _next_step(m, lookup(following, m.step))), when=closes),
        put(m.target, -1, when=closes & lost),
        put(m.word, ite(m.passed, ite(waits, asked, first_word(m, m.active, m.target)), other(m, m.word))),
        put(m.passed, ~closes),
        *([put(m.answered, True, when=answered)] if possible(answered) else []),
    ]


def _next_step(m: Match, step: Expr) -> Expr:
    """After the window before an attack comes a declaration, or one of the attacks that are announced or wait."""
    declares = step == STEP["DECLARE"]
    return ite(declares & m.striking, STEP["STRIKE"], ite(declares & m.facing, STEP["CALL"], step))


def _bystander(m: Match, beside: list[Callable[[Any], Expr]]) -> Expr:
    """Who on neither side is asked next when both sides have passed; -1 for nobody."""
    asked: Expr = lift(-1)
    if m.players > 2:
        for p in reversed(range(m.players)):
            next_one = engaged(m, m.word) | (m.word < p)
            asked = ite(m.alive[p] & ~engaged(m, p) & next_one & either(*(reason(p) for reason in beside)), p, asked)
    return asked
