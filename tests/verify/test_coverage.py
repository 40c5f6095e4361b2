"""The table of clauses, and the references that lead nowhere, on a small made-up game."""

from __future__ import annotations

from monjudge.model.language import Game, RuleSet, gain
from monjudge.verify.coverage import Coverage, cited, unknown_in_text


def game() -> RuleSet:
    g = Game("lamp", players=2)
    light = g.field("light", values=range(4))
    a = g.action("turn_up", by=0)
    a.clause("LAMP.1", light < 3)
    a.limit("LIMIT.lamp", light < 4)
    a.effect(gain(light, 1))
    b = g.action("turn_down", by=1)
    b.clause("LAMP.1", light > 0)
    b.effect(gain(light, -1))
    g.trigger("LAMP.2:spark", light == 7, [])
    g.norm("LAMP.1", "obligation", light < 3, on="turn_up")
    g.norm("LAMP.1", "obligation", light > 0, on="turn_down")
    g.norm("LAMP.3", "definition", light <= 3)
    return g.build()


CASES = [{"id": "C1", "src": ["LAMP.1"]}, {"id": "C2", "src": ["LAMP.1", "LAMP.3"]}]


def test_a_row_names_the_rules_norms_cases_and_the_claim_of_a_clause() -> None:
    table = Coverage(["LAMP.1", "LAMP.2", "LAMP.3", "LAMP.4"], [game()], cited(CASES), {"LAMP.1"}, {"LAMP.4": "— a"})
    assert list(table.lines())[2:] == [
        "| LAMP.1 | turn_up, turn_down | obligation (turn_up, turn_down) | C1, C2 | ✓ |",
        "| LAMP.2 | trigger |  |  |  |",
        "| LAMP.3 |  | definition | C2 |  |",
        "| LAMP.4 |  | — a |  |  |",
    ]
    assert table.unknown() == []


def test_a_reference_to_a_clause_that_does_not_exist_is_found() -> None:
    table = Coverage(["LAMP.1"], [game()], cited([*CASES, {"id": "C3", "src": ["LAMP.9"]}]), (), {"LAMP.8": "a"})
    assert table.unknown() == ["rule: LAMP.2", "norm: LAMP.3", "case: LAMP.3", "case: LAMP.9", "reason: LAMP.8"]


def test_many_cases_are_counted_rather_than_listed() -> None:
    cases = [{"id": f"C{n}", "src": ["LAMP.1"]} for n in range(9)]
    assert "C5 (+3) |" in list(Coverage(["LAMP.1"], [game()], cited(cases)).lines())[2]


def test_a_word_of_a_document_that_looks_like_a_clause_must_be_one() -> None:
    assert unknown_in_text("LAMP.1, LAMP.12 and LAMP.ex1; not README.md or v1.2", ["LAMP.1", "LAMP.ex1"]) == ["LAMP.12"]
