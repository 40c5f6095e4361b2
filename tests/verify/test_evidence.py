"""Evidence stands on the rules and not on their names; what was tampered with is refused, or still true."""

from __future__ import annotations

import dataclasses
import json
import random
import re
from typing import Any

import pytest

from monjudge.model.games import WITH_SCENES
from monjudge.model.language import TRUE, LimitReached, evaluate, parse_expr
from monjudge.model.language.export import to_data
from monjudge.model.language.load import from_json
from monjudge.model.properties import Scene, Setting
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.verify.prove import Limits, prove
from monjudge.verify.question import Property, read_properties
from monjudge.verify.recheck import recheck

LIMITS = Limits(seconds=60, states=300, lines=5)


def renamed(scene: Scene) -> tuple[Scene, Any]:
    """The scene with other names for every field, action, parameter, clause and trigger; and what renames a text."""
    data = to_data(dataclasses.replace(scene.rules, symmetries=(), monotone=(), norms=(), measures=()))
    named = [*data["fields"], *data["actions"]]
    free = {node[3] for node in data["nodes"] if node[0] == "var" and node[3] not in ("me", "viewer") and not re.fullmatch(r"[a-z]\d+", node[3])}
    # The export stands in the order of names, which is kept.
    new = {name: f"new{n:03}_{name[::-1]}_" for n, name in enumerate(sorted({entry["name"] for entry in named} | free))}
    for entry in named:
        entry["name"] = new[entry["name"]]
    for node in data["nodes"]:
        if node[0] == "var":
            node[3] = new.get(node[3], node[3])
    clauses = [*(clause for action in data["actions"] for clause in action["clauses"]), *data["triggers"]]
    for n, clause in enumerate(clauses):
        clause["id"] = f"C{n}"
    data["visible"] = {new[name]: seen for name, seen in data["visible"].items()}
    if data["turns"] is not None:
        data["turns"]["segments"] = {new[name]: part for name, part in data["turns"]["segments"].items()}
    for group in data["simultaneous"]:
        group |= {part: [new[name] for name in group[part]] for part in ("actions", "hidden")}
    if "pieces" in data:
        data["pieces"] = {part: {new[name]: kinds for name, kinds in where.items()} for part, where in data["pieces"].items()}
    if scene.given is not TRUE:
        raise ValueError("what is given is no part of the rules")
    other = dataclasses.replace(scene, rules=from_json(json.dumps(data)), free=frozenset(new[name] for name in scene.free))
    return other, lambda text: re.sub(r"\b[a-z_]\w*\b", lambda m: new.get(m[0], m[0]), text)


def same(prop: Property, rename: Any) -> Property:
    texts = {key: rename(getattr(prop, key)) for key in ("formula", "premise", "on")}
    lists = {key: tuple(map(rename, getattr(prop, key))) for key in ("lemmas", "measure", "among", "way", "guide")}
    apart = tuple((rename(one), rename(other)) for one, other in prop.apart)
    return dataclasses.replace(prop, **texts, **lists, apart=apart)


def held_against(setting: Setting, props: list[Property]) -> None:
    scene = setting.scene
    other, rename = renamed(scene)
    for prop in props:
        one, two = prove(prop, scene, LIMITS), prove(same(prop, rename), other, LIMITS)
        assert (one.verdict, one.why) == (two.verdict, two.why), prop.id
        if one.evidence is not None and two.evidence is not None:
            steps = [[len(used) for used in found.evidence.certificate.get("used", {}).values()] for found in (one, two) if found.evidence]
            assert len(steps[0]) == len(steps[1])
            assert one.evidence.rules != two.evidence.rules
            with pytest.raises(Refused, match="other rules"):
                recheck(one.evidence, other)


@pytest.mark.parametrize("game", ["nim", "tic-tac-toe", "pig", "duel"])
def test_with_other_names_for_everything_the_findings_are_the_same(game: str) -> None:
    held_against(Setting(game), list(read_properties(Setting(game).properties)))


@pytest.mark.slow
def test_with_other_names_for_everything_the_findings_about_a_whole_game_are_the_same() -> None:
    setting = Setting(WITH_SCENES[0], "all")
    held_against(setting, [p for p in read_properties(setting.properties) if p.id in ("P42", "P56.cap", "P23.skills")])


def tampered(data: Any, random: random.Random) -> Any:
    """The same JSON with one leaf, or one part, changed."""
    data = json.loads(json.dumps(data))
    places = list[tuple[Any, Any]]()

    def collect(part: Any) -> None:
        for key, value in list(part.items() if isinstance(part, dict) else enumerate(part)):
            places.append((part, key))
            if isinstance(value, (dict, list)):
                collect(value)

    collect(data)
    part, key = random.choice(places)
    value = part[key]
    numbers = list(re.finditer(r"\d+", value)) if isinstance(value, str) else []
    if numbers and random.random() < 0.8:
        spot = random.choice(numbers)
        part[key] = value[: spot.start()] + str(int(spot[0]) + random.choice((-1, 1, 7))) + value[spot.end() :]
    elif isinstance(value, (dict, list)) and value and random.random() < 0.5:
        value.popitem() if isinstance(value, dict) else value.pop()
    else:
        part[key] = random.choice([None, 0, -1, 10**9, "", "true", [], {}, [[1]], True, value])
    return data


def sealed(data: Any) -> Evidence:
    """The evidence of these parts, as somebody would write it who knows how."""
    from monjudge.model.language import Move

    witness = tuple(Move(action, me, tuple(args)) for action, me, *args in data["witness"])
    return Evidence.from_json(Evidence(data["claim"], data["rules"], data["engine"], data["bounds"], witness, data["certificate"]).to_json())


def reached(scene: Scene) -> set[Any]:
    engine, moves = Reference(scene.rules), Enumerator(scene.rules)
    seen, front = {engine.settle(scene.start)}, [engine.settle(scene.start)]
    while front:
        state = front.pop()
        for move in moves.moves(state):
            after = engine.step(state, move)
            if after not in seen:
                seen.add(after)
                front.append(after)
    return seen


@pytest.mark.parametrize("seed", range(4))
def test_evidence_that_was_tampered_with_and_sealed_again_is_refused_or_still_true(seed: int) -> None:
    scene, chance = Setting("nim").scene, random.Random(seed)
    states, refused = reached(scene), 0
    own = Property("fewer", "invariant", "heap[0] + heap[1] != 9")
    for prop in (*read_properties(Setting("nim").properties), own):
        found = prove(prop, scene, LIMITS).evidence
        assert found is not None
        for _ in range(12):
            data = tampered({key: part for key, part in json.loads(found.to_json()).items() if key not in ("seal", "format")}, chance)
            try:
                evidence = sealed(data)
            except (Refused, TypeError, ValueError, KeyError, AttributeError):
                continue  # nobody can write that down
            try:
                recheck(evidence, scene, effort=20)
            except (Refused, LimitReached):
                refused += 1
                continue
            claim = evidence.claim
            if (claim["question"] == "holds" and claim["kind"] in ("invariant", "unreachable")) or claim["question"] == "exhausted":
                formula = parse_expr(claim["formula"], scene.scope())
                assert all(evaluate(formula, state, None, scene.rules.offset) for state in states)
            if claim["question"] == "line":
                formula = parse_expr(claim["formula"], scene.scope())
                assert any(evaluate(formula, state, None, scene.rules.offset) for state in states)
    assert refused > 10


def test_evidence_with_one_sign_changed_is_refused_whatever_the_sign() -> None:
    scene, chance = Setting("nim").scene, random.Random(5)
    prop = read_properties(Setting("nim").properties)[0]
    found = prove(prop, scene, LIMITS).evidence
    assert found is not None
    text = found.to_json()
    for _ in range(200):
        at = chance.randrange(len(text))
        sign = chance.choice('0123456789abcdefxyz[]{}",: ')
        changed = text[:at] + sign + text[at + 1 :]
        try:
            again = Evidence.from_json(changed)
        except Refused:
            continue
        assert again.to_json() == text


def test_what_holds_where_play_begins_and_not_after_a_move_is_no_invariant_even_beside_one() -> None:
    scene = Setting("nim").scene
    found = prove(Property("few", "invariant", "all h in 0..2: heap[h] <= 5"), scene, LIMITS)
    assert found.evidence is not None and recheck(found.evidence, scene).implications > 1
    first = scene.start[scene.rules.offset["heap"]]
    certificate = found.evidence.certificate
    more = {**certificate, "invariants": [*certificate["invariants"], f"heap[0] == {first}"]}
    with pytest.raises(Refused, match="counterexample: action take"):
        recheck(dataclasses.replace(found.evidence, certificate=more), scene)
