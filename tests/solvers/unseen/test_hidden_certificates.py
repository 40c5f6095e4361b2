"""Certificates of hidden-card strategies: the reference accepts them, and refuses what was tampered with."""

from __future__ import annotations

import dataclasses
from collections import Counter
from random import Random

import pytest
from hidden_games import cave, caves, deals, tricks

from monjudge.model.language import Game, RuleSet, State, lift, put
from monjudge.solvers.certificate import Evidence, Refused, check
from monjudge.solvers.unseen import Hidden, evidence
from monjudge.solvers.verdict import Verdict


def proofs(count: int) -> list[tuple[RuleSet, Evidence]]:
    found = []
    asked: list[tuple[Hidden, State, int | None]] = [(Hidden(caves()), cave(seed), (None, 2, 3)[seed % 3]) for seed in range(count)]
    asked += [(Hidden(tricks(), ("win", "even")[n % 2]), state, 2) for n, state in enumerate(deals(count // 5))]
    for hidden, state, turns in asked:
        answer = hidden.answer(state, turns)
        if answer.verdict is not Verdict.UNKNOWN:
            found.append((hidden.rules, evidence(hidden, answer)))
    return found


def test_the_reference_accepts_the_certificates() -> None:
    seen = Counter[str]()
    for rules, found in proofs(100):
        again = Evidence.from_json(found.to_json())
        checked = check(again, rules)
        assert checked.decisions == len(found.certificate["choices"])
        seen[found.claim["answer"]] += checked.decisions > 1
    assert min(seen.values()) > 5


def test_what_was_tampered_with_is_refused() -> None:
    random, tried, accepted = Random(1), 0, 0
    for rules, found in proofs(60):
        choices = list(found.certificate["choices"])
        opposite = {"yes": "no", "no": "yes"}[found.claim["answer"]]
        for changed in (
            {"claim": {**found.claim, "answer": opposite}},
            {"claim": {**found.claim, "states": found.claim["states"] + 1}},
            {"certificate": {"choices": [*choices, 0]}},
            {"certificate": {"choices": [random.randrange(-1, 3) for _ in choices]}, "claim": {**found.claim, "answer": opposite}},
            *([{"certificate": {"choices": choices[:-1]}}] if choices else []),
        ):
            with pytest.raises(Refused):
                check(Evidence.from_json(dataclasses.replace(found, **changed).to_json()), rules)
            tried += 1
        for n in range(len(choices)):  # another decision is right only if it proves the same
            other = [*choices[:n], choices[n] + random.choice((-1, 1)), *choices[n + 1 :]]
            try:
                check(Evidence.from_json(dataclasses.replace(found, certificate={"choices": other}).to_json()), rules)
                accepted += 1
            except Refused:
                tried += 1
    assert tried > 3 * accepted > 0


def test_a_strategy_that_goes_round_is_no_proof() -> None:
    g = Game("round", players=2)
    at = g.field("at", values=range(3))
    for name, leads in (("turn", 1 - at), ("go", lift(2))):
        a = g.action(name)
        a.clause("R.open", (at < 2) & (a.me == 0))
        a.effect(put(at, leads))
    g.goal("win", 0, at == 2)
    rules = g.build()
    hidden = Hidden(rules)
    found = evidence(hidden, hidden.answer())
    moves = [move.action for move, _ in hidden.after(rules.start)]
    go, turn = (moves.index(name) for name in ("go", "turn"))
    for choices, holds in (([go], True), ([turn, go], True), ([turn, turn], False)):
        changed = dataclasses.replace(found, certificate={"choices": choices})
        if holds:
            assert check(changed, rules).decisions == len(choices)
        else:
            with pytest.raises(Refused, match="circles"):
                check(changed, rules)
