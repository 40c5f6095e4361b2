"""Edit turns in which nobody sees the other (A15 BLIND_COMMIT), or one after the other (SEQ): held against plain values over the reference."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from monjudge.model.games import kit
from monjudge.model.language import NATURE, Move, State, evaluate
from monjudge.solvers.blind import DRAWN
from monjudge.solvers.brute import Brute
from monjudge.solvers.certificate import Refused, check
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.forced import Search
from monjudge.solvers.stage import Values
from monjudge.solvers.strict import strict, strict_state
from monjudge.solvers.verdict import Verdict

KIT = kit("monjan")
ONE: dict[str, Any] = {
    "hand": ["F6"], "mana": {"C": ["W4"], "R": ["F1"]}, "defence": {"C": ["A14", 1]}, "attack": {"C": "N2"},
}  # fmt: skip
TWO: dict[str, Any] = {
    "board": "FLEHEIM", "hand": ["E5"], "fallen": ["R"], "mana": {"C": ["A2"], "R": ["E1"]}, "defence": {"C": ["A7", 2]},
    "outside": ["B12", "B17"],
}  # fmt: skip
"""One either hurries (mana) or attacks twice, two either hurries and strikes first or guards; a guard holds all attacks on 1-3."""


def position(one: dict[str, Any], two: dict[str, Any], **more: Any) -> Any:
    document = {"game": "monjan", "turn": 8, "readings": {"A15": "BLIND_COMMIT"}, "players": {1: one, 2: two}, **more}
    return KIT.position(KIT.canonical("state", document))


class Plain:
    """Every plan of both against every other, by the reference alone; player 0 edits first, and player 1 does not see it."""

    def __init__(self, rules: Any) -> None:
        self.rules, self.whole, self.late = rules, strict(rules), rules.cell("turn")
        self.enumerator, self.reference = Enumerator(self.whole), Reference(self.whole)
        self.goal = next(g.when for g in rules.goals if (g.name, g.player) == ("win", 0))
        self.worth: dict[State, Fraction] = {}

    def after(self, state: State) -> Iterator[tuple[Move, State]]:
        for move in self.enumerator.moves(state):
            yield move, self.reference.step(state, move)

    def plans(self, state: State, player: int, made: tuple[Move, ...] = ()) -> dict[tuple[Move, ...], State]:
        """All edit turns of one player, with where they lead."""
        found: dict[tuple[Move, ...], State] = {}
        for move, after in self.after(state):
            assert move.me == player
            found |= {(*made, move): after} if move.action == "end" else self.plans(after, player, (*made, move))
        return found

    def battle(self, state: State, turn: int) -> Fraction:
        """The value of a battle that all see."""
        if state not in self.worth:
            mine, others, lots, moves = [], [], dict[Move, Fraction](), list(self.after(state))
            if evaluate(self.goal, state, None, self.whole.offset):
                return Fraction(1)
            if state[self.late] != turn or not moves:
                return Fraction(0)
            for move, after in moves:
                below = self.battle(after, turn)
                if move.me == NATURE:
                    lots[move] = below
                else:
                    (mine if move.me == 0 else others).append(below)
            weights = {m: self.reference.weight(state, m) for m in lots}
            chance = [sum((weights[m] * lots[m] for m in lots), Fraction(0)) / sum(weights.values())] if lots else []
            self.worth[state] = min(([max(mine)] if mine else []) + others + chance)
        return self.worth[state]

    def matrix(self, state: State) -> dict[tuple[Move, ...], dict[tuple[Move, ...], Fraction]]:
        begin, turn = strict_state(self.rules, state), state[self.late]
        return {
            plan: {reply: self.battle(end, turn) for reply, end in self.plans(after, 1).items()}
            for plan, after in self.plans(begin, 0).items()
        }


def proved(asked: Any) -> tuple[Values, Any]:
    """The value, after plain arithmetic on the whole matrix has shown that neither side can do better."""
    played = Values(asked.rules, turns=1)
    found, matrix = played.value(asked.state), Plain(asked.rules).matrix(asked.state)
    mine, theirs = dict(found.plans), dict(found.replies)
    assert sum(mine.values()) == sum(theirs.values()) == 1 and min(*mine.values(), *theirs.values()) > 0
    columns = next(iter(matrix.values()))
    assert all(row.keys() == columns.keys() for row in matrix.values())  # what one may do does not depend on the other
    assert min(sum(p * matrix[i][j] for i, p in mine.items()) for j in columns) == found.exact
    assert max(sum(p * row[j] for j, p in theirs.items()) for row in matrix.values()) == found.exact
    return played, found


def words(asked: Any, mix: Any) -> dict[str, Fraction]:
    return {" ".join(KIT.move_text(asked, move) for move in plan): p for plan, p in mix}


def test_to_hurry_or_to_attack_against_to_hurry_or_to_guard_is_worth_a_third() -> None:
    asked = position(ONE, TWO)
    played, found = proved(asked)
    assert (found.kind, found.exact) == ("mixed", Fraction(1, 3))
    third = Fraction(1, 3)
    assert words(asked, found.plans) == {"1:attack F6 R 1:end": 2 * third, "1:mana F6 R 1:end": third}
    guard, hurry = words(asked, found.replies).items()
    assert guard == ("2:attack E5 R 2:end", 2 * third) and hurry[0].startswith("2:mana E5") and hurry[1] == third
    evidence = played.evidence(found)
    assert check(evidence, asked.rules).decisions == 1
    with pytest.raises(Refused):
        check(dataclasses.replace(evidence, claim={**evidence.claim, "answer": "1/2"}), asked.rules)


def test_a_side_that_cannot_choose_makes_it_certain() -> None:
    forced = proved(position(ONE, {**TWO, "hand": []}))[1]
    assert forced.kind == "forced" and all(p == 1 for _, p in forced.plans)
    assert proved(position({**ONE, "hand": ["W3"]}, {**TWO, "attack": {"C": "N2"}}))[1].kind == "impossible"


def test_a_defence_that_needs_no_luck_makes_it_a_half() -> None:
    assert proved(position(ONE, {**TWO, "fallen": []}))[1].exact == Fraction(1, 2)


def test_a_draw_that_is_due_is_chance_within_the_stage() -> None:
    asked = position({**ONE, "draws": 1}, TWO, deck=["A9", "W7"])
    found = Values(asked.rules, turns=1).value(asked.state)
    assert (found.kind, found.limit) == ("unknown", DRAWN)


@pytest.mark.parametrize(("first", "fallen", "right"), [(0, [], Fraction(0)), (1, [], Fraction(1)), (1, ["R"], Fraction(1, 2))])
def test_in_the_late_variant_whoever_edits_later_sees_and_answers(first: int, fallen: list[str], right: Fraction) -> None:
    places = [{"place_before": abs(p - first)} for p in range(2)]
    asked = position({**ONE, **places[0]}, {**TWO, "fallen": fallen, **places[1]}, readings={"SEQ": "ON"})
    plain = Plain(asked.rules)
    assert {move.me for move in plain.enumerator.moves(strict_state(asked.rules, asked.state))} == {first}
    whole = strict_state(asked.rules, asked.state)
    assert plain.battle(whole, 8) == right == Values(asked.rules, turns=1).value(asked.state).exact
    brute = Brute(plain.whole)
    brute.reference.moves = plain.enumerator.moves  # type: ignore[method-assign]  # found faster, and tested to be the same
    verdict = Search(asked.rules).answer(asked.state, 1).verdict
    assert verdict is brute.forced(0, plain.goal, whole, turns=1).verdict is (Verdict.YES if right == 1 else Verdict.NO)
