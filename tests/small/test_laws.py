"""What holds of every shipped game: laws that a new game must keep before its own tests begin."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from itertools import pairwise

import pytest

from monjudge.model.language import NATURE, evaluate
from monjudge.model.small import GAMES
from monjudge.solvers.engines.reference import Reference

PLAYS = 12
LONGEST = 400  # plies; the longest play of a shipped game with its defaults is a match of pig
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


@pytest.fixture(scope="module", params=sorted(GAMES))
def game(request):
    """The rule set, its engine, and some random plays: lists of (state, moves, move taken or None at the end)."""
    rules = GAMES[request.param]()
    engine, chance, plays = Reference(rules), random.Random(20), []
    for _ in range(PLAYS):
        state, play = engine.settle(rules.start), []
        while True:
            moves = engine.moves(state)
            move = chance.choice(moves) if moves and len(play) < LONGEST else None
            play.append((state, moves, move))
            if move is None:
                break
            state = engine.step(state, move)
        plays.append(play)
    return rules, engine, plays


def visited(plays):
    return [entry for play in plays for entry in play]


def few(plays):
    """Some of the visited states, for laws that look at the whole space of moves."""
    return random.Random(4).sample(visited(plays), 12)


def texts(rules):
    """Every text a person can meet, as (where, English, Japanese)."""
    yield "the game", rules.en, rules.ja
    yield "the end", rules.over.en, rules.over.ja
    for action in rules.actions:
        yield f"action {action.name}", action.en, action.ja
        yield from ((f"clause {clause.id}", clause.en, clause.ja) for clause in action.clauses)
    yield from ((f"trigger {trigger.id}", trigger.en, trigger.ja) for trigger in rules.triggers)
    yield from ((f"goal {goal.name} of player {goal.player}", goal.en, goal.ja) for goal in rules.goals)


def test_every_action_is_taken_in_some_random_play(game):
    rules, _, plays = game
    assert {move.action for _, _, move in visited(plays) if move} == set(rules.by_name)


def test_every_clause_is_the_only_one_against_some_move_in_some_random_play(game):
    rules, engine, plays = game
    wanted = {clause.id for action in rules.actions for clause in action.clauses}
    for state, _, _ in visited(plays):
        for move in engine.candidates():
            if engine.decides(state, move):
                failing = engine.failing(state, move)
                if len(failing) == 1:
                    wanted.discard(failing[0].id)
        if not wanted:
            break
    assert wanted == set()


def test_every_cell_stays_inside_its_interval_and_every_state_is_settled(game):
    rules, engine, plays = game
    for state, _, _ in visited(plays):
        assert all(lo <= value <= hi for value, (lo, hi) in zip(state, rules.bounds, strict=True))
        assert engine.settle(state) == state


def test_every_play_ends_and_only_because_the_game_is_over(game):
    _, engine, plays = game
    for play in plays:
        assert [engine.over(state) for state, _, _ in play] == [False] * (len(play) - 1) + [True]


def test_no_state_is_visited_twice_in_one_play(game):
    _, _, plays = game
    for play in plays:
        assert len({state for state, _, _ in play}) == len(play)


def test_the_moves_are_the_legal_candidates_in_canonical_order_without_repetition(game):
    rules, engine, plays = game
    index = {action.name: n for n, action in enumerate(rules.actions)}
    for state, moves, _ in few(plays):
        assert moves == [move for move in engine.candidates() if engine.legal(state, move)]
        keys = [(index[move.action], move.me, move.args) for move in moves]
        assert all(a < b for a, b in pairwise(keys))


def test_a_move_is_legal_exactly_when_no_clause_fails(game):
    _, engine, plays = game
    for state, _, _ in few(plays):
        for move in engine.candidates():
            assert engine.legal(state, move) == (engine.failing(state, move) == [])


def test_chance_and_decisions_never_meet_in_one_state(game):
    _, _, plays = game
    for _, moves, _ in visited(plays):
        assert len({move.me == NATURE for move in moves}) <= 1


def test_payoffs_are_opposite_and_highest_where_the_goal_is_reached(game):
    rules, engine, plays = game
    for play in plays:
        end = play[-1][0]
        payoff = engine.payoff(end)
        assert sum(payoff) == 0
        winners = {g.player for g in rules.goals if g.name == "win" and evaluate(g.when, end, offset=rules.offset)}
        assert len(winners) <= 1
        assert {p for p in range(rules.players) if payoff[p] > 0} <= winners


def test_a_state_survives_being_read_by_name(game):
    rules, _, plays = game
    for state, _, _ in visited(plays):
        assert rules.state(rules.view(state)) == state


def test_both_languages_are_there_for_every_text_and_differ(game):
    rules, _, _ = game
    for where, english, japanese in texts(rules):
        assert english and not JAPANESE.search(english), where
        assert JAPANESE.search(japanese), where
        assert english != japanese, where


def test_two_clauses_never_share_a_text(game):
    rules, _, _ = game
    said = {clause.id: (clause.en, clause.ja) for action in rules.actions for clause in action.clauses}
    assert len({en for en, _ in said.values()}) == len({ja for _, ja in said.values()}) == len(said)


def test_a_declared_symmetry_carries_moves_to_moves_and_results_to_results(game, image):
    rules, engine, plays = game
    for symmetry in rules.symmetries:
        of_state, of_move = image(rules, symmetry)
        for state, moves, move in [*visited(plays)[::7], *(play[-2] for play in plays)]:
            other = of_state(state)
            assert sorted(map(of_move, moves)) == sorted(engine.moves(other)), symmetry.name
            assert engine.payoff(other) == engine.payoff(state), symmetry.name
            if move is not None:
                assert of_state(engine.step(state, move)) == engine.step(other, of_move(move)), symmetry.name


def test_every_game_is_listed_under_its_own_name_and_an_unknown_one_is_refused():
    for name in GAMES:
        assert GAMES[name]().name == name
    with pytest.raises(KeyError, match=r"there are .*nim"):
        GAMES["chess"]


def test_the_list_of_games_imports_none_of_them():
    script = "import sys, monjudge.model.small; print([m for m in sys.modules if m.startswith('monjudge.model.small.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
