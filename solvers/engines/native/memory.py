"""Room for states outside Python: pages that the operating system gives when they are touched."""

from __future__ import annotations

import ctypes
import mmap
from contextlib import suppress

__all__ = ["Room", "give_back", "lend"]

SPARE = 4
"""Rooms that wait to be lent again, those given back last."""


class Room:
    """A block of memory, zeroed when new, aligned to a page; ``view`` reads it as bytes, ``start`` is its address."""

    def __init__(self, size: int) -> None:
        self.size, self.is_new = size, True
        self._pages = _pages(size)
        self._first = ctypes.c_char.from_buffer(self._pages)
        self.start = ctypes.addressof(self._first)
        self.view = memoryview(self._pages)

    @property
    def end(self) -> int:
        """The address behind the last byte."""
        return self.start + self.size

    def clear(self, at: int, size: int) -> None:
        """Zeroes some bytes; those of a new room are zero."""
        if not self.is_new:
            ctypes.memset(self.start + at, 0, size)

    def column(self, at: int, step: int, count: int) -> list[int]:
        """``count`` 32-bit numbers from byte ``at`` on, ``step`` bytes apart (multiples of 4)."""
        numbers = self.view[at : at + count * step].cast("i")
        return numbers[:: step // 4].tolist()[:count]


def _pages(size: int) -> mmap.mmap:
    if hasattr(mmap, "MAP_PRIVATE"):  # shared pages, the default, take twice as long to be touched first
        return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return mmap.mmap(-1, size)


_spare: list[Room] = []


def lend(size: int) -> Room:
    """A room of this size: the last one that was given back, or a new one."""
    for room in reversed([*_spare]):
        if room.size == size:
            with suppress(ValueError):  # another thread was faster
                _spare.remove(room)
                return room
    return Room(size)


def give_back(room: Room) -> None:
    """Lets a room be lent again, with whatever is in it. Only for rooms of which few pages were touched."""
    room.is_new = False
    _spare.append(room)
    del _spare[:-SPARE]
