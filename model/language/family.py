"""Fields and tables: the places of a state and the constants a rule looks things up in."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import prod
from typing import ClassVar

__all__ = ["LIMIT", "Domain", "ExpressionError", "Family", "Table", "whole"]

LIMIT = 2**31 - 1
"""No value and no interval may leave -LIMIT..LIMIT: every engine computes in 32 bits at least."""

_uids = itertools.count()


def whole(value: object, what: str) -> int:
    """The value as a plain whole number; a truth value is 0 or 1. Raises ValueError naming ``what``."""
    if not isinstance(value, int):
        raise ValueError(f"{what} is a whole number, not {value!r}")
    return int(value)


class ExpressionError(TypeError):
    """An expression that has no meaning: a wrong sort, or an interval too wide; ``ja`` says so in Japanese."""

    def __init__(self, en: str, ja: str = "") -> None:
        self.ja = ja or en
        super().__init__(en)


class Domain:
    """A named list of names: the values 0, 1, ... as people call them.

    >>> Domain("column", ("L", "C", "R")).size
    3
    """

    __slots__ = ("labels", "name")

    def __init__(self, name: str, labels: Sequence[str]) -> None:
        if not labels or len(set(labels)) != len(labels):
            raise ValueError(f"the labels of the domain {name!r} must be distinct and at least one: {labels!r}")
        self.name, self.labels = name, tuple(labels)

    @property
    def size(self) -> int:
        return len(self.labels)

    def __len__(self) -> int:
        return len(self.labels)

    def __getattr__(self, label: str) -> int:
        try:
            return self.labels.index(label)
        except ValueError:
            raise AttributeError(f"the domain {self.name!r} has no {label!r}, only {', '.join(self.labels)}") from None

    def __getitem__(self, label: str) -> int:
        return self.labels.index(label)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Domain) and (self.name, self.labels) == (other.name, other.labels)

    def __hash__(self) -> int:
        return hash((self.name, self.labels))

    def __repr__(self) -> str:
        return f"Domain({self.name!r}, {self.labels!r})"


class Family:
    """An indexed family of cells, e.g. ``mana[player, column, slot]``.

    ``dims`` are the sizes of the axes (empty for a single cell), ``lo..hi`` the values
    a cell may hold, ``default`` what an index outside an axis reads as, ``init`` the
    start values in row-major order. ``config`` marks a cell that no effect may write:
    a board design, a reading. ``axes`` and ``labels`` name indices and values.
    """

    __slots__ = ("axes", "config", "default", "dims", "hi", "init", "is_bool", "labels", "lo", "name", "uid")

    _interned: ClassVar[dict[tuple[object, ...], Family]] = {}

    name: str
    dims: tuple[int, ...]
    lo: int
    hi: int
    is_bool: bool
    default: int
    init: tuple[int, ...]
    config: bool
    axes: tuple[Domain | None, ...]
    labels: Domain | None
    uid: int

    @classmethod
    def of(
        cls,
        name: str,
        dims: Sequence[int],
        lo: int,
        hi: int,
        *,
        is_bool: bool = False,
        default: int | None = None,
        init: Sequence[int] | int | None = None,
        config: bool = False,
        axes: Sequence[Domain | None] | None = None,
        labels: Domain | None = None,
    ) -> Family:
        """The family with these properties; equal properties give the same object."""
        dims = tuple(dims)
        size = prod(dims)
        if lo > hi or any(d < 1 for d in dims):
            raise ValueError(f"field {name}: the interval {lo}..{hi} or the sizes {dims} hold nothing")
        default = min(max(0, lo), hi) if default is None else whole(default, f"the default of the field {name}")
        if is_bool and (lo, hi, default in (0, 1)) != (0, 1, True):
            raise ValueError(f"field {name}: a truth value is 0 or 1, also outside ({default})")
        if not -LIMIT <= min(lo, default) <= max(hi, default) <= LIMIT:
            raise ValueError(f"field {name}: {lo}..{hi}, outside {default}, does not fit 32 bits")
        if init is None or not isinstance(init, Sequence):
            init = (min(max(0, lo), hi) if init is None else init,) * size
        # Numbers, not truth values: True == 1 would make two spellings of one field one object.
        init = tuple(whole(v, f"a start value of the field {name}") for v in init)
        if len(init) != size:
            raise ValueError(f"field {name}: {len(init)} start values for {size} cells")
        if not all(lo <= v <= hi for v in init):
            raise ValueError(f"field {name}: a start value lies outside {lo}..{hi}")
        axes = tuple(axes) if axes is not None else (None,) * len(dims)
        key = (name, dims, lo, hi, is_bool, default, init, config, axes, labels)
        found = cls._interned.get(key)
        if found is None:
            found = object.__new__(cls)
            (found.name, found.dims, found.lo, found.hi, found.is_bool, found.default,
             found.init, found.config, found.axes, found.labels) = key  # fmt: skip
            found.uid = next(_uids)
            cls._interned[key] = found
        return found

    @property
    def size(self) -> int:
        """The number of cells."""
        return prod(self.dims)

    def place(self, indices: Sequence[int]) -> int | None:
        """The row-major position of a cell, or None outside."""
        position = 0
        for index, dim in zip(indices, self.dims, strict=True):
            if not 0 <= index < dim:
                return None
            position = position * dim + index
        return position

    def __repr__(self) -> str:
        return f"<field {self.name}{list(self.dims) if self.dims else ''}: {self.lo}..{self.hi}>"


class Table:
    """A constant table with one or more axes; a pure value, interned like a family."""

    __slots__ = ("default", "dims", "is_bool", "name", "uid", "values")

    _interned: ClassVar[dict[tuple[object, ...], Table]] = {}

    name: str
    dims: tuple[int, ...]
    values: tuple[int, ...]
    default: int
    is_bool: bool
    uid: int

    @classmethod
    def of(cls, name: str, dims: Sequence[int], values: Sequence[int | bool], default: int | bool = 0) -> Table:
        """The table of these row-major values; truth values make a table of truth values."""
        dims = tuple(dims)
        if len(values) != prod(dims) or not values:
            raise ValueError(f"table {name!r}: {len(values)} values for the sizes {dims}")
        is_bool = all(isinstance(v, bool) for v in values)
        if is_bool and default not in (0, 1):
            raise ValueError(f"table {name!r}: a truth value is 0 or 1, also outside ({default})")
        if not all(-LIMIT <= v <= LIMIT for v in (*values, default)):
            raise ValueError(f"table {name!r}: an entry does not fit 32 bits")
        key = (name, dims, tuple(int(v) for v in values), int(default), is_bool)
        found = cls._interned.get(key)
        if found is None:
            found = object.__new__(cls)
            found.name, found.dims, found.values, found.default, found.is_bool = key
            found.uid = next(_uids)
            cls._interned[key] = found
        return found

    def at(self, *indices: int) -> int:
        """The entry; ``default`` outside."""
        position = 0
        for index, dim in zip(indices, self.dims, strict=True):
            if not 0 <= index < dim:
                return self.default
            position = position * dim + index
        return self.values[position]
