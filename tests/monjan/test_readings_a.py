"""The readings A01 to A95: one splitting state a question, with the answer under every value of the switch.

Most questions are cases (``tests/corpus/readings-a.jsonl``, one a value). Those that no
operation of a case can ask are asked here, through the moves and steps of the reference.
"""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from monjudge.model.language import NATURE, Expr, LimitReached, Move, RuleSet, evaluate, walk
from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.cards import Catalogue
from monjudge.model.monjan.cases import INFORMATION, answers
from monjudge.model.monjan.cases.card_names import read_card
from monjudge.model.monjan.cases.notation import read_position
from monjudge.model.monjan.cases.scene import Scene
from monjudge.model.monjan.match import SOURCE, STEP, Setting
from monjudge.model.monjan.modes import table_defects
from monjudge.model.monjan.readings import BATTLE, LIVE
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.texts import switch_texts
from monjudge.solvers.cases import Case, CaseEngine, read_cases, run_cases

CASES = read_cases([Path(__file__).resolve().parents[1] / "corpus" / "readings-a.jsonl"])
MINE = tuple(s for s in LIVE if s != "SEQ" and s not in BATTLE and int(s[1:]) <= 95)
"""Those of the battle turn have a file of their own."""
A, B, C = 0, 1, 2

Readings = Mapping[str, str]
Question = Callable[[Readings], Any]
Answer = Callable[[Case], Mapping[str, Any]]
QUESTIONS: list[tuple[str, Question, dict[str, Any]]] = []
"""The switch, the question, and the answer under each of its values."""


def asks(switch: str, **answers_: Any) -> Callable[[Question], Question]:
    """Registers a question with its answer under each value of the switch."""

    def register(question: Question) -> Question:
        QUESTIONS.append((switch, question, answers_))
        return question

    return register


# -- positions and moves -------------------------------------------------------------------------------------


def position(readings: Readings, state: Mapping[str, Any], *more: str, hiding: bool = False) -> Scene:
    """The position on a table of its own; ``more`` are cards that lie nowhere yet."""
    written = read_position(state, readings)
    catalogue = Catalogue(written.cards | {read_card(text) for text in more})
    boards = tuple(PRINTED["FLEHEIM"] for _ in written.names)
    rules = monjan(Setting(catalogue, boards, readings=dict(readings), open=frozenset({"BOARDS", "MODE"}),
                           slots=written.slots, hiding=hiding))  # fmt: skip
    return Scene.of(rules, CaseEngine(rules), catalogue, written)


def pile(scene: Scene, *top: str, rest: str = "", name: str = "deck") -> Scene:
    """The pile with these cards on top and any number of one more card beneath."""
    cells: dict[Any, Any] = {(f"{name}_top", i): read_card(text) for i, text in enumerate(top)}
    return scene.put(cells | ({(name, read_card(rest)): 50} if rest else {}))


def not_drawn(scene: Scene) -> Scene:
    """The draw of the edit turn is still to be made by everybody."""
    return scene.put(drawn=0, due=1)


def play(scene: Scene, action: str, me: int, die: int | None = None, **fixed: Any) -> Scene:
    """The scene after the one legal move of this kind (or the first), and what chance does then."""
    [move, *_] = scene.moves(action, me, **fixed)
    return scene.after(move).rolled(die)


def strike(scene: Scene, me: int, source: str, *, guard: int, at: int, **fixed: Any) -> Scene:
    """An attack that this guard takes; nobody plays a card in the windows before the hit."""
    now = play(scene.quiet(), "strike", me, source=SOURCE[source], **fixed).quiet()
    return play(now, "guard", at, by=guard)


def reachable(scene: Scene, actions: Iterable[str], reached: Callable[[Scene], bool]) -> bool:
    """Whether some moves of these kinds lead to such a scene."""
    open_scenes, seen, names = [scene], {scene.state}, tuple(actions)
    while open_scenes:
        now = open_scenes.pop()
        if reached(now):
            return True
        fresh = [later for m in now.listed(names) if (later := _known(now, m)) is not None and later.state not in seen]
        seen.update(later.state for later in fresh)
        open_scenes += fresh
    return False


def _known(scene: Scene, move: Move) -> Scene | None:
    """The scene after the move, or None where the rules leave it open."""
    try:
        return scene.after(move)
    except LimitReached:
        return None


# -- set-up and the first turn ---------------------------------------------------------------------------------

TEN = ["w+8", "f+3", "g+7", "n+6", "nK", "aK", "wB", "fB", "aB", "nB"]
FIRST_TURN = ("draw", "draw_card", "mulligan", "middle", "end")


def ten_battle_cards(readings: Readings, on_top: str) -> Scene:
    """The first turn of A with ten battle cards, before the draw; B has ended."""
    scene = position(readings, {"A": {"hand": TEN}, "B": {"hand": ["f9"]}}, on_top).put({("edit_done", B): 1, ("drawn", A): 0, ("due", A): 1})
    return pile(scene, on_top, rest="f9").put(turn=1).settled()


def can_end_first_turn(scene: Scene) -> bool:
    """Whether A can; where A is out, the match is over."""
    return reachable(scene, FIRST_TURN, lambda now: bool(now.cell("edit_done", A)))


@asks("A01", STUCK=False, MULLIGAN=True, ANY_CARD=True, DEFER=True, LOSE=False)
def is_there_a_legal_first_edit_turn_with_ten_battle_cards_and_another_on_the_pile(readings: Readings) -> Any:
    return can_end_first_turn(ten_battle_cards(readings, "gB"))


@asks("A01", STUCK=0, MULLIGAN=0, ANY_CARD=11, DEFER=0, LOSE=0)
def how_many_cards_may_be_placed_in_the_middle_then(readings: Readings) -> Any:
    drawn = play(ten_battle_cards(readings, "gB"), "draw", A)
    return len(drawn.moves("middle", A))


@asks("A01", STUCK=False, MULLIGAN=False, LOSE=True)
def is_a_player_without_number_cards_out_where_the_first_turn_has_no_draw(readings: Readings) -> Any:
    return not ten_battle_cards({**readings, "A03": "NO"}, "gB").cell("alive", A)


def life_in_the_middle(readings: Readings, card: str) -> Any:
    """The life that the card gives as the mandatory middle defence."""
    scene = position(readings, {"turn": 1, "A": {"hand": [card, "f3"]}})
    moves = scene.moves("middle", A, card=scene.catalogue[read_card(card)])
    try:
        return scene.after(moves[0]).cell("life", A, 1) if moves else "illegal"
    except LimitReached:
        return "unknown"


@asks("A02", NUMBER="illegal", ANY_MONJAN=8, ANY="unknown")
def which_life_has_a_battle_card_in_the_middle(readings: Readings) -> Any:
    return life_in_the_middle(readings, "w+8")


@asks("A02", NUMBER="illegal", ANY_MONJAN="illegal", ANY="unknown")
def which_life_has_a_toughness_card_in_the_middle(readings: Readings) -> Any:
    """Derived: E and T cards are no Monjan cards."""
    return life_in_the_middle(readings, "T4/9")


@asks("A03", YES=True, NO=False)
def is_there_a_legal_first_turn_with_ten_battle_cards_and_a_number_card_on_the_pile(readings: Readings) -> Any:
    return can_end_first_turn(ten_battle_cards(readings, "f9"))


@asks("A04", DRAW_FIRST=True, MIDDLE_FIRST=False)
def is_there_one_when_the_draw_and_the_middle_have_an_order(readings: Readings) -> Any:
    return can_end_first_turn(ten_battle_cards(readings, "f9"))


@asks("A04", DRAW_FIRST=False, MIDDLE_FIRST=True)
def may_a_player_draw_after_the_middle_defence(readings: Readings) -> Any:
    """Derived: what comes first cannot come afterwards."""
    scene = pile(not_drawn(position(readings, {"turn": 1, "A": {"hand": ["f9"]}})), rest="f9")
    return bool(play(scene, "middle", A).moves("draw", A))


@asks("A14", OPTIONAL=True, MANDATORY_DRAW=False, MANDATORY_ATTACK=True)
def may_a_player_leave_the_last_card_of_the_pile(readings: Readings) -> Any:
    return bool(pile(not_drawn(position(readings, {}, "f9")), "f9").moves("end", A))


@asks("A14", OPTIONAL=True, MANDATORY_DRAW=True, MANDATORY_ATTACK=False)
def may_a_player_with_an_attack_card_attack_nobody(readings: Readings) -> Any:
    """Derived."""
    return bool(position(readings, {"A": {"atk": {"L": "f4"}}}).battle(A, B).quiet().moves("stop", A))


@asks("A14", OPTIONAL=True, MANDATORY_DRAW=False, MANDATORY_ATTACK=True)
def may_a_player_lay_mana_before_the_draw(readings: Readings) -> Any:
    """Derived: what comes before the draw would forgo it (EDIT.6)."""
    scene = pile(not_drawn(position(readings, {"A": {"hand": ["f2"]}})), rest="f2")
    return bool(scene.moves("mana", A))


@asks("A15", ANY_INTERLEAVING=True, BLIND_COMMIT=True, PREV_ORDER=False)
def may_the_player_who_attacked_first_get_the_second_card_of_the_pile(readings: Readings) -> Any:
    scene = pile(not_drawn(position(readings, {"prevOrder": ["A", "B"]}, "f1", "f16")), "f1", "f16")
    held = ("hand", A, scene.catalogue[read_card("f16")])
    return reachable(scene, ("draw", "draw_card"), lambda now: now.cell(*held) > 0)


def sees_new_mana(scene: Scene, viewer: int, owner: int) -> bool:
    env = {"viewer": viewer, "x0": owner, "x1": 0, "x2": 0}
    return bool(evaluate(scene.rules.visible["mana"], scene.state, env, scene.rules.offset))


@asks("A15", ANY_INTERLEAVING=(True, True), BLIND_COMMIT=(False, True), PREV_ORDER=(True, True))
def does_a_player_see_the_mana_that_the_other_has_just_laid_and_at_the_end_of_editing(readings: Readings) -> Any:
    """Derived."""
    laid = play(position(readings, {"A": {"hand": ["f2"]}}), "mana", A, column=0)
    return sees_new_mana(laid, B, A), sees_new_mana(laid.battle_begun(), B, A)


@asks("A07", NO=None, REPLACE=5, STACK=8)
def which_attack_has_a_card_that_is_laid_on_another(readings: Readings) -> Any:
    """Derived: the values of stacked attack cards add up as those of defences do."""
    scene = position(readings, {"A": {"atk": {"L": "f3"}, "mana": {"L": ["f2", "f4"]}, "hand": ["f5"]}})
    moves = scene.moves("attack", A, column=0)
    return play(scene.after(moves[0]).battle(A, B).quiet(), "strike", A, source=0).cell("power") if moves else None


# -- speed and order -------------------------------------------------------------------------------------------


@asks("A46", FORBID=False, DIE=True, SIMULTANEOUS=True, PREV_ORDER=True)
def may_two_players_have_boards_of_equal_priority(readings: Readings) -> Any:
    boards = (PRINTED["HUNTERS"], PRINTED["HUNTERS"])
    return not table_defects(boards, {**readings, "A149": "DUPLICATES_OK"})


def equals(readings: Readings) -> Scene:
    """Two players with the same board and speed; B attacked first in the last battle turn."""
    one = {"board": "HUNTERS", "mana": {"L": ["f5"]}, "def": {"M": ["n3", 3]}, "atk": {"L": "f4"}}
    return position(readings, {"prevOrder": ["B", "A"], "A": one, "B": one}).battle_begun()


@asks("A46", DIE=False, SIMULTANEOUS=True, PREV_ORDER=False)
def may_two_equals_fell_one_another(readings: Readings) -> Any:
    battle = ("lot", "strike", "guard", "stop")
    return reachable(equals(readings), battle, lambda now: not (now.cell("alive", A) or now.cell("alive", B)))


@asks("A46", DIE={A, B}, PREV_ORDER={B})
def which_of_two_equals_may_attack_first(readings: Readings) -> Any:
    return {now.cell("active") for now in _lots(equals(readings))}


def _lots(scene: Scene) -> list[Scene]:
    lots = scene.moves("lot", NATURE)
    return [later for m in lots for later in _lots(scene.after(m))] if lots else [scene]


def hidden_mana(readings: Readings) -> Scene:
    """A has a 9 and a 3 face down, B a 5."""
    state = {"A": {"mana": {"L": ["f9"], "M": ["f3"]}}, "B": {"mana": {"L": ["f5"]}}}
    scene = position(readings, state, hiding=True).put({("mana_down", A, 0, 0): 1, ("mana_down", A, 1, 0): 1})
    return scene.battle_begun()


@asks("A47", REVEAL_AT_BATTLE=A, REVEAL_MAX_ONLY=A, FACE_DOWN_IS_ZERO=B)
def who_attacks_first_when_the_larger_mana_lies_face_down(readings: Readings) -> Any:
    return hidden_mana(readings).cell("active")


@asks("A47", REVEAL_AT_BATTLE={0, 1}, REVEAL_MAX_ONLY={0}, FACE_DOWN_IS_ZERO=set())
def which_of_the_mana_are_shown_then(readings: Readings) -> Any:
    """Derived."""
    scene = hidden_mana(readings)
    return {c for c in (0, 1) if not scene.cell("mana_down", A, c, 0)}


@asks("A48", SNAPSHOT=B, DYNAMIC=C)
def who_is_next_when_the_second_player_has_lost_the_fast_mana(readings: Readings) -> Any:
    state = {
        "players": 3, "A": {"mana": {"L": ["f9"]}, "atk": {"L": "f4"}},
        "B": {"mana": {"L": ["f8"], "M": ["f2"]}, "def": {"L": ["n1", 1]}}, "C": {"mana": {"L": ["f7"]}},
    }  # fmt: skip
    hit = strike(position(readings, state).battle_begun(), A, "AL", guard=0, at=B, target=B)
    return play(hit.quiet(), "stop", A).cell("active")


@asks("A48", SNAPSHOT=True, DYNAMIC=False)
def is_the_attacker_still_slower_after_the_defender_has_lost_the_fast_mana(readings: Readings) -> Any:
    state = {
        "A": {"board": "HUNTERS", "fallen": ["R"], "mana": {"L": ["f9"]}, "def": {"L": ["n1", 1], "M": ["f16", 16]}},
        "B": {"mana": {"L": ["f5"]}, "atk": {"L": "f4", "M": "f4"}},
    }
    start = play(position(readings, state).battle_begun().quiet(), "stop", A)
    felled = strike(start, B, "AL", guard=0, at=A)
    hit = strike(felled, B, "AC", guard=1, at=A).passed_until(A, "W_DAMAGE")
    return bool(hit.moves("trap", A))


# -- attacks and guards ----------------------------------------------------------------------------------------


@asks("A52", ONE=False, PER_CARD=True)
def may_two_opponents_fall_to_the_two_cards_of_one_attacker(readings: Readings) -> Any:
    state = {"players": 3, "A": {"atk": {"L": "f4", "M": "f6"}, "mana": {"L": ["f9"]}},
             "B": {"def": {"M": ["n4", 4]}}, "C": {"def": {"M": ["n6", 6]}}}  # fmt: skip
    start = position(readings, state).battle_begun()
    acts = ("strike", "guard", "stop")
    return reachable(start, acts, lambda now: now.cell("active") == A and not (now.cell("alive", B) or now.cell("alive", C)))


def attacks_taken(scene: Scene, attacker: int, defender: int, guards: Iterable[int]) -> int:
    """How many of the attacks in the row are taken, each by the next of the guards that still may."""
    taken, wanted = 0, list(guards)
    for source in ("AL", "AC", "AR"):
        waiting = play(scene.quiet(), "strike", attacker, source=SOURCE[source]).quiet()
        able = [g for g in wanted if waiting.moves("guard", defender, by=g)]
        if not able:
            break
        scene, taken = play(waiting, "guard", defender, by=able[0]), taken + 1
    return taken


@asks("A56", DEF_MANY=3, ONCE_EACH=2, ATTACK_SAME_INSTANT=3)
def how_many_of_three_attacks_do_two_defences_take(readings: Readings) -> Any:
    state = {"A": {"atk": {"L": "f4", "M": "f4", "R": "f4"}}, "B": {"def": {"L": ["n9", 9], "M": ["n9", 9]}}}
    return attacks_taken(position(readings, state).battle(A, B), A, B, [0, 1])


@asks("A56", DEF_MANY=1, ONCE_EACH=1, ATTACK_SAME_INSTANT=3)
def how_many_of_three_attacks_does_one_attack_card_take(readings: Readings) -> Any:
    """Derived."""
    state = {"A": {"atk": {"L": "f5", "M": "f5", "R": "f5"}}, "B": {"def": {"M": ["n3", 3]}, "atk": {"L": "f2"}}}
    return attacks_taken(position(readings, state).battle(A, B), A, B, [3])


@asks("A56", DEF_MANY=True, ONCE_EACH=False, ATTACK_SAME_INSTANT=True)
def may_the_middle_guard_against_a_second_attacker_of_the_turn(readings: Readings) -> Any:
    """Derived: once in a turn is once for all attackers of the turn."""
    attacker = {"atk": {"L": "f4"}}
    state = {"players": 3, "A": {**attacker, "mana": {"L": ["f9"]}}, "B": {**attacker, "mana": {"L": ["f8"]}},
             "C": {"def": {"M": ["f16", 16]}}}  # fmt: skip
    first = strike(position(readings, state).battle_begun(), A, "AL", guard=1, at=C, target=C)
    second = play(play(first.quiet(), "stop", A).quiet(), "strike", B, source=0, target=C).quiet()
    return bool(second.moves("guard", C, by=1))


# -- falls -----------------------------------------------------------------------------------------------------


@asks("A67", DEF_AND_MANA=True, MANA_ONLY=False, SINGLE=False)
def can_a_boss_be_paid_in_the_turn_after_a_column_with_one_mana_fell(readings: Readings) -> Any:
    state = {"A": {"atk": {"L": "f9"}}, "ba_top": "B12",
             "B": {"def": {"L": ["f9", 9], "M": ["f9", 9]}, "mana": {"L": ["f2"]}, "hand": ["w3"]}}  # fmt: skip
    hit = strike(position(readings, state).battle(A, B), A, "AL", guard=0, at=B)
    return bool(play(hit.cleaned_up(), "mana", B, column=0).moves("boss", B, left=3))


@asks("A69", IMMEDIATE=False, END_OF_BATTLE=True, NEXT_EDIT=True)
def may_an_extra_card_attack_after_its_column_was_felled_in_the_same_battle_turn(readings: Readings) -> Any:
    extra = {"card": {"pair": ["n", "w"], "nums": [], "v": 7}, "by": "PAIR"}
    state = {
        "A": {"mana": {"L": ["f9"]}, "atk": {"L": "f9"}, "def": {"M": ["f9", 9]}},
        "B": {"mana": {"L": ["n3"], "M": ["w5"]}, "ex": extra, "def": {"L": ["f9", 9]}},
    }
    hit = strike(position(readings, state).battle_begun(), A, "AL", guard=0, at=B)
    return bool(play(hit.quiet(), "stop", A).quiet().moves("strike", B, source=SOURCE["EX"]))


@asks("A69", IMMEDIATE=(1, 3), END_OF_BATTLE=(1, 3), NEXT_EDIT=(0, 3))
def what_is_left_of_three_spent_mana_and_how_many_cards_are_drawn(readings: Readings) -> Any:
    """Derived, with A67 MANA_ONLY: whether the column falls before or after its spent mana are discarded."""
    state = {"A": {"atk": {"L": "f9"}}, "ba_top": "B12",
             "B": {"def": {"L": ["f9", 9], "M": ["f9", 9]}, "mana": {"L": ["f2", "w3", "g4"]}}}  # fmt: skip
    paid = play(position({**readings, "A67": "MANA_ONLY"}, state), "boss", B, left=3)
    after = strike(paid.battle(A, B), A, "AL", guard=0, at=B).cleaned_up()
    return after.cell("mana_height", B, 0), after.cell("due", B)


@asks("A72", NEXT_EDIT=False, IMMEDIATE=True)
def can_cards_drawn_for_a_fall_save_the_middle_in_the_same_battle_turn(readings: Readings) -> Any:
    state = {"mode": "URA_LM", "A": {"def": {"L": ["n1", 1], "M": ["f9", 9]}},
             "B": {"atk": {"L": "f1", "M": "f9"}}}  # fmt: skip
    scene = pile(position(readings, state, "w+8", "f2"), "w+8", "f2").battle(B, A)
    felled = strike(scene, B, "AL", guard=0, at=A).rolled()
    waiting = play(play(felled.quiet(), "strike", B, source=SOURCE["AC"]).quiet(), "guard", A, by=1)
    return reachable(waiting, ("heal", "pass"), lambda now: now.cell("step") == STEP["DECLARE"] and bool(now.cell("alive", A)))


@asks("A75", FIRST_LOSES=(False, True), END_OF_BATTLE=(False, False))
def who_is_left_when_a_trap_answers_the_attack_on_the_middle(readings: Readings) -> Any:
    state = {
        "A": {"board": "HUNTERS", "fallen": ["R"], "mana": {"M": ["f9"]}, "def": {"M": ["n4", 4]}},
        "B": {"mana": {"L": ["f5"]}, "atk": {"L": "f8"}, "def": {"M": ["n3", 3]}},
    }
    start = play(position(readings, state).battle_begun().quiet(), "stop", A)
    hit = strike(start, B, "AL", guard=1, at=A).passed_until(A, "W_DAMAGE")
    if hit.moves("trap", A):
        hit = play(play(hit, "trap", A, die=1), "guard_back", B, by=1)
    end = hit.cleaned_up() if not hit.engine.over(hit.state) else hit
    return bool(end.cell("alive", A)), bool(end.cell("alive", B))


@pytest.mark.parametrize("readings", [{"A75": "END_OF_BATTLE"}, {"A46": "SIMULTANEOUS"}])
def test_where_the_match_goes_on_a_second_attack_on_a_middle_without_life_is_lost(readings: Readings) -> None:
    """Nothing can guard then; the defender still has an own attack step."""
    one = {"board": "HUNTERS", "mana": {"L": ["f5"]}, "def": {"M": ["n3", 3]}}
    state = {"A": {**one, "atk": {"L": "f4", "R": "f4"}}, "B": {**one, "out": ["boss B12 (this turn)"]}}
    start = position(readings, state).battle_begun()
    felled = strike(start, A, "AL", guard=1, at=B)
    again = play(felled.quiet(), "strike", A, source=SOURCE["AR"]).quiet()
    assert [m.action for m in again.listed(("guard", "strike", "stop"))] == ["stop"]
    assert play(again, "stop", A).quiet().moves("strike", B)


def eliminated(readings: Readings) -> Scene:
    """A has felled the middle of C; B has the ritual."""
    state = {
        "players": 3, "A": {"mana": {"L": ["f9"]}, "atk": {"L": "f9"}, "def": {"M": ["f9", 9]}},
        "B": {"board": "FLEHEIM", "fallen": ["L"], "def": {"M": ["f9", 9]}},
        "C": {"def": {"M": ["n9", 9]}, "hand": ["w3"]},
    }  # fmt: skip
    hit = strike(position(readings, state).battle_begun(), A, "AL", guard=1, at=C, target=C)
    return hit.passed_until(B, "W_DAMAGE")


@asks("A77", TO_DISCARD=True, REMOVED=False, STAY=True)
def may_the_ritual_take_the_middle_card_of_a_player_who_is_out(readings: Readings) -> Any:
    return bool(eliminated(readings).moves("ritual", B))


@asks("A77", TO_DISCARD={"discard"}, REMOVED=set(), STAY={"hand"})
def where_is_the_hand_of_a_player_who_is_out(readings: Readings) -> Any:
    """Derived."""
    scene = eliminated(readings)
    return {zone for zone in ("hand", "discard") if scene.cell(zone, C, scene.catalogue[read_card("w3")])}


@asks("A85", RITUAL_ONLY=True, ALL=True, NONE=False)
def may_the_ritual_take_the_card_whose_fall_unlocks_it(readings: Readings) -> Any:
    state = {"A": {"atk": {"L": "f9"}}, "B": {"board": "FLEHEIM", "def": {"L": ["n9", 9], "M": ["f9", 9]}}}
    hit = strike(position(readings, state).battle(A, B), A, "AL", guard=0, at=B)
    return bool(hit.passed_until(B, "W_DAMAGE").moves("ritual", B))


@asks("A93", DISCARD_NO_SUMMON=set(), RESHUFFLE={"B12", "B22"}, BOTTOM={"B12"})
def which_boss_card_may_come_when_both_cards_of_the_pile_are_used(readings: Readings) -> Any:
    """The third summon: listed as no, yes and yes; which cards may come is derived."""
    three = {("mana", A, 0, s): read_card("m") for s in range(3)} | {("mana_height", A, 0): 3}
    state = {"A": {"mana": {"L": ["m"]}, "def": {"M": ["n9", 9]}}, "ba_top": ["B12", "B22"]}
    scene = position(readings, state).put(three)
    for _ in range(2):
        scene = play(scene, "boss", A, left=3).cleaned_up().put(three)
    summons = scene.moves("boss", A, left=3)
    turned_up = scene.after(summons[0]).moves("turn_up", NATURE) if summons else []
    return {str(scene.catalogue.cards[m.args[0]]) for m in turned_up}


# -- the answers -------------------------------------------------------------------------------------------------

ASKED = [
    pytest.param(question, switch, value, answer, id=f"{question.__name__}-{switch}-{value}")
    for switch, question, listed in QUESTIONS
    for value, answer in listed.items()
]


@pytest.mark.parametrize(("question", "switch", "value", "answer"), ASKED)
def test_a_question_has_the_answer_listed_for_the_reading(question: Question, switch: str, value: str, answer: Any) -> None:
    assert question({switch: value}) == answer


@pytest.fixture(scope="module")
def asked_of_one_rule_set() -> Answer:
    """Cases asked of a rule set in which all these switches are open: their readings are cells of the state."""
    return answers(CaseEngine, CASES, open=MINE)


@pytest.fixture(scope="module")
def asked_of_fixed_rules() -> Answer:
    """Cases asked of the rule set that is built for their readings."""
    return answers(CaseEngine, CASES)


BY_ID = [pytest.param(case, id=case["id"]) for case in CASES]


@pytest.mark.parametrize("case", BY_ID)
def test_a_case_has_its_answer_where_the_reading_is_a_cell_of_the_state(asked_of_one_rule_set: Answer, case: Case) -> None:
    [result] = run_cases([case], asked_of_one_rule_set, INFORMATION)
    assert result.passed, (result.expected, result.got, result.error)


@pytest.mark.slow
@pytest.mark.parametrize("case", BY_ID)
def test_a_case_has_its_answer_where_the_rules_are_built_for_the_reading(asked_of_fixed_rules: Answer, case: Case) -> None:
    [result] = run_cases([case], asked_of_fixed_rules, INFORMATION)
    assert result.passed, (result.expected, result.got, result.error)


# -- what a live switch is -------------------------------------------------------------------------------------


def splits() -> dict[str, list[dict[str, str]]]:
    """By switch, the answers of every question by value."""
    by_question: dict[str, dict[str, str]] = defaultdict(dict)
    for case in CASES:
        question, _, value = case["id"].rpartition("-")
        by_question[question][value] = json.dumps(case["expect"], sort_keys=True)
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    for question, given in by_question.items():
        found[question.split("-")[0]].append(given)
    for switch, _, listed in QUESTIONS:
        found[switch].append({value: repr(answer) for value, answer in listed.items()})
    return found


@pytest.mark.parametrize("switch", MINE)
def test_every_two_readings_of_a_live_switch_are_told_apart_by_some_question(switch: str) -> None:
    questions = splits()[switch]
    alike = [
        (one, other)
        for one, other in itertools.combinations(switch_texts()[switch].values, 2)
        if not any(one in q and other in q and q[one] != q[other] for q in questions)
    ]
    assert alike == []


def test_the_questions_ask_about_live_switches_and_their_values_only() -> None:
    for switch, questions in splits().items():
        assert switch in MINE
        assert all(set(q) <= set(switch_texts()[switch].values) and len(q) > 1 for q in questions)


def test_a_case_sets_the_reading_that_its_id_names() -> None:
    for case in CASES:
        question, _, value = case["id"].rpartition("-")
        assert case["readings"][question.split("-")[0]] == value


def test_every_live_switch_that_is_left_open_is_read_by_the_rules() -> None:
    cards = ["f2", "f7", "f16", "w+5", "w+8", "nK", "gB", "T1/1", "T(jabber-skill)", "E with release 1", "B10", "A10"]
    boards = tuple(PRINTED[name] for name in ("FLEHEIM", "ATELIER", "HUNTERS"))
    rules = monjan(Setting(Catalogue(map(read_card, cards)), boards, open=frozenset((*MINE, "MODE"))))
    read = {node.args[0].name for expr in expressions(rules) for node in walk(expr) if node.op == "field"}
    assert {switch.id for switch in rules.switches} == set(MINE)
    assert set(MINE) - read == set()


def expressions(rules: RuleSet) -> Iterator[Expr]:
    """What decides about moves and states: conditions, effects, triggers (not what players see)."""
    for action in rules.actions:
        yield from (clause.expr for clause in action.clauses)
    for effects in (*(a.effects for a in rules.actions), *(t.effects for t in rules.triggers)):
        for effect in effects:
            yield from (effect.value, effect.when, *effect.indices)
    yield from (trigger.when for trigger in rules.triggers)
