"""The rule set realises the literal sentences that it claims: held against random games under several readings."""

from __future__ import annotations

import dataclasses
from collections import Counter
from random import Random

import pytest

from monjudge.model.language import LimitReached
from monjudge.model.rancher.decks import shipped_decks
from monjudge.model.rancher.norms import reasons
from monjudge.model.rancher.rules import rancher
from monjudge.model.rancher.set_up import table
from monjudge.model.rancher.texts import clause_texts
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.verify.norms import NormReport, Norms

READ: tuple[dict[str, str], ...] = (
    {},
    {"AMB_MOVEORD": "SECRET_AT_ONCE", "AMB_HEAL": "DISCARDED", "AMB_AID": "BEFORE", "AMB_SIDE_REST": "HAND", "AMB_ORDER": "ALTERNATE"},
    {"AMB_ATK_WHO": "AT_ONCE", "AMB_DMGACC": "EACH_HIT", "AMB_HAND": "ONLY_UP", "AMB_EVTTIME": "MERGED", "AMB_BATTIE_SCOPE": "EACH"},
    {"AMB_WINTIE": "END_OF_TURN", "AMB_PLAYPHASE": "TWO", "AMB_SIDE_SOURCE": "HAND", "AMB_DECKOUT_WHEN": "AT_ONCE", "AMB_HEAL": "OVER_FIVE"},
)


def held(readings: dict[str, str], games: int) -> NormReport:
    """What random games say of the norms: at every state the move taken and two others."""
    decks = shipped_decks()
    rules = rancher(table((decks["MEADOW"].cards, decks["QUARRY"].cards), readings), norms=True)
    bare = dataclasses.replace(rules, norms=())
    reference, moves, norms, report = Reference(bare), Enumerator(bare), Norms(rules), NormReport(rules.norms)
    for seed in range(games):
        rng, state = Random(seed), reference.settle(rules.start)
        for _ in range(600):
            legal = moves.moves(state)
            norms.hold(report, state, None, None)
            if not legal:
                break
            kind = rng.choice(sorted({m.action for m in legal}))
            taken = rng.choice([m for m in legal if m.action == kind])
            for move in dict.fromkeys((*rng.sample(legal, min(2, len(legal))), taken)):
                try:
                    after = reference.step(state, move)
                except LimitReached:
                    return report
                norms.hold(report, state, move, after)
            state = after
    return report


@pytest.mark.parametrize("readings", READ, ids=lambda r: " ".join(r.values()) or "default")
def test_no_norm_that_is_claimed_is_broken(readings: dict[str, str]) -> None:
    report = held(readings, 4)
    assert Counter(breach.norm for breach in report.breaches) == Counter()


def test_every_norm_is_met_in_some_game() -> None:
    assert held({}, 12).vacuous() == []


def test_every_clause_has_a_norm_or_a_reason_and_not_both() -> None:
    decks = shipped_decks()
    norms = {n.id for n in rancher(table((decks["MEADOW"].cards, decks["QUARRY"].cards)), norms=True).norms}
    assert norms <= set(clause_texts()) and set(reasons()) <= set(clause_texts())
    assert norms & set(reasons()) == set()
    assert {c.id for c in clause_texts().values() if "flav" not in c.kind} - norms - set(reasons()) == set()
