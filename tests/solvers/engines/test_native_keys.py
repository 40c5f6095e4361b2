"""Keys of positions hold what may differ, two are never the same, and what is remembered outlives a change of them."""

from __future__ import annotations

import ctypes
from random import Random

import pytest

from monjudge.model.language import RuleSet, gain, put
from monjudge.model.language.game import Game
from monjudge.model.small.breakthrough import breakthrough
from monjudge.model.small.connect_four import connect_four
from monjudge.solvers.engines.native import Native
from monjudge.solvers.engines.native.compiled import FEW, Compiled
from monjudge.solvers.engines.native.memory import give_back, lend
from monjudge.solvers.engines.native.prover import Prover, Stopped, Weigher
from monjudge.solvers.engines.native.squeeze import STEP, around, squeezed, writable_bits


def key(steps: bytes, state: bytes) -> tuple[int, ...]:
    """The key that the steps write, in plain Python."""
    words, word = [], 0
    for offset, mask, turn, seed in STEP.iter_unpack(steps):
        bits = int.from_bytes(state[offset : offset + 8], "little") & mask
        word |= (bits << turn | bits >> (64 - turn)) & ((1 << 64) - 1)
        if seed:
            words.append(word)
            word = 0
    return tuple(words)


@pytest.mark.parametrize("share", [0.02, 0.2, 0.9])
def test_a_key_tells_every_bit_that_it_holds_and_no_other(share: float) -> None:
    random, size = Random(1), 72
    for _ in range(20):
        bits = sum(1 << n for n in range(8 * size) if random.random() < share)
        keys = squeezed(bits, size, range(1, 100))
        assert keys.words <= max(1, bits.bit_count() // 12 + 2) and int.from_bytes(keys.frozen, "little") == ~bits & (1 << 8 * size) - 1
        state = random.randbytes(size)
        number = int.from_bytes(state, "little")
        for bit in random.sample(range(8 * size), 40):
            other = (number ^ 1 << bit).to_bytes(size, "little")
            assert (key(keys.steps, other) != key(keys.steps, state)) is bool(bits >> bit & 1)


def test_around_are_the_bits_of_the_groups_in_which_something_differs() -> None:
    assert around(1 << 70, (1 << 128) - 1, 64) == ((1 << 64) - 1) << 64
    assert around(1 << 9 | 1, 0xF1FF, 8) == 0xF1FF
    assert around(0, 0xFF, 8) == 0


def test_writable_are_the_cells_that_a_move_may_write_with_the_bits_of_their_intervals() -> None:
    g = Game("writes", players=1)
    fixed, one, row, below = (
        g.field("fixed", values=range(9)), g.field("one", values=range(5)), g.field("row", 4, values=range(2)), g.field("below", values=range(-1, 2))
    )  # fmt: skip
    move = g.action("move", by=0)
    at = move.param("at", range(1, 3))
    move.effect(gain(one, 1), put(row[at], 1), put(below, fixed - 4, fixed > 3))
    rules = g.build()
    engine = Native(rules)
    found = writable_bits(rules, engine.layout).to_bytes(engine.layout.size, "little")
    start = {f.name: engine.layout.offset[f.uid] for f in rules.families}
    assert found[start["fixed"]] == 0 and found[start["one"]] == 0b111 and found[start["below"]] == 0xFF
    assert list(found[start["row"] : start["row"] + 4]) == [0, 1, 1, 0]


@pytest.mark.parametrize("memory", [1 << 16, 1 << 24])
def test_a_search_that_begins_where_nobody_can_move_goes_on_elsewhere(memory: int) -> None:
    """No game from there shows a difference, so that the keys hold nothing at first."""
    g = Game("stairs", players=1)
    at, seen = g.field("at", values=range(9)), g.field("seen", FEW, values=range(2))
    move = g.action("climb", by=0)
    move.clause("S.1", at > 1)
    move.effect(gain(at, 1), [put(seen[n], 1, at == 2) for n in range(FEW)])
    rest = g.action("rest", by=0)
    rest.clause("S.1", at > 1)
    rest.effect(put(at, 1))
    rules = g.build()
    for kind, ask in ((Prover, "prove"), (Weigher, "weigh")):
        engine = Native(rules)
        search = kind(engine, at == 8, 0, memory=memory)
        answers = [getattr(search, ask)(engine.layout.pack((n, *rules.start[1:]))) for n in (0, 1, 2, 0, 5, 1)]
        assert answers == [0, 0, 1, 0, 1, 0] and Compiled.of(engine).writable.bit_count() > FEW


@pytest.mark.parametrize("rules", [breakthrough(4, 4, 1), connect_four(4, 4, 4)], ids=lambda r: r.name)
def test_what_is_remembered_outlives_wider_keys(rules: RuleSet) -> None:
    engine = Native(rules)
    win = next(g.when for g in rules.goals if g.player == 0)
    same, wider = (Prover(engine, win, 0, memory=1 << 24) for _ in range(2))
    packed = engine.packed(engine.settle(rules.start))
    unused = [n for n in range(8 * engine.layout.size) if not Compiled.of(engine).writable >> n & 1]
    for _ in range(6):
        for search in (same, wider):
            with pytest.raises(Stopped):
                search.prove(packed, nodes=500)
        wider._widen(sum(1 << unused.pop() for _ in range(12)))
        assert wider.counts == same.counts and wider.counts.hits > 10
    assert wider.prove(packed) == same.prove(packed)
    assert wider.counts == same.counts


def test_a_search_with_keys_that_hold_next_to_nothing_finds_what_they_lack() -> None:
    rules = breakthrough(4, 4, 1)
    engine = Native(rules)
    win = next(g.when for g in rules.goals if g.player == 0)
    narrow, wide = (Prover(engine, win, 0, memory=1 << 24) for _ in range(2))
    packed, narrow._bits = engine.packed(engine.settle(rules.start)), 1
    assert narrow.prove(packed) == wide.prove(packed)
    assert narrow._bits.bit_count() > 20


@pytest.mark.parametrize("rules", [breakthrough(4, 4, 1), connect_four(4, 4, 3)], ids=lambda r: r.name)
def test_what_another_search_left_in_a_room_changes_nothing(rules: RuleSet) -> None:
    engine, found = Native(rules), []
    win = next(g.when for g in rules.goals if g.player == 0)
    packed, size = engine.packed(engine.settle(rules.start)), Prover(engine, win, 0, memory=3 << 20).reserved
    for left in (0x00, 0xFF, 0x5A):
        room = lend(size)
        ctypes.memset(room.start, left, size)
        give_back(room)
        search = Prover(engine, win, 0, memory=3 << 20)
        assert search._room is room
        found.append((search.prove(packed), search.counts, [child.move for child in search.children(packed)]))
    assert found[0] == found[1] == found[2]
