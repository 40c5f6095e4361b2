"""``monjudge solve`` with probabilities, mixed plans and hidden cards."""

from __future__ import annotations

import json

import jsonschema
import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main
from monjudge.reports.answers.schema import ANSWERS


def run(*words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(main, ["solve", *words], env={"MONJUDGE_LANG": lang, "NO_COLOR": "1"})


def data(*words: str) -> dict[str, object]:
    found = json.loads(run(*words, "--format", "json").stdout)
    jsonschema.Draft202012Validator(ANSWERS).validate(found)
    result: dict[str, object] = found["results"][0]
    return result


def test_odds_are_fractions_with_the_best_move() -> None:
    found = data("duel1", "--odds")
    assert found["low"] == found["high"] == "27851/110592" and found["verdict"] == "yes"
    values = {move["move"]["move"]: move["probability"] for move in found["moves"]}  # type: ignore[attr-defined]
    assert values["attack gamble"] == "27851/110592" and len(values) == 3
    assert "★ 27851/110592  attack gamble" in run("duel1", "--odds").stdout
    assert "確率は27851/110592" in run("duel1", "--odds", lang="ja").stdout


@pytest.mark.parametrize(("threshold", "code"), [("27851/110592", 0), ("27852/110592", 1), ("0", 0), ("1", 1), ("1/4", 0)])
def test_a_threshold_is_decided_exactly(threshold: str, code: int) -> None:
    assert run("duel1", "--at-least", threshold).exit_code == code


def test_a_limit_leaves_the_odds_open() -> None:
    done = run("duel1", "--odds", "--max-nodes", "10")
    assert done.exit_code == 4 and "0..1" in done.stdout


def test_mixed_plans_are_told_where_decisions_are_blind() -> None:
    found = data("rock-paper-scissors1", "--odds")
    assert found["low"] == found["high"]
    for side in ("plans", "replies"):
        assert [plan["probability"] for plan in found[side]] == ["1/3"] * 3  # type: ignore[attr-defined]


def test_a_win_must_not_rest_on_what_is_not_seen() -> None:
    assert run("rock-paper-scissors1", "--hidden").exit_code == 1
    found = data("nim1", "--hidden")
    assert (found["verdict"], found["assignments"]) == ("yes", 1)
    assert [move["move"] for move in found["moves"]] == ["take 0 2"]  # type: ignore[attr-defined]
    assert "見てよいもの" in run("nim1", "--hidden", lang="ja").stdout


@pytest.mark.parametrize("words", [("--at-least", "0.5"), ("--at-least", "1/0"), ("--at-least", "x"), ("--odds", "--hidden"), ("--odds", "--keys"), ("--hidden", "--open")])
def test_what_does_not_go_is_refused_in_both_languages(words: tuple[str, ...]) -> None:
    for lang in ("en", "ja"):
        done = run("nim1", *words, lang=lang)
        assert done.exit_code == 2 and "internal" not in done.output and "内部" not in done.output
