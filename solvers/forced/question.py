"""What is asked: a state, a player, a goal, and the turns allowed."""

from __future__ import annotations

from dataclasses import dataclass

from monjudge.model.language import Expr, RuleSet, State, evaluate

__all__ = ["Question", "find_goal"]


@dataclass(frozen=True)
class Question:
    """Can ``player`` make ``goal`` true before the number of the turn has risen by ``turns`` (None: ever)?

    ``goal`` is a condition on states, ``name`` what it is called. Raises ValueError for turns below 1, and for
    turns in a game that declares none.
    """

    rules: RuleSet
    state: State
    player: int
    goal: Expr
    name: str
    turns: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.player < self.rules.players:
            raise ValueError(f"the game {self.rules.name!r} has players 0..{self.rules.players - 1}, not {self.player}")
        if self.turns is not None and self.turns < 1:
            raise ValueError(f"the number of turns is at least 1, not {self.turns}")
        if self.turns is not None and self.rules.turns is None:
            raise ValueError(f"the game {self.rules.name!r} does not declare what a turn is")

    @property
    def first(self) -> int:
        """The number of the turn in which the question is asked; 0 where a game has none."""
        if self.rules.turns is None:
            return 0
        return evaluate(self.rules.turns.number, self.state, None, self.rules.offset)


def find_goal(rules: RuleSet, goal: str | Expr, player: int) -> tuple[Expr, str]:
    """The condition and its name. Raises ValueError where the rule set has no such goal for the player."""
    if isinstance(goal, Expr):
        if not goal.is_bool or goal.free:
            raise ValueError(f"a goal is a condition on states: {goal!r}")
        return goal, repr(goal)
    found = [g for g in rules.goals if g.name == goal and g.player == player]
    if not found:
        raise ValueError(f"the game {rules.name!r} has no goal {goal!r} for player {player}")
    return found[0].when, goal
