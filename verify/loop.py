"""Play that goes round in a circle: a line that comes back to a state in which it was, shown as stem and circle.

States are compared without the fields that are named as ``counters`` (the number of the turn, say). A circle that moves
these on is made again and again by the reference, until they stand still or reach the bound of the model: so it
does not end because of them. That there is none is said only after exhaustion, by two engines, each with its own search
for circles in the graph of all states; where a measure is given, termination is proved instead.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from monjudge.model.language import LimitReached, Move, RuleSet, State, evaluate, parse_expr
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.verdict import Verdict
from monjudge.verify.bounded import Line, Walk
from monjudge.verify.outcome import Outcome
from monjudge.verify.queries import Clock
from monjudge.verify.question import Question

__all__ = ["answer", "check", "rounds"]

ROUNDS = 10_000
"""So often a circle is made again at most."""

SEEDS = 8
"""So many random lines are followed to states from which a circle is sought."""

Test = Callable[[State], bool]
Graph = Mapping[State, Sequence[tuple[Move, State]]]
"""The states that can be reached, in the order of their distance, with their moves and where these lead."""


class Bare:
    """States without the cells that only count on."""

    def __init__(self, rules: RuleSet, counters: Iterable[str]) -> None:
        gone = {rules.offset[name] + n for name in counters for n in range(rules.family_named[name].size)}
        self.kept = [n for n in range(rules.size) if n not in gone] if gone else None

    def __call__(self, state: State) -> State:
        return state if self.kept is None else tuple([state[n] for n in self.kept])


@dataclass(frozen=True)
class Loop:
    """A line to a state and the moves that lead back to it, as often as was tried; ``still``: for ever."""

    stem: Line
    moves: tuple[Move, ...]
    rounds: int
    still: bool


def rounds(rules: RuleSet, state: State, moves: Sequence[Move], bare: Bare, within: Test) -> tuple[int, bool] | None:
    """How often the moves lead back from a state to one like it, and whether in the end to the very same, by the reference.

    They are made until the counters stand still or pass the bound of the model. None where it is no circle at all.
    """
    engine, made = Reference(rules), 0
    first = bare(state)
    while made < ROUNDS:
        after = state
        try:
            for move in moves:
                if not within(after) or engine.over(after) or not engine.legal(after, move):
                    return None
                after = engine.step(after, move)
        except LimitReached:
            break
        if bare(after) != first or not moves:
            return None
        made += 1
        if after == state:
            return made, True
        state = after
    return (made, False) if made else None


def answer(question: Question, scene: Scene, clock: Clock, most: int) -> Outcome:
    """Whether play can go round in a circle, all of whose states meet the premise."""
    seeker = _Seeker(question, scene, clock, most)
    claim: dict[str, Any] = {"premise": question.prop.premise, "counters": list(question.prop.counters)}
    found = seeker.sought()
    if found is not None:
        return _shown(found, claim)
    bounds = {"states": seeker.states}
    if seeker.exhausted:
        claim |= {"question": "no loop", "start": list(scene.start), "states": seeker.states}
        why = Sentence(f"none of the {seeker.states} states that can be reached comes again, by two engines",
                       f"到達しうる{seeker.states}状態のどれも二度は現れない。二つのエンジンで確認")  # fmt: skip
        return Outcome(Verdict.YES, why, claim, bounds={"horizon": "unlimited"}, engines=("llvmlite",))
    why = Sentence(f"no circle was found among {seeker.states} states", f"{seeker.states}状態の中に循環は見つからない")
    return Outcome(Verdict.UNKNOWN, why, bounds=bounds)


def _shown(found: Loop, claim: Mapping[str, Any]) -> Outcome:
    stem, circle, apart = len(found.stem.moves), len(found.moves), ", ".join(claim["counters"])
    again = "" if found.still and found.rounds == 1 else f", {found.rounds} times" + (" and then for ever" if found.still else ", as often as the model counts")
    nochmal = "" if found.still and found.rounds == 1 else f"（{found.rounds}回、" + ("その先は永遠に）" if found.still else "模型が数えられる限り）")
    why = Sentence(f"a line of {stem} moves, then {circle} moves that lead back{f' (but for {apart})' if apart else ''}{again}; made by the reference",
                   f"{stem}手のあと、{circle}手で{f'（{apart}を除いて）' if apart else ''}元の状態に戻る{nochmal}。参照エンジンで再現")  # fmt: skip
    told = {**claim, "question": "loop", "from": list(found.stem.start), "stem": stem, "rounds": found.rounds, "still": found.still}
    return Outcome(Verdict.NO, why, told, (*found.stem.moves, *found.moves), {"confirmed": True}, {"stem": stem, "circle": circle})


class _Seeker:
    """The search for one circle."""

    def __init__(self, question: Question, scene: Scene, clock: Clock, most: int) -> None:
        self.question, self.scene, self.clock, self.most = question, scene, clock, most
        self.rules, self.walk = scene.rules, Walk(scene.rules, clock)
        self.bare = Bare(scene.rules, question.prop.counters)
        self.states, self.exhausted = 0, False

    def within(self, state: State) -> bool:
        return bool(self.walk.moves.value(self.question.premise, state))

    def sought(self) -> Loop | None:
        """A circle from one of the starts: along the way that is told, among all states, or along random lines."""
        from monjudge.verify.beginnings import others

        known = {"start": self.scene.start, **self.scene.positions, **others(self.scene, self.scene.start, None)}
        starts = [known[name] for name in self.question.prop.starts if name in known] or [*known.values()]
        if self.question.way or self.question.guide:
            return next(filter(None, map(self._guided, starts)), None)
        graph, complete = self._graph(starts[0])
        found = self._in_graph(graph)
        alone = len(starts) == 1 and starts[0] == self.scene.start and not any(self.scene.is_open(f.name) for f in self.rules.families)
        self.exhausted = found is None and complete and alone and not _round(_within(graph, self.within), self.bare)
        if found is None and not complete:
            found = next(filter(None, (self._at_random(start, seed) for seed in range(SEEDS) for start in starts)), None)
        return found

    def _guided(self, start: State) -> Loop | None:
        value = self.walk.moves.value
        stages: list[Test] = [*(lambda s, f=f: bool(value(f, s)) for f in self.question.way), self.within]
        walked = self.walk.guided(start, stages, lambda s: tuple(value(n, s) for n in self.question.guide), self.most)
        self.states += walked.states
        return None if walked.line is None else self._from(walked.line)

    def _at_random(self, start: State, seed: int) -> Loop | None:
        walked = self.walk.at_random(start, self.within, [seed])
        return None if walked.line is None else self._from(walked.line)

    def _from(self, line: Line) -> Loop | None:
        return self._made(line, self._circle(line.state))

    def _made(self, line: Line, moves: tuple[Move, ...] | None) -> Loop | None:
        made = moves and rounds(self.rules, line.state, moves, self.bare, self.within)
        return Loop(line, moves, *made) if moves and made else None

    def _circle(self, state: State) -> tuple[Move, ...] | None:
        """Moves that lead back; looked at first is what the guide says, then the states that differ least from the first one."""
        home = self.bare(state)
        came: dict[State, tuple[State, Move]] = {}
        front: list[tuple[tuple[int, ...], int, State]] = [((), 0, state)]
        value, number = self.walk.moves.value, 0
        while front and number <= self.most:
            self.clock.left()
            at = heapq.heappop(front)[-1]
            for move in self.walk.moves.moves(at):
                after = self.walk.step(at, move)
                if after is None or after in came or not self.within(after):
                    continue
                bare = self.bare(after)
                if bare == home:
                    return _back(came, state, at, move)
                number += 1
                came[after] = at, move
                distance = sum([a != b for a, b in zip(bare, home, strict=True)])
                heapq.heappush(front, ((*(value(n, after) for n in self.question.guide), distance), number, after))
        self.states += number
        return None

    def _graph(self, start: State) -> tuple[Graph, bool]:
        """The states that can be reached, as many as are looked at, and whether these are all."""
        first = self.walk.engine.settle(start)
        graph: dict[State, list[tuple[Move, State]]] = {}
        front, seen, complete = [first], {first}, True
        for state in front:  # which grows
            self.clock.left()
            graph[state] = []
            for move in self.walk.moves.moves(state) if len(seen) <= self.most else ():
                after = self.walk.step(state, move)
                complete &= after is not None
                if after is not None:
                    graph[state].append((move, after))
                    if after not in seen:
                        seen.add(after)
                        front.append(after)
        self.states += len(graph)
        return graph, complete and len(seen) <= self.most

    def _in_graph(self, graph: Graph) -> Loop | None:
        """The nearest circle in the graph: from the first state on one that comes again."""
        inner = _within(graph, self.within)
        left = _round(inner, self.bare)
        for state in graph:
            if state in inner and self.bare(state) in left:
                moves = _shortest(inner, state, self.bare)
                if found := moves and self._made(self._line(graph, state), moves):
                    return found
        return None

    def _line(self, graph: Graph, goal: State) -> Line:
        first = next(iter(graph))
        came: dict[State, tuple[State, Move]] = {}
        for state in graph:  # in the order of their distance
            for move, after in graph[state]:
                if after != first:
                    came.setdefault(after, (state, move))
        return Line(first, () if goal == first else _back(came, first, *came[goal]), goal)


def _back(came: Mapping[State, tuple[State, Move]], first: State, state: State, last: Move) -> tuple[Move, ...]:
    moves = [last]
    while state != first:
        state, move = came[state]
        moves.append(move)
    return tuple(reversed(moves))


def _shortest(graph: Graph, state: State, bare: Bare) -> tuple[Move, ...] | None:
    """The fewest moves that lead from a state to one like it."""
    came: dict[State, tuple[State, Move]] = {}
    front = [state]
    for at in front:  # which grows
        for move, after in graph[at]:
            if bare(after) == bare(state):
                return _back(came, state, at, move)
            if after not in came:
                came[after] = at, move
                front.append(after)
    return None


def _within(graph: Graph, within: Test) -> Graph:
    """The part of the graph in which a condition holds."""
    kept = {state for state in graph if within(state)}
    return {state: [(move, after) for move, after in steps if after in kept] for state, steps in graph.items() if state in kept}


def _round(graph: Graph, bare: Bare) -> set[State]:
    """States, as they are compared, from which a circle can be reached: none if there is no circle."""
    after: dict[State, set[State]] = {}
    before: dict[State, set[State]] = {}
    for state, steps in graph.items():
        here = bare(state)
        after.setdefault(here, set()).update(bare(next) for _, next in steps)
        for next in after[here]:
            before.setdefault(next, set()).add(here)
    ends = [state for state, follow in after.items() if not follow]
    for end in ends:  # which grows
        del after[end]
        for state in before.get(end, ()):
            if state in after:
                after[state].discard(end)
                if not after[state]:
                    ends.append(state)
    return set(after)


def check(evidence: Evidence, scene: Scene, effort: float | None = None) -> tuple[int, int]:
    """Whether the line goes round as it is claimed, or by native code none does; how many implications and moves were made."""
    from monjudge.verify.recheck import origin

    claim, rules = evidence.claim, scene.rules
    bare, premise = Bare(rules, claim["counters"]), parse_expr(claim["premise"], scene.scope())

    def within(state: State) -> bool:
        return bool(evaluate(premise, state, None, rules.offset))

    if claim["question"] == "no loop":
        return _none_by_native(scene, claim, bare, within)
    state, stem = tuple(claim["from"]), claim["stem"]
    if origin(scene, state) is None:
        raise Refused("the line begins elsewhere", "手順の始まりが違う")
    engine = Reference(rules)
    state = engine.settle(state)
    for number, move in enumerate(evidence.witness[:stem], 1):
        if engine.over(state) or not engine.legal(state, move):
            raise Refused(f"move {number} of the line is not legal", f"手順の{number}手目はできない")
        state = engine.step(state, move)
    if rounds(rules, state, evidence.witness[stem:], bare, within) != (claim["rounds"], claim["still"]):
        raise Refused("the moves do not lead back as is claimed", "主張どおりには元の状態に戻らない")
    return 0, len(evidence.witness)


def _none_by_native(scene: Scene, claim: Mapping[str, Any], bare: Bare, within: Test) -> tuple[int, int]:
    """All states by native code, of which those with nothing behind them are taken away until none is left."""
    from monjudge.solvers.engines.native import Native

    if any(scene.is_open(f.name) for f in scene.rules.families) or list(scene.start) != claim["start"]:
        raise Refused("play may begin elsewhere", "始まりがほかにもある")
    native = Native(scene.rules)
    graph: dict[State, list[tuple[Move, State]]] = {}
    front = [native.settle(scene.start)]
    while front and len(graph) <= claim["states"]:
        state = front.pop()
        if state not in graph:
            steps = native.steps(state)
            if any(after is None for _, after in steps):
                raise Refused("a move passes a bound of the model", "模型の限界を超える手がある")
            graph[state] = [(move, after) for move, after in steps if after is not None]
            front += [after for _, after in graph[state]]
    if len(graph) != claim["states"]:
        raise Refused("native code finds other states", "ネイティブコードでは状態が違う")
    if _has_circle(_within(graph, within), bare):
        raise Refused("native code finds a circle", "ネイティブコードでは循環がある")
    return 0, 0


def _has_circle(graph: Graph, bare: Bare) -> bool:
    """Whether a state, as they are compared, comes again on some path: depth first, with the path in hand."""
    follow: dict[State, set[State]] = {}
    for state, steps in graph.items():
        follow.setdefault(bare(state), set()).update(bare(after) for _, after in steps)
    done: dict[State, bool] = {}  # False while it is on the path
    for first in follow:
        front = [first]
        while front:
            state = front[-1]
            if state in done:
                done[state] = True
                front.pop()
                continue
            done[state] = False
            for after in follow[state]:
                if done.get(after) is False:
                    return True
                if after not in done:
                    front.append(after)
    return False
