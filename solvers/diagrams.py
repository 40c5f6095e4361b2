"""Functions of a few variables with few values each, as diagrams in which equal parts are one object.

A *diagram* is a leaf (any hashable value) or a ``Node`` that asks one variable and has a diagram for
each of its values. Variables are asked in their order and no node has the same diagram everywhere, so
that equal functions are one object (Bryant 1986; Srinivasan and others 1990 for many values).

>>> d = Diagrams((2, 3))
>>> x, y = d.variable(0), d.variable(1)
>>> both = d.apply(lambda a, b: a == 1 and b > 0, x, y)
>>> d.primes(both, True)
[((0, (1,)), (1, (1, 2)))]
>>> d.at(both, (1, 2)), d.leaves(both) == {True, False}
(True, True)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from monjudge.model.language import LimitReached

__all__ = ["Cube", "Diagram", "Diagrams", "Node"]

Diagram = Any
"""A leaf or a ``Node``."""

Cube = tuple[tuple[int, tuple[int, ...]], ...]
"""Some variables in order, each with the values that it may have."""


class Node:
    """One variable with what follows from each of its values; made by ``Diagrams`` only."""

    __slots__ = ("kids", "variable")

    def __init__(self, variable: int, kids: tuple[Diagram, ...]) -> None:
        self.variable, self.kids = variable, kids


class Diagrams:
    """All diagrams over variables of these sizes (two or more values each).

    More than ``nodes`` of them, or of prime implicants, raise LimitReached.
    """

    def __init__(self, sizes: Sequence[int], nodes: int = 200_000) -> None:
        self.sizes, self.most = tuple(sizes), nodes
        self._nodes: dict[tuple[int, tuple[Diagram, ...]], Node] = {}

    def node(self, variable: int, kids: Sequence[Diagram]) -> Diagram:
        """The diagram that has these for the values of a variable; all of them ask later variables only."""
        first = kids[0]
        if all(kid is first or kid == first for kid in kids):
            return first
        key = variable, tuple(kids)
        found = self._nodes.get(key)
        if found is None:
            if len(self._nodes) >= self.most:
                raise LimitReached(f"more than {self.most:,} nodes of a decision diagram", f"決定図の節点が{self.most:,}個を超える")
            found = self._nodes[key] = Node(*key)
        return found

    def variable(self, variable: int) -> Diagram:
        """The value of a variable."""
        return self.node(variable, range(self.sizes[variable]))

    def apply(self, function: Callable[..., Hashable], *parts: Diagram) -> Diagram:
        """The function of what the parts are, for every assignment."""
        known: dict[tuple[Diagram, ...], Diagram] = {}

        def made(parts: tuple[Diagram, ...]) -> Diagram:
            asked = [part.variable for part in parts if part.__class__ is Node]
            if not asked:
                return function(*parts)
            found = known.get(parts)
            if found is None:
                top = min(asked)
                kids = [
                    made(tuple(p.kids[n] if p.__class__ is Node and p.variable == top else p for p in parts))
                    for n in range(self.sizes[top])
                ]
                found = known[parts] = self.node(top, kids)
            return found

        return made(parts)

    def bind(self, diagram: Diagram, function: Callable[[Any], Diagram]) -> Diagram:
        """The diagram with another one in place of each leaf; the function is asked once for each leaf."""
        if diagram.__class__ is not Node:
            return function(diagram)
        leaves = list(self.leaves(diagram))
        number = {leaf: n for n, leaf in enumerate(leaves)}
        return self.apply(lambda leaf, *ends: ends[number[leaf]], diagram, *map(function, leaves))

    def leaves(self, diagram: Diagram) -> set[Any]:
        """The values that the diagram has for some assignment."""
        seen, found, stack = set[Diagram](), set[Any](), [diagram]
        while stack:
            part = stack.pop()
            if part.__class__ is not Node:
                found.add(part)
            elif part not in seen:
                seen.add(part)
                stack += part.kids
        return found

    def cut(self, diagram: Diagram, first: int, value: Hashable) -> Diagram:
        """The diagram with the value in place of every part that asks variables from the ``first`` on."""
        known: dict[Diagram, Diagram] = {}

        def made(part: Diagram) -> Diagram:
            if part.__class__ is not Node:
                return part
            if part not in known:
                known[part] = value if part.variable >= first else self.node(part.variable, [made(kid) for kid in part.kids])
            return known[part]

        return made(diagram)

    def at(self, diagram: Diagram, values: Sequence[int]) -> Any:
        """The value for one assignment of all variables."""
        while diagram.__class__ is Node:
            diagram = diagram.kids[values[diagram.variable]]
        return diagram

    def primes(self, diagram: Diagram, value: Any) -> list[Cube]:
        """All prime implicants: the largest cubes in which the diagram has the value, fewest variables first.

        A cube is prime when no variable can be left out of it and no value be added to a variable.
        """
        known: dict[Diagram, list[Cube]] = {}
        found = self._primes(self.apply(lambda leaf: leaf == value, diagram), known)
        return sorted(found, key=lambda cube: (len(cube), [(v, -len(values), values) for v, values in cube]))

    def _primes(self, truth: Diagram, known: dict[Diagram, list[Cube]]) -> list[Cube]:
        if truth.__class__ is not Node:
            return [()] if truth else []
        if truth in known:
            return known[truth]
        values: dict[Diagram, list[int]] = {}
        for n, kid in enumerate(truth.kids):
            values.setdefault(kid, []).append(n)
        kids = [kid for kid in values if kid is not False]
        found: list[Cube] = []
        # Larger sets of values first: what is found later can be covered, but covers nothing found before.
        choices = itertools.chain.from_iterable(itertools.combinations(kids, n) for n in range(len(kids), 0, -1))
        for chosen in sorted(choices, key=lambda c: -sum(len(values[kid]) for kid in c)):
            wanted = tuple(sorted(n for kid in chosen for n in values[kid]))
            literal = () if len(wanted) == len(truth.kids) else ((truth.variable, wanted),)
            together = self.apply(lambda *parts: all(parts), *chosen)
            for rest in self._primes(together, known):
                cube = (*literal, *rest)
                if not any(_covers(other, cube) for other in found):
                    found.append(cube)
                    if len(found) > self.most // 100:
                        raise LimitReached(f"more than {self.most // 100:,} prime implicants", f"主項が{self.most // 100:,}個を超える")
        known[truth] = found
        return found


def _covers(large: Cube, small: Cube) -> bool:
    """Whether every assignment of one cube lies in the other."""
    narrow = dict(small)
    return all(v in narrow and set(narrow[v]) <= set(values) for v, values in large)
