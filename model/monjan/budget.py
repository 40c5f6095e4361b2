"""How many skills a player may use in an edit turn and in a battle turn (SKILL.13; A81, A107, A118)."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Effect, Expr, either, ite, lift, put, tabulate
from monjudge.model.monjan.match import Match

__all__ = ["BATTLE", "EDIT", "SKILL_SOURCE", "budget", "spend_budget"]

EDIT, BATTLE = 0, 1
SKILL_SOURCE = ("board left", "board right", "extra", "toughness L", "toughness C", "toughness R", "hand", "release")
"""What a skill may come from; the limits of a turn are counted over these (A81, A107, A118)."""
_CATEGORY = (0, 0, 1, 2, 2, 2, 3, 1)


def budget(m: Match, p: Any, time: int, source: Any, *, free: Any = False) -> Expr:
    """Whether the player may use one more skill of this kind in this turn (SKILL.13, A81)."""

    def used(s: Any) -> Expr:
        return m.skill_used[p, time, s]

    counted = range(len(SKILL_SOURCE) - 1)
    # A107 SEPARATE: a mana release (the last source) comes on top of the turn's skill.
    nothing = ~either(*(used(s) for s in counted), used(7) & ~m.reading("A107", "SEPARATE"))
    nothing = ite(m.reading("A107", "SEPARATE") & (lift(source) == 7), ~used(7), nothing)
    same_category = either(*(used(s) & (_category(source) == c) for s, c in enumerate(_CATEGORY)))
    return lift(free) | either(
        m.reading("A81", "GLOBAL", "UNDEFINED") & nothing,
        m.reading("A81", "PER_SOURCE") & ~used(source),
        m.reading("A81", "PER_CATEGORY") & ~same_category,
    )


def _category(source: Any) -> Expr:
    node = lift(source)
    return tabulate(lambda s: _CATEGORY[s], node) if not node.is_const else lift(_CATEGORY[node.value])


def spend_budget(m: Match, p: Any, time: int, source: Any) -> Effect:
    """Effect: the use is counted (A84: the attempt counts, whatever the die says)."""
    return put(m.skill_used[p, time, source], True)
