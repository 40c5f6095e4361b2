"""Stacks, multisets and optionals behave like Python's lists, counters and None; what does not fit is a limit."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from monjudge.model.language import (
    Game,
    LimitReached,
    Move,
    Multiset,
    Optional,
    RuleSet,
    Stack,
    evaluate,
    put,
    var,
)
from monjudge.solvers.engines.reference import Reference

SEEDS = range(20)


def run(engine: Reference, state: tuple[int, ...], action: str, *args: int) -> tuple[int, ...]:
    return engine.step(state, Move(action, 0, args))


def stacks() -> tuple[RuleSet, Stack]:
    g = Game("stacks", players=1)
    stack = Stack(g, "pile", 2, slots=4, values=range(6))
    push = g.action("push", by=0)
    pile, card = push.param("pile", range(2)), push.param("card", range(6))
    push.effect(stack.push(pile, card=card))
    pop = g.action("pop", by=0)
    pile, count = pop.param("pile", range(2)), pop.param("count", range(5))
    pop.clause("S.1", stack.height(pile) >= count)
    pop.effect(stack.pop(pile, count=count))
    some = g.action("push_if_empty", by=0)
    pile = some.param("pile", range(2))
    some.effect(stack.push(pile, card=5, when=stack.height(pile) == 0))
    one = g.action("pop_one", by=0)
    one.effect(stack.pop(0))
    return g.build(), stack


@pytest.mark.parametrize("seed", SEEDS)
def test_a_stack_is_a_list(seed: int) -> None:
    rules, stack = stacks()
    engine, random = Reference(rules), Random(seed)
    state, lists = rules.start, [[], []]
    at = var("at", -1, 5)
    for _ in range(60):
        pile, card, count = random.randrange(2), random.randrange(6), random.randrange(4)
        if random.random() < 0.5 and len(lists[pile]) < 4:
            state = run(engine, state, "push", pile, card)
            lists[pile].append(card)
        elif random.random() < 0.3:
            state = run(engine, state, "push_if_empty", pile)
            lists[pile] = lists[pile] or [5]
        elif count <= len(lists[pile]):
            assert engine.legal(state, Move("pop", 0, (pile, count)))
            state = run(engine, state, "pop", pile, count)
            del lists[pile][len(lists[pile]) - count :]
        else:
            assert not engine.legal(state, Move("pop", 0, (pile, count)))
        for p, cards in enumerate(lists):
            assert rules.view(state)["pile_height"][p] == len(cards)  # type: ignore[index]
            assert evaluate(stack.top(p), state, {}, rules.offset) == (cards[-1] if cards else 0)
            slots = [evaluate(stack.slot(p, at), state, {"at": n}, rules.offset) for n in range(-1, 6)]
            assert slots == [0, *cards, *[0] * (6 - len(cards))]


def test_a_push_on_a_full_stack_and_a_pop_from_an_empty_one_are_limits() -> None:
    rules, _ = stacks()
    engine, state = Reference(rules), rules.start
    with pytest.raises(LimitReached, match=r"pile_height left 0\.\.4"):
        run(engine, state, "pop_one")
    for card in (1, 2, 3, 4):
        state = run(engine, state, "push", 1, card)
    assert rules.view(state)["pile"] == [0, 0, 0, 0, 1, 2, 3, 4]
    with pytest.raises(LimitReached, match=r"pile_height left 0\.\.4"):
        run(engine, state, "push", 1, 5)
    assert run(engine, state, "push_if_empty", 1) == state
    assert rules.view(run(engine, state, "pop", 1, 4))["pile"] == [0] * 8


def hands() -> tuple[RuleSet, Multiset]:
    g = Game("hands", players=1)
    hand = Multiset(g, "hand", 2, kinds=3, most=3)
    for name, change in (("add", hand.add), ("remove", hand.remove)):
        act = g.action(name, by=0)
        who, kind, by = act.param("who", range(2)), act.param("kind", range(3)), act.param("by", range(4))
        act.effect(change(who, kind, by=by))
    both = g.action("draw_two", by=0)
    first, second = both.param("first", range(3)), both.param("second", range(3))
    both.effect(hand.add(0, first), hand.add(0, second), hand.remove(1, 0, when=hand.count(1, 0) > 0))
    return g.build(), hand


@pytest.mark.parametrize("seed", SEEDS)
def test_a_multiset_is_a_counter(seed: int) -> None:
    rules, hand = hands()
    engine, random = Reference(rules), Random(seed)
    state, counters = rules.start, [Counter(), Counter()]
    limits = 0
    for _ in range(60):
        after = [Counter(c) for c in counters]
        if random.random() < 0.3:
            move = Move("draw_two", 0, (random.randrange(3), random.randrange(3)))
            after[0].update(move.args)
            after[1][0] = max(0, after[1][0] - 1)
        else:
            move = Move(random.choice(("add", "remove")), 0, (random.randrange(2), random.randrange(3), random.randrange(4)))
            after[move.args[0]][move.args[1]] += move.args[2] if move.action == "add" else -move.args[2]
        if all(0 <= n <= 3 for c in after for n in c.values()):
            state, counters = engine.step(state, move), after
        else:
            limits += 1
            with pytest.raises(LimitReached, match=r"hand left 0\.\.3"):
                engine.step(state, move)
        for p, counter in enumerate(counters):
            assert [evaluate(hand.count(p, k), state, {}, rules.offset) for k in range(4)] == [counter[k] for k in range(4)]
            assert evaluate(hand.size(p), state, {}, rules.offset) == counter.total()
    assert 0 < limits < 60


def test_an_optional_is_a_value_or_nothing() -> None:
    g = Game("optional", players=1)
    guest = Optional(g, "guest", 2, values=range(2, 5))
    only = Optional(g, "only", values=range(3), init=1)
    come = g.action("come", by=0)
    room, who = come.param("room", range(2)), come.param("who", range(2, 5))
    come.effect(guest.put(room, value=who), only.clear())
    leave = g.action("leave", by=0)
    leave.effect(guest.clear(0), guest.clear(1, when=only.present()), only.put(value=guest.or_else(0, other=0) - 2))
    rules = g.build()
    engine = Reference(rules)

    def seen(state: tuple[int, ...]) -> list[int | None]:
        cells = [(guest.get(0), guest.present(0)), (guest.get(1), guest.present(1)), (only.get(), only.present())]
        values = ([evaluate(e, state, {}, rules.offset) for e in pair] for pair in cells)
        return [value if there else None for value, there in values]

    state = rules.start
    assert seen(state) == [None, None, 1]
    state = run(engine, state, "come", 0, 4)
    assert seen(state) == [4, None, None]
    state = run(engine, state, "come", 1, 2)
    state = run(engine, state, "leave")
    assert seen(state) == [None, 2, 2]
    with pytest.raises(LimitReached, match=r"only left -1\.\.2"):
        run(engine, state, "leave")


def test_a_shape_outside_its_axes_reads_as_nothing() -> None:
    g = Game("outside", players=1)
    stack = Stack(g, "pile", 1, slots=2, values=range(3))
    guest = Optional(g, "guest", 1, values=range(5))
    act = g.action("act", by=0)
    at = act.param("at", range(-1, 2))
    act.effect(stack.push(at, card=1), guest.put(at, value=3), put(stack.slot(0, 1), 2))
    rules = g.build()
    engine = Reference(rules)
    for n in (-1, 1):
        assert engine.step(rules.start, Move("act", 0, (n,))) == rules.state({"pile": [0, 2]})
        assert evaluate(guest.present(at), rules.start, {"at": n}, rules.offset) == 0
        assert evaluate(stack.height(at), rules.start, {"at": n}, rules.offset) == 0
