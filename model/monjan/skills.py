"""Board skills (SKILL.*, BOARD.*): unlocked by a fall, one edit and one battle skill a turn, most of them with a die."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from monjudge.model.language import (
    ActionBuilder,
    Effect,
    Expr,
    all_of,
    any_of,
    as_int,
    both,
    count_of,
    each,
    either,
    eq,
    gain,
    ite,
    lift,
    maximum,
    put,
    tabulate,
)
from monjudge.model.monjan.battle import GUARD, NO_CARD, guard_stands, heal, lose_guard
from monjudge.model.monjan.boards import SKILL
from monjudge.model.monjan.budget import BATTLE, EDIT, budget, spend_budget
from monjudge.model.monjan.edit import edits, forgo_draw
from monjudge.model.monjan.match import ABOVE, OUTSIDE, PENDING, STEP, Match, possible
from monjudge.model.monjan.speed import faster
from monjudge.model.monjan.windows import answer, first_word, in_window, opened

__all__ = ["FACES", "add_board_skills", "unlocked"]

FACES = 6
"""COMP.4: one die, six faces presumed (SKILL.ex1, SKILL.ex2 name 1 to 4)."""

ON_A_ROLL = {"LASER": 3, "GRAVITY": 4, "RECYCLE": 4, "FLAME": 3, "CASTLE": 2, "TRAP": 3}
"""Up to which face a board skill succeeds (BOARD.*)."""


def unlocked(m: Match, p: Any, skill: str) -> Expr:
    """Whether the board has the skill on a side whose defence has fallen (SKILL.5, A78, A79)."""
    sides = []
    for side, column in ((0, 0), (1, 2)):
        own = m.fallen[p, column] | (m.reading("A79", "ZERO_IS_ZERO") & (m.life[p, column] == 0))
        opened = m.pick(
            "A78", otherwise=lambda own=own: own,
            LEFT_UNLOCKS_BOTH=lambda: m.fallen[p, 0],
            ANY_UNLOCKS_BOTH=lambda: m.fallen[p, 0] | m.fallen[p, 2],
        )  # fmt: skip
        sides.append((m.board_skill(p, side) == SKILL[skill]) & opened)
    return either(*sides)


def add_board_skills(m: Match) -> list[Callable[[Any], Expr]]:
    """All eight skills of the printed boards and the die; returns when a player must be asked in a window."""
    _laser(m)
    _gravity(m)
    _recycle(m)
    _tea(m)
    ready = [_ritual(m), _flame(m), _castle(m), _trap(m)]
    _guard_back(m)
    _roll(m)
    return ready


def _side(m: Match, p: Any, skill: str) -> Expr:
    return as_int(m.board_skill(p, 0) != SKILL[skill])


def _edit_skill(m: Match, name: str, skill: str, en: str, ja: str, clause: str) -> ActionBuilder:
    a = m.game.action(name, en=en, ja=ja, tags=["skill"])
    edits(m, a)
    a.clause("SKILL.5", unlocked(m, m.me, skill))
    a.clause("SKILL.13", budget(m, m.me, EDIT, _side(m, m.me, skill)))
    a.effect(
        spend_budget(m, m.me, EDIT, _side(m, m.me, skill)), put(m.did["edit_skill"][m.me], 1), forgo_draw(m, m.me)
    )
    return a


def _pend(m: Match, what: str, place: Any = 0) -> list[Effect]:
    return [put(m.pending, PENDING[what]), put(m.pending_player, m.me), put(m.pending_place, place)]


def _laser(m: Match) -> None:
    a = _edit_skill(m, "laser", "LASER", "Anti-AG interception laser", "対AG迎撃レーザー", "BOARD.MANAST.L")
    column = a.param("column", range(3))
    a.clause("BOARD.MANAST.L", m.living(m.me, column))
    a.effect(_pend(m, "LASER", column))


def _gravity(m: Match) -> None:
    a = _edit_skill(m, "gravity", "GRAVITY", "Gravity field", "グラビティフィールド", "BOARD.MANAST.R")
    a.effect(_pend(m, "GRAVITY"))


def _recycle(m: Match) -> None:
    if not m.cards.numbers("ASSASSIN"):
        return
    a = _edit_skill(m, "recycle", "RECYCLE", "Recycling", "リサイクル活動", "BOARD.ATELIER.R")
    slot = a.param("slot", range(OUTSIDE))
    kind = m.is_kind(m.outside[m.me, slot], "ASSASSIN") & ~m.reading("A95", "NOTHING_BUT_NUMBER")
    a.clause("BOARD.ATELIER.R", kind)
    a.clause("BOARD.ATELIER.R3", m.reused[m.me, slot] == 0)
    a.effect(_pend(m, "RECYCLE", slot))


def _tea(m: Match) -> None:
    if not (take := m.cards.numbers("PLUS", "KILL")) and not m.cards.numbers("PLAIN"):
        return
    hand = m.cards.numbers("PLUS", "KILL", "NUMBER", "PLAIN", "ANY", "EXTRA", "TOUGHNESS")
    a = _edit_skill(m, "tea", "TEA", "Tea party", "ティーパーティー", "BOARD.ATELIER.L")
    given, taken, me = a.param("give", hand), a.param("take", range(min(take, default=1), hand.stop)), m.me
    a.clause("BOARD.ATELIER.L", (m.hand[me, given] > 0) & m.is_kind(taken, "PLUS", "KILL", "PLAIN"))
    a.clause("BOARD.ATELIER.L2", m.uses["tea"][me] < 3)
    # A129 DISCARD from a pile that is shared, one's own, or gone for good (A152).
    shared = m.reading("A152", "SHARED_OPEN")
    owner: Expr = me
    for q in reversed(range(m.players)):
        owner = ite(shared & (m.discard[me, taken] == 0) & (m.discard[q, taken] > 0), q, owner)
    a.clause("BCARD.1", (m.discard[owner, taken] > 0) & ~m.reading("A152", "REMOVED_FROM_GAME"))
    a.effect(
        gain(m.hand[me, given], -1), gain(m.hand[me, taken], 1),
        gain(m.discard[me, given], 1), gain(m.discard[owner, taken], -1),
        gain(m.uses["tea"][me], 1),
    )  # fmt: skip


# -- battle skills -------------------------------------------------------------------------------------


def _battle_skill(m: Match, name: str, skill: str, en: str, ja: str) -> ActionBuilder:
    a = m.game.action(name, by=m.word, en=en, ja=ja, tags=["skill"])
    a.clause("SKILL.11", in_window(m, "W_DAMAGE" if skill in ("RITUAL", "TRAP") else "W_DECLARED"))
    a.clause("SKILL.5", unlocked(m, m.me, skill))
    a.clause("SKILL.13", budget(m, m.me, BATTLE, _side(m, m.me, skill)))
    a.effect(spend_budget(m, m.me, BATTLE, _side(m, m.me, skill)), answer(m))
    return a


def _asked(m: Match, skill: str, window: str, ready: Callable[[Any], Expr]) -> Callable[[Any], Expr]:
    """When the player must be asked because this skill could be used."""
    return lambda p: both(
        in_window(m, window), unlocked(m, p, skill), budget(m, p, BATTLE, _side(m, p, skill)), ready(p)
    )


def _ritual(m: Match) -> Callable[[Any], Expr]:
    """BOARD.FLEHEIM.L: the card whose life became zero attacks with 1, above the attack row (A124-A126, A159)."""

    def at(q: Any, c: Any) -> Expr:
        return eq(m.last_fall, 3 * q + c + 1)

    owner = ite(m.last_fall > 3, 1, 0) if m.players == 2 else _owner(m)
    column = m.last_fall - 1 - 3 * owner

    def laid(p: Any) -> Expr:
        return count_of(ABOVE, lambda i: m.above[p, i] > 0)

    hand_card = m.reading("A124", "OWN_HAND_CARD")

    def ready(p: Any) -> Expr:
        own_middle = at(p, 1)
        side = column != 1
        takes_m = (m.reading("A77", "STAY") & (m.defence[owner, 1] > 0)) | (
            m.reading("A77", "TO_DISCARD") & (m.discard[owner, m.last_card] > 0)
        )
        in_column = ite(m.reading("A67", "MANA_ONLY"), m.discard[owner, m.last_card] > 0, m.height[owner, column] > 0)
        there = ite(side, in_column, takes_m)
        first_own = at(p, 2 * _side(m, p, "RITUAL")) & m.reading("A85", "NONE")
        room = m.pick(
            "A125", otherwise=lambda: m.uses["ritual"][p] < 4,
            ABOVE_ROW_4_AT_ONCE=lambda: laid(p) < 4,
            IN_SLOTS=lambda: any_of(3, lambda c: m.attack_free(p, c)),
        )  # fmt: skip
        only_own = ~m.reading("A124", "OWN_ONLY") | (owner == p)
        return both(
            m.last_fall > 0,
            ~own_middle,
            there | m.reading("A124", "TOKEN", "OWN_HAND_CARD"),
            ~first_own,
            room,
            only_own,
        )

    a = _battle_skill(m, "ritual", "RITUAL", "Infernal resurrection ritual", "地獄の復活儀式")
    me = m.me
    card: Expr = m.last_card
    if possible(hand_card):
        kinds = m.cards.numbers("PLUS", "KILL", "NUMBER", "PLAIN", "ANY", "EXTRA", "TOUGHNESS")
        chosen = a.param("card", range(0, kinds.stop))
        a.clause("BOARD.FLEHEIM.L2", ite(hand_card, m.hand[me, chosen] > 0, chosen == 0))
        card = ite(hand_card, chosen, card)
    a.clause("BOARD.FLEHEIM.L", ready(me))
    a.limit(
        "LIMIT.above", laid(me) < ABOVE,
        en="The model holds no more cards above the attack row.", ja="この模型では攻撃欄の上にこれ以上カードを置けない。",
    )  # fmt: skip
    takes = m.reading("A124", "TAKES_CARD", "OWN_ONLY")
    gathered = takes & (column != 1) & ~m.reading("A67", "MANA_ONLY")
    from_pile = takes & ite(column == 1, m.reading("A77", "TO_DISCARD"), m.reading("A67", "MANA_ONLY"))
    token = m.reading("A124", "TOKEN")

    def first_free(i: Any) -> Expr:
        return (m.above[me, i] == 0) & all_of(ABOVE, lambda j: (j >= i) | (m.above[me, j] > 0))

    in_slots = m.reading("A125", "IN_SLOTS")
    free: Callable[[Any], Expr] = first_free
    if possible(in_slots):
        # The place with the number of a column then stands for the attack field of that column.
        field = a.param("field", range(3))
        a.clause("BOARD.FLEHEIM.L3", ite(in_slots, m.attack_free(me, field), field == 0))
        free = lambda i: ite(in_slots, i == field, first_free(i))  # noqa: E731

    a.effect(
        each(ABOVE, lambda i: put(m.above[me, i], ite(token, m.cards.token, card), when=free(i))),
        each(ABOVE, lambda i: put(m.attacked[4 + OUTSIDE + i], True, when=free(i) & (m.active == me) & m.reading("A159", "NEXT_STEP"))),
        each(m.slots, lambda s: [
            put(m.mana[owner, column, s], ite(s == m.slots - 1, 0, m.mana[owner, column, s + 1]), when=gathered),
            put(m.spent[owner, column, s], ite(s == m.slots - 1, 0, m.spent[owner, column, s + 1]), when=gathered),
            put(m.down[owner, column, s], m.down[owner, column, s + 1], when=gathered & (s < m.slots - 1)),
        ]),
        gain(m.height[owner, column], -1, when=gathered),
        gain(m.elements[owner, column], -1, when=gathered),
        gain(m.discard[owner, m.last_card], -1, when=from_pile),
        put(m.defence[owner, 1], 0, when=takes & (column == 1) & m.reading("A77", "STAY")),
        gain(m.hand[me, card], -1, when=hand_card),
        gain(m.uses["ritual"][me], 1),
        put(m.last_fall, 0),
    )  # fmt: skip
    return _asked(m, "RITUAL", "W_DAMAGE", ready)


def _owner(m: Match) -> Expr:
    return tabulate(lambda n: max(0, n - 1) // 3, m.last_fall)


def _attack_row(m: Match, p: Any, place: Any) -> Expr:
    return guard_stands(m, p, place) & ~eq(place, 6) & (lift(place) >= 3)


def _flame(m: Match) -> Callable[[Any], Expr]:
    """BOARD.FLEHEIM.R: on 1-3 one attack card takes all attacks of a faster opponent (A127, A128, A137)."""
    places = range(3, NO_CARD + possible(m.reading("A127", "NULLIFY_IF_NONE")))

    def attacked(p: Any) -> Expr:
        return both(m.target == p, faster(m, m.active, p))

    def untouched(p: Any) -> Expr:
        return all_of(GUARD.size, lambda g: ~m.guarded[p, g])

    def takes(p: Any, place: Any) -> Expr:
        return m.pick(
            "A127", otherwise=lambda: _attack_row(m, p, place),
            OWN_INCL_E=lambda: _attack_row(m, p, place) | (eq(place, 6) & guard_stands(m, p, place)),
            OPPONENTS_CARD=lambda: _attack_row(m, m.active, place),
            NULLIFY_IF_NONE=lambda: _attack_row(m, p, place) | (eq(place, NO_CARD) & ~own(p)),
        )  # fmt: skip

    def own(p: Any) -> Expr:
        return any_of(range(3, GUARD.size), lambda g: _attack_row(m, p, g))

    def ready(p: Any) -> Expr:
        return both(attacked(p), untouched(p), any_of(places, lambda g: takes(p, g)))

    a = _battle_skill(m, "flame", "FLAME", "Flame of anger", "怒りの炎")
    place, me = a.param("by", places), m.me
    a.clause("BOARD.FLEHEIM.R", attacked(me))
    a.clause("BOARD.FLEHEIM.R2", takes(me, place) & untouched(me))
    a.effect(_pend(m, "FLAME", place))
    return _asked(m, "FLAME", "W_DECLARED", ready)


def _castle(m: Match) -> Callable[[Any], Expr]:
    """BOARD.HUNTERS.L: on 1-2 the attack of a slower opponent is nothing, once a game (A134)."""

    def once(p: Any) -> Expr:
        return m.uses["castle"][p] < 1

    a = _battle_skill(m, "castle", "CASTLE", "One-night castle", "一夜城")
    a.clause("BOARD.HUNTERS.L", _by_slower(m, m.me))
    a.clause("BOARD.HUNTERS.L3", once(m.me))
    a.effect(_pend(m, "CASTLE"))
    return _asked(m, "CASTLE", "W_DECLARED", lambda p: _by_slower(m, p) & once(p))


def _by_slower(m: Match, p: Any) -> Expr:
    """Whether the player is attacked by a slower one (BOARD.HUNTERS.L, BOARD.HUNTERS.R)."""
    return both(m.target == p, faster(m, p, m.active))


def _trap(m: Match) -> Callable[[Any], Expr]:
    """BOARD.HUNTERS.R: on 1-3 half of the damage that a defence took goes back (A135, A136, A85)."""

    def hurt(p: Any) -> Expr:
        by_card = m.reading("A135", "ALSO_WHEN_CARD_GUARDED")
        by_defence = (m.guard >= 0) & ((m.guard < 3) | by_card) & (m.power > 0)
        this_fall = (m.last_fall == 3 * p + 2 * _side(m, p, "TRAP") + 1) & ~m.reading("A85", "ALL")
        return both(by_defence, ~this_fall, m.alive[m.active])

    a = _battle_skill(m, "trap", "TRAP", "Dragon trap", "ドラゴントラップ")
    a.clause("BOARD.HUNTERS.R", _by_slower(m, m.me))
    a.clause("BOARD.HUNTERS.R2", hurt(m.me))
    a.effect(_pend(m, "TRAP"))
    return _asked(m, "TRAP", "W_DAMAGE", lambda p: _by_slower(m, p) & hurt(p))


def _guard_back(m: Match) -> None:
    """A136 AS_ATTACK: the attacker chooses which of the own cards takes the returned damage."""
    a = m.game.action(
        "guard_back",
        by=m.active,
        en="guard the returned damage with",
        ja="返されたダメージをガードする",
        tags=["guard"],
    )
    place, me = a.param("by", GUARD), m.me
    a.clause("BOARD.HUNTERS.R2", m.is_phase("BATTLE") & m.is_step("GUARD_BACK") & m.nothing_pending())
    a.clause("GUARD.4", guard_stands(m, me, place))
    a.effect(
        put(m.life[me, place], maximum(0, m.life[me, place] - m.power), when=place < 3),
        lose_guard(m, me, place),
        put(m.last_fall, 0),
        put(m.source, -1), put(m.guard, -1), put(m.power, 0),
        opened(m, "W_BEFORE"),
    )  # fmt: skip


# -- the die ------------------------------------------------------------------------------------------------


def _roll(m: Match) -> None:
    a = m.game.action("roll", weight=1, en="roll", ja="サイコロを振る", tags=["chance"])
    face, p, place = a.param("face", range(1, FACES + 1)), m.pending_player, m.pending_place
    a.clause("COMP.4", either(*(m.is_pending(s) for s in ON_A_ROLL)) | m.card_rolls())
    won = {s: m.is_pending(s) & (face <= most) for s, most in ON_A_ROLL.items()}
    damage = m.pick(
        "A135", otherwise=lambda: m.power,
        LIFE_LOST_ONE_ATTACK=lambda: m.lost,
        TOTAL_THIS_TURN=lambda: m.taken[p],
    )  # fmt: skip
    half = tabulate(lambda n: n // 2, damage)
    back = won["TRAP"] & (half > 0)
    card = m.card_rolls()
    succeeds = card & (face <= m.card_die())
    a.effect(
        put(m.pending, ite(won["GRAVITY"], PENDING["DRAW"], ite(succeeds, PENDING["CARD"], 0))),
        put(m.pending_done, succeeds),
        gain(m.due[p], 1, when=won["GRAVITY"]),
        put(m.life[p, place], heal(m, p, place, 2).value, when=won["LASER"]),
        put(m.reused[p, place], 1, when=won["RECYCLE"]),
        put(m.flame, place + 1, when=won["FLAME"]),
        put(m.step, STEP["W_BEFORE"], when=won["CASTLE"]),
        put(m.word, first_word(m, m.active, m.target), when=won["CASTLE"]),
        put(m.passed, False, when=won["CASTLE"]),
        put(m.source, -1, when=won["CASTLE"]),
        gain(m.uses["castle"][p], 1, when=won["CASTLE"]),
        put(m.power, half, when=back),
        put(m.step, STEP["GUARD_BACK"], when=back),
    )
