"""Sentences that are written twice say the same, however they are put; a small difference is shown by a situation."""

from __future__ import annotations

import dataclasses

import pytest

from monjudge.model.language import Game, RuleSet, gain, primed
from monjudge.model.notation.defects import DataError
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Finding, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import Rechecked, recheck


def jar() -> RuleSet:
    """A jar to which one or two marbles are added, and what is said of it more than once."""
    g = Game("jar", players=2)
    marbles = g.field("marbles", values=range(7))
    add = g.action("add", by=0)
    number = add.param("number", range(1, 3))
    add.effect(gain(marbles, number))
    say = g.norm
    say("ONCE", "obligation", marbles + number <= 6, on="add")
    say("AGAIN", "obligation", number <= 6 - marbles, on="add")
    say("NEARLY", "obligation", number <= 5 - marbles, on="add")
    say("GROWS", "effect", primed(marbles) == marbles + number, on="add")
    say("COPY", "effect", primed(marbles) == marbles + number, on="add")
    say("NEVER-LESS", "effect", primed(marbles) > marbles, on="add")
    say("LATE", "obligation", number == 1, on="add", scope=marbles > 3)
    say("LATE-TOO", "obligation", number + marbles == marbles + 1, on="add", scope=~(marbles <= 3))
    say("LATER", "obligation", number == 1, on="add", scope=marbles > 4)
    say("TWICE", "obligation", marbles + number <= 6, on="add")
    say("TWICE", "definition", marbles <= 6)
    say("BANS", "prohibition", marbles + number > 6, on="add")
    return g.build()


SCENE = Scene(jar(), jar().start)


def finding(*among: str) -> Finding:
    return prove(Property("p", "same", among=among), SCENE)


@pytest.mark.parametrize(("good", "bad"), [
    (("ONCE", "AGAIN"), ("ONCE", "NEARLY")), (("GROWS", "COPY"), ("GROWS", "NEVER-LESS")), (("LATE", "LATE-TOO"), ("LATE", "LATER")),
    (("ONCE", "AGAIN"), ("ONCE", "TWICE")), (("ONCE", "AGAIN"), ("ONCE", "BANS"))])  # fmt: skip
def test_what_says_the_same_is_proved_and_what_does_not_is_told_apart(good: tuple[str, str], bad: tuple[str, str]) -> None:
    kept, broken = finding(*good), finding(*bad)
    assert (kept.verdict, broken.verdict) == (Verdict.YES, Verdict.NO)
    for found in (kept, broken):
        assert found.evidence is not None
        recheck(Evidence.from_json(found.evidence.to_json()), SCENE)


def test_another_way_to_put_it_takes_a_proof_and_the_same_expression_takes_none() -> None:
    other, own = finding("ONCE", "AGAIN").evidence, finding("GROWS", "COPY").evidence
    assert other is not None and own is not None
    assert (recheck(other, SCENE), recheck(own, SCENE)) == (Rechecked(implications=2), Rechecked())


def test_evidence_about_other_sentences_is_refused() -> None:
    good, bad = finding("ONCE", "AGAIN").evidence, finding("ONCE", "NEARLY").evidence
    assert good is not None and bad is not None
    pairs = [[norm, 2] for norm, _ in good.certificate["pairs"]]
    for wrong in (
        dataclasses.replace(good, claim={**good.claim, "among": ["ONCE", "NEARLY"]}), dataclasses.replace(good, certificate={"pairs": []}),
        dataclasses.replace(good, claim={**good.claim, "among": ["ONCE", "NEARLY"]}, certificate={"pairs": [*pairs, [2, 0]]}),
        dataclasses.replace(bad, claim={**bad.claim, "among": ["ONCE", "AGAIN"]}), dataclasses.replace(bad, certificate={**bad.certificate, "apart": []}),
    ):  # fmt: skip
        with pytest.raises(Refused):
            recheck(wrong, SCENE)


def test_there_must_be_two_sentences_that_are_known() -> None:
    for among, said in ((("ONCE",), "too few"), (("ONCE", "THRICE"), "not known")):
        with pytest.raises(DataError, match=said):
            finding(*among)
