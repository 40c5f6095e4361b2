"""Questions to z3 about all states of a scene that use as little of the rules as they need.

A query begins with its goal alone, everything else arbitrary. A condition (a clause, a lemma, that the triggers
have come to rest) is added only where the model found breaks it; what was added when no model is left is what the
proof used. This is abstraction refined by counterexamples (Clarke, Grumberg, Jha, Lu, Veith, CAV 2000).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from monjudge.model.language import Expr, LimitReached, RuleSet, Trigger, walk
from monjudge.model.properties import Scene
from monjudge.solvers.engines.smt import Successor, Symbolic, SymbolicState
from monjudge.solvers.engines.smt.terms import same, z3

__all__ = ["INVARIANT", "SETTLED", "Clock", "Condition", "Provable", "Queries", "Refuted", "has_model", "translated"]

INVARIANT = "invariant"
"""A lemma is named by this word and its number."""

SETTLED = "settled"
"""The name of the condition that a whole pass of the triggers leaves the state as it is."""

EASY = 1_000_000
"""So many units of z3 are spent before all is simplified anew."""

LATE = 100_000
"""After so many conflicts z3 simplifies what it has learned: most questions are answered before, and with the question that goes, too."""

Condition = tuple[str, Callable[[], Any]]
"""What a proof may use: a name, and how its term is made."""


@dataclass(frozen=True)
class Provable:
    """The term of a condition that a proof may use if it is proved itself, which is tried only where a model breaks it."""

    term: Callable[[], Any]
    proof: Callable[[], bool]

    def __call__(self) -> Any:
        return self.term()


class Clock:
    """What is left of ``seconds`` (None: all the time in the world) of processor time of this process, or by another clock ``now``.

    Processor time, so that what is proved does not hang on how busy the machine is.
    """

    def __init__(self, seconds: float | None = None, now: Callable[[], float] = time.process_time) -> None:
        self._now, self._end = now, None if seconds is None else now() + seconds

    def left(self) -> float | None:
        """Seconds. Raises LimitReached when none are left."""
        if self._end is None:
            return None
        left = self._end - self._now()
        if left <= 0:
            raise LimitReached("the time allowed is over")
        return left

    def part(self, share: float) -> Clock:
        """A clock for this share of the time that is left."""
        left = self.left()
        return Clock(None if left is None else share * left, self._now)


def has_model(solver: Any, clock: Clock, assumptions: Sequence[Any] = ()) -> bool:
    """Whether what was added to a solver of z3 can be met under the assumptions. Raises LimitReached where it gives up, or the time is over."""
    while True:
        left = clock.left()
        if left is not None:
            solver.set("timeout", max(1, int(1000 * left)))  # by the clock on the wall: it goes on where processor time is left
        answer = solver.check(*assumptions)
        if answer != z3.unknown:
            return bool(answer == z3.sat)
        reason = solver.reason_unknown()
        if reason == "interrupted from keyboard":
            raise KeyboardInterrupt
        if left is None or reason not in _OVER:
            raise LimitReached(f"z3 gave no answer: {reason}")


_OVER = ("timeout", "canceled")
"""What z3 says when its time is over."""


@dataclass(frozen=True)
class Refuted:
    """No assignment: ``used`` are the names of the conditions that were needed for it."""

    used: tuple[str, ...]


class _Translated(Symbolic):
    """A rule set as terms, of which those about the state ``now`` are made once: many properties ask for them."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(rules)
        self.now = self.state("now")
        self._made: dict[Any, Any] = {}

    @cached_property
    def within(self) -> Any:
        """That ``now`` lies within the intervals."""
        return self.inside(self.now)

    @cached_property
    def settled(self) -> Any:
        """That a whole pass of the triggers leaves ``now`` as it is."""
        after, limit = self.one_pass(self.now)
        return z3.And(self.equal(self.now, after), z3.Not(self.terms.ref(limit)))

    def conditions(self, action: str, state: SymbolicState, me: Any, args: Sequence[Any]) -> list[tuple[str, Any]]:
        make = super().conditions
        return self._once("conditions", action, state, (me, *args), lambda: make(action, state, me, args))  # type: ignore[no-any-return]

    def apply(self, action: str, state: SymbolicState, me: Any, args: Sequence[Any]) -> Successor:
        make = super().apply
        return self._once("apply", action, state, (me, *args), lambda: make(action, state, me, args))  # type: ignore[no-any-return]

    def fire(self, trigger: Trigger, values: Sequence[int], state: SymbolicState) -> tuple[SymbolicState, Any]:
        make = super().fire
        return self._once("fire", trigger, state, values, lambda: make(trigger, values, state))  # type: ignore[no-any-return]

    def _once(self, what: str, of: Any, state: SymbolicState, args: Sequence[Any], make: Callable[[], Any]) -> Any:
        if state is not self.now:
            return make()
        key = (what, of, *((a,) if isinstance(a, int) else same(a) for a in args))
        if key not in self._made:
            self._made[key] = make(), args  # terms are told apart by numbers that z3 gives anew to others, once they are gone
        return self._made[key][0]


@lru_cache(maxsize=4)
def translated(rules: RuleSet) -> _Translated:
    """The rule set as terms of z3."""
    return _Translated(rules)


class Queries:
    """A scene as terms of z3: one arbitrary state ``now`` within the intervals, the configuration as it is given.

    ``assumed`` are formulas about the configuration that any proof may use besides, each by its name; ``carried`` are steps
    of a proof that were proved before, with what they used.
    """

    def __init__(self, scene: Scene, clock: Clock, assumed: Mapping[str, Expr] | None = None, carried: Mapping[str, tuple[str, ...]] | None = None) -> None:
        if any(n.op == "field" and not n.args[0].config for n in walk(scene.given)):
            raise ValueError("what is given speaks of the configuration only")
        self.scene, self.clock, self.game, self.carried = scene, clock, translated(scene.rules), carried or {}
        self.now = self.game.now
        self._context, self._copies, self._idle = z3.Context(), dict[int, Any](), list[Any]()
        self.resting: dict[tuple[Expr, ...], Any] = {}  # what ``idle`` has found out, by the lemmas that it may use
        self.hard = [self.game.within, self.game.expr(scene.given, self.now)]
        self.assumed: list[Condition] = [(name, lambda f=f: self.game.expr(f, self.now)) for name, f in (assumed or {}).items()]  # type: ignore[misc]

    def first(self) -> SymbolicState:
        """All states in which play begins: the open fields hold anything."""
        known, at = list(self.game.known(self.scene.start).terms), 0
        for family in self.scene.rules.families:
            if self.scene.is_open(family.name):
                known[at : at + family.size] = self.now.terms[at : at + family.size]
            at += family.size
        return SymbolicState(known)

    def before(self, step: str) -> Refuted | None:
        """What a step used, if it was proved before."""
        return Refuted(self.carried[step]) if step in self.carried else None

    def settled(self) -> Any:
        """That a whole pass of the triggers leaves ``now`` as it is."""
        return self.game.settled

    def named(self, prefix: str, formulas: Sequence[Expr]) -> list[Condition]:
        """Formulas about ``now`` as conditions ``prefix 0``, ``prefix 1`` ..."""
        return [(f"{prefix} {n}", lambda f=f: self.game.expr(f, self.now)) for n, f in enumerate(formulas)]  # type: ignore[misc]

    def refute(self, goal: Iterable[Any], conditions: Sequence[Condition] = ()) -> Refuted | Any:
        """That the goal holds nowhere, or a model of it in which all conditions hold.

        Raises LimitReached where z3 gives up or the time is over.
        """
        solver = self._idle.pop() if self._idle else self._solver()  # while a condition is proved another question is open
        solver.push()
        try:
            return self._refuted(solver, goal, conditions)
        finally:
            solver.pop()
            self._idle.append(solver)

    def _solver(self) -> Any:
        """A solver that knows what holds in every question: to say it anew takes longer than most of the answers."""
        solver = z3.SolverFor("QF_FD", ctx=self._context)
        solver.set("simplify.delay", LATE)
        solver.add(*map(self._copy, self.hard), *(z3.Implies(sign, self._copy(term())) for sign, (_, term) in self._signs.items()))
        return solver

    @cached_property
    def _signs(self) -> dict[Any, Condition]:
        return {z3.Bool(f"assumed {name}", self._context): (name, term) for name, term in self.assumed}

    def _refuted(self, solver: Any, goal: Iterable[Any], conditions: Sequence[Condition]) -> Refuted | Any:
        said = [*map(self._copy, goal)]
        solver.add(*said)
        rest, used, signs = list(conditions), list[str](), list[Any]()
        while True:
            asked, found = solver, None if signs else self._soon(solver)
            if found is None:
                asked = solver if signs else self._hard_way(said)
                found = has_model(asked, self.clock, signs)
            if not found:
                # The assumptions come last, all at once: z3 tells which of them it needed.
                return Refuted(tuple(sorted({*used, *(self._signs[sign][0] for sign in asked.unsat_core())})))
            model = asked.model()
            broken = next((n for n, (_, term) in enumerate(rest) if not z3.is_true(model.eval(self._copy(term()), model_completion=True))), None)
            if broken is not None:
                name, term = rest.pop(broken)
                if isinstance(term, Provable) and not term.proof():
                    continue
                used.append(name)
                said.append(self._copy(term()))
                solver.add(said[-1])
            elif len(signs) < len(self._signs):
                signs = list(self._signs)
            else:
                return model.translate(z3.main_ctx())

    def _soon(self, solver: Any) -> bool | None:
        """Whether there is a model, with what z3 has learned from other questions; None where that takes more than ``EASY``."""
        left = self.clock.left()
        solver.set("timeout", 2**32 - 1 if left is None else max(1, int(1000 * left)))
        solver.set("rlimit", EASY)
        answer = solver.check()
        solver.set("rlimit", 0)
        if answer == z3.unknown and solver.reason_unknown() == "interrupted from keyboard":
            raise KeyboardInterrupt
        return None if answer == z3.unknown else bool(answer == z3.sat)

    def _hard_way(self, said: Sequence[Any]) -> Any:
        """A solver that simplifies all before it searches: comparing sums it is several times as fast."""
        solver = z3.Then("simplify", "propagate-values", "simplify", "bit-blast", "sat", ctx=self._context).solver()
        solver.add(*map(self._copy, self.hard), *said)
        return solver

    def _copy(self, term: Any) -> Any:
        """The term in the context of these queries alone: what z3 finds hangs on the numbers of its terms, so on all that was asked before."""
        key = term.get_id()
        if key not in self._copies:
            self._copies[key] = term, term.translate(self._context)  # the term is kept, that no other gets its number
        return self._copies[key][1]
