"""Drawing cards (R.PULL.5-6, R.META.3, R.INIT.4): chance with exact weights, and the discard pile used again."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Effect, Expr, all_of, any_of, as_int, both, each, gain, ite, member, put
from monjudge.model.rancher.match import DRAW, ROW, Match, possible

__all__ = ["add_drawing", "draw", "nothing_left"]


def draw(m: Match, p: Any, purpose: str, count: Any, when: Any = True) -> list[Effect]:
    """Effects: the player has to draw so many cards for this purpose before anything else happens."""
    return [put(m.due[p], count, when), put(m.purpose, DRAW[purpose], when)]


def add_drawing(m: Match) -> None:
    """Cards that are due are drawn one by one, the first player's first; the discard pile becomes the library."""
    _draw(m)
    _reshuffle(m)


def _is(m: Match, *purposes: str) -> Expr:
    return member(m.purpose, [DRAW[p] for p in purposes])


def _drawer(m: Match) -> Expr:
    return ite(m.due[m.first] > 0, m.first, m.second)


def _draw(m: Match) -> None:
    p = _drawer(m)
    a = m.game.action("draw", weight=1, en="draw a card", ja="カードを引く", tags=["chance"])
    card = a.param("card", range(1, len(m.cards)))
    a.clause("R.PULL.5", m.due[p] > 0)
    a.outcome(m.library[p, card])
    from_row = _is(m, "TAKE", "REST")
    # A side card is drawn only now that somebody sees it: until then it was as good as in the library.
    a.clause("R.META.3", from_row | (m.in_library(p) > 0))
    place = m.laid[p]
    free = ROW - m.due[p]
    a.effect(
        gain(m.library[p, card], -1),
        gain(m.due[p], -1),
        gain(m.hand[p, card], 1, when=_is(m, "HAND", "TAKE")),
        put(m.shown[p, place], card, when=_is(m, "SPEED")),
        put(m.laid[p], m.laid[p] + as_int(_is(m, "SPEED"))),
        put(m.judged, card, when=_is(m, "JUDGE")),
        put(m.row[p, free], card, when=_is(m, "SIDE")),
        gain(m.side[p], as_int(_is(m, "SIDE")) - as_int(from_row)),
        gain(m.discard[p, card], 1, when=_is(m, "REST", "ADD")),
        gain(m.added[p], m.pull(card), when=_is(m, "ADD")),
    )
    if possible(m.reading("AMB_DECKOUT_WHEN", "NEXT_TIME")):
        a.effect(put(m.drawing[p], True))


def _reshuffle(m: Match) -> None:
    """R.META.3: an empty library is no loss; what cannot be drawn is not drawn (AMB_DECKOUT)."""
    n = len(m.cards)

    def back(p: Any) -> Expr:
        return any_of(n, lambda k: m.discard[p, k] > 0)

    def shuffled(p: Any, when: Any) -> list[Effect]:
        return each(n, lambda k: [gain(m.library[p, k], m.discard[p, k], when), put(m.discard[p, k], 0, when)])

    for p in range(2):
        empty = m.in_library(p) == 0
        needed = (m.due[p] > 0) & ~_is(m, "TAKE", "REST")
        when = m.pick(
            "AMB_DECKOUT_WHEN", otherwise=lambda needed=needed: needed,
            AT_ONCE=lambda: ~m.is_step("CHOOSE"),
            NEXT_TIME=lambda p=p, needed=needed: needed & ~m.drawing[p],
        )  # fmt: skip
        m.trigger(f"R.META.3:again{p}", both(when, empty, back(p)), shuffled(p, True))
        stops = ~back(p)
        if possible(m.reading("AMB_DECKOUT_WHEN", "NEXT_TIME")):
            stops = stops | (m.reading("AMB_DECKOUT_WHEN", "NEXT_TIME") & m.drawing[p])
        # AMB_DECKOUT_BOTH UNDEFINED: the text has a hole here, and nobody can go on.
        m.trigger(f"R.META.3:none{p}", both(needed, empty, stops, m.reading("AMB_DECKOUT_BOTH", "STOP")), [put(m.due[p], 0)])
        if possible(m.reading("AMB_DECKOUT_WHEN", "NEXT_TIME")):
            m.trigger(f"R.META.3:next{p}", both(m.drawing[p], m.due[p] == 0), [put(m.drawing[p], False)])


def nothing_left(m: Match, p: Any) -> Expr:
    """Whether the player has neither a library nor a discard pile."""
    return (m.in_library(p) == 0) & all_of(len(m.cards), lambda k: m.discard[p, k] == 0)


