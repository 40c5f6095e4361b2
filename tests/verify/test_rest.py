"""Triggers whose order does not matter are proved confluent; where it matters two orders with different ends are shown."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from monjudge.model.language import Game, Move, RuleSet, gain, put
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Finding, Limits, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck
from monjudge.verify.rest import Firings


def store(guarded: bool = True) -> RuleSet:
    """After closing time the goods of two shelves are cleared, and a lamp goes out that no shelf keeps lit: only ``guarded``
    does it wait until both are cleared. A bell is rung at the end."""
    g = Game("store", players=1)
    shelf, lamp, spare = g.field("shelf", 2, values=range(4), init=(2, 1)), g.field("lamp", values=bool, init=True), g.field("spare", values=bool)
    closed, rung = g.field("closed", values=bool), g.field("rung", values=bool)
    lay = g.action("lay", by=0)
    where = lay.param("where", range(2))
    lay.clause("STORE.lay", ~closed & (shelf[where] < 3))
    lay.effect(gain(shelf[where], 1))
    close = g.action("close", by=0)
    close.clause("STORE.close", ~closed)
    close.effect(put(closed, True))
    g.trigger("STORE.clear", lambda s: closed & (shelf[s] > 0), lambda s: [put(shelf[s], 0), put(spare, True, when=s == 1)], over=(2,))
    waits = (shelf[0] == 0) & (shelf[1] == 0) if guarded else (shelf[0] == 0)
    g.trigger("STORE.lamp", closed & lamp & waits & ~spare, put(lamp, False))
    g.trigger("STORE.bell", closed & ~rung, put(rung, True))
    return g.build()


def finding(rules: RuleSet, *among: str, **parts: Any) -> Finding:
    return prove(Property("p", "rest", among=among or ("STORE.clear", "STORE.lamp"), **parts), Scene(rules, rules.start), Limits(seconds=20, states=2000))


def test_what_commutes_is_proved_and_two_orders_that_end_differently_are_shown() -> None:
    good, bad = finding(store(), "STORE.clear", "STORE.bell"), finding(store(guarded=False))
    assert (good.verdict, bad.verdict) == (Verdict.YES, Verdict.NO)
    assert good.evidence is not None and bad.evidence is not None
    assert recheck(Evidence.from_json(good.evidence.to_json()), Scene(store(), store().start)).implications > 0
    scene = Scene(store(guarded=False), store(guarded=False).start)
    assert recheck(Evidence.from_json(bad.evidence.to_json()), scene).moves == 1
    assert bad.evidence.witness == (Move("close", 0),)
    assert sorted(map(sorted, bad.evidence.certificate["orders"]))[0] != sorted(map(sorted, bad.evidence.certificate["orders"]))[1]


def test_what_is_not_proved_and_has_no_fault_is_undecided() -> None:
    found = finding(store())  # the lamp and the second shelf do not commute, but never both fire
    assert found.verdict is Verdict.UNKNOWN and "no two orders" in found.why.en


def test_the_premise_says_after_which_states_it_is_claimed() -> None:
    assert finding(store(guarded=False), premise="shelf[0] == 3").verdict is Verdict.NO
    assert finding(store(guarded=False), premise="shelf[0] == 0").verdict is Verdict.UNKNOWN


def test_all_orders_of_the_named_triggers_are_followed_and_the_others_come_last() -> None:
    rules = store(guarded=False)
    fired = Firings(rules, ("STORE.clear", "STORE.lamp"))
    closed = fired.effects.step(rules.start, Move("close", 0))
    rests = fired.rests(closed)
    assert sorted(rests.values()) == [
        ("trigger STORE.clear[0]", "trigger STORE.clear[1]", "trigger STORE.bell"),
        ("trigger STORE.clear[0]", "trigger STORE.lamp", "trigger STORE.clear[1]", "trigger STORE.bell"),
    ]


def test_orders_that_the_rules_do_not_have_or_that_end_alike_are_refused() -> None:
    rules = store(guarded=False)
    found = finding(rules).evidence
    assert found is not None
    one, two = found.certificate["orders"]
    for change in (
        {"certificate": {"orders": [one, one]}}, {"certificate": {"orders": [one, two[:-1]]}}, {"certificate": {"orders": [one, [*reversed(two)]]}},
        {"claim": {**found.claim, "among": ["STORE.bell"]}}, {"claim": {**found.claim, "formula": "closed"}}, {"witness": (Move("lay", 0, (0,)),)},
    ):  # fmt: skip
        with pytest.raises(Refused):
            recheck(dataclasses.replace(found, **change), Scene(rules, rules.start))
