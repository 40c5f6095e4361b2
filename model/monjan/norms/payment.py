"""Norms of A.10: what a payment takes from one column, as the numbered examples say it."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Expr, both, count_of, either, eq, minimum
from monjudge.model.monjan.norms.writer import Said, Writer, after

PAYING = ("edit_skill", "battle_skill", "boss", "boss_stay", "toughness")
RELEASE = ("edit_skill", "battle_skill")


def add(n: Writer) -> None:
    """Rules 1 and 2, the nine examples, and the exception for boss cards, all seen on the left column."""
    left = _Left(n)
    _rules(n, left)
    _examples(n, left)
    _bosses(n, left)
    _elements(n, left)


class _Left:
    """The left column of the payer ``a.me``, who takes ``a.left`` of the cost from there."""

    def __init__(self, n: Writer) -> None:
        m = self.match = n.match
        self.deferred = m.reading("A103", "ALL_DEFERRED") & m.reading("A102", "TOP_FIRST", "BOTTOM_FIRST") & m.reading("A104", "COMMIT")
        self.plain = both(self.deferred, m.reading("A98", "CONSUMABLE"), m.reading("A97", "NEEDS_TOP", "FREE"),
                          m.reading("A101", "ONLY_WHEN_SHORT_PER_COLUMN"))  # fmt: skip
        self.marked = self.plain & m.reading("A158", "ONCE")

    def stack(self, a: Any) -> Expr:
        return self.match.height[a.me, 0]

    def elements(self, a: Any) -> Expr:
        return self.match.elements[a.me, 0]

    def pays(self, a: Any) -> Expr:
        """Whether something is taken from the column, of which nothing has been spent before."""
        m = self.match
        return both(a.left > 0, *(m.spent[a.me, 0, s] == 0 for s in range(m.slots)))

    def only_plain(self, a: Any) -> Expr:
        return self.pays(a) & (self.elements(a) == 0)

    def over_one(self, a: Any) -> Expr:
        return self.pays(a) & (self.elements(a) == 1)

    def marks(self, a: Any) -> Expr:
        """How many cards lie there spent; a lowest Elements that was only counted is marked, too."""
        m = self.match
        return count_of(m.slots, lambda s: after(m.spent[a.me, 0, s]) > 0)

    def stays(self, a: Any) -> Expr:
        """Whether the turn goes on: when nobody has anything more to play, the clean-up follows in the same step."""
        m = self.match
        return eq(after(m.phase), m.phase) & eq(after(m.turn), m.turn)


def _rules(n: Writer, left: _Left) -> None:
    m = n.match
    n.must("RELEASE.1", RELEASE, lambda a: a.left <= left.stack(a), when=left.only_plain)
    # Elements cannot be consumed at all, against FALL.9.
    protected = ((RELEASE, ("PROTECTED", "PROTECTED_IN_RELEASE")), (("boss", "boss_stay", "toughness"), ("PROTECTED",)))
    for acts, readings in protected:
        n.does("RELEASE.1", acts, lambda a: ~either(*(
            (after(m.spent[a.me, 0, s]) > 0) & (left.elements(a) > s) for s in range(1, m.slots))),
            when=left.pays, claimed=left.deferred & m.reading("A98", *readings))  # fmt: skip
    n.does("RELEASE.2", RELEASE, lambda a: left.marks(a) == a.left, when=lambda a: left.only_plain(a) & left.stays(a), claimed=left.plain)
    n.must("RELEASE.4", (*RELEASE, "boss", "toughness"), lambda a: left.stack(a) >= 2, when=left.over_one, claimed=m.reading("A97", "NEEDS_TOP", "NOT_COUNTED"))
    n.does("RELEASE.8", PAYING, lambda a: both(*(after(m.height[a.me, c]) >= m.height[a.me, c] for c in range(3))), when=left.stays,
           claimed=m.reading("A103", "ALL_DEFERRED") & m.reading("A105", "IDENTITY"))  # fmt: skip
    # Literally "by discarding": the mana is gone when the skill is done.
    n.does("EXTRA.10", RELEASE, lambda a: after(left.stack(a)) < left.stack(a), when=left.only_plain,
           claimed=~m.reading("A103", "ALL_DEFERRED") & ~m.reading("A102", "PAYER_CHOOSES"))  # fmt: skip


def _examples(n: Writer, left: _Left) -> None:
    """Each is: cards in the column, cost, cards that are discarded; None where it is impossible."""
    rule_one = {"RELEASE.ex1a": (2, 3, None), "RELEASE.ex1b": (2, 2, 2), "RELEASE.ex1c": (2, 1, 1)}
    rule_two = {"RELEASE.ex2a": (3, 3, 2), "RELEASE.ex2b": (3, 2, 2), "RELEASE.ex2c": (3, 1, 1),
                "RELEASE.ex3a": (2, 3, None), "RELEASE.ex3b": (2, 2, 1), "RELEASE.ex3c": (2, 1, 1)}  # fmt: skip

    def example(id: str, where: Said, height: int, cost: int, gone: int | None, claimed: Expr) -> None:
        def case(a: Any) -> Expr:
            return both(where(a), eq(left.stack(a), height), eq(a.left, cost))

        if gone is None:
            n.never(id, RELEASE, case)
        else:
            n.does(id, RELEASE, lambda a: eq(left.marks(a), gone), when=lambda a: case(a) & left.stays(a), claimed=claimed)

    for id, (height, cost, gone) in rule_one.items():
        example(id, left.only_plain, height, cost, gone, left.plain)
    for id, (height, cost, gone) in rule_two.items():
        # The counted Elements is marked as used although it stays.
        counted = None if gone is None else gone + int(cost == height)
        example(id, left.over_one, height, cost, counted, left.marked)


def _bosses(n: Writer, left: _Left) -> None:
    m = n.match
    n.does(("BOSS.9", "BOSS.13"), "boss", lambda a: left.marks(a) == a.left, when=left.only_plain,
           claimed=left.plain & m.reading("A88", "ELEMENTS_ONLY", "COST_PLUS_ONE"))  # fmt: skip
    n.does("RELEASE.7", "boss", lambda a: left.marks(a) == minimum(a.left, left.stack(a) - 1), when=left.only_plain,
           claimed=m.reading("A88", "KEEP_LAST_ANY", "KEEP_LAST_1TURN"))  # fmt: skip
    n.does("FALL.9", "boss", lambda a: left.marks(a) == 3,
           when=lambda a: both(left.pays(a), eq(left.elements(a), 2), eq(left.stack(a), 3), eq(a.left, 3)), claimed=left.marked)  # fmt: skip


def _elements(n: Writer, left: _Left) -> None:
    m = n.match
    n.does(("TOUGH.5", "TOUGH.ex1"), "toughness", lambda a: left.marks(a) == 4,
           when=lambda a: both(left.over_one(a), eq(left.stack(a), 4), eq(a.left, 4)), claimed=left.marked)  # fmt: skip
    n.does(("FALL.3", "BOSS.9"), PAYING, lambda a: after(left.elements(a)) > 0, when=lambda a: left.elements(a) > 0,
           claimed=~m.reading("A99", "ALL_BUT_ONE"))  # fmt: skip
