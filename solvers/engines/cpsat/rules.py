"""A rule set as a model of CP-SAT: states, guards, successors, and the best of them.

>>> from monjudge.model.language import Game, gain
>>> g = Game("count", players=1)
>>> n = g.field("n", values=range(10))
>>> up = g.action("up", by=0)
>>> by = up.param("by", range(1, 4))
>>> up.clause("C.1", n + by < 9)
>>> up.effect(gain(n, by))
>>> query = Query(g.build())
>>> now = query.state()
>>> me, args = query.choice("up")
>>> query.require(query.legal("up", now, me, args))
>>> then = query.step("up", now, me, args)
>>> query.maximise(n, then.state)
>>> answer = query.solve()
>>> answer.value(query.term(n, then.state)), answer.optimal
(8, True)
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from monjudge.model.language import (
    ME,
    NATURE,
    Action,
    Effect,
    Expr,
    Family,
    LimitReached,
    Move,
    RuleSet,
    State,
    Trigger,
    children,
    const,
    substitute,
    walk,
)
from monjudge.solvers.engines.cpsat.terms import Number, SymbolicState, Term, Terms, Truth, cp

__all__ = ["Answer", "Opaque", "Query", "Successor"]


class Successor(NamedTuple):
    """What follows a move: meaningful where neither flag holds, else *unknown (limit)*.

    ``limit``: a value left the interval of its cell. ``unsettled``: the triggers did not
    come to rest in the passes that were unrolled.
    """

    state: SymbolicState
    limit: Truth
    unsettled: Truth


class Opaque:
    """The numbers that are chosen by some fields, these given by their ``uid``: which of two, not whether one counts."""

    def __init__(self, fields: Collection[int]) -> None:
        self.fields = fields
        self._entered, self._hidden, self._reads = set[int](), set[int](), set[int]()

    def hides(self, node: Expr) -> bool:
        """Whether the node is such a number."""
        for part in walk(node, seen=self._entered):
            condition, *chosen = children(part) if part.op == "ite" and not part.is_bool else [part]
            if condition.uid in self._reads and not all(branch.op == "const" for branch in chosen):
                self._hidden.add(part.uid)
            elif (part.op == "field" and part.args[0].uid in self.fields) or any(child.uid in self._reads for child in children(part)):
                self._reads.add(part.uid)  # and not only through what is hidden
        return node.uid in self._hidden


PLAIN = 0.5
"""Of the effort allowed: so much before a model is looked at more closely."""

EASY = 6.0
"""Of the effort allowed: so much before another relaxation is tried, if nothing else is said."""


class Query:
    """One question to CP-SAT: terms over symbolic states, requirements, perhaps an objective.

    Where a player or a parameter is asked for, a number or a term will do. ``effort``
    bounds the search in the solver's own deterministic time (None: no bound), ``easy`` what
    of it goes by before another relaxation is tried. One worker and a fixed seed: the same question gets the same answer.
    What is ``opaque`` is any number of its interval, not the one that it is: that there is none is right all the
    same, an assignment says nothing.
    """

    def __init__(self, rules: RuleSet, effort: float | None = None, opaque: Opaque | None = None, easy: float = EASY) -> None:
        self.rules, self.effort, self.opaque, self.easy, self.terms = rules, effort, opaque, easy, Terms()

    # Terms.

    def state(self) -> SymbolicState:
        """A state of which only the intervals are known."""
        make = self.terms.variable
        return SymbolicState(make(f.lo, f.hi, f.is_bool) for f in self.rules.families for _ in range(f.size))

    def choice(self, action: str) -> tuple[Term, tuple[Term, ...]]:
        """Who moves and the parameters, anywhere in their domains."""
        chosen, make = self.rules.by_name[action], self.terms.variable
        me = Number(NATURE, NATURE) if chosen.is_chance else make(0, self.rules.players - 1)
        return me, tuple(make(p.var.lo, p.var.hi, p.var.is_bool) for p in chosen.params)

    def term(
        self, node: Expr, state: SymbolicState, env: Mapping[str, Any] | None = None, after: SymbolicState | None = None
    ) -> Term:
        """The term of an expression; ``env`` gives the free variables, ``after`` the next state.

        Raises KeyError for a free variable without a value.
        """
        return _Scope(self, state, env or {}, after).term(node)

    def over(self, state: SymbolicState) -> Truth:
        """Whether the game has ended."""
        return False if self.rules.over is None else self.term(self.rules.over.expr, state)

    def legal(self, action: str, state: SymbolicState, me: Any, args: Sequence[Any]) -> Truth:
        """Whether the move is in its domain and legal."""
        chosen, terms = self.rules.by_name[action], self.terms
        env = self._env(chosen, me, args)
        scope = _Scope(self, state, env, None)
        truths = [terms.negate(self.over(state))]
        truths += [self._inside(env[p.name], p.var.lo, p.var.hi) for p in chosen.params if not p.var.is_bool]
        if chosen.weight is not None:
            truths.append(terms.lt(Number(0, 0), scope.term(chosen.weight)))
        else:
            truths.append(self._inside(env[ME], 0, self.rules.players - 1))
            if chosen.by is not None:
                truths.append(terms.eq(scope.term(chosen.by), env[ME]))
        return terms.both([*truths, *(scope.term(clause.expr) for clause in chosen.clauses)])

    def apply(self, action: str, state: SymbolicState, me: Any, args: Sequence[Any], within: bool = False) -> Successor:
        """The state after the effects alone, before any trigger; ``within`` requires that no value leaves its interval."""
        chosen = self.rules.by_name[action]
        scope = _Scope(self, state, self._env(chosen, me, args), None)
        return Successor(*self._after(scope, chosen.effects, True, within), bool(self.rules.triggers))

    def step(
        self, action: str, state: SymbolicState, me: Any, args: Sequence[Any], passes: int | None = None
    ) -> Successor:
        """The settled state after the move, which must be legal (not required here)."""
        then = self.apply(action, state, me, args)
        settled = self.settle(then.state, passes)
        return settled._replace(limit=self.terms.either((then.limit, settled.limit)))

    def settle(self, state: SymbolicState, passes: int | None = None) -> Successor:
        """The state after all triggers, with ``passes`` of them unrolled (all that the rules allow by default)."""
        terms = self.terms
        limit: Truth = False
        unsettled: Truth = bool(self.rules.triggers)
        for _ in range((self.rules.passes if passes is None else passes) if unsettled else 0):
            before = state
            state, left = self.one_pass(before)
            limit = terms.either((limit, left))
            unsettled = terms.negate(self.equal(before, state))
            if unsettled is False:
                break
        return Successor(state, limit, unsettled)

    def one_pass(self, state: SymbolicState) -> tuple[SymbolicState, Truth]:
        """The state after every trigger once, in order, and whether a value left its interval."""
        limits = []
        for trigger in self.rules.triggers:
            for values in itertools.product(*(range(v.lo, v.hi + 1) for v in trigger.loops)):
                state, limit = self.fire(trigger, values, state)
                limits.append(limit)
        return state, self.terms.either(limits)

    def fire(self, trigger: Trigger, values: Sequence[int], state: SymbolicState, within: bool = False) -> tuple[SymbolicState, Truth]:
        """The state after one trigger with these values of its loops (the same where it does not apply), and whether
        a value left its interval; ``within`` requires that it fires, and that none does."""
        scope = _Scope(self, state, {str(v.args[0]): n for v, n in zip(trigger.loops, values, strict=True)}, None)
        when = scope.term(trigger.when)
        if within:
            self.require(when)
        return self._after(scope, trigger.effects, within or when, within)

    def equal(self, a: SymbolicState, b: SymbolicState) -> Truth:
        """Whether two states are the same."""
        return self.terms.both([self.terms.eq(x, y) for x, y in zip(a.terms, b.terms, strict=True) if x is not y])

    # Requirements and answers.

    def require(self, truth: Truth) -> None:
        """Only assignments where this holds count."""
        self.terms.require(truth)

    def fix(self, terms: Sequence[Term], values: Sequence[int]) -> None:
        """Requires these values (0 or 1 for a truth value), e.g. ``fix(state.terms, concrete)``."""
        for term, value in zip(terms, values, strict=True):
            self.terms.pin(term, value)

    def minimise(self, node: Expr, state: SymbolicState, env: Mapping[str, Any] | None = None) -> None:
        """Asks for the least value of an expression (the smallest counterexample)."""
        self.terms.model.minimize(self.terms.linear(self.term(node, state, env)))

    def maximise(self, node: Expr, state: SymbolicState, env: Mapping[str, Any] | None = None) -> None:
        """Asks for the greatest value of an expression (the best plan)."""
        self.terms.model.maximize(self.terms.linear(self.term(node, state, env)))

    def solve(self, relaxed: bool = False) -> Answer | None:
        """An assignment, or None where there is none: a "no" of this engine, to be confirmed by another.

        ``relaxed`` tries the relaxation of all conditions first. Raises LimitReached when the solver neither finds one nor excludes it.
        """
        best = self.terms.model.has_objective()
        if not relaxed and not best:
            # Most questions need no more than propagation: to look for symmetries, to probe and to simplify on the way takes longer.
            solver = self._solver(PLAIN)
            solver.parameters.cp_model_probing_level = solver.parameters.symmetry_level = 0
            solver.parameters.use_sat_inprocessing = False
            status = solver.solve(self.terms.model)
            if status != cp.UNKNOWN:
                return Answer(self, solver) if self._found(solver, status) else None
        # Where sums of many terms are compared, a relaxation of all conditions finds at once what search does not.
        first, second = (2, 1) if relaxed else (1, 2)
        solver = self._solver(None if best and self.effort is None else self.easy)
        solver.parameters.linearization_level = first
        status = solver.solve(self.terms.model)
        if status == cp.UNKNOWN and (self.effort is None or self.effort > self.easy):
            solver = self._solver()
            solver.parameters.linearization_level = second
            status = solver.solve(self.terms.model)
        return Answer(self, solver) if self._found(solver, status) else None

    def every(self, terms: Sequence[Term], most: int | None = None) -> list[tuple[int, ...]]:
        """All values that the terms take together, in order.

        ``most`` says how many assignments of the whole model there can be, where the terms
        decide all others. Raises LimitReached when the enumeration is not complete,
        AssertionError when there are more assignments: a term was left open.
        """
        # Single variables: OR-Tools 9.10 counts the constants of a sum too often in a callback.
        solver, rows = self._solver(), _Rows([self.terms.single(t) for t in terms], most)
        solver.parameters.enumerate_all_solutions = True
        status = solver.solve(self.terms.model, rows)
        if not self._found(solver, status):
            return []
        if most is not None and rows.seen > most:
            raise AssertionError(f"the translation to CP-SAT leaves values open: at most {most} of {rows.seen} can be")
        if status != cp.OPTIMAL:
            raise LimitReached(f"CP-SAT enumerated {len(rows.found)} answers and stopped at its limit")
        return sorted(rows.found)

    def _solver(self, most: float | None = None) -> Any:
        """A solver that takes no more than ``most`` of the effort allowed."""
        solver, bounds = cp.CpSolver(), [bound for bound in (most, self.effort) if bound is not None]
        solver.parameters.num_workers, solver.parameters.random_seed = 1, 0
        solver.parameters.catch_sigint_signal = False  # it would leave a Ctrl-C that ends the process, and nothing of what was found is told
        if bounds:
            solver.parameters.max_deterministic_time = min(bounds)
        return solver

    def _found(self, solver: Any, status: Any) -> bool:
        if status == cp.MODEL_INVALID:
            raise ValueError(f"CP-SAT does not accept the model of {self.rules.name!r}: {self.terms.model.validate()}")
        if status not in (cp.OPTIMAL, cp.FEASIBLE, cp.INFEASIBLE):
            raise LimitReached(f"CP-SAT gave no answer: {solver.status_name(status)}")
        return bool(status != cp.INFEASIBLE)

    def _env(self, action: Action, me: Any, args: Sequence[Any]) -> dict[str, Term]:
        env: dict[str, Term] = {ME: Number(me, me) if isinstance(me, int) else me}
        for p, value in zip(action.params, args, strict=True):
            env[p.name] = self.terms.known(value, p.var.is_bool) if isinstance(value, int) else value
        return env

    def _inside(self, n: Number, lo: int, hi: int) -> Truth:
        return self.terms.both((self.terms.le(Number(lo, lo), n), self.terms.le(n, Number(hi, hi))))

    def _after(self, scope: _Scope, effects: Sequence[Effect], when: Truth, within: bool = False) -> tuple[SymbolicState, Truth]:
        """Assignments in order, then increments, all reading the state of the scope."""
        terms, cells = self.terms, list(scope.now.terms)
        written: dict[int, Family] = {}
        gains: dict[int, list[Number]] = {}
        for effect in (*(e for e in effects if not e.adds), *(e for e in effects if e.adds)):
            for cell, condition, value in scope.writes(effect, when):
                written[cell] = effect.family
                if effect.adds:
                    gains.setdefault(cell, []).append(terms.ite(condition, value, Number(0, 0)))
                else:
                    cells[cell] = terms.ite(condition, value, cells[cell])
        outside = []
        for cell, family in written.items():
            if cell in gains:
                cells[cell] = terms.add([cells[cell], *gains[cell]])
            if within and not family.is_bool:
                cells[cell] = terms.kept(cells[cell], family.lo, family.hi)
            elif not family.is_bool:
                cells[cell], inside = terms.confined(cells[cell], family.lo, family.hi)
                outside.append(terms.negate(inside))
        return SymbolicState(cells) if written else scope.now, terms.either(outside)


class Answer:
    """An assignment of a query. ``optimal``: no other is better (or there was no objective)."""

    def __init__(self, query: Query, solver: Any) -> None:
        self._query, self._solver = query, solver
        self.optimal = bool(solver.response_proto.status == cp.OPTIMAL)

    def value(self, term: Term) -> int:
        """The value of a term (0 or 1 for a truth value)."""
        return int(self._solver.value(self._query.terms.linear(term)))

    def state(self, state: SymbolicState) -> State:
        """The concrete state."""
        return tuple(self.value(t) for t in state.terms)

    def move(self, action: str, me: Any, args: Sequence[Any]) -> Move:
        """The concrete move; ``me`` and ``args`` as they were given to ``legal`` and ``step``."""
        env = self._query._env(self._query.rules.by_name[action], me, args)
        return Move(action, self.value(env.pop(ME)), tuple(self.value(t) for t in env.values()))


class _Rows(cp.CpSolverSolutionCallback):
    """Collects the values of some terms in every solution, and stops after more than ``most`` solutions."""

    def __init__(self, terms: Sequence[Any], most: int | None) -> None:
        super().__init__()
        self.terms, self.most, self.seen, self.found = terms, most, 0, set[tuple[int, ...]]()

    def on_solution_callback(self) -> None:
        self.seen += 1
        self.found.add(tuple(int(self.value(t)) for t in self.terms))
        if self.most is not None and self.seen > self.most:
            self.stop_search()


class _Scope:
    """Where expressions are translated: a state, perhaps a next one, and values for the free variables.

    Quantifiers are expanded. A node is translated once in a scope for each binding of the
    quantified variables it mentions, and a closed node once in a state.
    """

    def __init__(
        self, query: Query, now: SymbolicState, env: Mapping[str, int | Term], after: SymbolicState | None
    ) -> None:
        self.opaque, self.terms, self.offset, self.now, self.after = query.opaque, query.terms, query.rules.offset, now, after
        self.env, self.bound = dict(env), dict[str, int]()
        self.closed = now.memo if after is None else {}
        self.open: dict[Any, Term] = {}

    def term(self, node: Expr) -> Term:
        memo = self.open if node.free else self.closed
        key = (node.uid, *[self.bound[name] for name in node.free if name in self.bound])
        if key not in memo:
            memo[key] = self._translate(node)
        return memo[key]

    def _translate(self, node: Expr) -> Term:
        terms, args = self.terms, node.args
        if self.opaque is not None and self.opaque.hides(node):
            known = {name: const(value) for name, value in self.env.items() if name in node.free and isinstance(value, int)}
            plain = substitute(node, known) if known else node
            return terms.number(node.lo, node.hi) if plain is node else self.term(plain)  # one number wherever it is written
        match node.op:
            case "const":
                return terms.known(args[0], node.is_bool)
            case "var":
                value = self.env[args[0]]
                return terms.known(value, node.is_bool) if isinstance(value, int) else value
            case "field":
                return self._cell(node)
            case "table":
                leaves = [terms.known(v, args[0].is_bool) for v in args[0].values]
                default = terms.known(args[0].default, args[0].is_bool)
                return terms.select([self.term(i) for i in args[1:]], args[0].dims, leaves.__getitem__, default)
            case "mul":
                return terms.scale(args[0], self.term(args[1]))
            case "in":
                return terms.member(self.term(args[0]), args[1])
            case "all" | "any" | "sum":
                below = [self.term(args[1]) for _ in self.bindings((args[0],))]
            case _:
                below = [self.term(a) for a in args]
        match node.op:
            case "add" | "sum":
                return terms.add(below)
            case "min":
                return terms.least(below)
            case "max":
                return terms.greatest(below)
            case "and" | "all":
                return terms.both(below)
            case "or" | "any":
                return terms.either(below)
            case "not":
                return terms.negate(below[0])
            case "eq":
                return terms.eq(*below)
            case "lt":
                return terms.lt(*below)
            case "le":
                return terms.le(*below)
            case "ite":
                return terms.ite(*below)
        raise ValueError(f"CP-SAT has no translation of {node.op!r}")

    def _cell(self, node: Expr) -> Term:
        family, at, *indices = node.args
        state = self.after if at else self.now
        if state is None:
            raise ValueError(f"{node!r} speaks of the next state, but none is given")
        begin, default = self.offset[family.name], self.terms.known(family.default, family.is_bool)
        return self.terms.select(
            [self.term(i) for i in indices], family.dims, lambda place: state.terms[begin + place], default
        )

    def bindings(self, variables: Sequence[Expr]) -> Iterator[None]:
        """Binds the variables to all their values in turn; to be run to its end."""
        env, bound = dict(self.env), dict(self.bound)
        for values in itertools.product(*(range(v.lo, v.hi + 1) for v in variables)):
            here = {str(v.args[0]): n for v, n in zip(variables, values, strict=True)}
            self.env.update(here)
            self.bound.update(here)
            yield
        self.env, self.bound = env, bound

    def writes(self, effect: Effect, when: Truth) -> Iterator[tuple[int, Truth, Term]]:
        """Every cell that an effect may write: where, under which condition, what."""
        terms, family = self.terms, effect.family
        for _ in self.bindings(effect.loops):
            condition = terms.both((when, self.term(effect.when)))
            indices = [self.term(i) for i in effect.indices]
            if condition is False:
                continue
            value = self.term(effect.value)
            spans = [range(max(0, i.lo), min(d - 1, i.hi) + 1) for i, d in zip(indices, family.dims, strict=True)]
            for place, position in ((p, family.place(p)) for p in itertools.product(*spans)):
                hit = [terms.eq(i, Number(k, k)) for i, k in zip(indices, place, strict=True)]
                here = terms.both((condition, *hit))
                if here is not False and position is not None:
                    yield self.offset[family.name] + position, here, value
