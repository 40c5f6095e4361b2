"""Piles (SETUP.2-3, COMP.*, EDIT.6, FALL.4, SUPPLY.*): drawing from a pile whose uppermost cards may be known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from monjudge.model.language import (
    Cells,
    Effect,
    Expr,
    all_of,
    any_of,
    as_int,
    both,
    count_of,
    each,
    gain,
    ite,
    lift,
    minimum,
    put,
)
from monjudge.model.monjan.elimination import leaves
from monjudge.model.monjan.match import PENDING, Match, possible

__all__ = ["add_draw", "draw_weight", "nothing_to_draw", "pile_empty", "put_away_bosses", "take"]


def _count(m: Match, pile: str) -> Cells:
    return {"deck": m.deck, "ba": m.ba, "et": m.et}[pile]


def _none_unknown(m: Match, pile: str) -> Expr:
    """Whether none of the cards of which only the number is known is left."""
    counts = _count(m, pile)
    return all_of(range(1, len(m.cards)), lambda k: counts[k] == 0)


def _queues(m: Match, pile: str) -> list[tuple[Cells, Expr]]:
    """The cards whose place in the pile is known, each queue with whether the next card comes from it."""
    known = m.known[pile]
    queues = [(known, known[0] > 0)]
    if pile == "ba" and m.ba_bottom is not None:
        queues.append((m.ba_bottom, (known[0] == 0) & _none_unknown(m, pile) & (m.ba_bottom[0] > 0)))
    return queues


def pile_empty(m: Match, pile: str) -> Expr:
    """Whether no card is left: none known on top, none beneath."""
    return both(_none_unknown(m, pile), *(queue[0] == 0 for queue, _ in _queues(m, pile)))


def draw_weight(m: Match, pile: str, card: Any) -> Expr:
    """The weight of drawing the card: certain if it is known to come next, else its number in the pile."""
    weight: Expr = _count(m, pile)[card]
    for queue, next_one in _queues(m, pile):
        weight = ite(next_one, as_int(queue[0] == card), weight)
    return weight


def take(m: Match, pile: str, card: Any, when: Any = True) -> list[Effect]:
    """Effects: the card leaves the pile; the known cards move up."""
    effects: list[Effect] = []
    unknown = lift(when)
    for queue, next_one in _queues(m, pile):
        last = queue.family.dims[0] - 1
        effects += each(last + 1, lambda i, queue=queue, last=last, next_one=next_one: put(  # type: ignore[misc]
            queue[i], ite(i == last, 0, queue[i + 1]), when=next_one & when))  # fmt: skip
        unknown = unknown & ~next_one
    return [*effects, gain(_count(m, pile)[card], -1, when=unknown)]


def put_away_bosses(m: Match, used: Sequence[tuple[Any, Any, Any]]) -> list[Effect]:
    """Effects: used boss cards (player, card, when), in this order, go to the discard pile or beneath their pile (A93)."""
    if m.ba_bottom is None:
        return [gain(m.discard[p, card], 1, when=when) for p, card, when in used]
    bottom, depth = m.ba_bottom, m.ba_bottom.family.dims[0]
    beneath = m.reading("A93", "BOTTOM")
    effects, place = [], count_of(depth, lambda i: bottom[i] > 0)
    for p, card, when in used:
        effects.append(gain(m.discard[p, card], 1, when=lift(when) & ~beneath))
        # More cards than the pile can have are a limit of the model: no card is lost unseen.
        effects.append(put(bottom[minimum(place, depth - 1)], ite(place < depth, card, -1), when=lift(when) & beneath))
        place = place + as_int(lift(when))
    return effects


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
    loses = m.reading("A150", "DECKOUT_LOSES")
    if possible(loses):
        m.game.trigger(
            "EDIT.6:lose",
            m.is_pending("DRAW") & out & loses,
            [put(m.due[p], 0), put(m.due_et[p], 0), *leaves(m, p)],
            en="Who cannot draw has lost.", ja="引けない人は負けになる。",
        )  # fmt: skip
    m.game.trigger(
        "EDIT.6:empty",
        m.is_pending("DRAW") & out,
        [
            put(m.due[p], 0),
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
