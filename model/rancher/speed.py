"""The speed check (R.PULL.3, R.PULL.7-8, R.MON.8, R.FIELD.6, R.FLOW.1): who is first for the rest of the turn."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Effect, Expr, as_int, count_of, each, gain, ite, lift, max_of, put, sum_of
from monjudge.model.rancher.cards import STAT
from monjudge.model.rancher.drawing import draw, nothing_left
from monjudge.model.rancher.match import LAID, STEP, Match, possible

__all__ = ["add_speed", "put_plain_away", "speed_result"]


def add_speed(m: Match) -> None:
    """Each draws as many cards as the speed of the active monster; then the pull numbers are compared."""
    speeds = m.now("SPEED")
    before = m.reading("AMB_EVTTIME", "BEFORE")
    m.trigger("R.PULL.7", speeds, [*_speed_draws(m), put(m.step, ite(before, STEP["EVENT"], STEP["RECKON"]))])
    _reckon(m)


def _speed_draws(m: Match) -> list[Effect]:
    return each(2, lambda p: draw(m, p, "SPEED", m.fights_with(p, STAT.speed)))


def _counts(m: Match, p: Any, i: Any) -> Expr:
    """Whether the pull number of a laid out card counts (AMB_SPEED_TYPES)."""
    momentary = m.is_type(m.shown[p, i], "EVENT", "BATTLE")
    return m.reading("AMB_SPEED_TYPES", "ALL") | ~momentary


def speed_result(m: Match, p: Any) -> Expr:
    """What is compared: the sum, the highest cards one after the other, or the highest card (AMB_SPEED_VALUE)."""

    def pull(i: Any) -> Expr:
        return ite(_counts(m, p, i), m.pull(m.shown[p, i]), 0)

    def sorted_cards() -> Expr:
        # Highest first, then next highest, is the order of the numbers of sixes, of fives, and so on.
        digits = [count_of(LAID, lambda i, n=n: pull(i) == n) * 16 ** (n - 1) for n in range(1, 7)]  # type: ignore[misc]
        return sum(digits, start=lift(0))

    return m.pick("AMB_SPEED_VALUE", otherwise=lambda: sum_of(LAID, pull), SORTED=sorted_cards,
                  HIGHEST=lambda: max_of(LAID, pull))  # fmt: skip


def _reckon(m: Match) -> None:
    """The higher result is first; a tie changes nothing (AMB_SPEED_TIE); who lacks an active monster is second."""
    first, second = speed_result(m, m.first), speed_result(m, m.second)
    both_there, one_there = m.has_active(0) & m.has_active(1), m.has_active(0) != m.has_active(1)
    tie = both_there & (first == second)
    again = m.reading("AMB_SPEED_TIE", "REDRAW") & tie & _can_draw_again(m)
    winner = ite(both_there, ite(second > first, m.second, m.first), ite(m.has_active(0), 0, 1))
    decided = (both_there & ~tie) | one_there
    youngest = m.reading("AMB_SPEED_TIE", "YOUNGEST") & tie
    result = ite(decided, winner, ite(youngest, m.setting.youngest, m.first))
    this_turn = m.reading("AMB_FIRST_THIS", "SPEED")
    reckons = m.now("RECKON")
    if possible(again):
        # An Event that comes now is still before the result where Events are (AMB_EVTTIME BEFORE).
        m.trigger("R.PULL.7:again", reckons & again, [*_speed_draws(m), *m.on("EVENT", m.reading("AMB_EVTTIME", "BEFORE"))])
        reckons = reckons & ~again
    new_first = ite(this_turn, result, m.first)
    effects: list[Effect] = [put(m.first, new_first), *put_plain_away(m)]
    if possible(m.reading("AMB_FIRST_NEXT", "SPEED")):
        effects.append(put(m.faster, ite(decided | youngest, result, -1)))
    before = m.reading("AMB_EVTTIME", "BEFORE")
    effects += [*m.to("SELECT", before), *m.to("EVENT", ~before), put(m.word, new_first)]
    if m.has_abilities:
        effects.append(put(m.asked, new_first))
    m.trigger("R.FLOW.1", reckons, effects)


def _can_draw_again(m: Match) -> Expr:
    there = [(m.fights_with(p, STAT.speed) > 0) & ~nothing_left(m, p) for p in range(2)]
    return there[0] | there[1]


def put_plain_away(m: Match) -> list[Effect]:
    """Effects: laid out Monster, Training and Attachment cards are discarded (R.PULL.8)."""

    def goes(p: Any, i: Any) -> Expr:
        return m.is_type(m.shown[p, i], "MONSTER", "TRAINING", "ATTACHMENT")

    return each(2, lambda p: each(LAID, lambda i: [
        gain(m.discard[p, m.shown[p, i]], as_int(goes(p, i))), put(m.shown[p, i], 0, goes(p, i))]))  # fmt: skip


