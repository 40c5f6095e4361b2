"""A whole rule set as canonical JSON, and the content hash that names it.

Equal rule sets give equal text in every process: expressions stand once each, numbered in
the order of their first use, children before parents; keys are sorted; nothing depends on
when an object was made. Diffs, caches and certificates refer to the hash. See ``load`` for
the way back.

A node is ``[operation, lo, hi, part, ...]``; the parts are the ``args`` of the expression,
with numbers of nodes, fields and tables for the things themselves.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from monjudge.model.language.expr import Expr, walk
from monjudge.model.language.family import Domain, Family, Table
from monjudge.model.language.rules import Action, Clause, Effect, RuleSet, Symmetry, Trigger

__all__ = ["FORMAT", "content_hash", "row", "to_data", "to_json"]

FORMAT = "monjudge-rules/1"
"""Changes with every change of the format or of what an operation means."""


def to_json(rules: RuleSet, indent: int | None = None) -> str:
    """The canonical JSON (ASCII, one line), or for reading with an indent."""
    separators = (",", ":") if indent is None else None
    return json.dumps(to_data(rules), sort_keys=True, separators=separators, indent=indent)


def content_hash(rules: RuleSet) -> str:
    """The SHA-256 of the canonical JSON, 64 hexadecimal digits; without what only follows from the rules (``hopeless``)."""
    if rules not in _hashes:
        _hashes[rules] = hashlib.sha256(to_json(replace(rules, hopeless=())).encode("ascii")).hexdigest()
    return _hashes[rules]


_hashes: WeakKeyDictionary[RuleSet, str] = WeakKeyDictionary()


def to_data(rules: RuleSet) -> dict[str, Any]:
    """The rule set as JSON data: dictionaries, lists, text, whole numbers, truth values, null."""
    return _Writer(rules).data()


def row(node: Expr, number: Callable[[Expr | Family | Table], int]) -> list[Any]:
    """One node as data; ``number`` gives the number of another node, a field or a table."""
    parts: Iterable[Any] = (node.args[0], node.is_bool) if node.op == "var" else node.args
    written = [
        number(p) if isinstance(p, (Expr, Family, Table)) else list(p) if isinstance(p, tuple) else p for p in parts
    ]
    return [node.op, node.lo, node.hi, *written]


class _Writer:
    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.nodes: list[list[Any]] = []
        self.known: dict[int, int] = {}
        self.tables: dict[Table, int] = {}
        self.domains: dict[Domain, int] = {}
        self.fields = {family: n for n, family in enumerate(rules.families)}

    def data(self) -> dict[str, Any]:
        r = self.rules
        turns = r.turns
        return {
            "format": FORMAT, "name": r.name, "en": r.en, "ja": r.ja, "players": r.players, "passes": r.passes,
            "constants": dict(r.constants),
            "fields": [self.field(f) for f in r.families],
            "actions": [self.action(a) for a in r.actions],
            "triggers": [self.trigger(t) for t in r.triggers],
            "over": None if r.over is None else self.clause(r.over),
            "payoffs": [self.node(p) for p in r.payoffs],
            "goals": [
                {"name": g.name, "player": g.player, "when": self.node(g.when), "en": g.en, "ja": g.ja} for g in r.goals
            ],
            "norms": [
                {"id": n.id, "kind": n.kind, "scope": self.node(n.scope), "formula": self.node(n.formula), "on": n.on,
                 "ref": n.ref, "en": n.en, "ja": n.ja, "claimed": self.node(n.claimed)}
                for n in r.norms
            ],
            "switches": [
                {"id": s.id, "field": self.fields[s.family], "clauses": list(s.clauses),
                 "undetermined": sorted(s.undetermined), "severity": s.severity, "en": s.en, "ja": s.ja}
                for s in r.switches
            ],
            "visible": {name: self.node(r.visible[name]) for name in sorted(r.visible)},
            "simultaneous": [
                {"name": s.name, "actions": list(s.actions), "hidden": list(s.hidden), "open": self.node(s.open)}
                for s in r.simultaneous
            ],
            **({} if r.pieces is None else {"pieces": {part: {name: list(kinds) for name, kinds in where.items()}
               for part, where in (("counts", r.pieces.counts), ("holders", r.pieces.holders))}}),
            "turns": None if turns is None else {"number": self.node(turns.number), "segments": dict(turns.segments)},
            "symmetries": [_symmetry(s) for s in r.symmetries],
            "monotone": [
                {"name": m.name, "player": m.player, "quantity": self.node(m.quantity)} for m in r.monotone
            ],
            "measures": [
                {"name": m.name, "player": m.player, "quantity": self.node(m.quantity), "en": m.en, "ja": m.ja}
                for m in r.measures
            ],
            **({} if not r.hopeless else {"hopeless": [
                {"goal": h.goal, "player": h.player, "when": self.node(h.when), "between": self.node(h.between),
                 "after": self.node(h.after), "en": h.en, "ja": h.ja} for h in r.hopeless
            ]}),
            "domains": [{"name": d.name, "labels": list(d.labels)} for d in self.domains],
            "tables": [
                {"name": t.name, "dims": list(t.dims), "values": list(t.values), "default": t.default, "bool": t.is_bool}
                for t in self.tables
            ],
            "nodes": self.nodes,
        }  # fmt: skip

    def node(self, expr: Expr) -> int:
        for part in walk(expr):
            if part.op in ("all", "any", "sum"):
                self._add(part.args[0])
            self._add(part)
        return self.known[expr.uid]

    def _add(self, node: Expr) -> None:
        if node.uid not in self.known:
            self.nodes.append(row(node, self._number))
            self.known[node.uid] = len(self.known)

    def _number(self, part: Expr | Family | Table) -> int:
        if isinstance(part, Expr):
            return self.known[part.uid]
        if isinstance(part, Table):
            return self.tables.setdefault(part, len(self.tables))
        return self.fields[part]

    def domain(self, domain: Domain | None) -> int | None:
        return None if domain is None else self.domains.setdefault(domain, len(self.domains))

    def field(self, f: Family) -> dict[str, Any]:
        return {
            "name": f.name, "dims": list(f.dims), "lo": f.lo, "hi": f.hi, "bool": f.is_bool, "default": f.default,
            "init": list(f.init), "config": f.config, "axes": [self.domain(a) for a in f.axes],
            "labels": self.domain(f.labels),
        }  # fmt: skip

    def clause(self, c: Clause) -> dict[str, Any]:
        return {"id": c.id, "expr": self.node(c.expr), "ref": c.ref, "en": c.en, "ja": c.ja, "kind": c.kind}

    def effect(self, e: Effect) -> dict[str, Any]:
        return {
            "loops": [self.node(v) for v in e.loops], "field": self.fields[e.family],
            "indices": [self.node(i) for i in e.indices], "value": self.node(e.value), "adds": e.adds,
            "when": self.node(e.when),
        }  # fmt: skip

    def action(self, a: Action) -> dict[str, Any]:
        return {
            "name": a.name, "en": a.en, "ja": a.ja, "tags": sorted(a.tags),
            "by": None if a.by is None else self.node(a.by),
            "params": [{"var": self.node(p.var), "labels": self.domain(p.labels)} for p in a.params],
            "clauses": [self.clause(c) for c in a.clauses],
            "effects": [self.effect(e) for e in a.effects],
            "weight": None if a.weight is None else self.node(a.weight),
        }  # fmt: skip

    def trigger(self, t: Trigger) -> dict[str, Any]:
        return {
            "id": t.id, "loops": [self.node(v) for v in t.loops], "when": self.node(t.when),
            "effects": [self.effect(e) for e in t.effects], "ref": t.ref, "en": t.en, "ja": t.ja,
        }  # fmt: skip


def _symmetry(s: Symmetry) -> dict[str, Any]:
    def sorted_pairs(maps: Mapping[int, Any]) -> list[list[Any]]:
        return [[key, list(value) if isinstance(value, tuple) else value] for key, value in sorted(maps.items())]

    return {
        "name": s.name, "players": list(s.players),
        "axes": {name: sorted_pairs(orders) for name, orders in s.axes.items()},
        "values": {name: sorted_pairs(images) for name, images in s.values.items()},
        "params": [[*where, list(images)] for where, images in sorted(s.params.items())],
    }  # fmt: skip
