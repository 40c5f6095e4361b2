"""Small games with hidden cards (a walk in the dark, tricks with cards that only their owner sees), and the obvious way to
find a strategy: trying them out.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import cache
from random import Random

from monjudge.model.language import Expr, Game, LimitReached, Move, Multiset, RuleSet, State, eq, evaluate, gain, put
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.strict import strict, strict_state
from monjudge.solvers.verdict import Verdict

PLACES, WAYS, SECRETS = 7, 2, 2


@cache
def caves() -> RuleSet:
    """A token walks through a dark graph whose ways hang on a secret; some places are lit, some show the secret."""
    g = Game("caves", players=2)
    at, secret, turn = g.field("at", values=range(PLACES)), g.field("secret", values=range(SECRETS)), g.field("turn", values=range(9))
    whose = g.field("whose", PLACES, values=range(4), config=True)
    leads = g.field("leads", PLACES, SECRETS, WAYS, values=range(-1, PLACES), config=True)
    lit, tells, aim = (g.field(name, PLACES, values=bool, config=True) for name in ("lit", "tells", "aim"))
    for name, weight in (("walk", None), ("luck", 1)):
        a = g.action(name, weight=weight)
        way = a.param("way", range(WAYS))
        a.clause("C.whose", eq(whose[at], 2) if weight else (whose[at] == a.me) | (whose[at] == 3))
        a.clause("C.way", leads[at, secret, way] >= 0)
        a.clause("C.time", turn < 5)
        a.limit("C.known", leads[at, secret, way] != PLACES - 1)
        a.effect(put(at, leads[at, secret, way]), gain(turn, 1))
    g.observe(at, lambda viewer: lit[at] | (viewer == 1))
    g.observe(secret, lambda viewer: tells[at] | (viewer == 1))
    g.goal("win", 0, aim[at])
    g.turn_structure(turn, {})
    return g.build()


def cave(seed: int) -> State:
    r = Random(seed)
    every, dark = range(PLACES), r.choice((0.3, 0.7))
    ways = [r.randrange(PLACES - (r.random() < 0.9)) if way == 0 or r.random() < 0.7 else -1 for _ in every for _ in range(SECRETS) for way in range(WAYS)]
    return caves().state({
        "at": 0, "secret": r.randrange(SECRETS), "whose": [r.choice((0, 0, 0, 0, 1, 2, 3)) for _ in every], "leads": ways,
        "lit": [r.random() > dark for _ in every], "tells": [r.random() < 0.2 for _ in every],
        "aim": [n > 0 and r.random() < 0.3 for n in every],
    })  # fmt: skip

@cache
def tricks(kinds: int = 4) -> RuleSet:
    """Cards of which one is seen by its owner only: each lays one face down, then both are turned; higher wins the trick."""
    g = Game("tricks", players=2)
    hand, pile = Multiset(g, "hand", 2, kinds=kinds, most=2), Multiset(g, "pile", kinds=kinds, most=2)
    laid, won, turn = g.field("laid", 2, values=range(kinds)), g.field("won", 2, values=range(4)), g.field("turn", values=range(8))
    shown = g.field("shown", 2, values=range(kinds))
    drawn = g.field("drawn", values=bool)
    draw = g.action("draw", weight=1)
    card = draw.param("card", range(1, kinds))
    draw.outcome(pile.cells[card])
    draw.clause("T.due", ~drawn)
    draw.effect(hand.add(0, card), pile.remove(card), put(drawn, True))
    lay = g.action("lay")
    what = lay.param("what", range(1, kinds))
    lay.clause("T.turn", drawn & eq(laid[lay.me], 0) & ((lay.me == 0) | (laid[0] > 0)))
    lay.clause("T.hand", hand.cells[lay.me, what] > 0)
    lay.effect(hand.remove(lay.me, what), put(laid[lay.me], what))
    both = (laid[0] > 0) & (laid[1] > 0)
    g.trigger("T.show", both, [
        *(put(shown[p], laid[p]) for p in range(2)), *(put(laid[p], 0) for p in range(2)),
        gain(won[0], 1, laid[0] > laid[1]), gain(won[1], 1, laid[1] > laid[0]), gain(turn, 1),
    ])  # fmt: skip
    g.observe(hand.cells, lambda viewer, p, k: viewer == p)
    g.observe(pile.cells, lambda viewer, k: False)
    g.observe(laid, lambda viewer, p: viewer == p)
    g.goal("win", 0, won[0] > won[1])
    g.goal("even", 0, won[0] >= 1)
    g.goal("win", 1, won[1] > won[0])
    g.turn_structure(turn, {"lay": "plan"})
    every = range(1, kinds)
    g.pieces({"hand": every, "pile": every}, {"laid": every})
    return g.build()


def deals(count: int) -> Iterator[State]:
    r, rules = Random(5), tricks()
    while count:
        cards = [k for k in range(1, 4) for _ in range(2)]
        r.shuffle(cards)
        one, two, three = r.randint(0, 2), r.randint(1, 2), r.randint(1, 2)
        hands = cards[:one], cards[one : one + two], cards[one + two : one + two + three]
        state = rules.state({
            "hand": [h.count(k) for h in hands[:2] for k in range(4)], "pile": [hands[2].count(k) for k in range(4)],
            "drawn": r.random() < 0.4, "laid": [r.choice((0, 0, *cards[5:])), 0],
        })  # fmt: skip
        yield state
        count -= 1


def total(state: State) -> list[int]:
    """How many cards of each kind there are, on the hands, in the pile, and laid."""
    rules = tricks()
    hands, pile, laid = (rules.offset[name] for name in ("hand", "pile", "laid"))
    return [state[hands + k] + state[hands + 4 + k] + state[pile + k] + (state[laid : laid + 2].count(k) if k else 0) for k in range(4)]


class Tried:
    """Tries strategies out: what the player saw so far says what he does; every play against it is gone through."""

    def __init__(
        self, rules: RuleSet, goal: Expr, player: int, turns: int | None = None, kept: Callable[[State], object] = lambda state: None
    ) -> None:
        self.kept = kept
        self.plain, self.rules, self.goal, self.player = rules, strict(rules), goal, player
        self.engine, self.turns = Reference(self.rules), turns

    def looks(self, state: State) -> tuple[object, ...]:
        """The cells that the player sees, one by one, how many pieces lie in each place, and the moves he has."""
        cells: list[int | None] = list(state)
        for name, seen in self.plain.visible.items():
            for n, index in enumerate(itertools.product(*map(range, self.plain.family_named[name].dims))):
                env = {"viewer": self.player, **{f"x{k}": i for k, i in enumerate(index)}}
                if not evaluate(seen, state, env, self.plain.offset):
                    cells[self.plain.offset[name] + n] = None
        rows = []
        for name in self.plain.pieces.counts if self.plain.pieces else ():
            family = self.plain.family_named[name]
            for n in range(0, family.size, family.dims[-1]):
                rows.append(sum(state[self.plain.offset[name] + n :][: family.dims[-1]]))
        holds = [state[self.plain.cell(n, *i)] > 0 for n in (self.plain.pieces.holders if self.plain.pieces else ())
                 for i in itertools.product(*map(range, self.plain.family_named[n].dims))]  # fmt: skip
        return (*cells, *rows, *holds, *(m for m in self.engine.moves(state) if m.me == self.player))

    def all_alike(self, state: State) -> list[State]:
        """Every settled state that looks the same, by going through all values of the cells that are not seen."""
        looks = self.looks(strict_state(self.plain, state))
        spans = [(n,) if n is not None else range(lo, hi + 1) for n, (lo, hi) in zip(looks, self.plain.bounds, strict=False)]
        every = itertools.product(*spans)  # type: ignore[arg-type]
        return [s for s in every if self.kept(s) == self.kept(state) and self.looks(strict_state(self.plain, s)) == looks]

    def win(self, state: State, alike: list[State] | None = None) -> Verdict:
        start = [strict_state(self.plain, s) for s in (self.all_alike(state) if alike is None else alike)]
        first = evaluate(self.rules.turns.number, start[0], None, self.rules.offset) if self.rules.turns else 0
        self.late = None if self.turns is None else first + self.turns
        sure, perhaps = (self.exists([(s, (self.looks(s),)) for s in start], {}, guess) for guess in (False, True))
        return Verdict.YES if sure else Verdict.UNKNOWN if perhaps else Verdict.NO

    def exists(self, open: list[tuple[State, tuple[object, ...]]], plan: dict[object, Move], guess: bool) -> bool:
        """Whether a strategy that agrees with the plan wins all these plays; ``guess``: what is beyond a bound counts as won."""
        while open:
            state, history = open[-1]
            if evaluate(self.goal, state, None, self.rules.offset):
                open = open[:-1]
                continue
            moves = self.engine.moves(state)
            late = self.late is not None and evaluate(self.rules.turns.number, state, None, self.rules.offset) >= self.late  # type: ignore[union-attr]
            if late or not moves:
                return False
            mine = [m for m in moves if m.me == self.player]
            if mine and history not in plan:
                return any(self.exists(open, {**plan, history: m}, guess) for m in mine)
            open = open[:-1]
            for move in [m for m in moves if m.me != self.player] + ([plan[history]] if mine else []):
                try:
                    after = self.engine.step(state, move)
                except LimitReached:
                    if not guess:
                        return False
                    continue
                # Whether he moved himself is known to him; which of the others did is not.
                open = [*open, (after, (*history, move if move.me == self.player else None, self.looks(after)))]
        return True
