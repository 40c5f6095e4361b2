"""All legal moves of a state by generated backtracking: one loop a parameter, each condition as early as it can be asked.

The clauses of an action are split into their conjuncts. A conjunct is tested at the
outermost loop where its parameters are known, cheapest first; what does not depend on the
loop is worked out before it; a parameter that an equation determines is not looped over.
Short quantifiers are written out, long ones become functions of their own. An action is
translated when it is first asked about (``Enumerator(rules).source(action)`` shows the text).

A move generator only: for the next state see ``reference`` and ``native``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from monjudge.model.language import (
    ME,
    NATURE,
    TRUE,
    Action,
    Expr,
    ExpressionError,
    Move,
    RuleSet,
    State,
    add,
    both,
    const,
    eq,
    le,
    lt,
    maximum,
    minimum,
    mul,
    var,
)
from monjudge.solvers.engines.enumerator_text import Code, Function, conjuncts, written_out

__all__ = ["Enumerator"]

_LOOPS = 16
"""So many loops stand in one function, because Python nests no more than 20 blocks."""


class Enumerator:
    """One rule set. States must be settled."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._code = Code(rules)
        self._moves: dict[str, Callable[[State, list[Move]], None]] = {}
        self._legal: dict[str, Callable[..., bool]] = {}
        self._values: dict[int, tuple[Expr, tuple[str, ...], Callable[..., int]]] = {}
        self._source: dict[str, str] = {}

    def moves(self, state: State) -> list[Move]:
        """All legal moves, chance outcomes of positive weight included: actions as declared, then ``me``, then arguments."""
        found: list[Move] = []
        if not self.over(state):
            for action in self.rules.actions:
                self._generator(action)(state, found)
        return found

    def moves_of(self, state: State, action: str) -> list[Move]:
        """The legal moves of one action, in canonical order. Raises KeyError for an unknown action."""
        found: list[Move] = []
        if not self.over(state):
            self._generator(self.rules.by_name[action])(state, found)
        return found

    def legal(self, state: State, move: Move) -> bool:
        """Whether the move is legal. Raises ValueError for an unknown action or a wrong number of parameters."""
        action = self.rules.by_name.get(move.action)
        if action is None or len(move.args) != len(action.params):
            raise ValueError(f"the game {self.rules.name!r} has no move like {move}")
        test = self._legal.get(move.action)
        if test is None:
            test = self._legal[move.action] = self._code.run(_legal(self._code, action))
        if not all(n in p.values for n, p in zip(move.args, action.params, strict=True)):
            return False
        if move.me not in ((NATURE,) if action.is_chance else range(self.rules.players)):
            return False
        return not self.over(state) and bool(test(state, move.me, *move.args))

    def over(self, state: State) -> bool:
        """Whether the game has ended."""
        return self.rules.over is not None and bool(self.value(self.rules.over.expr, state))

    def value(self, expr: Expr, state: State, env: Mapping[str, int] | None = None) -> int:
        """The value of an expression (0 or 1 for a truth value); ``env`` holds its free variables."""
        known = self._values.get(expr.uid)
        if known is None:
            names = tuple(sorted(expr.free))
            function = Function(self._code, {name: f"x{n}" for n, name in enumerate(names)})
            function.count([expr])
            function.result(expr)
            known = self._values[expr.uid] = (expr, names, self._code.run(function))
        return int(known[2](state, *((env or {})[name] for name in known[1])))

    def source(self, action: str) -> str:
        """The generated text that enumerates one action. Raises KeyError for an unknown action."""
        self._generator(self.rules.by_name[action])
        return self._source[action]

    def _generator(self, action: Action) -> Callable[[State, list[Move]], None]:
        generate = self._moves.get(action.name)
        if generate is None:
            function = _moves(self._code, action)
            self._source[action.name] = function.source("moves")
            generate = self._moves[action.name] = self._code.run(function)
        return generate


def _conditions(action: Action) -> list[Expr]:
    weight = [lt(0, action.weight)] if action.weight is not None else []
    whole = both(*(written_out(c) for c in weight + [c.expr for c in action.clauses]))
    return conjuncts(whole)


def _legal(code: Code, action: Action) -> Function:
    """``f(s, me, argument, ...)``: the clauses and who decides, cheapest first."""
    function = Function(code, _names(action))
    tests = _conditions(action)
    if action.by is not None:
        tests.append(_turn(code.rules, action.by))
    function.count(tests)
    for test in sorted(tests, key=function.cost):
        function.test(test, "return False")
    function.result(TRUE)
    return function


def _moves(code: Code, action: Action) -> Function:
    """``f(s, found)``: appends every legal move of the action."""
    players = range(NATURE, NATURE + 1) if action.is_chance else range(code.rules.players)
    me = var(ME, players.start, players.stop - 1)
    tests = _conditions(action)
    if action.by is not None:
        tests.append(_turn(code.rules, action.by))
    names = _names(action)
    nest = _Nest(Function(code, {}, extra="found"), names)
    function = nest.function
    function.count(tests)
    arguments = "".join(f"{names[p.name]}, " for p in action.params)
    # tuple.__new__ builds the named tuple without its keyword-taking constructor.
    append = f"found.append(new(Move, ({action.name!r}, me, ({arguments}))))"
    nest.open(tests, [(me, players), *((p.var, p.values) for p in action.params)], lambda: nest.function.line(append))
    return function


def _turn(rules: RuleSet, by: Expr) -> Expr:
    return eq(var(ME, min(0, by.lo), max(rules.players - 1, by.hi)), written_out(by))


def _names(action: Action) -> dict[str, str]:
    return {ME: "me", **{p.name: f"p{n}" for n, p in enumerate(action.params)}}


Loop = tuple[Expr, range]


class _Nest:
    """Opens one loop after the other and tests each condition as soon as its variables are known."""

    def __init__(self, function: Function, names: Mapping[str, str]) -> None:
        self.function, self.names = function, names
        self._lists = 0

    def open(self, tests: Sequence[Expr], loops: Sequence[Loop], leaf: Callable[[], None]) -> None:
        """Writes the loops with their tests, and the leaf inside them."""
        function, later = self.function, _variables(loops)
        for test in sorted((t for t in tests if not t.free & later), key=function.cost):
            function.test(test)
        waiting = [t for t in tests if t.free & later]
        if not loops:
            leaf()
        elif function.depth == _LOOPS:
            self._call(waiting, loops, leaf)
        else:
            variable, values = loops[0]
            span = _span(waiting, variable, values, later - {variable.args[0]})
            head = _independent(waiting, loops) if span.least is not span.greatest else len(loops)
            if head < len(loops) and function.depth + len(loops) < _LOOPS:
                self._once(waiting, loops[:head], loops[head:], leaf)
            else:
                if span.least is not span.greatest:
                    function.hoist(span.kept)
                else:  # first of all: other tests may look things up by the variable, and trust its interval
                    function.hoist([span.least])
                    function.test(le(values[0], span.least))
                    function.test(le(span.least, values[-1]))
                function.loop(variable, self.names[str(variable.args[0])], span.least, span.greatest)
                self.open(span.kept, loops[1:], leaf)

    def _once(self, tests: Sequence[Expr], loops: Sequence[Loop], tail: Sequence[Loop], leaf: Callable[[], None]) -> None:
        """Inner loops that do not depend on the outer ones: what they find is listed when it is first needed."""
        function, inner = self.function, _variables(tail)
        self._lists += 1
        found, chosen = f"r{self._lists}", " ".join(f"{self.names[str(v.args[0])]}," for v, _ in tail)

        def through_list() -> None:
            function.line(f"if {found} is None:")
            with function.block():
                function.line(f"{found} = []")
                keep = f"{found}.append(({chosen}))"
                self.open([t for t in tests if t.free & inner], tail, lambda: function.line(keep))
            function.line(f"for {chosen} in {found}:")
            function.depth += 1
            leaf()

        function.line(f"{found} = None")
        self.open([t for t in tests if not t.free & inner], loops, through_list)

    def _call(self, tests: Sequence[Expr], loops: Sequence[Loop], leaf: Callable[[], None]) -> None:
        """Goes on in a function of its own."""
        outer = self.function
        inner = self.function = Function(outer.code, outer.names, extra="found")
        inner.count(tests)
        self.open(tests, loops, leaf)
        self.function = outer
        outer.line(f"{outer.code.define(inner)}({inner.head})")


def _variables(loops: Sequence[Loop]) -> set[str]:
    return {str(variable.args[0]) for variable, _ in loops}


def _independent(tests: Sequence[Expr], loops: Sequence[Loop]) -> int:
    """After how many of the loops come loops with tests that do not depend on these; all of them if none do."""
    for head in range(1, len(loops)):
        outer, inner = _variables(loops[:head]), _variables(loops[head:])
        tail = [t for t in tests if t.free & inner]
        if tail and not any(t.free & outer for t in tail):
            return head
    return len(loops)


class _Span(NamedTuple):
    """What is left for a variable: the bounds (one expression if they are the same), and the tests still to ask."""

    least: Expr
    greatest: Expr
    kept: list[Expr]


def _span(tests: Sequence[Expr], variable: Expr, values: range, later: set[str]) -> _Span:
    """Bounds from equations and inequations over what is known now and the intervals of what comes later."""
    least, greatest, kept = [const(values[0])], [const(values[-1])], []
    for n, test in enumerate(tests):
        bounds = _isolated(test, variable, later)
        if bounds is None:
            kept.append(test)
            continue
        low, high = bounds
        if low is not None and low is high:
            return _Span(low, low, [*tests[:n], *tests[n + 1 :]])
        least += [low] if low is not None else []
        greatest += [high] if high is not None else []
        if test.op == "eq" or test.free & later:
            kept.append(test)
    return _Span(maximum(*least), minimum(*greatest), kept)


def _isolated(test: Expr, variable: Expr, later: set[str]) -> tuple[Expr | None, Expr | None] | None:
    """The least and the greatest value that a linear condition leaves to the variable; None if it is not linear in it."""
    if test.op not in ("eq", "lt", "le") or test.args[0].is_bool:
        return None
    try:
        difference = add(test.args[0], mul(-1, test.args[1]), int(test.op == "lt"))
        terms = difference.args if difference.op == "add" else (difference,)
        mine = [t for t in terms if variable.args[0] in t.free]
        sign = next((k for k in (1, -1) if mine and mul(k, mine[0]).op == "var"), 0)
        if len(mine) != 1 or not sign:
            return None
        unknown = [t for t in terms if t is not mine[0] and t.free & later]
        known = add(*(t for t in terms if t is not mine[0] and not t.free & later))
        low = mul(-sign, add(known, sum(t.lo for t in unknown)))
        high = mul(-sign, add(known, sum(t.hi for t in unknown)))
    except ExpressionError:  # the difference of two wide intervals may be too wide
        return None
    if test.op == "eq":
        return (high, low) if sign == 1 else (low, high)
    return (None, low) if sign == 1 else (low, None)
