"""The machine code of the native engine: kept on disk, held against the language, caught when it is wrong."""

from __future__ import annotations

import ctypes
import os
import random
import subprocess
import sys
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from agreement import ENGINES, outcome, rule_differences, value_differences
from hand_made import MACHINES, edges
from random_exprs import FAMILIES, VARIABLES, case
from random_rules import random_cells, rule_set

from monjudge.model.language import (
    Game,
    RuleSet,
    Table,
    all_of,
    any_of,
    count_of,
    each,
    evaluate,
    gain,
    ite,
    lookup,
    put,
    sum_of,
    var,
)
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines.native import Native, columns, effects, expressions, facts, llvm, plans, sets, triggers
from monjudge.solvers.engines.native.llvm import Code, cache_directory
from monjudge.solvers.engines.reference import Reference

ANSWER = "define i32 @answer() {\n ret i32 42\n}\n"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MONJUDGE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def call(code: Code) -> int:
    return ctypes.CFUNCTYPE(ctypes.c_int32)(code.address("answer"))()


# -- object code on disk --------------------------------------------------------------------


def test_code_is_compiled_once_and_then_found(cache: Path) -> None:
    first, again = Code(ANSWER), Code(ANSWER)
    assert (first.found, again.found) == (False, True)
    assert call(first) == call(again) == 42
    assert len(list(cache.iterdir())) == 1


def test_other_text_and_another_level_are_other_code(cache: Path) -> None:
    for code in (Code(ANSWER), Code(ANSWER.replace("42", "43")), Code(ANSWER, level=2), Code(ANSWER, columns=True)):
        assert not code.found
    assert len(list(cache.iterdir())) == 4


@pytest.mark.parametrize("damage", [b"", b"\x00" * 400, None], ids=["empty", "foreign", "one byte changed"])
def test_a_damaged_file_is_ignored_and_written_anew(cache: Path, damage: bytes | None) -> None:
    Code(ANSWER)
    (file,) = cache.iterdir()
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2] ^= 1
    file.write_bytes(bytes(whole) if damage is None else damage)
    code = Code(ANSWER)
    assert not code.found
    assert call(code) == 42
    assert Code(ANSWER).found


def test_the_files_used_last_are_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llvm, "KEPT", 2)
    texts = [ANSWER.replace("42", str(n)) for n in range(3)]
    for age, text in enumerate(texts[:2]):
        Code(text)
        (new,) = [f for f in cache.iterdir() if f.stat().st_mtime > 10]
        os.utime(new, (age, age))
    assert Code(texts[0]).found  # and is younger now than the other
    Code(texts[2])
    assert [Code(text).found for text in (texts[0], texts[2], texts[1])] == [True, True, False]


def test_a_directory_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("MONJUDGE_CACHE", str(tmp_path / "file"))
    assert call(Code(ANSWER)) == 42


def test_the_text_of_a_rule_set_does_not_depend_on_what_was_built_before(cache: Path) -> None:
    assert Native(tic_tac_toe()).perft(tic_tac_toe().start, 2) == 82
    script = (
        "from monjudge.model.language import Game, any_of\n"
        "g = Game('before', players=1); f = g.field('f', 9, values=range(7)); e = any_of(9, lambda i: f[i] == 3)\n"
        "from monjudge.model.small.tic_tac_toe import tic_tac_toe\n"
        "from monjudge.solvers.engines.native import Native\n"
        "n = Native(tic_tac_toe())\n"
        "print(n.perft(n.rules.start, 2), n.code.found)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["82", "True"]


def test_the_cache_is_where_the_user_says(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_directory() == cache
    monkeypatch.delenv("MONJUDGE_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_directory() == Path("/somewhere/monjudge")


def test_without_llvmlite_the_extra_to_install_is_named() -> None:
    script = "import sys; sys.modules['llvmlite'] = None; import monjudge.solvers.engines.native"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert 'pip install "monjudge[native]"' in done.stderr
    assert "llvmlite が必要です" in done.stderr


# -- expressions ----------------------------------------------------------------------------


def test_random_expressions_have_the_values_of_the_language() -> None:
    ground = RuleSet("ground", 2, FAMILIES, ())
    cases = [case(seed, next_state=True) for seed in range(60)]
    values = Native.expressions(ground, [c.expr for c in cases], list(VARIABLES))
    for c in cases:
        assert values(c.state, c.env, c.after) == [evaluate(o.expr, c.state, c.env, ground.offset, c.after) for o in cases]


def test_set_conditions_have_the_values_of_the_language() -> None:
    """Neighbours, diagonals, offsets from a variable, edges with either default, counts, nested quantifiers."""
    game = Game("sets", players=1)
    grid = game.field("grid", 5, 6, values=range(-2, 3), default=2)
    flag = game.field("flag", 9, values=bool, default=1)
    wide = game.field("wide", 8, values=range(-300, 301), default=0)
    rules = game.build()
    n, k = var("n", 0, 2), var("k", -2, 2)
    exprs = [
        any_of(5, lambda r: any_of(6, lambda c: (grid[r, c] == k) & (grid[r + 1, c + 1] == k) & (grid[r + 2, c + 2] == k))),
        any_of(5, lambda r: any_of(6, lambda c: (grid[r, c] == k) & (grid[r - 1, c + 2] != k))),
        all_of(4, lambda c: (grid[n, c] < k) | (grid[n + 1, c + 2] >= 0)),
        all_of(4, lambda c: grid[2 * n - 1, c + n] <= k),
        count_of(6, lambda c: all_of(5, lambda r: (grid[r, c] > k) | (r == n))),
        sum_of(9, lambda i: 2 * count_of(1, lambda j: flag[i] | (k > 0))),
        count_of(range(-1, 11), lambda i: flag[i]),
        count_of(range(-1, 11), lambda i: ~flag[i] & flag[i + 1]),
        any_of(range(1, 7), lambda i: (wide[i] < 100 * k) == (wide[i - 1] < 100 * k)),
        all_of(8, lambda i: wide[7 - i] != k),
        all_of(3, lambda i: any_of(3, lambda j: grid[i, j + n] == i)),
    ]
    values, rng = Native.expressions(rules, exprs, ["n", "k"]), random.Random(5)
    seen = [set() for _ in exprs]
    for _ in range(400):
        spread = rng.choice((1, 2, 2))
        state = tuple(rng.randint(max(lo, -spread), min(hi, spread)) if rng.random() < 0.8 else rng.choice((lo, hi)) for lo, hi in rules.bounds)
        env = {"n": rng.randint(0, 2), "k": rng.randint(-2, 2)}
        found = values(state, env)
        assert found == [evaluate(e, state, env, rules.offset) for e in exprs]
        for some, value in zip(seen, found, strict=True):
            some.add(value)
    assert all(len(some) > 1 for some in seen), "every condition is seen to hold and to fail"


def test_what_tables_say_of_cells_and_what_is_counted_or_compared_has_the_value_of_the_language() -> None:
    """Entries of a table, amounts against a number, counts of a part, either of two cells, a moving row beyond its end."""
    game = Game("words", players=1)
    kind = game.field("kind", 2, 3, 8, values=range(6), default=5)
    small, height = game.field("small", 2, 3, values=range(6), default=1), game.field("height", 2, values=range(9))
    rules = game.build()
    n, k = var("n", 0, 1), var("k", -2, 2)
    colour, red = Table.of("colour", (6,), (3, -1, 2, 2, 0, 1), default=2), Table.of("red", (6,), (False, True, True, False, True, False), default=True)

    def low(s: Any) -> Any:
        return (s < height[n]) & (kind[n, 1, s] != 3)

    exprs = [
        count_of(8, lambda s: lookup(colour, kind[n, 1, s]) == k),
        any_of(8, lambda s: (lookup(colour, kind[n, n, s]) > k) & (s < height[n])),
        all_of(7, lambda s: lookup(red, kind[1, n, s]) | (lookup(colour, kind[1, n, s + 1]) < 3 * k)),
        any_of(10, lambda i: ite(i < 3, lookup(red, small[n, i]), (i > 3) & (small[1 - n, i - 4] > 2))),
        all_of(10, lambda i: ite(i < 3, small[n, i], ite(i == 3, height[0], small[n, i - 4])) > 0),
        count_of(8, lambda s: low(s) & (count_of(8, lambda t: (t > s) & low(t)) < height[0] + k)),
        count_of(5, lambda s: 3 <= count_of(8, lambda t: ((t <= s) | (t == 7)) & low(t))),
        count_of(range(-1, 4), lambda i: lookup(red, small[0, i]) & (i < k + 2)),
        count_of(4, lambda x: (2 * x <= height[n]) | (height[1] - 3 * x == k)),
        all_of(6, lambda x: any_of(3, lambda c: (small[n, c] == x) == (height[n] > 4))),
    ]
    values, rng = Native.expressions(rules, exprs, ["n", "k"]), random.Random(7)
    seen = [set() for _ in exprs]
    for _ in range(500):
        state = tuple(rng.choice((lo, hi, rng.randint(lo, hi))) for lo, hi in rules.bounds)
        env = {"n": rng.randint(0, 1), "k": rng.randint(-2, 2)}
        found = values(state, env)
        assert found == [evaluate(e, state, env, rules.offset) for e in exprs]
        for some, value in zip(seen, found, strict=True):
            some.add(value)
    assert all(len(some) > 1 for some in seen), "every condition is seen to hold and to fail"


def purse() -> RuleSet:
    """Two amounts that make a price go from the tops of two stacks: sets of parameters, cells written together."""
    g = Game("purse", players=2)
    height, spent = g.field("height", 2, values=range(9), init=(5, 8)), g.field("spent", 2, 8, values=range(3))
    seen = g.field("seen", 4, values=range(4))

    def free(p: Any, s: Any) -> Any:
        return (s < height[p]) & (spent[p, s] == 0)

    pay = g.action("pay")
    amounts = left, right = pay.param("left", range(4)), pay.param("right", range(4))
    stock = [count_of(8, lambda s, p=p: free(p, s)) for p in (0, 1)]
    pay.clause("PU.1", 3 + pay.me - left - right == 0)
    pay.clause("PU.2", (left == 0) | (left <= stock[0]))
    pay.clause("PU.3", right <= stock[1])
    for p, amount in enumerate(amounts):
        pay.effect(each(8, lambda s, p=p, a=amount: put(
            spent[p, s], 1 + pay.me, when=free(p, s) & (count_of(8, lambda t: (t > s) & free(p, t)) < a))))  # fmt: skip
    pay.effect(put(spent[0, 0], 2, when=right == 2), gain(seen[left], 1), gain(seen[right], 1, when=left > 0))
    empty = lambda p: (height[p] > 0) & all_of(8, lambda s: ~free(p, s))  # noqa: E731
    g.trigger("PU.4", empty, lambda p: [gain(height[p], -1), each(8, lambda s: put(spent[p, s], 0, when=s >= 0))], over=(2,))
    return g.build()


def test_amounts_taken_from_the_tops_of_stacks_are_those_of_the_reference() -> None:
    rules, rng = purse(), random.Random(11)
    native, reference = Native(rules), Reference(rules)
    moves = limits = 0
    for _ in range(150):
        state = reference.settle(tuple(rng.choice((lo, rng.randint(lo, hi))) for lo, hi in rules.bounds))
        assert native.settle(state) == state
        assert native.moves(state) == reference.moves(state)
        for move in reference.moves(state):
            after = outcome(reference.step, state, move)
            assert outcome(native.step, state, move) == after
            moves, limits = moves + 1, limits + (not isinstance(after, tuple))
    assert moves > limits > 0


# -- columns --------------------------------------------------------------------------------


def guards(rule_sets: Iterable[RuleSet]) -> Iterator[str]:
    """Where a guard over columns differs from the guard of the reference."""
    for rules in rule_sets:
        rng = random.Random(rules.name)
        for action in rules.actions:
            check, batch = Reference(rules).guard(action.name), Native(rules).batch(action.name)
            me = -1 if action.is_chance else rng.randrange(rules.players)
            rows = [(random_cells(rules, rng), {p.name: rng.choice(p.values) for p in action.params}) for _ in range(70)]
            given = {name: column(rules, name, bits, me, rows) for name, bits in batch.bits.items()}
            want = [int(check(state, me, *args.values())) for state, args in rows]
            if (got := list(batch(given, len(rows)))) != want:
                yield f"{rules.name}, {action.name}: {got}, not {want}"


def column(rules: RuleSet, name: str, bits: int, me: int, rows: list[Any]) -> array[int]:
    if name in rules.family_named:
        at = rules.offset[name]
        numbers = [state[cell] for cell in range(at, at + rules.family_named[name].size) for state, _ in rows]
    else:
        numbers = [args.get(name, me) for _, args in rows]
    return array({8: "b", 16: "h", 32: "i"}[bits], numbers)


def test_guards_over_columns_are_those_of_the_reference() -> None:
    assert list(guards([*(make() for make in MACHINES), *map(rule_set, range(12))])) == []


def test_columns_that_do_not_fit_are_refused() -> None:
    batch = Native(tic_tac_toe()).batch("place")
    assert batch.bits == {"at": 8, "cell": 8}
    good = {"at": array("b", [4, 0]), "cell": array("b", [0, 1] * 9)}
    assert list(batch(good, 2)) == [1, 0]
    for name, bad, why in [
        ("at", array("b", [4]), "needs 2 numbers, not 1"), ("cell", array("h", [0] * 18), "8 bits"), ("at", None, "missing"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=why):
            batch({k: v for k, v in {**good, name: bad}.items() if v is not None}, 2)


def test_a_parameter_and_a_field_of_one_name_are_refused_in_columns() -> None:
    game = Game("names", players=1)
    x = game.field("x", 3, values=range(3))
    act = game.action("act", by=0)
    act.clause("C", x[act.param("x", range(3))] == 0)
    act.effect(put(x[0], 1))
    with pytest.raises(ValueError, match="'x'"):
        Native(game.build()).batch("act")


# -- planted faults -------------------------------------------------------------------------

JOINS = ("and", "or", "add")
FAULTS: dict[str, tuple[Any, str, Any]] = {
    "less or equal instead of less": (expressions, "_COMPARE", {**expressions._COMPARE, "lt": "sle"}),
    "a quantifier forgets its last value": (
        expressions, "spread", lambda node, right=expressions.spread: right(node).args[0] if right(node).op in JOINS else right(node),
    ),
    "increments before assignments": (effects, "sorted", lambda found, key: sorted(found, key=lambda e: not key(e))),
    "two effects never meet": (effects, "may_collide", lambda effects: False),
    "clauses are taken for narrower than they are": (
        facts.Facts, "interval", lambda self, node, right=facts.Facts.interval: (right(self, node)[0], max(right(self, node)[0], right(self, node)[1] - 1)),
    ),
    "a set one bit off": (plans.Planner, "_mask", lambda self, members, right=plans.Planner._mask: right(self, members) << 1),
    "defaults of sets forgotten": (sets.Sets, "_defaults", lambda self, cells, bits, inside, outside: bits),
    "triggers wake nobody": (triggers.Watch, "woken", lambda self, conditions, effects: 0),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_planted_in_the_translation_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, wrong = FAULTS[fault]
    monkeypatch.setattr(where, name, wrong, raising=False)
    assert any(faults()), fault


def faults() -> Iterator[str]:
    """Differences from the language, with an engine that fails counted as one."""
    try:
        yield from value_differences(ENGINES["native"], range(80))
        test_set_conditions_have_the_values_of_the_language()
        for make in MACHINES:
            yield from on_random_states(make())
        for seed in range(6):
            yield from rule_differences(ENGINES["native"], seed)
    except Exception as error:
        yield repr(error)


def on_random_states(rules: RuleSet, count: int = 30) -> Iterator[str]:
    """Where the engine differs from the reference in settled states and all their moves."""
    native, reference, rng = Native(rules), Reference(rules), random.Random(rules.name)
    for _ in range(count):
        cells = random_cells(rules, rng)
        state, found = outcome(reference.settle, cells), outcome(native.settle, cells)
        if state != found:
            yield f"{rules.name}: {cells} settles to {found}, not {state}"
        if state == "limit":
            continue
        if native.moves(state) != (moves := reference.moves(state)):
            yield f"{rules.name}: the moves in {state} are {native.moves(state)}, not {moves}"
        for move in moves:
            want, got = outcome(reference.step, state, move), outcome(native.step, state, move)
            if want != got:
                yield f"{rules.name}: {move} in {state} leads to {got}, not {want}"


def test_without_a_fault_nothing_is_caught() -> None:
    assert next(faults(), None) is None


def test_a_fault_planted_in_the_columns_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = columns._Lanes._chosen
    inside = "true"  # whatever the index: the nearest cell instead of the default
    monkeypatch.setattr(columns._Lanes, "_chosen", lambda self, node, where, read: right(self, node, (*where[:2], inside), read))
    assert next(guards([edges()]), None) is not None
