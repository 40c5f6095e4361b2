"""What must hold of a rule set before any engine reads it: every defect is one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from monjudge.model.language.expr import Expr, walk
from monjudge.model.language.rules import ME, Action, Effect, RuleSet

__all__ = ["RuleSetError", "check"]

_RESERVED = re.compile(r"(me|viewer|[eitx]\d+)\Z|\?")
_NAME = re.compile(r"[^\W\d]\w*(\.\w+)*\Z")


class RuleSetError(ValueError):
    """The rule set is not well formed. ``defects`` holds one sentence for each fault."""

    def __init__(self, name: str, defects: list[str]) -> None:
        super().__init__(f"the rule set {name!r} has {len(defects)} defect(s):\n" + "\n".join(f"- {d}" for d in defects))
        self.defects = defects


def check(rules: RuleSet, places: Mapping[tuple[str, int], str] | None = None) -> None:
    """Raises RuleSetError unless the rule set is well formed.

    ``places`` gives the source position of the n-th clause of an action, if known.
    """
    defects = list(_defects(rules, places or {}))
    if defects:
        raise RuleSetError(rules.name, defects)


def _defects(rules: RuleSet, places: Mapping[tuple[str, int], str]) -> Iterator[str]:
    yield from _duplicates("field", (f.name for f in rules.families))
    yield from _duplicates("action", (a.name for a in rules.actions))
    yield from _duplicates("trigger", (t.id for t in rules.triggers))
    for kind, names in (("field", [f.name for f in rules.families]), ("action", [a.name for a in rules.actions])):
        for name in names:
            if not _NAME.match(name) or _RESERVED.match(name):
                yield f"the {kind} name {name!r} is not a word, or is kept for bound variables"
    if rules.players < 1:
        yield f"a game has at least one player, not {rules.players}"
    scope = _Scope(rules)
    texts: dict[str, tuple[str, tuple[str, str, str]]] = {}
    for action in rules.actions:
        yield from _action(scope, action, places, texts)
    for trigger in rules.triggers:
        where = f"trigger {trigger.id!r}"
        if not trigger.id:
            yield "a trigger has no id"
        bound = {str(v.args[0]) for v in trigger.loops}
        yield from scope.expr(trigger.when, bound, where, truth=True)
        yield from scope.effects(trigger.effects, bound, where)
    yield from _declarations(scope, rules)


def _duplicates(kind: str, names: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield f"two {kind}s are called {name!r}"
        seen.add(name)


def _action(
    scope: _Scope, action: Action, places: Mapping[tuple[str, int], str],
    texts: dict[str, tuple[str, tuple[str, str, str]]],
) -> Iterator[str]:  # fmt: skip
    where = f"action {action.name!r}"
    names = {p.name for p in action.params}
    yield from (f"{where}: {d}" for d in _duplicates("parameter", (p.name for p in action.params)))
    for p in action.params:
        if _RESERVED.match(p.name) or not _NAME.match(p.name):
            yield f"{where}: the parameter name {p.name!r} is not a word, or is kept for bound variables"
    if action.by is not None and action.is_chance:
        yield f"{where}: a chance move has a weight and no player who decides"
    if action.by is not None:
        yield from scope.expr(action.by, set(), f"{where}, who decides", truth=False)
        if action.by.lo >= scope.rules.players or action.by.hi < 0:
            yield f"{where}: who decides ranges over {action.by.lo}..{action.by.hi}, but the players are 0..{scope.rules.players - 1}"
    if action.weight is not None:
        yield from scope.expr(action.weight, names, f"{where}, weight", truth=False)
        if action.weight.hi <= 0 or action.weight.lo < 0:
            yield f"{where}: the weight ranges over {action.weight.lo}..{action.weight.hi}; it must not be negative and may not be always 0"
    if not action.is_chance:
        names.add(ME)
    seen: set[str] = set()
    for n, clause in enumerate(action.clauses):
        place = places.get((action.name, n))
        at = f"{place}: {where}, clause {clause.id!r}" if place else f"{where}, clause {clause.id!r}"
        if not clause.id:
            yield f"{at}: a clause needs the id of the rule it states"
        elif clause.id in seen:
            yield f"{at}: two clauses of one action have this id; join them with &"
        seen.add(clause.id)
        text = (clause.ref, clause.en, clause.ja)
        first = texts.setdefault(clause.id, (at, text))
        if clause.id and first[1] != text:
            yield f"{at}: the id has another text than at {first[0]}"
        yield from scope.expr(clause.expr, names, at, truth=True)
    yield from scope.effects(action.effects, names, where)


class _Scope:
    """Checks expressions against the fields of one rule set."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.known = {f.uid for f in rules.families}
        self.good: set[int] = set()

    def expr(self, node: Expr, names: set[str], where: str, *, truth: bool | None, after: bool = False) -> Iterator[str]:
        if truth is not None and node.is_bool != truth:
            yield f"{where}: expected a {'truth value' if truth else 'number'}, got {node!r}"
        for name in sorted(node.free - names):
            known = ", ".join(sorted(names)) or "none"
            yield f"{where}: the variable {name!r} is not a parameter here (known: {known})"
        for part in walk(node):
            if part.op != "field" or part.uid in self.good:
                continue
            family, at = part.args[0], part.args[1]
            if family.uid not in self.known:
                yield f"{where}: the field {family.name!r} is not one of this rule set"
            elif at and not after:
                yield f"{where}: only a norm may speak of the next state ({part!r})"
            elif not at:
                self.good.add(part.uid)

    def effects(self, effects: Iterable[Effect], names: set[str], where: str) -> Iterator[str]:
        for e in effects:
            at = f"{where}, effect on {e.family.name!r}"
            inner = names | {str(v.args[0]) for v in e.loops}
            if e.family.uid not in self.known:
                yield f"{at}: the field is not one of this rule set"
            if e.family.config:
                yield f"{at}: a configuration field is never written"
            if e.adds and (e.family.is_bool or e.value.is_bool):
                yield f"{at}: a truth value cannot be added to"
            if not e.adds:
                if e.value.is_bool != e.family.is_bool:
                    kind = "truth values" if e.family.is_bool else "numbers"
                    yield f"{at}: the field holds {kind}, not {e.value!r}"
                if e.value.hi < e.family.lo or e.value.lo > e.family.hi:
                    yield f"{at}: {e.value!r} ({e.value.lo}..{e.value.hi}) never fits {e.family.lo}..{e.family.hi}"
            for part in (*e.indices, e.value):
                yield from self.expr(part, inner, at, truth=None)
            yield from self.expr(e.when, inner, at, truth=True)


def _declarations(scope: _Scope, rules: RuleSet) -> Iterator[str]:
    if rules.over is not None:
        yield from scope.expr(rules.over.expr, set(), "the end of the game", truth=True)
    if rules.payoffs and len(rules.payoffs) != rules.players:
        yield f"{len(rules.payoffs)} payoffs for {rules.players} players"
    for p, payoff in enumerate(rules.payoffs):
        yield from scope.expr(payoff, set(), f"the payoff of player {p}", truth=False)
    for goal in rules.goals:
        if not 0 <= goal.player < rules.players:
            yield f"goal {goal.name!r}: there is no player {goal.player}"
        yield from scope.expr(goal.when, set(), f"goal {goal.name!r}", truth=True)
    for norm in rules.norms:
        where = f"norm {norm.id!r}"
        names: set[str] = set()
        if norm.on is not None:
            action = rules.by_name.get(norm.on)
            if action is None:
                yield f"{where}: there is no action {norm.on!r}"
                continue
            names = {p.name for p in action.params} | {ME}
        yield from scope.expr(norm.scope, names, where, truth=True)
        yield from scope.expr(norm.formula, names, where, truth=True, after=norm.kind == "effect")
    for name, seen in rules.visible.items():
        family = rules.family_named.get(name)
        if family is None:
            yield f"observation: there is no field {name!r}"
            continue
        indices = {f"x{n}" for n in range(len(family.dims))}
        yield from scope.expr(seen, indices | {"viewer"}, f"observation of {name!r}", truth=True)
    for group in rules.simultaneous:
        yield from scope.expr(group.open, set(), f"simultaneous {group.name!r}", truth=True)
        for name in group.actions:
            if name not in rules.by_name:
                yield f"simultaneous {group.name!r}: there is no action {name!r}"
    if rules.turns is not None:
        yield from scope.expr(rules.turns.number, set(), "the number of the turn", truth=False)
        for name in rules.turns.segments:
            if name not in rules.by_name:
                yield f"turn structure: there is no action {name!r}"
    for quantity in rules.monotone:
        yield from scope.expr(quantity.quantity, set(), f"monotone {quantity.name!r}", truth=False)
    for symmetry in rules.symmetries:
        for name in (*symmetry.axes, *symmetry.values):
            if name not in rules.family_named:
                yield f"symmetry {symmetry.name!r}: there is no field {name!r}"
