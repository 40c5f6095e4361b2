"""Lines of play that show something, sought from where play begins: near states first, then random play, then more states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from monjudge.model.language import Expr, LimitReached, State
from monjudge.model.properties import Scene
from monjudge.verify.beginnings import COUNTEREXAMPLE, others
from monjudge.verify.bounded import Line, Test, Walk, Walked
from monjudge.verify.nearby import shortened
from monjudge.verify.queries import Clock
from monjudge.verify.question import Question

__all__ = ["SMALL", "Seeking"]

SMALL = 200
"""Cells up to which z3 is asked for the shortest line as well, over all fields, and all states are looked at before random play."""

SOON = 10
"""So many random lines are played from each beginning where any line will do."""

FEW = 2
"""So many before it is thought about how to prove it."""

NEAR = 10
"""Of the states that may be looked at in a large game this part is looked at before random play."""


@dataclass
class Seeking:
    """Lines for a question about a scene, within so many ``states`` of a walk and random ``lines``.

    ``seed`` is that of the random line that was found last, None where it was found otherwise.
    """

    question: Question
    scene: Scene
    walk: Walk
    clock: Clock
    states: int
    lines: int
    seed: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether play may begin in several ways."""
        return any(self.scene.is_open(f.name) for f in self.scene.rules.families)

    def beginnings(self) -> dict[str, State]:
        """The start, and every position in which play may begin as well."""
        scene, rules = self.scene, self.scene.rules
        shut = [n for f in rules.families if not scene.is_open(f.name) for n in range(rules.offset[f.name], rules.offset[f.name] + f.size)]
        given = self.test(scene.given)
        return {"start": scene.start, **{name: s for name, s in scene.positions.items() if all(s[n] == scene.start[n] for n in shut) and given(s)}}

    def test(self, formula: Expr) -> Test:
        return lambda state: bool(self.walk.moves.value(formula, state))

    def named(self, starts: Mapping[str, State]) -> Mapping[str, State]:
        """Those of the positions which the property names; all where it names none of them."""
        return {name: starts[name] for name in self.question.prop.starts if name in starts} or starts

    def any(self, test: Test, starts: Mapping[str, State]) -> tuple[bool, Walked | None]:
        """Whether a line to such a state is found, and how far all states were looked at, if they were.

        Any line will do: random ones are at hand sooner than the shortest.
        """
        for seed in range(min(SOON, self.lines)):
            if any(self.walk.at_random(start, test, [seed]).line is not None for start in self.named(starts).values()):
                return True, None
        line, walked = self.line(test, starts)
        return line is not None, walked

    def soon(self, test: Test, breach: State) -> bool:
        """Whether one of a few random lines meets such a state, from where play begins, as it is or with the boards and readings of the breach."""
        first = self.scene.start
        there = others(self.scene, first, breach if len(breach) == self.scene.rules.size else None)
        starts = [first, *(state for name, state in there.items() if name == COUNTEREXAMPLE)]
        return any(self.walk.at_random(start, test, [seed]).line is not None for seed in range(FEW) for start in starts)

    def line(self, test: Test, starts: Mapping[str, State], breach: State | None = None) -> tuple[Line | None, Walked]:
        """A line to such a state: the shortest from the first start where it is near, else any that random play meets.

        Where readings or boards are open play begins with others, too: first with those of the ``breach``.

        Also how far all states were looked at from the first start, for which a quarter of the time is taken; in a large game
        more of them only after random play, which finds most lines sooner.
        """
        starts, self.seed = self.named(starts), None
        first, *_ = starts.values()
        if self.question.way or self.question.guide:
            found = self._guided(test, starts)
            if found is not None:
                return found.line, found
        large = self.scene.rules.size > SMALL
        near = self.states // NEAR if large else self.states
        walked = self._around(first, test, near)
        if walked.line is not None:
            return walked.line, walked
        if breach is not None:
            starts = {**starts, **others(self.scene, first, breach if len(breach) == self.scene.rules.size else None)}
        if COUNTEREXAMPLE in starts:
            there = self._around(starts[COUNTEREXAMPLE], test, near)
            if there.line is not None:
                return there.line, walked
        for seed in () if walked.complete and (breach is None or not self.is_open) else range(self.lines):
            for start in starts.values():
                found = self.walk.at_random(start, test, [seed])
                if found.line is not None:
                    self.seed = seed
                    return shortened(self.walk, found.line, test), walked
        if large and not walked.complete:
            walked = self._around(first, test, self.states)
        return walked.line, walked

    def _around(self, start: State, test: Test, states: int) -> Walked:
        """So many states near this one, in the order of their distance, until one is found."""
        return Walk(self.scene.rules, self.clock.part(0.25)).breadth_first(start, test, states)

    def _guided(self, test: Test, starts: Mapping[str, State]) -> Walked | None:
        """A line that goes the way which the property tells, from one of the starts."""
        value, stages = self.walk.moves.value, [*map(self.test, self.question.way), test]
        for start in starts.values():
            walk = Walk(self.scene.rules, self.clock.part(0.5))
            try:
                found = walk.guided(start, stages, lambda s: tuple(value(n, s) for n in self.question.guide), self.states)
            except LimitReached:
                continue
            if found.line is not None:
                return found
        return None
