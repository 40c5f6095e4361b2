"""By which engine a proof is checked: the reference, the native engine, both, or as long as the reference is quick."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from monjudge.cli.main import main
from monjudge.judge import read
from monjudge.reports import solving
from monjudge.reports.answers.schema import ANSWERS
from monjudge.solvers.engines.native import walker
from monjudge.solvers.forced.obvious import Contradiction
from monjudge.solvers.walk import Checked

FORK = "tic-tac-toe1/cell=1,2,0,0,1,0,0,0,0/turn=1"
ENGINES = {
    "auto": ("reference",), "reference": ("reference",), "native": ("native",), "both": ("reference", "native"),
}  # fmt: skip


@pytest.fixture(scope="module")
def proof() -> solving.Proof:
    found = solving.solve(read(FORK), prove=True)[1]
    assert found is not None
    return found


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_accepts_a_proof_and_says_that_it_did(proof: solving.Proof, engine: str) -> None:
    done = solving.certify(read(FORK), proof, engine)
    assert done.refused is None and done.engines == ENGINES[engine] and not done.begun
    assert done.positions == solving.certify(read(FORK), proof).positions > 3


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_refuses_a_proof_with_a_decision_too_few(proof: solving.Proof, engine: str) -> None:
    certificate = {"choices": proof.evidence.certificate["choices"][:-1]}
    done = solving.certify(read(FORK), replace(proof, evidence=replace(proof.evidence, certificate=certificate)), engine)
    assert done.refused is not None and "a decision is missing" in done.refused.en and done.engines == ()


def test_a_long_proof_is_left_to_the_native_engine(proof: solving.Proof, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "LONG", 2)
    done = solving.certify(read(FORK), proof)
    assert done.engines == ("native",) and done.begun == 2 and done.refused is None
    assert solving.certify(read(FORK), proof, "reference").engines == ("reference",)

    def missing(*_: object) -> None:
        raise ImportError

    monkeypatch.setattr(solving, "compiled", missing)
    assert solving.certify(read(FORK), proof).engines == ("reference",)


def test_engines_that_disagree_are_told(proof: solving.Proof, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walker, "follow", lambda *_: Checked(1, 1))
    with pytest.raises(Contradiction):
        solving.certify(read(FORK), proof, "both")


def test_the_command_says_by_which_engine_and_how_many_first_plans(tmp_path: Path) -> None:
    line = "mc1/t=8/1=b=MANAST;h=E16.mw;m=,F9,F15;d=,A14:4,W9:7;a=,N4,A2/2=b=ATELIER;m=,,F11F12;d=E8:6,A8:3;a=,,N3;z"
    file = tmp_path / "proof.json"

    def run(*words: str, lang: str = "en") -> str:
        return CliRunner().invoke(main, list(words), env={"MONJUDGE_LANG": lang, "NO_COLOR": "1"}).stdout

    run("solve", line, "--turns", "1", "--open", "--proof", str(file))
    said = run("certify", str(file), "--engine", "both")
    assert "by the reference and the native engine" in said
    plans = int(said.split("first plans refuted: ")[1].split(",")[0])
    assert plans > 3 and f"反証された最初の計画：{plans}" in run("certify", str(file), lang="ja")
    told = json.loads(run("certify", str(file), "--format", "json"))
    jsonschema.Draft202012Validator(ANSWERS).validate(told)
    (found,) = told["results"]
    assert found["engines"] == ["reference"] and found["plans"]["count"] == plans
