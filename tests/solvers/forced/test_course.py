"""A question taken apart by first moves has the verdict of the exhaustive solver, however it is divided, stopped and resumed."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from monjudge.model.language import RuleSet, State
from monjudge.model.small.nim import nim
from monjudge.model.small.rock_paper_scissors import rock_paper_scissors
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.brute import Brute
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.forced import Limits, Search
from monjudge.solvers.forced.course import Course, Part, decided
from monjudge.solvers.forced.ledger import Damaged, Ledger, Tried, question_of, sealed
from monjudge.solvers.forced.obvious import Contradiction, compared, obvious
from monjudge.solvers.forced.variations import duals, orders
from monjudge.solvers.forced.workers import prove_one
from monjudge.solvers.strict import strict, strict_state
from monjudge.solvers.verdict import Verdict

YES, NO, UNKNOWN = Verdict.YES, Verdict.NO, Verdict.UNKNOWN
QUESTIONS = 120


def expected(rules: RuleSet, player: int, state: State, turns: int | None) -> Verdict:
    return Brute(strict(rules), nodes=10**6).forced(player, "win", strict_state(rules, state), turns=turns).verdict


def questions(random_graph: Callable[[int], State]) -> Iterator[tuple[int, State, int, int | None]]:
    for seed in range(QUESTIONS):
        yield seed, random_graph(seed), seed % 3, (None, 1, 2, 4)[seed % 4]


def searches(graph: RuleSet) -> list[Search]:
    return [Search(graph, "win", player, memory=1 << 20) for player in range(3)]


def test_taken_apart_from_the_beginning_every_question_has_its_verdict(graph: RuleSet, random_graph: Callable[[int], State]) -> None:
    found: Counter[Verdict] = Counter()
    chosen = searches(graph)
    for seed, state, player, turns in questions(random_graph):
        answer = Course(chosen[player], state, turns, probe=1).run()
        assert answer.verdict is expected(graph, player, state, turns), seed
        found[answer.verdict] += 1
        if answer.verdict is YES and turns is not None:
            assert answer.turns is not None
            assert all(expected(graph, player, state, fewer) is not YES for fewer in range(1, answer.turns))
    assert min(found[v] for v in (YES, NO, UNKNOWN)) >= 10


def test_a_part_says_only_what_holds_and_all_parts_together_everything(graph: RuleSet, random_graph: Callable[[int], State]) -> None:
    chosen, open_parts = searches(graph), 0
    for seed, state, player, turns in questions(random_graph):
        right = expected(graph, player, state, turns)
        ledgers = []
        for number in (1, 2):
            course = Course(chosen[player], state, turns, part=Part(number, 2), probe=1)
            verdict = course.run().verdict
            assert verdict in (right, UNKNOWN), seed
            open_parts += verdict is UNKNOWN and right is not UNKNOWN
            ledgers.append(Ledger.from_json(course.ledger.to_json()))
        joined = Course(chosen[player], state, turns, probe=1)
        joined.ledger.add(ledgers)
        answer = joined.run()
        assert answer.verdict is right, seed
    assert open_parts >= 20  # the parts alone do not suffice


def test_all_parts_of_a_no_leave_nothing_to_search() -> None:
    rules = tic_tac_toe()
    search, ledgers = Search(rules), []
    for number in (1, 2, 3):
        course = Course(search, part=Part(number, 3))
        assert course.run().verdict is UNKNOWN
        ledgers.append(course.ledger)
    fresh = Search(rules)
    two = Course(fresh, limits=Limits(nodes=2))
    two.ledger.add(ledgers[:2])
    assert two.run().verdict is UNKNOWN  # without the third part nothing is settled
    three = Course(fresh, limits=Limits(nodes=2))
    three.ledger.add(ledgers)
    answer = three.run()
    assert answer.verdict is NO and answer.statistics.nodes == 0 and len(answer.line) > 1


def test_the_first_moves_decide_as_the_rules_of_the_question_say() -> None:
    """Against every completion: what is not known may turn out to be either."""
    for mine in ([], [YES], [NO], [UNKNOWN], [YES, NO], [NO, UNKNOWN], [YES, UNKNOWN], [NO, NO]):
        for others in ([], [YES], [NO], [UNKNOWN], [YES, NO], [YES, UNKNOWN], [YES, YES], [NO, UNKNOWN]):
            outcomes = {
                _won(a, b) for a in _completions(mine) for b in _completions(others)
            }  # fmt: skip
            said = decided(mine, others)
            assert said is (UNKNOWN if len(outcomes) > 1 else YES if outcomes == {True} else NO)


def _completions(verdicts: list[Verdict]) -> list[list[bool]]:
    found: list[list[bool]] = [[]]
    for verdict in verdicts:
        found = [[*before, value] for before in found for value in (True, False) if verdict in (UNKNOWN, YES if value else NO)]
    return found


def _won(mine: list[bool], others: list[bool]) -> bool:
    """The others choose who moves; nobody to move brings no goal about."""
    return bool(mine or others) and (any(mine) or not mine) and all(others)


@pytest.mark.parametrize("jobs", [1, 2])
def test_processes_change_no_verdict_and_no_key(jobs: int) -> None:
    rules = nim((1, 2, 3, 4))
    search = Search(rules)
    course = Course(search, jobs=jobs, probe=1)
    answer = course.run()
    state = Reference(rules).settle(rules.start)
    assert answer.verdict is expected(rules, 0, state, None)
    brute, found = Brute(rules), course.keys(0)
    moves = {move: Reference(rules).step(state, move) for move in Reference(rules).moves(state)}
    assert [key.move for key in found] == list(moves)
    for key in found:
        assert key.verdict is brute.forced(0, "win", moves[key.move]).verdict
        here = moves[key.move]
        for move in key.refutation:
            assert move in Reference(rules).moves(here)
            here = Reference(rules).step(here, move)
        assert key.verdict is YES or Reference(rules).over(here)


def test_a_process_that_ends_makes_unknown_and_no_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from monjudge.solvers.forced import workers

    monkeypatch.setattr(workers, "prove_one", lambda *given: os.kill(os.getpid(), signal.SIGKILL))
    answer = Course(Search(tic_tac_toe()), jobs=2, probe=1).run()
    assert answer.verdict is UNKNOWN and answer.limit is not None and "process" in answer.limit.en


def test_what_the_first_round_settles_starts_no_process_and_is_told_as_without_any(monkeypatch: pytest.MonkeyPatch) -> None:
    from monjudge.solvers.forced import course as module

    alone = Course(Search(nim((1, 2, 3, 4)))).keys(0)
    monkeypatch.setattr(module, "Workers", lambda *given: pytest.fail("a process was started"))
    assert Course(Search(nim((1, 2, 3, 4))), jobs=2).keys(0) == alone
    with pytest.raises(pytest.fail.Exception):
        Course(Search(nim((1, 2, 3, 4))), jobs=2, probe=1).keys(0)


def test_no_process_is_left_behind() -> None:
    import multiprocessing

    Course(Search(tic_tac_toe()), jobs=2, probe=1).run()
    assert not multiprocessing.active_children()


def test_an_interrupt_keeps_what_is_settled_and_the_rest_is_searched_later(monkeypatch: pytest.MonkeyPatch) -> None:
    from monjudge.solvers.forced import course as module

    calls = []

    def interrupted(*given: Any) -> tuple[Tried, str]:
        calls.append(given)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return prove_one(given[0], given[1], given[2], None, None)

    rules = tic_tac_toe()
    course = Course(Search(rules), probe=1)
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(module, "prove_one", interrupted)
        course.run()
    found = Ledger.from_json(course.ledger.to_json())
    assert not found.whole and len(found.moves[0]) == 3
    again = Course(Search(rules), probe=1)
    again.ledger.add([found])
    assert again.run().verdict is NO and again.ledger.moves[0].items() >= found.moves[0].items()


def test_limits_are_kept_while_moves_are_settled() -> None:
    for nodes in (1, 10, 100, 500):
        answer = Course(Search(tic_tac_toe()), limits=Limits(nodes=nodes), probe=7).run()
        assert answer.statistics.nodes <= nodes + 1
        assert answer.verdict is UNKNOWN and answer.limit is not None and str(nodes) in answer.limit.en


def test_hidden_decisions_are_not_divided() -> None:
    search = Search(rock_paper_scissors(1))
    assert Course(search, probe=1).run().verdict is search.answer().verdict
    with pytest.raises(ValueError, match="hidden"):
        Course(search, part=Part(1, 2))


# -- the ledger -----------------------------------------------------------------------------------------------------


@pytest.fixture
def ledger() -> Ledger:
    course = Course(Search(nim((1, 2))), probe=1)
    course.run()
    assert course.ledger.moves
    return course.ledger


def test_a_ledger_is_read_as_it_was_written(ledger: Ledger) -> None:
    assert Ledger.from_json(ledger.to_json()) == ledger


@pytest.mark.parametrize("change", ["", "{", "[]", "null", '{"seal": 1}', "[" * 100_000])
def test_what_is_no_ledger_is_refused(change: str) -> None:
    with pytest.raises(Damaged):
        Ledger.from_json(change)


def test_a_changed_ledger_is_refused(ledger: Ledger) -> None:
    text = ledger.to_json()
    changes = [(text.replace('"no"', '"yes"', 1)), text.replace('"yes"', '"no"', 1), text[:-20], text.replace("monjudge-resume/1", "monjudge-resume/2")]
    for changed in changes:
        assert changed != text
        with pytest.raises(Damaged):
            Ledger.from_json(changed)


@pytest.mark.parametrize("change", [{"whole": [[float("inf"), "no"]]}, {"moves": [[1, ["take", 0, float("inf")], "yes", []]]}])
def test_a_sealed_infinity_is_refused(ledger: Ledger, change: dict[str, Any]) -> None:
    data = {**json.loads(ledger.to_json()), **change}
    del data["seal"]
    with pytest.raises(Damaged):
        Ledger.from_json(sealed(data))


def test_a_sealed_unknown_is_refused(ledger: Ledger) -> None:
    data = json.loads(ledger.to_json())
    del data["seal"]
    data["whole"] = [[0, "unknown"]]
    with pytest.raises(Damaged):
        Ledger.from_json(sealed(data))


def test_a_ledger_of_another_question_is_refused(ledger: Ledger) -> None:
    others = [Course(Search(nim((1, 3)))), Course(Search(nim((1, 2)), player=1)), Course(Search(nim((1, 2))), (1, 1, 0)[: nim((1, 2)).size])]
    for course in others:
        with pytest.raises(Damaged, match="another question"):
            course.ledger.add([ledger])


def test_ledgers_that_say_the_opposite_are_refused(ledger: Ledger) -> None:
    other = Ledger.from_json(ledger.to_json())
    move, tried = next(iter(other.moves[0].items()))
    other.moves[0][move] = Tried(NO if tried.verdict is YES else YES)
    with pytest.raises(Damaged, match="opposite"):
        ledger.add([other])


# -- against the obvious solver, and variations -----------------------------------------------------------------------


def test_the_obvious_solver_agrees_and_a_planted_fault_is_a_contradiction() -> None:
    rules = nim((1, 2))
    state = Reference(rules).settle(rules.start)
    one, other = Search(rules).answer(), obvious(rules, state)
    assert compared(one, other) and other.verdict is YES
    with pytest.raises(Contradiction):
        compared(one, obvious(rules, state, player=1))
    assert not compared(one, obvious(rules, state, limits=Limits(nodes=1)))
    assert obvious(rules, state, limits=Limits(memory=1)).verdict is UNKNOWN
    assert obvious(rules, state, limits=Limits(seconds=1e-9)).verdict is UNKNOWN


def test_the_obvious_solver_finds_the_shortest_win_too(graph: RuleSet, random_graph: Callable[[int], State]) -> None:
    chosen, wins = searches(graph), 0
    for seed, state, player, turns in questions(random_graph):
        if turns is not None:
            one, other = chosen[player].answer(state, turns), obvious(graph, state, player=player, turns=turns)
            assert (one.verdict, one.turns) == (other.verdict, other.turns), seed
            wins += one.verdict is YES
    assert wins >= 10


def test_keys_are_grouped_where_their_order_does_not_matter_and_duals_win() -> None:
    """Independent heaps: the two moves of one player that both must make are one key in two orders."""
    rules = _errands()
    search = Search(rules)
    course = Course(search)
    answer = course.run()
    keys = course.keys(answer.turns or 0)
    assert [str(key.verdict) for key in keys] == ["yes", "yes", "no"]
    state = answer.question.state
    assert len(orders(search, state, [key.move for key in keys[:2]])) == 1
    assert len(orders(search, state, [key.move for key in keys])) == 2
    found = list(duals(search, state, None, answer.line))
    assert [(dual.at, dual.order) for dual in found] == [(1, False)]


def _errands() -> RuleSet:
    """One player has three steps for errand 0 and errand 1 or 2; errand 3 (from the start only) loses."""
    from monjudge.model.language import Game, put

    g = Game("errands", players=1)
    done = g.field("done", 3, values=bool)
    lost, steps = g.field("lost", values=bool), g.field("steps", values=range(3))
    run = g.action("run", by=0)
    errand = run.param("errand", range(2))
    run.clause("E.1", ~done[errand] & (steps < 2) & ~lost)
    run.effect(put(done[errand], True), put(steps, steps + 1))
    other = g.action("other", by=0)
    other.clause("E.2", (steps == 1) & ~lost)
    other.effect(put(done[2], True), put(steps, steps + 1))
    idle = g.action("idle", by=0)
    idle.clause("E.3", (steps == 0) & ~lost)
    idle.effect(put(lost, True))
    g.over((steps == 2) | lost)
    g.goal("win", 0, done[0] & (done[1] | done[2]) & (steps == 2))
    return g.build()


def test_question_hashes_differ_by_goal() -> None:
    rules = nim((1, 2))
    state = Reference(rules).settle(rules.start)
    assert question_of(Search(rules, player=0), state) != question_of(Search(rules, player=1), state)
