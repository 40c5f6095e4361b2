"""An invariant that makes a claim inductive, found by Spacer (Komuravelli, Gurfinkel, Chaki, FMSD 2016), in whole numbers.

Only the fields that the claim and its lemmas read are kept, everything else may be anything at any time. What Spacer
finds is no proof here: it is written in the text form and proved like any other lemma, by z3 on bit-vectors and by CP-SAT.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from monjudge.model.language import Expr, add, both, const, either, eq, field, ite, lift, walk
from monjudge.model.properties import Scene
from monjudge.solvers.engines.smt import Symbolic, SymbolicState
from monjudge.solvers.engines.smt.terms import Number, z3
from monjudge.verify.invariants import firings
from monjudge.verify.queries import Clock

__all__ = ["CELLS", "auxiliary"]

CELLS = 24
"""So many cells may be kept: the invariant is a relation over them."""


def auxiliary(scene: Scene, claims: Sequence[Expr], clock: Clock) -> Expr | None:
    """An invariant of the kept fields that implies the claims; None where Spacer finds none in time."""
    return _Spacer(scene, claims).invariant(clock)


class _Spacer:
    def __init__(self, scene: Scene, claims: Sequence[Expr]) -> None:
        self.scene, self.rules, self.claims = scene, scene.rules, claims
        read = {n.args[0].uid for n in walk(*claims) if n.op == "field"}
        self.kept: list[tuple[int, Expr]] = []
        at = 0
        for family in self.rules.families:
            for place in range(family.size) if family.uid in read else ():
                indices, rest = [], place
                for size in reversed(family.dims):
                    rest, index = divmod(rest, size)
                    indices.append(index)
                self.kept.append((at + place, field(family, tuple(reversed(indices)))))
            at += family.size
        self.game = Symbolic(self.rules, "int")
        self.now = self.game.state("now")

    def invariant(self, clock: Clock) -> Expr | None:
        if not 0 < len(self.kept) <= CELLS:
            return None
        game, now = self.game, self.now
        relation, bad = z3.Function("holds", *(t.sort() for t in self._cells(now)), z3.BoolSort()), z3.Function("bad", z3.BoolSort())
        spacer = z3.Fixedpoint()
        spacer.set(engine="spacer", **{"spacer.random_seed": 0})
        left = clock.left()
        if left is not None:
            spacer.set("timeout", max(1, int(1000 * left)))
        for function in (relation, bad):
            spacer.register_relation(function)
        here = relation(*self._cells(now))
        given = z3.And(game.inside(now), game.expr(self.scene.given, now))
        self._rule(spacer, [given, *self._first()], here)
        for action in self.rules.actions:
            me, args = game.choice(action.name, "now")
            then = game.apply(action.name, now, me, args)
            self._step(spacer, relation, [given, here, game.legal(action.name, now, me, args), z3.Not(then.limit)], then.state)
        for _, trigger, values in firings(self.rules.triggers):
            after, limit = game.fire(trigger, values, now)
            self._step(spacer, relation, [given, here, z3.Not(game.terms.ref(limit))], after)
        self._rule(spacer, [given, here, z3.Not(game.expr(both(*self.claims), now))], bad())
        try:
            if spacer.query(bad()) != z3.unsat:
                return None
            return _read(spacer.get_cover_delta(-1, relation), [cell for _, cell in self.kept])
        except (KeyError, IndexError, z3.Z3Exception):  # an operation that the rule language does not have, or the time is over
            return None

    def _cells(self, state: SymbolicState) -> list[Any]:
        return [self.game.terms.ref(state.terms[n]) if state.terms[n].__class__ is not Number else self._number(state.terms[n]) for n, _ in self.kept]

    @staticmethod
    def _number(n: Number) -> Any:
        return z3.IntVal(n.lo) if n.ref is None else n.ref

    def _first(self) -> list[Any]:
        shut = {f.uid for f in self.rules.families if not self.scene.is_open(f.name)}
        known = self.game.known(self.scene.start)
        cells = zip(self.kept, self._cells(self.now), self._cells(known), strict=True)
        return [term == value for (_, cell), term, value in cells if cell.args[0].uid in shut]

    def _step(self, spacer: Any, relation: Any, body: Sequence[Any], after: SymbolicState) -> None:
        """A rule for a step; one that changes nothing which is kept is none."""
        cells = self._cells(after)
        if not all(new.eq(old) for new, old in zip(cells, self._cells(self.now), strict=True)):
            fresh = [z3.FreshConst(term.sort()) for term in cells]
            self._rule(spacer, [*body, *(x == term for x, term in zip(fresh, cells, strict=True))], relation(*fresh))

    @staticmethod
    def _rule(spacer: Any, body: Sequence[Any], head: Any) -> None:
        rule = z3.Implies(z3.And(*body), head)
        free = list(_constants(rule))
        spacer.add_rule(z3.ForAll(free, rule) if free else rule)


def _constants(term: Any) -> Sequence[Any]:
    """The variables of a term, each once."""
    found, seen, front = dict[int, Any](), set[int](), [term]
    while front:
        node = front.pop()
        if node.get_id() in seen:
            continue
        seen.add(node.get_id())
        if z3.is_const(node) and node.decl().kind() == z3.Z3_OP_UNINTERPRETED and node.decl().name() != "bad":
            found[node.get_id()] = node
        front += node.children()
    return list(found.values())


def _read(term: Any, cells: Sequence[Expr]) -> Expr:
    """A term over the cells as an expression. Raises KeyError for an operation that is not known."""
    if z3.is_var(term):
        return cells[int(z3.get_var_index(term))]
    if z3.is_int_value(term):
        return const(int(term.as_long()))
    parts = [_read(child, cells) for child in term.children()]
    made: Expr = _MAKE[term.decl().kind()](*parts)
    return made


_MAKE: Mapping[int, Any] = {
    z3.Z3_OP_TRUE: lambda: lift(True), z3.Z3_OP_FALSE: lambda: lift(False), z3.Z3_OP_AND: both, z3.Z3_OP_OR: either,
    z3.Z3_OP_NOT: lambda a: ~a, z3.Z3_OP_IMPLIES: lambda a, b: ~a | b, z3.Z3_OP_EQ: eq, z3.Z3_OP_ITE: ite,
    z3.Z3_OP_LE: lambda a, b: a <= b, z3.Z3_OP_LT: lambda a, b: a < b, z3.Z3_OP_GE: lambda a, b: a >= b, z3.Z3_OP_GT: lambda a, b: a > b,
    z3.Z3_OP_ADD: add, z3.Z3_OP_SUB: lambda a, *b: reduce(lambda x, y: x - y, b, a), z3.Z3_OP_UMINUS: lambda a: -a,
    z3.Z3_OP_MUL: lambda a, *b: reduce(lambda x, y: x * y, b, a),
}  # fmt: skip
