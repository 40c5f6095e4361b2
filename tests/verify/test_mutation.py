"""Mutants of a small made-up game: which there are, what each changes, and that norms notice it."""

from __future__ import annotations

import pytest

from monjudge.model.language import Game, LimitReached, Move, RuleSet, gain, primed, put
from monjudge.solvers.engines.reference import Reference
from monjudge.verify.mutation import Chosen, Mutant, Mutated, bare_hash, breach, mutants
from monjudge.verify.norms import Norms


def jar(text: str = "At most five.", most: int = 5, norms: bool = True) -> RuleSet:
    """A jar of marbles: one or two are put in while it is open and has room; a full jar closes by itself."""
    g = Game("jar", players=1)
    marbles, closed = g.field("marbles", values=range(8)), g.field("closed", values=bool)
    a = g.action("add", by=0)
    number = a.param("number", range(1, 3))
    a.clause("JAR.1", ~closed & (marbles + number <= most), en=text)
    a.limit("LIMIT.jar", marbles < 7)
    a.effect(gain(marbles, number))
    g.trigger("JAR.2", ~closed & (marbles == 5), [put(closed, True)])
    if norms:
        g.norm("N.room", "obligation", marbles + number <= 5, on="add")
        g.norm("N.shut", "effect", primed(closed), scope=primed(marbles) == 5)
        g.norm("N.open", "prohibition", closed, on="add")
    return g.build()


DROPPED, STRICTER, LAXER, UNFIRED = (
    Mutant("add", "JAR.1", "dropped"), Mutant("add", "JAR.1", "stricter 1"), Mutant("add", "JAR.1", "laxer 1"),
    Mutant("", "JAR.2", "dropped"),
)  # fmt: skip


def test_every_clause_is_dropped_every_comparison_moved_by_one_and_every_trigger_kept_from_firing() -> None:
    assert set(mutants(jar())) == {DROPPED, STRICTER, LAXER, UNFIRED}
    assert str(UNFIRED) == "trigger JAR.2 dropped"


@pytest.mark.parametrize("mutant, legal", [
    (None, [True, True, False]), (DROPPED, [True, True, True]), (STRICTER, [True, False, False]), (LAXER, [True, True, True]),
])  # fmt: skip
def test_one_engine_plays_by_any_of_the_mutants(mutant: Mutant | None, legal: list[bool]) -> None:
    rules, chosen = jar(), Chosen()
    engine = Mutated(rules, chosen)
    chosen.mutant = mutant
    moves = [(rules.state({"marbles": 3}), 1), (rules.state({"marbles": 3}), 2), (rules.state({"marbles": 4}), 2)]
    assert [engine.legal(state, Move("add", 0, (n,))) for state, n in moves] == legal
    assert [Move("add", 0, (n,)) in engine.moves_of(state, "add") for state, n in moves] == legal
    assert [not engine.failing(state, Move("add", 0, (n,))) for state, n in moves] == legal


def test_a_trigger_that_is_dropped_does_not_fire() -> None:
    chosen = Chosen()
    engine = Mutated(jar(), chosen)
    assert engine.step((4, 0), Move("add", 0, (1,))) == (5, 1)
    chosen.mutant = UNFIRED
    assert engine.step((4, 0), Move("add", 0, (1,))) == (5, 0)
    assert engine.settle((5, 0)) == (5, 0)


def test_a_mutant_of_another_rule_set_changes_nothing() -> None:
    chosen = Chosen()
    engine = Mutated(jar(), chosen)
    chosen.mutant = Mutant("take", "JAR.9", "dropped")
    assert not engine.legal((5, 1), Move("add", 0, (1,)))


@pytest.mark.parametrize("mutant, norm", [(DROPPED, "N.room"), (LAXER, "N.room"), (STRICTER, None), (UNFIRED, "N.shut")])
def test_a_mutant_that_allows_more_breaks_a_norm(mutant: Mutant, norm: str | None) -> None:
    rules = jar()
    plain = Reference(rules)
    move = Move("add", 0, (1,))
    steps = [(s, move, plain.step(s, move)) for s in ((3, 0), (4, 0))]
    assert breach(Mutated(rules, Chosen()), mutant, Norms(rules), steps) == norm


def test_a_test_that_would_not_end_is_ended() -> None:
    chosen = Chosen()
    engine = Mutated(jar(), chosen)
    chosen.calls = 1
    assert not engine.over((0, 0))
    with pytest.raises(LimitReached, match="too many questions"):
        engine.over((0, 0))


def test_the_hash_is_of_what_the_rules_do_and_not_of_their_texts_or_norms() -> None:
    assert bare_hash([jar()]) == bare_hash([jar("No more than five.", norms=False)])
    assert bare_hash([jar()]) != bare_hash([jar(most=6)])
