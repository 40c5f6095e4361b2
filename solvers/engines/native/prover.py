"""The search for a forced goal as Python sees it: memory, limits, and what the memory knows afterwards."""

from __future__ import annotations

import ctypes
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from monjudge.model.language import FALSE, Expr, Move
from monjudge.solvers.engines.native.breath import STOPPED, caller, told
from monjudge.solvers.engines.native.engine import Native
from monjudge.solvers.engines.native.ir import Module
from monjudge.solvers.engines.native.layout import CALM_BIT, FULL, LIMIT, LIMIT_NOTE
from monjudge.solvers.engines.native.llvm import Code
from monjudge.solvers.engines.native.memo import CONTROL, HEAD, NEVER, SEEDS
from monjudge.solvers.engines.native.memory import Room
from monjudge.solvers.engines.native.program import program, root
from monjudge.solvers.engines.native.prove import ABORTED, HISTORY, THAWED, UNKNOWN, prove
from monjudge.solvers.engines.native.weigh import CIRCLES, WIDE, weigh

__all__ = ["Child", "Counts", "Prover", "Stopped", "Weigher"]

PACE = 1 << 14
"""Positions between two looks at the clock."""

FAR = 1 << 40
"""A deadline that no counter of turns reaches."""

_LONG = 2000
"""Moves of a random game at most."""

_RECORD = struct.Struct("=ii")
_P, _I32, _I64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64


class Stopped(Exception):
    """The search was stopped; the message says why: nodes, time or memory (for odds also model, fractions, circles)."""


_REASONS = {FULL: "memory", LIMIT: "model", WIDE: "fractions", CIRCLES: "circles"}


class Child(NamedTuple):
    """A move and the packed state after it (None where a bound of the model is passed); the weight of an outcome of chance."""

    move: Move
    packed: bytes | None
    weight: int = 0


@dataclass(frozen=True)
class Counts:
    """What a search did: positions expanded, answers from memory, entries kept, and how often the memory was swept."""

    nodes: int
    hits: int
    entries: int
    sweeps: int


class Prover:
    """A search for one goal of one player, over the states of a native engine. Keeps its memory between questions.

    Where ``hopeless`` holds, the goal is not reached before the number of the turn rises (see ``model.language.Hopeless``).
    ``memory`` bounds the bytes for positions, three quarters of them for those remembered. ``watch(nodes)`` is
    called every so often with the positions expanded so far; an exception raised there (Ctrl-C, too) ends the search.
    """

    def __init__(
        self, engine: Native, goal: Expr, player: int, *,
        memory: int = 1 << 28, deepest: int = 1000, remember: bool = True, ordered: bool = True,
        replies: bool = True, hopeless: Expr = FALSE, watch: Callable[[int], None] | None = None,
    ) -> None:  # fmt: skip
        self.engine, self.player, self.memory, self.watch = engine, player, memory, watch
        self._code, self._goal = _search_code(engine), Code(_condition(engine, "goal", goal))
        self._hopeless = None if hopeless is FALSE else Code(_condition(engine, "hopeless", hopeless))
        self._raised: BaseException | None = None
        self._control = (_I64 * len(CONTROL))()
        self._callback = ctypes.CFUNCTYPE(_I32)(self._breathe)
        self._stack = Room(max(1 << 20, memory // 4 & -4096))
        self._live: set[int] | None = None
        self._rooms: dict[str, Room] = {}
        self._most_nodes, self._until = self._allowed = FAR, float("inf")
        self._set(
            callback=ctypes.cast(self._callback, _P).value, goal=self._goal.address("goal"), player=player,
            hopeless=self._hopeless_at,
            remembers=remember, ordered=ordered, replies=replies, deepest=deepest,
            history=self._room("history", 8 * HISTORY), assumed=2**31 - 1,
        )  # fmt: skip

    @property
    def _hopeless_at(self) -> int:
        return 0 if self._hopeless is None else self._hopeless.address("hopeless")

    # -- questions ------------------------------------------------------------------------

    def ending(self, packed: bytes, deadline: int | None = None) -> int:
        """YES where the goal holds, NO where the game is over or the deadline has come, else UNKNOWN."""
        self._due(deadline)
        self._lay(packed)
        return int(self._ending(self._stack.start, self._control))

    def is_open(self, packed: bytes, deadline: int | None = None) -> bool:
        """Whether play goes on here: the goal does not hold, the game is not over and the deadline has not come."""
        return self.ending(packed, deadline) == UNKNOWN

    def children(self, packed: bytes) -> list[Child]:
        """All moves in canonical order. Raises Stopped where the memory does not hold them."""
        slot, size, first = self.engine.layout.slot, self.engine.layout.size, self._stack.start
        self._lay(packed)
        status = _I32()
        after = self._children(first, first + slot, self._stack.end, ctypes.byref(status))
        if after is None:
            raise Stopped("memory")
        found, view = [], self._stack.view
        for at in range(slot, after - first, slot):
            record, note = _RECORD.unpack_from(view, at + size)
            move = self.engine._move(record & ~CALM_BIT)
            packed_after = None if note == LIMIT_NOTE else bytes(view[at : at + size])
            found.append(Child(move, packed_after, max(0, -note) if packed_after is not None else 0))
        return found

    def prove(
        self, packed: bytes, deadline: int | None = None, *, nodes: int | None = None, seconds: float | None = None
    ) -> int:
        """YES, NO or UNKNOWN (see ``limits``) for a settled state; the deadline is the number of the first turn too late.

        Raises Stopped where the positions or seconds allowed are used up, or the memory for the children of a path is.
        """
        known = self.ending(packed, deadline)
        if known != UNKNOWN:
            return known
        self._prepare(packed, nodes, seconds)
        return self._complete(packed, self._prove)

    @contextmanager
    def within(self, nodes: int | None, seconds: float | None) -> Iterator[None]:
        """All searches inside together may use so many positions and seconds more (None: no limit)."""
        before = self._allowed
        self._allowed = self._ends(nodes, seconds)
        try:
            yield
        finally:
            self._allowed = before

    @contextmanager
    def by_moves_alone(self) -> Iterator[None]:
        """Inside nothing is hopeless: what has no win is searched to the end of its turns."""
        self._set(hopeless=0)
        try:
            yield
        finally:
            self._set(hopeless=self._hopeless_at)

    def _ends(self, nodes: int | None, seconds: float | None) -> tuple[int, float]:
        """The count of positions and the moment at which so many more are used up."""
        most = FAR if nodes is None else self._get("nodes") + nodes
        return most, float("inf") if seconds is None else time.monotonic() + seconds

    def _prepare(self, packed: bytes, nodes: int | None, seconds: float | None) -> None:
        most, until = self._ends(nodes, seconds)
        self._most_nodes, self._until = min(most, self._allowed[0]), min(until, self._allowed[1])
        if self._live is None:
            self._begin(packed)
        self._set(limits=0)

    def _complete(self, packed: bytes, walk: Any) -> int:
        """The result of a search, begun anew when more words differ than the keys hold."""
        while True:
            result = self._run(packed, walk)
            if result != ABORTED:
                return result
            status = self._get("status")
            if status == THAWED:
                self._thaw()
            elif status == STOPPED:
                raised, self._raised = self._raised, None
                assert raised is not None
                raise raised
            else:
                raise Stopped(_REASONS[status])

    def _run(self, packed: bytes, walk: Any) -> int:
        """One search; whatever ends it early, no position stays on its path."""
        self._lay(packed)
        self._set(pace=min(PACE, self._most_nodes - self._get("nodes")), status=0, signals=told()[2])
        first, result = self._stack.start, ABORTED
        try:
            result = int(walk(first, first + self.engine.layout.slot, self._stack.end, self._control, 0))
        finally:
            if result == ABORTED:
                self._off_path(self._control)
                self._set(assumed=2**31 - 1)
        return result

    def best(self, packed: bytes) -> Move | None:
        """The move that settled a position, if that is remembered."""
        self._lay(packed)
        number = int(self._best(self._stack.start, self._control)) if self._live is not None else -1
        return None if number < 0 else self.engine._move(number)

    def known(self, packed: bytes, deadline: int | None = None) -> int:
        """YES or NO where that is settled already, else UNKNOWN; nothing is searched."""
        ended = self.ending(packed, deadline)
        return ended if ended != UNKNOWN or self._live is None else int(self._known(self._stack.start, self._control))

    def _due(self, deadline: int | None) -> None:
        """A deadline has the same name in the memory whatever position is asked about."""
        turns = self.engine.rules.turns
        if deadline is None or turns is None:
            self._set(deadline=FAR, turns=NEVER - 1)
        else:
            self._set(deadline=deadline, turns=max(0, min(deadline - turns.number.lo, NEVER - 1)))

    def _lay(self, packed: bytes) -> None:
        slot = self.engine.layout.slot
        self._stack.view[:slot] = packed.ljust(slot, b"\0")

    @property
    def limits(self) -> int:
        """Why the last answer is UNKNOWN: bits MODEL and DEEP."""
        return self._get("limits")

    @property
    def counts(self) -> Counts:
        """Of all questions so far."""
        return Counts(self._get("nodes"), self._get("hits"), self._get("count"), self._get("swept"))

    @property
    def reserved(self) -> int:
        """The bytes that the search may come to use."""
        rooms: list[Room] = [self._stack, *self._rooms.values()]
        return sum(room.size for room in rooms)

    # -- limits ---------------------------------------------------------------------------

    def _breathe(self) -> int:
        """Called from within the search; whatever is raised here (Ctrl-C as well) is raised again outside."""
        try:
            nodes = self._get("nodes")
            if nodes >= self._most_nodes:
                raise Stopped("nodes")
            if time.monotonic() > self._until:
                raise Stopped("time")
            if self.watch is not None:
                self.watch(nodes)
            self._set(pace=min(PACE, self._most_nodes - nodes))
        except BaseException as error:
            self._raised = error
            return 1
        return 0

    # -- memory ---------------------------------------------------------------------------

    def _begin(self, packed: bytes) -> None:
        """Which words of a state a key holds: those in which this one, and the ends of some random games, differ."""
        self._root, self._live = packed, {0}
        words = range(self.engine.layout.size // 8)
        for seed in range(16):
            played = self._played(packed, seed)
            self._live |= {w for w in words if played[8 * w : 8 * w + 8] != packed[8 * w : 8 * w + 8]}
        self._lay_out()

    def _played(self, packed: bytes, seed: int) -> bytes:
        """The state where some random moves end, or a limit stops them."""
        numbers, status = (_I32 * _LONG)(), _I32()
        self._lay(packed)
        self._playout(self._stack.start, self._stack.end, seed, numbers, _LONG, ctypes.byref(status))
        return bytes(self._stack.view[: len(packed)])

    def _thaw(self) -> None:
        """More words differ than the keys hold: begins anew with them as well."""
        thaw = self._rooms["thaw"].view
        more = {w for w in range(self.engine.layout.size // 8) if any(thaw[8 * w : 8 * w + 8])}
        assert self._live is not None and not more <= self._live
        self._live |= more
        self._lay_out()

    def _lay_out(self) -> None:
        assert self._live is not None
        size, live = self.engine.layout.size, sorted(self._live)
        stride = HEAD + 8 * len(live)
        # An entry, up to four places of the index, and a place among those that are held.
        capacity = max(1 << 12, int(0.75 * self.memory) // (stride + 40))
        most = 1 << (2 * capacity - 1).bit_length()
        frozen, masks = bytearray(b"\xff" * size), []
        for n, w in enumerate(live):
            frozen[8 * w : 8 * w + 8] = bytes(8)
            masks += [-1, SEEDS[n % len(SEEDS)]]
        self._set(
            root=self._fill("root", self._root), frozen=self._fill("frozen", bytes(frozen)),
            thaw=self._fill("thaw", bytes(size)), key=self._fill("key", bytes(size)),
            words=len(live), offsets=self._fill("offsets", (_I64 * len(live))(*(8 * w for w in live))),
            masks=self._fill("masks", (_I64 * len(masks))(*masks)),
            pool=self._room("pool", stride * capacity), stride=stride, next=0, capacity=capacity, free=0, count=0,
            index=self._room("index", 8 * most), mask=(1 << 12) - 1, most=most - 1, floor=1, thawed=0,
            held=self._room("held", 8 * capacity), holding=0,
        )  # fmt: skip

    def _fill(self, name: str, data: Any) -> int:
        raw = bytes(data)
        start = self._room(name, max(64, len(raw)))
        self._rooms[name].view[: len(raw)] = raw
        return start

    def _room(self, name: str, size: int) -> int:
        room = self._rooms[name] = Room(max(4096, size))
        return room.start

    # -- the control block ----------------------------------------------------------------

    def _get(self, name: str) -> int:
        return int(self._control[CONTROL.index(name)])

    def _set(self, **values: int | None) -> None:
        for name, value in values.items():
            self._control[CONTROL.index(name)] = value or 0

    def _function(self, name: str, result: Any, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(result, *arguments)(self._code.address(name))

    @cached_property
    def _prove(self) -> Any:
        return caller(self._code.address("prove"), _I32, _P, _P, _P, _P, _I32)

    @cached_property
    def _playout(self) -> Any:
        return self._function("playout", _I64, _P, _P, ctypes.c_uint64, _P, _I64, _P)

    @cached_property
    def _children(self) -> Any:
        return self._function("children", _P, _P, _P, _P, _P)

    @cached_property
    def _best(self) -> Any:
        return self._function("best", _I32, _P, _P)

    @cached_property
    def _known(self) -> Any:
        return self._function("known", _I32, _P, _P)

    @cached_property
    def _ending(self) -> Any:
        return self._function("ending", _I32, _P, _P)

    @cached_property
    def _off_path(self) -> Any:
        return self._function("memo_off_path", None, _P)


_codes: WeakKeyDictionary[Native, Code] = WeakKeyDictionary()


class Weigher(Prover):
    """The same for the probability of a goal under best play. Its memory is of another kind than that of proofs."""

    def weigh(
        self, packed: bytes, deadline: int | None = None, *, nodes: int | None = None, seconds: float | None = None
    ) -> Fraction:
        """The probability, exactly. Raises Stopped where a limit is reached or it is not defined."""
        self._due(deadline)
        self._prepare(packed, nodes, seconds)
        if self._valid_for != deadline:
            self._lay_out()
        self._valid_for = deadline
        self._complete(packed, self._weigh)
        return Fraction(self._get("numerator"), self._get("denominator"))

    _valid_for: int | None = None

    @cached_property
    def _weigh(self) -> Any:
        return caller(self._code.address("weigh"), _I32, _P, _P, _P, _P, _I32)


def _search_code(engine: Native) -> Code:
    """The module of a rule set with the search in it; made once for each engine."""
    if engine not in _codes:

        def more(module: Module) -> None:
            if engine.rules.turns is not None:
                root(module, engine.layout, "internal i32 @turn_number", engine.rules.turns.number)
            for function in (*prove(engine.layout, engine.rules), *weigh(engine.layout)):
                module.add(function)

        _codes[engine] = Code(program(engine.rules, engine.layout, more))
    return _codes[engine]


def _condition(engine: Native, name: str, condition: Expr) -> str:
    """The LLVM text of a function of this name: whether the condition holds in a state."""
    module = Module()
    root(module, engine.layout, f"zeroext i1 @{name}", condition)
    return module.text()
