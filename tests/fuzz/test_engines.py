"""Every engine says the same: about the value of expressions, and about moves, steps and limits of rule sets.

A failing seed is named first in each sentence. The seeds of the fast tests are always the
same; the slow ones try new seeds each time.
"""

from __future__ import annotations

from collections import Counter
from random import SystemRandom

import pytest
from agreement import ENGINES, Engine, first, outcome, rule_differences, value_differences
from plain import Plain
from random_exprs import case
from random_rules import rule_set, states

from monjudge.model.language import RuleSet, walk


def disagreements(engine: Engine, seeds: range) -> list[str]:
    return first(d for seed in seeds for d in rule_differences(engine, seed))


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_an_engine_gives_random_expressions_their_value(engine: Engine) -> None:
    assert first(value_differences(engine, range(engine.cases))) == []


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_an_engine_plays_random_rule_sets_as_the_reference_does(engine: Engine) -> None:
    assert disagreements(engine, range(engine.rule_sets)) == []


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_an_engine_agrees_on_new_seeds_too(engine: Engine) -> None:
    start = SystemRandom().randrange(10**9)
    print(f"{engine.name}: seeds from {start}")
    for n in range(start, start + 20 * engine.cases, engine.cases):
        assert first(value_differences(engine, range(n, n + engine.cases))) == []
    assert disagreements(engine, range(start, start + 20 * engine.rule_sets)) == []


def test_random_expressions_have_every_operation_and_many_values() -> None:
    cases = [case(seed, next_state=True) for seed in range(500)]
    found = Counter(node.op for c in cases for node in walk(c.expr))
    assert set(found) == set(
        "const var field add mul min max eq lt le in and or not ite table all any sum".split()  # noqa: SIM905
    )
    assert min(found.values()) >= 30
    assert sum(not c.expr.is_const for c in cases) > 250
    assert sum(node.op == "field" and node.args[1] == 1 for c in cases for node in walk(c.expr)) > 50
    assert len({c.value() for c in cases}) > 30


def features(rules: RuleSet) -> set[str]:
    """What a rule set has, by name."""
    found = {f"{len(f.dims)} axes" for f in rules.families}
    found |= {f"up to {1 << (8 * k)}" for f in rules.families for k in (1, 2, 3) if f.hi - f.lo >= 1 << (8 * (k - 1))}
    for f in rules.families:
        found |= {name for name in ("pile_height", "hand", "maybe", "R.1") if f.name == name}
        found |= {"truth field"} if f.is_bool else set()
        found |= {"configuration"} if f.config else set()
    for a in rules.actions:
        found.add("chance" if a.is_chance else "anybody" if a.by is None else "decided" if a.by.is_const else "by expression")
        found |= {c.kind for c in a.clauses}
        found |= {f"weight {'fixed' if a.weight.is_const else 'varies'}"} if a.weight is not None else set()
        found |= {f"{len(e.loops)} loops" for e in a.effects}
        found |= {"condition" for e in a.effects if not e.when.is_const}
        found |= {"increment" if e.adds else "assignment" for e in a.effects}
        found |= {"may overflow" for e in a.effects if e.may_overflow}
        found |= {
            "target outside" for e in a.effects for i, d in zip(e.indices, e.family.dims, strict=True) if i.lo < 0 or i.hi >= d
        }
        found |= {f"{len(a.params)} parameters", *("truth parameter" for p in a.params if p.var.is_bool)}
    found |= {f"{len(t.loops)} trigger loops" for t in rules.triggers}
    return found | ({"end"} if rules.over is not None else set())


def test_random_rule_sets_have_every_feature_of_the_language() -> None:
    rules = [rule_set(seed) for seed in range(120)]
    found = Counter(feature for r in rules for feature in features(r))
    expected = {f"{n} axes" for n in range(4)} | {f"up to {1 << (8 * k)}" for k in (1, 2, 3)}
    expected |= {"pile_height", "hand", "maybe", "R.1", "truth field", "configuration"}
    expected |= {"chance", "anybody", "decided", "by expression", "rule", "limit", "weight fixed", "weight varies"}
    expected |= {"0 loops", "1 loops", "2 loops", "condition", "increment", "assignment", "may overflow", "target outside"}
    expected |= {*(f"{n} parameters" for n in range(4)), "truth parameter", *(f"{n} trigger loops" for n in range(3)), "end"}
    assert expected <= set(found)
    assert min(found[feature] for feature in expected) >= 5


def test_random_states_have_moves_ends_and_limits() -> None:
    seen: Counter[str] = Counter()
    for seed in range(60):
        rules = rule_set(seed)
        engine = Plain(rules)
        for state in states(rules, seed, 6):
            assert engine.settle(state) == state
            moves = engine.moves(state)
            seen["states"] += 1
            seen["over"] += engine.over(state)
            seen["moves"] += bool(moves)
            for move in moves[:3]:
                after = outcome(engine.step, state, move)
                seen["limit" if after == "limit" else "same" if after == state else "change"] += 1
    assert seen["states"] > 200
    assert min(seen[what] for what in ("over", "moves", "limit", "change")) > 20


def test_a_seed_always_gives_the_same() -> None:
    assert case(7).expr is case.__wrapped__(7).expr
    assert states(rule_set(7), 7, 6) == states(rule_set(7), 7, 6)
    assert [a.name for a in rule_set(7).actions] == [a.name for a in rule_set(7).actions]
