"""The search for a forced goal as Python sees it: memory, limits, and what the memory knows afterwards."""

from __future__ import annotations

import ctypes
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple
from weakref import finalize, ref

from monjudge.model.language import FALSE, Expr, Move
from monjudge.solvers.engines.native.breath import STOPPED, told
from monjudge.solvers.engines.native.compiled import Compiled
from monjudge.solvers.engines.native.engine import Native
from monjudge.solvers.engines.native.layout import CALM_BIT, FULL, LIMIT, LIMIT_NOTE
from monjudge.solvers.engines.native.memo import CONTROL, HEAD, NEVER
from monjudge.solvers.engines.native.memory import Room, give_back, lend
from monjudge.solvers.engines.native.prove import ABORTED, HISTORY, THAWED, UNKNOWN
from monjudge.solvers.engines.native.squeeze import around
from monjudge.solvers.engines.native.weigh import CIRCLES, WIDE

__all__ = ["Child", "Counts", "Prover", "Stopped", "Weigher"]

PACE = 1 << 14
"""Positions between two looks at the clock."""

FAR = 1 << 40
"""A deadline that no counter of turns reaches."""

GAMES, LONG = 16, 2000
"""Random games that show which cells differ, and their moves at most."""

FEW = 1 << 14
"""Positions that a search may have expanded for its room to be lent to another."""

LEAST = 1 << 12
"""Entries at least, and places of the index at first."""

_CELL = {name: n for n, name in enumerate(CONTROL)}

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
        self._compiled = Compiled.of(engine)
        self._hopeless = 0 if hopeless is FALSE else self._compiled.condition(hopeless)
        self._raised: BaseException | None = None
        self._control = (_I64 * len(CONTROL))()
        self._callback = _callback(self)
        self._lay_room()
        self._root, self._bits = b"", self._compiled.bits
        self._most_nodes, self._until = self._allowed = FAR, float("inf")
        self._set(
            callback=ctypes.cast(self._callback, _P).value or 0, goal=self._compiled.condition(goal), player=player,
            hopeless=self._hopeless, remembers=remember, ordered=ordered, replies=replies, deepest=deepest, assumed=2**31 - 1,
        )  # fmt: skip

    # -- questions ------------------------------------------------------------------------

    def ending(self, packed: bytes, deadline: int | None = None) -> int:
        """YES where the goal holds, NO where the game is over or the deadline has come, else UNKNOWN."""
        self._due(deadline)
        self._lay(packed)
        return int(self._compiled.ending(self._start, self._control))

    def is_open(self, packed: bytes, deadline: int | None = None) -> bool:
        """Whether play goes on here: the goal does not hold, the game is not over and the deadline has not come."""
        return self.ending(packed, deadline) == UNKNOWN

    def children(self, packed: bytes) -> list[Child]:
        """All moves in canonical order. Raises Stopped where the memory does not hold them."""
        slot, size, first = self.engine.layout.slot, self.engine.layout.size, self._start
        self._lay(packed)
        status = _I32()
        after = self._compiled.children(first, first + slot, self._end, ctypes.byref(status))
        if after is None:
            raise Stopped("memory")
        found, view = [], self._room.view
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
        return self._complete(packed, self._compiled.prove)

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
            self._set(hopeless=self._hopeless)

    def _ends(self, nodes: int | None, seconds: float | None) -> tuple[int, float]:
        """The count of positions and the moment at which so many more are used up."""
        most = FAR if nodes is None else self._get("nodes") + nodes
        return most, float("inf") if seconds is None else time.monotonic() + seconds

    def _prepare(self, packed: bytes, nodes: int | None, seconds: float | None) -> None:
        most, until = self._ends(nodes, seconds)
        self._most_nodes, self._until = min(most, self._allowed[0]), min(until, self._allowed[1])
        if not self._root or _differing(packed, self._root) & ~self._bits:
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
        first, result = self._start, ABORTED
        try:
            result = int(walk(first, first + self.engine.layout.slot, self._end, self._control, 0))
        finally:
            if result == ABORTED:
                self._compiled.off_path(self._control)
                self._set(assumed=2**31 - 1)
        return result

    def best(self, packed: bytes) -> Move | None:
        """The move that settled a position, if that is remembered."""
        self._lay(packed)
        number = int(self._compiled.best(self._start, self._control)) if self._root else -1
        return None if number < 0 else self.engine._move(number)

    def known(self, packed: bytes, deadline: int | None = None) -> int:
        """YES or NO where that is settled already, else UNKNOWN; nothing is searched."""
        ended = self.ending(packed, deadline)
        return ended if ended != UNKNOWN or not self._root else int(self._compiled.known(self._start, self._control))

    def _due(self, deadline: int | None) -> None:
        """A deadline has the same name in the memory whatever position is asked about."""
        turns = self.engine.rules.turns
        if deadline is None or turns is None:
            self._set(deadline=FAR, turns=NEVER - 1)
        else:
            self._set(deadline=deadline, turns=max(0, min(deadline - turns.number.lo, NEVER - 1)))

    def _lay(self, packed: bytes) -> None:
        slot = self.engine.layout.slot
        self._room.view[:slot] = packed.ljust(slot, b"\0")

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
        return self._room.size

    @property
    def used(self) -> int:
        """The bytes of all entries that were ever taken, and of the index."""
        return self._get("next") * self._get("stride") + 8 * (self._get("mask") + 1)

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

    def _lay_room(self) -> None:
        """One room for all: the stack of states, what is noted of the search, and the memory of positions."""
        size, at = self.engine.layout.size, 0
        stack = max(1 << 20, self.memory // 4 & -4096)
        parts = {"stack": stack, "history": 8 * HISTORY, "steps": 4 * size, **dict.fromkeys(("root", "frozen", "thaw", "key"), size)}
        self._at = dict[str, int]()
        for name, needed in parts.items():
            self._at[name], at = at, at + needed + -needed % 64
        self._at["pool"] = at
        self._room = lend(at + max(int(0.75 * self.memory), _needed(HEAD + size, LEAST)))
        self._start = self._room.start
        self._end = self._start + stack
        finalize(self, _leave, self._room, self._control).atexit = False
        self._room.clear(self._at["history"], 8 * HISTORY)
        self._set(**{name: self._start + place for name, place in self._at.items() if name in CONTROL})

    def _begin(self, packed: bytes) -> None:
        """The keys hold what differs after some random games, or else all that may be written.

        What other searches came to hold is not taken over: an answer, with its line, is the same whatever was asked before.
        """
        compiled, differing = self._compiled, _differing(packed, self._root) & ~self._bits if self._root else 0
        if not self._bits:
            for seed in range(GAMES):
                differing |= _differing(packed, self._played(packed, seed))
            self._bits = around(differing, compiled.writable, 8) or 1  # a key has a word at least
        if self._root and not differing & ~compiled.writable:
            self._widen(differing)
        else:
            self._root = packed
            self._lay_out()

    def _played(self, packed: bytes, seed: int) -> bytes:
        """The state where some random moves end, or a limit stops them."""
        numbers, status = (_I32 * LONG)(), _I32()
        self._lay(packed)
        self._compiled.playout(self._start, self._end, seed, numbers, LONG, ctypes.byref(status))
        return bytes(self._room.view[: len(packed)])

    def _thaw(self) -> None:
        """More differs than the keys hold: from now on they do."""
        at, size = self._at["thaw"], self.engine.layout.size
        self._widen(int.from_bytes(self._room.view[at : at + size], "little"))

    def _widen(self, differing: int) -> None:
        """The keys hold this, too, and the cells around it; what is remembered stays if there is room for it."""
        assert differing & ~self._bits
        old, stride, kept = self._compiled.squeezed(self._bits).steps, self._get("stride"), self._get("next")
        self._bits |= differing | around(differing, self._compiled.writable, 64)
        self._lay_out(kept)
        if self._get("next"):
            steps = ctypes.create_string_buffer(old, len(old))
            first = ctypes.addressof(steps)
            self._compiled.rekey(first, first + len(old), stride, self._start, self._control)

    def _lay_out(self, kept: int = 0) -> None:
        """The parts of the memory for keys with the bits of today; of so many entries nothing is forgotten."""
        size, at = self.engine.layout.size, self._at
        keys = self._compiled.squeezed(self._bits)
        stride = HEAD + 8 * keys.words
        # An entry, up to four places of the index, and a place among those that are held.
        capacity = max(LEAST, int(0.75 * self.memory) // (stride + 40))
        places = 1 << (2 * capacity - 1).bit_length()
        index = at["pool"] + stride * capacity
        for name, data in (("root", self._root), ("frozen", keys.frozen), ("thaw", bytes(size)), ("steps", keys.steps)):
            self._room.view[at[name] : at[name] + len(data)] = data
        if not 0 < kept <= capacity:
            self._set(next=0, free=0, count=0, floor=1, mask=LEAST - 1)
            ctypes.memset(self._start + index, 0, 8 * LEAST)
        self._set(
            words=keys.words, steps_end=self._start + at["steps"] + len(keys.steps), stride=stride, capacity=capacity, thawed=0,
            index=self._start + index, most=places - 1, mask=min(self._get("mask"), places - 1),
            held=self._start + index + 8 * places, holding=0,
        )  # fmt: skip

    # -- the control block ----------------------------------------------------------------

    def _get(self, name: str) -> int:
        return int(self._control[_CELL[name]])

    def _set(self, **values: int) -> None:
        for name, value in values.items():
            self._control[_CELL[name]] = value


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
        try:
            self._complete(packed, self._compiled.weigh)
        except BaseException:
            self._lay_out()  # what a walk left unfinished looks like what is settled
            raise
        return Fraction(self._get("numerator"), self._get("denominator"))

    _valid_for: int | None = None

    def _thaw(self) -> None:
        """As of a search of proofs, but all is forgotten: what the walk left unfinished looks like what is settled."""
        self._set(next=0)
        super()._thaw()


def _callback(prover: Prover) -> Any:
    """A function for native code that lets the prover breathe, without keeping it alive."""
    weak = ref(prover)

    def breathe() -> int:
        alive = weak()
        return 1 if alive is None else alive._breathe()

    return ctypes.CFUNCTYPE(_I32)(breathe)


def _leave(room: Room, control: Any) -> None:
    """Lets another search have the room of one that is over, if few of its pages were touched."""
    if control[_CELL["nodes"]] <= FEW:
        give_back(room)


def _needed(stride: int, capacity: int) -> int:
    """The bytes of so many entries of ``stride`` bytes with their index."""
    return (stride + 40) * capacity


def _differing(one: bytes, other: bytes) -> int:
    """The bits that differ, the first byte lowest."""
    return int.from_bytes(one, "little") ^ int.from_bytes(other, "little")
