"""A rule set played straight from the words of ``rules``, with ``evaluate`` for every value: slow and plain."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from monjudge.model.language import ME, NATURE, Action, Effect, Expr, LimitReached, Move, RuleSet, State, evaluate


class Plain:
    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules

    def value(self, expr: Expr, state: State, env: Mapping[str, int] | None = None) -> int:
        return evaluate(expr, state, env, self.rules.offset)

    def over(self, state: State) -> bool:
        return self.rules.over is not None and bool(self.value(self.rules.over.expr, state))

    def decides(self, state: State, move: Move) -> bool:
        action = self.rules.by_name[move.action]
        if action.weight is not None:
            return move.me == NATURE and self.value(action.weight, state, _env(action, move)) > 0
        return move.me in range(self.rules.players) and (action.by is None or self.value(action.by, state) == move.me)

    def legal(self, state: State, move: Move) -> bool:
        action = self.rules.by_name[move.action]
        if self.over(state) or not all(n in p.values for n, p in zip(move.args, action.params, strict=True)):
            return False
        env = _env(action, move)
        return self.decides(state, move) and all(self.value(c.expr, state, env) for c in action.clauses)

    def payoff(self, state: State) -> tuple[int, ...]:
        return tuple(self.value(p, state) for p in self.rules.payoffs)

    def candidates(self) -> Iterator[Move]:
        for action in self.rules.actions:
            for me in (NATURE,) if action.is_chance else range(self.rules.players):
                for args in itertools.product(*(p.values for p in action.params)):
                    yield Move(action.name, me, args)

    def moves(self, state: State) -> list[Move]:
        return [m for m in self.candidates() if self.legal(state, m)]

    def step(self, state: State, move: Move) -> State:
        action = self.rules.by_name[move.action]
        return self.settle(self._after(state, action.effects, _env(action, move)))

    def settle(self, state: State) -> State:
        for _ in range(self.rules.passes):
            before = state
            for trigger in self.rules.triggers:
                for env in _bindings(trigger.loops):
                    if self.value(trigger.when, state, env):
                        state = self._after(state, trigger.effects, env)
            if state == before:
                return state
        raise LimitReached("the triggers did not come to rest")

    def _after(self, state: State, effects: Sequence[Effect], env: Mapping[str, int]) -> State:
        assigned: dict[int, int] = {}
        added: dict[int, int] = {}
        for effect in effects:
            for loop in _bindings(effect.loops):
                here = {**env, **loop}
                place = effect.family.place([self.value(i, state, here) for i in effect.indices])
                if place is None or not self.value(effect.when, state, here):
                    continue
                cell = self.rules.offset[effect.family.name] + place
                value = self.value(effect.value, state, here)
                if effect.adds:
                    added[cell] = added.get(cell, 0) + value
                else:
                    assigned[cell] = value
        after = tuple(assigned.get(n, old) + added.get(n, 0) for n, old in enumerate(state))
        for value, (lo, hi) in zip(after, self.rules.bounds, strict=True):
            if not lo <= value <= hi:
                raise LimitReached(f"{value} lies outside {lo}..{hi}")
        return after


def _env(action: Action, move: Move) -> dict[str, int]:
    return {ME: move.me, **{p.name: n for p, n in zip(action.params, move.args, strict=True)}}


def _bindings(loops: Sequence[Expr]) -> Iterator[dict[str, int]]:
    names = [v.args[0] for v in loops]
    for values in itertools.product(*(range(v.lo, v.hi + 1) for v in loops)):
        yield dict(zip(names, values, strict=True))
