"""The rule set realises the literal sentences that it claims: held against games, positions and readings by lot.

A walk begins at a table that is set and drafted, or in the middle of a game at a position made by lot, where columns
have fallen and much is possible. Of the legal moves of a state a sample is looked at, at least one of each kind;
the walk goes on with one of them. Positions about payment are made on purpose.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from random import Random
from typing import Any, NamedTuple

import pytest
from monjan_positions import attacked, payments, scattered

from monjudge.model.language import (
    FALSE,
    NATURE,
    TRUE,
    Clause,
    LimitReached,
    Move,
    RuleSet,
    State,
    lift,
)
from monjudge.model.monjan import battle, speed, turns
from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.catalogue.packs import ET, default_pack
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.norms import reasons
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.set_up import first_state, table
from monjudge.model.monjan.texts import clause_texts
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.verify.norms import Breach, NormReport, Norms, check_norms

PACK = default_pack()


class Kind(NamedTuple):
    """A setting: mode, boards, readings that differ from the default, hiding."""

    mode: str
    boards: str
    readings: tuple[str, ...] = ()
    hiding: bool = False
    agreed: int | None = None
    """So many E and T cards are agreed on for the pile (MODE.3b)."""


DEFAULT = (
    Kind("EXTRA", "FLEHEIM HUNTERS"),
    Kind("URA_INIT", "ATELIER MANAST", ("SEQ ON",), hiding=True),
    Kind("INIT", "MANAST HUNTERS"),
    Kind("LM", "FLEHEIM ATELIER"),
    Kind("URA_LM", "HUNTERS ATELIER"),
    Kind("URA_EXTRA", "HUNTERS MANAST"),
    Kind("INIT", "FLEHEIM ATELIER HUNTERS"),
)
"""Settings under the default readings; the order of edit turns is a choice of the players, not a reading."""

READ = (
    Kind("URA_LM", "FLEHEIM HUNTERS", (
        "A02 ANY", "A08 EACH", "A09 EACH_ROW", "A43 ANY", "A25 LT", "A78 LEFT_UNLOCKS_BOTH", "A72 IMMEDIATE", "A67 MANA_ONLY",
        "A98 PROTECTED", "A88 KEEP_LAST_ANY")),
    Kind("EXTRA", "ATELIER FLEHEIM", (
        "A29 MANA_ONLY", "A108 LR_ONLY", "A103 ONLY_BA_DEFERRED", "A124 TOKEN", "A47 FACE_DOWN_IS_ZERO", "A146 ALWAYS_SEPARATE",
        "A95 NOTHING_BUT_NUMBER"), hiding=True),
    Kind("INIT", "MANAST ATELIER", (
        "A141 ALL_REMAINING", "A111 SAME_CARDS", "A98 PROTECTED_IN_RELEASE", "A92 TWO_HALVES", "A78 LEFT_UNLOCKS_BOTH", "A88 KEEP_LAST_1TURN")),
    Kind("EXTRA", "HUNTERS FLEHEIM", ("A142 FREE_TOTAL", "A99 ALL_BUT_ONE", "A48 DYNAMIC", "A46 PREV_ORDER"), agreed=12),
)  # fmt: skip
"""Settings under which sentences are claimed that the default readings leave to others."""


class Hall:
    """One setting with its engines; ``moves`` gives a sample of the legal moves, every kind among them."""

    def __init__(self, kind: Kind) -> None:
        readings = dict(item.split() for item in kind.readings)
        self.kind = kind
        self.setting: Setting = table(PACK, kind.mode, [PRINTED[b] for b in kind.boards.split()], readings, hiding=kind.hiding)
        self.rules = monjan(self.setting, norms=True)
        self.norms = Norms(self.rules)
        self.reference, self.enumerator = Reference(self.rules), Enumerator(self.rules)
        self.step = lru_cache(2_000)(self.reference.step)
        self.rng, self.most = Random(0), 25

    def moves(self, state: State) -> list[Move]:
        """Up to ``most`` legal moves, at least one of each kind."""
        found = self.enumerator.moves(state)
        if len(found) > self.most:
            self.rng.shuffle(found)
            kinds = {(m.action, m.me): m for m in found}
            found = list(dict.fromkeys([*kinds.values(), *found[: self.most]]))
        return found

    def walk(self, state: State, most: int) -> Iterator[State]:
        """The states of a random game from here on, the first one included."""
        weights: dict[str, float] = {}
        for _ in range(most):
            yield state
            moves = self.moves(state)
            if not moves:
                return
            odds = [1 if m.me == NATURE else weights.setdefault(m.action, self.rng.choice((0.05, 1, 1, 4))) for m in moves]
            try:
                state = self.step(state, self.rng.choices(moves, odds)[0])
            except LimitReached:
                return

    def start(self, seed: int) -> State:
        """A table before the draft; who picks first and whether lots decide go by the seed."""
        agreed = None
        if self.kind.agreed is not None:
            agreed = Counter(dict(itertools.islice(((c, 1) for c in PACK.copies(ET)), self.kind.agreed)))
        begin = first_state(self.rules, self.setting, PACK, rps_winner=seed % self.setting.players, by_lot=seed % 2 == 1, agreed=agreed)
        return self.reference.settle(begin)

    def states(self, starts: int, positions: int) -> Iterator[State]:
        """The states of walks from tables and from positions in an edit turn and in a battle turn."""
        for seed in range(starts):
            self.rng = Random(f"{self.kind} start {seed}")
            yield from self.walk(self.start(seed), 90)
        for seed in range(positions):
            self.rng = Random(f"{self.kind} position {seed}")
            yield from self.walk(self.settled(scattered(self.rng, self.setting)), 40)
            for _ in range(2 if self.setting.players == 2 else 0):
                yield from self.walk(self.settled(attacked(self.rng, self.setting)), 10)

    def settled(self, cells: dict[str, Any]) -> State:
        return self.reference.settle(self.rules.state(cells))


# -- the rule set realises what it claims ------------------------------------------------------------------


PAYING = (DEFAULT[0], *READ[:3])
"""Settings in which the positions about payment are looked at, too."""

NEVER_MET = {
    # The act is never legal, which is what the sentence says.
    ("BCARD.10", "kill"), ("BOSS.3a", "recycle"),
    # No edit skill of the shipped cards releases three mana; none but the summon needs another card.
    ("RELEASE.ex2a", "edit_skill"), ("TOUGH.ex2", "edit_skill"),
}  # fmt: skip

UNREALISED = {"CARD.1", "ATK.1", "FALL.1b", "BATTLE.4", "FALL.8"}
"""Sentences of which one literal form is claimed under no reading of the rule set: another sentence prevails."""


@cache
def hall(kind: Kind) -> Hall:
    return Hall(kind)


def held(where: Hall, starts: int, positions: int, most: int = 10**9) -> NormReport:
    """What came of the walks and, in some settings, of the positions about payment."""
    report = check_norms(where.rules, where, where.states(starts, positions), most, where.norms)
    if where.kind in PAYING:
        every = Hall.__new__(Hall)
        every.__dict__.update(where.__dict__ | {"most": 10**6})
        paid = check_norms(where.rules, every, map(where.settled, payments(where.setting)), most, where.norms)
        report.breaches += paid.breaches
        report.met += paid.met
    return report


def shown(breaches: list[Breach]) -> list[tuple[str, Move | None]]:
    """The first breach of each norm."""
    return list({b.norm: (b.norm, b.move) for b in reversed(breaches)}.values())


@pytest.mark.parametrize("kind", DEFAULT, ids=lambda k: f"{k.mode} {k.boards}")
def test_the_default_readings_realise_the_sentences_they_claim(kind: Kind) -> None:
    assert shown(held(hall(kind), starts=1, positions=2).breaches) == []


@pytest.mark.parametrize("kind", READ, ids=lambda k: f"{k.mode} {k.boards}")
def test_other_readings_realise_the_sentences_they_claim(kind: Kind) -> None:
    assert shown(held(hall(kind), starts=1, positions=2).breaches) == []


@pytest.mark.slow
def test_no_sentence_is_claimed_in_vain() -> None:
    claimed, met = set(), set()
    for kind in (*DEFAULT, *READ):
        where = hall(kind)
        report = held(where, starts=4, positions=30)
        assert shown(report.breaches) == []
        seen: Counter[tuple[str, str | None, str]] = Counter()
        for at, norm in enumerate(where.rules.norms):
            key = (norm.id, norm.on, norm.kind)
            seen[key] += 1
            if norm.claimed is not FALSE:
                claimed.add((*key, seen[key]))
            if report.met[at]:
                met.add((*key, seen[key]))
    assert {(id, on) for id, on, _, _ in claimed - met} == NEVER_MET


def test_only_a_listed_few_sentences_are_realised_under_no_reading() -> None:
    forms: dict[tuple[str, str | None, str, int], bool] = {}
    for kind in (*DEFAULT, *READ):
        seen: Counter[tuple[str, str | None, str]] = Counter()
        for norm in hall(kind).rules.norms:
            key = (norm.id, norm.on, norm.kind)
            seen[key] += 1
            forms[*key, seen[key]] = forms.get((*key, seen[key]), False) or norm.claimed is not FALSE
    assert {id for (id, *_), claimed in forms.items() if not claimed} == UNREALISED


# -- a fault planted in a chapter is caught ------------------------------------------------------------------


def attack_is_one_more(monkeypatch: pytest.MonkeyPatch) -> str:
    """The attack card has another power than its number."""
    monkeypatch.setattr(battle, "attack_value", lambda m, p, c: m.value(m.attack[p, c]) + 1)
    return "ATK.5"


def supply_is_two(monkeypatch: pytest.MonkeyPatch) -> str:
    """A fall gives two cards in place of three."""
    monkeypatch.setattr(turns, "supply", lambda m: (lift(2), lift(0)))
    return "FALL.4"


def guard_stays(monkeypatch: pytest.MonkeyPatch) -> str:
    """A guarding attack card is not lost."""
    monkeypatch.setattr(battle, "lose_attack", lambda m, p, c, when=True: [])
    return "GUARD.6"


def first_strike_is_slow(monkeypatch: pytest.MonkeyPatch) -> str:
    """The slower player strikes first."""
    truth = speed._earlier
    monkeypatch.setattr(speed, "_earlier", lambda m, p, q, of: truth(m, q, p, of))
    return "SPEED.1"


def caught(faulty: Hall, norm: str) -> bool:
    """Whether the norm is broken in one of some walks."""
    states = faulty.states(0, 12)
    while some := list(itertools.islice(states, 30)):
        report = check_norms(faulty.rules, faulty, some, 10**9, faulty.norms)
        if norm in {b.norm for b in report.breaches}:
            return True
    return False


@pytest.mark.parametrize("plant", [attack_is_one_more, supply_is_two, guard_stays, first_strike_is_slow], ids=lambda f: f.__name__)
def test_a_fault_in_a_chapter_is_caught(plant: Callable[[pytest.MonkeyPatch], str], monkeypatch: pytest.MonkeyPatch) -> None:
    norm = plant(monkeypatch)
    faulty = Hall(DEFAULT[0])
    monkeypatch.undo()
    assert caught(faulty, norm)


def test_a_maximum_that_is_not_asked_is_caught() -> None:
    where = hall(DEFAULT[0])
    free = without(where.rules, "attack", "ATK.1")
    faulty = Hall.__new__(Hall)
    faulty.__dict__.update(where.__dict__ | {"rules": free, "enumerator": Enumerator(free)})
    assert caught(faulty, "ATK.1")


def without(rules: RuleSet, action: str, clause: str) -> RuleSet:
    """The rule set in which a clause of an action says nothing."""
    def empty(c: Clause) -> Clause:
        return dataclasses.replace(c, expr=TRUE) if c.id == clause else c

    actions = [dataclasses.replace(a, clauses=tuple(map(empty, a.clauses))) if a.name == action else a for a in rules.actions]
    return dataclasses.replace(rules, actions=tuple(actions))


# -- every clause has its norm, or a reason why it has none --------------------------------------------------


def test_every_clause_is_flavour_or_has_a_norm_or_a_reason_and_never_two_of_them() -> None:
    normed = {norm.id for kind in (*DEFAULT, *READ) for norm in hall(kind).rules.norms}
    flavour = {c.id for c in clause_texts().values() if c.kind == ("flav",)}
    homes = {id: (id in normed) + (id in flavour) + (id in reasons()) for id in (*clause_texts(), *normed, *reasons())}
    assert {id: number for id, number in homes.items() if number != 1} == {}
    assert set(homes) == set(clause_texts())


def test_every_reason_is_given_in_both_languages() -> None:
    texts = set(reasons().values())
    assert len(texts) == 9
    assert all(text.en != text.ja and text.en.endswith(".") and text.ja.endswith("。") for text in texts)
