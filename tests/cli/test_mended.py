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
