"""Every way to write a rule set wrongly gives a sentence that names the place, beside the one that is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from monjudge.model.language import (
    Action,
    Clause,
    Domain,
    Effect,
    ExpressionError,
    Family,
    Game,
    Goal,
    Monotone,
    Norm,
    Param,
    RuleSet,
    RuleSetError,
    Simultaneous,
    Switch,
    Symmetry,
    Trigger,
    TurnStructure,
    any_of,
    each,
    field,
    gain,
    primed,
    put,
    reads,
    var,
)

ELSEWHERE = field(Family.of("elsewhere", (), 0, 9), ())
ROAD = Domain("road", ("left", "right"))


def well_formed() -> Game:
    """A game with everything that can be declared."""
    g = Game("whole", players=2)
    turn = g.field("turn", values=range(2))
    life = g.field("life", 2, values=range(21), init=20)
    hand = g.field("hand", 2, ROAD, values=range(4))
    done = g.field("done", 2, values=bool)
    board = g.field("board", values=range(3), config=True)
    switch = g.switch("R.1", ("literal", "loose"), "literal", clauses=["W.1"])
    act = g.action("act", by=turn)
    where = act.param("where", ROAD)
    often = act.param("often", range(1, 3))
    act.clause("W.1", hand[act.me, where] >= often, en="Only what is there.")
    act.clause("W.2", reads(switch, "loose") | (board != 1))
    act.effect(gain(hand[act.me, where], -1 * often), put(turn, 1 - turn), each(2, lambda p: put(done[p], True)))
    luck = g.action("luck", weight=2)
    face = luck.param("face", range(3))
    luck.clause("W.3", ~done[0])
    luck.effect(put(life[0], face))
    g.trigger("W.4", lambda p: done[p] & (life[p] > 0), lambda p: [put(done[p], False)], over=[2])
    g.over(life[0] == 0, id="W.5")
    g.payoff(life[0], life[1])
    g.goal("win", 0, life[1] == 0)
    g.norm("W.1", "prohibition", hand[act.me, where] < often, on="act")
    g.norm("W.6", "effect", primed(life[0]) <= life[0], scope=primed(turn) == 0, claimed=reads(switch, "literal"))
    g.observe(hand, lambda viewer, player, road: viewer == player)
    g.simultaneous("bids", ["act"], [hand], ~done[0])
    g.turn_structure(turn, {"act": "plan"})
    g.monotone("life", 0, life[0])
    g.measure("life", 1, life[1])
    g.symmetry("swap", players=(1, 0), axes={"life": {0: (1, 0)}}, values={"turn": {0: 1, 1: 0}},
               params={("act", "where"): (1, 0)})  # fmt: skip
    return g


def test_the_well_formed_rule_set_is_accepted() -> None:
    assert well_formed().build().by_name["act"].params[0].labels == ROAD


def act(g: Game) -> Any:
    return g.actions[0]


def cell(g: Game, name: str, *indices: Any) -> Any:
    return field(next(f for f in g.families if f.name == name), indices)


P = var("p", 0, 3)

WHILE_WRITING: list[tuple[str, Callable[[Game], Any], str]] = [
    ("unknown field", lambda g: act(g).clause("X", ELSEWHERE == 1), "action 'act', clause 'X': the field 'elsewhere' is not one of"),
    ("unknown field in an effect", lambda g: act(g).effect(put(cell(g, "turn"), ELSEWHERE > 1)), "effect on 'turn': the field 'elsewhere'"),
    ("a field written that is not there", lambda g: act(g).effect(put(ELSEWHERE, 1)), "effect on 'elsewhere': the field is not one of"),
    ("clause that is a number", lambda g: act(g).clause("X", cell(g, "turn")), "action 'act', clause 'X': expected a truth value, got turn"),
    ("clause with another's parameter", lambda g: act(g).clause("X", P > 1), "clause 'X': the variable 'p' is not a parameter here (known: me, often, where)"),
    ("parameter of another interval", lambda g: act(g).clause("X", var("often", 0, 3) > 1), "'often' is taken for 0..3, but it ranges over 1..2"),
    ("me in a chance move", lambda g: g.actions[1].clause("X", g.me == 0), "the variable 'me' is not a parameter here (known: face)"),
    ("clause without id", lambda g: act(g).clause("", cell(g, "turn") == 0), "a clause needs the id"),
    ("two clauses with one id", lambda g: act(g).clause("W.1", cell(g, "turn") == 0), "clause 'W.1': two clauses of one action have this id"),
    ("one id with two texts", lambda g: g.actions[1].clause("W.2", cell(g, "turn") == 0, en="Else."), "clause 'W.2': the id has another text than at"),
    ("configuration written", lambda g: act(g).effect(put(cell(g, "board"), 1)), "effect on 'board': a configuration field is never written"),
    ("a value that never fits", lambda g: act(g).effect(put(cell(g, "turn"), 2)), "effect on 'turn': 2 (2..2) never fits 0..1"),
    ("a number in a truth field", lambda g: act(g).effect(put(cell(g, "done", 0), 1)), "effect on 'done': the field holds truth values, not 1"),
    ("a truth value in a number field", lambda g: act(g).effect(put(cell(g, "turn"), True)), "effect on 'turn': the field holds numbers, not true"),
    ("adding to a truth value", lambda g: act(g).effect(gain(cell(g, "done", 0), 1)), "effect on 'done': a truth value cannot be added to"),
    ("an effect under a number", lambda g: act(g).effect(put(cell(g, "turn"), 1, cell(g, "turn"))), "effect on 'turn': expected a truth value, got turn"),
    ("the next state in a clause", lambda g: act(g).clause("X", primed(cell(g, "turn")) == 0), "clause 'X': only a norm may speak of the next state (next turn)"),
    ("the next state in a prohibition", lambda g: g.norm("X", "prohibition", primed(cell(g, "turn")) == 0), "norm 'X': only a norm may speak"),
    ("the next state in the scope of a permission", lambda g: g.norm("X", "permission", True, scope=primed(cell(g, "turn")) == 0), "norm 'X': only a norm"),
    ("a norm claimed under a parameter", lambda g: g.norm("X", "obligation", True, on="act", claimed=P > 0), "norm 'X': the variable 'p' is not a parameter here (known: none)"),
    ("a norm on no action", lambda g: g.norm("X", "obligation", True, on="jump"), "norm 'X': there is no action 'jump'"),
    ("a norm with parameters of no action", lambda g: g.norm("X", "obligation", P > 0), "norm 'X': the variable 'p' is not a parameter here (known: none)"),
    ("two fields of one name", lambda g: g.field("turn", values=bool), "two fields are called 'turn'"),
    ("two actions of one name", lambda g: g.action("act", by=0), "two actions are called 'act'"),
    ("two triggers of one name", lambda g: g.trigger("W.4", True, []), "two triggers are called 'W.4'"),
    ("two parameters of one name", lambda g: act(g).param("often", range(1, 3)), "action 'act': two parameters are called 'often'"),
    ("a field name of two words", lambda g: g.field("two words", values=bool), "the field name 'two words' is not a word"),
    ("a field named like a bound variable", lambda g: g.field("i0", values=bool), "the field name 'i0' is not a word, or is kept"),
    ("a parameter named like a bound variable", lambda g: act(g).param("e12", range(3)), "the parameter name 'e12'"),
    ("a parameter named me", lambda g: act(g).param("me", range(2)), "the parameter name 'me'"),
    ("chance that someone decides", lambda g: setattr(g.actions[1], "by", g.me * 0), "action 'luck': a chance move has a weight and no player"),
    ("who decides is a truth value", lambda g: setattr(act(g), "by", cell(g, "done", 0)), "action 'act', who decides: expected a number"),
    ("who decides is nobody", lambda g: setattr(act(g), "by", cell(g, "life", 0) + 2), "who decides ranges over 2..22, but the players are 0..1"),
    ("who decides depends on a parameter", lambda g: setattr(act(g), "by", P), "who decides: the variable 'p'"),
    ("a negative weight", lambda g: g.actions[1].outcome(cell(g, "turn") - 1), "action 'luck': the weight ranges over -1..0; it must not"),
    ("a weight that is always 0", lambda g: g.actions[1].outcome(0), "action 'luck': the weight ranges over 0..0"),
    ("a trigger on a number", lambda g: g.trigger("X", cell(g, "turn"), []), "trigger 'X': expected a truth value, got turn"),
    ("a trigger without id", lambda g: g.trigger("", True, []), "a trigger has no id"),
    ("a trigger that writes the board", lambda g: g.trigger("X", True, [put(cell(g, "board"), 1)]), "trigger 'X', effect on 'board': a configuration"),
    ("a goal of nobody", lambda g: g.goal("X", 2, True), "goal 'X': there is no player 2"),
    ("a goal that is a number", lambda g: g.goal("X", 0, cell(g, "turn")), "goal 'X': expected a truth value"),
    ("an end that is a number", lambda g: g.over(cell(g, "turn")), "the end of the game: expected a truth value"),
    ("payoffs for too few", lambda g: g.payoff(1), "1 payoffs for 2 players"),
    ("a payoff that is a truth value", lambda g: g.payoff(0, True), "the payoff of player 1: expected a number"),
    ("an observation of no field", lambda g: g.visible.update(far=g.me == 0), "observation: there is no field 'far'"),
    ("an observation of the acting player", lambda g: g.visible.update(turn=g.me == 0), "observation of 'turn': the variable 'me'"),
    ("a blind decision that is no action", lambda g: g.simultaneous("X", ["jump"], [], True), "simultaneous 'X': there is no action 'jump'"),
    ("a turn of no action", lambda g: g.turn_structure(0, {"jump": "plan"}), "turn structure: there is no action 'jump'"),
    ("pieces in no field", lambda g: g.pieces({"far": [1]}), "pieces: there is no field 'far'"),
    ("a piece that cannot be held", lambda g: g.pieces({}, {"turn": [9]}), "pieces: there is no field 'turn' that holds"),
    ("a monotone truth value", lambda g: g.monotone("X", 0, True), "monotone 'X': expected a number"),
    ("a measure that is a truth value", lambda g: g.measure("X", 0, True), "measure 'X': expected a number"),
    ("what is hopeless for no goal", lambda g: g.hopeless("X", 0, True), "what is hopeless: player 0 has no goal 'X'"),
    ("what is hopeless is a number", lambda g: g.hopeless("win", 0, cell(g, "turn")), "what is hopeless for 'win': expected a truth value"),
    ("a measure for nobody", lambda g: g.measure("X", 2, 0), "measure 'X': there is no player 2"),
    ("monotone for nobody", lambda g: g.monotone("X", -1, 0), "monotone 'X': there is no player -1"),
    ("a symmetry of no field", lambda g: g.symmetry("X", axes={"far": {0: (0,)}}), "symmetry 'X': there is no field 'far'"),
    ("a symmetry that is no permutation", lambda g: g.symmetry("X", axes={"life": {0: (1, 1)}}), "symmetry 'X': [1, 1] does not permute axis 0 of the field 'life'"),
    ("a symmetry of a missing axis", lambda g: g.symmetry("X", axes={"life": {1: (1, 0)}}), "does not permute axis 1"),
    ("a symmetry out of the values", lambda g: g.symmetry("X", values={"turn": {0: 2}}), "symmetry 'X': the values of the field 'turn' are 0..1"),
    ("a symmetry of no parameter", lambda g: g.symmetry("X", params={("act", "far"): (0,)}), "symmetry 'X': there is no parameter 'far' of an action 'act'"),
    ("a symmetry out of a parameter", lambda g: g.symmetry("X", params={("act", "where"): (0, 2)}), "[0, 2] does not say where the values of 'where'"),
    ("a symmetry of players that is none", lambda g: g.symmetry("X", players=(0, 0)), "symmetry 'X': [0, 0] does not permute the players"),
    ("no player", lambda g: setattr(g, "players", 0), "a game has at least one player, not 0"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "spoil", "sentence"), WHILE_WRITING, ids=[w[0] for w in WHILE_WRITING])
def test_a_fault_made_while_writing_is_told_in_a_sentence(name: str, spoil: Callable[[Game], Any], sentence: str) -> None:
    g = well_formed()
    spoil(g)
    with pytest.raises(RuleSetError) as caught:
        g.build()
    assert any(sentence in defect for defect in caught.value.defects), caught.value.defects


def first(rules: RuleSet, **changes: Any) -> RuleSet:
    """The rule set with its first action changed."""
    return replace(rules, actions=(replace(rules.actions[0], **changes), *rules.actions[1:]))


TURN = Family.of("turn", (), 0, 1)
HAND = Family.of("hand", (2, 2), 0, 3, axes=(None, ROAD))
E0 = var("e0", 0, 1)
I0_WIDE = var("i0", 0, 5)

AS_DATA: list[tuple[str, Callable[[RuleSet], RuleSet], str]] = [
    ("too few indices", lambda r: first(r, effects=(Effect(HAND, (E0,), E0, loops=(E0,)),)), "effect on 'hand': the field takes 2 indices, not 1"),
    ("a truth value as index", lambda r: first(r, effects=(Effect(HAND, (E0 == 1, E0), E0, loops=(E0,)),)), "effect on 'hand': expected a number, got e0 == 1"),
    ("a loop of another name", lambda r: first(r, effects=(Effect(TURN, (), var("often", 0, 1), loops=(var("often", 0, 1),)),)), "loop 0 runs over a number called e0, not over often"),
    ("two loops of one name", lambda r: first(r, effects=(Effect(TURN, (), E0, loops=(E0, E0)),)), "loop 1 runs over a number called e1, not over e0"),
    ("a loop over truth values", lambda r: first(r, effects=(Effect(TURN, (), E0, loops=(var("e0", 0, 1, True),)),)), "loop 0 runs over a number"),
    ("a loop of a trigger", lambda r: replace(r, triggers=(Trigger("X", (E0,), E0 == 0, ()),)), "trigger 'X': loop 0 runs over a number called t0"),
    ("a bound variable of another interval", lambda r: first(r, clauses=(Clause("X", any_of(3, lambda i: (i == 1) & (I0_WIDE > 4)), en=""),)), "'i0' is not a parameter here"),
    ("labels that do not fit", lambda r: first(r, params=(Param(var("often", 1, 2), ROAD),)), "the parameter 'often' ranges over 1..2, but has 2 labels"),
    ("a field with labels that do not fit", lambda r: replace(r, families=(*r.families, Family.of("f", (2,), 0, 2, labels=ROAD))), "the field 'f': 2 labels do not name its values, of which there are 3"),
    ("an axis with labels that do not fit", lambda r: replace(r, families=(*r.families, Family.of("f", (3,), 0, 2, axes=(ROAD,)))), "the field 'f': 2 labels do not name axis 0, of which there are 3"),
    ("a switch on no configuration field", lambda r: replace(r, switches=(Switch("X", TURN),)), "switch 'X': <field turn: 0..1> is not a configuration field"),
    ("a hidden field that is not there", lambda r: replace(r, simultaneous=(Simultaneous("X", (), ("far",), E0 == 0),)), "simultaneous 'X': there is no field 'far'"),
    ("a symmetry of an unknown field's values", lambda r: replace(r, symmetries=(Symmetry("X", values={"far": {}}),)), "there is no field 'far'"),
    ("a turn that is a truth value", lambda r: replace(r, turns=TurnStructure(TURN_IS_0, {})), "the number of the turn: expected a number"),
    ("a goal", lambda r: replace(r, goals=(Goal("X", 0, P > 0),)), "goal 'X': the variable 'p'"),
    ("a monotone quantity", lambda r: replace(r, monotone=(Monotone("X", 0, P),)), "monotone 'X': the variable 'p'"),
    ("a norm", lambda r: replace(r, norms=(Norm("X", "permission", P == 0, P > 0, "act"),)), "norm 'X': the variable 'p' is not a parameter here (known: me, often, where)"),
    ("a bare action", lambda r: replace(r, actions=(*r.actions, Action("a b", None, (), (), ()))), "the action name 'a b' is not a word"),
]  # fmt: skip
TURN_IS_0 = field(TURN, ()) == 0


@pytest.mark.parametrize(("name", "spoil", "sentence"), AS_DATA, ids=[a[0] for a in AS_DATA])
def test_a_fault_of_a_rule_set_made_as_data_is_told_too(name: str, spoil: Callable[[RuleSet], RuleSet], sentence: str) -> None:
    from monjudge.model.language.check import check

    rules = well_formed().build()
    check(rules)
    with pytest.raises(RuleSetError) as caught:
        check(spoil(rules))
    assert any(sentence in defect for defect in caught.value.defects), caught.value.defects


def test_all_faults_are_told_at_once_with_the_line_where_they_were_written() -> None:
    g = well_formed()
    act(g).clause("", cell(g, "turn") == 0)
    act(g).clause("W.9", cell(g, "turn"))
    with pytest.raises(RuleSetError) as caught:
        g.build()
    assert len(caught.value.defects) == 2
    assert str(caught.value).startswith("the rule set 'whole' has 2 defect(s):\n- test_check.py:")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (range(0), "not range(0, 0)"), (range(0, 6, 2), "not range(0, 6, 2)"), (3, "not 3"), ((0, 1), "not (0, 1)"),
    ],
)  # fmt: skip
def test_a_parameter_without_a_domain_is_refused_where_it_stands(values: Any, words: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        act(well_formed()).param("p", values)
    assert str(caught.value) == f"values are a range with step 1, a Domain, or bool, {words}"


def test_a_cell_that_is_outside_for_certain_cannot_be_written() -> None:
    with pytest.raises(ExpressionError, match="an effect writes a cell, not 0"):
        put(cell(well_formed(), "hand", 0, 2), 1)
