"""``monjudge verify``: verdicts with their exit codes, a file of one's own, and evidence that ``certify`` checks."""

from __future__ import annotations

import json
import sqlite3
from concurrent.futures import Future
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main
from monjudge.reports.answers.schema import ANSWERS
from monjudge.verify import running

OWN = """
format: monjudge-properties/1
properties:
- {id: few, kind: invariant, formula: "heap[0] <= 3", en: Few., ja: 少ない。}
- {id: fewer, kind: invariant, formula: "heap[0] <= 2", en: Fewer., ja: もっと少ない。}
"""


PLUGIN = str(Path(__file__).parents[1] / "verify" / "leaky.py")


def run(*words: str, lang: str = "en", **env: str) -> Result:
    return CliRunner().invoke(main, list(words), env={"MONJUDGE_LANG": lang, "NO_COLOR": "1", **env})


def own(tmp_path: Path, text: str = OWN) -> str:
    file = tmp_path / "own.yaml"
    file.write_text(text, "utf-8")
    return str(file)


def test_shipped_properties_are_all_asked_or_those_that_are_named() -> None:
    done = run("verify", "--game", "nim")
    assert done.exit_code == 0 and done.stdout.count("holds ") == 6
    assert run("verify", "--game", "nim", "heaps", lang="ja").stdout.startswith("成立 heaps")
    assert "there is no property 'heap'" in run("verify", "--game", "nim", "heap").output
    unknown = run("verify", "--game", "chess", "heaps")
    assert unknown.exit_code == 2 and "no game is called 'chess'" in unknown.output


def test_a_file_of_ones_own_is_asked_like_the_shipped_ones(tmp_path: Path) -> None:
    done = run("verify", "--game", "nim", own(tmp_path), "--format", "json")
    found = json.loads(done.stdout)
    jsonschema.Draft202012Validator(ANSWERS).validate(found)
    assert done.exit_code == 1
    assert [(r["id"], r["verdict"]) for r in found["results"]] == [("few", "holds"), ("fewer", "fails")]


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


@pytest.mark.parametrize("words", [("verify", "--game", "nim", "--each"), ("verify", "--game", "nim", "--max-time"), ("solve", "nim1", "--max-time")])
@pytest.mark.parametrize("seconds", ["nan", "inf", "0", "-1"])
def test_seconds_are_a_number_above_zero(words: tuple[str, ...], seconds: str) -> None:
    done = run(*words, seconds)
    assert done.exit_code == 2 and "is not in the range x>0" in done.output


def test_without_time_the_answer_is_undecided(tmp_path: Path) -> None:
    done = run("verify", "--game", "nim", "heaps", "--no-cache", "--max-time", "0.000001")
    assert done.exit_code == 4 and done.stdout.startswith("undecided heaps") and "for all properties" in done.stdout
    done = run("verify", "--game", "nim", "heaps", "--each", "0.000001")
    assert done.exit_code == 4 and done.stdout.startswith("undecided heaps") and "for all properties" not in done.stdout


def test_when_the_time_for_all_is_over_what_was_found_is_told_and_the_rest_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pool:
        """Processes of which one never answers."""

        _processes = None

        def __init__(self, *given: Any) -> None:
            pass

        def submit(self, work: Any, task: str) -> Future[str]:
            future: Future[str] = Future()
            if json.loads(task)["property"]["id"] not in ("shrink", "end"):
                future.set_result(work(task))
            return future

        def shutdown(self, **given: Any) -> None:
            pass

    monkeypatch.setattr(running, "ProcessPoolExecutor", Pool)
    done = run("verify", "--game", "nim", "--no-flips", "--no-cache", "--format", "concise", "--jobs", "1", "--max-time", "0.5")
    assert done.exit_code == 4
    told = {line.split(" ")[1]: line.split(" ")[0] for line in done.stdout.splitlines()}
    assert told == {"heaps": "holds", "shrink": "undecided", "enough": "holds", "go-on": "holds", "mirror": "holds", "end": "undecided"}
    assert done.stdout.count("the time allowed for all properties is over") == 2


def test_cards_are_left_open_where_a_game_has_that(tmp_path: Path) -> None:
    text = """
format: monjudge-properties/1
properties:
- {id: top, kind: move, on: attack, formula: "not table is_NUMBER[card] or card_value[card] <= cap[me, column]", en: Low., ja: 低い。}
"""
    done = run("verify", own(tmp_path, text), "--cards", "open", "--boards", "all", "--no-flips", "--no-cache", "--format", "json", "--evidence", str(tmp_path))
    result = json.loads(done.stdout)["results"][0]
    assert done.exit_code == 0 and (result["bounds"]["cards"], result["open"]) == ("any data", [])
    assert run("certify", str(tmp_path / "top.json")).exit_code == 0
    assert run("verify", "--game", "nim", "heaps", "--cards", "open").exit_code == 2


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
    printed, every = (run("verify", "P04", "--boards", boards, "--no-flips") for boards in ("printed", "all"))
    assert (printed.exit_code, every.exit_code) == (0, 1)
    designs = [{"id": name, "name": {"en": name, "ja": name}, "cap": [9, 9, 9], "priority": n} for n, name in enumerate("AB")]
    file = tmp_path / "boards.json"
    file.write_text(json.dumps({"format": "monjudge-boards/1", "boards": designs}), "utf-8")
    assert tuple(run("verify", id, "--boards", str(file), "--no-flips").exit_code for id in ("P04", "P05.eight")) == (1, 0)


def test_a_plugin_makes_the_scene_and_its_flips_are_told(tmp_path: Path) -> None:
    done = run("verify", "--plugin", PLUGIN, "low", "dry", "--format", "json", "--evidence", str(tmp_path))
    found = json.loads(done.stdout)
    jsonschema.Draft202012Validator(ANSWERS).validate(found)
    assert [[(f["readings"], f["verdict"]) for f in r["flips"]] for r in found["results"]] == [
        [({"LID": "AJAR"}, "fails")], [({"PUMP": "STRONG", "VALVE": "BAD"}, "fails")]
    ]  # fmt: skip
    assert sorted(file.stem for file in tmp_path.glob("*.json")) == ["dry", "dry-PUMP=STRONG-VALVE=BAD", "low", "low-LID=AJAR"]
    assert "other readings: LID=AJAR fails" in run("verify", "--plugin", PLUGIN, "low").stdout
    assert "ほかの読み：LID=AJAR 不成立" in run("verify", "--plugin", PLUGIN, "low", lang="ja").stdout
    refused = run("certify", str(tmp_path / "low.json"))
    assert refused.exit_code == 1 and "not run unasked" in refused.stdout
    assert run("certify", "--plugin", PLUGIN, *map(str, tmp_path.glob("*.json"))).exit_code == 0


def test_with_all_readings_open_one_that_breaks_it_is_enough() -> None:
    words = ("verify", "--plugin", PLUGIN, "low", "--readings", "all")
    done = run(*words)
    assert done.exit_code == 1 and "a line of 6 moves under LID=AJAR, confirmed by the reference" in done.stdout
    assert run("verify", "--plugin", PLUGIN, "three", "--readings", "all").exit_code == 1


def test_a_test_report_has_a_case_for_every_property(tmp_path: Path) -> None:
    done = run("verify", "--game", "nim", own(tmp_path), "--format", "junit")
    suite = ElementTree.fromstring(done.stdout)
    assert done.exit_code == 1 and (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "1", "0")
    assert [(case.get("name"), [part.tag for part in case]) for case in suite] == [("few", ["system-out"]), ("fewer", ["failure"])]
    late = ElementTree.fromstring(run("verify", "--game", "nim", "heaps", "--format", "junit", "--each", "0.000001").stdout)
    assert late.get("skipped") == "1" and late[0][0].tag == "skipped"


def test_annotations_say_what_fails_in_one_line_each(tmp_path: Path) -> None:
    text = OWN.replace("en: Fewer.", 'en: "100%,\\nor fewer."')
    lines = run("verify", "--game", "nim", own(tmp_path, text), "--format", "github").stdout.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::notice", "::error"]
    assert lines[1].startswith("::error title=fewer fails::100%25,%0Aor fewer.%0A")


def test_what_was_found_is_kept_and_a_damaged_cache_costs_only_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words, env = ("verify", "--game", "nim", "heaps", "--format", "json"), {"MONJUDGE_CACHE": str(tmp_path)}
    first = run(*words, **env)
    with monkeypatch.context() as patched:
        patched.setattr(running, "answer", None)  # nothing is worked out again
        assert run(*words, **env).stdout == first.stdout
        assert run(*words, "--each", "59", **env).exit_code == 3
        assert run(*words, "--no-cache", **env).exit_code == 3
    with sqlite3.connect(tmp_path / "found.sqlite") as kept:
        kept.execute("UPDATE found SET value = replace(value, 'heap[0]', 'heap[1]')")
    assert json.loads(run(*words, **env).stdout)["results"][0]["evidence"] == json.loads(first.stdout)["results"][0]["evidence"]
    (tmp_path / "found.sqlite").write_bytes(b"rubbish" * 1000)
    damaged = run(*words, **env)
    assert damaged.exit_code == 0 and "what was found before is not used" in damaged.stderr


def test_several_processes_find_what_one_does() -> None:
    one, two = (run("verify", "--game", "nim", "--no-cache", "--format", "concise", "--jobs", jobs).stdout for jobs in ("1", "2"))
    assert one == two and one.count("holds ") == 6


def test_an_interrupt_leaves_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, waits = running.Run._left, []

    def interrupted(*rest: Any) -> Any:
        waits.append(rest)
        if len(waits) == 3:
            raise KeyboardInterrupt
        return whole(*rest)

    monkeypatch.setattr(running.Run, "_left", interrupted)
    done = run("verify", "--game", "nim", "--no-cache", "--jobs", "1", "--format", "json")
    found = json.loads(done.stdout)
    jsonschema.Draft202012Validator(ANSWERS).validate(found)
    assert done.exit_code == 130
    assert [r["verdict"] for r in found["results"][:3]] == ["holds", "holds", "undecided"] and len(found["results"]) == 6
    assert found["results"][2]["why"]["en"] == "interrupted"


def test_a_person_reads_last_how_many_hold() -> None:
    done = run("verify", "--game", "nim", "heaps", "mirror", "--no-flips")
    assert done.stdout.splitlines()[-1] == "2 properties: 2 hold, 0 fail, 0 undecided"
    assert run("verify", "--game", "nim", "heaps", "mirror", "--no-flips", lang="ja").stdout.splitlines()[-1] == "2件の性質：成立2、不成立0、未決0"
    assert "properties:" not in run("verify", "--game", "nim", "heaps", "--no-flips").stdout


def test_proofs_are_checked_one_after_the_other_and_counted(tmp_path: Path) -> None:
    run("verify", "--game", "nim", "heaps", "mirror", "--no-flips", "--evidence", str(tmp_path))
    right, wrong = tmp_path / "heaps.json", tmp_path / "mirror.json"
    wrong.write_text(wrong.read_text("utf-8").replace('"property": "mirror"', '"property": "other"', 1), "utf-8")
    done = run("certify", str(right), str(wrong))
    assert done.exit_code == 1 and done.stdout.splitlines()[-1] == "2 proofs: 1 right, 1 not right"


def test_what_turns_a_verdict_is_told_of_properties_that_are_named_and_of_all_on_request() -> None:
    whole = ("verify", "--plugin", PLUGIN)
    assert "other readings" in run(*whole, "low").stdout and "other readings" in run(*whole, "--flips").stdout
    assert "other readings" not in run(*whole).stdout and "other readings" not in run(*whole, "low", "--no-flips").stdout
