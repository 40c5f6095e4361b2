"""Attacks (R.TECH.1-5, R.MON.6-7, R.MON.9, R.PULL.9): exact range, needs met, pull numbers added, damage multiplied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from monjudge.model.language import (
    Effect,
    Expr,
    Table,
    any_of,
    both,
    each,
    eq,
    gain,
    ite,
    lift,
    lookup,
    maximum,
    put,
    sum_of,
    tabulate,
)
from monjudge.model.rancher.arena import distance
from monjudge.model.rancher.cards import NEED, STAT, Technique
from monjudge.model.rancher.drawing import draw
from monjudge.model.rancher.effects import unread
from monjudge.model.rancher.injury import struck
from monjudge.model.rancher.match import Match, possible

__all__ = ["add_attack", "can_attack", "damage_of", "has_technique", "needs_met"]


def add_attack(m: Match) -> None:
    """Once each a round, the first player first: a technique, one card of each side, the damage."""
    _attack(m)
    _decline(m)
    _add_cards(m)
    _hit(m)


def _of(m: Match, name: str, of: Callable[[Technique], int], technique: Any) -> Expr:
    values = [of(t) for _, t in m.cards.techniques] or [0]
    return lookup(Table.of(f"technique_{name}", (len(values),), values, 0), technique)


def has_technique(m: Match, p: Any, t: Any) -> Expr:
    """Whether the active monster has the technique, printed or by a training (R.TECH.1, R.TRAIN.5)."""
    owners = [kind for kind, _ in m.cards.techniques] or [0]
    owner, s = lookup(Table.of("technique_owner", (len(owners),), owners, 0), t), m.active[p]
    printed = (m.monster[p, s] == owner) & (owner > 0)
    taught = (owner >= m.trainings.start) & (m.training[p, s, owner - m.trainings.start] > 0)
    return m.has_active(p) & (printed | taught)


def needs_met(m: Match, p: Any, t: Any) -> Expr:
    """Whether every listed item reaches its value (R.TECH.5): effective statistics, loyalty, fame (not spent)."""
    met = []
    for x, name in enumerate(NEED.labels):
        if any(dict(technique.needs).get(name) for _, technique in m.cards.techniques):
            need = _of(m, f"need_{name}", lambda q, name=name: dict(q.needs).get(name, 0), t)  # type: ignore[misc]
            met.append(need_value(m, p, m.active[p], x) >= need)
    return both(*met)


def need_value(m: Match, p: Any, s: Any, x: int) -> Expr:
    """The value that an item of ``NEED`` has for a monster."""
    if x < STAT.size:
        return m.stat(p, s, x)
    return m.loyalty(p, s) if NEED.labels[x] == "loyalty" else m.fame[p]


def in_range(m: Match, t: Any) -> Expr:
    """R.TECH.2-3: exactly the distance of the two squares."""
    return both(m.at[0] > 0, _of(m, "range", lambda q: q.range, t) == distance(m.at[0], m.at[1]))


def can_attack(m: Match, p: Any) -> Expr:
    """Whether the active monster has a technique that can be used now."""
    return any_of(len(m.cards.techniques), lambda t: both(in_range(m, t), has_technique(m, p, t), needs_met(m, p, t)))


def _attack(m: Match) -> None:
    if not m.cards.techniques:
        return
    a = m.game.action("attack", by=m.word, en="attack with", ja="技を使う", tags=["attack"])
    t, me = a.param("technique", range(len(m.cards.techniques))), m.me
    a.clause("R.FLOW.1", m.now("ATTACK"))
    a.clause("R.TECH.1", has_technique(m, me, t))
    a.clause("R.TECH.2", in_range(m, t))
    a.clause("R.TECH.5", needs_met(m, me, t))
    if possible(unread(m, me, m.active[me])):
        a.unsaid("CARD.text", ~unread(m, me, m.active[me]) & ~unread(m, 1 - me, m.active[1 - me]))
    a.effect(put(m.technique, t), put(m.attacked[me], True), m.to("ADD", word=me))


def _decline(m: Match) -> None:
    a = m.game.action("decline", by=m.word, en="do not attack", ja="攻撃しない", tags=["attack"])
    a.clause("R.FLOW.1", m.now("ATTACK"))
    a.clause("R.ARENA.9", m.reading("AMB_MUSTATK", "OPTIONAL"))
    a.effect(_next_attacker(m, m.me))
    stuck = m.now("ATTACK") & ~can_attack(m, m.word)
    m.trigger("R.ARENA.9:unable", stuck, [put(m.unable[m.word], True), *_next_attacker(m, m.word)])


def _next_attacker(m: Match, p: Any, after_attack: Any = False) -> list[Effect]:
    """Effects: the other player's order or attack, or the side cards (AMB_ROUND, AMB_ATK_WHO)."""
    last = eq(p, m.second) | (m.reading("AMB_ATK_WHO", "ONE") & after_attack)
    in_turns = m.reading("AMB_ROUND", "MAMA") & ~m.reading("AMB_MOVEORD", "SECRET_IN_ORDER", "SECRET_AT_ONCE")
    return [
        *m.to("MOVE", ~last & in_turns, word=m.second),
        *m.to("ATTACK", ~last & ~in_turns, word=m.second),
        *m.to("TAKE", last),
    ]


# -- cards that modify -----------------------------------------------------------------------------


def _add_cards(m: Match) -> None:
    """R.PULL.9: the attacker plays none or one card of the hand, then the defender (AMB_ATK_CARDS, AMB_ATK_OPEN)."""
    ways = m.reading
    a = m.game.action("add", by=m.word, en="add a card's pull number", ja="プルナンバーを加える", tags=["modify"])
    card, me = a.param("card", range(1, len(m.cards))), m.me
    adding = m.now("ADD", "PARRY") & ~ways("AMB_ATK_CARDS", "DECK")
    a.clause("R.PULL.9", adding)
    a.clause("CARD.held", m.hand[me, card] > 0)
    covered = ways("AMB_ATK_OPEN", "FACE_DOWN")
    several = ways("AMB_ATK_CARDS", "ANY")
    a.effect(
        gain(m.hand[me, card], -1),
        gain(m.added[me], m.pull(card), ~covered),
        gain(m.discard[me, card], 1, ~covered),
        put(m.stirred, True),
        m.hand_over(me, "ADD", several & m.is_step("ADD")),
        m.hand_over(me, "PARRY", several & m.is_step("PARRY")),
        _added(m, me, ~several),
    )
    if possible(covered):
        a.effect(gain(m.covered[me, card], 1, covered))
    b = m.game.action("add_nothing", by=m.word, en="add no card", ja="カードを加えない", tags=["modify"])
    b.clause("R.PULL.9", adding)
    b.clause("R.PULL.1", ~ways("AMB_ATK_CARDS", "COMPULSORY"))
    b.effect(_added(m, m.me))
    m.trigger("R.PULL.9:none", adding & (m.hand_size(m.word) == 0), _added(m, m.word))
    from_deck = ways("AMB_ATK_CARDS", "DECK")
    if possible(from_deck):
        m.trigger("R.PULL.9:deck", m.now("ADD", "PARRY") & from_deck,
                  [*draw(m, m.word, "ADD", 1), put(m.stirred, True), *_added(m, m.word)])  # fmt: skip
    if possible(covered):
        _uncover(m)


def _added(m: Match, p: Any, when: Any = True) -> list[Effect]:
    attacker = m.is_step("ADD")
    return [*m.hand_over(1 - p, "PARRY", attacker & when), *m.to("HIT", ~attacker & lift(when), word=p)]


def _uncover(m: Match) -> None:
    """AMB_ATK_OPEN FACE_DOWN: the cards of both are turned up together."""
    n = len(m.cards)
    pulls = [sum_of(n, lambda k, p=p: ite(m.covered[p, k] > 0, _times(m.covered[p, k], m.pull(k)), 0)) for p in range(2)]  # type: ignore[misc]
    there = any_of(n, lambda k: m.covered[0, k] + m.covered[1, k] > 0)
    m.trigger("R.PULL.9:shown", m.now("HIT") & there, [
        gain(m.added[0], pulls[0]), gain(m.added[1], pulls[1]),
        each(2, lambda p: each(n, lambda k: [gain(m.discard[p, k], m.covered[p, k]), put(m.covered[p, k], 0)])),
    ])  # fmt: skip
    closed = m.reading("AMB_ATK_OPEN", "FACE_DOWN")
    m.game.observe(m.covered, lambda viewer, p, k: (viewer == p) | ~closed)


def _times(a: Expr, b: Expr) -> Expr:
    """The product of two small numbers, as a table."""
    rows, columns = a.hi + 1, b.hi + 1
    values = [x * y for x in range(rows) for y in range(columns)]
    return lookup(Table.of("product", (rows, columns), values, 0), a, b)


# -- damage ----------------------------------------------------------------------------------------


def _strength(m: Match, p: Any, t: Any) -> Expr:
    """R.MON.6-7: power for a physical, intelligence for a mental technique (AMB_KIND)."""

    def by_need(q: Technique) -> int:
        named = [name for name, _ in q.needs if name in ("power", "intelligence")]
        return int(named == ["intelligence"] if len(named) == 1 else q.mental)

    power, intelligence = m.fights_with(p, STAT.power), m.fights_with(p, STAT.intelligence)
    return m.pick(
        "AMB_KIND", otherwise=lambda: ite(_of(m, "mental", lambda q: int(q.mental), t) == 1, intelligence, power),
        NEED=lambda: ite(_of(m, "mental_by_need", by_need, t) == 1, intelligence, power),
        HIGHER=lambda: maximum(power, intelligence),
    )  # fmt: skip


def damage_of(m: Match, p: Any, t: Any) -> Expr:
    """The damage of the player's technique in halves of a point (R.TECH.4, AMB_DMG_FORMULA, _EQUAL, _FRACTION)."""
    a = _strength(m, p, t) + m.added[p]
    b = m.fights_with(1 - p, STAT.defence) + m.added[1 - p]
    halves = _of(m, "halves", lambda q: q.halves, t)
    hits = m.reading("AMB_DMG_EQUAL", "HIT")
    whole = m.pick(
        "AMB_DMG_FORMULA", otherwise=lambda: _times(halves, maximum(0, a - b)),
        ALL_OR_NOTHING=lambda: ite((a > b) | (hits & (a == b)), _times(halves, a), 0),
        MULTIPLY_FIRST=lambda: maximum(0, _times(halves, a) - 2 * b),
    )  # fmt: skip
    return m.pick("AMB_DMG_FRACTION", otherwise=lambda: tabulate(lambda n: n // 2 * 2, whole),
                  UP=lambda: tabulate(lambda n: (n + 1) // 2 * 2, whole), EXACT=lambda: whole)  # fmt: skip


def _hit(m: Match) -> None:
    """The damage counts at once, or with that of the other attack (AMB_ATK_WHO AT_ONCE)."""
    target = m.word
    attacker = 1 - target
    dealt = damage_of(m, attacker, m.technique)
    hits = m.now("HIT")
    if possible(m.reading("AMB_ATK_OPEN", "FACE_DOWN")):
        hits = hits & ~any_of(len(m.cards), lambda k: m.covered[0, k] + m.covered[1, k] > 0)
    done: list[Effect] = [put(m.technique, -1), *each(2, lambda p: put(m.added[p], 0)), put(m.stirred, True, dealt > 0)]
    later = m.reading("AMB_ATK_WHO", "AT_ONCE")
    if possible(later):
        done.append(gain(m.pending[target], dealt, later))
        due = m.now("TAKE") & (m.pending[0] + m.pending[1] > 0)
        m.trigger("R.LIFE.1:both", due, [*struck(m, m.pending[0], m.pending[1]), each(2, lambda p: put(m.pending[p], 0))])
    at = [ite((target == p) & ~later, dealt, 0) for p in range(2)]
    m.trigger("R.TECH.4", hits, [*done, *_next_attacker(m, attacker, True), *struck(m, at[0], at[1])])


