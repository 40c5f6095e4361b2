"""All minimal reasons and relaxations, held against their definition."""

from __future__ import annotations

import itertools
import sys
from random import Random

import pytest

from monjudge.model.language import NATURE, Game, Move, RuleSet, State, Table, add, lookup
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers import reasons
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.reasons import Reasons, WhyNot, minimal_hitting_sets
from monjudge.solvers.verdict import Verdict

CLAUSES = 6


def random_clauses(seed: int) -> RuleSet:
    """One action of two parameters whose clauses are random tables over them and a cell; some are bounds."""
    rng = Random(seed)
    g = Game(f"random {seed}", players=2)
    cell, turn = g.field("cell", values=range(3)), g.field("turn", values=range(2))
    a = g.action("a", by=turn)
    p, q = a.param("p", range(3)), a.param("q", range(4))
    for n in range(CLAUSES):
        holds = rng.choice((0.3, 0.5, 0.8))
        axes = rng.choice(((cell,), (p,), (q,), (p, q), (cell, p, q)))
        dims = [axis.hi + 1 for axis in axes]
        cells = [rng.random() < holds for _ in itertools.product(*map(range, dims))]
        kind = "limit" if rng.random() < 0.2 else "rule"
        a.clause(f"R.{n}", lookup(Table.of(f"t{n}", dims, cells, False), *axes), kind=kind)  # type: ignore[arg-type]
    return g.build()


def by_definition(rules: RuleSet, state: State, me: int, fixed: dict[str, int]) -> tuple[set[frozenset[str]], ...]:
    """Minimal sets of clauses no choice satisfies together, and minimal sets without which some choice is legal."""
    reference, action = Reference(rules), rules.actions[0]
    choices = itertools.product(*((fixed[p.name],) if p.name in fixed else p.values for p in action.params))
    failing = [{c.id for c in reference.failing(state, Move(action.name, me, args))} for args in choices]
    ids = ["GAME.turn", *(c.id for c in action.clauses)]
    sets = [frozenset(s) for k in range(len(ids) + 1) for s in itertools.combinations(ids, k)]
    impossible = [s for s in sets if all(s & f for f in failing)]
    enough = [s for s in sets if any(f <= s for f in failing)]
    return tuple({s for s in found if not any(other < s for other in found)} for found in (impossible, enough))


def ids(answer: Reasons) -> tuple[set[frozenset[str]], set[frozenset[str]]]:
    return (
        {frozenset(c.id for c in reason) for reason in answer.reasons},
        {frozenset(c.id for c in relaxation.clauses) for relaxation in answer.relaxations},
    )


QUESTIONS = [(seed, me, fixed) for seed in range(40) for me in (0, 1) for fixed in ({}, {"q": 2}, {"p": 0, "q": 1})]


def test_reasons_and_relaxations_are_those_of_the_definition() -> None:
    verdicts = []
    for seed, me, fixed in QUESTIONS:
        rules = random_clauses(seed)
        state = (seed % 3, 0)
        answer = WhyNot(rules).ask(state, "a", me, fixed)
        verdicts.append(answer.verdict)
        if answer.verdict is Verdict.YES:
            assert answer.legal is not None and Reference(rules).legal(state, answer.legal)
            assert by_definition(rules, state, me, fixed)[1] == {frozenset()}
        else:
            assert ids(answer) == by_definition(rules, state, me, fixed)
    assert set(verdicts) == {Verdict.YES, Verdict.NO, Verdict.UNKNOWN}, "the questions must have all answers"


def test_a_relaxation_comes_with_the_first_choice_that_fails_exactly_it() -> None:
    for seed in range(30):
        rules = random_clauses(seed)
        reference, state = Reference(rules), (seed % 3, 1)
        for relaxation in WhyNot(rules).ask(state, "a", 0).relaxations:
            alike = [m for m in reference.candidates() if m.me == 0 and reference.failing(state, m) == list(relaxation.clauses)]
            assert relaxation.move == alike[0]


def test_a_choice_that_fails_only_bounds_makes_the_answer_unknown() -> None:
    g = Game("bound", players=1)
    a = g.action("a", by=0)
    x = a.param("x", range(3))
    a.limit("B.bound", x < 1)
    a.clause("B.rule", x > 0)
    answer = WhyNot(g.build()).ask((), "a", 0)
    assert answer.verdict is Verdict.UNKNOWN and answer.limit is not None and "B.bound" in answer.limit.en
    assert ids(answer) == ({frozenset({"B.bound", "B.rule"})}, {frozenset({"B.bound"}), frozenset({"B.rule"})})


def test_the_end_of_the_game_and_the_turn_are_reasons() -> None:
    why = WhyNot(tic_tac_toe())
    state = why.rules.state({"cell": [1, 1, 1, 2, 2, 0, 0, 0, 0], "turn": 1})
    assert ids(why.ask(state, "place", 0)) == ({frozenset({"TTT.end"}), frozenset({"GAME.turn"})}, {frozenset({"TTT.end", "GAME.turn"})})
    assert ids(why.ask(state, "place", 1, {"at": 0}))[0] == {frozenset({"TTT.end"}), frozenset({"TTT.empty"})}


def test_chance_that_weighs_nothing_is_not_due() -> None:
    g = Game("die", players=1)
    sides = g.field("sides", values=range(3))
    die = g.action("die", weight=1)
    face = die.param("face", range(3))
    die.outcome(sides * 2)
    die.clause("D.face", face < sides)
    why = WhyNot(g.build())
    assert why.ask((1,), "die", NATURE).legal == Move("die", NATURE, (0,))
    assert ids(why.ask((0,), "die", NATURE))[0] == {frozenset({"GAME.turn"}), frozenset({"D.face"})}


def test_above_the_bound_z3_gives_the_same_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    for seed, me, fixed in QUESTIONS[::7]:
        rules = random_clauses(seed)
        reference, state = Reference(rules), (seed % 3, 0)
        monkeypatch.setattr(reasons, "SPACE", 1_000_000)
        expected = WhyNot(rules).ask(state, "a", me, fixed)
        monkeypatch.setattr(reasons, "SPACE", 0)
        answer = WhyNot(rules).ask(state, "a", me, fixed)
        assert (answer.verdict, ids(answer)) == (expected.verdict, ids(expected))
        for relaxation in answer.relaxations:
            assert set(reference.failing(state, relaxation.move)) == set(relaxation.clauses)
            asked += 1
    assert asked > 20


def test_a_space_too_large_to_walk_through_is_answered_by_z3() -> None:
    g = Game("wide", players=1)
    stock = g.field("stock", values=range(2001))
    a = g.action("a", by=0)
    pay = [a.param(f"pay{n}", range(500)) for n in range(4)]
    a.clause("W.stock", add(*pay) <= stock)
    a.clause("W.least", pay[0] + pay[1] > 700)
    a.clause("W.order", pay[0] < pay[1])
    answer = WhyNot(g.build()).ask((600,), "a", 0)
    assert answer.verdict is Verdict.NO
    assert ids(answer) == ({frozenset({"W.stock", "W.least"})}, {frozenset({"W.stock"}), frozenset({"W.least"})})


def test_without_z3_the_answer_for_a_large_space_is_unknown_and_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "SPACE", 0)
    monkeypatch.setitem(sys.modules, "monjudge.solvers.engines.smt", None)
    answer = WhyNot(tic_tac_toe()).ask(tic_tac_toe().start, "place", 0)
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.limit is not None and answer.limit.en.startswith("9 choices are more than 0")


def test_the_summon_example_names_the_clauses_that_stand_in_the_way(summon: object) -> None:
    rules = summon.summon()  # type: ignore[attr-defined]
    state = summon.position(rules, 1)  # type: ignore[attr-defined]
    why = WhyNot(rules)
    assert why.ask(state, "summon", 0).verdict is Verdict.YES
    answer = why.ask(rules.state({"height": [0, 0, 0]}, state), "summon", 0)
    assert ids(answer)[0] == {frozenset({"SUMMON.plain"}), frozenset({"SUMMON.extra", "SUMMON.match"})}
    answer = why.ask(rules.state({"board": [1] * 6}, state), "summon", 0, {"slot": 4})
    assert ids(answer) == ({frozenset({"SUMMON.free"})}, {frozenset({"SUMMON.free"})})


@pytest.mark.parametrize(
    ("masks", "expected"),
    [
        ([], [0]),
        ([0b1], [0b1]),
        ([0b110], [0b10, 0b100]),
        ([0b011, 0b110], [0b10, 0b101]),
        ([0b001, 0b110, 0b100], [0b101]),
        ([0b0011, 0b1100], [0b0101, 0b0110, 0b1001, 0b1010]),
    ],
)
def test_minimal_hitting_sets_of_small_families(masks: list[int], expected: list[int]) -> None:
    assert minimal_hitting_sets(masks) == expected


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (("take", 0, {}), "no action 'take'"),
        (("place", 2, {}), "decided by a player 0..1"),
        (("place", 0, {"to": 1}), "no parameter 'to', only at"),
        (("place", 0, {"at": 9}), "at of place is 0..8, not 9"),
    ],
)
def test_a_question_about_no_possible_choice_is_an_error(question: tuple[str, int, dict[str, int]], message: str) -> None:
    rules = tic_tac_toe()
    with pytest.raises(ValueError, match=message):
        WhyNot(rules).ask(rules.start, *question)


def two_ways() -> RuleSet:
    """A card is laid or thrown; both need the turn, laying a free place, throwing a target."""
    g = Game("two ways", players=2)
    turn, free, target = (g.field(name, values=range(2)) for name in ("turn", "free", "target"))
    for name, cell, rule in (("lay", free, "T.free"), ("throw", target, "T.target")):
        a = g.action(name)
        card = a.param("card", range(3))
        a.clause("T.turn", turn == a.me)
        a.clause(rule, cell == 1)
        a.clause("T.card", card > 0)
    return g.build()


@pytest.mark.parametrize(
    ("cells", "reasons", "relaxations"),
    [
        ((0, 0, 0), {("T.free", "T.target")}, {("T.free",), ("T.target",)}),
        ((1, 1, 0), {("T.turn",)}, {("T.turn",)}),
        ((1, 0, 0), {("T.turn",), ("T.free", "T.target")}, {("T.turn", "T.free"), ("T.turn", "T.target")}),
    ],
)
def test_over_several_ways_a_rule_that_stands_in_all_of_them_counts_once(
    cells: tuple[int, ...], reasons: set[tuple[str, ...]], relaxations: set[tuple[str, ...]]
) -> None:
    rules = two_ways()
    found = WhyNot(rules).ask_any(cells, 0, [("lay", {"card": 1}), ("throw", {"card": 1})])
    assert found.verdict is Verdict.NO
    assert {tuple(c.id for c in r) for r in found.reasons} == reasons
    assert {tuple(c.id for c in r.clauses) for r in found.relaxations} == relaxations


def test_one_way_that_works_is_enough() -> None:
    found = WhyNot(two_ways()).ask_any((0, 0, 1), 0, [("lay", {"card": 1}), ("throw", {"card": 1})])
    assert found.verdict is Verdict.YES and found.legal == Move("throw", 0, (1,))


def test_without_a_way_there_is_no_question() -> None:
    with pytest.raises(ValueError, match="no way"):
        WhyNot(two_ways()).ask_any((0, 0, 0), 0, [])
