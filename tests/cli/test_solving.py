"""``monjudge solve`` and ``monjudge certify``: the verdict, a line to look at, and a proof that holds or is refused."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main
from monjudge.reports.answers.schema import ANSWERS

FORK = "tic-tac-toe1/cell=1,2,0,0,1,0,0,0,0/turn=1"
"""The first player has the centre and a corner, and threatens the other corner."""


def run(*words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(main, list(words), env={"MONJUDGE_LANG": lang, "NO_COLOR": "1"})


@pytest.mark.parametrize(
    ("words", "code", "en", "ja"),
    [
        ((FORK, "--player", "1"), 0, "Player 1 can force it: three in a row", "プレイヤー1は必ず達成できる（三つ並べる）"),
        ((FORK, "--player", "2"), 1, "Player 2 cannot force it", "プレイヤー2は必ず達成できるわけではない"),
        (("tic-tac-toe1",), 1, "Player 1 cannot force it", "プレイヤー1は必ず達成できるわけではない"),
        (("nim1",), 0, "Player 1 can force it", "プレイヤー1は必ず達成できる"),
        (("tic-tac-toe1", "--max-nodes", "3"), 4, "only 3 positions were expanded", "3局面までしか調べていない"),
        ((FORK, "--goal", "beauty"), 2, "goals: win", "目標：win"),
        ((FORK, "--turns", "2"), 2, "does not declare what a turn is", "「ターン」の区切りがない"),
        ((FORK, "--player", "3"), 2, "1..2, not 3", "3はいない"),
    ],
)
def test_a_goal_is_forced_or_not_or_that_is_unknown(words: tuple[str, ...], code: int, en: str, ja: str) -> None:
    for lang, said in (("en", en), ("ja", ja)):
        done = run("solve", *words, lang=lang)
        assert done.exit_code == code and said in done.output


def test_the_answer_is_admitted_by_its_schema_and_its_line_can_be_played() -> None:
    found = json.loads(run("solve", FORK, "--format", "json").stdout)
    jsonschema.Draft202012Validator(ANSWERS).validate(found)
    line = [move["move"] for move in found["results"][0]["line"]]
    assert run("check", FORK, *line).exit_code == 0
    assert "three in a row" in run("play", FORK, *line).stdout


@pytest.mark.parametrize(("player", "verdict"), [("1", "can force"), ("2", "cannot force")])
def test_a_proof_is_checked_and_a_changed_one_refused(player: str, verdict: str, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    run("solve", FORK, "--player", player, "--proof", str(proof))
    done = run("certify", str(proof))
    assert done.exit_code == 0 and "positions checked" in done.stdout
    assert done.stdout.startswith(f"The certificate is right: Player {player} {verdict} it")
    assert run("certify", str(proof), lang="ja").stdout.startswith(f"証明は正しい：プレイヤー{player}は")
    written = proof.read_text("utf-8")
    for old, new in (('"choices": [', '"choices": [7, '), ("cell=1,2", "cell=2,1")):
        assert old in written
        proof.write_text(written.replace(old, new), "utf-8")
        refused = run("certify", str(proof))
        assert refused.exit_code == 1 and refused.stdout.startswith("The certificate is not right: ") and "{" not in refused.stdout


@pytest.mark.parametrize("part", ["claim", "bounds", "certificate"])
@pytest.mark.parametrize("value", [3, None, "yes", [[]]])
def test_a_proof_with_a_part_that_is_no_object_is_refused(part: str, value: object, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    run("solve", FORK, "--proof", str(proof))
    written = json.loads(proof.read_text("utf-8"))
    written["evidence"][part] = value
    proof.write_text(json.dumps(written), "utf-8")
    refused = run("certify", str(proof))
    assert refused.exit_code == 1 and "are objects" in refused.stdout


@pytest.mark.parametrize("content", ["", "{", "[]", "null", "[" * 100_000, '{"schema": "monjudge-proof/9", "position": "nim1"}'])
def test_what_is_no_proof_cannot_be_read(content: str, tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    file.write_text(content, "utf-8")
    for lang, said in (("en", "this is no proof"), ("ja", "証明の文書")):
        done = run("certify", str(file), lang=lang)
        assert done.exit_code == 2 and said in done.output and str(file) in done.output


@pytest.mark.parametrize(("evidence", "said"), [(3, "not an object"), ([], "not an object"), ({}, "it has no claim, rules"), (None, "not an object")])
def test_evidence_that_is_none_is_refused_in_a_sentence(evidence: object, said: str, tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    file.write_text(json.dumps({"schema": "monjudge-proof/1", "position": "nim1", "evidence": evidence}), "utf-8")
    done = run("certify", str(file))
    assert done.exit_code == 1 and said in done.stdout


def test_an_unknown_answer_leaves_no_proof(tmp_path: Path) -> None:
    for how in ((), ("--hidden",)):
        done = run("solve", "tic-tac-toe1", "--max-nodes", "3", *how, "--proof", str(tmp_path / "proof.json"))
        assert done.exit_code == 4 and "no proof was written" in done.stderr
    assert not (tmp_path / "proof.json").exists()
