"""What is true of a small machine, by looking at every state: it shares nothing with the prover but the meaning of expressions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, cached_property, reduce
from typing import Any

from machines import machine
from plain import Plain

from monjudge.model.language import ME, NATURE, LimitReached, Move, State, evaluate, parse_expr
from monjudge.model.properties import Scene
from monjudge.verify.question import Property


def made(make: Callable[..., State], *given: Any) -> State | None:
    """The state that is made; None where a bound is passed."""
    try:
        return make(*given)
    except LimitReached:
        return None


class Searched(Plain):
    """Every state at rest that is ``reached``, with its distance from the nearest beginning, and where its moves lead.

    ``follow``: the legal moves of each, with the state at rest that they lead to, or None where a bound is passed.
    """

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene.rules)
        self.scene, self.effects = scene, Plain(replace(scene.rules, triggers=()))
        opened = {scene.rules.offset[f.name] + n for f in scene.rules.families if scene.is_open(f.name) for n in range(f.size)}
        begun = (made(self.settle, state) for state in self.all_states(opened))
        self.follow: dict[State, list[tuple[Move, State | None]]] = {}
        self.reached = self.distances(state for state in begun if state is not None)

    def distances(self, beginnings: Iterable[State]) -> dict[State, int]:
        """How many moves lead at least from one of these states to each that is reached."""
        found = dict.fromkeys(beginnings, 0)
        front = list(found)
        for state in front:  # which grows
            if state not in self.follow:
                self.follow[state] = [(move, made(self.step, state, move)) for move in self.moves(state)]
            for _, then in self.follow[state]:
                if then is not None and then not in found:
                    found[then] = found[state] + 1
                    front.append(then)
        return found

    def all_states(self, varied: set[int] | None = None) -> Iterator[State]:
        """Every state as is given, reached or not; with ``varied`` only these cells are other than in the start."""
        spans = [range(lo, hi + 1) if varied is None or n in varied else (self.scene.start[n],) for n, (lo, hi) in enumerate(self.rules.bounds)]
        return (state for state in itertools.product(*spans) if self.value(self.scene.given, state))

    def steps(self) -> Iterator[tuple[State, Move, State]]:
        return ((state, move, then) for state, moves in self.follow.items() for move, then in moves if then is not None)

    def env(self, move: Move) -> dict[str, int]:
        params = self.rules.by_name[move.action].params
        return {ME: move.me, **{p.name: n for p, n in zip(params, move.args, strict=True)}}

    def fire(self, state: State, firing: int) -> State:
        """The state after one firing of a trigger, the same where it cannot fire. Raises LimitReached."""
        trigger, env = self.firings[firing]
        return self._after(state, trigger.effects, env) if self.value(trigger.when, state, env) else state

    def fired(self, state: State) -> State:
        """The state after as many passes as there may be, at rest or not. Raises LimitReached where a value passes a bound."""
        return reduce(self.fire, [*range(len(self.firings))] * self.rules.passes, state)

    @cached_property
    def firings(self) -> list[tuple[Any, dict[str, int]]]:
        """Each trigger with each value of its loops."""
        spans = [(t, [[(v.args[0], n) for n in range(v.lo, v.hi + 1)] for v in t.loops]) for t in self.rules.triggers]
        return [(trigger, dict(bound)) for trigger, span in spans for bound in itertools.product(*span)]


@cache
def searched(seed: int) -> Searched:
    """All of the machine of a seed."""
    return Searched(machine(seed))


def rests(all_of: Searched, state: State, free: list[int], others: list[int]) -> set[State]:
    """Where all orders of firing lead that come to rest. Raises LimitReached."""
    seen, front, found = {state}, [state], set[State]()
    for at in front:  # which grows
        fired = [then for firing in free if (then := all_of.fire(at, firing)) != at]
        fired = fired or [then for firing in others if (then := all_of.fire(at, firing)) != at][:1]
        found |= set() if fired else {at}
        front += (new := {*fired} - seen)
        seen |= new
    return found


class Claim:
    """A claim about all of a machine: the method of its kind says whether it is true."""

    def __init__(self, prop: Property, all_of: Searched) -> None:
        self.prop, self.all, self.rules = prop, all_of, all_of.rules
        self.reached, self.steps = all_of.reached.keys(), all_of.steps
        self.premise, self.formula = self._truth(prop.premise), self._truth(prop.formula)
        among = {n for n, (t, _) in enumerate(all_of.firings) if not prop.among or t.id in prop.among}
        self.among, self.others = sorted(among), [n for n in range(len(all_of.firings)) if n not in among]

    def _truth(self, text: str) -> Callable[..., int]:
        expr = parse_expr(text, self.all.scene.scope(self.prop.on or None))
        return lambda state, env=None, then=(): evaluate(expr, state, env, self.rules.offset, then)

    def agrees(self, yes: bool) -> bool:
        """Whether the answer is right. Of some kinds what is proved is about effects alone, and what is refuted about whole moves."""
        if self.prop.kind in ("commute", "limit"):
            return bool(getattr(self, self.prop.kind)(self.all.effects if yes else self.all)) is yes
        return bool(getattr(self, self.prop.kind)()) is yes

    def is_met(self) -> bool:
        """Whether something is claimed of a state (of a move, or of two) that is reached, and as the lemmas say."""
        lemmas = [self._truth(text) for text in self.prop.lemmas]
        states = [state for state in self.reached if all(lemma(state) for lemma in lemmas)]
        if self.prop.kind == "commute":
            return any(state in states for state, _, _ in self._pairs())
        if self.prop.kind not in ("move", "legal"):
            return any(map(self.premise, states))
        moves, all_of_them = [m for m in self.all.candidates() if m.action == self.prop.on], self.prop.kind == "legal"
        asked = ((s, m) for s in states for m in moves if (all_of_them and not self.all.over(s)) or self.all.legal(s, m))
        return any(self.premise(s, self.all.env(m)) for s, m in asked)

    # -- of states --------------------------------------------------------------------------------

    def breaks(self, state: State) -> bool:
        """Whether a state shows what is unreachable or reachable, or that something is no invariant."""
        return bool(self.premise(state)) and bool(self.formula(state)) is (self.prop.kind in ("unreachable", "reachable"))

    def shortest(self, beginnings: Iterable[State]) -> int | None:
        """How many moves lead at least from one of these states to such a one."""
        return min((far for state, far in self.all.distances(beginnings).items() if self.breaks(state)), default=None)

    def invariant(self) -> bool:
        return not any(map(self.breaks, self.reached))

    unreachable = explore = invariant

    def reachable(self) -> bool:
        return any(map(self.breaks, self.reached))

    def fact(self) -> bool:
        return not any(map(self.breaks, self.all.all_states()))

    def step(self) -> bool:
        """It relates every state to all that come after it."""
        for state in filter(self.premise, self.reached):
            later = [state]
            seen = set[State]()
            for at in later:  # which grows
                later += (new := {then for _, then in self.all.follow[at] if then is not None} - seen)
                seen |= new
            if not all(self.formula(state, None, then) for then in seen):
                return False
        return True

    def loop(self) -> bool:
        """Of the states with the premise, those from which none of them is reached any more are taken away, until none is left."""
        kept = {state: {then for _, then in self.all.follow[state]} for state in filter(self.premise, self.reached)}
        while ends := [state for state, after in kept.items() if not after & kept.keys()]:
            for state in ends:
                del kept[state]
        return not kept

    # -- of moves ---------------------------------------------------------------------------------

    def move(self) -> bool:
        made = ((state, self.all.env(m), self.all.effects.step(state, m)) for state, m, _ in self.steps() if m.action == self.prop.on)
        return all(self.formula(state, env, then) for state, env, then in made if self.premise(state, env))

    def legal(self) -> bool:
        on = [m for m in self.all.candidates() if m.action == self.prop.on]
        return all(self.all.legal(state, m) for state in self.reached if not self.all.over(state)
                   for m in on if self.premise(state, self.all.env(m)))  # fmt: skip

    def deadlock(self) -> bool:
        return all(self.all.over(state) or self.all.follow[state] for state in self.reached if self.premise(state))

    def _measured(self, state: State) -> list[int]:
        return [self._truth(text)(state) for text in self.prop.measure]

    def constant(self) -> bool:
        return all(self._measured(state) == self._measured(then) for state, _, then in self.steps())

    def termination(self) -> bool:
        """It is more than that play ends: the first number that changes falls."""
        return all(self._measured(then) < self._measured(state) for state, _, then in self.steps() if self.premise(state) and self.premise(then))

    def limit(self, engine: Plain) -> bool:
        """No move that the rules allow is barred by a bound or passes one; where nothing else is said, triggers do not, either."""
        actions = tuple(replace(a, clauses=tuple(c for c in a.clauses if c.kind != "limit")) for a in self.rules.actions)
        loose, prop = Plain(replace(self.rules, actions=actions)), self.prop
        for state in filter(self.premise, self.reached):
            for m in loose.moves(state):
                if not prop.among or m.action in prop.among:
                    then = made(engine.step, state, m) if self.all.legal(state, m) else None
                    if then is None or (not prop.among and prop.premise == "true" and made(self.all.fired, then) is None):
                        return False
        return True

    def _pairs(self) -> Iterator[tuple[State, Move, Move]]:
        for state in filter(self.premise, self.reached):
            moves = [m for m, _ in self.all.follow[state] if m.me != NATURE and (not self.prop.among or m.action in self.prop.among)]
            yield from ((state, one, two) for one, two in itertools.combinations(moves, 2) if one.me != two.me)

    def commute(self, engine: Plain) -> bool:
        """Each of two moves stays legal after the other, and the order does not show unless a bound is passed."""
        for state, one, two in self._pairs():
            first, second = made(engine.step, state, one), made(engine.step, state, two)
            if first is None or second is None:
                continue
            if not (engine.legal(first, two) and engine.legal(second, one)):
                return False
            ends = made(engine.step, first, two), made(engine.step, second, one)
            if None not in ends and ends[0] != ends[1]:
                return False
        return True

    # -- of triggers ------------------------------------------------------------------------------

    def firing(self) -> bool:
        """Whatever the state, reached or not."""
        for state, n in itertools.product(self.all.all_states(), self.among):
            trigger, env = self.all.firings[n]
            then = made(self.all.fire, state, n)
            if self.all.value(trigger.when, state, env) and then is not None and not self.formula(state, None, then):
                return False
        return True

    def confluence(self) -> bool:
        """Whatever the state, reached or not."""
        def both(state: State, one: int, two: int) -> State:
            return self.all.fire(self.all.fire(state, one), two)

        return all(None in (ends := (made(both, state, one, two), made(both, state, two, one))) or ends[0] == ends[1]
                   for state in self.all.all_states() for one, two in itertools.combinations(self.among, 2))  # fmt: skip

    def rest(self) -> bool:
        for state, m, _ in self.steps():
            try:
                if self.premise(state) and len(rests(self.all, self.all.effects.step(state, m), self.among, self.others)) > 1:
                    return False
            except LimitReached:
                continue  # some order passes a bound: nothing is said of it
        return True
