"""Cases: positions and questions with right values, in the form of ``cases_of`` (see ``model.games``).

``card_names`` and ``scene`` read the written form of a position; every operation asks the rule set, no rule is
written a second time here. The engine comes from outside, as a function of the rule set.

========== ==========================================================================================
operation  parameters; what can be asserted
========== ==========================================================================================
play       acts ("A order C4", "draw H1"; chance that no act names comes as it comes); ``legal`` (true, false,
           "undetermined" or "unknown"), ``clauses`` that forbid the first act that is not legal, and every fact of the
           state then reached (see ``scene``): who, step, turn, first, over, winner, squares, distance, options, and by player
           fame, damage, active, side, due, hand, library, discard, removed, injured, present, fought, monsters, training, ...
order      squares (of the one who orders, of the other), icon; squares afterwards
orders     squares, icons, first ("A", "B"); squares after both orders, under the readings of the case
in_range   squares, range; usable
training   drawn, loyalty, target, aid, hinder (numbers of cards); success
setup      pulls of the monsters picked; legal
menu       every multiset of pull numbers that can be picked, of any number of monsters; menu
deck       cards (by id or stand-in), or base with change; legal, clauses
force      range, icons of both, first, rounds; forced: the squares from which A can force the distance
players    number; answer
injure     who; forced: that player can injure the other's monster in this battle, hands open, chance at its worst; first: the acts
           with which that begins
========== ==========================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from monjudge.model.language import RuleSet
from monjudge.model.rancher.cases import forcing
from monjudge.model.rancher.cases.card_names import CaseError
from monjudge.model.rancher.cases.questions import OPERATIONS, Question, Tables
from monjudge.model.rancher.cases.scene import Engine, Facts
from monjudge.model.rancher.readings import SWITCHES

__all__ = ["INFORMATION", "OPERATIONS", "UNDETERMINED", "CaseError", "answers"]

INFORMATION: Mapping[str, frozenset[str]] = {}
"""What ``expect`` may say besides what an operation asserts."""

_CHAPTERS = (forcing,)  # registers its operations

UNDETERMINED = "undetermined"
"""The answer under a reading without executable meaning, where the other readings of the switch differ."""


def answers(
    engine: Callable[[RuleSet], Engine], cases: Iterable[Mapping[str, Any]] = (), open: Iterable[str] = ()
) -> Callable[[Mapping[str, Any]], Facts]:
    """A function that answers cases with an engine; ``cases`` are those to come, so that rule sets can be shared.

    It raises CaseError for an unknown operation and for a case that cannot be read.
    """
    tables = Tables(engine, cases, open)

    def ask(case: Mapping[str, Any]) -> Facts:
        name = case["query"]["op"]
        if name not in OPERATIONS:
            raise CaseError(f"there is no operation {name!r}", f"{name!r}という問いはない")
        return OPERATIONS[name](Question(tables, case))

    def answer(case: Mapping[str, Any]) -> Facts:
        for defect in SWITCHES.defects(case.get("readings", {})):
            raise CaseError(defect.text.en, defect.text.ja)
        first, *others = [ask({**case, "readings": chosen}) for chosen in SWITCHES.determined(case.get("readings", {}))]
        return {key: fact if all(o.get(key) == fact for o in others) else UNDETERMINED for key, fact in first.items()}

    return answer


