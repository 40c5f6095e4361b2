"""A field is the same object, with the same hash, however its truth values were spelled."""

from __future__ import annotations

import pytest

from monjudge.model.language import Game, RuleSet, evaluate, field, put
from monjudge.model.language.export import content_hash, to_json
from monjudge.model.language.load import from_json


def _game(**given: object) -> RuleSet:
    g = Game("flags", players=1)
    flag = g.field("flag", 2, values=bool, **given)  # type: ignore[call-overload]
    a = g.action("raise", by=0)
    a.clause("FLAG.1", ~flag[0])
    a.effect(put(flag[0], True))
    return g.build()


@pytest.mark.parametrize("init", [1, True, [1, 1], [True, True]], ids=repr)
def test_true_and_1_are_one_start_value(init: object) -> None:
    rules = _game(init=init, default=True)
    assert rules.start == (1, 1) and all(type(cell) is int for cell in rules.start)
    assert content_hash(rules) == content_hash(_game(init=1, default=1))
    assert content_hash(from_json(to_json(rules))) == content_hash(rules)


def test_a_state_holds_plain_numbers() -> None:
    state = _game(init=0).state({"flag": [True, False]})
    assert state == (1, 0) and all(type(cell) is int for cell in state)


@pytest.mark.parametrize(("given", "named"), [({"init": 1.0}, "start value of the field flag"), ({"init": 0, "default": 0.5}, "default of the field flag")])
def test_what_is_no_whole_number_is_named(given: dict[str, object], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        _game(**given)


def test_a_state_with_a_broken_number_names_the_field() -> None:
    with pytest.raises(ValueError, match="a value of flag is a whole number"):
        _game(init=0).state({"flag": 1.0})  # type: ignore[dict-item]


def test_next_without_a_next_state_is_a_sentence() -> None:
    rules = _game(init=0)
    with pytest.raises(ValueError, match="speaks of the next state"):
        evaluate(field(rules.families[0], [0], 1), rules.start, {}, rules.offset)
