# ruff: noqa: E731  (a part of a sentence is a named lambda)
"""Norms of A.5 and A.7: the battle turn, guards, battle cards and when board skills may be used."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Expr, all_of, any_of, both, either, eq, ite, member, minimum
from monjudge.model.monjan.boards import SKILL
from monjudge.model.monjan.norms.writer import UNREALISED, Of, Writer, after

BONUSES = (3, 6, 7, 8)


def add(n: Writer) -> None:
    """Targets, guards, battle cards, skills of the board."""
    _attack(n)
    _guard(n)
    _cards(n)
    _skills(n)


def _attack(n: Writer) -> None:
    m = n.match
    n.may("BATTLE.4", "strike", lambda a: a.source < 3)
    n.may("BATTLE.4", "strike", lambda a: (a.source >= 4) & (a.source < 6))
    # Literally the cards of this edit turn: an attack card or a Toughness card that came in an earlier one stays behind.
    n.must("BATTLE.4", "strike", lambda a: m.did["toughness"][a.me] > 0,
           when=lambda a: (a.source < 3) & m.is_kind(m.attack[a.me, a.source], "TOUGHNESS"), claimed=UNREALISED)  # fmt: skip
    n.does("BATTLE.5", "strike", lambda a: (after(m.target) >= 0) & ~eq(after(m.target), a.me))
    n.must("GUARD.3", "guard", lambda a: eq(a.me, m.target))
    n.does("GUARD.3", "strike", lambda a: after(m.target) == m.target, when=lambda a: m.target >= 0, claimed=m.reading("A52", "ONE"))


def _guard(n: Writer) -> None:
    m = n.match
    place: Of = lambda a: a.by
    for id in ("GUARD.1", "GUARD.2", "GUARD.4"):
        n.may(id, "guard", lambda a: True)
    n.must("GUARD.4", ("guard", "guard_back"), lambda a: either(
        (place(a) < 3) & (m.life[a.me, a.by] > 0), (place(a) >= 3) & (place(a) < 6) & (m.attack[a.me, a.by - 3] > 0),
        eq(place(a), 6) & (m.extra[a.me] > 0), (place(a) >= 7) & (m.above[a.me, a.by - 7] > 0)))  # fmt: skip
    n.may("GUARD.ex1", "guard", lambda a: eq(a.by, 0))
    n.may("GUARD.5", "guard", lambda a: (a.by >= 3) & (a.by < 6))
    row: Of = lambda a: a.by - 3
    n.does("GUARD.6", "guard", lambda a: ~eq(after(m.attack[a.me, row(a)]), m.attack[a.me, row(a)]),
           when=lambda a: both(a.by >= 3, a.by < 6, ~after(m.is_step("W_GUARDED")), m.under[a.me, row(a)] == 0, m.flame == 0),
           claimed=m.reading("A56", "DEF_MANY", "ONCE_EACH") & m.reading("A92", "DEF_GUARD_ONLY"))  # fmt: skip
    # One-turn cards are no guards at all: whoever has only them and the middle must take it there.
    n.never("GUARD.7", "guard", lambda a: both(
        *(a.by != place for place in range(3)), *(m.attack[a.me, c] == 0 for c in range(3)), m.extra[a.me] == 0,
        *(m.above[a.me, i] == 0 for i in range(4))))  # fmt: skip


def _cards(n: Writer) -> None:
    m = n.match
    n.must("BCARD.6", ("bonus", "heal", "kill"), lambda a: m.is_phase("BATTLE") & (m.hand[a.me, a.card] > 0))
    n.must(("EXTRA.8", "EXTRA.9"), "extra_heal", lambda a: m.life[a.me, a.column] > 0)
    n.must(("BCARD.9",), "heal", lambda a: m.life[a.me, a.column] > 0)
    for step in ("W_DECLARED", "W_GUARDED"):
        n.may("BCARD.6", ("bonus", "heal", "kill"), lambda a, step=step: m.is_step(step))
    n.may("BCARD.7", ("bonus", "heal"), lambda a: True)
    n.does("BCARD.8", "bonus", lambda a: after(m.power) == m.power + m.value(a.card), when=lambda a: after(m.source) == m.source)
    for id in ("BCARD.8", "BCARD.9", "BCARD.10"):
        n.must(id, ("bonus", "heal"), lambda a: member(m.value(a.card), BONUSES), claimed=m.reading("A30", "LISTED"))
    n.does("BCARD.9", "heal", lambda a: after(m.life[a.me, a.column]) == minimum(16, m.life[a.me, a.column] + m.value(a.card)),
           when=lambda a: after(m.is_step("W_START", "W_BEFORE", "W_DECLARED", "W_GUARDED", "W_DAMAGE")) & (after(m.step) == m.step))  # fmt: skip
    n.may("BCARD.5", "kill", lambda a: True, claimed=m.reading("A29", "USABLE"))
    n.never("BCARD.10", "kill", lambda a: True, claimed=m.reading("A29", "MANA_ONLY"))
    gone: Of = lambda a: either(*(eq(a.at, c) & ~eq(after(m.attack[_foe(n, a), c]), m.attack[_foe(n, a), c]) for c in range(3)), a.at >= 3)
    n.does("BCARD.5", "kill", gone, when=lambda a: all_of(3, lambda c: m.under[_foe(n, a), c] == 0))


def _foe(n: Writer, a: Any) -> Expr:
    m, me = n.match, a.me
    return 1 - me if m.players == 2 else ite(eq(me, m.active), m.target, m.active)


def _skills(n: Writer) -> None:
    m = n.match
    own = m.reading("A78", "OWN_SIDE") & m.reading("A79", "NEEDS_FALL")
    sides = {"laser": 0, "gravity": 1, "tea": 0, "recycle": 1, "ritual": 0, "flame": 1, "castle": 0, "trap": 1}
    printed = {"laser": "LASER", "gravity": "GRAVITY", "tea": "TEA", "recycle": "RECYCLE", "ritual": "RITUAL",
               "flame": "FLAME", "castle": "CASTLE", "trap": "TRAP"}  # fmt: skip
    for act in sides:
        here: Of = lambda a, act=act: any_of(2, lambda s: (m.board_skill(a.me, s) == SKILL[printed[act]]) & m.fallen[a.me, 2 * s])
        for id in ("SKILL.4", "SKILL.5", "SKILL.6"):
            n.must(id, act, here, claimed=own)
        n.must("SKILL.7", act, lambda a: m.fallen[a.me, 0], claimed=m.reading("A78", "LEFT_UNLOCKS_BOTH"))
