"""Writing a game: a builder that collects fields, actions and triggers and checks them.

>>> g = Game("count", players=1)
>>> n = g.field("n", values=range(0, 4))
>>> up = g.action("up", by=0)
>>> up.clause("C.1", n < 3, en="Not above three.", ja="三まで。")
>>> up.effect(gain(n, 1))
>>> g.build().by_name["up"].clauses[0].id
'C.1'
"""

from __future__ import annotations

import dataclasses
import itertools
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NoReturn, overload

from monjudge.model.language import check
from monjudge.model.language.expr import FALSE, TRUE, Expr, ExpressionError, field, lift, member, substitute, var
from monjudge.model.language.family import Domain, Family
from monjudge.model.language.rules import (
    ME,
    Action,
    Clause,
    Effect,
    Goal,
    Hopeless,
    Measure,
    Monotone,
    Norm,
    Param,
    Pieces,
    RuleSet,
    Simultaneous,
    Switch,
    Symmetry,
    Trigger,
    TurnStructure,
)

__all__ = ["ActionBuilder", "Cells", "Effects", "Game", "each", "gain", "primed", "put", "reads"]

Values = "range | Domain | type[bool]"
Effects = "Effect | Iterable[Effects]"

_fresh = itertools.count()


class Cells:
    """A family with axes; ``cells[i, j]`` is the expression of one cell."""

    def __init__(self, family: Family) -> None:
        self.family = family

    def __getitem__(self, indices: Any) -> Expr:
        return field(self.family, indices if isinstance(indices, tuple) else (indices,))

    # Without these, Python would walk cells[0], cells[1], ... for ever, and compare objects.
    __iter__ = None
    __contains__ = None
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> NoReturn:
        name, axes = self.family.name, len(self.family.dims)
        raise ExpressionError(f"{name} has many cells: compare one of them, {name}[{', '.join('ijklmn'[:axes])}]")

    __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__

    def __repr__(self) -> str:
        return repr(self.family)


def primed(expr: Any) -> Expr:
    """The expression in the next state (for norms about effects)."""
    return substitute(lift(expr), {}, lambda family, at, indices: field(family, indices, 1))


def put(cell: Expr, value: Any, when: Any = TRUE) -> Effect:
    """The effect ``cell := value`` where ``when`` holds."""
    return _effect(cell, value, False, when)


def gain(cell: Expr, amount: Any, when: Any = TRUE) -> Effect:
    """The effect ``cell += amount`` where ``when`` holds; several gains add up."""
    return _effect(cell, amount, True, when)


def _effect(cell: Expr, value: Any, adds: bool, when: Any) -> Effect:
    if not isinstance(cell, Expr) or cell.op != "field":
        raise ExpressionError(f"an effect writes a cell, not {cell!r}; was the index outside the field?")
    return Effect(cell.args[0], cell.args[2:], lift(value), adds, lift(when))


def each(span: range | int, body: Callable[[Expr], Any]) -> list[Effect]:
    """The effects of the body for every number of the span, all at once."""
    numbers = range(span) if isinstance(span, int) else span
    loop = var(f"?e{next(_fresh)}", numbers.start, numbers.stop - 1)
    return [dataclasses.replace(e, loops=(loop, *e.loops)) for e in _flat(body(loop))]


def _flat(effects: Any) -> Iterable[Effect]:
    if isinstance(effects, Effect):
        if effects.when is not FALSE:  # what never takes place is no effect
            yield effects
    else:
        for e in effects:
            yield from _flat(e)


def _canonical(effect: Effect) -> Effect:
    """Loop variables named by position, so that equal effects are equal."""
    names = {loop.args[0]: var(f"e{n}", loop.lo, loop.hi) for n, loop in enumerate(effect.loops)}
    if not names:
        return effect
    return Effect(
        effect.family,
        tuple(substitute(i, names) for i in effect.indices),
        substitute(effect.value, names),
        effect.adds,
        substitute(effect.when, names),
        tuple(names.values()),
    )


def _here() -> str:
    frame = sys._getframe(2)
    return f"{frame.f_code.co_filename.rsplit('/', 1)[-1]}:{frame.f_lineno}"


def _interval(values: Any) -> tuple[int, int, bool, Domain | None]:
    if values is bool:
        return 0, 1, True, None
    if isinstance(values, Domain):
        return 0, values.size - 1, False, values
    if isinstance(values, range) and values.step == 1 and len(values):
        return values.start, values.stop - 1, False, None
    raise ExpressionError(f"values are a range with step 1, a Domain, or bool, not {values!r}")


class ActionBuilder:
    """Collects one action. ``me`` is the acting player, ``params`` its choices."""

    def __init__(self, game: Game, name: str, by: Any, weight: Any, texts: dict[str, str], tags: Iterable[str]) -> None:
        self.game, self.name, self.where = game, name, ""
        self.by = None if by is None else lift(by)
        self.weight = None if weight is None else lift(weight)
        self.texts, self.tags = texts, frozenset(tags)
        self.params: list[Param] = []
        self.clauses: list[Clause] = []
        self.effects: list[Effect] = []

    @property
    def me(self) -> Expr:
        return self.game.me

    def param(self, name: str, values: Any) -> Expr:
        """A choice: a range, or a Domain whose labels name the values."""
        lo, hi, is_bool, labels = _interval(values)
        variable = var(name, lo, hi, is_bool)
        self.params.append(Param(variable, labels))
        return variable

    def clause(
        self, id: str, expr: Any, *, en: str = "", ja: str = "", ref: str = "",
        kind: Literal["rule", "limit", "open"] = "rule",
    ) -> None:  # fmt: skip
        """A condition under the id of the rule it states; the text may stand in ``Game.rule``."""
        known = self.game.texts.get(id)
        if known is not None and not (en or ja or ref):
            ref, en, ja = known
        elif id:
            self.game.texts.setdefault(id, (ref, en, ja))
        self.game.places[(self.name, len(self.clauses))] = _here()
        self.clauses.append(Clause(id, lift(expr), ref, en, ja, kind))

    def limit(self, id: str, expr: Any, *, en: str = "", ja: str = "") -> None:
        """A bound of the model: where it fails the answer is *unknown (limit)*."""
        self.clause(id, expr, en=en, ja=ja, kind="limit")

    def unsaid(self, id: str, expr: Any, *, en: str = "", ja: str = "") -> None:
        """Where this fails the text says nothing: the answer is *undetermined*."""
        self.clause(id, expr, en=en, ja=ja, kind="open")

    def effect(self, *effects: Any) -> None:
        """Effects (see ``put``, ``gain``, ``each``), all simultaneous."""
        self.effects.extend(_flat(effects))

    def outcome(self, weight: Any) -> None:
        """Makes the action a chance move with this weight (may read the parameters)."""
        self.weight = lift(weight)

    def done(self) -> Action:
        return Action(
            self.name, self.by, tuple(self.params), tuple(self.clauses),
            tuple(_canonical(e) for e in self.effects), self.weight,
            self.texts["en"], self.texts["ja"], self.tags,
        )  # fmt: skip


class Game:
    """A rule set in the making; ``build`` checks it and returns the ``RuleSet``.

    Raises RuleSetError at ``build`` with one sentence for every defect.
    """

    def __init__(self, name: str, *, players: int, en: str = "", ja: str = "") -> None:
        self.name, self.players, self.en, self.ja = name, players, en, ja
        self.me = var(ME, 0, players - 1)
        self.families: list[Family] = []
        self.actions: list[ActionBuilder] = []
        self.triggers: list[Trigger] = []
        self.texts: dict[str, tuple[str, str, str]] = {}
        self.places: dict[tuple[str, int], str] = {}
        self.parts: dict[str, Any] = {"payoffs": (), "over": None, "turns": None, "passes": 32, "pieces": None}
        self.lists: dict[str, list[Any]] = {
            k: [] for k in ("goals", "norms", "switches", "simultaneous", "symmetries", "monotone", "measures", "hopeless")
        }
        self.visible: dict[str, Expr] = {}
        self.constants: dict[str, int] = {}

    @overload
    def field(
        self, name: str, *, values: Any, init: Any = None, default: int | None = None, config: bool = False
    ) -> Expr: ...

    @overload
    def field(
        self, name: str, axis: int | Domain, /, *axes: int | Domain, values: Any, init: Any = None,
        default: int | None = None, config: bool = False,
    ) -> Cells: ...  # fmt: skip

    def field(
        self, name: str, *axes: int | Domain, values: Any, init: Any = None,
        default: int | None = None, config: bool = False,
    ) -> Any:  # fmt: skip
        """A field: an expression for a single cell, else ``Cells`` to be indexed.

        ``axes`` are sizes or Domains; ``values`` a range, a Domain or ``bool``; ``init``
        one start value or all of them row-major; ``default`` what an index outside
        reads as; ``config`` for a board design or a reading.
        """
        lo, hi, is_bool, labels = _interval(values)
        dims = [a.size if isinstance(a, Domain) else a for a in axes]
        names = [a if isinstance(a, Domain) else None for a in axes]
        family = Family.of(
            name, dims, lo, hi, is_bool=is_bool, default=default, init=init,
            config=config, axes=names, labels=labels,
        )  # fmt: skip
        self.families.append(family)
        return Cells(family) if dims else field(family, ())

    def rule(self, id: str, en: str, ja: str, ref: str = "") -> str:
        """The text of a clause, said once and used by every action that states it."""
        self.texts[id] = (ref, en, ja)
        return id

    def action(
        self, name: str, *, by: Any = None, weight: Any = None, en: str = "", ja: str = "", tags: Iterable[str] = ()
    ) -> ActionBuilder:
        """An action decided by the player ``by`` (an expression; None: any player)."""
        builder = ActionBuilder(self, name, by, weight, {"en": en, "ja": ja}, tags)
        builder.where = _here()
        self.actions.append(builder)
        return builder

    def trigger(
        self, id: str, when: Any, effects: Any, *, over: Sequence[range | int] = (),
        en: str = "", ja: str = "", ref: str = "",
    ) -> None:  # fmt: skip
        """A rule that fires by itself. With ``over``, ``when`` and ``effects`` are functions of its indices."""
        spans = [range(s) if isinstance(s, int) else s for s in over]
        loops = tuple(var(f"t{n}", s.start, s.stop - 1) for n, s in enumerate(spans))
        condition = when(*loops) if callable(when) else when
        done = effects(*loops) if callable(effects) else effects
        known = self.texts.get(id)
        if known is not None and not (en or ja or ref):
            ref, en, ja = known
        flat = tuple(_canonical(e) for e in _flat(done))
        self.triggers.append(Trigger(id, loops, lift(condition), flat, ref, en, ja))

    def over(self, when: Any, *, id: str = "GAME.over", en: str = "", ja: str = "", ref: str = "") -> None:
        """When the game has ended; no move is legal then."""
        self.parts["over"] = Clause(id, lift(when), ref, en or "The game is over.", ja or "ゲームは終わっている。")

    def payoff(self, *values: Any) -> None:
        """What each player gets in a state where the game is over."""
        self.parts["payoffs"] = tuple(lift(v) for v in values)

    def goal(self, name: str, player: int, when: Any, *, en: str = "", ja: str = "") -> None:
        self.lists["goals"].append(Goal(name, player, lift(when), en, ja))

    def norm(self, id: str, kind: Any, formula: Any, *, scope: Any = TRUE, on: str | None = None, claimed: Any = TRUE,
             en: str = "", ja: str = "", ref: str = "") -> None:  # fmt: skip
        """The literal content of a clause, with its kind and scope (see ``Norm``)."""
        known = self.texts.get(id)
        if known is not None and not (en or ja or ref):
            ref, en, ja = known
        self.lists["norms"].append(Norm(id, kind, lift(formula), lift(scope), on, ref, en, ja, lift(claimed)))

    def switch(self, id: str, values: Sequence[str], default: str, *, clauses: Sequence[str] = (),
               undetermined: Iterable[str] = (), severity: str = "", en: str = "", ja: str = "") -> Expr:  # fmt: skip
        """An ambiguity of the text as a configuration field; compare it with ``reads``."""
        labels = Domain(id, values)
        cell = self.field(id, values=labels, init=labels[default], config=True)
        family = cell.args[0]
        self.lists["switches"].append(
            Switch(id, family, tuple(clauses), frozenset(undetermined), severity, en, ja)
        )
        return cell

    def observe(self, cells: Any, seen: Callable[..., Any]) -> None:
        """Who sees a field: ``seen(viewer, index, ...)``. A field never mentioned is open."""
        family = cells.family if isinstance(cells, Cells) else cells.args[0]
        indices = [var(f"x{n}", 0, d - 1) for n, d in enumerate(family.dims)]
        self.visible[family.name] = lift(seen(var("viewer", 0, self.players - 1), *indices))

    def simultaneous(self, name: str, actions: Sequence[str], hidden: Sequence[Any], open: Any) -> None:
        """Decisions taken blind: ``hidden`` fields are seen only by their player (first index) until ``open``."""
        names = []
        for cells in hidden:
            self.observe(cells, lambda viewer, player, *rest: (viewer == player) | lift(open))
            names.append(cells.family.name)
        self.lists["simultaneous"].append(Simultaneous(name, tuple(actions), tuple(names), lift(open)))

    def pieces(self, counts: Mapping[str, Iterable[int]], holders: Mapping[str, Iterable[int]] | None = None) -> None:
        """Cards that are never lost, by the names of the fields where they lie, with the kinds that may (see ``Pieces``)."""
        fields = [{name: tuple(kinds) for name, kinds in where.items()} for where in (counts, holders or {})]
        self.parts["pieces"] = Pieces(*fields)

    def turn_structure(self, number: Any, segments: Mapping[str, str]) -> None:
        """The counter of turns and which segment of a turn each action belongs to."""
        self.parts["turns"] = TurnStructure(lift(number), dict(segments))

    def symmetry(self, name: str, **parts: Any) -> None:
        self.lists["symmetries"].append(Symmetry(name, **parts))

    def monotone(self, name: str, player: int, quantity: Any) -> None:
        self.lists["monotone"].append(Monotone(name, player, lift(quantity)))

    def measure(self, name: str, player: int, quantity: Any, *, en: str = "", ja: str = "") -> None:
        """A quantity by which the player may compare plans (see ``solvers.plans``)."""
        self.lists["measures"].append(Measure(name, player, lift(quantity), en, ja))

    def hopeless(
        self, goal: str, player: int, when: Any, *, between: Any = None, after: Any = TRUE, proof: str = "", en: str = "", ja: str = ""
    ) -> None:
        """Where the player can no longer force the goal within this turn (see ``Hopeless``).

        ``between`` is the same as ``when`` unless given.
        """
        self.lists["hopeless"].append(Hopeless(goal, player, lift(when), en, ja, lift(when if between is None else between), lift(after), proof))

    def build(self) -> RuleSet:
        """The rule set. Raises RuleSetError with a sentence and a place for every defect."""
        lists: dict[str, Any] = {name: tuple(items) for name, items in self.lists.items()}
        rules = RuleSet(
            self.name, self.players, tuple(self.families), tuple(a.done() for a in self.actions),
            tuple(self.triggers), visible=dict(self.visible), constants=dict(self.constants),
            en=self.en, ja=self.ja, **self.parts, **lists,
        )  # fmt: skip
        check.check(rules, self.places)
        object.__setattr__(rules, "proved", tuple(h for h in rules.hopeless if h.proof))
        return rules


def reads(cell: Expr, *names: str) -> Expr:
    """Whether the switch has one of the named readings."""
    labels = cell.args[0].labels if cell.op == "field" else None
    if labels is None:
        raise ExpressionError(f"{cell!r} is not a switch")
    return member(cell, [labels[n] for n in names])
