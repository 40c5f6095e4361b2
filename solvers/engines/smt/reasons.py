"""All minimal reasons and relaxations of a set of clauses, where the space is too large to look at one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from monjudge.model.language import LimitReached
from monjudge.solvers.engines.smt.terms import z3

__all__ = ["Reason", "check", "reasons"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Ids of clauses: a smallest set that cannot hold together, or one without which the rest can (``relaxation``).

    ``witness`` shows for a relaxation that the rest can hold: a model of z3, or a ``Move``.
    """

    kind: Literal["reason", "relaxation"]
    clauses: frozenset[str]
    witness: Any = field(default=None, compare=False)


def check(solver: Any, *assumptions: Any) -> bool:
    """Whether z3 finds the assertions satisfiable. Raises LimitReached where it gives up."""
    answer = solver.check(*assumptions)
    if answer == z3.unknown:
        raise LimitReached(f"z3 gave no answer: {solver.reason_unknown()}")
    return bool(answer == z3.sat)


def reasons(
    hard: Sequence[Any], soft: Sequence[tuple[str, Any]], most: int | None = None, rlimit: int = 0
) -> Iterator[Reason]:
    """All minimal unsatisfiable sets and minimal correction sets of named clauses, by the algorithm MARCO
    (Liffiton, Previti, Malik, Marques-Silva, "Fast, flexible MUS enumeration", 2016).

    Each is yielded when found. Where all clauses hold together, the one relaxation is
    empty; where ``hard`` alone cannot hold, the one reason is. Raises LimitReached after
    ``most`` of them if there are more, and where z3 gives up.
    """
    solver, unseen = z3.Solver(), z3.Solver()
    for each in (solver, unseen):
        if rlimit:
            each.set("rlimit", rlimit)
    solver.add(*hard)
    marks = [z3.Bool(f"keep.{n}") for n in range(len(soft))]
    for mark, (_, truth) in zip(marks, soft, strict=True):
        solver.add(z3.Implies(mark, truth))

    def together(kept: set[int]) -> Any:
        return solver.model() if check(solver, *[marks[n] for n in sorted(kept)]) else None

    def named(numbers: set[int]) -> frozenset[str]:
        return frozenset(soft[n][0] for n in numbers)

    found, everything = 0, set(range(len(soft)))
    while check(unseen):
        if found == most:
            raise LimitReached(f"there are more than {most} reasons and relaxations")
        seed = unseen.model()
        kept = {n for n in everything if not z3.is_false(seed.eval(marks[n]))}
        model = together(kept)
        if model is not None:
            for n in sorted(everything - kept):
                more = together(kept | {n})
                if more is not None:
                    kept.add(n)
                    model = more
            reason = Reason("relaxation", named(everything - kept), model)
            unseen.add(z3.Or([marks[n] for n in sorted(everything - kept)]))
        else:
            for n in sorted(kept):
                if together(kept - {n}) is None:
                    kept.discard(n)
            reason = Reason("reason", named(kept))
            unseen.add(z3.Or([z3.Not(marks[n]) for n in sorted(kept)]))
        found += 1
        yield reason
