"""The text form of expressions, printed so that reading the text gives the same expression.

==============================  ======================================================
``life[me, 1] <= 16``           a cell of a field; ``next life[me, 1]`` in the next state
``a and b or not c``            truth values; ``true`` and ``false``
``a == b``, ``!=``, ``<`` ...   comparisons, which do not chain
``x in {6, 7, 8}``              membership; ``x not in {...}``
``2 * a - b + 1``               sums, and products with a number
``min(a, b)``, ``max(a, b)``    the least and the greatest
``if c then a else b``          choice
``all i in 0..2: ...``          likewise ``any``, ``sum`` and ``count``; as far as it goes
``table half[d]``               a table known by name
``table {0, 0, 1 else 0}[d]``   a table written out, with its value outside
``phase == battle``             a label, where the other side is a field that has it
==============================  ======================================================

A name that is not a word, or is a keyword, stands between backquotes. A field without
axes that a variable hides is written with empty brackets: ``turn[]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from monjudge.model.language.expr import Expr, as_int, children, var, walk
from monjudge.model.language.family import Domain, Family, Table
from monjudge.model.language.rules import ME, RuleSet

__all__ = ["DEPTH", "KEYWORDS", "WORD", "Scope", "print_expr"]

KEYWORDS = frozenset(
    ("all", "and", "any", "count", "else", "false", "if", "in", "max", "min", "next", "not", "or", "sum", "table",
     "then", "true")
)  # fmt: skip
WORD = re.compile(r"[^\W\d]\w*(?:\.\w+)*")
DEPTH = 200
"""How deep expressions may be nested in a text; what lies deeper, or is very large, is printed as an ellipsis."""

T = TypeVar("T", Domain, Table)
_LARGE = 20_000
_OPEN, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _MINUS, _ATOM = range(9)


@dataclass(frozen=True)
class Scope:
    """What the names in a text mean.

    A name is a variable, else a label that the place asks for, else a field, a named
    constant, or a label of some domain. ``labels`` names the values of variables.
    """

    families: Mapping[str, Family] = field(default_factory=dict)
    variables: Mapping[str, Expr] = field(default_factory=dict)
    constants: Mapping[str, int] = field(default_factory=dict)
    domains: Mapping[str, Domain] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    labels: Mapping[str, Domain] = field(default_factory=dict)

    @classmethod
    def of(cls, rules: RuleSet, action: str | None = None) -> Scope:
        """The scope of a rule set, with ``me`` and the parameters of an action if one is named.

        Raises ValueError for an action that the rule set does not have.
        """
        chosen = rules.by_name.get(action) if action is not None else None
        if action is not None and chosen is None:
            raise ValueError(f"the rule set {rules.name!r} has no action {action!r}")
        variables: dict[str, Expr] = {}
        labels: dict[str, Domain] = {}
        if chosen is not None:
            if not chosen.is_chance:
                variables[ME] = var(ME, 0, rules.players - 1)
            variables |= {p.name: p.var for p in chosen.params}
            labels |= {p.name: p.labels for p in chosen.params if p.labels is not None}
        domains = [d for f in rules.families for d in (*f.axes, f.labels)]
        domains += [p.labels for a in rules.actions for p in a.params]
        return cls(
            rules.family_named, variables, rules.constants, _by_name(d for d in domains if d is not None),
            _tables(rules), labels,
        )  # fmt: skip

    def labels_of(self, node: Expr) -> Domain | None:
        """The names of the values of a cell or a variable, if it has any."""
        if node.op == "field":
            family: Family = node.args[0]
            return family.labels
        return self.labels.get(node.args[0]) if node.op == "var" else None


@lru_cache(maxsize=16)
def _tables(rules: RuleSet) -> Mapping[str, Table]:
    """The tables of the rules by name: every expression is looked at, and every formula about a game asks for them."""
    return _by_name(node.args[0] for node in walk(*rules.expressions()) if node.op == "table")


def _by_name(things: Iterable[T]) -> dict[str, T]:
    """The things by name; a name that two different things have says nothing."""
    found: dict[str, T] = {}
    twice = set()
    for thing in things:
        if found.setdefault(thing.name, thing) != thing:
            twice.add(thing.name)
    return {name: thing for name, thing in found.items() if name and name not in twice}


def print_expr(node: Expr, scope: Scope | None = None) -> str:
    """The expression as text with as few parentheses as it needs.

    With a ``scope``, its tables go by name and the values of its variables by label,
    and the text read in that scope is this very expression (if nested up to DEPTH).
    """
    return _Printer(node, scope or Scope()).text(node, _OPEN, True, DEPTH)


def quoted(name: str) -> str:
    """The name as it stands in a text."""
    if WORD.fullmatch(name) and name not in KEYWORDS:
        return name
    return "`" + name.replace("`", "``") + "`"


class _Printer:
    def __init__(self, root: Expr, scope: Scope) -> None:
        self.scope = scope
        self.hidden = set(scope.variables)
        self.size: dict[int, int] = {}
        for node in walk(root):
            self.size[node.uid] = 1 + sum(self.size[c.uid] for c in children(node))
            if node.op in ("var", "all", "any", "sum"):
                self.hidden.add(node.args[0] if node.op == "var" else node.args[0].args[0])

    def text(self, node: Expr, least: int, tail: bool, depth: int, labels: Domain | None = None) -> str:
        """The node where an operator of strength ``least`` surrounds it.

        What is open to the right (a quantifier, a choice) needs no parentheses at the ``tail`` end.
        """
        if depth <= 0 or self.size.get(node.uid, 0) > _LARGE:
            return "…"
        strength = _strength(node)
        bare = tail if strength == _OPEN else strength >= least
        return self._bare(node, tail, depth - 1, labels) if bare else f"({self._bare(node, True, depth - 2, labels)})"

    def _bare(self, node: Expr, tail: bool, depth: int, labels: Domain | None) -> str:
        op, args = node.op, node.args
        if op == "const":
            return self._const(node, labels)
        if op == "var":
            return quoted(args[0])
        if op == "field":
            return self._field(node, depth, labels)
        if op == "table":
            return f"table {self._table(args[0])}[{self._list(args[1:], depth)}]"
        if op in ("min", "max"):
            return f"{op}({self._list(args, depth)})"
        if op in ("add", "mul"):
            return self._sum(args if op == "add" else (node,), tail, depth)
        if op in ("and", "or"):
            least = _AND if op == "or" else _NOT
            last = len(args) - 1
            return f" {op} ".join(self.text(a, least, tail and n == last, depth) for n, a in enumerate(args))
        if op == "ite":
            condition, then = (self.text(a, _OR, False, depth) for a in args[:2])
            return f"if {condition} then {then} else {self.text(args[2], _OPEN, True, depth)}"
        if op in ("all", "any", "sum"):
            return self._quantifier(node, depth)
        return self._test(node, tail, depth)

    def _const(self, node: Expr, labels: Domain | None) -> str:
        if node.is_bool:
            return "true" if node.value else "false"
        if labels is not None and 0 <= node.value < labels.size and labels.labels[node.value] not in self.hidden:
            return quoted(labels.labels[node.value])
        return str(node.value)

    def _field(self, node: Expr, depth: int, labels: Domain | None) -> str:
        family, at, *indices = node.args
        name = ("next " if at else "") + quoted(family.name)
        if indices:
            parts = [self.text(i, _OPEN, True, depth, axis) for i, axis in zip(indices, family.axes, strict=True)]
            return f"{name}[{', '.join(parts)}]"
        hidden = family.name in self.hidden or (labels is not None and family.name in labels.labels)
        return f"{name}[]" if hidden else name

    def _table(self, table: Table) -> str:
        name = quoted(table.name) if table.name else ""
        if name and self.scope.tables.get(table.name) is table:
            return name

        def entries(values: Sequence[int], dims: Sequence[int]) -> str:
            if not dims:
                return ("true" if values[0] else "false") if table.is_bool else str(values[0])
            step = len(values) // dims[0]
            return ", ".join(
                entries(values[n * step : (n + 1) * step], dims[1:]) if len(dims) == 1 else
                "{" + entries(values[n * step : (n + 1) * step], dims[1:]) + "}"
                for n in range(dims[0])
            )  # fmt: skip

        default = entries((table.default,), ())
        return f"{name}{' ' if name else ''}{{{entries(table.values, table.dims)} else {default}}}"

    def _list(self, nodes: Sequence[Expr], depth: int) -> str:
        return ", ".join(self.text(n, _OPEN, True, depth) for n in nodes)

    def _sum(self, terms: Sequence[Expr], tail: bool, depth: int) -> str:
        constant = terms[-1].value if terms[-1].op == "const" else 0
        others = terms[:-1] if constant else terms
        first = constant > 0 and others[0].op == "mul" and others[0].args[0] < 0  # 1 - a rather than -a + 1
        text = str(constant) if first else ""
        for n, term in enumerate(others):
            end = tail and n == len(others) - 1 and (first or not constant)
            factor, inner = term.args if term.op == "mul" else (1, term)
            text += ("-" if factor < 0 else "") if not text else (" - " if factor < 0 else " + ")
            if abs(factor) == 1:
                text += self.text(inner, _MINUS, end, depth)
            else:
                text += f"{abs(factor)} * {self.text(inner, _MINUS, end, depth - 1)}"
        return text if first or not constant else f"{text} {'-' if constant < 0 else '+'} {abs(constant)}"

    def _quantifier(self, node: Expr, depth: int) -> str:
        op, (bound, body) = node.op, node.args
        if op == "sum" and body.op == "ite" and body is as_int(body.args[0]):
            op, body = "count", body.args[0]
        span = f"{bound.args[0]} in {bound.lo}..{bound.hi}"
        return f"{op} {span}: {self.text(body, _OPEN, True, depth)}"

    def _test(self, node: Expr, tail: bool, depth: int) -> str:
        """A comparison, a membership, or the opposite of one."""
        positive, opposite = node, False
        if node.op == "not":
            positive, opposite = node.args[0], True
            if positive.op not in ("eq", "in"):
                return f"not {self.text(positive, _NOT, tail, depth)}"
        left, right = positive.args
        names = self.scope.labels_of(left)
        if positive.op == "in":
            members = ", ".join(self._member(n, names) for n in right)
            return f"{self.text(left, _SUM, False, depth)} {'not in' if opposite else 'in'} {{{members}}}"
        sign = {"eq": "!=" if opposite else "==", "lt": "<", "le": "<="}[positive.op]
        if left.op == "const":
            left, right, sign = right, left, {"<": ">", "<=": ">="}[sign]
        labels = names if positive.op == "eq" else None
        return f"{self.text(left, _SUM, False, depth)} {sign} {self.text(right, _SUM, tail, depth, labels)}"

    def _member(self, number: int, labels: Domain | None) -> str:
        if labels is not None and 0 <= number < labels.size and labels.labels[number] not in self.hidden:
            return quoted(labels.labels[number])
        return str(number)


def _strength(node: Expr) -> int:
    """How strongly the outermost operator of a text binds."""
    match node.op:
        case "all" | "any" | "sum" | "ite":
            return _OPEN
        case "or":
            return _OR
        case "and":
            return _AND
        case "not":
            return _COMPARE if node.args[0].op in ("eq", "in") else _NOT
        case "eq" | "lt" | "le" | "in":
            return _COMPARE
        case "add":
            return _SUM
        case "mul":
            return _PRODUCT if abs(node.args[0]) != 1 else _MINUS
        case "const" if not node.is_bool and node.value < 0:
            return _MINUS
    return _ATOM
