"""Each clause of the document with its rule, norm and cases; a clause counts as claimed if a mutant of it makes a test fail.

``docs/coverage-monster-rancher.md`` is generated here, and ``tests/corpus/rancher-mutants.json`` keeps what came of each mutant.
After a change of the rules, ``RENEW=1 pytest -m slow tests/rancher/test_coverage.py`` makes both anew; after a change of norms
or cases alone, ``RENEW=1 pytest tests/rancher/test_coverage.py`` is enough for the table.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rancher_positions import scattered

from monjudge.model.language import LimitReached, Move, RuleSet, State
from monjudge.model.rancher.cases import INFORMATION, answers
from monjudge.model.rancher.decks import shipped_decks
from monjudge.model.rancher.norms import reasons
from monjudge.model.rancher.rules import rancher
from monjudge.model.rancher.set_up import table
from monjudge.model.rancher.texts import clause_texts
from monjudge.solvers.cases import Case, read_cases, run_cases
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.verify.coverage import Coverage, cited
from monjudge.verify.mutation import Chosen, Mutant, Mutated, bare_hash, breach, mutants
from monjudge.verify.norms import Norms

ROOT = Path(__file__).resolve().parents[2]
CORPUS, TABLE = ROOT / "tests" / "corpus", ROOT / "docs" / "coverage-monster-rancher.md"
KEPT = CORPUS / "rancher-mutants.json"
RENEW = bool(os.environ.get("RENEW"))
POSITIONS = 40

SETTING = table([deck.cards for deck in shipped_decks().values()])


@cache
def rules() -> RuleSet:
    """The rules that are meant: both shipped decks, the default readings."""
    return rancher(SETTING, norms=True)


@cache
def corpus() -> list[Case]:
    """The cases under the default readings; those of other readings are cited only."""
    return read_cases([CORPUS / "rancher.jsonl"])


class Trial:
    """The cases of the corpus, then the norms on positions at random, against one mutant after the other."""

    def __init__(self) -> None:
        self.chosen = Chosen()
        self.engines: list[Mutated] = []
        self.answer = answers(self._engine, corpus())
        self.asked: dict[str, set[str]] = {}
        self.calls: dict[str, int] = {}
        for case in corpus():
            for engine in self.engines:
                engine.asked.clear()
            self.chosen.calls = 10**9
            assert self._passes(case), case["id"]
            self.calls[case["id"]] = 10**9 - self.chosen.calls
            self.asked[case["id"]] = set().union(*(engine.asked for engine in self.engines))
        self.norms, self.engine = Norms(rules()), Mutated(rules(), Chosen())
        self.steps = [step for seed in range(POSITIONS) for step in walk(seed)]

    def _engine(self, rules: RuleSet) -> Mutated:
        self.engines.append(Mutated(rules, self.chosen))
        return self.engines[-1]

    def _passes(self, case: Case) -> bool:
        return not next(run_cases([case], self.answer, INFORMATION)).fails

    def killer(self, mutant: Mutant) -> str | None:
        """The case or norm that fails under the mutant; None if it survives."""
        self.chosen.mutant = mutant
        try:
            for case in sorted(corpus(), key=lambda c: mutant.id.partition(":")[0] not in c.get("src", ())):
                if mutant.action in self.asked[case["id"]]:
                    self.chosen.calls = 50 * self.calls[case["id"]] + 1_000
                    if not self._passes(case):
                        return f"case {case['id']}"
        finally:
            self.chosen.mutant = None
        found = breach(self.engine, mutant, self.norms, self.steps)
        return f"norm {found}" if found else None


def walk(seed: int) -> Iterator[tuple[State, Move, State]]:
    """Some steps from a position at random."""
    rng, reference, enumerator = Random(seed), Reference(rules()), Enumerator(rules())
    state = reference.settle(scattered(rules(), SETTING, seed))
    for _ in range(12):
        moves = enumerator.moves(state)
        if not moves:
            return
        kind = rng.choice(sorted({m.action for m in moves}))
        move = rng.choice([m for m in moves if m.action == kind])
        try:
            after = reference.step(state, move)
        except LimitReached:
            return
        yield state, move, after
        state = after


@pytest.mark.slow
def test_what_came_of_each_mutant_is_what_is_kept() -> None:
    trial = Trial()
    killers = {str(mutant): trial.killer(mutant) for mutant in mutants(rules())}
    if RENEW:
        kept = {"rules": bare_hash([rules()]), "killed": {m: k for m, k in killers.items() if k},
                "survived": [m for m, k in killers.items() if not k]}  # fmt: skip
        KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    found = stored()
    assert {m for m, k in killers.items() if k} == set(found["killed"])
    assert [m for m, k in killers.items() if not k] == found["survived"]


# -- the table -----------------------------------------------------------------------------------------------


HEAD = """# Clause coverage of Monster Rancher / モンスターファームの条項の網羅

<!-- Generated by tests/rancher/test_coverage.py; do not edit. -->

Every clause of the document of the second game: the actions and triggers whose conditions state it, its literal norms, and the
cases that cite it. It counts as *claimed* when a mutant of its condition (the clause dropped, or a trigger that never fires) makes a
case fail or a norm break. A letter in place of a norm says why there is none.

二つ目のゲームの条項ごとに、それを条件とする行動とトリガー、文字どおりの規範、引用するケースを示す。条件の変異（条項を落とす、
トリガーを働かせない）でケースが失敗するか規範が破れるとき、その条項は検証済みとする。規範の代わりの記号は、規範がない理由を示す。
"""

EQUIVALENT = {
    "draw R.META.3 dropped": ("What is not in the library is drawn with weight nought.", "山札にないカードが引かれる重みは0である。"),
    "attack R.TECH.1 laxer 0": ("Every technique has a card, and none has the number nought.", "どの技にも持ち主のカードがあり、番号0のカードはない。"),
    "attack R.TECH.2 laxer 0": ("Where attacks are made, both monsters stand on a square.", "攻撃の段階では、どちらのモンスターもマスにいる。"),
    "heal R.INJ.3 laxer 0": ("Only a monster is ever injured.", "負傷するのはモンスターだけである。"),
    "heal R.MON.3 dropped": ("Where five stand, what was to be healed has lapsed before anybody can act.", "五体いれば、誰かが行動する前に回復は失われている。"),
    "heal R.MON.3 laxer 0": ("Where five stand, what was to be healed has lapsed before anybody can act.", "五体いれば、誰かが行動する前に回復は失われている。"),
}  # fmt: skip
"""Mutants that survive because they change nothing in any state that can be reached, with the reason."""

SURVIVORS = "Mutants that no case and no norm tells from the rules, with the reason where it changes nothing: / どのケースと規範も規則と区別しない変異（違いを生まないものはその理由）："


def marks() -> tuple[dict[str, str], list[str]]:
    """The mark of every clause without a norm, and the lines that say what the marks mean."""
    texts = list(dict.fromkeys(reasons().values()))
    letters = "abcdefghijklmnopqrstuvwxy"
    found = {id: f"— {letters[texts.index(text)]}" for id, text in reasons().items()}
    found |= {c.id: "— z" for c in clause_texts().values() if "flav" in c.kind}
    lines = [f"- {letters[n]}: {text.en} / {text.ja}" for n, text in enumerate(texts)]
    return found, [*lines, "- z: A heading, advice or flavour. / 見出し、助言、または雰囲気の文。"]


def stored() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def claimed() -> set[str]:
    """The clauses of which the missing is noticed."""
    words = [mutant.split() for mutant in stored()["killed"]]
    return {id.partition(":")[0] for _, id, change, *_ in words if change == "dropped"}


def coverage() -> Coverage:
    cases = cited(read_cases([CORPUS / f"{name}.jsonl" for name in ("rancher", "rancher-readings")]))
    return Coverage(list(clause_texts()), [rules()], cases, claimed(), marks()[0])


def page() -> str:
    table = coverage()
    numbers = (len(table.ids), sum(id in table.rules() for id in table.ids), sum(id in table.norms() for id in table.ids),
               sum(id in claimed() for id in table.ids))  # fmt: skip
    sums = "{} clauses: {} in rules, {} with norms, {} claimed. / 条項{}：規則{}、規範{}、検証済み{}。".format(*numbers, *numbers)
    survived = [f"- `{mutant}`" + (": {} / {}".format(*EQUIVALENT[mutant]) if mutant in EQUIVALENT else "") for mutant in stored()["survived"]]
    return "\n".join([HEAD, sums, "", *marks()[1], "", SURVIVORS, "", *survived, "", *table.lines(), ""])


def test_the_page_of_coverage_is_up_to_date() -> None:
    if RENEW:
        TABLE.write_text(page(), encoding="utf-8")
    assert TABLE.read_text(encoding="utf-8") == page(), "RENEW=1 pytest tests/rancher/test_coverage.py writes it anew"


def test_the_kept_mutants_are_those_of_the_rules_as_they_are() -> None:
    assert stored()["rules"] == bare_hash([rules()]), "RENEW=1 pytest -m slow tests/rancher/test_coverage.py asks them anew"
    assert {*stored()["killed"], *stored()["survived"]} == set(map(str, mutants(rules())))


def test_every_clause_of_the_rules_is_claimed_that_demands_something() -> None:
    demanding = {mutant.id.partition(":")[0] for mutant in mutants(rules()) if mutant.change == "dropped"}
    assert demanding - claimed() == set()
    # Playing no card is forbidden in one reading of AMB_ATK_CARDS only; its cases are asked in test_readings.
    assert {id for id in coverage().rules() if id not in demanding} == {"R.PULL.1"}


def test_mutants_of_which_it_is_said_that_they_change_nothing_survive() -> None:
    assert set(EQUIVALENT) <= set(stored()["survived"])


def test_no_norm_case_or_reason_speaks_of_a_clause_that_does_not_exist() -> None:
    # That a card must be held to be played is said by no sentence of the document.
    assert coverage().unknown() == ["rule: CARD.held"]
