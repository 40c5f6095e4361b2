"""Questions to z3 about all states of a scene that use as little of the rules as they need.

A query begins with its goal and all that is small (clauses, lemmas), as assumptions: z3 tells which of them it needed. Where
that is not answered soon, it begins with its goal alone, everything else arbitrary. Any other condition (that the triggers
have come to rest) is added only where the model found breaks it; what was added when no model is left is what the
proof used. This is abstraction refined by counterexamples (Clarke, Grumberg, Jha, Lu, Veith, CAV 2000).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from monjudge.model.language import Expr, LimitReached, RuleSet, Trigger, walk
from monjudge.model.properties import Scene
from monjudge.solvers.engines.smt import Successor, Symbolic, SymbolicState
from monjudge.solvers.engines.smt.terms import same, z3

__all__ = ["INVARIANT", "LIMIT", "SETTLED", "Clock", "Condition", "Provable", "Queries", "Refuted", "has_model", "translated"]

INVARIANT = "invariant"
"""A lemma is named by this word and its number."""

SETTLED, LIMIT = "settled", "limit"
"""The names of the conditions that a whole pass of the triggers leaves the state as it is, and that no value leaves its interval: large terms."""

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


@dataclass
class Told:
    """A solver, and the marks of what it was told for good. Once it was stopped it is not ``whole``: z3 loses what it was reading then."""

    solver: Any
    marks: set[Any] = field(default_factory=set)
    is_whole: bool = True


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
        self._context, self._copies = z3.Context(), dict[int, Any]()
        self._idle: dict[bool, list[Told]] = {True: [], False: []}
        self._marks = dict[int, Any]()
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

    def refute(self, goal: Iterable[Any], conditions: Sequence[Condition] = (), at_once: bool = True) -> Refuted | Any:
        """That the goal holds nowhere, or a model of it in which all conditions hold.

        ``at_once``: all that is small is assumed from the beginning; a question that compares sums is easier with little of it.
        Raises LimitReached where z3 gives up or the time is over.
        """
        idle = self._idle[at_once]
        told = idle.pop() if idle else self.told()  # while a condition is proved another question is open
        if at_once:
            self._say(told, conditions)
        told.solver.push()
        answer = _Asked(self, told, [*map(self.copy, goal)], conditions).answer(at_once)
        if told.is_whole:
            told.solver.pop()
            idle.append(told)
        return answer

    def _say(self, told: Told, conditions: Sequence[Condition]) -> None:
        """Says for good, to be assumed or not, what is asked with not for the first time: a lemma comes with every step."""
        for _, term in filter(_is_small, conditions):
            again, (mark, said) = self.copy(term()).get_id() in self._marks, self.marked(term())
            if again and mark not in told.marks:
                told.marks.add(mark)
                told.solver.add(z3.Implies(mark, said))

    def marked(self, term: Any) -> tuple[Any, Any]:
        """What stands for a term where it is assumed, and its copy."""
        said = self.copy(term)
        return self._marks.setdefault(said.get_id(), z3.Bool(f"said {said.get_id()}", self._context)), said

    def told(self) -> Told:
        """A solver that knows what holds in every question: to say it anew takes longer than most of the answers."""
        solver = z3.SolverFor("QF_FD", ctx=self._context)
        solver.set("simplify.delay", LATE)
        solver.add(*map(self.copy, self.hard), *(z3.Implies(sign, self.copy(term())) for sign, (_, term) in self.signs.items()))
        return Told(solver)

    @cached_property
    def signs(self) -> dict[Any, Condition]:
        return {z3.Bool(f"assumed {name}", self._context): (name, term) for name, term in self.assumed}

    def soon(self, solver: Any, assumptions: Sequence[Any]) -> bool | None:
        """Whether there is a model under the assumptions, with what z3 has learned from other questions; None where that takes more than ``EASY``."""
        left = self.clock.left()
        solver.set("timeout", 2**32 - 1 if left is None else max(1, int(1000 * left)))
        solver.set("rlimit", EASY)
        answer = solver.check(*assumptions)
        solver.set("rlimit", 0)
        if answer == z3.unknown and solver.reason_unknown() == "interrupted from keyboard":
            raise KeyboardInterrupt
        return None if answer == z3.unknown else bool(answer == z3.sat)

    def hard_way(self, said: Sequence[Any]) -> Any:
        """A solver that simplifies all before it searches: comparing sums it is several times as fast."""
        solver = z3.Then("simplify", "propagate-values", "simplify", "bit-blast", "sat", ctx=self._context).solver()
        solver.add(*map(self.copy, self.hard), *said)
        return solver

    def copy(self, term: Any) -> Any:
        """The term in the context of these queries alone: what z3 finds hangs on the numbers of its terms, so on all that was asked before."""
        key = term.get_id()
        if key not in self._copies:
            self._copies[key] = term, term.translate(self._context)  # the term is kept, that no other gets its number
        return self._copies[key][1]


def _is_small(condition: Condition) -> bool:
    name, term = condition
    return name not in (SETTLED, LIMIT) and not isinstance(term, Provable)


class _Asked:
    """One question on its way: what was said of it to the solver, which of the conditions, and what is left of them."""

    def __init__(self, queries: Queries, told: Told, goal: Sequence[Any], conditions: Sequence[Condition]) -> None:
        self.queries, self.told, self.goal, self.conditions = queries, told, goal, conditions
        self.signs: Mapping[Any, Condition] = {}
        told.solver.add(*goal)
        self._begin()

    def _begin(self) -> None:
        self.taken, self.left = dict[Any, tuple[str, Any]](), list(self.conditions)

    def answer(self, at_once: bool) -> Refuted | Any:
        """What was used, where there is no model; else a model of all. Raises LimitReached."""
        self._take([n for n, condition in enumerate(self.left) if at_once and _is_small(condition)])
        answer = self._soon()
        if answer is None:
            self._begin()
            answer = self._some_time()
        while not isinstance(answer, Refuted):
            broken = self._broken(answer)
            if not broken and len(self.signs) == len(self.queries.signs):
                return answer.translate(z3.main_ctx())
            # The assumptions come last, all at once: z3 tells which of them it needed.
            self.signs = self.signs if broken else self.queries.signs
            self._take(broken)
            answer = self._some_time()
        return answer

    def _take(self, numbers: Sequence[int]) -> None:
        """Says these of the conditions that are left."""
        for n in reversed(numbers):
            name, term = self.left.pop(n)
            if not isinstance(term, Provable) or term.proof():
                mark, said = self.queries.marked(term())
                self.taken[mark] = name, said
                if mark not in self.told.marks:
                    self.told.solver.add(z3.Implies(mark, said))

    def _broken(self, model: Any) -> list[int]:
        """The small ones of the conditions that are left which a model breaks, else the first large one."""
        small = [n for n, condition in enumerate(self.left) if _is_small(condition) and self._breaks(model, condition)]
        return small or [n for n, condition in enumerate(self.left) if not _is_small(condition) and self._breaks(model, condition)][:1]

    def _breaks(self, model: Any, condition: Condition) -> bool:
        return not z3.is_true(model.eval(self.queries.copy(condition[1]()), model_completion=True))

    def _soon(self) -> Refuted | Any:
        """What was used, or a model; None where that takes long."""
        found = self.queries.soon(self.told.solver, [*self.taken, *self.signs])
        if found is not None:
            return self._found(found)
        self.told.is_whole, self.told = False, self.queries.told()
        self.told.solver.add(*self.goal, *(z3.Implies(mark, said) for mark, (_, said) in self.taken.items()))
        return None

    def _some_time(self) -> Refuted | Any:
        answer = self._soon()
        if answer is not None:
            return answer
        if self.signs:
            return self._found(has_model(self.told.solver, self.queries.clock, [*self.taken, *self.signs]))
        solver = self.queries.hard_way([*self.goal, *(said for _, said in self.taken.values())])
        return solver.model() if has_model(solver, self.queries.clock) else Refuted(tuple(sorted(name for name, _ in self.taken.values())))

    def _found(self, found: bool) -> Refuted | Any:
        names = {mark: name for mark, (name, _) in (*self.taken.items(), *self.signs.items())}
        return self.told.solver.model() if found else Refuted(tuple(sorted({names[mark] for mark in self.told.solver.unsat_core()})))
