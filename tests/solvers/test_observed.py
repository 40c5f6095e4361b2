"""What a player may know of the moves: all of his own, and nothing that hangs on a hidden cell."""

from __future__ import annotations

import itertools

import pytest

from monjudge.model.language import Domain, Game, RuleSet, put
from monjudge.model.small.rock_paper_scissors import rock_paper_scissors
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.observed import Observed, Seen

CARD = Domain("card", ("none", "axe", "bow", "cup"))


def hands() -> RuleSet:
    """Two hands of two cards; a card is played face up onto a place of its owner, on an axe only a bow."""
    g = Game("hands", players=2)
    hand = g.field("hand", 2, 2, values=CARD)
    place = g.field("place", 2, values=CARD)
    a = g.action("play")
    slot, onto = a.param("slot", range(2)), a.param("onto", range(2))
    a.clause("H.card", hand[a.me, slot] != CARD.none)
    a.clause("H.own", onto == a.me)
    a.clause("H.bow", (place[onto] != CARD.axe) | (hand[a.me, slot] == CARD.bow))
    a.effect(put(place[onto], hand[a.me, slot]), put(hand[a.me, slot], CARD.none))
    g.observe(hand, lambda viewer, player, slot: viewer == player)
    return g.build()


RULES = hands()


def test_ones_own_moves_are_the_legal_ones_and_certain() -> None:
    for cells in itertools.product(range(4), repeat=4):
        state = RULES.state({"hand": cells, "place": [1, 0]})
        for viewer in range(2):
            own = [m.move for m in Observed(RULES, state, viewer).moves() if m.me == viewer]
            assert own == [m for m in Enumerator(RULES).moves(state) if m.me == viewer]
            assert all(m.certain for m in Observed(RULES, state, viewer).moves() if m.me == viewer)


def test_the_answer_is_the_same_whatever_is_hidden() -> None:
    for place in itertools.product(range(4), repeat=2):
        known = RULES.state({"hand": [1, 2, 0, 0], "place": place})
        answer = Observed(RULES, known, 0).moves()
        for hidden in itertools.product(range(4), repeat=2):
            state = RULES.state({"hand": [1, 2, *hidden], "place": place})
            assert Observed(RULES, state, 0).moves() == answer


def test_of_anothers_move_only_what_can_be_known_is_shown() -> None:
    state = RULES.state({"hand": [0, 0, 2, 3]})
    assert Observed(RULES, state, 0).moves() == [Seen("play", 1, (None, 1), False)]


def test_every_legal_move_is_among_those_that_are_seen() -> None:
    for cells in itertools.product(range(4), repeat=4):
        state = RULES.state({"hand": cells})
        seen = Observed(RULES, state, 1).moves()
        for move in Enumerator(RULES).moves(state):
            matching = [
                s for s in seen
                if (s.action, s.me) == move[:2] and all(n in (None, m) for n, m in zip(s.args, move.args, strict=True))
            ]  # fmt: skip
            assert len(matching) == 1


def test_a_simultaneous_choice_stays_hidden_until_it_is_open() -> None:
    rules = rock_paper_scissors()
    undecided = Observed(rules, rules.start, 0).moves()
    decided = Enumerator(rules).moves(rules.start)[-1]
    from monjudge.solvers.engines.reference import Reference

    assert decided.me == 1
    assert Observed(rules, Reference(rules).step(rules.start, decided), 0).moves() == undecided


def test_an_open_game_shows_everything() -> None:
    rules = tic_tac_toe()
    assert [m.move for m in Observed(rules, rules.start, 1).moves()] == Enumerator(rules).moves(rules.start)


def test_a_viewer_who_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match=r"players 0\.\.1, not 2"):
        Observed(RULES, RULES.start, 2)
