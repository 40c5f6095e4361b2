"""Boards, packs, profiles, logs and their schemas: what is read, what is told, and that the shipped schemas are those of the forms."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

import monjudge.model.monjan.catalogue as catalogue
from monjudge.model import schemas
from monjudge.model.games import kit
from monjudge.model.monjan.boards import load_boards
from monjudge.model.monjan.catalogue.packs import default_pack, read_pack
from monjudge.model.monjan.notation.documents import PACK_FORM
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.reading import Reading
from monjudge.model.notation.source import read, write
from monjudge.solvers.play import Play

KIT = kit("monjan")
FOLDER = Path(catalogue.__file__).parent

PROFILE = {
    "format": "monjudge-readings/1", "name": {"en": "Club", "ja": "クラブ"}, "version": 2, "readings": {"A43": "ANY"},
}  # fmt: skip
LOG = {
    "game": "monjan", "start": {"turn": 3, "players": {"1": {"hand": ["F3"]}, "2": {}}}, "moves": ["1:mana F3 L", "1:end"],
}  # fmt: skip


def shipped(name: str) -> Any:
    return json.loads(FOLDER.joinpath(name).read_text("utf-8"))


@pytest.mark.parametrize(
    ("kind", "document"),
    [("board", shipped("boards.json")), ("pack", shipped("default_pack.json")), ("readings", PROFILE), ("log", LOG)],
)
def test_a_document_is_told_by_its_content_and_its_canonical_form_stays_what_it_is(kind: str, document: Any) -> None:
    assert KIT.kind(document) == kind
    data = KIT.canonical(kind, document)
    assert KIT.canonical(kind, data) == data
    assert read(write(data)).data == data
    jsonschema.validate(data, KIT.schema(kind))


def test_the_canonical_default_pack_and_boards_mean_the_same_as_those_shipped() -> None:
    pack = KIT.canonical("pack", shipped("default_pack.json"))
    assert read_pack(pack).entries == default_pack().entries
    boards = KIT.canonical("board", shipped("boards.json"))
    assert load_boards(json.dumps(boards)) == load_boards(json.dumps(shipped("boards.json")))


@pytest.mark.parametrize("kind", KIT.kinds)
def test_the_schemas_that_ship_are_those_of_the_forms(kind: str) -> None:
    assert schemas.path("monjan", kind).read_text("utf-8") == schemas.text("monjan", kind)
    jsonschema.Draft202012Validator.check_schema(json.loads(schemas.text("monjan", kind)))


def test_positions_that_were_played_fit_the_schema(matches: Callable[..., Iterator[Any]]) -> None:
    validator = jsonschema.Draft202012Validator(KIT.schema("state"))
    for match in range(0, 7, 2):
        for position, _ in list(matches(match, seed=5, most=90))[10::20]:
            assert [e.message for e in validator.iter_errors(KIT.data(position))] == []


@pytest.mark.parametrize(
    "text",
    ["turn: 3\nplayers: {先手: {手札: [火3], マナ: {左: [F3]}, 防御: {中: W11}, 倒れた列: L}}", "deck: rest", "束: {F3: 2}",
     "players: {1: {board: {cap: [4, 5, 6], priority: 3}, extra: {card: CHOIR, by: PAIR}}}"],
)  # fmt: skip
def test_what_people_write_fits_the_schema_too(text: str) -> None:
    data = read(text).data
    assert KIT.canonical("state", data)
    jsonschema.validate(data, KIT.schema("state"))


@pytest.mark.parametrize(
    "text", ["tern: 3", "players: {5: {}}", "players: {1: {mana: {Q: []}}}", "turn: 300", "players: {1: {board: NOWHERE}}", "mode: X"]
)
def test_what_cannot_be_read_breaks_the_schema_too(text: str) -> None:
    data = read(text).data
    with pytest.raises(DataError):
        KIT.canonical("state", data)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, KIT.schema("state"))


BROKEN: list[tuple[str, Any, Any, list[str]]] = [
    ("board", ("boards", 0, "cap"), [4, 6], ["boards[0].cap"]),
    ("board", ("boards", 1, "id"), "FLEHEIM", ["boards[1].id"]),
    ("board", ("boards", 0, "left"), "RITUEL", ["boards[0].left"]),
    ("pack", ("extra", 0, "pair"), ["fire", "smoke"], ["extra[0].pair[1]"]),
    ("pack", ("extra", 1, "short"), "ec", ["extra[1].short"]),
    ("pack", ("toughness", 0, "cost"), 99, ["toughness[0].cost"]),
    ("pack", ("boss", 0, "strength"), "strong", ["boss[0].strength"]),
    ("readings", ("readings",), {"A43": "X", "Q1": "Y"}, ["readings.A43", "readings.Q1"]),
    ("readings", ("version",), None, [""]),
    ("log", ("start", "turn"), 300, ["start.turn"]),
    ("log", ("moves",), [3], ["moves[0]"]),
]


@pytest.mark.parametrize(("kind", "where", "value", "paths"), BROKEN)
def test_every_defect_of_a_document_has_its_path(kind: str, where: Any, value: Any, paths: list[str]) -> None:
    document = copy.deepcopy(
        {"board": shipped("boards.json"), "pack": shipped("default_pack.json"), "readings": PROFILE, "log": LOG}[kind]
    )
    inner: Any = document
    for step in where[:-1]:
        inner = inner[step]
    if value is None:
        del inner[where[-1]]
    else:
        inner[where[-1]] = value
    with pytest.raises(DataError) as caught:
        KIT.canonical(kind, document)
    assert [d.path for d in caught.value.defects] == paths


def test_a_line_of_play_in_one_line_is_the_same() -> None:
    data = KIT.canonical("log", LOG)
    line = "mc1/t=3/1=h=F3/2=//1:mana~F3~L/1:end"
    assert KIT.kind(line) == "log" and KIT.canonical("log", line) == data


def test_a_line_of_play_that_begins_at_a_table_is_replayed() -> None:
    log = KIT.log({"table": {"mode": "BASIC", "boards": ["FLEHEIM", "ハイスピード ハンターズ"]}, "moves": []})
    play = Play(log.position.rules)
    start = play.reference.settle(log.position.state)
    record = play.deal(seed=4, state=start)
    here, texts = log.position.at(start), []
    for move, after in zip(record.moves, record.states, strict=True):
        texts.append(KIT.move_text(here, move))
        here = here.at(after)
    again = KIT.log({"table": {"mode": "BASIC", "boards": ["FLEHEIM", "HUNTERS"]}, "moves": texts})
    there = again.position.at(start)
    for text, after in zip(again.moves, record.states, strict=True):
        assert play.reference.step(there.state, KIT.move(there, text)) == after
        there = there.at(after)


def test_a_log_needs_a_table_or_a_start_and_not_both() -> None:
    for document in ({"moves": []}, {**LOG, "table": {"boards": ["FLEHEIM", "HUNTERS"]}}):
        with pytest.raises(DataError, match="a table or a start"):
            KIT.log(document)


VALUES: list[Any] = [True, 0, 1, 3, 17, 99, -1, "fire", "water", "", "x", "plus", "OWL", [], [1], ["fire"], {}, {"en": "x", "ja": "y"}]


def wounded(rng: Random, value: Any) -> Any:
    """The data with one value exchanged, one key lost or one entry doubled."""
    data = copy.deepcopy(value)
    places = [(held, key) for held in containers(data) for key in (held if isinstance(held, dict) else range(len(held)))]
    held, key = rng.choice(places)
    wound = rng.randrange(4)
    if wound == 0:
        del held[key]
    elif wound == 1 and isinstance(held, list):
        held.append(copy.deepcopy(held[key]))
    else:
        held[key] = copy.deepcopy(rng.choice(VALUES))
    return data


def containers(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list) and value:
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from containers(item)


def accepted(read: Callable[[Any], Any], data: Any) -> bool:
    try:
        read(data)
    except DataError:
        return False
    return True


def test_the_form_of_packs_and_the_reader_of_packs_accept_the_same() -> None:
    rng = Random(5)
    whole = shipped("default_pack.json")
    small = {key: value[:2] if isinstance(value, list) else value for key, value in whole.items()}
    taken = 0
    for _ in range(1500):
        data = wounded(rng, small)
        form = Reading()
        PACK_FORM.read(data, "", form)
        fits = accepted(read_pack, data)
        taken += fits
        # What the form lets through the reader may still refuse for what it means, never the other way round.
        assert not fits or not form.defects, (data, form.defects)
    assert 100 < taken < 1400


def test_the_form_of_boards_and_the_reader_of_boards_accept_the_same() -> None:
    rng = Random(6)
    taken = 0
    for _ in range(1500):
        data = wounded(rng, shipped("boards.json"))
        fits = accepted(lambda value: load_boards(json.dumps(value)), data)
        taken += fits
        assert fits == accepted(lambda value: KIT.canonical("board", value), data), data
    assert 50 < taken < 1400
