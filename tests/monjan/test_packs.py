"""Packs and boards as data: the default pack is what it claims, and a file that will not do is told where and why."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from monjudge.model.monjan.boards import PRINTED, SKILL, load_boards
from monjudge.model.monjan.cards import EFFECT, NO_ELEMENT, Card, Catalogue
from monjudge.model.monjan.catalogue.convert import TWINS, to_json
from monjudge.model.monjan.catalogue.packs import BOSS, ELEMENTS, ET, MONJAN, default_pack, load_pack
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.reading import decode
from monjudge.model.notation.source import MOST_BYTES

FOLDER = files("monjudge.model.monjan.catalogue")


def source(name: str) -> str:
    return FOLDER.joinpath(name).read_text("utf-8")


@pytest.mark.parametrize("twin", TWINS)
def test_the_json_twin_is_what_the_yaml_says(twin: str) -> None:
    assert source(f"{twin}.json") == to_json(source(f"{twin}.yaml"))


# -- the default pack --------------------------------------------------------------------------------


def test_the_monjan_pile_has_sixteen_numbers_and_four_battle_cards_of_each_element() -> None:
    pack = default_pack()
    assert pack.copies(("NUMBER",)) == {Card("NUMBER", e, n): 1 for e in range(NO_ELEMENT) for n in range(1, 17)}
    battle = pack.copies(("PLUS", "KILL", "PLAIN"))
    elements: Counter[int] = Counter()
    for card, count in battle.items():
        elements[card.element] += count
    assert elements == dict.fromkeys(range(NO_ELEMENT), 4)
    assert {c.value for c in battle if c.kind == "PLUS"} == {3, 6, 7, 8}
    assert sum(pack.copies(MONJAN).values()) == 100


def test_there_are_enough_cards_for_every_mode_with_four_players() -> None:
    pack = default_pack()
    assert sum(pack.copies(BOSS).values()) == 15
    assert {c.kind for c in pack.copies(BOSS)} == set(BOSS)
    assert max(c.value for c in pack.copies(BOSS)) > 16
    assert sum(pack.copies(ET).values()) >= 3 * 4 + 20
    assert sum(pack.copies(ET, initial=True).values()) >= 3 * 4
    assert len(pack.copies(("EXTRA",))) >= 20
    assert len(pack.copies(("TOUGHNESS",))) >= 12
    assert all(pack.copies((kind,), initial=True) for kind in ET)


def test_the_cards_of_the_examples_are_there() -> None:
    pack = default_pack()
    tide = pack.named("TIDE_CALLER")
    assert tide.pair == (ELEMENTS.index("none"), ELEMENTS.index("water"))
    assert tide.numbers == (6, 7, 8)
    assert pack.named("JABBERWOCK").kind == "EXTRA"
    wyrmling = pack.named("WYRMLING")
    assert wyrmling.cost == 4
    assert [(s.effect, s.needs) for s in wyrmling.skills] == [("summon", "JABBERWOCK")]
    with pytest.raises(KeyError, match="no card 'SNARK'"):
        pack.named("SNARK")


def test_every_kind_of_effect_stands_on_two_cards_and_none_is_opaque() -> None:
    cards = Counter(effect for e in default_pack().entries for effect in {s.effect for s in e.card.skills})
    assert set(cards) == set(EFFECT.labels) - {"none", "opaque"}
    assert min(cards.values()) >= 2
    skills = [s for e in default_pack().entries for s in e.card.skills]
    for extra in ("release", "die", "magic", "needs"):
        assert sum(bool(getattr(s, extra)) for s in skills) >= 1


def test_everything_says_where_it_comes_from_and_nothing_is_odd() -> None:
    pack = default_pack()
    assert pack.warnings == ()
    assert {e.origin for e in pack.entries if e.card.kind == "NUMBER"} == {"inferred"}
    assert {e.origin for e in pack.entries if e.card.kind != "NUMBER"} == {"project"}
    names = [t for e in pack.entries if e.name for t in (e.name.en, e.name.ja)]
    assert len(names) == len(set(names)) == 2 * len(pack.copies(ET))


def test_the_pack_is_a_catalogue_and_its_hash_is_of_its_content() -> None:
    pack = default_pack()
    assert len(Catalogue(e.card for e in pack.entries)) == 1 + len({e.card for e in pack.entries}) == 154
    value = json.loads(source("default_pack.json"))
    assert load_pack(json.dumps(value, indent=4)).hash == pack.hash
    value["boss"][0]["strength"] = 11
    assert load_pack(json.dumps(value)).hash != pack.hash


# -- packs that will not do --------------------------------------------------------------------------


def small() -> dict[str, Any]:
    name = {"en": "Small", "ja": "小"}
    extra = {
        "id": "ALPHA", "name": {"en": "Alpha", "ja": "甲"}, "pair": ["none", "water"], "numbers": [6, 7], "value": 7,
        "skills": [{"time": "battle", "effect": "damage", "amount": 2, "needs": "OMEGA"}],
    }  # fmt: skip
    omega = {
        "id": "OMEGA", "name": {"en": "Omega", "ja": "乙"}, "cost": 4, "attack": 9,
        "skills": [{"time": "edit", "effect": "summon", "needs": "ALPHA"}],
    }  # fmt: skip
    return {
        "format": "monjudge-pack/1", "name": name,
        "numbers": [{"elements": ["fire"], "numbers": [1, 2], "count": 50}],
        "battle": [{"card": "plus", "bonus": 3, "element": "wind"}],
        "boss": [{"card": "boss", "strength": 22, "count": 15}],
        "extra": [extra], "toughness": [omega],
    }  # fmt: skip


def faults(value: Any) -> list[str]:
    with pytest.raises(DataError) as caught:
        load_pack(value if isinstance(value, (str, bytes)) else json.dumps(value))
    assert all(d.text.ja not in ("", d.text.en) for d in caught.value.defects)
    return [str(d) for d in caught.value.defects]


def test_a_small_pack_is_read_and_what_the_document_asks_for_is_a_warning() -> None:
    pack = load_pack(json.dumps(small()))
    assert pack.copies(MONJAN) == {Card.parse("f1"): 50, Card.parse("f2"): 50, Card.parse("a+3"): 1}
    assert [str(w) for w in pack.warnings] == [
        "COMP.1: 101 Monjan cards, the document has 100",
        "COMP.6: 1 Extra cards, the document has 9",
        "COMP.7: 1 Toughness cards, the document has 6",
    ]


Change = Callable[[dict[str, Any]], Any]
SKILL_0 = "extra[0].skills[0]"


@pytest.mark.parametrize(
    ("change", "path", "says"),
    [
        (lambda p: p["numbers"][0]["numbers"].append(17), "numbers[0].numbers[2]", "17 lies outside 1..16"),
        (lambda p: p["extra"][0]["numbers"].append(0), "extra[0].numbers[2]", "0 lies outside 1..16"),
        (lambda p: p["extra"][0]["numbers"].append(7), "extra[0].numbers[2]", "twice"),
        (lambda p: p["numbers"][0]["elements"].append("x"), "numbers[0].elements[1]", "not one of fire, water"),
        (lambda p: p["extra"][0].update(pair=["fire"]), "extra[0].pair", "two elements, not 1"),
        (lambda p: p["extra"][0].update(pair=["fire", "x"]), "extra[0].pair[1]", '"x" is not one of'),
        (lambda p: (p["extra"][0].pop("pair"), p["extra"][0].pop("numbers")), "extra[0]", "never be summoned"),
        (lambda p: p["extra"][0].update(value=0), "extra[0].value", "0 lies outside 1..32"),
        (lambda p: p["extra"][0].update(value="7"), "extra[0].value", '"7" is not a whole number'),
        (lambda p: p["extra"][0].update(value=True), "extra[0].value", "true is not a whole number"),
        (lambda p: p["extra"][0].update(initial=1), "extra[0].initial", "1 is not true or false"),
        (lambda p: p["extra"][0].update(colour="red"), "extra[0].colour", "unknown key"),
        (lambda p: p["extra"][0].pop("id"), "extra[0]", "id is missing"),
        (lambda p: p["extra"][0].update(id="B12"), "extra[0].id", "is no id"),
        (lambda p: p["extra"][0].update(id="OMEGA"), "toughness[0].id", "'OMEGA' stands already at extra[0].id"),
        (lambda p: p["extra"][0]["name"].update(ja="乙"), "toughness[0].name", "'乙' stands already at extra[0].name"),
        (lambda p: p["extra"][0]["name"].pop("ja"), "extra[0].name", "ja is missing"),
        (lambda p: p["toughness"][0].update(cost=0), "toughness[0].cost", "0 lies outside 1..9"),
        (lambda p: p["toughness"][0].update(attack=33), "toughness[0].attack", "33 lies outside 1..32"),
        (lambda p: p["boss"][0].update(strength=-1), "boss[0].strength", "-1 lies outside 1..63"),
        (lambda p: p["boss"][0].update(card="ogre"), "boss[0].card", '"ogre" is not one of boss, assassin'),
        (lambda p: p["boss"][0].update(count=101), "boss[0].count", "101 lies outside 1..100"),
        (lambda p: p["numbers"].append(p["numbers"][0] | {"count": 51}), "", "101 copies of f1"),
        (lambda p: p["battle"][0].pop("bonus"), "battle[0]", "a plus card has a bonus"),
        (lambda p: p["battle"][0].update(card="kill"), "battle[0]", "a plus card has a bonus"),
        (lambda p: p["extra"][0].update(skills=p["extra"][0]["skills"] * 4), "extra[0].skills", "4 entries, at most 3"),
        (lambda p: p["extra"][0]["skills"][0].update(needs="SNARK"), f"{SKILL_0}.needs", "no card of the pack"),
        (lambda p: p["extra"][0]["skills"][0].pop("amount"), SKILL_0, "damage needs an amount"),
        (lambda p: p["extra"][0]["skills"][0].update(effect="destroy"), f"{SKILL_0}.amount", "destroy has no amount"),
        (lambda p: p["extra"][0]["skills"][0].update(effect="boost", time="edit"), SKILL_0, "no attack to boost"),
        (lambda p: p["extra"][0]["skills"][0].update(die=6), f"{SKILL_0}.die", "6 lies outside 1..5"),
        (lambda p: p["toughness"][0]["skills"][0].update(magic=True), "toughness[0].skills[0]", "magic is for Extra"),
        (lambda p: p["toughness"][0]["skills"][0].pop("needs"), "toughness[0].skills[0]", "summon is an edit skill"),
        (lambda p: p.update(numbers=3), "numbers", "3 is not a list"),
        (lambda p: p["numbers"].append(3), "numbers[1]", "3 is not an object"),
        (lambda p: p.update(format="other"), "format", "not one of monjudge-pack/1"),
        (lambda p: p.pop("name"), "", "name is missing"),
    ],
)  # fmt: skip
def test_a_defect_is_told_with_its_path(change: Change, path: str, says: str) -> None:
    value = small()
    change(value)
    assert any(f.startswith(f"{path}: " if path else "") and says in f for f in faults(value)), faults(value)


def test_all_defects_are_told_at_once_in_the_order_of_the_file() -> None:
    value = small()
    value["numbers"][0]["numbers"] = [1, 17]
    value["extra"][0]["value"] = 99
    value["toughness"][0]["cost"] = None
    assert [f.split(":")[0] for f in faults(value)] == ["numbers[0].numbers[1]", "extra[0].value", "toughness[0].cost"]


def test_an_unknown_effect_is_carried_as_opaque_with_a_warning() -> None:
    value = small()
    value["extra"][0]["skills"][0] = {"time": "edit", "effect": "teleport", "text": {"en": "Teleport.", "ja": "転送。"}}
    pack = load_pack(json.dumps(value))
    assert [s.effect for s in pack.named("ALPHA").skills] == ["opaque"]
    entry = next(e for e in pack.entries if e.card.name == "ALPHA")
    assert [w and w.en for w in entry.words] == ["Teleport."]
    assert str(pack.warnings[0]).startswith("extra[0].skills[0].effect: 'teleport' is carried as opaque")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"{", "this is not JSON"),
        (b"\xff", "not UTF-8"),
        ("[" * 100_000, "nested deeper than 40"),
        (" " * (MOST_BYTES + 1), "at most"),
        ('{"format": 1, "format": 2}', "stands twice"),
        ('{"numbers": NaN}', "NaN"),
        ("9" * 5000, "5000 digits"),
        ("[]", "[] is not an object"),
        (r'{"name": "\ud800"}', "half of a surrogate pair"),
    ],
)
def test_a_file_that_is_no_pack_is_refused_in_a_sentence(data: str | bytes, says: str) -> None:
    assert says in faults(data)[0]


def test_a_nest_of_any_depth_is_refused_in_a_sentence() -> None:
    for depth in range(800, 1000):
        assert faults('{"format": ' + "[" * depth + "]" * depth + "}")


@pytest.mark.parametrize("text", ["a: &x [*x]\n", "a: [", "a: 1\na: 2\n", "a: !!python/none x\n"])
def test_yaml_with_circles_repeated_keys_or_tags_is_refused(text: str) -> None:
    with pytest.raises(DataError):
        to_json(text)


def test_yaml_numbers_and_words_become_json() -> None:
    assert decode(to_json("a: [1, -2]\nb: {c: 'x', d: true}\n")) == {"a": [1, -2], "b": {"c": "x", "d": True}}


# -- boards --------------------------------------------------------------------------------------------


def test_the_printed_boards_have_the_numbers_of_the_document() -> None:
    assert {b.name: (b.cap, b.priority, b.left, b.right) for b in PRINTED.values()} == {
        "FLEHEIM": ((4, 6, 5), 40, "RITUAL", "FLAME"),
        "ATELIER": ((6, 5, 6), 25, "TEA", "RECYCLE"),
        "MANAST": ((6, 4, 6), 30, "LASER", "GRAVITY"),
        "HUNTERS": ((4, 5, 7), 20, "CASTLE", "TRAP"),
    }
    assert {s for b in PRINTED.values() for s in (b.left, b.right)} == set(SKILL.labels) - {"NONE"}


@pytest.mark.parametrize(
    ("change", "path", "says"),
    [
        (lambda b: b.update(cap=[4, 17, 5]), "boards[0].cap[1]", "17 lies outside 1..16"),
        (lambda b: b.update(cap=[4, 5]), "boards[0].cap", "three maxima L C R, not 2"),
        (lambda b: b.update(priority="first"), "boards[0].priority", '"first" is not a whole number'),
        (lambda b: b.update(left="FIREBALL"), "boards[0].left", "not one of NONE, RITUAL"),
        (lambda b: b.update(id="HUNTERS"), "boards[3]", "two boards 'HUNTERS'"),
        (lambda b: b.pop("cap"), "boards[0]", "cap is missing"),
    ],
)
def test_a_defect_of_a_board_is_told_with_its_path(change: Change, path: str, says: str) -> None:
    value = json.loads(source("boards.json"))
    good = load_boards(json.dumps(value))
    assert good == PRINTED
    change(value["boards"][0])
    with pytest.raises(DataError) as caught:
        load_boards(json.dumps(copy.deepcopy(value)))
    assert [str(d) for d in caught.value.defects if d.path == path and says in d.text.en]
