"""What texts of cards do: a small vocabulary for Events, Battle cards and abilities, on oneself, the foe or both.

========== ======================================================================
draw       ``amount`` cards from the library into the hand
discard    ``amount`` cards of the hand go, as their owner chooses
speed      ``amount`` more cards are laid out (Events only)
heal       ``amount`` injured monsters return to the field, as their owner chooses (AMB_HEAL)
fame       ``amount`` fame counters
boost      ``stat`` of the active monster changes by ``amount`` for this turn
step       the active monster moves ``amount`` squares forward, or back if negative (in the arena)
soothe     ``amount`` damage counters of the active monster go (in the arena)
opaque     a text that the vocabulary cannot say: verdicts that touch it are undetermined
========== ======================================================================
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from monjudge.model.language import Effect, Expr, any_of, both, either, eq, gain, ite, maximum, put
from monjudge.model.rancher.arena import pushed
from monjudge.model.rancher.cards import STAT, Deed
from monjudge.model.rancher.drawing import draw
from monjudge.model.rancher.match import MOST_UNINJURED, Match, possible

__all__ = ["add_discards", "add_heals", "happens", "opaque", "strip", "unread"]

def happens(m: Match, card: Any, kinds: Iterable[int], user: Any) -> list[Effect]:
    """Effects of the text of a card (one of these kinds) that the player uses or has drawn."""
    effects: list[Effect] = []
    for kind in kinds:
        for deed in m.cards.cards[kind].deeds:
            for who in {"own": [user], "foe": [1 - user], "both": [user, 1 - user]}[deed.who]:
                effects += _deed(m, deed, who, eq(card, kind))
    return effects


def opaque(m: Match, card: Any) -> Expr:
    """Whether the text of the card is not in the vocabulary."""
    return m.which("opaque", lambda c: c.is_opaque, card)


def unread(m: Match, p: Any, slot: Any) -> Expr:
    """Whether something on the monster or its player has a text that is not in the vocabulary, so that its values are unknown."""
    kinds = [k for k, card in enumerate(m.cards.cards) if card.is_opaque]
    there = [m.training[p, slot, k - m.trainings.start] > 0 for k in kinds if k in m.trainings]
    for k in kinds:
        if k in m.attachments:
            there += [m.gear[p, slot, k - m.attachments.start] > 0, m.kit[p, k - m.attachments.start] > 0]
    return either(*there)


def _deed(m: Match, deed: Deed, p: Any, when: Expr) -> list[Effect]:
    amount = deed.amount
    match deed.do:
        case "draw":
            return draw(m, p, "HAND", amount, when)
        case "speed":
            return draw(m, p, "SPEED", amount, when)
        case "discard":
            return [gain(m.owes[p], amount, when)]
        case "heal":
            return [gain(m.heals[p], amount, when)]
        case "fame":
            return [gain(m.fame[p], amount, when)]
        case "boost":
            return [gain(m.boost[p, STAT[deed.stat]], amount, when & m.has_active(p))]
        case "step":
            return [put(m.at[p], pushed(m.at[p], m.at[1 - p], amount), when & (m.at[p] > 0))]
        case "soothe":
            return [put(m.damage[p], maximum(0, m.damage[p] - 2 * amount), when)]
    return []


def add_discards(m: Match) -> None:
    """Cards that a text makes a player discard; the first player's first."""
    if not _some(m, "discard"):
        return
    who = ite(m.owes[m.first] > 0, m.first, m.second)
    a = m.game.action("give_up", by=who, en="discard as a text says", ja="効果で捨てる", tags=["discard"])
    card, me = a.param("card", range(1, len(m.cards))), m.me
    a.clause("R.META.2", (m.owes[me] > 0) & (m.due[0] + m.due[1] == 0))
    a.clause("CARD.held", m.hand[me, card] > 0)
    a.effect(gain(m.hand[me, card], -1), gain(m.discard[me, card], 1), gain(m.owes[me], -1))
    for p in range(2):
        m.trigger(f"R.META.2:none{p}", (m.owes[p] > 0) & (m.hand_size(p) == 0) & (m.due[p] == 0), [put(m.owes[p], 0)])


def _some(m: Match, do: str) -> bool:
    return any(deed.do == do for card in m.cards.cards for deed in card.deeds)


def add_heals(m: Match) -> None:
    """R.INJ.3: a special means brings an injured monster back, if there is one and room for it (AMB_HEAL)."""
    if not _some(m, "heal"):
        return
    over_five = m.reading("AMB_HEAL", "OVER_FIVE")
    due = [both(m.heals[p] > 0, m.due[0] + m.due[1] == 0, m.owes[0] + m.owes[1] == 0) for p in range(2)]
    who = ite(m.heals[m.first] > 0, m.first, m.second)
    a = m.game.action("heal", by=who, en="bring back an injured monster", ja="負傷モンスターを戻す", tags=["heal"])
    slot, me = a.param("slot", range(m.slots)), m.me
    a.clause("R.FLOW.1", ite(me == 0, due[0], due[1]))
    a.clause("R.INJ.3", (m.monster[me, slot] > 0) & m.injured[me, slot])
    full = m.standing(me) >= MOST_UNINJURED
    a.clause("R.MON.3", over_five | ~full)
    present = m.reading("AMB_HEALED", "YES")
    a.effect(put(m.injured[me, slot], False), gain(m.heals[me], -1), put(m.present[me, slot], present))
    if possible(over_five):
        _dismissal(m)
    for p in range(2):
        injured = any_of(m.slots, lambda s, p=p: (m.monster[p, s] > 0) & m.injured[p, s])  # type: ignore[misc]
        nobody = ~injured | ((m.standing(p) >= MOST_UNINJURED) & ~over_five)
        m.trigger(f"R.INJ.3:none{p}", due[p] & nobody, [put(m.heals[p], 0)])


def _dismissal(m: Match) -> None:
    """AMB_HEAL OVER_FIVE: where six monsters stand, their owner removes one, with its cards."""
    crowded = [m.standing(p) > MOST_UNINJURED for p in range(2)]
    a = m.game.action("dismiss", by=ite(crowded[0], 0, 1), en="remove a monster", ja="モンスターを外す", tags=["heal"])
    slot, me = a.param("slot", range(m.slots)), m.me
    a.clause("R.MON.3", ite(me == 0, crowded[0], crowded[1]))
    a.clause("R.MON.4", m.stands(me, slot))
    a.effect(gain(m.discard[me, m.monster[me, slot]], 1), put(m.monster[me, slot], 0), strip(m, me, slot, True),
             put(m.active[me], -1, when=m.active[me] == slot))  # fmt: skip


def strip(m: Match, p: Any, slot: Any, when: Any) -> list[Effect]:
    """Effects: training and attachments on a monster go to the discard piles of their owners."""
    effects: list[Effect] = []
    for j, kind in enumerate(m.trainings):
        effects += [gain(m.discard[p, kind], m.training[p, slot, j], when), put(m.training[p, slot, j], 0, when)]
    for j, kind in enumerate(m.attachments):
        owner = 1 - p if m.cards.cards[kind].place.startswith("foe") else p
        effects += [gain(m.discard[owner, kind], m.gear[p, slot, j], when), put(m.gear[p, slot, j], 0, when)]
    return effects


