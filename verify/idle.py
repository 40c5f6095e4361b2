"""What rest says of single triggers: where a whole pass changes nothing, the condition of this one does not hold.

A pass takes the triggers one after the other, and a later one may undo what an earlier one did. So that a pass changes nothing
does not say by itself that none of them fires; but it can be shown of most of them, one field at a time.

* A trigger is *quiet* if it fires in no pass that changes nothing. Shown by a field and a direction: whenever it fires, no cell
  of the field goes against the direction and one goes along; every other trigger takes no cell against it, or was shown to be
  quiet before. (The sum of the cells then rises or stays all through the pass, and has not risen at its end: it never rose.)
* A quiet trigger is *idle*, its condition false in the state at rest itself, if every earlier trigger that writes a field which
  the condition reads is quiet: when its turn comes, these fields are as they are at rest.

Idleness is proved when a query wants it, about the effects on single fields; a whole pass is one term of all triggers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from monjudge.model.language import (
    TRUE,
    Effect,
    Expr,
    Family,
    LimitReached,
    RuleSet,
    Trigger,
    as_int,
    both,
    le,
    negate,
    walk,
)
from monjudge.model.language import field as cell
from monjudge.solvers.certificate import Refused
from monjudge.solvers.engines.smt.terms import z3
from monjudge.verify.queries import Condition, Provable, Queries, Refuted

if TYPE_CHECKING:
    from monjudge.verify.implications import Implications

__all__ = ["IDLE", "QUIET", "Resting", "Way", "again", "bindings", "grounds", "resting"]

IDLE, QUIET, AFTER, WHEN = "idle ", "quiet ", "after ", "when "
"""In a certificate: a condition that was used; how a trigger was shown to be quiet, which ones were before it, and of which
the conditions were needed, not the effects alone."""

WIDE = 100
"""Fields of more cells are not looked at."""

SHARE = 0.1
"""So much of the time that is left may be spent on one field and direction: others may do."""


class Way(NamedTuple):
    """A field all of whose cells go up, or all down."""

    family: Family
    up: bool

    def __str__(self) -> str:
        return f"{self.family.name} {'up' if self.up else 'down'}"

    def kept(self) -> Expr:
        """That no cell goes against it (the next state is spoken of)."""
        return both(*(le(now, then) if self.up else le(then, now) for now, then in self._cells()))

    def stays(self) -> Expr:
        """That no cell changes."""
        return both(*(le(now, then) & le(then, now) for now, then in self._cells()))

    def _cells(self) -> Iterator[tuple[Expr, Expr]]:
        for at in itertools.product(*map(range, self.family.dims)):
            now, then = cell(self.family, at), cell(self.family, at, 1)
            yield (as_int(now), as_int(then)) if self.family.is_bool else (now, then)


def bindings(trigger: Trigger) -> Iterator[tuple[tuple[int, ...], dict[str, int]]]:
    """The values of the loops of a trigger, and by name."""
    for values in itertools.product(*(range(v.lo, v.hi + 1) for v in trigger.loops)):
        yield values, {str(v.args[0]): n for v, n in zip(trigger.loops, values, strict=True)}


def about(trigger: Trigger, way: Way) -> Trigger:
    """The effects of the trigger on the field, whether its condition holds or not."""
    return replace(trigger, when=TRUE, effects=tuple(e for e in trigger.effects if e.family is way.family))


def wrong(way: Way, along: bool) -> Expr:
    """What a firing may not do: take a cell against the way, or (if it has to go ``along``) leave all as they are."""
    return negate(way.kept()) | (way.stays() if along else False)


def against(effect: Effect, way: Way) -> bool:
    """Whether an effect is one way or the other by what it writes, and that is not this way."""
    value, family = effect.value, way.family
    if effect.adds:
        return value.hi < 0 if way.up else value.lo > 0
    return value.hi == family.lo if way.up else value.lo == family.hi


def writers(rules: RuleSet, way: Way) -> list[Trigger]:
    return [t for t in rules.triggers if any(e.family is way.family for e in t.effects)]


def in_the_way(rules: RuleSet, trigger: Trigger) -> list[Trigger]:
    """Earlier triggers that write a field which the condition reads."""
    read = {n.args[0].uid for n in walk(trigger.when) if n.op == "field"}
    return [t for t in rules.triggers[: rules.triggers.index(trigger)] if any(e.family.uid in read for e in t.effects)]


@dataclass
class Resting:
    """Which triggers are idle at rest, as far as queries have asked, for proofs that may use these ``lemmas``."""

    queries: Queries
    lemmas: Sequence[Condition]
    shown: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """How those that are quiet were shown to be, by their ids, each after those which that needs."""

    def __post_init__(self) -> None:
        self.rules = self.queries.scene.rules
        self._asked: dict[tuple[str, Way, bool], tuple[str, ...] | None] = {}
        self._silent: dict[str, Any] = {}

    def conditions(self) -> list[Condition]:
        """That a trigger is idle, of each one: proved where it would help."""
        return [(IDLE + t.id, Provable(partial(self.silent, t), partial(self.is_idle, t))) for t in self.rules.triggers]

    def silent(self, trigger: Trigger) -> Any:
        """That the condition holds with no values of the loops."""
        if trigger.id not in self._silent:
            game, now = self.queries.game, self.queries.now
            self._silent[trigger.id] = z3.Not(z3.Or([game.expr(trigger.when, now, env) for _, env in bindings(trigger)]))
        return self._silent[trigger.id]

    def is_idle(self, trigger: Trigger) -> bool:
        return self.is_quiet(trigger) and all(map(self.is_quiet, in_the_way(self.rules, trigger)))

    def is_quiet(self, trigger: Trigger, asking: frozenset[str] = frozenset()) -> bool:
        if trigger.id in self.shown:
            return True
        if trigger.id in asking:
            return False
        asking |= {trigger.id}
        for way in self._ways(trigger):
            used = self._goes(trigger, way, True)
            if used is None:
                continue
            others = {t.id: self._goes(t, way, False) for t in writers(self.rules, way) if t is not trigger}
            before = [t for t in self.rules.triggers if t.id in others and others[t.id] is None]
            if all(self.is_quiet(t, asking) for t in before):
                more = {name for each in (used, *others.values()) for name in each or ()}
                self.shown[trigger.id] = (str(way), *(AFTER + t.id for t in before), *sorted(more))
                return True
        return False

    def _ways(self, trigger: Trigger) -> list[Way]:
        """Of what a trigger writes, small fields first, where its effects do not look as if they went against it."""
        written = {e.family.uid: e.family for e in trigger.effects if e.family.size <= WIDE}
        ways = [Way(family, up) for family in sorted(written.values(), key=lambda f: f.size) for up in (True, False)]
        return [way for way in ways if not any(against(e, way) for e in trigger.effects if e.family is way.family)]

    def _goes(self, trigger: Trigger, way: Way, along: bool) -> tuple[str, ...] | None:
        """What was used to prove that the trigger goes that way, or that it does not go against it; None if z3 finds that it may not, or does not tell soon."""
        key = trigger.id, way, along
        if key not in self._asked:
            self._asked[key] = self._proved(trigger, way, along)
        return self._asked[key]

    def _proved(self, trigger: Trigger, way: Way, along: bool) -> tuple[str, ...] | None:
        game, now, used, clock = self.queries.game, self.queries.now, set[str](), self.queries.clock
        self.queries.clock = clock.part(SHARE)
        try:
            for values, env in bindings(trigger):
                after, limit = game.fire(about(trigger, way), values, now)
                fires: Condition = (WHEN + trigger.id, partial(game.expr, trigger.when, now, env))
                goal = [z3.Not(game.terms.ref(limit)), game.expr(wrong(way, along), now, None, after)]
                found = self.queries.refute(goal, [fires, *self.lemmas])
                if not isinstance(found, Refuted):
                    return None
                used |= {*found.used}
        except LimitReached:
            return None
        finally:
            self.queries.clock = clock
        return tuple(used)


def resting(queries: Queries, lemmas: Sequence[Expr]) -> list[Condition]:
    """That a trigger is idle, of each one, for proofs that may use these lemmas besides."""
    if tuple(lemmas) not in queries.resting:
        queries.resting[tuple(lemmas)] = Resting(queries, queries.named("invariant", lemmas), _shown_before(queries))
    found: list[Condition] = queries.resting[tuple(lemmas)].conditions()
    return found


def _shown_before(queries: Queries) -> dict[str, tuple[str, ...]]:
    """How triggers were shown to be quiet in a proof that is carried over."""
    return {step.removeprefix(QUIET): how for step, how in queries.carried.items() if step.startswith(QUIET)}


def grounds(queries: Queries, used: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """How the triggers were shown to be quiet that the steps of a proof took to be idle, and those that this needs."""
    shown = _shown_before(queries) | {id: how for each in queries.resting.values() for id, how in each.shown.items()}
    idle = {name.removeprefix(IDLE) for names in used.values() for name in names if name.startswith(IDLE)}
    rules = queries.scene.rules
    wanted = [t.id for t in rules.triggers if t.id in idle]
    wanted += [t.id for trigger in rules.triggers if trigger.id in idle for t in in_the_way(rules, trigger)]
    for id in wanted:  # which grows
        wanted += [name.removeprefix(AFTER) for name in shown[id] if name.startswith(AFTER) and name.removeprefix(AFTER) not in wanted]
    return {QUIET + id: shown[id] for id in dict.fromkeys(wanted)}


def again(proof: Implications) -> None:
    """By CP-SAT that the triggers are quiet which a proof says are, and that those are idle which it takes to be.

    Raises Refused.
    """
    triggers = {t.id: t for t in proof.rules.triggers}
    told = {name.removeprefix(QUIET): how for name, how in proof.used.items() if name.startswith(QUIET)}
    before = {id: {name.removeprefix(AFTER) for name in how if name.startswith(AFTER)} for id, how in told.items()}
    quiet: set[str] = set()
    while len(quiet) < len(told):
        ready = [id for id in told if id not in quiet and before[id] <= quiet]
        if not ready:
            raise Refused("triggers are shown to be quiet by one another", "互いを根拠に、起きない誘発とされている")
        for id in ready:
            if QUIET + id not in proof.carried:
                _quiet(proof, triggers[id], told[id], before[id])
        quiet |= {*ready}
    for id in {name.removeprefix(IDLE) for names in proof.used.values() for name in names if name.startswith(IDLE)}:
        needed = {id, *(t.id for t in in_the_way(proof.rules, triggers[id]))}
        if not needed <= quiet:
            raise Refused(f"it is not shown that {', '.join(sorted(needed - quiet))} is quiet", "起きないと示されていない誘発がある")


def _quiet(proof: Implications, trigger: Trigger, how: Sequence[str], before: set[str]) -> None:
    name, _, direction = how[0].rpartition(" ")
    if direction not in ("up", "down"):
        raise Refused(f"{how[0]} is no direction of a field", "フィールドの方向になっていない")
    way = Way(proof.rules.family_named[name], direction == "up")
    for other in proof.rules.triggers:
        if other.id in before or (other is not trigger and not any(e.family.name == name for e in other.effects)):
            continue
        for values, env in bindings(other):
            query, now = proof.query()
            query.require(proof.hold(query, now, how))
            after, limit = query.fire(about(other, way), values, now)
            query.require(query.terms.negate(limit))
            if WHEN + other.id in how:
                query.require(query.term(other.when, now, env))
            query.require(query.term(wrong(way, other is trigger), now, None, after))
            proof.none(query, f"{QUIET}{trigger.id}: {other.id}{list(values) if values else ''}")
