"""Checks of evidence about hidden cards where the deals are not gone through one by one.

Of a win: a walk over the positions of the rewritten rule set (``undealt``), depth first, one number for each in which the
player has several moves. The rewriting is done anew here, every position is made by the reference, and what a
strategy there needs in order to hold for every deal is looked at again. Of a "no": the deals that it rests on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any, NoReturn

from monjudge.model.language import Expr, LimitReached, Move, RuleSet, State, evaluate
from monjudge.solvers.certified import fail
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.undealt import Fixed, Undealt
from monjudge.solvers.views import View

__all__ = ["DealtWalk", "deals"]

Step = tuple[Move, State | None]


class DealtWalk:
    """Follows a strategy that holds for every deal. ``moves`` makes the moves of a rule set, the reference unless given. Raises Failure."""

    def __init__(
        self, plain: RuleSet, state: State, goal: Expr, player: int, shown: Collection[str], late: int | None,
        moves: Callable[[RuleSet], Callable[[State], list[Step]]] | None = None,
    ) -> None:  # fmt: skip
        try:
            self.undealt = Undealt(plain, state, goal, player, shown)
        except Fixed as fixed:
            fail(fixed.text.en, fixed.text.ja)
        self.rules, self.player, self.late, self.start = self.undealt.rules, player, late, self.undealt.state(state)
        self.engine = Reference(self.rules)
        self.successors = self._made if moves is None else moves(self.rules)
        if self.engine.settle(self.start) != self.start:
            fail("the state is not settled", "自動処理が済んでいない状態である")
        at = self.rules.offset[self.undealt.unseen.name]
        self.pool = slice(at, at + self.undealt.unseen.size)

    def _made(self, state: State) -> list[Step]:
        return [(move, self._step(state, move)) for move in self.engine.moves(state)]

    def _step(self, state: State, move: Move) -> State | None:
        try:
            return self.engine.step(state, move)
        except LimitReached:
            return None

    def run(self, choices: Sequence[int]) -> tuple[int, int]:
        """How many positions and decisions there were."""
        given, decisions = iter(choices), 0
        done: dict[State, bool] = {}  # False while it is on the path
        front = [self.start]
        while front:
            state = front[-1]
            if state in done or self._read(self.undealt.goal, state):
                if state in done:
                    done[state] = True
                front.pop()
                continue
            turns = self.rules.turns
            if self.engine.over(state) or (self.late is not None and turns is not None and self._read(turns.number, state) >= self.late):
                fail("the strategy lets play end without the goal", "戦略どおりでも目的を果たさずに終わる")
            mine, below = self._after(state)
            if mine:
                decisions += len(mine) > 1
                chosen = next(given, None) if len(mine) > 1 else 0
                if chosen is None or not 0 <= chosen < len(mine):
                    fail("a decision is missing or does not exist", "決定が足りないか、存在しない手を指している")
                after = mine[chosen]
                if after is None:
                    _bound()
                below = [*below, after]
            if any(done.get(after) is False or after == state for after in below):
                fail("the strategy goes round in circles", "戦略が同じ局面を巡る")
            done[state] = False
            front.extend(after for after in reversed(below) if after not in done)
        if next(given, None) is not None:
            fail("there are decisions for no position", "どの局面のものでもない決定がある")
        return len(done), decisions

    def _read(self, expr: Expr, state: State) -> int:
        return evaluate(expr, state, None, self.rules.offset)

    def _after(self, state: State) -> tuple[list[State | None], list[State]]:
        """Where the moves of the player lead (None: past a bound) and those of all others, once it is seen that the deal makes no difference."""
        mine, others, looks = list[State | None](), list[State](), dict[State, State]()
        for move, after in self.successors(state):
            if move.me == self.player:
                mine.append(after)
            elif after is None:
                _bound()
            else:
                others.append(after)
        for after in others:
            if looks.setdefault(after[: self.pool.start] + after[self.pool.stop :], after) != after:
                fail("which card has gone the player could not tell from what he sees", "どのカードがなくなったのか、見えるものからは分からない")
        if not mine and not self.undealt.is_never_stuck(state):
            fail("with some cards nobody could move", "持っているカードによっては誰も動けない")
        return mine, others


def _bound() -> NoReturn:
    fail("a bound of the model is passed", "モデルの上限を超える")


def deals(plain: RuleSet, state: State, view: View, written: Any, own: Callable[[State], object]) -> list[State]:
    """The deals that are written down, each of them one that the player might face; ``own`` are his moves. Raises Failure."""
    if not isinstance(written, list) or not written or not all(isinstance(deal, list) and all(type(n) is int for n in deal) for deal in written):
        fail("the certificate is no list of deals", "証明書が配り方の列でない")
    engine, known, pieces, moves = Reference(plain), view.known(state), _pieces(plain, state), own(state)
    found = [tuple(deal) for deal in written]
    for deal in found:
        inside = len(deal) == plain.size and all(lo <= n <= hi for n, (lo, hi) in zip(deal, plain.bounds, strict=True))
        if not inside or view.known(deal) != known or _pieces(plain, deal) != pieces or engine.settle(deal) != deal or own(deal) != moves:
            fail("a deal is none that the player might face", "プレイヤーから見てありえない配り方がある")
    return found


def _pieces(rules: RuleSet, state: State) -> Counter[int] | None:
    """How many declared pieces there are of each kind; None where one lies where its kind may not."""
    pieces, found = rules.pieces, Counter[int]()
    for name, kinds in pieces.counts.items() if pieces is not None else ():
        family, at = rules.family_named[name], rules.offset[name]
        for place, count in enumerate(state[at : at + family.size]):
            kind = place % family.dims[-1]
            if count and kind not in kinds:
                return None
            found[kind] += count
    for name, kinds in pieces.holders.items() if pieces is not None else ():
        at = rules.offset[name]
        for kind in state[at : at + rules.family_named[name].size]:
            if kind and kind not in kinds:
                return None
            found[kind] += bool(kind)
    return found
