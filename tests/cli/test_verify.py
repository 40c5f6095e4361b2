"""``monjudge verify``: verdicts with their exit codes, a file of one's own, and evidence that ``certify`` checks."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main
from monjudge.reports.answers.schema import ANSWERS

OWN = """
format: monjudge-properties/1
properties:
- {id: few, kind: invariant, formula: "heap[0] <= 3", en: Few., ja: 少ない。}
- {id: fewer, kind: invariant, formula: "heap[0] <= 2", en: Fewer., ja: もっと少ない。}
"""


def run(*words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(main, list(words), env={"MONJUDGE_LANG": lang, "NO_COLOR": "1"})


def own(tmp_path: Path, text: str = OWN) -> str:
    file = tmp_path / "own.yaml"
    file.write_text(text, "utf-8")
    return str(file)


def test_shipped_properties_are_all_asked_or_those_that_are_named() -> None:
    done = run("verify", "--game", "nim")
    assert done.exit_code == 0 and done.stdout.count("holds ") == 6
    assert run("verify", "--game", "nim", "heaps", lang="ja").stdout.startswith("成立 heaps")
    assert "there is no property 'heap'" in run("verify", "--game", "nim", "heap").output


def test_a_file_of_ones_own_is_asked_like_the_shipped_ones(tmp_path: Path) -> None:
    done = run("verify", "--game", "nim", own(tmp_path), "--format", "json")
    found = json.loads(done.stdout)
    jsonschema.Draft202012Validator(ANSWERS).validate(found)
    assert done.exit_code == 1
    assert [(r["id"], r["finding"]) for r in found["results"]] == [("few", "holds"), ("fewer", "fails")]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("kind: invariant", "kind: variant", "did you mean invariant"),
        ("heap[0] <= 3", "hap[0] <= 3", "did you mean 'heap'"),
        ('formula: "heap[0] <= 3"', 'premise: "heap[0] > 3", formula: "heap[1] == 4"', "few says nothing: the premise is never met"),
    ],
)
def test_what_cannot_be_asked_is_an_error(old: str, new: str, said: str, tmp_path: Path) -> None:
    done = run("verify", "--game", "nim", own(tmp_path, OWN.replace(old, new)))
    assert done.exit_code == 2 and said in done.output


def test_without_time_the_answer_is_undecided(tmp_path: Path) -> None:
    done = run("verify", "--game", "nim", "heaps", "--max-time", "0.000001")
    assert done.exit_code == 4 and done.stdout.startswith("undecided heaps")


def test_evidence_is_checked_by_certify_and_refused_when_changed(tmp_path: Path) -> None:
    run("verify", "--game", "nim", "heaps", "mirror", "--evidence", str(tmp_path))
    files = sorted(tmp_path.glob("*.json"))
    assert [file.stem for file in files] == ["heaps", "mirror"]
    assert run("certify", *map(str, files)).exit_code == 0
    written = files[0].read_text("utf-8")
    for old, new in (("heap[0] <= 3", "heap[0] <= 2"), ('"game": "nim"', '"game": "pig"'), ('"open"', '"opened"')):
        assert old in written
        files[0].write_text(written.replace(old, new), "utf-8")
        assert run("certify", str(files[0])).exit_code == 1


def test_one_claim_speaks_of_the_boards_that_are_named(tmp_path: Path) -> None:
    printed, every = (run("verify", "P04", "--boards", boards) for boards in ("printed", "all"))
    assert (printed.exit_code, every.exit_code) == (0, 1)
    designs = [{"id": name, "name": {"en": name, "ja": name}, "cap": [9, 9, 9], "priority": n} for n, name in enumerate("AB")]
    file = tmp_path / "boards.json"
    file.write_text(json.dumps({"format": "monjudge-boards/1", "boards": designs}), "utf-8")
    assert (run("verify", "P04", "--boards", str(file)).exit_code, run("verify", "P05", "--boards", str(file)).exit_code) == (1, 0)
