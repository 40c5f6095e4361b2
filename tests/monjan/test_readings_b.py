"""The readings from A96 on: their cases, and in Python what a case cannot ask.

These are choices that a case does not name, face-down cards, other players' columns, and piles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from monjudge.model.language import Move
from monjudge.model.monjan.cards import Card, CardSkill, Catalogue
from monjudge.model.monjan.cases import INFORMATION, answers
from monjudge.model.monjan.cases.card_names import read_card
from monjudge.model.monjan.cases.scene import Scene
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.readings import LIVE
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.texts import clause_texts, switch_texts
from monjudge.solvers.cases import Case, CaseEngine, Result, read_cases, run_cases
from monjudge.solvers.engines.reference import Reference

CASES = read_cases([Path(__file__).resolve().parents[1] / "corpus" / "readings-b.jsonl"])
A, B = 0, 1
L, M, R = 0, 1, 2

SceneOf = Callable[..., Scene]
Left = Callable[[Scene, list[Move]], set[tuple[str, ...]]]

BESIDE = {
    "A101": ("FREE_CHOICE",), "A102": ("PAYER_CHOOSES",), "A119": ("REFEREE", "SHOW_ON_CLAIM", "NO_HIDING_IF_NEEDED"),
    "A125": ("IN_SLOTS",), "A150": ("NO_DRAW", "RESHUFFLE_DISCARD", "DECKOUT_LOSES", "GAME_ENDS"),
    "A159": ("NEXT_STEP", "AT_ONCE"), "A160": ("SPARED", "SPENT"),
}  # fmt: skip
"""The values whose splitting state is asked below."""


# -- the cases --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def asked() -> Callable[[Case], Result]:
    answer = answers(CaseEngine, CASES)
    return lambda case: next(run_cases([case], answer, INFORMATION))


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_each_reading_gives_its_answer(asked: Callable[[Case], Result], case: Case) -> None:
    result = asked(case)
    assert result.error is None
    assert not result.fails, (result.expected, result.got)


def answers_of(switch: str) -> dict[tuple[str, str], dict[str, Any]]:
    """What each reading of the switch answers, by the state and question that are the same for all of them."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for case in CASES:
        if switch in case.get("readings", {}):
            state = case["id"].removeprefix(f"{switch}-").partition("-")[0]
            found.setdefault((switch, state), {})[case["readings"][switch]] = case["expect"]
    return found


def from_a96() -> list[str]:
    return [switch for switch in LIVE if switch[0] == "A" and int(switch[1:]) >= 96 and switch not in MODES]


MODES = ("A138", "A141", "A142", "A143", "A146", "A147", "A148", "A149")
"""Set-up and draft: see test_modes.py."""


@pytest.mark.parametrize("switch", from_a96())
def test_every_value_of_a_live_switch_is_asked_and_splits_a_state(switch: str) -> None:
    states = answers_of(switch)
    asked_values = {value for of_state in states.values() for value in of_state}
    assert asked_values | set(BESIDE.get(switch, ())) == set(switch_texts()[switch].values)
    for value in asked_values - set(BESIDE.get(switch, ())):
        splits = [of for of in states.values() if value in of and any(of[value] != other for other in of.values())]
        assert splits, f"no state tells {value} from another reading"


def test_all_live_switches_can_be_left_open_at_once() -> None:
    names = ("f2", "w+8", "nK", "gB", "T1/1", "T(jabber-skill)", "E with release 1", "E with magic", "B1", "A1")
    cards = [*map(read_card, names), Card("ANY", name="token")]
    rules = monjan(Setting(Catalogue(cards), open=frozenset({*LIVE, "BOARDS", "MODE"}), hiding=True))
    assert {switch.id for switch in rules.switches} >= set(from_a96())


def test_every_case_cites_clauses_that_exist() -> None:
    assert {clause for case in CASES for clause in case["src"]} - set(clause_texts()) == set()


# -- positions --------------------------------------------------------------------------------------------

X7: Mapping[str, Any] = {"pair": None, "nums": [7], "v": 5, "release": [1]}
"""An Extra card summoned by a 7, with a release of 1."""

def only(moves: list[Move]) -> Move:
    [move] = moves
    return move


def struck(now: Scene, attacker: int, defender: int, **by: int) -> Scene:
    """The scene in which the defender names a guard for the first attack of the attacker."""
    battle = now.battle(attacker, defender).quiet()
    return battle.after(battle.moves("strike", attacker, **by)[0]).quiet()


# -- payments ---------------------------------------------------------------------------------------------

KEPT: Mapping[str, Any] = {"A": {"mana": {"L": ["n3", "f7"]}, "ex": {"card": X7, "by": "NUMBER", "witness": "L f7"}}}


@pytest.mark.parametrize(("slot", "left", "alive"), [(0, ["f7"], True), (1, ["n3"], False)])
def test_a102_the_payer_may_keep_the_card_that_keeps_the_extra_card(
    scene: SceneOf, slot: int, left: list[str], alive: bool
) -> None:
    now = scene(KEPT, {"A102": "PAYER_CHOOSES"})
    owing = now.after(only(now.moves("edit_skill", A)))
    assert {move.action for move in Reference(owing.rules).moves(owing.state)} == {"spend"}
    after = owing.after(only(owing.moves("spend", A, slot=slot))).cleaned_up()
    assert after.stack(A, L) == left
    assert bool(after.cell("extra", A)) == alive


@pytest.mark.parametrize("timing", ["ALL_DEFERRED", "ONLY_BA_DEFERRED"])
def test_a102_any_two_of_three_cards_may_go_now_or_later(scene: SceneOf, left: Left, timing: str) -> None:
    now = scene({"A": {"mana": {"L": ["f2", "f3", "f4"]}, "hand": ["T2/9"]}}, {"A102": "PAYER_CHOOSES", "A103": timing})
    assert left(now, now.moves("toughness", A, left=2, column=R)) == {("f2",), ("f3",), ("f4",)}


def test_a102_the_payer_cannot_name_protected_elements(scene: SceneOf, left: Left) -> None:
    now = scene({"A": {"fallen": ["L"], "mana": {"L": ["*", "*", "f3", "f4"]}, "hand": ["T1/9"]}}, {"A102": "PAYER_CHOOSES", "A98": "PROTECTED"})
    assert left(now, now.moves("toughness", A, left=1, column=R)) == {("*", "*", "f3"), ("*", "*", "f4")}


@pytest.mark.parametrize(
    ("stack", "cost", "readings", "stays"),
    [
        (["*", "m", "m"], 2, {}, {("*",)}),
        (["*", "m", "m"], 2, {"A101": "ONLY_WHEN_SHORT_OVERALL"}, {("*",)}),
        (["*", "m", "m"], 2, {"A101": "FREE_CHOICE"}, {("*",), ("*", "m")}),
        (["*", "m"], 1, {"A101": "FREE_CHOICE"}, {("*",)}),  # at least one card really goes
        (["*", "m"], 1, {"A101": "FREE_CHOICE", "A97": "FREE"}, {("*",), ("*", "m")}),
    ],
)
def test_a101_elements_may_be_counted_although_enough_plain_mana_is_there(
    scene: SceneOf, left: Left, stack: list[str], cost: int, readings: dict[str, str], stays: set[tuple[str, ...]]
) -> None:
    now = scene({"A": {"fallen": ["L"], "mana": {"L": stack}, "ex": f"E with release {cost}"}}, readings)
    assert left(now, now.moves("edit_skill", A)) == stays


@pytest.mark.parametrize(("reading", "prices"), [("ELEMENTS_ONLY", [3, 3]), ("KEEP_LAST_ANY", [2, 2])])
def test_k30_a_kept_last_mana_makes_the_second_boss_cheaper(scene: SceneOf, reading: str, prices: list[int]) -> None:
    now = scene({"A": {"mana": {"L": ["f2", "f3", "f4"]}}, "ba_top": ["B10", "B10"]}, {"A88": reading})
    gone = []
    for _ in prices:
        before = now.cell("mana_height", A, L)
        now = now.after(now.moves("boss", A)[0]).rolled().cleaned_up()
        gone.append(before - now.cell("mana_height", A, L))
        refill = 3 - now.cell("mana_height", A, L)
        now = now.put({("mana", A, L, s): Card.parse("f2") for s in range(3 - refill, 3)} | {("mana_height", A, L): 3})
    assert gone == prices


def test_k15_a_release_that_pays_with_its_own_witness_has_its_effect_even_if_the_card_dies_at_once(
    scene: SceneOf
) -> None:
    for reading, alive in (("COUNTS_UNTIL_CLEANUP", True), ("COUNTS_AS_GONE", False), ("GONE_FOR_ALL", False)):
        now = scene({"A": {"mana": {"L": ["f7"]}, "ex": {"card": X7, "by": "NUMBER", "witness": "L f7"}}}, {"A106": reading})
        now = now.put({("deck", Card.parse("f7")): 1})
        after = now.after(only(now.moves("edit_skill", A))).rolled()
        assert bool(after.cell("extra", A)) == alive
        assert after.counted("hand", A) == {"f7": 1}


# -- Extra cards ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [A, B])
@pytest.mark.parametrize(("reading", "second_too"), [("PER_PLAYER", True), ("GLOBAL", False)])
def test_k19_with_one_extra_card_on_the_whole_table_a_simultaneous_edit_turn_depends_on_who_is_quicker(
    scene: SceneOf, first: int, reading: str, second_too: bool
) -> None:
    ready = {"mana": {"L": ["f7"]}, "hand": [X7]}
    now = scene({"A": ready, "B": ready}, {"A115": reading})
    assert now.moves("extra", A) and now.moves("extra", B)
    after = now.after(now.moves("extra", first)[0])
    assert bool(after.moves("extra", 1 - first)) == second_too


def test_a116_the_owner_may_lay_the_extra_card_on_an_attack_field_and_block_it(scene: SceneOf) -> None:
    state = {"A": {"mana": {"L": ["f7"], "M": ["f2"]}, "atk": {"R": "f3"}, "hand": [X7, "f4"]}}
    now = scene(state, {"A116": "OWNER_CHOICE_WITH_SIDE_EFFECTS"})
    beside, left, centre = now.moves("extra", A)
    free = [[m.args[1] for m in now.after(move).moves("attack", A, card=now.catalogue["f4"])] for move in (beside, left, centre)]
    assert free == [[L, M], [M], [L]]
    filled = scene(state, {"A116": "ATTACK_SLOT"}).moves("extra", A)
    assert [move.args for move in filled] == [left.args, centre.args]


def test_a116_a_field_is_free_again_when_its_extra_card_dies(scene: SceneOf) -> None:
    now = scene({"A": {"mana": {"L": ["f7"], "M": ["f2"]}, "hand": [X7, "f4", "w3"]}}, {"A116": "ATTACK_SLOT"})
    laid = now.after(now.moves("extra", A)[M])
    f4 = {"card": laid.catalogue["f4"], "column": M}
    assert not laid.moves("attack", A, **f4)
    covered = laid.after(laid.moves("mana", A, card=laid.catalogue["w3"], column=L)[0])
    assert covered.moves("attack", A, **f4)


MAGIC = Card("EXTRA", value=5, name="healing magic", skills=(CardSkill("battle", "heal", 2, magic=True),))


@pytest.mark.parametrize(("reading", "both"), [("COUNTS_AS_SKILL", False), ("EXTRA_LIKE_BATTLE_CARD", True)])
def test_a118_a_battle_magic_beside_a_board_skill(scene: SceneOf, reading: str, both: bool) -> None:
    state = {"A": {"board": "HUNTERS", "fallen": ["L"], "speed": 9, "def": {"M": ["f9", 5]}}, "B": {"speed": 3, "atk": {"L": "f4"}}}
    now = scene(state, {"A118": reading}, [MAGIC]).put({("hand", A, MAGIC): 1})
    attacked = now.battle(B, A).quiet()
    attacked = attacked.after(attacked.moves("strike", B)[0]).passed_to(A)
    magic_first = attacked.after(attacked.moves("battle_skill", A)[0]).passed_to(A)
    assert magic_first.cell("life", A, M) == 7
    assert bool(magic_first.moves("castle", A)) == both
    castle_first = attacked.after(only(attacked.moves("castle", A))).rolled(6).passed_to(A)
    assert bool(castle_first.moves("battle_skill", A)) == both


HIDDEN = [
    ("REFEREE", "f2", True, False),
    ("REFEREE", "w2", False, False),
    ("SHOW_ON_CLAIM", "f2", False, True),
    ("SHOW_ON_CLAIM", "w2", False, False),
    ("NO_HIDING_IF_NEEDED", "f2", False, False),
]


@pytest.mark.parametrize(("reading", "mana", "unseen", "once_shown"), HIDDEN)
def test_a119_a_face_down_mana_bears_a_card(
    scene: SceneOf, reading: str, mana: str, unseen: bool, once_shown: bool
) -> None:
    now = scene({"A": {"mana": {"L": [mana]}, "hand": ["f4"]}}, {"A119": reading}, hiding=True).put({("mana_down", A, L, 0): 1})
    assert bool(now.moves("attack", A, column=L)) == unseen
    shows = now.moves("show", A)
    assert bool(shows) == (reading == "SHOW_ON_CLAIM")
    shown = now.after(shows[0]) if shows else now
    assert bool(shown.moves("attack", A, column=L)) == (unseen or once_shown)
    open_ = now.put({("mana_down", A, L, 0): 0})
    assert bool(open_.moves("attack", A, column=L)) == (mana == "f2")


@pytest.mark.parametrize(("reading", "summons"), [("REFEREE", True), ("SHOW_ON_CLAIM", False), ("NO_HIDING_IF_NEEDED", False)])
@pytest.mark.parametrize("buried", ["TOP", "ANY_IN_STACK"])
def test_a119_a_face_down_number_summons_an_extra_card(
    scene: SceneOf, reading: str, summons: bool, buried: str
) -> None:
    now = scene({"A": {"mana": {"L": ["f7"]}, "hand": [X7]}}, {"A119": reading, "A109": buried}, hiding=True)
    assert now.moves("extra", A)
    assert bool(now.put({("mana_down", A, L, 0): 1}).moves("extra", A)) == summons


# -- attack row and ritual --------------------------------------------------------------------------------


@pytest.mark.parametrize(("reading", "discarded", "afterwards"), [("MAY_REPLACE", {"f4": 1}, None), ("MAY_STACK", {}, "f4")])
def test_a120_a_replaced_card_is_discarded_and_one_beneath_stands_again(
    scene: SceneOf, reading: str, discarded: dict[str, int], afterwards: str | None
) -> None:
    state = {"A": {"mana": {"L": ["m", "m"]}, "atk": {"L": "f4"}, "hand": ["T2/9"]}, "B": {"atk": {"L": "f5"}}}
    now = scene(state, {"A120": reading})
    laid = now.after(now.moves("toughness", A, column=L)[0])
    assert (laid.places(A)["atk.L"], laid.counted("discard", A)) == ("T2/9", discarded)
    waiting = struck(laid, B, A)
    guarded = waiting.after(only(waiting.moves("guard", A))).quiet()
    assert guarded.places(A)["atk.L"] == afterwards


FALLS: Mapping[str, Any] = {"A": {"board": "FLEHEIM", "fallen": ["L"], "atk": {"M": "f5"}}, "B": {"def": {"R": ["f9", 1]}}}


def felled(now: Scene, attacker: int = A) -> Scene:
    """The right column of the other player has fallen to an attack, and A has the word."""
    waiting = struck(now, attacker, 1 - attacker, source=M)
    return waiting.after(only(waiting.moves("guard", 1 - attacker, by=R))).passed_until(A, "W_DAMAGE")


@pytest.mark.parametrize(
    ("reading", "stack", "laid"),
    [("TAKES_CARD", [], "f9"), ("OWN_HAND_CARD", ["*"], "w3"), ("TOKEN", ["*"], "token")],
)
def test_a124_what_the_ritual_lays_and_what_stays_of_the_column(
    scene: SceneOf, reading: str, stack: list[str], laid: str
) -> None:
    """K08: the fallen column without mana has no Elements when its card is taken."""
    with_hand = {**FALLS, "A": {**FALLS["A"], "hand": ["w3"]}}
    now = felled(scene(with_hand, {"A124": reading}))
    after = now.after(only(now.moves("ritual", A)))
    assert after.stack(B, R) == stack
    assert after.places(A)["above.0"] == laid
    assert after.counted("hand", A).total() == (0 if reading == "OWN_HAND_CARD" else 1)


@pytest.mark.parametrize("gathered", ["DEF_AND_MANA", "MANA_ONLY", "SINGLE"])
def test_a124_the_card_is_taken_wherever_the_fall_has_laid_it(scene: SceneOf, gathered: str) -> None:
    now = felled(scene(FALLS, {"A67": gathered}))
    after = now.after(only(now.moves("ritual", A)))
    assert (after.places(A)["above.0"], after.stack(B, R), after.counted("discard", B)) == ("f9", [], {})


@pytest.mark.parametrize(("reading", "works"), [("TAKES_CARD", True), ("OWN_ONLY", True), ("TOKEN", True), ("OWN_HAND_CARD", False)])
def test_a124_the_own_fallen_card_may_be_used_under_every_reading_that_takes_none_from_the_hand(
    scene: SceneOf, reading: str, works: bool
) -> None:
    own = {"A": {"board": "FLEHEIM", "fallen": ["L"], "def": {"R": ["f9", 1]}}, "B": {"atk": {"M": "f5"}}}
    assert bool(felled(scene(own, {"A124": reading}), attacker=B).moves("ritual", A)) == works


def test_a125_a_ritual_card_in_an_attack_field_fills_it(scene: SceneOf) -> None:
    state = {**FALLS, "A": {**FALLS["A"], "atk": {"L": "f2", "M": "f5"}, "mana": {"R": ["f3"]}, "hand": ["f4"]}}
    for reading, free in (("ABOVE_ROW_4_PER_GAME", True), ("IN_SLOTS", False)):
        now = felled(scene(state, {"A125": reading}))
        after = now.after(only(now.moves("ritual", A))).cleaned_up()
        assert bool(after.moves("attack", A, card=after.catalogue["f4"], column=R)) == free


@pytest.mark.parametrize(("reading", "at_once"), [("NEXT_STEP", False), ("AT_ONCE", True)])
def test_a159_a_ritual_card_attacks_in_the_step_in_which_it_arrives(
    scene: SceneOf, reading: str, at_once: bool
) -> None:
    now = felled(scene(FALLS, {"A159": reading}))
    declaring = now.after(only(now.moves("ritual", A))).quiet()
    assert bool(declaring.moves("strike", A, source=6)) == at_once


@pytest.mark.parametrize(("reading", "guard"), [("SPARED", "f3"), ("SPENT", None)])
def test_a160_the_guard_of_an_attack_that_kill_cancels(scene: SceneOf, reading: str, guard: str | None) -> None:
    state = {"A": {"atk": {"L": "f5"}}, "B": {"atk": {"R": "f3"}, "def": {"M": ["f9", 9]}, "hand": ["nK"]}}
    waiting = struck(scene(state, {"A160": reading}), A, B)
    # Before the guard is named B passes; then Kill answers in the window after it.
    named = waiting.after(only(waiting.moves("guard", B, by=3 + R))).passed_to(B)
    after = named.after(only(named.moves("kill", B)))
    assert (after.places(A)["atk.L"], after.places(B)["atk.R"]) == (None, guard)
    assert after.cell("life", B, M) == 9


# -- piles ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("readings", "hand", "alive", "winner"),
    [
        ({"A150": "NO_DRAW"}, 0, (1, 1), None),
        ({"A150": "RESHUFFLE_DISCARD"}, 1, (1, 1), None),
        ({"A150": "RESHUFFLE_DISCARD", "A152": "REMOVED_FROM_GAME"}, 0, (1, 1), None),
        ({"A150": "DECKOUT_LOSES"}, 0, (0, 1), "B"),
        ({"A150": "GAME_ENDS"}, 0, (0, 0), None),
    ],
)
def test_a150_a_draw_from_an_empty_pile(
    scene: SceneOf, readings: dict[str, str], hand: int, alive: tuple[int, int], winner: str | None
) -> None:
    now = scene({"A": {}, "discard": ["w+8"]}, readings).put({("drawn", A): 0, ("due", A): 1})
    after = now.after(only(now.moves("draw", A))).rolled()
    assert after.counted("hand", A).total() == hand
    assert tuple(after.cell("alive", p) for p in (A, B)) == alive
    assert after.engine.over(after.state) == (0 in alive)
    assert after.winner() == winner
    assert after.counted("discard", A).total() == 1 - hand
