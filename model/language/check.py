"""What must hold of a rule set before any engine reads it: every defect is one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from monjudge.model.language.expr import Expr, children, var, walk
from monjudge.model.language.family import Domain
from monjudge.model.language.rules import ME, Action, Effect, RuleSet, Symmetry

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
        return
    yield from _labels(rules)
    scope = _Scope(rules)
    texts: dict[str, tuple[str, tuple[str, str, str]]] = {}
    for action in rules.actions:
        yield from _action(scope, action, places, texts)
    for trigger in rules.triggers:
        where = f"trigger {trigger.id!r}"
        if not trigger.id:
            yield "a trigger has no id"
        yield from scope.loops(trigger.loops, "t", where)
        bound = {str(v.args[0]): v for v in trigger.loops}
        yield from scope.expr(trigger.when, bound, where, truth=True)
        yield from scope.effects(trigger.effects, bound, where)
    yield from _declarations(scope, rules)


def _labels(rules: RuleSet) -> Iterator[str]:
    for family in rules.families:
        named: list[tuple[Domain | None, int, str]] = [
            (axis, size, f"axis {n}") for n, (axis, size) in enumerate(zip(family.axes, family.dims, strict=False))
        ]
        named.append((family.labels, family.hi + 1 if family.lo == 0 else -1, "its values"))
        for domain, size, what in named:
            if domain is not None and domain.size != size:
                yield f"the field {family.name!r}: {domain.size} labels do not name {what}, of which there are {size}"


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
    names = {p.name: p.var for p in action.params}
    yield from (f"{where}: {d}" for d in _duplicates("parameter", (p.name for p in action.params)))
    for p in action.params:
        if _RESERVED.match(p.name) or not _NAME.match(p.name):
            yield f"{where}: the parameter name {p.name!r} is not a word, or is kept for bound variables"
        if p.labels is not None and (p.var.lo, p.var.hi) != (0, p.labels.size - 1):
            yield f"{where}: the parameter {p.name!r} ranges over {p.var.lo}..{p.var.hi}, but has {p.labels.size} labels"
    if action.by is not None and action.is_chance:
        yield f"{where}: a chance move has a weight and no player who decides"
    if action.by is not None:
        yield from scope.expr(action.by, {}, f"{where}, who decides", truth=False)
        if action.by.lo >= scope.rules.players or action.by.hi < 0:
            yield f"{where}: who decides ranges over {action.by.lo}..{action.by.hi}, but the players are 0..{scope.rules.players - 1}"
    if action.weight is not None:
        yield from scope.expr(action.weight, names, f"{where}, weight", truth=False)
        if action.weight.hi <= 0 or action.weight.lo < 0:
            yield f"{where}: the weight ranges over {action.weight.lo}..{action.weight.hi}; it must not be negative and may not be always 0"
    if not action.is_chance:
        names[ME] = scope.me
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
        self.me = var(ME, 0, rules.players - 1)
        self.known = {f.uid for f in rules.families}
        self.good: set[int] = set()
        self.entered: set[int] = set()
        self.variables: dict[int, dict[int, Expr]] = {}

    def expr(
        self, node: Expr, names: Mapping[str, Expr], where: str, *, truth: bool | None, after: bool = False
    ) -> Iterator[str]:
        if truth is not None and node.is_bool != truth:
            yield f"{where}: expected a {'truth value' if truth else 'number'}, got {node!r}"
        for variable in self.free(node):
            name = variable.args[0]
            if name not in names:
                known = ", ".join(sorted(names)) or "none"
                yield f"{where}: the variable {name!r} is not a parameter here (known: {known})"
            elif names[name] is not variable:
                one, other = (f"{v.lo}..{v.hi}" for v in (variable, names[name]))
                yield f"{where}: the variable {name!r} is taken for {one}, but it ranges over {other}"
        found = list(self.cells(node, after))
        if found:
            self.good.clear()  # so that every other place that has the fault is named too
        yield from (f"{where}: {defect}" for defect in found)

    def cells(self, node: Expr, after: bool) -> Iterator[str]:
        """Faults of the cells below a node; what was found good before is not entered again."""
        for part in walk(node, seen=set() if after else self.good):
            if part.op != "field":
                continue
            family, at = part.args[0], part.args[1]
            if family.uid not in self.known:
                yield f"the field {family.name!r} is not one of this rule set"
            elif at and not after:
                yield f"only a norm may speak of the next state ({part!r})"

    def free(self, node: Expr) -> Iterable[Expr]:
        """The variables that occur free, each as a node: a name alone does not say its interval."""
        for part in walk(node, seen=self.entered):
            found = {part.uid: part} if part.op == "var" else {}
            for child in children(part):
                found |= self.variables[child.uid]
            if part.op in ("all", "any", "sum"):
                found.pop(part.args[0].uid, None)
            self.variables[part.uid] = found
        return self.variables[node.uid].values()

    def loops(self, loops: Iterable[Expr], letter: str, where: str) -> Iterator[str]:
        for n, loop in enumerate(loops):
            if loop.op != "var" or loop.is_bool or loop.args[0] != f"{letter}{n}":
                yield f"{where}: loop {n} runs over a number called {letter}{n}, not over {loop!r}"

    def effects(self, effects: Iterable[Effect], names: Mapping[str, Expr], where: str) -> Iterator[str]:
        for e in effects:
            at = f"{where}, effect on {e.family.name!r}"
            yield from self.loops(e.loops, "e", at)
            inner = {**names, **{str(v.args[0]): v for v in e.loops}}
            if len(e.indices) != len(e.family.dims):
                yield f"{at}: the field takes {len(e.family.dims)} indices, not {len(e.indices)}"
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
            for part in e.indices:
                yield from self.expr(part, inner, at, truth=False)
            yield from self.expr(e.value, inner, at, truth=None)
            yield from self.expr(e.when, inner, at, truth=True)


def _declarations(scope: _Scope, rules: RuleSet) -> Iterator[str]:
    if rules.over is not None:
        yield from scope.expr(rules.over.expr, {}, "the end of the game", truth=True)
    if rules.payoffs and len(rules.payoffs) != rules.players:
        yield f"{len(rules.payoffs)} payoffs for {rules.players} players"
    for p, payoff in enumerate(rules.payoffs):
        yield from scope.expr(payoff, {}, f"the payoff of player {p}", truth=False)
    wishes = [(f"goal {g.name!r}", g.player, g.when, True) for g in rules.goals]
    wishes += [(f"monotone {m.name!r}", m.player, m.quantity, False) for m in rules.monotone]
    wishes += [(f"measure {m.name!r}", m.player, m.quantity, False) for m in rules.measures]
    wishes += [(f"what is hopeless for {h.goal!r}", h.player, e, True) for h in rules.hopeless for e in (h.when, h.between, h.after)]
    yield from (f"what is hopeless: player {h.player} has no goal {h.goal!r}" for h in rules.hopeless
                if all((g.name, g.player) != (h.goal, h.player) for g in rules.goals))  # fmt: skip
    for where, player, expr, truth in wishes:
        if not 0 <= player < rules.players:
            yield f"{where}: there is no player {player}"
        yield from scope.expr(expr, {}, where, truth=truth)
    yield from _norms(scope, rules)
    yield from _observation(scope, rules)
    if rules.turns is not None:
        yield from scope.expr(rules.turns.number, {}, "the number of the turn", truth=False)
        for name in rules.turns.segments:
            if name not in rules.by_name:
                yield f"turn structure: there is no action {name!r}"
    for switch in rules.switches:
        if switch.family.uid not in scope.known or switch.family.labels is None or not switch.family.config:
            yield f"switch {switch.id!r}: {switch.family!r} is not a configuration field of this rule set with named values"
    for symmetry in rules.symmetries:
        yield from (f"symmetry {symmetry.name!r}: {d}" for d in _symmetry(rules, symmetry))


def _norms(scope: _Scope, rules: RuleSet) -> Iterator[str]:
    for norm in rules.norms:
        where = f"norm {norm.id!r}"
        names: dict[str, Expr] = {}
        if norm.on is not None:
            action = rules.by_name.get(norm.on)
            if action is None:
                yield f"{where}: there is no action {norm.on!r}"
                continue
            names = {ME: scope.me, **{p.name: p.var for p in action.params}}
        yield from scope.expr(norm.scope, names, where, truth=True, after=norm.kind == "effect")
        yield from scope.expr(norm.claimed, {}, where, truth=True)
        yield from scope.expr(norm.formula, names, where, truth=True, after=norm.kind == "effect")


def _observation(scope: _Scope, rules: RuleSet) -> Iterator[str]:
    for name, seen in rules.visible.items():
        family = rules.family_named.get(name)
        if family is None:
            yield f"observation: there is no field {name!r}"
            continue
        indices = {f"x{n}": var(f"x{n}", 0, d - 1) for n, d in enumerate(family.dims)}
        viewer = var("viewer", 0, rules.players - 1)
        yield from scope.expr(seen, {**indices, "viewer": viewer}, f"observation of {name!r}", truth=True)
    for group in rules.simultaneous:
        where = f"simultaneous {group.name!r}"
        yield from scope.expr(group.open, {}, where, truth=True)
        yield from (f"{where}: there is no action {name!r}" for name in group.actions if name not in rules.by_name)
        yield from (f"{where}: there is no field {name!r}" for name in group.hidden if name not in rules.family_named)
    yield from _pieces(rules)


def _pieces(rules: RuleSet) -> Iterator[str]:
    if rules.pieces is None:
        return
    for name, kinds in rules.pieces.counts.items():
        family = rules.family_named.get(name)
        if family is None or not family.dims or not set(kinds) <= set(range(1, family.dims[-1])):
            yield f"pieces: there is no field {name!r} whose last index is one of the kinds {list(kinds)}"
    for name, kinds in rules.pieces.holders.items():
        family = rules.family_named.get(name)
        if family is None or family.lo or not set(kinds) <= set(range(1, family.hi + 1)):
            yield f"pieces: there is no field {name!r} that holds nothing (0) or one of the kinds {list(kinds)}"


def _symmetry(rules: RuleSet, symmetry: Symmetry) -> Iterator[str]:
    for name in {**symmetry.axes, **symmetry.values}:
        if name not in rules.family_named:
            yield f"there is no field {name!r}"
    for name, axes in symmetry.axes.items():
        dims = rules.family_named[name].dims if name in rules.family_named else ()
        for axis, order in axes.items():
            if dims and (axis not in range(len(dims)) or sorted(order) != list(range(dims[axis]))):
                yield f"{list(order)} does not permute axis {axis} of the field {name!r}"
    for name, images in symmetry.values.items():
        family = rules.family_named.get(name)
        if family is not None and not all(family.lo <= n <= family.hi for pair in images.items() for n in pair):
            yield f"the values of the field {name!r} are {family.lo}..{family.hi}"
    for (name, param), targets in symmetry.params.items():
        action = rules.by_name.get(name)
        values = next((p.values for p in action.params if p.name == param), None) if action is not None else None
        if values is None:
            yield f"there is no parameter {param!r} of an action {name!r}"
        elif len(targets) != len(values) or not set(targets) <= set(values):
            yield f"{list(targets)} does not say where the values of {param!r} of {name!r} go"
    if symmetry.players and sorted(symmetry.players) != list(range(rules.players)):
        yield f"{list(symmetry.players)} does not permute the players"
