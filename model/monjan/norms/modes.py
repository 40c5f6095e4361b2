# ruff: noqa: E731  (a part of a sentence is a named lambda)
"""Norms of the six modes: initial equipment, what is mixed into the pile, the ET pile (A.14, LATEST.*, EXTRA.3)."""

from __future__ import annotations

from monjudge.model.language import add as total
from monjudge.model.language import all_of, both, either, eq, lift, sum_of
from monjudge.model.monjan.modes import MODES
from monjudge.model.monjan.norms.writer import Of, Writer, after

CHOSEN = {"LM": ("MODE.1a",), "INIT": ("MODE.2a",), "URA_LM": ("MODE.4a", "LATEST.5"), "URA_INIT": ("MODE.5a", "LATEST.3"),
          "URA_EXTRA": ("MODE.6a", "LATEST.4")}  # fmt: skip
URA = tuple(name for name, mode in MODES.items() if mode.own_pile)


def add(n: Writer) -> None:
    """The piles, the picks and what follows them."""
    _piles(n)
    if n.match.setting.draft:
        _picks(n)
        _mixing(n)


def _piles(n: Writer) -> None:
    m = n.match
    kinds = range(1, len(m.cards))
    et = m.cards.numbers("EXTRA", "TOUGHNESS")
    boss = m.cards.numbers("BOSS", "ASSASSIN")
    apart = m.in_mode(*URA) | m.reading("A146", "ALWAYS_SEPARATE")
    n.means("LATEST.1", lambda a: both(*(eq(m.deck[k], 0) for k in et)), claimed=apart)
    n.means("EXTRA.3", lambda a: both(*(eq(m.et[k], 0) for k in kinds)), claimed=~apart)
    n.means("SUPPLY.1", lambda a: both(*(eq(m.et[k], 0) for k in kinds if k not in et)))
    n.means("BOSS.1", lambda a: both(*(eq(m.ba[k], 0) for k in kinds if k not in boss)))


def _picks(n: Writer) -> None:
    m = n.match
    players = range(m.players)
    et = m.cards.numbers("EXTRA", "TOUGHNESS")
    all_there = m.reading("A143", "DATA_ERROR")
    begins: Of = lambda a: m.is_phase("DRAFT") & after(m.is_phase("DEAL"))
    chosen: Of = lambda p: sum_of(et, lambda k: after(m.hand[p, k]))
    for mode, ids in CHOSEN.items():
        number = MODES[mode].picks
        n.does(ids, None, lambda a, k=number: all_of(players, lambda p: eq(chosen(p), k)),
               when=lambda a, mode=mode: begins(a) & m.in_mode(mode), claimed=all_there)  # fmt: skip
    acts = ("pick", "draw_equipment")
    n.must("MODE.1p", acts, lambda a: m.is_initial(a.card))
    first: Of = lambda a: all_of(players, lambda p: eq(m.picks[p], m.picks[a.me]))
    n.must(("MODE.1b", "MODE.2d"), "pick", lambda a: eq(a.me, m.first_pick),
           when=lambda a: first(a) & either(*(m.in_mode(mode) & eq(m.picks[a.me], MODES[mode].picks) for mode in CHOSEN)))  # fmt: skip
    n.must("MODE.6a2", "pick", lambda a: eq(a.me, m.first_pick), when=lambda a: first(a) & m.in_mode("URA_EXTRA"))
    # Nobody is more than one card ahead: the picks alternate.
    n.does(("MODE.1b2", "MODE.1c2"), acts, lambda a: all_of(players, lambda p: all_of(players, lambda q: (
        after(m.picks[p]) <= after(m.picks[q]) + 1))))  # fmt: skip
    n.does("MODE.1b2", "pick", lambda a: eq(after(m.picks[a.me]), m.picks[a.me] - 1))
    for id, modes in (("MODE.1c", ("LM",)), ("MODE.2g", ("INIT",)), ("MODE.4a2", ("URA_LM",)), ("MODE.5a2", ("URA_INIT",))):
        n.may(id, "draw_equipment", lambda a, modes=modes: m.in_mode(*modes))
        if id.endswith("2"):
            n.may(id, "pick", lambda a, modes=modes: m.in_mode(*modes))


def _mixing(n: Writer) -> None:
    m = n.match
    et = m.cards.numbers("EXTRA", "TOUGHNESS")
    mixed = total(*(m.deck[k] for k in et)) if et else lift(0)
    dealt = m.reading("A143", "DATA_ERROR") & m.reading("A146", "BY_MODE")
    begins: Of = lambda a: m.is_phase("DRAFT") & after(m.is_phase("DEAL"))
    n.does("MODE.2b", None, lambda a: both(*(eq(after(m.pool[k]), 0) for k in et)), when=lambda a: begins(a) & m.in_mode("INIT"),
           claimed=dealt & m.reading("A141", "ALL_REMAINING"))  # fmt: skip
    n.does("MODE.2e", None, lambda a: eq(after(mixed), 20), when=lambda a: begins(a) & m.in_mode("INIT"),
           claimed=dealt & m.reading("A141", "TWENTY"))  # fmt: skip
    n.does("MODE.2f", None, lambda a: after(m.is_phase("DRAFT")) | after(m.is_phase("DEAL")), when=lambda a: m.is_phase("DRAFT"))
    first_card: Of = lambda a: m.is_phase("DEAL") & m.in_mode("EXTRA") & all_of(m.players, lambda p: eq(m.hand_size(p), 0))
    n.must("MODE.3a", "draw_card", lambda a: eq(mixed, 25), when=first_card,
           claimed=dealt & m.reading("A142", "TOTAL25_FREE_COMPOSITION"))  # fmt: skip
    n.may("MODE.3b", "draw_card", lambda a: first_card(a) & ~eq(mixed, 25), claimed=dealt & m.reading("A142", "FREE_TOTAL"))
