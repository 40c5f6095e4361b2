"""What a rule set declares hopeless is proved by two engines, or shown on a line not to be so."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from monjudge.model.language import TRUE, Expr, Game, LimitReached, as_int, both, gain, ite, minimum, put
from monjudge.model.language.export import content_hash
from monjudge.model.properties import Scene, Setting
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.cpsat import Query, SymbolicState
from monjudge.solvers.engines.smt.terms import z3
from monjudge.solvers.verdict import Verdict
from monjudge.verify import hopeless, hopeless_again
from monjudge.verify.hopeless_again import Again
from monjudge.verify.prove import Finding, Limits, prove
from monjudge.verify.queries import Clock, Queries, Refuted
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck
from monjudge.verify.running import Run

LAST = 9
"""The turn after which the number stands still."""

Say = Callable[[dict[str, Expr]], Any]


def _when(f: dict[str, Expr]) -> Expr:
    return both(f["turn"] < LAST, ~f["open"], ~f["hit"], f["arrows"] + as_int(f["flying"]) <= f["guards"])


def _after(f: dict[str, Expr]) -> Expr:
    return ~f["open"] & ~f["hit"]


def siege(when: Say = _when, between: Say | None = None, after: Say = _after, *, guards: int = 2, held: int = 2) -> Scene:
    """Two arrows a turn are shot at a gate; each is parried by a guard, who is worn out, or let through, which opens it.

    A third of the arrows goes astray by chance. What is let through hits, and a turn ends, by a trigger. How one shoots
    who has more arrows than are ``held`` is unknown.
    """
    g = Game("siege", players=2)
    f: dict[str, Any] = {
        "turn": g.field("turn", values=range(1, LAST + 1), init=1), "guards": g.field("guards", values=range(6), init=guards),
        "arrows": g.field("arrows", values=range(3), init=2),
    }  # fmt: skip
    f |= {name: g.field(name, values=bool) for name in ("wind", "flying", "hit", "open", "ending")}
    calm = ~f["wind"]
    shoot = g.action("shoot", by=ite(f["flying"], 1, 0))
    shoot.clause("S.shoot", both(calm, ~f["flying"], f["arrows"] > 0))
    shoot.limit("L.arrows", f["arrows"] <= held)
    shoot.effect(gain(f["arrows"], -1), put(f["wind"], True))
    blow = g.action("blow", weight=1)
    face = blow.param("face", range(3))
    blow.clause("S.wind", f["wind"])
    blow.effect(put(f["wind"], False), put(f["flying"], face > 0))
    parry = g.action("parry", by=ite(f["flying"], 1, 0))
    parry.clause("S.parry", f["flying"] & (f["guards"] > 0))
    parry.effect(gain(f["guards"], -1), put(f["flying"], False))
    let = g.action("let", by=ite(f["flying"], 1, 0))
    let.clause("S.let", f["flying"])
    let.effect(put(f["flying"], False), put(f["hit"], True))
    rest = g.action("rest", by=ite(f["flying"], 1, 0))
    rest.clause("S.rest", calm & ~f["flying"])
    rest.effect(put(f["ending"], True))
    g.trigger("S.hit", f["hit"], [put(f["open"], True), put(f["hit"], False)])
    g.trigger("S.turn", f["ending"], [put(f["ending"], False), put(f["turn"], minimum(LAST, f["turn"] + 1)), put(f["arrows"], 2)])
    g.over(f["open"])
    g.goal("win", 0, f["open"])
    g.turn_structure(f["turn"], {a.name: "battle" for a in g.actions})
    says = when if between is None else between
    g.hopeless("win", 0, when(f), between=says(f), after=after(f), proof="H")
    rules = g.build()
    return Scene(rules, rules.start)


def _windy(f: dict[str, Expr]) -> Expr:
    return both(f["turn"] < LAST, ~f["open"], ~f["hit"], f["arrows"] + as_int(f["flying"]) + as_int(f["wind"]) <= f["guards"])


def finding(scene: Scene, *among: str) -> Finding:
    return prove(Property("H", "hopeless", among=among), scene, Limits(seconds=60))


def test_what_is_hopeless_is_proved_by_both_engines_in_every_state() -> None:
    scene = siege(_windy)
    found = finding(scene, "parry")
    assert found.verdict is Verdict.YES and found.evidence is not None
    again = recheck(Evidence.from_json(found.evidence.to_json()), scene)
    assert again.implications == len(found.evidence.certificate["used"])
    assert any("parry" in name for used in found.evidence.certificate["used"].values() for name in used)


@pytest.mark.parametrize(
    "scene, fault",
    [
        (siege(guards=1, when=lambda f: both(f["turn"] < LAST, ~f["open"], ~f["hit"], f["arrows"] + as_int(f["flying"]) + as_int(f["wind"]) <= f["guards"] + 1)), ["no reply"]),
        (siege(), ["move", "blow", -1, 1]),
        (siege(lambda f: both(f["turn"] < LAST, ~f["open"], ~f["hit"], ~f["flying"], f["arrows"] + as_int(f["wind"]) <= f["guards"])), ["move", "blow", -1, 1]),
    ],
    ids=["one guard too few", "an arrow in the wind forgotten", "what is in the air forgotten"],
)  # fmt: skip
def test_where_it_is_not_so_a_line_leads_there(scene: Scene, fault: list[Any]) -> None:
    found = finding(scene, "parry")
    assert found.verdict is Verdict.NO and found.evidence is not None
    assert found.evidence.claim["fault"] == fault
    assert recheck(Evidence.from_json(found.evidence.to_json()), scene).moves == len(found.evidence.witness)
    with pytest.raises(Refused):
        recheck(dataclasses.replace(found.evidence, witness=found.evidence.witness[:-1]), scene)


@pytest.mark.parametrize(
    "scene, among",
    [
        (siege(_windy), ("let",)),
        (siege(_windy, after=lambda f: TRUE), ("parry",)),
        (siege(_windy, between=lambda f: _windy(f) | f["hit"]), ("parry",)),
        (siege(lambda f: _windy(f) & (f["guards"] > 0), between=_windy), ("parry",)),
    ],
    ids=["a reply that opens the gate", "nothing is said of the next turn", "a hit on the way", "more is declared than is kept"],
)
def test_what_is_not_proved_is_undecided(scene: Scene, among: tuple[str, ...]) -> None:
    assert finding(scene, *among).verdict is not Verdict.YES


def test_where_a_move_of_the_player_passes_a_bound_of_the_model_it_is_not_proved_that_nothing_can_be_done() -> None:
    found = finding(siege(_windy, held=1), "parry")
    assert found.verdict is Verdict.UNKNOWN and "silence shoot" in found.why.en
    evidence = finding(siege(_windy), "parry").evidence
    assert evidence is not None
    trusting = {step: [*names, "L.arrows"] for step, names in evidence.certificate["used"].items()}
    with pytest.raises(Refused, match="counterexample"):
        recheck(dataclasses.replace(evidence, rules=content_hash(siege(_windy, held=1).rules), certificate={"used": trusting}), siege(_windy, held=1))


def test_in_the_last_turn_whose_number_stands_still_nothing_is_hopeless() -> None:
    endless = siege(lambda f: both(~f["open"], ~f["hit"], f["arrows"] + as_int(f["flying"]) + as_int(f["wind"]) <= f["guards"]))
    assert finding(endless, "parry").verdict is not Verdict.YES


def test_evidence_about_another_declaration_or_with_other_replies_is_refused() -> None:
    scene = siege(_windy)
    evidence = finding(scene, "parry").evidence
    assert evidence is not None
    with pytest.raises(Refused, match="other declarations"):
        recheck(evidence, siege(lambda f: _windy(f) & (f["guards"] < 5)))
    used = {step: [n for n in names if not n.startswith("[")] for step, names in evidence.certificate["used"].items()}
    with pytest.raises(Refused, match="counterexample"):
        recheck(dataclasses.replace(evidence, certificate={"used": used}), scene)
    own = {step: [n.replace('"parry", 1', '"shoot", 0') for n in names] for step, names in evidence.certificate["used"].items()}
    with pytest.raises(Refused, match="no reply of the others"):
        recheck(dataclasses.replace(evidence, certificate={"used": own}), scene)


@pytest.mark.parametrize(
    "scene",
    [
        siege(guards=1, when=lambda f: _windy({**f, "guards": f["guards"] + 1})),
        siege(lambda f: both(f["turn"] < LAST, ~f["open"], ~f["hit"], f["arrows"] + as_int(f["flying"]) + 2 * as_int(f["wind"]) <= f["guards"])),
    ],
    ids=["one guard too few", "what is in the wind counts twice"],
)  # fmt: skip
@pytest.mark.parametrize("broad", [0, 2, 99])
def test_what_the_first_engine_overlooks_the_second_one_finds(broad: int, scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hopeless_again, "BROAD", broad)
    asks, replies = hopeless.Kept._none, hopeless.Kept._replies

    def overlooks(found: Any, used: Any) -> Refuted:
        return found if isinstance(found, Refuted) else Refuted(tuple(used))

    monkeypatch.setattr(hopeless.Kept, "_none", lambda self, goal, may: overlooks(asks(self, goal, may), (name for name, _ in may)))
    monkeypatch.setattr(hopeless.Kept, "_replies", lambda self, action: overlooks(replies(self, action), ()))
    with pytest.raises(Refused, match="CP-SAT finds a counterexample"):
        finding(scene, "parry")


def _sums() -> Scene:
    return siege(lambda f: both(2 * f["arrows"] + as_int(f["flying"]) <= f["guards"], f["guards"] < f["arrows"] + as_int(f["wind"])))


def test_what_the_first_proof_is_told_of_how_sums_change_is_always_so() -> None:
    scene = _sums()
    kept = hopeless.Kept(Queries(scene, Clock()), scene.rules.hopeless[0], ())
    then = kept.game.state("then")
    assert len(kept.compared) == 2
    assert isinstance(kept.queries.refute([kept.game.inside(then), z3.Not(kept._tells(then))]), Refuted)


def test_what_the_second_proof_is_told_of_how_sums_change_rules_out_no_step_at_all() -> None:
    scene = _sums()
    again, query = Again(scene, scene.rules.hopeless[0], {}, None), Query(scene.rules)
    assert len(again.compared) == 2
    families, read = scene.rules.families, {"guards", "arrows", "wind", "flying"}
    states = [[query.terms.variable(f.lo, f.hi, f.is_bool) if f.name in read else query.terms.known(0, f.is_bool) for f in families] for _ in range(2)]
    again._differ(query, *map(SymbolicState, states))
    steps = query.every([cell for cells in states for f, cell in zip(families, cells, strict=True) if f.name in read], 72**2)
    assert len(steps) == 72**2


@pytest.mark.parametrize("broad", [0, 2, 99])
def test_how_much_is_looked_at_first_changes_nothing_in_the_second_proof(broad: int, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = siege(_windy)
    evidence = finding(scene, "parry").evidence
    assert evidence is not None
    monkeypatch.setattr(hopeless_again, "BROAD", broad)
    assert recheck(evidence, scene).implications == len(evidence.certificate["used"])


def test_replies_shown_under_the_same_conditions_are_not_asked_for_again_and_those_under_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, solve, asked = siege(_windy), Query.solve, []
    evidence = finding(scene, "parry").evidence
    assert evidence is not None

    def counted(query: Query) -> Any:
        asked.append(query)
        return solve(query)

    monkeypatch.setattr(Query, "solve", counted)
    recheck(evidence, scene)
    few = len(asked)
    replies = {step: names for step, names in evidence.certificate["used"].items() if ": reply " in step}
    none = {step: [n for n in names if not n.startswith("[")] for step, names in replies.items()}
    for step in replies:  # no step leans on one that is not proved
        if replies[step] != none[step]:
            with pytest.raises(Refused, match="counterexample"):
                recheck(dataclasses.replace(evidence, certificate={"used": {**evidence.certificate["used"], step: none[step]}}), scene)
    monkeypatch.setattr(hopeless_again, "general", lambda rules, action: {})
    asked.clear()
    recheck(evidence, scene)
    assert len(asked) > few


def test_a_question_that_is_hard_is_asked_case_by_case(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, solve, asked = siege(_windy), Query.solve, []

    def gives_up(query: Query) -> Any:
        asked.append(query)
        if query.effort is not None and len(asked) % 11 == 1:
            raise LimitReached("planted")
        return solve(query)

    evidence = finding(scene, "parry").evidence
    assert evidence is not None
    monkeypatch.setattr(Query, "solve", gives_up)
    assert recheck(evidence, scene, 60).implications > len(evidence.certificate["used"])


def test_where_nothing_is_declared_nothing_is_claimed() -> None:
    scene = siege(_windy)
    bare = dataclasses.replace(scene, rules=dataclasses.replace(scene.rules, hopeless=()))
    assert finding(bare).verdict is Verdict.UNKNOWN


def test_an_answer_about_other_declarations_is_not_taken_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    scenes = [siege(_windy), siege(lambda f: _windy(f) & (f["guards"] < 5))]
    run = Run((), Setting("siege"))
    keys = set()
    for scene in scenes:
        monkeypatch.setattr(Setting, "scene", scene)
        keys.add(run._key(Property("H", "hopeless")))
    assert len(keys) == 2 and content_hash(scenes[0].rules) == content_hash(scenes[1].rules)


def test_what_is_declared_of_another_player_is_not_asked() -> None:
    scene = siege(_windy)
    assert prove(Property("H", "hopeless", among=("parry",), player=1), scene, Limits(seconds=60)).verdict is Verdict.UNKNOWN
    evidence = finding(scene, "parry").evidence
    assert evidence is not None
    with pytest.raises(Refused, match="other declarations"):
        recheck(dataclasses.replace(evidence, claim={**evidence.claim, "player": 1, "declared": []}), scene)
