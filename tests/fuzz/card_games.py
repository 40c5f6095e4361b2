"""Small random games in which cards of hidden hands are played openly: what is drawn, thrown away unseen, or said by itself differs."""

from __future__ import annotations

from functools import cache
from random import Random

from monjudge.model.language import (
    Game,
    Multiset,
    RuleSet,
    State,
    Table,
    any_of,
    as_int,
    eq,
    gain,
    lookup,
    maximum,
    minimum,
    put,
    sum_of,
)

KINDS = 4


@cache
def cards(seed: int, declared: bool = True) -> RuleSet:
    """Two players with three lives at most play cards that wound, heal or let draw; who has none may be stuck, or passes by himself.

    If it is not ``declared`` that cards are pieces, a hand may hold anything, and the pile lies open.
    """
    r = Random(seed)
    g = Game(f"cards{seed}", players=2)
    hand, pile = Multiset(g, "hand", 2, kinds=KINDS, most=3), Multiset(g, "pile", kinds=KINDS, most=3)
    heap = Multiset(g, "heap", kinds=KINDS, most=3)
    life, due = g.field("life", 2, values=range(4)), g.field("due", 2, values=range(3))
    whose, turn = g.field("whose", values=range(2)), g.field("turn", values=range(6))
    wounds, heals, draws, needs = (Table.of(name, (KINDS,), [r.choice(of) for _ in range(KINDS)]) for name, of in (
        ("wounds", (0, 1, 1, 2)), ("heals", (0, 0, 1)), ("draws", (0, 0, 0, 1)), ("needs", (0, 0, 0, 2))))  # fmt: skip
    waits = due[0] + due[1] > 0

    def playable(p: object, k: object) -> object:
        return (hand.cells[p, k] > 0) & (life[p] >= lookup(needs, k))

    def ends() -> list[object]:
        return [put(whose, 1 - whose), gain(turn, as_int(whose == 1))]

    a = g.action("play")
    card, me = a.param("card", range(1, KINDS)), a.me
    a.clause("C.1", eq(whose, me) & ~waits & playable(me, card))
    a.effect(hand.remove(me, card), ends(), gain(due[me], lookup(draws, card)))
    a.effect(put(life[1 - me], maximum(0, life[1 - me] - lookup(wounds, card))), put(life[me], _at_most(life[me] + lookup(heals, card))))
    a.effect(heap.add(card) if r.random() < 0.7 else pile.add(card))  # what comes back to the pile was seen
    draw = g.action("draw", weight=1)
    what = draw.param("what", range(1, KINDS))
    p = as_int(due[0] == 0)
    draw.outcome(pile.cells[what])
    draw.clause("C.2", waits)
    draw.effect(hand.add(p, what), pile.remove(what), gain(due[p], -1))
    empty = any_of(range(1, KINDS), lambda k: pile.cells[k] > 0) if r.random() < 0.5 else sum_of(KINDS, lambda k: pile.cells[k]) > 0
    g.trigger("C.3", waits & ~empty, [put(due[p], 0) for p in range(2)])
    has = any_of(range(1, KINDS), lambda k: playable(whose, k))
    if r.random() < 0.3:
        g.trigger("C.4", ~waits & ~has & (turn < 5), ends())
    if r.random() < 0.7:
        b = g.action("pass")
        b.clause("C.5", eq(whose, b.me) & ~waits)
        if r.random() < 0.4:
            b.clause("C.6", ~has)
        b.effect(ends())
    if r.random() < 0.4:
        c = g.action("swap")  # a card goes under the pile, and nobody else sees which
        of = c.param("of", range(1, KINDS))
        c.clause("C.7", eq(whose, c.me) & ~waits & (hand.cells[c.me, of] > 0) & (life[c.me] > 1))
        c.effect(hand.remove(c.me, of), ends(), gain(life[c.me], -1))
        c.effect(pile.add(of) if r.random() < 0.5 else [])  # or it is gone for ever
    if r.random() < 0.3:
        d = g.action("ask")  # whether the other has a card of a kind is seen from what comes of it
        d.clause("C.8", eq(whose, d.me) & ~waits)
        d.effect(ends(), put(life[d.me], _at_most(life[d.me] + as_int(hand.cells[1 - d.me, 1] > 0))))
    g.over((life[0] == 0) | (life[1] == 0) | (turn == 5))
    g.observe(hand.cells, lambda viewer, p, k: viewer == p)
    g.observe(pile.cells, lambda viewer, k: not declared)
    for n in range(2):
        g.goal("win", n, (life[1 - n] == 0) & (life[n] > 0))
        g.goal("live", n, life[n] + as_int(turn < 2) * -4 > 0)
    g.turn_structure(turn, {})
    every = range(1, KINDS)
    if declared:
        g.pieces({"hand": every, "pile": every})
    return g.build()


def _at_most(value: object) -> object:
    return minimum(3, value)


def dealt(seed: int, rules: RuleSet) -> State:
    """One to three cards on each hand, some in the pile."""
    r = Random(seed)
    deck = [k for k in range(1, KINDS) for _ in range(3)]
    r.shuffle(deck)
    one, two, three = r.randint(1, 2), r.randint(0, 2), r.randint(1, 2)
    hands = deck[:one], deck[one : one + two]
    pile = deck[one + two : one + two + three]
    return rules.state({
        "hand": [h.count(k) for h in hands for k in range(KINDS)], "pile": [pile.count(k) for k in range(KINDS)],
        "life": [r.randint(1, 3), r.randint(1, 3)], "whose": r.randrange(2), "turn": r.randint(0, 2),
    })  # fmt: skip
