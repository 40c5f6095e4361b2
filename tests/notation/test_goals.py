"""Goals by name: those that rules declare, those of a game that take a word, and conditions."""

from __future__ import annotations

import pytest

from monjudge.judge import read
from monjudge.model.examples import examples
from monjudge.model.games import games, kit
from monjudge.model.language import Move, evaluate
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.goals import Goal
from monjudge.reports.judge import Position


def goal(position: Position, text: str, player: int = 0, turns: int | None = 2) -> Goal:
    written = position.written.at(position.state)
    return written.kit.goal(written, text, player, turns)


def holds(position: Position, wanted: Goal) -> bool:
    return bool(evaluate(wanted.when, position.state, None, position.rules.offset))


@pytest.mark.parametrize("game", games())
def test_every_game_says_which_goals_it_has_and_refuses_others_by_naming_them(game: str) -> None:
    here = kit(game).deal()
    known = kit(game).goals(here, 0)
    assert "win" in known and all(said.en and said.ja for said in known.values())
    with pytest.raises(DataError) as refused:
        kit(game).goal(here, "beauty", 0)
    for text in refused.value.defects[0].text:
        assert all(name in text for name in known)


@pytest.mark.parametrize("text", ["turn", "turn +", "nothing[0] == 1", "x == 1", "", "deal", "deal:0", "deal:-1", "deal:２x", "win:3", "survive:1", "(" * 300])
def test_what_is_no_goal_is_refused_in_both_languages(text: str) -> None:
    with pytest.raises(DataError) as refused:
        goal(read(examples()["extra-cards"]), text)
    said = refused.value.defects[0].text
    assert said.en and said.ja and said.en != said.ja


def test_a_condition_is_a_goal_too() -> None:
    here = read(examples()["extra-cards"])
    assert holds(here, goal(here, "life[0,C] == 13")) and not holds(here, goal(here, "life[0,C] == 12"))


@pytest.mark.parametrize(
    ("text", "canonical", "reached"),
    [
        ("destroy:Archivist", "destroy:ARCHIVIST", {"extra": {(1,): 0}}),
        ("destroy: left", "destroy:L", {"fallen": {(1, 0): 1}}),
        ("destroy:2C", "destroy:C", {"alive": {(1,): 0}}),
        ("summon:ARCHIVIST", "summon:ARCHIVIST", {"extra": {(0,): 38}}),
        ("deal:6", "deal:6", {"life": {(1, 0): 8, (1, 1): 6}}),
        ("deal:20", "deal:20", {"alive": {(1,): 0}}),
        ("survive", "survive", {"turn": {(): 6}}),
        ("survive", "survive", {"alive": {(1,): 0}}),
    ],
)
def test_goals_of_the_first_game_hold_in_the_states_that_they_speak_of(
    text: str, canonical: str, reached: dict[str, dict[tuple[int, ...], int]]
) -> None:
    here = read(examples()["extra-cards"])
    wanted = goal(here, text)
    assert wanted.text == canonical and not holds(here, wanted) and goal(here, wanted.text).when is wanted.when
    cells = list(here.state)
    for name, written in reached.items():
        for at, value in written.items():
            place = here.rules.family_named[name].place(at)
            assert place is not None
            cells[here.rules.offset[name] + place] = value
    after = here.at(tuple(cells))
    assert bool(evaluate(wanted.when, tuple(cells), None, after.rules.offset))


@pytest.mark.parametrize(("text", "cells"), [("deal:6", {(1, 0): 8, (1, 1): 7}), ("destroy:L", {(1, 0): 0})])
def test_what_is_not_done_yet_is_no_goal_reached(text: str, cells: dict[tuple[int, ...], int]) -> None:
    """Five damage are not six; a defence at zero that may still be rescued has not fallen."""
    here = read(examples()["extra-cards"])
    state = list(here.state)
    for at, value in cells.items():
        place = here.rules.family_named["life"].place(at)
        assert place is not None
        state[here.rules.offset["life"] + place] = value
    assert not evaluate(goal(here, text).when, tuple(state), None, here.rules.offset)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("destroy:TIDE_CALLER", "no other player's board"), ("destroy:R", "no defence"), ("destroy:1L", "no defence"),
        ("summon:F3", "no Extra card"), ("deal:21", "20 life only"), ("destroy:Beauty", "no card, and no column"),
    ],
)  # fmt: skip
def test_a_goal_that_nothing_here_can_meet_is_refused(text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        goal(read(examples()["extra-cards"]), text)


def test_to_survive_needs_a_number_of_turns() -> None:
    with pytest.raises(DataError, match="--turns"):
        goal(read(examples()["extra-cards"]), "survive", turns=None)


def test_the_second_game_has_goals_of_its_own() -> None:
    here = read(examples()["arena"])
    cells = here.rules.offset
    assert not holds(here, goal(here, "fame:15"))
    other = next(c.name for c in here.written.about.setting.catalogue.cards if here.written.about.setting.catalogue[c] == here.state[cells["monster"] + here.rules.family_named["monster"].dims[1]])
    wanted = goal(here, f"injure:{other}")
    state = list(here.state)
    state[cells["injured"] + here.rules.family_named["injured"].dims[1]] = 1
    assert not holds(here, wanted) and evaluate(wanted.when, tuple(state), None, cells)
    for text in ("injure:Nobody", "fame:99", f"injure:{other}"):
        with pytest.raises(DataError):
            goal(here.at(tuple(state)), text)


def test_loyalty_counts_the_training_cards_of_one_monster() -> None:
    here = read(examples()["training"])
    assert holds(here, goal(here, "loyalty:2")) and not holds(here, goal(here, "loyalty:3"))
    assert not holds(here, goal(here, "loyalty:1", player=1))
    with pytest.raises(DataError, match="at most"):
        goal(here, "loyalty:99")


def test_a_goal_of_a_move_is_reached_by_the_move() -> None:
    """Damage by the rules, not by hand: a strike that nobody guards."""
    here = read("tic-tac-toe1/cell=1,1,0,2,2,0,0,0,0")
    wanted = goal(here, "cell[2] == 1", turns=None)
    after = here.at(here.legality.reference.step(here.state, Move("place", 0, (2,))))
    assert not holds(here, wanted) and holds(after, wanted)
