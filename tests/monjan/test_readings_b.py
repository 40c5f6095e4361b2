"""The readings from A96 on: one splitting state a question, with the answer under every value of the switch.

Most questions are cases (``tests/corpus/readings-b.jsonl``, one a value). Here are those that a
case cannot ask: choices that it does not name, face-down cards, other players' columns, piles.
Every move that a test takes must be legal.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from monjudge.model.language import Move
from monjudge.model.monjan.cards import Card, CardSkill, Catalogue
from monjudge.model.monjan.cases import INFORMATION, answers
from monjudge.model.monjan.cases.card_names import read_card
from monjudge.model.monjan.cases.scene import Scene
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.readings import BATTLE, LIVE
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.texts import clause_texts, switch_texts
from monjudge.solvers.cases import Case, CaseEngine, Result, read_cases, run_cases
from monjudge.solvers.engines.reference import Reference

CASES = read_cases([Path(__file__).resolve().parents[1] / "corpus" / "readings-b.jsonl"])
OF_SET_UP = ("A138", "A141", "A142", "A143", "A146", "A147", "A148", "A149")
"""Switches of the set-up and the draft: see test_modes.py."""
MINE = tuple(s for s in LIVE if s != "SEQ" and s not in BATTLE and int(s[1:]) >= 96 and s not in OF_SET_UP)
A, B = 0, 1
L, M, R = 0, 1, 2

Readings = Mapping[str, str]
SceneOf = Callable[..., Scene]
Left = Callable[[Scene, list[Move]], set[tuple[str, ...]]]
Asked = Callable[[Case], Result]

SPLITS: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
"""By switch, the answers that the tests below assert for its values."""


def asks(switch: str, **answers_: Any) -> pytest.MarkDecorator:
    """The test gets ``readings`` and ``answer`` for each value."""
    SPLITS[switch].append(answers_)
    cases = [pytest.param({switch: value}, answer, id=f"{switch}-{value}") for value, answer in answers_.items()]
    return pytest.mark.parametrize(("readings", "answer"), cases)


# -- the cases --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def asked_of_one_rule_set() -> Asked:
    """Cases asked of a rule set in which all these switches are open: their readings are cells of the state."""
    return _asked({*MINE, *(switch for case in CASES for switch in case["readings"])})


@pytest.fixture(scope="module")
def asked_of_fixed_rules() -> Asked:
    """Cases asked of the rule set that is built for their readings."""
    return _asked(())


def _asked(left_open: Iterable[str]) -> Asked:
    answer = answers(CaseEngine, CASES, open=left_open)
    return lambda case: next(run_cases([case], answer, INFORMATION))


BY_ID = [pytest.param(case, id=case["id"]) for case in CASES]


@pytest.mark.parametrize("case", BY_ID)
def test_a_case_has_its_answer_where_the_reading_is_a_cell_of_the_state(asked_of_one_rule_set: Asked, case: Case) -> None:
    result = asked_of_one_rule_set(case)
    assert not result.fails, (result.expected, result.got, result.error)


@pytest.mark.slow
@pytest.mark.parametrize("case", BY_ID)
def test_a_case_has_its_answer_where_the_rules_are_built_for_the_reading(asked_of_fixed_rules: Asked, case: Case) -> None:
    result = asked_of_fixed_rules(case)
    assert not result.fails, (result.expected, result.got, result.error)


def test_every_case_cites_clauses_that_exist() -> None:
    assert {clause for case in CASES for clause in case["src"]} - set(clause_texts()) == set()


@pytest.mark.parametrize("switch", MINE)
def test_every_two_readings_of_a_live_switch_are_told_apart_by_some_question(switch: str) -> None:
    by_question: dict[str, dict[str, Any]] = defaultdict(dict)
    for case in CASES:
        question, _, value = case["id"].rpartition("-")
        if question.startswith(f"{switch}-"):
            assert case["readings"][switch] == value
            by_question[question][value] = case["expect"]
    questions = [*by_question.values(), *SPLITS[switch]]
    alike = [
        (one, other)
        for one, other in itertools.combinations(switch_texts()[switch].values, 2)
        if not any(one in q and other in q and q[one] != q[other] for q in questions)
    ]
    assert alike == []


def test_all_live_switches_can_be_left_open_at_once() -> None:
    names = ("f2", "w+8", "nK", "gB", "T1/1", "T(jabber-skill)", "E with release 1", "E with magic", "B1", "A1")
    cards = [*map(read_card, names), Card("ANY", name="token")]
    rules = monjan(Setting(Catalogue(cards), open=frozenset({*LIVE, "BOARDS", "MODE"}), hiding=True))
    assert {switch.id for switch in rules.switches} >= set(MINE)


# -- moves ------------------------------------------------------------------------------------------------

X7: Mapping[str, Any] = {"pair": None, "nums": [7], "v": 5, "release": [1]}
"""An Extra card summoned by a 7, with a release of 1."""
BY_F7 = {"card": X7, "by": "NUMBER", "witness": "L f7"}


def only(moves: list[Move]) -> Move:
    [move] = moves
    return move


def struck(now: Scene, attacker: int, defender: int, **by: int) -> Scene:
    """The scene in which the defender names a guard for the first attack of the attacker."""
    battle = now.battle(attacker, defender).quiet()
    return battle.after(battle.moves("strike", attacker, **by)[0]).quiet()


# -- payments ---------------------------------------------------------------------------------------------


@asks("A101", ONLY_WHEN_SHORT_PER_COLUMN={("*",)}, ONLY_WHEN_SHORT_OVERALL={("*",)}, FREE_CHOICE={("*",), ("*", "m")})
def test_elements_are_counted_although_enough_plain_mana_is_there(
    scene: SceneOf, left: Left, readings: Readings, answer: set[tuple[str, ...]]
) -> None:
    now = scene({"A": {"fallen": ["L"], "mana": {"L": ["*", "m", "m"]}, "ex": "E with release 2"}}, readings)
    assert left(now, now.moves("edit_skill", A)) == answer


@pytest.mark.parametrize(("lone", "stays"), [("NEEDS_TOP", {("*",)}), ("FREE", {("*",), ("*", "m")})])
def test_even_a_free_choice_discards_one_card_unless_lone_elements_pay(
    scene: SceneOf, left: Left, lone: str, stays: set[tuple[str, ...]]
) -> None:
    state = {"A": {"fallen": ["L"], "mana": {"L": ["*", "m"]}, "ex": "E with release 1"}}
    now = scene(state, {"A101": "FREE_CHOICE", "A97": lone})
    assert left(now, now.moves("edit_skill", A)) == stays


@asks("A102", TOP_FIRST={("n3", False)}, BOTTOM_FIRST={("f7", True)}, PAYER_CHOOSES={("n3", False), ("f7", True)})
def test_which_mana_goes_decides_whether_the_extra_card_lives(scene: SceneOf, readings: Readings, answer: set[Any]) -> None:
    now = scene({"A": {"mana": {"L": ["n3", "f7"]}, "ex": BY_F7}}, readings)
    paid = now.after(only(now.moves("edit_skill", A)))
    spent = [paid.after(move) for move in paid.moves("spend", A)] or [paid]
    ends = [now.cleaned_up() for now in spent]
    assert {(*end.stack(A, L), bool(end.cell("extra", A))) for end in ends} == answer


def test_nothing_else_happens_before_the_payer_has_named_the_mana(scene: SceneOf) -> None:
    now = scene({"A": {"mana": {"L": ["n3", "f7"]}, "ex": BY_F7, "hand": ["f7"]}}, {"A102": "PAYER_CHOOSES"})
    owing = now.after(only(now.moves("edit_skill", A)))
    assert {move.action for move in Reference(owing.rules).moves(owing.state)} == {"spend"}


@pytest.mark.parametrize("timing", ["ALL_DEFERRED", "ONLY_BA_DEFERRED"])
def test_the_payer_may_name_any_two_of_three_cards_now_or_later(scene: SceneOf, left: Left, timing: str) -> None:
    now = scene({"A": {"mana": {"L": ["f2", "f3", "f4"]}, "hand": ["T2/9"]}}, {"A102": "PAYER_CHOOSES", "A103": timing})
    assert left(now, now.moves("toughness", A, left=2, column=R)) == {("f2",), ("f3",), ("f4",)}


def test_the_payer_cannot_name_protected_elements(scene: SceneOf, left: Left) -> None:
    state = {"A": {"fallen": ["L"], "mana": {"L": ["*", "*", "f3", "f4"]}, "hand": ["T1/9"]}}
    now = scene(state, {"A102": "PAYER_CHOOSES", "A98": "PROTECTED"})
    assert left(now, now.moves("toughness", A, left=1, column=R)) == {("*", "*", "f3"), ("*", "*", "f4")}


@asks("A105", IDENTITY={"f2": 1}, VOID={}, SAME_NUMBER={"f4": 1}, BEFORE_FALL={"f2": 1})
def test_which_card_is_discarded_for_a_debt_whose_column_has_fallen(
    scene: SceneOf, readings: Readings, answer: Mapping[str, int]
) -> None:
    now = scene({"A": {"mana": {"L": ["f2", "f3", "f4"]}, "commit": {"L": [0]}, "def": {"L": ["f9", 0]}}}, readings)
    assert now.cleaned_up().counted("discard", A) == answer


@pytest.mark.parametrize(("reading", "prices"), [("ELEMENTS_ONLY", [3, 3]), ("KEEP_LAST_ANY", [2, 2])])
def test_k30_a_kept_last_mana_makes_every_boss_cheaper(scene: SceneOf, reading: str, prices: list[int]) -> None:
    now = scene({"A": {"mana": {"L": ["f2", "f3", "f4"]}}, "ba_top": ["B10", "B10"]}, {"A88": reading})
    gone = []
    for _ in prices:
        now = now.after(now.moves("boss", A)[0]).rolled().cleaned_up()
        left_over = now.cell("mana_height", A, L)
        gone.append(3 - left_over)
        now = now.put({("mana", A, L, s): Card.parse("f2") for s in range(left_over, 3)} | {("mana_height", A, L): 3})
    assert gone == prices


@asks("A106", COUNTS_UNTIL_CLEANUP=True, COUNTS_AS_GONE=False, GONE_FOR_ALL=False)
def test_k15_a_release_paid_with_its_own_witness_has_its_effect_even_if_the_card_dies_at_once(
    scene: SceneOf, readings: Readings, answer: bool
) -> None:
    now = scene({"A": {"mana": {"L": ["f7"]}, "ex": BY_F7}}, readings).put({("deck", Card.parse("f7")): 1})
    after = now.after(only(now.moves("edit_skill", A))).rolled()
    assert bool(after.cell("extra", A)) == answer
    assert after.counted("hand", A) == {"f7": 1}


# -- Extra cards ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [A, B])
@asks("A115", PER_PLAYER=True, GLOBAL=False)
def test_k19_with_one_extra_card_on_the_table_a_simultaneous_edit_turn_depends_on_who_is_quicker(
    scene: SceneOf, first: int, readings: Readings, answer: bool
) -> None:
    ready = {"mana": {"L": ["f7"]}, "hand": [X7]}
    now = scene({"A": ready, "B": ready}, readings)
    assert now.moves("extra", A) and now.moves("extra", B)
    after = now.after(now.moves("extra", first)[0])
    assert bool(after.moves("extra", 1 - first)) == answer


@asks("A116", OWN_ZONE=[[L, M]], ATTACK_SLOT=[[M], [L]], OWNER_CHOICE_WITH_SIDE_EFFECTS=[[L, M], [M], [L]])
def test_the_attack_fields_that_stay_free_for_each_place_of_the_extra_card(
    scene: SceneOf, readings: Readings, answer: list[list[int]]
) -> None:
    now = scene({"A": {"mana": {"L": ["f7"], "M": ["f2"]}, "atk": {"R": "f3"}, "hand": [X7, "f4"]}}, readings)
    f4 = now.catalogue["f4"]
    summons = now.moves("extra", A)
    assert [[move.args[1] for move in now.after(s).moves("attack", A, card=f4)] for s in summons] == answer


def test_an_attack_field_is_free_again_when_its_extra_card_dies(scene: SceneOf) -> None:
    now = scene({"A": {"mana": {"L": ["f7"], "M": ["f2"]}, "hand": [X7, "f4", "w3"]}}, {"A116": "ATTACK_SLOT"})
    laid = now.after(now.moves("extra", A)[M])
    f4 = {"card": laid.catalogue["f4"], "column": M}
    assert not laid.moves("attack", A, **f4)
    covered = laid.after(laid.moves("mana", A, card=laid.catalogue["w3"], column=L)[0])
    assert covered.moves("attack", A, **f4)


MAGIC = Card("EXTRA", value=5, name="healing magic", skills=(CardSkill("battle", "heal", 2, magic=True),))


@asks("A118", COUNTS_AS_SKILL=False, EXTRA_LIKE_BATTLE_CARD=True)
def test_a_battle_magic_beside_a_board_skill(scene: SceneOf, readings: Readings, answer: bool) -> None:
    hunters = {"board": "HUNTERS", "fallen": ["L"], "speed": 9, "def": {"M": ["f9", 5]}}
    now = scene({"A": hunters, "B": {"speed": 3, "atk": {"L": "f4"}}}, readings, [MAGIC]).put({("hand", A, MAGIC): 1})
    battle = now.battle(B, A).quiet()
    attacked = battle.after(battle.moves("strike", B)[0]).passed_to(A)
    magic_first = attacked.after(attacked.moves("battle_skill", A)[0]).passed_to(A)
    assert magic_first.cell("life", A, M) == 7
    assert bool(magic_first.moves("castle", A)) == answer
    castle_first = attacked.after(only(attacked.moves("castle", A))).rolled(6).passed_to(A)
    assert bool(castle_first.moves("battle_skill", A)) == answer


def bears(now: Scene) -> bool:
    """Whether an attack card may be laid on the left column of A."""
    return bool(now.moves("attack", A, column=L))


@asks("A119", REFEREE=(True, None), SHOW_ON_CLAIM=(False, True), NO_HIDING_IF_NEEDED=(False, None))
@pytest.mark.parametrize("mana", ["f2", "w2"])
def test_whether_a_face_down_mana_bears_a_card_and_whether_it_does_once_shown(
    scene: SceneOf, mana: str, readings: Readings, answer: tuple[bool, bool | None]
) -> None:
    face_up = scene({"A": {"mana": {"L": [mana]}, "hand": ["f4"]}}, readings, hiding=True)
    fits = mana == "f2"
    assert bears(face_up) == fits
    hidden = face_up.put({("mana_down", A, L, 0): 1})
    shows = hidden.moves("show", A)
    once_shown = bears(hidden.after(only(shows))) if shows else None
    unseen, after_showing = answer
    assert (bears(hidden), once_shown) == (unseen and fits, after_showing and fits)


@pytest.mark.parametrize("buried", ["TOP", "ANY_IN_STACK"])
@asks("A119", REFEREE=True, SHOW_ON_CLAIM=False, NO_HIDING_IF_NEEDED=False)
def test_a_face_down_number_summons_an_extra_card(scene: SceneOf, buried: str, readings: Readings, answer: bool) -> None:
    now = scene({"A": {"mana": {"L": ["f7"]}, "hand": [X7]}}, {**readings, "A109": buried}, hiding=True)
    assert now.moves("extra", A)
    assert bool(now.put({("mana_down", A, L, 0): 1}).moves("extra", A)) == answer


# -- attack row and ritual --------------------------------------------------------------------------------


@asks("A120", MAY_REPLACE=({"f4": 1}, None), MAY_STACK=({}, "f4"))
def test_a_card_under_a_toughness_card_is_discarded_or_stands_again(
    scene: SceneOf, readings: Readings, answer: tuple[Mapping[str, int], str | None]
) -> None:
    player = {"mana": {"L": ["m", "m"]}, "atk": {"L": "f4"}, "hand": ["T2/9"]}
    now = scene({"A": player, "B": {"atk": {"L": "f5"}}}, readings)
    laid = now.after(now.moves("toughness", A, column=L)[0])
    waiting = struck(laid, B, A)
    guarded = waiting.after(only(waiting.moves("guard", A))).quiet()
    assert laid.places(A)["atk.L"] == "T2/9"
    assert (laid.counted("discard", A), guarded.places(A)["atk.L"]) == answer


FLEHEIM: Mapping[str, Any] = {"board": "FLEHEIM", "fallen": ["L"]}
FALLS: Mapping[str, Any] = {"A": {**FLEHEIM, "atk": {"M": "f5"}}, "B": {"def": {"R": ["f9", 1]}}}


def felled(now: Scene, attacker: int = A) -> Scene:
    """The right column of the other player has fallen to an attack, and A has the word."""
    waiting = struck(now, attacker, 1 - attacker, source=M)
    return waiting.after(only(waiting.moves("guard", 1 - attacker, by=R))).passed_until(A, "W_DAMAGE")


@asks("A124", TAKES_CARD=([], "f9", 1), OWN_HAND_CARD=(["*"], "w3", 0), TOKEN=(["*"], "token", 1), OWN_ONLY=None)
def test_k08_what_stays_of_the_column_what_the_ritual_lays_and_what_stays_in_the_hand(
    scene: SceneOf, readings: Readings, answer: tuple[list[str], str, int] | None
) -> None:
    now = felled(scene({**FALLS, "A": {**FALLS["A"], "hand": ["w3"]}}, readings))
    ends = [now.after(move) for move in now.moves("ritual", A)]
    found = [(end.stack(B, R), end.places(A)["above.0"], end.counted("hand", A).total()) for end in ends]
    assert found == ([] if answer is None else [answer])


@asks("A124", TAKES_CARD=True, OWN_ONLY=True, TOKEN=True, OWN_HAND_CARD=False)
def test_the_ritual_on_the_own_fallen_card_with_an_empty_hand(scene: SceneOf, readings: Readings, answer: bool) -> None:
    own = {"A": {**FLEHEIM, "def": {"R": ["f9", 1]}}, "B": {"atk": {"M": "f5"}}}
    assert bool(felled(scene(own, readings), attacker=B).moves("ritual", A)) == answer


@pytest.mark.parametrize("gathered", ["DEF_AND_MANA", "MANA_ONLY", "SINGLE"])
def test_the_ritual_takes_the_card_from_where_the_fall_has_laid_it(scene: SceneOf, gathered: str) -> None:
    now = felled(scene(FALLS, {"A67": gathered}))
    after = now.after(only(now.moves("ritual", A)))
    assert (after.places(A)["above.0"], after.stack(B, R), after.counted("discard", B)) == ("f9", [], {})


@asks("A125", ABOVE_ROW_4_PER_GAME=True, ABOVE_ROW_4_AT_ONCE=True, IN_SLOTS=False)
def test_the_last_attack_field_is_free_after_a_ritual(scene: SceneOf, readings: Readings, answer: bool) -> None:
    player = {**FLEHEIM, "atk": {"L": "f2", "M": "f5"}, "mana": {"R": ["f3"]}, "hand": ["f4"]}
    now = felled(scene({**FALLS, "A": player}, readings))
    after = now.after(only(now.moves("ritual", A))).cleaned_up()
    assert bool(after.moves("attack", A, card=after.catalogue["f4"], column=R)) == answer


@asks("A159", NEXT_STEP=False, AT_ONCE=True)
def test_a_ritual_card_attacks_in_the_step_in_which_it_arrives(scene: SceneOf, readings: Readings, answer: bool) -> None:
    now = felled(scene(FALLS, readings))
    declaring = now.after(only(now.moves("ritual", A))).quiet()
    assert bool(declaring.moves("strike", A, source=6)) == answer


@asks("A160", SPARED="f3", SPENT=None)
def test_the_guard_of_an_attack_that_kill_cancels(scene: SceneOf, readings: Readings, answer: str | None) -> None:
    defender = {"atk": {"R": "f3"}, "def": {"M": ["f9", 9]}, "hand": ["nK"]}
    waiting = struck(scene({"A": {"atk": {"L": "f5"}}, "B": defender}, readings), A, B)
    named = waiting.after(only(waiting.moves("guard", B, by=3 + R))).passed_to(B)
    after = named.after(only(named.moves("kill", B)))
    assert (after.places(A)["atk.L"], after.places(B)["atk.R"], after.cell("life", B, M)) == (None, answer, 9)


# -- piles ------------------------------------------------------------------------------------------------


@asks("A150", NO_DRAW=(0, (1, 1), None), RESHUFFLE_DISCARD=(1, (1, 1), None), DECKOUT_LOSES=(0, (0, 1), "B"),
      GAME_ENDS=(0, (0, 0), None))  # fmt: skip
def test_a_draw_from_an_empty_pile(
    scene: SceneOf, readings: Readings, answer: tuple[int, tuple[int, int], str | None]
) -> None:
    now = scene({"A": {}, "discard": ["w+8"]}, readings).put({("drawn", A): 0, ("due", A): 1})
    after = now.after(only(now.moves("draw", A))).rolled()
    hand, alive, winner = answer
    assert (after.counted("hand", A).total(), after.counted("discard", A).total()) == (hand, 1 - hand)
    assert tuple(after.cell("alive", p) for p in (A, B)) == alive
    assert (after.engine.over(after.state), after.winner()) == (0 in alive, winner)


def test_of_three_players_one_who_cannot_draw_leaves_with_all_cards(scene: SceneOf) -> None:
    player = {"mana": {"L": ["f2"]}, "def": {"M": ["f9", 9]}, "hand": ["w3"]}
    now = scene({"players": 3, "A": player}, {"A150": "DECKOUT_LOSES"}).put({("drawn", A): 0, ("due", A): 3})
    after = now.after(only(now.moves("draw", A)))
    assert [after.cell("alive", p) for p in range(3)] == [0, 1, 1]
    assert (after.stack(A, L), after.counted("discard", A)) == ([], {"f2": 1, "f9": 1, "w3": 1})
    assert after.moves("end", B)


def test_there_is_nothing_to_shuffle_where_discarded_cards_leave_the_game(scene: SceneOf) -> None:
    readings = {"A150": "RESHUFFLE_DISCARD", "A152": "REMOVED_FROM_GAME"}
    now = scene({"A": {}, "discard": ["w+8"]}, readings).put({("drawn", A): 0, ("due", A): 1})
    assert now.after(only(now.moves("draw", A))).rolled().counted("hand", A).total() == 0
