"""Are the examples that the text prints true together: is there one way to read its ambiguous places under which all hold?

The readings as they stand are tried first, then others one after the other, those first that leave fewer examples
failing; where the combinations are few all of them are tried. Each example is a case, answered by the reference, and
again by an engine that finds what is legal as one of all legal moves.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import prod
from typing import Any

from monjudge.model.language import Move, RuleSet, State
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Examples, Scene
from monjudge.solvers.cases import CaseEngine, run_cases
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.outcome import Outcome
from monjudge.verify.queries import Clock
from monjudge.verify.question import Question

__all__ = ["answer", "check", "failing"]

FEW = 4096
"""Up to so many combinations of readings all are tried."""

Readings = Mapping[str, str]


class Listed(CaseEngine):
    """An engine for which a move is legal when it is among all that are."""

    def legal(self, state: State, move: Move) -> bool:
        return not self.over(state) and move in self.moves_of(state, move.action)


def failing(examples: Examples, readings: Readings, engine: Callable[[RuleSet], CaseEngine] = CaseEngine) -> list[str]:
    """The ids of the examples that do not hold under these readings."""
    cases = [{**case, "readings": {**readings, **case.get("readings", {})}} for case in examples.cases]
    return [result.id for result in run_cases(cases, examples.answers(engine, cases), examples.information) if not result.passed]


def choices(scene: Scene) -> dict[str, list[str]]:
    """The readings of every switch that is open, the one that stands first, without those under which the text says nothing."""
    found = {}
    for switch in scene.rules.switches:
        stands = scene.start[scene.rules.offset[switch.family.name]] - switch.family.lo
        values = [switch.values[stands], *(v for n, v in enumerate(switch.values) if n != stands)]
        found[switch.id] = [v for v in values if v not in switch.undetermined]
    return found


def everything(choices: Mapping[str, list[str]]) -> Iterator[Readings]:
    """Every combination of readings."""
    for chosen in itertools.product(*choices.values()):
        yield dict(zip(choices, chosen, strict=True))


def answer(question: Question, scene: Scene, clock: Clock, most: int) -> Outcome:
    """Whether all examples of the scene hold under some readings of the switches that are open."""
    examples, may = scene.examples, choices(scene)
    assert examples is not None
    claim: dict[str, Any] = {"question": "joint", "formula": f"{len(examples.cases)} examples", "examples": [case["id"] for case in examples.cases]}
    first = {switch: values[0] for switch, values in may.items()}
    few = prod(map(len, may.values())) <= FEW
    readings = next((r for r in _timed(everything(may), clock) if not failing(examples, r)), None) if few else _nearer(examples, may, first, clock)
    if readings is not None:
        other = {switch: value for switch, value in readings.items() if value != first[switch]}
        told = ", ".join(f"{switch}={value}" for switch, value in other.items())
        why = Sentence(f"all {len(examples.cases)} examples hold {f'under {told}' if told else 'under the readings as they stand'}, by two engines",
                       f"{f'{told}のもとで' if told else 'いまの読みで'}{len(examples.cases)}の例がすべて成り立つ。二つのエンジンで確認")  # fmt: skip
        return Outcome(Verdict.YES, why, {**claim, "readings": readings}, bounds={"examples": len(examples.cases)})
    bad = ", ".join(failing(examples, first))
    if not few:
        return Outcome(Verdict.UNKNOWN, Sentence(f"no readings were found under which all hold; as they stand these fail: {bad}", f"すべてが成り立つ読みは見つからない。いまの読みでは {bad} が成り立たない"))
    why = Sentence(f"under none of the {prod(map(len, may.values()))} combinations of readings do all hold, by two engines; as they stand these fail: {bad}",
                   f"{prod(map(len, may.values()))}通りの読みのどれでも、すべては成り立たない（二つのエンジンで確認）。いまの読みでは {bad} が成り立たない")  # fmt: skip
    return Outcome(Verdict.NO, why, {**claim, "question": "not joint"}, bounds={"examples": len(examples.cases)})


def _nearer(examples: Examples, may: Mapping[str, list[str]], first: Readings, clock: Clock) -> Readings | None:
    """Readings under which all hold, changed one by one as long as fewer examples fail; None where that ends before."""
    readings, bad = dict(first), failing(examples, first)
    while bad:
        better = ({**readings, switch: value} for switch, values in may.items() for value in values if value != readings[switch])
        tried = ((r, failing(examples, r)) for r in _timed(better, clock))
        found = next(((r, left) for r, left in tried if len(left) < len(bad)), None)
        if found is None:
            return None
        readings, bad = dict(found[0]), found[1]
    return readings


def _timed(readings: Iterable[Readings], clock: Clock) -> Iterator[Readings]:
    """The same, as long as there is time. Raises LimitReached."""
    for chosen in readings:
        clock.left()
        yield chosen


def check(evidence: Evidence, scene: Scene, effort: float | None = None) -> tuple[int, int]:
    """Whether all examples hold under the readings that are told, or under none that there are, by the second engine."""
    examples, claim = scene.examples, evidence.claim
    if examples is None or claim["examples"] != [case["id"] for case in examples.cases] or not examples.cases:
        raise Refused("the examples are others", "別の例である")
    may = choices(scene)
    if claim["question"] == "not joint":
        if prod(map(len, may.values())) > FEW or any(not failing(examples, readings, Listed) for readings in everything(may)):
            raise Refused("there may be readings under which all hold", "すべてが成り立つ読みがあるかもしれない")
        return 0, 0
    readings = claim["readings"]
    if set(readings) != set(may) or any(readings[switch] not in values for switch, values in may.items()):
        raise Refused("the readings are none that there are", "そのような読みはない")
    if bad := failing(examples, readings, Listed):
        raise Refused(f"{', '.join(bad)} does not hold", f"{'、'.join(bad)}が成り立たない")
    return 0, 0
