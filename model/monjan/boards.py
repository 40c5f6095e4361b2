"""Status boards: three attack maxima, a priority and two skills. A board is data, so any design can be loaded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from monjudge.model.language import Domain
from monjudge.model.monjan.texts import Text
from monjudge.model.notation.reading import Reading, decode

__all__ = ["FORMAT", "PRINTED", "SKILL", "Board", "board_data", "load_boards", "namesakes", "read_board"]

SKILL = Domain("board skill", ("NONE", "RITUAL", "FLAME", "TEA", "RECYCLE", "LASER", "GRAVITY", "CASTLE", "TRAP"))
"""The library of board skills (BOARD.*); a board names two of them."""

FORMAT = "monjudge-boards/1"


@dataclass(frozen=True, slots=True)
class Board:
    """A board design: ``cap`` for the columns L C R (1..16), a priority (smaller acts first), skills left and right."""

    name: str
    cap: tuple[int, int, int]
    priority: int
    left: str = "NONE"
    right: str = "NONE"
    en: str = ""
    ja: str = ""


def load_boards(data: str | bytes) -> Mapping[str, Board]:
    """The board designs of a JSON file by id, in its order; ``catalogue/boards.yaml`` shows the form.

    Raises DataError listing every defect. Whether boards may play one another is asked by ``modes``.
    """
    reading = Reading()
    record = reading.record(decode(data), "", ("format", "boards"))
    record.take("format", FORMAT, reading.choice, (FORMAT,))
    found: dict[str, Board] = {}
    for item, path in record.take("boards", iter(()), reading.items, 200):
        board = read_board(reading, item, path)
        if found.setdefault(board.name, board) is not board:
            reading.fault(path, f"there are two boards {board.name!r}", f"ボード{board.name!r}が二つある")
    reading.finish()
    return MappingProxyType(found)


def namesakes(boards: Iterable[Board]) -> list[tuple[int, str]]:
    """Which of the boards, by number and id, are called as a printed one that they are not."""
    return [(n, b.name) for n, b in enumerate(boards) if b.name in PRINTED and _design(b) != _design(PRINTED[b.name])]


def _design(board: Board) -> tuple[object, ...]:
    """What of a board matters for the rules."""
    return board.cap, board.priority, board.left, board.right


def board_data(board: Board) -> dict[str, Any]:
    """The board as an entry of a file; a missing name is its id."""
    name = {"en": board.en or board.name, "ja": board.ja or board.name}
    return {"id": board.name, "name": name, "cap": list(board.cap), "priority": board.priority,
            "left": board.left, "right": board.right}  # fmt: skip


def read_board(reading: Reading, value: Any, path: str) -> Board:
    """The board of one entry of a file; defects go to the reading."""
    row = reading.record(value, path, ("id", "name", "cap", "priority"), ("left", "right"))
    cap = [reading.whole(n, at, range(1, 17)) for n, at in row.take("cap", iter(()), reading.items, 3)]
    if "cap" in row.fields and len(cap) != 3:
        reading.fault(row.at("cap"), f"three maxima L C R, not {len(cap)}", f"最大攻撃はL C Rの三つ。{len(cap)}個ある")
    left, centre, right = (*cap, 1, 1, 1)[:3]
    name = row.take("name", Text("?", "?"), reading.text)
    one, two = (row.take(side, "NONE", reading.choice, SKILL.labels) for side in ("left", "right"))
    return Board(
        row.take("id", "?", reading.string), (left, centre, right),
        row.take("priority", 0, reading.whole, range(10_000)), one, two, name.en, name.ja,
    )  # fmt: skip


PRINTED: Mapping[str, Board] = load_boards(Path(__file__).with_name("catalogue").joinpath("boards.json").read_bytes())
"""The four printed boards (BOARD.FLEHEIM, BOARD.ATELIER, BOARD.MANAST, BOARD.HUNTERS)."""
