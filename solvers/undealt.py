"""Hidden cards that are dealt only when they are played: a rule set in which everybody sees everything, for one player's sake.

Which piece of the unseen ones lies in which place is left open. The state has, in place of the cells that the player
does not see, how many unseen pieces there are of each kind (``unseen``) and how many lie in each place. The others may
do whatever some deal allows (``spans``), the player only what every deal allows, and what would hang on the deal in any
other way passes a bound of the model. So a strategy that wins here wins however the pieces lie, as long as

* where the player cannot move, some move is possible under every deal (``is_never_stuck``), and
* from what he sees he can tell which pieces are unseen still (the caller compares what a move leads to).

What is lost here may be won in truth: a "no" never rests on this rule set.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from monjudge.model.language import (
    ME,
    Action,
    Clause,
    Effect,
    Expr,
    Family,
    Param,
    RuleSet,
    State,
    Table,
    Trigger,
    both,
    either,
    eq,
    evaluate,
    field,
    lookup,
    lt,
)
from monjudge.model.language.expr import FALSE, TRUE, bind, const, ite, minimum, negate, substitute, var
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.spans import Span, Spans
from monjudge.solvers.strict import strict, strict_state
from monjudge.solvers.verdict import Sentence
from monjudge.solvers.views import View

__all__ = ["Fixed", "Undealt"]

MOST = 127
"""Unseen pieces of a kind, or in a place, that a cell holds at most where there are not more to begin with."""


class Fixed(Exception):
    """The hidden cells are none that can be dealt as they are played; ``text`` says why."""

    def __init__(self, en: str, ja: str) -> None:
        self.text = Sentence(en, ja)
        super().__init__(en)


_MIXED = "pieces of one place are seen in part", "一つの場所の駒の一部だけが見える"
_LIES = "a piece lies face down", "伏せて置かれた駒がある"
_BLIND = "decisions are taken without seeing one another", "互いに見ずに決める手がある"
_HANGS = "what the rules ask hangs on what is hidden", "規則の条件が伏せたものに左右される"


class Undealt:
    """The question of one player about one settled state, rewritten. ``rules`` and ``goal`` are what a search is asked about.

    ``certain`` has the moves that every deal allows, without effects. Raises Fixed.
    """

    def __init__(self, plain: RuleSet, state: State, goal: Expr, player: int, shown: Collection[str] = ()) -> None:
        self.plain, self.player, self.whole = plain, player, strict(plain)
        if plain.simultaneous:
            raise Fixed(*_BLIND)
        self._sort(strict_state(plain, state), View(self.whole, player, shown))
        self.spans = Spans(self._cell, self._row)
        self.beyond = self._named("undecided", (), 0)
        self._me = var(ME, 0, plain.players - 1)
        triggers = [(t, self.spans.of(t.when)) for t in (*self.whole.triggers, *self._unveiling())]
        self._doubts = [(t, FALSE if when.exact else _any(t.loops, both(when.most, negate(when.least)))) for t, when in triggers]
        doubt = either(*(u for _, u in self._doubts))
        self.goal = both(self.spans.of(goal).least, negate(doubt))
        self.rules = self._rewritten(triggers)

    # -- what is hidden -------------------------------------------------------------------

    def _sort(self, state: State, view: View) -> None:
        """Which rows of pieces are hidden and which cells of others; what lies in sight now and has to stay so."""
        rules, pieces = self.whole, self.plain.pieces
        hidden = set(view.always)
        self.rows: dict[str, list[bool]] = {}
        self.none: dict[str, list[bool]] = {}
        self.free: dict[str, list[bool]] = {}
        kinds = {rules.family_named[name].dims[-1] for name in pieces.counts} if pieces is not None else set()
        for name in pieces.counts if pieces is not None else ():
            cells = self._cells(name)
            wide = rules.family_named[name].dims[-1]
            rows = [[c in hidden for c in cells[n : n + wide]] for n in range(0, len(cells), wide)]
            if any(any(row) != all(row) for row in rows) or len(kinds) > 1:
                raise Fixed(*_MIXED)
            self.rows[name] = [row[0] for row in rows]
            hidden -= set(cells)
        for name in pieces.holders if pieces is not None else ():
            cells = self._cells(name)
            self.none[name] = [c in hidden for c in cells]
            if any(state[c] for c in cells if c in hidden):
                raise Fixed(*_LIES)
            hidden -= set(cells)
        for family in rules.families:
            if not hidden.isdisjoint(cells := self._cells(family.name)):
                self.free[family.name] = [c in hidden for c in cells]
        if not self.free and not any(any(rows) for rows in self.rows.values()):
            raise Fixed("nothing is hidden", "伏せたものがない")
        self.unveiled = [expr for seen in view.conditions if (expr := self._lasting(seen, state)) is not TRUE]
        if not all(evaluate(seen, state, None, rules.offset) for seen in self.unveiled):
            raise Fixed(*_LIES)
        self._count(state, kinds.pop() if kinds else 1)

    def _cells(self, name: str) -> range:
        at = self.whole.offset[name]
        return range(at, at + self.whole.family_named[name].size)

    def _lasting(self, seen: Expr, state: State) -> Expr:
        """What is left of a condition when cells that no effect ever changes are put in."""
        return substitute(seen, {}, lambda family, at, indices: self._constant(family, state))

    def _constant(self, family: Family, state: State) -> Expr | None:
        """The value of every cell of a family that holds it for good, if there is one."""
        values = {state[c] for c in self._cells(family.name)}
        if len(values) != 1 or family.default not in values or self._written(family, values):
            return None
        value = values.pop()
        return const(bool(value) if family.is_bool else value)

    def _written(self, family: Family, values: set[int]) -> bool:
        for effect in itertools.chain(*(a.effects for a in self.whole.actions), *(t.effects for t in self.whole.triggers)):
            if effect.family is family and (effect.adds or not effect.value.is_const or effect.value.value not in values):
                return True
        return False

    def _count(self, state: State, kinds: int) -> None:
        """The unseen pieces by kind, and how many of them lie in each row; the families that hold these numbers."""
        pool, sizes = [0] * kinds, dict[str, list[int]]()
        pieces = self.plain.pieces
        for name, hidden in self.rows.items():
            assert pieces is not None
            cells, sizes[name] = self._cells(name), []
            for row, unseen in enumerate(hidden):
                held = [state[c] for c in cells[row * kinds : (row + 1) * kinds]]
                if unseen and any(n and k not in pieces.counts[name] for k, n in enumerate(held)):
                    raise Fixed("a hidden card lies where no card of its kind is expected", "伏せられたカードが、その種類のあるはずのない所にある")
                sizes[name].append(sum(held) if unseen else 0)
                if unseen:
                    pool = [a + b for a, b in zip(pool, held, strict=True)]
        most = max(MOST, sum(pool))
        self.unseen = self._named("unseen", (kinds,), most)
        self.lying = {name: self._named(f"lying_{name}", self.whole.family_named[name].dims[:-1], most) for name in self.rows}
        self._start = (*pool, *itertools.chain(*sizes.values()), 0)

    def _named(self, name: str, dims: Sequence[int], most: int) -> Family:
        while name in self.whole.family_named:
            name += "_"
        return Family.of(name, dims, 0, most)

    # -- reading --------------------------------------------------------------------------

    def _is_hidden(self, family: Family, indices: Sequence[Expr]) -> Expr:
        """Whether the row, or the cell, with these indices is one that the player does not see."""
        hidden = next((kind[family.name] for kind in (self.rows, self.none, self.free) if family.name in kind), [False])
        if not any(hidden):
            return FALSE
        dims = family.dims[:-1] if family.name in self.rows else family.dims
        return lookup(Table.of(f"hidden_{family.name}", dims, hidden, False), *indices) if dims else const(hidden[0])

    def _cell(self, family: Family, indices: tuple[Expr, ...]) -> Span | None:
        if family.name in self.none and any(self.none[family.name]):
            shown = ite(self._is_hidden(family, indices), 0, field(family, indices))
            return Span(shown, shown)
        if family.name in self.free:
            hidden, cell = self._is_hidden(family, indices), field(family, indices)
            return Span(*(ite(hidden, bool(end) if family.is_bool else end, cell) for end in (family.lo, family.hi)))
        if not any(self.rows.get(family.name, ())):
            return None
        least = field(family, indices)
        more = minimum(field(self.unseen, indices[-1:]), field(self.lying[family.name], indices[:-1]))
        return Span(least, least + ite(self._is_hidden(family, indices[:-1]), more, 0))

    def _row(self, family: Family, indices: tuple[Expr, ...], kind: Expr) -> Expr | None:
        pieces = self.plain.pieces
        if not any(self.rows.get(family.name, ())) or pieces is None or not set(pieces.counts[family.name]) <= set(range(kind.lo, kind.hi + 1)):
            return None
        hidden = self._is_hidden(family, indices)
        lying = field(self.lying[family.name], indices)
        return lying if hidden is TRUE else ite(hidden, lying, bind("sum", kind, field(family, (*indices, kind))))

    # -- writing --------------------------------------------------------------------------

    def _effects(self, effects: Iterable[Effect], clauses: Iterable[Clause] = ()) -> Iterator[Effect]:
        """What certainly comes of effects; what would hang on the deal passes a bound of the model."""
        held = {expr.uid for clause in clauses for expr in (clause.expr.args if clause.expr.op == "and" else (clause.expr,)) if isinstance(expr, Expr)}
        for effect in effects:
            where = [self.spans.of(i) for i in effect.indices]
            when, value = self.spans.of(effect.when), self.spans.of(effect.value)
            indices = tuple(i.least for i in where)
            exact = all(i.exact for i in where)
            counted = effect.family.name in self.rows
            hidden = self._is_hidden(effect.family, indices[:-1] if counted else indices) if exact else FALSE
            sure = dataclasses.replace(effect, indices=indices, value=value.least)
            differs = FALSE if value.exact else negate(eq(value.least, value.most))
            open_ = FALSE if when.exact else both(when.most, negate(when.least))
            wrong = [FALSE if exact else when.most, open_, both(when.most, differs)]
            if exact:
                yield dataclasses.replace(sure, when=both(when.least, negate(hidden)))
            if counted and effect.adds:
                for family, place in ((self.unseen, indices[-1:]), (self.lying[effect.family.name], indices[:-1])):
                    yield dataclasses.replace(sure, family=family, indices=place, when=both(when.least, hidden))
            elif effect.family.name in self.free:
                wrong.append(both(when.most, hidden, FALSE if _stays(effect, held) else TRUE))
            elif hidden is not FALSE:
                wrong.append(both(when.most, hidden, TRUE if counted or effect.adds else negate(eq(value.least, 0))))
            yield self._passes(either(*wrong), effect.loops)

    def _passes(self, when: Expr, loops: tuple[Expr, ...] = ()) -> Effect:
        return Effect(self.beyond, (), const(1), when=when, loops=tuple(v for v in loops if v.args[0] in when.free))

    def _unveiling(self) -> Iterator[Trigger]:
        """Nothing that lies in sight is covered."""
        if self.unveiled:
            yield Trigger("covered", (), negate(both(*self.unveiled)), (self._passes(TRUE),))

    def _rewritten(self, triggers: Sequence[tuple[Trigger, Span]]) -> RuleSet:
        actions = [self._action(a) for a in self.whole.actions]
        actions += [self._perhaps(t, when) for t, when in triggers if not when.exact]
        rules, of = self.whole, self.spans.of
        turns = rules.turns
        if turns is not None and not of(turns.number).exact:
            raise Fixed(*_HANGS)
        return dataclasses.replace(
            rules, name=f"{rules.name}, undealt", actions=tuple(actions), families=(*rules.families, *self._families),
            triggers=tuple(self._trigger(t, when) for t, when in triggers),
            over=None if rules.over is None else dataclasses.replace(rules.over, expr=of(rules.over.expr).most),
            payoffs=(), goals=(), norms=(), visible={}, pieces=None, symmetries=(), monotone=(), measures=(), hopeless=(),
        )  # fmt: skip

    @property
    def _families(self) -> tuple[Family, ...]:
        return (self.unseen, *self.lying.values(), self.beyond)

    def _action(self, action: Action) -> Action:
        action = self._decided(action)
        by = None if action.by is None else self.spans.of(action.by)
        clauses = tuple(dataclasses.replace(c, expr=self._possible(action, self.spans.of(c.expr))) for c in action.clauses)
        weight = None if action.weight is None else self.spans.of(action.weight).most
        return dataclasses.replace(
            action, by=None if by is None else by.least, clauses=clauses, weight=weight, effects=_kept(self._effects(action.effects, action.clauses))
        )

    def _decided(self, action: Action) -> Action:
        """The action with a clause in the place of who decides, where that hangs on the deal."""
        if action.by is None or self.spans.of(action.by).exact:
            return action
        return dataclasses.replace(action, by=None, clauses=(*action.clauses, Clause("", eq(self._me, action.by))))

    def _possible(self, action: Action, span: Span) -> Expr:
        if span.exact or action.is_chance:
            return span.most
        return ite(eq(self._me, self.player), span.least, span.most)

    def _perhaps(self, trigger: Trigger, when: Span) -> Action:
        """A rule that fires by itself under some deals only is left to those who know: they have it fire or not."""
        clause = Clause(trigger.id, both(when.most, negate(when.least)))
        params = tuple(Param(v) for v in trigger.loops)
        return Action(f"{trigger.id}?", None, params, (clause,), _kept(self._effects(trigger.effects)), weight=const(1))

    def _trigger(self, trigger: Trigger, when: Span) -> Trigger:
        """Fires where it certainly does. While it is open whether another one does it may not change anything: they come in order."""
        doubt = either(*(u for other, u in self._doubts if other is not trigger))
        effects = _kept(self._effects(trigger.effects))
        held = () if doubt is FALSE else (self._passes(both(doubt, *[either(*map(_changes, effects))])),)
        return dataclasses.replace(trigger, when=when.least, effects=_kept((*effects, *held)))

    # -- states ---------------------------------------------------------------------------

    def state(self, state: State) -> State:
        """The settled state of the plain rule set that was asked about, without what the player does not see."""
        cells = list(strict_state(self.plain, state))
        for name, hidden in self.rows.items():
            at, kinds = self._cells(name), self.unseen.size
            for row in (n for n, unseen in enumerate(hidden) if unseen):
                cells[at[row * kinds] : at[row * kinds] + kinds] = [0] * kinds
        for name, hidden in self.free.items():
            for cell, unseen in zip(self._cells(name), hidden, strict=True):
                cells[cell] = self.whole.family_named[name].lo if unseen else cells[cell]
        return (*cells, *self._start)

    @cached_property
    def certain(self) -> RuleSet:
        """The moves that are legal whatever lies where; they lead nowhere."""

        def sure(action: Action) -> Action:
            action = self._decided(action)
            clauses = tuple(dataclasses.replace(c, expr=self.spans.of(c.expr).least) for c in action.clauses)
            weight = None if action.weight is None else self.spans.of(action.weight).least
            by = None if action.by is None else self.spans.of(action.by).least
            return dataclasses.replace(action, by=by, clauses=clauses, weight=weight, effects=())

        return dataclasses.replace(self.rules, name=f"{self.rules.name}, certain", actions=tuple(map(sure, self.whole.actions)), triggers=(), over=None)

    @cached_property
    def _certain(self) -> Reference:
        return Reference(self.certain)

    def is_never_stuck(self, state: State) -> bool:
        """Whether it is seen that somebody can move there under every deal: at once, or whatever piece lies in some place."""
        return bool(self._certain.moves(state)) or any(
            all(self._certain.moves(more) for more in self._deals(state, name, row))
            for name, row in self._places() if self._size(state, (name, row))
        )  # fmt: skip

    def _deals(self, state: State, name: str, row: int) -> Iterator[State]:
        """The state with one piece of each kind in turn that may lie in a row."""
        pieces, pool = self.plain.pieces, self.rules.offset[self.unseen.name]
        assert pieces is not None
        for kind in pieces.counts[name]:
            if state[pool + kind]:
                cells = list(state)
                cells[pool + kind] -= 1
                cells[self._cells(name)[row * self.unseen.size + kind]] += 1
                yield tuple(cells)

    def deal(self, root: State, steps: Iterable[tuple[State, State]]) -> State | None:
        """A state of the plain rule set that looks like ``root``, with pieces lying where they come from in these steps; None if there is none."""
        pool, held = self._pool(root), {place: Counter[int]() for place in self._places()}
        for before, after in steps:
            gone = self._pool(before) - self._pool(after)
            from_ = [place for place in held if self._size(before, place) > self._size(after, place)]
            if gone.total() == 1 and len(from_) == 1 and not self._pool(after) - self._pool(before) and gone <= pool:
                held[from_[0]] += gone
                pool -= gone
        cells = list(root[: self.plain.size])
        return tuple(cells) if self._lay(cells, root, pool, held) else None

    def _lay(self, cells: list[int], root: State, pool: Counter[int], held: Mapping[tuple[str, int], Counter[int]]) -> bool:
        """Fills every place from what is left, those that take the fewest kinds first."""
        pieces = self.plain.pieces
        if pieces is None:
            return False
        for name, row in sorted(held, key=lambda place: len(pieces.counts[place[0]])):
            at = self._cells(name)[row * self.unseen.size]
            more = self._size(root, (name, row)) - held[name, row].total()
            for kind in pieces.counts[name]:
                taken = max(0, min(more, pool[kind]))
                cells[at + kind] = held[name, row][kind] + taken
                pool[kind] -= taken
                more -= taken
            if more:
                return False
        return True

    def _pool(self, state: State) -> Counter[int]:
        at = self.rules.offset[self.unseen.name]
        return Counter({kind: n for kind, n in enumerate(state[at : at + self.unseen.size]) if n})

    def _places(self) -> list[tuple[str, int]]:
        return [(name, row) for name, hidden in self.rows.items() for row, unseen in enumerate(hidden) if unseen]

    def _size(self, state: State, place: tuple[str, int]) -> int:
        return state[self.rules.offset[self.lying[place[0]].name] + place[1]]


def _any(loops: Sequence[Expr], node: Expr) -> Expr:
    for variable in loops:
        node = bind("any", variable, node)
    return node


def _changes(effect: Effect) -> Expr:
    """Whether an effect changes anything."""
    new = negate(eq(effect.value, 0)) if effect.adds else negate(eq(field(effect.family, effect.indices), effect.value))
    return _any(effect.loops, both(effect.when, new))


def _stays(effect: Effect, held: Collection[int]) -> bool:
    """Whether a cell of any value keeps within its interval: it is put there, or one is taken where a clause says that there is one."""
    if not effect.adds:
        return not effect.may_overflow
    some = lt(0, field(effect.family, effect.indices)) if not effect.family.is_bool and effect.family.lo == 0 else None
    return some is not None and some.uid in held and effect.value.is_const and effect.value.value == -1 and not effect.loops


def _kept(effects: Iterable[Effect]) -> tuple[Effect, ...]:
    return tuple(e for e in effects if e.when is not FALSE)
