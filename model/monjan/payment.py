"""Paying with mana (RELEASE.*, BOSS.9, FALL.9, TOUGH.2-5): what is enough, what goes, what stays.

A payment of ``cost`` mana is split over the columns. From one column with ``n`` unspent
cards, ``b`` = 1 if the lowest is Elements, a part ``x`` is feasible when ``x <= n`` and a
real card goes; ``min(x, n - b)`` cards are spent from the top. Spent cards lie there
until the clean-up (RELEASE.8) and cannot be spent again. The nine examples of the
document and its readings are variations of these three sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Literal

from monjudge.model.language import (
    FALSE,
    TRUE,
    ActionBuilder,
    Effect,
    Expr,
    add,
    as_int,
    both,
    count_of,
    each,
    either,
    eq,
    gain,
    ite,
    lift,
    minimum,
    put,
    sum_of,
)
from monjudge.model.monjan.match import Match, possible

__all__ = ["Payment", "Purpose", "add_spending", "is_deferred"]

Purpose = Literal["release", "once", "stay", "toughness", "skill"]
_BOSS = ("once", "stay")


def _once_a_column(method: Callable[[Payment, int], Expr]) -> Callable[[Payment, int], Expr]:
    """What a payment says about a column is built when first asked for, and then kept."""

    @wraps(method)
    def kept(self: Payment, c: int) -> Expr:
        found = self._columns.get((method, c))
        if found is None:
            found = self._columns[method, c] = method(self, c)
        return found

    return kept


class Payment:
    """One payment of an action: ``parts`` are the amounts taken from L, C and R."""

    def __init__(
        self, match: Match, player: Any, purpose: Purpose, cost: Any, parts: tuple[Any, Any, Any], laid: Any = None
    ) -> None:
        self.match, self.player, self.purpose = match, player, purpose
        self.cost = lift(cost)
        self.parts = tuple(lift(x) for x in parts)
        self.laid = laid
        self.counted: tuple[Expr, ...] = (FALSE, FALSE, FALSE)
        self._columns: dict[tuple[Callable[..., Expr], int], Expr] = {}

    # -- one column ---------------------------------------------------------------------------

    def available(self, c: Any, s: Any) -> Expr:
        """Whether the card in the slot may be spent (A104: what is committed cannot pay again)."""
        m, p = self.match, self.player
        free = (m.spent[p, c, s] == 0) | m.reading("A104", "REUSE")
        return m.in_stack(p, c, s) & free & (~m.is_elements(p, c, s) | self._elements_pay(c, s))

    def _elements_pay(self, c: Any, s: Any) -> Expr:
        """Whether Elements in the slot count for this payment (A97; A98 for upper ones; A100)."""
        m = self.match
        protected = m.reading("A98", "PROTECTED")
        if self.purpose in ("release", "skill"):
            protected = protected | m.reading("A98", "PROTECTED_IN_RELEASE")
        counts = ~m.reading("A97", "NOT_COUNTED") & ((lift(s) == 0) | ~protected)
        if self.purpose == "toughness":
            counts = counts & (~m.reading("A100", "LAID_COLUMN") | eq(c, self.laid))
        return counts

    @_once_a_column
    def stock(self, c: int) -> Expr:
        """The number of cards of the column that may be counted."""
        return count_of(self.match.slots, lambda s: self.available(c, s))

    @_once_a_column
    def helps(self, c: int) -> Expr:
        """Whether the bottom Elements can be counted in this column."""
        return (self.match.elements[self.player, c] > 0) & self.available(c, 0)

    @_once_a_column
    def keeps(self, c: int) -> Expr:
        """Whether the lowest card stays although it is counted (FALL.2; A88 for plain mana)."""
        m = self.match
        plain = m.reading("A88", "KEEP_LAST_ANY") if self.purpose in _BOSS else lift(False)
        if self.purpose == "once":
            plain = plain | m.reading("A88", "KEEP_LAST_1TURN")
        return self.helps(c) | (plain & (m.elements[self.player, c] == 0))

    def part(self, c: int) -> Expr:
        return self.parts[c]

    @_once_a_column
    def discounted(self, c: int) -> Expr:
        """Whether the bottom Elements is counted: where plain mana are short (A101), or first (A89)."""
        short = self.part(c) > self.stock(c) - 1
        first = self.match.reading("A89", "ELEMENTS_COUNTS_FIRST") if self.purpose in _BOSS else lift(False)
        return self.helps(c) & (self.part(c) > 0) & (short | first | self.counted[c])

    @_once_a_column
    def spends(self, c: int) -> Expr:
        """How many cards really go from the column."""
        m, x = self.match, self.part(c)
        most = self.stock(c) - as_int(self.keeps(c))
        number = minimum(x - as_int(self.discounted(c)), most)
        if self.purpose in _BOSS:
            number = ite(m.reading("A89", "ALL_OF_COLUMN"), most, number)
        if self.purpose == "toughness":
            number = ite(m.reading("A100", "WHOLE_COLUMN") & self.helps(c), most, number)
            number = ite(self._bottom_pays(c), x, number)
        return ite(x == 0, 0, number)

    @_once_a_column
    def _bottom_pays(self, c: int) -> Expr:
        """A99 ALL_BUT_ONE: of several bottom Elements only one stays on the whole board."""
        earlier = either(*(self.discounted(d) for d in range(c)))
        return self.match.reading("A99", "ALL_BUT_ONE") & self.discounted(c) & earlier

    def _feasible(self, c: int) -> Expr:
        m, x = self.match, self.part(c)
        enough = x <= self.stock(c)
        if self.purpose in _BOSS:
            one_more = m.reading("A88", "COST_PLUS_ONE") & ~self.helps(c)
            enough = enough & (~one_more | (x < self.stock(c)))
        return (x == 0) | enough

    def _real(self, c: int) -> Expr:
        """A97: a lone bottom Elements pays nothing, unless it is read as free."""
        x, free = self.part(c), self.match.reading("A97", "FREE")
        real = ~self.helps(c) | (self.stock(c) >= 2) | free
        return (x == 0) | (real & (~self.counted[c] | (x >= 2) | free))

    # -- the whole payment ------------------------------------------------------------------------

    def sums_up(self) -> Expr:
        """Whether the three parts are amounts and make the cost."""
        return both(*(x >= 0 for x in self.parts), add(*self.parts) == self.cost)

    def enough(self) -> Expr:
        return both(*(self._feasible(c) for c in range(3)))

    def real(self) -> Expr:
        return both(*(self._real(c) for c in range(3)))

    def place(self) -> Expr:
        """Whether the payment comes from as many columns as its kind allows (A87, A96, A99)."""
        m = self.match
        columns = add(*(as_int(x > 0) for x in self.parts))
        if self.purpose != "toughness":
            across = m.reading("A87" if self.purpose in _BOSS else "A96", "ACROSS")
            return ite(across, self._short(), columns <= 1)
        discounts = add(*(as_int(self.discounted(c)) for c in range(3)))
        split = self._short() & (~m.reading("A99", "SPLIT_ONE_DISCOUNT") | (discounts <= 1))
        return ite(m.reading("A99", "ONE_COLUMN_FREE_CHOICE"), columns <= 1, split)

    def _short(self) -> Expr:
        """A101: where several columns may pay, Elements count only if all plain mana together are too few."""
        plain = add(*(self.stock(c) - as_int(self.helps(c)) for c in range(3)))
        used = either(*(self.discounted(c) for c in range(3)))
        return ~self.match.reading("A101", "ONLY_WHEN_SHORT_OVERALL") | ~used | (plain < self.cost)

    def clauses(self, action: ActionBuilder, enough: str, place: str) -> None:
        """Adds the conditions to an action under the rules that state them."""
        self._choice_to_count(action)
        action.clause(place, self.sums_up() & self.place())
        action.clause(enough, self.enough())
        action.clause("RELEASE.4", self.real())

    def _choice_to_count(self, action: ActionBuilder) -> None:
        """A101 FREE_CHOICE: the payer says in which columns the bottom Elements is counted although it need not be."""
        free = self.match.reading("A101", "FREE_CHOICE")
        if not possible(free):
            return
        self._columns.clear()
        self.counted = tuple(action.param(f"count_{column}", bool) for column in ("left", "centre", "right"))

        def idle(c: int) -> Expr:
            return free & self.helps(c) & (self.part(c) > 0) & (self.part(c) < self.stock(c))

        action.clause("RELEASE.ex2b", both(*(~counted | idle(c) for c, counted in enumerate(self.counted))))

    def effects(self) -> Iterator[list[Effect]]:
        """The cards are spent: committed until the clean-up, or gone at once (A103)."""
        m, p = self.match, self.player
        mark = ite(is_deferred(m, self.purpose), 1, 2)
        for c in range(3):
            number = self.spends(c)
            open_choice = m.reading("A102", "PAYER_CHOOSES") & (number < self._eligible(c))
            yield each(m.slots, lambda s, c=c, number=number, choice=open_choice: put(  # type: ignore[misc]
                m.spent[p, c, s], mark, when=~choice & self._chosen(c, s, number)))  # fmt: skip
            yield [put(m.spent[p, c, 0], 1, when=self.discounted(c) & ~self._bottom_pays(c) & m.reading("A158", "ONCE"))]
            yield [put(m.bottom_goes[p, c], True, when=self._bottom_pays(c))]
            if possible(open_choice):
                yield each(m.slots, lambda s, c=c, choice=open_choice: put(  # type: ignore[misc]
                    m.may_go[p, c, s], self.available(c, s) & ~self._kept(c, s), when=choice))  # fmt: skip
                yield [put(m.owed[p, c], number, when=open_choice), put(m.owed_mark[p], mark, when=open_choice)]

    def _kept(self, c: int, s: Any) -> Expr:
        return self.keeps(c) & (lift(s) == 0) & ~self._bottom_pays(c)

    @_once_a_column
    def _eligible(self, c: int) -> Expr:
        return count_of(self.match.slots, lambda s: self.available(c, s) & ~self._kept(c, s))

    def _chosen(self, c: int, s: Expr, number: Expr) -> Expr:
        """Whether the slot is among those that go: from the top, or from the bottom (A102)."""
        m = self.match
        rank = m.pick(
            "A102",
            otherwise=lambda: sum_of(m.slots, lambda t: as_int((t > s) & self.available(c, t))),
            BOTTOM_FIRST=lambda: sum_of(m.slots, lambda t: as_int((t < s) & self.available(c, t) & ~self._kept(c, t))),
        )
        return self.available(c, s) & ~self._kept(c, s) & (rank < number)


def is_deferred(m: Match, purpose: Purpose) -> Expr:
    """Whether the mana of such a payment is discarded only after the battle turn (RELEASE.8, BOSS.9; A103)."""
    if purpose in _BOSS:
        return TRUE
    later = m.reading("A103", "ALL_DEFERRED")
    return later if purpose == "release" else later | m.reading("A103", "RELEASE_NOW_T_LATER")


def add_spending(m: Match) -> None:
    """A102 PAYER_CHOOSES: the payer names the cards one by one until nothing is owed."""
    if not possible(m.reading("A102", "PAYER_CHOOSES")):
        return
    debtor: Expr = lift(0)
    for p in reversed(range(m.players)):
        debtor = ite(m.owes(p), p, debtor)
    a = m.game.action("spend", by=debtor, en="spend this mana", ja="このマナを消費する", tags=["payment"])
    column, slot, me = a.param("column", range(3)), a.param("slot", range(m.slots)), m.me
    a.clause("TOUGH.4", m.owed[me, column] > 0)
    a.clause("RELEASE.1", m.may_go[me, column, slot])
    last = m.owed[me, column] == 1
    a.effect(
        put(m.spent[me, column, slot], m.owed_mark[me]),
        gain(m.owed[me, column], -1),
        each(m.slots, lambda s: put(m.may_go[me, column, s], False, when=last | (s == slot))),
    )
