"""Claims about what can be forced, decided for every position of a declared family by the solver, with certificates.

A family is a position with some cells varied over ranges, all combinations. ``forced`` is decided in each of its
settled positions, ``changed`` in the same position after a change. Each decision has its own certificate, a strategy
or a refutation, which the reference follows without the solver.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from monjudge.model.language import Expr, LimitReached, Move, RuleSet, State, TextError, evaluate, parse_expr
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused, Successors, check
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.forced import Limits, Search, evidence
from monjudge.solvers.strict import strict
from monjudge.solvers.verdict import Verdict
from monjudge.verify.bounded import reference
from monjudge.verify.outcome import Outcome, Vacuous
from monjudge.verify.queries import Clock
from monjudge.verify.question import FORCES, Property, Question

__all__ = ["Family", "Ruled", "answer", "decide", "family_checked", "positions_of"]

FORCED, CHANGED = FORCES


MOST = 20_000
"""So many positions are looked at for one claim."""


@dataclass(frozen=True)
class Family:
    """The positions of which a property speaks, each with the changed one (itself where nothing is changed)."""

    pairs: tuple[tuple[State, State], ...]
    goal: Expr


def positions_of(scene: Scene, starts: Mapping[str, State], prop: Property) -> Family:
    """The settled positions of a family; of those with a change the ones in which it fits and leads to a settled one.

    Raises TextError for a cell or value that cannot be read, LimitReached where there are more than ``MOST``.
    """
    rules, engine = scene.rules, reference(scene.rules)
    if prod((len(starts), *(max(0, most - least + 1) for _, least, most in prop.vary))) > MOST:
        raise LimitReached(f"the family has more than {MOST} positions")
    spans = [[(_cell(scene, text), value) for value in range(least, most + 1)] for text, least, most in prop.vary]
    changes = [(_cell(scene, text), parse_expr(to, scene.scope())) for text, to in prop.change]
    found: dict[tuple[State, State], None] = {}
    for base in starts.values():
        for chosen in itertools.product(*spans):
            state = _with(rules, base, chosen)
            other = state and _with(rules, state, [(n, evaluate(to, state, None, rules.offset)) for n, to in changes])
            if state is not None and other is not None and _settled(engine, state) and _settled(engine, other):
                found[state, other] = None
    return Family(tuple(found), parse_expr(prop.goal, scene.scope()))


def _cell(scene: Scene, text: str) -> int:
    node = parse_expr(text, scene.scope())
    if node.op != "field" or node.args[1] or not all(i.is_const for i in node.args[2:]):
        raise TextError("a cell of a field is needed", "フィールドの一つの値が必要", text, 0)
    return scene.rules.cell(node.args[0].name, *(i.value for i in node.args[2:]))


def _with(rules: RuleSet, state: State, values: Sequence[tuple[int, int]]) -> State | None:
    """The state with these cells; None where a value does not fit."""
    cells = list(state)
    for n, value in values:
        low, high = rules.bounds[n]
        if not low <= value <= high:
            return None
        cells[n] = value
    return tuple(cells)


def _settled(engine: Reference, state: State) -> bool:
    try:
        return not engine.over(state) and engine.settle(state) == state
    except LimitReached:
        return False


@dataclass(frozen=True)
class Ruled:
    """What was decided: in how many positions the premise holds, and the first one that breaks the claim.

    ``decided`` gives for each position that was asked about its evidence, as text.
    """

    positions: int
    fault: tuple[State, State] | None
    decided: Mapping[State, str]


def decide(scene: Scene, asked: Family, prop: Property, premise: Expr, formula: Expr, clock: Clock, nodes: int) -> Ruled:
    """Decides every position. Raises LimitReached where the solver does not decide one."""
    if scene.rules.simultaneous:
        raise LimitReached("what is forced where decisions are hidden has no certificate")
    search = Search(scene.rules, asked.goal, prop.player)
    decided: dict[State, str] = {}

    def forced(state: State) -> int:
        if state not in decided:
            answer = search.answer(state, prop.turns, Limits(nodes=nodes, seconds=clock.left()))
            if answer.verdict is Verdict.UNKNOWN:
                raise LimitReached("the solver does not decide a position")
            decided[state] = evidence(search, answer).to_json()
        return int(json.loads(decided[state])["claim"]["answer"] == "yes")

    offset, positions = scene.rules.offset, 0
    for state, other in asked.pairs:
        if evaluate(premise, state, None, offset):
            positions += 1
            names = {name: place for name, place in ((FORCED, state), (CHANGED, other)) if name in formula.free}
            if not evaluate(formula, state, {name: forced(place) for name, place in names.items()}, offset):
                return Ruled(positions, (state, other), {place: decided[place] for place in names.values()})
    return Ruled(positions, None, decided)


def _steps(rules: RuleSet) -> Successors:
    """The moves that the enumerator lists, made by the reference; compiled once for all certificates."""
    moves, engine = Enumerator(rules), Reference(rules)

    def step(state: State, move: Move) -> State | None:
        try:
            return engine.step(state, move)
        except LimitReached:
            return None

    return lambda state: [(move, step(state, move)) for move in moves.moves(state)]


def answer(question: Question, scene: Scene, clock: Clock, most: int) -> Outcome:
    """Whether the claim holds in every position of its family; in each the solver has a hundred times as many positions as a walk may see.

    Raises DataError for cells that cannot be read, Vacuous for a family about nothing, LimitReached where the solver does not decide a position.
    """
    prop, known = question.prop, {"start": scene.start, **scene.positions, **scene.made}
    try:
        asked = positions_of(scene, {name: known[name] for name in prop.starts if name in known} or known, prop)
    except TextError as error:
        raise DataError([Defect(prop.id, Sentence(str(error), f"{error.line}行{error.column}字目：{error.ja}"), "wrong-value")]) from error
    ruled = decide(scene, asked, prop, question.premise, question.formula, clock, 100 * most)
    if not ruled.positions:
        raise Vacuous("no position of the family meets the premise", "前件を満たす局面がない")
    claim = {"question": "forcing", "premise": prop.premise, "formula": prop.formula, "goal": prop.goal, "player": prop.player,
             "turns": prop.turns, "starts": list(prop.starts), "vary": [list(v) for v in prop.vary], "change": [list(c) for c in prop.change],
             "fault": None if ruled.fault is None else [list(state) for state in ruled.fault]}  # fmt: skip
    certificate, bounds = {"answers": list(ruled.decided.values())}, {"positions": len(asked.pairs)}
    if ruled.fault is not None:
        why = Sentence("it fails in a position, with certificates", "成り立たない局面がある（証明書つき）")
        return Outcome(Verdict.NO, why, claim, certificate=certificate, bounds=bounds)
    why = Sentence(f"all {ruled.positions} positions of the family, by {len(ruled.decided)} certificates that the reference follows",
                   f"族の{ruled.positions}局面すべて。証明書{len(ruled.decided)}個を参照エンジンで確認")  # fmt: skip
    return Outcome(Verdict.YES, why, claim, certificate=certificate, bounds=bounds)


def family_checked(scene: Scene, told: Evidence, premise: Expr, formula: Expr, asked: Family) -> int:
    """How many positions of the family the certificates bear out; the solver that found them is not asked. Raises Refused."""
    claim, answers, steps = told.claim, dict[State, bool](), _steps(strict(scene.rules))
    for text in told.certificate["answers"]:
        part = Evidence.from_json(text)
        if (part.claim["goal"], part.claim["player"], part.claim["turns"]) != (repr(asked.goal), claim["player"], claim["turns"]):
            raise Refused("a certificate answers another question", "別の問いの証明書がある")
        check(part, scene.rules, asked.goal, steps)
        answers[tuple(part.claim["state"])] = part.claim["answer"] == "yes"
    if claim["fault"] is None:
        met = [*_met(scene, asked, premise)]
        if not met or not all(_holds(scene, pair, formula, answers) for pair in met):
            raise Refused("a position breaks the claim, or it is about none", "主張を破る局面があるか、対象の局面がない")
    if claim["fault"] is not None:
        pair = tuple(map(tuple, claim["fault"]))
        if pair not in asked.pairs or not evaluate(premise, pair[0], None, scene.rules.offset) or _holds(scene, pair, formula, answers):
            raise Refused("the position does not break the claim", "その局面は主張を破らない")
    return len(answers)


def _met(scene: Scene, asked: Family, premise: Expr) -> Iterator[tuple[State, State]]:
    return ((s, t) for s, t in asked.pairs if evaluate(premise, s, None, scene.rules.offset))


def _holds(scene: Scene, pair: tuple[State, State], formula: Expr, answers: Mapping[State, bool]) -> bool:
    names = {name: place for name, place in zip((FORCED, CHANGED), pair, strict=True) if name in formula.free}
    if not all(place in answers for place in names.values()):
        raise Refused("a position has no certificate", "証明書のない局面がある")
    env: dict[str, Any] = {name: int(answers[place]) for name, place in names.items()}
    return bool(evaluate(formula, pair[0], env, scene.rules.offset))
