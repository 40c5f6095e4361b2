"""Whether the operational rules realise the norms they claim, on given states and moves.

A norm is a clause of the text taken literally (see ``Norm``). On a settled state and its
legal moves, within the scope of the norm and under the readings where it is claimed:

* a definition holds in every state; an obligation in every state, or at every legal move
  of the action it speaks of; a prohibition never does;
* an effect holds of every step;
* a permission is realised when some legal move of its action has its formula.

The norms are compiled like clauses, over a state and the next one side by side (``abreast``).
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from monjudge.model.language import (
    FALSE,
    Action,
    Clause,
    Expr,
    Family,
    LimitReached,
    Move,
    Norm,
    RuleSet,
    State,
    substitute,
)
from monjudge.model.language import field as cell
from monjudge.solvers.engines.reference import Reference

__all__ = ["Breach", "NormReport", "Norms", "abreast", "check_norms"]


class Rules(Protocol):
    """What the check needs of an engine."""

    def moves(self, state: State) -> list[Move]: ...

    def step(self, state: State, move: Move) -> State: ...


@dataclass(frozen=True, slots=True)
class Breach:
    """A state (and move) in which the operational rules and the literal clause disagree."""

    norm: str
    state: State
    move: Move | None
    after: State | None = None


@dataclass
class NormReport:
    """The breaches found, and how often each norm was met within its scope (never: vacuous).

    ``met`` counts by the position of the norm in the rule set. A permission is met by a move that it permits.
    """

    norms: Sequence[Norm]
    breaches: list[Breach] = field(default_factory=list)
    met: Counter[int] = field(default_factory=Counter)

    def vacuous(self) -> list[str]:
        """The ids of norms that were never met, in the order of the rule set."""
        return list(dict.fromkeys(n.id for at, n in enumerate(self.norms) if not self.met[at]))


def abreast(rules: RuleSet) -> Callable[[Expr], Expr]:
    """The map of an expression over this state and the next to one over a single state, the next one's cells last.

    The state that belongs to it is ``state + after``.
    """
    nexts = {f.uid: _next(f) for f in rules.families}

    def one_state(family: Family, at: int, indices: tuple[Expr, ...]) -> Expr | None:
        return cell(nexts[family.uid], indices) if at else None

    return lambda expr: substitute(expr, {}, one_state)


def _next(family: Family) -> Family:
    return Family.of(
        f"next.{family.name}", family.dims, family.lo, family.hi, is_bool=family.is_bool, default=family.default,
        init=family.init, axes=family.axes, labels=family.labels,
    )  # fmt: skip


class Norms:
    """The norms of a rule set, compiled: ``scope`` and ``holds`` of each over a state, a move and the next state."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        flat = abreast(rules)
        actions = []
        for at, norm in enumerate(rules.norms):
            params = rules.by_name[norm.on].params if norm.on is not None else ()
            scope = flat(norm.claimed & norm.scope)
            for part, expr in (("scope", scope), ("holds", flat(norm.formula))):
                actions.append(Action(f"{part}{at}", None, params, (Clause(part, expr),), ()))
        families = (*rules.families, *(_next(f) for f in rules.families))
        self._engine = Reference(dataclasses.replace(
            rules, families=families, actions=tuple(actions), triggers=(), over=None, payoffs=(), norms=(), turns=None,
        ))  # fmt: skip
        self._tests: dict[int, tuple[Callable[..., bool], Callable[..., bool]]] = {}
        self._by_action: dict[str | None, list[int]] = {}
        for at, norm in enumerate(rules.norms):
            if norm.claimed is not FALSE:
                self._by_action.setdefault(norm.on, []).append(at)

    def hold(self, report: NormReport, state: State, move: Move | None, after: State | None) -> None:
        """Puts into the report what the norms say of a state, or of a move and the state after it.

        Without the state after it (a bound of the model was passed) the effects of a move are not looked at.
        """
        both = state + (after if after is not None else state)
        me, args = (0, ()) if move is None else (move.me, move.args)
        for at in self._about(move):
            norm = self.rules.norms[at]
            if norm.kind == "effect" and after is None:
                continue
            values = (both, me, *args) if norm.on is not None else (both, me)
            within, follows = self._test(at)
            if not within(*values):
                continue
            holds = follows(*values)
            if norm.kind == "permission":
                report.met[at] += holds
                continue
            report.met[at] += 1
            if holds == (norm.kind == "prohibition"):
                report.breaches.append(Breach(norm.id, state, move, after))

    def _test(self, at: int) -> tuple[Callable[..., bool], Callable[..., bool]]:
        """Scope and formula of a norm as functions."""
        if at not in self._tests:
            self._tests[at] = self._engine.guard(f"scope{at}"), self._engine.guard(f"holds{at}")
        return self._tests[at]

    def _about(self, move: Move | None) -> list[int]:
        """The norms that speak of the move (steps included), or of states when there is none."""
        anywhere = [at for at in self._by_action.get(None, ()) if (self.rules.norms[at].kind == "effect") == (move is not None)]
        return anywhere + (self._by_action.get(move.action, []) if move is not None else [])


def check_norms(
    rules: RuleSet, engine: Rules, states: Iterable[State], most: int = 20, norms: Norms | None = None
) -> NormReport:
    """Holds the norms that are claimed against the states and all their legal moves.

    Stops after ``most`` breaches. A norm whose ``claimed`` is not settled by the fixed
    readings is evaluated in each state. ``norms`` are those of ``rules``, if compiled before.
    """
    norms = norms or Norms(rules)
    report = NormReport(rules.norms)
    for state in states:
        norms.hold(report, state, None, None)
        for move in engine.moves(state):
            norms.hold(report, state, move, _after(engine, state, move))
        if len(report.breaches) >= most:
            break
    return report


def _after(engine: Rules, state: State, move: Move) -> State | None:
    try:
        return engine.step(state, move)
    except LimitReached:
        return None
