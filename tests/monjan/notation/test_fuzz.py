"""Files that were damaged: each is read, or told what is wrong with it in both languages; none brings the reader down."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random

import pytest

import monjudge.model.monjan.catalogue as catalogue
from monjudge.model.games import kit_of
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.kit import Kit
from monjudge.model.notation.source import read, write

from_shipped = [Path(catalogue.__file__).with_name(name).read_text("utf-8") for name in ("boards.yaml", "boards.json", "default_pack.json")]
LINE = "mc1/p=BATTLE/t=8/1=b=FLEHEIM;h=F2W+8.br.bt;m=*F8*W3N10N11-_,W5;d=,F8:16;a=,qu,E5;c=F12F+6;z;p=11;q=1/2=b=~4.6.5:9:TRAP:NONE;h=ja;x=c=tc,b=PAIR,w=1.0.0;i=m=1/D=rest.ar.bw/B=rest/b=s=DECLARE,t=2/w=l=3,c=qu/R=A43.ANY"
STATE = kit_of(LINE).canonical("state", LINE)
HUMANE = """# a position
ターン: 3
プレイヤー:
  先手: {盤: フレヘイムの煉獄山, 手札: [火２, 水＋8, 潮を呼ぶ者], マナ: {左: [火3, "*無7"]}, 防御: {中: [水11, 9]}}
  後手: &b {盤: HUNTERS, 防御: {C: N13}, エキストラ: {card: CHOIR, by: PAIR}}
束: rest
readings: {A43: ANY}
"""
SEEDS = [
    LINE, write(STATE), write(STATE, "json"), HUMANE, LINE + "//1:mana~F3~L/2:end",
    write({"format": "monjudge-readings/1", "name": {"en": "x", "ja": "y"}, "version": 1, "readings": {"A43": "ANY"}}),
    json.dumps({"game": "monjan", "start": LINE, "moves": ["1:mana F3 L"]}), "nim1/heap=1,2,3", '{"game": "pig", "score": [3, 4]}',
    *from_shipped,
]  # fmt: skip
SPLINTERS = ["\x00", "\t", "　", "：", "*", "&a ", "?", "!!int ", "- ", "{", "}", "[", "]", '"', "'", ",", ":", "#", "|", ">", "%", "@", "~", "=", "/",
             ";", "\n", "\\", "\\ud800", "NaN", "-1", "99999999999999999999", "1e999", "null", "true", "no", "<<: ", "火", "Ｆ", "\u202e", "\ufeff", "\x85"]  # fmt: skip


def damaged(rng: Random) -> bytes:
    """A seed with one to four wounds: characters lost, doubled, exchanged or put in, lines moved, bytes broken."""
    text = rng.choice(SEEDS)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.choice((1, 1, 1, 3, 20)))
        wound = rng.randrange(6)
        if wound == 0:
            text = text[:at] + text[end:]
        elif wound == 1:
            text = text[:end] + text[at:]
        elif wound <= 3:
            text = text[:at] + rng.choice(SPLINTERS) + text[at if wound == 2 else end :]
        elif wound == 4:
            lines = text.split("\n")
            rng.shuffle(lines)
            text = "\n".join(lines)
        else:
            other = rng.choice(SEEDS)
            text = text[:at] + other[rng.randrange(len(other)) :][:40] + text[at:]
    data = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.05:
        at = rng.randrange(len(data) + 1)
        data = data[:at] + bytes([rng.randrange(256)]) + data[at:]
    return data


def told(data: bytes) -> str:
    """``valid``, or the codes of what is wrong. Anything but a DataError comes through."""
    try:
        document = read(data)
        try:
            words: Kit = kit_of(document.data)
            words.canonical(words.kind(document.data), document.data)
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
    rng = Random(seed)
    answers = set()
    for _ in range(count):
        data = damaged(rng)
        start = time.process_time()
        answers |= set(told(data).split())
        assert time.process_time() - start < 5, data
    return answers


def test_hundreds_of_damaged_files_are_read_or_told() -> None:
    answers = many(500, seed=1)
    assert {"valid", "not-yaml", "not-json", "bad-line", "unknown-key", "unreadable-card"} <= answers


@pytest.mark.slow
def test_a_hundred_thousand_damaged_files_are_read_or_told() -> None:
    assert len(many(100_000, seed=2)) > 20
