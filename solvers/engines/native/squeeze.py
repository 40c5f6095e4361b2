"""Which bits of a state stand in the key of a position, and where: the cells that may differ, squeezed together.

A word of the state gives the bits that its cells can hold; words whose bits fit beside one another, once one is
rotated, share a word of the key. What is in no key is checked for every position (``memo_frozen``), so a choice of
bits that does not suffice is noticed.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from monjudge.model.language import Effect, RuleSet
from monjudge.solvers.engines.native.layout import Layout

__all__ = ["STEP", "Squeezed", "around", "squeezed", "writable_bits"]

STEP = struct.Struct("=QQQq")
"""A word of the state in a key: where it lies, which bits of it, how far they are rotated to the left, and the seed
of the hash where the word of the key is full, else 0."""


@dataclass(frozen=True)
class Squeezed:
    """``steps`` (see ``STEP``) that write a key of so many ``words``, and the bits of a state that are in no key."""

    steps: bytes
    words: int
    frozen: bytes


def writable_bits(rules: RuleSet, layout: Layout) -> int:
    """The bits of a state that some move or trigger may change, as far as the intervals of the cells say."""
    memory = bytearray(layout.size)
    for effects in (*(a.effects for a in rules.actions), *(t.effects for t in rules.triggers)):
        for effect in effects:
            family = effect.family
            width = layout.bits[family.uid]
            bits = (1 << width) - 1 if family.lo < 0 else (1 << family.hi.bit_length()) - 1
            for place in _places(effect):
                at = layout.offset[family.uid] + place * width // 8
                memory[at : at + width // 8] = bits.to_bytes(width // 8, sys.byteorder)
    return int.from_bytes(memory, "little")


def around(differing: int, bits: int, width: int) -> int:
    """Of these bits of a state those in a group of ``width`` bits in which something differs."""
    found, group = 0, (1 << width) - 1
    while differing:
        at = (differing & -differing).bit_length() - 1
        mask = group << at - at % width
        found |= bits & mask
        differing &= ~mask
    return found


def _places(effect: Effect) -> set[int]:
    dims = effect.family.dims
    reach = [range(max(0, i.lo), min(dim - 1, i.hi) + 1) for i, dim in zip(effect.indices, dims, strict=True)]
    return {place for indices in product(*reach) if (place := effect.family.place(indices)) is not None}


def squeezed(bits: int, size: int, seeds: Iterable[int]) -> Squeezed:
    """The keys that hold these bits of a state of ``size`` bytes: first fit, the words with most bits first."""
    whole = bits.to_bytes(size, "little")
    words = [int.from_bytes(whole[at : at + 8], sys.byteorder) for at in range(0, size, 8)]
    masks = {w: mask for w, mask in enumerate(words) if mask}
    bins: list[tuple[int, list[tuple[int, int]]]] = []  # the bits taken, and the words with how far each is rotated
    for word in sorted(masks, key=lambda w: -masks[w].bit_count()):
        for n, (taken, members) in enumerate(bins):
            turn = _room(taken, masks[word])
            if turn is not None:
                bins[n] = taken | _rotated(masks[word], turn), [*members, (word, turn)]
                break
        else:
            bins.append((masks[word], [(word, 0)]))
    steps, seed = [], iter(seeds)
    for _, members in bins:
        for word, turn in members:
            last = word == members[-1][0]
            steps.append(STEP.pack(8 * word, masks[word], turn, next(seed) if last else 0))
    return Squeezed(b"".join(steps), len(bins), bytes(0xFF ^ byte for byte in whole))


_ALL = (1 << 64) - 1

_TURNS = (*range(8), *range(8, 64, 8))
"""Within the cells, and by whole cells: all others save little more."""


def _rotated(mask: int, turn: int) -> int:
    return (mask << turn | mask >> (64 - turn)) & _ALL


def _room(taken: int, mask: int) -> int | None:
    """How far the bits have to be rotated to the left not to meet those that are taken."""
    if taken.bit_count() + mask.bit_count() > 64:
        return None
    return next((turn for turn in _TURNS if not taken & _rotated(mask, turn)), None)
