"""A board of one's own among the printed ones, and more than two at the table: what is claimed is asked of these as well."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from monjudge.cli.main import main
from monjudge.model.properties import Setting
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Finding, prove
from monjudge.verify.question import read_properties
from monjudge.verify.recheck import recheck

EXAMPLE = Path(__file__).parents[2] / "examples" / "own-boards.json"
OWN = Setting("monjan", json.loads(EXAMPLE.read_text("utf-8")))
PROPERTIES = {p.id: p for p in read_properties(OWN.properties)}


def found(id: str, setting: Setting) -> Finding:
    answer = prove(PROPERTIES[id], setting.scene)
    if answer.evidence is not None:
        recheck(answer.evidence, setting.scene)
    return answer


def alone(name: str) -> Setting:
    """With this one of the example's boards only."""
    boards = [board for board in OWN.boards["boards"] if board["id"] == name]
    return Setting("monjan", {**OWN.boards, "boards": boards})


def test_the_first_player_has_an_own_board_and_the_others_any() -> None:
    names = [tuple(name.split("-")) for name in alone("GIANTS").scene.positions]
    assert {first for first, _ in names} == {"GIANTS"} and {other for _, other in names} == {"FLEHEIM", "ATELIER", "MANAST", "HUNTERS"}
    assert len(OWN.scene.positions) == 10


@pytest.mark.parametrize(
    ("id", "own", "told"),
    [
        ("P39.over", "WATCHTOWER", ""),
        ("P39.under", "WATCHTOWER", "WATCHTOWER-FLEHEIM, WATCHTOWER-ATELIER, WATCHTOWER-MANAST, WATCHTOWER-HUNTERS"),
        ("P39.over", "GIANTS", "GIANTS-MANAST"),
        ("P39.under", "GIANTS", ""),
        ("P05.fits", "GIANTS", ""),
    ],
)
def test_which_boards_it_dominates_and_which_dominate_it_is_told_by_name(id: str, own: str, told: str) -> None:
    answer = found(id, alone(own))
    assert answer.verdict is (Verdict.NO if told else Verdict.YES)
    assert answer.why.en == f"it fails with {told}" or not told


def test_a_maximum_that_no_number_fits_is_found_where_no_card_has_the_number() -> None:
    assert found("P05.fits", Setting("monjan", "all")).verdict is Verdict.YES  # the default pack has all numbers from 1 to 16


def test_of_all_designs_with_one_total_none_has_the_better_maxima() -> None:
    assert found("P39.total", Setting("monjan", "all")).verdict is Verdict.YES
    open = found("P39.over", Setting("monjan", "all"))
    assert open.verdict is Verdict.NO and open.bounds["fewest cells"] > 0


@pytest.mark.parametrize("players", [3, 4])
def test_facts_and_invariants_are_asked_of_three_and_four_players(players: int) -> None:
    setting = Setting("monjan", players=players)
    assert setting.scene.rules.players == setting.scene.bounds["players"] == players
    assert found("P02", setting).verdict is Verdict.YES
    assert len(next(iter(setting.scene.positions)).split("-")) == players
    assert Setting.of(setting.data()) == setting


@pytest.mark.parametrize(("players", "id", "verdict"), [
    (3, "P21.empty", Verdict.NO), (3, "P30.guard", Verdict.YES), (3, "P44", Verdict.NO), (4, "P30.guard", Verdict.YES), (4, "P60", Verdict.NO),
])  # fmt: skip
def test_positions_are_set_up_for_three_and_four_players(players: int, id: str, verdict: Verdict) -> None:
    assert found(id, Setting("monjan", players=players)).verdict is verdict


@pytest.mark.parametrize(("right", "verdict"), [("GRAVITY", Verdict.YES), ("LASER", Verdict.NO), ("NONE", Verdict.NO)])
def test_a_skill_that_can_never_be_used_is_told_so(right: str, verdict: Verdict) -> None:
    """A second Laser on one board is never the one that is used, and a side without a skill has none."""
    board = {"id": "TWINS", "name": {"en": "Twins", "ja": "双子"}, "cap": [4, 4, 5], "priority": 45, "left": "LASER", "right": right}
    setting = Setting("monjan", {**OWN.boards, "boards": [board]})
    answer = found("P43.right", setting)
    assert answer.verdict is verdict and answer.evidence is not None
    assert answer.evidence.claim["question"] == ("line" if verdict is Verdict.YES else "holds")


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["verify", *words, "--no-flips", "--no-cache", "--jobs", "1"], env={"MONJUDGE_LANG": "en", "NO_COLOR": "1"})


def test_what_cannot_be_asked_of_so_many_is_undecided_and_the_others_are_told() -> None:
    done = run("P02", "P58", "--players", "3", "--format", "concise")
    assert done.exit_code == 4 and [line.split(" ")[:2] for line in done.stdout.splitlines()[:2]] == [["holds", "P02"], ["undecided", "P58"]]
    assert "it cannot be asked here" in run("P58", "--players", "3").stdout
    for game, said in (("nim", "nim is for 2 players, not 3"), ("rancher", "this game is for two players")):
        refused = run("--game", game, "--players", "3")
        assert refused.exit_code == 2 and said in refused.output


def test_the_boards_of_a_file_are_named_by_the_command() -> None:
    done = run("P39.under", "--boards", str(EXAMPLE))
    assert done.exit_code == 1 and "it fails with WATCHTOWER-GIANTS, WATCHTOWER-FLEHEIM" in done.stdout
