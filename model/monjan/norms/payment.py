"""Norms of A.10: what a payment takes from one column, as the numbered examples say it."""

from __future__ import annotations

from monjudge.model.language import both, count_of, eq, minimum
from monjudge.model.monjan.norms.writer import Writer, after

PAYING = ("edit_skill", "battle_skill", "boss", "boss_stay", "toughness")
RELEASE = ("edit_skill", "battle_skill")


def add(n: Writer) -> None:
    """Rules 1 and 2, the nine examples, and the exception for boss cards, all seen on the left column."""
    m = n.match
    stack = lambda a: m.height[a.me, 0]  # noqa: E731
    elements = lambda a: m.elements[a.me, 0]  # noqa: E731
    untouched = lambda a: both(*(m.spent[a.me, 0, s] == 0 for s in range(m.slots)))  # noqa: E731
    marks = lambda a: count_of(m.slots, lambda s: after(m.spent[a.me, 0, s]) > 0)  # noqa: E731
    on_field = lambda a: both(untouched(a), a.left > 0)  # noqa: E731
    deferred = m.reading("A103", "ALL_DEFERRED") & m.reading("A102", "TOP_FIRST", "BOTTOM_FIRST") & m.reading("A104", "COMMIT")
    plain = deferred & m.reading("A98", "CONSUMABLE") & m.reading("A97", "NEEDS_TOP", "FREE") & m.reading("A101", "ONLY_WHEN_SHORT_PER_COLUMN")
    only_plain = lambda a: on_field(a) & (elements(a) == 0)  # noqa: E731
    over_one = lambda a: on_field(a) & (elements(a) == 1)  # noqa: E731
    n.must("RELEASE.1", RELEASE, lambda a: a.left <= stack(a), when=only_plain)
    n.does("RELEASE.2", RELEASE, lambda a: marks(a) == a.left, when=only_plain, claimed=plain)
    examples = {"RELEASE.ex1a": (2, 3, None), "RELEASE.ex1b": (2, 2, 2), "RELEASE.ex1c": (2, 1, 1)}
    for id, (height, cost, goes) in examples.items():
        case = lambda a, h=height, k=cost: only_plain(a) & eq(stack(a), h) & eq(a.left, k)  # noqa: E731
        _example(n, id, case, goes, marks, plain)
    rule_two = {"RELEASE.ex2a": (3, 3, 2), "RELEASE.ex2b": (3, 2, 2), "RELEASE.ex2c": (3, 1, 1),
                "RELEASE.ex3a": (2, 3, None), "RELEASE.ex3b": (2, 2, 1), "RELEASE.ex3c": (2, 1, 1)}  # fmt: skip
    for id, (height, cost, goes) in rule_two.items():
        case = lambda a, h=height, k=cost: over_one(a) & eq(stack(a), h) & eq(a.left, k)  # noqa: E731
        # The counted Elements is marked as used although it stays.
        used = None if goes is None else goes + (1 if cost == height else 0)
        _example(n, id, case, used, marks, plain & m.reading("A158", "ONCE"))
    n.must("RELEASE.4", RELEASE, lambda a: stack(a) >= 2, when=over_one, claimed=m.reading("A97", "NEEDS_TOP", "NOT_COUNTED"))
    n.does("RELEASE.7", "boss", lambda a: marks(a) == minimum(a.left, stack(a) - 1), when=only_plain, claimed=m.reading("A88", "KEEP_LAST_ANY", "KEEP_LAST_1TURN"))
    two_and_one = lambda a: both(on_field(a), eq(elements(a), 2), eq(stack(a), 3), eq(a.left, 3))  # noqa: E731
    n.does("FALL.9", "boss", lambda a: marks(a) == 3, when=two_and_one, claimed=plain & m.reading("A158", "ONCE"))
    four = lambda a: both(over_one(a), eq(stack(a), 4), eq(a.left, 4))  # noqa: E731
    for id in ("TOUGH.5", "TOUGH.ex1"):
        n.does(id, "toughness", lambda a: marks(a) == 4, when=four, claimed=plain & m.reading("A158", "ONCE"))
    for id in ("FALL.3", "BOSS.9"):
        n.does(id, PAYING, lambda a: after(elements(a)) > 0, when=lambda a: elements(a) > 0, claimed=~m.reading("A99", "ALL_BUT_ONE"))


def _example(n: Writer, id: str, case: object, goes: int | None, marks: object, claimed: object) -> None:
    if goes is None:
        n.never(id, RELEASE, case)  # type: ignore[arg-type]
    else:
        n.does(id, RELEASE, lambda a, k=goes: eq(marks(a), k), when=case, claimed=claimed)  # type: ignore[arg-type, operator]
