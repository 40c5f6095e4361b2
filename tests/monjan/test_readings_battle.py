"""The readings of the battle turn: one splitting state a question, with the answer under every value of the switch.

Most splitting states are those of the document; what is derived says so. Every move that a
question takes is legal, and the state that it takes it in was reached by moves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from monjudge.model.monjan.cards import Card, CardSkill
from monjudge.model.monjan.cases.card_names import read_card
from monjudge.model.monjan.cases.scene import Scene
from monjudge.model.monjan.match import SOURCE, STEP
from monjudge.model.monjan.readings import BATTLE
from monjudge.model.monjan.texts import switch_texts
from monjudge.solvers.engines.native import Native
from monjudge.solvers.play import Play

A, B = 0, 1
L, M, R = 0, 1, 2

Readings = Mapping[str, str]
SceneOf = Callable[..., Scene]
Question = Callable[[SceneOf, Readings], Any]
QUESTIONS: list[tuple[str, Question, dict[str, Any]]] = []
"""The switch, the question, and the answer under each of its values."""


def asks(switch: str, more: Readings | None = None, **answers: Any) -> Callable[[Question], Question]:
    """Registers a question with its answer under each value of the switch; ``more`` are other readings that it needs."""

    def register(question: Question) -> Question:
        QUESTIONS.append((switch, lambda scene, readings: question(scene, {**(more or {}), **readings}), answers))
        return question

    return register


# -- moves -----------------------------------------------------------------------------------------------------


def play(scene: Scene, action: str, me: int, **fixed: Any) -> Scene:
    """The scene after the one legal move of this kind."""
    [move] = scene.moves(action, me, **fixed)
    return scene.after(move)


def strike(scene: Scene, source: str) -> Scene:
    """A declares an attack; nobody has played anything before."""
    return play(scene.quiet(), "strike", A, source=SOURCE[source])


def guarded(scene: Scene, by: int) -> Scene:
    """B takes the attack with this card; nobody plays anything before."""
    return play(scene.quiet(), "guard", B, by=by)


def number(scene: Scene, text: str) -> int:
    return scene.catalogue[read_card(text)]


def card(scene: Scene, action: str, me: int, text: str, **fixed: Any) -> Scene:
    """The player, who has the word or gets it by a pass, plays this battle card."""
    return play(scene.passed_to(me), action, me, card=number(scene, text), **fixed)


def may(scene: Scene, action: str, me: int, text: str, **fixed: Any) -> bool:
    return bool(scene.passed_to(me).moves(action, me, card=number(scene, text), **fixed))


def forced(scene: Scene) -> bool:
    """Whether A fells the middle of B by force within this attack step, hands open."""
    known: dict[tuple[int, ...], bool] = {}

    def wins(now: Scene) -> bool:
        if now.state not in known:
            known[now.state] = _wins(now)
        return known[now.state]

    def _wins(now: Scene) -> bool:
        if not now.cell("alive", B):
            return True
        if now.cell("step") in (STEP["NONE"], STEP["STEP_OVER"]):
            return False
        moves = now.listed([a.name for a in now.rules.actions if "skill" not in a.tags])
        assert moves, "the rules leave a hole here"
        return (any if moves[0].me == A else all)(wins(now.after(move)) for move in moves)

    return wins(scene.battle(A, B))


def state(attack: Mapping[str, Any], defence: Mapping[str, Any]) -> dict[str, Any]:
    return {"A": {"def": {"M": ["n9", 9]}, **attack}, "B": {"board": "HUNTERS", **defence}}


# -- how many battle cards, and when ------------------------------------------------------------------------------


@asks("A31", NOT_SKILL=True, IS_BATTLE_SKILL=False, AUX_ONCE_EACH=True)
def do_two_different_bonuses_win(scene: SceneOf, readings: Readings) -> Any:
    given = state({"atk": {"L": "f6"}, "hand": ["w+8", "f+7", "g+3"]}, {"def": {"M": ["n16", 16]}})
    return forced(scene(given, readings))


@asks("A31", NOT_SKILL=True, IS_BATTLE_SKILL=False, AUX_ONCE_EACH=False)
def do_two_equal_bonuses_win(scene: SceneOf, readings: Readings) -> Any:
    given = state({"atk": {"L": "f6"}, "hand": ["w+8", "f+8"]}, {"def": {"M": ["n16", 16]}})
    return forced(scene(given, readings))


@asks("A31", NOT_SKILL=(True, True), IS_BATTLE_SKILL=(False, True), AUX_ONCE_EACH=(True, True))
def may_a_skill_follow_a_battle_card_and_is_the_next_turn_free_again(scene: SceneOf, readings: Readings) -> Any:
    """Derived."""
    given = state({"atk": {"L": "f6"}, "hand": ["w+8", "f+7"]}, {"def": {"M": ["n16", 16]}})
    booster = Card("EXTRA", name="BOOSTER", value=3, numbers=(7,), skills=(CardSkill("battle", "boost", 2),))
    now = scene(given, readings, more=[booster]).put({("extra", A): booster, ("extra_by", A): 0}).battle(A, B)
    played = card(strike(now, "AL"), "bonus", A, "w+8")
    later = strike(played.cleaned_up().battle(A, B), "AL")
    return bool(played.passed_to(A).moves("battle_skill", A)), may(later, "bonus", A, "f+7")


@asks("A34", ALTERNATE=False, LAST_WORD_DEFENDER=False, LAST_WORD_ATTACKER=True, STACK=False)
def do_two_fives_and_a_bonus_win_against_kill(scene: SceneOf, readings: Readings) -> Any:
    given = state({"atk": {"L": "f5", "M": "f5"}, "hand": ["w+3"]}, {"def": {"M": ["n8", 8]}, "hand": ["nK"]})
    return forced(scene(given, readings))


@asks("A34", ALTERNATE=True, LAST_WORD_DEFENDER=False, LAST_WORD_ATTACKER=True, STACK=True)
def may_the_attacker_answer_the_defender(scene: SceneOf, readings: Readings) -> Any:
    """Derived: the defender recovers in answer to a bonus, or before it."""
    given = state({"atk": {"L": "f5"}, "hand": ["w+3", "f+6"]}, {"def": {"M": ["n16", 8]}, "hand": ["f+7", "w+8"]})
    declared = strike(scene(given, readings).battle(A, B), "AL")
    if readings["A34"] != "LAST_WORD_ATTACKER":
        declared = card(declared, "bonus", A, "w+3")
    return may(card(declared, "heal", B, "w+8", column=M), "bonus", A, "f+6")


@asks("A34", ALTERNATE="discarded", LAST_WORD_DEFENDER="discarded", LAST_WORD_ATTACKER=None, STACK="in the hand")
def where_is_a_card_that_its_owner_would_take_back_in_answer_to_kill(scene: SceneOf, readings: Readings) -> Any:
    """Derived: only where cards wait for one another the answer comes first. With the last word B would speak first."""
    given = state({"atk": {"L": "f6", "M": "w4"}}, {"def": {"M": ["n16", 16]}, "hand": ["nK"]})
    helper = Card("EXTRA", name="HELPER", value=3, numbers=(7,), skills=(CardSkill("battle", "return"),))
    now = scene(given, readings, more=[helper]).put({("extra", A): helper, ("extra_by", A): 0}).battle(A, B)
    if readings["A34"] == "LAST_WORD_ATTACKER":
        return None
    killed = card(now, "kill", B, "nK", at=SOURCE["AC"])
    back = killed.passed_to(A).moves("battle_skill", A, target=M)
    end = (killed.passed_to(A).after(back[0]) if back else killed).quiet()
    assert end.cell("attack", A, M) == 0
    return "in the hand" if end.cell("hand", A, number(end, "w4")) else "discarded"


# -- bonus, recovery, Kill -----------------------------------------------------------------------------------------


@asks("A35", YES=True, ONLY_AT_DECLARATION=False)
def may_a_bonus_come_after_the_guard(scene: SceneOf, readings: Readings) -> Any:
    given = state({"atk": {"L": "f4"}, "hand": ["w+8"]}, {"def": {"M": ["n7", 7], "L": ["f1", 1]}})
    return may(guarded(strike(scene(given, readings).battle(A, B), "AL"), by=M), "bonus", A, "w+8")


LETHAL = state({"out": ["B16"]}, {"def": {"M": ["n16", 14]}, "hand": ["w+8"]})


def lethal(scene: SceneOf, readings: Readings) -> Scene:
    return guarded(strike(scene(LETHAL, readings).battle(A, B), "O0"), by=M)


@asks("A36", HEAL_BEFORE=0, REDUCE=6, RESCUE_AT_ZERO=0)
def how_much_life_is_left_when_a_bonus_is_played_between_guard_and_damage(scene: SceneOf, readings: Readings) -> Any:
    """Under RESCUE_AT_ZERO, too, a card played before the damage heals before it; see below."""
    return card(lethal(scene, readings), "heal", B, "w+8", column=M).quiet().cell("life", B, M)


@asks("A36", HEAL_BEFORE=None, REDUCE=None, RESCUE_AT_ZERO=8)
def how_much_life_does_a_bonus_give_back_at_zero(scene: SceneOf, readings: Readings) -> Any:
    hit = lethal(scene, readings).passed_until(B, "W_RESCUE")
    return card(hit, "heal", B, "w+8", column=M).quiet().cell("life", B, M) if may(hit, "heal", B, "w+8", column=M) else None


@asks("A36", HEAL_BEFORE=True, REDUCE=False, RESCUE_AT_ZERO=False)
def does_the_attack_of_sixteen_win(scene: SceneOf, readings: Readings) -> Any:
    return forced(scene(LETHAL, readings))


@asks("A37", CAP16=12, PRINTED_EXCEPT_E=5)
def how_far_does_a_bonus_heal(scene: SceneOf, readings: Readings) -> Any:
    given = state({}, {"def": {"L": ["f5", 4], "M": ["n9", 9]}, "hand": ["w+8"]})
    return card(scene(given, readings).battle(A, B), "heal", B, "w+8", column=L).cell("life", B, L)


@asks("A37", CAP16=9, PRINTED_EXCEPT_E=9)
def how_far_does_the_extra_card_heal(scene: SceneOf, readings: Readings) -> Any:
    """Derived: the Extra card may exceed the number under either reading."""
    given = state({"def": {"M": ["n9", 9], "L": ["f5", 4]}, "ex": {"v": 5}}, {"def": {"M": ["n9", 9]}})
    return play(scene(given, readings).battle(A, B).quiet(), "extra_heal", A, column=L).cell("life", A, L)


REVIVER = Card("EXTRA", name="REVIVER", value=3, numbers=(7,), skills=(CardSkill("battle", "revive", 6),))


def fallen(scene: SceneOf, readings: Readings) -> Scene:
    given = state({}, {"fallen": ["L"], "mana": {"L": ["*f8"]}, "def": {"M": ["n9", 9]}, "hand": ["w+8"]})
    return scene(given, readings, more=[REVIVER]).put({("extra", B): REVIVER, ("extra_by", B): 0}).battle(A, B)


@asks("A38", NO=False, YES=True, ONLY_BY_CARD_TEXT=False)
def may_a_bonus_heal_a_fallen_column(scene: SceneOf, readings: Readings) -> Any:
    return may(fallen(scene, readings), "heal", B, "w+8", column=L)


@asks("A38", NO=False, YES=True, ONLY_BY_CARD_TEXT=True)
def may_a_card_text_revive_a_fallen_column(scene: SceneOf, readings: Readings) -> Any:
    """Derived."""
    return bool(fallen(scene, readings).passed_to(B).moves("battle_skill", B))


@asks("A38", NO=None, YES=8, ONLY_BY_CARD_TEXT=None)
def how_much_life_has_a_fallen_column_that_a_bonus_heals(scene: SceneOf, readings: Readings) -> Any:
    now = fallen(scene, readings)
    return card(now, "heal", B, "w+8", column=L).cell("life", B, L) if may(now, "heal", B, "w+8", column=L) else None


@asks(
    "A40", ATTACK_CARDS={"AL", "AC", "O0"}, NUMBER_ONLY={"AL"}, ALL_ATTACKERS={"AL", "AC", "AR", "EX", "O0"}
)
def what_may_kill_destroy(scene: SceneOf, readings: Readings) -> Any:
    """A number card, a Toughness card, a boss for good, an Extra card, a boss for one turn."""
    given = state({"hand": ["nK"]}, {"atk": {"L": "f5", "M": "T4/9", "R": "B22p"}, "def": {"M": ["n9", 9], "R": ["B22", 16]},
                                     "ex": "any E alive", "out": ["B12"]})  # fmt: skip
    kills = scene(given, readings).battle(A, B).moves("kill", A)
    return {SOURCE.labels[move.args[1]] for move in kills}


@asks("A40", ATTACK_CARDS=None, NUMBER_ONLY=None, ALL_ATTACKERS=(0, 1))
def where_is_an_extra_card_that_kill_destroyed(scene: SceneOf, readings: Readings) -> Any:
    """Derived: it goes to the discard pile like every card that dies."""
    given = state({"hand": ["nK"]}, {"def": {"M": ["n9", 9]}, "ex": "any E alive"})
    now = scene(given, readings).battle(A, B)
    if not may(now, "kill", A, "nK", at=SOURCE["EX"]):
        return None
    extra = now.cell("extra", B)
    after = card(now, "kill", A, "nK", at=SOURCE["EX"])
    return after.cell("extra", B), after.cell("discard", B, extra)


@asks("A41a", CANCELS=9, TOO_LATE=4)
def how_much_life_is_left_when_the_attacking_card_is_killed(scene: SceneOf, readings: Readings) -> Any:
    given = state({"atk": {"L": "f5"}}, {"def": {"M": ["n9", 9]}, "hand": ["nK"]})
    killed = card(strike(scene(given, readings).battle(A, B), "AL"), "kill", B, "nK", at=SOURCE["AL"])
    guards = killed.quiet().moves("guard", B)
    return (killed.quiet().after(guards[0]) if guards else killed).quiet().cell("life", B, M)


@asks("A41b", REGUARD="another guard", NO_GUARD="the middle falls", ABSORBED="nothing")
def what_becomes_of_the_attack_when_the_guarding_card_is_killed(scene: SceneOf, readings: Readings) -> Any:
    given = state({"out": ["B9"], "hand": ["nK"]}, {"atk": {"M": "f2"}, "def": {"M": ["n9", 9], "L": ["f1", 1]}})
    now = guarded(strike(scene(given, readings).battle(A, B), "O0"), by=4)
    killed = card(now, "kill", A, "nK", at=SOURCE["AC"]).quiet()
    if not killed.cell("alive", B):
        return "the middle falls"
    return "another guard" if killed.moves("guard", B, by=L) else "nothing" if killed.cell("life", B, L) else None


# -- all attacks in advance, all at once ----------------------------------------------------------------------------


TWO = state({"atk": {"L": "f5", "M": "f4"}}, {"def": {"L": ["f1", 1], "M": ["n3", 3]}})


@asks("A53", SEQ=True, SIMULT_WASTE=False, SIMULT_REGUARD=True)
@asks("A54", ATTACKER=True, ATTACKER_FIXED=True, DEFENDER=True, NONE=False)
def do_five_and_four_win(scene: SceneOf, readings: Readings) -> Any:
    """For A54 derived: one guard cannot take both, whatever their order, unless they strike at the same time."""
    return forced(scene(TWO, readings))


@asks("A53", SEQ=True, SIMULT_WASTE=False, SIMULT_REGUARD=False)
def has_the_first_guard_fallen_when_the_second_is_chosen(scene: SceneOf, readings: Readings) -> Any:
    first = guarded(strike(scene(TWO, readings).battle(A, B), "AL"), by=L)
    return bool(strike(first, "AC").quiet().cell("fallen", B, L))


@asks("A54", ATTACKER=True, ATTACKER_FIXED=True, DEFENDER=False, NONE=False)
def do_nine_and_one_win(scene: SceneOf, readings: Readings) -> Any:
    given = state({"atk": {"L": "f9", "M": "f1"}}, {"def": {"L": ["f2", 2], "M": ["n1", 1]}})
    return forced(scene(given, readings))


@asks("A54", ATTACKER=True, ATTACKER_FIXED=False, DEFENDER=False, NONE=True)
def is_the_second_attack_declared_after_the_first_has_its_guard(scene: SceneOf, readings: Readings) -> Any:
    """Derived."""
    given = state({"atk": {"L": "f5", "M": "f4"}}, {"def": {"L": ["f9", 9], "M": ["n16", 16]}})
    now = strike(scene(given, readings).battle(A, B), "AL")
    while not now.moves("guard", B):
        move = next(m for m in now.listed([a.name for a in now.rules.actions]) if m.action in ("pass", "strike", "stop", "take_on"))
        now = now.after(move)
    return bool(play(now, "guard", B, by=L).quiet().moves("strike", A))


@asks("A54", ATTACKER=None, ATTACKER_FIXED={"AC"}, DEFENDER={"AL", "AC"}, NONE=None)
def which_of_two_announced_attacks_can_come_first(scene: SceneOf, readings: Readings) -> Any:
    """Derived: the centre is announced before the left."""
    given = state({"atk": {"L": "f5", "M": "f4"}}, {"def": {"L": ["f9", 9], "M": ["n16", 16]}})
    now = strike(scene(given, readings).battle(A, B), "AC")
    if not now.moves("strike", A):
        return None
    stopped = play(play(now, "strike", A, source=SOURCE["AL"]), "stop", A)
    ways = [stopped.after(move) for move in stopped.moves("take_on", B)] or [stopped]
    return {SOURCE.labels[way.cell("source")] for way in ways}


@asks("A53", more={"A54": "ATTACKER_FIXED"}, SEQ=True, SIMULT_WASTE=False, SIMULT_REGUARD=True)
@asks("A53", more={"A54": "DEFENDER"}, SEQ=True, SIMULT_WASTE=False, SIMULT_REGUARD=True)
@asks("A53", more={"A41a": "TOO_LATE"}, SEQ=True, SIMULT_WASTE=False, SIMULT_REGUARD=True)
def do_five_and_four_win_under_other_readings_too(scene: SceneOf, readings: Readings) -> Any:
    """Derived."""
    return forced(scene(TWO, readings))


@asks("A53", SEQ=(True, 3), SIMULT_WASTE=(True, 3), SIMULT_REGUARD=(True, 3))
@asks("A53", more={"A54": "ATTACKER_FIXED"}, SEQ=(True, 3), SIMULT_WASTE=(True, 3), SIMULT_REGUARD=(True, 3))
def what_is_left_when_the_second_attacker_is_killed_before_it_strikes(scene: SceneOf, readings: Readings) -> Any:
    """Derived: whether the first guard has fallen and the life of the middle, when Kill answers the second attack."""
    now = scene({**TWO, "B": {**TWO["B"], "hand": ["nK"]}}, readings).battle(A, B)
    names = [a.name for a in now.rules.actions]
    while now.cell("step") not in (STEP["NONE"], STEP["STEP_OVER"]) and (moves := now.listed(names)):
        wanted = [("kill", 1), ("strike", 0), ("strike", 1), ("guard", L), ("stop", None), ("guard", M), ("pass", None)]
        ranked = [(wanted.index(key), m) for m in moves if (key := (m.action, m.args[-1] if m.args else None)) in wanted]
        now = now.after(min(ranked)[1])
    return bool(now.cell("fallen", B, L)), now.cell("life", B, M)


# -- damage beyond the guard ----------------------------------------------------------------------------------------


@asks("A55", NONE=False, REGUARD_REST=True, TO_MIDDLE=True, TO_SAME_COLUMN_ATTACK=False)
def does_one_attack_of_twenty_two_win(scene: SceneOf, readings: Readings) -> Any:
    return forced(scene(state({"out": ["B22"]}, {"def": {"M": ["n3", 3], "L": ["f1", 1]}}), readings))


@asks("A55", NONE=(3, True), REGUARD_REST=(2, True), TO_MIDDLE=(1, True), TO_SAME_COLUMN_ATTACK=(3, False))
def what_is_left_of_the_middle_and_of_the_card_in_front(scene: SceneOf, readings: Readings) -> Any:
    """Derived: 3 on a defence of 1; under REGUARD_REST the rest of 2 goes to the right defence of 4."""
    given = state({"atk": {"L": "f3"}}, {"def": {"M": ["n3", 3], "L": ["f1", 1], "R": ["f4", 4]}, "atk": {"L": "f2"}})
    hit = guarded(strike(scene(given, readings).battle(A, B), "AL"), by=L).quiet()
    rest = hit.moves("guard", B, by=R)
    end = hit.after(rest[0]).quiet() if rest else hit
    assert end.cell("fallen", B, L)
    middle = end.cell("life", B, R) if readings["A55"] == "REGUARD_REST" else end.cell("life", B, M)
    return middle, end.cell("attack", B, L) > 0


# -- Flame of anger, Dragon trap --------------------------------------------------------------------------------------


def burning(scene: SceneOf, readings: Readings, more: Mapping[str, Any]) -> Scene:
    """B, slower and with the Flame unlocked, is attacked with the first of three nines."""
    given = {
        "A": {"board": "HUNTERS", "mana": {"M": ["n15"]}, "def": {"M": ["n9", 9]}, "atk": {"L": "f9", "M": "w9", "R": "g9"}, "speed": 15},
        "B": {"board": "FLEHEIM", "fallen": ["R"], "def": {"M": ["n16", 16]}, "speed": 0, **more},
    }
    return strike(scene(given, readings).battle(A, B), "AL").passed_to(B)


FLAMES = {"OWN_ATTACK_ROW_REQUIRED": set(), "OWN_INCL_E": set(), "OPPONENTS_CARD": {3, 4, 5}, "NULLIFY_IF_NONE": {11}}


@asks("A127", **FLAMES)
def with_what_may_the_flame_burn_without_a_card(scene: SceneOf, readings: Readings) -> Any:
    return {move.args[0] for move in burning(scene, readings, {}).moves("flame", B)}


@asks("A127", OWN_ATTACK_ROW_REQUIRED={4}, OWN_INCL_E={4, 6}, OPPONENTS_CARD={3, 4, 5}, NULLIFY_IF_NONE={4})
def with_what_may_the_flame_burn_with_cards(scene: SceneOf, readings: Readings) -> Any:
    """Derived."""
    now = burning(scene, readings, {"atk": {"M": "f2"}, "ex": "any E alive"})
    return {move.args[0] for move in now.moves("flame", B)}


@asks("A127", OWN_ATTACK_ROW_REQUIRED=None, OWN_INCL_E=None, OPPONENTS_CARD=(16, 2), NULLIFY_IF_NONE=(16, 3))
def what_is_left_after_three_nines_in_the_flame(scene: SceneOf, readings: Readings) -> Any:
    """The life of B's middle, and how many attack cards A has left."""
    now = burning(scene, readings, {})
    flames = now.moves("flame", B)
    if not flames:
        return None
    now = now.after(flames[0]).rolled(2).quiet()
    for source in ("AC", "AR"):
        now = strike(now, source).quiet()
        assert not now.moves("guard", B)
    end = play(now, "stop", A).quiet()
    return end.cell("life", B, M), sum(end.cell("attack", A, c) > 0 for c in range(3))


def trapped(scene: SceneOf, readings: Readings, guards: tuple[int, ...], roll: int = 1) -> tuple[bool, int | None]:
    """Whether B, faster and with the trap unlocked, may use it after the last of these guards, and what goes back."""
    given = {
        "A": {"board": "FLEHEIM", "mana": {"M": ["n2"]}, "def": {"M": ["n16", 16]}, "atk": {"L": "f9", "M": "w5"}, "speed": 2},
        "B": {"board": "HUNTERS", "fallen": ["R"], "def": {"L": ["f4", 4], "M": ["n12", 12]}, "atk": {"M": "f2"}, "speed": 9},
    }
    now = scene(given, readings).battle(A, B)
    for source, guard in zip(("AL", "AC"), guards, strict=False):
        now = guarded(strike(now, source), by=guard)
    now = now.passed_until(B, "W_DAMAGE")
    traps = now.moves("trap", B)
    return bool(traps), now.after(traps[0]).rolled(roll).cell("power") if traps else None


NINE = {"NOMINAL_ONE_ATTACK": (True, 4), "LIFE_LOST_ONE_ATTACK": (True, 2), "TOTAL_THIS_TURN": (True, 4), "ALSO_WHEN_CARD_GUARDED": (True, 4)}
FIVE = {"NOMINAL_ONE_ATTACK": (True, 2), "LIFE_LOST_ONE_ATTACK": (True, 2), "TOTAL_THIS_TURN": (True, 7), "ALSO_WHEN_CARD_GUARDED": (True, 2)}
CARD = {"NOMINAL_ONE_ATTACK": (False, None), "LIFE_LOST_ONE_ATTACK": (False, None), "TOTAL_THIS_TURN": (False, None), "ALSO_WHEN_CARD_GUARDED": (True, 4)}


@asks("A135", **NINE)
def what_goes_back_of_nine_on_a_defence_of_four(scene: SceneOf, readings: Readings) -> Any:
    return trapped(scene, readings, (L,))


@asks("A135", **FIVE)
def what_goes_back_when_five_follows_on_the_middle(scene: SceneOf, readings: Readings) -> Any:
    return trapped(scene, readings, (L, M))


@asks("A135", **CARD)
def what_goes_back_of_nine_on_an_attack_card(scene: SceneOf, readings: Readings) -> Any:
    return trapped(scene, readings, (4,))


# -- the answers ----------------------------------------------------------------------------------------------------

ASKED = [
    pytest.param(switch, question, value, answer, id=f"{switch}-{value}-{n}")
    for n, (switch, question, listed) in enumerate(QUESTIONS)
    for value, answer in listed.items()
]


@pytest.mark.parametrize(("switch", "question", "value", "answer"), ASKED)
@pytest.mark.parametrize("left_open", [pytest.param(False, id="built", marks=pytest.mark.slow), pytest.param(True, id="cell")])
def test_a_question_has_the_answer_listed_for_the_reading(
    switch: str, question: Question, value: str, answer: Any, left_open: bool, scene: SceneOf
) -> None:
    """Both where the rules are built for the reading and where it is a cell of the state."""

    def of(given: Mapping[str, Any], readings: Readings, more: Any = ()) -> Scene:
        return scene(given, readings, more, left_open=(switch,) if left_open else ())

    assert question(of, {switch: value}) == answer


@pytest.mark.parametrize("switch", BATTLE)
def test_every_two_readings_are_told_apart_by_some_question(switch: str) -> None:
    text = switch_texts()[switch]
    listed: dict[str, list[str]] = defaultdict(list)
    for asked, _, answers in QUESTIONS:
        if asked == switch:
            assert set(answers) == set(text.values) - set(text.undetermined)
            for value, answer in answers.items():
                listed[value].append(repr(answer))
    assert len({tuple(answers) for answers in listed.values()}) == len(text.values) - len(text.undetermined)


@pytest.mark.slow
@pytest.mark.parametrize("switch", BATTLE)
def test_native_code_and_reference_count_the_same_lines_under_every_reading(switch: str, scene: SceneOf) -> None:
    given = {
        "A": {"board": "MANAST", "def": {"M": ["n9", 9], "R": ["f4", 2]}, "atk": {"L": "f5", "M": "f4"}, "hand": ["w+3", "nK"]},
        "B": {"board": "HUNTERS", "fallen": ["R"], "def": {"L": ["f1", 1], "M": ["n3", 3]}, "atk": {"L": "f2"},
              "hand": ["nK", "w+8"], "ex": "any E alive"},
    }  # fmt: skip
    for value in switch_texts()[switch].values:
        if value not in switch_texts()[switch].undetermined:
            now = scene(given, {switch: value}).battle(A, B)
            reference, native = Play(now.rules), Native(now.rules)
            assert native.perft(now.state, 7) == reference.perft(now.state, 7)
