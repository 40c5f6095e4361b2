"""Why an action cannot be taken at all: every minimal reason and every minimal relaxation.

A *reason* is a smallest set of clauses that no choice of the parameters satisfies
together (a MUS); a *relaxation* is a smallest set of clauses without which some choice
would be legal (an MCS), shown with such a choice. Every choice of the finite parameter
space gives the set of clauses that it fails, as a bit mask: the minimal masks are the
relaxations, and the minimal sets that hit each of them are the reasons (Reiter 1987;
Liffiton and Sakallah 2008). Above a stated number of choices z3 is asked instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from monjudge.model.language import (
    ME,
    Action,
    Clause,
    Expr,
    LimitReached,
    Move,
    RuleSet,
    State,
    const,
    eq,
    lt,
    negate,
    var,
)
from monjudge.solvers.engines.enumerator_text import Code, Function, written_out
from monjudge.solvers.engines.reference import TURN
from monjudge.solvers.legality import check_decider, verdict_of
from monjudge.solvers.verdict import Sentence, Verdict

__all__ = ["SPACE", "Reasons", "Relaxation", "Way", "WhyNot", "conditions", "minimal_hitting_sets"]

Way = tuple[str, Mapping[str, int]]
"""An action, and the parameters of it that are settled."""

SPACE = 1_000_000
"""Up to so many choices of the parameters are looked at one by one; above, z3 is asked."""
MOST = 1_000
"""So many reasons and relaxations are asked of z3."""
WORK = 100_000_000
"""The bound of z3's work for one of its queries, in its own units."""


@dataclass(frozen=True)
class Relaxation:
    """Clauses without which the move would be legal; no smaller set of them is enough."""

    clauses: tuple[Clause, ...]
    move: Move


@dataclass(frozen=True)
class Reasons:
    """Whether some choice is legal (``YES`` with one), and if none is, why.

    ``UNKNOWN`` where a choice fails nothing but bounds of the model, or a limit was reached.
    """

    verdict: Verdict
    legal: Move | None = None
    reasons: tuple[tuple[Clause, ...], ...] = ()
    relaxations: tuple[Relaxation, ...] = ()
    limit: Sentence | None = None


class WhyNot:
    """The question "why can this not be done?" for one rule set; code is made once for each action."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._code = Code(rules)
        self._made: dict[tuple[str, frozenset[str]], Callable[..., dict[int, tuple[int, ...]]]] = {}

    def ask(self, state: State, action: str, me: int, fixed: Mapping[str, int] | None = None) -> Reasons:
        """Why player ``me`` (NATURE for chance) cannot take the action, with some parameters perhaps fixed.

        Raises ValueError for an unknown action, player or parameter, or a value outside its domain.
        """
        given = dict(fixed or {})
        chosen = self._checked(action, me, given)
        size = prod(len(p.values) for p in chosen.params if p.name not in given)
        if size > SPACE:
            return self._large(state, chosen, me, given, size)
        key = action, frozenset(given)
        if key not in self._made:
            self._made[key] = self._code.run(_masks(self._code, chosen, given))
        masks = self._made[key](state, me, *(given[p.name] for p in chosen.params if p.name in given))
        return self._answer(chosen, me, masks)

    def ask_any(self, state: State, me: int, ways: Sequence[Way]) -> Reasons:
        """Why player ``me`` can take none of several ways: a rule that stands in several actions counts as one.

        A reason is a smallest set of rules that no choice of any way satisfies together; the move of a
        relaxation says which way it takes. Raises ValueError as ``ask`` does, and without any way.
        """
        if not ways:
            raise ValueError("there is no way to ask about")
        clauses: dict[str, Clause] = {}
        masks: dict[int, Move] = {}
        limits: list[Sentence] = []
        for action, fixed in ways:
            found = self.ask(state, action, me, fixed)
            if found.legal is not None:
                return found
            if found.limit is not None and not found.relaxations:
                limits.append(found.limit)
            for relaxation in found.relaxations:
                clauses.update((c.id, c) for c in relaxation.clauses)
                place = {id: 1 << n for n, id in enumerate(clauses)}
                masks.setdefault(sum(place[id] for id in {c.id for c in relaxation.clauses}), relaxation.move)
        if limits:
            return Reasons(Verdict.UNKNOWN, limit=limits[0])
        minimal = [m for m in masks if not any(other & m == other for other in masks if other != m)]
        return _answered(list(clauses.values()), {m: masks[m] for m in minimal})

    def _checked(self, action: str, me: int, given: Mapping[str, int]) -> Action:
        chosen = check_decider(self.rules, action, me)
        domains = {p.name: p.values for p in chosen.params}
        for name, value in given.items():
            if name not in domains:
                raise ValueError(f"{action} has no parameter {name!r}, only {', '.join(domains) or 'none'}")
            if value not in domains[name]:
                raise ValueError(f"{name} of {action} is {domains[name].start}..{domains[name].stop - 1}, not {value}")
        return chosen

    def _large(self, state: State, action: Action, me: int, given: Mapping[str, int], size: int) -> Reasons:
        """Where there are too many choices to look at one by one."""
        many = f"{size:,} choices are more than {SPACE:,}", f"選び方が{size:,}通りあり、{SPACE:,}通りを超える"
        try:
            return self._answer(action, me, _by_z3(self.rules, state, action, me, given))
        except (ImportError, LimitReached) as error:
            return Reasons(Verdict.UNKNOWN, limit=Sentence(f"{many[0]}: {error}", f"{many[1]}：{error}"))

    def _answer(self, action: Action, me: int, masks: Mapping[int, tuple[int, ...]]) -> Reasons:
        clauses = [clause for clause, _ in conditions(self.rules, action)]
        if 0 in masks:
            return Reasons(Verdict.YES, Move(action.name, me, masks[0]))
        return _answered(clauses, {mask: Move(action.name, me, args) for mask, args in masks.items()})


def _answered(clauses: Sequence[Clause], masks: Mapping[int, Move]) -> Reasons:
    """The answer from the minimal sets of failing clauses, each with a move that fails just these."""

    def named(mask: int) -> tuple[Clause, ...]:
        return tuple(c for n, c in enumerate(clauses) if mask >> n & 1)

    ordered = sorted(masks, key=lambda m: (m.bit_count(), m))
    # One choice that no rule forbids is enough: what the text leaves unsaid weighs more than a bound.
    found = [verdict_of(named(m)) for m in ordered]
    verdict, limit = min(found, key=lambda v: _WEIGHT.index(v[0]))
    return Reasons(
        verdict,
        reasons=tuple(named(m) for m in minimal_hitting_sets(ordered)),
        relaxations=tuple(Relaxation(named(m), masks[m]) for m in ordered),
        limit=limit,
    )


_WEIGHT = (Verdict.UNDETERMINED, Verdict.UNKNOWN, Verdict.NO)


def minimal_hitting_sets(masks: Iterable[int]) -> list[int]:
    """All smallest sets (as bit masks) that meet every given set, fewest members first (Berge's algorithm)."""
    found = [0]
    for mask in masks:
        kept = [f for f in found if f & mask]
        bits = [1 << n for n in range(mask.bit_length()) if mask >> n & 1]
        grown = {f | bit for f in found if not f & mask for bit in bits}
        found = kept + [g for g in grown if not any(k & g == k for k in kept)]
    return sorted(found, key=lambda m: (m.bit_count(), m))


def conditions(rules: RuleSet, action: Action) -> list[tuple[Clause, Expr]]:
    """The clauses in the order of their bits: the end of the game, who decides, the action's own."""
    found: list[tuple[Clause, Expr]] = []
    if rules.over is not None:
        found.append((rules.over, negate(rules.over.expr)))
    if action.weight is not None:
        found.append((TURN, lt(0, action.weight)))
    elif action.by is not None:
        me = var(ME, min(0, action.by.lo), max(rules.players - 1, action.by.hi))
        found.append((TURN, eq(me, action.by)))
    return found + [(clause, clause.expr) for clause in action.clauses]


def _masks(code: Code, action: Action, given: Mapping[str, int]) -> Function:
    """``f(s, me, fixed argument, ...)``: the minimal sets of failing clauses, each with the first choice that has it.

    Bits are set at the loop where a clause is decided; a choice that already fails a known
    set is not followed further. What no clause reads stays at its least value.
    """
    names = {p.name: f"p{n}" for n, p in enumerate(action.params)}
    known = {ME: "me", **{name: names[name] for name in names if name in given}}
    function = Function(code, known)
    waiting = [(1 << n, written_out(e)) for n, (_, e) in enumerate(conditions(code.rules, action))]
    function.count([e for _, e in waiting])
    free = [p for p in action.params if p.name not in given]
    later = {p.name for p in free}
    arguments = "".join(f"{names[p.name]}, " for p in action.params)
    code.space |= {"is_beaten": _is_beaten, "add_minimal": _add_minimal}
    function.line("found = {}; beaten = set()")
    mask = _decide(function, "0", waiting, later, 0)
    checked = mask
    for n, param in enumerate(free, 1):
        waiting = [w for w in waiting if w[1].free & later]
        if waiting and function.depth:
            # Inside a branch only its own mask can come to beat it, and that one is remembered.
            beaten = f"{mask} in beaten" if mask == checked else f"{mask} and is_beaten(found, beaten, {mask})"
            function.line(f"if {beaten}: continue")
            checked = mask
        later.discard(param.name)
        function.hoist([e for _, e in waiting])
        values = param.values if waiting else param.values[:1]
        function.loop(param.var, names[param.name], const(values[0]), const(values[-1]))
        mask = _decide(function, mask, waiting, later, n)
    function.line(f"if {mask} not in beaten and add_minimal(found, beaten, {mask}, ({arguments})): return found")
    function.close()
    function.line("return found")
    return function


def _decide(function: Function, mask: str, waiting: Sequence[tuple[int, Expr]], later: set[str], level: int) -> str:
    """Adds the bits of the clauses that are decided now; the name of the mask so far."""
    terms = [mask]
    for bit, expr in waiting:
        if not expr.free & later:
            text = function.text(expr)
            terms.append(f"(0 if {text} else {bit})")
    if len(terms) == 1:
        return mask
    function.line(f"m{level} = {' | '.join(terms)}")
    return f"m{level}"


def _is_beaten(found: Mapping[int, object], beaten: set[int], mask: int) -> bool:
    """Whether a known set lies within the mask; remembered, because it stays so."""
    if any(f & mask == f for f in found):
        beaten.add(mask)
        return True
    return False


def _add_minimal(found: dict[int, tuple[int, ...]], beaten: set[int], mask: int, args: tuple[int, ...]) -> bool:
    """Keeps the mask if it is minimal so far; whether nothing failed at all."""
    if not _is_beaten(found, beaten, mask):
        for larger in [f for f in found if f & mask == mask]:
            del found[larger]
        found[mask] = args
        beaten.add(mask)
    return not mask


def _by_z3(rules: RuleSet, state: State, action: Action, me: int, given: Mapping[str, int]) -> dict[int, tuple[int, ...]]:
    """The same by z3 (some choice that has a mask, not the first). Raises LimitReached where z3 gives up."""
    from monjudge.solvers.engines.smt import Smt

    bit = {clause.id: 1 << n for n, (clause, _) in enumerate(conditions(rules, action))}
    found = Smt(rules, rlimit=WORK).reasons(state, action.name, me, given, MOST)
    return {sum(bit[id] for id in r.clauses): r.witness.args for r in found if r.kind == "relaxation"}
