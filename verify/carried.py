"""Which steps of a proof ask the same under other rules: what was proved of them there holds here, too.

Equal expressions are one object, in whatever rule set they stand. So two steps are the same question if they speak of the same
objects: the formulas, what is given, the effects on what the formulas read, and the conditions that the proof used. Another
reading changes few of the rules, so that most of a proof need not be made again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from monjudge.model.language import Action, Effect, Expr, RuleSet, Trigger, walk
from monjudge.model.properties import Scene
from monjudge.verify.idle import AFTER, IDLE, QUIET, WHEN, Way, about, in_the_way, writers
from monjudge.verify.invariants import LIMIT, firings
from monjudge.verify.obligations import LEFT
from monjudge.verify.queries import SETTLED
from monjudge.verify.question import Property, ask

__all__ = ["carried"]

KINDS = ("invariant", "unreachable", "step", "termination", "constant", "firing", "move", "legal", "deadlock")
"""Of other kinds nothing is carried over."""


def carried(prop: Property, certificate: Mapping[str, Any], there: Scene, here: Scene) -> dict[str, tuple[str, ...]]:
    """Of the steps of a proof about one scene, each with what it used, those that ask the same about another.

    Raises DataError where the property cannot be asked there.
    """
    own = [*prop.lemmas, *([certificate["invariants"][-1]] if prop.kind in ("invariant", "unreachable") and not prop.settled else [])]
    if prop.kind not in KINDS or own != certificate["invariants"]:  # it was helped by a lemma that is not asked for here
        return {}
    (one, *given), (other, *taken) = _subject(prop, there), _subject(prop, here)
    if given != taken or len(one) != len(other) or any(a is not b for a, b in zip(one, other, strict=True)):
        return {}
    used = certificate["used"]
    same = _Same(prop, used, there, here)
    return {step: tuple(names) for step, names in used.items() if same.step(step, names)}


def _subject(prop: Property, scene: Scene) -> tuple[tuple[Expr, ...], Any, Any, Any]:
    """What every step speaks of: the formulas and what is given, what is held, what is free, and for how many players."""
    asked, rules = ask(prop, scene), scene.rules
    formulas = (asked.formula, asked.premise, asked.left, *asked.lemmas, *asked.measure, scene.given)
    held = {name: _first(scene, name) for name in scene.held}
    return formulas, held, scene.free, rules.players


def _first(scene: Scene, name: str) -> tuple[int, ...]:
    """What the cells of a field hold in the beginning."""
    at = scene.rules.offset[name]
    return scene.start[at : at + scene.rules.family_named[name].size]


class _Same:
    """The rules of two scenes side by side, as a property that says the same of both sees them."""

    def __init__(self, prop: Property, used: Mapping[str, Sequence[str]], there: Scene, here: Scene) -> None:
        self.used, self.scenes, self.rules = used, (there, here), (there.rules, here.rules)
        asked = ask(prop, here)
        read = {n.args[0] for n in walk(asked.formula, asked.premise, asked.left, *asked.lemmas, *asked.measure) if n.op == "field"}
        self.read, self.fields = {family.uid for family in read}, {family.name for family in read}
        self.firings = [{name: trigger for name, trigger, _ in firings(rules.triggers)} for rules in self.rules]
        self._quiet: dict[str, bool] = {}

    def step(self, step: str, used: Sequence[str]) -> bool:
        if step.startswith(LEFT):
            return self.step(step.removeprefix(LEFT), used)
        kind, _, name = step.partition(" ")
        if kind == "start":
            return all(_first(self.scenes[0], f) == _first(self.scenes[1], f) for f in self.fields)
        if f"{kind} " == QUIET:
            return self.quiet(name)
        if not all(self.condition(n) for n in used if n.startswith(IDLE) or n == SETTLED):
            return False
        if kind in ("action", "move"):
            actions = [rules.by_name.get(name) for rules in self.rules]
            return self._both(actions, lambda rules, a: _action(rules, a, self._relevant(a.effects, used), used))
        if kind == "trigger":
            return self._both([each.get(step) for each in self.firings], lambda _, t: _trigger(t, self._relevant(t.effects, used)))
        if kind in ("legal", "deadlock"):  # the rules themselves are what is claimed
            names = [name] if kind == "legal" else [json.loads(n)[0] for n in used if n.startswith("[")]
            return self._both(self.rules, _over) and all(self._both([rules.by_name.get(n) for rules in self.rules], _whole) for n in names)
        return kind in ("at", "reflexive", "transitive")  # the formulas alone

    def _both(self, parts: Sequence[Any], key: Any) -> bool:
        """Whether the part is there in both rule sets, and the same."""
        one, other = (None if part is None else key(rules, part) for rules, part in zip(self.rules, parts, strict=True))
        return one is not None and one == other

    def _relevant(self, effects: Sequence[Effect], used: Sequence[str]) -> Sequence[Effect]:
        return effects if LIMIT in used else [e for e in effects if e.family.uid in self.read]

    def condition(self, name: str) -> bool:
        """Whether this condition of rest says the same, and stands."""
        if name == SETTLED:
            return self._both(self.rules, lambda rules, _: [_trigger(t, t.effects) for t in rules.triggers])
        id = name.removeprefix(IDLE)
        before = [[t for t in rules.triggers if t.id == id] for rules in self.rules]
        if not all(before):
            return False
        (one,), (other,) = before
        way = {t.id for t in in_the_way(self.rules[1], other)}
        return _when(one) == _when(other) and way <= {t.id for t in in_the_way(self.rules[0], one)} and all(map(self.quiet, {id, *way}))

    def quiet(self, id: str) -> bool:
        """Whether what was shown of a trigger stands: of the effects of all that write the field along which it goes."""
        if id not in self._quiet:
            self._quiet[id] = False  # none is shown by itself
            self._quiet[id] = QUIET + id in self.used and self._goes(id, self.used[QUIET + id])
        return self._quiet[id]

    def _goes(self, id: str, how: Sequence[str]) -> bool:
        field, _, direction = how[0].rpartition(" ")
        before = {name.removeprefix(AFTER) for name in how if name.startswith(AFTER)}

        def key(rules: RuleSet, _: Any) -> Any:
            way = Way(rules.family_named[field], direction == "up")
            there = [t for t in writers(rules, way) if t.id not in before]
            return way.family.uid, [(_trigger(about(t, way), about(t, way).effects), WHEN + t.id in how and _when(t)) for t in there]

        known = all(field in rules.family_named for rules in self.rules)
        return known and self._both(self.rules, key) and all(map(self.quiet, before)) and id in {t.id for t in self.rules[1].triggers}


def _over(rules: RuleSet, _: Any) -> Any:
    return [] if rules.over is None else [rules.over.expr.uid]


def _whole(rules: RuleSet, action: Action) -> Any:
    return _action(rules, action, action.effects, [c.id for c in action.clauses])


def _action(rules: RuleSet, action: Action, effects: Sequence[Effect], used: Sequence[str]) -> Any:
    """The parameters, who decides, the effects, and of the conditions those that were used."""
    over = _over(rules, None) if rules.over is not None and rules.over.id in used else []
    told = [e.uid for e in (action.by, action.weight, *(c.expr for c in action.clauses if c.id in used)) if e is not None]
    return [p.var.uid for p in action.params], action.is_chance, over, told, list(map(_effect, effects))


def _trigger(trigger: Trigger, effects: Sequence[Effect]) -> Any:
    return trigger.id, _when(trigger), list(map(_effect, effects))


def _when(trigger: Trigger) -> Any:
    return [v.uid for v in trigger.loops], trigger.when.uid


def _effect(e: Effect) -> Any:
    return e.family.uid, [i.uid for i in e.indices], e.value.uid, e.adds, e.when.uid, [v.uid for v in e.loops]
