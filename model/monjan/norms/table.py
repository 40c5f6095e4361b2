# ruff: noqa: E731  (a part of a sentence is a named lambda)
"""Norms of A.1-A.3: overview, cards, status board, mana, attack and defence."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Expr, all_of, any_of, as_int, both, count_of, either, eq, ite, lift, maximum
from monjudge.model.monjan.norms.writer import UNREALISED, Of, Writer, after

NUMBER_ACTS = ("attack", "defence")
PLACING = ("mana", "attack", "defence", "extra", "toughness", "boss", "boss_stay")


def add(n: Writer) -> None:
    """What the overview and the descriptions of cards and board say."""
    _overview(n)
    _cards(n)
    _fields(n)
    _speed(n)


def _overview(n: Writer) -> None:
    m = n.match
    ended_by_falls = m.reading("A150", "NO_DRAW", "RESHUFFLE_DISCARD") & ~m.reading("A01", "LOSE")
    at_once = m.reading("A75", "FIRST_LOSES") & ~m.reading("A46", "SIMULTANEOUS")
    n.must("OVER.3", NUMBER_ACTS, lambda a: _standing(n, a) < m.height[a.me, a.column],
           claimed=m.reading("A10", "CAPACITY", "BOTH") & m.reading("A19", "LOCAL") & m.reading("A20", "MATCHING")
           & m.reading("A22", "COUNT_ALL", "COUNT_ONLY_NUMBER") & m.reading("A06", "NOT_COUNTED") & m.reading("A07", "NO"))  # fmt: skip
    # Said of Toughness cards, too: also on defence.
    n.may("OVER.3", "middle", lambda a: m.is_kind(a.card, "TOUGHNESS"), claimed=m.reading("A02", "ANY"))
    n.must("OVER.4", NUMBER_ACTS, lambda a: any_of(3, lambda c: m.height[a.me, c] > 0))
    n.must("OVER.6", "strike", lambda a: either(
        *((a.source == c) & (m.attack[a.me, c] > 0) for c in range(3)), (a.source == 3) & (m.extra[a.me] > 0),
        *((a.source == 4 + i) & (m.outside[a.me, i] > 0) for i in range(2)),
        *((a.source == 6 + i) & (m.above[a.me, i] > 0) for i in range(4))))  # fmt: skip
    n.means("WIN.1", lambda a: count_of(m.players, lambda p: ~m.fallen[p, 1]) <= 1,
            when=lambda a: m.last_alive(), claimed=ended_by_falls)  # fmt: skip
    n.means("WIN.2", lambda a: all_of(m.players, lambda p: ~(m.defence[p, 1] > 0) | (m.life[p, 1] > 0) | ~m.alive[p]),
            claimed=at_once)  # fmt: skip
    n.means("WIN.3", lambda a: all_of(m.players, lambda p: (m.life[p, 1] == 0) | m.alive[p]), claimed=ended_by_falls)
    n.means("DEF.5", lambda a: all_of(m.players, lambda p: ~m.fallen[p, 1] | ~m.alive[p]))
    n.does("FLOW.1", None, lambda a: all_of(m.players, lambda p: after(m.hand_size(p)) >= 10),
           when=lambda a: m.is_phase("DEAL") & after(m.is_phase("DRAFT", "EDIT")))  # fmt: skip
    n.does("SETUP.1", "draw_card", lambda a: after(m.hand[m.pending_player, a.card]) == m.hand[m.pending_player, a.card] + 1,
           when=lambda a: m.is_phase("DEAL"))  # fmt: skip
    held: Of = lambda a: m.hand[a.me, a.card] > 0
    for id, act in (("FLOW.1", "middle"), ("OVER.1", "mana"), ("CARD.5", "attack"), ("CARD.6", "defence"), ("OVER.2", "extra"), ("TOUGH.2", "toughness")):
        n.must(id, act, held)
    unset: Of = lambda a: (m.turn == 1) & (m.defence[a.me, 1] == 0) & ~m.fallen[a.me, 1]
    n.never("FLOW.2", PLACING, unset, claimed=~m.reading("A01", "DEFER"))
    n.may("FLOW.3", "mana", lambda a: (m.turn == 1) & (m.defence[a.me, 1] > 0))
    n.does("FLOW.6", None, lambda a: all_of(m.players, lambda p: after(m.done[p] | ~m.alive[p])),
           when=lambda a: m.is_phase("EDIT") & after(m.is_phase("BATTLE")))  # fmt: skip
    n.does("TURN.1", None, lambda a: after(m.is_phase("EDIT", "BATTLE")), when=lambda a: m.is_phase("EDIT"),
           claimed=at_once & ended_by_falls)  # fmt: skip
    n.does("TURN.4", None, lambda a: after(m.turn) > m.turn,
           when=lambda a: m.is_phase("BATTLE") & after(m.is_phase("EDIT")) & (m.turn < 99))  # fmt: skip


def _standing(n: Writer, a: Any) -> Expr:
    """Number cards that stand in the column already, the free middle defence aside."""
    m, me, column = n.match, a.me, a.column
    own_row = m.is_kind(m.attack[me, column], "NUMBER")
    other = m.is_kind(m.defence[me, column], "NUMBER") & ~eq(column, 1)
    return as_int(own_row) + as_int(other)


def _cards(n: Writer) -> None:
    m = n.match
    kinds = range(1, len(m.cards))
    numbers = m.cards.numbers("NUMBER")
    strong = [k for k in kinds if m.cards.cards[k].kind in ("NUMBER", "BOSS", "ASSASSIN")]
    n.means("CARD.1", lambda a: both(*((m.value(k) >= 1) & (m.value(k) <= 16) for k in numbers)))
    # Literally every strength, which the strength 22 of BOSS.3 contradicts.
    n.means("CARD.1", lambda a: both(*(m.value(k) <= 16 for k in strong)), claimed=UNREALISED)
    battle = ("PLUS", "KILL", "PLAIN")
    monjan = [k for k in kinds if m.cards.cards[k].kind in ("NUMBER", *battle)]
    n.means("CARD.2", lambda a: both(*(m.is_kind(k, "NUMBER") | m.is_kind(k, *battle) for k in monjan)))
    n.means("CARD.3", lambda a: both(*((m.element(k) < 5) & (m.value(k) > 0) for k in numbers)))
    n.means("CARD.4", lambda a: both(*(m.element(k) < 5 for k in monjan if k not in numbers)))
    n.means(("ELEM.1", "ELEM.2"), lambda a: both(*(m.element(k) < 5 for k in monjan)))
    n.does("CARD.5", "strike", lambda a: after(m.power) == m.value(m.attack[a.me, a.source]),
           when=lambda a: (a.source < 3) & m.is_kind(m.attack[a.me, a.source], "NUMBER"),
           claimed=m.reading("A26", "NUMBER_ONLY", "ALL_ROW") & ~m.reading("A07", "STACK"))  # fmt: skip
    n.does(("ATK.5", "BOARD.3"), "strike", lambda a: after(m.power) == m.value(m.attack[a.me, a.source]),
           when=lambda a: a.source < 3,
           claimed=m.reading("A26", "NUMBER_ONLY", "ALL_ROW") & ~m.reading("A07", "STACK"))  # fmt: skip
    n.does("CARD.6", "defence", lambda a: after(m.life[a.me, a.column]) == m.value(a.card), claimed=~m.reading("A07", "STACK"))
    for id in ("DEF.1", "DEF.7", "DEF.8"):
        n.does(id, "defence", lambda a: after(m.life[a.me, a.column]) == m.value(a.card), claimed=~m.reading("A07", "STACK"))
    n.does("DEF.7", "middle", lambda a: after(m.life[a.me, 1]) == m.value(a.card), when=lambda a: m.is_kind(a.card, "NUMBER"))
    n.may("BCARD.1", "bonus", lambda a: True)
    n.may("BCARD.2", "bonus", lambda a: m.value(a.card) == 8)
    n.may("BCARD.2", "heal", lambda a: m.value(a.card) == 8)
    n.must("BCARD.3", ("bonus", "heal"), lambda a: m.is_kind(a.card, "PLUS"))
    n.must("BCARD.4", ("bonus", "heal"), lambda a: m.is_kind(a.card, "PLUS"))
    n.must("BCARD.5", "kill", lambda a: m.is_kind(a.card, "KILL"))
    n.does("BOSS.3", "strike", lambda a: after(m.power) == m.value(m.outside[a.me, a.source - 4]),
           when=lambda a: (a.source >= 4) & (a.source < 6), claimed=m.reading("A28", "MONJAN_ONLY"))  # fmt: skip


def _fields(n: Writer) -> None:
    m = n.match
    battle = ("PLUS", "KILL", "PLAIN")
    n.may("MANA.1", "mana", lambda a: m.is_kind(a.card, *battle))
    n.does("OVER.1", "mana", lambda a: eq(after(m.height[a.me, a.column]), m.height[a.me, a.column] + 1))
    n.does("MANA.2", "mana", lambda a: after(m.mana[a.me, a.column, m.height[a.me, a.column]]) == a.card)
    n.never("ATK.1", "attack", lambda a: m.value(a.card) > m.cap(a.me, a.column))
    # Literally nothing but number cards, which leaves no room for the Toughness cards of TOUGH.12.
    n.never("ATK.1", "toughness", lambda a: True, claimed=UNREALISED)
    n.must("ATK.4", "attack", lambda a: m.value(a.card) < m.cap(a.me, a.column), claimed=m.reading("A25", "LT"))
    n.does(("ATK.3", "OVER.5"), "guard", lambda a: after(m.life[a.me, a.by]) == maximum(0, m.life[a.me, a.by] - m.power),
           when=lambda a: (a.by < 3) & ~after(m.is_step("W_GUARDED")))  # fmt: skip
    # A defence that a card revived (SUPPLY.4) stands by its marker alone.
    n.means("DEF.3", lambda a: all_of(m.players, lambda p: all_of(3, lambda c: (
        (m.life[p, c] == 0) | (m.defence[p, c] > 0) | m.fallen[p, c]))))  # fmt: skip
    n.must("DEF.4", "middle", lambda a: m.is_kind(a.card, "NUMBER"),
           claimed=m.reading("A02", "NUMBER") & ~m.reading("A01", "ANY_CARD"))  # fmt: skip
    n.does("FALL.1", None, lambda a: every_fall(n, lambda p, c: both(
        eq(after(m.elements[p, c]), m.height[p, c] + 1), after(m.defence[p, c]) == 0)),
        claimed=m.reading("A67", "DEF_AND_MANA") & ~m.reading("A68", "GATHERED") & m.reading("A69", "IMMEDIATE") & m.reading("A105", "IDENTITY", "VOID", "SAME_NUMBER"))  # fmt: skip
    n.does("FALL.1b", None, lambda a: every_fall(n, lambda p, c: after(m.fallen[p, 2 - c])), claimed=m.reading("A66", "BOTH_REQUIRED"))
    n.must("FALL.1c", "attack", lambda a: True, when=lambda a: m.elements[a.me, a.column] > 0)
    n.does("FALL.2", None, lambda a: all_of(m.players, lambda p: all_of(2, lambda side: (
        ~after(m.alive[p]) | ~m.fallen[p, 2 * side] | (m.elements[p, 2 * side] == 0) | (after(m.elements[p, 2 * side]) > 0)))),
        when=lambda a: ~rituals(n), claimed=m.reading("A105", "IDENTITY") & ~m.reading("A99", "ALL_BUT_ONE"))  # fmt: skip
    n.must("SETUP.5", "middle", lambda a: m.turn == 1, claimed=~m.reading("A01", "DEFER"))
    n.never("SETUP.6", (*PLACING, "laser", "gravity", "recycle", "tea", "edit_skill", "summon_by_skill"), lambda a: (
        (m.turn == 1) & (m.defence[a.me, 1] == 0) & ~m.fallen[a.me, 1]), claimed=~m.reading("A01", "DEFER"))  # fmt: skip
    n.never("SETUP.6", "end", lambda a: (m.turn == 1) & (m.defence[a.me, 1] == 0) & ~m.fallen[a.me, 1], claimed=~m.reading("A01", "DEFER"))
    n.may("SETUP.6", "middle", lambda a: ~m.is_kind(a.card, "NUMBER"), claimed=m.reading("A02", "ANY_MONJAN", "ANY"))
    n.may("SETUP.7", "middle", lambda a: m.height[a.me, 1] == 0)
    n.never("SETUP.7", "defence", lambda a: all_of(3, lambda c: m.height[a.me, c] == 0))
    one: Of = lambda a: (m.height[a.me, a.column] == 1) & (m.elements[a.me, a.column] == 0)
    n.must("MANA.6", NUMBER_ACTS, lambda a: m.element(m.mana[a.me, a.column, 0]) == m.element(a.card), when=one,
           claimed=m.reading("A19", "LOCAL"))  # fmt: skip
    n.may("MANA.7", "attack", lambda a: (m.height[a.me, a.column] == 2) & (m.defence[a.me, a.column] > 0) & ~eq(a.column, 1))


def rituals(n: Writer) -> Expr:
    m = n.match
    return any_of(m.players, lambda p: ~eq(after(m.uses["ritual"][p]), m.uses["ritual"][p]))


def every_fall(n: Writer, holds: Any) -> Expr:
    """Whether it holds of every side column that falls in this step."""
    m = n.match
    return all_of(m.players, lambda p: both(*(
        m.fallen[p, c] | ~after(m.fallen[p, c]) | rituals(n) | holds(p, lift(c)) for c in (0, 2))))  # fmt: skip


def _speed(n: Writer) -> None:
    m = n.match
    begins: Of = lambda a: m.is_phase("EDIT") & after(m.is_phase("BATTLE"))
    pairs: Of = lambda test: all_of(m.players, lambda p: all_of(m.players, lambda q: eq(p, q) | after(~m.alive[p] | ~m.alive[q]) | test(p, q)))
    by_speed: Of = lambda p, q: (after(m.speed[p]) <= after(m.speed[q])) | (after(m.place[p]) < after(m.place[q]))
    for id in ("FLOW.7", "BATTLE.3", "SPEED.1", "SPEED.2"):
        n.does(id, None, lambda a: pairs(by_speed), when=begins)
    number: Of = lambda p, c, s: _plain_number(n, p, c, s)
    single = m.reading("A43", "TOP", "ANY") & m.reading("A44", "ZERO")
    n.does("SPEED.3", None, lambda a: all_of(m.players, lambda p: either(
        after(m.speed[p]) == 0, any_of(3, lambda c: any_of(m.slots, lambda s: number(p, c, s) == after(m.speed[p]))))),
        when=begins, claimed=single & m.reading("A45", "ZERO"))  # fmt: skip
    n.does("SPEED.4", None, lambda a: all_of(m.players, lambda p: all_of(3, lambda c: all_of(
        m.slots, lambda s: number(p, c, s) <= after(m.speed[p])))), when=begins,
        claimed=m.reading("A43", "ANY") & ~m.reading("A47", "FACE_DOWN_IS_ZERO") & ~m.reading("A106", "GONE_FOR_ALL"))  # fmt: skip
    only_battle: Of = lambda p: all_of(3, lambda c: all_of(m.slots, lambda s: ~m.in_stack(p, c, s) | ~m.is_kind(m.mana[p, c, s], "NUMBER")))
    some: Of = lambda p: any_of(3, lambda c: m.height[p, c] > 0)
    for id in ("MANA.3", "SPEED.8"):
        n.does(id, None, lambda a: all_of(m.players, lambda p: ~only_battle(p) | ~some(p) | (after(m.speed[p]) == 0)), when=begins)
    tie: Of = lambda p, q: ~eq(after(m.speed[p]), after(m.speed[q])) | (m.rank(p) >= m.rank(q)) | (after(m.place[p]) < after(m.place[q]))
    for id in ("SPEED.6", "SPEED.7", "SPEED.9"):
        n.does(id, None, lambda a: pairs(tie), when=begins)
    in_order: Of = lambda a: all_of(m.players, lambda p: all_of(m.players, lambda q: either(
        ~m.alive[p], ~m.alive[q], ~m.stepped[p], m.stepped[q], m.place[p] <= m.place[q])))  # fmt: skip
    for id in ("FLOW.8", "SPEED.5"):
        n.means(id, in_order, when=lambda a: m.is_phase("BATTLE"), claimed=m.reading("A48", "SNAPSHOT"))


def _plain_number(n: Writer, p: Any, c: Any, s: Any) -> Expr:
    m = n.match
    card = m.mana[p, c, s]
    return ite(m.in_stack(p, c, s) & ~m.is_elements(p, c, s) & m.is_kind(card, "NUMBER"), m.value(card), 0)
