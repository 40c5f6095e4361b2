"""All states that can be reached, looked at one by one by native code and the reference, where a walk has found no fault in them."""

from __future__ import annotations

from typing import Any, cast

from monjudge.model.language import Expr, Move, RuleSet, State, evaluate, parse_expr
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.verify.bounded import Walk, reference
from monjudge.verify.faults import Faults
from monjudge.verify.queries import Clock
from monjudge.verify.question import Property, ask

__all__ = ["all_states", "asked_of_moves", "is_seen"]

OF_MOVES, OF_EFFECTS = ("move", "legal", "deadlock"), ("constant", "commute")
"""The kinds that claim of each state that it shows no fault; and those that speak of single effects, which triggers may undo before a state is reached."""


def is_seen(kind: str, rules: RuleSet) -> bool:
    """Whether all faults of such a property show in the states that are reached."""
    return kind in OF_MOVES or (kind in OF_EFFECTS and not rules.triggers)


class _Plainly:
    """What a walk asks of the enumerator, answered by the reference."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules, self.engine = rules, reference(rules)

    def moves(self, state: State) -> list[Move]:
        return list(self.engine.moves(state))

    def moves_of(self, state: State, action: str) -> list[Move]:
        return [move for move in self.engine.moves(state) if move.action == action]

    def over(self, state: State) -> bool:
        return self.engine.over(state)

    def value(self, expr: Expr, state: State, env: dict[str, int] | None = None) -> int:
        return evaluate(expr, state, env, self.rules.offset)


def asked_of_moves(prop: Property) -> dict[str, Any]:
    """What a claim about all states says of a property of moves."""
    return {"kind": prop.kind, "on": prop.on, "premise": prop.premise, "formula": prop.formula, "measure": list(prop.measure),
            "among": list(prop.among), "apart": [list(pair) for pair in prop.apart], "settled": prop.settled}  # fmt: skip


def all_states(evidence: Evidence, scene: Scene) -> None:
    """Raises Refused where native code reaches other states, or one of them is not as is claimed."""
    from monjudge.solvers.engines.native import Native

    rules, claim = scene.rules, evidence.claim
    if any(scene.is_open(f.name) for f in rules.families) or list(scene.start) != claim.get("start"):
        raise Refused("play may begin elsewhere", "始まりがほかにもある")
    native = Native(rules)
    states = native.reachable_cells(native.settle(scene.start), 10 * claim["states"], [f.name for f in rules.families])
    bad = _bad(claim, scene)
    if len(states) != claim["states"] or any(bad(tuple(state)) for state in states):
        raise Refused("native code finds other states", "ネイティブコードでは状態が違う")


def _bad(claim: Any, scene: Scene) -> Any:
    """Whether a state is not as is claimed."""
    if "kind" not in claim:
        formula = parse_expr(claim["formula"], scene.scope())
        return lambda state: not evaluate(formula, state, None, scene.rules.offset)
    if not is_seen(claim["kind"], scene.rules):
        raise Refused("nothing of this kind is seen in single states", "この種類は状態ごとには確かめられない")
    prop = Property("", claim["kind"], claim["formula"], claim["premise"], claim["on"], measure=tuple(claim["measure"]), among=tuple(claim["among"]),
                    apart=tuple((one, other) for one, other in claim["apart"]), settled=claim["settled"])  # fmt: skip
    question, walk = ask(prop, scene), Walk(scene.rules, Clock())
    walk.moves = cast(Enumerator, _Plainly(scene.rules))
    faults = Faults(question, walk, question.claim if prop.kind == "move" else question.premise)
    return lambda state: any(True for _ in faults.of(state))
