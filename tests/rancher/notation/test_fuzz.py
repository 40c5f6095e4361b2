"""Documents of this game that were damaged: each is read, or told what is wrong with it in both languages."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random

import pytest

from monjudge.model.examples import examples
from monjudge.model.games import kit, kit_of
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.source import read, write
from monjudge.model.rancher import catalogue

FOLDER = Path(catalogue.__file__).parent
KIT = kit("rancher")
LINES = [KIT.line(KIT.position(json.loads(path.read_text("utf-8")))) for path in examples().values() if "rancher" in path.read_text("utf-8")]
PACK = json.loads((FOLDER / "default_pack.json").read_text("utf-8"))
SMALL_PACK = {**PACK, **{key: PACK[key][:2] for key in ("monsters", "training", "attachments", "events", "battles")}}
DECK = {"format": "monjudge-rancher-deck/1", **json.loads((FOLDER / "decks.json").read_text("utf-8"))["decks"][0]}
HUMANE = """game: rancher
プレイヤー:
  先手: {手札: [灰の猟犬, lifting], モンスター: [{カード: 蛙仙人, 負傷: true}, "-"], 名声: 2}
  後手: {deck: MEADOW, monsters: [{card: IRON_RAM, gear: [ITCH_POWDER]}]}
step: MOVE
readings: {AMB_MOVEORD: SECRET_AT_ONCE}
"""
SEEDS = [
    *LINES, *(write(KIT.canonical("state", line)) for line in LINES), write(KIT.canonical("state", LINES[0]), "json"), HUMANE,
    LINES[0] + "//1:end/2:end", json.dumps({"game": "rancher", "start": LINES[0], "moves": ["1:end"]}), json.dumps(DECK), write(DECK),
    json.dumps({**DECK, "own": {key: SMALL_PACK[key] for key in ("monsters", "events")}}), json.dumps(SMALL_PACK), write(SMALL_PACK),
    write({"format": "monjudge-rancher-readings/1", "name": {"en": "x", "ja": "y"}, "version": 1, "readings": {"AMB_AID": "BEFORE"}}),
]  # fmt: skip
SPLINTERS = ["\x00", "\t", "：", "*", "&a ", "?", "- ", "{", "}", "[", "]", '"', ",", ":", "#", "~", "=", "/", ";", ".", "\n", "\\ud800", "NaN",
             "-1", "99999999999999999999", "null", "true", "<<: ", "前", "\u202e", "\ufeff", "MEADOW", "*i", "ASH_HOUND", "own: {}", "1.5"]  # fmt: skip


def damaged(rng: Random) -> bytes:
    """A seed with one to four wounds: characters lost, doubled or put in, lines moved, parts of other documents, bytes broken."""
    text = rng.choice(SEEDS)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.choice((1, 1, 3, 20)))
        other = rng.choice(SEEDS)
        lines = text.split("\n")
        text = rng.choice((
            text[:at] + text[end:], text[:end] + text[at:], text[:at] + rng.choice(SPLINTERS) + text[at:], text[:at] + rng.choice(SPLINTERS) + text[end:],
            "\n".join(rng.sample(lines, len(lines))), text[:at] + other[rng.randrange(len(other)) :][:40] + text[at:],
        ))  # fmt: skip
    data = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.05:
        at = rng.randrange(len(data) + 1)
        data = data[:at] + bytes([rng.randrange(256)]) + data[at:]
    return data


def told(data: bytes) -> str:
    """``valid``, or the codes of what is wrong; what can be read is read again from its canonical form."""
    try:
        document = read(data)
        try:
            words = kit_of(document.data)
            kind = words.kind(document.data)
            found = words.canonical(kind, document.data)
            if words.name == KIT.name and kind in ("state", "deck", "pack"):
                assert words.canonical(kind, found) == found, data
            if words.name == KIT.name and kind == "state":
                words.defects(words.position(found))
        except DataError as error:
            raise document.located(error) from None
    except DataError as error:
        assert error.defects
        for defect in error.defects:
            assert defect.label and defect.text.en and defect.text.ja
            assert defect.place is not None and defect.place.line >= 1 and defect.place.column >= 1
        return " ".join(sorted({d.code for d in error.defects}))
    return "valid"


def many(count: int, seed: int) -> set[str]:
    rng, answers = Random(seed), set[str]()
    for _ in range(count):
        data = damaged(rng)
        start = time.process_time()
        answers |= set(told(data).split())
        assert time.process_time() - start < 5, data
    return answers


def test_hundreds_of_damaged_documents_are_read_or_told() -> None:
    answers = many(400, seed=1)
    assert {"valid", "not-yaml", "not-json", "bad-line", "unknown-key", "unreadable-card", "deck-forbidden"} <= answers


@pytest.mark.slow
def test_twenty_thousand_damaged_documents_are_read_or_told() -> None:
    assert len(many(20_000, seed=2)) > 15
