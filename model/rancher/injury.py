"""Life and injury (R.LIFE.1, R.INJ.1-3, R.META.7): counters that reach the life, and what becomes of the monster."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Effect, ite, lift, put
from monjudge.model.rancher.cards import STAT
from monjudge.model.rancher.effects import strip
from monjudge.model.rancher.match import Match, possible

__all__ = ["struck"]


def struck(m: Match, on_first: Any, on_second: Any) -> list[Effect]:
    """Effects: damage in halves to the monsters of players 0 and 1; whose counters reach its life is injured.

    The battle ends with the first injury; two at once are read by AMB_SIMUL.
    """
    effects: list[Effect] = []
    alone = m.reading("AMB_DMGACC", "EACH_HIT")
    dealt = (lift(on_first), lift(on_second))
    total = [ite(alone & (dealt[p] > 0), dealt[p], m.damage[p] + dealt[p]) for p in range(2)]
    falls = [(dealt[p] > 0) & (total[p] >= 2 * m.fights_with(p, STAT.life)) for p in range(2)]
    for p in range(2):
        slot = m.active[p]
        effects += [put(m.damage[p], total[p]), put(m.injured[p, slot], True, falls[p]), put(m.active[p], -1, falls[p])]
        if possible(m.reading("AMB_HEAL", "DISCARDED")):
            effects += strip(m, p, slot, falls[p] & m.reading("AMB_HEAL", "DISCARDED"))
    both_fall = m.pick("AMB_SIMUL", otherwise=lambda: -1, BOTH_FAME=lambda: 2, FIRST_WINS=lambda: m.first)
    won_by = ite(falls[0] & falls[1], both_fall, ite(falls[0], 1, 0))
    ends = falls[0] | falls[1]
    return [*effects, put(m.winner, won_by, ends), *m.to("FAME", ends)]
