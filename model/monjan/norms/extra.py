# ruff: noqa: E731  (a part of a sentence is a named lambda)
"""Norms of A.9: Extra cards - what summons them, what keeps them alive, what they do."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Expr, all_of, any_of, both, either, eq, ite, minimum, primed
from monjudge.model.monjan.card_skills import EFFECT, CardTexts
from monjudge.model.monjan.norms.writer import Of, Writer, after

PAIR, NUMBER = 1, 2


def add(n: Writer) -> None:
    """Summon conditions, survival, guarding, attack and recovery, skills and magic."""
    _summon(n)
    _survive(n)
    _do(n)


def _top(n: Writer, p: Any, c: Any) -> Expr:
    """The plain card on top of a column, or 0."""
    m = n.match
    return ite(m.height[p, c] > m.elements[p, c], m.top(p, c), 0)


def _element_on(n: Writer, p: Any, c: Any, element: Any) -> Expr:
    m = n.match
    return (_top(n, p, c) > 0) & eq(m.element(_top(n, p, c)), element)


def _number_on(n: Writer, p: Any, c: Any, card: Any) -> Expr:
    m = n.match
    return m.is_kind(_top(n, p, c), "NUMBER") & m.listed(card, m.value(_top(n, p, c)))


def _some_number(n: Writer, p: Any, card: Any) -> Expr:
    return any_of(3, lambda c: _number_on(n, p, c, card))


def _panels_on(n: Writer, p: Any, card: Any, i: int, j: int) -> Expr:
    left, right = n.match.panels(card)
    return _element_on(n, p, i, left) & _element_on(n, p, j, right)


def _plain(n: Writer) -> Expr:
    """The readings under which a condition looks at plain top cards only."""
    m = n.match
    return both(m.reading("A109", "TOP"), m.reading("A114", "ELEMENT_YES_NUMBER_NO"), m.reading("A106", "COUNTS_UNTIL_CLEANUP"))


def _summon(n: Writer) -> None:
    m = n.match
    both_ways = _plain(n) & m.reading("A110", "OR")
    pair: Of = lambda a: eq(a.by, PAIR)
    number: Of = lambda a: eq(a.by, NUMBER)
    n.must("EXTRA.6", "extra", lambda a: _panels_on(n, a.me, a.card, 0, 2), when=pair, claimed=both_ways & m.reading("A108", "LR_ONLY"))
    ordered = [(0, 1), (0, 2), (1, 2)]
    for id in ("EXTRA.17", "EXTRA.15"):
        n.must(id, "extra", lambda a: either(*(_panels_on(n, a.me, a.card, i, j) for i, j in ordered)), when=pair,
               claimed=both_ways & m.reading("A108", "ANY_ORDERED", "ADJ_ORDERED", "LM_ONLY", "LR_ONLY"))  # fmt: skip
    for id in ("EXTRA.16", "EXTRA.18"):
        n.may(id, "extra", lambda a: pair(a) & _panels_on(n, a.me, a.card, 0, 1),
              claimed=both_ways & ~m.reading("A108", "LR_ONLY"))  # fmt: skip
    n.may("EXTRA.19", "extra", lambda a: pair(a) & ~_some_number(n, a.me, a.card), claimed=both_ways)
    for id in ("EXTRA.7", "EXTRA.21"):
        n.must(id, "extra", lambda a: _some_number(n, a.me, a.card), when=number, claimed=both_ways)
    n.may("EXTRA.20", "extra", lambda a: number(a) & _some_number(n, a.me, a.card), claimed=both_ways)
    n.must("OVER.2", "extra", lambda a: pair(a) | _some_number(n, a.me, a.card), claimed=both_ways)
    n.never("EXTRA.14", "extra", lambda a: m.extra[a.me] > 0)
    bare: Of = lambda a: all_of(3, lambda c: eq(m.height[a.me, c], m.elements[a.me, c]))
    for id in ("EXTRA.24a", "EXTRA.24"):
        n.never(id, "extra", bare)
    n.may("EXTRA.28", "extra", lambda a: both(*(m.attack[a.me, c] > 0 for c in range(3))), claimed=~m.reading("A116", "ATTACK_SLOT"))


def _survive(n: Writer) -> None:
    m = n.match
    shown: Of = lambda p: either(*(_panels_on(n, p, m.extra[p], i, j) for i, j in ((0, 1), (0, 2), (1, 2))), _some_number(n, p, m.extra[p]))
    alive: Of = lambda p, by: (m.extra[p] > 0) & eq(m.extra_by[p], by)
    now = _plain(n) & m.reading("A117", "CONTINUOUS")
    # What is shown on the columns that summoned it; a card that is discarded from below changes nothing there.
    unchanged: Of = lambda p: all_of(3, lambda c: (m.witness[p, c] == 0) | eq(primed(m.top(p, c)), m.top(p, c)))
    n.does("EXTRA.22", None, lambda a: all_of(m.players, lambda p: ~alive(p, PAIR) | unchanged(p) | (after(m.extra[p]) == 0)),
           claimed=now & m.reading("A111", "SAME_CARDS"))  # fmt: skip
    any_printed = now & m.reading("A111", "ANY_PRINTED") & m.reading("A108", "ANY_ORDERED")
    n.does(("EXTRA.23a", "EXTRA.23"), "mana", lambda a: eq(after(m.extra[a.me]), m.extra[a.me]),
           when=lambda a: alive(a.me, PAIR) & primed(shown(a.me)), claimed=any_printed)  # fmt: skip
    n.means(("EXTRA.22", "EXTRA.23a"), lambda a: all_of(m.players, lambda p: ~alive(p, PAIR) | shown(p)),
            when=lambda a: m.is_phase("EDIT", "BATTLE"), claimed=any_printed)  # fmt: skip
    only_elements: Of = lambda p: all_of(3, lambda c: eq(m.height[p, c], m.elements[p, c]))
    n.means("EXTRA.25", lambda a: all_of(m.players, lambda p: ~only_elements(p) | (m.extra[p] == 0) | (m.extra_by[p] == 0)), claimed=now)
    on_top: Of = lambda p, c: (m.witness[p, c] > 0) & eq(m.height[p, c], m.witness[p, c])
    for id in ("EXTRA.26a", "EXTRA.26"):
        n.means(id, lambda a: all_of(m.players, lambda p: ~alive(p, NUMBER) | any_of(3, lambda c: on_top(p, c))),
                claimed=now & m.reading("A112", "WITNESS"))  # fmt: skip


def _do(n: Writer) -> None:
    m = n.match
    n.may("EXTRA.4", "strike", lambda a: eq(a.source, 3))
    n.may("EXTRA.4", "extra_heal", lambda a: True)
    n.does("EXTRA.8", "strike", lambda a: after(m.power) == m.value(m.extra[a.me]), when=lambda a: eq(a.source, 3))
    for id in ("EXTRA.8", "EXTRA.9"):
        n.does(id, "extra_heal", lambda a: after(m.life[a.me, a.column]) == minimum(16, m.life[a.me, a.column] + m.value(m.extra[a.me])))
    n.may("EXTRA.27", "guard", lambda a: eq(a.by, 6))
    n.does("EXTRA.27b", "guard", lambda a: after(m.extra[a.me]) == 0, when=lambda a: eq(a.by, 6) & ~after(m.is_step("W_GUARDED")))
    field: Of = lambda a: either(eq(m.extra[a.me], a.card), any_of(3, lambda c: eq(m.attack[a.me, c], a.card)))
    for id in ("EXTRA.12", "TOUGH.7"):
        n.may(id, ("edit_skill", "battle_skill"), field)
    texts = CardTexts(m)
    n.may("SUPPLY.5", "edit_skill", lambda a: eq(texts.of("effect", a.card, a.skill), EFFECT["draw_et"]))
    for act in ("edit_skill", "battle_skill"):
        n.must("EXTRA.11", act, lambda a, act=act: eq(texts.of("time", a.card, a.skill), 2 if act == "battle_skill" else 1))
    heals: Of = lambda a: eq(texts.of("effect", a.card, a.skill), EFFECT["heal"])
    n.must("EXTRA.9", ("edit_skill", "battle_skill"), lambda a: m.life[a.me, a.target] > 0, when=heals)
    needs: Of = lambda a: texts.of("needs", a.card, a.skill)
    n.must("TOUGH.ex2", ("edit_skill", "battle_skill"), lambda a: either(
        eq(m.extra[a.me], needs(a)), any_of(3, lambda c: eq(m.attack[a.me, c], needs(a)))), when=lambda a: needs(a) > 0)  # fmt: skip
    in_hand: Of = lambda a: m.hand[a.me, a.card] > 0
    n.may("EXTRA.13", ("edit_skill", "battle_skill"), lambda a: in_hand(a) & ~field(a))
    n.does("EXTRA.13b", ("edit_skill", "battle_skill"), lambda a: after(m.hand[a.me, a.card]) < m.hand[a.me, a.card],
           when=lambda a: ~field(a))  # fmt: skip
    release: Of = lambda a: (a.left + a.centre > 0) | (m.height[a.me, 2] > 0)
    for id in ("EXTRA.10", "EXTRA.10b"):
        n.must(id, ("edit_skill", "battle_skill"), lambda a: eq(m.extra[a.me], a.card) | ~m.is_kind(a.card, "EXTRA"),
               when=lambda a: (a.left > 0) & release(a))  # fmt: skip
