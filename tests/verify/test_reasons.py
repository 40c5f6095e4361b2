"""Why evidence is refused: in words, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from monjudge.model.games import scene_of
from monjudge.model.language import Move, Scope, TextError, parse_expr
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.verify.prove import Limits, prove
from monjudge.verify.question import Property
from monjudge.verify.recheck import recheck

LIMITS = Limits(seconds=60, states=100, lines=5)
PROVED = Property("proved", "move", "`count` <= heap[heap]", on="take")
BROKEN = Property("broken", "move", "`count` <= 1", on="take")


@cache
def evidence(prop: Property) -> Evidence:
    found = prove(prop, scene_of("nim"), LIMITS).evidence
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("prop", "forge", "en", "ja"),
    [
        (BROKEN, lambda e: replace(e, witness=(Move("take", 0, (0, 1)),)), "the formula holds of the last move: it breaks nothing", "最後の手では式が成り立ち、何も破っていない"),
        (BROKEN, lambda e: replace(e, witness=(Move("take", 1, (0, 2)),)), "move 1 of the line is not legal: take heap=0 count=2", "手順の1手目はできない：take heap=0 count=2"),
        (BROKEN, lambda e: replace(e, claim={**e.claim, "formula": "`count` <= "}), "a formula of the evidence cannot be read: line 1, column 12", "証拠の式が読めない：1行12字目"),
        (PROVED, lambda e: replace(e, certificate={**e.certificate, "used": {"move take": ["NIM.never"]}}), "CP-SAT finds a counterexample: move take; the certificate names NIM.never, which the rules do not have", "証明が挙げるNIM.neverはルールにない"),
    ],
)  # fmt: skip
def test_the_reason_says_what_is_wrong(prop: Property, forge: Callable[[Evidence], Evidence], en: str, ja: str) -> None:
    with pytest.raises(Refused) as refused:
        recheck(forge(evidence(prop)), scene_of("nim"))
    assert en in refused.value.text.en and ja in refused.value.text.ja


@pytest.mark.parametrize(
    ("text", "en", "ja"),
    [
        ("heap[0, 1] == 0", "heap takes 1 index, not 2", "式に意味がない：heap の添字は1個で、2個ではない"),
        ("heap[0] and true", "'and' needs a truth value, but heap[0] is a number", "「and」には真偽が要るが、heap[0] は数"),
        ("heap[0] == true", "'==' between a number and a truth value", "数と真偽を「==」で比べている"),
        ("heap[0] * heap[1] == 0", "one side of '*' must be a constant", "「*」の片方は定数でなければならない"),
    ],
)
def test_what_is_wrong_with_a_formula_is_said_in_one_language_at_a_time(text: str, en: str, ja: str) -> None:
    with pytest.raises(TextError) as wrong:
        parse_expr(text, Scope.of(scene_of("nim").rules))
    assert en in wrong.value.en and ja in wrong.value.ja
