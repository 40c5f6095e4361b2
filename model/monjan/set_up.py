"""Setting a table (SETUP.*, COMP.*, MODE.*): the rule set of a match and the state before its first pick or deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from monjudge.model.language import RuleSet, State
from monjudge.model.monjan.boards import Board, board_data, read_board
from monjudge.model.monjan.cards import Card, Catalogue
from monjudge.model.monjan.catalogue.packs import BOSS, ET, MONJAN, Pack
from monjudge.model.monjan.match import HAND, PHASE, Setting
from monjudge.model.monjan.modes import MODES, PLAYERS, check_table, put_into_pile, read_as
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.texts import Text, switch_texts
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.reading import Reading

__all__ = ["SLOTS", "cards_in_play", "described", "first_state", "start", "table", "table_again"]

SLOTS = 16
"""Mana cards that a column of a whole game may hold before the model says *unknown (limit)*."""


def cards_in_play(pack: Pack, mode: str) -> list[Card]:
    """The kinds of cards that a match of this mode can show: in LM the pile has no E and T cards (A146)."""
    kinds = (*MONJAN, *BOSS, *(ET if MODES[mode].has_et else ()))
    only_picked = not MODES[mode].mixed and not MODES[mode].own_pile
    return [c for c in pack.copies(kinds) if c.kind not in ET or c.initial or not only_picked]


def table(
    pack: Pack, mode: str, boards: Sequence[Board], readings: Mapping[str, str] | None = None,
    *, open: Iterable[str] = (), slots: int = SLOTS, hiding: bool = False,
) -> Setting:  # fmt: skip
    """The setting of a whole match with these things, one board for each player in the order of the seats.

    Raises DataError listing everything that forbids it (see ``modes.check_table``).
    """
    chosen = dict(readings or {})
    check_table(pack, mode, boards, chosen)
    cards = cards_in_play(pack, mode)
    if read_as(chosen, "A124", "TOKEN") or "A124" in open:
        cards.append(Card("ANY", name="token"))
    return Setting(
        Catalogue(cards), tuple(boards), mode, chosen, frozenset(open), slots=slots, hiding=hiding, draft=True
    )


def described(setting: Setting, pack: Pack) -> dict[str, Any]:
    """The table as plain data, the cards by the hash of their pack: what a log says about its rule set."""
    return {
        "pack": pack.hash, "mode": setting.mode, "boards": [board_data(b) for b in setting.boards],
        "readings": dict(setting.readings), "open": sorted(setting.open), "slots": setting.slots,
        "hiding": setting.hiding,
    }  # fmt: skip


def table_again(data: Any, pack: Pack) -> Setting:
    """The table that was ``described``. Raises DataError for another pack, or data that describe no table."""
    r = Reading()
    record = r.record(data, "", ("pack", "mode", "boards", "readings", "open", "slots", "hiding"))
    if record.take("pack", pack.hash, r.string) != pack.hash:
        r.fault("pack", f"the cards are not those of {pack.name.en}", f"{pack.name.ja} のカードではない")
    boards = [read_board(r, item, path) for item, path in record.take("boards", iter(()), r.items, len(PLAYERS) + 1)]
    known = switch_texts()
    readings = r.record(record.fields.get("readings", {}), "readings", (), known)
    chosen = {s: readings.take(s, "", r.choice, tuple(known[s].values)) for s in readings.fields if s in known}
    names = (*known, "BOARDS", "MODE", "CARDS")
    open = [r.choice(item, path, names) for item, path in record.take("open", iter(()), r.items, len(names))]
    mode, slots = record.take("mode", "BASIC", r.choice, tuple(MODES)), record.take("slots", SLOTS, r.whole, range(2, 41))
    hiding = record.take("hiding", False, r.truth)
    r.finish()
    return table(pack, mode, boards, chosen, open=open, slots=slots, hiding=hiding)


def start(
    setting: Setting, pack: Pack, *, rps_winner: int = 0, by_lot: bool = False, agreed: Mapping[Card, int] | None = None
) -> tuple[RuleSet, State]:
    """The rule set of a ``table`` and its ``first_state``."""
    rules = monjan(setting)
    return rules, first_state(rules, setting, pack, rps_winner=rps_winner, by_lot=by_lot, agreed=agreed)


def first_state(
    rules: RuleSet, setting: Setting, pack: Pack, *, rps_winner: int = 0, by_lot: bool = False,
    agreed: Mapping[Card, int] | None = None,
) -> State:  # fmt: skip
    """The state before the draft and the deal, still to be settled by the engine that plays it.

    ``rps_winner`` picks first (MODE.1b); ``by_lot`` draws the initial equipment (MODE.1c, MODE.2g); ``agreed``
    are the E/T cards that the players put into the pile (MODE.2e, MODE.3a-b, SUPPLY.1), else chance mixes
    them in after the draft. Raises DataError when these are not in the pack, too few or too many.
    """
    mode, players, readings = setting.mode, setting.players, setting.readings
    cards = setting.catalogue
    pool = {c: n for c, n in pack.copies(ET).items() if c in set(cards.cards)}
    picks = MODES[mode].picks
    left = sum(pool.values()) - picks * players
    mixing = put_into_pile(mode, left, readings)
    values: dict[str, Any] = {
        "deck": _counts(cards, pack.copies(MONJAN)),
        "ba": _counts(cards, pack.copies(BOSS)),
        "phase": PHASE["DRAFT"],
        "picks": [picks] * players,
        "first_pick": rps_winner,
        "picks_by_lot": int(by_lot),
        "due": [HAND - (picks if read_as(readings, "A148", "WITHIN_TEN") else 0)] * players,
    }
    if agreed is not None:
        _check_agreed(setting, pool, agreed, mixing)
        apart = MODES[mode].own_pile or read_as(readings, "A146", "ALWAYS_SEPARATE")
        pile = "et" if apart else "deck"
        values[pile] = [a + b for a, b in zip(_counts(cards, agreed), values.get(pile, [0] * len(cards)), strict=True)]
        pool = {c: n - agreed.get(c, 0) for c, n in pool.items()}
        mixing = 0
    values |= {"pool": _counts(cards, pool), "mixing": max(0, mixing)}
    return rules.state(values)


def _counts(cards: Catalogue, copies: Mapping[Card, int]) -> list[int]:
    counts = [0] * len(cards)
    for card, number in copies.items():
        counts[cards[card]] = number
    return counts


def _check_agreed(setting: Setting, pool: Mapping[Card, int], agreed: Mapping[Card, int], due: int) -> None:
    """Whether the agreed cards are there, as many as the mode says, and leave enough to pick."""
    mode, defects = MODES[setting.mode], []
    for card, number in agreed.items():
        if not 0 <= number <= pool.get(card, 0):
            there = pool.get(card, 0)
            defects.append((f"{number} of {card}, the pack has {there}", f"{card} を{number}枚。あるのは{there}枚"))
    total = sum(agreed.values())
    free = mode.own_pile or (setting.mode == "EXTRA" and read_as(setting.readings, "A142", "FREE_TOTAL"))
    least = 2 * mode.et * setting.players
    if not free and total != due:
        defects.append((f"{mode.clause}: {total} cards, not {due}", f"{mode.clause}：{total}枚ではなく{due}枚"))
    if mode.own_pile and total < least:
        defects.append((f"{mode.clause}: {total} cards, {least} are needed", f"{mode.clause}：{total}枚。{least}枚要る"))
    yellow = sum(n - agreed.get(c, 0) for c, n in pool.items() if c.initial)
    if yellow < mode.picks * setting.players:
        defects.append((f"{mode.clause}: {yellow} yellow cards are left to pick", f"{mode.clause}：黄色は{yellow}枚しか残らない"))
    if defects:
        raise DataError([Defect("agreed", Text(*texts)) for texts in defects])
