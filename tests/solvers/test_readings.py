"""Which readings an answer hangs on, held against asking the reference under every single combination."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from random_rules import _Maker as Maker
from random_rules import random_cells

from monjudge.model.language import (
    ExpressionError,
    Game,
    LimitReached,
    Move,
    RuleSet,
    RuleSetError,
    State,
    as_int,
    field,
    put,
    reads,
)
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.legality import verdict_of
from monjudge.solvers.readings import Choice, Implicant, Question, Readings
from monjudge.solvers.verdict import Verdict

SEEDS = range(25)
NAMES = ("a", "b", "c")


class _Ambiguous(Maker):
    """Random rule sets with three or four switches that many of their conditions read."""

    def _fields(self) -> None:
        super()._fields()
        for n in range(self.random.choice((3, 3, 4))):
            values = NAMES[: self.random.randint(2, 3)]
            unsaid = values[-1:] if len(values) > 2 and self.random.random() < 0.3 else ()
            self.game.switch(f"S.{n}", values, self.random.choice(values), undetermined=unsaid)

    def truth(self, variables: dict[str, Any], depth: int) -> Any:
        plain = super().truth(variables, depth)
        for switch in self.game.lists["switches"]:
            if self.random.random() < 0.3:
                wanted = reads(field(switch.family, ()), *self.random.sample(switch.values, self.random.randint(1, 2)))
                plain = self.random.choice((plain | wanted, plain & wanted))
        return plain


@cache
def ambiguous(seed: int) -> RuleSet:
    for attempt in itertools.count():
        try:
            return _Ambiguous(Random(f"{seed}/{attempt}"), f"ambiguous {seed}").done()
        except (ExpressionError, RuleSetError):
            continue
    raise AssertionError


def verdict(reference: Reference, state: State, question: Question) -> Verdict:
    """The answer under the readings of a state that need not be settled, by trying every choice."""
    try:
        settled = reference.settle(state)
    except LimitReached:
        return Verdict.UNKNOWN
    answers = (verdict_of(reference.failing(settled, m))[0] for m in candidates(reference.rules, question))
    return min(answers, key=ORDER.index)


ORDER = (Verdict.YES, Verdict.UNDETERMINED, Verdict.UNKNOWN, Verdict.NO)


def candidates(rules: RuleSet, question: Question) -> Iterator[Move]:
    if isinstance(question, Move):
        yield question
        return
    domains = [(question.fixed[p.name],) if p.name in question.fixed else p.values for p in rules.by_name[question.action].params]
    for args in itertools.product(*domains):
        yield Move(question.action, question.me, args)


def worlds(rules: RuleSet, state: State) -> dict[tuple[str, ...], State]:
    """The state under every combination of readings that have a meaning."""
    places = [rules.offset[s.family.name] for s in rules.switches]
    found = {}
    for names in itertools.product(*([v for v in s.values if v not in s.undetermined] for s in rules.switches)):
        cells = list(state)
        for place, switch, name in zip(places, rules.switches, names, strict=True):
            cells[place] = switch.values.index(name)
        found[names] = tuple(cells)
    return found


def questions(rules: RuleSet, seed: int) -> Iterator[tuple[State, Question]]:
    rng = Random(f"questions {seed}")
    for _ in range(6):
        state = random_cells(rules, rng, config_only=rng.random() < 0.5)
        action = rng.choice(rules.actions)
        me = -1 if action.is_chance else rng.randrange(rules.players)
        args = tuple(rng.choice(p.values) for p in action.params)
        yield state, Move(action.name, me, args)
        kept = {p.name: n for p, n in zip(action.params, args, strict=True) if rng.random() < 0.3}
        yield state, Choice(action.name, me, kept)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_an_answer_depends_on_are_all_prime_implicants(seed: int) -> None:
    rules = ambiguous(seed)
    reference, readings = Reference(rules), Readings(rules)
    for state, question in questions(rules, seed):
        answers = {names: verdict(reference, world, question) for names, world in worlds(rules, state).items()}
        found = readings.depends(state, question)
        if len(set(answers.values())) == 1:
            assert (found.verdict, found.when) == (next(iter(answers.values())), {})
            continue
        assert found.verdict is Verdict.DEPENDS and set(found.when) == set(answers.values())
        for answer, implicants in found.when.items():
            assert len(set(implicants)) == len(implicants)
            assert set(implicants) == primes(rules, answers, answer)
            assert [len(i) for i in implicants] == sorted(len(i) for i in implicants)


def primes(rules: RuleSet, answers: dict[tuple[str, ...], Verdict], answer: Verdict) -> set[Implicant]:
    """By definition: of all sets of values for each switch, those that leave only worlds with the answer, and are largest."""
    other = sum(1 << n for n, a in enumerate(answers.values()) if a is not answer)
    cubes: list[tuple[Implicant, int]] = [((), (1 << len(answers)) - 1)]
    for at, switch in enumerate(rules.switches):
        meant = [v for v in switch.values if v not in switch.undetermined]
        sets = [s for k in range(1, len(meant) + 1) for s in itertools.combinations(meant, k)]
        inside = {s: sum(1 << n for n, names in enumerate(answers) if names[at] in s) for s in sets}
        cubes = [
            ((*cube, *([(switch, s)] if len(s) < len(meant) else [])), worlds_ & inside[s])
            for cube, worlds_ in cubes for s in sets
        ]  # fmt: skip
    implicants = [(cube, mask) for cube, mask in cubes if not mask & other]
    return {cube for cube, mask in implicants if not any(mask != larger and mask & larger == mask for _, larger in implicants)}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_flip_is_a_change_of_one_reading_that_changes_the_answer(seed: int) -> None:
    rules = ambiguous(seed)
    reference, readings = Reference(rules), Readings(rules)

    def answer(state: State, question: Question) -> Verdict:
        """Under a reading without meaning, what all others say."""
        at = [rules.offset[s.family.name] for s in rules.switches]
        unsaid = {n for n, s in zip(at, rules.switches, strict=True) if s.values[state[n]] in s.undetermined}
        same = [w for w in worlds(rules, state).values() if all(w[n] == state[n] for n in at if n not in unsaid)]
        found = {verdict(reference, world, question) for world in same}
        return found.pop() if len(found) == 1 else Verdict.UNDETERMINED

    for state, question in questions(rules, seed):
        found = readings.flips(state, question)
        first = answer(state, question)
        assert found.verdict is first
        expected = {}
        for switch in rules.switches:
            place = rules.offset[switch.family.name]
            for n, value in enumerate(switch.values):
                if value not in switch.undetermined and n != state[place]:
                    other = answer((*state[:place], n, *state[place + 1 :]), question)
                    if other is not first:
                        expected[switch.id, value] = other
        assert {(f.switch.id, f.value): f.verdict for f in found.flips} == expected


# -- where there is no answer --------------------------------------------------------------------------------


def gate() -> RuleSet:
    """A gate that opens under some readings of four switches, by itself under one of them."""
    g = Game("gate", players=2)
    keys, open_ = g.field("keys", 2, values=range(3)), g.field("open", values=bool)
    old, worn = g.switch("OLD", NAMES, "a"), g.switch("WORN", NAMES, "b")
    itself = g.switch("ITSELF", ("NO", "YES"), "NO")
    mute = g.switch("MUTE", ("SAID", "UNSAID", "DENIED"), "UNSAID", undetermined=["UNSAID"])
    a = g.action("enter", by=0)
    side = a.param("side", range(2))
    a.clause("G.keys", open_ | (keys[side] >= 2 - as_int(reads(old, "b", "c") & reads(worn, "b"))))
    a.clause("G.mute", (side == 0) | ~reads(mute, "DENIED"))
    a.effect(put(keys[side], 0))
    g.trigger("G.itself", reads(itself, "YES") & ~open_ & (keys[0] == 1), [put(open_, True)])
    return g.build()


def named(rules: RuleSet, state: State, question: Question) -> list[tuple[str, str, str]]:
    return [(f.switch.id, f.value, str(f.verdict)) for f in Readings(rules).flips(state, question).flips]


def test_a_flip_may_come_from_what_happens_by_itself() -> None:
    rules = gate()
    state = rules.state({"keys": [1, 0]})
    assert named(rules, state, Move("enter", 0, (0,))) == [("OLD", "b", "yes"), ("OLD", "c", "yes"), ("ITSELF", "YES", "yes")]
    found = Readings(rules).depends(state, Move("enter", 0, (0,)))
    assert [[(s.id, *values) for s, values in i] for i in found.when[Verdict.YES]] == [
        [("ITSELF", "YES")], [("OLD", "b", "c"), ("WORN", "b")],
    ]  # fmt: skip
    assert [s.id for s in found.switches] == ["OLD", "WORN", "ITSELF"]


def test_a_reading_without_meaning_stands_for_the_others_of_its_switch() -> None:
    rules = gate()
    asked = Readings(rules).flips(rules.state({"open": 1}), Move("enter", 0, (1,)))
    assert asked.verdict is Verdict.UNDETERMINED
    assert {(f.switch.id, f.value): f.verdict for f in asked.flips} == {
        ("MUTE", "SAID"): Verdict.YES, ("MUTE", "DENIED"): Verdict.NO,
    }  # fmt: skip
    assert Readings(rules).flips(rules.state({"open": 1}), Move("enter", 0, (0,))).verdict is Verdict.YES


def test_switches_that_are_not_asked_about_keep_the_reading_of_the_state() -> None:
    rules = gate()
    found = Readings(rules).depends(rules.state({"keys": [1, 0]}), Move("enter", 0, (0,)), ["OLD"])
    assert {v: [[(s.id, *values) for s, values in i] for i in w] for v, w in found.when.items()} == {
        Verdict.YES: [[("OLD", "b", "c")]], Verdict.NO: [[("OLD", "a")]],
    }  # fmt: skip


def test_a_switch_without_meaning_that_is_not_asked_about_leaves_the_answer_undetermined() -> None:
    rules = gate()
    found = Readings(rules).depends(rules.state({"open": 1}), Move("enter", 0, (1,)), ["OLD"])
    assert (found.verdict, found.when) == (Verdict.UNDETERMINED, {})


def test_where_a_limit_is_reached_the_answer_is_unknown() -> None:
    rules = gate()
    state, question = rules.state({"keys": [1, 0]}), Move("enter", 0, (0,))
    for readings in (Readings(rules, nodes=2), Readings(rules, work=3)):
        for found in (readings.flips(state, question), readings.depends(state, question)):
            assert found.verdict is Verdict.UNKNOWN and found.limit is not None


def test_what_cannot_be_asked_is_said() -> None:
    rules = gate()
    for question, told in (
        (Move("fly", 0), "no action 'fly'"), (Move("enter", 2, (0,)), "0..1"), (Move("enter", 0), "takes 1 parameters"),
        (Move("enter", 0, (5,)), "'side'"), (Choice("enter", 0, {"door": 1}), "'door'"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=told):
            Readings(rules).flips(rules.start, question)
    with pytest.raises(ValueError, match="does not leave open: NEW"):
        Readings(rules).depends(rules.start, Move("enter", 0, (0,)), ["NEW"])
