"""Sentences of a text that are written twice: do they say the same, taken literally?

Each norm of the one must have a norm of the other about the same act and of the same kind, with the same scope and, within
it, the same formula, in every state; z3 is asked for a situation that tells them apart, and CP-SAT again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from monjudge.model.language import Expr, Norm, either
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.consistent import Again, Literal, Situation
from monjudge.verify.footprint import says_next
from monjudge.verify.outcome import Outcome
from monjudge.verify.queries import Clock
from monjudge.verify.question import Question

__all__ = ["answer", "check"]


def apart(one: Norm, other: Norm) -> Expr:
    """What tells two norms apart: only one is about the situation, or they say different things of it."""
    scopes = either(one.scope & ~other.scope, ~one.scope & other.scope)
    return scopes | (one.scope & either(one.formula & ~other.formula, ~one.formula & other.formula))


def is_one(one: Norm, other: Norm) -> bool:
    """Whether they are the same expressions."""
    return one.scope is other.scope and one.formula is other.formula


def partners(norms: Sequence[Norm], ids: Sequence[str]) -> Iterator[tuple[int, str, list[int]]]:
    """Every norm of each sentence, with each other sentence that must say it too, and the norms with which that may."""
    for id in ids:
        for number, norm in enumerate(norms):
            for other in ids if norm.id == id else ():
                if other != id:
                    yield number, other, [n for n, m in enumerate(norms) if m.id == other and (m.on, m.kind) == (norm.on, norm.kind)]


def answer(question: Question, scene: Scene, clock: Clock, most: int) -> Outcome:
    """Whether the sentences ``among`` say the same."""
    ids, norms = question.prop.among, scene.rules.norms
    claim = {"formula": " = ".join(ids), "among": list(ids)}
    pairs: list[list[int]] = []
    for number, other, may in partners(norms, ids):
        told: list[list[Any]] = []
        for n in may:
            found = None if is_one(norms[number], norms[n]) else _apart(scene, norms[number], norms[n], clock)
            if found is None:
                pairs.append([number, n])
                break
            told.append([n, found.data()])
        else:
            act = norms[number].on or "-"
            why = Sentence(f"what {norms[number].id} says ({norms[number].kind}, {act}) {other} does not say, as a situation shows",
                           f"{norms[number].id}の述べること（{norms[number].kind}、{act}）を、{other}は述べていない。状況で示した")  # fmt: skip
            certificate = {"norm": number, "other": other, "apart": told}
            return Outcome(Verdict.NO, why, {**claim, "question": "different"}, certificate=certificate, engines=("z3-solver",))
    one = sum(is_one(norms[a], norms[b]) for a, b in pairs)
    proved = Sentence(f"{len(pairs) - one} comparisons are proved (z3, CP-SAT)", f"{len(pairs) - one}の比較は証明（z3、CP-SAT）")
    equal = Sentence(f"{one} comparisons are of one and the same formula", f"{one}の比較は同一の式")
    parts = [part for part, number in ((proved, len(pairs) - one), (equal, one)) if number]
    why = Sentence(f"they say the same in every state: {', '.join(part.en for part in parts)}", f"どの状態でも同じことを述べる。{'、'.join(part.ja for part in parts)}")
    return Outcome(Verdict.YES, why, {**claim, "question": "same"}, certificate={"pairs": pairs}, engines=("z3-solver", "ortools"))


def _apart(scene: Scene, one: Norm, other: Norm, clock: Clock) -> Situation | None:
    formula = apart(one, other)
    found = Literal(scene, one.on, clock, says_next(formula)).possible(formula)
    return found if isinstance(found, Situation) else None


def check(evidence: Evidence, scene: Scene, effort: float | None = None) -> tuple[int, int]:
    """Whether the sentences are the same, or are told apart, as claimed; how many pairs CP-SAT was asked about."""
    norms, ids, certificate = scene.rules.norms, evidence.claim["among"], evidence.certificate
    needed = list(partners(norms, ids))
    if evidence.claim["question"] == "different":
        number, other = certificate["norm"], certificate["other"]
        told = dict(certificate["apart"])
        may = next((m for at, id, m in needed if (at, id) == (number, other)), None)
        if may is None or set(may) != set(told):
            raise Refused("other sentences could say it", "述べているかもしれない文がほかにある")
        for n, data in told.items():
            Again(scene, norms[number].on, effort).holds(data, apart(norms[number], norms[n]))
        return 0, 0
    pairs, asked = {(i, j) for i, j in certificate["pairs"]}, 0
    for number, _, may in needed:
        partner = next((n for n in may if (number, n) in pairs), None)
        if partner is None:
            raise Refused("a sentence has no partner", "対応する文がない")
        if not is_one(norms[number], norms[partner]):
            again = Again(scene, norms[number].on, effort)
            again.never(apart(norms[number], norms[partner]))
            asked += again.asked
    if not needed:
        raise Refused("there are no sentences to compare", "比べる文がない")
    return asked, 0
