"""Does play come to the same rest in whatever order some triggers fire?

After the effects of a move any of these triggers may fire that can, with any values of its loops; where none of them can,
the first of the others does. All orders are followed. Two that end in different states are shown, each as the list of its
firings. That there are none is proved as confluence: any two firings have one result in both orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from monjudge.model.language import (
    Action,
    Clause,
    Effect,
    Expr,
    LimitReached,
    Move,
    RuleSet,
    State,
    const,
    evaluate,
    parse_expr,
    substitute,
)
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.verdict import Verdict
from monjudge.verify.bounded import Walk, Walked
from monjudge.verify.invariants import firings
from monjudge.verify.outcome import Outcome
from monjudge.verify.queries import Clock
from monjudge.verify.question import Question

__all__ = ["Firings", "answer", "check"]

MOST = 2000
"""So many states are met on all the ways to rest from one state at most."""

LINES = 20
"""So many random lines are played."""

Order = tuple[str, ...]


class Firings:
    """The firings of triggers, each as a move of rules without triggers; those of the triggers ``among`` in any order."""

    def __init__(self, rules: RuleSet, among: Sequence[str]) -> None:
        self.rules = rules
        named = [(name, trigger.id in among or not among) for name, trigger, _ in firings(rules.triggers)]
        self.free = [name for name, free in named if free]
        self.others = [name for name, free in named if not free]

    @cached_property
    def engine(self) -> Reference:
        """One action for each firing."""
        actions = []
        for name, trigger, values in firings(self.rules.triggers):
            known = {str(v.args[0]): const(n) for v, n in zip(trigger.loops, values, strict=True)}
            effects = tuple(_with(effect, known) for effect in trigger.effects)
            actions.append(Action(name, None, (), (Clause(trigger.id, substitute(trigger.when, known)),), effects))
        return Reference(replace(self.rules, actions=tuple(actions), triggers=(), over=None, norms=(), turns=None, simultaneous=(), symmetries=()))

    @cached_property
    def effects(self) -> Reference:
        """The rules with the effects of moves alone."""
        return Reference(replace(self.rules, triggers=()))

    def fired(self, state: State, names: Sequence[str]) -> Iterator[tuple[str, State]]:
        """Those of the firings that can take place and change something, with what they make. Raises LimitReached."""
        for name in names:
            if self.engine.legal(state, Move(name, 0)):
                after = self.engine.step(state, Move(name, 0))
                if after != state:
                    yield name, after

    def next(self, state: State) -> list[tuple[str, State]]:
        """What may fire now: each of those in any order, or else the first of the others; nothing at rest."""
        return [*self.fired(state, self.free)] or [*self.fired(state, self.others)][:1]

    def rests(self, state: State) -> dict[State, Order]:
        """Every state of rest that some order leads to, with one such order. Raises LimitReached."""
        came: dict[State, Order] = {state: ()}
        front, found = [state], dict[State, Order]()
        for at in front:  # which grows
            follow = self.next(at)
            if not follow:
                found[at] = came[at]
            for name, after in follow:
                if after not in came:
                    came[after] = (*came[at], name)
                    front.append(after)
            if len(came) > MOST:
                raise LimitReached("there are too many orders of firing")
        return found


def _with(effect: Effect, known: dict[str, Expr]) -> Effect:
    return replace(effect, indices=tuple(substitute(i, known) for i in effect.indices), value=substitute(effect.value, known), when=substitute(effect.when, known))


@dataclass(frozen=True)
class Split:
    """A move after which two orders end differently."""

    move: Move
    orders: tuple[Order, Order]


def answer(question: Question, scene: Scene, clock: Clock, most: int) -> Outcome:
    """Whether after every move from a state with the premise all orders of the triggers ``among`` end alike."""
    seeker = _Seeker(question, scene, clock, most)
    walked = seeker.sought()
    if walked.line is None:
        why = Sentence(f"no two orders that end differently were found among {walked.states} states; not proved", f"{walked.states}状態の中に、結果の違う二つの順番は見つからない。証明はできていない")
        return Outcome(Verdict.UNKNOWN, why, bounds={"states": walked.states})
    split = seeker.split(walked.line.state)
    assert split is not None
    moves = len(walked.line.moves) + 1
    why = Sentence(f"after a line of {moves} moves two orders of the same firings end differently, made by the reference",
                   f"{moves}手のあと、誘発の順番によって結果が違う。参照エンジンで再現")  # fmt: skip
    claim = {"question": "two rests", "formula": question.prop.premise, "among": list(question.prop.among), "from": list(walked.line.start)}
    certificate = {"orders": [list(order) for order in split.orders], "confirmed": True}
    return Outcome(Verdict.NO, why, claim, (*walked.line.moves, split.move), certificate, {"horizon": moves})


class _Seeker:
    def __init__(self, question: Question, scene: Scene, clock: Clock, most: int) -> None:
        self.question, self.scene, self.clock, self.most = question, scene, clock, most
        self.walk, self.firings = Walk(scene.rules, clock), Firings(scene.rules, question.prop.among)

    def split(self, state: State) -> Split | None:
        """A move from a state with the premise after which the order matters."""
        for move in self.walk.moves.moves(state) if self.walk.moves.value(self.question.premise, state) else ():
            self.clock.left()
            try:
                orders = [*self.firings.rests(self.firings.effects.step(state, move)).values()]
            except LimitReached:
                continue
            if len(orders) > 1:
                return Split(move, (orders[0], orders[1]))
        return None

    def sought(self) -> Walked:
        """A line to such a state: the way that is told, the nearest one, or one that random play meets."""
        known, value = {"start": self.scene.start, **self.scene.positions}, self.walk.moves.value
        starts = [known[name] for name in self.question.prop.starts if name in known] or [*known.values()]
        found = Walked(None, 0, 0, False)
        if self.question.way or self.question.guide:
            stages = [*(lambda s, f=f: bool(value(f, s)) for f in self.question.way), lambda s: self.split(s) is not None]
            return self.walk.guided(starts[0], stages, lambda s: tuple(value(n, s) for n in self.question.guide), self.most)
        found = self.walk.breadth_first(starts[0], lambda s: self.split(s) is not None, self.most // 10)
        for seed in () if found.line is not None or found.complete else range(LINES):
            line = self.walk.at_random(starts[seed % len(starts)], lambda s: self.split(s) is not None, [seed])
            if line.line is not None:
                return line
        return found


def check(evidence: Evidence, scene: Scene, effort: float | None = None) -> tuple[int, int]:
    """Whether the line leads to where two orders, each made as the rules have it, end in different states of rest."""
    from monjudge.verify.recheck import origin

    claim, rules = evidence.claim, scene.rules
    state, engine = tuple(claim["from"]), Reference(rules)
    if origin(scene, state) is None:
        raise Refused("the line begins elsewhere", "手順の始まりが違う")
    *line, last = evidence.witness
    for number, move in enumerate((*line, last), 1):
        if engine.over(state) or not engine.legal(state, move):
            raise Refused(f"move {number} of the line is not legal", f"手順の{number}手目はできない")
        if number <= len(line):
            state = engine.step(state, move)
    if not evaluate(parse_expr(claim["formula"], scene.scope()), state, None, rules.offset):
        raise Refused("nothing is claimed of the state", "その状態については何も主張していない")
    fired = Firings(rules, claim["among"])
    ends = {_end(fired, fired.effects.step(state, last), order) for order in evidence.certificate["orders"]}
    if len(ends) != 2:
        raise Refused("the orders end alike", "どの順番でも結果は同じである")
    return 0, len(evidence.witness)


def _end(fired: Firings, state: State, order: Sequence[str]) -> State:
    """The state of rest that this order leads to. Raises Refused for a firing that may not take place."""
    for name in order:
        may = dict(fired.next(state))
        if name not in may:
            raise Refused(f"{name} cannot fire there", f"{name}はそこでは起きない")
        state = may[name]
    if fired.next(state):
        raise Refused("that is not at rest", "まだ誘発が残っている")
    return state
