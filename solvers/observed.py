"""The moves of a position as one player can know them: only what the rules show him is read.

Every cell that the player does not see is blanked before anything is asked, so that an answer
cannot depend on it. A condition that reads such a cell is left open, and the move is *possible*
instead of certain. Which of the hidden cards another player takes is unknown, not listed.

>>> from monjudge.model.small.rock_paper_scissors import rock_paper_scissors
>>> rules = rock_paper_scissors()
>>> [len(Observed(rules, rules.start, viewer).moves()) for viewer in (0, 1)]
[6, 6]
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from monjudge.model.language import (
    FALSE,
    ME,
    NATURE,
    TRUE,
    Action,
    Clause,
    Expr,
    Family,
    Move,
    RuleSet,
    State,
    both,
    eq,
    evaluate,
    lift,
    lt,
    negate,
    substitute,
    var,
    walk,
)
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.enumerator_text import conjuncts, written_out

__all__ = ["Observed", "Seen"]


@dataclass(frozen=True)
class Seen:
    """A move as a player knows it: an unknown parameter is None; ``certain`` says whether its legality is known."""

    action: str
    me: int
    args: tuple[int | None, ...]
    certain: bool

    @property
    def move(self) -> Move | None:
        """The move, where all of it is known."""
        known = [n for n in self.args if n is not None]
        return Move(self.action, self.me, tuple(known)) if len(known) == len(self.args) else None


class Observed:
    """A settled state through the eyes of player ``viewer`` (from 0). Raises ValueError for a player who does not exist."""

    def __init__(self, rules: RuleSet, state: State, viewer: int) -> None:
        if not 0 <= viewer < rules.players:
            raise ValueError(f"{rules.name} has the players 0..{rules.players - 1}, not {viewer}")
        self.rules, self.viewer = rules, viewer
        self.hidden = frozenset(_hidden(rules, state, viewer))
        self.state: State = tuple(rules.start[n] if n in self.hidden else value for n, value in enumerate(state))

    def moves(self) -> list[Seen]:
        """What can be done as far as the player can know, each once: actions as declared, then players, then arguments."""
        found: list[Seen] = []
        for action in self.rules.actions:
            for me in (NATURE,) if action.is_chance else range(self.rules.players):
                found += dict.fromkeys(self._moves(action, me))
        return found

    def _moves(self, action: Action, me: int) -> Iterator[Seen]:
        known, open = self._conditions(action, me)
        if any(condition is FALSE for condition in known):
            return
        unclear = set().union(*map(self._picks_hidden, open)) if me != self.viewer else set()
        hidden = [p.name in unclear for p in action.params]
        # A parameter that is not shown, and of which nothing is known, need not be gone through.
        read = set().union(*(c.free for c in known))
        params = tuple(
            dataclasses.replace(p, var=var(p.name, p.var.lo, p.var.lo, p.var.is_bool)) if unseen and p.name not in read else p
            for p, unseen in zip(action.params, hidden, strict=True)
        )
        # Who moves is settled in the conditions: the enumerator has one player to go through.
        alone = Action(action.name, None, params, (Clause("known", both(*known)),), ())
        rules = dataclasses.replace(self.rules, actions=(alone,), over=None, players=1)
        for move in Enumerator(rules).moves(self.state):
            args = tuple(None if unseen else n for n, unseen in zip(move.args, hidden, strict=True))
            yield Seen(action.name, me, args, not open)

    def _conditions(self, action: Action, me: int) -> tuple[list[Expr], list[Expr]]:
        """What can be asked of the cells that are seen, and what cannot."""
        asked = [clause.expr for clause in action.clauses]
        if self.rules.over is not None:
            asked.append(negate(self.rules.over.expr))
        if action.weight is not None:
            asked.append(lt(0, action.weight))
        elif action.by is not None:
            asked.append(eq(action.by, me))
        known: list[Expr] = []
        open: list[Expr] = []
        for whole in asked:
            for part in conjuncts(written_out(substitute(whole, {ME: me}))):
                told = substitute(part, {}, self._told)
                if told is not TRUE:
                    (open if self._reads_hidden(told) else known).append(told)
        return known, open

    def _told(self, family: Family, at: int, indices: tuple[Expr, ...]) -> Expr | None:
        """The value of a cell that is seen, where it is clear which cell it is."""
        if not all(index.is_const for index in indices):
            return None
        place = family.place([int(index.value) for index in indices])
        if place is None or self.rules.offset[family.name] + place in self.hidden:
            return None
        value = self.state[self.rules.offset[family.name] + place]
        return lift(bool(value) if family.is_bool else value)

    def _reads_hidden(self, expr: Expr) -> bool:
        return any(not self.hidden.isdisjoint(self._cells(n.args[0], n.args[2:])) for n in walk(expr) if n.op == "field")

    def _picks_hidden(self, expr: Expr) -> set[str]:
        """The variables that pick one of several cells of which none is seen."""
        cells = (n for n in walk(expr) if n.op == "field" and self.hidden.issuperset(self._cells(n.args[0], n.args[2:])))
        return {name for node in cells for index in node.args[2:] for name in index.free}

    def _cells(self, family: Family, indices: Sequence[Expr]) -> Iterator[int]:
        """The places of all cells that the indices may mean."""
        spans = (range(max(i.lo, 0), min(i.hi, d - 1) + 1) for i, d in zip(indices, family.dims, strict=True))
        for at in itertools.product(*spans):
            place = family.place(at)
            assert place is not None, "the spans lie within the axes"
            yield self.rules.offset[family.name] + place


def _hidden(rules: RuleSet, state: State, viewer: int) -> Iterator[int]:
    """The places of the cells that the player does not see."""
    for name, seen in rules.visible.items():
        family, offset = rules.family_named[name], rules.offset[name]
        for place, at in enumerate(itertools.product(*map(range, family.dims))):
            env = {"viewer": viewer, **{f"x{n}": index for n, index in enumerate(at)}}
            if not evaluate(seen, state, env, rules.offset):
                yield offset + place
