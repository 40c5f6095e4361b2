"""Other readings and boards that play may begin with, where these are open: what to look for a line under, and how few it needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from monjudge.model.language import State, evaluate
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.verify.bounded import reference
from monjudge.verify.recheck import can_be_read, origin, shown

__all__ = ["COUNTEREXAMPLE", "fewest", "others", "readings"]

COUNTEREXAMPLE = "counterexample"
"""The name of the beginning with the configuration of a counterexample to an induction."""


def others(scene: Scene, begin: State, model: State | None) -> dict[str, State]:
    """The beginning with the configuration of a ``model``, and with each other reading of a switch that is left open."""
    rules, found = scene.rules, dict[str, State]()
    if model is not None:
        found[COUNTEREXAMPLE] = _configured(scene, begin, model)
    for switch in rules.switches:
        for value in range(switch.family.lo, switch.family.hi + 1):
            cells = list(begin)
            cells[rules.offset[switch.family.name]] = value
            found[f"{switch.id}={switch.values[value - switch.family.lo]}"] = tuple(cells)
    return {name: state for name, state in found.items() if state != begin and _admitted(scene, state)}


def _configured(scene: Scene, begin: State, model: State) -> State:
    """The beginning with the boards and readings of another state."""
    cells = list(begin)
    for family in scene.rules.families:
        if family.config:
            at = scene.rules.offset[family.name]
            cells[at : at + family.size] = model[at : at + family.size]
    return tuple(cells)


def _admitted(scene: Scene, state: State) -> bool:
    return can_be_read(scene.rules, state) and bool(evaluate(scene.given, state, None, scene.rules.offset))


def readings(scene: Scene, state: State) -> Mapping[str, str]:
    """The switches that stand elsewhere than where play begins, with their readings."""
    at = scene.rules.offset
    return {s.id: s.values[state[at[s.family.name]] - s.family.lo] for s in scene.rules.switches
            if state[at[s.family.name]] != scene.start[at[s.family.name]]}  # fmt: skip


def fewest(evidence: Evidence, scene: Scene) -> Evidence:
    """The same line with as few other readings and boards as show the claim, given up one after the other."""
    begin = origin(scene, tuple(evidence.claim["from"]))
    if begin is None:
        return evidence
    for candidate in _nearer(scene):
        closer = list(begin)
        for n in candidate:
            closer[n] = scene.start[n]
        if tuple(closer) != begin and _admitted(scene, tuple(closer)):
            other = replace(evidence, claim={**evidence.claim, "from": list(reference(scene.rules).settle(tuple(closer)))})
            try:
                shown(other, scene)
            except Refused:
                continue
            begin, evidence = tuple(closer), other
    return evidence


def _nearer(scene: Scene) -> Iterator[list[int]]:
    """Cells to put back: all boards at once, then each switch."""
    rules, switches = scene.rules, {s.family.name for s in scene.rules.switches}
    yield [rules.offset[f.name] + n for f in rules.families if f.config and f.name not in switches for n in range(f.size)]
    yield from ([rules.offset[name]] for name in sorted(switches))
