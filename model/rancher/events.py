"""Events (R.EVT.3-6): those among the cards of the speed check take effect by themselves, the highest first."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Expr, all_of, any_of, both, each, gain, ite, put
from monjudge.model.rancher.effects import happens, opaque
from monjudge.model.rancher.match import LAID, Match, possible
from monjudge.model.rancher.speed import put_plain_away

__all__ = ["add_events"]


def add_events(m: Match) -> None:
    """One list over both players; a card that an Event lays out joins it (AMB_EVTTIE, AMB_EVTTIME)."""
    if m.events:
        _event(m)
    plain = any_of(LAID, lambda i: m.is_type(m.shown[0, i], *_PLAIN) | m.is_type(m.shown[1, i], *_PLAIN))
    later = ~m.reading("AMB_EVTTIME", "BEFORE")
    m.trigger("R.PULL.8", m.now("EVENT") & plain & later, put_plain_away(m))
    before = m.reading("AMB_EVTTIME", "BEFORE")
    m.trigger("R.EVT.4:done", m.now("EVENT") & ~_some_event(m) & ~(plain & later), [*m.to("SELECT"), *m.on("RECKON", before)])


_PLAIN = ("MONSTER", "TRAINING", "ATTACHMENT")


def _some_event(m: Match) -> Expr:
    """Whether an Event waits; one with a lower number than the Battle card waits for the battle (AMB_EVTTIME MERGED)."""
    events = [m.best(p, "EVENT") for p in range(2)]
    battles = [m.best(p, "BATTLE") for p in range(2)]
    merged = m.reading("AMB_EVTTIME", "MERGED")
    highest = ite(events[0] > events[1], events[0], events[1])
    fought = ite(battles[0] > battles[1], battles[0], battles[1])
    return (highest > 0) & (~merged | (highest >= fought))


def _event(m: Match) -> None:
    owner = ite(m.best(m.first, "EVENT") >= m.best(m.second, "EVENT"), m.first, m.second)
    a = m.game.action("event", by=owner, en="let the event happen", ja="イベントを発動する", tags=["event"])
    card, me = a.param("card", m.events), m.me
    a.clause("R.FLOW.1", m.now("EVENT") & _some_event(m))
    a.clause("R.EVT.3", any_of(LAID, lambda i: m.shown[me, i] == card))
    a.clause("R.EVT.4", m.pull(card) == m.best(me, "EVENT"))
    a.unsaid("CARD.text", ~opaque(m, card))

    def first_one(i: Any) -> Expr:
        return (m.shown[me, i] == card) & all_of(LAID, lambda j: (j >= i) | (m.shown[me, j] != card))

    drawn = m.reading("AMB_EVTTIE", "DRAWN_ORDER")
    if possible(drawn):
        # No other Event with the same number was laid out earlier.
        def earlier(i: Any) -> Expr:
            return any_of(LAID, lambda j: both(j < i, m.is_type(m.shown[me, j], "EVENT"), m.pull(m.shown[me, j]) == m.pull(card)))

        a.clause("R.EVT.4:order", ~drawn | any_of(LAID, lambda i: first_one(i) & ~earlier(i)), en=_ORDER[0], ja=_ORDER[1])
    a.effect(
        each(LAID, lambda i: put(m.shown[me, i], 0, first_one(i))),
        gain(m.removed[me, card], 1),
        happens(m, card, m.events, me),
        m.to("EVENT"),
    )


_ORDER = (
    "Of Events with one number, the one that was drawn first takes effect first.",
    "同じ数のイベントは、先に引かれたものから発動する。",
)

