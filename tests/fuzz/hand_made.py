"""Rule sets made by hand, each for one corner of the language, and how an engine is held against the reference.

``differences(engine)`` is empty for an engine that means what the reference and
``evaluate`` mean; an engine with a fault planted in it must not get through.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from monjudge.model.language import (
    ME,
    Expr,
    Game,
    LimitReached,
    Move,
    RuleSet,
    State,
    Table,
    all_of,
    any_of,
    as_int,
    count_of,
    each,
    evaluate,
    field,
    gain,
    ite,
    lookup,
    maximum,
    member,
    minimum,
    put,
    sum_of,
    tabulate,
    var,
)
from monjudge.solvers.engines.reference import Reference

PRICE = Table.of("price", (2, 3), (5, -5, 0, 9, 2, 2), default=-7)
MAY = Table.of("may", (4,), (True, False, False, True), default=True)


def slide() -> RuleSet:
    """Triggers that take several passes to come to rest, and a heap that may grow too high."""
    g = Game("slide", players=1)
    heap = g.field("heap", 4, values=range(4), init=(1, 0, 0, 2))
    drop = g.action("drop", by=0)
    at = drop.param("at", range(4))
    drop.clause("SL.1", heap[at] < 3)
    drop.effect(gain(heap[at], 2))
    # From the right to the left in one pass, so one grain needs a pass for each step to the left.
    g.trigger("SL.2", lambda i: (heap[i + 1] > heap[i]) & (i < 3), lambda i: [gain(heap[i], 1), gain(heap[i + 1], -1)],
              over=(4,))  # fmt: skip
    return g.build()


def restless() -> RuleSet:
    """A trigger that never comes to rest once it is armed."""
    g = Game("restless", players=1)
    armed, on = g.field("armed", values=bool), g.field("on", values=bool)
    arm = g.action("arm", by=0)
    arm.effect(put(armed, True))
    look = g.action("look", by=0)
    look.effect(put(on, ~on))
    g.trigger("RE.1", armed, put(on, ~on))
    g.parts["passes"] = 3
    return g.build()


def edges() -> RuleSet:
    """Indices beyond an axis: reads have a default, writes no effect; tables of two axes."""
    g = Game("edges", players=2)
    turn = g.field("turn", values=range(2))
    at = g.field("at", values=range(-1, 4))
    cell = g.field("cell", 3, values=range(-2, 6), init=(0, 4, -2), default=8)
    grid = g.field("grid", 2, 3, values=range(3), init=(0, 1, 2, 2, 0, 1), default=1)
    walk = g.action("walk", by=turn)
    by = walk.param("by", range(-2, 3))
    row = walk.param("row", range(3))
    walk.clause("ED.1", cell[at + by] != grid[row, at])
    walk.clause("ED.2", lookup(PRICE, row, at + by) + cell[at] < 9)
    walk.effect(
        put(cell[at + by], grid[row, at + by] - 1),
        put(grid[row, at], ite(cell[by] > 2, 2, 0), by != 1),
        put(at, minimum(3, maximum(-1, at + by))),
        put(turn, 1 - turn),
    )
    return g.build()


def luck() -> RuleSet:
    """Chance with weights that may be 0, truth values as fields and parameters, an end of the game."""
    g = Game("luck", players=2)
    left = g.field("left", values=range(5), init=4)
    marked = g.field("marked", 3, values=bool, default=1)
    score = g.field("score", 2, values=range(-3, 4))
    roll = g.action("roll")
    face = roll.param("face", range(-1, 4))
    twice = roll.param("twice", bool)
    roll.outcome(ite(marked[face] & ~lookup(MAY, face), 0, left + as_int(twice)))
    roll.clause("LU.1", twice == (score[0] < score[1] + face))
    roll.effect(put(marked[face], ~marked[face]), gain(left, -1), gain(score[face - 1], 1 + face, twice))
    passing = g.action("pass", by=None)
    passing.clause("LU.2", marked[passing.me] | (score[passing.me] < 0))
    passing.effect(put(score[passing.me], -score[1 - passing.me]))
    g.over(all_of(3, lambda i: marked[i]) & (left == 0))
    return g.build()


def together() -> RuleSet:
    """Simultaneous effects: a swap, gains that meet in one cell, the last of several assignments, loops."""
    g = Game("together", players=1)
    a, b = g.field("a", values=range(4), init=1), g.field("b", values=range(4), init=3)
    pot = g.field("pot", 2, 3, values=range(-1, 8))
    act = g.action("act", by=0)
    x, y = act.param("x", range(3)), act.param("y", range(3))
    act.effect(
        gain(pot[0, x], a), gain(pot[0, y], 1), gain(pot[1, x], -1, a > b),
        put(pot[1, x], 2), put(pot[1, y], b),
        put(a, b), put(b, a),
        each(2, lambda i: each(3, lambda j: gain(pot[i, j], 1, (i == j) & (pot[i, j] < pot[1 - i, j + 1])))),
    )  # fmt: skip
    return g.build()


MACHINES = (slide, restless, edges, luck, together)

_X, _ME, _B = var("x", -2, 5), var(ME, 0, 1), var("b", 0, 1, True)


def expressions(rules: RuleSet) -> dict[str, Expr]:
    """One expression for each operation, over the fields of ``edges``; some speak of the next state."""
    f = {family.name: family for family in rules.families}

    def cell(i: Any, at: int = 0) -> Expr:
        return field(f["cell"], (i,), at)

    def grid(i: Any, j: Any) -> Expr:
        return field(f["grid"], (i, j))

    turn, at = field(f["turn"], ()), field(f["at"], ())
    truth = cell(at) < cell(_X)
    return {
        "field": cell(_X),
        "field of two axes": grid(_X, at),
        "field, next state": cell(at, 1) + 10 * cell(at),
        "table": lookup(PRICE, at, _X),
        "table of truth values": lookup(MAY, cell(_X)),
        "add": cell(0) + cell(1) + at + 100,
        "narrow sum of wide terms": tabulate(lambda n: n % 2, at + _X + 1000) + cell(0),
        "mul": -3 * cell(_X) + 7 * at,
        "min": minimum(cell(0), cell(1) + 1, at, 2),
        "max": maximum(cell(0), cell(1) + 1, at, 2),
        "eq": cell(_X) == at,
        "eq of truth values": truth == (_B | (at < 1)),
        "lt": cell(0) < at,
        "le": cell(0) <= at,
        "in": member(cell(0) + at, (-1, 2, 3, 7)),
        "and": truth & (at > 0) & _B,
        "or": truth | (at > 0) | _B,
        "not": ~truth & ~_B,
        "ite": ite(truth, at - 5, cell(0)),
        "ite of truth values": ite(truth, _B, cell(0) == at),
        "as_int": as_int(truth) + 2 * as_int(_B),
        "all": all_of(3, lambda i: cell(i) < at + i),
        "any": any_of(range(-1, 4), lambda i: cell(i) == at),
        "sum": sum_of(range(-1, 4), lambda i: cell(i + at)),
        "nested": sum_of(3, lambda i: as_int(all_of(2, lambda j: (grid(j, i) <= cell(i)) | any_of(2, lambda k: grid(k, j) == i)))),
        "count": count_of(3, lambda i: grid(_ME, i) == turn),
    }


class Differences:
    """Holds engines against the reference on some rule sets, always the same states and moves."""

    def __init__(self, machines: tuple[Callable[[], RuleSet], ...] = MACHINES, states: int = 6) -> None:
        self.cases = [(rules, list(_states(rules, states))) for rules in (make() for make in machines)]

    def of(self, engine: Callable[[RuleSet], Any]) -> Iterator[str]:
        """Every difference as a sentence, lazily; an engine that fails with an error differs."""
        for rules, states in self.cases:
            made, reference = engine(rules), Reference(rules)
            for state in states:
                yield from _at(made, reference, state)
        yield from self.values(engine)

    def values(self, engine: Callable[[RuleSet], Any]) -> Iterator[str]:
        """The differences in the values of expressions alone."""
        rules, random = edges(), Random(3)
        made = engine(rules)
        for _, (name, expr) in itertools.product(range(12), expressions(rules).items()):
            state, after = (tuple(random.randint(lo, hi) for lo, hi in rules.bounds) for _ in range(2))
            env = {"x": random.randint(-2, 5), ME: random.randint(0, 1), "b": random.randint(0, 1)}
            want = evaluate(expr, state, env, rules.offset, after)
            got = _attempt(lambda expr=expr, state=state, env=env, after=after: made.value(expr, state, env, after))
            if got != want:
                yield f"{name} at {state}, {env}: {got}, not {want}"


def _states(rules: RuleSet, most: int) -> Iterator[State]:
    """Settled states: the start, what follows from it at random, and random cells."""
    random, reference = Random(rules.name), Reference(rules)
    yield rules.start
    found = 1
    while found < most:
        cells = tuple(random.randint(lo, hi) for lo, hi in rules.bounds)
        settled = _attempt(lambda cells=cells: reference.settle(cells))
        if isinstance(settled, tuple):
            found += 1
            yield settled


def _at(engine: Any, reference: Reference, state: State) -> Iterator[str]:
    where = f"{reference.rules.name} at {state}"
    pairs: list[tuple[str, Callable[[Any], Any]]] = [
        ("over", lambda e: e.over(state)), ("moves", lambda e: e.moves(state)),
    ]  # fmt: skip
    for move in _sample(reference, state):
        pairs.append((f"legal {move}", lambda e, move=move: e.legal(state, move)))
        pairs.append((f"step {move}", lambda e, move=move: e.step(state, move)))
    for name, ask in pairs:
        want, got = _attempt(lambda ask=ask: ask(reference)), _attempt(lambda ask=ask: ask(engine))
        if want != got:
            yield f"{where}, {name}: {got}, not {want}"


def _sample(reference: Reference, state: State) -> list[Move]:
    """Some moves, legal ones among them."""
    random = Random(f"{reference.rules.name} {state}")
    everything = list(reference.candidates())
    return [*reference.moves(state)[:2], *random.sample(everything, min(3, len(everything)))]


def _attempt(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except LimitReached:
        return "unknown (limit)"
    except (AssertionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        return repr(error)
