"""The kinds of question that answer for themselves, each in a file of its own: how they are answered, how evidence is checked.

Every other kind is answered by ``prove`` and checked by ``recheck`` with what invariants, moves and lines need.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence
from monjudge.verify import choices, consistent, draws, forcing, hopeless, joint, loop, rest, robust, same
from monjudge.verify.outcome import Outcome
from monjudge.verify.queries import Clock
from monjudge.verify.question import Question

__all__ = ["ANSWERS", "CHECKS", "LITERAL"]

ANSWERS: Mapping[str, Callable[[Question, Scene, Clock, int], Outcome]] = {
    "loop": loop.answer, "consistent": consistent.answer, "same": same.answer, "robust": robust.answer,
    "joint": joint.answer, "rest": rest.answer, "hopeless": hopeless.answer, "choices": choices.answer,
    "draw": draws.answer, "forced": forcing.answer,
}  # fmt: skip
"""By kind: a question about a scene, the time that is left, and how many states may be looked at."""

CHECKS: Mapping[str, Callable[[Evidence, Scene, float | None], tuple[int, int]]] = {
    "loop": loop.check, "no loop": loop.check, "consistent": consistent.check, "contradiction": consistent.check,
    "same": same.check, "different": same.check, "robust": robust.check, "barred": robust.check,
    "joint": joint.check, "not joint": joint.check, "two rests": rest.check, "hopeless": hopeless.check, "not hopeless": hopeless.check,
    "choices": choices.check, "more choices": choices.check,
}  # fmt: skip
"""By what evidence claims: how many implications were proved again and how many moves made; Refused is raised with the reason."""

LITERAL = ("consistent", "same", "robust", "joint", "hopeless")
"""The kinds that speak of the text itself, of all readings, or of what is declared under some, so that no reading can turn the verdict."""
