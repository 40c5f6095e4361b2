"""The native engine: published counts, and the moves, states and bounds of the reference."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from monjudge.model.language import Game, LimitReached, Move, RuleSet, State, add, any_of, each, gain, ite, put
from monjudge.model.small.breakthrough import breakthrough
from monjudge.model.small.connect_four import connect_four
from monjudge.model.small.duel import duel
from monjudge.model.small.nim import nim
from monjudge.model.small.pig import pig
from monjudge.model.small.rock_paper_scissors import rock_paper_scissors
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines.native import Native
from monjudge.solvers.engines.native.memory import Room
from monjudge.solvers.engines.reference import Reference

SMALL = (breakthrough, connect_four, duel, nim, pig, rock_paper_scissors, tic_tac_toe)


def outcome(ask: Callable[..., Any], *args: Any) -> Any:
    try:
        return ask(*args)
    except LimitReached:
        return "limit"


def differences(rules: RuleSet, states: list[State], engine: type[Native] = Native) -> list[str]:
    """Where the engine differs from the reference in these states and all their moves."""
    native, reference = engine(rules), Reference(rules)
    found = []
    for state in states:
        for question in ("over", "payoff", "moves", "outcomes"):
            want, got = (outcome(getattr(e, question), state) for e in (reference, native))
            if want != got and got != "limit":  # the weight of an outcome beyond a bound is never needed
                found.append(f"{question} in {state}: {got}, not {want}")
        for move in reference.moves(state):
            want, got = (outcome(e.step, state, move) for e in (reference, native))
            if want != got:
                found.append(f"{move} in {state}: {got}, not {want}")
    return found


def played(rules: RuleSet, seed: int, most: int = 40) -> list[State]:
    """The states of one random game."""
    reference, rng = Reference(rules), random.Random(seed)
    states = [reference.settle(rules.start)]
    while len(states) < most and (moves := reference.moves(states[-1])):
        after = outcome(reference.step, states[-1], rng.choice(moves))
        if after == "limit":
            break
        states.append(after)
    return states


def one_action(**fields: Any) -> tuple[Game, list[Any]]:
    game = Game("made for a test", players=1)
    return game, [game.field(name, *spec[0], values=spec[1]) for name, spec in fields.items()]


# -- published counts -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "depth", "nodes", "ended"),
    [
        (tic_tac_toe(), 9, 549_946, 255_168),  # all games of tic-tac-toe
        (connect_four(), 8, 6_634_027, None),
        (breakthrough(5, 4, 1), 7, 4_044_105, None),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_perft_counts_are_the_published_ones(rules: RuleSet, depth: int, nodes: int, ended: int | None) -> None:
    counted, over = Native(rules).perft_tally(rules.start, depth)
    assert counted == nodes
    assert ended in (None, over)


def test_perft_at_each_depth_is_the_sum_of_the_levels_of_the_reference() -> None:
    rules, reference = connect_four(4, 3, 3), Reference(connect_four(4, 3, 3))
    level, total = [rules.start], 0
    for depth in range(6):
        total += len(level)
        assert Native(rules).perft(rules.start, depth) == total
        level = [reference.step(s, m) for s in level for m in reference.moves(s)]


def test_the_leaves_that_perft_counts_stand_in_memory_with_all_their_cells() -> None:
    rules = connect_four()
    native, room = Native(rules), Room(1 << 16)
    room.view[: native.layout.size] = native.layout.pack(rules.start)
    top = room.start + native.layout.slot
    assert native._perft(room.start, top, 1, top, room.end, (native_tally := Room(4096)).start) == 7
    slot = native.layout.slot
    found = [native.layout.unpack(room.view, (n + 1) * slot) for n in range(7)]
    reference = Reference(rules)
    assert found == [reference.step(rules.start, m) for m in reference.moves(rules.start)]
    assert native_tally.view[0] == 0


def test_the_states_of_tic_tac_toe_are_5478_and_its_value_is_a_draw() -> None:
    native = Native(tic_tac_toe())
    assert native.reachable(native.rules.start, 6_000) == 5_478
    assert native.solve(native.rules.start) == 0


@pytest.mark.parametrize(("board", "value", "states"), [((4, 3, 3), 1, 7_157), ((3, 4, 4), 0, 6_000)])
def test_small_boards_of_connect_four_have_their_published_value_and_number_of_states(
    board: tuple[int, int, int], value: int, states: int
) -> None:
    native = Native(connect_four(*board))
    assert native.solve(native.rules.start) == value
    assert native.reachable(native.rules.start, 100_000) == states


# -- the reference --------------------------------------------------------------------------


@pytest.mark.parametrize("make", SMALL, ids=lambda make: make.__name__)
def test_every_small_game_is_played_as_by_the_reference(make: Callable[[], RuleSet]) -> None:
    rules = make()
    assert differences(rules, [s for seed in range(6) for s in played(rules, seed)]) == []


@pytest.mark.parametrize("board", [(9, 8, 4), (3, 9, 5), (1, 5, 3)], ids=str)
def test_boards_beyond_and_below_one_set_of_64_cells_are_played_as_by_the_reference(board: tuple[int, int, int]) -> None:
    rules = connect_four(*board)
    assert differences(rules, [s for seed in range(3) for s in played(rules, seed, 80)]) == []


def test_a_single_move_is_judged_as_by_the_reference() -> None:
    rules = breakthrough(5, 4, 1)
    native, reference = Native(rules), Reference(rules)
    for state in played(rules, 1, 6):
        for move in [*reference.candidates(), Move("go", 0, (0, 0, 7)), Move("go", 5, (0, 0, 0)), Move("go", -1, (0, 0, 0))]:
            assert native.legal(state, move) == reference.legal(state, move)
    with pytest.raises(ValueError, match="no action 'castle'"):
        native.legal(rules.start, Move("castle", 0))
    with pytest.raises(ValueError, match="takes 3 parameters, not 1"):
        native.legal(rules.start, Move("go", 0, (1,)))
    with pytest.raises(ValueError, match="not legal"):
        native.step(rules.start, Move("go", 0, (4, 0, 0)))


def test_successors_are_the_moves_with_the_states_they_lead_to() -> None:
    rules = tic_tac_toe()
    moves, states = Native(rules).successors(rules.start)
    reference = Reference(rules)
    assert moves == reference.moves(rules.start)
    assert states == [reference.step(rules.start, m) for m in moves]


# -- effects and bounds ---------------------------------------------------------------------


@pytest.mark.parametrize("values", [range(-128, 128), range(256), range(-300, 40_000), range(-(2**31) + 1, 2**31)], ids=str)
def test_a_cell_of_any_width_is_checked_by_its_last_value_and_not_on_the_way(values: range) -> None:
    """Gains that leave the interval together come back together; the same gains one short do not."""
    game, (cell,) = one_action(cell=((2,), values))
    act = game.action("act", by=0)
    up, down = act.param("up", range(3)), act.param("down", range(3))
    room = min(2**30, values.stop - values.start)
    step = room // 2
    act.effect(gain(cell[0], up * step), gain(cell[0], -1 * down * step), gain(cell[1], up - down))
    rules = game.build()
    ends = (values.start, values.stop - 1, values.start + step, values.stop - 1 - step)
    assert differences(rules, [(a, b) for a in ends for b in ends]) == []
    got = [outcome(Native(rules).step, (values.stop - 1, 0), Move("act", 0, (2, d))) for d in (1, 2)]
    assert got == ["limit", (values.stop - 1, 0)]


def test_effects_read_the_state_before_and_assignments_come_before_increments() -> None:
    game, (a, b, pot) = one_action(a=((), range(4)), b=((), range(4)), pot=((3, 2), range(-5, 9)))
    act = game.action("act", by=0)
    x, on = act.param("x", range(-1, 4)), act.param("on", bool)
    act.effect(gain(a, 1, on), put(a, b), put(b, a), put(pot[x, 0], 1), put(pot[1, 0], 2), gain(pot[x, 0], b))
    act.effect(each(range(-1, 4), lambda i: each(2, lambda j: gain(pot[i, j], ite(pot[i + 1, j] > 0, 1, -1), on | (i == x)))))
    rules = game.build()
    rng = random.Random(1)
    states = [tuple(rng.randint(lo, hi) for lo, hi in rules.bounds) for _ in range(30)]
    assert differences(rules, states) == []


def test_triggers_come_to_rest_after_several_passes_or_not_at_all() -> None:
    game, (heap,) = one_action(heap=((5,), range(4)))
    drop = game.action("drop", by=0)
    at = drop.param("at", range(5))
    drop.effect(gain(heap[at], 2))
    game.trigger("SLIDE", lambda i: (heap[i + 1] > heap[i]) & (i < 4), lambda i: [gain(heap[i], 1), gain(heap[i + 1], -1)],
                 over=(5,))  # fmt: skip
    for passes in (2, 3, 9):
        game.parts["passes"] = passes
        rules = game.build()
        reference = Reference(rules)
        rng = random.Random(2)
        cells = [tuple(rng.randint(0, 3) for _ in range(5)) for _ in range(60)]
        settled = [outcome(reference.settle, c) for c in cells]
        assert [outcome(Native(rules).settle, c) for c in cells] == settled
        assert differences(rules, [s for s in settled if s != "limit"]) == []


def test_triggers_that_undo_each_other_within_a_pass_are_at_rest_and_still_seen_by_a_third() -> None:
    """A state may be settled while two triggers change it to and fro; what lies between concerns the third."""
    game, (a, b, seen, other) = one_action(a=((), bool), b=((), range(3)), seen=((), range(9)), other=((), range(4)))
    act = game.action("act", by=0)
    value = act.param("value", range(3))
    act.effect(put(b, value))
    wait = game.action("wait", by=0)
    wait.effect(gain(other, 1))
    game.trigger("ON", ~a, put(a, True))
    game.trigger("SEE", a & (seen != 3 * b), put(seen, 3 * b))
    game.trigger("OFF", a, put(a, False))
    rules = game.build()
    reference = Reference(rules)
    states = {reference.settle(cells) for cells in itertools.product(range(2), range(3), range(9), range(4))}
    assert (0, 0, 0, 0) in states
    assert differences(rules, sorted(states)) == []
    native, at = Native(rules), (0, 0, 0, 0)
    for move in [Move("act", 0, (2,)), Move("wait", 0), Move("act", 0, (1,))]:
        at = native.step(at, move)
    assert at == (0, 1, 3, 1)
    assert native.perft((0, 0, 0, 0), 3) == 1 + 4 + 16 + 64


def test_a_trigger_that_was_idle_only_for_what_another_did_in_the_pass_fires_when_that_one_does_not() -> None:
    game, (x, y, z) = one_action(x=((), range(2)), y=((), range(2)), z=((), range(2)))
    act = game.action("act", by=0)
    act.effect(put(y, act.param("to", range(2))))
    game.trigger("UP", (x == 0) & (y == 0), put(x, 1))
    game.trigger("LOOK", x == 0, put(z, 1))  # never sees x at 0 while UP fires before it
    game.trigger("DOWN", x == 1, put(x, 0))
    rules = game.build()
    assert Reference(rules).settle((0, 0, 0)) == (0, 0, 0)
    assert Reference(rules).step((0, 0, 0), Move("act", 0, (1,))) == (0, 1, 1)
    assert differences(rules, [(0, 0, 0), (0, 0, 1), (0, 1, 1)]) == []


def test_a_bound_that_is_passed_is_no_answer() -> None:
    game, (cell,) = one_action(cell=((), range(3)))
    up = game.action("up", by=0)
    up.effect(gain(cell, 1))
    rules = game.build()
    native = Native(rules)
    assert native.moves((2,)) == [Move("up", 0)]  # legal: its bound is the model's, not the game's
    for question in (native.successors, lambda s: native.perft(s, 3), lambda s: native.reachable(s, 9),
                     lambda s: native.random_playout(s, 1), lambda s: native.step(s, Move("up", 0))):  # fmt: skip
        with pytest.raises(LimitReached):
            question((2,))
    assert native.perft((0,), 2) == 3


def test_a_state_outside_its_intervals_is_refused() -> None:
    native = Native(tic_tac_toe())
    with pytest.raises(ValueError, match=r"cell 0 .* holds 0\.\.2, not 3"):
        native.moves((3, *native.rules.start[1:]))
    with pytest.raises(ValueError, match=r"holds 0\.\.2, not 1000"):
        native.over((1000, *native.rules.start[1:]))
    with pytest.raises(ValueError, match="10 cells, not 2"):
        native.perft((0, 0), 1)


def test_memory_grows_until_its_bound_and_then_the_answer_is_unknown() -> None:
    rules = connect_four()
    with pytest.raises(LimitReached, match="more than 1,000 states"):
        Native(rules).reachable(rules.start, 1_000)
    with pytest.raises(LimitReached, match="bytes"):
        Native(rules, memory=1 << 19).reachable(rules.start, 10**6)
    with pytest.raises(LimitReached):
        Native(rules).random_playout(rules.start, 1, most=3)


# -- search ---------------------------------------------------------------------------------


def test_a_playout_of_fewer_than_no_moves_is_refused() -> None:
    native = Native(tic_tac_toe())
    with pytest.raises(ValueError, match="at least 0, not -1"):
        native.random_playout(native.rules.start, 1, -1)


def test_a_playout_is_the_same_for_a_seed_and_is_replayed_by_the_reference() -> None:
    for make in SMALL:
        rules = make()
        native, reference = Native(rules), Reference(rules)
        moves, end = native.random_playout(native.settle(rules.start), 12)
        assert (moves, end) == native.random_playout(native.settle(rules.start), 12)
        state = reference.settle(rules.start)
        for move in moves:
            assert reference.legal(state, move)
            state = reference.step(state, move)
        assert state == end
        assert reference.moves(end) == []


def test_chance_is_drawn_by_weight_and_decisions_alike() -> None:
    game, (face, chosen) = one_action(face=((), range(4)), chosen=((), range(4)))
    roll, choose = game.action("roll"), game.action("choose", by=0)
    n, m = roll.param("n", range(1, 4)), choose.param("m", range(1, 4))
    roll.outcome(ite(n == 1, 0, n))
    roll.clause("ROLL", face == 0)
    roll.effect(put(face, n))
    choose.clause("CHOOSE", (face > 0) & (chosen == 0))
    choose.effect(put(chosen, m))
    rules = game.build()
    native = Native(rules)
    assert native.outcomes(rules.start) == [(Move("roll", -1, (2,)), 2), (Move("roll", -1, (3,)), 3)]
    ends = Counter(native.random_playout(rules.start, seed)[1] for seed in range(3_000))
    faces, choices = (Counter(end[k] for end in ends.elements()) for k in (0, 1))
    assert faces[1] == 0
    assert faces[2] / 3_000 == pytest.approx(2 / 5, abs=0.04)
    assert all(choices[k] / 3_000 == pytest.approx(1 / 3, abs=0.04) for k in (1, 2, 3))


@pytest.mark.parametrize(
    ("make", "why"),
    [(pig, "chance"), (rock_paper_scissors, "several players")],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_alpha_beta_refuses_what_it_cannot_solve(make: Callable[[], RuleSet], why: str) -> None:
    rules = make()
    with pytest.raises(ValueError, match=f"{why}|constant sum"):
        Native(rules).solve(Native(rules).settle(rules.start))


def test_alpha_beta_refuses_a_state_without_moves_and_without_an_end() -> None:
    game = Game("stuck", players=2)
    left = game.field("left", values=range(4), init=3)
    take = game.action("take", by=0)
    take.clause("TAKE", left > 0)
    take.effect(gain(left, -1))
    game.payoff(left, add(0, -left))
    rules = game.build()
    with pytest.raises(ValueError, match="no move, yet is not over"):
        Native(rules).solve(rules.start)


def test_play_without_end_is_unknown_and_no_crash() -> None:
    game = Game("to and fro", players=2)
    turn = game.field("turn", values=range(2))
    go = game.action("go", by=turn)
    go.effect(put(turn, 1 - turn))
    game.over(any_of(2, lambda i: turn == i + 2))
    game.payoff(0 * turn, 0 * turn)
    rules = game.build()
    with pytest.raises(LimitReached):
        Native(rules).solve(rules.start)
    assert Native(rules).reachable(rules.start, 10) == 2
    with pytest.raises(ValueError, match="depth"):
        Native(rules).perft(rules.start, 100_000)
