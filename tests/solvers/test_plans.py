"""Plans of whole turns: classes, numbers of orders, chance and reveals, held against listing every sequence."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from monjudge.model.language import NATURE, Expr, Game, Move, RuleSet, State, evaluate, gain, minimum, put
from monjudge.model.monjan.positions import midgame
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.plans import Planner, by_native, by_reference, measure

SEEDS = range(30)
SCENES = dict(midgame(Reference))
SMALL = ("a-boss-for-good", "the-draw-is-still-due", "elements-alone-pay")


@cache
def errands(seed: int) -> RuleSet:
    """A turn of a few errands, each done at most once or twice; some need luck, some show what was hidden."""
    rng = Random(f"errands {seed}")
    g = Game(f"errands {seed}", players=2)
    goods = g.field("goods", 3, values=range(6), init=[rng.randrange(3) for _ in range(3)])
    done, luck = g.field("done", 2, values=bool), g.field("luck", values=range(3))
    secret, lit = g.field("secret", 2, values=range(3), init=[1, 2]), g.field("lit", values=bool)
    number = g.field("number", values=range(9))
    names = [f"errand{n}" for n in range(rng.choice((2, 3, 3)))]
    for name in names:
        most = rng.choice((1, 1, 2))
        times = g.field(f"times_{name}", 2, values=range(most + 1))
        a = g.action(name)
        which = a.param("which", range(rng.choice((1, 2))))
        a.clause("E.time", ~done[a.me] & (luck == 0) & (times[a.me] < most))
        if rng.random() < 0.4:
            a.clause("E.needs", goods[rng.randrange(3)] >= rng.randrange(3))
        target = goods[minimum(2, which + rng.randrange(2))]
        a.effect(gain(times[a.me], 1))
        if rng.random() < 0.6:
            a.effect(put(target, minimum(5, target + rng.choice((1, 2)))))
        else:
            a.effect(put(target, goods[rng.randrange(3)]))
        if rng.random() < 0.3:
            a.effect(put(luck, rng.choice((1, 2))))
        if rng.random() < 0.2:
            a.effect(put(lit, True))
    rest = g.action("rest")
    rest.clause("E.rest", ~done[rest.me] & (luck == 0))
    rest.effect(put(done[rest.me], True), gain(number, rng.choice((0, 1)), when=number < 8))
    chance = g.action("chance")
    face = chance.param("face", range(1, 4))
    chance.outcome(face)
    chance.clause("E.luck", luck > 0)
    chance.effect(put(luck, luck - 1), put(goods[face - 1], minimum(5, goods[face - 1] + face)))
    g.observe(secret, lambda viewer, player: (viewer == player) | lit)
    g.turn_structure(number, {**dict.fromkeys([*names, "rest"], "day"), "chance": "luck"})
    g.measure("first", 0, goods[0] - goods[1])
    return g.build()


def read(rules: RuleSet, expr: Expr, state: State) -> int:
    return evaluate(expr, state, {}, rules.offset)


def decisions(rules: RuleSet, reference: Reference, first: State, now: State) -> tuple[str | None, list[Move]]:
    """Why the turn of player 0 that began in a state ends in another, and the decisions if it does not."""
    assert rules.turns is not None
    if read(rules, rules.turns.number, first) != read(rules, rules.turns.number, now):
        return "done", []
    legal = reference.moves(now)
    if any(m.me == NATURE for m in legal):
        return "chance", []
    mine = [m for m in legal if m.me == 0 and rules.turns.segments[m.action] == "day"]
    return (None, mine) if mine else ("done", [])


def sees_secret(rules: RuleSet, state: State) -> bool:
    return bool(state[rules.cell("lit")])


def listed(rules: RuleSet, reference: Reference, first: State) -> Iterator[tuple[tuple[Move, ...], State, str]]:
    """Every sequence of decisions of player 0, by its definition, with the state after it and why it ends."""

    def after(moves: tuple[Move, ...], now: State) -> Iterator[tuple[tuple[Move, ...], State, str]]:
        end, mine = decisions(rules, reference, first, now)
        if end is not None:
            yield moves, now, end
        for move in mine:
            then = reference.step(now, move)
            if sees_secret(rules, then) and not sees_secret(rules, now):
                yield (*moves, move), then, "reveal"
            else:
                yield from after((*moves, move), then)

    return after((), first)


def order(rules: RuleSet, moves: tuple[Move, ...]) -> tuple[int, list[tuple[int, tuple[int, ...]]]]:
    """The shortest first, then as the moves are declared."""
    names = [a.name for a in rules.actions]
    return len(moves), [(names.index(m.action), m.args) for m in moves]


def planner(rules: RuleSet, **more: object) -> Planner:
    return Planner(rules, 0, rules.start, "day", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_classes_are_the_results_of_all_sequences_with_their_numbers(seed: int) -> None:
    rules = errands(seed)
    by_result: dict[tuple[State, str], list[tuple[Move, ...]]] = {}
    for moves, state, end in listed(rules, Reference(rules), rules.start):
        by_result.setdefault((state, end), []).append(moves)
    found = planner(rules).plans()
    assert found.limit is None and len(found) == len(by_result)
    assert found.sequences == sum(map(len, by_result.values()))
    for plan in found:
        ways = by_result.pop((plan.state, plan.end))
        assert plan.orders == len(ways)
        assert plan.moves == min(ways, key=lambda moves: order(rules, moves))


def test_the_turns_of_the_tests_have_orders_that_commute_chance_and_reveals() -> None:
    found = [plan for seed in SEEDS for plan in planner(errands(seed)).plans()]
    assert {plan.end for plan in found} == {"done", "chance", "reveal"}
    assert sum((plan.orders or 0) > 1 for plan in found) > 50 and any(plan.orders == 1 for plan in found)


@pytest.mark.parametrize("seed", SEEDS[:6])
def test_both_successor_functions_make_the_same_plans(seed: int) -> None:
    rules = errands(seed)
    one, other = (planner(rules, successors=make(rules)) for make in (by_reference, by_native))
    assert list(one.plans()) == list(other.plans())
    quantity = measure(rules, "first", 0).quantity
    assert one.best(quantity) == other.best(quantity)


def expected(rules: RuleSet, reference: Reference, quantity: Expr) -> Fraction:
    """The best that player 0 can expect, by trying every decision and every outcome in every state."""

    @cache
    def worth(now: State) -> Fraction:
        end, mine = decisions(rules, reference, rules.start, now)
        if end == "chance":
            weights = reference.outcomes(now)
            return sum((w * worth(reference.step(now, m)) for m, w in weights), Fraction()) / sum(w for _, w in weights)
        if end == "done":
            return Fraction(read(rules, quantity, now))
        values = []
        for then in (reference.step(now, move) for move in mine):
            seen = sees_secret(rules, then) and not sees_secret(rules, now)
            values.append(Fraction(read(rules, quantity, then)) if seen else worth(then))
        return max(values)

    return worth(rules.start)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_plan_is_worth_what_trying_everything_finds(seed: int) -> None:
    rules = errands(seed)
    quantity = measure(rules, "first", 0).quantity
    best = planner(rules).best(quantity)
    assert best.limit is None and best.plan is not None
    assert best.value == expected(rules, Reference(rules), quantity)
    [same] = [plan for plan in planner(rules).plans() if (plan.state, plan.end) == (best.plan.state, best.plan.end)]
    assert len(same.moves) <= len(best.plan.moves)


def test_a_plan_goes_on_behind_a_roll_once_for_each_outcome() -> None:
    seed = next(n for n in SEEDS if any(plan.end == "chance" for plan in planner(errands(n)).plans()))
    turn = planner(errands(seed))
    roll = next(plan for plan in turn.plans() if plan.end == "chance")
    outcomes = turn.outcomes(roll)
    assert [o.probability for o in outcomes] == [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)]
    assert all(len(turn.plans(o.state)) > 0 for o in outcomes)


# -- the shipped games -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_the_edit_turns_of_a_match_are_those_of_listing_every_sequence(name: str) -> None:
    rules, state = SCENES[name].rules, SCENES[name].state
    reference, by_result = SCENES[name].engine, {}
    found = Planner(rules, 0, state).plans()

    def after(moves: tuple[Move, ...], now: State) -> None:
        mine = [m for m in reference.moves(now) if m.me in (0, NATURE)]
        assert rules.turns is not None
        edits = [m for m in mine if rules.turns.segments[m.action] == "edit"]
        if len(edits) < len(mine) or not edits:
            by_result.setdefault(now, []).append(moves)
        else:
            for move in edits:
                after((*moves, move), reference.step(now, move))

    after((), state)
    assert {plan.state: plan.orders for plan in found} == {s: len(ways) for s, ways in by_result.items()}
    assert found.sequences == sum(map(len, by_result.values()))


def test_the_best_edit_turn_leaves_at_least_what_any_plan_without_chance_leaves() -> None:
    scene = SCENES["a-boss-for-good"]
    turn = Planner(scene.rules, 0, scene.state)
    for m in (m for m in scene.rules.measures if m.player == 0):
        best = turn.best(m.quantity)
        assert best.limit is None and best.value is not None
        assert best.value >= max(read(scene.rules, m.quantity, plan.state) for plan in turn.plans() if plan.end == "done")


def test_the_measures_of_a_match_are_attack_speed_and_life_of_the_board() -> None:
    """A: w4 attacks, mana tops n7, w9 and g4, defences with 6 and 11. B: a2 attacks, tops a4, a3, f9, lives 9 and 10."""
    scene = SCENES["ten-cards-on-both-hands"]
    values = {(m.name, m.player): read(scene.rules, m.quantity, scene.state) for m in scene.rules.measures}
    assert values == {
        ("attack", 0): 4, ("speed", 0): 9, ("life", 0): 17, ("attack", 1): 2, ("speed", 1): 9, ("life", 1): 19,
    }  # fmt: skip


# -- where there is no answer ------------------------------------------------------------------------------


def circle() -> RuleSet:
    g = Game("circle", players=1)
    here, done = g.field("here", values=range(2)), g.field("done", values=bool)
    go = g.action("go", by=0)
    go.clause("C.1", ~done)
    go.effect(put(here, 1 - here))
    stop = g.action("stop", by=0)
    stop.clause("C.2", ~done)
    stop.effect(put(done, True))
    g.turn_structure(0, {"go": "walk", "stop": "walk"})
    g.measure("where", 0, here)
    return g.build()


def test_going_round_in_circles_has_classes_but_no_number_of_sequences() -> None:
    rules = circle()
    found = Planner(rules, 0, rules.start).plans()
    assert [[m.action for m in plan.moves] for plan in found] == [["stop"], ["go", "stop"]]
    assert found.sequences is None and [plan.orders for plan in found] == [None, None]


def test_a_bound_of_the_model_and_of_the_search_are_said() -> None:
    g = Game("bound", players=1)
    n, done = g.field("n", values=range(3)), g.field("done", values=bool)
    up = g.action("up", by=0)
    up.clause("B.1", ~done)
    up.effect(gain(n, 1))
    stop = g.action("stop", by=0)
    stop.clause("B.2", ~done)
    stop.effect(put(done, True))
    g.turn_structure(0, {"up": "climb", "stop": "climb"})
    g.measure("height", 0, n)
    rules = g.build()
    found = Planner(rules, 0, rules.start).plans()
    assert (len(found), found.sequences) == (3, 3) and found.limit is not None
    best = Planner(rules, 0, rules.start).best(measure(rules, "height", 0).quantity)
    assert best.value == 2 and best.limit is not None
    few = Planner(rules, 0, rules.start, states=2).plans()
    assert few.limit is not None and "2 states" in few.limit.en


def test_what_cannot_be_asked_is_said() -> None:
    rules = circle()
    with pytest.raises(ValueError, match="does not declare what a turn is"):
        Planner(tic_tac_toe(), 0, tic_tac_toe().start)
    with pytest.raises(ValueError, match="no player 1"):
        Planner(rules, 1, rules.start)
    with pytest.raises(ValueError, match="no segment 'nap'"):
        Planner(rules, 0, rules.start, "nap")
    with pytest.raises(ValueError, match="say which is meant"):
        Planner(rules, 0, rules.state({"done": 1}))
    with pytest.raises(ValueError, match="no measure 'beauty'"):
        measure(rules, "beauty", 0)
