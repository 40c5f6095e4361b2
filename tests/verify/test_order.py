"""Order independence, conserved numbers and bounds that are never hit: each proved, and a planted fault reached."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from monjudge.model.language import Game, Move, RuleSet, gain, minimum, put
from monjudge.model.notation.defects import DataError
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.smt import Symbolic
from monjudge.solvers.verdict import Verdict
from monjudge.verify import commute
from monjudge.verify.outcome import Vacuous
from monjudge.verify.prove import Finding, Limits, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck


def market(fault: str = "") -> RuleSet:
    """Two players fill baskets of their own from stalls of their own, both at once; a shared bell rings by itself.

    With a ``fault`` one rule of it is not as it is to be.
    """
    g = Game("market", players=2)
    stall, basket = g.field("stall", 2, values=range(4), init=3), g.field("basket", 2, values=range(6))
    done, bell, till = g.field("done", 2, values=bool), g.field("bell", values=bool), g.field("till", values=range(3))
    take = g.action("take")
    much = take.param("much", range(1, 3))
    owner = 0 if fault == "one stall for all" else take.me
    take.clause("MARKET.take", ~done[take.me] & (stall[owner] >= much))
    take.effect(gain(stall[owner], -much), gain(basket[take.me], much if fault != "counts double" else 2))
    stop = g.action("stop")
    stop.clause("MARKET.stop", ~done[stop.me])
    stop.effect(put(done[stop.me], True))
    ring = g.action("ring")
    ring.clause("MARKET.ring", ~bell & ~done[ring.me])
    ring.effect(put(bell, True))
    g.trigger("MARKET.late", bell & ~done[0], [put(done[0], True)])
    g.trigger("MARKET.fee", bell & (till == 0), [put(till, 2 if fault != "the later fee counts" else 1)])
    g.trigger("MARKET.tax", bell & (till == 0), [put(till, 2)])
    g.over(done[0] & done[1])
    return g.build()


def scene(rules: RuleSet) -> Scene:
    return Scene(rules, rules.start)


def finding(prop: Property, rules: RuleSet, **limits: Any) -> Finding:
    return prove(prop, scene(rules), Limits(**{"seconds": 30, "states": 3000, **limits}))


TAKES = Property("p", "commute", among=("take", "stop"))
TILL = Property("p", "confluence")
GOODS = Property("p", "constant", measure=("sum p in 0..1: stall[p] + basket[p]",))
ROOM = Property("p", "limit", lemmas=("all p in 0..1: stall[p] + basket[p] == 3",))


@pytest.mark.parametrize(
    ("prop", "fault"), [(TAKES, "one stall for all"), (TILL, "the later fee counts"), (GOODS, "counts double"), (ROOM, "counts double")],
)  # fmt: skip
def test_what_holds_is_proved_twice_and_the_planted_fault_is_reached(prop: Property, fault: str) -> None:
    good = finding(prop, market())
    bad = finding(dataclasses.replace(prop, lemmas=()), market(fault))
    assert (good.verdict, bad.verdict) == (Verdict.YES, Verdict.NO)
    assert good.evidence is not None and bad.evidence is not None
    assert recheck(Evidence.from_json(good.evidence.to_json()), scene(market())).implications >= 1
    assert recheck(Evidence.from_json(bad.evidence.to_json()), scene(market(fault))).moves >= len(bad.evidence.witness)


def test_the_pair_that_does_not_commute_is_shown_with_both_ends_and_may_be_set_apart() -> None:
    found = finding(Property("p", "commute", among=("take", "ring")), market())
    assert found.verdict is Verdict.NO and found.evidence is not None
    one, two = found.evidence.claim["pair"]
    assert "ring" in (one[0], two[0]) and found.evidence.claim["ends"][0] != found.evidence.claim["ends"][1]
    apart = (("take", "ring"), ("ring", "ring"))
    assert finding(Property("p", "commute", among=("take", "ring"), apart=apart), market()).verdict is Verdict.YES


def test_moves_that_are_never_legal_together_make_the_claim_empty() -> None:
    g = Game("in turn", players=2)
    turn, n = g.field("turn", values=range(2)), g.field("n", values=range(4))
    up = g.action("up", by=turn)
    up.effect(put(turn, 1 - turn), put(n, minimum(3, n + 1)))
    g.over(n == 3)
    with pytest.raises(Vacuous):
        finding(Property("p", "commute"), g.build())


def test_a_bound_that_is_a_clause_of_the_model_is_hit_where_nothing_else_forbids_the_move() -> None:
    g = Game("pile", players=1)
    height = g.field("height", values=range(3))
    lay = g.action("lay", by=0)
    lay.clause("PILE.lay", height < 2, kind="limit")
    lay.effect(gain(height, 1))
    found = finding(Property("p", "limit"), g.build())
    assert found.verdict is Verdict.NO and found.evidence is not None
    assert found.evidence.witness == (Move("lay", 0),) * 3


def test_evidence_of_an_order_that_does_not_matter_or_of_no_bound_is_refused() -> None:
    rules = market("one stall for all")
    found = finding(TAKES, rules).evidence
    assert found is not None
    for claim in ({"pair": [["stop", 0], ["stop", 1]]}, {"apart": [["take", "take"], ["take", "stop"]]}, {"ends": []}):
        with pytest.raises(Refused):
            recheck(dataclasses.replace(found, claim={**found.claim, **claim}), scene(rules))
    hit = finding(Property("p", "limit"), market("counts double")).evidence
    assert hit is not None
    with pytest.raises(Refused, match="can be made"):
        recheck(dataclasses.replace(hit, witness=(Move("take", 0, (1,)),)), scene(market("counts double")))


def test_a_fault_in_the_translation_that_hides_a_conflict_is_caught_by_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commute, "same", lambda term: None)
    monkeypatch.setattr(Symbolic, "conditions", lambda self, *move: [])
    with pytest.raises(Refused, match="CP-SAT finds a counterexample: pair"):
        finding(TAKES, market("one stall for all"))


@pytest.mark.parametrize("prop", [
    Property("p", "commute", among=("fly",)), Property("p", "confluence", apart=(("take", "stop"),)),
    Property("p", "constant"), Property("p", "invariant", among=("take",)), Property("p", "limit", formula="bell"),
])  # fmt: skip
def test_what_a_kind_does_not_ask_or_know_may_not_be_written(prop: Property) -> None:
    with pytest.raises(DataError):
        finding(prop, market())
