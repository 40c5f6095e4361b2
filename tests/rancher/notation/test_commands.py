"""The commands of the judge on shipped positions of this game, as a player would type them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main
from monjudge.judge import read
from monjudge.model.examples import examples
from monjudge.model.rancher import catalogue

GAME = [name for name, path in examples().items() if json.loads(path.read_text("utf-8"))["game"] == "rancher"]

DECKS = Path(catalogue.__file__).with_name("decks.json")
BIRD = {"id": "STORM_BIRD", "name": {"en": "Storm Bird", "ja": "嵐鳥"}, "pull": 2, "icon": "charge", "align": "goody",
        "stats": {"power": 2, "intelligence": 2, "speed": 2, "defence": 2, "life": 4},
        "techniques": [{"name": "Gust", "range": 2, "damage": 1}]}  # fmt: skip


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


def deck(folder: Path, name: str, *, own: bool = False, **change: int) -> str:
    """A file with the cards of a shipped deck, changed; with ``own`` it brings the card that no pack has."""
    data = json.loads(DECKS.read_text("utf-8"))["decks"][0]
    cards = {**data["cards"], "ASH_HOUND": 2, "STORM_BIRD": 1, **change}
    more = {"own": {"monsters": [BIRD]}} if own else {}
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"format": "monjudge-rancher-deck/1", **data, "cards": cards, **more}), "utf-8")
    return str(path)


def test_decks_of_ones_own_are_dealt_and_played(tmp_path: Path) -> None:
    dealt = run("deal", "--game", "rancher", "--deck", deck(tmp_path, "mine", own=True), "--deck", "QUARRY").stdout
    line = dealt.splitlines()[0].removeprefix("Position: ")
    assert "STORM_BIRD" in line and line.endswith("/2=d=QUARRY")
    assert "Player 1 chooses Storm Bird to begin with." in run("moves", line).stdout
    assert read(line).line == line
    assert run("play", line, "--random", "--seed", "3").exit_code == 0


def test_a_deck_of_cards_of_a_pack_needs_the_pack(tmp_path: Path) -> None:
    pack = tmp_path / "pack.json"
    pack.write_text(json.dumps({"format": "monjudge-rancher-pack/1", "name": {"en": "Sky", "ja": "空"}, "monsters": [BIRD]}), "utf-8")
    words = ("deal", "--game", "rancher", "--deck", deck(tmp_path, "one"), "--deck", deck(tmp_path, "two", own=True))
    assert run(*words, "--pack", str(pack)).exit_code == 0
    refused = run(*words)
    assert refused.exit_code == 2 and "one.json:" in refused.output and '"STORM_BIRD" is no card' in refused.output


def test_every_defect_of_a_deck_that_is_to_be_dealt_is_told_at_its_place(tmp_path: Path) -> None:
    done = run("deal", "--game", "rancher", "--deck", "QUARRY", "--deck", deck(tmp_path, "much", own=True, CUP_MATCH=5))
    assert done.exit_code == 2
    assert "much.json:1:" in done.output and "R.DECK.1: 63 cards" in done.output and "R.DECK.2: 5 cards" in done.output


def test_two_decks_cannot_bring_different_cards_of_one_id(tmp_path: Path) -> None:
    one, two = deck(tmp_path, "one", own=True), tmp_path / "two.json"
    two.write_text(Path(one).read_text("utf-8").replace('"pull": 2', '"pull": 3'), "utf-8")
    done = run("deal", "--game", "rancher", "--deck", one, "--deck", str(two))
    assert done.exit_code == 2 and "two.json" in done.output and "another card STORM_BIRD" in done.output
    shipped = json.loads(DECKS.read_text("utf-8"))["decks"][0]
    other = {"monsters": [{**BIRD, "id": "ASH_HOUND"}]}
    two.write_text(json.dumps({"format": "monjudge-rancher-deck/1", **shipped, "own": other}), "utf-8")
    done = run("deal", "--game", "rancher", "--deck", str(two), "--deck", "MEADOW")
    assert done.exit_code == 2 and "another card ASH_HOUND" in done.output


def test_a_technique_that_a_card_lacks_is_answered_with_those_it_has() -> None:
    done = run("why", "mr1/p=ATTACK/b=CUP_MATCH/1=m=IRON_RAM;a=1;s=2/2=m=BRAWN_APE;a=1;s=3", "1:attack IRON_RAM.9")
    assert done.exit_code == 2 and "IRON_RAM.1, IRON_RAM.2" in done.output and "BRAWN_APE" not in done.output


def test_the_last_blow_is_forced() -> None:
    assert run("solve", "example:last-blow").stdout.startswith("Yes: Player 1 can force it")
    assert run("solve", "example:last-blow", "--player", "2").stdout.startswith("No: Player 2 cannot force it")


def test_the_arena_is_drawn_with_both_monsters() -> None:
    drawn = run("render", "example:arena").stdout
    assert drawn.startswith("<svg") and "square 1: Sun Lion" in drawn and "square 5: Brawn Ape" in drawn
