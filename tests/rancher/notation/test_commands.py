"""The commands of the judge on shipped positions of this game, as a player would type them."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main
from monjudge.judge import read
from monjudge.model.examples import examples

GAME = [name for name, path in examples().items() if json.loads(path.read_text("utf-8"))["game"] == "rancher"]


def run(*words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(main, list(words), env={"MONJUDGE_LANG": lang, "NO_COLOR": "1"})


@pytest.mark.parametrize("name", GAME)
def test_an_example_is_sound_written_canonically_and_has_moves(name: str) -> None:
    file = str(examples()[name])
    assert run("validate", file).exit_code == 0
    assert run("fmt", "--check", file).exit_code == 0
    for lang in ("en", "ja"):
        assert run("moves", f"example:{name}", lang=lang).exit_code == 0
        assert run("show", f"example:{name}", lang=lang).exit_code == 0
    line = read(examples()[name]).line
    assert len(line) < 400 and read(line).data == read(examples()[name]).data


def test_a_training_that_is_not_possible_has_its_reasons_in_the_readers_words() -> None:
    words = ("why", "example:training", "1:train MEDITATION 4")
    english, japanese = run(*words), run(*words, lang="ja")
    assert english.exit_code == japanese.exit_code == 1
    assert "✗ R.TRAIN.4" in english.stdout and "monster 4 of Player 1 arrived this turn" in english.stdout
    assert "プレイヤー1の4番目のモンスターはこのターンに登場した" in japanese.stdout


def test_a_card_that_can_be_played_names_its_moves() -> None:
    done = run("why", "example:training", "--card", "調教の笛")
    assert done.exit_code == 0 and "1:equip WHISTLE" in done.stdout


def test_an_answer_can_be_asked_for_under_every_reading() -> None:
    assert "Under every reading of the text." in run("why", "example:arena", "1:order SPRINTS", "--readings", "all").stdout


def test_an_event_is_made_to_happen_and_what_fires_is_told() -> None:
    done = run("apply", "example:speed-check", "1:event SPILT_CART")
    assert done.exit_code == 0 and "cards to discard of Player 2: 1" in done.stdout


def test_a_whole_game_is_dealt_and_played_at_random() -> None:
    dealt = run("deal", "--game", "rancher", "--deck", "QUARRY", "--deck", "MEADOW").stdout
    line = dealt.splitlines()[0].removeprefix("Position: ")
    assert line == "mr1/p=CHOOSE/t=0/1=d=QUARRY/2=d=MEADOW"
    assert run("play", line, "--random", "--seed", "2").exit_code == 0


def test_the_last_blow_is_forced() -> None:
    assert run("solve", "example:last-blow").stdout.startswith("Yes: Player 1 can force it")
    assert run("solve", "example:last-blow", "--player", "2").stdout.startswith("No: Player 2 cannot force it")


def test_the_arena_is_drawn_with_both_monsters() -> None:
    drawn = run("render", "example:arena").stdout
    assert drawn.startswith("<svg") and "square 1: Sun Lion" in drawn and "square 5: Brawn Ape" in drawn
