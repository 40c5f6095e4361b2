"""What a game offers to whoever proves things about it: a scene, and properties as data.

A scene is a rule set whose board designs and readings are fields wherever a claim is to
speak of all of them, with what is taken for granted about them and how play begins.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field

from monjudge.model.language import TRUE, Domain, Expr, RuleSet, Scope, State, Table

__all__ = ["Scene"]


@dataclass(frozen=True)
class Scene:
    """A rule set with where play begins.

    ``start`` is one beginning; in all of them the fields named in ``free`` (piles, for example) and the
    configuration may hold anything that ``given`` admits. ``positions`` are states to look for witnesses from.
    ``bounds`` says of what a claim about this scene speaks, e.g. how many players; ``tables`` are named in properties.
    """

    rules: RuleSet
    start: State
    free: frozenset[str] = frozenset()
    given: Expr = TRUE
    positions: Mapping[str, State] = field(default_factory=dict)
    bounds: Mapping[str, int | str] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)

    def is_open(self, name: str) -> bool:
        """Whether the field may hold anything when play begins."""
        return name in self.free or self.rules.family_named[name].config

    def scope(self, on: str | None = None) -> Scope:
        """What the names in a property mean; ``player`` names all players, ``on`` an action with its parameters.

        Raises ValueError for an action that the rule set does not have.
        """
        scope = Scope.of(self.rules, on)
        players = Domain("player", tuple(f"player {n + 1}" for n in range(self.rules.players)))
        return dataclasses.replace(scope, domains={**scope.domains, "player": players}, tables={**scope.tables, **self.tables})
