"""Forced goals of a position, and proofs of them that can be written down and checked elsewhere.

A proof is a JSON document with the position in one line and the evidence (``monjudge.solvers.certificate``), so
that whoever has it can build the rules again and check it with the reference.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from monjudge.model.language import LimitReached
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import MoveWords
from monjudge.reports.answers.solved import Certified, Solved
from monjudge.reports.judge import Position
from monjudge.solvers.certificate import Evidence, Refused, check
from monjudge.solvers.verdict import Verdict

__all__ = ["FORMAT", "Proof", "certify", "solve"]

FORMAT = "monjudge-proof/1"


@dataclass(frozen=True)
class Proof:
    """A claim about a position with its evidence."""

    position: str
    evidence: Evidence

    def to_json(self) -> str:
        """One JSON document."""
        data = {"schema": FORMAT, "position": self.position, "evidence": json.loads(self.evidence.to_json())}
        return json.dumps(data, ensure_ascii=False, sort_keys=True) + "\n"

    @staticmethod
    def from_json(text: str | bytes) -> Proof:
        """The proof in a JSON text. Raises Refused for what is none, or was changed."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict) or data.get("schema") != FORMAT or not isinstance(data.get("position"), str):
            raise Refused(f"this is no proof ({FORMAT})", f"証明の文書（{FORMAT}）ではない")
        return Proof(data["position"], Evidence.from_json(json.dumps(data.get("evidence"))))


def solve(
    position: Position, goal: str = "win", *, player: int = 1, turns: int | None = None, seconds: float | None = None,
    nodes: int | None = None, prove: bool = False,
) -> tuple[Solved, Proof | None]:  # fmt: skip
    """Whether the player can force the goal within so many turns (None: ever), whatever the others do and chance brings.

    With ``prove``, a proof of a yes or a no as well. Raises DataError for a goal, a player or turns that the game
    does not have; LimitReached where the memory does not hold a proof; ImportError without the extra ``native``.
    """
    from monjudge.solvers.engines.native.prover import Stopped
    from monjudge.solvers.forced import Limits, Search, evidence

    position.check_player(player)
    limits = Limits(nodes, seconds)
    try:
        search = Search(position.rules, goal, player - 1, memory=limits.memory)
        answer = search.answer(position.state, turns, limits)
    except ValueError as error:
        known = ", ".join(sorted({g.name for g in position.rules.goals if g.player == player - 1}))
        text = Sentence(f"{error}; goals: {known}", f"この問いは立てられない（{error}）。目標：{known}")
        raise DataError([Defect("", text, "unknown-word")]) from error
    asked = [f"--goal={goal}", f"--player={player}", *([f"--turns={turns}"] if turns else [])]
    asked += [*([f"--max-time={seconds}"] if seconds else []), *([f"--max-nodes={nodes}"] if nodes else [])]
    solved = Solved(
        answer.verdict, position.player(player), _goal(position, goal, player), answer.turns if answer.turns is not None else turns,
        answer.statistics.nodes, tuple(_line(position, answer.line)), answer.limit, position.asked("solve", *asked),
    )  # fmt: skip
    if not prove or answer.verdict not in (Verdict.YES, Verdict.NO):
        return solved, None
    try:
        return solved, Proof(position.line, evidence(search, answer))
    except Stopped as stopped:
        raise LimitReached("the memory allowed does not hold a proof") from stopped


def certify(position: Position, proof: Proof) -> Certified:
    """Whether the proof shows what it claims of this position, by the reference alone."""
    claim = proof.evidence.claim
    try:
        said = _claim(position, claim)
        if list(position.state) != claim.get("state"):
            raise Refused("the evidence is about another position", "別の局面についての証拠である")
        done = check(proof.evidence, position.rules)
    except Refused as refused:
        return Certified(Sentence(json.dumps(dict(claim)), json.dumps(dict(claim))), refused=refused.text)
    return Certified(said, done.positions, done.decisions)


def _claim(position: Position, claim: Any) -> Sentence:
    goal, player, turns = claim.get("goal"), claim.get("player"), claim.get("turns")
    known = isinstance(goal, str) and type(player) is int and 0 <= player < position.rules.players
    if not known or claim.get("answer") not in ("yes", "no"):
        raise Refused("the claim is none that can be checked", "検査できる主張ではない")
    verdict = Verdict(claim["answer"])
    return Solved(verdict, position.player(player + 1), _goal(position, goal, player + 1), turns, 0).sentence


def _goal(position: Position, name: str, player: int) -> Sentence:
    found = next((g for g in position.rules.goals if (g.name, g.player) == (name, player - 1)), None)
    return Sentence(name, name) if found is None or not found.en else Sentence(found.en, found.ja)


def _line(position: Position, moves: Any) -> list[MoveWords]:
    here, words = position, []
    for move in moves:
        words.append(here.words(move))
        here = here.at(position.legality.reference.step(here.state, move))
    return words
