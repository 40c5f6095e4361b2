"""Questions to z3: whatever is assumed at first, the answer is that of looking at every state, and what it names is enough."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random

import pytest

from monjudge.model.language import Expr, Game, RuleSet, evaluate, field
from monjudge.model.properties import Scene
from monjudge.verify import queries as module
from monjudge.verify.queries import SETTLED, Clock, Condition, Queries, Refuted


def three() -> RuleSet:
    """Three cells, and nothing that moves them."""
    g = Game("three", players=1)
    one, *_ = (g.field(name, values=range(4)) for name in ("one", "two", "three"))
    g.action("stay", by=0).clause("STAY.1", one == 0)
    return g.build()


@pytest.mark.parametrize("easy", [1_000_000, 1])
def test_an_answer_is_that_of_all_states_and_names_conditions_that_are_enough(easy: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EASY", easy)  # with next to nothing all is simplified anew
    rules, random = three(), Random(7)
    asked = Queries(Scene(rules, rules.start), Clock())
    cells = [field(family, ()) for family in rules.families]
    states = list(itertools.product(range(4), repeat=3))
    refuted = 0

    def some() -> Expr:
        a, b = random.sample(cells, 2)
        return random.choice([a < b, a == random.randrange(4), ~(a == b), a + b <= random.randrange(6), (a == 1) | (b > 1)])

    def admitted(formulas: Sequence[Expr]) -> list[tuple[int, ...]]:
        return [s for s in states if all(evaluate(f, s, None, rules.offset) for f in formulas)]

    pool = [some() for _ in range(12)]
    for _ in range(60):
        goal, (late, *others) = some(), random.sample(range(len(pool)), 4)
        names = {SETTLED: pool[late], **{f"invariant {n}": pool[n] for n in others}}
        conditions: list[Condition] = [(name, lambda f=f: asked.game.expr(f, asked.now)) for name, f in names.items()]  # type: ignore[misc]
        for at_once in (True, False):
            found = asked.refute([asked.game.expr(goal, asked.now)], conditions, at_once)
            if isinstance(found, Refuted):
                refuted += 1
                assert set(found.used) <= names.keys() and not admitted([goal, *(names[name] for name in found.used)])
            else:
                assert asked.game.model_state(found, asked.now) in admitted([goal, *names.values()])
    assert 20 < refuted < 110


def test_a_solver_that_was_stopped_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = three()
    asked, made = Queries(Scene(rules, rules.start), Clock()), list[object]()
    right, one = Queries.told, asked.game.expr((field(rules.families[0], ()) < 1) & (field(rules.families[0], ()) > 2), asked.now)

    def told(self: Queries) -> object:
        made.append(right(self))
        return made[-1]

    monkeypatch.setattr(Queries, "told", told)
    assert isinstance(asked.refute([one]), Refuted) and isinstance(asked.refute([one]), Refuted) and len(made) == 1
    with monkeypatch.context() as patch:
        patch.setattr(Queries, "soon", lambda self, solver, assumptions: None)
        assert isinstance(asked.refute([one]), Refuted)
    before = len(made)
    assert isinstance(asked.refute([one]), Refuted) and len(made) == before + 1
