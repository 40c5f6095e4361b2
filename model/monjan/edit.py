"""The edit turn (EDIT.*, SETUP.5-7, DEF.4): who edits, what one may place in all, draw, middle defence, end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from monjudge.model.language import (
    ActionBuilder,
    Effect,
    Expr,
    Table,
    add,
    all_of,
    any_of,
    as_int,
    each,
    either,
    eq,
    gain,
    ite,
    lift,
    lookup,
    put,
)
from monjudge.model.monjan.elimination import leaves
from monjudge.model.monjan.match import HAND, PENDING, Match, possible
from monjudge.model.monjan.piles import nothing_to_draw

__all__ = ["KINDS", "add_edit", "clear_counters", "count", "edits", "forgo_draw", "is_listed_order", "within_limits"]

NO_LIFE = 17
"""Beyond the life track: the document gives a card without a number no life (A01, A02), so that none is known."""

KINDS = ("mana", "attack", "defence", "extra", "toughness", "boss")
"""The kinds of placement that the limits of an edit turn speak of, in the order in which EDIT.7-11 list them."""


def may_edit(m: Match, me: Any, *, blind: bool = True) -> Expr:
    """Whether the player is in the edit turn and has not ended it (the late variant goes in order).

    A15 BLIND_COMMIT: nobody sees the edits of the others, so that one after the other stands for all at once;
    draws from the shared piles (not ``blind``) come in any order.
    """
    mine = m.is_phase("EDIT") & m.alive[me] & ~m.done[me] & m.nothing_pending()

    def waiting(q: Any, before: Callable[[Any], Expr]) -> Expr:
        return ~m.alive[q] | m.done[q] | (before(q) >= before(me)) | eq(q, me)

    def first(before: Callable[[Any], Expr]) -> Expr:
        return all_of(m.players, lambda q: waiting(q, before))

    # A139 SPEED_ONLY: equals in speed edit together, whoever of them attacked first.
    in_order = m.pick(
        "A139", otherwise=lambda: first(lambda x: m.before[x]), SPEED_ONLY=lambda: first(lambda x: -m.speed[x])
    )
    # A15 is about edit turns that go at the same time.
    one_by_one = m.reading("A15", "BLIND_COMMIT") & lift(blind) & ~late(m)
    return mine & (~one_by_one | first(lift)) & (~late(m) | in_order | _together(m, me))


def late(m: Match) -> Expr:
    """Whether this edit turn goes one after the other (ORDER.1-3)."""
    return m.reading("SEQ", "ON") & (m.turn > 1)


def _together(m: Match, me: Any) -> Expr:
    """A140: after the first player the rest edit together."""

    def is_first(p: Any) -> Expr:
        return all_of(m.players, lambda q: ~m.alive[q] | (m.before[p] <= m.before[q]))

    first_done = all_of(m.players, lambda q: ~m.alive[q] | ~is_first(q) | m.done[q])
    return m.reading("A140", "FIRST_THEN_SIMULTANEOUS") & first_done & ~is_first(me)


def edits(m: Match, a: ActionBuilder) -> None:
    """The conditions that every act of an edit turn shares."""
    a.clause("EDIT.4", may_edit(m, m.me))
    a.clause("SETUP.6", ~needs_middle(m, m.me))
    if possible(m.reading("A14", "MANDATORY_DRAW")):
        a.clause("EDIT.6", ~must_draw(m, m.me))


def needs_middle(m: Match, p: Any) -> Expr:
    """Whether the mandatory middle defence of the first turn is still missing (A01 DEFER lets it wait)."""
    waits = m.reading("A01", "DEFER") & ~has_number(m, p)
    return missing_middle(m, p) & ~waits


def missing_middle(m: Match, p: Any) -> Expr:
    """Whether the middle defence has not been placed yet although it is due (A01 DEFER: also later)."""
    due = (m.turn == 1) | m.reading("A01", "DEFER")
    return due & (m.defence[p, 1] == 0) & ~m.fallen[p, 1]


def has_number(m: Match, p: Any) -> Expr:
    """Whether the player holds a number card."""
    return any_of(m.cards.numbers("NUMBER"), lambda k: m.hand[p, k] > 0)


def within_limits(m: Match, p: Any, kind: str, *, on_board: Expr | bool = True, column: Any = None) -> Expr:
    """Whether one more card of this kind may be placed in this edit turn (A08, A09, A10, A11)."""
    did = m.did
    each_once = _once(m, p, kind, column)
    total = did["total"][p] + as_int(lift(on_board))
    # A08 BASE2: one mana and one attack or defence; any other card takes the place of one of the two.
    own_place = {"mana": did["mana"][p] < 1, "attack": did["attack"][p] + did["defence"][p] < 1}
    own_place["defence"] = own_place["attack"]
    base = (add(*(did[k][p] for k in KINDS)) < 2) & own_place.get(kind, lift(True))
    return either(
        m.reading("A08", "CONJ3") & each_once & (total <= 3),
        m.reading("A08", "EACH") & each_once,
        m.reading("A08", "TOTAL3_ONLY") & (total <= 3),
        m.reading("A08", "BASE2") & base,
    )


def _once(m: Match, p: Any, kind: str, column: Any) -> Expr:
    did = m.did
    if kind not in ("attack", "defence"):
        return did[kind][p] < 1
    shared = did["attack"][p] + did["defence"][p] < 1
    by_row = m.reading("A09", "SHARED") & shared | m.reading("A09", "EACH_ROW") & (did[kind][p] < 1)
    by_row = by_row | m.reading("A09", "EACH_SLOT")
    if column is None:
        return by_row
    # A10 PER_TURN reads MANA.7 as the allowance of the turn, in place of "one card a turn".
    allowance = m.did_column[p, column] < m.height[p, column]
    per_turn = m.reading("A10", "PER_TURN")
    return ite(per_turn, allowance, by_row & (~m.reading("A10", "BOTH") | allowance))


def count(m: Match, p: Any, kind: str, *, on_board: Expr | bool = True) -> list[Effect]:
    """Effects: the placement is counted."""
    return [gain(m.did[kind][p], 1), gain(m.did["total"][p], as_int(lift(on_board)))]


def is_listed_order(m: Match, p: Any, kind: str) -> Expr:
    """Whether the act is not too late in the listed order (A13)."""
    later = KINDS[KINDS.index(kind) + 1 :] if kind in KINDS else ()
    if kind == "attack":
        later = later[1:]
    none_later = add(*(m.did[k][p] for k in later), m.did["edit_skill"][p]) == 0
    mana_first = add(*(m.did[k][p] for k in KINDS if k != "mana"), m.did["edit_skill"][p]) == 0
    return ~m.reading("A13", "LISTED") & (~m.reading("A13", "MANA_FIRST") | (lift(kind != "mana") | mana_first)) | (
        m.reading("A13", "LISTED") & none_later
    )


def clear_counters(m: Match, p: Any, *, edit: bool) -> list[Effect]:
    """Effects: what counts within one edit turn (or one battle turn) starts anew."""
    time = 0 if edit else 1
    fresh = [put(m.skill_used[p, time, s], False) for s in range(8)]
    if not edit and possible(m.reading("A31", "AUX_ONCE_EACH")):
        fresh += [put(m.played[p, k], False) for k in range(6)]
    if not edit and possible(m.reading("A135", "TOTAL_THIS_TURN")):
        fresh.append(put(m.taken[p], 0))
    if not edit:
        return fresh
    return [
        *fresh,
        *(put(m.did[k][p], 0) for k in (*KINDS, "total", "edit_skill")),
        *(put(m.did_column[p, c], 0) for c in range(3)),
    ]


def add_edit(m: Match) -> None:
    """Draw, middle defence and the end of the edit turn."""
    _draw(m)
    _middle(m)
    _end(m)
    _no_number(m)


def acted(m: Match, p: Any) -> Expr:
    """Whether the player has placed anything or used a skill in this edit turn, the middle defence apart."""
    middle = m.reading("A05", "COUNTS_AD") & (m.turn == 1) & (m.defence[p, 1] > 0)
    return add(*(m.did[k][p] for k in (*KINDS, "edit_skill"))) > as_int(middle)


def grants_draw(m: Match) -> Expr:
    """Whether this edit turn begins with a draw at all (EDIT.6; A03)."""
    return m.reading("A03", "YES") | (m.turn > 1)


def must_draw(m: Match, p: Any) -> Expr:
    """A14 MANDATORY_DRAW: whether a draw is owed before anything else."""
    owed = grants_draw(m) & ~m.drawn[p] & ~acted(m, p) & ~nothing_to_draw(m)
    return m.reading("A14", "MANDATORY_DRAW") & owed & ~(m.reading("A04", "MIDDLE_FIRST") & needs_middle(m, p))


def _draw(m: Match) -> None:
    a = m.game.action("draw", en="draw", ja="ドローする", tags=["draw"])
    me = m.me
    a.clause("EDIT.4", may_edit(m, me, blind=False))
    a.clause("EDIT.6", ~m.drawn[me] & ~acted(m, me))
    before = (m.turn > 1) | (m.defence[me, 1] == 0)
    a.clause("FLOW.2", m.pick("A04", otherwise=lambda: before, MIDDLE_FIRST=lambda: ~needs_middle(m, me)))
    a.clause("FLOW.1", grants_draw(m))
    in_order = all_of(m.players, lambda q: ~m.alive[q] | m.drawn[q] | m.done[q] | (m.before[q] >= m.before[me]))
    a.clause("SETUP.2", ~m.reading("A15", "PREV_ORDER") | (m.turn == 1) | in_order)
    a.effect(
        put(m.drawn[me], True),
        put(m.pending, PENDING["DRAW"]),
        put(m.pending_player, me),
    )


def _middle(m: Match) -> None:
    """DEF.4, SETUP.5-7: the middle defence of the first turn needs no mana."""
    others = ("PLUS", "KILL", "PLAIN", "ANY", "EXTRA", "TOUGHNESS")
    kinds = others if possible(m.reading("A02", "ANY", "ANY_MONJAN") | m.reading("A01", "ANY_CARD")) else ()
    if not (cards := m.cards.numbers("NUMBER", *kinds)):
        return
    a = m.game.action("middle", en="place the middle defence", ja="中央の防御を置く", tags=["placement"])
    card, me = a.param("card", cards), m.me
    a.clause("EDIT.4", may_edit(m, me))
    a.clause("SETUP.6", missing_middle(m, me))
    if possible(m.reading("A14", "MANDATORY_DRAW")):
        a.clause("EDIT.6", ~must_draw(m, me))
    a.clause("FLOW.1", m.hand[me, card] > 0)
    number = m.is_kind(card, "NUMBER")
    monjan = m.is_kind(card, "NUMBER", "PLUS", "KILL", "PLAIN")
    any_card = m.reading("A02", "ANY") | (m.reading("A01", "ANY_CARD") & ~has_number(m, me))
    a.clause("DEF.4", number | (m.reading("A02", "ANY_MONJAN") & monjan) | any_card)
    free, total = m.reading("A05", "FREE"), m.reading("A05", "COUNTS_TOTAL")
    a.clause("EDIT.12", free | (m.did["total"][me] < 3))
    a.effect(
        gain(m.hand[me, card], -1),
        put(m.defence[me, 1], card),
        # Added to nothing: where no card of the catalogue gives a life, an assignment would never fit the track.
        put(m.life[me, 1], 0),
        gain(m.life[me, 1], _life_in_the_middle(m, card)),
        gain(m.did["total"][me], as_int(~free)),
        gain(m.did["defence"][me], as_int(~free & ~total)),
    )


def _life_in_the_middle(m: Match, card: Any) -> Expr:
    """CARD.6, DEF.8: the number of the card; A02: +N may give N, any other card gives no life that is known."""
    table = [c.value if c.kind in ("NONE", "NUMBER", "PLUS") else NO_LIFE for c in m.cards.cards]
    life = lookup(Table.of("life_in_the_middle", (len(table),), table, NO_LIFE), card)
    if "CARDS" in m.setting.open:
        life = ite(m.is_kind(card, "NUMBER"), m.value(card), life)
    return ite(m.is_kind(card, "PLUS") & m.reading("A02", "ANY"), NO_LIFE, life)


def _end(m: Match) -> None:
    a = m.game.action("end", en="end", ja="エンド", tags=["end"])
    me = m.me
    a.clause("EDIT.4", may_edit(m, me))
    a.clause("SETUP.6", ~needs_middle(m, me))
    if possible(m.reading("A14", "MANDATORY_DRAW")):
        a.clause("EDIT.6", ~must_draw(m, me))
    a.effect(put(m.done[me], True), forgo_draw(m, me))


def forgo_draw(m: Match, p: Any) -> list[Effect]:
    """Effects: a draw that was not taken at the beginning of the turn is lost (EDIT.6)."""
    return [put(m.due[p], 0), put(m.due_et[p], 0)]


def _no_number(m: Match) -> None:
    """A01: the ways out when the first cards hold no number card for the mandatory middle defence."""

    def stuck(p: Any) -> Expr:
        draw_may_help = ~m.drawn[p] & grants_draw(m) & m.reading("A04", "DRAW_FIRST")
        return missing_middle(m, p) & (m.turn == 1) & ~draw_may_help & ~has_number(m, p)

    if possible(m.reading("A01", "MULLIGAN")):
        a = m.game.action("mulligan", en="draw ten new cards", ja="十枚を引き直す", tags=["draw"])
        me, known = m.me, m.known["deck"]
        a.clause("EDIT.4", may_edit(m, me))
        a.clause("SETUP.6", stuck(me) & m.reading("A01", "MULLIGAN"))
        a.effect(
            each(range(1, len(m.cards)), lambda k: [gain(m.deck[k], m.hand[me, k]), put(m.hand[me, k], 0)]),
            each(4, lambda i: [gain(m.deck[known[i]], 1, when=known[i] > 0), put(known[i], 0)]),
            put(m.due[me], HAND),
            put(m.pending, PENDING["DRAW"]),
            put(m.pending_player, me),
        )
    if possible(m.reading("A01", "LOSE")):
        m.game.trigger(
            "SETUP.6:lose",
            lambda p: m.is_phase("EDIT") & m.nothing_pending() & stuck(p) & m.alive[p] & m.reading("A01", "LOSE"),
            lambda p: leaves(m, p),
            over=(m.players,),
            en="Without a number card for the middle the game is lost.", ja="中央に置く数字カードがなければ負けになる。",
        )  # fmt: skip
