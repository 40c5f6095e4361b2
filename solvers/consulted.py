"""Which switches of a rule set were consulted while play was followed: those that were not could be set otherwise.

The rule set has its switches open, as cells of the state. The reference follows the play on states that note which of
these cells are read. What is never read cannot have made a difference, so one walk holds for every value of it.

>>> from monjudge.model.language import Game, put, reads
>>> g = Game("door", players=1)
>>> keys = g.field("keys", values=range(3))
>>> strict = reads(g.switch("KEY", ("ONE", "TWO"), "ONE"), "TWO")
>>> a = g.action("enter", by=0)
>>> a.clause("D.1", (keys == 2) | ((keys == 1) & ~strict))
>>> a.effect(put(keys, 0))
>>> watched = Consulted(g.build())
>>> [len(watched.steps(watched.rules.state({"keys": n}))) for n in (2, 1)], sorted(watched.read)
([1, 1], ['KEY'])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, SupportsIndex

from monjudge.model.language import Expr, LimitReached, Move, RuleSet, State, walk
from monjudge.solvers.engines.reference import Reference, _Functions
from monjudge.solvers.strict import strict

__all__ = ["Consulted"]


class Consulted:
    """Moves of the strict rule set by the reference; ``read`` has the ids of the switches consulted since it was last emptied."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = strict(rules)
        self.switch_at = {rules.offset[switch.family.name]: switch.id for switch in rules.switches}
        self.read: set[str] = set()
        self.reference = Reference(self.rules)
        self.reference._space = _Noted(self.rules, self)

    def settle(self, state: State) -> State:
        """Raises LimitReached as the reference does."""
        return tuple(self.reference.settle(state))

    def steps(self, state: State) -> list[tuple[Move, State | None]]:
        """All legal moves in canonical order with where they lead; None where one passes a bound of the model."""
        return [(move, self._step(state, move)) for move in self.reference.moves(state)]

    def _step(self, state: State, move: Move) -> State | None:
        try:
            return tuple(self.reference.step(state, move))
        except LimitReached:
            return None

    def mentioned(self, expressions: Iterable[Expr]) -> set[str]:
        """The switches that stand in these expressions, consulted or not."""
        named = {switch.family.uid: switch.id for switch in self.rules.switches}
        fields = (node.args[0].uid for expr in expressions for node in walk(expr) if node.op == "field")
        return {named[uid] for uid in fields if uid in named}


class _Noted(_Functions):
    """The functions of the reference, called with states that note what is read."""

    def __init__(self, rules: RuleSet, owner: Consulted) -> None:
        super().__init__(rules)
        self.owner = owner

    def __missing__(self, name: str) -> Callable[..., Any]:
        function, owner = super().__missing__(name), self.owner

        def noted(state: State, *args: int) -> Any:
            seen = _Seen(state)
            seen.owner = owner
            return function(seen, *args)

        self[name] = noted
        return noted


class _Seen(tuple[int, ...]):
    """A state that notes which of its cells are read."""

    owner: Consulted

    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        if at in self.owner.switch_at:
            self.owner.read.add(self.owner.switch_at[at])
        return super().__getitem__(at)
