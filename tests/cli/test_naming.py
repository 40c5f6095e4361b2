"""``monjudge names``: what formulas may speak of, as it is written in them."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main
from monjudge.model.language import parse_expr
from monjudge.model.properties import Scene, Setting
from monjudge.reports.answers.schema import ANSWERS

PLUGIN = str(Path(__file__).parents[1] / "verify" / "leaky.py")


def run(*words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(main, ["names", *words], env={"MONJUDGE_LANG": lang, "NO_COLOR": "1"})


NIM = """\
Fields: what changes in play  (2)
  heap[0..2]                          0..5
  turn                                0..1
Actions (for 'on'), each with its parameters; 'me' is whoever acts  (1)
  take(heap 0..2, `count` 1..5)       take counters
Domains: names for numbers  (1)
  player                              `player 1`, `player 2`
Positions (for 'starts')  (1)
  start
"""


def test_a_small_game_is_told_as_a_whole_with_names_as_they_are_written() -> None:
    assert run("--game", "nim").stdout == NIM
    assert run("--game", "nim", "take", lang="ja").stdout.splitlines()[1].endswith("石を取る")


@pytest.mark.parametrize("game", ["nim", "duel", "monjan", "rancher"])
def test_every_name_of_a_game_is_told_and_can_be_read_in_a_formula(game: str) -> None:
    told = run("--game", game, "--format", "json")
    found = json.loads(told.stdout)
    jsonschema.Draft202012Validator(ANSWERS).validate(found)
    names = {group["sort"]: group["names"] for group in found["results"]}
    scene = Setting(game).scene
    assert [n["name"] for n in names["action"]] == list(scene.rules.by_name)
    assert len(names["field"]) + len(names.get("configuration", ())) == len(scene.rules.families)
    assert len(names.get("table", ())) == len(scene.scope().tables)
    for sort in ("field", "configuration", "table", "domain"):
        for name in names.get(sort, ()):
            written = f"{name['name']}[{', '.join(str(axis['least']) for axis in name['of'])}]"
            text = f"all x in {name['name']}: x >= 0" if sort == "domain" else f"{'table ' if sort == 'table' else ''}{written}"
            assert parse_expr(text, scene.scope()).is_bool == (sort == "domain" or name["values"]["truth"])
    for name in names["action"]:
        for parameter in name["of"]:
            assert parse_expr(f"{parameter['name']} == {'true' if parameter['truth'] else parameter['most']}", scene.scope(name["name"])).is_bool


def test_a_word_picks_names_by_themselves_by_their_meaning_or_by_their_sort() -> None:
    assert "life[0..1, column]" in run("life").stdout and "mana_height" not in run("life").stdout
    assert "mana_height" in run("no mana on").stdout
    tables = run("table").stdout
    assert "card_value[0..153]" in tables and "Fields" not in tables
    norms = run("OVER.3").stdout
    assert norms.startswith("Sentences of the text") and norms.count("OVER.3") == 1
    assert "A25" not in run().stdout and "LE, LT" in run("A25").stdout


def test_a_table_is_shown_with_its_entries_and_an_example_says_what_is_so() -> None:
    lines = run("is_NUMBER").stdout.splitlines()
    assert lines[lines.index(next(line for line in lines if "is_NUMBER[" in line)) + 1].strip() == "19..98"
    scene: Scene = Setting("monjan").scene
    value = scene.scope().tables["card_value"].values[77]
    assert f"e.g. number of wind 12: {value}" in run("card_value").stdout and value == 12


def test_a_name_that_there_is_not_is_refused_with_those_that_are_near() -> None:
    done = run("mana_heigt")
    assert done.exit_code == 2 and "did you mean mana_height" in done.output
    assert "mana_height のことか" in run("mana_heigt", lang="ja").output
    assert run("--game", "chess").exit_code == 2


@pytest.mark.parametrize("word", ["Tide Caller", "TIDE_CALLER", "潮を呼ぶ者"])
def test_a_card_is_told_with_its_number(word: str) -> None:
    found = json.loads(run(word, "--format", "json").stdout)["results"]
    [card] = next(group["names"] for group in found if group["sort"] == "card")
    number = card["values"]["least"]
    scene = Setting("monjan").scene
    extra = scene.rules.by_name["extra"].params[0]
    assert card["name"] == "TIDE_CALLER" and number in extra.values and scene.tables["is_EXTRA"].values[number]
    assert scene.words is not None and scene.words.kit.ways(scene.words, "TIDE_CALLER").actions[0][1]["card"] == number
    assert run("--game", "nim", word).exit_code == 2


def test_a_plugin_has_names_too() -> None:
    done = run("--plugin", PLUGIN)
    assert done.exit_code == 0 and "fill()" in done.stdout
