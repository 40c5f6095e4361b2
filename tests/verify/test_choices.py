"""What is chosen in a decision: nothing but what is named, by the rules as they are and as they are exported."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from monjudge.model.language import Game, RuleSet, gain, put, var
from monjudge.model.notation.defects import DataError
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify import choices
from monjudge.verify.prove import Finding, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck


def stall(hidden: bool = False) -> RuleSet:
    """Fruit is sold from a heap: which, and how much of it; with a fault the seller also chooses the price. A die is no choice."""
    g = Game("stall", players=1)
    heap, purse = g.field("heap", 2, values=range(5), init=4), g.field("purse", values=range(99))
    sell = g.action("sell", by=0)
    fruit, much = sell.param("fruit", range(2)), sell.param("much", range(1, 3))
    sell.clause("STALL.sell", (heap[fruit] >= much) & (purse < 60))
    price = sell.param("price", range(1, 4)) if hidden else 1
    sell.effect(gain(heap[fruit], -much), gain(purse, price))
    thrown = g.action("throw", weight=1)
    face = thrown.param("face", range(1, 7))
    thrown.clause("STALL.throw", (heap[0] == 0) & (purse > 0))
    thrown.effect(put(heap[0], face - 1, when=face < 5))
    return g.build()


def finding(rules: RuleSet, *among: str, **parts: Any) -> Finding:
    return prove(Property("p", "choices", among=among or ("fruit", "much"), **parts), Scene(rules, rules.start))


def test_all_that_is_chosen_is_named_or_what_is_not_is_told() -> None:
    good, bad = finding(stall()), finding(stall(hidden=True))
    assert (good.verdict, bad.verdict) == (Verdict.YES, Verdict.NO)
    assert "all 2 parameters" in good.why.en and "sell.price is chosen, too" in bad.why.en
    for found, rules in ((good, stall()), (bad, stall(hidden=True))):
        assert found.evidence is not None
        recheck(Evidence.from_json(found.evidence.to_json()), Scene(rules, rules.start))


def test_a_parameter_is_named_by_itself_or_of_one_action() -> None:
    assert finding(stall(hidden=True), "sell.fruit", "much", "price").verdict is Verdict.YES
    with pytest.raises(DataError, match=r"throw\.price"):
        finding(stall(), "fruit", "throw.price")


@pytest.mark.parametrize("forged", [{"more": ["sell.much"]}, {"among": ["fruit"]}, {"question": "more choices"}])
def test_evidence_that_says_something_else_is_refused(forged: dict[str, Any]) -> None:
    found, rules = finding(stall()), stall()
    assert found.evidence is not None
    with pytest.raises(Refused):
        recheck(dataclasses.replace(found.evidence, claim={**found.evidence.claim, **forged}), Scene(rules, rules.start))


def test_a_reading_of_the_rules_that_misses_a_parameter_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = choices.named
    monkeypatch.setattr(choices, "named", lambda rules: [name for name in whole(rules) if name != "sell.price"])
    with pytest.raises(Refused):
        finding(stall(hidden=True))


def test_a_variable_that_is_no_parameter_is_an_error() -> None:
    rules = stall()
    sell = rules.by_name["sell"]
    odd = dataclasses.replace(sell, clauses=(dataclasses.replace(sell.clauses[0], expr=var("whim", 0, 1, is_bool=True)),))
    wrong = dataclasses.replace(rules, actions=tuple(odd if a is sell else a for a in rules.actions))
    with pytest.raises(AssertionError, match="sell has variables"):
        [*choices.named(wrong)]


def test_the_property_has_a_form_as_data() -> None:
    from monjudge.verify.question import read_properties

    text = {"format": "monjudge-properties/1", "properties": [{"id": "p", "kind": "choices", "among": ["fruit", "much"], "en": "e", "ja": "j"}]}
    assert read_properties(json.dumps(text))[0].among == ("fruit", "much")
    with pytest.raises(DataError, match="formula"):
        finding(stall(), formula="purse > 0")
