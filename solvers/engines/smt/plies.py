"""Moves one after another as terms of z3: every action at every ply, from a state that is known or open.

A ply is one choice among all actions, merged cell by cell, and then the triggers: these are written down once a ply,
not once an action. After it every cell that can have changed gets a constant as narrow as what it can hold there; what
cannot have changed stays the same term. So a phase that cannot be reached by then takes its actions with it.

A slice has ``free`` fields: whatever is read of them is any value, one for each time that a rule is looked at. So every line of play whose
triggers come to rest in so many ``passes`` is among these lines, and others may be.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from monjudge.model.language import Expr, Family, Move, RuleSet, State, Trigger, children
from monjudge.solvers.engines.smt.rules import Scope, Symbolic
from monjudge.solvers.engines.smt.terms import Number, SymbolicState, Term, Truth, z3

__all__ = ["Plies"]


class _Sliced(Symbolic):
    """A rule set as terms in which what is read of the ``free`` fields is any value; ``within`` says of these that they are in their intervals."""

    def __init__(self, rules: RuleSet, numbers: str, free: Collection[str]) -> None:
        super().__init__(rules, numbers)
        self.within: list[Truth] = []
        self._free, self._reads, self._number = frozenset(free), dict[int, bool](), itertools.count()

    def reads(self, node: Expr) -> bool:
        """Whether the value may hang on a free field."""
        found = self._reads.get(node.uid)
        if found is None:
            found = self._reads[node.uid] = (node.op == "field" and node.args[0].name in self._free) or any(map(self.reads, children(node)))
        return found

    def any_value(self, node: Expr) -> Term:
        """A new constant for the value of an expression."""
        term = self.terms.variable(f"any.{next(self._number)}", node.lo, node.hi, node.is_bool)
        self.within.append(self.terms.within(term))
        return term

    def _scope(self, state: SymbolicState, env: Mapping[str, Any], after: SymbolicState | None = None) -> Scope:
        return _Loose(self, state, env)


class _Loose(Scope):
    """Where the rules of a slice are looked at once; what is built of truth values is looked into."""

    def __init__(self, game: _Sliced, now: SymbolicState, env: Mapping[str, Any]) -> None:
        super().__init__(game.terms, game.rules.offset, now, env)
        self.game, self.any = game, dict[Any, Term]()

    def term(self, node: Expr) -> Term:
        if not self.game.reads(node):
            return super().term(node)
        if node.op in ("and", "or", "not", "ite"):
            return getattr(self, f"_{node.op}")(node, *node.args)
        key = (node.uid, *((name, self.bound[name]) for name in sorted(node.free) if name in self.bound))
        if key not in self.any:
            self.any[key] = self.game.any_value(node)
        return self.any[key]


class Plies:
    """The plies of a rule set from one state on; ``states`` has the state before each, and the last.

    ``asserted`` is what holds of them: of the beginning, then of each ply. Where play begins is ``start``, and the fields ``open`` hold
    anything there. ``numbers`` as in ``Symbolic``.
    """

    def __init__(
        self, rules: RuleSet, start: State, open: frozenset[str] = frozenset(), numbers: str = "bv", passes: int = 2, free: frozenset[str] = frozenset()
    ) -> None:
        self.rules, self.passes = rules, passes
        self.game = _Sliced(rules, numbers, free)
        self.terms = self.game.terms
        self.families = [(family, place) for family in rules.families for place in range(family.size)]
        self._chosen: list[tuple[Number, dict[int, tuple[str, Term, tuple[Term, ...]]]]] = []
        self.states: list[SymbolicState] = []
        self.fired: list[list[tuple[Trigger, Truth]]] = []
        self.asserted: list[Any] = []
        self.begin = self._anything(self.game.known(start), open, truths := list[Truth]())
        self._come_to(self.begin, truths, "rest")

    def ply(self) -> Any:
        """One ply more: what is asserted of it."""
        number, state, terms, truths = len(self._chosen), self.states[-1], self.terms, list[Truth]()
        which = terms.variable(f"which.{number}", 0, len(self.rules.actions) - 1)
        truths += [terms.within(which), _plain(z3.Not(self.game.over(state)))]
        cells, options = list(state.terms), dict[int, tuple[str, Term, tuple[Term, ...]]]()
        for n, action in enumerate(self.rules.actions):
            me, args = self.game.choice(action.name, f"ply.{number}")
            chosen = terms.eq(which, terms.known(n))
            legal = terms.both(_plain(truth) for _, truth in self.game.conditions(action.name, state, me, args))
            if legal is False:
                truths.append(terms.negate(chosen))
                continue
            options[n] = action.name, me, args
            then = self.game.apply(action.name, state, me, args)
            fits = terms.both([legal, _plain(self.game.domain(action.name, me, args)), terms.negate(_plain(then.limit))])
            truths.append(terms.either([terms.negate(chosen), fits]))
            for cell, (old, new) in enumerate(zip(state.terms, then.state.terms, strict=True)):
                if old is not new:
                    cells[cell] = terms.ite(chosen, new, cells[cell])
        self._chosen.append((which, options))
        return self._come_to(SymbolicState(cells), truths, f"ply.{number}")

    def moves(self, model: Any) -> list[Move]:
        """The moves in a model of z3."""
        found = []
        for which, options in self._chosen:
            action, me, args = options[self.terms.read(model, which)]
            found.append(self.game.model_move(model, action, me, args))
        return found

    def fire(self, model: Any, ply: int) -> set[str]:
        """The triggers that fire after this ply in a model (0: where play begins)."""
        return {t.id for t, when in self.fired[ply] if when is True or z3.is_true(model.eval(self.terms.ref(when), model_completion=True))}

    def at_rest(self, ply: int) -> Any:
        """That a whole pass of the triggers leaves the state after this ply (0: where play begins): so it is, and few questions hang on it.

        Not that each trigger does: one may undo what another does.
        """
        state = self.states[ply]
        for trigger, values in self._firings():
            state, _ = self.game.fire(trigger, values, state)
        return self._together([_plain(self.game.equal(self.states[ply], state))])

    def _together(self, truths: list[Truth]) -> Any:
        """All of these as a term, with what is to hold of the values that are new."""
        made, self.game.within = self.game.within, []
        return self.terms.ref(self.terms.both(map(_plain, [*truths, *made])))

    def _come_to(self, state: SymbolicState, truths: list[Truth], name: str) -> Any:
        """The triggers after a state, and what is asserted of it so far."""
        self.fired.append([])
        for number in range(self.passes if self.rules.triggers else 0):
            before = state = self._named(state, f"{name}.{number}", truths)
            for trigger, values in self._firings():
                state = self._fire(trigger, values, state, truths)
            if state is before:
                break
        self.states.append(self._named(state, f"{name}.end", truths))
        self.asserted.append(self._together(truths))
        return self.asserted[-1]

    def _fire(self, trigger: Trigger, values: tuple[int, ...], state: SymbolicState, truths: list[Truth]) -> SymbolicState:
        after, limit = self.game.fire(trigger, values, state)
        if after is not state:
            truths.append(self.terms.negate(limit))
            self.fired[-1].append((trigger, self.terms.negate(_plain(self.game.equal(state, after)))))
        return after

    def _firings(self) -> Iterator[tuple[Trigger, tuple[int, ...]]]:
        for trigger in self.rules.triggers:
            for values in itertools.product(*(range(v.lo, v.hi + 1) for v in trigger.loops)):
                yield trigger, values

    def _anything(self, state: SymbolicState, names: Collection[str], truths: list[Truth]) -> SymbolicState:
        """The state with a constant for each cell of these fields."""
        cells = list(state.terms)
        for cell, (family, place) in enumerate(self.families):
            if family.name in names:
                cells[cell] = self._constant(family, place, family.lo, family.hi, "begin")
                truths.append(self.terms.within(cells[cell]))
        return SymbolicState(cells)

    def _named(self, state: SymbolicState, prefix: str, truths: list[Truth]) -> SymbolicState:
        """The same state, with a constant for each cell that is more than one; a cell that is known stays so."""
        cells = list[Term]()
        for (family, place), term in zip(self.families, state.terms, strict=True):
            if term.__class__ is bool or (term.__class__ is Number and term.ref is None) or self.terms.ref(term).num_args() == 0:
                cells.append(term)
                continue
            lo, hi = (term.lo, term.hi) if term.__class__ is Number else (0, 1)
            cells.append(self._constant(family, place, lo, hi, prefix))
            truths += [self.terms.eq(cells[-1], term), self.terms.within(cells[-1])]
        return SymbolicState(cells)

    def _constant(self, family: Family, place: int, lo: int, hi: int, prefix: str) -> Term:
        return self.terms.variable(f"{prefix}.{family.name}[{place}]", lo, hi, family.is_bool)


def _plain(truth: Truth) -> Truth:
    """A truth value that is known as what it is."""
    if truth.__class__ is not bool and (z3.is_true(truth) or z3.is_false(truth)):
        return z3.is_true(truth)
    return truth
