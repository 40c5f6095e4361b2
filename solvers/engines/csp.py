"""All legal moves by python-constraint: an engine of its own, to hold the others against.

For a concrete state every clause is partially evaluated; what is left is a constraint
over ``me`` and the parameters it still mentions, checked by a small evaluator of
closures. A move generator only: it answers ``moves`` and ``legal``, not the next state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from monjudge.model.language import (
    ME,
    NATURE,
    Action,
    Expr,
    Family,
    Move,
    RuleSet,
    State,
    both,
    const,
    eq,
    lt,
    substitute,
    var,
)

try:
    from constraint import FunctionConstraint, Problem
except ImportError as error:
    raise ImportError(
        'the engine csp needs python-constraint2: pip install "monjudge[csp]" / '
        'エンジン csp には python-constraint2 が必要です：pip install "monjudge[csp]"'
    ) from error

__all__ = ["Csp"]

Env = dict[str, int]
Check = Callable[[Env], int]


class Csp:
    """One rule set. States must be settled."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules

    def moves(self, state: State) -> list[Move]:
        """All legal moves, chance outcomes of positive weight included: actions as declared, then ``me``, then arguments."""
        if self.over(state):
            return []
        return [move for action in self.rules.actions for move in self._moves(state, action)]

    def legal(self, state: State, move: Move) -> bool:
        """Whether the move is legal. Raises ValueError for an unknown action or a wrong number of parameters."""
        action = self.rules.by_name.get(move.action)
        if action is None or len(move.args) != len(action.params):
            raise ValueError(f"the game {self.rules.name!r} has no move like {move}")
        if self.over(state):
            return False
        args = {p.name: n for p, n in zip(action.params, move.args, strict=True)}
        return bool(self._moves(state, action, {ME: move.me, **args}))

    def over(self, state: State) -> bool:
        """Whether the game has ended."""
        return self.rules.over is not None and bool(self.value(self.rules.over.expr, state))

    def value(self, expr: Expr, state: State, env: Mapping[str, int] | None = None) -> int:
        """The value of an expression (0 or 1 for a truth value); ``env`` holds its free variables."""
        return int(_closure(self._residual(expr, state), self.rules, state)(dict(env or {})))

    def _moves(self, state: State, action: Action, only: Mapping[str, int] | None = None) -> list[Move]:
        players = range(NATURE, NATURE + 1) if action.is_chance else range(self.rules.players)
        domains = {ME: players, **{p.name: p.values for p in action.params}}
        problem = Problem()
        for name, values in domains.items():
            kept = [n for n in values if only is None or n == only[name]]
            if not kept:
                return []
            problem.addVariable(name, kept)
        for condition in self._conditions(action):
            left = self._residual(condition, state)
            names = sorted(left.free)
            if names:
                problem.addConstraint(_constraint(left, names, self.rules, state), names)
            elif not _closure(left, self.rules, state)({}):
                return []
        found = sorted(tuple(solution[name] for name in domains) for solution in problem.getSolutions())
        return [Move(action.name, values[0], values[1:]) for values in found]

    def _conditions(self, action: Action) -> list[Expr]:
        conditions = [clause.expr for clause in action.clauses]
        if action.by is not None:
            me = var(ME, min(0, action.by.lo), max(self.rules.players - 1, action.by.hi))
            conditions.append(eq(me, action.by))
        if action.weight is not None:
            conditions.append(lt(0, action.weight))
        whole = both(*conditions)
        return list(whole.args) if whole.op == "and" else [whole]

    def _residual(self, expr: Expr, state: State) -> Expr:
        """The expression with every cell whose place is known replaced by its value."""

        def cell(family: Family, at: int, indices: tuple[Expr, ...]) -> Expr | None:
            if at:
                raise ValueError(f"the engine csp knows no next state, but {family.name!r} is asked of it")
            if not all(i.is_const for i in indices):
                return None
            place = family.place([i.value for i in indices])
            value = family.default if place is None else state[self.rules.offset[family.name] + place]
            return const(bool(value)) if family.is_bool else const(value)

        return substitute(expr, {}, cell)


def _constraint(expr: Expr, names: Sequence[str], rules: RuleSet, state: State) -> FunctionConstraint:
    check = _closure(expr, rules, state)
    return FunctionConstraint(lambda *values: bool(check(dict(zip(names, values, strict=True)))))


def _closure(node: Expr, rules: RuleSet, state: State) -> Check:
    """The expression as nested functions of the variables' values."""
    op, args = node.op, node.args
    if op == "const":
        value = int(args[0])
        return lambda env: value
    if op == "var":
        name: str = args[0]
        return lambda env: env[name]
    if op in ("field", "table"):
        return _entry(node, rules, state)
    if op in ("all", "any", "sum"):
        return _quantifier(node, rules, state)
    if op == "mul":
        factor, inner = args[0], _closure(args[1], rules, state)
        return lambda env: int(factor * inner(env))
    if op == "in":
        members, inner = frozenset(args[1]), _closure(args[0], rules, state)
        return lambda env: int(inner(env) in members)
    return _operation(op, [_closure(a, rules, state) for a in args])


def _operation(op: str, parts: Sequence[Check]) -> Check:
    first, second = parts[0], parts[-1]
    if op == "ite":
        then = parts[1]
        return lambda env: then(env) if first(env) else second(env)
    operations: dict[str, Check] = {
        "add": lambda env: sum(p(env) for p in parts),
        "min": lambda env: min(p(env) for p in parts),
        "max": lambda env: max(p(env) for p in parts),
        "eq": lambda env: int(first(env) == second(env)),
        "lt": lambda env: int(first(env) < second(env)),
        "le": lambda env: int(first(env) <= second(env)),
        "and": lambda env: int(all(p(env) for p in parts)),
        "or": lambda env: int(any(p(env) for p in parts)),
        "not": lambda env: 1 - first(env),
    }
    return operations[op]


def _entry(node: Expr, rules: RuleSet, state: State) -> Check:
    """A cell or the entry of a table; its default where an index lies outside."""
    owner, indices = node.args[0], node.args[1:] if node.op == "table" else node.args[2:]
    values: Sequence[int] = owner.values if node.op == "table" else state[rules.offset[owner.name] :]
    dims, default = owner.dims, int(owner.default)
    steps = [prod(dims[n + 1 :]) for n in range(len(dims))]
    parts = [(_closure(i, rules, state), size, step) for i, size, step in zip(indices, dims, steps, strict=True)]

    def entry(env: Env) -> int:
        place = 0
        for index, size, step in parts:
            at = index(env)
            if at < 0 or at >= size:
                return default
            place += at * step
        return values[place]

    return entry


def _quantifier(node: Expr, rules: RuleSet, state: State) -> Check:
    (bound, body), name = node.args, node.args[0].args[0]
    inner, span = _closure(body, rules, state), range(bound.lo, bound.hi + 1)
    if node.op == "sum":
        return lambda env: sum(inner({**env, name: n}) for n in span)
    if node.op == "all":
        return lambda env: int(all(inner({**env, name: n}) for n in span))
    return lambda env: int(any(inner({**env, name: n}) for n in span))
