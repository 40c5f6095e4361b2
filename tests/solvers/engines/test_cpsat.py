"""The engine ``cpsat`` means what the reference means, and finds the best of all states and plans."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable
from math import prod
from random import Random
from typing import Any

import hand_made
import pytest
import z3
from hand_made import Differences

from monjudge.model.language import (
    Expr,
    Game,
    LimitReached,
    Move,
    RuleSet,
    State,
    Table,
    all_of,
    count_of,
    evaluate,
    field,
    put,
    sum_of,
)
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines.cpsat import Cpsat, Query
from monjudge.solvers.engines.cpsat.rules import _Scope
from monjudge.solvers.engines.cpsat.terms import Number, Terms
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.engines.smt import Symbolic, check


@pytest.fixture(scope="module")
def held() -> Differences:
    return Differences()


# The meaning.


def test_cpsat_means_what_the_reference_means(held: Differences) -> None:
    assert list(held.of(Cpsat)) == []


def test_cpsat_plays_tic_tac_toe_like_the_reference() -> None:
    rules, random = tic_tac_toe(), Random(6)
    cpsat, reference, state = Cpsat(rules), Reference(rules), tic_tac_toe().start
    while moves := reference.moves(state):
        assert cpsat.moves(state) == moves
        assert not cpsat.over(state)
        move = random.choice(moves)
        assert not cpsat.legal(state, move._replace(me=1 - move.me))
        state = cpsat.step(state, move)
        assert not cpsat.legal(state, move)
    assert cpsat.over(state) and cpsat.moves(state) == []


def one_way(right: Callable[..., Any]) -> Callable[..., Any]:
    """A literal that says nothing where it does not hold."""

    def decide(self: Terms, holds: Any, fails: Any) -> Any:
        literal = self.model.new_bool_var("")
        self.model.add(holds).only_enforce_if(literal)
        return literal

    return decide


@pytest.mark.parametrize(
    ("place", "name", "fault"),
    [
        (Terms, "add", lambda right: lambda self, terms: right(self, terms[:-1] or terms)),
        (Terms, "scale", lambda right: lambda self, k, n: right(self, k + 1, n)),
        (Terms, "least", lambda right: Terms.greatest),
        (Terms, "greatest", lambda right: Terms.least),
        (Terms, "eq", lambda right: lambda self, a, b: self.negate(right(self, a, b))),
        (Terms, "le", lambda right: lambda self, a, b: self.negate(right(self, b, a))),
        (Terms, "lt", lambda right: Terms.le),
        (Terms, "member", lambda right: lambda self, n, values: right(self, n, values[1:])),
        (Terms, "both", lambda right: lambda self, truths: right(self, list(truths)[:-1])),
        (Terms, "negate", lambda right: lambda self, truth: truth),
        (Terms, "ite", lambda right: lambda self, c, a, b: right(self, c, b, a)),
        (Terms, "_decide", one_way),
        (Terms, "_reach", lambda right: lambda self, index, size: right(self, index, size - 1)),
        (Terms, "_tabulate", lambda right: lambda self, axes, r, values: right(self, axes, r, values[::-1])),
        (Terms, "_sort", lambda right: lambda self, index, r, values: right(self, index, r, values[::-1])),
        (Terms, "select", lambda right: lambda self, i, d, leaf, default: right(self, i, d, leaf, leaf(0))),
        (Terms, "confined", lambda right: lambda self, n, lo, hi: (right(self, n, lo, hi)[0], True)),
        (_Scope, "writes", lambda right: lambda self, effect, when: right(self, effect, True)),
        (_Scope, "bindings", lambda right: lambda self, v: itertools.islice(right(self, v), 1)),
        (Query, "one_pass", lambda right: lambda self, state: (state, False)),
    ],
)  # fmt: skip
def test_a_fault_planted_in_cpsat_is_caught(
    held: Differences, monkeypatch: pytest.MonkeyPatch, place: type, name: str, fault: Callable[[Any], Any]
) -> None:
    monkeypatch.setattr(place, name, fault(getattr(place, name)))
    assert next(held.of(Cpsat), None) is not None


def test_a_state_or_a_move_that_does_not_fit_is_refused_in_words() -> None:
    cpsat = Cpsat(hand_made.slide())
    with pytest.raises(ValueError, match="outside the interval"):
        cpsat.step((9, 0, 0, 0), Move("drop", 0, (1,)))
    for state in ((9, 0, 0, 0), (0, 0, 0)):
        for question in (cpsat.moves, lambda s: cpsat.legal(s, Move("drop", 0, (3,)))):
            with pytest.raises(ValueError, match="outside the interval"):
                question(state)
    with pytest.raises(ValueError, match="no action 'drip'"):
        cpsat.legal((0, 0, 0, 0), Move("drip", 0, (1,)))
    with pytest.raises(ValueError, match="takes 1 parameters, not 0"):
        cpsat.legal((0, 0, 0, 0), Move("drop", 0))
    assert not cpsat.legal((0, 0, 0, 0), Move("drop", 0, (4,)))
    assert cpsat.legal((0, 0, 0, 0), Move("drop", 0, (3,)))


@pytest.mark.parametrize(("index", "value"), [(-(10**9), 7), (-1, 7), (0, 0), (2, 2), (3, 7), (10**9, 7)])
def test_an_index_with_a_wide_interval_costs_no_more_than_the_axis(index: int, value: int) -> None:
    query = Query(hand_made.edges())
    far = query.terms.number(-(10**9), 10**9)
    cell = query.terms.select([far], (3,), lambda k: Number(k, k), Number(7, 7))
    query.fix([far], [index])
    assert query.every([cell], 1) == [(value,)]


@pytest.mark.parametrize("dims", [(9,), (9, 4), (1, 9), (7, 3, 5)])
@pytest.mark.parametrize("is_bool", [False, True])
def test_a_table_that_repeats_itself_is_looked_up_at_every_place(dims: tuple[int, ...], is_bool: bool) -> None:
    random = Random(sum(dims))
    rows = [[random.randrange(2 if is_bool else 3) for _ in range(prod(dims[1:]))] for _ in range(2)]
    values = [value for _ in range(dims[0]) for value in random.choice(rows)]
    query = Query(hand_made.edges())
    indices = [query.terms.number(-1, size) for size in dims]
    leaves = [query.terms.known(value, is_bool) for value in values]
    cell = query.terms.select(indices, dims, leaves.__getitem__, query.terms.known(1, is_bool))
    table = Table.of("", dims, [bool(v) for v in values] if is_bool else values, True if is_bool else 1)
    every = itertools.product(*(range(-1, size + 1) for size in dims))
    assert query.every([*indices, cell]) == [(*place, int(table.at(*place))) for place in every]


# The best of all states and plans.


def marks(rules: RuleSet, mark: int) -> Expr:
    return count_of(9, lambda i: field(rules.family_named["cell"], (i,)) == mark)


@pytest.mark.parametrize(("winner", "fewest"), [(0, 5), (1, 6)])
def test_the_smallest_board_that_is_won_has_five_marks_or_six(winner: int, fewest: int) -> None:
    rules = tic_tac_toe()
    query = Cpsat(rules).query()
    state = query.state()
    won = next(goal.when for goal in rules.goals if goal.player == winner)
    alternates = marks(rules, 1) == marks(rules, 2) + field(rules.family_named["turn"], ())
    to_move = field(rules.family_named["turn"], ()) == 1 - winner
    for condition in (won, alternates, to_move):
        query.require(query.term(condition, state))
    query.minimise(marks(rules, 1) + marks(rules, 2), state)
    answer = query.solve()
    assert answer is not None and answer.optimal
    board = answer.state(state)
    assert evaluate(marks(rules, 1) + marks(rules, 2), board, {}, rules.offset) == fewest
    assert all(evaluate(c, board, {}, rules.offset) for c in (won, alternates, to_move))


def heap_sum(rules: RuleSet) -> Expr:
    """Grains weighted by their place: more to the right is more."""
    heap = rules.family_named["heap"]
    return sum_of(4, lambda i: field(heap, (i,))) + 3 * field(heap, (3,))


def test_the_best_plan_is_that_of_exhaustion_and_replays() -> None:
    rules = hand_made.slide()
    query = Query(rules)
    states, plan = [query.state()], []
    query.fix(states[0].terms, rules.start)
    for _ in range(2):
        me, args = query.choice("drop")
        query.require(query.legal("drop", states[-1], me, args))
        then = query.step("drop", states[-1], me, args, passes=8)
        query.require(query.terms.negate(query.terms.either((then.limit, then.unsettled))))
        states.append(then.state)
        plan.append((me, args))
    query.maximise(heap_sum(rules), states[-1])
    answer = query.solve()
    assert answer is not None and answer.optimal
    reference, state = Reference(rules), rules.start
    for (me, args), expected in zip(plan, states[1:], strict=True):
        move = answer.move("drop", me, args)
        assert reference.legal(state, move)
        state = reference.step(state, move)
        assert state == answer.state(expected)
    best = max(evaluate(heap_sum(rules), s, {}, rules.offset) for s in after(reference, after(reference, {rules.start})))
    assert evaluate(heap_sum(rules), state, {}, rules.offset) == best


def after(reference: Reference, states: set[State]) -> set[State]:
    """All states one move later, where no bound is passed."""
    found = set()
    for state in states:
        for move in reference.moves(state):
            try:
                found.add(reference.step(state, move))
            except LimitReached:
                continue
    return found


def test_what_cpsat_excludes_z3_excludes_too() -> None:
    rules = tic_tac_toe()
    cells, turn = rules.family_named["cell"], field(rules.family_named["turn"], ())
    alternates = marks(rules, 1) == marks(rules, 2) + turn
    full_and_even = all_of(9, lambda i: field(cells, (i,)) != 0) & (turn == 0)
    query = Query(rules)
    state = query.state()
    query.require(query.term(alternates & full_and_even, state))
    assert query.solve() is None
    game = Symbolic(rules)
    now = game.state("now")
    solver = z3.Solver()
    solver.add(game.inside(now), game.expr(alternates & full_and_even, now))
    assert not check(solver)


def apart(effort: float) -> Query:
    """Which most of 120 things can be chosen if no two of one pair may: long to prove best."""
    g, random = Game("apart", players=1), Random(1)
    chosen = g.field("chosen", 120, values=bool)
    g.action("none", by=0).effect(put(chosen[0], True))
    query = Query(g.build(), effort)
    state = query.state()
    for i, j in itertools.combinations(range(120), 2):
        if random.random() < 0.12:
            query.require(query.term(~(chosen[i] & chosen[j]), state))
    query.maximise(count_of(120, lambda i: chosen[i]), state)
    return query


def test_a_search_that_stops_at_its_limit_is_unknown_and_not_a_no() -> None:
    with pytest.raises(LimitReached, match="CP-SAT gave no answer"):
        apart(effort=1e-6).solve()


def test_an_objective_cut_short_is_not_called_optimal() -> None:
    answer = apart(effort=0.3).solve()
    assert answer is not None and not answer.optimal


def test_an_enumeration_cut_short_is_unknown() -> None:
    query = Query(tic_tac_toe(), effort=0.001)
    with pytest.raises(LimitReached):
        query.every(query.state().terms)


def test_the_same_question_gets_the_same_answer() -> None:
    rules = hand_made.edges()

    def answer() -> tuple[Move, State]:
        query = Query(rules)
        state = query.state()
        me, args = query.choice("walk")
        query.require(query.legal("walk", state, me, args))
        found = query.solve()
        assert found is not None
        return found.move("walk", me, args), found.state(state)

    move, state = answer()
    assert answer() == (move, state)
    assert Reference(rules).legal(state, move)


@pytest.mark.parametrize("effort", [None, 50.0])
def test_a_question_without_a_bound_is_asked_in_the_same_ways_as_one_with_a_bound(effort: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("monjudge.solvers.engines.cpsat.rules.PLAIN", 0.0)
    asked: list[Any] = []

    class Watched(Query):
        def _solver(self, most: float | None = None) -> Any:
            asked.append(super()._solver(most))
            return asked[-1]

    query = Watched(tic_tac_toe(), effort, easy=0.0)
    now = query.state()
    query.require(query.legal("place", now, *query.choice("place")))
    assert query.solve() is not None
    assert [solver.parameters.linearization_level for solver in asked[-2:]] == [1, 2]
    assert len({solver.parameters.max_deterministic_time for solver in asked[:-1]}) == 1 and asked[-1].parameters.max_deterministic_time > 1


def test_an_interrupt_is_told_to_python_after_a_question_too() -> None:
    code = """
import signal
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines.cpsat import Query

query = Query(tic_tac_toe(), 50.0)
query.require(query.legal("place", query.state(), *query.choice("place")))
assert query.solve() is not None
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("told")
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "told\n"
