"""The fuzz can fail: a fault planted in the translator of any engine, or in what it does with rules, is caught."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from agreement import ENGINES, first, rule_differences, value_differences

from monjudge.model.language import (
    TRUE,
    Action,
    Effect,
    Expr,
    RuleSet,
    Trigger,
    add,
    bind,
    both,
    either,
    field,
    ite,
    le,
    lookup,
    lt,
    maximum,
    member,
    minimum,
    mul,
    var,
)
from monjudge.model.language.family import Table
from monjudge.solvers.engines import csp, enumerator_text, reference
from monjudge.solvers.engines.cpsat import rules as cpsat_rules
from monjudge.solvers.engines.native import columns
from monjudge.solvers.engines.native import expressions as native_expressions
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.engines.smt import rules as smt_rules

TRANSLATORS: dict[str, tuple[Any, str]] = {
    "reference": (reference._Scope, "_text"),
    "enumerator": (enumerator_text.Function, "_text"),
    "csp": (csp, "_closure"),
    "smt": (smt_rules.Scope, "term"),
    "cpsat": (cpsat_rules._Scope, "_translate"),
    "native": (native_expressions.Translator, "value"),
    "native columns": (columns._Lanes, "value"),
}
"""Where each engine says what one operation means."""


def _shorter(variable: Expr) -> Expr:
    """One value less, but never a single one, which would be no loop at all."""
    return var(variable.args[0], variable.lo, max(variable.hi - 1, min(variable.hi, variable.lo + 1)))


def _one_off(table: Table) -> Table:
    return Table.of(table.name, table.dims, [bool(v) if table.is_bool else v for v in table.values], not table.default)


FAULTS: dict[str, Callable[..., Expr]] = {
    "add": lambda *terms: add(*terms[:-1]),
    "mul": lambda k, node: mul(k + 1, node),
    "min": maximum,
    "max": minimum,
    "eq": lambda a, b: both(a, b) if a.is_bool else le(a, b),
    "lt": le,
    "le": lt,
    "in": lambda node, numbers: member(node, numbers[1:]),
    "and": either,
    "or": both,
    "ite": lambda c, a, b: ite(c, b, a),
    "field": lambda family, at, *indices: field(family, indices[::-1], at),
    "table": lambda table, *indices: lookup(_one_off(table), *indices),
    "not": lambda truth: truth,
    "all": lambda variable, body: bind("any", variable, body),
    "any": lambda variable, body: bind("all", variable, body),
    "sum": lambda variable, body: bind("sum", _shorter(variable), body),
}


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """``plant(engine, operation)`` makes the engine's translator take this operation for another one."""

    def planted(name: str, op: str) -> None:
        owner, method = TRANSLATORS[name]
        original = getattr(owner, method)

        def wrong(node: Any) -> Any:
            if not isinstance(node, Expr) or node.op != op:
                return node
            other = FAULTS[op](*node.args)
            return node if other.is_const else other  # a constant does not come so far in every translator

        monkeypatch.setattr(owner, method, lambda *args: original(*map(wrong, args)))

    return planted


TRUTHS = ("eq", "lt", "le", "in", "and", "or", "not", "ite")
PLACES = [(name, op) for name in TRANSLATORS for op in (TRUTHS if name == "native columns" else FAULTS)]
"""Columns hold truth values only, as wide as they are written, and have no quantifiers: some faults have no place there."""


@pytest.mark.parametrize(("name", "op"), PLACES)
def test_a_fault_in_one_operation_of_one_translator_is_caught(name: str, op: str, plant: Callable[[str, str], None]) -> None:
    plant(name, op)
    batches = (value_differences(ENGINES[name], range(n, n + 20)) for n in range(0, 1000, 20))
    assert any(map(first, batches)), f"no case shows that {op} is wrong"


@pytest.mark.parametrize("name", TRANSLATORS)
def test_a_fault_in_a_translator_is_caught_by_rule_sets_too(name: str, plant: Callable[[str, str], None]) -> None:
    plant(name, "le")
    assert any(first(rule_differences(ENGINES[name], seed)) for seed in range(100))


def actions(change: Callable[[Action], Action]) -> Callable[[RuleSet], RuleSet]:
    return lambda rules: replace(rules, actions=tuple(change(a) for a in rules.actions))


def effects(change: Callable[[Effect], Effect]) -> Callable[[RuleSet], RuleSet]:
    return actions(lambda a: replace(a, effects=tuple(map(change, a.effects))))


def put_instead(e: Effect) -> Effect:
    """Puts the sum into the cell, so that of several increments only the last one counts."""
    if not e.adds:
        return e
    sum_ = minimum(10**9, maximum(-(10**9), field(e.family, e.indices)))
    return replace(e, adds=False, value=add(sum_, minimum(10**9, maximum(-(10**9), e.value))))


def clipped(e: Effect) -> Effect:
    """Clips what is put into a cell instead of reporting that it does not fit."""
    return e if e.adds or e.family.is_bool else replace(e, value=maximum(e.family.lo, minimum(e.family.hi, e.value)))


def first_binding(t: Trigger) -> Trigger:
    return replace(t, when=both(t.when, *(le(v, v.lo) for v in t.loops)))


MISREADINGS: dict[str, Callable[[RuleSet], RuleSet]] = {
    "a clause is forgotten": actions(lambda a: replace(a, clauses=a.clauses[:-1])),
    "limits are no conditions": actions(lambda a: replace(a, clauses=tuple(c for c in a.clauses if c.kind == "rule"))),
    "anybody decides": actions(lambda a: replace(a, by=None)),
    "every outcome has weight": actions(lambda a: replace(a, weight=None if a.weight is None else maximum(1, a.weight))),
    "the game never ends": lambda rules: replace(rules, over=None),
    "no trigger fires": lambda rules: replace(rules, triggers=()),
    "triggers fire in another order": lambda rules: replace(rules, triggers=rules.triggers[::-1]),
    "triggers fire for their first binding": lambda rules: replace(rules, triggers=tuple(map(first_binding, rules.triggers))),
    "triggers stop after two passes": lambda rules: replace(rules, passes=2),
    "effects have no condition": effects(lambda e: replace(e, when=TRUE)),
    "the first assignment counts": actions(lambda a: replace(a, effects=a.effects[::-1])),
    "increments do not add up": effects(put_instead),
    "what does not fit is clipped": effects(clipped),
    "loops stop early": effects(lambda e: replace(e, loops=tuple(map(_shorter, e.loops)))),
}


@pytest.mark.parametrize("change", MISREADINGS.values(), ids=MISREADINGS)
def test_an_engine_that_misreads_the_rules_is_caught(change: Callable[[RuleSet], RuleSet]) -> None:
    misread = replace(ENGINES["reference"], make=lambda rules: Reference(change(rules)))
    assert any(first(rule_differences(misread, seed)) for seed in range(300))
