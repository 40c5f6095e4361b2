"""How an Extra card came to the field, where a written position does not say it: as the rules would have it now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from monjudge.model.language import ME, RuleSet, State, evaluate

__all__ = ["as_summoned", "ways_of"]

WAYS = {"PAIR": 1, "NUMBER": 2}


def ways_of(rules: RuleSet, state: State, p: int) -> Iterator[int]:
    """The ways, by pair (1) or number (2), in which the condition of a player's Extra card holds (EXTRA.17, EXTRA.21)."""
    action = rules.by_name["extra"]
    for way in WAYS.values():
        env = {ME: p, "card": state[rules.cell("extra", p)], "by": way}
        if all(evaluate(c.expr, state, env, rules.offset) for c in action.clauses if c.id in ("EXTRA.17", "EXTRA.21")):
            yield way


def as_summoned(rules: RuleSet, state: State, players: Mapping[str, Any]) -> State:
    """The state with the way and the witnesses of every Extra card for which they are not written.

    A card that could have been summoned in both ways, or in none, stays as it was written.
    """
    cells = list(state)
    for seat, part in players.items():
        p, extra = int(seat) - 1, part.get("extra")
        record = extra if isinstance(extra, Mapping) else {}
        if extra is None or "witness" in record or "extra" not in rules.by_name:
            continue
        ways = [way for way in ways_of(rules, state, p) if "by" not in record or way == WAYS[record["by"]]]
        if len(ways) == 1:
            cells[rules.cell("extra_by", p)] = ways[0]
            for c, slot in enumerate(_witnesses(rules, state, p, ways[0])):
                cells[rules.cell("witness", p, c)] = slot
    return tuple(cells)


def _witnesses(rules: RuleSet, state: State, p: int, way: int) -> list[int]:
    """The slot, from 1, of the mana in each column by which the card is summoned in this way."""
    env = {ME: p, "card": state[rules.cell("extra", p)], "by": way}
    found = [0, 0, 0]
    for effect in rules.by_name["extra"].effects:
        if effect.family.name == "witness" and evaluate(effect.when, state, env, rules.offset):
            column = evaluate(effect.indices[1], state, env, rules.offset)
            found[column] = evaluate(effect.value, state, env, rules.offset)
    return found
