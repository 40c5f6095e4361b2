"""Checks of evidence about hidden cards and about exact values, by the reference and the meaning of views and blind stages alone.

*Hidden cards*: a walk over beliefs, depth first. Of a win the certificate has one number for each belief in which the
player has several moves; of a "no" which belief the others bring about (or ``WAIT``) and, after each move of the
player that may lead to several, which. *Values*: one fraction for each position in the order of the walk, which
satisfies the equation of its position in whole numbers; where decisions are blind also the mixtures of both sides,
of which one cannot get less and the other not allow more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NoReturn

from monjudge.model.language import NATURE, Expr, Move, RuleSet, State, evaluate
from monjudge.solvers.blind import Blind, Plan, Replies, Unclear
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.strict import strict_state
from monjudge.solvers.views import Assignments, View, assignments

__all__ = ["Failure", "HiddenWalk", "ValueWalk", "fail"]

Step = tuple[Move, State | None]
WAIT = -1


class Failure(Exception):
    """Why the evidence does not show what it claims, in both languages."""


def fail(en: str, ja: str) -> NoReturn:
    """Raises Failure with the reason in both languages."""
    raise Failure(en, ja)


class _Game:
    """The question as the checker has it: the strict rule set, when it ends, and the moves."""

    def __init__(
        self, rules: RuleSet, goal: Expr, player: int, late: int | None, successors: Callable[[State], list[Step]]
    ) -> None:
        self.rules, self.goal, self.player, self.late, self.successors = rules, goal, player, late, successors

    def read(self, expr: Expr, state: State) -> int:
        return evaluate(expr, state, None, self.rules.offset)

    def reached(self, state: State) -> bool:
        return bool(self.read(self.goal, state))

    def ended(self, state: State) -> bool:
        """Whether play is over, or nobody can move, or it is too late."""
        late = self.late is not None and self.rules.turns is not None and self.read(self.rules.turns.number, state) >= self.late
        return late or not self.successors(state)


class HiddenWalk(_Game):
    """Follows a strategy, or a refutation, for all states that look the same. Raises Failure."""

    def run(
        self, plain: RuleSet, state: State, shown: Sequence[str], states: int, choices: Sequence[int], winning: bool,
        given: Sequence[State] | None = None,
    ) -> tuple[int, int]:  # fmt: skip
        """How many beliefs and decisions there were; ``states`` is the number of assignments that is claimed.

        ``given``: those that a refutation rests on, instead of all.
        """
        self.winning = winning
        self.view, self.choices, self.decisions = View(self.rules, self.player, shown), iter(choices), 0
        found = assignments(plain, state, View(plain, self.player, shown), most=10**7) if given is None else Assignments(tuple(given))
        here = self._own(strict_state(plain, state))
        root = [s for s in (strict_state(plain, s) for s in found.states) if self._own(s) == here]
        if found.limit is not None or len(root) != states or (winning and given is not None):
            fail(f"{len(root)} states look the same, not {states}", f"同じに見える局面は{states}個でなく{len(root)}個である")
        done = self._winning(self._look(root)) if winning else self._losing(self._look(root))
        if next(self.choices, None) is not None:
            fail("there are decisions for no position", "どの局面のものでもない決定がある")
        return done, self.decisions

    def _own(self, state: State) -> list[Move]:
        return [move for move, _ in self.successors(state) if move.me == self.player]

    def _choose(self, least: int, count: int) -> int:
        self.decisions += 1
        chosen = next(self.choices, None)
        if chosen is None or not least <= chosen < count:
            fail("a decision is missing or does not exist", "決定が足りないか、存在しない手を指している")
        return chosen

    def _look(self, states: Sequence[State | None]) -> list[frozenset[State]]:
        """What the player may then know, in the order in which it is met; the empty set, last, where play ends without the goal."""
        groups: dict[Any, set[State]] = {}
        lost = False
        for state in states:
            if state is None and self.winning:
                fail("a bound of the model is passed", "モデルの上限を超える")
            # In a refutation the others need not choose what is beyond a bound: it is none of their choices.
            if state is None or self.reached(state):
                continue
            if self.ended(state):
                lost = True
                continue
            groups.setdefault((self.view.known(state), tuple(self._own(state))), set()).add(state)
        return [frozenset(g) for g in groups.values()] + [frozenset()] * lost

    def _after(self, belief: frozenset[State]) -> tuple[list[list[State | None]], list[State | None]]:
        """Where each move of the player leads, and where those of the others do."""
        own: dict[Move, list[State | None]] = {}
        others: list[State | None] = []
        for state in sorted(belief):
            for move, after in self.successors(state):
                if move.me == self.player:
                    own.setdefault(move, []).append(after)
                else:
                    others.append(after)
        return list(own.values()), others

    def _winning(self, front: list[frozenset[State]]) -> int:
        front.reverse()
        done: dict[frozenset[State], bool] = {}  # False while it is on the path
        while front:
            belief = front[-1]
            if not belief:
                fail("the strategy lets play end without the goal", "戦略どおりでも目的を果たさずに終わる")
            if belief in done:
                done[belief] = True
                front.pop()
                continue
            mine, others = self._after(belief)
            below = self._look(others)
            if mine:
                below += self._look(mine[self._choose(0, len(mine)) if len(mine) > 1 else 0])
            if any(done.get(b) is False or b == belief for b in below):
                fail("the strategy goes round in circles", "戦略が同じ局面を巡る")
            done[belief] = False
            front.extend(b for b in reversed(below) if b not in done)
        return len(done)

    def _losing(self, front: list[frozenset[State]]) -> int:
        if not front:
            fail("the player reaches the goal", "目的が果たされてしまう")
        front = [front[self._choose(0, len(front))] if len(front) > 1 else front[0]]
        seen: set[frozenset[State]] = set()
        while front:
            belief = front.pop()
            if belief in seen or not belief:
                continue
            seen.add(belief)
            mine, others = self._after(belief)
            brought = self._look(others)
            chosen = self._choose(WAIT if mine else 0, len(brought)) if brought else WAIT
            if chosen != WAIT:
                front.append(brought[chosen])
                continue
            if not mine:
                fail("the player reaches the goal", "目的が果たされてしまう")
            below = []
            for after in mine:
                branches = self._look(after)
                if not branches:
                    fail("the player reaches the goal", "目的が果たされてしまう")
                below.append(branches[self._choose(0, len(branches))] if len(branches) > 1 else branches[0])
            front.extend(reversed(below))
        return len(seen)


class ValueWalk(_Game):
    """Holds every value of a certificate against its equation. Raises Failure."""

    def run(self, start: State, claimed: Fraction, certificate: Mapping[str, Any]) -> tuple[int, int]:
        """How many positions there were, and how many of them had mixtures."""
        self.engine, self.blind = Reference(self.rules), Blind(self.rules, self.player, self.successors)
        values, mixes = certificate.get("values"), certificate.get("mixes", [])
        if not isinstance(values, list) or not isinstance(mixes, list) or set(certificate) - {"values", "mixes"}:
            fail("the certificate is no list of values", "証明書が値の列でない")
        self.mixes = iter(mixes)
        found, children, order = self._collect(start, [_fraction(v) for v in values])
        if next(self.mixes, None) is not None:
            fail("there are mixtures for no position", "どの局面のものでもない混合がある")
        if self._worth(start, found) != claimed:
            fail("the value is another one than is claimed", "主張と違う値である")
        self._no_circles(start, children)
        for state in order:
            self._equation(state, found)
        return len(order), len(self.stages)

    def _collect(self, start: State, values: list[Fraction]) -> tuple[dict[State, Fraction], dict[State, list[State]], list[State]]:
        """Every position in the order of the walk with its value, and those on which it rests."""
        found: dict[State, Fraction] = {}
        children: dict[State, list[State]] = {}
        self.stages: dict[State, tuple[list[tuple[Fraction, Replies]], list[tuple[Fraction, Replies]]]] = {}
        front, given = [start], iter(values)
        while front:
            state = front.pop()
            if state in found or self.reached(state) or self.ended(state):
                continue
            value = next(given, None)
            if value is None:
                fail("a value is missing", "値が足りない")
            found[state] = value
            children[state] = list(self._below(state))
            front.extend(reversed(children[state]))
        if next(given, None) is not None:
            fail("there are values for no position", "どの局面のものでもない値がある")
        return found, children, list(found)

    def _below(self, state: State) -> Iterator[State]:
        if not self.blind.begins(state):
            for _, after in self.successors(state):
                if after is None:
                    fail("a bound of the model is passed", "モデルの上限を超える")
                yield after
            return
        mixes = next(self.mixes, None)
        if not isinstance(mixes, list) or len(mixes) != 2:
            fail("a mixture is missing", "混合戦略が足りない")
        self.stages[state] = (self._mixture(state, True, mixes[0]), self._mixture(state, False, mixes[1]))
        for _, replies in (*self.stages[state][0], *self.stages[state][1]):
            yield from replies.leaves.values()

    def _mixture(self, state: State, side: bool, written: Any) -> list[tuple[Fraction, Replies]]:
        """The plans of a side with all that the other side may do about each, of which it sees none."""
        try:
            mix = [(_fraction(p), tuple(Move(action, me, tuple(args)) for action, me, *args in plan)) for p, plan in written]
            found = [(p, self.blind.replies(state, side, plan)) for p, plan in mix]
        except Unclear as unclear:
            fail(unclear.text.en, unclear.text.ja)
        except (TypeError, ValueError):
            fail("a mixture is no list of plans", "混合戦略が計画の列でない")
        if any(p <= 0 for p, _ in mix) or sum(p for p, _ in mix) != 1:
            fail("the probabilities of a mixture are not 1 in all", "混合戦略の確率の和が1でない")
        if any(r.sights != found[0][1].sights or r.leaves.keys() != found[0][1].leaves.keys() for _, r in found):
            fail("the other side sees something of the plan", "計画の一部が相手に見える")
        return found

    def _worth(self, state: State, found: Mapping[State, Fraction]) -> Fraction:
        return Fraction(1) if self.reached(state) else found.get(state, Fraction(0))

    def _equation(self, state: State, found: Mapping[State, Fraction]) -> None:
        value = found[state]
        if state in self.stages:
            plans, answers = self.stages[state]

            def mean(mix: list[tuple[Fraction, Replies]], other: Plan) -> Fraction:
                return sum((p * self._worth(r.leaves[other], found) for p, r in mix), Fraction(0))

            holds = all(mean(plans, j) >= value for j in plans[0][1].leaves) and all(mean(answers, i) <= value for i in answers[0][1].leaves)
        else:
            holds = self._alternates(state, value, found)
        if not holds:
            fail("a value does not satisfy its equation", "値が方程式を満たさない")

    def _alternates(self, state: State, value: Fraction, found: Mapping[State, Fraction]) -> bool:
        """Whoever decides is the worst for the player; the mean over chance is worked out in whole numbers."""
        steps = [(move, self._worth(after, found)) for move, after in self.successors(state) if after is not None]
        mine = [w for move, w in steps if move.me == self.player]
        others = [w for move, w in steps if move.me not in (self.player, NATURE)]
        sides = ([max(mine)] if mine else []) + others
        lots = [(self.engine.weight(state, move), w) for move, w in steps if move.me == NATURE]
        if lots:
            whole, common = sum(weight for weight, _ in lots), lcm(*(w.denominator for _, w in lots))
            sides.append(Fraction(sum(weight * w.numerator * (common // w.denominator) for weight, w in lots), whole * common))
        return min(sides) == value

    def _no_circles(self, start: State, children: Mapping[State, list[State]]) -> None:
        done: dict[State, bool] = {}
        front = [start]
        while front:
            state = front[-1]
            if state not in children or state in done:
                done[state] = True
                front.pop()
                continue
            done[state] = False
            if any(done.get(child) is False for child in children[state]):
                fail("play can go round in circles", "同じ局面を巡り続けることができる")
            front.extend(child for child in children[state] if child not in done)


def _fraction(text: Any) -> Fraction:
    """Raises Failure for what is no probability as it is written down: ``n`` or ``n/d`` in lowest terms."""
    try:
        found = Fraction(text) if isinstance(text, str) and len(text) < 10_000 else None
    except (ValueError, ZeroDivisionError):
        found = None
    if found is None or str(found) != text or not 0 <= found <= 1:
        fail(f"{str(text)[:40]!r} is no probability", f"{str(text)[:40]!r}は確率でない")
    return found
