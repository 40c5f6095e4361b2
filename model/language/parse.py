"""Reading the text form of expressions (see ``text``): operator precedence by hand, with positions.

Texts come from users, so every fault is a ``TextError`` with a line and a column, and
the length of a text and the depth of its nesting are bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from monjudge.model.language.expr import (
    LIMIT,
    Expr,
    ExpressionError,
    add,
    as_int,
    bind,
    both,
    const,
    either,
    eq,
    field,
    ite,
    le,
    lookup,
    lt,
    maximum,
    member,
    minimum,
    mul,
    negate,
    var,
)
from monjudge.model.language.family import Domain, Table
from monjudge.model.language.text import DEPTH, Scope, quoted
from monjudge.model.language.tokens import TextError, Token, tokens

__all__ = ["parse_expr"]

def parse_expr(text: str, scope: Scope) -> Expr:
    """The expression that a text means in a scope. Raises TextError.

    >>> from monjudge.model.language import Family, Scope
    >>> parse_expr("all i in 0..1: n[i] > 0", Scope({"n": Family.of("n", (2,), 0, 5)}))
    all i0 in 0..1: n[i0] > 0
    """
    parser = _Parser(text, scope)
    try:
        return parser.whole()
    except RecursionError:
        # The caller's own stack may leave less room than the depth allows.
        raise parser.error(parser.token, *_TOO_DEEP) from None


_TOO_DEEP = (
    f"the expression is nested too deeply (at most {DEPTH} levels)",
    f"式の入れ子が深すぎる（{DEPTH}段まで）",
)
_OPEN, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _MINUS = range(8)
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in", "not")
_STRENGTH = {
    "or": _OR, "and": _AND, "+": _SUM, "-": _SUM, "*": _PRODUCT, **dict.fromkeys(_COMPARISONS, _COMPARE),
}  # fmt: skip
_COMPARE_WITH: dict[str, Callable[[Expr, Expr], Expr]] = {
    "==": eq,
    "!=": lambda a, b: negate(eq(a, b)),
    "<": lt,
    "<=": le,
    ">": lambda a, b: lt(b, a),
    ">=": lambda a, b: le(b, a),
}


class _Parser:
    def __init__(self, text: str, scope: Scope) -> None:
        self.source, self.scope = text, scope
        self.variables = dict(scope.variables)
        self.labels = dict(scope.labels)
        self.depth = self.bound = 0
        self.tokens = tokens(text)
        self.token = next(self.tokens)

    def error(self, token: Token, en: str, ja: str) -> TextError:
        return TextError(en, ja, self.source, token.position)

    def fail(self, token: Token, en: str, ja: str) -> NoReturn:
        raise self.error(token, en, ja)

    def unexpected(self, en: str, ja: str) -> NoReturn:
        read = ("the text ended", "テキストが終わった") if self.token.kind == "end" else (
            f"read {self.token.text!r}", f"「{self.token.text}」を読んだ"
        )  # fmt: skip
        self.fail(self.token, f"expected {en}, but {read[0]}", f"{ja}が必要だが、{read[1]}")

    def take(self, *kinds: str) -> Token | None:
        """The token, passed over, if it is of one of the kinds."""
        token = self.token
        if token.kind not in kinds:
            return None
        self.token = next(self.tokens)
        return token

    def need(self, kind: str, en: str = "", ja: str = "") -> Token:
        token = self.take(kind)
        if token is None:
            self.unexpected(en or f"'{kind}'", ja or f"「{kind}」")
        return token

    def build(self, token: Token, make: Callable[..., Expr], *args: Any) -> Expr:
        """The node, with a fault of sorts or intervals told at the token."""
        try:
            return make(*args)
        except ExpressionError as fault:
            raise self.error(token, str(fault), f"式に意味がない：{fault.ja}") from None

    def whole(self) -> Expr:
        expr = self.expression()
        if self.token.kind != "end":
            self.unexpected("an operator or the end", "演算子か終わり")
        return expr

    def expression(self, least: int = _OPEN, labels: Domain | None = None) -> Expr:
        """An expression up to the first operator weaker than ``least``; ``labels`` may stand in it alone."""
        self.depth += 1
        if self.depth > DEPTH:
            self.fail(self.token, *_TOO_DEEP)
        left = self._operand(labels)
        while (strength := _STRENGTH.get(self.token.kind, -1)) >= least:
            left = self._infix(left, strength)
        self.depth -= 1
        return left

    def _infix(self, left: Expr, strength: int) -> Expr:
        token = self.token
        if strength == _COMPARE:
            return self._comparison(left)
        if strength == _PRODUCT:
            self.need("*")
            return self.build(token, mul, left, self.expression(_MINUS))
        terms = [left]
        while operator := self.take(*(("+", "-") if strength == _SUM else (token.kind,))):
            term = self.expression(strength + 1)
            terms.append(self.build(operator, mul, -1, term) if operator.kind == "-" else term)
        return self.build(token, {_SUM: add, _AND: both, _OR: either}[strength], *terms)

    def _comparison(self, left: Expr) -> Expr:
        token = self.take(*_COMPARISONS)
        assert token is not None
        labels = self.labels.get(left.args[0]) if left.op == "var" else self.scope.labels_of(left)
        if token.kind in ("in", "not"):
            if token.kind == "not":
                self.need("in", "'in' after 'not'", "「not」の後に「in」")
            result = self.build(token, member, left, self._members(labels))
            result = negate(result) if token.kind == "not" else result
        else:
            result = self.build(token, _COMPARE_WITH[token.kind], left, self.expression(_SUM, labels))
        if self.token.kind in _COMPARISONS:
            self.fail(self.token, "comparisons do not chain; join two with 'and'", "比較は続けて書けない。「and」でつなぐ")
        return result

    def _members(self, labels: Domain | None) -> list[int]:
        self.need("{")
        numbers = [self._whole(labels)]
        while self.take(","):
            numbers.append(self._whole(labels))
        self.need("}")
        return numbers

    def _whole(self, labels: Domain | None = None) -> int:
        """A whole number, written or named."""
        minus = self.take("-")
        token = self.take("number", "name")
        if token is None:
            self.unexpected("a whole number", "整数")
        value = self._number(token) if token.kind == "number" else self._named(token, labels)
        if value is None:
            self._unknown(token, "number", "数", list(self.scope.constants), labels)
        return -value if minus else value

    def _number(self, token: Token) -> int:
        if len(token.text) > 10 or int(token.text) > LIMIT:
            self.fail(token, f"the number is too large (at most {LIMIT})", f"数が大きすぎる（{LIMIT}まで）")
        return int(token.text)

    def _named(self, token: Token, labels: Domain | None) -> int | None:
        """The number that a label or a named constant stands for."""
        name = token.text
        if labels is not None and name in labels.labels:
            return labels[name]
        if name in self.scope.constants:
            return self.scope.constants[name]
        domains = self.scope.domains
        values = {f"{d}.{name}": known[name] for d, known in domains.items() if name in known.labels}
        for at in (n for n, c in enumerate(name) if c == "."):
            known = domains.get(name[:at])
            if known is not None and name[at + 1 :] in known.labels:
                values[name] = known[name[at + 1 :]]
        if len(set(values.values())) > 1:
            choice = " / ".join(values)
            self.fail(token, f"{name!r} has several meanings: {choice}", f"「{name}」は一つに決まらない: {choice}")
        return next(iter(values.values()), None)

    def _unknown(
        self, token: Token, en: str, ja: str, names: Sequence[str], labels: Domain | None = None
    ) -> NoReturn:
        from difflib import get_close_matches

        first = labels.labels if labels else ()
        near = get_close_matches(token.text[:100], first, 1) or get_close_matches(token.text[:100], names, 1)
        known = [*dict.fromkeys((*first, *names))]
        some = ", ".join(known[:8]) + (", ..." if len(known) > 8 else "") or "-"
        hint = self._other(token.text) or (
            (f"; did you mean {near[0]!r}?", f"。「{near[0]}」のことか") if near else (f" (known: {some})", f"（あるもの: {some}）")
        )
        self.fail(token, f"there is no {en} {token.text!r}{hint[0]}", f"{ja}「{token.text}」はない{hint[1]}")

    def _other(self, name: str) -> tuple[str, str] | None:
        """What a name is that stands where it means nothing, and how it is written."""
        if name in self.scope.tables:
            written = f"table {quoted(name)}[...]"
            return f"; it is a table, written {written!r}", f"。それは表で、「{written}」と書く"
        if name in self.scope.domains:
            written = f"all x in {quoted(name)}: ..."
            return f"; it is a domain, as in {written!r}", f"。それは領域で、「{written}」のように使う"
        if name in self.scope.families:
            return f"; it is a field, written {quoted(name)!r}", f"。それはフィールドで、「{quoted(name)}」と書く"
        return None

    def _operand(self, labels: Domain | None) -> Expr:
        """What may stand before an operator."""
        read = _PREFIX.get(self.token.kind)
        if read is None:
            return self._atom(labels)
        token = self.need(self.token.kind)
        return read(self, token)

    def _group(self, token: Token) -> Expr:
        inner = self.expression()
        self.need(")")
        return inner

    def _minus(self, token: Token) -> Expr:
        number = self.take("number")
        return const(-self._number(number)) if number else self.build(token, mul, -1, self.expression(_MINUS))

    def _not(self, token: Token) -> Expr:
        return self.build(token, negate, self.expression(_NOT))

    def _truth(self, token: Token) -> Expr:
        return const(token.kind == "true")

    def _extreme(self, token: Token) -> Expr:
        self.need("(")
        return self.build(token, minimum if token.kind == "min" else maximum, *self._list(")"))

    def _next(self, token: Token) -> Expr:
        return self._cell(self.need("name", "a field after 'next'", "「next」の後にフィールド"), 1)

    def _atom(self, labels: Domain | None) -> Expr:
        number = self.take("number")
        if number:
            return const(self._number(number))
        token = self.need("name", "an expression", "式")
        name, cell = token.text, self.token.kind == "["
        if name in self.variables and not cell:
            return self.variables[name]
        alone = self.token.kind not in ("[", "+", "-", "*")
        if alone and labels is not None and name in labels.labels:
            return const(labels[name])
        if cell or name in self.scope.families:
            return self._cell(token, 0)
        value = self._named(token, None)
        if value is None:
            known = [*self.variables, *self.scope.families, *self.scope.constants]
            known += [label for domain in self.scope.domains.values() for label in domain.labels]
            self._unknown(token, "name", "名前", known, labels)
        return self.build(token, const, value)

    def _cell(self, token: Token, at: int) -> Expr:
        family = self.scope.families.get(token.text)
        if family is None:
            self._unknown(token, "field", "フィールド", list(self.scope.families))
        if self.token.kind != "[" and family.dims:
            axes = ", ".join(a.name if a else "number" for a in family.axes)
            self.fail(token, f"the field {family.name!r} needs its indices: [{axes}]", f"フィールド「{family.name}」には添字が要る: [{axes}]")
        indices = self._list("]", family.axes) if self.take("[") else []
        for index, size in zip(indices, family.dims, strict=False):
            if index.op == "const" and not 0 <= index.args[0] < size:  # total, and so always the default: never what was meant
                self.fail(token, f"the field {family.name!r} is counted 0..{size - 1} there, not {index.args[0]}",
                          f"フィールド「{family.name}」の添字はそこでは0～{size - 1}。{index.args[0]}はない")  # fmt: skip
        return self.build(token, field, family, indices, at)

    def _list(self, end: str, axes: Sequence[Domain | None] = ()) -> list[Expr]:
        """Expressions up to the closing sign; the n-th may be a label of the n-th axis."""
        found: list[Expr] = []
        if not self.take(end):
            while True:
                found.append(self.expression(_OPEN, axes[len(found)] if len(found) < len(axes) else None))
                if not self.take(","):
                    break
            self.need(end, f"',' or '{end}'", f"「,」か「{end}」")
        return found

    def _choice(self, token: Token) -> Expr:
        condition = self.expression()
        self.need("then")
        then = self.expression()
        self.need("else")
        return self.build(token, ite, condition, then, self.expression())

    def _quantifier(self, token: Token) -> Expr:
        name = self.need("name", "a name for the variable", "変数の名前").text
        self.need("in")
        start = self.token
        domain = self.scope.domains.get(start.text) if start.kind == "name" else None
        if domain is not None:
            self.token = next(self.tokens)
            lo, hi = 0, domain.size - 1
        else:
            if start.kind == "name" and self._named(start, None) is None:
                self._unknown(start, "domain", "領域", [*self.scope.domains, *self.scope.constants])
            lo = self._whole()
            self.need("..")
            hi = self._whole()
        if lo > hi:
            self.fail(start, f"there is no number in {lo}..{hi}", f"{lo}..{hi}には数がない")
        self.need(":")
        # A name of its own for each binder: a written name might be one that canonical naming gives.
        self.bound += 1
        variable = self.build(start, var, f"?text{self.bound}", lo, hi)
        outer = self.variables
        self.variables = {**outer, name: variable}
        if domain is not None:
            self.labels[variable.args[0]] = domain
        body = self.expression()
        self.variables = outer
        if token.kind == "count":
            body = self.build(token, as_int, body)
        return self.build(token, bind, "sum" if token.kind == "count" else token.kind, variable, body)

    def _lookup(self, token: Token) -> Expr:
        name = self.take("name")
        if self.token.kind == "{":
            table = self._table(token, name.text if name else "")
        else:
            if name is None:
                self.unexpected("the name or the values of a table", "表の名前か値")
            found = self.scope.tables.get(name.text)
            if found is None:
                self._unknown(name, "table", "表", list(self.scope.tables))
            table = found
        self.need("[")
        return self.build(token, lookup, table, *self._list("]"))

    def _table(self, token: Token, name: str) -> Table:
        values: list[int | bool] = []
        dims: list[int] = []
        default = self._entries(values, dims, 0)
        if len({isinstance(v, bool) for v in (*values, default)}) > 1:
            self.fail(token, "a table holds numbers or truth values, not both", "表の値は数か真偽のどちらかだけである")
        return Table.of(name, dims, values, default)

    def _entries(self, values: list[int | bool], dims: list[int], axis: int) -> int | bool:
        """One row, nested by axis; the outermost ends with the value outside."""
        row = self.need("{")
        count, deeper = 0, self.token.kind == "{"
        if axis > 15:
            self.fail(row, "a table has at most 16 axes", "表の軸は16本まで")
        while True:
            if len(dims) == axis:
                dims.append(0)
            if deeper:
                self._entries(values, dims, axis + 1)
            else:
                values.append(self._entry())
            count += 1
            if not self.take(","):
                break
        if deeper != (len(dims) > axis + 1) or dims[axis] not in (0, count):
            self.fail(row, "the rows of a table are of different lengths", "表の行の長さがそろっていない")
        dims[axis] = count
        default: int | bool = 0
        if axis == 0:
            self.need("else", "',' or 'else' with the value outside", "「,」か「else」と範囲外の値")
            default = self._entry()
        self.need("}")
        return default

    def _entry(self) -> int | bool:
        truth = self.take("true", "false")
        return truth.kind == "true" if truth else self._whole()


_PREFIX: dict[str, Callable[[_Parser, Token], Expr]] = {
    "(": _Parser._group, "-": _Parser._minus, "not": _Parser._not, "if": _Parser._choice,
    "next": _Parser._next, "table": _Parser._lookup,
    **dict.fromkeys(("true", "false"), _Parser._truth), **dict.fromkeys(("min", "max"), _Parser._extreme),
    **dict.fromkeys(("all", "any", "sum", "count"), _Parser._quantifier),
}  # fmt: skip
