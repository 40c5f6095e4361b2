"""Programs of other people say the same: clingo of battles of one turn, OpenSpiel of small games."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import clingo
import pyspiel
import pytest

from monjudge.model.games import kit
from monjudge.model.language import RuleSet, State
from monjudge.model.small.breakthrough import breakthrough
from monjudge.model.small.connect_four import connect_four
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.forced import Search
from monjudge.solvers.verdict import Verdict

BATTLE = """
% state(A,G,L,C): which of my cards have not attacked, which attack cards can still guard, life on the left and in the centre.
state(A,G,L,C) :- begin(A,G,L,C).
at(0..2).
strike(A,G,L,C,I) :- state(A,G,L,C), C > 0, at(I), A & 2**I > 0.
next(A,G,L,C,I, A-2**I, G-2**J, L, C) :- strike(A,G,L,C,I), at(J), G & 2**J > 0.
less(X,V,X-V) :- life(X), value(V), X > V.
less(X,V,0) :- life(X), value(V), X <= V.
life(0..16). value(V) :- power(_,V).
next(A,G,L,C,I, A-2**I, G, M, C) :- strike(A,G,L,C,I), L > 0, power(I,V), less(L,V,M).
next(A,G,L,C,I, A-2**I, G, L, M) :- strike(A,G,L,C,I), power(I,V), less(C,V,M).
state(A2,G2,L2,C2) :- next(_,_,_,_,_,A2,G2,L2,C2).
win(A,G,L,0) :- state(A,G,L,0).
stopped(A,G,L,C,I) :- next(A,G,L,C,I,A2,G2,L2,C2), not win(A2,G2,L2,C2).
win(A,G,L,C) :- strike(A,G,L,C,I), not stopped(A,G,L,C,I).
"""
"""A battle turn in which only one player attacks, no battle card is held and no board skill applies: written from the rulebook by hand."""


def clingo_wins(powers: tuple[int, ...], guards: int, left: int, centre: int) -> bool:
    facts = " ".join(f"power({n},{power})." for n, power in enumerate(powers))
    control = clingo.Control(["--warn=none"])
    control.add("base", [], f"{BATTLE}\n{facts} begin({2 ** len(powers) - 1},{guards},{left},{centre}).")
    control.ground([("base", [])])
    won: list[bool] = []
    control.solve(on_model=lambda model: won.append(model.contains(clingo.Function("win", [clingo.Number(n) for n in (2 ** len(powers) - 1, guards, left, centre)]))))
    assert len(won) == 1
    return won[0]


def position(powers: tuple[int, ...], guards: int) -> tuple[RuleSet, State]:
    """Player 1 is faster and attacks with these; Player 2 has attack cards in the columns of ``guards``, and a left and a centre defence."""
    mine = {c: f"F{power}" for c, power in zip("LCR", powers, strict=False)}
    foe = {c: f"W{n + 1}" for n, c in enumerate("LCR") if guards & 2**n}
    words = kit("monjan").position({
        "turn": 5, "players": {
            "1": {"board": "MANAST", "done": True, "mana": {"L": ["A16"]}, "defence": {"C": "A11"}, "attack": mine},
            "2": {"board": "ATELIER", "done": True, "mana": {"L": ["E2"]}, "defence": {"L": "N16", "C": "E16"}, **({"attack": foe} if foe else {})},
        },
    })  # fmt: skip
    return words.rules, words.state


@pytest.mark.parametrize(("powers", "guards"), [((6, 4, 5), 0), ((3, 4, 6), 4)])
def test_clingo_finds_the_same_battles_won(powers: tuple[int, ...], guards: int) -> None:
    rules, start = position(powers, guards)
    search, reference, seen, random = Search(rules), Reference(rules), Counter[bool](), Random(1)
    for _ in range(60):
        left, centre = random.randrange(1, 8), random.randrange(1, 9)
        state = list(start)
        state[rules.cell("life", 1, 0)], state[rules.cell("life", 1, 1)] = left, centre
        won = search.answer(reference.settle(tuple(state)), 1).verdict is Verdict.YES
        assert won == clingo_wins(powers, guards, left, centre), (left, centre)
        seen[won] += 1
    assert min(seen[True], seen[False]) >= 5


def value(state: Any, known: dict[str, float]) -> float:
    """What the first player gets under best play, by OpenSpiel's rules."""
    if state.is_terminal():
        return float(state.player_return(0))
    key = str(state) + str(state.current_player())
    if key not in known:
        below = [value(state.child(action), known) for action in state.legal_actions()]
        known[key] = max(below) if state.current_player() == 0 else min(below)
    return known[key]


@cache
def verdicts(rules: RuleSet) -> tuple[str, str]:
    first, second = (str(Search(rules, "win", player).answer().verdict) for player in range(2))
    return first, second


@pytest.mark.parametrize(
    ("rules", "game"),
    [
        (tic_tac_toe(), "tic_tac_toe"),
        (connect_four(4, 4, 3), "connect_four(rows=4,columns=4,x_in_row=3)"),
        (connect_four(4, 3, 4), "connect_four(rows=3,columns=4,x_in_row=4)"),
        (breakthrough(4, 3, 1), "breakthrough(rows=4,columns=3)"),
        (breakthrough(4, 2, 1), "breakthrough(rows=4,columns=2)"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_openspiel_gives_small_games_the_same_value(rules: RuleSet, game: str) -> None:
    right = value(pyspiel.load_game(game).new_initial_state(), {})
    assert verdicts(rules) == (("yes", "no") if right > 0 else ("no", "yes") if right < 0 else ("no", "no"))
