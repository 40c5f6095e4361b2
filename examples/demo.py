"""What a rule set can be asked, on tic-tac-toe: legal moves, why not, perft, and the value of the game."""

from __future__ import annotations

import time
from functools import cache

from monjudge.model.language import Move, RuleSet, State
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines.reference import Reference


def show(rules: RuleSet, state: State) -> str:
    marks, cells = ".XO", state[rules.offset["cell"] :]
    return "\n".join("  " + " ".join(marks[c] for c in cells[row : row + 3]) for row in (0, 3, 6))


def perft(reference: Reference, state: State, depth: int) -> int:
    """The positions reached by applied moves, the first one included."""
    below = (reference.step(state, m) for m in reference.moves(state)) if depth else ()
    return 1 + sum(perft(reference, s, depth - 1) for s in below)


def value(rules: RuleSet, reference: Reference) -> tuple[int, int]:
    """The value for the first player under best play, and how many states were met."""

    @cache
    def best(state: State) -> int:
        if reference.over(state):
            return reference.payoff(state)[0]
        moves = reference.moves(state)
        pick = max if moves[0].me == 0 else min
        return pick(best(reference.step(state, m)) for m in moves)

    return best(rules.start), best.cache_info().currsize


def main() -> None:
    rules = tic_tac_toe()
    reference = Reference(rules)
    state = rules.state({"cell": [1, 2, 0, 0, 1, 0, 0, 0, 2], "turn": 0})
    print(f"{rules.en} / {rules.ja}\n{show(rules, state)}")

    print("\nLegal moves / 合法手:", " ".join(f"{m.action} {m.args[0]}" for m in reference.moves(state)))
    taken = Move("place", 0, (8,))
    print(f"\nWhy not / なぜ不可: {taken.action} {taken.args[0]}")
    for clause in reference.failing(state, taken):
        print(f"  {clause.id}: {clause.en} / {clause.ja}")

    print("\nPerft:")
    for depth in range(1, 6):
        start = time.perf_counter()
        nodes = perft(reference, rules.start, depth)
        print(f"  {depth} {nodes:>8,} {time.perf_counter() - start:6.2f} s")

    result, states = value(rules, reference)
    word = {1: "a win / 先手勝ち", 0: "a draw / 引き分け", -1: "a loss / 先手負け"}[result]
    print(f"\nValue for the first player / 先手の値: {word} ({states:,} states / 局面)")


if __name__ == "__main__":
    main()
