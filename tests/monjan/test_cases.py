"""Positions and questions with right values: worked examples, whole turns and battles, situations from other engines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from monjudge.model.monjan.cases import INFORMATION, OPERATIONS, CaseError, answers, printed
from monjudge.model.monjan.texts import clause_texts
from monjudge.solvers.cases import Case, CaseEngine, Result, read_cases, run_cases

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
FILES = ("monjan", "monjan-turns", "situations", "questions", "claims", "spellings")
CASES = {name: read_cases([CORPUS / f"{name}.jsonl"]) for name in FILES}
SWAPPED = ("monjan", "situations", "questions", "claims", "spellings")
"""The files whose cases are also asked with the players exchanged."""

Asked = Callable[[Case], Result]


@pytest.fixture(scope="module")
def asked() -> Asked:
    """One case asked of the rule set; what the cases share is built once."""
    every = [case for cases in CASES.values() for case in cases]
    answer = answers(CaseEngine, every)
    return lambda case: next(run_cases([case], answer, INFORMATION))


def ids(names: tuple[str, ...]) -> list[Any]:
    return [pytest.param(case, id=f"{name}:{case['id']}") for name in names for case in CASES[name]]


@pytest.mark.parametrize("case", ids(FILES))
def test_the_answer_is_the_right_one(asked: Asked, case: Case) -> None:
    result = asked(case)
    assert result.error is None
    assert result.got == result.expected or not result.fails, (result.expected, result.got)
    assert not result.fails, (result.expected, result.got)


OTHER = {"A": "B", "B": "A"}
SEAT = re.compile(r"\b[AB](?=\.(?:def|atk|ex|out|above)\b)|\b[AB](?=_alive)|(?<=[(\[])[AB](?=[)\]])")


def exchanged(node: Any) -> Any:
    """The same with players A and B exchanged, in names and references."""
    if isinstance(node, dict):
        return {exchanged(key): exchanged(value) for key, value in node.items()}
    if isinstance(node, list):
        return [exchanged(part) for part in node]
    return OTHER.get(node, SEAT.sub(lambda m: OTHER[m[0]], node)) if isinstance(node, str) else node


def with_players_exchanged(case: Case) -> Case:
    query = exchanged(case["query"])
    if query["op"] not in ("guard", "damage"):
        who = case["query"].get("who", "A")
        query["who"] = OTHER.get(who, who)
    elif "who" not in query:
        query["owner"] = "A"  # B, where the case does not say whose card it is
    return {**case, "state": exchanged(case["state"]), "query": query, "expect": exchanged(case["expect"])}


def in_a_circle(case: Case) -> bool:
    """Whether the case asks about the order of the seats, which is another one when two of three players are exchanged."""
    return case["query"]["op"] == "draft_order" and "C" in case["expect"]["order"]


@pytest.mark.parametrize("case", [case for case in ids(SWAPPED) if not in_a_circle(case.values[0])])
def test_the_verdict_does_not_depend_on_the_seat(asked: Asked, case: Case) -> None:
    result = asked(with_players_exchanged(case))
    assert not result.fails, (result.expected, result.got, result.error)


def test_every_case_cites_clauses_that_exist() -> None:
    cited = {clause for cases in CASES.values() for case in cases for clause in case.get("src", ())}
    assert cited - set(clause_texts()) == set()


def test_every_operation_is_asked_by_some_case() -> None:
    assert set(OPERATIONS) == {case["query"]["op"] for cases in CASES.values() for case in cases}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_page_on_the_form_shows_every_operation(language: str) -> None:
    page = (CORPUS.parents[1] / "docs" / language / "cases.md").read_text("utf-8")
    assert set(re.findall(r'"op": "(\w+)"', page)) == set(OPERATIONS)


def a_case(**parts: Any) -> Case:
    return {"id": "c", "state": {}, "expect": {"legal": True}, **parts}


@pytest.mark.parametrize("case", ids(("situations", "claims")))
def test_a_case_with_another_value_fails(asked: Asked, case: Case) -> None:
    def another(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: another(part) for key, part in value.items()}
        if isinstance(value, list):
            return [*value, "one more"]
        if isinstance(value, str):
            return f"not {value}"
        return not value if isinstance(value, bool) or value is None else value + 1

    assert asked({**case, "expect": another(case["expect"])}).fails


UNREADABLE = {
    "a card": (a_case(state={"A": {"hand": ["q7"]}}, query={"op": "summon_E"}), "'q7' is no card"),
    "a column": (a_case(query={"op": "place_mana", "col": "C", "card": "f2"}), "'C' is no column"),
    "a part of a player": (a_case(state={"A": {"manna": {}}}, query={"op": "summon_E"}), "'manna' is no part"),
    "a part of a state": (a_case(state={"Z": 1}, query={"op": "summon_E"}), "'Z' is no part of a state"),
    "a board": (a_case(state={"A": {"board": "MOON"}}, query={"op": "caps"}), "'MOON' is no board"),
    "a mode": (a_case(state={"mode": "NONE"}, query={"op": "start_draw"}), "'NONE' is no mode"),
    "Elements above plain mana": (a_case(state={"A": {"mana": {"L": ["f2", "*"]}}}, query={"op": "speed"}), "Elements lie at"),
    "a stack beyond the bound": (a_case(state={"A": {"mana": {"L": ["m"] * 41}}}, query={"op": "speed"}), "stack of at most 40"),
    "a stack that is no list": (a_case(state={"A": {"mana": {"L": "f2"}}}, query={"op": "speed"}), "'f2' is no stack"),
    "a witness elsewhere": (
        a_case(state={"A": {"ex": {"card": {"nums": [7], "v": 1}, "by": "NUMBER", "witness": "L f7"}}}, query={"op": "speed"}),
        "the witness 'L f7' does not lie in its column",
    ),
    "a life beyond the bound": (a_case(state={"A": {"def": {"L": ["f9", 17]}}}, query={"op": "cleanup"}), "life, 0, 0 is 0 to 16"),
    "a life that is no whole number": (a_case(state={"A": {"def": {"L": ["f9", 7.5]}}}, query={"op": "cleanup"}), "7.5 is no whole number"),
    "a defence of three parts": (a_case(state={"A": {"def": {"L": ["f9", 7, 7]}}}, query={"op": "cleanup"}), "is no defence"),
    "a hand that is no list": (a_case(state={"A": {"hand": {"f7": 3}}}, query={"op": "cleanup"}), "is no value of 'hand'"),
    "columns that are no list": (a_case(state={"A": {"fallen": {"L": False}}}, query={"op": "cleanup"}), "is no value of 'fallen'"),
    "a turn that is a text": (a_case(state={"turn": "3"}, query={"op": "cleanup"}), "'3' is no value of 'turn'"),
    "mana committed outside the stack": (
        a_case(state={"A": {"mana": {"L": ["f2"]}, "commit": {"L": [1]}}}, query={"op": "cleanup"}), "no list of mana of a stack of 1"
    ),
    "a number of an Extra card": (a_case(state={"A": {"ex": {"nums": [17], "v": 5}}}, query={"op": "cleanup"}), "17 is no number of a card: 1..16"),
    "an attack of an Extra card": (a_case(state={"A": {"ex": {"nums": [7], "v": 7.5}}}, query={"op": "cleanup"}), "7.5 is no attack"),
    "an attack out of all bounds": (a_case(state={"A": {"ex": "X(v99999999999)"}}, query={"op": "cleanup"}), "is no card"),
    "an attack below nothing": (a_case(state={"A": {"attacks": [-4]}}, query={"op": "cleanup"}), "-4 is no attack"),
    "a digit of another script": (a_case(state={"A": {"hand": ["f１６"]}}, query={"op": "cleanup"}), "'f１６' is no card"),
    "no Extra card": (a_case(state={"A": {"ex": "f7"}}, query={"op": "cleanup"}), "'f7' is no Extra card"),
    "no boss": (a_case(state={"ba_top": "f7"}, query={"op": "cleanup"}), "'f7' is no boss or assassin"),
    "too many bosses in sight": (a_case(state={"ba_top": ["B10"] * 9}, query={"op": "cleanup"}), "the model has no room"),
    "more players than there are": (a_case(state={"players": 2, "C": {}}, query={"op": "cleanup"}), "2 is no number of players with A, B, C"),
    "an order with one player twice": (a_case(state={"prevOrder": ["A", "A"]}, query={"op": "cleanup"}), "is no order of all players"),
    "a player who is no object": (a_case(state={"A": "f9"}, query={"op": "place_mana", "col": "L", "card": "f2"}), "'f9' is no value of 'A'"),
    "columns of an Extra card": (
        a_case(state={"A": {"ex": {"card": {"nums": [7], "v": 1}, "by": "PAIR", "cols": 1}}}, query={"op": "cleanup"}), "1 is no value of 'cols'"
    ),
    "acts that are no list": (a_case(query={"op": "edit_turn", "acts": "end"}), "'end' is no list of acts"),
    "an act that is no text": (a_case(query={"op": "edit_turn", "acts": [3]}), "[3] is no list of acts"),
    "half a mana": (a_case(query={"op": "pay", "purpose": "release", "cost": 1.5, "col": "L"}), "1.5 is no number of mana"),
    "a missing parameter": (a_case(query={"op": "place_mana", "card": "f2"}), "the query needs 'col'"),
    "a missing roll": (
        a_case(state={"A": {"board": "MANAST", "fallen": ["R"]}}, query={"op": "gravity"}), "the query needs 'die'"
    ),
    "an act": (a_case(query={"op": "edit_turn", "acts": ["sing"]}), "'sing' is no act"),
    "an invariant": (a_case(query={"op": "invariant", "text": "all is well"}), "'all is well' is no invariant"),
    "an operation": (a_case(query={"op": "sing"}), "there is no operation 'sing'"),
    "a switch": (a_case(query={"op": "speed"}, readings={"A0": "X"}), "'A0' is no reading switch"),
    "a reading": (a_case(query={"op": "speed"}, readings={"A43": "X"}), "A43 has no reading 'X'"),
    "a seat": (a_case(query={"op": "speed", "who": "C"}), "there is no player 'C'"),
    "too many attacks": (a_case(state={"A": {"attacks": ["1"] * 9}}, query={"op": "forced_win"}), "no room for so many attacks"),
}  # fmt: skip


@pytest.mark.parametrize("what", UNREADABLE)
def test_a_case_that_cannot_be_read_fails_with_a_sentence_in_both_languages(asked: Asked, what: str) -> None:
    case, sentence = UNREADABLE[what]
    result = asked(case)
    assert result.fails and result.error is not None
    assert sentence in result.error.en
    assert re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", result.error.ja)


def test_a_reading_that_the_model_holds_fixed_is_refused_and_not_ignored() -> None:
    """A42 (bystanders' battle cards) is one of the switches that stay at their default."""
    answer = answers(CaseEngine)
    case = a_case(query={"op": "speed"}, readings={"A42": "ANYONE"}, expect={"speed": 0})
    with pytest.raises(CaseError, match="A42 is fixed at PARTICIPANTS"):
        answer(case)
    assert answer({**case, "readings": {"A42": "PARTICIPANTS"}})["speed"] == 0


def test_cases_asked_together_do_not_disturb_one_another() -> None:
    """Two cards of one name: the skill of each case needs the one of its own position."""
    [needs] = [case for case in CASES["monjan"] if case["query"]["op"] == "edit_skill"]
    weaker = {"name": "Jabberwock", "v": 1}
    other = {**needs, "id": "other", "state": {"A": {**needs["state"]["A"], "ex": {"card": weaker}}}}
    for case in (needs, other):
        [result] = run_cases([case], answers(CaseEngine, [needs, other]), INFORMATION)
        assert result.passed, (case["id"], result.got)


@pytest.mark.parametrize("card", ["X(v99999999999)", {"nums": ["x"]}, {"nums": [7], "v": 10**30}, {"nums": 7}, {"nums": [7], "name": []}])
def test_a_case_with_an_impossible_card_does_not_disturb_the_others(card: Any) -> None:
    good = a_case(query={"op": "speed"}, expect={"speed": 0})
    bad = a_case(state={"A": {"ex": card}}, query={"op": "speed"}, expect={"speed": 0})
    alone, beside = (
        next(run_cases([good], answers(CaseEngine, cases), INFORMATION)) for cases in ([good], [good, bad])
    )
    assert (beside.got, beside.error) == (alone.got, alone.error) == (alone.got, None)


def test_the_corpus_is_the_projects_own_data() -> None:
    for name in FILES:
        for line in (CORPUS / f"{name}.jsonl").read_text("utf-8").splitlines():
            assert not re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", line), line
            assert json.loads(line)["expect"]


def test_the_examples_that_are_shipped_are_those_of_the_cases() -> None:
    """A case of kind EX is a worked example of the document, or a number that it states as one."""
    keys = ("id", "src", "state", "query", "expect")
    assert list(printed()) == [{key: case[key] for key in keys} for case in CASES["monjan"] if case.get("kind") == "EX"]
