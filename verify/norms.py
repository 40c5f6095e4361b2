"""Whether the operational rules realise the norms they claim, on given states and moves.

A norm is a clause of the text taken literally (see ``Norm``). On a settled state and its
legal moves, within the scope of the norm and under the readings where it is claimed:

* a definition holds in every state; an obligation in every state, or at every legal move
  of the action it speaks of; a prohibition never does;
* an effect holds of every step;
* a permission is realised when some legal move of its action has its formula.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from monjudge.model.language import ME, Expr, Move, Norm, RuleSet, State, evaluate

__all__ = ["Breach", "NormReport", "check_norms"]


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
    """The breaches found, and how often each norm was met within its scope (never: vacuous)."""

    breaches: list[Breach] = field(default_factory=list)
    met: Counter[str] = field(default_factory=Counter)

    def vacuous(self, norms: Iterable[Norm]) -> list[str]:
        """The norms whose scope was never met."""
        return [n.id for n in norms if not self.met[n.id]]


def check_norms(rules: RuleSet, engine: Rules, states: Iterable[State], most: int = 20) -> NormReport:
    """Holds the norms that are claimed against the states and all their legal moves.

    Stops after ``most`` breaches. A norm whose ``claimed`` is not settled by the fixed
    readings is evaluated in each state.
    """
    report = NormReport()
    by_action: dict[str | None, list[Norm]] = {}
    for norm in rules.norms:
        by_action.setdefault(norm.on, []).append(norm)
    anywhere = by_action.get(None, [])
    in_states = [n for n in anywhere if n.kind != "effect"]
    on_steps = [n for n in anywhere if n.kind == "effect"]
    for state in states:
        _hold(report, rules, in_states, state, None, None)
        for move in engine.moves(state):
            norms = on_steps + by_action.get(move.action, [])
            after = engine.step(state, move) if any(n.kind == "effect" for n in norms) else None
            _hold(report, rules, norms, state, move, after)
        if len(report.breaches) >= most:
            break
    return report


def _hold(
    report: NormReport, rules: RuleSet, norms: Iterable[Norm], state: State, move: Move | None, after: State | None
) -> None:
    env = _environment(rules, move)
    for norm in norms:

        def value(expr: Expr) -> bool:
            return bool(evaluate(expr, state, env, rules.offset, after or ()))

        if not value(norm.claimed) or not value(norm.scope):
            continue
        holds = value(norm.formula)
        if norm.kind == "permission":
            report.met[norm.id] += holds
            continue
        report.met[norm.id] += 1
        if holds == (norm.kind == "prohibition"):
            report.breaches.append(Breach(norm.id, state, move, after))


def _environment(rules: RuleSet, move: Move | None) -> dict[str, int]:
    if move is None:
        return {}
    action = rules.by_name[move.action]
    return {ME: move.me, **dict(zip((p.name for p in action.params), move.args, strict=True))}
