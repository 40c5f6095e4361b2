"""What is carried over from one proof to another is what stays true: rules that differ in one place, asked with it and without."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from monjudge.model.language import Game, gain, ite, put
from monjudge.model.properties import Scene
from monjudge.solvers.verdict import Verdict
from monjudge.verify.carried import carried
from monjudge.verify.outcome import Vacuous
from monjudge.verify.prove import Finding, Limits, prove
from monjudge.verify.question import Property

LIMITS = Limits(seconds=2, states=50, lines=2)
CHOICES = 6

PROPERTIES = (
    Property("kept", "invariant", "cell[0] + cell[1] <= 3"),
    Property("helped", "invariant", "cell[0] < 2", lemmas=("cell[1] < 2",)),
    Property("rest", "invariant", "cell[0] != 2 or not lamp", settled=True),
    Property("rising", "step", "next cell[0] >= cell[0]"),
    Property("just", "move", "next cell[1] <= 1", on="one", premise="lamp"),
    Property("allowed", "legal", premise="k == 0 and lamp", on="two", settled=True),
    Property("goes_on", "deadlock", settled=True),
    Property("fires", "firing", "next cell[0] <= cell[0]"),
    Property("falls", "termination", measure=("cell[0] + 3 * cell[1]",)),
    Property("stays", "constant", measure=("cell[0] + cell[1]",)),
)


def scene(choices: Sequence[int]) -> Scene:
    """Two actions and two triggers on two cells and a lamp; each number chooses one part of them."""
    g = Game("machine", players=1)
    cell, lamp = g.field("cell", 2, values=range(3)), g.field("lamp", values=bool)
    guards = [lambda k: cell[k] < 2, lambda k: cell[k] > 0, lambda k: lamp, lambda k: ~lamp, lambda k: cell[0] != cell[1], lambda k: cell[1] == 0]
    deeds = [lambda k: gain(cell[k], 1), lambda k: gain(cell[k], -1), lambda k: put(lamp, True), lambda k: put(lamp, False), lambda k: put(cell[k], cell[1]),
             lambda k: put(cell[k], ite(lamp, 1, cell[k]))]  # fmt: skip
    part = iter(choices)
    one = g.action("one", by=0)
    one.clause("MACHINE.a", guards[next(part)](0))
    one.clause("MACHINE.b", guards[next(part)](1))
    one.effect(deeds[next(part)](0), deeds[next(part)](1))
    two = g.action("two", by=0)
    k = two.param("k", range(2))
    two.clause("MACHINE.c", guards[next(part)](k))
    two.effect(deeds[next(part)](k))
    g.trigger("MACHINE.d", guards[next(part)](1), [deeds[next(part)](0)])
    g.trigger("MACHINE.e", lambda n: guards[which](n), lambda n: [deeds[what](n)], over=(2,)) if (which := next(part)) + (what := next(part)) else None
    g.trigger("MACHINE.f", guards[next(part)](0), [deeds[next(part)](0)])
    g.over(guards[next(part)](1))
    rules = g.build()
    first = next(part)
    return Scene(rules, (first % 3, first // 2, first % 2))


PARTS = 14


def asked(prop: Property, at: Scene, known: dict[str, tuple[str, ...]] | None = None) -> Finding | None:
    try:
        return prove(prop, at, LIMITS, carried=known)
    except Vacuous:
        return None


@pytest.mark.parametrize("prop", PROPERTIES, ids=lambda p: p.id)
def test_a_proof_with_what_is_carried_over_says_what_one_from_the_beginning_says(prop: Property) -> None:
    chance, seen = random.Random(prop.id), Counter[str]()
    while seen["carried"] < 25 or seen["broken"] < 6:
        choices = [chance.randrange(CHOICES) for _ in range(PARTS)]
        there = scene(choices)
        found = asked(prop, there)
        seen["tried"] += 1
        assert seen["tried"] < 1000, seen
        if found is None or found.evidence is None or found.evidence.claim["question"] != "holds":
            continue
        told, used = found.evidence.certificate, found.evidence.certificate["used"]
        for part in range(PARTS):
            other = [chance.randrange(CHOICES) if n == part else choice for n, choice in enumerate(choices)]
            here = scene(other)
            known = carried(prop, told, there, here)
            assert other != choices or known in ({}, {step: tuple(names) for step, names in used.items()})
            if not known or other == choices:
                continue
            with_it, without = asked(prop, here, known), asked(prop, here)
            assert (with_it and with_it.verdict) == (without and without.verdict), (choices, other, known)
            seen["carried"] += 1
            seen["broken"] += without is None or without.verdict is not Verdict.YES
