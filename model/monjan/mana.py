"""Mana and number cards (MANA.*, ATK.*, DEF.*, FALL.6-8): laying mana, attack and defence, element matching."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from monjudge.model.language import (
    Effect,
    Expr,
    add,
    as_int,
    both,
    count_of,
    each,
    gain,
    ite,
    lift,
    max_of,
    minimum,
    put,
)
from monjudge.model.monjan.cards import NO_ELEMENT
from monjudge.model.monjan.edit import count, edits, is_listed_order, within_limits
from monjudge.model.monjan.hiding import face_down, supports_hidden
from monjudge.model.monjan.match import Match, once, possible

__all__ = ["add_mana", "has_room", "supported"]


def add_mana(m: Match) -> None:
    """The acts "lay a mana card" and "place a number card on attack or defence"."""
    _lay(m)
    _place(m, "attack")
    _place(m, "defence")
    _fall_off(m)


def _lay(m: Match) -> None:
    if not (cards := m.cards.numbers("PLUS", "KILL", "NUMBER", "PLAIN", "ANY", "EXTRA", "TOUGHNESS")):
        return
    a = m.game.action("mana", en="lay a mana card", ja="マナを置く", tags=["placement"])
    card, column, me = a.param("card", cards), a.param("column", range(3)), m.me
    edits(m, a)
    a.clause("EDIT.7", within_limits(m, me, "mana"))
    a.clause("EDIT.5", is_listed_order(m, me, "mana"))
    a.clause("OVER.1", m.hand[me, card] > 0)
    a.clause("MANA.1", m.is_kind(card, "NUMBER", "PLUS", "KILL", "PLAIN", "ANY") | m.reading("A17", "YES_NO_ELEMENT"))
    a.limit(
        "LIMIT.slots",
        m.height[me, column] < m.slots,
        en="The model holds no more mana in a column.",
        ja="この模型の列にはこれ以上マナを置けない。",
    )
    height, down = m.height[me, column], face_down(m, a)
    a.effect(
        gain(m.hand[me, card], -1),
        put(m.mana[me, column, height], card),
        put(m.down[me, column, height], down),
        gain(m.height[me, column], 1),
        *count(m, me, "mana"),
        put(m.laid[me], column + 1),
    )


def _place(m: Match, row: str) -> None:
    if not (cards := m.cards.numbers("NUMBER")):
        return
    attacks = row == "attack"
    a = m.game.action(
        row,
        en=f"place a number card on {row}",
        ja="数字カードを攻撃に置く" if attacks else "数字カードを防御に置く",
        tags=["placement"],
    )
    card, column, me = a.param("card", cards), a.param("column", range(3)), m.me
    edits(m, a)
    a.clause("EDIT.8", within_limits(m, me, row, column=column))
    a.clause("EDIT.5", is_listed_order(m, me, row))
    a.clause("CARD.5" if attacks else "CARD.6", m.hand[me, card] > 0)
    field = m.attack if attacks else m.defence
    old = field[me, column]
    replaces, stacks = m.reading("A07", "REPLACE"), m.reading("A07", "STACK")
    beneath = m.under[me, column] if attacks else m.beneath_defence(me, column)
    free = m.attack_free(me, column) if attacks else old == 0
    a.clause("MANA.7", free | ((replaces | stacks) & m.is_kind(old, "NUMBER")))
    if attacks:
        number, cap = m.value(card), m.cap(me, column)
        a.clause("ATK.1", ite(m.reading("A25", "LE"), number <= cap, number < cap))
    else:
        a.clause("FALL.8", ~m.fallen[me, column])
    a.clause("MANA.6", supported(m, me, column, card, row))
    if possible(stacks):
        a.limit(
            "LIMIT.stack", ~stacks | (old == 0) | (beneath == 0),
            en="The model holds no more than two cards on one field.", ja="この模型では一つの欄に二枚まで重ねられる。",
        )  # fmt: skip
    if attacks:
        a.effect(put(m.attack_down[me, column], face_down(m, a)))
    a.effect(
        gain(m.hand[me, card], -1),
        put(field[me, column], card),
        gain(m.discard[me, old], 1, when=(old > 0) & ~stacks),
        *([put(beneath, old, when=(old > 0) & stacks)] if possible(stacks) else []),
        *count(m, me, row),
        gain(m.did_column[me, column], 1),
        *(_consume(m, card, column) if possible(m.reading("A23", "YES")) else []),
    )
    if not attacks:
        life = minimum(16, ite(stacks, m.life[me, column], 0) + m.value(card))
        a.effect(put(m.life[me, column], life))


def _consume(m: Match, card: Expr, column: Expr) -> list[Effect]:
    """A23 YES: the uppermost mana that fits is spent by the placement."""
    me = m.me

    def fits(s: Any) -> Expr:
        return (
            m.in_stack(me, column, s)
            & (m.spent[me, column, s] == 0)
            & (m.is_elements(me, column, s) | (m.element(m.mana[me, column, s]) == m.element(card)))
        )

    chosen = ite(m.reading("A23", "YES"), max_of(m.slots, lambda s: ite(fits(s), s, -1)), -1)
    return each(m.slots, lambda s: put(m.spent[me, column, s], 1, when=s == chosen))


# -- element matching (MANA.6, MANA.7; A06, A10, A19-A24) ------------------------------------------


@once
def _counts_as_mana(m: Match, p: Any, c: Any, s: Any) -> Expr:
    gone = m.reading("A106", "GONE_FOR_ALL") & (m.spent[p, c, s] > 0)
    return m.in_stack(p, c, s) & ~gone & supports_hidden(m, p, c, s)


@once
def _wild(m: Match, p: Any, c: Any) -> Expr:
    return count_of(m.slots, lambda s: _counts_as_mana(m, p, c, s) & m.is_elements(p, c, s))


@once
def _of_element(m: Match, p: Any, c: Any, element: Any) -> Expr:
    """How many plain mana of the column have the element."""
    return count_of(
        m.slots,
        lambda s: _counts_as_mana(m, p, c, s) & ~m.is_elements(p, c, s) & (m.element(m.mana[p, c, s]) == element),
    )


@once
def _amount(m: Match, p: Any, c: Any) -> Expr:
    return count_of(m.slots, lambda s: _counts_as_mana(m, p, c, s))


@once
def _needs(m: Match, card: Any, row: str, column: Any) -> Expr:
    """Whether a standing card takes up mana of its column (A06, A121)."""
    number = m.is_kind(card, "NUMBER")
    if row == "attack":
        return number | (m.is_kind(card, "TOUGHNESS") & m.reading("A121", "YES"))
    free_middle = (lift(column) == 1) & m.reading("A06", "NOT_COUNTED")
    return number & ~free_middle


def has_room(m: Match, p: Any, column: Any, card: Any) -> Expr:
    """Whether the mana bear a Toughness card on the attack field, of whatever element they are (A121 YES)."""
    return m.pick(
        "A19",
        otherwise=lambda: _amount(m, p, column) >= 1 + as_int(_needs(m, m.defence[p, column], "defence", column)),
        GLOBAL=lambda: _supported_anywhere(m, p, column, card, "attack"),
    )


@once
def _fitting(m: Match, p: Any, c: Any, card: Any) -> Expr:
    """How many plain mana of the column can bear the card: those of its element; for a Toughness card (A121) any."""
    same = _of_element(m, p, c, m.element(card))
    if not possible(m.reading("A121", "YES")):
        return same
    return ite(m.is_kind(card, "TOUGHNESS"), _amount(m, p, c) - _wild(m, p, c), same)


def supported(m: Match, p: Any, column: Any, card: Any, row: str) -> Expr:
    """Whether the mana bear the card in this row together with what stands there already."""
    return m.pick(
        "A19",
        otherwise=lambda: _supported_here(m, p, column, card, row, [*_stacked(m, p, column), *_covered(m, p, column, row)]),
        GLOBAL=lambda: _supported_anywhere(m, p, column, card, row),
    )


def _stacked(m: Match, p: Any, c: Any) -> list[tuple[Expr, Expr]]:
    """A07 STACK: the cards beneath others on the fields of a column, each with whether it takes up mana."""
    if not possible(m.reading("A07", "STACK")):
        return []
    lower = (("attack", m.under[p, c]), ("defence", m.beneath_defence(p, c)))
    return [(kind, m.reading("A07", "STACK") & _needs(m, kind, row, c)) for row, kind in lower]


def _drop_stacked(m: Match, p: Any, c: Any, row: str) -> list[Effect]:
    """Effects: the card beneath the one of this row is discarded too (A07 STACK)."""
    if not possible(m.reading("A07", "STACK")):
        return []
    lower = m.under[p, c] if row == "attack" else m.beneath_defence(p, c)
    return [gain(m.discard[p, lower], 1, when=lower > 0), put(lower, 0)]


def _covered(m: Match, p: Any, c: Any, row: str) -> list[tuple[Expr, Expr]]:
    """A07 STACK: the card that a card placed in this row would lie on, with whether it takes up mana."""
    if not possible(m.reading("A07", "STACK")):
        return []
    old = (m.attack if row == "attack" else m.defence)[p, c]
    return [(old, m.reading("A07", "STACK") & _needs(m, old, row, c))]


def _supported_here(m: Match, p: Any, column: Any, card: Any, row: str, more: Sequence[tuple[Expr, Expr]] = ()) -> Expr:
    """Whether the column bears the card beside the one in the other row, and ``more`` cards beneath them."""
    other_row, other = ("defence", m.defence[p, column]) if row == "attack" else ("attack", m.attack[p, column])
    other_counts = _needs(m, other, other_row, column)
    wild, mine, its = _wild(m, p, column), m.element(card), m.element(other)
    of_mine, of_its = _fitting(m, p, column, card), _fitting(m, p, column, other)
    fits = of_mine + wild >= 1
    room = _amount(m, p, column) >= add(1 + as_int(other_counts), *(as_int(needs) for _, needs in more))
    # Hall's condition for two cards: each has a mana, and both together have two.
    together = ite(mine == its, of_mine, of_mine + of_its) + wild >= 2
    if possible(m.reading("A121", "YES")):
        together = together & (_amount(m, p, column) >= 2)
    other_fits = of_its + wild >= 1

    def all_fit() -> Expr:
        if more:
            return _matchable(m, p, [column], [(card, lift(True)), (other, other_counts), *more])
        return fits & (~other_counts | (other_fits & together))

    def matching() -> Expr:
        return m.pick(
            "A22",
            otherwise=all_fit,
            COUNT_ONLY_NUMBER=lambda: fits & room,
            NEW_ONLY=lambda: fits & ite(other_counts & other_fits, together, True),
        )

    # FALL.7: Elements are of every element, also where they lie on top.
    height = m.height[p, column]
    same_top = ite(height > m.elements[p, column], m.element(m.shown(p, column)) == mine, height > 0)
    return m.pick(
        "A20",
        otherwise=lambda: m.pick("A10", otherwise=matching, PER_TURN=lambda: fits),
        ANY_IN_COLUMN=lambda: fits & room,
        TOP=lambda: same_top & room,
        JUST_LAID=lambda: same_top & room & (m.laid[p] == lift(column) + 1),
        COUNT_ONLY=lambda: room & ((_amount(m, p, column) >= 2) | fits),
    )


def _supported_anywhere(m: Match, p: Any, column: Any, card: Any, row: str) -> Expr:
    """A19 GLOBAL: whether all cards and all mana of the board can be matched."""
    standing = [(r, c) for r in ("attack", "defence") for c in range(3)]
    table = {"attack": m.attack, "defence": m.defence}

    def at(r: str, c: int) -> tuple[Expr, Expr]:
        placed = (lift(column) == c) if r == row else lift(False)
        kind = ite(placed, card, table[r][p, c])
        return kind, _needs(m, kind, r, c)

    cards = [at(r, c) for r, c in standing]
    cards += [part for c in range(3) for part in _stacked(m, p, c)]
    cards += [(old, needs & (lift(column) == c)) for c in range(3) for old, needs in _covered(m, p, c, row)]
    return _matchable(m, p, range(3), cards)


def _matchable(m: Match, p: Any, columns: Iterable[Any], cards: Sequence[tuple[Expr, Expr]]) -> Expr:
    """Hall's condition over all sets of elements: the cards that need it have each a mana of these columns.

    A Toughness card (A121) fits every mana: it counts in the whole set only.
    """
    where = list(columns)
    wild = add(*(_wild(m, p, c) for c in where))
    supply = [add(*(_of_element(m, p, c, e) for c in where)) for e in range(NO_ELEMENT)]
    demand = [add(*(as_int(needs & (m.element(kind) == e)) for kind, needs in cards)) for e in range(NO_ELEMENT)]
    return both(
        add(*(as_int(needs) for _, needs in cards)) <= add(*(_amount(m, p, c) for c in where)),
        *(
            add(*(demand[e] for e in chosen)) <= add(*(supply[e] for e in chosen)) + wild
            for size in range(1, NO_ELEMENT + 1)
            for chosen in itertools.combinations(range(NO_ELEMENT), size)
        ),
    )


def _fall_off(m: Match) -> None:
    """A21 FALL_OFF: a number card whose mana is gone does not stay."""
    falls = m.reading("A21", "FALL_OFF")
    if not possible(falls):
        return

    def needs_mana(row: str, c: Expr) -> Expr:
        return lift(row == "attack") | (c != 1)  # SETUP.7: the middle defence stands without

    for row, field in (("attack", m.attack), ("defence", m.defence)):
        m.game.trigger(
            f"MANA.6:{row}",
            lambda p, c, row=row, field=field: both(
                falls, m.is_kind(field[p, c], "NUMBER"), _needs(m, field[p, c], row, c), needs_mana(row, c),
                ~_supported_here(m, p, c, field[p, c], row, _stacked(m, p, c)),
            ),
            lambda p, c, row=row, field=field: [
                gain(m.discard[p, field[p, c]], 1),
                put(field[p, c], 0),
                *_drop_stacked(m, p, c, row),
                *([put(m.life[p, c], 0)] if row == "defence" else []),
            ],
            over=(m.players, 3),
            en="A number card without its mana is discarded.", ja="支えるマナを失った数字カードは捨てられる。",
        )  # fmt: skip
