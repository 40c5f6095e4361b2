"""Positions and questions with right values: tables of the document, and what must be refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from monjudge.model.rancher.cases import INFORMATION, OPERATIONS, CaseError, answers
from monjudge.model.rancher.texts import clause_texts
from monjudge.solvers.cases import Case, CaseEngine, Result, read_cases, run_cases

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
CASES = read_cases([CORPUS / "rancher.jsonl"])

Asked = Callable[[Case], Result]


@pytest.fixture(scope="module")
def asked() -> Asked:
    """One case asked of the rule set; what the cases share is built once."""
    answer = answers(CaseEngine, CASES)
    return lambda case: next(run_cases([case], answer, INFORMATION))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_answer_is_the_right_one(asked: Asked, case: Case) -> None:
    result = asked(case)
    assert result.error is None
    assert not result.fails, (result.expected, result.got)


def test_a_wrong_value_fails(asked: Asked) -> None:
    case = {"id": "x", "state": {}, "query": {"op": "order", "squares": [2, 3], "icon": "S"}, "expect": {"squares": [2, 3]}}
    assert asked(case).fails


def test_there_are_cases_of_every_operation_and_every_chapter() -> None:
    assert {case["query"]["op"] for case in CASES} == set(OPERATIONS)
    cited = {clause for case in CASES for clause in case.get("src", ())}
    assert cited <= set(clause_texts())
    assert {id.split(".")[1] for id in cited} >= {"ARENA", "ATT", "BAT", "DECK", "EVT", "INIT", "MON", "MOVE", "PULL", "SETUP", "TECH", "TRAIN", "WIN"}


@pytest.mark.parametrize(
    ("query", "state", "says"),
    [
        ({"op": "guess"}, {}, "there is no operation 'guess'"),
        ({"op": "play", "acts": ["A fly"]}, {}, "'A fly' is no act here"),
        ({"op": "play"}, {"A": {"pocket": []}}, "a player has no 'pocket'"),
        ({"op": "play"}, {"A": {"hand": ["X9"]}}, "'X9' is no card"),
        ({"op": "play"}, {"A": {"hand": ["C1", "C1", "C1", "C1"]}}, "hand.* is 0 to 3, not 4"),
        ({"op": "order", "icon": "C"}, {}, "the query needs 'squares'"),
    ],
)  # fmt: skip
def test_a_case_that_cannot_be_read_is_refused_with_a_sentence(query: Case, state: Case, says: str) -> None:
    with pytest.raises(CaseError, match=says) as caught:
        answers(CaseEngine)({"id": "x", "state": state, "query": query, "expect": {}})
    assert caught.value.ja
