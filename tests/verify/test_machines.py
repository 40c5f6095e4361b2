"""Whatever the prover says of small random machines is so, by looking at every state; and so is whatever is accepted as evidence."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from machines import KINDS, claim, machine
from searched import Claim, Searched, searched

from monjudge.model.language import NATURE, Game, LimitReached, Move, RuleSet, gain, put
from monjudge.model.language.export import content_hash
from monjudge.model.properties import Scene, Setting
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.flips import answer
from monjudge.verify.prove import Finding, Limits, Vacuous, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck

LIMITS = Limits(seconds=2, states=300, lines=5)
FEW, MANY = range(5), range(5, 125)
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
    times = 1 if kind in LONG else 8 if kind in SELDOM and seeds is FEW else 3
    asked = range(times * seeds.start, times * seeds.stop)
    told = Counter(judged(claim(kind, seed), seed) for seed in asked)
    assert told[Verdict.YES] + told[Verdict.NO] >= max(1, len(asked) // (40 if kind in SELDOM else 8)), told
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
OF_EVERY_STATE = ("firing", "confluence")
"""With invariants a proof of these would be about less: about the states in which they hold."""

OF_PREMISE = ("legal", "deadlock", "termination", "limit", "commute")


@seeds
@pytest.mark.parametrize("kind", PROVED)
def test_a_proof_that_is_made_up_is_refused_or_what_it_claims_is_so(kind: str, seeds: range) -> None:
    accepted = 0
    for seed, number in itertools.product(range(4 * seeds.start, 4 * seeds.stop), range(2)):
        prop, r = claim(kind, seed, number), Random(f"made up {kind} {seed} {number}")
        prop = replace(prop, lemmas=(), settled=False, formula="false" if prop.formula != "true" and r.random() < 0.2 else prop.formula)
        try:
            recheck(Evidence.from_json(made_up(prop, seed, r).to_json()), machine(seed), 1)
        except (Refused, LimitReached):
            continue
        accepted += 1
        assert Claim(prop, searched(seed)).agrees(True), prop
    assert accepted >= max(1, len(seeds) // 4), accepted


def made_up(prop: Property, seed: int, r: Random) -> Evidence:
    """A proof of the claim from invariants that may be none, and of steps that use whatever there is."""
    scene, premise, text = machine(seed), prop.premise, prop.formula
    rules = scene.rules
    text = premise if prop.kind in OF_PREMISE else f"not (({premise}) and ({text}))" if prop.kind == "unreachable" else f"not ({premise}) or ({text})"
    invariants = ["false"] * (r.random() < 0.2) + [claim("invariant", seed, r.randrange(99)).formula for _ in range(r.choice((0, 0, 1, 2)))]
    if prop.kind in OF_EVERY_STATE:
        invariants = []
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


# -- what was found by such machines --------------------------------------------------------------


def never_fires_within_bounds() -> tuple[RuleSet, Property]:
    """CP-SAT was not told that a firing passes no bound where it writes nothing that the claim reads."""
    g = Game("full", players=1)
    level, lamp = g.field("level", values=range(3)), g.field("lamp", values=bool)
    g.action("switch", by=0).effect(put(lamp, True))
    g.trigger("FULL.1", level == 2, [gain(level, 1)])
    return g.build(), Property("p", "firing", "not lamp")


def a_lemma_with_a_variable_of_its_own() -> tuple[RuleSet, Property]:
    """Spacer gave a formula with a variable bound in it, and the run ended with an error."""
    g = Game("bound", players=2)
    cell, lamp = g.field("cell", 2, values=range(4)), g.field("lamp", values=bool)
    g.field("turn", values=range(2))
    board = g.field("board", values=range(3), config=True)
    g.action("fill").effect(put(cell[1], 2))
    light = g.action("light", by=1)
    k = light.param("k", range(2))
    light.clause("BOUND.light", cell[1] < cell[k])
    light.effect(put(lamp, (board == cell[k]) | ~lamp), put(cell[k], 2))
    g.over(lamp)
    return g.build(), Property("p", "unreachable", "lamp and cell[1] == turn")


@pytest.mark.parametrize(("made", "verdicts"), [
    (never_fires_within_bounds, {Verdict.YES}), (a_lemma_with_a_variable_of_its_own, {Verdict.YES, Verdict.NO, Verdict.UNKNOWN}),
])  # fmt: skip
def test_what_was_found_once_stays_right(made: Callable[[], tuple[RuleSet, Property]], verdicts: set[Verdict]) -> None:
    rules, prop = made()
    scene = Scene(rules, rules.start)
    found = prove(prop, scene, LIMITS).verdict
    assert found in verdicts
    assert found is Verdict.UNKNOWN or Claim(prop, Searched(scene)).agrees(found is Verdict.YES)


def test_a_last_move_that_cannot_be_made_is_shown_under_its_reading_and_not_under_the_other() -> None:
    """The line was taken down as one whose moves can all be made, and the run ended with an error."""
    tank = Setting("tank", plugin=str(Path(__file__).with_name("overfull.py")))
    found = answer(Property("p", "limit"), tank, LIMITS)
    assert found.found.verdict is Verdict.NO
    assert [({*flip.readings}, flip.verdict) for flip in found.flips] == [({("LID", "SHUT")}, Verdict.YES)]
