"""A fault planted in the translation of one engine never gives a wrong verdict, and does not go unnoticed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from monjudge.model.properties import Setting
from monjudge.solvers.certificate import Refused
from monjudge.solvers.engines.cpsat import terms as cpsat
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.native import Native
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.engines.smt import terms as smt
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Limits, prove
from monjudge.verify.queries import translated
from monjudge.verify.question import Property, read_properties

LIMITS = Limits(seconds=20, states=400, lines=5)
OWN = (
    Property("fewer", "invariant", "heap[0] + heap[1] != 9"), Property("two", "reachable", "heap[0] + heap[1] == 2"),
    Property("both", "fact", "not (heap[0] == 0 and heap[1] == 1) or heap[0] + heap[1] == 1"),
)  # fmt: skip
"""What induction does not do, so that states are counted; what is reached; and what is true of two things together only."""


def asked() -> list[tuple[Setting, Property]]:
    tank = Setting("tank", plugin=str(Path(__file__).with_name("leaky.py")))
    found = [(setting, prop) for setting in (Setting("nim"), Setting("duel"), tank) for prop in read_properties(setting.properties)]
    return [*found, *((Setting("nim"), prop) for prop in OWN)]


@pytest.fixture
def anew() -> Iterator[Callable[[], None]]:
    """Forgets what was translated before; and after the test what the planted fault has made."""
    yield translated.cache_clear
    translated.cache_clear()


@cache
def truth() -> list[Verdict]:
    return [prove(prop, setting.scene, LIMITS).verdict for setting, prop in asked()]


def swapped(whole: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, a, b: whole(self, b, a)


def other_way(whole: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, c, a, b: whole(self, c, b, a)


def forgets_one(whole: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, parts: whole(self, list(parts)[:-1] or list(parts))


def first_only(whole: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, parts: whole(self, list(parts)[:1])


def is_not(whole: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, *parts: self.negate(whole(self, *parts))


def doubled(whole: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, k, n: whole(self, 2 * k, n)


def misses_one(whole: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, *parts: sorted(whole(self, *parts))[:-1]


def invents_one(whole: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, *parts: [*(found := whole(self, *parts)), *(m._replace(args=tuple(n + 1 for n in m.args)) for m in found[-1:])]


def stands_still(whole: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, state, move: whole(self, state, move) if move.args[:1] != (0,) else state


FAULTS = [
    *((engine.Terms, method, fault) for engine in (smt, cpsat) for method, fault in (
        ("le", swapped), ("ite", other_way), ("add", forgets_one), ("both", first_only), ("eq", is_not))),
    (Enumerator, "moves", invents_one), (Native, "reachable_cells", misses_one), (Reference, "step", stands_still),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "method", "fault"), FAULTS, ids=lambda part: getattr(part, "__name__", part))
def test_a_fault_in_one_engine_is_noticed_and_gives_no_wrong_verdict(
    engine: Any, method: str, fault: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch, anew: Callable[[], None]
) -> None:
    right, noticed = truth(), 0
    monkeypatch.setattr(engine, method, fault(getattr(engine, method)))
    anew()
    for (setting, prop), verdict in zip(asked(), right, strict=True):
        try:
            found = prove(prop, setting.scene, LIMITS).verdict
        except (Refused, AssertionError, ValueError, TypeError, IndexError, KeyError):
            noticed += 1
            continue
        noticed += found is not verdict
        assert found in (verdict, Verdict.UNKNOWN), f"{prop.id} is said to be {found}"
    assert noticed
