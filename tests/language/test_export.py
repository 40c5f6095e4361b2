"""A rule set as canonical JSON: the same text in every process, a hash that sees every change, and a strict way back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_rules import rule_set, states

from monjudge.model.language import (
    Domain,
    Family,
    Game,
    LimitReached,
    Move,
    RuleSet,
    Table,
    add,
    any_of,
    each,
    field,
    gain,
    ite,
    lookup,
    minimum,
    primed,
    put,
    reads,
    var,
)
from monjudge.model.language.export import FORMAT, content_hash, to_data, to_json
from monjudge.model.language.load import HEIGHT, RuleSetFormatError, from_json
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines.reference import Reference

FUZZ = Path(__file__).parents[1] / "fuzz"
SEEDS = st.integers(0, 2**32)


def whole(first: str = "cell[0]") -> RuleSet:
    """A rule set with everything that can be declared; ``first`` only changes what is made before it."""
    [add(var("unrelated", 0, n), n) for n in range(len(first))]
    road = Domain("road", ("left", "right"))
    g = Game("whole", players=2, en="Whole", ja="全部")
    cell = g.field("cell", 2, road, values=range(-1, 4), default=-2, init=[0, 1, 2, 3])
    turn = g.field("turn", values=range(2))
    done = g.field("done", 2, values=bool)
    switch = g.switch("R.1", ("literal", "loose"), "loose", clauses=["E.1"], undetermined=["loose", "literal", "both"], severity="B",
                      en="How?", ja="どう読むか。")  # fmt: skip
    move = g.action("move", by=turn, en="move", ja="動かす", tags=["slow", "loud"])
    where = move.param("where", road)
    half = Table.of("half", (4,), (0, 0, 1, 1), default=-1)
    move.clause("E.1", reads(switch, "literal") | (cell[move.me, where] > 0), en="There.", ja="そこに。", ref="§1")
    move.limit("E.2", lookup(half, cell[0, where]) < 1, en="Few.", ja="少し。")
    move.effect(gain(cell[move.me, where], -1), put(turn, 1 - turn), each(2, lambda p: put(done[p], True, cell[p, 0] > 1)))
    luck = g.action("luck", weight=1)
    face = luck.param("face", range(1, 4))
    luck.outcome(face + 1)
    luck.clause("E.3", ~done[0])
    luck.effect(put(cell[0, 0], face))
    g.trigger("E.4", lambda p: done[p] & any_of(2, lambda c: cell[p, c] > 2), lambda p: [put(done[p], False)], over=[2])
    g.over(cell[0, 0] == -1, id="E.5", en="Over.", ja="終わり。")
    g.payoff(cell[0, 0], -cell[0, 0])
    g.goal("win", 1, cell[0, 0] < 0, en="win", ja="勝つ")
    g.norm("E.6", "effect", primed(cell[move.me, where]) <= cell[move.me, where], on="move", scope=turn == 0,
           claimed=reads(switch, "literal"))  # fmt: skip
    g.observe(done, lambda viewer, player: viewer != player)
    g.observe(cell, lambda viewer, player, c: (viewer == player) | (c == 1))
    g.simultaneous("bids", ["move"], [cell], ~done[0])
    g.pieces({"cell": [1]}, {"turn": [1]})
    g.turn_structure(turn + 1, {"move": "plan", "luck": "battle"})
    g.monotone("more", 0, cell[0, 0])
    g.measure("most", 1, cell[1, 0] + turn, en="the most", ja="最多")
    g.hopeless("win", 1, cell[0, 0] > 2, proof="W.1", en="too many", ja="多すぎる")
    g.symmetry("swap", players=(1, 0), axes={"cell": {0: (1, 0), 1: (0, 1)}}, values={"turn": {1: 0, 0: 1}},
               params={("move", "where"): (1, 0)})  # fmt: skip
    g.constants["most"] = 3
    return g.build()


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_what_is_read_back_has_the_same_text_and_plays_the_same(seed: int) -> None:
    rules = rule_set(seed)
    again = from_json(to_json(rules))
    assert content_hash(again) == content_hash(rules)
    one, other = Reference(rules), Reference(again)
    for state in states(rules, seed, 6):
        moves = one.moves(state)
        assert other.moves(state) == moves
        for move in moves[:3]:
            assert outcome(other, state, move) == outcome(one, state, move)


def outcome(engine: Reference, state: Any, move: Any) -> Any:
    try:
        return engine.step(state, move)
    except LimitReached as limit:
        return str(limit)


def test_every_declaration_is_read_back() -> None:
    rules = whole()
    again = from_json(to_json(rules, indent=1))
    assert to_json(again) == to_json(rules)
    for name in ("families", "constants", "payoffs", "passes", "en", "ja", "name", "players"):
        assert getattr(again, name) == getattr(rules, name) or name == "payoffs"
    assert all(a is b for a, b in zip(again.payoffs, rules.payoffs, strict=True))
    assert again.by_name["move"].tags == {"slow", "loud"}
    assert again.symmetries[0].axes == rules.symmetries[0].axes
    assert again.symmetries[0].params == rules.symmetries[0].params
    assert again.switches[0].default == "loose"
    assert again.turns is not None and again.turns.number is rules.turns.number  # type: ignore[union-attr]
    assert again.norms[0].formula is rules.norms[0].formula
    assert again.pieces is not None and (again.pieces.counts, again.pieces.holders) == ({"cell": (1,)}, {"turn": (1,)})


def test_the_order_in_which_observations_were_declared_does_not_count() -> None:
    rules = whole()
    seen = {"turn": rules.visible["cell"], "cell": rules.visible["done"], "done": rules.visible["cell"]}
    one, other = (replace(rules, visible=dict(v)) for v in (seen.items(), reversed(seen.items())))
    assert to_json(one) == to_json(other) != to_json(rules)


def test_what_only_follows_from_the_rules_changes_their_text_and_not_what_they_are_named_by() -> None:
    rules = whole()
    without = replace(rules, hopeless=())
    assert to_json(without) != to_json(rules)
    assert content_hash(without) == content_hash(rules)
    assert from_json(to_json(without)).hopeless == ()


def test_what_a_file_declares_hopeless_is_proved_of_nothing() -> None:
    rules = whole()
    assert [h.proof for h in rules.proved] == ["W.1"] and rules.proved == rules.hopeless
    again = from_json(to_json(rules))
    assert [h.when for h in again.hopeless] == [h.when for h in rules.hopeless]
    assert [h.proof for h in again.hopeless] == [""] and again.proved == ()
    assert replace(rules, actions=rules.actions[:1]).proved == ()


def test_every_attribute_of_a_rule_set_is_exported() -> None:
    rules, data = whole(), to_data(whole())
    action = rules.actions[0]
    pairs: list[tuple[Any, dict[str, Any]]] = [
        (rules, data), (action, data["actions"][0]), (action.params[0], data["actions"][0]["params"][0]),
        (action.clauses[0], data["actions"][0]["clauses"][0]), (action.effects[0], data["actions"][0]["effects"][0]),
        (rules.turns, data["turns"]),
        (rules.pieces, data["pieces"]),
    ]  # fmt: skip
    for kind in ("triggers", "goals", "norms", "switches", "simultaneous", "symmetries", "monotone", "measures", "hopeless"):
        pairs.append((getattr(rules, kind)[0], data[kind][0]))
    renamed = {"families": "fields", "family": "field"}
    trusted = {"proved", "proof"}  # that something hopeless is proved is believed of no file
    for thing, exported in pairs:
        names = {renamed.get(f.name, f.name) for f in fields(thing)}
        assert names - trusted == exported.keys() - {"format", "domains", "tables", "nodes"}
    slots = {"uid", "is_bool", "bool"}
    assert set(Family.__slots__) - slots == data["fields"][0].keys() - slots
    assert set(Table.__slots__) - slots == data["tables"][0].keys() - slots
    assert set(Domain.__slots__) == data["domains"][0].keys()


def test_a_shared_expression_is_written_once() -> None:
    g = Game("shared", players=1)
    node: Any = g.field("cell", values=range(3))
    for n in range(60):
        node = ite(node == n % 3, minimum(node, 1), 2 - node)
    g.action("act", by=0).clause("D.1", node == 1)
    rules = g.build()
    assert len(to_data(rules)["nodes"]) < 60 * 6
    assert from_json(to_json(rules)).actions[0].clauses[0].expr is rules.actions[0].clauses[0].expr


SCRIPT = """
import sys
sys.path.insert(0, {fuzz!r})
sys.path.insert(0, {here!r})
from random_rules import rule_set
from test_export import whole
from monjudge.model.language.export import content_hash
from monjudge.model.language import var, add, Family, Table, field
for n in range({noise}):
    add(field(Family.of(f"noise{{n}}", (), 0, 9), ()), var("noise", 0, n), n)
    Table.of(f"noise{{n}}", (1,), (n,))
print(content_hash(whole()), *(content_hash(rule_set(seed)) for seed in reversed(range(5))))
"""


def test_the_hash_is_the_same_in_another_process_after_other_expressions() -> None:
    here = [content_hash(whole("other expressions before")), *(content_hash(rule_set(seed)) for seed in reversed(range(5)))]
    for hash_seed, noise in (("0", 0), ("1", 40), ("4242", 7)):
        script = SCRIPT.format(fuzz=str(FUZZ), here=str(Path(__file__).parent), noise=noise)
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )  # fmt: skip
        assert done.stdout.split() == here
    assert len(set(here)) == 6


def test_the_text_is_ascii_and_says_its_format() -> None:
    text = to_json(whole())
    assert text.isascii()
    assert json.loads(text)["format"] == FORMAT
    assert len(content_hash(whole())) == 64


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything in the data that is not a dictionary or a filled list."""
    if isinstance(data, (dict, list)) and data:
        for key in data if isinstance(data, dict) else range(len(data)):
            yield from leaves(data[key], (*path, key))
    else:
        yield path


def first_action(rules: RuleSet, **changes: Any) -> RuleSet:
    return replace(rules, actions=(replace(rules.actions[0], **changes), *rules.actions[1:]))


def first_clause(rules: RuleSet, **changes: Any) -> RuleSet:
    clauses = rules.actions[0].clauses
    return first_action(rules, clauses=(replace(clauses[0], **changes), *clauses[1:]))


def first_effect(rules: RuleSet, **changes: Any) -> RuleSet:
    effects = rules.actions[0].effects
    return first_action(rules, effects=(replace(effects[0], **changes), *effects[1:]))


CHANGES: dict[str, Callable[[RuleSet], RuleSet]] = {
    "the id of a clause": lambda r: first_clause(r, id="E.9"),
    "a condition": lambda r: first_clause(r, expr=r.actions[0].clauses[1].expr),
    "an English text": lambda r: first_clause(r, en="Here."),
    "a Japanese text": lambda r: first_clause(r, ja="ここに。"),
    "a reference": lambda r: first_clause(r, ref="§2"),
    "the kind of a clause": lambda r: first_clause(r, kind="limit"),
    "the order of clauses": lambda r: first_action(r, clauses=r.actions[0].clauses[::-1]),
    "the value of an effect": lambda r: first_effect(r, value=add(r.actions[0].effects[0].value, -1)),
    "adding instead of putting": lambda r: first_effect(r, adds=False),
    "the condition of an effect": lambda r: first_effect(r, when=field(r.families[2], [0])),
    "the order of effects": lambda r: first_action(r, effects=r.actions[0].effects[::-1]),
    "who decides": lambda r: first_action(r, by=None),
    "a tag": lambda r: first_action(r, tags=frozenset({"slow"})),
    "the name of the game": lambda r: replace(r, name="half"),
    "the number of passes": lambda r: replace(r, passes=31),
    "a constant": lambda r: replace(r, constants={"most": 4}),
    "an observation": lambda r: replace(r, visible={}),
    "the end": lambda r: replace(r, over=None),
    "a payoff": lambda r: replace(r, payoffs=r.payoffs[::-1]),
    "the order of triggers": lambda r: replace(r, triggers=()),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_of_the_rules_changes_the_hash(change: Callable[[RuleSet], RuleSet]) -> None:
    assert content_hash(change(whole())) != content_hash(whole())


def test_every_leaf_of_the_data_counts() -> None:
    """A file with any single value changed is another rule set or none: nothing written is ignored."""
    base = to_data(whole())
    counted = 0
    for path in leaves(base):
        data = json.loads(json.dumps(base))
        inner = data
        for key in path[:-1]:
            inner = inner[key]
        old = inner[path[-1]]
        inner[path[-1]] = not old if isinstance(old, bool) else old + 1 if isinstance(old, int) else f"{old or ''}x"
        try:
            rules = from_json(json.dumps(data))
        except RuleSetFormatError:
            continue
        counted += 1
        assert to_json(rules) != to_json(whole())
    assert counted > 50


DAMAGE = ("remove", "duplicate", "swap", 0, -1, 7, 10**30, True, None, "", "x", "e0", "add", [], {}, 0.5)


@settings(max_examples=250, deadline=None)
@given(SEEDS)
def test_a_damaged_file_is_refused_by_a_sentence_or_is_another_rule_set(seed: int) -> None:
    random = Random(seed)
    base = to_data(rule_set(seed % 30) if seed % 3 else whole())
    path = random.choice(list(leaves(base)))
    path = path[: random.randint(1, len(path))]
    inner = base
    for key in path[:-1]:
        inner = inner[key]
    damage, key = random.choice(DAMAGE), path[-1]
    if damage == "remove":
        del inner[key]
    elif damage == "duplicate" and isinstance(inner, list):
        inner.insert(key, inner[key])
    elif damage == "swap" and isinstance(inner, list):
        other = random.randrange(len(inner))
        inner[key], inner[other] = inner[other], inner[key]
    else:
        inner[key] = damage
    try:
        rules = from_json(json.dumps(base))
    except RuleSetFormatError as error:
        assert str(error)
    else:
        assert to_data(rules) == base


DONE = ["field", 0, 1, 1, 0]


def file(*rows: list[Any], **parts: Any) -> str:
    """A file with one action: node 0 says who decides, the last node is its only clause."""
    g = Game("file", players=1)
    g.field("cell", 3, values=range(4))
    g.action("act", by=0).clause("F.1", g.field("done", values=bool))
    data = to_data(g.build())
    data["nodes"] = [["const", 0, 0, 0], *(rows or (DONE,))]
    data["actions"][0]["clauses"][0]["expr"] = len(data["nodes"]) - 1
    return json.dumps({**data, **parts})


CELL = ["field", 0, 3, 0, 0, 0]
I0 = ["var", 0, 2, "i0", False]
AT_I0 = ["field", 0, 3, 0, 0, 1]

REFUSED = [
    ("an unknown operation", file(["div", 0, 3, 0, 0]), "nodes[1]: there is no operation 'div'"),
    ("a node to come", file(["le", 0, 1, 2, 0], CELL), "nodes[1][3]: there is no node 2, only 0..0 at this point"),
    ("a node of itself", file(["not", 0, 1, 1]), "nodes[1][3]: there is no node 1"),
    ("a negative number of a node", file(["not", 0, 1, -1]), "nodes[1][3]: there is no node -1"),
    ("a field that is not there", file(["field", 0, 3, 2, 0]), "nodes[1][3]: there is no field 2, only 0..1"),
    ("a table that is not there", file(["table", 0, 3, 0, 0]), "nodes[1][3]: there is no table to refer to"),
    ("too few indices", file(["field", 0, 3, 0, 0]), "nodes[1]: cell takes 1 index, not 0"),
    ("another interval", file(["field", 0, 2, 0, 0, 0]), "nodes[1]: this is not how cell[0] with the interval 0..3 is written"),
    ("a node that simplifies", file(CELL, ["le", 0, 1, 0, 1]), "nodes[2]: this is not how true"),
    ("a node twice", file(DONE, DONE), "nodes[2]: this is not how done"),
    ("truth and number", file(CELL, DONE, ["and", 0, 1, 1, 2]), "nodes[3]: 'and' needs a truth value, but cell[0] is a number"),
    ("a number as text", file(["const", 0, 0, "0"]), 'nodes[1][3]: expected a whole number, but found "0"'),
    ("a number too large", file(["const", 2**31, 2**31, 2**31]), "nodes[1][3]: 2147483648 lies outside"),
    ("a bound variable of another name", file(["var", 0, 2, "x", False], AT_I0, ["eq", 0, 1, 2, 0], ["all", 0, 1, 1, 3]),
     "nodes[4]: 'all' binds the variable i0 here, not x"),
    ("a bound variable that is a cell", file(CELL, ["sum", 0, 9, 1, 1]), "nodes[2]: 'sum' binds the variable i0 here, not cell[0]"),
    ("a variable bound to another interval", file(I0, AT_I0, ["eq", 0, 1, 2, 0], ["var", 0, 1, "i0", False], ["all", 0, 1, 4, 3]),
     "the variable 'i0' is not a parameter here"),
    ("an empty interval", file(["var", 3, 1, "x", False]), "nodes[1]: there is no interval 3..1"),
    ("too few parts", file(["ite", 0, 1, 0, 0]), "nodes[1]: 'ite' does not have 2 parts"),
    ("no parts", file(["add", 0, 0]), "nodes[1]: a node has an operation"),
    ("an unused node", file(CELL, DONE), "the nodes, tables and domains must stand in the order of their first use"),
    ("a condition that is a number", file(CELL), "action 'act', clause 'F.1': expected a truth value, got cell[0]"),
    ("another format", file(format="monjudge-rules/0"), "format: expected one of monjudge-rules/1"),
    ("a key too many", file(author="me"), "the rule set: the key 'author' is unknown"),
    ("no players", file(players=0), "players: 0 lies outside 1..1000"),
    ("a label twice", file(domains=[{"name": "d", "labels": ["a", "a"]}]), "domains[0]: the labels of the domain 'd' must be distinct"),
    ("a truth table of numbers", file(tables=[{"name": "t", "dims": [1], "values": [2], "default": 0, "bool": True}]), "tables[0]: a truth value is 0 or 1"),
    ("a table too short", file(tables=[{"name": "t", "dims": [3], "values": [2], "default": 0, "bool": False}]), "tables[0]: table 't': 1 values for the sizes (3,)"),
    ("not JSON", "{", "the text is not JSON of a rule set: "),
    ("a list", "[]", "the rule set: expected a dictionary, but found []"),
    ("a fraction", '{"format": 1.5}', "1.5 is not a whole number"),
    ("not a number", '{"format": NaN}', "NaN is not a whole number"),
    ("a key twice", '{"name": 1, "name": 2}', "a key stands twice among 'name', 'name'"),
    ("a very long number", '{"format": ' + "9" * 10_000 + "}", "the text is not JSON of a rule set"),
    ("very deep lists", "[" * 100_000 + "]" * 100_000, "nested too deeply"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "sentence"), REFUSED, ids=[r[0] for r in REFUSED])
def test_a_file_that_is_no_rule_set_is_refused_with_the_place(name: str, text: str, sentence: str) -> None:
    with pytest.raises(RuleSetFormatError) as caught:
        from_json(text)
    assert sentence in str(caught.value)


def test_the_file_that_the_others_are_made_of_is_accepted() -> None:
    rules = from_json(file())
    assert [Reference(rules).legal(state, Move("act", 0)) for state in ((0, 0, 0, 0), (0, 0, 0, 1))] == [False, True]


@pytest.mark.parametrize(("levels", "accepted"), [(HEIGHT - 2, True), (HEIGHT - 1, False)])
def test_an_expression_is_read_up_to_a_depth(levels: int, accepted: bool) -> None:
    g = Game("deep", players=1)
    node: Any = g.field("cell", values=range(4))
    for n in range(levels):
        node = lookup(Table.of(f"t{n}", (4,), (0, 2, 1, 3)), node)
    g.action("act", by=0).clause("D.1", node == 1)
    text = to_json(g.build())
    if accepted:
        assert Reference(from_json(text)).moves((1,)) == [Move("act", 0)]  # the levels are an even number of exchanges
    else:
        with pytest.raises(RuleSetFormatError, match=f"nested deeper than {HEIGHT}"):
            from_json(text)


def test_a_nest_of_any_depth_is_refused_in_a_sentence() -> None:
    text = to_json(tic_tac_toe())
    assert '"players":2' in text
    for depth in range(800, 1000):
        with pytest.raises(RuleSetFormatError):
            from_json(text.replace('"players":2', '"players":' + "[" * depth + "]" * depth))
