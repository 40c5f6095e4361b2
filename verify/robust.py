"""Is what may be done under the readings as they stand allowed under every other reading, too?

Each reading of a switch that is left open is taken alone, all else as it stands. A move that it forbids is shown on a line
of play under the readings as they stand; that it forbids none, in any state, is proved by z3, and again by CP-SAT.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from monjudge.model.language import NATURE, Action, LimitReached, Move, RuleSet, State, Switch, evaluate, parse_expr
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.verdict import Verdict
from monjudge.verify.bounded import Walk
from monjudge.verify.footprint import reads
from monjudge.verify.outcome import Outcome
from monjudge.verify.queries import Clock
from monjudge.verify.question import Question

__all__ = ["answer", "check"]

MOVES = 200
"""So many moves a random line has at most."""

EACH = 3
"""So many moves of one action are looked at in one state."""

LINES = 40
"""So many random lines are played."""

Reading = tuple[str, str]
"""A switch and one of its readings."""


def others(rules: RuleSet, state: State) -> Iterator[tuple[Switch, str, int]]:
    """Every reading that can be played and does not stand in a state, with its number in the cell of its switch."""
    for switch in rules.switches:
        for n, value in enumerate(switch.values, switch.family.lo):
            if n != state[rules.offset[switch.family.name]] and value not in switch.undetermined:
                yield switch, value, n


def asked(rules: RuleSet, among: Sequence[str]) -> list[Action]:
    """The actions that are spoken of."""
    return [a for a in rules.actions if not a.is_chance and (not among or a.name in among)]


def hangs(rules: RuleSet, action: Action) -> set[int]:
    """The cells on which it may hang whether a move of the action is legal."""
    told = [*(c.expr for c in action.clauses), *([] if action.by is None else [action.by])]
    return set().union(*(reads(rules, expr) for expr in (*told, *([] if rules.over is None else [rules.over.expr]))))


@dataclass
class Barred:
    """Readings that forbid a move, each with the number of its line, how many moves of it were made, and the move."""

    lines: list[tuple[State, list[Move]]] = field(default_factory=list)
    found: dict[Reading, tuple[int, int, Move]] = field(default_factory=dict)


def read(rules: RuleSet, state: State, switch: Switch, value: int) -> State:
    """The same position under another reading."""
    cells = list(state)
    cells[rules.offset[switch.family.name]] = value
    return tuple(cells)


def answer(question: Question, scene: Scene, clock: Clock, most: int) -> Outcome:
    """Whether every move ``among`` that is legal where the premise holds is legal under each other reading that is open."""
    barred = _Seeker(question, scene, clock.part(0.25)).sought()
    claim = {"formula": question.prop.premise, "among": list(question.prop.among)}
    if barred.found:
        return _shown(barred, claim, scene)
    broken = _proved(question, scene, clock)
    if broken is not None:
        why = Sentence(f"{broken[0]}={broken[1]} forbids a move in a state that no line was found to", f"{broken[0]}={broken[1]}が禁じる手があるが、その状態に至る手順は見つからない")
        return Outcome(Verdict.UNKNOWN, why)
    readings = len(list(others(scene.rules, scene.start)))
    why = Sentence(f"none of {readings} other readings forbids a move, in any state (z3, CP-SAT)", f"ほかの{readings}の読みは、どの状態でも手を禁じない（z3、CP-SAT）")
    return Outcome(Verdict.YES, why, {**claim, "question": "robust", "start": list(scene.start)}, bounds={"horizon": "unlimited"}, engines=("z3-solver", "ortools"))


def _shown(barred: Barred, claim: Mapping[str, Any], scene: Scene) -> Outcome:
    switches = list(dict.fromkeys(switch for switch, _ in sorted(barred.found)))
    readings, lines = len(list(others(scene.rules, scene.start))), len(barred.lines)
    why = Sentence(f"{len(barred.found)} of {readings} other readings forbid a move that is legal, as lines show: of {', '.join(switches)}",
                   f"ほかの{readings}の読みのうち{len(barred.found)}が、認められる手を禁じる（手順で示した）：{'、'.join(switches)}")  # fmt: skip
    told = [[*reading, line, made, move.action, move.me, *move.args] for reading, (line, made, move) in sorted(barred.found.items())]
    used = sorted({line for line, _, _ in barred.found.values()})
    longest = {n: max(made for line, made, _ in barred.found.values() if line == n) for n in used}
    moves = {str(n): [list(barred.lines[n][0]), *([m.action, m.me, *m.args] for m in barred.lines[n][1][: longest[n]])] for n in used}
    claim = {**claim, "question": "barred", "broken": [list(reading) for reading in sorted(barred.found)]}
    return Outcome(Verdict.NO, why, claim, certificate={"lines": moves, "barred": told}, bounds={"lines": lines})


class _Seeker:
    """Random lines, along which each legal move is asked about under every other reading that it may hang on."""

    def __init__(self, question: Question, scene: Scene, clock: Clock) -> None:
        self.question, self.scene, self.clock, self.rules = question, scene, clock, scene.rules
        self.walk, self.barred = Walk(scene.rules, clock), Barred()
        may: dict[str, set[int]] = {a.name: hangs(scene.rules, a) for a in asked(scene.rules, question.prop.among)}
        self.readings = {name: [r for r in others(scene.rules, scene.start) if scene.rules.offset[r[0].family.name] in cells] for name, cells in may.items()}

    def sought(self) -> Barred:
        known = {"start": self.scene.start, **self.scene.positions}
        starts = [known[name] for name in self.question.prop.starts if name in known] or [*known.values()]
        try:
            for seed in range(LINES):
                self._line(starts[seed % len(starts)], Random(seed))
        except LimitReached:
            pass  # what was seen in the time was seen
        return self.barred

    def _line(self, start: State, random: Random) -> None:
        state, line = self.walk.engine.settle(start), list[Move]()
        self.barred.lines.append((state, line))
        for _ in range(MOVES):
            self.clock.left()
            moves = self.walk.moves.moves(state)
            if not moves:
                return
            if self.walk.moves.value(self.question.premise, state):
                self._look(state, moves, len(line), random)
            chance = [m for m in moves if m.me == NATURE]
            kinds = sorted({m.action for m in moves})
            move = random.choice(chance or [m for m in moves if m.action == random.choice(kinds)] or moves)
            after = self.walk.step(state, move)
            if after is None:
                return
            line.append(move)
            state = after

    def _look(self, state: State, moves: Sequence[Move], made: int, random: Random) -> None:
        for name, readings in self.readings.items():
            legal = [m for m in moves if m.action == name]
            left = [(s, v, n) for s, v, n in readings if (s.id, v) not in self.barred.found]
            for move in random.sample(legal, min(EACH, len(legal))) if left else ():
                for switch, value, n in left:
                    if (switch.id, value) not in self.barred.found and forbids(self.walk.engine, state, switch, n, move):
                        self.barred.found[switch.id, value] = len(self.barred.lines) - 1, made, move


def forbids(engine: Reference, state: State, switch: Switch, value: int, move: Move) -> bool:
    """Whether the move is not legal under the reading, and the position is at rest under it as well."""
    other = read(engine.rules, state, switch, value)
    if engine.over(other) or not engine.legal(other, move):
        try:
            return engine.settle(other) == other
        except LimitReached:
            return False
    return False


def _proved(question: Question, scene: Scene, clock: Clock) -> Reading | None:
    """The first reading that forbids a move in a state that z3 knows; None where there is none. Raises LimitReached."""
    from monjudge.solvers.engines.smt.terms import z3
    from monjudge.verify.queries import Queries, Refuted

    queries, rules = Queries(scene, clock), scene.rules
    game = queries.game

    def under(values: Mapping[int, int]) -> Any:
        terms = list(queries.now.terms)
        known = game.known(scene.start).terms
        for at in (rules.offset[s.family.name] for s in rules.switches):
            terms[at] = known[at] if at not in values else game.known((*scene.start[:at], values[at], *scene.start[at + 1 :])).terms[at]
        return type(queries.now)(terms)

    now = under({})
    for action in asked(rules, question.prop.among):
        cells = hangs(rules, action)
        me, args = game.choice(action.name, "now")
        legal = game.legal(action.name, now, me, args)
        for switch, value, n in others(rules, scene.start):
            at = rules.offset[switch.family.name]
            if at in cells:
                barred = z3.Not(game.legal(action.name, under({at: n}), me, args))
                if not isinstance(queries.refute([game.expr(question.premise, now), legal, barred]), Refuted):
                    return switch.id, value
    return None


def check(evidence: Evidence, scene: Scene, effort: float | None = None) -> tuple[int, int]:
    """Whether the lines show what is forbidden, or by CP-SAT nothing is; how many questions were asked, or moves made."""
    claim, rules = evidence.claim, scene.rules
    premise = parse_expr(claim["formula"], scene.scope())
    if claim["question"] == "robust":
        if list(scene.start) != claim["start"]:
            raise Refused("other readings stand", "別の読みである")
        return _again(scene, premise, asked(rules, claim["among"]), effort), 0
    from monjudge.verify.recheck import origin

    engine, moves_of, made = Reference(rules), Enumerator(rules).moves, 0
    states: dict[tuple[str, int], State] = {}
    for name, (start, *moves) in evidence.certificate["lines"].items():
        state = tuple(start)
        begin = origin(scene, state)
        if begin is None or any(begin[rules.offset[s.family.name]] != scene.start[rules.offset[s.family.name]] for s in rules.switches):
            raise Refused("a line begins elsewhere", "手順の始まりが違う")
        states[name, 0] = state
        for number, (action, me, *args) in enumerate(moves, 1):
            if engine.over(state) or not engine.legal(state, Move(action, me, tuple(args))):
                raise Refused(f"move {number} of a line is not legal", f"手順の{number}手目はできない")
            states[name, number] = state = engine.step(state, Move(action, me, tuple(args)))
            made += 1
    told = [[switch, value] for switch, value, *_ in evidence.certificate["barred"]]
    if told != claim["broken"] or not told:
        raise Refused("the readings are others", "別の読みである")
    numbers = {(s.id, v): (s, n) for s, v, n in others(rules, scene.start)}
    among = {a.name for a in asked(rules, claim["among"])}
    for switch, value, line, number, action, me, *args in evidence.certificate["barred"]:
        state, move = states[str(line), number], Move(action, me, tuple(args))
        other = read(rules, state, *numbers[switch, value])
        legal = action in among and not engine.over(state) and engine.legal(state, move) and evaluate(premise, state, None, rules.offset)
        if not legal or engine.settle(other) != other or move in moves_of(other):
            raise Refused(f"{switch}={value} does not forbid the move", f"{switch}={value}はその手を禁じない")
    return 0, made


def _again(scene: Scene, premise: Any, actions: Sequence[Action], effort: float | None) -> int:
    """The same by CP-SAT: how many questions. Raises Refused where it finds a move that is forbidden."""
    from monjudge.solvers.engines.cpsat import Query
    from monjudge.solvers.engines.cpsat.terms import SymbolicState

    rules, asked_so_far = scene.rules, 0
    for action in actions:
        cells = hangs(rules, action)
        for switch, value, n in others(rules, scene.start):
            at = rules.offset[switch.family.name]
            if at not in cells:
                continue
            query = Query(rules, effort)
            terms = list(query.state().terms)
            for s in rules.switches:
                place = rules.offset[s.family.name]
                terms[place] = query.terms.known(scene.start[place], s.family.is_bool)
            now = SymbolicState(terms)
            other = SymbolicState([*terms[:at], query.terms.known(n, switch.family.is_bool), *terms[at + 1 :]])
            me, args = query.choice(action.name)
            query.require(query.term(scene.given, now))
            query.require(query.term(premise, now))
            query.require(query.legal(action.name, now, me, args))
            query.require(query.terms.negate(query.legal(action.name, other, me, args)))
            asked_so_far += 1
            if query.solve() is not None:
                raise Refused(f"CP-SAT finds a move that {switch.id}={value} forbids", f"{switch.id}={value}が禁じる手を CP-SAT が見つけた")
    return asked_so_far
