"""Faults of the command that were found by using it, each with the right answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from monjudge.cli.failing import expected
from monjudge.cli.main import main
from monjudge.model.language import LimitReached

PACK = {
    "format": "monjudge-rancher-pack/1", "name": {"en": "Weather", "ja": "天気"},
    "events": [{"id": "GUST", "name": {"en": "Gust", "ja": "突風"}, "pull": 2, "icon": "charge", "deeds": [{"do": "speed", "amount": 1}]}],
}  # fmt: skip


def run(*words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(main, list(words), env={"MONJUDGE_LANG": lang, "NO_COLOR": "1"})


def test_what_is_unknown_is_unknown_of_all_the_turns_asked_about() -> None:
    """It said the number of turns at which the search stopped."""
    words = ("solve", "puzzle:hold-the-line", "--turns", "6", "--max-nodes", "300", "--no-cache", "--no-keys")
    done = run(*words)
    assert done.exit_code == 4 and "within 6 turns" in done.stdout
    assert "6ターン以内に" in run(*words, lang="ja").stdout
    assert json.loads(run(*words, "--format", "json").stdout)["results"][0]["turns"] == 6


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_pack_of_which_no_deck_is_made_is_refused(lang: str, tmp_path: Path) -> None:
    """The shipped decks were dealt as if there were no pack."""
    file = tmp_path / "pack.json"
    file.write_text(json.dumps(PACK), "utf-8")
    done = run("deal", "--game", "rancher", "--pack", str(file), lang=lang)
    assert done.exit_code == 2 and "--deck" in done.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("rules", "CARD.held", "--game", "rancher"), "in the player's hand"),
        (("rules", "LIMIT.waiting"), "wait for answers"),
        (("explain", "LIMIT.corrections"), "corrections"),
        (("rules", "GUARD.3:off"), "off when"),
        (("rules", "FALL.1:nothing-of-this-name"), "FALL.1"),
    ],
)
def test_whatever_id_a_message_names_can_be_explained(words: tuple[str, ...], told: str) -> None:
    done = run(*words)
    assert done.exit_code == 0 and told in done.stdout
    assert run(*words, lang="ja").exit_code == 0
    assert run("rules", "NOTHING.9").exit_code == 2


def test_a_bound_is_told_in_the_language_of_the_answer() -> None:
    told = expected(LimitReached("mana left 0..5", "mana が 0～5 を外れた"))
    assert told is not None and told.lines("ja") == ["不明（上限）：mana が 0～5 を外れた"]
    untold = expected(LimitReached("something"))
    assert untold is not None and "something" not in untold.lines("ja")[0]


@pytest.mark.parametrize("words", [("--best", "nix"), ("--segment", "nix")])
def test_what_plans_do_not_know_is_told_with_what_there_is_in_the_language_of_the_answer(words: tuple[str, ...]) -> None:
    """In Japanese an English sentence stood in brackets."""
    en, ja = (run("plans", "puzzle:one-short", *words, lang=lang).output for lang in ("en", "ja"))
    known = "attack, life, speed" if words[0] == "--best" else "battle, chance, edit"
    assert "'nix'; there are" in en and known in en and known in ja and "あるのは" in ja and "there" not in ja
    assert "区切りがない" in run("plans", "nim1", *words, lang="ja").output


def test_a_condition_that_counts_past_the_cells_is_refused() -> None:
    """Beyond its cells a field is 0, so that ``heap[9] == 0`` was reached at once."""
    for index, code in ((2, 0), (9, 2), (-1, 2)):
        done = run("solve", "nim1/heap=1,0,0", "--goal", f"heap[{index}] == 0", "--no-cache")
        assert done.exit_code == code and (code == 0 or "0..2" in done.output)


@pytest.mark.parametrize(
    ("text", "told"),
    [("a: [1\n", "があるはずの所に"), ("a: b: c\n", "ここに「:」は書けない"), ("a: @x\n", "で始まる語はない"), ('a: "x\n', "引用符が閉じていない")],
)
def test_what_is_no_yaml_is_told_in_japanese(text: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(text, "utf-8")
    said = run("validate", str(file), lang="ja").output
    assert told in said and "expected" not in said


def test_a_file_that_cannot_be_opened_is_told_in_japanese(tmp_path: Path) -> None:
    for words in (("certify", str(tmp_path / "none")), ("certify", str(tmp_path)), ("validate", str(tmp_path)), ("cases", str(tmp_path / "none"))):
        said = run(*words, lang="ja").output.replace(str(tmp_path), "")
        assert "No such file" not in said and "directory" not in said and any(word in said for word in ("ファイル", "ディレクトリ"))
