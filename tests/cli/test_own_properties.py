"""A designer's own properties on the command line: what is wrong with a file, with an id, or with what is chosen, and what would do."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main
from monjudge.model.monjan.boards import PRINTED

OWN = """\
format: monjudge-properties/1
game: nim
properties:
- {id: few, kind: invariant, formula: "heap[0] <= 3", en: Few., ja: 少ない。}
"""
BAD = OWN + """\
- {id: a, kind: invariant, formula: "hap[0] <= 3", en: A., ja: あ。}
- {id: b, kind: move, on: tak, formula: "true", en: B., ja: い。}
"""
BOARD = """\
format: monjudge-boards/1
boards:
- {id: %s, name: {en: X, ja: X}, cap: [9, %s, 9], priority: %s, left: %s, right: %s}
"""


def run(*words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(main, list(words), env={"MONJUDGE_LANG": lang, "NO_COLOR": "1"})


def file(folder: Path, text: str, name: str = "own.yaml") -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


def test_a_file_says_of_which_game_it_is_and_contradicts_no_other(tmp_path: Path) -> None:
    own = file(tmp_path, OWN)
    assert run("verify", own, "--no-flips", "--no-cache").stdout.startswith("holds few")
    for words in (("verify", own, "--game", "pig"), ("validate", own, "--game", "pig"), ("verify", own, file(tmp_path, OWN.replace("nim", "pig"), "pig.yaml"))):
        done = run(*words)
        assert done.exit_code == 2 and ".yaml:2:7: MJ110" in done.output and "game: these are properties of" in done.output
    unknown = run("verify", file(tmp_path, OWN.replace("nim", "chess")))
    assert unknown.exit_code == 2 and ".yaml:2:7: MJ124" in unknown.output


@pytest.mark.parametrize("command", ["verify", "validate"])
def test_all_defects_of_all_properties_are_told_at_their_places_in_the_file(command: str, tmp_path: Path) -> None:
    done = run(command, file(tmp_path, BAD))
    assert done.exit_code == 2 and done.output.count("MJ1") == 4  # two, and where more is told of each
    assert "own.yaml:5:38: MJ131[bad-formula] properties[1].formula: there is no field 'hap'; did you mean 'heap'?" in done.output
    assert "own.yaml:6:27: MJ114[unknown-word] properties[2].on: there is no action 'tak'; did you mean take?" in done.output
    japanese = run(command, file(tmp_path, BAD), lang="ja").output
    assert "フィールド「hap」はない。「heap」のことか" in japanese and "'tak'という行動はない。take のことか" in japanese


def test_a_file_of_properties_is_validated_and_written_in_its_canonical_form(tmp_path: Path) -> None:
    own = file(tmp_path, OWN)
    assert run("validate", own).stdout == f"{own}: valid (properties)\n"
    canonical = run("fmt", own).stdout
    assert run("fmt", file(tmp_path, canonical, "again.yaml")).stdout == canonical != OWN
    assert json.loads(run("convert", own, "--to", "json").stdout)["properties"][0]["id"] == "few"
    assert run("convert", own, "--to", "line").exit_code == 2
    schema = json.loads(run("schema", "properties").stdout)
    jsonschema.Draft202012Validator(schema).validate(json.loads(run("convert", own, "--to", "json").stdout))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate({"format": "monjudge-properties/1", "properties": [{"id": "few"}]})


@pytest.mark.parametrize(
    ("words", "en", "ja"),
    [
        (("P99",), "there is no property 'P99'; did you mean P59 or P39?", "'P99'という性質はない。P59、P39 のことか"),
        (("FCT-1",), "it is a property of rancher: --game rancher", "rancherの性質である：--game rancher"),
        (("heaps", "--game", "pig"), "it is a property of nim: --game nim", "nimの性質である：--game nim"),
        (("--game", "breakthrough"), "no properties are shipped for breakthrough", "breakthroughに付属の性質はない"),
        (("heaps", "--game", "nim", "--boards", "all"), "nim has no boards, so that none can be chosen", "nimにボードはない"),
        (("P39.over", "--players", "5"), "5 players, not 2 to 4", "5人では遊べない。2～4人用"),
    ],
)
def test_what_there_is_not_is_refused_with_what_would_do(words: tuple[str, ...], en: str, ja: str) -> None:
    done = run("verify", *words)
    assert done.exit_code == 2 and en in done.output and len(done.output) < 400
    assert ja in run("verify", *words, lang="ja").output


def test_an_id_is_found_in_any_letters_and_its_beginning_up_to_a_dot() -> None:
    words = ("verify", "--game", "nim", "--no-flips", "--format", "concise")
    assert run(*words, "HEAPS").stdout == run(*words, "heaps").stdout
    several = [line.split()[1].rstrip(":") for line in run("verify", "p39.", "--no-flips", "--format", "concise").stdout.splitlines()]
    assert several == ["P39.over", "P39.under", "P39.total"]


def test_a_file_without_a_property_asks_nothing(tmp_path: Path) -> None:
    done = run("verify", file(tmp_path, "format: monjudge-properties/1\nproperties: []\n"))
    assert done.exit_code == 2 and "there is no property in it" in done.output


def test_a_file_of_boards_tells_its_defects_at_their_places(tmp_path: Path) -> None:
    wrong = run("verify", "P39.over", "--boards", file(tmp_path, BOARD % ("MINE", 18, 15, "TEA", "GRAVITY")))
    assert wrong.exit_code == 2 and "own.yaml:3:" in wrong.output and "18 lies outside 1..16" in wrong.output


def test_a_board_is_not_called_as_a_printed_one_that_it_is_not(tmp_path: Path) -> None:
    """The answer named FLEHEIM, and nobody could tell which."""
    for lang, said in (("en", "is the id of a printed board with other data"), ("ja", "内容の異なる印刷されたボードのid")):
        done = run("verify", "P39.over", "--boards", file(tmp_path, BOARD % ("FLEHEIM", 9, 15, "TEA", "GRAVITY")), lang=lang)
        assert done.exit_code == 2 and "own.yaml:3:8: MJ127" in done.output and said in done.output
    remarked = run("validate", file(tmp_path, BOARD % ("FLEHEIM", 9, 15, "TEA", "GRAVITY")))
    assert remarked.exit_code == 0 and "own.yaml:3:8: note: boards[0].id: 'FLEHEIM' is the id of a printed board" in remarked.output
    printed = PRINTED["FLEHEIM"]
    same = file(tmp_path, (BOARD % ("FLEHEIM", 0, printed.priority, printed.left, printed.right)).replace("[9, 0, 9]", str(list(printed.cap))))
    assert "note" not in run("validate", same).output
    assert run("verify", "P39.over", "--boards", same, "--no-flips", "--no-cache").exit_code in (0, 1)
