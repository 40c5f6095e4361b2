"""Before the deal (MODE.1a-1c, MODE.2d-2g, MODE.3a, MODE.4a-6a, SUPPLY.1): initial equipment is picked, E and T cards are mixed in.

The yellow cards of the pool are picked in turn from the winner of rock-paper-scissors on, or
drawn by lot. Then so many of the remaining cards as the mode says go into their pile; which
of them is settled by lot unless the players had agreed on the cards (see ``set_up.start``).
"""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Expr, all_of, any_of, each, eq, gain, ite, lift, put, sum_of, tabulate
from monjudge.model.monjan.match import MODE, PHASE, Match
from monjudge.model.monjan.modes import MODES

__all__ = ["add_draft"]

_OWN_PILE = tuple(name for name, mode in MODES.items() if mode.own_pile)


def add_draft(m: Match) -> None:
    """The acts of the draft; the deal follows when nothing is left to pick or to mix in."""
    if cards := m.cards.numbers("EXTRA", "TOUGHNESS"):
        _pick(m, cards)
        _draw_equipment(m, cards)
        _mix(m, cards)
        _exhausted(m, cards)
    _deal(m)


def _drafting(m: Match) -> Expr:
    return m.is_phase("DRAFT") & any_of(m.players, lambda p: m.picks[p] > 0)


def _mixing(m: Match) -> Expr:
    return m.is_phase("DRAFT") & all_of(m.players, lambda p: m.picks[p] == 0)


def _seat(m: Match, p: Any) -> Expr:
    """How many seats after the winner of rock-paper-scissors the player sits."""
    return ite(lift(p) >= m.first_pick, p - m.first_pick, p - m.first_pick + m.players)


def _picker(m: Match) -> Expr:
    """Whose pick it is: of those with the most picks left the first one (MODE.1b; A147 SNAKE: every other round the last)."""
    given = tabulate(lambda n: MODES[MODE.labels[n]].picks, m.mode)
    most: Expr = lift(0)
    for p in range(m.players):
        most = ite(m.picks[p] > most, m.picks[p], most)
    back = m.reading("A147", "SNAKE") & tabulate(lambda n: n % 2 == 1, given - most)

    def next_one(p: int) -> Expr:
        def later(q: int) -> Expr:
            before = ite(back, _seat(m, p) > _seat(m, q), _seat(m, p) < _seat(m, q))
            return (m.picks[q] < m.picks[p]) | (eq(m.picks[q], m.picks[p]) & before)

        return all_of_players(m, lambda q: lift(q == p) | later(q))

    picker: Expr = lift(m.players - 1)
    for p in reversed(range(m.players - 1)):
        picker = ite(next_one(p), p, picker)
    return picker


def all_of_players(m: Match, holds: Any) -> Expr:
    """Whether it holds for every player, written out: the players are numbers, not a variable."""
    result: Expr = lift(True)
    for p in range(m.players):
        result = result & holds(p)
    return result


def _pick(m: Match, cards: range) -> None:
    a = m.game.action("pick", by=_picker(m), en="pick a card of initial equipment", ja="初期装備を選ぶ", tags=["draft"])
    card, me = a.param("card", cards), m.me
    a.clause("MODE.1b", _drafting(m) & ~m.by_lot)
    a.clause("MODE.1p", (m.pool[card] > 0) & m.is_initial(card))
    a.effect(gain(m.pool[card], -1), gain(m.hand[me, card], 1), gain(m.picks[me], -1))


def _draw_equipment(m: Match, cards: range) -> None:
    """MODE.1c, MODE.2g: the cards lie face down and are drawn in turn."""
    a = m.game.action("draw_equipment", en="draw a card of initial equipment", ja="初期装備を引く", tags=["chance"])
    card = a.param("card", cards)
    a.outcome(m.pool[card])
    a.clause("MODE.1c", _drafting(m) & m.by_lot)
    a.clause("MODE.1p", m.is_initial(card))
    p = _picker(m)
    a.effect(gain(m.pool[card], -1), gain(m.hand[p, card], 1), gain(m.picks[p], -1))


def _to_et_pile(m: Match) -> Expr:
    return m.in_mode(*_OWN_PILE) | m.reading("A146", "ALWAYS_SEPARATE")


def _mix(m: Match, cards: range) -> None:
    a = m.game.action("mix_in", en="a card is mixed into the pile", ja="カードを束に混ぜる", tags=["chance"])
    card = a.param("card", cards)
    a.outcome(m.pool[card])
    # When nothing is left to mix in, the deal has begun (MODE.2f).
    a.clause("MODE.2e", _mixing(m))
    apart = _to_et_pile(m)
    a.effect(
        gain(m.pool[card], -1),
        gain(m.deck[card], 1, when=~apart),
        gain(m.et[card], 1, when=apart),
        gain(m.mixing, -1),
    )
    # Where all cards go there is nothing to draw lots about.
    left = sum_of(cards, lambda k: m.pool[k])
    m.game.trigger(
        "SUPPLY.1",
        _mixing(m) & (m.mixing > 0) & (m.mixing >= left),
        [
            put(m.mixing, 0),
            each(cards, lambda k: [
                put(m.pool[k], 0),
                gain(m.deck[k], m.pool[k], when=~apart),
                gain(m.et[k], m.pool[k], when=apart),
            ]),
        ],
    )  # fmt: skip


def _exhausted(m: Match, cards: range) -> None:
    """A143 AS_MANY_AS_POSSIBLE: the draft ends when no initial equipment is left."""
    none = all_of(cards, lambda k: ~m.is_initial(k) | (m.pool[k] == 0))
    m.game.trigger("MODE.1b2", _drafting(m) & none, [put(m.picks[p], 0) for p in range(m.players)])


def _deal(m: Match) -> None:
    """MODE.2f: then the first cards are dealt."""
    m.game.trigger("MODE.2f", _mixing(m) & (m.mixing == 0), [put(m.phase, PHASE["DEAL"])])
