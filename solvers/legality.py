"""The first questions about a move: is it legal, which clauses fail and by how much, what is the nearest legal one.

>>> from monjudge.model.small.tic_tac_toe import tic_tac_toe
>>> from monjudge.model.language import Move
>>> legality = Legality(tic_tac_toe())
>>> state = legality.rules.state({"cell": [1, 0, 0, 0, 0, 0, 0, 0, 0], "turn": 1})
>>> judgement = legality.judge(state, Move("place", 1, (0,)))
>>> print(judgement.verdict, judgement.failures[0].clause.id, judgement.failures[0].findings[0])
no TTT.empty needed: cell[at] == 0; have: at = 0, cell[at] = 1
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from monjudge.model.language import (
    ME,
    NATURE,
    Action,
    Clause,
    Domain,
    Expr,
    Move,
    RuleSet,
    State,
    children,
    eq,
    evaluate,
    lt,
    negate,
    substitute,
    var,
    walk,
)
from monjudge.model.language.text import Scope, print_expr
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import TURN, Reference
from monjudge.solvers.verdict import Sentence, Verdict

__all__ = ["Explanation", "Fact", "Failure", "Finding", "Judgement", "Legality", "Nearest", "Reading", "check_decider", "determined", "verdict_of"]

READINGS = 12
"""So many values are named for one condition; a finding says how many more were read."""
TRIED = 200_000
"""So many moves are tried in search of near legal ones."""


@dataclass(frozen=True)
class Reading:
    """The value of one part of a condition, e.g. a cell or a parameter, with its name if it has one."""

    term: str
    value: int
    label: str = ""

    def __str__(self) -> str:
        return f"{self.term} = {self.label or self.value}"


class Fact(NamedTuple):
    """What a condition read at one place: a cell of a field, or an entry of a named table, with its indices."""

    name: str
    at: tuple[int, ...]
    value: int


@dataclass(frozen=True)
class Finding:
    """A condition that does not hold, and the values that were read; ``more`` values are left out.

    ``facts`` are all the places that the condition looked at, each once.
    """

    needed: str
    have: tuple[Reading, ...]
    more: int = 0
    facts: tuple[Fact, ...] = ()

    def __str__(self) -> str:
        rest = f", and {self.more} more" if self.more else ""
        return f"needed: {self.needed}; have: {', '.join(map(str, self.have)) or 'nothing to read'}{rest}"


@dataclass(frozen=True)
class Failure:
    """A clause that fails, with the parts of it that do not hold."""

    clause: Clause
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Judgement:
    """Whether a move is legal: ``YES``, ``NO``, ``UNKNOWN`` where only bounds of the model fail, or ``UNDETERMINED``."""

    move: Move
    verdict: Verdict
    failures: tuple[Failure, ...] = ()
    limit: Sentence | None = None


@dataclass(frozen=True)
class Nearest:
    """Legal moves by how many parameters differ, then in canonical order; ``limit`` says if the search was cut off."""

    moves: tuple[Move, ...]
    limit: Sentence | None = None


class Legality:
    """Questions about the moves of one rule set. States must be settled."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.reference = Reference(rules)
        self.enumerator = Enumerator(rules)

    def judge(self, state: State, move: Move) -> Judgement:
        """The verdict on a move with every clause that fails.

        Under a reading without executable meaning it is judged by every other reading of that switch, and
        ``UNDETERMINED`` where they differ. Raises ValueError for an unknown action or player, or a parameter
        outside its domain.
        """
        check_decider(self.rules, move.action, move.me)
        first, *others = [self._judge(world, move) for world in determined(self.rules, state)]
        if any(other.verdict is not first.verdict for other in others):
            return Judgement(move, Verdict.UNDETERMINED)
        return first

    def _judge(self, state: State, move: Move) -> Judgement:
        failing = self.reference.failing(state, move)
        if not failing:
            return Judgement(move, Verdict.YES)
        failures = tuple(Failure(clause, self._findings(state, move, clause)) for clause in failing)
        verdict, limit = verdict_of(failing)
        return Judgement(move, verdict, failures, limit)

    def undecided(self, state: State, actions: Collection[str]) -> list[Judgement]:
        """The moves of these actions that no rule forbids and that are not legal: the text is silent, or a bound of the model is passed."""
        found = (move for a in self._by_rules.rules.actions if a.name in actions for move in self._by_rules.moves_of(state, a.name))
        return [self._judge(state, move) for move in found if not self.enumerator.legal(state, move)]

    @cached_property
    def _by_rules(self) -> Enumerator:
        """Lists the moves that the rules alone allow, of the actions that know other clauses too."""
        actions = (replace(a, clauses=tuple(c for c in a.clauses if c.kind == "rule")) for a in self.rules.actions if any(c.kind != "rule" for c in a.clauses))
        return Enumerator(replace(self.rules, actions=tuple(actions)))

    def nearest(self, state: State, move: Move, most: int = 3) -> Nearest:
        """The legal moves of the same action and player that differ in the fewest parameters, at most ``most``.

        Raises ValueError for an unknown action or a wrong number of parameters.
        """
        found: list[Move] = [move] if self.enumerator.legal(state, move) else []
        params = self.rules.by_name[move.action].params
        tried = 0
        for distance in range(1, len(params) + 1):
            if len(found) >= most:
                break
            ring: list[Move] = []
            for near in _at_distance(distance, move, [p.values for p in params]):
                if tried == TRIED:
                    return Nearest((*found, *sorted(ring))[:most], _cut_off())
                tried += 1
                if self.enumerator.legal(state, near):
                    ring.append(near)
            found += sorted(ring)
        return Nearest(tuple(found[:most]))

    def _findings(self, state: State, move: Move, clause: Clause) -> tuple[Finding, ...]:
        action = self.rules.by_name[move.action]
        env = {ME: move.me, **{p.name: n for p, n in zip(action.params, move.args, strict=True)}}
        explain = Explanation(self.rules, Scope.of(self.rules, move.action), state)
        if clause is TURN:
            return (explain.turn(action, env),)
        if clause is self.rules.over:
            return tuple(explain.findings(clause.expr, False, env))
        return tuple(explain.findings(clause.expr, True, env))


def determined(rules: RuleSet, state: State) -> list[State]:
    """The states that a state may stand for: every other value in place of a reading without executable meaning."""
    states = [state]
    for switch in rules.switches:
        place, labels = rules.offset[switch.family.name], switch.family.labels
        assert labels is not None, f"the readings of the switch {switch.id} have names"
        if labels.labels[state[place]] in switch.undetermined:
            others = [n for n, label in enumerate(labels.labels) if label not in switch.undetermined]
            states = [(*s[:place], n, *s[place + 1 :]) for s in states for n in others]
    return states


def check_decider(rules: RuleSet, action: str, me: int) -> Action:
    """The action. Raises ValueError if it is unknown or nobody of that number could ever take it."""
    chosen = rules.by_name.get(action)
    if chosen is None:
        raise ValueError(f"the game {rules.name!r} has no action {action!r}")
    if chosen.is_chance and me != NATURE:
        raise ValueError(f"{action} is a chance move: it belongs to {NATURE}, not to player {me}")
    if not chosen.is_chance and not 0 <= me < rules.players:
        raise ValueError(f"{action} is decided by a player 0..{rules.players - 1}, not by {me}")
    return chosen


def verdict_of(failing: Sequence[Clause]) -> tuple[Verdict, Sentence | None]:
    """What failing clauses make of a move, and why it is not simply a yes or a no.

    A rule makes it illegal; else a place where the text is silent leaves it undetermined;
    else only bounds of the model fail, and it is unknown.
    """
    if not failing:
        return Verdict.YES, None
    if any(clause.kind == "rule" for clause in failing):
        return Verdict.NO, None
    unsaid = ", ".join(clause.id for clause in failing if clause.kind == "open")
    if unsaid:
        return Verdict.UNDETERMINED, Sentence(f"the text does not say: {unsaid}", f"文面には定めがない：{unsaid}")
    ids = ", ".join(clause.id for clause in failing)
    return Verdict.UNKNOWN, Sentence(f"only bounds of the model fail: {ids}", f"満たされないのはモデルの上限だけである：{ids}")


def _at_distance(distance: int, move: Move, domains: Sequence[range]) -> Iterator[Move]:
    """The moves that differ from this one in exactly so many parameters."""
    for changed in itertools.combinations(range(len(domains)), distance):
        for values in itertools.product(*([n for n in domains[k] if n != move.args[k]] for k in changed)):
            args = list(move.args)
            for k, value in zip(changed, values, strict=True):
                args[k] = value
            yield Move(move.action, move.me, tuple(args))


def _cut_off() -> Sentence:
    return Sentence(f"only {TRIED:,} moves were tried", f"{TRIED:,}通りまでしか試していない")


class Explanation:
    """Needed and have: which parts of a condition have the wrong truth value in a state, and perhaps the state ``after`` it.

    ``filled``: what a quantifier speaks of is told by its number and not by a name.
    """

    def __init__(self, rules: RuleSet, scope: Scope, state: State, after: State = (), filled: bool = False) -> None:
        self.rules, self.scope, self.state, self.after, self.filled = rules, scope, state, after, filled

    def value(self, node: Expr, env: Mapping[str, int]) -> int:
        return evaluate(node, self.state, env, self.rules.offset, self.after)

    def turn(self, action: Action, env: Mapping[str, int]) -> Finding:
        """What is wrong about who decides."""
        if action.weight is not None:
            return self.finding(lt(0, action.weight), env)
        assert action.by is not None, "any player may take an action that nobody in particular decides"
        return self.finding(eq(var(ME, min(0, action.by.lo), max(self.rules.players, action.by.hi)), action.by), env)

    def findings(self, node: Expr, wanted: bool, env: Mapping[str, int]) -> Iterator[Finding]:
        """The smallest parts to blame for the node not having the wanted truth value."""
        op = node.op
        if op == "not":
            yield from self.findings(node.args[0], not wanted, env)
        elif (op, wanted) in (("and", True), ("or", False)):
            for part in node.args:
                if bool(self.value(part, env)) != wanted:
                    yield from self.findings(part, wanted, env)
        elif (op, wanted) in (("all", True), ("any", False)):
            bound, body = node.args
            name = bound.args[0]
            witness = next(n for n in range(bound.lo, bound.hi + 1) if bool(self.value(body, {**env, name: n})) != wanted)
            if self.filled:
                yield from self.findings(substitute(body, {name: witness}), wanted, env)
            else:
                yield from self.findings(body, wanted, {**env, name: witness})
        else:
            yield self.finding(node if wanted else negate(node), env)

    def finding(self, needed: Expr, env: Mapping[str, int]) -> Finding:
        """The condition with its variables and whatever it reads."""
        free = {str(n.args[0]): n for n in walk(needed) if n.op == "var" and n.args[0] in needed.free}
        found = itertools.chain((free[name] for name in env if name in free), self._terms(needed, set()))
        terms = list({term.uid: term for term in found}.values())
        have = tuple(self._reading(term, env) for term in terms[:READINGS])
        facts = dict.fromkeys(fact for term in terms if (fact := self._fact(term, env)) is not None)
        return Finding(print_expr(needed, self.scope), have, len(terms) - len(have), tuple(facts))

    def _fact(self, node: Expr, env: Mapping[str, int]) -> Fact | None:
        """The place that a cell or a table stands for; None for what is neither, or lies outside."""
        if node.op not in ("field", "table"):
            return None
        owner = node.args[0]
        at = tuple(self.value(index, env) for index in node.args[2 if node.op == "field" else 1 :])
        if not all(0 <= n < size for n, size in zip(at, owner.dims, strict=True)):
            return None
        return Fact(owner.name, at, self.value(node, env))

    def _terms(self, node: Expr, seen: set[int]) -> Iterator[Expr]:
        """Cells, named tables and sides of comparisons, each once; under a quantifier for each index."""
        if node.uid in seen:
            return
        seen.add(node.uid)
        if node.op in ("all", "any", "sum"):
            bound, body = node.args
            for n in range(bound.lo, bound.hi + 1):
                yield from self._terms(substitute(body, {bound.args[0]: n}), seen)
            return
        for child in children(node):
            yield from self._terms(child, seen)
        if node.op == "field" or (node.op == "table" and node.args[0].name in self.scope.tables):
            yield node
        elif node.op in ("eq", "lt", "le"):
            yield from (side for side in node.args if side.op in ("add", "mul", "min", "max", "sum"))

    def _reading(self, node: Expr, env: Mapping[str, int]) -> Reading:
        value = self.value(node, env)
        if node.is_bool:
            return Reading(print_expr(node, self.scope), value, "true" if value else "false")
        labels: Domain | None = self.scope.labels_of(node)
        label = labels.labels[value] if labels is not None and 0 <= value < labels.size else ""
        return Reading(print_expr(node, self.scope), value, label)
