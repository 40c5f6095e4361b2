"""What is certified is said with its verdict: what refutes a property is not told as if it proved it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from monjudge.cli.main import main
from monjudge.reports.answers.claimed import claimed
from monjudge.solvers.certificate import Evidence
from monjudge.verify.kinds import CHECKS
from monjudge.verify.recheck import _SHOWN

ASKED = """format: monjudge-properties/1
game: nim
properties:
  - {id: few, kind: invariant, formula: "heap[0] <= 3", en: a, ja: a}
  - {id: none, kind: invariant, formula: "heap[0] == 3", en: a, ja: a}
  - {id: big, kind: move, on: take, formula: "heap[0] == 3", en: a, ja: a}
  - {id: one, kind: reachable, formula: "heap[0] == 1", en: a, ja: a}
  - {id: end, kind: termination, measure: ["sum h in 0..2: heap[h]"], en: a, ja: a}
"""
SAID = {
    "few": ("few holds: in every state: heap[0] <= 3", "few 成立：どの状態でも：heap[0] <= 3"),
    "none": ("none is shown: a line of 1 move leads to: not (heap[0] == 3)", "none 実例あり：1手の手順で次に至る：not (heap[0] == 3)"),
    "big": ("big fails: wherever take is legal: heap[0] == 3", "big 不成立：takeができるときいつも：heap[0] == 3"),
    "one": ("one is shown: a line of 1 move leads to: (true) and (heap[0] == 1)", "one 実例あり：1手の手順で次に至る：(true) and (heap[0] == 1)"),
    "end": ("end holds: play does not stay for ever where: true (measure sum h in 0..2: heap[h])", "end 成立：次の状態に永久にとどまらない：true (measure sum h in 0..2: heap[h])"),
}  # fmt: skip


def test_a_certificate_says_its_verdict_its_claim_and_its_bounds(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(ASKED, encoding="utf-8")
    asked = ["verify", str(file), "--game", "nim", "--no-flips", "--no-cache", "--jobs", "1", "--evidence", str(tmp_path / "proofs")]
    assert CliRunner().invoke(main, asked).exit_code == 1
    for id, said in SAID.items():
        proof = tmp_path / "proofs" / f"{id}.json"
        evidence = Evidence.from_json(json.dumps(json.loads(proof.read_text(encoding="utf-8"))["evidence"]))
        assert claimed(evidence) == said
        done = CliRunner().invoke(main, ["certify", str(proof), "--lang", "en"])
        assert done.exit_code == 0 and said[0] in done.stdout and "players 2" in done.stdout


@pytest.mark.parametrize("question", sorted({*CHECKS, *_SHOWN, "holds"}))
def test_every_kind_of_evidence_has_words_of_its_own(question: str) -> None:
    words = claimed(Evidence({"property": "p", "question": question, "formula": "f", "kind": "move", "on": "go"}, "", "", {}, (), {}))
    assert f": {question}: f" not in words.en and words.en != words.ja and words.en.endswith(": f")
