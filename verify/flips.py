"""Which readings of the text would turn a verdict.

A proof is made with the switches left open: that a switch stands at its reading is one more assumption, and is used
only where the proof needs it. The verdict cannot hang on any other switch: the proof is made again by both engines with
all of these open at once. A line is replayed under every reading; switches that cannot be open without its moves being written
otherwise stay closed there. What is not settled so is asked anew, one reading after the other.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from monjudge.model.language import Expr, Family, LimitReached, State, Switch, both, eq, member, walk
from monjudge.model.language import field as cell
from monjudge.model.notation.defects import DataError
from monjudge.model.properties import Scene, Setting
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.bounded import record, reference
from monjudge.verify.carried import carried
from monjudge.verify.invariants import Breach, Inductive
from monjudge.verify.kinds import ANSWERS, LITERAL
from monjudge.verify.nearby import Wanted, wanted
from monjudge.verify.outcome import Vacuous
from monjudge.verify.prove import Finding, Limits, again, needed, prove
from monjudge.verify.queries import Clock, translated
from monjudge.verify.question import Property, ask
from monjudge.verify.recheck import shown
from monjudge.verify.seeking import SMALL
from monjudge.verify.writing import CHOSEN, writing

__all__ = ["Answered", "Flip", "answer"]

OTHERS = Limits(seconds=6, states=300, lines=40, met=False)
"""What may be spent on the verdict under one other reading; so few states are seen, too, where switches are open, for play is slow there.
That the premise is met is shown under the readings as they are."""

SOON = 2.0
"""Seconds for a proof under another reading before it is put off."""

APART = ("explore", "forced", "draw", *ANSWERS)
"""Kinds whose lines are found in ways of their own."""

ASKED = 64
"""So many readings and combinations are asked about one verdict; what is beyond them is told as unasked."""

Readings = tuple[tuple[str, str], ...]
"""Switches with their readings; of a flip in the order of the text."""


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
    if closed.evidence is None:
        return Answered(closed, setting, unasked=tuple(free))
    if closed.evidence.claim["question"] != "holds" or closed.verdict is Verdict.NO:
        return Answered(closed, setting, *asking.shown(closed.verdict, closed.evidence))
    return Answered(closed, setting, *asking.alone(closed.evidence))


def _proof(
    prop: Property, setting: Setting, usual: Mapping[str, str], limits: Limits, only: Collection[str] | None = None
) -> tuple[frozenset[str], Inductive | Breach] | None:  # fmt: skip
    """Of which open switches (of ``only`` these, if given) a proof of z3 needs that they stand as usual, and the proof, or what breaks it; None where z3 does not tell."""
    scene = setting.scene
    may = [s for s in scene.rules.switches if s.id in setting.left and s.id in usual and (only is None or s.id in only)]
    return needed(prop, scene, {s.id: _stands(s, usual[s.id]) for s in may}, limits)


def _stands(switch: Switch, *values: str) -> Expr:
    """That a switch stands at one of these readings."""
    return member(cell(switch.family, ()), [switch.family.lo + switch.values.index(value) for value in values])


def _others(scene: Scene, switches: Collection[str]) -> Iterator[tuple[str, str]]:
    """Every other reading that can be played of these switches, in the order of the text."""
    for switch in scene.rules.switches:
        if switch.id in switches:
            yield from ((switch.id, v) for v in switch.values if v != switch.default and v not in switch.undetermined)


def _not_shown(evidence: Evidence, closed: Scene, scene: Scene, switches: Collection[str], clock: Clock) -> list[tuple[str, str]]:
    """The readings under which the evidence, a line or a state, does not show as much; in the ``scene`` they are open."""
    start = _same_start(evidence, closed, scene)
    if start is not None and evidence.witness:
        with suppress(LimitReached):  # what the line shows may be that its last move cannot be made
            record(scene.rules, reference(scene.rules).settle(start), evidence.witness)
    left = []
    for switch, value in _others(scene, switches):
        try:
            clock.left()
            if start is None or not _shows(evidence, _read(scene, start, switch, value)):
                left.append((switch, value))
        except LimitReached:
            left.append((switch, value))
    return left


def _same_start(evidence: Evidence, closed: Scene, open: Scene) -> State | None:
    """Where the evidence begins, in the scene with more switches: the beginning of that name, or a state like it."""
    if "state" in evidence.claim:
        given, cells = evidence.claim["state"], list(open.start)
        for family in closed.rules.families:
            if family.config:
                at, to = closed.rules.offset[family.name], open.rules.offset[family.name]
                cells[to : to + family.size] = given[at : at + family.size]
        return tuple(cells)
    name = _beginning(evidence, closed)
    return None if name is None else {**open.positions, START: open.start}.get(name)


START = "start"


def _beginning(evidence: Evidence, scene: Scene) -> str | None:
    """The name of the beginning of a line, in a scene from which it was found."""
    engine, asked = reference(scene.rules), tuple(evidence.claim["from"])
    return next((name for name, state in {START: scene.start, **scene.positions}.items() if engine.settle(state) == asked), None)


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
        translated(self.wide.scene.rules)  # once in a process, so that no time of this property goes by
        self.loose = prop
        """The property as it is asked where switches are open: with a lemma for each field that only some of their readings need."""
        self.order = {s.id: n for n, s in enumerate(self.wide.scene.rules.switches)}
        self.usual = {s.id: s.default for s in self.wide.scene.rules.switches if s.id in free}
        self.verdict, self.clock = Verdict.YES, Clock(limits.flips).part(1 / 3)
        self.known: Mapping[str, Any] | None = None
        """The certificate of a proof under the readings as they are."""
        self.broken: dict[Readings, Breach | None] = {}
        """What breaks that proof under another reading; None where nothing is claimed there."""
        self.line: tuple[str, Sequence[Wanted]] | None = None
        self.hanging = frozenset[str]()
        self.flips: list[Flip] = []
        self.unasked: dict[str, None] = {}
        self.seen: set[frozenset[tuple[str, str]]] = set()
        self.needs: dict[frozenset[tuple[str, str]], Collection[str]] = {}

    def loosely(self) -> Answered | None:
        """A proof with all switches open but for those that it needs; None where there is none."""
        proof = self._wide()
        while proof is not None and isinstance(proof[1], Breach) and (lemmas := list(self._at_rest(proof[1]))):
            self.loose = replace(self.loose, lemmas=(*self.loose.lemmas, *lemmas))
            proof = self._wide()
        if proof is None or isinstance(proof[1], Breach):
            return None
        hanging, proved = self._fewer(*proof)
        looser = self.wide.held({switch: self.usual[switch] for switch in hanging})
        found = prove(self.loose, looser.scene, replace(self.limits, states=OTHERS.states), proved)
        return Answered(replace(found, prop=self.prop), looser, *self.proved(hanging)) if found.verdict is Verdict.YES else None

    def _wide(self, only: Collection[str] | None = None, share: float = 1) -> tuple[frozenset[str], Inductive | Breach] | None:
        """A proof with all switches open, within this share of the time that is left; None where there is no time, too."""
        try:
            return _proof(self.loose, self.wide, self.usual, replace(self.limits, seconds=self.clock.part(share).left()), only)
        except LimitReached:
            return None

    def _fewer(self, hanging: frozenset[str], proved: Inductive | Breach) -> tuple[frozenset[str], Inductive | Breach]:
        """The same without switches that a proof can do without, as far as that is told soon: z3 names some that it need not have used."""
        for switch in sorted(hanging):
            if switch not in hanging:
                continue
            proof = self._wide(hanging - {switch}, 1 / 3)
            if proof is not None and not isinstance(proof[1], Breach):
                hanging, proved = proof
        return hanging, proved

    def _at_rest(self, breach: Breach) -> Iterator[str]:
        """That fields which there are only because of an open switch stand as in the beginning, where it stands as usual.

        Of those that do not in the breach: with the switch closed it could not be.
        """
        rules, closed = self.wide.scene.rules, self.setting.scene.rules.family_named
        for family in rules.families:
            at = rules.offset[family.name]
            if family.name in closed or family.config or breach.state[at : at + family.size] == self.wide.scene.start[at : at + family.size]:
                continue
            bring = writing(self.setting).bringing(self.free, family.name)
            usual = both(*(_stands(s, self.usual[s.id]) for s in rules.switches if s.id in bring))
            cells = itertools.product(*map(range, family.dims))
            lemma = repr(~usual | both(*(eq(cell(family, index), value) for index, value in zip(cells, self._first(family), strict=True))))
            if lemma not in self.loose.lemmas:
                yield lemma

    def _first(self, family: Family) -> Sequence[int | bool]:
        """What the cells of a field hold in the beginning."""
        at = self.wide.scene.rules.offset[family.name]
        values = self.wide.scene.start[at : at + family.size]
        return [bool(n) for n in values] if family.is_bool else values

    def proved(self, hanging: Collection[str]) -> tuple[tuple[Flip, ...], tuple[str, ...]]:
        """Of a proof that needs these switches: their readings, with those that a proof under each of them needs, and so on."""
        self.verdict, self.clock, self.hanging = Verdict.YES, Clock(self.limits.flips), frozenset(hanging)
        alone = [reading for reading in _others(self.wide.scene, hanging) if self._turned((reading,)) is False]
        front: list[Readings] = [(reading,) for reading in alone if frozenset([reading]) in self.needs]
        self.unasked |= {f"{_written((reading,))}, ...": None for reading in alone if frozenset([reading]) not in self.needs}
        if self._together([reading for reading, in front]):
            front = []
        for changed in front:  # which grows
            needs = self.needs.get(frozenset(changed))
            if needs is None or _is_late(self.clock):
                self.unasked[f"{_written(changed)}, ..."] = None
                continue
            for reading in _others(self.wide.scene, needs):
                if reading[0] not in dict(changed) and self._turned((*changed, reading)) is False:
                    front.append((*changed, reading))
        return tuple(self.flips), tuple(self.unasked)

    def _together(self, alone: Sequence[tuple[str, str]]) -> bool:
        """Whether these readings, none of which turns the verdict alone, do not in any combination: one proof for all of them, by both engines."""
        scene = self.wide.scene
        stand = [_stands(s, self.usual[s.id], *(value for switch, value in alone if switch == s.id)) for s in scene.rules.switches if s.id in self.hanging]
        scene = replace(scene, given=both(scene.given, *stand))
        try:
            proof = needed(self.loose, scene, {}, self._limits()) if alone else None
            return not alone or (proof is not None and not isinstance(proof[1], Breach)
                                 and prove(self.loose, scene, self._limits(), proof[1]).verdict is Verdict.YES)  # fmt: skip
        except LimitReached:
            return False

    def shown(self, verdict: Verdict, evidence: Evidence) -> tuple[tuple[Flip, ...], tuple[str, ...]]:
        """Of a verdict by a line, a state or by exhaustion: the readings under which these do not show as much, asked anew."""
        self.verdict, self.clock = verdict, Clock(self.limits.flips)
        every = list(_others(self.wide.scene, self.free))
        if evidence.claim["question"] in ("exhausted", "holds") or not {"from", "state"} & evidence.claim.keys():
            return self.each(every, every)  # nothing is shown in play
        if self.prop.kind not in APART and "from" in evidence.claim and (start := _beginning(evidence, self.setting.scene)) is not None:
            self.line = start, wanted(self.setting.scene.rules, evidence.witness)
        along = writing(self.setting).along(self.free, {CHOSEN, *(move.action for move in evidence.witness)})
        alike = self.setting.opened((*self.setting.left, *along)).scene
        left = _not_shown(evidence, self.setting.scene, alike, along, self.clock)
        return self.each(self._joined(evidence, every), [reading for reading in every if reading in left or reading[0] not in along])

    def _joined(self, evidence: Evidence, every: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
        """The readings that may turn the verdict together: of a state, which is looked at by formulas alone, those that these read."""
        if "from" in evidence.claim:
            return every
        scene = self.wide.scene
        read = {n.args[0].name for n in walk(ask(self.prop, scene).claim, scene.given) if n.op == "field"}
        return [reading for reading in every if reading[0] in read]

    def alone(self, evidence: Evidence) -> tuple[tuple[Flip, ...], tuple[str, ...]]:
        """Of a proof under the readings as they are: the readings under which one of its steps asks something else, asked anew."""
        self.known, every = evidence.certificate, list(_others(self.wide.scene, self.free))
        claims = self.prop.kind in ("invariant", "unreachable") and not self.prop.settled
        self.prop = replace(self.prop, lemmas=tuple(self.known["invariants"][:-1] if claims else self.known["invariants"]))  # with aids
        left = {reading: len(self.known["used"]) - len(self._carried(self.setting.read(**dict([reading])))) for reading in every}
        self.verdict, self.clock = Verdict.YES, Clock(self.limits.flips)
        # To look for a fault takes longer than a proof: first all that are proved, and of these those that are proved soon.
        open = sorted((reading for reading in every if left[reading]), key=lambda reading: left[reading])
        for seconds in SOON, OTHERS.seconds:
            open = [reading for reading in open if (reading,) in self.broken or not self._is_proved(reading, seconds)]
        for reading in open:
            if (reading,) not in self.broken:
                self._not_asked((reading,))
        return self.each(every, open)

    def _carried(self, held: Setting) -> dict[str, tuple[str, ...]]:
        """The steps of the proof that ask the same under these readings."""
        assert self.known is not None
        try:
            return carried(self.prop, self.known, self.setting.scene, held.scene)
        except DataError:  # what it speaks of is not there
            return {}

    def _is_proved(self, reading: tuple[str, str], seconds: float | None) -> bool:
        """Whether what is not carried over to this reading is proved anew within so many seconds; what breaks it is kept."""
        held = self.setting.read(**dict([reading]))
        try:
            known = self._carried(held)
            proof = needed(self.prop, held.scene, {}, self._limits(seconds), known)
            if proof is not None and isinstance(proof[1], Breach):
                self.broken[reading,] = proof[1]
            elif proof is not None and prove(self.prop, held.scene, self._limits(), proof[1], known).verdict is Verdict.YES:
                self.seen.add(frozenset([reading]))
                return True
        except LimitReached:
            pass
        except (Vacuous, DataError):
            self.broken[reading,] = None
        return False

    def _not_asked(self, readings: Readings) -> None:
        self.seen.add(frozenset(readings))
        self.unasked[readings[0][0] if len(readings) == 1 else _written(readings)] = None

    def each(self, others: Sequence[tuple[str, str]], alone: Sequence[tuple[str, str]]) -> tuple[tuple[Flip, ...], tuple[str, ...]]:
        """The readings ``alone``, and the combinations of all the others where they are of few switches: what none of two turns they may turn together."""
        for reading in alone:
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
        held, found = self.setting.read(**dict(readings)), None
        try:
            if len(self.seen) > ASKED and len(readings) > 1:
                raise LimitReached("there are more combinations than are asked")
            found, held = self._found(readings, held)
            verdict = Verdict.UNKNOWN if found is None else found.verdict
        except (Vacuous, DataError):
            verdict = Verdict.UNDETERMINED
        except LimitReached:
            self._not_asked(readings)
            return None
        if verdict is self.verdict:
            return False
        self.flips.append(Flip(tuple(sorted(readings, key=lambda reading: self.order[reading[0]])), verdict, held, None if found is None else found.evidence))
        return True

    def _found(self, readings: Readings, held: Setting) -> tuple[Finding | None, Setting]:
        """The verdict under these readings, and the setting: where it is proved the other switches are open but for those that it needs.

        A line is looked for where all switches are closed, for play is much faster there.
        """
        if self.known is not None:
            return prove(self.prop, held.scene, self._limits(), self.broken.get(readings), self._carried(held)), held
        found = self._again(held)
        if found is not None:
            return found, held
        changed = self.wide.held(dict(readings))
        proof = _proof(self.loose, changed, self.usual, self._limits(), self.hanging)
        if proof is None or isinstance(proof[1], Breach):
            proof = _proof(self.loose, changed, self.usual, self._limits())
        if proof is not None and not isinstance(proof[1], Breach):
            setting = changed.held({switch: self.usual[switch] for switch in proof[0]})
            found = prove(self.loose, setting.scene, self._limits(), proof[1])
            if found.verdict is Verdict.YES:
                self.needs[frozenset(readings)] = proof[0]
                return found, setting
        if self.line is None or held.scene.rules.size <= SMALL:
            return prove(self.prop, held.scene, self._limits()), held
        return self._again(held, OTHERS.lines) or self._closed(held), held

    def _closed(self, held: Setting) -> Finding | None:
        """That it holds where all other switches are closed, if z3 proves that."""
        proof = needed(self.prop, held.scene, {}, self._limits())
        return None if proof is None or isinstance(proof[1], Breach) else prove(self.prop, held.scene, self._limits(), proof[1])

    def _again(self, held: Setting, lines: int = 0) -> Finding | None:
        """The same verdict by a line near the one that is known, or by one of so many random ones."""
        if self.line is None:
            return None
        name, line = self.line
        scene = held.scene
        start = {**scene.positions, START: scene.start}.get(name)
        return None if start is None else again(self.prop, scene, start, line, self._limits(), lines)

    def _limits(self, seconds: float | None = OTHERS.seconds) -> Limits:
        left = self.clock.left()
        return replace(OTHERS, seconds=seconds if left is None or seconds is None else min(left, seconds))


def _written(readings: Readings) -> str:
    return ", ".join(f"{switch}={value}" for switch, value in readings)


def _is_late(clock: Clock) -> bool:
    try:
        clock.left()
    except LimitReached:
        return True
    return False
