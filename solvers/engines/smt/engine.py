"""The engine ``smt``: z3 answers for one state (here) and for all of them (``Symbolic``).

Everything asked here goes through the translation and the solver; nothing is computed
beside it. Where z3 gives up at its resource limit the answer is *unknown (limit)*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

from monjudge.model.language import NATURE, Action, Expr, LimitReached, Move, RuleSet, State, walk
from monjudge.solvers.engines.smt.reasons import Reason, check, reasons
from monjudge.solvers.engines.smt.rules import Symbolic
from monjudge.solvers.engines.smt.terms import Number, SymbolicState, Term, Truth, z3

__all__ = ["Smt"]


class Smt:
    """One rule set asked through z3. States must be settled and lie in their intervals.

    ``numbers`` as in ``Symbolic``; ``rlimit`` bounds the work of one query in z3's own
    deterministic units (0: no bound).
    """

    def __init__(self, rules: RuleSet, numbers: str = "bv", rlimit: int = 0) -> None:
        self.rules, self.symbolic, self.rlimit = rules, Symbolic(rules, numbers), rlimit
        self._now, self._then = self.symbolic.state("now"), self.symbolic.state("then")
        self._limit = z3.Bool("limit")
        self._guard, self._effects, self._pass = cache(self._guard_of), cache(self._effects_of), cache(self._pass_of)

    def value(
        self, expr: Expr, state: State, env: Mapping[str, int] | None = None, after: State | None = None
    ) -> int:
        """The value (0 or 1 for a truth value) of an expression.

        Raises KeyError for a free variable without a value.
        """
        terms, env = self.symbolic.terms, env or {}
        free = {
            v.args[0]: terms.variable(f"free.{v.args[0]}", v.lo, v.hi, v.is_bool)
            for v in walk(expr)
            if v.op == "var" and v.args[0] in expr.free
        }
        now = self._pins(self._now, state) + self._fixed(free.values(), [env[name] for name in free])
        then = [] if after is None else self._pins(self._then, after)
        term = self.symbolic.expr(expr, self._now, free, None if after is None else self._then)
        result = z3.Const("value", term.sort())
        model = self._only(self._solver(result == term), now + then)
        found = model.eval(result, model_completion=True)
        return int(z3.is_true(found)) if expr.is_bool else int(terms.kind.read(found))

    def over(self, state: State) -> bool:
        """Whether the game has ended."""
        return self.rules.over is not None and bool(self.value(self.rules.over.expr, state))

    def legal(self, state: State, move: Move) -> bool:
        """Whether the move is legal. Raises ValueError for an unknown action or a wrong number of parameters."""
        action = self._action(move)
        if not self._in_domain(action, move):
            return False
        solver, me, args = self._guard(action.name)
        pins = self._pins(self._now, state) + self._fixed((me, *args), (move.me, *move.args))
        return self._answer(solver, pins) is not None

    def moves(self, state: State) -> list[Move]:
        """All legal moves in canonical order: found one by one, each then excluded."""
        found: list[Move] = []
        for action in self.rules.actions:
            solver, me, args = self._guard(action.name)
            some: list[Move] = []
            with self._asked(solver, self._pins(self._now, state)):
                while check(solver):
                    some.append(self.symbolic.model_move(solver.model(), action.name, me, args))
                    same = self._fixed((me, *args), (some[-1].me, *some[-1].args))
                    solver.add(self._ref(self.symbolic.terms.negate(self.symbolic.terms.both(same))))
            found += sorted(some)
        return found

    def step(self, state: State, move: Move) -> State:
        """The settled state after the move, which must be legal (not checked here).

        Raises LimitReached when a value would leave the interval of its cell, ValueError
        for a move outside its domain.
        """
        action = self._action(move)
        if not self._in_domain(action, move):
            raise ValueError(f"a parameter of {move} lies outside its domain")
        solver, me, args = self._effects(action.name)
        pins = self._pins(self._now, state) + self._fixed((me, *args), (move.me, *move.args))
        return self.settle(self._next(solver, pins))

    def settle(self, state: State) -> State:
        """The state after all triggers. Raises LimitReached when they do not come to rest."""
        for _ in range(self.rules.passes if self.rules.triggers else 0):
            after = self._next(self._pass(), self._pins(self._now, state))
            if after == state:
                return state
            state = after
        if not self.rules.triggers:
            return state
        raise LimitReached(f"the triggers of {self.rules.name!r} did not come to rest in {self.rules.passes} passes")

    def reasons(
        self, state: State, action: str, me: int | None = None, args: Mapping[str, int] | None = None,
        most: int | None = None,
    ) -> Iterator[Reason]:  # fmt: skip
        """All minimal reasons why no such move is legal, and all minimal relaxations, as they are found.

        Who moves and every parameter not given are free within their domains. The end of
        the game and ``TURN`` count as clauses. Raises LimitReached after ``most`` of them
        if there are more.
        """
        game, chosen = self.symbolic, self.rules.by_name[action]
        any_me, any_args = game.choice(action, "why")
        given = [any_me if me is None else me]
        given += [(args or {}).get(p.name, term) for p, term in zip(chosen.params, any_args, strict=True)]
        hard = [game.domain(action, given[0], given[1:]), *self._pins(self._now, state)]
        soft = game.conditions(action, self._now, given[0], given[1:])
        for each in reasons([self._ref(t) for t in hard], soft, most, self.rlimit):
            if each.witness is None:
                yield each
            else:
                yield replace(each, witness=game.model_move(each.witness, action, given[0], given[1:]))

    def _solver(self, *truths: Any) -> Any:
        solver = z3.SolverFor(self.symbolic.terms.logic)
        if self.rlimit:
            solver.set("rlimit", self.rlimit)
        solver.add(self.symbolic.inside(self._now), *truths)
        return solver

    def _guard_of(self, action: str) -> tuple[Any, Term, tuple[Term, ...]]:
        me, args = self.symbolic.choice(action, "now")
        return self._solver(self.symbolic.legal(action, self._now, me, args)), me, args

    def _effects_of(self, action: str) -> tuple[Any, Term, tuple[Term, ...]]:
        me, args = self.symbolic.choice(action, "now")
        then = self.symbolic.apply(action, self._now, me, args)
        return self._solver(self.symbolic.equal(self._then, then.state), self._limit == then.limit), me, args

    def _pass_of(self) -> Any:
        state, limit = self.symbolic.one_pass(self._now)
        return self._solver(self.symbolic.equal(self._then, state), self._limit == self._ref(limit))

    def _next(self, solver: Any, pins: Sequence[Truth]) -> State:
        model = self._only(solver, pins)
        if z3.is_true(model.eval(self._limit)):
            raise LimitReached(f"a value of {self.rules.name!r} left the interval of its cell")
        return self.symbolic.model_state(model, self._then)

    def _answer(self, solver: Any, pins: Sequence[Truth]) -> Any:
        with self._asked(solver, pins):
            return solver.model() if check(solver) else None

    @contextmanager
    def _asked(self, solver: Any, pins: Sequence[Truth]) -> Iterator[None]:
        """The solver with these requirements for a while, whatever happens."""
        solver.push()
        try:
            solver.add(*[self._ref(p) for p in pins])
            yield
        finally:
            solver.pop()

    def _only(self, solver: Any, pins: Sequence[Truth]) -> Any:
        model = self._answer(solver, pins)
        if model is None:
            raise ValueError("a value lies outside the interval of its cell or variable")
        return model

    def _ref(self, truth: Truth) -> Any:
        return self.symbolic.terms.ref(truth)

    def _pins(self, cells: SymbolicState, state: State) -> list[Truth]:
        # A cell outside its interval would contradict the model: every question would get a "no".
        if len(state) != self.rules.size or not all(lo <= n <= hi for n, (lo, hi) in zip(state, self.rules.bounds, strict=True)):
            raise ValueError(f"a value of the state lies outside the interval of its cell in {self.rules.name!r}")
        return self._fixed(cells.terms, state)

    def _fixed(self, terms: Any, values: Sequence[int]) -> list[Truth]:
        make = self.symbolic.terms
        pairs = zip(terms, values, strict=True)
        return [make.eq(t, make.known(v, not isinstance(t, Number))) for t, v in pairs]

    def _action(self, move: Move) -> Action:
        action = self.rules.by_name.get(move.action)
        if action is None:
            raise ValueError(f"the game {self.rules.name!r} has no action {move.action!r}")
        if len(move.args) != len(action.params):
            raise ValueError(f"{move.action} takes {len(action.params)} parameters, not {len(move.args)}")
        return action

    def _in_domain(self, action: Action, move: Move) -> bool:
        players = range(NATURE, NATURE + 1) if action.is_chance else range(self.rules.players)
        return move.me in players and all(v in p.values for v, p in zip(move.args, action.params, strict=True))
