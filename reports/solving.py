"""Forced goals of a position, and proofs of them that can be written down and checked elsewhere.

A proof is a JSON document with the position in one line and the evidence (``monjudge.solvers.certificate``), so
that whoever has it can build the rules again and check it with the reference.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from monjudge.model.language import NATURE, Move
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.solved import Certified, Solved
from monjudge.solvers.certificate import Checked, Evidence, Refused, TooLong, check, compiled
from monjudge.solvers.forced.obvious import Contradiction
from monjudge.solvers.given import Rolls, given, given_state
from monjudge.solvers.verdict import Verdict

if TYPE_CHECKING:
    from monjudge.model.language import Expr, RuleSet
    from monjudge.model.notation.goals import Goal
    from monjudge.reports.judge import Position
    from monjudge.reports.running import Means

__all__ = ["FORMAT", "NoProof", "Proof", "certify", "solve"]

FORMAT = "monjudge-proof/1"

LONG = 5_000
"""More positions than these are left to the native engine: the reference takes about a second for a thousand of a large game."""


class NoProof(Refused):
    """The text is no proof at all: nothing is claimed in it."""


@dataclass(frozen=True)
class Proof:
    """A claim about a position with its evidence."""

    position: str
    evidence: Evidence
    goal: str = ""
    """The goal as it is written, where the rules do not declare it."""
    rolls: Rolls = ()
    """The first outcomes of chance, where they are told (``solvers.given``)."""

    def to_json(self) -> str:
        """One JSON document."""
        data = {"schema": FORMAT, "position": self.position, "evidence": json.loads(self.evidence.to_json())}
        data |= {"goal": self.goal} if self.goal else {}
        data |= {"rolls": self.rolls} if self.rolls else {}
        return json.dumps(data, ensure_ascii=False, sort_keys=True) + "\n"

    @staticmethod
    def from_json(text: str | bytes) -> Proof:
        """The proof in a JSON text. Raises NoProof for what is none, Refused for one that is damaged or was changed."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            data = None
        texts = (data.get("position"), data.get("goal", "")) if isinstance(data, dict) and data.get("schema") == FORMAT else (None,)
        if not all(isinstance(text, str) for text in texts):
            raise NoProof(f"this is no proof ({FORMAT})", f"証明の文書（{FORMAT}）ではない")
        evidence = Evidence.from_json(json.dumps(data.get("evidence")))
        return Proof(data["position"], evidence, data.get("goal", ""), _rolls(data.get("rolls", [])))


def _rolls(written: Any) -> Rolls:
    """Raises Refused for what are no outcomes."""
    rows: list[Any] = written if isinstance(written, list) else [None]
    for row in rows:
        fits = isinstance(row, list) and len(row) == 2 and isinstance(row[0], str) and isinstance(row[1], list)
        if not fits or not all(type(number) is int for number in row[1]):
            raise Refused("the outcomes that are told are none", "指定された偶然の結果が読めない")
    return tuple((name, tuple(numbers)) for name, numbers in rows)


def solve(
    position: Position, goal: str = "win", *, player: int = 1, turns: int | None = None, seconds: float | None = None,
    nodes: int | None = None, prove: bool = False, means: Means | None = None,
) -> tuple[Solved, Proof | None]:  # fmt: skip
    """Whether the player can force the goal within so many turns (None: ever), whatever the others do and chance brings.

    ``goal`` is a name of the game (``win``, ``destroy:E3``) or a condition of its rule language. With ``prove``, a
    proof of a yes or a no as well. Raises DataError for a goal, a player or turns that the game does not have;
    LimitReached where the memory does not hold a proof; ImportError without the extra ``native``.
    """
    from monjudge.reports.running import Means, Solving

    chosen = means or Means()
    chosen = replace(chosen, seconds=seconds or chosen.seconds, nodes=nodes or chosen.nodes)
    return Solving(position, goal, player=player, turns=turns, means=chosen).run(prove=prove)


def certify(position: Position, proof: Proof, engine: str = "auto") -> Certified:
    """Whether the proof shows what it claims of this position, and nothing of the solver is used.

    ``engine``: ``reference``, ``native``, ``both`` (Contradiction where they disagree), or ``auto``: the reference,
    and where that came upon more than ``LONG`` positions of a forced win the native engine, if it is installed.
    Raises LimitReached where the native engine is asked for and has no room, ImportError where it is not installed.
    """
    claim, said = proof.evidence.claim, _UNTOLD
    try:
        position = _as_told(position, proof.rolls)
        goal = _goal(position, claim, proof.goal)
        said = _said(position, claim, goal)
        if list(position.state) != claim.get("state"):
            raise Refused("the evidence is about another position", "別の局面についての証拠である")
        done, engines, begun = _checked(proof.evidence, position.rules, goal.when if proof.goal else None, engine)
    except Refused as refused:
        return Certified(said, refused=refused.text)
    if proof.rolls:
        rolls = ", ".join(position.written.kit.move_text(position.written, Move(name, NATURE, tuple(args))) for name, args in proof.rolls)
        said = Sentence(f"Where chance brings {rolls}: {said.en}", f"偶然の結果が{rolls}のとき：{said.ja}")
    plans = None if done.plans is None else (done.plans.count, done.plans.early)
    return Certified(said, done.positions, done.decisions, engines=engines, begun=begun, plans=plans)


def _checked(evidence: Evidence, rules: RuleSet, goal: Expr | None, engine: str) -> tuple[Checked, tuple[str, ...], int]:
    """What was seen, by which engines, and how many positions the reference followed before. Raises as ``certify``, and Refused."""
    if engine == "both":
        seen, again = (_seen(name, evidence, rules, goal) for name in ("reference", "native"))
        if seen != again:
            raise Contradiction(f"of a proof the reference says {seen} and the native engine {again}")
        if isinstance(seen, Sentence):
            raise Refused(*seen)
        return seen, ("reference", "native"), 0
    if engine == "auto":
        try:
            return check(evidence, rules, goal, most=LONG, counted=True), ("reference",), 0
        except TooLong:
            try:
                return check(evidence, rules, goal, by=compiled(rules), counted=True), ("native",), LONG
            except ImportError:
                engine = "reference"
    by = compiled(rules) if engine == "native" else None
    return check(evidence, rules, goal, by=by, counted=True), (engine,), 0


def _seen(engine: str, evidence: Evidence, rules: RuleSet, goal: Expr | None) -> Checked | Sentence:
    """What one engine sees, or why it refuses. Not which plans the others answer early: only the reference knows that."""
    try:
        found = check(evidence, rules, goal, by=compiled(rules) if engine == "native" else None, counted=True)
    except Refused as refused:
        return refused.text
    return replace(found, plans=None if found.plans is None else replace(found.plans, early=None))


_UNTOLD = Sentence("a claim that cannot be told in words", "言葉にできない主張")


def _as_told(position: Position, rolls: Rolls) -> Position:
    """The position under the rules in which chance comes out as it is told. Raises Refused."""
    if not rolls:
        return position
    here = position.written
    try:
        return type(position)(replace(here, rules=given(here.rules, rolls), state=given_state(here.rules, here.state, rolls)))
    except ValueError as error:
        raise Refused("the outcomes that are told are none", "指定された偶然の結果が読めない") from error


def _goal(position: Position, claim: Any, written: str) -> Goal:
    """The goal that a claim is about. Raises Refused."""
    name, player, turns = claim.get("goal"), claim.get("player"), claim.get("turns")
    known = isinstance(name, str) and type(player) is int and 0 <= player < position.rules.players
    if not known or not isinstance(claim.get("answer"), str) or not (turns is None or type(turns) is int):
        raise Refused("the claim is none that can be checked", "検査できる主張ではない")
    try:
        return position.written.kit.goal(position.written.at(position.state), written or name, player, turns)
    except DataError as error:
        raise Refused(*error.defects[0].text) from error


def _said(position: Position, claim: Any, goal: Goal) -> Sentence:
    """What is claimed. Raises Refused for a claim that is none of these."""
    question, answer, turns, player = claim.get("question"), claim["answer"], claim.get("turns"), position.player(claim["player"] + 1)
    if question in ("odds", "mixed"):
        en = "" if turns is None else f" within {turns} turn{'s' * (turns != 1)}"
        ja = "" if turns is None else f"{turns}ターン以内に"
        return Sentence(
            f"{player.en} reaches it{en} with probability {answer} under best play of both: {goal.said.en}.",
            f"双方が最善を尽くすと、{player.ja}が{ja}達成する確率は{answer}（{goal.said.ja}）。",
        )
    if question not in ("forced", "hidden") or answer not in ("yes", "no"):
        raise Refused("the claim is none that can be checked", "検査できる主張ではない")
    said = Solved(Verdict(answer), player, goal.said, turns, 0).sentence
    if question == "forced":
        return said
    return Sentence(f"With what is hidden unseen: {said.en}", f"伏せられたものを見ずに：{said.ja}")
