"""Small random machines, and random claims about them for the prover: everything follows from a seed.

A machine has so few states that all of them can be looked at, and yet players, parameters, chance, triggers, bounds that are
met, boards and fields that are left open. Half of what a claim says is plain enough to be true now and then.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from plain import Plain

from monjudge.model.language import (
    Action,
    Effect,
    Expr,
    ExpressionError,
    Family,
    Game,
    LimitReached,
    RuleSet,
    RuleSetError,
    State,
    both,
    evaluate,
    field,
    gain,
    ite,
    lift,
    maximum,
    minimum,
    primed,
    put,
    var,
)
from monjudge.model.properties import Scene
from monjudge.verify.question import Property

KINDS = ("invariant", "unreachable", "reachable", "explore", "step", "move", "legal", "deadlock", "constant", "termination",
         "loop", "limit", "commute", "firing", "confluence", "rest", "fact")  # fmt: skip
"""The kinds of claims that a search through all states can judge."""

_SPEAKS_NEXT = ("step", "move", "firing")
_MAY_REST = ("invariant", "unreachable", "move", "legal", "deadlock")
_NO_FORMULA = ("legal", "deadlock", "constant", "termination", "loop", "limit", "commute", "confluence", "rest")
_NO_PREMISE = ("constant", "firing", "confluence")
_NO_LEMMAS = ("reachable", "explore", "loop", "fact", "firing", "confluence", "rest")


class _Words:
    """Random numbers and truths about some fields, and about more numbers."""

    def __init__(self, random: Random, families: Iterable[Family], more: Sequence[Expr] = ()) -> None:
        cells = [field(f, at) for f in families for at in itertools.product(*map(range, f.dims))]
        self.random = random
        self.truths, self.cells = [c for c in cells if c.is_bool], [c for c in cells if not c.is_bool]
        self.numbers = [*self.cells, *more]

    def with_next(self) -> _Words:
        self.truths, self.numbers = ([*each, *map(primed, each)] for each in (self.truths, self.numbers))
        return self

    def number(self) -> Expr:
        kind = self.random.random()
        if kind < 0.15:
            return lift(self.random.randrange(-1, 4))
        one, other = self.random.choice(self.numbers), self.random.choice(self.numbers)
        return one + other if kind < 0.25 else one - other if kind < 0.3 else one

    def truth(self, depth: int = 2) -> Expr:
        r, kind = self.random, self.random.random()
        if depth and kind < 0.35:
            one, other = self.truth(depth - 1), self.truth(depth - 1)
            return one & other if kind < 0.15 else one | other if kind < 0.3 else ~one
        if kind < 0.5:
            return r.choice(self.truths)
        one, other = r.choice(self.numbers), self.number()
        return r.choice((one < other, one <= other, one == other, one != other))


@cache
def machine(seed: int) -> Scene:
    """The machine of a seed, with where play may begin."""
    for attempt in itertools.count():
        random = Random(f"machine {seed}/{attempt}")
        try:
            scene = _Maker(random).done()
        except (ExpressionError, RuleSetError):
            continue  # an effect that never fits
        if random.random() < 0.1 or _goes_on(scene):
            return scene
    raise AssertionError


def _goes_on(scene: Scene, most: int = 8) -> bool:
    """Whether so many states are reached from the start."""
    engine, front = Plain(scene.rules), list[State]()
    with suppress(LimitReached):
        front.append(engine.settle(scene.start))
    for state in front:  # which grows
        for move in engine.moves(state):
            with suppress(LimitReached):
                then = engine.step(state, move)
                front += [then] if then not in front else []
        if len(front) >= most:
            return True
    return False


class _Maker:
    def __init__(self, random: Random) -> None:
        self.random = r = random
        self.game = g = Game("machine", players=r.choice((1, 2, 2, 3)))
        self.cell = g.field("cell", 2, values=range(r.choice((3, 4))))
        self.lamp, self.level = g.field("lamp", values=bool), g.field("level", values=range(-1, 3), init=r.choice((-1, 0, 1)))
        self.turn = g.field("turn", values=range(g.players))
        # What only triggers write, and with what else they do, shows whether they are asked about at all.
        self.of_moves, self.of_triggers = r.choice((
            (("cell", "cell", "lamp", "level"), ("cell", "cell", "lamp", "level")), (("cell", "lamp"), ("lamp", "level")),
            (("cell", "level"), ("cell", "lamp")), (("lamp",), ("cell", "level")), (("level",), ("level", "cell")), (("lamp",), ("lamp", "level")),
        ))  # fmt: skip
        self.has_board = r.random() < 0.6
        if self.has_board:
            g.field("board", values=range(3), init=r.choice((0, 1)), config=True)

    def words(self, *more: Expr) -> _Words:
        return _Words(self.random, self.game.families, more)

    def done(self) -> Scene:
        r, g = self.random, self.game
        for n in range(r.randint(1, 3)):
            self._action(n)
        for n in range(r.choice((0, 1, 1, 2, 3))):
            loops = [var("t0", 0, 1)] if r.random() < 0.3 else []
            when, effects = self.words(*map(self._at, loops)).truth(), [self._effect(self.of_triggers, *loops) for _ in range(r.randint(1, 2))]
            g.trigger(f"T.{n}", lambda *_, when=when: when, lambda *_, effects=effects: effects, over=(2,) * len(loops))
        if r.random() < 0.5:
            g.over(self.words().truth())
        rules = g.build()
        scene = Scene(rules, rules.start, frozenset({"level"} if r.random() < 0.25 else ()))
        if not self.has_board:
            return scene
        board = field(rules.family_named["board"], ())
        first = rules.start[rules.cell("board")]
        given, held = r.choice(((scene.given, ()), (scene.given, ()), (board < 2, ()), (board != 1 - first, ()), (board == first, ("board",))))
        return replace(scene, given=given, held=frozenset(held))

    def _action(self, n: int) -> None:
        r, g = self.random, self.game
        chance = r.random() < 0.15
        action = g.action(f"a{n}", by=None if chance or r.random() < 0.3 else r.choice((self.turn, self.turn, 0, g.players - 1)))
        index = [action.param("k", range(2))] if r.random() < 0.5 else [] if chance or r.random() < 0.5 else [action.me]
        words = self.words(*index, *map(self._at, index))
        if chance:
            action.outcome(r.choice((1, ite(words.truth(), 1, 0), 2)))
        for m in range(r.randint(0, 2)):
            action.clause(f"A{n}.{m}", words.truth(), kind="limit" if r.random() < 0.15 else "rule")
        action.effect(*(self._effect(self.of_moves, *index) for _ in range(r.randint(1, 3))))
        if (puts := [e for e in action.effects if not e.adds]) and r.random() < 0.3:
            first = puts[0]  # it is made only where it changes something: whoever is second cannot make it any more
            action.clause(f"A{n}", field(first.family, first.indices) != first.value)
        if r.random() < 0.5:
            action.effect(put(self.turn, ite(self.turn == g.players - 1, 0, self.turn + 1)))

    def _at(self, index: Expr) -> Expr:
        return self.cell[index]

    def _effect(self, writes: Sequence[str], *index: Expr) -> Effect:
        """An effect on one of these fields."""
        r, words, top = self.random, self.words(*map(self._at, index)), self.cell.family.hi
        cell = self._at(r.choice((0, 1) if not index or r.random() < 0.3 else index))
        when: Any = words.truth() if r.random() < 0.3 else True
        ways = {
            "cell": (lambda: gain(cell, 1, when), lambda: gain(cell, 1, (cell < top) & when), lambda: gain(cell, -1, (cell > 0) & when),
                     lambda: put(cell, maximum(0, minimum(top, words.number())), when), lambda: put(cell, r.randrange(top + 1), when)),
            "lamp": (lambda: put(self.lamp, r.random() < 0.5, when), lambda: put(self.lamp, words.truth(), when)),
            "level": (lambda: gain(self.level, r.choice((1, -1)), when), lambda: put(self.level, r.randrange(-1, 3), when)),
        }  # fmt: skip
        return r.choice(ways[r.choice(writes)])()


def claim(kind: str, seed: int, number: int = 0) -> Property:
    """One claim of this kind about the machine of a seed; likely one that is not wrong at once."""
    scene, r = machine(seed), Random(f"claim {kind} {seed} {number}")
    rules = scene.rules
    on = r.choice(rules.actions) if kind in ("move", "legal") else None
    chosen = [] if on is None else [*([] if on.is_chance else [var("me", 0, rules.players - 1)]), *(p.var for p in on.params)]
    plain, words = _Words(r, rules.families), _Words(r, rules.families, chosen)

    def likely(words: _Words, wanted: bool = True) -> str:
        """A truth that is as is wanted where play begins, if one comes soon."""
        env = {"me": 0, "k": 0}
        tried = (words.truth(r.choice((0, 1, 2))) for _ in range(4))
        found, *_ = sorted(tried, key=lambda truth: bool(evaluate(truth, rules.start, env, rules.offset, rules.start)) is not wanted)
        return repr(found)

    parts: dict[str, Any] = {"on": on.name if on else ""}
    if kind not in _NO_PREMISE and (kind == "legal" or r.random() < (0.8 if kind == "termination" else 0.4)):
        parts["premise"] = likely(words)
    if kind == "legal" and r.random() < 0.5:
        parts["premise"] = repr(_conditions(r, rules, on))
    if kind == "termination" and r.random() < 0.5:
        parts["premise"] = repr(_as_in_the_start(r, rules))
    if kind not in _NO_LEMMAS:
        parts["lemmas"] = tuple(likely(plain) for _ in range(r.choice((0, 0, 0, 1, 2))))
    if kind in _MAY_REST:
        parts["settled"] = r.random() < 0.4
    if kind in ("constant", "termination") or (kind == "loop" and r.random() < 0.2):
        parts["measure"] = tuple(repr(r.choice((1, -1)) * plain.number()) for _ in range(r.randint(1, 4 if kind == "termination" else 2)))
    if kind == "termination" and r.random() < 0.5:
        parts["left"] = likely(plain, False)
    names = {"limit": [a.name for a in rules.actions], "commute": [a.name for a in rules.actions]}.get(kind, [t.id for t in rules.triggers])
    if kind in ("limit", "commute", "firing", "confluence", "rest") and names and r.random() < 0.25:
        parts["among"] = tuple(r.sample(names, r.randint(1, len(names))))
    if kind not in _NO_FORMULA:
        speaks_next = kind in _SPEAKS_NEXT and (kind != "move" or r.random() < 0.6)
        parts["formula"] = likely(words.with_next() if speaks_next else words, kind not in ("unreachable", "reachable"))
    if kind == "step" and r.random() < 0.5:
        cell, far = r.choice(plain.cells), r.choice((0, 1))
        parts["formula"] = repr(r.choice((primed(cell) <= cell + far, cell <= primed(cell) + far, primed(cell) != cell + 1 - 2 * far)))
    return Property(f"{kind} {seed} {number}", kind, **parts)


def _as_in_the_start(r: Random, rules: RuleSet) -> Expr:
    """That a cell is as play begins: one that triggers write, where they write any."""
    written = [e.family for t in rules.triggers for e in t.effects] or [*rules.families]
    family = r.choice(written)
    at = tuple(map(r.randrange, family.dims))
    first = rules.start[rules.cell(family.name, *at)]
    return field(family, at) == lift(bool(first) if family.is_bool else first)


def _conditions(r: Random, rules: RuleSet, on: Action | None) -> Expr:
    """What makes a move legal, or all of that but for one part."""
    assert on is not None
    parts = [c.expr for c in on.clauses] + ([] if rules.over is None else [~rules.over.expr])
    if on.weight is not None or on.by is not None:
        parts.append(on.by == var("me", 0, rules.players - 1) if on.weight is None else on.weight > 0)
    left_out = r.choice((None, *range(len(parts))))
    return both(*(part for n, part in enumerate(parts) if n != left_out))
