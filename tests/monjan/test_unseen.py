"""Hidden cards in Monjan: every card lies where the declaration says that its kind may, and one plan for all of them."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from hidden_games import Tried

from monjudge.model.games import kit
from monjudge.model.monjan.positions import midgame
from monjudge.solvers.certificate import check
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.native import Native
from monjudge.solvers.forced import Search
from monjudge.solvers.unseen import Hidden, evidence, forced
from monjudge.solvers.verdict import Verdict
from monjudge.solvers.views import View, assignments

KIT = kit("monjan")
SCENES = dict(midgame(Native))


def test_every_card_lies_where_its_kind_may_in_any_play() -> None:
    random = Random(4)
    for scene in SCENES.values():
        engine, state = Native(scene.rules), scene.state
        views = [View(scene.rules, p) for p in range(2)]
        for n in range(60):
            moves = engine.moves(state)
            if not moves:
                break
            state = engine.step(state, random.choice(moves))
            if n % 10 == 9:
                for view in views:
                    assert assignments(scene.rules, state, view, most=1) is not None


def one_hidden_card(life: int, held: str, rest: list[str]) -> Any:
    """Player 2 holds one card, Kill or +3. Whoever is slower must say what takes the blow before he sees which."""
    return KIT.position(KIT.canonical("state", {"game": "monjan", "turn": 8, "deck": rest, "players": {
        1: {"hand": ["F6"], "mana": {"C": ["W4"], "R": ["F1"]}, "defence": {"C": ["A14", life]}, "attack": {"C": "N10"}},
        2: {"hand": [held], "mana": {"C": ["A5"]}, "defence": {"C": ["A7", 2]}, "outside": ["B3"], "done": True},
    }}))  # fmt: skip


@pytest.mark.parametrize(("life", "right"), [(5, Verdict.NO), (7, Verdict.YES)])
def test_what_open_cards_win_is_won_unseen_only_where_one_plan_does_against_all(life: int, right: Verdict) -> None:
    asked = one_hidden_card(life, "EK", ["A+3"])
    hidden = Hidden(asked.rules)
    answer = hidden.answer(asked.state, 1)
    assert (answer.verdict, len(answer.states)) == (right, 2)
    assert all(Search(asked.rules).answer(state, 1).verdict is Verdict.YES for state in answer.states)
    assert forced(asked.rules, asked.state, turns=1, shown=("hand",)).verdict is Verdict.YES
    check(evidence(hidden, answer), asked.rules)
    assert [KIT.move_text(asked, move) for move in answer.moves] == ["1:attack F6 R"] * (right is Verdict.YES)


@pytest.mark.slow
@pytest.mark.parametrize(("life", "right"), [(5, Verdict.NO), (7, Verdict.YES)])
def test_trying_strategies_out_over_the_plain_engines_says_the_same(life: int, right: Verdict) -> None:
    asked = one_hidden_card(life, "EK", ["A+3"])
    states = list(forced(asked.rules, asked.state, turns=1).states)
    tried = Tried(asked.rules, next(g.when for g in asked.rules.goals if (g.name, g.player) == ("win", 0)), 0, 1)
    numbers: dict[object, object] = {}
    looks = tried.looks
    tried.looks = cache(lambda state: (numbers.setdefault(looks(state), len(numbers)),))  # type: ignore[method-assign]
    tried.engine.moves = cache(Enumerator(tried.rules).moves)  # type: ignore[method-assign]  # found faster, and tested to be the same
    tried.engine.step = cache(tried.engine.step)  # type: ignore[method-assign]
    assert tried.win(asked.state, states) is right
