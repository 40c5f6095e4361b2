"""The search for forced wins gives the verdicts of the exhaustive solver, with every switch on or off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from monjudge.model.language import Game, RuleSet, State, gain, put
from monjudge.model.small.breakthrough import breakthrough
from monjudge.model.small.connect_four import connect_four
from monjudge.model.small.duel import duel
from monjudge.model.small.nim import nim
from monjudge.model.small.pig import pig
from monjudge.model.small.rock_paper_scissors import rock_paper_scissors
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.brute import SIMULTANEOUS, Brute
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.forced import Limits, Search, forced, keys
from monjudge.solvers.forced.search import Options
from monjudge.solvers.strict import strict, strict_state
from monjudge.solvers.verdict import Verdict

SWITCHES = (Options(), Options(ordering=False), Options(memory=False), Options(memory=False, ordering=False), Options(replies=False))


def expected(rules: RuleSet, player: int, state: State | None = None, turns: int | None = None) -> Verdict:
    start = Reference(rules).settle(rules.start) if state is None else state
    return Brute(strict(rules), nodes=10**6).forced(player, "win", strict_state(rules, start), turns=turns).verdict


@pytest.mark.parametrize(
    "rules",
    [tic_tac_toe(), nim((1, 2, 3)), nim((2, 3)), breakthrough(4, 3, 1), connect_four(3, 3, 3), duel(2, 5), pig(6), rock_paper_scissors(2)],
    ids=lambda r: r.name,
)
def test_every_small_game_has_the_verdict_of_the_exhaustive_solver(rules: RuleSet) -> None:
    for player in range(rules.players):
        assert forced(rules, player=player).verdict is expected(rules, player)


def test_random_graphs_have_the_verdict_of_the_exhaustive_solver_with_every_switch(
    graph: RuleSet, random_graph: Callable[[int], State]
) -> None:
    found: Counter[Verdict] = Counter()
    searches = {options: [Search(graph, "win", p, memory=1 << 20, options=options) for p in range(3)] for options in SWITCHES}
    for seed in range(250):
        state, player, turns = random_graph(seed), seed % 3, (None, 1, 2, 4)[seed % 4]
        right = expected(graph, player, state, turns)
        found[right] += 1
        for options, players in searches.items():
            answer = players[player].answer(state, turns, Limits(nodes=10**6 if options.memory else 3000)).verdict
            if options.memory:
                assert answer is right, (seed, options)
            else:  # circles and repetitions are walked until the limit
                assert answer in (right, Verdict.UNKNOWN), (seed, options)
    assert min(found[v] for v in (Verdict.YES, Verdict.NO, Verdict.UNKNOWN)) >= 20


def test_the_win_found_is_the_shortest_in_turns(graph: RuleSet, random_graph: Callable[[int], State]) -> None:
    search, lengths = Search(graph, "win", 0, memory=1 << 20), Counter[int | None]()
    for seed in range(500):
        state = random_graph(seed)
        answer = search.answer(state, 5)
        if answer.verdict is Verdict.YES:
            lengths[answer.turns] += 1
            assert answer.turns is not None and expected(graph, 0, state, answer.turns) is Verdict.YES
            assert answer.turns == 1 or expected(graph, 0, state, answer.turns - 1) is not Verdict.YES
    assert len(lengths) > 2


def test_a_line_of_play_is_legal_and_leads_to_what_the_verdict_says(
    graph: RuleSet, random_graph: Callable[[int], State]
) -> None:
    search, engine, lines = Search(graph, "win", 0, memory=1 << 20), Reference(graph), Counter[Verdict]()
    for seed in range(500):
        state = random_graph(seed)
        answer = search.answer(state, 3)
        lines[answer.verdict] += len(answer.line) > 1
        for move in answer.line:
            assert engine.legal(state, move)
            state = engine.step(state, move)
        if answer.verdict is not Verdict.UNKNOWN:
            assert bool(state[graph.cell("aim", state[0])]) is (answer.verdict is Verdict.YES)
    assert lines[Verdict.YES] > 5 and lines[Verdict.NO] > 5


def test_an_answer_without_a_line_is_the_same_otherwise() -> None:
    for rules in (nim((1, 2)), tic_tac_toe()):
        told, untold = (Search(rules, memory=1 << 22).answer(line=line) for line in (True, False))
        assert (told.verdict, told.turns, told.limit) == (untold.verdict, untold.turns, untold.limit)
        assert told.line and not untold.line


def test_all_keys_are_told_from_the_tries() -> None:
    rules = nim((1, 2))
    found = keys(Search(rules), rules.start)
    assert [(k.move.args, str(k.verdict)) for k in found] == [((0, 1), "no"), ((1, 1), "yes"), ((1, 2), "no")]
    for key in found:
        if key.verdict is Verdict.NO:
            engine = Reference(rules)
            state = engine.step(rules.start, key.move)
            for move in key.refutation:
                state = engine.step(state, move)
            assert engine.over(state) and engine.payoff(state)[0] < 0


def test_a_limit_makes_unknown_and_never_a_wrong_answer() -> None:
    rules = breakthrough(5, 3, 1)
    search = Search(rules, memory=1 << 22)
    for nodes in (0, 1, 10, 100, 1000):
        answer = search.answer(limits=Limits(nodes=nodes))
        assert answer.verdict is Verdict.UNKNOWN and answer.limit is not None and f"{nodes:,}" in answer.limit.en
        assert answer.statistics.nodes <= nodes + 1
    assert search.answer().verdict is Verdict.YES
    longer = Search(breakthrough(5, 4, 1)).answer(limits=Limits(seconds=0.0))
    assert longer.verdict is Verdict.UNKNOWN and longer.limit is not None and "seconds" in longer.limit.en


def test_little_memory_costs_time_but_not_the_answer() -> None:
    rules = breakthrough(5, 4, 1)
    small = Search(rules, memory=1 << 21).answer()
    assert small.statistics.sweeps > 0
    assert small.verdict is Search(rules).answer().verdict is Verdict.YES


@pytest.mark.parametrize("memory", [1 << 22, 1 << 26, 10**8])
def test_a_search_reserves_no_more_memory_than_it_may(memory: int) -> None:
    search = Search(breakthrough(5, 4, 1), memory=memory)
    assert search.answer().verdict is Verdict.YES
    assert 0.5 * memory < search.prover.reserved <= memory + (1 << 16)


def test_an_interrupt_ends_the_search_and_the_next_question_is_answered() -> None:
    calls = 0

    def watch(nodes: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyboardInterrupt

    search = Search(breakthrough(5, 4, 1), watch=watch)
    with pytest.raises(KeyboardInterrupt):
        search.answer()
    assert search.answer().verdict is Verdict.YES


def test_a_win_that_rests_on_what_the_player_must_not_see_is_not_claimed() -> None:
    g = Game("peek", players=2)
    coin = g.field("coin", 2, values=range(3))
    turn = g.field("turn", values=range(3))
    hide = g.action("hide", by=1 - turn)
    what = hide.param("what", range(1, 3))
    hide.effect(put(coin[hide.me], what), gain(turn, 1))
    g.simultaneous("hide", ["hide"], hidden=[coin], open=turn == 2)
    g.over(turn == 2)
    g.goal("win", 0, (turn == 2) & (coin[0] != coin[1]))
    g.goal("win", 1, (turn == 2) & (coin[0] == coin[1]))
    rules = g.build()
    answer = forced(rules)
    assert answer.verdict is Verdict.UNKNOWN and answer.limit == SIMULTANEOUS
    assert forced(rules, player=1).verdict is Verdict.NO


def test_questions_that_the_game_does_not_declare_are_errors() -> None:
    with pytest.raises(ValueError, match="no goal 'lose' for player 0"):
        forced(tic_tac_toe(), goal="lose")
    with pytest.raises(ValueError, match="what a turn is"):
        forced(tic_tac_toe(), turns=1)
    with pytest.raises(ValueError, match=r"players 0\.\.1, not 2"):
        Search(nim((1,)), nim((1,)).goals[0].when, 2).question()
