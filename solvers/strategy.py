"""One strategy for hidden cards, told place by place: what may have happened, and what the player then does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from monjudge.model.language import Move, State
from monjudge.solvers.strict import strict_state
from monjudge.solvers.unseen import Answer, Belief, Hidden, Run
from monjudge.solvers.verdict import Verdict

__all__ = ["Then", "strategy"]

Made = tuple[tuple[State, Move], ...]
"""Moves, each with a state in which it is possible."""


@dataclass(frozen=True)
class Then:
    """One of the ``replies`` led here (none: the player sees what his own move brought), and now he makes his ``move``, if he has one.

    ``again``: it was told before how it goes on.
    """

    depth: int
    replies: Made
    move: tuple[State, Move] | None
    again: bool = False


def strategy(hidden: Hidden, answer: Answer) -> Iterator[Then]:
    """What the player does in a win of these, depth first. Raises Stopped by a limit."""
    question = answer.question
    deadline = None if answer.turns is None else question.first + answer.turns
    run, size, seen = Run(hidden, question), hidden.rules.size, set[Belief]()
    root = hidden.split((strict_state(hidden.rules, s) for s in answer.states), deadline)
    front: list[tuple[int, Made, Belief]] = [(0, (), belief) for belief in reversed(root)]
    while front:
        depth, replies, belief = front.pop()
        if belief in seen:
            yield Then(depth, replies, None, again=True)
            continue
        seen.add(belief)
        mine, others = hidden.options(belief, deadline)
        chosen, after = next(((move, b) for move, b in mine if run._all(b, deadline)[0] is Verdict.YES), (None, []))
        maker = next((s for s in belief if chosen in hidden.mine(s)), None)
        if chosen is not None or replies:
            yield Then(depth, replies, None if chosen is None or maker is None else (maker[:size], chosen))
            depth += 1
        below: list[tuple[int, Made, Belief]] = [(depth, (), b) for b in after]
        for other in others:
            made = {m: s[:size] for s in belief for m, a in hidden.after(s) if m.me != hidden.player and a in other}
            below.append((depth, tuple((s, m) for m, s in made.items()), other))
        front.extend(reversed(below))
