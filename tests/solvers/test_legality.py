"""Verdict, failing clauses with needed and have, and the nearest legal moves."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from monjudge.model.language import NATURE, Domain, Game, Move, RuleSet, all_of, any_of, as_int, either, put, reads
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.legality import Judgement, Legality
from monjudge.solvers.verdict import Verdict

COLUMN = Domain("column", ("L", "C", "R"))


def shop() -> RuleSet:
    """One action with a clause of every shape that a finding takes apart."""
    g = Game("shop", players=2)
    turn = g.field("turn", values=range(2))
    coins = g.field("coins", 2, values=range(10), init=4)
    shelf = g.field("shelf", COLUMN, values=range(6), init=(0, 3, 5))
    locked = g.field("locked", values=bool)
    buy = g.action("buy", by=turn)
    at, paid = buy.param("at", COLUMN), buy.param("paid", range(1, 10))
    buy.clause("SHOP.open", ~locked)
    buy.clause("SHOP.pay", (paid <= coins[buy.me]) & (paid >= shelf[at]))
    buy.clause("SHOP.sorted", all_of(3, lambda i: shelf[i] <= 2 * paid))
    buy.clause("SHOP.last", any_of(3, lambda i: shelf[i] == 5) | (paid == 9))
    buy.clause("SHOP.not", ~((at == COLUMN.L) & (paid > 2)))
    buy.limit("SHOP.bound", paid <= 7)
    buy.effect(put(shelf[at], 0))
    die = g.action("die", weight=1)
    face = die.param("face", range(3))
    die.outcome(as_int(face < 2))
    return g.build()


def bell(chosen: str) -> RuleSet:
    """One act whose limit has a reading that the text never explains."""
    g = Game("bell", players=1)
    rung = g.field("rung", values=range(4))
    limit = g.switch("limit", ("once", "twice", "within reason"), chosen, undetermined=["within reason"])
    ring = g.action("ring", by=0)
    ring.clause("BELL.limit", either(reads(limit, "once") & (rung < 1), reads(limit, "twice") & (rung < 2)))
    return g.build()


@pytest.mark.parametrize(
    ("reading", "verdicts"),
    [
        ("once", [Verdict.YES, Verdict.NO, Verdict.NO]),
        ("twice", [Verdict.YES, Verdict.YES, Verdict.NO]),
        ("within reason", [Verdict.YES, Verdict.UNDETERMINED, Verdict.NO]),
    ],
)
def test_a_reading_without_meaning_leaves_undetermined_what_the_others_decide_differently(
    reading: str, verdicts: list[Verdict]
) -> None:
    legality = Legality(bell(reading))
    assert [legality.judge(legality.rules.state({"rung": n}), Move("ring", 0)).verdict for n in range(3)] == verdicts


def findings(judgement: Judgement) -> dict[str, list[str]]:
    return {f.clause.id: [str(finding) for finding in f.findings] for f in judgement.failures}


def judged(move: Move, **state: Any) -> Judgement:
    legality = Legality(shop())
    return legality.judge(legality.rules.state(state), move)


CASES: list[tuple[Move, dict[str, Any], dict[str, list[str]]]] = [
    (Move("buy", 0, (1, 3)), {}, {}),
    (
        Move("buy", 1, (1, 3)), {},
        {"GAME.turn": ["needed: me == turn; have: me = 1, turn = 0"]},
    ),
    (
        Move("buy", 0, (1, 3)), {"locked": 1},
        {"SHOP.open": ["needed: not locked; have: locked = true"]},
    ),
    (
        Move("buy", 0, (2, 4)), {},
        {"SHOP.pay": ["needed: shelf[at] <= paid; have: at = R, paid = 4, shelf[at] = 5"]},
    ),
    (
        Move("buy", 0, (2, 4)), {"coins": [3, 0]},
        {
            "SHOP.pay": [
                "needed: paid <= coins[me]; have: me = 0, paid = 4, coins[me] = 3",
                "needed: shelf[at] <= paid; have: at = R, paid = 4, shelf[at] = 5",
            ]
        },
    ),
    (
        Move("buy", 0, (1, 1)), {"shelf": [0, 1, 5]},
        {"SHOP.sorted": ["needed: shelf[i0] <= 2 * paid; have: paid = 1, i0 = 2, shelf[i0] = 5, 2 * paid = 2"]},
    ),
    (
        Move("buy", 0, (1, 3)), {"shelf": [0, 3, 4]},
        {
            "SHOP.last": [
                "needed: (any i0 in 0..2: shelf[i0] == 5) or paid == 9; "
                "have: paid = 3, shelf[L] = 0, shelf[C] = 3, shelf[R] = 4"
            ]
        },
    ),
    (
        Move("buy", 0, (0, 3)), {},
        {"SHOP.not": ["needed: not (at == L and paid > 2); have: at = L, paid = 3"]},
    ),
    (
        Move("die", NATURE, (2,)), {},
        {"GAME.turn": ["needed: (if face < 2 then 1 else 0) > 0; have: face = 2"]},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("move", "state", "expected"), CASES)
def test_a_failing_clause_says_what_was_needed_and_what_there_is(
    move: Move, state: dict[str, Any], expected: dict[str, list[str]]
) -> None:
    judgement = judged(move, **state)
    assert findings(judgement) == expected
    assert judgement.verdict is (Verdict.NO if expected else Verdict.YES)


def test_a_move_that_fails_only_a_bound_of_the_model_is_unknown() -> None:
    judgement = judged(Move("buy", 0, (1, 8)), coins=[9, 0])
    assert judgement.verdict is Verdict.UNKNOWN
    assert judgement.limit is not None and "SHOP.bound" in judgement.limit.en and "SHOP.bound" in judgement.limit.ja
    also_dear = judged(Move("buy", 0, (1, 8)))
    assert also_dear.verdict is Verdict.NO and also_dear.limit is None


def test_the_end_of_the_game_is_a_clause_with_findings_of_its_own() -> None:
    legality = Legality(tic_tac_toe())
    state = legality.rules.state({"cell": [1, 1, 1, 2, 2, 0, 0, 0, 0], "turn": 1})
    failure, *others = legality.judge(state, Move("place", 1, (8,))).failures
    assert (failure.clause.id, others) == ("TTT.end", [])
    assert [(str(r.term), r.value) for r in failure.findings[0].have] == [("cell[0]", 1), ("cell[1]", 1), ("cell[2]", 1)]


def test_many_readings_are_cut_short_and_counted() -> None:
    g = Game("many", players=1)
    cells = g.field("cell", 30, values=range(3))
    a = g.action("a", by=0)
    a.clause("M.any", any_of(30, lambda i: cells[i] == 2))
    legality = Legality(g.build())
    (finding,) = legality.judge(legality.rules.start, Move("a", 0)).failures[0].findings
    assert len(finding.have) == 12 and finding.more == 18
    assert str(finding).endswith("cell[11] = 0, and 18 more")


def test_the_failing_clauses_are_those_of_the_reference_and_every_finding_has_a_text(
    made: RuleSet, random_states: Callable[..., Any]
) -> None:
    reference, legality = Reference(made), Legality(made)
    rng = random.Random(1)
    candidates = list(reference.candidates())
    for state in random_states(made, 10):
        for move in rng.sample(candidates, min(20, len(candidates))):
            judgement = legality.judge(state, move)
            assert [f.clause for f in judgement.failures] == reference.failing(state, move)
            assert all(f.findings and all(str(x) for x in f.findings) for f in judgement.failures)


def test_the_nearest_legal_moves_differ_in_the_fewest_parameters_then_come_in_order(
    made: RuleSet, random_states: Callable[..., Any]
) -> None:
    reference, legality = Reference(made), Legality(made)
    rng = random.Random(2)
    candidates = list(reference.candidates())
    for state in random_states(made, 5):
        legal = reference.moves(state)
        for move in rng.sample(candidates, min(6, len(candidates))):
            alike = [m for m in legal if m[:2] == move[:2]]
            alike.sort(key=lambda m: (sum(a != b for a, b in zip(m.args, move.args, strict=True)), m))
            assert legality.nearest(state, move).moves == tuple(alike[:3])


def test_a_search_for_near_moves_that_is_cut_off_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("monjudge.solvers.legality.TRIED", 5)
    legality = Legality(shop())
    nearest = legality.nearest(legality.rules.state({"coins": [0, 0]}), Move("buy", 0, (1, 3)))
    assert nearest.moves == () and nearest.limit is not None and "5" in nearest.limit.en
    assert legality.nearest(legality.rules.start, Move("buy", 0, (1, 3)), most=1).limit is None


@pytest.mark.parametrize(
    ("move", "message"),
    [
        (Move("sell", 0), "no action 'sell'"),
        (Move("buy", 2, (0, 1)), "decided by a player 0..1, not by 2"),
        (Move("buy", NATURE, (0, 1)), "decided by a player"),
        (Move("die", 0, (0,)), "chance move"),
        (Move("buy", 0, (0, 10)), "outside its domain"),
        (Move("buy", 0, (0,)), "takes 2 parameters"),
    ],
)
def test_a_question_about_no_possible_move_is_an_error(move: Move, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        judged(move)


def test_a_verdict_is_not_a_truth_value() -> None:
    with pytest.raises(TypeError, match="compare it"):
        bool(Verdict.UNKNOWN)
    assert [str(v) for v in Verdict] == ["yes", "no", "depends", "undetermined", "unknown"]
