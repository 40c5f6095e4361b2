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
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Finding, Limits, Vacuous, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck

LIMITS = Limits(seconds=2, states=300, lines=5)
FEW, MANY = range(10), range(10, 200)
NEVER_REFUTED = ("termination", "firing")
"""No line of play shows a fault of these kinds."""

seeds = pytest.mark.parametrize("seeds", [FEW, pytest.param(MANY, marks=pytest.mark.slow)], ids=["few", "many"])


@seeds
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_said_of_a_machine_is_so(kind: str, seeds: range) -> None:
    told = Counter(judged(claim(kind, seed), seed) for seed in seeds)
    assert told[Verdict.YES] + told[Verdict.NO] >= len(seeds) // 20, told
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
    for seed, kind, number in itertools.product(seeds, PROVED, range(3)):
        scene, prop = machine(seed), replace(claim(kind, seed), lemmas=(), settled=False)
        r = Random(f"made up {kind} {seed} {number}")
        prop = replace(prop, formula="false") if prop.formula != "true" and r.random() < 0.3 else prop
        try:
            recheck(Evidence.from_json(made_up(prop, scene, r).to_json()), scene, 1)
        except (Refused, LimitReached):
            continue
        accepted[kind] += 1
        assert Claim(prop, searched(seed)).agrees(True), (prop, number)
    assert accepted.total() >= len(seeds), accepted
    assert seeds is FEW or all(accepted[kind] for kind in PROVED), accepted


def made_up(prop: Property, scene: Scene, r: Random) -> Evidence:
    """A proof of the claim from invariants that may be none, and of steps that use whatever there is."""
    rules, premise, text = scene.rules, prop.premise, prop.formula
    text = premise if prop.kind in OF_PREMISE else f"not (({premise}) and ({text}))" if prop.kind == "unreachable" else f"not ({premise}) or ({text})"
    others = [claim("invariant", number).formula for number in range(40)]
    can_be_read = [other for other in others if "board" in rules.family_named or "board" not in other]
    invariants = [r.choice((*can_be_read, "false", "false")) for _ in range(r.randint(0, 2))]
    if prop.kind in ("invariant", "unreachable") and r.random() < 0.8:
        invariants.append(text)
    share, names = r.choice((0.3, 0.8, 1)), [*_grounds(rules), *(f"invariant {n}" for n in range(len(invariants)))]
    used = {step: [name for name in names if r.random() < share] for step in _steps(rules)}
    used["deadlock"] = [*used["deadlock"], *_moves(rules)]
    for trigger in rules.triggers:
        if r.random() < 0.5 and trigger.effects:
            way = f"{r.choice(trigger.effects).family.name} {r.choice(('up', 'down'))}"
            used[f"quiet {trigger.id}"] = [way, *(f"{word} {t.id}" for word in ("after", "when") for t in rules.triggers if r.random() < share), *names]
    among_and_apart = {"among": list(prop.among), "apart": [list(pair) for pair in prop.apart], "left": prop.left}
    asked = {"property": prop.id, "question": "holds", "kind": prop.kind, "formula": text, "on": prop.on, "measure": list(prop.measure)}
    given = {"given": repr(scene.given), "free": sorted(scene.free), "start": list(scene.start)}
    certificate = {"invariants": invariants, "settled": r.random() < 0.3, "used": used}
    bounds = {"players": rules.players, **scene.bounds}
    return Evidence({**asked, **given, **among_and_apart}, content_hash(rules), "nobody", bounds, (), certificate)


def _grounds(rules: RuleSet) -> Iterator[str]:
    """What a step may say that it used."""
    conditions = ["GAME.turn", "GAME.over", *(c.id for a in rules.actions for c in a.clauses)]
    yield from ("settled", "at rest 0", "limit", "within", "never both", *conditions)
    yield from (f"idle {t.id}" for t in rules.triggers)
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
