"""The smallest counterexample: of all states that show it, one like the beginning of play but for the fewest cells, by CP-SAT."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from monjudge.model.language import Expr, Family, LimitReached, State, evaluate
from monjudge.model.notation.yaml_text import in_one_line
from monjudge.model.properties import Scene
from monjudge.solvers.engines.cpsat import Query
from monjudge.solvers.engines.cpsat.terms import SymbolicState
from monjudge.verify.invariants import Breach

__all__ = ["changed", "described", "smallest_breach", "smallest_state"]

EFFORT = 4.0
"""Of CP-SAT for one counterexample, in its own deterministic time: a smaller one is no other verdict."""


def smallest_state(scene: Scene, formula: Expr) -> tuple[State, bool] | None:
    """A state as is given in which the formula does not hold, and whether it is proved that none is smaller.

    None where CP-SAT finds none soon. Raises AssertionError where its state does not show what it is to show.
    """
    query, now = _asked(scene)
    query.require(query.terms.negate(query.term(formula, now)))
    found = _least(query, now, scene)
    if found is None:
        return None
    state, least = found[0].state(now), found[1]
    shows = evaluate(scene.given, state, None, scene.rules.offset) and not evaluate(formula, state, None, scene.rules.offset)
    assert shows, "CP-SAT finds a counterexample that is none"
    return state, least


def smallest_breach(scene: Scene, formulas: Sequence[Expr], breach: Breach) -> tuple[Breach, bool] | None:
    """A step by the same rule that leads out of the formulas from a state as small as can be; whether it is proved that none is smaller.

    None where CP-SAT finds none soon, or no single move or trigger stands in the way.
    """
    for query, now, move in _steps(scene, formulas, breach):
        found = _least(query, now, scene)
        if found is not None:
            by = breach.by if isinstance(breach.by, str) else found[0].move(breach.by.action, *move)
            return replace(breach, state=found[0].state(now), by=by), found[1]
    return None


def described(scene: Scene, state: State) -> str:
    """What a state has instead of what play begins with: boards as a designer writes them, and other cells; empty for nothing."""
    boards, switches = list[str](), {s.family.name for s in scene.rules.switches}
    apart = [f.name for f in scene.rules.families if f.config and f.name not in switches]
    if scene.words is not None and changed(scene, state, among=apart):
        try:
            kit, closed = scene.words.kit, scene.words.kit.closed(scene.words.at(state))
            boards = [board if isinstance(board, str) else in_one_line(board) for board in kit.boards(closed)]
        except LookupError:
            pass  # the cells say it
    rest = changed(scene, state, among=[f.name for f in scene.rules.families if not boards or f.name not in apart])
    return ", ".join([*boards, *([rest] if rest else [])])


def changed(scene: Scene, state: State, most: int = 8, among: Collection[str] | None = None) -> str:
    """The cells in which a state is other than where play begins, as text: at most so many, of all fields or ``among`` these."""
    cells = [f"{_place(f, n)} = {_value(f, state[at + n])}" for f in scene.rules.families if among is None or f.name in among
            for at in (scene.rules.offset[f.name],) for n in range(f.size) if state[at + n] != scene.start[at + n]]  # fmt: skip
    return ", ".join([*cells[:most], *(["..."] if len(cells) > most else [])])


def _place(family: Family, place: int) -> str:
    at = []
    for size, axis in zip(reversed(family.dims), reversed([*family.axes, *[None] * (len(family.dims) - len(family.axes))]), strict=True):
        place, n = divmod(place, size)
        at.append(str(n) if axis is None else axis.labels[n])
    return family.name + (f"[{', '.join(reversed(at))}]" if at else "")


def _value(family: Family, value: int) -> str:
    return str(bool(value)).lower() if family.is_bool else str(value) if family.labels is None else family.labels.labels[value - family.lo]


def _asked(scene: Scene) -> tuple[Query, SymbolicState]:
    query = Query(scene.rules, EFFORT)
    now = query.state()
    query.require(query.term(scene.given, now))
    return query, now


def _steps(scene: Scene, formulas: Sequence[Expr], breach: Breach) -> Iterator[tuple[Query, SymbolicState, Any]]:
    """For the move, or for each firing of the trigger: that it leads from a state with the formulas to one without."""
    rules = scene.rules
    if isinstance(breach.by, str):
        firings = [(t, values) for t in rules.triggers if t.id == breach.by for values in itertools.product(*(range(v.lo, v.hi + 1) for v in t.loops))]
        for trigger, values in firings:
            query, now = _asked(scene)
            after, limit = query.fire(trigger, values, now)
            _leaves(query, now, after, limit, formulas)
            yield query, now, None
        return
    query, now = _asked(scene)
    me, args = query.choice(breach.by.action)
    query.require(query.legal(breach.by.action, now, me, args))
    then = query.apply(breach.by.action, now, me, args)
    _leaves(query, now, then.state, then.limit, formulas)
    yield query, now, (me, args)


def _leaves(query: Query, now: SymbolicState, after: SymbolicState, limit: Any, formulas: Sequence[Expr]) -> None:
    query.require(query.terms.negate(limit))
    query.require(query.terms.both([query.term(f, now) for f in formulas]))
    query.require(query.terms.negate(query.terms.both([query.term(f, after) for f in formulas])))


def _least(query: Query, now: SymbolicState, scene: Scene) -> tuple[Any, bool] | None:
    """An answer with the fewest cells that are not as where play begins."""
    flags, terms = [f.is_bool for f in scene.rules.families for _ in range(f.size)], query.terms
    same = [terms.eq(cell, terms.known(value, flag)) for cell, value, flag in zip(now.terms, scene.start, flags, strict=True)]
    terms.model.minimize(sum(terms.linear(terms.negate(truth)) for truth in same))
    try:
        answer = query.solve()
    except LimitReached:
        return None
    return None if answer is None else (answer, answer.optimal)
