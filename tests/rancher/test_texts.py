"""The texts of the Monster Rancher Collectible Card Game are whole: nothing twice, nothing missing, nothing untranslated."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

import pytest

from monjudge.model.rancher.decks import shipped_decks
from monjudge.model.rancher.set_up import start, table
from monjudge.model.rancher.texts import clause_texts, switch_texts
from monjudge.model.texts import CLAUSE_KINDS

LINES_OF_THE_DOCUMENT = 231
JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def rows(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(files("monjudge.model.rancher.texts").joinpath(name).read_text("utf-8"))
    return found


def test_no_clause_and_no_switch_is_there_twice() -> None:
    assert [row["id"] for row in rows("clauses.json")] == list(clause_texts())
    assert [row["id"] for row in rows("switches.json")] == list(switch_texts())


def test_clauses_stand_in_the_order_of_the_document() -> None:
    lines = [c.line for c in clause_texts().values()]
    assert lines == sorted(lines) and 1 <= lines[0] and lines[-1] <= LINES_OF_THE_DOCUMENT
    assert all(c.kind and set(c.kind) <= set(CLAUSE_KINDS) for c in clause_texts().values())


def test_every_text_is_there_in_both_languages() -> None:
    texts = [(c.en, c.ja) for c in clause_texts().values()]
    for switch in switch_texts().values():
        texts += [tuple(t) for t in (switch.title, switch.why, switch.reason, *switch.values.values())]  # type: ignore[misc]
    assert [en for en, ja in texts if JAPANESE.search(en) or not JAPANESE.search(ja)] == []
    sentences = [(c.en, c.ja) for c in clause_texts().values()]
    assert [en for en, ja in sentences if not (en.endswith(".") and ja.endswith("。"))] == []
    assert len({en for en, _ in sentences}) == len({ja for _, ja in sentences}) == len(sentences)


def test_every_switch_has_readings_that_differ_a_default_and_clauses_that_exist() -> None:
    for switch in switch_texts().values():
        assert len(switch.values) >= 2 and switch.default in switch.values
        assert set(switch.clauses) <= set(clause_texts())
        assert switch.undetermined <= set(switch.values) - {switch.default}
        assert switch.severity in ("S1", "S2", "S3")


def test_every_rule_has_its_text_in_both_languages_and_its_line() -> None:
    decks = shipped_decks()
    rules = start(table((decks["MEADOW"].cards, decks["QUARRY"].cards)))
    for action in rules.actions:
        assert action.en and JAPANESE.search(action.ja), action.name
        for clause in action.clauses:
            assert clause.en and JAPANESE.search(clause.ja), clause.id
            assert (clause.id.partition(":")[0] in clause_texts()) == bool(clause.ref) or ":" in clause.id, clause.id
    assert all(t.en and JAPANESE.search(t.ja) and t.ref for t in rules.triggers)


def test_an_unknown_clause_is_refused_with_a_sentence() -> None:
    with pytest.raises(KeyError, match=r"'R\.DECK\.9' is no clause of the Monster Rancher Collectible Card Game; the closest ids are"):
        clause_texts()["R.DECK.9"]


