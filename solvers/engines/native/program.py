"""The one module of a rule set: guards, effects with triggers, successors, and the walks."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from monjudge.model.language import Expr, RuleSet, const, walk
from monjudge.solvers.engines.native import moves, search, triggers
from monjudge.solvers.engines.native.expressions import Translator
from monjudge.solvers.engines.native.ir import Function, Module
from monjudge.solvers.engines.native.layout import Layout
from monjudge.solvers.engines.native.perft import perft

__all__ = ["expressions", "program", "root"]


def program(rules: RuleSet, layout: Layout, more: Callable[[Module], None] | None = None) -> str:
    """The LLVM text of everything that plays the game; ``more`` adds what calls it."""
    module = Module()
    over = rules.over.expr if rules.over is not None else None
    root(module, layout, "zeroext i1 @over", const(False) if over is None else over)
    _valid(module, layout)
    watch = triggers.Watch(rules.triggers)
    triggers.settle(module, layout, rules, watch)
    moves.expand_all(module, layout, rules, watch)
    for function in (search.children(), perft(layout), *search.reach(layout), *search.playout(layout)):
        module.add(function)
    if rules.payoffs:
        root(module, layout, "internal i32 @first_payoff", rules.payoffs[0])
        module.add(search.solve(layout))
    _values(module, layout, "payoff", rules.payoffs, ())
    if more is not None:
        more(module)
    return module.text()


def _valid(module: Module, layout: Layout) -> None:
    """Adds ``valid(state)``: whether every cell lies within its interval."""
    f = Function("zeroext i1 @valid(ptr readonly %s)")
    outside = f.variable("i1", "false")
    for bits, run in itertools.groupby(layout.rules.families, lambda g: layout.bits[g.uid]):
        families, kind = list(run), f"i{bits}"
        least = module.numbers([n for g in families for n in g.size * [g.lo]], bits)
        spread = module.numbers([n for g in families for n in g.size * [g.hi - g.lo]], bits)
        first = f.past("%s", layout.offset[families[0].uid])
        with f.counted(0, sum(g.size for g in families) - 1) as cell:
            number, lo, span = (
                f.get(kind, f.op(f"getelementptr inbounds {kind}, ptr {p}, i32 {cell.index}")) for p in (first, least, spread)
            )
            bad = f.op(f"icmp ugt {kind} {f.op(f'sub {kind} {number}, {lo}')}, {span}")
            f.put("i1", f.op(f"or i1 {bad}, {f.get('i1', outside)}"), outside)
    any_outside = f.get("i1", outside)
    f.ret(f"i1 {f.op(f'xor i1 {any_outside}, true')}")
    module.add(f)


def root(module: Module, layout: Layout, head: str, expr: Expr) -> None:
    """A function of a state: the value of one expression."""
    f = Function(f"{head}(ptr readonly %s)")
    f.ret(f"{'i1' if expr.is_bool else 'i32'} {Translator(module, f, layout, '%s').value(expr)}")
    module.add(f)


def expressions(layout: Layout, exprs: Sequence[Expr], variables: Sequence[str]) -> str:
    """The LLVM text of ``values(state, after, variables, out)``: some expressions of a state."""
    module = Module()
    _values(module, layout, "values", exprs, variables)
    return module.text()


def _values(module: Module, layout: Layout, name: str, exprs: Sequence[Expr], variables: Sequence[str]) -> None:
    f = Function(f"void @{name}(ptr readonly %s, ptr readonly %after, ptr readonly %given, ptr noalias %out)")
    truths = {n.args[0] for n in walk(*exprs) if n.op == "var" and n.is_bool}
    env = {}
    for at, variable in enumerate(variables):
        address = f.op(f"getelementptr i32, ptr %given, i32 {at}")
        value = f.get("i32", address)
        env[variable] = f.op(f"icmp ne i32 {value}, 0") if variable in truths else value
    t = Translator(module, f, layout, "%s", env, after="%after")
    for at, expr in enumerate(exprs):
        value = t.value(expr)
        whole = f.op(f"zext i1 {value} to i32") if expr.is_bool else value
        address = f.op(f"getelementptr i32, ptr %out, i32 {at}")
        f.put("i32", whole, address)
    f.ret("void")
    module.add(f)
