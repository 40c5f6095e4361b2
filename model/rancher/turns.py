"""The turn up to the speed check (R.FLOW.1, R.WIN.2, R.INIT.2-4, R.META.5, R.MON.4): its start, hands, active monsters."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Effect, both, each, eq, gain, ite, lift, maximum, put
from monjudge.model.rancher.cards import STAT
from monjudge.model.rancher.drawing import draw
from monjudge.model.rancher.effects import unread
from monjudge.model.rancher.match import HAND, STEP, Match, possible

__all__ = ["add_turns", "to_naming"]


def add_turns(m: Match) -> None:
    """Start, refill and hand limit, and the choice of the active monsters."""
    _start(m)
    _trim(m)
    _refill(m)
    _name(m)


def _start(m: Match) -> None:
    """R.FLOW.1: who is first carries over (AMB_FIRST_NEXT); all that lasted for a turn ends."""
    begins = m.now("START") & ~m.ended
    fresh = each(2, lambda p: [
        put(m.active[p], -1), put(m.kitted[p], False), put(m.laid[p], 0),
        each(STAT.size, lambda x: put(m.boost[p, x], 0)),
        each(m.slots, lambda s: [
            put(m.present[p, s], m.stands(p, s)), put(m.fought[p, s], False),
            put(m.trained[p, s], False), put(m.equipped[p, s], False),
        ]),
    ])  # fmt: skip
    first = m.pick("AMB_FIRST_NEXT", otherwise=lambda: m.first, SPEED=lambda: ite(m.faster >= 0, m.faster, m.first),
                   BATTLE_WINNER=lambda: ite(m.last_winner >= 0, m.last_winner, m.first),
                   BATTLE_LOSER=lambda: ite(m.last_winner >= 0, 1 - m.last_winner, m.first))  # fmt: skip
    trims = m.reading("AMB_HAND", "DISCARD_FIRST")
    effects = [
        gain(m.turn, 1), put(m.battled, False), put(m.first, first), put(m.word, first), put(m.passed, False), *fresh,
        put(m.step, ite(trims, STEP["TRIM"], STEP["REFILL"])),
        each(2, lambda p: draw(m, p, "HAND", maximum(0, HAND - m.hand_size(p)), ~trims)),
    ]  # fmt: skip
    if m.has_abilities:
        effects.append(each(2, lambda p: put(m.used[p], 0)))
    m.trigger("R.WIN.2:turn", begins, effects)


def _trim(m: Match) -> None:
    """AMB_HAND DISCARD_FIRST: any number of cards may go before the hand is filled up."""
    if not possible(m.reading("AMB_HAND", "DISCARD_FIRST")):
        return
    a = m.game.action("trim", by=m.word, en="discard before drawing", ja="引く前に捨てる", tags=["discard"])
    card, me = a.param("card", range(1, len(m.cards))), m.me
    a.clause("R.META.2", m.now("TRIM"))
    a.clause("CARD.held", m.hand[me, card] > 0)
    a.effect(gain(m.hand[me, card], -1), gain(m.discard[me, card], 1))
    b = m.game.action("keep", by=m.word, en="keep the hand", ja="手札を残す", tags=["discard"])
    b.clause("R.META.2", m.now("TRIM"))
    last = m.me != m.first
    b.effect(put(m.word, m.second, when=~last), put(m.step, STEP["REFILL"], when=last),
             each(2, lambda p: draw(m, p, "HAND", maximum(0, HAND - m.hand_size(p)), last)))  # fmt: skip


def _refill(m: Match) -> None:
    over = [m.hand_size(p) > HAND for p in range(2)]
    only_up = m.reading("AMB_HAND", "ONLY_UP")
    large: Any = lambda p: ite(p == 0, over[0], over[1])  # noqa: E731
    a = m.game.action("discard", by=ite(large(m.first), m.first, m.second), en="discard down to five", ja="五枚まで捨てる", tags=["discard"])
    card, me = a.param("card", range(1, len(m.cards))), m.me
    a.clause("R.INIT.2", both(m.now("REFILL"), large(me), ~only_up))
    a.clause("CARD.held", m.hand[me, card] > 0)
    a.effect(gain(m.hand[me, card], -1), gain(m.discard[me, card], 1))
    early = m.reading("AMB_PLAYPHASE", "TWO", "MONSTERS_EARLY")
    filled = m.now("REFILL") & (only_up | ~(over[0] | over[1]))
    effects = [*m.to("PLAY", early), *to_naming(m, ~early)]
    if possible(early):
        effects.append(put(m.early, True, early))
    m.trigger("R.INIT.2", filled, effects)


def to_naming(m: Match, when: Any = True) -> list[Effect]:
    """Effects: the active monsters are named; under AMB_ACTIVE OPEN_LAST the second player is the first to do so."""
    return [*m.to("ACTIVE", when), *m.hand_over(m.second, "ACTIVE", lift(when) & m.reading("AMB_ACTIVE", "OPEN_LAST"))]


def _name(m: Match) -> None:
    """R.MON.4: openly, the first player first (AMB_ACTIVE); a player who has a monster must (AMB_NOACT)."""
    a = m.game.action("name", by=m.word, en="name the active monster", ja="アクティブモンスターを指定する", tags=["active"])
    slot, me = a.param("slot", range(m.slots)), m.me
    a.clause("R.FLOW.1", m.now("ACTIVE"))
    a.clause("R.MON.4", m.monster[me, slot] > 0)
    a.clause("R.INJ.1", ~m.injured[me, slot])
    if possible(unread(m, me, slot)):
        a.unsaid("CARD.text", ~unread(m, me, slot))
    a.effect(put(m.active[me], slot), _named(m))
    none = m.standing(m.word) == 0
    loses = m.reading("AMB_NOACT", "LOSES")
    effects = _named(m)
    if possible(loses):
        effects.append(put(m.lost[m.word], True, when=loses))
    m.trigger("R.MON.4:none", m.now("ACTIVE") & none, effects)
    if possible(m.reading("AMB_ACTIVE", "SECRET")):
        closed = m.reading("AMB_ACTIVE", "SECRET") & m.is_step("ACTIVE")
        m.game.simultaneous("active", ("name",), [m.active], ~closed)


def _named(m: Match) -> list[Effect]:
    last = ite(m.reading("AMB_ACTIVE", "OPEN_LAST"), eq(m.word, m.first), eq(m.word, m.second))
    return [*m.hand_over(1 - m.word, "ACTIVE", ~last), *m.to("SPEED", last)]


