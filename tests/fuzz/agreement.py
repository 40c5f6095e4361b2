"""Whether an engine agrees: with ``evaluate`` on random expressions, with the reference on random rule sets.

The reference itself is held against ``Plain``. A difference is a sentence that begins with
its seed; ``rule_set(seed)`` and ``case(seed)`` bring it back.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from plain import Plain
from random_exprs import FAMILIES, VARIABLES, Case, case
from random_rules import random_cells, rule_set, states

from monjudge.model.language import (
    ME,
    Action,
    Clause,
    Expr,
    Game,
    LimitReached,
    Move,
    Param,
    RuleSet,
    State,
    eq,
    evaluate,
    put,
    substitute,
    var,
)
from monjudge.solvers.engines.cpsat import Cpsat
from monjudge.solvers.engines.csp import Csp
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.native import Native
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.engines.smt import Smt

GROUND = RuleSet("ground", 2, FAMILIES, ())
"""The fields of the random expressions, without any rule."""


@dataclass(frozen=True)
class Engine:
    """An engine under test: how to make it, how to ask it for values, and how much to ask of it."""

    name: str
    make: Callable[[RuleSet], Any]
    values: Callable[[Sequence[Case]], list[int]]
    steps: bool
    """Whether it knows next states; some engines only know which moves are legal."""
    cases: int
    rule_sets: int
    next_state: bool = False
    """Whether it takes expressions about the next state."""
    also: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    """Questions beside those that every engine is asked, about states with few moves."""


def value_differences(engine: Engine, seeds: Iterable[int | str]) -> Iterator[str]:
    """Where the values of an engine differ from what ``evaluate`` says."""
    cases = {seed: case(seed, next_state=engine.next_state) for seed in seeds}
    for (seed, c), found in zip(cases.items(), engine.values(list(cases.values())), strict=True):
        if found != c.value():
            yield f"case({seed!r}): {c.expr!r} is {c.value()}, not {found}"


def rule_differences(engine: Engine, seed: int, *, most: int = 4) -> Iterator[str]:
    """Where the engine differs from the reference on the rule set of a seed, in some states and moves."""
    rules, random = rule_set(seed), Random(f"ask {seed}")
    oracle: Any = Plain(rules) if engine.name == "reference" else _Oracle(rules)
    tested = engine.make(rules)
    candidates = list(Plain(rules).candidates())
    for state in states(rules, seed, 6):
        legal = oracle.moves(state)
        asked: list[tuple[str, Any]] = [("over", ()), ("moves", ())]
        asked += [("legal", (m,)) for m in random.sample(candidates, min(most, len(candidates)))]
        asked += [("legal", (_aside(m, random),)) for m in random.sample(candidates, 1)]
        asked += [("step", (m,)) for m in random.sample(legal, min(most, len(legal))) if engine.steps]
        asked += engine.also if len(legal) <= 12 else ()
        yield from _compared(seed, oracle, tested, state, asked)
    for _ in range(most if engine.steps else 0):
        yield from _compared(seed, oracle, tested, random_cells(rules, random), [("settle", ())])


class _Oracle(Reference):
    def perft(self, state: State, depth: int) -> int:
        """As ``Native.perft`` counts: the state itself, interior ones and leaves."""
        return 1 + sum(self.perft(self.step(state, m), depth - 1) for m in self.moves(state) if depth)


class Columns:
    """The guards of the native engine over columns: a row for each candidate; the turn and the end are asked plainly."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules, self.native, self.plain = rules, Native(rules), Plain(rules)

    def over(self, state: State) -> bool:
        return self.plain.over(state)

    def moves(self, state: State) -> list[Move]:
        found: list[Move] = []
        for action in self.rules.actions:
            rows = [m for m in self.plain.candidates() if m.action == action.name]
            holds = self.holds(action, rows, state)
            found += [m for m, row in zip(rows, holds, strict=True) if row and self.plain.decides(state, m)]
        return [] if self.over(state) else found

    def legal(self, state: State, move: Move) -> bool:
        return move in self.moves(state)

    def holds(self, action: Action, rows: Sequence[Move], state: State) -> bytearray:
        """For each move whether its clauses hold, all asked in one call."""
        batch = self.native.batch(action.name)
        given = {p.name: [m.args[n] for m in rows] for n, p in enumerate(action.params)} | {ME: [m.me for m in rows]}
        for family in self.rules.families:
            at = self.rules.offset[family.name]
            given.setdefault(family.name, [n for n in state[at : at + family.size] for _ in rows])
        columns = {name: array({8: "b", 16: "h", 32: "i"}[bits], given[name]) for name, bits in batch.bits.items()}
        return batch(columns, len(rows))

    def value(self, expr: Expr, state: State, env: Mapping[str, int]) -> int:
        """A truth value; for a number whether it is what ``evaluate`` says, as no column holds numbers."""
        expected = evaluate(expr, state, env, self.rules.offset)
        # A column has one name, so no parameter may be called as a field is.
        free = {n: var(f"{n}_", v.lo, v.hi, v.is_bool) for n, v in VARIABLES.items() if n in expr.free - {ME}}
        asked = substitute(expr if expr.is_bool else eq(expr, expected), free)
        action = Action("ask", None, tuple(map(Param, free.values())), (Clause("ask", asked),), ())
        row = Move("ask", env[ME], tuple(env[name] for name in free))
        (holds,) = Columns(replace(self.rules, actions=(action,))).holds(action, [row], state)
        return holds if expr.is_bool else expected if holds else expected + 1


def _aside(move: Move, random: Random) -> Move:
    """A move that nobody, or a player who is not there, takes, or with an argument outside its domain."""
    if move.args and random.random() < 0.7:
        at = random.randrange(len(move.args))
        return move._replace(args=(*move.args[:at], random.choice((-2, 5, 7)), *move.args[at + 1 :]))
    return move._replace(me=random.choice((-1, 0, 3)))


def _compared(seed: int, oracle: Any, tested: Any, state: Any, asked: Iterable[tuple[str, Any]]) -> Iterator[str]:
    for question, args in asked:
        expected, found = (outcome(getattr(e, question), state, *args) for e in (oracle, tested))
        if expected != found:
            yield f"rule_set({seed}), {state}: {question}{args} is {expected}, not {found}"


def outcome(ask: Callable[..., Any], *args: Any) -> Any:
    """The answer, with moves in order; a passed bound is an answer too."""
    try:
        answer = ask(*args)
    except LimitReached:
        return "limit"
    return sorted(answer) if isinstance(answer, list) else answer


def first(differences: Iterable[str], most: int = 3) -> list[str]:
    return list(itertools.islice(differences, most))


def _by_value(engine: Callable[[RuleSet], Any], *, after: bool) -> Callable[[Sequence[Case]], list[int]]:
    def values(cases: Sequence[Case]) -> list[int]:
        asked = engine(GROUND)
        return [asked.value(c.expr, c.state, c.env, *([c.after] if after else [])) for c in cases]

    return values


def _native_values(cases: Sequence[Case]) -> list[int]:
    found = []
    for start in range(0, len(cases), 20):  # compiling one function takes more than linear time
        some = cases[start : start + 20]
        function = Native.expressions(GROUND, [c.expr for c in some], list(VARIABLES))
        found += [function(c.state, c.env, c.after)[n] for n, c in enumerate(some)]
    return found


def _reference_values(cases: Sequence[Case]) -> list[int]:
    """Each expression as the effect of an action on a cell of its own."""
    game = Game("probe", players=2)
    game.families += FAMILIES
    number = game.field("number", values=range(-(2**31) + 1, 2**31))
    truth = game.field("truth", values=bool)
    names = [name for name in VARIABLES if name != ME]
    for n, c in enumerate(cases):
        action = game.action(f"probe{n}")
        for name in names:
            v = VARIABLES[name]
            action.param(name, bool if v.is_bool else range(v.lo, v.hi + 1))
        action.effect(put(truth if c.expr.is_bool else number, c.expr))
    reference = Reference(game.build())
    found = []
    for n, c in enumerate(cases):
        after = reference.step((*c.state, 0, 0), Move(f"probe{n}", c.env[ME], tuple(c.env[name] for name in names)))
        found.append(after[-1] if c.expr.is_bool else after[-2])
    return found


def _integers(rules: RuleSet) -> Smt:
    return Smt(rules, "int")


ENGINES = {
    e.name: e
    for e in (
        Engine("reference", Reference, _reference_values, True, cases=400, rule_sets=60),
        Engine("enumerator", Enumerator, _by_value(Enumerator, after=False), False, cases=400, rule_sets=60),
        Engine("csp", Csp, _by_value(Csp, after=False), False, cases=400, rule_sets=40),
        Engine("smt", Smt, _by_value(Smt, after=True), True, cases=100, rule_sets=8, next_state=True),
        Engine("smt int", _integers, _by_value(_integers, after=True), True, cases=50, rule_sets=4, next_state=True),
        Engine("cpsat", Cpsat, _by_value(Cpsat, after=True), True, cases=100, rule_sets=8, next_state=True),
        Engine("native", Native, _native_values, True, cases=200, rule_sets=12, next_state=True,
               also=(("payoff", ()), ("perft", (2,)))),
        Engine("native columns", Columns, _by_value(Columns, after=False), False, cases=30, rule_sets=8),
    )
}


