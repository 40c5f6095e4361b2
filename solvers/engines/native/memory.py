"""Room for states outside Python: pages that the operating system gives when they are touched."""

from __future__ import annotations

import ctypes
import mmap

__all__ = ["Room"]


class Room:
    """A block of zeroed memory, aligned to a page; ``view`` reads it as bytes."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._pages = mmap.mmap(-1, size)
        self._first = ctypes.c_char.from_buffer(self._pages)
        self.view = memoryview(self._pages)

    @property
    def start(self) -> int:
        """The address of the first byte."""
        return ctypes.addressof(self._first)

    @property
    def end(self) -> int:
        """The address behind the last byte."""
        return self.start + self.size

    def column(self, at: int, step: int, count: int) -> list[int]:
        """``count`` 32-bit numbers from byte ``at`` on, ``step`` bytes apart (multiples of 4)."""
        numbers = self.view[at : at + count * step].cast("i")
        return numbers[:: step // 4].tolist()[:count]
