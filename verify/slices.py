"""Bounded checks by z3: no line of so many moves, or the shortest one, found on as few fields as the question needs.

A slice of the rules keeps some fields with all that is done to them; the others hold anything at every ply, and conditions
that read them are dropped. So every line of play is one of the slice: where the slice has none, there is none. A line of the slice is
made by the reference; where that cannot be, what a failing clause reads, or what writes the field that differs, is
kept from then on (Clarke, Grumberg, Jha, Lu, Veith, CAV 2000).

All lines are meant whose triggers come to rest in some ``passes`` after each move. Where these are as many as the rules allow, that is all lines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from monjudge.model.language import Action, Effect, Expr, LimitReached, Move, RuleSet, State, const, evaluate, walk
from monjudge.model.properties import Scene
from monjudge.verify.bounded import Line, enumerator, reference
from monjudge.verify.queries import Clock, has_model

__all__ = ["DEEPEST", "Sought", "deeper", "sliced", "sought"]

DEEPEST = 40
"""So many plies are looked at."""

SECONDS = 20.0
"""Of processor time where all the time in the world is allowed."""


@dataclass(frozen=True)
class Sought:
    """What a bounded check found: the shortest line, if there is one within what was asked.

    No other line has ``plies`` moves or fewer (-1: nothing is known), if its triggers come to rest in so many ``passes`` after each
    move. ``kept`` are the fields that were looked at.
    """

    line: Line | None
    plies: int
    passes: int
    kept: frozenset[str]


def sought(
    scene: Scene, formula: Expr, most: int, clock: Clock, *, passes: int | None = None, kept: Collection[str] | None = (),
    beginnings: bool = False, numbers: str = "bv",
) -> Sought:  # fmt: skip
    """The shortest line of at most so many moves to a state with the formula, made by the reference too.

    ``passes`` are those of the triggers (None: as many as the rules allow), ``kept`` fields to begin with besides those of
    the formula (None: all). Play begins at the start of the scene; with ``beginnings``, with whatever its open fields
    may hold as well. Where the time ends or z3 gives up, it is told how far there is none. ``numbers`` as in ``Symbolic``.
    """
    passes = scene.rules.passes if passes is None else passes
    search = _Search(scene, formula, clock, passes, kept, beginnings, numbers)
    try:
        search.begin()
        while search.plies < most:
            line = search.deeper()
            if line is not None:
                return Sought(line, search.plies, passes, search.kept)
    except LimitReached:
        pass
    return Sought(None, search.plies, passes, search.kept)


def deeper(scene: Scene, formula: Expr, clock: Clock, passes: int | None) -> Sought:
    """From every beginning as deep as a third of the time allows (``SECONDS`` of any time); where none is left, nothing is known."""
    try:
        share = Clock(SECONDS) if clock.left() is None else clock.part(1 / 3)
        return sought(scene, formula, DEEPEST, share, passes=passes, beginnings=True)
    except LimitReached:
        return Sought(None, -1, 0, frozenset())


def sliced(rules: RuleSet, kept: Collection[str]) -> RuleSet:
    """The rules of these fields (and all that are configured): other effects and what reads other fields are dropped."""
    known = {*kept, *(f.name for f in rules.families if f.config)}

    def told(expr: Expr | None) -> bool:
        return expr is not None and _read(expr) <= known

    def effects(of: Iterable[Effect]) -> tuple[Effect, ...]:
        return tuple(e for e in of if e.family.name in known)

    def action(a: Action) -> Action:
        weight = a.weight if a.weight is None or told(a.weight) else const(1)
        clauses = tuple(c for c in a.clauses if told(c.expr))
        return replace(a, by=a.by if told(a.by) else None, weight=weight, clauses=clauses, effects=effects(a.effects))

    triggers = (replace(t, effects=effects(t.effects)) for t in rules.triggers)
    over = rules.over if rules.over is not None and told(rules.over.expr) else None
    return replace(rules, actions=tuple(map(action, rules.actions)), triggers=tuple(t for t in triggers if t.effects), over=over)


class _Search:
    """One formula ply by ply; ``plies`` is as far as there is no line."""

    def __init__(
        self, scene: Scene, formula: Expr, clock: Clock, passes: int, kept: Collection[str] | None, beginnings: bool, numbers: str
    ) -> None:
        self.scene, self.rules, self.formula, self.clock, self.numbers, self.passes = scene, scene.rules, formula, clock, numbers, passes
        self.engine, self.plies = reference(scene.rules), -1
        self.fields = frozenset(f.name for f in self.rules.families if not f.config)
        self.kept = self.fields if kept is None else self.fields & {*kept, *_read(formula)}
        self.open = frozenset(f.name for f in self.rules.families if scene.is_open(f.name)) if beginnings else frozenset()

    def deeper(self) -> Line | None:
        """The line of one ply more, or none; what is kept grows until that is known. Raises LimitReached."""
        while True:
            while len(self.made.states) <= self.plies + 1:
                self._add(self.made.ply())
            model = self._model(self.made.game.expr(self.formula, self.made.states[-1]))
            if model is None:
                self.plies += 1
                return None
            found = self._made(model)
            if isinstance(found, Line):
                return found
            wanted = found - self.kept or self.fields - self.kept
            assert wanted, "the reference does not make a line of z3 over all fields"
            self.kept |= wanted
            self.begin()

    def begin(self) -> None:
        """From the start, with the fields that are kept now. Raises LimitReached."""
        from monjudge.solvers.engines.smt.plies import Plies
        from monjudge.solvers.engines.smt.terms import z3

        start = self.scene.start if self.open else self.engine.settle(self.scene.start)
        self.made = Plies(sliced(self.rules, self.kept), start, self.open, self.numbers, self.passes, self.fields - self.kept)
        self._rest = list[int]()
        self._context = z3.Context()  # of its own: what z3 finds does not hang on what was asked before
        self.solver = z3.SolverFor("QF_FD" if self.numbers == "bv" else "QF_LIA", ctx=self._context)
        self._add(self.made.asserted[0])
        if self.open:
            self._add(self.made.game.expr(self.scene.given, self.made.begin))

    def _add(self, term: Any) -> None:
        self.clock.left()
        self.solver.add(term.translate(self._context))

    def _model(self, goal: Any) -> Any:
        """A model of the goal at the last ply, or None: then that is remembered. That a state is at rest is added where a model breaks it."""
        from monjudge.solvers.engines.smt.terms import z3

        goal = goal.translate(self._context)
        while has_model(self.solver, self.clock, [goal]):
            model = self.solver.model().translate(z3.main_ctx())
            plies = [ply for ply in range(len(self.made.states)) if ply not in self._rest]
            broken = next((ply for ply in plies if not z3.is_true(model.eval(self.made.at_rest(ply), model_completion=True))), None)
            if broken is None:
                return model
            self._rest.append(broken)
            self._add(self.made.at_rest(broken))
        self.solver.add(z3.Not(goal))
        return None

    def _made(self, model: Any) -> Line | frozenset[str]:
        """The line of a model as the reference makes it, or fields without which it cannot be."""
        game, planned = self.made.game, self.made.moves(model)
        state = start = self.engine.settle(game.model_state(model, self.made.begin))
        states, moves = [game.model_state(model, s) for s in self.made.states], list[Move]()
        if differ := self._differ(state, states[0]):
            return self._changing(None, self.made.fire(model, 0), differ)
        for ply, (move, expected) in enumerate(zip(planned, states[1:], strict=True), 1):
            step = self._like(state, move, expected)
            if step is None and not self.engine.legal(state, move):
                return self._barred(state, move)
            if step is None:
                try:
                    return self._changing(move, self.made.fire(model, ply), self._differ(self.engine.step(state, move), expected))
                except LimitReached:  # of a field that is not kept
                    return self.fields
            moves.append(step[0])
            state = step[1]
        assert evaluate(self.formula, state, None, self.rules.offset), "z3 and the reference read the formula differently"
        return Line(start, tuple(moves), state)

    def _like(self, state: State, move: Move, expected: State) -> tuple[Move, State] | None:
        """A move of the same action, this one if it can be, after which all fields that are kept are as expected."""
        if self.engine.over(state):
            return None
        legal = enumerator(self.rules).moves_of(state, move.action)
        for like in sorted(legal, key=lambda other: other != move):
            try:
                after = self.engine.step(state, like)
            except LimitReached:
                continue
            if not self._differ(after, expected):
                return like, after
        return None

    def _differ(self, state: State, expected: State) -> set[str]:
        return {name for name in self.kept if self._cells(name, state) != self._cells(name, expected)}

    def _barred(self, state: State, move: Move) -> frozenset[str]:
        """Fields that tell why the move is not legal: of the failing condition that reads the fewest cells."""
        action, over = self.rules.by_name[move.action], self.rules.over
        reasons = [over.expr] if over is not None and self.engine.over(state) else []
        reasons += [e for e in (action.by, action.weight) if e is not None and not self.engine.decides(state, move)]
        reasons += [clause.expr for clause in self.engine.failing(state, move) if any(clause is c for c in action.clauses)]
        return self._least(map(_read, reasons))

    def _changing(self, move: Move | None, fired: Collection[str], names: Collection[str]) -> frozenset[str]:
        """Fields that tell what these become: read by what the move writes there, or by a trigger that fires in the slice, or by any."""
        effects = [] if move is None else [e for e in self.rules.by_name[move.action].effects if e.family.name in names]
        reasons: list[set[str]] = [{*_reads_of(e)} for e in effects]
        for t in self.rules.triggers:
            writing = [e for e in t.effects if e.family.name in names]
            if writing:
                parts = t.when.args if t.when.op == "and" else (t.when,)
                reasons += [_read(part) for part in parts if t.id in fired] or [_read(t.when)]
                reasons += [{*_reads_of(e)} for e in writing]
        return self._least(reasons)

    def _least(self, reasons: Iterable[set[str]]) -> frozenset[str]:
        """Of these fields, those with the fewest cells in which something is not kept yet."""
        lacking = [self.fields & reason - self.kept for reason in reasons]
        return frozenset(min((fields for fields in lacking if fields), key=self._size, default=()))

    def _size(self, names: Collection[str]) -> int:
        return sum(self.rules.family_named[name].size for name in names)

    def _cells(self, name: str, state: State) -> State:
        at = self.rules.offset[name]
        return state[at : at + self.rules.family_named[name].size]


def _read(expr: Expr) -> set[str]:
    return {n.args[0].name for n in walk(expr) if n.op == "field"}


def _reads_of(effect: Effect) -> Iterator[str]:
    for part in (*effect.indices, effect.value, effect.when):
        yield from _read(part)
