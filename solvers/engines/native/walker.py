"""The compiled walk over a certificate as Python sees it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from monjudge.model.language import Expr, LimitReached
from monjudge.solvers.engines.native.breath import STOPPED, caller, told
from monjudge.solvers.engines.native.engine import Native
from monjudge.solvers.engines.native.layout import FULL
from monjudge.solvers.engines.native.llvm import Code
from monjudge.solvers.engines.native.memory import Room, give_back, lend
from monjudge.solvers.engines.native.visited import CELLS, HEAD
from monjudge.solvers.engines.native.walk import BOUND, DEEP, REFUSED, walk
from monjudge.solvers.walk import Checked, Claim, refuse, refuse_bound

__all__ = ["Decide", "follow"]

Decide = Callable[[bytes], int]
"""The decision at a packed state."""

DEEPEST = 10_000
"""Moves in a row that the walk may go: the stack of a thread bounds them."""

FEWEST = 1 << 10
"""Places of the index to begin with."""

KEPT = 10_000
"""A walk of so many positions at most leaves its memory for the next one."""

FAR = 1 << 40
"""A number of a turn that no counter reaches."""

_P, _I32, _I64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64


def follow(
    claim: Claim, engine: Native, choices: Sequence[int] | Decide, tried: int = 0, *,
    moves: Code | None = None, memory: int | None = None,
) -> Checked:  # fmt: skip
    """What the walk saw; ``choices`` are the decisions of a certificate, or who makes them as they are needed.

    ``engine`` is that of the claim's rule set; ``moves`` is compiled code that has its moves, if not its own, and
    ``memory`` the bytes that may be used, if not so many as the engine may. Raises Refused where the decisions do not
    show the claim, LimitReached where the memory does not suffice or play goes too deep, whatever ``choices`` raises.
    """
    return _Walk(claim, engine, moves or engine.code, memory or engine.memory).run(choices, tried)


class _Walk:
    def __init__(self, claim: Claim, engine: Native, moves: Code, memory: int) -> None:
        self.claim, self.engine, self.moves, self.memory, self.layout = claim, engine, moves, memory, engine.layout
        self.cells = (_I64 * len(CELLS))()
        self.raised: BaseException | None = None

    def run(self, choices: Sequence[int] | Decide, tried: int) -> Checked:
        claim, layout = self.claim, self.layout
        followed = _compiled(self.engine, claim.goal)
        room, stack = self._lay_out()
        decide = ctypes.CFUNCTYPE(_I64, _P)(self._asker(choices)) if callable(choices) else None
        numbers = [] if callable(choices) else [max(-2, min(n, 2**31)) for n in choices]
        listed = (_I64 * max(1, len(numbers)))(*numbers)
        self._set(
            children=self.moves.address("children"), over=self.moves.address("over"),
            late=FAR if claim.late is None else claim.late, player=claim.player, answer=claim.answer, tried=tried,
            choices=ctypes.addressof(listed), given=len(numbers), decide=ctypes.cast(decide, _P).value if decide else 0, deepest=DEEPEST,
        )  # fmt: skip
        for name, number in zip(CELLS, told(), strict=False):
            self._set(**{name: number})
        room.view[: layout.slot] = layout.pack(claim.state).ljust(layout.slot, b"\0")
        stopped = followed(room.start, room.start + layout.slot, room.start + stack, self.cells, 0)
        if self._get("entries") <= KEPT:
            give_back(room)
        if stopped:
            self._stop()
        if decide is None and self._get("read") < len(numbers):
            refuse("left")
        return Checked(self._get("known"), self._get("read"))

    def _lay_out(self) -> tuple[Room, int]:
        """The memory: the stack of states, whose bytes are told, the entries, their index, when each move settled last."""
        stride, candidates = HEAD + self.layout.size, self.engine.candidates
        capacity = min(2**31 - 2, self.memory // 4 * 3 // (stride + 32))
        most = max(FEWEST, 1 << (2 * capacity).bit_length())
        sizes = (max(4096, self.memory // 4), stride * capacity, 8 * most, 8 * candidates)
        stack, entries, index, last = (size + -size % 64 for size in sizes)
        room = lend(stack + entries + index + last)
        at = room.start + stack
        self._set(pool=at, capacity=capacity, index=at + entries, mask=FEWEST - 1, most=most - 1, last=at + entries + index)
        room.clear(stack + entries, 8 * FEWEST)
        room.clear(stack + entries + index, last)
        return room, stack

    def _asker(self, choices: Decide) -> Callable[[int], int]:
        """Who is asked from within the walk; what he raises is raised again outside."""

        def ask(address: int) -> int:
            try:
                return choices(ctypes.string_at(address, self.layout.size))
            except BaseException as error:
                self.raised = error
                return -2

        return ask

    def _stop(self) -> None:
        """Raises why the walk stopped."""
        if self.raised is not None:
            raise self.raised
        status = self._get("status") & (2**31 - 1)
        if status == BOUND:
            refuse_bound(self.engine._move(self._get("move")))
        if 16 <= status < 16 + len(REFUSED):
            refuse(REFUSED[status - 16])
        assert status in (FULL, DEEP, STOPPED)
        raise LimitReached(
            f"the certificate goes more than {DEEPEST:,} moves deep" if status == DEEP
            else f"the walk over {self.claim.rules.name!r} needs more than {self.memory:,} bytes"
        )  # fmt: skip

    def _get(self, name: str) -> int:
        return int(self.cells[CELLS.index(name)])

    def _set(self, **values: int | None) -> None:
        for name, value in values.items():
            self.cells[CELLS.index(name)] = value or 0


_codes: WeakKeyDictionary[Native, dict[int, tuple[Code, Any]]] = WeakKeyDictionary()


def _compiled(engine: Native, goal: Expr) -> Any:
    """The walk for one goal; made once for each engine."""
    made = _codes.setdefault(engine, {})
    if goal.uid not in made:
        code = Code(walk(engine.layout, engine.rules, goal), level=2)
        made[goal.uid] = code, caller(code.address("follow"), _I32, _P, _P, _P, _P, _I32)
    return made[goal.uid][1]
