"""What a rule set can be asked, on tic-tac-toe: legal moves, why not, perft, reachable states, the value of the game."""

from __future__ import annotations

import time

from monjudge.model.language import Move, RuleSet, State
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.brute import Brute
from monjudge.solvers.engines.native import Native
from monjudge.solvers.legality import Legality
from monjudge.solvers.play import Play

WORD = {1: "a win / 先手の勝ち", 0: "a draw / 引き分け", -1: "a loss / 先手の負け"}


def show(rules: RuleSet, state: State) -> str:
    marks, cells = ".XO", state[rules.offset["cell"] :]
    return "\n".join("  " + " ".join(marks[c] for c in cells[row : row + 3]) for row in (0, 3, 6))


def main() -> None:
    rules = tic_tac_toe()
    play, legality = Play(rules), Legality(rules)
    state = rules.state({"cell": [1, 2, 0, 0, 1, 0, 0, 0, 2], "turn": 0})
    print(f"{rules.en} / {rules.ja}\n{show(rules, state)}")

    moves = legality.enumerator.moves(state)
    print("\nLegal moves / 合法手:", ", ".join(f"{m.action} {m.args[0]}" for m in moves))

    judgement = legality.judge(state, Move("place", 0, (8,)))
    print(f"\nplace 8: {judgement.verdict}")
    for failure in judgement.failures:
        print(f"  {failure.clause.id}: {failure.clause.en} / {failure.clause.ja}")
        for finding in failure.findings:
            print(f"    {finding}")
    nearest = legality.nearest(state, judgement.move).moves
    print("  nearest / 近い合法手:", ", ".join(f"{m.action} {m.args[0]}" for m in nearest))

    native = Native(rules)
    begin = time.perf_counter()
    native.perft(play.start, 0)
    print(f"\nCompiled in {time.perf_counter() - begin:.2f} s / 機械語へ翻訳")
    print("Perft (positions met / 出会う局面):")
    for depth in range(1, 10):
        begin = time.perf_counter()
        nodes = native.perft(play.start, depth)
        print(f"  {depth} {nodes:>8,} {1000 * (time.perf_counter() - begin):8.2f} ms")
    print(f"Reachable states / 到達できる局面: {play.reachable().count:,}")

    value = Brute(rules).value(0)
    assert value.exact is not None
    print(f"Value for the first player / 先手から見た値: {WORD[int(value.exact)]}")


if __name__ == "__main__":
    main()
