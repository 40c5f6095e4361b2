"""Random rule sets and states: everything follows from a seed, so that a failing one can be run again."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

from plain import Plain
from random_exprs import COLOUR, COLUMN, TABLES, Trees, build

from monjudge.model.language import (
    Domain,
    Effect,
    Expr,
    ExpressionError,
    Family,
    Game,
    LimitReached,
    Multiset,
    Optional,
    RuleSet,
    RuleSetError,
    Stack,
    State,
    each,
    field,
    gain,
    maximum,
    minimum,
    put,
    var,
)

SPANS = {
    "int8": ((0, 1), (0, 3), (-2, 2), (1, 4), (-100, 100)),
    "int16": ((0, 1000), (-300, 20)),
    "int32": ((0, 10**6), (-(2**31) + 1, 2**31 - 1), (-5, 2 * 10**9)),
}


def rule_set(seed: int) -> RuleSet:
    """The rule set of a seed."""
    for attempt in itertools.count():
        try:
            return _Maker(Random(f"{seed}/{attempt}"), f"random {seed}").done()
        except (ExpressionError, RuleSetError):
            continue  # an interval beyond 32 bits, or an effect that never fits
    raise AssertionError


def states(rules: RuleSet, seed: int, count: int) -> list[State]:
    """Settled states (at most ``count``): half by random play from the start, half of random cells."""
    random, engine = Random(f"states {seed}"), Plain(rules)
    return [s for source in (_played, _drawn) for s in itertools.islice(source(rules, engine, random), count // 2)]


def _played(rules: RuleSet, engine: Plain, random: Random) -> Iterator[State]:
    for _ in range(3):
        try:
            state = engine.settle(random_cells(rules, random, config_only=True))
            yield state
            while moves := engine.moves(state):
                state = engine.step(state, random.choice(moves))
                yield state
        except LimitReached:
            continue


def _drawn(rules: RuleSet, engine: Plain, random: Random) -> Iterator[State]:
    for _ in range(40):
        try:
            yield engine.settle(random_cells(rules, random))
        except LimitReached:
            continue


def random_cells(rules: RuleSet, random: Random, *, config_only: bool = False) -> State:
    """Any values that the cells may hold, small and extreme ones more often; not settled."""
    cells: list[int] = []
    for family in rules.families:
        for start in family.init:
            edges = (family.lo, family.hi, start, min(max(0, family.lo), family.hi))
            value = random.choice(edges) if random.random() < 0.5 else random.randint(family.lo, min(family.hi, family.lo + 5))
            cells.append(start if config_only and not family.config else value)
    return tuple(cells)


class _Maker:
    def __init__(self, random: Random, name: str) -> None:
        self.random = random
        self.game = Game(name, players=random.choice((1, 2, 2, 3)))
        self.cells: dict[str, Any] = {}
        self.shapes: list[Stack | Multiset | Optional] = []
        self._fields()

    def _fields(self) -> None:
        r, g = self.random, self.game
        self.turn = g.field("turn", values=range(g.players))
        for n in range(r.randint(2, 4)):
            self._field(f"f{n}_", config=False)
        if r.random() < 0.5:
            self._field("board", config=True)
        if r.random() < 0.3:
            g.switch("R.1", ("literal", "loose", "none"), r.choice(("literal", "loose")))
        if r.random() < 0.5:
            self.shapes.append(Stack(g, "pile", *self._owner(), slots=r.randint(1, 3), values=range(r.randint(2, 4))))
        if r.random() < 0.5:
            self.shapes.append(Multiset(g, "hand", *self._owner(), kinds=r.randint(1, 3), most=r.randint(1, 3)))
        if r.random() < 0.3:
            self.shapes.append(Optional(g, "maybe", *self._owner(), values=range(r.randint(0, 2), 4)))

    def _owner(self) -> tuple[int, ...]:
        return (self.game.players,) if self.random.random() < 0.5 else ()

    def _field(self, name: str, config: bool) -> None:
        r = self.random
        axes: list[int | Domain] = [r.choice((1, 2, 2, 3, COLUMN)) for _ in range(r.choice((0, 0, 1, 1, 2, 3)))]
        if r.random() < 0.2:
            axes = list(r.choice(((9,), (3, 4), (4, 5), (20,), (70,))))
        kind = r.choice(("bool", "int8", "int8", "int8", "int16", "int32", "labels"))
        if kind == "labels":
            values, default = COLOUR, r.choice((None, 5))
        elif kind == "bool":
            values, default = bool, r.choice((None, 1))
        else:
            lo, hi = r.choice(SPANS[kind])
            values, default = range(lo, hi + 1), r.choice((None, None, lo, hi, -7, 90))
        self.game.field(name, *axes, values=values, default=default, config=config)

    def trees(self, variables: dict[str, Expr]) -> Trees:
        tables = [t for t in TABLES if self.random.random() < 0.5]
        return Trees(self.random, self.game.families, tables, variables)

    def truth(self, variables: dict[str, Expr], depth: int) -> Expr:
        return build(self.trees(variables).truth(self.random.randint(1, depth)), variables)

    def number(self, variables: dict[str, Expr], depth: int, lo: int | None = None, hi: int | None = None) -> Expr:
        """A random number, kept within bounds where they are given."""
        node = build(self.trees(variables).number(self.random.randint(0, depth)), variables)
        return node if lo is None or hi is None else maximum(lo, minimum(hi, node))

    def done(self) -> RuleSet:
        r, g = self.random, self.game
        for n in range(r.randint(1, 4)):
            self._action(f"a{n}_")
        for n in range(r.choice((0, 1, 1, 2, 3))):
            spans = [r.randint(1, 3) for _ in range(r.choice((0, 0, 1, 2)))]
            loops = {f"t{k}": var(f"t{k}", 0, s - 1) for k, s in enumerate(spans)}
            effects = [e for _ in range(r.randint(1, 2)) for e in self._effect(loops, tame=0.95)]
            g.trigger(f"T.{n}", self.truth(loops, 3), effects)
            # ``Game.trigger`` makes its loops itself and calls for functions of them; here they are known before.
            g.triggers[-1] = replace(g.triggers[-1], loops=tuple(loops.values()))
        if r.random() < 0.6:
            g.over(self.truth({}, 3) & (self.turn == r.randrange(g.players)))
        if r.random() < 0.5:
            g.payoff(*(self.number({}, 2) for _ in range(g.players)))
        g.goal("any", 0, self.truth({}, 2))
        g.parts["passes"] = r.choice((2, 4, 8))
        return g.build()

    def _action(self, name: str) -> None:
        r, g = self.random, self.game
        chance = r.random() < 0.25
        by = None if chance else r.choice((None, self.turn, self.turn, r.randrange(g.players), "any"))
        action = g.action(name, by=self.number({}, 2) if by == "any" else by)
        variables = {} if chance else {"me": action.me}
        for p in range(r.choice((0, 1, 1, 2, 3))):
            lo = r.choice((0, 0, 0, -1, 1))
            values: Any = bool if r.random() < 0.2 else COLUMN if r.random() < 0.2 else range(lo, lo + r.randint(1, 4))
            variables[f"p{p}"] = action.param(f"p{p}", values)
        if chance:
            action.outcome(r.randint(1, 3) if r.random() < 0.4 else self.number(variables, 2, 0, 5))
        for n in range(r.randint(0, 3)):
            action.clause(f"{name}.{n}", self.truth(variables, 4), kind="limit" if r.random() < 0.15 else "rule")
        for _ in range(r.randint(1, 4)):
            action.effect(*self._effect(variables, tame=0.8))
        if r.random() < 0.6:
            action.effect(put(self.turn, self.number(variables, 1, 0, g.players - 1)))

    def _effect(self, variables: dict[str, Expr], tame: float) -> list[Effect]:
        while True:
            try:
                if self.shapes and self.random.random() < 0.3:
                    return self._shape_effect(variables)
                return self._plain_effect(variables, tame, self.random.choice((0, 0, 0, 1, 1, 2)))
            except ExpressionError:
                continue  # the target is outside for certain

    def _plain_effect(self, variables: dict[str, Expr], tame: float, loops: int) -> list[Effect]:
        r = self.random
        if loops:
            name = f"loop{loops}"
            lo = r.choice((0, 0, -1))
            return each(range(lo, lo + r.randint(1, 4)), lambda i: self._plain_effect({**variables, name: i}, tame, loops - 1))
        family: Family = r.choice([f for f in self.game.families if not f.config])
        trees, bound = self.trees(variables), [n for n in variables if n.startswith("loop")]
        cell = field(family, [self._index(trees, d, bound, variables) for d in family.dims])
        when: Any = self.truth(variables, 2) if r.random() < 0.4 else True
        if family.is_bool:
            return [put(cell, self.truth(variables, 2), when)]
        if r.random() < 0.4:
            amount = r.choice((1, -1, self.number(variables, 2, -2, 2)))
            return [gain(cell, amount if r.random() < tame else self.number(variables, 3), when)]
        bounds = (family.lo, family.hi) if r.random() < tame else (None, None)
        return [put(cell, self.number(variables, 3, *bounds), when)]

    def _index(self, trees: Trees, size: int, bound: list[str], variables: dict[str, Expr]) -> Expr:
        return build(trees.index(size, 2, bound), variables)

    def _shape_effect(self, variables: dict[str, Expr]) -> list[Effect]:
        r, shape = self.random, self.random.choice(self.shapes)
        when: Any = self.truth(variables, 2) if r.random() < 0.5 else True
        at = [r.randrange(self.game.players)] if len(_family(shape).dims) > (not isinstance(shape, Optional)) else []
        if isinstance(shape, Stack):
            if r.random() < 0.6:
                return shape.push(*at, card=self.number(variables, 1, 0, _family(shape).hi), when=when)
            return shape.pop(*at, count=minimum(shape.height(*at), r.randint(1, 2)), when=when)
        if isinstance(shape, Multiset):
            change: Callable[..., Effect] = r.choice((shape.add, shape.remove))
            return [change(*at, self.number(variables, 1), by=r.choice((1, 1, self.number(variables, 1, 0, 2))), when=when)]
        if r.random() < 0.3:
            return [shape.clear(*at, when=when)]
        return [shape.put(*at, value=self.number(variables, 1, *(_family(shape).lo, _family(shape).hi)), when=when)]


def _family(shape: Stack | Multiset | Optional) -> Family:
    cells = shape.cells
    return cells.args[0] if isinstance(cells, Expr) else cells.family  # type: ignore[no-any-return]
