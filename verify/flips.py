"""Which readings of the text would turn a verdict.

A proof is made with the switches left open: that a switch stands at its reading is one more assumption, and is used
only where the proof needs it. The verdict cannot hang on any other switch: the proof is made again by both engines with
all of these open at once. A line is replayed under every reading. What is not settled so is asked anew, one reading
after the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from monjudge.model.language import LimitReached, State
from monjudge.model.language import field as cell
from monjudge.model.properties import Scene, Setting
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Finding, Limits, Vacuous, needed, prove
from monjudge.verify.queries import Clock
from monjudge.verify.question import Property
from monjudge.verify.recheck import shown

__all__ = ["Answered", "Flip", "answer"]

OTHERS = Limits(seconds=20, states=1000, lines=40)
"""What may be spent on the verdict under one other reading."""


@dataclass(frozen=True)
class Flip:
    """With this reading of one switch instead, the verdict is another, or undecided."""

    reading: str
    value: str
    verdict: Verdict


@dataclass(frozen=True)
class Answered:
    """A finding in its setting, and what turns it.

    ``unasked`` are the switches of which it is not known whether they do. Where it is proved with readings left open,
    these are ``open`` in the setting, and no combination of them turns it.
    """

    found: Finding
    setting: Setting
    flips: tuple[Flip, ...] = ()
    unasked: tuple[str, ...] = ()


def answer(prop: Property, setting: Setting, limits: Limits, flips: bool = True) -> Answered:
    """The verdict on a property, with the single readings that turn it where these are asked for.

    Raises as ``prove`` does.
    """
    free = [switch for switch in setting.switches if switch not in setting.readings and switch not in setting.open]
    if not flips or not free:
        return Answered(prove(prop, setting.scene, limits), setting)
    hanging = _hanging(prop, setting.opened(free), limits)
    if hanging is not None:
        looser = setting.opened(switch for switch in free if switch not in hanging)
        found = prove(prop, looser.scene, limits)
        if found.verdict is Verdict.YES:
            others = list(_others(setting, hanging))
            return Answered(found, looser, *_asked(prop, setting, found.verdict, others, Clock(limits.seconds)))
    found = prove(prop, setting.scene, limits)
    if found.evidence is None or found.evidence.claim["question"] == "holds":
        return Answered(found, setting, unasked=tuple(free))
    clock = Clock(limits.seconds)
    others = list(_others(setting, free)) if found.evidence.claim["question"] == "exhausted" else _not_shown(found.evidence, setting, free, clock)
    return Answered(found, setting, *_asked(prop, setting, found.verdict, others, clock))


def _hanging(prop: Property, setting: Setting, limits: Limits) -> frozenset[str] | None:
    """The open switches whose reading a proof of z3 needs; None where it finds none."""
    scene = setting.scene
    assumed = {s.id: cell(s.family, ()) == s.family.init[0] for s in scene.rules.switches if s.id in setting.open}
    return needed(prop, scene, assumed, limits)


def _others(setting: Setting, switches: Collection[str]) -> Iterator[tuple[str, str]]:
    """Every other reading that can be played of these switches, in the order of the text."""
    for switch in setting.opened(switches).scene.rules.switches:
        if switch.id in switches:
            yield from ((switch.id, v) for v in switch.values if v != switch.default and v not in switch.undetermined)


def _not_shown(evidence: Evidence, setting: Setting, switches: Collection[str], clock: Clock) -> list[tuple[str, str]]:
    """The readings under which the evidence, a line or a state, does not show as much."""
    closed, scene = setting.scene, setting.opened(switches).scene
    start = _same_start(evidence, closed, scene)
    left = []
    for switch, value in _others(setting, switches):
        try:
            clock.left()
            if start is None or not _shows(evidence, _read(scene, start, switch, value)):
                left.append((switch, value))
        except LimitReached:
            left.append((switch, value))
    return left


def _same_start(evidence: Evidence, closed: Scene, open: Scene) -> State | None:
    """Where the evidence begins, in the scene with more switches: the beginning of that name, or a state like it."""
    from monjudge.solvers.engines.reference import Reference

    if "state" in evidence.claim:
        given, cells = evidence.claim["state"], list(open.start)
        for family in closed.rules.families:
            if family.config:
                at, to = closed.rules.offset[family.name], open.rules.offset[family.name]
                cells[to : to + family.size] = given[at : at + family.size]
        return tuple(cells)
    engine, asked = Reference(closed.rules), tuple(evidence.claim["from"])
    if engine.settle(closed.start) == asked:
        return open.start
    return next((open.positions[n] for n, s in closed.positions.items() if n in open.positions and engine.settle(s) == asked), None)


def _read(scene: Scene, start: State, switch: str, value: str) -> Scene:
    """The scene that begins there, with this reading."""
    family = scene.rules.family_named[switch]
    assert family.labels is not None
    cells = list(start)
    cells[scene.rules.offset[switch]] = family.labels[value]
    return replace(scene, start=tuple(cells), positions={})


def _shows(evidence: Evidence, scene: Scene) -> bool:
    from monjudge.solvers.engines.reference import Reference

    claim = dict(evidence.claim)
    if "state" in claim:
        claim["state"] = list(scene.start)
    else:
        claim["from"] = list(Reference(scene.rules).settle(scene.start))
    try:
        shown(replace(evidence, claim=claim, certificate={}), scene)
    except Refused:
        return False
    return True


def _asked(
    prop: Property, setting: Setting, verdict: Verdict, readings: list[tuple[str, str]], clock: Clock
) -> tuple[tuple[Flip, ...], tuple[str, ...]]:  # fmt: skip
    """Those of the readings with another verdict, and the switches for which no time was left."""
    found, unasked = list[Flip](), dict[str, None]()
    for switch, value in readings:
        try:
            seconds = clock.left()
            most = OTHERS.seconds if seconds is None or OTHERS.seconds is None else min(seconds, OTHERS.seconds)
            other = prove(prop, setting.read(**{switch: value}).scene, replace(OTHERS, seconds=most)).verdict
        except Vacuous:
            other = Verdict.UNDETERMINED
        except LimitReached:
            unasked[switch] = None
            continue
        if other is not verdict:
            found.append(Flip(switch, value, other))
    return tuple(found), tuple(unasked)
