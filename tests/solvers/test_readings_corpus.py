"""The states of the corpus at which readings part: single flips and implicants, held against the reference."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from monjudge.model.language import LimitReached, Move, RuleSet, State, Switch
from monjudge.model.monjan.cases import answers
from monjudge.model.monjan.readings import LIVE
from monjudge.solvers.cases import CaseEngine, read_cases, run_cases
from monjudge.solvers.legality import verdict_of
from monjudge.solvers.readings import Readings
from monjudge.solvers.verdict import Verdict

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
CASES = read_cases(sorted(CORPUS.glob("readings-*.jsonl")))
SWITCHES = sorted({case["id"].split("-")[0] for case in CASES} & set(LIVE))
MOST = 40
"""Moves of one case that are tried under the other readings of its switch."""


class _Recorder(CaseEngine):
    """Remembers which moves a case asks for."""

    asked: dict[tuple[State, Move], _Recorder]

    def legal(self, state: State, move: Move) -> bool:
        if self._in_domain(move):
            self.asked.setdefault((state, move), self)
        return super().legal(state, move)


def changed(rules: RuleSet, state: State, switch: Switch, value: str) -> State:
    place = rules.offset[switch.family.name]
    return (*state[:place], switch.values.index(value), *state[place + 1 :])


def verdict(engine: CaseEngine, state: State, move: Move) -> Verdict:
    try:
        return verdict_of(engine.failing(engine.settle(state), move))[0]
    except LimitReached:
        return Verdict.UNKNOWN


def questions(switch: str) -> Iterator[tuple[CaseEngine, State, Move, Switch]]:
    """The moves that the cases of a switch ask for; all switches that these cases name are open."""
    mine = [case for case in CASES if case["id"].split("-")[0] == switch]
    asked = _Recorder.asked = {}
    ask = answers(_Recorder, open={name for case in mine for name in case["readings"]})
    for case in mine:
        asked.clear()
        assert [result.error for result in run_cases([case], ask)] == [None]
        for (state, move), engine in list(asked.items())[:MOST]:
            yield engine, state, move, next(s for s in engine.rules.switches if s.id == switch)


@cache
def parting(switch: str) -> list[tuple[CaseEngine, State, Move, dict[str, Verdict]]]:
    """Questions of the corpus that not all readings of the switch answer alike, with the answer of each; some of them."""
    found = []
    for engine, state, move, chosen in questions(switch):
        meant = [value for value in chosen.values if value not in chosen.undetermined]
        by_reading = {value: verdict(engine, changed(engine.rules, state, chosen, value), move) for value in meant}
        if len(set(by_reading.values())) > 1:
            found.append((engine, state, move, by_reading))
    return found[:6]


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_switch_on_which_a_case_hangs_is_named_with_every_reading_that_flips_it(switch: str) -> None:
    for engine, state, move, by_reading in parting(switch):
        chosen = next(s for s in engine.rules.switches if s.id == switch)
        for value, answer in by_reading.items():
            found = Readings(engine.rules).flips(changed(engine.rules, state, chosen, value), move)
            assert found.verdict is answer
            flips = {flip.value: flip.verdict for flip in found.flips if flip.switch.id == switch}
            assert flips == {v: other for v, other in by_reading.items() if other is not answer}


@pytest.mark.parametrize("switch", SWITCHES)
def test_the_implicants_over_a_switch_are_the_readings_with_each_answer(switch: str) -> None:
    for engine, state, move, by_reading in parting(switch):
        found = Readings(engine.rules).depends(state, move, [switch])
        assert found.verdict is Verdict.DEPENDS
        wanted = defaultdict(set)
        for value, answer in by_reading.items():
            wanted[answer].add(value)
        when = {a: [{(s.id, *values) for s, values in i} for i in implicants] for a, implicants in found.when.items()}
        meant = {a: [{(switch, *(v for v in by_reading if v in values))}] for a, values in wanted.items()}
        assert when == meant


def test_the_corpus_has_such_a_question_for_many_switches() -> None:
    assert sum(bool(parting(switch)) for switch in SWITCHES) >= 40
