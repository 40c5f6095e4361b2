"""Which readings of the text an answer hangs on: single flips, and all prime implicants.

The rule set has its switches open, as cells of the state (``RuleSet.switches``). One walk over the
expressions gives each value for all readings at once: a decision diagram over the switches instead of
a number. Combinations are never listed; only what the asked clauses and the triggers of this state
really consult makes a diagram grow. A state is settled first, because what happens by itself may hang
on a reading too: there are as many settled states as the readings tell apart.

* ``flips``: the answer under the readings of the state, and every single change of a reading that
  changes it. The diagrams have one variable (which change), so they stay small.
* ``depends``: the answer if it is the same under all readings, else ``DEPENDS`` with every smallest
  set of readings that makes it so: the prime implicants (Quine 1952), a set of values for a switch.

A reading without executable meaning is no reading of its own: a state that has one stands for every
other reading of that switch (see ``solvers.legality.determined``).

>>> from monjudge.model.language import Game, Move, put, reads
>>> g = Game("door", players=1)
>>> keys = g.field("keys", values=range(3))
>>> strict = reads(g.switch("KEY", ("ONE", "TWO"), "ONE"), "TWO")
>>> a = g.action("enter", by=0)
>>> a.clause("D.1", (keys == 2) | ((keys == 1) & ~strict))
>>> a.effect(put(keys, 0))
>>> readings = Readings(g.build())
>>> found = readings.flips(readings.rules.state({"keys": 1}), Move("enter", 0))
>>> found.verdict.value, [(f.switch.id, f.value, f.verdict.value) for f in found.flips]
('yes', [('KEY', 'TWO', 'no')])
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from monjudge.model.language import (
    ME,
    Action,
    Effect,
    Expr,
    LimitReached,
    Move,
    RuleSet,
    State,
    Switch,
    Trigger,
)
from monjudge.solvers.diagrams import Cube, Diagram, Diagrams
from monjudge.solvers.engines.enumerator_text import conjuncts
from monjudge.solvers.legality import check_decider, determined
from monjudge.solvers.reasons import conditions
from monjudge.solvers.verdict import Sentence, Verdict

__all__ = ["Choice", "Dependence", "Flip", "Flips", "Implicant", "Readings"]

WORK = 20_000_000
"""So many parts of expressions are evaluated for one question; then it is unknown (limit)."""


class Choice(NamedTuple):
    """Whether some move of this action is legal for ``me``, with some of its parameters perhaps fixed."""

    action: str
    me: int
    fixed: Mapping[str, int] = {}


Question = Move | Choice


@dataclass(frozen=True)
class Flip:
    """With this reading of one switch instead, the answer would be another one."""

    switch: Switch
    value: str
    verdict: Verdict


@dataclass(frozen=True)
class Flips:
    """The answer under the readings of the state, and what would change it; ``limit`` if that could not be found out."""

    verdict: Verdict
    flips: tuple[Flip, ...] = ()
    limit: Sentence | None = None


Implicant = tuple[tuple[Switch, tuple[str, ...]], ...]
"""Readings that decide the answer whatever the others are: some switches, each with values that all will do."""


@dataclass(frozen=True)
class Dependence:
    """The answer for all readings. ``when`` has, for each answer that occurs, all smallest sets of readings that give it.

    ``switches`` are those that the answer hangs on, in their order; none where it is always the same.
    """

    verdict: Verdict
    when: Mapping[Verdict, tuple[Implicant, ...]] = field(default_factory=dict)
    switches: tuple[Switch, ...] = ()
    limit: Sentence | None = None


YES, UNDETERMINED, UNKNOWN, NO = range(4)
_VERDICTS = (Verdict.YES, Verdict.UNDETERMINED, Verdict.UNKNOWN, Verdict.NO)
"""The verdict of each of these numbers. Of several choices the least counts: one that no rule forbids is enough."""
_WORSE = (YES, UNKNOWN, UNDETERMINED, NO)
"""Of several clauses that fail the worst counts (see ``solvers.legality.verdict_of``)."""
_FAILED = {"rule": NO, "limit": UNKNOWN, "open": UNDETERMINED}
"""What a clause of each kind makes of a choice that fails it."""

_BEYOND = "a bound of the model was passed"
"""Stands for the state behind a bound of the model."""


class Readings:
    """Questions about one rule set whose switches are open. States need not be settled.

    ``nodes`` bounds the decision diagrams of a question, ``work`` the parts of expressions evaluated for it.
    """

    def __init__(self, rules: RuleSet, nodes: int = 200_000, work: int = WORK) -> None:
        self.rules, self.nodes, self.work = rules, nodes, work

    def flips(self, state: State, question: Question) -> Flips:
        """The verdict on a move, or on whether any is legal, and every single change of a reading that changes it.

        The readings are those of the state. Raises ValueError for an unknown action, player or parameter, or a
        value outside its domain.
        """
        self._check(question)
        changes = [None, *((s, n) for s in self.rules.switches for n in _meant(s) if n != state[self._place(s)])]
        # A change stands for several states where another switch is read in a way without executable meaning.
        worlds = [(n, w) for n, change in enumerate(changes) for w in determined(self.rules, self._changed(state, change))]
        several = Diagrams((max(2, len(worlds)),), self.nodes)
        cells: dict[int, Diagram] = {}
        try:
            for switch in self.rules.switches:
                values = [world[self._place(switch)] for _, world in worlds]
                cells[switch.family.uid] = several.node(0, (values * 2)[: several.sizes[0]])
            ranks = _Walk(self.rules, several, cells, self.work).rank(state, question)
        except LimitReached as reached:
            return Flips(Verdict.UNKNOWN, limit=_limit(reached))
        verdicts: list[set[Verdict]] = [set() for _ in changes]
        for at, (n, _) in enumerate(worlds):
            verdicts[n].add(_VERDICTS[several.at(ranks, (at,))])
        first, *others = [v.pop() if len(v) == 1 else Verdict.UNDETERMINED for v in verdicts]
        flipped = [(c, v) for c, v in zip(changes[1:], others, strict=True) if c is not None and v is not first]
        return Flips(first, tuple(Flip(s, s.values[n], verdict) for (s, n), verdict in flipped))

    def depends(self, state: State, question: Question, over: Iterable[str] | None = None) -> Dependence:
        """The verdict under all readings of the switches ``over`` (their ids; all by default), the others as in the state.

        Raises as ``flips``, and ValueError for a switch that is not open.
        """
        self._check(question)
        chosen = self._open(over)
        free = [switch for switch in chosen if len(_meant(switch)) > 1]
        # Others that are read in a way without executable meaning come last: what still hangs on them is undetermined.
        mute = [s for s in self.rules.switches if s not in chosen and state[self._place(s)] not in _meant(s)]
        diagrams = Diagrams([len(_meant(switch)) for switch in (*free, *mute)], self.nodes)
        cells: dict[int, Diagram] = {s.family.uid: _meant(s)[0] for s in chosen if s not in free}
        try:
            cells |= {s.family.uid: diagrams.node(n, _meant(s)) for n, s in enumerate((*free, *mute))}
            ranks = _Walk(self.rules, diagrams, cells, self.work).rank(state, question)
            ranks = diagrams.cut(ranks, len(free), UNDETERMINED)
            when = {
                _VERDICTS[rank]: tuple(_implicant(free, cube) for cube in diagrams.primes(ranks, rank))
                for rank in sorted(diagrams.leaves(ranks))
            }
        except LimitReached as reached:
            return Dependence(Verdict.UNKNOWN, limit=_limit(reached))
        if len(when) == 1:
            return Dependence(next(iter(when)))
        named = {switch.id for implicants in when.values() for i in implicants for switch, _ in i}
        return Dependence(Verdict.DEPENDS, when, tuple(s for s in free if s.id in named))

    def _place(self, switch: Switch) -> int:
        return self.rules.offset[switch.family.name]

    def _changed(self, state: State, change: tuple[Switch, int] | None) -> State:
        if change is None:
            return state
        place = self._place(change[0])
        return (*state[:place], change[1], *state[place + 1 :])

    def _open(self, over: Iterable[str] | None) -> list[Switch]:
        ids = None if over is None else set(over)
        if ids is not None and (unknown := ids - {switch.id for switch in self.rules.switches}):
            raise ValueError(f"the rule set {self.rules.name!r} does not leave open: {', '.join(sorted(unknown))}")
        return [switch for switch in self.rules.switches if ids is None or switch.id in ids]

    def _check(self, question: Question) -> None:
        action = check_decider(self.rules, question.action, question.me)
        given = _given(action, question)
        domains = {p.name: p.values for p in action.params}
        for name, value in given.items():
            if name not in domains or value not in domains[name]:
                raise ValueError(f"{action.name} has no parameter {name!r} with the value {value}")


def _given(action: Action, question: Question) -> dict[str, int]:
    """The parameters that the question fixes. Raises ValueError for a move with a wrong number of them."""
    if isinstance(question, Choice):
        return dict(question.fixed)
    if len(question.args) != len(action.params):
        raise ValueError(f"{action.name} takes {len(action.params)} parameters, not {len(question.args)}")
    return {p.name: value for p, value in zip(action.params, question.args, strict=True)}


def _meant(switch: Switch) -> list[int]:
    """The values of a switch that have an executable meaning."""
    return [n for n, value in enumerate(switch.values) if value not in switch.undetermined]


def _implicant(free: Sequence[Switch], cube: Cube) -> Implicant:
    return tuple(
        (free[at], tuple(free[at].values[_meant(free[at])[n]] for n in values)) for at, values in cube
    )


def _limit(reached: LimitReached) -> Sentence:
    return Sentence(f"a limit was reached: {reached}", f"上限に達した：{reached.ja}")


class _Walk:
    """One question: states and values for all readings at once, as diagrams. ``cells`` has those of the switches."""

    def __init__(self, rules: RuleSet, diagrams: Diagrams, cells: Mapping[int, Diagram], work: int) -> None:
        self.rules, self.diagrams, self.cells, self.left = rules, diagrams, cells, work
        self._memos: dict[State, dict[tuple[int, ...], Diagram]] = {}

    # -- what happens by itself ----------------------------------------------------------------------

    def settled(self, state: State) -> Diagram:
        """The settled states, ``_BEYOND`` where a bound of the model is passed."""
        before: Diagram = state
        for _ in range(self.rules.passes):
            after = before
            for trigger in self.rules.triggers:
                for values in itertools.product(*(range(v.lo, v.hi + 1) for v in trigger.loops)):
                    env = {str(v.args[0]): n for v, n in zip(trigger.loops, values, strict=True)}
                    after = self.diagrams.bind(after, partial(self._fired, trigger, env))
            if after is before or after == before:
                return after
            before, last = after, before
        return self.diagrams.apply(lambda a, b: a if a == b else _BEYOND, before, last)

    def _fired(self, trigger: Trigger, env: Mapping[str, int], state: Any) -> Diagram:
        if state is _BEYOND:
            return state
        when = self.value(trigger.when, state, env)
        if when == 0:
            return state
        writes = [w for effect in sorted(trigger.effects, key=lambda e: e.adds) for w in self._writes(effect, state, env)]

        def after(holds: int, *parts: int) -> Any:
            return self._written(state, writes, parts) if holds else state

        return self.diagrams.apply(after, when, *(part for _, parts in writes for part in parts))

    def _writes(self, effect: Effect, state: State, env: Mapping[str, int]) -> Iterable[tuple[Effect, list[Diagram]]]:
        """For every binding of the loops: whether the effect takes place, its indices and its value."""
        for values in itertools.product(*(range(v.lo, v.hi + 1) for v in effect.loops)):
            here = {**env, **{str(v.args[0]): n for v, n in zip(effect.loops, values, strict=True)}}
            when = self.value(effect.when, state, here)
            if when != 0:
                yield effect, [when, *(self.value(e, state, here) for e in (*effect.indices, effect.value))]

    def _written(self, state: State, writes: Iterable[tuple[Effect, Sequence[Diagram]]], parts: Sequence[int]) -> Any:
        cells, rest = list(state), iter(parts)
        for effect, given in writes:
            when, *indices, value = itertools.islice(rest, len(given))
            place = effect.family.place(indices) if when else None
            if place is not None:
                at = self.rules.offset[effect.family.name] + place
                cells[at] = cells[at] + value if effect.adds else value
        for effect, _ in writes:
            at, family = self.rules.offset[effect.family.name], effect.family
            if not all(family.lo <= n <= family.hi for n in cells[at : at + family.size]):
                return _BEYOND
        return tuple(cells)

    # -- whether a move is legal ---------------------------------------------------------------------

    def rank(self, state: State, question: Question) -> Diagram:
        """The answer as a number of ``_VERDICTS``."""
        action = self.rules.by_name[question.action]
        given = {ME: question.me, **_given(action, question)}
        free = [p for p in action.params if p.name not in given]
        names = [p.name for p in free]
        # Each condition as soon as the last parameter that it reads is known, rules before bounds.
        levels: list[list[tuple[int, Expr]]] = [[] for _ in range(len(free) + 1)]
        for clause, whole in conditions(self.rules, action):
            for expr in conjuncts(whole):
                level = max((names.index(name) + 1 for name in expr.free if name in names), default=0)
                levels[level].append((_FAILED[clause.kind], expr))
        for part in levels:
            part.sort(key=lambda condition: -condition[0])

        def best(state: Any) -> Diagram:
            if state is _BEYOND:
                return UNKNOWN
            return self._best(state, [p.values for p in free], names, levels, given, 0, NO)

        return self.diagrams.bind(self.settled(state), best)

    def _best(
        self, state: State, domains: Sequence[range], names: Sequence[str], levels: Sequence[Sequence[tuple[int, Expr]]],
        env: dict[str, int], rank: Diagram, best: Diagram,
    ) -> Diagram:  # fmt: skip
        """The least of ``best`` and the ranks of all choices of the parameters that are not in ``env`` yet.

        ``rank`` is the worst that the conditions asked so far make of the choice.
        """
        apply, level = self.diagrams.apply, len(levels) - len(names) - 1
        for failed, expr in levels[level]:
            rank = apply(lambda r, holds, f=failed: r if holds else max(r, f, key=_WORSE.index), rank, self.value(expr, state, env))
            if apply(lambda r, b: r == NO or b == YES, rank, best) is True:
                return best
        if not names:
            return apply(min, rank, best)
        for value in domains[0]:
            best = self._best(state, domains[1:], names[1:], levels, {**env, names[0]: value}, rank, best)
            if best == 0:
                break
        return best

    # -- expressions ---------------------------------------------------------------------------------

    def value(self, node: Expr, state: State, env: Mapping[str, int]) -> Diagram:
        """The value (0 or 1 for a truth value) of an expression in a state, for all readings."""
        if node.op == "const":
            return int(node.args[0])
        if node.op == "var":
            return env[node.args[0]]
        memo = self._memos.setdefault(state, {})
        key = (node.uid, *(env[name] for name in sorted(node.free)))
        found = memo.get(key)
        if found is None:
            self.left -= 1
            if self.left < 0:
                raise LimitReached("the question takes too many evaluations", "評価の回数が多すぎる")
            found = memo[key] = self._value(node, state, env)
        return found

    def _value(self, node: Expr, state: State, env: Mapping[str, int]) -> Diagram:
        op, args, apply = node.op, node.args, self.diagrams.apply
        match op:
            case "field":
                return self._cell(node, state, env)
            case "table":
                return apply(lambda *at: int(args[0].at(*at)), *(self.value(a, state, env) for a in args[1:]))
            case "mul":
                return apply(lambda n: args[0] * n, self.value(args[1], state, env))
            case "in":
                return apply(lambda n: int(n in args[1]), self.value(args[0], state, env))
            case "and" | "or":
                return self._junction(op == "or", ((a, env) for a in args), state)
            case "all" | "any" | "sum":
                bound, body = args
                below = ((body, {**env, bound.args[0]: n}) for n in range(bound.lo, bound.hi + 1))
                if op != "sum":
                    return self._junction(op == "any", below, state)
                return apply(lambda *ns: sum(ns), *(self.value(b, state, e) for b, e in below))
            case "ite":
                condition = self.value(args[0], state, env)
                if condition in (0, 1):
                    return self.value(args[1] if condition else args[2], state, env)
                branches = [self.value(a, state, env) for a in args[1:]]
                return apply(lambda c, a, b: a if c else b, condition, *branches)
        return apply(_PLAIN[op], *(self.value(a, state, env) for a in args))

    def _junction(self, absorbing: bool, parts: Iterable[tuple[Expr, Mapping[str, int]]], state: State) -> Diagram:
        """Conjunction, or disjunction where truth absorbs; what decides for all readings ends it."""
        result: Diagram = int(not absorbing)
        for part, env in parts:
            value = self.value(part, state, env)
            if value == int(absorbing):
                return int(absorbing)
            if value != int(not absorbing):
                result = self.diagrams.apply(max if absorbing else min, result, value)
                if result == int(absorbing):
                    return result
        return result

    def _cell(self, node: Expr, state: State, env: Mapping[str, int]) -> Diagram:
        family, at, *indices = node.args
        if at:
            raise ValueError(f"{node!r} speaks of the next state, and there is none")
        if family.uid in self.cells:
            return self.cells[family.uid]
        begin = self.rules.offset[family.name]

        def read(*where: int) -> int:
            place = family.place(where)
            return int(family.default) if place is None else state[begin + place]

        return self.diagrams.apply(read, *(self.value(i, state, env) for i in indices))


_PLAIN: Mapping[str, Any] = {
    "add": lambda *ns: sum(ns),
    "min": min,
    "max": max,
    "eq": lambda a, b: int(a == b),
    "lt": lambda a, b: int(a < b),
    "le": lambda a, b: int(a <= b),
    "not": lambda a: 1 - a,
}

