"""Skills of Extra and Toughness cards (EXTRA.10-13, TOUGH.7-8): card texts in a small vocabulary of effects.

========== ======================================================================
damage     an opposing defence loses ``amount``
heal       an own living defence regains ``amount``, up to 16
draw       ``amount`` cards from the normal pile
draw_et    ``amount`` cards from the ET pile (SUPPLY.5)
destroy    an opposing card of the attack row is destroyed, as by Kill
return     an own attack card goes back to the hand
boost      the attack in progress gains ``amount``
revive     a fallen side defence of one's own stands again with ``amount`` life (SUPPLY.4)
summon     this Toughness card comes from the hand for one mana of choice (TOUGH.8)
opaque     a text that the vocabulary cannot say: verdicts that touch it are undetermined
========== ======================================================================

Any of them may cost a mana release, need a card on the own field, or a roll of the die.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from monjudge.model.language import (
    ActionBuilder,
    Effect,
    Expr,
    Table,
    any_of,
    both,
    const,
    either,
    eq,
    gain,
    ite,
    lift,
    lookup,
    maximum,
    member,
    put,
    tabulate,
)
from monjudge.model.monjan.battle import heal
from monjudge.model.monjan.battle_cards import after_destruction, killable
from monjudge.model.monjan.budget import BATTLE, EDIT, budget, spend_budget
from monjudge.model.monjan.cards import EFFECT, MOST_SKILLS
from monjudge.model.monjan.edit import count, edits, forgo_draw, within_limits
from monjudge.model.monjan.mana import has_room
from monjudge.model.monjan.match import PENDING, Match
from monjudge.model.monjan.payment import Payment, is_deferred
from monjudge.model.monjan.toughness import field_for_toughness, lay_on_attack, lose_attack, may_lie
from monjudge.model.monjan.windows import answer, engaged, in_window, other

__all__ = ["EFFECT", "CardTexts", "add_card_skills"]

_TIMES = ("edit", "battle")


class CardTexts:
    """The skills of all kinds in play as tables ``(card, number of the skill)``."""

    def __init__(self, m: Match) -> None:
        cards = m.cards.cards
        names = {c.name: n for n, c in enumerate(cards) if c.kind in ("EXTRA", "TOUGHNESS") and c.name}
        self.rows = [(*c.skills, *[None] * (MOST_SKILLS - len(c.skills))) for c in cards]
        self.m = m

        def table(name: str, value: Callable[[Any], int]) -> Table:
            return Table.of(
                f"skill_{name}", (len(cards), MOST_SKILLS), [value(s) if s else 0 for row in self.rows for s in row], 0
            )

        self._tables = {
            "effect": table("effect", lambda s: EFFECT[s.effect]),
            "amount": table("amount", lambda s: s.amount),
            "release": table("release", lambda s: s.release),
            "magic": table("magic", lambda s: int(s.magic)),
            "die": table("die", lambda s: s.die),
            "time": table("time", lambda s: 1 + _TIMES.index(s.time)),
            "needs": table("needs", lambda s: names.get(s.needs, 0) if s.needs else 0),
            "impossible": table("impossible", lambda s: int(bool(s.needs) and s.needs not in names)),
        }

    def of(self, what: str, card: Any, skill: Any) -> Expr:
        """One property of a skill; 0 where the card has no such skill."""
        return lookup(self._tables[what], card, skill)

    def has(self, time: str, effects: tuple[str, ...] = ()) -> bool:
        return any(s and s.time == time and (not effects or s.effect in effects) for row in self.rows for s in row)


def add_card_skills(m: Match) -> list[Callable[[Any], Expr]]:
    """The acts that use a card's skill; returns when a player must be asked in a window."""
    texts = CardTexts(m)
    if not any(row[0] for row in texts.rows):
        return []
    _jabberwock(m, texts)
    ready: list[Callable[[Any], Expr]] = []
    if any(texts.has("edit", (e,)) for e in EFFECT.labels if e != "summon"):
        _use(m, texts, "edit")
    if texts.has("battle"):
        _use(m, texts, "battle")
        ready.append(lambda p: _could_use(m, texts, p))
    _resolve(m, texts)
    return ready


def _zone(m: Match, texts: CardTexts, p: Any, card: Any, skill: Any) -> Expr:
    """Whether the card lies where its skill is used from: the hand for magic, else the field."""
    on_field = (m.extra[p] == card) | any_of(3, lambda c: m.attack[p, c] == card)
    return ite(texts.of("magic", card, skill) == 1, m.hand[p, card] > 0, on_field)


def _needed(m: Match, texts: CardTexts, p: Any, card: Any, skill: Any) -> Expr:
    needs = texts.of("needs", card, skill)
    there = (m.extra[p] == needs) | any_of(3, lambda c: m.attack[p, c] == needs)
    return ((needs == 0) | there) & (texts.of("impossible", card, skill) == 0)


def _source(m: Match, texts: CardTexts, p: Any, card: Any, skill: Any) -> Expr:
    """Where the skill comes from, as counted by the limits (``SKILL_SOURCE``)."""
    column = ite(m.attack[p, 0] == card, 3, ite(m.attack[p, 1] == card, 4, 5))
    field = ite(m.is_kind(card, "EXTRA"), ite(texts.of("release", card, skill) > 0, 7, 2), column)
    return ite(texts.of("magic", card, skill) == 1, 6, field)


def _possible(m: Match, texts: CardTexts, p: Any, foe: Any, card: Any, skill: Any, target: Any) -> Expr:
    """Whether the effect has an object at the target (the number of a column; 0 where none is needed)."""
    effect = texts.of("effect", card, skill)

    def is_(*names: str) -> Expr:
        return member(effect, [EFFECT[n] for n in names])

    rival = ~eq(foe, p) & m.alive[foe]
    return either(
        is_("damage") & rival & m.living(foe, target),
        is_("heal") & m.living(p, target),
        is_("draw", "draw_et", "opaque") & (lift(target) == 0),
        is_("destroy") & rival & killable(m, foe, target),
        is_("return")
        & (m.attack[p, target] > 0)
        & ~m.permanent_boss(p, target)
        & (m.attack[p, target] != card)
        & ~_in_use(m, p, target),
        is_("boost")
        & (lift(target) == 0)
        & (p == m.active)
        & (m.source >= 0)
        & in_window(m, "W_DECLARED", "W_GUARDED"),
        is_("revive") & m.fallen[p, target] & (m.defence[p, target] == 0) & (lift(target) != 1) & ~m.reading("A38", "NO"),
    )


def _in_use(m: Match, p: Any, column: Any) -> Expr:
    """Whether the card on the attack field is the one that attacks or guards just now."""
    attacks = eq(p, m.active) & eq(m.source, column)
    guards = eq(p, m.target) & eq(m.guard, lift(column) + 3)
    return m.is_phase("BATTLE") & (attacks | guards)


def _foe(m: Match, p: Any) -> Expr:
    """The opponent that a battle skill is aimed at: the other side of the attack step (the same player for nobody)."""
    return 1 - lift(p) if m.players == 2 else other(m, p)


def _use(m: Match, texts: CardTexts, time: str) -> None:
    cards = m.cards.numbers("EXTRA", "TOUGHNESS")
    battle = time == "battle"
    a = m.game.action(
        f"{time}_skill", by=m.word if battle else None, en=f"use the {time} skill of a card",
        ja="カードのバトルスキルを使う" if battle else "カードの編集スキルを使う", tags=["skill"],
    )  # fmt: skip
    card, skill, target = a.param("card", cards), a.param("skill", range(MOST_SKILLS)), a.param("target", range(3))
    me, kind = m.me, BATTLE if battle else EDIT
    foe = _foe(m, me)
    if battle:
        a.clause("SKILL.11", in_window(m) & engaged(m, me))
    else:
        edits(m, a)
        if m.players > 2:
            foe = a.param("at", range(m.players))
            aimed = member(texts.of("effect", card, skill), [EFFECT["damage"], EFFECT["destroy"]])
            a.clause("BATTLE.5", aimed | (foe == 0))
    a.clause("EXTRA.11", texts.of("time", card, skill) == 1 + _TIMES.index(time))
    a.clause("EXTRA.12", _zone(m, texts, me, card, skill))
    source, magic = _source(m, texts, me, card, skill), texts.of("magic", card, skill) == 1
    like_battle_card = magic & m.reading("A118", "EXTRA_LIKE_BATTLE_CARD")
    a.clause("EXTRA.31", budget(m, me, kind, source, free=like_battle_card))
    a.clause("TOUGH.ex2", _needed(m, texts, me, card, skill))
    a.clause("EXTRA.4", _possible(m, texts, me, foe, card, skill, target))
    if any(s and s.effect == "opaque" for row in texts.rows for s in row):
        a.unsaid(
            "CARD.opaque", texts.of("effect", card, skill) != EFFECT["opaque"],
            en="The text of this card cannot be said in the vocabulary of effects.", ja="このカードの文面は効果の語彙では表せない。",
        )  # fmt: skip
    payment = _release(m, texts, a, card, skill)
    die = texts.of("die", card, skill)
    a.effect(
        payment.effects(),
        put(m.skill_used[me, kind, source], True, when=~like_battle_card),
        *([] if battle else [put(m.did["edit_skill"][me], 1), forgo_draw(m, me)]),
        gain(m.hand[me, card], -1, when=magic),
        gain(m.discard[me, card], 1, when=magic),
        put(m.pending, PENDING["CARD"]),
        put(m.pending_player, me),
        put(m.pending_place, 3 * foe + target),
        put(m.pending_card, card),
        put(m.pending_skill, skill),
        put(m.pending_done, die == 0),
        *(answer(m) if battle else []),
    )


def _release(m: Match, texts: CardTexts, a: ActionBuilder, card: Expr, skill: Expr) -> Payment:
    """EXTRA.10: a mana release pays from the board; ``left`` and ``centre`` say how much from there."""
    cost = texts.of("release", card, skill)
    left, centre = a.param("left", range(cost.hi + 1)), a.param("centre", range(cost.hi + 1))
    payment = Payment(m, m.me, "release", cost, (left, centre, cost - left - centre))
    payment.clauses(a, enough="RELEASE.1", place="RELEASE.3")
    return payment


def _could_use(m: Match, texts: CardTexts, p: Any) -> Expr:
    """Whether the player may have a battle skill to use now (payment aside: then passing is left to the player)."""
    found: list[Expr] = []
    foe = _foe(m, p)
    for number, row in enumerate(texts.rows):
        for n, skill in enumerate(row):
            if skill is not None and skill.time == "battle":
                can = any_of(3, lambda c, k=number, n=n: _possible(m, texts, p, foe, const(k), const(n), c))  # type: ignore[misc]
                source = _source(m, texts, p, const(number), const(n))
                free = lift(skill.magic) & m.reading("A118", "EXTRA_LIKE_BATTLE_CARD")
                found.append(
                    both(_zone(m, texts, p, const(number), const(n)), budget(m, p, BATTLE, source, free=free), can)
                )
    return either(*found)


def _resolve(m: Match, texts: CardTexts) -> None:
    """The effect takes place once the die, if there is one, has allowed it."""
    p, card, skill = m.pending_player, m.pending_card, m.pending_skill
    target, foe = (tabulate(part, m.pending_place) for part in (lambda n: n % 3, lambda n: min(n // 3, m.players - 1)))
    effect, amount = texts.of("effect", card, skill), texts.of("amount", card, skill)

    def is_(name: str) -> Expr:
        return effect == EFFECT[name]

    draws = is_("draw") | is_("draw_et")
    life = m.life[foe, target]
    effects: list[Effect] = [
        put(m.life[foe, target], maximum(0, life - amount), when=is_("damage")),
        put(m.life[p, target], heal(m, p, target, amount).value, when=is_("heal")),
        gain(m.due[p], amount, when=is_("draw")),
        gain(m.due_et[p], amount, when=is_("draw_et")),
        *lose_attack(m, foe, target, when=is_("destroy")),
        *after_destruction(m, p, target, when=is_("destroy") & m.is_phase("BATTLE")),
        gain(m.hand[p, m.attack[p, target]], 1, when=is_("return")),
        put(m.attack[p, target], m.under[p, target], when=is_("return")),
        put(m.under[p, target], 0, when=is_("return")),
        gain(m.power, amount, when=is_("boost")),
        put(m.life[p, target], amount, when=is_("revive")),
        # The revived defence is the lowest card of the gathered stack, standing again by its marker (A74).
        put(m.pending, ite(draws, PENDING["DRAW"], 0)),
        put(m.pending_done, False),
    ]
    m.game.trigger("EXTRA.12:effect", m.is_pending("CARD") & m.pending_done, effects,
                   en="The effect of the skill takes place.", ja="スキルの効果が起こる。")  # fmt: skip


def _jabberwock(m: Match, texts: CardTexts) -> None:
    """TOUGH.8: a Toughness card that comes from the hand when a named Extra card is there (A122)."""
    if not texts.has("edit", ("summon",)):
        return
    cards = m.cards.numbers("TOUGHNESS")
    a = m.game.action(
        "summon_by_skill",
        en="summon by the card's own skill",
        ja="カード自身のスキルで召喚する",
        tags=["skill", "summon"],
    )
    card, column = a.param("card", cards), a.param("column", range(3))
    from_column, slot, me = a.param("from", range(3)), a.param("slot", range(m.slots)), m.me
    edits(m, a)
    number = _number_of(texts, card)
    a.clause("TOUGH.8", (number < MOST_SKILLS) & (m.hand[me, card] > 0))
    a.clause("TOUGH.15", budget(m, me, EDIT, 6))
    a.clause("EDIT.9", m.reading("A12", "FREE") | within_limits(m, me, "toughness"))
    a.clause("TOUGH.13", field_for_toughness(m, me, column))
    a.clause("ATK.4", may_lie(m, me, column, card))
    a.clause("OVER.3", m.reading("A121", "NO") | has_room(m, me, column, card))
    needs = texts.of("needs", card, number)
    own = m.extra[me] == needs
    anywhere = any_of(m.players, lambda q: m.extra[q] == needs)
    held = m.hand[me, needs] > 0
    there = own | (m.reading("A122", "HAND_OK") & held) | (m.reading("A122", "ANY_FIELD") & anywhere)
    a.clause("TOUGH.ex2", there & (needs > 0))
    payment = Payment(m, me, "skill", 1, (0, 0, 0))
    bottom = m.is_elements(me, from_column, slot) & (slot == 0)
    free = m.reading("A122", "OWN_FIELD_ELEMENTS_FREE")
    a.clause("TOUGH.ex2b", payment.available(from_column, slot) & (~bottom | free))
    counted = m.reading("A12", "COUNTS")
    a.effect(
        gain(m.hand[me, card], -1), lay_on_attack(m, me, column, card),
        put(m.spent[me, from_column, slot], ite(is_deferred(m, "skill"), 1, 2), when=~bottom),
        spend_budget(m, me, EDIT, 6), put(m.did["edit_skill"][me], 1),
        *(e for e in count(m, me, "toughness") for e in [_only(e, counted)]),
    )  # fmt: skip


def _only(effect: Effect, when: Expr) -> Effect:
    return gain(_cell(effect), effect.value, when=when)


def _cell(effect: Effect) -> Expr:
    from monjudge.model.language import field

    return field(effect.family, effect.indices)


def _number_of(texts: CardTexts, card: Expr) -> Expr:
    """Which skill of the card is the summon skill; MOST_SKILLS when it has none."""
    rows = [next((n for n, s in enumerate(row) if s and s.effect == "summon"), MOST_SKILLS) for row in texts.rows]
    return lookup(Table.of("summon_skill", (len(rows),), rows, MOST_SKILLS), card)
