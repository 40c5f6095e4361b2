"""What the solver says of a puzzle: the verdict, the keys, the tries, what the proof takes, and on which of its readings it hangs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from monjudge.model.language import State
from monjudge.model.language.export import content_hash
from monjudge.model.notation.kit import Position
from monjudge.puzzles.puzzle import Puzzle
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.forced import Limits, Search, evidence, keys
from monjudge.solvers.odds import odds
from monjudge.solvers.stage import Mix, Values
from monjudge.solvers.unseen import Answer, Hidden
from monjudge.solvers.verdict import Verdict

__all__ = ["Unsolved", "computed"]

LIMITS = Limits(nodes=20_000_000)
"""What solving a puzzle may take."""


class Unsolved(ValueError):
    """The solver reached a limit, or what the puzzle asks is beyond it."""


def computed(puzzle: Puzzle) -> dict[str, Any]:
    """What stands under ``computed``, from the position alone. Raises Unsolved, ImportError without the extra ``native``."""
    found = _unseen(puzzle) if puzzle.hidden else _odds(puzzle) if puzzle.chance == "odds" else _forced(puzzle)
    return {"rules": content_hash(puzzle.position.rules), **found, **_hinges(puzzle)}


@dataclass(frozen=True)
class _Solved:
    search: Search
    state: State
    verdict: Verdict
    turns: int | None
    nodes: int


def _solve(puzzle: Puzzle, position: Position | None = None) -> _Solved:
    here = puzzle.with_rolls(position) if position else puzzle.played
    state = Reference(here.rules).settle(here.state)
    goal = puzzle.kit.goal(here.at(state), puzzle.goal, puzzle.player - 1, puzzle.turns)
    declared = any((g.name, g.player) == (puzzle.goal, puzzle.player - 1) for g in here.rules.goals)
    search = Search(here.rules, puzzle.goal if declared else goal.when, puzzle.player - 1)
    answer = search.answer(state, puzzle.turns, LIMITS)
    if answer.verdict not in (Verdict.YES, Verdict.NO):
        raise Unsolved(str(answer.limit))
    return _Solved(search, state, answer.verdict, answer.turns, answer.statistics.nodes)


def _forced(puzzle: Puzzle) -> dict[str, Any]:
    solved = _solve(puzzle)
    here = puzzle.played.at(solved.state)
    found = keys(solved.search, solved.state, solved.turns)
    winning = [puzzle.kit.move_text(here, key.move) for key in found if key.verdict is Verdict.YES]
    proof = evidence(solved.search, solved.search.answer(solved.state, puzzle.turns, LIMITS))
    return {
        "verdict": str(solved.verdict), **({"turns": solved.turns} if solved.verdict is Verdict.YES and solved.turns else {}),
        **({"keys": winning} if winning else {}), "tries": len(found) - len(winning),
        "decisions": sum(map(len, proof.certificate.values())), "nodes": solved.nodes,
    }  # fmt: skip


def _unseen(puzzle: Puzzle) -> dict[str, Any]:
    """Whether one strategy wins however the hidden cards lie, with the first moves that keep it."""
    answer = _hidden(puzzle)[1]
    here = puzzle.position.at(answer.question.state)
    found = [puzzle.kit.move_text(here, move) for move in answer.moves]
    return {"verdict": str(answer.verdict), **({"turns": answer.turns} if answer.turns else {}), **({"keys": found} if found else {}), "nodes": answer.nodes}


def _hidden(puzzle: Puzzle) -> tuple[Hidden, Answer]:
    rules = puzzle.position.rules
    state = Reference(rules).settle(puzzle.position.state)
    hidden = Hidden(rules, puzzle.wanted.when, puzzle.player - 1, limits=LIMITS)
    answer = hidden.answer(state, puzzle.turns)
    if answer.verdict not in (Verdict.YES, Verdict.NO):
        raise Unsolved(str(answer.limit))
    return hidden, answer


def _odds(puzzle: Puzzle) -> dict[str, Any]:
    rules = puzzle.position.rules
    state = Reference(rules).settle(puzzle.position.state)
    here = puzzle.position.at(state)
    if rules.simultaneous:
        return _mixed(puzzle, here)
    found = odds(rules, state, puzzle.goal, puzzle.player - 1, puzzle.turns, LIMITS)
    if found.exact is None:
        raise Unsolved(str(found.limit))
    best = [puzzle.kit.move_text(here, move) for move in found.best]
    return {"odds": str(found.exact), "keys": best, "tries": len(found.moves) - len(best), "nodes": found.nodes}


def _mixed(puzzle: Puzzle, here: Position) -> dict[str, Any]:
    """The exact value where decisions are taken unseen, with an optimal mixture of each side."""
    reference = Reference(here.rules)

    def told(mix: Mix) -> list[dict[str, Any]]:
        found = []
        for plan, part in mix:
            at, texts = here, []
            for move in plan:
                texts.append(puzzle.kit.move_text(at, move))
                at = at.at(reference.step(at.state, move))
            found.append({"moves": texts, "odds": str(part)})
        return found

    value = Values(here.rules, puzzle.goal, puzzle.player - 1, puzzle.turns, LIMITS).value(here.state)
    if value.exact is None:
        raise Unsolved(str(value.limit))
    best = [puzzle.kit.move_text(here, move) for move, worth in value.moves if worth == value.exact]
    mixtures = {"plans": told(value.plans), "replies": told(value.replies)} if value.plans else {"keys": best}
    return {"odds": str(value.exact), **mixtures, "nodes": value.nodes}


def _hinges(puzzle: Puzzle) -> dict[str, Any]:
    """Which of the readings that are told would change the verdict if they were read otherwise."""
    if puzzle.chance == "odds":
        return {}
    verdict = _solve(puzzle).verdict if puzzle.data.get("told") else None
    found = [id for id in puzzle.data.get("told", ()) if any(v is not verdict for v in _otherwise(puzzle, id))]
    return {"hangs_on": found} if found else {}


def _otherwise(puzzle: Puzzle, id: str) -> Iterator[Verdict]:
    """The verdicts under the other readings of a switch that determine the play."""
    words, read = puzzle.kit.switches()[id], dict(puzzle.data["start"].get("readings", {})).get(id)
    for value in words.values:
        if value != (read or words.default) and value not in words.undetermined:
            yield _solve(puzzle, puzzle.kit.position(puzzle.data["start"], readings={id: value})).verdict
