"""Small rule sets made by hand, each around one thing that a move generator can get wrong, with states to ask about."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from monjudge.model.language import (
    Game,
    RuleSet,
    State,
    Table,
    all_of,
    any_of,
    as_int,
    count_of,
    lookup,
    minimum,
    sum_of,
)

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "summon.py"


@pytest.fixture(scope="session")
def summon() -> ModuleType:
    """The module of the benchmark with the summon rule set."""
    spec = importlib.util.spec_from_file_location("summon", BENCHMARK)
    assert spec is not None and spec.loader is not None
    module = sys.modules["summon"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MADE = ("anybody", "chance", "deep", "nobody", "outside", "payment", "quantified")


@pytest.fixture(scope="session", params=MADE)
def made(request: pytest.FixtureRequest) -> RuleSet:
    """One of the rule sets made by hand."""
    return _made(request.param)


@pytest.fixture(scope="session")
def all_made() -> list[RuleSet]:
    """All of them."""
    return [_made(name) for name in MADE]


def _made(name: str) -> RuleSet:
    build: Callable[[], RuleSet] = globals()[f"_{name}"]
    return build()


@pytest.fixture(scope="session")
def random_states() -> Callable[..., Iterator[State]]:
    """``random_states(rules, count)``: states of a rule set without triggers, so that all are settled."""

    def draw(rules: RuleSet, count: int) -> Iterator[State]:
        assert not rules.triggers
        rng = Random(rules.name)
        for _ in range(count):
            yield tuple(rng.randint(lo, hi) for lo, hi in rules.bounds)

    return draw


def _anybody() -> RuleSet:
    g = Game("anybody", players=3)
    purse = g.field("purse", 3, values=range(-2, 4))
    closed = g.field("closed", values=bool)
    give = g.action("give")
    to, amount = give.param("to", range(3)), give.param("amount", range(1, 4))
    give.clause("A.other", to != give.me)
    give.clause("A.has", amount <= purse[give.me])
    give.clause("A.next", ((to - give.me == 1) & (purse[to] < 3)) | (amount == 1))
    wait = g.action("wait")
    wait.clause("A.poor", purse[wait.me] <= 0)
    g.over(closed)
    return g.build()


def _chance() -> RuleSet:
    g = Game("chance", players=2)
    rolling = g.field("rolling", values=bool)
    bias = g.field("bias", values=range(4))
    die = g.action("die", weight=1)
    face = die.param("face", range(1, 7))
    sure = die.param("sure", bool)
    die.outcome(minimum(bias, 6 - face) + as_int(sure))
    die.clause("C.rolling", rolling)
    die.limit("C.bound", face + bias <= 8)
    stop = g.action("stop", by=bias - 1)
    stop.clause("C.still", ~rolling)
    return g.build()


def _nobody() -> RuleSet:
    """Who decides may lie outside the players."""
    g = Game("nobody", players=2)
    who = g.field("who", values=range(-2, 5))
    g.action("go", by=who)
    one = g.action("one", by=1)
    one.param("x", range(2, 3))
    return g.build()


def _outside() -> RuleSet:
    """Indices outside fields and tables, and truth values among them."""
    g = Game("outside", players=1)
    row = g.field("row", 4, values=range(-3, 4), default=2)
    grid = g.field("grid", 2, 3, values=range(3), default=-1)
    flag = g.field("flag", 2, values=bool, default=1)
    steps = Table.of("steps", (2, 3), (0, 1, 2, 3, -1, 5), -4)
    a = g.action("a", by=0)
    i, j, f = a.param("i", range(-2, 6)), a.param("j", range(-1, 4)), a.param("f", bool)
    a.clause("O.row", row[i + row[j]] >= grid[i, j - 1])
    a.clause("O.table", lookup(steps, grid[j, i], row[i]) < row[row[row[0]]] + 2)
    a.clause("O.flag", (flag[i - 1] == f) | (lookup(steps, i, 1) == 3))
    a.clause("O.set", ~((row[i] + j).__eq__(2)) | f)
    return g.build()


def _payment() -> RuleSet:
    """Equations and inequations over several parameters, and two groups of parameters that do not meet."""
    g = Game("payment", players=1)
    stock = g.field("stock", 3, values=range(5))
    price = g.field("price", values=range(-2, 8))
    board = g.field("board", 2, 3, values=range(2))
    a = g.action("pay", by=0)
    row, column = a.param("row", range(2)), a.param("column", range(3))
    pay = [a.param(f"pay{n}", range(-1, 4)) for n in range(3)]
    a.clause("P.free", board[row, column] == 0)
    a.clause("P.price", pay[0] + 2 * pay[1] - pay[2] == price)
    for n in range(3):
        a.clause(f"P.stock{n}", pay[n] < stock[n] + 1)
    a.clause("P.most", 3 * pay[0] - pay[1] >= pay[2] - 2)
    same = g.action("same", by=0)
    x, y, z = (same.param(name, range(4)) for name in "xyz")
    same.clause("P.same", x == y)
    same.clause("P.order", ~(z < y))
    same.clause("P.far", x + y + z > price)
    # A value that an equation determines may lie outside its domain, where no table may be asked for it.
    ahead = g.action("ahead", by=0)
    u, v = ahead.param("u", range(4)), ahead.param("v", range(4))
    ahead.clause("P.ahead", v == u + stock[0])
    ahead.clause("P.even", lookup(Table.of("even", (4,), (True, False, True, False)), v))
    return g.build()


def _quantified() -> RuleSet:
    """Quantifiers too long to be written out, nested, and with parameters inside."""
    g = Game("quantified", players=2)
    line = g.field("line", 40, values=range(4))
    turn = g.field("turn", values=range(2))
    a = g.action("a", by=turn)
    p, q = a.param("p", range(4)), a.param("q", range(-1, 41))
    a.clause("Q.all", all_of(40, lambda i: (line[i] != p) | (i <= q)))
    a.clause("Q.any", any_of(range(-3, 30), lambda i: all_of(range(1, 9), lambda k: line[i + k] + k >= p)))
    a.clause("Q.sum", sum_of(40, lambda i: line[i] * 2) + count_of(40, lambda i: line[i] == p) > 4 * q)
    a.clause("Q.short", any_of(3, lambda i: line[i] == p) | (q > a.me * 20))
    return g.build()


def _deep() -> RuleSet:
    """An expression far deeper than Python's parser nests parentheses."""
    g = Game("deep", players=1)
    cell = g.field("cell", 5, values=range(4))
    a = g.action("a", by=0)
    p = a.param("p", range(5))
    value = p
    for n in range(150):
        value = cell[minimum(value, 4)] if n % 2 else value + cell[n % 5]
    a.clause("D.deep", value <= 1)
    return g.build()
