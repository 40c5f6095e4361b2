"""Whatever the prover says of small random machines is so, by looking at every state; and so is whatever is accepted as evidence."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from machines import KINDS, claim, machine
from searched import Claim, searched

from monjudge.model.language import NATURE, LimitReached, Move, RuleSet
from monjudge.model.language.export import content_hash
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Finding, Limits, Vacuous, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck

LIMITS = Limits(seconds=2, states=300, lines=5)
FEW, MANY = range(8), range(8, 160)
LONG = ("invariant", "unreachable", "reachable", "explore", "step", "move")
"""Kinds of which a question takes longer than of the others, so that fewer are asked."""

SELDOM = ("termination", "commute")
"""A measure that falls and moves that commute are seldom met by chance."""

NEVER_REFUTED = ("termination", "firing")
"""No line of play shows a fault of these kinds."""

seeds = pytest.mark.parametrize("seeds", [FEW, pytest.param(MANY, marks=pytest.mark.slow)], ids=["few", "many"])


@seeds
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_said_of_a_machine_is_so(kind: str, seeds: range) -> None:
    times = 1 if kind in LONG else 3
    asked = range(times * seeds.start, times * seeds.stop)
    told = Counter(judged(claim(kind, seed), seed) for seed in asked)
    assert told[Verdict.YES] + told[Verdict.NO] >= len(asked) // (40 if kind in SELDOM else 8), told
    if seeds is MANY:
        assert told[Verdict.YES] and (told[Verdict.NO] or kind in NEVER_REFUTED), told


def judged(prop: Property, seed: int) -> Verdict | None:
    """The verdict on a claim about a machine, which is right, and whose evidence is good; None where nothing is claimed."""
    whole, of = Claim(prop, searched(seed)), searched(seed)
    try:
        found = prove(prop, of.scene, LIMITS)
    except Vacuous:
        assert not whole.is_met(), prop
        return None
    if found.verdict is not Verdict.UNKNOWN:
        assert whole.agrees(found.verdict is Verdict.YES), (prop, found.verdict, found.why.en)
        assert found.evidence is not None
        recheck(Evidence.from_json(found.evidence.to_json()), of.scene)
    _lines_are_as_short_as_is_told(whole, found)
    return found.verdict


def _lines_are_as_short_as_is_told(whole: Claim, found: Finding) -> None:
    if found.evidence is not None and "shortest" in found.bounds:
        assert whole.shortest([tuple(found.evidence.claim["from"])]) == found.bounds["shortest"], found
    if "plies" in found.bounds:
        nearest = whole.shortest(state for state, far in whole.all.reached.items() if not far)
        assert nearest is None or nearest > found.bounds["plies"], found


# -- proofs that somebody made up -----------------------------------------------------------------

PROVED = ("invariant", "unreachable", "step", "move", "legal", "deadlock", "constant", "termination", "limit", "commute", "firing", "confluence", "fact")
OF_PREMISE = ("legal", "deadlock", "termination", "limit", "commute")


@seeds
def test_a_proof_that_is_made_up_is_refused_or_what_it_claims_is_so(seeds: range) -> None:
    accepted = Counter[str]()
    for seed, kind, number in itertools.product(seeds, PROVED, range(6)):
        prop, r = claim(kind, seed, number), Random(f"made up {kind} {seed} {number}")
        prop = replace(prop, lemmas=(), settled=False, formula="false" if prop.formula != "true" and r.random() < 0.2 else prop.formula)
        try:
            recheck(Evidence.from_json(made_up(prop, seed, r).to_json()), machine(seed), 1)
        except (Refused, LimitReached):
            continue
        accepted[kind] += 1
        assert Claim(prop, searched(seed)).agrees(True), (prop, number)
    assert accepted.total() >= len(seeds), accepted
    assert seeds is FEW or all(accepted[kind] for kind in PROVED), accepted


def made_up(prop: Property, seed: int, r: Random) -> Evidence:
    """A proof of the claim from invariants that may be none, and of steps that use whatever there is."""
    scene, premise, text = machine(seed), prop.premise, prop.formula
    rules = scene.rules
    text = premise if prop.kind in OF_PREMISE else f"not (({premise}) and ({text}))" if prop.kind == "unreachable" else f"not ({premise}) or ({text})"
    invariants = ["false"] * (r.random() < 0.2) + [claim("invariant", seed, r.randrange(99)).formula for _ in range(r.choice((0, 0, 1, 2)))]
    if prop.kind in ("invariant", "unreachable") and r.random() < 0.8:
        invariants.append(text)
    share, resting = r.choice((0.5, 1, 1)), r.random() < 0.3
    names = [*_grounds(rules), *(f"invariant {n}" for n in range(len(invariants))), *(f"idle {t.id}" for t in rules.triggers if resting)]
    used = {step: [name for name in names if r.random() < share] for step in _steps(rules)}
    used["deadlock"] += _moves(rules)
    for trigger in r.sample(rules.triggers, len(rules.triggers)) if resting else ():
        fields = sorted({e.family.name for e in trigger.effects}) or ["lamp"]
        told = [f"{r.choice(fields)} {r.choice(('up', 'down'))}", *(f"when {t.id}" for t in rules.triggers), *names]
        earlier = [step.removeprefix("quiet ") for step in used if step.startswith("quiet ")]
        used[f"quiet {trigger.id}"] = [*told, *(f"after {id}" for id in earlier if r.random() < share)]
    settled = resting and (prop.kind in ("invariant", "unreachable") or r.random() < 0.1)
    claimed = {"property": prop.id, "question": "holds", "kind": prop.kind, "formula": text, "on": prop.on, "measure": list(prop.measure),
               "among": list(prop.among), "apart": [], "left": prop.left}  # fmt: skip
    given = {"given": repr(scene.given), "free": sorted(scene.free), "start": list(scene.start)}
    bounds = {"players": rules.players, **scene.bounds}
    certificate = {"invariants": invariants, "settled": settled, "used": used}
    return Evidence({**claimed, **given}, content_hash(rules), "nobody", bounds, (), certificate)


def _grounds(rules: RuleSet) -> Iterator[str]:
    """What a step may say that it used."""
    conditions = ["GAME.turn", "GAME.over", *(c.id for a in rules.actions for c in a.clauses)]
    yield from ("settled", "at rest 0", "limit", "within", "never both", *conditions)
    yield from (f"{me} {id}" for me in range(rules.players) for id in conditions)


def _steps(rules: RuleSet) -> Iterator[str]:
    """The steps that a proof may consist of."""
    firings = [f"trigger {t.id}{[n] if t.loops else ''}" for t in rules.triggers for n in range(2 if t.loops else 1)]
    moves = [f"{a.name} {me}" for a in rules.actions for me in range(rules.players)]
    yield from ("start", "fact", "reflexive", "transitive", "deadlock", "at rest 0", *firings, *(f"left by {firing}" for firing in firings))
    yield from (f"{step} {a.name}" for a in rules.actions for step in ("action", "left by action", "move", "legal"))
    yield from (f"pair {one}, {other}" for each in (firings, moves) for one, other in itertools.product(each, each))


def _moves(rules: RuleSet) -> Iterator[str]:
    for a in rules.actions:
        for me, *args in itertools.product([NATURE] if a.is_chance else range(rules.players), *(p.values for p in a.params)):
            yield json.dumps([*Move(a.name, me)[:2], *args])
