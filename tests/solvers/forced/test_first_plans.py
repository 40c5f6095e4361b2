"""The first plans of a refuted claim are counted by two engines, and a move that one of them overlooks is noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from monjudge.model.language import Move, RuleSet, State
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers import plans
from monjudge.solvers.certificate import Evidence, Refused, check, compiled
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.first_plans import FirstPlans
from monjudge.solvers.forced import Search, evidence
from monjudge.solvers.strict import strict, strict_state
from monjudge.solvers.verdict import Verdict


@pytest.fixture(scope="module")
def refuted(graph: RuleSet, random_graph: Callable[[int], State]) -> list[Evidence]:
    """Proofs that player 0 cannot force his goal in random graphs."""
    search = Search(graph, "win", 0, memory=1 << 20)
    answers = [search.answer(random_graph(seed), (1, 3)[seed % 2]) for seed in range(120)]
    return [evidence(search, answer) for answer in answers if answer.verdict is Verdict.NO]


def ends(graph: RuleSet, begin: State) -> set[State]:
    """Where player 0 decides nothing more, chance has to, or the turn is another, by moves of his alone."""
    engine, found, front, seen = Reference(strict(graph)), set(), [strict_state(graph, begin)], set()
    turn = graph.offset["turn"]
    while front:
        state = front.pop()
        if state in seen:
            continue
        seen.add(state)
        moves = engine.moves(state)
        mine = [m for m in moves if m.me == 0]
        if state[turn] != begin[turn] or not mine or any(m.me < 0 for m in moves):
            found.add(state)
        else:
            front += [engine.step(state, m) for m in mine]
    return found


def test_the_first_plans_are_the_ends_of_the_moves_of_the_player_alone(graph: RuleSet, refuted: list[Evidence]) -> None:
    native, counted = compiled(graph), []
    for found in refuted:
        plain, by_native = check(found, graph, counted=True), check(found, graph, by=native, counted=True)
        if plain.plans is None:
            assert by_native.plans is None
            continue
        assert by_native.plans == FirstPlans(plain.plans.count)
        assert plain.plans.early is not None and plain.plans.early <= plain.plans.count
        try:
            assert plain.plans.count == len(ends(graph, tuple(found.claim["state"])))
        except Exception as limit:  # a bound of the model: such a plan has no end
            assert type(limit).__name__ == "LimitReached"
            continue
        counted.append(plain.plans)
    assert len(counted) > 20 and max(p.count for p in counted) > 3 and any(p.early for p in counted) and not all(p.early for p in counted)


def test_a_move_that_one_engine_overlooks_is_noticed(graph: RuleSet, refuted: list[Evidence], monkeypatch: pytest.MonkeyPatch) -> None:
    right = plans.by_reference

    def careless(rules: RuleSet) -> plans.Successors:
        whole = right(rules)

        def following(state: State) -> Iterable[tuple[Move, Callable[[], State]]]:
            return [step for step in whole(state) if step[0].args != (1,)]

        return following

    monkeypatch.setattr(plans, "by_reference", careless)
    noticed = 0
    for found in refuted:
        try:
            check(found, graph, counted=True)
        except Refused as refused:
            assert "first plans, not" in str(refused)
            noticed += 1
    assert noticed > 10


def test_a_win_and_a_game_without_turns_have_no_plans_to_count(graph: RuleSet, random_graph: Callable[[int], State]) -> None:
    search = Search(graph, "win", 0)
    won = next(a for a in (search.answer(random_graph(seed), 3) for seed in range(99)) if a.verdict is Verdict.YES)
    assert check(evidence(search, won), graph, counted=True).plans is None
    rules = tic_tac_toe()
    drawn = Search(rules)
    assert check(evidence(drawn, drawn.answer()), rules, by=compiled(rules), counted=True).plans is None
