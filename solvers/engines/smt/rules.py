"""A rule set as z3 terms: states, guards and successors for questions about *every* state.

``Symbolic`` is what verification builds on (induction, bounded model checking, Spacer):

>>> from monjudge.model.language import Game, gain
>>> import z3
>>> g = Game("count", players=1)
>>> n = g.field("n", values=range(4))
>>> up = g.action("up", by=0)
>>> up.clause("C.1", n < 3)
>>> up.effect(gain(n, 1))
>>> game = Symbolic(g.build())
>>> now = game.state("now")
>>> me, args = game.choice("up", "now")
>>> then = game.step("up", now, me, args)
>>> solver = z3.Solver()
>>> solver.add(game.inside(now), game.legal("up", now, me, args))
>>> solver.check(then.limit), solver.check(game.expr(n == 0, then.state))
(unsat, unsat)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from monjudge.model.language import ME, NATURE, Action, Effect, Expr, Family, Move, RuleSet, State, Trigger
from monjudge.solvers.engines.smt.terms import Number, SymbolicState, Term, Terms, Truth, same

__all__ = ["TURN", "Scope", "Successor", "Symbolic"]

TURN = "GAME.turn"
"""The id of the condition that every move has besides its clauses: who decides (a weight above 0 for chance)."""


class Successor(NamedTuple):
    """What follows a move: meaningful where neither flag holds, else *unknown (limit)*.

    ``limit``: a value left the interval of its cell. ``unsettled``: the triggers did not
    come to rest in the passes that were unrolled.
    """

    state: SymbolicState
    limit: Any
    unsettled: Any


class Scope:
    """Where expressions are translated: a state, perhaps a next one, and values for the free variables.

    A node is translated once in a scope (once for each binding of the quantified
    variables it mentions), and a closed node once in a state: the tree stays a DAG.
    """

    def __init__(
        self,
        terms: Terms,
        offset: Mapping[str, int],
        now: SymbolicState,
        env: Mapping[str, int | Term],
        after: SymbolicState | None = None,
    ) -> None:
        self.terms, self.offset, self.now, self.after = terms, offset, now, after
        self.env = dict(env)
        self.bound: dict[str, int] = {}
        self.closed = now.memo if after is None else {}
        self.open: dict[Any, Term] = {}

    def term(self, node: Expr) -> Term:
        """The term of an expression. Raises KeyError for a free variable without a value."""
        memo, key = self.closed, node.uid
        if node.free:
            memo = self.open
            if not self.bound.keys().isdisjoint(node.free):
                key = (node.uid, *[self.bound[name] for name in node.free if name in self.bound])  # type: ignore[assignment]
        found = memo.get(key)
        if found is None:
            found = memo[key] = getattr(self, f"_{node.op}")(node, *node.args)
        return found

    def _const(self, node: Expr, value: Any) -> Term:
        return self.terms.known(value, node.is_bool)

    def _var(self, node: Expr, name: str) -> Term:
        value = self.env[name]
        return self.terms.known(value, node.is_bool) if isinstance(value, int) else value

    def _field(self, node: Expr, family: Any, at: int, *indices: Expr) -> Term:
        state = self.after if at else self.now
        if state is None:
            raise ValueError(f"{node!r} speaks of the next state, but none is given")
        begin = self.offset[family.name]
        default = self.terms.known(family.default, family.is_bool)
        return self.terms.select(self._each(indices), family.dims, lambda place: state.terms[begin + place], default)

    def _table(self, node: Expr, table: Any, *indices: Expr) -> Term:
        leaves = [self.terms.known(v, table.is_bool) for v in table.values]
        default = self.terms.known(table.default, table.is_bool)
        return self.terms.select(self._each(indices), table.dims, leaves.__getitem__, default)

    def _add(self, node: Expr, *terms: Expr) -> Term:
        return self.terms.add(self._each(terms))

    def _mul(self, node: Expr, k: int, factor: Expr) -> Term:
        return self.terms.scale(k, self.term(factor))

    def _min(self, node: Expr, *terms: Expr) -> Term:
        return self.terms.least(self._each(terms))

    def _max(self, node: Expr, *terms: Expr) -> Term:
        return self.terms.greatest(self._each(terms))

    def _eq(self, node: Expr, a: Expr, b: Expr) -> Term:
        return self.terms.eq(self.term(a), self.term(b))

    def _lt(self, node: Expr, a: Expr, b: Expr) -> Term:
        return self.terms.lt(self.term(a), self.term(b))

    def _le(self, node: Expr, a: Expr, b: Expr) -> Term:
        return self.terms.le(self.term(a), self.term(b))

    def _in(self, node: Expr, value: Expr, numbers: tuple[int, ...]) -> Term:
        have = self.term(value)
        return self.terms.either([self.terms.eq(have, Number(n, n)) for n in numbers])

    def _and(self, node: Expr, *truths: Expr) -> Term:
        return self.terms.both(self._each(truths))

    def _or(self, node: Expr, *truths: Expr) -> Term:
        return self.terms.either(self._each(truths))

    def _not(self, node: Expr, truth: Expr) -> Term:
        return self.terms.negate(self.term(truth))

    def _ite(self, node: Expr, condition: Expr, then: Expr, other: Expr) -> Term:
        return self.terms.ite(self.term(condition), self.term(then), self.term(other))

    def _all(self, node: Expr, variable: Expr, body: Expr) -> Term:
        return self.terms.both(self._instances(variable, body))

    def _any(self, node: Expr, variable: Expr, body: Expr) -> Term:
        return self.terms.either(self._instances(variable, body))

    def _sum(self, node: Expr, variable: Expr, body: Expr) -> Term:
        return self.terms.add(self._instances(variable, body))

    def _each(self, nodes: Sequence[Expr]) -> list[Term]:
        return [self.term(n) for n in nodes]

    def _instances(self, variable: Expr, body: Expr) -> list[Term]:
        return [self.term(body) for _ in self.bindings((variable,))]

    def bindings(self, variables: Sequence[Expr]) -> Iterator[None]:
        """Binds the variables to all their values in turn; to be run to its end."""
        names = [str(v.args[0]) for v in variables]
        outer = {n: self.env[n] for n in names if n in self.env}, {n: self.bound[n] for n in names if n in self.bound}
        for values in itertools.product(*(range(v.lo, v.hi + 1) for v in variables)):
            self.bound.update(zip(names, values, strict=True))
            self.env.update((n, Number(v, v)) for n, v in zip(names, values, strict=True))
            yield
        for n in names:
            self.env.pop(n, None)
            self.bound.pop(n, None)
        self.env.update(outer[0])
        self.bound.update(outer[1])


class Symbolic:
    """One rule set as z3 terms over symbolic states.

    ``numbers`` is "bv" (bit-vectors sized by the intervals: bounded questions) or "int"
    (Spacer). Where a player or a parameter is asked for, a number or a term will do.
    Every question must assert ``inside`` of the states it starts from.
    """

    def __init__(self, rules: RuleSet, numbers: str = "bv") -> None:
        self.rules, self.terms = rules, Terms(numbers)

    def state(self, prefix: str) -> SymbolicState:
        """One constant of z3 for each cell, named ``prefix.field[place]``."""
        make = self.terms.variable
        return SymbolicState(
            make(f"{prefix}.{f.name}[{place}]", f.lo, f.hi, f.is_bool) for f in self.rules.families for place in range(f.size)
        )

    def known(self, state: State) -> SymbolicState:
        """A concrete state; what is translated in it is simplified as far as it is known."""
        flags = (f.is_bool for f in self.rules.families for _ in range(f.size))
        return SymbolicState(self.terms.known(v, flag) for v, flag in zip(state, flags, strict=True))

    def refs(self, state: SymbolicState) -> list[Any]:
        """The z3 terms of the cells, e.g. as the arguments of a relation for Spacer."""
        return [self.terms.ref(t) for t in state.terms]

    def choice(self, action: str, prefix: str) -> tuple[Term, tuple[Term, ...]]:
        """Constants of z3 for who moves and the parameters; ``legal`` keeps them in their domains."""
        make, at = self.terms.variable, f"{prefix}.{action}"
        chosen = self.rules.by_name[action]
        me = Number(NATURE, NATURE) if chosen.is_chance else make(f"{at}.{ME}", 0, self.rules.players - 1)
        return me, tuple(make(f"{at}.{p.name}", p.var.lo, p.var.hi, p.var.is_bool) for p in chosen.params)

    def inside(self, state: SymbolicState) -> Any:
        """That every cell lies in its interval."""
        return self.terms.ref(self.terms.both(self.terms.within(t) for t in state.terms))

    def equal(self, a: SymbolicState, b: SymbolicState) -> Any:
        """That two states are the same."""
        return self.terms.ref(self._equal(a, b))

    def term(
        self, node: Expr, state: SymbolicState, env: Mapping[str, Any] | None = None, after: SymbolicState | None = None
    ) -> Term:
        """The term of an expression; ``env`` gives the free variables, ``after`` the next state where it is spoken of.

        Raises KeyError for a free variable without a value.
        """
        return self._scope(state, env or {}, after).term(node)

    def expr(
        self, node: Expr, state: SymbolicState, env: Mapping[str, Any] | None = None, after: SymbolicState | None = None
    ) -> Any:
        """The same for z3: a ``BoolRef``, or a number as wide as its interval."""
        return self.terms.ref(self.term(node, state, env, after))

    def over(self, state: SymbolicState) -> Any:
        """That the game has ended."""
        over = self.rules.over
        return self.terms.ref(False if over is None else self._scope(state, {}).term(over.expr))

    def conditions(self, action: str, state: SymbolicState, me: Any, args: Sequence[Any]) -> list[tuple[str, Any]]:
        """What makes the move legal, each with its id: not over, who decides, every clause."""
        chosen, terms = self.rules.by_name[action], self.terms
        scope = self._scope(state, self._env(chosen, me, args))
        found: list[tuple[str, Truth]] = []
        if self.rules.over is not None:
            found.append((self.rules.over.id, terms.negate(scope.term(self.rules.over.expr))))
        if chosen.weight is not None:
            found.append((TURN, terms.lt(Number(0, 0), scope.term(chosen.weight))))
        elif chosen.by is not None:
            found.append((TURN, terms.eq(scope.term(chosen.by), scope.env[ME])))
        found += [(clause.id, scope.term(clause.expr)) for clause in chosen.clauses]
        return [(id, terms.ref(truth)) for id, truth in found]

    def domain(self, action: str, me: Any, args: Sequence[Any]) -> Any:
        """That ``me`` is a player and every parameter lies in its domain."""
        chosen = self.rules.by_name[action]
        env = self._env(chosen, me, args)
        bounds = [(p.name, p.var.lo, p.var.hi) for p in chosen.params if not p.var.is_bool]
        if not chosen.is_chance:
            bounds.append((ME, 0, self.rules.players - 1))
        truths = [self.terms.both((self.terms.within(env[n]), self._inside(env[n], lo, hi))) for n, lo, hi in bounds]
        return self.terms.ref(self.terms.both(truths))

    def legal(self, action: str, state: SymbolicState, me: Any, args: Sequence[Any]) -> Any:
        """That the move is in its domain and legal."""
        truths = [truth for _, truth in self.conditions(action, state, me, args)]
        return self.terms.ref(self.terms.both((self.domain(action, me, args), *truths)))

    def apply(self, action: str, state: SymbolicState, me: Any, args: Sequence[Any]) -> Successor:
        """The state after the effects alone, before any trigger."""
        chosen = self.rules.by_name[action]
        after, limit = self._after(self._scope(state, self._env(chosen, me, args)), chosen.effects, True)
        return Successor(after, self.terms.ref(limit), self.terms.ref(bool(self.rules.triggers)))

    def step(
        self, action: str, state: SymbolicState, me: Any, args: Sequence[Any], passes: int | None = None
    ) -> Successor:
        """The settled state after the move, which must be legal (not asserted here)."""
        then = self.apply(action, state, me, args)
        settled = self.settle(then.state, passes)
        return settled._replace(limit=self.terms.ref(self.terms.either((then.limit, settled.limit))))

    def settle(self, state: SymbolicState, passes: int | None = None) -> Successor:
        """The state after all triggers, with ``passes`` of them unrolled (all that the rules allow by default)."""
        terms, limit, unsettled = self.terms, False, bool(self.rules.triggers)
        for _ in range((self.rules.passes if passes is None else passes) if unsettled else 0):
            before = state
            state, left = self.one_pass(before)
            limit = terms.either((limit, left))
            unsettled = terms.negate(self._equal(before, state))
            if unsettled is False:
                break
        return Successor(state, terms.ref(limit), terms.ref(unsettled))

    def one_pass(self, state: SymbolicState) -> tuple[SymbolicState, Truth]:
        """The state after every trigger once, in order, and whether a value left its interval."""
        limits = []
        for trigger in self.rules.triggers:
            for values in itertools.product(*(range(v.lo, v.hi + 1) for v in trigger.loops)):
                state, limit = self.fire(trigger, values, state)
                limits.append(limit)
        return state, self.terms.either(limits)

    def fire(self, trigger: Trigger, values: Sequence[int], state: SymbolicState) -> tuple[SymbolicState, Truth]:
        """The state after one trigger with these values of its loops (the same where it does not apply), and whether
        a value left its interval."""
        scope = self._scope(state, {str(v.args[0]): n for v, n in zip(trigger.loops, values, strict=True)})
        return self._after(scope, trigger.effects, scope.term(trigger.when))

    def model_state(self, model: Any, state: SymbolicState) -> State:
        """The state in a model of z3."""
        return tuple(self.terms.read(model, t) for t in state.terms)

    def model_move(self, model: Any, action: str, me: Any, args: Sequence[Any]) -> Move:
        """The move in a model of z3."""
        env = self._env(self.rules.by_name[action], me, args)
        values = [self.terms.read(model, env[p.name]) for p in self.rules.by_name[action].params]
        return Move(action, self.terms.read(model, env[ME]), tuple(values))

    def _scope(self, state: SymbolicState, env: Mapping[str, Any], after: SymbolicState | None = None) -> Scope:
        return Scope(self.terms, self.rules.offset, state, env, after)

    def _env(self, action: Action, me: Any, args: Sequence[Any]) -> dict[str, Term]:
        env: dict[str, Term] = {ME: self.terms.known(me) if isinstance(me, int) else me}
        for p, value in zip(action.params, args, strict=True):
            env[p.name] = self.terms.known(value, p.var.is_bool) if isinstance(value, int) else value
        return env

    def _equal(self, a: SymbolicState, b: SymbolicState) -> Truth:
        pairs = zip(a.terms, b.terms, strict=True)
        return self.terms.both(self.terms.eq(x, y) for x, y in pairs if same(x) != same(y))

    def _inside(self, n: Number, lo: int, hi: int) -> Truth:
        return self.terms.both((self.terms.le(Number(lo, lo), n), self.terms.le(n, Number(hi, hi))))

    def _after(self, scope: Scope, effects: Sequence[Effect], when: Truth) -> tuple[SymbolicState, Truth]:
        """Assignments in order, then increments, all reading the state of the scope."""
        terms, cells = self.terms, list(scope.now.terms)
        families: dict[int, Family] = {}
        gains: dict[int, list[Number]] = {}
        for effect in sorted(effects, key=lambda e: e.adds):
            for cell, condition, value in self._writes(scope, effect, when):
                families[cell] = effect.family
                if effect.adds:
                    gains.setdefault(cell, []).append(terms.ite(condition, value, Number(0, 0)))
                else:
                    cells[cell] = terms.ite(condition, value, cells[cell])
        outside: dict[int, list[Truth]] = {}
        for cell, family in families.items():
            if cell in gains:
                cells[cell] = terms.add([cells[cell], *gains[cell]])
            if not family.is_bool:
                outside.setdefault(family.uid, []).append(terms.negate(self._inside(cells[cell], family.lo, family.hi)))
                cells[cell] = terms.narrow(cells[cell], family.lo, family.hi)
        limits = {uid: terms.either(truths) for uid, truths in outside.items()}
        return SymbolicState(cells, limits) if families else scope.now, terms.either(limits.values())

    def _writes(self, scope: Scope, effect: Effect, when: Truth) -> Iterator[tuple[int, Truth, Term]]:
        """Every cell that an effect may write: where, under which condition, what."""
        begin, dims = self.rules.offset[effect.family.name], effect.family.dims
        for _ in scope.bindings(effect.loops):
            condition = self.terms.both((when, scope.term(effect.when)))
            if condition is False:
                continue
            axes = [self.terms.hits(scope.term(i), size) for i, size in zip(effect.indices, dims, strict=True)]
            value = scope.term(effect.value)
            for place in itertools.product(*axes):
                hit = self.terms.both((condition, *(axis[k] for axis, k in zip(axes, place, strict=True))))
                cell = effect.family.place(place)
                if hit is not False and cell is not None:
                    yield begin + cell, hit, value
