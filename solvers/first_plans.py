"""The first plans that a "no" refutes: all ends of the player's first segment, counted by two engines.

A walk makes every move of the player itself, so that none is overlooked if the engine that makes them overlooks none.
Here the plans (``plans``: decisions that lead to the same end are one) are counted as the walk's engine has them, and
as the enumerator has them, which finds moves in another way. Where the two do not find the same ends the proof is
refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from monjudge.model.language import LimitReached, Move, State
from monjudge.solvers.plans import Planner, Plans
from monjudge.solvers.plans import Successors as Following
from monjudge.solvers.walk import Claim, Refused, Successors

__all__ = ["FirstPlans", "first_plans"]

STATES = 10_000
"""So many states are written down to count plans; where there are more they are not counted."""


@dataclass(frozen=True)
class FirstPlans:
    """How many there are; ``early``: how many of them the others answer before they are complete (None: not known)."""

    count: int
    early: int | None = None


def first_plans(claim: Claim, successors: Successors, refuted: Callable[[State], bool] | None = None) -> FirstPlans | None:
    """The plans of the player from the state of the claim on, within the segment of the turn in which it lies.

    ``refuted``: whether the walk came to a state. None where the player decides nothing there, the game declares no
    turns, or there are too many plans. Raises Refused where the enumerator finds other plans than ``successors``.
    """
    try:
        here = Planner(claim.rules, claim.player, claim.state, successors=_following(successors), states=STATES)
        there = Planner(claim.rules, claim.player, claim.state, here.segment, states=STATES)
    except ValueError:
        return None
    plans, others = here.plans(), there.plans()
    if any(p.limit is not None and p.states >= STATES for p in (plans, others)):
        return None
    ends = _ends(plans)
    if ends != _ends(others):
        raise Refused(f"the enumerator finds {len(others)} first plans, not {len(plans)}", f"列挙エンジンの数える最初の計画は{len(plans)}通りでなく{len(others)}通り")
    return FirstPlans(len(plans), None if refuted is None else sum(not refuted(state) for state, _ in ends))


def _ends(plans: Plans) -> set[tuple[State, str]]:
    return {(plan.state, plan.end) for plan in plans}


def _following(successors: Successors) -> Following:
    def following(state: State) -> Iterable[tuple[Move, Callable[[], State]]]:
        return [(move, partial(_made, move, after)) for move, after in successors(state)]

    return following


def _made(move: Move, after: State | None) -> State:
    if after is None:
        raise LimitReached(f"{move} passes a bound of the model", f"{move} でモデルの上限を超える")
    return after
