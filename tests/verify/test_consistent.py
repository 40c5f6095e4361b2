"""Sentences of a made-up text, taken literally: those that contradict one another are found, those that do not are not."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import Any

import pytest

from monjudge.model.language import FALSE, Game, RuleSet, gain, primed
from monjudge.model.notation.defects import DataError
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.cpsat import Query
from monjudge.solvers.verdict import Verdict
from monjudge.verify import consistent
from monjudge.verify.prove import Finding, Limits, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import Rechecked, recheck


def jar() -> RuleSet:
    """A jar of at most six marbles to which one or two are added, and what its text says of it."""
    g = Game("jar", players=2)
    marbles, shut = g.field("marbles", values=range(7)), g.field("shut", values=bool)
    add = g.action("add", by=0)
    number = add.param("number", range(1, 3))
    add.clause("JAR.add", marbles + number <= 6)
    add.effect(gain(marbles, number))
    say = g.norm
    say("ONE", "obligation", number == 1, on="add")
    say("TWO", "obligation", number == 2, on="add", scope=marbles > 3)
    say("LITTLE", "obligation", number <= marbles, on="add")
    say("SHUT", "prohibition", shut, on="add")
    say("MAY", "permission", shut & (number == 1), on="add")
    say("MAY-ONE", "permission", number == 1, on="add")
    say("GROWS", "effect", primed(marbles) == marbles + number, on="add")
    say("FULL", "effect", primed(marbles) <= 3, on="add")
    say("LEFT", "definition", marbles <= 2)
    say("RIGHT", "definition", marbles + number >= 1, on="add")
    say("NEVER", "obligation", FALSE, on="add")
    say("A", "definition", marbles >= 2)
    say("B", "definition", marbles <= 4)
    say("C", "definition", (marbles <= 1) | (marbles >= 5) | shut)
    say("D", "definition", ~shut)
    return g.build()


def finding(*among: str, on: str = "add", premise: str = "true") -> Finding:
    rules = jar()
    return prove(Property("p", "consistent", on=on, among=among, premise=premise), Scene(rules, rules.start), Limits(seconds=20))


CASES = {
    "two demands": (("ONE", "LITTLE"), ("ONE", "TWO"), "marbles == 4"),
    "a demand and a prohibition": (("ONE", "SHUT"), ("ONE", "SHUT", "TWO"), "marbles == 5"),
    "a permission": (("MAY-ONE", "SHUT"), ("MAY", "SHUT"), "not shut or marbles == 1"),
    "effects": (("GROWS", "FULL"), ("GROWS", "FULL", "TWO"), "marbles > 1"),
    "a sentence by itself": (("RIGHT",), ("NEVER",), "true"),
}  # fmt: skip


@pytest.mark.parametrize("good, bad, premise", CASES.values(), ids=CASES)
def test_what_can_be_followed_is_shown_and_so_is_what_cannot(good: tuple[str, ...], bad: tuple[str, ...], premise: str) -> None:
    scene = Scene(jar(), jar().start)
    given = "not shut" if "MAY-ONE" in good else "true"
    kept, broken = finding(*good, premise=given), finding(*bad, premise=premise)
    assert (kept.verdict, broken.verdict) == (Verdict.YES, Verdict.NO)
    for found in (kept, broken):
        assert found.evidence is not None
        recheck(Evidence.from_json(found.evidence.to_json()), scene)


def test_the_core_has_no_sentence_that_is_superfluous() -> None:
    found = finding("A", "B", "C", "D", "LEFT", on="", premise="marbles != 2 or shut or true")
    assert found.verdict is Verdict.NO and found.evidence is not None
    norms = jar().norms
    core = [norms[n].id for n in found.evidence.certificate["norms"]]
    assert core == ["A", "C", "D", "LEFT"] or core == ["A", "B", "C", "D"]
    assert found.why.en.startswith(f"each of {', '.join(core)} can be followed")
    assert finding("A", "B", "C", on="").verdict is finding("B", "C", "D", on="").verdict is Verdict.YES


def test_sentences_that_never_meet_are_undecided() -> None:
    assert finding("ONE", "TWO", premise="marbles == 0").verdict is Verdict.UNKNOWN
    assert finding("MAY", "SHUT", premise="not shut").verdict is Verdict.UNKNOWN


def test_a_permission_that_is_wholly_allowed_is_proved_by_both_engines() -> None:
    found = finding("MAY-ONE", "SHUT", premise="not shut")
    assert found.evidence is not None
    assert recheck(found.evidence, Scene(jar(), jar().start)) == Rechecked(implications=1)


def test_a_sentence_or_an_act_that_there_is_not_is_told() -> None:
    for among, said in ((("ONE", "THREE"), "'THREE' is not known"), ((), "too few sentences")):
        with pytest.raises(DataError, match=said):
            finding(*among)
    with pytest.raises(DataError, match="'ONE' is not known"):
        finding("ONE", on="")


def test_evidence_of_a_contradiction_that_is_none_is_refused() -> None:
    found = finding("ONE", "TWO", premise="marbles == 4")
    assert found.evidence is not None
    scene, certificate = Scene(jar(), jar().start), found.evidence.certificate
    shown = [[[4, 0], 0, [9], [4, 0]], certificate["shown"][1]]
    changes: list[dict[str, Any]] = [
        {"claim": {**found.evidence.claim, "formula": "marbles == 1"}}, {"claim": {**found.evidence.claim, "among": ["ONE", "LITTLE"]}},
        {"claim": {**found.evidence.claim, "question": "consistent"}}, {"certificate": {**certificate, "norms": certificate["norms"][:1]}},
        {"certificate": {**certificate, "shown": shown}}, {"certificate": {**certificate, "shown": []}},
    ]  # fmt: skip
    for change in changes:
        with pytest.raises(Refused):
            recheck(dataclasses.replace(found.evidence, **change), scene)


@pytest.mark.parametrize(("engine", "fault"), [
    (consistent.Literal, lambda whole: lambda self, given, wanted=(): () if wanted else whole(self, given, wanted)),
    (Query, lambda whole: lambda self, truth: whole(self, self.terms.negate(truth)))])  # fmt: skip
def test_a_fault_in_one_engine_gives_no_wrong_verdict(engine: Any, fault: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    method = "possible" if engine is consistent.Literal else "require"
    monkeypatch.setattr(engine, method, fault(getattr(engine, method)))
    for among, premise, verdict in ((("ONE", "TWO"), "marbles == 4", Verdict.NO), (("ONE", "LITTLE"), "true", Verdict.YES)):
        with contextlib.suppress(Refused):
            assert finding(*among, premise=premise).verdict in (verdict, Verdict.UNKNOWN)
