"""A rule set as plain immutable data: what every engine reads, and nothing else.

Meaning, in one place:

* A **move** is an action, the player ``me`` who takes it (``NATURE`` for chance) and
  the values of its parameters. It is legal when the game is not over, ``me`` is the
  one who decides (``action.by``) and every clause holds. A clause of kind ``limit``
  states a bound of the model, not of the game: a move that fails only such clauses is
  neither legal nor illegal but *unknown (limit)*. One of kind ``open`` states that the
  text says nothing here: a move that fails it, and no ``rule``, is *undetermined*.
* The **effects** of a move are simultaneous: all read the state before it. A cell
  becomes the last value assigned to it (else what it was) plus all increments to it.
  A target with an index outside its family is no effect. A value outside the interval
  of its cell is *unknown (limit)*, never clipped.
* Then the **triggers**: one pass takes them in order, and for each the bindings of its
  loops in order; where the condition holds in the state so far, its effects apply.
  Passes repeat until one changes nothing. More than ``passes`` of them is *unknown
  (limit)*. Rules are asked about settled states only: a whole pass leaves them as they are.
* **Chance** is an action with a ``weight``: its probability is its weight over the sum
  of the weights of all legal outcomes of all chance actions in that state.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from monjudge.model.language.expr import FALSE, TRUE, Expr, substitute
from monjudge.model.language.family import Domain, Family, whole

__all__ = [
    "ME",
    "NATURE",
    "Action",
    "Clause",
    "Effect",
    "Goal",
    "Hopeless",
    "LimitReached",
    "Measure",
    "Monotone",
    "Move",
    "Norm",
    "Param",
    "Pieces",
    "Restless",
    "RuleSet",
    "Simultaneous",
    "State",
    "Switch",
    "Symmetry",
    "Trigger",
    "TurnStructure",
]

NATURE = -1
"""The player number of chance."""

ME = "me"
"""The name of the variable that holds the acting player in an action."""

State = tuple[int, ...]
"""All cells of all families in the order of the rule set, each family row-major."""


class LimitReached(Exception):
    """A declared bound of the model was passed: the answer is *unknown (limit)*. Says which, and the same in Japanese (``ja``)."""

    def __init__(self, text: str = "", ja: str = "") -> None:
        super().__init__(text)
        self.ja = ja or "モデルか計算の上限に達した"


class Restless(LimitReached):
    """The triggers did not come to rest in as many passes as the rules allow."""


class Move(NamedTuple):
    """An action with who takes it and the values of its parameters, in order."""

    action: str
    me: int
    args: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """One condition of an action, with the rule of the text that it states."""

    id: str
    expr: Expr
    ref: str = ""
    en: str = ""
    ja: str = ""
    kind: Literal["rule", "limit", "open"] = "rule"


@dataclass(frozen=True, slots=True, eq=False)
class Param:
    """A parameter of an action: a variable, with names for its values if it has any."""

    var: Expr
    labels: Domain | None = None

    @property
    def name(self) -> str:
        return str(self.var.args[0])

    @property
    def values(self) -> range:
        return range(self.var.lo, self.var.hi + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """``family[indices] := value`` (or ``+= value`` if ``adds``), for all ``loops``, where ``when`` holds."""

    family: Family
    indices: tuple[Expr, ...]
    value: Expr
    adds: bool = False
    when: Expr = TRUE
    loops: tuple[Expr, ...] = ()

    @property
    def may_overflow(self) -> bool:
        """Whether the intervals alone do not exclude a value outside the cell's."""
        if self.adds:
            return not (self.value.lo == self.value.hi == 0)
        return self.value.lo < self.family.lo or self.value.hi > self.family.hi


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """A kind of move. ``by`` says who decides; None lets any player; chance has a ``weight``."""

    name: str
    by: Expr | None
    params: tuple[Param, ...]
    clauses: tuple[Clause, ...]
    effects: tuple[Effect, ...]
    weight: Expr | None = None
    en: str = ""
    ja: str = ""
    tags: frozenset[str] = frozenset()

    @property
    def is_chance(self) -> bool:
        return self.weight is not None


@dataclass(frozen=True, slots=True, eq=False)
class Trigger:
    """A rule that fires by itself, with the clause it states."""

    id: str
    loops: tuple[Expr, ...]
    when: Expr
    effects: tuple[Effect, ...]
    ref: str = ""
    en: str = ""
    ja: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """What a player may want: a condition on states (``win`` is one of them)."""

    name: str
    player: int
    when: Expr
    en: str = ""
    ja: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Norm:
    """A clause of the text taken literally: within its scope, its formula.

    ``on`` names the action it speaks of (its parameters and ``me`` may occur), or None
    for every state. An ``effect`` speaks of a step: with ``on``, of that move, else of
    every move that its scope admits; it may mention the next state. The formula of a
    permission says what is permitted, of a prohibition what must not be the case.

    Where clauses of the text contradict one another, the operational rules can realise
    only one: ``claimed`` says under which readings they realise this one.
    """

    id: str
    kind: Literal["permission", "obligation", "prohibition", "definition", "effect"]
    formula: Expr
    scope: Expr = TRUE
    on: str | None = None
    ref: str = ""
    en: str = ""
    ja: str = ""
    claimed: Expr = TRUE


@dataclass(frozen=True, slots=True, eq=False)
class Switch:
    """An ambiguity of the text: a configuration cell whose values are named readings."""

    id: str
    family: Family
    clauses: tuple[str, ...] = ()
    undetermined: frozenset[str] = frozenset()
    severity: str = ""
    en: str = ""
    ja: str = ""

    @property
    def values(self) -> tuple[str, ...]:
        assert self.family.labels is not None
        return self.family.labels.labels

    @property
    def default(self) -> str:
        return self.values[self.family.init[0]]


@dataclass(frozen=True, slots=True, eq=False)
class Simultaneous:
    """Decisions taken without seeing one another: the actions, and what stays hidden until ``open``."""

    name: str
    actions: tuple[str, ...]
    hidden: tuple[str, ...]
    open: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Cards or the like that are never lost: each kind has its number over all the places named, whatever is played.

    In ``counts`` the last index is the kind and the value how many lie there, in ``holders`` the value is the kind of
    the one that lies there (0: nothing); each says which kinds may lie there. How many lie in a place everybody
    knows, which ones only those who see it.
    """

    counts: Mapping[str, tuple[int, ...]]
    holders: Mapping[str, tuple[int, ...]] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class TurnStructure:
    """What a turn is made of: a counter of turns, and the segment (plan, reply, battle) of each action."""

    number: Expr
    segments: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Symmetry:
    """A candidate symmetry, used only where checked: each named family's axis is permuted,
    values of each family in ``values`` are renamed, and likewise players and parameters.
    """

    name: str
    axes: Mapping[str, Mapping[int, tuple[int, ...]]] = dataclasses.field(default_factory=dict)
    values: Mapping[str, Mapping[int, int]] = dataclasses.field(default_factory=dict)
    params: Mapping[tuple[str, str], tuple[int, ...]] = dataclasses.field(default_factory=dict)
    players: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Monotone:
    """A candidate monotone quantity: more of it never hurts the player. Used only where proved."""

    name: str
    player: int
    quantity: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A quantity of a state by which a player may compare plans, e.g. the attack on the board."""

    name: str
    player: int
    quantity: Expr
    en: str = ""
    ja: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Hopeless:
    """Where ``when`` holds, the others can keep the player from the named goal until the number of the turn rises.

    It follows from the rules and says nothing new: searches may use it, certificates do without it. It is shown by what
    holds on the way: ``between`` until the triggers have come to rest, and ``after`` from when the number has risen
    until then (see the kind ``hopeless`` of the prover). ``proof`` names the property of the game that is proved, and
    is empty where nobody has proved it; a file can declare what is hopeless, but not that it is proved.
    Searches rest on ``RuleSet.proved`` only.
    """

    goal: str
    player: int
    when: Expr
    en: str = ""
    ja: str = ""
    between: Expr = TRUE
    after: Expr = TRUE
    proof: str = ""


@dataclass(frozen=True, eq=False)
class RuleSet:
    """A whole game. Build it with ``Game``; read it with any engine."""

    name: str
    players: int
    families: tuple[Family, ...]
    actions: tuple[Action, ...]
    triggers: tuple[Trigger, ...] = ()
    over: Clause | None = None
    payoffs: tuple[Expr, ...] = ()
    goals: tuple[Goal, ...] = ()
    norms: tuple[Norm, ...] = ()
    switches: tuple[Switch, ...] = ()
    visible: Mapping[str, Expr] = dataclasses.field(default_factory=dict)
    simultaneous: tuple[Simultaneous, ...] = ()
    pieces: Pieces | None = None
    turns: TurnStructure | None = None
    symmetries: tuple[Symmetry, ...] = ()
    monotone: tuple[Monotone, ...] = ()
    measures: tuple[Measure, ...] = ()
    hopeless: tuple[Hopeless, ...] = ()
    constants: Mapping[str, int] = dataclasses.field(default_factory=dict)
    passes: int = 32
    en: str = ""
    ja: str = ""
    proved: tuple[Hopeless, ...] = dataclasses.field(init=False, default=())
    """What of ``hopeless`` is proved of these very rules, as ``Game.build`` made them: not of others made of them, or read from a file."""

    @cached_property
    def offset(self) -> dict[str, int]:
        """Where each family begins in a state."""
        where, at = {}, 0
        for family in self.families:
            where[family.name] = at
            at += family.size
        return where

    @cached_property
    def size(self) -> int:
        """The number of cells of a state."""
        return sum(family.size for family in self.families)

    @cached_property
    def by_name(self) -> dict[str, Action]:
        return {action.name: action for action in self.actions}

    @cached_property
    def family_named(self) -> dict[str, Family]:
        return {family.name: family for family in self.families}

    @cached_property
    def bounds(self) -> tuple[tuple[int, int], ...]:
        """The interval of each cell of a state."""
        return tuple((f.lo, f.hi) for f in self.families for _ in range(f.size))

    @cached_property
    def start(self) -> State:
        """The start state as declared (before any chance move)."""
        return tuple(value for family in self.families for value in family.init)

    def expressions(self) -> Iterator[Expr]:
        """Every expression of the rule set, in the order in which it is declared."""

        def of(effects: Sequence[Effect]) -> Iterator[Expr]:
            for e in effects:
                yield from (*e.indices, e.value, e.when)

        for a in self.actions:
            yield from (e for e in (a.by, a.weight) if e is not None)
            yield from (c.expr for c in a.clauses)
            yield from of(a.effects)
        for t in self.triggers:
            yield t.when
            yield from of(t.effects)
        if self.over is not None:
            yield self.over.expr
        yield from (*self.payoffs, *(g.when for g in self.goals))
        for n in self.norms:
            yield from (n.scope, n.formula, n.claimed)
        yield from (*self.visible.values(), *(s.open for s in self.simultaneous))
        if self.turns is not None:
            yield self.turns.number
        yield from (*(m.quantity for m in self.monotone), *(m.quantity for m in self.measures))
        for h in self.hopeless:
            yield from (h.when, h.between, h.after)

    def cell(self, name: str, *indices: int) -> int:
        """The position of a cell in a state."""
        family = self.family_named[name]
        place = family.place(indices)
        if place is None:
            raise IndexError(f"{name}{list(indices)} lies outside {list(family.dims)}")
        return self.offset[name] + place

    def state(self, values: Mapping[str, int | Sequence[int]], base: State | None = None) -> State:
        """A state from values by family (one number, or all cells row-major) over ``base`` or the start.

        Raises ValueError naming the family when it is unknown or a value does not fit.
        """
        cells = list(self.start if base is None else base)
        for name, given in values.items():
            family = self.family_named.get(name)
            if family is None:
                raise ValueError(f"the rule set {self.name!r} has no field {name!r}")
            several = list(given) if isinstance(given, Sequence) else [given] * family.size
            numbers = [whole(n, f"a value of {name}") for n in several]
            if len(numbers) != family.size:
                raise ValueError(f"{name} has {family.size} cells, but {len(numbers)} values were given")
            for n in numbers:
                if not family.lo <= n <= family.hi:
                    raise ValueError(f"{name} holds {family.lo}..{family.hi}, not {n}")
            at = self.offset[name]
            cells[at : at + family.size] = numbers
        return tuple(cells)

    def view(self, state: State) -> dict[str, int | list[int]]:
        """The state by family: a number for a single cell, else the cells row-major."""
        result: dict[str, int | list[int]] = {}
        for family in self.families:
            at = self.offset[family.name]
            result[family.name] = list(state[at : at + family.size]) if family.dims else state[at]
        return result

    def fixed(self, values: Mapping[str, int | str | Sequence[int]]) -> RuleSet:
        """The rule set with these configuration fields (boards, readings) fixed for good.

        A value is a number, the name of a reading, or all cells row-major. The fields
        vanish from the state and every rule is simplified under them. What is declared ``hopeless`` goes
        along, but nothing of it counts as ``proved``: these are other rules.
        """
        cells: dict[int, tuple[int, ...]] = {}
        for name, given in values.items():
            family = self.family_named.get(name)
            if family is None or not family.config:
                raise ValueError(f"{name!r} is not a configuration field of {self.name!r}")
            if isinstance(given, str):
                if family.labels is None or given not in family.labels.labels:
                    known = ", ".join(family.labels.labels) if family.labels else "numbers"
                    raise ValueError(f"{name} has no value {given!r}; it has {known}")
                given = family.labels[given]
            numbers = (given,) * family.size if isinstance(given, int) else tuple(given)
            if len(numbers) != family.size or not all(family.lo <= n <= family.hi for n in numbers):
                raise ValueError(f"{name} needs {family.size} values within {family.lo}..{family.hi}")
            cells[family.uid] = numbers
        return _Fixing(cells).rule_set(self)


class _Fixing:
    """Puts constants for the cells of some families, in every expression of a rule set."""

    def __init__(self, cells: Mapping[int, tuple[int, ...]]) -> None:
        from monjudge.model.language.expr import const, lookup
        from monjudge.model.language.family import Table

        self.cells = cells
        self.memo: dict[int, Expr] = {}

        def replace(family: Family, at: int, indices: tuple[Expr, ...]) -> Expr | None:
            numbers = cells.get(family.uid)
            if numbers is None:
                return None
            values = [bool(n) for n in numbers] if family.is_bool else numbers
            if not family.dims:
                return const(values[0])
            default = bool(family.default) if family.is_bool else family.default
            return lookup(Table.of(family.name, family.dims, values, default), *indices)

        self.replace = replace

    def expr(self, node: Expr) -> Expr:
        found = self.memo.get(node.uid)
        if found is None:
            found = self.memo[node.uid] = substitute(node, {}, self.replace)
        return found

    def effects(self, effects: Sequence[Effect]) -> Iterator[Effect]:
        for e in effects:
            when = self.expr(e.when)
            if when is not FALSE:
                indices = tuple(self.expr(i) for i in e.indices)
                yield dataclasses.replace(e, indices=indices, value=self.expr(e.value), when=when)

    def action(self, a: Action) -> Action:
        return dataclasses.replace(
            a,
            by=None if a.by is None else self.expr(a.by),
            clauses=tuple(dataclasses.replace(c, expr=self.expr(c.expr)) for c in a.clauses),
            effects=tuple(self.effects(a.effects)),
            weight=None if a.weight is None else self.expr(a.weight),
        )

    def rule_set(self, rules: RuleSet) -> RuleSet:
        each = self.expr
        triggers = (
            dataclasses.replace(t, when=each(t.when), effects=tuple(self.effects(t.effects))) for t in rules.triggers
        )
        turns = rules.turns
        return dataclasses.replace(
            rules,
            families=tuple(f for f in rules.families if f.uid not in self.cells),
            actions=tuple(self.action(a) for a in rules.actions),
            triggers=tuple(t for t in triggers if t.when is not FALSE),
            over=None if rules.over is None else dataclasses.replace(rules.over, expr=each(rules.over.expr)),
            payoffs=tuple(each(p) for p in rules.payoffs),
            goals=tuple(dataclasses.replace(g, when=each(g.when)) for g in rules.goals),
            norms=tuple(dataclasses.replace(n, formula=each(n.formula), scope=each(n.scope), claimed=each(n.claimed)) for n in rules.norms),
            switches=tuple(s for s in rules.switches if s.family.uid not in self.cells),
            visible={name: each(seen) for name, seen in rules.visible.items() if name not in _names(self.cells, rules)},
            simultaneous=tuple(dataclasses.replace(s, open=each(s.open)) for s in rules.simultaneous),
            turns=None if turns is None else dataclasses.replace(turns, number=each(turns.number)),
            monotone=tuple(dataclasses.replace(m, quantity=each(m.quantity)) for m in rules.monotone),
            measures=tuple(dataclasses.replace(m, quantity=each(m.quantity)) for m in rules.measures),
            hopeless=tuple(dataclasses.replace(h, when=each(h.when), between=each(h.between), after=each(h.after)) for h in rules.hopeless),
        )


def _names(cells: Mapping[int, tuple[int, ...]], rules: RuleSet) -> set[str]:
    return {f.name for f in rules.families if f.uid in cells}
