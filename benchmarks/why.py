"""Why a card cannot be played: all minimal reasons and repairs beside CPMpy's MARCO on the same instance; and a cold start.

The instance is a position of a rule set, a player, and the ways to play one card: actions with some
parameters settled. CPMpy gets the same conditions with the position put in, an integer variable for each
parameter that is left, a selector for the way, and one soft constraint for each rule. Its time begins
when the constraints stand; ours includes the code that is generated for the question.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import Any

from monjudge.model.language import ME, Expr, Family, RuleSet, State, Table, lift, lookup, substitute
from monjudge.model.monjan.positions import midgame
from monjudge.solvers.engines.enumerator_text import written_out
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.reasons import Reasons, Way, WhyNot, conditions
from monjudge.solvers.verdict import Verdict

Sets = set[frozenset[str]]


@dataclass(frozen=True)
class Instance:
    """A question that has the answer no."""

    name: str
    rules: RuleSet
    state: State
    me: int
    ways: tuple[Way, ...]

    def ask(self) -> Reasons:
        """Our answer, all code generated anew."""
        return WhyNot(self.rules).ask_any(self.state, self.me, self.ways)


def instances() -> Iterator[Instance]:
    """Cards of the shipped mid-game positions that can be played nowhere, for the first player."""
    for name, scene in midgame(Reference):
        cards = {n for a in scene.rules.actions for p in a.params if p.name == "card" and "placement" in a.tags for n in p.values}
        for card in sorted(cards):
            ways = tuple(
                (a.name, {p.name: card})
                for a in scene.rules.actions for p in a.params
                if "placement" in a.tags and p.name == "card" and card in p.values
            )  # fmt: skip
            instance = Instance(f"{name}, card {card}", scene.rules, scene.state, 0, ways)
            if instance.ask().verdict is Verdict.NO:
                yield instance


def sets(found: Reasons) -> tuple[Sets, Sets]:
    """The reasons and the repairs by the ids of their rules."""
    return {frozenset(c.id for c in r) for r in found.reasons}, {frozenset(c.id for c in r.clauses) for r in found.relaxations}


class Marco:
    """The instance as constraints of CPMpy."""

    def __init__(self, instance: Instance) -> None:
        import cpmpy

        self.cp = cpmpy
        self.instance = instance
        self.way = cpmpy.intvar(0, len(instance.ways) - 1, name="way")
        self.soft: dict[str, Any] = {}
        for number, (name, fixed) in enumerate(instance.ways):
            self._add(number, name, dict(fixed))

    def sets(self) -> tuple[Sets, Sets]:
        """All minimal reasons and repairs, found by MARCO."""
        from cpmpy.tools.explain.marco import marco

        names = {id(soft): rule for rule, soft in self.soft.items()}
        found: dict[str, Sets] = {"MUS": set(), "MCS": set()}
        for kind, part in marco(list(self.soft.values()), [], solver="ortools", map_solver="ortools"):
            found[kind].add(frozenset(names[id(soft)] for soft in part))
        return found["MUS"], found["MCS"]

    def _add(self, number: int, name: str, fixed: dict[str, int]) -> None:
        rules = self.instance.rules
        action = rules.by_name[name]
        known: dict[str, Any] = {ME: self.instance.me, **fixed}
        self.names = {
            p.name: self.cp.intvar(p.values[0], p.values[-1], name=f"{number}:{p.name}") for p in action.params if p.name not in fixed
        }
        for clause, expr in conditions(rules, action):
            told = written_out(substitute(expr, known, self._cell))
            soft = (self.way == number).implies(self._term(told))
            self.soft[clause.id] = self.soft[clause.id] & soft if clause.id in self.soft else soft & (self.way >= 0)

    def _cell(self, family: Family, at: int, indices: tuple[Expr, ...]) -> Expr:
        """The cells of the position as a table of numbers."""
        begin = self.instance.rules.offset[family.name]
        cells = self.instance.state[begin : begin + family.size]
        values = [bool(n) for n in cells] if family.is_bool else cells
        if not family.dims:
            return lift(values[0])
        return lookup(Table.of(family.name, family.dims, values, bool(family.default) if family.is_bool else family.default), *indices)

    def _term(self, node: Expr) -> Any:
        cp, op = self.cp, node.op
        if op == "const":
            return cp.BoolVal(bool(node.value)) if node.is_bool else int(node.value)
        if op == "var":
            return self.names[node.args[0]] == 1 if node.is_bool else self.names[node.args[0]]
        if op == "table":
            return self._table(node)
        if op == "in":
            return cp.any([self._term(node.args[0]) == n for n in node.args[1]])
        if op == "mul":
            return node.args[0] * self._term(node.args[1])
        if op in ("all", "any", "sum"):
            bound, body = node.args
            each = (self._term(substitute(body, {bound.args[0]: n})) for n in range(bound.lo, bound.hi + 1))
            return {"all": cp.all, "any": cp.any, "sum": cp.sum}[op](list(each))
        parts = [self._term(arg) for arg in node.args]
        return _OPERATIONS[op](cp, *parts)

    def _table(self, node: Expr) -> Any:
        """A table with its value outside written out, so that no index can miss it."""
        table, indices = node.args[0], node.args[1:]
        spans = [range(i.lo, i.hi + 1) for i in indices]
        entries = [table.at(*place) for place in product(*spans)]
        index: Any = 0
        for i, span in zip(indices, spans, strict=True):
            index = index * len(span) + self._term(i) - span.start
        entry = entries[index] if isinstance(index, int) else self.cp.cpm_array(entries)[index]
        return entry == 1 if node.is_bool else entry


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda cp, *parts: reduce(lambda a, b: a + b, parts),
    "and": lambda cp, *parts: cp.all(parts),
    "or": lambda cp, *parts: cp.any(parts),
    "not": lambda cp, part: ~part,
    "eq": lambda cp, a, b: a == b,
    "lt": lambda cp, a, b: a < b,
    "le": lambda cp, a, b: a <= b,
    "min": lambda cp, *parts: cp.min(parts),
    "max": lambda cp, *parts: cp.max(parts),
    "ite": lambda cp, condition, then, other: condition * then + (~condition) * other,
}


def timed(run: Callable[[], object], rounds: int) -> float:
    """Seconds of processor time a call, the best of some."""
    best = float("inf")
    for _ in range(rounds):
        begin = time.process_time()
        run()
        best = min(best, time.process_time() - begin)
    return best


def _cold(rounds: int) -> float:
    """Seconds of processor time of the command that judges one move of a real position, the best of some."""
    script = "import sys; sys.argv = ['monjudge', 'why', 'example:ten-cards', '1:attack N12 R']; from monjudge.cli.__main__ import run; run()"
    # The second run and all later ones find the modules compiled, as a user does.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    best = float("inf")
    for _ in range(rounds + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done.returncode == 1, done.stderr
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def rows(quick: bool) -> list[dict[str, Any]]:
    """Milliseconds for all minimal reasons and repairs of a card, the mean over cards of all positions."""
    chosen = list(instances())[:: 120 if quick else 25]
    ours = peer = 0.0
    for instance in chosen:
        marco = Marco(instance)
        assert marco.sets() == sets(instance.ask()), f"{instance.name}: two answers"
        ours += timed(instance.ask, 3)
        peer += timed(marco.sets, 1)
    means = [1000 * total / len(chosen) for total in (ours, peer)]
    cold = _cold(3 if quick else 10)
    return [{
        "name": "monjudge why, from a cold start", "ours": cold, "goal": "< 0.6", "unit": "s", "note": "the whole process; processor time",
    }, {
        "name": "why --card: all minimal reasons and repairs / CPMpy MARCO", "ours": means[0], "peer": means[1],
        "ratio": means[1] / means[0], "goal": ">= 20 x", "unit": "ms", "note": f"mean of {len(chosen)} cards; code generated anew for each",
    }]  # fmt: skip
