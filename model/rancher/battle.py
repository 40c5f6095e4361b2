"""Battles (R.BAT.1-5, R.ARENA.2, R.ARENA.7-9, R.META.9): which card is fought, side cards, rounds, the end."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import (
    Effect,
    Expr,
    all_of,
    any_of,
    as_int,
    both,
    each,
    eq,
    gain,
    ite,
    lift,
    max_of,
    minimum,
    put,
)
from monjudge.model.rancher.drawing import draw
from monjudge.model.rancher.effects import happens, opaque
from monjudge.model.rancher.match import HAND, LAID, ROW, SQUARES, STEP, Match, possible
from monjudge.model.rancher.speed import put_plain_away

__all__ = ["add_battle"]


def add_battle(m: Match) -> None:
    """From the choice of the Battle card to the fame that is won."""
    _select(m)
    _no_battle(m)
    _lay(m)
    _stand(m)
    _take(m)
    _round(m)
    _fame(m)
    _clear(m)


# -- which battle ----------------------------------------------------------------------------------


def _is_battle(m: Match, p: Any, i: Any) -> Expr:
    return m.is_type(m.shown[p, i], "BATTLE")


def _some_battle(m: Match) -> Expr:
    return m.best(0, "BATTLE") + m.best(1, "BATTLE") > 0


def _chooser(m: Match) -> Expr:
    """Whose Battle card is fought (or who chooses it): the highest pull number, a tie the first player's."""
    return ite(m.best(m.first, "BATTLE") >= m.best(m.second, "BATTLE"), m.first, m.second)


def _tie(m: Match) -> Expr:
    return (m.best(0, "BATTLE") == m.best(1, "BATTLE")) & (m.best(0, "BATTLE") > 0)


def _both_active(m: Match) -> Expr:
    return m.has_active(0) & m.has_active(1)


def _select(m: Match) -> None:
    """R.BAT.3: only the one with the highest pull number (AMB_BATTIE_SCOPE, AMB_BATTIE_TIE)."""
    if not m.battles:
        return
    a = m.game.action("fight", by=_chooser(m), en="fight the battle of", ja="バトルを行う", tags=["battle"])
    card, me = a.param("card", m.battles), m.me
    chooses = m.reading("AMB_BATTIE_TIE", "CHOICE") & _tie(m)
    mine = any_of(LAID, lambda i: m.shown[me, i] == card)
    theirs = any_of(LAID, lambda i: m.shown[1 - me, i] == card)
    a.clause("R.FLOW.1", m.now("SELECT") & _both_active(m) & ~_nobody_fights(m))
    a.clause("R.BAT.2", mine | (chooses & theirs))
    a.clause("R.BAT.3", m.pull(card) == m.best(me, "BATTLE"))
    a.unsaid("CARD.text", ~opaque(m, card))
    whose: Expr = ite(mine, me, 1 - me)
    if possible(chooses):
        of = a.param("whose", range(2))
        a.clause("R.BAT.1", ite(chooses, ite(of == me, mine, theirs), of == me))
        whose = of
    each_own = m.reading("AMB_BATTIE_SCOPE", "EACH")

    def first_one(p: Any, i: Any) -> Expr:
        earlier = all_of(LAID, lambda j: (j >= i) | (m.shown[p, j] != card))
        return both(eq(p, whose), m.shown[p, i] == card, earlier)

    def unused(p: Any, i: Any) -> Expr:
        return both(_is_battle(m, p, i), ~first_one(p, i), ~each_own | eq(p, whose))

    a.effect(
        put(m.battle, card), put(m.owner, whose), put(m.battled, True),
        each(2, lambda p: each(LAID, lambda i: [
            gain(m.discard[p, m.shown[p, i]], as_int(unused(p, i))),
            put(m.shown[p, i], 0, unused(p, i) | first_one(p, i)),
        ])),
        m.to("SIDE"),
    )  # fmt: skip


def _nobody_fights(m: Match) -> Expr:
    """AMB_BATTIE_TIE NONE: of two highest cards neither is fought."""
    return m.reading("AMB_BATTIE_TIE", "NONE") & _tie(m) & m.reading("AMB_BATTIE_SCOPE", "ONE")


def _no_battle(m: Match) -> None:
    """Without a Battle card, or without an active monster on both sides, the play step follows (AMB_NOBATTLE, AMB_NOACT)."""
    some = _some_battle(m)
    default = both(m.reading("AMB_NOBATTLE", "DEFAULT_BATTLE"), ~some, _both_active(m), ~m.battled)
    lone = m.has_active(0) != m.has_active(1)
    forfeit = both(m.reading("AMB_NOACT", "FORFEIT"), some, lone, ~m.battled)
    none = m.now("SELECT") & (~some | ~_both_active(m) | _nobody_fights(m))
    put_away = each(2, lambda p: each(LAID, lambda i: [
        gain(m.discard[p, m.shown[p, i]], as_int(_is_battle(m, p, i))), put(m.shown[p, i], 0, _is_battle(m, p, i))]))  # fmt: skip
    m.trigger("R.BAT.2", none & ~default & ~forfeit, [*put_plain_away(m), *put_away, *m.to("PLAY")])
    if possible(default):
        m.trigger("R.BAT.2:default", none & default, [put(m.battle, 0), put(m.battled, True), *m.to("SIDE")])
    if possible(forfeit):
        p = _chooser(m)
        highest = max_of(LAID, lambda i: ite(_is_battle(m, p, i) & (m.pull(m.shown[p, i]) == m.best(p, "BATTLE")), m.shown[p, i], 0))

        def used(q: Any, i: Any) -> Expr:
            earlier = all_of(LAID, lambda j: (j >= i) | (m.shown[q, j] != highest))
            return both(eq(q, p), m.shown[q, i] == highest, earlier)

        m.trigger("R.BAT.2:forfeit", none & forfeit, [
            put(m.battle, highest), put(m.owner, p), put(m.battled, True), put(m.winner, ite(m.has_active(0), 0, 1)),
            each(2, lambda q: each(LAID, lambda i: [
                gain(m.discard[q, m.shown[q, i]], as_int(_is_battle(m, q, i) & ~used(q, i))),
                put(m.shown[q, i], 0, _is_battle(m, q, i))])),
            *m.to("FAME"),
        ])  # fmt: skip


# -- the side of the arena -------------------------------------------------------------------------


def _lay(m: Match) -> None:
    """R.ARENA.7-8: five cards of each library face down, the first drawn nearest (AMB_SIDE_SOURCE)."""
    by_hand = m.reading("AMB_SIDE_SOURCE", "HAND")
    printed = m.number("side", lambda c: c.side if c.side >= 0 else ROW, m.battle)
    count = ite(m.reading("AMB_SIDE_SOURCE", "CARD") & (m.battle > 0), printed, ROW)
    # Where the library may be drawn from or renewed during the battle, every card must be told apart from the start.
    deck_is_used = m.reading("AMB_ATK_CARDS", "DECK") | m.reading("AMB_DECKOUT_WHEN", "AT_ONCE")
    effects: list[Effect] = [*m.on("STAND")]
    for p in range(2):
        # As long as the library has them all, nobody needs to know yet which cards they are.
        enough = (m.in_library(p) >= count) & ~deck_is_used
        effects += [put(m.side[p], count, enough), *draw(m, p, "SIDE", count, ~enough)]
    m.trigger("R.ARENA.7", m.now("SIDE") & ~by_hand, effects)
    if not possible(by_hand):
        return
    a = m.game.action("lay", by=m.word, en="lay a card beside the arena", ja="闘技場の脇に置く", tags=["battle"])
    card, me = a.param("card", range(1, len(m.cards))), m.me
    a.clause("R.ARENA.7", m.now("SIDE") & by_hand)
    a.clause("CARD.held", m.hand[me, card] > 0)
    last_card = (m.hand_size(me) == 1) | (m.side[me] == HAND - 1)
    a.effect(gain(m.hand[me, card], -1), put(m.row[me, m.side[me]], card), gain(m.side[me], 1), _laid(m, me, last_card))
    nothing = m.now("SIDE") & by_hand & (m.hand_size(m.word) == 0)
    m.trigger("R.ARENA.7:none", nothing, _laid(m, m.word, True))


def _laid(m: Match, p: Any, done: Any) -> list[Effect]:
    last = eq(p, m.second)
    return [*m.hand_over(m.second, "SIDE", lift(done) & ~last), *m.on("STAND", lift(done) & last)]


def _stand(m: Match) -> None:
    """R.ARENA.2: each active monster on its owner's nearest square; both have fought this turn."""
    effects: list[Effect] = []
    for p in range(2):
        effects += [
            put(m.at[p], ite(eq(m.first, p), 1, SQUARES)), put(m.damage[p], 0), put(m.fought[p, m.active[p]], True),
            put(m.unable[p], False), put(m.attacked[p], False), put(m.added[p], 0),
        ]  # fmt: skip
    effects += [put(m.stirred, False), put(m.winner, -1), *happens(m, m.battle, m.battles, m.owner), *m.to("MOVE")]
    if possible(m.reading("AMB_BATEND", "ROUNDS")):
        effects.append(put(m.rounds, 0))
    m.trigger("R.ARENA.2", m.now("STAND"), effects)
    m.game.observe(m.row, lambda viewer, p, i: (viewer == p) & m.reading("AMB_SIDE_SOURCE", "HAND"))


def nearest(m: Match, p: Any, i: Any) -> Expr:
    """Whether the side card at the place is known to be the nearest one that is left."""
    return (m.row[p, i] > 0) & all_of(ROW, lambda j: (j >= i) | (m.row[p, j] == 0))


def _take(m: Match) -> None:
    """R.ARENA.9: who could not attack takes the nearest side card (AMB_SIDE_TAKEN)."""

    def takes(p: Any) -> Expr:
        wants = m.pick(
            "AMB_SIDE_TAKEN", otherwise=lambda: m.unable[p], DID_NOT=lambda: ~m.attacked[p],
            BOTH_IF_NOBODY=lambda: ~m.attacked[0] & ~m.attacked[1],
        )  # fmt: skip
        return wants & (m.side[p] > 0)

    takings = m.now("TAKE")
    if possible(m.reading("AMB_ATK_WHO", "AT_ONCE")):
        takings = takings & (m.pending[0] + m.pending[1] == 0)
    effects: list[Effect] = [*m.on("ROUND"), put(m.stirred, True, takes(0) | takes(1))]
    for p in range(2):
        known = any_of(ROW, lambda i, p=p: m.row[p, i] > 0)  # type: ignore[misc]
        effects += draw(m, p, "TAKE", 1, takes(p) & ~known)
        effects += each(ROW, lambda i, p=p, known=known: [  # type: ignore[misc]
            gain(m.hand[p, m.row[p, i]], 1, takes(p) & nearest(m, p, i)), put(m.row[p, i], 0, takes(p) & nearest(m, p, i))])  # fmt: skip
        effects.append(gain(m.side[p], -1, takes(p) & known))
    m.trigger("R.ARENA.9", takings, effects)


# -- rounds and the end ----------------------------------------------------------------------------


def _round(m: Match) -> None:
    """The end of a round: the battle ends without a winner, or the next round begins (AMB_BATEND)."""
    out = both(m.side[0] == 0, m.side[1] == 0, m.unable[0], m.unable[1])
    ends = m.pick(
        "AMB_BATEND", otherwise=lambda: out | ~m.stirred, SIDE_OUT=lambda: out, INJURY=lambda: False,
        ROUNDS=lambda: m.rounds == ROW - 1,
    )  # fmt: skip
    again: list[Effect] = [put(m.stirred, False), *each(2, lambda p: [put(m.unable[p], False), put(m.attacked[p], False)])]
    if possible(m.reading("AMB_BATEND", "ROUNDS")):
        again.append(put(m.rounds, minimum(m.rounds + 1, ROW)))
    again += _return_cards(m, m.reading("AMB_MOVECARD", "END_OF_ROUND"))
    m.trigger("R.ARENA.9:round", m.now("ROUND") & ~lift(ends), [*again, *m.to("MOVE")])
    m.trigger("R.ARENA.9:end", m.now("ROUND") & lift(ends), m.to("FAME"))


def _return_cards(m: Match, when: Any) -> list[Effect]:
    """Effects: cards that gave orders return to the hand (AMB_MOVECARD)."""
    if not possible(m.reading("AMB_MOVECARD", "END_OF_ROUND", "END_OF_BATTLE")):
        return []
    return each(2, lambda p: each(len(m.cards), lambda k: [
        gain(m.hand[p, k], m.away[p, k], when), put(m.away[p, k], 0, when)]))  # fmt: skip


def _fame(m: Match) -> None:
    """R.WIN.1: the winner gains one fame counter, or the number on the Battle card (AMB_FAME)."""
    printed = m.number("fame", lambda c: c.fame, m.battle)
    amount = m.pick("AMB_FAME", otherwise=lambda: ite(printed >= 0, printed, 1), PRINTED=lambda: ite(printed > 0, printed, 0))
    paid = ite(m.battle > 0, amount, 0)
    gains = [gain(m.fame[p], paid, eq(m.winner, p) | (m.winner == 2)) for p in range(2)]
    more: list[Effect] = []
    if possible(m.reading("AMB_FIRST_NEXT", "BATTLE_WINNER", "BATTLE_LOSER")):
        more.append(put(m.last_winner, m.winner, (m.winner >= 0) & (m.winner < 2)))
    m.trigger("R.WIN.1", m.now("FAME"), [*gains, *more, *m.to("CLEAR")])


def _clear(m: Match) -> None:
    """R.META.7, R.BAT.4: side cards that are left go, counters and markers are taken away, the card leaves the game."""
    in_hand, in_library = m.reading("AMB_SIDE_REST", "HAND"), m.reading("AMB_SIDE_REST", "LIBRARY")
    effects: list[Effect] = [*m.on("DONE")]
    for p in range(2):
        effects += draw(m, p, "TAKE", m.unseen(p), in_hand)
        effects += draw(m, p, "REST", m.unseen(p), ~in_hand & ~in_library)
        effects.append(put(m.side[p], ite(in_library, 0, m.unseen(p))))
        for i in range(ROW):
            card = m.row[p, i]
            there = as_int(card > 0)
            effects += [
                gain(m.hand[p, card], there, in_hand), gain(m.library[p, card], there, in_library),
                gain(m.discard[p, card], there, ~in_hand & ~in_library), put(m.row[p, i], 0),
            ]  # fmt: skip
    m.trigger("R.META.7", m.now("CLEAR") & ~m.ended, effects)
    after = m.pick("AMB_EVTTIME", otherwise=lambda: STEP["SELECT"], MERGED=lambda: STEP["EVENT"])
    done = [*m.to("SELECT"), put(m.step, after), gain(m.removed[m.owner, m.battle], as_int(m.battle > 0)), put(m.battle, 0),
            put(m.winner, -1), *_return_cards(m, True)]  # fmt: skip
    for p in range(2):
        done += [put(m.at[p], 0), put(m.damage[p], 0), put(m.unable[p], False), put(m.attacked[p], False)]
    m.trigger("R.BAT.4", m.now("DONE"), [*done, put(m.stirred, False)])
