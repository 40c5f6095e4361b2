"""What a blind draw from a pile can bring: every number of hits that is possible, and the exact probability of each.

Found by the hypergeometric distribution, checked by counting the draws kind by kind: two ways to one fraction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

from monjudge.model.language import Expr, State, evaluate
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Scene
from monjudge.solvers.verdict import Verdict
from monjudge.verify.outcome import Outcome
from monjudge.verify.queries import Clock
from monjudge.verify.question import CARD, HITS, Question

__all__ = ["Draw", "answer", "broken", "counted", "distribution", "draw_of"]


class Draw:
    """A pile by kinds of cards, which of these are hits, and how many cards are drawn."""

    def __init__(self, copies: Sequence[int], hits: Sequence[bool], cards: int) -> None:
        self.copies, self.hits, self.cards = tuple(copies), tuple(hits), cards


def draw_of(scene: Scene, start: State, pile: str, of: Expr, cards: int) -> Draw:
    """A draw from the pile (a field with a number for each kind of card) in a state. Raises ValueError for another field."""
    family = scene.rules.family_named.get(pile)
    if family is None or len(family.dims) != 1 or family.lo < 0:
        raise ValueError(f"{pile!r} is no pile: a field with a number for each kind of card")
    at, offset = scene.rules.offset[pile], scene.rules.offset
    copies = start[at : at + family.size]
    if cards > sum(copies):
        raise ValueError(f"{pile} has {sum(copies)} cards, fewer than {cards}")
    return Draw(copies, [bool(evaluate(of, start, {CARD: kind}, offset)) for kind in range(family.size)], cards)


def distribution(draw: Draw) -> Mapping[int, Fraction]:
    """The probability of every number of hits that is possible: hypergeometric."""
    total = sum(draw.copies)
    good = sum(n for n, hit in zip(draw.copies, draw.hits, strict=True) if hit)
    ways = {k: comb(good, k) * comb(total - good, draw.cards - k) for k in range(draw.cards + 1)}
    return {k: Fraction(n, comb(total, draw.cards)) for k, n in ways.items() if n}


def counted(draw: Draw) -> Mapping[int, Fraction]:
    """The same by going through the kinds: in how many ways so many cards with so many hits are drawn."""
    ways = {(0, 0): 1}
    for copies, hit in zip(draw.copies, draw.hits, strict=True):
        after: dict[tuple[int, int], int] = {}
        choices = [1]
        for _ in range(copies):  # Pascal's triangle, row by row
            choices = [a + b for a, b in zip([0, *choices], [*choices, 0], strict=True)]
        for (drawn, hits), number in ways.items():
            for more, chosen in enumerate(choices):
                if drawn + more <= draw.cards:
                    key = drawn + more, hits + more * hit
                    after[key] = after.get(key, 0) + number * chosen
        ways = after
    found = {hits: number for (drawn, hits), number in ways.items() if drawn == draw.cards}
    return {hits: Fraction(number, sum(found.values())) for hits, number in sorted(found.items())}


def broken(odds: Mapping[int, Fraction], formula: Expr, start: State, scene: Scene) -> dict[int, Fraction]:
    """The numbers of hits for which the formula does not hold, with their probabilities."""
    return {k: p for k, p in odds.items() if not evaluate(formula, start, {HITS: k}, scene.rules.offset)}


def answer(question: Question, scene: Scene, clock: Clock, most: int) -> Outcome:
    """Whether the formula holds whatever is drawn where play begins, or from the positions that are named; else how likely it does not.

    Raises DataError for a pile from which nothing can be drawn so.
    """
    prop, known = question.prop, {"start": scene.start, **scene.positions}
    starts = {name: known[name] for name in prop.starts if name in known} or {"start": scene.start}
    if "cards" in scene.bounds:
        return Outcome(Verdict.UNKNOWN, Sentence("with the cards left open nobody knows what is in the pile", "カードを開いておくと、山の中身が決まらない"))
    told: dict[str, dict[str, str]] = {}
    for name, start in starts.items():
        try:
            drawn = draw_of(scene, start, prop.pile, question.of, prop.cards)
        except ValueError as error:
            raise DataError([Defect(f"{prop.id}.pile", Sentence(str(error), f"山として引けない：{error}"), "wrong-value")]) from error
        bad = broken(distribution(drawn), question.formula, start, scene)
        told |= {name: {str(hits): str(p) for hits, p in bad.items()}} if bad else {}
    claim = {"question": "draw", "formula": prop.formula, "pile": prop.pile, "of": prop.of, "cards": prop.cards, "starts": list(starts), "broken": told}
    if not told:
        return Outcome(Verdict.YES, Sentence("it holds whatever is drawn, by counting in two ways", "何を引いても成り立つ。二通りに数えた"), claim)
    name, worst = max(told.items(), key=lambda item: sum(map(Fraction, item[1].values())))
    odds = sum(map(Fraction, worst.values()))
    why = Sentence(f"it fails with probability {odds} ({float(odds):.3g}) from {name}, by counting in two ways",
                   f"{name}から確率{odds}（{float(odds):.3g}）で成り立たない。二通りに数えた")  # fmt: skip
    return Outcome(Verdict.NO, why, claim)
