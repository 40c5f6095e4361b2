"""A stage in which both sides decide without seeing one another: what may be planned, and what comes of two plans.

The stage begins in a state that both know, where an action of a group (``RuleSet.simultaneous``) is legal and the
group is not open, and ends with the move that opens it. A *plan* is the sequence of one side's own moves. It is a
strategy of that side only if nothing that the other does changes what the side sees or may do, if no chance comes in
between (it may come when nobody decides any more), and if the order in which the moves interleave does not matter. All of that is checked for every play that is
looked at; where it does not hold the stage is ``Unclear``. With more than two players all others are one side: they
plan together, and each of them knows what any of them sees.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field

from monjudge.model.language import NATURE, Expr, LimitReached, Move, RuleSet, State, evaluate
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.verdict import Sentence
from monjudge.solvers.views import View

__all__ = ["DRAWN", "MODEL_BOUND", "ORDER", "SEEN", "UNENDED", "UNFIT", "Blind", "Plan", "Replies", "Unclear"]

Plan = tuple[Move, ...]

SEEN = Sentence("within the blind decisions a player sees, or may do, something that depends on the other", "互いに見ずに決める間に、相手しだいで変わるものが見えるか、できることが変わる")
DRAWN = Sentence("within the blind decisions something is left to chance", "互いに見ずに決める間に偶然がある")
ORDER = Sentence("it matters in which order the blind decisions are taken", "互いに見ずに決める順番によって結果が違う")
UNFIT = Sentence("within the blind decisions there is a plan that the other can cross", "互いに見ずに決める間に、相手が崩せる計画がある")
UNENDED = Sentence("the blind decisions need not come to an end", "互いに見ずに決める間が終わらないことがある")
MODEL_BOUND = Sentence("a bound of the model was met", "モデルの上限に達した")


class Unclear(Exception):
    """The stage is none of those whose plans are strategies; ``text`` says why."""

    def __init__(self, text: Sentence) -> None:
        self.text = text
        super().__init__(text.en)


@dataclass
class Replies:
    """Of one plan: the state after each plan of the other side, and what that side sees and may do after each beginning of one."""

    leaves: dict[Plan, State] = field(default_factory=dict)
    sights: dict[Plan, object] = field(default_factory=dict)


class Blind:
    """The stages of a rule set for one player (True) against the other (False).

    ``successors`` makes all legal moves of a settled state with where they lead (None beyond a bound of the model).
    """

    def __init__(self, rules: RuleSet, player: int, successors: Callable[[State], list[tuple[Move, State | None]]]) -> None:
        self.rules, self.player, self.successors = rules, player, successors
        self.views = {p: View(rules, p) for p in range(rules.players)}
        self.unsettled = Reference(dataclasses.replace(rules, triggers=()))

    def _read(self, expr: Expr, state: State) -> bool:
        return bool(evaluate(expr, state, None, self.rules.offset))

    def begins(self, state: State) -> bool:
        """Whether blind decisions are due in a state that everybody knows."""
        closed = {name for group in self.rules.simultaneous if not self._read(group.open, state) for name in group.actions}
        return bool(closed) and any(move.me != NATURE and move.action in closed for move, _ in self.successors(state))

    def opens(self, state: State, move: Move, after: State) -> bool:
        """Whether this move ends the stage: every group that was closed is open after it, before or after the triggers."""
        closed = [group.open for group in self.rules.simultaneous if not self._read(group.open, state)]
        if all(self._read(condition, after) for condition in closed):
            return True
        try:
            between = self.unsettled.step(state, move)
        except LimitReached:
            return False
        return all(self._read(condition, between) for condition in closed)

    def is_left_to_chance(self, state: State) -> bool:
        """Whether nobody decides any more until the stage is over, however chance turns out."""
        front, seen = [state], {state}
        while front:
            here = front.pop()
            steps = self.successors(here)
            if not steps or any(move.me != NATURE for move, _ in steps):
                return False
            for move, after in steps:
                if after is not None and after not in seen and not self.opens(here, move, after):
                    seen.add(after)
                    front.append(after)
        return True

    def sides(self, state: State) -> dict[bool, dict[Move, State]]:
        """The moves of each side with where they lead. Raises Unclear for chance and beyond bounds of the model."""
        found: dict[bool, dict[Move, State]] = {True: {}, False: {}}
        for move, after in self.successors(state):
            if move.me == NATURE:
                raise Unclear(DRAWN)
            if after is None:
                raise Unclear(MODEL_BOUND)
            found[move.me == self.player][move] = after
        return found

    def some(self, root: State) -> dict[bool, Plan]:
        """The plans of a play in which everybody takes his first legal move."""
        made: dict[bool, list[Move]] = {True: [], False: []}
        state, over, met = root, False, {root}
        while not over and not self.is_left_to_chance(state):
            sides = self.sides(state)
            side = bool(sides[True])
            if not sides[side]:
                raise Unclear(UNENDED)
            move, after = list(sides[side].items())[-1 if len(met) % 2 else 0]
            made[side].append(move)
            over, state = self.opens(state, move, after), after
            if state in met and not over:
                raise Unclear(UNENDED)
            met.add(state)
        return {side: tuple(moves) for side, moves in made.items()}

    def replies(self, root: State, side: bool, plan: Plan) -> Replies:
        """What may come of a plan of this side, in every order of play. Raises Unclear (see the module)."""
        found = Replies()
        seen: dict[tuple[int, Plan], State] = {}
        front: list[tuple[State, int, Plan]] = [(root, 0, ())]
        while front:
            state, done, made = front.pop()
            if seen.setdefault((done, made), state) != state:
                raise Unclear(ORDER)
            if self.is_left_to_chance(state):
                if done < len(plan):
                    raise Unclear(UNFIT)
                if found.leaves.setdefault(made, state) != state:
                    raise Unclear(ORDER)
                continue
            sides = self.sides(state)
            mine, theirs = sides[side], sides[not side]
            if theirs:
                # Not how many cards lie in a place: that is not seen either before the stage is over.
                viewers = [view for p, view in self.views.items() if (p == self.player) is not side]
                sight = tuple(view.known(state)[: self.rules.size] for view in viewers), tuple(theirs)
                if found.sights.setdefault(made, sight) != sight:
                    raise Unclear(SEEN)
            if mine and (done == len(plan) or plan[done] not in mine):
                raise Unclear(UNFIT)
            if not mine and not theirs:
                raise Unclear(UNENDED)
            steps = [(plan[done], done + 1, made)] if mine else []
            steps += [(move, done, (*made, move)) for move in theirs]
            for move, count, reply in steps:
                after = (mine if count > done else theirs)[move]
                if not self.opens(state, move, after):
                    if (count, reply) not in seen:
                        front.append((after, count, reply))
                    elif seen[count, reply] != after:
                        raise Unclear(ORDER)
                elif count < len(plan):
                    raise Unclear(UNFIT)
                elif found.leaves.setdefault(reply, after) != after:
                    raise Unclear(ORDER)
        if any(plan in found.sights for plan in found.leaves):
            raise Unclear(SEEN)
        return found
