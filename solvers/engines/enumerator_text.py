"""The enumerator's translation of expressions to the text of Python functions.

Written line by line: a ``Function`` knows which expressions have a name already, so that
nothing is worked out twice and what a loop does not change is worked out before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

from monjudge.model.language import (
    TRUE,
    Expr,
    Family,
    Move,
    RuleSet,
    Table,
    add,
    both,
    children,
    const,
    either,
    rebuild,
    substitute,
    walk,
)

__all__ = ["Code", "Function", "conjuncts", "written_out"]

_OPEN = 48
"""A quantifier is written out up to this many nodes."""
_DEEP = 25
"""An expression nested deeper gets a name, because Python's parser is bounded."""
_PADDED = 4096
"""A table is padded with its default up to this many entries, so that no index lies outside."""


def conjuncts(expr: Expr) -> list[Expr]:
    """The conditions that must all hold for the expression to hold."""
    return list(expr.args) if expr.op == "and" else [] if expr is TRUE else [expr]


def written_out(expr: Expr) -> Expr:
    """The expression with its short quantifiers written out as conjunctions, disjunctions and sums."""
    size: dict[int, int] = {}
    done: dict[int, Expr] = {}
    for node in walk(expr):
        args = [done.get(a.uid, a) if a.__class__ is Expr else a for a in node.args]
        result = rebuild(node, args) if children(node) else node
        if result.op in ("all", "any", "sum"):
            bound, body = result.args
            span = range(bound.lo, bound.hi + 1)
            if len(span) * _size(body, size) <= _OPEN:
                join: Any = {"all": both, "any": either, "sum": add}[result.op]
                result = join(*(substitute(body, {bound.args[0]: n}) for n in span))
        done[node.uid] = result
    return done[expr.uid]


def _size(expr: Expr, known: dict[int, int]) -> int:
    for node in walk(expr):
        if node.uid not in known:
            known[node.uid] = 1 + sum(known[c.uid] for c in children(node))
    return known[expr.uid]


class Code:
    """What the functions of one rule set share: tables, and the functions of long quantifiers."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.space: dict[str, Any] = {"Move": Move, "new": tuple.__new__}
        self._known: dict[int, tuple[str, tuple[str, ...]]] = {}
        self._keep: list[Expr] = []

    def run(self, function: Function) -> Any:
        """The compiled function."""
        exec(compile(function.source("made"), f"<enumerator {self.rules.name}>", "exec"), self.space)
        return self.space.pop("made")

    def define(self, function: Function) -> str:
        """Compiles a function for others to call; its name."""
        name = f"f{len(self.space)}"
        self.space[name] = None
        exec(compile(function.source(name), f"<enumerator {self.rules.name}>", "exec"), self.space)
        return name

    def padded(self, table: Table, ranges: Sequence[tuple[int, int]]) -> str | None:
        """The name of a flat tuple that answers every index within the ranges; None if it would be too long."""
        size = 1
        for lo, hi in ranges:
            size *= hi - lo + 1
        if size > _PADDED:
            return None
        name = f"t{table.uid}_" + "_".join(f"{lo}_{hi}".replace("-", "m") for lo, hi in ranges)
        if name not in self.space:
            self.space[name] = tuple(table.at(*at) for at in product(*(range(lo, hi + 1) for lo, hi in ranges)))
        return name

    def plain(self, table: Table) -> str:
        """The name of the table's own entries."""
        self.space[f"t{table.uid}"] = table.values
        return f"t{table.uid}"

    def quantifier(self, node: Expr) -> tuple[str, tuple[str, ...]]:
        """The name and the free variables of a function for a quantifier or sum."""
        known = self._known.get(node.uid)
        if known is None:
            free = tuple(sorted(node.free))
            known = self._known[node.uid] = (self.define(_quantifier(self, node, free)), free)
            self._keep.append(node)  # so that its uid stays its own
        return known


def _quantifier(code: Code, node: Expr, free: Sequence[str]) -> Function:
    bound, body = node.args
    function = Function(code, {name: f"x{n}" for n, name in enumerate(free)})
    parts = conjuncts(body) if node.op == "all" else list(body.args) if body.op == "or" and node.op == "any" else [body]
    function.count(parts)
    if node.op == "sum":
        function.line("total = 0")
    function.hoist(parts)
    function.loop(bound, "i", const(bound.lo), const(bound.hi))
    for part in parts:
        if node.op == "all":
            function.test(part, "return False")
        elif node.op == "any":
            function.accept(part)
        else:
            text = function.text(part)
            function.line(f"total += {text}")
    function.close()
    function.line({"sum": "return total", "all": "return True", "any": "return False"}[node.op])
    return function


class Function:
    """The text of one Python function: its lines so far, and which expressions have a name already.

    ``names`` maps variables to Python names; the state is ``s``. Code is written in order;
    ``loop`` opens a loop and everything after stands inside it, until ``close``.
    """

    def __init__(self, code: Code, names: Mapping[str, str], extra: str = "") -> None:
        self.code = code
        self.names = dict(names)
        self.head = ", ".join(["s", *([extra] if extra else []), *self.names.values()])
        self.depth = 0
        self.lines: list[str] = []
        self._uses: Counter[int] = Counter()
        self._made: dict[int, str] = {}
        self._height: dict[int, int] = {}
        self._temporaries = 0

    def source(self, name: str) -> str:
        return "\n".join([f"def {name}({self.head}):", *self.lines]) + "\n"

    def line(self, text: str) -> None:
        self.lines.append("    " * (self.depth + 1) + text)

    def count(self, roots: Iterable[Expr]) -> None:
        """Notes how often each expression occurs below the roots; what occurs twice gets a name."""
        together = list(roots)
        self._uses.update(root.uid for root in together)
        for node in walk(*together):
            if node.op not in ("all", "any", "sum"):
                self._uses.update(c.uid for c in children(node))

    def cost(self, expr: Expr) -> int:
        """About how much work it is to ask, given the names there are."""
        work: dict[int, int] = {}
        for node in walk(expr):
            spans = node.args[0].hi - node.args[0].lo + 1 if node.op in ("all", "any", "sum") else 1
            below = sum(work[c.uid] for c in children(node))
            work[node.uid] = 1 if node.uid in self._made else 1 + spans * below
        return work[expr.uid]

    def test(self, condition: Expr, otherwise: str = "") -> None:
        """Leaves (this round of the loop, or the function) unless the condition holds."""
        if condition is not TRUE:
            text = self.text(condition)
            self.line(f"if not {text}: {otherwise or ('continue' if self.depth else 'return')}")

    def accept(self, condition: Expr) -> None:
        """Returns True where the condition holds."""
        text = self.text(condition)
        self.line(f"if {text}: return True")

    def result(self, expr: Expr) -> None:
        text = self.text(expr)
        self.line(f"return {text}")

    def loop(self, variable: Expr, name: str, least: Expr, greatest: Expr) -> None:
        """Opens the loop of a variable over its values, unless the two bounds are one and the same."""
        first = self.text(least)
        if least is greatest:
            self.line(f"{name} = {first}")
            if not least.is_const:
                self._made[least.uid] = name
        else:
            self.line(f"for {name} in range({first}, {self.text(add(greatest, 1))}):")
            self.depth += 1
        self.names[str(variable.args[0])] = name

    @contextmanager
    def block(self) -> Iterator[None]:
        """A block that may not run: what is named in it is unknown after it."""
        depth, names, made = self.depth, dict(self.names), dict(self._made)
        self.depth += 1
        yield
        self.depth, self.names, self._made = depth, names, made

    def close(self) -> None:
        """Closes all loops; what was named inside them must not be asked for again."""
        self.depth = 0

    def hoist(self, roots: Iterable[Expr]) -> None:
        """Names every largest part of the roots whose variables are all known by now."""
        seen: set[int] = set()
        stack = list(roots)
        while stack:
            node = stack.pop()
            if node.uid in seen or node.uid in self._made or node.op in ("const", "var"):
                continue
            seen.add(node.uid)
            if all(name in self.names for name in node.free):
                self._name(node, self.text(node))
            elif node.op not in ("all", "any", "sum"):
                stack.extend(reversed(children(node)))

    def _name(self, node: Expr, text: str) -> str:
        name = self._made.get(node.uid)
        if name is None:
            name = self._made[node.uid] = f"v{len(self._made)}"
            self.line(f"{name} = {text}")
        return name

    def text(self, expr: Expr) -> str:
        """The Python expression; the lines that its named parts need are written first."""
        for node in walk(expr):
            if node.uid not in self._height:
                self._height[node.uid] = 1 + max((self._height[c.uid] for c in children(node)), default=0)
            if not self._height[node.uid] % _DEEP and all(name in self.names for name in node.free):
                self._part(node)
        return self._part(expr)

    def _part(self, node: Expr) -> str:
        made = self._made.get(node.uid)
        if made is not None:
            return made
        text = self._text(node)
        if node.op not in ("const", "var") and (self._uses[node.uid] > 1 or not self._height[node.uid] % _DEEP):
            return self._name(node, text)
        return text

    def _text(self, node: Expr) -> str:
        op, args = node.op, node.args
        match op:
            case "const":
                return f"({int(args[0])})" if args[0] < 0 else f"{int(args[0])}"
            case "var":
                return self.names[args[0]]
            case "field":
                return self._cell(args[0], args[1], args[2:])
            case "table":
                return self._entry(args[0], args[1:])
            case "mul":
                return f"{args[0]}*{self._part(args[1])}" if args[0] != -1 else f"-{self._part(args[1])}"
            case "in":
                return f"({self._part(args[0])} in {{{', '.join(map(str, args[1]))}}})"
            case "all" | "any" | "sum":
                name, free = self.code.quantifier(node)
                return f"{name}({', '.join(['s', *(self.names[n] for n in free)])})"
            case "not":
                return f"(not {self._part(args[0])})"
        parts = [self._part(a) for a in args]
        if op == "ite":
            return f"({parts[1]} if {parts[0]} else {parts[2]})"
        if op in ("min", "max"):
            return self._extreme("<" if op == "min" else ">", parts)
        sign = {"add": "+", "eq": "==", "lt": "<", "le": "<=", "and": " and ", "or": " or "}[op]
        return f"({sign.join(parts)})"

    def _extreme(self, sign: str, parts: Sequence[str]) -> str:
        """Two terms by comparison, which is several times cheaper than a call of ``min``."""
        if len(parts) > 2:
            return f"{'min' if sign == '<' else 'max'}({', '.join(parts)})"
        a, b = self._temporary(), self._temporary()
        return f"({a} if ({a} := {parts[0]}) {sign} ({b} := {parts[1]}) else {b})"

    def _temporary(self) -> str:
        self._temporaries += 1
        return f"u{self._temporaries}"

    def _cell(self, family: Family, at: int, indices: Sequence[Expr]) -> str:
        if at:
            raise ValueError(f"the enumerator knows no next state, but {family.name!r} is asked of it")
        reach = [(max(i.lo, 0), min(i.hi, d - 1)) for i, d in zip(indices, family.dims, strict=True)]
        return self._indexed("s", self.code.rules.offset[family.name], family.dims, family.default, indices, reach)

    def _entry(self, table: Table, indices: Sequence[Expr]) -> str:
        ranges = [(i.lo, i.hi) for i in indices]
        name = self.code.padded(table, ranges)
        if name is None:
            reach = [(max(i.lo, 0), min(i.hi, d - 1)) for i, d in zip(indices, table.dims, strict=True)]
            return self._indexed(self.code.plain(table), 0, table.dims, table.default, indices, reach)
        offset, stride, sizes = 0, 1, [hi - lo + 1 for lo, hi in ranges]
        for size, (lo, _) in zip(reversed(sizes), reversed(ranges), strict=True):
            offset -= lo * stride
            stride *= size
        return self._indexed(name, offset, sizes, 0, indices, ranges)

    def _indexed(
        self, array: str, offset: int, dims: Sequence[int], default: int, indices: Sequence[Expr],
        reach: Sequence[tuple[int, int]],
    ) -> str:  # fmt: skip
        """The entry of a flat row-major array; ``default`` where an index leaves its reach."""
        terms: list[str] = []
        inside: list[str] = []
        stride = 1
        for node, dim, (lo, hi) in reversed(list(zip(indices, dims, reach, strict=True))):
            if node.is_const:
                offset += node.value * stride
            else:
                text = self._part(node)
                if node.lo < lo or node.hi > hi:
                    name = self._temporary()
                    test = f"({name} := {text})"
                    test = f"{lo} <= {test}" if node.lo < lo else test
                    inside.append(f"{test} <= {hi}" if node.hi > hi else test)
                    text = name
                terms.append(text if stride == 1 else f"{stride}*{text}")
            stride *= dim
        place = "+".join(reversed(terms))
        if offset or not terms:
            place += f"{offset:+d}" if terms else str(offset)
        read = f"{array}[{place}]"
        return f"({read} if {' and '.join(reversed(inside))} else {default})" if inside else read
