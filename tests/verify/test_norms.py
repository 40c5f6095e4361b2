"""Each kind of norm is held against a small made-up game: the breach is found, the good form is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from monjudge.model.language import FALSE, Game, Move, RuleSet, Scope, State, gain, parse_expr, primed, put
from monjudge.solvers.engines.reference import Reference
from monjudge.verify.norms import NormReport, Norms, abreast, check_norms


class Jar:
    """A jar of at most five marbles: one may add one or two, or take one; it is closed for good, or when full."""

    def __init__(self) -> None:
        self.game = g = Game("jar", players=2)
        self.marbles = g.field("marbles", values=range(7))
        self.closed = g.field("closed", values=bool)
        add = g.action("add", by=0)
        self.number = add.param("number", range(1, 3))
        add.clause("JAR.1", ~self.closed & (self.marbles + self.number <= 5))
        add.effect(gain(self.marbles, self.number))
        take = g.action("take", by=1)
        take.clause("JAR.2", ~self.closed & (self.marbles > 0))
        take.effect(gain(self.marbles, -1))
        shut = g.action("shut", by=0)
        shut.clause("JAR.3", ~self.closed)
        shut.effect(put(self.closed, True))


def report(say: Callable[[Jar], Any]) -> NormReport:
    """The report on all states of the jar under the norms that ``say`` adds."""
    jar = Jar()
    say(jar)
    rules = jar.game.build()
    return check_norms(rules, Reference(rules), states(rules), most=100)


def states(rules: RuleSet) -> list[State]:
    return [rules.state({"marbles": n, "closed": c}) for n in range(6) for c in (0, 1)]


CASES = {
    "definition": (
        lambda j: j.game.norm("N", "definition", j.marbles <= 5),
        lambda j: j.game.norm("N", "definition", j.marbles <= 4),
    ),
    "obligation in a state": (
        lambda j: j.game.norm("N", "obligation", j.marbles > 0, scope=j.marbles > 2),
        lambda j: j.game.norm("N", "obligation", j.marbles > 0),
    ),
    "obligation at a move": (
        lambda j: j.game.norm("N", "obligation", j.marbles + j.number <= 5, on="add"),
        lambda j: j.game.norm("N", "obligation", j.number == 1, on="add"),
    ),
    "prohibition in a state": (
        lambda j: j.game.norm("N", "prohibition", j.marbles > 5),
        lambda j: j.game.norm("N", "prohibition", j.marbles == 5),
    ),
    "prohibition at a move": (
        lambda j: j.game.norm("N", "prohibition", j.closed, on="take"),
        lambda j: j.game.norm("N", "prohibition", j.marbles == 1, on="take"),
    ),
    "effect of a move": (
        lambda j: j.game.norm("N", "effect", primed(j.marbles) == j.marbles + j.number, on="add"),
        lambda j: j.game.norm("N", "effect", primed(j.marbles) == j.marbles + 1, on="add"),
    ),
    "effect of every step": (
        lambda j: j.game.norm("N", "effect", ~j.closed | primed(j.closed)),
        lambda j: j.game.norm("N", "effect", ~primed(j.closed)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("good, bad", CASES.values(), ids=CASES)
def test_a_norm_that_is_realised_has_no_breach_and_one_that_is_not_has(good: Callable[[Jar], Any], bad: Callable[[Jar], Any]) -> None:
    kept, broken = report(good), report(bad)
    assert kept.breaches == [] and kept.met[0] > 0
    assert {b.norm for b in broken.breaches} == {"N"}


def test_a_breach_names_the_state_the_move_and_the_state_after_it() -> None:
    found = report(lambda j: j.game.norm("N", "effect", primed(j.marbles) <= 4, on="add")).breaches
    assert [(b.state, b.move, b.after) for b in found] == [
        ((3, 0), Move("add", 0, (2,)), (5, 0)),
        ((4, 0), Move("add", 0, (1,)), (5, 0)),
    ]


def test_a_permission_is_met_by_a_legal_move_and_else_is_vacuous() -> None:
    met = report(lambda j: j.game.norm("N", "permission", j.marbles == 1, on="take"))
    vain = report(lambda j: j.game.norm("N", "permission", j.marbles == 0, on="take"))
    assert (met.breaches, met.vacuous()) == ([], [])
    assert (vain.breaches, vain.vacuous()) == ([], ["N"])


def test_a_norm_whose_scope_is_never_met_is_vacuous() -> None:
    found = report(lambda j: j.game.norm("N", "definition", FALSE, scope=j.marbles == 6))
    assert (found.breaches, found.vacuous()) == ([], ["N"])


def test_a_norm_that_is_not_claimed_is_not_asked() -> None:
    found = report(lambda j: j.game.norm("N", "definition", FALSE, claimed=FALSE))
    assert (found.breaches, found.vacuous()) == ([], ["N"])


def test_a_claim_that_depends_on_the_state_is_asked_in_each() -> None:
    found = report(lambda j: j.game.norm("N", "definition", j.marbles < 3, claimed=~j.closed))
    assert sorted({b.state for b in found.breaches}) == [(3, 0), (4, 0), (5, 0)]


def test_the_check_stops_after_so_many_breaches() -> None:
    jar = Jar()
    jar.game.norm("N", "definition", FALSE)
    rules = jar.game.build()
    assert len(check_norms(rules, Reference(rules), states(rules), most=3).breaches) == 3


def test_a_move_beyond_a_bound_of_the_model_says_nothing_about_effects() -> None:
    game = Game("tower", players=1)
    height = game.field("height", values=range(3))
    build = game.action("build", by=0)
    build.clause("T.1", height >= 0)
    build.effect(gain(height, 1))
    game.norm("E", "effect", primed(height) == height + 1, on="build")
    game.norm("P", "permission", height == 2, on="build")
    rules = game.build()
    found = check_norms(rules, Reference(rules), [(n,) for n in range(3)])
    assert found.breaches == []
    assert [found.met[0], found.met[1]] == [2, 1]


def test_the_compiled_norm_is_the_norm_over_the_two_states_side_by_side() -> None:
    jar = Jar()
    rules = jar.game.build()
    flat = abreast(rules)(parse_expr("next marbles == marbles + 1 and not next closed", Scope.of(rules)))
    assert repr(flat) == "next.marbles == marbles + 1 and not next.closed"
    assert Norms(rules).rules is rules
