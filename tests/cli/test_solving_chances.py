"""``monjudge solve`` with probabilities, mixed plans and hidden cards."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main
from monjudge.model.games import kit
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


def test_the_strategy_of_a_hidden_win_answers_every_reply() -> None:
    told = data("nim1", "--hidden")["strategy"]
    assert told[0]["move"]["move"] == "take 0 2" and not told[0]["replies"]  # type: ignore[index]
    for place in told[1:]:  # type: ignore[index]
        assert place["replies"] or place["move"] is None
    assert "One strategy" in run("nim1", "--hidden").stdout and "一つの戦略" in run("nim1", "--hidden", lang="ja").stdout


def test_it_is_said_where_cards_that_are_not_seen_were_taken_as_open() -> None:
    puzzle = "puzzle:whatever-they-hold"
    assert data(puzzle, "--open")["opened"] and not data("nim1")["opened"]
    assert "taken as open" in run(puzzle, "--open").stdout and "公開されているものとした" in run(puzzle, "--open", lang="ja").stdout
    assert "taken as open" not in run("nim1").stdout + run(puzzle).stdout


@pytest.mark.parametrize("words", [("--at-least", "0.5"), ("--at-least", "1/0"), ("--at-least", "x"), ("--odds", "--hidden"), ("--odds", "--keys"), ("--hidden", "--open")])
def test_what_does_not_go_is_refused_in_both_languages(words: tuple[str, ...]) -> None:
    for lang in ("en", "ja"):
        done = run("nim1", *words, lang=lang)
        assert done.exit_code == 2 and "internal" not in done.output and "内部" not in done.output


@pytest.mark.parametrize(
    ("words", "claim"),
    [
        pytest.param(("duel1", "--odds"), "probability 27851/110592", marks=pytest.mark.slow),
        (("rock-paper-scissors1", "--odds"), "with probability"),
        (("nim1", "--hidden"), "unseen: Player 1 can force it"),
        (("rock-paper-scissors1", "--hidden"), "unseen: Player 1 cannot force it"),
        (("nim1", "--hidden", "--goal", "heap[0] == 0"), "heap[0] == 0"),
        (("rock-paper-scissors1", "--odds", "--goal", "points[1] == 1"), "points[1] == 1"),
    ],
)
def test_odds_mixtures_and_hidden_strategies_are_proved_and_a_changed_proof_is_refused(words: tuple[str, ...], claim: str, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    run(*words, "--proof", str(proof))
    done = certify(proof)
    assert done.exit_code == 0 and claim in done.stdout, done.output
    written = json.loads(proof.read_text("utf-8"))
    other = {"yes": "no", "no": "yes"}.get(written["evidence"]["claim"]["answer"], "1/7")
    written["evidence"]["claim"]["answer"] = other
    proof.write_text(json.dumps(sealed(written)), "utf-8")
    assert certify(proof).exit_code == 1


def certify(proof: Path) -> Result:
    return CliRunner().invoke(main, ["certify", str(proof)], env={"MONJUDGE_LANG": "en", "NO_COLOR": "1"})


def sealed(written: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    """With the seal that fits what was changed, so that only the check itself can refuse it."""
    data = {key: value for key, value in written["evidence"].items() if key != "seal"}
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return {**written, "evidence": {**data, "seal": sha256(text.encode("ascii")).hexdigest()}}


def test_no_proof_is_written_of_what_a_limit_left_open(tmp_path: Path) -> None:
    for words in (("duel1", "--odds", "--max-nodes", "10"), ("rock-paper-scissors3", "--hidden", "--max-nodes", "1")):
        proof = tmp_path / "proof.json"
        run(*words, "--proof", str(proof))
        assert not proof.exists()


def test_progress_is_told_while_odds_are_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONJUDGE_PROGRESS", "0")
    assert "positions" in run("duel1", "--odds", "--progress").stderr


def test_a_puzzle_that_tells_the_rolls_says_so_and_is_asked_again_with_them() -> None:
    found = run("puzzle:the-five-comes-first")
    assert "can force it within 2 turns if chance brings roll 5, roll 2: " in found.stdout
    command = found.stdout.splitlines()[-1].removeprefix("Reproduce: monjudge solve ")
    assert run(*command.split()).stdout.replace(" (found before)", "") == found.stdout.replace(" (found before)", "")
    assert "出目がroll 5、roll 2なら、プレイヤー1は" in run("puzzle:the-five-comes-first", lang="ja").stdout
    told = data("puzzle:the-five-comes-first")["rolls"]
    assert [roll["move"] for roll in told] == ["roll 5", "roll 2"]  # type: ignore[attr-defined]
    assert data("duel1", "--odds")["rolls"] == []


@pytest.mark.parametrize(("lang", "said"), [("en", "the puzzle sets --odds, which does not go with --keys"), ("ja", "この問題は --odds で解くもので、--keys と")])
def test_what_the_puzzle_sets_is_named_where_an_option_does_not_go_with_it(lang: str, said: str) -> None:
    refused = run("puzzle:four-of-five", "--keys", lang=lang)
    assert refused.exit_code == 2 and said in refused.output


def test_a_proof_of_a_puzzle_that_tells_the_rolls_has_them_in_it(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    run("puzzle:the-five-comes-first", "--proof", str(file))
    written = json.loads(file.read_text())
    assert written["rolls"] == [["roll", [5]], ["roll", [2]]]
    checked = CliRunner().invoke(main, ["certify", str(file)], env={"MONJUDGE_LANG": "en"})
    assert checked.exit_code == 0 and "Where chance brings roll 5, roll 2" in checked.stdout
    del written["rolls"]
    file.write_text(json.dumps(written))
    assert "not right" in CliRunner().invoke(main, ["certify", str(file)], env={"MONJUDGE_LANG": "en"}).stdout


def one_card_unseen(life: int) -> str:
    """The other holds Kill or +3; with open cards each of them is beaten, by different answers where little life is left."""
    words = kit("monjan")
    return words.line(words.position(words.canonical("state", {"game": "monjan", "turn": 8, "deck": ["A+3"], "players": {
        1: {"hand": ["F6"], "mana": {"C": ["W4"], "R": ["F1"]}, "defence": {"C": ["A14", life]}, "attack": {"C": "N10"}},
        2: {"hand": ["EK"], "mana": {"C": ["A5"]}, "defence": {"C": ["A7", 2]}, "outside": ["B3"], "done": True},
    }})))  # fmt: skip


@pytest.mark.slow
def test_a_position_is_asked_about_by_what_the_player_sees_unless_all_cards_are_to_be_open(tmp_path: Path) -> None:
    for life, code in ((5, 1), (7, 0)):
        line = one_card_unseen(life)
        done = run(line, "--anyway", "--turns", "1", lang=("ja", "en")[code])
        assert done.exit_code == code and ("伏せたカードが何であっても", "whatever the hidden cards are")[code] in done.stdout
        assert ("EK" in done.stdout.partition("Reproduce" if code else "再現")[0]) is (code == 0)  # only a strategy names cards, and then all that may be
    found, opened = (data(line, "--anyway", "--turns", "1", *words) for words in ((), ("--open",)))
    assert (found["kind"], found["cards"], found["verdict"]) == ("solve-hidden", "hidden", "yes")
    assert (opened["kind"], opened["cards"], opened["verdict"]) == ("solve", "open", "yes")
    assert "--open" in opened["reproduce"] and "--hidden" in found["reproduce"]  # type: ignore[operator]
    assert data(line, "--anyway", "--turns", "1", "--keys")["cards"] == "open"
    lost = data(line, "--anyway", "--turns", "1", "--player", "2")
    assert (lost["kind"], lost["verdict"], lost["cards"]) == ("solve-hidden", "no", "hidden")
    assert "not even with all cards open" in run(line, "--anyway", "--turns", "1", "--player", "2", "--open").stdout
    assert data("puzzle:boss-for-one-turn")["cards"] == "both"
    proof = tmp_path / "proof.json"
    assert run("example:last-blow", "--proof", str(proof)).exit_code == 0 and certify(proof).exit_code == 0


@pytest.mark.parametrize(("game", "option", "name"), [("duel1", "--odds", "_Walk.value"), ("nim1/heap=1,2,3", "--hidden", "_")])
def test_odds_and_hidden_cards_are_broken_off_and_taken_up_again(
    game: str, option: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As far as it is known it is told, with exit code 130; the file says how to go on, and is refused for another question."""
    from monjudge.solvers import concealed
    from monjudge.solvers import odds as walks

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "resume.json"
    with monkeypatch.context() as patched:
        patched.setattr(walks, "PROBE", 100)
        patched.setattr(walks._Walk, "value", interrupted)
        patched.setattr(concealed._Asked, "_within", interrupted)
        broken = run(game, option, "--resume", str(file))
    assert broken.exit_code == 130 and "interrupted" in broken.stdout and f"add {'--hidden ' * (option == '--hidden')}--resume {file}" in broken.stderr
    done = run(game, option, "--resume", str(file))
    assert done.exit_code == run(game, option).exit_code
    for other in (("nim1/heap=1,2,2", "--hidden"), ("duel1", "--odds", "--goal", "life[0] == 3"), ("nim1",), (game, "--readings", "all")):
        refused = run(*other, "--resume", str(file))
        assert refused.exit_code == 2 and "internal" not in refused.output, other


@pytest.mark.parametrize(("words", "proof_of", "said"), [
    (("duel1", "--odds"), "monjudge.solvers.odds.evidence", "27851/110592"),
    (("nim1/heap=1,2,2", "--hidden"), "monjudge.solvers.concealed.evidence", "Yes: "),
    (("nim1/heap=1,2,2",), "monjudge.solvers.forced.evidence", "Yes: "),
])  # fmt: skip
def test_an_answer_stands_when_its_proof_is_broken_off(
    words: tuple[str, ...], proof_of: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(proof_of, interrupted)
    proof = tmp_path / "proof.json"
    broken = run(*words, "--proof", str(proof), "--resume", str(tmp_path / "settled.json"))
    assert broken.exit_code == 130 and said in broken.stdout and not proof.exists()
    assert "to go on: add" in broken.stderr


@pytest.mark.parametrize("option", ["--odds", "--hidden"])
def test_an_interrupt_before_the_search_begins_leaves_the_answer_unknown(option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from monjudge.reports.running import Solving

    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Solving, "goal_or_name", property(interrupted))
    broken = run("duel1", option)
    assert broken.exit_code == 130 and broken.stdout.startswith("Unknown") and "interrupted" in broken.stdout
