"""Mutants of a rule set: what the tests would say if a clause were missing or off by one.

A clause is pinned down by the tests only if they fail when it is changed (mutation testing,
DeMillo, Lipton and Sayward 1978). A mutant drops a clause, keeps a trigger from firing or
the game from ending, or moves a comparison of a clause by one. All mutants of a rule set are
compiled at once, with a cell that says which of them is in force (mutant schemata, Untch,
Offutt and Harrold 1993).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from monjudge.model.language import (
    FALSE,
    TRUE,
    Action,
    Clause,
    Expr,
    Family,
    LimitReached,
    Move,
    RuleSet,
    State,
    Trigger,
    field,
    ite,
    le,
    lt,
    rebuild,
)
from monjudge.model.language.export import content_hash
from monjudge.solvers.cases import Answer, Case, run_cases
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.verify.norms import NormReport, Norms

__all__ = ["Chosen", "Mutant", "Mutated", "Trial", "bare_hash", "breach", "mutants"]


class Mutant(NamedTuple):
    """A change of one clause of an action, or of a trigger or the end of the game (``action`` is empty).

    ``change`` is ``dropped``, or ``stricter`` or ``laxer`` with the number of the comparison.
    """

    action: str
    id: str
    change: str

    def __str__(self) -> str:
        return f"{self.action or 'trigger'} {self.id} {self.change}"


def mutants(rules: RuleSet) -> Iterator[Mutant]:
    """All mutants, in the order of the rule set; bounds of the model are no rules and have none."""
    for action in rules.actions:
        for clause in action.clauses:
            if clause.kind == "rule":
                yield from (Mutant(action.name, clause.id, change) for change, _ in _changes(clause.expr))
    for trigger in rules.triggers:
        yield Mutant("", trigger.id, "dropped")
    if rules.over is not None:
        yield Mutant("", rules.over.id, "dropped")


def _changes(expr: Expr) -> Iterator[tuple[str, Expr]]:
    """The names of the changes of a condition, and what each makes of it."""
    if expr is not TRUE:
        yield "dropped", TRUE
    parts = expr.args if expr.op == "and" else (expr,)
    for n, part in enumerate(parts):
        if part.op not in ("lt", "le"):
            continue
        left, right = part.args
        ways = (("stricter", lt(left, right)), ("laxer", le(left, right + 1))) if part.op == "le" else (
            ("stricter", lt(left + 1, right)), ("laxer", le(left, right)))  # fmt: skip
        for name, way in ways:
            others = tuple(way if k == n else other for k, other in enumerate(parts))
            changed = rebuild(expr, others) if expr.op == "and" else way
            if changed is not expr:
                yield f"{name} {n}", changed


def _mutated(rules: RuleSet, replace: Callable[[Mutant, Expr, Expr], Expr]) -> RuleSet:
    """The rule set in which ``replace`` says what becomes of a condition under a mutant."""

    def clause(action: Action, c: Clause) -> Clause:
        expr = c.expr
        if c.kind == "rule":
            for change, changed in _changes(c.expr):
                expr = replace(Mutant(action.name, c.id, change), expr, changed)
        return dataclasses.replace(c, expr=expr)

    def trigger(t: Trigger) -> Trigger:
        return dataclasses.replace(t, when=replace(Mutant("", t.id, "dropped"), t.when, FALSE))

    def over(c: Clause) -> Clause:
        return dataclasses.replace(c, expr=replace(Mutant("", c.id, "dropped"), c.expr, FALSE))

    return dataclasses.replace(
        rules,
        actions=tuple(dataclasses.replace(a, clauses=tuple(clause(a, c) for c in a.clauses)) for a in rules.actions),
        triggers=tuple(map(trigger, rules.triggers)),
        over=None if rules.over is None else over(rules.over),
    )


class Chosen:
    """Which mutant is in force in all engines that share this (None: the rules as they are).

    A mutant may keep a test from ever ending: after ``calls`` questions an engine raises LimitReached.
    """

    mutant: Mutant | None = None
    calls: int = 10**12


class Mutated:
    """An engine over the states of a rule set in which the chosen mutant is in force.

    ``asked`` collects the actions that were asked about.
    """

    def __init__(self, rules: RuleSet, chosen: Chosen) -> None:
        self.rules, self.chosen = rules, chosen
        self.asked: set[str] = set()
        self.numbers = {mutant: n for n, mutant in enumerate(mutants(rules), 1)}
        self._cell = Family.of("mutant", (), 0, len(self.numbers))
        schemata = _mutated(rules, lambda mutant, expr, changed: ite(self._in_force(mutant), changed, expr))
        self._reference = Reference(dataclasses.replace(schemata, families=(*rules.families, self._cell), norms=()))
        self._plain = Enumerator(rules)
        self._last: tuple[Mutant, Enumerator] | None = None

    def _in_force(self, mutant: Mutant) -> Expr:
        return field(self._cell, ()) == self.numbers[mutant]

    def _with(self, state: State) -> State:
        chosen = self.chosen.mutant
        self.chosen.calls -= 1
        if self.chosen.calls < 0:
            raise LimitReached(f"the test asks too many questions under the mutant {chosen}")
        return (*state, 0 if chosen is None else self.numbers.get(chosen, 0))

    def _moves_under(self, action: str) -> Enumerator:
        """The move generator for an action; only an action that the mutant changes needs one of its own."""
        mutant = self.chosen.mutant
        if mutant is None or mutant.action != action or mutant not in self.numbers:
            return self._plain
        # Only the last one is kept: there are many mutants, and many engines.
        if self._last is None or self._last[0] != mutant:
            rules = _mutated(self.rules, lambda m, expr, changed: changed if m == mutant else expr)
            self._last = mutant, Enumerator(rules)
        return self._last[1]

    def legal(self, state: State, move: Move) -> bool:
        """See ``Reference``, here and below."""
        self.asked.add(move.action)
        return self._reference.legal(self._with(state), move)

    def failing(self, state: State, move: Move) -> list[Clause]:
        self.asked.add(move.action)
        return self._reference.failing(self._with(state), move)

    def moves_of(self, state: State, action: str) -> list[Move]:
        """The legal moves of one action, in canonical order."""
        self.asked.add(action)
        return self._moves_under(action).moves_of(state, action)

    def step(self, state: State, move: Move) -> State:
        self.asked.add("")
        return self._reference.step(self._with(state), move)[:-1]

    def settle(self, state: State) -> State:
        self.asked.add("")
        return self._reference.settle(self._with(state))[:-1]

    def over(self, state: State) -> bool:
        return self._reference.over(self._with(state))


class Trial:
    """Cases against one mutant after the other.

    ``answers(engine, cases)`` gives what answers cases with the engines that ``engine`` makes of rule sets. Raises
    ValueError for a case that fails although nothing is changed.
    """

    def __init__(
        self, cases: Sequence[Case], answers: Callable[[Callable[[RuleSet], Mutated], Sequence[Case]], Answer],
        information: Mapping[str, Collection[str]],
    ) -> None:  # fmt: skip
        self.cases, self.information, self.chosen = cases, information, Chosen()
        self._engines: list[Mutated] = []
        self._answer = answers(self._engine, cases)
        self._asked: dict[str, set[str]] = {}
        self._calls: dict[str, int] = {}
        for case in cases:
            for engine in self._engines:
                engine.asked.clear()
            self.chosen.calls = 10**9
            if not self._passes(case):
                raise ValueError(f"the case {case['id']} fails although nothing is changed")
            self._calls[case["id"]] = 10**9 - self.chosen.calls
            self._asked[case["id"]] = set().union(*(engine.asked for engine in self._engines))

    def _engine(self, rules: RuleSet) -> Mutated:
        self._engines.append(Mutated(rules, self.chosen))
        return self._engines[-1]

    def _passes(self, case: Case) -> bool:
        return not next(run_cases([case], self._answer, self.information)).fails

    def killer(self, mutant: Mutant) -> str | None:
        """The id of a case that fails under the mutant, None if none does; those that cite its clause are tried first."""
        clause = mutant.id.partition(":")[0]
        self.chosen.mutant = mutant
        try:
            for case in sorted(self.cases, key=lambda c: clause not in c.get("src", ())):
                if mutant.action in self._asked[case["id"]]:
                    self.chosen.calls = 50 * self._calls[case["id"]] + 1_000
                    if not self._passes(case):
                        return str(case["id"])
        finally:
            self.chosen.mutant = None
        return None


def breach(engine: Mutated, mutant: Mutant, norms: Norms, steps: Iterable[tuple[State, Move, State]], most: int = 40) -> str | None:
    """The id of a norm that the mutant breaks, or None if it breaks none.

    ``steps`` are legal moves of the rules as they are. Of each state the moves are looked at that only the
    mutant allows (``most`` of them), of each step the state that the mutant makes of it.
    """
    report = NormReport(norms.rules.norms)
    seen: set[State] = set()
    for state, move, after in steps:
        if mutant.action and state not in seen:
            seen.add(state)
            legal = set(_moves(engine, None, state, mutant.action))
            new = [m for m in _moves(engine, mutant, state, mutant.action) if m not in legal]
            for m in new[:most]:
                norms.hold(report, state, m, _after(engine, mutant, state, m))
        elif not mutant.action:
            found = _after(engine, mutant, state, move)
            if found is not None and found != after:
                norms.hold(report, state, move, found)
                norms.hold(report, found, None, None)
        if report.breaches:
            return report.breaches[0].norm
    return None


def _moves(engine: Mutated, mutant: Mutant | None, state: State, action: str) -> list[Move]:
    engine.chosen.mutant = mutant
    return engine.moves_of(state, action)


def _after(engine: Mutated, mutant: Mutant, state: State, move: Move) -> State | None:
    engine.chosen.mutant = mutant
    try:
        return engine.step(state, move)
    except LimitReached:
        return None


def bare_hash(rules: Iterable[RuleSet]) -> str:
    """A hash of what the rule sets do: their content without norms and without the texts of clauses."""
    hashes = []
    for each in rules:
        actions = tuple(dataclasses.replace(a, en="", ja="", clauses=tuple(_bare(c) for c in a.clauses)) for a in each.actions)
        triggers = tuple(dataclasses.replace(t, ref="", en="", ja="") for t in each.triggers)
        over = None if each.over is None else _bare(each.over)
        hashes.append(content_hash(dataclasses.replace(each, actions=actions, triggers=triggers, over=over, norms=())))
    return " ".join(hashes)


def _bare(clause: Clause) -> Clause:
    return dataclasses.replace(clause, ref="", en="", ja="")
