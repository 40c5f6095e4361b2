"""Each kind of property is held against a small made-up game: what holds is proved, and the planted fault is found."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from monjudge.model.games import properties_of, scene_of
from monjudge.model.language import Game, LimitReached, Move, RuleSet, gain, maximum, minimum, parse_expr, put
from monjudge.model.language.export import content_hash
from monjudge.model.properties import Scene
from monjudge.model.small import GAMES
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.smt import Symbolic
from monjudge.solvers.verdict import Verdict
from monjudge.verify.invariants import Breach
from monjudge.verify.outcome import Vacuous
from monjudge.verify.prove import Finding, Limits, prove
from monjudge.verify.question import Property, read_properties
from monjudge.verify.recheck import recheck
from monjudge.verify.slices import DEEPEST


def tank(fault: str = "") -> RuleSet:
    """A tank of any size up to five: what is too much spills by itself; who drains it must find it wet.

    With a ``fault`` one rule of it is not as it is to be.
    """
    g = Game("tank", players=2)
    size = g.field("size", values=range(1, 6), init=5, config=True)
    level = g.field("level", values=range(10))
    wet, full, shut = (g.field(name, values=bool) for name in ("wet", "full", "shut"))
    fill = g.action("fill", by=0)
    much = fill.param("much", range(1, 4))
    fill.clause("TANK.fill", level + much <= 9)
    fill.effect(gain(level, much), put(wet, True))
    drain = g.action("drain", by=1)
    drain.clause("TANK.drain", wet if fault != "drains a dry tank" else True)
    drain.effect(put(level, maximum(0, level - 2)), put(wet, fault != "dries"))
    stop = g.action("stop", by=1)
    stop.clause("TANK.stop", full)
    stop.effect(put(shut, True))
    if fault != "does not spill":
        g.trigger("TANK.spill", level > size, [put(level, minimum(level, size))])
    g.trigger("TANK.full", (level >= size) & ~full, [put(full, True)])
    g.over(shut | ((level == 3) & (fault == "ends at three")))
    return g.build()


def scene(rules: RuleSet) -> Scene:
    return Scene(rules, rules.start)


def finding(prop: Property, rules: RuleSet, **limits: Any) -> Finding:
    return prove(prop, scene(rules), Limits(**{"seconds": 30, "states": 3000, **limits}))


PLANTED = {
    "does not spill": Property("p", "invariant", "level <= size", settled=True),
    "drains a dry tank": Property("p", "move", "wet", on="drain"),
    "dries": Property("p", "step", "not wet or next wet"),
}
"""For each fault a property that holds without it."""


@pytest.mark.parametrize("fault", PLANTED)
def test_what_holds_is_proved_for_all_configurations_and_the_planted_fault_is_reached(fault: str) -> None:
    prop = PLANTED[fault]
    good, bad = finding(prop, tank()), finding(prop, tank(fault))
    assert (good.verdict, bad.verdict) == (Verdict.YES, Verdict.NO)
    assert good.evidence is not None and bad.evidence is not None
    assert recheck(good.evidence, scene(tank())).implications > 1
    assert recheck(bad.evidence, scene(tank(fault))).moves == len(bad.evidence.witness) > 0


def test_what_is_never_reached_is_proved_and_what_is_reached_has_a_shortest_line() -> None:
    assert finding(Property("p", "unreachable", "level > 5", settled=True), tank()).verdict is Verdict.YES
    reached = finding(Property("p", "reachable", "full"), tank())
    assert reached.evidence is not None and reached.bounds["shortest"] == len(reached.evidence.witness) == 2


def test_an_unreachable_state_that_breaks_induction_is_no_fault() -> None:
    prop = Property("p", "invariant", "not shut or wet")
    alone = finding(prop, tank(), states=10, lines=0)
    assert (alone.verdict, alone.evidence) == (Verdict.UNKNOWN, None)
    assert alone.breach is not None and "holds up to" in alone.why.en
    helped = dataclasses.replace(prop, lemmas=("not full or wet", "wet or level == 0"))
    assert finding(helped, tank()).verdict is Verdict.YES


def test_a_lemma_that_is_wrong_proves_nothing() -> None:
    prop = Property("p", "invariant", "not shut", lemmas=("not full",))
    assert finding(prop, tank()).verdict is Verdict.NO


@pytest.mark.parametrize(("last", "verdict"), [(3, Verdict.YES), (2, Verdict.NO)])
def test_somebody_can_always_move_or_a_state_where_nobody_can_is_reached(last: int, verdict: Verdict) -> None:
    g = Game("pit", players=1)
    at = g.field("at", values=range(4))
    down = g.action("down", by=0)
    down.clause("PIT.down", at < last)
    down.effect(gain(at, 1))
    g.over(at == 3)
    found = finding(Property("p", "deadlock"), g.build())
    assert found.verdict is verdict and found.evidence is not None
    assert found.evidence.witness == (Move("down", 0),) * (2 if verdict is Verdict.NO else 0)


@pytest.mark.parametrize(("raises", "verdict"), [(False, Verdict.YES), (True, Verdict.UNKNOWN)])
def test_play_ends_where_every_move_lowers_the_measure_and_no_trigger_raises_it(raises: bool, verdict: Verdict) -> None:
    g = Game("candle", players=1)
    rounds, light = g.field("rounds", values=range(4), init=3), g.field("light", values=range(4), init=3)
    burn = g.action("burn", by=0)
    burn.clause("CANDLE.burn", light > 0)
    burn.effect(gain(light, -1))
    g.trigger("CANDLE.new", (light == 0) & (rounds > 0), [put(light, 3), gain(rounds, 0 if raises else -1)])
    prop = Property("p", "termination", measure=("rounds", "light"))
    assert finding(prop, g.build()).verdict is verdict
    assert finding(dataclasses.replace(prop, measure=("light", "rounds")), g.build()).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("game", ["nim", "tic-tac-toe", "pig", "connect-four", "duel"])
def test_the_properties_that_are_shipped_with_a_small_game_hold_and_their_evidence_is_good(game: str) -> None:
    asked = read_properties(properties_of(game))
    assert asked
    for prop in asked:
        found = prove(prop, scene_of(game))
        assert found.verdict is Verdict.YES and found.evidence is not None, prop.id
        recheck(Evidence.from_json(found.evidence.to_json()), scene_of(game))


def test_a_fact_holds_of_every_configuration_or_one_is_shown() -> None:
    assert finding(Property("p", "fact", "size >= 1"), tank()).verdict is Verdict.YES
    wrong = finding(Property("p", "fact", "size >= 2"), tank())
    assert wrong.verdict is Verdict.NO and wrong.evidence is not None
    assert wrong.evidence.claim["state"][0] == 1


def test_a_small_game_is_exhausted_by_two_engines_where_induction_does_not_do() -> None:
    rules = GAMES["nim"]()
    found = finding(Property("p", "invariant", "heap[0] + heap[1] != 9"), rules)
    assert found.verdict is Verdict.YES and found.evidence is not None
    assert found.evidence.claim["states"] == 232
    recheck(found.evidence, scene(rules))


def test_a_premise_that_is_never_met_and_a_contradiction_are_errors() -> None:
    with pytest.raises(Vacuous, match="the premise is never met"):
        finding(Property("p", "invariant", "wet", premise="level > 9"), tank())
    with pytest.raises(Vacuous, match="the premise is never met"):
        finding(Property("p", "invariant", "turn == 0", premise="heap[0] > 3"), GAMES["nim"]())
    rules = tank()
    contradiction = parse_expr("size < 2 and size > 2", scene(rules).scope())
    with pytest.raises(Vacuous, match="contradicts itself"):
        prove(Property("p", "invariant", "wet"), dataclasses.replace(scene(rules), given=contradiction))


def test_a_proof_whose_premise_no_line_was_seen_to_meet_is_undecided() -> None:
    prop = Property("p", "invariant", "level <= 9", premise="level == 4")
    assert finding(prop, tank()).verdict is Verdict.YES
    assert finding(prop, tank(), states=1, lines=0).verdict is Verdict.UNKNOWN


def test_without_time_nothing_is_decided() -> None:
    assert finding(PLANTED["does not spill"], tank(), seconds=0.0).verdict is Verdict.UNKNOWN


def test_evidence_that_was_changed_or_is_of_other_rules_is_refused() -> None:
    found = finding(PLANTED["does not spill"], tank())
    assert found.evidence is not None
    again = Evidence.from_json(found.evidence.to_json())
    recheck(again, scene(tank()))
    with pytest.raises(Refused, match="other rules"):
        recheck(again, scene(tank("does not spill")))
    for claim in ({"formula": "level <= 4"}, {"given": "size == 2"}, {"free": ["level"]}, {"start": [5, 1, 0, 0, 0]}):
        with pytest.raises(Refused):
            recheck(dataclasses.replace(again, claim={**again.claim, **claim}), scene(tank()))
    drained = finding(PLANTED["drains a dry tank"], tank()).evidence
    assert drained is not None
    with pytest.raises(Refused, match="counterexample: move drain"):
        recheck(dataclasses.replace(drained, certificate={**drained.certificate, "used": {}}), scene(tank()))


def test_a_witness_that_does_not_show_it_is_refused() -> None:
    rules = tank("drains a dry tank")
    found = finding(PLANTED["drains a dry tank"], rules).evidence
    assert found is not None
    with pytest.raises(Refused, match="the formula holds of the last move"):
        recheck(dataclasses.replace(found, witness=(Move("fill", 0, (1,)), Move("drain", 1))), scene(rules))
    with pytest.raises(Refused, match="not legal"):
        recheck(dataclasses.replace(found, witness=(Move("stop", 1), Move("drain", 1))), scene(rules))


def test_a_fault_in_one_translation_is_caught_by_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Symbolic.apply

    def forgets(self: Symbolic, action: str, state: Any, me: Any, args: Any) -> Any:
        then = whole(self, action, state, me, args)
        return then._replace(state=state) if action == "drain" else then

    monkeypatch.setattr(Symbolic, "apply", forgets)
    with pytest.raises(Refused, match="CP-SAT finds a counterexample: action drain"):
        finding(PLANTED["dries"], tank("dries"))


def test_evidence_that_makes_no_sense_is_refused() -> None:
    found = finding(PLANTED["does not spill"], tank()).evidence
    assert found is not None
    broken: list[dict[str, Any]] = [{"kind": "move", "on": "fly"}, {"formula": "levle < 1"}, {"question": "line", "from": 7}, {"measure": None}]
    for claim in broken:
        with pytest.raises(Refused):
            recheck(dataclasses.replace(found, claim={**found.claim, **claim}), scene(tank()))
    with pytest.raises(Refused, match="cannot be read"):
        recheck(dataclasses.replace(found, certificate={}), scene(tank()))


def test_a_premise_narrows_what_is_reached_and_what_is_not() -> None:
    assert finding(Property("p", "unreachable", "level > 5", premise="wet", settled=True), tank()).verdict is Verdict.YES
    nowhere = finding(Property("p", "reachable", "heap[0] == 1", premise="heap[0] == 2"), GAMES["nim"]())
    assert nowhere.verdict is Verdict.NO


def test_what_a_proof_used_is_written_down() -> None:
    found = finding(PLANTED["drains a dry tank"], tank()).evidence
    assert found is not None
    assert json.loads(found.to_json())["certificate"]["used"]["move drain"][-1] == "TANK.drain"


def lock(last: int = 4) -> RuleSet:
    """A lock of nine digits that opens after so many right turns of it; what is turned wrongly jams it for good."""
    g = Game("lock", players=1)
    right, jammed = g.field("right", values=range(9)), g.field("jammed", values=bool)
    turn = g.action("turn", by=0)
    digit = turn.param("digit", range(1, 10))
    turn.clause("LOCK.turn", ~jammed & (right < last))
    turn.effect(gain(right, 1, when=digit == right + 3), put(jammed, True, when=digit != right + 3))
    again = g.action("again", by=0)
    again.clause("LOCK.again", jammed)
    again.effect(put(right, 0), put(jammed, False))
    return g.build()


def test_z3_finds_the_shortest_line_where_walks_do_not_come_so_far() -> None:
    for prop in (Property("p", "invariant", "right < 4"), Property("p", "reachable", "right == 4")):
        found = finding(prop, lock(), states=3, lines=0)
        assert found.verdict is (Verdict.YES if prop.kind == "reachable" else Verdict.NO)
        assert found.evidence is not None and [m.args for m in found.evidence.witness] == [(3,), (4,), (5,), (6,)]
        assert found.bounds["shortest"] == 4 and "z3-solver" in found.evidence.engine


def test_what_is_only_bounded_stays_undecided_and_says_how_far_z3_saw() -> None:
    g = Game("clock", players=1)
    hour = g.field("hour", values=range(80))
    g.action("tick", by=0).effect(gain(hour, 1))
    for prop in (Property("p", "invariant", "hour < 60"), Property("p", "reachable", "hour == 60")):
        found = finding(prop, g.build(), states=3, lines=0)
        assert found.verdict is Verdict.UNKNOWN and found.evidence is None and found.bounds["plies"] == DEEPEST
        assert f"z3 finds no line of up to {DEEPEST} plies from any beginning" in found.why.en and f"{DEEPEST}手以内" in found.why.ja


def meters() -> RuleSet:
    """One meter runs up and one down, and a third is four ahead of the first: where it is at its end, nobody goes on."""
    g = Game("meters", players=1)
    up, down, ahead = (g.field(name, values=range(8), init=init) for name, init in (("up", 0), ("down", 7), ("ahead", 3)))
    g.action("run", by=0).effect(gain(up, 1), gain(down, -1), put(ahead, up + 4))
    return g.build()


@pytest.mark.parametrize(("formula", "bounds"), [("up + down == 7", {"within"}), ("up < 5", {"limit"})])
def test_of_the_bounds_only_those_of_what_is_read_are_used_where_they_do(formula: str, bounds: set[str]) -> None:
    evidence = finding(Property("p", "invariant", formula), meters()).evidence
    assert evidence is not None and {"within", "limit"} & set(evidence.certificate["used"]["action run"]) == bounds
    assert recheck(evidence, scene(meters())).implications == 3
    used = dict.fromkeys(evidence.certificate["used"], ())
    fewer = dataclasses.replace(evidence, certificate={**evidence.certificate, "used": used})
    if bounds == {"limit"}:
        with pytest.raises(Refused):
            recheck(fewer, scene(meters()))
    else:
        assert recheck(fewer, scene(meters())).implications == 3


def test_a_proof_may_assume_rest_or_invariants_only_where_that_is_part_of_what_is_proved() -> None:
    moves = finding(PLANTED["drains a dry tank"], tank()).evidence
    fact = finding(Property("p", "fact", "size <= 5"), tank()).evidence
    assert moves is not None and fact is not None
    at_rest = {name: ["at rest 0"] for name in ("move drain", *moves.certificate["used"])}
    forged = dataclasses.replace(moves, claim={**moves.claim, "formula": "false"}, certificate={**moves.certificate, "settled": True, "used": at_rest})
    with pytest.raises(Refused, match="no part of a proof of this kind"):
        recheck(forged, scene(tank()))
    wet = {"claim": {**fact.claim, "formula": "not shut or full"}, "certificate": {**fact.certificate, "invariants": ["not shut or full"]}}
    with pytest.raises(Refused, match="no part of a proof of this kind"):
        recheck(dataclasses.replace(fact, **wet), scene(tank()))


@pytest.mark.parametrize("told", [{"players": 3}, {"horizon": 9}, {"shortest": 1}, {"players": None}, {"plyers": 2}])
def test_bounds_that_are_not_those_of_the_scene_or_of_the_line_are_refused(told: dict[str, Any]) -> None:
    found = finding(PLANTED["dries"], tank("dries")).evidence
    assert found is not None and recheck(found, scene(tank("dries"))).moves == 2
    with pytest.raises(Refused, match="bound"):
        recheck(dataclasses.replace(found, bounds={**found.bounds, **told}), scene(tank("dries")))


def test_a_move_that_cannot_be_made_shows_no_fault() -> None:
    g = Game("bound", players=1)
    n = g.field("n", values=range(4))
    up = g.action("up", by=0)
    up.effect(gain(n, 1))
    rules = g.build()
    assert finding(Property("p", "move", "n < 3", on="up"), rules).verdict is Verdict.UNKNOWN


def test_a_line_from_another_filling_of_a_free_field_is_replayed_from_there() -> None:
    g = Game("piles", players=1)
    pile, hand = g.field("pile", values=range(8), init=3), g.field("hand", values=range(8))
    draw = g.action("draw", by=0)
    draw.clause("PILE.draw", pile > 0)
    draw.effect(gain(pile, -1), gain(hand, 1))
    rules = g.build()
    found = prove(Property("p", "reachable", "hand == 5"), Scene(rules, rules.start, frozenset(["pile"])), Limits(seconds=30, states=300))
    assert found.verdict is Verdict.YES and found.evidence is not None
    assert found.evidence.claim["from"][rules.cell("pile")] >= 5


def walkers(last: int = 3) -> Scene:
    """Two counters that go up together, and a move of the second that is only to be made where the first stands as high."""
    g = Game("walkers", players=1)
    left, right = g.field("left", values=range(8)), g.field("right", values=range(8))
    up = g.action("up", by=0)
    up.clause("WALK.up", left < last)
    up.effect(gain(left, 1), gain(right, 1))
    down = g.action("down", by=0)
    down.clause("WALK.down", right > 0)
    down.effect(gain(left, -1), gain(right, -1))
    rules = g.build()
    return Scene(rules, rules.start)


@pytest.mark.parametrize(
    "claim", [Property("p", "move", "left > 0", on="down"), Property("p", "legal", premise="right > 0 and left > 0", on="down"),
              Property("p", "deadlock", premise="left == right"), Property("p", "constant", measure=("left - right",))]
)  # fmt: skip
def test_of_a_small_game_all_states_are_looked_at_for_a_fault_of_moves_too(claim: Property, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("monjudge.verify.prove._Prover.proof", lambda self, queries: Breach(self.scene.start, "", ()))
    found = prove(claim, walkers(), Limits(seconds=30))
    assert found.verdict is Verdict.YES and found.evidence is not None and found.evidence.claim["states"] == 4
    evidence = Evidence.from_json(found.evidence.to_json())
    recheck(evidence, walkers())
    for change in ({"states": 5}, {"formula": "left > 1"}, {"premise": "left == 0"}, {"measure": ["left"]}, {"kind": "step"}, {"kind": "limit"}):
        if change.keys() & {"states", "kind"} or next(iter(change)) in {"move": "formula", "legal": "premise", "constant": "measure"}.get(claim.kind, ""):
            with pytest.raises(Refused):
                recheck(dataclasses.replace(evidence, claim={**evidence.claim, **change}), walkers())
    with pytest.raises(Refused, match="other rules"):
        recheck(evidence, walkers(4))


def test_a_relation_that_each_step_keeps_and_two_do_not_is_shown_with_both_states() -> None:
    near = Property("p", "step", "next left - left <= 1 and left - next left <= 1")
    found = prove(near, walkers(), Limits(seconds=30))
    assert found.verdict is Verdict.NO and found.evidence is not None
    recheck(found.evidence, walkers())
    for since in (len(found.evidence.witness) - 1, len(found.evidence.witness), -1):
        with pytest.raises(Refused):
            recheck(dataclasses.replace(found.evidence, claim={**found.evidence.claim, "since": since}), walkers())
    same = prove(dataclasses.replace(near, formula="next left - next right == left - right"), walkers(), Limits(seconds=30))
    assert same.verdict is Verdict.YES
    two = prove(dataclasses.replace(near, formula="next left - left <= 3 and left - next left <= 3"), walkers(), Limits(seconds=30))
    assert two.verdict is Verdict.UNKNOWN and "no single move breaks it" in two.why.en


def test_where_the_time_is_over_it_is_told_what_stood_in_the_way_of_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any) -> None:
        raise LimitReached("the time allowed is over")

    monkeypatch.setattr("monjudge.verify.prove._Prover._not_inductive", late)
    found = prove(Property("p", "invariant", "left != 3 or right != 5"), walkers(), Limits(seconds=30))
    assert found.verdict is Verdict.UNKNOWN
    assert found.why.en.startswith("the time allowed is over; in the way stands ") and "not known to be reached" in found.why.en


def test_a_bound_of_a_value_is_asked_about_and_not_whether_triggers_rest() -> None:
    g = Game("restless", players=1)
    b, w = g.field("b", values=bool), g.field("w", values=bool)
    g.action("set", by=0).effect(put(w, True))
    g.trigger("R.turn", w, [put(b, ~b)])
    rules = g.build()
    assert finding(Property("p", "limit"), rules).verdict is Verdict.YES
    move = Move("set", 0)
    forged = Evidence({"property": "p", "given": "true", "free": [], "question": "fault of a limit", "formula": "true", "on": "", "from": list(rules.start), "among": []},
                      content_hash(rules), "", {"players": 1, "horizon": 1}, (move,), {})  # fmt: skip
    with pytest.raises(Refused):
        recheck(forged, scene(rules))


def test_of_named_actions_only_their_own_bounds_count() -> None:
    g = Game("named", players=1)
    b, n, m = g.field("b", values=bool), g.field("n", values=range(3), init=2), g.field("m", values=range(3))
    a = g.action("a", by=0)
    a.clause("NAME.a", ~b)
    a.effect(put(b, True), gain(m, 1, n == 0))
    g.trigger("NAME.b", b & (n > 0), [gain(n, 1)])
    rules = g.build()
    assert finding(Property("p", "limit", among=("a",)), rules).verdict is not Verdict.NO
    assert finding(Property("p", "limit"), rules).verdict is Verdict.NO


def test_a_premise_that_only_a_false_lemma_rules_out_is_met() -> None:
    g = Game("climb", players=1)
    n = g.field("n", values=range(8))
    up = g.action("up", by=0)
    up.clause("CLIMB.up", n < 6)
    up.effect(gain(n, 1))
    rules = g.build()
    prop = Property("p", "invariant", "n < 4", premise="n == 5", lemmas=("n < 5",))
    assert finding(prop, rules).verdict is Verdict.NO


def test_a_fault_of_the_prover_loses_one_answer_and_is_told_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    from monjudge.model.properties import Setting
    from monjudge.verify import running

    def wrong(prop: Property, *_: Any) -> Any:
        assert prop.id != "p", "two engines disagree"
        return whole(prop, *_)

    whole = running.answer
    monkeypatch.setattr(running, "answer", wrong)
    asked = [Property(id, "invariant", "heap[0] <= 3") for id in ("p", "q")]
    run = running.Run(asked[:1], Setting("nim"), flips=False)
    assert [a.found.verdict for a in run] == [Verdict.UNKNOWN] and "two engines disagree" in run.broken[0]
    run = running.Run(asked[1:], Setting("nim"), flips=False)
    assert [a.found.verdict for a in run] == [Verdict.YES] and not run.broken


def test_what_a_trigger_changes_and_another_puts_back_is_not_seen_in_states() -> None:
    g = Game("undone", players=1)
    n, odd, left = g.field("n", values=range(3)), g.field("odd", values=bool), g.field("left", values=range(3), init=2)
    go = g.action("go", by=0)
    go.clause("UNDO.go", left > 0)
    go.effect(put(odd, True), gain(left, -1))
    g.trigger("UNDO.up", odd & (n == 0), [put(n, 1)])
    g.trigger("UNDO.down", odd & (n == 1), [put(n, 0), put(odd, False)])
    rules = g.build()
    found = finding(Property("p", "constant", measure=("n",)), rules)
    assert found.verdict is Verdict.UNKNOWN
    claim = {"property": "p", "given": "true", "free": [], "question": "exhausted", "start": list(rules.start), "states": 3, "kind": "constant",
             "on": "", "premise": "true", "formula": "true", "measure": ["n"], "among": [], "apart": [], "settled": False}  # fmt: skip
    with pytest.raises(Refused, match="seen in single states"):
        recheck(Evidence(claim, content_hash(rules), "", {"players": 1, "horizon": "unlimited"}, (), {}), scene(rules))
