"""Each clause of the document with its rule, norm and cases; a clause counts as claimed if a mutant of it makes a test fail.

``docs/coverage.md`` is generated here, and ``tests/corpus/mutants.json`` keeps what came of each mutant. After a
change of the rules, ``RENEW=1 pytest -m slow tests/monjan/test_coverage.py`` makes both anew; after a change of norms
or cases alone, ``RENEW=1 pytest tests/monjan/test_coverage.py`` is enough for the table.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from monjan_positions import attacked, payments, scattered

from monjudge.model.language import NATURE, LimitReached, Move, RuleSet, State
from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.cases import INFORMATION, answers
from monjudge.model.monjan.catalogue.packs import default_pack
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.norms import reasons
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.set_up import first_state, table
from monjudge.model.monjan.texts import clause_texts
from monjudge.solvers.cases import Case, read_cases
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.verify.coverage import Coverage, cited, unknown_in_text
from monjudge.verify.mutation import Chosen, Mutant, Mutated, Trial, bare_hash, breach, mutants
from monjudge.verify.norms import Norms

ROOT = Path(__file__).resolve().parents[2]
CORPUS, TABLE = ROOT / "tests" / "corpus", ROOT / "docs" / "coverage.md"
KEPT = CORPUS / "mutants.json"
FILES = ("claims", "monjan", "monjan-turns", "questions", "readings-a", "readings-b", "situations", "spellings")
RENEW = bool(os.environ.get("RENEW"))

PACK = default_pack()
BOARDS = (("FLEHEIM", "HUNTERS"), ("ATELIER", "MANAST"), ("FLEHEIM", "ATELIER", "MANAST"))
MODES = ("EXTRA", "URA_INIT", "INIT")
"""The settings whose rules are meant: two and three players, all boards, with draft and hiding, under the default readings."""


@cache
def settings() -> list[Setting]:
    return [
        table(PACK, mode, [PRINTED[b] for b in boards], hiding=True) for mode, boards in zip(MODES, BOARDS, strict=True)
    ]


@cache
def rule_sets() -> list[RuleSet]:
    return [monjan(setting, norms=True) for setting in settings()]


def meant() -> list[RuleSet]:
    """The rule sets of which the record of mutants speaks."""
    return [*rule_sets(), otherwise()]


@cache
def corpus() -> list[Case]:
    return read_cases([CORPUS / f"{name}.jsonl" for name in FILES])


OTHERWISE = {"A02": "ANY_MONJAN", "A05": "COUNTS_TOTAL", "A13": "LISTED", "A15": "PREV_ORDER", "A26": "ALL_ROW",
             "A56": "ONCE_EACH", "A116": "ATTACK_SLOT", "A121": "YES"}  # fmt: skip
"""Readings under which the clauses that demand nothing under the default ones demand something."""


@cache
def otherwise() -> RuleSet:
    return monjan(replace(settings()[0], readings=OTHERWISE))


def every_mutant() -> list[Mutant]:
    """Those of the default readings; where a clause has none there, those of the other readings."""
    by_default = list(dict.fromkeys(itertools.chain(*map(mutants, rule_sets()))))
    changed = {(mutant.action, mutant.id) for mutant in by_default}
    return by_default + [mutant for mutant in mutants(otherwise()) if (mutant.action, mutant.id) not in changed]


EQUIVALENT = {
    "summon_by_skill TOUGH.ex2 stricter 1": (
        "The first card of the catalogue is a battle card, and no skill needs one.", "カタログの最初のカードはバトルカードであり、それを要するスキルはない。"
    ),
    "extra_heal EXTRA.4 stricter 0": (
        "The first card of the catalogue is a battle card, never the Extra card on the field.", "カタログの最初のカードはバトルカードであり、場のエキストラカードになることはない。"
    ),
}  # fmt: skip
"""The mutants that change nothing in any state that can be reached, with the reason in English and Japanese."""


# -- what kills a mutant -----------------------------------------------------------------------------------


class _Games:
    """Steps of some random games in one setting, with the norms and the mutants of its rules."""

    def __init__(self, rules: RuleSet, setting: Setting) -> None:
        self.norms, self.engine = Norms(rules), Mutated(rules, Chosen())
        self.steps = [*self._payments(rules, setting)] if setting.players == 2 else []
        self.steps += [step for seed in range(60 if setting.players == 2 else 34) for step in self._walk(rules, setting, seed)]

    def _payments(self, rules: RuleSet, setting: Setting) -> Iterator[tuple[State, Move, State]]:
        reference, enumerator = Reference(rules), Enumerator(rules)
        for cells in payments(setting):
            state = reference.settle(rules.state(cells))
            move = enumerator.moves(state)[0]
            yield state, move, reference.step(state, move)

    def _walk(self, rules: RuleSet, setting: Setting, seed: int) -> Iterator[tuple[State, Move, State]]:
        rng, reference, enumerator = Random(seed), Reference(rules), Enumerator(rules)
        state, most = reference.settle(self._begin(rules, setting, seed, rng)), 150 if seed < 4 else 25 if seed < 34 else 12
        weights: dict[str, float] = {}
        for _ in range(most):
            moves = enumerator.moves(state)
            if not moves:
                return
            odds = [1 if m.me == NATURE else weights.setdefault(m.action, rng.choice((0.05, 1, 1, 4))) for m in moves]
            move = rng.choices(moves, odds)[0]
            try:
                after = reference.step(state, move)
            except LimitReached:
                return
            yield state, move, after
            state = after

    def _begin(self, rules: RuleSet, setting: Setting, seed: int, rng: Random) -> State:
        if seed < 4:
            return first_state(rules, setting, PACK, rps_winner=seed % 2, by_lot=seed % 2 == 1)
        if seed < 34:
            return rules.state(scattered(rng, setting))
        return rules.state(attacked(rng, setting))

    def breach(self, mutant: Mutant) -> str | None:
        if mutant not in self.engine.numbers:
            return None
        return breach(self.engine, mutant, self.norms, self.steps)


def killer(trial: Trial, games: Iterable[_Games], mutant: Mutant) -> str | None:
    """The case of the corpus, or the norm on games at random, that fails under the mutant; None if it survives."""
    case = trial.killer(mutant)
    if case is not None:
        return f"case {case}"
    return next((f"norm {id}" for game in games if (id := game.breach(mutant))), None)


@pytest.mark.slow
def test_what_came_of_each_mutant_is_what_is_kept() -> None:
    trial = Trial(corpus(), answers, INFORMATION)
    games = [_Games(rules, setting) for rules, setting in zip(rule_sets(), settings(), strict=True)]
    killers = {str(mutant): killer(trial, games, mutant) for mutant in every_mutant()}
    if RENEW:
        kept = {"rules": bare_hash(meant()), "killed": {m: k for m, k in killers.items() if k},
                "survived": [m for m, k in killers.items() if not k]}  # fmt: skip
        KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    stored = json.loads(KEPT.read_text(encoding="utf-8"))
    assert {m for m, k in killers.items() if k} == set(stored["killed"])
    assert [m for m, k in killers.items() if not k] == stored["survived"]


# -- the table -----------------------------------------------------------------------------------------------


HEAD = """# Clause coverage / 条項の網羅

<!-- Generated by tests/monjan/test_coverage.py; do not edit. -->

Every clause of the document of Monjan Colosseum: the actions and triggers whose conditions state it, its literal norms, and the
cases that cite it. It counts as *claimed* when a mutant of its condition (the clause dropped, or a trigger that never fires) makes a
case fail or a norm break. A letter in place of a norm says why there is none.

モンジャンコロシアムの条項ごとに、それを条件とする行動とトリガー、文字どおりの規範、引用するケースを示す。条件の変異（条項を落とす、
トリガーを働かせない）でケースが失敗するか規範が破れるとき、その条項は検証済みとする。規範の代わりの記号は、規範がない理由を示す。
"""


SURVIVORS = """The mutants that survive change nothing that could be noticed: / 残った変異はどこにも違いを生まない：
"""


def marks() -> tuple[dict[str, str], list[str]]:
    """The mark of every clause without a norm, and the lines that say what the marks mean."""
    texts = list(dict.fromkeys(reasons().values()))
    letters = "abcdefghijklmnopqrstuvwxyz"
    found = {id: f"— {letters[texts.index(text)]}" for id, text in reasons().items()}
    found |= {c.id: "— z" for c in clause_texts().values() if c.kind == ("flav",)}
    lines = [f"- {letters[n]}: {text.en} / {text.ja}" for n, text in enumerate(texts)]
    return found, [*lines, "- z: A heading, advice or flavour. / 見出し、助言、または雰囲気の文。"]


def claimed() -> set[str]:
    """The clauses of which the missing is noticed."""
    stored = json.loads(KEPT.read_text(encoding="utf-8"))
    words = [mutant.split() for mutant in stored["killed"]]
    return {id.partition(":")[0] for _, id, change, *_ in words if change == "dropped"}


def coverage(claims: Iterable[str] = ()) -> Coverage:
    return Coverage(list(clause_texts()), rule_sets(), cited(corpus()), frozenset(claims), marks()[0])


def page() -> str:
    table = coverage(claimed())
    rules = table.rules()
    numbers = (len(table.ids), sum(id in rules for id in table.ids), sum(id in table.norms() for id in table.ids), len(claimed()))
    sums = "{} clauses: {} in rules, {} with norms, {} claimed. / 条項{}：規則{}、規範{}、検証済み{}。".format(*numbers, *numbers)
    equal = [f"- `{mutant}`: {en} / {ja}" for mutant, (en, ja) in EQUIVALENT.items()]
    return "\n".join([HEAD, sums, "", *marks()[1], "", SURVIVORS, *equal, "", *table.lines(), ""])


def test_the_page_of_coverage_is_up_to_date() -> None:
    if RENEW:
        TABLE.write_text(page(), encoding="utf-8")
    assert TABLE.read_text(encoding="utf-8") == page(), "RENEW=1 pytest tests/monjan/test_coverage.py writes it anew"


def test_the_kept_mutants_are_those_of_the_rules_as_they_are() -> None:
    stored = json.loads(KEPT.read_text(encoding="utf-8"))
    assert stored["rules"] == bare_hash(meant()), "RENEW=1 pytest -m slow tests/monjan/test_coverage.py asks them anew"
    assert {*stored["killed"], *stored["survived"]} == set(map(str, every_mutant()))


def test_every_clause_of_the_rules_is_claimed() -> None:
    assert [id for id in coverage().rules() if id not in claimed()] == []


def test_only_mutants_that_change_nothing_survive() -> None:
    stored = json.loads(KEPT.read_text(encoding="utf-8"))
    assert set(stored["survived"]) == set(EQUIVALENT)
    # The reason that is given for them.
    assert {rules.catalogue.cards[1].kind for rules in settings()} == {"PLUS"}


def test_no_rule_norm_case_or_reason_speaks_of_a_clause_that_does_not_exist() -> None:
    assert coverage().unknown() == []


def test_no_document_speaks_of_a_clause_that_does_not_exist() -> None:
    pages = [p for p in (ROOT, *(ROOT / "docs").rglob("*")) for p in ([p] if p.suffix == ".md" else p.glob("*.md"))]
    # The page of the verdicts names properties, of both games, by ids of their own.
    found = {str(p.relative_to(ROOT)): unknown_in_text(p.read_text(encoding="utf-8"), clause_texts()) for p in pages if p.name != "properties.md"}
    assert {name: words for name, words in found.items() if words} == {}
