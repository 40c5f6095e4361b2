"""The best plan by CP-SAT, held against writing down all plans of the same turns."""

from __future__ import annotations

from random import Random

import pytest

from monjudge.model.language import Game, LimitReached, RuleSet, gain, minimum, put
from monjudge.model.monjan.positions import midgame
from monjudge.solvers.best_plan import best_by_cpsat
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.plans import Best, Planner, measure

LONGEST = 4


def market(seed: int) -> RuleSet:
    """A turn of a few trades, of which one may need luck and one shows a hidden cell, and its end; a trigger pays a bonus."""
    rng = Random(f"market {seed}")
    g = Game(f"market {seed}", players=2)
    goods = g.field("goods", 3, values=range(9), init=[rng.randrange(4) for _ in range(3)])
    traded, done, bonus = g.field("traded", values=range(4)), g.field("done", values=bool), g.field("bonus", values=bool)
    luck, secret, lit = g.field("luck", values=bool), g.field("secret", values=range(2)), g.field("lit", values=bool)
    for n in range(3):
        a = g.action(f"trade{n}", by=0)
        which = a.param("which", range(2))
        a.clause("M.time", ~done & (traded < 3))
        a.clause("M.has", goods[which + rng.randrange(2)] >= rng.choice((1, 2)))
        target = goods[rng.randrange(3)]
        a.effect(gain(traded, 1), put(target, minimum(8, goods[which] + rng.choice((1, 2)))), put(goods[which], 0))
        a.effect(put(luck, n == 1 and rng.random() < 0.5), put(lit, lit | (n == 2 and rng.random() < 0.5)))
    stop = g.action("stop", by=0)
    stop.clause("M.time", ~done)
    stop.effect(put(done, True))
    coin = g.action("coin", weight=1)
    coin.clause("M.luck", luck)
    coin.effect(put(luck, False))
    g.trigger("M.bonus", (goods[0] > 3) & ~bonus, [put(bonus, True), put(goods[1], minimum(8, goods[1] + 2))])
    g.observe(secret, lambda viewer: lit)
    g.turn_structure(0, {"trade0": "day", "trade1": "day", "trade2": "day", "stop": "day"})
    g.measure("goods", 0, goods[0] + 2 * goods[1] - goods[2])
    return g.build()


@pytest.mark.parametrize("seed", range(25))
def test_the_best_of_all_plans_without_chance_is_found(seed: int) -> None:
    rules = market(seed)
    planner = Planner(rules, 0, Reference(rules).settle(rules.start), "day")
    quantity = measure(rules, "goods", 0).quantity
    best = best_by_cpsat(planner, quantity, LONGEST)
    assert best.limit is None and best.plan is not None and best.plan.end == "done"
    assert best.value == max(planner.value(quantity, plan.state) for plan in planner.plans() if plan.end == "done")
    assert best.value == planner.value(quantity, best.plan.state)


def test_with_too_few_decisions_a_longer_plan_may_be_better_and_that_is_said() -> None:
    rules = next(r for r in map(market, range(25)) if _best(r, 1).limit is not None)
    best = _best(rules, 1)
    assert best.limit is not None and "more decisions" in best.limit.en
    assert _best(rules, LONGEST).limit is None


def _best(rules: RuleSet, moves: int) -> Best:
    planner = Planner(rules, 0, Reference(rules).settle(rules.start), "day")
    return best_by_cpsat(planner, measure(rules, "goods", 0).quantity, moves)


def test_a_bound_of_the_model_within_reach_is_no_answer() -> None:
    g = Game("bound", players=1)
    n, done = g.field("n", values=range(3)), g.field("done", values=bool)
    up, stop = g.action("up", by=0), g.action("stop", by=0)
    for a in (up, stop):
        a.clause("B.1", ~done)
    up.effect(gain(n, 1))
    stop.effect(put(done, True))
    g.turn_structure(0, {"up": "climb", "stop": "climb"})
    rules = g.build()
    assert best_by_cpsat(Planner(rules, 0, rules.start), n, 2).value == 2
    with pytest.raises(LimitReached):
        best_by_cpsat(Planner(rules, 0, rules.start), n, 3)


def test_the_best_edit_turn_of_a_match_is_confirmed() -> None:
    scene = dict(midgame(Reference))["a-boss-for-good"]
    planner, quantity = Planner(scene.rules, 0, scene.state), measure(scene.rules, "attack", 0).quantity
    best = best_by_cpsat(planner, quantity, 1)
    assert best.limit is None
    assert best.value == max(planner.value(quantity, plan.state) for plan in planner.plans() if plan.end == "done")
