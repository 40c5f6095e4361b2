"""Which readings of the text would turn a verdict.

A proof is made with the switches left open: that a switch stands at its reading is one more assumption, and is used
only where the proof needs it. The verdict cannot hang on any other switch: the proof is made again by both engines with
all of these open at once. A line is replayed under every reading; switches that cannot be open without its moves being written
otherwise stay closed there. What is not settled so is asked anew, one reading after the other.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import Any

from monjudge.model.language import LimitReached, State
from monjudge.model.language import field as cell
from monjudge.model.properties import Scene, Setting
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.bounded import reference
from monjudge.verify.invariants import Breach, Inductive
from monjudge.verify.kinds import LITERAL
from monjudge.verify.prove import Finding, Limits, Vacuous, needed, prove
from monjudge.verify.queries import Clock
from monjudge.verify.question import Property
from monjudge.verify.recheck import shown

__all__ = ["Answered", "Flip", "answer"]

OTHERS = Limits(seconds=20, states=1000, lines=40)
"""What may be spent on the verdict under one other reading."""


ASKED = 64
"""So many readings and combinations are asked about one verdict; what is beyond them is told as unasked."""

Readings = tuple[tuple[str, str], ...]
"""Switches with their readings, in the order in which they were changed."""


@dataclass(frozen=True)
class Flip:
    """With these readings instead, and with no fewer of them, the verdict is another, or undecided.

    The ``evidence`` for the other verdict is about the ``setting``: of the switches that are not changed those that it
    needs are held.
    """

    readings: Readings
    verdict: Verdict
    setting: Setting
    evidence: Evidence | None = None


@dataclass(frozen=True)
class Answered:
    """A finding in its setting, and what turns it.

    ``unasked`` are the switches of which it is not known whether they do, and readings of which it is not known whether they
    do together with others (``SWITCH=VALUE, ...``). Where it is proved with readings left open, these are ``open`` in the
    setting, and no combination of them turns it.
    """

    found: Finding
    setting: Setting
    flips: tuple[Flip, ...] = ()
    unasked: tuple[str, ...] = ()


def answer(prop: Property, setting: Setting, limits: Limits, flips: bool = True) -> Answered:
    """The verdict on a property, with the readings that turn it where these are asked for.

    Raises as ``prove`` does.
    """
    setting = prop.within(setting)
    free = [switch for switch in setting.switches if switch not in setting.readings and switch not in setting.open]
    if not flips or not free or prop.open or prop.kind in LITERAL:  # a property that opens readings of its own speaks of these
        return Answered(prove(prop, setting.scene, limits), setting, unasked=tuple(free) if flips and prop.kind not in LITERAL else ())
    asking = _Asking(prop, setting, free, limits)
    found = asking.loosely()
    if found is not None:
        return found
    closed = prove(prop, setting.scene, limits)
    if closed.evidence is not None and closed.evidence.claim["question"] != "holds":
        return Answered(closed, setting, *asking.shown(closed.verdict, closed.evidence))
    return Answered(closed, setting, unasked=tuple(free))


def _proof(prop: Property, setting: Setting, usual: Mapping[str, str], limits: Limits) -> tuple[frozenset[str], Inductive | Breach] | None:
    """Of which open switches a proof of z3 needs that they stand as usual, and the proof, or what breaks it; None where z3 does not tell."""
    scene = setting.scene
    assumed = {s.id: cell(s.family, ()) == s.family.lo + s.values.index(usual[s.id]) for s in scene.rules.switches if s.id in setting.left and s.id in usual}
    return needed(prop, scene, assumed, limits)


def _others(scene: Scene, switches: Collection[str]) -> Iterator[tuple[str, str]]:
    """Every other reading that can be played of these switches, in the order of the text."""
    for switch in scene.rules.switches:
        if switch.id in switches:
            yield from ((switch.id, v) for v in switch.values if v != switch.default and v not in switch.undetermined)


def _not_shown(evidence: Evidence, closed: Scene, scene: Scene, switches: Collection[str], clock: Clock) -> list[tuple[str, str]]:
    """The readings under which the evidence, a line or a state, does not show as much; in the ``scene`` they are open."""
    start = _same_start(evidence, closed, scene)
    left = []
    for switch, value in _others(scene, switches):
        try:
            clock.left()
            if start is None or not _shows(evidence, _read(scene, start, switch, value)):
                left.append((switch, value))
        except LimitReached:
            left.append((switch, value))
    return left


def _written_alike(evidence: Evidence, closed: Setting, open: Setting) -> bool:
    """Whether the moves of the evidence have the same parameters in both settings, and what is chosen before play the same cells."""
    had, has, moved = _form(json.dumps(closed.data())), _form(json.dumps(open.data())), {move.action for move in evidence.witness}
    return all(has.get(name) == form for name, form in had.items() if name in moved or form[0] == CHOSEN)


CHOSEN = "chosen before play"


@lru_cache(maxsize=1024)
def _form(setting: str) -> Mapping[str, tuple[Any, ...]]:
    """How the moves are written under the rules of a setting, and the cells that are chosen before play."""
    rules = Setting.of(json.loads(setting)).made().rules
    moves = {a.name: ("move", *((p.name, p.var.lo, p.var.hi) for p in a.params)) for a in rules.actions}
    return moves | {f.name: (CHOSEN, f.dims, f.lo, f.hi) for f in rules.families if f.config}


def _same_start(evidence: Evidence, closed: Scene, open: Scene) -> State | None:
    """Where the evidence begins, in the scene with more switches: the beginning of that name, or a state like it."""
    if "state" in evidence.claim:
        given, cells = evidence.claim["state"], list(open.start)
        for family in closed.rules.families:
            if family.config:
                at, to = closed.rules.offset[family.name], open.rules.offset[family.name]
                cells[to : to + family.size] = given[at : at + family.size]
        return tuple(cells)
    engine, asked = reference(closed.rules), tuple(evidence.claim["from"])
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
    claim = dict(evidence.claim)
    if "state" in claim:
        claim["state"] = list(scene.start)
    else:
        claim["from"] = list(reference(scene.rules).settle(scene.start))
    try:
        shown(replace(evidence, claim=claim, certificate={}), scene)
    except Refused:
        return False
    return True


class _Asking:
    """The verdict under other readings, asked as long as there is time."""

    def __init__(self, prop: Property, setting: Setting, free: Sequence[str], limits: Limits) -> None:
        self.prop, self.setting, self.free, self.limits = prop, setting, free, limits
        self.wide = setting.opened((*setting.left, *free))
        self.usual = {s.id: s.default for s in self.wide.scene.rules.switches if s.id in free}
        self.verdict, self.clock = Verdict.YES, Clock()
        self.flips: list[Flip] = []
        self.unasked: dict[str, None] = {}
        self.seen: set[frozenset[tuple[str, str]]] = set()
        self.needs: dict[frozenset[tuple[str, str]], Collection[str]] = {}

    def loosely(self) -> Answered | None:
        """A proof with all switches open but for those that it needs; None where there is none."""
        proof = _proof(self.prop, self.wide, self.usual, self.limits)
        if proof is None or isinstance(proof[1], Breach):
            return None
        hanging, proved = proof
        looser = self.wide.held({switch: self.usual[switch] for switch in hanging})
        found = prove(self.prop, looser.scene, self.limits, proved)
        return Answered(found, looser, *self.proved(hanging)) if found.verdict is Verdict.YES else None

    def proved(self, hanging: Collection[str]) -> tuple[tuple[Flip, ...], tuple[str, ...]]:
        """Of a proof that needs these switches: their readings, with those that a proof under each of them needs, and so on."""
        self.verdict, self.clock = Verdict.YES, Clock(self.limits.seconds)
        front: list[tuple[Readings, Collection[str]]] = [((), hanging)]
        for changed, needs in front:  # which grows
            for reading in _others(self.wide.scene, needs):
                if reading[0] in dict(changed):
                    continue
                readings = (*changed, reading)
                if self._turned(readings) is False:
                    more = self.needs.get(frozenset(readings))
                    if more is None:
                        self.unasked[f"{_written(readings)}, ..."] = None
                    front.append((readings, more or ()))
        return tuple(self.flips), tuple(self.unasked)

    def shown(self, verdict: Verdict, evidence: Evidence) -> tuple[tuple[Flip, ...], tuple[str, ...]]:
        """Of a verdict by a line, a state or by exhaustion: the readings under which these do not show as much, asked anew."""
        self.verdict, self.clock = verdict, Clock(self.limits.seconds)
        every = list(_others(self.wide.scene, self.free))
        if evidence.claim["question"] == "exhausted":
            return self.each(every)
        along = self._along(evidence)
        self.wide = self.setting.opened((*self.setting.left, *along))
        left = _not_shown(evidence, self.setting.scene, self.wide.scene, along, self.clock)
        return self.each([reading for reading in every if reading in left or reading[0] not in along])

    def _along(self, evidence: Evidence) -> list[str]:
        """The switches that can be left open together so that the evidence is still written as it is; found by halving them."""
        along, front = list[str](), [list(self.free)]
        for group in front:  # which grows
            if _written_alike(evidence, self.setting, self.setting.opened((*self.setting.left, *along, *group))):
                along += group
            elif len(group) > 1:
                front += [group[: len(group) // 2], group[len(group) // 2 :]]
        return along

    def each(self, others: list[tuple[str, str]]) -> tuple[tuple[Flip, ...], tuple[str, ...]]:
        """These readings, and their combinations where they are of few switches."""
        for reading in others:
            self._turned((reading,))
        switches = Counter(switch for switch, _ in others)
        if not self.unasked and prod(n + 1 for n in switches.values()) - 1 <= ASKED:
            for size in range(2, len(switches) + 1):
                for readings in itertools.combinations(others, size):
                    if len(dict(readings)) == size:
                        self._turned(readings)
        elif len(switches) > 1:
            self.unasked[", ".join(f"{switch}=..." for switch in [*switches][:2]) + ", ..."] = None
        return tuple(self.flips), tuple(self.unasked)

    def _turned(self, readings: Readings) -> bool | None:
        """Whether these readings turn the verdict; None where they are not asked, or fewer of them do."""
        key = frozenset(readings)
        if key in self.seen or any(key >= {*flip.readings} for flip in self.flips):
            return None
        self.seen.add(key)
        held, found = self.wide.held({**self.usual, **dict(readings)}), None
        try:
            if len(self.seen) > ASKED:
                raise LimitReached("there are more combinations than are asked")
            found, held = self._found(readings, held)
            verdict = found.verdict
        except Vacuous:
            verdict = Verdict.UNDETERMINED
        except LimitReached:
            self.unasked[readings[0][0] if len(readings) == 1 else _written(readings)] = None
            return None
        if verdict is self.verdict:
            return False
        self.flips.append(Flip(readings, verdict, held, None if found is None else found.evidence))
        return True

    def _found(self, readings: Readings, held: Setting) -> tuple[Finding, Setting]:
        """The verdict under these readings, and the setting: where it is proved the other switches are open but for those that it needs."""
        changed = self.wide.held(dict(readings))
        proof = _proof(self.prop, changed, self.usual, self._limits())
        if proof is not None and not isinstance(proof[1], Breach):
            setting = changed.held({switch: self.usual[switch] for switch in proof[0]})
            found = prove(self.prop, setting.scene, self._limits(), proof[1])
            if found.verdict is Verdict.YES:
                self.needs[frozenset(readings)] = proof[0]
                return found, setting
        breach = proof[1] if proof is not None and isinstance(proof[1], Breach) else None
        return prove(self.prop, held.scene, self._limits(), breach), held

    def _limits(self) -> Limits:
        seconds = self.clock.left()
        return OTHERS if seconds is None or OTHERS.seconds is None else replace(OTHERS, seconds=min(seconds, OTHERS.seconds))


def _written(readings: Readings) -> str:
    return ", ".join(f"{switch}={value}" for switch, value in readings)
