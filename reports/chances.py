"""How probable a goal is, and whether it is forced for a player who does not see everything."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from monjudge.model.language import Move
from monjudge.reports.answers.answer import MoveWords
from monjudge.reports.answers.odds import Mixture, OddsAnswer
from monjudge.reports.answers.solved import Unseen
from monjudge.reports.running import Means, Solving

if TYPE_CHECKING:
    from monjudge.reports.judge import Position

__all__ = ["hidden", "odds"]


def odds(
    position: Position, goal: str = "win", *, player: int = 1, turns: int | None = None, at_least: Fraction | None = None,
    means: Means | None = None,
) -> OddsAnswer:  # fmt: skip
    """The probability of the goal under best play of both, chance as it is weighted, all cards open.

    Where decisions are taken without seeing one another the plans may be mixed. Raises as ``Solving``.
    """
    asking = Solving(position, goal, player=player, turns=turns, means=means)
    rules, state, when, limits = position.rules, position.state, asking.goal.when, asking.means.limits
    words = [f"--goal={asking.goal.text}", f"--player={player}", *([f"--turns={turns}"] if turns else [])]
    asked = position.asked("solve", *words, "--odds" if at_least is None else f"--at-least={at_least}")
    named = position.player(player), asking.goal.said, turns
    if rules.simultaneous:
        from monjudge.solvers.stage import value

        mixed = value(rules, state, when, player - 1, turns, limits)
        low, high = (Fraction(0), Fraction(1)) if mixed.exact is None else (mixed.exact, mixed.exact)
        return OddsAnswer(*named, low, high, mixed.nodes, at_least, _each(position, mixed.moves), _mixture(position, mixed.plans),
                          _mixture(position, mixed.replies), mixed.limit, asked)  # fmt: skip
    from monjudge.solvers.odds import odds as worked_out

    found = worked_out(rules, state, when, player - 1, turns, limits)
    return OddsAnswer(*named, found.low, found.high, found.nodes, at_least, _each(position, found.moves), limit=found.limit, asked=asked)


def hidden(
    position: Position, goal: str = "win", *, player: int = 1, turns: int | None = None, means: Means | None = None
) -> Unseen:
    """Whether one strategy that uses only what the player sees forces the goal, however the hidden cards lie. Raises as ``Solving``."""
    from monjudge.solvers.unseen import Hidden

    asking = Solving(position, goal, player=player, turns=turns, means=means)
    search = Hidden(position.rules, asking.goal.when, player - 1, limits=asking.means.limits)
    found = search.answer(position.state, turns)
    words = [f"--goal={asking.goal.text}", f"--player={player}", *([f"--turns={turns}"] if turns else []), "--hidden"]
    return Unseen(
        found.verdict, position.player(player), asking.goal.said, found.turns, len(found.states), found.nodes,
        tuple(position.words(move) for move in found.moves), found.limit, position.asked("solve", *words),
    )  # fmt: skip


def _each(position: Position, moves: Iterable[tuple[Move, Fraction]]) -> tuple[tuple[MoveWords, Fraction], ...]:
    return tuple((position.words(move), value) for move, value in moves)


def _mixture(position: Position, mix: Iterable[tuple[tuple[Move, ...], Fraction]]) -> Mixture:
    """Plans in words; each is told from the position in which it is made."""
    return tuple((tuple(position.words(move) for move in plan), value) for plan, value in mix)
