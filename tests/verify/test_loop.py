"""Play that goes round in a circle is shown as stem and circle; that there is none is exhausted, or follows from a measure."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from monjudge.model.language import Game, Move, RuleSet, gain, minimum, put
from monjudge.model.notation.defects import DataError
from monjudge.model.properties import Scene
from monjudge.model.small import GAMES
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.native import Native
from monjudge.solvers.verdict import Verdict
from monjudge.verify import loop
from monjudge.verify.prove import Finding, Limits, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import Rechecked, recheck


def spring(free: bool = False, saturated: bool = True) -> RuleSet:
    """A healer spends herbs, one each time; where healing is ``free`` a wound and its cure follow each other for ever.

    The day is counted, up to nine and no further, or (not ``saturated``) up to the bound of the model.
    """
    g = Game("spring", players=1)
    health, herbs = g.field("health", values=range(4), init=3), g.field("herbs", values=range(3), init=2)
    day = g.field("day", values=range(10))
    later = put(day, minimum(9, day + 1)) if saturated else gain(day, 1)
    hurt = g.action("hurt", by=0)
    hurt.clause("SPRING.hurt", health > 0)
    hurt.effect(gain(health, -1), later)
    heal = g.action("heal", by=0)
    heal.clause("SPRING.heal", (health < 3) & (herbs >= (0 if free else 1)))
    heal.effect(gain(health, 1), gain(herbs, 0 if free else -1), later)
    return g.build()


def finding(rules: RuleSet, **parts: Any) -> Finding:
    return prove(Property("p", "loop", **parts), Scene(rules, rules.start), Limits(seconds=20, states=2000))


def rechecked(found: Finding, rules: RuleSet) -> Rechecked:
    assert found.evidence is not None
    return recheck(Evidence.from_json(found.evidence.to_json()), Scene(rules, rules.start))


def test_where_each_cure_costs_nothing_comes_again_and_where_it_is_free_a_circle_is_shown() -> None:
    good, bad = finding(spring(), counters=("day",)), finding(spring(free=True), counters=("day",))
    assert (good.verdict, bad.verdict) == (Verdict.YES, Verdict.NO)
    assert good.bounds["horizon"] == "unlimited" and rechecked(good, spring()) == Rechecked()
    assert bad.evidence is not None and bad.evidence.witness == (Move("hurt", 0), Move("heal", 0))
    assert rechecked(bad, spring(free=True)) == Rechecked(moves=2)


def test_a_counter_that_stands_still_makes_the_circle_endless_and_one_at_its_bound_ends_it() -> None:
    still, bound = finding(spring(free=True), counters=("day",)), finding(spring(free=True, saturated=False), counters=("day",))
    assert still.evidence is not None and bound.evidence is not None
    assert (still.evidence.claim["rounds"], still.evidence.claim["still"]) == (6, True)
    assert (bound.evidence.claim["rounds"], bound.evidence.claim["still"]) == (4, False)


def test_without_counters_the_very_same_state_must_come_again() -> None:
    found = finding(spring(free=True))
    assert found.verdict is Verdict.NO and found.evidence is not None
    assert len(found.evidence.witness) > 2 and found.evidence.claim["rounds"] == 1
    assert finding(spring(free=True, saturated=False)).verdict is Verdict.UNKNOWN  # a move passes the bound of the model


def test_a_circle_keeps_the_premise_all_the_way() -> None:
    low = finding(spring(free=True), counters=("day",), premise="health <= 1")
    assert low.verdict is Verdict.NO and low.evidence is not None
    assert low.evidence.claim["stem"] == 2
    assert finding(spring(free=True), counters=("day",), premise="health == 1").verdict is Verdict.YES


def test_a_measure_proves_that_play_ends_and_so_that_nothing_comes_again() -> None:
    found = finding(GAMES["nim"](), measure=("sum h in 0..2: heap[h]",))
    assert found.verdict is Verdict.YES and "z3" in found.why.en
    assert finding(GAMES["nim"](), measure=("turn",)).verdict is Verdict.YES  # exhausted, where the measure does not fall


def test_a_way_and_a_guide_lead_to_a_circle_far_from_the_start() -> None:
    found = finding(spring(free=True), counters=("day",), way=("health == 1", "health == 0"), guide=("health",))
    assert found.verdict is Verdict.NO and found.evidence is not None
    assert found.evidence.claim["stem"] == 3


@pytest.mark.parametrize("game", ["nim", "tic-tac-toe"])
def test_small_games_never_come_round(game: str) -> None:
    rules = GAMES[game]()
    found = finding(rules)
    if found.verdict is Verdict.YES:
        rechecked(found, rules)
    assert found.verdict is (Verdict.YES if game == "nim" else Verdict.UNKNOWN)


def test_evidence_that_does_not_go_round_is_refused() -> None:
    rules = spring(free=True)
    found = finding(rules, counters=("day",))
    assert found.evidence is not None
    changes: list[dict[str, Any]] = [
        {"witness": (Move("hurt", 0), Move("hurt", 0))}, {"claim": {**found.evidence.claim, "rounds": 7}},
        {"claim": {**found.evidence.claim, "counters": []}}, {"claim": {**found.evidence.claim, "premise": "health > 2"}},
        {"claim": {**found.evidence.claim, "stem": 1}}, {"witness": ()},
    ]  # fmt: skip
    for change in changes:
        with pytest.raises(Refused):
            recheck(dataclasses.replace(found.evidence, **change), Scene(rules, rules.start))


def test_that_nothing_comes_again_is_refused_where_it_does() -> None:
    good = finding(spring(), counters=("day",))
    assert good.evidence is not None
    rules = spring(free=True)
    from monjudge.model.language.export import content_hash

    for states in (good.evidence.claim["states"], Native(rules).reachable(rules.start, 1000)):
        claim = {**good.evidence.claim, "states": states}
        with pytest.raises(Refused):
            recheck(dataclasses.replace(good.evidence, claim=claim, rules=content_hash(rules)), Scene(rules, rules.start))


def test_a_search_that_overlooks_circles_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "_round", lambda graph, bare: set())
    with pytest.raises(Refused, match="native code finds a circle"):
        finding(spring(free=True), counters=("day",))


def test_counters_are_fields_and_belong_to_a_loop() -> None:
    with pytest.raises(DataError, match="no field"):
        finding(spring(), counters=("week",))
    with pytest.raises(DataError, match="has no counters"):
        prove(Property("p", "invariant", "health >= 0", counters=("day",)), Scene(spring(), spring().start))


def test_a_note_is_read_in_both_languages() -> None:
    from monjudge.verify.question import FORMAT, read_properties

    entry = {"id": "p", "kind": "loop", "en": "E.", "ja": "J。", "note": {"ja": "注意", "en": "Mind."}}
    assert read_properties(json.dumps({"format": FORMAT, "properties": [entry]}))[0].note == ("Mind.", "注意")
