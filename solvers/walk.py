"""The walk that a certificate of a forced win, or of a "no", is followed by: its meaning, in plain Python.

Depth first, the moves of a position in canonical order, each position once, each made anew from the rules. Of a win
one move of the player is followed and every move of the others, of a "no" one move of the others (or that they
``WAIT``) and every move of the player. Where there is a choice the certificate is asked; if it says so (``tried``),
the walk first tries to settle the position itself, by so many positions more. That is an exhaustive search without
any bound or knowledge of a game: others first, then the player, moves that settled a position last before the rest.
What it does not settle in the sense of the claim is read from the certificate.

A value that agrees with the claim is never guessed: a position on the path, and a bound of the model, count
against it. (In the walk of a "no" a position met again may count for it: play in circles never reaches a goal.)
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from monjudge.model.language import Expr, Move, RuleSet, State, evaluate
from monjudge.solvers.verdict import Sentence

if TYPE_CHECKING:
    from monjudge.solvers.first_plans import FirstPlans

__all__ = ["REASONS", "WAIT", "Checked", "Claim", "Refused", "Step", "Successors", "TooLong", "Walk", "refuse", "refuse_bound"]

WAIT = -1
"""In a refutation: the others let the player move."""

Step = tuple[Move, State | None]
"""A legal move and where it leads; None where it passes a bound of the model."""

Successors = Callable[[State], list[Step]]
"""All legal moves of a state in canonical order, chance included; none where the game is over."""


class Refused(ValueError):
    """The evidence does not show what it claims; ``text`` says why, in both languages."""

    def __init__(self, en: str, ja: str) -> None:
        self.text = Sentence(en, ja)
        super().__init__(en)


class TooLong(Exception):
    """The walk came upon more positions than were allowed."""


REASONS = {
    "lost": Sentence("the strategy lets play end without the goal", "戦略どおりでも目的を果たさずに終わる"),
    "stuck": Sentence("the strategy leads to where nobody can move", "誰も動けない局面に至る"),
    "circle": Sentence("the strategy goes round in circles", "戦略が同じ局面を巡る"),
    "reached": Sentence("the player reaches the goal", "目的が果たされてしまう"),
    "missing": Sentence("a decision is missing or does not exist", "決定が足りないか、存在しない手を指している"),
    "left": Sentence("there are decisions for no position", "どの局面のものでもない決定がある"),
}
"""Why a walk is refused."""


def refuse(reason: str) -> NoReturn:
    """Raises Refused for one of the ``REASONS``."""
    raise Refused(*REASONS[reason])


def refuse_bound(move: Move) -> NoReturn:
    """Raises Refused for a move that has to be followed and passes a bound of the model."""
    raise Refused(f"{move} passes a bound of the model", f"{move}はモデルの上限を超える")


@dataclass(frozen=True)
class Checked:
    """What a check saw: how many positions, how many decisions it read from the certificate, and the first plans if counted."""

    positions: int
    decisions: int
    plans: FirstPlans | None = None


@dataclass(frozen=True)
class Claim:
    """What is to be shown of a settled state of a strict rule set: the player can, or cannot, force the goal.

    ``late`` is the number of the first turn that is too late (None: no such turn).
    """

    rules: RuleSet
    state: State
    player: int
    goal: Expr
    late: int | None
    answer: bool

    def reached(self, state: State) -> bool:
        """Whether the goal holds."""
        return bool(self._read(self.goal, state))

    def is_late(self, state: State) -> bool:
        """Whether no turn is left."""
        turns = self.rules.turns
        return turns is not None and self.late is not None and self._read(turns.number, state) >= self.late

    def _read(self, expr: Expr, state: State) -> int:
        return evaluate(expr, state, None, self.rules.offset)


class Walk:
    """Follows the decisions of a certificate by the moves that ``successors`` makes.

    Raises Refused where they do not show the claim, TooLong beyond ``most`` positions.
    """

    def __init__(self, claim: Claim, successors: Successors, over: Callable[[State], bool], *, most: int | None = None) -> None:
        self.claim, self.successors, self.over, self.most = claim, successors, over, most
        self.known: dict[State, bool] = {}
        """For the player: True of a win. Only what agrees with the claim is certain."""
        self._last: dict[Move, int] = {}
        self._settled = 0

    def run(self, choices: Sequence[int], tried: int = 0) -> Checked:
        """What was seen on the way."""
        self.choices, self.tried, self.decisions = iter(choices), tried, 0
        if self.claim.answer:
            self._strategy()
        else:
            self._refutation()
        if next(self.choices, None) is not None:
            refuse("left")
        return Checked(len(self.known), self.decisions)

    def is_refuted(self, state: State) -> bool:
        """After the walk of a "no": whether it came to the position and saw that the goal is not forced there."""
        return self.known.get(state, self._end(state)) is False

    # -- where the certificate leads -------------------------------------------------------

    def _strategy(self) -> None:
        """Every play against the strategy reaches the goal, and none goes round in circles."""
        path, front = set[State](), [self.claim.state]
        while front:
            state = front[-1]
            if state in path:
                path.remove(state)
                self.known[state] = True
            if self.known.get(state) or self.claim.reached(state):
                front.pop()
                continue
            if self._ended(state):
                refuse("lost")
            mine, others = self._after(state)
            if not mine and not others:
                refuse("stuck")
            if len(mine) > 1 and self._settles(state, mine, others):
                front.pop()
                continue
            kept = [*others, mine[self._choose(0, mine) if len(mine) > 1 else 0]] if mine else others
            below = _made(kept)
            path.add(state)
            self.known[state] = False
            if any(after in path for after in below):
                refuse("circle")
            front.extend(reversed(below))

    def _refutation(self) -> None:
        """Whatever the player tries, the goal is not reached."""
        front = [self.claim.state]
        while front:
            state = front.pop()
            if self.known.get(state) is False:
                continue
            if self.claim.reached(state):
                refuse("reached")
            if self._ended(state):
                continue
            mine, others = self._after(state)
            below = others or mine
            if others and (mine or len(others) > 1):
                if self._settles(state, mine, others):
                    continue
                chosen = self._choose(WAIT if mine else 0, others)
                below = mine if chosen == WAIT else [others[chosen]]
            self.known[state] = False
            front.extend(reversed(_made(below)))

    def _choose(self, least: int, steps: Sequence[Step]) -> int:
        chosen = next(self.choices, None)
        if chosen is None or not least <= chosen < len(steps):
            refuse("missing")
        self.decisions += 1
        if chosen >= 0:
            self._credit(steps[chosen][0])
        return chosen

    # -- what needs no certificate ---------------------------------------------------------

    def _settles(self, state: State, mine: list[Step], others: list[Step]) -> bool:
        """Whether so many positions as may be tried show that this one is as is claimed."""
        if not self.tried or state in self.known:
            return False
        left, path, value = self.tried, [state], None
        arguments = [self._argue(mine, others)]
        self.known[state] = not self.claim.answer
        while arguments:
            try:
                child = arguments[-1].send(value)
            except StopIteration as done:
                value = self.known[path.pop()] = done.value
                arguments.pop()
                continue
            if not left:
                for open_ in path:
                    del self.known[open_]
                return False
            left, value = left - 1, None
            path.append(child)
            arguments.append(self._argue(*self._after(child)))
            self.known[child] = not self.claim.answer
        return value is self.claim.answer

    def _argue(self, mine: list[Step], others: list[Step]) -> Generator[State, bool | None, bool]:
        """The value of a position for the player; asks for those of its children that are not known."""
        for side, settles in ((others, False), (mine, True)):
            ends = [self._end(after) for _, after in side]
            if settles in ends:
                return settles
            rest = [(move, after) for (move, after), end in zip(side, ends, strict=True) if end is None and after is not None]
            while rest:
                move, after = rest.pop(max(range(len(rest)), key=lambda n: self._last.get(rest[n][0], 0)))
                value = self.known.get(after)
                if value is None:
                    value = yield after
                if value is settles:
                    self._credit(move)
                    return settles
        return bool(others) and not mine

    def _end(self, state: State | None) -> bool | None:
        """The value where play ends, or passes a bound of the model; else None."""
        if state is None:
            return not self.claim.answer
        if self.claim.reached(state):
            return True
        return False if self._ended(state) else None

    def _credit(self, move: Move) -> None:
        self._settled += 1
        self._last[move] = self._settled

    # -- one position ----------------------------------------------------------------------

    def _after(self, state: State) -> tuple[list[Step], list[Step]]:
        """The moves of the player and those of all others, with where they lead."""
        if self.most is not None and len(self.known) > self.most:
            raise TooLong
        found = self.successors(state)
        mine = [step for step in found if step[0].me == self.claim.player]
        return mine, [step for step in found if step[0].me != self.claim.player]

    def _ended(self, state: State) -> bool:
        return self.claim.is_late(state) or self.over(state)


def _made(steps: Sequence[Step]) -> list[State]:
    """Where the moves lead. Raises Refused where one passes a bound of the model."""
    found = []
    for move, after in steps:
        if after is None:
            refuse_bound(move)
        found.append(after)
    return found
