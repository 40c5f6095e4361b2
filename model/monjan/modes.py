"""Match modes (MODE.*, LATEST.*, SUPPLY.*, COMP.*): what each gives, and whether a table can be set with these things.

>>> draft_order("LM", players=2, winner=0)
(0, 1, 0, 1, 0, 1)
>>> normal_pile_size("INIT")
120
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from monjudge.model.monjan.boards import Board
from monjudge.model.monjan.catalogue.packs import ET, MONJAN, Pack
from monjudge.model.monjan.match import HAND
from monjudge.model.monjan.readings import reading_defects
from monjudge.model.monjan.texts import Text, switch_texts
from monjudge.model.notation.defects import DataError, Defect

__all__ = [
    "COUNTERS",
    "MODES",
    "PLAYERS",
    "Mode",
    "check_table",
    "counters",
    "draft_order",
    "initial_picks",
    "normal_pile_size",
    "put_into_pile",
    "read_as",
    "table_defects",
]

PLAYERS = range(2, 5)
"""COMP.8: how many may play."""

COUNTERS = 3
"""COMP.5: life markers of one player, one for each column."""

MONJAN_PILE = 100
"""COMP.1: cards of the Monjan pile."""


@dataclass(frozen=True, slots=True)
class Mode:
    """A match mode: cards picked by each player, E/T cards mixed into the Monjan pile, and what one fall gives.

    ``own_pile`` says whether the E and T cards are a pile of their own (LATEST.1).
    """

    clause: str
    en: str
    ja: str
    picks: int = 0
    mixed: int = 0
    normal: int = 3
    et: int = 0

    @property
    def own_pile(self) -> bool:
        return self.et > 0

    @property
    def has_et(self) -> bool:
        """Whether Extra and Toughness cards are in play at all."""
        return bool(self.picks or self.mixed or self.et)


MODES: Mapping[str, Mode] = MappingProxyType(
    {
        "BASIC": Mode("FLOW.1", "Basic game", "基本ゲーム"),
        "LM": Mode("MODE.1", "Last Monster", "ラストモンスター", picks=3),
        "INIT": Mode("MODE.2", "Initial Equipment", "初期装備", picks=3, mixed=20),
        "EXTRA": Mode("MODE.3", "Extra", "エキストラ", mixed=25),
        "URA_LM": Mode("MODE.4", "Ura Last Monster", "裏ラストモンスター", picks=3, normal=2, et=1),
        "URA_INIT": Mode("MODE.5", "Ura Initial Equipment", "裏初期装備", picks=2, normal=1, et=2),
        "URA_EXTRA": Mode("MODE.6", "Ura Extra", "裏エキストラ", picks=1, normal=0, et=3),
    }
)
"""The six modes of the document, and the basic game without Extra and Toughness cards."""

Readings = Mapping[str, str]
_NONE: Readings = MappingProxyType({})


def read_as(readings: Readings, switch: str, *values: str) -> bool:
    """Whether the ambiguity is read in one of these ways (its default where it is not named)."""
    return readings.get(switch, switch_texts()[switch].default) in values


def initial_picks(mode: str) -> int:
    """How many cards each player picks before the game (MODE.1a, 2a, 4a, 5a, 6a)."""
    return MODES[mode].picks


def put_into_pile(mode: str, left: int | None = None, readings: Readings = _NONE) -> int:
    """How many E/T cards go into a pile (MODE.2e, MODE.3a: the normal one; SUPPLY.1: the ET pile).

    ``left`` is the number of E/T cards that nobody picked. All of them go in the ura modes and under A141
    ALL_REMAINING, and at most that many under A143 AS_MANY_AS_POSSIBLE. Raises ValueError where it is needed.
    """
    everything = MODES[mode].own_pile or (mode == "INIT" and read_as(readings, "A141", "ALL_REMAINING"))
    if not everything and not read_as(readings, "A143", "AS_MANY_AS_POSSIBLE"):
        return MODES[mode].mixed
    if left is None:
        raise ValueError("under these readings the number depends on the pack: say how many cards are left")
    return left if everything else min(MODES[mode].mixed, left)


def normal_pile_size(mode: str, left: int | None = None, readings: Readings = _NONE) -> int:
    """The cards of the normal pile before the deal (COMP.1, MODE.2e, MODE.3a; A146); ``left`` as above."""
    separate = MODES[mode].own_pile or read_as(readings, "A146", "ALWAYS_SEPARATE")
    return MONJAN_PILE + (0 if separate else put_into_pile(mode, left, readings))


def draft_order(mode: str, players: int, winner: int, readings: Readings = _NONE) -> tuple[int, ...]:
    """The seats in the order in which they pick, from the winner of rock-paper-scissors on (MODE.1b; A147)."""
    seats = [(winner + n) % players for n in range(players)]
    snake = read_as(readings, "A147", "SNAKE")
    return tuple(
        seat
        for picked in range(MODES[mode].picks)
        for seat in (reversed(seats) if snake and picked % 2 else seats)
    )


def counters(players: int) -> tuple[int, int]:
    """Life markers of one player and of all (COMP.5)."""
    return COUNTERS, COUNTERS * players


# -- whether the table can be set ------------------------------------------------------------------


def check_table(pack: Pack, mode: str, boards: Sequence[Board], readings: Readings = _NONE) -> None:
    """Raises DataError listing everything that keeps these things from being a match."""
    defects = table_defects(boards, readings)
    if mode not in MODES:
        known = ", ".join(MODES)
        defects.append(_defect("mode", f"{mode!r} is no mode; there are {known}", f"{mode!r} はない。あるのは {known}"))
    elif not defects:
        defects = _shortage(pack, mode, len(boards), readings)
    if defects:
        raise DataError(defects)


def table_defects(boards: Sequence[Board], readings: Readings = _NONE) -> list[Defect]:
    """What is wrong with the players, the readings and the boards (COMP.8; A46, A138, A149)."""
    if defects := list(reading_defects(readings)):
        return defects
    count = len(boards)
    if count not in PLAYERS:
        defects.append(_defect("boards", f"COMP.8: {count} players, not 2 to 4", f"COMP.8：{count}人では遊べない"))
    for n, board in enumerate(boards):
        defects += [_defect(f"boards[{n}]", *text) for text in _board_faults(board, boards[:n], readings)]
    return defects


def _board_faults(board: Board, earlier: Sequence[Board], readings: Readings) -> Iterator[tuple[str, str]]:
    name, rank = board.name, board.priority
    like_printed = read_as(readings, "A138", "RANGE_LIKE_PRINTED")
    if like_printed and not all(4 <= cap <= 7 for cap in board.cap):
        yield f"A138: {name} has a maximum outside 4..7", f"A138：{name} の最大攻撃が4～7の外"
    if any(other.name == name for other in earlier) and not read_as(readings, "A149", "DUPLICATES_OK"):
        yield f"A149: {name} is taken already", f"A149：{name} は既に使われている"
    elif any(other.priority == rank for other in earlier) and (like_printed or read_as(readings, "A46", "FORBID")):
        yield f"A46: {name} has a priority ({rank}) of another board", f"A46：{name} の優先度{rank}は他のボードと同じ"


def _shortage(pack: Pack, mode: str, players: int, readings: Readings) -> list[Defect]:
    """Whether the pack holds the cards of the mode (A143 DATA_ERROR; the first hands are always needed)."""
    data, defects = MODES[mode], []
    monjan = sum(pack.copies(MONJAN).values())
    if monjan < HAND * players:
        defects.append(_short("SETUP.1", "Monjan cards", "モンジャンカード", HAND * players, monjan))
    if read_as(readings, "A143", "AS_MANY_AS_POSSIBLE"):
        return defects
    initial = sum(pack.copies(ET, initial=True).values())
    whole = sum(pack.copies(ET).values())
    picks, supply = data.picks * players, 2 * data.et * players
    for clause, en, ja, needed, there in (
        (data.clause, "yellow E/T cards", "黄色いETカード", picks, initial),
        (data.clause, "E/T cards", "ETカード", picks + data.mixed + supply, whole),
    ):
        if there < needed:
            defects.append(_short(clause, en, ja, needed, there))
    return defects


def _short(clause: str, en: str, ja: str, needed: int, there: int) -> Defect:
    return _defect("pack", f"{clause}: {needed} {en} are needed, the pack has {there}", f"{clause}：{ja}が{needed}枚要るが、{there}枚しかない")


def _defect(path: str, en: str, ja: str) -> Defect:
    return Defect(path, Text(en, ja))
