"""The engine ``smt`` means what the reference means, and answers questions about all states."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable
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
    any_of,
    count_of,
    evaluate,
    field,
    gain,
    ite,
    minimum,
    primed,
    put,
)
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines import reference as reference_engine
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.engines.smt import TURN, Reason, Smt, Symbolic, check, engine, reasons
from monjudge.solvers.engines.smt.rules import Scope
from monjudge.solvers.engines.smt.terms import Number, Terms

NUMBERS = pytest.mark.parametrize("numbers", ["bv", "int"])


@pytest.fixture(scope="module")
def held() -> Differences:
    return Differences()


# The meaning.


@NUMBERS
def test_smt_means_what_the_reference_means(held: Differences, numbers: str) -> None:
    assert list(held.of(lambda rules: Smt(rules, numbers))) == []


@NUMBERS
def test_smt_plays_tic_tac_toe_like_the_reference(numbers: str) -> None:
    rules, random = tic_tac_toe(), Random(5)
    smt, reference, state = Smt(rules, numbers), Reference(rules), tic_tac_toe().start
    while moves := reference.moves(state):
        assert smt.moves(state) == moves
        assert not smt.over(state)
        move = random.choice(moves)
        assert not smt.legal(state, move._replace(me=1 - move.me))
        state = smt.step(state, move)
        assert not smt.legal(state, move)
    assert smt.over(state) and smt.moves(state) == []


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
        (Terms, "both", lambda right: lambda self, truths: right(self, list(truths)[:-1])),
        (Terms, "either", lambda right: lambda self, truths: right(self, list(truths)[:-1])),
        (Terms, "negate", lambda right: lambda self, truth: truth),
        (Terms, "ite", lambda right: lambda self, c, a, b: right(self, c, b, a)),
        (Terms, "narrow", lambda right: lambda self, n, lo, hi: right(self, n, lo, hi - 1)),
        (Terms, "hits", lambda right: lambda self, i, size: {k - (k > 1): t for k, t in right(self, i, size).items()}),
        (Terms, "select", lambda right: lambda self, i, d, leaf, default: right(self, i, d, leaf, leaf(0))),
        (Scope, "_in", lambda right: lambda self, node, n, numbers: right(self, node, n, numbers[1:])),
        (Scope, "_all", lambda right: Scope._any),
        (Scope, "_sum", lambda right: lambda self, node, v, body: self.terms.add(self._instances(v, body)[1:])),
        (Scope, "_table", lambda right: lambda self, node, table, *i: right(self, node, table, *reversed(i))),
        (Symbolic, "_equal", lambda right: lambda self, a, b: right(self, b, b)),
        (Symbolic, "_writes", lambda right: lambda self, scope, effect, when: right(self, scope, effect, True)),
        (Symbolic, "one_pass", lambda right: lambda self, state: (state, False)),
        (Symbolic, "_inside", lambda right: lambda self, n, lo, hi: True),
    ],
)  # fmt: skip
def test_a_fault_planted_in_smt_is_caught(
    held: Differences, monkeypatch: pytest.MonkeyPatch, place: type, name: str, fault: Callable[[Any], Any]
) -> None:
    monkeypatch.setattr(place, name, fault(getattr(place, name)))
    assert next(held.of(Smt), None) is not None


def test_a_node_used_twice_is_translated_once() -> None:
    rules = hand_made.edges()
    at = field(rules.family_named["at"], ())
    expr: Expr = at
    for n in range(60):
        expr = minimum(expr + 1, ite(at < n % 5, expr, at + n))
    state = rules.state({"at": 2})
    # Written out the tree has 2**60 nodes; the reference names what is used twice.
    want = Reference(dataclasses.replace(rules, payoffs=(expr, expr))).payoff(state)[0]
    assert Smt(rules).value(expr, state) == want


def test_a_state_or_a_move_that_does_not_fit_is_refused_in_words() -> None:
    smt = Smt(hand_made.slide())
    with pytest.raises(ValueError, match="outside the interval"):
        smt.step((9, 0, 0, 0), Move("drop", 0, (1,)))
    with pytest.raises(ValueError, match="outside its domain"):
        smt.step((0, 0, 0, 0), Move("drop", 0, (4,)))
    with pytest.raises(ValueError, match="no action 'drip'"):
        smt.legal((0, 0, 0, 0), Move("drip", 0, (1,)))
    with pytest.raises(ValueError, match="takes 1 parameters, not 0"):
        smt.legal((0, 0, 0, 0), Move("drop", 0))
    assert not smt.legal((0, 0, 0, 0), Move("drop", 0, (4,)))
    assert smt.legal((0, 0, 0, 0), Move("drop", 0, (3,)))
    with pytest.raises(ValueError, match='"bv"'):
        Smt(hand_made.slide(), "real")



def test_a_state_outside_its_intervals_is_refused_and_gets_no_no() -> None:
    smt = Smt(tic_tac_toe())
    for state in ((3, *smt.rules.start[1:]), smt.rules.start[1:]):
        for question in (smt.moves, smt.over, lambda s: smt.legal(s, Move("place", 0, (4,)))):
            with pytest.raises(ValueError, match="outside the interval"):
                question(state)


# Questions about all states.


def marks(rules: RuleSet, mark: int) -> Expr:
    return count_of(9, lambda i: field(rules.family_named["cell"], (i,)) == mark)


def alternates(rules: RuleSet) -> Expr:
    """The first player has as many marks as the second, or one more when the second is to move."""
    return marks(rules, 1) == marks(rules, 2) + field(rules.family_named["turn"], ())


@NUMBERS
@pytest.mark.parametrize("broken", [False, True])
def test_that_marks_alternate_is_proved_by_induction_and_what_is_false_is_not(numbers: str, broken: bool) -> None:
    rules = tic_tac_toe()
    invariant = alternates(rules) if not broken else marks(rules, 1) == marks(rules, 2)
    assert evaluate(invariant, rules.start, {}, rules.offset) == 1
    game = Symbolic(rules, numbers)
    now = game.state("now")
    me, args = game.choice("place", "now")
    then = game.step("place", now, me, args)
    solver = z3.Solver()
    solver.add(game.inside(now), game.expr(invariant, now), game.legal("place", now, me, args))
    solver.add(z3.Not(game.expr(invariant, then.state)))
    assert check(solver) == broken
    if broken:
        model = solver.model()
        before, move = game.model_state(model, now), game.model_move(model, "place", me, args)
        reference = Reference(rules)
        assert reference.legal(before, move)
        after = reference.step(before, move)
        assert after == game.model_state(model, then.state)
        assert evaluate(invariant, after, {}, rules.offset) == 0


@NUMBERS
def test_the_first_player_wins_in_five_plies_at_the_earliest_and_the_second_in_six(numbers: str) -> None:
    rules = tic_tac_toe()
    game, reference = Symbolic(rules, numbers), Reference(rules)
    states, plies = [game.known(rules.start)], []
    solver = z3.Solver()
    earliest = {}
    for ply in range(1, 7):
        me, args = game.choice("place", str(ply))
        plies.append((me, args))
        solver.add(game.legal("place", states[-1], me, args))
        states.append(game.step("place", states[-1], me, args).state)
        for goal in rules.goals:
            won = game.expr(goal.when, states[-1])
            if goal.player not in earliest and check(solver, won):
                earliest[goal.player] = ply
                state = rules.start
                for who, what in plies:
                    move = game.model_move(solver.model(), "place", who, what)
                    assert reference.legal(state, move)
                    state = reference.step(state, move)
                assert evaluate(goal.when, state, {}, rules.offset) == 1
    assert earliest == {0: 5, 1: 6}


def test_in_how_many_passes_triggers_settle_is_one_query_for_all_states() -> None:
    game = Symbolic(hand_made.slide())
    now = game.state("now")
    solver = z3.Solver()
    solver.add(game.inside(now))
    found = [n for n in range(12) if not check(solver, game.settle(now, passes=n).unsettled)]
    assert found == list(range(most_passes(hand_made.slide()), 12))


def most_passes(rules: RuleSet) -> int:
    """The passes that the reference needs at most over all states, the one that changes nothing counted."""
    waiting = set(itertools.product(*(range(lo, hi + 1) for lo, hi in rules.bounds)))
    for n in itertools.count(1):
        short = Reference(dataclasses.replace(rules, passes=n))
        waiting = {state for state in waiting if not settles(short, state)}
        if not waiting:
            return n
    raise AssertionError


def settles(reference: Reference, state: tuple[int, ...]) -> bool:
    try:
        reference.settle(state)
    except LimitReached:
        return False
    return True


def test_what_never_settles_and_what_overflows_are_two_flags() -> None:
    game = Symbolic(hand_made.restless())
    now = game.state("now")
    solver = z3.Solver()
    solver.add(game.inside(now))
    then = game.step("arm", now, 0, ())
    assert not check(solver, z3.Not(then.unsettled))
    assert not check(solver, then.limit)
    heaps = Symbolic(hand_made.slide())
    now = heaps.state("now")
    solver.add(heaps.inside(now), heaps.legal("drop", now, 0, (2,)), heaps.apply("drop", now, 0, (2,)).limit)
    assert check(solver)
    assert heaps.model_state(solver.model(), now)[2] == 2, "two and two are more than the heap may hold"


def test_an_expression_about_the_next_state_reads_both_states() -> None:
    rules = tic_tac_toe()
    game = Symbolic(rules)
    turn = field(rules.family_named["turn"], ())
    now = game.state("now")
    me, args = game.choice("place", "now")
    then = game.step("place", now, me, args)
    solver = z3.Solver()
    solver.add(game.inside(now), game.domain("place", me, args))
    assert not check(solver, game.expr(primed(turn) == turn, now, after=then.state))
    assert check(solver, game.expr(primed(turn) != turn, now, after=then.state))
    with pytest.raises(ValueError, match="next state"):
        game.expr(primed(turn) == turn, now)


def two_heaps() -> RuleSet:
    """Grains go from one heap to the other; none is lost."""
    g = Game("two heaps", players=2)
    turn, heap = g.field("turn", values=range(2)), g.field("heap", 2, values=range(8), init=(5, 2))
    move = g.action("move", by=turn)
    count = move.param("count", range(1, 4))
    move.clause("TH.1", (heap[move.me] >= count) & (heap[1 - move.me] + count <= 7))
    move.effect(gain(heap[move.me], -count), gain(heap[1 - move.me], count), put(turn, 1 - turn))
    return g.build()


@pytest.mark.parametrize(("total", "reachable"), [(6, False), (7, True)])
def test_spacer_finds_the_invariant_by_itself(total: int, reachable: bool) -> None:
    rules = two_heaps()
    heap = rules.family_named["heap"]
    game = Symbolic(rules, "int")
    now = game.state("now")
    me, args = game.choice("move", "now")
    then = game.step("move", now, me, args)
    cells = game.refs(now)
    reached = z3.Function("reached", *(c.sort() for c in cells), z3.BoolSort())
    spacer = z3.Fixedpoint()
    spacer.set(engine="spacer")
    spacer.register_relation(reached)
    spacer.declare_var(*cells, *(game.terms.ref(t) for t in (me, *args)))
    spacer.rule(reached(*game.refs(game.known(rules.start))))
    moves = [reached(*cells), game.inside(now), game.legal("move", now, me, args), z3.Not(then.limit)]
    spacer.rule(reached(*game.refs(then.state)), moves)
    all_on_the_left = field(heap, (0,)) - field(heap, (1,)) == total
    assert (spacer.query(z3.And(reached(*cells), game.expr(all_on_the_left, now))) == z3.sat) == reachable


def test_a_known_state_is_worked_out_while_it_is_translated() -> None:
    rules = tic_tac_toe()
    game = Symbolic(rules)
    assert z3.is_true(game.expr(any_of(9, lambda i: field(rules.family_named["cell"], (i,)) == 0), game.known(rules.start)))
    assert z3.is_false(game.over(game.known(rules.start)))


def test_bit_vectors_are_as_wide_as_their_interval() -> None:
    terms = Terms()
    x = terms.variable("x", -1, 2)
    assert terms.ref(x).size() == 3
    assert terms.ref(terms.add([x, Number(100, 100)])).size() == 8
    assert terms.ref(terms.add([terms.variable("y", 100, 101), Number(-100, -100)])).size() == 2
    solver = z3.Solver()
    solver.add(terms.within(x))
    assert not check(solver, terms.ref(x) == -2) and not check(solver, terms.ref(x) == 3)
    assert check(solver, terms.ref(x) == -1) and check(solver, terms.ref(x) == 2)


# Reasons.


def shop(size: int) -> RuleSet:
    """Two parameters with ``size`` values each: looked at one by one, too many."""
    g = Game("shop", players=2)
    gold = g.field("gold", values=range(size), init=5)
    buy = g.action("buy", by=0)
    price, rest = buy.param("price", range(size)), buy.param("rest", range(size))
    buy.clause("S.sum", price + rest == gold)
    buy.clause("S.more", price > gold)
    buy.clause("S.none", rest == 0)
    buy.clause("S.half", price + price == gold)
    buy.clause("S.free", price >= 1)
    return g.build()


def test_all_reasons_and_relaxations_are_found_in_a_space_too_large_to_enumerate() -> None:
    rules = shop(1_000_000)
    found = list(Smt(rules).reasons(rules.start, "buy"))
    assert {r.clauses for r in found if r.kind == "reason"} == {
        frozenset({"S.sum", "S.more"}), frozenset({"S.half"}),
    }  # fmt: skip
    relaxed = {r.clauses: r.witness for r in found if r.kind == "relaxation"}
    assert set(relaxed) == {frozenset({"S.sum", "S.half"}), frozenset({"S.more", "S.half"})}
    reference = Reference(rules)
    for ids, move in relaxed.items():
        assert {c.id for c in reference.failing(rules.start, move)} == ids


@pytest.mark.parametrize("me", [None, 0, 1])
def test_reasons_are_those_of_a_look_at_every_choice(me: int | None) -> None:
    rules, reference = shop(7), Reference(shop(7))
    found = list(Smt(rules).reasons(rules.start, "buy", me, {"rest": 4}))
    failing = {
        frozenset(c.id for c in reference.failing(rules.start, move))
        for move in reference.candidates()
        if me in (None, move.me) and move.args[1] == 4
    }
    smallest = {f for f in failing if not any(other < f for other in failing)}
    assert {r.clauses for r in found if r.kind == "relaxation"} == smallest
    ids = sorted(frozenset().union(*failing))
    hitting = [
        frozenset(some)
        for n in range(len(ids) + 1)
        for some in itertools.combinations(ids, n)
        if all(set(some) & f for f in failing)
    ]
    assert {r.clauses for r in found if r.kind == "reason"} == {
        h for h in hitting if not any(other < h for other in hitting)
    }
    assert (TURN in frozenset().union(*smallest)) == (me == 1)
    assert reference_engine.TURN.id == TURN


def test_a_legal_move_has_no_reason_and_the_empty_relaxation() -> None:
    rules = tic_tac_toe()
    assert list(Smt(rules).reasons(rules.start, "place")) == [Reason("relaxation", frozenset())]


def test_more_reasons_than_asked_for_are_unknown() -> None:
    rules = shop(9)
    some = Smt(rules).reasons(rules.start, "buy", most=2)
    next(some), next(some)
    with pytest.raises(LimitReached, match="more than 2"):
        next(some)
    assert len(list(Smt(rules).reasons(rules.start, "buy", most=4))) == 4


def test_a_limit_passed_once_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = tic_tac_toe()
    smt, reference = Smt(rules), Reference(rules)
    states = [rules.start, reference.step(rules.start, Move("place", 0, (4,)))]

    def give_up(*_: object) -> bool:
        raise LimitReached

    with monkeypatch.context() as patch:
        patch.setattr(engine, "check", give_up)
        with pytest.raises(LimitReached):
            smt.moves(states[0])
        with pytest.raises(LimitReached):
            smt.step(states[0], Move("place", 0, (0,)))
    assert [smt.moves(s) for s in states] == [reference.moves(s) for s in states]
    assert smt.step(states[1], Move("place", 1, (0,))) == reference.step(states[1], Move("place", 1, (0,)))


@NUMBERS
def test_an_engine_with_too_little_work_allowed_answers_unknown(numbers: str) -> None:
    rules = tic_tac_toe()
    with pytest.raises(LimitReached, match="z3 gave no answer"):
        Smt(rules, numbers, rlimit=10).moves(rules.start)
    assert len(Smt(rules, numbers, rlimit=10**7).moves(rules.start)) == 9


def test_z3_that_gives_up_is_unknown_and_not_a_no() -> None:
    x, y = z3.BitVecs("x y", 64)
    hard = x * y == 0x7FFFFFFFFFFFFFE7 * 3
    with pytest.raises(LimitReached, match="z3 gave no answer"):
        list(reasons([z3.ULT(1, x), z3.ULT(1, y), hard], [("odd", x & 1 == 1)], rlimit=1000))
