"""The state in memory: every family an array of int8, int16 or int32, as its interval allows.

A slot of the stack of states is the packed state, then two 32-bit numbers about the
move that led to it: which one (its place among all candidates of the rule set, with
``CALM_BIT`` where every trigger was idle at the end) and the note (who took it; for
chance minus the weight; ``LIMIT_NOTE`` where a bound was passed).
"""

from __future__ import annotations

import struct

from monjudge.model.language import Family, RuleSet, State
from monjudge.solvers.engines.native.ir import bits_for
from monjudge.solvers.engines.native.writes import reach

__all__ = ["CALM_BIT", "FULL", "LANES", "LIMIT", "LIMIT_NOTE", "MIXED", "STUCK", "Layout", "lanes"]

LIMIT_NOTE = CALM_BIT = -(2**31)

LIMIT, FULL, STUCK, MIXED = 1, 2, 3, 4
"""What may stop a walk: a bound of the model is passed; the memory or depth allowed is not
enough; no move in a state that is not over; moves of several players, or of chance, in one state."""


def lanes(count: int) -> int | None:
    """How many cells one vector load takes to hold so many, or None if they are too many for a set."""
    return next((n for n in LANES if n >= count), None)


LANES = (8, 16, 32, 64)
"""Cells that a vector load takes."""


class Layout:
    """Where the cells of a rule set lie.

    ``size`` (the cells), ``copied`` (what a copy takes with it) and ``slot`` are bytes,
    multiples of 8.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.offset: dict[int, int] = {}
        self.bits: dict[int, int] = {}
        text, at, past = "<", 0, 0
        for family in rules.families:
            bits = self.bits[family.uid] = bits_for(*reach(rules, family))
            gap = -at % (bits // 8)
            at += gap
            self.offset[family.uid] = at
            text += f"{gap}x{family.size}{self.code(family)}"
            # A vector load of a family, or of a part of a large one, may read beyond it, but never beyond its slot.
            past = max(past, at + (lanes(family.size) or family.size + LANES[-1]) * bits // 8)
            at += family.size * bits // 8
        self.size = at + -at % 8
        # One vector register, or whole ones of 64 bytes, so that a copy is a few instructions.
        self.copied = next((n for n in (8, 16, 32, 64) if n >= at), at + -at % 64)
        slot = max(self.size + 8, self.copied, past + -past % 8)
        # Large slots begin where a cache line does: each register of a copy that crosses lines is two accesses.
        self.slot = slot + -slot % 64 if slot > 128 else slot
        self._struct = struct.Struct(text + f"{self.size - at}x")

    def code(self, family: Family) -> str:
        """The letter of a cell in the ``struct`` module."""
        return {8: "b", 16: "h", 32: "i", 64: "q"}[self.bits[family.uid]]

    def pack(self, state: State) -> bytes:
        """The bytes of a state. Raises ValueError as ``check`` does where a value does not fit the memory."""
        try:
            return self._struct.pack(*state)
        except struct.error:
            self.check(state)
            raise

    def unpack(self, memory: bytes | memoryview, at: int = 0) -> State:
        """The state that lies in memory from byte ``at``."""
        return self._struct.unpack_from(memory, at)

    def check(self, state: State) -> None:
        """Raises ValueError unless the state has the right number of cells, each within its interval."""
        bounds = self.rules.bounds
        if len(state) != len(bounds):
            raise ValueError(f"a state of {self.rules.name!r} has {len(bounds)} cells, not {len(state)}")
        for n, (value, (lo, hi)) in enumerate(zip(state, bounds, strict=True)):
            if not lo <= value <= hi:
                raise ValueError(f"cell {n} of a state of {self.rules.name!r} holds {lo}..{hi}, not {value}")
