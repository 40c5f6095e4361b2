"""A turn of one player as a model of CP-SAT: decisions one after the other, each with its symbolic state."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from monjudge.model.language import NATURE, Expr, LimitReached, Move, RuleSet, State
from monjudge.solvers.engines.cpsat.rules import Query
from monjudge.solvers.engines.cpsat.terms import Number, SymbolicState, Term, Truth

__all__ = ["Turn"]

PASSES = 2
"""So many passes of the triggers are unrolled after each decision; the second has to change nothing."""


class _Option(NamedTuple):
    """An action at a step of the turn: whether it is taken, and with which parameters."""

    action: str
    taken: Truth
    args: tuple[Term, ...]


class Turn:
    """What a player can reach from a settled state by decisions of some actions, within the turn that it is.

    A line ends before chance, and before the player sees what was ``hidden`` (conditions, each for when a cell is
    seen). ``effort`` as in ``Query``.
    """

    def __init__(
        self, rules: RuleSet, player: int, state: State, actions: Sequence[str],
        hidden: Sequence[Expr] = (), effort: float | None = None,
    ) -> None:  # fmt: skip
        self.rules, self.player, self.actions, self.hidden = rules, player, actions, hidden
        self.query = Query(rules, effort)
        self.terms = self.query.terms
        cells = zip((f.is_bool for f in rules.families for _ in range(f.size)), state, strict=True)
        self.first = self.state = SymbolicState(self.terms.known(n, is_bool) for is_bool, n in cells)
        self.beyond: Truth = False
        """Whether a decision leads beyond a bound of the model, or to triggers that need more passes."""
        self.steps: list[list[_Option]] = []

    def greatest(self, quantity: Expr, moves: int) -> tuple[list[Move], int]:
        """A line of at most so many decisions to a state with the greatest value of a quantity, and that value.

        Raises LimitReached where the solver proves none, or a line leads beyond a bound.
        """
        going: Truth = True
        for _ in range(moves):
            self._step(going)
            going = self.terms.either([option.taken for option in self.steps[-1]])
        beyond = quantity.hi + 1
        goal = self.terms.ite(self.beyond, Number(beyond, beyond), self.query.term(quantity, self.state))
        self.terms.model.maximize(self.terms.linear(goal))
        answer = self.query.solve()
        if answer is None or not answer.optimal:
            raise LimitReached("CP-SAT proved no greatest value within its limit")
        value = answer.value(goal)
        if value == beyond:
            raise LimitReached(f"a bound of the model, or more than {PASSES} passes of triggers, lies within {moves} decisions")
        chosen = (option for options in self.steps for option in options if answer.value(option.taken))
        return [answer.move(option.action, self.player, option.args) for option in chosen], value

    def _step(self, going: Truth) -> None:
        """One decision more, or none; none at all where none was ``going`` before, so that a line is one assignment."""
        terms, query, now = self.terms, self.query, self.state
        options, cells = [], list(now.terms)
        for action in self.actions:
            _, args = query.choice(action)
            legal = terms.both((going, self._same_turn(now), query.legal(action, now, self.player, args)))
            if legal is False:
                continue
            taken = terms.variable(0, 1, True)
            terms.require(terms.either((terms.negate(taken), legal)))
            then = query.step(action, now, self.player, args, PASSES)
            self.beyond = terms.either((self.beyond, terms.both((taken, terms.either((then.limit, then.unsettled))))))
            for n, (before, after) in enumerate(zip(now.terms, then.state.terms, strict=True)):
                if before is not after:
                    cells[n] = terms.ite(taken, after, cells[n])
            options.append(_Option(action, taken, args))
        terms.model.add_at_most_one([option.taken for option in options])
        self.state = SymbolicState(cells)
        self.steps.append(options)
        for ends in (*self._chances(), *self._reveals(now)):
            terms.require(terms.either((terms.negate(ends), self.beyond)))

    def _same_turn(self, now: SymbolicState) -> Truth:
        if self.rules.turns is None:
            return True
        number = self.rules.turns.number
        return self.terms.eq(self.query.term(number, now), self.query.term(number, self.first))

    def _chances(self) -> Iterator[Truth]:
        """Whether each outcome of chance may happen now."""
        for action in (a for a in self.rules.actions if a.is_chance):
            for values in itertools.product(*(p.values for p in action.params)):
                args = [self.terms.known(n, p.var.is_bool) for n, p in zip(values, action.params, strict=True)]
                yield self.query.legal(action.name, self.state, NATURE, args)

    def _reveals(self, before: SymbolicState) -> Iterator[Truth]:
        """Whether the player sees each cell that was hidden before the step."""
        for seen in self.hidden:
            was, now = (self.query.term(seen, state) for state in (before, self.state))
            yield self.terms.both((now, self.terms.negate(was)))
