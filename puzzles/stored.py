"""What stands under ``computed`` in a puzzle, held against the position, the solution and the solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from monjudge.model.language.export import content_hash
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.places import at
from monjudge.model.notation.sentence import Sentence
from monjudge.puzzles.facts import computed
from monjudge.puzzles.puzzle import Puzzle
from monjudge.solvers.engines.reference import Reference

__all__ = ["contradictions", "differences", "stale"]

OF_THE_SEARCH = ("rules", "nodes", "decisions")
"""What is not a property of the puzzle: of the rules ``stale`` speaks, and another order of the search has other figures."""


def stale(puzzle: Puzzle) -> Iterator[Defect]:
    """That something was computed under other rules than those of today, in the puzzle or a twin."""
    for one in (puzzle, *puzzle.twins.values()):
        if (rules := one.computed.get("rules")) is not None and rules != content_hash(one.position.rules):
            yield Defect(at(at(one.path, "computed"), "rules"), Sentence("computed under other rules than those of today", "今とは別のルールのもとで求めたもの"))


def contradictions(puzzle: Puzzle) -> Iterator[Defect]:
    """What of that the position and the solution show to be wrong, without solving it; in the twins as well."""
    for one in (puzzle, *puzzle.twins.values()):
        yield from (Defect(at(at(one.path, "computed"), key), said) for key, said in _contradicted(one))


def _contradicted(puzzle: Puzzle) -> Iterator[tuple[str, Sentence]]:
    found, solution = puzzle.computed, puzzle.data.get("solution", {})
    verdict, keys = found.get("verdict"), list(found.get("keys", ()))
    if verdict is not None and solution and (verdict == "yes") != (solution.get("ends", "reached") == "reached"):
        yield "verdict", Sentence("the solution ends otherwise", "作意の終わり方と食い違う")
    if keys and puzzle.solution and puzzle.solution[0] not in keys:
        yield "keys", Sentence(f"the solution begins with {puzzle.solution[0]}", f"作意は{puzzle.solution[0]}で始まる")
    reference = Reference(puzzle.played.rules)
    here = puzzle.played.at(reference.settle(puzzle.played.state))
    first = [puzzle.kit.move_text(here, move) for move in reference.moves(here.state) if move.me == puzzle.player - 1]
    for n, key in enumerate(keys):
        if key not in first:
            yield f"keys[{n}]", Sentence(f"{key!r} is not legal there", f"{key!r}はそこではできない")
    if (tries := found.get("tries")) is not None and tries + len(keys) != len(first):
        yield "tries", Sentence(f"there are {len(first)} first moves, {len(keys)} of them keys", f"初手は{len(first)}手で、正解はそのうち{len(keys)}手")


def differences(puzzle: Puzzle) -> Iterator[Defect]:
    """What the solver finds otherwise, in the puzzle or a twin. Raises Unsolved, ImportError without the extra ``native``."""
    for one in (puzzle, *puzzle.twins.values()):
        if one.computed:
            try:
                found = computed(one, readings="hangs_on" in one.computed)
            except DataError as error:
                yield from error.defects
            else:
                yield from _compared(one, found)


def _compared(puzzle: Puzzle, found: Mapping[str, Any]) -> Iterator[Defect]:
    for key in sorted({*found, *puzzle.computed} - set(OF_THE_SEARCH)):
        if found.get(key) != puzzle.computed.get(key):
            en, ja = (_said(found[key], lang) if key in found else none for lang, none in (("en", "nothing"), ("ja", "何も求めない")))
            yield Defect(at(at(puzzle.path, "computed"), key), Sentence(f"the solver finds {en}", f"ソルバーの答えは{ja}"))


def _said(value: Any, lang: str) -> str:
    return (", " if lang == "en" else "、").join(map(str, value)) or ("none" if lang == "en" else "なし") if isinstance(value, list) else str(value)
