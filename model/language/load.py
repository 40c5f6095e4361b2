"""Reading a rule set from canonical JSON: strict, bounded, and without running anything of the file.

Every expression is built anew by the constructors and must come out as it was written, so a
file can neither claim an interval that is not so nor hold a form that no rule set has.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from monjudge.model.language.check import RuleSetError, check
from monjudge.model.language.export import FORMAT, row, to_data
from monjudge.model.language.expr import LIMIT, Expr, ExpressionError, children, const, make, var
from monjudge.model.language.family import Domain, Family, Table
from monjudge.model.language.rules import (
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

__all__ = ["HEIGHT", "SIZE", "RuleSetFormatError", "from_json"]

SIZE = 50_000_000
"""The longest text that is read, in characters."""
HEIGHT = 200
"""How deep expressions may be nested."""


_MANY = 10**6
_PARTS = {
    "var": (2, 2), "field": (2, _MANY), "table": (2, _MANY), "mul": (2, 2), "in": (2, 2), "not": (1, 1), "ite": (3, 3),
    **dict.fromkeys(("eq", "lt", "le", "all", "any", "sum"), (2, 2)),
    **dict.fromkeys(("add", "min", "max", "and", "or"), (2, _MANY)),
}  # fmt: skip


class RuleSetFormatError(ValueError):
    """A text that is not the canonical JSON of a rule set; the sentence says where."""


def from_json(text: str) -> RuleSet:
    """The rule set that ``to_json`` wrote. Raises RuleSetFormatError."""
    if len(text) > SIZE:
        raise RuleSetFormatError(f"the text has {len(text)} characters; at most {SIZE} are read")
    try:
        data = json.loads(text, parse_float=_no_number, parse_constant=_no_number, object_pairs_hook=_distinct)
    except RecursionError:
        raise RuleSetFormatError("the text is nested too deeply for a rule set") from None
    except ValueError as fault:
        raise RuleSetFormatError(f"the text is not JSON of a rule set: {fault}") from None
    rules = _Reader(_At(data, "")).rules()
    try:
        check(rules)
    except RuleSetError as fault:
        raise RuleSetFormatError(str(fault)) from None
    if to_data(rules) != data:
        raise RuleSetFormatError("the nodes, tables and domains must stand in the order of their first use, and no others")
    return rules


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text[:40]} is not a whole number")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"a key stands twice among {', '.join(repr(k) for k, _ in pairs)[:200]}")
    return found


class _At:
    """A piece of the data and the way to it."""

    __slots__ = ("data", "path")

    def __init__(self, data: Any, path: str) -> None:
        self.data, self.path = data, path

    def fail(self, sentence: str) -> NoReturn:
        raise RuleSetFormatError(f"{self.path or 'the rule set'}: {sentence}")

    def _expect(self, what: str) -> NoReturn:
        try:
            found = json.dumps(self.data)[:80]
        except RecursionError:  # read, but from further up the stack
            found = "a deep nest"
        self.fail(f"expected {what}, but found {found}")

    def record(self, *keys: str, maybe: Sequence[str] = ()) -> dict[str, _At]:
        """The parts of a dictionary with exactly these keys; those that may be there need not be."""
        if isinstance(self.data, dict):
            keys = (*keys, *(key for key in maybe if key in self.data))
        if not isinstance(self.data, dict):
            self._expect("a dictionary")
        for key in (*(k for k in keys if k not in self.data), *(k for k in self.data if k not in keys)):
            self.fail(f"the key {key[:80]!r} is {'missing' if key in keys else 'unknown'}")
        return self.pairs()

    def pairs(self) -> dict[str, _At]:
        if not isinstance(self.data, dict):
            self._expect("a dictionary")
        dot = "." if self.path else ""
        return {key: _At(value, f"{self.path}{dot}{key}") for key, value in self.data.items()}

    def items(self, count: int | None = None) -> list[_At]:
        if not isinstance(self.data, list):
            self._expect("a list")
        if count is not None and len(self.data) != count:
            self.fail(f"expected {count} entries, but found {len(self.data)}")
        return [_At(value, f"{self.path}[{n}]") for n, value in enumerate(self.data)]

    def whole(self, lo: int = -LIMIT, hi: int = LIMIT) -> int:
        if not isinstance(self.data, int) or isinstance(self.data, bool):
            self._expect("a whole number")
        if not lo <= self.data <= hi:
            self.fail(f"{str(self.data)[:40]} lies outside {lo}..{hi}")
        return self.data

    def wholes(self) -> tuple[int, ...]:
        return tuple(item.whole() for item in self.items())

    def text(self) -> str:
        if not isinstance(self.data, str):
            self._expect("a text")
        return self.data

    def texts(self) -> tuple[str, ...]:
        return tuple(item.text() for item in self.items())

    def flag(self) -> bool:
        if not isinstance(self.data, bool):
            self._expect("true or false")
        return self.data

    def one_of(self, *names: str) -> Any:
        if self.text() not in names:
            self._expect(f"one of {', '.join(names)}")
        return self.data

    def pick(self, things: Sequence[Any], what: str) -> Any:
        """The thing of this number."""
        if not things:
            self.fail(f"there is no {what} to refer to")
        if not 0 <= self.whole() < len(things):
            self.fail(f"there is no {what} {self.data}, only 0..{len(things) - 1} at this point")
        return things[self.data]

    def maybe(self) -> _At | None:
        return None if self.data is None else self

    def made(self, make: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """What ``make`` gives, with its error told at this place."""
        try:
            return make(*args, **named)
        except RuleSetFormatError:
            raise
        except (ValueError, ExpressionError) as fault:
            self.fail(str(fault))


class _Reader:
    def __init__(self, root: _At) -> None:
        self.parts = root.record(
            "format", "name", "en", "ja", "players", "passes", "constants", "fields", "actions", "triggers", "over",
            "payoffs", "goals", "norms", "switches", "visible", "simultaneous", "turns", "symmetries", "monotone",
            "measures", "domains", "tables", "nodes", maybe=("pieces", "hopeless"),
        )  # fmt: skip
        self.parts["format"].one_of(FORMAT)
        self.domains = [self._domain(d) for d in self.parts["domains"].items()]
        self.families = [self._field(f) for f in self.parts["fields"].items()]
        self.tables = [self._table(t) for t in self.parts["tables"].items()]
        self.nodes: list[Expr] = []
        self.number: dict[int, int] = {}
        self.height: list[int] = []
        for at in self.parts["nodes"].items():
            self._read_node(at)

    def _domain(self, at: _At) -> Domain:
        d = at.record("name", "labels")
        domain: Domain = at.made(Domain, d["name"].text(), d["labels"].texts())
        return domain

    def _field(self, at: _At) -> Family:
        f = at.record("name", "dims", "lo", "hi", "bool", "default", "init", "config", "axes", "labels")
        dims = f["dims"].wholes()
        family: Family = at.made(
            Family.of, f["name"].text(), dims, f["lo"].whole(), f["hi"].whole(), is_bool=f["bool"].flag(),
            default=f["default"].whole(), init=f["init"].wholes(), config=f["config"].flag(),
            axes=tuple(self.labels(a) for a in f["axes"].items(len(dims))), labels=self.labels(f["labels"]),
        )  # fmt: skip
        return family

    def _table(self, at: _At) -> Table:
        t = at.record("name", "dims", "values", "default", "bool")
        values, default = t["values"].wholes(), t["default"].whole()
        kind = bool if t["bool"].flag() else int
        if kind is bool and not {*values, default} <= {0, 1}:
            at.fail("a truth value is 0 or 1")
        table: Table = at.made(Table.of, t["name"].text(), t["dims"].wholes(), [kind(v) for v in values], default)
        return table

    def _read_node(self, at: _At) -> None:
        parts = at.items()
        if len(parts) < 4:
            at.fail("a node has an operation, its interval and at least one part")
        node: Expr = at.made(self._build, at, parts[0].text(), parts[1:])
        if row(node, self._number) != at.data or node.uid in self.number:
            at.fail(f"this is not how {node!r} with the interval {node.lo}..{node.hi} is written, once, in a rule set")
        self.height.append(1 + max((self.height[self.number[c.uid]] for c in children(node)), default=0))
        if self.height[-1] > HEIGHT:
            at.fail(f"the expression is nested deeper than {HEIGHT}")
        self.number[node.uid] = len(self.nodes)
        self.nodes.append(node)

    def _number(self, part: Expr | Family | Table) -> int:
        if isinstance(part, Expr):
            return self.number.get(part.uid, -1)
        return self.families.index(part) if isinstance(part, Family) else self.tables.index(part)

    def _build(self, at: _At, op: str, parts: list[_At]) -> Expr:
        lo, hi, first, *rest = parts
        if op == "const":
            return const(first.data if isinstance(first.data, bool) else first.whole())
        least, most = _PARTS.get(op, (-1, -1))
        if least < 0:
            at.fail(f"there is no operation {op[:40]!r}")
        if not least <= len(rest) + 1 <= most:
            at.fail(f"'{op}' does not have {len(rest) + 1} parts")
        if op == "var":
            if hi.whole() < lo.whole() - 1:
                at.fail(f"there is no interval {lo.data}..{hi.data}")
            return var(first.text(), lo.data, hi.data, rest[0].flag())
        if op == "mul":
            return make(op, [first.whole(), self.node(rest[0])])
        if op == "in":
            return make(op, [self.node(first), rest[0].wholes()])
        if op == "field":
            return make(op, [first.pick(self.families, "field"), rest[0].whole(0, 1), *map(self.node, rest[1:])])
        if op == "table":
            return make(op, [first.pick(self.tables, "table"), *map(self.node, rest)])
        nodes = [self.node(p) for p in (first, *rest)]
        if op in ("all", "any", "sum") and (nodes[0].op, nodes[0].is_bool, nodes[0].args[0]) != (
            "var", False, f"i{nodes[1].depth}",
        ):  # fmt: skip
            at.fail(f"'{op}' binds the variable i{nodes[1].depth} here, not {nodes[0]!r}")
        return make(op, nodes)

    def labels(self, at: _At) -> Domain | None:
        return at.pick(self.domains, "domain") if at.maybe() else None

    def node(self, at: _At) -> Expr:
        node: Expr = at.pick(self.nodes, "node")
        return node

    def maybe(self, at: _At) -> Expr | None:
        return self.node(at) if at.maybe() else None

    def nodes_of(self, at: _At) -> tuple[Expr, ...]:
        return tuple(self.node(n) for n in at.items())

    def rules(self) -> RuleSet:
        p = self.parts
        over, turns = p["over"].maybe(), p["turns"].maybe()
        return RuleSet(
            p["name"].text(), p["players"].whole(1, 1000), tuple(self.families),
            tuple(self.action(a) for a in p["actions"].items()),
            tuple(self.trigger(t) for t in p["triggers"].items()),
            over=self.clause(over) if over else None,
            payoffs=self.nodes_of(p["payoffs"]),
            goals=tuple(self.goal(g) for g in p["goals"].items()),
            norms=tuple(self.norm(n) for n in p["norms"].items()),
            switches=tuple(self.switch(s) for s in p["switches"].items()),
            visible={name: self.node(n) for name, n in p["visible"].pairs().items()},
            simultaneous=tuple(self.simultaneous(s) for s in p["simultaneous"].items()),
            pieces=_pieces(p["pieces"]) if "pieces" in p else None,
            turns=self.turns(turns) if turns else None,
            symmetries=tuple(_symmetry(s) for s in p["symmetries"].items()),
            monotone=tuple(self.monotone(m) for m in p["monotone"].items()),
            measures=tuple(self.measure(m) for m in p["measures"].items()),
            hopeless=tuple(self.hopeless(h) for h in p["hopeless"].items()) if "hopeless" in p else (),
            constants={name: n.whole() for name, n in p["constants"].pairs().items()},
            passes=p["passes"].whole(1), en=p["en"].text(), ja=p["ja"].text(),
        )  # fmt: skip

    def clause(self, at: _At) -> Clause:
        c = at.record("id", "expr", "ref", "en", "ja", "kind")
        kind = c["kind"].one_of("rule", "limit", "open")
        return Clause(c["id"].text(), self.node(c["expr"]), c["ref"].text(), c["en"].text(), c["ja"].text(), kind)

    def effect(self, at: _At) -> Effect:
        e = at.record("loops", "field", "indices", "value", "adds", "when")
        return Effect(
            e["field"].pick(self.families, "field"), self.nodes_of(e["indices"]), self.node(e["value"]),
            e["adds"].flag(), self.node(e["when"]), self.nodes_of(e["loops"]),
        )  # fmt: skip

    def param(self, at: _At) -> Param:
        p = at.record("var", "labels")
        variable = self.node(p["var"])
        if variable.op != "var" or variable.lo > variable.hi:
            p["var"].fail(f"a parameter is a variable with a domain, not {variable!r}")
        return Param(variable, self.labels(p["labels"]))

    def action(self, at: _At) -> Action:
        a = at.record("name", "en", "ja", "tags", "by", "params", "clauses", "effects", "weight")
        return Action(
            a["name"].text(), self.maybe(a["by"]), tuple(self.param(p) for p in a["params"].items()),
            tuple(self.clause(c) for c in a["clauses"].items()), tuple(self.effect(e) for e in a["effects"].items()),
            self.maybe(a["weight"]), a["en"].text(), a["ja"].text(), frozenset(a["tags"].texts()),
        )  # fmt: skip

    def trigger(self, at: _At) -> Trigger:
        t = at.record("id", "loops", "when", "effects", "ref", "en", "ja")
        return Trigger(
            t["id"].text(), self.nodes_of(t["loops"]), self.node(t["when"]),
            tuple(self.effect(e) for e in t["effects"].items()), t["ref"].text(), t["en"].text(), t["ja"].text(),
        )  # fmt: skip

    def goal(self, at: _At) -> Goal:
        g = at.record("name", "player", "when", "en", "ja")
        return Goal(g["name"].text(), g["player"].whole(), self.node(g["when"]), g["en"].text(), g["ja"].text())

    def norm(self, at: _At) -> Norm:
        n = at.record("id", "kind", "scope", "formula", "on", "ref", "en", "ja", "claimed")
        kind = n["kind"].one_of("permission", "obligation", "prohibition", "definition", "effect")
        return Norm(
            n["id"].text(), kind, self.node(n["formula"]), self.node(n["scope"]),
            n["on"].text() if n["on"].maybe() else None, n["ref"].text(), n["en"].text(), n["ja"].text(), self.node(n["claimed"]),
        )  # fmt: skip

    def switch(self, at: _At) -> Switch:
        s = at.record("id", "field", "clauses", "undetermined", "severity", "en", "ja")
        return Switch(
            s["id"].text(), s["field"].pick(self.families, "field"), s["clauses"].texts(),
            frozenset(s["undetermined"].texts()), s["severity"].text(), s["en"].text(), s["ja"].text(),
        )  # fmt: skip

    def simultaneous(self, at: _At) -> Simultaneous:
        s = at.record("name", "actions", "hidden", "open")
        return Simultaneous(s["name"].text(), s["actions"].texts(), s["hidden"].texts(), self.node(s["open"]))

    def turns(self, at: _At) -> TurnStructure:
        t = at.record("number", "segments")
        return TurnStructure(self.node(t["number"]), {a: s.text() for a, s in t["segments"].pairs().items()})

    def monotone(self, at: _At) -> Monotone:
        m = at.record("name", "player", "quantity")
        return Monotone(m["name"].text(), m["player"].whole(), self.node(m["quantity"]))

    def measure(self, at: _At) -> Measure:
        m = at.record("name", "player", "quantity", "en", "ja")
        return Measure(m["name"].text(), m["player"].whole(), self.node(m["quantity"]), m["en"].text(), m["ja"].text())

    def hopeless(self, at: _At) -> Hopeless:
        h = at.record("goal", "player", "when", "between", "after", "en", "ja")
        when, between, after = (self.node(h[key]) for key in ("when", "between", "after"))
        return Hopeless(h["goal"].text(), h["player"].whole(), when, h["en"].text(), h["ja"].text(), between, after)


def _pieces(at: _At) -> Pieces:
    fields = at.record("counts", "holders")
    counts, holders = ({name: kinds.wholes() for name, kinds in fields[part].pairs().items()} for part in ("counts", "holders"))
    return Pieces(counts, holders)


def _symmetry(at: _At) -> Symmetry:
    s = at.record("name", "players", "axes", "values", "params")
    axes: dict[str, Mapping[int, tuple[int, ...]]] = {}
    for name, orders in s["axes"].pairs().items():
        pairs = [pair.items(2) for pair in orders.items()]
        axes[name] = {axis.whole(): order.wholes() for axis, order in pairs}
    values: dict[str, Mapping[int, int]] = {}
    for name, images in s["values"].pairs().items():
        values[name] = {key.whole(): image.whole() for key, image in (pair.items(2) for pair in images.items())}
    params = {(a.text(), p.text()): images.wholes() for a, p, images in (x.items(3) for x in s["params"].items())}
    return Symmetry(s["name"].text(), axes, values, params, s["players"].wholes())
