# ruff: noqa: E731  (a part of a sentence is a named lambda)
"""Norms of A.10: what a payment takes from one column, as the numbered examples say it."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import both, count_of, either, eq, minimum
from monjudge.model.monjan.norms.writer import Of, Writer, after

PAYING = ("edit_skill", "battle_skill", "boss", "boss_stay", "toughness")
RELEASE = ("edit_skill", "battle_skill")


def add(n: Writer) -> None:
    """Rules 1 and 2, the nine examples, and the exception for boss cards, all seen on the left column."""
    m = n.match
    stack: Of = lambda a: m.height[a.me, 0]
    elements: Of = lambda a: m.elements[a.me, 0]
    untouched: Of = lambda a: both(*(m.spent[a.me, 0, s] == 0 for s in range(m.slots)))
    marks: Of = lambda a: count_of(m.slots, lambda s: after(m.spent[a.me, 0, s]) > 0)
    on_field: Of = lambda a: both(untouched(a), a.left > 0)
    deferred = m.reading("A103", "ALL_DEFERRED") & m.reading("A102", "TOP_FIRST", "BOTTOM_FIRST") & m.reading("A104", "COMMIT")
    plain = deferred & m.reading("A98", "CONSUMABLE") & m.reading("A97", "NEEDS_TOP", "FREE") & m.reading("A101", "ONLY_WHEN_SHORT_PER_COLUMN")
    only_plain: Of = lambda a: on_field(a) & (elements(a) == 0)
    over_one: Of = lambda a: on_field(a) & (elements(a) == 1)
    n.must("RELEASE.1", RELEASE, lambda a: a.left <= stack(a), when=only_plain)
    # Elements cannot be consumed at all; the mark of the lowest one says only that it was counted.
    consumed: Of = lambda a: either(*((after(m.spent[a.me, 0, s]) > 0) & (elements(a) > s) for s in range(1, m.slots)))
    for acts, readings in ((RELEASE, ("PROTECTED", "PROTECTED_IN_RELEASE")), (("boss", "boss_stay", "toughness"), ("PROTECTED",))):
        n.does("RELEASE.1", acts, lambda a: ~consumed(a), when=on_field, claimed=deferred & m.reading("A98", *readings))
    n.does("RELEASE.2", RELEASE, lambda a: marks(a) == a.left, when=only_plain, claimed=plain)
    examples = {"RELEASE.ex1a": (2, 3, None), "RELEASE.ex1b": (2, 2, 2), "RELEASE.ex1c": (2, 1, 1)}
    for id, (height, cost, goes) in examples.items():
        _example(n, id, lambda a, h=height, k=cost: only_plain(a) & eq(stack(a), h) & eq(a.left, k), goes, marks, plain)
    rule_two = {"RELEASE.ex2a": (3, 3, 2), "RELEASE.ex2b": (3, 2, 2), "RELEASE.ex2c": (3, 1, 1),
                "RELEASE.ex3a": (2, 3, None), "RELEASE.ex3b": (2, 2, 1), "RELEASE.ex3c": (2, 1, 1)}  # fmt: skip
    for id, (height, cost, goes) in rule_two.items():
        case: Of = lambda a, h=height, k=cost: over_one(a) & eq(stack(a), h) & eq(a.left, k)
        # The counted Elements is marked as used although it stays.
        used = None if goes is None else goes + (1 if cost == height else 0)
        _example(n, id, case, used, marks, plain & m.reading("A158", "ONCE"))
    n.must("RELEASE.4", RELEASE, lambda a: stack(a) >= 2, when=over_one, claimed=m.reading("A97", "NEEDS_TOP", "NOT_COUNTED"))
    n.does(("BOSS.9", "BOSS.13"), "boss", lambda a: marks(a) == a.left, when=only_plain, claimed=plain & m.reading("A88", "ELEMENTS_ONLY", "COST_PLUS_ONE"))
    n.does("RELEASE.7", "boss", lambda a: marks(a) == minimum(a.left, stack(a) - 1), when=only_plain, claimed=m.reading("A88", "KEEP_LAST_ANY", "KEEP_LAST_1TURN"))
    two_and_one: Of = lambda a: both(on_field(a), eq(elements(a), 2), eq(stack(a), 3), eq(a.left, 3))
    n.does("FALL.9", "boss", lambda a: marks(a) == 3, when=two_and_one, claimed=plain & m.reading("A158", "ONCE"))
    four: Of = lambda a: both(over_one(a), eq(stack(a), 4), eq(a.left, 4))
    for id in ("TOUGH.5", "TOUGH.ex1"):
        n.does(id, "toughness", lambda a: marks(a) == 4, when=four, claimed=plain & m.reading("A158", "ONCE"))
    n.does("RELEASE.8", PAYING, lambda a: both(*(after(m.height[a.me, c]) >= m.height[a.me, c] for c in range(3))),
           claimed=m.reading("A103", "ALL_DEFERRED") & m.reading("A105", "IDENTITY"))  # fmt: skip
    for id in ("FALL.3", "BOSS.9"):
        n.does(id, PAYING, lambda a: after(elements(a)) > 0, when=lambda a: elements(a) > 0, claimed=~m.reading("A99", "ALL_BUT_ONE"))


def _example(n: Writer, id: str, case: Any, goes: int | None, marks: Any, claimed: Any) -> None:
    if goes is None:
        n.never(id, RELEASE, case)
    else:
        n.does(id, RELEASE, lambda a, k=goes: eq(marks(a), k), when=case, claimed=claimed)
