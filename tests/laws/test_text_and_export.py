"""Every shipped game can be written down and read back: its expressions as text, the whole of it as JSON."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from monjudge.model.language import RuleSet, Scope, parse_expr, print_expr
from monjudge.model.language.export import content_hash, to_json
from monjudge.model.language.load import from_json
from monjudge.model.monjan.cards import Card, Catalogue
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.rules import monjan
from monjudge.model.rancher.decks import shipped_decks
from monjudge.model.rancher.rules import rancher
from monjudge.model.rancher.set_up import table
from monjudge.model.small import GAMES

SHIPPED: dict[str, Callable[[], RuleSet]] = {
    **GAMES,
    "monjan": lambda: monjan(Setting(Catalogue(map(Card.parse, ("f7", "w2", "e9")))), norms=True),
    "rancher": lambda: rancher(table([deck.cards for deck in shipped_decks().values()]), norms=True),
}


@pytest.fixture(scope="module", params=sorted(SHIPPED))
def rules(request: pytest.FixtureRequest) -> RuleSet:
    return SHIPPED[request.param]()


def test_the_conditions_of_every_game_are_read_back_from_their_text(rules: RuleSet) -> None:
    count = 0
    for action in rules.actions:
        scope = Scope.of(rules, action.name)
        for clause in action.clauses:
            assert parse_expr(print_expr(clause.expr, scope), scope) is clause.expr
            count += 1
    assert count > 0


def test_every_game_is_read_back_from_its_json(rules: RuleSet) -> None:
    again = from_json(to_json(rules))
    assert content_hash(again) == content_hash(rules)
    for one, other in zip(rules.actions, again.actions, strict=True):
        assert [c.expr.uid for c in other.clauses] == [c.expr.uid for c in one.clauses]
        assert [(e.value.uid, e.when.uid) for e in other.effects] == [(e.value.uid, e.when.uid) for e in one.effects]
    assert {e.uid for e in again.expressions()} == {e.uid for e in rules.expressions()}
