"""Diagrams of functions over a few variables, held against their tables."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from monjudge.model.language import LimitReached
from monjudge.solvers.diagrams import Diagram, Diagrams, Node

SEEDS = range(60)


def table(seed: int) -> tuple[Diagrams, dict[tuple[int, ...], bool], Diagram]:
    """A random truth table over up to four variables of two to four values, and its diagram."""
    rng = Random(seed)
    sizes = [rng.randint(2, 4) for _ in range(rng.randint(1, 4))]
    diagrams, holds = Diagrams(sizes), rng.choice((0.2, 0.5, 0.8))
    values = {place: rng.random() < holds for place in itertools.product(*map(range, sizes))}
    return diagrams, values, diagrams.apply(lambda *at: values[at], *map(diagrams.variable, range(len(sizes))))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_diagram_has_the_values_of_its_table(seed: int) -> None:
    diagrams, values, diagram = table(seed)
    assert {place: diagrams.at(diagram, place) for place in values} == values
    assert diagrams.leaves(diagram) == set(values.values())


@pytest.mark.parametrize("seed", SEEDS)
def test_equal_functions_are_one_object(seed: int) -> None:
    diagrams, values, diagram = table(seed)
    opposite = diagrams.apply(lambda a: not a, diagram)
    assert diagrams.apply(lambda a, b: a and not b, diagram, opposite) is diagram
    if len(set(values.values())) > 1:
        assert isinstance(diagrams.bind(diagram, lambda leaf: diagram if leaf else False), Node)
        assert diagrams.bind(diagram, lambda leaf: diagram if leaf else False) is diagram


@pytest.mark.parametrize("seed", SEEDS)
def test_primes_are_the_largest_cubes_with_the_value(seed: int) -> None:
    diagrams, values, diagram = table(seed)
    for wanted in (True, False):
        sets = [[s for k in range(1, n + 1) for s in itertools.combinations(range(n), k)] for n in diagrams.sizes]
        cubes = [c for c in itertools.product(*sets) if all(values[p] is wanted for p in itertools.product(*c))]
        largest = [c for c in cubes if not any(c != d and all(set(a) <= set(b) for a, b in zip(c, d, strict=True)) for d in cubes)]
        named = {tuple((v, s) for v, s in enumerate(c) if len(s) < diagrams.sizes[v]) for c in largest}
        found = diagrams.primes(diagram, wanted)
        assert set(found) == named and len(found) == len(named)
        assert [len(cube) for cube in found] == sorted(map(len, found))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_asks_later_variables_can_be_cut(seed: int) -> None:
    diagrams, values, diagram = table(seed)
    cut = diagrams.cut(diagram, 1, None)
    for place in values:
        alike = {value for other, value in values.items() if other[0] == place[0]}
        assert diagrams.at(cut, place) == (alike.pop() if len(alike) == 1 else None)


def test_too_many_nodes_are_a_limit() -> None:
    diagrams = Diagrams((2,) * 10, nodes=20)
    with pytest.raises(LimitReached, match="20 nodes"):
        diagrams.apply(lambda *bits: sum(bits), *map(diagrams.variable, range(10)))
