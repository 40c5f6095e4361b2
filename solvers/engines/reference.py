"""The reference: the meaning of a rule set as generated Python, short and obvious.

Every witness, counterexample and winning line is replayed here before it is shown. One
function is written for each clause list, effect list and trigger, when it is first called;
the source of all of them can be read (``Reference(rules).source``).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any
from unicodedata import normalize

from monjudge.model.language import (
    ME,
    NATURE,
    TRUE,
    Action,
    Clause,
    Effect,
    Expr,
    Family,
    LimitReached,
    Move,
    Restless,
    RuleSet,
    State,
    Table,
    children,
)

__all__ = ["TURN", "Reference"]

TURN = Clause(
    "GAME.turn",
    expr=None,  # type: ignore[arg-type]
    en="This player has to decide.",
    ja="この人が決める番である。",
)
"""The condition that every decision has besides its clauses."""


class Reference:
    """One rule set, compiled function by function as they are asked for. States must be settled (see ``settle``)."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._space: dict[str, Callable[..., Any]] = _Functions(rules)

    @cached_property
    def source(self) -> str:
        """The text of every function."""
        return _Writer(self.rules).module()

    def _call(self, kind: str, move: Move, state: State) -> Any:
        function: Callable[..., Any] = self._space[f"{kind}_{self._index[move.action]}"]
        return function(state, move.me, *move.args)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {a.name: n for n, a in enumerate(self.rules.actions)}

    def over(self, state: State) -> bool:
        """Whether the game has ended."""
        return bool(self._space["over"](state))

    def payoff(self, state: State) -> tuple[int, ...]:
        """What each player gets; meaningful where the game is over."""
        return tuple(self._space["payoff"](state))

    def _in_domain(self, move: Move) -> bool:
        """Raises ValueError for an unknown action or a wrong number of parameters."""
        action = self.rules.by_name.get(move.action)
        if action is None:
            raise ValueError(f"the game {self.rules.name!r} has no action {move.action!r}")
        if len(move.args) != len(action.params):
            raise ValueError(f"{move.action} takes {len(action.params)} parameters, not {len(move.args)}")
        return all(value in p.values for value, p in zip(move.args, action.params, strict=True))

    def decides(self, state: State, move: Move) -> bool:
        """Whether ``move.me`` is the one (or, for chance, nature) who takes this action now."""
        action = self.rules.by_name[move.action]
        if action.is_chance:
            return move.me == NATURE and self._call("weight", move, state) > 0
        if not 0 <= move.me < self.rules.players:
            return False
        return action.by is None or bool(self._call("by", move, state) == move.me)

    def legal(self, state: State, move: Move) -> bool:
        """Whether the move is legal; a clause of kind ``limit`` that fails makes it not legal here."""
        if not self._in_domain(move) or self.over(state) or not self.decides(state, move):
            return False
        return bool(self._call("legal", move, state))

    def guard(self, action: str) -> Callable[..., bool]:
        """The clauses of one action as a function ``(state, me, *args)``; turn and end of the game are not asked."""
        function: Callable[..., bool] = self._space[f"legal_{self._index[action]}"]
        return function

    def failing(self, state: State, move: Move) -> list[Clause]:
        """All clauses that fail, the end of the game and the turn included.

        Raises ValueError for an unknown action, a player who does not exist, or a parameter outside its domain.
        """
        if not self._in_domain(move) or not NATURE <= move.me < self.rules.players:
            raise ValueError(f"a parameter of {move} lies outside its domain")
        failed: list[Clause] = []
        if self.rules.over is not None and self.over(state):
            failed.append(self.rules.over)
        if not self.decides(state, move):
            failed.append(TURN)
        clauses = self.rules.by_name[move.action].clauses
        return failed + [clauses[n] for n in self._call("failing", move, state)]

    def candidates(self) -> Iterator[Move]:
        """Every move of the whole finite space, legal or not, in canonical order."""
        for action in self.rules.actions:
            players = (NATURE,) if action.is_chance else range(self.rules.players)
            for me in players:
                for args in itertools.product(*(p.values for p in action.params)):
                    yield Move(action.name, me, args)

    def moves(self, state: State) -> list[Move]:
        """All legal moves (decisions and chance outcomes), by trying every one."""
        if self.over(state):
            return []
        found = []
        for action in self.rules.actions:
            if action.is_chance:
                players: Sequence[int] = (NATURE,)
            elif action.by is None:
                players = range(self.rules.players)
            else:
                players = (self._space[f"by_{self._index[action.name]}"](state, 0),)
                if not 0 <= players[0] < self.rules.players:
                    continue
            for me in players:
                for args in itertools.product(*(p.values for p in action.params)):
                    move = Move(action.name, me, args)
                    if self._call("legal", move, state) and (not action.is_chance or self._call("weight", move, state) > 0):
                        found.append(move)
        return found

    def outcomes(self, state: State) -> list[tuple[Move, int]]:
        """The legal chance outcomes with their weights."""
        return [(m, self.weight(state, m)) for m in self.moves(state) if m.me == NATURE]

    def weight(self, state: State, move: Move) -> int:
        """The weight of a chance outcome that is legal (not checked here)."""
        return int(self._call("weight", move, state))

    def step(self, state: State, move: Move) -> State:
        """The settled state after the move, which must be legal (not checked here).

        Raises LimitReached when a value would leave the interval of its cell.
        """
        return self.trace(state, move)[0]

    def trace(self, state: State, move: Move) -> tuple[State, list[str]]:
        """Like ``step``, with the ids of the triggers that changed something, in order."""
        return self.fire(self._call("apply", move, state))

    def settle(self, state: State) -> State:
        """The state after all triggers. Raises LimitReached when they do not come to rest."""
        return self.fire(state)[0]

    def fire(self, state: State) -> tuple[State, list[str]]:
        """Like ``settle``, with the ids of the triggers that changed something, in order."""
        fired: list[str] = []
        for _ in range(self.rules.passes):
            before = state
            for n, trigger in enumerate(self.rules.triggers):
                for binding in itertools.product(*(range(v.lo, v.hi + 1) for v in trigger.loops)):
                    name = f"trigger_{n}"
                    # Most triggers never fire where a single question is asked: their effects need not be compiled.
                    if name not in self._space and not self._space[f"when_{n}"](state, *binding):
                        continue
                    after = self._space[name](state, *binding)
                    # Identity first: most triggers return the very state, and comparing its cells takes longer than they do.
                    if after is not state and after != state:
                        fired.append(trigger.id)
                        state = after
            if state is before or state == before:
                return state, fired
        raise Restless(f"the triggers of {self.rules.name!r} did not come to rest in {self.rules.passes} passes",
                       f"自動処理が{self.rules.passes}周では落ち着かない")


class _Functions(dict[str, Callable[..., Any]]):
    """The functions of one rule set by name; one that is missing is written and compiled."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__()
        self.writer = _Writer(rules)
        self.file = f"<rules {rules.name}>"
        self.globals: dict[str, Any] = {"LimitReached": LimitReached}

    def __missing__(self, name: str) -> Callable[..., Any]:
        begin = len(self.writer.head)
        body = self.writer.function(name)
        text = "\n".join(self.writer.head[begin:] + body) + "\n"
        exec(compile(text, self.file, "exec"), self.globals)  # our own text, never a file's
        function: Callable[..., Any] = self.globals[name]
        self[name] = function
        return function


class _Writer:
    """Writes the functions of one rule set; tables and bodies that several of them use stand in ``head``, once."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.head: list[str] = []
        self.known: dict[tuple[str, int], str] = {}

    def module(self) -> str:
        names = ["over", "payoff"]
        names += [f"{kind}_{n}" for n in range(len(self.rules.actions)) for kind in ("legal", "failing", "by", "weight", "apply")]
        names += [f"trigger_{n}" for n in range(len(self.rules.triggers))]
        body = [line for name in names for line in self.function(name)]
        return "\n".join(self.head + body) + "\n"

    def function(self, name: str) -> list[str]:
        """The lines of ``over``, ``payoff``, ``when_N`` and ``trigger_N``, or of what an action ``N`` has: ``legal_N``, ``apply_N``, ..."""
        kind, _, number = name.partition("_")
        if kind == "over":
            return self._value(name, ["s"], [self.rules.over.expr] if self.rules.over is not None else [])
        if kind == "payoff":
            return self._tuple(name, ["s"], self.rules.payoffs)
        if kind in ("when", "trigger"):
            trigger = self.rules.triggers[int(number)]
            params = ["s", *(_local(v.args[0]) for v in trigger.loops)]
            if kind == "when":
                return self._value(name, params, [trigger.when])
            return self._apply(name, params, trigger.effects, trigger.when)
        action = self.rules.actions[int(number)]
        params = ["s", ME, *(_local(p.name) for p in action.params)]
        if kind == "legal":
            return self._legal(name, params, action)
        if kind == "failing":
            return self._failing(name, params, action)
        if kind == "apply":
            return self._apply(name, params, action.effects, None)
        if kind == "by":
            return self._value(name, [*params[:2], "*_"], [action.by] if action.by is not None else [])
        return self._value(name, params, [action.weight] if action.weight is not None else [])

    def _value(self, name: str, params: Sequence[str], roots: Sequence[Expr]) -> list[str]:
        scope = _Scope(self, roots)
        result = scope.text(roots[0]) if roots else "0"
        return [f"def {name}({', '.join(params)}):", *scope.take(), f"    return {result}"]

    def _tuple(self, name: str, params: Sequence[str], roots: Sequence[Expr]) -> list[str]:
        scope = _Scope(self, roots)
        result = ", ".join(scope.text(r) for r in roots)
        return [f"def {name}({', '.join(params)}):", *scope.take(), f"    return [{result}]"]

    def _legal(self, name: str, params: Sequence[str], action: Action) -> list[str]:
        known: dict[int, int] = {}
        ordered = sorted((c.expr for c in action.clauses), key=lambda e: _cost(e, known))
        scope = _Scope(self, ordered)
        lines = [f"def {name}({', '.join(params)}):"]
        for expr in ordered:
            text = scope.text(expr)
            lines += [*scope.take(), f"    if not {text}: return False"]
        return [*lines, "    return True"]

    def _failing(self, name: str, params: Sequence[str], action: Action) -> list[str]:
        scope = _Scope(self, [c.expr for c in action.clauses])
        lines = [f"def {name}({', '.join(params)}):", "    failed = []"]
        for n, clause in enumerate(action.clauses):
            text = scope.text(clause.expr)
            lines += [*scope.take(), f"    if not {text}: failed.append({n})"]
        return [*lines, "    return failed"]

    def _apply(self, name: str, params: Sequence[str], effects: Sequence[Effect], when: Expr | None) -> list[str]:
        outer = _Scope(self, [when] if when is not None else [])
        lines = [f"def {name}({', '.join(params)}):"]
        if when is not None:
            text = outer.text(when)
            lines += [*outer.take(), f"    if not {text}: return s"]
        lines.append("    n = list(s)")
        # Assignments in order, then increments: all read s, none reads n.
        for effect in sorted(effects, key=lambda e: e.adds):
            lines += self._effect(effect)
        for family in {e.family.uid: e.family for e in effects if e.may_overflow}.values():
            at = self.rules.offset[family.name]
            cells = f"n[{at}:{at + family.size}]"
            text = f"{family.name} left {family.lo}..{family.hi}"
            ja = f"{family.name} が {family.lo}～{family.hi} を外れた"
            lines.append(f"    if min({cells}) < {family.lo} or max({cells}) > {family.hi}: raise LimitReached({text!r}, {ja!r})")
        return [*lines, "    return tuple(n)"]

    def _effect(self, effect: Effect) -> list[str]:
        lines, indent = [], "    "
        for loop in effect.loops:
            lines.append(f"{indent}for {_local(loop.args[0])} in range({loop.lo}, {loop.hi + 1}):")
            indent += "    "
        scope = _Scope(self, [effect.when, *effect.indices, effect.value], indent)
        if effect.when is not TRUE:
            text = scope.text(effect.when)
            lines += [*scope.take(), f"{indent}if {text}:"]
            indent = scope.indent = indent + "    "
        indices = [scope.text(i) for i in effect.indices]
        value = scope.text(effect.value)
        lines += scope.take()
        outside = [
            f"0 <= {text} < {size}"
            for text, node, size in zip(indices, effect.indices, effect.family.dims, strict=True)
            if node.lo < 0 or node.hi >= size
        ]
        if outside:
            lines.append(f"{indent}if {' and '.join(outside)}:")
            indent += "    "
        target = f"n[{_place(self.rules.offset[effect.family.name], effect.family.dims, indices)}]"
        sign = "+=" if effect.adds else "="
        whole = f"int({value})" if effect.value.is_bool else value
        return [*lines, f"{indent}{target} {sign} {whole}"]

    def table(self, table: Table) -> str:
        """The name of the entries of a constant table."""
        name = self.known.get(("table", table.uid))
        if name is None:
            name = self.known["table", table.uid] = f"table_{len(self.known)}"
            self.head.append(f"{name} = {table.values!r}")
        return name

    def reader(self, source: str, offset: int, owner: Family | Table) -> str:
        """The name of a function that reads an entry whose index may lie outside."""
        name = self.known.get((source, offset))
        if name is None:
            name = self.known[source, offset] = f"read_{len(self.known)}"
            indices = [f"k{n}" for n in range(len(owner.dims))]
            inside = " and ".join(f"0 <= {k} < {d}" for k, d in zip(indices, owner.dims, strict=True))
            entry = f"{source}[{_place(offset, owner.dims, indices)}]"
            self.head += [f"def {name}(s, {', '.join(indices)}):", f"    return {entry} if {inside} else {owner.default}"]
        return name

    def quantified(self, body: Expr) -> str:
        """The name of a function for a large body of a quantifier, called with all its free variables."""
        key = ("body", body.uid)
        name = self.known.get(key)
        if name is None:
            name = self.known[key] = f"body_{len(self.known)}"
            scope = _Scope(self, [body])
            result = scope.text(body)
            params = ", ".join(["s", *map(_local, sorted(body.free))])
            self.head += [f"def {name}({params}):", *scope.take(), f"    return {result}"]
        return name


_ATOMS = ("const", "var")
_DEEP = 20


class _Scope:
    """Turns expressions into Python text inside one function; what is used twice gets a name."""

    def __init__(self, writer: _Writer, roots: Sequence[Expr], indent: str = "    ") -> None:
        self.writer, self.indent = writer, indent
        self.uses: Counter[int] = Counter()
        self.named: dict[int, str] = {}
        self.lines: list[str] = []
        self.height: dict[int, int] = {}
        for root in roots:
            self._count(root)

    def _count(self, node: Expr) -> None:
        self.uses[node.uid] += 1
        if self.uses[node.uid] == 1 and node.op not in ("all", "any", "sum"):
            for child in children(node):
                self._count(child)

    def take(self) -> list[str]:
        """The assignments that must stand before the text last asked for."""
        lines, self.lines = self.lines, []
        return lines

    def text(self, node: Expr) -> str:
        name = self.named.get(node.uid)
        if name is not None:
            return name
        text = self._text(node)
        below = max((self.height.get(c.uid, 0) for c in children(node)), default=0)
        self.height[node.uid] = below + 1
        if node.op not in _ATOMS and (self.uses[node.uid] > 1 or below >= _DEEP):
            name = self.named[node.uid] = f"v{len(self.named)}"
            self.height[node.uid] = 0
            self.lines.append(f"{self.indent}{name} = {text}")
            return name
        return text

    def _text(self, node: Expr) -> str:
        op, args = node.op, node.args
        if op == "const":
            return str(int(args[0])) if int(args[0]) >= 0 else f"({int(args[0])})"
        if op == "var":
            return _local(args[0])
        if op in ("all", "any", "sum"):
            return self._quantifier(op, args[0], args[1])
        if op == "field":
            return self._entry("s", self.writer.rules.offset[args[0].name], args[0], args[2:])
        if op == "table":
            return self._entry(self.writer.table(args[0]), 0, args[0], args[1:])
        if op == "mul":
            return f"({args[0]} * {self.text(args[1])})"
        if op == "in":
            return f"({self.text(args[0])} in {{{', '.join(map(str, args[1]))}}})"
        parts = [self.text(a) for a in args]
        if op in ("min", "max"):
            return f"{op}({', '.join(parts)})"
        if op == "not":
            return f"(not {parts[0]})"
        if op == "ite":
            return f"({parts[1]} if {parts[0]} else {parts[2]})"
        sign = {"add": " + ", "eq": " == ", "lt": " < ", "le": " <= ", "and": " and ", "or": " or "}[op]
        return f"({sign.join(parts)})"

    def _entry(self, source: str, offset: int, owner: Family | Table, indices: Sequence[Expr]) -> str:
        texts = [self.text(i) for i in indices]
        if all(i.lo >= 0 and i.hi < d for i, d in zip(indices, owner.dims, strict=True)):
            return f"{source}[{_place(offset, owner.dims, texts)}]"
        return f"{self.writer.reader(source, offset, owner)}(s, {', '.join(texts)})"

    def _quantifier(self, op: str, variable: Expr, body: Expr) -> str:
        name = _local(variable.args[0])
        inline = _Scope(self.writer, [])
        text = inline.text(body) if _tree(body, 80) <= 80 else ""
        if not text or inline.lines:  # too large, or too deep to be one expression
            text = f"{self.writer.quantified(body)}({', '.join(['s', *map(_local, sorted(body.free))])})"
        return f"{op}({text} for {name} in range({variable.lo}, {variable.hi + 1}))"


def _local(name: str) -> str:
    """A variable in the generated text; a parameter may be called ``from`` or ``s`` and hide nothing."""
    bound = name[0] in "eitx" and name[1:].isdecimal()
    if name == ME or bound:
        return name
    plain = "p_" + name.replace(".", "·")
    # Python takes two names of one NFKC form for the same, and some words of the rule language for no name.
    return plain if plain.isidentifier() and normalize("NFKC", plain) == plain else f"q_{name.encode().hex()}"


def _place(offset: int, dims: Sequence[int], indices: Sequence[str]) -> str:
    """The position of a cell: offset + (i * d1 + j) * d2 + k, constants worked out."""
    constant, terms, stride = offset, [], 1
    for text, dim in zip(reversed(indices), reversed(dims), strict=True):
        if text.isdecimal():
            constant += int(text) * stride
        else:
            terms.append(text if stride == 1 else f"{stride} * {text}")
        stride *= dim
    return " + ".join([*reversed(terms), *([str(constant)] if constant or not terms else [])])


def _tree(node: Expr, most: int) -> int:
    """The size of the expression written out without names, counted up to a bound."""
    size = 1
    for child in children(node):
        if size > most:
            break
        size += _tree(child, most - size)
    return size


def _cost(node: Expr, known: dict[int, int]) -> int:
    """About how many operations an evaluation takes, by node in ``known``."""
    if node.uid not in known:
        spans = node.args[0].hi - node.args[0].lo + 1 if node.op in ("all", "any", "sum") else 1
        known[node.uid] = 1 + spans * sum(_cost(c, known) for c in children(node))
    return known[node.uid]
