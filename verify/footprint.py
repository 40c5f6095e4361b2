"""Which cells an expression can read and an effect can write, as the intervals of its indices tell."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from monjudge.model.language import Effect, Expr, Family, RuleSet, const, substitute, walk

__all__ = ["Footprint", "footprint", "reads", "says_next", "writes"]


class Footprint:
    """What a rule reads and what it writes, as positions in a state."""

    def __init__(self, reads: set[int], writes: set[int]) -> None:
        self.reads, self.writes = reads, writes

    def minds(self, other: Footprint) -> bool:
        """Whether the order of the two can matter: one reads or writes what the other writes."""
        return not (self.writes.isdisjoint(other.reads | other.writes) and other.writes.isdisjoint(self.reads))


def reads(rules: RuleSet, expr: Expr) -> set[int]:
    """The cells that the value of an expression may depend on."""
    found: set[int] = set()
    for node in walk(expr):
        if node.op == "field":
            found |= _cells(rules, node.args[0], node.args[2:])
    return found


def writes(effects: Iterable[Effect], *read: Expr) -> bool:
    """Whether an effect is on a field that is read. To ask this first is cheap; to translate what nobody reads takes longer than most proofs."""
    fields = {n.args[0].uid for n in walk(*read) if n.op == "field"}
    return any(e.family.uid in fields for e in effects)


def says_next(expr: Expr) -> bool:
    """Whether the expression speaks of the next state."""
    return any(node.op == "field" and node.args[1] for node in walk(expr))


def _cells(rules: RuleSet, family: Family, indices: Sequence[Expr]) -> set[int]:
    spans = [range(max(0, i.lo), min(size - 1, i.hi) + 1) for i, size in zip(indices, family.dims, strict=True)]
    places = (family.place(place) for place in itertools.product(*spans))
    return {rules.offset[family.name] + place for place in places if place is not None}


def footprint(rules: RuleSet, conditions: Iterable[Expr], effects: Sequence[Effect], known: dict[str, int]) -> Footprint:
    """That of a rule with these conditions and effects, where some variables are ``known``."""
    values = {name: const(value) for name, value in known.items()}
    read, written = set[int](), set[int]()
    for condition in conditions:
        read |= reads(rules, substitute(condition, values))
    for e in effects:
        indices = [substitute(i, values) for i in e.indices]
        for part in (*indices, substitute(e.value, values), substitute(e.when, values)):
            read |= reads(rules, part)
        cells = _cells(rules, e.family, indices)
        written |= cells
        if e.adds:
            read |= cells
    return Footprint(read, written)
