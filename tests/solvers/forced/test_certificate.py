"""Certificates of forced wins: the reference accepts what the search found, and refuses what was tampered with."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from monjudge.model.language import LimitReached, Move, RuleSet, State
from monjudge.model.small.breakthrough import breakthrough
from monjudge.model.small.nim import nim
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.certificate import WAIT, Checked, Evidence, Refused, TooLong, check, compiled
from monjudge.solvers.engines.native import Native, walker
from monjudge.solvers.engines.native import walk as native_walk
from monjudge.solvers.engines.native.ir import Function
from monjudge.solvers.forced import Search, decisions, evidence
from monjudge.solvers.strict import strict
from monjudge.solvers.verdict import Verdict


@pytest.mark.parametrize("rules", [nim((1, 2, 3)), nim((2, 3)), tic_tac_toe(), breakthrough(4, 3, 1)], ids=lambda r: r.name)
def test_the_reference_accepts_the_certificate_of_a_small_game(rules: RuleSet) -> None:
    for player in range(2):
        search = Search(rules, "win", player)
        found = evidence(search, search.answer())
        again = Evidence.from_json(found.to_json())
        assert again == found and again.to_json() == found.to_json()
        checked = check(again, rules)
        assert checked.decisions == len(found.certificate["choices"]) <= checked.positions


def proofs(graph: RuleSet, random_graph: Callable[[int], State], count: int) -> Iterator[Evidence]:
    search = Search(graph, "win", 0, memory=1 << 20)
    for seed in range(count):
        answer = search.answer(random_graph(seed), (None, 1, 3)[seed % 3])
        if answer.verdict is not Verdict.UNKNOWN:
            yield evidence(search, answer, whole=True)


def test_random_graphs_have_certificates_that_the_reference_accepts(
    graph: RuleSet, random_graph: Callable[[int], State]
) -> None:
    seen, native = Counter[str](), compiled(graph)
    for found in proofs(graph, random_graph, 300):
        seen[found.claim["answer"]] += 1
        checked = check(found, graph)
        assert checked.decisions == len(found.certificate["choices"])
        assert check(found, graph, successors=native.steps) == check(found, graph, by=native) == checked
    assert min(seen["yes"], seen["no"]) > 30


def test_the_others_may_refute_by_waiting(graph: RuleSet) -> None:
    """Player 0 can only move to the end of the game, the others only to the goal of player 0."""
    places, ways = 10, 3
    state = graph.state({
        "owner": [3] + [5] * (places - 1), "leads": [2, 1, -1] + [-1] * ways * (places - 1),
        "only": [0, 1, 3] + [3] * ways * (places - 1), "aim": [0, 1] + [0] * (places - 2), "ended": [0, 0, 1] + [0] * (places - 3),
    })  # fmt: skip
    search = Search(graph, "win", 0)
    found = evidence(search, search.answer(state))
    assert found.claim["answer"] == "no" and found.certificate["choices"] == [WAIT]
    assert check(found, graph).positions == 1
    with pytest.raises(Refused, match="reaches the goal"):
        check(resealed(found, certificate={"choices": [0]}), graph)


def resealed(found: Evidence, **changes: Any) -> Evidence:
    """The evidence with changes, sealed as if nothing had happened."""
    return Evidence.from_json(dataclasses.replace(found, **changes).to_json())


def test_the_opposite_claim_is_refused_whatever_the_decisions_are(
    graph: RuleSet, random_graph: Callable[[int], State]
) -> None:
    tried = 0
    for found in proofs(graph, random_graph, 60):
        opposite = {**found.claim, "answer": "no" if found.claim["answer"] == "yes" else "yes"}
        for seed in range(6):
            random = Random(seed)
            choices = [random.randrange(WAIT, 3) for _ in range(random.randrange(8))]
            with pytest.raises(Refused):
                check(resealed(found, claim=opposite, certificate={"choices": choices, "tried": 3 * seed}, witness=()), graph)
            tried += 1
    assert tried > 100


def test_a_certificate_with_other_decisions_is_refused_unless_these_prove_the_claim_as_well(
    graph: RuleSet, random_graph: Callable[[int], State]
) -> None:
    refused = accepted = 0
    for found in proofs(graph, random_graph, 120):
        right, random = found.certificate["choices"], Random(len(found.certificate["choices"]))
        for mutated in (right[:-1], [*right, 0], [*right, *right], [n + 1 for n in right], [random.randrange(WAIT, 3) for _ in right]):
            if mutated == right:
                continue
            try:
                check(resealed(found, certificate={"choices": mutated}), graph)
                accepted += 1
            except Refused:
                refused += 1
    assert refused > 150 and accepted < refused / 2


def test_a_damaged_file_is_refused() -> None:
    rules = nim((2, 3))
    search = Search(rules)
    text = evidence(search, search.answer()).to_json()
    assert check(Evidence.from_json(text), rules).positions > 1
    random = Random(1)
    for _ in range(300):
        at = random.randrange(len(text))
        damaged = text[:at] + chr(random.randrange(32, 127)) + text[at + random.randrange(2) :]
        if damaged != text and json.dumps(damaged) != json.dumps(text):
            with pytest.raises(Refused):
                check(Evidence.from_json(damaged), rules)


@pytest.mark.parametrize(
    ("part", "value"),
    [("player", 1), ("player", 7), ("goal", "lose"), ("turns", 3), ("turns", 0), ("state", [0, 0]), ("state", "x"), ("answer", "maybe"), ("question", "odds"), ("state", [2, 9, 0])],
)  # fmt: skip
def test_another_claim_is_refused(part: str, value: Any) -> None:
    rules = nim((2, 3))
    search = Search(rules)
    found = evidence(search, search.answer())
    with pytest.raises(Refused):
        check(resealed(found, claim={**found.claim, part: value}), rules)


def test_other_rules_and_a_witness_that_cannot_be_played_are_refused() -> None:
    rules = nim((2, 3))
    search = Search(rules)
    found = evidence(search, search.answer())
    with pytest.raises(Refused, match="other rules"):
        check(found, nim((2, 4)))
    for witness in ((Move("take", 0, (0, 3)),), (*found.witness, found.witness[0]), found.witness[:-1], (Move("fly", 0, ()),)):
        with pytest.raises(Refused, match="witness"):
            check(resealed(found, witness=witness), rules)


def test_an_unknown_answer_has_no_certificate() -> None:
    from monjudge.solvers.forced import Limits

    search = Search(breakthrough(5, 3, 1))
    answer = search.answer(limits=Limits(nodes=10))
    with pytest.raises(ValueError, match="no certificate"):
        evidence(search, answer)


TRIED = (0, 1, 2, 5, 1000)
"""So many positions are tried in place of a decision."""


@pytest.fixture(scope="module")
def tried(graph: RuleSet, random_graph: Callable[[int], State]) -> list[Evidence]:
    """Proofs of random graphs, each with every number of ``TRIED``."""
    search, found = Search(graph, "win", 0, memory=1 << 20), []
    for seed in range(90):
        answer = search.answer(random_graph(seed), (None, 1, 3)[seed % 3])
        if answer.verdict is not Verdict.UNKNOWN:
            for number in TRIED:
                found.append(resealed(evidence(search, answer), certificate={"choices": decisions(search, answer, number), "tried": number}))
    return found


def test_what_is_tried_needs_no_decision_and_proves_the_same(graph: RuleSet, tried: list[Evidence]) -> None:
    native, total = compiled(graph), Counter[int]()
    for found in tried:
        checked = check(found, graph)
        assert check(found, graph, by=native) == checked and checked.decisions == len(found.certificate["choices"])
        total[found.certificate["tried"]] += checked.decisions
    assert total[0] > 2 * total[2] >= 2 * total[1000] > 0  # play in circles is never settled without a decision


def tampered(found: Evidence, random: Random) -> Iterator[Evidence]:
    """The same with other decisions, another number of positions tried, or another claim."""
    right, number = found.certificate["choices"], found.certificate["tried"]
    other = [random.randrange(WAIT, 3) for _ in range(random.randrange(6))]
    for choices in (right[:-1], [*right, 0], [n + 1 for n in right], other, [*right[:-1], *other], [10**20, *right]):
        yield resealed(found, certificate={"choices": choices, "tried": number}, witness=())
    yield resealed(found, certificate={"choices": right, "tried": random.choice(TRIED)}, witness=())
    claim = {**found.claim, "answer": {"yes": "no", "no": "yes"}[found.claim["answer"]]}
    for choices in (right, other):
        yield resealed(found, claim=claim, certificate={"choices": choices, "tried": random.choice(TRIED)}, witness=())


def said(found: Evidence, rules: RuleSet, by: Native | None) -> object:
    """What a check says: what it saw, or why it refuses."""
    try:
        return check(found, rules, by=by)
    except Refused as refused:
        return refused.text
    except LimitReached:
        return None


@pytest.fixture(scope="module")
def judged(graph: RuleSet, tried: list[Evidence]) -> list[tuple[Evidence, object]]:
    """Proofs as they are and tampered with, each with what the reference says of it."""
    random = Random(1)
    return [(wrong, said(wrong, graph, None)) for found in tried[:300] for wrong in (found, *tampered(found, random))]


def test_the_compiled_walk_refuses_what_the_reference_refuses_for_the_same_reason(
    graph: RuleSet, judged: list[tuple[Evidence, object]]
) -> None:
    native = compiled(graph)
    assert all(said(wrong, graph, native) == meant for wrong, meant in judged)
    assert sum(isinstance(meant, Checked) for _, meant in judged) > 400
    texts = Counter(reason for _, meant in judged for reason in REASONS if reason in getattr(meant, "en", ""))
    assert min(texts[reason] for reason in REASONS) > 3


REASONS = (
    "goes round in circles", "lets play end", "nobody can move", "reaches the goal", "is missing", "for no position", "passes a bound",
)  # fmt: skip


def nothing(*_: Any) -> None:
    """A part of the compiled walk that was left out."""


FAULTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "circles are no harm": lambda patch: patch.setattr(native_walk._Follow, "_circle", nothing),
    "bounds are no harm": lambda patch: patch.setattr(native_walk._Follow, "_bound", nothing),
    "a stuck strategy is fine": lambda patch: patch.setattr(native_walk._Follow, "_stuck", unstuck),
    "nothing is tried": lambda patch: patch.setattr(native_walk._Follow, "_try", nothing),
    "moves are tried in another order": lambda patch: patch.setattr(native_walk, "_credit", uncredited),
    "the deadline is one turn off": lambda patch: patch.setattr(native_walk, "op", late),
    "waiting is not allowed": lambda patch: patch.setattr(native_walk, "op", impatient),
}


def unstuck(follow: Any) -> None:
    with follow.f.when(native_walk.op(follow.f, "icmp eq ptr", follow.after, "%free")):
        follow.f.ret("i32 0")


def uncredited(layout: Any) -> Function:
    f = Function("internal void @credit(ptr %child, ptr noalias %ctl)")
    f.ret("void")
    return f


def late(f: Function, operation: str, *operands: str | int) -> str:
    return native_walk_op(f, "icmp sgt i64" if operation == "icmp sge i64" else operation, *operands)


def impatient(f: Function, operation: str, *operands: str | int) -> str:
    return native_walk_op(f, operation, operands[0], 0) if operation == "icmp sge i64" else native_walk_op(f, operation, *operands)


native_walk_op = native_walk.op


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_planted_in_the_compiled_walk_is_noticed(
    graph: RuleSet, judged: list[tuple[Evidence, object]], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    monkeypatch.setattr(walker, "_codes", {})
    FAULTS[fault](monkeypatch)
    native = compiled(graph)
    assert any(said(wrong, graph, native) != meant for wrong, meant in judged)


def test_an_older_certificate_is_refused_with_a_sentence() -> None:
    rules = nim((2, 3))
    search = Search(rules)
    found = evidence(search, search.answer())
    with pytest.raises(Refused, match="prove it anew"):
        check(resealed(found, certificate={"runs": [0]}), rules)
    for wrong in (-1, 10**10, True, "3", None):
        with pytest.raises(Refused, match="cannot be tried"):
            check(resealed(found, certificate={**found.certificate, "tried": wrong}), rules)


@pytest.mark.parametrize("move", [["take", 0, 0.0, 1], ["take", True, 0, 1], [[], 0, 0, 1], ["take", 0, None]])
def test_a_witness_of_anything_but_moves_is_refused_before_an_engine_sees_it(move: list[Any]) -> None:
    search = Search(nim((1, 2)))
    found = evidence(search, search.answer())
    changed = dataclasses.replace(found, witness=(Move(move[0], move[1], tuple(move[2:])),))
    with pytest.raises(Refused, match="no line of moves"):
        Evidence.from_json(changed.to_json())


def test_a_long_proof_has_few_decisions_and_is_read_by_either_walk() -> None:
    rules = breakthrough(4, 4, 1)
    search = Search(rules, "win", 0)
    answer = search.answer()
    found, all_of_them = evidence(search, answer), evidence(search, answer, whole=True)
    assert set(all_of_them.certificate) == {"choices"} and len(all_of_them.certificate["choices"]) > 1000
    assert len(found.certificate["choices"]) < len(all_of_them.certificate["choices"]) / 10
    native = compiled(rules)
    for one in (found, all_of_them):
        assert check(one, rules, by=native) == check(one, rules, successors=native.steps)


def test_a_walk_may_be_bounded_and_says_so() -> None:
    rules = breakthrough(4, 3, 1)
    search = Search(rules)
    found = evidence(search, search.answer(), whole=True)
    positions = check(found, rules).positions
    assert check(found, rules, most=positions).positions == positions > 20
    with pytest.raises(TooLong):
        check(found, rules, most=10)
    with pytest.raises(LimitReached, match="bytes"):
        check(found, rules, by=Native(strict(rules), memory=1 << 12))
