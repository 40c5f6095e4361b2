"""The native engine as Python sees it."""

from __future__ import annotations

import ctypes
import struct
import threading
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from monjudge.model.language import NATURE, Expr, LimitReached, Move, RuleSet, State, add
from monjudge.solvers.engines.native.breath import caller, told
from monjudge.solvers.engines.native.columns import Batch
from monjudge.solvers.engines.native.layout import CALM_BIT, FULL, LIMIT, LIMIT_NOTE, MIXED, STUCK, Layout
from monjudge.solvers.engines.native.llvm import Code
from monjudge.solvers.engines.native.memory import Room
from monjudge.solvers.engines.native.moves import candidates
from monjudge.solvers.engines.native.program import expressions, program
from monjudge.solvers.engines.native.triggers import BOUND

__all__ = ["Native"]

SMALL = 1 << 18
"""Bytes of the room in which single states are expanded, before it has to grow."""

LEVEL = 1 << 18
"""Bytes that one level of perft gets at first: a walk that runs out of room begins anew in a larger one."""

DEEPEST = 1000
"""Moves in a row that a recursive walk may go: the stack of a thread bounds them."""

T = TypeVar("T")
_P, _I32, _I64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64


class Native:
    """One rule set, compiled for this processor. States must be settled (see ``settle``).

    ``memory`` bounds the bytes that a call may use for states; a walk that needs more
    raises LimitReached. Compiled when first used; the object code is kept on disk.
    Every method that takes a state raises ValueError when a cell lies outside its interval.
    """

    def __init__(self, rules: RuleSet, *, memory: int = 1 << 30) -> None:
        self.rules, self.memory, self.layout = rules, memory, Layout(rules)
        self._firsts = [0]
        for action in rules.actions:
            self._firsts.append(self._firsts[-1] + candidates(rules, action))
        if self._firsts[-1] >= 2**31:
            raise ValueError(f"the game {rules.name!r} has {self._firsts[-1]:,} candidate moves, too many to number")
        self._moves: dict[int, Move] = {}
        self._batches: dict[str, Batch] = {}
        self._local = threading.local()

    @property
    def candidates(self) -> int:
        """How many moves there are in all, legal or not; their numbers are below it."""
        return self._firsts[-1]

    # -- single states --------------------------------------------------------------------

    def over(self, state: State) -> bool:
        """Whether the game has ended."""
        return bool(self._over(self._put(state).start))

    def payoff(self, state: State) -> tuple[int, ...]:
        """What each player gets; meaningful where the game is over."""
        count = len(self.rules.payoffs)
        out = (_I32 * max(1, count))()
        self._payoff(self._put(state).start, None, None, out)
        return tuple(out[:count])

    def moves(self, state: State) -> list[Move]:
        """All legal moves (decisions and chance outcomes), in canonical order."""
        return [self._move(n) for n in self._expand(state)[1]]

    def outcomes(self, state: State) -> list[tuple[Move, int]]:
        """The legal chance outcomes with their weights. Raises LimitReached where one passes a bound of the model."""
        _, numbers, notes = self._expand(state)
        self._refuse_limits(numbers, notes)
        return [(self._move(n), -note) for n, note in zip(numbers, notes, strict=True) if note < 0]

    def successors(self, state: State) -> tuple[list[Move], list[State]]:
        """The legal moves and the settled states they lead to.

        Raises LimitReached when a move passes a bound of the model.
        """
        room, numbers, notes = self._expand(state)
        self._refuse_limits(numbers, notes)
        slot = self.layout.slot
        return [self._move(n) for n in numbers], [
            self.layout.unpack(room.view, at * slot) for at in range(1, len(numbers) + 1)
        ]

    def steps(self, state: State) -> list[tuple[Move, State | None]]:
        """The legal moves, each with the settled state it leads to, or None where it passes a bound of the model."""
        room, numbers, notes = self._expand(state)
        slot = self.layout.slot
        return [
            (self._move(n), None if note == LIMIT_NOTE else self.layout.unpack(room.view, at * slot))
            for at, (n, note) in enumerate(zip(numbers, notes, strict=True), 1)
        ]

    def legal(self, state: State, move: Move) -> bool:
        """Whether the move is legal; a clause of kind ``limit`` that fails makes it not legal here.

        Raises ValueError for an unknown action or a wrong number of parameters.
        """
        number = self._number(move)
        return number is not None and number in self._expand(state)[1]

    def step(self, state: State, move: Move) -> State:
        """The settled state after a legal move.

        Raises LimitReached when a bound of the model is passed, ValueError when the move
        is not legal.
        """
        room, numbers, notes = self._expand(state)
        number = self._number(move)
        if number not in numbers:
            raise ValueError(f"{move} is not legal in this state of {self.rules.name!r}")
        at = numbers.index(number)
        self._refuse_limits(numbers[at : at + 1], notes[at : at + 1])
        return self.layout.unpack(room.view, (at + 1) * self.layout.slot)

    def settle(self, state: State) -> State:
        """The state after all triggers. Raises LimitReached when they do not come to rest, or pass a bound."""
        room = self._put(state)
        if self._settle(room.start) == BOUND:
            raise LimitReached(f"the triggers of {self.rules.name!r} pass a bound of the model or do not come to rest")
        return self.layout.unpack(room.view)

    def _refuse_limits(self, numbers: Sequence[int], notes: Sequence[int]) -> None:
        if LIMIT_NOTE in notes:
            move = self._move(numbers[notes.index(LIMIT_NOTE)])
            raise LimitReached(f"{move} passes a bound of the model {self.rules.name!r}")

    # -- walks ----------------------------------------------------------------------------

    def perft(self, state: State, depth: int) -> int:
        """How many positions at most ``depth`` moves lead to: the state itself, interior ones and leaves.

        Raises LimitReached when a bound of the model or of the memory is passed.
        """
        return self.perft_tally(state, depth)[0]

    def perft_tally(self, state: State, depth: int) -> tuple[int, int]:
        """``perft``, and in how many of the positions the game is over."""
        if not 0 <= depth <= DEEPEST:
            raise ValueError(f"the depth is 0..{DEEPEST}, not {depth}")

        def walk(room: Room) -> tuple[tuple[int, int], int]:
            tally, top = (_I64 * 4)(0, *told()), room.start + self.layout.slot
            below = self._perft(room.start, top, depth, top, room.end, tally)
            return (1 + below, tally[0]), tally[1]

        return self._walked(state, walk, depth * LEVEL)

    def reachable(self, state: State, limit: int) -> int:
        """How many distinct states can be reached, the given one included.

        Raises LimitReached when there are more than ``limit``, or a bound is passed.
        """
        return self._reached(state, limit, lambda room, count: count)

    def reachable_cells(self, state: State, limit: int, names: Sequence[str]) -> set[State]:
        """The distinct values of all cells of some families, in this order, in the states that can be reached.

        Raises LimitReached as ``reachable`` does, and KeyError for a family that the rule set does not have.
        """
        families, layout = [self.rules.family_named[name] for name in names], self.layout
        places = [(layout.offset[f.uid], f.size * layout.bits[f.uid] // 8) for f in families]
        kind = struct.Struct("=" + "".join(f"{f.size}{layout.code(f)}" for f in families))

        def cells(room: Room, count: int) -> set[bytes]:
            starts, view = range(0, count * layout.slot, layout.slot), room.view
            return {b"".join([view[s + at : s + at + size] for at, size in places]) for s in starts}

        return {kind.unpack(packed) for packed in self._reached(state, limit, cells)}

    def _reached(self, state: State, limit: int, read: Callable[[Room, int], T]) -> T:
        """What is read from the room whose first slots are all states that can be reached."""
        slot, most = self.layout.slot, limit + self._firsts[-1] + 1  # room for the children of the last state

        def walk(room: Room) -> tuple[T, int]:
            slots = min(most, room.size // slot)
            places = 1 << (2 * slots).bit_length()
            status, table = (_I64 * 3)(*told()), Room(4 * places)
            count = self._reach(room.start, room.start + slots * slot, table.start, places - 1, status)
            if count > limit or (status[0] == FULL and slots == most):
                raise LimitReached(f"more than {limit:,} states can be reached")
            return read(room, count), status[0]

        return self._walked(state, walk)

    def random_playout(self, state: State, seed: int, most: int = 10_000) -> tuple[list[Move], State]:
        """Random moves until none is legal, and the state after them.

        All decisions are equally likely; where there are chance outcomes one of them
        happens, by its weight. Raises LimitReached after ``most`` moves, ValueError where ``most`` is negative.
        """
        if most < 0:
            raise ValueError(f"the number of moves is at least 0, not {most}")

        def walk(room: Room) -> tuple[tuple[list[Move], State], int]:
            status, numbers = _I32(), (_I32 * max(1, most))()
            count = self._playout(room.start, room.end, seed, numbers, most, ctypes.byref(status))
            return ([self._move(n) for n in numbers[:count]], self.layout.unpack(room.view)), status.value

        return self._walked(state, walk)

    def solve(self, state: State) -> int:
        """The payoff of player 0 under best play of both, by alpha-beta without a table.

        For two players in turn whose payoffs have a constant sum, without chance: else
        ValueError. Raises LimitReached where play goes deeper than ``DEEPEST`` moves.
        """
        payoffs = self.rules.payoffs
        if self.rules.players != 2 or len(payoffs) != 2 or not add(*payoffs).is_const:
            raise ValueError(f"{self.rules.name!r} is not a game of two players whose payoffs have a constant sum")
        if self.over(state):
            return self.payoff(state)[0]

        def walk(room: Room) -> tuple[int, int]:
            status, top = (_I64 * 3)(*told()), room.start + self.layout.slot
            window = payoffs[0].lo, payoffs[0].hi
            return self._solve(room.start, *window, DEEPEST, top, room.end, status), status[0]

        return self._walked(state, walk)

    def _walked(self, state: State, walk: Callable[[Room], tuple[T, int]], least: int = SMALL) -> T:
        """The result of a walk, in rooms of ``least`` bytes that grow until it fits. Raises as its status says."""
        room, name = self._put(state), self.rules.name
        if room.size < min(least, self.memory):
            room = self._local.room = self._put(state, Room(min(least, self.memory)))
        while True:
            result, status = walk(room)
            if status == 0:
                return result
            if status == FULL and room.size < self.memory:
                room = self._put(state, Room(min(8 * room.size, self.memory)))
                continue
            if status in (STUCK, MIXED):
                what = "no move, yet is not over" if status == STUCK else "moves of several players or of chance"
                raise ValueError(f"a state of {name!r} has {what}")
            raise LimitReached(
                f"a bound of the model {name!r} is passed" if status == LIMIT
                else f"the walk over {name!r} needs more than {self.memory:,} bytes, or goes too deep"
            )  # fmt: skip

    # -- expressions and columns ----------------------------------------------------------

    def batch(self, action: str) -> Batch:
        """The guard of one action over columns of states and moves; compiled when first asked for."""
        found = self._batches.get(action)
        if found is None:
            found = self._batches[action] = Batch(self.rules, action)
        return found

    @staticmethod
    def expressions(rules: RuleSet, exprs: Sequence[Expr], variables: Sequence[str] = ()) -> Callable[..., list[int]]:
        """A function ``(state, env={}, after=None)``: the values of some expressions (a truth value is 0 or 1).

        ``env`` holds the free variables named in ``variables``; ``after`` the next state,
        where an expression speaks of it.
        """
        layout = Layout(rules)
        code = Code(expressions(layout, exprs, variables))
        function = ctypes.CFUNCTYPE(None, _P, _P, _P, _P)(code.address("values"))
        given, out = (_I32 * max(1, len(variables)))(), (_I32 * max(1, len(exprs)))()
        rooms = Room(layout.slot), Room(layout.slot)

        def values(state: State, env: Mapping[str, int] | None = None, after: State | None = None) -> list[int]:
            for room, cells in zip(rooms, (state, state if after is None else after), strict=True):
                layout.check(cells)
                room.view[: layout.size] = layout.pack(cells)
            for n, name in enumerate(variables):
                given[n] = (env or {})[name]
            function(rooms[0].start, rooms[1].start, given, out)
            return list(out[: len(exprs)])

        values.code = code  # type: ignore[attr-defined]  # the machine code lives as long as the function
        return values

    # -- memory and numbers ---------------------------------------------------------------

    def _put(self, state: State, room: Room | None = None) -> Room:
        """A room (one for each thread unless given) with the state in its first slot."""
        if room is None:
            room = getattr(self._local, "room", None) or Room(SMALL)
            self._local.room = room
        room.view[: self.layout.slot] = self.layout.pack(state).ljust(self.layout.slot, b"\0")
        if not self._valid(room.start):
            self.layout.check(state)
        return room

    def packed(self, state: State) -> bytes:
        """The cells of a state as they lie in memory."""
        return bytes(self._put(state).view[: self.layout.size])

    def _expand(self, state: State) -> tuple[Room, list[int], list[int]]:
        """The room with the children from its second slot on, their numbers and notes."""
        slot, size, room = self.layout.slot, self.layout.size, self._put(state)
        status = _I32()
        while True:
            first = room.start + slot
            after = self._children(room.start, first, room.end, ctypes.byref(status))
            if after is not None:
                count = (after - first) // slot
                numbers, notes = (room.column(slot + size + at, slot, count) for at in (0, 4))
                return room, [n & ~CALM_BIT for n in numbers], notes
            if room.size >= self.memory:
                raise LimitReached(f"the moves of one state need more than {self.memory:,} bytes")
            room = self._local.room = self._put(state, Room(min(8 * room.size, self.memory)))

    def _move(self, number: int) -> Move:
        """The move with a number among all candidates."""
        found = self._moves.get(number)
        if found is None:
            at = bisect_right(self._firsts, number) - 1
            action, rest, args = self.rules.actions[at], number - self._firsts[at], list[int]()
            for p in reversed(action.params):
                rest, place = divmod(rest, len(p.values))
                args.append(p.values[place])
            me = NATURE if action.is_chance else rest
            found = self._moves[number] = Move(action.name, me, tuple(reversed(args)))
        return found

    def _number(self, move: Move) -> int | None:
        """The number of a move; None for a value outside the domain of its parameter."""
        action = self.rules.by_name.get(move.action)
        if action is None:
            raise ValueError(f"the game {self.rules.name!r} has no action {move.action!r}")
        if len(move.args) != len(action.params):
            raise ValueError(f"{move.action} takes {len(action.params)} parameters, not {len(move.args)}")
        players = range(NATURE, 0) if action.is_chance else range(self.rules.players)
        number = 0
        for value, span in zip((move.me, *move.args), (players, *(p.values for p in action.params)), strict=True):
            if value not in span:
                return None
            number = number * len(span) + span.index(value)
        return self._firsts[self.rules.actions.index(action)] + number

    # -- functions of the module ----------------------------------------------------------

    @cached_property
    def code(self) -> Code:
        """The compiled module."""
        return Code(program(self.rules, self.layout))

    def _function(self, name: str, result: Any, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(result, *arguments)(self.code.address(name))

    def _long_walk(self, name: str, result: Any, *arguments: Any) -> Any:
        return caller(self.code.address(name), result, *arguments)

    @cached_property
    def _valid(self) -> Any:
        return self._function("valid", ctypes.c_bool, _P)

    @cached_property
    def _over(self) -> Any:
        return self._function("over", ctypes.c_bool, _P)

    @cached_property
    def _payoff(self) -> Any:
        return self._function("payoff", None, _P, _P, _P, _P)

    @cached_property
    def _settle(self) -> Any:
        return self._function("settle_all", _I32, _P)

    @cached_property
    def _children(self) -> Any:
        return self._function("children", _P, _P, _P, _P, _P)

    @cached_property
    def _perft(self) -> Any:
        return self._long_walk("perft", _I64, _P, _P, _I32, _P, _P, _P)

    @cached_property
    def _reach(self) -> Any:
        return self._long_walk("reach", _I64, _P, _P, _P, _I64, _P)

    @cached_property
    def _playout(self) -> Any:
        return self._function("playout", _I64, _P, _P, ctypes.c_uint64, _P, _I64, _P)

    @cached_property
    def _solve(self) -> Any:
        return self._long_walk("solve", _I32, _P, _I32, _I32, _I32, _P, _P, _P)
