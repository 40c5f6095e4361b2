"""What rest says of single triggers: held against every state of small games, in which triggers may undo one another."""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections.abc import Callable, Mapping, Sequence

import pytest

from monjudge.model.language import Effect, Expr, Game, LimitReached, RuleSet, State, evaluate, gain, put
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Refused
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.verdict import Verdict
from monjudge.verify import idle
from monjudge.verify.idle import IDLE, QUIET, Resting, bindings
from monjudge.verify.prove import Finding, Limits, prove
from monjudge.verify.queries import Clock, Queries
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck


def machine(seed: int) -> RuleSet:
    """Three cells and two or three triggers, any two of which may undo what the other does."""
    chance, g = random.Random(seed), Game(f"machine {seed}", players=1)
    cell = g.field("cell", 2, values=range(3))
    lamp = g.field("lamp", values=bool)
    g.action("turn", by=0).effect(put(lamp, ~lamp))
    steps: Sequence[Callable[[Expr | int], tuple[Expr, Effect]]] = [
        lambda k: (cell[k] < 2, gain(cell[k], 1)), lambda k: (cell[k] < 2, put(cell[k], 2)), lambda k: (cell[k] > 0, gain(cell[k], -1)),
        lambda k: (lamp, put(lamp, False)), lambda k: (~lamp, put(lamp, True)), lambda k: (cell[0] != cell[1], put(cell[1], cell[0])),
    ]  # fmt: skip
    more: Sequence[Callable[[Expr | int], Expr]] = [lambda k: lamp, lambda k: ~lamp, lambda k: cell[0] + cell[k] > 1, lambda k: cell[1] == 0]
    for n in range(chance.choice([2, 2, 3])):
        one, two, also = chance.choice(steps), chance.choice(steps), chance.choice(more)
        both_of, sure, only = chance.random() < 0.3, chance.random() < 0.7, chance.random() < 0.5

        def when(k: Expr | int, one=one, also=also, sure=sure, only=only) -> Expr:  # type: ignore[no-untyped-def]
            return (one(k)[0] & also(k) if only else one(k)[0]) if sure else also(k)

        def effects(k: Expr | int, one=one, two=two, both_of=both_of) -> list[Effect]:  # type: ignore[no-untyped-def]
            return [one(k)[1], two(k)[1]] if both_of else [one(k)[1]]

        if chance.random() < 0.4:
            g.trigger(f"MACHINE.{n}", when, effects, over=(2,))
        else:
            g.trigger(f"MACHINE.{n}", when(n % 2), effects(n % 2))
    return g.build()


def at_rest(rules: RuleSet) -> list[State]:
    """Every state that one pass of the reference leaves as it is."""
    once, found = Reference(dataclasses.replace(rules, passes=1)), []
    for state in itertools.product(*(range(lo, hi + 1) for lo, hi in rules.bounds)):
        try:
            found += [state] if once.settle(state) == state else []
        except LimitReached:  # a bound was passed, or the pass changed something
            continue
    return found


def taken_to_be_idle(rules: RuleSet) -> list[str]:
    asked = Resting(Queries(Scene(rules, rules.start), Clock()), [])
    return [t.id for t in rules.triggers if asked.is_idle(t)]


def wrong(rules: RuleSet) -> list[str]:
    """The triggers that are taken to be idle, and whose condition holds in some state at rest."""
    taken, rests = taken_to_be_idle(rules), at_rest(rules)
    holds = {t.id: any(evaluate(t.when, s, env, rules.offset) for s in rests for _, env in bindings(t)) for t in rules.triggers}
    return [id for id in taken if holds[id]]


SEEDS = range(60)


def test_what_is_taken_to_be_idle_is_so_in_every_state_at_rest() -> None:
    machines = [machine(seed) for seed in SEEDS]
    assert not [rules.name for rules in machines if wrong(rules)]
    taken = [len(taken_to_be_idle(rules)) for rules in machines]
    assert sum(taken) > 30, "it says something of many triggers"


def test_games_in_which_rest_says_nothing_of_a_trigger_are_among_them() -> None:
    fires = 0
    for rules in map(machine, SEEDS):
        rests = at_rest(rules)
        fires += any(evaluate(t.when, s, env, rules.offset) for t in rules.triggers for s in rests for _, env in bindings(t))
    assert fires > 5, "triggers undo one another in some of the games"


@pytest.mark.parametrize("fault", ["undone", "earlier", "along"])
def test_each_condition_of_the_argument_is_needed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    proved = Resting._proved
    if fault == "undone":  # what other triggers do to the field is not looked at
        monkeypatch.setattr(Resting, "_proved", lambda self, t, way, along: proved(self, t, way, along) if along else ())
    if fault == "along":  # nor whether the trigger itself changes anything
        monkeypatch.setattr(Resting, "_proved", lambda self, t, way, along: proved(self, t, way, False))
    if fault == "earlier":  # nor what earlier triggers do to what the condition reads
        monkeypatch.setattr(idle, "in_the_way", lambda rules, trigger: [])
    assert any(wrong(machine(seed)) for seed in SEEDS) or wrong(hidden())


def hidden() -> RuleSet:
    """A door that opens for one moment of every pass: the guard behind it is quiet, and yet not idle."""
    g = Game("hidden", players=1)
    door, seen = g.field("door", values=bool, init=True), g.field("seen", values=range(3))
    g.action("look", by=0).effect(gain(seen, 1))
    g.trigger("DOOR.shuts", door, put(door, False))
    g.trigger("DOOR.guard", door & (seen < 2), gain(seen, 1))
    g.trigger("DOOR.opens", ~door, put(door, True))
    return g.build()


def test_what_an_earlier_trigger_hides_is_not_idle() -> None:
    rules = hidden()
    assert (1, 0) in at_rest(rules), "the door stands open at rest, and has been shut and opened again"
    asked = Resting(Queries(Scene(rules, rules.start), Clock()), [])
    shuts, guard, opens = rules.triggers
    assert asked.is_quiet(guard) and not asked.is_idle(guard) and not asked.is_quiet(shuts) and not asked.is_quiet(opens)


def works() -> RuleSet:
    """A mill: what is laid in is ground until nothing is left, the bell rings when the flour is full; a wheel turns to and fro."""
    g = Game("mill", players=1)
    corn, flour, bell, wheel = g.field("corn", values=range(5)), g.field("flour", values=range(9)), g.field("bell", values=bool), g.field("wheel", values=bool)
    lay = g.action("lay", by=0)
    much = lay.param("much", range(1, 5))
    lay.clause("MILL.lay", (corn == 0) & (flour < 4))
    lay.effect(put(corn, much))
    g.trigger("MILL.left", wheel, put(wheel, False))
    g.trigger("MILL.grind", corn > 0, [gain(corn, -1), gain(flour, 1)])
    g.trigger("MILL.bell", (flour >= 4) & ~bell, put(bell, True))
    return g.build()


GROUND = Property("ground", "invariant", "corn == 0 and (flour < 4 or bell)", settled=True)


def found(prop: Property, rules: RuleSet) -> Finding:
    return prove(prop, Scene(rules, rules.start), Limits(seconds=30, states=100))


def used(finding: Finding) -> Mapping[str, Sequence[str]]:
    assert finding.evidence is not None
    used: Mapping[str, Sequence[str]] = finding.evidence.certificate["used"]
    return used


def test_what_holds_at_rest_is_proved_by_idle_triggers_and_no_whole_pass() -> None:
    good = found(GROUND, works())
    assert good.verdict is Verdict.YES
    assert {*used(good)["at rest 0"]} == {IDLE + "MILL.grind", IDLE + "MILL.bell"}
    assert {name for name in used(good) if name.startswith(QUIET)} == {QUIET + "MILL.grind", QUIET + "MILL.bell"}


def test_what_does_not_hold_at_rest_is_shown_by_a_line() -> None:
    assert found(dataclasses.replace(GROUND, formula="corn == 0 and flour < 4"), works()).verdict is Verdict.NO


def test_rest_is_no_reason_where_the_trigger_is_missing() -> None:
    rules = works()
    without = dataclasses.replace(rules, triggers=tuple(t for t in rules.triggers if t.id != "MILL.bell"))
    assert found(GROUND, without).verdict is Verdict.NO


@pytest.mark.parametrize("forged", [
    {}, {QUIET + "MILL.bell": ["bell down", "when MILL.bell"]}, {QUIET + "MILL.bell": ["bell up"]}, {QUIET + "MILL.bell": ["corn up"]},
    {QUIET + "MILL.bell": ["bell up", "when MILL.bell", "after MILL.bell"]}, {QUIET + "MILL.bell": ["bell sideways"]}, {QUIET + "MILL.bell": []},
    {QUIET + "MILL.bell": ["bell up", "when MILL.bell"], QUIET + "MILL.grind": ["flour down", "when MILL.grind"]},
])  # fmt: skip
def test_the_second_engine_believes_no_other_reason(forged: Mapping[str, Sequence[str]]) -> None:
    good, rules = found(GROUND, works()), works()
    assert good.evidence is not None
    kept = {name: how for name, how in used(good).items() if name != QUIET + "MILL.bell"}
    certificate = {**good.evidence.certificate, "used": {**kept, **forged}}
    with pytest.raises(Refused):
        recheck(dataclasses.replace(good.evidence, certificate=certificate), Scene(rules, rules.start))


def test_a_trigger_that_is_never_quiet_is_not_idle_for_the_second_engine() -> None:
    rules = hidden()
    shut = Property("shut", "invariant", "not door or seen == 2", settled=True)
    assert found(shut, rules).verdict is Verdict.NO
    good = found(dataclasses.replace(shut, formula="seen <= 2"), rules)
    assert good.evidence is not None
    forged = {"used": {"at rest 0": [IDLE + "DOOR.guard"], QUIET + "DOOR.guard": ["seen up", "when DOOR.guard"]}}
    claim = {**good.evidence.claim, "formula": shut.formula}
    with pytest.raises(Refused, match=r"DOOR\.shuts"):
        recheck(dataclasses.replace(good.evidence, claim=claim, certificate={"invariants": [], "settled": True, **forged}), Scene(rules, rules.start))
