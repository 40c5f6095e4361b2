# ruff: noqa: E731  (a part of a sentence is a named lambda)
"""Norms of A.8 and A.14: what follows a fall, supply by mode, picks before the game."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Expr, all_of, any_of, both, count_of, eq, ite
from monjudge.model.monjan.card_skills import EFFECT, CardTexts
from monjudge.model.monjan.norms.table import every_fall
from monjudge.model.monjan.norms.writer import UNREALISED, Of, Writer, after


def add(n: Writer) -> None:
    """Draws after a fall, Elements in play, no second defence, the supply of each mode."""
    _draws(n)
    _elements(n)
    _supply(n)


def _new_turn(n: Writer) -> Expr:
    m = n.match
    return m.is_phase("BATTLE") & after(m.is_phase("EDIT"))


def _due(n: Writer, normal: int, et: int) -> Expr:
    """Whether one fall of the last battle turn gives these draws, and two falls twice as many."""
    m = n.match

    def fits(p: Any) -> Expr:
        # What fell in this very step counts too: ``fallen`` after it, without a supply before it.
        falls = count_of(2, lambda s: after(m.fallen[p, 2 * s]) & ~m.supplied[p, 2 * s])
        return (falls == 0) | ~after(m.alive[p]) | both(
            eq(after(m.due[p]), ite(falls == 2, 2 * normal, normal)), eq(after(m.due_et[p]), ite(falls == 2, 2 * et, et)))  # fmt: skip

    return all_of(m.players, fits)


def _draws(n: Writer) -> None:
    m = n.match
    plain = m.in_mode("BASIC", "LM", "INIT", "EXTRA")
    later = m.reading("A72", "NEXT_EDIT") & m.reading("A69", "IMMEDIATE")
    n.does("FALL.4", None, lambda a: _due(n, 3, 0), when=lambda a: _new_turn(n) & plain, claimed=later)
    draws: Of = lambda p: after(m.due[p]) + after(m.due_et[p]) > m.due[p] + m.due_et[p]
    felled: Of = lambda p, s: ~m.fallen[p, 2 * s] & after(m.fallen[p, 2 * s]) & ~m.supplied[p, 2 * s]
    here: Of = lambda a: m.is_phase("BATTLE") & after(m.is_phase("BATTLE")) & ~m.is_pending("CARD") & ~after(m.is_pending("CARD"))
    n.does("FALL.4", None, lambda a: all_of(m.players, lambda p: all_of(2, lambda s: ~felled(p, s) | ~draws(p))),
           when=here, claimed=m.reading("A72", "NEXT_EDIT"))  # fmt: skip
    n.does("LATEST.2", None, lambda a: all_of(m.players, lambda p: all_of(2, lambda s: ~felled(p, s) | draws(p))),
           when=lambda a: here(a) & m.in_mode("URA_LM", "URA_INIT", "URA_EXTRA"), claimed=m.reading("A72", "IMMEDIATE"))  # fmt: skip
    once: Of = lambda a: all_of(m.players, lambda p: all_of(2, lambda s: (
        ~(after(m.fallen[p, 2 * s]) & m.fallen[p, 2 * s] & m.supplied[p, 2 * s]) | (after(m.supplied[p, 2 * s])))))  # fmt: skip
    for id in ("FALL.4b", "SUPPLY.3", "SUPPLY.4"):
        n.does(id, None, once)


def _elements(n: Writer) -> None:
    m = n.match
    face_down: Of = lambda p, c, s: ~m.is_elements(p, c, s) | m.down[p, c, s]
    n.means("FALL.5", lambda a: all_of(m.players, lambda p: all_of(3, lambda c: all_of(m.slots, lambda s: face_down(p, c, s)))))
    # Only the mana become Elements here; FALL.1 says that the defence card does, too.
    n.does("FALL.5", None, lambda a: every_fall(n, lambda p, c: eq(after(m.elements[p, c]), m.height[p, c])),
           claimed=m.reading("A67", "MANA_ONLY") & m.reading("A69", "IMMEDIATE") & ~m.reading("A105", "BEFORE_FALL") & ~m.reading("A68", "GATHERED"))  # fmt: skip
    n.does("FALL.5b", None, lambda a: all_of(m.players, lambda p: all_of(2, lambda s: (
        m.fallen[p, 2 * s] | ~after(m.fallen[p, 2 * s]) | (after(m.elements[p, 2 * s]) == after(m.height[p, 2 * s]))))),
        when=lambda a: after(m.is_phase("BATTLE")), claimed=m.reading("A69", "IMMEDIATE"))  # fmt: skip
    n.may("FALL.6", "mana", lambda a: m.elements[a.me, a.column] > 0)
    n.may("FALL.7", "attack", lambda a: (m.elements[a.me, a.column] > 0) & (m.elements[a.me, a.column] == m.height[a.me, a.column]))
    n.never("FALL.8", "defence", lambda a: m.fallen[a.me, a.column])
    stands: Of = lambda p, c: after(m.life[p, c]) > 0
    revived: Of = lambda a: any_of(m.players, lambda p: any_of(2, lambda s: m.fallen[p, 2 * s] & (m.life[p, 2 * s] == 0) & stands(p, 2 * s)))
    n.does("FALL.8", None, lambda a: ~revived(a), claimed=UNREALISED)
    revives: Of = lambda a: eq(CardTexts(m).of("effect", a.card, a.skill), EFFECT["revive"]) & eq(CardTexts(m).of("die", a.card, a.skill), 0)
    n.does("SUPPLY.4", "edit_skill", lambda a: stands(a.me, a.target), when=lambda a: revives(a) & m.fallen[a.me, a.target])


def _supply(n: Writer) -> None:
    m = n.match
    later = m.reading("A72", "NEXT_EDIT") & m.reading("A73", "SAME") & m.reading("A69", "IMMEDIATE")
    modes = {"URA_LM": (2, 1, ("MODE.4b", "MODE.4c", "LATEST.5b")), "URA_INIT": (1, 2, ("MODE.5b", "MODE.5c", "LATEST.3b")),
             "URA_EXTRA": (0, 3, ("MODE.6b", "MODE.6c", "LATEST.4b"))}  # fmt: skip
    for mode, (normal, et, ids) in modes.items():
        for id in (*ids, "SUPPLY.2"):
            n.does(id, None, lambda a, normal=normal, et=et: _due(n, normal, et),
                   when=lambda a, mode=mode: _new_turn(n) & m.in_mode(mode), claimed=later)  # fmt: skip
