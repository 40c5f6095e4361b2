"""All legal summons of a state: the generated enumerator beside python-constraint and a z3 blocking loop.

The rule set is one action of a card game, as large as such an action gets: an Extra card
is summoned onto a board of three columns and paid with mana from the tops of the three.
39 state cells, 8 cards in hand, 6 parameters, 10 clauses, 10,368 candidate moves.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from monjudge.model.language import (
    Domain,
    Expr,
    Game,
    RuleSet,
    State,
    Table,
    any_of,
    both,
    either,
    eq,
    gain,
    lookup,
    lt,
    put,
    sum_of,
)
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.reasons import WhyNot

COLUMNS = Domain("column", ("L", "C", "R"))
ROWS = Domain("row", ("attack", "guard"))
PHASES = Domain("phase", ("draw", "edit", "battle", "end"))
SLOTS = 5
MANA = 40
"""Kinds 1..40 are mana cards, five elements with the numbers 1..8; 0 is no card."""
EXTRAS = 12
"""Kinds 41..52 are Extra cards."""
KINDS = 1 + MANA + EXTRAS
NOTHING = 5
"""The element of what is no mana card."""

ELEMENT = Table.of("element", (KINDS,), [k % 5 if 1 <= k <= MANA else NOTHING for k in range(KINDS)], NOTHING)
NUMBER = Table.of("number", (KINDS,), [(k - 1) // 5 + 1 if 1 <= k <= MANA else 0 for k in range(KINDS)])
IS_EXTRA = Table.of("is_extra", (KINDS,), [k > MANA for k in range(KINDS)], False)
COST = Table.of("cost", (KINDS,), [k % 4 + 1 if k > MANA else 0 for k in range(KINDS)])
GUARDS = Table.of("guards", (KINDS,), [k > MANA and k % 3 != 0 for k in range(KINDS)], False)
LEFT = Table.of("left", (KINDS,), [k % 5 if k > MANA else NOTHING for k in range(KINDS)], NOTHING)
RIGHT = Table.of("right", (KINDS,), [k * 2 % 5 if k > MANA else NOTHING for k in range(KINDS)], NOTHING)
LEAST = Table.of("least", (KINDS,), [k % 3 + 5 if k > MANA else 9 for k in range(KINDS)], 9)
"""A number at the top of some column that is enough by itself: this or more."""


def summon() -> RuleSet:
    """The rule set: one player, one action."""
    g = Game("summon", players=1)
    phase = g.field("phase", values=PHASES, init=PHASES.edit)
    summoned = g.field("summoned", values=bool)
    skills = g.field("skills", values=range(3))
    life = g.field("life", values=range(17), init=16)
    hand = g.field("hand", 8, values=range(KINDS))
    mana = g.field("mana", COLUMNS, SLOTS, values=range(KINDS))
    height = g.field("height", COLUMNS, values=range(SLOTS + 1))
    elements = g.field("elements", COLUMNS, values=range(SLOTS + 1))
    board = g.field("board", ROWS, COLUMNS, values=range(KINDS))

    a = g.action("summon", by=0)
    slot = a.param("slot", range(8))
    column, row = a.param("column", COLUMNS), a.param("row", ROWS)
    pay = [a.param(f"pay_{name}", range(SLOTS + 1)) for name in COLUMNS.labels]
    card = hand[slot]

    def top(c: int) -> Expr:
        return mana[c, height[c] - 1 - pay[c]]

    def pair(c: int) -> Expr:
        return eq(lookup(ELEMENT, top(c)), lookup(LEFT, card)) & eq(lookup(ELEMENT, top(c + 1)), lookup(RIGHT, card))

    a.clause("SUMMON.phase", phase == PHASES.edit)
    a.clause("SUMMON.alive", life > 0)
    a.clause("SUMMON.once", ~summoned)
    a.clause("SUMMON.extra", lookup(IS_EXTRA, card))
    a.clause("SUMMON.only", sum_of(2, lambda r: sum_of(3, lambda c: lookup(COST, board[r, c]))) == 0)
    a.clause("SUMMON.free", board[row, column] == 0)
    a.clause("SUMMON.row", (row == ROWS.attack) | lookup(GUARDS, card))
    a.clause("SUMMON.cost", pay[0] + pay[1] + pay[2] == lookup(COST, card))
    a.clause("SUMMON.plain", both(*(pay[c] <= height[c] - elements[c] for c in range(3))))
    a.clause(
        "SUMMON.match",
        either(pair(0), pair(1), *(lookup(NUMBER, top(c)) >= lookup(LEAST, card) for c in range(3))),
    )  # fmt: skip
    a.effect(put(hand[slot], 0), put(board[row, column], card), put(summoned, True), put(skills, 0, any_of(3, lambda c: lt(0, height[c]))))
    a.effect(*(gain(height[c], -1 * pay[c]) for c in range(3)))
    a.effect(*(put(mana[c, s], 0, s >= height[c] - pay[c]) for c in range(3) for s in range(SLOTS)))
    return g.build()


def position(rules: RuleSet, seed: int) -> State:
    """A state of the middle of a game: mana in all columns, Extra and plain cards in hand."""
    rng = random.Random(seed)
    mana, height, elements = [0] * (3 * SLOTS), [0] * 3, [0] * 3
    for c in range(3):
        height[c], elements[c] = rng.randint(2, SLOTS), rng.randint(0, 1)
        for s in range(elements[c], height[c]):
            mana[c * SLOTS + s] = rng.randint(1, MANA)
    hand = [rng.randint(1, MANA) for _ in range(4)] + [rng.randint(MANA + 1, KINDS - 1) for _ in range(4)]
    board = [0, rng.randint(1, MANA), 0, rng.randint(1, MANA), 0, 0]
    return rules.state({"hand": hand, "mana": mana, "height": height, "elements": elements, "board": board})


def by_python_constraint(rules: RuleSet, state: State) -> Callable[[], int]:
    """The problem as its users write it, a plain function for each clause; the call solves it and counts."""
    import constraint

    at = rules.view(state)
    hand, mana, height, elements, board = (at[n] for n in ("hand", "mana", "height", "elements", "board"))
    cost, guards, extra, element, number = (t.values for t in (COST, GUARDS, IS_EXTRA, ELEMENT, NUMBER))
    left, right, least = (t.values for t in (LEFT, RIGHT, LEAST))

    def match(slot: int, *pay: int) -> bool:
        card = hand[slot]
        tops = []
        for c in range(3):
            h = height[c] - 1 - pay[c]
            tops.append(mana[c * SLOTS + h] if h >= 0 else 0)
        return any(
            element[tops[c]] == left[card] and element[tops[c + 1]] == right[card] for c in range(2)
        ) or any(number[t] >= least[card] for t in tops)  # fmt: skip

    p = constraint.Problem()
    p.addVariable("slot", range(8))
    p.addVariables(["column"], range(3))
    p.addVariables(["row"], range(2))
    pays = ["pay_L", "pay_C", "pay_R"]
    p.addVariables(pays, range(SLOTS + 1))
    if at["phase"] != PHASES.edit or at["life"] == 0 or at["summoned"] or any(cost[k] for k in board):
        return lambda: 0
    p.addConstraint(lambda slot: extra[hand[slot]], ["slot"])
    p.addConstraint(lambda column, row: board[row * 3 + column] == 0, ["column", "row"])
    p.addConstraint(lambda slot, row: row == 0 or guards[hand[slot]], ["slot", "row"])
    p.addConstraint(lambda slot, a, b, c: a + b + c == cost[hand[slot]], ["slot", *pays])
    for c, name in enumerate(pays):
        p.addConstraint(lambda pay, c=c: pay <= height[c] - elements[c], [name])
    p.addConstraint(match, ["slot", *pays])
    return lambda: len(p.getSolutions())


def seconds(run: Callable[[], object], least: float) -> float:
    """Seconds a call, the best of three parts of the time."""
    best = float("inf")
    for _ in range(3):
        calls, begin = 0, time.perf_counter()
        while (spent := time.perf_counter() - begin) < least / 3:
            run()
            calls += 1
        best = min(best, spent / calls)
    return best


def rows(quick: bool) -> list[dict[str, Any]]:
    """Milliseconds for all legal moves of one state, code generated and problems built before."""
    from monjudge.solvers.engines.csp import Csp
    from monjudge.solvers.engines.smt import Smt

    rules = summon()
    least = 0.2 if quick else 1.5
    state = position(rules, 1)
    begin = time.perf_counter()
    enumerator = Enumerator(rules)
    moves = enumerator.moves(state)
    generation = time.perf_counter() - begin
    problem, csp, smt = by_python_constraint(rules, state), Csp(rules), Smt(rules)
    assert problem() == len(moves) and csp.moves(state) == smt.moves(state) == moves
    ours = 1000 * seconds(lambda: enumerator.moves(state), least)

    def row(name: str, peer: Callable[[], object] | None, goal: str | None, mine: float = ours) -> dict[str, Any]:
        other = None if peer is None else 1000 * seconds(peer, least)
        ratio = None if other is None else other / mine
        return {"name": name, "ours": mine, "peer": other, "ratio": ratio, "goal": goal, "unit": "ms"}

    none = rules.state({"board": [1] * 6}, state)
    why = WhyNot(rules)
    stuck = 1000 * seconds(lambda: why.ask(none, "summon", 0), least)

    name = f"summon, {len(moves)} legal of 10,368:"
    return [
        row(f"{name} enumerator, first call", None, None, 1000 * generation),
        row(f"{name} enumerator / python-constraint by hand", problem, ">= 10 x"),
        row(f"{name} enumerator / engine csp", lambda: csp.moves(state), ">= 10 x"),
        row(f"{name} enumerator / z3 blocking loop", lambda: smt.moves(state), ">= 50 x"),
        row("summon, none legal: all minimal reasons / z3", lambda: list(smt.reasons(none, "summon", 0)), None, stuck),
    ]
