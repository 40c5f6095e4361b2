"""The same question answered by the obvious solver, to hold the search against."""

from __future__ import annotations

import time

from monjudge.model.language import Expr, RuleSet, State
from monjudge.solvers.brute import Brute
from monjudge.solvers.forced.question import Question, find_goal
from monjudge.solvers.forced.search import Answer, Limits, Statistics
from monjudge.solvers.strict import strict, strict_state
from monjudge.solvers.verdict import Verdict

__all__ = ["Contradiction", "compared", "obvious"]

MOST = 1_000_000
"""So many positions are written down where nobody says how many."""


class Contradiction(RuntimeError):
    """Two engines gave opposite answers to one question: one of them is wrong."""


def obvious(
    rules: RuleSet, state: State, goal: str | Expr = "win", player: int = 0, turns: int | None = None,
    limits: Limits | None = None, *, late: bool = False,
) -> Answer:  # fmt: skip
    """As ``Search.answer``, by ``Brute``: no line, and memory is reckoned by what a position takes at most.

    ``late``: fewer turns than those asked about are not tried.
    """
    condition, name = find_goal(rules, goal, player)
    question, limits, clock = Question(rules, state, player, condition, name, turns), limits or Limits(), time.process_time()
    asked, whole = strict(rules), strict_state(rules, state)
    # A state is a tuple of eight bytes a cell; its moves with what stands around them seldom take more than the rest.
    most = min(limits.nodes or MOST, max(1, limits.memory // (16 * asked.size + 4096)))
    until = None if limits.seconds is None else time.monotonic() + limits.seconds
    found: list[int] = []
    verdict, limit, number = Verdict.UNKNOWN, None, None
    for number in (turns,) if turns is None or late else range(1, turns + 1):
        seconds = None if until is None else max(0.0, until - time.monotonic())
        value = Brute(asked, most, seconds).forced(player, condition, whole, turns=number)
        found.append(value.nodes)
        verdict, limit = value.verdict, value.limit
        if verdict is Verdict.YES:
            break
    statistics = Statistics(sum(found), tuple(found), seconds=time.process_time() - clock)
    return Answer(question, verdict, number, statistics, limit if verdict is Verdict.UNKNOWN else None)


def compared(one: Answer, other: Answer, *, fewest: bool = True) -> bool:
    """Whether two answers to one question agree; False where one of them does not know. Raises Contradiction.

    ``fewest``: both claim that fewer turns do not suffice.
    """
    verdicts = {one.verdict, other.verdict}
    if Verdict.UNKNOWN in verdicts:
        return False
    if len(verdicts) > 1 or (fewest and Verdict.YES in verdicts and one.turns != other.turns):
        raise Contradiction(f"one engine says {one.verdict} ({one.turns}), the other {other.verdict} ({other.turns})")
    return True
