"""Cases: positions and questions with right values, as players, designers and judges write them.

``notation`` reads the written form of a position, ``scene`` puts it on the table, and one
small function for each operation asks the rule set; no rule is written a second time here.
The engine comes from outside, as a function of the rule set. Solvers, reports and the
command line may read this folder.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from monjudge.model.language import RuleSet
from monjudge.model.monjan.cases import battling, editing, judging, ordering, paying, searching, skilled
from monjudge.model.monjan.cases.card_names import CaseError
from monjudge.model.monjan.cases.question import OPERATIONS, UNDETERMINED, Question, Tables
from monjudge.model.monjan.cases.scene import Engine, Facts
from monjudge.model.monjan.readings import determined, reading_defects

__all__ = ["INFORMATION", "OPERATIONS", "UNDETERMINED", "CaseError", "answers", "printed"]

INFORMATION: Mapping[str, frozenset[str]] = {"lost_figure": frozenset({"candidates"})}
"""What ``expect`` may say besides what an operation asserts."""

_CHAPTERS = (battling, editing, judging, ordering, paying, searching, skilled)


def answers(
    engine: Callable[[RuleSet], Engine], cases: Iterable[Mapping[str, Any]] = (), open: Iterable[str] = ()
) -> Callable[[Mapping[str, Any]], Facts]:
    """A function that answers cases with an engine; ``cases`` are those to come, so that rule sets can be shared.

    The switches that are left ``open`` get the readings of each case as part of its state. It raises CaseError for
    an unknown operation and for a case that cannot be read.
    """
    tables = Tables(engine, cases, open)

    def ask(case: Mapping[str, Any]) -> Facts:
        name = case["query"]["op"]
        if name not in OPERATIONS:
            raise CaseError(f"there is no operation {name!r}", f"{name!r}という問いはない")
        facts = OPERATIONS[name](Question(tables, case))
        asserted = case.get("expect", {})
        return {key: _like(asserted.get(key), fact) for key, fact in facts.items()}

    def answer(case: Mapping[str, Any]) -> Facts:
        readings = case.get("readings", {})
        if any(reading_defects(readings)):
            return ask(case)
        first, *others = [ask({**case, "readings": chosen}) for chosen in determined(readings)]
        return {key: fact if all(key in o and o[key] == fact for o in others) else UNDETERMINED for key, fact in first.items()}

    return answer


def printed() -> tuple[Mapping[str, Any], ...]:
    """The cases that the document itself gives: its worked examples, and the numbers that it states as examples."""
    text = Path(__file__).with_name("examples.jsonl").read_text(encoding="utf-8")
    return tuple(json.loads(line) for line in text.splitlines())


def _like(asserted: Any, fact: Any) -> Any:
    """The fact as it is asserted: a number of a list means how many there are."""
    if isinstance(asserted, Mapping) and isinstance(fact, Mapping) and not isinstance(fact, Counter):
        return {key: _like(asserted.get(key), value) for key, value in fact.items()}
    if isinstance(asserted, int) and not isinstance(asserted, bool):
        return fact.total() if isinstance(fact, Counter) else len(fact) if isinstance(fact, list) else fact
    return fact
