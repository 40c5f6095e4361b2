"""The match modes: what each gives, the draft and the mixing as moves, and what keeps a table from being set."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from monjudge.model.language import NATURE, Move, RuleSet, State
from monjudge.model.monjan.boards import PRINTED, Board
from monjudge.model.monjan.cards import Card
from monjudge.model.monjan.catalogue.packs import ET, MONJAN, Pack, default_pack
from monjudge.model.monjan.match import MODE, PHASE, Setting
from monjudge.model.monjan.modes import MODES, counters, draft_order, initial_picks, normal_pile_size, put_into_pile
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.set_up import described, first_state, start, table, table_again
from monjudge.model.notation.defects import DataError
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference

BOARDS = tuple(PRINTED[name] for name in ("HUNTERS", "ATELIER", "MANAST", "FLEHEIM"))
PACK = default_pack()


def faults(**change: Any) -> list[str]:
    wanted: dict[str, Any] = {"pack": PACK, "mode": "BASIC", "boards": BOARDS[:2]} | change
    with pytest.raises(DataError) as caught:
        table(**wanted)
    assert all(d.text.ja not in ("", d.text.en) for d in caught.value.defects)
    return [str(d) for d in caught.value.defects]


def only(*entries: tuple[str, int, int]) -> Pack:
    """The default pack with so many copies of the yellow and of the other cards of these kinds."""
    kept = [e for e in PACK.entries if e.card.kind not in ET]
    for kind, yellow, others in entries:
        cards = [e for e in PACK.entries if e.card.kind == kind]
        for initial, number in ((True, yellow), (False, others)):
            chosen = [e for e in cards if e.card.initial == initial]
            kept += [replace(e, count=1) for e in chosen[: number - 1]]
            kept += [replace(chosen[-1], count=max(0, number - len(chosen[: number - 1])))] if number else []
    return replace(PACK, entries=tuple(kept))


# -- what the modes give -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "picks", "pile", "normal", "et"),
    [
        ("BASIC", 0, 100, 3, 0),  # COMP.1, FALL.4
        ("LM", 3, 100, 3, 0),  # MODE.1a
        ("INIT", 3, 120, 3, 0),  # MODE.2a, MODE.2e
        ("EXTRA", 0, 125, 3, 0),  # MODE.3a
        ("URA_LM", 3, 100, 2, 1),  # MODE.4a, MODE.4b
        ("URA_INIT", 2, 100, 1, 2),  # MODE.5a, MODE.5b
        ("URA_EXTRA", 1, 100, 0, 3),  # MODE.6a, MODE.6b
    ],
)
def test_each_mode_gives_the_numbers_of_the_document(mode: str, picks: int, pile: int, normal: int, et: int) -> None:
    assert (initial_picks(mode), normal_pile_size(mode)) == (picks, pile)
    assert (MODES[mode].normal, MODES[mode].et) == (normal, et)
    assert normal + et == 3


def test_the_modes_stand_in_the_order_of_the_state() -> None:
    assert tuple(MODES) == MODE.labels


def test_how_many_cards_are_mixed_in_depends_on_the_readings() -> None:
    assert put_into_pile("INIT", 40, {"A141": "ALL_REMAINING"}) == 40
    assert normal_pile_size("INIT", 40, {"A141": "ALL_REMAINING"}) == 140
    assert normal_pile_size("INIT", 40) == 120
    assert normal_pile_size("EXTRA", 15, {"A143": "AS_MANY_AS_POSSIBLE"}) == 115
    assert normal_pile_size("EXTRA", readings={"A146": "ALWAYS_SEPARATE"}) == 100
    with pytest.raises(ValueError, match="say how many cards are left"):
        put_into_pile("INIT", readings={"A141": "ALL_REMAINING"})


@pytest.mark.parametrize(
    ("mode", "players", "winner", "reading", "order"),
    [
        ("LM", 2, 0, "ROUND_ROBIN", (0, 1, 0, 1, 0, 1)),
        ("LM", 2, 1, "ROUND_ROBIN", (1, 0, 1, 0, 1, 0)),
        ("LM", 2, 0, "SNAKE", (0, 1, 1, 0, 0, 1)),
        ("URA_INIT", 3, 2, "ROUND_ROBIN", (2, 0, 1, 2, 0, 1)),
        ("URA_INIT", 4, 1, "SNAKE", (1, 2, 3, 0, 0, 3, 2, 1)),
        ("URA_EXTRA", 3, 1, "SNAKE", (1, 2, 0)),
        ("EXTRA", 4, 1, "SNAKE", ()),
    ],
)
def test_the_draft_goes_round_from_the_winner_and_the_game_follows_it(
    mode: str, players: int, winner: int, reading: str, order: tuple[int, ...]
) -> None:
    readings = {"A147": reading}
    assert draft_order(mode, players, winner, readings) == order
    rules, engine, state = opened(mode, players, winner, (("A147", reading),))
    picked = []
    while moves := engine.moves_of(state, "pick"):
        assert len({m.me for m in moves}) == 1
        picked.append(moves[0].me)
        state = stepped(rules, state, moves[0])
    assert tuple(picked) == order


def test_three_counters_a_player() -> None:
    assert [counters(p) for p in (2, 3, 4)] == [(3, 6), (3, 9), (3, 12)]


# -- the draft and the mixing as moves ---------------------------------------------------------------------


@cache
def reference(rules: RuleSet) -> Reference:
    return Reference(rules)


def stepped(rules: RuleSet, state: State, move: Move) -> State:
    return reference(rules).step(state, move)


@cache
def built(mode: str, players: int, readings: tuple[tuple[str, str], ...]) -> tuple[Setting, RuleSet, Enumerator]:
    setting = table(PACK, mode, BOARDS[:players], dict(readings))
    rules = monjan(setting)
    return setting, rules, Enumerator(rules)


def opened(
    mode: str, players: int = 2, winner: int = 0, readings: tuple[tuple[str, str], ...] = (), **how: Any
) -> tuple[RuleSet, Enumerator, State]:
    setting, rules, engine = built(mode, players, readings)
    state = first_state(rules, setting, PACK, rps_winner=winner, **how)
    return rules, engine, reference(rules).settle(state)


def until_edit(rules: RuleSet, engine: Enumerator, state: State) -> tuple[State, Counter[str]]:
    rng, used = Random(1), Counter[str]()
    while rules.view(state)["phase"] != PHASE["EDIT"]:
        move = rng.choice(engine.moves(state))
        used[move.action] += 1
        state = stepped(rules, state, move)
    return state, used


def sizes(rules: RuleSet, state: State) -> dict[str, Any]:
    view: Mapping[str, Any] = rules.view(state)
    players, n = rules.players, len(view["deck"])
    hands = [sum(view["hand"][p * n : p * n + n]) for p in range(players)]
    return {"hands": hands, **{pile: sum(view[pile]) for pile in ("deck", "et", "pool", "ba")}}


ALL = sum(PACK.copies(ET).values())
YELLOW = sum(PACK.copies(ET, initial=True).values())


@pytest.mark.parametrize(
    ("mode", "readings", "hand", "deck", "et", "pool"),
    [
        ("BASIC", (), 10, 80, 0, 0),
        ("LM", (), 13, 80, 0, YELLOW - 6),
        ("LM", (("A148", "WITHIN_TEN"),), 10, 86, 0, YELLOW - 6),
        ("INIT", (), 13, 100, 0, ALL - 26),
        ("INIT", (("A141", "ALL_REMAINING"),), 13, 80 + ALL - 6, 0, 0),
        ("INIT", (("A146", "ALWAYS_SEPARATE"),), 13, 80, 20, ALL - 26),
        ("EXTRA", (), 10, 105, 0, ALL - 25),
        ("URA_LM", (), 13, 80, ALL - 6, 0),
        ("URA_INIT", (), 12, 80, ALL - 4, 0),
        ("URA_EXTRA", (), 11, 80, ALL - 2, 0),
    ],
)
def test_after_the_draft_and_the_deal_the_cards_lie_where_the_mode_says(
    mode: str, readings: tuple[tuple[str, str], ...], hand: int, deck: int, et: int, pool: int
) -> None:
    rules, engine, state = opened(mode, readings=readings)
    state, used = until_edit(rules, engine, state)
    assert sizes(rules, state) == {"hands": [hand, hand], "deck": deck, "et": et, "pool": pool, "ba": 15}
    assert used["pick"] == 2 * initial_picks(mode)
    assert rules.view(state)["turn"] == 1
    # Whoever reckons with unseen cards looks for them where they are declared to lie.
    pieces = rules.pieces
    assert pieces is not None
    for name, kinds in pieces.counts.items():
        assert {n % len(rules.view(state)["deck"]) for n, held in enumerate(rules.view(state)[name]) if held} <= set(kinds)


def test_only_initial_equipment_is_picked_and_each_copy_once() -> None:
    rules, engine, state = opened("LM")
    cards = built("LM", 2, ())[0].catalogue
    offered = {cards.cards[m.args[0]] for m in engine.moves_of(state, "pick")}
    assert offered == set(PACK.copies(ET, initial=True))
    single = cards[PACK.named("WYRMLING")]
    state = stepped(rules, state, Move("pick", 0, (single,)))
    assert single not in {m.args[0] for m in engine.moves_of(state, "pick")}
    _, engine, state = opened("URA_LM")  # where the pool has the other cards, too
    assert len(engine.moves_of(state, "pick")) == len(offered)


def test_in_the_random_variant_chance_draws_the_equipment_in_the_same_order() -> None:
    rules, engine, state = opened("LM", 3, winner=1, by_lot=True)
    outcomes = dict(reference(rules).outcomes(state))
    assert {m.action for m in outcomes} == {"draw_equipment"}
    assert sum(outcomes.values()) == YELLOW
    for seat in draft_order("LM", 3, 1):
        before = sizes(rules, state)["hands"][seat]
        state = stepped(rules, state, engine.moves(state)[0])
        assert sizes(rules, state)["hands"][seat] == before + 1
    assert rules.view(state)["picks"] == [0, 0, 0]


def test_cards_that_were_agreed_on_go_into_the_pile_and_no_others() -> None:
    agreed = dict.fromkeys(list(PACK.copies(("EXTRA",)))[:20], 1)
    rules, engine, state = opened("INIT", agreed=agreed)
    state, used = until_edit(rules, engine, state)
    assert used["mix_in"] == 0
    assert sizes(rules, state)["deck"] == 100
    view: Mapping[str, Any] = rules.view(state)
    cards = built("INIT", 2, ())[0].catalogue
    extras = [view["deck"][cards[c]] + sum(view["hand"][cards[c] :: len(cards)]) for c in agreed]
    assert min(extras) >= 1


@pytest.mark.parametrize(
    ("mode", "agreed", "readings", "says"),
    [
        ("INIT", {"TIDE_CALLER": 1}, {}, "MODE.2: 1 cards, not 20"),
        ("EXTRA", {"TIDE_CALLER": 2}, {}, "2 of TIDE_CALLER, the pack has 1"),
        ("EXTRA", {"TIDE_CALLER": 1}, {}, "MODE.3: 1 cards, not 25"),
        ("URA_EXTRA", {"TIDE_CALLER": 1}, {}, "MODE.6: 1 cards, 12 are needed"),
        ("URA_LM", dict.fromkeys([c.name for c in PACK.copies(ET, initial=True)], 1), {}, "4 yellow cards are left"),
    ],
)
def test_an_agreement_that_does_not_fit_is_refused(
    mode: str, agreed: dict[str, int], readings: dict[str, str], says: str
) -> None:
    cards = {PACK.named(name): number for name, number in agreed.items()}
    with pytest.raises(DataError) as caught:
        start(table(PACK, mode, BOARDS[:2], readings), PACK, agreed=cards)
    assert says in str(caught.value)


def test_under_a_free_total_any_number_may_be_agreed_on() -> None:
    cards = {PACK.named("TIDE_CALLER"): 1}
    readings = {"A142": "FREE_TOTAL"}
    rules, state = start(table(PACK, "EXTRA", BOARDS[:2], readings), PACK, agreed=cards)
    assert sizes(rules, state)["deck"] == 101


def test_when_the_equipment_runs_out_the_draft_ends() -> None:
    pack = only(("EXTRA", 4, 10))
    setting = table(pack, "LM", BOARDS[:2], {"A143": "AS_MANY_AS_POSSIBLE"})
    rules, state = start(setting, pack)
    state, used = until_edit(rules, Enumerator(rules), reference(rules).settle(state))
    assert used["pick"] == 4
    assert sizes(rules, state)["hands"] == [12, 12]


# -- tables that cannot be set --------------------------------------------------------------------------------


def twin(board: Board, **change: Any) -> Board:
    return replace(board, **({"name": "TWIN"} | change))


@pytest.mark.parametrize(
    ("boards", "readings", "says"),
    [
        (BOARDS[:1], {}, "boards: COMP.8: 1 players, not 2 to 4"),
        ((*BOARDS, twin(BOARDS[0], priority=1)), {}, "boards: COMP.8: 5 players, not 2 to 4"),
        ((BOARDS[0], BOARDS[0]), {}, "boards[1]: A149: HUNTERS is taken already"),
        ((BOARDS[0], BOARDS[0]), {"A149": "RANDOM"}, "boards[1]: A149: HUNTERS is taken already"),
        ((BOARDS[0], BOARDS[0]), {"A149": "DUPLICATES_OK"}, "boards[1]: A46: HUNTERS has a priority (20)"),
        ((BOARDS[0], twin(BOARDS[0])), {}, "boards[1]: A46: TWIN has a priority (20)"),
        ((BOARDS[0], twin(BOARDS[1], cap=(16, 16, 16), priority=1)), {"A138": "RANGE_LIKE_PRINTED"}, "outside 4..7"),
        (BOARDS[:2], {"A999": "YES"}, "readings.A999: 'A999' is no reading switch"),
        (BOARDS[:2], {"A46": "MAYBE"}, "readings.A46: A46 has no reading 'MAYBE'"),
    ],
)
def test_boards_and_readings_that_do_not_go_together_are_refused(
    boards: tuple[Board, ...], readings: dict[str, str], says: str
) -> None:
    assert any(says in fault for fault in faults(boards=boards, readings=readings))


@pytest.mark.parametrize(
    ("boards", "readings"),
    [
        ((BOARDS[0], BOARDS[0]), {"A149": "DUPLICATES_OK", "A46": "DIE"}),
        ((BOARDS[0], twin(BOARDS[0])), {"A46": "PREV_ORDER"}),
        ((BOARDS[0], twin(BOARDS[1], cap=(16, 16, 16), priority=1)), {}),
        (BOARDS, {}),
    ],
)
def test_the_readings_that_allow_a_table_allow_it(boards: tuple[Board, ...], readings: dict[str, str]) -> None:
    assert table(PACK, "BASIC", boards, readings).boards == boards


@pytest.mark.parametrize(
    ("mode", "players", "pack", "says"),
    [
        ("EXTRA", 2, only(("EXTRA", 3, 6), ("TOUGHNESS", 3, 3)), "MODE.3: 25 E/T cards are needed, the pack has 15"),
        ("INIT", 2, only(("EXTRA", 6, 14)), "MODE.2: 26 E/T cards are needed, the pack has 20"),
        ("LM", 4, only(("EXTRA", 9, 20)), "MODE.1: 12 yellow E/T cards are needed, the pack has 9"),
        ("URA_LM", 4, only(("EXTRA", 12, 7)), "MODE.4: 20 E/T cards are needed, the pack has 19"),
        ("URA_INIT", 4, only(("EXTRA", 8, 15)), "MODE.5: 24 E/T cards are needed, the pack has 23"),
        ("URA_EXTRA", 4, only(("EXTRA", 4, 23)), "MODE.6: 28 E/T cards are needed, the pack has 27"),
    ],
)
def test_a_pack_too_small_for_the_mode_is_refused_with_the_numbers(
    mode: str, players: int, pack: Pack, says: str
) -> None:
    assert faults(mode=mode, boards=BOARDS[:players], pack=pack) == [f"pack: {says}"]
    assert table(pack, mode, BOARDS[:players], {"A143": "AS_MANY_AS_POSSIBLE"}).mode == mode


def test_a_pile_that_cannot_be_dealt_from_is_always_refused() -> None:
    few = replace(PACK, entries=tuple(e for e in PACK.entries if e.card.kind in ("PLUS", "KILL")))
    assert sum(few.copies(MONJAN).values()) == 18
    wanted = "pack: SETUP.1: 20 Monjan cards are needed, the pack has 18"
    assert faults(pack=few) == faults(pack=few, readings={"A143": "AS_MANY_AS_POSSIBLE"}) == [wanted]


def test_an_unknown_mode_is_refused_with_the_known_ones() -> None:
    assert "'LASTMON' is no mode; there are BASIC, LM" in faults(mode="LASTMON")[0]


# -- described and set again ----------------------------------------------------------------------------------


def test_a_table_that_was_described_is_set_again() -> None:
    setting = table(PACK, "URA_LM", (BOARDS[2], twin(BOARDS[0], en="Twin", ja="双子", priority=3)), {"A52": "PER_CARD"})
    data = json.loads(json.dumps(described(setting, PACK)))
    again = table_again(data, PACK)
    assert replace(again, catalogue=setting.catalogue) == setting
    assert again.catalogue.cards == setting.catalogue.cards
    for key, value in (("pack", "0" * 64), ("mode", "X"), ("readings", {"A1": "X"}), ("boards", []), ("slots", 0)):
        with pytest.raises(DataError, match=key):
            table_again(data | {key: value}, PACK)


def test_a_lost_draw_stays_lost() -> None:
    # Mana Station with both sides fallen uses its Gravity field without having drawn: one card, not two.
    setting = table(PACK, "BASIC", (PRINTED["MANAST"], PRINTED["HUNTERS"]))
    rules, state = start(setting, PACK)
    n, number = len(setting.catalogue), setting.catalogue[Card.parse("f9")]
    defence = [0, number, 0, 0, number, 0]
    here = rules.state(
        {"phase": PHASE["EDIT"], "turn": 2, "defence": defence, "life": [0, 9, 0, 0, 9, 0], "due": [1, 1],
         "fallen": [1, 0, 1, 0, 0, 0], "deck": [int(k == 1) * 5 for k in range(n)]},
        state,
    )  # fmt: skip
    engine = reference(rules)
    here = engine.settle(here)
    here = engine.step(here, Move("gravity", 0))
    here = engine.step(here, Move("roll", NATURE, (1,)))
    while moves := [m for m in engine.moves(here) if m.me == NATURE]:
        here = engine.step(here, moves[0])
    assert sizes(rules, here)["hands"] == [1, 0]
