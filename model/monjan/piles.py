"""Piles (SETUP.2-3, COMP.*, EDIT.6, FALL.4, SUPPLY.*): drawing from a pile whose uppermost cards may be known."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Cells, Effect, Expr, all_of, any_of, as_int, each, gain, ite, put
from monjudge.model.monjan.match import PENDING, Match

__all__ = ["add_draw", "draw_weight", "nothing_to_draw", "pile_empty", "take"]


def _known(m: Match, pile: str) -> Cells:
    return m.known[pile]


def _count(m: Match, pile: str) -> Cells:
    return {"deck": m.deck, "ba": m.ba, "et": m.et}[pile]


def pile_empty(m: Match, pile: str) -> Expr:
    """Whether no card is left: none known on top, none beneath."""
    counts = _count(m, pile)
    return (_known(m, pile)[0] == 0) & all_of(range(1, len(m.cards)), lambda k: counts[k] == 0)


def draw_weight(m: Match, pile: str, card: Any) -> Expr:
    """The weight of drawing the card: certain if it is known to be on top, else its number in the pile."""
    top = _known(m, pile)[0]
    return ite(top > 0, as_int(top == card), _count(m, pile)[card])


def take(m: Match, pile: str, card: Any, when: Any = True) -> list[Effect]:
    """Effects: the card leaves the pile; the known cards move up."""
    known = _known(m, pile)
    depth = known.family.dims[0]
    is_known = known[0] > 0
    moved = each(depth, lambda i: put(known[i], ite(i == depth - 1, 0, known[i + 1]), when=is_known & when))
    return [*moved, gain(_count(m, pile)[card], -1, when=~is_known & when)]


def nothing_to_draw(m: Match) -> Expr:
    """Whether nothing can be drawn from the normal pile, a reshuffle included (A150)."""
    back = any_of(m.players, lambda p: any_of(_monjan(m), lambda k: m.discard[p, k] > 0))
    return pile_empty(m, "deck") & ~(_comes_back(m) & back)


def _comes_back(m: Match) -> Expr:
    """Whether the discard pile is shuffled into a new pile (A150), if there is a discard pile (A152)."""
    return m.reading("A150", "RESHUFFLE_DISCARD") & ~m.reading("A152", "REMOVED_FROM_GAME")


def _monjan(m: Match) -> range:
    return m.cards.numbers("PLUS", "KILL", "NUMBER", "PLAIN", "ANY")


def add_draw(m: Match) -> None:
    """Chance deals the cards that are due to the pending player, one by one: normal cards first, then ET cards."""
    if not (cards := m.cards.numbers("PLUS", "KILL", "NUMBER", "PLAIN", "ANY", "EXTRA", "TOUGHNESS")):
        return
    p = m.pending_player
    normal = m.due[p] > 0
    a = m.game.action("draw_card", weight=1, en="draw a card", ja="カードを引く", tags=["chance"])
    card = a.param("card", cards)
    a.clause("EDIT.6", m.is_pending("DRAW") & (normal | (m.due_et[p] > 0)))
    reshuffled = normal & pile_empty(m, "deck")
    back = sum((m.discard[q, card] for q in range(m.players)), start=as_int(False))
    monjan = m.is_kind(card, "PLUS", "KILL", "NUMBER", "PLAIN", "ANY")
    again = ite(_comes_back(m) & monjan, back, 0)
    a.outcome(ite(normal, ite(reshuffled, again, draw_weight(m, "deck", card)), draw_weight(m, "et", card)))
    a.effect(
        gain(m.hand[p, card], 1),
        gain(m.due[p], -1, when=normal),
        gain(m.due_et[p], -1, when=~normal),
        take(m, "deck", card, when=normal & ~reshuffled),
        take(m, "et", card, when=~normal),
        # The whole discard pile of Monjan cards becomes the pile, less the card drawn.
        each(_monjan(m), lambda k: put(m.deck[k], _discarded(m, k) - as_int(k == card), when=reshuffled)),
        each(m.players, lambda q: each(_monjan(m), lambda k: put(m.discard[q, k], 0, when=reshuffled))),
    )
    _nothing_left(m)


def _discarded(m: Match, kind: Any) -> Expr:
    return sum((m.discard[q, kind] for q in range(m.players)), start=as_int(False))


def _nothing_left(m: Match) -> None:
    """The draw is over when nothing is due or the piles give no more (A150, A151)."""
    p = m.pending_player
    out = (m.due[p] > 0) & nothing_to_draw(m)
    m.game.trigger(
        "EDIT.6:empty",
        m.is_pending("DRAW") & out,
        [
            put(m.due[p], 0),
            put(m.alive[p], False, when=m.reading("A150", "DECKOUT_LOSES")),
            each(m.players, lambda q: put(m.alive[q], False, when=m.reading("A150", "GAME_ENDS"))),
        ],
        en="Nothing is drawn from an empty pile.", ja="山札が尽きたら引けない。",
    )  # fmt: skip
    m.game.trigger(
        "SUPPLY.2:empty",
        m.is_pending("DRAW") & (m.due[p] == 0) & (m.due_et[p] > 0) & pile_empty(m, "et"),
        [put(m.due_et[p], 0)],
        en="Nothing is drawn from an empty ET pile.", ja="ETカードの束が尽きたら引けない。",
    )  # fmt: skip
    m.game.trigger(
        "EDIT.6:done",
        m.is_pending("DRAW") & (m.due[p] == 0) & (m.due_et[p] == 0),
        [put(m.pending, PENDING["NONE"])],
        en="All cards that were due are drawn.", ja="引くべきカードを引き終えた。",
    )  # fmt: skip
