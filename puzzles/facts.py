"""What the solver says of a puzzle: the verdict, the keys, the tries, what the proof takes, and on which readings it hangs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from monjudge.model.language import State
from monjudge.model.language.export import content_hash
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.kit import Position
from monjudge.model.notation.sentence import Sentence
from monjudge.puzzles.puzzle import Puzzle
from monjudge.solvers.certificate import Evidence
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.forced import Limits, Search, evidence, keys
from monjudge.solvers.odds import odds
from monjudge.solvers.reread import Reread
from monjudge.solvers.stage import Mix, Values
from monjudge.solvers.unseen import Answer, Hidden
from monjudge.solvers.verdict import Verdict

__all__ = ["Unsolved", "computed"]

LIMITS = Limits(nodes=20_000_000)
"""What solving a puzzle may take."""


class Unsolved(ValueError):
    """The solver reached a limit, or what the puzzle asks is beyond it; ``limit`` says which."""

    def __init__(self, limit: Sentence | None) -> None:
        self.limit = limit or Sentence("a limit was reached", "上限に達した")
        super().__init__(self.limit.en)


def computed(puzzle: Puzzle, *, readings: bool = False) -> dict[str, Any]:
    """What stands under ``computed``, from the position alone.

    With ``readings`` every reading that the proof consults is tried otherwise, each alone: a minute or more. Raises Unsolved, ImportError without the extra ``native``.
    """
    found = _unseen(puzzle) if puzzle.hidden else _odds(puzzle) if puzzle.chance == "odds" else _forced(puzzle)
    return {"rules": content_hash(puzzle.position.rules), **found, **_hinges(puzzle, readings)}


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
        raise Unsolved(answer.limit)
    return _Solved(search, state, answer.verdict, answer.turns, answer.statistics.nodes)


def _forced(puzzle: Puzzle) -> dict[str, Any]:
    solved = _solve(puzzle)
    here = puzzle.played.at(solved.state)
    found = keys(solved.search, solved.state, solved.turns)
    winning = [puzzle.kit.move_text(here, key.move) for key in found if key.verdict is Verdict.YES]
    proof = _proof(puzzle, solved)
    return {
        "verdict": str(solved.verdict), **({"turns": solved.turns} if solved.verdict is Verdict.YES and solved.turns else {}),
        **({"keys": winning} if winning else {}), "tries": len(found) - len(winning),
        "decisions": sum(len(part) for part in proof.certificate.values() if isinstance(part, list)), "nodes": solved.nodes,
    }  # fmt: skip


def _proof(puzzle: Puzzle, solved: _Solved) -> Evidence:
    return evidence(solved.search, solved.search.answer(solved.state, puzzle.turns, LIMITS))


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
        raise Unsolved(answer.limit)
    return hidden, answer


def _odds(puzzle: Puzzle) -> dict[str, Any]:
    rules = puzzle.position.rules
    state = Reference(rules).settle(puzzle.position.state)
    here = puzzle.position.at(state)
    if rules.simultaneous:
        return _mixed(puzzle, here)
    found = odds(rules, state, puzzle.goal, puzzle.player - 1, puzzle.turns, LIMITS)
    if found.exact is None:
        raise Unsolved(found.limit)
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
        raise Unsolved(value.limit)
    best = [puzzle.kit.move_text(here, move) for move, worth in value.moves if worth == value.exact]
    mixtures = {"plans": told(value.plans), "replies": told(value.replies)} if value.plans else {"keys": best}
    return {"odds": str(value.exact), **mixtures, "nodes": value.nodes}


def _hinges(puzzle: Puzzle, readings: bool) -> dict[str, Any]:
    """Which readings would change the verdict, each changed alone; see ``computed`` for those that are tried."""
    if puzzle.chance == "odds" or puzzle.hidden or not readings:
        return {}
    solved = _solve(puzzle)
    open_ids = [id for id in puzzle.kit.switches() if id not in set(puzzle.kit.fixed())]
    opened = puzzle.with_rolls(puzzle.kit.position(puzzle.data["start"], open=open_ids))
    goal = puzzle.kit.goal(opened.at(Reference(opened.rules).settle(opened.state)), puzzle.goal, puzzle.player - 1, puzzle.turns).when
    reread, proof = Reread(opened.rules, opened.state, goal), _proof(puzzle, solved)
    consulted = reread.follow(proof, {})
    read = dict(puzzle.data["start"].get("readings", {}))
    found = []
    for id in open_ids if consulted is None else filter(consulted.__contains__, open_ids):
        words = puzzle.kit.switches()[id]
        others = [v for v in words.values if v != read.get(id, words.default) and v not in words.undetermined]
        if any((consulted is None or reread.follow(proof, {id: v}) is None) and _under(puzzle, id, v) is not solved.verdict for v in others):
            found.append(id)
    return {"hangs_on": found}


def _under(puzzle: Puzzle, id: str, value: str) -> Verdict:
    """The verdict where a switch is read otherwise; undetermined where the position cannot be then."""
    try:
        return _solve(puzzle, puzzle.kit.position(puzzle.data["start"], readings={id: value})).verdict
    except DataError:
        return Verdict.UNDETERMINED
