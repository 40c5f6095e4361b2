"""The engine ``cpsat``: OR-Tools answers for one state (here), and finds the best of all states (``Query``).

Everything asked here goes through the translation and the solver. Where CP-SAT gives up
the answer is *unknown (limit)*. Its "infeasible" counts as a "no" only together with a
second engine (z3, or exhaustion): a presolve has been wrong before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from monjudge.model.language import NATURE, Action, Expr, LimitReached, Move, RuleSet, State, walk
from monjudge.solvers.engines.cpsat.rules import Query
from monjudge.solvers.engines.cpsat.terms import SymbolicState, Term

__all__ = ["Cpsat"]


class Cpsat:
    """One rule set asked through CP-SAT. States must be settled and lie in their intervals.

    ``effort`` as in ``Query``.
    """

    def __init__(self, rules: RuleSet, effort: float | None = None) -> None:
        self.rules, self.effort = rules, effort

    def query(self) -> Query:
        """A new question about this rule set."""
        return Query(self.rules, self.effort)

    def value(
        self, expr: Expr, state: State, env: Mapping[str, int] | None = None, after: State | None = None
    ) -> int:
        """The value (0 or 1 for a truth value) of an expression.

        Raises KeyError for a free variable without a value.
        """
        query, now = self._at(state)
        free = {
            v.args[0]: query.terms.variable(v.lo, v.hi, v.is_bool)
            for v in walk(expr)
            if v.op == "var" and v.args[0] in expr.free
        }
        query.fix(list(free.values()), [(env or {})[name] for name in free])
        then = None if after is None else query.state()
        if then is not None and after is not None:
            query.fix(then.terms, after)
        return self._only(query, [query.term(expr, now, free, then)])[0]

    def over(self, state: State) -> bool:
        """Whether the game has ended."""
        return self.rules.over is not None and bool(self.value(self.rules.over.expr, state))

    def legal(self, state: State, move: Move) -> bool:
        """Whether the move is legal. Raises ValueError for an unknown action or a wrong number of parameters."""
        action = self._action(move)
        if not self._in_domain(action, move):
            return False
        query, now = self._at(state)
        me, args = query.choice(action.name)
        query.fix((me, *args), (move.me, *move.args))
        query.require(query.legal(action.name, now, me, args))
        return query.solve() is not None

    def moves(self, state: State) -> list[Move]:
        """All legal moves in canonical order, by enumerating the solutions."""
        found = []
        for action in self.rules.actions:
            query, now = self._at(state)
            me, args = query.choice(action.name)
            query.require(query.legal(action.name, now, me, args))
            most = self.rules.players * prod(len(p.values) for p in action.params)
            found += [Move(action.name, row[0], row[1:]) for row in query.every((me, *args), most)]
        return found

    def step(self, state: State, move: Move) -> State:
        """The settled state after the move, which must be legal (not checked here).

        Raises LimitReached when a value would leave the interval of its cell, ValueError
        for a move outside its domain.
        """
        action = self._action(move)
        if not self._in_domain(action, move):
            raise ValueError(f"a parameter of {move} lies outside its domain")
        query, now = self._at(state)
        me, args = query.choice(action.name)
        query.fix((me, *args), (move.me, *move.args))
        then = query.apply(action.name, now, me, args)
        return self.settle(self._next(query, then.state, then.limit))

    def settle(self, state: State) -> State:
        """The state after all triggers. Raises LimitReached when they do not come to rest."""
        if not self.rules.triggers:
            return state
        for _ in range(self.rules.passes):
            query, now = self._at(state)
            after = self._next(query, *query.one_pass(now))
            if after == state:
                return state
            state = after
        raise LimitReached(f"the triggers of {self.rules.name!r} did not come to rest in {self.rules.passes} passes")

    def _at(self, state: State) -> tuple[Query, SymbolicState]:
        # A cell outside its interval would contradict the model: every question would get a "no".
        if len(state) != self.rules.size or not all(lo <= n <= hi for n, (lo, hi) in zip(state, self.rules.bounds, strict=True)):
            raise ValueError(f"a value of the state lies outside the interval of its cell in {self.rules.name!r}")
        query = self.query()
        now = query.state()
        query.fix(now.terms, state)
        return query, now

    def _next(self, query: Query, then: SymbolicState, limit: Term) -> State:
        left, *cells = self._only(query, (limit, *then.terms))
        if left:
            raise LimitReached(f"a value of {self.rules.name!r} left the interval of its cell")
        return tuple(cells)

    def _only(self, query: Query, terms: Sequence[Term]) -> tuple[int, ...]:
        """The one row of values: that there is no other is part of the answer."""
        rows = query.every(terms, 1)
        if not rows:
            raise ValueError("a value lies outside the interval of its cell or variable")
        return rows[0]

    def _action(self, move: Move) -> Action:
        action = self.rules.by_name.get(move.action)
        if action is None:
            raise ValueError(f"the game {self.rules.name!r} has no action {move.action!r}")
        if len(move.args) != len(action.params):
            raise ValueError(f"{move.action} takes {len(action.params)} parameters, not {len(move.args)}")
        return action

    def _in_domain(self, action: Action, move: Move) -> bool:
        # A truth value is a literal for CP-SAT, which would take any number but 0 for true.
        players = (NATURE,) if action.is_chance else range(self.rules.players)
        return move.me in players and all(v in p.values for v, p in zip(move.args, action.params, strict=True))
