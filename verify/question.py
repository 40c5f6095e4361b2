"""Properties as data: what is claimed of a rule set, in the text form of the language, read strictly.

A file of a user's own is read as the ones that are shipped:

>>> text = '''{"format": "monjudge-properties/1", "properties": [{"id": "few", "kind": "invariant",
... "formula": "all h in 0..2: heap[h] <= 5", "en": "No heap grows.", "ja": "山は増えない。"}]}'''
>>> [p.id for p in read_properties(text)]
['few']
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from monjudge.model.language import FALSE, Expr, RuleSet, Scope, parse_expr, var, walk
from monjudge.model.language.tokens import TextError
from monjudge.model.notation.defects import DataError, Defect, Place
from monjudge.model.notation.forms import Choice, Flag, Form, ListOf, Part, Record, Text, Whole, document_schema
from monjudge.model.notation.reading import Reading, meant
from monjudge.model.notation.sentence import Sentence
from monjudge.model.notation.source import Document, read
from monjudge.model.properties import Scene, Setting
from monjudge.verify.keys import ABOUT

__all__ = ["FORMAT", "KINDS", "Property", "Question", "ask", "canonical", "properties_schema", "property_of", "read_properties"]

FORMAT = "monjudge-properties/1"

KINDS = (
    "invariant", "unreachable", "reachable", "step", "move", "legal", "deadlock", "termination", "fact",
    "commute", "confluence", "constant", "limit", "explore", "forced", "draw", "loop", "consistent", "same", "robust", "joint", "rest",
    "hopeless", "firing", "choices",
)  # fmt: skip
"""``invariant``: the formula holds in every state that is reached; ``unreachable``: in none; ``reachable``: in some.
``step``: it relates every state to every later one (``next``). ``move``: it holds wherever the move ``on`` is legal;
it may speak of ``next``, the state just after its effects, before any trigger. ``legal``: wherever the premise holds of a
state and of parameters, the move ``on`` is legal.
``deadlock``: whoever plays on can. ``termination``: every move lowers the ``measure``, the first of its numbers
that changes, where the premise holds at rest before and after it; so no play stays among such states for ever. A premise that
triggers may break and restore before they rest says with ``left`` what holds in between: then none restores it. ``fact``: it holds for all boards and readings, whatever the state.

``commute``: wherever moves of two different players are both legal (and the premise and the lemmas hold), each stays
legal after the other, and their effects have the same result in both orders. ``among`` names the actions (all
decisions unless given), ``apart`` pairs of actions that are not claimed to. Proved of the effects alone, sought with
triggers. ``confluence``: any two firings of triggers have the same result in both orders; ``among`` and ``apart`` name
triggers. ``constant``: no move and no trigger changes a number of the ``measure`` (cards are conserved).
``firing``: the formula relates the states before and after (``next``) the effects of any single firing of the triggers ``among``
(all unless given), whether the state is reached or not.
``limit``: no legal move, made where the premise holds, and no trigger takes a value out of its interval; ``among`` names actions and triggers, and of
the actions then only their effects are looked at. Whether triggers come to rest is another question.

``explore``: the formula holds in every state within ``turns`` turns of the positions named in ``starts`` (``start``, and
those of the scene; in all that can be reached where no turns are given). That is a bounded claim: if no fault is found
it stays undecided, with the number of states, unless the whole game was seen from where it begins.

``forced``: a claim about what ``player`` can force: ``goal``, a condition on states, within ``turns`` turns (ever, unless
given). It is made in every settled position of a family where the premise holds: the positions named in ``starts``,
with the cells in ``vary`` taking all their values together. The formula speaks of the position and of two more truth
values, ``forced`` (there) and ``changed`` (after what ``change`` says was done to it: a cell of the board, or a reading
that is left open). So *guards protect* is ``attackers > guards or not forced``, *more never hurts* ``not forced or changed``.

``draw``: so many ``cards`` are drawn blindly from a ``pile`` (a field with a number for each kind of card), where play
begins and in the positions named in ``starts``; the formula holds however many ``hits`` are among them: cards for which
``of``, a condition on the kind ``card``, holds. If it need not hold, the exact probability of that is told.

``loop``: no play goes round in a circle, all of whose states meet the premise: none comes back to a state that is the same
but for the fields named as ``counters``. Where switches are open ``starts`` may name a reading (``SWITCH=VALUE``). With a ``measure`` termination is tried first, which is more.

``consistent``: where the premise holds (of a state, of the move ``on`` where one is named, of the ``next`` state) the
sentences ``among``, taken literally as norms, can be followed together, and whatever some of them permit the others allow.

``same``: the sentences ``among``, taken literally, say the same in every state.

``robust``: every move of a player (of the actions ``among``, if any are named) that is legal where the premise holds is legal
under each other reading of the switches that are open, taken alone.

``rest``: after every move from a state with the premise play comes to the same rest in whatever order the triggers ``among``
fire (the others where none of these can), in every order in which it comes to rest. It is proved as confluence, which is more; sought over all orders.

``joint``: the examples that the text prints hold together under some readings of the switches that are open.

``hopeless``: whatever the rule set declares hopeless for the ``player`` is so (see ``model.language.Hopeless``); ``among`` names the
actions with which the others answer. It speaks of every state, reached or not.

``choices``: in every decision nothing is chosen, besides who acts, but the parameters that ``among`` names, by their name or of one
action (``action.parameter``): all else about a move, whether it is legal and what it does, follows from the state.

A property may have switches of its own that are left ``open``, whatever the setting says (``*``: all of them), and a ``note`` in both languages:
why the verdict is another than one would expect.

Where a line is sought, it may be helped: ``starts`` says from which positions, ``way`` gives conditions that are to be
met one after another, and of all states the one whose ``guide`` (numbers, the first that differs decides) is least is
looked at first."""


@dataclass(frozen=True)
class Property:
    """One claim as it is written; what each kind claims is said at ``KINDS``.

    The claim is made where the ``premise`` holds. ``lemmas`` are invariants that are proved on the way: they hold
    between the triggers too, while a ``settled`` property speaks only of states in which these have come to rest.
    """

    id: str
    kind: str
    formula: str = "true"
    premise: str = "true"
    on: str = ""
    lemmas: tuple[str, ...] = ()
    measure: tuple[str, ...] = ()
    among: tuple[str, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    starts: tuple[str, ...] = ()
    turns: int | None = None
    way: tuple[str, ...] = ()
    guide: tuple[str, ...] = ()
    player: int = 0
    goal: str = ""
    vary: tuple[tuple[str, int, int], ...] = ()
    change: tuple[tuple[str, str], ...] = ()
    pile: str = ""
    of: str = ""
    cards: int = 0
    settled: bool = False
    left: str = "true"
    counters: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    note: tuple[str, str] | None = None
    en: str = ""
    ja: str = ""

    def within(self, setting: Setting) -> Setting:
        """The setting in which it is asked: with the switches open that are its own."""
        open = setting.switches if "*" in self.open else self.open
        return setting.opened((*setting.left, *open)) if open else setting


_FORMULA = Text(4000)
_VARIED = Record("varied", [Part("cell", Text(200), "cell", needed=True), Part("least", Whole(-9999, 9999), "least", needed=True),
                            Part("most", Whole(-9999, 9999), "most", needed=True)])  # fmt: skip
_NOTE = Record("note", [Part("en", Text(2000), "en", needed=True), Part("ja", Text(2000), "ja", needed=True)])
_CHANGED = Record("changed", [Part("cell", Text(200), "cell", needed=True), Part("to", _FORMULA, "to", needed=True)])
_PARTS: Sequence[tuple[str, Form]] = (
    ("id", Text(40)), ("kind", Choice(Sentence("kind of property", "性質の種類"), KINDS)), ("on", Text(60)),
    ("premise", _FORMULA), ("formula", _FORMULA), ("lemmas", ListOf(_FORMULA, 60)),
    ("measure", ListOf(_FORMULA, 12)), ("among", ListOf(Text(60), 60)), ("apart", ListOf(ListOf(Text(60), 2), 200)),
    ("starts", ListOf(Text(60), 60)), ("turns", Whole(1, 99)), ("way", ListOf(_FORMULA, 60)), ("guide", ListOf(_FORMULA, 12)),
    ("player", Whole(0, 7)), ("goal", _FORMULA), ("vary", ListOf(_VARIED, 12)), ("change", ListOf(_CHANGED, 12)),
    ("pile", Text(60)), ("of", _FORMULA), ("cards", Whole(1, 999)), ("settled", Flag()),
    ("left", _FORMULA),
    ("counters", ListOf(Text(60), 60)), ("open", ListOf(Text(40), 200)), ("note", _NOTE), ("en", Text(1000)), ("ja", Text(1000)),
)  # fmt: skip
_PROPERTY = Record("property", [Part(key, form, key, about=ABOUT[key], needed=key in ("id", "kind", "en", "ja")) for key, form in _PARTS])
_FILE = Record("properties", (
    Part("format", Choice(Sentence("format", "形式"), (FORMAT,)), "format", needed=True),
    Part("game", Text(40), "game"),
    Part("properties", ListOf(_PROPERTY, 500), "properties", needed=True),
))  # fmt: skip


def properties_schema() -> dict[str, Any]:
    """The JSON Schema of a file of properties."""
    return document_schema(_FILE, Sentence("properties to prove", "証明する性質"), "urn:monjudge:schema:properties:1")


def read_properties(source: str | bytes, file: str = "") -> tuple[Property, ...]:
    """The properties of a YAML or JSON text, in its order. Raises DataError with every defect and its place."""
    return tuple(map(property_of, canonical(read(source, file)).get("properties", ())))  # an empty list is left out


def canonical(document: Document) -> dict[str, Any]:
    """The one written form of a file of properties. Raises DataError with every defect and its place."""
    reading = Reading()
    try:
        data: dict[str, Any] = _FILE.read(document.data, "", reading)
        reading.finish()
        seen: set[str] = set()
        for n, entry in enumerate(data.get("properties", ())):
            id, kind = entry["id"], entry["kind"]
            if id in seen:
                reading.fault(f"properties[{n}].id", f"{id!r} stands twice", f"{id!r}が二度ある", "duplicate-id")
            seen.add(id)
            if "formula" not in entry and kind not in _IDLE["formula"]:
                reading.fault(f"properties[{n}].formula", f"a property of the kind {kind} claims a formula, and none is given", f"{kind} には主張する formula が要る", "missing-key")
        reading.finish()
    except DataError as error:
        raise document.located(error) from None
    return data


def property_of(entry: Mapping[str, Any]) -> Property:
    """The property of these JSON values, which are of its form."""
    return Property(**{key: _frozen(value) for key, value in entry.items()})


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value.values() if isinstance(value, dict) else value)) if isinstance(value, list | dict) else value


@dataclass(frozen=True)
class Question:
    """A property with its formulas read over a rule set."""

    prop: Property
    formula: Expr
    premise: Expr
    lemmas: tuple[Expr, ...]
    measure: tuple[Expr, ...]
    way: tuple[Expr, ...]
    guide: tuple[Expr, ...]
    of: Expr
    left: Expr

    @property
    def claim(self) -> Expr:
        """The formula where the premise holds."""
        return ~self.premise | self.formula


def ask(prop: Property, scene: Scene) -> Question:
    """The question of a property about a scene. Raises DataError with every formula that cannot be read."""
    rules = scene.rules
    defects: list[Defect] = []

    def each(key: str, text: str, on: str | None = None, truth: bool | None = True, next: bool = False, more: Sequence[Expr] = ()) -> Expr:
        try:
            return _formula(text, scene, on, truth, next, more)
        except TextError as error:
            defects.append(Defect(f"{prop.id}.{key}", Sentence(error.en, error.ja), "bad-formula", _place(error)))
            return FALSE

    on, known = prop.on or None, True
    if (on is not None and on not in rules.by_name) or ((prop.kind in ON) != (on is not None) and prop.kind != "consistent"):
        defects.append(_no_move(prop, rules))
        on, known = None, prop.kind not in ON  # what speaks of parameters that nobody knows is not read
    question = Question(
        prop,
        each("formula", prop.formula if known else "true", on, next=prop.kind in ("step", "move", "firing"), more=_more(prop)),
        each("premise", prop.premise if known else "true", on, next=prop.kind == "consistent"),
        tuple(each(f"lemmas[{n}]", text) for n, text in enumerate(prop.lemmas)),
        tuple(each(f"measure[{n}]", text, truth=False) for n, text in enumerate(prop.measure)),
        tuple(each(f"way[{n}]", text) for n, text in enumerate(prop.way)),
        tuple(each(f"guide[{n}]", text, truth=False) for n, text in enumerate(prop.guide)),
        each("of", prop.of or "true", more=_kinds(prop, scene)),
        each("left", prop.left),
    )
    if bool(prop.measure) != (prop.kind in _MEASURED) and prop.kind != "loop":
        en = f"a measure belongs to {' and '.join(_MEASURED)}, and only there"
        defects.append(Defect(f"{prop.id}.measure", Sentence(en, f"measure は {'、'.join(_MEASURED)} だけにある"), "wrong-value"))
    for key, kinds in _IDLE.items():
        if prop.kind in kinds and getattr(prop, key) != getattr(_NOTHING, key):
            defects.append(Defect(f"{prop.id}.{key}", Sentence(f"a property of the kind {prop.kind} has no {key}", f"{prop.kind} に {key} はない"), "wrong-value"))
    if prop.goal:
        each("goal", prop.goal)
    for place, cell in (*((f"vary[{n}]", cell) for n, (cell, _, _) in enumerate(prop.vary)), *((f"change[{n}]", cell) for n, (cell, _) in enumerate(prop.change))):
        if each(f"{place}.cell", cell, truth=None).op not in ("field", "const"):
            defects.append(Defect(f"{prop.id}.{place}.cell", Sentence("a cell of a field is needed", "フィールドの一つの値が必要"), "bad-formula"))
    for n, (_, to) in enumerate(prop.change):
        each(f"change[{n}].to", to, truth=None)
    defects += _not_known(prop, rules)
    if (prop.kind == "forced") != bool(prop.goal) or prop.player >= rules.players:
        defects.append(Defect(f"{prop.id}.goal", Sentence("what one of the players is to force belongs to forced, and only there", "プレイヤーの一人が強制する goal は forced だけにある"), "wrong-value"))
    if any((prop.kind == "draw") != bool(part) for part in (prop.pile, prop.of, prop.cards)):
        defects.append(Defect(f"{prop.id}.pile", Sentence("a pile, what is a hit and how many cards belong to draw, and only there", "pile、of、cards は draw だけにあり、三つとも要る"), "wrong-value"))
    for name in prop.starts:
        read = [f"{s.id}={value}" for s in rules.switches for value in s.values] if prop.kind == "loop" else []
        there = ("start", *scene.positions, *read, *(scene.made if prop.kind in ("forced", "explore") else ()))
        if name not in there:
            en, ja = meant(name, there, "there are", "あるのは")
            defects.append(Defect(f"{prop.id}.starts", Sentence(f"there is no position {name!r}{en}", f"{name!r}という局面はない{ja}"), "unknown-word"))
    if prop.kind == "joint" and scene.examples is None:
        defects.append(Defect(f"{prop.id}.kind", Sentence("the text of this game has no examples", "このゲームの文面に例はない"), "wrong-value"))
    if prop.turns is not None and rules.turns is None:
        defects.append(Defect(f"{prop.id}.turns", Sentence("the game does not declare what a turn is", "ターンの定義がないゲームである"), "wrong-value"))
    if defects:
        raise DataError(defects)
    return question


def _place(error: TextError) -> Place:
    """Where in its formula a fault is: at a word, or a sign."""
    found = re.match(r"\w+", error.source[error.column - 1 :])
    return Place(error.line, error.column, len(found[0]) if found else 1)


ON = ("move", "legal")
"""The kinds that speak of the moves ``on``."""


_MEASURED = ("termination", "constant")
_AMONG: Mapping[str, tuple[str, ...]] = {"commute": ("actions",), "confluence": ("triggers",), "limit": ("actions", "triggers"), "consistent": ("norms",), "same": ("norms",), "robust": ("actions",), "rest": ("triggers",), "firing": ("triggers",), "hopeless": ("actions",), "choices": ("parameters",)}
_BY_THEMSELVES = ("fact", "explore", "forced", "draw", "consistent", "same", "robust", "joint", "hopeless", "choices")
"""The kinds in whose answers nothing is proved by induction."""

_IDLE: Mapping[str, Collection[str]] = {
    "formula": ("legal", "termination", "deadlock", "commute", "confluence", "constant", "limit", "loop", "consistent", "same", "robust", "joint", "rest", "hopeless", "choices"),
    "premise": ("confluence", "constant", "same", "joint", "hopeless", "firing", "choices"),
    "counters": [kind for kind in KINDS if kind != "loop"], "left": [kind for kind in KINDS if kind != "termination"],
    "turns": [kind for kind in KINDS if kind not in ("explore", "forced")],
    "vary": [kind for kind in KINDS if kind != "forced"], "change": [kind for kind in KINDS if kind != "forced"],
    "among": [kind for kind in KINDS if kind not in _AMONG], "apart": [kind for kind in KINDS if kind not in ("commute", "confluence")],
    "lemmas": _BY_THEMSELVES, "settled": _BY_THEMSELVES,
}  # fmt: skip
"""Keys that say nothing for a kind."""


_NOTHING = Property("", "")


def _not_known(prop: Property, rules: RuleSet) -> Iterator[Defect]:
    """Names in ``among`` and ``apart`` that are none of the rule set."""
    kinds = _AMONG.get(prop.kind, ())
    known = [a.name for a in rules.actions if "actions" in kinds] + [t.id for t in rules.triggers if "triggers" in kinds]
    known += dict.fromkeys(name for a in rules.actions if "parameters" in kinds for p in a.params for name in (p.name, f"{a.name}.{p.name}"))
    known += [norm.id for norm in rules.norms if "norms" in kinds and (prop.kind == "same" or norm.on in (prop.on or None, None))]
    if "norms" in kinds and len(prop.among) < (2 if prop.kind == "same" else 1):
        yield Defect(f"{prop.id}.among", Sentence("it names too few sentences", "挙げられている文が足りない"), "wrong-value")
    if "norms" in kinds and not rules.norms:
        yield Defect(f"{prop.id}.open", Sentence("sentences are named only where the text is taken literally: open: [NORMS]", "文の名前が書けるのは、文面を文字どおりに取るときだけ：open: [NORMS]"), "wrong-value")
    for name in (*prop.among, *(name for pair in prop.apart for name in pair)):
        if known and name not in known:
            en, ja = meant(name, known, "there are", "あるのは")
            yield Defect(f"{prop.id}.among", Sentence(f"{name!r} is not known{en}", f"{name!r}はない{ja}"), "unknown-word")
    for key, name in (*(("counters", name) for name in prop.counters), *([("pile", prop.pile)] if prop.pile else [])):
        if name not in rules.family_named:
            en, ja = meant(name, rules.family_named, "there are", "あるのは")
            yield Defect(f"{prop.id}.{key}", Sentence(f"{name!r} is no field{en}", f"{name!r}というフィールドはない{ja}"), "unknown-word")
    if any(len(pair) != 2 for pair in prop.apart):
        yield Defect(f"{prop.id}.apart", Sentence("each entry is a pair", "二つずつ書く"), "wrong-value")


def _no_move(prop: Property, rules: RuleSet) -> Defect:
    """Why the moves ``on`` will not do: the kind speaks of none, none are named, or there are none of this name."""
    if prop.on and prop.kind not in (*ON, "consistent"):
        more = Sentence("; actions are named in among", "。行動は among に挙げる") if "actions" in _AMONG.get(prop.kind, ()) else Sentence("", "")
        text = Sentence(f"a property of the kind {prop.kind} does not speak of the moves of one action{more.en}", f"{prop.kind} は一つの行動の手について述べるものではない{more.ja}")
        return Defect(f"{prop.id}.on", text, "wrong-value")
    en, ja = meant(prop.on, rules.by_name, "there are", "あるのは")
    if not prop.on:
        text = Sentence(f"a property of the kind {prop.kind} speaks of the moves of one action, and 'on' does not name it{en}", f"{prop.kind} は一つの行動の手について述べるが、on に行動がない{ja}")
        return Defect(f"{prop.id}.on", text, "missing-key")
    return Defect(f"{prop.id}.on", Sentence(f"there is no action {prop.on!r}{en}", f"{prop.on!r}という行動はない{ja}"), "unknown-word")


FORCES = ("forced", "changed")
"""What the formula of a ``forced`` property may speak of besides."""


CARD, HITS = "card", "hits"
"""What a ``draw`` speaks of besides: a kind of card, and how many hits are drawn."""


def _more(prop: Property) -> list[Expr]:
    """The variables that the formula of a kind may have."""
    if prop.kind == "draw":
        return [var(HITS, 0, prop.cards)]
    return [var(name, 0, 1, is_bool=True) for name in FORCES] if prop.kind == "forced" else []


def _kinds(prop: Property, scene: Scene) -> list[Expr]:
    """A kind of card in the pile, as a variable."""
    family = scene.rules.family_named.get(prop.pile)
    return [var(CARD, 0, 0 if family is None else max(0, family.size - 1))] if prop.pile else []


def _scope_with(scene: Scene, on: str | None, more: Sequence[Expr]) -> Scope:
    """What names in a formula mean where it may have more variables."""
    scope = scene.scope(on)
    return replace(scope, variables={**scope.variables, **{str(v.args[0]): v for v in more}})


def _formula(text: str, scene: Scene, on: str | None, truth: bool | None, next: bool, more: Sequence[Expr]) -> Expr:
    found = parse_expr(text, _scope_with(scene, on, more))
    if truth is not None and found.is_bool is not truth:
        raise TextError("a truth value is needed" if truth else "a number is needed", "真偽の式が必要" if truth else "数の式が必要", text, 0)
    if not next and any(node.op == "field" and node.args[1] for node in walk(found)):
        raise TextError("'next' has a meaning only in a step, a move or a firing", "「next」が使えるのは step・move・firing だけ", text, 0)
    return found


