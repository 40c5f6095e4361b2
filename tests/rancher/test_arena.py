"""The arena, exactly: invariants over all positions and orders, the mirror, what depends on who is first, what can be forced."""

from __future__ import annotations

import itertools
import json

import pytest

from monjudge.model.rancher.squares import (
    LETTERS,
    ORDERS,
    POSITIONS,
    depending_on_first,
    differing,
    report,
    results,
    rounds_to_force,
    step,
)

EVERY = [(p, pair, way) for p in POSITIONS for pair in itertools.product(LETTERS, repeat=2) for way in itertools.product(ORDERS, "AB")]


def mirrored(position: tuple[int, int]) -> tuple[int, int]:
    return 6 - position[0], 6 - position[1]


def test_there_are_twenty_positions_and_sixteen_pairs_of_orders() -> None:
    assert len(POSITIONS) == 20
    assert all(len(results(p)) == 16 for p in POSITIONS)


def test_nobody_leaves_the_arena_shares_a_square_or_passes_the_other() -> None:
    for position, pair, way in EVERY:
        a, b = results(position)[pair][way]
        assert 1 <= a <= 5 and 1 <= b <= 5 and a != b
        assert (a < b) == (position[0] < position[1])


def test_a_single_order_moves_one_monster_by_one_square_at_most() -> None:
    for position in POSITIONS:
        for icon in LETTERS:
            a, b = step(icon, *position)
            assert abs(a - position[0]) + abs(b - position[1]) <= 1


def test_the_mirror_image_of_an_order_is_the_order_of_the_mirror_image() -> None:
    for position, pair, way in EVERY:
        assert results(mirrored(position))[pair][way] == mirrored(results(position)[pair][way])


def test_exchanging_the_players_exchanges_the_results() -> None:
    for position, (one, other), (order, first) in EVERY:
        swapped = results((position[1], position[0]))[other, one][order, "B" if first == "A" else "A"]
        assert swapped == results(position)[one, other][order, first][::-1]


def test_a_shove_never_moves_an_opponent_at_the_wall() -> None:
    """FCT-9: nor does any other order of the other player."""
    for own in range(1, 5):
        for icon in LETTERS:
            assert step(icon, own, 5)[1] == 5
    assert step("S", 4, 5) == (4, 5)


def test_moving_at_the_same_time_does_not_depend_on_who_is_first() -> None:
    assert all(by["SECRET_AT_ONCE", "A"] == by["SECRET_AT_ONCE", "B"] for p in POSITIONS for by in results(p).values())


def test_what_depends_on_the_first_player_is_listed_and_nothing_else() -> None:
    listed = set(depending_on_first())
    assert ((2, 4), "C", "C") in listed and ((1, 5), "C", "C") not in listed
    for position in POSITIONS:
        for pair, by in results(position).items():
            assert ((position, *pair) in listed) == (by["OPEN", "A"] != by["OPEN", "B"])


def test_orders_clash_only_where_the_monsters_are_at_most_two_squares_apart() -> None:
    assert differing()
    assert {abs(a - b) for (a, b), _, _ in differing()} <= {1, 2}


def brute(wanted: int, first: str, own: str, other: str, position: tuple[int, int], rounds: int) -> bool:
    """Whether A can force the distance within the rounds, by the plain recursion (orders given openly)."""
    if rounds == 0:
        return False

    def after(one: str, two: str) -> bool:
        now = results(position)[one, two]["OPEN", first]
        return abs(now[0] - now[1]) == wanted or brute(wanted, first, own, other, now, rounds - 1)

    if first == "A":
        return any(all(after(one, two) for two in other) for one in own)
    return all(any(after(one, two) for one in own) for two in other)


@pytest.mark.parametrize(("own", "other"), [("CRHS", "CRHS"), ("C", "R"), ("CH", "CS"), ("RS", "H")])
def test_forced_distances_are_those_of_the_plain_recursion(own: str, other: str) -> None:
    for wanted, first in itertools.product(range(1, 5), "AB"):
        found = rounds_to_force(wanted, first=first, own=own, other=other)
        for position in POSITIONS:
            for rounds in range(1, 4):
                n = found[position]
                assert brute(wanted, first, own, other, position, rounds) == (n is not None and n <= rounds), (position, wanted, first)


def test_with_all_icons_only_who_orders_last_can_force_a_distance() -> None:
    for wanted in range(1, 5):
        assert set(rounds_to_force(wanted, first="A").values()) == {None}
    by_the_last = rounds_to_force(1, first="B"), rounds_to_force(2, first="B")
    assert all(n is not None and n <= 3 for found in by_the_last for n in found.values())


def test_the_report_is_plain_data_with_every_position() -> None:
    data = json.loads(json.dumps(report()))
    assert len(data["orders"]) == 20 * 16
    assert len(data["forced"]) == 3 * 2 * 4
