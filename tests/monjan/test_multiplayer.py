"""Three and four players (COMP.8): who is attacked, what an elimination does, and what those beside the attack may do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from monjudge.model.language import NATURE, Move, State, both, either, eq
from monjudge.model.language import field as field_of
from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.cards import Card, CardSkill, Catalogue
from monjudge.model.monjan.match import PHASE, SOURCE, STEP, Setting
from monjudge.model.monjan.rules import monjan
from monjudge.solvers.brute import Brute
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.forced import Search
from monjudge.solvers.strict import strict, strict_state
from monjudge.solvers.verdict import Verdict

A, B, C = 0, 1, 2
NUMBERS = [Card.parse(t) for t in ("f2", "f4", "f6", "f9", "w3", "w5")]


@dataclass
class Seat:
    """What one player has: (card, life) of the defences by column, attack row, hand, mana, fallen columns, Extra card."""

    defence: dict[int, tuple[str, int]] = field(default_factory=lambda: {1: ("f9", 9)})
    attack: dict[int, Card | str] = field(default_factory=dict)
    hand: Sequence[Card | str] = ()
    mana: dict[int, str] = field(default_factory=dict)
    fallen: Sequence[int] = ()
    extra: Card | None = None


@cache
def engine(boards: tuple[str, ...], cards: tuple[Card, ...], readings: tuple[tuple[str, str], ...]) -> Reference:
    catalogue = Catalogue([*NUMBERS, *cards])
    return Reference(monjan(Setting(catalogue, tuple(PRINTED[b] for b in boards), readings=dict(readings))))


class Scene:
    """A position of several players, walked through move by move; every move must be legal."""

    def __init__(self, seats: Sequence[Seat], *, boards: str = "HUNTERS ATELIER MANAST FLEHEIM", cards: Sequence[Card] = (),
                 edit: bool = False, readings: dict[str, str] | None = None) -> None:  # fmt: skip
        self.cards = Catalogue([*NUMBERS, *cards])
        chosen = tuple(boards.split()[: len(seats)])
        self.engine = engine(chosen, tuple(cards), tuple((readings or {}).items()))
        self.rules = self.engine.rules
        self.state = self.engine.settle(self._state(seats, edit))

    def _state(self, seats: Sequence[Seat], edit: bool) -> State:
        n, values = len(self.cards), dict(self.rules.view(self.rules.start))
        cells: dict[str, list[int]] = {k: list(v) for k, v in values.items() if isinstance(v, list)}
        slots = self.rules.family_named["mana"].dims[2]
        for p, seat in enumerate(seats):
            for c, (card, life) in seat.defence.items():
                cells["defence"][3 * p + c], cells["life"][3 * p + c] = self.cards[card], life
            for c, attacker in seat.attack.items():
                cells["attack"][3 * p + c] = self.cards[attacker]
            for held in seat.hand:
                cells["hand"][n * p + self.cards[held]] += 1
            for c, mana in seat.mana.items():
                cells["mana"][(3 * p + c) * slots], cells["mana_height"][3 * p + c] = self.cards[mana], 1
                cells["elements"][3 * p + c] = int(c in seat.fallen)
            for c in seat.fallen:
                cells["fallen"][3 * p + c] = 1
            if seat.extra is not None:
                cells["extra"][p] = self.cards[seat.extra]
            cells["edit_done"][p] = int(not edit)
        return self.rules.state({**cells, "phase": PHASE["EDIT"], "turn": 2})

    def __getattr__(self, name: str) -> Any:
        return self.rules.view(self.state)[name]

    def moves(self, action: str) -> list[Move]:
        return [m for m in self.engine.moves(self.state) if m.action == action]

    def play(self, action: str, me: int, *args: int) -> Scene:
        move = Move(action, me, args)
        assert self.engine.legal(self.state, move), (move, [c.id for c in self.engine.failing(self.state, move)])
        self.state = self.engine.step(self.state, move)
        return self

    def strike(self, me: int, source: str, target: int, guard: int = 1) -> Scene:
        """An attack on a player who guards with the middle unless told otherwise; nobody has anything to say."""
        self.play("strike", me, SOURCE[source], target)
        return self.play("guard", target, guard)


def three(**change: Any) -> Scene:
    """A (fastest by priority) has attackers 4 and 6, B has a middle of 4, C one of 6."""
    seats = [Seat(attack={0: "f4", 1: "f6"}), Seat({1: ("f4", 4)}, hand=["w3"]), Seat({1: ("f6", 6)})]
    return Scene(seats, **change)


# -- targets -----------------------------------------------------------------------------------------------


def test_an_attacker_names_a_living_opponent_and_keeps_to_it() -> None:
    scene = three()
    assert {m.args[1] for m in scene.moves("strike")} == {B, C}
    scene.strike(A, "AL", C)
    assert scene.life[3 * C + 1] == 2
    assert {m.args[1] for m in scene.moves("strike")} == {C}
    assert {m.args[0] for m in scene.moves("strike")} == {SOURCE["AC"]}


def test_under_one_target_a_per_card_reading_lets_the_second_card_go_elsewhere() -> None:
    scene = three(readings={"A52": "PER_CARD"}).strike(A, "AL", C)
    assert {m.args[1] for m in scene.moves("strike")} == {B, C}


def test_with_one_target_the_attack_step_ends_when_the_target_is_out() -> None:
    scene = three().strike(A, "AL", B)
    assert scene.alive == [1, 0, 1]
    assert (scene.active, scene.step) == (C, STEP["DECLARE"])
    assert not scene.engine.over(scene.state)


def test_with_a_target_for_each_card_one_step_may_fell_two_players() -> None:
    scene = three(readings={"A52": "PER_CARD"}).strike(A, "AL", B)
    assert scene.active == A
    assert {m.args[1] for m in scene.moves("strike")} == {C}
    scene.strike(A, "AC", C)
    assert scene.alive == [1, 0, 0]
    assert scene.engine.over(scene.state)


def test_the_last_one_alive_wins() -> None:
    scene = three(readings={"A52": "PER_CARD"}).strike(A, "AL", B)
    scene.strike(A, "AC", C)
    assert scene.engine.payoff(scene.state) == (2, -1, -1)


# -- elimination -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reading", "zone"), [("TO_DISCARD", "discard"), ("REMOVED", None), ("STAY", "hand")])
def test_the_cards_of_a_player_who_is_out_go_where_the_reading_says(reading: str, zone: str | None) -> None:
    scene = three(readings={"A77": reading}).strike(A, "AL", B)
    number, n = scene.cards["w3"], len(scene.cards)
    found = {z for z in ("hand", "discard") if getattr(scene, z)[n * B + number]}
    assert found == ({zone} if zone else set())
    assert (scene.defence[3 * B + 1] > 0) == (reading == "STAY")
    assert scene.discard[n * B + scene.cards["f4"]] == int(reading == "TO_DISCARD")
    assert [scene.discard[n * p] for p in range(3)] == [0, 0, 0]


@pytest.mark.parametrize("reading", ["TO_DISCARD", "REMOVED", "STAY"])
def test_side_columns_of_a_player_who_is_out_do_not_fall(reading: str) -> None:
    seats = [Seat(attack={0: "f4"}), Seat({0: ("f9", 9), 1: ("f4", 4)}), Seat()]
    scene = Scene(seats, readings={"A77": reading}).strike(A, "AL", B)
    assert scene.fallen[3 * B : 3 * B + 3] == [0, 1, 0]


def test_a_player_who_is_out_neither_attacks_nor_edits_nor_draws_again() -> None:
    scene = three().strike(A, "AL", B).play("stop", C)
    assert scene.phase == PHASE["EDIT"]
    assert {m.me for m in scene.engine.moves(scene.state)} == {A, C}
    assert scene.due == [1, 0, 1]
    scene.play("end", A).play("end", C)
    assert scene.phase == PHASE["BATTLE"]


def test_an_extra_card_of_a_player_who_is_out_is_discarded_once() -> None:
    beast = Card("EXTRA", value=3, numbers=(5,), name="BEAST")
    seats = [Seat(attack={0: "f4"}), Seat({1: ("f4", 4)}, extra=beast), Seat()]
    scene = Scene(seats, cards=[beast]).strike(A, "AL", B)
    assert scene.discard[len(scene.cards) * B + scene.cards[beast]] == 1
    assert [scene.discard[len(scene.cards) * p] for p in range(3)] == [0, 0, 0]


# -- beside the attack -------------------------------------------------------------------------------------


def test_who_is_on_neither_side_plays_no_battle_card() -> None:
    kill = Card.parse("nK")
    seats = [Seat(attack={0: "f4"}, hand=[kill]), Seat(hand=[kill]), Seat(hand=[kill])]
    scene = Scene(seats, cards=[kill])
    while scene.step != STEP["DECLARE"]:
        scene.play("pass", scene.word)
    scene.play("strike", A, SOURCE["AL"], B)
    speakers = set()
    while scene.step != STEP["GUARD"]:
        speakers.add(scene.word)
        scene.play("pass", scene.word)
    assert speakers == {B}  # A sees no card of B to destroy, C is not asked
    assert not scene.engine.guard("kill")(scene.state, C, scene.cards[kill], SOURCE["AL"])


@pytest.mark.parametrize(("reading", "allowed"), [("TO_DISCARD", True), ("STAY", True), ("REMOVED", False)])
def test_a_bystander_may_use_the_ritual_on_a_middle_that_still_exists(reading: str, allowed: bool) -> None:
    # C's middle falls by A; B has the Fleheim board with its left side fallen.
    seats = [Seat(attack={1: "f6"}), Seat(fallen=[0]), Seat({1: ("f6", 6)})]
    scene = Scene(seats, boards="HUNTERS FLEHEIM MANAST", readings={"A77": reading}).strike(A, "AC", C)
    assert scene.alive == [1, 1, 0]
    ritual = [m for m in scene.moves("ritual") if m.me == B]
    assert bool(ritual) == allowed
    if allowed:
        scene.play(*ritual[0][:2], *ritual[0].args)
        assert scene.above[4 * B] == scene.cards["f6"]
        assert scene.discard[len(scene.cards) * C + scene.cards["f6"]] == 0
        assert scene.active == B


def test_a_bystander_may_use_the_ritual_on_a_side_and_the_attack_step_goes_on() -> None:
    seats = [Seat(attack={0: "f4", 1: "f6"}), Seat(fallen=[0]), Seat({0: ("f4", 4), 1: ("f9", 9)})]
    scene = Scene(seats, boards="HUNTERS FLEHEIM MANAST").strike(A, "AL", C, guard=0)
    assert (scene.word, scene.step) == (B, STEP["W_DAMAGE"])
    assert {m.action for m in scene.engine.moves(scene.state)} == {"ritual", "pass"}
    scene.play("pass", B)
    assert (scene.active, scene.step, scene.target) == (A, STEP["DECLARE"], C)


def test_the_flame_covers_the_attacks_on_its_owner_only() -> None:
    seats = [Seat(attack={0: "f4", 1: "f6"}, mana={0: "f9"}), Seat(attack={0: "f2"}, fallen=[2]), Seat(attack={0: "f2"})]
    scene = Scene(seats, boards="HUNTERS FLEHEIM MANAST", readings={"A52": "PER_CARD"})
    scene.play("strike", A, SOURCE["AL"], B).play("flame", B, 3).play("roll", NATURE, 1)
    while scene.step != STEP["GUARD"]:
        scene.play("pass", scene.word)
    assert [m.args for m in scene.moves("guard")] == [(3,)]
    scene.play("guard", B, 3)
    assert scene.attack[3 * B] == scene.cards["f2"]
    scene.play("strike", A, SOURCE["AC"], C)
    assert scene.attack[3 * B] == 0
    assert {m.args for m in scene.moves("guard")} == {(1,), (3,)}


def test_a_card_that_took_the_flame_and_was_destroyed_is_not_discarded_again() -> None:
    kill = Card.parse("nK")
    seats = [Seat(attack={0: "f4"}, mana={0: "f9"}, hand=[kill]), Seat(attack={0: "f2"}, fallen=[2]), Seat()]
    scene = Scene(seats, boards="HUNTERS FLEHEIM MANAST", cards=[kill])
    while scene.step != STEP["DECLARE"]:
        scene.play("pass", A)
    scene.play("strike", A, SOURCE["AL"], B)
    scene.play("pass", A).play("flame", B, 3).play("roll", NATURE, 1)
    scene.play("kill", A, scene.cards[kill], SOURCE["AL"])
    while scene.moves("pass"):
        scene.play("pass", scene.word)
    scene.play("guard", B, 1).play("stop", A)
    discarded = scene.discard[len(scene.cards) * B : len(scene.cards) * C]
    assert {kind: count for kind, count in enumerate(discarded) if count} == {scene.cards["f2"]: 1}


# -- skills of cards ---------------------------------------------------------------------------------------

HURT = Card("TOUGHNESS", cost=1, value=3, name="HURT", skills=(CardSkill("edit", "damage", 4), CardSkill("edit", "heal", 2)))
BREAK = Card("TOUGHNESS", cost=1, value=3, name="BREAK", skills=(CardSkill("battle", "destroy"), CardSkill("battle", "return")))


def test_an_edit_skill_names_the_living_opponent_that_it_hits() -> None:
    seats = [Seat(attack={0: HURT}), Seat(), Seat()]
    scene = Scene(seats, cards=[HURT], edit=True)
    hits = [m.args for m in scene.moves("edit_skill") if m.args[1] == 0]
    assert {args[3] for args in hits} == {B, C}
    assert {m.args[3] for m in scene.moves("edit_skill") if m.args[1] == 1} == {0}
    scene.play("edit_skill", A, scene.cards[HURT], 0, 1, C, 0, 0)
    assert [scene.life[3 * p + 1] for p in range(3)] == [9, 9, 5]


def test_who_is_felled_in_an_edit_turn_is_out_and_the_others_end_it() -> None:
    seats = [Seat(attack={0: HURT}), Seat(), Seat({1: ("f4", 4)})]
    scene = Scene(seats, cards=[HURT], edit=True)
    scene.play("edit_skill", A, scene.cards[HURT], 0, 1, C, 0, 0)
    assert scene.alive == [1, 1, 0]
    scene.play("end", A).play("end", B)
    assert scene.phase == PHASE["BATTLE"]


def test_destroying_the_attacking_card_by_a_skill_calls_the_attack_off() -> None:
    seats = [Seat(attack={0: "f4"}), Seat(attack={0: BREAK}), Seat()]
    scene = Scene(seats, cards=[BREAK]).play("strike", A, SOURCE["AL"], B)
    scene.play("battle_skill", B, scene.cards[BREAK], 0, 0, 0, 0)
    assert (scene.source, scene.attack[0], scene.step) == (-1, 0, STEP["DECLARE"])
    assert scene.life[3 * B + 1] == 9


def test_a_card_that_attacks_does_not_return_to_the_hand_meanwhile() -> None:
    seats = [Seat(attack={0: "f4", 1: BREAK, 2: "w3"}), Seat(), Seat()]
    scene = Scene(seats, cards=[BREAK])
    before = {m.args[2] for m in scene.moves("battle_skill") if m.args[1] == 1}
    while scene.step != STEP["DECLARE"]:
        scene.play("pass", A)
    scene.play("strike", A, SOURCE["AL"], B)
    after = {m.args[2] for m in scene.moves("battle_skill") if m.args[1] == 1}
    assert (before, after) == ({0, 2}, {2})


# -- order ---------------------------------------------------------------------------------------------------


def test_the_first_living_player_edits_alone_and_then_the_rest_together() -> None:
    readings = {"SEQ": "ON", "A140": "FIRST_THEN_SIMULTANEOUS"}
    seats = [Seat(attack={1: "f6"}), Seat({1: ("f6", 6)}), Seat(), Seat()]
    scene = Scene(seats, boards="ATELIER HUNTERS MANAST FLEHEIM", readings=readings)
    scene.play("stop", B).strike(A, "AC", B)  # the first in the order falls
    scene.play("stop", C).play("stop", 3)
    assert scene.alive == [1, 0, 1, 1]
    assert {m.me for m in scene.engine.moves(scene.state)} == {A}
    scene.play("end", A)
    assert {m.me for m in scene.engine.moves(scene.state)} == {C, 3}


# -- forced against the coalition of the others -------------------------------------------------------------


def test_the_search_and_the_exhaustive_solver_agree_on_what_one_of_three_can_force() -> None:
    scene, found = three(), Counter[Verdict]()
    rules = strict(scene.rules)
    life = scene.rules.family_named["life"]
    goals = [eq(field_of(life, (p, 1)), 0) for p in (B, C)]
    goals += [both(*goals), either(*goals)]
    for player in (A, B, C):
        for goal in goals:
            brute = Brute(rules, nodes=3000).forced(player, goal, strict_state(scene.rules, scene.state), turns=1)
            assert brute.limit is None
            assert Search(scene.rules, goal, player, memory=1 << 24).answer(scene.state, 1).verdict is brute.verdict, (player, goal)
            found[brute.verdict] += 1
    assert found[Verdict.YES] and found[Verdict.NO]
