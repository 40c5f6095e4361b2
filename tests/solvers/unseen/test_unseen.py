"""One strategy for all that is hidden: held against trying strategies out, one after the other, on small random games."""

from __future__ import annotations

from collections import Counter

import pytest
from hidden_games import Tried, cave, caves, deals, total, tricks

from monjudge.model.language.export import content_hash, to_json
from monjudge.model.language.load import from_json
from monjudge.model.small.nim import nim
from monjudge.model.small.rock_paper_scissors import rock_paper_scissors
from monjudge.solvers.forced import Limits, Search
from monjudge.solvers.unseen import Hidden, forced
from monjudge.solvers.verdict import Verdict
from monjudge.solvers.views import View, assignments


def test_random_caves_are_won_as_trying_strategies_out_says() -> None:
    seen, rules = Counter[Verdict](), caves()
    goal = rules.goals[0].when
    hidden = [Hidden(rules, look_ahead=look) for look in (True, False)]
    for seed in range(150):
        state, turns = cave(seed), (None, 2, 3)[seed % 3]
        right = Tried(rules, goal, 0, turns).win(state)
        for one in hidden:
            answer = one.answer(state, turns)
            assert answer.verdict is right, seed
            assert set(answer.states) == set(Tried(rules, goal, 0).all_alike(state))
        seen[right] += 1
        open_cards = Search(rules).answer(state, turns).verdict
        seen[Verdict.DEPENDS] += right is Verdict.NO and open_cards is Verdict.YES  # lost because it cannot be seen
    assert min(seen[Verdict.YES], seen[Verdict.NO], seen[Verdict.DEPENDS]) > 10


def test_unseen_cards_are_dealt_in_every_way_that_is_consistent() -> None:
    rules = tricks()
    sizes = Counter[int]()
    for state in deals(8):
        for viewer in range(2):
            found = assignments(rules, state, View(rules, viewer))
            tried = Tried(rules, rules.goals[0].when, viewer, kept=total)
            right = tried.all_alike(state)
            assert right and set(found.states) <= set(right) and state in found.states
            # Of two states that differ only in the moves of the player only one is among those that look the same.
            looks = tried.looks(state)
            assert {s for s in found.states if tried.looks(s) == looks} == set(right)
            sizes[len(right)] += 1
    assert len(sizes) > 3


def test_tricks_with_hidden_cards_are_won_as_trying_strategies_out_says() -> None:
    rules, seen = tricks(), Counter[object]()
    for n, state in enumerate(deals(40)):
        goal, player = (("win", 0), ("even", 0), ("win", 1))[n % 3]
        tried = Tried(rules, next(g.when for g in rules.goals if (g.name, g.player) == (goal, player)), player, 2, total)
        right, answer = tried.win(state), forced(rules, state, goal, player, 2)
        assert answer.verdict is right, n
        seen[right] += 1
        if answer.loses is not None:
            assert Search(rules, goal, player).answer(answer.loses, 2).verdict is Verdict.NO
            assert total(answer.loses) == total(state)
            seen["loses"] += 1
        if right is Verdict.NO:
            seen["hidden"] += Search(rules, goal, player).answer(state, 2).verdict is Verdict.YES
    assert min(seen[Verdict.YES], seen[Verdict.NO], seen["loses"], seen["hidden"]) >= 3, seen


def test_what_a_puzzle_shows_is_seen() -> None:
    """Player 0 holds a 2 and does not know whether the other holds a 1; shown the hand and the pile, he knows."""
    rules = tricks()
    state = rules.state({"hand": [0, 0, 1, 0, 0, 1, 0, 0], "pile": [0, 0, 0, 1], "drawn": True})
    assert forced(rules, state, turns=1).verdict is Verdict.NO
    assert forced(rules, state, turns=1, shown=("hand", "pile")).verdict is Verdict.YES
    assert View(rules, 0, ("hand",)).hidden(state) != View(rules, 0).hidden(state)


def test_a_limit_is_never_a_no() -> None:
    state = next(s for n, s in enumerate(deals(20)) if n == 3)
    many = forced(tricks(), state, turns=2, most=1)
    assert many.verdict is Verdict.UNKNOWN and many.limit is not None and "1" in many.limit.en
    few = Hidden(caves(), limits=Limits(nodes=1), look_ahead=False)
    verdicts = Counter(few.answer(cave(seed), 3).verdict for seed in range(40))
    assert verdicts[Verdict.UNKNOWN] > 5
    for seed in range(40):
        right = Tried(caves(), caves().goals[0].when, 0, 3).win(cave(seed))
        assert few.answer(cave(seed), 3).verdict in (right, Verdict.UNKNOWN)


def test_looking_ahead_that_takes_too_many_positions_is_only_left_off() -> None:
    rules, seen, six = tricks(), Counter[Verdict](), Limits(nodes=6)
    few, plain = Hidden(rules, limits=six), Hidden(rules, look_ahead=False)
    for state in deals(60):
        for turns in (1, 2):
            # Six beliefs are enough here, six positions with open cards are not.
            open_cards = Search(rules).answer(state, turns, six).verdict
            answer = few.answer(state, turns).verdict
            assert answer is plain.answer(state, turns).verdict
            seen[answer] += 1
            seen[open_cards] += open_cards is Verdict.UNKNOWN
    assert min(seen[Verdict.YES], seen[Verdict.NO], seen[Verdict.UNKNOWN]) > 2, seen


def test_where_nothing_is_hidden_the_answer_is_that_of_the_search() -> None:
    for heaps in ((1, 2), (2, 2), (1, 2, 3)):
        for player in range(2):
            assert forced(nim(heaps), player=player).verdict is Search(nim(heaps), player=player).answer().verdict
    assert forced(rock_paper_scissors(1)).verdict is Verdict.NO


def test_a_state_that_is_given_must_look_like_the_others() -> None:
    hidden, state = Hidden(caves()), cave(1)
    assert len(hidden.answer(state, 2, states=[state]).states) == 1
    other = (1, *state[1:]) if caves().view(state)["lit"][0] else (0, 1 - state[1], 1, *state[3:])  # type: ignore[index]
    with pytest.raises(ValueError, match="look the same"):
        hidden.answer(state, 2, states=[state, other])
    with pytest.raises(ValueError, match="no field"):
        Hidden(caves(), shown=("nothing",))


def test_the_declaration_of_pieces_is_kept_in_data() -> None:
    again = from_json(to_json(tricks()))
    assert again.pieces is not None and tricks().pieces is not None
    assert again.pieces.counts == tricks().pieces.counts and again.pieces.holders == tricks().pieces.holders  # type: ignore[union-attr]
    assert content_hash(again) == content_hash(tricks())


def test_what_is_won_with_open_cards_however_they_lie_may_have_no_one_strategy() -> None:
    rules, seen = caves(), Counter[Verdict]()
    search, hidden, every = Search(rules), Hidden(rules), range(2)
    for seed in range(4000):
        state = cave(seed)
        both = [rules.state({"secret": n, "lit": 1, "tells": 0, "whose": [0, *state[4:10]]}, state) for n in every]
        if any(search.answer(s, 3).verdict is not Verdict.YES for s in both):
            continue
        right = Tried(rules, rules.goals[0].when, 0, 3).win(both[0])
        assert hidden.answer(both[0], 3).verdict is right
        seen[right] += 1
        if min(seen[Verdict.YES], seen[Verdict.NO]) >= 5:
            return
    raise AssertionError(seen)
