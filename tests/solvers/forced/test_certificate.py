"""Certificates of forced wins: the reference accepts what the search found, and refuses what was tampered with."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from monjudge.model.language import Move, RuleSet, State
from monjudge.model.small.breakthrough import breakthrough
from monjudge.model.small.nim import nim
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.certificate import WAIT, Evidence, Refused, check, compiled
from monjudge.solvers.forced import Search, evidence, proof
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
            yield evidence(search, answer)


def test_random_graphs_have_certificates_that_the_reference_accepts(
    graph: RuleSet, random_graph: Callable[[int], State]
) -> None:
    seen, native = Counter[str](), compiled(graph)
    for found in proofs(graph, random_graph, 300):
        seen[found.claim["answer"]] += 1
        checked = check(found, graph)
        assert checked.decisions == len(found.certificate["choices"])
        assert check(found, graph, successors=native) == checked
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
                check(resealed(found, claim=opposite, certificate={"choices": choices}, witness=()), graph)
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


def in_runs(search: Search, state: State, turns: int | None) -> tuple[Evidence, list[int]] | None:
    """The evidence of an answer with its decisions in runs, and one by one; None of an unknown answer."""
    answer = search.answer(state, turns)
    if answer.verdict is Verdict.UNKNOWN:
        return None
    deadline = None if answer.turns is None else answer.question.first + answer.turns
    decisions = proof(search, search.pack(state), deadline, answer.verdict)
    return resealed(evidence(search, answer), certificate={"runs": decisions.runs}), decisions.choices


def test_decisions_in_runs_prove_the_same_and_a_tampered_one_is_refused_unless_it_proves_it_too(
    graph: RuleSet, random_graph: Callable[[int], State]
) -> None:
    search, refused, accepted = Search(graph, "win", 0, memory=1 << 20), 0, 0
    for seed in range(200):
        found = in_runs(search, random_graph(seed), (None, 1, 3)[seed % 3])
        if found is None:
            continue
        runs, right = found[0].certificate["runs"], found[1]
        plain = check(resealed(found[0], certificate={"choices": right}), graph)
        assert check(found[0], graph) == plain and plain.decisions == len(right)
        for wrong in (runs[:-1], [*runs, 0], [*runs, 0, 0], [runs[0] + 1, *runs[1:]], [runs[0] - 1, *runs[1:]], [*runs[:-1], -1], [n + 1 for n in runs]):
            try:
                check(resealed(found[0], certificate={"runs": wrong}), graph)
                accepted += 1
            except Refused:
                refused += 1
    assert refused > 300 and accepted < refused / 20


def test_a_long_proof_is_written_down_in_runs_and_is_shorter_so() -> None:
    rules = breakthrough(4, 4, 1)
    search = Search(rules, "win", 0)
    found = in_runs(search, search.question().state, None)
    assert found is not None
    written = evidence(search, search.answer())
    assert set(written.certificate) == {"runs"} and len(written.certificate["runs"]) < len(found[1]) / 2
    assert check(written, rules, successors=compiled(rules)).decisions == len(found[1])
